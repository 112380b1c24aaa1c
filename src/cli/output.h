/* Text for people: durations, scores, and tables with aligned columns. base/words.h has counts and paragraphs. */
#ifndef LM_CLI_OUTPUT_H
#define LM_CLI_OUTPUT_H

#include "base/context.h"
#include "base/words.h"

/* Numbers and other values as text, each in an array that lives until the end of the block. */
#define COUNT_TEXT(value) lm_count_text(value, (char[LM_NUMBER_TEXT]){0})
#define BYTES_TEXT(value) lm_bytes_text(value, (char[LM_NUMBER_TEXT]){0})
#define SECONDS_TEXT(value) lm_seconds_text(value, (char[LM_NUMBER_TEXT]){0})
#define SCORE_TEXT(value, decimals) lm_score_text(value, decimals, (char[LM_NUMBER_TEXT]){0})
#define INTERVAL_TEXT(...) lm_interval_text(__VA_ARGS__, (char[LM_BASELINE_TEXT]){0})
#define BASELINE_TEXT(...) lm_baseline_text(__VA_ARGS__, (char[LM_BASELINE_TEXT]){0})
#define FORMAT(...) lm_format((char[LM_FORMATTED]){0}, __VA_ARGS__)
enum { LM_FORMATTED = 512 };
__attribute__((format(printf, 2, 3))) const char *lm_format(char text[LM_FORMATTED], const char *format, ...);

/* Writes a duration, "0.2 s" or "3 min", into text[LM_NUMBER_TEXT] and returns text. */
const char *lm_seconds_text(double seconds, char *text);

/* Writes a score into text[LM_NUMBER_TEXT] and returns text. LM_SIGNIFICANT decimals means four significant digits, for
 * errors of regressions. NAN becomes "-"; "-0" never occurs. */
enum { LM_SIGNIFICANT = -1 };
const char *lm_score_text(double value, int decimals, char *text);

/* Describes the baseline that a score has to beat, and whether it does: "majority class 66.5 %, inside the interval".
 * For targets, the baseline is the error of the median. low and high are NAN if there is no interval. Returns text,
 * which is "" if score or baseline is NAN. */
enum { LM_BASELINE_TEXT = 128 };
const char *lm_baseline_text(bool classes, double score, double baseline, double low, double high,
                             char text[LM_BASELINE_TEXT]);
/* Writes "95 % interval 61.2 to 73.0 %", or "" if low or high is NAN, and returns text. */
const char *lm_interval_text(bool classes, double low, double high, char text[LM_BASELINE_TEXT]);

/* The mean of the values that are not NAN. Zero-initialise. lm_known_mean() returns NAN if there are none. */
typedef struct lm_known {
    double sum;
    size_t count;
} lm_known;
void lm_known_add(lm_known *mean, double value);
double lm_known_mean(const lm_known *mean);

/* A table. Cells are added row by row, then written with every column as wide as its widest cell. Set ctx and align
 * ('l' or 'r' for each column), and zero-initialise the rest. Cells are in the scratch memory of the context. A failure
 * to allocate is remembered and returned by lm_table_write(). */
typedef struct lm_table_text {
    struct lm_table_text *next;
    char text[];
} lm_table_text;
typedef struct lm_table {
    leman_context *ctx;
    const char *align;
    lm_table_text *first, *last;
    leman_status st;
} lm_table;

/* Adds one cell, or several: LM_TABLE_ROW(&table, "round", COUNT_TEXT(colors)). */
__attribute__((format(printf, 2, 3))) void lm_table_cell(lm_table *table, const char *format, ...);
void lm_table_cells(lm_table *table, const char *const *cells, size_t count);
#define LM_TABLE_ROW(table, ...)                                                                                       \
    lm_table_cells(table, (const char *const[]){__VA_ARGS__},                                                          \
                   sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
leman_status lm_table_write(lm_table *table, lm_output *out);

#endif
