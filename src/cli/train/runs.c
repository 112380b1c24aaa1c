/* leman train --runs: trains the same network from several random starts on the same parts. */
#include "cli/options/files.h"
#include "cli/train/train.h"
#include <math.h>

/* ---- The log of each run --------------------------------------------------------------------- */

/* Makes the path of the file of a run. */
static leman_status own_path(leman_context *ctx, const char *path, size_t run, char **out)
{
    const size_t size = leman_runs_path(path, run, NULL, 0) + 1;
    PASS_SCRATCH(ctx, *out, size);
    leman_runs_path(path, run, *out, size);
    return LEMAN_OK;
}

/* Adds the files of all runs to the files of the command line, so that none of them overwrites another. */
static leman_status name_files(lm_work *work, const lm_train_options *o)
{
    const char *const path[] = {o->checkpoint, o->log}, *const option[] = {"--checkpoint", "--log"};
    char *own;
    for (size_t i = 0; i < (size_t)o->runs; i++)
        for (size_t j = 0; j < 2; j++) {
            if (!path[j]) continue;
            PASS(own_path(work->ctx, path[j], i, &own));
            PASS(lm_files_add(work, option[j], own));
        }
    return LEMAN_OK;
}

leman_status lm_train_run_log(leman_context *ctx, const leman_history *history, const char *path)
{
    char *own;
    PASS(own_path(ctx, path, history->run, &own));
    return lm_train_log(ctx, history, own);
}

leman_status lm_train_runs(lm_work *work, const lm_train_options *o, lm_train_result *r)
{
    leman_context *ctx = work->ctx;
    PASS(name_files(work, o));
    PASS(leman_train_runs(ctx, r->data, r->parts, &r->architecture, &r->training, (size_t)o->runs, &r->network,
                          &r->runs));
    r->history = r->runs->history[r->runs->best];
    for (size_t i = 0; o->log && i < r->runs->runs; i++) PASS(lm_train_run_log(ctx, r->runs->history[i], o->log));
    return LEMAN_OK;
}

/* ---- What they have in common ---------------------------------------------------------------- */

void lm_train_runs_json(lm_json *json, json_t *object, const leman_runs *r)
{
    LM_PUT(json, object, KEY("score", r->classes ? "accuracy" : "mean absolute error"), MEMBER(r, test_mean),
           MEMBER(r, test_std), MEMBER(r, val_mean), MEMBER(r, val_std), KEY("test_score_mean", r->score_mean),
           KEY("test_score_std", r->score_std), KEY("test_standardised_mae_mean", r->mae_mean),
           KEY("test_standardised_mae_std", r->mae_std), KEY("test_log_mae_mean", r->log_mae_mean),
           KEY("test_log_mae_std", r->log_mae_std), MEMBER(r->history[r->best], run), MEMBER(r, finished));
    json_t *list = lm_json_array(json, object, "runs");
    for (size_t i = 0; i < r->runs; i++) {
        const leman_history *h = r->history[i];
        double seconds = 0;
        json_t *row = lm_json_object(json, list, NULL);
        for (size_t e = 0; e < h->epochs; e++) seconds += h->epoch[e].seconds;
        LM_PUT(json, row, MEMBER(h, run));
        lm_history_json(json, row, h);
        LM_PUT(json, row, KEY("seconds", seconds));
    }
}

static void mean_text(lm_output *out, const leman_runs *r, const char *part, double mean, double deviation)
{
    const int digits = r->classes ? 1 : LM_SIGNIFICANT;
    lm_output_printf(out, "%s %s %s", part, r->classes ? "accuracy" : "error", SCORE_TEXT(mean, digits));
    if (!isnan(deviation)) lm_output_printf(out, " +- %s", SCORE_TEXT(deviation, digits));
    if (r->classes) lm_output_printf(out, " %%");
}

void lm_train_runs_text(lm_output *out, const leman_runs *r)
{
    lm_output_printf(out, "%zu run%s: ", r->runs, lm_plural(r->runs));
    mean_text(out, r, "validation", r->val_mean, r->val_std);
    if (!isnan(r->test_mean)) {
        lm_output_printf(out, ", ");
        mean_text(out, r, "test", r->test_mean, r->test_std);
    }
    if (r->finished) lm_output_printf(out, "; %zu finished before", r->finished);
    lm_output_printf(out, "\n");
}
