/*
 * Merges sorted runs of keys in a temporary file, step by step. A step reads a window of every run, takes the keys that
 * precede all keys outside the windows, and sorts them. If the runs lie in memory, the windows are small enough that a
 * step stays in the cache.
 *
 * Memory: a window for each run, and two pairs for each of its keys. Time: O(keys), a radix sort for each step.
 */
#ifndef LM_MERGE_H
#define LM_MERGE_H

#include "base/sort.h"
#include "base/temporary.h"

/* The rest of a run, and the part of it that the last step used. */
typedef struct lm_sorted_run {
    uint64_t place;         /* of its next key in the file */
    size_t left;            /* keys from there on */
    size_t shown, used;     /* keys of the window; keys that the last step used */
    const uint64_t *window; /* [shown] */
} lm_sorted_run;

/* Zero-initialise; lm_merge_free() at the end. */
typedef struct lm_merge {
    leman_context *ctx;
    const lm_temporary *file;
    lm_sorted_run *run;
    size_t runs;
    size_t most;      /* keys of a window, at most */
    uint64_t *buffer; /* [runs][most] */
    lm_pair *pair;    /* [2][runs * most] pairs of a step, and scratch to sort them */
} lm_merge;

/* Allocates a merge of `runs` runs. */
leman_status lm_merge_new(leman_context *ctx, const lm_temporary *file, size_t runs, lm_merge *merge);
void lm_merge_free(lm_merge *merge);
/* Sets run i: `keys` keys that begin at `place` in the file. Every run must be set before the first step. Equal keys of
 * several runs are merged in the order of the runs. */
static inline void lm_merge_set(lm_merge *merge, size_t i, uint64_t place, size_t keys)
{
    merge->run[i] = (lm_sorted_run){.place = place, .left = keys};
}
/* Returns the next keys as pairs; *count is 0 after the last key. The payload of a key is i * most + its index in the
 * window of run i. Equal keys may be divided among several steps. */
leman_status lm_merge_step(lm_merge *merge, const lm_pair **pairs, size_t *count);

#endif
