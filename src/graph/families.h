/*
 * Inside the families of graphs: a family is a row of the table in families.c, with one function that checks the
 * options and says how large the result will be, and one that builds a graph.
 */
#ifndef LM_FAMILIES_H
#define LM_FAMILIES_H

#include "base/context.h"
#include "base/random.h"

typedef struct lm_family_plan {
    size_t members;           /* different graphs: 2 for a pair; each gets its own class */
    uint64_t vertices, edges; /* of the largest member, at most; UINT64_MAX stands for anything larger */
} lm_family_plan;

/* Work between two checks of cancellation. */
enum { LM_FAMILY_STEP = 1 << 16 };

/* One graph that is being added to the builder. */
typedef struct lm_family_builder {
    leman_context *ctx;
    leman_builder *builder;
    const leman_family_options *options; /* defaults are filled in */
    size_t graph;                        /* its number in the data set */
    size_t member, copy;
    size_t edges;     /* so far */
    lm_random random; /* this graph's own stream */
    bool shuffled;
    bool twin;             /* molecules of the other kind, all else equal: for the tests */
    const uint32_t *place; /* where vertex v goes; NULL: where it is */
} lm_family_builder;

/* Begins the graph with its vertices; its member is its class. The name of a copy gets its number. */
__attribute__((format(printf, 3, 4))) leman_status lm_family_graph(lm_family_builder *builder, size_t vertices,
                                                                   const char *name, ...);
leman_status lm_family_edge(lm_family_builder *builder, size_t tail, size_t head);

/* leman_dataset_generate(), and with `twins` the same molecules with the other kind of core. */
leman_status lm_family_generate(leman_context *ctx, leman_family family, const leman_family_options *options,
                                bool twins, leman_dataset **out);

typedef leman_status lm_family_plan_function(leman_context *ctx, const leman_family_options *options,
                                             lm_family_plan *plan);
typedef leman_status lm_family_draw_function(lm_family_builder *builder);

lm_family_plan_function lm_cfi_plan, lm_csl_plan, lm_rook_shrikhande_plan, lm_cycles_plan, lm_path_plan, lm_cycle_plan,
    lm_complete_plan, lm_grid_plan, lm_petersen_plan, lm_random_plan, lm_regular_plan, lm_molecules_plan,
    lm_power_law_plan;
lm_family_draw_function lm_cfi_draw, lm_csl_draw, lm_rook_shrikhande_draw, lm_cycles_draw, lm_path_draw, lm_cycle_draw,
    lm_complete_draw, lm_grid_draw, lm_petersen_draw, lm_random_draw, lm_regular_draw, lm_molecules_draw,
    lm_power_law_draw;

#endif
