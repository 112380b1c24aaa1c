/* The file formats: one row of a table each (format.c), one file of code each. */
#ifndef LM_FORMAT_H
#define LM_FORMAT_H

#include "base/context.h"
#include "base/file.h"
#include "graph/dataset.h"

/* Readers of single files get their bytes (still owned by the caller) and the path for messages and the name. The
 * options are complete: max_bytes is not 0, policy not NULL. */
leman_status lm_tu_zip_read(leman_context *ctx, const char *path, lm_bytes *bytes, const leman_read_options *options,
                            leman_cleaning *cleaning, leman_dataset **out);
leman_status lm_graph6_read(leman_context *ctx, const char *path, lm_bytes *bytes, const leman_read_options *options,
                            leman_cleaning *cleaning, leman_dataset **out);
leman_status lm_edge_list_read(leman_context *ctx, const char *path, lm_bytes *bytes, const leman_read_options *options,
                               leman_cleaning *cleaning, leman_dataset **out);
leman_status lm_sdf_read(leman_context *ctx, const char *path, lm_bytes *bytes, const leman_read_options *options,
                         leman_cleaning *cleaning, leman_dataset **out);
leman_status lm_smiles_read(leman_context *ctx, const char *path, lm_bytes *bytes, const leman_read_options *options,
                            leman_cleaning *cleaning, leman_dataset **out);
/* Lists of pairs: graphs 2i and 2i+1 of the data set are the i-th. Empty graphs stay, whatever the policy says. */
leman_status lm_pairs_read(leman_context *ctx, const char *path, lm_bytes *bytes, const leman_read_options *options,
                           leman_cleaning *cleaning, leman_dataset **out);
/* Do the first lines have the shape of the format? For inputs that have neither a mark nor an ending. */
bool lm_graph6_is(lm_bytes bytes);
bool lm_edge_list_is(leman_context *ctx, lm_bytes bytes);
bool lm_sdf_is(lm_bytes bytes);
/* Is there a column of SMILES, by the first line? */
bool lm_smiles_table_is(lm_bytes bytes);
/* What a caller asked for, checked and complete; its policy is *policy. */
leman_status lm_read_options_copy(leman_context *ctx, const leman_read_options *given, leman_read_options *options,
                                  leman_policy *policy);
/* The format of an input that begins with these bytes; LEMAN_FORMAT_AUTO: it cannot be told. */
leman_format lm_format_of_input(leman_context *ctx, const char *path, lm_bytes bytes, const char *smiles_column);
/* The data set in the bytes of a file, decompressed; the options are complete. */
leman_status lm_dataset_parse(leman_context *ctx, const char *path, lm_bytes *bytes, const leman_read_options *options,
                              leman_cleaning *cleaning, leman_dataset **out);
/* options->class_column becomes the class. */
leman_status lm_dataset_use_class(leman_context *ctx, const leman_read_options *options, leman_format format,
                                  leman_dataset **data);
/* Returns st, after the sentence of that failure was made to name the file. */
leman_status lm_read_failure(leman_context *ctx, leman_status st, const char *path);
/* A TU folder. */
leman_status lm_tu_read(leman_context *ctx, const char *path, const leman_read_options *options,
                        leman_cleaning *cleaning, leman_dataset **out);

/* Writers of single files write into an open output, which the caller commits. */
leman_status lm_graph6_write(leman_context *ctx, const leman_dataset *data, lm_output *out);
leman_status lm_sparse6_write(leman_context *ctx, const leman_dataset *data, lm_output *out);
leman_status lm_edge_list_write(leman_context *ctx, const leman_dataset *data, lm_output *out);
leman_status lm_tu_zip_write(leman_context *ctx, const leman_dataset *data, lm_output *out);
/* Molecules: LEMAN_ERROR_INPUT where labels are no atoms and bonds. */
leman_status lm_sdf_write(leman_context *ctx, const leman_dataset *data, lm_output *out);
leman_status lm_smiles_write(leman_context *ctx, const leman_dataset *data, lm_output *out);
/* A folder that does not exist yet: made beside, then renamed. */
leman_status lm_tu_write(leman_context *ctx, const leman_dataset *data, const char *path);

/* Logs in one sentence which columns of data are not in *kept, and so are not in the file that `format` writes. */
void lm_log_dropped(leman_context *ctx, const leman_dataset *data, const char *format, const leman_columns *kept);

#endif
