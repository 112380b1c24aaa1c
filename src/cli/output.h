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

/* What a score has to beat, and whether it does: "majority class 66.5 %, inside the interval"; of targets, the error of
 * the median. low and high are NAN where there is no interval. Into text, which it returns; "" where baseline is NAN.
 */
enum { LM_BASELINE_TEXT = 128 };
const char *lm_baseline_text(bool classes, double score, double baseline, double low, double high,
                             char text[LM_BASELINE_TEXT]);
/* "95 % interval 61.2 to 73.0 %", or "" where there is none. */
const char *lm_interval_text(bool classes, double low, double high, char text[LM_BASELINE_TEXT]);

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
