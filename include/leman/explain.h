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

/* Where a tuple finds the colours that its next colour is made of. x is the tuple with component j replaced by w. */
typedef enum leman_relation {
    LEMAN_RELATION_ITSELF,   /* its own colour */
    LEMAN_RELATION_NEIGHBOR, /* x for the neighbours w of component j */
    LEMAN_RELATION_ENTERING, /* x for the vertices w with an arc to component j */
    LEMAN_RELATION_OTHER,    /* DELTA: x for all w that are no neighbours */
    LEMAN_RELATION_ANY,      /* WL: x for all w */
    LEMAN_RELATION_VECTOR    /* FOLKLORE: x for every component j at once, for all w */
} leman_relation;
#define LEMAN_RELATION_COUNT 6
/* "itself", "neighbor", "entering", "other", "any", "vector". */
LEMAN_API const char *leman_relation_name(leman_relation relation);

typedef struct leman_branch {
    leman_relation relation;
    unsigned position; /* j, from 0 */
    uint32_t vertex;   /* one of the vertices w */
    uint64_t count;    /* how many of them give the same */
    uint64_t repeats;  /* #: how many tuples of the line have the colour of x; 0 in rounds without # */
    size_t target;     /* target[target] is the node of x; for VECTOR k of them, one for each component */
} leman_branch;

typedef struct leman_unrolling_node {
    uint64_t color;
    uint32_t round;
    uint32_t graph;          /* 0 or 1: whose tuple it is an example of */
    size_t branch, branches; /* branch[branch] .. ; none in round 0 and where the limit was met */
} leman_unrolling_node;

/* Why two graphs differ: the unrolling tree (the paper's appendix) of a colour whose counts differ. Equal subtrees are
 * one node; node 0 is the root. Rounds fall by one along every branch. */
typedef struct leman_unrolling {
    leman_difference difference; /* nothing else is set where they are not distinguished */
    unsigned k;
    size_t nodes, other; /* `other`: a tuple of the other graph that had the root's colour one round earlier; 0: none */
    leman_unrolling_node *node;
    uint32_t *vertex; /* [nodes][k] the tuple of each node; in a union the second graph's follow the first's */
    leman_branch *branch;
    size_t *target;
    size_t carriers[2];   /* the first tuples that carry the root's colour in each graph, at most LEMAN_CARRIERS */
    uint32_t *carrier[2]; /* [carriers][k], vertices of that graph */
} leman_unrolling;

#define LEMAN_CARRIERS 8

/* Distinguishes and explains. max_nodes: so many nodes have branches; 0: all. Holds the colours of all rounds of both
 * graphs; LEMAN_ERROR_BUDGET where they do not fit. */
LEMAN_API leman_status leman_explain(leman_context *ctx, const leman_graph *a, const leman_graph *b,
                                     const leman_coloring *coloring, bool as_union, size_t max_nodes,
                                     leman_unrolling **unrolling);
LEMAN_API void leman_unrolling_free(leman_unrolling *unrolling);

/* ---- For people ------------------------------------------------------------------------------ */

typedef enum leman_explanation_format {
    LEMAN_EXPLANATION_FORMAT_TEXT, /* "text": indented lines */
    LEMAN_EXPLANATION_FORMAT_DOT,  /* "dot": the language of Graphviz */
    LEMAN_EXPLANATION_FORMAT_SVG   /* "svg": a self-contained picture */
} leman_explanation_format;
#define LEMAN_EXPLANATION_FORMAT_COUNT 3
LEMAN_API const char *leman_explanation_format_name(leman_explanation_format format);
LEMAN_API leman_status leman_explanation_format_parse(leman_context *ctx, const char *name,
                                                      leman_explanation_format *format);

/* Where the two graphs of an unrolling come from: names and labels of their vertices are read there. */
typedef struct leman_explained_pair {
    size_t size; /* leman_explained_pair_init() sets it */
    const leman_dataset *data[2];
    size_t graph[2]; /* number of each in its data set, from 0 */
    bool apex;       /* the last vertex of each is that of leman_dataset_apex() */
} leman_explained_pair;

LEMAN_API void leman_explained_pair_init(leman_explained_pair *pair, size_t size);
static inline leman_explained_pair leman_explained_pair_default(void)
{
    leman_explained_pair pair;
    leman_explained_pair_init(&pair, sizeof pair);
    return pair;
}

typedef struct leman_explanation {
    char *text;    /* ends in a zero byte, which length does not count */
    size_t length; /* bytes */
} leman_explanation;

/* The first part of the tree that fits a page; one sentence where the graphs are not distinguished. */
LEMAN_API leman_status leman_explanation_write(leman_context *ctx, const leman_unrolling *unrolling,
                                               const leman_explained_pair *pair, leman_explanation_format format,
                                               leman_explanation **explanation);
LEMAN_API void leman_explanation_free(leman_explanation *explanation);

#ifdef __cplusplus
}
#endif
#endif
