/* The log marginal likelihood and its gradient. The inverse of K is used tile by tile and never stored. */
#include "learn/gaussian/likelihood.h"
#include "base/drop.h"
#include <math.h>

uint64_t lm_posterior_bytes(size_t n)
{
    return lm_saturating_multiply(2 * sizeof(double), lm_saturating_multiply(n, n));
}

/* Writes sum_b w_b K_b + s D into the lower triangle. */
static void add_kernels(size_t threads, const lm_triangles *k, const lm_posterior *p, double *matrix)
{
#pragma omp parallel for schedule(dynamic, 16) num_threads((int)threads)
    for (size_t i = 0; i < p->n; i++) {
        double *row = matrix + i * p->n;
        for (size_t j = 0; j <= i; j++) row[j] = 0;
        for (size_t b = 0; b < k->blocks; b++) {
            const double *from = k->block[b] + i * (i + 1) / 2, weight = p->weight[b];
            for (size_t j = 0; j <= i; j++) row[j] += weight * from[j];
        }
        row[i] += p->noise * lm_spread_of(p->spread, i);
    }
}

void lm_posterior_solve(lm_posterior *p, double *work)
{
    const size_t n = p->n;
    double ones = 0, product = 0, square = 0, logarithm = 0;
    for (size_t i = 0; i < n; i++) work[i] = 1, p->alpha[i] = p->target[i];
    lm_cholesky_solve_lower(p->factor, n, n, work);
    lm_cholesky_solve_lower(p->factor, n, n, p->alpha);
    for (size_t i = 0; i < n; i++) ones += work[i] * work[i], product += work[i] * p->alpha[i];
    p->mean = product / ones;
    for (size_t i = 0; i < n; i++) {
        p->alpha[i] -= p->mean * work[i];
        square += p->alpha[i] * p->alpha[i];
        logarithm += log(p->factor[i * n + i]);
    }
    lm_cholesky_solve_transposed(p->factor, n, n, p->alpha);
    p->likelihood = -square / 2 - logarithm - (double)n / 2 * log(2 * M_PI);
    if (!isfinite(p->likelihood)) p->likelihood = -INFINITY;
}

leman_status lm_posterior_compute(leman_context *ctx, size_t threads, const lm_triangles *kernels, lm_posterior *p)
{
    SCRATCH_SCOPE(ctx);
    bool definite;
    double *work;
    PASS_SCRATCH(ctx, work, p->n);
    add_kernels(threads, kernels, p, p->factor);
    p->likelihood = -INFINITY;
    PASS(lm_cholesky_factor(ctx, threads, p->factor, p->n, &definite));
    if (definite) lm_posterior_solve(p, work);
    return LEMAN_OK;
}

/* ---- The gradient ---------------------------------------------------------------------------- */

typedef struct sums {
    const lm_triangles *kernels; /* NULL: only the diagonal */
    const double *alpha, *spread;
    double *part;     /* [tiles][blocks + 1] sums over the entries of each tile */
    double *diagonal; /* [n] of K^-1, or NULL */
} sums;

/* Adds (a_i a_j - K^-1_ij) K_b[i][j] over the entries of a tile, those beside the diagonal twice. */
static void add_tile(void *user, const lm_inverse_tile *tile)
{
    const sums *s = user;
    const size_t blocks = s->kernels ? s->kernels->blocks : 0;
    double *part = s->part + tile->number * (blocks + 1);
    for (size_t b = 0; b <= blocks; b++) part[b] = 0;
    for (size_t r = 0; r < tile->rows; r++) {
        const size_t i = tile->row + r;
        const double *entry = tile->entry + r * LM_CHOLESKY_TILE;
        double outer[LM_CHOLESKY_TILE];
        const bool on_diagonal = tile->row == tile->column;
        const size_t columns = on_diagonal ? r : tile->columns; /* below the diagonal */
        for (size_t c = 0; c < columns; c++) outer[c] = 2 * (s->alpha[i] * s->alpha[tile->column + c] - entry[c]);
        if (on_diagonal) {
            outer[r] = s->alpha[i] * s->alpha[i] - entry[r];
            part[blocks] += outer[r] * lm_spread_of(s->spread, i);
            if (s->diagonal) s->diagonal[i] = entry[r];
        }
        for (size_t b = 0; b < blocks; b++) {
            const double *kernel = s->kernels->block[b] + i * (i + 1) / 2 + tile->column;
            double sum = 0;
            for (size_t c = 0; c < columns + on_diagonal; c++) sum += outer[c] * kernel[c];
            part[b] += sum;
        }
    }
}

leman_status lm_posterior_gradient(leman_context *ctx, size_t threads, const lm_triangles *kernels,
                                   const lm_posterior *p, double *gradient, double *diagonal)
{
    SCRATCH_SCOPE(ctx);
    AUTO(lm_release_at) double *inverse = NULL;
    const size_t tiles = lm_inverse_tiles(p->n), width = (gradient ? kernels->blocks : 0) + 1;
    sums s = {.kernels = gradient ? kernels : NULL, .alpha = p->alpha, .spread = p->spread, .diagonal = diagonal};
    PASS_SCRATCH(ctx, s.part, lm_saturating_multiply(tiles, width));
    PASS_NEW(ctx, inverse, lm_saturating_multiply(p->n, p->n));
    PASS(lm_cholesky_invert(ctx, threads, p->factor, p->n, inverse));
    PASS(lm_inverse_each(ctx, threads, inverse, p->n, add_tile, &s));
    for (size_t b = 0; gradient && b < width; b++) {
        gradient[b] = 0;
        for (size_t t = 0; t < tiles; t++) gradient[b] += s.part[t * width + b] / 2;
    }
    return LEMAN_OK;
}
