/*
 * The random walk kernel of unlabelled graphs (Gartner et al. 2003; Vishwanathan et al. 2010):
 *
 *   k(G, H) = sum over s of mu_s 1^T (A x B)^s 1,    mu_s = lambda^s, or lambda^s / s!,
 *
 * with the Kronecker product A x B of the adjacency matrices. The product graph is never built:
 *
 *   1^T (A x B)^s 1 = (1^T A^s 1) (1^T B^s 1),
 *
 * so a finite sum, and the exponential sum, whose terms vanish, are products of vectors with one number for every s.
 * The geometric sum over all s is taken with the eigenvalues a_i, b_j and eigenvectors v_i, w_j of undirected graphs:
 *
 *   k(G, H) = sum over i, j of (1^T v_i)^2 (1^T w_j)^2 / (1 - lambda a_i b_j).
 *
 * Time: O(n^3) a graph and O(n m) a pair, or O(terms arcs) a graph and O(terms) a pair.
 */
#include "kernel/pairs/adjacency_matrix.h"
#include "kernel/pairs/eigen.h"
#include "kernel/pairs/pairs.h"
#include <math.h>

leman_status lm_walks_begin(leman_context *ctx, lm_pair_work *work)
{
    PASS(lm_arc_weights_check(ctx, work->data, work->kernel->weighted));
    return work->against ? lm_arc_weights_check(ctx, work->against, work->kernel->weighted) : LEMAN_OK;
}

leman_status lm_walks_check(leman_context *ctx, const lm_pair_work *work)
{
    double radius[2] = {0, 0};
    for (size_t i = 0; i < work->count; i++) {
        const double *own = work->prepared[i].value;
        double *largest = radius + (i >= work->data->graphs);
        *largest = fmax(*largest, *own);
    }
    if (!work->against) radius[1] = radius[0];
    if (work->against && work->selves) radius[0] = radius[1] = fmax(radius[0], radius[1]);
    const double product = radius[0] * radius[1], lambda = work->kernel->lambda;
    if (lambda * product < 1) return LEMAN_OK;
    return lm_fail(
        ctx, LEMAN_ERROR_ARGUMENT,
        "lambda: found %g, with which the sum over walks of %s diverges; expected a number below %.6g, the "
        "inverse of the largest product of two spectral radii, for example lambda=%.4g, or a number of steps",
        lambda, work->data->name, 1 / product, 0.9 / product);
}

/* ---- Eigenvalues ----------------------------------------------------------------------------- */

/* A prepared graph. Eigenvalues whose eigenvectors sum to 0 are left out. */
typedef struct spectrum {
    double radius;
    size_t count;
    double number[]; /* count eigenvalues, then the squared sums of their eigenvectors */
} spectrum;

static uint64_t spectrum_bytes(const lm_pair_work *work, const leman_graph *graph, size_t item)
{
    (void)item;
    (void)work;
    return sizeof(spectrum) + lm_saturating_multiply(graph->vertices, 2 * sizeof(double));
}

static uint64_t spectrum_scratch(const lm_pair_work *work, const leman_graph *graph, size_t item)
{
    (void)item;
    (void)work;
    return lm_saturating_multiply(8, lm_saturating_add(lm_power(graph->vertices, 2), 4 * (uint64_t)graph->vertices));
}

static uint64_t no_scratch(const lm_pair_work *work, const leman_graph *a, const leman_graph *b)
{
    (void)work, (void)a, (void)b;
    return 0;
}

static leman_status prepare_spectrum(lm_worker *worker, const lm_pair_work *work, lm_prepared *prepared)
{
    const size_t n = prepared->graph.vertices;
    spectrum *s = prepared->value;
    double *a, *sum, *value, *spare;
    size_t cells;
    if (!lm_multiply(n, n, &cells)) return lm_refuse_size(worker->ctx, n, n);
    PASS_SCRATCH(worker->ctx, a, cells);
    PASS_SCRATCH(worker->ctx, sum, n);
    PASS_SCRATCH(worker->ctx, value, n);
    PASS_SCRATCH(worker->ctx, spare, 2 * n);
    lm_adjacency_matrix(&prepared->graph, work->kernel->weighted, a);
    for (size_t i = 0; i < n; i++) sum[i] = 1;
    PASS(lm_eigen(worker, a, n, sum, 1, value, spare));
    *s = (spectrum){0};
    for (size_t i = 0; i < n; i++) {
        s->radius = fmax(s->radius, fabs(value[i]));
        sum[i] *= sum[i];
        s->count += sum[i] > 1e-30 * (double)n;
    }
    for (size_t i = 0, at = 0; i < n; i++)
        if (sum[i] > 1e-30 * (double)n) {
            s->number[at] = value[i];
            s->number[s->count + at++] = sum[i];
        }
    return LEMAN_OK;
}

static leman_status compare_spectra(lm_worker *worker, const lm_pair_work *work, const lm_prepared *a,
                                    const lm_prepared *b, double *value)
{
    const spectrum *s = a->value, *t = b->value;
    const double *of_a = s->number + s->count, *of_b = t->number + t->count;
    double all = 0;
    (void)worker;
    for (size_t i = 0; i < s->count; i++) {
        const double factor = work->kernel->lambda * s->number[i];
        double sum = 0;
        for (size_t j = 0; j < t->count; j++) sum += of_b[j] / (1 - factor * t->number[j]);
        all += of_a[i] * sum;
    }
    *value = all;
    return LEMAN_OK;
}

const lm_pair_kernel LM_WALK_SPECTRA = {.what = "random walks",
                                        .begin = lm_walks_begin,
                                        .bytes = spectrum_bytes,
                                        .prepare_scratch = spectrum_scratch,
                                        .pair_scratch = no_scratch,
                                        .prepare = prepare_spectrum,
                                        .check = lm_walks_check,
                                        .compare = compare_spectra};

/* ---- Numbers of walks ------------------------------------------------------------------------ */

/* Sets the number of terms of the exponential sum: the terms that follow are below 1e-18 of the sum. Term s is at most
 * x^s / s! times the number of pairs of vertices, where x is lambda times the square of a bound of the radii. */
static leman_status count_terms(leman_context *ctx, lm_pair_work *work)
{
    enum { MOST = 1 << 16 };
    double bound = 0, logarithm = 0, *spare;
    size_t largest = 0;
    for (const leman_dataset *data = work->data; data; data = data == work->data ? work->against : NULL)
        for (size_t i = 0; i < data->graphs; i++) {
            const leman_graph graph = leman_dataset_graph(data, i);
            if (graph.vertices > largest) largest = graph.vertices;
        }
    PASS_SCRATCH(ctx, spare, largest);
    for (const leman_dataset *data = work->data; data; data = data == work->data ? work->against : NULL)
        for (size_t i = 0; i < data->graphs; i++) {
            const leman_graph graph = leman_dataset_graph(data, i);
            bound = fmax(bound, lm_radius_bound(&graph, work->kernel->weighted, spare));
        }
    const double x = work->kernel->lambda * bound * bound, least = -log(1e18) - 2 * log((double)largest + 1);
    for (work->terms = 1; x > 0 && work->terms < MOST; work->terms++) {
        logarithm += log(x / (double)work->terms);
        if ((double)work->terms > x && logarithm < least) return LEMAN_OK;
    }
    if (x == 0) return LEMAN_OK;
    return lm_fail(
        ctx, LEMAN_ERROR_ARGUMENT,
        "lambda: found %g, with which the exponential sum over walks of %s has more than %d terms; expected a "
        "smaller number, for example lambda=%.4g",
        work->kernel->lambda, work->data->name, MOST, 1 / (bound * bound));
}

static leman_status begin_counts(leman_context *ctx, lm_pair_work *work)
{
    PASS(lm_walks_begin(ctx, work));
    work->terms = (size_t)work->kernel->steps + 1;
    return work->kernel->steps ? LEMAN_OK : count_terms(ctx, work);
}

static uint64_t count_bytes(const lm_pair_work *work, const leman_graph *graph, size_t item)
{
    (void)item;
    (void)graph;
    return lm_saturating_multiply(work->terms, sizeof(double));
}

static uint64_t count_scratch(const lm_pair_work *work, const leman_graph *graph, size_t item)
{
    (void)item;
    (void)work;
    return lm_saturating_multiply(graph->vertices, 2 * sizeof(double));
}

/* The number of s is sqrt(mu_s) 1^T A^s 1: the walks of s steps. */
static leman_status prepare_counts(lm_worker *worker, const lm_pair_work *work, lm_prepared *prepared)
{
    const leman_graph *g = &prepared->graph;
    const size_t n = g->vertices;
    double *now, *next, *number = prepared->value;
    PASS_SCRATCH(worker->ctx, now, n);
    PASS_SCRATCH(worker->ctx, next, n);
    for (size_t u = 0; u < n; u++) now[u] = 1;
    for (size_t s = 0; s < work->terms; s++) {
        double sum = 0;
        for (size_t u = 0; u < n; u++) sum += now[u];
        number[s] = sum;
        const double factor = sqrt(work->kernel->lambda / (work->kernel->exponential ? (double)s + 1 : 1));
        for (size_t u = 0; u < n; u++) {
            next[u] = 0;
            for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++)
                next[u] += lm_arc_weight(g, e, work->kernel->weighted) * now[g->head[e]];
            next[u] *= factor;
        }
        double *swap = now;
        now = next;
        next = swap;
        if (lm_cancellation_poll(&worker->cancellation)) return LEMAN_ERROR_CANCELLED;
    }
    return LEMAN_OK;
}

static leman_status compare_counts(lm_worker *worker, const lm_pair_work *work, const lm_prepared *a,
                                   const lm_prepared *b, double *value)
{
    const double *of_a = a->value, *of_b = b->value;
    double sum = 0;
    (void)worker;
    for (size_t s = 0; s < work->terms; s++) sum += of_a[s] * of_b[s];
    *value = sum;
    return LEMAN_OK;
}

const lm_pair_kernel LM_WALK_COUNTS = {.what = "random walks",
                                       .begin = begin_counts,
                                       .bytes = count_bytes,
                                       .prepare_scratch = count_scratch,
                                       .pair_scratch = no_scratch,
                                       .prepare = prepare_counts,
                                       .compare = compare_counts};
