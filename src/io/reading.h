/* The code of the options that change graphs (leman_dataset_reading()): its bits, checks and sentences. */
#ifndef LM_READING_H
#define LM_READING_H

#include "base/serialize.h"

/* The code that is assumed for files of models, networks and features of version 1, which do not have it: molecules as
 * their files had them. */
uint64_t lm_reading_assumed(void);
/* Writes a code, or reads it. A file of version 1, which has none, gets lm_reading_assumed(). Fails with
 * LEMAN_ERROR_INPUT if the word is not a code. */
leman_status lm_reading_serialize(lm_serializer *serializer, uint64_t *reading);
/* Returns true if the word is a code that this library knows. */
bool lm_reading_is_valid(uint64_t reading);
/* Fails with LEMAN_ERROR_INPUT if both codes are those of molecules that were read differently. The sentence begins with
 * `name` and ends with `as`, "as the model was fitted on". */
leman_status lm_reading_check(leman_context *ctx, const char *name, uint64_t found, uint64_t expected, const char *as);

#endif
