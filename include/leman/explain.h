/*
 * leman/explain.h - why two graphs differ: the unrolling tree of a colour, as data and as text, DOT or SVG.
 */
#ifndef LEMAN_EXPLAIN_H
#define LEMAN_EXPLAIN_H

#include "leman/color.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Unrolling trees ------------------------------------------------------------------------- */

/* The sources of the next colour of a tuple. x is the tuple with component j replaced by the vertex w. */
typedef enum leman_relation {
    LEMAN_RELATION_ITSELF,   /* the colour of the tuple itself */
    LEMAN_RELATION_NEIGHBOR, /* the colours of x for all neighbours w of component j */
    LEMAN_RELATION_ENTERING, /* the colours of x for all w with an arc to component j */
    LEMAN_RELATION_OTHER,    /* DELTA: the colours of x for all w that are not neighbours of component j */
    LEMAN_RELATION_ANY,      /* WL: the colours of x for all w */
    LEMAN_RELATION_VECTOR,   /* FOLKLORE: for all w, the colours of x for all components j, as one vector */
    /* Of algorithms on pairs (u, v), on vertices with distances and on sets. */
    LEMAN_RELATION_END,      /* PSWL: the colour of (v, v) */
    LEMAN_RELATION_PATH,     /* LFWL, SLFWL, DRFWL: for the w of the algorithm, the colours of (u, w) and (w, v) */
    LEMAN_RELATION_POOLED,   /* of a row or a column: the colours of its pairs (u, w) or (w, v), after the same round */
    LEMAN_RELATION_DISTANCE, /* SPD_WL, RD_WL, GD_WL: for all w, the colour of w together with its distance */
    LEMAN_RELATION_LESS,     /* SET_WL: the colours of the sets without one vertex w of this one */
    LEMAN_RELATION_MORE      /* SET_WL: the colours of the sets with one more vertex w */
} leman_relation;
#define LEMAN_RELATION_COUNT 12
/* Names: "itself", "neighbor", "entering", "other", "any", "vector", "end", "path", "pooled", "distance", "less", "more". */
LEMAN_API const char *leman_relation_name(leman_relation relation);

typedef struct leman_branch {
    leman_relation relation;
    unsigned position; /* j, from 0; PATH, DISTANCE: 1 if arcs are followed backwards; LESS, MORE: 0 */
    uint32_t vertex;   /* w; an example if count > 1 */
    uint64_t count;    /* number of vertices w that give the same colours */
    uint64_t repeats;  /* #: tuples with the colour of x that differ from x only in component j, and x; 0 without # */
    size_t
        target; /* target[target] is the node of x; VECTOR: k entries from there on, one for each component; PATH: 2 */
} leman_branch;

typedef struct leman_unrolling_node {
    uint64_t color;
    uint32_t round;
    uint32_t graph;          /* 0 or 1: the graph of the example tuple */
    size_t branch, branches; /* first entry in branch[], and number; no branches beyond max_nodes and, but for rows and
                              * columns, in round 0 */
} leman_unrolling_node;

/* Explains a difference of two graphs by the unrolling tree (the paper's appendix) of a colour whose counts differ.
 * Node 0 is the root. Equal subtrees are one node. A branch leads from a node to nodes of the round before. Algorithms that colour other
 * things than tuples (docs/color_definition.md, "Items") explain those: sets of fewer than k vertices, rows (u, *) and columns
 * (*, v) of pairs have UINT32_MAX for the components that they lack. Only node 0 and `other` may be rows or columns. */
typedef struct leman_unrolling {
    leman_difference difference; /* the only member that is set if the graphs are not distinguished */
    unsigned k;
    size_t nodes, other; /* other: node of a tuple of the other graph with the root's colour a round earlier; 0: none */
    leman_unrolling_node *node;
    uint32_t *vertex; /* [nodes][k] example tuples; in a union the vertices of the second graph come last */
    leman_branch *branch;
    size_t *target;
    size_t carriers[2];   /* number of tuples in carrier, at most LEMAN_CARRIERS for each graph */
    uint32_t *carrier[2]; /* [carriers][k] the first tuples of each graph that have the root's colour */
} leman_unrolling;

#define LEMAN_CARRIERS 8

/* Compares two graphs as leman_distinguish() does and computes the unrolling tree of the difference. At most max_nodes
 * nodes have branches; 0: all. Fails with LEMAN_ERROR_BUDGET if the colours of all rounds of both graphs do not fit,
 * and with LEMAN_ERROR_UNSUPPORTED if coloring->components limits tuples. Time: the refinement, and O(k n) for each node with
 * branches, O(k n^2) with #, O(k sets) for sets. */
LEMAN_API leman_status leman_explain(leman_context *ctx, const leman_graph *a, const leman_graph *b,
                                     const leman_coloring *coloring, bool as_union, size_t max_nodes,
                                     leman_unrolling **unrolling);
LEMAN_API void leman_unrolling_free(leman_unrolling *unrolling);

/* ---- Text and pictures ----------------------------------------------------------------------- */

typedef enum leman_explanation_format {
    LEMAN_EXPLANATION_FORMAT_TEXT, /* "text": indented lines */
    LEMAN_EXPLANATION_FORMAT_DOT,  /* "dot": the language of Graphviz */
    LEMAN_EXPLANATION_FORMAT_SVG   /* "svg": a self-contained picture */
} leman_explanation_format;
#define LEMAN_EXPLANATION_FORMAT_COUNT 3
LEMAN_API const char *leman_explanation_format_name(leman_explanation_format format);
LEMAN_API leman_status leman_explanation_format_parse(leman_context *ctx, const char *name,
                                                      leman_explanation_format *format);

/* The two graphs of an unrolling in their data sets, from which names and labels of vertices are taken. */
typedef struct leman_explained_pair {
    size_t size; /* leman_explained_pair_init() sets it */
    const leman_dataset *data[2];
    size_t graph[2]; /* numbers of the graphs in their data sets, from 0 */
    bool apex;       /* the last vertex of each graph was added by leman_dataset_apex() */
} leman_explained_pair;

LEMAN_API void leman_explained_pair_init(leman_explained_pair *pair, size_t size);
static inline leman_explained_pair leman_explained_pair_default(void)
{
    leman_explained_pair pair;
    leman_explained_pair_init(&pair, sizeof pair);
    return pair;
}

typedef struct leman_explanation {
    char *text;    /* ends with a zero byte, which length does not count */
    size_t length; /* bytes */
} leman_explanation;

/* Writes the part of the tree that fits a page, from the root on; one sentence if the graphs are not distinguished.
 * Fails with LEMAN_ERROR_ARGUMENT if the graphs of the pair cannot be those of the unrolling. */
LEMAN_API leman_status leman_explanation_write(leman_context *ctx, const leman_unrolling *unrolling,
                                               const leman_explained_pair *pair, leman_explanation_format format,
                                               leman_explanation **explanation);
LEMAN_API void leman_explanation_free(leman_explanation *explanation);

#ifdef __cplusplus
}
#endif
#endif
