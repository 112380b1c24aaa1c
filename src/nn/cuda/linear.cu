/*
 * Y = f(X W' + b): products by cuBLASLt with bias and ReLU in their epilogue; nn/cpu/linear.c has the formulas.
 *
 * Backward: one pass turns dY into G = dY f'(Y) and sums its columns. Then dW += G' X (nn/cuda/weight_gradient.cu) and
 * dX = G W, with a copy of W (nn/cuda/weights.cu).
 *
 * If X is a value in bfloat16 with zeros in front of its rows (lm_cuda_lead()), these are multiplied with the zeros in
 * the copy of W.
 *
 * In FP32 the products of rows and weights are computed by nn/cuda/tiles.h, which is faster than cuBLASLt
 * (bench/cuda/tiles.cu) and also applies the derivative of the ReLU before the step.
 */
#include "nn/cuda/rows.h"
#include "nn/cuda/tiles.h"

size_t lm_cuda_linear_workspace(const lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor &x = f->in[0], &y = f->out[0];
    const size_t parts = lm_cuda_weight_gradient_bytes(cuda, y.rows, y.width, x.width);
    const size_t rest = (y.rows / (LM_TILE / 2) + 1) * x.width * sizeof(float);
    return parts_bytes(y.rows, y.width, 1) + 256 + (parts > rest ? parts : rest);
}

/* ---- Behind a product ------------------------------------------------------------------------ */

template <class T> static __global__ void finish_rows(view<T> c, const T *bias, lm_activation f)
{
    lm_after_previous();
    FOR_ROWS (r, c.rows)
        for (uint32_t i = threadIdx.x; i < c.width; i += LM_CUDA_LANES)
            from_float(activate(to_float(c.row(r)[i]) + (bias ? to_float(bias[i]) : 0), f), c.row(r) + i);
}

void lm_cuda_finish_product(lm_cuda *cuda, const lm_tensor *c, bool half, const void *bias, lm_activation f)
{
    LAUNCH_ROWS(cuda, half, false, c->rows, (finish_rows<T>), *c, (const T *)bias, f);
}

/* ---- Products of rows and weights in FP32 ---------------------------------------------------- */

static bool has_tiles(const lm_cuda *cuda, size_t inputs, size_t outputs)
{
    return cuda->precision == LEMAN_PRECISION_FP32 && inputs % 4 == 0 && outputs % 4 == 0;
}

bool lm_cuda_derives(const lm_backend *backend, const lm_program *program, const lm_step *step)
{
    if (step->operation != LM_OP_LINEAR) return step->operation == LM_OP_MATMUL;
    const lm_value *x = lm_program_value(program, step->input[0]), *y = lm_program_value(program, step->output[0]);
    const lm_value *whole = lm_program_value(program, y->root);
    return x->space < LM_GRAPH_SPACES && y->column % 4 == 0 && whole->width % 4 == 0 &&
           has_tiles(lm_cuda_of(backend), x->width, y->width);
}

/* Returns true if tiles can be used: rows are aligned to 16 bytes, and there are enough of them to be worth it. */
static bool suits_tiles(const lm_cuda *cuda, const lm_tensor &x, const lm_tensor &y, const float *weight)
{
    return has_tiles(cuda, x.width, y.width) && are_wide(false, x, y) && (uintptr_t)weight % 16 == 0 &&
           x.rows >= 4 * LM_TILE;
}

template <bool TRANSPOSED, bool MASKED> static void run_tiles(lm_cuda *cuda, const lm_tile_product &product)
{
    lm_tile_product p = product;
    const lm_tile_rows rows = lm_tile_cut(p.m, p.n);
    const unsigned columns = (p.n + LM_TILE - 1) / LM_TILE;
    p.whole = rows.whole * columns;
    LM_LAUNCH_EARLY_WAITING((multiply_tile<TRANSPOSED, MASKED>), dim3((rows.whole + rows.half) * columns),
                            dim3(LM_TILE_THREADS), &cuda->device, p);
}

/* A last tile with few columns takes as long as a full one. Returns the number of such columns, left to cuBLASLt. */
static size_t columns_beside(size_t columns)
{
    const size_t rest = columns % LM_TILE;
    return columns > LM_TILE && rest <= LM_TILE / 4 ? rest : 0;
}

/* Computes the first `columns` columns of Y. */
static void forward_by_tiles(lm_cuda *cuda, const lm_frame *f, size_t columns)
{
    const lm_tensor x = f->in[0], y = f->out[0];
    lm_tile_product p = {};
    p.a = x.data, p.b = f->weight[0], p.c = y.data;
    p.m = (uint32_t)y.rows, p.n = (uint32_t)columns, p.k = (uint32_t)x.width;
    p.a_stride = (uint32_t)x.stride, p.b_stride = (uint32_t)x.width, p.c_stride = (uint32_t)y.stride;
    p.live = cuda->live + space_of(f, f->step->output[0]);
    p.bias = f->weight[1];
    p.relu = f->step->activation == LM_RELU;
    run_tiles<true, false>(cuda, p);
}

/* Computes dX = G W, multiplied by the derivative of the steps that made X, and the gradients of their biases. */
static void backward_by_tiles(lm_cuda *cuda, const lm_frame *f, float *work)
{
    const lm_tensor x = f->in[0], g = f->out_gradient[0], gx = f->in_gradient[0];
    lm_tile_product p = {};
    p.a = g.data, p.b = f->weight[0], p.c = gx.data;
    p.m = (uint32_t)g.rows, p.n = (uint32_t)x.width, p.k = (uint32_t)g.width;
    p.a_stride = (uint32_t)g.stride, p.b_stride = (uint32_t)x.width, p.c_stride = (uint32_t)gx.stride;
    p.live = cuda->live + space_of(f, f->step->output[0]);
    if (!f->makers) {
        p.add = f->add[0];
        run_tiles<false, false>(cuda, p);
        return;
    }
    p.mask = x.data, p.mask_stride = (uint32_t)x.stride;
    const lm_tile_rows rows = lm_tile_cut(p.m, p.n);
    const size_t bytes = (rows.whole + rows.half) * x.width * sizeof(float);
    for (size_t i = 0; i < f->makers; i++)
        if (f->maker[i].bias_gradient && !p.sums) p.sums = lm_cuda_parts_room(cuda, bytes, work);
    run_tiles<false, true>(cuda, p);
    for (size_t i = 0; i < f->makers; i++)
        if (f->maker[i].bias_gradient)
            lm_cuda_add_parts(cuda, p.sums, rows.whole + rows.half, x.width, f->maker[i].column, f->maker[i].width,
                              f->maker[i].bias_gradient);
}

/* ---- Zeros in front of rows ------------------------------------------------------------------ */

/* Returns the number of zeros in front of the rows of X and of the copy of its weight; 0 if X is not a whole value. */
static size_t lead_of(const lm_frame *f, const lm_cuda_matrix *weight)
{
    const lm_tensor x = f->in[0];
    const bool whole = lm_program_value(f->program, f->step->input[0])->root == f->step->input[0];
    return weight->half && whole && weight->stride == x.stride ? x.stride - x.width : 0;
}

static void *back_by(const void *data, size_t lead)
{
    return (lm_bfloat16 *)(uintptr_t)data - lead;
}

static __global__ void clear_lead(view<lm_bfloat16> x)
{
    lm_after_previous();
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < x.rows * x.width; i += gridDim.x * blockDim.x)
        from_float(0, x.row(i / x.width) + i % x.width);
}

/* ---- Forward and backward -------------------------------------------------------------------- */

void lm_cuda_linear_forward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor x = f->in[0], y = f->out[0];
    const bool half = half_of(cuda, f);
    if (!y.rows) return;
    lm_cuda_product p = lm_cuda_map(cuda, f, 0, false, half, x, y);
    p.bias = lm_cuda_bias(f, 1, half);
    p.relu = f->step->activation == LM_RELU;
    const size_t lead = lead_of(f, &p.b);
    if (lead) {
        p.k += lead, p.a.data = back_by(x.data, lead), p.b.data = back_by(p.b.data, lead);
        const lm_tensor front = {(lm_real *)p.a.data, x.rows, lead, x.stride};
        LM_LAUNCH_EARLY(clear_lead, blocks_of(cuda, x.rows, 256), dim3(256), &cuda->device, front);
    }
    if (suits_tiles(cuda, x, y, f->weight[0])) {
        const size_t rest = columns_beside(y.width), first = y.width - rest;
        forward_by_tiles(cuda, f, first);
        p.n = rest, p.b.data = f->weight[0] + first * x.width, p.c = y.data + first;
        if (p.bias) p.bias = f->weight[1] + first;
    }
    lm_cuda_multiply(cuda, &p);
    if (f->step->activation == LM_ELU) lm_cuda_finish_product(cuda, &y, half, NULL, LM_ELU); /* there is no epilogue */
}

/* dX = G W. */
static void input_gradient(lm_cuda *cuda, const lm_frame *f, bool half, float *work)
{
    const lm_tensor g = f->out_gradient[0], gx = f->in_gradient[0];
    if (f->makers || suits_tiles(cuda, gx, g, f->weight[0])) {
        backward_by_tiles(cuda, f, work);
        return;
    }
    lm_cuda_product p = lm_cuda_map(cuda, f, 0, true, half, g, gx);
    p.add = f->add[0];
    const size_t lead = lead_of(f, &p.b);
    if (lead) p.n += lead, p.c = back_by(p.c, lead), p.b.data = back_by(p.b.data, lead);
    lm_cuda_multiply(cuda, &p);
}

/* Computes both gradients concurrently: dX needs workspace only in FP32, dW only in the other precisions. */
void lm_cuda_linear_backward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor g = f->out_gradient[0];
    const bool half = half_of(cuda, f);
    const bool learns = f->weight_gradient[0], both = learns && f->in_gradient[0].data;
    float *work = (float *)f->workspace;
    if (!g.rows) return;
    if (!f->derived) lm_cuda_derive(cuda, f, f->weight_gradient[1]);
    work += (parts_bytes(g.rows, g.width, 1) + 255) / 256 * 256 / sizeof *work;
    if (both) lm_cuda_side_begin(cuda);
    if (learns) lm_cuda_weight_gradient(cuda, g, f->in[0], half, f->weight_gradient[0], work);
    if (both) lm_cuda_side_end(cuda);
    if (f->in_gradient[0].data) input_gradient(cuda, f, half, work);
    if (both) lm_cuda_side_join(cuda);
}
