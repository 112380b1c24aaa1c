/* Compares methods: every pair with its difference, t, p and Holm's p; error against cost. */
#include "report/cost.h"
#include "report/report.h"
#include <math.h>

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
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&r->ctx->scratch);
    const size_t pairs = r->methods * (r->methods - 1) / 2;
    const leman_evaluation **evaluation;
    leman_pair_comparison *pair;
    if (r->methods < 2) goto done;
    SCRATCH(r->ctx, evaluation, r->methods);
    SCRATCH(r->ctx, pair, pairs);
    for (size_t m = 0; m < r->methods; m++) evaluation[m] = r->method[m].evaluation;
    if (leman_compare_all(r->ctx, evaluation, r->methods, pair)) { /* different splits: no test is possible */
        r->ctx->message[0] = 0;
        goto done;
    }
    lm_page(r->out, "<section>\n<h2>Comparison</h2>\n<figure>\n<div class=\"table\"><table><thead><tr>"
                    "<th scope=\"col\">pair</th><th scope=\"col\">difference</th><th scope=\"col\">t</th>"
                    "<th scope=\"col\">degrees of freedom</th><th scope=\"col\">p</th>"
                    "<th scope=\"col\">p (Holm)</th><th scope=\"col\">at 0.05</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < pairs; i++) pair_row(r, pair + i);
    lm_page(r->out,
            "</tbody></table></div>\n<figcaption>%s, first less second. Corrected resampled t-test on the same "
            "folds, two-sided; p (Holm) is corrected for the number of pairs.</figcaption>\n</figure>\n"
            "</section>\n",
            r->regression ? "Difference of mean absolute errors"
                          : "Difference of test accuracies in percentage points");
done:
    lm_arena_reset(&r->ctx->scratch, mark);
    return st;
}

leman_status lm_report_cost(const lm_report *r)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&r->ctx->scratch);
    lm_cost *cost;
    if (r->methods < 2) goto done;
    SCRATCH(r->ctx, cost, r->methods);
    for (size_t i = 0; i < r->methods; i++) {
        const leman_evaluation *e = r->method[i].evaluation;
        cost[i] = (lm_cost){.name = r->name[i],
                            .error = r->regression ? e->test_mean : 100 - e->test_mean,
                            .deviation = e->test_std,
                            .seconds = e->seconds_features + e->seconds_svm,
                            .parameters = (double)r->method[i].parameters};
    }
    lm_page(r->out, "<section>\n<h2>Error and cost</h2>\n");
    TRY(lm_cost_figures(r->ctx, r->out, r->regression ? "mean absolute error" : "test error (%)", cost, r->methods));
    lm_page(r->out, "</section>\n");
done:
    lm_arena_reset(&r->ctx->scratch, mark);
    return st;
}
