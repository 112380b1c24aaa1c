/* Lists of chunks; chunks.h has the contracts. */
#include "base/chunks.h"
#include "base/context.h"

size_t lm_chunks_count(const lm_chunks *list, size_t size)
{
    size_t bytes = 0;
    for (const lm_chunk *chunk = list->newest; chunk; chunk = chunk->older) bytes += chunk->used;
    return bytes / size;
}

leman_status lm_chunks_grow(leman_context *ctx, lm_chunks *list)
{
    lm_chunk *chunk;
    size_t step = lm_chunks_step(list);
    if (!(chunk = lm_alloc(ctx, 1, step))) return lm_refusal(ctx);
    chunk->older = list->newest;
    chunk->size = step - sizeof *chunk;
    chunk->used = 0;
    list->newest = chunk;
    list->bytes += step;
    return LEMAN_OK;
}

void lm_chunks_gather(lm_chunks *list, void *items)
{
    char *to = items;
    while (list->newest) {
        lm_chunk *chunk = list->newest;
        if (to) {
            memcpy(to, chunk->data, chunk->used);
            to += chunk->used;
        }
        list->newest = chunk->older;
        lm_release(chunk);
    }
    list->bytes = 0;
}

void lm_chunks_free(lm_chunks *list)
{
    lm_chunks_gather(list, NULL);
}
