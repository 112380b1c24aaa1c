/*
 * Grid search over the number of rounds h and C: the rule that selects a candidate, and the search by cross-validation
 * with which a model is fitted.
 */
#ifndef LM_GRID_SEARCH_H
#define LM_GRID_SEARCH_H

#include "learn/protocol/estimator.h"

/* State of the selection rule. Candidates must be given by increasing rounds, then increasing C. Among equally good
 * candidates the one with the fewest rounds wins, then the one with the largest C. Zero-initialise all members except
 * `lower`. */
typedef struct lm_selection {
    bool lower;          /* smaller scores are better */
    bool begun, earlier; /* a candidate was given; one with fewer rounds than the last was given */
    uint32_t rounds;     /* those of the last candidate */
    double here, before; /* best score with these rounds; with fewer rounds */
} lm_selection;

typedef enum lm_improvement {
    LM_IMPROVEMENT_NONE,
    LM_IMPROVEMENT_BEST_OF_ROUNDS, /* best of its number of rounds so far */
    LM_IMPROVEMENT_BEST            /* best of all so far */
} lm_improvement;
lm_improvement lm_selection_update(lm_selection *selection, uint32_t rounds, double score);

/* A search. For every h and C, one SVM for each fold is trained on the other folds and decides about this fold, so that
 * no SVM decides about a graph it was trained on. The h and C with the best score over all graphs are selected. */
typedef struct lm_grid_search {
    const lm_estimator_factory *factory; /* its range of rounds is searched */
    const double *C;                     /* increasing */
    size_t C_count;
    const leman_splits *splits; /* one repetition */
    lm_training_set all;        /* all graphs, in their order */
    leman_score score;          /* that selects h and C; not AUTO */
} lm_grid_search;

typedef struct lm_grid_result {
    uint32_t rounds;
    double C;
    double score;
    double *decision; /* [graphs][outputs] of the best h and C, by SVMs not trained on the graph; lm_release() */
} lm_grid_result;

leman_status lm_grid_search_run(leman_context *ctx, const lm_grid_search *search, lm_grid_result *result);

#endif
