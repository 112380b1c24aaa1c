/* Folds of the protocol: fit, select by the validation score, test. */
#ifndef LM_FOLD_H
#define LM_FOLD_H

#include "base/thread_pool.h"
#include "learn/protocol/grid_search.h"
#include "learn/protocol/splits.h"

/* Where the result of one fold is written. */
typedef struct lm_fold_result {
    leman_fold *fold;
    leman_trial *trial; /* [rounds] */
    double *predicted;  /* [graphs of the test part] class numbers or values; not written if the label is missing */
    double *decision;   /* [graphs of the test part, then of the validation part] of two classes; otherwise NULL */
} lm_fold_result;

/* Runs `count` folds, at most LM_TOGETHER, whose SVMs are fitted together. The numbers of rounds tried are first ..
 * last, which must be within the range of the factory. Each fold gets the same result as if it ran alone. The progress
 * advances by one for every fit except the final one of `retrain`. */
leman_status lm_folds_run(lm_worker *worker, const lm_run *run, const size_t *fold, size_t count, uint32_t first,
                          uint32_t last, const lm_fold_result *result);

#endif
