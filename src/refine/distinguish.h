/* Distinguishing two graphs: checks, memory, and the first round whose colours differ. */
#ifndef LM_DISTINGUISH_H
#define LM_DISTINGUISH_H

#include "base/sort.h"
#include "refine/refine.h"

/* Returns true after the last round, or after a round that splits no class, unless the last round has its own rule. */
bool lm_refinement_ended(const lm_refinement *refinement);
/* Writes the classes of this round, with their numbers of tuples up to permutation, to pair[orbits], increasing, and returns
 * their number. Classes represent the colours of their orbits: equal classes with equal numbers of orbits have equal
 * counts of all colours. spare[orbits] is scratch. */
size_t lm_refinement_classes(const lm_refinement *refinement, lm_pair *pair, lm_pair *spare);

/* Checks that two graphs can be compared: both are directed or both undirected, with the same label columns. */
leman_status lm_pair_check(leman_context *ctx, const leman_graph graph[2], const leman_coloring *coloring);

typedef struct lm_pair_cost {
    uint64_t tuples, bytes; /* of both graphs after twin reduction, or of their disjoint union */
    bool by_classes;        /* of one graph: rounds by classes suit it and fit */
} lm_pair_cost;

/* Computes the cost of a pair and checks that it is within `budget` bytes. `of` is appended to the name of the graph in
 * the error message, for example " of pair 17". */
leman_status lm_pair_fits(leman_context *ctx, const leman_graph graph[2], const leman_coloring *coloring, bool as_union,
                          const char *of, uint64_t budget, lm_pair_cost *cost);

/* leman_distinguish_pairs() for a colouring in normal form, and for the pairs which[count], if `which` is not NULL. */
leman_status lm_distinguish_pairs(leman_context *ctx, const leman_dataset *data, const size_t *which, size_t count,
                                  const leman_coloring *coloring, bool as_union, leman_difference *difference);

/* leman_graph_hashes() for a colouring in normal form, and for the graphs which[count], if `which` is not NULL. With one
 * stream only hash[0] is computed, in half the time, and hash[1] is 0. */
leman_status lm_hash_graphs(leman_context *ctx, const leman_dataset *data, const size_t *which, size_t count,
                            const leman_coloring *coloring, unsigned streams, leman_graph_hash *hash);
/* Computes the cost of hashing one graph and checks that it is within `budget` bytes; *cost is set in any case. `name` is
 * the graph in the error message. */
leman_status lm_hash_cost(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                          const char *name, uint64_t budget, lm_pair_cost *cost);

/* leman_distinguish() for a pair that lm_pair_check() has accepted and a colouring in normal form. Allocates in the
 * context's scratch, which the caller resets. */
leman_status lm_pair_distinguish(leman_context *ctx, const leman_graph graph[2], const leman_coloring *coloring,
                                 bool as_union, int threads, const lm_cancellation *cancellation,
                                 leman_difference *difference);

/* Builds the disjoint union: the vertices of the first graph, then those of the second, with the label columns that the
 * colouring uses. The result lies in the context's scratch. */
leman_status lm_disjoint_union(leman_context *ctx, const leman_graph graph[2], const leman_coloring *coloring,
                               leman_graph *out);

#endif
