/*
 * Targets as networks learn them, and errors of predictions.
 *
 *   scale   y' = (y - mean) / deviation, both of the training part alone, the deviation unbiased (n - 1)
 *   error   targets: the mean over targets of MAE_t = mean over graphs of |predicted - true|, in the units of y'
 *           classes: the percentage of graphs whose largest output is not their class (the first of equal ones counts)
 *   logMAE  the mean over targets of ln MAE_t
 *
 * Missing targets (NAN) and classes count nowhere: means and deviations are those of the values that are known, and a
 * target of which no value is known has no error.
 *
 * Sums are in double and in the order of the graphs: the same for every number of threads.
 */
#ifndef LM_NN_SCORES_H
#define LM_NN_SCORES_H

#include "nn/batch.h"

/* Of the columns of targets that a network learns. */
typedef struct lm_scale {
    size_t count;
    double *mean, *deviation; /* [count] of the training part, for every network: deviations above 0 */
    bool applied;             /* false: networks learn the targets as they are */
} lm_scale;

/* target[graphs][columns]; column[count] are those that are learned; training[trained] the graphs to measure. A target
 * that does not vary has deviation 1. Free with lm_scale_free(). O(trained * count). */
leman_status lm_scale_measure(leman_context *ctx, const double *target, size_t columns, const size_t *column,
                              size_t count, const uint32_t *training, size_t trained, bool applied, lm_scale *out);
void lm_scale_free(leman_context *ctx, lm_scale *scale);
/* From the data to what networks learn, and back. */
static inline double lm_scale_in(const lm_scale *scale, size_t t, double value)
{
    return scale->applied ? (value - scale->mean[t]) / scale->deviation[t] : value;
}
static inline double lm_scale_out(const lm_scale *scale, size_t t, double value)
{
    return scale->applied ? value * scale->deviation[t] + scale->mean[t] : value;
}

/* Of one target: the sum of |predicted - true| over so many graphs that have it. */
typedef struct lm_target_score {
    double sum;
    size_t count;
} lm_target_score;

/* Errors over many batches. */
typedef struct lm_score {
    size_t outputs; /* targets or classes */
    bool classes;
    size_t graphs, wrong;    /* that have a class; of those, that got another */
    lm_target_score *target; /* [outputs] of targets */
} lm_score;

void lm_score_clear(lm_score *score);
/* predicted[graphs][outputs] of a batch that has its targets or classes. */
void lm_score_add(lm_score *score, const lm_batch *batch, const lm_real *predicted);
/* NAN where nothing is known. */
double lm_score_error(const lm_score *score);
double lm_score_of_target(const lm_score *score, size_t t);

/* The mean of ln error[count]: logMAE. */
double lm_log_mean(const double *error, size_t count);

#endif
