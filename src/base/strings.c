/* Printable text, the C locale, lists; strings.h has the contracts. */
#include "base/strings.h"
#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h> /* locale_t */
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the length of the UTF-8 sequence at p, or 0 if it is invalid, not printable or longer than `left` bytes. */
static size_t utf8_length(const unsigned char *p, size_t left)
{
    if (p[0] < 0x80) return p[0] >= 0x20 && p[0] != 0x7f;
    size_t length = p[0] >= 0xf5 ? 0 : p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : p[0] >= 0xc2 ? 2 : 0;
    if (length > left) return 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80) return 0;
    if (length == 2 && p[0] == 0xc2 && p[1] < 0xa0) return 0; /* control characters of the second block */
    if (length == 3 && ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0))) return 0;
    if (length == 4 && ((p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] >= 0x90))) return 0;
    return length;
}

const char *lm_last_byte(const char *text, char c, size_t length)
{
    while (length)
        if (text[--length] == c) return text + length;
    return NULL;
}

size_t lm_text_width(const char *text, size_t length)
{
    size_t width = 0;
    for (size_t i = 0; i < length && text[i]; i++) width += (text[i] & 0xc0) != 0x80;
    return width;
}

void lm_text_clean(char *text, char instead)
{
    for (char *p = text; *p;) {
        size_t step = utf8_length((const unsigned char *)p, SIZE_MAX); /* the terminating zero ends any sequence */
        if (!step) *p = instead, step = 1;
        p += step;
    }
}

bool lm_text_printable(const char *bytes, size_t size)
{
    for (size_t i = 0, step; i < size; i += step)
        if (!(step = utf8_length((const unsigned char *)bytes + i, size - i))) return false;
    return true;
}

const char *lm_bytes_text(uint64_t bytes, char *text)
{
    static const char *const UNITS[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes == UINT64_MAX) return strcpy(text, "over 16 EiB");
    double size = (double)bytes;
    int unit = 0;
    for (; size >= 1023.5 && unit < 6; unit++) size /= 1024;
    lm_snprintf(text, LM_NUMBER_TEXT, "%.*f %s", unit && size < 99.95 ? 1 : 0, size, UNITS[unit]);
    return text;
}

/* ---- The C locale ---------------------------------------------------------------------------- */

/*
 * The locale of the calling thread is replaced during a call, which other threads do not notice. newlocale() of "C"
 * neither allocates nor reads a file.
 */

/* Returns the locale of the thread, which leave() restores. *c is the C locale, or 0 if it cannot be created. */
static locale_t enter(locale_t *c)
{
    *c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return *c == (locale_t)0 ? (locale_t)0 : uselocale(*c);
}

static void leave(locale_t c, locale_t before)
{
    if (c == (locale_t)0) return;
    uselocale(before);
    freelocale(c);
}

int lm_vsnprintf(char *text, size_t size, const char *format, va_list arguments)
{
    locale_t c, before = enter(&c);
    const int length = vsnprintf(text, size, format, arguments);
    leave(c, before);
    return length;
}

int lm_snprintf(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = lm_vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return length;
}

double lm_strtod(const char *text, char **end)
{
    locale_t c, before = enter(&c);
    const double value = strtod(text, end);
    leave(c, before);
    return value;
}

/* ---- Text that is put together --------------------------------------------------------------- */

lm_joined lm_joined_begin(char *text, size_t size)
{
    *text = 0;
    return (lm_joined){.text = text, .size = size};
}

void lm_joined_add(lm_joined *j, const char *format, ...)
{
    static const char CUT[] = "...";
    va_list arguments;
    if (j->cut) return;
    va_start(arguments, format);
    const int length = lm_vsnprintf(j->text + j->used, j->size - j->used, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < j->size - j->used) {
        j->used += (size_t)length;
        return;
    }
    j->cut = true;
    j->used = j->size - 1;
    memcpy(j->text + j->size - sizeof CUT, CUT, sizeof CUT);
}

void lm_joined_name(lm_joined *j, const char *name)
{
    lm_joined_add(j, "%s%s", j->used ? ", " : "", name);
}
