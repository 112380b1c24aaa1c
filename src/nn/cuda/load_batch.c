/*
 * Batches that the host makes for a device. A batch is laid out with padded sizes in pinned memory of the host, padding
 * rows included. It is sent in one copy, in a stream of its own, while the device computes the step before and the host
 * prepares the batch after it. Recorded steps read one place: when the step before is done, the batch is moved there.
 *
 * Padding: the rows of a space are rounded up to a multiple of a power of two. Tuples and sets grow by at most 1/32 (on
 * average 1.2 %). Fewer than MANY of them, and other spaces, grow by at most 1/8: at these sizes more rows cost a
 * kernel no time. Links, which cost only the memory of their numbers, grow by at most 1/2. So the batches of a run have
 * some dozen sizes, each recorded once: in three epochs of QM9 with batches of 64 there are 20 with pairs, 19 with
 * connected triples, 65 with both.
 *
 * Padding rows belong to no graph (LM_NO_GRAPH), have no type (LM_NO_TYPE) and no arcs; padding graphs are empty.
 */
#include "base/context.h"
#include "nn/cuda/cuda.h"
#include <cuda_runtime_api.h>
#include <string.h>

enum { ALIGNMENT = 256, MANY = 8192, MANY_BITS = 5, FEW_BITS = 3, LINK_BITS = 1, LEAST = 16 };

/* Rounds up to the next multiple of a power of two that is LEAST or at most rows / 2^bits. A number of rows that 32
 * bits cannot hold is returned unchanged: allocation fails for it. */
static size_t round_up(size_t rows, unsigned bits)
{
    size_t unit = LEAST;
    while (rows >> (bits + 1) >= unit) unit *= 2;
    return rows && rows < UINT32_MAX ? (rows + unit - 1) / unit * unit : rows;
}

static unsigned bits_of(lm_row_space space, size_t rows)
{
    if (space >= LM_LINKS && space < LM_LABELS) return LINK_BITS;
    return rows >= MANY && (space == LM_TUPLES || lm_is_listed(space)) ? MANY_BITS : FEW_BITS;
}

void lm_cuda_pad(const lm_backend *backend, lm_extent *extent)
{
    (void)backend;
    for (int space = 0; space < LM_SUMMED_SPACES; space++)
        extent->rows[space] = round_up(extent->rows[space], bits_of((lm_row_space)space, extent->rows[space]));
    extent->rows[LM_GRAPHS] = round_up(extent->rows[LM_GRAPHS], FEW_BITS);
}

/* ---- Layout ---------------------------------------------------------------------------------- */

/* Arrays in addition to those of the batch. */
typedef struct extras {
    uint32_t *live, *graph_of[LM_GRAPH_SPACES], *line_start;
    lm_cuda_sorted sorted[LM_GRAPH_SPACES];
} extras;

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Takes the next `count` words after *used. */
static uint32_t *take(char *base, size_t *used, size_t count)
{
    uint32_t *words = (uint32_t *)(void *)(base + *used);
    *used += aligned(count * sizeof(uint32_t));
    return words;
}

/* Returns the types of the rows of a space, which embeddings look up; NULL: none. */
static const uint32_t *types_of(const lm_batch *b, int space)
{
    if (lm_is_listed((lm_row_space)space)) return b->listed[space - LM_LISTED].type;
    return space == LM_TUPLES ? b->tuple_type : space == LM_VERTICES ? b->vertex_type : NULL;
}

/* Sets the pointers of the batch and of the extras to arrays at base. Returns the bytes of all arrays, aligned. */
static size_t lay_out(lm_batch *b, extras *e, char *base)
{
    const size_t *rows = b->extent.rows;
    bool typed[LM_GRAPH_SPACES] = {[LM_TUPLES] = b->tuple_types, [LM_VERTICES] = b->vertex_types};
    size_t used = 0;
    for (int i = 0; i < LM_LISTS; i++) typed[LM_LISTED + i] = b->listed[i].types;
    (void)lm_batch_place(b, base, &used); /* cannot fail: the host's layout of these sizes has succeeded */
    used = aligned(used);
    e->live = take(base, &used, LM_ROW_SPACES);
    for (int space = 0; space < LM_GRAPH_SPACES; space++) {
        const size_t sorted = typed[space] ? rows[space] : 0;
        e->graph_of[space] = take(base, &used, rows[space]);
        e->sorted[space].count = take(base, &used, 2);
        e->sorted[space].order = take(base, &used, sorted);
        e->sorted[space].run_type = take(base, &used, sorted + lm_cuda_pieces(sorted));
        e->sorted[space].piece_run = take(base, &used, lm_cuda_pieces(sorted));
    }
    e->line_start = take(base, &used, rows[LM_GRAPHS] + 1);
    return used;
}

/* ---- Filling --------------------------------------------------------------------------------- */

static void pad_words(uint32_t *array, size_t live, size_t end, uint32_t word)
{
    for (size_t i = live; array && i < end; i++) array[i] = word;
}

/* The starts of padding rows are the end of the live rows. */
static void pad_starts(uint32_t *start, size_t live, size_t end)
{
    if (start) pad_words(start, live + 1, end + 1, start[live]);
}

/* Converts numbers to bfloat16 in place, stored contiguously. */
static void round_numbers(lm_real *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float number = (float)numbers[i];
        uint32_t bits;
        memcpy(&bits, &number, sizeof bits);
        bits += 0x7fffu + (bits >> 16 & 1); /* to nearest, ties to even; there are no NaN here */
        const uint16_t rounded = (uint16_t)(bits >> 16);
        memcpy((char *)numbers + i * sizeof rounded, &rounded, sizeof rounded);
    }
}

/* Copies the arrays of `from` to those of `to`, which has more rows. */
static void copy_arrays(const lm_batch *from, const lm_batch *to)
{
    for (const lm_batch_array *a = lm_batch_arrays; a < lm_batch_arrays + LM_BATCH_ARRAYS; a++) {
        const char *source = lm_batch_array_of(from, a);
        char *target = lm_batch_array_of(to, a);
        const size_t planes = lm_batch_planes(from, a);
        if (!source || !target) continue;
        const size_t live = lm_batch_count(from, a) * a->element / planes,
                     padded = lm_batch_count(to, a) * a->element / planes;
        for (size_t p = 0; p < planes; p++) memcpy(target + p * padded, source + p * live, live);
    }
}

static void pad_arrays(const lm_batch *from, const lm_batch *to, bool half)
{
    const size_t *live = from->extent.rows, *rows = to->extent.rows;
    for (const lm_batch_array *a = lm_batch_arrays; a < lm_batch_arrays + LM_BATCH_ARRAYS; a++) {
        void *array = lm_batch_array_of(to, a);
        const size_t each = lm_batch_row_elements(to, a), padded = rows[a->rows] * each, filled = live[a->rows] * each;
        if (!array) continue;
        if (a->kind == LM_ARRAY_STARTS) pad_starts(array, filled, padded);
        for (size_t p = 0; a->kind == LM_ARRAY_TYPES && p < lm_batch_planes(to, a); p++)
            pad_words((uint32_t *)array + p * padded, filled, padded, LM_NO_TYPE);
        if (a->kind == LM_ARRAY_REALS) {
            memset((lm_real *)array + filled, 0, (padded - filled) * sizeof(lm_real));
            if (half) round_numbers(array, padded);
        }
    }
}

/* Computes line_start[graphs + 1] from the starts of vertices. */
static void start_lines(const lm_batch *b, uint32_t *line_start)
{
    const size_t graphs = b->extent.rows[LM_GRAPHS];
    uint32_t lines = 0;
    for (size_t g = 0; g <= graphs; g++) {
        line_start[g] = lines;
        if (g < graphs && b->k > 1)
            lines += (uint32_t)lm_power(b->start[LM_VERTICES][g + 1] - b->start[LM_VERTICES][g], b->k - 1);
    }
}

static void fill_extras(const lm_batch *from, const lm_batch *to, const extras *e)
{
    const size_t graphs = to->extent.rows[LM_GRAPHS];
    for (int space = 0; space < LM_ROW_SPACES; space++) e->live[space] = (uint32_t)from->extent.rows[space];
    for (int space = 0; space < LM_GRAPH_SPACES; space++) {
        for (size_t g = 0; g < graphs && to->start[space]; g++)
            pad_words(e->graph_of[space], to->start[space][g], to->start[space][g + 1], (uint32_t)g);
        pad_words(e->graph_of[space], from->extent.rows[space], to->extent.rows[space], LM_NO_GRAPH);
    }
    start_lines(to, e->line_start);
}

/* Divides rows in the order of their types into runs. start[types + 1] are the first rows of each type. */
static void cut_runs(const uint32_t *start, uint32_t types, const lm_cuda_sorted *to)
{
    uint32_t runs = 0;
    for (uint32_t t = 0; t < types; t++)
        for (uint32_t at = start[t]; at < start[t + 1]; at = (at / LM_CUDA_PIECE + 1) * LM_CUDA_PIECE) {
            if (at % LM_CUDA_PIECE == 0) to->piece_run[at / LM_CUDA_PIECE] = runs;
            to->run_type[runs++] = t;
        }
    to->count[0] = start[types];
    to->count[1] = runs;
}

/* Sorts rows by their types, with a counting sort. O(rows + types). */
static leman_status sort_rows(lm_cuda *cuda, const uint32_t *type, size_t rows, const lm_cuda_sorted *to)
{
    uint32_t types = 0, *start;
    for (size_t r = 0; r < rows; r++)
        if (type[r] != LM_NO_TYPE && type[r] >= types) types = type[r] + 1;
    cuda->types.count = 0;
    PASS(lm_vector_reserve(cuda->base.ctx, &cuda->types, (size_t)types + 2, sizeof *start));
    start = cuda->types.items;
    memset(start, 0, ((size_t)types + 2) * sizeof *start);
    for (size_t r = 0; r < rows; r++)
        if (type[r] != LM_NO_TYPE) start[type[r] + 2]++;
    for (uint32_t t = 0; t < types; t++)
        start[t + 2] += start[t + 1]; /* start[t + 1]: at first the start of type t, afterwards its end */
    for (size_t r = 0; r < rows; r++)
        if (type[r] != LM_NO_TYPE) to->order[start[type[r] + 1]++] = (uint32_t)r;
    cut_runs(start, types, to);
    return LEMAN_OK;
}

/* ---- Loading --------------------------------------------------------------------------------- */

/* Reserves two blocks of at least `bytes` for the arrays of a batch. */
static leman_status reserve_blocks(lm_cuda *cuda, size_t bytes, size_t slack)
{
    void *block = NULL;
    if (bytes <= cuda->capacity) return LEMAN_OK;
    lm_device_release(&cuda->device, cuda->block);
    cuda->block = NULL;
    cuda->capacity = 0;
    lm_cuda_forget(cuda); /* recorded steps read the old block */
    PASS(lm_device_allocate(&cuda->device, lm_saturating_multiply(2, aligned(bytes + slack)), &block));
    cuda->block = block;
    cuda->capacity = aligned(bytes + slack);
    lm_cuda_record_event(&cuda->device, cuda->free); /* after the block has been set to zero */
    return LEMAN_OK;
}

static size_t bytes_of(const lm_backend *backend, const lm_batch *like)
{
    lm_batch largest = *like;
    extras e;
    lm_cuda_pad(backend, &largest.extent);
    return lay_out(&largest, &e, NULL);
}

size_t lm_cuda_batch_bytes(const lm_backend *backend, const lm_batch *like)
{
    return lm_saturating_multiply(2, bytes_of(backend, like));
}

leman_status lm_cuda_reserve_batch(lm_backend *backend, const lm_batch *like)
{
    return reserve_blocks(lm_cuda_of(backend), bytes_of(backend, like), 0);
}

/* Reserves `bytes` on the device and in staging block `turn`, and waits until the previous copy from that block is
 * done. */
static leman_status reserve(lm_cuda *cuda, unsigned turn, size_t bytes)
{
    lm_device *device = &cuda->device;
    void *block = NULL;
    if (bytes > cuda->staged[turn]) {
        lm_device_wait(device);
        lm_device_unpin(device, cuda->staging[turn]);
        cuda->staging[turn] = NULL;
        cuda->staged[turn] = 0;
        PASS(lm_device_pin(device, bytes + bytes / 4, &block));
        cuda->staging[turn] = block;
        cuda->staged[turn] = bytes + bytes / 4;
    }
    PASS(reserve_blocks(cuda, bytes, bytes / 4));
    lm_device_wait_event(device, cuda->copied[turn]);
    return device->status;
}

leman_status lm_cuda_loading_new(lm_cuda *cuda)
{
    lm_device *device = &cuda->device;
    cudaStream_t stream = NULL;
    lm_device_result(device, (int)cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "opening a stream");
    cuda->loading = (void *)stream;
    cuda->copied[0] = lm_cuda_event(device);
    cuda->copied[1] = lm_cuda_event(device);
    cuda->free = lm_cuda_event(device);
    return device->status;
}

/* Copies the staging block to the device, concurrently with the step before, and behind that step to the block that
 * steps read. */
static void send(lm_cuda *cuda, unsigned turn, size_t bytes)
{
    lm_device *device = &cuda->device;
    void *const stream = device->stream;
    char *const arrives = cuda->block + cuda->capacity;
    device->stream = cuda->loading;
    lm_cuda_wait_event(device, cuda->free);
    lm_device_write(device, arrives, cuda->staging[turn], bytes);
    lm_cuda_record_event(device, cuda->copied[turn]);
    device->stream = stream;
    lm_cuda_wait_event(device, cuda->copied[turn]);
    lm_device_copy(device, cuda->block, arrives, bytes);
    lm_cuda_record_event(device, cuda->free);
}

leman_status lm_cuda_load_batch(lm_backend *backend, const lm_batch *batch, lm_batch *out)
{
    leman_status st = LEMAN_OK;
    lm_cuda *cuda = lm_cuda_of(backend);
    lm_device *device = &cuda->device;
    const unsigned turn = cuda->turn++ % 2;
    lm_batch host = *batch, there = *batch;
    extras on_host, on_device;
    lm_cuda_pad(backend, &host.extent);
    there.extent = host.extent;
    const size_t bytes = lay_out(&host, &on_host, NULL);
    TRY(reserve(cuda, turn, bytes));
    lay_out(&host, &on_host, cuda->staging[turn]);
    lay_out(&there, &on_device, cuda->block);
    copy_arrays(batch, &host);
    pad_arrays(batch, &host, cuda->precision == LEMAN_PRECISION_BF16);
    fill_extras(batch, &host, &on_host);
    for (int space = 0; space < LM_GRAPH_SPACES; space++)
        if (types_of(batch, space))
            TRY(sort_rows(cuda, types_of(batch, space), batch->extent.rows[space], on_host.sorted + space));
    send(cuda, turn, bytes);
    TRY(device->status);
    cuda->live = on_device.live;
    cuda->line_start = on_device.line_start;
    memcpy(cuda->graph_of, on_device.graph_of, sizeof cuda->graph_of);
    memcpy(cuda->sorted, on_device.sorted, sizeof cuda->sorted);
    *out = there;
done:
    backend->status = device->status;
    return st;
}

void lm_cuda_batch_free(lm_cuda *cuda)
{
    for (int turn = 0; turn < 2; turn++) {
        lm_device_unpin(&cuda->device, cuda->staging[turn]);
        lm_cuda_event_free(cuda->copied[turn]);
    }
    lm_cuda_event_free(cuda->free);
    if (cuda->loading) (void)cudaStreamDestroy((cudaStream_t)cuda->loading);
    lm_device_release(&cuda->device, cuda->block);
    lm_vector_release(&cuda->types);
}
