/* A list of chunks, each twice the size of the one before; the newest chunk is kept on reset to serve the next call. */
#include "base/arena.h"

#if defined(__SANITIZE_ADDRESS__)
#define LM_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LM_ASAN 1
#endif
#endif
#ifdef LM_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(pointer, bytes) ASAN_POISON_MEMORY_REGION(pointer, bytes)
#define UNPOISON(pointer, bytes) ASAN_UNPOISON_MEMORY_REGION(pointer, bytes)
enum { GAP = 64 };
#else
#define POISON(pointer, bytes) ((void)(pointer), (void)(bytes))
#define UNPOISON(pointer, bytes) ((void)(pointer), (void)(bytes))
enum { GAP = 0 };
#endif

enum { ALIGNMENT = 64, FIRST_CHUNK = 1 << 16 };

struct lm_arena_chunk {
    lm_arena_chunk *below;
    size_t size, used; /* of data */
    char *data;        /* the first aligned byte behind this header */
};

void lm_arena_init(lm_arena *arena, const lm_allocator *allocator)
{
    arena->allocator = *allocator;
    arena->top = NULL;
}

static lm_arena_chunk *chunk_new(lm_arena *arena, size_t least)
{
    size_t size = arena->top ? arena->top->size : FIRST_CHUNK / 2, bytes;
    size = size < SIZE_MAX / 4 ? 2 * size : size;
    if (size < least) size = least;
    if (!lm_add(size, sizeof(lm_arena_chunk) + ALIGNMENT, &bytes)) return NULL;
    lm_arena_chunk *chunk = arena->allocator.allocate(arena->allocator.user, bytes);
    if (!chunk && size > least) { /* doubling was a wish */
        size = least;
        chunk = arena->allocator.allocate(arena->allocator.user, size + sizeof(lm_arena_chunk) + ALIGNMENT);
    }
    if (!chunk) return NULL;
    uintptr_t first = (uintptr_t)(chunk + 1);
    size_t skip = (ALIGNMENT - first % ALIGNMENT) % ALIGNMENT;
    *chunk = (lm_arena_chunk){.below = arena->top, .size = size, .data = (char *)(chunk + 1) + skip};
    POISON(chunk->data, size);
    return chunk;
}

void *lm_arena_take(lm_arena *arena, size_t bytes)
{
    size_t rounded;
    if (!lm_add(bytes, ALIGNMENT - 1 + GAP, &rounded)) return NULL;
    rounded -= rounded % ALIGNMENT;
    lm_arena_chunk *chunk = arena->top;
    if (!chunk || chunk->size - chunk->used < rounded) {
        if (!(chunk = chunk_new(arena, rounded))) return NULL;
        arena->top = chunk;
    }
    char *piece = chunk->data + chunk->used;
    chunk->used += rounded;
    UNPOISON(piece, bytes);
    return piece;
}

lm_arena_mark lm_arena_now(const lm_arena *arena)
{
    return (lm_arena_mark){arena->top, arena->top ? arena->top->used : 0};
}

static void chunk_free(lm_arena *arena, lm_arena_chunk *chunk)
{
    UNPOISON(chunk->data, chunk->size);
    arena->allocator.release(arena->allocator.user, chunk);
}

void lm_arena_reset(lm_arena *arena, lm_arena_mark mark)
{
    while (arena->top && arena->top != mark.chunk) {
        lm_arena_chunk *chunk = arena->top;
        if (!mark.chunk && !chunk->below && chunk->size <= FIRST_CHUNK) { /* keep a small first chunk for next time */
            chunk->used = 0;
            POISON(chunk->data, chunk->size);
            return;
        }
        arena->top = chunk->below;
        chunk_free(arena, chunk);
    }
    if (arena->top) {
        arena->top->used = mark.used;
        POISON(arena->top->data + mark.used, arena->top->size - mark.used);
    }
}

void lm_arena_free(lm_arena *arena)
{
    while (arena->top) {
        lm_arena_chunk *chunk = arena->top;
        arena->top = chunk->below;
        chunk_free(arena, chunk);
    }
}
