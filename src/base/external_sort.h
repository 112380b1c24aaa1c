/*
 * Sorts records that may not fit into memory. Records are added to a buffer; a full buffer is sorted and written to a
 * temporary file as a run, and all runs are merged while the records are read. Equal records keep their order.
 *
 *   AUTO(lm_external_sort_close) lm_external_sort sort = {0};
 *   PASS(lm_external_sort_open(ctx, beside, memory, keys, &sort));
 *   ...  PASS(lm_external_sort_add(&sort, &record));
 *   PASS(lm_external_sort_begin(&sort));
 *   for (;;) { PASS(lm_external_sort_next(&sort, &record, &more)); if (!more) break; ... }
 *
 * O(n log(runs)), and one pass over the temporary file for writing and one for reading.
 */
#ifndef LM_EXTERNAL_SORT_H
#define LM_EXTERNAL_SORT_H

#include "base/sort.h"
#include "base/temporary.h"

enum { LM_RECORD_WORDS = 4 };
typedef struct lm_record {
    uint64_t word[LM_RECORD_WORDS];
} lm_record;

/* A sorted part of the file while it is read. */
typedef struct lm_record_run {
    uint64_t place, left; /* of the records that are not in the buffer yet: offset and number */
    lm_record *buffer;
    size_t at, count;
} lm_record_run;

/* Zero-initialise; lm_external_sort_close() at the end. */
typedef struct lm_external_sort {
    leman_context *ctx;
    unsigned keys; /* records are ordered by their first words, so many */
    lm_temporary file;
    lm_record *buffer; /* [capacity] */
    lm_pair *order;    /* [2 * capacity] */
    size_t capacity, count, at;
    lm_vector runs; /* lm_record_run */
    uint32_t *heap; /* [runs] numbers of runs that are not at their end, the one with the smallest record first */
    size_t heap_count;
} lm_external_sort;

/* Opens a sort of records by their first `keys` words. `memory` bytes, but at least those of some thousand records, are
 * allocated at once. `beside` is as in lm_temporary_open(); the file is created when the first run is written. */
leman_status lm_external_sort_open(leman_context *ctx, const char *beside, uint64_t memory, unsigned keys,
                                   lm_external_sort *sort);
leman_status lm_external_sort_add(lm_external_sort *sort, const lm_record *record);
/* Ends the adding. */
leman_status lm_external_sort_begin(lm_external_sort *sort);
/* Sets *record to the next record in order. *more is false after the last. */
leman_status lm_external_sort_next(lm_external_sort *sort, lm_record *record, bool *more);
void lm_external_sort_close(lm_external_sort *sort);

#endif
