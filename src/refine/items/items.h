/*
 * Items: what some algorithms colour instead of k-tuples (variant.h). The space of a graph's items is an lm_space of k = 1
 * whose `n` is the number of items, so that histograms, stability and comparison see a colouring of single things.
 *
 *   pairs      (u, v) in the domain of the algorithm, row by row; then, if pairs are pooled, an item for each vertex: the
 *              multiset of the colours of its row (VS) or of its column (SV)
 *   vertices   each vertex sees every vertex together with its distance
 *   sets       of at most k vertices that induce at most s components, the smaller ones first
 *
 * docs/color_definition.md has the formulas. Memory: pairs n^2 colours, or those of the balls of a distance; vertices
 * n^2 keys; sets k numbers and k links for each set.
 */
#ifndef LM_ITEMS_H
#define LM_ITEMS_H

#include "refine/space.h"

enum { LM_NO_ITEM = UINT32_MAX };

struct lm_items {
    const lm_item_rule *rule;
    unsigned k; /* components of an item, at most */
    size_t n;   /* vertices of the graph */
    size_t own; /* items without those of pools */
    /* Pairs. start and last are NULL if all pairs are coloured: (u, v) is item u n + v. */
    uint64_t *start; /* [n + 1] the pairs of row u */
    uint32_t *last;  /* [pairs] their second vertices, increasing within a row */
    uint32_t *code;  /* [pairs] the distance, if first colours contain it */
    uint64_t *key;   /* [n][n] vertices: the hash of what v knows of w beside its colour */
    /* Sets. */
    uint32_t *member; /* [sets][k] increasing, then LM_NO_ITEM */
    uint32_t *less;   /* [sets][k] the sets with one vertex less, then LM_NO_ITEM */
};

/* Returns true if the colouring colours items. */
static inline bool lm_has_items(const leman_coloring *coloring)
{
    return lm_variant_of(coloring)->items.kind != LM_ITEM_NONE;
}

LM_EVERYWHERE static inline uint64_t lm_item_multiplier(size_t part)
{
    return lm_multiplier_of(LM_ITEM, part);
}

/* The size of a graph's item space. */
typedef struct lm_item_size {
    uint64_t items, bytes; /* bytes: of lists and keys, including temporary arrays */
} lm_item_size;
/* Computes upper bounds from the numbers of vertices alone. O(k). */
void lm_items_bound(const leman_graph *graph, const leman_coloring *coloring, lm_item_size *size);
/* Computes a closer bound where the domain is not all pairs: counts the balls, or the tuples of limited components.
 * Stops when there are more than `most`. */
leman_status lm_items_measure(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                              uint64_t most, const lm_cancellation *cancellation, lm_item_size *size);

/* Turns a space of k = 1 over the vertices of a graph (labels and arcs are set) into the space of its items, in the
 * context's scratch. */
leman_status lm_items_new(leman_context *ctx, const leman_coloring *coloring, const lm_cancellation *cancellation,
                          lm_space *space);

/* Round 0, the words of scratch of a round, and a round: from[items] -> to[items]. */
void lm_items_types(const lm_space *space, uint64_t *colors, int threads);
size_t lm_items_scratch(size_t n, int threads);
void lm_items_round(const lm_space *space, const uint64_t *from, uint64_t *to, uint64_t *scratch, int threads);

/* Writes the vertices of an item and returns their number: two for a pair, one for the item of a pool. */
unsigned lm_item_vertices(const lm_items *items, size_t item, uint32_t *vertex);
/* The same as k components: LM_NO_ITEM for those that the item lacks. The pool of a row has the first component of its
 * pairs, that of a column the second. */
void lm_item_tuple(const lm_items *items, size_t item, uint32_t *component);
/* Is this item the multiset of the colours of a row or a column? */
static inline bool lm_is_pool(const lm_space *space, size_t item)
{
    return space->items && item >= space->items->own;
}
/* Returns the item (u, v), or SIZE_MAX if that pair is not coloured. O(log n). */
size_t lm_pair_item(const lm_items *items, uint32_t u, uint32_t v);
/* Copies the colours of items into an array of all n^k tuples. A tuple has the colour of its pair, its vertex, or the
 * set of its components; tuples without an item get 0. */
void lm_items_spread(const lm_space *space, const uint64_t *from, uint64_t *colors);

/* ---- Parts of the above ---------------------------------------------------------------------- */

/* Pairs (pairs.c, pair_round.c). */
leman_status lm_pairs_new(leman_context *ctx, const leman_coloring *c, lm_space *space);
leman_status lm_pairs_count(leman_context *ctx, const leman_graph *graph, const leman_coloring *c, uint64_t most,
                            uint64_t *pairs);
void lm_pairs_types(const lm_space *space, uint64_t *colors, int threads);
void lm_pairs_round(const lm_space *space, const uint64_t *from, uint64_t *to, uint64_t *scratch, int threads);
/* Computes the colours of the pools from those of the pairs. */
void lm_pairs_pool(const lm_space *space, uint64_t *colors);
static inline uint64_t lm_row_begin(const lm_items *x, size_t u)
{
    return x->start ? x->start[u] : u * x->n;
}
static inline uint32_t lm_row_vertex(const lm_items *x, size_t u, uint64_t item)
{
    return x->last ? x->last[item] : (uint32_t)(item - u * x->n);
}

/* What an arc to a pair of this colour adds to a sum. */
LM_EVERYWHERE static inline uint64_t lm_item_message(const lm_space *s, const lm_adjacency *arcs, uint64_t arc,
                                                     uint64_t color)
{
    return s->messages ? lm_mix(color + arcs->label[arc] * lm_multiplier_of(LM_MESSAGE, 0)) : color;
}

/* Vertices (distances.c, resistance.c). resistance[n][n] is the residue of the rational resistance modulo a prime of
 * 61 bits, UINT64_MAX between components. scratch[n * n + n] and order[2 n]. */
leman_status lm_distances_new(leman_context *ctx, const leman_coloring *c, const lm_cancellation *cancellation,
                              lm_space *space);
void lm_resistances(size_t n, const lm_adjacency *out, const lm_adjacency *in, const lm_cancellation *cancellation,
                    uint64_t *resistance, uint64_t *scratch, uint32_t *order);

/* Sets (sets.c). */
leman_status lm_sets_new(leman_context *ctx, const leman_coloring *c, const lm_cancellation *cancellation,
                         lm_space *space);
void lm_sets_types(const lm_space *space, uint64_t *colors, int threads);
void lm_sets_round(const lm_space *space, const uint64_t *from, uint64_t *to);
/* Returns the number of sets of 1 to k of n vertices; SIZE_MAX if it does not fit. */
size_t lm_subset_number(size_t n, unsigned k);

#endif
