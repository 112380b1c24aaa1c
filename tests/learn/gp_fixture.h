/* What the tests of Gaussian processes share: graphs with targets, dense linear algebra by the definition. */
#ifndef GP_FIXTURE_H
#define GP_FIXTURE_H

#include "learn/gaussian/gp.h"
#include "learn/model_fixture.h"
#include <math.h>

/* Molecules of the generator, with their numbers of vertices and of edges, and a little noise, as the target. */
static inline leman_dataset *molecules_with_target(leman_context *ctx, size_t graphs, uint64_t seed)
{
    leman_family_options options = leman_family_options_default();
    leman_dataset *data = NULL, *out = NULL;
    options.graphs = graphs;
    options.vertices = 12;
    options.seed = seed;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, &data), LEMAN_OK);
    double *target = malloc(graphs * sizeof *target);
    for (size_t g = 0; g < graphs; g++) {
        leman_graph graph = leman_dataset_graph(data, g);
        target[g] =
            20 + 0.7 * (double)graph.vertices - 0.3 * (double)graph.arcs + 0.2 * (double)(test_random(&seed) % 8);
    }
    assert_int_equal(leman_dataset_set_targets(ctx, data, NULL, target, 1, &out), LEMAN_OK);
    free(target);
    leman_dataset_free(data);
    return out;
}

/* Solves a x = b for a[n][n], by Gauss's elimination with pivots; a and b are destroyed, b becomes x. Returns
 * log |det a|. */
static inline double solve_dense(double *a, double *b, size_t n)
{
    double logarithm = 0;
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
        for (size_t j = 0; j < n; j++) {
            const double swap = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = swap;
        }
        const double swap = b[k];
        b[k] = b[best];
        b[best] = swap;
        logarithm += log(fabs(a[k * n + k]));
        for (size_t i = 0; i < n; i++) {
            if (i == k) continue;
            const double factor = a[i * n + k] / a[k * n + k];
            for (size_t j = k; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (size_t k = 0; k < n; k++) b[k] /= a[k * n + k];
    return logarithm;
}

/* x = a^-1 b without destroying them. */
static inline double solved(const double *a, const double *b, size_t n, double *x)
{
    double *copy = malloc(n * n * sizeof *copy);
    memcpy(copy, a, n * n * sizeof *copy);
    if (x != b) memcpy(x, b, n * sizeof *x);
    const double logarithm = solve_dense(copy, x, n);
    free(copy);
    return logarithm;
}

static inline leman_gp *gp_of(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                              const leman_gp_options *options)
{
    leman_gp *gp = NULL;
    if (leman_gp_fit(ctx, data, kernels, count, options, &gp)) fail_msg("%s", leman_context_message(ctx));
    return gp;
}

#endif
