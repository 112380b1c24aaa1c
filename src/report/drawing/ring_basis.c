/*
 * Finds the rings of a block: a cycle basis of minimum total length (Horton, A polynomial-time algorithm to find the
 * shortest cycle basis of a graph, 1987). Every ring of such a basis consists of the shortest paths from some atom to
 * the two ends of some bond, and this bond. These candidates are tried by increasing length. A candidate is kept if it
 * is not a sum (exclusive or of bonds) of rings kept before.
 */
#include "report/drawing/skeleton.h"
#include <string.h>

typedef struct basis {
    const lm_skeleton *s;
    uint32_t block;
    uint32_t *atom; /* [atoms] of the block */
    size_t atoms, bonds;
    uint32_t *parent; /* [atoms][s->atoms] previous atom on the shortest path from an atom; UINT32_MAX: not reached */
    uint16_t *far;    /* [atoms][s->atoms] length of this path */
    uint64_t (*row)[LM_BOND_WORDS];
    uint32_t *pivot; /* [rings] the first bond of each row */
    lm_ring_path *ring;
    size_t rings, rank;
} basis;

/* ---- Shortest paths -------------------------------------------------------------------------- */

static void search_from(basis *b, size_t at, uint32_t *queue)
{
    const lm_skeleton *s = b->s;
    uint32_t *parent = b->parent + at * s->atoms;
    uint16_t *far = b->far + at * s->atoms;
    size_t head = 0, tail = 0;
    for (size_t a = 0; a < s->atoms; a++) parent[a] = UINT32_MAX;
    parent[b->atom[at]] = b->atom[at];
    far[b->atom[at]] = 0;
    queue[tail++] = b->atom[at];
    while (head < tail) {
        const uint32_t a = queue[head++];
        for (uint32_t i = s->start[a]; i < s->start[a + 1]; i++) {
            const uint32_t next = s->neighbor[i];
            if (s->block[s->bond_to[i]] != b->block || parent[next] != UINT32_MAX) continue;
            parent[next] = a;
            far[next] = (uint16_t)(far[a] + 1);
            queue[tail++] = next;
        }
    }
}

static leman_status prepare_basis(leman_context *ctx, basis *b)
{
    const lm_skeleton *s = b->s;
    uint32_t *queue;
    PASS_SCRATCH(ctx, b->atom, s->atoms);
    for (uint32_t a = 0; a < s->atoms; a++)
        if (s->in_block[b->block * s->atoms + a]) b->atom[b->atoms++] = a;
    for (size_t i = 0; i < s->bonds; i++) b->bonds += s->block[i] == b->block;
    b->rank = b->bonds - b->atoms + 1;
    PASS_SCRATCH(ctx, b->parent, b->atoms * s->atoms);
    PASS_SCRATCH(ctx, b->far, b->atoms * s->atoms);
    PASS_SCRATCH(ctx, queue, s->atoms);
    PASS_SCRATCH(ctx, b->row, b->rank);
    PASS_SCRATCH(ctx, b->pivot, b->rank);
    PASS_SCRATCH(ctx, b->ring, b->rank);
    for (size_t i = 0; i < b->atoms; i++) search_from(b, i, queue);
    return LEMAN_OK;
}

/* ---- Rings ----------------------------------------------------------------------------------- */

/* Builds the ring from an atom to both ends of a bond and back; returns false if the two paths share an atom. */
static bool trace(const basis *b, size_t at, uint32_t bond, uint32_t *atom, lm_ring_path *ring)
{
    const lm_skeleton *s = b->s;
    const uint32_t *parent = b->parent + at * s->atoms, *end = s->bond[bond];
    const uint16_t *far = b->far + at * s->atoms;
    const size_t first = far[end[0]], second = far[end[1]];
    uint64_t seen[LM_SKELETON_ATOMS / 64] = {0};
    *ring = (lm_ring_path){.atom = atom, .size = first + second + 1};
    lm_bit_set(ring->bond, bond);
    for (int side = 0; side < 2; side++) {
        uint32_t a = end[side];
        for (size_t i = far[a]; i > 0; i--, a = parent[a]) {
            const uint32_t through = lm_bond_between(s, a, parent[a]);
            if (lm_bit(seen, a)) return false;
            lm_bit_set(seen, a);
            atom[side ? ring->size - i : i] = a; /* the atom first, then one path forwards and the other backwards */
            ring->bond[through / 64] ^= UINT64_C(1) << through % 64;
        }
    }
    atom[0] = b->atom[at];
    return true;
}

/* Keeps the ring if it is not a sum of those before; returns true if it is kept. */
static bool keep(basis *b, const lm_ring_path *ring)
{
    uint64_t *row = b->row[b->rings];
    memcpy(row, ring->bond, sizeof ring->bond);
    for (size_t i = 0; i < b->rings; i++)
        if (lm_bit(row, b->pivot[i]))
            for (size_t w = 0; w < LM_BOND_WORDS; w++) row[w] ^= b->row[i][w];
    for (uint32_t bond = 0; bond < b->s->bonds; bond++)
        if (lm_bit(row, bond)) {
            b->pivot[b->rings] = bond;
            b->ring[b->rings++] = *ring;
            return true;
        }
    return false;
}

leman_status lm_ring_basis(leman_context *ctx, const lm_skeleton *s, uint32_t block, lm_ring_path **ring, size_t *rings)
{
    basis b = {.s = s, .block = block};
    uint32_t *atom;
    PASS(prepare_basis(ctx, &b));
    PASS_SCRATCH(ctx, atom, s->atoms + 1);
    for (size_t size = 3; size <= b.atoms && b.rings < b.rank; size++)
        for (size_t at = 0; at < b.atoms && b.rings < b.rank; at++) {
            const uint16_t *far = b.far + at * s->atoms;
            for (uint32_t bond = 0; bond < s->bonds && b.rings < b.rank; bond++) {
                lm_ring_path found;
                if (s->block[bond] != block || (size_t)far[s->bond[bond][0]] + far[s->bond[bond][1]] + 1 != size ||
                    !trace(&b, at, bond, atom, &found) || !keep(&b, &found))
                    continue;
                PASS_SCRATCH(ctx, atom, s->atoms + 1);
            }
        }
    *ring = b.ring;
    *rings = b.rings;
    return LEMAN_OK;
}
