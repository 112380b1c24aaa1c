/* Structs that callers fill: options.h says what they promise each other. */
#include "base/options.h"
#include <string.h>

void lm_options_init(void *options, size_t size, const void *defaults, size_t known)
{
    if (!options || size < sizeof size) return;
    memset(options, 0, size);
    memcpy(options, defaults, size < known ? size : known);
    memcpy(options, &size, sizeof size);
}

leman_status lm_options_copy(leman_context *ctx, const char *type, const void *given, void *out, size_t known)
{
    enum { LARGEST = 1 << 16 }; /* of any struct to come: a larger size was never set */
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
