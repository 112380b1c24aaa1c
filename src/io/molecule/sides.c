/*
 * Marks / and \ for the SMILES of a molecule whose coordinates say which double bonds are E and which are Z. Beside a
 * double bond, the marks of two bonds are equal or opposite: both bonds of one end are opposite, and bonds of different
 * ends are equal if they lie on one side. Breadth-first search over such bonds sets all marks that depend on each other.
 * If they contradict each other, as in some large rings, or if they would say something of a double bond of which nothing
 * is known, these marks are left out. O(atoms + bonds).
 */
#include "io/molecule/molecule_of.h"
#include "io/molecule/stereo.h"
#include <string.h>

enum { NO_DOUBLE = -1 };

typedef struct marking {
    lm_mol *m;
    lm_mol_search s;
    int32_t *double_at; /* [atoms] the place in m->stereo_at of the double bond at this atom; NO_DOUBLE */
    uint32_t *queue;    /* [bonds] */
    uint32_t *far;      /* [atoms] of lm_mol_in_small_ring() */
    size_t queued;
    bool contradiction;
} marking;

/* Returns the mark of a bond as seen from one of its atoms. */
static int seen_from(const lm_mol_bond *bond, uint32_t atom)
{
    return bond->from == atom ? bond->side : -bond->side;
}

/* Returns 1 if atom u, a neighbour of an end of the double bond, is on the side of its first neighbour, otherwise -1. */
static int place_beside(const lm_stereo *e, uint32_t end, uint32_t u)
{
    return end == e->at[0] ? (u == e->neighbor[0] ? 1 : -1) : (u == e->neighbor[2] ? 1 : -1) * e->turn;
}

/* Sets the mark of a bond, as seen from an atom, or finds that it has the other one. */
static void set_mark(marking *w, uint32_t bond, uint32_t atom, int side)
{
    lm_mol_bond *b = w->m->bond + bond;
    if (b->side) {
        w->contradiction |= seen_from(b, atom) != side;
        return;
    }
    b->side = (int8_t)(b->from == atom ? side : -side);
    w->queue[w->queued++] = bond;
}

/* Sets the marks of all bonds beside double bond e, one of which, at an end of it, is known. */
static void spread(marking *w, const lm_stereo *e, uint32_t known, uint32_t end)
{
    const lm_mol_bond *b = w->m->bond + known;
    const int first = seen_from(b, end) * place_beside(e, end, lm_other_end(b, end));
    for (int k = 0; k < 2; k++)
        for (size_t j = w->s.start[e->at[k]]; j < w->s.start[e->at[k] + 1]; j++) {
            const uint32_t u = lm_other_end(w->m->bond + w->s.bond[j], e->at[k]);
            if (u != e->at[!k]) set_mark(w, w->s.bond[j], e->at[k], first * place_beside(e, e->at[k], u));
        }
}

/* Returns true if a double bond without a known side has marks at both ends. */
static bool says_too_much(const marking *w)
{
    for (size_t i = 0; i < w->m->bonds; i++) {
        const lm_mol_bond *bond = w->m->bond + i;
        bool marked[2] = {false, false};
        if (bond->type != LM_BOND_DOUBLE || w->double_at[bond->from] != NO_DOUBLE) continue;
        for (int k = 0; k < 2; k++) {
            const uint32_t end = k ? bond->to : bond->from;
            for (size_t j = w->s.start[end]; j < w->s.start[end + 1]; j++)
                marked[k] |= w->m->bond[w->s.bond[j]].side != 0;
        }
        if (marked[0] && marked[1] && !lm_mol_in_small_ring(w->m, &w->s, i, w->far)) return true;
    }
    return false;
}

/* Sets the marks beside double bond e and all that depend on them. */
static void mark_from(marking *w, const lm_stereo *e)
{
    w->queued = 0;
    w->contradiction = false;
    for (size_t j = w->s.start[e->at[0]]; j < w->s.start[e->at[0] + 1] && !w->queued; j++)
        if (lm_other_end(w->m->bond + w->s.bond[j], e->at[0]) != e->at[1]) set_mark(w, w->s.bond[j], e->at[0], -1);
    for (size_t i = 0; i < w->queued; i++) {
        const lm_mol_bond *bond = w->m->bond + w->queue[i];
        for (int k = 0; k < 2; k++) {
            const uint32_t end = k ? bond->to : bond->from;
            if (w->double_at[end] != NO_DOUBLE) spread(w, w->m->stereo_at + w->double_at[end], w->queue[i], end);
        }
    }
    if (!w->contradiction && !says_too_much(w)) return;
    for (size_t i = 0; i < w->queued; i++) w->m->bond[w->queue[i]].side = 0;
}

/* Keeps the double bonds of m->stereo_at whose bond has a label, and single bonds beside them alone. */
static void keep_labelled(marking *w)
{
    lm_mol *m = w->m;
    size_t kept = 0;
    for (size_t i = 0; i < m->stereo_count; i++) {
        const lm_stereo e = m->stereo_at[i];
        bool labelled = false, plain = true;
        for (int k = 0; k < 2 && lm_is_double(&e); k++)
            for (size_t j = w->s.start[e.at[k]]; j < w->s.start[e.at[k] + 1]; j++) {
                const lm_mol_bond *bond = m->bond + w->s.bond[j];
                const bool own = lm_other_end(bond, e.at[k]) == e.at[!k];
                labelled |= own && bond->stereo;
                plain &= own || bond->type == LM_BOND_SINGLE || bond->type == LM_BOND_AROMATIC;
            }
        if (!labelled || !plain) continue;
        w->double_at[e.at[0]] = w->double_at[e.at[1]] = (int32_t)kept;
        m->stereo_at[kept++] = e;
    }
    m->stereo_count = kept;
}

leman_status lm_mol_mark_double_bonds(leman_context *ctx, lm_mol *m)
{
    SCRATCH_SCOPE(ctx);
    marking w = {.m = m};
    lm_mol_counts ignored = {0};
    m->stereo_count = 0;
    PASS_SCRATCH(ctx, m->stereo_at, m->atoms + m->bonds + 1);
    PASS_SCRATCH(ctx, w.double_at, m->atoms + 1);
    PASS_SCRATCH(ctx, w.queue, m->bonds + 1);
    PASS_SCRATCH_ZERO(ctx, w.far, m->atoms + 1);
    PASS(lm_mol_rings(ctx, m, false, &w.s));
    for (size_t a = 0; a < m->atoms; a++) w.double_at[a] = NO_DOUBLE;
    lm_stereo_of_places(m, &w.s, &ignored);
    keep_labelled(&w);
    for (size_t i = 0; i < m->stereo_count; i++) {
        bool marked = false;
        const lm_stereo *e = m->stereo_at + i;
        for (size_t j = w.s.start[e->at[0]]; j < w.s.start[e->at[0] + 1]; j++) marked |= m->bond[w.s.bond[j]].side != 0;
        if (!marked) mark_from(&w, e);
    }
    m->stereo_count = 0;
    return LEMAN_OK;
}
