/*
 * Enumerates all tuples of a sparse space in lexicographic order, without testing all n^k tuples.
 *
 * Components are chosen one by one. Let P be a prefix with r components still to choose. Join two vertices of P if
 * their distance is at most r + 1: r more vertices cannot bridge more. P can be completed only if this graph has at
 * most s connected components. For r = 0 that is the definition of the set; for r > 0 the condition is necessary, and
 * for k <= 3 also sufficient. The candidates for the next component lie in balls around the vertices of P, or are all
 * vertices if one more connected component is allowed.
 */
#ifndef LM_SPARSE_WALK_H
#define LM_SPARSE_WALK_H

#include "refine/sparse/sparse.h"

/* Called with a row and the last components of its tuples, increasing. Returns false to end the walk. */
typedef bool lm_sparse_visit(void *state, const uint32_t *prefix, const uint32_t *last, size_t count);

/* Calls visit for every row that has tuples. Scratch: (5 k + 4) n bytes. Fails with LEMAN_ERROR_CANCELLED after a
 * cancellation. */
leman_status lm_sparse_walk(leman_context *ctx, const lm_sparse_graph *graph, lm_sparse_visit *visit, void *state);

#endif
