/* Eigenvalues and eigenvectors of a symmetric matrix. */
#ifndef LM_EIGEN_H
#define LM_EIGEN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Computes the eigenvalues of the symmetric matrix a[n][n], which is destroyed, into value[n], in no particular order.
 * Let V be the orthogonal matrix whose column i is an eigenvector of value[i]. basis[n][width] becomes V^T basis: if
 * basis is the identity, row i becomes eigenvector i; if basis is a column of ones, entry i becomes the sum of the
 * entries of eigenvector i. width is at most n; if width is 0, basis may be NULL. spare[2 n] is overwritten. Returns
 * false if the iteration does not converge, which happens only if an entry is not finite. Time O(n^3 + n^2 width).
 */
bool lm_eigen(double *a, size_t n, double *basis, size_t width, double *value, double *spare);

#endif
