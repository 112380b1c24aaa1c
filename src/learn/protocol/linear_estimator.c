/*
 * Linear SVMs. One refinement computes the features of all rounds; every number of rounds h has its own rows of length
 * 1. Rows of all h are held in memory until they take half of the budget. For each further h, every estimator makes its
 * own rows, which costs little compared with its training.
 */
#include "base/thread_pool.h"
#include "learn/protocol/estimator.h"
#include "svm/linear_svm.h"
#include <string.h>

#define FOLD_BYTES 128 /* at least what fold.c and grid_search.c use for a graph */

typedef struct linear_factory {
    lm_estimator_factory base;
    lm_round_features features;
    lm_rows *rows; /* [max_rounds - min_rounds + 1] */
    bool *held;    /* [max_rounds - min_rounds + 1] whether `rows` holds these rows */
} linear_factory;

typedef struct linear_estimator {
    lm_estimator base;
    const lm_round_features *features;
    const lm_rows *rows; /* the factory's rows, or &own */
    lm_rows own;
    lm_linear_trainer *trainer;
} linear_estimator;

/* ---- Estimators ------------------------------------------------------------------------------ */

static leman_status fit(lm_estimator *const *base, size_t count, double C, const lm_cancellation *cancellation)
{
    lm_linear_trainer *trainer[LM_TOGETHER];
    for (size_t i = 0, end; i < count; i = end) {
        const lm_rows *rows = ((linear_estimator *)base[i])->rows;
        for (end = i; end < count && end - i < LM_TOGETHER; end++) {
            linear_estimator *e = (linear_estimator *)base[end];
            if (e->rows != rows) break;
            trainer[end - i] = e->trainer;
        }
        PASS(lm_linear_trainer_fit(base[i]->ctx, trainer, end - i, C, cancellation));
    }
    return LEMAN_OK;
}

static leman_status decide(const lm_estimator *base, const uint32_t *item, size_t count, double *decision)
{
    const linear_estimator *e = (const linear_estimator *)base;
    lm_linear_svm_decide(lm_linear_trainer_svm(e->trainer), e->rows, item, count, decision);
    return LEMAN_OK;
}

static void free_estimator(lm_estimator *base)
{
    linear_estimator *e = (linear_estimator *)base;
    lm_linear_trainer_free(base->ctx, e->trainer);
    lm_rows_free(base->ctx, &e->own);
    lm_free(base->ctx, e);
}

static const lm_estimator_methods METHODS = {fit, decide, free_estimator};

static leman_status make_estimator(leman_context *ctx, const lm_estimator_factory *base, uint32_t rounds,
                                   const lm_training_set *set, lm_estimator **out)
{
    leman_status st = LEMAN_OK;
    const linear_factory *factory = (const linear_factory *)base;
    size_t at = rounds - base->min_rounds;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    linear_estimator *e = NULL;
    double *weight;
    SCRATCH(ctx, weight, set->classes);
    NEW(ctx, e, 1);
    *e = (linear_estimator){.base = {&METHODS, ctx}, .features = &factory->features, .rows = factory->rows + at};
    if (!factory->held[at]) {
        TRY(lm_rows_make(ctx, &factory->features, rounds, &e->own));
        e->rows = &e->own;
    }
    lm_linear_task task = {.rows = e->rows,
                           .item = set->item,
                           .label = set->label,
                           .target = set->target,
                           .count = set->count,
                           .classes = set->classes,
                           .epsilon = LM_EPSILON};
    if (lm_training_set_weights(set, weight)) task.class_weight = weight;
    TRY(lm_linear_trainer_new(ctx, &task, &e->trainer));
    *out = &e->base;
done:
    if (st && e) free_estimator(&e->base);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

lm_linear_solution lm_linear_estimator_solution(const lm_estimator *base)
{
    const linear_estimator *e = (const linear_estimator *)base;
    return (lm_linear_solution){e->features, e->rows, lm_linear_trainer_svm(e->trainer)};
}

/* ---- Their factory --------------------------------------------------------------------------- */

static size_t numbers_of_rounds(const linear_factory *factory)
{
    return (size_t)factory->base.max_rounds - factory->base.min_rounds + 1;
}

static void drop_rows(leman_context *ctx, linear_factory *factory)
{
    for (size_t h = 0; h < numbers_of_rounds(factory); h++) {
        if (factory->held[h]) lm_rows_free(ctx, factory->rows + h);
        factory->held[h] = false;
    }
}

static void free_factory(leman_context *ctx, lm_estimator_factory *base)
{
    linear_factory *factory = (linear_factory *)base;
    if (factory->rows && factory->held) drop_rows(ctx, factory);
    lm_free(ctx, factory->rows);
    lm_free(ctx, factory->held);
    lm_round_features_free(ctx, &factory->features);
    lm_free(ctx, factory);
}

/* Bytes in memory of all nodes, which are stored row after row. */
static size_t bytes_of(const lm_rows *rows)
{
    return rows->mapped ? 0 : rows->start[rows->rows] * sizeof *rows->node;
}

/* How many estimators, and the data that folds hold about every graph, fit the memory of a thread. */
static size_t together(const linear_factory *factory)
{
    size_t count = LM_TOGETHER, most = 0, graphs = factory->features.features.rows;
    for (size_t h = 0; h < numbers_of_rounds(factory); h++) {
        if (!factory->held[h]) return 1;
        if (factory->rows[h].columns > most) most = factory->rows[h].columns;
    }
    while (count > 1 &&
           lm_linear_svm_bytes(most, graphs, 1, count) + count * graphs * FOLD_BYTES > factory->base.memory)
        count /= 2;
    return count;
}

static leman_status shrink(leman_context *ctx, lm_estimator_factory *base)
{
    linear_factory *factory = (linear_factory *)base;
    drop_rows(ctx, factory);
    return lm_round_features_spill(ctx, &factory->features);
}

static const lm_estimator_factory_methods FACTORY_METHODS = {LM_ONE_VS_REST, make_estimator, free_factory, shrink};

static leman_status hold_rows(leman_context *ctx, linear_factory *factory)
{
    leman_status st = LEMAN_OK;
    size_t rounds = numbers_of_rounds(factory), held = 0, budget = lm_budget(ctx);
    NEW(ctx, factory->rows, rounds);
    NEW(ctx, factory->held, rounds);
    memset(factory->held, 0, rounds * sizeof *factory->held);
    for (size_t h = 0; h < rounds && held < budget / 2; h++) {
        st = lm_rows_make(ctx, &factory->features, factory->base.min_rounds + (uint32_t)h, factory->rows + h);
        if (lm_estimator_factory_shrink(ctx, st, &factory->base)) {
            st = LEMAN_OK; /* estimators will make their own rows, one at a time */
            goto done;
        }
        TRY(st);
        factory->held[h] = true;
        held += bytes_of(factory->rows + h);
    }
    factory->base.memory = (held < budget ? budget - held : 0) / (size_t)lm_thread_pool_workers(ctx);
    factory->base.together = together(factory);
done:
    return st;
}

static leman_status new_factory(leman_context *ctx, uint32_t min_rounds, uint32_t max_rounds, linear_factory **out)
{
    leman_status st = LEMAN_OK;
    NEW(ctx, *out, 1);
    **out = (linear_factory){.base = {.methods = &FACTORY_METHODS, .min_rounds = min_rounds, .max_rounds = max_rounds}};
done:
    return st;
}

leman_status lm_linear_estimator_factory_new(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                             size_t count, uint32_t min_rounds, uint32_t max_rounds,
                                             lm_estimator_factory **out)
{
    leman_status st = LEMAN_OK;
    linear_factory *factory = NULL;
    TRY(new_factory(ctx, min_rounds, max_rounds, &factory));
    TRY(lm_round_features_compute(ctx, data, kernels, count, max_rounds, &factory->features));
    TRY(hold_rows(ctx, factory));
    *out = &factory->base;
done:
    if (st && factory) free_factory(ctx, &factory->base);
    return st;
}

leman_status lm_linear_estimator_factory_select(leman_context *ctx, const lm_round_features *all, const size_t *row,
                                                size_t count, uint32_t min_rounds, uint32_t max_rounds,
                                                lm_estimator_factory **out)
{
    leman_status st = LEMAN_OK;
    linear_factory *factory = NULL;
    TRY(new_factory(ctx, min_rounds, max_rounds, &factory));
    TRY(lm_round_features_select(ctx, all, row, count, &factory->features));
    TRY(hold_rows(ctx, factory));
    *out = &factory->base;
done:
    if (st && factory) free_factory(ctx, &factory->base);
    return st;
}

leman_status lm_linear_estimator_factory_matrix(leman_context *ctx, leman_feature_matrix *matrix,
                                                lm_estimator_factory **out)
{
    leman_status st = LEMAN_OK;
    linear_factory *factory = NULL;
    TRY(new_factory(ctx, 0, 0, &factory));
    TRY(lm_round_features_of_matrix(ctx, matrix, &factory->features));
    TRY(hold_rows(ctx, factory));
    *out = &factory->base;
done:
    if (st && factory) free_factory(ctx, &factory->base);
    return st;
}
