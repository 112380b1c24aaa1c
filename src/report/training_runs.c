/* The part of the training page about several runs: their mean, a table, and the curves of all runs. O(epochs). */
#include "report/figures.h"
#include "report/page.h"
#include "report/training_page.h"
#include <math.h>
#include <stdio.h>

void lm_training_runs_head(const lm_training_page *p, const char *name)
{
    const leman_runs *r = p->runs;
    const bool percent = lm_training_in_percent(p);
    const double mean = p->tested ? r->test_mean : r->val_mean, deviation = p->tested ? r->test_std : r->val_std;
    const char *part = lm_training_part(p);
    if (percent)
        lm_page(p->out, "Network %s: %.1f&#160;%% %s accuracy", name, mean, part);
    else
        lm_page(p->out, "Network %s: mean absolute %s error %.3g", name, part, mean);
    if (!isnan(deviation))
        lm_page(p->out, percent ? " &#177; %.1f over %zu runs" : " &#177; %.2g over %zu runs", deviation, r->runs);
    lm_page(p->out, " on %s", p->data->name);
}

/* Writes a row: the best epoch of a run, and the duration of the run. */
static void table_row(const lm_training_page *p, const leman_history *h)
{
    const leman_epoch *best = h->epoch + h->best;
    const bool percent = lm_training_in_percent(p);
    const double val = percent ? 100 - best->val_error : best->val_error,
                 test = percent ? 100 - best->test_error : best->test_error;
    double seconds = 0;
    char time[LM_NUMBER_TEXT];
    for (size_t e = 0; e < h->epochs; e++) seconds += h->epoch[e].seconds;
    lm_page(p->out, "<tr><th scope=\"row\">%zu</th><td>%zu</td><td>%llu</td>", h->run, h->epochs,
            (unsigned long long)best->epoch);
    lm_page_cell(p->out, percent ? "%.2f" : "%.4g", val);
    lm_page_cell(p->out, percent ? "%.2f" : "%.4g", test);
    lm_page(p->out, "<td>%s</td></tr>\n", lm_page_seconds(seconds, time));
}

static void table(const lm_training_page *p)
{
    lm_page_table(p->out, lm_training_in_percent(p)
                              ? "run|epochs|best epoch|validation accuracy (%)|test accuracy (%)|time"
                              : "run|epochs|best epoch|validation error|test error|time");
    for (size_t i = 0; i < p->runs->runs; i++) table_row(p, p->runs->history[i]);
    lm_page(p->out, "</tbody></table></div>\n");
}

leman_status lm_training_runs_section(const lm_training_page *p)
{
    SCRATCH_SCOPE(p->ctx);
    const size_t runs = p->runs->runs;
    lm_series *errors, *losses;
    char(*name)[32];
    double longest = 1;
    PASS_SCRATCH(p->ctx, errors, runs);
    PASS_SCRATCH(p->ctx, losses, runs);
    PASS_SCRATCH(p->ctx, name, runs);
    for (size_t i = 0; i < runs; i++) {
        const leman_history *h = p->runs->history[i];
        snprintf(name[i], sizeof name[i], "run %zu", h->run);
        errors[i] = lm_training_line(name[i], h, &h->epoch->val_error, (unsigned)i);
        losses[i] = lm_training_line(name[i], h, &h->epoch->train_loss, (unsigned)i);
        longest = fmax(longest, (double)h->epochs);
    }
    const lm_chart error_chart =
        lm_chart_new("Validation error of all runs by epoch", "A line for each run.", NULL,
                     lm_training_in_percent(p) ? "validation error (%)" : "mean absolute validation error");
    const lm_chart loss_chart =
        lm_chart_new("Training loss of all runs by epoch", "A line for each run.", NULL, "training loss");
    lm_page(p->out,
            "<section>\n<h2>Runs</h2>\n<p>%s The scores of a run are those of its best epoch in "
            "validation.</p>\n",
            runs > 1 ? "Independent random starts on the same parts." : "One random start.");
    table(p);
    lm_page(p->out, "<div class=\"pair\">\n");
    lm_training_figure(p->out, "Validation error", error_chart, errors, runs, longest, "All runs.");
    lm_training_figure(p->out, "Training loss", loss_chart, losses, runs, longest, "All runs.");
    lm_page(p->out, "</div>\n</section>\n");
    return LEMAN_OK;
}
