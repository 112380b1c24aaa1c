/*
 * The coarsest equitable partition of a part of a graph (stable colour refinement). The names of its classes do not
 * depend on the order of vertices: isomorphic parts have the same names. The partition can also be refined after one
 * vertex was individualised, that is, got a colour of its own; or round by round: the partition after each round is that
 * of colour refinement after as many rounds.
 */
#ifndef LM_EQUITABLE_H
#define LM_EQUITABLE_H

#include "base/context.h"
#include "base/hash.h"
#include "base/sort.h"

/* A class that was divided: its vertices before, and the number of new classes. */
typedef struct lm_division {
    uint32_t parent, first, count, children;
} lm_division;

/* A relation: the vertices that see v are head[start[v]] .. head[start[v+1] - 1]. An arc is seen with a hash: bond[arc] ^
 * mark, or mark alone if bond is NULL. */
typedef struct lm_relation {
    const uint64_t *start;
    const uint32_t *head;
    const uint64_t *bond;
    uint64_t mark;
} lm_relation;
enum { LM_MOST_RELATIONS = 2 };

/* Each array has an element for every vertex of the largest graph, unless stated otherwise. */
typedef struct lm_equitable {
    leman_context *ctx;
    size_t vertices, classes; /* of the part */
    lm_relation relation[LM_MOST_RELATIONS];
    unsigned relations;
    uint64_t *start, *bond;  /* arcs of the part: [vertices of the graph + 1], [arcs] hash of the edge labels */
    uint32_t *head;          /* [arcs] */
    uint32_t *order, *place; /* vertices sorted by class; the place of each vertex in order */
    uint32_t *class_of, *first, *count;
    uint64_t *name;                    /* of a class */
    uint64_t *key;                     /* of a vertex: the multiset of its renamed neighbours */
    uint32_t *touched, *touched_class; /* [classes] vertices with a renamed neighbour; classes with such vertices */
    bool *seen;                        /* the vertex has a renamed neighbour */
    uint32_t *renamed, *next;          /* vertices that got a new name in the last round, and in this round */
    size_t renamed_count, next_count;
    lm_division *division;
    size_t divisions;
    lm_pair *pair, *spare;
} lm_equitable;

/* Returns a hash of one row of labels. */
static inline uint64_t lm_row_hash(const int64_t *label, size_t columns)
{
    uint64_t hash = columns;
    for (size_t i = 0; i < columns; i++) hash = lm_mix(hash * 31 + (uint64_t)label[i]);
    return hash;
}

/* Allocates scratch arrays for graphs of up to so many vertices and arcs. */
leman_status lm_equitable_new(leman_context *ctx, size_t vertices, size_t arcs, lm_equitable *e);
/* Computes the partition of the vertices with kept[v], starting from the colours color[v]. *hash is the same for
 * isomorphic parts, and differs for two parts that colour refinement distinguishes. O((n + m) log n). */
leman_status lm_equitable_refine(lm_equitable *e, const leman_graph *g, const bool *kept, const uint64_t *color,
                                 uint64_t *hash);
/* Individualises v, refines the partition, and restores it. Returns the hash of the refinement. The refinement ends
 * before the round in which more than *budget arcs would have been visited in all; *budget is reduced by the arcs
 * visited. Hash and budget are the same for vertices that an automorphism maps to each other. O(budget log n). */
uint64_t lm_equitable_individualize(lm_equitable *e, uint32_t v, uint64_t *budget);

/* Allocates scratch arrays for a caller who sets the relations and computes the rounds one by one;
 * lm_equitable_bytes() returns their size. */
leman_status lm_equitable_reserve(leman_context *ctx, size_t vertices, lm_equitable *e);
uint64_t lm_equitable_bytes(size_t vertices);
/* Begins with a class for each colour of color[vertices]; the class has the colour as its name. O(n log n). */
void lm_equitable_begin(lm_equitable *e, size_t vertices, const uint64_t *color);
/* Divides every class by key[v] of its vertices: the first round after lm_equitable_begin(), if keys are equal exactly
 * where what the vertices see is equal. O(n log n). */
void lm_equitable_divide(lm_equitable *e, const uint64_t *key);
/* Computes the next round. Nothing was divided if e->divisions does not grow. division[] lists the divided classes in
 * order; the new classes, which are parts of them, have the next numbers in the same order. All rounds together take
 * O((n + m) log n). Returns a hash of the round. */
uint64_t lm_equitable_round(lm_equitable *e);

#endif
