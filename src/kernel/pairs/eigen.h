/* Eigenvalues and eigenvectors of a symmetric matrix. */
#ifndef LM_EIGEN_H
#define LM_EIGEN_H

#include "base/thread_pool.h"

/*
 * Computes the eigenvalues of the symmetric matrix a[n][n], which is destroyed, into value[n], in no particular order.
 * Let V be the orthogonal matrix whose column i is an eigenvector of value[i]. basis[n][width] becomes V^T basis: if
 * basis is the identity, row i becomes eigenvector i; if basis is a column of ones, entry i becomes the sum of the
 * entries of eigenvector i. width is at most n; if width is 0, basis may be NULL. spare[2 n] is overwritten. Fails
 * with LEMAN_ERROR_INPUT if the iteration does not converge, which happens only if an entry is not finite, and with
 * LEMAN_ERROR_CANCELLED. Time O(n^3 + n^2 width).
 */
leman_status lm_eigen(lm_worker *worker, double *a, size_t n, double *basis, size_t width, double *value,
                      double *spare);

#endif
