/*
 * Networks as files of base/serialize.h. A file is written under a temporary name and renamed, so a run that is killed
 * at any moment leaves the last complete file.
 *
 *   network    architecture, encoding, outputs with their names, scale, the best epoch, how the graphs were read, every
 *              weight by its name
 *   record     fingerprint (seed, options, data), checksum of the parts, name of the data and sizes of its parts,
 *              class weights, state of the learning rate, epochs so far with their errors
 *   optimizer  in checkpoints only: the current weights and both moments of Adam
 *
 * O(weights); writing needs the size of the file in memory.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "io/archive/archive.h"
#include "io/reading.h"
#include "nn/train/run.h"
#include <math.h>
#include <string.h>

static const char MAGIC[8] = LM_CHECKPOINT_MAGIC;

/* ---- The network ----------------------------------------------------------------------------- */

static leman_status serialize_epoch(lm_serializer *serializer, leman_epoch *e)
{
    double *const real[] = {&e->train_loss,    &e->val_error, &e->test_error,
                            &e->learning_rate, &e->seconds,   &e->val_loss};
    PASS(lm_serialize_word(serializer, &e->epoch));
    for (size_t i = 0; i < sizeof real / sizeof *real; i++) PASS(lm_serialize_real(serializer, real[i]));
    return LEMAN_OK;
}

static leman_status serialize_scale(lm_serializer *serializer, leman_network *n)
{
    size_t means = n->scale.count, deviations = means;
    PASS(lm_serialize_array(serializer, (void **)&n->scale.mean, &means, sizeof *n->scale.mean));
    PASS(lm_serialize_array(serializer, (void **)&n->scale.deviation, &deviations, sizeof *n->scale.deviation));
    PASS(lm_serialize_bool(serializer, &n->scale.applied));
    if (means != n->outputs || deviations != n->outputs)
        return lm_serializer_fail(serializer, "found scales of %zu and %zu target%s, expected %zu", means, deviations,
                                  lm_plural(deviations), n->outputs);
    n->scale.count = n->outputs;
    for (size_t i = 0; i < n->scale.count; i++)
        if (!isfinite(n->scale.mean[i]) || !(n->scale.deviation[i] > 0) || !isfinite(n->scale.deviation[i]))
            return lm_serializer_fail(serializer, "found a scale that is not finite");
    return LEMAN_OK;
}

/* Names of tasks, of targets, and of classes that are words. */
static leman_status serialize_names(lm_serializer *serializer, leman_network *n)
{
    bool named = n->name != NULL;
    PASS(lm_serialize_bool(serializer, &named));
    if (!named && n->task_label) return lm_serializer_fail(serializer, "found no names of tasks");
    if (named && !serializer->writing) PASS(lm_network_allocate_names(serializer->ctx, n));
    for (size_t i = 0; named && i < n->outputs; i++) PASS(lm_serialize_text(serializer, n->name + i));
    return LEMAN_OK;
}

/* Labels of the two classes of each task. */
static leman_status serialize_tasks(lm_serializer *serializer, leman_network *n)
{
    size_t labels = 2 * n->outputs;
    PASS(lm_serialize_array(serializer, (void **)&n->task_label, &labels, sizeof *n->task_label));
    if (labels / 2 != n->outputs || labels % 2)
        return lm_serializer_fail(serializer, "found %zu label%s of %zu task%s, expected two each", labels,
                                  lm_plural(labels), n->outputs, lm_plural(n->outputs));
    for (size_t i = 0; i < n->outputs; i++)
        if (n->task_label[2 * i] >= n->task_label[2 * i + 1])
            return lm_serializer_fail(serializer, "found classes out of order");
    return LEMAN_OK;
}

static leman_status serialize_outputs(lm_serializer *serializer, leman_network *n)
{
    size_t learned = lm_network_learned(n), by = n->selected_by, precision = n->precision;
    PASS(lm_serialize_size(serializer, &learned, LM_LEARN_TASKS));
    if (learned == LM_LEARN_CLASSES)
        PASS(lm_serialize_array(serializer, (void **)&n->class_label, &n->outputs, sizeof *n->class_label));
    else
        PASS(lm_serialize_array(serializer, (void **)&n->column, &n->outputs, sizeof *n->column));
    if (!n->outputs) return lm_serializer_fail(serializer, "found no outputs, expected at least one");
    if (n->level && learned != LM_LEARN_TARGETS)
        return lm_serializer_fail(serializer, "found classes of the level %s, expected targets",
                                  leman_level_name(n->level));
    for (size_t i = 0; n->class_label && i + 1 < n->outputs; i++)
        if (n->class_label[i] >= n->class_label[i + 1])
            return lm_serializer_fail(serializer, "found classes out of order");
    if (learned == LM_LEARN_TARGETS) PASS(serialize_scale(serializer, n));
    if (learned == LM_LEARN_TASKS) PASS(serialize_tasks(serializer, n));
    PASS(serialize_names(serializer, n));
    PASS(lm_serialize_size(serializer, &by, LEMAN_SCORE_COUNT - 1));
    if (learned == LM_LEARN_TARGETS ? by != LEMAN_SCORE_MAE : by < LEMAN_SCORE_ACCURACY || by > LEMAN_SCORE_AUC)
        return lm_serializer_fail(serializer, "found a score that does not fit what the network predicts");
    PASS(lm_serialize_size(serializer, &precision, LEMAN_PRECISION_COUNT - 1));
    n->selected_by = (leman_score)by;
    n->precision = (leman_precision)precision;
    return LEMAN_OK;
}

/* Every weight under its name. When reading, the weights must be those of the program that the architecture gives. */
static leman_status serialize_weights(lm_serializer *serializer, leman_network *n)
{
    const lm_program *p = n->program;
    size_t count = p->weights.count;
    AUTO(lm_release_at) char *found = NULL;
    PASS(lm_serialize_size(serializer, &count, SIZE_MAX));
    if (count != p->weights.count)
        return lm_serializer_fail(serializer, "found %zu weight%s, expected %zu", count, lm_plural(count),
                                  p->weights.count);
    for (uint32_t i = 0; i < count; i++) {
        const lm_weight *w = lm_program_weight(p, i);
        size_t rows = w->rows, columns = w->columns;
        char *name = w->name;
        PASS(lm_serialize_text(serializer, &name));
        if (!serializer->writing) found = name;
        PASS(lm_serialize_size(serializer, &rows, SIZE_MAX));
        PASS(lm_serialize_size(serializer, &columns, SIZE_MAX));
        if (strcmp(name, w->name) || rows != w->rows || columns != w->columns)
            return lm_serializer_fail(serializer, "found weight %s of %zu by %zu, expected %s of %zu by %zu", name,
                                      rows, columns, w->name, w->rows, w->columns);
        PASS(lm_serialize_into(serializer, n->weights + w->offset, rows * columns, sizeof *n->weights));
        lm_release(found);
        found = NULL;
    }
    return LEMAN_OK;
}

/* Returns the status of making a network from what was read. A failure other than one of memory is the file's. */
static leman_status made_of_file(const lm_serializer *serializer, leman_status st)
{
    if (!st || st == LEMAN_ERROR_MEMORY || st == LEMAN_ERROR_BUDGET) return st;
    return lm_serializer_fail(serializer, "%s", serializer->ctx->message);
}

static leman_status serialize_network(lm_serializer *serializer, leman_network *n)
{
    leman_context *ctx = serializer->ctx;
    size_t precision = sizeof(lm_real);
    bool squared = n->loss == LEMAN_LOSS_L2;
    lm_encoding_options encoding = {0};
    PASS(lm_serialize_size(serializer, &precision, SIZE_MAX));
    if (precision != sizeof(lm_real))
        return lm_serializer_fail(serializer, "found numbers of %zu byte%s, expected %zu", precision,
                                  lm_plural(precision), sizeof(lm_real));
    PASS(lm_architecture_serialize(serializer, &n->architecture, &n->own_fourth_layer, &n->level));
    PASS(lm_serialize_bool(serializer, &squared));
    n->loss = squared ? LEMAN_LOSS_L2 : LEMAN_LOSS_L1;
    PASS(serialize_outputs(serializer, n));
    if (!serializer->writing) PASS(made_of_file(serializer, lm_network_normalize(ctx, n, &encoding)));
    PASS(lm_encoding_serialize(serializer, &encoding, &n->encoding));
    PASS(lm_serialize_size(serializer, &n->batch, SIZE_MAX));
    if (!n->batch) return lm_serializer_fail(serializer, "found batches of 0 graphs, expected at least one");
    PASS(serialize_epoch(serializer, &n->shape.best));
    PASS(lm_reading_serialize(serializer, &n->shape.reading));
    if (!serializer->writing) {
        const size_t left = (size_t)(serializer->end - serializer->at);
        PASS(made_of_file(serializer, lm_network_build(ctx, n)));
        if (n->program->numbers > left / sizeof(lm_real)) /* checked before memory is allocated */
            return lm_serializer_fail(serializer, "found %zu byte%s for %zu number%s of weights", left, lm_plural(left),
                                      n->program->numbers, lm_plural(n->program->numbers));
        PASS(lm_network_allocate(ctx, n));
    }
    return serialize_weights(serializer, n);
}

/* ---- The record ------------------------------------------------------------------------------ */

/* An array of doubles whose length must be `expected`. */
static leman_status serialize_reals(lm_serializer *serializer, lm_vector *reals, size_t expected, const char *what)
{
    PASS(lm_serialize_array(serializer, &reals->items, &reals->count, sizeof(double)));
    if (!serializer->writing) reals->capacity = reals->count;
    if (reals->count != expected)
        return lm_serializer_fail(serializer, "found %zu %s, expected %zu", reals->count, what, expected);
    return LEMAN_OK;
}

/* The epochs so far, and the errors of their targets. */
static leman_status serialize_epochs(lm_serializer *serializer, const leman_network *n, lm_run_record *r)
{
    size_t count = r->epochs.count;
    PASS(lm_serialize_size(serializer, &count, SIZE_MAX));
    for (size_t i = 0; i < count; i++) {
        leman_epoch epoch = {0};
        if (serializer->writing) epoch = ((const leman_epoch *)r->epochs.items)[i];
        PASS(serialize_epoch(serializer, &epoch));
        if (!serializer->writing) PASS(lm_vector_append(serializer->ctx, &r->epochs, &epoch, 1, sizeof epoch));
    }
    PASS(serialize_reals(serializer, &r->errors, count * 2 * lm_network_each(n), "errors of targets"));
    PASS(lm_serialize_size(serializer, &r->best, SIZE_MAX));
    if (r->best != SIZE_MAX && r->best >= count)
        return lm_serializer_fail(serializer, "found epoch %zu as the best of %zu", r->best + 1, count);
    return serialize_reals(serializer, &r->scores, 2 * count, "scores of epochs");
}

/* The state of the schedule. Its options are in the fingerprint, apart from the number of epochs. */
static leman_status serialize_schedule(lm_serializer *serializer, lm_run_record *r)
{
    if (!serializer->writing) r->schedule = lm_schedule_new(&r->fingerprint.options.training);
    lm_plateau *plateau = &r->schedule.plateau;
    PASS(lm_serialize_real(serializer, &plateau->rate));
    PASS(lm_serialize_real(serializer, &plateau->best));
    PASS(lm_serialize_word(serializer, &plateau->bad));
    if (!(plateau->rate > 0))
        return lm_serializer_fail(serializer, "found a learning rate of %g, expected more than 0", plateau->rate);
    return lm_serialize_word(serializer, &r->schedule.epochs);
}

/* The class weights of the caller, of which the fingerprint has the checksum. */
static leman_status serialize_class_weights(lm_serializer *serializer, lm_run_record *r)
{
    lm_vector *weights = &r->class_weight;
    PASS(lm_serialize_array(serializer, &weights->items, &weights->count, sizeof(double)));
    if (!serializer->writing) weights->capacity = weights->count;
    if (weights->count != 0 && !r->fingerprint.class_weights)
        return lm_serializer_fail(serializer, "found %zu class weight%s, expected none", weights->count,
                                  lm_plural(weights->count));
    return LEMAN_OK;
}

static leman_status serialize_record(lm_serializer *serializer, const leman_network *n, lm_run_record *r)
{
    PASS(lm_fingerprint_serialize(serializer, &r->fingerprint));
    PASS(serialize_class_weights(serializer, r));
    PASS(lm_serialize_word(serializer, &r->parts));
    PASS(lm_serialize_text(serializer, &r->data_name));
    for (size_t i = 0; i < 3; i++) PASS(lm_serialize_size(serializer, r->count + i, SIZE_MAX));
    PASS(serialize_schedule(serializer, r));
    return serialize_epochs(serializer, n, r);
}

/* ---- The optimizer --------------------------------------------------------------------------- */

/* An array in the memory of the backend. */
static leman_status serialize_numbers(lm_serializer *serializer, lm_training_run *run, lm_real *numbers, size_t count)
{
    lm_backend *backend = run->trainer->backend;
    if (serializer->writing) PASS(backend->read(backend, run->host, numbers, count * sizeof *numbers));
    PASS(lm_serialize_into(serializer, run->host, count, sizeof *numbers));
    if (!serializer->writing) PASS(backend->write(backend, numbers, run->host, count * sizeof *numbers));
    return LEMAN_OK;
}

static leman_status serialize_optimizer(lm_serializer *serializer, lm_training_run *run)
{
    const lm_program *program = run->network->program;
    const lm_executor *executor = run->trainer->executor;
    PASS(lm_serialize_word(serializer, &run->trainer->steps));
    PASS(serialize_numbers(serializer, run, executor->weights, program->numbers));
    PASS(serialize_numbers(serializer, run, executor->first, program->trainable));
    return serialize_numbers(serializer, run, executor->second, program->trainable);
}

/* ---- Files ----------------------------------------------------------------------------------- */

leman_status lm_checkpoint_write(lm_training_run *run)
{
    lm_serializer *serializer = &run->serializer;
    PASS(lm_serializer_begin(serializer, run->ctx, run->options->training.checkpoint));
    PASS(serialize_network(serializer, run->network));
    PASS(serialize_record(serializer, run->network, &run->record));
    PASS(serialize_optimizer(serializer, run));
    return lm_serializer_save(serializer, MAGIC, LM_CHECKPOINT_VERSION);
}

/* Writes a network without the optimiser. Serializing does not change what it writes. */
static leman_status write_network(lm_serializer *serializer, void *user)
{
    leman_network *network = user;
    PASS(serialize_network(serializer, network));
    return serialize_record(serializer, network, &network->record);
}

leman_status lm_network_save(const leman_network *network, lm_output *out)
{
    leman_network copy = *network;
    return lm_serializer_stream(out, MAGIC, LM_CHECKPOINT_VERSION, write_network, &copy);
}

leman_status leman_network_write(leman_context *ctx, const leman_network *network, const char *path)
{
    AUTO(lm_output_abort) lm_output out = {0};
    REQUIRE(ctx, network, path);
    PASS(lm_network_is_trained(ctx, network));
    PASS(lm_output_open(ctx, path, &out));
    PASS(lm_network_save(network, &out));
    return lm_output_commit(&out);
}

/* Reads a network. If reading fails, *out is unchanged. */
static leman_status read_network(lm_serializer *serializer, leman_network **out)
{
    AUTO(leman_network_drop) leman_network *network = NULL;
    AUTO(lm_run_record_free) lm_run_record record = {.best = SIZE_MAX};
    PASS(lm_network_new(serializer->ctx, &network));
    PASS(serialize_network(serializer, network));
    PASS(serialize_record(serializer, network, &record));
    lm_network_set_record(network, &record);
    return HAND_OVER(out, network);
}

/* Checks that the network in the file has the outputs, the precision and the score of this run. */
static leman_status check_outputs(const lm_serializer *serializer, const leman_network *n, const leman_network *found)
{
    const bool same = found->outputs == n->outputs && found->level == n->level &&
                      lm_network_learned(found) == lm_network_learned(n) &&
                      (!n->column || !memcmp(found->column, n->column, n->outputs * sizeof *n->column));
    if (!same) return lm_serializer_fail(serializer, "was trained for other targets");
    const leman_attribute_use use = n->architecture.attributes, other = found->architecture.attributes;
    if (use != other)
        return lm_serializer_fail(serializer, "was trained with attributes: %s, expected %s",
                                  leman_attribute_use_name(other), leman_attribute_use_name(use));
    char own[LM_ENCODINGS_TEXT], read[LM_ENCODINGS_TEXT];
    leman_architecture_encodings(&n->architecture, own, sizeof own);
    leman_architecture_encodings(&found->architecture, read, sizeof read);
    if (strcmp(own, read))
        return lm_serializer_fail(serializer, "was trained with encodings of pairs: %s, expected %s", read, own);
    if (n->architecture.components != found->architecture.components)
        return lm_serializer_fail(serializer, "was trained on another set of tuples");
    if (found->precision != n->precision)
        return lm_serializer_fail(serializer, "was trained in %s, expected %s", leman_precision_name(found->precision),
                                  leman_precision_name(n->precision));
    if (found->selected_by == n->selected_by) return LEMAN_OK;
    return lm_serializer_fail(serializer, "was trained with the score %s, expected %s",
                              leman_score_name(found->selected_by), leman_score_name(n->selected_by));
}

/* Checks that a cosine extends over as many epochs as that of the run in the file. */
static leman_status check_cosine(const lm_serializer *serializer, const lm_schedule *found, const lm_schedule *own)
{
    if (own->kind != LEMAN_SCHEDULE_COSINE || found->epochs == own->epochs) return LEMAN_OK;
    return lm_serializer_fail(serializer, "was trained with a cosine over %llu epoch%s, expected one over %llu",
                              (unsigned long long)found->epochs, lm_plural(found->epochs),
                              (unsigned long long)own->epochs);
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
    TRY(lm_fingerprint_compare(&serializer, &found->record.fingerprint, &run->record.fingerprint));
    if (found->record.parts != run->record.parts)
        TRY(lm_serializer_fail(&serializer, "was trained on other parts of the data"));
    TRY(check_cosine(&serializer, &found->record.schedule, &run->record.schedule));
    TRY(serialize_optimizer(&serializer, run));
    TRY(lm_serializer_end(&serializer));
    const size_t numbers = network->program->numbers, limit = run->options->training.epochs;
    const size_t epochs = found->record.epochs.count;
    if (epochs > limit) /* the best epoch may be after the limit */
        TRY(lm_serializer_fail(&serializer, "found %zu epoch%s, expected at most the %zu that %s asked for", epochs,
                               lm_plural(epochs), limit, lm_plural_of(limit, "is", "are")));
    if (found->program->numbers != numbers) /* the file contradicts itself: the fingerprints were equal */
        TRY(lm_serializer_fail(&serializer, "found a network of %zu number%s, expected %zu", found->program->numbers,
                               lm_plural(found->program->numbers), numbers));
    memcpy(network->weights, found->weights, numbers * sizeof *network->weights);
    network->shape.best = found->shape.best;
    lm_run_record *own = &run->record, *read = &found->record;
    own->schedule.plateau = read->schedule.plateau; /* the other members follow from the options */
    own->best = read->best;
    own->epochs = read->epochs;
    own->scores = read->scores;
    own->errors = read->errors;
    read->epochs = read->scores = read->errors = (lm_vector){0};
    run->resumed = epochs;
done:
    leman_network_free(found);
    return lm_serializer_finish(&serializer, st);
}

leman_status lm_checkpoint_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_network **out)
{
    lm_serializer serializer = {0};
    leman_status st = lm_serializer_parse(&serializer, ctx, path, bytes, MAGIC, LM_CHECKPOINT_VERSION, "a checkpoint");
    if (!st) st = read_network(&serializer, out);
    return lm_serializer_finish(&serializer, st);
}

/* An export is a zip, of which one member is the file of the network. */
leman_status leman_network_read(leman_context *ctx, const char *path, leman_network **network)
{
    AUTO(lm_bytes_close) lm_bytes bytes = {0};
    AUTO(lm_archive_close) lm_archive zip = {0};
    AUTO(lm_bytes_close) lm_bytes member = {0};
    bool found = false;
    REQUIRE(ctx, path, network);
    PASS(lm_bytes_open(ctx, path, UINT64_MAX, &bytes));
    if (!lm_path_ends(path, ".npz")) return lm_checkpoint_parse(ctx, path, bytes, network);
    PASS(lm_archive_open_zip(ctx, path, &bytes, UINT64_MAX, &zip));
    PASS(lm_archive_read(&zip, LM_EXPORTED_NETWORK, &member, &found));
    if (found) return lm_checkpoint_parse(ctx, path, member, network);
    return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found no " LM_EXPORTED_NETWORK ", expected an exported network", path);
}
