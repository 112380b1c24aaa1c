/*
 * Checkpoints: what has been learned, and the state of the run, as a file of base/pack.h. It is written beside its
 * place and renamed, so that a run that is killed at any moment leaves the last whole one.
 *
 *   learned  architecture, encoding, outputs, scale, the best epoch, every weight: name, rows, columns, numbers
 *   run      what must be the same to go on (seed, options, data and parts: facts.c), rate, epochs so far with
 * their errors, weights and both moments of Adam now
 *
 * O(weights); beside the run it takes its own size in memory.
 */
#include "base/hash.h"
#include "nn/run.h"
#include <math.h>
#include <string.h>

enum { VERSION = 1, MOST_LAYERS = 1 << 10, MOST_WIDTH = 1 << 20, MOST_COLUMNS = 1 << 20 };
static const char MAGIC[8] = LM_CHECKPOINT_MAGIC;

/* ---- What has been learned ------------------------------------------------------------------- */

static leman_status pack_architecture(lm_pack *pack, leman_architecture *a)
{
    leman_status st = LEMAN_OK;
    size_t kind = a->kind, k = a->k, preset = a->preset;
    TRY(lm_pack_size(pack, &kind, LEMAN_NET_DELTA));
    TRY(lm_pack_size(pack, &k, LM_NETWORK_MOST_K));
    TRY(lm_pack_size(pack, &preset, LEMAN_PRESET_TU));
    TRY(lm_pack_size(pack, &a->layers, MOST_LAYERS));
    TRY(lm_pack_size(pack, &a->width, MOST_WIDTH));
    TRY(lm_pack_bool(pack, &a->own_fourth));
    TRY(lm_pack_bool(pack, &a->ignore_vertex_labels));
    TRY(lm_pack_bool(pack, &a->ignore_edge_labels));
    TRY(lm_pack_bool(pack, &a->ignore_attributes));
    TRY(lm_pack_size(pack, &a->coordinates, MOST_COLUMNS));
    TRY(lm_pack_size(pack, &a->first_coordinate, MOST_COLUMNS));
    a->kind = (leman_network_kind)kind;
    a->k = (unsigned)k;
    a->preset = (leman_preset)preset;
done:
    return st;
}

static leman_status pack_epoch(lm_pack *pack, leman_epoch *e)
{
    leman_status st = LEMAN_OK;
    TRY(lm_pack_word(pack, &e->epoch));
    TRY(lm_pack_real(pack, &e->train_loss));
    TRY(lm_pack_real(pack, &e->val_error));
    TRY(lm_pack_real(pack, &e->test_error));
    TRY(lm_pack_real(pack, &e->rate));
    TRY(lm_pack_real(pack, &e->seconds));
done:
    return st;
}

static leman_status pack_outputs(lm_pack *pack, leman_network *n)
{
    leman_status st = LEMAN_OK;
    bool classes = n->class_label;
    size_t means = n->scale.count, deviations = means;
    TRY(lm_pack_bool(pack, &classes));
    if (classes) {
        TRY(lm_pack_array(pack, (void **)&n->class_label, &n->outputs, sizeof *n->class_label));
    } else {
        TRY(lm_pack_array(pack, (void **)&n->column, &n->outputs, sizeof *n->column));
        TRY(lm_pack_array(pack, (void **)&n->scale.mean, &means, sizeof *n->scale.mean));
        TRY(lm_pack_array(pack, (void **)&n->scale.deviation, &deviations, sizeof *n->scale.deviation));
        TRY(lm_pack_bool(pack, &n->scale.applied));
        n->scale.count = n->outputs;
        if (means != n->outputs || deviations != n->outputs)
            TRY(lm_pack_fail(pack, "found scales of %zu and %zu targets, expected %zu", means, deviations, n->outputs));
    }
    if (!n->outputs) TRY(lm_pack_fail(pack, "found no outputs, expected at least one"));
    for (size_t i = 0; classes && i + 1 < n->outputs; i++)
        if (n->class_label[i] >= n->class_label[i + 1]) TRY(lm_pack_fail(pack, "found classes out of order"));
    for (size_t i = 0; i < n->scale.count; i++)
        if (!isfinite(n->scale.mean[i]) || !(n->scale.deviation[i] > 0) || !isfinite(n->scale.deviation[i]))
            TRY(lm_pack_fail(pack, "found a scale that is not finite"));
done:
    return st;
}

/* Every weight under its name; read: they must be those of the program that the architecture gives. */
static leman_status pack_weights(lm_pack *pack, leman_network *n)
{
    leman_status st = LEMAN_OK;
    const lm_program *p = n->program;
    size_t count = p->weights.count;
    char *found = NULL;
    TRY(lm_pack_size(pack, &count, SIZE_MAX));
    if (count != p->weights.count) TRY(lm_pack_fail(pack, "found %zu weights, expected %zu", count, p->weights.count));
    for (uint32_t i = 0; i < count; i++) {
        const lm_weight *w = lm_program_weight(p, i);
        size_t rows = w->rows, columns = w->columns;
        char *name = w->name;
        TRY(lm_pack_text(pack, &name));
        if (!pack->writing) found = name;
        TRY(lm_pack_size(pack, &rows, SIZE_MAX));
        TRY(lm_pack_size(pack, &columns, SIZE_MAX));
        if (strcmp(name, w->name) || rows != w->rows || columns != w->columns)
            TRY(lm_pack_fail(pack, "found weight %s of %zu by %zu, expected %s of %zu by %zu", name, rows, columns,
                             w->name, w->rows, w->columns));
        TRY(lm_pack_into(pack, n->weights + w->offset, rows * columns, sizeof *n->weights));
        lm_free(pack->ctx, found);
        found = NULL;
    }
done:
    lm_free(pack->ctx, found);
    return st;
}

static leman_status pack_network(lm_pack *pack, leman_network *n)
{
    leman_status st = LEMAN_OK;
    size_t precision = sizeof(lm_real);
    TRY(lm_pack_size(pack, &precision, SIZE_MAX));
    if (precision != sizeof(lm_real))
        TRY(lm_pack_fail(pack, "found numbers of %zu bytes, expected %zu", precision, sizeof(lm_real)));
    TRY(pack_architecture(pack, &n->architecture));
    TRY(lm_pack_bool(pack, &n->square));
    TRY(lm_encoding_pack(pack, &n->encoding));
    TRY(pack_outputs(pack, n));
    TRY(lm_pack_size(pack, &n->batch, SIZE_MAX));
    TRY(pack_epoch(pack, &n->best));
    if (!n->best.epoch) TRY(lm_pack_fail(pack, "found no best epoch, expected at least one that was learned"));
    if (!pack->writing) {
        st = lm_learned_build(n);
        if (st && st != LEMAN_ERROR_MEMORY) TRY(lm_pack_fail(pack, "%s", pack->ctx->message));
        TRY(st);
        if (n->program->numbers > (size_t)(pack->end - pack->at) / sizeof(lm_real)) /* before memory is asked for */
            TRY(lm_pack_fail(pack, "found %zu bytes for %zu numbers of weights", (size_t)(pack->end - pack->at),
                             n->program->numbers));
        TRY(lm_learned_room(n));
    }
    TRY(pack_weights(pack, n));
done:
    return st;
}

/* ---- The run --------------------------------------------------------------------------------- */

/* What must be the same for a run to go on. */
static leman_status pack_facts(lm_pack *pack, const lm_training_run *run)
{
    leman_status st = LEMAN_OK;
    const leman_parts *parts = run->parts;
    const size_t listed = parts->count[0] + parts->count[1] + parts->count[2];
    uint64_t list = lm_checksum(parts->graph, listed * sizeof *parts->graph, parts->count[1]), found = list;
    leman_training training = *run->training;
    training.architecture = run->network->architecture;
    TRY(lm_facts_pack(pack, run->ctx->settings.seed, run->data_checksum, &training));
    TRY(lm_pack_word(pack, &found));
    if (found != list) TRY(lm_pack_fail(pack, "was trained on other parts of the data"));
done:
    return st;
}

static leman_status pack_plateau(lm_pack *pack, lm_plateau *p)
{
    leman_status st = LEMAN_OK;
    TRY(lm_pack_real(pack, &p->rate));
    TRY(lm_pack_real(pack, &p->best));
    TRY(lm_pack_word(pack, &p->bad));
    if (!(p->rate > 0)) TRY(lm_pack_fail(pack, "found a rate of %g, expected more than 0", p->rate));
done:
    return st;
}

/* Epochs so far, and the errors of their targets. */
static leman_status pack_epochs(lm_pack *pack, lm_training_run *run)
{
    leman_status st = LEMAN_OK;
    const size_t targets = run->network->scale.count;
    size_t count = run->epochs.count;
    TRY(lm_pack_size(pack, &count, SIZE_MAX));
    for (size_t i = 0; i < count; i++) {
        leman_epoch epoch = {0};
        if (pack->writing) epoch = ((const leman_epoch *)run->epochs.items)[i];
        TRY(pack_epoch(pack, &epoch));
        if (!pack->writing) TRY(lm_vector_append(run->ctx, &run->epochs, &epoch, 1, sizeof epoch));
    }
    TRY(lm_pack_array(pack, &run->errors.items, &run->errors.count, sizeof(double)));
    if (!pack->writing) run->errors.capacity = run->errors.count;
    if (run->errors.count != count * 2 * targets)
        TRY(lm_pack_fail(pack, "found %zu errors of targets, expected %zu", run->errors.count, count * 2 * targets));
    TRY(lm_pack_size(pack, &run->best, SIZE_MAX));
    if (run->best != SIZE_MAX && run->best >= count)
        TRY(lm_pack_fail(pack, "found epoch %zu as the best of %zu", run->best + 1, count));
done:
    return st;
}

/* One array of the backend. */
static leman_status pack_numbers(lm_pack *pack, lm_training_run *run, lm_real *numbers, size_t count)
{
    leman_status st = LEMAN_OK;
    lm_backend *backend = run->trainer->backend;
    if (pack->writing) backend->read(backend, run->host, numbers, count * sizeof *numbers);
    TRY(lm_pack_into(pack, run->host, count, sizeof *numbers));
    if (!pack->writing) backend->write(backend, numbers, run->host, count * sizeof *numbers);
done:
    return st;
}

static leman_status pack_run(lm_pack *pack, lm_training_run *run)
{
    leman_status st = LEMAN_OK;
    const lm_program *program = run->network->program;
    lm_optimizer *optimizer = &run->trainer->optimizer;
    TRY(pack_facts(pack, run));
    TRY(pack_plateau(pack, &run->plateau));
    TRY(pack_epochs(pack, run));
    TRY(lm_pack_word(pack, &optimizer->t));
    TRY(pack_numbers(pack, run, lm_network_weights(run->trainer->network), program->numbers));
    TRY(pack_numbers(pack, run, optimizer->first, program->trainable));
    TRY(pack_numbers(pack, run, optimizer->second, program->trainable));
done:
    return st;
}

/* ---- Files ----------------------------------------------------------------------------------- */

leman_status lm_checkpoint_write(lm_training_run *run)
{
    leman_status st = LEMAN_OK;
    lm_pack *pack = &run->pack;
    TRY(lm_pack_begin(pack, run->ctx, run->training->checkpoint));
    TRY(pack_network(pack, run->network));
    TRY(pack_run(pack, run));
    TRY(lm_pack_save(pack, MAGIC, VERSION));
done:
    return st;
}

/* Whole or not at all: the caller's network stays as it is where reading fails. */
static leman_status read_network(lm_pack *pack, leman_network **out)
{
    leman_status st = LEMAN_OK;
    leman_network *network = NULL;
    TRY(lm_learned_new(pack->ctx, &network));
    TRY(pack_network(pack, network));
    *out = network;
done:
    if (st) leman_network_free(network);
    return st;
}

/* Does it learn what this run learns? */
static leman_status check_outputs(const lm_pack *pack, const leman_network *n, const leman_network *found)
{
    const bool same = found->outputs == n->outputs && !found->column == !n->column &&
                      (!n->column || !memcmp(found->column, n->column, n->outputs * sizeof *n->column));
    return same ? LEMAN_OK : lm_pack_fail(pack, "was trained for other targets");
}

leman_status lm_checkpoint_resume(lm_training_run *run)
{
    leman_status st = LEMAN_OK;
    lm_pack pack = {0};
    leman_network *found = NULL, *network = run->network;
    TRY(lm_pack_open(&pack, run->ctx, run->training->checkpoint, MAGIC, VERSION, "a checkpoint"));
    TRY(read_network(&pack, &found));
    TRY(check_outputs(&pack, network, found));
    TRY(pack_run(&pack, run));
    TRY(lm_pack_end(&pack));
    const size_t numbers = network->program->numbers;
    if (found->program->numbers != numbers) /* a file that contradicts itself: all facts were the same */
        TRY(lm_pack_fail(&pack, "found a network of %zu numbers, expected %zu", found->program->numbers, numbers));
    memcpy(network->weights, found->weights, numbers * sizeof *network->weights);
    network->best = found->best;
    run->resumed = run->epochs.count;
done:
    leman_network_free(found);
    lm_pack_close(&pack);
    return st;
}

leman_status lm_checkpoint_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_network **out)
{
    leman_status st = LEMAN_OK;
    lm_pack pack = {0};
    TRY(lm_pack_parse(&pack, ctx, path, bytes, MAGIC, VERSION, "a checkpoint"));
    TRY(read_network(&pack, out));
done:
    lm_pack_close(&pack);
    return st;
}

leman_status leman_network_read(leman_context *ctx, const char *path, leman_network **out)
{
    leman_status st = LEMAN_OK;
    lm_pack pack = {0};
    TRY(lm_pack_open(&pack, ctx, path, MAGIC, VERSION, "a checkpoint"));
    TRY(read_network(&pack, out));
done:
    lm_pack_close(&pack);
    return st;
}
