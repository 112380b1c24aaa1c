/*
 * Takes charges away by adding and removing hydrogens, as RDKit's Uncharger does: negative charges first, acids last, but
 * as many stay as balance positive charges that no hydrogen can be taken from, such as quaternary ammonium. Then positive
 * charges, as long as the molecule as a whole is positive. Charges next to an opposite charge, as in N-oxides and nitro
 * groups, stay. Atoms are taken in the order of their ranks, so that the spelling of a molecule does not matter.
 * O(atoms + bonds), and refinement of ranks where there are charges.
 */
#include "io/molecule/ranks.h"
#include "io/molecule/standardize.h"
#include <stdlib.h>
#include <string.h>

enum { CARBON = 6, NITROGEN = 7, OXYGEN = 8, PHOSPHORUS = 15, SULFUR = 16, CHLORINE = 17, BROMINE = 35, IODINE = 53 };
enum { MOST_BONDS = 20 };

typedef struct charged {
    uint64_t rank;
    uint32_t atom;
} charged;

typedef struct uncharger {
    lm_mol *m;
    const lm_mol_search *s;
    charged *negative, *positive; /* [atoms] */
    size_t negatives, positives;
    int fixed;     /* the sum of the positive charges without hydrogens and without a negative neighbour */
    int *balanced; /* [atoms] negative neighbours of an acid that its positive charge balances */
} uncharger;

static uint32_t other_end(const lm_mol_bond *bond, uint32_t atom)
{
    return bond->from == atom ? bond->to : bond->from;
}

#define FOR_NEIGHBORS(u, a, bond, b)                                                                                   \
    for (size_t j_ = (u)->s->start[a], end_ = (u)->s->start[(a) + 1]; j_ < end_; j_++)                                 \
        for (const lm_mol_bond *bond = (u)->m->bond + (u)->s->bond[j_]; bond; bond = NULL)                             \
            for (uint32_t b = other_end(bond, a), once_ = 1; once_; once_ = 0)

/* ---- Acids ----------------------------------------------------------------------------------- */

static bool is_chalcogen(const lm_atom *atom)
{
    return !atom->aromatic && (atom->element == OXYGEN || atom->element == SULFUR);
}

/* Returns true if the atom `a` has a double bond to O or S, and another neighbour [O-] or [S-] than `but` if `both`. */
static bool is_acid_center(const uncharger *u, uint32_t a, uint32_t but, bool both)
{
    bool doubled = false, other = !both;
    FOR_NEIGHBORS(u, a, bond, b)
    {
        const lm_atom *atom = u->m->atom + b;
        if (b == but || !is_chalcogen(atom)) continue;
        doubled |= bond->type == LM_BOND_DOUBLE;
        other |= atom->charge == -1 && bond->type == LM_BOND_SINGLE;
    }
    return doubled && other;
}

/* Returns true if a halogen atom has another neighbour [O-]. */
static bool has_other_oxide(const uncharger *u, uint32_t a, uint32_t but)
{
    FOR_NEIGHBORS(u, a, bond, b)
    if (b != but && bond->type == LM_BOND_SINGLE && u->m->atom[b].element == OXYGEN && u->m->atom[b].charge == -1)
        return true;
    return false;
}

/* Returns true if the aromatic nitrogen is in a ring of four nitrogens and a carbon. */
static bool is_tetrazole(const uncharger *u, uint32_t a)
{
    uint32_t path[5] = {a};
    size_t next[5] = {u->s->start[a]};
    for (size_t depth = 0;;) { /* all paths of five atoms along aromatic bonds */
        const uint32_t at = path[depth];
        if (next[depth] == u->s->start[at + 1]) {
            if (!depth--) return false;
            continue;
        }
        const lm_mol_bond *bond = u->m->bond + u->s->bond[next[depth]++];
        const uint32_t b = other_end(bond, at);
        bool known = false;
        if (bond->type != LM_BOND_AROMATIC) continue;
        for (size_t i = 0; i <= depth; i++) known |= path[i] == b;
        if (depth == 4 && b == a) {
            size_t nitrogens = 0, carbons = 0;
            for (size_t i = 0; i < 5; i++) {
                nitrogens += u->m->atom[path[i]].element == NITROGEN;
                carbons += u->m->atom[path[i]].element == CARBON;
            }
            if (nitrogens == 4 && carbons == 1) return true;
        }
        if (known || depth == 4) continue;
        path[++depth] = b;
        next[depth] = u->s->start[b];
    }
}

/* Returns true for the anions of carboxylic, carbonic, sulfonic, phosphoric, nitric and halogen acids and their
 * thio-analogues, and of tetrazoles. */
static bool is_acid(const uncharger *u, uint32_t a)
{
    const lm_atom *atom = u->m->atom + a;
    if (atom->charge != -1) return false;
    if (atom->element == NITROGEN && atom->aromatic) return is_tetrazole(u, a);
    if (!is_chalcogen(atom)) return false;
    FOR_NEIGHBORS(u, a, bond, b)
    {
        const lm_atom *center = u->m->atom + b;
        const unsigned e = center->element;
        if (bond->type != LM_BOND_SINGLE || center->aromatic) continue;
        if ((e == CARBON || e == SULFUR) && !center->charge && is_acid_center(u, b, a, false)) return true;
        if ((e == NITROGEN || e == PHOSPHORUS) && center->charge == 1 && is_acid_center(u, b, a, true)) return true;
        const bool halogen = e == CHLORINE || e == BROMINE || e == IODINE;
        if (halogen && atom->element == OXYGEN && center->charge >= 1 && center->charge <= 3 &&
            has_other_oxide(u, b, a))
            return true;
    }
    return false;
}

/* ---- Which atoms ----------------------------------------------------------------------------- */

/* Counts the neighbours with charge -1 (sign < 0) or 1 to 4. */
static size_t opposite_neighbors(const uncharger *u, uint32_t a, int sign)
{
    size_t count = 0;
    FOR_NEIGHBORS(u, a, bond, b)
    {
        const int charge = u->m->atom[b].charge;
        count += sign < 0 ? charge == -1 : charge >= 1 && charge <= 4;
    }
    return count;
}

/* Returns true if a positive neighbour in the group balances the charge of the acid. Each balances as many as its charge. */
static bool is_balanced(uncharger *u, uint32_t a)
{
    FOR_NEIGHBORS(u, a, bond, b)
    {
        if (u->m->atom[b].charge <= 0) continue;
        if (u->balanced[b] >= u->m->atom[b].charge) return false;
        u->balanced[b]++;
        return true;
    }
    return false;
}

static int compare(const void *a, const void *b)
{
    const charged *x = a, *y = b;
    if (x->rank != y->rank) return x->rank > y->rank ? 1 : -1;
    return (x->atom > y->atom) - (x->atom < y->atom);
}

static void sort_charged(charged *list, size_t count)
{
    if (count) qsort(list, count, sizeof *list, compare);
}

/* Fills the lists: of negative atoms first those that are no acids. */
static leman_status find_charged(leman_context *ctx, uncharger *u)
{
    const lm_mol *m = u->m;
    uint64_t *rank;
    charged *acid;
    size_t acids = 0;
    PASS_SCRATCH(ctx, rank, m->atoms);
    PASS_SCRATCH(ctx, acid, m->atoms);
    PASS(lm_mol_ranks(ctx, m, rank));
    for (uint32_t a = 0; a < m->atoms; a++) {
        const lm_atom *atom = m->atom + a;
        const charged one = {rank[a], a};
        if (is_acid(u, a))
            acid[acids++] = one;
        else if (atom->charge == -1 && !opposite_neighbors(u, a, 1))
            u->negative[u->negatives++] = one;
        if (atom->charge < 1 || atom->charge > 4) continue;
        const size_t anions = opposite_neighbors(u, a, -1);
        if (atom->hydrogens && anions != 1)
            u->positive[u->positives++] = one;
        else if (!atom->hydrogens && !anions)
            u->fixed += atom->charge;
    }
    sort_charged(u->negative, u->negatives);
    sort_charged(u->positive, u->positives);
    sort_charged(acid, acids);
    for (size_t i = 0; i < acids; i++)
        if (!is_balanced(u, acid[i].atom)) u->negative[u->negatives++] = acid[i];
    return LEMAN_OK;
}

/* ---- Hydrogens ------------------------------------------------------------------------------- */

/* Returns true for elements on the left of the periodic table, as RDKit draws the line: they lose hydrogens with a negative
 * charge, and gain them with a positive one. */
static bool is_early(unsigned element)
{
    static const uint8_t EARLY[] = {3,  4,  5,  11, 12, 13, 19, 20, 21, 22, 30, 31, 32, 37, 38, 39, 40, 41, 48, 49, 50,
                                    51, 55, 56, 57, 58, 59, 60, 61, 72, 73, 80, 81, 82, 83, 87, 88, 89, 90, 91, 92, 93};
    return memchr(EARLY, (int)element, sizeof EARLY) != NULL;
}

/* Returns the bond orders and hydrogens of an atom. */
static int valence_of(const lm_atom *atom)
{
    const int8_t *valences = lm_valences(atom->element, atom->charge);
    const int twice = (int)atom->valence2;
    int bonds = (twice + 1) / 2;
    if (atom->aromatic && valences[0] > 0 && twice > 2 * valences[0])
        for (size_t i = 0; valences[i] > 0 && 2 * valences[i] <= twice; i++) bonds = valences[i];
    return bonds + atom->hydrogens;
}

static bool has_valence(unsigned element, int valence)
{
    const int8_t *valences = lm_valences(element, 0);
    if (valences[0] < 0) return valence <= MOST_BONDS; /* metals */
    for (size_t i = 0; i == 0 || valences[i] > 0; i++)
        if (valences[i] == valence) return true;
    return false;
}

static bool remove_negative(lm_atom *atom)
{
    const bool early = is_early(atom->element);
    if ((early && !atom->hydrogens) || atom->hydrogens == LM_MAX_HYDROGENS) return false;
    const int more = early ? -1 : 1;
    if (!has_valence(atom->element, valence_of(atom) + more)) return false;
    atom->hydrogens = (uint8_t)(atom->hydrogens + more);
    atom->charge++;
    atom->fixed = true;
    return true;
}

static bool remove_positive(lm_atom *atom)
{
    const bool gains = atom->element == CARBON || is_early(atom->element);
    if ((!gains && !atom->hydrogens) || (gains && atom->hydrogens == LM_MAX_HYDROGENS)) return false;
    atom->hydrogens = (uint8_t)(atom->hydrogens + (gains ? 1 : -1));
    atom->charge--;
    atom->fixed = true;
    return true;
}

leman_status lm_mol_uncharge(leman_context *ctx, lm_mol *m, size_t *changed)
{
    SCRATCH_SCOPE(ctx);
    lm_mol_search s;
    uncharger u = {.m = m, .s = &s};
    bool any = false;
    int net = 0;
    *changed = 0;
    for (size_t a = 0; a < m->atoms; a++) any |= m->atom[a].charge != 0;
    if (!any) return LEMAN_OK;
    PASS(lm_mol_rings(ctx, m, false, &s));
    PASS_SCRATCH(ctx, u.negative, 2 * m->atoms);
    PASS_SCRATCH(ctx, u.positive, m->atoms);
    PASS_SCRATCH_ZERO(ctx, u.balanced, m->atoms);
    PASS(find_charged(ctx, &u));
    int surplus = (int)u.negatives - u.fixed;
    for (size_t i = 0; i < u.negatives && surplus; i++) {
        if (!remove_negative(m->atom + u.negative[i].atom)) continue;
        surplus--;
        (*changed)++;
    }
    for (size_t a = 0; a < m->atoms; a++) net += m->atom[a].charge;
    for (size_t i = 0; i < u.positives && net > 0; i++) {
        lm_atom *atom = m->atom + u.positive[i].atom;
        const int before = atom->charge;
        while (atom->charge > 0 && net > 0 && remove_positive(atom)) net--;
        *changed += atom->charge != before;
    }
    return LEMAN_OK;
}
