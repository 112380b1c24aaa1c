/* Turns a molecule into a graph: changes hydrogens and aromatic bonds as chosen, then makes atoms vertices and bonds
 * edges. */
#include "io/intern.h"
#include "io/molecule/molecule.h"
#include <string.h>

enum {
    FIRST_RINGS = 100,
    USUAL = LEMAN_ATOM_ELEMENT | LEMAN_ATOM_CHARGE | LEMAN_ATOM_ISOTOPE | LEMAN_ATOM_RADICAL,
    KINDS = USUAL | LEMAN_ATOM_HYDROGENS | LEMAN_ATOM_AROMATIC
};

lm_mol_choices lm_mol_choices_of(const leman_read_options *options)
{
    lm_mol_choices choices = {.labels = options->atom_labels,
                              .hydrogens = options->hydrogens,
                              .aromatic = options->aromatic,
                              .lines = lm_policy_refuses(options->policy)};
    if (!(choices.labels & KINDS)) choices.labels |= USUAL;
    if (choices.hydrogens == LEMAN_HYDROGENS_LABELS) choices.labels |= LEMAN_ATOM_HYDROGENS;
    return choices;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

void lm_mol_free(lm_mol *m)
{
    RELEASE(m->atom, m->bond, m->place, m->parent, m->parent_bond, m->ring_sum, m->branch, m->closed_by, m->ring);
    *m = (lm_mol){0};
}

leman_status lm_mol_reserve(leman_context *ctx, lm_mol *m, size_t capacity)
{
    AUTO(lm_mol_free) lm_mol more = {0};
    if (capacity <= m->capacity) return LEMAN_OK;
    if (capacity > UINT32_MAX / 8) return lm_fail(ctx, LEMAN_ERROR_INPUT, "found a molecule of more than 2^29 atoms");
    capacity = capacity < 128 ? 256 : 2 * capacity;
    PASS_NEW(ctx, more.atom, capacity);
    PASS_NEW(ctx, more.bond, capacity);
    PASS_NEW(ctx, more.place, 3 * capacity);
    PASS_NEW(ctx, more.parent, capacity);
    PASS_NEW(ctx, more.parent_bond, capacity);
    PASS_NEW(ctx, more.ring_sum, capacity);
    PASS_NEW(ctx, more.branch, 2 * capacity);
    PASS_NEW(ctx, more.closed_by, capacity);
    more.rings = m->rings ? m->rings : FIRST_RINGS;
    PASS_NEW_ZERO(ctx, more.ring, more.rings);
    if (m->capacity) {
        memcpy(more.atom, m->atom, m->atoms * sizeof *m->atom);
        memcpy(more.bond, m->bond, m->bonds * sizeof *m->bond);
        memcpy(more.place, m->place, 3 * m->atoms * sizeof *m->place);
    }
    more.atoms = m->atoms;
    more.bonds = m->bonds;
    more.capacity = capacity;
    more.has_hydrogens = m->has_hydrogens;
    lm_mol_free(m);
    *m = more;
    more = (lm_mol){0};
    return LEMAN_OK;
}

/* ---- Hydrogens ------------------------------------------------------------------------------- */

/* Sets heavy[h] of every plain hydrogen atom h to the atom it belongs to, and heavy[a] = a for all other atoms. A
 * hydrogen is plain if it has no charge, isotope, radical or hydrogens of its own, and one single bond to an element
 * other than hydrogen. At most LM_MAX_HYDROGENS are plain at one atom. */
static leman_status find_plain_hydrogens(leman_context *ctx, const lm_mol *m, uint32_t **out)
{
    uint32_t *heavy, *degree, *held;
    PASS_SCRATCH(ctx, heavy, m->atoms);
    PASS_SCRATCH(ctx, degree, m->atoms);
    PASS_SCRATCH(ctx, held, m->atoms); /* number of hydrogens of an atom */
    for (uint32_t a = 0; a < m->atoms; a++) heavy[a] = a, degree[a] = 0, held[a] = m->atom[a].hydrogens;
    for (size_t i = 0; i < m->bonds; i++) degree[m->bond[i].from]++, degree[m->bond[i].to]++;
    for (size_t i = 0; i < m->bonds; i++) {
        const uint32_t ends[2] = {m->bond[i].from, m->bond[i].to};
        for (int side = 0; side < 2 && m->bond[i].type == LM_BOND_SINGLE; side++) {
            const lm_atom *h = m->atom + ends[side], *other = m->atom + ends[!side];
            const bool plain = h->element == 1 && !h->charge && !h->isotope && !h->radical && !h->hydrogens;
            if (!plain || degree[ends[side]] != 1 || other->element <= 1 || held[ends[!side]] >= LM_MAX_HYDROGENS)
                continue;
            heavy[ends[side]] = ends[!side];
            held[ends[!side]]++;
        }
    }
    *out = heavy;
    return LEMAN_OK;
}

static leman_status fold_hydrogens(leman_context *ctx, lm_mol *m, lm_mol_counts *counts)
{
    SCRATCH_SCOPE(ctx);
    uint32_t *heavy, *number;
    size_t atoms = 0, bonds = 0;
    PASS(find_plain_hydrogens(ctx, m, &heavy));
    PASS_SCRATCH(ctx, number, m->atoms);
    for (uint32_t a = 0; a < m->atoms; a++) {
        if (heavy[a] == a) continue;
        lm_atom *to = m->atom + heavy[a];
        to->hydrogens++;
        to->valence2 -= 2;
        counts->folded++;
    }
    for (uint32_t a = 0; a < m->atoms; a++) {
        if (heavy[a] != a) continue;
        number[a] = (uint32_t)atoms;
        m->atom[atoms] = m->atom[a];
        memcpy(m->place + 3 * atoms++, m->place + 3 * a, 3 * sizeof *m->place);
    }
    for (size_t i = 0; i < m->bonds; i++) {
        lm_mol_bond bond = m->bond[i];
        if (heavy[bond.from] != bond.from || heavy[bond.to] != bond.to) continue;
        bond.from = number[bond.from];
        bond.to = number[bond.to];
        m->bond[bonds++] = bond;
    }
    m->atoms = atoms;
    m->bonds = bonds;
    return LEMAN_OK;
}

/* Appends the implied hydrogens as atoms, in the order of their heavy atoms and with the coordinates of these. */
static leman_status add_hydrogens(leman_context *ctx, lm_mol *m, lm_mol_counts *counts)
{
    size_t added = 0;
    const size_t atoms = m->atoms;
    for (size_t a = 0; a < atoms; a++) added += m->atom[a].hydrogens;
    PASS(lm_mol_reserve(ctx, m, (atoms > m->bonds ? atoms : m->bonds) + added + 1));
    for (uint32_t a = 0; a < atoms; a++)
        for (; m->atom[a].hydrogens; m->atom[a].hydrogens--) {
            memcpy(m->place + 3 * m->atoms, m->place + 3 * a, 3 * sizeof *m->place);
            m->bond[m->bonds++] = (lm_mol_bond){.from = a, .to = (uint32_t)m->atoms, .type = LM_BOND_SINGLE};
            m->atom[m->atoms++] = (lm_atom){.element = 1, .fixed = true, .valence2 = 2};
            m->atom[a].valence2 += 2;
        }
    counts->added += added;
    return LEMAN_OK;
}

leman_status lm_mol_prepare(const lm_text *where, size_t first_atom, lm_mol *m, const lm_mol_choices *choices,
                            lm_mol_counts *counts)
{
    leman_context *ctx = where->ctx;
    SCRATCH_SCOPE(ctx);
    uint8_t *order;
    size_t missing, atom;
    if (choices->aromatic == LEMAN_AROMATIC_RDKIT || choices->aromatic == LEMAN_AROMATIC_MDL)
        PASS(lm_mol_find_aromatic(ctx, m, choices->aromatic, counts));
    if (choices->aromatic == LEMAN_AROMATIC_KEKULE) {
        PASS_SCRATCH(ctx, order, m->bonds + 1);
        PASS(lm_mol_kekule(ctx, m, order, &missing, &atom));
        if (missing)
            return lm_text_fail(where,
                                "found aromatic bonds that cannot be made single and double, expected a double bond "
                                "for atom %zu%s",
                                atom + first_atom, first_atom ? "" : ", counted from 0");
        for (size_t i = 0; i < m->bonds; i++)
            if (order[i]) m->bond[i].type = order[i];
        lm_mol_valences(m);
    }
    if (choices->hydrogens == LEMAN_HYDROGENS_EXPLICIT)
        PASS(add_hydrogens(ctx, m, counts));
    else if (choices->hydrogens != LEMAN_HYDROGENS_AS_WRITTEN && m->has_hydrogens)
        PASS(fold_hydrogens(ctx, m, counts));
    return LEMAN_OK;
}

leman_status lm_mol_name(const lm_text *text, const char *what, lm_raw *raw)
{
    const size_t length = (size_t)(text->end - text->at);
    if (!lm_text_printable(text->at, length))
        return lm_text_fail(text, "found bytes in the %s that are no printable UTF-8 text", what);
    return lm_append_text(text->ctx, &raw->graph_name, &raw->graph_name_end, text->at, length);
}

/* ---- The graph ------------------------------------------------------------------------------- */

static void put_labels(const lm_mol *m, unsigned labels, lm_mol_counts *counts, lm_vector *to)
{
    const size_t columns = lm_label_columns(labels);
    int64_t *label = (int64_t *)to->items + to->count;
    const bool usual = labels == USUAL;
    for (size_t a = 0; a < m->atoms; a++, label += columns) {
        const lm_atom *atom = m->atom + a;
        if (!atom->charge && !atom->isotope && !atom->radical && atom->element) {
            if (usual)
                *label = atom->element;
            else
                lm_atom_label(atom, labels, label);
            continue;
        }
        counts->charges += atom->charge != 0;
        counts->isotopes += atom->isotope != 0;
        counts->radicals += atom->radical != 0;
        counts->placeholders += atom->element == 0;
        lm_atom_label(atom, labels, label);
    }
    to->count += m->atoms * columns;
}

/* Appends bonds from .. to-1 as edges; vertex numbers begin at `first`. */
static void put_edges(const lm_mol *m, size_t from, size_t to, uint32_t first, lm_raw *raw)
{
    uint32_t *tail = (uint32_t *)raw->tail.items + raw->tail.count;
    uint32_t *head = (uint32_t *)raw->head.items + raw->head.count;
    int64_t *label = (int64_t *)raw->edge_label.items + raw->edge_label.count;
    size_t count = 0;
    for (size_t i = from; i < to; i++) {
        const lm_mol_bond *bond = m->bond + i;
        for (int way = 0; way < (bond->from == bond->to ? 1 : 2); way++, count++) {
            tail[count] = first + (way ? bond->to : bond->from);
            head[count] = first + (way ? bond->from : bond->to);
            label[count] = bond->type;
        }
    }
    raw->tail.count += count;
    raw->head.count += count;
    raw->edge_label.count += count;
}

/* Counts a molecule as one with or without coordinates. A single atom may well lie at 0. */
static void count_places(const lm_mol *m, lm_mol_counts *counts)
{
    size_t i = 0;
    if (m->atoms < 2) return;
    while (i < 3 * m->atoms && !(m->place[i] < 0 || m->place[i] > 0)) i++;
    counts->placed += i < 3 * m->atoms;
    counts->unplaced += i == 3 * m->atoms;
}

leman_status lm_mol_add(leman_context *ctx, const lm_mol *m, const lm_mol_choices *choices, lm_mol_counts *counts,
                        lm_raw *raw, uint64_t line)
{
    const uint32_t first = (uint32_t)raw->vertex_graph.count;
    PASS(lm_raw_check_size(ctx, raw, 1, m->atoms));
    if (m->bonds > (size_t)(UINT32_MAX / 4) - raw->tail.count / 2)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found more bonds than 32 bits can number", raw->name);
    const size_t atoms = m->atoms + 1, arcs = 2 * m->bonds + 1; /* one more: an array even for an empty molecule */
    PASS(lm_vector_reserve(ctx, &raw->vertex_graph, atoms, sizeof(uint32_t)));
    PASS(lm_vector_reserve(ctx, &raw->vertex_label, atoms * raw->columns.vertex_labels, sizeof(int64_t)));
    PASS(lm_vector_reserve(ctx, &raw->tail, arcs, sizeof(uint32_t)));
    PASS(lm_vector_reserve(ctx, &raw->head, arcs, sizeof(uint32_t)));
    PASS(lm_vector_reserve(ctx, &raw->edge_label, arcs, sizeof(int64_t)));
    if (choices->places) count_places(m, counts);
    if (choices->places) PASS(lm_vector_append(ctx, &raw->vertex_attribute, m->place, 3 * m->atoms, sizeof(double)));
    uint32_t *graph = (uint32_t *)raw->vertex_graph.items + raw->vertex_graph.count;
    for (size_t a = 0; a < m->atoms; a++) graph[a] = (uint32_t)raw->graphs;
    raw->vertex_graph.count += m->atoms;
    put_labels(m, choices->labels, counts, &raw->vertex_label);
    for (size_t i = 0; choices->lines && i < m->bonds; i++) {
        put_edges(m, i, i + 1, first, raw);
        PASS(lm_raw_lines(ctx, raw, line + m->bond[i].line));
    }
    if (!choices->lines) put_edges(m, 0, m->bonds, first, raw);
    counts->stereo += m->stereo;
    raw->graphs++;
    return LEMAN_OK;
}

/* Writes the arcs of all atoms, sorted by head for each atom. end[a] becomes the end of the arcs of atom a. */
static void put_arcs(const lm_mol *m, uint32_t *end, uint32_t *head, int64_t *label)
{
    uint32_t sum = 0;
    memset(end, 0, m->atoms * sizeof *end);
    for (size_t i = 0; i < m->bonds; i++) end[m->bond[i].from]++, end[m->bond[i].to]++;
    for (size_t a = 0; a < m->atoms; a++) {
        const uint32_t degree = end[a];
        end[a] = sum;
        sum += degree;
    }
    for (size_t i = 0; i < m->bonds; i++) {
        const uint32_t ends[2] = {m->bond[i].from, m->bond[i].to};
        for (int side = 0; side < 2; side++) {
            const uint32_t at = end[ends[side]]++;
            head[at] = ends[!side];
            label[at] = m->bond[i].type;
        }
    }
    for (size_t a = 0, first = 0; a < m->atoms; first = end[a++])
        for (size_t i = first + 1; i < end[a]; i++) { /* insertion sort: few arcs, nearly sorted */
            const uint32_t to = head[i];
            const int64_t type = label[i];
            size_t j = i;
            for (; j > first && head[j - 1] > to; j--) head[j] = head[j - 1], label[j] = label[j - 1];
            head[j] = to;
            label[j] = type;
        }
}

leman_status lm_mol_add_flat(leman_context *ctx, lm_mol *m, const lm_mol_choices *choices, lm_mol_counts *counts,
                             lm_raw *raw, lm_flat *flat)
{
    const uint64_t arcs = flat->head.count;
    PASS(lm_flat_reserve(ctx, flat, &raw->columns, m->atoms, 2 * m->bonds));
    uint64_t *end = (uint64_t *)flat->vertex_end.items + flat->vertex_end.count;
    put_labels(m, choices->labels, counts, &flat->vertex_label);
    put_arcs(m, m->branch, (uint32_t *)flat->head.items + arcs, (int64_t *)flat->edge_label.items + arcs);
    for (size_t a = 0; a < m->atoms; a++) end[a] = arcs + m->branch[a];
    flat->vertex_end.count += m->atoms;
    flat->head.count += 2 * m->bonds;
    flat->edge_label.count += 2 * m->bonds;
    ((uint64_t *)flat->graph_end.items)[flat->graph_end.count++] = flat->vertex_end.count;
    counts->stereo += m->stereo;
    raw->graphs++;
    return LEMAN_OK;
}

/* ---- The log --------------------------------------------------------------------------------- */

/* Adds "3 atoms with a charge" or ", 1 with an isotope" to the list. */
static void list_atoms(lm_joined *list, size_t atoms, const char *what)
{
    if (atoms && !list->used)
        lm_joined_add(list, "%zu atom%s with %s", atoms, lm_plural(atoms), what);
    else if (atoms)
        lm_joined_add(list, ", %zu with %s", atoms, what);
}

void lm_mol_log(leman_context *ctx, const lm_mol_choices *choices, const lm_mol_counts *counts, const char *name)
{
    char labelled[160], ignored[160];
    lm_joined own = lm_joined_begin(labelled, sizeof labelled), none = lm_joined_begin(ignored, sizeof ignored);
    const unsigned labels = choices->labels;
    list_atoms(labels & LEMAN_ATOM_CHARGE ? &own : &none, counts->charges, "a charge");
    list_atoms(labels & LEMAN_ATOM_ISOTOPE ? &own : &none, counts->isotopes, "an isotope");
    list_atoms(labels & LEMAN_ATOM_RADICAL ? &own : &none, counts->radicals, "a radical");
    if (counts->placeholders)
        lm_log(ctx, "%s: atoms that are no elements (R, A, Q, X, *, ...) have label 0: %zu", name,
               counts->placeholders);
    if (*labelled)
        lm_log(ctx, "%s: %s, which %s", name, labelled,
               labels & LEMAN_ATOM_COLUMNS ? "are in label columns of their own" : "have labels of their own");
    if (*ignored) lm_log(ctx, "%s: %s, which is left out as was asked for", name, ignored);
    if (counts->stereo)
        lm_log(ctx, "%s: marks of stereochemistry (@, /, \\) that are left out: %zu", name, counts->stereo);
    if (counts->separated)
        lm_log(ctx, "%s: groups such as N(=O)=O that got charges, [N+](=O)[O-]: %zu", name, counts->separated);
    if (counts->not_kekule)
        lm_log(ctx,
               "%s: molecules with aromatic bonds that cannot be made single and double, which stay as they are "
               "written: %zu",
               name, counts->not_kekule);
    if (counts->too_large)
        lm_log(ctx,
               "%s: molecules with ring systems too large for aromatic rings to be found, which stay as they are "
               "written: %zu",
               name, counts->too_large);
    if (counts->folded) lm_log(ctx, "%s: hydrogen atoms that are counted and no vertices: %zu", name, counts->folded);
    if (counts->added) lm_log(ctx, "%s: hydrogen atoms that were added: %zu", name, counts->added);
    if (counts->placed && counts->unplaced)
        lm_log(ctx, "%s: molecules without coordinates, all of which are 0: %zu of %zu", name, counts->unplaced,
               counts->placed + counts->unplaced);
}
