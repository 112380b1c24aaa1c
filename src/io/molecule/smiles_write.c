/*
 * Writes graphs as SMILES, one a line, followed by the name. If there are targets or classes, writes a table with a
 * header and a column for each of them. A SMILES begins at the first vertex of each component and follows a depth-first
 * search; it is not canonical. An atom without charge, isotope and radical is written without brackets if a reader
 * would imply its hydrogens. O(atoms + bonds).
 */
#include "io/molecule/molecule_of.h"
#include "io/molecule/smiles_table.h"
#include <stdio.h>
#include <string.h>

enum { FEW_RINGS = 100, MANY_RINGS = 100000 };
static const uint32_t NONE = UINT32_MAX;

typedef struct smiles_walk {
    const lm_mol *m;
    lm_output *out;
    lm_mol_search s;
    uint32_t *left; /* [atoms] number of children not written yet */
    uint32_t *ring; /* [bonds] its ring number, from 1; 0: none yet */
    uint64_t *open; /* [rings / 64 + 1] a bit for each ring number, from 1: the ring is open */
    size_t rings;
    const lm_smiles_words *words; /* NULL: those of SMILES */
} smiles_walk;

/* ---- Atoms and bonds ------------------------------------------------------------------------- */

/* Returns true if the atom is written in small letters. */
static bool is_small(const lm_atom *atom)
{
    static const uint8_t ELEMENTS[] = {5, 6, 7, 8, 14, 15, 16, 33, 34, 52};
    return atom->aromatic && memchr(ELEMENTS, atom->element, sizeof ELEMENTS);
}

static bool is_organic(unsigned element)
{
    static const uint8_t ELEMENTS[] = {0, 5, 6, 7, 8, 9, 15, 16, 17, 35, 53};
    return memchr(ELEMENTS, (int)element, sizeof ELEMENTS) != NULL;
}

static void write_atom(smiles_walk *w, uint32_t a)
{
    if (w->words) {
        w->words->atom(w->words->user, a, w->out);
        return;
    }
    const lm_atom *atom = w->m->atom + a;
    char symbol[4] = "*";
    lm_atom plain = *atom;
    if (atom->element) snprintf(symbol, sizeof symbol, "%s", lm_element_symbol(atom->element));
    if (is_small(atom)) symbol[0] = (char)(symbol[0] - 'A' + 'a');
    plain.fixed = !plain.element;
    lm_mol one = {.atom = &plain, .atoms = 1};
    lm_mol_imply_hydrogens(&one);
    const bool two_letters = is_small(atom) && symbol[1];
    const bool hidden = !atom->element && atom->hydrogens; /* * never implies hydrogens */
    if (is_organic(atom->element) && !hidden && !two_letters && !atom->charge && !atom->isotope && !atom->radical &&
        plain.hydrogens == atom->hydrogens) {
        lm_output_printf(w->out, "%s", symbol);
        return;
    }
    lm_output_printf(w->out, "[");
    if (atom->isotope) lm_output_printf(w->out, "%d", atom->isotope);
    lm_output_printf(w->out, "%s", symbol);
    if (atom->hydrogens == 1) lm_output_printf(w->out, "H");
    if (atom->hydrogens > 1) lm_output_printf(w->out, "H%d", atom->hydrogens);
    if (atom->charge) lm_output_printf(w->out, "%c", atom->charge > 0 ? '+' : '-');
    if (atom->charge > 1 || atom->charge < -1)
        lm_output_printf(w->out, "%d", atom->charge > 0 ? atom->charge : -atom->charge);
    lm_output_printf(w->out, "]");
}

/* Writes the symbol of bond i, which is followed from atom `from`. */
static void write_bond(smiles_walk *w, uint32_t i, uint32_t from)
{
    if (w->words) {
        w->words->bond(w->words->user, i, from, w->out);
        return;
    }
    static const char *const TEXT[] = {
        [LM_BOND_SINGLE] = "", [LM_BOND_DOUBLE] = "=",  [LM_BOND_TRIPLE] = "#",   [LM_BOND_AROMATIC] = ":",
        [LM_BOND_ANY] = "~",   [LM_BOND_DATIVE] = "->", [LM_BOND_QUADRUPLE] = "$"};
    const lm_mol_bond *bond = w->m->bond + i;
    const bool small = is_small(w->m->atom + bond->from) && is_small(w->m->atom + bond->to);
    const char *text = TEXT[bond->type];
    if (bond->type == LM_BOND_SINGLE && small && w->s.in_ring[i]) text = "-";
    if (bond->type == LM_BOND_AROMATIC && small && w->s.in_ring[i]) text = "";
    if (bond->type == LM_BOND_SINGLE && small && !w->s.in_ring[i]) text = "-";
    if (bond->side && (bond->type == LM_BOND_SINGLE || !*text))
        text = (bond->side > 0) == (bond->from == from) ? "/" : "\\";
    if (bond->type == LM_BOND_DATIVE && bond->from != from) text = "<-";
    lm_output_printf(w->out, "%s", text ? text : "~"); /* hydrogen bonds, and bonds of queries in an SDF */
}

/* ---- The walk -------------------------------------------------------------------------------- */

static uint32_t other_end(const lm_mol *m, uint32_t bond, uint32_t atom)
{
    return m->bond[bond].from == atom ? m->bond[bond].to : m->bond[bond].from;
}

/* Returns true if the bond is not in the tree of the search: a ring bond of the SMILES. */
static bool closes(const smiles_walk *w, uint32_t i)
{
    const lm_mol_bond *bond = w->m->bond + i;
    return w->s.through[bond->from] != i && w->s.through[bond->to] != i;
}

/* Returns the smallest ring number, from 1, that is not open. O(rings / 64). */
static uint32_t free_number(const smiles_walk *w)
{
    size_t word = 0;
    while (!~w->open[word]) word++; /* the last word is never full */
    return (uint32_t)(64 * word + (size_t)__builtin_ctzll(~w->open[word])) + 1;
}

static leman_status write_ring_bonds(smiles_walk *w, leman_context *ctx, uint32_t a)
{
    for (size_t j = w->s.start[a]; j < w->s.start[a + 1]; j++) {
        const uint32_t i = w->s.bond[j];
        if (!closes(w, i)) continue;
        uint32_t number = w->ring[i];
        if (!number) {
            number = w->ring[i] = free_number(w);
            if (number >= w->rings)
                return lm_fail(ctx, LEMAN_ERROR_INPUT, "found more open rings than a SMILES can number");
            write_bond(w, i, a);
        }
        w->open[(number - 1) / 64] ^= UINT64_C(1) << (number - 1) % 64;
        if (number < 10)
            lm_output_printf(w->out, "%u", number);
        else
            lm_output_printf(w->out, number < FEW_RINGS ? "%%%u" : "%%(%u)", number);
    }
    return LEMAN_OK;
}

static leman_status write_tree(smiles_walk *w, leman_context *ctx, uint32_t root)
{
    lm_mol_search *s = &w->s;
    size_t depth = 0;
    s->stack[depth++] = root;
    s->next[root] = s->start[root];
    write_atom(w, root);
    PASS(write_ring_bonds(w, ctx, root));
    while (depth) {
        const uint32_t a = s->stack[depth - 1];
        if (s->next[a] == s->start[a + 1]) { /* all children of a are written: close its branch */
            depth--;
            if (depth && w->left[s->stack[depth - 1]]) lm_output_printf(w->out, ")");
            continue;
        }
        const uint32_t i = s->bond[s->next[a]++], b = other_end(w->m, i, a);
        if (s->through[b] != i) continue;
        if (--w->left[a]) lm_output_printf(w->out, "(");
        write_bond(w, i, a);
        write_atom(w, b);
        PASS(write_ring_bonds(w, ctx, b));
        s->next[b] = s->start[b];
        s->stack[depth++] = b;
    }
    return LEMAN_OK;
}

static leman_status begin_walk(leman_context *ctx, const lm_mol *m, const lm_smiles_words *words, lm_output *out,
                               smiles_walk *w)
{
    *w = (smiles_walk){
        .m = m, .out = out, .rings = MANY_RINGS < m->bonds + 2 ? MANY_RINGS : m->bonds + 2, .words = words};
    PASS(lm_mol_rings(ctx, m, false, &w->s));
    PASS_SCRATCH_ZERO(ctx, w->left, m->atoms + 1);
    PASS_SCRATCH_ZERO(ctx, w->ring, m->bonds + 1);
    PASS_SCRATCH_ZERO(ctx, w->open, w->rings / 64 + 1);
    for (uint32_t a = 0; a < m->atoms; a++)
        if (w->s.through[a] != NONE) w->left[other_end(m, w->s.through[a], a)]++;
    return LEMAN_OK;
}

static leman_status write_smiles(leman_context *ctx, const lm_mol *m, const lm_smiles_words *words, lm_output *out)
{
    SCRATCH_SCOPE(ctx);
    smiles_walk w;
    PASS(begin_walk(ctx, m, words, out, &w));
    for (uint32_t a = 0; a < m->atoms; a++) {
        if (w.s.through[a] != NONE) continue;
        if (a) lm_output_printf(out, ".");
        PASS(write_tree(&w, ctx, a));
    }
    return LEMAN_OK;
}

/* What write_smiles() is to write. */
typedef struct line {
    const lm_mol *m;
    const lm_smiles_words *words;
} line;

static leman_status write_one(leman_context *ctx, void *user, lm_output *out)
{
    const line *one = user;
    return write_smiles(ctx, one->m, one->words, out);
}

leman_status lm_smiles_append(leman_context *ctx, const lm_mol *m, const lm_smiles_words *words, lm_vector *text)
{
    return lm_output_in_memory(ctx, "SMILES", write_one, &(line){m, words}, text);
}

leman_status lm_smiles_text(leman_context *ctx, const lm_mol *m, lm_vector *text)
{
    text->count = 0;
    return lm_smiles_append(ctx, m, NULL, text);
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Writes a cell of a table with tabs. A cell that begins with a quote is quoted. */
static void write_cell(lm_output *out, const char *text, size_t length)
{
    lm_output_write(out, "\t", 1);
    if (length && *text == '"')
        lm_output_csv_field(out, text, length, true);
    else
        lm_output_write(out, text, length);
}

/* Returns true if a line of a SMILES and this name would be read differently: quotes belong to tables, and a bar begins
 * an extension of CXSMILES. */
static bool needs_table(const char *name, size_t length)
{
    return length && (*name == '"' || *name == '|');
}

/* Returns true if a table with a header is needed: for classes, targets, unusual names, or a data set without
 * graphs. */
static bool is_table(const leman_dataset *data)
{
    bool table = data->columns.classes || data->columns.targets || !data->graphs;
    for (size_t g = 0; g < data->graphs && !table; g++) {
        size_t length;
        const char *name = leman_dataset_graph_name(data, g, &length);
        table = needs_table(name, length);
    }
    return table;
}

static leman_status write_header(const leman_dataset *data, lm_output *out)
{
    char number[LM_TARGET_TEXT];
    size_t length;
    lm_output_printf(out, "smiles\tname");
    if (data->columns.classes) lm_output_printf(out, "\tclass");
    for (size_t i = 0; i < data->columns.targets; i++) {
        const char *name = lm_mol_target_name(data, i, number, &length);
        write_cell(out, name, length);
    }
    return lm_output_printf(out, "\n");
}

static void write_columns(const leman_dataset *data, size_t graph, lm_output *out)
{
    const size_t targets = data->columns.targets;
    char number[LM_TARGET_TEXT];
    size_t length;
    if (data->columns.classes) {
        const char *text = lm_mol_class_text(data, graph, number, &length);
        write_cell(out, text, length);
    }
    for (size_t i = 0; i < targets; i++) {
        const double value = data->target[graph * targets + i];
        lm_output_printf(out, "\t");
        if (!lm_is_missing_target(value)) lm_output_real(out, value);
    }
}

static leman_status write_line(const leman_dataset *data, size_t graph, const lm_mol *m, bool table, lm_output *out)
{
    size_t length;
    if (!m->atoms)
        return lm_fail(out->ctx, LEMAN_ERROR_INPUT,
                       "%s: graph %zu has no vertices, expected atoms, since there is no empty SMILES", data->name,
                       graph);
    PASS(write_smiles(out->ctx, m, NULL, out));
    const char *name = leman_dataset_graph_name(data, graph, &length);
    if (table || length) write_cell(out, name, length);
    write_columns(data, graph, out);
    return lm_output_printf(out, "\n");
}

static leman_status write_alone(const leman_dataset *data, size_t graph, const lm_mol *m, lm_output *out)
{
    return m ? write_line(data, graph, m, false, out) : LEMAN_OK;
}

static leman_status write_row(const leman_dataset *data, size_t graph, const lm_mol *m, lm_output *out)
{
    return m ? write_line(data, graph, m, true, out) : write_header(data, out);
}

leman_status lm_smiles_write(leman_context *ctx, const leman_dataset *data, lm_output *out)
{
    return lm_mol_write_all(ctx, data, false, is_table(data) ? write_row : write_alone, out);
}
