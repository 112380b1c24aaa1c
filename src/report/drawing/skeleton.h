/*
 * The bonds of a molecule for drawings: neighbours of atoms, ring blocks (biconnected components with rings), and the
 * rings that a chemist counts. All arrays are allocated in the context's scratch memory.
 */
#ifndef LM_SKELETON_H
#define LM_SKELETON_H

#include "base/context.h"
#include "report/drawing/geometry.h"

enum {
    LM_NO_BLOCK = UINT32_MAX,
    LM_SKELETON_ATOMS = 256,
    LM_SKELETON_BONDS = 320,
    LM_SKELETON_DEGREE = 12,
    LM_BOND_WORDS = LM_SKELETON_BONDS / 64
};

/* A double bond in no ring, with a neighbour of each end: whether these lie on the same side of the bond. */
typedef struct lm_double_bond {
    uint32_t end[2], neighbor[2];
    bool same;
} lm_double_bond;

typedef struct lm_skeleton {
    size_t atoms, bonds;
    uint32_t *start;      /* [atoms+1] */
    uint32_t *neighbor;   /* [2 bonds] neighbours of atom a: start[a] .. start[a+1]-1, increasing */
    uint32_t *bond_to;    /* [2 bonds] the bond to that neighbour */
    uint32_t (*bond)[2];  /* [bonds] the two atoms, smaller first */
    uint8_t *order;       /* [bonds] 1 to 3, 4 for aromatic bonds */
    uint32_t *block;      /* [bonds] its ring block, or LM_NO_BLOCK for a bond in no ring */
    const bool *small;    /* [atoms] hydrogens, whose bonds are shorter; NULL: none */
    bool *in_block;       /* [blocks][atoms] the atom is in the block */
    uint32_t *atom_block; /* [atoms] the first ring block of an atom, which may be in others, too */
    size_t blocks;
    lm_double_bond *turn; /* [turns] double bonds known to be E or Z; lm_double_bonds_find() sets them */
    size_t turns;
} lm_skeleton;

/* The atoms of a ring in order, and its bonds as bits. */
typedef struct lm_ring_path {
    uint32_t *atom; /* [size] */
    size_t size;
    uint64_t bond[LM_BOND_WORDS];
} lm_ring_path;

/* Returns true if the graph can be laid out like a molecule: undirected, without loops, with at most LM_SKELETON_ATOMS
 * vertices, LM_SKELETON_BONDS edges, and LM_SKELETON_DEGREE edges at a vertex. */
bool lm_skeleton_suits(const leman_graph *graph);
/* Makes the skeleton of a graph for which lm_skeleton_suits() is true. order[arcs] holds bond orders; NULL: every bond
 * is single. O(atoms + bonds). */
leman_status lm_skeleton_new(leman_context *ctx, const leman_graph *graph, const uint8_t *order, lm_skeleton *skeleton);
/* Finds the rings of a block: a cycle basis of minimum total length, shortest rings first. O(n m (n + r)) for n atoms,
 * m bonds and r rings. */
leman_status lm_ring_basis(leman_context *ctx, const lm_skeleton *skeleton, uint32_t block, lm_ring_path **ring,
                           size_t *rings);
/* Returns true if the atom has two neighbours and a straight bond angle: a triple bond, or two double bonds. */
bool lm_atom_is_linear(const lm_skeleton *skeleton, size_t atom);
/* Returns the bond between two atoms, or UINT32_MAX. */
uint32_t lm_bond_between(const lm_skeleton *skeleton, size_t a, size_t b);

/* Finds the atoms that bonds join with `from`: writes them to reached[atoms], `from` first and by increasing distance,
 * and sets seen[atom] to the mark. Atoms that have the mark before are not entered. Returns their number. */
size_t lm_skeleton_reach(const lm_skeleton *skeleton, uint32_t from, uint32_t mark, uint32_t *seen, uint32_t *reached);

/* Sets of atoms or bonds as bits. */
static inline bool lm_bit(const uint64_t *bits, size_t i)
{
    return bits[i / 64] >> i % 64 & 1;
}

static inline void lm_bit_set(uint64_t *bits, size_t i)
{
    bits[i / 64] |= UINT64_C(1) << i % 64;
}

#endif
