/* The epochs of a run: leman_history as an owner of its memory, its errors, and its log as CSV. O(epochs * targets). */
#include "base/arguments.h"
#include "base/context.h"
#include "base/file.h"
#include <math.h>

void leman_history_free(leman_history *history)
{
    if (!history) return;
    RELEASE(history->epoch, history->target, history->target_error, history->mean, history->deviation, history->score,
            history->task, history->task_auc, history);
}

void leman_history_standardized(const leman_history *h, size_t epoch, size_t part, double *mae, double *log_mae)
{
    const bool some = h && h->targets && epoch < h->epochs && part < 2;
    const double *error = some ? h->target_error + (2 * epoch + part) * h->targets : NULL;
    double mean = 0, log_mean = 0, known = 0;
    for (size_t t = 0; some && t < h->targets; t++) known += !isnan(error[t]);
    for (size_t t = 0; some && t < h->targets; t++) {
        if (isnan(error[t])) continue;
        mean += error[t] / h->deviation[t] / known;
        log_mean += log(error[t] / h->deviation[t]) / known;
    }
    if (mae) *mae = known > 0 ? mean : NAN;
    if (log_mae) *log_mae = known > 0 ? log_mean : NAN;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

/* Returns true if the error does not determine the score. */
static bool has_scores(const leman_history *h)
{
    return h->selected_by == LEMAN_SCORE_BALANCED || h->selected_by == LEMAN_SCORE_AUC;
}

static void write_head(const leman_history *h, lm_output *out)
{
    lm_output_printf(out, "epoch,train_loss,val_error,test_error,lr,seconds,val_loss");
    for (size_t part = 0; h->targets && part < 2; part++) {
        const char *name = part ? "test" : "val";
        lm_output_printf(out, ",%s_standardised_mae,%s_log_mae", name, name);
        for (size_t t = 0; t < h->targets; t++) lm_output_printf(out, ",%s_mae_%zu", name, h->target[t]);
    }
    if (has_scores(h))
        lm_output_printf(out, ",val_%s,test_%s", leman_score_name(h->selected_by), leman_score_name(h->selected_by));
    for (size_t part = 0; part < 2; part++)
        for (size_t t = 0; t < h->tasks; t++) lm_output_printf(out, ",%s_auc_%zu", part ? "test" : "val", h->task[t]);
    lm_output_write(out, "\n", 1);
}

/* Writes a comma and a number; an empty cell if the number does not exist. */
static void write_cell(lm_output *out, double value)
{
    lm_output_write(out, ",", 1);
    if (isfinite(value)) lm_output_real(out, value);
}

static void write_epoch(const leman_history *h, size_t e, lm_output *out)
{
    const leman_epoch *epoch = h->epoch + e;
    const double cell[] = {epoch->train_loss,    epoch->val_error, epoch->test_error,
                           epoch->learning_rate, epoch->seconds,   epoch->val_loss};
    lm_output_integer(out, (int64_t)epoch->epoch);
    for (size_t i = 0; i < sizeof cell / sizeof *cell; i++) write_cell(out, cell[i]);
    for (size_t part = 0; h->targets && part < 2; part++) {
        double mae, log_mae;
        leman_history_standardized(h, e, part, &mae, &log_mae);
        write_cell(out, mae);
        write_cell(out, log_mae);
        for (size_t t = 0; t < h->targets; t++) write_cell(out, h->target_error[(2 * e + part) * h->targets + t]);
    }
    for (size_t part = 0; has_scores(h) && part < 2; part++) write_cell(out, h->score[2 * e + part]);
    for (size_t i = 0; i < 2 * h->tasks; i++) write_cell(out, h->task_auc[2 * e * h->tasks + i]);
    lm_output_write(out, "\n", 1);
}

leman_status leman_history_write(leman_context *ctx, const leman_history *history, const char *path)
{
    AUTO(lm_output_abort) lm_output out = {0};
    REQUIRE(ctx, history, path);
    PASS(lm_output_open(ctx, path, &out));
    write_head(history, &out);
    for (size_t e = 0; e < history->epochs; e++) write_epoch(history, e, &out);
    return lm_output_commit(&out);
}
