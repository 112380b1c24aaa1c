/* Text for outputs: formats, shortest decimal numbers that read back exactly, fields of CSV. */
#include "base/context.h"
#include "base/digits.h"
#include "base/file.h"
#include "base/strings.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

leman_status lm_output_printf(lm_output *out, const char *format, ...)
{
    char short_text[512], *text = short_text;
    va_list arguments;
    if (out->error) return lm_output_status(out);
    va_start(arguments, format);
    int length = lm_vsnprintf(text, sizeof short_text, format, arguments);
    va_end(arguments);
    size_t size = (size_t)(length < 0 ? 0 : length) + 1;
    if (size > sizeof short_text) {
        if (!(text = lm_alloc(out->ctx, size, 1))) {
            if (!out->error) out->error = ENOMEM; /* so that the commit fails */
            return lm_refusal(out->ctx);
        }
        va_start(arguments, format);
        lm_vsnprintf(text, size, format, arguments);
        va_end(arguments);
    }
    leman_status st = lm_output_write(out, text, size - 1);
    if (text != short_text) lm_release(text);
    return st;
}

leman_status lm_output_integer(lm_output *out, int64_t value)
{
    char text[1 + LM_DIGITS_TEXT], *p = text;
    if (value < 0) *p++ = '-';
    p = lm_digits(p, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
    return lm_output_write(out, text, (size_t)(p - text));
}

/*
 * Writes a real as a short decimal to text[LM_REAL_TEXT], equal to that of "%.15g" but faster. Returns its length, or 0
 * if the value is not so simple. Most reals in files are digits / 10^decimals with both sides exact, so that one
 * division proves that the text reads back.
 */
static size_t short_decimal(double value, char *text)
{
    static const double POWERS[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    enum { DECIMALS = 15 };
    double magnitude = fabs(value), scaled = 0;
    int decimals = 0;
    if (!(magnitude <= 0) && !(magnitude >= 1e-4 && magnitude < 1e15)) return 0; /* zero is a short decimal, too */
    for (; decimals <= DECIMALS; decimals++) {
        scaled = nearbyint(magnitude * POWERS[decimals]);
        if (scaled >= 1e15) return 0;
        if (scaled / POWERS[decimals] == magnitude) break;
    }
    if (decimals > DECIMALS) return 0;
    char reversed[24];
    size_t count = 0, length = 0;
    for (uint64_t rest = (uint64_t)scaled; rest || count <= (size_t)decimals; rest /= 10)
        reversed[count++] = (char)('0' + rest % 10);
    if (signbit(value)) text[length++] = '-';
    while (count) {
        if (count == (size_t)decimals) text[length++] = '.';
        text[length++] = reversed[--count];
    }
    return length;
}

char *lm_real_text(char *to, double value)
{
    size_t length = short_decimal(value, to);
    if (length) return to + length;
    for (int digits = 15; digits <= 17; digits++) {
        length = (size_t)lm_snprintf(to, LM_REAL_TEXT, "%.*g", digits, value);
        if (lm_strtod(to, NULL) == value) break;
    }
    return to + length;
}

leman_status lm_output_real(lm_output *out, double value)
{
    char text[LM_REAL_TEXT];
    return lm_output_write(out, text, (size_t)(lm_real_text(text, value) - text));
}

void lm_output_csv_field(lm_output *out, const char *text, size_t length, bool quote)
{
    quote |= length && (memchr(text, ',', length) || memchr(text, '\n', length) || memchr(text, '\r', length) ||
                        memchr(text, '"', length) || *text == '#' || *text == ' ' || text[length - 1] == ' ');
    if (!quote) {
        lm_output_write(out, text, length);
        return;
    }
    lm_output_write(out, "\"", 1);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"') lm_output_write(out, "\"", 1);
        lm_output_write(out, text + i, 1);
    }
    lm_output_write(out, "\"", 1);
}
