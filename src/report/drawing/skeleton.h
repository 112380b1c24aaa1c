/*
 * The bonds of a molecule as its drawing needs them: neighbours of atoms, ring blocks (the largest parts that stay
 * connected without any one of their atoms), and the rings that a chemist counts. What is made here lies in the
 * context's scratch.
 */
#ifndef LM_SKELETON_H
#define LM_SKELETON_H

#include "base/context.h"

enum {
    LM_NO_BLOCK = UINT32_MAX,
    LM_SKELETON_ATOMS = 256,
    LM_SKELETON_BONDS = 320,
    LM_BOND_WORDS = LM_SKELETON_BONDS / 64
};

typedef struct lm_point {
    double x, y;
} lm_point;

typedef struct lm_skeleton {
    size_t atoms, bonds;
    uint32_t *start;      /* [atoms+1] */
    uint32_t *neighbor;   /* [2 bonds] of atom a: start[a] .. start[a+1]-1, increasing */
    uint32_t *bond_to;    /* [2 bonds] the bond to that neighbour */
    uint32_t (*bond)[2];  /* [bonds] its atoms, the smaller first */
    uint8_t *order;       /* [bonds] 1 to 3, 4 for aromatic ones */
    uint32_t *block;      /* [bonds] the ring block it belongs to, LM_NO_BLOCK for bonds that are in no ring */
    const bool *small;    /* [atoms] hydrogens, whose bonds are shorter; NULL: none */
    uint32_t *atom_block; /* [atoms] the first ring block of an atom; it may be in others too */
    size_t blocks;
} lm_skeleton;

/* Atoms in order round the ring, and its bonds as a set of bits. */
typedef struct lm_ring_path {
    uint32_t *atom; /* [size] */
    size_t size;
    uint64_t bond[LM_BOND_WORDS];
} lm_ring_path;

/* Is the graph one that is drawn like a molecule: undirected, with few bonds for its atoms, and no loops? */
bool lm_skeleton_suits(const leman_graph *graph);
/* order[arcs] or NULL, where every bond is single. O(atoms + bonds). */
leman_status lm_skeleton_new(leman_context *ctx, const leman_graph *graph, const uint8_t *order, lm_skeleton *skeleton);
/* The rings of a block: a basis of its cycles of the least total length, shortest first. O(n m (n + r)) for n atoms, m
 * bonds and r rings. */
leman_status lm_ring_basis(leman_context *ctx, const lm_skeleton *skeleton, uint32_t block, lm_ring_path **ring,
                           size_t *rings);
/* Does the atom have a straight bond angle: a triple bond or two double bonds, and two neighbours? */
bool lm_atom_is_linear(const lm_skeleton *skeleton, size_t atom);
/* The bond between two atoms, or UINT32_MAX. */
uint32_t lm_bond_between(const lm_skeleton *skeleton, size_t a, size_t b);

static inline bool lm_ring_has(const lm_ring_path *ring, uint32_t bond)
{
    return ring->bond[bond / 64] >> bond % 64 & 1;
}

#endif
