/*
 * Finds neighbourhoods by breadth-first search and writes them by the depth-first search of SMILES, with words of their
 * own for atoms and bonds. A word says only what the colour of the tuple knows: an atom nearer than the radius has all of
 * its bonds in the fragment, so its degree is known, and whether it is aromatic.
 */
#include "kernel/substructures/fragment.h"
#include "io/molecule/smiles_table.h"
#include "leman/report.h"
#include "leman/substructure.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ONE_ARC = 1, BOTH_ARCS = 2, HYDROGEN = 1, ECFP_RING = 10, MAX_DEGREE = 10000 };
enum { CIRCULAR = LEMAN_ATOM_ECFP | LEMAN_ATOM_FCFP };
static const unsigned USUAL = LEMAN_ATOM_ELEMENT | LEMAN_ATOM_CHARGE | LEMAN_ATOM_ISOTOPE | LEMAN_ATOM_RADICAL;
static const int64_t INVARIANT = INT64_C(1000000000000); /* the digits above are those of ECFP or FCFP (invariants.c) */

/* ---- The neighbourhood ----------------------------------------------------------------------- */

/* Sets which properties of atoms the labels of the data contain. */
static leman_status find_labels(leman_context *ctx, const leman_dataset *data, lm_fragments *f)
{
    leman_read_options options = leman_read_options_default();
    if (data->reading && !(data->reading & LEMAN_READING_ASSUMED))
        PASS(leman_reading_apply(ctx, data->reading, &options, NULL));
    f->labels = options.atom_labels;
    if (!(f->labels & (CIRCULAR | USUAL | LEMAN_ATOM_HYDROGENS | LEMAN_ATOM_AROMATIC))) f->labels |= USUAL;
    if (options.hydrogens == LEMAN_HYDROGENS_LABELS && !(f->labels & CIRCULAR)) f->labels |= LEMAN_ATOM_HYDROGENS;
    if (options.stereo == LEMAN_STEREO_LABELS) f->labels |= LM_ATOM_STEREO;
    return LEMAN_OK;
}

leman_status lm_fragments_begin(leman_context *ctx, const leman_dataset *data, size_t graph,
                                const leman_coloring *coloring, lm_fragments *f)
{
    const leman_graph g = leman_dataset_graph(data, graph);
    f->ctx = ctx;
    f->graph = g;
    PASS(find_labels(ctx, data, f));
    f->molecule = !g.directed && g.edge_labels &&
                  (data->reading & LEMAN_READING_MOLECULES ? lm_label_columns(f->labels) == g.vertex_labels
                                                           : leman_graph_is_molecule(&g));
    f->vertex_labels = g.vertex_labels && !coloring->ignore_vertex_labels;
    f->edge_labels = g.edge_labels && !coloring->ignore_edge_labels;
    f->vertices = 0;
    PASS_SCRATCH_ZERO(ctx, f->place, g.vertices + 1);
    PASS_SCRATCH(ctx, f->vertex, g.vertices + 1);
    PASS_SCRATCH(ctx, f->distance, g.vertices + 1);
    PASS_SCRATCH(ctx, f->aromatic, g.vertices + 1);
    PASS_SCRATCH(ctx, f->arc, g.arcs + 1);
    return lm_mol_reserve(ctx, &f->lines, (g.vertices > g.arcs ? g.vertices : g.arcs) + 1);
}

static void add_vertex(lm_fragments *f, uint32_t vertex, uint32_t distance)
{
    if (f->place[vertex]) return;
    f->vertex[f->vertices] = vertex;
    f->distance[f->vertices++] = distance;
    f->place[vertex] = (uint32_t)f->vertices;
}

void lm_fragments_find(lm_fragments *f, const uint32_t *tuple, unsigned k, uint32_t radius)
{
    const leman_graph *g = &f->graph;
    for (size_t i = 0; i < f->vertices; i++) f->place[f->vertex[i]] = 0;
    f->vertices = 0;
    f->radius = radius;
    for (unsigned j = 0; j < k; j++)
        if (tuple[j] != UINT32_MAX) add_vertex(f, tuple[j], 0);
    f->components = f->vertices;
    for (size_t i = 0; i < f->vertices && f->distance[i] < radius; i++)
        for (uint64_t e = g->start[f->vertex[i]]; e < g->start[f->vertex[i] + 1]; e++)
            add_vertex(f, g->head[e], f->distance[i] + 1);
}

/* Does the colour know whether there is an arc from i to j? */
static bool is_known(const lm_fragments *f, size_t i, size_t j)
{
    return f->distance[i] < f->radius || (!f->graph.directed && f->distance[j] < f->radius) ||
           (i < f->components && j < f->components);
}

/* Adds the arc e from vertex i to vertex j of the fragment, once for both directions. */
static void add_bond(lm_fragments *f, size_t i, size_t j, uint64_t e)
{
    lm_mol *m = &f->lines;
    for (size_t b = m->bonds; f->graph.directed && b-- > 0;)
        if (m->bond[b].from == j && m->bond[b].to == i) {
            m->bond[b].type = BOTH_ARCS;
            return;
        }
    const int64_t type =
        f->molecule && f->edge_labels ? lm_bond_of_label(f->graph.edge_label[e * f->graph.edge_labels]) : 0;
    if (type == LM_BOND_AROMATIC) f->aromatic[i] = f->aromatic[j] = true;
    f->arc[m->bonds] = e;
    m->bond[m->bonds++] = (lm_mol_bond){.from = (uint32_t)i, .to = (uint32_t)j, .type = ONE_ARC};
}

static void add_bonds(lm_fragments *f)
{
    const leman_graph *g = &f->graph;
    f->lines.atoms = f->vertices;
    f->lines.bonds = 0;
    memset(f->aromatic, 0, f->vertices * sizeof *f->aromatic);
    for (size_t i = 0; i < f->vertices; i++) {
        const uint32_t v = f->vertex[i];
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            const size_t j = f->place[g->head[e]];
            const bool repeated = e > g->start[v] && g->head[e - 1] == g->head[e];
            if (!j || j - 1 == i || repeated || (!g->directed && j - 1 < i) || !is_known(f, i, j - 1)) continue;
            add_bond(f, i, j - 1, e);
        }
    }
}

/* ---- Words ----------------------------------------------------------------------------------- */

typedef enum ring_kind { ALIPHATIC, AROMATIC, EITHER } ring_kind;

static const int64_t *label_of(const lm_fragments *f, size_t i)
{
    return f->graph.vertex_label + (size_t)f->vertex[i] * f->graph.vertex_labels;
}

/* The atom of a molecule, as far as its label says. */
static lm_atom atom_of(const lm_fragments *f, size_t i)
{
    const unsigned ecfp = LEMAN_ATOM_ELEMENT | LEMAN_ATOM_CHARGE | LEMAN_ATOM_ISOTOPE | LEMAN_ATOM_HYDROGENS;
    if (!f->vertex_labels || f->labels & LEMAN_ATOM_FCFP) return (lm_atom){0};
    return lm_label_atom(label_of(f, i), f->labels & LEMAN_ATOM_ECFP ? ecfp : f->labels);
}

static bool is_inner(const lm_fragments *f, size_t i)
{
    return f->distance[i] < f->radius;
}

static ring_kind ring_kind_of(const lm_fragments *f, size_t i, const lm_atom *atom)
{
    static const uint8_t RINGS[] = {5, 6, 7, 8, 14, 15, 16, 33, 34, 52}; /* may be aromatic */
    if (f->vertex_labels && f->labels & LEMAN_ATOM_AROMATIC) return atom->aromatic ? AROMATIC : ALIPHATIC;
    if (f->aromatic[i]) return AROMATIC;
    if (atom->element && !memchr(RINGS, atom->element, sizeof RINGS)) return ALIPHATIC;
    return is_inner(f, i) && f->edge_labels ? ALIPHATIC : EITHER;
}

/* Components of tuples of several vertices are numbered. */
static bool is_numbered(const lm_fragments *f, size_t i)
{
    return f->components > 1 && i < f->components;
}

/* Writes what the words of atoms and vertices end with. */
static void write_end(const lm_fragments *f, size_t i, lm_output *out)
{
    if (is_numbered(f, i)) lm_output_printf(out, ":%zu", i + 1);
    lm_output_printf(out, "]");
}

static uint64_t degree_of(const lm_fragments *f, size_t i)
{
    return f->graph.start[f->vertex[i] + 1] - f->graph.start[f->vertex[i]];
}

/* Writes the symbol of an element as SMARTS does, which may be a number. */
static void write_symbol(lm_output *out, const lm_atom *atom, ring_kind kind)
{
    char symbol[8] = "*";
    if (atom->element) snprintf(symbol, sizeof symbol, "%s", lm_element_symbol(atom->element));
    if (atom->element && (kind == EITHER || atom->element == HYDROGEN))
        snprintf(symbol, sizeof symbol, "#%u", atom->element);
    if (atom->element && kind == AROMATIC) symbol[0] = (char)(symbol[0] - 'A' + 'a');
    lm_output_printf(out, "%s", symbol);
}

/* Returns true if an atom without other properties is written without brackets. */
static bool is_bare(const lm_atom *atom, ring_kind kind)
{
    static const uint8_t ORGANIC[] = {0, 5, 6, 7, 8, 9, 15, 16, 17, 35, 53};
    return memchr(ORGANIC, atom->element, sizeof ORGANIC) && (!atom->element || kind != EITHER);
}

static void write_atom(const lm_fragments *f, size_t i, lm_output *out)
{
    const lm_atom atom = atom_of(f, i);
    const ring_kind kind = ring_kind_of(f, i, &atom);
    const bool ecfp = f->vertex_labels && f->labels & LEMAN_ATOM_ECFP;
    const bool hydrogens = ecfp || (f->vertex_labels && f->labels & LEMAN_ATOM_HYDROGENS);
    const bool degree = is_inner(f, i) && !ecfp;
    if (!hydrogens && !degree && !is_numbered(f, i) && !atom.charge && !atom.isotope && is_bare(&atom, kind)) {
        write_symbol(out, &atom, kind);
        return;
    }
    lm_output_printf(out, "[");
    if (atom.isotope) lm_output_printf(out, "%d", atom.isotope);
    write_symbol(out, &atom, kind);
    if (degree) lm_output_printf(out, "D%" PRIu64, degree_of(f, i));
    if (hydrogens) lm_output_printf(out, "H%d", atom.hydrogens);
    if (ecfp) {
        const int64_t above = *label_of(f, i) / INVARIANT;
        lm_output_printf(out, "X%d%s", (int)(above / ECFP_RING % MAX_DEGREE), above % ECFP_RING ? "R" : "R0");
    }
    if (atom.charge) lm_output_printf(out, atom.charge > 0 ? "+" : "-");
    if (atom.charge > 1 || atom.charge < -1) lm_output_printf(out, "%d", atom.charge > 0 ? atom.charge : -atom.charge);
    write_end(f, i, out);
}

/* Writes the roles of an atom in FCFP, its only labels. */
static void write_roles(int64_t roles, lm_output *out)
{
    static const char *const ROLES[] = {"donor", "acceptor", "aromatic", "halogen", "basic", "acidic"};
    const char *before = "";
    for (size_t r = 0; r < sizeof ROLES / sizeof *ROLES; r++)
        if (roles >> r & 1) {
            lm_output_printf(out, "%s%s", before, ROLES[r]);
            before = ",";
        }
}

static void write_labels(const lm_fragments *f, size_t i, lm_output *out)
{
    for (size_t c = 0; c < f->graph.vertex_labels; c++)
        lm_output_printf(out, "%s%" PRId64, c ? "," : "", label_of(f, i)[c]);
}

/* A vertex of a graph that is no molecule, or an atom with the labels of FCFP: "[3;D2]", "*". */
static void write_vertex(const lm_fragments *f, size_t i, lm_output *out)
{
    const bool degree = is_inner(f, i) && !f->graph.directed;
    const int64_t roles =
        f->vertex_labels && f->molecule ? *label_of(f, i) / INVARIANT % (LM_ECFP_LABELS / INVARIANT) : 0;
    const bool labels = f->vertex_labels && (roles || !f->molecule);
    if (!labels && !degree && !is_numbered(f, i)) {
        lm_output_printf(out, "*");
        return;
    }
    lm_output_printf(out, labels ? "[" : "[*");
    if (labels && f->molecule) write_roles(roles, out);
    if (labels && !f->molecule) write_labels(f, i, out);
    if (degree) lm_output_printf(out, ";D%" PRIu64, degree_of(f, i));
    write_end(f, i, out);
}

static void write_word(const void *user, uint32_t atom, lm_output *out)
{
    const lm_fragments *f = user;
    if (f->molecule && !(f->vertex_labels && f->labels & LEMAN_ATOM_FCFP))
        write_atom(f, atom, out);
    else
        write_vertex(f, atom, out);
}

/* Returns true if a bond without a symbol at this atom is single and not aromatic. */
static bool implies_single(const lm_fragments *f, size_t i)
{
    const lm_atom atom = atom_of(f, i);
    return !(f->labels & LEMAN_ATOM_FCFP) && atom.element && ring_kind_of(f, i, &atom) == ALIPHATIC;
}

static void write_bond(const lm_fragments *f, const lm_mol_bond *bond, int64_t type, bool forwards, lm_output *out)
{
    static const char *const TEXT[] = {
        [LM_BOND_SINGLE] = "-", [LM_BOND_DOUBLE] = "=",  [LM_BOND_TRIPLE] = "#",    [LM_BOND_AROMATIC] = ":",
        [LM_BOND_ANY] = "~",    [LM_BOND_DATIVE] = "->", [LM_BOND_QUADRUPLE] = "$", [LM_BOND_HYDROGEN] = "~"};
    const bool known = type > 0 && type <= LM_BOND_QUADRUPLE && TEXT[type];
    const char *text = known ? TEXT[type] : "~";
    if (type == LM_BOND_SINGLE && (implies_single(f, bond->from) || implies_single(f, bond->to))) text = "";
    if (type == LM_BOND_DATIVE) { /* to the metal */
        const bool first = atom_of(f, bond->from).element <= atom_of(f, bond->to).element;
        text = first == forwards ? "->" : "<-";
    }
    lm_output_printf(out, "%s", text);
}

static void write_edge(const lm_fragments *f, const lm_mol_bond *bond, uint64_t arc, bool forwards, lm_output *out)
{
    const leman_graph *g = &f->graph;
    if (f->edge_labels) {
        lm_output_printf(out, "{");
        for (size_t c = 0; c < g->edge_labels && g->edge_label[arc * g->edge_labels + c] != LEMAN_EDGE_LABEL_NONE; c++)
            lm_output_printf(out, "%s%" PRId64, c ? "," : "", g->edge_label[arc * g->edge_labels + c]);
        lm_output_printf(out, "}");
    }
    if (g->directed && bond->type == ONE_ARC)
        lm_output_printf(out, forwards ? ">" : "<");
    else if (!f->edge_labels)
        lm_output_printf(out, "~");
}

static void write_line(const void *user, uint32_t i, uint32_t from, lm_output *out)
{
    const lm_fragments *f = user;
    const lm_mol_bond *bond = f->lines.bond + i;
    const bool forwards = bond->from == from;
    if (f->molecule && f->edge_labels)
        write_bond(f, bond, lm_bond_of_label(f->graph.edge_label[f->arc[i] * f->graph.edge_labels]), forwards, out);
    else
        write_edge(f, bond, f->arc[i], forwards, out);
}

leman_status lm_fragments_write(lm_fragments *f, lm_vector *text)
{
    const lm_smiles_words words = {write_word, write_line, f};
    char count[64];
    if (f->vertices <= LEMAN_SUBSTRUCTURE_VERTICES) {
        add_bonds(f);
        PASS(lm_smiles_append(f->ctx, &f->lines, &words, text));
        return lm_vector_append(f->ctx, text, "", 1, 1);
    }
    const int length =
        snprintf(count, sizeof count, "(%zu %s)", f->vertices, lm_plural_of(f->vertices, "vertex", "vertices"));
    return lm_vector_append(f->ctx, text, count, (size_t)length + 1, 1);
}

void lm_fragments_free(lm_fragments *f)
{
    lm_mol_free(&f->lines);
}
