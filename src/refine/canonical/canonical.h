/* Canonical orders inside the library; the contracts are those of leman/canonical.h. */
#ifndef LM_CANONICAL_H
#define LM_CANONICAL_H

#include "refine/canonical/search.h"

/* leman_canonical_order() without checks of arguments, for a context of a worker too. */
leman_status lm_canonical_order(leman_context *ctx, const leman_graph *graph, uint32_t *order, uint32_t *orbit,
                                leman_symmetry *symmetry);
/* Orders all graphs of a data set: order[vertices] counts vertices inside each graph. orbit[vertices] and
 * symmetry[graphs] may be NULL. */
leman_status lm_canonical_orders(leman_context *ctx, const leman_dataset *data, uint32_t *order, uint32_t *orbit,
                                 leman_symmetry *symmetry);
/* Computes the SHA-256 of the line of a graph, leman_graph_text(), without allocating the line. */
void lm_graph_digest(const leman_graph *graph, unsigned char digest[32]);
/* Makes the data set whose vertex i of each graph is vertex order[i] of that graph of `data`. Time and memory:
 * O(result log degree). */
leman_status lm_dataset_reorder(leman_context *ctx, const leman_dataset *data, const uint32_t *order,
                                leman_dataset **out);
/* Returns true if the map of vertex order_a[i] to vertex order_b[i] preserves arcs, labels and attributes. Needs scratch
 * memory for the places of all vertices. */
leman_status lm_orders_agree(leman_context *ctx, const leman_graph *a, const uint32_t *order_a, const leman_graph *b,
                             const uint32_t *order_b, bool *agree);

#endif
