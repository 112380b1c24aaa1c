/*
 * delta-3-LWL on large graphs in little memory. An array of the colours of all n^3 triples takes 8 bytes a triple. Here
 * an orbit of triples, usually six, takes one number of 4 bytes: its row in a table of the six colours of an orbit.
 * Orbits with equal colours share a row. After few rounds there are few rows.
 *
 * The vertices are the twin classes of the graph. The orbits, each with the triple (p0, p1, p2) that represents it:
 *
 *   three classes u < v < w   (u, v, w)               two classes a, b       (a, a, b); (a, a', b)
 *   one class a               (a, a, a); (a, a, a'); (a, a', a'')
 *
 * where a, a', a'' are different members of one class. A row has the colours of (p_i, p_j, p_l) for the six
 * permutations, at LM_COMPACT_PLACE(i, j, l).
 *
 * For each orbit a round computes only the colour of (p0, p1, p2), which determines the other five; these are computed
 * once for each row. The orbits of three classes are computed in slabs of one w, by sums over lines of numbers.
 */
#ifndef LM_COMPACT_H
#define LM_COMPACT_H

#include "refine/engine.h"

enum { LM_COMPACT_COLORS = 6, LM_COMPACT_NONE = -1 };
#define LM_COMPACT_PLACE(i, j, l) ((i)*2 + ((j) > (l)))

typedef enum lm_compact_kind {
    LM_COMPACT_UVW, /* (u, v, w) */
    LM_COMPACT_AAB, /* (a, a, b) */
    LM_COMPACT_ATB, /* (a, a', b) */
    LM_COMPACT_AAA, /* (a, a, a) */
    LM_COMPACT_AAT, /* (a, a, a') */
    LM_COMPACT_ATT  /* (a, a', a'') */
} lm_compact_kind;

/* A triple of vertices: the class of each, and its number among the members used, counted from 0 in triple order. */
typedef struct lm_compact_triple {
    uint32_t class[3], member[3];
} lm_compact_triple;

/* One sum of a round: its arcs, and its multiplier for each component. */
typedef struct lm_compact_term {
    lm_adjacency arcs;
    uint64_t multiplier[3];
} lm_compact_term;

/* One graph that is being refined. */
typedef struct lm_compact {
    const lm_engine_task *task;
    uint32_t rounds; /* number of the last round */
    lm_space space;  /* of the classes, sorted by falling number of neighbours */
    int threads;
    lm_compact_term terms[2];
    size_t term_count;
    uint64_t *two, *three; /* [n + 1] i over 2, i over 3 */
    size_t orbits;         /* number of orbits */
    uint64_t *relation;    /* [n][n] relations of classes; types.c */
    uint64_t *twin;        /* [n] relation of two members of a class */
    uint32_t round;
    uint32_t *number, *next; /* [orbits] row of each orbit before and after this round; the last round has no `next` */
    uint64_t *row;           /* [rows][LM_COMPACT_COLORS] */
    size_t rows;
} lm_compact;

/* Prepares round 0. Arrays of the size of the vertices lie in the worker's scratch; all others are freed by
 * lm_compact_free(), which must also be called after a failure. task->extent->granted: upper bound of all of this
 * memory. */
leman_status lm_compact_begin(lm_worker *worker, const lm_engine_task *task, lm_compact *compact);
/* Computes round 0, or the next round. Calls the visitor of the task for some classes at a time. */
leman_status lm_compact_round(lm_worker *worker, lm_compact *compact);
void lm_compact_free(lm_compact *compact);

/* Tests whether a compact refinement is probably faster than one with arrays: for large sparse graphs whose vertices
 * have few different labels and degrees, one round may take a tenth of the time. */
leman_status lm_compact_is_quick(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                 bool *quick);

/* ---- Between the files of this folder -------------------------------------------------------- */

/* Returns n over 3, and the number of orbits of n classes. */
static inline uint64_t lm_compact_over_three(uint64_t n)
{
    return n < 3 ? 0 : n * (n - 1) / 2 * (n - 2) / 3;
}
static inline uint64_t lm_compact_orbits(uint64_t n)
{
    return lm_compact_over_three(n) + 2 * n * n + 3 * n;
}

/* Returns the index of an orbit of one or two classes in `number` and `next`. */
static inline size_t lm_compact_index(const lm_compact *c, lm_compact_kind kind, size_t a, size_t b)
{
    const size_t n = c->space.n, pairs = c->three[n];
    switch (kind) {
    case LM_COMPACT_UVW: break;
    case LM_COMPACT_AAB: return pairs + a * n + b;
    case LM_COMPACT_ATB: return pairs + (n + a) * n + b;
    case LM_COMPACT_AAA:
    case LM_COMPACT_AAT:
    case LM_COMPACT_ATT: return pairs + 2 * n * n + 3 * a + (size_t)(kind - LM_COMPACT_AAA);
    }
    return 0;
}

/* An orbit packed in one word, and back to its triple (p0, p1, p2). */
static inline uint64_t lm_compact_pack(lm_compact_kind kind, size_t u, size_t v, size_t w)
{
    return (uint64_t)kind << 60 | (uint64_t)u << 40 | (uint64_t)v << 20 | w;
}
lm_compact_triple lm_compact_unpack(uint64_t orbit);
/* lm_compact_weight() returns how many orbits of the graph an orbit stands for; 0 if a class has too few members.
 * lm_compact_triples() returns the number of triples of each of them. */
uint64_t lm_compact_weight(const lm_compact *c, uint64_t orbit);
uint32_t lm_compact_triples(uint64_t orbit);

/* Computes colors[orders] of a triple in the first `orders` of the six orders of its components, as in a row: the
 * atomic types in round 0, otherwise the colours after this round. */
void lm_compact_colors(const lm_compact *c, const lm_compact_triple *triple, int orders, uint64_t *colors);
/* Computes the colours of the orbits u < v < w of one w into slab[w over 2]. line: LM_COMPACT_LINES * n words. */
enum { LM_COMPACT_LINES = 8 };
void lm_compact_slab(const lm_compact *c, size_t w, uint64_t *line, uint64_t *slab);

/*
 * A table of counted colours with open addressing, into which several threads insert at the same time. A slot is found
 * by the top bits of the colour, so that slots are nearly in the order of colours. The colours 0 and 1 are not
 * distinguished.
 */
typedef struct lm_compact_table {
    size_t capacity, most; /* slots; how many of them may be used */
    uint64_t *key;         /* [capacity] colour, 0: free; after lm_compact_number() the row */
    uint64_t *count;       /* [capacity] orbits of the graph; in the last round also the colours of an orbit */
    uint64_t *name;        /* [capacity] last round only: the smallest colour of the orbit */
    uint64_t *orbit;       /* [capacity] last round only, if all colours are requested: one of the orbits */
    size_t used;
    bool full;            /* `most` slots are used: new colours are refused */
    lm_interval interval; /* only orbits are counted whose class before the round has a hash in this interval */
} lm_compact_table;

leman_status lm_compact_table_new(leman_context *ctx, size_t capacity, bool last, bool expanded,
                                  lm_compact_table *table);
void lm_compact_table_free(lm_compact_table *table);
/* A thread's cache of counts that are not yet added to the table, by the last bits of the colour. */
enum { LM_COMPACT_CACHE = 256 };
typedef struct lm_compact_counts {
    struct {
        uint64_t color, count; /* count 0: none */
        uint32_t slot;
    } of[LM_COMPACT_CACHE];
} lm_compact_counts;

/* Counts all orbits into the table and writes their slots to next[], which is NULL in the last round. Stops when the
 * table is full. */
leman_status lm_compact_pass(leman_context *ctx, const lm_compact *c, lm_compact_table *table, uint32_t *next);

/* For all rounds but the last. Numbers the used slots as rows, in the order in which orbits first use them, and
 * replaces the slots in number[] by rows. So neighbouring orbits have rows near each other. Then computes the six
 * colours of every row. */
void lm_compact_number(const lm_compact *c, lm_compact_table *table, uint32_t *number, uint64_t *row);
/* For the last round. Sets the name of a newly used slot, and the colours of its orbit in the count. */
void lm_compact_name(const lm_compact *c, lm_compact_table *table, size_t slot, uint64_t orbit);
/* Visits the classes of a table, about a 16th of them at a time. `row` is NULL in the last round. */
leman_status lm_compact_visit(lm_worker *worker, const lm_compact *c, const lm_compact_table *table,
                              const uint64_t *row);
enum { LM_COMPACT_PARTS = 16, LM_COMPACT_PART = 1 << 12, LM_COMPACT_CLASS_BYTES = 2 * 16 + 3 * 8 + 6 * 8 };

#endif
