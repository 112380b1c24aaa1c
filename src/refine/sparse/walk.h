/*
 * All tuples of a sparse space, in lexicographic order, without looking at the n^k others.
 *
 * Components are chosen one by one. A prefix P of which r components are still to come can only be completed if the
 * graph on its vertices in which two are joined where their distance is at most r + 1 has at most s components: r more
 * vertices cannot bridge more. For r = 0 that is the definition itself; before, it is a necessary condition that for
 * k <= 3 is also sufficient. The vertices that may come next lie in balls around those that are there, or are all
 * vertices where one component more is allowed.
 */
#ifndef LM_SPARSE_WALK_H
#define LM_SPARSE_WALK_H

#include "refine/sparse/sparse.h"

/* A row with its last components, increasing. False ends the walk. */
typedef bool lm_sparse_visit(void *state, const uint32_t *prefix, const uint32_t *last, size_t count);

/* Calls visit for every row that has tuples. Scratch: (5 k + 4) n bytes. LEMAN_ERROR_CANCELLED when that stops it. */
leman_status lm_sparse_walk(leman_context *ctx, const lm_sparse_graph *graph, lm_sparse_visit *visit, void *state);

#endif
