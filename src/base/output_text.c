/* Text for outputs: formats, numbers as short as they can be read back, fields of CSV. */
#include "base/context.h"
#include "base/file.h"
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
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof short_text, format, arguments);
    va_end(arguments);
    size_t size = (size_t)(length < 0 ? 0 : length) + 1;
    if (size > sizeof short_text) {
        if (!(text = lm_alloc(out->ctx, size, 1))) {
            if (!out->error) out->error = ENOMEM; /* so that commit knows */
            return lm_refusal(out->ctx);
        }
        va_start(arguments, format);
        vsnprintf(text, size, format, arguments);
        va_end(arguments);
    }
    leman_status st = lm_output_write(out, text, size - 1);
    if (text != short_text) lm_free(out->ctx, text);
    return st;
}

/* From the back, two digits at a time. */
/* The digits of 00 to 99. */
static const char TWO[] =
    "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
    "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

/* Most numbers have few digits, and 32 bits are multiplied in a third of the time of 64 on some processors. */
static char *short_digits(char *to, uint32_t value)
{
    if (value < 10) {
        *to = (char)('0' + value);
        return to + 1;
    }
    const unsigned digits = 2u + (value >= 100) + (value >= 1000) + (value >= 10000) + (value >= 100000) +
                            (value >= 1000000) + (value >= 10000000) + (value >= 100000000) + (value >= 1000000000);
    char *p = to + digits;
    while (value >= 100) {
        const uint32_t rest = value / 100;
        memcpy(p -= 2, TWO + 2 * (value - 100 * rest), 2);
        value = rest;
    }
    if (value >= 10)
        memcpy(p - 2, TWO + 2 * value, 2);
    else
        p[-1] = (char)('0' + value);
    return to + digits;
}

char *lm_digits(char *to, uint64_t value)
{
    enum { LOW = 1000000000 }; /* the last nine digits of larger numbers */
    if (value <= UINT32_MAX) return short_digits(to, (uint32_t)value);
    uint32_t low = (uint32_t)(value % LOW);
    to = lm_digits(to, value / LOW);
    for (char *p = to + 9; p > to; low /= 10) *--p = (char)('0' + low % 10);
    return to + 9;
}

leman_status lm_output_integer(lm_output *out, int64_t value)
{
    char text[24], *p = text;
    if (value < 0) *p++ = '-';
    p = lm_digits(p, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
    return lm_output_write(out, text, (size_t)(p - text));
}

/*
 * Most reals in files are short decimals: digits / 10^decimals with both sides exact, so one division proves that the
 * text reads back. Gives what "%.15g" gives, without its cost; 0 where that is not so simple. text has room for 40.
 */
static size_t short_decimal(double value, char *text)
{
    static const double POWERS[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    enum { DECIMALS = 15 };
    double magnitude = fabs(value), scaled = 0;
    int decimals = 0;
    if (!(magnitude <= 0) && !(magnitude >= 1e-4 && magnitude < 1e15)) return 0; /* zero is short too */
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
    while (count > (size_t)decimals) text[length++] = reversed[--count];
    if (decimals) text[length++] = '.';
    while (count) text[length++] = reversed[--count];
    return length;
}

leman_status lm_output_real(lm_output *out, double value)
{
    char text[40];
    size_t length = short_decimal(value, text);
    if (length) return lm_output_write(out, text, length);
    locale_t before = uselocale(out->ctx->c_locale);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    uselocale(before);
    return lm_output_write(out, text, strlen(text));
}

void lm_output_csv_field(lm_output *out, const char *text, size_t length, bool quote)
{
    quote |= length && (memchr(text, ',', length) || memchr(text, '"', length) || *text == '#' || *text == ' ' ||
                        text[length - 1] == ' ');
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
