/* Inside the molecule-like graphs: a molecule as it grows, and the branches that are hung on it. */
#ifndef LM_MOLECULES_H
#define LM_MOLECULES_H

#include "base/context.h"
#include "base/random.h"

enum { LM_CARBON = 6, LM_NITROGEN = 7, LM_OXYGEN = 8, LM_FLUORINE = 9, LM_SULFUR = 16, LM_CHLORINE = 17 };

typedef struct lm_bond {
    uint32_t tail, head;
    int order; /* 1, 2, 3 */
} lm_bond;

/* Also a branch: then atom 0 is the one to be joined, by a bond of order `root_order`. */
typedef struct lm_molecule {
    size_t atoms, bonds;
    int *element;   /* [atoms] atomic number */
    int *spare;     /* [atoms] valence that is still free */
    bool *multiple; /* [atoms] has a double or triple bond */
    size_t open;    /* sum of spare */
    lm_bond *bond;  /* [bonds] */
    int64_t score;  /* of atoms, bonds and rings so far, in thousandths */
    int root_order;
} lm_molecule;

/* Bonds that atoms can have at most, of which each ring of at least three atoms closes one more than a tree. */
static inline size_t lm_molecule_bonds(size_t atoms)
{
    return atoms + atoms / 3 + 3;
}

/* An empty molecule with room for so many atoms, in the scratch arena. */
leman_status lm_molecule_new(leman_context *ctx, lm_molecule *molecule, size_t atoms);
void lm_molecule_clear(lm_molecule *molecule);
/* Returns the number of the new atom. */
uint32_t lm_molecule_atom(lm_molecule *molecule, int element);
void lm_molecule_bond(lm_molecule *molecule, uint32_t tail, uint32_t head, int order);
/* Scores a ring whose atoms are all there. */
void lm_molecule_ring(lm_molecule *molecule, const uint32_t *ring, size_t length);

/* Draws a branch of exactly `size` atoms that can hang on `host`, an atom with spare valence. */
void lm_branch_draw(lm_random *random, const lm_molecule *molecule, uint32_t host, size_t size, lm_molecule *branch);
/* Hangs a copy of the branch on host. */
void lm_branch_attach(lm_molecule *molecule, uint32_t host, const lm_molecule *branch);

#endif
