/*
 * Lines of fields: separated by tabs, semicolons, commas or blanks, whichever the first line with one of them uses (in
 * this order). Fields may be quoted ("a, b", with "" for a quote); blanks around them do not count; blank lines and
 * lines that begin with # are passed over. Fields must be printable UTF-8.
 */
#ifndef LM_CSV_H
#define LM_CSV_H

#include "base/context.h"
#include "base/text.h"

typedef struct lm_field {
    const char *at;
    size_t length;
    bool quoted, doubled; /* quotes stood around it (not part of it); quotes inside it stand twice */
} lm_field;

enum { LM_CSV_FIELDS = 64 };

typedef struct lm_csv {
    lm_text text;   /* at the line to be read next */
    lm_text row;    /* the line that was read, for messages */
    char separator; /* ' ' for any run of blanks */
    bool words;     /* no line has a separator: every line is one word */
    size_t count;
    lm_field field[LM_CSV_FIELDS];
    lm_vector undoubled; /* char */
} lm_csv;

/* Is the separator in the line outside of quotes? A quote opens only where a field may begin: at the beginning of the
 * line, or behind a tab, a semicolon, a comma or a blank. O(length). */
bool lm_csv_has_separator(const char *at, const char *end, char separator);
/* The field at *at, which must not be a blank; *at goes to the separator or the end of the line. row: the line, for
 * messages. Text behind a closing quote and a quote that is not closed are LEMAN_ERROR_INPUT. O(length of the field).
 */
leman_status lm_field_read(const lm_text *row, char separator, const char **at, const char *end, lm_field *field);
/* The text of a field with single quotes; where they are doubled in the file, it is in undoubled (char). */
leman_status lm_field_text(leman_context *ctx, const lm_field *field, lm_vector *undoubled, const char **text,
                           size_t *length);

/* lm_csv_free() at the end. */
lm_csv lm_csv_of(leman_context *ctx, const char *file, lm_bytes bytes);
/* Reads the next line into the fields; false in *more where there is none. O(its length). */
leman_status lm_csv_next(lm_csv *csv, bool *more);
/* The text of field i, its quotes removed; empty where the line has fewer. Valid until the next call. */
leman_status lm_csv_field(lm_csv *csv, size_t i, const char **text, size_t *length);
void lm_csv_free(lm_csv *csv);

#endif
