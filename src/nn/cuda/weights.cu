/*
 * Copies of weights in the layouts that products read. Weights change once per step, so one kernel makes all copies
 * that a program needs before it runs, with a block for each tile:
 *
 *   transposed  for dX = G W. TF32 products on Hopper need the inner dimension fastest in both factors
 *   rounded     to bfloat16, with their biases, if values have 16 bits; rows of odd length have zeros in front
 *
 * A copy has the offset of its weight in the block of all weights, which gives it twice the capacity it needs. The list
 * of weights to copy is an argument of the kernel, WEIGHTS at a time. FP32 products read the weights themselves.
 */
#include "nn/cuda/rows.h"

enum { TILE = 32, WEIGHTS = 128 };

/* One weight [rows][columns]. */
struct weight_copy {
    size_t offset;
    uint32_t rows, columns;
    uint32_t first; /* first tile */
    uint8_t lead;
    bool half;
};

struct weight_copies {
    const float *weights;
    float *transposed, *rounded;
    uint32_t count, tiles;
    weight_copy copy[WEIGHTS];
};
static_assert(sizeof(weight_copies) <= 4096, "what a kernel takes as arguments");

/* Returns the distance in numbers between copies of the two kinds; a multiple of 256 bytes, to keep the alignment. */
static size_t numbers_of(const lm_program *program)
{
    return (program->numbers + 63) / 64 * 64;
}

size_t lm_cuda_copy_bytes(const lm_backend *backend, const lm_program *program, bool training)
{
    const leman_precision precision = lm_cuda_of(backend)->precision;
    const size_t kinds = precision == LEMAN_PRECISION_BF16 ? 2 : precision == LEMAN_PRECISION_TF32 && training;
    return kinds * numbers_of(program) * sizeof(float);
}

static __global__ void copy_tile(const LM_GRID_CONSTANT weight_copies all)
{
    lm_after_previous();
    LM_SHARED(float, tile, TILE *(TILE + 1));
    const weight_copy w = item_of_block(all.copy, all.count);
    const uint32_t wide = w.lead + w.columns, across = (wide + TILE - 1) / TILE, number = blockIdx.x - w.first;
    const uint32_t top = number / across * TILE, left = number % across * TILE;
    lm_bfloat16 *rounded = reinterpret_cast<lm_bfloat16 *>(all.rounded + w.offset);
    float *transposed = all.transposed + w.offset;
    for (uint32_t y = threadIdx.y; y < TILE; y += LM_CUDA_ROWS) {
        const uint32_t r = top + y, c = left + threadIdx.x;
        if (r >= w.rows || c >= wide) continue;
        const float given = c < w.lead ? 0 : all.weights[w.offset + (size_t)r * w.columns + c - w.lead];
        if (w.half)
            from_float(given, rounded + (size_t)r * wide + c);
        else
            tile[y * (TILE + 1) + threadIdx.x] = given;
    }
    __syncthreads();
    for (uint32_t y = threadIdx.y; y < TILE; y += LM_CUDA_ROWS) {
        const uint32_t r = top + threadIdx.x, c = left + y;
        if (!w.half && r < w.rows && c < w.columns)
            transposed[(size_t)c * w.rows + r] = tile[threadIdx.x * (TILE + 1) + y];
    }
}

static void launch(lm_cuda *cuda, weight_copies *all)
{
    if (!all->count) return;
    LM_LAUNCH_EARLY_WAITING(copy_tile, dim3(all->tiles), block_of_rows(), &cuda->device, *all);
    lm_device_launched(&cuda->device, "copying weights");
    all->count = all->tiles = 0;
}

/* Returns the zeros in front of the rows of a weight's rounded copy; biases have none. */
static size_t lead_of(const lm_weight *w)
{
    return w->rows > 1 ? lm_cuda_lead(w->columns) : 0;
}

/* Adds a weight to the list, unless it is there already: several steps may use it. */
static void add(lm_cuda *cuda, weight_copies *all, const lm_weight *w, bool half)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (all->copy[i].offset == w->offset && all->copy[i].half == half) return;
    const size_t lead = half ? lead_of(w) : 0;
    const size_t tiles = ((w->rows + TILE - 1) / TILE) * ((lead + w->columns + TILE - 1) / TILE);
    if (!tiles) return;
    if (all->count == WEIGHTS) launch(cuda, all);
    all->copy[all->count++] =
        weight_copy{w->offset, (uint32_t)w->rows, (uint32_t)w->columns, all->tiles, (uint8_t)lead, half};
    all->tiles += (uint32_t)tiles;
}

void lm_cuda_copy_weights(lm_backend *backend, const lm_program *program, const lm_real *weights, void *copies,
                          bool training)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    weight_copies all = {};
    if (cuda->precision == LEMAN_PRECISION_FP32) return;
    all.weights = weights;
    all.transposed = (float *)copies, all.rounded = all.transposed + numbers_of(program);
    for (size_t s = 0; s < program->steps.count; s++) {
        const lm_step *step = lm_program_step(program, s);
        const bool linear = step->operation == LM_OP_LINEAR;
        const bool half = lm_cuda_half(cuda, lm_program_value(program, step->output[0])->space);
        if (!linear && step->operation != LM_OP_LSTM && step->operation != LM_OP_GRU) continue;
        for (size_t i = 0; i < 2; i++) {
            const bool map = i == 0 || !linear; /* the second weight of a linear step is its bias */
            const bool back = training && map && lm_program_value(program, step->input[i])->differentiable;
            if (step->weight[i] != LM_NONE && (half || back))
                add(cuda, &all, lm_program_weight(program, step->weight[i]), half);
        }
    }
    launch(cuda, &all);
}

/* ---- Weights in a step ----------------------------------------------------------------------- */

static const float *copy_of(const lm_frame *f, size_t i, bool half)
{
    const lm_weight *w = lm_program_weight(f->program, f->step->weight[i]);
    return (const float *)f->copies + w->offset + (half ? numbers_of(f->program) : 0);
}

/* Returns weight i of a step, [outputs][inputs], or its copy as the right factor of a product: W' in X W', or W in G W if
 * transposed. */
static lm_cuda_matrix weight_of(const lm_cuda *cuda, const lm_frame *f, size_t i, bool transposed, bool half)
{
    const lm_weight *w = lm_program_weight(f->program, f->step->weight[i]);
    const size_t lead = lead_of(w);
    if (half)
        return lm_cuda_matrix{(const lm_bfloat16 *)copy_of(f, i, true) + lead, lead + w->columns, !transposed, true};
    if (transposed && cuda->precision != LEMAN_PRECISION_FP32)
        return lm_cuda_matrix{copy_of(f, i, false), w->rows, true, false};
    return lm_cuda_matrix{f->weight[i], w->columns, !transposed, false};
}

lm_cuda_product lm_cuda_map(const lm_cuda *cuda, const lm_frame *f, size_t i, bool back, bool half,
                            const lm_tensor &from, const lm_tensor &to)
{
    lm_cuda_product p = {};
    p.m = to.rows, p.n = to.width, p.k = from.width;
    p.a.data = from.data, p.a.stride = from.stride, p.a.half = half;
    p.b = weight_of(cuda, f, i, back, half);
    p.c = to.data, p.c_stride = to.stride, p.c_half = half;
    return p;
}

const void *lm_cuda_bias(const lm_frame *f, size_t i, bool half)
{
    return half && f->weight[i] ? (const void *)copy_of(f, i, true) : f->weight[i];
}
