/* Parts of file names; file.h has the contracts. */
#include "base/ascii.h"
#include "base/context.h"
#include "base/file.h"
#include "base/strings.h"
#include "base/system/system.h"
#include <string.h>

const char *lm_path_base(const char *path)
{
    const char *base = path;
    while ((path = strpbrk(path, LM_SEPARATORS))) base = ++path;
    return base;
}

bool lm_path_ends(const char *path, const char *suffix)
{
    size_t length = strlen(path), tail = strlen(suffix);
    return length >= tail && lm_is_word(path + length - tail, tail, suffix);
}

const char *lm_path_ending(const char *path)
{
    const char *base = lm_path_base(path), *dot = strrchr(base, '.');
    if (!dot || dot == base || !lm_is_letter(dot[1])) return NULL;
    for (const char *p = dot + 1; *p; p++)
        if (!lm_is_letter(*p) && !lm_is_digit(*p)) return NULL;
    return dot;
}

leman_status lm_path_stem(leman_context *ctx, const char *path, char **out)
{
    char *stem = NULL;
    const char *base = lm_path_base(path);
    const size_t whole = strlen(base), left = lm_path_ends(base, ".gz") && whole > 3 ? whole - 3 : whole;
    const char *dot = lm_last_byte(base, '.', left);
    const size_t length = dot && dot != base ? (size_t)(dot - base) : left;
    PASS(lm_copy_text(ctx, base, length, &stem));
    lm_text_clean(stem, '_');
    *out = stem;
    return LEMAN_OK;
}
