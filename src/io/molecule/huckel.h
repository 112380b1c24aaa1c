/* Hückel's rule for rings and sets of fused rings. */
#ifndef LM_HUCKEL_H
#define LM_HUCKEL_H

#include "io/molecule/cycles.h"

/* What an atom gives to its rings. */
typedef struct lm_donor {
    bool candidate;
    uint8_t least, most; /* electrons; they differ for placeholders, of which a set has at most one */
} lm_donor;

/* Sets aromatic[bonds] to true for the bonds of aromatic rings, among cycles ring[rings], whose atoms are candidates
 * of donor[atoms]. A ring or a set of rings with fewer than `smallest` atoms is not aromatic. Other bonds keep their
 * value. */
leman_status lm_huckel_test(leman_context *ctx, const lm_mol *molecule, const lm_cycles *cycles, const uint32_t *ring,
                            size_t rings, const lm_donor *donor, size_t smallest, bool *aromatic);

#endif
