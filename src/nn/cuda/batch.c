/*
 * Batches on a device. A batch is laid out with padded sizes in pinned memory of the host, with what stands in rows of
 * padding, and goes over in one copy while the host prepares the next one in the other of two blocks.
 *
 * Padding: the rows of a space are rounded up to a number of few leading bits, tuples and sets to 5 (at most 6 %, on
 * average 1.6 % more rows), the others to 3. So the batches of a run have a handful of sizes, each recorded once.
 *
 * Rows of padding belong to no graph (LM_NO_GRAPH), have no type (LM_NO_TYPE) and no arcs; graphs of padding are empty.
 */
#include "base/context.h"
#include "nn/cuda/cuda.h"
#include <cuda_runtime_api.h>
#include <string.h>

enum { ALIGNMENT = 256, TUPLE_BITS = 6, OTHER_BITS = 3, LEAST = 16 };

/* Rows that cannot be numbered stay as they are: whoever allocates refuses them. */
static size_t round_up(size_t rows, unsigned bits)
{
    size_t unit = LEAST;
    while (rows >> (bits + 1) >= unit) unit *= 2;
    return rows && rows < UINT32_MAX ? (rows + unit - 1) / unit * unit : rows;
}

void lm_cuda_pad(const lm_backend *backend, lm_extent *extent)
{
    (void)backend;
    for (int space = 0; space < LM_SUMMED_SPACES; space++) {
        const bool many = space == LM_TUPLES || lm_is_listed((lm_row_space)space);
        extent->rows[space] = round_up(extent->rows[space], many ? TUPLE_BITS : OTHER_BITS);
    }
    extent->rows[LM_GRAPHS] = round_up(extent->rows[LM_GRAPHS], OTHER_BITS);
}

/* ---- Layout ---------------------------------------------------------------------------------- */

/* Arrays beside those of the batch. */
typedef struct extras {
    uint32_t *live, *graph_of[LM_GRAPH_SPACES], *line_start;
    lm_cuda_sorted sorted[LM_GRAPH_SPACES];
} extras;

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* The next `count` words behind *used. */
static uint32_t *take(char *base, size_t *used, size_t count)
{
    uint32_t *words = (uint32_t *)(void *)(base + *used);
    *used += aligned(count * sizeof(uint32_t));
    return words;
}

static size_t pieces_of(size_t rows)
{
    return (rows + LM_CUDA_PIECE - 1) / LM_CUDA_PIECE;
}

/* The types that embeddings look up; NULL: none. */
static const uint32_t *types_of(const lm_batch *b, int space)
{
    if (lm_is_listed((lm_row_space)space)) return b->listed[space - LM_LISTED].type;
    return space == LM_TUPLES ? b->tuple_type : space == LM_VERTICES ? b->vertex_type : NULL;
}

/* Pointers of the batch and of the extras to arrays at base; returns the bytes of all. */
static size_t lay_out(lm_batch *b, extras *e, char *base)
{
    const size_t *rows = b->extent.rows;
    bool typed[LM_GRAPH_SPACES] = {[LM_TUPLES] = b->tuple_types, [LM_VERTICES] = b->vertex_types};
    size_t used = 0;
    for (int i = 0; i < LM_LISTS; i++) typed[LM_LISTED + i] = b->listed[i].types;
    (void)lm_batch_place(b, base, &used); /* it was done for the host: the sizes are sound */
    used = aligned(used);
    e->live = take(base, &used, LM_ROW_SPACES);
    for (int space = 0; space < LM_GRAPH_SPACES; space++) {
        const size_t sorted = typed[space] ? rows[space] : 0;
        e->graph_of[space] = take(base, &used, rows[space]);
        e->sorted[space].count = take(base, &used, 2);
        e->sorted[space].order = take(base, &used, sorted);
        e->sorted[space].run_type = take(base, &used, sorted + pieces_of(sorted));
        e->sorted[space].piece_run = take(base, &used, pieces_of(sorted));
    }
    e->line_start = take(base, &used, rows[LM_GRAPHS] + 1);
    return used;
}

/* ---- Filling --------------------------------------------------------------------------------- */

static void pad_words(uint32_t *array, size_t live, size_t end, uint32_t word)
{
    for (size_t i = live; array && i < end; i++) array[i] = word;
}

/* Starts of padding are the end of what is live. */
static void pad_starts(uint32_t *start, size_t live, size_t end)
{
    if (start) pad_words(start, live + 1, end + 1, start[live]);
}

/* Attributes: zeros in rows of padding; rounded to bfloat16 in place, one behind the other, where half. */
static void pad_numbers(lm_real *numbers, size_t columns, size_t live, size_t end, bool half)
{
    if (!numbers) return;
    memset(numbers + live * columns, 0, (end - live) * columns * sizeof *numbers);
    for (size_t i = 0; half && i < end * columns; i++) {
        const float number = (float)numbers[i];
        uint32_t bits;
        memcpy(&bits, &number, sizeof bits);
        bits += 0x7fffu + (bits >> 16 & 1); /* to nearest, ties to even; data has no NaN here */
        const uint16_t rounded = (uint16_t)(bits >> 16);
        memcpy((char *)numbers + i * sizeof rounded, &rounded, sizeof rounded);
    }
}

/* The arrays of `from` into those of `to`, which has more rows. */
static void copy_arrays(const lm_batch *from, const lm_batch *to)
{
    const size_t tuples = from->extent.rows[LM_TUPLES], padded = to->extent.rows[LM_TUPLES];
    for (size_t i = 0; i < LM_BATCH_ARRAYS; i++) {
        const lm_batch_array *array = lm_batch_arrays + i;
        void *source, *target;
        memcpy(&source, (const char *)from + array->pointer, sizeof source);
        memcpy(&target, (const char *)to + array->pointer, sizeof target);
        if (!source || !target) continue;
        if (target == (void *)to->count)
            for (size_t c = 0; c < from->counts; c++)
                memcpy(to->count + c * padded, from->count + c * tuples, tuples * sizeof *to->count);
        else
            memcpy(target, source, array->count(from) * array->element);
    }
}

static void pad_arrays(const lm_batch *from, const lm_batch *to, bool half)
{
    const size_t *live = from->extent.rows, *rows = to->extent.rows;
    for (int space = 0; space < LM_GRAPH_SPACES; space++)
        pad_starts(to->start[space], live[LM_GRAPHS], rows[LM_GRAPHS]);
    pad_starts(to->leaving_start, live[LM_VERTICES], rows[LM_VERTICES]);
    pad_starts(to->entering_start, live[LM_VERTICES], rows[LM_VERTICES]);
    pad_words(to->tuple_type, live[LM_TUPLES], rows[LM_TUPLES], LM_NO_TYPE);
    pad_words(to->vertex_type, live[LM_VERTICES], rows[LM_VERTICES], LM_NO_TYPE);
    pad_words(to->arc_label, live[LM_ARCS], rows[LM_ARCS], LM_NO_TYPE);
    for (size_t c = 0; c < from->counts; c++)
        pad_words(to->count + c * rows[LM_TUPLES], live[LM_TUPLES], rows[LM_TUPLES], LM_NO_TYPE);
    for (int i = 0; i < LM_LISTS; i++) {
        const lm_listing *l = to->listed + i;
        const size_t listed = live[LM_LISTED + i], all = rows[LM_LISTED + i];
        pad_starts(l->start, listed * l->lists, all * l->lists);
        pad_starts(l->row_start, live[LM_VERTICES], rows[LM_VERTICES]);
        pad_words(l->type, listed, all, LM_NO_TYPE);
    }
    pad_numbers(to->vertex_attribute, from->vertex_attributes, live[LM_VERTICES], rows[LM_VERTICES], half);
    pad_numbers(to->arc_attribute, from->arc_attributes, live[LM_ARCS], rows[LM_ARCS], half);
    pad_numbers(to->tuple_attribute, from->tuple_attributes, live[LM_TUPLES], rows[LM_TUPLES], half);
}

static void fill_extras(const lm_batch *from, const lm_batch *to, const extras *e)
{
    const size_t graphs = to->extent.rows[LM_GRAPHS];
    uint32_t lines = 0;
    for (int space = 0; space < LM_ROW_SPACES; space++) e->live[space] = (uint32_t)from->extent.rows[space];
    for (int space = 0; space < LM_GRAPH_SPACES; space++) {
        for (size_t g = 0; g < graphs && to->start[space]; g++)
            pad_words(e->graph_of[space], to->start[space][g], to->start[space][g + 1], (uint32_t)g);
        pad_words(e->graph_of[space], from->extent.rows[space], to->extent.rows[space], LM_NO_GRAPH);
    }
    for (size_t g = 0; g <= graphs; g++) {
        e->line_start[g] = lines;
        if (g < graphs && to->k > 1)
            lines += (uint32_t)lm_power(to->start[LM_VERTICES][g + 1] - to->start[LM_VERTICES][g], to->k - 1);
    }
}

/* Rows by their types, by counting. O(rows + types); start: work space that grows. */
static leman_status sort_rows(lm_cuda *cuda, const uint32_t *type, size_t rows, const lm_cuda_sorted *to)
{
    leman_status st = LEMAN_OK;
    uint32_t types = 0, runs = 0, known = 0, *start;
    for (size_t r = 0; r < rows; r++)
        if (type[r] != LM_NO_TYPE && type[r] >= types) types = type[r] + 1;
    cuda->types.count = 0;
    TRY(lm_vector_reserve(cuda->base.ctx, &cuda->types, (size_t)types + 2, sizeof *start));
    start = cuda->types.items;
    memset(start, 0, ((size_t)types + 2) * sizeof *start);
    for (size_t r = 0; r < rows; r++)
        if (type[r] != LM_NO_TYPE) start[type[r] + 2]++;
    for (uint32_t t = 0; t < types; t++)
        start[t + 2] += start[t + 1]; /* start[t + 1]: where type t begins, then ends */
    for (size_t r = 0; r < rows; r++)
        if (type[r] != LM_NO_TYPE) to->order[start[type[r] + 1]++] = (uint32_t)r;
    known = start[types];
    for (uint32_t t = 0; t < types; t++)
        for (uint32_t at = start[t]; at < start[t + 1]; at = (at / LM_CUDA_PIECE + 1) * LM_CUDA_PIECE) {
            if (at % LM_CUDA_PIECE == 0) to->piece_run[at / LM_CUDA_PIECE] = runs;
            to->run_type[runs++] = t;
        }
    to->count[0] = known;
    to->count[1] = runs;
done:
    return st;
}

/* ---- Loading --------------------------------------------------------------------------------- */

static leman_status reserve(lm_cuda *cuda, unsigned turn, size_t bytes)
{
    leman_status st = LEMAN_OK;
    lm_device *device = &cuda->device;
    void *block = NULL;
    if (bytes > cuda->staged[turn]) {
        lm_device_wait(device);
        lm_device_unpin(device, cuda->staging[turn]);
        cuda->staging[turn] = NULL;
        cuda->staged[turn] = 0;
        TRY(lm_device_pin(device, bytes + bytes / 4, &block));
        cuda->staging[turn] = block;
        cuda->staged[turn] = bytes + bytes / 4;
    }
    if (bytes > cuda->capacity) {
        lm_device_release(device, cuda->block);
        cuda->block = NULL;
        cuda->capacity = 0;
        lm_cuda_forget(cuda); /* what was recorded reads the old block */
        TRY(lm_device_allocate(device, bytes + bytes / 4, &block));
        cuda->block = block;
        cuda->capacity = bytes + bytes / 4;
    }
    if (!cuda->copied[turn]) {
        cudaEvent_t event;
        lm_device_result(device, (int)cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "making an event");
        TRY(device->status);
        cuda->copied[turn] = (void *)event;
    }
done:
    return st;
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
    lm_device_wait_event(device, cuda->copied[turn]);
    lay_out(&host, &on_host, cuda->staging[turn]);
    lay_out(&there, &on_device, cuda->block);
    copy_arrays(batch, &host);
    pad_arrays(batch, &host, cuda->precision == LEMAN_PRECISION_BF16);
    fill_extras(batch, &host, &on_host);
    for (int space = 0; space < LM_GRAPH_SPACES; space++)
        if (types_of(batch, space))
            TRY(sort_rows(cuda, types_of(batch, space), batch->extent.rows[space], on_host.sorted + space));
    lm_device_write(device, cuda->block, cuda->staging[turn], bytes);
    lm_device_result(device, (int)cudaEventRecord((cudaEvent_t)cuda->copied[turn], (cudaStream_t)device->stream),
                     "recording an event");
    cuda->live = on_device.live;
    memcpy(cuda->graph_of, on_device.graph_of, sizeof cuda->graph_of);
    cuda->line_start = on_device.line_start;
    memcpy(cuda->sorted, on_device.sorted, sizeof cuda->sorted);
    *out = there;
    TRY(device->status);
done:
    backend->status = device->status;
    return st;
}

void lm_cuda_batch_free(lm_cuda *cuda)
{
    for (int turn = 0; turn < 2; turn++) {
        lm_device_unpin(&cuda->device, cuda->staging[turn]);
        if (cuda->copied[turn]) (void)cudaEventDestroy((cudaEvent_t)cuda->copied[turn]);
    }
    lm_device_release(&cuda->device, cuda->block);
    lm_vector_free(cuda->base.ctx, &cuda->types);
}
