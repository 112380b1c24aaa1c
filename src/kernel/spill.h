/*
 * Slices of features that wait, in memory and in a temporary file, until all columns are known.
 *
 * Every slice numbers its columns by itself, in the order of kernel, round and key. When the last one is there, their
 * keys, which are sorted, are merged: each key gets its column among all, and each slice a list of the columns that its
 * own ones are. Read again, a slice has the columns of the whole matrix. Columns that are fixed or folded are those of
 * the whole from the beginning, and only wait for their number.
 *
 * File: 5 bytes an entry where values are counts below 256 (6, 8 or 12 otherwise), 8 a row, 8 for each column of each
 * slice and for each column of all. Memory: of the file what there is memory for; one slice, and while merging some
 * kilobytes for each. Time: O(entries), and a radix sort of the columns of slices for merging.
 */
#ifndef LM_SPILL_H
#define LM_SPILL_H

#include "io/array/sparse_files.h"
#include "kernel/column_map.h"

/* Where a slice waits. */
typedef struct lm_spill_slice {
    size_t rows, entries, columns; /* columns: its own, where they are new */
    size_t first_row, first_entry; /* among all */
    unsigned value_bytes;          /* 1, 2, 4: integers; 8: reals */
    uint64_t place;                /* in the file, and behind it, in bytes: */
    size_t count;                  /* columns of each block */
    size_t key;                    /* [columns], and after merging their numbers, of 32 bits */
    size_t column, value;          /* [entries] */
} lm_spill_slice;

/* Zero-initialise; lm_spill_close() at the end. */
typedef struct lm_spill {
    leman_context *ctx;
    lm_temporary file;
    size_t rows, entries;
    size_t blocks;         /* of new columns; 0: they are fixed or folded */
    lm_vector slice;       /* lm_spill_slice */
    leman_features now;    /* the slice that lm_spill_parts() has read last */
    size_t number, slices; /* its number; SIZE_MAX: none */
} lm_spill;

/* In the folder of the file `beside`; memory: bytes of it that may lie in memory. blocks: of new columns; 0: columns
 * are fixed or folded. */
leman_status lm_spill_open(leman_context *ctx, const char *beside, uint64_t memory, size_t blocks, lm_spill *spill);
void lm_spill_close(lm_spill *spill);
/* The features of a slice, with named columns where they are new; map has the blocks that these are of. Any thread,
 * with a context of its own, at any time. */
leman_status lm_spill_store(leman_context *ctx, lm_spill *spill, const lm_column_map *map,
                            const leman_features *features, lm_spill_slice *slice);
/* A slice more: its rows follow those so far. */
leman_status lm_spill_add(lm_spill *spill, const lm_spill_slice *slice);
/* After the last slice, where columns are new: numbers them; map, which has blocks without keys, gets their counts and,
 * where they are asked for, their keys, which stay in the file. name: of the data. Once. */
leman_status lm_spill_merge(lm_spill *spill, const char *name, bool keys, lm_column_map *map);
/* Slice i with the columns of the whole matrix: rows, start, column and value; lm_features_clear() it. *first: the
 * number of its first row. Any thread, with a context of its own. */
leman_status lm_spill_load(leman_context *ctx, const lm_spill *spill, size_t i, leman_features *features,
                           size_t *first);
/* The arrays of all rows in order. */
lm_sparse_parts lm_spill_parts(lm_spill *spill);

#endif
