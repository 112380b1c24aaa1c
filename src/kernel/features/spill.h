/*
 * Slices of features that are kept in memory and in a temporary file until all columns are known.
 *
 * Every slice numbers its columns on its own, in the order of kernel, round and key. After the last slice the sorted
 * keys of all slices are merged: each key gets its column in the whole matrix, and each slice gets a list that maps its
 * own columns to these. lm_spill_load() returns a slice with the columns of the whole matrix. Fixed and folded columns
 * have their final numbers from the beginning.
 *
 * File: 5 bytes an entry if values are counts below 256 (otherwise 6, 8 or 12), 8 bytes a row, 8 bytes for each column
 * of each slice and for each column of the whole matrix. Memory: as much of the file as fits; one slice; during the
 * merge some kilobytes for each slice. Time: O(entries), plus a radix sort of the columns of all slices.
 */
#ifndef LM_SPILL_H
#define LM_SPILL_H

#include "io/array/sparse_files.h"
#include "kernel/features/column_map.h"

/* A slice in the file. */
typedef struct lm_spill_slice {
    size_t rows, entries, columns; /* columns: of this slice if columns are new, otherwise 0 */
    size_t first_row, first_entry; /* in the whole matrix */
    unsigned value_bytes;          /* 1, 2, 4: integers; 8: reals */
    uint64_t place;       /* of the row starts in the file; offsets of the other arrays from there, in bytes: */
    size_t count;         /* [blocks] number of columns of each block */
    size_t key;           /* [columns] keys; after the merge their columns in the whole matrix, 32 bits each */
    size_t column, value; /* [entries] */
} lm_spill_slice;

/* Zero-initialise; lm_spill_close() at the end. */
typedef struct lm_spill {
    leman_context *ctx;
    lm_temporary file;
    size_t rows, entries;
    size_t blocks;         /* of new columns; 0: columns are fixed or folded */
    lm_vector slice;       /* lm_spill_slice */
    leman_features now;    /* the slice that lm_spill_parts() has read last */
    size_t number, slices; /* number of the slice `now`, SIZE_MAX: none; number of all slices */
} lm_spill;

/* Opens a temporary file in the folder of the file `beside`. At most `memory` bytes of it are kept in memory. blocks is
 * the number of blocks of new columns, or 0 if columns are fixed or folded. */
leman_status lm_spill_open(leman_context *ctx, const char *beside, uint64_t memory, size_t blocks, lm_spill *spill);
void lm_spill_close(lm_spill *spill);
/* Stores the features of a slice. New columns must have names; map has their blocks. Threads may call this function at
 * the same time, each with its own context. */
leman_status lm_spill_store(leman_context *ctx, lm_spill *spill, const lm_column_map *map,
                            const leman_features *features, lm_spill_slice *slice);
/* Appends a stored slice: its rows follow those of the slices before. */
leman_status lm_spill_add(lm_spill *spill, const lm_spill_slice *slice);
/* Numbers new columns, once, after the last slice. map, whose blocks have no keys, gets the numbers of columns and, if
 * `keys`, the places of the keys in the file. name is that of the data, for messages. */
leman_status lm_spill_merge(lm_spill *spill, const char *name, bool keys, lm_column_map *map);
/* Reads slice i with the columns of the whole matrix: rows, start, column and value. The caller frees it with
 * lm_features_clear(). *first is the number of its first row. Threads may call this function at the same time, each
 * with its own context. */
leman_status lm_spill_load(leman_context *ctx, const lm_spill *spill, size_t i, leman_features *features,
                           size_t *first);
/* Returns functions that read the arrays of all rows in order. They hold one slice in memory, spill->now. */
lm_sparse_parts lm_spill_parts(lm_spill *spill);

#endif
