/*
 * Real-valued encodings of the ordered pairs (u, v) of a graph, the columns of the input of pair networks beside the
 * distance:
 *
 *   walk        P[u,v], (P^2)[u,v], ..., (P^K)[u,v]    P[u,w] = 1 / degree(u) for every arc from u to w
 *   resistance  the effective resistance between u and v, if vertices that an arc joins have a wire of resistance 1
 *
 * Walks follow the arcs. A walk ends at a vertex that no arc leaves: its row of P is 0, so that all probabilities of an
 * isolated vertex are 0. Wires have no direction: an arc in either direction, or in both, is one wire. The resistance is
 * 0 for u = v, and -1, which no resistance is, between vertices without a path of wires. Self-loops count for neither.
 *
 * All numbers are computed in 64 bits. With L = degrees - adjacency of the wires, grounding a vertex z of each component
 * (leaving out its row and column) gives G = L^-1, and R[u,v] = G[u,u] + G[v,v] - 2 G[u,v] with G = 0 in the rows and
 * columns of z. G is computed by Gauss-Jordan elimination without pivoting, which is stable for these matrices: they are
 * diagonally dominant, and so are all that elimination makes of them. Walks cost O(K n arcs), resistances O(n^3).
 */
#ifndef LM_PAIR_REALS_H
#define LM_PAIR_REALS_H

#include "nn/encode/encoding.h"

/* Returns the number of columns: K, and 1 for the resistance. */
static inline size_t lm_pair_reals_columns(const lm_encoding_options *options)
{
    return options->walk + options->resistance;
}

/* Writes the columns of all pairs of a graph. Those of (u, v) begin at to[(u * n + v) * stride]. Workspace: n^2 numbers
 * of 64 bits for resistances, 2 n for walks. */
leman_status lm_pair_reals_write(leman_context *ctx, const leman_graph *graph, const lm_encoding_options *options,
                                 size_t stride, lm_real *to);

/* The columns of all graphs of a data set: those of graph g are [n^2][columns], from start[g] on. */
typedef struct lm_pair_reals {
    uint64_t *start; /* [graphs+1]; NULL: the columns are not stored, since they do not fit */
    lm_real *value;
} lm_pair_reals;

/* Computes the columns of all graphs, with threads, if the options have some and they take at most half of the memory
 * that is left. Otherwise *out is empty, and a message is logged. Fails with LEMAN_ERROR_BUDGET, before any work, if the
 * workspace of the largest graph does not fit. */
leman_status lm_pair_reals_compute(leman_context *ctx, const leman_dataset *data, const lm_encoding_options *options,
                                   lm_pair_reals *out);
void lm_pair_reals_free(lm_pair_reals *reals);

#endif
