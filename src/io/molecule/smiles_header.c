/*
 * Interprets the first line of a file of SMILES: the separator, the columns, and which of them hold SMILES and names.
 *
 * A line that begins with a SMILES is a molecule, whatever its name: "CCO from_smiles_1" is no header. There is one
 * exception, in tables, because column names such as "no" and "N" are SMILES, too. "no,smiles" is a header if the line
 * below begins with a number, which no SMILES does, and has a SMILES in the column called smiles.
 */
#include "base/ascii.h"
#include "base/text.h"
#include "io/archive/gzip.h"
#include "io/molecule/rows.h"
#include "io/molecule/smiles_table.h"
#include <stdio.h>
#include <string.h>

enum { NAME_LENGTH = 32 };
static const char SEPARATORS[] = "\t;, "; /* in the order in which they are tried */

/* Returns true for "smiles" in any case and for longer words that contain it; no SMILES does. */
static bool names_smiles(const lm_field *cell)
{
    for (size_t i = 0; i + 6 <= cell->length; i++)
        if (lm_is_word(cell->at + i, 6, "smiles")) return true;
    return false;
}

/* Returns true for words that a column of SMILES may have as its name if the line below has a SMILES there. */
static bool names_structure(const lm_field *cell)
{
    static const char *const NAMES[] = {"structure", "mol", "molecule", "compound"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (lm_is_word(cell->at, cell->length, NAMES[i])) return true;
    return false;
}

/* Returns true for "name", "title", "id" and words such as "mol_id". */
static bool names_names(const lm_field *cell)
{
    static const char *const NAMES[] = {"name", "title", "id"};
    for (size_t i = 0; i < 3; i++) {
        const size_t length = strlen(NAMES[i]);
        if (lm_is_word(cell->at, cell->length, NAMES[i])) return true;
        const char *end = cell->at + cell->length;
        if (cell->length > length && lm_is_word(end - length, length, NAMES[i]) &&
            strchr("_- .", end[-(ptrdiff_t)length - 1]))
            return true;
    }
    return false;
}

/* Returns the cell with this name, or SIZE_MAX. If name is NULL, returns the cell "smiles", or else one that contains
 * this word, or else one that names a structure. */
static size_t find_cell(const lm_smiles_reader *r, const char *name)
{
    const lm_field *cell = r->cell.items;
    for (size_t i = 0; i < r->cell.count; i++)
        if (lm_is_word(cell[i].at, cell[i].length, name ? name : "smiles")) return i;
    for (size_t i = 0; !name && i < r->cell.count; i++)
        if (names_smiles(cell + i)) return i;
    for (size_t i = 0; !name && i < r->cell.count; i++)
        if (names_structure(cell + i)) return i;
    return SIZE_MAX;
}

static leman_status no_column(const lm_smiles_reader *r, const lm_text *line)
{
    char names[384];
    lm_joined list = lm_joined_begin(names, sizeof names);
    const lm_field *cell = r->cell.items;
    for (size_t i = 0; i < r->cell.count; i++) {
        const bool shown = lm_text_printable(cell[i].at, cell[i].length);
        lm_joined_add(&list, "%s%.*s", i ? ", " : "", shown ? (int)cell[i].length : 3, shown ? cell[i].at : "...");
    }
    return lm_text_fail(line, "there is no column '%s', expected one of: %s", r->smiles_column, names);
}

/* Finds the properties and the column of names. Without a header, the column behind the SMILES is the name, and other
 * columns are called column_0, column_1, ... */
static leman_status use_columns(lm_smiles_reader *r, bool header)
{
    const lm_field *cell = r->cell.items;
    r->name = header ? SIZE_MAX : r->smiles + 1;
    for (size_t i = 0; i < r->cell.count; i++) {
        uint32_t number = UINT32_MAX;
        char own[NAME_LENGTH];
        const char *text = own;
        size_t length = (size_t)snprintf(own, sizeof own, "column_%zu", i);
        if (header) PASS(lm_field_text(r->text.ctx, cell + i, &r->undoubled, &text, &length));
        if (header && r->rows) {
            const lm_field name = lm_smiles_trimmed(cell[i].at, cell[i].at + cell[i].length);
            lm_rows_found(r->rows, name.at, name.length);
            PASS(lm_vector_append(r->text.ctx, &r->heading, &name, 1, sizeof name));
        }
        if (i != r->smiles && r->name == SIZE_MAX && names_names(cell + i)) r->name = i;
        if (i != r->smiles && i != r->name && length) {
            const lm_field name = lm_smiles_trimmed(text, text + length);
            PASS(lm_property_add(&r->properties, name.at, name.length, &number));
        }
        PASS(lm_vector_append(r->text.ctx, &r->property, &number, 1, sizeof number));
    }
    return LEMAN_OK;
}

/* ---- Header or molecule ---------------------------------------------------------------------- */

static leman_status is_smiles(lm_smiles_reader *r, const lm_field *cell, bool *is)
{
    lm_smiles_fault fault = {.at = NULL};
    const lm_field text = lm_smiles_trimmed(cell->at, cell->at + cell->length);
    leman_status st = lm_smiles_parse(r->text.ctx, &r->molecule, text.at, text.length, &fault);
    *is = !st;
    return st == LEMAN_ERROR_INPUT ? LEMAN_OK : st;
}

static bool is_number(const lm_smiles_reader *r, const lm_field *cell)
{
    double value;
    return lm_text_is_real(r->text.ctx, cell->at, cell->length, &value);
}

/* Returns the first word of a line, for any separator. */
static lm_field first_word(const char *at, const char *end)
{
    const lm_field line = lm_smiles_trimmed(at, end);
    const char *p = at = line.at;
    end = line.at + line.length;
    if (p < end && *p == '"') {
        for (p = ++at; p < end && *p != '"';) p++;
    } else {
        while (p < end && !strchr(SEPARATORS, *p)) p++;
    }
    return (lm_field){.at = at, .length = (size_t)(p - at)};
}

/* Returns true if the ending says that lines begin with a SMILES, followed by a name. */
static bool is_smiles_file(const lm_smiles_reader *r)
{
    for (const char *const *ending = lm_format_smiles.endings; *ending; ending++)
        if (lm_gzip_ends(r->path, *ending)) return true;
    return false;
}

/* Decides whether the first line, whose cell r->smiles contains "smiles", is a header or a molecule with such a name.
 * The line below is used if necessary. */
static leman_status is_header(lm_smiles_reader *r, const lm_text *line, const char *end, bool *header)
{
    lm_text below = *line;
    const char *below_end;
    bool molecule, below_molecule = false, below_smiles = false;
    lm_field word = first_word(line->at, end);
    PASS(is_smiles(r, &word, &molecule));
    *header = !molecule;
    lm_csv_pass_line(&below, lm_smiles_row_end(r, line->at, end));
    if (!r->smiles || !lm_csv_find_line(&below, &below_end)) return LEMAN_OK;
    word = first_word(below.at, below_end);
    if (!molecule) { /* it may be an invalid molecule; its name must not be taken for a header */
        PASS(is_smiles(r, &word, &below_molecule));
        *header = !below_molecule || (!is_smiles_file(r) && r->separator != ' ');
    } else if (!is_smiles_file(r) && is_number(r, &word)) {
        r->text = below;
        const leman_status split = lm_smiles_cells(r, below.at, below_end);
        r->text = *line;
        PASS(split);
        if (r->smiles < r->cell.count) PASS(is_smiles(r, (lm_field *)r->cell.items + r->smiles, &below_smiles));
        *header = below_smiles;
    }
    return LEMAN_OK;
}

/* Decides whether the first line, whose cell r->smiles names a structure, is a header: it has a SMILES in no cell, and the
 * line below has one of at least two atoms in this cell, or more than half of the LOOKED lines below that have a text there,
 * so that an empty or broken first molecule does not make the table another format. */
static leman_status is_header_of_structures(lm_smiles_reader *r, const lm_text *line, const char *end, bool *header)
{
    enum { LOOKED = 20 };
    lm_text below = *line;
    const char *below_end;
    bool molecule = false;
    size_t texts = 0, found = 0, larger = 0;
    *header = false;
    for (size_t i = 0; i < r->cell.count && !molecule; i++)
        if (((lm_field *)r->cell.items)[i].length) PASS(is_smiles(r, (lm_field *)r->cell.items + i, &molecule));
    if (molecule) return LEMAN_OK;
    lm_csv_pass_line(&below, lm_smiles_row_end(r, line->at, end));
    for (size_t i = 0; i < LOOKED && lm_csv_find_line(&below, &below_end); i++) {
        r->text = below;
        const leman_status split = lm_smiles_cells(r, below.at, below_end);
        r->text = *line;
        PASS(split);
        const lm_field *cell = r->smiles < r->cell.count ? (lm_field *)r->cell.items + r->smiles : NULL;
        if (cell && cell->length) {
            PASS(is_smiles(r, cell, &molecule));
            texts++;
            found += molecule;
            larger += molecule && r->molecule.atoms > 1;
        }
        if (!i && larger) break;
        lm_csv_pass_line(&below, lm_smiles_row_end(r, below.at, below_end));
    }
    *header = larger && 2 * found > texts;
    return LEMAN_OK;
}

/* Returns the end of the first line, or that of a row of several lines if one of the separators makes it one. */
static const char *widest_row(const lm_text *line, const char *end)
{
    for (const char *separator = SEPARATORS; *separator; separator++) {
        const char *row_end = lm_csv_row_end(line->at, end, line->end, *separator);
        if (row_end && row_end != end && *separator != ' ') return row_end;
    }
    return end;
}

/* Looks for a header that names the column of SMILES, trying each separator. */
static leman_status find_header(lm_smiles_reader *r, const lm_text *line, const char *end, bool *header)
{
    *header = false;
    for (const char *separator = SEPARATORS; *separator; separator++) {
        r->separator = *separator;
        const char *row_end = lm_smiles_row_end(r, line->at, end);
        if (*separator != ' ' && !lm_csv_has_separator(line->at, row_end, *separator)) continue;
        PASS(lm_smiles_cells(r, line->at, end));
        r->smiles = find_cell(r, r->smiles_column);
        if (r->smiles == SIZE_MAX || (r->cell.count < 2 && r->separator != ' ')) continue;
        *header = true;
        const lm_field *cell = (lm_field *)r->cell.items + r->smiles;
        const bool structure = !r->smiles_column && !names_smiles(cell);
        if (structure) PASS(is_header_of_structures(r, line, end, header));
        if (structure && !*header) continue;
        if (!r->smiles_column && !structure) PASS(is_header(r, line, end, header));
        if (!*header) return LEMAN_OK;
        PASS(lm_smiles_cells(r, line->at, end));
        if (r->cell.count < 2) r->separator = 0;
        PASS(use_columns(r, true));
        return LEMAN_OK;
    }
    return LEMAN_OK;
}

/* ---- Columns by their numbers ---------------------------------------------------------------- */

/* Returns the separator of a line without a header; 0: a SMILES and a name. */
static char separator_of(const lm_smiles_reader *r, const char *at, const char *end)
{
    const bool table = r->smiles_column || lm_gzip_ends(r->path, ".csv");
    if (lm_csv_has_separator(at, end, '\t')) return '\t';
    if (table && lm_csv_has_separator(at, end, ';')) return ';';
    if (table && lm_csv_has_separator(at, end, ',')) return ',';
    return r->smiles_column ? ' ' : 0;
}

/* Sets *is to true if the first line has a SMILES in this column. */
static leman_status is_molecule_at(lm_smiles_reader *r, const lm_text *line, const char *end, size_t column, bool *is)
{
    *is = false;
    r->separator = separator_of(r, line->at, end);
    PASS(lm_smiles_cells(r, line->at, end));
    if (column < r->cell.count) PASS(is_smiles(r, (lm_field *)r->cell.items + column, is));
    return LEMAN_OK;
}

/* Uses a column given by its number. The first line is a header if it has no SMILES in this column. If it contains a
 * number, it is a molecule whose SMILES is invalid, which is reported later. */
static leman_status use_numbered(lm_smiles_reader *r, const lm_text *line, const char *end, size_t column, bool *header)
{
    bool molecule, numbers = false;
    PASS(is_molecule_at(r, line, end, column, &molecule));
    const lm_field *cell = r->cell.items;
    if (column >= r->cell.count)
        return lm_text_fail(line, "found %zu column%s, expected more, since number %zu, counted from 0, holds SMILES",
                            r->cell.count, lm_plural(r->cell.count), column);
    for (size_t i = 0; i < r->cell.count; i++) numbers |= is_number(r, cell + i);
    r->smiles = column;
    *header = !molecule && r->smiles_column && (!numbers || names_smiles(cell + column));
    return use_columns(r, *header);
}

leman_status lm_smiles_begin(lm_smiles_reader *r)
{
    const char *end, *wanted = r->smiles_column;
    int64_t number = -1;
    bool header = false, molecule = false;
    r->begin = r->text.at;
    r->done_end = (uint64_t)(r->text.end - r->text.at);
    if (!lm_csv_find_line(&r->text, &end))
        return lm_text_fail(&r->text, "found the end of the file, expected a SMILES");
    const lm_text line = r->text;
    const bool numbered = wanted && lm_text_is_integer(line.ctx, wanted, strlen(wanted), &number) && number >= 0;
    if (numbered) PASS(is_molecule_at(r, &line, end, (size_t)number, &molecule));
    if (!molecule) PASS(find_header(r, &line, end, &header));
    if (!header && wanted && !numbered) {
        r->separator = separator_of(r, line.at, end);
        PASS(lm_smiles_cells(r, line.at, end));
        PASS(no_column(r, &line));
    }
    if (!header) PASS(use_numbered(r, &line, end, numbered ? (size_t)number : 0, &header));
    if (header) lm_csv_pass_line(&r->text, lm_smiles_row_end(r, line.at, end));
    return LEMAN_OK;
}

/* Sets *first if the first word of the line contains "smiles", and *other if another word does, for any separator. */
static void find_words(const lm_text *line, const char *end, bool *first, bool *other)
{
    *first = *other = false;
    for (const char *at = line->at; at < end;) {
        const lm_field word = first_word(at, end);
        *(at == line->at ? first : other) |= names_smiles(&word);
        at = word.at + word.length + 1;
    }
}

bool lm_smiles_needs_second_line(lm_text text)
{
    const char *end;
    bool first, other;
    if (!lm_csv_find_line(&text, &end) || !lm_csv_row_end(text.at, end, text.end, ',')) return true;
    end = widest_row(&text, end);
    find_words(&text, end, &first, &other);
    if (first || !other) return false;
    lm_csv_pass_line(&text, end);
    return !lm_csv_find_line(&text, &end);
}

bool lm_smiles_table_is(lm_bytes bytes)
{
    lm_text text = lm_text_of(NULL, NULL, bytes);
    const char *end;
    bool first, other;
    if (!lm_csv_find_line(&text, &end)) return false;
    find_words(&text, widest_row(&text, end), &first, &other);
    return first || other;
}

bool lm_smiles_structures_are(leman_context *ctx, lm_bytes bytes)
{
    AUTO(lm_smiles_end)
    lm_smiles_reader r = {.text = lm_text_of(ctx, "", bytes), .properties = {.ctx = ctx}, .path = ""};
    const char *end;
    bool header = false;
    if (!lm_csv_find_line(&r.text, &end)) return false;
    const lm_text line = r.text;
    return !find_header(&r, &line, end, &header) && header;
}

leman_status lm_smiles_lines_only(leman_context *ctx, lm_bytes bytes, bool *only)
{
    enum { LINES = 64 }; /* as many lines of graph6 that are SMILES by chance are unheard of */
    AUTO(lm_mol_free) lm_mol molecule = {0};
    const char *at = bytes.data, *end = at + bytes.size;
    *only = bytes.size > 0;
    for (size_t line = 0; *only && line < LINES && at < end; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline && line) break; /* the last line may be continued behind the bytes */
        const lm_field text = lm_smiles_trimmed(at, newline ? newline : end);
        lm_smiles_fault fault = {.at = NULL};
        const leman_status st = lm_smiles_parse(ctx, &molecule, text.at, text.length, &fault);
        if (st && st != LEMAN_ERROR_INPUT) return st;
        *only = !st;
        at = newline ? newline + 1 : end;
    }
    return LEMAN_OK;
}
