/*
 * One round of the orbits u < v < w, in slabs of one w. A thread has a slab of w over 2 sums and a line of n words.
 *
 * The sums over the first and the second component stay within pairs that have w: for each v < w the colours of
 * (X, v, w), or (v, X, w), for all X stand in a line, and each u adds its neighbours there. Those over the last
 * component go over the neighbours X of w: the colours of (u, v, X) for all u < v. A class X stands for its members,
 * and in (v, v, w) one of them is v itself.
 */
#include "refine/compact/compact.h"
#include <string.h>

/* The colours of orbits from `index` on, each times `factor`. */
static inline uint64_t at(const lm_compact *c, size_t index, size_t which)
{
    return c->row[(size_t)c->number[index] * LM_COMPACT_COLORS + which];
}

/* The sum over the members of class a in a triple that has one of them already, and b. */
static uint64_t in_class(const lm_compact *c, size_t a, size_t b, size_t which)
{
    const uint64_t others = c->space.size[a] - 1;
    uint64_t sum = at(c, lm_compact_index(c, LM_COMPACT_AAB, a, b), which);
    if (others) sum += others * at(c, lm_compact_index(c, LM_COMPACT_ATB, a, b), which);
    return sum;
}

/* Where the colours of (X, v, w) and (v, X, w) stand in their orbits. */
typedef struct component {
    size_t below, between, above; /* X < v, v < X < w, w < X */
    size_t first, last;           /* X = v, X = w */
} component;
static const component COMPONENT[2] = {{LM_COMPACT_PLACE(0, 1, 2), LM_COMPACT_PLACE(1, 0, 2), LM_COMPACT_PLACE(2, 0, 1),
                                        LM_COMPACT_PLACE(0, 1, 2), LM_COMPACT_PLACE(0, 2, 1)},
                                       {LM_COMPACT_PLACE(1, 0, 2), LM_COMPACT_PLACE(0, 1, 2), LM_COMPACT_PLACE(0, 2, 1),
                                        LM_COMPACT_PLACE(0, 1, 2), LM_COMPACT_PLACE(2, 0, 1)}};

static void fill_line(const lm_compact *c, const component *k, size_t v, size_t w, uint64_t *line)
{
    const uint64_t *size = c->space.size, *two = c->two, *three = c->three;
    const size_t n = c->space.n, slab = three[w];
    for (size_t x = 0; x < v; x++) line[x] = size[x] * at(c, slab + two[v] + x, k->below);
    line[v] = in_class(c, v, w, k->first);
    for (size_t x = v + 1; x < w; x++) line[x] = size[x] * at(c, slab + two[x] + v, k->between);
    line[w] = in_class(c, w, v, k->last);
    for (size_t x = w + 1; x < n; x++) line[x] = size[x] * at(c, three[x] + two[w] + v, k->above);
}

static inline uint64_t sum_neighbors(const lm_adjacency *arcs, size_t u, const uint64_t *line)
{
    uint64_t sum = 0;
    for (uint64_t e = arcs->start[u]; e < arcs->start[u + 1]; e++) sum += line[arcs->head[e]];
    return sum;
}

/* The first two components, at all pairs of some v < w and w. */
static void add_pairs(const lm_compact *c, size_t w, uint64_t *line, uint64_t *slab)
{
    const uint64_t *two = c->two;
    for (size_t v = 0; v < w; v++) {
        if (lm_cancellation_poll(c->space.cancellation)) return;
        if (v) fill_line(c, COMPONENT, v, w, line);
        for (size_t i = 0; i < c->term_count; i++)
            for (size_t u = 0; u < v; u++)
                slab[two[v] + u] += c->terms[i].multiplier[0] * sum_neighbors(&c->terms[i].arcs, u, line);
        if (v + 1 < w) fill_line(c, COMPONENT + 1, v, w, line);
        for (size_t i = 0; i < c->term_count; i++)
            for (size_t u = v + 1; u < w; u++)
                slab[two[u] + v] += c->terms[i].multiplier[1] * sum_neighbors(&c->terms[i].arcs, u, line);
    }
}

/* The last component: class x in place of w, at all u < v < w. */
static void add_neighbor(const lm_compact *c, size_t x, size_t w, uint64_t multiplier, uint64_t *slab)
{
    const uint64_t *two = c->two, *three = c->three, factor = c->space.size[x] * multiplier;
    for (size_t v = 0; v < w; v++) {
        uint64_t *to = slab + two[v];
        if (v < x) {
            for (size_t u = 0; u < v; u++) to[u] += factor * at(c, three[x] + two[v] + u, LM_COMPACT_PLACE(0, 1, 2));
        } else if (v == x) {
            for (size_t u = 0; u < v; u++) to[u] += multiplier * in_class(c, v, u, LM_COMPACT_PLACE(2, 0, 1));
        } else {
            for (size_t u = 0; u < x; u++) to[u] += factor * at(c, three[v] + two[x] + u, LM_COMPACT_PLACE(0, 2, 1));
            to[x] += multiplier * in_class(c, x, v, LM_COMPACT_PLACE(0, 2, 1));
            for (size_t u = x + 1; u < v; u++)
                to[u] += factor * at(c, three[v] + two[u] + x, LM_COMPACT_PLACE(1, 2, 0));
        }
    }
}

/* Round 0. */
static void type_slab(const lm_compact *c, size_t w, uint64_t *slab)
{
    const lm_space *s = &c->space;
    const uint64_t first = lm_type_multiplier(0, 1), second = lm_type_multiplier(0, 2),
                   third = lm_type_multiplier(1, 2);
    const uint64_t vertex = lm_multiplier_of(LM_TYPE_VERTEX, 0);
    for (size_t v = 0; v < w; v++) {
        const uint64_t base = s->label[v] * lm_multiplier_of(LM_TYPE_VERTEX, 1) +
                              s->label[w] * lm_multiplier_of(LM_TYPE_VERTEX, 2) + c->relation[v * s->n + w] * third;
        for (size_t u = 0; u < v; u++)
            slab[c->two[v] + u] = lm_mix(base + s->label[u] * vertex + c->relation[u * s->n + v] * first +
                                         c->relation[u * s->n + w] * second);
    }
}

void lm_compact_slab(const lm_compact *c, size_t w, uint64_t *line, uint64_t *slab)
{
    const lm_space *s = &c->space;
    const uint64_t *own = c->terms[0].multiplier; /* closed classes have no other terms */
    if (!c->round) {
        type_slab(c, w, slab);
        return;
    }
    memset(slab, 0, c->two[w] * sizeof *slab);
    add_pairs(c, w, line, slab);
    for (size_t i = 0; i < c->term_count; i++) {
        const lm_adjacency *arcs = &c->terms[i].arcs;
        for (uint64_t e = arcs->start[w]; e < arcs->start[w + 1]; e++) {
            if (lm_cancellation_poll(s->cancellation)) return;
            add_neighbor(c, arcs->head[e], w, c->terms[i].multiplier[2], slab);
        }
    }
    for (size_t v = 0; v < w; v++) {
        const uint64_t later = 1 - s->closed[v] * own[1] - s->closed[w] * own[2];
        for (size_t u = 0; u < v; u++) {
            uint64_t *sum = slab + c->two[v] + u;
            const uint64_t before = at(c, c->three[w] + c->two[v] + u, 0);
            *sum = lm_mix(*sum + before * (later - s->closed[u] * own[0]));
        }
    }
}
