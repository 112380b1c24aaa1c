/*
 * The adjacency matrix A of a graph: A[u][v] is the sum of the weights of the arcs from u to v. The weight of an arc is
 * 1, or its first attribute if the kernel is weighted.
 */
#ifndef LM_ADJACENCY_MATRIX_H
#define LM_ADJACENCY_MATRIX_H

#include "base/thread_pool.h"
#include "graph/dataset.h"

static inline double lm_arc_weight(const leman_graph *graph, uint64_t arc, bool weighted)
{
    return weighted ? graph->edge_attribute[arc * graph->edge_attributes] : 1;
}

/* Fails with LEMAN_ERROR_INPUT, before any work, if weights are wanted and the data set has no edge attributes, or one
 * that is negative or not finite. */
leman_status lm_arc_weights_check(leman_context *ctx, const leman_dataset *data, bool weighted);
/* Writes A to a[n][n]. */
void lm_adjacency_matrix(const leman_graph *graph, bool weighted, double *a);
/* Returns an upper bound of the largest absolute eigenvalue: the square root of the largest row sum of A^2. Regular
 * graphs and stars attain the bound. spare[n] is overwritten. O(n + arcs). */
double lm_radius_bound(const leman_graph *graph, bool weighted, double *spare);
/* Computes the largest absolute eigenvalue of A. Undirected graphs: from all eigenvalues, O(n^3). Directed graphs: from
 * the powers A^(2^i), about 50 n^3. Memory 16 n^2 bytes in the scratch of the worker. */
leman_status lm_spectral_radius(lm_worker *worker, const leman_graph *graph, bool weighted, double *radius);

#endif
