/*
 * leman/color.h - colourings of tuples: the number of colours, the colours, and which graphs they distinguish. In all
 * headers, "the paper" is Morris, Rattan, Mutzel: Weisfeiler and Leman go sparse (NeurIPS 2020).
 *
 * Every argument of type const leman_coloring * may be NULL, which means leman_coloring_default(). Time of a round for
 * n vertices of mean degree d: O(k n^k) for WL, O(k n^k d) for LOCAL, LOCAL_PLUS and DELTA, O(n^(k+1)) for FOLKLORE, O(n^2 d) for pairs from SWL_VS to SLFWL and
 * for bags, the sum of |ball(w)| over all pairs (u, w) for DRFWL, O(n^2) for SPD_WL, RD_WL and GD_WL, O(k sets) for SET_WL.
 */
#ifndef LEMAN_COLOR_H
#define LEMAN_COLOR_H

#include "leman/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Colourings ------------------------------------------------------------------------------ */

/* The list of all algorithms: X(NAME, name, paper, pairs). `paper` is the paper's name with the letter k, `pairs` that with
 * k = 2. docs/color_definition.md defines the algorithms. A new one is a row at the end, and a row of src/refine/variant.c. */
/* clang-format off */
#define LEMAN_ALGORITHMS(X)                                                                                            \
    X(WL, "wl", "k-WL", "2-WL")                                                                                        \
    X(DELTA, "delta", "delta-k-WL", "delta-2-WL")                                                                      \
    X(LOCAL, "local", "delta-k-LWL", "delta-2-LWL")                                                                    \
    X(LOCAL_PLUS, "local+", "delta-k-LWL+", "delta-2-LWL+")                                                            \
    X(FOLKLORE, "folklore", "k-FWL", "2-FWL")                                                                          \
    X(SWL_VS, "swl", "SWL(VS)", "SWL(VS)")               /* ordered pairs, from here on */                             \
    X(SWL_SV, "swl-sv", "SWL(SV)", "SWL(SV)")                                                                          \
    X(PSWL_VS, "pswl", "PSWL(VS)", "PSWL(VS)")                                                                         \
    X(PSWL_SV, "pswl-sv", "PSWL(SV)", "PSWL(SV)")                                                                      \
    X(GSWL, "gswl", "GSWL", "GSWL")                                                                                    \
    X(SSWL, "sswl", "SSWL", "SSWL")                                                                                    \
    X(LFWL, "lfwl", "LFWL(2)", "LFWL(2)")                                                                              \
    X(SLFWL, "slfwl", "SLFWL(2)", "SLFWL(2)")                                                                          \
    X(DRFWL, "drfwl", "DRFWL(2)", "DRFWL(2)")                                                                          \
    X(SPD_WL, "spd", "SPD-WL", "SPD-WL")                 /* vertices that see all distances */                         \
    X(RD_WL, "rd", "RD-WL", "RD-WL")                                                                                   \
    X(GD_WL, "gd", "GD-WL", "GD-WL")                                                                                   \
    X(SET_WL, "set", "k-SetWL", "2-SetWL")               /* sets of at most k vertices */                              \
    X(BAG_DELETED, "ds-nd", "DS-WL(ND)", "DS-WL(ND)")    /* bags of subgraphs */                                       \
    X(BAG_EGO, "ds-ego", "DS-WL(EGO)", "DS-WL(EGO)")                                                                   \
    X(BAG_MARKED, "ds-nm", "DS-WL(NM)", "DS-WL(NM)")
/* clang-format on */

/* LEMAN_ALGORITHM_WL, LEMAN_ALGORITHM_DELTA, ... */
#define LEMAN_ALGORITHM_VALUE(NAME, name, paper, pairs) LEMAN_ALGORITHM_##NAME,
typedef enum leman_algorithm { LEMAN_ALGORITHMS(LEMAN_ALGORITHM_VALUE) } leman_algorithm;
#define LEMAN_ALGORITHM_ONE(NAME, name, paper, pairs) +1
#define LEMAN_ALGORITHM_COUNT (0 LEMAN_ALGORITHMS(LEMAN_ALGORITHM_ONE))
/* Names: "wl", "delta", "local", "local+", "folklore". */
LEMAN_API const char *leman_algorithm_name(leman_algorithm algorithm);
/* Returns the paper's name of an algorithm with the letter k: "delta-k-LWL+"; "unknown" outside the enum. */
LEMAN_API const char *leman_algorithm_paper_name(leman_algorithm algorithm);
/* Returns the only k of an algorithm: 2 for ordered pairs, 1 for vertices that see distances. Returns 0 if the caller
 * chooses k, and outside the enum. */
LEMAN_API unsigned leman_algorithm_k(leman_algorithm algorithm);

#define LEMAN_STABLE UINT32_MAX                  /* refine until a round splits no colour class */
#define LEMAN_VERIFY_SEED UINT64_C(0x6c656d616e) /* seed of a second colouring that verifies the first */

typedef struct leman_coloring {
    size_t size; /* leman_coloring_init() sets it */
    leman_algorithm algorithm;
    unsigned k;             /* 1 to 32; for k = 1, WL and FOLKLORE mean LOCAL, which is colour refinement */
    uint32_t rounds;        /* number of the last round, or LEMAN_STABLE */
    bool count_every_round; /* LOCAL_PLUS: use the counter # in every round, not only in the last */
    bool ignore_vertex_labels, ignore_edge_labels;
    bool in_arcs;  /* directed graphs: entering arcs are a second relation */
    uint64_t seed; /* 0: canonical colours, comparable everywhere; any other seed: an independent hash */
    /* s > 0: only tuples whose vertices induce at most s connected components (1: connected tuples) are coloured and
     * summed over, for k up to 6. s >= k means all tuples. Colours of different s are never equal. 0: all tuples, as a
     * dense array. Not used for k = 1. */
    uint64_t components;
    /* DRFWL: pairs with at most this distance are coloured; BAG_EGO: the radius of the balls; 0: 2. At most 255. Other
     * algorithms do not use it. */
    uint32_t distance;
} leman_coloring;

/* Sets LOCAL, k = 2, five rounds. */
LEMAN_API void leman_coloring_init(leman_coloring *coloring, size_t size);
static inline leman_coloring leman_coloring_default(void)
{
    leman_coloring coloring;
    leman_coloring_init(&coloring, sizeof coloring);
    return coloring;
}
/* Parses the paper's name of a colouring ("delta-2-LWL+", "δ-2-LWL⁺", "2-WL", "2-FWL"), the name of an algorithm with
 * or without k ("local", "local:3"), or a name of the program that the authors of the paper published ("LWLP3"). Upper
 * and lower case are not distinguished. Members of *coloring that the name does not determine are not changed. An
 * unknown name fails with LEMAN_ERROR_ARGUMENT. */
LEMAN_API leman_status leman_coloring_parse(leman_context *ctx, const char *name, leman_coloring *coloring);
/* Returns the i-th of a list of names that leman_coloring_parse() accepts, algorithms first, or NULL after the last.
 * Names that differ from a listed name only in k are accepted, too. */
LEMAN_API const char *leman_coloring_known_name(size_t i);
/* Writes the paper's name of a colouring into text[size], cut off if it is too long: "delta-2-LWL+", "2-FWL", "1-WL"
 * (colour refinement by any algorithm). Returns the length of the whole name, as snprintf() does. */
LEMAN_API size_t leman_coloring_paper_name(const leman_coloring *coloring, char *text, size_t size);
/* Writes a text like "delta-2-LWL, rounds 0 to 5" into text[size], cut off if too long. Returns text, or NULL. */
LEMAN_API const char *leman_coloring_text(const leman_coloring *coloring, char *text, size_t size);

/* ---- Colours of a data set ------------------------------------------------------------------- */

typedef struct leman_round_count {
    uint64_t colors; /* different colours in all graphs */
    uint64_t pairs;  /* different (graph, colour) pairs */
} leman_round_count;

/* The number of colours of a data set in every round. */
typedef struct leman_census {
    uint32_t rounds; /* entries of round: number of the last round + 1 */
    leman_round_count *round;
    int64_t stable_round; /* the first round after which no colour class is split; -1: not reached */
    double seconds;       /* for refinement and histograms of graphs, without counting across graphs */
} leman_census;

/* Counts the colours of all graphs in every round. With verify, everything is coloured a second time with
 * LEMAN_VERIFY_SEED; a different count in any round fails with LEMAN_ERROR_INTERNAL. A graph that is too large for the
 * memory budget fails with LEMAN_ERROR_BUDGET and a message that names it, before any work. */
LEMAN_API leman_status leman_census_compute(leman_context *ctx, const leman_dataset *data,
                                            const leman_coloring *coloring, bool verify, leman_census **census);
LEMAN_API void leman_census_free(leman_census *census);

/* ---- Colours of one graph -------------------------------------------------------------------- */

/* Computes the colour of every k-tuple of a graph after round number `round` into colors[n^k]. The last vertex of the
 * tuple varies fastest. Tuples that coloring->components excludes get 0. `round` may exceed coloring->rounds, except
 * for LOCAL_PLUS with the counter # in the last round only; there a larger round fails with LEMAN_ERROR_ARGUMENT. */
LEMAN_API leman_status leman_tuple_colors(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                          uint32_t round, uint64_t *colors);
/* Writes the colours of leman_tuple_colors() to a file; "-" is standard output. If the path ends in .npy, the file is a
 * numpy array of k dimensions. Otherwise the file is CSV with the header v1,...,vk,color and a line for each coloured
 * tuple. Vertices are counted from 0. A colour is written as 16 hexadecimal digits. */
LEMAN_API leman_status leman_tuple_colors_write(leman_context *ctx, const leman_graph *graph,
                                                const leman_coloring *coloring, uint32_t round, const char *path);

/* ---- Tuples as arrays ------------------------------------------------------------------------ */

#define LEMAN_TUPLES_MAX_K 6
/* What leman_tuples_compute() computes in addition to the tuples and their colours; bits. */
#define LEMAN_TUPLES_LINKS 1u
#define LEMAN_TUPLES_DISTANCES 2u

/* The neighbours of tuple t are tuple[start[t]] .. tuple[start[t+1]-1]; start has tuples + 1 entries. */
typedef struct leman_tuple_links {
    uint64_t *start;
    uint32_t *tuple;
} leman_tuple_links;

/* The k-tuples of all graphs of a data set, numbered graph by graph and in the order of their vertices, the last of
 * which varies fastest. */
typedef struct leman_tuples {
    unsigned k;
    size_t graphs, tuples;
    uint64_t *start, *vertex_start; /* [graphs + 1] numbers of the first tuple and the first vertex of each graph */
    uint32_t *vertex;               /* [tuples][k] counted from 0 in each graph */
    uint64_t *color;                /* [tuples] */
    /* With LEMAN_TUPLES_LINKS, for every component j < k. leaving[j]: the tuples in which an arc leads from component j
     * of t to the vertex that replaces it; a self-loop makes t its own neighbour, as in colourings. entering[j]: the
     * arc leads to component j; only for directed graphs and colourings with in_arcs, otherwise NULL. line[j][tuples]:
     * two tuples of a graph have one number exactly if they differ at most in component j; numbers are 0 .. lines-1. */
    leman_tuple_links leaving[LEMAN_TUPLES_MAX_K], entering[LEMAN_TUPLES_MAX_K];
    uint32_t *line[LEMAN_TUPLES_MAX_K];
    size_t lines;
    /* With LEMAN_TUPLES_DISTANCES: [tuples][k(k-1)/2] the number of arcs on a shortest path from component i to
     * component j, for i < j in the order 12, 13, 23; UINT32_MAX if there is no path. Otherwise NULL. */
    uint32_t *distance;
} leman_tuples;
/* Computes the tuples of all graphs with their colours after round number `round`, for k from 2 to LEMAN_TUPLES_MAX_K.
 * `wanted` has bits LEMAN_TUPLES_... . Fails with LEMAN_ERROR_BUDGET if there are 2^32 - 1 tuples or more, or more than
 * memory has. O(tuples k d) for mean degree d; distances O(n arcs), and 4 n^2 bytes for the largest graph. Free with
 * leman_tuples_free(). */
LEMAN_API leman_status leman_tuples_compute(leman_context *ctx, const leman_dataset *data,
                                            const leman_coloring *coloring, uint32_t round, unsigned wanted,
                                            leman_tuples **tuples);
LEMAN_API void leman_tuples_free(leman_tuples *tuples);

/* A colour of one graph after one round, and the number of tuples that have it. */
typedef struct leman_color {
    uint64_t color, count;
} leman_color;

/* The histograms of one graph for rounds 0 .. rounds-1. Round r is color[start[r]] .. color[start[r+1]-1], colours
 * increasing. A graph that is stable earlier still has all rounds; with LEMAN_STABLE the first stable one is the
 * last. */
typedef struct leman_histogram {
    uint32_t rounds; /* start has rounds + 1 entries */
    uint64_t *start;
    leman_color *color;
} leman_histogram;
/* Computes the histograms of all rounds. Free with leman_histogram_free(). */
LEMAN_API leman_status leman_histogram_compute(leman_context *ctx, const leman_graph *graph,
                                               const leman_coloring *coloring, leman_histogram **histogram);
LEMAN_API void leman_histogram_free(leman_histogram *histogram);

/* ---- Distinguishing graphs ------------------------------------------------------------------- */

/* Whether some colour has different counts in graphs a and b after some round. */
typedef struct leman_difference {
    bool distinguished;
    uint32_t round;    /* the first round that distinguishes the graphs; otherwise the last round that was compared */
    uint64_t color;    /* of the colours of that round whose counts differ, the one with the fewest tuples */
    uint64_t count[2]; /* number of tuples with that colour in a and in b */
} leman_difference;
/* Finds the first round after which some colour has different counts in graphs a and b. With as_union, both graphs are
 * coloured as parts of their disjoint union, and the counts of the tuples inside each part are compared. Fails with
 * LEMAN_ERROR_INPUT if only one graph is directed or if the numbers of label columns differ. */
LEMAN_API leman_status leman_distinguish(leman_context *ctx, const leman_graph *a, const leman_graph *b,
                                         const leman_coloring *coloring, bool as_union, leman_difference *difference);

/* Compares graphs 2i and 2i+1 of the data, as leman_distinguish() does, into difference[i]. An odd number of graphs
 * fails with LEMAN_ERROR_INPUT. */
LEMAN_API leman_status leman_distinguish_pairs(leman_context *ctx, const leman_dataset *data,
                                               const leman_coloring *coloring, bool as_union,
                                               leman_difference *difference);

/*
 * A hash of one graph: of the colours of its last round with their counts, of the number of vertices, and of whether the
 * graph is directed. Two graphs that leman_distinguish() does not distinguish have the same hash. Other graphs have the
 * same hash by chance only: with a probability of about 2^-128 for a pair of graphs that nobody has constructed for
 * this. The hash is not cryptographic. docs/color_definition.md defines it.
 */
typedef struct leman_graph_hash {
    uint64_t hash[2];     /* equal on all machines; from colours of the seeds `seed` and seed + LEMAN_HASH_SEED */
    int64_t stable_round; /* the first round after which no colour class is split; -1: not reached */
} leman_graph_hash;
#define LEMAN_HASH_SEED UINT64_C(0x6c6d31) /* "lm1" */
/* Computes the hash of every graph, into hash[graphs]. */
LEMAN_API leman_status leman_graph_hashes(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                          leman_graph_hash *hash);
/* Writes "lm1:" and 32 hexadecimal digits, those of hash[0] first, into text[size], cut off if it is too long. Returns
 * the length of the whole text, as snprintf() does; 0 and "" if hash is NULL. */
#define LEMAN_GRAPH_HASH_TEXT 37
LEMAN_API size_t leman_graph_hash_text(const leman_graph_hash *hash, char *text, size_t size);

/* ---- Hierarchies of tests -------------------------------------------------------------------- */

/* Which of many colourings tells apart which pairs of graphs. Row a, column b of a table is entry a * tests + b. */
typedef struct leman_hierarchy {
    size_t graphs, tests;
    uint64_t pairs;       /* that are compared: those of a list, or all pairs of graphs */
    bool listed;          /* the pairs are graphs 2i and 2i+1 */
    bool connected;       /* every graph is */
    leman_coloring *test; /* [tests] */
    double *seconds;      /* [tests] */
    uint64_t *told;       /* [tests] pairs that the test tells apart */
    uint32_t *class_of;   /* [tests][graphs] graphs with one number are not told apart */
    bool *proved;         /* [tests][tests] proved for graphs such as these: b tells apart all that a does */
    uint64_t *only;       /* [tests][tests] pairs that a tells apart and b does not */
    size_t *witness;      /* [tests][tests][2] if only > 0: the graphs of the smallest such pair */
} leman_hierarchy;
/* Colours all graphs by 1 to 256 colourings and compares them. listed: only graphs 2i and 2i+1 are compared, and an odd number of
 * graphs fails with LEMAN_ERROR_INPUT. The size of a pair is the number of vertices, then of edges, of its larger graph. If
 * proved[a][b] holds, only[a][b] must be 0; inclusions are proved for undirected graphs, many of them for connected ones.
 * Free with leman_hierarchy_free(). */
LEMAN_API leman_status leman_hierarchy_compute(leman_context *ctx, const leman_dataset *data,
                                               const leman_coloring *colorings, size_t count, bool listed,
                                               leman_hierarchy **hierarchy);
LEMAN_API void leman_hierarchy_free(leman_hierarchy *hierarchy);

/* ---- Weisfeiler-Leman dimension -------------------------------------------------------------- */

/*
 * The smallest k for which k-WL distinguishes graphs, by both of the algorithms that are called k-WL: FOLKLORE, which the
 * literature on the WL dimension means, and WL. For k >= 2, FOLKLORE with k is exactly as strong as WL with k + 1.
 *
 * The functions below use ignore_vertex_labels, ignore_edge_labels and seed of the colouring, and nothing else. Arcs of
 * directed graphs are seen from both ends. max_k is 1 to 32. The memory of every k is estimated before any work for it; a k
 * that does not fit into the budget ends the search, and is no failure unless k = 1. That graphs are distinguished
 * is certain; that they are not, or are isomorphic, holds except for collisions of 64-bit colours.
 */
typedef struct leman_dimension {
    unsigned folklore; /* the smallest k for which FOLKLORE distinguishes the graphs; 0: no k up to `tried` does */
    unsigned wl;       /* the smallest k for which WL does; 0: unknown */
    unsigned tried;    /* the largest k that was tried */
    uint32_t round;    /* in which FOLKLORE distinguishes them, if `folklore` is not 0 */
    bool isomorphic;   /* no k distinguishes the graphs: one of them is identified by k = tried */
    uint64_t bytes;    /* if not 0, the search ended because k = tried + 1 needs so much memory */
} leman_dimension;
/* Finds the dimension that distinguishes two graphs. Fails as leman_distinguish() does. */
LEMAN_API leman_status leman_pair_dimension(leman_context *ctx, const leman_graph *a, const leman_graph *b,
                                            const leman_coloring *coloring, unsigned max_k, leman_dimension *dimension);
/* The same for graphs 2i and 2i+1 of the data, into dimension[i]. An odd number of graphs fails with
 * LEMAN_ERROR_INPUT. */
LEMAN_API leman_status leman_pair_dimensions(leman_context *ctx, const leman_dataset *data,
                                             const leman_coloring *coloring, unsigned max_k,
                                             leman_dimension *dimension);

/*
 * The WL dimension of a graph is the smallest k for which FOLKLORE distinguishes it from all graphs that are not isomorphic
 * to it, whether or not they are in the data. It lies between at_least and at_most. Whether it is 1 is decided exactly
 * for undirected graphs without edge labels. Larger lower bounds come from other graphs of the data, upper bounds from
 * tree-width 2 and from the number of vertices (src/refine/identify.c).
 */
typedef struct leman_graph_dimension {
    unsigned at_least, at_most;
    unsigned
        within; /* the smallest k for which FOLKLORE distinguishes the graph from all graphs of the data that are not
                      * isomorphic to it; 0: no k up to `tried`, or unknown */
    unsigned tried; /* the largest k that was tried for the graph */
    uint64_t bytes; /* if not 0, the search ended because k = tried + 1 needs so much memory for a graph */
    size_t first;   /* the first graph of the data that k = tried does not distinguish from this one; may be itself */
} leman_graph_dimension;
/* Computes the bounds of all graphs, into dimension[graphs]. classes[max_k], or NULL, gets for each k from 1 the number of
 * classes of graphs that k does not distinguish; classes that were not tried are counted as they are. */
LEMAN_API leman_status leman_graph_dimensions(leman_context *ctx, const leman_dataset *data,
                                              const leman_coloring *coloring, unsigned max_k,
                                              leman_graph_dimension *dimension, size_t *classes);

#ifdef __cplusplus
}
#endif
#endif
