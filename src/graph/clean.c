/*
 * Applies another policy to a finished data set, so that the same options give the same graphs from the library's
 * binary file as from any other file. A data set that already satisfies the policy is not copied. Any other data set is
 * converted to raw data and assembled again.
 *
 * Time O(vertices + arcs). Memory for a second data set only if something changes.
 */
#include "graph/dataset.h"
#include <string.h>

/* Counts what a policy may object to. Arcs are sorted and simple, so repeated edges cannot occur. */
static leman_status count_findings(leman_context *ctx, const leman_dataset *d, leman_cleaning *out)
{
    SCRATCH_SCOPE(ctx);
    leman_cleaning found = {0};
    bool *joined; /* [vertices]: has an outgoing or incoming arc */
    PASS_SCRATCH_ZERO(ctx, joined, d->vertices);
    for (size_t i = 0; i < d->graphs; i++) {
        leman_graph g = leman_dataset_graph(d, i);
        bool *own = joined + d->graph_start[i];
        found.empty_graphs += !g.vertices;
        for (size_t v = 0; v < g.vertices; v++)
            for (uint64_t e = g.start[v]; e < g.start[v + 1]; e++) {
                found.self_loops += g.head[e] == v;
                own[v] = own[g.head[e]] = true;
            }
    }
    for (size_t v = 0; v < d->vertices; v++) found.isolated_vertices += !joined[v];
    *out = found;
    return LEMAN_OK;
}

static bool satisfies(const leman_dataset *d, const leman_policy *policy, const leman_cleaning *found)
{
    return d->directed == policy->directed && (!found->self_loops || policy->self_loops == LEMAN_ACTION_KEEP) &&
           (!found->isolated_vertices || policy->isolated_vertices == LEMAN_ACTION_KEEP) &&
           (!found->empty_graphs || policy->empty_graphs == LEMAN_ACTION_KEEP);
}

static leman_status append_names(leman_context *ctx, const uint64_t *start, const char *names, size_t count,
                                 lm_vector *ends, lm_vector *bytes)
{
    if (!start) return LEMAN_OK;
    PASS(lm_vector_append(ctx, ends, start + 1, count, sizeof *start));
    return lm_vector_append(ctx, bytes, names, start[count], 1);
}

static leman_status append_arcs(leman_context *ctx, const leman_dataset *d, lm_raw *raw)
{
    PASS(lm_vector_reserve(ctx, &raw->vertex_graph, d->vertices, sizeof(uint32_t)));
    PASS(lm_vector_reserve(ctx, &raw->tail, d->arcs, sizeof(uint32_t)));
    PASS(lm_vector_reserve(ctx, &raw->head, d->arcs, sizeof(uint32_t)));
    uint32_t *graph = raw->vertex_graph.items, *tail = raw->tail.items, *head = raw->head.items;
    for (size_t i = 0; i < d->graphs; i++)
        for (size_t v = d->graph_start[i]; v < d->graph_start[i + 1]; v++) {
            graph[v] = (uint32_t)i;
            for (uint64_t e = d->vertex_start[v]; e < d->vertex_start[v + 1]; e++) {
                tail[e] = (uint32_t)v;
                head[e] = (uint32_t)(d->graph_start[i] + d->arc_head[e]);
            }
        }
    raw->vertex_graph.count = d->vertices;
    raw->tail.count = raw->head.count = d->arcs;
    return LEMAN_OK;
}

/* Converts a data set to raw data, with one line for each arc, as in a TU file. */
static leman_status to_raw(leman_context *ctx, const leman_dataset *d, lm_raw *raw)
{
    const leman_columns *c = &d->columns;
    raw->columns = *c;
    PASS(lm_copy_text(ctx, d->name, strlen(d->name), &raw->name));
    PASS(lm_raw_check_size(ctx, raw, d->graphs, d->vertices));
    raw->graphs = d->graphs;
    raw->first_graph = d->first_graph;
    PASS(append_arcs(ctx, d, raw));
    PASS(lm_vector_append(ctx, &raw->vertex_label, d->vertex_label, d->vertices * c->vertex_labels, 8));
    PASS(lm_vector_append(ctx, &raw->edge_label, d->edge_label, d->arcs * c->edge_labels, 8));
    PASS(lm_vector_append(ctx, &raw->vertex_attribute, d->vertex_attribute, d->vertices * c->vertex_attributes, 8));
    PASS(lm_vector_append(ctx, &raw->edge_attribute, d->edge_attribute, d->arcs * c->edge_attributes, 8));
    PASS(lm_vector_append(ctx, &raw->target, d->target, d->graphs * c->targets, 8));
    PASS(lm_vector_append(ctx, &raw->class_label, d->class_label, c->classes ? d->graphs : 0, 8));
    PASS(append_names(ctx, d->graph_name_start, d->graph_name, d->graphs, &raw->graph_name_end, &raw->graph_name));
    PASS(
        append_names(ctx, d->vertex_name_start, d->vertex_name, d->vertices, &raw->vertex_name_end, &raw->vertex_name));
    return lm_raw_copy_names(ctx, d, raw);
}

leman_status lm_dataset_clean(leman_context *ctx, const leman_policy *policy, leman_cleaning *cleaning,
                              leman_dataset **data)
{
    AUTO(lm_raw_free) lm_raw raw = {0};
    leman_dataset *cleaned = NULL;
    leman_cleaning found;
    PASS(count_findings(ctx, *data, &found));
    if (satisfies(*data, policy, &found)) {
        if (cleaning) *cleaning = found;
        return LEMAN_OK;
    }
    PASS(to_raw(ctx, *data, &raw));
    PASS(lm_dataset_assemble(ctx, &raw, policy, cleaning, &cleaned));
    cleaned->reading = (*data)->reading;
    leman_dataset_free(*data);
    *data = cleaned;
    return LEMAN_OK;
}
