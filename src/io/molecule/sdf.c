/*
 * Reads files with one or many connection tables; this file reads V2000 tables.
 *
 *   line 1        title: the graph's name            atom line   x y z in 10 columns each, symbol in columns 32-34
 *   lines 2, 3    ignored                            bond line   atom, atom, type in 3 columns each
 *   line 4        atoms, bonds in 3 columns each     then properties to M  END, data fields, $$$$
 *
 * The vertex label is made of atomic number, charge, isotope and radical, or as chosen (atom_labels.c). The vertex
 * attributes are x, y, z. The edge label is the bond type (1 single, 2 double, 3 triple, 4 aromatic, others unchanged).
 * Wedges are kept as sides of bonds (stereo_places.c). Time and memory O(file).
 */
#include "io/molecule/sdf.h"
#include "base/drop.h"
#include "base/strings.h"
#include "io/molecule/rows.h"
#include "io/molecule/smiles_table.h"
#include <stdio.h>
#include <string.h>

enum { HEADER_LINES = 3, MAX_BOND = 10 };

/* ---- Lines and columns ----------------------------------------------------------------------- */

/* Sets *line to the next line without blanks and line ends behind it; returns false at the end of the file. */
static bool next_line(lm_sdf *sdf, lm_text *line)
{
    lm_text *text = &sdf->text;
    *line = *text;
    if (text->at == text->end) return false;
    const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
    line->end = newline ? newline : text->end;
    text->at = newline ? newline + 1 : text->end;
    text->line++;
    while (line->end > line->at && (line->end[-1] == '\r' || line->end[-1] == ' ')) line->end--;
    return true;
}

bool lm_sdf_begins(const lm_text *line, const char *words)
{
    size_t length = strlen(words);
    return (size_t)(line->end - line->at) >= length && !memcmp(line->at, words, length);
}

/* Removes blanks at both ends. */
static lm_text trimmed(lm_text text)
{
    while (text.at < text.end && *text.at == ' ') text.at++;
    while (text.end > text.at && text.end[-1] == ' ') text.end--;
    return text;
}

lm_text lm_sdf_columns(const lm_text *line, size_t from, size_t width)
{
    lm_text field = *line;
    size_t length = (size_t)(line->end - line->at);
    field.at = line->at + (from < length ? from : length);
    field.end = line->at + (from + width < length ? from + width : length);
    return trimmed(field);
}

static leman_status nothing_there(const lm_text *line, size_t from, size_t width, const char *what)
{
    return lm_text_fail(line, "found nothing in columns %zu to %zu, expected %s", from + 1, from + width, what);
}

leman_status lm_sdf_number(const lm_text *line, size_t from, size_t width, const char *what, int64_t min, int64_t max,
                           int64_t *value)
{
    lm_text field = lm_sdf_columns(line, from, width), rest = field;
    if (field.at == field.end) PASS(nothing_there(line, from, width, what));
    PASS(lm_text_integer(&rest, what, value));
    if (rest.at != rest.end || *value < min || *value > max) return lm_text_expected(&field, what);
    return LEMAN_OK;
}

static leman_status read_coordinate(const lm_text *line, size_t from, double *value)
{
    lm_text field = lm_sdf_columns(line, from, 10), rest = field;
    if (field.at == field.end) PASS(nothing_there(line, from, 10, "a coordinate"));
    PASS(lm_text_real(&rest, "a coordinate", value));
    if (rest.at != rest.end) return lm_text_expected(&field, "a coordinate");
    return LEMAN_OK;
}

leman_status lm_sdf_need_line(lm_sdf *sdf, const char *what, size_t number, size_t of, lm_text *line)
{
    const char *found = !next_line(sdf, line) ? "the end of the file" : lm_sdf_begins(line, "$$$$") ? "'$$$$'" : NULL;
    if (!found) return LEMAN_OK;
    if (of) return lm_text_fail(line, "found %s, expected %s %zu of %zu", found, what, number, of);
    return lm_text_fail(line, "found %s, expected %s", found, what);
}

/* ---- A molecule ------------------------------------------------------------------------------ */

typedef struct counts {
    int64_t atoms, bonds, lists;
    bool v3000;
} counts;

/* Reads the title, two ignored lines and the counts. */
static leman_status read_header(lm_sdf *sdf, counts *c)
{
    lm_text line;
    sdf->first_line = sdf->text.line;
    for (int i = 0; i < HEADER_LINES; i++) {
        PASS(lm_sdf_need_line(sdf, "the header of a molecule", 0, 0, &line));
        if (!i) sdf->title = line;
        if (!i) PASS(lm_mol_name(&line, "title", sdf->raw));
    }
    PASS(lm_sdf_need_line(sdf, "the counts of atoms and bonds", 0, 0, &line));
    lm_text version = lm_sdf_columns(&line, 33, 6), list = lm_sdf_columns(&line, 6, 3);
    *c = (counts){.v3000 = lm_sdf_begins(&version, "V3000")};
    if (c->v3000) return LEMAN_OK;
    if (version.at < version.end && !lm_sdf_begins(&version, "V2000"))
        return lm_text_expected(&version, "V2000 or V3000");
    PASS(lm_sdf_number(&line, 0, 3, "a number of atoms", 0, 999, &c->atoms));
    PASS(lm_sdf_number(&line, 3, 3, "a number of bonds", 0, 999, &c->bonds));
    if (list.at < list.end) PASS(lm_sdf_number(&line, 6, 3, "a number of atom lists", 0, 999, &c->lists));
    return LEMAN_OK;
}

leman_status lm_sdf_add_atom(lm_sdf *sdf, const lm_sdf_atom *atom, const double *place)
{
    lm_mol *m = &sdf->molecule;
    PASS(lm_mol_reserve(sdf->text.ctx, m, m->atoms + 1));
    PASS(lm_vector_append(sdf->text.ctx, &sdf->atoms, atom, 1, sizeof *atom));
    memcpy(m->place + 3 * m->atoms++, place, 3 * sizeof *place);
    return LEMAN_OK;
}

leman_status lm_sdf_add_bond(lm_sdf *sdf, size_t from, size_t to, int64_t type, int side, size_t line)
{
    lm_mol *m = &sdf->molecule;
    if (!type) type = LM_BOND_ANY; /* RDKit writes 0 for bonds that the format has no number for */
    PASS(lm_mol_reserve(sdf->text.ctx, m, m->bonds + 1));
    m->bond[m->bonds++] = (lm_mol_bond){.from = (uint32_t)from,
                                        .to = (uint32_t)to,
                                        .line = (uint32_t)(line - sdf->first_line),
                                        .type = (uint8_t)type,
                                        .side = (int8_t)side};
    return LEMAN_OK;
}

static leman_status read_atom(lm_sdf *sdf, const lm_text *line)
{
    double place[3];
    lm_sdf_atom atom;
    lm_text symbol = lm_sdf_columns(line, 31, 3);
    for (size_t i = 0; i < 3; i++) PASS(read_coordinate(line, 10 * i, &place[i]));
    if (symbol.at == symbol.end) PASS(nothing_there(line, 31, 3, "an element symbol"));
    PASS(lm_sdf_read_atom(line, symbol.at, (size_t)(symbol.end - symbol.at), &atom));
    if (atom.element < 0) return lm_text_expected(&symbol, "an element symbol");
    return lm_sdf_add_atom(sdf, &atom, place);
}

/* Returns the wedge of a bond line (LM_SIDE_...), 0 for anything that is none. */
static int side_of(const lm_text *line)
{
    const lm_text field = lm_sdf_columns(line, 9, 3);
    if (field.end - field.at != 1) return 0;
    switch (*field.at) {
    case '1': return LM_SIDE_UP;
    case '6': return LM_SIDE_DOWN;
    case '3':
    case '4': return LM_SIDE_EITHER;
    default: return 0;
    }
}

static leman_status read_bond(lm_sdf *sdf, const lm_text *line, int64_t atoms)
{
    int64_t from, to, type;
    char what[48];
    snprintf(what, sizeof what, "an atom from 1 to %d", (int)atoms);
    PASS(lm_sdf_number(line, 0, 3, what, 1, atoms, &from));
    PASS(lm_sdf_number(line, 3, 3, what, 1, atoms, &to));
    PASS(lm_sdf_number(line, 6, 3, "a bond type from 0 to 10", 0, MAX_BOND, &type));
    return lm_sdf_add_bond(sdf, (size_t)from - 1, (size_t)to - 1, type, side_of(line), line->line);
}

/* Reads properties up to M  END. An A or G line is followed by a line of free text. */
static leman_status read_properties(lm_sdf *sdf)
{
    lm_text line;
    lm_sdf_seen seen = {0};
    for (;;) {
        PASS(lm_sdf_need_line(sdf, "'M  END'", 0, 0, &line));
        if (lm_sdf_begins(&line, "M  END")) break;
        PASS(lm_sdf_read_property(sdf, &line, &seen));
        char kind = line.at == line.end ? 'M' : *line.at; /* an empty line is accepted */
        if (kind == 'M' || kind == 'V' || kind == 'S') continue;
        if (kind != 'A' && kind != 'G') return lm_text_expected(&line, "a property line or 'M  END'");
        PASS(lm_sdf_need_line(sdf, "the text of a property", 0, 0, &line));
    }
    return LEMAN_OK;
}

static leman_status read_table(lm_sdf *sdf, const counts *c)
{
    lm_text line;
    for (int64_t i = 0; i < c->atoms; i++) {
        PASS(lm_sdf_need_line(sdf, "atom", (size_t)i + 1, (size_t)c->atoms, &line));
        PASS(read_atom(sdf, &line));
    }
    for (int64_t i = 0; i < c->bonds; i++) {
        PASS(lm_sdf_need_line(sdf, "bond", (size_t)i + 1, (size_t)c->bonds, &line));
        PASS(read_bond(sdf, &line, c->atoms));
    }
    for (int64_t i = 0; i < c->lists; i++)
        PASS(lm_sdf_need_line(sdf, "atom list", (size_t)i + 1, (size_t)c->lists, &line));
    return read_properties(sdf);
}

static leman_status read_molecule(lm_sdf *sdf)
{
    lm_text where = sdf->text;
    counts c;
    sdf->atoms.count = 0;
    lm_intern_free(&sdf->numbers);
    sdf->molecule.atoms = sdf->molecule.bonds = 0;
    PASS(read_header(sdf, &c));
    if (c.v3000)
        PASS(lm_sdf_read_v3000(sdf));
    else
        PASS(read_table(sdf, &c));
    PASS(lm_sdf_finish_atoms(sdf));
    where.line = sdf->first_line;
    const lm_mol_origin from = {.where = &where, .title = &sdf->title, .first_atom = 1};
    PASS(lm_mol_prepare(&from, &sdf->molecule, &sdf->choices, &sdf->counts));
    return lm_mol_add(sdf->text.ctx, &sdf->molecule, &sdf->choices, &sdf->counts, sdf->raw, sdf->first_line);
}

/* ---- Data fields: "> <NAME>", lines, an empty line ------------------------------------------- */

/* Returns NAME of a line "> <NAME>" or "> 25 <NAME> (7)". Without angle brackets, returns the text behind '>'. */
static lm_text field_name(const lm_text *line)
{
    lm_text name = *line;
    size_t length = (size_t)(line->end - line->at);
    const char *open = memchr(line->at, '<', length), *close = lm_last_byte(line->at + 1, '>', length - 1);
    name.at++;
    if (open && close && open < close) {
        name.at = open + 1;
        name.end = close;
    }
    return trimmed(name);
}

/* Reads the lines of one field. *more becomes false if they end with $$$$ or the end of the file. */
static leman_status read_field(lm_sdf *sdf, size_t molecule, const lm_text *header, bool *more)
{
    lm_text name = field_name(header), line, first = {0}, before = sdf->text;
    size_t lines = 0;
    uint32_t number;
    while ((*more = next_line(sdf, &line) && !lm_sdf_begins(&line, "$$$$"))) {
        if (line.at == line.end) break;
        if (lm_sdf_begins(&line, "> <") || lm_sdf_begins(&line, ">  <")) { /* the empty line is missing */
            sdf->text = before;
            break;
        }
        if (!lines++) first = trimmed(line);
        before = sdf->text;
    }
    if (sdf->rows) PASS(lm_rows_cell(sdf->text.ctx, sdf->rows, name.at, (size_t)(name.end - name.at), &first));
    PASS(lm_property_add(&sdf->properties, name.at, (size_t)(name.end - name.at), &number));
    return lm_property_value(&sdf->properties, number, molecule, &first, lines);
}

/* Reads the data fields behind a molecule, up to the line $$$$ or the end of the file. properties.c turns them into
 * targets and classes. */
static leman_status read_fields(lm_sdf *sdf, size_t molecule)
{
    lm_text line;
    bool more = true;
    while (more && next_line(sdf, &line) && !lm_sdf_begins(&line, "$$$$")) {
        if (line.at == line.end) continue;
        if (*line.at != '>') return lm_text_expected(&line, "a data field, '> <NAME>', or '$$$$'");
        PASS(read_field(sdf, molecule, &line, &more));
    }
    return LEMAN_OK;
}

/* Passes over a molecule that cannot be read, from its first line to $$$$. */
static leman_status skip_molecule(lm_sdf *sdf, const lm_text *from, size_t names, size_t bytes)
{
    leman_context *ctx = sdf->text.ctx;
    lm_text line, none = {.ctx = ctx};
    if (!sdf->skipped++) snprintf(sdf->first_skipped, sizeof sdf->first_skipped, "%s", ctx->message);
    if (sdf->rows) PASS(lm_rows_add(ctx, sdf->rows, from->line, &sdf->title, &none, ctx->message));
    sdf->raw->graph_name_end.count = names;
    sdf->raw->graph_name.count = bytes;
    sdf->text = *from;
    while (next_line(sdf, &line) && !lm_sdf_begins(&line, "$$$$")) {
    }
    return LEMAN_OK;
}

/* Reads a molecule with its fields, or leaves it out. */
static leman_status read_or_skip(lm_sdf *sdf)
{
    leman_context *ctx = sdf->text.ctx;
    const lm_text from = sdf->text;
    const size_t names = sdf->raw->graph_name_end.count, bytes = sdf->raw->graph_name.count;
    sdf->title = (lm_text){.ctx = ctx};
    const leman_status st = read_molecule(sdf);
    if (st == LEMAN_ERROR_INPUT && sdf->skip) return skip_molecule(sdf, &from, names, bytes);
    PASS(st);
    if (sdf->rows) {
        lm_text smiles = {.ctx = ctx};
        PASS(lm_smiles_text(ctx, &sdf->molecule, &sdf->smiles));
        smiles.at = sdf->smiles.items;
        smiles.end = smiles.at + sdf->smiles.count;
        PASS(lm_rows_add(ctx, sdf->rows, sdf->first_line, &sdf->title, &smiles, NULL));
    }
    return read_fields(sdf, sdf->raw->graphs - 1);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static leman_status read_molecules(lm_sdf *sdf, const char *begin)
{
    const lm_text first = sdf->text;
    lm_text line;
    if (lm_text_end(&sdf->text)) return lm_text_fail(&sdf->text, "found the end of the file, expected a molecule");
    if (next_line(sdf, &line) && lm_sdf_begins(&line, "$$$$") && lm_text_end(&sdf->text))
        return LEMAN_OK; /* no molecule */
    sdf->text = first;
    while (!lm_text_end(&sdf->text)) {
        PASS(read_or_skip(sdf));
        PASS(lm_progress_step(sdf->text.ctx, (uint64_t)(sdf->text.at - begin)));
    }
    return LEMAN_OK;
}

static void sdf_end(lm_sdf *sdf)
{
    lm_vector_release(&sdf->atoms);
    lm_vector_release(&sdf->line);
    lm_intern_free(&sdf->numbers);
    lm_vector_release(&sdf->smiles);
    leman_rows_free(sdf->rows);
    lm_mol_free(&sdf->molecule);
    lm_properties_free(&sdf->properties);
}

static leman_status sdf_read(leman_context *ctx, const char *path, lm_bytes *bytes, const leman_read_options *options,
                             leman_cleaning *cleaning, leman_dataset **out)
{
    AUTO(leman_builder_drop) leman_builder *builder = NULL;
    AUTO(sdf_end)
    lm_sdf sdf = {.text = lm_text_of(ctx, path, *bytes),
                  .choices = lm_mol_choices_of(options),
                  .skip = options->skip_unreadable,
                  .properties = {.ctx = ctx,
                                 .file = path,
                                 .noun = "data field",
                                 .class_column = options->class_column,
                                 .positive = options->positive,
                                 .class_optional = options->class_optional,
                                 .censored = options->censored}};
    const leman_columns kinds = {.vertex_labels = lm_label_columns(sdf.choices.labels),
                                 .edge_labels = 1,
                                 .vertex_attributes = 3,
                                 .graph_names = true};
    AUTO(lm_release_at) char *name = NULL;
    sdf.choices.places = true;
    PASS(lm_path_stem(ctx, path, &name));
    PASS(leman_builder_new(ctx, name, &kinds, &builder));
    lm_raw *raw = sdf.raw = lm_builder_raw(builder);
    if (sdf.choices.lines) raw->edge_file = path;
    lm_progress_begin(ctx, bytes->size, "reading %s", path);
    if (options->rows) PASS(lm_rows_new(ctx, options->row_columns, &sdf.rows));
    PASS(read_molecules(&sdf, bytes->data));
    lm_mol_log(ctx, &sdf.choices, &sdf.counts, name);
    if (sdf.skipped)
        lm_log(ctx, "%s: molecules that cannot be read and are left out: %zu; the first: %s", name, sdf.skipped,
               sdf.first_skipped);
    if (sdf.rows) PASS(lm_rows_check(ctx, sdf.rows, path, "data field"));
    PASS(lm_properties_finish(&sdf.properties, raw));
    PASS(leman_builder_finish(builder, options->policy, cleaning, out));
    lm_mol_clean(&sdf.counts, 0, cleaning);
    if (options->rows) {
        *options->rows = sdf.rows;
        sdf.rows = NULL;
    }
    return LEMAN_OK;
}

static bool sdf_is(leman_context *ctx, lm_bytes bytes, const leman_read_options *options)
{
    (void)ctx, (void)options;
    if (!bytes.size) return false;
    lm_sdf sdf = {.text = {.at = bytes.data, .end = bytes.data + bytes.size}};
    lm_text line = sdf.text;
    for (int i = 0; i <= HEADER_LINES; i++)
        if (!next_line(&sdf, &line)) return false;
    size_t length = (size_t)(line.end - line.at);
    return memmem(line.at, length, "V2000", 5) || memmem(line.at, length, "V3000", 5);
}

const lm_format_row lm_format_sdf = {
    .endings = {".sdf", ".sd", ".mol"}, .read = sdf_read, .write = lm_sdf_write, .is = sdf_is, .molecules = true};
