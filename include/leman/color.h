/*
 * leman/color.h - colourings of tuples, distinguishing graphs, and why they differ.
 */
#ifndef LEMAN_COLOR_H
#define LEMAN_COLOR_H

#include "leman/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Colourings ------------------------------------------------------------------------------ */

/* The rows of the table in docs/color_definition.md; the paper's names behind them. */
typedef enum leman_algorithm {
    LEMAN_ALGORITHM_WL,         /* k-WL */
    LEMAN_ALGORITHM_DELTA,      /* delta-k-WL */
    LEMAN_ALGORITHM_LOCAL,      /* delta-k-LWL */
    LEMAN_ALGORITHM_LOCAL_PLUS, /* delta-k-LWL+ */
    LEMAN_ALGORITHM_FOLKLORE    /* folklore k-WL */
} leman_algorithm;

#define LEMAN_STABLE UINT32_MAX                  /* as many rounds as split something */
#define LEMAN_VERIFY_SEED UINT64_C(0x6c656d616e) /* of the second colouring that must agree with the first */

typedef struct leman_coloring {
    size_t size; /* leman_coloring_init() sets it */
    leman_algorithm algorithm;
    unsigned k;             /* for k = 1, WL and FOLKLORE are LOCAL: colour refinement */
    uint32_t rounds;        /* 0 .. rounds, or LEMAN_STABLE */
    bool count_every_round; /* LOCAL_PLUS: # in every round, not in the last only */
    bool ignore_vertex_labels, ignore_edge_labels;
    bool in_arcs;  /* directed graphs: entering arcs as a second relation */
    uint64_t seed; /* 0: the canonical colours, comparable everywhere; another gives an independent hash */
} leman_coloring;

/* LOCAL, k = 2, five rounds. */
LEMAN_API void leman_coloring_init(leman_coloring *coloring, size_t size);
static inline leman_coloring leman_coloring_default(void)
{
    leman_coloring coloring;
    leman_coloring_init(&coloring, sizeof coloring);
    return coloring;
}
/* "wl", "delta", "local", "local+", "folklore", or the authors' names ("LWLP3"), which set k too. */
LEMAN_API leman_status leman_coloring_parse(leman_context *ctx, const char *name, leman_coloring *coloring);
LEMAN_API const char *leman_algorithm_name(leman_algorithm algorithm);

/* How many colours a data set shows. */
typedef struct leman_round_count {
    uint64_t colors; /* different colours over all graphs */
    uint64_t pairs;  /* (graph, colour) pairs */
} leman_round_count;

typedef struct leman_census {
    uint32_t rounds; /* entries of round: the last round + 1 */
    leman_round_count *round;
    int64_t stable_round; /* the first round after which nothing splits any more; -1: not seen */
    double seconds;       /* refinement and per-graph histograms, without counting across graphs */
} leman_census;

/* verify: colours everything a second time under LEMAN_VERIFY_SEED; a different number of classes in any round is
 * LEMAN_ERROR_INTERNAL. LEMAN_ERROR_BUDGET says which graph is too large, before any work. */
LEMAN_API leman_status leman_census_compute(leman_context *ctx, const leman_dataset *data,
                                            const leman_coloring *coloring, bool verify, leman_census *census);
LEMAN_API void leman_census_free(leman_context *ctx, leman_census *census);

/* The colour of every k-tuple of one graph after a round: colors[n^k], the last component fastest. */
LEMAN_API leman_status leman_tuple_colors(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                          uint32_t round, uint64_t *colors);

/* One colour of one graph after one round, and how many tuples carry it. */
typedef struct leman_color {
    uint64_t color, count;
} leman_color;

/* The histogram of every round 0 .. rounds of one graph, colours increasing: round r is
 * color[start[r]] .. color[start[r+1]-1]. A graph that is stable earlier still has all rounds, except with
 * LEMAN_STABLE, which ends with the first stable one. */
typedef struct leman_histogram {
    uint32_t rounds; /* entries of start less one */
    uint64_t *start;
    leman_color *color;
} leman_histogram;
LEMAN_API leman_status leman_histogram_compute(leman_context *ctx, const leman_graph *graph,
                                               const leman_coloring *coloring, leman_histogram *histogram);
LEMAN_API void leman_histogram_free(leman_context *ctx, leman_histogram *histogram);

/* Does some colour have different counts in graphs a and b after some round? */
typedef struct leman_difference {
    bool distinguished;
    uint32_t round;    /* the first that tells them apart; otherwise the last that was looked at */
    uint64_t color;    /* a colour of that round whose counts differ: the one with the fewest tuples */
    uint64_t count[2]; /* how many tuples carry it in a and in b */
} leman_difference;
/* as_union: both are coloured as parts of their disjoint union, and the counts of its tuples inside each part compared.
 */
LEMAN_API leman_status leman_distinguish(leman_context *ctx, const leman_graph *a, const leman_graph *b,
                                         const leman_coloring *coloring, bool as_union, leman_difference *difference);

/* The same for many pairs: graphs 2i and 2i+1 of the data give difference[i]. */
LEMAN_API leman_status leman_distinguish_pairs(leman_context *ctx, const leman_dataset *data,
                                               const leman_coloring *coloring, bool as_union,
                                               leman_difference *difference);

/* Where a tuple finds the colours that its next colour is made of. x is the tuple with component j replaced by w. */
typedef enum leman_relation {
    LEMAN_RELATION_ITSELF,   /* its own colour */
    LEMAN_RELATION_NEIGHBOR, /* x for the neighbours w of component j */
    LEMAN_RELATION_ENTERING, /* x for the vertices w with an arc to component j */
    LEMAN_RELATION_OTHER,    /* DELTA: x for all w that are no neighbours */
    LEMAN_RELATION_ANY,      /* WL: x for all w */
    LEMAN_RELATION_VECTOR    /* FOLKLORE: x for every component j at once, for all w */
} leman_relation;

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
                                     leman_unrolling *unrolling);
LEMAN_API void leman_unrolling_free(leman_context *ctx, leman_unrolling *unrolling);

#ifdef __cplusplus
}
#endif
#endif
