/* What saving features knows: from the graphs (kernel/feature_stream.c) to the rows of the file (feature_rows.c). */
#ifndef LM_SAVING_H
#define LM_SAVING_H

#include "io/archive/gzip.h"
#include "kernel/feature_origin.h"
#include "kernel/spill.h"

typedef struct lm_saving {
    leman_context *ctx;
    const leman_dataset *data; /* NULL: the graphs are those of */
    leman_stream *stream;
    const char *target; /* of a stream */
    const leman_kernel *normal;
    size_t count;
    const leman_feature_options *options;
    uint64_t max; /* tuples of a slice */
    bool on_cpu;  /* devices have no part in it */
    const char *path;
    leman_feature_origin origin;
    const leman_dataset *labels; /* of all rows, once they are known */
    leman_dataset *own_labels;   /* to be freed */
    lm_column_map map;           /* of new columns; of others where the file keeps their names */
    bool fresh;                  /* the columns are new */
    bool streams;                /* rows go to the file as they come */
    bool begun;
    leman_features first; /* the first slice, until there is another */
    lm_spill spill;       /* all of them; closed while there is one */
    lm_gzip file;
    lm_output keep;       /* where new columns go */
    lm_output table;      /* what columns mean */
    leman_features sizes; /* of all rows so far */
    /* of several ranks: */
    bool dealt;      /* slices are dealt out to the ranks in turn, and each writes the text of its own */
    size_t slices;   /* so far, of all ranks */
    size_t all_rows; /* in them */
    lm_vector row;   /* size_t: the first row of each slice in the spill */
    uint32_t *place; /* [columns of this rank] their numbers among those of all ranks; NULL: the same */
} lm_saving;

/* All rows to the file, from memory or from where they wait; by every rank where slices are dealt out. */
leman_status lm_saving_write(lm_saving *saving);

#endif
