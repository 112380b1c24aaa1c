/* Parsing of option values. */
#ifndef LM_VALUES_H
#define LM_VALUES_H

#include "cli/options/options.h"

/* Parses text into *member, whose type depends on row->kind. `shown` is the option in the error message: option '-k':
 * found 'two', expected a whole number from 1 to 8. */
leman_status lm_value_parse(leman_context *ctx, const lm_option *row, const char *shown, const char *text,
                            void *member);

/* Lists all numbers of the ranges; *out is NULL if there are none. Fails if there are more than `most`; the message names
 * the option. */
leman_status lm_ranges_list(leman_context *ctx, const char *option, const lm_ranges *ranges, size_t most, size_t **out,
                            size_t *count);
/* Parses "0.1,1,10": numbers above 0 and up to 1e100, increasing if `increasing`. Does nothing if text is NULL. The
 * message of a failure names the option and ends with `expected`. */
leman_status lm_numbers_list(leman_context *ctx, const char *option, const char *text, bool increasing,
                             const char *expected, double **out, size_t *count);

#endif
