/*
 * Sparse tuple spaces: the k-tuples whose vertices induce at most s connected components, stored one by one.
 *
 * The set is closed under permutations of components and holds (v, ..., v) for every vertex v. Its tuples lie in
 * lexicographic order, as a trie: a *prefix* is the beginning of a tuple, a *row* a prefix of k-1 components, and the
 * tuples of a row differ in the last component only. swap[j] of a tuple exchanges components j and k-1; these exchanges
 * generate all permutations, so what a round does along component j is what it does along the last one, on colours that
 * were exchanged before and are exchanged back behind it. So neighbour lists are kept for the last component only, and
 * they stay inside rows.
 *
 * Sums over "all w" are sums over those w for which the tuple is in the set; with s = k that is the dense space.
 */
#ifndef LM_SPARSE_H
#define LM_SPARSE_H

#include "base/cancellation.h"
#include "refine/adjacency.h"
#include "refine/variant.h"

enum { LM_SPARSE_STAR = 720 }; /* LM_SPARSE_K! */

/* Counted before anything is stored. */
typedef struct lm_sparse_size {
    uint64_t tuples, orbits;        /* orbits: increasing tuples */
    uint64_t arcs, entering;        /* entries of the neighbour lists */
    uint64_t prefixes[LM_SPARSE_K]; /* [i] of i + 1 components, i < k - 1 */
    uint64_t longest;               /* tuples of the longest row */
    bool exceeded;                  /* there are more tuples than were to be counted */
    bool counted;                   /* by lm_sparse_count(); otherwise bounds */
} lm_sparse_size;

/* All prefixes of one length. */
typedef struct lm_sparse_level {
    uint32_t *digit; /* [prefixes] the last component of each */
    uint32_t *first; /* [prefixes + 1] the first longer prefix, or tuple, that begins with it */
} lm_sparse_level;

typedef struct lm_sparse_list {
    uint64_t *start; /* [tuples + 1] */
    uint32_t *tuple; /* the tuples whose last component is a neighbour of the tuple's */
} lm_sparse_list;

typedef struct lm_sparse {
    unsigned k, components;
    lm_sparse_size size;
    lm_sparse_level level[LM_SPARSE_K]; /* [0 .. k-2]; the last of them are the rows */
    uint32_t *last;                     /* [tuples] the last component */
    uint32_t *row;                      /* [tuples] its row; folklore only, else NULL */
    uint32_t *swap[LM_SPARSE_K];        /* [0 .. k-2][tuples] */
    lm_sparse_list out, in;             /* in: where entering arcs are a relation */
    size_t permutations;                /* k! */
    uint8_t star[LM_SPARSE_STAR];       /* exchanges that lead through all permutations of a tuple */
} lm_sparse;

struct lm_space;

/* What a graph has: its arcs from both ends (the same arrays where it is undirected). */
typedef struct lm_sparse_graph {
    size_t n;
    const lm_adjacency *out, *in;
    unsigned k, components;
    bool entering, rows; /* lists of entering arcs too; `row` too */
    const lm_cancellation *cancellation;
} lm_sparse_graph;

/* Counts without storing, up to about `most` tuples. Scratch: a few words a vertex, which the caller resets. */
leman_status lm_sparse_count(leman_context *ctx, const lm_sparse_graph *graph, uint64_t most, lm_sparse_size *size);
/* The bytes that lm_sparse_new() takes for a space of this size, and while it is made. */
uint64_t lm_sparse_bytes(const lm_sparse_size *size, size_t n, unsigned k, bool rows);
/* The space, in the context's scratch. */
leman_status lm_sparse_new(leman_context *ctx, const lm_sparse_graph *graph, const lm_sparse_size *size, int threads,
                           lm_sparse **out);

/* The first k-1 components of a row's tuples. */
void lm_sparse_prefix(const lm_sparse *sparse, size_t row, uint32_t *digit);
static inline size_t lm_sparse_row_count(const lm_sparse *sparse)
{
    return sparse->size.prefixes[sparse->k - 2];
}
static inline const uint32_t *lm_sparse_row_starts(const lm_sparse *sparse)
{
    return sparse->level[sparse->k - 2].first;
}

/* Words of scratch of a round; and the round, as lm_round() of space.h. spare: [tuples * 3 / 2 + 1]. */
size_t lm_sparse_round_scratch(const lm_sparse *sparse, const lm_variant *rule, int threads);
void lm_sparse_round(const struct lm_space *space, const lm_variant *rule, const uint64_t *from, uint64_t *to,
                     uint64_t *spare, uint64_t *scratch, int threads);

/* As the functions of histogram.h; an orbit is named by its increasing tuple. */
size_t lm_sparse_list_orbits(const lm_sparse *sparse, uint64_t *list);
uint64_t lm_sparse_orbit_smallest(const lm_sparse *sparse, const uint64_t *colors, uint64_t tuple);
size_t lm_sparse_orbit_colors(const lm_sparse *sparse, const uint64_t *colors, uint64_t tuple, uint64_t *found);
/* How many tuples of the orbit show the colour of this one, and how many tuples it has. */
void lm_sparse_orbit_count(const lm_sparse *sparse, const uint64_t *colors, uint64_t tuple, uint32_t *tuples,
                           uint32_t *same);

#endif
