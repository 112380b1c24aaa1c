/*
 * Writes graphs as SDF: V2000, or V3000 for molecules of more than 999 atoms or bonds. Three columns of vertex
 * attributes are written as coordinates with four decimals; otherwise coordinates are 0. Charges, isotopes and radicals
 * are written in property lines. A valence is written for atoms whose hydrogens do not follow from the standard
 * valences. Double bonds that could be E or Z are marked as either where the coordinates say too much: those of molecules
 * that leman_dataset_lay_out() placed, unless the places agree with marks / and \ of both ends, and those without a label
 * of molecules that were read with labels of stereochemistry. Targets and classes are data fields. O(atoms + bonds).
 */
#include "io/molecule/molecule_of.h"
#include "io/molecule/sdf.h"
#include <math.h>
#include <string.h>

enum { V2000_MOST = 999, PAIRS = 8, NO_VALENCE = 15, WIDEST = 99999, EITHER_RING = 8, V2000_EITHER = 3 };

static const char *symbol_of(const lm_atom *atom)
{
    return atom->element ? lm_element_symbol(atom->element) : "*";
}

/* Returns the valence to write in the form of V2000, or 0 if none is needed. */
static int valence_of(const lm_atom *atom)
{
    lm_atom plain = *atom;
    plain.fixed = !plain.element;
    lm_mol one = {.atom = &plain, .atoms = 1};
    lm_mol_imply_hydrogens(&one);
    if (plain.hydrogens == atom->hydrogens) return 0;
    const int valence = (int)((atom->valence2 + 1) / 2) + atom->hydrogens;
    return valence ? valence : NO_VALENCE;
}

typedef enum kind { CHARGE, RADICAL, ISOTOPE } kind;

static int value_of(const lm_atom *atom, kind property)
{
    return property == CHARGE ? atom->charge : property == RADICAL ? atom->radical : atom->isotope;
}

/* Writes lines such as "M  CHG  2   1  -1   4   1", with at most eight atoms each. */
static void write_property(const lm_mol *m, const char *name, kind property, lm_output *out)
{
    for (size_t a = 0; a < m->atoms;) {
        size_t pairs = 0, end = a;
        for (; end < m->atoms && pairs < PAIRS; end++) pairs += value_of(m->atom + end, property) != 0;
        if (pairs) lm_output_printf(out, "M  %s%3zu", name, pairs);
        for (; a < end; a++)
            if (value_of(m->atom + a, property))
                lm_output_printf(out, " %3zu %3d", a + 1, value_of(m->atom + a, property));
        if (pairs) lm_output_printf(out, "\n");
    }
}

/* ---- Double bonds ---------------------------------------------------------------------------- */

/* Breadth-first search from one end of the bond to the other. */
bool lm_mol_in_small_ring(const lm_mol *m, const lm_mol_search *s, size_t i, uint32_t *far)
{
    const uint32_t goal = m->bond[i].to;
    size_t done = 0, queued = 0;
    bool found = false;
    far[m->bond[i].from] = 1; /* atoms on the shortest path to it */
    s->stack[queued++] = m->bond[i].from;
    while (done < queued && !found) {
        const uint32_t a = s->stack[done++];
        for (size_t j = s->start[a]; j < s->start[a + 1] && far[a] + 1 < EITHER_RING; j++) {
            const lm_mol_bond *bond = m->bond + s->bond[j];
            const uint32_t b = bond->from == a ? bond->to : bond->from;
            if (s->bond[j] == i || far[b]) continue;
            found |= b == goal;
            far[b] = far[a] + 1;
            s->stack[queued++] = b;
        }
    }
    for (size_t q = 0; q < queued; q++) far[s->stack[q]] = 0;
    return found;
}

/* Returns on which side of the double bond from a to b the neighbours of a are, by the marks, times the side on which
 * they are drawn: 1 or -1 if they agree, 0 if nothing is known or something is not clear. */
static int agreement(const lm_mol *m, const lm_mol_search *s, uint32_t a, uint32_t b)
{
    int found = 0;
    for (size_t j = s->start[a]; j < s->start[a + 1]; j++) {
        const lm_mol_bond *bond = m->bond + s->bond[j];
        const uint32_t u = bond->from == a ? bond->to : bond->from;
        const double *p = m->place + 3 * a, *q = m->place + 3 * b, *r = m->place + 3 * u;
        const double drawn = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
        const int side = (bond->from == a ? bond->side : -bond->side) * (drawn > 0.1 ? 1 : drawn < -0.1 ? -1 : 0);
        if (u == b || !bond->side) continue;
        if (!side || (found && side != found)) return 0;
        found = side;
    }
    return found;
}

/* Returns true if the marks at both ends of double bond i are those of the drawing. */
static bool is_drawn_so(const lm_mol *m, const lm_mol_search *s, size_t i)
{
    const uint32_t a = m->bond[i].from, b = m->bond[i].to;
    return agreement(m, s, a, b) * agreement(m, s, b, a) < 0; /* b to a has left and right exchanged */
}

/* Returns true if both ends of a double bond have other bonds, and it is in no small ring. */
static bool may_be_either(const lm_mol *m, const lm_mol_search *s, size_t i, uint32_t *far)
{
    const lm_mol_bond *bond = m->bond + i;
    const bool inner =
        s->start[bond->from + 1] - s->start[bond->from] > 1 && s->start[bond->to + 1] - s->start[bond->to] > 1;
    if (bond->type != LM_BOND_DOUBLE || !inner || (m->sided && is_drawn_so(m, s, i))) return false;
    return !s->in_ring[i] || !lm_mol_in_small_ring(m, s, i, far);
}

/* Sets *out to either[bonds]. drawn: coordinates say nothing; labelled: double bonds that are known to be E or Z have a
 * label. */
static leman_status find_either(leman_context *ctx, const lm_mol *m, bool drawn, bool labelled, bool **out)
{
    lm_mol_search s;
    uint32_t *far;
    PASS_SCRATCH_ZERO(ctx, *out, m->bonds + 1);
    if (!drawn && !labelled) return LEMAN_OK;
    PASS_SCRATCH_ZERO(ctx, far, m->atoms + 1);
    PASS(lm_mol_rings(ctx, m, false, &s));
    for (size_t i = 0; i < m->bonds; i++) {
        const bool aromatic = m->atom[m->bond[i].from].aromatic && m->atom[m->bond[i].to].aromatic;
        if (drawn || (!m->bond[i].stereo && !aromatic)) (*out)[i] = may_be_either(m, &s, i, far);
    }
    return LEMAN_OK;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void write_v2000(const lm_mol *m, const bool *either, lm_output *out)
{
    lm_output_printf(out, "%3zu%3zu  0  0  0  0  0  0  0  0999 V2000\n", m->atoms, m->bonds);
    for (size_t a = 0; a < m->atoms; a++)
        lm_output_printf(out, "%10.4f%10.4f%10.4f %-3s 0  0  0  0  0%3d  0  0  0  0  0  0\n", m->place[3 * a],
                         m->place[3 * a + 1], m->place[3 * a + 2], symbol_of(m->atom + a), valence_of(m->atom + a));
    for (size_t i = 0; i < m->bonds; i++)
        lm_output_printf(out, "%3u%3u%3d%3d\n", m->bond[i].from + 1, m->bond[i].to + 1, m->bond[i].type,
                         either[i] ? V2000_EITHER : 0);
    write_property(m, "CHG", CHARGE, out);
    write_property(m, "RAD", RADICAL, out);
    write_property(m, "ISO", ISOTOPE, out);
}

static void write_v3000(const lm_mol *m, const bool *either, lm_output *out)
{
    lm_output_printf(out, "  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS %zu %zu 0 0 0\n",
                     m->atoms, m->bonds);
    lm_output_printf(out, "M  V30 BEGIN ATOM\n");
    for (size_t a = 0; a < m->atoms; a++) {
        const lm_atom *atom = m->atom + a;
        const int valence = valence_of(atom);
        lm_output_printf(out, "M  V30 %zu %s %.4f %.4f %.4f 0", a + 1, symbol_of(atom), m->place[3 * a],
                         m->place[3 * a + 1], m->place[3 * a + 2]);
        if (atom->charge) lm_output_printf(out, " CHG=%d", atom->charge);
        if (atom->radical) lm_output_printf(out, " RAD=%d", atom->radical);
        if (atom->isotope) lm_output_printf(out, " MASS=%d", atom->isotope);
        if (valence) lm_output_printf(out, " VAL=%d", valence == NO_VALENCE ? -1 : valence);
        lm_output_printf(out, "\n");
    }
    lm_output_printf(out, "M  V30 END ATOM\nM  V30 BEGIN BOND\n");
    for (size_t i = 0; i < m->bonds; i++)
        lm_output_printf(out, "M  V30 %zu %d %u %u%s\n", i + 1, m->bond[i].type, m->bond[i].from + 1, m->bond[i].to + 1,
                         either[i] ? " CFG=2" : "");
    lm_output_printf(out, "M  V30 END BOND\nM  V30 END CTAB\n");
}

/* Returns the end of the second line, in which columns 21 and 22 are 2D or 3D if the molecule has coordinates. */
static const char *dimensions_of(const lm_mol *m)
{
    bool placed = false;
    if (lm_mol_in_space(m)) return "             3D";
    for (size_t i = 0; i < 3 * m->atoms; i++) placed |= m->place[i] < 0 || m->place[i] > 0;
    return placed ? "             2D" : "";
}

static leman_status check_molecule(leman_context *ctx, const leman_dataset *data, size_t graph, const lm_mol *m)
{
    for (size_t i = 0; i < m->bonds; i++)
        if (m->bond[i].type == LM_BOND_QUADRUPLE)
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: graph %zu has a quadruple bond, which SDF does not have",
                           data->name, graph);
    for (size_t a = 0; a < 3 * m->atoms; a++)
        if (!(fabs(m->place[a]) < (double)WIDEST))
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: graph %zu: found the coordinate %g, expected one below 99999",
                           data->name, graph, m->place[a]);
    return LEMAN_OK;
}

static void write_fields(const leman_dataset *data, size_t graph, lm_output *out)
{
    const size_t targets = data->columns.targets;
    size_t length;
    char number[LM_TARGET_TEXT];
    const char *text = lm_mol_class_text(data, graph, number, &length);
    if (length) lm_output_printf(out, "> <class>\n%.*s\n\n", (int)length, text);
    for (size_t i = 0; i < targets; i++) {
        const double value = data->target[graph * targets + i];
        const bool missing = lm_is_missing_target(value);
        if (missing && graph) continue; /* the first molecule has all fields, in the order of the columns */
        text = lm_mol_target_name(data, i, number, &length);
        lm_output_printf(out, "> <%.*s>\n", (int)length, text);
        if (!missing) lm_output_real(out, value);
        lm_output_printf(out, missing ? "\n" : "\n\n");
    }
}

static leman_status write_molecule(const leman_dataset *data, size_t graph, const lm_mol *m, lm_output *out)
{
    size_t length;
    if (!m) return lm_output_write(out, "$$$$\n", data->graphs ? 0 : 5); /* the reader refuses an empty file */
    SCRATCH_SCOPE(out->ctx);
    bool *either;
    PASS(check_molecule(out->ctx, data, graph, m));
    const bool labelled = !data->drawn && lm_mol_reading_of(out->ctx, data).stereo == LEMAN_STEREO_LABELS;
    PASS(find_either(out->ctx, m, data->drawn, labelled, &either));
    const char *name = leman_dataset_graph_name(data, graph, &length);
    lm_output_printf(out, "%.*s\n  Leman%s\n\n", (int)length, name, dimensions_of(m));
    if (m->atoms <= V2000_MOST && m->bonds <= V2000_MOST)
        write_v2000(m, either, out);
    else
        write_v3000(m, either, out);
    lm_output_printf(out, "M  END\n");
    write_fields(data, graph, out);
    return lm_output_printf(out, "$$$$\n");
}

leman_status lm_sdf_write(leman_context *ctx, const leman_dataset *data, lm_output *out)
{
    return lm_mol_write_all(ctx, data, true, write_molecule, out);
}
