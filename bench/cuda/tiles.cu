/*
 * FP32 products with what stands beside them, nn/cuda/tiles.h, beside cuBLASLt: time, and the error against double
 * precision.
 *
 *   nvcc -O3 -std=c++17 -arch=sm_90 -Isrc bench/cuda/tiles.cu -lcublasLt -o tiles && ./tiles [ROWS]
 *
 * Times are the least of ten runs of ten, over several sets of matrices so that none is in the cache.
 */
#include "nn/cuda/tiles.h"
#include <cublasLt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        int code = (int)(call);                                                                                        \
        if (code) printf("line %d: status %d\n", __LINE__, code), exit(1);                                             \
    } while (0)

enum { SETS = 4, TURNS = 10 };

static cudaStream_t stream;
static cudaEvent_t event[2];

template <class F> static float least(F run)
{
    float best = 1e9f;
    for (int turn = 0; turn < TURNS; turn++) {
        float ms = 0;
        CHECK(cudaEventRecord(event[0], stream));
        for (int t = 0; t < 10; t++) run(t % SETS);
        CHECK(cudaEventRecord(event[1], stream));
        CHECK(cudaEventSynchronize(event[1]));
        CHECK(cudaEventElapsedTime(&ms, event[0], event[1]));
        best = fminf(best, ms / 10);
    }
    CHECK(cudaGetLastError());
    return 1e3f * best;
}

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}
static double normal(uint64_t *state)
{
    return sqrt(-2 * log(1 - uniform(state))) * cos(6.283185307179586 * uniform(state));
}

static void launch(const lm_tile_product &product, bool transposed)
{
    lm_tile_product p = product;
    const lm_tile_rows rows = lm_tile_cut(p.m, p.n);
    const unsigned columns = (p.n + LM_TILE - 1) / LM_TILE, blocks = (rows.whole + rows.half) * columns;
    p.whole = rows.whole * columns;
    if (p.mask && transposed)
        LM_LAUNCH_WAITING((multiply_tile<true, true>), blocks, LM_TILE_THREADS, stream, p);
    else if (p.mask)
        LM_LAUNCH_WAITING((multiply_tile<false, true>), blocks, LM_TILE_THREADS, stream, p);
    else if (transposed)
        LM_LAUNCH_WAITING((multiply_tile<true, false>), blocks, LM_TILE_THREADS, stream, p);
    else
        LM_LAUNCH_WAITING((multiply_tile<false, false>), blocks, LM_TILE_THREADS, stream, p);
}

/* Y = X W' in FP32 by cuBLASLt. */
static void library(cublasLtHandle_t handle, const float *x, const float *w, float *y, size_t m, size_t n, size_t k,
                    cublasComputeType_t compute, void *workspace)
{
    static cublasLtMatmulHeuristicResult_t found[2];
    static size_t known[2];
    const int which = compute == CUBLAS_COMPUTE_32F;
    cublasLtMatmulDesc_t d;
    cublasLtMatrixLayout_t a, b, c;
    const cublasOperation_t transposed = CUBLAS_OP_T;
    const float one = 1, zero = 0;
    const size_t bytes = 32u << 20;
    CHECK(cublasLtMatmulDescCreate(&d, compute, CUDA_R_32F));
    CHECK(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed));
    CHECK(cublasLtMatrixLayoutCreate(&a, CUDA_R_32F, k, n, k));
    CHECK(cublasLtMatrixLayoutCreate(&b, CUDA_R_32F, k, m, k));
    CHECK(cublasLtMatrixLayoutCreate(&c, CUDA_R_32F, n, m, n));
    if (known[which] != k) {
        cublasLtMatmulPreference_t preference;
        int count = 0;
        CHECK(cublasLtMatmulPreferenceCreate(&preference));
        CHECK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes,
                                                   sizeof bytes));
        CHECK(cublasLtMatmulAlgoGetHeuristic(handle, d, a, b, c, c, preference, 1, found + which, &count));
        known[which] = k;
    }
    CHECK(cublasLtMatmul(handle, d, &one, w, a, x, b, &zero, y, c, y, c, &found[which].algo, workspace, bytes, stream));
    cublasLtMatrixLayoutDestroy(a), cublasLtMatrixLayoutDestroy(b), cublasLtMatrixLayoutDestroy(c);
    cublasLtMatmulDescDestroy(d);
}

/* The largest and the mean square error of the first rows, in units of 2^-24 of the sum of |x| |w|. */
static void compare(const char *name, const float *device, const std::vector<double> &exact,
                    const std::vector<double> &size)
{
    std::vector<float> got(exact.size());
    double most = 0, square = 0;
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(got.data(), device, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < got.size(); i++) {
        const double error = fabs(got[i] - exact[i]) / size[i] * 0x1p24;
        most = fmax(most, error);
        square += error * error;
    }
    printf("  %-28s error %10.3f at most, %9.3f on average (units of 2^-24 of the sum of absolute values)\n", name,
           most, sqrt(square / (double)got.size()));
}

static void accuracy(cublasLtHandle_t handle, const std::vector<float> &x, const std::vector<float> &w, float *dx,
                     float *dw, float *dy, size_t m, size_t n, size_t k, void *workspace)
{
    enum { ROWS = 300 };
    std::vector<double> exact(ROWS * n), size(ROWS * n);
    for (size_t r = 0; r < ROWS; r++)
        for (size_t c = 0; c < n; c++)
            for (size_t i = 0; i < k; i++) {
                const double product = (double)x[r * k + i] * w[c * k + i];
                exact[r * n + c] += product;
                size[r * n + c] += fabs(product);
            }
    lm_tile_product p = {};
    p.a = dx, p.b = dw, p.c = dy;
    p.m = (uint32_t)m, p.n = p.c_stride = (uint32_t)n, p.k = p.a_stride = p.b_stride = (uint32_t)k;
    library(handle, dx, dw, dy, m, n, k, CUBLAS_COMPUTE_32F, workspace);
    compare("cuBLASLt FP32", dy, exact, size);
    launch(p, true);
    compare("tiles", dy, exact, size);
    library(handle, dx, dw, dy, m, n, k, CUBLAS_COMPUTE_32F_FAST_TF32, workspace);
    compare("cuBLASLt TF32", dy, exact, size);
}

int main(int argc, char **argv)
{
    const size_t m = argc > 1 ? (size_t)atoi(argv[1]) : 70656, n = 256, k = 256;
    cublasLtHandle_t handle;
    void *workspace;
    float *x[SETS], *g[SETS], *y[SETS], *w, *bias, *sums;
    uint64_t state = 1;
    std::vector<float> hx(m * 512), hw(512 * 512);
    CHECK(cublasLtCreate(&handle));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreate(&event[0]));
    CHECK(cudaEventCreate(&event[1]));
    CHECK(cudaMalloc(&workspace, 32u << 20));
    CHECK(cudaMalloc(&w, hw.size() * 4));
    CHECK(cudaMalloc(&bias, 4096));
    CHECK(cudaMemset(bias, 0, 4096));
    CHECK(cudaMalloc(&sums, (2 * m / LM_TILE + 1) * 512 * 4));
    for (float &v : hw) v = (float)((2 * uniform(&state) - 1) / 16);
    for (float &v : hx) v = (float)normal(&state);
    CHECK(cudaMemcpy(w, hw.data(), hw.size() * 4, cudaMemcpyHostToDevice));
    for (int s = 0; s < SETS; s++) {
        CHECK(cudaMalloc(&x[s], m * 512 * 4));
        CHECK(cudaMalloc(&g[s], m * 512 * 4));
        CHECK(cudaMalloc(&y[s], m * 512 * 4));
        CHECK(cudaMemcpy(x[s], hx.data(), m * 512 * 4, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(g[s], hx.data(), m * 512 * 4, cudaMemcpyHostToDevice));
    }
    printf("numbers of both signs:\n");
    accuracy(handle, hx, hw, x[0], w, y[0], m, n, k, workspace);
    std::vector<float> px(hx), pw(hw);
    for (float &v : px) v = fabsf(v);
    for (float &v : pw) v = fabsf(v);
    CHECK(cudaMemcpy(x[0], px.data(), px.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(w, pw.data(), pw.size() * 4, cudaMemcpyHostToDevice));
    printf("positive numbers:\n");
    accuracy(handle, px, pw, x[0], w, y[0], m, n, k, workspace);
    for (size_t wide = 256; wide <= 512; wide *= 2) {
        for (int way = 0; way < 3; way++) {
            lm_tile_product p = {};
            p.m = (uint32_t)m, p.n = 256, p.k = (uint32_t)wide;
            if (wide == 512 && way == 2) p.n = 512, p.k = 256; /* back through the wide one */
            p.a_stride = p.k, p.c_stride = p.n, p.b = w;
            if (way == 1) p.bias = bias, p.relu = true;
            if (way == 2) p.sums = sums, p.mask_stride = p.n;
            const double flops = 2.0 * p.m * p.n * p.k;
            float took[2];
            for (int transposed = 0; transposed < 2; transposed++)
                took[transposed] = least([&](int s) {
                    p.a = g[s], p.c = y[s], p.mask = way == 2 ? x[s] : NULL;
                    p.b_stride = transposed ? p.k : p.n;
                    launch(p, transposed);
                });
            printf("%zu x %u -> %u %-16s W transposed %6.1f us %4.0f TF/s, as it is %6.1f us %4.0f TF/s\n", m, p.k, p.n,
                   way == 0   ? "plain"
                   : way == 1 ? "bias, ReLU"
                              : "masked, summed",
                   took[1], flops / took[1] * 1e-6, took[0], flops / took[0] * 1e-6);
        }
        const float fp32 =
            least([&](int s) { library(handle, g[s], w, y[s], m, 256, wide, CUBLAS_COMPUTE_32F, workspace); });
        printf("cuBLASLt, plain: %.1f us\n", fp32);
    }
    return 0;
}
