/* Folds of the protocol: fit, select by the validation score, test. */
#ifndef LM_FOLD_H
#define LM_FOLD_H

#include "base/thread_pool.h"
#include "learn/protocol/estimator.h"
#include "learn/protocol/splits.h"

/* Data and options that all folds share. */
typedef struct lm_run {
    const lm_estimator_factory *factory;
    const leman_splits *splits;
    const double *C; /* [C_count] increasing */
    size_t C_count;
    const uint32_t *number; /* [graphs] class numbers, `classes` if missing; NULL in a regression */
    const double *target;   /* [graphs] targets, NaN if missing; NULL if classes are predicted */
    size_t classes;
    const double *class_weight; /* as in lm_training_set */
    bool balanced;
    leman_score score; /* by which validation selects; not AUTO */
    bool retrain;
} lm_run;

/* Where the result of one fold is written. */
typedef struct lm_fold_result {
    leman_fold *fold;
    leman_trial *trial; /* [rounds] */
    double *predicted;  /* [graphs of the test part] class numbers or values; not written if the label is missing */
} lm_fold_result;

/* Runs `count` folds, at most LM_TOGETHER, whose SVMs are fitted together. The numbers of rounds tried are first ..
 * last, which must be within the range of the factory. Each fold gets the same result as if it ran alone. The progress
 * advances by one for every fit except the final one of `retrain`. */
leman_status lm_folds_run(lm_worker *worker, const lm_run *run, const size_t *fold, size_t count, uint32_t first,
                          uint32_t last, const lm_fold_result *result);

#endif
