/*
 * Merges sorted runs of keys in a temporary file, step by step. A step takes from a window of every run the keys that
 * no key behind a window can precede, and sorts them. If the runs lie in memory, the windows are so small that a step
 * stays in the cache.
 *
 * Memory: for each run a window, and two pairs for each of its keys. Time: O(keys), a radix sort of each step.
 */
#ifndef LM_MERGE_H
#define LM_MERGE_H

#include "base/sort.h"
#include "base/temporary.h"

/* What is left of a run, and how much of it the last step has used. */
typedef struct lm_sorted_run {
    uint64_t place; /* of its next key */
    size_t left;    /* keys from there on */
    size_t shown, used;
    const uint64_t *window; /* [shown] */
} lm_sorted_run;

/* Zero-initialise; lm_merge_free() at the end. */
typedef struct lm_merge {
    leman_context *ctx;
    const lm_temporary *file;
    lm_sorted_run *run;
    size_t runs;
    size_t most;      /* keys of a window */
    uint64_t *buffer; /* [runs][most] */
    lm_pair *pair;    /* [2][runs * most] of a step, and space to sort them */
} lm_merge;

/* For this many runs at once. */
leman_status lm_merge_new(leman_context *ctx, const lm_temporary *file, size_t runs, lm_merge *merge);
void lm_merge_free(lm_merge *merge);
/* Sets run i. Equal keys of several runs are merged in the order of the runs. Every run is set before the first step.
 */
static inline void lm_merge_set(lm_merge *merge, size_t i, uint64_t place, size_t keys)
{
    merge->run[i] = (lm_sorted_run){.place = place, .left = keys};
}
/* The next keys as pairs; *count is 0 after the last key. The payload of a key is i * most + its place in the window of
 * run i. Equal keys may be in several steps. */
leman_status lm_merge_step(lm_merge *merge, const lm_pair **pairs, size_t *count);

#endif
