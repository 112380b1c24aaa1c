/*
 * The store of feature rows: slices of rows whose columns are merged. Saving features, reading feature files, fitting,
 * evaluating and predicting all use this type. A single slice stays in memory unless the file was opened before it was
 * added. Several slices are packed into a temporary file, the beginning of which may stay in memory.
 *
 * If columns are new, every slice numbers its columns on its own, in the order of kernel, round and key. After the last
 * slice the sorted keys of all slices are merged: each key gets its column in the whole matrix, and each slice gets a
 * list that maps its own columns to these. lm_feature_store_load() returns a slice with the columns of the whole
 * matrix. Fixed and folded columns have their final numbers from the beginning.
 *
 * File: 5 bytes an entry if values are counts below 256 (otherwise 6, 8 or 12), 8 bytes a row, 8 bytes for each column
 * of each slice and for each column of the whole matrix. Memory: as much of the file as fits; one slice; during the
 * merge some kilobytes for each slice. Time: O(entries), plus a radix sort of the columns of all slices.
 */
#ifndef LM_FEATURE_STORE_H
#define LM_FEATURE_STORE_H

#include "io/array/sparse_files.h"
#include "kernel/features/column_map.h"

/* A slice in the file. */
typedef struct lm_store_slice {
    size_t rows, entries, columns; /* columns: of this slice if columns are new, otherwise 0 */
    size_t first_row, first_entry; /* in the whole matrix */
    unsigned value_bytes;          /* 1, 2, 4: integers; 8: reals */
    uint64_t place;       /* of the row starts in the file; offsets of the other arrays from there, in bytes: */
    size_t count;         /* [blocks] number of columns of each block */
    size_t key;           /* [columns] keys; after the merge their columns in the whole matrix, 32 bits each */
    size_t column, value; /* [entries] */
} lm_store_slice;

/* Zero-initialise, then set ctx, fresh and map; lm_feature_store_close() at the end. */
typedef struct lm_feature_store {
    leman_context *ctx;
    bool fresh;          /* columns are new */
    lm_column_map map;   /* columns; of new columns only their blocks until the merge; empty for folded columns */
    leman_features only; /* the only slice, while the file is not open */
    lm_temporary file;   /* all slices, once it is open */
    size_t rows, entries, slices;
    lm_vector slice;    /* lm_store_slice */
    leman_features now; /* the slice that lm_feature_store_parts() has read last */
    size_t number;      /* number of the slice `now`; SIZE_MAX: none */
} lm_feature_store;

/* Makes a store of features in memory, which must outlive it, with a map of their columns. Not to be closed. */
lm_feature_store lm_feature_store_view(leman_context *ctx, const leman_features *features, lm_column_map map);
void lm_feature_store_close(lm_feature_store *store);
/* Opens a temporary file in the folder of the file `beside`, and moves the slice of the store there. At most `memory`
 * bytes of the file are kept in memory. Required before a second slice is added. */
leman_status lm_feature_store_open(lm_feature_store *store, const char *beside, uint64_t memory);
/* Adds the next slice. New columns must have names. If the file is not open, the features move into the store. */
leman_status lm_feature_store_add(lm_feature_store *store, leman_features *features);
/* lm_feature_store_add() in two steps. Threads may pack slices into the open file at the same time, each with its own
 * context; then the slices are appended in the order of their rows. */
leman_status lm_feature_store_pack(leman_context *ctx, lm_feature_store *store, const leman_features *features,
                                   lm_store_slice *slice);
leman_status lm_feature_store_append(lm_feature_store *store, const lm_store_slice *slice);
/* Numbers new columns, once, after the last slice. The blocks of store->map get their columns and, if `keys`, their
 * keys. name is that of the data, for messages. */
leman_status lm_feature_store_merge(lm_feature_store *store, const char *name, bool keys);
/* Reads slice i with the columns of the whole matrix: rows, start, column and value. The caller frees it with
 * lm_features_clear(). *first is the number of its first row. Threads may call this function at the same time, each
 * with its own context. */
leman_status lm_feature_store_load(leman_context *ctx, const lm_feature_store *store, size_t i,
                                   leman_features *features, size_t *first);
/* Returns functions that read the arrays of all rows in order. They hold one slice in memory, store->now. */
lm_sparse_parts lm_feature_store_parts(lm_feature_store *store);

#endif
