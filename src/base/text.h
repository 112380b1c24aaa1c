/*
 * Reading numbers from text, with the file and the line at hand for the sentence that says what is wrong.
 *
 *   lm_text text = lm_text_of(ctx, "NCI1_A.txt", bytes);
 *   while (!lm_text_end(&text)) {
 *       TRY(lm_text_integer(&text, "a vertex number", &tail));
 *       TRY(lm_text_comma(&text));
 *       TRY(lm_text_integer(&text, "a vertex number", &head));
 *       TRY(lm_text_newline(&text));
 *   }
 */
#ifndef LM_TEXT_H
#define LM_TEXT_H

#include "base/file.h"
#include "leman.h"
#include <stdarg.h>

typedef struct lm_text {
    leman_context *ctx;
    const char *file; /* its name, for messages */
    const char *at, *end;
    size_t line; /* from 1 */
} lm_text;

lm_text lm_text_of(leman_context *ctx, const char *file, lm_bytes bytes);
/* Skips blank lines to the end; true if nothing but them is left. */
bool lm_text_end(lm_text *text);
/* True at the end of this line, trailing blanks and one trailing comma passed over. */
bool lm_text_line_end(lm_text *text);
/* A whole decimal number of 64 bits; blanks before it are passed over. `what` names it: "a vertex number". */
leman_status lm_text_integer(lm_text *text, const char *what, int64_t *value);
/* A decimal number, finite. */
leman_status lm_text_real(lm_text *text, const char *what, double *value);
/* Passes over the place of a number that is missing: nothing before the next comma, or nan in any case. */
bool lm_text_missing(lm_text *text);
/* A comma, or blanks, between two numbers. */
leman_status lm_text_comma(lm_text *text);
/* The end of the line (LF, CRLF or end of file), after blanks and at most one comma; line goes up. */
leman_status lm_text_newline(lm_text *text);
/* "FILE:LINE: found 'two', expected a vertex number": `found` is the word at the current place. */
leman_status lm_text_expected(const lm_text *text, const char *what);
/* "FILE:LINE: " and a sentence of your own. */
__attribute__((format(printf, 2, 3))) leman_status lm_text_fail(const lm_text *text, const char *format, ...);

/* Are these bytes, all of them, one such number? A no is an answer, not a failure: no sentence is set. */
bool lm_text_is_integer(leman_context *ctx, const char *bytes, size_t size, int64_t *value);
bool lm_text_is_real(leman_context *ctx, const char *bytes, size_t size, double *value);

/* Replaces every byte that is not part of printable UTF-8: names from files go into messages, JSON and terminals. */
void lm_text_clean(char *text, char instead);
/* Is it printable UTF-8 throughout? Names that must not change are checked instead of cleaned. */
bool lm_text_printable(const char *bytes, size_t size);

/* ---- The C locale ---------------------------------------------------------------------------- */

/* Each is the function of the same name without lm_, in the C locale. All text of the library is formatted by them
 * (tests/house/test_floors.py): numbers in files must be readable, and sentences equal, in every host program. */
__attribute__((format(printf, 3, 4))) int lm_snprintf(char *text, size_t size, const char *format, ...);
__attribute__((format(printf, 3, 0))) int lm_vsnprintf(char *text, size_t size, const char *format, va_list arguments);
double lm_strtod(const char *text, char **end);

enum { LM_NUMBER_TEXT = 40 };

/* A size for people, "896 B" or "1.6 GiB", into text[LM_NUMBER_TEXT], which it returns. */
const char *lm_bytes_text(uint64_t bytes, char *text);

/* ---- Text that is put together --------------------------------------------------------------- */

/*
 * Text that is put together piece by piece in an array of the caller. It never passes the array and always ends with a
 * zero; where something does not fit, the text ends in "...", so that nobody takes it for the whole.
 */
typedef struct lm_joined {
    char *text; /* [size] */
    size_t size, used;
    bool cut; /* something did not fit; nothing is added any more */
} lm_joined;

/* An empty text in text[size]; size is at least 4. */
lm_joined lm_joined_begin(char *text, size_t size);
__attribute__((format(printf, 2, 3))) void lm_joined_add(lm_joined *joined, const char *format, ...);
/* One more name of a list, with a comma and a blank before it unless it is the first. */
void lm_joined_name(lm_joined *joined, const char *name);

#endif
