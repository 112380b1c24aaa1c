/* Recurrent cells, LSTM and GRU; nn/cpu/recurrent.c has the formulas. cuBLASLt computes the products, one kernel the
 * gates. */
#include "nn/cuda/rows.h"

/* X W' with W [outputs][inputs], or G W in the backward pass. Biases are added together with the gates. */
struct cell_map {
    lm_tensor x;
    lm_cuda_matrix w;
    bool half;
};

static void multiply(lm_cuda *cuda, const cell_map &map, const lm_tensor &y, bool add)
{
    lm_cuda_product p = {};
    p.m = y.rows, p.n = y.width, p.k = map.x.width;
    p.a.data = map.x.data, p.a.stride = map.x.stride, p.a.half = map.half;
    p.b = map.w;
    p.c = y.data, p.c_stride = y.stride, p.c_half = false, p.add = add;
    lm_cuda_multiply(cuda, &p);
}

/* Computes dX, dW and db from G [rows][outputs], floats. For products with bfloat16 G is rounded into `narrow`. */
struct cell_gradients {
    float *weight, *bias;
    lm_tensor x;
    bool add;
};

static __global__ void narrow_rows(const float *from, size_t count, lm_bfloat16 *to)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
        from_float(from[i], to + i);
}

static void multiply_back(lm_cuda *cuda, const cell_map &map, const lm_tensor &g, void *narrow, void *work,
                          const cell_gradients &to)
{
    lm_cuda_matrix factor = {g.data, g.stride, false, false};
    if (map.half) {
        const size_t count = g.rows * g.width;
        LM_LAUNCH(narrow_rows, dim3((unsigned)((count + 255) / 256)), dim3(256), cuda->device.stream,
                  (const float *)g.data, count, (lm_bfloat16 *)narrow);
        factor.data = narrow, factor.half = true;
    }
    if (to.bias) lm_cuda_add_parts(cuda, g.data, (unsigned)g.rows, g.stride, 0, g.width, to.bias);
    if (to.weight) {
        const lm_tensor left = {(float *)factor.data, g.rows, g.width, g.stride};
        lm_cuda_weight_gradient(cuda, left, map.x, map.half, to.weight, work);
    }
    if (!to.x.data) return;
    lm_cuda_product p = {};
    p.m = g.rows, p.n = map.x.width, p.k = g.width;
    p.a = factor;
    p.b = map.w;
    p.c = to.x.data, p.c_stride = to.x.stride, p.c_half = map.half, p.add = to.add;
    lm_cuda_multiply(cuda, &p);
}

static lm_tensor floats_at(void *data, size_t rows, size_t width)
{
    lm_tensor t = {(float *)data, rows, width, width};
    return t;
}

/* Bytes of workspace: floats [rows][gates d] for the sums of both maps and for rounding, and parts of a weight
 * gradient. */
static size_t cell_bytes(const lm_backend *backend, const lm_program *program, const lm_step *step,
                         const lm_extent *max, size_t gates)
{
    const lm_value *h = lm_program_value(program, step->output[0]), *x = lm_program_value(program, step->input[0]);
    const size_t rows = max->rows[h->space], outputs = gates * h->width, widths[2] = {x->width, h->width};
    size_t most = 0;
    for (int i = 0; i < 2; i++) {
        const size_t parts = lm_cuda_weight_gradient_bytes(lm_cuda_of(backend), rows, outputs, widths[i]);
        most = parts > most ? parts : most;
    }
    return 3 * rows * outputs * sizeof(float) + most;
}

/* ---- LSTM ------------------------------------------------------------------------------------ */

size_t lm_cuda_lstm_workspace(const lm_backend *backend, const lm_program *program, const lm_step *step,
                              const lm_extent *max)
{
    return cell_bytes(backend, program, step, max, 4);
}

template <class T>
static __global__ void lstm(view<float> sums, const float *b, const float *other, view<T> c, view<T> h_new,
                            view<T> c_new, view<T> gates)
{
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

void lm_cuda_lstm_forward(lm_backend *backend, const lm_frame *f)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    const lm_tensor &h = f->out[0];
    const bool half = lm_cuda_half(backend, space_of(f, f->step->output[0]));
    const lm_tensor sums = floats_at(f->workspace, h.rows, 4 * h.width);
    if (!h.rows) return;
    for (int i = 0; i < 2; i++) {
        const cell_map map = {f->in[i], lm_cuda_weight(cuda, f, i, false, half), half};
        multiply(cuda, map, sums, i > 0);
    }
    with_kind(half, false, [&](auto k) {
        KIND(k);
        LM_LAUNCH((lstm<T>), blocks_of(cuda, h.rows), block_of_rows(), cuda->device.stream, view_of<float>(sums),
                  f->weight[2], f->weight[3], view_of<T>(f->in[2]), view_of<T>(h), view_of<T>(f->out[1]),
                  view_of<T>(f->out[2]));
        (void)V;
    });
    lm_device_launched(&cuda->device, "an LSTM");
}

template <class T>
static __global__ void lstm_back(view<T> gates, view<T> c, view<T> c_new, view<T> gh, view<T> gc, view<T> back,
                                 bool add, view<float> to)
{
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

void lm_cuda_lstm_backward(lm_backend *backend, const lm_frame *f)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    const lm_tensor &h = f->out[0];
    const bool half = lm_cuda_half(backend, space_of(f, f->step->output[0]));
    const size_t numbers = h.rows * 4 * h.width;
    const lm_tensor gates = floats_at(f->workspace, h.rows, 4 * h.width);
    if (!h.rows) return;
    with_kind(half, false, [&](auto k) {
        KIND(k);
        LM_LAUNCH((lstm_back<T>), blocks_of(cuda, h.rows), block_of_rows(), cuda->device.stream, view_of<T>(f->out[2]),
                  view_of<T>(f->in[2]), view_of<T>(f->out[1]), view_of<T>(f->out_gradient[0]),
                  view_of<T>(f->out_gradient[1]), view_of<T>(f->in_gradient[2]), f->add[2], view_of<float>(gates));
        (void)V;
    });
    for (int i = 0; i < 2; i++) {
        const cell_map map = {f->in[i], lm_cuda_weight(cuda, f, i, true, half), half};
        const cell_gradients to = {f->weight_gradient[i], f->weight_gradient[2 + i], f->in_gradient[i], f->add[i]};
        multiply_back(cuda, map, gates, gates.data + numbers, gates.data + 3 * numbers, to);
    }
    lm_device_launched(&cuda->device, "the gradient of an LSTM");
}

/* ---- GRU ------------------------------------------------------------------------------------- */

size_t lm_cuda_gru_workspace(const lm_backend *backend, const lm_program *program, const lm_step *step,
                             const lm_extent *max)
{
    return cell_bytes(backend, program, step, max, 3);
}

template <class T>
static __global__ void gru(view<float> a, view<float> b, const float *bias, const float *other, view<T> h,
                           view<T> h_new, view<T> kept)
{
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

void lm_cuda_gru_forward(lm_backend *backend, const lm_frame *f)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    const lm_tensor &h = f->in[1];
    const bool half = lm_cuda_half(backend, space_of(f, f->step->output[0]));
    const size_t numbers = h.rows * 3 * h.width;
    const lm_tensor a = floats_at(f->workspace, h.rows, 3 * h.width);
    const lm_tensor b = floats_at(a.data + numbers, h.rows, 3 * h.width);
    const lm_tensor sums[2] = {a, b};
    if (!h.rows) return;
    for (int i = 0; i < 2; i++) {
        const cell_map map = {f->in[i], lm_cuda_weight(cuda, f, i, false, half), half};
        multiply(cuda, map, sums[i], false);
    }
    with_kind(half, false, [&](auto k) {
        KIND(k);
        LM_LAUNCH((gru<T>), blocks_of(cuda, h.rows), block_of_rows(), cuda->device.stream, view_of<float>(a),
                  view_of<float>(b), f->weight[2], f->weight[3], view_of<T>(h), view_of<T>(f->out[0]),
                  view_of<T>(f->out[1]));
        (void)V;
    });
    lm_device_launched(&cuda->device, "a GRU");
}

/* Computes the gradients of both maps, and replaces dh' by the gradient of h through z h. */
template <class T> static __global__ void gru_back(view<T> kept, view<T> h, view<T> g, view<float> a, view<float> b)
{
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
    FOR_ROWS (r, to.rows)
        for (uint32_t c = threadIdx.x; c < to.width; c += LM_CUDA_LANES)
            from_float(to_float(to.row(r)[c]) + to_float(from.row(r)[c]), to.row(r) + c);
}

void lm_cuda_gru_backward(lm_backend *backend, const lm_frame *f)
{
    lm_cuda *cuda = lm_cuda_of(backend);
    const lm_tensor &h = f->in[1], &gh = f->in_gradient[1];
    const bool half = lm_cuda_half(backend, space_of(f, f->step->output[0]));
    const size_t numbers = h.rows * 3 * h.width;
    const lm_tensor a = floats_at(f->workspace, h.rows, 3 * h.width);
    const lm_tensor b = floats_at(a.data + numbers, h.rows, 3 * h.width);
    const lm_tensor gates[2] = {a, b};
    if (!h.rows) return;
    with_kind(half, false, [&](auto k) {
        KIND(k);
        LM_LAUNCH((gru_back<T>), blocks_of(cuda, h.rows), block_of_rows(), cuda->device.stream, view_of<T>(f->out[1]),
                  view_of<T>(h), view_of<T>(f->out_gradient[0]), view_of<float>(a), view_of<float>(b));
        (void)V;
    });
    for (int i = 0; i < 2; i++) {
        const cell_map map = {f->in[i], lm_cuda_weight(cuda, f, i, true, half), half};
        const cell_gradients to = {f->weight_gradient[i], f->weight_gradient[2 + i], f->in_gradient[i], f->add[i]};
        multiply_back(cuda, map, gates[i], a.data + 2 * numbers, a.data + 3 * numbers, to);
    }
    if (gh.data)
        with_kind(half, false, [&](auto k) {
            KIND(k);
            LM_LAUNCH((add_rows<T>), blocks_of(cuda, h.rows), block_of_rows(), cuda->device.stream,
                      view_of<T>(f->out_gradient[0]), view_of<T>(gh));
            (void)V;
        });
    lm_device_launched(&cuda->device, "the gradient of a GRU");
}
