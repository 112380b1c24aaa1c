/*
 * Distinguishing two graphs: both are refined round by round until a colour has different counts, or until a round
 * splits no class. While the counts agree, both graphs have the same colours, so the common partition is stable as soon
 * as that of one graph is.
 *
 * In the disjoint union the tuples inside each part are compared; tuples across the parts take part in the refinement.
 */
#include "refine/distinguish.h"
#include "base/arguments.h"
#include "base/sort.h"
#include "refine/items/items.h"
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* (colour, count) pairs of one graph in one round, increasing. */
typedef struct side {
    lm_pair *pair, *spare;
    size_t count;
} side;
enum { SIDE_WORDS = 2 * sizeof(lm_pair) / sizeof(uint64_t) };

/* Compares two sorted lists; the difference with the fewest tuples becomes the witness. */
static bool compare_sides(const side *a, const side *b, leman_difference *d)
{
    uint64_t fewest = UINT64_MAX;
    bool differ = false;
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        uint64_t x = i < a->count ? a->pair[i].key : UINT64_MAX, y = j < b->count ? b->pair[j].key : UINT64_MAX;
        bool in_a = i < a->count && (x <= y || j == b->count), in_b = j < b->count && (y <= x || i == a->count);
        uint64_t count[2] = {in_a ? a->pair[i].payload : 0, in_b ? b->pair[j].payload : 0};
        if (count[0] != count[1]) {
            differ = true;
            if (count[0] + count[1] < fewest) {
                fewest = count[0] + count[1];
                d->color = in_a ? x : y;
                memcpy(d->count, count, sizeof count);
            }
        }
        i += in_a;
        j += in_b;
    }
    return differ;
}

bool lm_refinement_ended(const lm_refinement *r)
{
    return r->round == r->coloring.rounds || (r->stable && !lm_has_own_last_round(&r->coloring));
}

/* ---- Each graph alone ------------------------------------------------------------------------ */

size_t lm_refinement_classes(const lm_refinement *r, lm_pair *pair, lm_pair *spare)
{
    const size_t count = r->histogram.count;
    for (size_t i = 0; i < count; i++)
        pair[i] = (lm_pair){r->histogram.color[i], r->histogram.orbits[i] * r->histogram.orbit[i].times};
    lm_sort_pairs(pair, spare, count, r->threads);
    return count;
}

/* ---- In the disjoint union ------------------------------------------------------------------- */

/* Lists the colours of the items whose vertices are all in first .. first + n - 1. Returns their number. */
static size_t list_items(const lm_refinement *r, size_t first, size_t n, lm_pair *pair)
{
    uint32_t vertex[LM_MAX_K];
    size_t count = 0;
    for (size_t i = 0; i < r->space.n; i++) {
        bool inside = true;
        for (unsigned j = lm_item_vertices(r->space.items, i, vertex); j-- > 0;) inside &= vertex[j] - first < n;
        if (inside) pair[count++] = (lm_pair){r->colors[i], 1};
    }
    return count;
}

/* Lists the colours of the tuples whose components are all in first .. first + n - 1. Returns their number. */
static size_t list_inside(const lm_refinement *r, size_t first, size_t n, lm_pair *pair)
{
    size_t count = 0;
    if (r->space.items) return list_items(r, first, n, pair);
    for (size_t i = 0; i < r->space.rows; i++) {
        lm_tuple_row row;
        bool inside = true;
        lm_space_row(&r->space, i, &row);
        for (unsigned j = 0; j + 1 < r->space.k; j++) inside &= row.digit[j] - first < n;
        for (size_t t = row.first; t < row.end && inside; t++)
            if (lm_tuple_row_last(&row, t) - first < n) pair[count++] = (lm_pair){r->colors[t], 1};
    }
    return count;
}

/* Counts by colour the tuples whose components are all in first .. first + n - 1. */
static void colors_inside(const lm_refinement *r, size_t first, size_t n, side *s)
{
    size_t count = 0;
    const size_t all = list_inside(r, first, n, s->pair);
    lm_sort_pairs(s->pair, s->spare, all, r->threads);
    for (size_t i = 0; i < all; i++)
        if (count && s->pair[count - 1].key == s->pair[i].key)
            s->pair[count - 1].payload++;
        else
            s->pair[count++] = s->pair[i];
    s->count = count;
}

/* ---- A pair ---------------------------------------------------------------------------------- */

leman_status lm_pair_check(leman_context *ctx, const leman_graph graph[2], const leman_coloring *c)
{
    if (graph[0].directed != graph[1].directed)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "one graph is directed and the other is not");
    if ((!c->ignore_vertex_labels && graph[0].vertex_labels != graph[1].vertex_labels) ||
        (!c->ignore_edge_labels && graph[0].edge_labels != graph[1].edge_labels))
        return lm_fail(
            ctx, LEMAN_ERROR_INPUT,
            "the graphs have different numbers of label columns; ignore the labels, or compare graphs of one "
            "kind");
    return LEMAN_OK;
}

leman_status lm_pair_fits(leman_context *ctx, const leman_graph graph[2], const leman_coloring *c, bool as_union,
                          const char *of, uint64_t budget, lm_pair_cost *cost)
{
    char name[64];
    lm_space_extent extent;
    *cost = (lm_pair_cost){0};
    SCRATCH_SCOPE(ctx);
    if (as_union) {
        leman_graph both = {.vertices = graph[0].vertices + graph[1].vertices,
                            .arcs = graph[0].arcs + graph[1].arcs,
                            .directed = graph[0].directed};
        if (c->components || lm_has_items(c)) PASS(lm_disjoint_union(ctx, graph, c, &both)); /* to count the tuples */
        snprintf(name, sizeof name, "the union of both graphs%s", of);
        lm_demand demand = {name, .graphs = 1, .tuple_words = (c->components || lm_has_items(c) ? 2 : 1) * SIDE_WORDS,
                            .budget = budget};
        PASS(lm_refinement_fits(ctx, &both, c, false, &demand, &extent));
        cost->tuples = extent.tuples;
        cost->bytes = lm_refinement_bytes(&extent, c, false, 1) + SIDE_WORDS * sizeof(uint64_t) * cost->tuples;
    }
    for (int i = 0; i < 2 && !as_union; i++) {
        snprintf(name, sizeof name, "the %s graph%s", i ? "second" : "first", of);
        lm_demand demand = {name, .graphs = 2, .class_words = SIDE_WORDS, .budget = budget};
        PASS(lm_refinement_fits(ctx, &graph[i], c, true, &demand, &extent));
        cost->tuples += extent.tuples;
        cost->bytes += lm_refinement_bytes(&extent, c, false, 1) + SIDE_WORDS * sizeof(uint64_t) * extent.orbits;
    }
    return LEMAN_OK;
}

leman_status lm_pair_distinguish(leman_context *ctx, const leman_graph graph[2], const leman_coloring *c, bool as_union,
                                 int threads, const lm_cancellation *cancellation, leman_difference *difference)
{
    leman_difference d = {0};
    lm_refinement r[2];
    leman_graph both;
    side s[2];
    const int count = as_union ? 1 : 2;
    const lm_refinement_options options = {!as_union, threads, cancellation, .extent = NULL};
    if (as_union) PASS(lm_disjoint_union(ctx, graph, c, &both));
    for (int i = 0; i < count; i++) PASS(lm_refinement_begin(ctx, as_union ? &both : &graph[i], c, &options, &r[i]));
    for (int i = 0; i < 2; i++) {
        const lm_space *space = &r[as_union ? 0 : i].space;
        const size_t inside = space->sparse || space->items ? space->tuples : lm_power(graph[i].vertices, c->k);
        PASS_SCRATCH(ctx, s[i].pair, as_union ? inside : lm_space_orbits(space));
        PASS_SCRATCH(ctx, s[i].spare, as_union ? inside : lm_space_orbits(space));
    }
    for (;;) {
        for (int i = 0; i < 2; i++)
            if (as_union)
                colors_inside(&r[0], i ? graph[0].vertices : 0, graph[i].vertices, &s[i]);
            else
                s[i].count = lm_refinement_classes(&r[i], s[i].pair, s[i].spare);
        d.round = r[0].round;
        d.distinguished = compare_sides(&s[0], &s[1], &d);
        if (d.distinguished || lm_refinement_ended(&r[0])) break;
        PASS(lm_cancellation_status(cancellation));
        PASS(lm_progress_step(ctx, r[0].round));
        for (int i = 0; i < count; i++) PASS(lm_refinement_step(&r[i]));
    }
    *difference = d;
    return LEMAN_OK;
}

static leman_status distinguish(leman_context *ctx, const leman_graph graph[2], const leman_coloring *c, bool as_union,
                                leman_difference *difference)
{
    SCRATCH_SCOPE(ctx);
    lm_pair_cost cost;
    atomic_bool stop = false;
    lm_cancellation cancellation = lm_cancellation_of(ctx, &stop);
    PASS(lm_pair_check(ctx, graph, c));
    PASS(lm_pair_fits(ctx, graph, c, as_union, "", lm_budget(ctx), &cost));
    lm_progress_begin(ctx, c->rounds == LEMAN_STABLE ? 0 : c->rounds, "distinguishing two graphs");
    lm_arena_reserve(&ctx->scratch, cost.bytes);
    return lm_pair_distinguish(ctx, graph, c, as_union, ctx->settings.threads, &cancellation, difference);
}

leman_status leman_distinguish(leman_context *ctx, const leman_graph *a, const leman_graph *b,
                               const leman_coloring *coloring, bool as_union, leman_difference *difference)
{
    leman_coloring c;
    REQUIRE(ctx, a, b, difference);
    PASS(lm_coloring_given(ctx, coloring, &c));
    return distinguish(ctx, (const leman_graph[2]){*a, *b}, &c, as_union, difference);
}
