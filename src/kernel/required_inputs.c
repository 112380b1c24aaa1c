/* The parts of a data set that kernels use. */
#include "kernel/required_inputs.h"

static bool looks_at_edge_labels(const leman_kernel *kernel)
{
    const bool graphlets = kernel->kind == LEMAN_KERNEL_KIND_GRAPHLET && kernel->graphlet == 3;
    const bool balls = kernel->kind == LEMAN_KERNEL_KIND_NEIGHBORHOOD_PAIRS || kernel->kind == LEMAN_KERNEL_KIND_TREES;
    return !kernel->coloring.ignore_edge_labels && (kernel->kind == LEMAN_KERNEL_KIND_COLORS || graphlets || balls);
}

static bool looks_at_directions(const leman_kernel *kernel)
{
    return kernel->kind != LEMAN_KERNEL_KIND_GRAPHLET || kernel->graphlet == 3;
}

lm_required_inputs lm_kernels_required_inputs(const leman_kernel *kernels, size_t count, const leman_dataset *data)
{
    lm_required_inputs required = {.vertices = data->vertices > 0, .arcs = data->arcs > 0};
    for (size_t i = 0; i < count; i++) {
        if (looks_at_directions(kernels + i)) required.directed = data->directed;
        if (looks_at_directions(kernels + i) && !kernels[i].coloring.ignore_vertex_labels)
            required.vertex_labels = data->columns.vertex_labels;
        if (looks_at_edge_labels(kernels + i)) required.edge_labels = data->columns.edge_labels;
    }
    return required;
}

static leman_status check_labels(leman_context *ctx, const char *name, const char *of, size_t found, size_t expected,
                                 const char *as)
{
    if (found == expected) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %zu column%s of %s labels, expected %zu, %s", name, found,
                   lm_plural(found), of, expected, as);
}

leman_status lm_required_inputs_check(leman_context *ctx, const char *name, lm_required_inputs found,
                                      lm_required_inputs expected, const char *as)
{
    if (found.directed != expected.directed)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %s graphs, expected %s ones, %s", name,
                       found.directed ? "directed" : "undirected", expected.directed ? "directed" : "undirected", as);
    if (found.vertices && expected.vertices)
        PASS(check_labels(ctx, name, "vertex", found.vertex_labels, expected.vertex_labels, as));
    if (found.arcs && expected.arcs) PASS(check_labels(ctx, name, "edge", found.edge_labels, expected.edge_labels, as));
    return LEMAN_OK;
}
