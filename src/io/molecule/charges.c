/*
 * Groups that are written with more bonds than their atom can have get charges, as the first step of RDKit's
 * sanitisation gives them:
 *
 *   nitrogen with 5 bonds     N(=O)=O -> [N+](=O)[O-]     N=N#N -> N=[N+]=[N-]     n(=O) -> [n+]([O-])
 *   phosphorus with 5 bonds   C=P(=O)(X) -> C=[P+]([O-])X
 *   halogens between oxygens  Cl(=O)(=O)(=O)O -> [Cl+3]([O-])([O-])([O-])O
 */
#include "io/molecule/molecule.h"

enum { CARBON = 6, NITROGEN = 7, OXYGEN = 8, PHOSPHORUS = 15, CHLORINE = 17, BROMINE = 35, IODINE = 53 };

static uint32_t other_end(const lm_mol_bond *bond, uint32_t atom)
{
    return bond->from == atom ? bond->to : bond->from;
}

/* Lowers the order of a bond by one and charges its ends: `atom` positively, the other negatively. */
static void separate(lm_mol *m, lm_mol_bond *bond, uint32_t atom)
{
    bond->type--;
    m->atom[atom].charge++;
    m->atom[other_end(bond, atom)].charge--;
    m->atom[bond->from].valence2 -= 2;
    m->atom[bond->to].valence2 -= 2;
}

/* Returns the first bond of this type from the atom to a neutral atom of this element; NULL: none. */
static lm_mol_bond *find_bond(const lm_mol *m, const lm_mol_search *s, uint32_t atom, uint8_t type, uint8_t element)
{
    for (size_t i = s->start[atom]; i < s->start[atom + 1]; i++) {
        lm_mol_bond *bond = m->bond + s->bond[i];
        const lm_atom *other = m->atom + other_end(bond, atom);
        if (bond->type == type && other->element == element && !other->charge) return bond;
    }
    return NULL;
}

static bool separate_nitrogen(lm_mol *m, const lm_mol_search *s, uint32_t atom)
{
    lm_mol_bond *bond = find_bond(m, s, atom, LM_BOND_DOUBLE, OXYGEN);
    if (!bond) bond = find_bond(m, s, atom, LM_BOND_TRIPLE, NITROGEN);
    if (bond) separate(m, bond, atom);
    return bond != NULL;
}

static bool separate_phosphorus(lm_mol *m, const lm_mol_search *s, uint32_t atom)
{
    lm_mol_bond *oxygen = find_bond(m, s, atom, LM_BOND_DOUBLE, OXYGEN);
    bool other = false;
    for (size_t i = s->start[atom]; i < s->start[atom + 1]; i++) {
        const lm_mol_bond *bond = m->bond + s->bond[i];
        const uint32_t end = other_end(bond, atom);
        const bool kind = m->atom[end].element == CARBON || m->atom[end].element == NITROGEN;
        other |= kind && bond->type == LM_BOND_DOUBLE && s->start[end + 1] - s->start[end] > 1;
    }
    if (!oxygen || !other || s->start[atom + 1] - s->start[atom] != 3) return false;
    separate(m, oxygen, atom);
    return true;
}

static bool separate_halogen(lm_mol *m, const lm_mol_search *s, uint32_t atom)
{
    size_t separated = 0;
    for (size_t i = s->start[atom]; i < s->start[atom + 1]; i++)
        if (m->atom[other_end(m->bond + s->bond[i], atom)].element != OXYGEN) return false;
    for (size_t i = s->start[atom]; i < s->start[atom + 1]; i++) {
        if (m->bond[s->bond[i]].type != LM_BOND_DOUBLE) continue;
        separate(m, m->bond + s->bond[i], atom);
        separated++;
    }
    return separated > 0;
}

size_t lm_mol_separate_charges(lm_mol *m, const lm_mol_search *s)
{
    size_t count = 0;
    for (uint32_t a = 0; a < m->atoms; a++) {
        const lm_atom *atom = m->atom + a;
        if (atom->charge || atom->valence2 < 6) continue; /* almost all atoms */
        const unsigned valence2 = atom->valence2 + (atom->fixed ? 2u * atom->hydrogens : 0u);
        if (atom->element == NITROGEN && valence2 == 10)
            count += separate_nitrogen(m, s, a);
        else if (atom->element == PHOSPHORUS && valence2 == 10)
            count += separate_phosphorus(m, s, a);
        else if ((atom->element == CHLORINE || atom->element == BROMINE || atom->element == IODINE) &&
                 (valence2 == 6 || valence2 == 10 || valence2 == 14))
            count += separate_halogen(m, s, a);
    }
    return count;
}
