/* HTML and SVG text: a formatter that escapes, base64, and the frame of a page. O(bytes written). */
#include "report/page.h"
#include "base/context.h"
#include "base/text.h"
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *escape_of(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

void lm_page_text(lm_output *out, const char *text, size_t length)
{
    bool printable = lm_text_printable(text, length);
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        const char *escape = escape_of(text[i]);
        if (!printable && (byte >= 0x7f || (byte < ' ' && byte != '\n'))) escape = "?";
        if (escape)
            lm_output_write(out, escape, strlen(escape));
        else
            lm_output_write(out, text + i, 1);
    }
}

/* ---- The formatter --------------------------------------------------------------------------- */

/* One directive of a format. "%.*s" has conversion 's' and takes a length first. */
typedef struct directive {
    char text[16]; /* the directive as a format */
    char conversion;
    unsigned longs; /* number of l's: 0, 1 or 2 */
    bool size, star;
} directive;

/* Reads the directive at format, which begins with '%'; returns its end. */
static const char *read_directive(const char *format, directive *d)
{
    size_t length = 1 + strspn(format + 1, "-+ 0123456789.*zl") + 1;
    *d = (directive){0};
    if (length >= sizeof d->text) length = sizeof d->text - 1; /* cannot happen: the compiler checks the formats */
    memcpy(d->text, format, length);
    d->conversion = d->text[length - 1];
    for (size_t i = 0; i < length; i++) {
        d->longs += d->text[i] == 'l';
        d->size |= d->text[i] == 'z';
        d->star |= d->text[i] == '*';
    }
    return format + length;
}

static void write_integer(lm_output *out, const directive *d, va_list *arguments)
{
    if (d->size)
        lm_output_printf(out, d->text, va_arg(*arguments, size_t));
    else if (d->longs == 2 && d->conversion == 'd')
        lm_output_printf(out, d->text, va_arg(*arguments, long long));
    else if (d->longs == 2)
        lm_output_printf(out, d->text, va_arg(*arguments, unsigned long long));
    else if (d->longs == 1)
        lm_output_printf(out, d->text, va_arg(*arguments, unsigned long));
    else if (d->conversion == 'd')
        lm_output_printf(out, d->text, va_arg(*arguments, int));
    else
        lm_output_printf(out, d->text, va_arg(*arguments, unsigned));
}

static void write_format(lm_output *out, const char *format, va_list *arguments)
{
    while (*format) {
        size_t plain = strcspn(format, "%");
        directive d;
        lm_output_write(out, format, plain);
        format += plain;
        if (!*format) break;
        format = read_directive(format, &d);
        int max = d.star ? va_arg(*arguments, int) : -1;
        if (d.conversion == '%') {
            lm_output_write(out, "%", 1);
        } else if (d.conversion == 's') {
            const char *text = va_arg(*arguments, const char *);
            lm_page_text(out, text, max < 0 ? strlen(text) : strnlen(text, (size_t)max));
        } else if (strchr("fge", d.conversion)) {
            double value = va_arg(*arguments, double);
            d.star ? lm_output_printf(out, d.text, max, value) : lm_output_printf(out, d.text, value);
        } else {
            write_integer(out, &d, arguments);
        }
    }
}

void lm_page(lm_output *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_format(out, format, &arguments);
    va_end(arguments);
}

/* ---- Base64 ---------------------------------------------------------------------------------- */

void lm_page_base64(lm_output *out, const unsigned char *bytes, size_t size)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t left = (uint32_t)(size - i), word = (uint32_t)bytes[i] << 16;
        if (left > 1) word |= (uint32_t)bytes[i + 1] << 8;
        if (left > 2) word |= bytes[i + 2];
        char text[4] = {DIGITS[word >> 18], DIGITS[word >> 12 & 63], left > 1 ? DIGITS[word >> 6 & 63] : '=',
                        left > 2 ? DIGITS[word & 63] : '='};
        lm_output_write(out, text, sizeof text);
    }
}

/* ---- The frame ------------------------------------------------------------------------------- */

void lm_page_begin(lm_output *out, const char *title, const char *description)
{
    lm_page(out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n"
            "<meta name=\"generator\" content=\"leman %s\">\n<meta name=\"description\" content=\"%s\">\n"
            "<title>%s</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n",
            leman_version(), description, title);
    lm_output_printf(out, "%s%s", LM_PAGE_STYLE, LM_MOLECULE_STYLE);
    lm_page(out, "</style>\n</head>\n<body>\n<main>\n");
}

void lm_page_end(lm_output *out)
{
    lm_page(out, "</main>\n</body>\n</html>\n");
}

void lm_page_property(lm_output *out, const char *name, const char *more, const char *format, ...)
{
    va_list arguments;
    lm_page(out, "<div><dt>%s</dt><dd>", name);
    va_start(arguments, format);
    write_format(out, format, &arguments);
    va_end(arguments);
    if (*more) lm_page(out, " <small>%s</small>", more);
    lm_page(out, "</dd></div>\n");
}

void lm_page_row(lm_output *out, const char *name, const char *format, ...)
{
    va_list arguments;
    lm_page(out, "<tr><th scope=\"row\">%s</th><td>", name);
    va_start(arguments, format);
    write_format(out, format, &arguments);
    va_end(arguments);
    lm_page(out, "</td></tr>\n");
}

void lm_page_columns(lm_output *out, const char *titles)
{
    for (size_t length; *titles; titles += length + (titles[length] == '|')) {
        length = strcspn(titles, "|");
        lm_page(out, "<th scope=\"col\">%.*s</th>", (int)length, titles);
    }
}

void lm_page_table(lm_output *out, const char *titles)
{
    lm_page(out, "<div class=\"table\"><table><thead><tr>");
    lm_page_columns(out, titles);
    lm_page(out, "</tr></thead><tbody>\n");
}

void lm_page_cell(lm_output *out, const char *format, double value)
{
    lm_page(out, "<td>");
    if (isfinite(value))
        lm_page(out, format, value);
    else
        lm_page(out, isnan(value) ? "&#8211;" : value > 0 ? "∞" : "−∞");
    lm_page(out, "</td>");
}

void lm_page_reproduce_begin(lm_output *out, const char *command)
{
    lm_page(out, "<section>\n<h2>How to reproduce</h2>\n");
    if (command) lm_page(out, "<pre><code>%s</code></pre>\n", command);
    lm_page(out, "<div class=\"table\"><table class=\"plain\"><tbody>\n");
    lm_page_row(out, "program", "leman %s", leman_version());
}

void lm_page_reproduce_end(lm_output *out, const char *note)
{
    lm_page(out, "</tbody></table></div>\n<p class=\"note\">%s</p>\n</section>\n", note);
}

/* ---- Seconds --------------------------------------------------------------------------------- */

const char *lm_page_seconds(double seconds, char text[LM_NUMBER_TEXT])
{
    if (!(seconds >= 0 && seconds < 1e9))
        snprintf(text, LM_NUMBER_TEXT, "unknown");
    else if (seconds < 0.0995)
        lm_snprintf(text, LM_NUMBER_TEXT, "%.0f ms", ceil(seconds * 1000));
    else if (seconds < 9.95)
        lm_snprintf(text, LM_NUMBER_TEXT, "%.0f.%.0f s", floor(round(seconds * 10) / 10),
                    fmod(round(seconds * 10), 10));
    else if (seconds < 119.5)
        lm_snprintf(text, LM_NUMBER_TEXT, "%.0f s", seconds);
    else if (seconds < 7170)
        lm_snprintf(text, LM_NUMBER_TEXT, "%.0f min %.0f s", floor(round(seconds) / 60), fmod(round(seconds), 60));
    else
        lm_snprintf(text, LM_NUMBER_TEXT, "%.0f h %.0f min", floor(round(seconds / 60) / 60),
                    fmod(round(seconds / 60), 60));
    return text;
}

const char *lm_page_method(const char *name, char *text, size_t size)
{
    static const struct {
        const char *plain, *printed;
    } SIGNS[] = {{"delta-", "δ-"}, {"-eps", "-ε"}, {"LWL+", "LWL⁺"}, {"LGNN+", "LGNN⁺"}};
    lm_joined printed = lm_joined_begin(text, size);
    while (*name) {
        size_t i = 0;
        while (i < sizeof SIGNS / sizeof *SIGNS && strncmp(name, SIGNS[i].plain, strlen(SIGNS[i].plain))) i++;
        const bool sign = i < sizeof SIGNS / sizeof *SIGNS;
        lm_joined_add(&printed, "%.*s", sign ? (int)size : 1, sign ? SIGNS[i].printed : name);
        name += sign ? strlen(SIGNS[i].plain) : 1;
    }
    return text;
}

void lm_page_baseline(lm_output *out, bool classes, double score, double baseline, double low, double high)
{
    const bool beaten = classes ? score > baseline : score < baseline;
    const bool inside = baseline >= low && baseline <= high;
    if (!isnan(low) && !isnan(high))
        lm_page(out, classes ? " 95&#160;%% interval: %.1f to %.1f&#160;%%." : " 95&#160;%% interval: %.3g to %.3g.",
                low, high);
    if (isnan(baseline)) return;
    lm_page(out, classes ? " Predicting the majority class: %.1f&#160;%%" : " Predicting the median: error %.3g",
            baseline);
    lm_page(out, !beaten ? "; <strong>this is no better</strong>." : inside ? ", inside that interval." : ".");
}
