/*
 * Reading numbers from text. The scanner knows the file and the line, for the sentence that says what is wrong.
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
#include "base/strings.h"
#include "leman.h"

typedef struct lm_text {
    leman_context *ctx;
    const char *file; /* its name, for messages */
    const char *at, *end;
    size_t line; /* from 1 */
} lm_text;

lm_text lm_text_of(leman_context *ctx, const char *file, lm_bytes bytes);
/* Returns true, and moves to the end, if only blank lines remain. */
bool lm_text_end(lm_text *text);
/* Returns true, and moves there, if the line ends here, after blanks and at most one comma. */
bool lm_text_line_end(lm_text *text);
/* Reads a decimal integer of 64 bits, after blanks. `what` names it for sentences: "a vertex number". */
leman_status lm_text_integer(lm_text *text, const char *what, int64_t *value);
/* Reads a finite decimal number, after blanks. */
leman_status lm_text_real(lm_text *text, const char *what, double *value);
/* Returns true, and moves behind the missing number, if a number is missing here: nothing before the next comma, or nan
 * in upper or lower case. */
bool lm_text_missing(lm_text *text);
/* Moves over a comma, or over blanks, between two numbers. */
leman_status lm_text_comma(lm_text *text);
/* Moves over the end of the line (LF, CRLF or end of file), after blanks and at most one comma, and counts the line. */
leman_status lm_text_newline(lm_text *text);
/* Fails with "FILE:LINE: found 'two', expected a vertex number". The found word is the word at the current place. */
leman_status lm_text_expected(const lm_text *text, const char *what);
/* Fails with "FILE:LINE: " and a sentence of the caller. */
__attribute__((format(printf, 2, 3))) leman_status lm_text_fail(const lm_text *text, const char *format, ...);

/* Return true if the bytes, all of them, are one number. No sentence is set otherwise, because that is not a
 * failure. */
bool lm_text_is_integer(leman_context *ctx, const char *bytes, size_t size, int64_t *value);
bool lm_text_is_real(leman_context *ctx, const char *bytes, size_t size, double *value);

#endif
