/*
 * Random graphs.
 *
 * G(n, p): pairs u < v are numbered consecutively. The gap from one edge to the next is geometric:
 * P(gap = g) = (1-p)^g p. Its binary digits are independent: digit j is 1 with probability q / (1 + q), where
 * q = (1-p)^(2^j). So a gap is drawn digit by digit with products only, without a logarithm, and is the same on every
 * machine. Time O(n + edges * log(1/p)).
 *
 * d-regular: start from a circulant graph, then switch pairs of edges, ab, cd -> ac, bd, if the graph stays simple.
 * Every switch can be undone with the same probability, and switches connect all d-regular graphs, so the walk tends to
 * the uniform distribution. It ends after SWITCHES_PER_EDGE attempts per edge. If the degree exceeds half of the
 * largest possible one, the complement is drawn. Time O(edges * min(degree, n/64)).
 */
#include "graph/families.h"
#include <string.h>

/* ---- G(n, p) --------------------------------------------------------------------------------- */

enum { DIGITS = 63 };

leman_status lm_random_plan(leman_context *ctx, const leman_family_options *o, lm_family_plan *plan)
{
    if (!(o->probability >= 0 && o->probability <= 1))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: found probability %g, expected 0 to 1",
                       leman_family_name(plan->family), o->probability);
    double pairs = (double)o->vertices * ((double)o->vertices - 1) / 2, expected = pairs * o->probability;
    plan->edges = expected < 1e18 ? (uint64_t)expected : UINT64_MAX;
    return LEMAN_OK;
}

/* Sets one[j] to the probability that digit j of a gap is 1. Returns the number of digits that can be 1. */
static int gap_digits(double probability, double one[DIGITS])
{
    int digits = 0;
    double q = 1 - probability;
    for (; digits < DIGITS && q > 0x1p-60; digits++, q *= q) one[digits] = q / (1 + q);
    return digits;
}

static uint64_t draw_gap(lm_random *random, const double *one, int digits)
{
    uint64_t gap = 0;
    for (int j = 0; j < digits; j++) gap |= (uint64_t)(lm_random_real(random) < one[j]) << j;
    return gap;
}

leman_status lm_random_draw(lm_family_builder *builder)
{
    double one[DIGITS];
    size_t n = builder->options->vertices, u = 0, v = 0; /* the pair (u, v), u < v, is pair u of row v */
    int digits = gap_digits(builder->options->probability, one);
    PASS(lm_family_graph(builder, n, "random"));
    if (1 - builder->options->probability == 1) return LEMAN_OK;
    for (;;) {
        uint64_t gap = draw_gap(&builder->random, one, digits);
        while (v < n && gap >= v - u) { /* row v has pairs 0 .. v-1 */
            gap -= v - u;
            u = 0;
            v++;
        }
        if (v >= n) break;
        u += gap;
        PASS(lm_family_edge(builder, u, v));
        u++;
    }
    return LEMAN_OK;
}

/* ---- Random d-regular ------------------------------------------------------------------------ */

enum { SWITCHES_PER_EDGE = 32, NO_NEIGHBOR = UINT32_MAX };

/* The adjacency: rows of neighbours if they are short, otherwise one bit per pair. */
typedef struct regular {
    size_t n, degree, edges;
    uint32_t *tail, *head; /* [edges] */
    uint32_t *neighbor;    /* [n][degree]; NULL if bits are used */
    uint64_t *bits;        /* [n][words] */
    size_t words;
} regular;

leman_status lm_regular_plan(leman_context *ctx, const leman_family_options *o, lm_family_plan *plan)
{
    if (o->degree >= o->vertices)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "regular: found degree %zu with %zu %s, expected less", o->degree,
                       o->vertices, lm_plural_of(o->vertices, "vertex", "vertices"));
    if (o->vertices % 2 && o->degree % 2)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "regular: found degree %zu with %zu %s, expected an even number in one of them", o->degree,
                       o->vertices, lm_plural_of(o->vertices, "vertex", "vertices"));
    plan->edges = lm_saturating_multiply(o->vertices, o->degree) / 2;
    return LEMAN_OK;
}

static leman_status allocate_edges(leman_context *ctx, regular *r)
{
    size_t edges = r->n * r->degree / 2;
    PASS_SCRATCH(ctx, r->tail, edges);
    PASS_SCRATCH(ctx, r->head, edges);
    r->words = r->n / 64 + 1;
    if (r->degree < r->words) {
        PASS_SCRATCH(ctx, r->neighbor, r->n * r->degree);
        memset(r->neighbor, 0xff, r->n * r->degree * sizeof *r->neighbor); /* NO_NEIGHBOR */
    } else {
        PASS_SCRATCH_ZERO(ctx, r->bits, r->n * r->words);
    }
    return LEMAN_OK;
}

static bool adjacent(const regular *r, uint32_t u, uint32_t v)
{
    if (r->bits) return r->bits[u * r->words + v / 64] >> v % 64 & 1;
    const uint32_t *row = r->neighbor + u * r->degree;
    bool found = false;
    for (size_t i = 0; i < r->degree; i++) found |= row[i] == v;
    return found;
}

/* Replaces a neighbour in the row of u. A new edge replaces NO_NEIGHBOR. */
static void replace_neighbor(const regular *r, uint32_t u, uint32_t old, uint32_t new)
{
    if (r->bits) {
        uint64_t *row = r->bits + u * r->words;
        if (old != NO_NEIGHBOR) row[old / 64] ^= UINT64_C(1) << old % 64;
        row[new / 64] ^= UINT64_C(1) << new % 64;
        return;
    }
    uint32_t *row = r->neighbor + u * r->degree;
    while (*row != old) row++;
    *row = new;
}

/* Joins i with i + 1, ..., i + degree/2 and, for odd degree, with the opposite vertex. */
static void start_circulant(regular *r)
{
    for (size_t step = 1; step <= (r->degree + 1) / 2; step++) {
        bool across = step > r->degree / 2;
        for (size_t i = 0; i < (across ? r->n / 2 : r->n); i++) {
            uint32_t u = (uint32_t)i, v = (uint32_t)((i + (across ? r->n / 2 : step)) % r->n);
            r->tail[r->edges] = u;
            r->head[r->edges++] = v;
            replace_neighbor(r, u, NO_NEIGHBOR, v);
            replace_neighbor(r, v, NO_NEIGHBOR, u);
        }
    }
}

/* Makes one attempt: edges e = ab and f = cd, each read in one of its two directions, become ac and bd. */
static void try_switch(regular *r, lm_random *random)
{
    size_t e = lm_random_below(random, r->edges), f = lm_random_below(random, r->edges);
    bool reversed = lm_random_once_in(random, 2);
    uint32_t a = r->tail[e], b = r->head[e], c = reversed ? r->head[f] : r->tail[f],
             d = reversed ? r->tail[f] : r->head[f];
    if (a == c || a == d || b == c || b == d || adjacent(r, a, c) || adjacent(r, b, d)) return;
    r->head[e] = c;
    r->tail[f] = b;
    r->head[f] = d;
    replace_neighbor(r, a, b, c);
    replace_neighbor(r, b, a, d);
    replace_neighbor(r, c, d, a);
    replace_neighbor(r, d, c, b);
}

leman_status lm_regular_draw(lm_family_builder *builder)
{
    size_t n = builder->options->vertices, degree = builder->options->degree;
    bool complement = degree > (n - 1) / 2;
    regular r = {.n = n, .degree = complement ? n - 1 - degree : degree};
    PASS(lm_family_graph(builder, n, "regular"));
    PASS(allocate_edges(builder->ctx, &r));
    start_circulant(&r);
    for (size_t i = 0; i < SWITCHES_PER_EDGE * r.edges; i++) {
        try_switch(&r, &builder->random);
        if (i % LM_FAMILY_STEP == 0) PASS(lm_progress_step(builder->ctx, builder->graph));
    }
    for (size_t e = 0; e < r.edges && !complement; e++) PASS(lm_family_edge(builder, r.tail[e], r.head[e]));
    for (uint32_t u = 0; u < n && complement; u++)
        for (uint32_t v = u + 1; v < n; v++)
            if (!adjacent(&r, u, v)) PASS(lm_family_edge(builder, u, v));
    return LEMAN_OK;
}
