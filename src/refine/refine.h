/*
 * Refinement of one graph round by round, and of many graphs in parallel within the memory budget.
 */
#ifndef LM_REFINE_H
#define LM_REFINE_H

#include "base/chunks.h"
#include "refine/large/class_rounds.h"
#include "refine/large/pair_counts.h"

/* One graph that is being refined. All arrays lie in the scratch of the context that was passed at the beginning. */
typedef struct lm_refinement {
    leman_coloring coloring; /* in its normal form */
    lm_space space;
    int threads;
    uint32_t round;
    bool branch;      /* this is the round after that of another refinement, computed by the rule of the last round */
    bool stable;      /* this round split no class */
    uint64_t *colors; /* [tuples] of this round */
    uint64_t *next, *spare, *scratch;
    lm_histogram histogram;   /* of this round */
    lm_class_rounds *classes; /* where rounds by classes are allowed, otherwise NULL. Once they have begun, colors[] is
                                 set for the tuples histogram.tuple[] alone */
    bool counted; /* the caller reads histogram.pairs alone, the number of colours: rounds by classes compute
                                 no colours, and classes of pairs are not listed */
} lm_refinement;

typedef struct lm_engine lm_engine; /* engine.h */

/* The size of the tuple space of a graph, and the engine that refines it. */
typedef struct lm_space_extent {
    size_t vertices; /* kept vertices if twins were searched for, otherwise all vertices */
    uint64_t tuples;
    uint64_t orbits;       /* increasing tuples */
    lm_sparse_size sparse; /* of the sparse tuples if they were counted, otherwise upper bounds */
    uint64_t lists;        /* bytes of vertices and arcs (lm_space_bytes()) */
    bool by_classes;       /* rounds by classes are allowed, suit the graph and fit */
    bool counted;          /* classes of pairs are not listed */
    const lm_engine *engine;
    union {
        uint64_t classes; /* before an engine is chosen: upper bound of the number of twin classes */
        uint64_t granted; /* afterwards: bytes that the engine may take, if that is more than its least */
    };
} lm_space_extent;

/* Returns the bytes of a refinement with its branch, if it has branches (lm_refine_options); UINT64_MAX if the arrays
 * are too large to address. */
uint64_t lm_refinement_bytes(const lm_space_extent *extent, const leman_coloring *coloring, bool branches, int threads);

/* Bytes of a worker's scratch in addition to its refinement, at most. */
enum { LM_REFINE_SCRATCH = 1 << 17 };

/* An interval of hashes, low .. low + span. Work that does not fit into memory is done for one interval of hashes after
 * the other: it begins with all of them, and starts again with half of the interval if that does not fit. */
typedef struct lm_interval {
    uint64_t low, span;
} lm_interval;
enum { LM_MOST_INTERVALS = 1 << 12 };

static inline bool lm_interval_has(lm_interval interval, uint64_t hash)
{
    return hash - interval.low <= interval.span;
}
/* Returns false if the interval is too narrow to be halved. */
static inline bool lm_interval_halve(lm_interval *i)
{
    if (i->span / 2 < UINT64_MAX / LM_MOST_INTERVALS) return false;
    i->span /= 2;
    return true;
}
/* Sets the interval that follows, up to twice as wide if `wider`. Returns false after the last interval. */
static inline bool lm_interval_next(lm_interval *i, bool wider)
{
    const uint64_t last = i->low + i->span;
    if (last == UINT64_MAX) return false;
    if (wider && i->span < UINT64_MAX / 2) i->span = 2 * i->span + 1;
    i->low = last + 1;
    if (i->span > UINT64_MAX - i->low) i->span = UINT64_MAX - i->low;
    return true;
}

/* What a caller asks for, and the memory that it will hold at once, known before anything is allocated. */
typedef struct lm_demand {
    const char *graph;                 /* name of the graph in messages: "graph 17" */
    unsigned graphs;                   /* number of refinements of about this size that are held together */
    bool branches;                     /* each refinement has a branch */
    bool by_classes;                   /* rounds by classes are allowed */
    bool counted;                      /* the caller reads numbers of colours alone (lm_refinement) */
    lm_vertex_rounds known;            /* what lm_refinement_open() shall know of the vertices */
    unsigned class_words, tuple_words; /* words of the caller's own arrays for each class and for each tuple */
    int team;        /* threads of an engine that refines one graph alone; 0 if the caller uses arrays only */
    uint64_t held;   /* bytes that are held for other purposes */
    uint64_t budget; /* bytes */
} lm_demand;

/* Computes the extent of a graph's tuple space and checks that the demand is within its budget. reduce: twins
 * are reduced. Fails with LEMAN_ERROR_BUDGET and a message that says what would fit; *extent is set then, too. */
leman_status lm_refinement_fits(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                bool reduce, const lm_demand *demand, lm_space_extent *extent);

/* How a graph is refined. */
typedef struct lm_refinement_options {
    bool reduce; /* twins are reduced, so that `colors` has only tuples of kept vertices */
    int threads;
    const lm_cancellation *cancellation; /* or NULL */
    const lm_space_extent *extent; /* result of lm_refinement_fits(), so that all arrays are allocated in one chunk and
                                    * sparse tuples are not counted again; or NULL */
    lm_vertex_rounds known;        /* of the vertices; classes that these determine are not listed */
    bool by_classes;               /* rounds may be computed by classes; the graph must suit (large/class_rounds.h) */
    bool counted;                  /* the caller reads numbers of colours alone (lm_refinement) */
} lm_refinement_options;
/* Computes round 0. This function and lm_refinement_step() return LEMAN_ERROR_CANCELLED after a cancellation. */
leman_status lm_refinement_begin(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                 const lm_refinement_options *options, lm_refinement *out);
/* lm_refinement_fits() and lm_refinement_begin() for work on the caller's thread, with all threads of the context.
 * demand is NULL if the caller has checked that the graph fits. */
leman_status lm_refinement_open(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                bool reduce, const lm_demand *demand, lm_refinement *out);
/* Computes the next round. */
leman_status lm_refinement_step(lm_refinement *refinement);
/* Returns a number that two vertices share if and only if they are in one class after this round, for k = 1. */
static inline uint64_t lm_refinement_class(const lm_refinement *r, size_t v)
{
    return r->classes && r->classes->begun ? r->classes->partition.class_of[v] : r->colors[v];
}

/* Copies the colours of sparse tuples into an array of all n^k tuples; the others get 0. */
void lm_sparse_spread(const lm_space *space, const uint64_t *from, uint64_t *colors);

/* Classes of one round (histogram.h): all classes of one graph, or some classes of many graphs. */
typedef struct lm_round_classes {
    uint32_t round;
    uint32_t until; /* if larger than `round`: all rounds up to this one have the same classes */
    bool branch;
    unsigned k;
    size_t graph;           /* the graph of all classes, */
    const uint32_t *graphs; /* or [count] the graph of each class if not NULL */
    size_t count;
    uint64_t pairs; /* sum of `colors` over all classes, including those that are not listed */
    const uint64_t *color, *orbits;
    const lm_orbit *orbit;
    const lm_refinement *refinement; /* where lm_class_colors() finds the other colours of a class, */
    const uint64_t *every;           /* or [count][LM_EVERY] all of them; NULL if they were not requested */
} lm_round_classes;
enum { LM_EVERY = 6 };

/* Sets *colors to the colours of class i, increasing, and returns their number. They are valid until the next call. */
size_t lm_class_colors(const lm_round_classes *classes, size_t i, const uint64_t **colors);
/* lm_class_colors() for k = 2 and one graph: the colours of a pair and of the reversed pair, which may be equal. */
static inline size_t lm_pair_colors(const lm_round_classes *c, size_t i, uint64_t color[2])
{
    const lm_refinement *r = c->refinement;
    const uint64_t u = r->histogram.tuple[i] >> 32, v = (uint32_t)r->histogram.tuple[i], n = r->space.n;
    color[0] = c->color[i];
    color[1] = r->colors[u * n + v] ^ r->colors[v * n + u] ^ color[0];
    return 1 + (color[0] != color[1]);
}

/* Called after a round of a graph by worker number `worker` (of lm_thread_pool_workers()), with the worker's own
 * context. Calls of one worker do not overlap. */
typedef leman_status lm_round_visitor(leman_context *worker_ctx, void *state, int worker,
                                      const lm_round_classes *classes);

/* Options of lm_refine(). With all members zero it visits the plain rounds of all graphs. */
typedef struct lm_refine_options {
    bool branches;                /* rounds 0 .. rounds-1 are plain; after each of them its branch is visited too */
    bool expanded;                /* the visitor will call lm_class_colors() */
    bool shared;                  /* all ranks call lm_refine(); each visits only the graphs that are assigned to it */
    const lm_memory_limit *limit; /* NULL: the whole budget of the context */
    /* Describes the vertices of all graphs; may be empty. A class whose vertices are all single, and one of them
     * exclusive, is not listed; it is only counted in `pairs`. Once all vertices of a graph are exclusive, all later
     * rounds that split nothing are reported by one visit. */
    lm_vertex_rounds vertices;
} lm_refine_options;

/* Refines every graph of the data set through rounds 0 .. coloring->rounds (not LEMAN_STABLE) and calls `visit` after
 * each round. Several graphs are refined in parallel, the largest first, on the CPU or on the device of the context.
 * Fails with LEMAN_ERROR_BUDGET before any work if a graph is too large. */
leman_status lm_refine(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                       const lm_refine_options *options, lm_round_visitor *visit, void *state);
/* Computes the largest number of bytes that lm_refine() holds at once. Fails with LEMAN_ERROR_BUDGET as lm_refine(). */
leman_status lm_refine_bytes(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                             const lm_refine_options *options, uint64_t *bytes);

/* Compares two censuses of one data set that were computed with different hashes. If they differ, colours have
 * collided: the function returns LEMAN_ERROR_INTERNAL with a message. */
leman_status lm_census_agree(leman_context *ctx, const char *name, const leman_round_count *one,
                             const leman_round_count *other, uint32_t rounds);

/* Checks that a caller's colouring has this round, and writes its normal form to *c. */
leman_status lm_check_round(leman_context *ctx, const leman_coloring *coloring, uint32_t round, leman_coloring *c);

/* Counts the different numbers, which should be hashes, of lists[list_count], and empties the lists unless it fails.
 * words[count] is scratch, where count is the number of all items. Expected O(count). */
leman_status lm_count_different(leman_context *ctx, lm_chunks *const *lists, size_t list_count, size_t count,
                                uint64_t *words, uint64_t *different);

#endif
