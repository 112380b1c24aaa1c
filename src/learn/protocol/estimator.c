/*
 * Estimators and their factory. One refinement computes the features of all rounds for linear SVMs; every number of
 * rounds h has its own rows of length 1. Rows of all h are held in memory until they take half of the budget. For each
 * further h, every estimator makes its own rows, which costs little compared with its training.
 */
#include "learn/protocol/estimator.h"
#include "base/ranks/ranks.h"
#include "base/thread_pool.h"

#define FOLD_BYTES 128 /* at least what fold.c and grid_search.c use for a graph */

/* ---- Estimators ------------------------------------------------------------------------------ */

static leman_status new_kernel_svm(lm_estimator *e, uint32_t rounds, const lm_training_set *set)
{
    const lm_svm_problem problem = {e->factory->gram[rounds - e->factory->min_rounds], e->factory->graphs, *set,
                                    .epsilon = LM_EPSILON};
    return lm_svm_new(e->ctx, &problem, &e->svm);
}

static leman_status new_linear_svm(lm_estimator *e, uint32_t rounds, const lm_training_set *set)
{
    e->rows = e->factory->rows + (rounds - e->factory->min_rounds);
    if (!e->rows->start) {
        PASS(lm_rows_make(e->ctx, &e->factory->features, rounds, &e->own));
        e->rows = &e->own;
    }
    return lm_linear_trainer_new(e->ctx, &(lm_linear_task){e->rows, *set, LM_EPSILON}, &e->trainer);
}

leman_status lm_estimator_new(leman_context *ctx, const lm_estimator_factory *factory, uint32_t rounds,
                              const lm_training_set *set, lm_estimator **out)
{
    SCRATCH_SCOPE(ctx);
    AUTO(lm_estimator_drop) lm_estimator *e = NULL;
    lm_training_set weighted = *set;
    double *weight;
    PASS_SCRATCH(ctx, weight, set->classes);
    weighted.class_weight = lm_training_set_weights(set, weight) ? weight : NULL;
    PASS_NEW(ctx, e, 1);
    *e = (lm_estimator){.ctx = ctx, .factory = factory};
    PASS((factory->svm == LEMAN_SVM_LINEAR ? new_linear_svm : new_kernel_svm)(e, rounds, &weighted));
    return HAND_OVER(out, e);
}

void lm_estimator_free(lm_estimator *e)
{
    if (!e) return;
    lm_svm_free(e->svm);
    lm_linear_trainer_free(e->trainer);
    lm_rows_free(&e->own);
    lm_release(e);
}

leman_status lm_estimator_fit(lm_estimator *const *e, size_t count, double C, const lm_cancellation *cancellation)
{
    lm_linear_trainer *trainer[LM_TOGETHER];
    for (size_t i = 0, end; i < count; i = end) { /* linear SVMs on the same rows are fitted together */
        for (end = i + 1; end < count && e[i]->trainer && e[end]->rows == e[i]->rows && end - i < LM_TOGETHER;) end++;
        for (size_t j = i; j < end; j++) trainer[j - i] = e[j]->trainer;
        PASS(e[i]->svm ? lm_svm_train(e[i]->svm, C, cancellation)
                       : lm_linear_trainer_fit(e[i]->ctx, trainer, end - i, C, cancellation));
    }
    return LEMAN_OK;
}

leman_status lm_estimator_decide(const lm_estimator *e, const uint32_t *item, size_t count, double *decision)
{
    if (e->svm) return lm_svm_decide(e->svm, item, count, decision);
    lm_linear_svm_decide(lm_linear_trainer_svm(e->trainer), e->rows, item, count, decision);
    return LEMAN_OK;
}

/* ---- Their factory --------------------------------------------------------------------------- */

static void drop_rows(lm_estimator_factory *factory)
{
    for (size_t h = 0; factory->rows && h < lm_estimator_factory_rounds(factory); h++) lm_rows_free(factory->rows + h);
}

void lm_estimator_factory_free(lm_estimator_factory *factory)
{
    if (!factory) return;
    for (size_t h = 0; factory->gram && h < lm_estimator_factory_rounds(factory); h++) lm_release(factory->gram[h]);
    lm_release(factory->gram);
    drop_rows(factory);
    lm_release(factory->rows);
    lm_round_features_free(&factory->features);
    lm_release(factory);
}

bool lm_estimator_factory_shrink(leman_context *ctx, leman_status st, lm_estimator_factory *factory)
{
    if (st != LEMAN_ERROR_BUDGET || factory->alone || lm_has_ranks(ctx)) return false;
    drop_rows(factory);
    if (factory->svm == LEMAN_SVM_LINEAR && lm_round_features_spill(ctx, &factory->features)) return false;
    factory->alone = true;
    factory->together = 1;
    lm_trim_memory(); /* otherwise memory freed by the first attempt would still count in the second */
    factory->memory = lm_budget(ctx);
    ctx->message[0] = 0;
    return true;
}

/* Bytes in memory of all nodes, which are stored row after row. */
static size_t bytes_of(const lm_rows *rows)
{
    return rows->mapped ? 0 : rows->start[rows->rows] * sizeof *rows->node;
}

/* How many estimators, and the data that folds hold about every graph, fit the memory of a thread. */
static size_t together(const lm_estimator_factory *factory)
{
    size_t count = LM_TOGETHER, most = 0, graphs = factory->features.features.rows;
    for (size_t h = 0; h < lm_estimator_factory_rounds(factory); h++) {
        if (!factory->rows[h].start) return 1;
        if (factory->rows[h].columns > most) most = factory->rows[h].columns;
    }
    while (count > 1 && lm_linear_svm_bytes(most, graphs, 1, count) + count * graphs * FOLD_BYTES > factory->memory)
        count /= 2;
    return count;
}

static leman_status hold_rows(leman_context *ctx, lm_estimator_factory *factory)
{
    const size_t rounds = lm_estimator_factory_rounds(factory), budget = lm_budget(ctx);
    size_t held = 0;
    PASS_NEW_ZERO(ctx, factory->rows, rounds);
    for (size_t h = 0; h < rounds && held < budget / 2; h++) {
        leman_status st = lm_rows_make(ctx, &factory->features, factory->min_rounds + (uint32_t)h, factory->rows + h);
        if (lm_estimator_factory_shrink(ctx, st, factory)) return LEMAN_OK; /* estimators will make their own rows */
        PASS(st);
        held += bytes_of(factory->rows + h);
    }
    factory->memory = (held < budget ? budget - held : 0) / (size_t)lm_thread_pool_workers(ctx);
    factory->together = together(factory);
    return LEMAN_OK;
}

leman_status lm_estimator_factory_new(leman_context *ctx, leman_svm svm, const leman_dataset *data,
                                      const leman_kernel *kernels, size_t count, lm_round_features *features,
                                      uint32_t min_rounds, uint32_t max_rounds, lm_estimator_factory **out)
{
    AUTO(lm_estimator_factory_drop) lm_estimator_factory *factory = NULL;
    PASS_NEW(ctx, factory, 1);
    *factory = (lm_estimator_factory){.svm = svm,
                                      .multiclass = svm == LEMAN_SVM_LINEAR ? LM_ONE_VS_REST : LM_ONE_VS_ONE,
                                      .min_rounds = min_rounds,
                                      .max_rounds = max_rounds,
                                      .graphs = leman_dataset_shape(data)->graphs};
    if (svm == LEMAN_SVM_KERNEL) {
        PASS(lm_factory_matrices(ctx, data, kernels, count, factory));
        return HAND_OVER(out, factory);
    }
    if (features) {
        factory->features = *features;
        *features = (lm_round_features){0};
    } else {
        PASS(lm_round_features_compute(ctx, data, kernels, count, max_rounds, &factory->features));
    }
    PASS(hold_rows(ctx, factory));
    return HAND_OVER(out, factory);
}
