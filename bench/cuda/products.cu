/*
 * Which products cuBLASLt has, and how fast: Y = X W' as a layer of a network has it, forward and back, with and
 * without epilogues, in TF32, BF16 and FP32, beside a copy of the same bytes.
 *
 *   nvcc -O3 -arch=sm_90 bench/cuda/products.cu -lcublasLt -o products && ./products [ROWS] [WIDTH]
 *
 * Transposed weights are stored as W', with the inputs of one output far apart. Two maps of one X are one product with
 * twice the columns; that of 2 x WIDTH inputs is the map behind two matrices side by side.
 *
 * Times are the least of ten runs of ten, over several sets of matrices so that none is in the cache.
 */
#include <cublasLt.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        int code = (int)(call);                                                                                        \
        if (code) printf("line %d: status %d\n", __LINE__, code), exit(1);                                             \
    } while (0)

enum { SETS = 4, TURNS = 10 };
static const size_t WORKSPACE = 32u << 20;

struct product {
    const char *name;
    size_t m, n, k; /* as cuBLASLt sees it, column by column: D[m][n] = op(A) op(B) */
    cublasOperation_t a, b;
    cublasLtEpilogue_t end;
    bool add, gradient; /* D is a gradient of weights: floats */
};

static float time_of(cudaStream_t stream, cudaEvent_t *e)
{
    float ms = 0;
    CHECK(cudaEventRecord(e[1], stream));
    CHECK(cudaEventSynchronize(e[1]));
    CHECK(cudaEventElapsedTime(&ms, e[0], e[1]));
    return ms;
}

int main(int argc, char **argv)
{
    const size_t rows = argc > 1 ? atoi(argv[1]) : 73728, width = argc > 2 ? atoi(argv[2]) : 256, most = 2 * width;
    cublasLtHandle_t handle;
    cudaStream_t stream;
    cudaEvent_t e[2];
    void *workspace, *aux, *bias;
    std::vector<char *> x(SETS), g(SETS), y(SETS);
    char *w, *dw;
    CHECK(cublasLtCreate(&handle));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreate(&e[0]));
    CHECK(cudaEventCreate(&e[1]));
    CHECK(cudaMalloc(&workspace, WORKSPACE));
    CHECK(cudaMalloc(&aux, rows * most));
    CHECK(cudaMalloc(&bias, 1 << 16));
    CHECK(cudaMemset(bias, 0, 1 << 16));
    CHECK(cudaMalloc(&w, most * most * 4));
    CHECK(cudaMalloc(&dw, most * most * 4));
    CHECK(cudaMemset(w, 1, most * most * 4));
    for (int s = 0; s < SETS; s++) {
        CHECK(cudaMalloc(&x[s], rows * most * 4));
        CHECK(cudaMalloc(&g[s], rows * most * 4));
        CHECK(cudaMalloc(&y[s], rows * most * 4));
        CHECK(cudaMemset(x[s], 1 + s, rows * most * 4));
        CHECK(cudaMemset(g[s], 2 + s, rows * most * 4));
    }
    CHECK(cudaEventRecord(e[0], stream));
    for (int t = 0; t < 40; t++)
        CHECK(cudaMemcpyAsync(y[t % SETS], x[t % SETS], rows * width * 4, cudaMemcpyDeviceToDevice, stream));
    printf("copy of %zu floats: %.1f us\n", rows * width, 1e3 * time_of(stream, e) / 40);
    const product list[] = {
        {"X W'", width, rows, width, CUBLAS_OP_T, CUBLAS_OP_N, CUBLASLT_EPILOGUE_DEFAULT},
        {"X W' + b", width, rows, width, CUBLAS_OP_T, CUBLAS_OP_N, CUBLASLT_EPILOGUE_BIAS},
        {"ReLU(X W' + b)", width, rows, width, CUBLAS_OP_T, CUBLAS_OP_N, CUBLASLT_EPILOGUE_RELU_BIAS},
        {"X W' + b, W transposed", width, rows, width, CUBLAS_OP_N, CUBLAS_OP_N, CUBLASLT_EPILOGUE_BIAS},
        {"ReLU(X W' + b), W transposed", width, rows, width, CUBLAS_OP_N, CUBLAS_OP_N, CUBLASLT_EPILOGUE_RELU_BIAS},
        {"ReLU(X W' + b), mask kept", width, rows, width, CUBLAS_OP_T, CUBLAS_OP_N, CUBLASLT_EPILOGUE_RELU_AUX_BIAS},
        {"ReLU of two maps", 2 * width, rows, width, CUBLAS_OP_T, CUBLAS_OP_N, CUBLASLT_EPILOGUE_RELU_BIAS},
        {"ReLU of two maps, W transposed", 2 * width, rows, width, CUBLAS_OP_N, CUBLAS_OP_N,
         CUBLASLT_EPILOGUE_RELU_BIAS},
        {"2 x WIDTH inputs", width, rows, 2 * width, CUBLAS_OP_T, CUBLAS_OP_N, CUBLASLT_EPILOGUE_BIAS},
        {"2 x WIDTH inputs, W transposed", width, rows, 2 * width, CUBLAS_OP_N, CUBLAS_OP_N, CUBLASLT_EPILOGUE_BIAS},
        {"G W", width, rows, width, CUBLAS_OP_N, CUBLAS_OP_N, CUBLASLT_EPILOGUE_DEFAULT},
        {"G W, added", width, rows, width, CUBLAS_OP_N, CUBLAS_OP_N, CUBLASLT_EPILOGUE_DEFAULT, true},
        {"G W of two maps", width, rows, 2 * width, CUBLAS_OP_N, CUBLAS_OP_N, CUBLASLT_EPILOGUE_DEFAULT},
        {"G W, W transposed", width, rows, width, CUBLAS_OP_T, CUBLAS_OP_N, CUBLASLT_EPILOGUE_DEFAULT},
        {"the same, masked", width, rows, width, CUBLAS_OP_T, CUBLAS_OP_N, CUBLASLT_EPILOGUE_DRELU},
        {"and summed", width, rows, width, CUBLAS_OP_T, CUBLAS_OP_N, CUBLASLT_EPILOGUE_DRELU_BGRAD},
        {"W not transposed, masked, summed", width, rows, width, CUBLAS_OP_N, CUBLAS_OP_N,
         CUBLASLT_EPILOGUE_DRELU_BGRAD},
        {"G' X", width, width, rows, CUBLAS_OP_N, CUBLAS_OP_T, CUBLASLT_EPILOGUE_DEFAULT, true, true},
        {"G' X of two maps", width, 2 * width, rows, CUBLAS_OP_N, CUBLAS_OP_T, CUBLASLT_EPILOGUE_DEFAULT, true, true},
        {"G' X, with sums of G", width, width, rows, CUBLAS_OP_N, CUBLAS_OP_T, CUBLASLT_EPILOGUE_BGRADB, true, true},
    };
    for (int precision = 0; precision < 3; precision++)
        for (const product &p : list) {
            const bool half = precision == 1;
            const cudaDataType_t type = half ? CUDA_R_16BF : CUDA_R_32F,
                                 result = half && !p.gradient ? type : CUDA_R_32F;
            cublasLtMatmulDesc_t d;
            cublasLtMatrixLayout_t a, b, c;
            cublasLtMatmulPreference_t preference;
            cublasLtMatmulHeuristicResult_t found[8];
            int count = 0;
            const int64_t ld = (int64_t)(p.m + 127) / 128 * 128; /* of masks, in bits: a multiple of 128 */
            CHECK(cublasLtMatmulDescCreate(&d, precision ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_32F_FAST_TF32,
                                           CUDA_R_32F));
            CHECK(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_TRANSA, &p.a, sizeof p.a));
            CHECK(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_TRANSB, &p.b, sizeof p.b));
            CHECK(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_EPILOGUE, &p.end, sizeof p.end));
            if (p.end != CUBLASLT_EPILOGUE_DEFAULT && p.end != CUBLASLT_EPILOGUE_DRELU)
                CHECK(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias));
            if (p.end == CUBLASLT_EPILOGUE_RELU_AUX_BIAS || p.end == CUBLASLT_EPILOGUE_DRELU ||
                p.end == CUBLASLT_EPILOGUE_DRELU_BGRAD) {
                CHECK(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &aux, sizeof aux));
                CHECK(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &ld, sizeof ld));
            }
            CHECK(cublasLtMatrixLayoutCreate(&a, type, p.a == CUBLAS_OP_N ? p.m : p.k, p.a == CUBLAS_OP_N ? p.k : p.m,
                                             p.a == CUBLAS_OP_N ? p.m : p.k));
            CHECK(cublasLtMatrixLayoutCreate(&b, type, p.b == CUBLAS_OP_N ? p.k : p.n, p.b == CUBLAS_OP_N ? p.n : p.k,
                                             p.b == CUBLAS_OP_N ? p.k : p.n));
            CHECK(cublasLtMatrixLayoutCreate(&c, result, p.m, p.n, p.m));
            CHECK(cublasLtMatmulPreferenceCreate(&preference));
            CHECK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &WORKSPACE,
                                                       sizeof WORKSPACE));
            cublasStatus_t st = cublasLtMatmulAlgoGetHeuristic(handle, d, a, b, c, c, preference, 8, found, &count);
            printf("%s %-30s", precision == 0 ? "tf32" : half ? "bf16" : "fp32", p.name);
            if (st || !count) printf(" not there (%d)\n", (int)st);
            const double flops = 2.0 * p.m * p.n * p.k;
            for (int i = 0; i < count; i++) { /* all suggestions */
                float best = 1e9;
                const float one = 1, beta = p.add;
                for (int turn = 0; turn < TURNS; turn++) {
                    CHECK(cudaEventRecord(e[0], stream));
                    for (int t = 0; t < 10; t++) {
                        const void *left = p.gradient ? x[t % SETS] : w,
                                   *right = p.gradient ? g[t % SETS] : x[t % SETS];
                        void *to = p.gradient ? dw : y[t % SETS];
                        if (cublasLtMatmul(handle, d, &one, left, a, right, b, &beta, to, c, to, c, &found[i].algo,
                                           workspace, WORKSPACE, stream)) {
                            best = -1;
                            break;
                        }
                    }
                    const float ms = time_of(stream, e) / 10;
                    if (best > 0 && ms < best) best = ms;
                }
                if (i == 0) printf(" %6.1f us %4.0f TF/s; others:", 1e3 * best, flops / best * 1e-9);
                if (i) printf(" %.1f", 1e3 * best);
            }
            if (count) printf("\n");
        }
    return 0;
}
