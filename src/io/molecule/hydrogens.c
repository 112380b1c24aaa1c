/*
 * Implied hydrogens and unpaired electrons of atoms.
 *
 * Hydrogens fill an atom up to the smallest standard valence that is at least the sum of its bonds: C 4, N 3, S 2, 4 or
 * 6, ... A charged atom has the valences of the element with the same number of electrons: N+ those of carbon, O- those
 * of fluorine. An aromatic bond counts 1.5, and the sum is rounded up. An aromatic atom whose sum exceeds its first
 * valence has no hydrogens. These are the rules of RDKit (its "valence model"), so that both count the same hydrogens.
 *
 * Radicals are found for atoms whose hydrogens are written ([CH3]). The number of unpaired electrons is 8 - outer
 * electrons - valence + charge. For elements on the left of the periodic table, outer electrons - valence - charge is
 * an upper bound.
 */
#include "io/molecule/molecule.h"

enum { ELEMENTS = 118 };

/* ---- Valences -------------------------------------------------------------------------------- */

int lm_valence_shift(unsigned element, int charge)
{
    const int other = (int)element - charge;
    const bool more =
        (other > 16 && (element == 15 || element == 16)) || (other > 34 && (element == 33 || element == 34));
    return more ? -charge : 0;
}

const int8_t *lm_valences(unsigned element, int charge)
{
    static const int8_t ANY[] = {-1, 0}, ZERO[] = {0, 0}, ONE[] = {1, 0}, TWO[] = {2, 0}, THREE[] = {3, 0},
                        FOUR[] = {4, 0}, P[] = {3, 5, 0}, S[] = {2, 4, 6, 0}, LI[] = {1, -1, 0}, MG[] = {2, -1, 0},
                        SN[] = {2, 4, 0}, I[] = {1, 3, 5, 0}, XE[] = {0, 2, 4, 6, 0};
    static const int8_t *const TABLE[] = {
        ANY, ONE, ZERO, LI,  TWO, THREE, FOUR, THREE, TWO, ONE, ZERO, LI,    MG,    THREE, FOUR, P, S,   ONE,  ZERO,
        LI,  MG,  ANY,  ANY, ANY, ANY,   ANY,  ANY,   ANY, ANY, ANY,  ANY,   THREE, FOUR,  P,    S, ONE, ZERO, LI,
        MG,  ANY, ANY,  ANY, ANY, ANY,   ANY,  ANY,   ANY, ANY, ANY,  THREE, SN,    P,     S,    I, XE,  ONE,  MG};
    static const int8_t *const LATE[] = {SN, P, S, I, ZERO, ONE, MG}; /* Pb to Ra */
    enum { EARLY = sizeof TABLE / sizeof *TABLE, LEAD = 82, RADIUM = 88 };
#define OF(number)                                                                                                     \
    ((number) < EARLY ? TABLE[number] : (number) >= LEAD && (number) <= RADIUM ? LATE[(number)-LEAD] : ANY)
    const int8_t *own = OF(element);
    if (!charge || own[0] == -1) return own;
    const int other = (int)element - charge;
    if (lm_valence_shift(element, charge)) return own;
    if (other < 1) return ZERO;
    if (other > ELEMENTS) return ANY;
    return OF((unsigned)other);
#undef OF
}

int lm_outer_electrons(unsigned element)
{
    static const int8_t OUTER[] = {0, 1, 2, 1,  2,  3,  4,  5,  6,  7, 8, 1, 2, 3, 4,  5,  6,  7,  8,  1, 2,
                                   3, 4, 5, 6,  7,  8,  9,  10, 11, 2, 3, 4, 5, 6, 7,  8,  1,  2,  3,  4, 5,
                                   6, 7, 8, 9,  10, 11, 2,  3,  4,  5, 6, 7, 8, 1, 2,  3,  4,  3,  4,  5, 6,
                                   7, 8, 9, 10, 11, 12, 13, 14, 15, 4, 5, 6, 7, 8, 9,  10, 11, 2,  3,  4, 5,
                                   6, 7, 8, 1,  2,  3,  4,  3,  4,  5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return element < sizeof OUTER ? OUTER[element] : 2;
}

const uint8_t lm_bond_valence2[2][LM_BOND_QUADRUPLE + 1] = {{0, 2, 4, 6, 3, 2, 2, 2, 0, 0, 0, 8},
                                                            {0, 2, 4, 6, 3, 2, 2, 2, 0, 2, 0, 8}};

void lm_mol_valences(lm_mol *m)
{
    for (size_t i = 0; i < m->atoms; i++) m->atom[i].valence2 = 0;
    for (size_t i = 0; i < m->bonds; i++) {
        m->atom[m->bond[i].from].valence2 += lm_bond_valence2[0][m->bond[i].type];
        m->atom[m->bond[i].to].valence2 += lm_bond_valence2[1][m->bond[i].type];
    }
}

/* ---- Hydrogens ------------------------------------------------------------------------------- */

static unsigned implied_hydrogens(const lm_atom *atom)
{
    const int8_t *valence = lm_valences(atom->element, atom->charge);
    const int unpaired = atom->radical == 2 ? 1 : atom->radical ? 2 : 0;
    const int used = (int)((atom->valence2 + 1) / 2) + unpaired + lm_valence_shift(atom->element, atom->charge);
    if (!atom->element || valence[0] < 0) return 0;
    for (size_t i = 0; i == 0 || valence[i] > 0; i++) {
        if (used <= valence[i]) return (unsigned)(valence[i] - used);
        if (atom->aromatic) return 0;
    }
    return 0;
}

void lm_mol_imply_hydrogens(lm_mol *m)
{
    for (size_t i = 0; i < m->atoms; i++) {
        lm_atom *atom = m->atom + i;
        if (atom->fixed) continue;
        if (atom->element == 6 && !atom->charge && !atom->radical && atom->valence2 <= 8) /* the most frequent case */
            atom->hydrogens = (uint8_t)(4 - (atom->valence2 + 1) / 2);
        else
            atom->hydrogens = (uint8_t)implied_hydrogens(atom);
    }
}

/* ---- Radicals -------------------------------------------------------------------------------- */

/* Returns the number of unpaired electrons if bonds and hydrogens add up to `valence`. */
static int unpaired_electrons(const lm_atom *atom, int valence)
{
    const int8_t *valences = lm_valences(atom->element, 0);
    const int outer = lm_outer_electrons(atom->element), charge = atom->charge;
    if (valences[0] < 0) return atom->valence2 || outer <= charge ? 0 : (outer - charge) % 2;
    const int full = atom->element <= 2 ? 2 : 8, left = outer - valence - charge;
    int unpaired = full - outer - valence + charge;
    if (unpaired < 0) {
        unpaired = 0;
        for (size_t i = 0; valences[1] && (i == 0 || valences[i] > 0); i++)
            if (valences[i] - valence + charge >= 0) {
                unpaired = valences[i] - valence + charge;
                break;
            }
    }
    return left >= 0 && left < unpaired ? left : unpaired;
}

static uint8_t radical_of(int unpaired)
{
    return (uint8_t)(unpaired <= 0 ? 0 : unpaired % 2 ? 2 : 3);
}

leman_status lm_mol_find_radicals(leman_context *ctx, lm_mol *m)
{
    SCRATCH_SCOPE(ctx);
    uint8_t *order = NULL;
    uint32_t *sigma = NULL, *pi = NULL;
    size_t missing = 0, bad;
    for (size_t i = 0; i < m->atoms; i++) {
        lm_atom *atom = m->atom + i;
        if (!atom->fixed || !atom->element || atom->radical) continue;
        const int valence = (int)(atom->valence2 / 2) + atom->hydrogens;
        if (!atom->aromatic) {
            atom->radical = radical_of(unpaired_electrons(atom, valence));
            continue;
        }
        if (atom->valence2 == 6 &&
            unpaired_electrons(atom, 2 + atom->hydrogens) == unpaired_electrons(atom, 3 + atom->hydrogens)) {
            atom->radical =
                radical_of(unpaired_electrons(atom, 2 + atom->hydrogens)); /* [nH]: equal in all Kekulé structures */
            continue;
        }
        if (!sigma) { /* on first use: aromatic bonds of each atom, and the sum of their orders in a Kekulé structure */
            PASS_SCRATCH_ZERO(ctx, sigma, m->atoms);
            PASS_SCRATCH_ZERO(ctx, pi, m->atoms);
            PASS_SCRATCH(ctx, order, m->bonds + 1);
            PASS(lm_mol_kekule(ctx, m, order, &missing, &bad));
            for (size_t b = 0; b < m->bonds; b++) {
                const lm_mol_bond *bond = m->bond + b;
                const unsigned add = bond->type == LM_BOND_AROMATIC ? order[b] : 0;
                pi[bond->from] += add;
                pi[bond->to] += add;
                sigma[bond->from] += bond->type == LM_BOND_AROMATIC;
                sigma[bond->to] += bond->type == LM_BOND_AROMATIC;
            }
        }
        if (!missing)
            atom->radical = radical_of(
                unpaired_electrons(atom, (int)((atom->valence2 - 3 * sigma[i]) / 2 + pi[i]) + atom->hydrogens));
    }
    return LEMAN_OK;
}
