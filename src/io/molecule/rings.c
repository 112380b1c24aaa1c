/*
 * Finds the bonds in rings, that is, the bonds that are not bridges. O(atoms + bonds).
 *
 * In a SMILES every bond that is no ring bond joins an atom with its parent. The bond to the parent is a bridge if no
 * ring bond leaves the subtree of the atom, that is, if the exclusive or of the marks of the ring bonds in the subtree
 * is 0. If a ring bond may join parts that a dot separates, and for molecules not read from SMILES, depth-first search
 * is used.
 */
#include "io/molecule/molecule.h"

/* ---- Any molecule ---------------------------------------------------------------------------- */

/* Returns true if the bond makes rings: RDKit's rings have no dative and no hydrogen bonds. */
static bool takes_part(const lm_mol_bond *bond, bool covalent)
{
    return !covalent || (bond->type != LM_BOND_DATIVE && bond->type != LM_BOND_HYDROGEN);
}

static leman_status bonds_of_atoms(leman_context *ctx, const lm_mol *m, bool covalent, size_t **out_start,
                                   uint32_t **out_bond)
{
    size_t *start;
    uint32_t *bond;
    PASS_SCRATCH_ZERO(ctx, start, m->atoms + 2);
    PASS_SCRATCH(ctx, bond, 2 * m->bonds + 1);
    for (size_t i = 0; i < m->bonds; i++) {
        if (!takes_part(m->bond + i, covalent)) continue;
        start[m->bond[i].from + 2]++;
        start[m->bond[i].to + 2]++;
    }
    for (size_t a = 0; a < m->atoms; a++) start[a + 2] += start[a + 1];
    for (size_t i = 0; i < m->bonds; i++) {
        if (!takes_part(m->bond + i, covalent)) continue;
        bond[start[m->bond[i].from + 1]++] = (uint32_t)i;
        bond[start[m->bond[i].to + 1]++] = (uint32_t)i;
    }
    *out_start = start;
    *out_bond = bond;
    return LEMAN_OK;
}

static leman_status begin_search(leman_context *ctx, const lm_mol *m, bool covalent, lm_mol_search *s)
{
    PASS(bonds_of_atoms(ctx, m, covalent, &s->start, &s->bond));
    PASS_SCRATCH_ZERO(ctx, s->seen, m->atoms + 1);
    PASS_SCRATCH(ctx, s->low, m->atoms + 1);
    PASS_SCRATCH(ctx, s->through, m->atoms + 1);
    PASS_SCRATCH(ctx, s->stack, m->atoms + 1);
    PASS_SCRATCH(ctx, s->next, m->atoms + 1);
    PASS_SCRATCH_ZERO(ctx, s->in_ring, m->bonds + 1);
    return LEMAN_OK;
}

static void search_component(const lm_mol *m, lm_mol_search *s, uint32_t root, uint32_t *count)
{
    size_t depth = 0;
    s->stack[depth++] = root;
    s->seen[root] = s->low[root] = ++*count;
    s->through[root] = UINT32_MAX;
    s->next[root] = s->start[root];
    while (depth) {
        const uint32_t a = s->stack[depth - 1];
        if (s->next[a] == s->start[a + 1]) {
            depth--;
            if (!depth) break;
            const uint32_t above = s->stack[depth - 1];
            s->in_ring[s->through[a]] = s->low[a] <= s->seen[above];
            if (s->low[a] < s->low[above]) s->low[above] = s->low[a];
            continue;
        }
        const uint32_t i = s->bond[s->next[a]++];
        const uint32_t b = m->bond[i].from == a ? m->bond[i].to : m->bond[i].from;
        if (i == s->through[a] || a == b) continue;
        if (s->seen[b]) {
            s->in_ring[i] = true;
            if (s->seen[b] < s->low[a]) s->low[a] = s->seen[b];
            continue;
        }
        s->seen[b] = s->low[b] = ++*count;
        s->through[b] = i;
        s->next[b] = s->start[b];
        s->stack[depth++] = b;
    }
}

leman_status lm_mol_rings(leman_context *ctx, const lm_mol *m, bool covalent, lm_mol_search *s)
{
    uint32_t count = 0;
    PASS(begin_search(ctx, m, covalent, s));
    for (uint32_t a = 0; a < m->atoms; a++)
        if (!s->seen[a]) search_component(m, s, a, &count);
    return LEMAN_OK;
}

/* ---- SMILES ---------------------------------------------------------------------------------- */

static void make_single(lm_mol *m, lm_mol_bond *bond)
{
    bond->type = LM_BOND_SINGLE;
    m->atom[bond->from].valence2--;
    m->atom[bond->to].valence2--;
}

leman_status lm_mol_settle_bonds(leman_context *ctx, lm_mol *m)
{
    SCRATCH_SCOPE(ctx);
    uint64_t *sum = m->ring_sum;
    lm_mol_search s;
    if (m->joined && m->ring_bonds) {
        PASS(lm_mol_rings(ctx, m, false, &s));
        for (size_t i = 0; i < m->bonds; i++)
            if (m->bond[i].implied && !s.in_ring[i]) make_single(m, m->bond + i);
        return LEMAN_OK;
    }
    for (size_t a = m->atoms; a-- > 1;) { /* an atom stands behind its parent */
        if (m->parent[a] == UINT32_MAX) continue;
        lm_mol_bond *bond = m->bond + m->parent_bond[a];
        sum[m->parent[a]] ^= sum[a];
        if (bond->implied && !sum[a]) make_single(m, bond);
    }
    return LEMAN_OK;
}
