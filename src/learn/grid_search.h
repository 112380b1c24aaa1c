/*
 * Grid search over the number of rounds h and C: the rule that selects one of the candidates, and the search by
 * cross-validation that a model is fitted with.
 */
#ifndef LM_GRID_SEARCH_H
#define LM_GRID_SEARCH_H

#include "learn/estimator.h"

/* The rule of selection. Candidates come with rounds, then C, increasing; among equally good ones the fewest rounds
 * win, then the largest C. Zero-initialise but for `lower`. */
typedef struct lm_selection {
    bool lower;          /* smaller scores are better */
    bool begun, earlier; /* a candidate was seen; one of fewer rounds was seen */
    uint32_t rounds;     /* of the last candidate */
    double here, before; /* the best of these rounds, of fewer rounds */
} lm_selection;

typedef enum lm_improvement {
    LM_IMPROVEMENT_NONE,
    LM_IMPROVEMENT_BEST_OF_ROUNDS, /* so far */
    LM_IMPROVEMENT_BEST            /* of these and fewer rounds, so far */
} lm_improvement;
lm_improvement lm_selection_update(lm_selection *selection, uint32_t rounds, double score);

/* For every h and C, SVMs that were trained on all folds but one decide about that one, so that every graph is decided
 * about by an SVM that was not trained on it. The best score over all graphs is selected. */
typedef struct lm_grid_search {
    const lm_estimator_factory *factory; /* whose rounds are those to choose from */
    const double *C;                     /* increasing */
    size_t C_count;
    const leman_splits *splits; /* one repetition */
    lm_training_set all;        /* all graphs, in their order */
    leman_score score;          /* that selects; not AUTO */
} lm_grid_search;

typedef struct lm_grid_result {
    uint32_t rounds;
    double C;
    double score;
    double *decision; /* [graphs][outputs] by SVMs that were not trained on the graph; lm_free() */
} lm_grid_result;

leman_status lm_grid_search_run(leman_context *ctx, const lm_grid_search *search, lm_grid_result *result);

#endif
