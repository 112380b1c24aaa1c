/* Scores against the number of rounds; training scores against test scores. */
#include "report/report.h"
#include <math.h>

/* ---- Scores against rounds ------------------------------------------------------------------- */

static bool has_rounds(const leman_evaluation *e)
{
    return e->has_rounds && e->rounds > 1;
}

/* One number of rounds over all folds: x, mean and deviation of the test score, mean of the training score. */
typedef struct state {
    double *x, *test, *std, *train;
} state;

static leman_status course_of(leman_context *ctx, const leman_evaluation *e, state *c)
{
    leman_status st = LEMAN_OK;
    SCRATCH(ctx, c->x, e->rounds);
    SCRATCH(ctx, c->test, e->rounds);
    SCRATCH(ctx, c->std, e->rounds);
    SCRATCH(ctx, c->train, e->rounds);
    for (size_t h = 0; h < e->rounds; h++) {
        double squares = 0;
        c->x[h] = (double)e->min_rounds + (double)h;
        c->test[h] = e->round[h].test;
        c->train[h] = e->round[h].train;
        for (size_t f = 0; f < lm_report_folds(e); f++)
            squares += pow(e->trial[f * e->rounds + h].test - c->test[h], 2);
        c->std[h] = sqrt(squares / (double)lm_report_folds(e));
    }
done:
    return st;
}

static void rounds_table(const lm_report *r, size_t m)
{
    const leman_evaluation *e = r->method[m].evaluation;
    lm_page(r->out,
            "<details><summary>Numbers for %s</summary><div class=\"table\"><table><thead><tr><th "
            "scope=\"col\">rounds</th><th scope=\"col\">test</th><th scope=\"col\">validation</th><th "
            "scope=\"col\">training</th><th scope=\"col\">chosen in</th></tr></thead><tbody>\n",
            r->name[m]);
    for (size_t h = 0; h < e->rounds; h++) {
        uint32_t rounds = e->min_rounds + (uint32_t)h;
        size_t chosen = 0;
        for (size_t f = 0; f < lm_report_folds(e); f++) chosen += e->fold[f].rounds == rounds;
        lm_page(r->out, "<tr><td>%u</td>", rounds);
        lm_report_cell(r, e->round[h].test);
        lm_report_cell(r, e->round[h].validation);
        lm_report_cell(r, e->round[h].train);
        lm_page(r->out, "<td>%zu of %zu folds</td></tr>\n", chosen, lm_report_folds(e));
    }
    lm_page(r->out, "</tbody></table></div></details>\n");
}

/* The series of the figure: test scores of every method, or test and training scores of the only one. */
static leman_status rounds_series(const lm_report *r, lm_series *series, size_t *count, lm_chart *chart)
{
    leman_status st = LEMAN_OK;
    chart->x = (lm_axis){.label = "rounds", .low = INFINITY, .high = -INFINITY, .whole = true};
    chart->y = (lm_axis){.label = r->score, .low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; i < r->methods; i++) {
        const leman_evaluation *e = r->method[r->rank[i]].evaluation;
        state c;
        if (!has_rounds(e)) continue;
        TRY(course_of(r->ctx, e, &c));
        series[(*count)++] = (lm_series){.name = r->methods > 1 ? r->name[r->rank[i]] : "test graphs",
                                         .count = e->rounds,
                                         .x = c.x,
                                         .y = c.test,
                                         .spread = r->methods > 1 ? NULL : c.std,
                                         .band = true,
                                         .dots = true,
                                         .line = true,
                                         .style = (unsigned)i};
        if (r->methods == 1)
            series[(*count)++] = (lm_series){.name = "training graphs",
                                             .count = e->rounds,
                                             .x = c.x,
                                             .y = c.train,
                                             .dots = true,
                                             .line = true,
                                             .style = 1};
        lm_report_cover(&chart->x.low, &chart->x.high, c.x, NULL, e->rounds);
        lm_report_cover(&chart->y.low, &chart->y.high, c.test, r->methods > 1 ? NULL : c.std, e->rounds);
        if (r->methods == 1) lm_report_cover(&chart->y.low, &chart->y.high, c.train, NULL, e->rounds);
    }
    lm_report_breathe(r, &chart->y);
done:
    return st;
}

static leman_status rounds_figure(const lm_report *r)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&r->ctx->scratch);
    lm_series *series;
    size_t count = 0;
    lm_chart chart = {.title = "Scores against rounds",
                      .description = "One line for each method; tables below have the numbers."};
    SCRATCH(r->ctx, series, r->methods + 1);
    TRY(rounds_series(r, series, &count, &chart));
    if (!count) goto done;
    chart.series = series, chart.count = count;
    lm_page(r->out, "<figure>\n<h3>How many rounds it takes</h3>\n");
    lm_chart_write(r->out, &chart);
    lm_chart_legend(r->out, series, count);
    lm_page(r->out,
            "<figcaption>Had the number of rounds been fixed: means over all folds, with the best C of "
            "each.%s</figcaption>\n",
            r->methods == 1 ? " Band: one standard deviation of the folds." : "");
    for (size_t i = 0; i < r->methods; i++)
        if (has_rounds(r->method[r->rank[i]].evaluation)) rounds_table(r, r->rank[i]);
    lm_page(r->out, "</figure>\n");
done:
    lm_arena_reset(&r->ctx->scratch, mark);
    return st;
}

/* ---- Training against test ------------------------------------------------------------------- */

static leman_status training_figure(const lm_report *r)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&r->ctx->scratch);
    lm_series *series;
    lm_chart chart = {.title = "Training scores against test scores",
                      .description = "A dot for each fold; the table above has the means.",
                      .diagonal = true,
                      .height = 340};
    chart.x = (lm_axis){.label = r->regression ? "error on training graphs" : "accuracy on training graphs, in %",
                        .low = INFINITY,
                        .high = -INFINITY};
    chart.y = (lm_axis){.label = r->regression ? "error on test graphs" : "accuracy on test graphs, in %",
                        .low = INFINITY,
                        .high = -INFINITY};
    SCRATCH(r->ctx, series, r->methods);
    for (size_t i = 0; i < r->methods; i++) {
        const leman_evaluation *e = r->method[r->rank[i]].evaluation;
        double *x, *y;
        SCRATCH(r->ctx, x, lm_report_folds(e));
        SCRATCH(r->ctx, y, lm_report_folds(e));
        for (size_t f = 0; f < lm_report_folds(e); f++) x[f] = e->fold[f].train, y[f] = e->fold[f].test;
        series[i] = (lm_series){.name = r->name[r->rank[i]],
                                .count = lm_report_folds(e),
                                .x = x,
                                .y = y,
                                .dots = true,
                                .faded = true,
                                .style = (unsigned)i};
        lm_report_cover(&chart.x.low, &chart.x.high, x, NULL, lm_report_folds(e));
        lm_report_cover(&chart.y.low, &chart.y.high, y, NULL, lm_report_folds(e));
    }
    chart.x.low = chart.y.low = fmin(chart.x.low, chart.y.low); /* one range, so that the diagonal is one */
    chart.x.high = chart.y.high = fmax(chart.x.high, chart.y.high);
    lm_report_breathe(r, &chart.x);
    lm_report_breathe(r, &chart.y);
    chart.series = series, chart.count = r->methods;
    lm_page(r->out, "<figure>\n<h3>What is learnt, and what is only remembered</h3>\n");
    lm_chart_write(r->out, &chart);
    lm_chart_legend(r->out, series, r->methods);
    lm_page(r->out,
            "<figcaption>One dot for each fold. On the dashed line a method does as well on new graphs as on those it "
            "was trained on; the further %s it, the more it only remembers.</figcaption>\n</figure>\n",
            r->regression ? "above" : "below");
done:
    lm_arena_reset(&r->ctx->scratch, mark);
    return st;
}

leman_status lm_report_training(const lm_report *r)
{
    leman_status st = LEMAN_OK;
    lm_page(r->out, "<section>\n<h2>Rounds and remembering</h2>\n<div class=\"pair\">\n");
    TRY(rounds_figure(r));
    TRY(training_figure(r));
    lm_page(r->out, "</div>\n</section>\n");
done:
    return st;
}
