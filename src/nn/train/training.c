/* leman_train(): epochs of training, validation and testing, until the rate has become small; run.h has the state. */
#include "base/random.h"
#include "nn/train/run.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* ---- Options --------------------------------------------------------------------------------- */

leman_training leman_training_default(const leman_architecture *architecture)
{
    leman_training training = {
        .architecture = *architecture, .epochs = 1000, .batch = 64, .rate = 1e-3, .patience = 5, .normalize = true};
    switch (architecture->preset) {
    case LEMAN_PRESET_ZINC:
        training.batch = 25;
        training.epochs = 500;
        training.normalize = false;
        break;
    case LEMAN_PRESET_TU:
        training.rate = 1e-2;
        training.epochs = 200;
        break;
    default: break;
    }
    return training;
}

static leman_status check(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                          const leman_training *o)
{
    const size_t graphs = leman_dataset_shape(data)->graphs;
    if (o->cuda) return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "this build has no CUDA backend; train on the cpu");
    if (!o->batch) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "batches of 0 graphs, expected at least 1");
    if (!(o->rate > 0 && o->rate <= 1e3))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "a rate of %g, expected more than 0 and at most 1000", o->rate);
    if (!(o->decay >= 0 && isfinite(o->decay) && o->clip >= 0 && isfinite(o->clip)))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "decay %g and clipping at %g, expected at least 0", o->decay,
                       o->clip);
    if (!parts->count[LM_TRAIN_PART] || !parts->count[LM_VAL_PART])
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%zu graphs to train and %zu to validate, expected at least 1 each",
                       parts->count[LM_TRAIN_PART], parts->count[LM_VAL_PART]);
    const size_t listed = parts->count[0] + parts->count[1] + parts->count[2];
    for (size_t i = 0; i < listed; i++)
        if (parts->graph[i] >= graphs)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "graph %u: expected a number below %zu", parts->graph[i], graphs);
    return LEMAN_OK;
}

/* ---- Epochs ---------------------------------------------------------------------------------- */

static size_t batches_of(const lm_training_run *run, lm_data_part part)
{
    return (run->parts->count[part] + run->training->batch - 1) / run->training->batch;
}

static bool is_best(const lm_training_run *run, double error)
{
    if (run->best == SIZE_MAX) return isfinite(error);
    const double min = ((const leman_epoch *)run->epochs.items)[run->best].val_error;
    return run->training->strictly ? error < min : error <= min;
}

/* From the units that are learned to those of the data. */
static void rescale(const lm_scale *scale, double *error)
{
    for (size_t t = 0; scale->applied && t < scale->count; t++) error[t] *= scale->deviation[t];
}

static leman_status run_epoch(lm_training_run *run)
{
    leman_status st = LEMAN_OK;
    leman_network *network = run->network;
    const size_t targets = network->scale.count;
    lm_trainer *trainer = run->trainer;
    leman_epoch epoch = {.epoch = run->epochs.count + 1, .rate = run->plateau.rate, .test_error = NAN};
    const double began = lm_now();
    double *errors;
    TRY(lm_vector_reserve(run->ctx, &run->epochs, 1, sizeof epoch));
    TRY(lm_vector_reserve(run->ctx, &run->errors, 2 * targets + 1, sizeof *errors)); /* with room, also for none */
    errors = (double *)run->errors.items + run->errors.count;
    for (size_t i = 0; i < 2 * targets; i++) errors[i] = NAN;
    TRY(lm_trainer_epoch(trainer, epoch.epoch, epoch.rate, &epoch.train_loss));
    TRY(lm_trainer_measure(trainer, LM_VAL_PART, &epoch.val_error, errors));
    const bool best = is_best(run, epoch.val_error);
    if (best) {
        TRY(lm_trainer_measure(trainer, LM_TEST_PART, &epoch.test_error, errors + targets));
        lm_executor_weights_read(trainer->network, network->weights);
    }
    rescale(&network->scale, errors);
    rescale(&network->scale, errors + targets);
    lm_plateau_step(&run->plateau, run->training->on_accuracy ? 100 - epoch.val_error : epoch.val_error);
    epoch.seconds = lm_now() - began;
    if (best) {
        run->best = run->epochs.count;
        network->best = epoch;
    }
    ((leman_epoch *)run->epochs.items)[run->epochs.count++] = epoch;
    run->errors.count += 2 * targets;
done:
    return st;
}

/* Was the last epoch the last? */
static bool ended(const lm_training_run *run)
{
    const leman_epoch *epoch = run->epochs.items;
    return run->epochs.count && lm_plateau_ends(epoch[run->epochs.count - 1].rate);
}

/* The run so far; everything in it is the run's. */
static leman_history view(const lm_training_run *run)
{
    const lm_scale *scale = &run->network->scale;
    const lm_executor_size *size = &run->trainer->size;
    return (leman_history){.epochs = run->epochs.count,
                           .epoch = run->epochs.items,
                           .best = run->best,
                           .resumed = run->resumed,
                           .converged = ended(run),
                           .targets = scale->count,
                           .target_error = run->errors.items,
                           .mean = scale->mean,
                           .deviation = scale->deviation,
                           .weight_bytes = size->weight_bytes,
                           .activation_bytes = size->activation_bytes + size->workspace_bytes};
}

static leman_status run_epochs(lm_training_run *run)
{
    leman_status st = LEMAN_OK;
    const leman_training *training = run->training;
    const size_t each = batches_of(run, LM_TRAIN_PART) + batches_of(run, LM_VAL_PART) + batches_of(run, LM_TEST_PART);
    const size_t before = run->epochs.count, epochs = training->epochs > before ? training->epochs - before : 0;
    bool goes_on = true;
    lm_progress_begin(run->ctx, lm_saturating_multiply(each, epochs), "epoch %zu of %zu", before + 1, training->epochs);
    while (goes_on && run->epochs.count < training->epochs && !ended(run)) {
        run->trainer->done = each * (run->epochs.count - before);
        TRY(run_epoch(run));
        const leman_epoch *epoch = (const leman_epoch *)run->epochs.items + run->epochs.count - 1;
        if (training->checkpoint && run->best != SIZE_MAX) TRY(lm_checkpoint_write(run)); /* with something learned */
        lm_progress_rename(run->ctx, "epoch %zu of %zu, loss %.4g, error %.4g, rate %.3g", run->epochs.count + 1,
                           training->epochs, epoch->train_loss, epoch->val_error, run->plateau.rate);
        const leman_history so_far = view(run);
        if (training->each) goes_on = training->each(training->user, &so_far);
    }
    if (training->epochs && run->best == SIZE_MAX)
        FAIL(run->ctx, LEMAN_ERROR_INPUT, "no epoch gave a finite validation error; a lower rate may help");
done:
    return st;
}

/* ---- The run --------------------------------------------------------------------------------- */

static void tell_sizes(const lm_training_run *run)
{
    const lm_executor_size *size = &run->trainer->size;
    const leman_network *network = run->network;
    lm_log(run->ctx,
           "%s: %zu parameters, %zu types; weights, gradients and moments take %.1f MiB, the largest batch %.1f MiB",
           leman_network_kind_name(network->architecture.kind), size->parameters, network->encoding->widths.types,
           (double)size->weight_bytes / 0x1p20, (double)(size->activation_bytes + size->workspace_bytes) / 0x1p20);
}

/* Goes on from the checkpoint if that is wanted. Can it be written? An epoch is a long time to wait for a no. */
static leman_status begin_checkpoint(lm_training_run *run)
{
    leman_status st = LEMAN_OK;
    const leman_training *o = run->training;
    const bool there = !access(o->checkpoint, F_OK);
    TRY(lm_output_check(run->ctx, o->checkpoint));
    if (there && o->resume) TRY(lm_checkpoint_resume(run));
    if (there && !o->resume)
        lm_log(run->ctx, "%s: will be replaced; to resume would be to go on from it", o->checkpoint);
    if (!there && o->resume) lm_log(run->ctx, "%s: not there yet; training begins with the first epoch", o->checkpoint);
done:
    return st;
}

static leman_status begin(lm_training_run *run)
{
    leman_status st = LEMAN_OK;
    const leman_training *o = run->training;
    run->data_checksum = leman_dataset_checksum(run->data);
    TRY(lm_network_begin(run->ctx, run->data, run->parts, o, &run->network));
    const lm_trainer_options options = {.data = run->data,
                                        .parts = run->parts,
                                        .network = run->network,
                                        .epochs = o->epochs,
                                        .batch = o->batch,
                                        .decay = o->decay,
                                        .clip = o->clip,
                                        .recompute = o->recompute,
                                        .seed = lm_mix(run->ctx->settings.seed + LM_RANDOM_STEP * o->run)};
    TRY(lm_trainer_new(run->ctx, &options, &run->trainer));
    tell_sizes(run);
    if (!o->epochs) goto done;
    TRY(lm_network_allocate(run->network));
    NEW(run->ctx, run->host, run->network->program->numbers);
    if (o->checkpoint) TRY(begin_checkpoint(run));
done:
    return st;
}

/* The history as the caller's own: the run gives its lists away. */
static leman_status hand_over(lm_training_run *run, leman_history *out)
{
    leman_status st = LEMAN_OK;
    leman_history history = view(run);
    const size_t bytes = history.targets * sizeof(double);
    double *mean = NULL, *deviation = NULL;
    NEW(run->ctx, mean, history.targets);
    NEW(run->ctx, deviation, history.targets);
    if (bytes) {
        memcpy(mean, history.mean, bytes);
        memcpy(deviation, history.deviation, bytes);
    }
    history.mean = mean;
    history.deviation = deviation;
    run->epochs = run->errors = (lm_vector){0};
    *out = history;
done:
    if (st) lm_free(run->ctx, mean);
    return st;
}

leman_status leman_train(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                         const leman_training *training, leman_network **network, leman_history *history)
{
    leman_status st = LEMAN_OK;
    lm_training_run run = {.ctx = ctx, .data = data, .parts = parts, .training = training, .best = SIZE_MAX};
    run.plateau = lm_plateau_new(training->rate, training->patience);
    TRY(check(ctx, data, parts, training));
    TRY(begin(&run));
    TRY(run_epochs(&run));
    if (history) TRY(hand_over(&run, history));
    *network = run.network;
    run.network = NULL;
done:
    lm_trainer_free(run.trainer);
    leman_network_free(run.network);
    lm_vector_free(ctx, &run.epochs);
    lm_vector_free(ctx, &run.errors);
    lm_serializer_close(&run.serializer);
    lm_free(ctx, run.host);
    return st;
}

void leman_history_free(leman_context *ctx, leman_history *history)
{
    lm_free(ctx, history->epoch);
    lm_free(ctx, history->target_error);
    lm_free(ctx, history->mean);
    lm_free(ctx, history->deviation);
    *history = (leman_history){0};
}
