/*
 * Structs that callers fill, across versions of the library. Each opens with `size_t size`, which its leman_X_init()
 * sets to what the caller's header knows; new members go to the end. So a program that was compiled against an older
 * header passes a shorter struct, and what it does not have keeps its default; one that was compiled against a newer
 * header passes a longer one, which is taken as long as what this library does not know is zero.
 */
#ifndef LM_OPTIONS_H
#define LM_OPTIONS_H

#include "base/context.h"

/* leman_X_init(): *options[size] gets the defaults[known], as far as they go, then zeros; its own size is `size`. */
void lm_options_init(void *options, size_t size, const void *defaults, size_t known);

/*
 * *out[known], which holds the defaults, gets what the caller set. given NULL: the defaults stay. `type` is the name of
 * the struct for the sentence of LEMAN_ERROR_ARGUMENT: a size that no leman_X_init() set, or a member that this library
 * does not know.
 */
leman_status lm_options_copy(leman_context *ctx, const char *type, const void *given, void *out, size_t known);

#endif
