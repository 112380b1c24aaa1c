/* Isomorphism of two graphs: their canonical orders, then a comparison of what the orders map to each other. */
#include "base/arguments.h"
#include "base/sort.h"
#include "refine/canonical/canonical.h"
#include <stdlib.h>

/* Two graphs and what maps vertices of the first to the second. */
typedef struct comparison {
    const leman_graph *a, *b;
    uint32_t *image;          /* [vertices] of a */
    lm_pair *pair_a, *pair_b; /* [largest degree] */
} comparison;

static bool same_reals(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] < b[i] || a[i] > b[i]) return false;
    return true;
}

static bool same_vertex(const comparison *c, size_t u, size_t v)
{
    const size_t labels = c->a->vertex_labels, reals = c->a->vertex_attributes;
    if (labels &&
        memcmp(c->a->vertex_label + u * labels, c->b->vertex_label + v * labels, labels * sizeof(int64_t)) != 0)
        return false;
    return !reals || same_reals(c->a->vertex_attribute + u * reals, c->b->vertex_attribute + v * reals, reals);
}

static bool same_arc(const comparison *c, size_t a, size_t b)
{
    const size_t labels = c->a->edge_labels, reals = c->a->edge_attributes;
    if (labels && memcmp(c->a->edge_label + a * labels, c->b->edge_label + b * labels, labels * sizeof(int64_t)) != 0)
        return false;
    return !reals || same_reals(c->a->edge_attribute + a * reals, c->b->edge_attribute + b * reals, reals);
}

static bool same_arcs(const comparison *c, size_t u, size_t v)
{
    const size_t degree = c->a->start[u + 1] - c->a->start[u];
    if (c->b->start[v + 1] - c->b->start[v] != degree) return false;
    for (size_t i = 0; i < degree; i++) {
        const size_t arc_a = c->a->start[u] + i, arc_b = c->b->start[v] + i;
        c->pair_a[i] = (lm_pair){c->image[c->a->head[arc_a]], arc_a};
        c->pair_b[i] = (lm_pair){c->b->head[arc_b], arc_b};
    }
    qsort(c->pair_a, degree, sizeof *c->pair_a, lm_compare_int64);
    for (size_t i = 0; i < degree; i++)
        if (c->pair_a[i].key != c->pair_b[i].key || !same_arc(c, c->pair_a[i].payload, c->pair_b[i].payload))
            return false;
    return true;
}

leman_status lm_orders_agree(leman_context *ctx, const leman_graph *a, const uint32_t *order_a, const leman_graph *b,
                             const uint32_t *order_b, bool *agree)
{
    SCRATCH_SCOPE(ctx);
    comparison c = {.a = a, .b = b};
    size_t degree = 0;
    for (size_t v = 0; v < a->vertices; v++)
        if (a->start[v + 1] - a->start[v] > degree) degree = a->start[v + 1] - a->start[v];
    PASS_SCRATCH(ctx, c.image, a->vertices);
    PASS_SCRATCH(ctx, c.pair_a, degree);
    PASS_SCRATCH(ctx, c.pair_b, degree);
    for (size_t i = 0; i < a->vertices; i++) c.image[order_a[i]] = order_b[i];
    *agree = true;
    for (size_t v = 0; v < a->vertices && *agree; v++)
        *agree = same_vertex(&c, v, c.image[v]) && same_arcs(&c, v, c.image[v]);
    return LEMAN_OK;
}

static bool same_shape(const leman_graph *a, const leman_graph *b)
{
    return a->vertices == b->vertices && a->arcs == b->arcs && a->directed == b->directed &&
           a->vertex_labels == b->vertex_labels && a->edge_labels == b->edge_labels &&
           a->vertex_attributes == b->vertex_attributes && a->edge_attributes == b->edge_attributes;
}

/* Sets *same to whether the two lists have the same members. */
static leman_status same_degrees(leman_context *ctx, const leman_graph *a, const leman_graph *b, bool *same)
{
    SCRATCH_SCOPE(ctx);
    const leman_graph *graph[2] = {a, b};
    uint64_t *degree[2], *spare;
    PASS_SCRATCH(ctx, spare, a->vertices);
    for (size_t i = 0; i < 2; i++) {
        PASS_SCRATCH(ctx, degree[i], a->vertices);
        for (size_t v = 0; v < a->vertices; v++) degree[i][v] = graph[i]->start[v + 1] - graph[i]->start[v];
        lm_sort_keys(degree[i], spare, a->vertices, 1);
    }
    *same = !memcmp(degree[0], degree[1], a->vertices * sizeof **degree);
    return LEMAN_OK;
}

leman_status leman_isomorphic(leman_context *ctx, const leman_graph *a, const leman_graph *b, bool *isomorphic,
                              uint32_t *mapping)
{
    REQUIRE(ctx, a, b, isomorphic);
    SCRATCH_SCOPE(ctx);
    uint32_t *order_a, *order_b;
    bool same = same_shape(a, b);
    lm_progress_begin(ctx, 0, "comparing two graphs");
    if (same) PASS(same_degrees(ctx, a, b, &same));
    if (same) {
        PASS_SCRATCH(ctx, order_a, a->vertices);
        PASS_SCRATCH(ctx, order_b, a->vertices);
        PASS(lm_canonical_order(ctx, a, order_a, NULL, NULL));
        PASS(lm_canonical_order(ctx, b, order_b, NULL, NULL));
        PASS(lm_orders_agree(ctx, a, order_a, b, order_b, &same));
        for (size_t i = 0; i < a->vertices && same && mapping; i++) mapping[order_a[i]] = order_b[i];
    }
    *isomorphic = same;
    return LEMAN_OK;
}
