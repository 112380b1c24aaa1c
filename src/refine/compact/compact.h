/*
 * Triples of a large graph in little memory, for delta-3-LWL. An array of the colours of all n^3 triples takes 8 bytes
 * for each; here an orbit of triples, of six as a rule, takes one number of 4 bytes, up to twins: the row of a table in
 * which the six colours of all orbits that look like it stand once. Few rounds leave few rows.
 *
 * A vertex is a class of twins. The orbits, each with the triple (p0, p1, p2) that stands for it:
 *
 *   three classes u < v < w   (u, v, w)               two classes a, b       (a, a, b); (a, a', b)
 *   one class a               (a, a, a); (a, a, a'); (a, a', a'')
 *
 * where a, a', a'' are different members of one class. A row has the colours of (p_i, p_j, p_l) for the six
 * permutations, at LM_COMPACT_PLACE(i, j, l).
 *
 * The colour of (p0, p1, p2) is all that a round computes for each orbit: it tells the other five, which are computed
 * once for each row. Orbits of three classes are taken in slabs of one w, by sums over whole lines of numbers.
 */
#ifndef LM_COMPACT_H
#define LM_COMPACT_H

#include "refine/refine.h"

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

/* A triple of vertices: their classes, and which members they are, counted from 0 in the order of the triple. */
typedef struct lm_compact_triple {
    uint32_t class[3], member[3];
} lm_compact_triple;

/* What a round adds up, for each component: the arcs, and the multipliers. */
typedef struct lm_compact_term {
    lm_adjacency arcs;
    uint64_t multiplier[3];
} lm_compact_term;

/* One graph that is being refined. */
typedef struct lm_compact {
    leman_coloring coloring;
    const char *name; /* of the graph in a sentence */
    lm_space space;   /* of the classes; those with many neighbours come first */
    int threads;
    uint64_t bytes; /* that may be held in all */
    lm_compact_term terms[2];
    size_t term_count;
    uint64_t *two, *three; /* [n + 1] i over 2, i over 3 */
    size_t orbits;         /* numbers of a round */
    uint64_t *relation;    /* [n][n] of classes; types.c */
    uint64_t *twin;        /* [n] of two members of a class */
    uint32_t round;
    uint32_t *number, *next; /* [orbits] rows of the orbits before this round; after it. The last round has none */
    uint64_t *row;           /* [rows][LM_COMPACT_COLORS] */
    size_t rows;
} lm_compact;

/* Can a graph be refined so? */
bool lm_compact_serves(size_t vertices, const leman_coloring *coloring);
/* Is it quicker than arrays? Of large sparse graphs whose vertices have few different labels and degrees one round
 * may take a tenth of the time. The first looks at sizes alone. */
bool lm_compact_may_be_quick(const leman_graph *graph, const leman_coloring *coloring);
leman_status lm_compact_is_quick(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                 bool *quick);
/* How many classes of twins it has. In the context's scratch, which the caller resets. */
leman_status lm_compact_classes(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                size_t *classes);
/* Bytes that n classes take at least, with a table of few rows; and at most, where no two orbits look alike. How many
 * rows there are shows later. */
uint64_t lm_compact_bytes(size_t n, uint32_t rounds, int threads);
uint64_t lm_compact_most_bytes(size_t n, uint32_t rounds, int threads);

/* Before round 0. What grows with the vertices lies in the context's scratch, the rest in memory that lm_compact_free()
 * gives back, also after a failure. bytes: what all that may take. */
leman_status lm_compact_begin(leman_context *ctx, const char *name, const leman_graph *graph,
                              const leman_coloring *coloring, int threads, const lm_cancellation *cancellation,
                              uint64_t bytes, lm_compact *compact);
/* Round 0, or the next one. visit is called for some classes at a time, with all their colours where expanded. */
typedef struct lm_compact_sink {
    lm_round_visitor *visit;
    void *state;
    int worker;
    size_t graph;
    bool expanded;
} lm_compact_sink;
leman_status lm_compact_round(leman_context *ctx, lm_compact *compact, const lm_compact_sink *sink);
void lm_compact_free(leman_context *ctx, lm_compact *compact);

/* ---- Between the files of this folder -------------------------------------------------------- */

/* The numbers of orbits in arrays of them. */
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

/* An orbit in one word; its triple (p0, p1, p2). */
static inline uint64_t lm_compact_pack(lm_compact_kind kind, size_t u, size_t v, size_t w)
{
    return (uint64_t)kind << 60 | (uint64_t)u << 40 | (uint64_t)v << 20 | w;
}
lm_compact_triple lm_compact_unpack(uint64_t orbit);
/* How many orbits of the graph it stands for: 0 where a class has not so many members. How many triples each has. */
uint64_t lm_compact_weight(const lm_compact *c, uint64_t orbit);
uint32_t lm_compact_triples(uint64_t orbit);

/* The colours after this round, or the atomic types in round 0, of a triple in the first `orders` of the six orders of
 * its components, as in a row. */
void lm_compact_colors(const lm_compact *c, const lm_compact_triple *triple, int orders, uint64_t *colors);
/* The colours of the orbits u < v < w of one w into slab[w over 2]; lines: LM_COMPACT_LINES of n words. */
enum { LM_COMPACT_LINES = 8 };
void lm_compact_slab(const lm_compact *c, size_t w, uint64_t *line, uint64_t *slab);

/*
 * Colours that are counted: an open-addressing table, in which threads look up and insert at the same time. A slot is
 * found by the top bits of the colour, so slots are nearly in the order of colours. Two colours of 2^64, 0 and 1, are
 * one.
 */
typedef struct lm_compact_table {
    size_t capacity, most; /* slots; how many of them may be taken */
    uint64_t *key;         /* [capacity] 0: free; afterwards the row */
    uint64_t *count;       /* [capacity] orbits of the graph; in the last round with how many colours an orbit has */
    uint64_t *name;        /* [capacity] the last round: the smallest of the colours of its orbits */
    uint64_t *orbit;       /* [capacity] the last round, where all of them will be asked for: one of the orbits */
    size_t used;
    bool full;          /* there was no room */
    uint64_t low, span; /* of hashes of the classes before the round that are counted now */
} lm_compact_table;

leman_status lm_compact_table_new(leman_context *ctx, size_t capacity, bool last, bool expanded,
                                  lm_compact_table *table);
void lm_compact_table_free(leman_context *ctx, lm_compact_table *table);
/* Bytes of a slot. */
static inline size_t lm_compact_slot(bool last, bool expanded)
{
    return (size_t)(2 + last + (last && expanded)) * sizeof(uint64_t);
}

/* A thread's counts that have not reached the table. */
enum { LM_COMPACT_CACHE = 256 };
typedef struct lm_compact_counts {
    struct {
        uint64_t color, count; /* count 0: none */
        uint32_t slot;
    } of[LM_COMPACT_CACHE]; /* by the last bits of the colour */
} lm_compact_counts;
uint32_t lm_compact_count_new(const lm_compact *c, lm_compact_table *table, lm_compact_counts *counts, uint64_t color,
                              uint64_t orbit, uint64_t weight);
/* The slot of the colour of an orbit, counted `weight` times more. LM_COMPACT_NONE: full. */
static inline uint32_t lm_compact_count(const lm_compact *c, lm_compact_table *table, lm_compact_counts *counts,
                                        uint64_t color, uint64_t orbit, uint64_t weight)
{
    const size_t place = color % LM_COMPACT_CACHE;
    if (counts->of[place].color != color || !counts->of[place].count)
        return lm_compact_count_new(c, table, counts, color, orbit, weight);
    counts->of[place].count += weight;
    return counts->of[place].slot;
}
void lm_compact_flush(lm_compact_table *table, lm_compact_counts *counts);
static inline void lm_compact_prefetch(const lm_compact_table *table, uint64_t color)
{
    __builtin_prefetch(table->key + (size_t)((unsigned __int128)color * table->capacity >> 64));
}

/* All orbits into the table. next: their slots; NULL in the last round. Stops where the table is full. */
leman_status lm_compact_pass(leman_context *ctx, const lm_compact *c, lm_compact_table *table, uint32_t *next);

/* Not the last round: slots become rows, in the order in which orbits meet them first, and so do the slots in number[].
 * Rows of neighbouring orbits lie near each other. Then the six colours of every row. */
void lm_compact_number(const lm_compact *c, lm_compact_table *table, uint32_t *number, uint64_t *row);
/* The last round: name and count of a slot that was just taken. */
void lm_compact_name(const lm_compact *c, lm_compact_table *table, size_t slot, uint64_t orbit);
/* Visits the classes of a table, in the last round without rows, about a 16th of them at a time. */
leman_status lm_compact_visit(leman_context *ctx, const lm_compact *c, const lm_compact_table *table,
                              const uint64_t *row, const lm_compact_sink *sink);
enum { LM_COMPACT_PARTS = 16, LM_COMPACT_PART = 1 << 12, LM_COMPACT_CLASS_BYTES = 2 * 16 + 3 * 8 + 6 * 8 };

/* The smallest of six colours; how many different ones. */
static inline uint64_t lm_compact_smallest(const uint64_t *row)
{
    uint64_t smallest = row[0];
    for (int i = 1; i < LM_COMPACT_COLORS; i++) smallest = row[i] < smallest ? row[i] : smallest;
    return smallest;
}

#endif
