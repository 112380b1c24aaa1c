/* The first line of a file of SMILES: which columns there are, what separates them, which holds SMILES and names. */
#include "io/format.h"
#include "io/molecule/smiles_table.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { NAME_LENGTH = 32 };

static size_t length_of(const lm_cell *cell)
{
    return (size_t)(cell->end - cell->at);
}

static bool is_called(const lm_cell *cell, const char *name)
{
    return strlen(name) == length_of(cell) && !strncasecmp(cell->at, name, length_of(cell));
}

/* "smiles" in any case, or a longer word that has it; no SMILES reads like that. */
static bool names_smiles(const lm_cell *cell)
{
    for (const char *p = cell->at; cell->end - p >= 6; p++)
        if (!strncasecmp(p, "smiles", 6)) return true;
    return false;
}

/* "name", "title", "id", or something like "mol_id". */
static bool names_names(const lm_cell *cell)
{
    static const char *const NAMES[] = {"name", "title", "id"};
    for (size_t i = 0; i < 3; i++) {
        const size_t length = strlen(NAMES[i]);
        if (is_called(cell, NAMES[i])) return true;
        if (length_of(cell) > length && !strncasecmp(cell->end - length, NAMES[i], length) &&
            strchr("_- .", cell->end[-(ptrdiff_t)length - 1]))
            return true;
    }
    return false;
}

/* The cell of that name; SIZE_MAX for none. NULL: the one that says smiles, exactly before others. */
static size_t find_cell(const lm_smiles_reader *r, const char *name)
{
    const lm_cell *cell = r->cell.items;
    for (size_t i = 0; i < r->cell.count; i++)
        if (is_called(cell + i, name ? name : "smiles")) return i;
    for (size_t i = 0; !name && i < r->cell.count; i++)
        if (names_smiles(cell + i)) return i;
    return SIZE_MAX;
}

static leman_status no_column(const lm_smiles_reader *r, const lm_text *line)
{
    char names[384] = "";
    const lm_cell *cell = r->cell.items;
    for (size_t i = 0; i < r->cell.count; i++) {
        const size_t used = strlen(names), length = length_of(cell + i);
        if (used + length + 8 > sizeof names || !lm_text_printable(cell[i].at, length)) {
            if (used + 8 < sizeof names) strcat(names, ", ...");
            break;
        }
        snprintf(names + used, sizeof names - used, "%s%.*s", used ? ", " : "", (int)length, cell[i].at);
    }
    return lm_text_fail(line, "there is no column '%s', expected one of: %s", r->smiles_column, names);
}

/* Where the header is: properties and the name. */
static leman_status use_header(lm_smiles_reader *r)
{
    leman_status st = LEMAN_OK;
    const lm_cell *cell = r->cell.items;
    r->columns = r->cell.count;
    r->name = SIZE_MAX;
    for (size_t i = 0; i < r->columns; i++) {
        uint32_t number = UINT32_MAX;
        if (i != r->smiles && r->name == SIZE_MAX && names_names(cell + i)) r->name = i;
        if (i != r->smiles && i != r->name && length_of(cell + i))
            TRY(lm_property_add(&r->properties, cell[i].at, length_of(cell + i), &number));
        TRY(lm_vector_append(r->text.ctx, &r->property, &number, 1, sizeof number));
    }
done:
    return st;
}

/* Without a header: the column behind the SMILES is the name, others have numbers. */
static leman_status use_numbers(lm_smiles_reader *r)
{
    leman_status st = LEMAN_OK;
    r->columns = SIZE_MAX;
    r->name = r->smiles + 1;
    for (size_t i = 0; i < r->cell.count; i++) {
        uint32_t number = UINT32_MAX;
        char name[NAME_LENGTH];
        snprintf(name, sizeof name, "column_%zu", i);
        if (i != r->smiles && i != r->name) TRY(lm_property_add(&r->properties, name, strlen(name), &number));
        TRY(lm_vector_append(r->text.ctx, &r->property, &number, 1, sizeof number));
    }
done:
    return st;
}

static bool is_smiles(lm_smiles_reader *r, const lm_cell *cell, leman_status *st)
{
    lm_smiles_fault fault;
    *st = lm_smiles_parse(r->text.ctx, &r->molecule, cell->at, length_of(cell), &fault);
    return !*st;
}

/* A column that is asked for by its number; the first line is a header where it has no SMILES there. */
static leman_status use_numbered(lm_smiles_reader *r, const lm_text *line, size_t column, bool *header)
{
    leman_status st = LEMAN_OK;
    const lm_cell *cell = r->cell.items;
    if (column >= r->cell.count)
        TRY(lm_text_fail(line, "found %zu column%s, expected more, since number %zu, counted from 0, holds SMILES",
                         r->cell.count, lm_plural(r->cell.count), column));
    r->smiles = column;
    *header = !is_smiles(r, cell + column, &st);
    if (st == LEMAN_ERROR_INPUT) st = LEMAN_OK;
    TRY(st);
    TRY(*header ? use_header(r) : use_numbers(r));
done:
    return st;
}

/* What separates the columns of a line without a header. */
static char separator_of(const lm_smiles_reader *r, const char *at, const char *end)
{
    const size_t length = (size_t)(end - at);
    const bool table = r->smiles_column || lm_path_ends(r->path, ".csv");
    if (memchr(at, '\t', length)) return '\t';
    if (table && memchr(at, ';', length)) return ';';
    if (table && memchr(at, ',', length)) return ',';
    return table && r->smiles_column ? ' ' : 0;
}

leman_status lm_smiles_begin(lm_smiles_reader *r)
{
    leman_status st = LEMAN_OK;
    static const char SEPARATORS[] = {'\t', ';', ',', ' '};
    const char *end, *wanted = r->smiles_column;
    int64_t number = -1;
    bool header = true;
    r->begin = r->text.at;
    if (!lm_smiles_next_line(&r->text, &end))
        TRY(lm_text_fail(&r->text, "found the end of the file, expected a SMILES"));
    const lm_text line = r->text;
    for (size_t i = 0; i < sizeof SEPARATORS; i++) {
        r->separator = SEPARATORS[i];
        TRY(lm_smiles_cells(r, line.at, end));
        r->smiles = find_cell(r, wanted);
        if (r->smiles == SIZE_MAX || (r->cell.count < 2 && r->separator != ' ')) continue;
        if (r->cell.count < 2) r->separator = 0;
        TRY(use_header(r));
        goto found;
    }
    r->separator = separator_of(r, line.at, end);
    TRY(lm_smiles_cells(r, line.at, end));
    if (wanted && (!lm_text_is_integer(line.ctx, wanted, strlen(wanted), &number) || number < 0))
        TRY(no_column(r, &line));
    TRY(use_numbered(r, &line, wanted ? (size_t)number : 0, &header));
    if (header && !wanted) { /* not a header but a SMILES with a fault, which will be told */
        r->property.count = 0;
        lm_properties_free(&r->properties);
        r->properties = (lm_properties){.ctx = r->text.ctx,
                                        .file = r->properties.file,
                                        .noun = r->properties.noun,
                                        .class_column = r->properties.class_column};
        header = false;
        TRY(use_numbers(r));
    }
found:
    r->named = r->name != SIZE_MAX;
    if (!header) goto done;
    r->text.at = end < r->text.end ? end + 1 : end;
    r->text.line++;
done:
    return st;
}

bool lm_smiles_table_is(lm_bytes bytes)
{
    static const char SEPARATORS[] = "\t;, ";
    if (!bytes.size) return false;
    lm_text text = {.at = bytes.data, .end = bytes.data + bytes.size};
    const char *end;
    if (!lm_smiles_next_line(&text, &end)) return false;
    for (const char *at = text.at; at < end;) { /* a cell that says smiles, with nothing but letters and _ around it */
        const char *p = at;
        while (p < end && !strchr(SEPARATORS, *p)) p++;
        lm_cell cell = {at + (*at == '"'), p - (p > at + 1 && p[-1] == '"'), false};
        while (cell.end > cell.at && cell.end[-1] == '\r') cell.end--;
        if (names_smiles(&cell)) return true;
        at = p + 1;
    }
    return false;
}
