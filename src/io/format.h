/* The file formats. Each is a row of LEMAN_FORMATS in leman/io.h, and an lm_format_row in the file of its reader. */
#ifndef LM_FORMAT_H
#define LM_FORMAT_H

#include "base/context.h"
#include "base/file.h"
#include "graph/dataset.h"

/* A reader parses `bytes`, which the caller still owns; bytes is NULL for a folder. `path` is used in error messages and
 * for the name of the data set. The options must be complete: max_bytes is not 0 and policy is not NULL. *cleaning, if
 * not NULL, receives what the policy changed. */
typedef leman_status lm_format_reader(leman_context *ctx, const char *path, lm_bytes *bytes,
                                      const leman_read_options *options, leman_cleaning *cleaning, leman_dataset **out);
/* A writer of single files writes to an open output, which the caller commits. */
typedef leman_status lm_format_writer(leman_context *ctx, const leman_dataset *data, lm_output *out);
/* A writer of folders writes to a path that must not exist. */
typedef leman_status lm_folder_writer(leman_context *ctx, const leman_dataset *data, const char *path);

/* How an input that is larger than memory is read: at once, or in slices of graphs. */
typedef enum lm_stream_kind { LM_STREAM_WHOLE, LM_STREAM_BINARY, LM_STREAM_SMILES, LM_STREAM_GRAPH6 } lm_stream_kind;

typedef struct lm_format_row {
    const char *endings[5]; /* of names of files */
    const char *marks[4];   /* texts with which files of this format, and no others, begin */
    lm_format_reader *read;
    lm_format_writer *write;        /* NULL: single files are not written */
    lm_folder_writer *write_folder; /* NULL: the format is not a folder */
    /* Returns true if the first lines look like the format. The function is called for inputs without a mark and without
     * a known ending. NULL: the first lines do not tell. */
    bool (*is)(leman_context *ctx, lm_bytes bytes, const leman_read_options *options);
    bool in_tables; /* `is` is also called if the ending is one of edge lists: .csv, .txt, ... */
    bool molecules; /* the reader turns a class column of words into classes */
    lm_stream_kind slices;
} lm_format_row;

#define LM_FORMAT_ROW(NAME, name, text) extern const lm_format_row lm_format_##name;
LEMAN_FORMATS(LM_FORMAT_ROW)
/* Returns the row of a format. */
const lm_format_row *lm_format_of(leman_format format);

/* Checks the options of a caller and copies them to *options, with defaults filled in. The policy is copied to *policy,
 * to which options->policy points. */
leman_status lm_read_options_copy(leman_context *ctx, const leman_read_options *given, leman_read_options *options,
                                  leman_policy *policy);
/* Finds the format of an input that begins with these bytes: LEMAN_FORMAT_AUTO if it cannot be determined. Fails if the
 * lines could be SMILES as well as graph6. `shown` is the path in the message. */
leman_status lm_format_of_input(leman_context *ctx, const char *path, const char *shown, lm_bytes bytes,
                                const leman_read_options *options, leman_format *found);
/* Parses the decompressed bytes of a file as a data set; bytes is NULL for a folder. The options must be complete. */
leman_status lm_dataset_parse(leman_context *ctx, const char *path, lm_bytes *bytes, const leman_read_options *options,
                              leman_cleaning *cleaning, leman_dataset **out);
/* Makes the target that options->class_column names the class of *data, unless that is NULL or the reader of molecules
 * has done so. *data may be replaced. */
leman_status lm_dataset_use_class(leman_context *ctx, const leman_read_options *options, leman_format format,
                                  leman_dataset **data);
/* Returns st, after adding the name of the file to the error message. Only LEMAN_ERROR_INPUT and LEMAN_ERROR_BUDGET are
 * changed. */
leman_status lm_read_failure(leman_context *ctx, leman_status st, const char *path);

/* Logs in one sentence which columns of data are not in *kept and are therefore missing in a file of this format. */
void lm_log_dropped(leman_context *ctx, const leman_dataset *data, const char *format, const leman_columns *kept);

#endif
