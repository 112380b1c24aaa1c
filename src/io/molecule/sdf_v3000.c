/*
 * Reads V3000 connection tables (CTfile formats, "The V3000 molfile"). Lines begin with "M  V30 " and consist of words
 * separated by blanks. A line that ends in '-' is continued on the next line.
 *
 *   COUNTS atoms bonds ...
 *   BEGIN ATOM;  number symbol x y z map [CHG=charge] [RAD=radical] [MASS=isotope] [VAL=valence] ...;   END ATOM
 *   BEGIN BOND;  number type atom atom ...;   END BOND
 *
 * Other blocks (SGROUP, OBJ3D, COLLECTION, ...) and other words of a line are ignored.
 */
#include "io/molecule/sdf.h"
#include <stdio.h>
#include <string.h>

enum { MAX_BOND = 10, PREFIX = 7 };

/* ---- Lines and words ------------------------------------------------------------------------- */

/* Reads the next line without its "M  V30 ", joined with its continuations. Sets *end if the line is M  END. */
static leman_status next_line(lm_sdf *sdf, lm_text *line, bool *end)
{
    leman_context *ctx = sdf->text.ctx;
    lm_text part;
    *end = false;
    sdf->line.count = 0;
    for (bool more = true; more;) {
        PASS(lm_sdf_need_line(sdf, "'M  END'", 0, 0, &part));
        if (!sdf->line.count) *line = part;
        *end = lm_sdf_begins(&part, "M  END");
        if (*end && !sdf->line.count) return LEMAN_OK;
        if (!lm_sdf_begins(&part, "M  V30")) return lm_text_expected(&part, "a line that begins with 'M  V30 '");
        part.at += part.end - part.at < PREFIX ? part.end - part.at : PREFIX;
        more = part.at < part.end && part.end[-1] == '-';
        part.end -= more;
        if (!more && !sdf->line.count) { /* the usual case: no continuation */
            line->at = part.at;
            line->end = part.end;
            return LEMAN_OK;
        }
        PASS(lm_vector_append(ctx, &sdf->line, part.at, (size_t)(part.end - part.at), 1));
        PASS(lm_vector_append(ctx, &sdf->line, " ", more && part.at == part.end, 1));
    }
    line->at = sdf->line.items;
    line->end = line->at + sdf->line.count;
    return LEMAN_OK;
}

/* Reads the next word of a line. Blanks inside quotes, brackets and parentheses belong to the word. */
static bool next_word(lm_text *line, lm_text *word)
{
    while (line->at < line->end && *line->at == ' ') line->at++;
    *word = *line;
    int depth = 0;
    bool quoted = false;
    for (; line->at < line->end && (quoted || depth > 0 || *line->at != ' '); line->at++) {
        quoted ^= *line->at == '"';
        depth += !quoted && (*line->at == '[' || *line->at == '(');
        depth -= !quoted && (*line->at == ']' || *line->at == ')');
    }
    word->end = line->at;
    return word->at < word->end;
}

static leman_status read_number(lm_text *line, const char *what, int64_t min, int64_t max, int64_t *value)
{
    lm_text word;
    if (!next_word(line, &word)) return lm_text_fail(line, "found the end of the line, expected %s", what);
    if (!lm_text_is_integer(line->ctx, word.at, (size_t)(word.end - word.at), value) || *value < min || *value > max)
        return lm_text_expected(&word, what);
    return LEMAN_OK;
}

static bool is_block(const lm_text *line, const char *verb, const char *name)
{
    lm_text rest = *line, word;
    if (!next_word(&rest, &word) || (size_t)(word.end - word.at) != strlen(verb) || !lm_sdf_begins(&word, verb))
        return false;
    return next_word(&rest, &word) && (!name || lm_sdf_begins(&word, name));
}

/* ---- Atoms and bonds ------------------------------------------------------------------------- */

/* Reads the KEY=VALUE words behind an atom. */
static leman_status read_options(lm_text *line, lm_sdf_atom *atom)
{
    lm_text word;
    while (next_word(line, &word))
        for (const lm_sdf_property *p = lm_sdf_properties; p < lm_sdf_properties + LM_SDF_PROPERTIES; p++) {
            int64_t value;
            if (!lm_sdf_begins(&word, p->v3000)) continue;
            word.at += strlen(p->v3000);
            PASS(read_number(&word, p->what, p->min, p->max, &value));
            memcpy((char *)atom + p->member, &value, sizeof value);
            break;
        }
    return LEMAN_OK;
}

/* Records the number that the file gives to the next atom. Fails with LEMAN_ERROR_INPUT if another atom has it. */
static leman_status add_number(lm_sdf *sdf, const lm_text *line, int64_t number)
{
    const size_t atoms = sdf->molecule.atoms;
    uint32_t found;
    if (!lm_intern_count(&sdf->numbers) && (size_t)number == atoms + 1) return LEMAN_OK;
    for (int64_t i = (int64_t)lm_intern_count(&sdf->numbers) + 1; i <= (int64_t)atoms; i++)
        PASS(lm_intern_add(line->ctx, &sdf->numbers, 0, (const char *)&i, sizeof i, &found));
    PASS(lm_intern_add(line->ctx, &sdf->numbers, 0, (const char *)&number, sizeof number, &found));
    if (found < atoms)
        return lm_text_fail(
            line, "found the atom number %lld once more, expected a number that no other atom of the molecule has",
            (long long)number);
    return LEMAN_OK;
}

static leman_status read_atom(lm_sdf *sdf, lm_text line)
{
    lm_text symbol, word;
    lm_sdf_atom atom;
    double place[3];
    int64_t number, map;
    PASS(read_number(&line, "the number of an atom", 1, UINT32_MAX, &number));
    if (!next_word(&line, &symbol)) return lm_text_fail(&line, "found the end of the line, expected an element symbol");
    atom = lm_sdf_atom_of(symbol.at, (size_t)(symbol.end - symbol.at));
    if (memchr(symbol.at, '[', (size_t)(symbol.end - symbol.at))) atom.element = 0; /* a list of elements */
    if (lm_sdf_begins(&symbol, "NOT") || lm_sdf_begins(&symbol, "\"")) atom.element = 0;
    if (lm_sdf_begins(&symbol, "NOT") && symbol.end - symbol.at == 3) next_word(&line, &word);
    if (atom.element < 0) return lm_text_expected(&symbol, "an element symbol");
    for (int i = 0; i < 3; i++) {
        if (!next_word(&line, &word)) return lm_text_fail(&line, "found the end of the line, expected a coordinate");
        if (!lm_text_is_real(line.ctx, word.at, (size_t)(word.end - word.at), &place[i]))
            return lm_text_expected(&word, "a coordinate");
    }
    PASS(read_number(&line, "the mapping of an atom", 0, UINT32_MAX, &map));
    PASS(read_options(&line, &atom));
    if (atom.element == 0 && symbol.end - symbol.at > 3) atom.charge = 0;
    PASS(add_number(sdf, &line, number));
    return lm_sdf_add_atom(sdf, &atom, place);
}

/* Reads the number of an atom and sets *atom to its index, from 0. O(1). */
static leman_status find_atom(const lm_sdf *sdf, lm_text *line, size_t *atom)
{
    lm_text before = *line;
    int64_t number;
    uint32_t found;
    PASS(read_number(line, "the number of an atom", 1, UINT32_MAX, &number));
    found = (uint32_t)(number - 1);
    if (lm_intern_count(&sdf->numbers) ? !lm_intern_find(&sdf->numbers, 0, (const char *)&number, sizeof number, &found)
                                       : (size_t)number > sdf->molecule.atoms)
        return lm_text_expected(&before, "the number of one of the atoms");
    *atom = found;
    return LEMAN_OK;
}

/* Returns the wedge (LM_SIDE_...) that a word CFG=1, 2 or 3 behind the atoms of a bond says. */
static int side_of(lm_text line)
{
    lm_text word;
    while (next_word(&line, &word)) {
        if (word.end - word.at != 5 || !lm_sdf_begins(&word, "CFG=")) continue;
        return word.at[4] == '1'   ? LM_SIDE_UP
               : word.at[4] == '3' ? LM_SIDE_DOWN
               : word.at[4] == '2' ? LM_SIDE_EITHER
                                   : 0;
    }
    return 0;
}

static leman_status read_bond(lm_sdf *sdf, lm_text line)
{
    int64_t number, type;
    size_t from, to;
    PASS(read_number(&line, "the number of a bond", 1, UINT32_MAX, &number));
    PASS(read_number(&line, "a bond type from 0 to 10", 0, MAX_BOND, &type));
    PASS(find_atom(sdf, &line, &from));
    PASS(find_atom(sdf, &line, &to));
    return lm_sdf_add_bond(sdf, from, to, type, side_of(line), line.line);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

typedef leman_status item_reader(lm_sdf *sdf, lm_text line);

/* Reads the lines up to END NAME. If read is not NULL, there must be `count` of them. */
static leman_status read_block(lm_sdf *sdf, const char *name, int64_t count, item_reader *read)
{
    lm_text line;
    bool end;
    int64_t items = 0;
    for (;; items++) {
        PASS(next_line(sdf, &line, &end));
        if (end) return lm_text_fail(&line, "found 'M  END', expected 'M  V30 END %s'", name);
        if (is_block(&line, "END", name)) break;
        if (read) PASS(read(sdf, line));
    }
    if (read && items != count)
        return lm_text_fail(&line, "found %lld lines of %s, expected %lld, the number that COUNTS says",
                            (long long)items, name, (long long)count);
    return LEMAN_OK;
}

leman_status lm_sdf_read_v3000(lm_sdf *sdf)
{
    lm_text line, word;
    bool end;
    int64_t atoms = 0, bonds = 0;
    for (;;) {
        PASS(next_line(sdf, &line, &end));
        if (end) break;
        lm_text rest = line;
        if (next_word(&rest, &word) && lm_sdf_begins(&word, "COUNTS")) {
            PASS(read_number(&rest, "a number of atoms", 0, UINT32_MAX / 4, &atoms));
            PASS(read_number(&rest, "a number of bonds", 0, UINT32_MAX / 4, &bonds));
        } else if (is_block(&line, "BEGIN", "ATOM")) {
            PASS(read_block(sdf, "ATOM", atoms, read_atom));
        } else if (is_block(&line, "BEGIN", "BOND")) {
            PASS(read_block(sdf, "BOND", bonds, read_bond));
        } /* CTAB, and blocks without atoms and bonds, are skipped line by line */
    }
    if (sdf->molecule.atoms != (size_t)atoms || sdf->molecule.bonds != (size_t)bonds)
        return lm_text_fail(&line,
                            "found %zu atoms and %zu bonds, expected %lld and %lld, the numbers that COUNTS says",
                            sdf->molecule.atoms, sdf->molecule.bonds, (long long)atoms, (long long)bonds);
    return LEMAN_OK;
}
