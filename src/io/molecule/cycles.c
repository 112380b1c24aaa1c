/*
 * Lists the relevant cycles of a molecule (Vismara, Union of all the minimum cycle bases of a graph, 1997).
 *
 * A ring system is a component of the bonds that are in rings. If it has as many bonds as atoms, it is one ring. For
 * other systems, with the atoms in any order:
 *
 *   families   the largest atom r of a relevant cycle sees the rest of it along two shortest paths, over smaller atoms,
 *              to two neighbours a, b (an odd cycle), or to two neighbours a, b of an atom m farther away (an even
 *              one). All cycles with the same r, a, b, m are relevant, or none is. One cycle stands for the family.
 *   relevance  a cycle is relevant if Gaussian elimination by the strictly shorter ones does not make it zero. As soon
 *              as the shorter ones are a basis, no further cycle is relevant.
 *   listing    the cycles of a relevant family: every shortest path from r to a with every one from r to b
 *
 * The result does not depend on the order of the atoms, but for the order of the rings. O(atoms bonds) for the families
 * of a system, O(families bonds^2 / 64) for the elimination, O(length) for each ring.
 */
#include "io/molecule/cycles.h"
#include <string.h>

static const uint32_t NONE = UINT32_MAX;

/* Cycles with these ends; middle is NONE for an odd cycle. */
typedef struct family {
    uint32_t root, a, b, middle, length;
} family;

typedef struct ring_system {
    const lm_mol *m;
    const lm_mol_search *s;
    const bool *wanted;
    lm_cycles *out;
    size_t atoms, bonds, words; /* words: 64-bit words of a set of bonds */
    uint32_t *number;           /* [molecule's atoms] number in the system plus 1; 0: in none */
    uint32_t *atom, *bond;      /* [atoms], [bonds] numbers in the molecule */
    uint32_t *start;            /* [atoms + 1] */
    uint32_t *head, *edge;      /* [2 bonds] neighbours of each atom, and bonds to them, as numbers in the system */
    uint32_t *distance, *above; /* [atoms] from the root; the atom before it on one shortest path over smaller atoms */
    bool *low;                  /* [atoms] has a shortest path from the root over smaller atoms */
    uint32_t *queue, *ring;     /* [atoms] */
    uint32_t *mark, stamp;      /* [atoms] */
    lm_vector families;         /* family */
    lm_vector sets;             /* uint64_t[words] for each family: the bonds of one of its cycles */
} ring_system;

void lm_cycles_free(lm_cycles *cycles)
{
    lm_vector_release(&cycles->atom);
    lm_vector_release(&cycles->bond);
    lm_vector_release(&cycles->end);
}

static void system_end(ring_system *g)
{
    lm_vector_release(&g->families);
    lm_vector_release(&g->sets);
}

static uint32_t other_end(const lm_mol *m, uint32_t bond, uint32_t atom)
{
    return m->bond[bond].from == atom ? m->bond[bond].to : m->bond[bond].from;
}

/* Appends the ring of g->ring[length], atoms of the system, to the list. */
static leman_status list_ring(leman_context *ctx, ring_system *g, size_t length)
{
    lm_cycles *out = g->out;
    if (out->end.count >= LM_RINGS_LISTED) return out->partial = true, LEMAN_OK;
    PASS(lm_vector_reserve(ctx, &out->atom, length, sizeof(uint32_t)));
    PASS(lm_vector_reserve(ctx, &out->bond, length, sizeof(uint32_t)));
    uint32_t *atom = (uint32_t *)out->atom.items + out->atom.count;
    uint32_t *bond = (uint32_t *)out->bond.items + out->bond.count;
    for (size_t i = 0; i < length; i++) {
        const uint32_t here = g->ring[i], next = g->ring[i + 1 == length ? 0 : i + 1];
        uint32_t j = g->start[here];
        while (g->head[j] != next) j++;
        atom[i] = g->atom[here];
        bond[i] = g->bond[g->edge[j]];
    }
    out->atom.count += length;
    out->bond.count += length;
    return lm_vector_append(ctx, &out->end, &out->atom.count, 1, sizeof(size_t));
}

/* ---- Families -------------------------------------------------------------------------------- */

/* Sets distance, low and above of all atoms, from root. O(bonds). */
static void search_from(ring_system *g, uint32_t root)
{
    size_t done = 0, queued = 0;
    for (size_t a = 0; a < g->atoms; a++) g->distance[a] = NONE, g->low[a] = false, g->above[a] = NONE;
    g->distance[root] = 0;
    g->low[root] = true;
    g->queue[queued++] = root;
    while (done < queued) {
        const uint32_t a = g->queue[done++];
        for (uint32_t i = g->start[a]; i < g->start[a + 1]; i++) {
            const uint32_t b = g->head[i];
            if (g->distance[b] == NONE) {
                g->distance[b] = g->distance[a] + 1;
                g->queue[queued++] = b;
            }
            if (g->distance[b] == g->distance[a] + 1 && g->low[a] && !g->low[b] && b < root) {
                g->low[b] = true;
                g->above[b] = a;
            }
        }
    }
}

/* Returns true if the chosen paths from the root to a and to b have only the root in common. */
static bool are_apart(ring_system *g, uint32_t root, uint32_t a, uint32_t b)
{
    g->stamp++;
    for (; a != root; a = g->above[a]) g->mark[a] = g->stamp;
    for (; b != root; b = g->above[b])
        if (g->mark[b] == g->stamp) return false;
    return true;
}

static void set_bond(const ring_system *g, uint32_t from, uint32_t to, uint64_t *set)
{
    uint32_t i = g->start[from];
    while (g->head[i] != to) i++;
    set[g->edge[i] / 64] |= UINT64_C(1) << g->edge[i] % 64;
}

/* Adds the family unless the chosen paths meet before the root; such a cycle is not relevant. */
static leman_status add_family(leman_context *ctx, ring_system *g, uint32_t root, uint32_t a, uint32_t b,
                               uint32_t middle)
{
    if (!are_apart(g, root, a, b)) return LEMAN_OK;
    const family one = {root, a, b, middle, 2 * g->distance[a] + (middle == NONE ? 1 : 2)};
    PASS(lm_vector_append(ctx, &g->families, &one, 1, sizeof one));
    PASS(lm_vector_reserve(ctx, &g->sets, g->words, sizeof(uint64_t)));
    uint64_t *set = (uint64_t *)g->sets.items + g->sets.count;
    g->sets.count += g->words;
    memset(set, 0, g->words * sizeof *set);
    const uint32_t ends[2] = {a, b};
    for (int side = 0; side < 2; side++) {
        for (uint32_t c = ends[side]; c != root; c = g->above[c]) set_bond(g, c, g->above[c], set);
        if (middle != NONE) set_bond(g, ends[side], middle, set);
    }
    if (middle == NONE) set_bond(g, a, b, set);
    return LEMAN_OK;
}

/* Adds the families of cycles whose farthest atom from the root is `far`, or whose farthest bond begins there. */
static leman_status families_at(leman_context *ctx, ring_system *g, uint32_t root, uint32_t far)
{
    const uint32_t away = g->distance[far];
    for (uint32_t i = g->start[far]; i < g->start[far + 1]; i++) {
        const uint32_t a = g->head[i];
        if (!g->low[a]) continue;
        if (a < far && g->distance[a] == away) PASS(add_family(ctx, g, root, a, far, NONE));
        if (g->distance[a] + 1 != away) continue;
        for (uint32_t j = i + 1; j < g->start[far + 1]; j++) {
            const uint32_t b = g->head[j];
            if (g->low[b] && g->distance[b] + 1 == away) PASS(add_family(ctx, g, root, a, b, far));
        }
    }
    return LEMAN_OK;
}

static leman_status find_families(leman_context *ctx, ring_system *g)
{
    for (uint32_t root = 0; root < g->atoms; root++) {
        search_from(g, root);
        for (uint32_t far = 0; far < root; far++)
            if (g->low[far]) PASS(families_at(ctx, g, root, far));
    }
    return LEMAN_OK;
}

/* ---- Listing --------------------------------------------------------------------------------- */

static bool is_wanted(const ring_system *g, uint32_t atom)
{
    return atom == NONE || g->wanted[g->atom[atom]];
}

/* Fills g->ring from position k on with all shortest paths and lists the rings. Positions 0 .. d-1 are the path from a
 * to the root, without the root, d .. 2d-1 the path from b, where d is the distance of a and b. */
static leman_status fill_ring(leman_context *ctx, ring_system *g, const family *f, uint32_t *path, uint32_t k)
{
    const uint32_t d = g->distance[f->a];
    if (k == 2 * d) {
        size_t length = 0;
        g->ring[length++] = f->root;
        for (uint32_t i = d; i-- > 0;) g->ring[length++] = path[i];
        if (f->middle != NONE) g->ring[length++] = f->middle;
        for (uint32_t i = d; i < 2 * d; i++) g->ring[length++] = path[i];
        return list_ring(ctx, g, length);
    }
    if (k == 0 || k == d) {
        path[k] = k ? f->b : f->a;
        return fill_ring(ctx, g, f, path, k + 1);
    }
    for (uint32_t i = g->start[path[k - 1]]; i < g->start[path[k - 1] + 1] && !g->out->partial; i++) {
        const uint32_t next = g->head[i];
        if (!g->low[next] || g->distance[next] + 1 != g->distance[path[k - 1]] || !is_wanted(g, next)) continue;
        path[k] = next;
        PASS(fill_ring(ctx, g, f, path, k + 1));
    }
    return LEMAN_OK;
}

static leman_status list_family(leman_context *ctx, ring_system *g, const family *f)
{
    if (!is_wanted(g, f->root) || !is_wanted(g, f->a) || !is_wanted(g, f->b) || !is_wanted(g, f->middle))
        return LEMAN_OK;
    SCRATCH_SCOPE(ctx);
    uint32_t *path;
    PASS_SCRATCH(ctx, path, g->atoms + 1);
    search_from(g, f->root);
    return fill_ring(ctx, g, f, path, 0);
}

/* ---- Relevance ------------------------------------------------------------------------------- */

/* Rows of Gaussian elimination: row[first bond] is the cycle whose first bond it is, of length[first bond]. */
typedef struct basis {
    uint64_t **row;
    uint32_t *length;
    size_t rank;
} basis;

/* Returns the first bond of the set at or behind word *word; NONE: the set is empty. */
static uint32_t first_bond(const uint64_t *set, size_t words, size_t *word)
{
    while (*word < words && !set[*word]) ++*word;
    return *word == words ? NONE : (uint32_t)(64 * *word + (size_t)__builtin_ctzll(set[*word]));
}

/* Reduces the set by the rows and keeps what remains as a row. Returns true if the rows of smaller length alone do not
 * make it zero. */
static bool reduce(basis *rows, uint64_t *set, size_t words, uint32_t length)
{
    bool relevant = false;
    size_t word = 0;
    for (uint32_t first; (first = first_bond(set, words, &word)) != NONE;) {
        const uint64_t *row = rows->row[first];
        if (!row || rows->length[first] == length) relevant = true;
        if (!row) {
            rows->row[first] = set;
            rows->length[first] = length;
            rows->rank++;
            break;
        }
        for (size_t i = word; i < words; i++) set[i] ^= row[i];
    }
    return relevant;
}

/* Sets order[families] to the families, short cycles first. */
static leman_status sort_families(leman_context *ctx, const ring_system *g, uint32_t **order)
{
    const family *f = g->families.items;
    uint32_t *end;
    PASS_SCRATCH(ctx, *order, g->families.count + 1);
    PASS_SCRATCH_ZERO(ctx, end, 2 * g->atoms + 4); /* a cycle has at most all atoms, a family's walk twice as many */
    for (size_t i = 0; i < g->families.count; i++) end[f[i].length + 1]++;
    for (size_t i = 1; i < 2 * g->atoms + 4; i++) end[i] += end[i - 1];
    for (size_t i = 0; i < g->families.count; i++) (*order)[end[f[i].length]++] = (uint32_t)i;
    return LEMAN_OK;
}

static leman_status list_relevant(leman_context *ctx, ring_system *g)
{
    SCRATCH_SCOPE(ctx);
    uint32_t *order, length = 0;
    basis rows = {.rank = 0};
    PASS(find_families(ctx, g));
    PASS(sort_families(ctx, g, &order));
    PASS_SCRATCH_ZERO(ctx, rows.row, g->bonds);
    PASS_SCRATCH(ctx, rows.length, g->bonds);
    const size_t full = g->bonds - g->atoms + 1;
    for (size_t i = 0; i < g->families.count && !g->out->partial; i++) {
        const family *f = (const family *)g->families.items + order[i];
        if (f->length > length && rows.rank == full) break;
        length = f->length;
        if (reduce(&rows, (uint64_t *)g->sets.items + order[i] * g->words, g->words, length))
            PASS(list_family(ctx, g, f));
    }
    return LEMAN_OK;
}

/* ---- Ring systems ---------------------------------------------------------------------------- */

/* Collects the atoms and counts the bonds of the system of `first`. */
static void collect(ring_system *g, uint32_t first)
{
    size_t done = 0, ends = 0;
    g->atoms = 0;
    g->atom[g->atoms++] = first;
    g->number[first] = 1;
    while (done < g->atoms) {
        const uint32_t a = g->atom[done++];
        for (size_t i = g->s->start[a]; i < g->s->start[a + 1]; i++) {
            if (!g->s->in_ring[g->s->bond[i]]) continue;
            const uint32_t b = other_end(g->m, g->s->bond[i], a);
            ends++;
            if (g->number[b]) continue;
            g->atom[g->atoms++] = b;
            g->number[b] = (uint32_t)g->atoms;
        }
    }
    g->bonds = ends / 2;
}

/* Sets the neighbours of all atoms of the system. */
static void connect(ring_system *g)
{
    uint32_t at = 0, bonds = 0;
    for (uint32_t a = 0; a < g->atoms; a++) {
        g->start[a] = at;
        for (size_t i = g->s->start[g->atom[a]]; i < g->s->start[g->atom[a] + 1]; i++) {
            const uint32_t bond = g->s->bond[i];
            if (!g->s->in_ring[bond]) continue;
            const uint32_t b = g->number[other_end(g->m, bond, g->atom[a])] - 1;
            g->head[at] = b;
            if (b > a) {
                g->bond[bonds] = bond;
                g->edge[at] = bonds++;
            } else { /* numbered before, at the other end */
                uint32_t j = g->start[b];
                while (g->head[j] != a) j++;
                g->edge[at] = g->edge[j];
            }
            at++;
        }
    }
    g->start[g->atoms] = at;
}

static leman_status list_single(leman_context *ctx, ring_system *g)
{
    uint32_t before = NONE, here = 0;
    size_t length = 0;
    do {
        g->ring[length++] = here;
        const uint32_t next = g->head[g->start[here] + (g->head[g->start[here]] == before)];
        before = here;
        here = next;
    } while (here);
    return list_ring(ctx, g, length);
}

static leman_status list_system(leman_context *ctx, ring_system *g)
{
    size_t wanted = 0;
    for (size_t a = 0; a < g->atoms; a++) wanted += g->wanted[g->atom[a]];
    const bool single = g->bonds == g->atoms;
    if (wanted < (single ? g->atoms : 3)) return LEMAN_OK;
    if (!single && g->atoms > LM_RING_SYSTEM_ATOMS) return g->out->partial = true, LEMAN_OK;
    connect(g);
    if (single) return list_single(ctx, g);
    g->words = (g->bonds + 63) / 64;
    g->families.count = g->sets.count = 0;
    return list_relevant(ctx, g);
}

leman_status lm_mol_cycles(leman_context *ctx, const lm_mol *m, const lm_mol_search *s, const bool *wanted,
                           lm_cycles *out)
{
    SCRATCH_SCOPE(ctx);
    AUTO(system_end) ring_system g = {.m = m, .s = s, .wanted = wanted, .out = out};
    const size_t atoms = m->atoms + 1;
    PASS_SCRATCH_ZERO(ctx, g.number, atoms);
    PASS_SCRATCH_ZERO(ctx, g.mark, atoms);
    PASS_SCRATCH(ctx, g.atom, atoms);
    PASS_SCRATCH(ctx, g.bond, m->bonds + 1);
    PASS_SCRATCH(ctx, g.start, atoms);
    PASS_SCRATCH(ctx, g.head, 2 * m->bonds + 1);
    PASS_SCRATCH(ctx, g.edge, 2 * m->bonds + 1);
    PASS_SCRATCH(ctx, g.distance, atoms);
    PASS_SCRATCH(ctx, g.above, atoms);
    PASS_SCRATCH(ctx, g.low, atoms);
    PASS_SCRATCH(ctx, g.queue, atoms);
    PASS_SCRATCH(ctx, g.ring, 2 * atoms + 2);
    for (size_t i = 0; i < m->bonds; i++) {
        if (!s->in_ring[i] || g.number[m->bond[i].from]) continue;
        collect(&g, m->bond[i].from);
        PASS(list_system(ctx, &g));
    }
    return LEMAN_OK;
}
