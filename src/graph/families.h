/*
 * Internals of the families of graphs. A family is a row of the table in families.c, with one function that checks the
 * options and computes the size of the result, and one that builds a graph.
 */
#ifndef LM_FAMILIES_H
#define LM_FAMILIES_H

#include "base/context.h"
#include "base/random.h"

/* The size of the result. A plan function gets one member with as many edges as vertices, and changes what differs. */
typedef struct lm_family_plan {
    leman_family family;
    size_t members;                            /* number of different graphs: 2 for a pair; each gets its own class */
    uint64_t vertices, edges;                  /* upper bounds for the largest member; UINT64_MAX for anything larger */
    uint64_t all_vertices, all_edges;          /* of all members together; 0: members times those of the largest */
    size_t classes;                            /* the class of a member is its number modulo classes; 0: its number */
    leman_columns columns;                     /* at first those of the row of the family */
    const char *(*target_name)(size_t column); /* NULL: targets have no names */
} lm_family_plan;

/* Edges, or switches of edges, between two checks for cancellation. */
enum { LM_FAMILY_STEP = 1 << 16 };

/* The graph that is being added to the builder. */
typedef struct lm_family_builder {
    leman_context *ctx;
    leman_builder *builder;
    const leman_family_options *options; /* with the defaults filled in */
    size_t graph;                        /* number of the graph in the data set */
    size_t member, copy;
    int64_t class_label;
    size_t edges;     /* so far */
    lm_random random; /* this graph's own stream */
    bool shuffled;
    bool twin;             /* molecules with the other kind of core, everything else equal: for the tests */
    const uint32_t *place; /* [vertices] number that each vertex gets; NULL: its own */
} lm_family_builder;

/* Begins a graph with so many vertices. The name of a copy gets the number of the copy. */
__attribute__((format(printf, 3, 4))) leman_status lm_family_graph(lm_family_builder *builder, size_t vertices,
                                                                   const char *name, ...);
leman_status lm_family_edge(lm_family_builder *builder, size_t tail, size_t head);

/* Like leman_dataset_generate(); if `twins` is set, molecules get the other kind of core and stay the same
 * otherwise. */
leman_status lm_family_generate(leman_context *ctx, leman_family family, const leman_family_options *options,
                                bool twins, leman_dataset **out);

typedef leman_status lm_family_plan_function(leman_context *ctx, const leman_family_options *options,
                                             lm_family_plan *plan);
typedef leman_status lm_family_draw_function(lm_family_builder *builder);

lm_family_plan_function lm_cfi_plan, lm_classic_plan, lm_random_plan, lm_regular_plan, lm_molecules_plan,
    lm_power_law_plan, lm_counts_plan;
lm_family_draw_function lm_cfi_draw, lm_csl_draw, lm_rook_shrikhande_draw, lm_cycles_draw, lm_path_draw,
    lm_complete_draw, lm_grid_draw, lm_petersen_draw, lm_random_draw, lm_regular_draw, lm_molecules_draw,
    lm_power_law_draw, lm_counts_draw;

#endif
