/* One spelling for the names of methods, and patterns of names with a number. */
#include "refine/spelling.h"
#include "base/ascii.h"
#include <stdio.h>
#include <string.h>

/* Longer signs come before their own beginnings: "epsilon". */
static const struct {
    const char *sign, *spelled;
} SIGNS[] = {
    {"δ", "delta"},  {"Δ", "delta"}, {"epsilon", "eps"}, {"ε", "eps"},
    {"ϵ", "eps"},    {"_", "-"},     {"\u2010", "-"}, /* hyphen */
    {"\u2011", "-"},                                  /* non-breaking hyphen */
    {"\u2012", "-"},                                  /* figure dash */
    {"–", "-"},                                       /* en dash */
    {"−", "-"},                                       /* minus */
    {"⁺", "+"},
};

bool lm_spelling_fold(const char *text, char folded[LM_SPELLING])
{
    size_t used = 0;
    while (*text) {
        char letter[2] = {lm_lower(*text), 0};
        const char *spelled = letter;
        size_t taken = 1;
        for (size_t i = 0; i < sizeof SIGNS / sizeof *SIGNS; i++)
            if (lm_begins(text, SIGNS[i].sign)) {
                spelled = SIGNS[i].spelled;
                taken = strlen(SIGNS[i].sign);
                break;
            }
        size_t length = strlen(spelled);
        if (used + length >= LM_SPELLING) return false;
        memcpy(folded + used, spelled, length);
        used += length;
        text += taken;
    }
    folded[used] = 0;
    return true;
}

bool lm_spelling_equal(const char *a, const char *b)
{
    char first[LM_SPELLING], second[LM_SPELLING];
    return lm_spelling_fold(a, first) && lm_spelling_fold(b, second) && !strcmp(first, second);
}

/* ---- Names with a number --------------------------------------------------------------------- */

bool lm_pattern_match(const char *pattern, const char *folded, unsigned *k)
{
    enum { LARGEST = 9999 };
    const char *place = strstr(pattern, "k-");
    *k = 0;
    for (; *pattern; pattern++) {
        if (pattern != place || *folded == 'k') {
            if (lm_lower(*pattern) != *folded++) return false;
            continue;
        }
        if (*folded < '1' || *folded > '9') return false;
        for (; *folded >= '0' && *folded <= '9' && *k <= LARGEST; folded++) *k = *k * 10 + (unsigned)(*folded - '0');
        if (*k > LARGEST) return false;
    }
    return !*folded;
}

size_t lm_pattern_write(const char *pattern, unsigned k, char *text, size_t size)
{
    const char *place = strstr(pattern, "k-");
    if (!place) return (size_t)snprintf(text, size, "%s", pattern);
    return (size_t)snprintf(text, size, "%.*s%u%s", (int)(place - pattern), pattern, k, place + 1);
}
