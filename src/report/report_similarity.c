/*
 * The kernel: the normalised Gram matrix as a heat map, with rows and columns sorted by class and then by the first
 * kernel principal component; a chart of the first two components; and the error of test predictions by the similarity
 * to the training graphs. O(n^2) for the n graphs of the sample, and O(n^2) for each fold.
 */
#include "base/drop.h"
#include "base/sort.h"
#include "base/text.h"
#include "report/heat_map.h"
#include "report/kernel_pca.h"
#include "report/report.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { METHODS = 4, SIDE = 360 /* pixels */, GROUPS = 12 /* in the table */, NEAREST = 5 };

typedef struct view {
    const lm_report *r;
    size_t method;
    uint32_t rounds;
    size_t n;
    double *gram;    /* [n][n] */
    double *at;      /* [2][n] kernel principal components */
    uint32_t *group; /* [n] */
    uint32_t *order; /* [n] order of rows in the heat map */
    lm_kernel_pca about;
} view;

/* ---- Computing ------------------------------------------------------------------------------- */

/* Computes the Gram matrix for the number of rounds that was selected most often. */
static leman_status gram_of_sample(const lm_report *r, view *v, const leman_dataset *data)
{
    const leman_method *method = r->method + v->method;
    leman_kernel *kernels;
    PASS_SCRATCH(r->ctx, kernels, method->count);
    memcpy(kernels, method->kernels, method->count * sizeof *kernels);
    for (size_t i = 0; i < method->count; i++) kernels[i].coloring.rounds = v->rounds;
    return leman_gram_compute(r->ctx, data, NULL, kernels, method->count, true, v->gram);
}

static void order_rows(view *v)
{
    for (size_t i = 0; i < v->n; i++) {
        size_t at = i;
        for (; at > 0; at--) {
            uint32_t before = v->order[at - 1];
            if (v->group[before] < v->group[i] || (v->group[before] == v->group[i] && v->at[before] <= v->at[i])) break;
            v->order[at] = before;
        }
        v->order[at] = (uint32_t)i;
    }
}

static leman_status view_compute(const lm_report *r, const leman_dataset *data, view *v)
{
    v->n = r->sampled;
    PASS_SCRATCH(r->ctx, v->gram, v->n * v->n);
    PASS_SCRATCH(r->ctx, v->at, 2 * v->n);
    PASS_SCRATCH(r->ctx, v->group, v->n);
    PASS_SCRATCH(r->ctx, v->order, v->n);
    PASS(gram_of_sample(r, v, data));
    PASS(lm_kernel_pca_compute(r->ctx, v->gram, v->n, v->at, &v->about));
    for (size_t i = 0; i < v->n; i++) v->group[i] = r->groups.number[r->sample[i]];
    order_rows(v);
    return LEMAN_OK;
}

/* ---- The Gram matrix ------------------------------------------------------------------------- */

/* Finds the 2nd and 98th percentile of the cells, so that a few outliers do not determine the scale. */
static leman_status limits(leman_context *ctx, const double *cell, size_t count, double *low, double *high)
{
    double *sorted;
    PASS_SCRATCH(ctx, sorted, count);
    memcpy(sorted, cell, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, lm_compare_double);
    *low = sorted[count / 50];
    *high = sorted[count - 1 - count / 50];
    return LEMAN_OK;
}

/* Draws names beside the groups of the heat map and lines between them. */
static void draw_groups(const view *v, double left, double side)
{
    lm_output *out = v->r->out;
    for (size_t i = 0, end; i < v->n; i = end) {
        uint32_t group = v->group[v->order[i]];
        for (end = i; end < v->n && v->group[v->order[end]] == group; end++) continue;
        double top = side * (double)i / (double)v->n, foot = side * (double)end / (double)v->n,
               middle = (top + foot) / 2;
        if (end < v->n)
            lm_page(out, "<path class=\"cut\" d=\"M%.1f %.1fh%.1fM%.1f 0v%.1f\"/>\n", left, foot, side, left + foot,
                    side);
        if (foot - top < 11) continue;
        lm_page(out, "<g class=\"c%u\">", lm_style_color(group));
        lm_mark_write(out, group, left - 9, middle, 4.2, NULL);
        if (foot - top >= 14)
            lm_page(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>", left - 19, middle + 4,
                    v->r->groups.name[group]);
        lm_page(out, "</g>\n");
    }
}

static leman_status draw_scale(const view *v, double low, double high, double left, double top, double side)
{
    unsigned char level[256];
    for (size_t i = 0; i < sizeof level; i++) level[i] = (unsigned char)i;
    lm_page(
        v->r->out,
        "<image class=\"heat\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"9\" preserveAspectRatio=\"none\" href=\"",
        left, top, side);
    PASS(lm_heat_map_embed(v->r->ctx, v->r->out, level, sizeof level, 1));
    lm_page(v->r->out, "\"/>\n<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"9\"/>\n", left, top,
            side);
    lm_page(v->r->out,
            "<text x=\"%.1f\" y=\"%.1f\">%.2f</text><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">"
            "%.2f</text>\n",
            left, top + 24, low, left + side, top + 24, high);
    return LEMAN_OK;
}

/* Writes the mean similarity for each pair of groups. */
static void group_table(const view *v)
{
    const lm_groups *groups = &v->r->groups;
    lm_output *out = v->r->out;
    if (groups->count > GROUPS) return;
    lm_page(out,
            "<details><summary>Mean similarity within and between %s</summary><div "
            "class=\"table\"><table><thead><tr><th></th>",
            v->r->regression ? "thirds" : "classes");
    for (size_t b = 0; b < groups->count; b++) lm_page(out, "<th scope=\"col\">%s</th>", groups->name[b]);
    lm_page(out, "</tr></thead><tbody>\n");
    for (size_t a = 0; a < groups->count; a++) {
        lm_page(out, "<tr><th scope=\"row\">%s</th>", groups->name[a]);
        for (size_t b = 0; b < groups->count; b++) {
            double sum = 0, count = 0;
            for (size_t i = 0; i < v->n; i++)
                for (size_t j = 0; v->group[i] == a && j < v->n; j++)
                    if (v->group[j] == b && i != j) sum += v->gram[i * v->n + j], count++;
            lm_page_cell(out, "%.3f", count > 0 ? sum / count : NAN);
        }
        lm_page(out, "</tr>\n");
    }
    lm_page(out, "</tbody></table></div></details>\n");
}

static leman_status draw_gram(const view *v)
{
    lm_output *out = v->r->out;
    leman_context *ctx = v->r->ctx;
    size_t side = v->n < SIDE ? v->n : SIDE, widest = 0;
    double *cell, low, high;
    unsigned char *level;
    for (size_t c = 0; c < v->r->groups.count; c++)
        if (strlen(v->r->groups.name[c]) > widest) widest = strlen(v->r->groups.name[c]);
    double left = fmin(24 + 6.6 * (double)widest, 130), size = 399 - left;
    PASS_SCRATCH(ctx, cell, side * side);
    PASS_SCRATCH(ctx, level, side * side);
    lm_heat_map_shrink(v->gram, v->n, v->order, side, cell);
    PASS(limits(ctx, cell, side * side, &low, &high));
    for (size_t i = 0; i < side * side; i++) level[i] = lm_heat_map_level(cell[i], low, high);
    lm_page(out,
            "<figure>\n<h3>Gram matrix</h3>\n<svg viewBox=\"0 0 400 %.0f\" role=\"img\" "
            "aria-label=\"Gram matrix of %s\">\n<title>Gram matrix of %s</title>\n<image class=\"heat\" x=\"%.1f\" "
            "y=\"0\" width=\"%.1f\" height=\"%.1f\" href=\"",
            size + 42, v->r->name[v->method], v->r->name[v->method], left, size, size);
    PASS(lm_heat_map_embed(ctx, out, level, side, side));
    lm_page(out, "\"/>\n<rect class=\"frame\" x=\"%.1f\" y=\"0\" width=\"%.1f\" height=\"%.1f\"/>\n", left, size, size);
    draw_groups(v, left, size);
    PASS(draw_scale(v, low, high, left, size + 9, size));
    lm_page(
        out,
        "</svg>\n<figcaption>Cosine similarity of the feature vectors of every two graphs. Rows and columns sorted by "
        "%s, within %s by the first kernel principal component.</figcaption>\n",
        v->r->regression ? "target" : "class", v->r->regression ? "a third" : "a class");
    group_table(v);
    lm_page(out, "</figure>\n");
    return LEMAN_OK;
}

/* ---- Kernel PCA ------------------------------------------------------------------------------ */

static leman_status draw_pca(const view *v)
{
    const lm_groups *groups = &v->r->groups;
    leman_context *ctx = v->r->ctx;
    char across[64], up[64], (*title)[LM_NUMBER_TEXT + 48];
    const char **titles;
    double *x, *y;
    lm_series *series;
    size_t used = 0;
    PASS_SCRATCH(ctx, series, groups->count);
    PASS_SCRATCH(ctx, x, v->n);
    PASS_SCRATCH(ctx, y, v->n);
    PASS_SCRATCH(ctx, title, v->n);
    PASS_SCRATCH(ctx, titles, v->n);
    for (size_t g = 0; g < groups->count; g++) {
        size_t first = used;
        for (size_t i = 0; i < v->n; i++) {
            if (v->group[i] != g) continue;
            x[used] = v->at[i], y[used] = v->at[v->n + i];
            snprintf(title[used], sizeof title[used], "graph %zu, %s", lm_report_number(v->r, v->r->sample[i]),
                     groups->name[g]);
            titles[used] = title[used];
            used++;
        }
        series[g] = lm_series_dots(groups->name[g], used - first, x + first, y + first, (unsigned)g);
        series[g].titles = titles + first, series[g].faded = true;
    }
    lm_snprintf(across, sizeof across, "first component: %.0f %% of the variance", 100 * v->about.share[0]);
    lm_snprintf(up, sizeof up, "second component: %.0f %%", 100 * v->about.share[1]);
    lm_chart chart = lm_chart_new("Kernel PCA", "A mark for each graph.", across, up);
    chart.height = 392, chart.equal = chart.x.plain = chart.y.plain = true;
    lm_chart_show(&chart, series, groups->count);
    double room = 0.04 * fmax(chart.x.high - chart.x.low, chart.y.high - chart.y.low);
    chart.x.low -= room, chart.x.high += room, chart.y.low -= room, chart.y.high += room;
    lm_figure_begin(v->r->out, "Kernel PCA", &chart);
    lm_page(
        v->r->out,
        "<figcaption>The first two kernel principal components. The SVM uses all of them.</figcaption>\n</figure>\n");
    return LEMAN_OK;
}

/* ---- Errors by similarity -------------------------------------------------------------------- */

/* Returns the mean similarity of row i to the NEAREST most similar graphs that train; NAN if there are fewer. */
static double nearness(const view *v, size_t i, const bool *trains)
{
    double nearest[NEAREST], sum = 0;
    size_t count = 0;
    for (size_t j = 0; j < v->n; j++) {
        const double own = v->gram[i * v->n + j];
        size_t at = count;
        if (!trains[j]) continue;
        for (; at > 0 && nearest[at - 1] < own; at--)
            if (at < NEAREST) nearest[at] = nearest[at - 1];
        if (at < NEAREST) nearest[at] = own;
        if (count < NEAREST) count++;
    }
    for (size_t k = 0; k < count; k++) sum += nearest[k];
    return count == NEAREST ? sum / NEAREST : (double)NAN;
}

/* Returns the error of a prediction: absolute, or 100 for a wrong class. */
static double error_of(const view *v, size_t i, double predicted)
{
    const lm_report *r = v->r;
    const size_t graph = lm_report_number(r, r->sample[i]);
    if (!r->regression) return (size_t)predicted == v->group[i] ? 0 : 100;
    return fabs(predicted - leman_dataset_targets(r->whole)[graph * r->shape->columns->targets + r->target]);
}

/* Sets pair[n] to similarity and error of the test graphs of the first repetition; returns their number. */
static leman_status find_errors(const view *v, double (*pair)[2], size_t *count)
{
    const lm_report *r = v->r;
    const leman_evaluation *e = r->method[v->method].evaluation;
    const size_t graphs = leman_dataset_shape(r->whole)->graphs;
    uint32_t *row; /* [graphs] the row of a graph; n: none */
    bool *trains;
    PASS_SCRATCH(r->ctx, row, graphs + 1);
    PASS_SCRATCH(r->ctx, trains, v->n + 1); /* the last one is for graphs without a row */
    for (size_t g = 0; g < graphs; g++) row[g] = (uint32_t)v->n;
    for (size_t i = 0; i < v->n; i++) row[lm_report_number(r, r->sample[i])] = (uint32_t)i;
    for (size_t f = 0; f < e->splits->folds; f++) {
        const uint64_t *start = e->splits->start + 2 * f;
        for (size_t i = 0; i < v->n; i++) trains[i] = true;
        for (uint64_t k = start[0]; k < start[2]; k++) trains[row[e->splits->graph[k]]] = false;
        for (uint64_t k = start[0]; k < start[1]; k++) {
            const size_t i = row[e->splits->graph[k]];
            const double near = i < v->n && !isnan(e->predicted[k]) ? nearness(v, i, trains) : (double)NAN;
            if (isnan(near)) continue;
            pair[*count][0] = near;
            pair[(*count)++][1] = error_of(v, i, e->predicted[k]);
        }
    }
    return LEMAN_OK;
}

static leman_status draw_errors(const view *v)
{
    const lm_report *r = v->r;
    double(*pair)[2];
    size_t count = 0;
    if (!r->method[v->method].evaluation->predicted) return LEMAN_OK;
    PASS_SCRATCH(r->ctx, pair, v->n + 1);
    PASS(find_errors(v, pair, &count));
    return lm_figure_errors(r->ctx, r->out,
                            &(lm_error_figure){pair, count, !r->regression, (unsigned)v->method,
                                               "test graphs of the first repetition", " among those shown here"});
}

/* ---- The section ----------------------------------------------------------------------------- */

static leman_status one_method(const lm_report *r, const leman_dataset *data, size_t m)
{
    SCRATCH_SCOPE(r->ctx);
    const leman_evaluation *e = r->method[m].evaluation;
    view v = {.r = r, .method = m, .rounds = lm_report_rounds(e)};
    const leman_status st = view_compute(r, data, &v);
    if (st == LEMAN_ERROR_BUDGET) {
        lm_page(r->out, "<p>%s: its Gram matrix does not fit the memory budget.</p>\n", r->name[m]);
        return LEMAN_OK;
    }
    PASS(st);
    if (r->methods > 1) lm_page(r->out, "<h3 class=\"method\">%s", r->name[m]);
    if (r->methods > 1 && e->has_rounds) lm_page(r->out, ", %u round%s", v.rounds, lm_plural(v.rounds));
    if (r->methods > 1) lm_page(r->out, "</h3>\n");
    lm_page(r->out, "<div class=\"pair\">\n");
    PASS(draw_gram(&v));
    PASS(draw_pca(&v));
    PASS(draw_errors(&v));
    lm_page(r->out, "</div>\n");
    return LEMAN_OK;
}

leman_status lm_report_similarity(const lm_report *r)
{
    AUTO(leman_dataset_drop) leman_dataset *drawn = NULL;
    char text[2][LM_NUMBER_TEXT];
    size_t *which, shown = r->methods < METHODS ? r->methods : METHODS;
    const leman_evaluation *e = r->method[r->rank[0]].evaluation;
    if (!r->shape->graphs) return LEMAN_OK;
    PASS_SCRATCH(r->ctx, which, r->sampled);
    for (size_t i = 0; i < r->sampled; i++) which[i] = r->sample[i];
    if (r->sampled < r->shape->graphs) PASS(leman_dataset_select(r->ctx, r->data, r->sampled, which, &drawn));
    lm_page(r->out, "<section>\n<h2>The kernel</h2>\n<p>");
    if (r->methods == 1 && e->has_rounds)
        lm_page(r->out, "%s with %u round%s, the number chosen in most folds. ", r->name[r->rank[0]],
                lm_report_rounds(e), lm_plural(lm_report_rounds(e)));
    if (shown < r->methods) lm_page(r->out, "The best %zu methods. ", shown);
    if (drawn)
        lm_page(r->out, "A random sample of %s of the %s graphs.", lm_count_text(r->sampled, text[0]),
                lm_count_text(r->shape->graphs, text[1]));
    lm_page(r->out, "</p>\n");
    for (size_t i = 0; i < shown; i++) PASS(one_method(r, drawn ? drawn : r->data, r->rank[i]));
    lm_page(r->out, "</section>\n");
    return LEMAN_OK;
}
