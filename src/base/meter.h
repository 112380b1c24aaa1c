/*
 * The memory of a context: every block that is allocated is counted, and a block that would exceed the limit is
 * refused. A context, the contexts of its workers and every object made with them share one meter, which is freed with
 * the context or with the last block, whichever comes last.
 *
 * A block lies behind a header of 16 bytes that holds its meter and its size, so that any block can be freed without a
 * context. Counting is one atomic compare-and-swap, so that the
 * sum over all threads never exceeds the limit. Estimates do not include bookkeeping (names, lists of a few kilobytes):
 * LM_METER_SLACK bytes beyond the budget are allowed for it.
 */
#ifndef LM_METER_H
#define LM_METER_H

#include "base/memory.h"

typedef struct lm_meter lm_meter;

enum { LM_METER_SLACK = 4 << 20 };

/* Creates a meter in front of the hooks of an allocator. If budget is 0, the limit comes from lm_memory_free(), which
 * is called when memory is first needed and again when the limit is reached. Returns NULL if memory is short. */
lm_meter *lm_meter_new(const lm_allocator *hooks, size_t budget);
/* Called by the owner, which must not use the meter any more. Blocks that are still allocated keep it alive. */
void lm_meter_close(lm_meter *meter);
/* Returns hooks that count; the meter is their user argument. */
lm_allocator lm_meter_hooks(lm_meter *meter);

/* Frees a block of any meter; pointer may be NULL. */
void lm_release(void *pointer);
/* Frees several blocks, of which any may be NULL: RELEASE(a, b, c). */
#define RELEASE(...) lm_release_all((void *const[]){__VA_ARGS__}, sizeof((void *const[]){__VA_ARGS__}) / sizeof(void *))
void lm_release_all(void *const *pointer, size_t count);
/* For AUTO(): frees the block to which the pointer at `place` points. */
static inline void lm_release_at(void *place)
{
    lm_release(*(void **)place);
}

/* Bytes that are allocated, and bytes that may still be allocated. */
size_t lm_meter_used(const lm_meter *meter);
size_t lm_meter_left(const lm_meter *meter);
/* Counts bytes that somebody else allocates (a library that only knows malloc). Returns false, and counts nothing, if
 * they would exceed the limit. lm_meter_give() takes them off again. */
bool lm_meter_take(lm_meter *meter, size_t bytes);
void lm_meter_give(lm_meter *meter, size_t bytes);

/* Returns three quarters of the memory that the machine can provide without swapping and that this process may use. */
size_t lm_memory_free(void);

#endif
