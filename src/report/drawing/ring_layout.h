/* Positions of the atoms of a ring block: rings are regular polygons if possible. A bond has length 1. */
#ifndef LM_RING_LAYOUT_H
#define LM_RING_LAYOUT_H

#include "report/drawing/skeleton.h"

/* Sets place[atom] for all atoms of the block; other entries of place[skeleton->atoms] are unchanged. */
leman_status lm_ring_layout(leman_context *ctx, const lm_skeleton *skeleton, uint32_t block, lm_point *place);

/* ---- Bridged rings (bridged_layout.c) -------------------------------------------------------- */

/* A set of rings that are laid out together, with their atoms and bonds. */
typedef struct lm_ring_group {
    const lm_skeleton *skeleton;
    const lm_ring_path *ring; /* [rings] */
    const uint32_t *member;   /* [members] numbers of its rings */
    size_t members;
    bool *inside;                 /* [skeleton->atoms] the atom is in the group */
    uint64_t bond[LM_BOND_WORDS]; /* bonds of the group, as bits */
} lm_ring_group;

/* Lays out a group that cannot be drawn as polygons: a long cycle as the outline, the other atoms inside, springs
 * between all. */
leman_status lm_bridged_layout(leman_context *ctx, const lm_ring_group *group, lm_point *place);
/* Returns the cost of a layout of the group: crossings, atoms too close to each other, bonds that are not 1 long, no
 * space for substituents. 0 is perfect. */
double lm_ring_cost(const lm_ring_group *group, const lm_point *place);
/* Places the atoms of the ring, place[ring->atom[i]], on a regular polygon with sides of length 1 about the origin. */
void lm_polygon(const lm_ring_path *ring, lm_point *place);

#endif
