/*
 * The pyramid match kernel (Nikolentzos, Meladianos, Vazirgiannis 2017): vertices are points in the unit cube, whose
 * coordinates are the absolute entries of the leading eigenvectors of the adjacency matrix. Level l cuts every
 * coordinate into 2^l cells, and I_l is the number of vertices that two graphs have in common in a cell with one label,
 * summed over coordinates, cells and labels. With L levels,
 *
 *   k = I_(L-1) + sum over l < L - 1 of 2^-(L-1-l) (I_l - I_(l+1)),
 *   2^(L-1) k = I_0 + sum over l >= 1 of 2^(l-1) I_l,
 *
 * a sum of minima of integers: the counts of level l >= 1 are multiplied by 2^(l-1).
 *
 * The d eigenvalues that are largest in absolute value lead, in decreasing order. In a graph of at most d + 1 vertices
 * the d largest eigenvalues lead, as in GraKeL. Of two eigenvalues with one absolute value the positive one
 * is taken first.
 * An entry that is within 1e-9 of the border of a cell counts as on the border. If an eigenvalue occurs several times,
 * its eigenvectors are not unique, and the kernel depends on the order of the vertices. Time O(n^3 + n d L) a graph.
 */
#include "base/hash.h"
#include "kernel/counts/tally.h"
#include "kernel/pairs/adjacency_matrix.h"
#include "kernel/pairs/eigen.h"
#include "refine/adjacency.h"
#include <math.h>
#include <stdlib.h>

/* An eigenvalue, rounded so that rounding errors do not decide between equal ones, and the row of its eigenvector. */
typedef struct eigenvalue {
    double value;
    size_t row;
} eigenvalue;

static int by_value(const void *a, const void *b)
{
    const eigenvalue *x = a, *y = b;
    if (x->value != y->value) return x->value > y->value ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static int by_magnitude(const void *a, const void *b)
{
    const double x = fabs(((const eigenvalue *)a)->value), y = fabs(((const eigenvalue *)b)->value);
    return x != y ? x > y ? -1 : 1 : by_value(a, b);
}

/* Sets vector[n][n] to the eigenvectors, one in a row, and leading[] to those that lead. *count is their number. */
static leman_status find_leading(lm_worker *worker, const leman_graph *g, const leman_kernel *kernel,
                                 eigenvalue **leading, size_t *count, double **vector)
{
    leman_context *ctx = worker->ctx;
    const size_t n = g->vertices, d = kernel->dimensions;
    double *a, *value, *spare, norm = 0;
    size_t cells;
    if (!lm_multiply(n, n, &cells)) return lm_refuse_size(ctx, n, n);
    PASS_SCRATCH(ctx, a, cells);
    PASS_SCRATCH_ZERO(ctx, *vector, cells);
    PASS_SCRATCH(ctx, value, n);
    PASS_SCRATCH(ctx, spare, 2 * n);
    PASS_SCRATCH(ctx, *leading, n);
    lm_adjacency_matrix(g, kernel->weighted, a);
    for (size_t i = 0; i < n; i++) (*vector)[i * n + i] = 1;
    PASS(lm_eigen(worker, a, n, *vector, n, value, spare));
    for (size_t i = 0; i < n; i++) norm = fmax(norm, fabs(value[i]));
    for (size_t i = 0; i < n; i++) (*leading)[i] = (eigenvalue){norm > 0 ? round(value[i] / norm * 1e9) : 0, i};
    *count = n < d ? n : d;
    qsort(*leading, n, sizeof **leading, n > d + 1 ? by_magnitude : by_value);
    qsort(*leading, *count, sizeof **leading, by_value);
    return LEMAN_OK;
}

static uint64_t cell_key(uint64_t label, size_t dimension, unsigned level, double entry)
{
    const double cells = (double)(UINT64_C(1) << level), cell = floor(fabs(entry) * cells + 1e-9);
    const uint64_t number = (uint64_t)(cell < cells ? cell : cells - 1);
    return lm_mix(label + lm_mix((uint64_t)level << 48 | (uint64_t)dimension << 32 | (number + 1)));
}

static leman_status count_cells(lm_worker *worker, const leman_graph *g, const lm_counting *counting, lm_tally *tally)
{
    const leman_kernel *kernel = counting->kernel;
    const size_t n = g->vertices;
    eigenvalue *leading = NULL;
    double *vector = NULL;
    size_t count = 0;
    PASS(find_leading(worker, g, kernel, &leading, &count, &vector));
    for (size_t v = 0; v < n; v++) {
        const uint64_t label = lm_label_hash(g, v, &kernel->coloring);
        for (size_t i = 0; i < count; i++)
            for (unsigned level = 0; level < kernel->levels; level++)
                PASS(lm_tally_add(worker->ctx, tally, cell_key(label, i, level, vector[leading[i].row * n + v]),
                                  level ? UINT64_C(1) << (level - 1) : 1));
    }
    return lm_worker_advance(worker, counting->cost(g, counting));
}

static uint64_t cost(const leman_graph *g, const lm_counting *counting)
{
    (void)counting;
    return lm_saturating_add(lm_power(g->vertices, 3), 1);
}

leman_status lm_triples_of_pyramids(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                    size_t first_graph, size_t block, lm_triples *triples)
{
    const lm_counting counting = {"pyramid cells", count_cells, cost, kernel, NULL};
    if (data->directed)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found directed graphs, expected undirected ones for PyramidMatch",
                       data->name);
    PASS(lm_arc_weights_check(ctx, data, kernel->weighted));
    return lm_triples_count(ctx, data, &counting, first_graph, block, triples);
}
