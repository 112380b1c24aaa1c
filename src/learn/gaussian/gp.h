/*
 * Gaussian processes on graph kernels. A Gaussian process is a regression model with support graphs, all training
 * graphs (learn/model/model.h: kernels, features, data; coefficient = alpha, bias = mean), and what it needs to be exact:
 * a weight for every block, the noise, the targets and the factor of the covariance.
 *
 * Block b of kernel i and round r has number offset[i] + r; kernels without rounds have one block.
 */
#ifndef LM_GP_H
#define LM_GP_H

#include "learn/gaussian/likelihood.h"
#include "learn/model/model.h"

#define LM_GP_MAGIC "LEMANGP\n"

struct leman_gp {
    leman_gp_shape shape; /* its pointers are set by lm_gp_complete() */
    leman_model *model;
    uint32_t *block_kernel, *block_round; /* [blocks] */
    double *weight;                       /* [blocks] */
    double *target;                       /* [n] of the training graphs */
    double *spread;                       /* [n] 1 / the weight of a training graph; NULL: 1 each */
    double *factor;                       /* [n][n] L */
    double *alpha;                        /* [n] K^-1 (y - mean); model->coefficient */
};

/* Numbers the blocks of the model's kernels: sets block_kernel, block_round and shape.blocks. */
leman_status lm_gp_set_blocks(leman_context *ctx, leman_gp *gp);
/* Completes gp->shape and the model; all other members must be complete, except shape.log_likelihood and the mean, which
 * are computed from factor and target. O(n^2). */
leman_status lm_gp_complete(leman_context *ctx, leman_gp *gp);
static inline size_t lm_gp_size(const leman_gp *gp)
{
    return gp->model->features.rows;
}
/* The leave-one-out predictions from the diagonal of the inverse of K; mean, std or error may be NULL. *error is the root
 * of their mean squared error, in which a training graph of weight w counts as w graphs. */
void lm_gp_left_out(const leman_gp *gp, const double *diagonal, double *mean, double *std, double *error);
/* Reads a Gaussian process from bytes in memory, with the path only in messages, or from the file if bytes.data is NULL. */
leman_status lm_gp_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_gp **out);

/* ---- Kernel matrices ------------------------------------------------------------------------- */

/* Features of training graphs by column, to be compared with other graphs. */
typedef struct lm_columns_of {
    size_t blocks, n;
    const leman_kernel *kernel;
    const leman_features *features;
    uint32_t *block; /* [columns] the block of a column */
    bool *minima;    /* [columns] the kernel of the column is a sum of minima */
    size_t *start;   /* [columns + 1] column c occurs in graph[e] with value[e], e = start[c] .. start[c + 1] - 1 */
    uint32_t *graph; /* increasing within a column */
    double *value;
    double *self; /* [n][blocks] k_b(S, S) */
} lm_columns_of;
/* Makes the lists in the context's scratch. O(entries). */
leman_status lm_columns_list(leman_context *ctx, const leman_gp *gp, lm_columns_of *columns);
/* Writes k_b(G, S) of a graph, not normalised, into kernel[blocks][n] for the first `n` training graphs. The graph's
 * entries are in columns of the training graphs. */
void lm_columns_multiply(const lm_columns_of *columns, const uint32_t *column, const double *value, size_t entries,
                         size_t n, double *kernel);
/* Computes the triangles of K_b of all training graphs; block[blocks] point to n (n + 1) / 2 doubles each. */
leman_status lm_gp_triangles(leman_context *ctx, const leman_gp *gp, const lm_triangles *triangles);
/* Fails with LEMAN_ERROR_BUDGET if the triangles of n graphs and the matrices of lm_posterior_bytes() do not fit into the
 * budget. */
leman_status lm_gp_check_memory(leman_context *ctx, size_t n, size_t blocks);
/* Allocates the triangles and computes them, after lm_gp_check_memory(); free block[0]. */
leman_status lm_gp_kernels_new(leman_context *ctx, const leman_gp *gp, lm_triangles *triangles);

/* New graphs, over the columns of the training graphs. */
typedef struct lm_gp_rows {
    leman_features features; /* the entries that have a column */
    double *self;            /* [rows][blocks] k_b(G, G), with entries that have no column */
    double *unknown;         /* [rows][blocks] the part of self without a column */
} lm_gp_rows;
/* Computes the features of the data, as the kernels use it. Free with lm_gp_rows_free(); self and unknown are scratch. */
leman_status lm_gp_rows_compute(leman_context *ctx, const leman_gp *gp, const leman_dataset *data, lm_gp_rows *rows);
void lm_gp_rows_free(lm_gp_rows *rows);
/* Writes the covariance of row i with the first n training graphs into covariance[n], and returns its prior variance.
 * kernel[blocks][n] is workspace. */
double lm_gp_covariance(const leman_gp *gp, const lm_columns_of *columns, const lm_gp_rows *rows, size_t i, size_t n,
                        double *kernel, double *covariance);

#endif
