/*
 * A class is looked at through one of its vertices, v, the *example*. With P the classes after the round, and C their
 * colours before it, which the parts of a divided class inherit,
 *
 *   C'(class) = mix(C(class) + sum over the neighbours w of v of C(class of w) * local + ...)      (variant.h)
 */
#include "refine/large/class_rounds.h"
#include <string.h>

enum {
    SMALLEST = 1 << 12, /* vertices */
    SHARED = 1 << 14    /* from so many classes on, threads share the colours of a round */
};

bool lm_class_rounds_suit(size_t vertices, const leman_coloring *c)
{
    return c->k == 1 && vertices >= SMALLEST && lm_variant_of(c)->items.kind == LM_ITEM_NONE &&
           !(lm_variant_of(c)->sums & LM_SUM_VECTORS);
}

uint64_t lm_class_rounds_bytes(size_t vertices)
{
    return lm_saturating_add(lm_equitable_bytes(vertices), vertices * sizeof(uint64_t));
}

/* A vertex is seen by the tails of the arcs that enter it and, if entering arcs are a relation, by the heads of those
 * that leave it. */
leman_status lm_class_rounds_new(leman_context *ctx, const lm_space *s, lm_class_rounds *rounds)
{
    lm_equitable *e = &rounds->partition;
    rounds->begun = false;
    PASS(lm_equitable_reserve(ctx, s->n, e));
    PASS_SCRATCH(ctx, rounds->sum, s->n);
    e->relation[e->relations++] = (lm_relation){s->in.start, s->in.head, s->messages ? s->in.label : NULL, 0};
    if (s->entering)
        e->relation[e->relations++] = (lm_relation){s->out.start, s->out.head, s->messages ? s->out.label : NULL,
                                                    lm_multiplier_of(LM_ENTERING_SUM, 0)};
    return LEMAN_OK;
}

static void set_class(const lm_equitable *e, size_t c, lm_histogram *h)
{
    h->orbits[c] = e->count[c];
    h->tuple[c] = e->order[e->first[c]];
    h->orbit[c] = (lm_orbit){1, 1};
}

bool lm_class_rounds_begin(lm_class_rounds *rounds, const lm_space *s, const uint64_t *before, const uint64_t *after,
                           lm_histogram *h)
{
    lm_equitable *e = &rounds->partition;
    rounds->begun = true;
    lm_equitable_begin(e, s->n, before);
    lm_equitable_divide(e, after);
    h->count = h->pairs = e->classes;
    h->converged = h->recent = h->active = h->converged_pairs = 0;
    for (size_t c = 0; c < e->classes; c++) {
        set_class(e, c, h);
        h->color[c] = after[h->tuple[c]];
    }
    return e->divisions > 0;
}

/* Adds the classes that were made by the divisions from `first` on. They inherit the colours of the divided classes. */
static void add_classes(const lm_class_rounds *rounds, size_t first, lm_histogram *h)
{
    const lm_equitable *e = &rounds->partition;
    for (size_t i = first, c = h->count; i < e->divisions; i++) {
        const lm_division *d = e->division + i;
        set_class(e, d->parent, h);
        for (uint32_t j = 0; j < d->children; j++, c++) {
            set_class(e, c, h);
            h->color[c] = h->color[d->parent];
            rounds->sum[c] = rounds->sum[d->parent];
        }
    }
    h->count = h->pairs = e->classes;
}

/* ---- Colours --------------------------------------------------------------------------------- */

/* Writes the colours as neighbours see them, and returns their sum over all vertices. */
static uint64_t prepare(const lm_histogram *h, bool decorated, uint64_t *sum)
{
    const uint64_t counter = lm_multiplier_of(LM_COUNTER, 0);
    uint64_t total = 0;
    for (size_t c = 0; c < h->count; c++) {
        sum[c] = decorated ? lm_mix(h->color[c] + h->orbits[c] * counter) : h->color[c];
        total += h->orbits[c] * h->color[c];
    }
    return total;
}

static uint64_t sum_neighbors(const lm_class_rounds *rounds, const lm_adjacency *arcs, bool messages, size_t v)
{
    const uint32_t *class_of = rounds->partition.class_of;
    const uint64_t *sum = rounds->sum, message = lm_multiplier_of(LM_MESSAGE, 0);
    uint64_t result = 0;
    if (messages)
        for (uint64_t e = arcs->start[v]; e < arcs->start[v + 1]; e++)
            result += lm_mix(sum[class_of[arcs->head[e]]] + arcs->label[e] * message);
    else
        for (uint64_t e = arcs->start[v]; e < arcs->start[v + 1]; e++) result += sum[class_of[arcs->head[e]]];
    return result;
}

static void compute_colors(const lm_class_rounds *rounds, const lm_space *s, unsigned sums, uint64_t total, int threads,
                           uint64_t *colors, uint64_t *next, lm_histogram *h)
{
    const uint64_t local = lm_multiplier_of(LM_LOCAL_SUM, 0), entering = lm_multiplier_of(LM_ENTERING_SUM, 0);
    const uint64_t line = sums & LM_SUM_LINE ? total * lm_multiplier_of(LM_LINE_SUM, 0) : 0;
    const size_t count = h->count;
#pragma omp parallel for num_threads(threads) if (threads > 1 && count >= SHARED)
    for (size_t c = 0; c < count; c++) {
        const size_t v = h->tuple[c];
        uint64_t color = h->color[c] + line;
        if (sums & LM_SUMS_LOCAL) {
            color += sum_neighbors(rounds, &s->out, s->messages, v) * local;
            if (s->entering) color += sum_neighbors(rounds, &s->in, s->messages, v) * entering;
        }
        next[c] = lm_mix(color);
    }
    memcpy(h->color, next, count * sizeof *next);
    for (size_t c = 0; c < count; c++) colors[h->tuple[c]] = next[c];
}

bool lm_class_rounds_step(lm_class_rounds *rounds, const lm_space *s, unsigned sums, bool colored, int threads,
                          uint64_t *colors, uint64_t *next, lm_histogram *h)
{
    lm_equitable *e = &rounds->partition;
    const size_t divisions = e->divisions;
    const uint64_t total = colored ? prepare(h, sums & LM_SUM_DECORATED, rounds->sum) : 0;
    lm_equitable_round(e);
    add_classes(rounds, divisions, h);
    if (colored) compute_colors(rounds, s, sums, total, threads, colors, next, h);
    return e->divisions > divisions;
}

void lm_class_rounds_spread(const lm_class_rounds *rounds, const lm_histogram *h, uint64_t *colors)
{
    for (size_t v = 0; v < rounds->partition.vertices; v++) colors[v] = h->color[rounds->partition.class_of[v]];
}
