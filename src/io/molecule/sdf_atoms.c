/*
 * Properties of an atom in an SDF beside its element: charge, isotope, radical and valence. They stand in the atom line
 * or in the property lines M  CHG, M  ISO and M  RAD, which replace those of the atom lines (CTfile formats,
 * "Properties block").
 */
#include "io/molecule/sdf.h"
#include <stdio.h>
#include <string.h>

enum { FIRST_PAIR = 9, PAIR = 8, MAX_PAIRS = 99, NO_VALENCE = 15 };

/* Returns the rounded atomic weight, to which the mass differences of atom lines are added. */
static int64_t standard_mass(int64_t element)
{
    static const int16_t MASS[] = {0,   1,   4,   7,   9,   11,  12,  14,  16,  19,  20,  23,  24,  27,  28,  31,  32,
                                   35,  40,  39,  40,  45,  48,  51,  52,  55,  56,  59,  59,  64,  65,  70,  73,  75,
                                   79,  80,  84,  85,  88,  89,  91,  93,  96,  98,  101, 103, 106, 108, 112, 115, 119,
                                   122, 128, 127, 131, 133, 137, 139, 140, 141, 144, 145, 150, 152, 157, 159, 163, 165,
                                   167, 169, 173, 175, 178, 181, 184, 186, 190, 192, 195, 197, 201, 204, 207, 209, 209,
                                   210, 222, 223, 226, 227, 232, 231, 238, 237, 244, 243, 247, 247, 251, 252, 257, 258,
                                   259, 262, 267, 268, 269, 270, 269, 278, 281, 282, 285, 286, 289, 290, 293, 294, 294};
    return element > 0 && element < (int64_t)(sizeof MASS / sizeof *MASS) ? MASS[element] : 0;
}

lm_sdf_atom lm_sdf_atom_of(const char *symbol, size_t length)
{
    lm_sdf_atom atom = {.element = lm_element_number(symbol, length)};
    if (length == 1 && *symbol == 'D') atom.named_isotope = 2;
    if (length == 1 && *symbol == 'T') atom.named_isotope = 3;
    return atom;
}

leman_status lm_sdf_read_atom(const lm_text *line, const char *symbol, size_t length, lm_sdf_atom *atom)
{
    static const int8_t CHARGES[] = {0, 3, 2, 1, 0, -1, -2, -3};
    const lm_text mass = lm_sdf_columns(line, 34, 2), charge = lm_sdf_columns(line, 36, 3);
    const lm_text valence = lm_sdf_columns(line, 48, 3);
    int64_t value;
    *atom = lm_sdf_atom_of(symbol, length);
    if (mass.at < mass.end) {
        PASS(lm_sdf_number(line, 34, 2, "a mass difference", -99, 99, &value));
        if (value && standard_mass(atom->element)) atom->isotope = standard_mass(atom->element) + value;
        if (atom->isotope < 0) atom->isotope = 0;
    }
    if (charge.at < charge.end) {
        PASS(lm_sdf_number(line, 36, 3, "a charge code from 0 to 7", 0, 7, &value));
        atom->charge = CHARGES[value];
        atom->radical = value == 4 ? 2 : 0; /* a doublet */
    }
    if (lm_text_is_integer(line->ctx, valence.at, (size_t)(valence.end - valence.at), &value))
        atom->valence = value == NO_VALENCE ? -1 : value > 0 && value < NO_VALENCE ? value : 0;
    return LEMAN_OK;
}

/* ---- Property lines -------------------------------------------------------------------------- */

const lm_sdf_property lm_sdf_properties[LM_SDF_PROPERTIES] = {
    {"M  CHG", "CHG=", "a charge from -15 to 15", -15, 15, offsetof(lm_sdf_atom, charge)},
    {"M  RAD", "RAD=", "a radical from 0 to 3", 0, 3, offsetof(lm_sdf_atom, radical)},
    {"M  ISO", "MASS=", "a mass from 0 to 999", 0, 999, offsetof(lm_sdf_atom, isotope)},
    {NULL, "VAL=", "a valence from -1 to 14", -1, 14, offsetof(lm_sdf_atom, valence)}};

static leman_status read_pair(lm_sdf *sdf, const lm_text *line, size_t at, const lm_sdf_property *p)
{
    char atoms[48];
    int64_t atom, value;
    lm_sdf_atom *all = sdf->atoms.items;
    snprintf(atoms, sizeof atoms, "an atom from 1 to %zu", sdf->atoms.count);
    PASS(lm_sdf_number(line, at, 4, atoms, 1, (int64_t)sdf->atoms.count, &atom));
    PASS(lm_sdf_number(line, at + 4, 4, p->what, p->min, p->max, &value));
    memcpy((char *)(all + atom - 1) + p->member, &value, sizeof value);
    return LEMAN_OK;
}

leman_status lm_sdf_read_property(lm_sdf *sdf, const lm_text *line, lm_sdf_seen *seen)
{
    lm_sdf_atom *atom = sdf->atoms.items;
    int64_t pairs;
    size_t kind = 0;
    while (kind < LM_SDF_V2000_PROPERTIES && !lm_sdf_begins(line, lm_sdf_properties[kind].v2000)) kind++;
    if (kind == LM_SDF_V2000_PROPERTIES) return LEMAN_OK;
    const bool isotopes = kind == 2, first = isotopes ? !seen->isotopes : !seen->charges;
    for (size_t i = 0; i < sdf->atoms.count && first; i++) { /* property lines replace the atom lines */
        if (isotopes)
            atom[i].isotope = 0;
        else
            atom[i].charge = atom[i].radical = 0;
    }
    seen->isotopes |= isotopes;
    seen->charges |= !isotopes;
    PASS(lm_sdf_number(line, 6, 3, "a number of atoms", 0, MAX_PAIRS, &pairs));
    for (size_t i = 0; i < (size_t)pairs; i++)
        PASS(read_pair(sdf, line, FIRST_PAIR + PAIR * i, lm_sdf_properties + kind));
    return LEMAN_OK;
}

/* ---- The molecule ---------------------------------------------------------------------------- */

leman_status lm_sdf_finish_atoms(lm_sdf *sdf)
{
    lm_mol *m = &sdf->molecule;
    const lm_sdf_atom *from = sdf->atoms.items;
    bool fixed = false;
    m->has_hydrogens = false;
    for (size_t i = 0; i < m->atoms; i++) {
        m->atom[i] = (lm_atom){.element = (uint8_t)from[i].element,
                               .charge = (int8_t)from[i].charge,
                               .radical = (uint8_t)from[i].radical,
                               .isotope = (uint16_t)(from[i].isotope ? from[i].isotope : from[i].named_isotope)};
        m->has_hydrogens |= from[i].element == 1;
    }
    for (size_t i = 0; i < m->bonds; i++)
        if (m->bond[i].type == LM_BOND_AROMATIC)
            m->atom[m->bond[i].from].aromatic = m->atom[m->bond[i].to].aromatic = true;
    lm_mol_valences(m);
    for (size_t i = 0; i < m->atoms; i++) { /* atoms with a given valence have no implied hydrogens */
        const int64_t bonds = (m->atom[i].valence2 + 1) / 2;
        if (!from[i].valence) continue;
        m->atom[i].fixed = fixed = true;
        m->atom[i].hydrogens = from[i].valence > bonds ? (uint8_t)(from[i].valence - bonds) : 0;
    }
    lm_mol_imply_hydrogens(m);
    if (fixed) PASS(lm_mol_find_radicals(sdf->text.ctx, m));
    return LEMAN_OK;
}
