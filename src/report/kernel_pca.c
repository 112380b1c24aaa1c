/*
 * Kernel PCA by subspace iteration. A block Q of eight orthonormal columns is multiplied by the centred matrix and
 * orthonormalised until the two leading Ritz values converge. Ritz values and vectors are those of the small matrix
 * Q'AQ, by Jacobi rotations. The block has more than two columns because the error decreases as (l_9 / l_2)^steps. The
 * centred matrix is never formed: A q = H (K (H q)). Sums have the same order for any number of threads.
 */
#include "report/kernel_pca.h"
#include "base/context.h"
#include "base/random.h"
#include <math.h>
#include <string.h>

enum { BLOCK = 8, MAX_STEPS = 300, SWEEPS = 60 };
static const double CLOSE = 1e-10, NOTHING = 1e-12;
#define PURPOSE UINT64_C(0x70726f6a) /* of the random stream */

static void centre(double *vector, size_t n)
{
    double mean = 0;
    for (size_t i = 0; i < n; i++) mean += vector[i];
    mean /= (double)n;
    for (size_t i = 0; i < n; i++) vector[i] -= mean;
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Computes to[c][n] = H K from[c] for all columns, a row of K at a time. The columns of from must be centred. */
static void multiply(const double *matrix, size_t n, size_t columns, const double *from, double *to, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < columns; c++) to[c * n + i] = dot(matrix + i * n, from + c * n, n);
    for (size_t c = 0; c < columns; c++) centre(to + c * n, n);
}

/* Orthonormalises by Gram-Schmidt, applied twice. A column in the span of those before becomes 0. */
static void orthonormalize(double *q, size_t n, size_t columns)
{
    for (size_t c = 0; c < columns; c++) {
        double before = sqrt(dot(q + c * n, q + c * n, n));
        for (int pass = 0; pass < 2; pass++)
            for (size_t d = 0; d < c; d++) {
                double along = dot(q + c * n, q + d * n, n);
                for (size_t i = 0; i < n; i++) q[c * n + i] -= along * q[d * n + i];
            }
        double length = sqrt(dot(q + c * n, q + c * n, n));
        bool lost = !(length > before * 1e-12) || !(length > 1e-150);
        for (size_t i = 0; i < n; i++) q[c * n + i] = lost ? 0 : q[c * n + i] / length;
    }
}

/* Diagonalises the small symmetric matrix s by Jacobi rotations, which are accumulated in v. */
static void diagonalize(double s[BLOCK][BLOCK], double v[BLOCK][BLOCK], size_t m)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) v[i][j] = i == j;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (size_t p = 0; p < m; p++)
            for (size_t q = p + 1; q < m; q++) {
                if (!(fabs(s[p][q]) > 1e-300)) continue;
                double theta = (s[q][q] - s[p][p]) / (2 * s[p][q]);
                double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
                double cosine = 1 / sqrt(t * t + 1), sine = t * cosine;
                for (size_t i = 0; i < m; i++) {
                    double a = s[i][p], b = s[i][q];
                    s[i][p] = cosine * a - sine * b, s[i][q] = sine * a + cosine * b;
                }
                for (size_t i = 0; i < m; i++) {
                    double a = s[p][i], b = s[q][i];
                    s[p][i] = cosine * a - sine * b, s[q][i] = sine * a + cosine * b;
                    a = v[i][p], b = v[i][q];
                    v[i][p] = cosine * a - sine * b, v[i][q] = sine * a + cosine * b;
                }
            }
}

/* Computes block[m][n] = block V, with columns in the given order. */
static void rotate(double *block, size_t n, size_t m, double v[BLOCK][BLOCK], const size_t *order, double *work)
{
    memset(work, 0, m * n * sizeof *work);
    for (size_t c = 0; c < m; c++)
        for (size_t d = 0; d < m; d++)
            for (size_t i = 0; i < n; i++) work[c * n + i] += v[d][order[c]] * block[d * n + i];
    memcpy(block, work, m * n * sizeof *block);
}

/* Computes the Ritz values of Q, in decreasing order, and rotates Q and aq = A Q to their vectors. work[m][n]. */
static void ritz(double *q, double *aq, size_t n, size_t m, double *value, double *work)
{
    double s[BLOCK][BLOCK], v[BLOCK][BLOCK];
    size_t order[BLOCK];
    for (size_t i = 0; i < m; i++)
        for (size_t j = i; j < m; j++) s[i][j] = s[j][i] = dot(q + i * n, aq + j * n, n);
    diagonalize(s, v, m);
    for (size_t i = 0; i < m; i++) {
        size_t at = i;
        for (; at > 0 && s[order[at - 1]][order[at - 1]] < s[i][i]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
    for (size_t c = 0; c < m; c++) value[c] = s[order[c]][order[c]];
    rotate(q, n, m, v, order, work);
    rotate(aq, n, m, v, order, work);
}

/* Fixes the sign and the length of one axis. */
static void finish(double *axis, size_t n, double value)
{
    double cubes = 0, size = 0, sign = 1;
    for (size_t i = 0; i < n; i++) cubes += axis[i] * axis[i] * axis[i], size += fabs(axis[i] * axis[i] * axis[i]);
    if (fabs(cubes) > 1e-6 * size) {
        sign = cubes < 0 ? -1 : 1;
    } else {
        size_t first = 0;
        while (first < n && fabs(axis[first]) < 1e-6) first++;
        if (first < n && axis[first] < 0) sign = -1;
    }
    for (size_t i = 0; i < n; i++) axis[i] *= sign * sqrt(value);
}

/* Returns the trace of H K H, which is the sum of k_ii minus the sum of all entries over n. *trace is the trace of
 * K. */
static double centred_trace(const double *matrix, size_t n, double *trace)
{
    double all = 0;
    *trace = 0;
    for (size_t i = 0; i < n; i++) {
        double row = 0;
        for (size_t j = 0; j < n; j++) row += matrix[i * n + j];
        *trace += matrix[i * n + i];
        all += row;
    }
    return *trace - all / (double)n;
}

leman_status lm_kernel_pca_compute(leman_context *ctx, const double *matrix, size_t n, double *at, lm_kernel_pca *about)
{
    SCRATCH_SCOPE(ctx);
    lm_random random = lm_random_stream(0, PURPOSE, 0);
    double *q, *aq, *work, value[BLOCK] = {0}, last[LM_KERNEL_PCA_AXES] = {0};
    size_t m = n < BLOCK ? n : BLOCK;
    memset(at, 0, LM_KERNEL_PCA_AXES * n * sizeof *at);
    *about = (lm_kernel_pca){0};
    if (n < 2) return LEMAN_OK;
    PASS_SCRATCH(ctx, q, m * n);
    PASS_SCRATCH(ctx, aq, m * n);
    PASS_SCRATCH(ctx, work, m * n);
    for (size_t i = 0; i < m * n; i++) q[i] = lm_random_real(&random) - 0.5;
    for (size_t c = 0; c < m; c++) centre(q + c * n, n);
    orthonormalize(q, n, m);
    lm_progress_begin(ctx, MAX_STEPS, "kernel PCA of %zu graph%s", n, lm_plural(n));
    for (uint64_t step = 0; step < MAX_STEPS; step++) {
        bool still = true;
        PASS(lm_progress_step(ctx, step));
        multiply(matrix, n, m, q, aq, ctx->settings.threads);
        ritz(q, aq, n, m, value, work);
        for (size_t a = 0; a < LM_KERNEL_PCA_AXES && a < m; a++) {
            still &= fabs(value[a] - last[a]) <= CLOSE * fabs(value[0]);
            last[a] = value[a];
        }
        if (still && step > 10) break;
        memcpy(q, aq, m * n * sizeof *q);
        orthonormalize(q, n, m);
    }
    double whole, trace = centred_trace(matrix, n, &whole);
    for (size_t a = 0; a < LM_KERNEL_PCA_AXES && a < m; a++) {
        if (!(value[a] > NOTHING * whole)) break; /* rounding error, not an axis */
        memcpy(at + a * n, q + a * n, n * sizeof *at);
        finish(at + a * n, n, value[a]);
        about->value[a] = value[a];
        about->share[a] = value[a] / trace;
    }
    return LEMAN_OK;
}
