/*
 * Priorities of atoms in the manner of Cahn, Ingold and Prelog (CIP): atoms are compared by atomic number, then by the
 * sorted list of their neighbours, sphere by sphere; a neighbour counts once for each order of its bond, and a hydrogen
 * that is no atom is the lowest. Where that does not decide, isotopes do, then the other properties of atoms and bonds.
 *
 *   rank(v)  is refined by  (rank(v), ranks of the neighbours of v in decreasing order)    until nothing splits
 *
 * This is colour refinement whose colours are ordered. CIP compares trees without duplicates in another way in rings, so
 * that the order is that of CIP for most atoms, not for all. O(rounds (atoms log atoms + bonds)).
 */
#include "base/sort.h"
#include "io/molecule/stereo.h"
#include <stdlib.h>
#include <string.h>

/* An atom with what it is compared by. */
typedef struct lm_sphere {
    int64_t key; /* the rank, and what splits it */
    uint32_t rank, atom, count;
    const uint32_t *list; /* [count] decreasing */
} lm_sphere;

enum { TYPES = 64 }; /* a neighbour in the last stages: TYPES rank + type of its bond */

static int compare(const void *a, const void *b)
{
    const lm_sphere *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    for (uint32_t i = 0; i < x->count && i < y->count; i++)
        if (x->list[i] != y->list[i]) return x->list[i] < y->list[i] ? -1 : 1;
    return (x->count > y->count) - (x->count < y->count);
}

/* Ranks the atoms anew. Returns the number of ranks. */
static uint32_t rank_spheres(lm_priorities *p)
{
    const size_t atoms = p->m->atoms;
    uint32_t ranks = 0;
    qsort(p->of, atoms, sizeof *p->of, compare);
    for (size_t i = 0; i < atoms; i++) {
        ranks += !i || compare(p->of + i - 1, p->of + i);
        p->next[p->of[i].atom] = ranks;
    }
    memcpy(p->rank, p->next, atoms * sizeof *p->rank);
    p->work += atoms;
    return ranks;
}

/* Writes the neighbours of an atom, in decreasing order, to list. Returns their number. */
static uint32_t put_neighbors(const lm_priorities *p, uint32_t a, bool typed, uint32_t *list)
{
    uint32_t count = 0;
    for (size_t j = p->s->start[a]; j < p->s->start[a + 1]; j++) {
        const uint32_t i = p->s->bond[j], b = lm_other_end(p->m->bond + i, a);
        const lm_mol_bond *bond = p->m->bond + i;
        const bool end = bond->to == a;
        const uint32_t type = bond->type == LM_BOND_DATIVE && end ? LM_BOND_QUADRUPLE + 1u : bond->type;
        const uint32_t stereo = p->stereo[i] ? LM_STEREO_E + 1u - p->stereo[i] : 0;
        uint32_t times = typed ? 1 : lm_bond_valence2[end][bond->type];
        do list[count++] = typed ? TYPES * p->rank[b] + 16 * stereo + type : p->rank[b];
        while (times && --times);
    }
    for (uint32_t h = 0; !typed && h < 2u * p->m->atom[a].hydrogens; h++) list[count++] = 0;
    for (uint32_t i = 1; i < count && count <= 32; i++) { /* insertion sort: few neighbours */
        const uint32_t x = list[i];
        uint32_t j = i;
        for (; j && list[j - 1] < x; j--) list[j] = list[j - 1];
        list[j] = x;
    }
    if (count > 32) {
        qsort(list, count, sizeof *list, lm_compare_uint32);
        for (uint32_t i = 0, j = count - 1; i < j; i++, j--) {
            const uint32_t x = list[i];
            list[i] = list[j];
            list[j] = x;
        }
    }
    return count;
}

/* Ranks by key, then refines by neighbours, without or with the types of bonds. */
static void refine(lm_priorities *p, const int64_t *key, bool typed)
{
    const size_t atoms = p->m->atoms;
    for (uint32_t a = 0; a < atoms; a++) p->of[a] = (lm_sphere){.key = key[a], .rank = p->rank[a], .atom = a};
    uint32_t before = 0, ranks = rank_spheres(p);
    while (ranks > before && ranks < atoms && p->work <= p->most) {
        uint32_t *list = p->list;
        for (uint32_t a = 0; a < atoms; a++) {
            const uint32_t count = put_neighbors(p, a, typed, list);
            p->of[a] = (lm_sphere){.rank = p->rank[a], .atom = a, .count = count, .list = list};
            list += count;
        }
        before = ranks;
        ranks = rank_spheres(p);
    }
}

void lm_priorities_split(lm_priorities *p, const int64_t *key)
{
    refine(p, key, true);
}

leman_status lm_priorities_begin(leman_context *ctx, const lm_mol *m, const lm_mol_search *s, const uint8_t *stereo,
                                 uint64_t most, lm_priorities *p)
{
    static const unsigned STAGES[] = {LEMAN_ATOM_ELEMENT, LEMAN_ATOM_ISOTOPE,
                                      LEMAN_ATOM_CHARGE | LEMAN_ATOM_RADICAL | LEMAN_ATOM_HYDROGENS |
                                          LEMAN_ATOM_AROMATIC};
    size_t entries = 1;
    int64_t *key;
    for (size_t i = 0; i < m->bonds; i++)
        for (int end = 0; end < 2; end++) {
            const size_t times = lm_bond_valence2[end][m->bond[i].type];
            entries += times ? times : 1;
        }
    for (size_t a = 0; a < m->atoms; a++) entries += 2u * m->atom[a].hydrogens;
    *p = (lm_priorities){.m = m, .s = s, .stereo = stereo, .most = most};
    PASS_SCRATCH_ZERO(ctx, p->rank, m->atoms + 1);
    PASS_SCRATCH(ctx, p->next, m->atoms + 1);
    PASS_SCRATCH(ctx, p->of, m->atoms + 1);
    PASS_SCRATCH(ctx, p->list, entries);
    PASS_SCRATCH(ctx, key, m->atoms + 1);
    for (size_t i = 0; i < sizeof STAGES / sizeof *STAGES; i++) {
        for (size_t a = 0; a < m->atoms; a++) lm_atom_label(m->atom + a, STAGES[i], key + a);
        refine(p, key, i == 2);
    }
    return LEMAN_OK;
}
