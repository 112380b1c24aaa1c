/* Attributions for readers: graphs and predictions in words, and pictures with a common scale. O(vertices + edges) for
 * each attribution. */
#include "report/attribution/attribution.h"
#include "base/drop.h"
#include "base/sort.h"
#include "base/text.h"
#include "report/drawing/layout.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double lm_attribution_vertex(const leman_attribution *a, size_t vertex)
{
    return a->vertex[vertex] + (isnan(a->rest) ? 0 : a->rest / (double)a->vertices);
}

double lm_attribution_edge(const leman_attribution *a, size_t edge)
{
    return a->edge[edge] + (isnan(a->edge_rest) ? 0 : a->edge_rest / (double)a->edges);
}

static double largest(const leman_attribution *a)
{
    double most = 0;
    for (size_t v = 0; v < a->vertices; v++) most = fmax(most, fabs(lm_attribution_vertex(a, v)));
    for (size_t e = 0; e < a->edges; e++) most = fmax(most, fabs(lm_attribution_edge(a, e)));
    return most;
}

leman_status lm_attributions_check(leman_context *ctx, const leman_dataset *data,
                                   const leman_attribution *const *attributions, size_t count, lm_attributions *out)
{
    SCRATCH_SCOPE(ctx);
    double *most;
    if (!count) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "attributions: found none, expected at least one");
    PASS_SCRATCH(ctx, most, count);
    for (size_t i = 0; i < count; i++) {
        const leman_attribution *a = attributions[i];
        if (!a || a->graph >= leman_dataset_shape(data)->graphs ||
            a->vertices != leman_dataset_graph(data, a->graph).vertices)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "attributions[%zu]: expected one of a graph of the data", i);
        most[i] = largest(a);
    }
    qsort(most, count, sizeof *most, lm_compare_double);
    *out = (lm_attributions){ctx, data, attributions, count, most[(count - 1) * 9 / 10]};
    if (!(out->scale > 0)) out->scale = most[count - 1] > 0 ? most[count - 1] : 1;
    return LEMAN_OK;
}

const char *lm_attribution_graph(const lm_attributions *all, size_t i, char text[LM_ATTRIBUTION_TEXT])
{
    size_t length;
    const size_t graph = all->item[i]->graph;
    const char *name = leman_dataset_graph_name(all->data, graph, &length);
    if (length)
        snprintf(text, LM_ATTRIBUTION_TEXT, "%.*s", (int)(length < 80 ? length : 80), name);
    else
        snprintf(text, LM_ATTRIBUTION_TEXT, "graph %zu", graph);
    return text;
}

const char *lm_attribution_prediction(const leman_attribution *a, char text[LM_ATTRIBUTION_TEXT])
{
    const char *between = *a->column ? ": " : "";
    if (a->label == LEMAN_CLASS_MISSING)
        lm_snprintf(text, LM_ATTRIBUTION_TEXT, "%.60s%s%.4g", *a->column ? a->column : "value ", between, a->score);
    else
        lm_snprintf(text, LM_ATTRIBUTION_TEXT, "%.40s%sclass %.40s, probability %.2f, score %+.3g", a->column, between,
                    a->name, a->probability, a->score);
    return text;
}

bool lm_attribution_drawable(const leman_attribution *a)
{
    return a->vertices && a->vertices <= LM_LAYOUT_VERTICES;
}

leman_status lm_attribution_picture(const lm_attributions *all, size_t i, lm_output *out,
                                    const lm_molecule_drawing_options *options)
{
    leman_context *ctx = all->ctx;
    SCRATCH_SCOPE(ctx);
    const leman_attribution *a = all->item[i];
    AUTO(leman_dataset_drop) leman_dataset *one = NULL;
    double *arc, *vertex;
    size_t at = 0;
    PASS(leman_dataset_select(ctx, all->data, 1, &a->graph, &one)); /* its arcs are numbered from 0 */
    const leman_graph g = leman_dataset_graph(one, 0);
    PASS_SCRATCH(ctx, arc, g.arcs);
    PASS_SCRATCH(ctx, vertex, g.vertices);
    for (size_t v = 0; v < g.vertices; v++) vertex[v] = lm_attribution_vertex(a, v);
    for (size_t u = 0; u < g.vertices; u++)
        for (uint64_t e = g.start[u]; e < g.start[u + 1]; e++)
            arc[e] = !g.directed && g.head[e] < u ? NAN : lm_attribution_edge(a, at++);
    return lm_molecule_drawing_write(ctx, out, &g, vertex, arc, all->scale, options);
}
