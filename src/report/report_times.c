/* What a regression predicts against what is true; and how long everything took. */
#include "report/report.h"
#include <math.h>

/* ---- Predictions of a regression ------------------------------------------------------------- */

leman_status lm_report_predictions(const lm_report *r)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&r->ctx->scratch);
    const leman_evaluation *e = r->method[r->rank[0]].evaluation;
    const double *target = r->regression ? leman_dataset_targets(r->data) + r->target : NULL;
    double *x, *y;
    size_t count = 0;
    if (!r->regression || !e->predicted) goto done;
    SCRATCH(r->ctx, x, r->shape->graphs);
    SCRATCH(r->ctx, y, r->shape->graphs);
    for (size_t f = 0; f < e->splits->folds; f++) /* the first repetition tests every graph once */
        for (uint64_t i = e->splits->start[2 * f]; i < e->splits->start[2 * f + 1] && count < r->shape->graphs; i++) {
            x[count] = target[e->splits->graph[i] * r->shape->columns->targets];
            y[count++] = e->predicted[i];
        }
    lm_series series = {.count = count, .x = x, .y = y, .dots = true, .faded = true};
    lm_chart chart = {.title = "Predicted against true targets",
                      .description = "A dot for each graph.",
                      .height = 400,
                      .series = &series,
                      .count = 1,
                      .diagonal = true};
    double low = 0, high = 0, min = 0, max = 0;
    lm_range_of(x, NULL, count, &low, &high);
    if (lm_range_of(y, NULL, count, &min, &max)) low = fmin(low, min), high = fmax(high, max);
    double room = 0.03 * (high - low);
    low -= room, high += room;
    chart.x = (lm_axis){.label = "true target", .low = low, .high = high};
    chart.y = (lm_axis){.label = "predicted", .low = low, .high = high};
    lm_page(r->out, "<section>\n<h2>Predicted and true</h2>\n<figure class=\"narrow\">\n");
    lm_chart_write(r->out, &chart);
    lm_page(r->out,
            "<figcaption>One dot for each graph, tested in the first repetition with %s. On the dashed line the "
            "prediction is right.</figcaption>\n</figure>\n</section>\n",
            r->name[r->rank[0]]);
done:
    lm_arena_reset(&r->ctx->scratch, mark);
    return st;
}

/* ---- Times ----------------------------------------------------------------------------------- */

static leman_status times_chart(const lm_report *r)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&r->ctx->scratch);
    const char **name;
    double *y, *features, *machine;
    SCRATCH(r->ctx, name, r->methods);
    SCRATCH(r->ctx, y, r->methods);
    SCRATCH(r->ctx, features, r->methods);
    SCRATCH(r->ctx, machine, r->methods);
    for (size_t i = 0; i < r->methods; i++) {
        size_t m = r->rank[r->methods - 1 - i];
        name[i] = r->name[m];
        y[i] = (double)i;
        features[i] = fmax(r->method[m].evaluation->seconds_features, 1e-3);
        machine[i] = fmax(r->method[m].evaluation->seconds_svm, 1e-3);
    }
    lm_series series[] = {
        {.name = "features and Gram matrices", .count = r->methods, .x = features, .y = y, .dots = true},
        {.name = "support vector machines", .count = r->methods, .x = machine, .y = y, .dots = true, .style = 1}};
    lm_chart chart = {.title = "Times",
                      .description = "Two dots for each method; the table has the numbers.",
                      .series = series,
                      .count = 2,
                      .height = 66 + 30 * (double)r->methods};
    chart.x = (lm_axis){.label = "seconds, on a logarithmic scale", .low = INFINITY, .high = -INFINITY, .powers = true};
    lm_report_cover(&chart.x.low, &chart.x.high, features, NULL, r->methods);
    lm_report_cover(&chart.x.low, &chart.x.high, machine, NULL, r->methods);
    chart.x.low /= 1.5, chart.x.high *= 1.5;
    chart.y = (lm_axis){.names = name, .high = (double)r->methods - 1};
    lm_page(r->out, "<figure>\n");
    lm_chart_write(r->out, &chart);
    lm_chart_legend(r->out, series, 2);
    lm_page(r->out, "</figure>\n");
done:
    lm_arena_reset(&r->ctx->scratch, mark);
    return st;
}

leman_status lm_report_times(const lm_report *r)
{
    leman_status st = LEMAN_OK;
    char text[2][LM_PAGE_NUMBER];
    lm_page(r->out, "<section>\n<h2>How long it took</h2>\n<div class=\"pair\">\n");
    if (r->methods > 1) TRY(times_chart(r));
    lm_page(r->out,
            "<figure><div class=\"table\"><table><thead><tr><th scope=\"col\">method</th><th scope=\"col\">features, "
            "Gram matrices</th><th scope=\"col\">support vector machines</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < r->methods; i++) {
        const leman_evaluation *e = r->method[r->rank[i]].evaluation;
        lm_page(r->out, "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td></tr>\n", r->name[r->rank[i]],
                lm_page_seconds(e->seconds_features, text[0]), lm_page_seconds(e->seconds_svm, text[1]));
    }
    lm_page(r->out, "</tbody></table></div><figcaption>Wall time of all folds and parameters "
                    "together.</figcaption></figure>\n</div>\n</section>\n");
done:
    return st;
}
