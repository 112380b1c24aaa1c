/*
 * What callers hand over: pointers that must not be NULL, enums that must be in range, and structs that they fill.
 *
 * Such a struct opens with `size_t size`, which its leman_X_init() sets to what the caller's header knows; new members
 * go to the end, the first of them eight bytes wide, so that it does not lie in what was padding before. So a program
 * that was compiled against an older header passes a shorter struct, and what it does not have keeps its default; one
 * that was compiled against a newer header passes a longer one, which is taken as long as what this library does not
 * know is zero. Public functions copy it first, and look at the copy:
 *
 *   leman_protocol protocol = leman_protocol_default();
 *   REQUIRE(ctx, data);
 *   TRY(lm_options_copy(ctx, "leman_protocol", given, &protocol, sizeof protocol));
 *   REQUIRE_ENUM(ctx, protocol.svm, LEMAN_SVM_LINEAR);
 */
#ifndef LM_ARGUMENTS_H
#define LM_ARGUMENTS_H

#include "base/context.h"

/* In the shape of functions that can fail: LEMAN_ERROR_ARGUMENT with a sentence where a pointer is NULL, or an enum is
 * not 0 .. last. A NULL context is an argument like others, without a place for the sentence. */
#define REQUIRE(ctx, pointer) TRY(lm_require((ctx), __func__, #pointer, (pointer)))
#define REQUIRE_ENUM(ctx, value, last) TRY(lm_require_enum((ctx), __func__, #value, (int)(value), (int)(last)))
leman_status lm_require(leman_context *ctx, const char *function, const char *argument, const void *pointer);
leman_status lm_require_enum(leman_context *ctx, const char *function, const char *argument, int value, int last);

/* leman_X_init(): *options[size] gets the defaults[known], as far as they go, then zeros; its own size is `size`. */
void lm_options_init(void *options, size_t size, const void *defaults, size_t known);

/*
 * *out[known], which holds the defaults, gets what the caller set. given NULL: the defaults stay. `type` is the name of
 * the struct for the sentence of LEMAN_ERROR_ARGUMENT: a size that no leman_X_init() set, or a member that this library
 * does not know.
 */
leman_status lm_options_copy(leman_context *ctx, const char *type, const void *given, void *out, size_t known);
/* The same for an array of structs, which must all have the size that the first one says: out[count] of `known` bytes
 * each, all of them holding the defaults. */
leman_status lm_options_copy_array(leman_context *ctx, const char *type, const void *given, size_t count, void *out,
                                   size_t known);
/* Back from a copy into the caller's struct, as far as that goes; it keeps its size. */
void lm_options_return(const void *copy, size_t known, void *given);

/*
 * The names of an enum's values: a text in every row of a table whose row i is value i. One table gives
 * leman_X_name(), leman_X_parse() and the list in its sentence.
 */
typedef struct lm_names {
    const char *what;         /* "device" */
    const char *const *first; /* the name in row 0 */
    size_t row, count;        /* bytes of a row; rows */
} lm_names;
/* LM_NAMES("family", FAMILIES, .name) for rows that are structs, LM_NAMES("action", ACTIONS, ) for plain texts. */
#define LM_NAMES(what, table, member)                                                                                  \
    ((lm_names){what, &(table)[0] member, sizeof(table)[0], sizeof(table) / sizeof(table)[0]})

/* "unknown" outside the table. */
const char *lm_names_get(lm_names names, int value);
/* Neither text nor value is NULL. "WHAT: found 'x', expected one of: a, b, c" where no row has that name. */
leman_status lm_names_parse(leman_context *ctx, lm_names names, const char *text, int *value);
/* The whole of a leman_X_parse(): `text` into *out, an enum; NULL for either is refused by its name. */
#define PARSE_ENUM(ctx, names, text, out)                                                                              \
    lm_enum_parse((ctx), __func__, (names), #text, (text), #out, sizeof *(out) == sizeof(int) ? (void *)(out) : NULL)
leman_status lm_enum_parse(leman_context *ctx, const char *function, lm_names names, const char *text_name,
                           const char *text, const char *out_name, void *out);

#endif
