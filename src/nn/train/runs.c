/*
 * leman_train_runs(): repeats a training with different random weights and orders. A run is identified by its number
 * alone, so its checkpoint is all that a later call needs: a run that has ended is read, not repeated.
 *
 * Time: that of all runs. Memory: that of one run, and the best network so far.
 */
#include "base/arguments.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/owned.h"
#include "base/ranks/ranks.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

size_t leman_runs_path(const char *path, size_t run, char *text, size_t size)
{
    const char *whole = path ? path : "", *slash = strrchr(whole, '/'), *name = slash ? slash + 1 : whole;
    const char *dot = *name ? strrchr(name + 1, '.') : NULL; /* a leading dot hides a file and starts no extension */
    const size_t stem = dot ? (size_t)(dot - whole) : strlen(whole);
    char nothing[1];
    const int length =
        snprintf(text ? text : nothing, text ? size : 0, "%.*s.run%zu%s", (int)stem, whole, run, dot ? dot : "");
    return length < 0 ? 0 : (size_t)length;
}

/* The caller's on_epoch, and whether it has ended the run. */
typedef struct listener {
    bool (*on_epoch)(void *user, const leman_history *history);
    void *user;
    bool ended;
} listener;

static bool listen(void *user, const leman_history *history)
{
    listener *l = user;
    if (l->on_epoch) l->ended = !l->on_epoch(l->user, history);
    return !l->ended;
}

/* ---- Means ----------------------------------------------------------------------------------- */

typedef double value_of(const leman_history *history);

static bool learns_targets(const leman_history *h)
{
    return h->targets != 0;
}

static double score_from_error(const leman_history *h, double error)
{
    return learns_targets(h) ? error : 100 - error;
}

static double validation(const leman_history *h)
{
    return score_from_error(h, h->epoch[h->best].val_error);
}

static double test(const leman_history *h)
{
    return score_from_error(h, h->epoch[h->best].test_error);
}

static double test_score(const leman_history *h)
{
    return h->score[2 * h->best + 1];
}

static double standardized(const leman_history *h)
{
    double mae;
    leman_history_standardized(h, h->best, 1, &mae, NULL);
    return mae;
}

static double log_standardized(const leman_history *h)
{
    double log_mae;
    leman_history_standardized(h, h->best, 1, NULL, &log_mae);
    return log_mae;
}

static void mean_of(const leman_runs *r, value_of *value, double *mean, double *deviation)
{
    double sum = 0, squares = 0;
    const double count = (double)r->runs;
    for (size_t i = 0; i < r->runs; i++) sum += value(r->history[i]);
    *mean = sum / count;
    for (size_t i = 0; i < r->runs; i++) squares += pow(value(r->history[i]) - *mean, 2);
    *deviation = r->runs > 1 ? sqrt(squares / count) : NAN;
}

static void summarize(leman_runs *r)
{
    r->classes = !learns_targets(r->history[0]);
    mean_of(r, validation, &r->val_mean, &r->val_std);
    mean_of(r, test, &r->test_mean, &r->test_std);
    mean_of(r, test_score, &r->score_mean, &r->score_std);
    mean_of(r, standardized, &r->mae_mean, &r->mae_std);
    mean_of(r, log_standardized, &r->log_mae_mean, &r->log_mae_std);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* Returns true if history[i] has a better validation result than the best run so far, by the score that selects
 * epochs. */
static bool is_better(const leman_runs *r, size_t i)
{
    const leman_history *own = r->history[i], *other = r->history[r->best];
    const double mine = own->score[2 * own->best], best = other->score[2 * other->best];
    return learns_targets(own) ? mine < best : mine > best;
}

static leman_status train_one(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                              const leman_architecture *architecture, const leman_training *training, leman_runs *r,
                              leman_network **best, bool *ended)
{
    leman_status st = LEMAN_OK;
    leman_training own = *training;
    leman_network *network = NULL;
    leman_history *history = NULL;
    listener l = {.on_epoch = training->on_epoch, .user = training->user};
    const size_t index = r->runs;
    char *path = NULL;
    own.run += index;
    own.on_epoch = listen;
    own.user = &l;
    if (training->checkpoint) {
        const size_t size = leman_runs_path(training->checkpoint, own.run, NULL, 0) + 1;
        NEW(ctx, path, size);
        leman_runs_path(training->checkpoint, own.run, path, size);
        own.checkpoint = path;
    }
    TRY(leman_train(ctx, data, parts, architecture, &own, &network, &history));
    r->history[r->runs++] = history;
    r->finished += history->resumed == history->epochs;
    if (index && !is_better(r, index)) goto done;
    r->best = index;
    leman_network_free(*best);
    *best = network;
    network = NULL;
done:
    *ended = l.ended;
    leman_network_free(network);
    lm_free(ctx, path);
    return st;
}

/* Copies the checkpoint of the best run to the common name. */
static leman_status copy_checkpoint(leman_context *ctx, const char *path, size_t run)
{
    leman_status st = LEMAN_OK;
    lm_bytes bytes = {0};
    lm_output out = {0};
    char *from = NULL;
    const size_t size = leman_runs_path(path, run, NULL, 0) + 1;
    NEW(ctx, from, size);
    leman_runs_path(path, run, from, size);
    TRY(lm_bytes_open(ctx, from, UINT64_MAX, &bytes));
    TRY(lm_output_open(ctx, path, &out));
    TRY(lm_output_write(&out, bytes.data, bytes.size));
    TRY(lm_output_commit(&out));
done:
    lm_output_abort(&out);
    lm_bytes_close(ctx, &bytes);
    lm_free(ctx, from);
    return st;
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

leman_status leman_train_runs(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                              const leman_architecture *architecture, const leman_training *training, size_t runs,
                              leman_network **network, leman_runs **out)
{
    leman_status st = LEMAN_OK;
    leman_training options;
    leman_runs *made = NULL;
    leman_network *best = NULL;
    lm_lock lock = {0};
    bool ended = false;
    REQUIRE(ctx, data);
    REQUIRE(ctx, parts);
    REQUIRE(ctx, network);
    REQUIRE(ctx, out);
    if (!runs) FAIL(ctx, LEMAN_ERROR_ARGUMENT, "found 0 runs, expected at least 1");
    options = leman_training_default(architecture);
    TRY(lm_options_copy(ctx, "leman_training", training, &options, sizeof options));
    if (!options.epochs) FAIL(ctx, LEMAN_ERROR_ARGUMENT, "found 0 epochs, expected at least 1 for several runs");
    OWNED(ctx, made);
    NEW(ctx, made->history, runs);
    TRY(lock_checkpoint(ctx, options.checkpoint, &lock));
    for (size_t i = 0; i < runs && !ended; i++) {
        lm_log(ctx, "run %zu (%zu of %zu)", options.run + i, i + 1, runs);
        TRY(train_one(ctx, data, parts, architecture, &options, made, &best, &ended));
    }
    summarize(made);
    if (options.checkpoint) TRY(copy_checkpoint(ctx, options.checkpoint, options.run + made->best));
    *network = best;
    *out = made;
    best = NULL;
    made = NULL;
done:
    lm_lock_end(&lock);
    leman_network_free(best);
    leman_runs_free(made);
    return st;
}

void leman_runs_free(leman_runs *runs)
{
    if (!runs) return;
    for (size_t i = 0; i < runs->runs; i++) leman_history_free(runs->history[i]);
    lm_owned_release(runs, runs->history);
    lm_owned_free(runs);
}
