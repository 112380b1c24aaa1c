/*
 * One round of the orbits u < v < w, in slabs of one w. A thread has a slab of w over 2 sums, and lines of n words for
 * eight v at once.
 *
 * The sums over the first and the second component use only orbits that contain w: for each v < w a line has the
 * colours of (X, v, w), or of (v, X, w), for all X, and each u adds the entries of its neighbours. The sum over the
 * last component runs over the neighbours X of w: the colours of (u, v, X) for all u < v. A class X stands for all its
 * members; in (v, v, w) one of them is v itself.
 */
#include "refine/experimental/compact/compact.h"
#include <string.h>

/* The colour of an orbit at place `which` of its row. */
static inline uint64_t at(const lm_compact *c, size_t index, size_t which)
{
    return c->row[(size_t)c->number[index] * LM_COMPACT_COLORS + which];
}

/* The sum over the members of class a in a triple that already contains b and one member of a. */
static uint64_t in_class(const lm_compact *c, size_t a, size_t b, size_t which)
{
    const uint64_t others = c->space.size[a] - 1;
    uint64_t sum = at(c, lm_compact_index(c, LM_COMPACT_AAB, a, b), which);
    if (others) sum += others * at(c, lm_compact_index(c, LM_COMPACT_ATB, a, b), which);
    return sum;
}

/* The places in a row of the colours of (X, v, w) and of (v, X, w), by the position of X. */
typedef struct component {
    size_t below, between, above; /* X < v, v < X < w, w < X */
    size_t first, last;           /* X = v, X = w */
} component;
static const component COMPONENT[2] = {{LM_COMPACT_PLACE(0, 1, 2), LM_COMPACT_PLACE(1, 0, 2), LM_COMPACT_PLACE(2, 0, 1),
                                        LM_COMPACT_PLACE(0, 1, 2), LM_COMPACT_PLACE(0, 2, 1)},
                                       {LM_COMPACT_PLACE(1, 0, 2), LM_COMPACT_PLACE(0, 1, 2), LM_COMPACT_PLACE(0, 2, 1),
                                        LM_COMPACT_PLACE(0, 1, 2), LM_COMPACT_PLACE(2, 0, 1)}};

/* The lines of one w and up to BLOCK vertices v: line[X * BLOCK + b] is the entry of X for v = first + b. */
enum { BLOCK = LM_COMPACT_LINES };

static uint64_t beside(const lm_compact *c, const component *k, size_t x, size_t v, size_t w)
{
    const uint64_t *two = c->two;
    if (x < v) return c->space.size[x] * at(c, c->three[w] + two[v] + x, k->below);
    if (x == v) return in_class(c, v, w, k->first);
    return c->space.size[x] * at(c, c->three[w] + two[x] + v, k->between); /* x < w */
}

/* line[b] for b = 0 .. BLOCK - 1: the colours of consecutive orbits, times size. */
static inline void fill_block(const lm_compact *c, size_t index, size_t which, uint64_t size, uint64_t *line)
{
    const uint32_t *number = c->number + index;
    const uint64_t *row = c->row + which;
    for (size_t b = 0; b < BLOCK; b++) line[b] = size * row[(size_t)number[b] * LM_COMPACT_COLORS];
}

static void fill_lines(const lm_compact *c, const component *k, size_t first, size_t count, size_t w, uint64_t *line)
{
    const uint64_t *size = c->space.size, *two = c->two, *three = c->three;
    const size_t n = c->space.n, slab = three[w];
    if (count < BLOCK) memset(line, 0, n * BLOCK * sizeof *line);
    const uint32_t *below[BLOCK]; /* X < v */
    for (size_t b = 0; b < BLOCK; b++) below[b] = c->number + slab + two[first + (b < count ? b : 0)];
    for (size_t x = 0; x < first; x++)
        for (size_t b = 0; b < BLOCK; b++)
            line[x * BLOCK + b] = size[x] * c->row[(size_t)below[b][x] * LM_COMPACT_COLORS + k->below];
    for (size_t b = 0; b < count; b++) {
        for (size_t x = first; x < first + count; x++) line[x * BLOCK + b] = beside(c, k, x, first + b, w);
        line[w * BLOCK + b] = in_class(c, w, first + b, k->last);
    }
    for (size_t x = first + count; x < n; x++) { /* X > v */
        const size_t index = x < w ? slab + two[x] + first : three[x] + two[w] + first;
        const size_t which = x < w ? k->between : k->above;
        if (x == w) continue;
        if (count == BLOCK)
            fill_block(c, index, which, size[x], line + x * BLOCK);
        else
            for (size_t b = 0; b < count; b++) line[x * BLOCK + b] = size[x] * at(c, index + b, which);
    }
}

typedef uint64_t two_words __attribute__((vector_size(16), may_alias, aligned(8)));

/* sum[b] = the sum over the neighbours of u of line b. */
static inline void sum_neighbors(const lm_adjacency *arcs, size_t u, const uint64_t *line, two_words sum[BLOCK / 2])
{
    two_words a = {0}, b = {0}, c = {0}, d = {0};
    for (uint64_t e = arcs->start[u]; e < arcs->start[u + 1]; e++) {
        const two_words *of = (const two_words *)(line + (size_t)arcs->head[e] * BLOCK);
        a += of[0], b += of[1], c += of[2], d += of[3];
    }
    sum[0] = a, sum[1] = b, sum[2] = c, sum[3] = d;
}

/* Adds the sums over the first component: all u < v, for each v of the block. */
static void add_first(const lm_compact *c, const lm_compact_term *t, size_t first, size_t count, const uint64_t *line,
                      uint64_t *slab)
{
    two_words sum[BLOCK / 2];
    for (size_t u = 0; u < first + count; u++) {
        sum_neighbors(&t->arcs, u, line, sum);
        for (size_t b = u < first ? 0 : u - first + 1; b < count; b++)
            slab[c->two[first + b] + u] += t->multiplier[0] * sum[b / 2][b % 2];
    }
}

/* Adds the sums over the second component: all u > v, for the orbits (v, u, w). */
static void add_second(const lm_compact *c, const lm_compact_term *t, size_t first, size_t count, size_t w,
                       const uint64_t *line, uint64_t *slab)
{
    two_words sum[BLOCK / 2];
    for (size_t u = first + 1; u < w; u++) {
        const size_t end = u - first < count ? u - first : count;
        uint64_t *to = slab + c->two[u] + first;
        sum_neighbors(&t->arcs, u, line, sum);
        for (size_t b = 0; b < end; b++) to[b] += t->multiplier[1] * sum[b / 2][b % 2];
    }
}

/* Adds the sums over the first and second component for all v < w. */
static void add_pairs(const lm_compact *c, size_t w, uint64_t *line, uint64_t *slab)
{
    for (size_t first = 0; first < w; first += BLOCK) {
        const size_t count = w - first < BLOCK ? w - first : BLOCK;
        if (lm_cancellation_poll(c->space.cancellation)) return;
        fill_lines(c, COMPONENT, first, count, w, line);
        for (size_t i = 0; i < c->term_count; i++) add_first(c, c->terms + i, first, count, line, slab);
        fill_lines(c, COMPONENT + 1, first, count, w, line);
        for (size_t i = 0; i < c->term_count; i++) add_second(c, c->terms + i, first, count, w, line, slab);
    }
}

/* Adds one neighbour of the sum over the last component: class x in place of w, for all u < v < w. */
static void add_neighbor(const lm_compact *c, size_t x, size_t w, uint64_t multiplier, uint64_t *slab)
{
    enum { AHEAD = 64 };
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
            const uint32_t *number = c->number + three[v] + x; /* these orbits are not consecutive */
            for (size_t u = x + 1; u < v; u++) {
                if (u + AHEAD < v) __builtin_prefetch(number + two[u + AHEAD]);
                to[u] += factor * c->row[(size_t)number[two[u]] * LM_COMPACT_COLORS + LM_COMPACT_PLACE(1, 2, 0)];
            }
        }
    }
}

/* The atomic types of a slab. */
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
    const uint64_t *own = c->terms[0].multiplier; /* graphs with closed classes have no other terms */
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
