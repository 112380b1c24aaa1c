/*
 * leman_train_runs(): repeats a training with different random weights and orders. A run is identified by its number
 * alone, so its checkpoint is all that a later call needs: a run that has ended is read, not repeated.
 *
 * Time: that of all runs. Memory: that of one run, and the best network so far.
 */
#include "base/arguments.h"
#include "base/context.h"
#include "base/drop.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/ranks/ranks.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

size_t leman_runs_path(const char *path, size_t run, char *text, size_t size)
{
    const char *whole = path ? path : "", *name = lm_path_base(whole);
    const char *dot = *name ? strrchr(name + 1, '.') : NULL; /* a leading dot hides a file and starts no extension */
    const size_t stem = dot ? (size_t)(dot - whole) : strlen(whole);
    char nothing[1];
    const int length =
        snprintf(text ? text : nothing, text ? size : 0, "%.*s.run%zu%s", (int)stem, whole, run, dot ? dot : "");
    return length < 0 ? 0 : (size_t)length;
}

/* ---- Means ----------------------------------------------------------------------------------- */

static bool learns_targets(const leman_history *h)
{
    return h->targets != 0;
}

enum { VALUES = 5 };

/* Sets value[] to the results of the best epoch: of validation and test, the score and both standardised errors of the
 * test part. */
static void values_of(const leman_history *h, double value[VALUES])
{
    const leman_epoch *best = h->epoch + h->best;
    value[0] = learns_targets(h) ? best->val_error : 100 - best->val_error;
    value[1] = learns_targets(h) ? best->test_error : 100 - best->test_error;
    value[2] = h->score[2 * h->best + 1];
    leman_history_standardized(h, h->best, 1, value + 3, value + 4);
}

static void summarize(leman_runs *r)
{
    double *const mean[VALUES] = {&r->val_mean, &r->test_mean, &r->score_mean, &r->mae_mean, &r->log_mae_mean};
    double *const deviation[VALUES] = {&r->val_std, &r->test_std, &r->score_std, &r->mae_std, &r->log_mae_std};
    const double count = (double)r->runs;
    r->classes = !learns_targets(r->history[0]);
    for (size_t v = 0; v < VALUES; v++) {
        double value[VALUES], sum = 0, squares = 0;
        for (size_t i = 0; i < r->runs; i++) {
            values_of(r->history[i], value);
            sum += value[v];
        }
        *mean[v] = sum / count;
        for (size_t i = 0; i < r->runs; i++) {
            values_of(r->history[i], value);
            squares += pow(value[v] - *mean[v], 2);
        }
        *deviation[v] = r->runs > 1 ? sqrt(squares / count) : NAN;
    }
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* Sets *out to the path of the file of one run. */
static leman_status path_of_run(leman_context *ctx, const char *path, size_t run, char **out)
{
    const size_t size = leman_runs_path(path, run, NULL, 0) + 1;
    PASS_NEW(ctx, *out, size);
    leman_runs_path(path, run, *out, size);
    return LEMAN_OK;
}

/* Returns true if history[i] has a better validation result than the best run so far, by the score that selects
 * epochs. */
static bool is_better(const leman_runs *r, size_t i)
{
    const leman_history *own = r->history[i], *other = r->history[r->best];
    const double mine = own->score[2 * own->best], best = other->score[2 * other->best];
    return learns_targets(own) ? mine < best : mine > best;
}

/* One run, which counts if it has an epoch, also if it was cancelled. */
static leman_status train_one(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                              const leman_architecture *architecture, const leman_training *training, leman_runs *r,
                              leman_network **best)
{
    leman_training own = *training;
    AUTO(leman_network_drop) leman_network *network = NULL;
    const size_t index = r->runs;
    AUTO(lm_release_at) char *path = NULL;
    own.run += index;
    if (training->checkpoint) PASS(path_of_run(ctx, training->checkpoint, own.run, &path));
    own.checkpoint = path;
    const leman_status st = leman_train(ctx, data, parts, architecture, &own, &network, r->history + index);
    if (!network) return st;
    r->runs++;
    r->finished += !st && r->history[index]->resumed == r->history[index]->epochs;
    if (index && !is_better(r, index)) return st;
    r->best = index;
    leman_network_free(*best);
    (void)HAND_OVER(best, network);
    return st;
}

/* Copies the checkpoint of the best run to the common name. */
static leman_status copy_checkpoint(leman_context *ctx, const char *path, size_t run)
{
    AUTO(lm_bytes_close) lm_bytes bytes = {0};
    AUTO(lm_output_abort) lm_output out = {0};
    AUTO(lm_release_at) char *from = NULL;
    PASS(path_of_run(ctx, path, run, &from));
    PASS(lm_bytes_open(ctx, from, UINT64_MAX, &bytes));
    PASS(lm_output_open(ctx, path, &out));
    PASS(lm_output_write(&out, bytes.data, bytes.size));
    return lm_output_commit(&out);
}

/* Locks the common checkpoint file, into which the best run is copied at the end, before the first run. */
static leman_status lock_checkpoint(leman_context *ctx, const char *path, lm_lock *lock)
{
    leman_status st = LEMAN_OK;
    lm_ranks_begin(ctx);
    TRY(lm_output_check(ctx, path));
    TRY(lm_lock_begin(ctx, path, "checkpoint", lock));
done:
    return lm_ranks_end(ctx, st);
}

/* Asks the progress callback between two runs: all ranks go on, or none. */
static leman_status may_go_on(leman_context *ctx)
{
    lm_ranks_begin(ctx);
    return lm_ranks_end(ctx, lm_progress_poll(ctx));
}

leman_status leman_train_runs(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                              const leman_architecture *architecture, const leman_training *training, size_t runs,
                              leman_network **network, leman_runs **out)
{
    leman_training options;
    AUTO(leman_runs_drop) leman_runs *made = NULL;
    AUTO(leman_network_drop) leman_network *best = NULL;
    AUTO(lm_lock_end) lm_lock lock = {0};
    leman_status st = LEMAN_OK;
    REQUIRE(ctx, data, parts, network, out);
    if (!runs) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found 0 runs, expected at least 1");
    options = leman_training_default(architecture);
    PASS(lm_options_copy(ctx, "leman_training", training, &options, sizeof options));
    if (!options.epochs)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found 0 epochs, expected at least 1 for several runs");
    PASS_NEW_ZERO(ctx, made, 1);
    PASS_NEW(ctx, made->history, runs);
    PASS(lock_checkpoint(ctx, options.checkpoint, &lock));
    for (size_t i = 0; i < runs && !st; i++) {
        if (i) st = may_go_on(ctx);
        if (st) break;
        lm_log(ctx, "run %zu (%zu of %zu)", options.run + i, i + 1, runs);
        st = train_one(ctx, data, parts, architecture, &options, made, &best);
    }
    if (st && (st != LEMAN_ERROR_CANCELLED || !made->runs)) return st;
    summarize(made);
    bool (*const progress)(void *, const leman_progress *) = ctx->settings.progress;
    if (st) ctx->settings.progress = NULL; /* it would cancel the copy too */
    const leman_status copied =
        options.checkpoint ? copy_checkpoint(ctx, options.checkpoint, options.run + made->best) : LEMAN_OK;
    ctx->settings.progress = progress;
    PASS(copied);
    (void)HAND_OVER(network, best);
    (void)HAND_OVER(out, made);
    return st;
}

void leman_runs_free(leman_runs *runs)
{
    if (!runs) return;
    for (size_t i = 0; i < runs->runs; i++) leman_history_free(runs->history[i]);
    RELEASE(runs->history, runs);
}
