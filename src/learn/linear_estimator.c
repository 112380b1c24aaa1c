/*
 * Linear machines on explicit features: one refinement gives the features of all rounds; every number of rounds h has
 * its rows of length 1. Rows of all h are held while they fit half of the budget; those of further h are made by every
 * estimator for itself, which is little beside its training.
 */
#include "base/thread_pool.h"
#include "learn/estimator.h"
#include "svm/linear.h"
#include <linear.h>
#include <string.h>

struct lm_estimator {
    leman_context *ctx;
    lm_training_set set;
    const lm_rows *rows; /* the factory's, or: */
    lm_rows own;
    lm_linear_svm svm;
};

struct lm_linear_state {
    lm_round_features features_by_round;
    lm_rows *rows; /* [most - least + 1] */
    bool *held;    /* [most - least + 1] */
};

/* ---- The rows -------------------------------------------------------------------------------- */

static void free_factory(leman_context *ctx, lm_estimator_factory *factory)
{
    struct lm_linear_state *state = factory->linear;
    size_t rounds = (size_t)factory->max_rounds - factory->min_rounds + 1;
    if (state) {
        for (size_t h = 0; state->rows && state->held && h < rounds; h++)
            if (state->held[h]) lm_rows_free(ctx, state->rows + h);
        lm_free(ctx, state->rows);
        lm_free(ctx, state->held);
        lm_round_features_free(ctx, &state->features_by_round);
    }
    lm_free(ctx, state);
    *factory = (lm_estimator_factory){0};
}

/* Bytes of all nodes; they stand one row behind the other. */
static size_t bytes_of(const lm_rows *rows)
{
    if (!rows->rows) return 0;
    const struct feature_node *end = rows->row[rows->rows - 1];
    while (end->index != -1) end++;
    return (size_t)(end + 1 - rows->node) * sizeof *end;
}

static leman_status hold_rows(leman_context *ctx, lm_estimator_factory *factory)
{
    leman_status st = LEMAN_OK;
    struct lm_linear_state *state = factory->linear;
    size_t rounds = (size_t)factory->max_rounds - factory->min_rounds + 1, held = 0, budget = lm_budget(ctx);
    NEW(ctx, state->rows, rounds);
    NEW(ctx, state->held, rounds);
    memset(state->held, 0, rounds * sizeof *state->held);
    for (size_t h = 0; h < rounds && held < budget / 2; h++) {
        TRY(lm_rows_make(ctx, &state->features_by_round, factory->min_rounds + (uint32_t)h, state->rows + h));
        state->held[h] = true;
        held += bytes_of(state->rows + h);
    }
    factory->share = (held < budget ? budget - held : 0) / (size_t)lm_thread_pool_workers(ctx);
done:
    return st;
}

/* ---- Students -------------------------------------------------------------------------------- */

static void close_estimator(lm_estimator *estimator)
{
    leman_context *ctx = estimator->ctx;
    lm_linear_free(ctx, &estimator->svm);
    lm_rows_free(ctx, &estimator->own);
    lm_free(ctx, estimator);
}

static leman_status open_estimator(leman_context *ctx, const lm_estimator_factory *factory, uint32_t rounds,
                                   const lm_training_set *set, lm_estimator **out)
{
    leman_status st = LEMAN_OK;
    const struct lm_linear_state *state = factory->linear;
    size_t round = rounds - factory->min_rounds;
    lm_estimator *estimator = NULL;
    NEW(ctx, estimator, 1);
    *estimator = (lm_estimator){.ctx = ctx, .set = *set, .rows = state->rows + round};
    if (!state->held[round]) {
        TRY(lm_rows_make(ctx, &state->features_by_round, rounds, &estimator->own));
        estimator->rows = &estimator->own;
    }
    *out = estimator;
done:
    if (st && estimator) close_estimator(estimator);
    return st;
}

/* Begins from the machine of the C before. */
static leman_status teach(lm_estimator *estimator, double C, const lm_cancellation *cancellation)
{
    leman_status st = LEMAN_OK;
    const lm_training_set *set = &estimator->set;
    const lm_linear_svm *start = estimator->svm.weight ? &estimator->svm : NULL;
    lm_linear_svm next = {0};
    if (set->target)
        TRY(lm_linear_regress(estimator->ctx, estimator->rows, set->item, set->target, set->count, LM_EPSILON, C, start,
                              &next));
    else
        TRY(lm_linear_train(estimator->ctx, estimator->rows, set->item, set->label, set->count, set->classes, C, start,
                            &next));
    lm_linear_free(estimator->ctx, &estimator->svm);
    estimator->svm = next;
    TRY(lm_cancellation_status(cancellation));
done:
    return st;
}

static leman_status ask(const lm_estimator *estimator, const uint32_t *item, size_t count, double *decision)
{
    lm_linear_decide(&estimator->svm, estimator->rows, item, count, decision);
    return LEMAN_OK;
}

static const lm_estimator_type CALLS = {LM_ONE_VS_REST, open_estimator, teach, ask, close_estimator, free_factory};

leman_status lm_linear_estimators_new(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                      size_t count, uint32_t min_rounds, uint32_t max_rounds, lm_estimator_factory *out)
{
    leman_status st = LEMAN_OK;
    lm_estimator_factory factory = {.calls = &CALLS,
                                    .graphs = leman_dataset_shape(data)->graphs,
                                    .min_rounds = min_rounds,
                                    .max_rounds = max_rounds};
    NEW(ctx, factory.linear, 1);
    memset(factory.linear, 0, sizeof *factory.linear);
    TRY(lm_round_features_compute(ctx, data, kernels, count, max_rounds, &factory.linear->features_by_round));
    TRY(hold_rows(ctx, &factory));
    *out = factory;
done:
    if (st) free_factory(ctx, &factory);
    return st;
}

const lm_round_features *lm_linear_estimators_features(const lm_estimator_factory *factory)
{
    return &factory->linear->features_by_round;
}
