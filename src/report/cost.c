/* Draws error against seconds and against parameters: a mark for each method; the cost axes are logarithmic. */
#include "report/cost.h"
#include "base/text.h"
#include "report/figures.h"
#include "report/page.h"
#include <math.h>
#include <stdio.h>

enum { TITLE = 160 };

/* Returns the cost of a method, the x coordinate of its mark. */
typedef double cost_of(const lm_cost *cost);

static double seconds_of(const lm_cost *cost)
{
    return cost->seconds > 0 ? fmax(cost->seconds, 1e-3) : NAN;
}

static double parameters_of(const lm_cost *cost)
{
    return cost->parameters > 0 ? cost->parameters / 1000 : NAN;
}

static bool is_shown(const lm_cost *cost, cost_of *x)
{
    return isfinite(cost->error) && isfinite(x(cost));
}

static size_t shown(const lm_cost *cost, size_t count, cost_of *x)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) found += is_shown(cost + i, x);
    return found;
}

/* Writes the tooltip. */
static void write_title(const lm_cost *c, char title[TITLE])
{
    char seconds[LM_NUMBER_TEXT], parameters[LM_NUMBER_TEXT];
    const int used =
        lm_snprintf(title, TITLE, "%s: %.3g in %s", c->name, c->error, lm_page_seconds(c->seconds, seconds));
    if (c->parameters > 0)
        snprintf(title + used, (size_t)(TITLE - used), ", %s parameters",
                 lm_count_text((uint64_t)c->parameters, parameters));
}

static leman_status chart(leman_context *ctx, lm_output *out, const char *error, const lm_cost *cost, size_t count,
                          cost_of *x, lm_chart *c)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    lm_series *series;
    double *at;
    const char **title;
    char(*text)[TITLE];
    SCRATCH(ctx, series, count);
    SCRATCH(ctx, at, 3 * count); /* x, y and error bar of each */
    SCRATCH(ctx, title, count);
    SCRATCH(ctx, text, count);
    c->series = series;
    c->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_shown(cost + i, x)) continue;
        double *own = at + 3 * i;
        own[0] = x(cost + i);
        own[1] = cost[i].error;
        own[2] = isnan(cost[i].deviation) ? 0 : cost[i].deviation;
        write_title(cost + i, text[i]);
        title[i] = text[i];
        series[c->count++] = (lm_series){.name = cost[i].name,
                                         .count = 1,
                                         .x = own,
                                         .y = own + 1,
                                         .spread = own + 2,
                                         .dots = true,
                                         .titles = title + i,
                                         .style = (unsigned)i};
    }
    c->x.powers = true;
    c->y = lm_axis_empty(error);
    lm_chart_cover(c);
    lm_axis_widen(&c->x, 0.5, 0, 0, INFINITY);
    lm_axis_widen(&c->y, 0.08, 1e-3, 0, INFINITY);
    lm_figure_begin(out, c->title, c);
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

leman_status lm_cost_figures(leman_context *ctx, lm_output *out, const char *error, const lm_cost *cost, size_t count)
{
    leman_status st = LEMAN_OK;
    const bool networks = shown(cost, count, parameters_of) > 1;
    lm_chart seconds = {.title = "Error against seconds",
                        .description = "A mark for each method; lower is better, further left is quicker.",
                        .x = lm_axis_empty("seconds (logarithmic)")};
    lm_chart parameters = {.title = "Error against parameters",
                           .description = "A mark for each network; lower is better, further left is smaller.",
                           .x = lm_axis_empty("thousands of parameters (logarithmic)")};
    if (shown(cost, count, seconds_of) < 2) return st;
    lm_page(out, "<div class=\"%s\">\n", networks ? "pair" : "narrow");
    TRY(chart(ctx, out, error, cost, count, seconds_of, &seconds));
    lm_page(out, "<figcaption>Wall time of all that a method computes, on the hardware that it ran on; bars are one "
                 "standard deviation.</figcaption>\n</figure>\n");
    if (networks) {
        TRY(chart(ctx, out, error, cost, count, parameters_of, &parameters));
        lm_page(out, "<figcaption>Networks only: kernels have no parameters but C and the number of rounds."
                     "</figcaption>\n</figure>\n");
    }
    lm_page(out, "</div>\n");
done:
    return st;
}
