/*
 * Sums over lists of rows in the caller's memory (nn/row_sum.c has the formula). A row is processed by 8, 16 or 32 lanes,
 * which read the rows of its list in their order, four at once: two runs give the same bits.
 */
#include "nn/cuda/rows.h"
extern "C" {
#include "nn/row_sum.h"
}

/* V numbers at once: 16 bytes, or one number if rows are not aligned. */
template <class T, int V> static __device__ __forceinline__ void add_row(T (&sum)[V], const raw<T, V> &row, T factor)
{
    T numbers[V];
    memcpy(numbers, &row, sizeof numbers);
    for (int n = 0; n < V; n++) sum[n] += factor * numbers[n];
}

template <class T, int V> static __device__ __forceinline__ void store_raw(T *to, const raw<T, V> &from)
{
    *reinterpret_cast<uint4 *>(to) = from.word;
}
template <class T> static __device__ __forceinline__ void store_raw(T *to, const raw<T, 1> &from)
{
    *to = from.number;
}

template <class T, int V>
static __global__ void sum_lists(leman_row_lists l, const T *x, size_t width, const T *epsilon, T *y)
{
    const T own = epsilon ? 1 + *epsilon : 0, *weight = (const T *)l.weight;
    for (size_t r = (size_t)blockIdx.x * blockDim.y + threadIdx.y; r < l.rows; r += (size_t)gridDim.x * blockDim.y)
        for (size_t c = threadIdx.x * V; c < width; c += blockDim.x * V) {
            const int64_t end = l.start[r + 1];
            T sum[V] = {};
            raw<T, V> rows[LM_CUDA_AHEAD] = {};
            if (epsilon) {
                load_raw(x + r * width + c, rows);
                add_row<T, V>(sum, rows[0], own);
            }
            for (int64_t i = l.start[r]; i < end; i += LM_CUDA_AHEAD) {
                T factor[LM_CUDA_AHEAD] = {};
                LM_UNROLLED_FOR (int j = 0; j < LM_CUDA_AHEAD; j++)
                    if (i + j < end) {
                        load_raw(x + (size_t)l.other[i + j] * width + c, rows + j);
                        factor[j] = weight ? weight[i + j] : 1;
                    }
                LM_UNROLLED_FOR (int j = 0; j < LM_CUDA_AHEAD; j++)
                    if (i + j < end) add_row<T, V>(sum, rows[j], factor[j]);
            }
            memcpy(rows, sum, sizeof sum);
            store_raw(y + r * width + c, rows[0]);
        }
}

template <class T, int V> static void launch(const lm_row_sum *s)
{
    const dim3 block = block_for(s->width, V, LM_CUDA_ROWS * LM_CUDA_LANES);
    const size_t wanted = (s->lists.rows + block.y - 1) / block.y, most = 1 << 16;
    const dim3 grid((unsigned)(wanted < most ? wanted : most));
    LM_LAUNCH((sum_lists<T, V>), grid, block, s->lists.stream, s->lists, (const T *)s->x, s->width,
              (const T *)s->epsilon, (T *)s->y);
}

template <class T> static void launch_for(const lm_row_sum *s)
{
    enum { WIDE = 16 / sizeof(T) };
    const bool aligned = s->width % WIDE == 0 && (uintptr_t)s->x % 16 == 0 && (uintptr_t)s->y % 16 == 0;
    if (aligned)
        launch<T, WIDE>(s);
    else
        launch<T, 1>(s);
}

/* The device that was the caller's is current again at the end. */
extern "C" leman_status lm_cuda_row_sum(leman_context *ctx, const lm_row_sum *s)
{
    lm_device device = {};
    int before = 0;
    device.ctx = ctx;
    device.number = s->lists.device_number;
    if (!s->lists.rows || !s->width) return LEMAN_OK;
    lm_device_result(&device, (int)cudaGetDevice(&before), "finding the device of the caller");
    if (device.status) return device.status;
    lm_device_result(&device, (int)cudaSetDevice(device.number), "opening it");
    if (device.status) return device.status;
    if (s->number == LEMAN_NUMBER_FLOAT32)
        launch_for<float>(s);
    else
        launch_for<double>(s);
    lm_device_result(&device, (int)cudaGetLastError(), "neighbor_sum");
    lm_device_result(&device, (int)cudaSetDevice(before), "returning to the device of the caller");
    return device.status;
}
