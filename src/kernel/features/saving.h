/* The state of saving features, from the graphs (feature_stream.c) to the rows of the file (feature_rows.c). */
#ifndef LM_SAVING_H
#define LM_SAVING_H

#include "io/archive/gzip.h"
#include "kernel/features/feature_origin.h"
#include "kernel/features/feature_store.h"

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
    const leman_dataset *labels; /* of all rows, when they are known */
    leman_dataset *own_labels;   /* labels that must be freed */
    bool streams;                /* rows are written to the file as they are computed */
    lm_feature_store store;      /* all slices */
    lm_gzip file;
    lm_output keep;       /* receives new columns */
    lm_output table;      /* receives the meaning of the columns */
    leman_features sizes; /* of all rows so far; the origin of the columns */
    /* of several ranks: */
    bool dealt;      /* slices are assigned to the ranks in turn, and each rank writes the text of its own */
    size_t slices;   /* of all ranks so far */
    size_t all_rows; /* rows of these slices */
    lm_vector row;   /* size_t: the first row of each slice in the store */
    uint32_t *place; /* [columns of this rank] their numbers among the columns of all ranks; NULL: the same numbers */
} lm_saving;

/* Saves the features of the graphs of asked->data or asked->stream. Set the members up to `max`, and `path`. *sizes gets
 * all members that have no rows. */
leman_status lm_saving_run(const lm_saving *asked, leman_features *sizes);
/* Writes all rows of the store to the file. If slices are dealt, every rank calls it. */
leman_status lm_saving_write(lm_saving *saving);

#endif
