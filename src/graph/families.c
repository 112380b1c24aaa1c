/*
 * Families of graphs, one row of a table each. A family has `members` different graphs (two for a pair, one for each
 * skip of the circular skip links). Graph i of the data set is member i mod members, copy i div members. The first copy
 * is as drawn, later copies have shuffled vertices; random families draw every copy.
 *
 * Graph i only draws from the stream (seed, family, i). The size of the result is computed from the options and
 * compared with the budget before the first vertex is made. Time and memory O(vertices + edges).
 */
#include "graph/families.h"
#include "base/arguments.h"
#include "base/drop.h"
#include "base/text.h"
#include "graph/dataset.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The columns that the graphs of a family have. */
typedef enum carried { PLAIN, NAMED, CLASSED, MOLECULAR } carried;
static const leman_columns COLUMNS[] = {
    [PLAIN] = {0},
    [NAMED] = {.graph_names = true},
    [CLASSED] = {.graph_names = true, .classes = true},
    [MOLECULAR] = {.vertex_labels = 1, .edge_labels = 1, .targets = 1, .classes = true},
};

typedef struct family_row {
    const char *name;
    size_t graphs, vertices; /* defaults for 0 in the options */
    size_t least;            /* fewest vertices */
    carried columns;
    bool fresh; /* every copy is drawn, so none is shuffled */
    lm_family_plan_function *plan;
    lm_family_draw_function *draw;
} family_row;

static const family_row FAMILIES[] = {
    [LEMAN_FAMILY_CFI] = {"cfi", 1, 0, 0, CLASSED, false, lm_cfi_plan, lm_cfi_draw},
    [LEMAN_FAMILY_CSL] = {"csl", 1, 41, 5, CLASSED, false, lm_classic_plan, lm_csl_draw},
    [LEMAN_FAMILY_ROOK_SHRIKHANDE] = {"rook-shrikhande", 1, 16, 0, CLASSED, false, lm_classic_plan,
                                      lm_rook_shrikhande_draw},
    [LEMAN_FAMILY_CYCLES] = {"cycles", 1, 6, 0, CLASSED, false, lm_classic_plan, lm_cycles_draw},
    [LEMAN_FAMILY_PATH] = {"path", 1, 10, 1, NAMED, false, lm_classic_plan, lm_path_draw},
    [LEMAN_FAMILY_CYCLE] = {"cycle", 1, 10, 3, NAMED, false, lm_classic_plan, lm_cycles_draw},
    [LEMAN_FAMILY_COMPLETE] = {"complete", 1, 10, 1, NAMED, false, lm_classic_plan, lm_complete_draw},
    [LEMAN_FAMILY_GRID] = {"grid", 1, 0, 0, NAMED, false, lm_classic_plan, lm_grid_draw},
    [LEMAN_FAMILY_PETERSEN] = {"petersen", 1, 10, 0, NAMED, false, lm_classic_plan, lm_petersen_draw},
    [LEMAN_FAMILY_RANDOM] = {"random", 1, 20, 0, PLAIN, true, lm_random_plan, lm_random_draw},
    [LEMAN_FAMILY_REGULAR] = {"regular", 1, 20, 0, PLAIN, true, lm_regular_plan, lm_regular_draw},
    [LEMAN_FAMILY_MOLECULES] = {"molecules", 200, 20, 10, MOLECULAR, true, lm_molecules_plan, lm_molecules_draw},
    [LEMAN_FAMILY_POWER_LAW] = {"power-law", 1, 100, 0, PLAIN, true, lm_power_law_plan, lm_power_law_draw},
    [LEMAN_FAMILY_COUNTS] = {"counts", 200, 20, 0, PLAIN, true, lm_counts_plan, lm_counts_draw},
};

/* The skips of the usual benchmark: on 41 vertices no two of them give isomorphic graphs. */
static const size_t SKIPS[] = {2, 3, 4, 5, 6, 9, 11, 12, 13, 16};

/* Number of the stream for shuffling, which differs from those of all families. */
enum { SHUFFLE = 1000 };

LM_OPTIONS(leman_family_options, options, .k = 2, .rows = 4, .columns = 4, .degree = 3, .probability = 0.2, .seed = 1)

LM_ENUM(leman_family, family, "family", FAMILIES, .name, LEMAN_FAMILY_COUNT)

/* ---- One graph ------------------------------------------------------------------------------- */

leman_status lm_family_graph(lm_family_builder *builder, size_t vertices, const char *name, ...)
{
    char text[128];
    va_list arguments;
    va_start(arguments, name);
    int length = lm_vsnprintf(text, sizeof text, name, arguments);
    va_end(arguments);
    if (builder->copy && length > 0 && (size_t)length < sizeof text)
        snprintf(text + length, sizeof text - (size_t)length, "-%zu", builder->copy);
    PASS(leman_builder_graph(builder->builder, text, &builder->class_label, NULL));
    for (size_t v = 0; v < vertices; v++) PASS(leman_builder_vertex(builder->builder, NULL, NULL, NULL));
    builder->place = NULL;
    if (builder->shuffled) {
        uint32_t *place;
        lm_random random = lm_random_stream(builder->options->seed, SHUFFLE, builder->graph);
        PASS_SCRATCH(builder->ctx, place, vertices);
        lm_random_permutation(&random, place, vertices);
        builder->place = place;
    }
    return LEMAN_OK;
}

leman_status lm_family_edge(lm_family_builder *builder, size_t tail, size_t head)
{
    if (builder->place) {
        tail = builder->place[tail];
        head = builder->place[head];
    }
    leman_status st = leman_builder_edge(builder->builder, tail, head, NULL, NULL);
    if (!st && ++builder->edges % LM_FAMILY_STEP == 0) st = lm_progress_step(builder->ctx, builder->graph);
    return st;
}

/* ---- Generating ------------------------------------------------------------------------------ */

/* Bytes for a vertex, for an edge, and for an attribute of either, while a data set is built: raw arrays that grow by
 * doubling, two sorted arrays of arcs, the finished block. */
enum { VERTEX_BYTES = 96, EDGE_BYTES = 224, REAL_BYTES = 48, MAX = INT32_MAX };

/* Fails if the result has too many vertices or edges, or exceeds the budget, before anything is made. */
static leman_status check_size(leman_context *ctx, const family_row *family, const lm_family_plan *plan,
                               uint64_t copies)
{
    const uint64_t graphs = lm_saturating_multiply(copies, plan->members);
    uint64_t vertices = plan->all_vertices ? lm_saturating_multiply(copies, plan->all_vertices)
                                           : lm_saturating_multiply(graphs, plan->vertices);
    uint64_t edges = plan->all_vertices ? lm_saturating_multiply(copies, plan->all_edges)
                                        : lm_saturating_multiply(graphs, plan->edges);
    const uint64_t of_vertex = VERTEX_BYTES + REAL_BYTES * plan->columns.vertex_attributes,
                   of_edge = EDGE_BYTES + REAL_BYTES * plan->columns.edge_attributes;
    uint64_t bytes =
        lm_saturating_add(lm_saturating_multiply(vertices, of_vertex), lm_saturating_multiply(edges, of_edge));
    size_t budget = lm_budget(ctx);
    const char *more = plan->vertices == UINT64_MAX || plan->edges == UINT64_MAX ? "more than "
                       : plan->all_vertices && plan->members > 2                 ? "up to "
                                                                                 : "";
    if (vertices > MAX || edges > MAX)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "%s: found %llu graph%s of %s%llu %s and %llu edge%s, expected at most %d of each in all",
                       family->name, (unsigned long long)graphs, lm_plural(graphs), more,
                       (unsigned long long)plan->vertices, lm_plural_of(plan->vertices, "vertex", "vertices"),
                       (unsigned long long)plan->edges, lm_plural(plan->edges), MAX);
    if (bytes <= budget) return LEMAN_OK;
    char needed[LM_NUMBER_TEXT], available[LM_BUDGET_TEXT];
    return lm_fail(ctx, LEMAN_ERROR_BUDGET,
                   "%s: %llu graph%s of %s%llu %s and %llu edge%s need about %s, the memory budget is %s", family->name,
                   (unsigned long long)graphs, lm_plural(graphs), more, (unsigned long long)plan->vertices,
                   lm_plural_of(plan->vertices, "vertex", "vertices"), (unsigned long long)plan->edges,
                   lm_plural(plan->edges), lm_bytes_text(bytes, needed), lm_budget_text(ctx, budget, available));
}

/* Copies the caller's options, with the family's defaults in place of 0. */
static leman_status fill_options(leman_context *ctx, const family_row *family, const leman_family_options *given,
                                 leman_family_options *out)
{
    leman_family_options o = leman_family_options_default();
    leman_status st = lm_options_copy(ctx, "leman_family_options", given, &o, sizeof o);
    if (!o.graphs) o.graphs = family->graphs;
    if (!o.vertices) o.vertices = family->vertices;
    if (!o.skips) {
        o.skips = SKIPS;
        o.skip_count = sizeof SKIPS / sizeof *SKIPS;
    }
    *out = o;
    return st;
}

static leman_status draw_all(leman_context *ctx, const family_row *family, const leman_family_options *options,
                             const lm_family_plan *plan, bool twins, leman_builder *target)
{
    const size_t members = plan->members, classes = plan->classes ? plan->classes : members;
    size_t graphs = options->graphs * members;
    lm_progress_begin(ctx, graphs, "generating %s", family->name);
    for (size_t i = 0; i < graphs; i++) {
        SCRATCH_SCOPE(ctx);
        lm_family_builder builder = {.ctx = ctx,
                                     .builder = target,
                                     .options = options,
                                     .graph = i,
                                     .member = i % members,
                                     .copy = i / members,
                                     .class_label = (int64_t)(i % members % classes),
                                     .random = lm_random_stream(options->seed, (uint64_t)(family - FAMILIES), i),
                                     .twin = twins};
        builder.shuffled = builder.copy && !family->fresh;
        PASS(family->draw(&builder));
        PASS(lm_progress_step(ctx, i + 1));
    }
    return LEMAN_OK;
}

leman_status lm_family_generate(leman_context *ctx, leman_family which, const leman_family_options *options, bool twins,
                                leman_dataset **out)
{
    AUTO(leman_builder_drop) leman_builder *builder = NULL;
    const family_row *family = FAMILIES + which;
    leman_family_options filled;
    PASS(fill_options(ctx, family, options, &filled));
    lm_family_plan plan = {which, 1, filled.vertices, filled.vertices, .columns = COLUMNS[family->columns]};
    if (filled.vertices < family->least)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: found %zu %s, expected at least %zu", family->name,
                       filled.vertices, lm_plural_of(filled.vertices, "vertex", "vertices"), family->least);
    PASS(family->plan(ctx, &filled, &plan));
    PASS(check_size(ctx, family, &plan, filled.graphs));
    PASS(leman_builder_new(ctx, family->name, &plan.columns, &builder));
    for (size_t i = 0; plan.target_name && i < plan.columns.targets; i++)
        PASS(lm_raw_target_name(ctx, lm_builder_raw(builder), plan.target_name(i), strlen(plan.target_name(i))));
    PASS(draw_all(ctx, family, &filled, &plan, twins, builder));
    return leman_builder_finish(builder, NULL, NULL, out);
}

leman_status leman_dataset_generate(leman_context *ctx, leman_family family, const leman_family_options *options,
                                    leman_dataset **out)
{
    REQUIRE_ENUM(ctx, family, LEMAN_FAMILY_COUNT - 1);
    REQUIRE(ctx, out);
    return lm_family_generate(ctx, family, options, false, out);
}
