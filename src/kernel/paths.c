/* The shortest-path and graphlet kernels. */
#include "kernel/kernel.h"
leman_status lm_bag_paths(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel, size_t first_graph,
                          size_t block, lm_bag *bag)
{
    (void)data, (void)kernel, (void)first_graph, (void)block, (void)bag;
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "the shortest-path kernel is not in this build");
}
leman_status lm_bag_graphlets(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                              size_t first_graph, size_t block, lm_bag *bag)
{
    (void)data, (void)kernel, (void)first_graph, (void)block, (void)bag;
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "the graphlet kernel is not in this build");
}
