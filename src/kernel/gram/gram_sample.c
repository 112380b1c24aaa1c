/*
 * Kernels by sampling, after the idea of Morris, Kersting and Mutzel (Glocalized Weisfeiler-Lehman graph kernels,
 * 2017): m random tuples of each graph, with their exact colours, represent all tuples.
 *
 * Let t_1 .. t_m be drawn from the tuples of G, u_1 .. u_m from those of H, and let f(t, u) be the number of rounds in
 * which t and u have one colour, 0 <= f <= h + 1. Then
 *
 *   U(G, H) = 1 / m^2 * sum over i, j of f(t_i, u_j)                   G and H drawn independently
 *   U(G, G) = 1 / (m (m - 1)) * sum over i != j of f(t_i, t_j)
 *
 * are U-statistics: unbiased for k(G, H) / (n_G^k n_H^k). Hoeffding (1963, section 5): with probability 1 - d each is
 * within (h + 1) sqrt(ln(2 / d) / 2 p) of its expectation, where p is m, or m / 2 rounded down for G = H. If all tuples
 * of one graph are used, that graph is not random and p is the m of the other; if this holds for both, there is no
 * error. For E entries at once d is replaced by d / E.
 *
 * The sums are inner products of histograms, so they are computed like exact kernels. The cosine of G and H is the
 * quotient U(G, H) / sqrt(U(G, G) U(H, H)); the intervals of the three give an interval of the quotient.
 */
#include "base/arguments.h"
#include "base/random.h"
#include "base/sort.h"
#include "base/thread_pool.h"
#include "kernel/kernel.h"
#include "refine/experimental/sample.h"
#include "refine/variant.h"
#include <math.h>
#include <string.h>

static const uint64_t PURPOSE = UINT64_C(0x73616d70); /* distinguishes these random streams from others */

/* ---- Tuples and their colours ---------------------------------------------------------------- */

typedef struct sampling_job {
    const leman_dataset *data;
    const leman_coloring *coloring;
    const lm_sample *sample;
    uint64_t bytes; /* memory of one search */
    size_t first_graph;
    lm_triples *triples;
} sampling_job;

uint64_t lm_sample_size(const lm_sample *sample, const leman_graph *graph, unsigned k)
{
    const uint64_t all = lm_power(graph->vertices, k);
    return all < sample->tuples ? all : sample->tuples;
}

static leman_status sample_graph(lm_worker *worker, void *state, size_t g)
{
    const sampling_job *j = state;
    const leman_coloring *c = j->coloring;
    const leman_graph graph = leman_dataset_graph(j->data, g);
    const size_t count = (size_t)lm_sample_size(j->sample, &graph, c->k), number = j->first_graph + g;
    const uint64_t all = lm_power(graph.vertices, c->k);
    uint64_t *tuple, *colors, *spare;
    lm_random random = lm_random_stream(j->sample->seed, PURPOSE, number);
    lm_space s;
    if (!count) return LEMAN_OK;
    PASS(lm_sample_space(worker->ctx, &graph, c, &s));
    PASS_SCRATCH(worker->ctx, tuple, count);
    PASS_SCRATCH(worker->ctx, spare, count);
    PASS_SCRATCH(worker->ctx, colors, count * (c->rounds + (size_t)1));
    for (size_t i = 0; i < count; i++) tuple[i] = count == all ? i : lm_random_below(&random, all);
    PASS(lm_sample_colors(worker->ctx, &s, c->rounds, tuple, count, j->bytes, &worker->cancellation, colors));
    for (uint32_t r = 0; r <= c->rounds; r++) {
        uint64_t *color = colors + r * count;
        const size_t different = lm_count_keys(color, spare, count, 1, color, spare);
        for (size_t i = 0; i < different; i++)
            PASS(lm_triples_add(worker->ctx, j->triples, worker->number, r, 1, color[i], number, spare[i]));
    }
    return lm_worker_advance(worker, count);
}

leman_status lm_triples_of_samples(leman_context *ctx, const leman_dataset *data, const leman_coloring *c,
                                   const lm_sample *sample, uint64_t bytes, size_t first_graph, lm_triples *triples)
{
    SCRATCH_SCOPE(ctx);
    sampling_job j = {data, c, sample, bytes / (uint64_t)lm_thread_pool_workers(ctx), first_graph, triples};
    uint64_t *cost, work = 0;
    PASS_SCRATCH(ctx, cost, data->graphs);
    for (size_t g = 0; g < data->graphs; g++) {
        const leman_graph graph = leman_dataset_graph(data, g);
        const uint64_t tuples = lm_sample_size(sample, &graph, c->k);
        cost[g] = tuples * (1 + graph.arcs / (graph.vertices + 1));
        work += tuples;
    }
    lm_progress_begin(ctx, work, "sampling %s", data->name);
    return lm_thread_pool_run(ctx, cost, data->graphs, 0, sample_graph, &j);
}

/* ---- From sums to estimates ------------------------------------------------------------------ */

/* An unbiased estimate, and the confidence interval of its expectation. */
typedef struct interval {
    double value, low, high;
} interval;

/* One graph: the number of its tuples in the sums, whether these are all its tuples, and U(G, G). */
typedef struct side {
    double tuples;
    bool whole;
    interval self;
} side;

typedef struct estimate {
    double range;      /* h + 1 */
    double likelihood; /* ln(2 E / (1 - confidence)) */
} estimate;

/* The interval of an estimate. independent is p above; 0 if nothing was drawn. */
static interval around(const estimate *e, double value, double independent)
{
    if (!(independent > 0)) return (interval){value, value, value};
    const double x = fmin(1, fmax(0, value / e->range)), l = e->likelihood / independent, plain = sqrt(l / 2);
    const double low = x - fmin(plain, sqrt(2 * x * l)), high = x + fmin(plain, l + sqrt(l * l + 2 * x * l));
    return (interval){value, e->range * fmax(0, low), e->range * fmin(1, high)};
}

static double error_of(const interval *i)
{
    return fmax(i->high - i->value, i->value - i->low);
}

/* sum: the products of all counts over all rounds, which include each tuple with itself. */
static side side_of(const estimate *e, const lm_sample *sample, const leman_graph *graph, unsigned k, double sum)
{
    side s = {.tuples = (double)lm_sample_size(sample, graph, k)};
    s.whole = lm_power(graph->vertices, k) <= sample->tuples;
    if (s.whole)
        s.self = around(e, s.tuples > 0 ? sum / (s.tuples * s.tuples) : 0, 0);
    else
        s.self = around(e, (sum - e->range * s.tuples) / (s.tuples * (s.tuples - 1)), floor(s.tuples / 2));
    return s;
}

static interval cross_of(const estimate *e, const side *a, const side *b, double sum)
{
    const double pairs = a->tuples * b->tuples;
    const double drawn = a->whole ? b->tuples : b->whole ? a->tuples : fmin(a->tuples, b->tuples);
    return around(e, pairs > 0 ? sum / pairs : 0, a->whole && b->whole ? 0 : drawn);
}

/* The quotient of three estimates. For graphs without vertices it is 0, as for exact kernels. */
static interval cosine(const interval *cross, const side *a, const side *b)
{
    const interval *x = &a->self, *y = &b->self;
    if (!(a->tuples > 0 && b->tuples > 0)) return (interval){0, 0, 0};
    return (interval){x->value > 0 && y->value > 0 ? fmin(1, cross->value / sqrt(x->value * y->value)) : 0,
                      x->high > 0 && y->high > 0 ? cross->low / sqrt(x->high * y->high) : 0,
                      x->low > 0 && y->low > 0 ? fmin(1, cross->high / sqrt(x->low * y->low)) : 1};
}

/* Turns sums into estimates, in place. */
static void close_estimates(const estimate *e, const side *row, size_t rows, const side *column, size_t columns,
                            bool square, bool normalize, double weight, double *out, double *bound)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) {
            const bool same = square && i == j;
            interval found = same ? row[i].self : cross_of(e, row + i, column + j, out[i * columns + j]);
            if (normalize && same)
                found = (interval){row[i].tuples > 0, row[i].tuples > 0, row[i].tuples > 0};
            else if (normalize)
                found = cosine(&found, row + i, column + j);
            const double scale = normalize ? 1 : weight;
            out[i * columns + j] = scale * found.value;
            if (bound) bound[i * columns + j] = scale * error_of(&found);
        }
}

/* ---- The public function --------------------------------------------------------------------- */

LM_OPTIONS(leman_sampling, sampling, .tuples = 10000, .confidence = 0.95)

static leman_status check(leman_context *ctx, const leman_kernel *kernel, const leman_sampling *s)
{
    if (kernel->kind != LEMAN_KERNEL_KIND_COLORS || !lm_variant_of(&kernel->coloring)->sampled ||
        kernel->coloring.components || kernel->assignment || kernel->normalization || kernel->binnings)
        return lm_fail(
            ctx, LEMAN_ERROR_UNSUPPORTED,
            "sampling: found %s%s%s, expected 1-WL or delta-k-LWL over all tuples, without assignment: other "
            "colours depend on the whole graph",
            leman_kernel_name(kernel), kernel->coloring.components ? " over some tuples" : "",
            kernel->assignment      ? " with assignment"
            : kernel->normalization ? " with Tanimoto normalisation"
            : kernel->binnings      ? " with binnings of attributes"
                                    : "");
    if (s->tuples < 2 || s->tuples > UINT32_MAX)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "tuples of a sample: found %llu, expected 2 to %llu",
                       (unsigned long long)s->tuples, (unsigned long long)UINT32_MAX);
    if (!(s->confidence > 0 && s->confidence < 1))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "confidence: found %g, expected a number above 0 and below 1",
                       s->confidence);
    return LEMAN_OK;
}

static leman_status sides_of(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                             const estimate *e, const lm_sample *sample, const double *self, side **out)
{
    side *sides;
    PASS_SCRATCH(ctx, sides, data->graphs);
    for (size_t g = 0; g < data->graphs; g++) {
        const leman_graph graph = leman_dataset_graph(data, g);
        sides[g] = side_of(e, sample, &graph, kernel->coloring.k, self[g]);
    }
    *out = sides;
    return LEMAN_OK;
}

static leman_status sample_gram(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                                const leman_kernel *kernel, const leman_sampling *sampling, bool normalize, double *out,
                                double *bound)
{
    SCRATCH_SCOPE(ctx);
    const leman_dataset *other = against ? against : data;
    const lm_sample sample = {sampling->tuples, ctx->settings.seed};
    const double rows = (double)data->graphs, columns = (double)other->graphs;
    const double entries = against ? rows * columns + rows + columns : rows * (rows + 1) / 2;
    const estimate e = {kernel->coloring.rounds + 1.0, log(2 * entries / (1 - sampling->confidence))};
    double *row_self, *column_self;
    side *row, *column;
    if (!(entries > 0)) return LEMAN_OK;
    PASS_SCRATCH(ctx, row_self, data->graphs);
    PASS_SCRATCH(ctx, column_self, other->graphs);
    PASS(lm_gram_of_samples(ctx, data, against, kernel, &sample, (lm_memory_limit){lm_budget(ctx), 0}, out, row_self,
                            column_self));
    PASS(sides_of(ctx, data, kernel, &e, &sample, row_self, &row));
    PASS(sides_of(ctx, other, kernel, &e, &sample, column_self, &column));
    close_estimates(&e, row, data->graphs, column, other->graphs, !against, normalize, kernel->weight, out, bound);
    return LEMAN_OK;
}

leman_status leman_gram_sample(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                               const leman_kernel *kernel, const leman_sampling *sampling, bool normalize, double *out,
                               double *bound)
{
    leman_kernel k = leman_kernel_default();
    leman_sampling s = leman_sampling_default();
    REQUIRE(ctx, data, kernel, out);
    PASS(lm_options_copy(ctx, "leman_kernel", kernel, &k, sizeof k));
    PASS(lm_options_copy(ctx, "leman_sampling", sampling, &s, sizeof s));
    PASS(lm_kernel_check(ctx, &k, &k));
    PASS(check(ctx, &k, &s));
    return sample_gram(ctx, data, against, &k, &s, normalize, out, bound);
}
