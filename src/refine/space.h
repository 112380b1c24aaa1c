/*
 * The tuple space of one graph: its vertices up to twins, their adjacency, and the hashes of labels and relations.
 *
 * Twins are vertices that an automorphism exchanges while it leaves all others in place: the same label and the same
 * neighbours with the same edge labels, both ways; adjacent to each other (closed) or not (open). Of a class of m twins
 * min(m, k) members are kept, side by side: every k-tuple of the graph looks like one over kept vertices. A sum over
 * the class, taken at a tuple, is the sum over its kept members in which one *fresh* member, one that the other
 * components of the tuple do not use, counts for all those that are not kept.
 *
 * Without twins every class has one member and nothing is weighted.
 */
#ifndef LM_SPACE_H
#define LM_SPACE_H

#include "base/cancellation.h"
#include "refine/adjacency.h"
#include "refine/sparse/sparse.h"
#include "refine/variant.h"
#include "refine/vertex_rounds.h"

enum { LM_DENSE_SMALLEST = 16 /* vertices of a graph that may count as dense */ };

typedef struct lm_space {
    unsigned k;
    size_t n;            /* kept vertices */
    size_t rows, tuples; /* n^(k-1), n^k; or those of the sparse space */
    lm_sparse *sparse;   /* the tuples, where they are not all there; NULL: the dense array */
    bool pairs;          /* k = 2 over the dense array */
    size_t vertices;     /* of the graph itself */
    lm_adjacency out;    /* among kept vertices; heads in order, but of undirected graphs whose vertices are `known` */
    lm_adjacency in;     /* the arcs reversed; the same arrays as out in undirected graphs */
    bool entering;       /* entering arcs are a relation of their own */
    bool messages;       /* edge labels belong to the message: k = 1 */
    uint64_t seed;
    const lm_cancellation *cancellation; /* NULL in spaces so small that a round is short */
    uint64_t *label;                     /* [n] hash of the vertex label and of a self-loop */
    bool twins;                          /* some class is larger than what is kept of it */
    uint32_t *vertex;                    /* [n] its number in the graph */
    uint32_t *first;                     /* [n] the first kept member of its class */
    uint64_t *size;                      /* [n] how many members its class has */
    uint64_t *missing;                   /* [n] how many of them are not kept */
    bool *closed; /* [n] adjacent twins, not all kept: out then lists the whole class, itself included */
    uint32_t *class_first,
        *closed_vertex; /* [classes] first members of classes that are not all kept; [closed_count] */
    size_t classes, closed_count;
    /* Dense graphs: of each vertex the heads of its arcs, or, where `rest`, the vertices that are none of them, which
     * are fewer; a sum over the former is the sum over all vertices less that over the latter. NULL in other graphs. */
    uint64_t *few_start; /* [n+1] */
    uint32_t *few;
    bool *rest;      /* [n] */
    uint8_t *subset; /* in graphs of middling density: the neighbours of each vertex by fives (subsets.h); or NULL */
    lm_vertex_rounds known; /* [n], or NULL; where it is not, vertices lie by the rounds of `single`, the last first */
} lm_space;

/* The twin classes of a graph: vertices that stay, in the order of the space. */
typedef struct lm_twins {
    size_t n;         /* kept */
    uint32_t *vertex; /* [n] */
    uint32_t *first;  /* [n] */
    uint64_t *size;   /* [n] */
    bool *closed;     /* [n] the class is of adjacent twins and larger than what is kept */
} lm_twins;

/* The twins among n vertices with these label hashes and arcs; `in` is `out` for undirected graphs. Of each class at
 * most `keep` members stay. O(arcs + n log n), in the context's scratch. */
leman_status lm_twins_find(leman_context *ctx, size_t n, const uint64_t *label, const lm_adjacency *out,
                           const lm_adjacency *in, bool edges_alike, size_t keep, unsigned k, lm_twins *twins);

/* Everything in the context's scratch, which the caller resets. reduce: up to twins. known: of the vertices of the
 * graph; may be NULL. O(arcs + n log n). */
leman_status lm_space_new(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring, bool reduce,
                          const lm_vertex_rounds *known, lm_space *space);

/* Bytes that it takes for a graph of which so many vertices are kept, at most. */
uint64_t lm_space_bytes(const leman_graph *graph, size_t kept, const leman_coloring *coloring);

/* Where the colouring is of sparse tuples, the space gets them: sizes from lm_space_measure(), or NULL to count first.
 */
leman_status lm_space_restrict(leman_context *ctx, const leman_coloring *coloring, const lm_sparse_size *size,
                               int threads, const lm_cancellation *cancellation, lm_space *space);
/* The sparse tuples of a graph, counted up to about `most`. In the context's scratch, which the caller resets. */
leman_status lm_space_measure(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                              uint64_t most, const lm_cancellation *cancellation, lm_sparse_size *size);

/* How many vertices the space of this graph will have. In the context's scratch, which the caller resets. */
leman_status lm_kept_vertices(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                              size_t *kept);

/* Is every vertex known to be exclusive after this round? */
static inline bool lm_all_exclusive(const lm_space *s, uint32_t round)
{
    size_t v = 0;
    if (!s->known.exclusive) return false;
    while (v < s->n && s->known.exclusive[v] <= round) v++;
    return v == s->n;
}

/* The fresh member of w's class: its first kept member that is none of digit[0..count) but digit[skip]. */
static inline uint32_t lm_space_fresh(const lm_space *s, uint32_t w, const uint32_t *digit, size_t count, size_t skip)
{
    uint32_t fresh = s->first[w];
    for (size_t i = 0; i < count;)
        if (i != skip && digit[i] == fresh)
            fresh++, i = 0; /* an earlier component may use this one */
        else
            i++;
    return fresh;
}

/* The digits of a row: the first k-1 components of its tuples, the last of them fastest. */
static inline void lm_space_digits(const lm_space *s, size_t row, uint32_t *digit)
{
    for (size_t j = s->k - 1; j-- > 0; row /= s->n) digit[j] = (uint32_t)(row % s->n);
}

/* Round 0: the atomic type of every tuple into colors[tuples]. relation is n * n words of scratch for k >= 2; for
 * k = 2 it may not be colors. */
void lm_types(const lm_space *space, uint64_t *relation, uint64_t *colors, int threads);

/* Its parts: the relation of two different vertices by the labels of the arcs between them, 0 where there is none; that
 * of all pairs, into relation[n][n]; what that of components i < j is multiplied by. */
uint64_t lm_relation(const lm_space *space, uint64_t leaving, uint64_t entering);
void lm_relations(const lm_space *space, uint64_t *relation);
uint64_t lm_type_multiplier(size_t i, size_t j);

/* The atomic type of one tuple. */
uint64_t lm_type_of(const lm_space *space, const uint32_t *digit);

/* #_last of every tuple: how many tuples on its line along the last component have its colour. */
void lm_line_counts(const lm_space *space, const uint64_t *colors, uint32_t *counts, uint64_t *scratch, int threads);
size_t lm_line_counts_scratch(const lm_space *space, int threads);
/* The decoration of every tuple on its lines along component `axis`: out(x) = mix(C(x) + #_axis(x) * counter). */
void lm_decorate(const lm_space *space, const uint64_t *colors, const uint32_t *counts, size_t axis, uint64_t *out,
                 int threads);

/* The same for one line of n colours that lie side by side, without weights. scratch: so many words. */
void lm_count_line(const uint64_t *colors, size_t n, uint64_t *scratch, uint32_t *counts);
size_t lm_count_line_words(size_t n);

/* What a round needs besides the two arrays of colours; words of scratch for `threads` threads. */
size_t lm_round_scratch(const lm_space *space, const lm_variant *rule, int threads);
/* One round: from[tuples] -> to[tuples]. spare[tuples * 3 / 2] is used by decorated rounds and sparse spaces only. */
void lm_round(const lm_space *space, const lm_variant *rule, const uint64_t *from, uint64_t *to, uint64_t *spare,
              uint64_t *scratch, int threads);

#endif
