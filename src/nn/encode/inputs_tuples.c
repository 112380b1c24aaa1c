/* The tuples of a sparse set in batches: computed once with their neighbours and types, then copied (inputs.h). The lists
 * of a tuple are its neighbours along each component and, in directed graphs, those along entering arcs behind them. A
 * self-loop makes no tuple a neighbour of itself. */
#include "graph/dataset.h"
#include "nn/encode/inputs.h"

/* The links of list j of all tuples. */
static const leman_tuple_links *list_of(const leman_tuples *t, size_t j)
{
    return j < t->k ? t->leaving + j : t->entering + (j - t->k);
}

/* Copies the neighbours of a tuple in one list, counted from the first tuple of its graph, with `add` added to each; to
 * may be NULL. Returns their number. */
static size_t copy_list(const leman_tuple_links *links, uint64_t tuple, uint64_t first, size_t add, uint32_t *to)
{
    size_t count = 0;
    for (uint64_t l = links->start[tuple]; l < links->start[tuple + 1]; l++) {
        if (links->tuple[l] == tuple) continue;
        if (to) to[count] = (uint32_t)(links->tuple[l] - first + add);
        count++;
    }
    return count;
}

/* Sets the distances of the pairs of a graph, from the first component to the second. */
static leman_status find_distances(lm_inputs *in, size_t graph)
{
    const leman_tuples *t = in->tuples;
    const leman_graph g = leman_dataset_graph(in->data, graph);
    const uint32_t limit = (uint32_t)in->encoding->options.distance;
    uint64_t row = t->start[graph];
    in->relation.count = 0;
    PASS(lm_vector_reserve(in->ctx, &in->relation, 2 * g.vertices, sizeof(uint32_t)));
    uint32_t *queue = in->relation.items, *distance = queue + g.vertices;
    for (size_t u = 0; u < g.vertices; u++) {
        lm_inputs_distances(&g, u, limit, queue, distance);
        for (; row < t->start[graph + 1] && t->vertex[2 * row] == u; row++)
            in->tuple_type[row] = distance[t->vertex[2 * row + 1]];
    }
    return LEMAN_OK;
}

static leman_status find_types(lm_inputs *in, size_t graph)
{
    const lm_encoding *e = in->encoding;
    const leman_tuples *t = in->tuples;
    const leman_graph g = leman_dataset_graph(in->data, graph);
    const uint32_t *label = in->label + in->data->graph_start[graph], *edge_label = in->edge_label + g.start[0];
    if (e->options.pairs) return e->options.distance ? find_distances(in, graph) : LEMAN_OK;
    for (uint64_t r = t->start[graph]; r < t->start[graph + 1]; r++)
        PASS(lm_encoding_tuple_type(e, &g, label, edge_label, t->vertex + r * t->k, in->tuple_type + r));
    return LEMAN_OK;
}

leman_status lm_inputs_find_tuples(lm_inputs *in)
{
    const lm_encoding *e = in->encoding;
    const size_t lists = (e->directed ? 2 : 1) * (size_t)e->options.k;
    if (!e->options.components) return LEMAN_OK;
    PASS(lm_encoding_tuples(in->ctx, &e->options, in->data, true, &in->tuples));
    const leman_tuples *t = in->tuples;
    PASS_NEW(in->ctx, in->tuple_link, t->graphs + 1);
    PASS_NEW(in->ctx, in->tuple_type, t->tuples);
    in->tuple_link[0] = 0;
    for (size_t g = 0; g < t->graphs; g++) {
        PASS(find_types(in, g));
        in->tuple_link[g + 1] = in->tuple_link[g];
        for (uint64_t r = t->start[g]; r < t->start[g + 1]; r++)
            for (size_t j = 0; j < lists; j++)
                in->tuple_link[g + 1] += copy_list(list_of(t, j), r, t->start[g], 0, NULL);
    }
    return LEMAN_OK;
}

leman_status lm_inputs_write_tuples(lm_inputs *in, size_t graph, const size_t first[LM_SUMMED_SPACES], lm_batch *b)
{
    const leman_tuples *t = in->tuples;
    const lm_listing *to = b->listed;
    const uint64_t from = t->start[graph], end = t->start[graph + 1];
    size_t row = first[LM_LISTED], link = first[LM_LINKS];
    for (uint64_t r = from; r < end; r++, row++) {
        for (size_t j = 0; j < t->k; j++)
            to->member[row * t->k + j] = (uint32_t)first[LM_VERTICES] + t->vertex[r * t->k + j];
        for (size_t j = 0; j < to->lists; j++) {
            to->start[row * to->lists + j] = (uint32_t)link;
            link += copy_list(list_of(t, j), r, from, first[LM_LISTED], to->neighbor + link);
        }
        if (!to->type) continue;
        to->type[row] = in->tuple_type[r];
        in->out_of_vocabulary += to->type[row] == LM_NO_TYPE;
    }
    if (!to->attributes) return LEMAN_OK;
    return lm_inputs_listed_reals(in, graph, t->vertex + from * t->k, end - from,
                                  to->attribute + first[LM_LISTED] * to->attributes);
}
