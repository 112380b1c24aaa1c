/* Fields point into the file; only fields with doubled quotes are copied. */
#include "io/csv.h"
#include "base/ascii.h"
#include <string.h>

static const char *line_end(const lm_text *text)
{
    const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
    return newline ? newline : text->end;
}

/* Skips blank lines and comments; returns false at the end of the file. */
static bool find_line(lm_text *text)
{
    while (text->at < text->end) {
        const char *end = line_end(text), *p = text->at;
        while (p < end && lm_is_blank(*p)) p++;
        if (p < end && *p != '#') return true;
        text->at = end < text->end ? end + 1 : end;
        text->line += end < text->end;
    }
    return false;
}

bool lm_csv_has_separator(const char *p, const char *end, char separator)
{
    bool quoted = false, begins = true; /* a field may begin here */
    while (p < end && lm_is_blank(*p)) p++;
    while (end > p && (end[-1] == ' ' || end[-1] == '\r')) end--;
    for (; p < end; p++) {
        if (*p == '"' && (quoted || begins)) {
            quoted = !quoted;
            begins = !quoted; /* the second of two quotes may open again */
            continue;
        }
        if (!quoted && *p == separator) return true;
        begins = *p == ';' || *p == ',' || lm_is_blank(*p);
    }
    return false;
}

/* Returns the separator that the line uses, or 0 if the line is a single word. */
static char separator_of(const char *p, const char *end)
{
    static const char SEPARATORS[] = {'\t', ';', ',', ' '};
    for (size_t i = 0; i < sizeof SEPARATORS; i++)
        if (lm_csv_has_separator(p, end, SEPARATORS[i])) return SEPARATORS[i];
    return 0;
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

leman_status lm_field_read(const lm_text *row, char separator, const char **at, const char *end, lm_field *field)
{
    const char *p = *at;
    *field = (lm_field){.at = p};
    if (p < end && *p == '"') {
        field->quoted = true;
        field->at = ++p;
        for (; p < end && (*p != '"' || (p + 1 < end && p[1] == '"')); p++)
            if (*p == '"') field->doubled = true, p++;
        if (p == end) return lm_text_fail(row, "found a quote that is not closed in its line");
        field->length = (size_t)(p++ - field->at);
        while (p < end && lm_is_blank(*p) && *p != separator) p++;
        if (p < end && *p != separator && !(separator == ' ' && lm_is_blank(p[-1])))
            return lm_text_fail(row, "found text behind a closing quote, expected the end of the field");
    } else {
        while (p < end && *p != separator && !(separator == ' ' && lm_is_blank(*p))) p++;
        const char *last = p;
        while (last > field->at && lm_is_blank(last[-1])) last--;
        field->length = (size_t)(last - field->at);
    }
    *at = p;
    return LEMAN_OK;
}

/* Reads the next field of the current line and checks that it is printable UTF-8. */
static leman_status next_field(lm_csv *csv, const char **at, const char *end)
{
    lm_field *field = &csv->field[csv->count++];
    leman_status st = lm_field_read(&csv->row, csv->separator, at, end, field);
    if (!st && !lm_text_printable(field->at, field->length))
        return lm_text_fail(&csv->row, "found bytes that are no printable UTF-8 text");
    return st;
}

static leman_status read_fields(lm_csv *csv, const char *p, const char *end)
{
    while (end > p && (end[-1] == '\r' || end[-1] == ' ')) end--;
    for (csv->count = 0;;) {
        while (p < end && lm_is_blank(*p) && *p != csv->separator) p++;
        while (csv->separator == ' ' && p < end && lm_is_blank(*p)) p++;
        if (csv->count == LM_CSV_FIELDS)
            return lm_text_fail(&csv->row, "found more than %d columns, expected fewer", LM_CSV_FIELDS);
        leman_status st = next_field(csv, &p, end);
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

leman_status lm_field_text(leman_context *ctx, const lm_field *field, lm_vector *undoubled, const char **text,
                           size_t *length)
{
    leman_status st = LEMAN_OK;
    *text = field->at;
    *length = field->length;
    if (!field->doubled) goto done;
    undoubled->count = 0;
    TRY(lm_vector_reserve(ctx, undoubled, field->length, 1));
    char *copy = undoubled->items;
    for (size_t j = 0; j < field->length; j++) {
        copy[undoubled->count++] = field->at[j];
        j += field->at[j] == '"';
    }
    *text = copy;
    *length = undoubled->count;
done:
    return st;
}

leman_status lm_csv_field(lm_csv *csv, size_t i, const char **text, size_t *length)
{
    *text = "";
    *length = 0;
    return i < csv->count ? lm_field_text(csv->text.ctx, csv->field + i, &csv->undoubled, text, length) : LEMAN_OK;
}

void lm_csv_free(lm_csv *csv)
{
    lm_vector_free(csv->text.ctx, &csv->undoubled);
}
