/* The protocol of the field: cross-validation in which a validation part chooses the number of rounds and C. */
#include "base/context.h"

leman_protocol leman_protocol_default(void)
{
    return (leman_protocol){.repetitions = 10, .folds = 10, .most_rounds = 5, .target = LEMAN_NO_TARGET};
}

leman_status leman_evaluate(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                            const leman_protocol *protocol, leman_evaluation *evaluation)
{
    (void)data, (void)kernels, (void)count, (void)protocol, (void)evaluation;
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "evaluation is not in this build");
}

void leman_evaluation_free(leman_context *ctx, leman_evaluation *evaluation)
{
    lm_free(ctx, evaluation->class_label);
    leman_splits_free(ctx, &evaluation->splits);
    lm_free(ctx, evaluation->fold);
    lm_free(ctx, evaluation->trial);
    lm_free(ctx, evaluation->round);
    lm_free(ctx, evaluation->predicted);
    lm_free(ctx, evaluation->confusion);
    *evaluation = (leman_evaluation){0};
}

leman_status leman_compare(leman_context *ctx, const leman_evaluation *a, const leman_evaluation *b,
                           leman_comparison *comparison)
{
    (void)a, (void)b, (void)comparison;
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "comparison is not in this build");
}
