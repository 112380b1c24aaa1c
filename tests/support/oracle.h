/*
 * The exact colouring: the definitions of the paper followed word by word, slowly, without a hash.
 *
 * A colour is a number in a dictionary that all graphs given together share: the tuples' signatures are sorted and
 * numbered, so two tuples have one number iff they have one signature, whichever graph they lie in.
 *
 *   round 0   the ordered induced labelled subgraph of the tuple, written out
 *   a round   ( C(v), M_1(v), ..., M_k(v) ), each M_j a sorted list; for folklore one sorted list of vectors
 *
 * With a limit on components the tuples with more of them are in no class and in no list; a vector is left out where
 * none of its tuples is there.
 *
 * For k = 1 wl and folklore are local, and labels of edges belong to the message. Entering arcs, where they are asked
 * for, are a second neighbour relation: each M_j that asks for neighbours stands there once for each relation.
 */
#ifndef TEST_ORACLE_H
#define TEST_ORACLE_H

#include "leman.h"

typedef struct oracle {
    const leman_graph *graph; /* [graphs], the caller's */
    size_t graphs;
    leman_coloring coloring;
    size_t classes;    /* different colours of all graphs together */
    size_t *tuples;    /* [graphs] n^k */
    uint32_t **colors; /* [graphs][n^k], the last component fastest */
} oracle;

/* Round 0. The graphs must outlive the oracle. */
oracle *oracle_new(const leman_graph *graph, size_t graphs, const leman_coloring *coloring);
/* The round after *before, which stays. counted: # belongs to this round, if the variant is local+. */
oracle *oracle_next(const oracle *before, bool counted);
void oracle_free(oracle *o);

/* Round `round` from nothing; # where the colouring asks for it. */
oracle *oracle_at(const leman_graph *graph, size_t graphs, const leman_coloring *coloring, uint32_t round);

/* How many different colours graph g has; how many of its tuples carry a colour. */
size_t oracle_classes_of(const oracle *o, size_t g);
size_t oracle_count(const oracle *o, size_t g, uint32_t color);

/* Is some colour carried by different numbers of tuples in graphs 0 and 1? */
bool oracle_differ(const oracle *o);

/* Do colors[0..graphs), 64-bit numbers for the same tuples, cut the tuples of all graphs into the same classes? */
bool oracle_same_partition(const oracle *o, uint64_t *const *colors);

#endif
