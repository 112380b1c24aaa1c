/*
 * The columns of features as lists of their rows, from which the kernel of one graph with every row is added up:
 *
 *   k(G, i) = sum over the columns c of G of value(G, c) * value(i, c), or of the smaller of both
 *
 * Time: an addition for every column of G and row that has it.
 */
#ifndef LM_FEATURE_LISTS_H
#define LM_FEATURE_LISTS_H

#include "kernel/features/features.h"

typedef struct lm_feature_lists {
    size_t rows;
    size_t *start; /* column c occurs in row[e] with value[e], for e = start[c], ..., start[c + 1] - 1 */
    uint32_t *row;
    double *value;
    double *self; /* [rows] k(i, i) */
    bool *minima; /* [columns] the column belongs to a kernel of minima */
} lm_feature_lists;

/* Makes the lists in the context's scratch. The columns must have names, and belong to these kernels; kernels NULL: all
 * are products. */
leman_status lm_feature_lists_make(leman_context *ctx, const leman_features *features, const leman_kernel *kernels,
                                   lm_feature_lists *lists);
/* Writes the kernel of a graph, which has value[i] in column[i] for i < count, with every row to sum[rows]. The terms of
 * a sum are added in the order of the graph's columns. */
void lm_feature_lists_sum(const lm_feature_lists *lists, const uint32_t *column, const double *value, size_t count,
                          double *sum);

#endif
