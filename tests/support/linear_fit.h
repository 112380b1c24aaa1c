/* Trains a linear SVM for one C. */
#ifndef LINEAR_FIT_H
#define LINEAR_FIT_H

#include "svm/linear_svm.h"
#include <string.h>

static inline leman_status test_linear_svm_fit(leman_context *ctx, const lm_linear_task *task, double C,
                                               lm_linear_svm *out)
{
    leman_status st = LEMAN_OK;
    lm_linear_trainer *trainer = NULL;
    double *weight;
    TRY(lm_linear_trainer_new(ctx, task, &trainer));
    TRY(lm_linear_trainer_fit(ctx, &trainer, 1, C, NULL));
    const lm_linear_svm *svm = lm_linear_trainer_svm(trainer);
    const size_t weights = svm->outputs * (svm->columns + 1);
    NEW(ctx, weight, weights);
    memcpy(weight, svm->weight, weights * sizeof *weight);
    *out = *svm;
    out->weight = weight;
done:
    lm_linear_trainer_free(trainer);
    return st;
}

static inline void test_linear_svm_free(lm_linear_svm *svm)
{
    lm_release(svm->weight);
    *svm = (lm_linear_svm){0};
}

#endif
