/*
 * Products of the n x n matrices of a graph, channel by channel: M[(u,v)] = sum over w of P[(u,w)] Q[(w,v)];
 * nn/cpu/matmul.c has the formulas.
 *
 * A block has SIDE x SIDE results of a graph, or all of a smaller one, for the channels of 32 bytes of a row, which is
 * what the device reads at least. It puts SIDE columns of P and as many rows of Q at a time into shared memory, where
 * the numbers of a channel lie together, along w. Then a warp has a channel, whose sums stay in its registers: in
 * bfloat16 by tensor cores, in floats a lane has ROWS x COLUMNS results and reads STEP numbers along w at once. On the
 * way back through shared memory the channels come together again. Every sum has one order.
 *
 * Backward both products are one kernel, whose blocks beside each other read the same matrix dM. Where P or Q is the
 * ReLU of a step that nothing else reads, the kernel takes its derivative as well, and sums up the gradient of its
 * bias in parts, one for each block.
 *
 * Rows are read and written 16 bytes at a time, or number by number where they are on odd places.
 */
#include "nn/cuda/instructions.h"
#include "nn/cuda/rows.h"

enum { SIDE = 24, SECTOR = 32, HALVES = 2 /* of a sector: 16 bytes */, MOST_SPLITS = 1024 };

/* How the numbers of a channel lie in shared memory: SIDE lines, beside which neither lanes of a product nor channels
 * meet in a bank. So many numbers along w are multiplied at once, and so many make a word. */
template <class T> struct shape;
template <> struct shape<float> {
    enum { LINE = SIDE + 4, PLANE = SIDE * LINE + 4, STEP = 4, TOGETHER = 1 };
};
template <> struct shape<lm_bfloat16> {
    enum { LINE = SIDE, PLANE = SIDE * LINE + 2, STEP = 8, TOGETHER = 2 };
};
#define SHAPE(T)                                                                                                       \
    enum {                                                                                                             \
        LINE = shape<T>::LINE,                                                                                         \
        PLANE = shape<T>::PLANE,                                                                                       \
        STEP = shape<T>::STEP,                                                                                         \
        TOGETHER = shape<T>::TOGETHER,                                                                                 \
        CHANNELS = SECTOR / sizeof(T),                                                                                 \
        PACK = CHANNELS / HALVES,                                                                                      \
        THREADS = CHANNELS * LM_WARP                                                                                   \
    }

static __device__ __forceinline__ uint32_t at_most_side(uint32_t left)
{
    return left < SIDE ? left : (uint32_t)SIDE;
}

/* ---- From memory and to it ------------------------------------------------------------------- */

/* 16 bytes of a row, of which `left` numbers are there. */
template <class T> struct piece {
    T number[16 / sizeof(T)];
};

template <class T, int V> static __device__ __forceinline__ piece<T> load_piece(const T *from, uint32_t left)
{
    piece<T> p = {};
    if (V > 1) {
        const uint4 word = *reinterpret_cast<const uint4 *>(from);
        memcpy(&p, &word, sizeof word);
    } else {
        for (uint32_t e = 0; e < sizeof p / sizeof(T); e++)
            if (e < left) p.number[e] = from[e];
    }
    return p;
}

template <class T, int V> static __device__ __forceinline__ void store_piece(T *to, const piece<T> &p, uint32_t left)
{
    if (V > 1) {
        uint4 word;
        memcpy(&word, &p, sizeof word);
        *reinterpret_cast<uint4 *>(to) = word;
    } else {
        for (uint32_t e = 0; e < sizeof p / sizeof(T); e++)
            if (e < left) to[e] = p.number[e];
    }
}

/* Entries (i, l) of a matrix of n columns that begins in row `first`, from i and l on; `across`: they lie as (l, i). */
struct part {
    uint32_t first, n, i, l;
    bool across;
};

/* What a thread has on its way: TOGETHER entries along l, half of their channels. */
template <class T> struct some {
    piece<T> entry[shape<T>::TOGETHER];
    T *to; /* NULL: nothing */
};

/* Number `unit` of a part, for the channels from column c on, that goes to held[channel][i][l]; l goes on to a multiple
 * of STEP, with zeros. */
template <class T, int V>
static __device__ __forceinline__ some<T> load_some(const view<T> &x, const part &p, uint32_t c, uint32_t unit, T *held)
{
    SHAPE(T);
    const uint32_t high = at_most_side(p.n - p.i);
    const uint32_t deep = (at_most_side(p.n - p.l) + STEP - 1) / STEP * (STEP / TOGETHER);
    const uint32_t channel = unit % HALVES * PACK, l = unit / HALVES % deep * TOGETHER, i = unit / HALVES / deep;
    some<T> s = {};
    if (i >= high) return s;
    s.to = held + channel * PLANE + i * LINE + l;
    LM_UNROLL for (uint32_t e = 0; e < TOGETHER; e++)
    {
        const uint32_t along = p.l + l + e, row = p.across ? along * p.n + p.i + i : (p.i + i) * p.n + along;
        if (along < p.n && c + channel < x.width)
            s.entry[e] = load_piece<T, V>(x.row(p.first + row) + c + channel, x.width - c - channel);
    }
    return s;
}

template <class T> static __device__ __forceinline__ void hold(const some<T> &s)
{
    SHAPE(T);
    if (!s.to) return;
    LM_UNROLL for (uint32_t e = 0; e < PACK; e++)
    {
        T numbers[TOGETHER];
        uint32_t word;
        LM_UNROLL for (uint32_t l = 0; l < TOGETHER; l++) numbers[l] = s.entry[l].number[e];
        memcpy(&word, numbers, sizeof word);
        *reinterpret_cast<uint32_t *>(s.to + e * PLANE) = word;
    }
}

/* ---- Sums of products ------------------------------------------------------------------------ */

enum { ROWS = 3, COLUMNS = 6, ACROSS = SIDE / COLUMNS /* lanes beside each other */ };

/* The results of a channel that a lane has, and how they go to shared memory. */
template <class T> struct sums;

template <> struct sums<float> {
    float sum[ROWS][COLUMNS];

    static __device__ __forceinline__ void load_step(const float *from, float (&to)[4])
    {
        const float4 four = *reinterpret_cast<const float4 *>(from);
        to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
    }
    __device__ __forceinline__ void add_products(const float *left, const float *right, uint32_t count)
    {
        SHAPE(float);
        const uint32_t lane = threadIdx.x % LM_WARP;
        left += lane / ACROSS * ROWS * LINE, right += lane % ACROSS * COLUMNS * LINE;
        for (uint32_t l = 0; l < count; l += STEP) {
            float p[ROWS][STEP];
            LM_UNROLL for (int x = 0; x < ROWS; x++) load_step(left + x * LINE + l, p[x]);
            LM_UNROLL for (int y = 0; y < COLUMNS; y++)
            {
                float q[STEP];
                load_step(right + y * LINE + l, q);
                LM_UNROLL for (int x = 0; x < ROWS; x++) for (int s = 0; s < STEP; s++) sum[x][y] += p[x][s] * q[s];
            }
        }
    }
    __device__ __forceinline__ void put(float *results) const
    {
        SHAPE(float);
        const uint32_t lane = threadIdx.x % LM_WARP;
        results += lane / ACROSS * ROWS * LINE + lane % ACROSS * COLUMNS;
        LM_UNROLL for (int x = 0; x < ROWS; x++) LM_UNROLL for (int y = 0; y < COLUMNS; y++) results[x * LINE + y] =
            sum[x][y];
    }
};

/* Tiles of 16 x 8; rows from SIDE on, which the second tile would have, are zeros. */
template <> struct sums<lm_bfloat16> {
    float sum[2][SIDE / 8][4];

    static __device__ __forceinline__ uint32_t word_at(const lm_bfloat16 *from)
    {
        return *reinterpret_cast<const uint32_t *>(from);
    }
    __device__ __forceinline__ void add_products(const lm_bfloat16 *left, const lm_bfloat16 *right, uint32_t count)
    {
        SHAPE(lm_bfloat16);
        const uint32_t lane = threadIdx.x % LM_WARP, place = lane / 4 * LINE + lane % 4 * 2;
        for (uint32_t l = place; l < place + count; l += STEP) {
            const uint32_t upper[2] = {word_at(left + l), word_at(left + 8 * LINE + l)};
            const uint32_t lower[2] = {word_at(left + 16 * LINE + l), 0};
            LM_UNROLL for (int y = 0; y < SIDE / 8; y++)
            {
                const uint32_t q = word_at(right + 8 * y * LINE + l);
                mma_bf16(sum[0][y], upper, q);
                mma_bf16(sum[1][y], lower, q);
            }
        }
    }
    __device__ __forceinline__ void put(float *results) const
    {
        SHAPE(lm_bfloat16);
        const uint32_t lane = threadIdx.x % LM_WARP;
        results += lane / 4 * LINE + lane % 4 * 2;
        LM_UNROLL for (int y = 0; y < SIDE / 8; y++) LM_UNROLL for (int x = 0; x < SIDE / 8; x++)
        {
            float *const to = results + 8 * x * LINE + 8 * y;
            to[0] = sum[x / 2][y][x % 2 * 2], to[1] = sum[x / 2][y][x % 2 * 2 + 1];
        }
    }
};

/* ---- Products -------------------------------------------------------------------------------- */

/* Matrices, one for each graph, and how they are read. */
template <class T> struct factor {
    view<T> x;
    bool transposed;
};

template <class T> struct product {
    factor<T> a, b;
    view<T> to;
    view<T> relu; /* to goes through the derivative of the ReLU that made this; data NULL: it does not */
    float *parts; /* [blocks of all graphs][width] sums of the columns of to, or NULL */
    bool add;
};

/* Products of the matrices of a batch; a graph has `splits` blocks for each product and slice of channels. */
template <class T> struct products {
    product<T> each[2];
    uint32_t count, graphs, splits;
    const uint32_t *row_start, *vertex_start, *live;
};

/* to = results, or to += results, for the channels from column c on and high x wide entries from row `corner` on; total
 * += what it is. */
template <class T, int V>
static __device__ __forceinline__ void put_results(const float *results, const product<T> &p, uint32_t n,
                                                   uint32_t corner, uint32_t high, uint32_t wide, uint32_t c,
                                                   float (&total)[16 / sizeof(T)])
{
    SHAPE(T);
    const uint32_t channel = threadIdx.x % HALVES * PACK, column = c + channel;
    if (column >= p.to.width) return;
    for (uint32_t unit = threadIdx.x / HALVES; unit < high * wide; unit += THREADS / HALVES) {
        const uint32_t i = unit / wide, j = unit % wide, row = corner + i * n + j, left = p.to.width - column;
        piece<T> old = {}, made = {}, now;
        if (p.add) old = load_piece<T, V>(p.to.row(row) + column, left);
        if (p.relu.data) made = load_piece<T, V>(p.relu.row(row) + column, left);
        LM_UNROLL for (uint32_t e = 0; e < PACK; e++)
        {
            const float x = results[(channel + e) * PLANE + i * LINE + j] + to_float(old.number[e]);
            const float derived = p.relu.data && !(to_float(made.number[e]) > 0) ? 0 : x;
            from_float(derived, now.number + e);
            total[e] += derived;
        }
        store_piece<T, V>(p.to.row(row) + column, now, left);
    }
}

/* parts[column] = the sum of `total` over the threads that have the column. */
template <class T>
static __device__ __forceinline__ void put_totals(float (&total)[16 / sizeof(T)], float *parts, uint32_t left)
{
    SHAPE(T);
    LM_SHARED(float, held, CHANNELS *CHANNELS); /* [warp][channel] */
    const uint32_t lane = threadIdx.x % LM_WARP, warp = threadIdx.x / LM_WARP;
    LM_UNROLL for (uint32_t e = 0; e < PACK; e++)
    {
        for (int mask = HALVES; mask < LM_WARP; mask *= 2) total[e] += __shfl_xor_sync(0xffffffffu, total[e], mask);
        if (lane < HALVES) held[warp * CHANNELS + lane * PACK + e] = total[e];
    }
    __syncthreads();
    if (threadIdx.x >= CHANNELS || threadIdx.x >= left) return;
    float sum = 0;
    for (uint32_t w = 0; w < CHANNELS; w++) sum += held[w * CHANNELS + threadIdx.x];
    parts[threadIdx.x] = sum;
}

/* Rows of padding stay finite, and have no gradient. */
template <class T> static __device__ void clear_rows(const view<T> &x, uint32_t first, uint32_t step, uint32_t c)
{
    SHAPE(T);
    const uint32_t column = c + threadIdx.x % CHANNELS;
    for (uint32_t r = first + threadIdx.x / CHANNELS; column < x.width && r < x.rows; r += step)
        from_float(0, x.row(r) + column);
}

template <class T, int V>
static __global__ void __launch_bounds__(SECTOR / sizeof(T) * LM_WARP, sizeof(T)) /* blocks of a multiprocessor */
    multiply(const LM_GRID_CONSTANT products<T> all)
{
    SHAPE(T);
    LM_SHARED(uint4, held, (2 * CHANNELS * PLANE * sizeof(T) + sizeof(uint4) - 1) / sizeof(uint4)); /* later results */
    const product<T> &p = all.each[blockIdx.x % all.count];
    const uint32_t split = blockIdx.x / all.count % all.splits, slice = blockIdx.x / all.count / all.splits;
    const uint32_t slices = (p.to.width + CHANNELS - 1) / CHANNELS, g = slice / slices, c = slice % slices * CHANNELS;
    if (g == all.graphs) {
        if (!p.add) clear_rows(p.to, *all.live + split * LM_WARP, all.splits * LM_WARP, c);
        return;
    }
    const uint32_t warp = threadIdx.x / LM_WARP;
    T *const left = reinterpret_cast<T *>(held), *const right = left + CHANNELS * PLANE;
    float *const results = reinterpret_cast<float *>(held);
    const uint32_t first = all.row_start[g], n = all.vertex_start[g + 1] - all.vertex_start[g];
    const uint32_t tiles = (n + SIDE - 1) / SIDE;
    float total[PACK] = {};
    for (uint32_t t = split; t < tiles * tiles; t += all.splits) {
        part rows = {first, n, t / tiles * SIDE, 0, p.a.transposed};
        part columns = {first, n, t % tiles * SIDE, 0, !p.b.transposed};
        const uint32_t high = at_most_side(n - rows.i), wide = at_most_side(n - columns.i);
        sums<T> s = {};
        for (; rows.l < n; rows.l += SIDE, columns.l += SIDE) {
            const uint32_t most = (high > wide ? high : wide) * SIDE / TOGETHER * HALVES;
            __syncthreads();
            for (uint32_t unit = threadIdx.x; unit < most; unit += THREADS) {
                const some<T> a = load_some<T, V>(p.a.x, rows, c, unit, left);
                const some<T> b = load_some<T, V>(p.b.x, columns, c, unit, right);
                hold(a);
                hold(b);
            }
            __syncthreads();
            s.add_products(left + warp * PLANE, right + warp * PLANE, at_most_side(n - rows.l));
        }
        __syncthreads();
        s.put(results + warp * PLANE);
        __syncthreads();
        put_results<T, V>(results, p, n, first + rows.i * n + columns.i, high, wide, c, total);
    }
    if (p.parts) put_totals<T>(total, p.parts + (size_t)(g * all.splits + split) * p.to.width + c, p.to.width - c);
}

/* ---- On the host ----------------------------------------------------------------------------- */

/* Blocks of a graph: twice as many as one of the mean size needs; a larger one goes through them again. */
static size_t splits_of(size_t rows, size_t graphs)
{
    const size_t side = ((size_t)ceil(sqrt((double)rows / (double)graphs)) + SIDE - 1) / SIDE;
    return 2 * side * side < MOST_SPLITS ? 2 * side * side : (size_t)MOST_SPLITS;
}

/* Parts of sums of a batch: splits_of() for each of its graphs, whose number is at most this one, which grows with
 * both. */
size_t lm_cuda_matmul_workspace(const lm_backend *backend, const lm_program *program, const lm_step *step,
                                const lm_extent *max)
{
    const double side = sqrt((double)max->rows[LM_TUPLES]) / SIDE, more = 2 * sqrt((double)max->rows[LM_GRAPHS]);
    const size_t parts = (size_t)(2 * (side + more) * (side + more)) + 1;
    (void)backend;
    return 2 * parts * lm_program_value(program, step->output[0])->width * sizeof(float);
}

/* A product, as tensors. */
typedef struct wanted {
    lm_tensor a, b, to, relu;
    float *parts;
    bool a_transposed, b_transposed, add;
} wanted;

template <class T, int V> static void launch(lm_cuda *cuda, const lm_frame *f, const wanted *w, size_t count)
{
    products<T> all = {};
    const size_t width = w[0].to.width, channels = SECTOR / sizeof(T);
    for (size_t i = 0; i < count; i++)
        all.each[i] = product<T>{{view_of<T>(w[i].a), w[i].a_transposed},
                                    {view_of<T>(w[i].b), w[i].b_transposed},
                                    view_of<T>(w[i].to),
                                    view_of<T>(w[i].relu),
                                    w[i].parts,
                                    w[i].add};
    all.count = (uint32_t)count, all.graphs = (uint32_t)f->batch->extent.rows[LM_GRAPHS];
    all.splits = (uint32_t)splits_of(w[0].to.rows, all.graphs);
    all.row_start = f->batch->start[LM_TUPLES], all.vertex_start = f->batch->start[LM_VERTICES];
    all.live = cuda->live + LM_TUPLES;
    const unsigned slices = (unsigned)((width + channels - 1) / channels);
    LM_LAUNCH_WAITING((multiply<T, V>), dim3((all.graphs + 1) * slices * all.splits * all.count),
                      dim3((unsigned)channels * LM_WARP), cuda->device.stream, all);
    lm_device_launched(&cuda->device, "products of the matrices of graphs");
}

static void run(lm_backend *backend, const lm_frame *f, const wanted *w, size_t count)
{
    const bool half = lm_cuda_half(backend, LM_TUPLES);
    bool wide = true;
    for (size_t i = 0; i < count; i++) wide = wide && are_wide(half, w[i].a, w[i].b, w[i].to, w[i].relu);
    if (!count || !w[0].to.rows || !f->batch->extent.rows[LM_GRAPHS]) return;
    with_kind(half, wide, [&](auto k) {
        KIND(k);
        launch<T, V>(lm_cuda_of(backend), f, w, count);
    });
}

void lm_cuda_matmul_forward(lm_backend *backend, const lm_frame *f)
{
    wanted w = {};
    w.a = f->in[0], w.b = f->in[1], w.to = f->out[0];
    run(backend, f, &w, 1);
}

void lm_cuda_matmul_backward(lm_backend *backend, const lm_frame *f)
{
    const lm_tensor &g = f->out_gradient[0];
    const size_t graphs = f->batch->extent.rows[LM_GRAPHS];
    const size_t parts = graphs ? graphs * splits_of(g.rows, graphs) : 0;
    wanted all[2] = {}, *w = all;
    float *sums[2] = {};
    for (size_t i = 0; i < 2; i++) {
        if (!f->in_gradient[i].data) continue;
        w->a = i ? f->in[0] : g, w->b = i ? g : f->in[1], w->to = f->in_gradient[i];
        w->a_transposed = i == 1, w->b_transposed = i == 0, w->add = f->add[i];
        for (size_t m = 0; m < f->makers; m++)
            if (f->maker[m].input == i) {
                w->relu = f->in[i];
                if (f->maker[m].bias_gradient) sums[i] = w->parts = (float *)f->workspace + i * parts * g.width;
            }
        w++;
    }
    run(backend, f, all, (size_t)(w - all));
    for (size_t m = 0; m < f->makers && parts; m++)
        if (f->maker[m].bias_gradient)
            lm_cuda_add_parts(lm_cuda_of(backend), sums[f->maker[m].input], (unsigned)parts, g.width,
                              f->maker[m].column, f->maker[m].width, f->maker[m].bias_gradient);
}
