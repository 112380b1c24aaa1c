/*
 * Eigenvalues and eigenvectors of a symmetric matrix: Householder reflections make the matrix tridiagonal, 4/3 n^3
 * operations, and implicit QL steps with Wilkinson's shift make the tridiagonal matrix diagonal, 3 n^2 width operations
 * for the basis (Golub and Van Loan, Matrix Computations, sections 8.3.1 and 8.3.3).
 *
 * Every operation is written here, so that the result does not depend on the BLAS or on the number of its threads.
 */
#include "kernel/pairs/eigen.h"
#include <float.h>
#include <math.h>

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Replaces basis[n][width] by (I - factor v v^T) basis. sum[width] is overwritten. */
static void reflect_basis(const double *v, double factor, size_t n, double *basis, size_t width, double *sum)
{
    for (size_t k = 0; k < width; k++) sum[k] = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < width; k++) sum[k] += v[i] * basis[i * width + k];
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < width; k++) basis[i * width + k] -= factor * v[i] * sum[k];
}

/* Replaces the lower right block from row `first` on by H block H, H = I - factor v v^T, and the basis by H basis. */
static void reflect(double *a, size_t n, size_t first, double *v, double factor, double *w, double *basis, size_t width)
{
    const size_t m = n - first;
    double *block = a + first * n + first;
    for (size_t i = 0; i < m; i++) w[i] = factor * dot(block + i * n, v, m);
    const double half = factor / 2 * dot(w, v, m);
    for (size_t i = 0; i < m; i++) w[i] -= half * v[i];
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) block[i * n + j] -= v[i] * w[j] + w[i] * v[j];
    if (width) reflect_basis(v, factor, m, basis + first * width, width, w);
}

/* Makes the matrix tridiagonal: diagonal[n], and below[n], whose last entry is 0. */
static leman_status make_tridiagonal(const lm_worker *worker, double *a, size_t n, double *basis, size_t width,
                                     double *diagonal, double *below, double *w)
{
    for (size_t k = 0; k < n; k++) {
        if (lm_worker_cancelled(worker, k)) return LEMAN_ERROR_CANCELLED;
        double *v = a + k * n + k + 1; /* row k behind the diagonal, equal to the column; it is not used again */
        const size_t m = n - k - 1;
        diagonal[k] = a[k * n + k];
        below[k] = m ? v[0] : 0;
        const double length = m > 1 ? sqrt(dot(v, v, m)) : 0;
        if (m < 2 || length == fabs(v[0])) continue; /* nothing to remove */
        below[k] = v[0] > 0 ? -length : length;
        v[0] -= below[k];
        reflect(a, n, k + 1, v, 2 / dot(v, v, m), w, basis, width);
    }
    return LEMAN_OK;
}

/* Rotates rows i and i + 1 of the basis. */
static void rotate(double *basis, size_t width, size_t i, double c, double s)
{
    double *restrict low = width ? basis + i * width : NULL, *restrict high = width ? low + width : NULL;
    for (size_t k = 0; k < width; k++) {
        const double old = high[k];
        high[k] = s * low[k] + c * old;
        low[k] = c * low[k] - s * old;
    }
}

/* One implicit QL step on rows first .. last. */
static void ql_step(double *d, double *e, size_t first, size_t last, double *basis, size_t width)
{
    double g = (d[first + 1] - d[first]) / (2 * e[first]), r = hypot(g, 1), s = 1, c = 1, p = 0;
    g = d[last] - d[first] + e[first] / (g + copysign(r, g));
    for (size_t i = last; i-- > first;) {
        const double f = s * e[i], b = c * e[i];
        e[i + 1] = r = hypot(f, g);
        if (r == 0) { /* the matrix splits here */
            d[i + 1] -= p;
            e[last] = 0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        rotate(basis, width, i, c, s);
    }
    d[first] -= p;
    e[first] = g;
    e[last] = 0;
}

leman_status lm_eigen(lm_worker *worker, double *a, size_t n, double *basis, size_t width, double *value, double *spare)
{
    enum { STEPS = 100 }; /* two or three steps an eigenvalue are usual */
    double *below = spare, norm = 0;
    PASS(make_tridiagonal(worker, a, n, basis, width, value, below, spare + n));
    for (size_t i = 0; i < n; i++) norm = fmax(norm, fabs(value[i]) + fabs(below[i]));
    for (size_t first = 0; first < n; first++) {
        if (lm_worker_cancelled(worker, first)) return LEMAN_ERROR_CANCELLED;
        for (size_t step = 0;; step++) {
            size_t last = first;
            while (last + 1 < n && !(fabs(below[last]) <= DBL_EPSILON * norm)) last++;
            if (last == first) break;
            if (step == STEPS)
                return lm_fail(worker->ctx, LEMAN_ERROR_INPUT, "the eigenvalues of a graph of size %zu are not finite",
                               n);
            ql_step(value, below, first, last, basis, width);
        }
    }
    return LEMAN_OK;
}
