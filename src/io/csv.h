/*
 * Splits lines into fields. The separator is the tab, semicolon, comma or blank, tried in this order, that the first
 * line with any of them contains. A field may be quoted ("a, b"), with "" for a quote inside it. Blanks around a field
 * are not part of it. Blank lines and lines that begin with # are skipped. Every field must be printable UTF-8.
 */
#ifndef LM_CSV_H
#define LM_CSV_H

#include "base/context.h"
#include "base/text.h"

typedef struct lm_field {
    const char *at;
    size_t length;
    bool quoted,
        copied; /* the field was quoted (`at` points inside the quotes); it contains "" for a quote, or lines */
} lm_field;

enum { LM_CSV_FIELDS = 64 };

typedef struct lm_csv {
    lm_text text;   /* its position is the next line to read */
    lm_text row;    /* the current line, for error messages */
    char separator; /* ' ' for any run of blanks */
    bool words;     /* no line has a separator: every line is one word */
    size_t count;
    lm_field field[LM_CSV_FIELDS];
    lm_vector undoubled; /* char: buffer of lm_csv_field() */
} lm_csv;

/* Returns true if the separator occurs in the line [at, end) outside quotes. A quote opens only where a field may
 * begin: at the start of the line, or after a tab, a semicolon, a comma or a blank. O(length). */
bool lm_csv_has_separator(const char *at, const char *end, char separator);
/* Skips blank lines and comments. Sets *end to the end of the next line, or returns false if there is none. */
bool lm_csv_find_line(lm_text *text, const char **end);
/* Moves the text behind the line, or the row of several lines, that ends at `end`. */
void lm_csv_pass_line(lm_text *text, const char *end);
/* Returns the end of the row that begins with the line [at, end): the end of a later line if a quoted field is not closed
 * before. The text ends at `last`. Returns NULL if a quote is not closed at all. O(length of the row). */
const char *lm_csv_row_end(const char *at, const char *end, const char *last, char separator);
/* Appends the fields (lm_field) of the line [at, end) to the vector. `row` is the line, for error messages. Fails with
 * LEMAN_ERROR_INPUT for more than `limit` fields, if text follows a closing quote, or if a quote is not closed. O(length
 * of the line). */
leman_status lm_csv_split(const lm_text *row, char separator, size_t limit, const char *at, const char *end,
                          lm_vector *fields);
/* Sets *text and *length to the text of the field, with "" replaced by a single quote and ends of lines by blanks. The
 * text points into the file, or into `undoubled` (char) if something was replaced. O(length of the field). */
leman_status lm_field_text(leman_context *ctx, const lm_field *field, lm_vector *undoubled, const char **text,
                           size_t *length);

/* Returns a reader positioned before the first line; `file` is the name for error messages. Release the reader with
 * lm_csv_free(). */
lm_csv lm_csv_of(leman_context *ctx, const char *file, lm_bytes bytes);
/* Reads the next line into csv->field and csv->count. Sets *more to false at the end of the file. Fails with
 * LEMAN_ERROR_INPUT for more than LM_CSV_FIELDS fields, wrong quotes or text that is not printable UTF-8. O(length of
 * the line). */
leman_status lm_csv_next(lm_csv *csv, bool *more);
/* Sets *text and *length to the text of field i of the current line without its quotes; to an empty text if the line
 * has fewer fields. The text is valid until the next call. */
leman_status lm_csv_field(lm_csv *csv, size_t i, const char **text, size_t *length);
void lm_csv_free(lm_csv *csv);

#endif
