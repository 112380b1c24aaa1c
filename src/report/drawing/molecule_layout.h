/*
 * Positions of the atoms of a molecule, as chemists draw it: rings are regular polygons, chains zigzag at 120 degrees,
 * triple bonds are straight, double bonds are E or Z as the molecule says, connected components are side by side, bonds
 * have length 1. Deterministic.
 */
#ifndef LM_MOLECULE_LAYOUT_H
#define LM_MOLECULE_LAYOUT_H

#include "report/drawing/skeleton.h"

/* Computes place[vertices], with y upwards and the centre at 0. order[arcs] or NULL: see lm_skeleton_new().
 * small[vertices] or NULL: atoms, such as hydrogens, that may be at LM_SHORT_BOND from their only neighbour. *clean
 * becomes true if no two atoms are closer than half a bond and no bonds cross. lm_skeleton_suits(graph) must be true.
 * About O(n^2) for n atoms, and O(n^3) if atoms have to be separated. */
leman_status lm_molecule_layout(leman_context *ctx, const leman_graph *graph, const uint8_t *order, const bool *small,
                                lm_point *place, bool *clean);
#define LM_SHORT_BOND 0.75
/* Uses the coordinates in the data set, if they make a drawing: vertex attributes x, y and possibly z, which is
 * ignored. Bonds must have similar lengths and atoms must be apart; if a z is not 0, no bonds may cross. Returns false
 * otherwise. */
bool lm_molecule_layout_given(const leman_graph *graph, lm_point *place);

/* ---- Steps of the layout --------------------------------------------------------------------- */

/* Lays out one connected component, the atoms with part[atom] == number (substituents.c). */
leman_status lm_substituents_layout(leman_context *ctx, const lm_skeleton *skeleton, const uint32_t *part,
                                    uint32_t number, lm_point *place);
/* Finds the double bonds whose E or Z the marks or the coordinates of the graph tell (double_bonds.c). */
leman_status lm_double_bonds_find(leman_context *ctx, const leman_graph *graph, lm_skeleton *skeleton);
/* Returns true if all of them are drawn so. */
bool lm_double_bonds_right(const lm_skeleton *skeleton, const lm_point *place);
/* Reflects parts of the molecule so that they are. */
leman_status lm_double_bonds_turn(leman_context *ctx, const lm_skeleton *skeleton, lm_point *place);
/* Separates atoms and bonds that are too close: branches are reflected, exchanged, rotated or pushed (clashes.c). Double
 * bonds that are right stay so. */
leman_status lm_clashes_resolve(leman_context *ctx, const lm_skeleton *skeleton, lm_point *place);
/* Numbers of pairs of atoms closer than half a bond, and of pairs of bonds that cross. O(n^2 + m^2). */
typedef struct lm_clash_count {
    size_t atoms, crossings;
} lm_clash_count;
lm_clash_count lm_clashes_count(const lm_skeleton *skeleton, const lm_point *place);

#endif
