/* What people read: durations, scores, tables in columns; counts and paragraphs are those of base/words.h. */
#ifndef LM_CLI_OUTPUT_H
#define LM_CLI_OUTPUT_H

#include "base/context.h"
#include "base/words.h"

/* Into text[LM_NUMBER_TEXT], which it returns: "0.2 s", "3 min". */
const char *lm_seconds_text(double seconds, char *text);

/* A score with so many decimals, or with four significant digits, as errors of regressions have them; "-" where there
 * is none (NAN), and never "-0". */
enum { LM_SIGNIFICANT = -1 };
const char *lm_score_text(double value, int decimals, char *text);

/* A table: cells row after row, then written with every column as wide as its widest cell. Set ctx and align
 * ('l' or 'r' for each column), zero-initialise the rest; failures to allocate are remembered and returned by
 * lm_table_write(). */
typedef struct lm_table {
    leman_context *ctx;
    const char *align;
    lm_vector cells; /* char *, owned */
    leman_status st;
} lm_table;

__attribute__((format(printf, 2, 3))) void lm_table_cell(lm_table *table, const char *format, ...);
leman_status lm_table_write(lm_table *table, lm_output *out);
void lm_table_free(lm_table *table);

#endif
