/* The steps of --standardize: the largest fragment, groups in one form, no charges that hydrogens can take. */
#ifndef LM_STANDARDIZE_H
#define LM_STANDARDIZE_H

#include "io/molecule/molecule.h"

/* Keeps the largest fragment: one with carbon before others, then the one with the most atoms (hydrogens count), then the
 * heaviest by mass numbers. *left_out is the number of fragments that were left out. (fragment.c) */
leman_status lm_mol_keep_largest(leman_context *ctx, lm_mol *molecule, size_t *left_out);
/* Writes groups in the form of RDKit's Normalizer. *changed is the number of groups that were rewritten. (groups.c) */
leman_status lm_mol_normalize_groups(leman_context *ctx, lm_mol *molecule, leman_aromatic model, size_t *changed);
/* Takes charges away as RDKit's Uncharger does. *changed is the number of atoms whose charge changed. (uncharge.c) */
leman_status lm_mol_uncharge(leman_context *ctx, lm_mol *molecule, size_t *changed);

#endif
