/*
 * Checkpoints: the trained network, and the state of the run, as a file of base/serialize.h. It is written beside its
 * place and renamed, so that a run that is killed at any moment leaves the last whole one.
 *
 *   network  architecture, encoding, outputs with their names, scale, the best epoch, and every weight: its name,
 *            rows, columns and numbers
 *   run      fingerprint (seed, options, data and parts), name of the data and sizes of its parts, learning rate,
 *            finished epochs with their errors, current weights, both moments of Adam
 *
 * O(weights); beside the run it needs its own size in memory.
 */
#include "base/arguments.h"
#include "base/hash.h"
#include "base/owned.h"
#include "nn/train/run.h"
#include <math.h>
#include <string.h>

static const char MAGIC[8] = LM_CHECKPOINT_MAGIC;

/* ---- The network ----------------------------------------------------------------------------- */

static leman_status serialize_epoch(lm_serializer *serializer, leman_epoch *e)
{
    leman_status st = LEMAN_OK;
    TRY(lm_serialize_word(serializer, &e->epoch));
    TRY(lm_serialize_real(serializer, &e->train_loss));
    TRY(lm_serialize_real(serializer, &e->val_error));
    TRY(lm_serialize_real(serializer, &e->test_error));
    TRY(lm_serialize_real(serializer, &e->learning_rate));
    TRY(lm_serialize_real(serializer, &e->seconds));
    TRY(lm_serialize_real(serializer, &e->val_loss));
done:
    return st;
}

static leman_status serialize_scale(lm_serializer *serializer, leman_network *n)
{
    leman_status st = LEMAN_OK;
    size_t means = n->scale.count, deviations = means;
    TRY(lm_serialize_array(serializer, (void **)&n->scale.mean, &means, sizeof *n->scale.mean));
    TRY(lm_serialize_array(serializer, (void **)&n->scale.deviation, &deviations, sizeof *n->scale.deviation));
    TRY(lm_serialize_bool(serializer, &n->scale.applied));
    if (means != n->outputs || deviations != n->outputs)
        TRY(lm_serializer_fail(serializer, "found scales of %zu and %zu target%s, expected %zu", means, deviations,
                               lm_plural(deviations), n->outputs));
    n->scale.count = n->outputs;
    for (size_t i = 0; i < n->scale.count; i++)
        if (!isfinite(n->scale.mean[i]) || !(n->scale.deviation[i] > 0) || !isfinite(n->scale.deviation[i]))
            TRY(lm_serializer_fail(serializer, "found a scale that is not finite"));
done:
    return st;
}

/* Names of tasks, and of classes that are words. */
static leman_status serialize_names(lm_serializer *serializer, leman_network *n)
{
    leman_status st = LEMAN_OK;
    bool named = n->name != NULL;
    TRY(lm_serialize_bool(serializer, &named));
    if (named != (n->task_label != NULL) && !n->class_label)
        TRY(lm_serializer_fail(serializer, "found %s, expected them of tasks alone", named ? "names" : "no names"));
    if (named && !serializer->writing) TRY(lm_network_allocate_names(serializer->ctx, n));
    for (size_t i = 0; named && i < n->outputs; i++) TRY(lm_serialize_text(serializer, n->name + i));
done:
    return st;
}

/* Labels of the two classes of each task. */
static leman_status serialize_tasks(lm_serializer *serializer, leman_network *n)
{
    leman_status st = LEMAN_OK;
    size_t labels = 2 * n->outputs;
    TRY(lm_serialize_array(serializer, (void **)&n->task_label, &labels, sizeof *n->task_label));
    if (labels / 2 != n->outputs || labels % 2)
        TRY(lm_serializer_fail(serializer, "found %zu label%s of %zu task%s, expected two each", labels,
                               lm_plural(labels), n->outputs, lm_plural(n->outputs)));
    for (size_t i = 0; i < n->outputs; i++)
        if (n->task_label[2 * i] >= n->task_label[2 * i + 1])
            TRY(lm_serializer_fail(serializer, "found classes out of order"));
done:
    return st;
}

static leman_status serialize_selected_by(lm_serializer *serializer, leman_network *n)
{
    leman_status st = LEMAN_OK;
    const bool targets = lm_network_learned(n) == LM_LEARN_TARGETS;
    size_t by = n->selected_by;
    TRY(lm_serialize_size(serializer, &by, LEMAN_SCORE_COUNT - 1));
    n->selected_by = (leman_score)by;
    if (targets ? by != LEMAN_SCORE_MAE : by < LEMAN_SCORE_ACCURACY || by > LEMAN_SCORE_AUC)
        TRY(lm_serializer_fail(serializer, "found a score that does not fit what the network predicts"));
done:
    return st;
}

static leman_status serialize_precision(lm_serializer *serializer, leman_network *n)
{
    leman_status st = LEMAN_OK;
    size_t precision = n->precision;
    TRY(lm_serialize_size(serializer, &precision, LEMAN_PRECISION_COUNT - 1));
    n->precision = (leman_precision)precision;
done:
    return st;
}

static leman_status serialize_outputs(lm_serializer *serializer, leman_network *n)
{
    leman_status st = LEMAN_OK;
    size_t learned = lm_network_learned(n);
    TRY(lm_serialize_size(serializer, &learned, LM_LEARN_TASKS));
    if (learned == LM_LEARN_CLASSES)
        TRY(lm_serialize_array(serializer, (void **)&n->class_label, &n->outputs, sizeof *n->class_label));
    else
        TRY(lm_serialize_array(serializer, (void **)&n->column, &n->outputs, sizeof *n->column));
    if (!n->outputs) TRY(lm_serializer_fail(serializer, "found no outputs, expected at least one"));
    for (size_t i = 0; n->class_label && i + 1 < n->outputs; i++)
        if (n->class_label[i] >= n->class_label[i + 1])
            TRY(lm_serializer_fail(serializer, "found classes out of order"));
    if (learned == LM_LEARN_TARGETS) TRY(serialize_scale(serializer, n));
    if (learned == LM_LEARN_TASKS) TRY(serialize_tasks(serializer, n));
    TRY(serialize_names(serializer, n));
    TRY(serialize_selected_by(serializer, n));
    TRY(serialize_precision(serializer, n));
done:
    return st;
}

/* Every weight under its name; read: they must be those of the program that the architecture gives. */
static leman_status serialize_weights(lm_serializer *serializer, leman_network *n)
{
    leman_status st = LEMAN_OK;
    const lm_program *p = n->program;
    size_t count = p->weights.count;
    char *found = NULL;
    TRY(lm_serialize_size(serializer, &count, SIZE_MAX));
    if (count != p->weights.count)
        TRY(lm_serializer_fail(serializer, "found %zu weight%s, expected %zu", count, lm_plural(count),
                               p->weights.count));
    for (uint32_t i = 0; i < count; i++) {
        const lm_weight *w = lm_program_weight(p, i);
        size_t rows = w->rows, columns = w->columns;
        char *name = w->name;
        TRY(lm_serialize_text(serializer, &name));
        if (!serializer->writing) found = name;
        TRY(lm_serialize_size(serializer, &rows, SIZE_MAX));
        TRY(lm_serialize_size(serializer, &columns, SIZE_MAX));
        if (strcmp(name, w->name) || rows != w->rows || columns != w->columns)
            TRY(lm_serializer_fail(serializer, "found weight %s of %zu by %zu, expected %s of %zu by %zu", name, rows,
                                   columns, w->name, w->rows, w->columns));
        TRY(lm_serialize_into(serializer, n->weights + w->offset, rows * columns, sizeof *n->weights));
        lm_free(serializer->ctx, found);
        found = NULL;
    }
done:
    lm_free(serializer->ctx, found);
    return st;
}

static leman_status serialize_network(lm_serializer *serializer, leman_network *n)
{
    leman_status st = LEMAN_OK;
    size_t precision = sizeof(lm_real);
    bool squared = n->loss == LEMAN_LOSS_L2;
    TRY(lm_serialize_size(serializer, &precision, SIZE_MAX));
    if (precision != sizeof(lm_real))
        TRY(lm_serializer_fail(serializer, "found numbers of %zu byte%s, expected %zu", precision, lm_plural(precision),
                               sizeof(lm_real)));
    TRY(lm_architecture_serialize(serializer, &n->architecture, &n->own_fourth_layer));
    TRY(lm_serialize_bool(serializer, &squared));
    n->loss = squared ? LEMAN_LOSS_L2 : LEMAN_LOSS_L1;
    TRY(lm_encoding_serialize(serializer, &n->encoding));
    TRY(serialize_outputs(serializer, n));
    TRY(lm_serialize_size(serializer, &n->batch, SIZE_MAX));
    if (!n->batch) TRY(lm_serializer_fail(serializer, "found batches of 0 graphs, expected at least one"));
    TRY(serialize_epoch(serializer, &n->shape.best));
    if (!n->shape.best.epoch) TRY(lm_serializer_fail(serializer, "found no best epoch, expected one"));
    if (!serializer->writing) {
        st = lm_network_build(serializer->ctx, n);
        if (st && st != LEMAN_ERROR_MEMORY && st != LEMAN_ERROR_BUDGET)
            TRY(lm_serializer_fail(serializer, "%s", serializer->ctx->message));
        TRY(st);
        if (n->program->numbers >
            (size_t)(serializer->end - serializer->at) / sizeof(lm_real)) /* before memory is allocated */
            TRY(lm_serializer_fail(serializer, "found %zu byte%s for %zu number%s of weights",
                                   (size_t)(serializer->end - serializer->at),
                                   lm_plural((size_t)(serializer->end - serializer->at)), n->program->numbers,
                                   lm_plural(n->program->numbers)));
        TRY(lm_network_allocate(serializer->ctx, n));
    }
    TRY(serialize_weights(serializer, n));
done:
    return st;
}

/* ---- The run --------------------------------------------------------------------------------- */

/* What the data was called, and how many graphs trained, validated and tested. */
static leman_status serialize_data(lm_serializer *serializer, char **name, size_t count[3])
{
    leman_status st = LEMAN_OK;
    TRY(lm_serialize_text(serializer, name));
    for (size_t i = 0; i < 3; i++) TRY(lm_serialize_size(serializer, count + i, SIZE_MAX));
done:
    return st;
}

/* What must be the same for a run to resume. */
static leman_status serialize_fingerprint(lm_serializer *serializer, const lm_training_run *run)
{
    leman_status st = LEMAN_OK;
    const leman_parts *parts = run->parts;
    const size_t listed = parts->count[0] + parts->count[1] + parts->count[2];
    uint64_t list = lm_checksum(parts->graph, listed * sizeof *parts->graph, parts->count[1]), found = list;
    lm_training_options options = *run->options;
    options.architecture = run->network->architecture;
    const lm_fingerprint own = lm_fingerprint_of(run->ctx->settings.seed, run->data_checksum, &options);
    TRY(lm_fingerprint_agree(serializer, &own));
    TRY(lm_serialize_word(serializer, &found));
    if (found != list) TRY(lm_serializer_fail(serializer, "was trained on other parts of the data"));
    char *name = serializer->writing ? (char *)leman_dataset_shape(run->data)->name : NULL;
    size_t count[3] = {parts->count[0], parts->count[1], parts->count[2]};
    st = serialize_data(serializer, &name, count); /* for people: the checksums have decided */
    if (!serializer->writing) lm_free(run->ctx, name);
done:
    return st;
}

static leman_status serialize_plateau(lm_serializer *serializer, lm_plateau *p)
{
    leman_status st = LEMAN_OK;
    TRY(lm_serialize_real(serializer, &p->rate));
    TRY(lm_serialize_real(serializer, &p->best));
    TRY(lm_serialize_word(serializer, &p->bad));
    if (!(p->rate > 0))
        TRY(lm_serializer_fail(serializer, "found a learning rate of %g, expected more than 0", p->rate));
done:
    return st;
}

static leman_status serialize_scores(lm_serializer *serializer, lm_training_run *run, size_t epochs)
{
    leman_status st = LEMAN_OK;
    TRY(lm_serialize_array(serializer, &run->scores.items, &run->scores.count, sizeof(double)));
    if (!serializer->writing) run->scores.capacity = run->scores.count;
    if (run->scores.count != 2 * epochs)
        TRY(lm_serializer_fail(serializer, "found %zu score%s of %zu epoch%s, expected two each", run->scores.count,
                               lm_plural(run->scores.count), epochs, lm_plural(epochs)));
done:
    return st;
}

/* Epochs so far, and the errors of their targets. */
static leman_status serialize_epochs(lm_serializer *serializer, lm_training_run *run)
{
    leman_status st = LEMAN_OK;
    const size_t each = lm_run_each(run);
    size_t count = run->epochs.count;
    TRY(lm_serialize_size(serializer, &count, SIZE_MAX));
    for (size_t i = 0; i < count; i++) {
        leman_epoch epoch = {0};
        if (serializer->writing) epoch = ((const leman_epoch *)run->epochs.items)[i];
        TRY(serialize_epoch(serializer, &epoch));
        if (!serializer->writing) TRY(lm_vector_append(run->ctx, &run->epochs, &epoch, 1, sizeof epoch));
    }
    TRY(lm_serialize_array(serializer, &run->errors.items, &run->errors.count, sizeof(double)));
    if (!serializer->writing) run->errors.capacity = run->errors.count;
    if (run->errors.count != count * 2 * each)
        TRY(lm_serializer_fail(serializer, "found %zu error%s of targets, expected %zu", run->errors.count,
                               lm_plural(run->errors.count), count * 2 * each));
    TRY(lm_serialize_size(serializer, &run->best, SIZE_MAX));
    if (run->best != SIZE_MAX && run->best >= count)
        TRY(lm_serializer_fail(serializer, "found epoch %zu as the best of %zu", run->best + 1, count));
    TRY(serialize_scores(serializer, run, count));
done:
    return st;
}

/* One array of the backend. */
static leman_status serialize_numbers(lm_serializer *serializer, lm_training_run *run, lm_real *numbers, size_t count)
{
    leman_status st = LEMAN_OK;
    lm_backend *backend = run->trainer->backend;
    if (serializer->writing) TRY(backend->read(backend, run->host, numbers, count * sizeof *numbers));
    TRY(lm_serialize_into(serializer, run->host, count, sizeof *numbers));
    if (!serializer->writing) TRY(backend->write(backend, numbers, run->host, count * sizeof *numbers));
done:
    return st;
}

static leman_status serialize_run(lm_serializer *serializer, lm_training_run *run)
{
    leman_status st = LEMAN_OK;
    const lm_program *program = run->network->program;
    lm_optimizer *optimizer = &run->trainer->optimizer;
    TRY(serialize_fingerprint(serializer, run));
    TRY(serialize_plateau(serializer, &run->plateau));
    TRY(serialize_epochs(serializer, run));
    TRY(lm_serialize_word(serializer, &optimizer->t));
    TRY(serialize_numbers(serializer, run, lm_executor_weights(run->trainer->executor), program->numbers));
    TRY(serialize_numbers(serializer, run, optimizer->first, program->trainable));
    TRY(serialize_numbers(serializer, run, optimizer->second, program->trainable));
done:
    return st;
}

/* ---- Files ----------------------------------------------------------------------------------- */

leman_status lm_checkpoint_write(lm_training_run *run)
{
    leman_status st = LEMAN_OK;
    lm_serializer *serializer = &run->serializer;
    TRY(lm_serializer_begin(serializer, run->ctx, run->options->training.checkpoint));
    TRY(serialize_network(serializer, run->network));
    TRY(serialize_run(serializer, run));
    TRY(lm_serializer_save(serializer, MAGIC, LM_CHECKPOINT_VERSION));
done:
    return st;
}

/* Whole or not at all: the caller's network stays as it is where reading fails. */
static leman_status read_network(lm_serializer *serializer, leman_network **out)
{
    leman_status st = LEMAN_OK;
    leman_network *network = NULL;
    TRY(lm_network_new(serializer->ctx, &network));
    TRY(serialize_network(serializer, network));
    *out = network;
done:
    if (st) leman_network_free(network);
    return st;
}

/* Does it learn what this run learns, with the same numbers? */
static leman_status check_outputs(const lm_serializer *serializer, const leman_network *n, const leman_network *found)
{
    const bool same = found->outputs == n->outputs && lm_network_learned(found) == lm_network_learned(n) &&
                      (!n->column || !memcmp(found->column, n->column, n->outputs * sizeof *n->column));
    if (!same) return lm_serializer_fail(serializer, "was trained for other targets");
    if (found->precision != n->precision)
        return lm_serializer_fail(serializer, "was trained in %s, expected %s", leman_precision_name(found->precision),
                                  leman_precision_name(n->precision));
    if (found->selected_by == n->selected_by) return LEMAN_OK;
    return lm_serializer_fail(serializer, "was trained with the score %s, expected %s",
                              leman_score_name(found->selected_by), leman_score_name(n->selected_by));
}

leman_status lm_checkpoint_resume(lm_training_run *run)
{
    leman_status st = LEMAN_OK;
    lm_serializer serializer = {0};
    leman_network *found = NULL, *network = run->network;
    TRY(lm_serializer_open(&serializer, run->ctx, run->options->training.checkpoint, MAGIC, LM_CHECKPOINT_VERSION,
                           "a checkpoint"));
    TRY(read_network(&serializer, &found));
    TRY(check_outputs(&serializer, network, found));
    TRY(serialize_run(&serializer, run));
    TRY(lm_serializer_end(&serializer));
    const size_t numbers = network->program->numbers, limit = run->options->training.epochs;
    if (run->epochs.count > limit) /* the best of them may be beyond it */
        TRY(lm_serializer_fail(&serializer, "found %zu epoch%s, expected at most the %zu that %s asked for",
                               run->epochs.count, lm_plural(run->epochs.count), limit,
                               lm_plural_of(limit, "is", "are")));
    if (found->program->numbers != numbers) /* a file that contradicts itself: the fingerprint was the same */
        TRY(lm_serializer_fail(&serializer, "found a network of %zu number%s, expected %zu", found->program->numbers,
                               lm_plural(found->program->numbers), numbers));
    memcpy(network->weights, found->weights, numbers * sizeof *network->weights);
    network->shape.best = found->shape.best;
    run->resumed = run->epochs.count;
done:
    leman_network_free(found);
    return lm_serializer_finish(&serializer, st);
}

leman_status lm_checkpoint_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_network **out)
{
    leman_status st = LEMAN_OK;
    lm_serializer serializer = {0};
    TRY(lm_serializer_parse(&serializer, ctx, path, bytes, MAGIC, LM_CHECKPOINT_VERSION, "a checkpoint"));
    TRY(read_network(&serializer, out));
done:
    return lm_serializer_finish(&serializer, st);
}

leman_status leman_network_read(leman_context *ctx, const char *path, leman_network **network)
{
    leman_status st = LEMAN_OK;
    lm_serializer serializer = {0};
    REQUIRE(ctx, path);
    REQUIRE(ctx, network);
    TRY(lm_serializer_open(&serializer, ctx, path, MAGIC, LM_CHECKPOINT_VERSION, "a checkpoint"));
    TRY(read_network(&serializer, network));
done:
    return lm_serializer_finish(&serializer, st);
}

/* ---- For people ------------------------------------------------------------------------------ */

void leman_checkpoint_free(leman_checkpoint *checkpoint)
{
    if (!checkpoint) return;
    lm_owned_release(checkpoint, checkpoint->data_name);
    lm_owned_release(checkpoint, checkpoint->epoch);
    lm_owned_release(checkpoint, checkpoint->score);
    lm_owned_free(checkpoint);
}

static leman_status read_checkpoint(lm_serializer *serializer, lm_training_run *run, leman_checkpoint *c)
{
    leman_status st = LEMAN_OK;
    lm_fingerprint f = {0};
    uint64_t parts;
    TRY(read_network(serializer, &run->network));
    TRY(lm_fingerprint_serialize(serializer, &f));
    TRY(lm_serialize_word(serializer, &parts));
    TRY(serialize_data(serializer, &c->data_name, c->count));
    TRY(serialize_plateau(serializer, &run->plateau));
    TRY(serialize_epochs(serializer, run));
    const leman_training *t = &f.options.training;
    c->seed = f.seed;
    c->data_checksum = f.data;
    c->run = t->run;
    c->batch_size = t->batch_size;
    c->patience = t->patience;
    c->learning_rate = t->learning_rate;
    c->weight_decay = t->weight_decay;
    c->max_gradient_norm = t->max_gradient_norm;
    c->next_learning_rate = run->plateau.rate;
    c->balanced_weights = t->balanced_weights;
    c->class_weights = f.class_weights != 0;
    c->epochs = run->epochs.count;
    c->best = run->best;
    c->epoch = run->epochs.items;
    c->score = run->scores.items;
    run->epochs = run->scores = (lm_vector){0};
done:
    return st;
}

leman_status leman_checkpoint_read(leman_context *ctx, const char *path, leman_checkpoint **out)
{
    leman_status st = LEMAN_OK;
    lm_serializer serializer = {0};
    lm_training_run run = {.ctx = ctx, .best = SIZE_MAX};
    leman_checkpoint *checkpoint = NULL;
    REQUIRE(ctx, path);
    REQUIRE(ctx, out);
    OWNED(ctx, checkpoint);
    TRY(lm_serializer_open(&serializer, ctx, path, MAGIC, LM_CHECKPOINT_VERSION, "a checkpoint"));
    TRY(read_checkpoint(&serializer, &run, checkpoint));
done:
    leman_network_free(run.network);
    if (ctx) {
        lm_vector_free(ctx, &run.epochs);
        lm_vector_free(ctx, &run.errors);
        lm_vector_free(ctx, &run.scores);
        st = lm_serializer_finish(&serializer, st);
    }
    if (st)
        leman_checkpoint_free(checkpoint);
    else
        *out = checkpoint;
    return st;
}
