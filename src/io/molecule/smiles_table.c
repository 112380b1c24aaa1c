/*
 * Reads files with a SMILES on each line: .smi files, where a name may follow, and tables with a column of SMILES,
 * whose other columns become targets or the class. A quoted cell of a table may have several lines. Blank lines and
 * lines that begin with # are skipped. Time O(file). Memory is allocated only for the graphs.
 */
#include "io/molecule/smiles_table.h"
#include "base/ascii.h"
#include "io/molecule/rows.h"
#include <stdio.h>
#include <string.h>

enum { STEPS = 256 }; /* molecules between two progress reports */

/* ---- Lines ----------------------------------------------------------------------------------- */

lm_field lm_smiles_trimmed(const char *at, const char *end)
{
    while (at < end && lm_is_blank(*at)) at++;
    while (end > at && lm_is_blank(end[-1])) end--;
    return (lm_field){.at = at, .length = (size_t)(end - at)};
}

/* Splits a line into a SMILES and a name, which is the rest of the line behind an optional |...| of CXSMILES. */
static leman_status two_cells(lm_smiles_reader *r, const char *at, const char *end)
{
    while (at < end && lm_is_blank(*at)) at++;
    const char *p = at;
    while (p < end && !lm_is_blank(*p)) p++;
    const lm_field smiles = lm_smiles_trimmed(at, p);
    while (p < end && lm_is_blank(*p)) p++;
    const char *bar = p < end && *p == '|' ? memchr(p + 1, '|', (size_t)(end - p - 1)) : NULL;
    const lm_field name = lm_smiles_trimmed(bar ? bar + 1 : p, end);
    r->extensions += bar != NULL;
    return lm_vector_append(r->text.ctx, &r->cell, (lm_field[]){smiles, name}, 2, sizeof name);
}

const char *lm_smiles_row_end(const lm_smiles_reader *r, const char *at, const char *end)
{
    const char *row_end = r->separator ? lm_csv_row_end(at, end, r->text.end, r->separator) : end;
    return row_end ? row_end : end;
}

leman_status lm_smiles_cells(lm_smiles_reader *r, const char *at, const char *end)
{
    r->cell.count = 0;
    if (!r->separator) return two_cells(r, at, end);
    return lm_csv_split(&r->text, r->separator, SIZE_MAX, at, lm_smiles_row_end(r, at, end), &r->cell);
}

/* ---- A molecule ------------------------------------------------------------------------------ */

/* Fails with the position in the line and what was found there: a character or the end of the SMILES. */
static leman_status unreadable(const lm_text *smiles, const char *begin, const lm_smiles_fault *f)
{
    char found[32] = "the end of the SMILES";
    const size_t column = (size_t)(f->at - begin) + 1;
    if (smiles->at == smiles->end)
        snprintf(found, sizeof found, "nothing");
    else if (f->at<smiles->end && * f->at> ' ' && *f->at < 127)
        snprintf(found, sizeof found, "'%c'", *f->at);
    else if (f->at < smiles->end && lm_is_blank(*f->at))
        snprintf(found, sizeof found, "a blank");
    else if (f->at < smiles->end)
        snprintf(found, sizeof found, "byte %d", (unsigned char)*f->at);
    return lm_text_fail(smiles, "column %zu: found %s, expected %s", column, found, f->expected);
}

leman_status lm_smiles_add(lm_smiles_reader *r, lm_raw *raw, const lm_text *smiles, const char *begin, bool *kept)
{
    leman_context *ctx = smiles->ctx;
    lm_mol *m = &r->molecule;
    lm_smiles_fault fault = {.at = NULL};
    *kept = true;
    leman_status st = lm_smiles_parse(ctx, m, smiles->at, (size_t)(smiles->end - smiles->at), &fault);
    if (st == LEMAN_ERROR_INPUT && fault.at) st = unreadable(smiles, begin, &fault);
    const lm_mol_origin from = {.where = smiles, .title = smiles};
    if (!st) st = lm_mol_prepare(&from, m, &r->choices, &r->counts);
    if (st == LEMAN_ERROR_INPUT && r->skip) {
        if (!r->skipped++) snprintf(r->first_skipped, sizeof r->first_skipped, "%s", ctx->message);
        *kept = false;
        return LEMAN_OK;
    }
    return st ? st : lm_mol_add_flat(ctx, m, &r->choices, &r->counts, raw, &r->flat);
}

/* ---- Lines as graphs ------------------------------------------------------------------------- */

/* Sets *out to the text of a cell, with "" replaced by a single quote and ends of lines by blanks. */
static leman_status cell_text(lm_smiles_reader *r, const lm_field *cell, lm_text *out)
{
    size_t length;
    *out = r->text;
    PASS(lm_field_text(r->text.ctx, cell, &r->undoubled, &out->at, &length));
    out->end = out->at + length;
    return LEMAN_OK;
}

static leman_status add_name(lm_smiles_reader *r, lm_raw *raw)
{
    lm_text name = {.ctx = r->text.ctx};
    if (r->name < r->cell.count) PASS(cell_text(r, (lm_field *)r->cell.items + r->name, &name));
    return lm_mol_name(&name, "name", raw);
}

/* Adds the line to the rows: `fault` says why it has no graph, NULL that it has one. */
static leman_status add_row(lm_smiles_reader *r, const lm_text *smiles, const char *fault)
{
    leman_context *ctx = r->text.ctx;
    const lm_field *cell = r->cell.items, *heading = r->heading.items;
    lm_text text = {.ctx = ctx};
    if (r->name < r->cell.count) PASS(cell_text(r, cell + r->name, &text));
    PASS(lm_rows_add(ctx, r->rows, r->text.line, &text, smiles, fault));
    for (size_t i = 0; i < r->cell.count && i < r->heading.count; i++) {
        PASS(cell_text(r, cell + i, &text));
        PASS(lm_rows_cell(ctx, r->rows, heading[i].at, heading[i].length, &text));
    }
    return LEMAN_OK;
}

static leman_status add_line(lm_smiles_reader *r, lm_raw *raw, const char *end)
{
    lm_text text;
    bool kept;
    PASS(lm_smiles_cells(r, r->text.at, end));
    const lm_field *cell = r->cell.items;
    size_t columns = r->cell.count;
    while (columns > r->property.count && !cell[columns - 1].length) columns--;
    if (columns > r->property.count && r->separator)
        return lm_text_fail(&r->text, "found %zu column%s, expected %zu as in the first line", columns,
                            lm_plural(columns), r->property.count);
    text = r->text;
    text.at = text.end = end;
    if (r->smiles < columns) { /* a SMILES has no blanks, not even in quotes */
        const lm_field smiles = lm_smiles_trimmed(cell[r->smiles].at, cell[r->smiles].at + cell[r->smiles].length);
        text.at = smiles.at;
        text.end = smiles.at + smiles.length;
    }
    PASS(lm_smiles_add(r, raw, &text, r->text.at, &kept));
    if (r->rows) PASS(add_row(r, &text, kept ? NULL : r->text.ctx->message));
    if (!kept) return LEMAN_OK;
    if (r->lines) PASS(lm_lines_add(r->text.ctx, r->lines, r->text.at, end));
    PASS(add_name(r, raw));
    const uint32_t *property = r->property.items;
    for (size_t i = 0; i < columns && i < r->property.count; i++) {
        if (property[i] == UINT32_MAX) continue;
        PASS(cell_text(r, cell + i, &text));
        const lm_field value = lm_smiles_trimmed(text.at, text.end);
        text.at = value.at;
        text.end = value.at + value.length;
        PASS(lm_property_value(&r->properties, property[i], raw->graphs - 1, &text, 1));
    }
    return LEMAN_OK;
}

/* Reports progress in bytes of the input, of which the text may be a window. */
static leman_status report_place(const lm_smiles_reader *r)
{
    const double part = r->text.end > r->begin ? (double)(r->text.at - r->begin) / (double)(r->text.end - r->begin) : 1;
    return lm_progress_step(r->text.ctx, r->done_begin + (uint64_t)(part * (double)(r->done_end - r->done_begin)));
}

/* Sets *end to the end of the next row; returns false at the end of the text, and before a row that goes on behind it. */
static bool find_row(lm_smiles_reader *r, const char **end)
{
    if (!lm_csv_find_line(&r->text, end)) return false;
    if (r->continues && r->separator && !lm_csv_row_end(r->text.at, *end, r->text.end, r->separator)) return false;
    *end = lm_smiles_row_end(r, r->text.at, *end);
    return true;
}

leman_status lm_smiles_lines(lm_smiles_reader *r, lm_raw *raw, size_t limit)
{
    const char *end;
    for (size_t count = 0; count < limit; count++) {
        r->ended = !find_row(r, &end);
        if (r->ended) break;
        PASS(add_line(r, raw, end));
        lm_csv_pass_line(&r->text, end);
        if (count % STEPS == 0) PASS(report_place(r));
    }
    return report_place(r);
}

void lm_smiles_end(lm_smiles_reader *r)
{
    leman_rows_free(r->rows);
    lm_vector_release(&r->heading);
    lm_vector_release(&r->cell);
    lm_vector_release(&r->property);
    lm_vector_release(&r->undoubled);
    lm_mol_free(&r->molecule);
    lm_flat_free(&r->flat);
    lm_properties_free(&r->properties);
}
