/* The figures of the page about training: curves of the epochs, predicted against true targets, what is taken for what.
 */
#include "report/training_page.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Curves ---------------------------------------------------------------------------------- */

/* A number of every epoch. */
typedef struct curves {
    double *epoch, *loss, *validation, *test, *rate;
} curves;

static leman_status curves_of(leman_context *ctx, const leman_history *h, curves *c)
{
    leman_status st = LEMAN_OK;
    SCRATCH(ctx, c->epoch, h->epochs);
    SCRATCH(ctx, c->loss, h->epochs);
    SCRATCH(ctx, c->validation, h->epochs);
    SCRATCH(ctx, c->test, h->epochs);
    SCRATCH(ctx, c->rate, h->epochs);
    for (size_t e = 0; e < h->epochs; e++) {
        c->epoch[e] = (double)h->epoch[e].epoch;
        c->loss[e] = h->epoch[e].train_loss;
        c->validation[e] = h->epoch[e].val_error;
        c->test[e] = h->epoch[e].test_error;
        c->rate[e] = h->epoch[e].learning_rate;
    }
done:
    return st;
}

/* The range of all series, with a little room; errors and losses are never below 0. */
static void fit_axes(lm_chart *chart, double epochs)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < chart->count; i++) {
        double l, h;
        if (!lm_range_of(chart->series[i].y, NULL, chart->series[i].count, &l, &h)) continue;
        low = fmin(low, l);
        high = fmax(high, h);
    }
    chart->x = (lm_axis){.label = "epoch", .low = 1, .high = epochs, .whole = true};
    const double room = chart->y.powers ? 0 : 0.05 * (high - low);
    chart->y.low = chart->y.powers ? low : fmax(0, low - room);
    chart->y.high = high + room;
}

static void figure(lm_output *out, const char *title, lm_chart *chart, double epochs, const char *caption)
{
    fit_axes(chart, epochs);
    lm_page(out, "<figure>\n<h3>%s</h3>\n", title);
    lm_chart_write(out, chart);
    lm_chart_legend(out, chart->series, chart->count);
    lm_page(out, "<figcaption>%s</figcaption>\n</figure>\n", caption);
}

leman_status lm_training_curves(const lm_training_page *p)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&p->ctx->scratch);
    const size_t n = p->history->epochs;
    const bool classes = p->network.class_label,
               apart = classes || p->network.loss == LEMAN_LOSS_L2; /* is the loss no such error? */
    curves c;
    TRY(curves_of(p->ctx, p->history, &c));
    const lm_series loss = {.name = "training loss", .count = n, .x = c.epoch, .y = c.loss, .line = true, .style = 1};
    const lm_series errors[] = {
        {.name = "validation", .count = n, .x = c.epoch, .y = c.validation, .line = true, .style = 0},
        {.name = "test, where validation was best so far",
         .count = n,
         .x = c.epoch,
         .y = c.test,
         .dots = true,
         .style = 2},
        loss};
    const lm_series rate = {.count = n, .x = c.epoch, .y = c.rate, .line = true, .style = 3};
    lm_chart error_chart = {.title = "Errors against epochs",
                            .description = "Validation and test error of every epoch.",
                            .y = {.label = classes ? "wrong classes in %" : "mean absolute error"},
                            .series = errors,
                            .count = apart ? 2 : 3};
    lm_chart loss_chart = {.title = "Loss against epochs",
                           .description = "Loss of the training part.",
                           .y = {.label = classes ? "cross entropy" : "squared error"},
                           .series = &loss,
                           .count = 1};
    lm_chart rate_chart = {.title = "Learning rate against epochs",
                           .description = "The rate is halved where the validation error does not fall.",
                           .y = {.label = "learning rate", .powers = true},
                           .series = &rate,
                           .count = 1};
    lm_page(p->out, "<section>\n<h2>How it learned</h2>\n<div class=\"pair\">\n");
    figure(p->out, "Errors", &error_chart, (double)n, "The epoch that validates best is the one that counts.");
    if (apart)
        figure(p->out, "Loss", &loss_chart, (double)n, "Mean over the training graphs, while they were learned.");
    figure(p->out, "Learning rate", &rate_chart, (double)n,
           "Halved where the validation has stopped getting better; below 0.000001 the run ends.");
    lm_page(p->out, "</div>\n</section>\n");
done:
    lm_arena_reset(&p->ctx->scratch, mark);
    return st;
}

/* ---- Targets --------------------------------------------------------------------------------- */

enum { MAX_TARGETS = 12, MAX_CLASSES = 12 };

/* One chart of predicted against true values. */
static leman_status scatter(const lm_training_page *p, size_t t)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&p->ctx->scratch);
    const leman_shape *shape = leman_dataset_shape(p->shown);
    const double *labels = leman_dataset_targets(p->shown);
    double *x, *y, low, high, l, h, sum = 0;
    char title[64];
    SCRATCH(p->ctx, x, shape->graphs);
    SCRATCH(p->ctx, y, shape->graphs);
    for (size_t g = 0; g < shape->graphs; g++) {
        x[g] = labels[g * shape->columns->targets + p->network.target[t]];
        y[g] = p->output[g * p->network.outputs + t];
        sum += fabs(x[g] - y[g]);
    }
    if (!lm_range_of(x, NULL, shape->graphs, &low, &high) || !lm_range_of(y, NULL, shape->graphs, &l, &h)) goto done;
    low = fmin(low, l);
    high = fmax(high, h);
    const double room = 0.03 * (high - low);
    const lm_axis axis = {.low = low - room, .high = high + room};
    const lm_series dots = {.count = shape->graphs, .x = x, .y = y, .dots = true, .faded = true};
    lm_chart chart = {.title = "Predicted against true",
                      .description = "A dot for each graph; on the diagonal it is right.",
                      .x = axis,
                      .y = axis,
                      .series = &dots,
                      .count = 1,
                      .diagonal = true,
                      .height = 340};
    chart.x.label = "true";
    chart.y.label = "predicted";
    snprintf(title, sizeof title, "Target %zu", p->network.target[t]);
    lm_page(p->out, "<figure>\n<h3>%s</h3>\n", title);
    lm_chart_write(p->out, &chart);
    lm_page(p->out, "<figcaption>Mean absolute error %.3g; the targets of the training graphs deviate by %.3g.",
            sum / (double)shape->graphs, p->history->deviation[t]);
    lm_page(p->out, "</figcaption>\n</figure>\n");
done:
    lm_arena_reset(&p->ctx->scratch, mark);
    return st;
}

static leman_status targets(const lm_training_page *p)
{
    leman_status st = LEMAN_OK;
    const size_t shown = p->network.outputs < MAX_TARGETS ? p->network.outputs : MAX_TARGETS;
    lm_page(p->out,
            "<section>\n<h2>Predicted against true</h2>\n<p>The %zu graphs that %s, in the units of the data.%s</p>\n",
            leman_dataset_shape(p->shown)->graphs, p->tested ? "test" : "validate",
            shown < p->network.outputs ? " The first targets only." : "");
    lm_page(p->out, "<div class=\"pair\">\n");
    for (size_t t = 0; t < shown; t++) TRY(scatter(p, t));
    lm_page(p->out, "</div>\n</section>\n");
done:
    return st;
}

/* ---- Classes --------------------------------------------------------------------------------- */

/* counts[true][found] over the graphs that are shown. */
static void confuse(const lm_training_page *p, size_t *counts)
{
    const size_t n = p->network.outputs, graphs = leman_dataset_shape(p->shown)->graphs;
    const int64_t *label = leman_dataset_classes(p->shown);
    memset(counts, 0, n * n * sizeof *counts);
    for (size_t g = 0; g < graphs; g++) {
        const double *output = p->output + g * n;
        size_t is = 0, found = 0;
        while (is < n && p->network.class_label[is] != label[g]) is++;
        for (size_t c = 1; c < n; c++)
            if (output[c] > output[found]) found = c;
        if (is < n) counts[is * n + found]++;
    }
}

static leman_status classes(const lm_training_page *p)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&p->ctx->scratch);
    const size_t n = p->network.outputs;
    size_t *counts;
    char name[32];
    if (n > MAX_CLASSES) return LEMAN_OK;
    SCRATCH(p->ctx, counts, n * n);
    confuse(p, counts);
    lm_page(
        p->out,
        "<section>\n<h2>What is taken for what</h2>\n<p>Each row is a class: of its graphs that %s, so many were put "
        "into each class. The diagonal is right.</p>\n<figure><div class=\"table\"><table "
        "class=\"confusion\"><thead><tr><th scope=\"col\">true class</th>",
        p->tested ? "test" : "validate");
    for (size_t c = 0; c < n; c++) {
        snprintf(name, sizeof name, "class %lld", (long long)p->network.class_label[c]);
        lm_page(p->out, "<th scope=\"col\">%s</th>", name);
    }
    lm_page(p->out, "</tr></thead><tbody>\n");
    for (size_t c = 0; c < n; c++) {
        size_t all = 0;
        for (size_t d = 0; d < n; d++) all += counts[c * n + d];
        snprintf(name, sizeof name, "class %lld", (long long)p->network.class_label[c]);
        lm_page(p->out, "<tr><th scope=\"row\">%s</th>", name);
        for (size_t d = 0; d < n; d++)
            lm_page(p->out,
                    c == d ? "<td class=\"right\" style=\"--v:%.3f\">%zu</td>" : "<td style=\"--v:%.3f\">%zu</td>",
                    all ? (double)counts[c * n + d] / (double)all : 0.0, counts[c * n + d]);
        lm_page(p->out, "</tr>\n");
    }
    lm_page(p->out, "</tbody></table></div><figcaption>Graphs of each class.</figcaption></figure>\n</section>\n");
done:
    lm_arena_reset(&p->ctx->scratch, mark);
    return st;
}

leman_status lm_training_answers(const lm_training_page *p)
{
    return p->network.class_label ? classes(p) : targets(p);
}
