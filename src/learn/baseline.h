/* What a constant prediction scores: the number that every headline names beside its own. */
#ifndef LM_BASELINE_H
#define LM_BASELINE_H

#include "base/context.h"

/* leman_baseline() of all graphs that some fold tests. target: LEMAN_NO_TARGET for classes. */
leman_status lm_baseline_of_splits(leman_context *ctx, const leman_dataset *data, const leman_splits *splits,
                                   size_t target, double *score);
/* Of several columns of targets, the mean of leman_baseline(), each divided by its deviation[count] (NULL: by 1). */
leman_status lm_baseline_of_targets(leman_context *ctx, const leman_dataset *data, const uint32_t *graphs,
                                    size_t graph_count, const size_t *column, size_t count, const double *deviation,
                                    double *mean);
/* Of several tasks, columns of two classes each: the percentage of all their labels that the majority class of each
 * task gets right. */
leman_status lm_baseline_of_tasks_in_splits(leman_context *ctx, const leman_dataset *data, const leman_splits *splits,
                                            const size_t *column, size_t count, double *score);
double lm_baseline_of_tasks(const leman_dataset *data, const uint32_t *graphs, size_t graph_count, const size_t *column,
                            size_t count);

#endif
