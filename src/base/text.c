/* A hand-written scanner: the hot loop of every text reader. Integers and short decimals need no library call. */
#include "base/text.h"
#include "base/ascii.h"
#include "base/context.h"
#include "base/system/system.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

lm_text lm_text_of(leman_context *ctx, const char *file, lm_bytes bytes)
{
    lm_text text = {ctx, file, bytes.data, bytes.data ? bytes.data + bytes.size : NULL, 1};
    if (bytes.size >= 3 && !memcmp(bytes.data, "\xef\xbb\xbf", 3)) text.at += 3; /* a byte order mark */
    return text;
}

static void skip_blanks(lm_text *text)
{
    while (text->at < text->end && lm_is_blank(*text->at)) text->at++;
}

bool lm_text_end(lm_text *text)
{
    const char *p = text->at;
    size_t lines = 0;
    for (; p < text->end && (lm_is_blank(*p) || *p == '\n'); p++) lines += *p == '\n';
    if (p < text->end) return false;
    text->at = p;
    text->line += lines;
    return true;
}

bool lm_text_line_end(lm_text *text)
{
    const char *p = text->at;
    while (p < text->end && lm_is_blank(*p)) p++;
    if (p < text->end && *p == ',') p++;
    while (p < text->end && lm_is_blank(*p)) p++;
    if (p < text->end && *p != '\n') return false;
    text->at = p;
    return true;
}

leman_status lm_text_newline(lm_text *text)
{
    if (!lm_text_line_end(text)) return lm_text_expected(text, "the end of the line");
    if (text->at < text->end) {
        text->at++;
        text->line++;
    }
    return LEMAN_OK;
}

leman_status lm_text_comma(lm_text *text)
{
    const char *before = text->at;
    skip_blanks(text);
    if (text->at < text->end && *text->at == ',') {
        text->at++;
        return LEMAN_OK;
    }
    return text->at > before && text->at < text->end && *text->at != '\n' ? LEMAN_OK
                                                                          : lm_text_expected(text, "a comma");
}

/* Returns true if a number may end before p. */
static bool is_boundary(const lm_text *text, const char *p)
{
    return p == text->end || lm_is_blank(*p) || *p == ',' || *p == '\n';
}

bool lm_text_missing(lm_text *text)
{
    const char *p = text->at;
    while (p < text->end && lm_is_blank(*p)) p++;
    if (text->end - p >= 3 && lm_is_word(p, 3, "nan") && is_boundary(text, p + 3))
        p += 3;
    else if (p == text->end || *p != ',')
        return false;
    text->at = p;
    return true;
}

/* Returns true if a run of digits, with or without leading zeros, is at most `limit`. */
static bool digits_fit(const char *first, const char *last, uint64_t limit)
{
    uint64_t magnitude = 0;
    for (const char *p = first; p < last; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (magnitude > (limit - digit) / 10) return false;
        magnitude = magnitude * 10 + digit;
    }
    return true;
}

leman_status lm_text_integer(lm_text *text, const char *what, int64_t *value)
{
    skip_blanks(text);
    const char *p = text->at, *end = text->end;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    const char *first = p;
    uint64_t magnitude = 0;
    for (unsigned digit; p < end && (digit = (unsigned)*p - '0') < 10; p++) magnitude = magnitude * 10 + digit;
    if (p == first || !is_boundary(text, p)) return lm_text_expected(text, what);
    if (p - first > 18 && !digits_fit(first, p, (uint64_t)INT64_MAX + negative))
        return lm_text_expected(text, "a number that fits into 64 bits");
    *value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    text->at = p;
    return LEMAN_OK;
}

/* Reads a number with strtod, which needs a terminating zero: the word at the current place is copied. */
static leman_status real_by_library(lm_text *text, const char *what, double *value)
{
    char word[1280]; /* the longest double without an exponent has 1,077 characters */
    const char *p = text->at;
    while (!is_boundary(text, p)) p++;
    size_t length = (size_t)(p - text->at);
    if (!length || length >= sizeof word) return lm_text_expected(text, what);
    memcpy(word, text->at, length);
    word[length] = 0;
    bool space = *word == '\v' || *word == '\f'; /* strtod would skip it */
    char *stop = NULL;
    double result = strtod_l(word, &stop, text->ctx->c_locale);
    if (space || stop != word + length || memchr(word, 'x', length) || memchr(word, 'X', length))
        return lm_text_expected(text, what);
    if (!isfinite(result)) return lm_text_expected(text, "a finite number");
    *value = result;
    text->at = p;
    return LEMAN_OK;
}

leman_status lm_text_real(lm_text *text, const char *what, double *value)
{
    /* Digits up to 2^53 and powers of ten up to 10^22 are exact doubles, so one division rounds correctly. */
    static const double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    skip_blanks(text);
    const char *p = text->at, *end = text->end;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    uint64_t digits = 0;
    int count = 0, decimals = 0;
    for (; p < end && lm_is_digit(*p) && count < 19; p++, count++) digits = digits * 10 + (uint64_t)(*p - '0');
    if (p < end && *p == '.')
        for (p++; p < end && lm_is_digit(*p) && count < 19; p++, count++, decimals++)
            digits = digits * 10 + (uint64_t)(*p - '0');
    if (!count || !is_boundary(text, p) || digits > UINT64_C(1) << 53) return real_by_library(text, what, value);
    double magnitude = (double)digits / POWERS[decimals];
    *value = negative ? -magnitude : magnitude;
    text->at = p;
    return LEMAN_OK;
}

leman_status lm_text_fail(const lm_text *text, const char *format, ...)
{
    char sentence[640];
    va_list arguments;
    va_start(arguments, format);
    lm_vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return lm_fail(text->ctx, LEMAN_ERROR_INPUT, "%s:%zu: %s", text->file, text->line, sentence);
}

leman_status lm_text_expected(const lm_text *text, const char *what)
{
    char word[48];
    size_t length = 0;
    const char *p = text->at;
    while (p < text->end && lm_is_blank(*p)) p++;
    for (; p < text->end && *p != '\n' && *p != ',' && !lm_is_blank(*p) && length < sizeof word - 4; p++)
        word[length++] = *p >= 0x20 && *p < 0x7f ? *p : '?';
    bool cut = length == sizeof word - 4;
    strcpy(word + length, cut ? "..." : "");
    if (length) return lm_text_fail(text, "found '%s', expected %s", word, what);
    return lm_text_fail(text, "found %s, expected %s",
                        p == text->end ? "the end of the file"
                        : *p == '\n'   ? "the end of the line"
                                       : "','",
                        what);
}

/* Makes a text of these bytes. Returns false if they cannot begin a number: a quick answer for words among numbers. */
static bool number_text(leman_context *ctx, const char *bytes, size_t size, lm_text *text)
{
    *text = (lm_text){ctx, "", bytes, bytes + size, 0};
    return size && (lm_is_digit(*bytes) || *bytes == '-' || *bytes == '+' || *bytes == '.');
}

bool lm_text_is_integer(leman_context *ctx, const char *bytes, size_t size, int64_t *value)
{
    lm_text text;
    if (!number_text(ctx, bytes, size, &text)) return false;
    bool is = !lm_text_integer(&text, "", value) && text.at == text.end;
    if (!is) ctx->message[0] = 0; /* this is not a failure */
    return is;
}

bool lm_text_is_real(leman_context *ctx, const char *bytes, size_t size, double *value)
{
    lm_text text;
    if (!number_text(ctx, bytes, size, &text)) return false;
    bool is = !lm_text_real(&text, "", value) && text.at == text.end;
    if (!is) ctx->message[0] = 0;
    return is;
}
