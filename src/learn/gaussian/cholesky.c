/* Cholesky factors in tiles. With T = LM_CHOLESKY_TILE, step k factors the tile (k, k), solves for the tiles below it,
 * and subtracts their products from the tiles (i, j), k < j <= i. */
#include "learn/gaussian/cholesky.h"
#include "base/private.h"
#include <cblas.h>
#include <omp.h>

enum { T = LM_CHOLESKY_TILE };

/* LAPACK, whose matrices are in columns: the lower triangle of ours is the upper triangle of theirs. */
void dpotrf_(const char *triangle, const int *n, double *matrix, const int *stride, int *info);

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t tiles_of(size_t n)
{
    return (n + T - 1) / T;
}

/* Factors the tile of the diagonal that begins with row k. Returns false if it is not positive definite. */
static bool factor_tile(double *matrix, size_t n, size_t k)
{
    const int size = (int)least(T, n - k), stride = (int)n;
    int info = 0;
    dpotrf_("U", &size, matrix + k * n + k, &stride, &info);
    for (int i = 0; !info && i < size; i++) {
        const double pivot = matrix[(k + (size_t)i) * n + k + (size_t)i];
        if (!(pivot > 0)) info = i + 1; /* an entry that is no number passes LAPACK's check */
    }
    return !info;
}

/* Solves for the rows from i on of the columns of tile k. */
static void solve_tile(double *matrix, size_t n, size_t k, size_t i)
{
    cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)least(T, n - i), T, 1,
                matrix + k * n + k, (int)n, matrix + i * n + k, (int)n);
}

/* Subtracts the product of the tiles (i, k) and (j, k) from tile (i, j). */
static void subtract_tile(double *matrix, size_t n, size_t k, size_t i, size_t j)
{
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)least(T, n - i), (int)least(T, n - j), T, -1,
                matrix + i * n + k, (int)n, matrix + j * n + k, (int)n, 1, matrix + i * n + j, (int)n);
}

leman_status lm_cholesky_factor(leman_context *ctx, size_t threads, double *matrix, size_t n, bool *definite)
{
    const int width = (int)threads;
    *definite = true;
    for (size_t k = 0; k < n && *definite; k += T) {
        const size_t below = tiles_of(n - k) - 1;
        PASS(lm_progress_poll(ctx));
        *definite = factor_tile(matrix, n, k);
        if (!*definite) break;
#pragma omp parallel for schedule(dynamic) num_threads(width)
        for (size_t i = 1; i <= below; i++) solve_tile(matrix, n, k, k + i * T);
#pragma omp parallel for schedule(dynamic) num_threads(width)
        for (size_t pair = 0; pair < below * below; pair++) {
            const size_t i = pair / below, j = pair % below;
            if (j <= i) subtract_tile(matrix, n, k, k + (i + 1) * T, k + (j + 1) * T);
        }
    }
    return LEMAN_OK;
}

void lm_cholesky_solve_lower(const double *factor, size_t n, size_t stride, double *x)
{
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)n, factor, (int)stride, x, 1);
}

void lm_cholesky_solve_transposed(const double *factor, size_t n, size_t stride, double *x)
{
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, (int)n, factor, (int)stride, x, 1);
}

void lm_cholesky_solve_rows(const double *factor, size_t n, double *rows)
{
    cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, LM_CHOLESKY_ROWS, (int)n, 1, factor,
                (int)n, rows, (int)n);
}

leman_status lm_cholesky_invert(leman_context *ctx, size_t threads, const double *factor, size_t n, double *inverse)
{
    const int width = (int)threads;
    PASS(lm_progress_poll(ctx));
#pragma omp parallel for schedule(dynamic) num_threads(width)
    for (size_t tile = 0; tile < tiles_of(n); tile++) {
        const size_t j = tile * T, columns = least(T, n - j);
        for (size_t r = j; r < n; r++)
            for (size_t c = j; c < j + columns; c++) inverse[r * n + c] = r == c;
        cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, (int)(n - j), (int)columns, 1,
                    factor + j * n + j, (int)n, inverse + j * n + j, (int)n);
    }
    return LEMAN_OK;
}

size_t lm_inverse_tiles(size_t n)
{
    return tiles_of(n) * (tiles_of(n) + 1) / 2;
}

leman_status lm_inverse_each(leman_context *ctx, size_t threads, const double *inverse, size_t n,
                             lm_use_inverse_tile *use, void *user)
{
    const size_t side = tiles_of(n);
    SCRATCH_SCOPE(ctx);
    double *tiles;
    PASS(lm_progress_poll(ctx));
    PASS_SCRATCH(ctx, tiles, lm_saturating_multiply(threads, T * T));
#pragma omp parallel num_threads((int)threads)
    {
        double *own = tiles + (size_t)omp_get_thread_num() * T * T;
#pragma omp for schedule(dynamic)
        for (size_t pair = 0; pair < side * side; pair++) {
            const size_t a = pair / side, b = pair % side, row = a * T, column = b * T;
            if (b > a) continue;
            const lm_inverse_tile tile = {.number = a * (a + 1) / 2 + b,
                                          .row = row,
                                          .column = column,
                                          .rows = least(T, n - row),
                                          .columns = least(T, n - column),
                                          .entry = own};
            cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)tile.rows, (int)tile.columns, (int)(n - row), 1,
                        inverse + row * n + row, (int)n, inverse + row * n + column, (int)n, 0, own, T);
            use(user, &tile);
        }
    }
    return LEMAN_OK;
}
