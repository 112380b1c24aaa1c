/*
 * leman/color.h - colourings of tuples: how many colours, which, and what they distinguish.
 *
 * Where a leman_coloring is an argument, NULL stands for leman_coloring_default().
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
    LEMAN_ALGORITHM_WL,         /* "wl", k-WL */
    LEMAN_ALGORITHM_DELTA,      /* "delta", delta-k-WL */
    LEMAN_ALGORITHM_LOCAL,      /* "local", delta-k-LWL */
    LEMAN_ALGORITHM_LOCAL_PLUS, /* "local+", delta-k-LWL+ */
    LEMAN_ALGORITHM_FOLKLORE    /* "folklore", folklore k-WL */
} leman_algorithm;
#define LEMAN_ALGORITHM_COUNT 5
LEMAN_API const char *leman_algorithm_name(leman_algorithm algorithm);
/* The paper's name with the letter k in it: "delta-k-LWL+"; "unknown" outside the enum. */
LEMAN_API const char *leman_algorithm_paper_name(leman_algorithm algorithm);

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
    /* s > 0: only the tuples whose vertices induce at most s connected components (1: connected tuples), for k up to 6;
     * sums of a round are over tuples among these. With s >= k these are all tuples. Their colours are never those of
     * another s. 0: all tuples, as a dense array. For k = 1 it says nothing. */
    uint64_t components;
} leman_coloring;

/* LOCAL, k = 2, five rounds. */
LEMAN_API void leman_coloring_init(leman_coloring *coloring, size_t size);
static inline leman_coloring leman_coloring_default(void)
{
    leman_coloring coloring;
    leman_coloring_init(&coloring, sizeof coloring);
    return coloring;
}
/* The paper's name ("delta-2-LWL+", "δ-2-LWL⁺", "2-WL", "2-FWL"), the name of an algorithm with or without its k
 * ("local", "local:3"), or one of the authors' program ("LWLP3"), in any case. What a name does not say stays as it is.
 */
LEMAN_API leman_status leman_coloring_parse(leman_context *ctx, const char *name, leman_coloring *coloring);
/* The i-th of the names that it knows, algorithms first; NULL behind the last. */
LEMAN_API const char *leman_coloring_known_name(size_t i);
/* The paper's name into text[size], cut off where it is longer; returns the length of the whole, as snprintf() does:
 * "delta-2-LWL+", "2-FWL", "1-WL" (colour refinement, by whichever algorithm). */
LEMAN_API size_t leman_coloring_paper_name(const leman_coloring *coloring, char *text, size_t size);
/* "delta-2-LWL, rounds 0 to 5" into text[size], cut off where it is longer. Returns text, or NULL without one. */
LEMAN_API const char *leman_coloring_text(const leman_coloring *coloring, char *text, size_t size);

/* ---- Colours of a data set ------------------------------------------------------------------- */

typedef struct leman_round_count {
    uint64_t colors; /* different colours over all graphs */
    uint64_t pairs;  /* (graph, colour) pairs */
} leman_round_count;

/* A census: how many colours a data set has in every round. */
typedef struct leman_census {
    uint32_t rounds; /* entries of round: the last round + 1 */
    leman_round_count *round;
    int64_t stable_round; /* the first round after which nothing splits any more; -1: not seen */
    double seconds;       /* refinement and per-graph histograms, without counting across graphs */
} leman_census;

/* verify: colours everything a second time under LEMAN_VERIFY_SEED; a different number of classes in any round is
 * LEMAN_ERROR_INTERNAL. LEMAN_ERROR_BUDGET says which graph is too large, before any work. */
LEMAN_API leman_status leman_census_compute(leman_context *ctx, const leman_dataset *data,
                                            const leman_coloring *coloring, bool verify, leman_census **census);
LEMAN_API void leman_census_free(leman_census *census);

/* ---- Colours of one graph -------------------------------------------------------------------- */

/* The colour of every k-tuple of one graph after a round: colors[n^k], the last component fastest; 0 for tuples that
 * the colouring leaves out. */
LEMAN_API leman_status leman_tuple_colors(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                          uint32_t round, uint64_t *colors);
/* The same as a file: a numpy array of k dimensions where the path ends in .npy; otherwise CSV, one line a tuple
 * (v1,...,vk,color: vertices from 0, the colour as 16 hexadecimal digits), of those that are coloured. "-" is standard
 * output. */
LEMAN_API leman_status leman_tuple_colors_write(leman_context *ctx, const leman_graph *graph,
                                                const leman_coloring *coloring, uint32_t round, const char *path);

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
                                               const leman_coloring *coloring, leman_histogram **histogram);
LEMAN_API void leman_histogram_free(leman_histogram *histogram);

/* ---- Distinguishing graphs ------------------------------------------------------------------- */

/* Does some colour have different counts in graphs a and b after some round? */
typedef struct leman_difference {
    bool distinguished;
    uint32_t round;    /* the first that distinguishes them; otherwise the last that was looked at */
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

#ifdef __cplusplus
}
#endif
#endif
