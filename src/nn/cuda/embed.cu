/* Look-up: Y[r] = W[index[r]]. Backward: dW[t] += the sum of dY[r] over the rows of type t. */
#include "nn/cuda/by_type.h"

/* ---- Forward --------------------------------------------------------------------------------- */

template <class T, int V> static __global__ void look_up(view<T> y, const uint32_t *index, const float *table)
{
    lm_after_previous();
    FOR_ROWS (r, y.rows) {
        const uint32_t type = index ? index[r] : r;
        FOR_COLUMNS (c, y.width) {
            pack<T, V> p = {};
            floats<V> row = {};
            if (type != LM_NO_TYPE) row = load_floats<V>(table + (size_t)type * y.width + c);
            for (int i = 0; i < V; i++) p.at[i] = row.at[i];
            store<T, V>(y.row(r) + c, p);
        }
    }
}

void lm_cuda_embed_forward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor y = f->out[0];
    const bool half = half_of(cuda, f);
    LAUNCH_ROWS(cuda, half, are_wide(half, y), y.rows, (look_up<T, V>), y, lm_frame_index(f), f->weight[0]);
}

/* ---- Backward -------------------------------------------------------------------------------- */

/* The rows of dY by the type that they looked up. */
template <class T> struct looked_up {
    view<T> g;
    const uint32_t *index;
    __device__ __forceinline__ uint32_t type(uint32_t r) const
    {
        return index ? index[r] : r;
    }
    __device__ __forceinline__ float number(uint32_t r, uint32_t c) const
    {
        return to_float(g.row(r)[c]);
    }
};

/* For rows that were sorted by type with the batch. Block (piece, columns) sums each run of its piece. */
template <class T, int V>
static __global__ void sum_runs(view<T> g, const uint32_t *index, lm_cuda_sorted s, float *sums)
{
    lm_after_previous();
    const uint32_t c = (blockIdx.y * blockDim.x + threadIdx.x) * V, known = s.count[0];
    const uint32_t first = blockIdx.x * LM_CUDA_PIECE, last = first + LM_CUDA_PIECE, end = last < known ? last : known;
    if (first >= known || c >= g.width) return;
    uint32_t run = s.piece_run[blockIdx.x], type = s.run_type[run];
    float sum[V] = {};
    for (uint32_t at = first; at < end; at += LM_CUDA_AHEAD) {
        pack<T, V> p[LM_CUDA_AHEAD] = {};
        uint32_t of[LM_CUDA_AHEAD];
        LM_UNROLLED_FOR (uint32_t j = 0; j < LM_CUDA_AHEAD; j++) {
            const uint32_t r = s.order[at + j < end ? at + j : at];
            of[j] = index[r];
            if (at + j < end) p[j] = load<T, V>(g.row(r) + c);
        }
        LM_UNROLLED_FOR (uint32_t j = 0; j < LM_CUDA_AHEAD; j++) {
            if (at + j >= end) continue;
            if (of[j] != type) {
                for (int i = 0; i < V; i++) sums[(size_t)run * g.width + c + i] = sum[i], sum[i] = 0;
                run++;
                type = of[j];
            }
            for (int i = 0; i < V; i++) sum[i] += p[j].at[i];
        }
    }
    for (int i = 0; i < V; i++) sums[(size_t)run * g.width + c + i] = sum[i];
}

enum { RUN_WARPS = 8 };

/* Returns the first run whose type is at least `type`. */
static __device__ uint32_t first_run(const uint32_t *run_type, uint32_t runs, uint32_t type)
{
    uint32_t first = 0, end = runs;
    while (first < end) {
        const uint32_t middle = (first + end) / 2;
        if (run_type[middle] < type)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Block (type, 32 columns) adds the runs of the type in their order. */
static __global__ void add_runs(lm_cuda_sorted s, const float *sums, uint32_t width, float *table)
{
    lm_after_previous();
    LM_SHARED(double, held, RUN_WARPS *LM_WARP);
    const uint32_t type = blockIdx.x, c = blockIdx.y * LM_WARP + threadIdx.x, runs = s.count[1];
    const uint32_t first = first_run(s.run_type, runs, type), end = first_run(s.run_type, runs, type + 1);
    double sum = 0;
    for (uint32_t run = first + threadIdx.y; run < end; run += LM_CUDA_AHEAD * RUN_WARPS) {
        float number[LM_CUDA_AHEAD] = {};
        LM_UNROLLED_FOR (uint32_t j = 0; j < LM_CUDA_AHEAD; j++)
            if (run + j * RUN_WARPS < end && c < width) number[j] = sums[(size_t)(run + j * RUN_WARPS) * width + c];
        LM_UNROLLED_FOR (int j = 0; j < LM_CUDA_AHEAD; j++) sum += number[j];
    }
    held[threadIdx.y * LM_WARP + threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0 && c < width) {
        for (int y = 1; y < RUN_WARPS; y++) sum += held[y * LM_WARP + threadIdx.x];
        table[(size_t)type * width + c] += (float)sum;
    }
}

static bool is_sorted(const lm_step *step)
{
    return step->index == LM_INDEX_TUPLE_TYPE || step->index == LM_INDEX_VERTEX_TYPE ||
           step->index == LM_INDEX_LISTED_TYPE;
}

size_t lm_cuda_embed_workspace(const lm_cuda *cuda, const lm_frame *f)
{
    const lm_weight *table = lm_program_weight(f->program, f->step->weight[0]);
    (void)cuda;
    if (is_sorted(f->step)) return (lm_cuda_pieces(f->out[0].rows) + table->rows) * table->columns * sizeof(float);
    return type_parts_bytes(table->rows, table->columns);
}

static void back_sorted(lm_cuda *cuda, const lm_frame *f, size_t types)
{
    const lm_tensor g = f->out_gradient[0];
    const lm_row_space space = space_of(f, f->step->output[0]);
    const bool half = lm_cuda_half(cuda, space);
    float *sums = (float *)f->workspace;
    with_kind(half, are_wide(half, g), [&](auto k) {
        KIND(k);
        const unsigned threads = 64, tiles = (unsigned)((g.width + threads * V - 1) / (threads * V));
        LM_LAUNCH_EARLY((sum_runs<T, V>), dim3((unsigned)lm_cuda_pieces(g.rows), tiles), dim3(threads), &cuda->device,
                        g, lm_frame_index(f), cuda->sorted[space], sums);
    });
    LM_LAUNCH_EARLY_WAITING(add_runs, dim3((unsigned)types, (unsigned)((g.width + LM_WARP - 1) / LM_WARP)),
                            dim3(LM_WARP, RUN_WARPS), &cuda->device, cuda->sorted[space], (const float *)sums,
                            (uint32_t)g.width, f->weight_gradient[0]);
}

void lm_cuda_embed_backward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor g = f->out_gradient[0];
    const size_t types = lm_program_weight(f->program, f->step->weight[0])->rows;
    if (!g.rows || !types || !f->weight_gradient[0]) return;
    if (is_sorted(f->step)) {
        back_sorted(cuda, f, types);
        return;
    }
    if (f->step->index == LM_INDEX_LABEL) { /* row l is W[l] */
        lm_cuda_add_parts(cuda, g.data, 1, 0, 0, g.rows * g.width, f->weight_gradient[0]);
        return;
    }
    with_kind(half_of(cuda, f), false, [&](auto k) {
        KIND(k);
        const looked_up<T> source = {g, lm_frame_index(f)};
        add_by_type(cuda, source, g.rows, g.width, types, (float *)f->workspace, f->weight_gradient[0]);
    });
}
