/*
 * Branches of molecule-like graphs, grown piece by piece. A piece is a path or a ring of atoms, one row of a table. Its
 * first atom is joined to an atom with free valence. Valences are those of textbooks (C 4, N 3, O 2, S 2, F 1, Cl 1),
 * heteroatoms only bind to carbon, and no atom outside a piece gets two multiple bonds.
 *
 * A branch of s atoms takes O(s) time: a carbon can always be added, and a piece that would leave no free valence is
 * only chosen if it completes the branch.
 */
#include "graph/molecules.h"
#include <string.h>

enum { PIECE_ATOMS = 6 };

typedef struct piece {
    unsigned weight; /* relative frequency */
    int order;       /* of the bond to the host */
    bool ring;
    size_t atoms;
    int element[PIECE_ATOMS];
    int bond[PIECE_ATOMS]; /* order of the bond from atom i to the next; the last one closes a ring */
} piece;

#define C LM_CARBON
#define N LM_NITROGEN
#define O LM_OXYGEN
#define S LM_SULFUR
static const piece PIECES[] = {
    {40, 1, false, 1, {C}, {0}},
    {8, 1, false, 1, {N}, {0}},
    {8, 1, false, 1, {O}, {0}},
    {3, 1, false, 1, {S}, {0}},
    {4, 1, false, 1, {LM_FLUORINE}, {0}},
    {3, 1, false, 1, {LM_CHLORINE}, {0}},
    {6, 2, false, 1, {O}, {0}},                              /* carbonyl */
    {4, 1, false, 2, {C, C}, {2}},                           /* vinyl */
    {3, 1, false, 2, {C, N}, {3}},                           /* nitrile */
    {4, 1, true, 3, {C, C, C}, {1, 1, 1}},                   /* cyclopropane */
    {3, 1, true, 5, {C, C, C, C, C}, {1, 1, 1, 1, 1}},       /* cyclopentane */
    {3, 1, true, 5, {C, S, C, C, C}, {1, 1, 2, 1, 2}},       /* thiophene */
    {3, 1, true, 6, {C, C, C, C, C, C}, {1, 1, 1, 1, 1, 1}}, /* cyclohexane */
    {8, 1, true, 6, {C, C, C, C, C, C}, {2, 1, 2, 1, 2, 1}}, /* benzene */
    {4, 1, true, 6, {C, C, N, C, C, C}, {2, 1, 2, 1, 2, 1}}, /* pyridine */
};
#undef C
#undef N
#undef O
#undef S
enum { PIECE_COUNT = sizeof PIECES / sizeof *PIECES };

/* An element: its valence, and its contribution to the score in thousandths. */
typedef struct element {
    int number, valence, score;
} element;
static const element ELEMENTS[] = {{LM_CARBON, 4, 200},   {LM_NITROGEN, 3, -700}, {LM_OXYGEN, 2, -600},
                                   {LM_FLUORINE, 1, 300}, {LM_SULFUR, 2, 250},    {LM_CHLORINE, 1, 500}};

/* Contributions in thousandths: of a bond by its order, of a ring by its length. */
static const int BOND_SCORE[] = {0, 0, -150, -300};
static const int RING_SCORE[] = {0, 0, 0, 600, 0, 400, -200};

static const element *element_row(int number)
{
    const element *row = ELEMENTS;
    while (row->number != number) row++;
    return row;
}

/* ---- Molecules ------------------------------------------------------------------------------- */

leman_status lm_molecule_new(leman_context *ctx, lm_molecule *m, size_t atoms)
{
    PASS_SCRATCH(ctx, m->element, atoms);
    PASS_SCRATCH(ctx, m->spare, atoms);
    PASS_SCRATCH(ctx, m->multiple, atoms);
    PASS_SCRATCH(ctx, m->bond, lm_molecule_bonds(atoms));
    lm_molecule_clear(m);
    return LEMAN_OK;
}

void lm_molecule_clear(lm_molecule *m)
{
    m->atoms = m->bonds = m->open = 0;
    m->score = 0;
    m->root_order = 0;
}

uint32_t lm_molecule_atom(lm_molecule *m, int number)
{
    const element *row = element_row(number);
    m->element[m->atoms] = number;
    m->spare[m->atoms] = row->valence;
    m->multiple[m->atoms] = false;
    m->open += (size_t)row->valence;
    m->score += row->score;
    return (uint32_t)m->atoms++;
}

static void use_valence(lm_molecule *m, uint32_t atom, int order)
{
    m->spare[atom] -= order;
    m->open -= (size_t)order;
    m->multiple[atom] |= order > 1;
}

void lm_molecule_bond(lm_molecule *m, uint32_t tail, uint32_t head, int order)
{
    use_valence(m, tail, order);
    use_valence(m, head, order);
    m->bond[m->bonds++] = (lm_bond){tail, head, order};
    m->score += BOND_SCORE[order];
}

void lm_molecule_ring(lm_molecule *m, const uint32_t *ring, size_t length)
{
    int heteroatoms = 0;
    for (size_t i = 0; i < length; i++) heteroatoms += m->element[ring[i]] != LM_CARBON;
    if (length < sizeof RING_SCORE / sizeof *RING_SCORE) m->score += RING_SCORE[length] * (4 + heteroatoms) / 4;
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

/* Returns the free valence of a piece that is attached to its host. */
static size_t piece_open(const piece *p)
{
    int open = -p->order;
    for (size_t i = 0; i < p->atoms; i++) open += element_row(p->element[i])->valence - 2 * p->bond[i];
    return (size_t)open;
}

/* Returns true if the piece can be attached to `host`, an atom of m: of the branch, or of the molecule that the branch
 * begins at. */
static bool fits(const piece *p, const lm_molecule *m, uint32_t host, const lm_molecule *branch, size_t size)
{
    bool carbon = m->element[host] == LM_CARBON;
    size_t left = size - branch->atoms;
    if (p->atoms > left || p->order > m->spare[host]) return false;
    if (p->order > 1 && (!carbon || m->multiple[host])) return false;
    if (p->element[0] != LM_CARBON && !carbon) return false;
    size_t open = m == branch ? branch->open - (size_t)p->order : 0;
    return p->atoms == left || open + piece_open(p) > 0;
}

/* Chooses a piece that fits. There always is one: a carbon. */
static const piece *choose_piece(lm_random *random, const lm_molecule *m, uint32_t host, const lm_molecule *branch,
                                 size_t size)
{
    uint64_t weight[PIECE_COUNT], total = 0;
    for (int i = 0; i < PIECE_COUNT; i++) {
        weight[i] = fits(PIECES + i, m, host, branch, size) ? PIECES[i].weight : 0;
        total += weight[i];
    }
    uint64_t ticket = lm_random_below(random, total);
    int i = 0;
    while (ticket >= weight[i]) ticket -= weight[i++];
    return PIECES + i;
}

/* Adds the atoms and inner bonds of a piece; returns its first atom. */
static uint32_t add_piece(lm_molecule *m, const piece *p)
{
    uint32_t first = (uint32_t)m->atoms, ring[PIECE_ATOMS];
    for (size_t i = 0; i < p->atoms; i++) ring[i] = lm_molecule_atom(m, p->element[i]);
    for (size_t i = 0; i + 1 < p->atoms; i++) lm_molecule_bond(m, ring[i], ring[i + 1], p->bond[i]);
    if (p->ring) {
        lm_molecule_bond(m, ring[p->atoms - 1], first, p->bond[p->atoms - 1]);
        lm_molecule_ring(m, ring, p->atoms);
    }
    return first;
}

/* ---- Branches -------------------------------------------------------------------------------- */

/* Returns the first atom with free valence from a random atom on, cyclically. */
static uint32_t open_atom(lm_random *random, const lm_molecule *m)
{
    size_t atom = lm_random_below(random, m->atoms);
    while (!m->spare[atom]) atom = atom + 1 < m->atoms ? atom + 1 : 0;
    return (uint32_t)atom;
}

void lm_branch_draw(lm_random *random, const lm_molecule *molecule, uint32_t host, size_t size, lm_molecule *branch)
{
    lm_molecule_clear(branch);
    const piece *p = choose_piece(random, molecule, host, branch, size);
    branch->root_order = p->order;
    use_valence(branch, add_piece(branch, p), p->order);
    while (branch->atoms < size) {
        uint32_t at = open_atom(random, branch);
        p = choose_piece(random, branch, at, branch, size);
        lm_molecule_bond(branch, at, add_piece(branch, p), p->order);
    }
}

void lm_branch_attach(lm_molecule *m, uint32_t host, const lm_molecule *branch)
{
    uint32_t first = (uint32_t)m->atoms;
    int64_t score = m->score + branch->score;
    for (size_t i = 0; i < branch->atoms; i++) lm_molecule_atom(m, branch->element[i]);
    for (size_t i = 0; i < branch->bonds; i++)
        lm_molecule_bond(m, first + branch->bond[i].tail, first + branch->bond[i].head, branch->bond[i].order);
    m->score = score; /* the score of the branch includes its rings */
    lm_molecule_bond(m, host, first, branch->root_order);
}
