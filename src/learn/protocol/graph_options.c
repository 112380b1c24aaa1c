/* Reads weights and bounds of graphs; see graph_options.h. */
#include "learn/protocol/graph_options.h"

leman_status lm_graph_weights_read(leman_context *ctx, const char *name, const double *given, const size_t *graph,
                                   size_t count, double *weight)
{
    for (size_t i = 0; i < count; i++) {
        const size_t g = graph ? graph[i] : i;
        weight[i] = given[g];
        if (!(weight[i] >= 1e-100 && weight[i] <= 1e100))
            return lm_fail(ctx, LEMAN_ERROR_INPUT,
                           "%s: found %g as the weight of graph %zu, expected a number above 0, from 1e-100 to 1e100",
                           name, weight[i], g);
    }
    return LEMAN_OK;
}

leman_status lm_graph_bounds_read(leman_context *ctx, const char *name, const int8_t *given, const size_t *graph,
                                  size_t count, int8_t *bound)
{
    size_t values = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t g = graph ? graph[i] : i;
        bound[i] = given[g];
        values += !bound[i];
        if (bound[i] < -1 || bound[i] > 1)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "censoring: found %d for graph %zu, expected -1 (upper bound), 0 (value) or 1 (lower bound)",
                           bound[i], g);
    }
    if (values) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found targets that are all bounds, expected at least one value", name);
}
