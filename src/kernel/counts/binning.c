/* Random binnings of vertex attributes as one more column of vertex labels. */
#include "kernel/counts/binning.h"
#include "base/drop.h"
#include "kernel/counts/directions.h"

leman_status lm_attributes_check(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel)
{
    if (!kernel->binnings || !data->vertices || data->columns.vertex_attributes) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found no vertex attributes, expected those that the kernel bins",
                   data->name);
}

/* Writes label[columns] of a vertex: its labels, unless they are ignored, and the bin of its attributes. */
static void label_vertex(const leman_graph *g, size_t v, const double *direction, double offset, const leman_kernel *k,
                         uint64_t mark, size_t columns, int64_t *label)
{
    double sum = offset;
    for (size_t j = 0; j < g->vertex_attributes; j++)
        sum += direction[j] * g->vertex_attribute[v * g->vertex_attributes + j];
    for (size_t c = 0; c + 1 < columns; c++) label[c] = g->vertex_label[v * g->vertex_labels + c];
    label[columns - 1] = (int64_t)lm_mix(mark + lm_bin(sum, k->bin_width));
}

leman_status lm_binned_new(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel, uint32_t binning,
                           lm_binned *out)
{
    SCRATCH_SCOPE(ctx);
    AUTO(lm_binned_free) lm_binned binned = {.data = *data, .kernel = *kernel};
    const uint64_t key = lm_direction_key(kernel->hash_seed, binning, 0);
    const double offset = lm_direction_offset(key, kernel->bin_width);
    const size_t columns = (kernel->coloring.ignore_vertex_labels ? 0 : data->columns.vertex_labels) + 1;
    double *direction;
    PASS(lm_attributes_check(ctx, data, kernel));
    PASS_SCRATCH(ctx, direction, data->columns.vertex_attributes);
    for (size_t j = 0; j < data->columns.vertex_attributes; j++) direction[j] = lm_direction(key, j, false);
    PASS_NEW(ctx, binned.graph_start, data->graphs + 1);
    PASS_NEW(ctx, binned.label, (size_t)lm_saturating_multiply(data->vertices, columns));
    binned.graph_start[0] = 0;
    for (size_t i = 0; i < data->graphs; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        int64_t *label = binned.label + binned.graph_start[i] * columns;
        for (size_t v = 0; v < g.vertices; v++, label += columns)
            label_vertex(&g, v, direction, offset, kernel, key, columns, label);
        binned.graph_start[i + 1] = binned.graph_start[i] + g.vertices;
    }
    /* the vertices of the view are counted from 0, also if the data is a range of graphs */
    binned.data.vertex_start = data->vertex_start + data->graph_start[0];
    binned.data.graph_start = binned.graph_start;
    binned.data.vertex_label = binned.label;
    binned.data.columns.vertex_labels = columns;
    binned.data.columns.vertex_attributes = 0;
    binned.data.vertex_attribute = NULL;
    binned.kernel.coloring.ignore_vertex_labels = false;
    binned.kernel.binnings = 0;
    return HAND_OVER(out, binned);
}

void lm_binned_free(lm_binned *binned)
{
    RELEASE(binned->label, binned->graph_start);
    *binned = (lm_binned){0};
}
