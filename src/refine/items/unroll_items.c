/*
 * The branches of an item in an unrolling tree: what a round adds to its colour, grouped by colours.
 *
 * A pool is made of colours of its own round, everything else of colours of the round before. O(n log n) for each node;
 * paths O(n log n), sets with one vertex more O(k) for every set of the graph.
 */
#include "refine/items/items.h"
#include "refine/unroll.h"

typedef struct item_ref {
    lm_unroller *u;
    const lm_space *s;
    const lm_items *x;
    const uint64_t *colors; /* of the round that the branches lead to */
    lm_tuple_place at;
    uint32_t a, b; /* of a pair, or LM_NO_ITEM */
} item_ref;

/* ---- Branches -------------------------------------------------------------------------------- */

static leman_status add_one(const item_ref *r, leman_branch branch, size_t to)
{
    return lm_unroll_branch(r->u, r->at.graph, branch, &to, 1);
}

/* Returns the item in which w replaces component `position`, or SIZE_MAX. */
static size_t item_at(const item_ref *r, unsigned position, uint32_t w)
{
    if (r->x->rule->kind == LM_ITEM_VERTEX) return w;
    return position ? lm_pair_item(r->x, r->a, w) : lm_pair_item(r->x, w, r->b);
}

/* Adds a branch to the item at w, or for a path to (a, w) and (w, b). */
static leman_status add_branch(const item_ref *r, leman_branch branch)
{
    if (branch.relation != LEMAN_RELATION_PATH) return add_one(r, branch, item_at(r, branch.position, branch.vertex));
    const size_t to[] = {item_at(r, 1, branch.vertex), item_at(r, 0, branch.vertex)};
    return lm_unroll_branch(r->u, r->at.graph, branch, to, 2);
}

/* Sorts line[0..count), keys with vertices w, and adds a branch for each key. */
static leman_status add_groups(const item_ref *r, leman_relation relation, unsigned position, size_t count)
{
    lm_pair *line = r->u->line;
    lm_sort_pairs(line, r->u->spare, count, 1);
    for (size_t i = 0, first = 0; i < count; i++) {
        if (i + 1 < count && line[i + 1].key == line[i].key) continue;
        PASS(add_branch(r, (leman_branch){.relation = relation,
                                          .position = position,
                                          .vertex = (uint32_t)line[first].payload,
                                          .count = i + 1 - first}));
        first = i + 1;
    }
    return LEMAN_OK;
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

/* The sums that replace component `position` by the neighbours of that component. */
static leman_status add_moves(const item_ref *r, const lm_adjacency *arcs, leman_relation relation, unsigned position)
{
    const uint32_t v = position ? r->b : r->a;
    size_t count = 0;
    for (uint64_t e = arcs->start[v]; e < arcs->start[v + 1]; e++) {
        const size_t item = item_at(r, position, arcs->head[e]);
        if (item == SIZE_MAX) continue;
        r->u->line[count++] = (lm_pair){lm_item_message(r->s, arcs, e, r->colors[item]), arcs->head[e]};
    }
    return add_groups(r, relation, position, count);
}

/* Replaces component `position` by every vertex: the sums over all vertices, and the pairs of a pool. */
static leman_status add_all(const item_ref *r, leman_relation relation, unsigned position)
{
    size_t count = 0;
    for (uint32_t w = 0; w < r->x->n; w++) {
        const size_t item = item_at(r, position, w);
        if (item != SIZE_MAX) r->u->line[count++] = (lm_pair){r->colors[item], w};
    }
    return add_groups(r, relation, position, count);
}

/* Sets *label to the label of the arc from v to w; returns false if there is none. */
static bool find_label(const lm_adjacency *arcs, uint32_t v, uint32_t w, uint64_t *label)
{
    const uint64_t at = lm_lower_bound(arcs->head, arcs->start[v], arcs->start[v + 1], w);
    if (at == arcs->start[v + 1] || arcs->head[at] != w) return false;
    *label = arcs->label[at];
    return true;
}

/* Paths over the vertices w of a set. Paths with equal pairs of colours, and equal labels of arcs that count, are one
 * branch. arcs is NULL for paths over all vertices. */
static leman_status add_paths(const item_ref *r, const lm_adjacency *arcs, unsigned position)
{
    const bool both = r->x->rule->sums & LM_PAIR_PATHS_BOTH;
    size_t count = 0;
    for (uint32_t w = 0; w < r->x->n; w++) {
        const size_t first = item_at(r, 1, w), second = item_at(r, 0, w);
        uint64_t of_a = 0, of_b = 0;
        const bool joined_b = arcs && find_label(arcs, r->b, w, &of_b);
        const bool joined_a = arcs && both && find_label(arcs, r->a, w, &of_a);
        if (first == SIZE_MAX || second == SIZE_MAX || (arcs && !joined_a && !joined_b)) continue;
        uint64_t key = r->colors[first] * lm_item_multiplier(0) + r->colors[second] * lm_item_multiplier(1);
        if (r->s->messages) key += of_a * lm_item_multiplier(2) + of_b * lm_item_multiplier(3);
        r->u->line[count++] = (lm_pair){lm_mix(key), w};
    }
    return add_groups(r, LEMAN_RELATION_PATH, position, count);
}

static leman_status add_local(const item_ref *r, const lm_adjacency *arcs, bool entering)
{
    const leman_relation relation = entering ? LEMAN_RELATION_ENTERING : LEMAN_RELATION_NEIGHBOR;
    const unsigned sums = r->x->rule->sums;
    if (sums & LM_PAIR_MOVE_U) PASS(add_moves(r, arcs, relation, 0));
    if (sums & LM_PAIR_MOVE_V) PASS(add_moves(r, arcs, relation, 1));
    if (sums & LM_PAIR_PATHS_LOCAL) PASS(add_paths(r, arcs, entering));
    return LEMAN_OK;
}

static leman_status add_pair(const item_ref *r)
{
    const unsigned sums = r->x->rule->sums;
    const leman_branch end = {.relation = LEMAN_RELATION_END, .position = 1, .vertex = r->b, .count = 1};
    PASS(add_local(r, &r->s->out, false));
    if (r->s->entering) PASS(add_local(r, &r->s->in, true));
    if (sums & LM_PAIR_PATHS_ALL) PASS(add_paths(r, NULL, 0));
    if (sums & LM_PAIR_ALL_U) PASS(add_all(r, LEMAN_RELATION_ANY, 0));
    if (sums & LM_PAIR_ALL_V) PASS(add_all(r, LEMAN_RELATION_ANY, 1));
    return sums & LM_PAIR_END ? add_one(r, end, lm_pair_item(r->x, r->b, r->b)) : LEMAN_OK;
}

/* ---- Vertices and sets ----------------------------------------------------------------------- */

static leman_status add_distances(const item_ref *r, bool entering)
{
    const size_t n = r->x->n, v = r->at.tuple;
    for (size_t w = 0; w < n; w++) {
        const uint64_t key = r->x->key[entering ? w * n + v : v * n + w];
        r->u->line[w] = (lm_pair){lm_mix(key + r->colors[w] * lm_item_multiplier(0)), w};
    }
    return add_groups(r, LEMAN_RELATION_DISTANCE, entering, n);
}

/* The vertex of the larger set that the smaller one lacks. */
static uint32_t find_vertex(const lm_items *x, size_t smaller, size_t larger)
{
    const uint32_t *a = x->member + smaller * x->k, *b = x->member + larger * x->k;
    unsigned i = 0;
    while (i < x->k && a[i] == b[i]) i++;
    return b[i];
}

/* Adds a branch for each colour of the sets of line[0..count), which have one vertex less or more. */
static leman_status add_sets(const item_ref *r, leman_relation relation, size_t count)
{
    lm_pair *line = r->u->line;
    lm_sort_pairs(line, r->u->spare, count, 1);
    for (size_t i = 0, first = 0; i < count; i++) {
        if (i + 1 < count && line[i + 1].key == line[i].key) continue;
        const size_t set = line[first].payload;
        const bool less = relation == LEMAN_RELATION_LESS;
        const leman_branch branch = {.relation = relation,
                                     .vertex = find_vertex(r->x, less ? set : r->at.tuple, less ? r->at.tuple : set),
                                     .count = i + 1 - first};
        PASS(add_one(r, branch, set));
        first = i + 1;
    }
    return LEMAN_OK;
}

static leman_status add_set(const item_ref *r)
{
    const lm_items *x = r->x;
    const uint32_t *less = x->less + r->at.tuple * x->k;
    size_t count = 0;
    for (; count < x->k && less[count] != LM_NO_ITEM; count++)
        r->u->line[count] = (lm_pair){r->colors[less[count]], less[count]};
    PASS(add_sets(r, LEMAN_RELATION_LESS, count));
    count = 0;
    for (size_t set = 0; set < x->own; set++)
        for (unsigned i = 0; i < x->k && x->less[set * x->k + i] != LM_NO_ITEM; i++)
            if (x->less[set * x->k + i] == r->at.tuple) r->u->line[count++] = (lm_pair){r->colors[set], set};
    return add_sets(r, LEMAN_RELATION_MORE, count);
}

leman_status lm_unroll_item(lm_unroller *u, lm_tuple_place at, uint32_t round)
{
    const lm_history *h = u->h + at.graph;
    const bool pool = lm_is_pool(&h->space, at.tuple);
    uint32_t component[LM_MAX_K] = {0};
    item_ref r = {u, &h->space, h->space.items, h->colors[pool ? round : round - 1], at, 0, 0};
    lm_item_tuple(r.x, at.tuple, component);
    r.a = component[0], r.b = component[1];
    if (pool) return add_all(&r, LEMAN_RELATION_POOLED, r.a == LM_NO_ITEM ? 0 : 1);
    PASS(add_one(&r, (leman_branch){.relation = LEMAN_RELATION_ITSELF, .count = 1}, at.tuple));
    switch (r.x->rule->kind) {
    case LM_ITEM_NONE: break;
    case LM_ITEM_PAIR: return add_pair(&r);
    case LM_ITEM_VERTEX: PASS(add_distances(&r, false)); return h->space.entering ? add_distances(&r, true) : LEMAN_OK;
    case LM_ITEM_SET: return add_set(&r);
    }
    return LEMAN_OK;
}
