/* Internals of the molecule-like graphs: a molecule while it grows, and the branches that are attached to it. */
#ifndef LM_MOLECULES_H
#define LM_MOLECULES_H

#include "base/context.h"
#include "base/random.h"

enum { LM_CARBON = 6, LM_NITROGEN = 7, LM_OXYGEN = 8, LM_FLUORINE = 9, LM_SULFUR = 16, LM_CHLORINE = 17 };

typedef struct lm_bond {
    uint32_t tail, head;
    int order; /* 1, 2, 3 */
} lm_bond;

/* A molecule or a branch. Atom 0 of a branch is joined to its host by a bond of order `root_order`. */
typedef struct lm_molecule {
    size_t atoms, bonds;
    int *element;   /* [atoms] atomic number */
    int *spare;     /* [atoms] free valence */
    bool *multiple; /* [atoms] has a double or triple bond */
    size_t open;    /* sum of spare */
    lm_bond *bond;  /* [bonds] */
    int64_t score;  /* of the atoms, bonds and rings so far, in thousandths */
    int root_order;
} lm_molecule;

/* Returns an upper bound of the bonds of so many atoms: each ring has at least three atoms and closes one bond more
 * than a tree has. */
static inline size_t lm_molecule_bonds(size_t atoms)
{
    return atoms + atoms / 3 + 3;
}

/* Makes an empty molecule with capacity for so many atoms, in the scratch arena. */
leman_status lm_molecule_new(leman_context *ctx, lm_molecule *molecule, size_t atoms);
void lm_molecule_clear(lm_molecule *molecule);
/* Adds an atom. Returns its number. */
uint32_t lm_molecule_atom(lm_molecule *molecule, int element);
void lm_molecule_bond(lm_molecule *molecule, uint32_t tail, uint32_t head, int order);
/* Adds the score of a ring. All atoms of the ring must have been added. */
void lm_molecule_ring(lm_molecule *molecule, const uint32_t *ring, size_t length);

/* Draws a branch of exactly `size` atoms that can be attached to `host`, an atom with free valence. */
void lm_branch_draw(lm_random *random, const lm_molecule *molecule, uint32_t host, size_t size, lm_molecule *branch);
/* Attaches a copy of the branch to host. */
void lm_branch_attach(lm_molecule *molecule, uint32_t host, const lm_molecule *branch);

#endif
