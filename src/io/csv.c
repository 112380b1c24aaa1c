/* Fields are views into the file; only those with doubled quotes are copied. */
#include "io/csv.h"
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *line_end(const lm_text *text)
{
    const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
    return newline ? newline : text->end;
}

/* Passes over blank lines and comments; false at the end of the file. */
static bool find_line(lm_text *text)
{
    while (text->at < text->end) {
        const char *end = line_end(text), *p = text->at;
        while (p < end && is_blank(*p)) p++;
        if (p < end && *p != '#') return true;
        text->at = end < text->end ? end + 1 : end;
        text->line += end < text->end;
    }
    return false;
}

/* The separator that a line uses, 0 where it is a single word. */
static char separator_of(const char *p, const char *end)
{
    bool quoted = false, tab = false, semicolon = false, comma = false, blank = false;
    while (p < end && is_blank(*p)) p++;
    while (end > p && (end[-1] == ' ' || end[-1] == '\r')) end--;
    for (; p < end; p++) {
        quoted ^= *p == '"';
        if (quoted) continue;
        tab |= *p == '\t';
        semicolon |= *p == ';';
        comma |= *p == ',';
        blank |= *p == ' ';
    }
    return tab ? '\t' : semicolon ? ';' : comma ? ',' : blank ? ' ' : 0;
}

lm_csv lm_csv_of(leman_context *ctx, const char *file, lm_bytes bytes)
{
    lm_csv csv = {.text = lm_text_of(ctx, file, bytes)};
    csv.row = csv.text;
    for (lm_text text = csv.text; !csv.separator && find_line(&text); text.at = line_end(&text))
        csv.separator = separator_of(text.at, line_end(&text));
    csv.words = !csv.separator;
    if (csv.words) csv.separator = ' ';
    return csv;
}

/* The field at *at, which must not be a blank; *at goes to the separator or the end of the line. */
static leman_status read_field(lm_csv *csv, const char **at, const char *end, lm_field *field)
{
    const char *p = *at;
    *field = (lm_field){.at = p};
    if (p < end && *p == '"') {
        field->quoted = true;
        field->at = ++p;
        for (; p < end && (*p != '"' || (p + 1 < end && p[1] == '"')); p++)
            if (*p == '"') field->doubled = true, p++;
        if (p == end) return lm_text_fail(&csv->row, "found a quote that is not closed in its line");
        field->length = (size_t)(p++ - field->at);
        while (p < end && is_blank(*p) && *p != csv->separator) p++;
        if (p < end && *p != csv->separator && !(csv->separator == ' ' && is_blank(p[-1])))
            return lm_text_fail(&csv->row, "found text behind a closing quote, expected the end of the field");
    } else {
        while (p < end && *p != csv->separator && !(csv->separator == ' ' && is_blank(*p))) p++;
        const char *last = p;
        while (last > field->at && is_blank(last[-1])) last--;
        field->length = (size_t)(last - field->at);
    }
    if (!lm_text_printable(field->at, field->length))
        return lm_text_fail(&csv->row, "found bytes that are no printable UTF-8 text");
    *at = p;
    return LEMAN_OK;
}

static leman_status read_fields(lm_csv *csv, const char *p, const char *end)
{
    while (end > p && (end[-1] == '\r' || end[-1] == ' ')) end--;
    for (csv->count = 0;;) {
        while (p < end && is_blank(*p) && *p != csv->separator) p++;
        while (csv->separator == ' ' && p < end && is_blank(*p)) p++;
        if (csv->count == LM_CSV_FIELDS)
            return lm_text_fail(&csv->row, "found more than %d columns, expected fewer", LM_CSV_FIELDS);
        leman_status st = read_field(csv, &p, end, &csv->field[csv->count++]);
        if (st) return st;
        if (p == end) return LEMAN_OK;
        p += csv->separator != ' ';
    }
}

leman_status lm_csv_next(lm_csv *csv, bool *more)
{
    *more = find_line(&csv->text);
    csv->row = csv->text;
    csv->count = 0;
    if (!*more) return LEMAN_OK;
    const char *end = line_end(&csv->text);
    leman_status st = read_fields(csv, csv->text.at, end);
    csv->text.at = end < csv->text.end ? end + 1 : end;
    csv->text.line += end < csv->text.end;
    return st;
}

leman_status lm_csv_field(lm_csv *csv, size_t i, const char **text, size_t *length)
{
    leman_status st = LEMAN_OK;
    *text = "";
    *length = 0;
    if (i >= csv->count) return LEMAN_OK;
    const lm_field *field = csv->field + i;
    *text = field->at;
    *length = field->length;
    if (!field->doubled) goto done;
    csv->undoubled.count = 0;
    TRY(lm_vector_reserve(csv->text.ctx, &csv->undoubled, field->length, 1));
    char *copy = csv->undoubled.items;
    for (size_t j = 0; j < field->length; j++) {
        copy[csv->undoubled.count++] = field->at[j];
        j += field->at[j] == '"';
    }
    *text = copy;
    *length = csv->undoubled.count;
done:
    return st;
}

void lm_csv_free(lm_csv *csv)
{
    lm_vector_free(csv->text.ctx, &csv->undoubled);
}
