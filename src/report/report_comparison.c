/* Compares methods: every pair with its difference, t, p and Holm's p; error against cost. */
#include "base/text.h"
#include "report/report.h"
#include <math.h>
#include <stdio.h>

static void number(const lm_report *r, const char *format, double value)
{
    if (isnan(value))
        lm_page(r->out, "<td>&#8211;</td>");
    else if (isinf(value))
        lm_page(r->out, "<td>%s</td>", value > 0 ? "∞" : "−∞");
    else
        lm_page(r->out, format, value);
}

static void pair_row(const lm_report *r, const leman_pair_comparison *pair)
{
    const leman_comparison *c = &pair->comparison;
    lm_page(r->out, "<tr><th scope=\"row\">%s, %s</th>", r->name[pair->first], r->name[pair->second]);
    number(r, r->regression ? "<td>%+.3g</td>" : "<td>%+.2f</td>", c->difference);
    number(r, "<td>%.2f</td>", c->t);
    lm_page(r->out, "<td>%zu</td>", c->degrees_of_freedom);
    number(r, "<td>%.4f</td>", c->p);
    number(r, "<td>%.4f</td>", pair->p_holm);
    lm_page(r->out, "<td>%s</td></tr>\n",
            isnan(pair->p_holm)   ? "not tested"
            : pair->p_holm < 0.05 ? "significant"
                                  : "not significant");
}

leman_status lm_report_comparison(const lm_report *r)
{
    const size_t pairs = r->methods * (r->methods - 1) / 2;
    const leman_evaluation **evaluation;
    leman_pair_comparison *pair;
    if (r->methods < 2) return LEMAN_OK;
    PASS_SCRATCH(r->ctx, evaluation, r->methods);
    PASS_SCRATCH(r->ctx, pair, pairs);
    for (size_t m = 0; m < r->methods; m++) evaluation[m] = r->method[m].evaluation;
    if (leman_compare_all(r->ctx, evaluation, r->methods, pair)) { /* different splits: no test is possible */
        r->ctx->message[0] = 0;
        return LEMAN_OK;
    }
    lm_page(r->out, "<section>\n<h2>Comparison</h2>\n<figure>\n<div class=\"table\"><table><thead><tr>");
    lm_page_columns(r->out, "pair|difference|t|degrees of freedom|p|p (Holm)|at 0.05");
    lm_page(r->out, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < pairs; i++) pair_row(r, pair + i);
    lm_page(r->out,
            "</tbody></table></div>\n<figcaption>%s, first less second. Corrected resampled t-test on the same "
            "folds, two-sided; p (Holm) is corrected for the number of pairs.</figcaption>\n</figure>\n"
            "</section>\n",
            r->regression ? "Difference of mean absolute errors"
                          : "Difference of test accuracies in percentage points");
    return LEMAN_OK;
}

/* ---- Error and cost -------------------------------------------------------------------------- */

/* Returns the cost of a method, the x coordinate of its mark: seconds, or thousands of parameters of a network. NAN: not
 * known. */
static double cost_of(const leman_method *m, bool parameters)
{
    const double seconds = m->evaluation->seconds_features + m->evaluation->seconds_svm;
    if (parameters) return m->parameters ? (double)m->parameters / 1000 : NAN;
    return seconds > 0 ? fmax(seconds, 1e-3) : NAN;
}

static bool has_cost(const lm_report *r, size_t method, bool parameters)
{
    return isfinite(r->method[method].evaluation->test_mean) && isfinite(cost_of(r->method + method, parameters));
}

/* Returns true if two methods or more have an error and a cost. */
static bool have_costs(const lm_report *r, bool parameters)
{
    size_t count = 0;
    for (size_t i = 0; i < r->methods; i++) count += has_cost(r, i, parameters);
    return count > 1;
}

/* Draws a mark for each method at its error and cost. */
static leman_status cost_chart(const lm_report *r, bool parameters, lm_chart *chart)
{
    enum { TITLE = 160 };
    lm_series *series;
    double(*at)[3]; /* x, y and error bar of each */
    const char **title;
    char(*text)[TITLE], number[LM_NUMBER_TEXT];
    PASS_SCRATCH(r->ctx, series, r->methods);
    PASS_SCRATCH(r->ctx, at, r->methods);
    PASS_SCRATCH(r->ctx, title, r->methods);
    PASS_SCRATCH(r->ctx, text, r->methods);
    for (size_t i = 0; i < r->methods; i++) {
        const leman_evaluation *e = r->method[i].evaluation;
        if (!has_cost(r, i, parameters)) continue;
        at[i][0] = cost_of(r->method + i, parameters);
        at[i][1] = r->regression ? e->test_mean : 100 - e->test_mean;
        at[i][2] = isnan(e->test_std) ? 0 : e->test_std;
        const int used = lm_snprintf(text[i], TITLE, "%s: %.3g in %s", r->name[i], at[i][1],
                                     lm_page_seconds(e->seconds_features + e->seconds_svm, number));
        if (r->method[i].parameters)
            snprintf(text[i] + used, (size_t)(TITLE - used), ", %s parameters",
                     lm_count_text(r->method[i].parameters, number));
        title[i] = text[i];
        series[chart->count++] = (lm_series){.name = r->name[i],
                                             .count = 1,
                                             .x = at[i],
                                             .y = at[i] + 1,
                                             .spread = at[i] + 2,
                                             .dots = true,
                                             .titles = title + i,
                                             .style = (unsigned)i};
    }
    chart->series = series;
    chart->x.powers = true;
    chart->y = lm_axis_empty(r->regression ? "mean absolute error" : "test error (%)");
    lm_chart_cover(chart);
    lm_axis_widen(&chart->x, 0.5, 0, 0, INFINITY);
    lm_axis_widen(&chart->y, 0.08, 1e-3, 0, INFINITY);
    lm_figure_begin(r->out, chart->title, chart);
    return LEMAN_OK;
}

leman_status lm_report_cost(const lm_report *r)
{
    lm_chart seconds = {.title = "Error against seconds",
                        .description = "A mark for each method; lower is better, further left is quicker.",
                        .x = lm_axis_empty("seconds (logarithmic)")};
    lm_chart parameters = {.title = "Error against parameters",
                           .description = "A mark for each network; lower is better, further left is smaller.",
                           .x = lm_axis_empty("thousands of parameters (logarithmic)")};
    if (r->methods < 2) return LEMAN_OK;
    lm_page(r->out, "<section>\n<h2>Error and cost</h2>\n");
    if (have_costs(r, false)) {
        lm_page(r->out, "<div class=\"%s\">\n", have_costs(r, true) ? "pair" : "narrow");
        PASS(cost_chart(r, false, &seconds));
        lm_page(r->out, "<figcaption>Wall time of all that a method computes, on the hardware that it ran on; bars are "
                        "one standard deviation.</figcaption>\n</figure>\n");
        if (have_costs(r, true)) {
            PASS(cost_chart(r, true, &parameters));
            lm_page(r->out, "<figcaption>Networks only: kernels have no parameters but C and the number of rounds."
                            "</figcaption>\n</figure>\n");
        }
        lm_page(r->out, "</div>\n");
    }
    lm_page(r->out, "</section>\n");
    return LEMAN_OK;
}
