/*
 * Labels of atoms from which 1-WL computes circular fingerprints: RDKit's Morgan invariants, from the graph of the
 * molecule alone. O(atoms + bonds), without big constants: a depth-first search and tests on neighbours.
 *
 * ECFP: the digits of the usual label (element, charge, isotope, hydrogens; atom_labels.c), and
 *
 *   10^12 (is in a ring)  +  10^13 (bonds and hydrogens that are no atoms)  +  LM_ECFP_LABELS
 *
 * FCFP: LM_FCFP_LABELS + 10^12 times a sum of 1 donor, 2 acceptor, 4 aromatic, 8 halogen, 16 basic, 32 acidic, after
 * Gobbi and Poppinger (Biotech. Bioeng. 61, 47-54, 1998) as RDKit defines them. The digits of the element are 0.
 */
#include "io/molecule/molecule.h"
#include <string.h>

static const int64_t FEATURE = INT64_C(1000000000000), RING = INT64_C(1000000000000);
static const int64_t DEGREE = INT64_C(10000000000000);
enum { MAX_DEGREE = 9999 }; /* larger degrees are not told apart */

enum { DONOR = 1, ACCEPTOR = 2, AROMATIC = 4, HALOGEN = 8, BASIC = 16, ACIDIC = 32 };
enum { HYDROGEN = 1, CARBON = 6, NITROGEN = 7, OXYGEN = 8, PHOSPHORUS = 15, SULFUR = 16 };

/* The molecule with what the rules of features ask for. */
typedef struct features {
    const lm_mol *m;
    const lm_mol_search *s;
    uint32_t *hydrogens; /* [atoms] hydrogens, including those that are atoms */
    uint32_t *degree;    /* [atoms] bonds and hydrogens that are no atoms */
    uint32_t *valence2;  /* [atoms] twice the valence, with hydrogens */
} features;

static uint32_t other_end(const lm_mol_bond *bond, uint32_t a)
{
    return bond->from == a ? bond->to : bond->from;
}

/* Returns true if the atom is one of `elements`, which end with 0, and not aromatic. */
static bool is_aliphatic(const features *f, uint32_t a, const uint8_t *elements)
{
    while (*elements && *elements != f->m->atom[a].element) elements++;
    return *elements && !f->m->atom[a].aromatic;
}

static const uint8_t OXYGEN_SULFUR[] = {OXYGEN, SULFUR, 0}, NITROGENS[] = {NITROGEN, 0}, OXYGENS[] = {OXYGEN, 0},
                     CARBONS[] = {CARBON, 0}, CARBON_SULFUR[] = {CARBON, SULFUR, 0},
                     WITH_DOUBLE_BONDS[] = {OXYGEN, NITROGEN, PHOSPHORUS, SULFUR, 0},
                     ACID_PARTNERS[] = {OXYGEN, SULFUR, PHOSPHORUS, 0}, HALOGENS[] = {9, 17, 35, 53, 0};

/* Returns true if the atom has a double bond to one of `elements`. */
static bool has_double_bond(const features *f, uint32_t a, const uint8_t *elements)
{
    for (size_t i = f->s->start[a]; i < f->s->start[a + 1]; i++) {
        const lm_mol_bond *bond = f->m->bond + f->s->bond[i];
        if (bond->type == LM_BOND_DOUBLE && is_aliphatic(f, other_end(bond, a), elements)) return true;
    }
    return false;
}

/* Returns true if a single bond leads to an atom with a double bond to O, N, P or S, as in amides and esters. */
static bool is_conjugated(const features *f, uint32_t a)
{
    for (size_t i = f->s->start[a]; i < f->s->start[a + 1]; i++) {
        const lm_mol_bond *bond = f->m->bond + f->s->bond[i];
        if (bond->type == LM_BOND_SINGLE && has_double_bond(f, other_end(bond, a), WITH_DOUBLE_BONDS)) return true;
    }
    return false;
}

/* Returns true if an aromatic O or S has aromatic nitrogen as a neighbour, or behind an aromatic carbon. */
static bool is_near_nitrogen(const features *f, uint32_t a)
{
    for (size_t i = f->s->start[a]; i < f->s->start[a + 1]; i++) {
        const uint32_t b = other_end(f->m->bond + f->s->bond[i], a);
        const lm_atom *next = f->m->atom + b;
        if (f->m->bond[f->s->bond[i]].type != LM_BOND_AROMATIC || !next->aromatic) continue;
        if (next->element == NITROGEN) return true;
        for (size_t j = f->s->start[b]; next->element == CARBON && j < f->s->start[b + 1]; j++) {
            const lm_atom *third = f->m->atom + other_end(f->m->bond + f->s->bond[j], b);
            if (f->m->bond[f->s->bond[j]].type == LM_BOND_AROMATIC && third->aromatic && third->element == NITROGEN)
                return true;
        }
    }
    return false;
}

static bool is_donor(const features *f, uint32_t a)
{
    const lm_atom *atom = f->m->atom + a;
    const uint32_t hydrogens = f->hydrogens[a], valence2 = f->valence2[a];
    if (is_aliphatic(f, a, NITROGENS)) return hydrogens && (valence2 == 6 || (valence2 == 8 && atom->charge == 1));
    if (is_aliphatic(f, a, OXYGEN_SULFUR)) return hydrogens == 1 && !atom->charge;
    return atom->aromatic && atom->element == NITROGEN && hydrogens == 1 && !atom->charge;
}

static bool is_acceptor(const features *f, uint32_t a)
{
    const lm_atom *atom = f->m->atom + a;
    const uint32_t hydrogens = f->hydrogens[a], valence2 = f->valence2[a];
    if (is_aliphatic(f, a, OXYGEN_SULFUR))
        return atom->charge == -1 || (valence2 == 4 && (!hydrogens || (hydrogens == 1 && !is_conjugated(f, a))));
    if (is_aliphatic(f, a, NITROGENS)) return valence2 == 6 && !is_conjugated(f, a);
    if (!atom->aromatic || atom->charge) return false;
    return atom->element == NITROGEN ? !hydrogens
                                     : (atom->element == OXYGEN || atom->element == SULFUR) && !is_near_nitrogen(f, a);
}

/* Ammonium, and amines whose neighbours are carbon without C=O; up to one hydrogen, aromatic neighbours count too. */
static bool is_basic(const features *f, uint32_t a)
{
    const lm_atom *atom = f->m->atom + a;
    const uint32_t hydrogens = f->hydrogens[a];
    uint32_t neighbors = 0;
    if (atom->element == NITROGEN && atom->charge == 1) return true;
    if (!is_aliphatic(f, a, NITROGENS) || atom->charge || hydrogens > 2) return false;
    for (size_t i = f->s->start[a]; i < f->s->start[a + 1]; i++) {
        const lm_mol_bond *bond = f->m->bond + f->s->bond[i];
        const uint32_t b = other_end(bond, a);
        if (bond->type != LM_BOND_SINGLE && bond->type != LM_BOND_AROMATIC) continue;
        neighbors +=
            (is_aliphatic(f, b, CARBONS) || (hydrogens && f->m->atom[b].aromatic)) && !has_double_bond(f, b, OXYGENS);
    }
    return neighbors >= 3 - hydrogens;
}

/* C or S with a double bond to O, S or P and a single bond to OH or O-. */
static bool is_acidic(const features *f, uint32_t a)
{
    if (!is_aliphatic(f, a, CARBON_SULFUR) || !has_double_bond(f, a, ACID_PARTNERS)) return false;
    for (size_t i = f->s->start[a]; i < f->s->start[a + 1]; i++) {
        const lm_mol_bond *bond = f->m->bond + f->s->bond[i];
        const uint32_t b = other_end(bond, a);
        if (bond->type == LM_BOND_SINGLE && is_aliphatic(f, b, OXYGENS) &&
            (f->hydrogens[b] == 1 || f->m->atom[b].charge == -1))
            return true;
    }
    return false;
}

static int64_t features_of(const features *f, uint32_t a)
{
    const int sum = DONOR * is_donor(f, a) + ACCEPTOR * is_acceptor(f, a) + AROMATIC * f->m->atom[a].aromatic +
                    HALOGEN * is_aliphatic(f, a, HALOGENS) + BASIC * is_basic(f, a) + ACIDIC * is_acidic(f, a);
    return LM_FCFP_LABELS + FEATURE * sum;
}

static leman_status count_bonds(leman_context *ctx, features *f)
{
    const lm_mol *m = f->m;
    PASS_SCRATCH(ctx, f->hydrogens, m->atoms + 1);
    PASS_SCRATCH(ctx, f->degree, m->atoms + 1);
    PASS_SCRATCH(ctx, f->valence2, m->atoms + 1);
    for (size_t a = 0; a < m->atoms; a++) {
        f->hydrogens[a] = f->degree[a] = m->atom[a].hydrogens;
        f->valence2[a] = 2u * m->atom[a].hydrogens;
    }
    for (size_t i = 0; i < m->bonds; i++)
        for (int side = 0; side < 2; side++) {
            const uint32_t a = side ? m->bond[i].to : m->bond[i].from;
            f->degree[a]++;
            f->valence2[a] += lm_bond_valence2[side][m->bond[i].type];
            f->hydrogens[a] += m->atom[other_end(m->bond + i, a)].element == HYDROGEN;
        }
    return LEMAN_OK;
}

static int64_t connectivity_of(const features *f, uint32_t a)
{
    const unsigned digits = LEMAN_ATOM_ELEMENT | LEMAN_ATOM_CHARGE | LEMAN_ATOM_ISOTOPE | LEMAN_ATOM_HYDROGENS;
    const uint32_t degree = f->degree[a] < MAX_DEGREE ? f->degree[a] : MAX_DEGREE;
    lm_atom atom = f->m->atom[a];
    size_t i = f->s->start[a];
    int64_t label;
    while (i < f->s->start[a + 1] && !f->s->in_ring[f->s->bond[i]]) i++;
    atom.hydrogens = (uint8_t)(f->hydrogens[a] < LM_MAX_HYDROGENS ? f->hydrogens[a] : LM_MAX_HYDROGENS);
    lm_atom_label(&atom, digits, &label);
    return LM_ECFP_LABELS + DEGREE * degree + RING * (i < f->s->start[a + 1]) + label;
}

leman_status lm_mol_invariants(leman_context *ctx, const lm_mol *m, unsigned labels, int64_t *out)
{
    SCRATCH_SCOPE(ctx);
    const bool connectivity = labels & LEMAN_ATOM_ECFP;
    lm_mol_search s = {0};
    features f = {.m = m, .s = &s};
    PASS(lm_mol_rings(ctx, m, connectivity, &s)); /* features follow every bond, rings have covalent ones */
    PASS(count_bonds(ctx, &f));
    for (uint32_t a = 0; a < m->atoms; a++) {
        int64_t stereo;
        lm_atom_label(m->atom + a, labels & LM_ATOM_STEREO, &stereo);
        out[a] = stereo + (connectivity ? connectivity_of(&f, a) : features_of(&f, a));
    }
    return LEMAN_OK;
}
