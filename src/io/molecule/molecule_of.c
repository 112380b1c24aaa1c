/* Turns graphs into molecules: atoms from vertex labels, bonds from edge labels. */
#include "io/molecule/molecule_of.h"
#include "io/format.h"
#include <string.h>

/* labels as one number with all properties */
enum { ONE_NUMBER = 2 * LEMAN_ATOM_AROMATIC - 1 - LEMAN_ATOM_COLUMNS + LM_ATOM_STEREO };

leman_read_options lm_mol_reading_of(leman_context *ctx, const leman_dataset *data)
{
    leman_read_options options = leman_read_options_default();
    options.hydrogens = LEMAN_HYDROGENS_AS_WRITTEN;
    options.aromatic = LEMAN_AROMATIC_AS_WRITTEN;
    if (!(data->reading & LEMAN_READING_ASSUMED)) leman_reading_apply(ctx, data->reading, &options, NULL);
    return options;
}

/* Sets *hydrogens if the labels contain the number of hydrogens, or all hydrogens are atoms. */
static leman_status check_labels(leman_context *ctx, const leman_dataset *data, bool *hydrogens)
{
    const leman_read_options read = lm_mol_reading_of(ctx, data);
    *hydrogens = read.hydrogens == LEMAN_HYDROGENS_EXPLICIT || read.atom_labels & LEMAN_ATOM_HYDROGENS;
    const leman_columns *c = &data->columns;
    if (data->directed)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found directed graphs, expected molecules", data->name);
    if (c->vertex_labels != 1 || c->edge_labels != 1)
        return lm_fail(
            ctx, LEMAN_ERROR_INPUT,
            "%s: found %zu column%s of vertex labels and %zu of edge labels, expected one of each, atoms and bonds",
            data->name, c->vertex_labels, lm_plural(c->vertex_labels), c->edge_labels);
    for (size_t g = 0; g < data->graphs; g++)
        for (size_t v = data->graph_start[g]; v < data->graph_start[g + 1]; v++) {
            const int64_t label = data->vertex_label[v];
            if (label < 0 || label % 1000 > 118 || label >= 10 * INT64_C(100000000000) ||
                label / 1000 % 100 > 50 + LM_MAX_CHARGE || label / 100000 % 10 > 3 ||
                (label / 1000 % 100 > LM_MAX_CHARGE && label / 1000 % 100 <= 50))
                return lm_fail(
                    ctx, LEMAN_ERROR_INPUT,
                    "%s: graph %zu: vertex %zu has label %lld, expected an atom's, as SMILES and SDF give them",
                    data->name, g, (size_t)(v - data->graph_start[g]), (long long)label);
            *hydrogens |= label / 1000000000 % 100 != 0;
        }
    return LEMAN_OK;
}

static leman_status add_bonds(leman_context *ctx, const char *name, size_t number, const leman_graph *g, lm_mol *m)
{
    for (uint32_t a = 0; a < g->vertices; a++)
        for (uint64_t e = g->start[a]; e < g->start[a + 1]; e++) {
            const uint32_t b = g->head[e];
            const int64_t type = lm_bond_of_label(g->edge_label[e * g->edge_labels]);
            if (b < a) continue;
            if (b == a || type < 1 || type > LM_BOND_QUADRUPLE || (type > LM_BOND_AROMATIC && type < LM_BOND_ANY) ||
                type == LM_BOND_HYDROGEN)
                return lm_fail(
                    ctx, LEMAN_ERROR_INPUT,
                    "%s: graph %zu: the edge between %u and %u has label %lld, expected a bond: 1 single, 2 double, 3 "
                    "triple, 4 aromatic, 8 any, 9 dative or 11 quadruple",
                    name, number, a, b, (long long)type);
            const bool turn = type == LM_BOND_DATIVE && m->atom[a].element > m->atom[b].element; /* to the metal */
            const bool plain = type == LM_BOND_SINGLE || type == LM_BOND_AROMATIC;
            const int8_t side = g->arc_side && plain ? g->arc_side[e] : 0;
            m->bond[m->bonds++] =
                (lm_mol_bond){.from = turn ? b : a,
                              .to = turn ? a : b,
                              .type = (uint8_t)type,
                              .side = side,
                              .stereo = (uint8_t)((g->edge_label[e * g->edge_labels] - type) / LM_BOND_STEREO)};
            m->labelled |= m->bond[m->bonds - 1].stereo != 0;
            m->sided |= side != 0;
            if (type == LM_BOND_AROMATIC) m->atom[a].aromatic = m->atom[b].aromatic = true;
        }
    return LEMAN_OK;
}

/* Returns true if an aromatic atom can have a hydrogen that its bonds do not imply: [nH], [pH], [bH], [asH], [cH-]. */
static bool may_have_hydrogen(const lm_atom *atom)
{
    static const uint8_t ELEMENTS[] = {5, 7, 15, 33};
    const bool other = atom->charge ? atom->element == 6 : memchr(ELEMENTS, atom->element, sizeof ELEMENTS) != NULL;
    return atom->aromatic && other && !atom->radical && !atom->hydrogens && atom->valence2 == 6;
}

/* For labels without hydrogens: puts hydrogens on such atoms, in their order, until a Kekulé structure exists. */
static leman_status find_aromatic_hydrogens(leman_context *ctx, lm_mol *m)
{
    SCRATCH_SCOPE(ctx);
    uint8_t *order;
    size_t missing, left, atom;
    PASS_SCRATCH(ctx, order, m->bonds + 1);
    PASS(lm_mol_kekule(ctx, m, order, &missing, &atom));
    for (size_t a = 0; a < m->atoms && missing; a++) {
        if (!may_have_hydrogen(m->atom + a)) continue;
        m->atom[a].hydrogens = 1;
        PASS(lm_mol_kekule(ctx, m, order, &left, &atom));
        if (left >= missing) m->atom[a].hydrogens = 0; /* it did not help */
        if (left < missing) missing = left, m->guessed = true;
    }
    return LEMAN_OK;
}

/* Sets *m to the graph. labels: the properties in the vertex labels. hydrogens: the labels contain the hydrogens.
 * Messages name graph `number` of the data set `name`. */
static leman_status convert(leman_context *ctx, const char *name, size_t number, const leman_graph *g, unsigned labels,
                            bool hydrogens, lm_mol *m)
{
    bool aromatic = false;
    m->atoms = m->bonds = 0;
    m->sided = m->labelled = m->guessed = false;
    PASS(lm_mol_reserve(ctx, m, (g->vertices > g->arcs ? g->vertices : g->arcs) + 1));
    m->atoms = g->vertices;
    for (size_t a = 0; a < g->vertices; a++) {
        m->atom[a] = lm_label_atom(g->vertex_label + a * g->vertex_labels, labels);
        m->atom[a].fixed = hydrogens || !m->atom[a].element;
        m->atom[a].aromatic = false; /* set by its bonds */
        memset(m->place + 3 * a, 0, 3 * sizeof *m->place);
        if (g->vertex_attributes == 3) memcpy(m->place + 3 * a, g->vertex_attribute + 3 * a, 3 * sizeof *m->place);
    }
    PASS(add_bonds(ctx, name, number, g, m));
    lm_mol_valences(m);
    lm_mol_imply_hydrogens(m);
    for (size_t a = 0; a < m->atoms; a++) {
        aromatic |= m->atom[a].aromatic;
        if (m->atom[a].element == 1 && !hydrogens) m->atom[a].hydrogens = 0; /* hydrogens of hydrogen are atoms */
    }
    if (aromatic && !hydrogens) PASS(find_aromatic_hydrogens(ctx, m));
    return LEMAN_OK;
}

/* Makes aromatic bonds single and double, if that is possible. */
static leman_status make_kekule(leman_context *ctx, lm_mol *m)
{
    SCRATCH_SCOPE(ctx);
    uint8_t *order;
    size_t missing, atom;
    PASS_SCRATCH(ctx, order, m->bonds + 1);
    PASS(lm_mol_kekule(ctx, m, order, &missing, &atom));
    for (size_t i = 0; i < m->bonds && !missing; i++)
        if (order[i]) m->bond[i].type = order[i];
    for (size_t a = 0; a < m->atoms && !missing; a++) m->atom[a].aromatic = false;
    lm_mol_valences(m);
    return LEMAN_OK;
}

bool lm_mol_in_space(const lm_mol *m)
{
    for (size_t a = 0; a < m->atoms; a++)
        if (m->place[3 * a + 2] < 0 || m->place[3 * a + 2] > 0) return true;
    return false;
}

leman_status lm_mol_write_all(leman_context *ctx, const leman_dataset *data, bool sdf, lm_mol_writer *write,
                              lm_output *out)
{
    AUTO(lm_mol_free) lm_mol m = {0};
    bool hydrogens = false;
    size_t stereo = 0, guessed = 0;
    const leman_aromatic read = lm_mol_reading_of(ctx, data).aromatic;
    const bool found = read == LEMAN_AROMATIC_RDKIT || read == LEMAN_AROMATIC_MDL; /* and so will be found again */
    leman_columns kept = data->columns;
    PASS(check_labels(ctx, data, &hydrogens));
    PASS(lm_mol_check_names(ctx, data, sdf));
    PASS(write(data, 0, NULL, out));
    lm_progress_begin(ctx, data->graphs, "writing %s", data->name);
    for (size_t i = 0; i < data->graphs; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        PASS(convert(ctx, data->name, i, &g, ONE_NUMBER, hydrogens, &m));
        const bool said = sdf && lm_mol_in_space(&m); /* by the coordinates */
        for (size_t a = 0; a < m.atoms && !said; a++) stereo += m.atom[a].stereo != 0;
        guessed += m.guessed;
        if (sdf && found) PASS(make_kekule(ctx, &m));
        if (!sdf && m.labelled && !m.sided && g.vertex_attributes == 3) PASS(lm_mol_mark_double_bonds(ctx, &m));
        PASS(write(data, i, &m, out));
        PASS(lm_progress_step(ctx, i + 1));
    }
    if (guessed)
        lm_log(ctx,
               "%s: molecules with hydrogens at aromatic atoms ([nH]) that are not in the labels, and may have been at "
               "others: %zu; --hydrogens labels keeps them where molecules are read",
               data->name, guessed);
    if (stereo) lm_log(ctx, "%s: atoms whose label R or S is left out of the file: %zu", data->name, stereo);
    if (!sdf || kept.vertex_attributes != 3) kept.vertex_attributes = 0; /* three are coordinates */
    kept.edge_attributes = 0;
    kept.vertex_names = false;
    lm_log_dropped(ctx, data, sdf ? "SDF" : "SMILES", &kept);
    return LEMAN_OK;
}

leman_status lm_mol_of_view(leman_context *ctx, const leman_graph *g, lm_mol *m)
{
    const unsigned columns =
        LEMAN_ATOM_ELEMENT + LEMAN_ATOM_CHARGE + LEMAN_ATOM_ISOTOPE + LEMAN_ATOM_RADICAL + LEMAN_ATOM_COLUMNS;
    const unsigned labels = g->vertex_labels == lm_label_columns(columns) ? columns : ONE_NUMBER;
    bool hydrogens = false;
    for (size_t a = 0; a < g->vertices; a++)
        hydrogens |= lm_label_atom(g->vertex_label + a * g->vertex_labels, labels).hydrogens > 0;
    return convert(ctx, "molecule", 0, g, labels, hydrogens, m);
}
