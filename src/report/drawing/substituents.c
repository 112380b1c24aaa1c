/*
 * Lays out one connected component, atom by atom, beginning with the largest ring block or, without rings, at an end of
 * the longest chain. An atom that is placed has directions for its branches: in a chain, 120 degrees from the bond by
 * which it was reached; at a ring, equal parts of the free angle. Larger branches choose first, and each takes the
 * least crowded direction. A branch that begins in a ring block brings the whole block, reflected if that is less
 * crowded.
 */
#include "report/drawing/molecule_layout.h"
#include "report/drawing/ring_layout.h"
#include <string.h>

enum { MAX_BRANCHES = 16 };

typedef struct growth {
    const lm_skeleton *s;
    const uint32_t *part;
    uint32_t number;
    lm_point *place;
    bool *placed;         /* [atoms] */
    uint32_t *queue;      /* [atoms] atoms that are placed, in this order */
    lm_point **own;       /* [blocks] layout of each block of this component */
    bool *block_placed;   /* [blocks] */
    uint32_t *seen, mark; /* [atoms] of the search for the sizes of branches */
    uint32_t *stack;
    size_t standing;
} growth;

/* A part that is attached to an atom and not placed yet: a neighbour, or a block that contains the atom. */
typedef struct branch {
    uint32_t atom;  /* the neighbour */
    uint32_t block; /* the block that contains the atom itself; LM_NO_BLOCK: attached by a bond */
    size_t size;    /* number of atoms in it */
} branch;

/* ---- Free space ------------------------------------------------------------------------------ */

static double crowd(const growth *g, lm_point p)
{
    double sum = 0;
    for (size_t i = 0; i < g->standing; i++) {
        const double d = 0.05 + lm_point_square(lm_point_subtract(p, g->place[g->queue[i]]));
        sum += 1 / (d * sqrt(d));
    }
    return sum;
}

/* Returns the widest angle between the bonds of an atom, of a block or (LM_NO_BLOCK) to atoms that are placed; *from is
 * where it begins. */
static double free_angle(const growth *g, uint32_t atom, uint32_t block, const lm_point *place, double *from)
{
    const lm_skeleton *s = g->s;
    double angle[2 * MAX_BRANCHES];
    size_t count = 0;
    for (uint32_t i = s->start[atom]; i < s->start[atom + 1]; i++)
        if (block == LM_NO_BLOCK ? g->placed[s->neighbor[i]] : s->block[s->bond_to[i]] == block)
            angle[count++] = lm_angle(place[atom], place[s->neighbor[i]]);
    return lm_widest_angle(angle, count, 1e-6, from);
}

/* ---- Branches -------------------------------------------------------------------------------- */

/* Returns the number of atoms behind a neighbour of an atom. */
static size_t branch_size(growth *g, uint32_t atom, uint32_t neighbor)
{
    g->seen[atom] = ++g->mark;
    return lm_skeleton_reach(g->s, neighbor, g->mark, g->seen, g->stack);
}

/* Lists the branches of an atom, largest first; returns their number. */
static size_t find_branches(growth *g, uint32_t atom, branch *list)
{
    const lm_skeleton *s = g->s;
    size_t count = 0;
    for (uint32_t i = s->start[atom]; i < s->start[atom + 1]; i++) {
        const uint32_t neighbor = s->neighbor[i], block = s->block[s->bond_to[i]];
        bool known = g->placed[neighbor];
        for (size_t k = 0; k < count && block != LM_NO_BLOCK; k++) known |= list[k].block == block;
        if (known || count == MAX_BRANCHES) continue;
        list[count++] = (branch){neighbor, block, branch_size(g, atom, neighbor)};
        for (size_t k = count - 1; k > 0 && list[k].size > list[k - 1].size; k--) {
            const branch swap = list[k];
            list[k] = list[k - 1];
            list[k - 1] = swap;
        }
    }
    return count;
}

static void put(growth *g, uint32_t atom, lm_point at)
{
    g->place[atom] = at;
    g->placed[atom] = true;
    g->queue[g->standing++] = atom;
}

/* Places a whole block with its atom `atom` at `at`. The block is rotated so that the first of `slots` equal parts of
 * the free angle at the atom points in direction `out`. */
static void put_block(growth *g, uint32_t block, uint32_t atom, lm_point at, double out, size_t slots)
{
    const lm_skeleton *s = g->s;
    const lm_point *own = g->own[block];
    double from, cost[2] = {0, 0};
    const double angle = free_angle(g, atom, block, own, &from), slot = from + angle / (double)(slots + 1);
    lm_point moved[2][LM_SKELETON_ATOMS];
    const bool *inside = s->in_block + block * s->atoms;
    for (int side = 0; side < 2; side++)
        for (size_t a = 0; a < s->atoms; a++) {
            if (!inside[a] || g->placed[a] || a == atom) continue;
            moved[side][a] = lm_point_add(at, lm_rotate(lm_point_subtract(own[a], own[atom]), out - slot));
            if (side) moved[side][a] = lm_reflect(moved[side][a], at, out);
            cost[side] += crowd(g, moved[side][a]);
        }
    const int better = cost[1] < cost[0] * (1 - 1e-9);
    g->block_placed[block] = true;
    if (!g->placed[atom]) put(g, atom, at);
    for (uint32_t a = 0; a < s->atoms; a++)
        if (inside[a] && !g->placed[a]) put(g, a, moved[better][a]);
}

/* Returns the number of bonds that leave a block at one of its atoms. */
static size_t outside(const lm_skeleton *s, uint32_t atom, uint32_t block)
{
    size_t count = 0;
    for (uint32_t i = s->start[atom]; i < s->start[atom + 1]; i++) count += s->block[s->bond_to[i]] != block;
    return count;
}

static void put_branch(growth *g, uint32_t atom, const branch *b, double direction)
{
    const uint32_t block = g->s->atom_block[b->atom];
    const bool small = g->s->small && g->s->small[b->atom] && b->size == 1;
    const lm_point next = lm_point_add(g->place[atom], lm_polar(direction, small ? LM_SHORT_BOND : 1));
    if (b->block != LM_NO_BLOCK)
        put_block(g, b->block, atom, g->place[atom], direction + LM_PI, 1);
    else if (block != LM_NO_BLOCK)
        put_block(g, block, b->atom, next, direction + LM_PI, outside(g->s, b->atom, block));
    else
        put(g, b->atom, next);
}

/* ---- Directions ------------------------------------------------------------------------------ */

/* Computes directions for the branches of an atom; returns their number, at least `branches`. */
static size_t directions(const growth *g, uint32_t atom, size_t branches, double *direction)
{
    size_t standing = 0, count = 0;
    double from;
    for (uint32_t i = g->s->start[atom]; i < g->s->start[atom + 1]; i++) standing += g->placed[g->s->neighbor[i]];
    const double angle = free_angle(g, atom, LM_NO_BLOCK, g->place, &from);
    if (standing == 0) {
        static const double FIRST[] = {LM_PI / 6, 5 * LM_PI / 6, -LM_PI / 2};
        if (branches == 2 && lm_atom_is_linear(g->s, atom)) {
            direction[count++] = 0;
            direction[count++] = LM_PI;
        }
        for (size_t i = 0; i < branches && branches <= 3 && !count; i++) memcpy(direction, FIRST, sizeof FIRST);
        for (size_t i = 0; i < branches && branches > 3; i++) direction[i] = 2 * LM_PI * (double)i / (double)branches;
        return branches;
    }
    if (standing == 1 && branches <= 2 && !lm_atom_is_linear(g->s, atom)) {
        direction[count++] = from + LM_PI * 2 / 3;
        direction[count++] = from - LM_PI * 2 / 3;
        return count;
    }
    for (size_t i = 0; i < branches; i++) direction[count++] = from + angle * (double)(i + 1) / (double)(branches + 1);
    return count;
}

static void grow(growth *g, uint32_t atom)
{
    branch list[MAX_BRANCHES];
    double direction[MAX_BRANCHES + 2];
    size_t count = find_branches(g, atom, list), left = count ? directions(g, atom, count, direction) : 0;
    for (size_t i = 0; i < count; i++) {
        size_t best = 0;
        double least = INFINITY;
        for (size_t k = 0; k < left; k++) {
            const double cost = crowd(g, lm_point_add(g->place[atom], lm_polar(direction[k], 1)));
            if (cost < least * (1 - 1e-9)) best = k, least = cost;
        }
        const double chosen = direction[best];
        direction[best] = direction[--left];
        put_branch(g, atom, list + i, chosen);
    }
}

/* ---- The part -------------------------------------------------------------------------------- */

/* Returns an atom of the component that is farthest from the given one. */
static uint32_t farthest(growth *g, uint32_t from)
{
    return g->stack[lm_skeleton_reach(g->s, from, ++g->mark, g->seen, g->stack) - 1];
}

/* Lays out all blocks of the component; *largest becomes the one with the most bonds. */
static leman_status place_blocks(leman_context *ctx, growth *g, uint32_t *largest)
{
    const lm_skeleton *s = g->s;
    size_t most = 0;
    *largest = LM_NO_BLOCK;
    for (uint32_t b = 0; b < s->blocks; b++) {
        size_t bonds = 0, first = s->bonds;
        for (size_t i = s->bonds; i-- > 0;)
            if (s->block[i] == b) bonds++, first = i;
        g->block_placed[b] = false;
        if (!bonds || g->part[s->bond[first][0]] != g->number) continue;
        PASS_SCRATCH(ctx, g->own[b], s->atoms);
        PASS(lm_ring_layout(ctx, s, b, g->own[b]));
        if (bonds > most) *largest = b, most = bonds;
    }
    return LEMAN_OK;
}

static void begin(growth *g, uint32_t largest)
{
    const lm_skeleton *s = g->s;
    uint32_t first = 0;
    while (g->part[first] != g->number) first++;
    if (largest == LM_NO_BLOCK) {
        put(g, farthest(g, farthest(g, first)), (lm_point){0, 0});
        return;
    }
    g->block_placed[largest] = true;
    for (uint32_t a = 0; a < s->atoms; a++)
        if (s->in_block[largest * s->atoms + a]) put(g, a, g->own[largest][a]);
}

leman_status lm_substituents_layout(leman_context *ctx, const lm_skeleton *s, const uint32_t *part, uint32_t number,
                                    lm_point *place)
{
    SCRATCH_SCOPE(ctx);
    growth g = {.s = s, .part = part, .number = number, .place = place};
    uint32_t largest;
    PASS_SCRATCH_ZERO(ctx, g.placed, s->atoms);
    PASS_SCRATCH(ctx, g.queue, s->atoms);
    PASS_SCRATCH_ZERO(ctx, g.seen, s->atoms);
    PASS_SCRATCH(ctx, g.stack, s->atoms);
    PASS_SCRATCH(ctx, g.own, s->blocks + 1);
    PASS_SCRATCH(ctx, g.block_placed, s->blocks + 1);
    PASS(place_blocks(ctx, &g, &largest));
    begin(&g, largest);
    for (size_t i = 0; i < g.standing; i++) grow(&g, g.queue[i]);
    return LEMAN_OK;
}
