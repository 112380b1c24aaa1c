/*
 * The arena is a list of chunks that double in size up to LARGEST_STEP. A larger piece gets a chunk of exactly its
 * size, so that budgets hold, and the doubling goes on where it was: work that repeats above a large piece finds the small
 * idle chunk. If the arena keeps its chunks, a chunk for a large piece is a little larger: small pieces that are
 * allocated first then leave enough space for the large one.
 */
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

enum { ALIGNMENT = 64, FIRST_CHUNK = 1 << 16, LARGEST_STEP = 1 << 20 };

struct lm_arena_chunk {
    lm_arena_chunk *below;
    size_t size, used; /* bytes of data */
    size_t next;       /* bytes of the chunk above, if no piece needs more */
    char *data;        /* the first aligned byte behind this header */
};

void lm_arena_init(lm_arena *arena, const lm_allocator *allocator)
{
    *arena = (lm_arena){.allocator = *allocator};
}

static lm_arena_chunk *chunk_allocate(lm_arena *arena, size_t size)
{
    size_t bytes;
    if (!lm_add(size, sizeof(lm_arena_chunk) + ALIGNMENT, &bytes)) return NULL;
    lm_arena_chunk *chunk = arena->allocator.allocate(arena->allocator.user, bytes);
    if (!chunk) return NULL;
    uintptr_t first = (uintptr_t)(chunk + 1);
    size_t skip = (ALIGNMENT - first % ALIGNMENT) % ALIGNMENT;
    *chunk = (lm_arena_chunk){.size = size, .data = (char *)(chunk + 1) + skip};
    POISON(chunk->data, size);
    return chunk;
}

static void chunk_free(lm_arena *arena, lm_arena_chunk *chunk)
{
    UNPOISON(chunk->data, chunk->size);
    arena->allocator.release(arena->allocator.user, chunk);
}

/* Puts a chunk of at least `min` bytes on top of the others. */
static lm_arena_chunk *chunk_push(lm_arena *arena, size_t min)
{
    const size_t step = arena->top ? arena->top->next : FIRST_CHUNK;
    lm_arena_chunk *chunk = arena->idle;
    if (chunk && chunk->size >= min) {
        arena->idle = NULL;
    } else {
        if (chunk && chunk->size > FIRST_CHUNK) { /* too small: freed, so that its pages can serve the larger chunk */
            chunk_free(arena, chunk);
            arena->idle = NULL;
        }
        size_t size = step;
        if (size < min && !lm_add(min, arena->keeps ? FIRST_CHUNK : 0, &size)) return NULL;
        chunk = chunk_allocate(arena, size);
        if (!chunk && size > min) chunk = chunk_allocate(arena, min); /* without doubling */
        if (!chunk) return NULL;
    }
    chunk->next = chunk->size > step || step == LARGEST_STEP ? step : 2 * step;
    chunk->below = arena->top;
    chunk->used = 0;
    arena->top = chunk;
    return chunk;
}

void *lm_arena_alloc(lm_arena *arena, size_t bytes)
{
    size_t rounded;
    if (!lm_add(bytes, ALIGNMENT - 1 + GAP, &rounded)) return NULL;
    rounded -= rounded % ALIGNMENT;
    lm_arena_chunk *chunk = arena->top;
    if (!chunk || chunk->size - chunk->used < rounded) {
        if (!(chunk = chunk_push(arena, rounded))) return NULL;
    }
    char *piece = chunk->data + chunk->used;
    chunk->used += rounded;
    UNPOISON(piece, bytes);
    return piece;
}

void lm_arena_reserve(lm_arena *arena, size_t bytes)
{
    if (!lm_add(bytes, FIRST_CHUNK, &bytes)) return; /* for the gaps between pieces */
    if (arena->top && arena->top->size - arena->top->used >= bytes) return;
    if (arena->idle && arena->idle->size < bytes) {
        chunk_free(arena, arena->idle);
        arena->idle = NULL;
    }
    chunk_push(arena, bytes);
}

lm_arena_mark lm_arena_now(const lm_arena *arena)
{
    return (lm_arena_mark){arena->top, arena->top ? arena->top->used : 0};
}

/* Keeps the larger of the idle chunk and this one, if the arena may keep a chunk of that size, and frees the other. */
static void chunk_retire(lm_arena *arena, lm_arena_chunk *chunk)
{
    POISON(chunk->data, chunk->size);
    bool holds = arena->keeps || chunk->size <= FIRST_CHUNK;
    if (holds && (!arena->idle || arena->idle->size < chunk->size)) {
        lm_arena_chunk *smaller = arena->idle;
        arena->idle = chunk;
        chunk = smaller;
    }
    if (chunk) chunk_free(arena, chunk);
}

void lm_arena_reset(lm_arena *arena, lm_arena_mark mark)
{
    while (arena->top != mark.chunk) {
        lm_arena_chunk *chunk = arena->top;
        arena->top = chunk->below;
        chunk_retire(arena, chunk);
    }
    if (arena->top) {
        arena->top->used = mark.used;
        POISON(arena->top->data + mark.used, arena->top->size - mark.used);
    }
}

void lm_arena_free(lm_arena *arena)
{
    lm_arena_reset(arena, (lm_arena_mark){0});
    if (arena->idle) chunk_free(arena, arena->idle);
    arena->idle = NULL;
}
