/*
 * Choosing the number of rounds and C by cross-validation: for every h and C, machines that were trained on all folds
 * but one decide about that one, so that every graph is decided about by a machine that did not know it. The best score
 * over all graphs wins; of equals the fewest rounds, then the largest C.
 */
#ifndef LM_CHOOSE_H
#define LM_CHOOSE_H

#include "learn/estimator.h"

typedef struct lm_choosing {
    const lm_estimator_factory *factory; /* whose rounds are those to choose from */
    const double *C;                     /* increasing */
    size_t C_count;
    const leman_splits *splits; /* one repetition */
    lm_training_set all;        /* all graphs, in their order */
} lm_choosing;

typedef struct lm_choice {
    uint32_t rounds;
    double C;
    double score;     /* percent of graphs whose class was found; regression: mean absolute error */
    double *decision; /* [graphs][outputs] by machines that did not know the graph; lm_free() */
} lm_choice;

/* Decisions for each graph. */
static inline size_t lm_choosing_outputs(const lm_choosing *q)
{
    return q->all.target ? 1 : lm_multiclass_count(q->factory->calls->machines, q->all.classes);
}

leman_status lm_choose(leman_context *ctx, const lm_choosing *choosing, lm_choice *choice);

#endif
