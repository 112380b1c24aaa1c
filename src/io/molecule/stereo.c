/*
 * What a SMILES says about tetrahedral atoms (@, @@) and double bonds (/, \).
 *
 * The neighbours of an atom with @ are, in this order: the atom before it, its hydrogen, the ring numbers in the order
 * of the text, the atoms behind it; a lone pair is the second of all. As seen from the first, the others are anticlockwise
 * for @.
 */
#include "io/molecule/stereo.h"
#include <string.h>

size_t lm_stereo_end(const lm_mol *m, const lm_mol_search *s, uint32_t end, uint32_t other, uint32_t *out)
{
    size_t count = 0;
    for (size_t j = s->start[end]; j < s->start[end + 1]; j++) {
        if (lm_other_end(m->bond + s->bond[j], end) == other) continue;
        if (count == 2) return 3;
        out[count++] = s->bond[j];
    }
    return count;
}

/* ---- Atoms ----------------------------------------------------------------------------------- */

/* Returns the place of a neighbour in the order of the text. */
static uint64_t place_of(const lm_mol *m, const lm_mol_bond *bond, uint32_t a, uint32_t b)
{
    if (bond->line) return 2 + (uint64_t)m->ring_place[2 * (bond->line - 1) + (b < a)];
    return m->parent[a] == b ? 0 : (UINT64_C(1) << 33) + b;
}

/* Appends an atom with a mark; one that has not three or four neighbours is counted. */
static void add_atom(lm_mol *m, const lm_mol_search *s, uint32_t mark, lm_mol_counts *counts)
{
    const uint32_t a = mark / 4;
    const size_t degree = s->start[a + 1] - s->start[a];
    uint64_t place[LM_STEREO_NEIGHBORS];
    lm_stereo e = {.at = {a, a}, .turn = mark % 4 == LM_MARK_RIGHT ? 1 : -1, .marked = true};
    size_t count = 0;
    if (mark % 4 == LM_MARK_OTHER || degree < 3 || degree + m->atom[a].hydrogens > LM_STEREO_NEIGHBORS) {
        counts->no_stereo++;
        return;
    }
    if (degree == 3) {
        e.neighbor[count] = LM_NO_ATOM;
        place[count++] = 1;
    }
    for (size_t j = s->start[a]; j < s->start[a + 1]; j++, count++) {
        const lm_mol_bond *bond = m->bond + s->bond[j];
        const uint32_t b = lm_other_end(bond, a);
        const uint64_t own = place_of(m, bond, a, b);
        size_t i = count;
        for (; i && place[i - 1] > own; i--) place[i] = place[i - 1], e.neighbor[i] = e.neighbor[i - 1];
        place[i] = own;
        e.neighbor[i] = b;
    }
    if (!m->atom[a].hydrogens && e.neighbor[0] == LM_NO_ATOM) { /* a lone pair is never the first */
        e.neighbor[0] = e.neighbor[1];
        e.neighbor[1] = LM_NO_ATOM;
    }
    m->stereo_at[m->stereo_count++] = e;
}

/* ---- Double bonds ---------------------------------------------------------------------------- */

/* Sets neighbor[2] to the neighbours of an end of a double bond, one with a mark first. Returns its side, 1 above and -1
 * below; 0 if there is no mark, or the two contradict each other. */
static int read_end(const lm_mol *m, const lm_mol_search *s, uint32_t end, uint32_t other, uint32_t *neighbor)
{
    uint32_t bond[2];
    int side[2] = {0, 0};
    const size_t count = lm_stereo_end(m, s, end, other, bond);
    neighbor[0] = neighbor[1] = LM_NO_ATOM;
    if (count > 2) return 0;
    for (size_t i = 0; i < count; i++) {
        const lm_mol_bond *b = m->bond + bond[i];
        neighbor[i] = lm_other_end(b, end);
        side[i] = b->from == end ? b->side : -b->side;
    }
    if (side[0]) return side[1] == side[0] ? 0 : side[0];
    neighbor[0] = neighbor[1];
    neighbor[1] = count ? lm_other_end(m->bond + bond[0], end) : LM_NO_ATOM;
    return side[1];
}

static void add_double(lm_mol *m, const lm_mol_search *s, const lm_mol_bond *bond)
{
    lm_stereo e = {.at = {bond->from, bond->to}, .marked = true};
    e.turn = (int8_t)(read_end(m, s, bond->from, bond->to, e.neighbor) *
                      read_end(m, s, bond->to, bond->from, e.neighbor + 2));
    if (e.turn) m->stereo_at[m->stereo_count++] = e;
}

leman_status lm_stereo_collect(leman_context *ctx, lm_mol *m, bool places, lm_mol_counts *counts)
{
    lm_mol_search s;
    m->stereo_count = 0;
    if (!places && !m->marks && !m->sided) return LEMAN_OK;
    PASS_SCRATCH(ctx, m->stereo_at, m->atoms + m->bonds + 1);
    PASS(lm_mol_rings(ctx, m, false, &s));
    if (places) {
        lm_stereo_of_places(m, &s, counts);
        return LEMAN_OK;
    }
    for (size_t i = 0; i < m->marks; i++) add_atom(m, &s, m->mark[i], counts);
    for (size_t i = 0; i < m->bonds && m->sided; i++)
        if (m->bond[i].type == LM_BOND_DOUBLE) add_double(m, &s, m->bond + i);
    return LEMAN_OK;
}

void lm_stereo_renumber(lm_mol *m, const uint32_t *number)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->stereo_count; i++) {
        lm_stereo e = m->stereo_at[i];
        for (int k = 0; k < LM_STEREO_NEIGHBORS; k++)
            if (e.neighbor[k] != LM_NO_ATOM) e.neighbor[k] = number[e.neighbor[k]];
        e.at[0] = number[e.at[0]];
        e.at[1] = number[e.at[1]];
        if (e.at[0] != LM_NO_ATOM && e.at[1] != LM_NO_ATOM) m->stereo_at[kept++] = e;
    }
    m->stereo_count = kept;
}
