/* Fields point into the file; only fields with doubled quotes or several lines are copied. */
#include "io/csv.h"
#include "base/ascii.h"
#include <string.h>

bool lm_csv_find_line(lm_text *text, const char **out)
{
    while (text->at < text->end) {
        const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
        const char *end = newline ? newline : text->end, *p = text->at;
        while (p < end && lm_is_blank(*p)) p++;
        *out = end;
        if (p < end && *p != '#') return true;
        lm_csv_pass_line(text, end);
    }
    return false;
}

void lm_csv_pass_line(lm_text *text, const char *end)
{
    for (const char *p = text->at; (p = memchr(p, '\n', (size_t)(end - p))); p++) text->line++;
    text->line += end < text->end;
    text->at = end < text->end ? end + 1 : end;
}

/* Returns true if the character ends a field that is not quoted. */
static bool separates(char c, char separator)
{
    return separator == ' ' ? lm_is_blank(c) : c == separator;
}

/* Returns the position behind the closing quote of the field that begins at the quote `p`; NULL: there is none. */
static const char *behind_quotes(const char *p, const char *end)
{
    for (p++; p < end && (*p != '"' || (p + 1 < end && p[1] == '"')); p++)
        if (*p == '"') p++;
    return p < end ? p + 1 : NULL;
}

const char *lm_csv_row_end(const char *at, const char *end, const char *last, char separator)
{
    if (!memchr(at, '"', (size_t)(end - at))) return end;
    for (const char *p = at;; p++) {
        while (p < end && lm_is_blank(*p) && (*p != separator || separator == ' ')) p++;
        if (p < end && *p == '"') {
            p = behind_quotes(p, last);
            if (!p) return NULL;
            const char *newline = p > end ? memchr(p, '\n', (size_t)(last - p)) : end;
            end = newline ? newline : last;
        }
        while (p < end && !separates(*p, separator)) p++;
        if (p == end) return end;
    }
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
    const char *end;
    csv.row = csv.text;
    for (lm_text text = csv.text; !csv.separator && lm_csv_find_line(&text, &end); text.at = end)
        csv.separator = separator_of(text.at, end);
    csv.words = !csv.separator;
    if (csv.words) csv.separator = ' ';
    return csv;
}

/* Reads the field that begins at *at (not at a blank) and moves *at to the separator behind the field or to `end`. */
static leman_status read_field(const lm_text *row, char separator, const char **at, const char *end, lm_field *field)
{
    const char *p = *at;
    *field = (lm_field){.at = p};
    if (p < end && *p == '"') {
        field->quoted = true;
        field->at = ++p;
        for (; p < end && (*p != '"' || (p + 1 < end && p[1] == '"')); p++) {
            field->copied |= *p == '"' || *p == '\n';
            p += *p == '"';
        }
        if (p == end) return lm_text_fail(row, "found a quote that is not closed");
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

leman_status lm_csv_split(const lm_text *row, char separator, size_t limit, const char *at, const char *end,
                          lm_vector *fields)
{
    while (end > at && (end[-1] == '\r' || end[-1] == ' ')) end--;
    for (;;) {
        while (at < end && lm_is_blank(*at) && (*at != separator || separator == ' ')) at++;
        if (fields->count == limit) return lm_text_fail(row, "found more than %zu columns, expected fewer", limit);
        if (fields->count == fields->capacity) PASS(lm_vector_reserve(row->ctx, fields, 1, sizeof(lm_field)));
        PASS(read_field(row, separator, &at, end, (lm_field *)fields->items + fields->count++));
        while (separator == ' ' && at < end && lm_is_blank(*at)) at++;
        if (at == end) break;
        at += separator != ' ';
    }
    return LEMAN_OK;
}

leman_status lm_csv_next(lm_csv *csv, bool *more)
{
    const char *end;
    lm_vector fields = {.items = csv->field, .capacity = LM_CSV_FIELDS}; /* never grows */
    *more = lm_csv_find_line(&csv->text, &end);
    csv->row = csv->text;
    csv->count = 0;
    if (!*more) return LEMAN_OK;
    const leman_status st = lm_csv_split(&csv->row, csv->separator, LM_CSV_FIELDS, csv->text.at, end, &fields);
    csv->count = fields.count; /* also after a failure */
    PASS(st);
    for (size_t i = 0; i < csv->count; i++)
        if (!lm_text_printable(csv->field[i].at, csv->field[i].length))
            return lm_text_fail(&csv->row, "found bytes that are no printable UTF-8 text");
    lm_csv_pass_line(&csv->text, end);
    return LEMAN_OK;
}

leman_status lm_field_text(leman_context *ctx, const lm_field *field, lm_vector *undoubled, const char **text,
                           size_t *length)
{
    *text = field->at;
    *length = field->length;
    if (!field->copied) return LEMAN_OK;
    undoubled->count = 0;
    PASS(lm_vector_reserve(ctx, undoubled, field->length, 1));
    char *copy = undoubled->items;
    for (size_t j = 0; j < field->length; j++) {
        const char c = field->at[j];
        if (c == '\r' && j + 1 < field->length && field->at[j + 1] == '\n') continue;
        copy[undoubled->count++] = c == '\n' ? ' ' : c;
        j += c == '"';
    }
    *text = copy;
    *length = undoubled->count;
    return LEMAN_OK;
}

leman_status lm_csv_field(lm_csv *csv, size_t i, const char **text, size_t *length)
{
    *text = "";
    *length = 0;
    return i < csv->count ? lm_field_text(csv->text.ctx, csv->field + i, &csv->undoubled, text, length) : LEMAN_OK;
}

void lm_csv_free(lm_csv *csv)
{
    lm_vector_release(&csv->undoubled);
}
