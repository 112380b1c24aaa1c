/*
 * Curves of the test predictions of two classes, of the first repetition, which tests every graph once: ROC, precision
 * and recall, calibration. Probabilities are calibrated on the other folds (leman_evaluation).
 */
#include "report/report.h"
#include <math.h>
#include <string.h>

enum { METHODS = 6 /* the most methods in a figure */ };

leman_status lm_report_judged(leman_context *ctx, const leman_evaluation *e, const int8_t *truth, lm_judged *out)
{
    const uint64_t end = e->splits->start[2 * e->splits->folds];
    double *probability;
    bool *positive;
    *out = (lm_judged){.count = 0};
    PASS_SCRATCH(ctx, probability, end + 1);
    PASS_SCRATCH(ctx, positive, end + 1);
    for (size_t f = 0; f < e->splits->folds; f++)
        for (uint64_t i = e->splits->start[2 * f]; i < e->splits->start[2 * f + 1]; i++) {
            const int8_t found = truth[e->splits->graph[i]];
            if (isnan(e->probability[i]) || found < 0) continue;
            probability[out->count] = e->probability[i];
            positive[out->count++] = found;
            out->positives += found > 0;
        }
    out->probability = probability;
    out->positive = positive;
    return LEMAN_OK;
}

leman_status lm_report_curves(const lm_report *r)
{
    lm_curve_row *row;
    size_t rows = 0;
    int8_t *truth;
    const size_t graphs = leman_dataset_shape(r->whole)->graphs;
    if (r->regression || r->groups.count != 2) return LEMAN_OK;
    PASS_SCRATCH(r->ctx, row, r->methods);
    PASS_SCRATCH(r->ctx, truth, graphs + 1);
    memset(truth, -1, graphs);
    for (size_t g = 0; g < r->shape->graphs; g++) truth[lm_report_number(r, g)] = (int8_t)r->groups.number[g];
    for (size_t i = 0; i < r->methods && rows < METHODS; i++) {
        const size_t m = r->rank[i];
        const leman_evaluation *e = r->method[m].evaluation;
        if (!e->probability) continue;
        row[rows] = (lm_curve_row){.name = r->name[m], .style = (unsigned)m};
        PASS(lm_report_judged(r->ctx, e, truth, &row[rows].judged));
        if (row[rows].judged.count) rows++;
    }
    if (!rows) return LEMAN_OK;
    const char *positive = r->groups.name[1];
    lm_page(r->out,
            "<section>\n<h2>Probabilities</h2>\n<p>Probabilities of %s for the test graphs of the first repetition; "
            "they are "
            "calibrated on the other folds.%s</p>\n<div class=\"pair\">\n",
            positive, rows < r->methods ? " The best methods that have them." : "");
    PASS(lm_figure_roc(r->ctx, r->out, row, rows));
    PASS(lm_figure_precision(r->ctx, r->out, row, rows, positive));
    PASS(lm_figure_reliability(r->ctx, r->out, row, rows, positive));
    lm_page(r->out, "</div>\n</section>\n");
    return LEMAN_OK;
}
