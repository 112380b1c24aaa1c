/* Where the atoms of a ring block stand: rings are regular polygons where that is possible. A bond is 1 long. */
#ifndef LM_RING_LAYOUT_H
#define LM_RING_LAYOUT_H

#include "report/drawing/skeleton.h"

/* Places of the atoms of a block, place[skeleton->atoms]; the others stay. */
leman_status lm_ring_layout(leman_context *ctx, const lm_skeleton *skeleton, uint32_t block, lm_point *place);

/* ---- Bridged rings (bridged_layout.c) -------------------------------------------------------- */

/* Some rings that belong together: their atoms and bonds. */
typedef struct lm_ring_group {
    const lm_skeleton *skeleton;
    const lm_ring_path *ring; /* [rings] */
    const uint32_t *member;   /* [members] numbers of rings */
    size_t members;
    bool *inside;                 /* [skeleton->atoms] */
    uint64_t bond[LM_BOND_WORDS]; /* of the group */
} lm_ring_group;

/* Places without polygons: a long cycle as the outline, the rest inside, springs between all. */
leman_status lm_bridged_layout(leman_context *ctx, const lm_ring_group *group, lm_point *place);
/* How bad places of these atoms are: crossings, atoms on each other, bonds that are not 1 long, no room for what hangs
 * on them. 0 is perfect. */
double lm_ring_cost(const lm_ring_group *group, const lm_point *place);
/* place[ring->size] becomes a regular polygon with sides of 1 about the middle 0. */
void lm_polygon(const lm_ring_path *ring, lm_point *place);

#endif
