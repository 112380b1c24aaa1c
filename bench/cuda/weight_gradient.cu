/*
 * Gradients of weights in TF32, nn/cuda/weight_gradient.cu, beside cuBLASLt: time by rows, sizes and number of parts,
 * and the error against double precision.
 *
 *   nvcc -O3 -std=c++17 -arch=sm_90 -Iinclude -Isrc bench/cuda/weight_gradient.cu -lcublasLt -o weight_gradient
 *   ./weight_gradient
 *
 * Times are the least of ten runs of a CUDA graph of 40 gradients, over several sets of matrices, as a step has them.
 */
#include "nn/cuda/weight_gradient.cu"
#include <cublasLt.h>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        int code = (int)(call);                                                                                        \
        if (code) printf("line %d: status %d\n", __LINE__, code), exit(1);                                             \
    } while (0)

enum { SETS = 4, TURNS = 10, REPEATS = 40 };
static const size_t WORKSPACE = 32u << 20;

/* What the library calls; products that are not for it do not come here. */
extern "C" void lm_device_launched(lm_device *, const char *)
{
    CHECK(cudaGetLastError());
}
extern "C" void lm_cuda_multiply(lm_cuda *, const lm_cuda_product *)
{
    exit(1);
}

static cudaStream_t stream;

template <class F> static float least(F run)
{
    cudaGraph_t graph;
    cudaGraphExec_t made;
    cudaEvent_t event[2];
    float best = 1e9f;
    CHECK(cudaEventCreate(&event[0]));
    CHECK(cudaEventCreate(&event[1]));
    run(0);
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < REPEATS; i++) run(i % SETS);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&made, graph, 0));
    for (int turn = 0; turn < TURNS; turn++) {
        float ms = 0;
        CHECK(cudaEventRecord(event[0], stream));
        CHECK(cudaGraphLaunch(made, stream));
        CHECK(cudaEventRecord(event[1], stream));
        CHECK(cudaEventSynchronize(event[1]));
        CHECK(cudaEventElapsedTime(&ms, event[0], event[1]));
        best = fminf(best, ms / REPEATS);
    }
    CHECK(cudaGraphExecDestroy(made));
    CHECK(cudaGraphDestroy(graph));
    return 1e3f * best;
}

/* dW += G' X by cuBLASLt: column by column dW' += X' G. */
struct library {
    cublasLtHandle_t handle;
    cublasLtMatmulDesc_t operation;
    cublasLtMatrixLayout_t x, g, w;
    cublasLtMatmulHeuristicResult_t found;
    void *workspace;

    void prepare(size_t rows, size_t m, size_t n)
    {
        const cublasOperation_t transposed = CUBLAS_OP_T;
        cublasLtMatmulPreference_t preference;
        int count = 0;
        CHECK(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F));
        CHECK(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSB, &transposed, sizeof transposed));
        CHECK(cublasLtMatrixLayoutCreate(&x, CUDA_R_32F, n, rows, (int64_t)n));
        CHECK(cublasLtMatrixLayoutCreate(&g, CUDA_R_32F, m, rows, (int64_t)m));
        CHECK(cublasLtMatrixLayoutCreate(&w, CUDA_R_32F, n, m, (int64_t)n));
        CHECK(cublasLtMatmulPreferenceCreate(&preference));
        CHECK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &WORKSPACE,
                                                   sizeof WORKSPACE));
        CHECK(cublasLtMatmulAlgoGetHeuristic(handle, operation, x, g, w, w, preference, 1, &found, &count));
    }
    void run(const float *left, const float *right, float *to)
    {
        const float one = 1;
        CHECK(cublasLtMatmul(handle, operation, &one, right, x, left, g, &one, to, w, to, w, &found.algo, workspace,
                             WORKSPACE, stream));
    }
};

/* The largest error, in units of 2^-11 of the sum of absolute values. */
static double error_of(const float *device, const std::vector<float> &g, const std::vector<float> &x, size_t rows,
                       size_t m, size_t n)
{
    std::vector<float> got(m * n);
    double most = 0;
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(got.data(), device, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < m * n; i += 7) {
        double sum = 0, size = 0;
        for (size_t r = 0; r < rows; r++) {
            const double product = (double)g[r * m + i / n] * x[r * n + i % n];
            sum += product, size += fabs(product);
        }
        most = fmax(most, fabs(got[i] - sum) / size * 0x1p11);
    }
    return most;
}

static void measure(lm_cuda *cuda, library *lt, size_t rows, size_t m, size_t n)
{
    std::vector<float> left(rows * m), right(rows * n);
    float *g[SETS], *x[SETS], *to, *work;
    uint64_t state = 1;
    for (std::vector<float> *v : {&left, &right})
        for (float &number : *v) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            number = (float)((double)(state >> 11) * 0x1p-52 - 1);
        }
    for (int s = 0; s < SETS; s++) {
        CHECK(cudaMalloc(&g[s], left.size() * sizeof(float)));
        CHECK(cudaMalloc(&x[s], right.size() * sizeof(float)));
        CHECK(cudaMemcpy(g[s], left.data(), left.size() * sizeof(float), cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(x[s], right.data(), right.size() * sizeof(float), cudaMemcpyHostToDevice));
    }
    CHECK(cudaMalloc(&to, m * n * sizeof(float)));
    CHECK(cudaMalloc(&work, (size_t)PARTS * (m * n + 4) * sizeof(float)));
    lt->prepare(rows, m, n);
    const size_t usual = most_parts(rows);
    auto ours = [&](int s, size_t most) {
        const lm_tensor one = {g[s], rows, m, m}, other = {x[s], rows, n, n};
        add_by_parts(cuda, one, other, most, to, work);
    };
    CHECK(cudaMemsetAsync(to, 0, m * n * sizeof(float), stream));
    ours(0, usual);
    const double error = error_of(to, left, right, rows, m, n);
    printf("%6zu rows %3zu x %3zu: cuBLASLt %5.1f us, ours %5.1f us in %3zu parts (error %.3f); others:", rows, m, n,
           least([&](int s) { lt->run(g[s], x[s], to); }), least([&](int s) { ours(s, usual); }), usual, error);
    for (size_t most = 1; most <= PARTS; most += most < 32 ? most : 32)
        if (rows / most >= DEPTH && rows / most <= 4096)
            printf(" %zu: %.1f", most, least([&](int s) { ours(s, most); }));
    printf("\n");
    for (int s = 0; s < SETS; s++) {
        CHECK(cudaFree(g[s]));
        CHECK(cudaFree(x[s]));
    }
    CHECK(cudaFree(to));
    CHECK(cudaFree(work));
}

int main()
{
    static const size_t ROWS[] = {64, 256, 512, 1216, 5120, 20480, 70656};
    static const size_t SIZES[][2] = {{64, 64}, {64, 9}, {32, 32}, {128, 64}, {192, 64}, {128, 128}, {256, 128}};
    lm_cuda cuda = {};
    library lt = {};
    CHECK(cudaStreamCreate(&stream));
    CHECK(cublasLtCreate(&lt.handle));
    CHECK(cudaMalloc(&lt.workspace, WORKSPACE));
    cuda.device.stream = stream;
    cuda.precision = LEMAN_PRECISION_TF32;
    for (const size_t *size : SIZES)
        for (size_t rows : ROWS) measure(&cuda, &lt, rows, size[0], size[1]);
    return 0;
}
