/*
 * Features by round, for linear SVMs: the feature vectors of rounds 0 .. h, scaled to length 1, for every h from one
 * refinement.
 *
 * lm_round_features holds the features of all rounds 0 .. H. The features of h rounds are those of the kernels with h
 * rounds: for a colouring the columns of rounds 0 .. h; for local+ with # in the last round the plain rounds before h
 * and the decorated round h; for other kernels all columns. lm_rows holds the features of one h for the linear SVM:
 * nodes (column, value) of 8 bytes, sorted by column, shared by all folds. Columns are numbered by decreasing support,
 * so that frequent columns are adjacent; rare columns are numbered by the first row that has them; columns of a single
 * row come last. The constant 1 of the bias follows the last column and has no node.
 *
 * Columns that are multiples of each other (colours of a single graph, colours that do not split further) are merged:
 * x_c = f_c u for all c of a group becomes F u with F^2 = sum f_c^2. This is a rotation of the feature space: products
 * of rows, the regulariser and the optimum do not change, and the weight of column c is f_c / F times the weight of its
 * group. The SVM is the same, with fewer columns and nodes.
 */
#ifndef LM_ROUND_FEATURES_H
#define LM_ROUND_FEATURES_H

#include "base/mapped.h"

typedef struct lm_round_features {
    leman_features features; /* not normalised; lm_features_compact() describes the columns */
    leman_kernel *kernel;    /* [kernels] in normal form, colourings with `rounds` rounds */
    size_t kernels;
    uint32_t rounds;   /* H; 0 if no kernel is a colouring */
    double *first;     /* [columns] f_c: the value of a column in the first row that has it */
    uint32_t *order;   /* [columns] a permutation that makes the columns of each group adjacent */
    uint8_t *begins;   /* [columns] 1 if order[i] is the first column of its group */
    lm_mapped *mapped; /* file that holds column and value of the features if memory is short; NULL: in memory */
    bool scarce;       /* rows made of these features go to files, too */
} lm_round_features;

/* Computes the features of all rounds. `rounds` replaces the rounds of every colouring. Fails for assignment kernels,
 * which have no feature vectors. Call lm_round_features_free() also after a failure of this or the next functions. */
leman_status lm_round_features_compute(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                       size_t count, uint32_t rounds, lm_round_features *all);
/* Converts the rows of a feature file. All columns belong to every number of rounds. */
leman_status lm_round_features_of_matrix(leman_context *ctx, leman_feature_matrix *matrix, lm_round_features *all);
/* Sets all->features for lm_round_features_of_matrix() (mapped_features.c). */
leman_status lm_round_features_matrix_entries(leman_context *ctx, leman_feature_matrix *matrix, lm_round_features *all);
/* Sets *selected to what lm_round_features_compute() gives for the graphs row[count] alone, bit for bit. The numbers
 * must be increasing; row NULL means the first `count` graphs. */
leman_status lm_round_features_select(leman_context *ctx, const lm_round_features *all, const size_t *row, size_t count,
                                      lm_round_features *selected);
/* Sets all->features for lm_round_features_compute() (mapped_features.c). The entries are in memory if they take at
 * most a quarter of the budget, otherwise in a file. */
leman_status lm_round_features_entries(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal,
                                       size_t count, lm_round_features *all);
/* Like lm_round_features_entries(), but computes slices of graphs with at most `max` tuples in all rounds, or of one
 * graph: the entries of all graphs are never in memory at the same time. */
leman_status lm_round_features_in_slices(leman_context *ctx, const leman_dataset *data, const leman_kernel *normal,
                                         size_t count, uint64_t max, lm_round_features *all);
/* Moves entries that are in memory to a file (mapped_features.c), and makes later rows go to files. Afterwards the free
 * memory does not depend on how much was held before. */
leman_status lm_round_features_spill(leman_context *ctx, lm_round_features *all);
/* Returns the bytes of the arrays in memory. */
size_t lm_round_features_bytes(const lm_round_features *all);
void lm_round_features_free(lm_round_features *all);
/* Returns true if the column belongs to the features of h rounds. *feature (which may be NULL) is then set to its
 * kernel, round and key in the features of h rounds. The colours of an orbit are one column, under the smallest of
 * them. */
bool lm_round_features_has(const lm_round_features *all, size_t column, uint32_t h, leman_feature *feature);
typedef struct lm_node {
    uint32_t column;
    float value;
} lm_node;

typedef struct lm_rows {
    size_t rows, columns; /* columns: of merged features, without the bias */
    size_t shared;        /* the first columns, which more than one row has; a row has at most one other column */
    size_t *start;        /* [rows + 1] the nodes of row i are node[start[i]] .. node[start[i + 1] - 1] */
    const lm_node *node;
    lm_mapped *mapped; /* file that holds the nodes if memory is short; NULL: in memory */
    uint32_t *place;   /* [columns of the features] 1 + the column of its weight; 0: not in these rounds */
    double *share;     /* [columns of the features] the feature's weight is share * weight[place - 1] */
} lm_rows;

/* Returns the nodes of a row, which the caller is about to read, and their end. */
static inline const lm_node *lm_rows_nodes(const lm_rows *rows, size_t row, const lm_node **end)
{
    lm_mapped_touch(rows->mapped, rows->node + rows->start[row],
                    (rows->start[row + 1] - rows->start[row]) * sizeof *rows->node);
    *end = rows->node + rows->start[row + 1];
    return rows->node + rows->start[row];
}

/* Makes rows of length 1 of the features of h rounds (a graph without features only has the bias). Takes 8 bytes per
 * node, in a temporary file if the nodes would take more than half of what is left of the budget. O(entries log +
 * columns). Call lm_rows_free() also after a failure. */
leman_status lm_rows_make(leman_context *ctx, const lm_round_features *all, uint32_t h, lm_rows *rows);
void lm_rows_free(lm_rows *rows);

#endif
