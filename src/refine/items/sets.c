/*
 * Sets of at most k vertices that induce at most s components.
 *
 * Sets of m + 1 vertices are sets of m vertices with one more. Each is found from exactly one of them, its parent: without
 * its last vertex if that leaves at most s components, otherwise without the one before, and so on; one of them is always
 * possible. The sets of one size are in the order in which they were found. A set is linked to the sets with one vertex
 * less by a table of their hashes. O(k^3) for each set and each vertex that could be added.
 *
 * The first colour of a set is its isomorphism type: the multiset of the atomic types of all orders of its vertices. O(k!).
 * A round adds the colours of the sets with one vertex less, and of those with one more.
 */
#include "base/sort.h"
#include "refine/items/items.h"
#include <string.h>

enum { LESS = 30, MORE = 31, SIZE = 32 }; /* positions of multipliers */

typedef struct set_search {
    const lm_space *s;
    lm_items *x;
    unsigned k, components;
    size_t sets, capacity;
    uint32_t *stamp; /* [n] the last set that a vertex was tried with */
    uint32_t *table; /* [mask + 1] set, or LM_NO_ITEM */
    size_t mask;
} set_search;

static bool has_arc(const lm_adjacency *arcs, uint32_t u, uint32_t w)
{
    const uint64_t at = lm_lower_bound(arcs->head, arcs->start[u], arcs->start[u + 1], w);
    return at < arcs->start[u + 1] && arcs->head[at] == w;
}

static bool are_joined(const lm_space *s, uint32_t u, uint32_t w)
{
    return has_arc(&s->out, u, w) || has_arc(&s->in, u, w);
}

/* Returns the number of components that the vertices induce, without the one at position `skip`; count: none is left out. */
static unsigned count_components(const lm_space *s, const uint32_t *v, unsigned count, unsigned skip)
{
    unsigned part[LM_SPARSE_K] = {0}, components = 0;
    for (unsigned i = 0; i < count; i++) {
        if (i == skip) continue;
        part[i] = i;
        components++;
        for (unsigned j = 0; j < i; j++) {
            if (j == skip || part[j] == part[i] || !are_joined(s, v[i], v[j])) continue;
            const unsigned old = part[j];
            for (unsigned l = 0; l <= i; l++)
                if (part[l] == old) part[l] = part[i];
            components--;
        }
    }
    return components;
}

static unsigned size_of(const lm_items *x, size_t set)
{
    unsigned size = 0;
    while (size < x->k && x->member[set * x->k + size] != LM_NO_ITEM) size++;
    return size;
}

/* ---- The table ------------------------------------------------------------------------------- */

static uint64_t hash_of(const uint32_t *v, unsigned count, unsigned skip)
{
    uint64_t hash = 0;
    for (unsigned i = 0; i < count; i++) hash += i == skip ? 0 : lm_mix(v[i] + UINT64_C(1));
    return lm_mix(hash);
}

/* Are these the members of the set, without the one at position `skip`? */
static bool is_set(const lm_items *x, size_t set, const uint32_t *v, unsigned count, unsigned skip)
{
    const uint32_t *member = x->member + set * x->k;
    unsigned at = 0;
    for (unsigned i = 0; i < count; i++)
        if (i != skip && (at == x->k || member[at++] != v[i])) return false;
    return at == x->k || member[at] == LM_NO_ITEM;
}

static uint32_t find(const set_search *f, const uint32_t *v, unsigned count, unsigned skip)
{
    size_t at = hash_of(v, count, skip) & f->mask;
    while (f->table[at] != LM_NO_ITEM && !is_set(f->x, f->table[at], v, count, skip)) at = (at + 1) & f->mask;
    return f->table[at];
}

/* ---- Enumeration ----------------------------------------------------------------------------- */

/* Appends a set and its links. The sets with one vertex less are in the table already. */
static void append(set_search *f, const uint32_t *v, unsigned count)
{
    uint32_t *member = f->x->member + f->sets * f->k, *less = f->x->less + f->sets * f->k;
    unsigned links = 0;
    size_t at = hash_of(v, count, LM_NO_ITEM) & f->mask;
    for (unsigned i = 0; i < f->k; i++) member[i] = i < count ? v[i] : LM_NO_ITEM;
    for (unsigned i = 0; i < count && count > 1; i++) {
        const uint32_t set = find(f, v, count, i);
        if (set != LM_NO_ITEM) less[links++] = set;
    }
    while (links < f->k) less[links++] = LM_NO_ITEM;
    while (f->table[at] != LM_NO_ITEM) at = (at + 1) & f->mask;
    f->table[at] = (uint32_t)f->sets++;
}

/* Tries the set with one vertex more: appends it if the set is its parent. */
static void try_vertex(set_search *f, const uint32_t *set, unsigned size, uint32_t w)
{
    uint32_t v[LM_SPARSE_K];
    unsigned at = size, parent = size;
    for (unsigned i = 0; i < size; i++)
        if (set[i] == w) return;
    memcpy(v, set, size * sizeof *v);
    for (; at > 0 && v[at - 1] > w; at--) v[at] = v[at - 1];
    v[at] = w;
    if (count_components(f->s, v, size + 1, size + 1) > f->components) return;
    while (count_components(f->s, v, size + 1, parent) > f->components) parent--;
    if (parent == at && f->sets < f->capacity) append(f, v, size + 1);
}

/* Tries the neighbours of a set that has as many components as allowed; all vertices for other sets. */
static void grow(set_search *f, size_t set)
{
    const uint32_t *member = f->x->member + set * f->k;
    const unsigned size = size_of(f->x, set);
    const lm_adjacency *sides[] = {&f->s->out, &f->s->in};
    if (size == f->k) return;
    if (count_components(f->s, member, size, size) < f->components) {
        for (uint32_t w = 0; w < f->x->n; w++) try_vertex(f, member, size, w);
        return;
    }
    for (unsigned i = 0; i < size; i++)
        for (int side = 0; side < 2; side++)
            for (uint64_t e = sides[side]->start[member[i]]; e < sides[side]->start[member[i] + 1]; e++) {
                const uint32_t w = sides[side]->head[e];
                if (f->stamp[w] == set) continue;
                f->stamp[w] = (uint32_t)set;
                try_vertex(f, member, size, w);
            }
}

/* Sets *capacity to an upper bound of the number of sets: exact without a limit of components, otherwise the number of
 * increasing k-tuples of limited components, to each of which belongs the set of its vertices. */
static leman_status bound_sets(leman_context *ctx, const lm_cancellation *cancellation, set_search *f)
{
    const lm_space *s = f->s;
    lm_sparse_size tuples;
    const lm_sparse_graph g = {
        s->vertices, &s->out, &s->in, .k = f->k, .components = f->components, .cancellation = cancellation};
    f->capacity = lm_subset_number(s->vertices, f->k);
    if (f->components < f->k) {
        PASS(lm_sparse_count(ctx, &g, LM_NO_ITEM, &tuples));
        f->capacity = tuples.exceeded ? SIZE_MAX : tuples.orbits;
    }
    if (f->capacity < LM_NO_ITEM / 4) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_BUDGET,
                   "a graph of %zu %s has more than %zu sets of %u vertices, too many to number", s->vertices,
                   lm_plural_of(s->vertices, "vertex", "vertices"), (size_t)LM_NO_ITEM / 4, f->k);
}

leman_status lm_sets_new(leman_context *ctx, const leman_coloring *c, const lm_cancellation *cancellation, lm_space *s)
{
    lm_items *x = s->items;
    set_search f = {.s = s, .x = x, .k = c->k, .components = c->components ? (unsigned)c->components : c->k, .mask = 2};
    x->k = c->k;
    PASS(bound_sets(ctx, cancellation, &f));
    while (f.mask < 2 * f.capacity) f.mask *= 2;
    f.mask--;
    PASS_SCRATCH(ctx, x->member, f.capacity * f.k);
    PASS_SCRATCH(ctx, x->less, f.capacity * f.k);
    PASS_SCRATCH(ctx, f.stamp, x->n);
    PASS_SCRATCH(ctx, f.table, f.mask + 1);
    memset(f.table, 0xff, (f.mask + 1) * sizeof *f.table);
    memset(f.stamp, 0xff, x->n * sizeof *f.stamp);
    for (uint32_t v = 0; v < x->n; v++) append(&f, &v, 1);
    for (size_t set = 0; set < f.sets; set++) {
        grow(&f, set);
        if (set % 1024 == 0 && lm_cancellation_poll(cancellation)) return LEMAN_ERROR_CANCELLED;
    }
    x->own = f.sets;
    return LEMAN_OK;
}

/* ---- Colours --------------------------------------------------------------------------------- */

/* Adds the atomic types of all orders of the vertices, from position `at` on. */
static uint64_t add_types(const lm_space *s, uint32_t *v, unsigned count, unsigned at)
{
    lm_space of_set = *s;
    uint64_t sum = 0;
    of_set.k = count;
    if (at == count) return lm_type_of(&of_set, v);
    for (unsigned i = at; i < count; i++) {
        const uint32_t own = v[at], other = v[i];
        v[at] = other, v[i] = own;
        sum += add_types(s, v, count, at + 1);
        v[at] = own, v[i] = other;
    }
    return sum;
}

void lm_sets_types(const lm_space *s, uint64_t *colors, int threads)
{
    const lm_items *x = s->items;
    const uint64_t size_multiplier = lm_item_multiplier(SIZE);
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads) if (threads > 1)
    for (size_t set = 0; set < x->own; set++) {
        uint32_t v[LM_SPARSE_K];
        const unsigned size = size_of(x, set);
        if (set % 256 ? lm_cancellation_requested(s->cancellation) : lm_cancellation_poll(s->cancellation)) continue;
        memcpy(v, x->member + set * x->k, size * sizeof *v);
        colors[set] = lm_mix(add_types(s, v, size, 0) + size * size_multiplier);
    }
}

void lm_sets_round(const lm_space *s, const uint64_t *from, uint64_t *to)
{
    const lm_items *x = s->items;
    const uint64_t less = lm_item_multiplier(LESS), more = lm_item_multiplier(MORE);
    memcpy(to, from, x->own * sizeof *to);
    for (size_t set = 0; set < x->own; set++)
        for (unsigned i = 0; i < x->k && x->less[set * x->k + i] != LM_NO_ITEM; i++) {
            const uint32_t smaller = x->less[set * x->k + i];
            to[set] += from[smaller] * less;
            to[smaller] += from[set] * more;
        }
    for (size_t set = 0; set < x->own; set++) to[set] = lm_mix(to[set]);
}
