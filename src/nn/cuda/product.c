/*
 * Matrix products by cuBLASLt, with bias and ReLU in the epilogue. Matrices are row-major, so the call computes C' = B'
 * A': the first factor of cuBLASLt is our second.
 *
 * An algorithm is chosen once for each kind of product (sizes, layouts, types, epilogue) and stored in a table, since
 * the choice takes far longer than the product. Each stream has a workspace of its own: on this condition cuBLASLt
 * guarantees equal bits.
 */
#include "base/context.h"
#include "base/hash.h"
#include "nn/cuda/cublaslt.h"
#include "nn/cuda/cuda.h"
#include <cuda_runtime_api.h>
#include <string.h>

enum { CHOICES = 1024, WORKSPACE = 32 << 20 };

/* The properties that determine the algorithm; compared as bytes. */
typedef struct kind {
    uint64_t m, n, k, a_stride, b_stride, c_stride;
    uint64_t flags;
} kind;

/* cuBLASLt does not support every product: some of odd sizes with TF32 or with an epilogue are missing. These are
 * computed in FP32, and with our own kernel for the epilogue. */
typedef struct way {
    bool fp32, plain;
} way;

typedef struct choice {
    bool taken;
    kind kind;
    way way;
    cublasLtMatmulAlgo_t algorithm;
} choice;

struct lm_cuda_products {
    lm_cublaslt lt;
    cublasLtHandle_t handle;
    void *workspace[2]; /* of the device's stream, of the second stream */
    choice choice[CHOICES];
};

static void note(lm_cuda *cuda, cublasStatus_t code, const char *what)
{
    lm_device *device = &cuda->device;
    if (code == CUBLAS_STATUS_SUCCESS || !lm_device_failed(device)) return;
    device->status = lm_fail(device->ctx, LEMAN_ERROR_DEVICE, "CUDA device %d (%s): %s: cuBLASLt says %s",
                             device->number, device->name, what, cuda->products->lt.error(code));
}

leman_status lm_cuda_products_new(lm_cuda *cuda)
{
    lm_cuda_products *p = NULL;
    PASS_NEW(cuda->base.ctx, p, 1);
    memset(p, 0, sizeof *p);
    cuda->products = p;
    PASS(lm_cublaslt_load(cuda->base.ctx, &p->lt));
    note(cuda, p->lt.create(&p->handle), "starting");
    PASS(cuda->device.status);
    for (size_t i = 0; i < 1 + (cuda->side.stream != NULL); i++)
        PASS(lm_device_allocate(&cuda->device, WORKSPACE, &p->workspace[i]));
    return LEMAN_OK;
}

void lm_cuda_products_free(lm_cuda *cuda)
{
    lm_cuda_products *p = cuda->products;
    if (!p) return;
    if (p->handle) (void)p->lt.destroy(p->handle);
    for (size_t i = 0; i < 2; i++) lm_device_release(&cuda->device, p->workspace[i]);
    lm_release(p);
    cuda->products = NULL;
}

/* ---- One product ----------------------------------------------------------------------------- */

/* The descriptors of a cuBLASLt call. */
typedef struct call {
    cublasLtMatmulDesc_t operation;
    cublasLtMatrixLayout_t a, b, c; /* of our matrices */
} call;

static cudaDataType_t type_of(bool half)
{
    return half ? CUDA_R_16BF : CUDA_R_32F;
}

/* The layout of a stored matrix of rows x columns, read column by column: its transpose. */
static cublasLtMatrixLayout_t layout(lm_cuda *cuda, bool half, size_t rows, size_t columns, size_t stride)
{
    cublasLtMatrixLayout_t made = NULL;
    note(cuda, cuda->products->lt.layout_new(&made, type_of(half), columns, rows, (int64_t)stride), "a matrix");
    return made;
}

#define SET(attribute, value)                                                                                          \
    note(cuda, cuda->products->lt.operation_set(c->operation, (attribute), &(value), sizeof(value)), "an attribute")

static void describe(lm_cuda *cuda, const lm_cuda_product *p, way w, call *c)
{
    const bool half = p->a.half;
    const cublasComputeType_t compute =
        half || w.fp32 || cuda->precision == LEMAN_PRECISION_FP32 ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_32F_FAST_TF32;
    const cublasOperation_t first = p->b.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    const cublasOperation_t second = p->a.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    const cublasLtEpilogue_t end = w.plain              ? CUBLASLT_EPILOGUE_DEFAULT
                                   : p->bias && p->relu ? CUBLASLT_EPILOGUE_RELU_BIAS
                                   : p->bias            ? CUBLASLT_EPILOGUE_BIAS
                                   : p->relu            ? CUBLASLT_EPILOGUE_RELU
                                                        : CUBLASLT_EPILOGUE_DEFAULT;
    note(cuda, cuda->products->lt.operation_new(&c->operation, compute, CUDA_R_32F), "a product");
    SET(CUBLASLT_MATMUL_DESC_TRANSA, first);
    SET(CUBLASLT_MATMUL_DESC_TRANSB, second);
    SET(CUBLASLT_MATMUL_DESC_EPILOGUE, end);
    if (p->bias && !w.plain) SET(CUBLASLT_MATMUL_DESC_BIAS_POINTER, p->bias);
    c->a = layout(cuda, p->a.half, p->a.transposed ? p->k : p->m, p->a.transposed ? p->m : p->k, p->a.stride);
    c->b = layout(cuda, p->b.half, p->b.transposed ? p->n : p->k, p->b.transposed ? p->k : p->n, p->b.stride);
    c->c = layout(cuda, p->c_half, p->m, p->n, p->c_stride);
}

static void forget(const lm_cublaslt *lt, call *c)
{
    if (c->a) (void)lt->layout_free(c->a);
    if (c->b) (void)lt->layout_free(c->b);
    if (c->c) (void)lt->layout_free(c->c);
    if (c->operation) (void)lt->operation_free(c->operation);
    *c = (call){0};
}

/* Returns the largest power of two up to 256 that divides the address; the second function, its logarithm. */
static uint32_t alignment(const void *pointer)
{
    uint32_t bytes = 256;
    while ((uintptr_t)pointer % bytes) bytes /= 2;
    return bytes;
}
static uint64_t alignment_bits(const void *pointer)
{
    return (uint64_t)__builtin_ctz(alignment(pointer));
}

static kind kind_of(const lm_cuda *cuda, const lm_cuda_product *p)
{
    const uint64_t flags = (uint64_t)p->a.transposed | (uint64_t)p->b.transposed << 1 | (uint64_t)p->a.half << 2 |
                           (uint64_t)p->c_half << 3 | (uint64_t)p->add << 4 | (uint64_t)p->relu << 5 |
                           (uint64_t)(p->bias != NULL) << 6 | (uint64_t)cuda->precision << 7 |
                           alignment_bits(p->a.data) << 9 | alignment_bits(p->b.data) << 13 |
                           alignment_bits(p->c) << 17 | (p->bias ? alignment_bits(p->bias) : 0) << 21;
    return (kind){p->m, p->n, p->k, p->a.stride, p->b.stride, p->c_stride, flags};
}

#define PREFER(attribute, value)                                                                                       \
    note(cuda, lt->preference_set(preference, (attribute), &(value), sizeof(value)), "a preference")

/* Gets the first suggestion of cuBLASLt. Returns false if there is none. */
static bool suggest(lm_cuda *cuda, const lm_cuda_product *p, const call *c, cublasLtMatmulAlgo_t *algorithm)
{
    const lm_cublaslt *lt = &cuda->products->lt;
    cublasLtMatmulPreference_t preference = NULL;
    cublasLtMatmulHeuristicResult_t found;
    const size_t workspace = WORKSPACE;
    int count = 0;
    note(cuda, lt->preference_new(&preference), "a preference");
    const uint32_t first = alignment(p->b.data), second = alignment(p->a.data), third = alignment(p->c);
    PREFER(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspace);
    PREFER(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, first);
    PREFER(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, second);
    PREFER(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, third);
    PREFER(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, third);
    const bool works = !cuda->device.status &&
                       lt->suggest(cuda->products->handle, c->operation, c->b, c->a, c->c, c->c, preference, 1, &found,
                                   &count) == CUBLAS_STATUS_SUCCESS &&
                       count > 0;
    if (preference) (void)lt->preference_free(preference);
    if (works) *algorithm = found.algo;
    return works;
}

/* Returns the choice for this product: a stored one, or the first way that cuBLASLt supports. *c describes the call. */
static const choice *choose(lm_cuda *cuda, const lm_cuda_product *p, call *c)
{
    static const way WAYS[] = {{false, false}, {true, false}, {true, true}};
    const kind wanted = kind_of(cuda, p);
    size_t at = lm_checksum(&wanted, sizeof wanted, 0) % CHOICES, steps = 0;
    choice *table = cuda->products->choice, made = {.taken = true, .kind = wanted};
    for (; table[at].taken && steps < CHOICES; at = (at + 1) % CHOICES, steps++)
        if (!memcmp(&table[at].kind, &wanted, sizeof wanted)) {
            describe(cuda, p, table[at].way, c);
            return table + at;
        }
    if (steps == CHOICES) memset(table, 0, CHOICES * sizeof *table); /* full: start again */
    for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS && !cuda->device.status; i++) {
        made.way = WAYS[i];
        describe(cuda, p, made.way, c);
        if (suggest(cuda, p, c, &made.algorithm)) {
            table[at] = made;
            return table + at;
        }
        forget(&cuda->products->lt, c);
    }
    note(cuda, CUBLAS_STATUS_NOT_SUPPORTED, "choosing an algorithm for a product");
    return NULL;
}

void lm_cuda_multiply(lm_cuda *cuda, const lm_cuda_product *p)
{
    call c = {0};
    const float one = 1, addend = p->add ? 1 : 0;
    if (!p->m || !p->n || !p->k || cuda->device.status) return;
    const choice *chosen = choose(cuda, p, &c);
    const bool ready = chosen && !cuda->device.status;
    if (ready)
        note(cuda,
             cuda->products->lt.multiply(cuda->products->handle, c.operation, &one, p->b.data, c.b, p->a.data, c.a,
                                         &addend, p->c, c.c, p->c, c.c, &chosen->algorithm,
                                         cuda->products->workspace[cuda->side.current], WORKSPACE,
                                         (cudaStream_t)cuda->device.stream),
             "a product");
    forget(&cuda->products->lt, &c);
    const lm_tensor product = {p->c, p->m, p->n, p->c_stride};
    if (ready && chosen->way.plain && (p->bias || p->relu))
        lm_cuda_finish_product(cuda, &product, p->c_half, p->bias, p->relu ? LM_RELU : LM_IDENTITY);
}
