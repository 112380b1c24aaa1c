/*
 * The neighbourhood subgraph pairwise distance kernel (NSPD, Costa & De Grave, ICML 2010). For every radius r and every
 * distance d it counts the pairs of balls of radius r, each with its centre marked, whose centres have distance d. The
 * vector of each (r, d) is scaled to length 1, and the kernel is the sum of the scalar products over all (r, d).
 *
 * Two balls are equal if their invariants are: with distances D inside the ball,
 *
 *   code(u) = (D(centre, u), the multiset of (D(u, w), label of w) over the ball)
 *   ball    = (the multiset of code(u), the multiset of (code(u), code(w), label of the arc) over the arcs u -> w)
 *
 * Isomorphic balls have equal invariants; the invariants of some balls that are not isomorphic are equal as well. Every
 * tuple is hashed to one word, and a multiset is the sum of the hashes of its elements, so the invariants do not depend
 * on the numbers of the vertices.
 *
 * Feature triples have whole numbers as values. A value is a part of a vector of length 1, in units of 2^-31: the kernel
 * is 2^-62 times the scalar product (lm_kernel_unit()).
 *
 * Time: for every vertex and every radius, a search from each vertex of the ball inside the ball; then a search from
 * every vertex up to the largest distance. Memory: a word for each vertex and radius, and the features.
 */
#include "kernel/counts/ball.h"
#include "kernel/counts/tally.h"
#include "refine/variant.h"
#include <math.h>

typedef struct pairing {
    lm_worker *worker;
    const leman_kernel *kernel;
    size_t n;
    lm_adjacency arcs;
    uint64_t *label; /* [n] */
    uint64_t *code;  /* [n] of the vertices of the current ball */
    lm_ball ball, inner;
    uint64_t *hash;  /* [radius + 1][n] the ball of each radius around each vertex */
    lm_tally *pairs; /* [radius + 1][distance + 1] capacity 0: no pair yet */
} pairing;

static leman_status pairing_new(lm_worker *worker, const leman_graph *g, const leman_kernel *kernel, pairing *p)
{
    leman_context *ctx = worker->ctx;
    const size_t radii = (size_t)kernel->radius + 1, distances = (size_t)kernel->distance + 1;
    *p = (pairing){.worker = worker, .kernel = kernel, .n = g->vertices};
    PASS(lm_arcs_of(ctx, g, &kernel->coloring, &p->arcs));
    PASS_SCRATCH(ctx, p->label, p->n);
    PASS_SCRATCH(ctx, p->code, p->n);
    PASS(lm_ball_new(ctx, p->n, &p->arcs, &p->ball));
    PASS(lm_ball_new(ctx, p->n, &p->arcs, &p->inner));
    PASS_SCRATCH(ctx, p->hash, radii * p->n);
    PASS_SCRATCH_ZERO(ctx, p->pairs, radii * distances);
    for (size_t v = 0; v < p->n; v++) p->label[v] = lm_label_hash(g, v, &kernel->coloring);
    return LEMAN_OK;
}

/* ---- Balls ----------------------------------------------------------------------------------- */

/* Sets the codes of the first `size` vertices of the ball, which have depth 0 .. radius. */
static leman_status set_codes(pairing *p, size_t size, uint32_t radius)
{
    for (size_t i = 0; i < size; i++) {
        const uint32_t u = p->ball.order[i];
        uint64_t sum = 0;
        if (lm_cancellation_poll(&p->worker->cancellation)) return LEMAN_ERROR_CANCELLED;
        lm_ball_search(&p->inner, u, LM_FAR, p->ball.depth, radius);
        for (size_t j = 0; j < p->inner.size; j++) {
            const uint32_t w = p->inner.order[j];
            sum +=
                lm_mix(p->label[w] * lm_multiplier_of(LM_BALL, 0) + p->inner.depth[w] * lm_multiplier_of(LM_BALL, 1));
        }
        p->code[u] = lm_mix(sum + p->ball.depth[u] * lm_multiplier_of(LM_BALL, 2));
    }
    return LEMAN_OK;
}

static uint64_t hash_of_ball(const pairing *p, size_t size, uint32_t radius)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < size; i++) {
        const uint32_t u = p->ball.order[i];
        sum += lm_mix(p->code[u] * lm_multiplier_of(LM_BALL, 3));
        for (uint64_t e = p->arcs.start[u]; e < p->arcs.start[u + 1]; e++) {
            const uint32_t w = p->arcs.head[e];
            if (p->ball.depth[w] > radius) continue;
            sum += lm_mix(p->code[u] * lm_multiplier_of(LM_BALL, 4) + p->code[w] * lm_multiplier_of(LM_BALL, 5) +
                          p->arcs.label[e] * lm_multiplier_of(LM_BALL, 6));
        }
    }
    return lm_mix(sum);
}

/* Hashes the balls of all radii around v. A ball without vertices at distance r is the ball of radius r - 1. */
static leman_status hash_balls(pairing *p, uint32_t v)
{
    size_t size = 0;
    lm_ball_search(&p->ball, v, p->kernel->radius, NULL, 0);
    for (uint32_t r = 0; r <= p->kernel->radius; r++) {
        const size_t before = size;
        while (size < p->ball.size && p->ball.depth[p->ball.order[size]] <= r) size++;
        if (size == before) {
            p->hash[r * p->n + v] = p->hash[(r - 1) * p->n + v]; /* r > 0: the ball of radius 0 has its centre */
            continue;
        }
        PASS(set_codes(p, size, r));
        p->hash[r * p->n + v] = hash_of_ball(p, size, r);
    }
    return LEMAN_OK;
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

static uint64_t pair_key(const pairing *p, uint32_t r, uint32_t d, uint32_t v, uint32_t w)
{
    const uint64_t *hash = p->hash + r * p->n;
    return lm_mix(lm_mix(p->kernel->coloring.seed) + r * lm_multiplier_of(LM_BALL, 7) +
                  d * lm_multiplier_of(LM_BALL, 8) + hash[v] * lm_multiplier_of(LM_BALL, 9) +
                  hash[w] * lm_multiplier_of(LM_BALL, 10));
}

static leman_status count_pairs(pairing *p, uint32_t v)
{
    leman_context *ctx = p->worker->ctx;
    lm_ball_search(&p->ball, v, p->kernel->distance, NULL, 0);
    for (size_t i = 0; i < p->ball.size; i++) {
        const uint32_t w = p->ball.order[i], d = p->ball.depth[w];
        for (uint32_t r = 0; r <= p->kernel->radius; r++) {
            lm_tally *pairs = p->pairs + r * ((size_t)p->kernel->distance + 1) + d;
            if (!pairs->capacity) PASS(lm_tally_new(ctx, pairs));
            PASS(lm_tally_add(ctx, pairs, pair_key(p, r, d, v, w), 1));
        }
    }
    return LEMAN_OK;
}

/* Adds the counts of one radius and distance, scaled to length 1. */
static leman_status add_scaled(leman_context *ctx, const lm_tally *pairs, lm_tally *tally)
{
    double square = 0;
    for (size_t i = 0; i < pairs->capacity; i++)
        square += (double)pairs->slot[i].payload * (double)pairs->slot[i].payload;
    const double scale = 1 / (sqrt(square) * LM_KERNEL_PAIR_UNIT);
    for (size_t i = 0; i < pairs->capacity; i++) {
        const uint64_t value = (uint64_t)llround((double)pairs->slot[i].payload * scale);
        if (value) PASS(lm_tally_add(ctx, tally, pairs->slot[i].key, value));
    }
    return LEMAN_OK;
}

/* ---- The kernel ------------------------------------------------------------------------------ */

static leman_status count_ball_pairs(lm_worker *worker, const leman_graph *g, const lm_counting *counting,
                                     lm_tally *tally)
{
    pairing p;
    PASS(pairing_new(worker, g, counting->kernel, &p));
    for (uint32_t v = 0; v < p.n; v++) {
        PASS(hash_balls(&p, v));
        PASS(lm_worker_advance(worker, g->vertices + g->arcs));
    }
    for (uint32_t v = 0; v < p.n; v++) {
        PASS(count_pairs(&p, v));
        PASS(lm_worker_advance(worker, g->vertices + g->arcs));
    }
    const size_t levels = ((size_t)counting->kernel->radius + 1) * ((size_t)counting->kernel->distance + 1);
    for (size_t i = 0; i < levels; i++)
        if (p.pairs[i].used) PASS(add_scaled(worker->ctx, p.pairs + i, tally));
    return LEMAN_OK;
}

static uint64_t cost(const leman_graph *g, const lm_counting *counting)
{
    (void)counting;
    return lm_saturating_multiply(2 * g->vertices, g->vertices + g->arcs);
}

leman_status lm_triples_of_ball_pairs(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                      size_t first_graph, size_t block, lm_triples *triples)
{
    const lm_counting counting = {"pairs of neighbourhoods", count_ball_pairs, cost, kernel, NULL};
    return lm_triples_count(ctx, data, &counting, first_graph, block, triples);
}
