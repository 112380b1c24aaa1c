/* Ranks of atoms that do not depend on how a molecule is written. */
#ifndef LM_RANKS_H
#define LM_RANKS_H

#include "io/molecule/molecule.h"

/* Sets rank[atoms]. Atoms of equal rank are those that colour refinement does not tell apart. */
leman_status lm_mol_ranks(leman_context *ctx, const lm_mol *molecule, uint64_t *rank);
/* Refines ranks further that were changed. */
leman_status lm_mol_refine_ranks(leman_context *ctx, const lm_mol *molecule, uint64_t *rank);

#endif
