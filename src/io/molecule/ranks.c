/*
 * Ranks of atoms that do not depend on how a molecule is written: colour refinement of its atoms by element, charge,
 * hydrogens, isotope, radical and aromaticity, and by their bonds, until nothing splits. Equal ranks are atoms that
 * refinement does not tell apart. O(rounds (atoms log atoms + bonds)), with as many rounds as split something.
 */
#include "io/molecule/ranks.h"
#include "base/hash.h"
#include "base/sort.h"
#include <string.h>

static uint64_t first_rank(const lm_atom *atom)
{
    int64_t label;
    lm_atom_label(atom,
                  LEMAN_ATOM_ELEMENT | LEMAN_ATOM_CHARGE | LEMAN_ATOM_ISOTOPE | LEMAN_ATOM_RADICAL |
                      LEMAN_ATOM_HYDROGENS | LEMAN_ATOM_AROMATIC,
                  &label);
    return lm_mix((uint64_t)label);
}

/* sorted[atoms] and spare[atoms] are workspace. */
static size_t count_different(const uint64_t *rank, size_t atoms, uint64_t *sorted, uint64_t *spare)
{
    memcpy(sorted, rank, atoms * sizeof *rank);
    return lm_count_keys(sorted, spare, atoms, 1, sorted, spare);
}

leman_status lm_mol_refine_ranks(leman_context *ctx, const lm_mol *m, uint64_t *rank)
{
    SCRATCH_SCOPE(ctx);
    uint64_t *sum, *sorted, *spare;
    PASS_SCRATCH(ctx, sum, m->atoms + 1);
    PASS_SCRATCH(ctx, sorted, m->atoms + 1);
    PASS_SCRATCH(ctx, spare, m->atoms + 1);
    for (size_t before = 0, now = count_different(rank, m->atoms, sorted, spare); now > before && now < m->atoms;) {
        memset(sum, 0, m->atoms * sizeof *sum);
        for (size_t i = 0; i < m->bonds; i++) {
            const lm_mol_bond *bond = m->bond + i;
            const uint64_t type = lm_mix((uint64_t)bond->type);
            sum[bond->from] += lm_mix(rank[bond->to] + type);
            sum[bond->to] += lm_mix(rank[bond->from] + type + (bond->type == LM_BOND_DATIVE));
        }
        for (size_t a = 0; a < m->atoms; a++) rank[a] = lm_mix(rank[a] ^ lm_mix(sum[a]));
        before = now;
        now = count_different(rank, m->atoms, sorted, spare);
    }
    return LEMAN_OK;
}

leman_status lm_mol_ranks(leman_context *ctx, const lm_mol *m, uint64_t *rank)
{
    for (size_t a = 0; a < m->atoms; a++) rank[a] = first_rank(m->atom + a);
    return lm_mol_refine_ranks(ctx, m, rank);
}
