/*
 * Finds the neighbours of atoms, and ring blocks by depth-first search (Tarjan, Depth-first search and linear graph
 * algorithms, 1972). A bond to an earlier atom closes a ring. If no bond from a subtree leads past the atom above it,
 * the bonds found since then form a block. A block of one bond is not a ring. O(atoms + bonds).
 */
#include "report/drawing/skeleton.h"
#include <string.h>

bool lm_skeleton_suits(const leman_graph *g)
{
    if (g->directed || g->vertices > LM_SKELETON_ATOMS || g->arcs / 2 > LM_SKELETON_BONDS) return false;
    for (size_t v = 0; v < g->vertices; v++) {
        if (g->start[v + 1] - g->start[v] > LM_SKELETON_DEGREE) return false;
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++)
            if (g->head[e] == v) return false;
    }
    return true;
}

uint32_t lm_bond_between(const lm_skeleton *s, size_t a, size_t b)
{
    for (uint32_t i = s->start[a]; i < s->start[a + 1]; i++)
        if (s->neighbor[i] == b) return s->bond_to[i];
    return UINT32_MAX;
}

bool lm_atom_is_linear(const lm_skeleton *s, size_t atom)
{
    unsigned doubles = 0;
    if (s->start[atom + 1] - s->start[atom] != 2) return false;
    for (uint32_t i = s->start[atom]; i < s->start[atom + 1]; i++) {
        if (s->order[s->bond_to[i]] == 3) return true;
        doubles += s->order[s->bond_to[i]] == 2;
    }
    return doubles == 2;
}

size_t lm_skeleton_reach(const lm_skeleton *s, uint32_t from, uint32_t mark, uint32_t *seen, uint32_t *reached)
{
    size_t count = 0;
    seen[from] = mark;
    reached[count++] = from;
    for (size_t at = 0; at < count; at++)
        for (uint32_t i = s->start[reached[at]]; i < s->start[reached[at] + 1]; i++) {
            const uint32_t next = s->neighbor[i];
            if (seen[next] == mark) continue;
            seen[next] = mark;
            reached[count++] = next;
        }
    return count;
}

/* ---- Ring blocks ----------------------------------------------------------------------------- */

typedef struct search {
    uint32_t *seen, *low; /* [atoms] order of discovery + 1; the smallest of these that the subtree reaches */
    uint32_t *next;       /* [atoms] the next neighbour to visit */
    uint32_t *through;    /* [atoms] the bond by which it was found */
    uint32_t *path;       /* [atoms] path from the root */
    uint32_t *open;       /* [bonds] bonds in no block yet */
    size_t opened;
    uint32_t count;
} search;

/* Makes `first` and the bonds behind it a block. */
static void close_block(lm_skeleton *s, search *f, uint32_t first)
{
    size_t from = f->opened;
    while (f->open[--from] != first) {
    }
    if (f->opened - from > 1) {
        for (size_t i = from; i < f->opened; i++) s->block[f->open[i]] = (uint32_t)s->blocks;
        s->blocks++;
    }
    f->opened = from;
}

static void visit(lm_skeleton *s, search *f, uint32_t root)
{
    size_t depth = 0;
    f->path[depth++] = root;
    f->seen[root] = f->low[root] = ++f->count;
    f->through[root] = UINT32_MAX;
    f->next[root] = s->start[root];
    while (depth) {
        const uint32_t a = f->path[depth - 1];
        if (f->next[a] == s->start[a + 1]) {
            if (!--depth) break;
            const uint32_t above = f->path[depth - 1];
            if (f->low[a] < f->low[above]) f->low[above] = f->low[a];
            if (f->low[a] >= f->seen[above]) close_block(s, f, f->through[a]);
            continue;
        }
        const uint32_t b = s->neighbor[f->next[a]], bond = s->bond_to[f->next[a]];
        f->next[a]++;
        if (bond == f->through[a]) continue;
        if (!f->seen[b]) {
            f->open[f->opened++] = bond;
            f->seen[b] = f->low[b] = ++f->count;
            f->through[b] = bond;
            f->next[b] = s->start[b];
            f->path[depth++] = b;
        } else if (f->seen[b] < f->seen[a]) {
            f->open[f->opened++] = bond;
            if (f->seen[b] < f->low[a]) f->low[a] = f->seen[b];
        }
    }
}

static leman_status find_blocks(leman_context *ctx, lm_skeleton *s)
{
    search f = {0};
    PASS_SCRATCH_ZERO(ctx, f.seen, s->atoms + 1);
    PASS_SCRATCH(ctx, f.low, s->atoms + 1);
    PASS_SCRATCH(ctx, f.next, s->atoms + 1);
    PASS_SCRATCH(ctx, f.through, s->atoms + 1);
    PASS_SCRATCH(ctx, f.path, s->atoms + 1);
    PASS_SCRATCH(ctx, f.open, s->bonds + 1);
    for (size_t i = 0; i < s->bonds; i++) s->block[i] = LM_NO_BLOCK;
    for (uint32_t a = 0; a < s->atoms; a++)
        if (!f.seen[a]) visit(s, &f, a);
    PASS_SCRATCH_ZERO(ctx, s->in_block, s->blocks * s->atoms + 1);
    for (size_t i = 0; i < s->bonds; i++)
        for (int end = 0; end < 2 && s->block[i] != LM_NO_BLOCK; end++)
            s->in_block[s->block[i] * s->atoms + s->bond[i][end]] = true;
    for (size_t a = 0; a < s->atoms; a++) {
        s->atom_block[a] = LM_NO_BLOCK;
        for (uint32_t i = s->start[a]; i < s->start[a + 1]; i++)
            if (s->block[s->bond_to[i]] < s->atom_block[a]) s->atom_block[a] = s->block[s->bond_to[i]];
    }
    return LEMAN_OK;
}

leman_status lm_skeleton_new(leman_context *ctx, const leman_graph *g, const uint8_t *order, lm_skeleton *skeleton)
{
    lm_skeleton s = {.atoms = g->vertices};
    PASS_SCRATCH(ctx, s.start, g->vertices + 1);
    PASS_SCRATCH(ctx, s.neighbor, g->arcs + 1);
    PASS_SCRATCH(ctx, s.bond_to, g->arcs + 1);
    PASS_SCRATCH(ctx, s.bond, g->arcs / 2 + 1);
    PASS_SCRATCH(ctx, s.order, g->arcs / 2 + 1);
    PASS_SCRATCH(ctx, s.block, g->arcs / 2 + 1);
    PASS_SCRATCH(ctx, s.atom_block, g->vertices + 1);
    s.start[0] = 0;
    for (size_t a = 0; a < g->vertices; a++) {
        s.start[a + 1] = (uint32_t)(g->start[a + 1] - g->start[0]);
        for (uint64_t e = g->start[a]; e < g->start[a + 1]; e++) {
            const size_t i = (size_t)(e - g->start[0]);
            s.neighbor[i] = g->head[e];
            if (g->head[e] < a) {
                s.bond_to[i] = lm_bond_between(&s, g->head[e], a);
                continue;
            }
            s.bond[s.bonds][0] = (uint32_t)a;
            s.bond[s.bonds][1] = g->head[e];
            s.order[s.bonds] = order ? order[i] : 1;
            s.bond_to[i] = (uint32_t)s.bonds++;
        }
    }
    PASS(find_blocks(ctx, &s));
    *skeleton = s;
    return LEMAN_OK;
}
