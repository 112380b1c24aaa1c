/*
 * Graphs that a reader makes in their final form: arcs in both directions, sorted and simple, one graph after the
 * other. They are copied into the block once, without the lists and sorts of assemble.c. The policy is applied to the
 * finished data set. Time and memory O(the data set); memory at most twice its size.
 */
#include "base/drop.h"
#include "graph/dataset.h"
#include <string.h>

void lm_flat_free(lm_flat *flat)
{
    lm_vector_release(&flat->graph_end);
    lm_vector_release(&flat->vertex_end);
    lm_vector_release(&flat->head);
    lm_vector_release(&flat->vertex_label);
    lm_vector_release(&flat->edge_label);
    lm_vector_release(&flat->side);
}

leman_status lm_flat_reserve(leman_context *ctx, lm_flat *flat, const leman_columns *columns, size_t vertices,
                             size_t arcs)
{
    if (vertices > UINT32_MAX - 1 - flat->vertex_end.count || flat->graph_end.count > UINT32_MAX - 2)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "found more graphs or vertices than 32 bits can number");
    PASS(lm_vector_reserve(ctx, &flat->graph_end, 1, sizeof(uint64_t)));
    vertices++; /* so that the arrays exist even if they are empty */
    arcs++;
    PASS(lm_vector_reserve(ctx, &flat->vertex_end, vertices, sizeof(uint64_t)));
    PASS(lm_vector_reserve(ctx, &flat->head, arcs, sizeof(uint32_t)));
    PASS(lm_vector_reserve(ctx, &flat->vertex_label, vertices * columns->vertex_labels, sizeof(int64_t)));
    return lm_vector_reserve(ctx, &flat->edge_label, arcs * columns->edge_labels, sizeof(int64_t));
}

/* Sets start[i + 1] to the end of item i. */
static void copy_ends(const uint64_t *start, const lm_vector *ends)
{
    if (ends->count) memcpy(LM_WRITABLE(uint64_t, start) + 1, ends->items, ends->count * sizeof *start);
}

/* Copies an array and frees the original, so that the two copies exist together only briefly. */
static void move(const void *to, lm_vector *from, size_t size)
{
    if (to && from->count) memcpy(LM_WRITABLE(void, to), from->items, from->count * size);
    lm_vector_release(from);
}

leman_status lm_flat_finish(leman_context *ctx, lm_flat *flat, lm_raw *raw, const leman_policy *policy,
                            leman_cleaning *cleaning, leman_dataset **out)
{
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    leman_dataset shape = {.graphs = flat->graph_end.count,
                           .vertices = flat->vertex_end.count,
                           .arcs = flat->head.count,
                           .graph_name_bytes = raw->columns.graph_names ? raw->graph_name.count : 0,
                           .first_graph = raw->first_graph,
                           .sides = flat->side.count > 0,
                           .columns = raw->columns};
    lm_raw_name_sizes(raw, &shape);
    PASS(lm_dataset_new(ctx, &shape, raw->name, &data));
    PASS(lm_raw_fill_names(ctx, raw, data));
    copy_ends(data->graph_start, &flat->graph_end);
    copy_ends(data->vertex_start, &flat->vertex_end);
    if (data->graph_name_start) copy_ends(data->graph_name_start, &raw->graph_name_end);
    move(data->arc_head, &flat->head, sizeof(uint32_t));
    move(data->vertex_label, &flat->vertex_label, sizeof(int64_t));
    move(data->edge_label, &flat->edge_label, sizeof(int64_t));
    if (data->arc_side) memset(LM_WRITABLE(int8_t, data->arc_side), 0, data->arcs);
    move(data->arc_side, &flat->side, 1);
    move(data->target, &raw->target, sizeof(double));
    move(data->class_label, &raw->class_label, sizeof(int64_t));
    move(data->graph_name, &raw->graph_name, 1);
    lm_dataset_measure(data);
    PASS(lm_dataset_clean(ctx, policy, cleaning, &data));
    return HAND_OVER(out, data);
}
