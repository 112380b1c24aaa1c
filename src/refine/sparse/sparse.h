/*
 * Sparse tuple spaces: the k-tuples whose vertices induce at most s connected components, stored one by one.
 *
 * The set is closed under permutations of components and contains (v, ..., v) for every vertex v. Its tuples are stored
 * in lexicographic order, as a trie: a *prefix* is the beginning of a tuple, a *row* is a prefix of k-1 components, and
 * the tuples of a row differ only in the last component. swap[j] maps a tuple to the tuple with components j and k-1
 * exchanged. These exchanges generate all permutations. A round along component j exchanges the colours, works along
 * the last component, and exchanges the result back. So neighbour lists are stored only for the last component, and
 * each list stays inside one row.
 *
 * Sums over "all w" are sums over the w for which the tuple is in the set. With s = k the space is the dense one.
 */
#ifndef LM_SPARSE_H
#define LM_SPARSE_H

#include "base/cancellation.h"
#include "refine/adjacency.h"
#include "refine/variant.h"

enum { LM_SPARSE_STAR = 720 }; /* LM_SPARSE_K! */

/* Numbers of tuples and list entries, computed before anything is stored. */
typedef struct lm_sparse_size {
    uint64_t tuples, orbits;        /* orbits: increasing tuples */
    uint64_t arcs, entering;        /* entries of the neighbour lists */
    uint64_t prefixes[LM_SPARSE_K]; /* [i] prefixes of i + 1 components, i < k - 1 */
    uint64_t longest;               /* tuples of the longest row */
    bool exceeded;                  /* counting stopped: there are more tuples than the limit */
    bool counted;                   /* exact, by lm_sparse_count(); otherwise upper bounds */
} lm_sparse_size;

/* All prefixes of one length. */
typedef struct lm_sparse_level {
    uint32_t *digit; /* [prefixes] the last component of each */
    uint32_t *first; /* [prefixes + 1] its first extension: a prefix of the next length, or a tuple */
} lm_sparse_level;

typedef struct lm_sparse_list {
    uint64_t *start; /* [tuples + 1] */
    uint32_t *tuple; /* tuples of the same row whose last component is a neighbour of the tuple's last component */
} lm_sparse_list;

typedef struct lm_sparse {
    unsigned k, components;
    lm_sparse_size size;
    lm_sparse_level level[LM_SPARSE_K]; /* [0 .. k-2]; level k-2 has the rows */
    uint32_t *last;                     /* [tuples] the last component */
    uint32_t *row;                      /* [tuples] the row; folklore only, otherwise NULL */
    uint32_t *swap[LM_SPARSE_K];        /* [0 .. k-2][tuples] */
    lm_sparse_list out, in;             /* in: only if entering arcs are a separate relation */
    size_t permutations;                /* k! */
    uint8_t star[LM_SPARSE_STAR];       /* sequence of exchanges that runs through all permutations of a tuple */
} lm_sparse;

struct lm_space;

/* The graph of a sparse space, and what to build. `in` has the arrays of `out` if the graph is undirected. */
typedef struct lm_sparse_graph {
    size_t n;
    const lm_adjacency *out, *in;
    unsigned k, components;
    bool entering, rows; /* build also the lists of entering arcs; build also `row` */
    const lm_cancellation *cancellation;
} lm_sparse_graph;

/* Counts the tuples without storing them; stops after about `most`. Scratch: a few words a vertex. */
leman_status lm_sparse_count(leman_context *ctx, const lm_sparse_graph *graph, uint64_t most, lm_sparse_size *size);
/* Returns the bytes that lm_sparse_new() takes for a space of this size, including its temporary arrays. */
uint64_t lm_sparse_bytes(const lm_sparse_size *size, size_t n, unsigned k, bool rows);
/* Builds the space in the context's scratch. `size` is the result of lm_sparse_count(). */
leman_status lm_sparse_new(leman_context *ctx, const lm_sparse_graph *graph, const lm_sparse_size *size, int threads,
                           lm_sparse **out);

/* Computes the first k-1 components of the tuples of a row. */
void lm_sparse_prefix(const lm_sparse *sparse, size_t row, uint32_t *digit);
static inline size_t lm_sparse_row_count(const lm_sparse *sparse)
{
    return sparse->size.prefixes[sparse->k - 2];
}
static inline const uint32_t *lm_sparse_row_starts(const lm_sparse *sparse)
{
    return sparse->level[sparse->k - 2].first;
}

/* lm_sparse_round() computes one round, as lm_round() of space.h, with spare[tuples * 3 / 2 + 1].
 * lm_sparse_round_scratch() returns the words of its scratch. */
size_t lm_sparse_round_scratch(const lm_sparse *sparse, unsigned sums, int threads);
void lm_sparse_round(const struct lm_space *space, unsigned sums, const uint64_t *from, uint64_t *to, uint64_t *spare,
                     uint64_t *scratch, int threads);

#endif
