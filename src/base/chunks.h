/*
 * A list of items of one size that grows without moving the items that it holds: a linked list of chunks, the newest
 * first. Appending costs a copy and a comparison. Chunks double up to LM_CHUNK_BYTES, so the list takes at most twice
 * the memory of its items, and at most one chunk more.
 */
#ifndef LM_CHUNKS_H
#define LM_CHUNKS_H

#include "leman.h"
#include <string.h>

enum { LM_CHUNK_MIN = 1 << 10, LM_CHUNK_BYTES = 1 << 15 };

typedef struct lm_chunk {
    struct lm_chunk *older;
    size_t size, used; /* bytes of data */
    char data[];
} lm_chunk;

typedef struct lm_chunks {
    lm_chunk *newest; /* NULL if the list is empty */
    size_t bytes;     /* bytes of all chunks */
} lm_chunks;

/* Returns the number of items of `size` bytes. O(chunks). */
size_t lm_chunks_count(const lm_chunks *list, size_t size);
/* Returns the bytes of the next chunk. */
static inline size_t lm_chunks_step(const lm_chunks *list)
{
    size_t step = list->bytes ? list->bytes : LM_CHUNK_MIN;
    return step < LM_CHUNK_BYTES ? step : LM_CHUNK_BYTES;
}

/* Returns true if one more item of `size` bytes fits into the newest chunk. */
static inline bool lm_chunks_has_room(const lm_chunks *list, size_t size)
{
    return list->newest && list->newest->size - list->newest->used >= size;
}

/* Adds an empty chunk in front of the others. Fails if memory is short. */
leman_status lm_chunks_grow(leman_context *ctx, lm_chunks *list);
void lm_chunks_free(lm_chunks *list);
/* Copies all items into the array `items`, newest chunk first, and frees the chunks. */
void lm_chunks_gather(lm_chunks *list, void *items);

/* Appends an item; lm_chunks_has_room() must be true. */
static inline void lm_chunks_put(lm_chunks *list, const void *item, size_t size)
{
    memcpy(list->newest->data + list->newest->used, item, size);
    list->newest->used += size;
}

static inline leman_status lm_chunks_append(leman_context *ctx, lm_chunks *list, const void *item, size_t size)
{
    if (!lm_chunks_has_room(list, size)) {
        leman_status st = lm_chunks_grow(ctx, list);
        if (st) return st;
    }
    lm_chunks_put(list, item, size);
    return LEMAN_OK;
}

#endif
