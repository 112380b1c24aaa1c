/*
 * The memory of a context: every block that it hands out is counted, and a block that would go past the limit is
 * refused. One meter belongs to a context, the contexts of its workers and whatever was made with them; it is gone
 * when the context and the last of its blocks are.
 *
 * A block lies behind a header of 16 bytes with its size. Counting is one atomic compare-and-swap, so that the sum of
 * all threads never passes the limit. Bookkeeping (names, lists of a few kilobytes) is not planned for anywhere:
 * LM_METER_SLACK bytes beyond the budget are there for it.
 */
#ifndef LM_METER_H
#define LM_METER_H

#include "base/memory.h"

typedef struct lm_meter lm_meter;

enum { LM_METER_SLACK = 4 << 20 };

/* A meter in front of these hooks. budget 0: lm_memory_free(), asked when there is need and
 * again when it is used up. NULL when
 * memory is short. */
lm_meter *lm_meter_new(const lm_allocator *hooks, size_t budget);
/* The owner has no more use for it. */
void lm_meter_close(lm_meter *meter);
/* Hooks that count; meter is their user. */
lm_allocator lm_meter_hooks(lm_meter *meter);

/* Bytes that are handed out now; that were at most; that may still be. */
size_t lm_meter_used(const lm_meter *meter);
size_t lm_meter_peak(const lm_meter *meter);
size_t lm_meter_left(const lm_meter *meter);
/* Counts bytes that somebody else allocates (a library that knows malloc only); false, and nothing counted, where they
 * go past the limit. */
bool lm_meter_take(lm_meter *meter, size_t bytes);
void lm_meter_give(lm_meter *meter, size_t bytes);

/* Three quarters of what the machine can hand out without swapping, and of what this process may have. */
size_t lm_memory_free(void);

#endif
