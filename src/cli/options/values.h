/* Parsing of option values. */
#ifndef LM_VALUES_H
#define LM_VALUES_H

#include "cli/options/options.h"

/* Parses text into *member, whose type depends on row->kind. `shown` is the option in the error message: option '-k':
 * found 'two', expected a whole number from 1 to 8. */
leman_status lm_value_parse(leman_context *ctx, const lm_option *row, const char *shown, const char *text,
                            void *member);

#endif
