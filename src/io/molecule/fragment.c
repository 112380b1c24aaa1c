/*
 * Keeps the largest fragment of a molecule: salts and solvents are left out. O(atoms + bonds), and refinement of ranks
 * where two fragments have equal numbers of atoms and masses.
 */
#include "base/hash.h"
#include "io/molecule/ranks.h"
#include "io/molecule/standardize.h"
#include "io/molecule/stereo.h"
#include <string.h>

enum { CARBON = 6 };

/* Mass numbers of the most abundant, or most stable, isotopes. */
static const uint16_t MASS[] = {0,   1,   4,   7,   9,   11,  12,  14,  16,  19,  20,  23,  24,  27,  28,  31,  32,
                                35,  40,  39,  40,  45,  48,  51,  52,  55,  56,  59,  58,  63,  64,  69,  74,  75,
                                80,  79,  84,  85,  88,  89,  90,  93,  98,  98,  102, 103, 106, 107, 114, 115, 120,
                                121, 130, 127, 132, 133, 138, 139, 140, 141, 142, 145, 152, 153, 158, 159, 164, 165,
                                166, 169, 174, 175, 180, 181, 184, 187, 192, 193, 195, 197, 202, 205, 208, 209};

typedef struct fragment {
    bool organic;
    size_t atoms; /* with hydrogens */
    uint64_t mass, key;
} fragment;

/* Returns true if a is larger than b; the key, which depends on the molecule alone, decides between equal sizes. */
static bool is_larger(const fragment *a, const fragment *b)
{
    if (a->organic != b->organic) return a->organic;
    if (a->atoms != b->atoms) return a->atoms > b->atoms;
    if (a->mass != b->mass) return a->mass > b->mass;
    return a->key > b->key;
}

/* Sets number[atoms] to the fragment of each atom. Returns their number. */
static size_t number_fragments(const lm_mol *m, const lm_mol_search *s, uint32_t *order, uint32_t *number)
{
    size_t count = 0;
    for (uint32_t a = 0; a < m->atoms; a++) order[s->seen[a] - 1] = a;
    for (size_t i = 0; i < m->atoms; i++) { /* a parent was found before its children */
        const uint32_t a = order[i], bond = s->through[a];
        const uint32_t parent = bond == UINT32_MAX        ? a
                                : m->bond[bond].from == a ? m->bond[bond].to
                                                          : m->bond[bond].from;
        number[a] = parent == a ? (uint32_t)count++ : number[parent];
    }
    return count;
}

static leman_status measure(leman_context *ctx, const lm_mol *m, const uint32_t *number, fragment *of)
{
    uint64_t *rank;
    PASS_SCRATCH(ctx, rank, m->atoms);
    PASS(lm_mol_ranks(ctx, m, rank));
    for (size_t a = 0; a < m->atoms; a++) {
        const lm_atom *atom = m->atom + a;
        fragment *f = of + number[a];
        const uint64_t usual = atom->element < sizeof MASS / sizeof *MASS ? MASS[atom->element] : 2u * atom->element;
        f->organic |= atom->element == CARBON;
        f->atoms += 1 + (size_t)atom->hydrogens;
        f->mass += (atom->isotope ? atom->isotope : usual) + atom->hydrogens;
        f->key += lm_mix(rank[a]);
    }
    return LEMAN_OK;
}

/* Drops the atoms of all other fragments, and their bonds. */
static void keep_fragment(lm_mol *m, const uint32_t *number, uint32_t kept, uint32_t *place)
{
    size_t atoms = 0, bonds = 0;
    for (size_t a = 0; a < m->atoms; a++) {
        place[a] = number[a] == kept ? (uint32_t)atoms : LM_NO_ATOM;
        if (number[a] != kept) continue;
        m->atom[atoms] = m->atom[a];
        memmove(m->place + 3 * atoms++, m->place + 3 * a, 3 * sizeof *m->place);
    }
    for (size_t i = 0; i < m->bonds; i++) {
        lm_mol_bond bond = m->bond[i];
        if (number[bond.from] != kept) continue;
        bond.from = place[bond.from];
        bond.to = place[bond.to];
        m->bond[bonds++] = bond;
    }
    m->atoms = atoms;
    m->bonds = bonds;
    lm_stereo_renumber(m, place);
}

leman_status lm_mol_keep_largest(leman_context *ctx, lm_mol *m, size_t *left_out)
{
    SCRATCH_SCOPE(ctx);
    lm_mol_search s;
    uint32_t *order, *number, kept = 0;
    fragment *of;
    *left_out = 0;
    if (!m->atoms) return LEMAN_OK;
    PASS(lm_mol_rings(ctx, m, false, &s));
    PASS_SCRATCH(ctx, order, m->atoms);
    PASS_SCRATCH(ctx, number, m->atoms);
    const size_t count = number_fragments(m, &s, order, number);
    if (count == 1) return LEMAN_OK;
    PASS_SCRATCH_ZERO(ctx, of, count);
    PASS(measure(ctx, m, number, of));
    for (uint32_t f = 1; f < count; f++)
        if (is_larger(of + f, of + kept)) kept = f;
    keep_fragment(m, number, kept, order);
    *left_out = count - 1;
    return LEMAN_OK;
}
