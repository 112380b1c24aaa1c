/* An evaluation in the making: its arrays first, then every fold, then the means. */
#ifndef LM_EVALUATION_H
#define LM_EVALUATION_H

#include "learn/fold.h"

static inline size_t lm_evaluation_folds(const leman_evaluation *evaluation)
{
    return evaluation->splits->repetitions * evaluation->splits->folds;
}

/* An empty one; leman_evaluation_free() it. */
leman_status lm_evaluation_new(leman_context *ctx, leman_evaluation **out);
/* Its arrays, for the splits and rounds, which are set. classes.count is 0 in a regression. */
leman_status lm_evaluation_allocate(leman_context *ctx, const lm_classes *classes, leman_evaluation *evaluation);
/* No predictions and no confusion matrix: there are scores alone. */
void lm_evaluation_drop_predictions(leman_evaluation *evaluation);
/* Where the result of a fold goes. */
lm_fold_result lm_evaluation_fold(const leman_evaluation *evaluation, size_t fold);
/* Means, deviations and the confusion matrix, from all folds. */
leman_status lm_evaluation_summarize(leman_context *ctx, const lm_classes *classes, leman_evaluation *evaluation);

#endif
