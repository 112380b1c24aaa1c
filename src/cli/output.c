/* Numbers and tables as text. */
#include "cli/output.h"
#include "base/text.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *lm_format(char text[LM_FORMATTED], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    lm_vsnprintf(text, LM_FORMATTED, format, arguments);
    va_end(arguments);
    return text;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

const char *lm_seconds_text(double seconds, char *text)
{
    if (seconds < 10)
        lm_snprintf(text, LM_NUMBER_TEXT, "%.1f s", seconds);
    else if (seconds < 100)
        lm_snprintf(text, LM_NUMBER_TEXT, "%.0f s", seconds);
    else if (seconds < 5400)
        lm_snprintf(text, LM_NUMBER_TEXT, "%.0f min", seconds / 60);
    else
        lm_snprintf(text, LM_NUMBER_TEXT, "%.1f h", seconds < 3.6e9 ? seconds / 3600 : 1e6);
    return text;
}

const char *lm_score_text(double value, int decimals, char *text)
{
    if (isnan(value)) return strcpy(text, "-");
    if (decimals == LM_SIGNIFICANT)
        lm_snprintf(text, LM_NUMBER_TEXT, "%.4g", value);
    else
        lm_snprintf(text, LM_NUMBER_TEXT, "%.*f", decimals, value);
    if (*text == '-' && !text[1 + strspn(text + 1, "0.")]) memmove(text, text + 1, strlen(text));
    return text;
}

const char *lm_baseline_text(bool classes, double score, double baseline, double low, double high,
                             char text[LM_BASELINE_TEXT])
{
    char number[LM_NUMBER_TEXT];
    const char *name = classes ? "majority class" : "median of the targets", *unit = classes ? " %" : "";
    bool inside = baseline >= low && baseline <= high;
    *text = 0;
    if (isnan(baseline) || isnan(score)) return text;
    lm_score_text(baseline, classes ? 1 : LM_SIGNIFICANT, number);
    if (classes ? score <= baseline : score >= baseline)
        snprintf(text, LM_BASELINE_TEXT, "no better than the %s, %s%s", name, number, unit);
    else
        snprintf(text, LM_BASELINE_TEXT, "%s %s%s%s", name, number, unit, inside ? ", inside the interval" : "");
    return text;
}

const char *lm_interval_text(bool classes, double low, double high, char text[LM_BASELINE_TEXT])
{
    char numbers[2][LM_NUMBER_TEXT];
    *text = 0;
    if (isnan(low) || isnan(high)) return text;
    lm_score_text(low, classes ? 1 : LM_SIGNIFICANT, numbers[0]);
    lm_score_text(high, classes ? 1 : LM_SIGNIFICANT, numbers[1]);
    snprintf(text, LM_BASELINE_TEXT, "95 %% interval %s to %s%s", numbers[0], numbers[1], classes ? " %" : "");
    return text;
}

void lm_known_add(lm_known *mean, double value)
{
    if (isnan(value)) return;
    mean->sum += value;
    mean->count++;
}

double lm_known_mean(const lm_known *mean)
{
    return mean->count ? mean->sum / (double)mean->count : NAN;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

void lm_table_cell(lm_table *table, const char *format, ...)
{
    char text[LM_FORMATTED];
    va_list arguments;
    va_start(arguments, format);
    lm_vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t length = strlen(text);
    lm_table_text *cell = table->st ? NULL : lm_scratch(table->ctx, sizeof *cell + length + 1, 1);
    if (!cell && !table->st) table->st = lm_refusal(table->ctx);
    if (!cell) return;
    cell->next = NULL;
    memcpy(cell->text, text, length + 1);
    *(table->last ? &table->last->next : &table->first) = cell;
    table->last = cell;
}

void lm_table_cells(lm_table *table, const char *const *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) lm_table_cell(table, "%s", cells[i]);
}

leman_status lm_table_write(lm_table *table, lm_output *out)
{
    enum { MAX = 12 };
    const size_t columns = strlen(table->align);
    size_t width[MAX] = {0}, i = 0;
    PASS(table->st);
    for (const lm_table_text *cell = table->first; cell; cell = cell->next, i++) {
        const size_t own = lm_text_width(cell->text, SIZE_MAX);
        if (own > width[i % columns]) width[i % columns] = own;
    }
    i = 0;
    for (const lm_table_text *cell = table->first; cell; cell = cell->next, i++) {
        const size_t column = i % columns, space = width[column] - lm_text_width(cell->text, SIZE_MAX);
        const bool right = table->align[column] == 'r', last = column == columns - 1;
        const bool bare = last && !*cell->text; /* avoids blanks at the end of a line */
        if (!bare) PASS(lm_write_blanks(out, 2 + (right ? space : 0)));
        PASS(lm_write_text(out, cell->text));
        if (!right && !last && !(column == columns - 2 && !*cell->next->text)) PASS(lm_write_blanks(out, space));
        if (last) PASS(lm_write_text(out, "\n"));
    }
    return LEMAN_OK;
}
