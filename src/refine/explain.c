/*
 * Explaining a difference: the unrolling tree of a colour whose counts differ, down to the atomic types.
 *
 * A colour of round r corresponds to one tree: the branches of its root are the colour of the tuple itself and the
 * multisets of colours on its lines, all of round r-1, by the rule of that round. Trees are built layer by layer: every
 * colour of a layer is one node, with one example tuple; branches with equal colours are merged into one with a count.
 *
 * Memory: the colours of all rounds. Time: the refinement, and O(k n) for each node with branches (O(k n^2) with #).
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "refine/distinguish.h"
#include "refine/items/items.h"
#include "refine/unroll.h"
#include <string.h>

static const char *const RELATIONS[] = {
    [LEMAN_RELATION_ITSELF] = "itself",     [LEMAN_RELATION_NEIGHBOR] = "neighbor",
    [LEMAN_RELATION_ENTERING] = "entering", [LEMAN_RELATION_OTHER] = "other",
    [LEMAN_RELATION_ANY] = "any",           [LEMAN_RELATION_VECTOR] = "vector",
    [LEMAN_RELATION_END] = "end",           [LEMAN_RELATION_PATH] = "path",
    [LEMAN_RELATION_POOLED] = "pooled",     [LEMAN_RELATION_DISTANCE] = "distance",
    [LEMAN_RELATION_LESS] = "less",         [LEMAN_RELATION_MORE] = "more",
};

LM_ENUM_NAME(leman_relation, relation, "relation", RELATIONS, , LEMAN_RELATION_COUNT)

/* ---- Histories ------------------------------------------------------------------------------- */

/* Refines a graph and keeps the colours of every round. */
static leman_status keep_history(leman_context *ctx, const leman_graph *graph, const leman_coloring *c, uint32_t rounds,
                                 lm_history *h)
{
    lm_refinement r;
    PASS(lm_refinement_open(ctx, graph, c, false, NULL, &r));
    PASS_SCRATCH(ctx, h->colors, rounds + UINT64_C(1));
    for (;;) {
        PASS_SCRATCH(ctx, h->colors[r.round], r.space.tuples);
        memcpy(h->colors[r.round], r.colors, r.space.tuples * sizeof *r.colors);
        if (r.round == rounds) break;
        PASS(lm_progress_step(ctx, r.round));
        PASS(lm_refinement_step(&r));
    }
    h->space = r.space;
    h->space.cancellation = NULL; /* the work that follows does not poll */
    return LEMAN_OK;
}

/* Keeps the histories of both graphs; with a union, that of the union for both. */
static leman_status keep_histories(leman_context *ctx, const leman_graph graph[2], const leman_coloring *c,
                                   bool as_union, uint32_t rounds, lm_history h[2])
{
    leman_graph both;
    lm_space_extent extent;
    lm_demand demand = {.graph = "a graph", .graphs = 1, .budget = lm_budget(ctx)};
    demand.tuple_words = rounds < 1 << 16 ? rounds + 1 : 1 << 16;
    if (as_union) PASS(lm_disjoint_union(ctx, graph, c, &both));
    demand.graphs = as_union ? 1 : 2;
    for (int i = 0; i < 2; i++) PASS(lm_refinement_fits(ctx, as_union ? &both : &graph[i], c, false, &demand, &extent));
    lm_progress_begin(ctx, rounds, "explaining");
    PASS(keep_history(ctx, as_union ? &both : &graph[0], c, rounds, &h[0]));
    h[1] = h[0];
    if (!as_union) PASS(keep_history(ctx, &graph[1], c, rounds, &h[1]));
    return LEMAN_OK;
}

/* ---- Tuples of interest ---------------------------------------------------------------------- */

/* The part of a history that belongs to one of the two graphs: vertices first .. first + n - 1. */
typedef struct part {
    const lm_history *h;
    size_t first, n, tuples;
} part;

/* Finds the part's tuple t: its index in the history, and digit[], its components, numbered within the part. Returns false
 * if t is an item of the history that does not lie in the part. */
static bool tuple_of(const part *p, size_t t, uint32_t *digit, size_t *index)
{
    const lm_space *s = &p->h->space;
    if (s->items) {
        *index = t;
        lm_item_tuple(s->items, t, digit);
        for (size_t j = 0; j < s->items->k; j++) {
            if (digit[j] == LM_NO_ITEM) continue;
            if (digit[j] < p->first || digit[j] - p->first >= p->n) return false;
            digit[j] -= (uint32_t)p->first;
        }
        return true;
    }
    *index = 0;
    for (size_t j = s->k; j-- > 0; t /= p->n) digit[j] = (uint32_t)(t % p->n);
    for (size_t j = 0; j < s->k; j++) *index = *index * s->n + p->first + digit[j];
    return true;
}

/* Finds the first tuples of each graph with the witness's colour. *root is the first one of the graph that has more. */
static leman_status find_carriers(leman_context *ctx, const part p[2], leman_unrolling *u, size_t *root)
{
    uint32_t digit[LM_MAX_K];
    size_t index;
    const leman_difference *d = &u->difference;
    for (int i = 0; i < 2; i++) {
        PASS_NEW(ctx, u->carrier[i], (size_t)LEMAN_CARRIERS * u->k);
        for (size_t t = 0; t < p[i].tuples && u->carriers[i] < LEMAN_CARRIERS; t++) {
            if (!tuple_of(&p[i], t, digit, &index) || p[i].h->colors[d->round][index] != d->color) continue;
            memcpy(u->carrier[i] + u->carriers[i] * u->k, digit, u->k * sizeof *digit);
            if (!u->carriers[i]++ && i == (d->count[1] > d->count[0])) *root = index;
        }
    }
    return LEMAN_OK;
}

/* Finds a tuple, in the graph with fewer carriers, that had the root's colour one round earlier and has another one
 * after this round. It exists, since the counts were equal one round earlier. */
static bool find_other(const part *p, const lm_history *of_root, uint32_t round, size_t root, size_t *other)
{
    uint32_t digit[LM_MAX_K];
    for (size_t t = 0; t < p->tuples && round; t++)
        if (tuple_of(p, t, digit, other) && p->h->colors[round - 1][*other] == of_root->colors[round - 1][root] &&
            p->h->colors[round][*other] != of_root->colors[round][root])
            return true;
    return false;
}

static leman_status unroll(leman_context *ctx, const leman_graph graph[2], const leman_coloring *c, bool as_union,
                           size_t max, leman_unrolling *u)
{
    lm_history h[2];
    part p[2];
    size_t root = 0, other = 0;
    uint32_t round = u->difference.round;
    PASS(keep_histories(ctx, graph, c, as_union, round, h));
    for (int i = 0; i < 2; i++)
        p[i] = (part){&h[i], as_union && i ? graph[0].vertices : 0, graph[i].vertices,
                      h[i].space.items ? h[i].space.tuples : lm_power(graph[i].vertices, c->k)};
    PASS(find_carriers(ctx, p, u, &root));
    uint32_t more = u->difference.count[1] > u->difference.count[0];
    bool has_other = find_other(&p[!more], &h[more], round, root, &other);
    lm_tuple_place roots[2] = {{as_union ? 0 : more, root}, {as_union ? 0 : !more, other}};
    PASS(lm_unroll(ctx, h, c, round, roots, has_other ? 2 : 1, max ? max : SIZE_MAX, u));
    u->other = has_other;
    return LEMAN_OK;
}

static leman_status explain(leman_context *ctx, const leman_graph graph[2], const leman_coloring *c, size_t max_nodes,
                            lm_unrolling *u)
{
    SCRATCH_SCOPE(ctx);
    u->open.k = c->k;
    for (int i = 0; i < 2; i++) u->vertices[i] = graph[i].vertices;
    PASS(leman_distinguish(ctx, &graph[0], &graph[1], c, u->as_union, &u->open.difference));
    if (u->open.difference.distinguished) PASS(unroll(ctx, graph, c, u->as_union, max_nodes, &u->open));
    return LEMAN_OK;
}

leman_status leman_explain(leman_context *ctx, const leman_graph *a, const leman_graph *b,
                           const leman_coloring *coloring, bool as_union, size_t max_nodes, leman_unrolling **unrolling)
{
    AUTO(leman_unrolling_drop) leman_unrolling *open = NULL;
    lm_unrolling *u;
    leman_coloring given = leman_coloring_default(), c;
    REQUIRE(ctx, a, b, unrolling);
    PASS(lm_options_copy(ctx, "leman_coloring", coloring, &given, sizeof given));
    PASS(lm_coloring_check(ctx, &given, &c));
    if (c.components && !lm_has_items(&c))
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED,
                       "found tuples limited by components, expected all tuples: only their colours are explained");
    PASS_NEW_ZERO(ctx, u, 1);
    open = &u->open;
    u->coloring = given;
    u->as_union = as_union;
    PASS(explain(ctx, (const leman_graph[2]){*a, *b}, &c, max_nodes, u));
    return HAND_OVER(unrolling, open);
}

void leman_unrolling_free(leman_unrolling *u)
{
    if (!u) return;
    RELEASE(u->node, u->vertex, u->branch, u->target);
    for (int i = 0; i < 2; i++) lm_release(u->carrier[i]);
    lm_release(u);
}
