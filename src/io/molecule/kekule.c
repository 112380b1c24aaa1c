/*
 * Finds Kekulé structures: which of the aromatic bonds are double. An aromatic atom needs a double bond if its other
 * bonds and its hydrogens are one short of a valence. The atoms that need one, with the aromatic bonds between them,
 * must have a perfect matching.
 *
 * Atoms with a single free neighbour are matched first, again and again; this is enough for most molecules. The
 * remaining atoms are matched along augmenting paths, with odd rings contracted as blossoms (Edmonds, Paths, Trees, and
 * Flowers, 1965). The result depends only on the order of atoms and bonds. O(atoms + bonds) for most molecules,
 * O(atoms^2 bonds) at worst.
 */
#include "io/molecule/molecule.h"
#include <string.h>

enum { NITROGEN = 7 };
static const uint32_t NONE = UINT32_MAX;

typedef struct matching {
    size_t atoms;
    bool *needs;                /* [atoms] needs a double bond */
    uint32_t *start, *neighbor; /* [atoms+2] and neighbours that also need one, for each atom that needs one */
    uint32_t *mate;             /* [atoms] */
    uint32_t *left;             /* [atoms] number of neighbours without a mate */
    uint32_t *queue;            /* [atoms] */
    uint32_t *before, *base;    /* [atoms] of the search: predecessor on the path; base of the blossom */
    bool *outer, *blossom;      /* [atoms] at an even distance from the root; in the blossom being contracted */
} matching;

/* ---- The graph ------------------------------------------------------------------------------- */

/* sigma: the number of bonds, with aromatic bonds counted as single, plus hydrogens. */
static bool needs_double(const lm_atom *atom, unsigned sigma)
{
    const int8_t *valence = lm_valences(atom->element, atom->charge);
    const unsigned unpaired = atom->radical == 2 ? 1 : atom->radical ? 2 : 0;
    if (!atom->element || valence[0] < 0) return false;
    sigma += (unsigned)lm_valence_shift(atom->element, atom->charge);
    if (atom->element == NITROGEN && !atom->charge && sigma == 4) return true; /* n(=O), another form of [n+][O-] */
    for (size_t i = 0; valence[i] > 0; i++)
        if (sigma + unpaired + 1 == (unsigned)valence[i]) return true;
    return atom->fixed && sigma + 2 == (unsigned)valence[0]; /* [c], a radical */
}

static bool is_edge(const matching *g, const lm_mol_bond *bond)
{
    return bond->type == LM_BOND_AROMATIC && bond->from != bond->to && g->needs[bond->from] && g->needs[bond->to];
}

static void find_needs(const lm_mol *m, matching *g, uint32_t *aromatic)
{
    memset(aromatic, 0, m->atoms * sizeof *aromatic);
    for (size_t i = 0; i < m->bonds; i++) {
        if (m->bond[i].type != LM_BOND_AROMATIC) continue;
        aromatic[m->bond[i].from]++;
        aromatic[m->bond[i].to]++;
    }
    for (size_t a = 0; a < m->atoms; a++) {
        const lm_atom *atom = m->atom + a;
        const unsigned others = (atom->valence2 - 3 * aromatic[a]) / 2;
        g->needs[a] = aromatic[a] && needs_double(atom, others + aromatic[a] + atom->hydrogens);
    }
}

static leman_status make_matching(leman_context *ctx, const lm_mol *m, matching *g)
{
    const size_t n = g->atoms = m->atoms;
    PASS_SCRATCH(ctx, g->needs, n);
    PASS_SCRATCH_ZERO(ctx, g->start, n + 2);
    PASS_SCRATCH(ctx, g->neighbor, 2 * m->bonds + 1);
    PASS_SCRATCH(ctx, g->mate, n);
    PASS_SCRATCH(ctx, g->left, n);
    PASS_SCRATCH(ctx, g->queue, n);
    find_needs(m, g, g->left);
    for (size_t i = 0; i < m->bonds; i++) {
        if (!is_edge(g, m->bond + i)) continue;
        g->start[m->bond[i].from + 2]++;
        g->start[m->bond[i].to + 2]++;
    }
    for (size_t a = 0; a < n; a++) {
        g->left[a] = g->start[a + 2];
        g->mate[a] = NONE;
        g->start[a + 2] += g->start[a + 1];
    }
    for (size_t i = 0; i < m->bonds; i++) {
        if (!is_edge(g, m->bond + i)) continue;
        g->neighbor[g->start[m->bond[i].from + 1]++] = m->bond[i].to;
        g->neighbor[g->start[m->bond[i].to + 1]++] = m->bond[i].from;
    }
    return LEMAN_OK;
}

/* ---- Greedy matching ------------------------------------------------------------------------- */

static void pair(matching *g, uint32_t a, uint32_t b, size_t *queued)
{
    const uint32_t both[2] = {a, b};
    g->mate[a] = b;
    g->mate[b] = a;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = g->start[both[side]]; i < g->start[both[side] + 1]; i++) {
            const uint32_t c = g->neighbor[i];
            if (g->mate[c] == NONE && --g->left[c] == 1) g->queue[(*queued)++ % g->atoms] = c;
        }
}

static uint32_t free_neighbor(const matching *g, uint32_t a)
{
    for (uint32_t i = g->start[a]; i < g->start[a + 1]; i++)
        if (g->mate[g->neighbor[i]] == NONE) return g->neighbor[i];
    return NONE;
}

static void match_simply(matching *g)
{
    size_t done = 0, queued = 0;
    for (uint32_t a = 0; a < g->atoms; a++)
        if (g->needs[a] && g->left[a] == 1) g->queue[queued++] = a;
    for (uint32_t a = 0; a < g->atoms;) {
        uint32_t next = a;
        if (done < queued)
            next = g->queue[done++ % g->atoms];
        else
            a++;
        if (!g->needs[next] || g->mate[next] != NONE) continue;
        const uint32_t other = free_neighbor(g, next);
        if (other != NONE) pair(g, next, other, &queued);
    }
}

/* ---- Augmenting paths ------------------------------------------------------------------------ */

/* Returns the base of the blossom that the edge {a, b} closes: the first base on both paths to the root. */
static uint32_t common_base(matching *g, uint32_t a, uint32_t b)
{
    memset(g->blossom, 0, g->atoms);
    for (;; a = g->before[g->mate[a]]) {
        a = g->base[a];
        g->blossom[a] = true;
        if (g->mate[a] == NONE) break; /* the root */
    }
    for (;; b = g->before[g->mate[b]]) {
        b = g->base[b];
        if (g->blossom[b]) return b;
    }
}

static void mark_path(matching *g, uint32_t a, uint32_t base, uint32_t child)
{
    for (; g->base[a] != base; a = g->before[g->mate[a]]) {
        g->blossom[g->base[a]] = g->blossom[g->base[g->mate[a]]] = true;
        g->before[a] = child;
        child = g->mate[a];
    }
}

static void contract(matching *g, uint32_t a, uint32_t b, size_t *queued)
{
    const uint32_t base = common_base(g, a, b);
    memset(g->blossom, 0, g->atoms);
    mark_path(g, a, base, b);
    mark_path(g, b, base, a);
    for (uint32_t c = 0; c < g->atoms; c++) {
        if (!g->blossom[g->base[c]]) continue;
        g->base[c] = base;
        if (!g->outer[c]) g->outer[c] = true, g->queue[(*queued)++] = c;
    }
}

/* Returns the free end of an augmenting path from root, or NONE if there is no such path. */
static uint32_t find_path(matching *g, uint32_t root)
{
    size_t done = 0, queued = 0;
    memset(g->outer, 0, g->atoms);
    for (uint32_t a = 0; a < g->atoms; a++) g->before[a] = NONE, g->base[a] = a;
    g->outer[root] = true;
    g->queue[queued++] = root;
    while (done < queued) {
        const uint32_t a = g->queue[done++];
        for (uint32_t i = g->start[a]; i < g->start[a + 1]; i++) {
            const uint32_t b = g->neighbor[i];
            if (g->base[a] == g->base[b] || g->mate[a] == b) continue;
            if (b == root || (g->mate[b] != NONE && g->before[g->mate[b]] != NONE)) {
                contract(g, a, b, &queued);
            } else if (g->before[b] == NONE) {
                g->before[b] = a;
                if (g->mate[b] == NONE) return b;
                g->outer[g->mate[b]] = true;
                g->queue[queued++] = g->mate[b];
            }
        }
    }
    return NONE;
}

static leman_status augment(leman_context *ctx, matching *g, size_t *unmatched, size_t *missing)
{
    *unmatched = SIZE_MAX;
    *missing = 0;
    uint32_t first = 0;
    while (first < g->atoms && (!g->needs[first] || g->mate[first] != NONE)) first++;
    if (first == g->atoms) return LEMAN_OK;
    PASS_SCRATCH(ctx, g->before, g->atoms);
    PASS_SCRATCH(ctx, g->base, g->atoms);
    PASS_SCRATCH(ctx, g->outer, g->atoms);
    PASS_SCRATCH(ctx, g->blossom, g->atoms);
    for (uint32_t a = first; a < g->atoms; a++) {
        if (!g->needs[a] || g->mate[a] != NONE) continue;
        uint32_t b = find_path(g, a);
        if (b == NONE) {
            if (!(*missing)++) *unmatched = a;
            continue;
        }
        while (b != NONE) {
            const uint32_t before = g->before[b], next = g->mate[before];
            g->mate[b] = before;
            g->mate[before] = b;
            b = next;
        }
    }
    return LEMAN_OK;
}

leman_status lm_mol_kekule(leman_context *ctx, const lm_mol *m, uint8_t *order, size_t *missing, size_t *atom)
{
    SCRATCH_SCOPE(ctx);
    matching g = {0};
    *missing = 0;
    if (!m->atoms) return LEMAN_OK;
    PASS(make_matching(ctx, m, &g));
    match_simply(&g);
    PASS(augment(ctx, &g, atom, missing));
    for (size_t i = 0; i < m->bonds; i++) {
        const lm_mol_bond *bond = m->bond + i;
        order[i] = bond->type != LM_BOND_AROMATIC ? 0 : g.mate[bond->from] == bond->to ? 2 : 1;
    }
    return LEMAN_OK;
}
