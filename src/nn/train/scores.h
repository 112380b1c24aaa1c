/*
 * Targets as networks learn them, and errors of predictions.
 *
 *   scale   y' = (y - mean) / deviation, both of the training part alone, the deviation unbiased (n - 1)
 *   error   targets: the mean over targets of MAE_t = mean over graphs of |predicted - true|, in the units of y'
 *           classes: the percentage of graphs whose largest output is not their class (the first of equal ones counts)
 *           tasks: the percentage of wrongly predicted labels; an output above 0 predicts 1, any other 0
 *   logMAE  the mean over targets of ln MAE_t
 *
 * Missing targets (NAN) and missing classes are ignored: means and deviations are taken over the known values, and a
 * target without any known value has no error.
 *
 * Sums are in double and in the order of the graphs, so they do not depend on the number of threads.
 */
#ifndef LM_NN_SCORES_H
#define LM_NN_SCORES_H

#include "nn/batch.h"
#include "nn/metrics.h"

/* The scales of the target columns that a network learns. */
typedef struct lm_scale {
    size_t count;
    double *mean, *deviation; /* [count] of the training part, always computed; deviations are above 0 */
    bool applied;             /* false: networks learn the targets as they are */
} lm_scale;

/* Computes the scales of the learned columns column[count] of target[graphs][columns] over the graphs
 * training[trained]. A target that does not vary has deviation 1. Free with lm_scale_free(). O(trained * count). */
leman_status lm_scale_measure(leman_context *ctx, const double *target, size_t columns, const size_t *column,
                              size_t count, const uint32_t *training, size_t trained, bool applied, lm_scale *out);
void lm_scale_free(leman_context *ctx, lm_scale *scale);
/* Convert a value of target t from the units of the data to those that networks learn, and back. */
static inline double lm_scale_in(const lm_scale *scale, size_t t, double value)
{
    return scale->applied ? (value - scale->mean[t]) / scale->deviation[t] : value;
}
static inline double lm_scale_out(const lm_scale *scale, size_t t, double value)
{
    return scale->applied ? value * scale->deviation[t] + scale->mean[t] : value;
}

/* For one target: the sum of |predicted - true|, and the number of graphs that have the target. */
typedef struct lm_target_score {
    double sum;
    size_t count;
} lm_target_score;

/* What a network learns. */
typedef enum lm_learned { LM_LEARN_TARGETS, LM_LEARN_CLASSES, LM_LEARN_TASKS } lm_learned;

/* Errors, accumulated over batches. */
typedef struct lm_score {
    lm_learned learned;
    size_t outputs;               /* targets, classes or tasks */
    size_t graphs, labels, wrong; /* graphs so far; known labels of classes or tasks; wrongly predicted ones */
    lm_target_score *target;      /* [outputs] of targets */
    lm_real *output;              /* [kept][outputs] of classes or tasks, for ranking scores; NULL: not stored */
    uint32_t *label; /* [kept] classes, or [kept][outputs] 0, 1 of tasks; LM_NO_TYPE: missing. NULL: not stored */
} lm_score;

/* Creates an empty score. kept: the largest number of graphs whose outputs are stored; scores of classes and tasks
 * other than the accuracy need them. */
leman_status lm_score_new(leman_context *ctx, lm_learned learned, size_t outputs, size_t kept, lm_score *out);
void lm_score_free(leman_context *ctx, lm_score *score);
void lm_score_clear(lm_score *score);
/* Adds the predictions predicted[graphs][outputs] for a batch, which must have its targets or classes. */
void lm_score_add(lm_score *score, const lm_batch *batch, const lm_real *predicted);
/* The error over all outputs, and that of target t. NAN if no true value is known. */
double lm_score_error(const lm_score *score);
double lm_score_of_target(const lm_score *score, size_t t);
/* Sets *out to the metric in percent: the accuracy, the balanced accuracy or the area under the ROC curve. The last two
 * are, for tasks, the mean over the tasks for which they are defined (50 if there is none). For any other metric *out
 * is the error. NAN if no true value is known. */
leman_status lm_score_by(leman_context *ctx, const lm_score *score, leman_score metric, double *out);
/* Sets *out to the metric of one task; its outputs must be stored. NAN if the task has no known label; the area under
 * the ROC curve is also NAN if all labels are equal. */
leman_status lm_score_of_task(leman_context *ctx, const lm_score *score, leman_score metric, size_t task, double *out);

/* Returns the mean of ln error[count]: logMAE. */
double lm_log_mean(const double *error, size_t count);

#endif
