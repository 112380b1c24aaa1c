/* Turns a molecule into a graph: changes hydrogens and aromatic bonds as chosen, then makes atoms vertices and bonds
 * edges. */
#include "base/sort.h"
#include "io/intern.h"
#include "io/molecule/molecule.h"
#include "io/molecule/standardize.h"
#include "io/molecule/stereo.h"
#include <string.h>

enum {
    FIRST_RINGS = 100,
    USUAL = LEMAN_ATOM_ELEMENT | LEMAN_ATOM_CHARGE | LEMAN_ATOM_ISOTOPE | LEMAN_ATOM_RADICAL,
    KINDS = USUAL | LEMAN_ATOM_HYDROGENS | LEMAN_ATOM_AROMATIC,
    CIRCULAR = LEMAN_ATOM_ECFP | LEMAN_ATOM_FCFP
};

lm_mol_choices lm_mol_choices_of(const leman_read_options *options)
{
    lm_mol_choices choices = {.labels = options->atom_labels,
                              .hydrogens = options->hydrogens,
                              .aromatic = options->aromatic,
                              .valence = options->policy->valence,
                              .standardize = options->standardize,
                              .stereo = options->stereo == LEMAN_STEREO_LABELS,
                              .lines = lm_policy_refuses(options->policy)};
    if (choices.stereo) choices.labels |= LM_ATOM_STEREO;
    if (choices.labels & CIRCULAR) return choices;
    if (!(choices.labels & KINDS)) choices.labels |= USUAL;
    if (choices.hydrogens == LEMAN_HYDROGENS_LABELS) choices.labels |= LEMAN_ATOM_HYDROGENS;
    return choices;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

void lm_mol_free(lm_mol *m)
{
    RELEASE(m->atom, m->bond, m->place, m->parent, m->parent_bond, m->ring_sum, m->branch, m->closed_by, m->mark,
            m->ring_place, m->ring);
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
    PASS_NEW(ctx, more.mark, capacity);
    PASS_NEW(ctx, more.ring_place, 2 * capacity);
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
    more.sided = m->sided;
    more.stereo_at = m->stereo_at;
    more.stereo_count = m->stereo_count;
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

/* A plain hydrogen that is written above its atom says that the other neighbour is below: gives the marks of such
 * bonds to the other single bond of the atom. A bond between two double bonds may get contradictory marks from both, as
 * only their relation counts; it is left without a mark. O(atoms + bonds). */
static leman_status move_sides(leman_context *ctx, lm_mol *m, const uint32_t *heavy)
{
    SCRATCH_SCOPE(ctx);
    int8_t *up; /* of each atom: the side of its other neighbour, 0 if no hydrogen says it */
    PASS_SCRATCH_ZERO(ctx, up, m->atoms);
    for (size_t i = 0; i < m->bonds; i++) {
        const lm_mol_bond *bond = m->bond + i;
        if (!bond->side) continue;
        if (heavy[bond->from] != bond->from) up[bond->to] = bond->side; /* the hydrogen is the beginning of the bond */
        if (heavy[bond->to] != bond->to) up[bond->from] = (int8_t)-bond->side;
    }
    for (size_t i = 0; i < m->bonds; i++) {
        lm_mol_bond *bond = m->bond + i;
        if (bond->type != LM_BOND_SINGLE || heavy[bond->from] != bond->from || heavy[bond->to] != bond->to) continue;
        for (int way = 0; way < 2; way++) {
            const int side = way ? -up[bond->to] : up[bond->from];
            if (side) bond->side = (int8_t)(!bond->side || bond->side == side ? side : 0);
        }
    }
    return LEMAN_OK;
}

static leman_status fold_hydrogens(leman_context *ctx, lm_mol *m, lm_mol_counts *counts)
{
    SCRATCH_SCOPE(ctx);
    uint32_t *heavy, *number;
    size_t atoms = 0, bonds = 0;
    PASS(find_plain_hydrogens(ctx, m, &heavy));
    PASS_SCRATCH(ctx, number, m->atoms);
    if (m->sided) PASS(move_sides(ctx, m, heavy));
    for (uint32_t a = 0; a < m->atoms; a++) {
        if (heavy[a] == a) continue;
        lm_atom *to = m->atom + heavy[a];
        to->hydrogens++;
        to->valence2 -= 2;
        counts->folded++;
    }
    for (uint32_t a = 0; a < m->atoms; a++) {
        number[a] = heavy[a] == a ? (uint32_t)atoms : LM_NO_ATOM;
        if (heavy[a] != a) continue;
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
    lm_stereo_renumber(m, number);
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

/* ---- Aromatic bonds -------------------------------------------------------------------------- */

/* Makes aromatic bonds single and double. */
static leman_status make_kekule(const lm_mol_origin *from, lm_mol *m)
{
    leman_context *ctx = from->where->ctx;
    uint8_t *order;
    size_t missing, atom;
    PASS_SCRATCH(ctx, order, m->bonds + 1);
    PASS(lm_mol_kekule(ctx, m, order, &missing, &atom));
    if (missing)
        return lm_text_fail(from->where,
                            "found aromatic bonds that cannot be made single and double, expected a double bond "
                            "for atom %zu%s",
                            atom + from->first_atom, from->first_atom ? "" : ", counted from 0");
    for (size_t i = 0; i < m->bonds; i++)
        if (order[i]) m->bond[i].type = order[i];
    lm_mol_valences(m);
    return LEMAN_OK;
}

/* Sets *atom to an atom that a Kekulé structure leaves without its double bond, or to SIZE_MAX. */
static leman_status find_unmatched(leman_context *ctx, const lm_mol *m, size_t *atom)
{
    uint8_t *order;
    size_t missing;
    bool aromatic = false;
    for (size_t i = 0; i < m->bonds; i++) aromatic |= m->bond[i].type == LM_BOND_AROMATIC;
    *atom = SIZE_MAX;
    if (!aromatic) return LEMAN_OK;
    PASS_SCRATCH(ctx, order, m->bonds);
    PASS(lm_mol_kekule(ctx, m, order, &missing, atom));
    if (!missing) *atom = SIZE_MAX;
    return LEMAN_OK;
}

/* Finds aromatic rings, if they are to be found, and checks that the molecule can exist. */
static leman_status perceive(const lm_mol_origin *from, lm_mol *m, const lm_mol_choices *choices, lm_mol_counts *counts)
{
    leman_context *ctx = from->where->ctx;
    const bool finds = choices->aromatic == LEMAN_AROMATIC_RDKIT || choices->aromatic == LEMAN_AROMATIC_MDL;
    bool checks = choices->valence != LEMAN_ACTION_KEEP;
    size_t unmatched = SIZE_MAX;
    lm_mol_search s;
    if (!finds && !checks) return LEMAN_OK;
    PASS(lm_mol_rings(ctx, m, true, &s));
    if (finds) counts->separated += lm_mol_separate_charges(m, &s);
    if (checks) PASS(lm_mol_check_chemistry(from, m, &s, choices, counts, &checks)); /* a fault is enough */
    if (finds)
        PASS(lm_mol_find_aromatic(ctx, m, &s, choices->aromatic, counts, &unmatched));
    else if (checks && choices->aromatic != LEMAN_AROMATIC_KEKULE)
        PASS(find_unmatched(ctx, m, &unmatched));
    if (checks && unmatched != SIZE_MAX) PASS(lm_mol_report_kekule(from, m, unmatched, choices, counts));
    return LEMAN_OK;
}

/* Standardises a molecule without hydrogens as atoms, and finds its aromatic rings again if groups or charges changed. */
static leman_status standardize(leman_context *ctx, lm_mol *m, const lm_mol_choices *choices, leman_aromatic model,
                                lm_mol_counts *counts)
{
    size_t left_out = 0, groups = 0, charges = 0, unmatched;
    lm_mol_counts ignored = {0};
    lm_mol_search s;
    if (choices->standardize & LEMAN_STANDARDIZE_FRAGMENT) PASS(lm_mol_keep_largest(ctx, m, &left_out));
    if (choices->standardize & LEMAN_STANDARDIZE_GROUPS) PASS(lm_mol_normalize_groups(ctx, m, model, &groups));
    if (choices->standardize & LEMAN_STANDARDIZE_CHARGES) PASS(lm_mol_uncharge(ctx, m, &charges));
    counts->salts += left_out > 0;
    counts->left_out += left_out;
    counts->groups += groups;
    counts->uncharged += charges;
    if (!groups && !charges) return LEMAN_OK;
    lm_mol_valences(m);
    if (model == LEMAN_AROMATIC_AS_WRITTEN) return LEMAN_OK;
    PASS(lm_mol_rings(ctx, m, true, &s));
    return lm_mol_find_aromatic(ctx, m, &s, model, &ignored, &unmatched);
}

leman_status lm_mol_prepare(const lm_mol_origin *from, lm_mol *m, const lm_mol_choices *given, lm_mol_counts *counts)
{
    leman_context *ctx = from->where->ctx;
    SCRATCH_SCOPE(ctx);
    lm_mol_choices choices = *given;
    if (choices.standardize && choices.aromatic == LEMAN_AROMATIC_KEKULE) choices.aromatic = LEMAN_AROMATIC_RDKIT;
    m->stereo_count = 0;
    if (choices.stereo) PASS(lm_stereo_collect(ctx, m, choices.places, counts));
    PASS(perceive(from, m, &choices, counts));
    if (choices.hydrogens != LEMAN_HYDROGENS_AS_WRITTEN && m->has_hydrogens &&
        (choices.standardize || choices.hydrogens != LEMAN_HYDROGENS_EXPLICIT))
        PASS(fold_hydrogens(ctx, m, counts));
    if (choices.standardize) PASS(standardize(ctx, m, &choices, choices.aromatic, counts));
    if (choices.hydrogens == LEMAN_HYDROGENS_EXPLICIT) PASS(add_hydrogens(ctx, m, counts));
    if (choices.stereo) PASS(lm_stereo_label(ctx, m, counts));
    if (given->aromatic == LEMAN_AROMATIC_KEKULE) PASS(make_kekule(from, m));
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

static leman_status put_labels(leman_context *ctx, const lm_mol *m, unsigned labels, lm_mol_counts *counts,
                               lm_vector *to)
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
    if (labels & CIRCULAR) PASS(lm_mol_invariants(ctx, m, labels, (int64_t *)to->items + to->count));
    to->count += m->atoms * columns;
    return LEMAN_OK;
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
            label[count] = bond->type + LM_BOND_STEREO * bond->stereo;
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
    PASS(put_labels(ctx, m, choices->labels, counts, &raw->vertex_label));
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
            label[at] = m->bond[i].type + LM_BOND_STEREO * m->bond[i].stereo;
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

/* Writes the marks / and \ of the molecule whose first arc is `first`. Arcs of earlier molecules have none. */
static leman_status put_sides(leman_context *ctx, const lm_mol *m, size_t first, lm_flat *flat)
{
    const uint64_t *end = (const uint64_t *)flat->vertex_end.items + flat->vertex_end.count - m->atoms;
    const size_t more = first + 2 * m->bonds - flat->side.count;
    if (!more) return LEMAN_OK; /* no arcs: the vectors may have no memory at all */
    PASS(lm_vector_reserve(ctx, &flat->side, more, 1));
    int8_t *side = flat->side.items;
    memset(side + flat->side.count, 0, more);
    flat->side.count += more;
    for (size_t i = 0; i < m->bonds; i++)
        for (int way = 0; way < 2 && m->bond[i].side; way++) {
            const uint32_t from = way ? m->bond[i].to : m->bond[i].from, to = way ? m->bond[i].from : m->bond[i].to;
            const size_t begin = from ? end[from - 1] : first;
            side[lm_lower_bound(flat->head.items, begin, end[from], to)] =
                (int8_t)(way ? -m->bond[i].side : m->bond[i].side);
        }
    return LEMAN_OK;
}

leman_status lm_mol_add_flat(leman_context *ctx, lm_mol *m, const lm_mol_choices *choices, lm_mol_counts *counts,
                             lm_raw *raw, lm_flat *flat)
{
    const uint64_t arcs = flat->head.count;
    PASS(lm_flat_reserve(ctx, flat, &raw->columns, m->atoms, 2 * m->bonds));
    uint64_t *end = (uint64_t *)flat->vertex_end.items + flat->vertex_end.count;
    PASS(put_labels(ctx, m, choices->labels, counts, &flat->vertex_label));
    put_arcs(m, m->branch, (uint32_t *)flat->head.items + arcs, (int64_t *)flat->edge_label.items + arcs);
    for (size_t a = 0; a < m->atoms; a++) end[a] = arcs + m->branch[a];
    flat->vertex_end.count += m->atoms;
    flat->head.count += 2 * m->bonds;
    flat->edge_label.count += 2 * m->bonds;
    if (m->sided) PASS(put_sides(ctx, m, arcs, flat));
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
    const unsigned labels =
        choices->labels & LEMAN_ATOM_ECFP ? LEMAN_ATOM_CHARGE | LEMAN_ATOM_ISOTOPE : choices->labels;
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
    if (counts->stereo && !choices->stereo)
        lm_log(ctx, "%s: marks of stereochemistry (@, /, \\) that are left out of the graphs: %zu", name,
               counts->stereo);
    if (counts->stereo_labels[0] + counts->stereo_labels[1])
        lm_log(ctx, "%s: atoms with a label of stereochemistry: %zu; double bonds: %zu", name, counts->stereo_labels[0],
               counts->stereo_labels[1]);
    if (counts->no_stereo)
        lm_log(ctx,
               "%s: marks of stereochemistry that give no label, as neighbours are equal or the atom or bond has none: "
               "%zu",
               name, counts->no_stereo);
    if (counts->stereo_too_large)
        lm_log(ctx, "%s: molecules too large and symmetric for all labels of stereochemistry to be found: %zu", name,
               counts->stereo_too_large);
    if (counts->separated)
        lm_log(ctx, "%s: groups such as N(=O)=O that got charges, [N+](=O)[O-]: %zu", name, counts->separated);
    if (counts->salts)
        lm_log(ctx, "%s: molecules of several fragments, of which the largest was kept: %zu; fragments left out: %zu",
               name, counts->salts, counts->left_out);
    if (counts->groups)
        lm_log(ctx, "%s: groups such as S=O, [S+][O-], that were written in the standard form: %zu", name,
               counts->groups);
    if (counts->uncharged)
        lm_log(ctx, "%s: atoms whose charge was taken away by hydrogens: %zu", name, counts->uncharged);
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
    if (counts->folded)
        lm_log(ctx, "%s: hydrogen atoms that were merged into their neighbours: %zu", name, counts->folded);
    if (counts->added) lm_log(ctx, "%s: hydrogen atoms that were added: %zu", name, counts->added);
    if (counts->placed && counts->unplaced)
        lm_log(ctx, "%s: molecules without coordinates, all of which are 0: %zu of %zu", name, counts->unplaced,
               counts->placed + counts->unplaced);
}
