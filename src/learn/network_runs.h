/*
 * Finished runs of the tables of networks: a text file to which one line is added for every run, so that hours of work
 * that were interrupted go on behind the last one, and files of several machines can be joined.
 *
 *   leman runs 1
 *   zinc  ZINC_10k  delta-2-LGNN  0  0.1.0  1  500  9f6e...  0.31  nan  0.29  180  3600.5  2334217  checksum
 *
 * Fields have tabs between them: table, set, method, run, version, seed, the limit of epochs, checksum of the data, two
 * values, the validation error, epochs, seconds, parameters, and the checksum of the line so far. A line that is cut
 * off or damaged is left out with a message.
 */
#ifndef LM_NETWORK_RUNS_H
#define LM_NETWORK_RUNS_H

#include "base/context.h"
#include "base/file.h"

typedef struct lm_network_run {
    leman_network_table table;
    size_t row, column;
    uint64_t run, seed, limit, data_checksum;
    double value[2]; /* of the quantities of the table; NAN: none */
    double validation, epochs, seconds;
    uint64_t parameters;
} lm_network_run;

/* Appends the runs of a file, lm_network_run, to list. Anything but such a file is LEMAN_ERROR_INPUT. */
leman_status lm_network_runs_parse(leman_context *ctx, const char *path, lm_bytes bytes, lm_vector *list);
/* The same of a file that need not exist where it is optional. */
leman_status lm_network_runs_read(leman_context *ctx, const char *path, bool optional, lm_vector *list);
/* Adds one to the file, in one write. */
leman_status lm_network_runs_add(leman_context *ctx, const char *path, const lm_network_run *run);

#endif
