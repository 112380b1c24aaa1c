/* Ordered pairs: which there are, and their first colours. Balls are found by breadth-first search along leaving arcs. */
#include "refine/items/items.h"
#include <stdlib.h>
#include <string.h>

/* The scratch of a search from one vertex. */
typedef struct search {
    uint32_t *distance; /* [n] LM_NO_ITEM outside the ball */
    uint32_t *queue;    /* [n] the ball, nearest first */
    size_t reached;
} search;

static leman_status search_new(leman_context *ctx, size_t n, search *s)
{
    PASS_SCRATCH(ctx, s->distance, n);
    PASS_SCRATCH(ctx, s->queue, n);
    memset(s->distance, 0xff, n * sizeof *s->distance);
    s->reached = 0;
    return LEMAN_OK;
}

/* Finds the vertices up to `most` arcs away from u; the first arc of vertex v is start[v]. */
static void search_from(const uint64_t *start, const uint32_t *head, uint32_t u, uint32_t most, search *s)
{
    for (size_t i = 0; i < s->reached; i++) s->distance[s->queue[i]] = LM_NO_ITEM;
    s->distance[u] = 0;
    s->queue[0] = u;
    s->reached = 1;
    for (size_t i = 0; i < s->reached && s->distance[s->queue[i]] < most; i++)
        for (uint64_t e = start[s->queue[i]]; e < start[s->queue[i] + 1]; e++) {
            if (s->distance[head[e]] != LM_NO_ITEM) continue;
            s->distance[head[e]] = s->distance[s->queue[i]] + 1;
            s->queue[s->reached++] = head[e];
        }
}

leman_status lm_pairs_count(leman_context *ctx, const leman_graph *g, const leman_coloring *c, uint64_t most,
                            uint64_t *pairs)
{
    SCRATCH_SCOPE(ctx);
    search s;
    uint64_t count = 0;
    PASS(search_new(ctx, g->vertices, &s));
    for (size_t u = 0; u < g->vertices && count <= most; u++) {
        search_from(g->start, g->head, (uint32_t)u, c->distance, &s);
        count += s.reached;
    }
    *pairs = count;
    return LEMAN_OK;
}

static int compare_vertices(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Lists the pairs of balls; two searches from each vertex. */
static leman_status list_balls(leman_context *ctx, const lm_space *space, uint32_t most, lm_items *x)
{
    const lm_adjacency *arcs = &space->out;
    search s;
    PASS(search_new(ctx, x->n, &s));
    PASS_SCRATCH(ctx, x->start, x->n + 1);
    x->start[0] = 0;
    for (size_t u = 0; u < x->n; u++) {
        search_from(arcs->start, arcs->head, (uint32_t)u, most, &s);
        x->start[u + 1] = x->start[u] + s.reached;
    }
    x->own = x->start[x->n];
    PASS_SCRATCH(ctx, x->last, x->own);
    if (x->rule->first & LM_FIRST_DISTANCE) PASS_SCRATCH(ctx, x->code, x->own);
    for (size_t u = 0; u < x->n; u++) {
        uint32_t *to = x->last + x->start[u];
        search_from(arcs->start, arcs->head, (uint32_t)u, most, &s);
        memcpy(to, s.queue, s.reached * sizeof *to);
        qsort(to, s.reached, sizeof *to, compare_vertices);
        for (size_t i = 0; i < s.reached && x->code; i++) x->code[x->start[u] + i] = s.distance[to[i]];
    }
    return LEMAN_OK;
}

static leman_status list_others(leman_context *ctx, lm_items *x)
{
    const size_t n = x->n;
    PASS_SCRATCH(ctx, x->start, n + 1);
    x->own = n * n - n;
    PASS_SCRATCH(ctx, x->last, x->own);
    uint32_t *to = x->last;
    for (size_t u = 0; u < n; u++) {
        x->start[u] = (uint64_t)(to - x->last);
        for (uint32_t v = 0; v < n; v++)
            if (v != u) *to++ = v;
    }
    x->start[n] = x->own;
    return LEMAN_OK;
}

leman_status lm_pairs_new(leman_context *ctx, const leman_coloring *c, lm_space *space)
{
    lm_items *x = space->items;
    x->k = 2;
    switch (x->rule->domain) {
    case LM_DOMAIN_ALL: x->own = x->n * x->n; break;
    case LM_DOMAIN_OTHERS: PASS(list_others(ctx, x)); break;
    case LM_DOMAIN_NEAR: PASS(list_balls(ctx, space, c->distance, x)); break;
    }
    return LEMAN_OK;
}

/* ---- Round 0 --------------------------------------------------------------------------------- */

/* The label of the arc from u to v, 0 without an arc. *e runs along the arcs of u, as v increases. */
static uint64_t next_arc(const lm_adjacency *arcs, size_t u, uint32_t v, uint64_t *e)
{
    while (*e < arcs->start[u + 1] && arcs->head[*e] < v) ++*e;
    return *e < arcs->start[u + 1] && arcs->head[*e] == v ? arcs->label[*e] : 0;
}

static void types_row(const lm_space *s, size_t u, uint64_t *colors)
{
    const lm_items *x = s->items;
    const unsigned first = x->rule->first;
    const uint64_t root = first & LM_FIRST_ROOT ? s->label[u] * lm_item_multiplier(0) : 0;
    const uint64_t label = lm_item_multiplier(1), plain = lm_mix(s->seed + 5);
    uint64_t e = s->out.start[u];
    for (uint64_t i = lm_row_begin(x, u); i < lm_row_begin(x, u + 1); i++) {
        const uint32_t v = lm_row_vertex(x, u, i);
        uint64_t relation = plain;
        if (first & LM_FIRST_MARK) relation += (u == v) * lm_item_multiplier(2);
        if (first & LM_FIRST_DISTANCE) {
            const uint64_t arc = next_arc(&s->out, u, v, &e);
            relation += x->code[i] * lm_item_multiplier(3) + (u == v ? 0 : arc) * lm_item_multiplier(4);
        }
        colors[i] = lm_mix(root + s->label[v] * label + lm_mix(relation) * lm_item_multiplier(5));
    }
}

void lm_pairs_types(const lm_space *s, uint64_t *colors, int threads)
{
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads) if (threads > 1)
    for (size_t u = 0; u < s->items->n; u++)
        if (!lm_cancellation_poll(s->cancellation)) types_row(s, u, colors);
    lm_pairs_pool(s, colors);
}
