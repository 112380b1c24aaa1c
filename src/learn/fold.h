/* One fold of the protocol: learn, choose, test. */
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
    const uint32_t *number; /* [graphs] classes, or NULL: */
    const double *target;   /* [graphs] values */
    size_t classes;
    bool retrain;
} lm_run;

/* What one fold gives. */
typedef struct lm_fold_result {
    leman_fold *fold;
    leman_trial *trial; /* [rounds] */
    double *predicted;  /* [graphs of the test part] class numbers, or values */
} lm_fold_result;

/* Advances the progress by one for every training but that of `retrain`. */
leman_status lm_fold_run(lm_worker *worker, const lm_run *run, size_t fold, lm_fold_result result);

/* The rule of choice. Candidates come with rounds, then C, increasing; among equally good ones the fewest rounds win,
 * then the largest C. Zero-initialise but for `lower`. */
typedef struct lm_grid_choice {
    bool lower;          /* smaller scores are better */
    bool begun, earlier; /* a candidate was seen; one of fewer rounds was seen */
    uint32_t rounds;     /* of the last candidate */
    double here, before; /* the best of these rounds, of fewer rounds */
} lm_grid_choice;

typedef enum lm_verdict {
    LM_VERDICT_WORSE,
    LM_VERDICT_BEST_OF_ROUNDS, /* so far */
    LM_VERDICT_BEST            /* of these and fewer rounds, so far */
} lm_verdict;
lm_verdict lm_grid_choice_see(lm_grid_choice *choice, uint32_t rounds, double score);

#endif
