/* Turns scores of networks into a leman_evaluation, with the members that kernels and networks have in common. */
#include "base/arguments.h"
#include "base/drop.h"
#include "learn/protocol/baseline.h"
#include "learn/protocol/evaluation.h"
#include "learn/protocol/splits.h"
#include <math.h>
#include <string.h>

static leman_status fill(leman_context *ctx, const leman_dataset *data, const leman_network_evaluation *networks,
                         leman_evaluation *e)
{
    AUTO(lm_classes_free) lm_classes classes = {0};
    const size_t folds = lm_evaluation_folds(e);
    const bool predicts = networks->predicted && networks->outputs == 1,
               measured = networks->target_error && networks->outputs == 1; /* in the units of the data */
    if (networks->classes) PASS(lm_classes_compute_known(ctx, data, &classes));
    PASS(lm_evaluation_allocate(ctx, &classes, e));
    for (size_t i = 0; i < folds; i++) {
        const leman_network_fold *fold = networks->fold + i;
        e->fold[i] = (leman_fold){.repetition = fold->repetition,
                                  .fold = fold->fold,
                                  .C = NAN,
                                  .validation = measured ? networks->target_error[2 * i] : fold->validation,
                                  .test = measured ? networks->target_error[2 * i + 1] : fold->test,
                                  .train = NAN,
                                  .balanced = NAN,
                                  .auc = NAN,
                                  .rmse = NAN,
                                  .r2 = NAN,
                                  .seconds = fold->seconds};
        e->seconds_svm += fold->seconds;
    }
    RELEASE(e->decision, e->probability);
    e->decision = e->probability = NULL;
    if (predicts) {
        memcpy(e->predicted, networks->predicted, (size_t)e->splits->start[2 * folds] * sizeof *e->predicted);
    } else {
        RELEASE(e->predicted, e->confusion);
        e->predicted = NULL;
        e->confusion = NULL;
    }
    PASS(lm_evaluation_summarize(ctx, &classes, e));
    PASS(lm_baseline_of_splits(ctx, data, e->splits, e->target, &e->baseline));
    e->data_checksum = leman_dataset_checksum(data);
    e->splits_checksum = lm_splits_checksum(e->splits);
    e->seed = ctx->settings.seed;
    e->resumed = networks->resumed;
    return LEMAN_OK;
}

leman_status leman_network_evaluation_scores(leman_context *ctx, const leman_dataset *data, const leman_splits *splits,
                                             size_t target, const leman_network_evaluation *networks,
                                             leman_evaluation **evaluation)
{
    AUTO(leman_evaluation_drop) leman_evaluation *e = NULL;
    REQUIRE(ctx, data, splits, networks, evaluation);
    if (splits->repetitions != networks->repetitions || splits->folds != networks->folds ||
        splits->graphs != leman_dataset_shape(data)->graphs)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "found splits of %zu graph%s into %zu times %zu fold%s, expected those of the evaluation",
                       splits->graphs, lm_plural(splits->graphs), splits->repetitions, splits->folds,
                       lm_plural(splits->folds));
    if (networks->tasks)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "found scores of %zu task%s, expected those of classes or of a target", networks->tasks,
                       lm_plural(networks->tasks));
    PASS_NEW_ZERO(ctx, e, 1);
    PASS(lm_splits_copy(ctx, splits, &e->splits));
    e->target = target;
    e->score = networks->classes ? LEMAN_SCORE_ACCURACY : LEMAN_SCORE_MAE;
    PASS(fill(ctx, data, networks, e));
    return HAND_OVER(evaluation, e);
}
