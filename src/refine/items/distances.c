/*
 * Vertices that see all vertices with their distances (SPD-WL, RD-WL, GD-WL). key[v][w] is a hash of what v knows of w beside
 * its colour: the distances that the algorithm uses and, if edges have labels, the label of the arc from v to w. A round
 * adds, for every vertex, mix(key + colour) over all vertices. O(n arcs) for paths, O(n^3) for resistances, O(n^2) a round.
 */
#include "refine/items/items.h"
#include <string.h>

enum { SEEN = 26, SEEN_ENTERING = 27, COLOR = 28 }; /* positions of multipliers */

/* Adds the lengths of shortest paths from v to the hashes of row v. queue[n] and distance[n] are scratch. */
static void add_paths(const lm_adjacency *arcs, size_t n, uint32_t v, uint32_t *queue, uint32_t *distance,
                      uint64_t *row)
{
    size_t reached = 1;
    memset(distance, 0xff, n * sizeof *distance);
    distance[v] = 0;
    queue[0] = v;
    for (size_t i = 0; i < reached; i++)
        for (uint64_t e = arcs->start[queue[i]]; e < arcs->start[queue[i] + 1]; e++) {
            const uint32_t w = arcs->head[e];
            if (distance[w] != UINT32_MAX) continue;
            distance[w] = distance[queue[i]] + 1;
            queue[reached++] = w;
        }
    for (size_t w = 0; w < n; w++) row[w] += distance[w] * lm_item_multiplier(3);
}

static leman_status add_resistances(leman_context *ctx, const lm_space *s, const lm_cancellation *cancellation,
                                    uint64_t *key)
{
    const size_t n = s->vertices;
    SCRATCH_SCOPE(ctx);
    uint64_t *resistance, *scratch;
    uint32_t *order;
    PASS_SCRATCH(ctx, resistance, n * n);
    PASS_SCRATCH(ctx, scratch, n * n + n);
    PASS_SCRATCH(ctx, order, 2 * n);
    lm_resistances(n, &s->out, &s->in, cancellation, resistance, scratch, order);
    for (size_t i = 0; i < n * n; i++) key[i] += resistance[i] * lm_item_multiplier(6);
    return lm_cancellation_status(cancellation);
}

leman_status lm_distances_new(leman_context *ctx, const leman_coloring *c, const lm_cancellation *cancellation,
                              lm_space *s)
{
    lm_items *x = s->items;
    const size_t n = x->n;
    uint32_t *queue, *distance;
    (void)c;
    x->k = 1;
    x->own = n;
    PASS_SCRATCH(ctx, x->key, n * n);
    PASS_SCRATCH(ctx, queue, n);
    PASS_SCRATCH(ctx, distance, n);
    for (size_t i = 0; i < n * n; i++) x->key[i] = lm_mix(s->seed + 7);
    if (x->rule->distances & LM_DISTANCE_RESISTANCE) PASS(add_resistances(ctx, s, cancellation, x->key));
    for (uint32_t v = 0; v < n; v++) {
        uint64_t *row = x->key + v * n;
        if (x->rule->distances & LM_DISTANCE_PATH) add_paths(&s->out, n, v, queue, distance, row);
        for (uint64_t e = s->out.start[v]; e < s->out.start[v + 1] && s->messages; e++)
            row[s->out.head[e]] += s->out.label[e] * lm_item_multiplier(4);
        for (size_t w = 0; w < n; w++) row[w] = lm_mix(row[w]);
        if (lm_cancellation_poll(cancellation)) return LEMAN_ERROR_CANCELLED;
    }
    return LEMAN_OK;
}

static void vertex_types(const lm_space *s, uint64_t *colors)
{
    for (size_t v = 0; v < s->items->n; v++)
        colors[v] = lm_mix(s->label[v] * lm_item_multiplier(1) + lm_mix(s->seed + 5));
}

static void vertex_round(const lm_space *s, const uint64_t *from, uint64_t *to, int threads)
{
    const size_t n = s->items->n;
    const uint64_t *key = s->items->key, color = lm_item_multiplier(COLOR);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (size_t v = 0; v < n; v++) {
        uint64_t sum = 0, entering = 0;
        if (lm_cancellation_poll(s->cancellation)) continue;
        for (size_t w = 0; w < n; w++) sum += lm_mix(key[v * n + w] + from[w] * color);
        for (size_t w = 0; w < n && s->entering; w++) entering += lm_mix(key[w * n + v] + from[w] * color);
        to[v] = lm_mix(from[v] + sum * lm_item_multiplier(SEEN) + entering * lm_item_multiplier(SEEN_ENTERING));
    }
}

/* ---- All kinds of items ---------------------------------------------------------------------- */

void lm_items_types(const lm_space *s, uint64_t *colors, int threads)
{
    switch (s->items->rule->kind) {
    case LM_ITEM_NONE: break;
    case LM_ITEM_PAIR: lm_pairs_types(s, colors, threads); break;
    case LM_ITEM_VERTEX: vertex_types(s, colors); break;
    case LM_ITEM_SET: lm_sets_types(s, colors, threads); break;
    }
}

void lm_items_round(const lm_space *s, const uint64_t *from, uint64_t *to, uint64_t *scratch, int threads)
{
    switch (s->items->rule->kind) {
    case LM_ITEM_NONE: break;
    case LM_ITEM_PAIR: lm_pairs_round(s, from, to, scratch, threads); break;
    case LM_ITEM_VERTEX: vertex_round(s, from, to, threads); break;
    case LM_ITEM_SET: lm_sets_round(s, from, to); break;
    }
}
