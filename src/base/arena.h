/*
 * A scratch arena: memory that is taken piece by piece and given back all at once, down to a mark. One owner, one
 * thread. Pieces are aligned to 64 bytes (a cache line, and any vector register). Under AddressSanitizer what has
 * been given back is poisoned, so a use after reset is caught, and a gap behind each piece catches overruns.
 */
#ifndef LM_ARENA_H
#define LM_ARENA_H

#include "base/memory.h"

typedef struct lm_arena_chunk lm_arena_chunk;

typedef struct lm_arena {
    lm_allocator allocator;
    lm_arena_chunk *top;  /* newest chunk; each knows the one before it */
    lm_arena_chunk *idle; /* the largest chunk given back, for the next that is needed */
    bool keeps; /* hold an idle chunk of any size, for work that comes again and again; otherwise a small one */
} lm_arena;

typedef struct lm_arena_mark {
    lm_arena_chunk *chunk;
    size_t used;
} lm_arena_mark;

void lm_arena_init(lm_arena *arena, const lm_allocator *allocator);
/* NULL when memory is short. Not cleared. */
void *lm_arena_alloc(lm_arena *arena, size_t bytes);
/* Room for pieces of so many bytes in one chunk: the idle one, or in place of it. Small pieces that come first would
 * use that up otherwise. Where memory is short there is none, and pieces are taken one by one. */
void lm_arena_reserve(lm_arena *arena, size_t bytes);
lm_arena_mark lm_arena_now(const lm_arena *arena);
void lm_arena_reset(lm_arena *arena, lm_arena_mark mark);
void lm_arena_free(lm_arena *arena);

#endif
