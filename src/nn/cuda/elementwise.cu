/*
 * Operations on each number separately: sum, dropout; nn/cpu/elementwise.c has the formulas. Every number
 * is read once: bound by memory.
 */
#include "nn/cuda/rows.h"
extern "C" {
#include "base/random.h"
}

/* ---- Sum ------------------------------------------------------------------------------------- */

/* Y = f(X_1 + X_2 + b); X_2 and b may be NULL. */
template <class T, int V>
static __global__ void sum_forward(view<T> y, view<T> x, view<T> other, const float *bias, lm_activation f)
{
    lm_after_previous();
    FOR_ROWS (r, y.rows)
        FOR_COLUMNS (c, y.width) {
            pack<T, V> p = load<T, V>(x.row(r) + c), q = {};
            if (other.data) q = load<T, V>(other.row(r) + c);
            floats<V> shift = {};
            if (bias) shift = load_floats<V>(bias + c);
            for (int i = 0; i < V; i++) {
                const float sum = other.data ? p.at[i] + q.at[i] : p.at[i];
                p.at[i] = activate(bias ? sum + shift.at[i] : sum, f);
            }
            store<T, V>(y.row(r) + c, p);
        }
}

void lm_cuda_add_forward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor &x = f->in[0], &other = f->in[1], &y = f->out[0];
    const bool half = half_of(cuda, f);
    LAUNCH_ROWS(cuda, half, are_wide(half, y, x, other), y.rows, (sum_forward<T, V>), y, x, other, f->weight[0],
                f->step->activation);
}

/* Computes G = dY f'(Y), in place of dY and into up to two gradients; writes sums of its columns to parts. */
template <class T, int V>
static __global__ void sum_backward(view<T> g, view<T> y, view<T> gx, view<T> gz, bool add_x, bool add_z,
                                    lm_activation f, float *parts)
{
    lm_after_previous();
    float sum[1][V] = {};
    const uint32_t c = TILE_COLUMN;
    FOR_PART_ROWS (g.rows, LM_CUDA_AHEAD) {
        if (c >= g.width) break;
        raw<T, V> from[LM_CUDA_AHEAD] = {}, ends[LM_CUDA_AHEAD] = {};
        LOAD_PART_ROWS(from, g);
        if (f != LM_IDENTITY) LOAD_PART_ROWS(ends, y);
        LM_UNROLLED_FOR (int j = 0; j < LM_CUDA_AHEAD; j++) {
            const uint32_t r = PART_ROW(j);
            if (r >= g.rows) continue;
            pack<T, V> p = unpack<T, V>(from[j]);
            const pack<T, V> out = unpack<T, V>(ends[j]);
            for (int i = 0; i < V; i++) {
                p.at[i] = derivative(p.at[i], out.at[i], f);
                sum[0][i] += p.at[i];
            }
            if (f != LM_IDENTITY) store<T, V>(g.row(r) + c, p);
            if (gx.data) put<T, V>(gx.row(r) + c, p, add_x);
            if (gz.data) put<T, V>(gz.row(r) + c, p, add_z);
        }
    }
    if (parts) sum_block<V, 1>(sum, g.width, parts);
}

/* Adds the sums of the columns to to[width], if that is not NULL. */
static void run_back(lm_cuda *cuda, const lm_frame *f, const lm_tensor &gx, const lm_tensor &gz, float *to)
{
    const lm_tensor &g = f->out_gradient[0];
    const lm_activation activation = f->step->activation;
    const bool half = half_of(cuda, f);
    const unsigned parts = parts_of(g.rows);
    if (!g.rows || (activation == LM_IDENTITY && !to && !gx.data && !gz.data)) return;
    float *work = to ? lm_cuda_parts_room(cuda, parts_bytes(g.rows, g.width, 1), f->workspace) : NULL;
    LAUNCH_WAITING(cuda, half, are_wide(half, g, f->out[0], gx, gz), dim3(parts, tiles_of(g.width, V)), block_of_rows(),
                   (sum_backward<T, V>), g, f->out[0], gx, gz, f->add[0], f->add[1], activation, work);
    if (to) lm_cuda_add_parts(cuda, work, parts, g.width, 0, g.width, to);
}

size_t lm_cuda_add_workspace(const lm_cuda *cuda, const lm_frame *f)
{
    (void)cuda;
    return f->weight[0] ? parts_bytes(f->out[0].rows, f->out[0].width, 1) : 0;
}

void lm_cuda_add_backward(lm_cuda *cuda, const lm_frame *f)
{
    run_back(cuda, f, f->in_gradient[0], f->in_gradient[1], f->weight_gradient[0]);
}

void lm_cuda_derive(lm_cuda *cuda, const lm_frame *f, float *sums)
{
    const lm_tensor none = {};
    run_back(cuda, f, none, none, sums);
}

/* ---- Dropout --------------------------------------------------------------------------------- */

/* y = x or y += x, times the mask of this pass, which equals that of the CPU. */
template <class T>
static __global__ void drop_rows(view<T> x, view<T> y, bool add, uint64_t stream, const lm_control *control,
                                 lm_row_space space, uint64_t limit, float scale)
{
    lm_after_previous();
    const uint64_t key = lm_random_item(stream, control->tick), before = control->before.rows[space];
    FOR_ROWS (r, x.rows)
        for (uint32_t c = threadIdx.x; c < x.width; c += LM_CUDA_LANES) {
            const uint64_t word = lm_mix(key + LM_RANDOM_STEP * ((before + r) * x.width + c + 1));
            const float kept = word >> 11 < limit ? 0 : to_float(x.row(r)[c]) * scale;
            from_float(add ? to_float(y.row(r)[c]) + kept : kept, y.row(r) + c);
        }
}

static void drop(lm_cuda *cuda, const lm_frame *f, const lm_tensor &x, const lm_tensor &y, bool add)
{
    const lm_row_space space = space_of(f, f->step->output[0]);
    const double rate = f->training ? f->step->rate : 0;
    LAUNCH_ROWS(cuda, lm_cuda_half(cuda, space), false, x.rows, (drop_rows<T>), x, y, add, f->stream, cuda->control,
                space, (uint64_t)(rate * 0x1p53), (float)(1 / (1 - rate)));
}

void lm_cuda_dropout_forward(lm_cuda *cuda, const lm_frame *f)
{
    drop(cuda, f, f->in[0], f->out[0], false);
}

void lm_cuda_dropout_backward(lm_cuda *cuda, const lm_frame *f)
{
    if (f->in_gradient[0].data) drop(cuda, f, f->out_gradient[0], f->in_gradient[0], f->add[0]);
}
