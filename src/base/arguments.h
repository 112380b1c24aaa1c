/*
 * Checks of what callers pass to public functions: pointers that must not be NULL, enums that must be in range, and
 * structs that callers fill.
 *
 * Such a struct begins with `size_t size`, which its leman_X_init() sets to the size in the caller's header. New
 * members are added at the end, and the first new member is eight bytes wide, so that it does not lie in former
 * padding. A program that was compiled against an older header passes a shorter struct; members that it lacks keep
 * their defaults. A program that was compiled against a newer header passes a longer struct, which is accepted if every
 * byte that this library does not know is zero. Public functions copy the struct first, and check the copy:
 *
 *   leman_protocol protocol = leman_protocol_default();
 *   REQUIRE(ctx, data);
 *   TRY(lm_options_copy(ctx, "leman_protocol", given, &protocol, sizeof protocol));
 *   REQUIRE_ENUM(ctx, protocol.svm, LEMAN_SVM_LINEAR);
 */
#ifndef LM_ARGUMENTS_H
#define LM_ARGUMENTS_H

#include "base/context.h"

/* Returns LEMAN_ERROR_ARGUMENT, with a sentence, if one of the pointers is NULL. If ctx is NULL there is no sentence.
 * Stands before anything that has to be released. */
#define REQUIRE(ctx, ...)                                                                                              \
    do {                                                                                                               \
        const void *const required[] = {__VA_ARGS__};                                                                  \
        if (lm_require((ctx), __func__, #__VA_ARGS__, required, sizeof required / sizeof *required))                   \
            return LEMAN_ERROR_ARGUMENT;                                                                               \
    } while (0)
/* Returns LEMAN_ERROR_ARGUMENT, with a sentence, if the enum is not in 0 .. last. Stands before anything that has to be
 * released, too. */
#define REQUIRE_ENUM(ctx, value, last) PASS(lm_require_enum((ctx), __func__, #value, (int)(value), (int)(last)))
/* names: the names of the pointers, separated by ", ". */
leman_status lm_require(leman_context *ctx, const char *function, const char *names, const void *const *pointer,
                        size_t count);
leman_status lm_require_enum(leman_context *ctx, const char *function, const char *argument, int value, int last);

/* Implements leman_X_init(): fills options[size] with defaults[known], cut off or followed by zeros where the sizes
 * differ, and stores `size` in the first member. */
void lm_options_init(void *options, size_t size, const void *defaults, size_t known);
/* Defines leman_X_init() of a struct with these defaults. Members that are not listed are 0. */
#define LM_OPTIONS(type, argument, ...)                                                                                \
    void type##_init(type *argument, size_t size)                                                                      \
    {                                                                                                                  \
        const type defaults = {__VA_ARGS__};                                                                           \
        lm_options_init(argument, size, &defaults, sizeof defaults);                                                   \
    }

/*
 * Copies the members that the caller set in *given to *out, a struct of `known` bytes that holds the defaults. If given
 * is NULL, the defaults stay. Fails with LEMAN_ERROR_ARGUMENT if no leman_X_init() can have set the size, or if a
 * member that this library does not know is set; `type` is the name of the struct for the sentence.
 */
leman_status lm_options_copy(leman_context *ctx, const char *type, const void *given, void *out, size_t known);
/* Like lm_options_copy() for an array of `count` structs, all of which must have the size that the first one states.
 * Each of the `count` structs in out has `known` bytes and holds the defaults. */
leman_status lm_options_copy_array(leman_context *ctx, const char *type, const void *given, size_t count, void *out,
                                   size_t known);
/* Copies copy[known] back to the caller's struct, as far as that struct goes. The caller's struct keeps its size
 * member. */
void lm_options_return(const void *copy, size_t known, void *given);

/*
 * The names of an enum's values: one text in every row of a table whose row i describes value i. From one table come
 * leman_X_name(), leman_X_parse() and the list of names in the sentence of a failed leman_X_parse().
 */
typedef struct lm_names {
    const char *what;         /* what the enum is, for sentences: "device" */
    const char *const *first; /* the name in row 0 */
    size_t row, count;        /* bytes of a row; rows */
} lm_names;
/* LM_NAMES("family", FAMILIES, .name) for rows that are structs, LM_NAMES("action", ACTIONS, ) for plain texts. */
#define LM_NAMES(what, table, member)                                                                                  \
    ((lm_names){what, &(table)[0] member, sizeof(table)[0], sizeof(table) / sizeof(table)[0]})

/* Returns the name of a value, or "unknown" if the value is not in the table. */
const char *lm_names_get(lm_names names, int value);
/* Sets *value to the row whose name is text[length]. text and value must not be NULL. Fails with LEMAN_ERROR_ARGUMENT
 * and "WHAT: found 'x', expected one of: a, b, c" if no row has that name. */
leman_status lm_names_parse(leman_context *ctx, lm_names names, const char *text, size_t length, int *value);
/* The body of leman_X_parse(): parses `name` into the enum *out. Fails like lm_names_parse(), and with a sentence that
 * names the argument if name or out is NULL. */
leman_status lm_enum_parse(leman_context *ctx, const char *function, lm_names names, const char *name,
                           const char *argument, void *out);
/* Defines leman_X_name() of an enum that has `values` values; LM_ENUM() also defines leman_X_parse(). The other
 * arguments are those of LM_NAMES(). */
#define LM_ENUM_NAME(type, argument, what, table, member, values)                                                      \
    _Static_assert(sizeof(table) / sizeof(table)[0] == (values), "a row for every value");                             \
    const char *type##_name(type argument)                                                                             \
    {                                                                                                                  \
        return lm_names_get(LM_NAMES(what, table, member), (int)argument);                                             \
    }
#define LM_ENUM(type, argument, what, table, member, values)                                                           \
    LM_ENUM_NAME(type, argument, what, table, member, values)                                                          \
    leman_status type##_parse(leman_context *ctx, const char *name, type *argument)                                    \
    {                                                                                                                  \
        _Static_assert(sizeof *argument == sizeof(int), "lm_enum_parse() writes an int");                              \
        return lm_enum_parse(ctx, __func__, LM_NAMES(what, table, member), name, #argument, argument);                 \
    }

#endif
