/*
 * Molecules of V2000 connection tables, one or many in a file.
 *
 *   line 1        title: the graph's name            atom line   x y z in 10 columns each, symbol in columns 32-34
 *   lines 2, 3    passed over                        bond line   atom, atom, type in 3 columns each
 *   line 4        atoms, bonds in 3 columns each     then properties to M  END, data fields, $$$$
 *
 * Vertex label: atomic number, charge, isotope and radical (sdf_atoms.c). Vertex attributes: x, y, z. Edge label: bond
 * type (1 single, 2 double, 3 triple, 4 aromatic, the rest as they stand). Stereo marks are passed over. Time and
 * memory O(file).
 */
#include "io/sdf.h"
#include <stdio.h>
#include <string.h>

enum { HEADER_LINES = 3, MAX_BOND = 10 };

/* ---- Lines and columns ----------------------------------------------------------------------- */

bool lm_sdf_line(lm_sdf *sdf, lm_text *line)
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

lm_text lm_sdf_columns(const lm_text *line, size_t from, size_t width)
{
    lm_text field = *line;
    size_t length = (size_t)(line->end - line->at);
    field.at = line->at + (from < length ? from : length);
    field.end = line->at + (from + width < length ? from + width : length);
    while (field.at < field.end && *field.at == ' ') field.at++;
    while (field.end > field.at && field.end[-1] == ' ') field.end--;
    return field;
}

static leman_status nothing_there(const lm_text *line, size_t from, size_t width, const char *what)
{
    return lm_text_fail(line, "found nothing in columns %zu to %zu, expected %s", from + 1, from + width, what);
}

leman_status lm_sdf_number(const lm_text *line, size_t from, size_t width, const char *what, int64_t min, int64_t max,
                           int64_t *value)
{
    leman_status st = LEMAN_OK;
    lm_text field = lm_sdf_columns(line, from, width), rest = field;
    if (field.at == field.end) TRY(nothing_there(line, from, width, what));
    TRY(lm_text_integer(&rest, what, value));
    if (rest.at != rest.end || *value < min || *value > max) TRY(lm_text_expected(&field, what));
done:
    return st;
}

static leman_status read_coordinate(const lm_text *line, size_t from, double *value)
{
    leman_status st = LEMAN_OK;
    lm_text field = lm_sdf_columns(line, from, 10), rest = field;
    if (field.at == field.end) TRY(nothing_there(line, from, 10, "a coordinate"));
    TRY(lm_text_real(&rest, "a coordinate", value));
    if (rest.at != rest.end) TRY(lm_text_expected(&field, "a coordinate"));
done:
    return st;
}

/* The next line, which the molecule must have: `what`, or item `number` of `of` where that is not 0. */
static leman_status need_line(lm_sdf *sdf, const char *what, size_t number, size_t of, lm_text *line)
{
    const char *found = !lm_sdf_line(sdf, line) ? "the end of the file" : lm_sdf_begins(line, "$$$$") ? "'$$$$'" : NULL;
    if (!found) return LEMAN_OK;
    if (of) return lm_text_fail(line, "found %s, expected %s %zu of %zu", found, what, number, of);
    return lm_text_fail(line, "found %s, expected %s", found, what);
}

/* ---- A molecule ------------------------------------------------------------------------------ */

/* Title, two lines, counts; begins the graph. */
static leman_status read_header(lm_sdf *sdf, int64_t *atoms, int64_t *bonds, int64_t *lists)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = sdf->text.ctx;
    lm_text line;
    sdf->name.count = 0;
    for (int i = 0; i < HEADER_LINES; i++) {
        TRY(need_line(sdf, "the header of a molecule", 0, 0, &line));
        if (i) continue;
        if (!lm_text_printable(line.at, (size_t)(line.end - line.at)))
            TRY(lm_text_fail(&line, "found bytes in the title that are no printable UTF-8 text"));
        TRY(lm_vector_append(ctx, &sdf->name, line.at, (size_t)(line.end - line.at), 1));
        TRY(lm_vector_append(ctx, &sdf->name, "", 1, 1));
    }
    TRY(need_line(sdf, "the counts of atoms and bonds", 0, 0, &line));
    lm_text version = lm_sdf_columns(&line, 33, 6), list = lm_sdf_columns(&line, 6, 3);
    if (memmem(line.at, (size_t)(line.end - line.at), "V3000", 5))
        TRY(lm_text_fail(&line, "found a V3000 molecule, expected V2000; convert it first"));
    if (version.at < version.end && !lm_sdf_begins(&version, "V2000")) TRY(lm_text_expected(&version, "V2000"));
    TRY(lm_sdf_number(&line, 0, 3, "a number of atoms", 0, 999, atoms));
    TRY(lm_sdf_number(&line, 3, 3, "a number of bonds", 0, 999, bonds));
    *lists = 0;
    if (list.at < list.end) TRY(lm_sdf_number(&line, 6, 3, "a number of atom lists", 0, 999, lists));
    TRY(leman_builder_graph(sdf->builder, sdf->name.items, NULL, NULL));
done:
    return st;
}

static leman_status read_atom(lm_sdf *sdf, const lm_text *line)
{
    leman_status st = LEMAN_OK;
    double place[3];
    lm_sdf_atom atom;
    const int64_t labels[4] = {0}; /* known behind the properties */
    lm_text symbol = lm_sdf_columns(line, 31, 3);
    for (size_t i = 0; i < 3; i++) TRY(read_coordinate(line, 10 * i, &place[i]));
    if (symbol.at == symbol.end) TRY(nothing_there(line, 31, 3, "an element symbol"));
    TRY(lm_sdf_read_atom(line, symbol.at, (size_t)(symbol.end - symbol.at), &atom));
    if (atom.element < 0) TRY(lm_text_expected(&symbol, "an element symbol"));
    sdf->placeholders += atom.element == 0;
    TRY(lm_vector_append(line->ctx, &sdf->atoms, &atom, 1, sizeof atom));
    TRY(leman_builder_vertex(sdf->builder, NULL, labels, place));
done:
    return st;
}

static leman_status read_bond(lm_sdf *sdf, const lm_text *line, int64_t atoms)
{
    leman_status st = LEMAN_OK;
    int64_t from, to, type;
    char what[48];
    snprintf(what, sizeof what, "an atom from 1 to %d", (int)atoms);
    TRY(lm_sdf_number(line, 0, 3, what, 1, atoms, &from));
    TRY(lm_sdf_number(line, 3, 3, what, 1, atoms, &to));
    TRY(lm_sdf_number(line, 6, 3, "a bond type from 1 to 10", 1, MAX_BOND, &type));
    TRY(leman_builder_edge(sdf->builder, (size_t)from - 1, (size_t)to - 1, &type, NULL));
    if (from != to) TRY(leman_builder_edge(sdf->builder, (size_t)to - 1, (size_t)from - 1, &type, NULL));
    if (sdf->lines) TRY(lm_raw_lines(line->ctx, lm_builder_raw(sdf->builder), line->line));
done:
    return st;
}

/* Properties to M  END. An A or G line is followed by a line of free text. */
static leman_status read_properties(lm_sdf *sdf)
{
    leman_status st = LEMAN_OK;
    lm_text line;
    lm_sdf_seen seen = {0};
    for (;;) {
        TRY(need_line(sdf, "'M  END'", 0, 0, &line));
        if (lm_sdf_begins(&line, "M  END")) break;
        TRY(lm_sdf_read_property(sdf, &line, &seen));
        char kind = line.at == line.end ? 'M' : *line.at; /* an empty line does no harm */
        if (kind == 'M' || kind == 'V' || kind == 'S') continue;
        if (kind != 'A' && kind != 'G') TRY(lm_text_expected(&line, "a property line or 'M  END'"));
        TRY(need_line(sdf, "the text of a property", 0, 0, &line));
    }
done:
    return st;
}

static leman_status read_molecule(lm_sdf *sdf)
{
    leman_status st = LEMAN_OK;
    int64_t atoms, bonds, lists;
    lm_text line;
    sdf->atoms.count = 0;
    TRY(read_header(sdf, &atoms, &bonds, &lists));
    for (int64_t i = 0; i < atoms; i++) {
        TRY(need_line(sdf, "atom", (size_t)i + 1, (size_t)atoms, &line));
        TRY(read_atom(sdf, &line));
    }
    for (int64_t i = 0; i < bonds; i++) {
        TRY(need_line(sdf, "bond", (size_t)i + 1, (size_t)bonds, &line));
        TRY(read_bond(sdf, &line, atoms));
    }
    for (int64_t i = 0; i < lists; i++) TRY(need_line(sdf, "atom list", (size_t)i + 1, (size_t)lists, &line));
    TRY(read_properties(sdf));
    lm_sdf_label_atoms(sdf);
done:
    return st;
}

/* ---- Files ----------------------------------------------------------------------------------- */

static leman_status read_molecules(lm_sdf *sdf, const char *begin)
{
    leman_status st = LEMAN_OK;
    if (lm_text_end(&sdf->text)) TRY(lm_text_fail(&sdf->text, "found the end of the file, expected a molecule"));
    while (!lm_text_end(&sdf->text)) {
        TRY(read_molecule(sdf));
        TRY(lm_sdf_read_fields(sdf, lm_builder_raw(sdf->builder)->graphs - 1));
        TRY(lm_progress_step(sdf->text.ctx, (uint64_t)(sdf->text.at - begin)));
    }
done:
    return st;
}

leman_status lm_sdf_read(leman_context *ctx, const char *path, lm_bytes *bytes, const leman_read_options *options,
                         leman_cleaning *cleaning, leman_dataset **out)
{
    leman_status st = LEMAN_OK;
    leman_columns kinds = {.vertex_labels = 1, .edge_labels = 1, .vertex_attributes = 3, .graph_names = true};
    lm_sdf sdf = {.text = lm_text_of(ctx, path, *bytes),
                  .lines = lm_policy_refuses(options->policy),
                  .class_column = options->class_column,
                  .labels = lm_sdf_atom_labels(options->atom_labels)};
    char *name = NULL;
    TRY(lm_path_stem(ctx, path, &name));
    kinds.vertex_labels = lm_sdf_label_columns(sdf.labels);
    TRY(leman_builder_new(ctx, name, &kinds, &sdf.builder));
    if (sdf.lines) lm_builder_raw(sdf.builder)->edge_file = path;
    lm_progress_begin(ctx, bytes->size, "reading %s", path);
    TRY(read_molecules(&sdf, bytes->data));
    if (sdf.placeholders)
        lm_log(ctx, "%s: atoms that are no elements (R, A, Q, X, *, ...) have label 0: %zu", name, sdf.placeholders);
    lm_sdf_log_atoms(&sdf, name);
    TRY(lm_sdf_targets(&sdf));
    TRY(lm_sdf_classes(&sdf));
    lm_raw *raw = lm_builder_raw(sdf.builder);
    if (!raw->graph_name.count) raw->columns.graph_names = false; /* all titles are empty */
    TRY(leman_builder_finish(sdf.builder, options->policy, cleaning, out));
done:
    leman_builder_free(sdf.builder);
    lm_vector_free(ctx, &sdf.name);
    lm_vector_free(ctx, &sdf.atoms);
    lm_vector_free(ctx, &sdf.field);
    lm_vector_free(ctx, &sdf.value);
    lm_intern_free(ctx, &sdf.fields);
    lm_intern_free(ctx, &sdf.words);
    lm_free(ctx, name);
    return st;
}

bool lm_sdf_is(lm_bytes bytes)
{
    if (!bytes.size) return false;
    lm_sdf sdf = {.text = {.at = bytes.data, .end = bytes.data + bytes.size}};
    lm_text line = sdf.text;
    for (int i = 0; i <= HEADER_LINES; i++)
        if (!lm_sdf_line(&sdf, &line)) return false;
    size_t length = (size_t)(line.end - line.at);
    return memmem(line.at, length, "V2000", 5) || memmem(line.at, length, "V3000", 5);
}
