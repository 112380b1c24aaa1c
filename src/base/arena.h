/*
 * A scratch arena: memory is allocated piece by piece and freed all at once, back to a mark. An arena has one owner and
 * is used by one thread. Pieces are aligned to 64 bytes (a cache line, and any vector register). Under AddressSanitizer
 * freed memory is poisoned, so that a use after a reset is caught, and a gap behind each piece catches overruns.
 */
#ifndef LM_ARENA_H
#define LM_ARENA_H

#include "base/memory.h"

typedef struct lm_arena_chunk lm_arena_chunk;

typedef struct lm_arena {
    lm_allocator allocator;
    lm_arena_chunk *top;  /* newest chunk; each chunk points to the one before it */
    lm_arena_chunk *idle; /* the largest chunk that was freed, kept for the next chunk that is needed */
    bool keeps; /* keep an idle chunk of any size, for work that repeats; otherwise only a small one is kept */
} lm_arena;

typedef struct lm_arena_mark {
    lm_arena_chunk *chunk;
    size_t used;
} lm_arena_mark;

void lm_arena_init(lm_arena *arena, const lm_allocator *allocator);
/* Returns `bytes` bytes, which are not cleared, or NULL if memory is short. */
void *lm_arena_alloc(lm_arena *arena, size_t bytes);
/* Makes sure that pieces of `bytes` bytes in total fit into one chunk. That chunk is the newest one, the idle one, or a
 * new chunk that replaces the idle one. Without this call, small pieces that are allocated first could use up the idle
 * chunk. If memory is short, nothing is reserved, and pieces are allocated one by one. */
void lm_arena_reserve(lm_arena *arena, size_t bytes);
lm_arena_mark lm_arena_now(const lm_arena *arena);
void lm_arena_reset(lm_arena *arena, lm_arena_mark mark);
void lm_arena_free(lm_arena *arena);

#endif
