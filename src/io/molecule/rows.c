/* Rows of files of molecules: their names, SMILES and columns as texts, and why a row has no graph. Memory: the texts. */
#include "io/molecule/rows.h"
#include "base/arguments.h"
#include "base/ascii.h"
#include "base/drop.h"
#include <string.h>

enum { NAME, SMILES, FAULT, TEXTS };

typedef struct row {
    size_t graph;
    uint64_t line;
    size_t first; /* of its texts in `at`: TEXTS, then the columns */
} row;

typedef struct wanted {
    const char *name; /* in `names` */
    size_t length;
    bool found;
} wanted;

struct leman_rows {
    char *names;
    lm_vector column; /* wanted */
    lm_vector row;    /* row */
    lm_vector at;     /* size_t: where each text begins in `text`; 0: no text */
    lm_vector text;   /* char: texts, each with a zero behind it; the first is empty */
    size_t graphs;
};

void leman_rows_free(leman_rows *rows)
{
    if (!rows) return;
    lm_vector_release(&rows->column);
    lm_vector_release(&rows->row);
    lm_vector_release(&rows->at);
    lm_vector_release(&rows->text);
    RELEASE(rows->names, rows);
}

static size_t find(const leman_rows *rows, const char *name, size_t length)
{
    const wanted *column = rows->column.items;
    size_t i = 0;
    while (i < rows->column.count && (column[i].length != length || (length && memcmp(column[i].name, name, length))))
        i++;
    return i;
}

leman_status lm_rows_new(leman_context *ctx, const char *columns, leman_rows **out)
{
    AUTO(leman_rows_drop) leman_rows *rows = NULL;
    PASS_NEW_ZERO(ctx, rows, 1);
    PASS(lm_vector_append(ctx, &rows->text, "", 1, 1));
    if (columns) PASS(lm_copy_text(ctx, columns, strlen(columns), &rows->names));
    for (const char *at = rows->names; at;) {
        const char *comma = strchr(at, ',');
        const wanted column = {at, comma ? (size_t)(comma - at) : strlen(at), false};
        if (find(rows, column.name, column.length) < rows->column.count)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found the column '%.*s' twice, expected each column once",
                           (int)column.length, column.name);
        PASS(lm_vector_append(ctx, &rows->column, &column, 1, sizeof column));
        at = comma ? comma + 1 : NULL;
    }
    return HAND_OVER(out, rows);
}

/* Copies a text; sets *at to its place. */
static leman_status keep(leman_context *ctx, leman_rows *rows, const char *text, size_t length, size_t *at)
{
    *at = length ? rows->text.count : 0;
    if (!length) return LEMAN_OK;
    PASS(lm_vector_append(ctx, &rows->text, text, length, 1));
    PASS(lm_vector_append(ctx, &rows->text, "", 1, 1));
    lm_text_clean((char *)rows->text.items + *at, '?');
    return LEMAN_OK;
}

leman_status lm_rows_add(leman_context *ctx, leman_rows *rows, uint64_t line, const lm_text *name,
                         const lm_text *smiles, const char *fault)
{
    const row next = {fault ? SIZE_MAX : rows->graphs, line, rows->at.count};
    const size_t none = 0;
    size_t at[TEXTS];
    PASS(keep(ctx, rows, name->at, (size_t)(name->end - name->at), at + NAME));
    PASS(keep(ctx, rows, smiles->at, (size_t)(smiles->end - smiles->at), at + SMILES));
    PASS(keep(ctx, rows, fault, fault ? strlen(fault) : 0, at + FAULT));
    PASS(lm_vector_append(ctx, &rows->at, at, TEXTS, sizeof *at));
    for (size_t i = 0; i < rows->column.count; i++) PASS(lm_vector_append(ctx, &rows->at, &none, 1, sizeof none));
    PASS(lm_vector_append(ctx, &rows->row, &next, 1, sizeof next));
    rows->graphs += !fault;
    return LEMAN_OK;
}

leman_status lm_rows_cell(leman_context *ctx, leman_rows *rows, const char *name, size_t length, const lm_text *text)
{
    const size_t column = find(rows, name, length);
    if (column == rows->column.count) return LEMAN_OK;
    ((wanted *)rows->column.items)[column].found = true;
    const row *last = (const row *)rows->row.items + rows->row.count - 1;
    return keep(ctx, rows, text->at, (size_t)(text->end - text->at),
                (size_t *)rows->at.items + last->first + TEXTS + column);
}

void lm_rows_found(leman_rows *rows, const char *name, size_t length)
{
    const size_t column = find(rows, name, length);
    if (column < rows->column.count) ((wanted *)rows->column.items)[column].found = true;
}

leman_status lm_rows_check(leman_context *ctx, const leman_rows *rows, const char *file, const char *noun)
{
    const wanted *column = rows->column.items;
    for (size_t i = 0; i < rows->column.count; i++)
        if (!column[i].found)
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: there is no %s '%.*s', expected one of the file", file, noun,
                           (int)column[i].length, column[i].name);
    return LEMAN_OK;
}

/* ---- For callers ------------------------------------------------------------------------------ */

size_t leman_rows_count(const leman_rows *rows)
{
    return rows ? rows->row.count : 0;
}

static const char *text_of(const leman_rows *rows, size_t at)
{
    return (const char *)rows->text.items + ((const size_t *)rows->at.items)[at];
}

leman_row leman_rows_get(const leman_rows *rows, size_t i)
{
    if (i >= leman_rows_count(rows)) return (leman_row){.graph = SIZE_MAX, .name = "", .smiles = "", .fault = ""};
    const row *r = (const row *)rows->row.items + i;
    return (leman_row){.graph = r->graph,
                       .line = r->line,
                       .name = text_of(rows, r->first + NAME),
                       .smiles = text_of(rows, r->first + SMILES),
                       .fault = text_of(rows, r->first + FAULT)};
}

const char *leman_rows_column(const leman_rows *rows, size_t column, size_t *length)
{
    const bool known = rows && column < rows->column.count;
    if (length) *length = known ? ((const wanted *)rows->column.items)[column].length : 0;
    return known ? ((const wanted *)rows->column.items)[column].name : NULL;
}

const char *leman_rows_value(const leman_rows *rows, size_t i, size_t column)
{
    if (i >= leman_rows_count(rows) || column >= rows->column.count) return "";
    return text_of(rows, ((const row *)rows->row.items)[i].first + TEXTS + column);
}
