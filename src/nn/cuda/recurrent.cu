/* Recurrent cells, LSTM and GRU; nn/cpu/recurrent.c has the formulas. cuBLASLt computes the products, one kernel the
 * gates. */
#include "nn/cuda/rows.h"

/* A step of a cell: both maps W x and U h, or their gradients, as floats [rows][gates d] in the workspace. The maps of an
 * LSTM are one matrix, their sum. Biases are added together with the gates. */
struct cell {
    lm_tensor map[2];
    float *narrow, *work; /* for rounding; for parts of the gradients of weights */
    bool half;
};

static cell cell_of(const lm_cuda *cuda, const lm_frame *f, size_t gates, bool apart)
{
    const size_t rows = f->out[0].rows, width = gates * f->out[0].width;
    float *const data = (float *)f->workspace;
    const lm_tensor first = {data, rows, width, width}, second = {data + rows * width, rows, width, width};
    const cell c = {
        {first, apart ? second : first}, data + 2 * rows * width, data + 3 * rows * width, half_of(cuda, f)};
    return c;
}

static void map_inputs(lm_cuda *cuda, const lm_frame *f, const cell &c)
{
    for (size_t i = 0; i < 2; i++) {
        const lm_tensor &y = c.map[i];
        lm_cuda_product p = lm_cuda_map(cuda, f, i, false, c.half, f->in[i], y);
        p.c_half = false, p.add = i && y.data == c.map[0].data;
        lm_cuda_multiply(cuda, &p);
    }
}

static __global__ void narrow_rows(const float *from, size_t count, lm_bfloat16 *to)
{
    lm_after_previous();
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
        from_float(from[i], to + i);
}

/* Computes dX, dW and db of both maps from their gradients. For products with bfloat16 these are rounded first. */
static void map_back(lm_cuda *cuda, const lm_frame *f, const cell &c)
{
    for (size_t i = 0; i < 2; i++) {
        const lm_tensor &x = f->in[i], &gx = f->in_gradient[i], &g = c.map[i];
        lm_tensor factor = g;
        if (c.half) {
            const size_t count = g.rows * g.width;
            LM_LAUNCH_EARLY(narrow_rows, dim3((unsigned)((count + 255) / 256)), dim3(256), &cuda->device,
                            (const float *)g.data, count, (lm_bfloat16 *)c.narrow);
            factor.data = c.narrow;
        }
        if (f->weight_gradient[2 + i])
            lm_cuda_add_parts(cuda, g.data, (unsigned)g.rows, g.stride, 0, g.width, f->weight_gradient[2 + i]);
        if (f->weight_gradient[i]) lm_cuda_weight_gradient(cuda, factor, x, c.half, f->weight_gradient[i], c.work);
        if (!gx.data) continue;
        lm_cuda_product p = lm_cuda_map(cuda, f, i, true, c.half, factor, gx);
        p.add = f->add[i];
        lm_cuda_multiply(cuda, &p);
    }
}

/* Bytes of workspace: floats [rows][gates d] for the sums of both maps and for rounding, and parts of a weight
 * gradient. */
static size_t cell_bytes(const lm_cuda *cuda, const lm_frame *f, size_t gates)
{
    const size_t rows = f->out[0].rows, outputs = gates * f->out[0].width;
    size_t most = 0;
    for (int i = 0; i < 2; i++) {
        const size_t parts = lm_cuda_weight_gradient_bytes(cuda, rows, outputs, f->in[i].width);
        most = parts > most ? parts : most;
    }
    return 3 * rows * outputs * sizeof(float) + most;
}

/* ---- LSTM ------------------------------------------------------------------------------------ */

size_t lm_cuda_lstm_workspace(const lm_cuda *cuda, const lm_frame *f)
{
    return cell_bytes(cuda, f, 4);
}

template <class T>
static __global__ void lstm(view<float> sums, const float *b, const float *other, view<T> c, view<T> h_new,
                            view<T> c_new, view<T> gates)
{
    lm_after_previous();
    const uint32_t d = h_new.width;
    FOR_ROWS (r, h_new.rows)
        for (uint32_t i = threadIdx.x; i < d; i += LM_CUDA_LANES) {
            const float *from = sums.row(r);
            const float in = sigmoid(from[i] + b[i] + other[i]);
            const float forget = sigmoid(from[d + i] + b[d + i] + other[d + i]);
            const float fresh = tanhf(from[2 * d + i] + b[2 * d + i] + other[2 * d + i]);
            const float out = sigmoid(from[3 * d + i] + b[3 * d + i] + other[3 * d + i]);
            const float cell = forget * to_float(c.row(r)[i]) + in * fresh;
            from_float(in, gates.row(r) + i);
            from_float(forget, gates.row(r) + d + i);
            from_float(fresh, gates.row(r) + 2 * d + i);
            from_float(out, gates.row(r) + 3 * d + i);
            from_float(cell, c_new.row(r) + i);
            from_float(out * tanhf(cell), h_new.row(r) + i);
        }
}

void lm_cuda_lstm_forward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor &h = f->out[0];
    const cell c = cell_of(cuda, f, 4, false);
    map_inputs(cuda, f, c);
    LAUNCH_ROWS(cuda, c.half, false, h.rows, (lstm<T>), c.map[0], f->weight[2], f->weight[3], f->in[2], h, f->out[1],
                f->out[2]);
}

template <class T>
static __global__ void lstm_back(view<T> gates, view<T> c, view<T> c_new, view<T> gh, view<T> gc, view<T> back,
                                 bool add, view<float> to)
{
    lm_after_previous();
    const uint32_t d = c.width;
    FOR_ROWS (r, to.rows)
        for (uint32_t i = threadIdx.x; i < d; i += LM_CUDA_LANES) {
            const float in = to_float(gates.row(r)[i]), forget = to_float(gates.row(r)[d + i]);
            const float fresh = to_float(gates.row(r)[2 * d + i]), out = to_float(gates.row(r)[3 * d + i]);
            const float t = tanhf(to_float(c_new.row(r)[i])), g = to_float(gh.row(r)[i]);
            const float cell = to_float(gc.row(r)[i]) + g * out * (1 - t * t);
            to.row(r)[i] = cell * fresh * in * (1 - in);
            to.row(r)[d + i] = cell * to_float(c.row(r)[i]) * forget * (1 - forget);
            to.row(r)[2 * d + i] = cell * in * (1 - fresh * fresh);
            to.row(r)[3 * d + i] = g * t * out * (1 - out);
            if (back.data) from_float((add ? to_float(back.row(r)[i]) : 0) + cell * forget, back.row(r) + i);
        }
}

void lm_cuda_lstm_backward(lm_cuda *cuda, const lm_frame *f)
{
    const cell c = cell_of(cuda, f, 4, false);
    if (!f->out[0].rows) return;
    LAUNCH_ROWS(cuda, c.half, false, f->out[0].rows, (lstm_back<T>), f->out[2], f->in[2], f->out[1], f->out_gradient[0],
                f->out_gradient[1], f->in_gradient[2], f->add[2], c.map[0]);
    map_back(cuda, f, c);
}

/* ---- GRU ------------------------------------------------------------------------------------- */

size_t lm_cuda_gru_workspace(const lm_cuda *cuda, const lm_frame *f)
{
    return cell_bytes(cuda, f, 3);
}

template <class T>
static __global__ void gru(view<float> a, view<float> b, const float *bias, const float *other, view<T> h,
                           view<T> h_new, view<T> kept)
{
    lm_after_previous();
    const uint32_t d = h.width;
    FOR_ROWS (r, h.rows)
        for (uint32_t i = threadIdx.x; i < d; i += LM_CUDA_LANES) {
            const float *x = a.row(r), *u = b.row(r);
            const float reset = sigmoid(x[i] + bias[i] + u[i] + other[i]);
            const float update = sigmoid(x[d + i] + bias[d + i] + u[d + i] + other[d + i]);
            const float inner = u[2 * d + i] + other[2 * d + i];
            const float fresh = tanhf(x[2 * d + i] + bias[2 * d + i] + reset * inner);
            from_float(reset, kept.row(r) + i);
            from_float(update, kept.row(r) + d + i);
            from_float(fresh, kept.row(r) + 2 * d + i);
            from_float(inner, kept.row(r) + 3 * d + i);
            from_float((1 - update) * fresh + update * to_float(h.row(r)[i]), h_new.row(r) + i);
        }
}

void lm_cuda_gru_forward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor &h = f->in[1];
    const cell c = cell_of(cuda, f, 3, true);
    map_inputs(cuda, f, c);
    LAUNCH_ROWS(cuda, c.half, false, h.rows, (gru<T>), c.map[0], c.map[1], f->weight[2], f->weight[3], h, f->out[0],
                f->out[1]);
}

/* Computes the gradients of both maps, and replaces dh' by the gradient of h through z h. */
template <class T> static __global__ void gru_back(view<T> kept, view<T> h, view<T> g, view<float> a, view<float> b)
{
    lm_after_previous();
    const uint32_t d = h.width;
    FOR_ROWS (r, h.rows)
        for (uint32_t i = threadIdx.x; i < d; i += LM_CUDA_LANES) {
            const float reset = to_float(kept.row(r)[i]), update = to_float(kept.row(r)[d + i]);
            const float fresh = to_float(kept.row(r)[2 * d + i]), inner = to_float(kept.row(r)[3 * d + i]);
            const float gradient = to_float(g.row(r)[i]);
            const float before = gradient * (1 - update) * (1 - fresh * fresh);
            a.row(r)[i] = b.row(r)[i] = before * inner * reset * (1 - reset);
            a.row(r)[d + i] = b.row(r)[d + i] = gradient * (to_float(h.row(r)[i]) - fresh) * update * (1 - update);
            a.row(r)[2 * d + i] = before;
            b.row(r)[2 * d + i] = before * reset;
            from_float(gradient * update, g.row(r) + i);
        }
}

template <class T> static __global__ void add_rows(view<T> from, view<T> to)
{
    lm_after_previous();
    FOR_ROWS (r, to.rows)
        for (uint32_t c = threadIdx.x; c < to.width; c += LM_CUDA_LANES)
            from_float(to_float(to.row(r)[c]) + to_float(from.row(r)[c]), to.row(r) + c);
}

void lm_cuda_gru_backward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor &h = f->in[1], &g = f->out_gradient[0], &gh = f->in_gradient[1];
    const cell c = cell_of(cuda, f, 3, true);
    if (!h.rows) return;
    LAUNCH_ROWS(cuda, c.half, false, h.rows, (gru_back<T>), f->out[1], h, g, c.map[0], c.map[1]);
    map_back(cuda, f, c);
    if (gh.data) LAUNCH_ROWS(cuda, c.half, false, h.rows, (add_rows<T>), g, gh);
}
