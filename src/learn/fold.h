/* Folds of the protocol: fit, select by validation, test. */
#ifndef LM_FOLD_H
#define LM_FOLD_H

#include "base/thread_pool.h"
#include "learn/estimator.h"
#include "learn/splits.h"

/* What all folds share. */
typedef struct lm_run {
    const lm_estimator_factory *factory;
    const leman_splits *splits;
    const double *C; /* [C_count] increasing */
    size_t C_count;
    const uint32_t *number; /* [graphs] classes, `classes` where it is missing; or NULL: */
    const double *target;   /* [graphs] values, NaN where they are missing */
    size_t classes;
    const double *class_weight; /* as in lm_training_set */
    bool balanced;
    leman_score score; /* that validation selects by; not AUTO */
    bool retrain;
} lm_run;

/* What one fold gives. */
typedef struct lm_fold_result {
    leman_fold *fold;
    leman_trial *trial; /* [rounds] */
    double *predicted;  /* [graphs of the test part] class numbers, or values; NaN stays where they are missing */
} lm_fold_result;

/* count folds, at most LM_TOGETHER, whose SVMs are fitted side by side, with first to last rounds of those of the
 * factory; each gets what it gets alone. Advances the progress by one for every fit but that of `retrain`. */
leman_status lm_folds_run(lm_worker *worker, const lm_run *run, const size_t *fold, size_t count, uint32_t first,
                          uint32_t last, const lm_fold_result *result);

#endif
