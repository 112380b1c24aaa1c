/*
 * Where the atoms of a molecule stand, as chemists draw it: rings are regular polygons, chains zigzag at 120 degrees,
 * triple bonds are straight, parts that are not connected stand beside each other, bonds are 1 long. Deterministic.
 */
#ifndef LM_MOLECULE_LAYOUT_H
#define LM_MOLECULE_LAYOUT_H

#include "report/drawing/skeleton.h"

/* place[vertices], y upwards, the middle at 0. order[arcs] or NULL as in lm_skeleton_new(); small[vertices] or NULL:
 * atoms that may stand at LM_SHORT_BOND from their only neighbour, as hydrogens do; *clean: no two atoms nearer than
 * half a bond, no bonds that cross. The graph suits a skeleton. About O(n^2) for n atoms, and O(n^3) where atoms have
 * to be kept apart. */
leman_status lm_molecule_layout(leman_context *ctx, const leman_graph *graph, const uint8_t *order, const bool *small,
                                lm_point *place, bool *clean);
#define LM_SHORT_BOND 0.75
/* The coordinates that the data set has, if they make a drawing: vertex attributes x, y and perhaps z, which is left
 * out; bonds of about one length, atoms apart, no crossings if there is a z. */
bool lm_molecule_layout_given(const leman_graph *graph, lm_point *place);

/* ---- Its parts ------------------------------------------------------------------------------- */

/* The places of one connected part, whose atoms are those with part[atom] == number (substituents.c). */
leman_status lm_substituents_layout(leman_context *ctx, const lm_skeleton *skeleton, const uint32_t *part,
                                    uint32_t number, lm_point *place);
/* Keeps atoms and bonds off each other: branches are reflected, exchanged, then rotated and pushed (clashes.c). */
leman_status lm_clashes_resolve(leman_context *ctx, const lm_skeleton *skeleton, lm_point *place);
/* Pairs of atoms nearer than half a bond, and pairs of bonds that cross. O(n^2 + m^2). */
typedef struct lm_clash_count {
    size_t atoms, crossings;
} lm_clash_count;
lm_clash_count lm_clashes_count(const lm_skeleton *skeleton, const lm_point *place);

#endif
