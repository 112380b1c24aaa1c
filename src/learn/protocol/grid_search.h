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

/* Data and options of a search, which all its folds share. */
typedef struct lm_run {
    const lm_estimator_factory *factory; /* its range of rounds is searched */
    const leman_splits *splits;
    const double *C; /* [C_count] increasing */
    size_t C_count;
    lm_training_set all; /* all graphs, in their order; a missing class has the number `classes`, a missing target is
                            NaN */
    leman_score score;   /* that selects h and C; not AUTO */
    bool retrain;        /* for lm_folds_run() */
    bool plain_scores;   /* likewise: weights of graphs count in training alone */
} lm_run;

/* Copies the classes or targets, weights and bounds of the graphs item[count] to the context's scratch. item must outlive *set. */
leman_status lm_run_training_set(leman_context *ctx, const lm_run *run, const uint32_t *item, size_t count,
                                 lm_training_set *set);
/* Computes the score of predictions for the graphs of a set: decision[count][outputs], value[count] of a regression. */
leman_status lm_run_score(leman_context *ctx, const lm_run *run, const lm_training_set *set, const double *decision,
                          const double *value, double *score);

typedef struct lm_grid_result {
    uint32_t rounds;
    double C;
    double score;
    double *decision; /* [graphs][outputs] of the best h and C, by SVMs not trained on the graph */
} lm_grid_result;

/* Searches with the first repetition of the splits. For every h and C, one SVM for each fold is trained on the other
 * folds and decides about this fold, so that no SVM decides about a graph it was trained on. The h and C with the best
 * score over all graphs are selected. No class or target may be missing. The caller provides result->decision. */
leman_status lm_grid_search_run(leman_context *ctx, const lm_run *run, lm_grid_result *result);

#endif
