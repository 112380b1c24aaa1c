/*
 * Pieces written here beside the libraries that offer them too, side by side: the zip writer and libzip, SHA-256 and
 * libcrypto, kernel PCA and LAPACK. docs/dependencies.md draws the conclusions.
 *
 *   OPENBLAS_NUM_THREADS=1 bench_libraries
 *
 * Processor time of one thread, the best of three. libcrypto and LAPACK are loaded when they are found; nothing links
 * them. The zip writers run in processes of their own, whose largest resident sets are compared.
 */
#include "bench.h"
#include "io/archive/zip_write.h"
#include "io/download/digest.h"
#include "report/kernel_pca.h"
#include <dlfcn.h>
#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zip.h>

enum { TRIES = 3 };

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Any of several names of a library, or NULL. */
static void *function_of(const char *const *names, const char *function)
{
    for (; *names; names++) {
        void *library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
        void *found = library ? dlsym(library, function) : NULL;
        if (found) return found;
    }
    return NULL;
}

/* ---- Zip ------------------------------------------------------------------------------------- */

enum { LINES = 4880720, ATOMS = 2359210 }; /* the arcs of QM9, made up */

static size_t line(size_t i, char *to)
{
    return (size_t)sprintf(to, "%zu, %zu\n", i % ATOMS + 1, i * 7 % ATOMS + 1);
}

static void zip_leman(const char *path)
{
    leman_context *ctx = bench_context(1);
    lm_output out = {0}, *text = NULL;
    lm_zip zip;
    char words[64];
    bench_check(ctx, lm_output_open(ctx, path, &out));
    lm_zip_begin(ctx, &out, &zip);
    zip.level = 6;
    bench_check(ctx, lm_zip_member(&zip, "Q/Q_A.txt", &text));
    for (size_t i = 0; i < LINES; i++) bench_check(ctx, lm_output_write(text, words, line(i, words)));
    bench_check(ctx, lm_zip_member_end(&zip));
    bench_check(ctx, lm_zip_end(&zip));
    bench_check(ctx, lm_output_commit(&out));
    lm_zip_free(&zip);
    leman_context_free(ctx);
}

/* A member of libzip is a source that it reads when the zip is closed: lines that are being made are gathered first. */
static void zip_libzip(const char *path)
{
    char *text = NULL, words[64];
    size_t used = 0, space = 0;
    for (size_t i = 0; i < LINES; i++) {
        size_t length = line(i, words);
        if (used + length > space) text = realloc(text, space = space ? 2 * space : 1 << 16);
        if (!text) exit(1);
        memcpy(text + used, words, length);
        used += length;
    }
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    if (!zip) exit(1);
    zip_int64_t member = zip_file_add(zip, "Q/Q_A.txt", zip_source_buffer(zip, text, used, 0), 0);
    if (member < 0 || zip_set_file_compression(zip, (zip_uint64_t)member, ZIP_CM_DEFLATE, 6) || zip_close(zip)) exit(1);
    free(text);
}

static void bench_zip(const char *name, void (*write)(const char *path))
{
    char path[] = "/tmp/leman-bench-XXXXXX";
    struct rusage used;
    int file = mkstemp(path), status;
    double best = 1e9;
    if (file < 0) return;
    close(file);
    for (int i = 0; i < TRIES; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (!child) {
            write(path);
            _exit(0);
        }
        if (child < 0 || wait4(child, &status, 0, &used) != child || status) exit(1);
        double seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
        if (seconds < best) best = seconds;
    }
    printf("zip of one member of %d lines, %-8s %5.2f s, %6.1f MiB at most\n", LINES, name, best,
           (double)used.ru_maxrss / 1024);
    unlink(path);
}

/* ---- SHA-256 --------------------------------------------------------------------------------- */

typedef unsigned char *sha256(const unsigned char *bytes, size_t size, unsigned char *digest);

static void bench_sha256(void)
{
    enum { SIZE = 64 << 20 };
    static const char *const LIBRARIES[] = {"libcrypto.so.3", "libcrypto.so.1.1", NULL};
    sha256 *libcrypto = NULL;
    unsigned char *bytes = malloc(SIZE), a[LM_SHA256_BYTES], b[LM_SHA256_BYTES] = {0};
    double best[2] = {1e9, 1e9};
    if (!bytes) exit(1);
    *(void **)&libcrypto = function_of(LIBRARIES, "SHA256");
    for (size_t i = 0; i < SIZE; i++) bytes[i] = (unsigned char)(i * 2654435761u >> 13);
    for (int i = 0; i < TRIES; i++) {
        double began = processor_time();
        lm_sha256 sum = lm_sha256_begin();
        lm_sha256_add(&sum, bytes, SIZE);
        lm_sha256_end(&sum, a);
        best[0] = fmin(best[0], processor_time() - began);
        began = processor_time();
        if (libcrypto) libcrypto(bytes, SIZE, b);
        best[1] = fmin(best[1], processor_time() - began);
    }
    printf("SHA-256, ours %.0f MB/s", (double)SIZE / best[0] / 1e6);
    if (libcrypto)
        printf(", libcrypto %.0f MB/s, %s", (double)SIZE / best[1] / 1e6,
               memcmp(a, b, sizeof a) ? "NOT equal" : "equal");
    puts("");
    free(bytes);
}

/* ---- Kernel PCA ------------------------------------------------------------------------------ */

typedef void dsyevr(const char *job, const char *range, const char *triangle, const int *n, double *a, const int *lda,
                    const double *vl, const double *vu, const int *il, const int *iu, const double *tolerance,
                    int *found, double *w, double *z, const int *ldz, int *support, double *work, const int *work_size,
                    int *iwork, const int *iwork_size, int *info);

/* The two leading eigenpairs of the centred matrix by LAPACK; a[n][n] is destroyed. */
static void lapack_pca(dsyevr *solve, double *a, int n, double *vectors)
{
    double none = 0, size = 0, *values = calloc((size_t)n, sizeof *values);
    int first = n - 1, found, integers, info, support[4], ask = -1;
    solve("V", "I", "U", &n, a, &n, &none, &none, &first, &n, &none, &found, values, vectors, &n, support, &size, &ask,
          &integers, &ask, &info);
    int reals = (int)size;
    double *work = calloc((size_t)reals, sizeof *work);
    int *iwork = calloc((size_t)integers, sizeof *iwork);
    solve("V", "I", "U", &n, a, &n, &none, &none, &first, &n, &none, &found, values, vectors, &n, support, work, &reals,
          iwork, &integers, &info);
    if (info || found != 2) exit(1);
    free(values);
    free(work);
    free(iwork);
}

/* Gram matrix of n points of 20 dimensions around six centres, its cosines. */
static void fill_gram(double *k, size_t n)
{
    enum { DIMENSIONS = 20 };
    double(*x)[DIMENSIONS] = calloc(n, sizeof *x);
    unsigned seed = 1;
    for (size_t i = 0; i < n; i++) {
        double norm = 0;
        for (size_t d = 0; d < DIMENSIONS; d++) {
            seed = seed * 1664525u + 1013904223u;
            x[i][d] = seed / 4294967296.0 + (d == i % 6 ? 1 + (double)d / 4 : 0);
            norm += x[i][d] * x[i][d];
        }
        for (size_t d = 0; d < DIMENSIONS; d++) x[i][d] /= sqrt(norm);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            k[i * n + j] = 0;
            for (size_t d = 0; d < DIMENSIONS; d++) k[i * n + j] += x[i][d] * x[j][d];
        }
    free(x);
}

static void centre(const double *k, size_t n, double *a)
{
    double *mean = calloc(n, sizeof *mean), all = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) mean[i] += k[i * n + j] / (double)n;
    for (size_t i = 0; i < n; i++) all += mean[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) a[i * n + j] = k[i * n + j] - mean[i] - mean[j] + all;
    free(mean);
}

static void bench_pca(size_t n)
{
    static const char *const LIBRARIES[] = {"liblapack.so.3", "libopenblas.so.0", NULL};
    dsyevr *solve = NULL;
    leman_context *ctx = bench_context(1);
    double *k = calloc(n * n, sizeof *k), *a = calloc(n * n, sizeof *a), *at = calloc(2 * n, sizeof *at);
    double *vectors = calloc(2 * n, sizeof *vectors), best[2] = {1e9, 1e9};
    lm_kernel_pca about;
    *(void **)&solve = function_of(LIBRARIES, "dsyevr_");
    fill_gram(k, n);
    for (int i = 0; i < TRIES; i++) {
        double began = processor_time();
        bench_check(ctx, lm_kernel_pca_compute(ctx, k, n, at, &about));
        best[0] = fmin(best[0], processor_time() - began);
        began = processor_time();
        if (solve) {
            centre(k, n, a);
            lapack_pca(solve, a, (int)n, vectors);
        }
        best[1] = fmin(best[1], processor_time() - began);
    }
    double cosine = 0, norm = 0;
    for (size_t i = 0; i < n; i++) cosine += at[i] * vectors[n + i], norm += at[i] * at[i];
    printf("kernel PCA of %zu graphs, ours %.3f s", n, best[0]);
    if (solve) printf(", dsyevr %.3f s, first axes %.1g apart", best[1], fabs(1 - fabs(cosine) / sqrt(norm)));
    puts("");
    free(k);
    free(a);
    free(at);
    free(vectors);
    leman_context_free(ctx);
}

int main(void)
{
    bench_zip("ours", zip_leman);
    bench_zip("libzip", zip_libzip);
    bench_sha256();
    bench_pca(1000);
    bench_pca(2000);
}
