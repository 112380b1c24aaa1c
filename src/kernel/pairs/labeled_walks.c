/*
 * The random walk kernel of labelled graphs (Kashima et al. 2003; Vishwanathan et al. 2010): walks of both graphs in
 * which every two vertices have equal labels.
 *
 *   k(G, H) = sum over s of mu_s 1^T W^s 1,    W[(u,u'), (v,v')] = A[u][v] B[u'][v'] if u ~ u' and v ~ v', else 0,
 *
 * where ~ means equal labels and mu_s is lambda^s, or lambda^s / s!. A pair (u, u') with different labels only has the
 * walk of 0 steps. All other pairs form a vector, whose product with W is computed without W: first over the arcs of G,
 * then over the arcs of H. The vertices of a prepared graph are sorted by label, so that the partners u' of u are
 * adjacent.
 *
 * The geometric sum is 1^T x with (I - lambda W) x = 1: conjugate gradients if W is symmetric, otherwise term by term.
 * Time for a product with W: O(arcs of G * m + n * arcs of H) at most, less by the number of labels. Memory O(n m).
 */
#include "kernel/pairs/adjacency_matrix.h"
#include "kernel/pairs/pairs.h"
#include "refine/adjacency.h"
#include <math.h>
#include <string.h>

/* A prepared graph with its vertices in the order of their labels. */
typedef struct sorted_graph {
    double radius; /* spectral radius for the geometric sum, otherwise an upper bound */
    size_t vertices, arcs;
    uint64_t *label; /* [vertices] increasing */
    uint64_t *start; /* [vertices+1] */
    uint64_t *head;  /* [arcs] */
    double *weight;  /* [arcs] */
} sorted_graph;

static uint64_t sorted_bytes(const lm_pair_work *work, const leman_graph *graph, size_t item)
{
    (void)item;
    (void)work;
    const uint64_t words = lm_saturating_add(2 * (uint64_t)graph->vertices + 1, lm_saturating_multiply(2, graph->arcs));
    return lm_saturating_add(sizeof(sorted_graph), lm_saturating_multiply(8, words));
}

static bool is_geometric(const leman_kernel *kernel)
{
    return !kernel->exponential && !kernel->steps;
}

static uint64_t sorted_scratch(const lm_pair_work *work, const leman_graph *graph, size_t item)
{
    (void)item;
    const uint64_t matrix = is_geometric(work->kernel) ? lm_saturating_multiply(2, lm_power(graph->vertices, 2)) : 0;
    return lm_saturating_multiply(8, lm_saturating_add(matrix, 8 * (uint64_t)graph->vertices));
}

/* Sorts the vertices by label: place[v] is the new number of v. */
static leman_status sort_vertices(leman_context *ctx, const lm_pair_work *work, const leman_graph *g, sorted_graph *s,
                                  uint64_t *place)
{
    const bool labeled = work->kernel->kind == LEMAN_KERNEL_KIND_RANDOM_WALK_LABELED;
    const size_t n = g->vertices;
    lm_pair *pair, *spare;
    PASS_SCRATCH(ctx, pair, n);
    PASS_SCRATCH(ctx, spare, n);
    for (size_t v = 0; v < n; v++) pair[v] = (lm_pair){labeled ? lm_label_hash(g, v, &work->kernel->coloring) : 0, v};
    lm_sort_pairs(pair, spare, n, 1);
    for (size_t i = 0; i < n; i++) {
        s->label[i] = pair[i].key;
        place[pair[i].payload] = i;
        s->start[i + 1] = g->start[pair[i].payload + 1] - g->start[pair[i].payload];
    }
    s->start[0] = 0;
    for (size_t i = 0; i < n; i++) s->start[i + 1] += s->start[i];
    return LEMAN_OK;
}

static leman_status prepare(lm_worker *worker, const lm_pair_work *work, lm_prepared *prepared)
{
    const leman_graph *g = &prepared->graph;
    const size_t n = g->vertices;
    sorted_graph *s = prepared->value;
    uint64_t *words = (uint64_t *)(void *)(s + 1), *place;
    *s = (sorted_graph){.vertices = n, .arcs = g->arcs, .label = words, .start = words + n};
    s->head = s->start + n + 1;
    s->weight = (double *)(void *)(s->head + g->arcs);
    PASS_SCRATCH(worker->ctx, place, n);
    PASS(sort_vertices(worker->ctx, work, g, s, place));
    for (size_t v = 0; v < n; v++) {
        uint64_t to = s->start[place[v]];
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++, to++) {
            s->head[to] = place[g->head[e]];
            s->weight[to] = lm_arc_weight(g, e, work->kernel->weighted);
        }
    }
    if (is_geometric(work->kernel)) return lm_spectral_radius(worker, g, work->kernel->weighted, &s->radius);
    double *spare;
    PASS_SCRATCH(worker->ctx, spare, n);
    s->radius = lm_radius_bound(g, work->kernel->weighted, spare);
    return LEMAN_OK;
}

static leman_status check(leman_context *ctx, const lm_pair_work *work)
{
    return is_geometric(work->kernel) ? lm_walks_check(ctx, work) : LEMAN_OK;
}

/* ---- Pairs of vertices with equal labels ----------------------------------------------------- */

typedef struct product {
    const sorted_graph *a, *b;
    size_t *first;  /* [vertices of a] the first partner of u in b */
    size_t *length; /* [vertices of a] the number of its partners */
    size_t *offset; /* [vertices of a] the place of its first partner in a vector */
    size_t size;    /* of a vector */
    double *row;    /* [vertices of b] */
} product;

static uint64_t pair_scratch(const lm_pair_work *work, const leman_graph *a, const leman_graph *b)
{
    (void)work;
    const uint64_t vectors = lm_saturating_multiply(4, lm_saturating_multiply(a->vertices, b->vertices));
    return lm_saturating_multiply(8, lm_saturating_add(vectors, 3 * (uint64_t)a->vertices + b->vertices));
}

static leman_status product_new(leman_context *ctx, const sorted_graph *a, const sorted_graph *b, product *out)
{
    product p = {.a = a, .b = b};
    PASS_SCRATCH(ctx, p.first, a->vertices);
    PASS_SCRATCH(ctx, p.length, a->vertices);
    PASS_SCRATCH(ctx, p.offset, a->vertices);
    PASS_SCRATCH(ctx, p.row, b->vertices);
    for (size_t u = 0, first = 0, end = 0; u < a->vertices; u++) {
        if (!u || a->label[u] != a->label[u - 1]) {
            for (first = end; first < b->vertices && b->label[first] < a->label[u];) first++;
            for (end = first; end < b->vertices && b->label[end] == a->label[u];) end++;
        }
        p.first[u] = first;
        p.length[u] = end - first;
        p.offset[u] = p.size;
        p.size += p.length[u];
    }
    *out = p;
    return LEMAN_OK;
}

/* y = W x. */
static void multiply(const product *p, const double *x, double *y)
{
    const sorted_graph *a = p->a, *b = p->b;
    for (size_t u = 0; u < a->vertices; u++) {
        if (!p->length[u]) continue;
        memset(p->row, 0, b->vertices * sizeof *p->row);
        for (uint64_t e = a->start[u]; e < a->start[u + 1]; e++) {
            const size_t v = a->head[e];
            const double *from = x + p->offset[v], weight = a->weight[e];
            double *to = p->row + p->first[v];
            for (size_t i = 0; i < p->length[v]; i++) to[i] += weight * from[i];
        }
        for (size_t i = 0; i < p->length[u]; i++) {
            double sum = 0;
            for (uint64_t e = b->start[p->first[u] + i]; e < b->start[p->first[u] + i + 1]; e++)
                sum += b->weight[e] * p->row[b->head[e]];
            y[p->offset[u] + i] = sum;
        }
    }
}

/* ---- Sums ------------------------------------------------------------------------------------ */

static double sum_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return sum;
}

static double dot(const double *x, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* Sets *sum to mu_0 1^T 1 + mu_1 1^T W 1 + ... Weights are not negative, so that no term cancels another. The sum ends
 * with kernel->steps, or when what follows is below 1e-17 of the sum: for the exponential sum the terms shrink once s
 * exceeds x = lambda times the radii; the geometric sum is followed by at most 1 / (1 - x) times its last term, up to
 * the lengths of walks that leave every cycle. */
static leman_status sum_series(lm_worker *worker, const product *p, const leman_kernel *kernel, double *sum)
{
    const double x = kernel->lambda * p->a->radius * p->b->radius;
    const size_t shorter = p->a->vertices < p->b->vertices ? p->a->vertices : p->b->vertices;
    double *now, *next;
    PASS_SCRATCH(worker->ctx, now, p->size);
    PASS_SCRATCH(worker->ctx, next, p->size);
    for (size_t i = 0; i < p->size; i++) now[i] = 1;
    *sum = (double)p->size;
    for (size_t s = 1; p->size && (!kernel->steps || s <= kernel->steps); s++) {
        const double factor = kernel->lambda / (kernel->exponential ? (double)s : 1);
        multiply(p, now, next);
        for (size_t i = 0; i < p->size; i++) next[i] *= factor;
        const double term = sum_of(next, p->size);
        *sum += term;
        if (term == 0 || !isfinite(*sum)) break;
        if (kernel->exponential && (double)s > 2 * x && term < 1e-17 * *sum) break;
        if (!kernel->exponential && !kernel->steps && s > shorter && term < 1e-17 * (1 - x) * *sum) break;
        double *swap = now;
        now = next;
        next = swap;
        if (lm_cancellation_poll(&worker->cancellation)) return LEMAN_ERROR_CANCELLED;
    }
    return LEMAN_OK;
}

/* Sets *sum to 1^T x with (I - lambda W) x = 1 by conjugate gradients. The eigenvalues of the matrix lie between
 * 1 - c and 1 + c for c = lambda times the radii, which is below 1. */
static leman_status solve(lm_worker *worker, const product *p, const leman_kernel *kernel, double *sum)
{
    const size_t n = p->size, most = 10 * n + 100;
    double *x, *residual, *direction, *image;
    PASS_SCRATCH_ZERO(worker->ctx, x, n);
    PASS_SCRATCH(worker->ctx, residual, n);
    PASS_SCRATCH(worker->ctx, direction, n);
    PASS_SCRATCH(worker->ctx, image, n);
    for (size_t i = 0; i < n; i++) residual[i] = direction[i] = 1;
    double square = (double)n;
    for (size_t step = 0; square > 1e-30 * (double)n && step < most; step++) {
        multiply(p, direction, image);
        for (size_t i = 0; i < n; i++) image[i] = direction[i] - kernel->lambda * image[i];
        const double length = square / dot(direction, image, n);
        for (size_t i = 0; i < n; i++) x[i] += length * direction[i];
        for (size_t i = 0; i < n; i++) residual[i] -= length * image[i];
        const double next = dot(residual, residual, n), share = next / square;
        for (size_t i = 0; i < n; i++) direction[i] = residual[i] + share * direction[i];
        square = next;
        if (lm_cancellation_poll(&worker->cancellation)) return LEMAN_ERROR_CANCELLED;
    }
    *sum = sum_of(x, n);
    return LEMAN_OK;
}

static leman_status compare(lm_worker *worker, const lm_pair_work *work, const lm_prepared *a, const lm_prepared *b,
                            double *value)
{
    const sorted_graph *s = a->value, *t = b->value;
    const bool symmetric = !a->graph.directed && !b->graph.directed;
    product p;
    double sum = 0;
    PASS(product_new(worker->ctx, s, t, &p));
    PASS((is_geometric(work->kernel) && symmetric ? solve : sum_series)(worker, &p, work->kernel, &sum));
    *value = (double)s->vertices * (double)t->vertices - (double)p.size + sum;
    return LEMAN_OK;
}

const lm_pair_kernel LM_LABELED_WALKS = {.what = "labelled random walks",
                                         .begin = lm_walks_begin,
                                         .bytes = sorted_bytes,
                                         .prepare_scratch = sorted_scratch,
                                         .pair_scratch = pair_scratch,
                                         .prepare = prepare,
                                         .check = check,
                                         .compare = compare};
