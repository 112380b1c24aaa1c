/*
 * Engines. An engine refines one graph through all rounds and owns the estimate of its memory. lm_refinement_fits()
 * chooses the engine of each graph; no other function asks which engine it is.
 *
 *   lm_array_engine     an array of the colours of all tuples, or of the tuples of a sparse space (refinement.c)
 *   lm_compact_engine   triples of large graphs in little memory (experimental/compact)
 *
 * A CUDA device refines whole data sets, not single graphs (device_choice.h).
 */
#ifndef LM_ENGINE_H
#define LM_ENGINE_H

#include "base/thread_pool.h"
#include "refine/refine.h"

/* A graph to refine, and the visitor of its rounds. */
typedef struct lm_engine_task {
    leman_graph graph;
    size_t number, shown; /* of the graph: in the data set, and in messages */
    leman_coloring coloring;
    bool branches, expanded; /* lm_refine_options */
    lm_vertex_rounds known;  /* of the vertices of the graph */
    const lm_space_extent *extent;
    lm_round_visitor *visit;
    void *state;
} lm_engine_task;

struct lm_engine {
    bool alone; /* uses all threads for one graph, and visits the classes of a round in several parts */
    /* Returns true if the engine may be faster than arrays for a graph of this size. NULL: never. */
    bool (*may_be_faster)(const leman_graph *graph, const leman_coloring *coloring);
    /* Sets extent->engine and extent->granted to this engine if it is preferable to the arrays. */
    leman_status (*choose)(leman_context *ctx, const leman_graph *graph, const leman_coloring *coloring,
                           const lm_demand *demand, lm_space_extent *extent);
    /* Returns the fewest bytes that the demand takes with this engine; UINT64_MAX if the engine cannot be used. */
    uint64_t (*least)(const lm_space_extent *extent, const leman_coloring *coloring, const lm_demand *demand);
    /* Returns the bytes of a refinement by this engine, with its branch if it has branches. */
    uint64_t (*bytes)(const lm_space_extent *extent, const leman_coloring *coloring, bool branches, int threads);
    /* Begins a refinement. *run is what end() must free, also after a failure; NULL if there is nothing to free. */
    leman_status (*begin)(lm_worker *worker, const lm_engine_task *task, void **run);
    /* Visits the classes of one round, beginning with round 0, and prepares the next one. *more is false after the last
     * round. */
    leman_status (*round)(lm_worker *worker, void *run, bool *more);
    /* Frees the run. */
    void (*end)(void *run);
};
extern const lm_engine lm_array_engine, lm_compact_engine;

#endif
