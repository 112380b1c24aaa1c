/*
 * Refinement: one graph taken from round to round, and many graphs spread over threads within the memory budget.
 */
#ifndef LM_REFINE_H
#define LM_REFINE_H

#include "refine/histogram.h"

/* One graph that is being refined. Everything lies in the scratch of the context it was begun with. */
typedef struct lm_refinement {
    leman_coloring coloring; /* in its normal form */
    lm_space space;
    int threads;
    uint32_t round;
    bool branch;      /* a round that nothing goes on from */
    bool stable;      /* this round split nothing that the one before had not */
    uint64_t *colors; /* [tuples] of this round */
    uint64_t *next, *spare, *scratch;
    lm_histogram histogram; /* of this round */
} lm_refinement;

/* How large the tuple space of a graph is. */
typedef struct lm_space_extent {
    size_t vertices; /* up to twins, where it was worth finding out */
    uint64_t tuples;
    uint64_t orbits;       /* increasing tuples */
    lm_sparse_size sparse; /* of sparse tuples that were counted; without any, the bounds of all tuples hold */
    size_t classes;        /* of twins, at most */
    uint64_t lists;        /* bytes of vertices and arcs (lm_space_bytes()) */
    uint64_t compact; /* bytes that a compact refinement may take, where only that fits (compact/compact.h); or 0 */
} lm_space_extent;

/* Bytes that lm_refinement_begin() takes. UINT64_MAX for what cannot be had. */
uint64_t lm_refinement_bytes(const lm_space_extent *extent, const leman_coloring *coloring, int threads);
/* Bytes that lm_branch_new() takes on top. */
uint64_t lm_branch_bytes(const lm_space_extent *extent, const leman_coloring *coloring);

/* What a worker's scratch takes besides a refinement, at most. */
enum { LM_REFINE_SCRATCH = 1 << 17 };

/* What a caller will hold at once, computed before anything is allocated. */
typedef struct lm_demand {
    const char *graph;                 /* its name in a sentence: "graph 17" */
    unsigned graphs;                   /* refinements of about this size side by side */
    bool branches;                     /* each with a branch */
    unsigned class_words, tuple_words; /* of the caller's own, for each class, for each tuple */
    int compact;                       /* threads of a compact refinement, where that would do; 0 where it would not */
    uint64_t held;                     /* bytes that others hold beside them */
    uint64_t budget;                   /* bytes */
} lm_demand;

/* Is there memory for that? If not, a sentence says what would fit. */
leman_status lm_refinement_fits(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                bool reduce, const lm_demand *demand, lm_space_extent *extent);

/* Round 0. reduce: up to twins, so that `colors` are those of tuples of kept vertices. cancellation may be NULL; both
 * this and the next return LEMAN_ERROR_CANCELLED when it stops them. */
leman_status lm_refinement_begin(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                 bool reduce, int threads, const lm_cancellation *cancellation, lm_refinement *out);
typedef struct lm_refinement_options {
    const lm_space_extent *extent; /* what lm_refinement_fits() has said, so that all arrays lie in one chunk of the
                                    * scratch, and sparse tuples are not counted again */
    lm_vertex_rounds known;        /* of the vertices; classes that follow are not listed */
} lm_refinement_options;
leman_status lm_refinement_begin_with(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                                      bool reduce, const lm_refinement_options *options, int threads,
                                      const lm_cancellation *cancellation, lm_refinement *out);
/* The next round. `last`: it is the last one, which matters to local+ with # in the last round only. */
leman_status lm_refinement_step(lm_refinement *refinement, bool last);

/* Sparse tuples of a round in an array of all n^k; those that are not coloured become 0. */
void lm_sparse_spread(const lm_space *space, const uint64_t *from, uint64_t *colors);

/* A decorated round that branches off: *branch becomes the round after this one by the rule of the last round, while
 * the refinement stays where it is. The first allocates *branch in the context's scratch, once for all rounds. */
leman_status lm_branch_new(leman_context *ctx, const lm_refinement *refinement, lm_refinement *branch);
leman_status lm_branch_compute(const lm_refinement *refinement, lm_refinement *branch);

/* Classes of one round (histogram.h): all those of one graph, or some of those of many graphs. */
typedef struct lm_round_classes {
    uint32_t round;
    uint32_t until; /* rounds up to this one have the same classes, if it is larger */
    bool branch;
    unsigned k;
    size_t graph;           /* whose they are; */
    const uint32_t *graphs; /* or [count], where it is not NULL */
    size_t count;
    uint64_t pairs; /* sum of `colors` over the classes, listed or not */
    const uint64_t *color, *orbits;
    const lm_orbit *orbit;
    const lm_refinement *refinement; /* where the other colours of a class are looked up; */
    const uint64_t *every;           /* or [count][LM_EVERY] all of them; NULL where nobody asked */
} lm_round_classes;
enum { LM_EVERY = 6 };

/* The colours of class i, increasing: valid until the next call. Returns how many there are. */
size_t lm_class_colors(const lm_round_classes *classes, size_t i, const uint64_t **colors);
/* The same for pairs of one graph: its colour and that of the transposed pair, which may be equal. */
static inline size_t lm_pair_colors(const lm_round_classes *c, size_t i, uint64_t color[2])
{
    const lm_refinement *r = c->refinement;
    const uint64_t u = r->histogram.tuple[i] >> 32, v = (uint32_t)r->histogram.tuple[i], n = r->space.n;
    color[0] = c->color[i];
    color[1] = r->colors[u * n + v] ^ r->colors[v * n + u] ^ color[0];
    return 1 + (color[0] != color[1]);
}

/* Is called after a round of a graph, by worker `worker` of lm_thread_pool_workers(), with that worker's own context.
 * Calls of one worker do not overlap. */
typedef leman_status lm_round_visitor(leman_context *worker_ctx, void *state, int worker,
                                      const lm_round_classes *classes);

/* How lm_refine() refines and what it visits. All members are zero for plain rounds of all graphs. */
typedef struct lm_refine_options {
    bool branches; /* rounds 0 .. rounds-1 are plain; after each the decorated round that branches off is visited too */
    bool expanded; /* the visitor will call lm_class_colors() */
    bool shared;   /* all ranks call lm_refine(); each visits only the graphs that are dealt to it */
    const lm_memory_limit *limit; /* NULL: the context's budget, of which nothing is held */
    /* What is known of the vertices of all graphs; may be empty. Classes of single vertices, one of them exclusive, are
     * not listed, but counted in `pairs`. Once all vertices of a graph are exclusive, all rounds that would split
     * nothing are one visit. */
    lm_vertex_rounds vertices;
} lm_refine_options;

/* Refines every graph of the data set through rounds 0 .. coloring->rounds (not LEMAN_STABLE), many at a time, largest
 * first, on the CPU or on the device of the context. Graphs that are too large are refused before any work. */
leman_status lm_refine(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                       const lm_refine_options *options, lm_round_visitor *visit, void *state);
/* The bytes that lm_refine() takes at once, at most. LEMAN_ERROR_BUDGET as there. */
leman_status lm_refine_bytes(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                             const lm_refine_options *options, uint64_t *bytes);

/* Two censuses of one data set under different hashes: where they differ, colours have collided, which is
 * LEMAN_ERROR_INTERNAL and a sentence. */
leman_status lm_census_agree(leman_context *ctx, const char *name, const leman_round_count *one,
                             const leman_round_count *other, uint32_t rounds);

#endif
