/* Sorting of records that may not fit into memory. */
#include "base/external_sort.h"
#include <string.h>

enum {
    RECORD_BYTES = sizeof(lm_record) + 2 * sizeof(lm_pair), /* of the buffer and of its order */
    FEWEST = 1 << 12                                        /* records of the buffer */
};

leman_status lm_external_sort_open(leman_context *ctx, const char *beside, uint64_t memory, unsigned keys,
                                   lm_external_sort *out)
{
    AUTO(lm_external_sort_close) lm_external_sort s = {.ctx = ctx, .keys = keys};
    s.capacity = memory / RECORD_BYTES > FEWEST ? (size_t)(memory / RECORD_BYTES) : FEWEST;
    PASS(lm_temporary_open(ctx, beside, 0, &s.file));
    PASS_NEW(ctx, s.buffer, s.capacity);
    PASS_NEW(ctx, s.order, 2 * s.capacity);
    return HAND_OVER(out, s);
}

void lm_external_sort_close(lm_external_sort *s)
{
    lm_temporary_close(&s->file);
    lm_vector_release(&s->runs);
    RELEASE(s->buffer, s->order, s->heap);
    *s = (lm_external_sort){0};
}

/* Sorts the buffer: order[i].payload is the number of the i-th record. The last key is sorted first, and the sort of the
 * other keys is stable. */
static void sort_buffer(lm_external_sort *s)
{
    for (size_t i = 0; i < s->count; i++) s->order[i].payload = i;
    for (unsigned k = s->keys; k-- > 0;) {
        for (size_t i = 0; i < s->count; i++) s->order[i].key = s->buffer[s->order[i].payload].word[k];
        lm_sort_pairs(s->order, s->order + s->capacity, s->count, s->ctx->settings.threads);
    }
}

/* Writes the buffer, sorted, as a run. The second half of the order is scratch for the records. */
static leman_status write_run(lm_external_sort *s)
{
    enum { BATCH = 1 << 10 };
    _Static_assert(BATCH * sizeof(lm_record) <= FEWEST * sizeof(lm_pair), "the batch fits into the order");
    lm_record *batch = (lm_record *)(void *)(s->order + s->capacity);
    lm_record_run run = {.left = s->count};
    sort_buffer(s);
    run.place = s->file.size;
    for (size_t i = 0; i < s->count;) {
        size_t size = 0;
        for (; size < BATCH && i < s->count; i++) batch[size++] = s->buffer[s->order[i].payload];
        PASS(lm_temporary_append(&s->file, batch, size * sizeof *batch, NULL));
    }
    s->count = 0;
    return lm_vector_append(s->ctx, &s->runs, &run, 1, sizeof run);
}

leman_status lm_external_sort_add(lm_external_sort *s, const lm_record *record)
{
    if (s->count == s->capacity) PASS(write_run(s));
    s->buffer[s->count++] = *record;
    return LEMAN_OK;
}

/* ---- Merging --------------------------------------------------------------------------------- */

/* Fills the buffer of a run, if it is used up and the run has more records. */
static leman_status fill(const lm_external_sort *s, lm_record_run *run, size_t capacity)
{
    if (run->at < run->count || !run->left) return LEMAN_OK;
    run->count = run->left < capacity ? (size_t)run->left : capacity;
    run->at = 0;
    PASS(lm_temporary_read(&s->file, run->place, run->buffer, run->count * sizeof *run->buffer));
    run->place += run->count * sizeof *run->buffer;
    run->left -= run->count;
    return LEMAN_OK;
}

/* Does the next record of run a come before that of run b? Equal records come in the order of the runs. */
static bool comes_before(const lm_external_sort *s, uint32_t a, uint32_t b)
{
    const lm_record_run *runs = s->runs.items;
    const uint64_t *x = runs[a].buffer[runs[a].at].word, *y = runs[b].buffer[runs[b].at].word;
    for (unsigned k = 0; k < s->keys; k++)
        if (x[k] != y[k]) return x[k] < y[k];
    return a < b;
}

/* Moves the run at this place of the heap down to where it belongs. */
static void sift_down(lm_external_sort *s, size_t at)
{
    uint32_t *heap = s->heap;
    for (size_t child; (child = 2 * at + 1) < s->heap_count; at = child) {
        if (child + 1 < s->heap_count && comes_before(s, heap[child + 1], heap[child])) child++;
        if (comes_before(s, heap[at], heap[child])) return;
        const uint32_t run = heap[at];
        heap[at] = heap[child];
        heap[child] = run;
    }
}

/* The records of a buffer that each of the runs gets. */
static size_t part_of(const lm_external_sort *s)
{
    return s->capacity / s->runs.count;
}

leman_status lm_external_sort_begin(lm_external_sort *s)
{
    lm_record_run *runs;
    s->at = 0;
    if (!s->runs.count) {
        sort_buffer(s);
        return LEMAN_OK;
    }
    if (s->count) PASS(write_run(s));
    if (s->runs.count > s->capacity)
        return lm_fail(s->ctx, LEMAN_ERROR_BUDGET,
                       "found %zu sorted parts in a temporary file, expected at most %zu: "
                       "more memory is needed to merge them",
                       s->runs.count, s->capacity);
    PASS_NEW(s->ctx, s->heap, s->runs.count);
    runs = s->runs.items;
    for (size_t i = 0; i < s->runs.count; i++) {
        runs[i].buffer = s->buffer + i * part_of(s);
        PASS(fill(s, runs + i, part_of(s)));
        s->heap[i] = (uint32_t)i;
    }
    s->heap_count = s->runs.count;
    for (size_t i = s->heap_count / 2; i-- > 0;) sift_down(s, i);
    return LEMAN_OK;
}

leman_status lm_external_sort_next(lm_external_sort *s, lm_record *record, bool *more)
{
    if (!s->runs.count) {
        *more = s->at < s->count;
        if (*more) *record = s->buffer[s->order[s->at++].payload];
        return LEMAN_OK;
    }
    *more = s->heap_count > 0;
    if (!*more) return LEMAN_OK;
    lm_record_run *run = (lm_record_run *)s->runs.items + s->heap[0];
    *record = run->buffer[run->at++];
    PASS(fill(s, run, part_of(s)));
    if (run->at == run->count) s->heap[0] = s->heap[--s->heap_count];
    sift_down(s, 0);
    return LEMAN_OK;
}
