/* The rings of a molecule: its relevant cycles. */
#ifndef LM_CYCLES_H
#define LM_CYCLES_H

#include "io/molecule/molecule.h"

enum { LM_RING_SYSTEM_ATOMS = 1000, LM_RINGS_LISTED = 5000 };

/* Rings, the short ones of each ring system first. Zero-initialise; release with lm_cycles_free(). */
typedef struct lm_cycles {
    lm_vector atom, bond; /* uint32_t: atoms of all rings, each in its order, and the bond behind each atom */
    lm_vector end;        /* size_t: end of each ring in `atom` and `bond` */
    bool partial;         /* a ring system has more than LM_RING_SYSTEM_ATOMS atoms, or the molecule more than
                           * LM_RINGS_LISTED rings: some rings are not listed */
} lm_cycles;

/* Lists the relevant cycles of a molecule whose atoms are all `wanted` [atoms]. A cycle is relevant if it is not a sum
 * of shorter cycles, that is, if it belongs to some smallest set of smallest rings. `search` is that of
 * lm_mol_rings(), and only its bonds make rings. */
leman_status lm_mol_cycles(leman_context *ctx, const lm_mol *molecule, const lm_mol_search *search, const bool *wanted,
                           lm_cycles *out);
void lm_cycles_free(lm_cycles *cycles);

static inline size_t lm_cycle_begin(const lm_cycles *cycles, size_t ring)
{
    return ring ? ((const size_t *)cycles->end.items)[ring - 1] : 0;
}

static inline size_t lm_cycle_end(const lm_cycles *cycles, size_t ring)
{
    return ((const size_t *)cycles->end.items)[ring];
}

#endif
