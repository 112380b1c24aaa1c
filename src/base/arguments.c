/* Checks of what callers pass; arguments.h has the contracts. */
#include "base/arguments.h"
#include "base/strings.h"
#include <string.h>

leman_status lm_require(leman_context *ctx, const char *function, const char *names, const void *const *pointer,
                        size_t count)
{
    if (!ctx) return LEMAN_ERROR_ARGUMENT;
    for (size_t i = 0; i < count; i++) {
        const size_t length = strcspn(names, ",");
        if (!pointer[i])
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s(): found NULL for %.*s, expected a pointer", function,
                           (int)length, names);
        names += length + strspn(names + length, ", ");
    }
    return LEMAN_OK;
}

leman_status lm_require_enum(leman_context *ctx, const char *function, const char *argument, int value, int last)
{
    if (!ctx) return LEMAN_ERROR_ARGUMENT;
    if (value >= 0 && value <= last) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s(): found %d for %s, expected a value of its enum, 0 to %d", function,
                   value, argument, last);
}

void lm_options_init(void *options, size_t size, const void *defaults, size_t known)
{
    if (!options || size < sizeof size) return;
    memset(options, 0, size);
    memcpy(options, defaults, size < known ? size : known);
    memcpy(options, &size, sizeof size);
}

leman_status lm_options_copy(leman_context *ctx, const char *type, const void *given, void *out, size_t known)
{
    enum { LARGEST = 1 << 16 }; /* upper bound for any struct: leman_X_init() never set a larger size */
    size_t size;
    if (!given) return LEMAN_OK;
    memcpy(&size, given, sizeof size);
    if (size < sizeof size || size > LARGEST)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: found size %zu, expected a struct that %s_init() has set", type,
                       size, type);
    for (size_t i = known; i < size; i++)
        if (((const char *)given)[i])
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "%s: found a member of a newer version, expected those of Leman %s", type, leman_version());
    memcpy(out, given, size < known ? size : known);
    memcpy(out, &known, sizeof known);
    return LEMAN_OK;
}

leman_status lm_options_copy_array(leman_context *ctx, const char *type, const void *given, size_t count, void *out,
                                   size_t known)
{
    size_t size = 0;
    if (count && given) memcpy(&size, given, sizeof size);
    for (size_t i = 0; i < count && given; i++) {
        size_t own;
        memcpy(&own, (const char *)given + i * size, sizeof own);
        if (own != size)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s %zu: found size %zu, expected %zu, that of the first", type,
                           i + 1, own, size);
        PASS(lm_options_copy(ctx, type, (const char *)given + i * size, (char *)out + i * known, known));
    }
    return LEMAN_OK;
}

void lm_options_return(const void *copy, size_t known, void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    memcpy(given, copy, size < known ? size : known);
    memcpy(given, &size, sizeof size);
}

static const char *name_at(lm_names names, size_t i)
{
    const char *name;
    memcpy(&name, (const char *)names.first + i * names.row, sizeof name);
    return name;
}

const char *lm_names_get(lm_names names, int value)
{
    return value >= 0 && (size_t)value < names.count ? name_at(names, (size_t)value) : "unknown";
}

leman_status lm_names_parse(leman_context *ctx, lm_names names, const char *text, size_t length, int *value)
{
    char text_of_names[LM_SENTENCE / 2];
    lm_joined list = lm_joined_begin(text_of_names, sizeof text_of_names);
    for (size_t i = 0; i < names.count; i++) {
        const char *name = name_at(names, i);
        if (strlen(name) == length && !memcmp(name, text, length)) {
            *value = (int)i;
            return LEMAN_OK;
        }
        lm_joined_name(&list, name);
    }
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: found '%.*s', expected one of: %s", names.what, (int)length, text,
                   list.text);
}

leman_status lm_enum_parse(leman_context *ctx, const char *function, lm_names names, const char *name,
                           const char *argument, void *out)
{
    int value;
    PASS(lm_require(ctx, function, "name", (const void *const[]){name}, 1));
    PASS(lm_require(ctx, function, argument, (const void *const[]){out}, 1));
    PASS(lm_names_parse(ctx, names, name, strlen(name), &value));
    memcpy(out, &value, sizeof value);
    return LEMAN_OK;
}
