/*
 * Support vector machines on Gram matrices: for every number of rounds h the normalised matrix of all graphs, as
 * floats [graphs][graphs], computed once; every estimator looks at its own rows and columns of it.
 *
 * One colouring gives all h from one refinement, held as doubles until they are done: 8 bytes a pair of graphs and h.
 * Where that is more than half of the budget, and for sums of kernels, every h is computed by itself: 4 bytes a pair
 * and h, and 8 a pair for the one at hand.
 */
#include "base/text.h"
#include "base/thread_pool.h"
#include "kernel/kernel.h"
#include "learn/estimator.h"
#include "svm/svm.h"
#include <string.h>

/* ---- The matrices ---------------------------------------------------------------------------- */

static void to_floats(const double *from, size_t cells, float *to)
{
    for (size_t i = 0; i < cells; i++) to[i] = (float)from[i];
}

/* All rounds from one refinement. */
static leman_status fill_together(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                  lm_estimator_factory *factory)
{
    leman_status st = LEMAN_OK;
    leman_kernel asked = *kernel;
    size_t cells = factory->graphs * factory->graphs, count = (size_t)factory->max_rounds + 1;
    double **whole = NULL;
    asked.rounds = factory->max_rounds;
    NEW(ctx, whole, count);
    memset(whole, 0, count * sizeof *whole);
    for (size_t h = 0; h < count; h++) NEW(ctx, whole[h], cells);
    TRY(leman_gram_rounds(ctx, data, NULL, &asked, true, whole));
    for (size_t h = factory->min_rounds; h < count; h++) {
        float **gram = factory->gram + h - factory->min_rounds;
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

/* Every h by itself. */
static leman_status fill_one_by_one(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                    size_t count, size_t budget, lm_estimator_factory *factory)
{
    leman_status st = LEMAN_OK;
    size_t cells = factory->graphs * factory->graphs;
    leman_kernel *asked = NULL;
    double *whole = NULL;
    NEW(ctx, asked, count);
    NEW(ctx, whole, cells);
    for (uint32_t h = factory->min_rounds; h <= factory->max_rounds; h++) {
        float **gram = factory->gram + h - factory->min_rounds;
        for (size_t i = 0; i < count; i++) {
            asked[i] = kernels[i];
            asked[i].rounds = h;
        }
        lm_room room = {budget, ((uint64_t)factory->max_rounds - factory->min_rounds + 1) * cells * sizeof(float)};
        TRY(lm_gram_compute(ctx, data, NULL, asked, count, true, room, whole));
        NEW(ctx, *gram, cells);
        to_floats(whole, cells, *gram);
    }
done:
    lm_free(ctx, asked);
    lm_free(ctx, whole);
    return st;
}

static void free_factory(leman_context *ctx, lm_estimator_factory *factory)
{
    for (size_t h = 0; factory->gram && h <= (size_t)factory->max_rounds - factory->min_rounds; h++)
        lm_free(ctx, factory->gram[h]);
    lm_free(ctx, factory->gram);
    *factory = (lm_estimator_factory){0};
}

/* A linear machine needs no matrices, but minima have no features for it. */
static leman_status check_budget(leman_context *ctx, const lm_estimator_factory *factory, const leman_kernel *kernels,
                                 size_t count, size_t budget)
{
    uint64_t matrices = (uint64_t)factory->max_rounds - factory->min_rounds + 1;
    uint64_t required = lm_saturating_multiply(lm_power(factory->graphs, 2), matrices * sizeof(float) + sizeof(double));
    char wants[LM_NUMBER_TEXT], has[LM_NUMBER_TEXT];
    bool minima = false;
    for (size_t i = 0; i < count; i++) minima |= kernels[i].assignment;
    if (required <= budget) return LEMAN_OK;
    return lm_fail(
        ctx, LEMAN_ERROR_BUDGET,
        "the Gram matrices of %zu graphs for %zu numbers of rounds need %s, the memory budget is %s; ask for "
        "fewer rounds at once%s",
        factory->graphs, (size_t)matrices, lm_bytes_text(required, wants), lm_bytes_text(budget, has),
        minima ? "" : ", or for the linear machine (--svm linear)");
}

/* ---- Students -------------------------------------------------------------------------------- */

static leman_status open_estimator(leman_context *ctx, const lm_estimator_factory *factory, uint32_t rounds,
                                   const lm_training_set *set, lm_estimator **out)
{
    lm_svm_problem problem = {.gram = factory->gram[rounds - factory->min_rounds],
                              .graphs = factory->graphs,
                              .item = set->item,
                              .label = set->label,
                              .target = set->target,
                              .count = set->count,
                              .classes = set->classes,
                              .epsilon = LM_EPSILON};
    return lm_svm_new(ctx, &problem, (lm_svm **)out);
}

static leman_status teach(lm_estimator *estimator, double C, const lm_cancellation *cancellation)
{
    return lm_svm_train((lm_svm *)estimator, C, cancellation);
}

static leman_status ask(const lm_estimator *estimator, const uint32_t *item, size_t count, double *decision)
{
    return lm_svm_decide((const lm_svm *)estimator, item, count, decision);
}

static void close_estimator(lm_estimator *estimator)
{
    lm_svm_free((lm_svm *)estimator);
}

static const lm_estimator_type CALLS = {LM_ONE_VS_ONE, open_estimator, teach, ask, close_estimator, free_factory};

leman_status lm_kernel_estimators_new(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                      size_t count, uint32_t min_rounds, uint32_t max_rounds, lm_estimator_factory *out)
{
    leman_status st = LEMAN_OK;
    size_t graphs = leman_dataset_shape(data)->graphs, matrices = (size_t)max_rounds - min_rounds + 1;
    lm_estimator_factory factory = {
        .calls = &CALLS, .graphs = graphs, .min_rounds = min_rounds, .max_rounds = max_rounds};
    size_t budget = lm_budget(ctx);
    TRY(check_budget(ctx, &factory, kernels, count, budget));
    uint64_t together = lm_saturating_multiply(lm_power(graphs, 2), 8 * ((uint64_t)max_rounds + 1) + 4);
    NEW(ctx, factory.gram, matrices);
    memset(factory.gram, 0, matrices * sizeof *factory.gram);
    if (count == 1 && kernels->kind == LEMAN_KERNEL_KIND_COLORS && matrices > 1 && together <= budget / 2)
        TRY(fill_together(ctx, data, kernels, &factory));
    else
        TRY(fill_one_by_one(ctx, data, kernels, count, budget, &factory));
    size_t held = matrices * graphs * graphs * sizeof(float);
    factory.share = (budget - held) / (size_t)lm_thread_pool_workers(ctx);
    *out = factory;
done:
    if (st) free_factory(ctx, &factory);
    return st;
}
