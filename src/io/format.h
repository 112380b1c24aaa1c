/* The file formats. Each has a row in the table of format.c and a file of code. */
#ifndef LM_FORMAT_H
#define LM_FORMAT_H

#include "base/context.h"
#include "base/file.h"
#include "graph/dataset.h"

/* Readers of single files. They parse `bytes`, which the caller still owns. `path` is used in error messages and for
 * the name of the data set. The options must be complete: max_bytes is not 0 and policy is not NULL. *cleaning, if not
 * NULL, receives what the policy changed. */
typedef leman_status lm_format_reader(leman_context *ctx, const char *path, lm_bytes *bytes,
                                      const leman_read_options *options, leman_cleaning *cleaning, leman_dataset **out);
lm_format_reader lm_tu_zip_read, lm_graph6_read, lm_edge_list_read, lm_sdf_read, lm_smiles_read;
/* Reads a list of pairs: graphs 2i and 2i+1 of the data set are pair i. Empty graphs are kept, even if the policy
 * removes them. */
lm_format_reader lm_pairs_read;
/* Return true if the first line or lines look like the format. Used for inputs without a mark at the beginning and
 * without a known ending. */
bool lm_graph6_is(lm_bytes bytes);
bool lm_edge_list_is(leman_context *ctx, lm_bytes bytes);
bool lm_sdf_is(lm_bytes bytes);
/* Returns true if a word of the first line contains "smiles", in upper or lower case, as the header of a table of
 * molecules does. */
bool lm_smiles_table_is(lm_bytes bytes);
/* Checks the options of a caller and copies them to *options, with defaults filled in. The policy is copied to *policy,
 * to which options->policy points. */
leman_status lm_read_options_copy(leman_context *ctx, const leman_read_options *given, leman_read_options *options,
                                  leman_policy *policy);
/* Returns the format of an input that begins with these bytes, or LEMAN_FORMAT_AUTO if it cannot be determined.
 * smiles_column: the column that the caller named, or NULL. */
leman_format lm_format_of_input(leman_context *ctx, const char *path, lm_bytes bytes, const char *smiles_column);
/* Parses the decompressed bytes of a file as a data set. The options must be complete. */
leman_status lm_dataset_parse(leman_context *ctx, const char *path, lm_bytes *bytes, const leman_read_options *options,
                              leman_cleaning *cleaning, leman_dataset **out);
/* Makes the target that options->class_column names the class of *data, unless that is NULL or the reader of molecules
 * has done so. *data may be replaced. */
leman_status lm_dataset_use_class(leman_context *ctx, const leman_read_options *options, leman_format format,
                                  leman_dataset **data);
/* Returns st, after adding the name of the file to the error message. Only LEMAN_ERROR_INPUT and LEMAN_ERROR_BUDGET are
 * changed. */
leman_status lm_read_failure(leman_context *ctx, leman_status st, const char *path);
/* Reads a TU folder. */
leman_status lm_tu_read(leman_context *ctx, const char *path, const leman_read_options *options,
                        leman_cleaning *cleaning, leman_dataset **out);

/* Writers of single files write to an open output, which the caller commits. */
typedef leman_status lm_format_writer(leman_context *ctx, const leman_dataset *data, lm_output *out);
lm_format_writer lm_graph6_write, lm_sparse6_write, lm_edge_list_write, lm_tu_zip_write;
/* Writers of molecules fail with LEMAN_ERROR_INPUT if labels are not atoms and bonds. */
lm_format_writer lm_sdf_write, lm_smiles_write;
/* Writes a TU folder. The path must not exist. The folder is written under a temporary name beside the path and then
 * renamed. */
leman_status lm_tu_write(leman_context *ctx, const leman_dataset *data, const char *path);

/* Logs in one sentence which columns of data are not in *kept and are therefore missing in a file of this format. */
void lm_log_dropped(leman_context *ctx, const leman_dataset *data, const char *format, const leman_columns *kept);

#endif
