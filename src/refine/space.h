/*
 * The tuple space of one graph: its vertices after twin reduction, their adjacency, and hashes of labels and relations.
 *
 * Two vertices are twins if an automorphism exchanges them and fixes all other vertices: they have the same label and
 * the same neighbours with the same edge labels, in both directions. Twins are closed if they are adjacent, otherwise
 * open. Of a class of m twins min(m, k) members are kept, with consecutive numbers: every k-tuple of the graph has the
 * colour of a tuple of kept vertices. The sum over a class, taken at a tuple, is the sum over the kept members in which
 * one *fresh* member also counts for all members that are not kept. A member is fresh if the other components of the
 * tuple do not use it. Without twins every class has one member, and sums have no weights.
 */
#ifndef LM_SPACE_H
#define LM_SPACE_H

#include "base/cancellation.h"
#include "refine/adjacency.h"
#include "refine/sparse/sparse.h"
#include "refine/variant.h"
#include "refine/vertex_rounds.h"

enum { LM_DENSE_SMALLEST = 16 /* vertices of the smallest graph that is treated as dense */ };

typedef struct lm_items lm_items; /* items/items.h */

typedef struct lm_space {
    unsigned k;
    size_t n;            /* kept vertices */
    size_t rows, tuples; /* n^(k-1), n^k; or those of the sparse space */
    lm_sparse *sparse;   /* the tuples of a sparse space; NULL: the dense array of all tuples */
    lm_items *items;     /* if not NULL, k = 1 and n counts items; `vertices`, arcs and labels are the graph's */
    bool pairs;          /* k = 2, dense array */
    size_t vertices;     /* of the graph itself */
    lm_adjacency out;    /* among kept vertices; heads increase, but not in undirected graphs with twins or `known` */
    lm_adjacency in;     /* the arcs reversed; the arrays of `out` if the graph is undirected */
    bool entering;       /* entering arcs are a separate relation */
    bool messages;       /* edge labels belong to the message: k = 1 */
    uint64_t seed;
    const lm_cancellation *cancellation; /* NULL in spaces so small that a round is short */
    uint64_t *label;                     /* [n] hash of the vertex label and of a self-loop */
    bool twins;                          /* some class has members that are not kept */
    uint32_t *vertex;                    /* [n] number of the vertex in the graph */
    uint32_t *first;                     /* [n] the first kept member of its class */
    uint64_t *size;                      /* [n] number of members of its class */
    uint64_t *missing;                   /* [n] number of members of its class that are not kept */
    bool *closed; /* [n] closed class, not all kept: its `out` lists contain the whole class and the vertex itself */
    uint32_t *class_first,
        *closed_vertex; /* [classes] first members of classes that are not all kept; [closed_count] closed vertices */
    size_t classes, closed_count;
    /* Dense graphs: for each vertex its neighbours or, if `rest`, its non-neighbours, whichever are fewer. The sum over
     * the neighbours is the sum over all vertices minus the sum over the non-neighbours. NULL in other graphs. */
    uint64_t *few_start; /* [n+1] */
    uint32_t *few;
    bool *rest; /* [n] */
    uint8_t
        *subset; /* graphs of medium density: the neighbours of each vertex in sets of five (row_loops.h); or NULL */
    lm_vertex_rounds known; /* [n] or NULL; if not NULL, vertices are sorted by falling `single` */
} lm_space;

/* The kept vertices of all twin classes, in the order of the space. Members as in lm_space. */
typedef struct lm_twins {
    size_t n;         /* kept */
    uint32_t *vertex; /* [n] */
    uint32_t *first;  /* [n] */
    uint64_t *size;   /* [n] */
    bool *closed;     /* [n] */
} lm_twins;

/* Finds the twins among n vertices with the given label hashes and arcs. `in` has the arrays of `out` if the graph is
 * undirected. edges_alike: the graph is undirected and all edges have one label; only then closed twins are found. At
 * most `keep` members of each class are kept. All vertices are kept if the reduction would save less than a fifth of
 * the k-tuples. The result lies in the context's scratch. O(arcs + n log n). */
leman_status lm_twins_find(leman_context *ctx, size_t n, const uint64_t *label, const lm_adjacency *out,
                           const lm_adjacency *in, bool edges_alike, size_t keep, unsigned k, lm_twins *twins);

/* Builds the space of a graph in the context's scratch, which the caller resets. Sparse tuples are added by
 * lm_space_restrict(). reduce: twins are reduced. known describes the vertices of the graph and may be NULL. Fails with
 * LEMAN_ERROR_BUDGET if there are too many tuples to be counted. O(arcs + n log n). */
leman_status lm_space_new(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring, bool reduce,
                          const lm_vertex_rounds *known, lm_space *space);

/* Returns an upper bound of the bytes that lm_space_new() allocates if `kept` vertices are kept. */
uint64_t lm_space_bytes(const leman_graph *graph, size_t kept, const leman_coloring *coloring);

/* Adds the sparse tuples to the space if the colouring has them, or turns it into the space of items; otherwise does
 * nothing. `size` is the result of lm_space_measure(), or NULL to count the tuples first. */
leman_status lm_space_restrict(leman_context *ctx, const leman_coloring *coloring, const lm_sparse_size *size,
                               int threads, const lm_cancellation *cancellation, lm_space *space);
/* Counts the sparse tuples of a graph, up to about `most`. Uses the context's scratch, which the caller resets. */
leman_status lm_space_measure(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                              uint64_t most, const lm_cancellation *cancellation, lm_sparse_size *size);

/* Computes the number of vertices of the reduced space. Uses the context's scratch, which the caller resets. */
leman_status lm_kept_vertices(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                              size_t *kept);

/* Returns true if every vertex is known to be exclusive after this round. */
static inline bool lm_all_exclusive(const lm_space *s, uint32_t round)
{
    size_t v = 0;
    if (!s->known.exclusive) return false;
    while (v < s->n && lm_known_by(s->known.exclusive[v], round)) v++;
    return v == s->n;
}

/* Returns the fresh member of w's class: its first member that does not occur in digit[0..count), ignoring digit[skip].
 */
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

/* Computes digit[0 .. k-2]: the first k-1 components of the tuples of a row. The last of them varies fastest. */
static inline void lm_space_digits(const lm_space *s, size_t row, uint32_t *digit)
{
    for (size_t j = s->k - 1; j-- > 0; row /= s->n) digit[j] = (uint32_t)(row % s->n);
}

/* A row: tuples first .. end - 1, which differ in the last component. */
typedef struct lm_tuple_row {
    size_t first, end;
    uint32_t digit[LM_MAX_K]; /* the components before the last */
    const uint32_t *last;     /* [tuples of the space] the last component; NULL: all vertices in order */
} lm_tuple_row;

static inline void lm_space_row(const lm_space *s, size_t row, lm_tuple_row *out)
{
    const uint32_t *start = s->sparse ? lm_sparse_row_starts(s->sparse) : NULL;
    out->first = start ? start[row] : row * s->n;
    out->end = start ? start[row + 1] : (row + 1) * s->n;
    out->last = start ? s->sparse->last : NULL;
    if (start)
        lm_sparse_prefix(s->sparse, row, out->digit);
    else
        lm_space_digits(s, row, out->digit);
}

static inline uint32_t lm_tuple_row_last(const lm_tuple_row *row, size_t tuple)
{
    return row->last ? row->last[tuple] : (uint32_t)(tuple - row->first);
}

/* Round 0: writes the atomic type of every tuple to colors[tuples]. For k >= 2 relation[n * n] is scratch; for k = 2 it
 * must not be `colors`. */
void lm_types(const lm_space *space, uint64_t *relation, uint64_t *colors, int threads);

/* Writes the relations of all pairs of vertices (lm_relation_hash()) to relation[n][n]. */
void lm_relations(const lm_space *space, uint64_t *relation);
/* Returns the atomic type of one tuple. */
uint64_t lm_type_of(const lm_space *space, const uint32_t *digit);

/* counts[tuples] = #_last: the number of tuples on the line along the last component that have the tuple's colour.
 * lm_line_counts_scratch() returns the words of scratch. */
void lm_line_counts(const lm_space *space, const uint64_t *colors, uint32_t *counts, uint64_t *scratch, int threads);
size_t lm_line_counts_scratch(const lm_space *space, int threads);
/* Decorates every tuple along component `axis`: out(x) = mix(C(x) + #_axis(x) * counter). counts is #_last. */
void lm_decorate(const lm_space *space, const uint64_t *colors, const uint32_t *counts, size_t axis, uint64_t *out,
                 int threads);

/* lm_line_counts() for one line of n consecutive colours, without weights. scratch: lm_count_line_words(n) words. */
void lm_count_line(const uint64_t *colors, size_t n, uint64_t *scratch, uint32_t *counts);
size_t lm_count_line_words(size_t n);

/* Returns the words of scratch that lm_round() needs for `threads` threads. */
size_t lm_round_scratch(const lm_space *space, unsigned sums, int threads);
/* Computes one round by the rule `sums`, a set of lm_color_sum: from[tuples] -> to[tuples]. spare[tuples * 3 / 2 + 1] is used only by decorated rounds and sparse
 * spaces. */
void lm_round(const lm_space *space, unsigned sums, const uint64_t *from, uint64_t *to, uint64_t *spare,
              uint64_t *scratch, int threads);

#endif
