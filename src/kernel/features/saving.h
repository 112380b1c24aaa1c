/* The state of saving features, from the graphs (kernel/features/feature_stream.c) to the rows of the file (feature_rows.c). */
#ifndef LM_SAVING_H
#define LM_SAVING_H

#include "io/archive/gzip.h"
#include "kernel/features/feature_origin.h"
#include "kernel/features/spill.h"

typedef struct lm_saving {
    leman_context *ctx;
    const leman_dataset *data; /* NULL: the graphs come from `stream` */
    leman_stream *stream;
    const char *target; /* of the stream */
    const leman_kernel *normal;
    size_t count;
    const leman_feature_options *options;
    uint64_t max; /* tuples of a slice, at most */
    bool on_cpu;  /* no device is used */
    const char *path;
    leman_feature_origin origin;
    const leman_dataset *labels; /* of all rows, when they are known */
    leman_dataset *own_labels;   /* labels that must be freed */
    lm_column_map map;           /* of new columns; of other columns if the file contains their names */
    bool fresh;                  /* the columns are new */
    bool streams;                /* rows are written to the file as they are computed */
    bool begun;
    leman_features first; /* the first slice, until there is a second */
    lm_spill spill;       /* all slices; closed while there is only one */
    lm_gzip file;
    lm_output keep;       /* receives new columns */
    lm_output table;      /* receives the meaning of the columns */
    leman_features sizes; /* of all rows so far */
    /* of several ranks: */
    bool dealt;      /* slices are assigned to the ranks in turn, and each rank writes the text of its own */
    size_t slices;   /* of all ranks so far */
    size_t all_rows; /* rows of these slices */
    lm_vector row;   /* size_t: the first row of each slice in the spill */
    uint32_t *place; /* [columns of this rank] their numbers among the columns of all ranks; NULL: the same numbers */
} lm_saving;

/* Writes all rows to the file, from memory or from the spill. If slices are dealt, every rank calls it. */
leman_status lm_saving_write(lm_saving *saving);

#endif
