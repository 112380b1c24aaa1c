/* Computes sets of vertices and their neighbours; sets.h defines them. */
#include "nn/encode/sets.h"
#include "base/sort.h"
#include "base/text.h"
#include "graph/dataset.h"
#include <string.h>

enum { VERTEX_BITS = 21 }; /* three vertices make a key of 63 bits */

void lm_set_work_free(lm_set_work *w)
{
    lm_vector *const all[] = {&w->arc_start, &w->head, &w->key, &w->spare, &w->member, &w->start, &w->neighbor};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) lm_vector_release(all[i]);
}

/* Gives the vector a capacity of `count` elements. Its previous content is lost. */
static leman_status room(lm_set_work *w, lm_vector *vector, size_t count, size_t size)
{
    vector->count = 0;
    return lm_vector_reserve(w->ctx, vector, count, size);
}

/* Fails with LEMAN_ERROR_BUDGET if `count` elements exceed the budget or cannot be numbered with 32 bits. */
static leman_status check_room(const lm_set_work *w, size_t vertices, const char *what, uint64_t count, size_t size)
{
    const uint64_t bytes = lm_saturating_multiply(count, size);
    char required[LM_NUMBER_TEXT], has[LM_BUDGET_TEXT];
    if (bytes > lm_budget(w->ctx))
        return lm_fail(w->ctx, LEMAN_ERROR_BUDGET,
                       "a graph of %zu %s has %llu %s, which need %s; the memory budget is %s", vertices,
                       lm_plural_of(vertices, "vertex", "vertices"), (unsigned long long)count, what,
                       lm_bytes_text(bytes, required), lm_budget_text(w->ctx, lm_budget(w->ctx), has));
    if (count >= UINT32_MAX)
        return lm_fail(w->ctx, LEMAN_ERROR_BUDGET, "a graph of %zu %s has %llu %s, expected fewer than %llu", vertices,
                       lm_plural_of(vertices, "vertex", "vertices"), (unsigned long long)count, what,
                       (unsigned long long)UINT32_MAX);
    return LEMAN_OK;
}

/* ---- Adjacency ------------------------------------------------------------------------------- */

static uint32_t degree(const lm_set_work *w, size_t v)
{
    const uint32_t *start = w->arc_start.items;
    return start[v + 1] - start[v];
}

static const uint32_t *neighbors(const lm_set_work *w, size_t v)
{
    return (const uint32_t *)w->head.items + ((const uint32_t *)w->arc_start.items)[v];
}

bool lm_sets_adjacent(const lm_set_work *w, uint32_t u, uint32_t v)
{
    const size_t at = lm_lower_bound(neighbors(w, u), 0, degree(w, u), v);
    return at < degree(w, u) && neighbors(w, u)[at] == v;
}

/* Builds the neighbour lists from both ends of every arc; an edge of an undirected graph occurs twice at each end. A
 * counting sort by head, then by tail, makes the lists increase, so duplicates are adjacent and are removed. */
static leman_status find_adjacency(lm_set_work *w, const leman_graph *g)
{
    const size_t n = g->vertices;
    uint32_t *start, *head;
    size_t used = 0;
    w->vertices = n;
    PASS(room(w, &w->arc_start, n + 2, sizeof *start));
    PASS(room(w, &w->key, 2 * g->arcs, sizeof(uint64_t)));
    PASS(room(w, &w->spare, 2 * g->arcs, sizeof(uint64_t)));
    PASS(room(w, &w->head, 2 * g->arcs, sizeof *head));
    uint64_t *pair = w->key.items;
    size_t pairs = 0;
    for (size_t v = 0; v < n; v++)
        for (uint64_t a = g->start[v]; a < g->start[v + 1]; a++)
            if (g->head[a] != v) {
                pair[pairs++] = (uint64_t)v << 32 | g->head[a];
                pair[pairs++] = (uint64_t)g->head[a] << 32 | v;
            }
    lm_sort_keys(pair, w->spare.items, pairs, 1);
    start = w->arc_start.items;
    head = w->head.items;
    memset(start, 0, (n + 1) * sizeof *start);
    for (size_t i = 0; i < pairs; i++) {
        if (i && pair[i] == pair[i - 1]) continue;
        head[used++] = (uint32_t)pair[i];
        start[(pair[i] >> 32) + 1]++;
    }
    for (size_t v = 0; v < n; v++) start[v + 1] += start[v];
    return LEMAN_OK;
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

static uint32_t pair_number(size_t n, size_t u, size_t v)
{
    const size_t low = u < v ? u : v, high = u < v ? v : u;
    return (uint32_t)(low * n - low * (low + 1) / 2 + (high - low - 1));
}

static leman_status find_pairs(lm_set_work *w)
{
    const size_t n = w->vertices;
    uint32_t *to;
    w->sets = n ? n * (n - 1) / 2 : 0;
    PASS(room(w, &w->member, 2 * w->sets, sizeof *to));
    to = w->member.items;
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = u + 1; v < n; v++) *to++ = u, *to++ = v;
    return LEMAN_OK;
}

/* ---- Triples --------------------------------------------------------------------------------- */

static uint64_t triple_key(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t v[3] = {a, b, c};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            if (v[j] > v[j + 1]) {
                const uint32_t held = v[j];
                v[j] = v[j + 1];
                v[j + 1] = held;
            }
    return ((uint64_t)v[0] << VERTEX_BITS | v[1]) << VERTEX_BITS | v[2];
}

/* Finds paths of length two by their centres. A triangle has three such paths; the one centred at its smallest vertex
 * counts. */
static leman_status find_triples(lm_set_work *w)
{
    enum { MASK = (1 << VERTEX_BITS) - 1 };
    uint64_t paths = 0, *key;
    uint32_t *to;
    w->sets = 0;
    for (size_t c = 0; c < w->vertices; c++)
        paths = lm_saturating_add(paths, (uint64_t)degree(w, c) * (degree(w, c) - (degree(w, c) > 0)) / 2);
    PASS(check_room(w, w->vertices, "paths of length two", paths, 2 * sizeof *key));
    if (w->vertices > (size_t)MASK)
        return lm_fail(w->ctx, LEMAN_ERROR_BUDGET,
                       "found a graph of %zu vertices, expected at most %d where it has 3-sets", w->vertices, MASK);
    PASS(room(w, &w->key, paths, sizeof *key));
    PASS(room(w, &w->spare, paths, sizeof *key));
    key = w->key.items;
    for (uint32_t c = 0; c < w->vertices; c++)
        for (uint32_t i = 0; i < degree(w, c); i++)
            for (uint32_t j = i + 1; j < degree(w, c); j++) {
                const uint32_t a = neighbors(w, c)[i], b = neighbors(w, c)[j];
                if (c > a && lm_sets_adjacent(w, a, b)) continue;
                key[w->sets++] = triple_key(a, b, c);
            }
    lm_sort_keys(key, w->spare.items, w->sets, 1);
    PASS(room(w, &w->member, 3 * w->sets, sizeof *to));
    to = w->member.items;
    for (size_t s = 0; s < w->sets; s++)
        for (int place = 2; place >= 0; place--) *to++ = (uint32_t)(key[s] >> (place * VERTEX_BITS) & MASK);
    return LEMAN_OK;
}

static bool triple_number(const lm_set_work *w, uint64_t wanted, uint32_t *number)
{
    const uint64_t *key = w->key.items;
    size_t low = 0, high = w->sets;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (key[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    *number = (uint32_t)low;
    return low < w->sets && key[low] == wanted;
}

/* ---- Neighbours ------------------------------------------------------------------------------ */

leman_status lm_sets_find(lm_set_work *w, lm_set_kind kind, const leman_graph *g)
{
    const uint64_t pairs = g->vertices ? lm_saturating_multiply(g->vertices, g->vertices - 1) / 2 : 0;
    PASS(find_adjacency(w, g));
    if (kind == LM_SETS_TRIPLES) PASS(find_triples(w));
    if (kind != LM_SETS_PAIRS) return LEMAN_OK;
    PASS(check_room(w, g->vertices, "2-sets", pairs, 2 * sizeof(uint32_t)));
    return find_pairs(w);
}

/* Finds the number of the set in which x replaces the vertex at `place`. Returns false if there is no such set. */
static bool replaced(const lm_set_work *w, lm_set_kind kind, const uint32_t *set, size_t place, uint32_t x,
                     uint32_t *number)
{
    for (size_t i = 0; i < lm_set_members(kind); i++)
        if (set[i] == x) return false;
    if (kind == LM_SETS_TRIPLES)
        return triple_number(w, triple_key(x, set[(place + 1) % 3], set[(place + 2) % 3]), number);
    *number = pair_number(w->vertices, x, set[1 - place]);
    return true;
}

leman_status lm_sets_link(lm_set_work *w, lm_set_kind kind)
{
    const size_t members = lm_set_members(kind);
    uint64_t most = 0;
    uint32_t *start, *to;
    for (size_t i = 0; i < w->sets * members; i++) most += degree(w, ((const uint32_t *)w->member.items)[i]);
    PASS(check_room(w, w->vertices, "neighbours of its sets", most, sizeof *to));
    PASS(room(w, &w->start, w->sets + 1, sizeof *start));
    PASS(room(w, &w->neighbor, most, sizeof *to));
    start = w->start.items;
    to = w->neighbor.items;
    w->links = 0;
    for (size_t s = 0; s < w->sets; s++) {
        const uint32_t *set = lm_set_at(w, kind, s);
        start[s] = (uint32_t)w->links;
        for (size_t place = 0; place < members; place++)
            for (uint32_t i = 0; i < degree(w, set[place]); i++)
                w->links += replaced(w, kind, set, place, neighbors(w, set[place])[i], to + w->links);
    }
    start[w->sets] = (uint32_t)w->links;
    return LEMAN_OK;
}

/* ---- A data set ------------------------------------------------------------------------------ */

static void copy(void *to, const lm_vector *from, size_t count)
{
    if (count) memcpy(to, from->items, count * sizeof(uint32_t));
}

/* Computes the sets of all graphs: counts them, or stores them if there are arrays for them. */
static leman_status visit_graphs(const leman_dataset *data, lm_set_work *w, lm_sets *s)
{
    const size_t members = lm_set_members(s->kind);
    for (size_t i = 0; i < data->graphs; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        PASS(lm_sets_find(w, s->kind, &g));
        PASS(lm_sets_link(w, s->kind));
        s->first[i + 1] = s->first[i] + w->sets;
        s->link[i + 1] = s->link[i] + w->links;
        if (!s->member) continue;
        copy(s->member + s->first[i] * members, &w->member, w->sets * members);
        copy(s->start + s->first[i], &w->start, w->sets);
        copy(s->neighbor + s->link[i], &w->neighbor, w->links);
        for (size_t set = 0; set < w->sets; set++) {
            const uint32_t *v = lm_set_at(w, s->kind, set);
            s->joined[s->first[i] + set] = lm_sets_adjacent(w, v[0], v[members - 1]);
        }
        PASS(lm_progress_step(w->ctx, i + 1));
    }
    return LEMAN_OK;
}

leman_status lm_sets_compute(leman_context *ctx, const leman_dataset *data, lm_set_kind kind, lm_sets *out)
{
    const size_t members = lm_set_members(kind);
    AUTO(lm_sets_free) lm_sets s = {.kind = kind};
    AUTO(lm_set_work_free) lm_set_work w = {.ctx = ctx};
    lm_progress_begin(ctx, data->graphs, "finding the %zu-sets of %s", members, data->name);
    PASS_NEW(ctx, s.first, data->graphs + 1);
    PASS_NEW(ctx, s.link, data->graphs + 1);
    s.first[0] = s.link[0] = 0;
    PASS(visit_graphs(data, &w, &s));
    const size_t sets = s.first[data->graphs];
    PASS_NEW(ctx, s.start, sets);
    PASS_NEW(ctx, s.neighbor, s.link[data->graphs]);
    PASS_NEW(ctx, s.joined, sets);
    PASS_NEW(ctx, s.member, sets * members);
    PASS(visit_graphs(data, &w, &s));
    *out = s;
    s = (lm_sets){0};
    return LEMAN_OK;
}

void lm_sets_free(lm_sets *sets)
{
    RELEASE(sets->first, sets->link, sets->member, sets->start, sets->neighbor, sets->joined);
    *sets = (lm_sets){0};
}
