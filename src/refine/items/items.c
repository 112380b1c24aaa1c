/* The space of a graph's items: its size, and what its items are. */
#include "refine/items/items.h"
#include "base/sort.h"
#include "refine/histogram.h"
#include <string.h>

/* ---- Sizes ----------------------------------------------------------------------------------- */

size_t lm_subset_number(size_t n, unsigned k)
{
    size_t sum = 0;
    for (unsigned size = 1; size <= k && size <= n; size++) {
        const size_t sets = lm_orbit_count(n - size + 1, size); /* multisets of n - size + 1: C(n, size) */
        if (sets > SIZE_MAX - sum) return SIZE_MAX;
        sum += sets;
    }
    return sum;
}

static uint64_t square(uint64_t n)
{
    return lm_saturating_multiply(n, n);
}

/* The size of a space with this many pairs or sets. */
static void size_for(const leman_graph *g, const leman_coloring *c, uint64_t own, lm_item_size *size)
{
    const lm_item_rule *rule = &lm_variant_of(c)->items;
    const uint64_t n = g->vertices;
    *size = (lm_item_size){own, 64 * n + 256};
    switch (rule->kind) {
    case LM_ITEM_NONE: break;
    case LM_ITEM_PAIR:
        if (rule->pool != LM_POOL_NONE) size->items = lm_saturating_add(own, n);
        if (rule->domain != LM_DOMAIN_ALL)
            size->bytes = lm_saturating_add(size->bytes, lm_saturating_multiply(own, 2 * sizeof(uint32_t)));
        break;
    case LM_ITEM_VERTEX:
        size->bytes = lm_saturating_add(
            size->bytes,
            lm_saturating_multiply(square(n), (rule->distances & LM_DISTANCE_RESISTANCE ? 3 : 1) * sizeof(uint64_t)));
        break;
    case LM_ITEM_SET:
        size->bytes = lm_saturating_add(size->bytes, lm_saturating_multiply(own, (2 * c->k + 4) * sizeof(uint32_t)));
        break;
    }
}

void lm_items_bound(const leman_graph *g, const leman_coloring *c, lm_item_size *size)
{
    const uint64_t n = g->vertices;
    switch (lm_variant_of(c)->items.kind) {
    case LM_ITEM_NONE:
    case LM_ITEM_VERTEX: size_for(g, c, n, size); break;
    case LM_ITEM_PAIR: size_for(g, c, square(n), size); break;
    case LM_ITEM_SET: /* with a limit of components memory is taken for increasing tuples */
        size_for(g, c, c->components && c->components < c->k ? lm_orbit_count(n, c->k) : lm_subset_number(n, c->k),
                 size);
        break;
    }
}

leman_status lm_items_measure(leman_context *ctx, const leman_graph *g, const leman_coloring *c, uint64_t most,
                              const lm_cancellation *cancellation, lm_item_size *size)
{
    const lm_item_rule *rule = &lm_variant_of(c)->items;
    const leman_coloring tuples = {.algorithm = LEMAN_ALGORITHM_LOCAL, .k = c->k, .components = c->components};
    lm_sparse_size counted;
    uint64_t pairs;
    lm_items_bound(g, c, size);
    if (rule->kind == LM_ITEM_PAIR && rule->domain == LM_DOMAIN_NEAR) {
        PASS(lm_pairs_count(ctx, g, c, most, &pairs));
        size_for(g, c, pairs, size);
    } else if (rule->kind == LM_ITEM_SET && c->components && c->components < c->k) {
        PASS(lm_space_measure(ctx, g, &tuples, most, cancellation, &counted));
        size_for(g, c, counted.exceeded ? counted.tuples : counted.orbits, size);
    }
    return LEMAN_OK;
}

/* ---- The space ------------------------------------------------------------------------------- */

leman_status lm_items_new(leman_context *ctx, const leman_coloring *c, const lm_cancellation *cancellation, lm_space *s)
{
    lm_items *x;
    PASS_SCRATCH_ZERO(ctx, x, 1);
    x->rule = &lm_variant_of(c)->items;
    x->n = s->vertices;
    s->items = x;
    switch (x->rule->kind) {
    case LM_ITEM_NONE: break;
    case LM_ITEM_PAIR: PASS(lm_pairs_new(ctx, c, s)); break;
    case LM_ITEM_VERTEX: PASS(lm_distances_new(ctx, c, cancellation, s)); break;
    case LM_ITEM_SET: PASS(lm_sets_new(ctx, c, cancellation, s)); break;
    }
    s->n = s->tuples = x->own + (x->rule->pool == LM_POOL_NONE ? 0 : x->n);
    s->rows = s->n ? 1 : 0;
    return LEMAN_OK;
}

size_t lm_items_scratch(size_t n, int threads)
{
    return n + (size_t)threads * (n / 2 + 1);
}

/* ---- Items ----------------------------------------------------------------------------------- */

/* The first vertex of a pair: the row that contains it. */
static uint32_t row_of(const lm_items *x, size_t item)
{
    if (!x->start) return (uint32_t)(item / x->n);
    size_t low = 0, high = x->n;
    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;
        if (x->start[middle] <= item)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

unsigned lm_item_vertices(const lm_items *x, size_t item, uint32_t *vertex)
{
    unsigned count = 0;
    if (x->rule->kind != LM_ITEM_SET && item >= x->own) {
        vertex[0] = (uint32_t)(item - x->own);
        return 1;
    }
    switch (x->rule->kind) {
    case LM_ITEM_NONE: break;
    case LM_ITEM_VERTEX: vertex[count++] = (uint32_t)item; break;
    case LM_ITEM_PAIR:
        vertex[count++] = row_of(x, item);
        vertex[count++] = lm_row_vertex(x, vertex[0], item);
        break;
    case LM_ITEM_SET:
        while (count < x->k && x->member[item * x->k + count] != LM_NO_ITEM) {
            vertex[count] = x->member[item * x->k + count];
            count++;
        }
        break;
    }
    return count;
}

void lm_item_tuple(const lm_items *x, size_t item, uint32_t *component)
{
    const bool column = x->rule->pool == LM_POOL_COLUMNS && item >= x->own;
    for (unsigned j = 0; j < x->k; j++) component[j] = LM_NO_ITEM;
    lm_item_vertices(x, item, component + column);
}

size_t lm_pair_item(const lm_items *x, uint32_t u, uint32_t v)
{
    if (!x->start) return u * x->n + v;
    const size_t at = lm_lower_bound(x->last, x->start[u], x->start[u + 1], v);
    return at < x->start[u + 1] && x->last[at] == v ? at : SIZE_MAX;
}

/* Writes the colour to all tuples of k components that have these vertices, each at least once. */
static void spread_set(const lm_items *x, const uint32_t *vertex, unsigned count, unsigned at, unsigned used,
                       size_t index, uint64_t color, uint64_t *colors)
{
    const unsigned missing = count - (unsigned)__builtin_popcount(used);
    if (missing > x->k - at) return;
    if (at == x->k) {
        colors[index] = color;
        return;
    }
    for (unsigned i = 0; i < count; i++)
        spread_set(x, vertex, count, at + 1, used | 1u << i, index * x->n + vertex[i], color, colors);
}

void lm_items_spread(const lm_space *s, const uint64_t *from, uint64_t *colors)
{
    const lm_items *x = s->items;
    uint32_t vertex[LM_MAX_K];
    memset(colors, 0, lm_power(x->n, x->k) * sizeof *colors);
    for (size_t item = 0; item < x->own; item++) {
        const unsigned count = lm_item_vertices(x, item, vertex);
        size_t index = 0;
        if (x->rule->kind == LM_ITEM_SET) {
            spread_set(x, vertex, count, 0, 0, 0, from[item], colors);
            continue;
        }
        for (unsigned j = 0; j < count; j++) index = index * x->n + vertex[j];
        colors[index] = from[item];
    }
}
