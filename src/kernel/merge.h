/*
 * Sorted runs in a temporary file, merged step by step: of the next items of all runs those that nothing behind them
 * can come before, sorted. Windows are so small that a step stays in the cache where the runs lie in memory.
 *
 * Memory: a window and twice its pairs for each run. Time: O(items), a radix sort of each step.
 */
#ifndef LM_MERGE_H
#define LM_MERGE_H

#include "base/sort.h"
#include "base/temporary.h"

/* What is left of a run, and how much of it the last step has used. */
typedef struct lm_sorted_run {
    uint64_t place; /* of its next item */
    size_t left;    /* items from there on */
    size_t shown, used;
    const void *window; /* [shown] */
} lm_sorted_run;

/* Zero-initialise; lm_merge_free() at the end. */
typedef struct lm_merge {
    leman_context *ctx;
    const lm_temporary *file;
    bool keys; /* items are keys; otherwise pairs, that is lm_pair */
    lm_sorted_run *run;
    size_t runs;
    size_t most;   /* items of a window */
    char *buffer;  /* [runs][most] of items */
    lm_pair *pair; /* [2][runs * most] of a step, and space to sort them */
} lm_merge;

/* For this many runs at once. */
leman_status lm_merge_new(leman_context *ctx, const lm_temporary *file, bool keys, size_t runs, lm_merge *merge);
void lm_merge_free(lm_merge *merge);
/* Run i, in order: items of equal keys come in the order of runs. Every run is set before the first step. */
static inline void lm_merge_set(lm_merge *merge, size_t i, uint64_t place, size_t items)
{
    merge->run[i] = (lm_sorted_run){.place = place, .left = items};
}
/* The next items as pairs; *count is 0 behind the last. The payload of a key is i * most + its place in the window of
 * run i. Items of one key may be in several steps. */
leman_status lm_merge_step(lm_merge *merge, const lm_pair **pairs, size_t *count);

#endif
