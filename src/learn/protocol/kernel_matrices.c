/*
 * The Gram matrices of kernel SVMs. For every number of rounds h, the normalised Gram matrix of all graphs is computed
 * once, as floats [graphs][graphs]. Every estimator uses its own rows and columns of the matrix.
 *
 * A single colouring gets the matrices of all h from one refinement. They are held as doubles until all are done: 8
 * bytes for each pair of graphs and h. If that exceeds half of the budget, and for sums of kernels, every h is computed
 * separately: 4 bytes for each pair and h, and 8 for each pair of the current h.
 */
#include "base/text.h"
#include "base/thread_pool.h"
#include "kernel/kernel.h"
#include "learn/protocol/estimator.h"
#include <string.h>

static void to_floats(const double *from, size_t cells, float *to)
{
    for (size_t i = 0; i < cells; i++) to[i] = (float)from[i];
}

/* Computes the matrices of all rounds from one refinement. */
static leman_status fill_together(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                  size_t budget, lm_estimator_factory *factory)
{
    leman_status st = LEMAN_OK;
    leman_kernel kernel_h = *kernel;
    size_t cells = factory->graphs * factory->graphs, count = (size_t)factory->max_rounds + 1;
    double **whole = NULL;
    kernel_h.coloring.rounds = factory->max_rounds;
    NEW_ZERO(ctx, whole, count);
    for (size_t h = 0; h < count; h++) NEW(ctx, whole[h], cells);
    TRY(lm_kernel_check(ctx, &kernel_h, &kernel_h));
    TRY(lm_gram_rounds(ctx, data, NULL, &kernel_h, true, budget, whole));
    for (size_t h = factory->min_rounds; h < count; h++) {
        float **gram = factory->gram + h - factory->min_rounds;
        NEW(ctx, *gram, cells);
        to_floats(whole[h], cells, *gram);
        lm_release(whole[h]);
        whole[h] = NULL;
    }
done:
    for (size_t h = 0; whole && h < count; h++) lm_release(whole[h]);
    lm_release(whole);
    return st;
}

/* Computes the matrix of every h separately. */
static leman_status fill_one_by_one(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                    size_t count, size_t budget, lm_estimator_factory *factory)
{
    size_t cells = factory->graphs * factory->graphs;
    AUTO(lm_release_at) leman_kernel *kernel_h = NULL;
    AUTO(lm_release_at) double *whole = NULL;
    PASS_NEW(ctx, kernel_h, count);
    PASS_NEW(ctx, whole, cells);
    for (uint32_t h = factory->min_rounds; h <= factory->max_rounds; h++) {
        float **gram = factory->gram + h - factory->min_rounds;
        for (size_t i = 0; i < count; i++) {
            kernel_h[i] = kernels[i];
            if (!kernels[i].fixed_rounds) kernel_h[i].coloring.rounds = h;
        }
        lm_memory_limit limit = {budget, lm_estimator_factory_rounds(factory) * cells * sizeof(float)};
        PASS(lm_gram_compute(ctx, data, NULL, kernel_h, count, true, limit, whole));
        if (!*gram) PASS_NEW(ctx, *gram, cells); /* fill_together() may have allocated some */
        to_floats(whole, cells, *gram);
    }
    return LEMAN_OK;
}

/* The message suggests a linear SVM, which needs no matrices, unless the kernel is a sum of minima, which has no
 * features. */
static leman_status check_budget(leman_context *ctx, const lm_estimator_factory *factory, const leman_kernel *kernels,
                                 size_t count, size_t budget)
{
    uint64_t matrices = lm_estimator_factory_rounds(factory);
    uint64_t required = lm_saturating_multiply(lm_power(factory->graphs, 2), matrices * sizeof(float) + sizeof(double));
    char wants[LM_NUMBER_TEXT], has[LM_BUDGET_TEXT];
    bool minima = false;
    for (size_t i = 0; i < count; i++) minima |= !leman_kernel_has_features(kernels + i);
    if (required <= budget) return LEMAN_OK;
    return lm_fail(
        ctx, LEMAN_ERROR_BUDGET,
        "the Gram matrices of %zu graph%s for %zu number%s of rounds need %s, the memory budget is %s; ask for "
        "fewer rounds at once%s",
        factory->graphs, lm_plural(factory->graphs), (size_t)matrices, lm_plural((size_t)matrices),
        lm_bytes_text(required, wants), lm_budget_text(ctx, budget, has), minima ? "" : ", or for a linear SVM");
}

leman_status lm_factory_matrices(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                 size_t count, lm_estimator_factory *factory)
{
    leman_status st = LEMAN_ERROR_BUDGET;
    const size_t graphs = factory->graphs, budget = lm_budget(ctx), matrices = lm_estimator_factory_rounds(factory);
    PASS(check_budget(ctx, factory, kernels, count, budget));
    const uint64_t together = lm_saturating_multiply(lm_power(graphs, 2), 8 * ((uint64_t)factory->max_rounds + 1) + 4);
    PASS_NEW_ZERO(ctx, factory->gram, matrices);
    if (count == 1 && lm_kernel_selects_rounds(kernels) && matrices > 1 && together <= budget / 2)
        st = fill_together(ctx, data, kernels, budget, factory);
    if (st == LEMAN_ERROR_BUDGET) st = fill_one_by_one(ctx, data, kernels, count, budget, factory);
    const size_t held = matrices * graphs * graphs * sizeof(float);
    factory->memory = (budget - held) / (size_t)lm_thread_pool_workers(ctx);
    return st;
}
