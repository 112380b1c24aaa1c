/*
 * Kernel SVMs. For every number of rounds h, the normalised Gram matrix of all graphs is computed once, as floats
 * [graphs][graphs]. Every estimator uses its own rows and columns of the matrix.
 *
 * A single colouring gets the matrices of all h from one refinement. They are held as doubles until all are done: 8
 * bytes for each pair of graphs and h. If that exceeds half of the budget, and for sums of kernels, every h is computed
 * separately: 4 bytes for each pair and h, and 8 for each pair of the current h.
 */
#include "base/text.h"
#include "base/thread_pool.h"
#include "kernel/kernel.h"
#include "learn/protocol/estimator.h"
#include "svm/svm.h"
#include <string.h>

typedef struct kernel_factory {
    lm_estimator_factory base;
    size_t graphs;
    float **gram; /* [max_rounds - min_rounds + 1][graphs][graphs] */
} kernel_factory;

typedef struct kernel_estimator {
    lm_estimator base;
    lm_svm *svm;
} kernel_estimator;

/* ---- The matrices ---------------------------------------------------------------------------- */

static size_t matrices_of(const kernel_factory *factory)
{
    return (size_t)factory->base.max_rounds - factory->base.min_rounds + 1;
}

static void to_floats(const double *from, size_t cells, float *to)
{
    for (size_t i = 0; i < cells; i++) to[i] = (float)from[i];
}

/* Computes the matrices of all rounds from one refinement. */
static leman_status fill_together(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                  size_t budget, kernel_factory *factory)
{
    leman_status st = LEMAN_OK;
    leman_kernel kernel_h = *kernel;
    size_t cells = factory->graphs * factory->graphs, count = (size_t)factory->base.max_rounds + 1;
    double **whole = NULL;
    kernel_h.coloring.rounds = factory->base.max_rounds;
    NEW(ctx, whole, count);
    memset(whole, 0, count * sizeof *whole);
    for (size_t h = 0; h < count; h++) NEW(ctx, whole[h], cells);
    TRY(lm_kernel_check(ctx, &kernel_h, &kernel_h));
    TRY(lm_gram_rounds(ctx, data, NULL, &kernel_h, true, budget, whole));
    for (size_t h = factory->base.min_rounds; h < count; h++) {
        float **gram = factory->gram + h - factory->base.min_rounds;
        NEW(ctx, *gram, cells);
        to_floats(whole[h], cells, *gram);
        lm_free(ctx, whole[h]);
        whole[h] = NULL;
    }
done:
    for (size_t h = 0; whole && h < count; h++) lm_free(ctx, whole[h]);
    lm_free(ctx, whole);
    return st;
}

/* Computes the matrix of every h separately. */
static leman_status fill_one_by_one(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                    size_t count, size_t budget, kernel_factory *factory)
{
    leman_status st = LEMAN_OK;
    size_t cells = factory->graphs * factory->graphs;
    leman_kernel *kernel_h = NULL;
    double *whole = NULL;
    NEW(ctx, kernel_h, count);
    NEW(ctx, whole, cells);
    for (uint32_t h = factory->base.min_rounds; h <= factory->base.max_rounds; h++) {
        float **gram = factory->gram + h - factory->base.min_rounds;
        for (size_t i = 0; i < count; i++) {
            kernel_h[i] = kernels[i];
            kernel_h[i].coloring.rounds = h;
        }
        lm_memory_limit limit = {budget, matrices_of(factory) * cells * sizeof(float)};
        TRY(lm_gram_compute(ctx, data, NULL, kernel_h, count, true, limit, whole));
        NEW(ctx, *gram, cells);
        to_floats(whole, cells, *gram);
    }
done:
    lm_free(ctx, kernel_h);
    lm_free(ctx, whole);
    return st;
}

/* The message suggests a linear SVM, which needs no matrices, unless the kernel is a sum of minima, which has no
 * features. */
static leman_status check_budget(leman_context *ctx, const kernel_factory *factory, const leman_kernel *kernels,
                                 size_t count, size_t budget)
{
    uint64_t matrices = matrices_of(factory);
    uint64_t required = lm_saturating_multiply(lm_power(factory->graphs, 2), matrices * sizeof(float) + sizeof(double));
    char wants[LM_NUMBER_TEXT], has[LM_BUDGET_TEXT];
    bool minima = false;
    for (size_t i = 0; i < count; i++) minima |= kernels[i].assignment;
    if (required <= budget) return LEMAN_OK;
    return lm_fail(
        ctx, LEMAN_ERROR_BUDGET,
        "the Gram matrices of %zu graph%s for %zu number%s of rounds need %s, the memory budget is %s; ask for "
        "fewer rounds at once%s",
        factory->graphs, lm_plural(factory->graphs), (size_t)matrices, lm_plural((size_t)matrices),
        lm_bytes_text(required, wants), lm_budget_text(ctx, budget, has), minima ? "" : ", or for a linear SVM");
}

/* ---- Estimators ------------------------------------------------------------------------------ */

static leman_status fit(lm_estimator *const *estimator, size_t count, double C, const lm_cancellation *cancellation)
{
    for (size_t i = 0; i < count; i++) PASS(lm_svm_train(((kernel_estimator *)estimator[i])->svm, C, cancellation));
    return LEMAN_OK;
}

static leman_status decide(const lm_estimator *estimator, const uint32_t *item, size_t count, double *decision)
{
    return lm_svm_decide(((const kernel_estimator *)estimator)->svm, item, count, decision);
}

static void free_estimator(lm_estimator *estimator)
{
    lm_svm_free(((kernel_estimator *)estimator)->svm);
    lm_free(estimator->ctx, estimator);
}

static const lm_estimator_methods METHODS = {fit, decide, free_estimator};

static leman_status make_estimator(leman_context *ctx, const lm_estimator_factory *base, uint32_t rounds,
                                   const lm_training_set *set, lm_estimator **out)
{
    leman_status st = LEMAN_OK;
    const kernel_factory *factory = (const kernel_factory *)base;
    lm_svm_problem problem = {.gram = factory->gram[rounds - base->min_rounds],
                              .graphs = factory->graphs,
                              .item = set->item,
                              .label = set->label,
                              .target = set->target,
                              .count = set->count,
                              .classes = set->classes,
                              .epsilon = LM_EPSILON};
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    kernel_estimator *estimator = NULL;
    double *weight;
    SCRATCH(ctx, weight, set->classes);
    if (lm_training_set_weights(set, weight)) problem.class_weight = weight;
    NEW(ctx, estimator, 1);
    *estimator = (kernel_estimator){.base = {&METHODS, ctx}};
    TRY(lm_svm_new(ctx, &problem, &estimator->svm));
    *out = &estimator->base;
done:
    if (st && estimator) free_estimator(&estimator->base);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

const lm_svm *lm_kernel_estimator_svm(const lm_estimator *estimator)
{
    return ((const kernel_estimator *)estimator)->svm;
}

/* ---- Their factory --------------------------------------------------------------------------- */

static void free_matrices(leman_context *ctx, kernel_factory *factory)
{
    for (size_t h = 0; h < matrices_of(factory); h++) {
        lm_free(ctx, factory->gram[h]);
        factory->gram[h] = NULL;
    }
}

static void free_factory(leman_context *ctx, lm_estimator_factory *base)
{
    kernel_factory *factory = (kernel_factory *)base;
    if (factory->gram) free_matrices(ctx, factory);
    lm_free(ctx, factory->gram);
    lm_free(ctx, factory);
}

static const lm_estimator_factory_methods FACTORY_METHODS = {LM_ONE_VS_ONE, make_estimator, free_factory, NULL};

leman_status lm_kernel_estimator_factory_new(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                             size_t count, uint32_t min_rounds, uint32_t max_rounds,
                                             lm_estimator_factory **out)
{
    leman_status st = LEMAN_OK;
    size_t graphs = leman_dataset_shape(data)->graphs, budget = lm_budget(ctx);
    kernel_factory *factory = NULL;
    NEW(ctx, factory, 1);
    *factory = (kernel_factory){
        .base = {.methods = &FACTORY_METHODS, .min_rounds = min_rounds, .max_rounds = max_rounds}, .graphs = graphs};
    size_t matrices = matrices_of(factory);
    TRY(check_budget(ctx, factory, kernels, count, budget));
    uint64_t together = lm_saturating_multiply(lm_power(graphs, 2), 8 * ((uint64_t)max_rounds + 1) + 4);
    NEW(ctx, factory->gram, matrices);
    memset(factory->gram, 0, matrices * sizeof *factory->gram);
    bool one_by_one = count > 1 || kernels->kind != LEMAN_KERNEL_KIND_COLORS || matrices == 1 || together > budget / 2;
    if (!one_by_one) {
        st = fill_together(ctx, data, kernels, budget, factory);
        one_by_one = st == LEMAN_ERROR_BUDGET;
    }
    if (one_by_one) {
        free_matrices(ctx, factory);
        st = fill_one_by_one(ctx, data, kernels, count, budget, factory);
    }
    TRY(st);
    size_t held = matrices * graphs * graphs * sizeof(float);
    factory->base.memory = (budget - held) / (size_t)lm_thread_pool_workers(ctx);
    *out = &factory->base;
done:
    if (st && factory) free_factory(ctx, &factory->base);
    return st;
}
