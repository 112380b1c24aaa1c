/*
 * Targets as networks learn them, and errors of predictions.
 *
 *   scale   y' = (y - mean) / deviation, both of the training part alone, the deviation unbiased (n - 1)
 *   error   targets: the mean over targets of MAE_t = mean over graphs of |predicted - true|, in the units of y'
 *           classes: the percentage of graphs whose largest output is not their class (the first of equal ones counts)
 *           tasks: the percentage of wrongly predicted labels; an output above 0 predicts 1, any other 0
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
void lm_scale_free(lm_scale *scale);
/* Convert a value of target t from the units of the data to those that networks learn, and back. */
static inline double lm_scale_in(const lm_scale *scale, size_t t, double value)
{
    return scale->applied ? (value - scale->mean[t]) / scale->deviation[t] : value;
}
static inline double lm_scale_out(const lm_scale *scale, size_t t, double value)
{
    return scale->applied ? value * scale->deviation[t] + scale->mean[t] : value;
}

/* What a network learns. */
typedef enum lm_learned { LM_LEARN_TARGETS, LM_LEARN_CLASSES, LM_LEARN_TASKS } lm_learned;

/* The true values that outputs are compared with. Targets are [graphs][outputs] as they are learned, NAN if missing;
 * for tasks 0 is the smaller class and 1 the larger. Classes are [graphs] class numbers, LM_NO_TYPE if missing. */
typedef struct lm_labels {
    double *target;
    uint32_t *class_id;
    size_t missing; /* number of graphs without a class */
} lm_labels;

/* The predictions for some graphs of a data set, or for some of its vertices or arcs. Nothing is owned. */
typedef struct lm_predicted {
    lm_learned learned;
    size_t outputs;          /* targets, classes or tasks */
    const lm_labels *labels; /* of the data set */
    const uint32_t *graph;   /* [graphs] numbers of graphs, vertices or arcs */
    size_t graphs;
    const lm_real *output; /* [graphs][outputs] */
} lm_predicted;

/* Return the error over all outputs, and that of target t; NAN if no true value is known. */
double lm_error_of(const lm_predicted *predicted);
double lm_error_of_target(const lm_predicted *predicted, size_t t);
/* Sets *out to the metric in percent: the accuracy, the balanced accuracy or the area under the ROC curve. The last two
 * are, for tasks, the mean over the tasks for which they are defined (50 if there is none). For any other metric *out
 * is the error. NAN if no true value is known. */
leman_status lm_score_by(leman_context *ctx, const lm_predicted *predicted, leman_score metric, double *out);
/* Sets *out to the balanced accuracy or the area under the ROC curve of one task, or of classes if classes are learned.
 * *out is NAN if no label is known; the area under the ROC curve is also NAN if all labels are equal. */
leman_status lm_score_of_task(leman_context *ctx, const lm_predicted *predicted, leman_score metric, size_t task,
                              double *out);
/* Sets to[outputs] to the softmax of the outputs: the probabilities of the classes. */
void lm_softmax(const lm_real *output, size_t outputs, double *to);

#endif
