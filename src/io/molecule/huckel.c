/*
 * Tests rings and connected sets of up to six fused rings for 4n + 2 electrons. aromatic.c says what an atom gives.
 *
 * Two rings are fused if they share exactly one bond and have at most 24 atoms each. The sets of one component of fused
 * rings are enumerated without repetition (Wernicke, Efficient detection of network motifs, 2006): a set grows from its
 * smallest ring by larger rings that are next to its newest ring, but not next to the others. All sets of one size are
 * tested before the next size; the bonds of a component that are aromatic already make no difference, and when all of
 * them are, the component is done. O(atoms of a set) for each set; up to MOST_SETS sets of a size.
 */
#include "io/molecule/huckel.h"
#include <string.h>

enum { MOST_FUSED = 6, LARGEST_FUSED = 24, MANY_RINGS = 300, MOST_SETS = 2000000 };

typedef struct ring_sets {
    const lm_cycles *cycles;
    const uint32_t *ring; /* [rings] number of the cycle */
    size_t rings, smallest;
    const lm_donor *donor;
    size_t *start;     /* [rings + 1] */
    lm_vector fused;   /* uint32_t: the rings that each ring is fused with */
    uint32_t *in_atom; /* [atoms] how many rings of a set contain it; zero between sets */
    uint32_t *in_bond; /* [bonds] */
    bool *found;       /* [bonds] aromatic by sets of the present size */
    bool *done;        /* [bonds] aromatic by sets of the component */
    uint32_t *member;  /* [rings] the component */
    size_t members;
    uint32_t *seen; /* [rings] how many rings of the set are this one or fused with it */
    uint32_t *grow; /* [MOST_FUSED][rings] rings that the set can grow by */
    uint32_t set[MOST_FUSED];
    size_t size, tested;
} ring_sets;

static const uint32_t *atoms_of(const ring_sets *g, uint32_t r, size_t *count)
{
    const size_t begin = lm_cycle_begin(g->cycles, g->ring[r]);
    *count = lm_cycle_end(g->cycles, g->ring[r]) - begin;
    return (const uint32_t *)g->cycles->atom.items + begin;
}

static const uint32_t *bonds_of(const ring_sets *g, uint32_t r, size_t *count)
{
    const size_t begin = lm_cycle_begin(g->cycles, g->ring[r]);
    *count = lm_cycle_end(g->cycles, g->ring[r]) - begin;
    return (const uint32_t *)g->cycles->bond.items + begin;
}

/* ---- Fused rings ----------------------------------------------------------------------------- */

/* The rings on each bond: ring[start[b]] to ring[start[b + 1] - 1]. */
static leman_status rings_on_bonds(leman_context *ctx, const ring_sets *g, size_t bonds, size_t **start,
                                   uint32_t **ring)
{
    size_t count;
    PASS_SCRATCH_ZERO(ctx, *start, bonds + 2);
    PASS_SCRATCH(ctx, *ring, g->cycles->bond.count + 1);
    for (uint32_t r = 0; r < g->rings; r++) {
        const uint32_t *bond = bonds_of(g, r, &count);
        for (size_t i = 0; i < count && count <= LARGEST_FUSED; i++) (*start)[bond[i] + 2]++;
    }
    for (size_t b = 0; b < bonds; b++) (*start)[b + 2] += (*start)[b + 1];
    for (uint32_t r = 0; r < g->rings; r++) {
        const uint32_t *bond = bonds_of(g, r, &count);
        for (size_t i = 0; i < count && count <= LARGEST_FUSED; i++) (*ring)[(*start)[bond[i] + 1]++] = r;
    }
    return LEMAN_OK;
}

/* Sets g->start and g->fused. */
static leman_status find_fused(leman_context *ctx, ring_sets *g, size_t bonds)
{
    SCRATCH_SCOPE(ctx);
    size_t *start, count;
    uint32_t *ring, *shared;
    PASS(rings_on_bonds(ctx, g, bonds, &start, &ring));
    PASS_SCRATCH_ZERO(ctx, shared, g->rings + 1); /* bonds in common with the present ring */
    for (uint32_t r = 0; r < g->rings; r++) {
        const uint32_t *bond = bonds_of(g, r, &count);
        g->start[r] = g->fused.count;
        if (count > LARGEST_FUSED) continue;
        for (size_t i = 0; i < count; i++)
            for (size_t j = start[bond[i]]; j < start[bond[i] + 1]; j++) shared[ring[j]]++;
        for (size_t i = 0; i < count; i++)
            for (size_t j = start[bond[i]]; j < start[bond[i] + 1]; j++) {
                if (ring[j] != r && shared[ring[j]] == 1)
                    PASS(lm_vector_append(ctx, &g->fused, ring + j, 1, sizeof *ring));
                shared[ring[j]] = 0;
            }
    }
    g->start[g->rings] = g->fused.count;
    return LEMAN_OK;
}

/* ---- One set --------------------------------------------------------------------------------- */

/* Returns true if the atoms that are in one or two rings of the set give 4n + 2 electrons. */
static bool is_huckel(const ring_sets *g)
{
    unsigned least = 0, most = 0, placeholders = 0;
    size_t atoms = 0, count;
    for (size_t i = 0; i < g->size; i++) {
        const uint32_t *atom = atoms_of(g, g->set[i], &count);
        for (size_t j = 0; j < count; j++) g->in_atom[atom[j]]++;
    }
    for (size_t i = 0; i < g->size; i++) {
        const uint32_t *atom = atoms_of(g, g->set[i], &count);
        for (size_t j = 0; j < count; j++) {
            const uint32_t rings = g->in_atom[atom[j]];
            const lm_donor *donor = g->donor + atom[j];
            g->in_atom[atom[j]] = 0;
            if (rings != 1 && rings != 2) continue;
            least += donor->least;
            most += donor->most;
            placeholders += donor->least != donor->most;
            atoms++;
        }
    }
    if (placeholders > 1 || atoms < g->smallest) return false;
    if (most < 6) return most == 2;
    for (unsigned electrons = least; electrons <= most; electrons++)
        if (electrons % 4 == 2) return true;
    return false;
}

/* Marks the bonds that are in one ring of the set. */
static void mark(ring_sets *g)
{
    size_t count;
    for (size_t i = 0; i < g->size; i++) {
        const uint32_t *bond = bonds_of(g, g->set[i], &count);
        for (size_t j = 0; j < count; j++) g->in_bond[bond[j]]++;
    }
    for (size_t i = 0; i < g->size; i++) {
        const uint32_t *bond = bonds_of(g, g->set[i], &count);
        for (size_t j = 0; j < count; j++) {
            g->found[bond[j]] |= g->in_bond[bond[j]] == 1;
            g->in_bond[bond[j]] = 0;
        }
    }
}

/* ---- All sets of a component ----------------------------------------------------------------- */

/* Adds a ring to the set (by 1) or takes it away (by UINT32_MAX). */
static void count_ring(ring_sets *g, uint32_t r, uint32_t by)
{
    const uint32_t *fused = g->fused.items;
    g->seen[r] += by;
    for (size_t i = g->start[r]; i < g->start[r + 1]; i++) g->seen[fused[i]] += by;
}

/* Tests all sets of `size` rings that contain set[0 .. g->size-1], and otherwise only rings larger than set[0]: one of
 * list[0 .. count-1], and rings that are fused with these and not yet seen. */
static void test_larger(ring_sets *g, size_t size, uint32_t *list, size_t count)
{
    if (g->size == size) {
        if (is_huckel(g)) mark(g);
        g->tested++;
        return;
    }
    uint32_t *next = list + g->rings;
    const uint32_t *fused = g->fused.items;
    while (count && g->tested < MOST_SETS) {
        const uint32_t r = list[--count];
        size_t more = count;
        memcpy(next, list, count * sizeof *list);
        for (size_t i = g->start[r]; i < g->start[r + 1]; i++)
            if (fused[i] > g->set[0] && !g->seen[fused[i]]) next[more++] = fused[i];
        g->set[g->size++] = r;
        count_ring(g, r, 1);
        test_larger(g, size, next, more);
        count_ring(g, r, UINT32_MAX);
        g->size--;
    }
}

static void test_size(ring_sets *g, size_t size)
{
    g->tested = 0;
    for (size_t i = 0; i < g->members; i++) {
        const uint32_t r = g->member[i];
        size_t count = 0;
        const uint32_t *fused = g->fused.items;
        for (size_t j = g->start[r]; j < g->start[r + 1]; j++)
            if (fused[j] > r) g->grow[count++] = fused[j];
        g->set[0] = r;
        g->size = 1;
        count_ring(g, r, 1);
        test_larger(g, size, g->grow, count);
        count_ring(g, r, UINT32_MAX);
    }
}

/* Collects the component of fused rings that contains `first`. */
static void collect(ring_sets *g, uint32_t first, bool *collected)
{
    const uint32_t *fused = g->fused.items;
    g->members = 0;
    g->member[g->members++] = first;
    collected[first] = true;
    for (size_t i = 0; i < g->members; i++)
        for (size_t j = g->start[g->member[i]]; j < g->start[g->member[i] + 1]; j++) {
            if (collected[fused[j]]) continue;
            collected[fused[j]] = true;
            g->member[g->members++] = fused[j];
        }
}

typedef enum visit { KEEP, DISCARD, FINISH } visit;

/* Visits the bonds of the component: adds those that were found to those that are done (KEEP), discards what was found,
 * or, at the end, makes those that are done aromatic. Returns true if all bonds are done. */
static bool visit_bonds(ring_sets *g, visit what, bool *aromatic)
{
    bool all = true;
    size_t count;
    for (size_t i = 0; i < g->members; i++) {
        const uint32_t *bond = bonds_of(g, g->member[i], &count);
        for (size_t j = 0; j < count; j++) {
            g->done[bond[j]] |= what == KEEP && g->found[bond[j]];
            all &= g->done[bond[j]];
            g->found[bond[j]] = false;
            aromatic[bond[j]] |= what == FINISH && g->done[bond[j]];
        }
    }
    for (size_t i = 0; i < g->members && what == FINISH; i++) {
        const uint32_t *bond = bonds_of(g, g->member[i], &count);
        for (size_t j = 0; j < count; j++) g->done[bond[j]] = false;
    }
    return all;
}

static void test_component(ring_sets *g, bool *aromatic)
{
    const size_t most = g->members > MANY_RINGS ? 2 : MOST_FUSED;
    bool all = false;
    for (size_t size = 1; size <= most && size <= g->members && !all; size++) {
        test_size(g, size);
        const bool complete = g->tested < MOST_SETS;
        all = visit_bonds(g, complete ? KEEP : DISCARD, aromatic) || !complete;
    }
    visit_bonds(g, FINISH, aromatic);
}

static leman_status make_arrays(leman_context *ctx, const lm_mol *m, ring_sets *g)
{
    PASS_SCRATCH(ctx, g->start, g->rings + 1);
    PASS_SCRATCH_ZERO(ctx, g->in_atom, m->atoms + 1);
    PASS_SCRATCH_ZERO(ctx, g->in_bond, m->bonds + 1);
    PASS_SCRATCH_ZERO(ctx, g->found, m->bonds + 1);
    PASS_SCRATCH_ZERO(ctx, g->done, m->bonds + 1);
    PASS_SCRATCH(ctx, g->member, g->rings + 1);
    PASS_SCRATCH_ZERO(ctx, g->seen, g->rings + 1);
    PASS_SCRATCH(ctx, g->grow, (MOST_FUSED + 1) * g->rings + 1);
    return LEMAN_OK;
}

static void ring_sets_end(ring_sets *g)
{
    lm_vector_release(&g->fused);
}

leman_status lm_huckel_test(leman_context *ctx, const lm_mol *m, const lm_cycles *cycles, const uint32_t *ring,
                            size_t rings, const lm_donor *donor, size_t smallest, bool *aromatic)
{
    SCRATCH_SCOPE(ctx);
    AUTO(ring_sets_end)
    ring_sets g = {.cycles = cycles, .ring = ring, .rings = rings, .donor = donor, .smallest = smallest};
    bool *collected;
    PASS(make_arrays(ctx, m, &g));
    PASS_SCRATCH_ZERO(ctx, collected, rings + 1);
    PASS(find_fused(ctx, &g, m->bonds));
    for (uint32_t r = 0; r < rings; r++) {
        if (collected[r]) continue;
        collect(&g, r, collected);
        test_component(&g, aromatic);
    }
    return LEMAN_OK;
}
