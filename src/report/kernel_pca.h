/* Kernel principal components: graphs as points in the plane. */
#ifndef LM_KERNEL_PCA_H
#define LM_KERNEL_PCA_H

#include "leman.h"

enum { LM_KERNEL_PCA_AXES = 2 };

typedef struct lm_kernel_pca {
    double value[LM_KERNEL_PCA_AXES]; /* the leading eigenvalues, decreasing */
    double share[LM_KERNEL_PCA_AXES]; /* share of the trace: the part of the variance that each axis shows; 0 if there
                                         is none */
} lm_kernel_pca;

/*
 * Computes the two leading eigenpairs (l, v) of the centred matrix H K H, H = I - 11'/n, of a symmetric positive
 * semi-definite K[n][n]. at[2][n] = sqrt(l) v are the coordinates of kernel PCA. The sign of an eigenvector is chosen
 * so that its sum of cubes is positive or, if that is 0, its first nonzero entry. Missing axes (n < 3, K constant) are
 * 0. Uses subspace iteration from a fixed start: O(n^2) a step, O(n) memory beside K.
 */
leman_status lm_kernel_pca_compute(leman_context *ctx, const double *matrix, size_t n, double *at,
                                   lm_kernel_pca *about);

#endif
