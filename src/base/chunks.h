/*
 * A list of items of one size that grows without moving what it holds: chunks, the newest first. Appending is a copy
 * and a comparison; memory is what the items take and at most one chunk more.
 */
#ifndef LM_CHUNKS_H
#define LM_CHUNKS_H

#include "leman.h"
#include <string.h>

enum { LM_CHUNK_BYTES = 1 << 15 };

typedef struct lm_chunk {
    struct lm_chunk *older;
    size_t used; /* bytes */
    char data[LM_CHUNK_BYTES - 2 * sizeof(void *)];
} lm_chunk;

typedef struct lm_chunks {
    lm_chunk *newest; /* NULL: empty */
} lm_chunks;

/* How many items of `size` bytes there are; O(chunks). */
size_t lm_chunks_count(const lm_chunks *list, size_t size);
/* One more chunk in front. */
leman_status lm_chunks_grow(leman_context *ctx, lm_chunks *list);
void lm_chunks_free(leman_context *ctx, lm_chunks *list);
/* Moves all items into one array, newest chunk first, and gives the chunks back. */
void lm_chunks_gather(leman_context *ctx, lm_chunks *list, void *items);

static inline leman_status lm_chunks_append(leman_context *ctx, lm_chunks *list, const void *item, size_t size)
{
    if (!list->newest || sizeof list->newest->data - list->newest->used < size) {
        leman_status st = lm_chunks_grow(ctx, list);
        if (st) return st;
    }
    memcpy(list->newest->data + list->newest->used, item, size);
    list->newest->used += size;
    return LEMAN_OK;
}

#endif
