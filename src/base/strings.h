/* Strings that depend neither on a context nor on the locale: printable text, formatted numbers, lists. */
#ifndef LM_STRINGS_H
#define LM_STRINGS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Replaces every byte that is not part of printable UTF-8: names from files appear in messages, JSON and terminals. */
void lm_text_clean(char *text, char instead);
/* Returns true if all bytes are printable UTF-8. For names that are checked because they must not be changed. */
bool lm_text_printable(const char *bytes, size_t size);
/* Returns the number of characters of a UTF-8 text that ends with a zero or after `length` bytes. */
size_t lm_text_width(const char *text, size_t length);

/* The last byte `c` of a text, or NULL. */
const char *lm_last_byte(const char *text, char c, size_t length);

/* Each is the function of the same name without lm_, in the C locale. All text of the library is formatted by them
 * (tests/house/test_floors.py): numbers in files must be readable, and sentences equal, in every host program. */
__attribute__((format(printf, 3, 4))) int lm_snprintf(char *text, size_t size, const char *format, ...);
__attribute__((format(printf, 3, 0))) int lm_vsnprintf(char *text, size_t size, const char *format, va_list arguments);
double lm_strtod(const char *text, char **end);

enum { LM_NUMBER_TEXT = 40 };

/* Writes a size for people, "896 B" or "1.6 GiB", to text[LM_NUMBER_TEXT]. Returns text. */
const char *lm_bytes_text(uint64_t bytes, char *text);

/*
 * Text that is put together piece by piece in an array of the caller. It never exceeds the array and always ends with a
 * zero. If a piece does not fit, the text ends in "...", so that nobody takes it for complete.
 */
typedef struct lm_joined {
    char *text; /* [size] */
    size_t size, used;
    bool cut; /* a piece did not fit; further pieces are ignored */
} lm_joined;

/* Begins an empty text in text[size]; size must be at least 4. */
lm_joined lm_joined_begin(char *text, size_t size);
__attribute__((format(printf, 2, 3))) void lm_joined_add(lm_joined *joined, const char *format, ...);
/* Adds a name to a list, with a comma and a blank before every name but the first. */
void lm_joined_name(lm_joined *joined, const char *name);

#endif
