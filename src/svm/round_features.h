/*
 * Features by round, for linear SVMs: the feature vectors of rounds 0 .. h, scaled to length 1, for every h from one
 * refinement.
 *
 * lm_round_features holds the features of all rounds 0 .. H. Those of h rounds are what the kernels give with h rounds:
 * of a colouring the columns of rounds 0 .. h, of local+ with # in the last round the plain rounds before h and the
 * decorated round h, of other kernels everything. lm_rows are those of one h as the linear SVM wants them: nodes
 * (column, value), columns increasing, 8 bytes each, that all folds share. Columns are numbered by decreasing support,
 * so that frequent ones stand together, rare ones by the first row that has them, those of one row last. The constant 1
 * of the bias is behind the last column and has no node.
 *
 * Columns that are multiples of each other (colours that only one graph has, colours that split no more) are merged
 * into one: x_c = f_c u for c in a group becomes F u with F^2 = sum f_c^2. That is a rotation of the feature space:
 * products of rows, the regulariser and with them the optimum stay what they are, and the weight of column c is
 * f_c / F times that of its group. Fewer columns, fewer nodes, the same SVM.
 */
#ifndef LM_ROUND_FEATURES_H
#define LM_ROUND_FEATURES_H

#include "base/temporary.h"

typedef struct lm_round_features {
    leman_features features; /* not normalised; see lm_features_compact() for what a column is */
    leman_kernel *kernel;    /* [kernels] in normal form, colourings with `rounds` rounds */
    size_t kernels;
    uint32_t rounds; /* H; 0 where no kernel is a colouring */
    double *first;   /* [columns] f_c: the value of a column in the first row that has it */
    uint32_t *order; /* [columns] so that those of one group stand together */
    uint8_t *begins; /* [columns] is order[i] the first of its group? */
    lm_mapped
        *mapped; /* that column and value of the features lie in, where memory is short; NULL: they are in memory */
    bool scarce; /* rows that are made of them go into files, too */
} lm_round_features;

/* rounds replaces those of every colouring. Assignment kernels have no products and are refused. */
leman_status lm_round_features_compute(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                       size_t count, uint32_t rounds, lm_round_features *all);
/* Rows of a feature file, as the features of one kernel without rounds. */
leman_status lm_round_features_of_matrix(leman_context *ctx, leman_feature_matrix *matrix, lm_round_features *all);
/* mapped_features.c: its features alone. */
leman_status lm_round_features_matrix_entries(leman_context *ctx, leman_feature_matrix *matrix, lm_round_features *all);
/* What it gives for the graphs row[count], increasing numbers, alone; the same bits. row NULL: for the first count. */
leman_status lm_round_features_select(leman_context *ctx, const lm_round_features *all, const size_t *row, size_t count,
                                      lm_round_features *selected);
/* mapped_features.c: the features alone, in memory where their entries take a quarter of the budget at most. */
leman_status lm_round_features_entries(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal,
                                       size_t count, lm_round_features *all);
/* The same, at most `max` tuples in all rounds or one graph at a time: their entries are never all in memory. */
leman_status lm_round_features_in_slices(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal,
                                         size_t count, uint64_t max, lm_round_features *all);
/* mapped_features.c: moves entries that are in memory into a file, and from here on rows go into files: what is left
 * for others does not depend on how much was held before. */
leman_status lm_round_features_spill(leman_context *ctx, lm_round_features *all);
/* Bytes of its arrays in memory. */
size_t lm_round_features_bytes(const lm_round_features *all);
void lm_round_features_free(leman_context *ctx, lm_round_features *all);
/* Is this column one of h rounds? *feature (may be NULL) gets its kernel, round and key in the features of h rounds;
 * the colours of an orbit are one column, under the smallest of them. */
bool lm_round_features_has(const lm_round_features *all, size_t column, uint32_t h, leman_feature *feature);
/* How many colours column stands for, each with the value of a row there divided by the square root of that. */
uint32_t lm_round_features_colors(const lm_round_features *all, size_t column);

typedef struct lm_node {
    uint32_t column;
    float value;
} lm_node;

typedef struct lm_rows {
    size_t rows, columns; /* columns: of merged features, without the bias */
    size_t shared;        /* the first of them, which more than one row has; a row has at most one other column */
    size_t *start;        /* [rows + 1] the nodes of row i are node[start[i]] .. node[start[i + 1] - 1] */
    const lm_node *node;
    lm_mapped *mapped; /* that they lie in, where memory is short; NULL: they are in memory */
    uint32_t *place;   /* [columns of the features] from 1: where its weight stands; 0: not one of these rounds */
    double *share;     /* [columns of the features] its weight is share * weight[place - 1] */
} lm_rows;

/* The nodes of a row, which are about to be looked at. */
static inline const lm_node *lm_rows_nodes(const lm_rows *rows, size_t row, const lm_node **end)
{
    lm_mapped_touch(rows->mapped, rows->node + rows->start[row],
                    (rows->start[row + 1] - rows->start[row]) * sizeof *rows->node);
    *end = rows->node + rows->start[row + 1];
    return rows->node + rows->start[row];
}

/* The features of h rounds as rows of length 1 (a graph without features has only the bias). O(entries log + columns);
 * 8 bytes a node, which lie in a temporary file where they would take more than half of what is left of the budget. */
leman_status lm_rows_make(leman_context *ctx, const lm_round_features *all, uint32_t h, lm_rows *rows);
void lm_rows_free(leman_context *ctx, lm_rows *rows);

#endif
