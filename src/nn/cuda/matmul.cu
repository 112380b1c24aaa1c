/*
 * Products of the n x n matrices of a graph, channel by channel: M[(u,v)] = sum over w of P[(u,w)] Q[(w,v)];
 * nn/cpu/matmul.c has the formulas.
 *
 * A block computes SIDE x SIDE results of a graph (all results of a smaller graph) for the channels in 32 bytes of a
 * row, the smallest unit that the device reads. It loads SIDE columns of P and SIDE rows of Q at a time into shared
 * memory, where the numbers of a channel are contiguous along w. Each warp then computes one channel, whose sums stay
 * in registers: in bfloat16 with tensor cores; in float a lane has ROWS x COLUMNS results and reads STEP numbers along
 * w at once. The channels are interleaved again through shared memory before they are written. Every sum has a fixed
 * order.
 *
 * Backward, both products are one kernel, in which neighbouring blocks read the same matrix dM. If P or Q is the ReLU
 * of a step and nothing else reads it, the kernel also applies its derivative and sums the gradient of its bias in
 * parts, one for each block.
 *
 * Rows are read and written 16 bytes at a time, or one number at a time if they are not aligned.
 */
#include "nn/cuda/instructions.h"
#include "nn/cuda/rows.h"

enum { SIDE = 24, SECTOR = 32, HALVES = 2 /* of a sector: 16 bytes */, MOST_SPLITS = 1024, MOST_GRAPHS = 65535 };

/* The layout of a channel's numbers in shared memory: SIDE lines of P, SIDE lines of Q; the results overwrite both. The
 * length of lines avoids bank conflicts, between the lanes of a product and between channels. STEP numbers along w are
 * multiplied at once; TOGETHER numbers form a word. */
template <class T> struct shape;
template <> struct shape<float> {
    enum { LINE = SIDE + 4, STEP = 4, TOGETHER = 1 };
};
template <> struct shape<lm_bfloat16> {
    enum { LINE = SIDE, STEP = 8, TOGETHER = 2 };
};
#define SHAPE(T)                                                                                                       \
    enum {                                                                                                             \
        LINE = shape<T>::LINE,                                                                                         \
        RIGHT = SIDE * LINE,                                                                                           \
        CHANNEL = 2 * SIDE * LINE + 4,                                                                                 \
        RESULTS = CHANNEL * sizeof(T) / sizeof(float),                                                                 \
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

/* A matrix. wide: its rows are read 16 bytes at a time, otherwise one number at a time. */
template <class T> struct rows_of {
    view<T> x;
    bool wide;
};

/* 16 bytes of a row as they are in memory, and access to the numbers in them. */
struct piece {
    uint32_t word[4];
};

static __device__ __forceinline__ float as_float(uint32_t word)
{
    float x;
    memcpy(&x, &word, sizeof x);
    return x;
}
static __device__ __forceinline__ float number_in(const piece &p, uint32_t e, const float *)
{
    return as_float(p.word[e]);
}
static __device__ __forceinline__ float number_in(const piece &p, uint32_t e, const lm_bfloat16 *)
{
    return as_float(e % 2 ? p.word[e / 2] & 0xffff0000u : p.word[e / 2] << 16);
}
template <class T> static __device__ __forceinline__ piece piece_of(const float (&x)[16 / sizeof(T)])
{
    enum { WORD = 4 / sizeof(T) };
    piece p;
    LM_UNROLLED_FOR (int w = 0; w < 4; w++) {
        T numbers[WORD];
        LM_UNROLLED_FOR (int e = 0; e < WORD; e++) from_float(x[w * WORD + e], numbers + e);
        memcpy(p.word + w, numbers, sizeof numbers);
    }
    return p;
}

/* Loads the piece of row r from column c on, or zeros if not `there`. A WIDE kernel loads 16 bytes at once without
 * branches, so all loads of a thread are in flight together. */
template <class T, bool WIDE>
static __device__ __forceinline__ piece load_piece(const rows_of<T> &m, uint32_t r, uint32_t c, bool there)
{
    const T *const from = m.x.row(r) + c;
    piece p = {};
    if (WIDE || m.wide) {
        const uint4 four = load_if(from, there);
        p.word[0] = four.x, p.word[1] = four.y, p.word[2] = four.z, p.word[3] = four.w;
    } else if (there) {
        float numbers[16 / sizeof(T)];
        LM_UNROLLED_FOR (uint32_t e = 0; e < 16 / sizeof(T); e++)
            numbers[e] = c + e < m.x.width ? to_float(from[e]) : 0;
        p = piece_of<T>(numbers);
    }
    return p;
}

template <class T, bool WIDE>
static __device__ __forceinline__ void store_piece(const rows_of<T> &m, uint32_t r, uint32_t c, const piece &p)
{
    T *const to = m.x.row(r) + c;
    if (WIDE || m.wide) {
        const uint4 four = {p.word[0], p.word[1], p.word[2], p.word[3]};
        *reinterpret_cast<uint4 *>(to) = four;
    } else {
        LM_UNROLLED_FOR (uint32_t e = 0; e < 16 / sizeof(T); e++)
            if (c + e < m.x.width) from_float(number_in(p, e, to), to + e);
    }
}

/* Entries of a matrix of n columns that begins in row `first`, from (i, l) on; `across`: entry (i, l) is stored as (l,
 * i). */
struct part {
    uint32_t first, n, i, l;
    bool across;
};

/* What a thread is loading: TOGETHER entries along l, half of their channels. */
template <class T> struct some {
    piece entry[shape<T>::TOGETHER];
};

/* Loads entries (i, l) of a part for the channels from `column` on. l is padded with zeros to a multiple of STEP. */
template <class T, bool WIDE>
static __device__ __forceinline__ some<T> load_some(const rows_of<T> &m, const part &p, uint32_t column, uint32_t i,
                                                    uint32_t l)
{
    some<T> s;
    LM_UNROLLED_FOR (uint32_t e = 0; e < shape<T>::TOGETHER; e++) {
        const uint32_t line = p.i + i, along = p.l + l + e, row = p.across ? along * p.n + line : line * p.n + along;
        s.entry[e] = load_piece<T, WIDE>(m, p.first + row, column, line < p.n && along < p.n && column < m.x.width);
    }
    return s;
}

/* Returns number e of every entry, as a word. */
static __device__ __forceinline__ uint32_t word_of(const some<float> &s, uint32_t e)
{
    return s.entry[0].word[e];
}
static __device__ __forceinline__ uint32_t word_of(const some<lm_bfloat16> &s, uint32_t e)
{
    const uint32_t first = s.entry[0].word[e / 2], second = s.entry[1].word[e / 2];
    return e % 2 ? first >> 16 | (second & 0xffff0000u) : (first & 0xffffu) | second << 16;
}

/* Writes the numbers to shared memory, channel by channel. */
template <class T> static __device__ __forceinline__ void hold(const some<T> &s, T *to)
{
    SHAPE(T);
    LM_UNROLLED_FOR (uint32_t e = 0; e < PACK; e++) {
        uint32_t *const word = reinterpret_cast<uint32_t *>(to + e * CHANNEL);
        *word = word_of(s, e);
    }
}

/* held[channel][i][l] = entry (i, l) of both parts; the first part has `high` lines, the second `wide`. A line has a
 * thread for each half of its channels and each word; the threads of a block load several lines at once. */
template <class T, bool WIDE>
static __device__ __forceinline__ void fetch(const rows_of<T> &a, const part &rows, uint32_t high, const rows_of<T> &b,
                                             const part &columns, uint32_t wide, uint32_t c, T *held)
{
    SHAPE(T);
    enum { LANES = SIDE / TOGETHER * HALVES, LINES = THREADS / LANES };
    const uint32_t lane = threadIdx.x % LANES, channel = lane % HALVES * PACK, l = lane / HALVES * TOGETHER;
    const uint32_t deep = (at_most_side(rows.n - rows.l) + STEP - 1) / STEP * STEP, most = high > wide ? high : wide;
    if (threadIdx.x >= LINES * LANES || l >= deep) return;
    for (uint32_t i = threadIdx.x / LANES; i < most; i += LINES) {
        T *const to = held + channel * CHANNEL + i * LINE + l;
        const some<T> left = load_some<T, WIDE>(a, rows, c + channel, i, l);
        const some<T> right = load_some<T, WIDE>(b, columns, c + channel, i, l);
        hold(left, to);
        hold(right, to + RIGHT);
    }
}

/* ---- Sums of products ------------------------------------------------------------------------ */

enum { ROWS = 3, COLUMNS = 6, ACROSS = SIDE / COLUMNS /* lanes beside each other */ };

/* The results of a channel that a lane computes, and how they are written to shared memory. */
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
            LM_UNROLLED_FOR (int x = 0; x < ROWS; x++) load_step(left + x * LINE + l, p[x]);
            LM_UNROLLED_FOR (int y = 0; y < COLUMNS; y++) {
                float q[STEP];
                load_step(right + y * LINE + l, q);
                LM_UNROLLED_FOR (int x = 0; x < ROWS; x++)
                    for (int s = 0; s < STEP; s++) sum[x][y] += p[x][s] * q[s];
            }
        }
    }
    __device__ __forceinline__ void put(float *results) const
    {
        SHAPE(float);
        const uint32_t lane = threadIdx.x % LM_WARP;
        results += lane / ACROSS * ROWS * LINE + lane % ACROSS * COLUMNS;
        LM_UNROLLED_FOR (int x = 0; x < ROWS; x++)
            LM_UNROLLED_FOR (int y = 0; y < COLUMNS; y++) results[x * LINE + y] = sum[x][y];
    }
};

/* Tiles of 16 x 8. Rows from SIDE on, in the second tile, are zeros. */
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
            LM_UNROLLED_FOR (int y = 0; y < SIDE / 8; y++) {
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
        LM_UNROLLED_FOR (int y = 0; y < SIDE / 8; y++)
            LM_UNROLLED_FOR (int x = 0; x < SIDE / 8; x++) {
                float *const to = results + 8 * x * LINE + 8 * y;
                to[0] = sum[x / 2][y][x % 2 * 2], to[1] = sum[x / 2][y][x % 2 * 2 + 1];
            }
    }
};

/* ---- Products -------------------------------------------------------------------------------- */

/* The matrices of all graphs as a factor, and how they are read. */
template <class T> struct factor {
    rows_of<T> matrix;
    bool transposed;
};

template <class T> struct product {
    factor<T> a, b;
    rows_of<T> to;
    rows_of<T> relu; /* `to` is multiplied by the derivative of the ReLU with this output; data NULL: there is none */
    float *parts;    /* [blocks of all graphs][width] sums of the columns of `to`, or NULL */
    bool add;
};

/* Products of the matrices of a batch. A graph has `splits` blocks for each product and slice of channels. */
template <class T> struct products {
    product<T> each[2];
    uint32_t first, graphs, splits; /* the first graph of the grid, all graphs of the batch */
    const uint32_t *row_start, *vertex_start, *live;
};

/* The results of a tile that a thread writes: entries (i, j), (i + LINES, j), ..., half of their channels. */
template <class T> struct share {
    enum {
        LANES = SIDE * HALVES,
        LINES = SECTOR / sizeof(T) * LM_WARP / LANES,
        TURNS = (SIDE + LINES - 1) / LINES /* of a thread, at most */
    };
    uint32_t i, j, channel;
    bool there; /* there are such entries */
};
template <class T> static __device__ __forceinline__ share<T> share_of_thread(uint32_t wide, uint32_t left)
{
    typedef share<T> own;
    const uint32_t lane = threadIdx.x % own::LANES, channel = lane % HALVES * (16 / sizeof(T)), j = lane / HALVES;
    const own s = {threadIdx.x / own::LANES, j, channel,
                   threadIdx.x < own::LINES * own::LANES && j < wide && channel < left};
    return s;
}

/* Loads the ReLU outputs that mask the results of a thread. `corner` is the row of the first result of the tile. */
template <class T, bool WIDE>
static __device__ __forceinline__ void load_made(const rows_of<T> &relu, const share<T> &s, uint32_t n, uint32_t corner,
                                                 uint32_t high, uint32_t c, piece (&made)[share<T>::TURNS])
{
    LM_UNROLLED_FOR (uint32_t turn = 0; turn < share<T>::TURNS; turn++) {
        const uint32_t i = s.i + turn * share<T>::LINES;
        made[turn] = load_piece<T, WIDE>(relu, corner + i * n + s.j, c + s.channel, s.there && i < high);
    }
}

/* to = results, or to += results, for the channels from column c on; total += the final numbers. */
template <class T, bool WIDE>
static __device__ __forceinline__ void put_results(const float *results, const product<T> &p, const share<T> &s,
                                                   uint32_t n, uint32_t corner, uint32_t high, uint32_t c,
                                                   const piece (&made)[share<T>::TURNS], float (&total)[16 / sizeof(T)])
{
    SHAPE(T);
    if (!s.there) return;
    LM_UNROLLED_FOR (uint32_t turn = 0; turn < share<T>::TURNS; turn++) {
        const uint32_t i = s.i + turn * share<T>::LINES, row = corner + i * n + s.j;
        piece old = {};
        float now[PACK];
        if (i >= high) break;
        if (p.add) old = load_piece<T, WIDE>(p.to, row, c + s.channel, true);
        LM_UNROLLED_FOR (uint32_t e = 0; e < PACK; e++) {
            const T *const of = p.to.x.data;
            const float x = results[(s.channel + e) * RESULTS + i * LINE + s.j] + number_in(old, e, of);
            now[e] = p.relu.x.data && !(number_in(made[turn], e, of) > 0) ? 0 : x;
            total[e] += now[e];
        }
        store_piece<T, WIDE>(p.to, row, c + s.channel, piece_of<T>(now));
    }
}

/* parts[column] = the sum of `total` over the threads that have the column, or += it if add. */
template <class T>
static __device__ __forceinline__ void put_totals(float (&total)[16 / sizeof(T)], float *parts, uint32_t left, bool add)
{
    SHAPE(T);
    LM_SHARED(float, held, CHANNELS *CHANNELS); /* [warp][channel] */
    const uint32_t lane = threadIdx.x % LM_WARP, warp = threadIdx.x / LM_WARP;
    /* Lanes of the same half: of two lanes that exchange sums, one continues with the lower half, one with the
     * upper. */
    LM_UNROLLED_FOR (int rest = PACK / 2, mask = HALVES; rest; rest /= 2, mask *= 2) {
        const bool upper = lane & (uint32_t)mask;
        LM_UNROLLED_FOR (int e = 0; e < rest; e++) {
            const float other = __shfl_xor_sync(0xffffffffu, upper ? total[e] : total[e + rest], mask);
            total[e] = (upper ? total[e + rest] : total[e]) + other;
        }
    }
    for (int mask = HALVES * PACK; mask < LM_WARP; mask *= 2) total[0] += __shfl_xor_sync(0xffffffffu, total[0], mask);
    uint32_t e = 0;
    for (uint32_t rest = PACK / 2, bit = HALVES; rest; rest /= 2, bit *= 2) e += lane & bit ? rest : 0;
    if (lane < HALVES * PACK) held[warp * CHANNELS + lane % HALVES * PACK + e] = total[0];
    __syncthreads();
    if (threadIdx.x >= CHANNELS || threadIdx.x >= left) return;
    float sum = add ? parts[threadIdx.x] : 0;
    for (uint32_t w = 0; w < CHANNELS; w++) sum += held[w * CHANNELS + threadIdx.x];
    parts[threadIdx.x] = sum;
}

/* Sets padding rows to zero: they must be finite and have no gradient. */
template <class T> static __device__ void clear_slice(const view<T> &x, uint32_t first, uint32_t step, uint32_t c)
{
    SHAPE(T);
    const uint32_t column = c + threadIdx.x % CHANNELS;
    for (uint32_t r = first + threadIdx.x / CHANNELS; column < x.width && r < x.rows; r += step)
        from_float(0, x.row(r) + column);
}

template <class T, bool WIDE>
static __global__ void __launch_bounds__(SECTOR / sizeof(T) * LM_WARP, sizeof(T)) /* blocks per multiprocessor */
    multiply(const LM_GRID_CONSTANT products<T> all)
{
    lm_after_previous();
    SHAPE(T);
    LM_SHARED(uint4, held, CHANNELS * CHANNEL * sizeof(T) / sizeof(uint4));
    const product<T> &p = all.each[blockIdx.y];
    const uint32_t slices = gridDim.x / all.splits, split = blockIdx.x / slices, g = all.first + blockIdx.z;
    const uint32_t c = (blockIdx.x - split * slices) * CHANNELS, left = p.to.x.width - c;
    if (g == all.graphs) {
        if (!p.add) clear_slice(p.to.x, *all.live + split * LM_WARP, all.splits * LM_WARP, c);
        return;
    }
    const uint32_t warp = threadIdx.x / LM_WARP;
    T *const factors = reinterpret_cast<T *>(held), *const own = factors + warp * CHANNEL;
    float *const results = reinterpret_cast<float *>(held);
    const uint32_t first = all.row_start[g], n = all.vertex_start[g + 1] - all.vertex_start[g];
    const uint32_t tiles = (n + SIDE - 1) / SIDE;
    float *const parts = p.parts ? p.parts + (size_t)(g * all.splits + split) * p.to.x.width + c : NULL;
    if (parts && split >= tiles * tiles && threadIdx.x < CHANNELS && threadIdx.x < left) parts[threadIdx.x] = 0;
    for (uint32_t t = split; t < tiles * tiles; t += all.splits) {
        const uint32_t across = tiles == 1 ? 0 : t / tiles;
        part rows = {first, n, across * SIDE, 0, p.a.transposed};
        part columns = {first, n, (t - across * tiles) * SIDE, 0, !p.b.transposed};
        const uint32_t high = at_most_side(n - rows.i), wide = at_most_side(n - columns.i);
        const uint32_t corner = first + rows.i * n + columns.i;
        const share<T> mine = share_of_thread<T>(wide, left);
        piece made[share<T>::TURNS] = {};
        __syncthreads();
        fetch<T, WIDE>(p.a.matrix, rows, high, p.b.matrix, columns, wide, c, factors);
        sums<T> s = {}; /* reuses the registers of the loads */
        while (true) {
            __syncthreads();
            s.add_products(own, own + RIGHT, at_most_side(n - rows.l));
            rows.l += SIDE, columns.l += SIDE;
            if (rows.l >= n) break;
            __syncthreads();
            fetch<T, WIDE>(p.a.matrix, rows, high, p.b.matrix, columns, wide, c, factors);
        }
        float total[PACK] = {};
        if (p.relu.x.data) load_made<T, WIDE>(p.relu, mine, n, corner, high, c, made);
        __syncwarp();
        s.put(results + warp * RESULTS);
        __syncthreads();
        put_results<T, WIDE>(results, p, mine, n, corner, high, c, made, total);
        if (parts) put_totals<T>(total, parts, left, t != split);
    }
}

/* ---- On the host ----------------------------------------------------------------------------- */

/* Returns the number of blocks of a graph: as many as a graph of the mean size needs. A larger graph loops over
 * them. */
static size_t splits_of(size_t rows, size_t graphs)
{
    const size_t side = ((size_t)ceil(sqrt((double)rows / (double)graphs)) + SIDE - 1) / SIDE;
    return side * side < MOST_SPLITS ? side * side : (size_t)MOST_SPLITS;
}

/* The workspace has the parts of sums of a batch: splits_of() for each of its graphs. The bound used here grows with
 * both rows and graphs. */
size_t lm_cuda_matmul_workspace(const lm_cuda *cuda, const lm_frame *f)
{
    const double side = sqrt((double)f->out[0].rows) / SIDE, more = 2 * sqrt((double)f->batch->extent.rows[LM_GRAPHS]);
    const size_t parts = (size_t)((side + more) * (side + more)) + 1;
    (void)cuda;
    return 2 * parts * f->out[0].width * sizeof(float);
}

/* A product of tensors. */
typedef struct wanted {
    lm_tensor a, b, to, relu;
    float *parts;
    bool a_transposed, b_transposed, add;
} wanted;

template <class T> static rows_of<T> rows_in(const lm_tensor &t)
{
    return rows_of<T>{t, is_wide(t, sizeof(T))};
}

template <class T, bool WIDE> static void launch(lm_cuda *cuda, const lm_frame *f, const wanted *w, size_t count)
{
    products<T> all = {};
    const size_t width = w[0].to.width, channels = SECTOR / sizeof(T);
    for (size_t i = 0; i < count; i++)
        all.each[i] = product<T>{{rows_in<T>(w[i].a), w[i].a_transposed},
                                 {rows_in<T>(w[i].b), w[i].b_transposed},
                                 rows_in<T>(w[i].to),
                                 rows_in<T>(w[i].relu),
                                 w[i].parts,
                                 w[i].add};
    all.graphs = (uint32_t)f->batch->extent.rows[LM_GRAPHS];
    all.splits = (uint32_t)splits_of(w[0].to.rows, all.graphs);
    all.row_start = f->batch->start[LM_TUPLES], all.vertex_start = f->batch->start[LM_VERTICES];
    all.live = cuda->live + LM_TUPLES;
    const unsigned slices = (unsigned)((width + channels - 1) / channels);
    for (; all.first <= all.graphs; all.first += MOST_GRAPHS) {
        const uint32_t left = all.graphs + 1 - all.first, graphs = left < MOST_GRAPHS ? left : (uint32_t)MOST_GRAPHS;
        LM_LAUNCH_EARLY_WAITING((multiply<T, WIDE>), dim3(slices * all.splits, (unsigned)count, graphs),
                                dim3((unsigned)channels * LM_WARP), &cuda->device, all);
    }
}

static void run(lm_cuda *cuda, const lm_frame *f, const wanted *w, size_t count)
{
    const bool half = lm_cuda_half(cuda, LM_TUPLES);
    bool wide = true;
    for (size_t i = 0; i < count; i++) wide = wide && are_wide(half, w[i].a, w[i].b, w[i].to, w[i].relu);
    if (!count || !w[0].to.rows || !f->batch->extent.rows[LM_GRAPHS]) return;
    with_kind(half, wide, [&](auto k) {
        KIND(k);
        constexpr bool WIDE = V != 1; /* with a > here nvcc generates invalid C++ */
        launch<T, WIDE>(cuda, f, w, count);
    });
}

void lm_cuda_matmul_forward(lm_cuda *cuda, const lm_frame *f)
{
    wanted w = {};
    w.a = f->in[0], w.b = f->in[1], w.to = f->out[0];
    run(cuda, f, &w, 1);
}

void lm_cuda_matmul_backward(lm_cuda *cuda, const lm_frame *f)
{
    const lm_tensor &g = f->out_gradient[0];
    const size_t graphs = f->batch->extent.rows[LM_GRAPHS];
    const size_t parts = graphs ? graphs * splits_of(g.rows, graphs) : 0;
    wanted all[2] = {}, *w = all;
    float *sums[2] = {}, *room = NULL;
    for (size_t m = 0; m < f->makers; m++)
        if (f->maker[m].bias_gradient && !room)
            room = lm_cuda_parts_room(cuda, 2 * parts * g.width * sizeof(float), f->workspace);
    for (size_t i = 0; i < 2; i++) {
        if (!f->in_gradient[i].data) continue;
        w->a = i ? f->in[0] : g, w->b = i ? g : f->in[1], w->to = f->in_gradient[i];
        w->a_transposed = i == 1, w->b_transposed = i == 0, w->add = f->add[i];
        for (size_t m = 0; m < f->makers; m++)
            if (f->maker[m].input == i) {
                w->relu = f->in[i];
                if (f->maker[m].bias_gradient) sums[i] = w->parts = room + i * parts * g.width;
            }
        w++;
    }
    run(cuda, f, all, (size_t)(w - all));
    for (size_t m = 0; m < f->makers && parts; m++)
        if (f->maker[m].bias_gradient)
            lm_cuda_add_parts(cuda, sums[f->maker[m].input], (unsigned)parts, g.width, f->maker[m].column,
                              f->maker[m].width, f->maker[m].bias_gradient);
}
