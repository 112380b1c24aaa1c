/*
 * Targets as networks learn them, and errors of predictions.
 *
 *   scale   y' = (y - mean) / deviation, both of the training part alone, the deviation unbiased (n - 1)
 *   error   targets: the mean over targets of MAE_t = mean over graphs of |predicted - true|, in the units of y'
 *           classes: the percentage of graphs whose largest output is not their class (the first of equal ones counts)
 *           tasks: the percentage of labels that are not 1 where the output is above 0, or not 0 elsewhere
 *   logMAE  the mean over targets of ln MAE_t
 *
 * Missing targets (NAN) and classes count nowhere: means and deviations are those of the values that are known, and a
 * target of which no value is known has no error.
 *
 * Sums are in double and in the order of the graphs: the same for every number of threads.
 */
#ifndef LM_NN_SCORES_H
#define LM_NN_SCORES_H

#include "base/metrics.h"
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

/* What a network learns. */
typedef enum lm_learned { LM_LEARN_TARGETS, LM_LEARN_CLASSES, LM_LEARN_TASKS } lm_learned;

/* Errors over many batches. */
typedef struct lm_score {
    lm_learned learned;
    size_t outputs;               /* targets, classes or tasks */
    size_t graphs, labels, wrong; /* graphs so far; labels of classes or tasks that are known, and predicted wrongly */
    lm_target_score *target;      /* [outputs] of targets */
    lm_real *output;              /* [kept][outputs] of classes or tasks, for scores by rank; NULL: not kept */
    uint32_t *label; /* [kept] classes, or [kept][outputs] of tasks: 0, 1; LM_NO_TYPE: missing. NULL: not kept */
} lm_score;

/* kept: graphs at most whose outputs are kept, for scores of classes and tasks that are not the accuracy. */
leman_status lm_score_new(leman_context *ctx, lm_learned learned, size_t outputs, size_t kept, lm_score *out);
void lm_score_free(leman_context *ctx, lm_score *score);
void lm_score_clear(lm_score *score);
/* predicted[graphs][outputs] of a batch that has its targets or classes. */
void lm_score_add(lm_score *score, const lm_batch *batch, const lm_real *predicted);
/* NAN where nothing is known. */
double lm_score_error(const lm_score *score);
double lm_score_of_target(const lm_score *score, size_t t);
/* By a metric in percent: the accuracy; balanced accuracy and area under the ROC curve, of tasks their mean over the
 * tasks that have it (50 where none has). Any other: the error. NAN where nothing is known. */
leman_status lm_score_by(leman_context *ctx, const lm_score *score, leman_score metric, double *out);
/* Of one task whose outputs are kept; NAN where it has none, the AUC also where all its labels are equal. */
leman_status lm_score_of_task(leman_context *ctx, const lm_score *score, leman_score metric, size_t task, double *out);

/* The mean of ln error[count]: logMAE. */
double lm_log_mean(const double *error, size_t count);

#endif
