/* The values of options, by their kind. */
#ifndef LM_VALUES_H
#define LM_VALUES_H

#include "cli/options/options.h"

/* Reads text into *member, whose type is that of row->kind. `shown` names the option in the sentence that says what is
 * wrong: option '-k' is 'two', expected a whole number from 1 to 8. */
leman_status lm_value_parse(leman_context *ctx, const lm_option *row, const char *shown, const char *text,
                            void *member);

#endif
