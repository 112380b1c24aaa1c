/* The score of the best constant prediction, which is reported beside every main result. */
#ifndef LM_BASELINE_H
#define LM_BASELINE_H

#include "learn/protocol/splits.h"

/* Lists the graphs of all test parts, in the scratch memory of the context. */
leman_status lm_split_tested(leman_context *ctx, const leman_splits *splits, lm_part *tested);
/* Computes leman_baseline() of all graphs that are in the test part of a fold. target is LEMAN_NO_TARGET for
 * classes. */
leman_status lm_baseline_of_splits(leman_context *ctx, const leman_dataset *data, const leman_splits *splits,
                                   size_t target, double *score);
/* Computes the mean of leman_baseline() over several columns of targets, each divided by deviation[count], or by 1 if
 * deviation is NULL. */
leman_status lm_baseline_of_targets(leman_context *ctx, const leman_dataset *data, const uint32_t *graphs,
                                    size_t graph_count, const size_t *column, size_t count, const double *deviation,
                                    double *mean);
/* Computes the baseline of several tasks, which are columns of two classes: the percentage of all their labels that a
 * prediction of the majority class of each task gets right. */
double lm_baseline_of_tasks(const leman_dataset *data, const uint32_t *graphs, size_t graph_count, const size_t *column,
                            size_t count);

#endif
