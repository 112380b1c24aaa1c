/* leman_train(): epochs of training, validation and testing until the learning rate is small; run.h has the state. */
#include "base/arguments.h"
#include "base/context.h"
#include "base/drop.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/ranks/rank_threads.h"
#include "graph/same_work.h"
#include "nn/backends.h"
#include "nn/train/run.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Options --------------------------------------------------------------------------------- */

static const char *const SCHEDULES[] = {
    [LEMAN_SCHEDULE_PLATEAU] = "plateau", [LEMAN_SCHEDULE_COSINE] = "cosine", [LEMAN_SCHEDULE_CONSTANT] = "constant"};
static const char *const LOSSES[] = {[LEMAN_LOSS_L1] = "l1", [LEMAN_LOSS_L2] = "l2"};

LM_ENUM(leman_loss, loss, "loss", LOSSES, , LEMAN_LOSS_COUNT)
LM_ENUM(leman_schedule, schedule, "schedule", SCHEDULES, , LEMAN_SCHEDULE_COUNT)

LM_OPTIONS(leman_paper_details, details, 0)

void leman_training_init(leman_training *training, size_t size, const leman_architecture *architecture)
{
#define NUMBER(member, kind, value, low, high, resumes, words, option, argument, help) .member = (value),
    leman_training defaults = {LEMAN_TRAINING_NUMBERS(NUMBER).scale_targets = true};
#undef NUMBER
    leman_architecture known = leman_architecture_default(); /* kept if the given one has a wrong size */
    (void)lm_options_copy(NULL, "leman_architecture", architecture, &known, sizeof known);
    lm_model_training(&known, &defaults);
    lm_options_init(training, size, &defaults, sizeof defaults);
}

leman_status lm_training_options_copy(leman_context *ctx, const leman_architecture *architecture,
                                      const leman_training *training, lm_training_options *out)
{
    lm_training_options o = {.architecture = leman_architecture_default(), .details = leman_paper_details_default()};
    PASS(lm_options_copy(ctx, "leman_architecture", architecture, &o.architecture, sizeof o.architecture));
    REQUIRE_ENUM(ctx, o.architecture.kind, LEMAN_NETWORK_KIND_COUNT - 1);
    REQUIRE_ENUM(ctx, o.architecture.preset, LEMAN_PRESET_COUNT - 1);
    REQUIRE_ENUM(ctx, o.architecture.attributes, LEMAN_ATTRIBUTE_USE_COUNT - 1);
    o.training = leman_training_default(&o.architecture);
    PASS(lm_options_copy(ctx, "leman_training", training, &o.training, sizeof o.training));
    REQUIRE_ENUM(ctx, o.training.loss, LEMAN_LOSS_COUNT - 1);
    REQUIRE_ENUM(ctx, o.training.device, LEMAN_DEVICE_COUNT - 1);
    REQUIRE_ENUM(ctx, o.training.score, LEMAN_SCORE_COUNT - 1);
    REQUIRE_ENUM(ctx, o.training.schedule, LEMAN_SCHEDULE_COUNT - 1);
    REQUIRE_ENUM(ctx, o.training.level, LEMAN_LEVEL_COUNT - 1);
    if (o.training.tasks && (o.training.targets || o.training.classes))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found several tasks and %s, expected one of them",
                       o.training.classes ? "classes" : "targets");
    if (o.training.level && (o.training.tasks || o.training.classes))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found %s of the level %s, expected targets",
                       o.training.classes ? "classes" : "several tasks", leman_level_name(o.training.level));
    PASS(lm_options_copy(ctx, "leman_paper_details", o.training.details, &o.details, sizeof o.details));
    *out = o;
    return LEMAN_OK;
}

/* Replaces AUTO by the score that corresponds to the error, and checks that the score exists for what is learned. */
static leman_status check_score(leman_context *ctx, lm_learned learned, leman_score *score)
{
    if (learned == LM_LEARN_TARGETS && *score != LEMAN_SCORE_AUTO && *score != LEMAN_SCORE_MAE)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "score: found %s, expected mae, as networks learn targets",
                       leman_score_name(*score));
    return lm_score_resolve(ctx, learned == LM_LEARN_TARGETS, score);
}

static leman_status check_parts(leman_context *ctx, const leman_dataset *data, const leman_parts *parts)
{
    const size_t graphs = leman_dataset_shape(data)->graphs;
    if (!parts->count[LM_TRAIN_PART] || !parts->count[LM_VAL_PART])
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "found %zu graph%s to train and %zu to validate, expected at least 1 each",
                       parts->count[LM_TRAIN_PART], lm_plural(parts->count[LM_TRAIN_PART]), parts->count[LM_VAL_PART]);
    const size_t listed = parts->count[0] + parts->count[1] + parts->count[2];
    for (size_t i = 0; i < listed; i++)
        if (parts->graph[i] >= graphs)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "graph %u: expected a number below %zu", parts->graph[i], graphs);
    return LEMAN_OK;
}

/* ---- Epochs ---------------------------------------------------------------------------------- */

static size_t batches_of(const lm_training_run *run, lm_data_part part)
{
    return (run->parts->count[part] + run->options->training.batch_size - 1) / run->options->training.batch_size;
}

/* The value that the best epoch minimises, from the error and the score of the validation part. */
static double rank_of(const lm_training_run *run, double error, double score)
{
    const leman_score by = run->options->training.score;
    return by == LEMAN_SCORE_BALANCED || by == LEMAN_SCORE_AUC ? -score : error;
}

static bool is_best(const lm_training_run *run, const lm_measure *found)
{
    if (!isfinite(found->error)) return false;
    if (run->record.best == SIZE_MAX) return true;
    const double min = rank_of(run, ((const leman_epoch *)run->record.epochs.items)[run->record.best].val_error,
                               ((const double *)run->record.scores.items)[2 * run->record.best]),
                 own = rank_of(run, found->error, found->score);
    return run->options->details.best_must_improve ? own < min : own <= min;
}

/* Converts errors from the units that are learned to those of the data. */
static void rescale(const lm_scale *scale, double *error)
{
    for (size_t t = 0; scale->applied && t < scale->count; t++) error[t] *= scale->deviation[t];
}

/* Keeps the predictions for the test graphs, which were measured last. */
static void keep_tested(const lm_training_run *run)
{
    const leman_network *n = run->network;
    const size_t count = run->trainer->row_parts->count[LM_TEST_PART];
    const lm_real *output = run->trainer->predicted;
    double *to = run->tested;
    for (size_t i = 0; to && i < count; i++, output += n->outputs) {
        size_t largest = 0;
        for (size_t o = 0; o < n->outputs; o++) {
            if (output[o] > output[largest]) largest = o;
            if (!n->class_label) *to++ = n->task_label ? output[o] > 0 : lm_scale_out(&n->scale, o, (double)output[o]);
        }
        if (n->class_label) *to++ = (double)largest;
    }
}

static leman_status run_epoch(lm_training_run *run)
{
    leman_network *network = run->network;
    const size_t each = lm_network_each(network);
    lm_trainer *trainer = run->trainer;
    const uint64_t number = run->record.epochs.count + 1;
    leman_epoch epoch = {.epoch = number, .learning_rate = lm_schedule_rate(&run->record.schedule, number)};
    lm_measure val, test = {NAN, NAN, NAN};
    const double began = lm_now();
    double *errors;
    PASS(lm_vector_reserve(run->ctx, &run->record.epochs, 1, sizeof epoch));
    PASS(lm_vector_reserve(run->ctx, &run->record.scores, 2, sizeof *errors));
    PASS(lm_vector_reserve(run->ctx, &run->record.errors, 2 * each + 1,
                           sizeof *errors)); /* allocates also if there are none */
    errors = (double *)run->record.errors.items + run->record.errors.count;
    for (size_t i = 0; i < 2 * each; i++) errors[i] = NAN;
    PASS(lm_trainer_epoch(trainer, epoch.epoch, epoch.learning_rate, &epoch.train_loss));
    PASS(lm_trainer_measure(trainer, LM_VAL_PART, &val, errors));
    const bool best = is_best(run, &val);
    if (best) {
        PASS(lm_trainer_measure(trainer, LM_TEST_PART, &test, errors + each));
        PASS(lm_executor_weights_read(trainer->executor, network->weights));
        keep_tested(run);
    }
    epoch.val_error = val.error;
    epoch.val_loss = val.loss;
    epoch.test_error = test.error;
    rescale(&network->scale, errors);
    rescale(&network->scale, errors + each);
    lm_schedule_step(&run->record.schedule, number,
                     run->options->details.plateau_on_accuracy ? 100 - epoch.val_error : epoch.val_error);
    epoch.seconds = lm_now() - began;
    if (best) {
        run->record.best = run->record.epochs.count;
        network->shape.best = epoch;
    }
    ((leman_epoch *)run->record.epochs.items)[run->record.epochs.count++] = epoch;
    ((double *)run->record.scores.items)[run->record.scores.count++] = val.score;
    ((double *)run->record.scores.items)[run->record.scores.count++] = test.score;
    run->record.errors.count += 2 * each;
    return LEMAN_OK;
}

/* Returns true if the last epoch ended the run. */
static bool converged(const lm_training_run *run)
{
    const leman_epoch *epoch = run->record.epochs.items;
    const size_t count = run->record.epochs.count;
    return count && lm_schedule_ends(&run->record.schedule, count, epoch[count - 1].learning_rate);
}

/* A view of the run so far. The run owns everything in it. */
static leman_history view(const lm_training_run *run)
{
    const leman_network *network = run->network;
    const lm_scale *scale = &network->scale;
    const lm_executor_size *size = &run->trainer->size;
    return (leman_history){.epochs = run->record.epochs.count,
                           .epoch = run->record.epochs.items,
                           .best = run->record.best,
                           .resumed = run->resumed,
                           .converged = converged(run),
                           .targets = scale->count,
                           .target = scale->count ? network->column : NULL,
                           .target_error = scale->count ? run->record.errors.items : NULL,
                           .mean = scale->mean,
                           .deviation = scale->deviation,
                           .weight_bytes = size->weight_bytes,
                           .activation_bytes = size->activation_bytes + size->workspace_bytes,
                           .selected_by = network->selected_by,
                           .score = run->record.scores.items,
                           .tasks = network->task_label ? network->outputs : 0,
                           .task = network->task_label ? network->column : NULL,
                           .task_auc = network->task_label ? run->record.errors.items : NULL,
                           .run = run->options->training.run};
}

static leman_status run_epochs(lm_training_run *run)
{
    const leman_training *training = &run->options->training;
    const size_t each = batches_of(run, LM_TRAIN_PART) + batches_of(run, LM_VAL_PART) + batches_of(run, LM_TEST_PART);
    const size_t before = run->record.epochs.count, epochs = training->epochs > before ? training->epochs - before : 0;
    uint64_t proceed = true;
    lm_progress_begin(run->ctx, lm_saturating_multiply(each, epochs), "epoch %zu of %zu", before + 1, training->epochs);
    while (proceed && run->record.epochs.count < training->epochs && !converged(run)) {
        run->trainer->batches = each * (run->record.epochs.count - before);
        PASS(run_epoch(run));
        const leman_epoch *epoch = (const leman_epoch *)run->record.epochs.items + run->record.epochs.count - 1;
        const bool writes = !run->ctx->ranks.stopped || !lm_rank(run->ctx); /* of ranks that are threads, one */
        if (training->checkpoint && run->record.best != SIZE_MAX && writes) PASS(lm_checkpoint_write(run));
        const size_t next =
            run->record.epochs.count < training->epochs ? run->record.epochs.count + 1 : run->record.epochs.count;
        lm_progress_rename(run->ctx, "epoch %zu of %zu, loss %.4g, error %.4g, rate %.3g", next, training->epochs,
                           epoch->train_loss, epoch->val_error, lm_schedule_rate(&run->record.schedule, next));
        const leman_history so_far = view(run);
        if (training->on_epoch) proceed = training->on_epoch(training->user, &so_far);
        PASS(lm_ranks_min(run->ctx, &proceed)); /* all ranks proceed, or none */
    }
    if (training->epochs && run->record.best == SIZE_MAX)
        return lm_fail(run->ctx, LEMAN_ERROR_INPUT, "no epoch gave a finite validation error; a lower rate may help");
    return LEMAN_OK;
}

/* ---- The run --------------------------------------------------------------------------------- */

static void log_sizes(const lm_training_run *run)
{
    const lm_executor_size *size = &run->trainer->size;
    const leman_network *network = run->network;
    const size_t count = network->shape.types;
    char name[96], types[64] = "";
    leman_architecture_paper_name(&network->architecture, name, sizeof name);
    if (count) snprintf(types, sizeof types, ", %zu type%s", count, lm_plural(count));
    lm_log(run->ctx, "%s: %zu parameter%s%s; weights, gradients and moments need %.1f MiB, the largest batch %.1f MiB",
           name, size->parameters, lm_plural(size->parameters), types, (double)size->weight_bytes / 0x1p20,
           (double)(size->activation_bytes + size->workspace_bytes) / 0x1p20);
    const size_t ranks = lm_rank_count(run->ctx), batch = run->options->training.batch_size;
    if (ranks > 1)
        lm_log(run->ctx, "%zu %s with %zu graph%s each: %zu in a step", ranks,
               run->ctx->ranks.stopped ? "devices" : "ranks", batch / ranks, lm_plural(batch / ranks), batch);
}

/* Resumes from the checkpoint if that is wanted. Fails now, not after the first epoch, if the checkpoint cannot be
 * written or if another run is writing it. */
static leman_status begin_checkpoint(lm_training_run *run)
{
    const leman_training *o = &run->options->training;
    PASS_NEW(run->ctx, run->host, run->network->program->numbers);
    PASS(lm_output_check(run->ctx, o->checkpoint));
    PASS(lm_lock_begin(run->ctx, o->checkpoint, "checkpoint", &run->lock));
    const bool there = !access(o->checkpoint, F_OK);
    if (there && o->resume) PASS(lm_checkpoint_resume(run));
    if (there && !o->resume) lm_log(run->ctx, "%s: will be replaced; nothing is resumed from it", o->checkpoint);
    if (!there && o->resume) lm_log(run->ctx, "%s: not there yet; training begins with the first epoch", o->checkpoint);
    return LEMAN_OK;
}

/* Checks that there is one class weight for each class that is learned. */
static leman_status check_class_weights(const lm_training_run *run)
{
    const leman_training *t = &run->options->training;
    const leman_network *network = run->network;
    if (!t->class_weight && !t->balanced_weights) return LEMAN_OK;
    const int64_t *label = network->task_label ? network->task_label : network->class_label;
    const size_t classes = network->task_label ? 2 : network->outputs;
    if (!label)
        return lm_fail(run->ctx, LEMAN_ERROR_ARGUMENT,
                       "found weights of classes, but targets are learned, not classes");
    if (t->class_weight && t->class_weights != classes)
        return lm_fail(run->ctx, LEMAN_ERROR_ARGUMENT,
                       "found %zu weight%s of classes, expected %zu, one for each class%s", t->class_weights,
                       lm_plural(t->class_weights), classes, network->task_label ? " of a task" : "");
    for (size_t c = 0; t->class_weight && c < classes; c++)
        if (!(t->class_weight[c] > 0 && t->class_weight[c] <= 1e100))
            return lm_fail(run->ctx, LEMAN_ERROR_ARGUMENT,
                           "found %g as the weight of class %lld, expected a number above 0 and up to 1e100",
                           t->class_weight[c], (long long)label[c]);
    return LEMAN_OK;
}

/* Sets the weights, and the order of the graphs, with which the first epoch would begin. */
static leman_status initialize(lm_training_run *run, uint64_t seed)
{
    leman_network *network = run->network;
    const size_t graphs = run->parts->count[LM_TRAIN_PART];
    PASS(lm_network_allocate(run->ctx, network));
    lm_weights_initialize(network->program, seed, network->weights);
    PASS_NEW(run->ctx, network->order, graphs);
    memcpy(network->order, lm_trainer_order(run->trainer, 1), graphs * sizeof(uint32_t));
    network->graphs = graphs;
    return LEMAN_OK;
}

/* Fills in the members of the record that are known before the first epoch. */
static leman_status begin_record(lm_training_run *run)
{
    lm_run_record *r = &run->record;
    const leman_parts *parts = run->parts;
    const char *name = leman_dataset_shape(run->data)->name;
    const size_t listed = parts->count[0] + parts->count[1] + parts->count[2];
    lm_training_options options = *run->options;
    options.architecture = run->network->architecture;
    r->fingerprint = lm_fingerprint_of(run->ctx->settings.seed, leman_dataset_checksum(run->data), &options);
    r->parts = lm_checksum(parts->graph, listed * sizeof *parts->graph, parts->count[1]);
    memcpy(r->count, parts->count, sizeof r->count);
    const leman_training *t = &options.training;
    if (t->class_weight)
        PASS(lm_vector_append(run->ctx, &r->class_weight, t->class_weight, t->class_weights, sizeof *t->class_weight));
    return lm_copy_text(run->ctx, name, strlen(name), &r->data_name);
}

static leman_status begin(lm_training_run *run)
{
    const leman_training *o = &run->options->training;
    PASS(lm_network_begin(run->ctx, run->data, run->parts, run->options, &run->network));
    PASS(begin_record(run));
    PASS(check_class_weights(run));
    const lm_trainer trainer = {.data = run->data,
                                .parts = run->parts,
                                .network = run->network,
                                .training = o,
                                .device = lm_device_wanted(run->ctx, o->device),
                                .seed = lm_mix(run->ctx->settings.seed + LM_RANDOM_STEP * o->run),
                                .planned = run->planned};
    PASS(lm_trainer_new(run->ctx, &trainer, &run->trainer));
    if (run->planned) return LEMAN_OK;
    run->network->precision = run->trainer->backend->immediate ? LEMAN_PRECISION_FP32 : run->ctx->settings.precision;
    run->network->shape.precision = run->network->precision;
    log_sizes(run);
    run->network->own = true;
    if (!o->epochs) {
        if (o->initial_weights) PASS(initialize(run, trainer.seed));
        return LEMAN_OK;
    }
    PASS(lm_network_allocate(run->ctx, run->network));
    return o->checkpoint ? begin_checkpoint(run) : LEMAN_OK;
}

/* Copies an array of the run. */
static leman_status copy(leman_context *ctx, const void *from, size_t count, size_t size, void *to)
{
    void *array = lm_alloc(ctx, count, size);
    if (!array) return lm_refusal(ctx);
    if (count) memcpy(array, from, count * size);
    memcpy(to, &array, sizeof array);
    return LEMAN_OK;
}

/* Copies the history into an object that owns its memory. */
static leman_status copy_history(const lm_training_run *run, leman_history **out)
{
    const leman_history from = view(run);
    AUTO(leman_history_drop) leman_history *to = NULL;
    PASS_NEW_ZERO(run->ctx, to, 1);
    *to = from;
    to->epoch = NULL;
    to->target = to->task = NULL;
    to->target_error = to->mean = to->deviation = to->score = to->task_auc = NULL;
    PASS(copy(run->ctx, from.target, from.targets, sizeof *from.target, &to->target));
    PASS(copy(run->ctx, from.task, from.tasks, sizeof *from.task, &to->task));
    PASS(copy(run->ctx, from.mean, from.targets, sizeof *from.mean, &to->mean));
    PASS(copy(run->ctx, from.deviation, from.targets, sizeof *from.deviation, &to->deviation));
    PASS(copy(run->ctx, from.epoch, from.epochs, sizeof *from.epoch, &to->epoch));
    PASS(copy(run->ctx, from.score, run->record.scores.count, sizeof *from.score, &to->score));
    PASS(copy(run->ctx, run->record.errors.items, run->record.errors.count, sizeof(double),
              from.tasks ? &to->task_auc : &to->target_error));
    return HAND_OVER(out, to);
}

/* What leman_training_demand() returns. */
typedef struct demand_of_run {
    uint64_t bytes, budget;
    double operations;
} demand_of_run;

/* The arguments of leman_train(), checked. */
typedef struct train_call {
    const leman_dataset *data;
    const leman_parts *parts;
    lm_training_options options;
    double *tested;
    leman_network **network;
    leman_history **history;
    demand_of_run *demand; /* NULL: training is wanted */
} train_call;

/* The training of one rank. A rank that is a thread beside that of the caller returns nothing. */
static leman_status train(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    const train_call *call = state;
    const bool returns = !ctx->ranks.stopped || !lm_rank(ctx);
    lm_training_options options = call->options;
    lm_training_run run = {
        .ctx = ctx, .data = call->data, .parts = call->parts, .options = &options, .record.best = SIZE_MAX};
    leman_history *made = NULL;
    bool whole = false; /* the network and its history can be returned */
    run.tested = returns ? call->tested : NULL;
    run.record.schedule = lm_schedule_new(&options.training);
    if (!returns) options.training.on_epoch = NULL;
    run.planned = call->demand;
    lm_ranks_begin(ctx);
    TRY(lm_ranks_same_work(ctx, lm_training_checksum(&options, run.parts), run.data, NULL));
    TRY(begin(&run));
    if (call->demand) {
        uint64_t budget = run.trainer->budget, spare = UINT64_MAX - run.trainer->needed;
        TRY(lm_ranks_min(ctx, &budget)); /* what all ranks have, and the most that one of them needs */
        TRY(lm_ranks_min(ctx, &spare));
        const double operations = lm_trainer_operations(run.trainer);
        if (returns) *call->demand = (demand_of_run){UINT64_MAX - spare, budget, operations};
        goto done;
    }
    TRY(lm_ranks_same(ctx, "another checkpoint", run.record.epochs.count)); /* for runs that resume */
    const leman_status ended = run_epochs(&run);
    if (ended != LEMAN_ERROR_CANCELLED || run.record.best == SIZE_MAX) TRY(ended);
    if (call->history && returns) TRY(copy_history(&run, &made));
    lm_network_set_record(run.network, &run.record);
    whole = true;
    st = ended;
done:
    st = lm_ranks_end(ctx, st);
    if (whole && returns && (!st || st == LEMAN_ERROR_CANCELLED)) {
        if (call->history) *call->history = made;
        *call->network = run.network;
        made = NULL;
        run.network = NULL;
    }
    leman_history_free(made);
    lm_trainer_free(run.trainer);
    leman_network_free(run.network);
    lm_run_record_free(&run.record);
    lm_serializer_close(&run.serializer);
    lm_lock_end(&run.lock);
    lm_release(run.host);
    return st;
}

leman_status leman_train(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                         const leman_architecture *architecture, const leman_training *training,
                         leman_network **network, leman_history **history)
{
    REQUIRE(ctx, data, parts, network);
    return lm_train(ctx, data, parts, architecture, training, NULL, network, history);
}

/* Checks the other arguments and trains, or computes what training needs. */
static leman_status run_call(leman_context *ctx, const leman_architecture *architecture, const leman_training *training,
                             train_call *call)
{
    lm_training_options *o = &call->options;
    const leman_dataset *data = call->data;
    const leman_parts *parts = call->parts;
    PASS(lm_training_options_copy(ctx, architecture, training, o));
    const char *device = lm_device_wanted(ctx, o->training.device);
    PASS(lm_device_check(ctx, device));
    PASS(lm_training_check(ctx, o));
    PASS(check_parts(ctx, data, parts));
    const size_t threads = lm_has_ranks(ctx) ? 1 : lm_device_ranks(device); /* one for each device of a list */
    o->training.batch_size = /* the option is the batch size of one rank */
        lm_saturating_multiply(o->training.batch_size, threads * lm_rank_count(ctx));
    const lm_learned learned = lm_learned_of(data, o);
    PASS(check_score(ctx, learned, &o->training.score));
    if (learned == LM_LEARN_TARGETS) o->details.plateau_on_accuracy = false;
    return threads > 1 ? lm_rank_threads_run(ctx, threads, train, call) : train(ctx, call);
}

leman_status lm_train(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                      const leman_architecture *architecture, const leman_training *training, double *tested,
                      leman_network **network, leman_history **history)
{
    train_call call = {.data = data, .parts = parts, .tested = tested, .network = network, .history = history};
    return run_call(ctx, architecture, training, &call);
}

leman_status leman_training_demand(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                                   const leman_architecture *architecture, const leman_training *training,
                                   uint64_t *bytes, uint64_t *budget, double *operations)
{
    demand_of_run demand = {0};
    train_call call = {.data = data, .parts = parts, .demand = &demand};
    REQUIRE(ctx, data, parts, bytes, budget, operations);
    PASS(run_call(ctx, architecture, training, &call));
    *bytes = demand.bytes;
    *budget = demand.budget;
    *operations = demand.operations;
    return LEMAN_OK;
}
