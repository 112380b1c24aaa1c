/*
 * Finds aromatic rings by RDKit's model, or by its MDL model (https://www.rdkit.org/docs/RDKit_Book.html#aromaticity).
 *
 * An atom of a ring is a candidate if its valence is not exceeded, it has at most three neighbours, at most one double
 * or triple bond, no radical (but for carbon), and electrons or an empty orbital for the ring. It gives
 *
 *   0  if its double bond leads out of the rings to a more electronegative atom (C=O), or it is a cation without one
 *   1  if it has a double bond in a ring, or one out of the rings to another atom
 *   2  if it has a lone pair and no double bond: N, O, S, C-
 *   1 or 2 if it is a placeholder (*)
 *
 * A ring of candidates is aromatic if they give 4n + 2 electrons in all. Of fused rings, which share exactly one bond
 * and have at most 24 atoms, every connected set of 2 to 6 rings is tested too: of its atoms, those in one or two of its
 * rings count, and if their sum is 4n + 2, the bonds in one of its rings become aromatic. Sets are tested by size, until
 * all bonds of the fused rings are aromatic.
 *
 * The result follows from the molecule, not from its spelling: rings are all relevant cycles (cycles.c), and the Kekulé
 * structure that is read does not matter. O(atoms + bonds) beside the rings and their sets.
 */
#include "io/molecule/huckel.h"

enum {
    CARBON = 6,
    NITROGEN = 7,
    OXYGEN = 8,
    SULFUR = 16,
    ARGON = 18,
    SELENIUM = 34,
    TELLURIUM = 52,
    MOST_NEIGHBORS = 3,
    MACROCYCLE = 9,  /* atoms: ethers give nothing to rings of this size */
    MDL_SMALLEST = 6 /* atoms of a ring or fused set of the MDL model */
};

typedef struct perception {
    lm_mol *m;
    bool mdl;
    uint8_t *order; /* [bonds] of a Kekulé structure: LM_BOND_... */
    const lm_mol_search *s;
    lm_donor *donor; /* [atoms] of atoms in rings */
    bool *candidate; /* [atoms] */
    lm_cycles cycles;
    uint32_t *ring; /* [rings] numbers of the rings that are tested */
    size_t rings;
    uint32_t *far; /* [atoms] zero between calls of in_small_ring() */
    uint32_t *queue;
} perception;

/* ---- Electrons ------------------------------------------------------------------------------- */

/* The bonds of an atom. */
typedef struct surroundings {
    int neighbors; /* atoms and hydrogens behind bonds that take part in the valence */
    int degree;    /* bonds */
    int valence;   /* sum of orders and hydrogens */
    int multiple;  /* number of double and triple bonds */
    bool triple, ring_multiple;
    uint32_t outside; /* the atom behind a multiple bond that is in no ring; UINT32_MAX: none */
} surroundings;

static surroundings look_around(const perception *p, uint32_t a)
{
    surroundings around = {.outside = UINT32_MAX};
    int sum = 0;
    for (size_t j = p->s->start[a]; j < p->s->start[a + 1]; j++) {
        const uint32_t i = p->s->bond[j];
        const lm_mol_bond *bond = p->m->bond + i;
        const bool multiple = lm_bond_valence2[bond->from != a][p->order[i]] >= 4;
        sum += lm_bond_valence2[bond->from != a][p->order[i]];
        around.degree++;
        around.multiple += p->order[i] == LM_BOND_DOUBLE || p->order[i] == LM_BOND_TRIPLE;
        around.triple |= p->order[i] == LM_BOND_TRIPLE;
        around.ring_multiple |= multiple && p->s->in_ring[i];
        if (multiple && !p->s->in_ring[i] && around.outside == UINT32_MAX)
            around.outside = bond->from == a ? bond->to : bond->from;
    }
    around.neighbors = around.degree + p->m->atom[a].hydrogens;
    around.valence = sum / 2 + p->m->atom[a].hydrogens;
    return around;
}

/* The elements with more outer electrons, and of equal ones the lighter, attract more. */
static bool attracts_more(unsigned element, unsigned other)
{
    const int own = lm_outer_electrons(element), its = lm_outer_electrons(other);
    return own > its || (own == its && element < other);
}

/* Returns the number of electrons that the atom has for a ring; negative: it cannot be part of one. */
static int ring_electrons(const lm_atom *atom, const surroundings *around)
{
    const int valence = lm_valences(atom->element, 0)[0];
    if (valence <= 1 || around->neighbors > MOST_NEIGHBORS) return -1;
    const int pairs = lm_outer_electrons(atom->element) - valence - atom->charge;
    const int unpaired = atom->radical == 2 ? 1 : atom->radical ? 2 : 0;
    const int electrons = valence - around->neighbors + (pairs > 0 ? pairs : 0) - unpaired;
    return electrons > 1 && around->valence - around->degree > 1 ? 1 : electrons;
}

/* Returns what the atom gives: 0, 1 or 2; negative: it is no candidate. */
static int given_electrons(const perception *p, const lm_atom *atom, const surroundings *around)
{
    const int electrons = ring_electrons(atom, around);
    const bool outside = around->outside != UINT32_MAX;
    const bool taken = outside && !p->mdl && attracts_more(p->m->atom[around->outside].element, atom->element);
    if (electrons < 0) return -1;
    if (electrons == 0) return outside ? 0 : around->ring_multiple ? 1 : -1;
    if (electrons > 1) return (electrons - taken) % 2 ? 1 : 2;
    if (outside) return !taken;
    if (around->valence != around->neighbors) return 1;
    return atom->charge == 1 ? 0 : -1; /* the cations of cyclopropenyl and tropylium */
}

/* Returns true if the bonds of the atom exceed its first valence, for ions that of the element with as many electrons. */
static bool exceeds_valence(const lm_atom *atom, const surroundings *around)
{
    const int other = (int)atom->element - atom->charge;
    if (lm_valences(atom->element, 0)[0] <= 0) return false;
    return other < 0 || around->valence > lm_valences((unsigned)other, 0)[0];
}

static lm_donor donor_of(const perception *p, uint32_t a)
{
    const lm_atom *atom = p->m->atom + a;
    const surroundings around = look_around(p, a);
    const lm_donor none = {.candidate = false}, any = {true, 1, 2}, one = {true, 1, 1};
    const bool element = atom->element <= ARGON || atom->element == SELENIUM || atom->element == TELLURIUM;
    if (p->mdl && atom->element != CARBON && atom->element != NITROGEN) return none;
    if (p->mdl && (around.triple || around.outside != UINT32_MAX)) return none;
    if (!element || exceeds_valence(atom, &around)) return none;
    if (atom->radical && (atom->element != CARBON || atom->charge)) return none;
    if (around.valence - around.degree > 1 && around.multiple > 1) return none;
    if (!atom->element) return around.ring_multiple ? one : any;
    const int given = given_electrons(p, atom, &around);
    if (given < 0 || (p->mdl && given != 1)) return none;
    return (lm_donor){true, (uint8_t)given, (uint8_t)given};
}

/* ---- Rings ----------------------------------------------------------------------------------- */

/* Returns true if a ring of fewer than MACROCYCLE atoms contains atom a, which has two bonds: breadth-first search
 * from the atom behind one of them to the atom behind the other. */
static bool in_small_ring(const perception *p, uint32_t a)
{
    size_t done = 0, queued = 0;
    uint32_t ends[2];
    bool found = false;
    for (size_t i = 0; i < 2; i++) {
        const lm_mol_bond *bond = p->m->bond + p->s->bond[p->s->start[a] + i];
        ends[i] = bond->from == a ? bond->to : bond->from;
    }
    p->far[ends[0]] = 1; /* atoms on the shortest path to it */
    p->queue[queued++] = ends[0];
    while (done < queued && !found) {
        const uint32_t b = p->queue[done++], far = p->far[b] + 1;
        for (size_t j = p->s->start[b]; j < p->s->start[b + 1] && far + 1 < MACROCYCLE; j++) {
            const lm_mol_bond *bond = p->m->bond + p->s->bond[j];
            const uint32_t c = bond->from == b ? bond->to : bond->from;
            if (c == a || p->far[c]) continue;
            found |= c == ends[1];
            p->far[c] = far;
            p->queue[queued++] = c;
        }
    }
    for (size_t i = 0; i < queued; i++) p->far[p->queue[i]] = 0;
    return found;
}

/* Returns true if the atom is the oxygen of an ether, or sulfur in its place, and in no small ring. */
static bool is_large_ether(const perception *p, uint32_t a)
{
    const lm_atom *atom = p->m->atom + a;
    const bool element = atom->element == OXYGEN || atom->element == SULFUR;
    const bool ether = element && !atom->charge && p->donor[a].least == 2 && p->s->start[a + 1] - p->s->start[a] == 2;
    return ether && !in_small_ring(p, a);
}

/* Keeps the rings that are tested: not those of two atoms (two bonds between the same atoms), of placeholders alone
 * and, but for the MDL model, with the ethers of macrocycles. */
static leman_status keep_rings(leman_context *ctx, perception *p)
{
    const uint32_t *atom = p->cycles.atom.items;
    PASS_SCRATCH(ctx, p->ring, p->cycles.end.count + 1);
    for (size_t r = 0; r < p->cycles.end.count; r++) {
        const size_t begin = lm_cycle_begin(&p->cycles, r), end = lm_cycle_end(&p->cycles, r);
        bool elements = false, kept = end - begin > 2;
        for (size_t i = begin; i < end; i++) {
            elements |= p->m->atom[atom[i]].element != 0;
            if (end - begin >= MACROCYCLE && !p->mdl) kept = kept && !is_large_ether(p, atom[i]);
        }
        if (kept && elements) p->ring[p->rings++] = (uint32_t)r;
    }
    return LEMAN_OK;
}

/* ---- The molecule ---------------------------------------------------------------------------- */

static leman_status find_donors(leman_context *ctx, perception *p, size_t *candidates)
{
    bool *seen;
    PASS_SCRATCH_ZERO(ctx, p->donor, p->m->atoms + 1);
    PASS_SCRATCH_ZERO(ctx, p->candidate, p->m->atoms + 1);
    PASS_SCRATCH_ZERO(ctx, seen, p->m->atoms + 1);
    *candidates = 0;
    for (size_t i = 0; i < p->m->bonds; i++) {
        const uint32_t ends[2] = {p->m->bond[i].from, p->m->bond[i].to};
        for (int side = 0; side < 2 && p->s->in_ring[i]; side++) {
            if (seen[ends[side]]) continue;
            seen[ends[side]] = true;
            p->donor[ends[side]] = donor_of(p, ends[side]);
            p->candidate[ends[side]] = p->donor[ends[side]].candidate;
            *candidates += p->candidate[ends[side]];
        }
    }
    return LEMAN_OK;
}

/* Makes the bonds of the rings aromatic, and all others those of the Kekulé structure. */
static void write_bonds(perception *p, const bool *aromatic)
{
    lm_mol *m = p->m;
    for (size_t a = 0; a < m->atoms; a++) m->atom[a].aromatic = false;
    for (size_t i = 0; i < m->bonds; i++) {
        lm_mol_bond *bond = m->bond + i;
        const bool ordinary = p->order[i] == LM_BOND_SINGLE || p->order[i] == LM_BOND_DOUBLE;
        bond->type = aromatic[i] && ordinary ? LM_BOND_AROMATIC : p->order[i];
        bond->implied = false;
        if (bond->type == LM_BOND_AROMATIC) m->atom[bond->from].aromatic = m->atom[bond->to].aromatic = true;
    }
    lm_mol_valences(m);
}

/* Sets p->order. If there is no Kekulé structure, *atom is an atom without its double bond, otherwise SIZE_MAX. */
static leman_status find_orders(leman_context *ctx, perception *p, size_t *atom)
{
    size_t missing = 0;
    bool aromatic = false;
    PASS_SCRATCH_ZERO(ctx, p->order, p->m->bonds + 1);
    for (size_t i = 0; i < p->m->bonds; i++) aromatic |= p->m->bond[i].type == LM_BOND_AROMATIC;
    if (aromatic) PASS(lm_mol_kekule(ctx, p->m, p->order, &missing, atom));
    if (!missing) *atom = SIZE_MAX;
    for (size_t i = 0; i < p->m->bonds; i++)
        if (p->m->bond[i].type != LM_BOND_AROMATIC) p->order[i] = p->m->bond[i].type;
    return LEMAN_OK;
}

static leman_status test_rings(leman_context *ctx, perception *p, bool *aromatic)
{
    PASS(lm_mol_cycles(ctx, p->m, p->s, p->candidate, &p->cycles));
    if (!p->cycles.end.count) return LEMAN_OK;
    PASS_SCRATCH_ZERO(ctx, p->far, p->m->atoms + 1);
    PASS_SCRATCH(ctx, p->queue, p->m->atoms + 1);
    PASS(keep_rings(ctx, p));
    return lm_huckel_test(ctx, p->m, &p->cycles, p->ring, p->rings, p->donor, p->mdl ? MDL_SMALLEST : 0, aromatic);
}

static void perception_end(perception *p)
{
    lm_cycles_free(&p->cycles);
}

leman_status lm_mol_find_aromatic(leman_context *ctx, lm_mol *m, const lm_mol_search *search, leman_aromatic model,
                                  lm_mol_counts *counts, size_t *atom)
{
    SCRATCH_SCOPE(ctx);
    AUTO(perception_end) perception p = {.m = m, .mdl = model == LEMAN_AROMATIC_MDL, .s = search};
    bool *aromatic;
    size_t candidates;
    PASS(find_orders(ctx, &p, atom));
    if (*atom != SIZE_MAX) return counts->not_kekule++, LEMAN_OK;
    PASS_SCRATCH_ZERO(ctx, aromatic, m->bonds + 1);
    PASS(find_donors(ctx, &p, &candidates));
    if (candidates) PASS(test_rings(ctx, &p, aromatic));
    if (p.cycles.partial) return counts->too_large++, LEMAN_OK;
    write_bonds(&p, aromatic);
    return LEMAN_OK;
}
