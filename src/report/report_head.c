/* Writes the text of a report: the headline, the properties of the data set, and how to reproduce the page. */
#include "base/text.h"
#include "learn/protocol/compare.h"
#include "report/report.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Compares the best method with the second, by the corrected resampled t-test if that is possible. */
static void compare_best(const lm_report *r)
{
    leman_comparison c;
    const char *second = r->name[r->rank[1]];
    const leman_evaluation *a = r->method[r->rank[0]].evaluation, *b = r->method[r->rank[1]].evaluation;
    if (lm_compare(r->ctx, a, b, &c) || isnan(c.p)) { /* NAN: one fold allows no test */
        r->ctx->message[0] = 0;                       /* this is not a failure */
        lm_page(r->out, " Second: %s with ", second);
        lm_page(r->out, r->regression ? "%.3g." : "%.1f\u00a0%%.", b->test_mean);
        return;
    }
    lm_page(r->out, " The difference to the second, %s, is ", second);
    lm_page(r->out, r->regression ? "%.3g, " : "%.1f percentage points, ", fabs(c.difference));
    lm_page(r->out,
            c.p < 0.05 ? "significant (corrected resampled t-test, " : "not significant (corrected resampled t-test, ");
    if (c.p < 0.001)
        lm_page(r->out, "p &lt; 0.001).");
    else
        lm_page(r->out, "p = %.*f).", c.p < 0.05 ? 3 : 2, c.p);
}

const char *lm_report_splits(const leman_splits *splits)
{
    switch (splits->kind) {
    case LEMAN_SPLIT_KIND_RANDOM: return "at random";
    case LEMAN_SPLIT_KIND_STRATIFIED: return "at random, stratified by class";
    case LEMAN_SPLIT_KIND_GROUPS:
        return "by scaffold: molecules with the same scaffold, or graphs of one group, stay together";
    case LEMAN_SPLIT_KIND_GIVEN: break;
    }
    return "with given parts";
}

/* Writes " of active": the column of the target or of the classes, which is found among the targets by its values. */
static void name_column(const lm_report *r)
{
    const size_t columns = r->shape->columns->targets;
    const int64_t *label = leman_dataset_classes(r->data);
    const double *value = leman_dataset_targets(r->data);
    size_t column = r->target, length, same = 0;
    if (!r->regression)
        for (column = 0; column < columns; column++) {
            for (same = 0; same < r->shape->graphs; same++)
                if (!(fabs(value[same * columns + column] - (double)label[same]) < 0.5)) break;
            if (same == r->shape->graphs) break;
        }
    const char *name = column < columns ? leman_dataset_target_name(r->data, column, &length) : NULL;
    char text[LM_REPORT_NAME];
    if (!name || !length) return;
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    lm_page(r->out, r->regression ? " of %s" : " for %s", text);
}

void lm_report_head(const lm_report *r)
{
    const leman_evaluation *e = r->method[r->rank[0]].evaluation;
    const char *best = r->name[r->rank[0]];
    bool again = e->splits->repetitions > 1;
    lm_page(r->out, "<header>\n<p class=\"kicker\">Leman &#183; evaluation report</p>\n<h1>");
    if (r->regression)
        lm_page(r->out, "%s: mean absolute error %.3g", best, e->test_mean);
    else
        lm_page(r->out, "%s: %.1f&#160;%% test accuracy", best, e->test_mean);
    name_column(r);
    lm_page(r->out, " on %s</h1>\n<p class=\"lead\">", r->shape->name);
    if (r->methods > 1) lm_page(r->out, "The best of %zu methods.", r->methods);
    if (r->methods > 1) compare_best(r);
    if (lm_report_folds(e) > 1) {
        lm_page(r->out, " Standard deviation over %s: ", again ? "repetitions" : "folds");
        lm_page(r->out, r->regression ? "%.3g." : "%.1f percentage points.", again ? e->test_std : e->test_std_folds);
    }
    if (e->weighted_scores) lm_page(r->out, " Scores count graphs by their weights.");
    if (e->bounds)
        lm_page(r->out, " %zu target%s; only predictions beyond %s are errors.", e->bounds,
                e->bounds == 1 ? " is a bound" : "s are bounds", e->bounds == 1 ? "it" : "them");
    lm_page_baseline(r->out, !r->regression, e->test_mean, e->baseline, e->test_low, e->test_high);
    lm_page(r->out,
            "</p>\n<p class=\"note\">%zu &#215; %zu-fold cross-validation, split %s; hyperparameters chosen in every "
            "fold on "
            "a validation part of the training graphs.</p>\n</header>\n",
            e->splits->repetitions, e->splits->folds, lm_report_splits(e->splits));
}

/* ---- The data -------------------------------------------------------------------------------- */

static void group_bars(const lm_report *r)
{
    size_t max = 1;
    for (size_t c = 0; c < r->groups.count; c++)
        if (r->groups.size[c] > max) max = r->groups.size[c];
    lm_page(r->out,
            "<figure>\n<div class=\"table\"><table><caption>%s</caption><thead><tr><th scope=\"col\">%s</th><th "
            "scope=\"col\">graphs</th><th scope=\"col\">share</th><th></th></tr></thead><tbody>\n",
            r->regression ? "Graphs by target; marks as in the figures below"
                          : "Graphs per class; marks as in the figures below",
            r->regression ? "targets" : "class");
    for (size_t c = 0; c < r->groups.count; c++) {
        char text[LM_NUMBER_TEXT];
        lm_page(r->out, "<tr class=\"c%u\"><td><svg class=\"swatch\" viewBox=\"0 0 12 12\" aria-hidden=\"true\">",
                lm_style_color((unsigned)c));
        lm_mark_write(r->out, (unsigned)c, 6, 6, 4.6, NULL);
        lm_page(r->out,
                "</svg>%s</td><td>%s</td><td>%.1f&#160;%%</td><td class=\"bar\"><span "
                "style=\"width:%.1f%%\"></span></td></tr>\n",
                r->groups.name[c], lm_count_text(r->groups.size[c], text),
                100 * (double)r->groups.size[c] / (double)r->shape->graphs,
                100 * (double)r->groups.size[c] / (double)max);
    }
    lm_page(r->out, "</tbody></table></div>\n</figure>\n");
}

void lm_report_data(const lm_report *r)
{
    lm_output *out = r->out;
    const double graphs = r->shape->graphs ? (double)r->shape->graphs : 1;
    char text[LM_NUMBER_TEXT], more[LM_NUMBER_TEXT + 16] = "mean, maximum ";
    lm_page(out, "<section>\n<h2>Data</h2>\n<div class=\"pair\">\n<dl class=\"properties\">\n");
    lm_page_property(out, "data set", "", "%s", r->shape->name);
    lm_page_property(out, "graphs", r->shape->directed ? "directed" : "", "%s", lm_count_text(r->shape->graphs, text));
    if (r->number) {
        const size_t missing = leman_dataset_shape(r->whole)->graphs - r->shape->graphs;
        lm_page_property(out, r->regression ? "without a target" : "without a class", "take no part", "%s",
                         lm_count_text(missing, text));
    }
    if (!r->regression && r->groups.count)
        lm_page_property(out, "classes", "", "%s", lm_count_text(r->summary.classes, text));
    lm_count_text(r->shape->max_vertices, more + strlen(more));
    lm_page_property(out, "vertices per graph", more, "%.1f", (double)r->shape->vertices / graphs);
    lm_page_property(out, "edges per graph", "mean", "%.1f", (double)r->shape->edges / graphs);
    lm_page_property(out, "vertex labels", "", "%s",
                     r->shape->columns->vertex_labels ? lm_count_text(r->summary.vertex_labels, text) : "none");
    lm_page_property(out, "edge labels", "", "%s",
                     r->shape->columns->edge_labels ? lm_count_text(r->summary.edge_labels, text) : "none");
    lm_page(out, "</dl>\n");
    if (r->groups.count && r->groups.count <= 40) group_bars(r);
    lm_page(out, "</div>\n</section>\n");
}

/* ---- How to reproduce ------------------------------------------------------------------------ */

void lm_report_reproduce(const lm_report *r)
{
    size_t first = 0; /* the first kernel; without kernels, the first network */
    while (first + 1 < r->methods && !r->method[first].count) first++;
    const leman_method *method = r->method + (r->method[first].count ? first : 0);
    const leman_evaluation *e = method->evaluation;
    lm_page_reproduce_begin(r->out, r->command);
    lm_page_row(r->out, "seed", "%" PRIu64, e->seed);
    if (method->count)
        lm_page_row(r->out, "SVM", "%s",
                    r->regression                ? "support vector regression"
                    : e->svm == LEMAN_SVM_LINEAR ? "linear, on the features"
                                                 : "kernel, on the Gram matrix");
    lm_page_row(r->out, "checksum of the data", "%016" PRIx64, e->data_checksum);
    lm_page_row(r->out, "checksum of the splits", "%016" PRIx64, e->splits_checksum);
    lm_page_reproduce_end(r->out,
                          "Results depend on the seed and not on the number of threads; running times depend on "
                          "the hardware.");
}
