/* Allocation through the caller's hooks, and growing arrays. Capacities double, so appending takes amortised O(1). */
#include "base/context.h"
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void lm_prefer_large_pages(void *pointer, size_t size)
{
    enum { LARGE_PAGE = 1 << 21, WORTH = 4 * LARGE_PAGE };
    if (size < WORTH) return;
#ifdef MADV_HUGEPAGE
    uintptr_t first = ((uintptr_t)pointer + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    uintptr_t last = ((uintptr_t)pointer + size) / LARGE_PAGE * LARGE_PAGE;
    madvise((void *)first, last - first, MADV_HUGEPAGE);
#else
    (void)pointer;
#endif
}

void lm_trim_memory(void)
{
#ifdef __GLIBC__
    /* If another allocator (of a sanitizer, jemalloc) has replaced that of the C library, the first call of
     * malloc_trim() initialises it, which two threads must not do at the same time. */
    static pthread_mutex_t trim_lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&trim_lock);
    malloc_trim(0);
    pthread_mutex_unlock(&trim_lock);
#endif
}

leman_status lm_refuse_size(leman_context *ctx, size_t count, size_t size)
{
    ctx->over_budget = false;
    return lm_fail(ctx, LEMAN_ERROR_MEMORY, "%zu element%s of %zu byte%s are more than this machine can address", count,
                   lm_plural(count), size, lm_plural(size));
}

void *lm_alloc(leman_context *ctx, size_t count, size_t size)
{
    size_t bytes;
    if (!lm_multiply(count, size, &bytes)) {
        lm_refuse_size(ctx, count, size);
        return NULL;
    }
    void *pointer = ctx->allocator.allocate(ctx->allocator.user, bytes ? bytes : 1);
    if (!pointer) lm_refuse_bytes(ctx, bytes);
    return pointer;
}

void lm_free(leman_context *ctx, void *pointer)
{
    if (pointer) ctx->allocator.release(ctx->allocator.user, pointer);
}

leman_status lm_copy_text(leman_context *ctx, const char *text, size_t length, char **out)
{
    leman_status st = LEMAN_OK;
    char *copy;
    NEW(ctx, copy, length + 1);
    if (length) memcpy(copy, text, length);
    copy[length] = 0;
    *out = copy;
done:
    return st;
}

leman_status lm_vector_reserve(leman_context *ctx, lm_vector *vector, size_t more, size_t size)
{
    size_t wanted = 0, bytes;
    bool fits = lm_add(vector->count, more, &wanted);
    if (fits && wanted <= vector->capacity) return LEMAN_OK;
    size_t capacity = vector->capacity < 32 ? 64 : 2 * vector->capacity;
    if (capacity < wanted) capacity = wanted;
    if (!fits || !lm_multiply(capacity, size, &bytes))
        return lm_fail(ctx, LEMAN_ERROR_MEMORY, "an array grew past what this machine can address");
    if (ctx->meter && bytes > lm_meter_left(ctx->meter) / 2 && wanted + wanted / 8 > wanted &&
        wanted + wanted / 8 < capacity) {
        capacity = wanted + wanted / 8; /* no doubling if memory is scarce */
        bytes = capacity * size;
    }
    void *items = ctx->allocator.reallocate(ctx->allocator.user, vector->items, bytes);
    if (!items) return lm_refuse_bytes(ctx, bytes - vector->capacity * size);
    vector->items = items;
    vector->capacity = capacity;
    return LEMAN_OK;
}

leman_status lm_vector_append(leman_context *ctx, lm_vector *vector, const void *items, size_t count, size_t size)
{
    leman_status st = lm_vector_reserve(ctx, vector, count, size);
    if (st) return st;
    if (count) memcpy((char *)vector->items + vector->count * size, items, count * size);
    vector->count += count;
    return LEMAN_OK;
}

void lm_vector_free(leman_context *ctx, lm_vector *vector)
{
    lm_free(ctx, vector->items);
    *vector = (lm_vector){0};
}
