/* What people read: numbers as 96,531, sizes as 1.6 GiB, tables in columns, paragraphs that fit a terminal. */
#ifndef LM_CLI_OUTPUT_H
#define LM_CLI_OUTPUT_H

#include "base/context.h"
#include "base/file.h"
#include "base/text.h"

enum { LM_TEXT_WIDTH = 79 };

/* Each writes into text[LM_NUMBER_TEXT] and returns it. */
const char *lm_count_text(uint64_t value, char *text);   /* "96,531"; "over 10^19" for UINT64_MAX */
const char *lm_seconds_text(double seconds, char *text); /* "0.2 s", "3 min" */

/* A score with so many decimals, or with four significant digits, as errors of regressions have them; "-" where there
 * is none (NAN), and never "-0". */
enum { LM_SIGNIFICANT = -1 };
const char *lm_score_text(double value, int decimals, char *text);

/* A table: cells row after row, then written with every column as wide as its widest cell. Zero-initialise ctx and
 * align ('l' or 'r' a column); failures to allocate are remembered and returned by lm_table_write(). */
typedef struct lm_table {
    leman_context *ctx;
    const char *align;
    lm_vector cells; /* char *, owned */
    leman_status st;
} lm_table;

__attribute__((format(printf, 2, 3))) void lm_table_cell(lm_table *table, const char *format, ...);
leman_status lm_table_write(lm_table *table, lm_output *out);
void lm_table_free(lm_table *table);

/* Words of text broken into lines of LM_TEXT_WIDTH columns; each line but the first begins with `indent` blanks, and
 * the first begins at `column`. An empty line in the text begins a paragraph. Ends with a newline. */
leman_status lm_write_wrapped(lm_output *out, const char *text, size_t indent, size_t column);
leman_status lm_write_text(lm_output *out, const char *text);

#endif
