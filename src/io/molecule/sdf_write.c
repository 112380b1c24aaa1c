/*
 * Writes graphs as SDF: V2000, or V3000 for molecules of more than 999 atoms or bonds. Three columns of vertex
 * attributes are written as coordinates with four decimals; otherwise coordinates are 0. Charges, isotopes and radicals
 * are written in property lines. A valence is written for atoms whose hydrogens do not follow from the standard
 * valences. Targets and classes are data fields. O(atoms + bonds).
 */
#include "io/molecule/molecule_of.h"
#include "io/molecule/sdf.h"
#include <math.h>
#include <string.h>

enum { V2000_MOST = 999, PAIRS = 8, NO_VALENCE = 15, WIDEST = 99999 };

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

static void write_v2000(const lm_mol *m, lm_output *out)
{
    lm_output_printf(out, "%3zu%3zu  0  0  0  0  0  0  0  0999 V2000\n", m->atoms, m->bonds);
    for (size_t a = 0; a < m->atoms; a++)
        lm_output_printf(out, "%10.4f%10.4f%10.4f %-3s 0  0  0  0  0%3d  0  0  0  0  0  0\n", m->place[3 * a],
                         m->place[3 * a + 1], m->place[3 * a + 2], symbol_of(m->atom + a), valence_of(m->atom + a));
    for (size_t i = 0; i < m->bonds; i++)
        lm_output_printf(out, "%3u%3u%3d  0\n", m->bond[i].from + 1, m->bond[i].to + 1, m->bond[i].type);
    write_property(m, "CHG", CHARGE, out);
    write_property(m, "RAD", RADICAL, out);
    write_property(m, "ISO", ISOTOPE, out);
}

static void write_v3000(const lm_mol *m, lm_output *out)
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
        lm_output_printf(out, "M  V30 %zu %d %u %u\n", i + 1, m->bond[i].type, m->bond[i].from + 1, m->bond[i].to + 1);
    lm_output_printf(out, "M  V30 END BOND\nM  V30 END CTAB\n");
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
    PASS(check_molecule(out->ctx, data, graph, m));
    const char *name = leman_dataset_graph_name(data, graph, &length);
    lm_output_printf(out, "%.*s\n  Leman\n\n", (int)length, name);
    if (m->atoms <= V2000_MOST && m->bonds <= V2000_MOST)
        write_v2000(m, out);
    else
        write_v3000(m, out);
    lm_output_printf(out, "M  END\n");
    write_fields(data, graph, out);
    return lm_output_printf(out, "$$$$\n");
}

leman_status lm_sdf_write(leman_context *ctx, const leman_dataset *data, lm_output *out)
{
    return lm_mol_write_all(ctx, data, true, write_molecule, out);
}
