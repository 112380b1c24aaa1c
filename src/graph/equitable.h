/*
 * The coarsest equitable partition of a part of a graph (stable colour refinement), with names of classes that do not
 * depend on the order of vertices: isomorphic parts have the same names. And the same after one vertex got a colour of
 * its own.
 */
#ifndef LM_EQUITABLE_H
#define LM_EQUITABLE_H

#include "base/context.h"
#include "base/sort.h"

/* A class that was divided: its vertices before, and how many new classes there are since. */
typedef struct lm_division {
    uint32_t parent, first, count, children;
} lm_division;

/* Arrays have a place for every vertex of the largest graph. */
typedef struct lm_equitable {
    leman_context *ctx;
    size_t vertices, classes; /* of the part */
    uint64_t *start, *bond;   /* its arcs: [vertices of the graph + 1], [arcs] the hash of the labels */
    uint32_t *head;           /* [arcs] */
    uint32_t *order, *place;  /* vertices by their class; where each stands there */
    uint32_t *class_of, *first, *count;
    uint64_t *name;                    /* of a class */
    uint64_t *key;                     /* of a vertex: the multiset of its renamed neighbours */
    uint32_t *touched, *touched_class; /* [classes] how many have a renamed neighbour; which classes have such */
    bool *seen;                        /* has a renamed neighbour */
    uint32_t *renamed, *next;          /* vertices that got a new name in the last round, and in this one */
    size_t renamed_count, next_count;
    lm_division *division;
    size_t divisions;
    lm_pair *pair, *spare;
} lm_equitable;

/* Scratch arrays for graphs of up to so many vertices and arcs. */
leman_status lm_equitable_new(leman_context *ctx, size_t vertices, size_t arcs, lm_equitable *e);
/* The partition of the vertices that are kept; color[v] is what they begin with. *hash is the same for isomorphic
 * parts, and different for two that colour refinement tells apart. O((n + m) log n). */
leman_status lm_equitable_refine(lm_equitable *e, const leman_graph *g, const bool *kept, const uint64_t *color,
                                 uint64_t *hash);
/* The same with a colour of its own for v, and back again. The refinement ends early, behind the last round before
 * *budget arcs would have been followed; *budget becomes what is left of it. O(budget log n), whatever n is. The result
 * and the budget are the same for vertices that an automorphism maps to each other. */
uint64_t lm_equitable_individualize(lm_equitable *e, uint32_t v, uint64_t *budget);

#endif
