/* Construction of an evaluation: first its arrays, then the result of every fold, then the means. */
#ifndef LM_EVALUATION_H
#define LM_EVALUATION_H

#include "learn/protocol/fold.h"

static inline size_t lm_evaluation_folds(const leman_evaluation *evaluation)
{
    return evaluation->splits->repetitions * evaluation->splits->folds;
}

/* Allocates the arrays. evaluation->splits and evaluation->rounds must be set; classes->count is 0 in a regression. */
leman_status lm_evaluation_allocate(leman_context *ctx, const lm_classes *classes, leman_evaluation *evaluation);
/* Returns where the result of a fold has to be written. */
lm_fold_result lm_evaluation_fold(const leman_evaluation *evaluation, size_t fold);
/* Computes means, deviations and the confusion matrix. The results of all folds must be there. */
leman_status lm_evaluation_summarize(leman_context *ctx, const lm_classes *classes, leman_evaluation *evaluation);

#endif
