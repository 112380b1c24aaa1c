/* The graph that nauty gets: labels, attributes and directions as cells and as vertices on edges; see search.h. */
#include "base/sort.h"
#include "refine/canonical/search.h"

/* An edge of the graph, once: from the vertex in the lower cell; in one cell, from the smaller key. */
typedef struct edge {
    uint32_t tail, head;
    uint64_t key, back; /* from the tail, from the head */
} edge;

static uint64_t turned(const lm_pair_keys *j, uint64_t key)
{
    return key % j->ranks * j->ranks + key / j->ranks;
}

static void list_edges(const lm_pair_keys *j, const lm_cells *c, edge *list)
{
    size_t count = 0;
    for (size_t v = 0; v < j->vertices; v++)
        for (uint64_t a = j->start[v]; a < j->start[v + 1]; a++) {
            const uint32_t u = j->head[a];
            const uint64_t key = (uint64_t)j->key[a], back = turned(j, key);
            const bool same = c->cell[v] == c->cell[u];
            if (same ? key > back || (key == back && u < v) : c->cell[v] > c->cell[u]) continue;
            list[count++] = (edge){(uint32_t)v, u, key, back};
        }
}

/* Sorts the edges by their cells, then by their keys. */
static void sort_edges(const edge *list, size_t count, const lm_cells *c, lm_pair *pair, lm_pair *spare)
{
    for (size_t i = 0; i < count; i++) pair[i] = (lm_pair){list[i].key, i};
    lm_sort_pairs(pair, spare, count, 1);
    for (size_t i = 0; i < count; i++) {
        const edge *e = list + pair[i].payload;
        pair[i].key = (uint64_t)c->cell[e->tail] << 32 | c->cell[e->head];
    }
    lm_sort_pairs(pair, spare, count, 1);
}

/* Sets middle[e] to the number of vertices on each edge: 0, 1 or 2. Returns their sum. */
static size_t count_middles(const edge *list, size_t count, const lm_pair *sorted, uint8_t *middle)
{
    size_t sum = 0;
    uint64_t smallest = 0;
    for (size_t i = 0; i < count; i++) {
        const edge *e = list + sorted[i].payload;
        const bool one_cell = sorted[i].key >> 32 == (uint32_t)sorted[i].key, even = e->key == e->back;
        if (!i || sorted[i].key != sorted[i - 1].key) smallest = e->key;
        middle[sorted[i].payload] = one_cell && !even ? 2 : e->key != smallest;
        sum += middle[sorted[i].payload];
    }
    return sum;
}

/* Numbers the vertices on edges from `original` on, by their keys, so that those of a cell are adjacent, and writes the
 * borders of the cells. near[e] and far[e] get the vertices next to the tail and to the head. */
static void number_middles(const edge *list, size_t count, const uint8_t *middle, lm_pair *pair, lm_pair *spare,
                           uint32_t *near, uint32_t *far, const lm_search_graph *g)
{
    size_t middles = 0;
    for (size_t i = 0; i < count; i++) {
        if (middle[i]) pair[middles++] = (lm_pair){list[i].key, 2 * i};
        if (middle[i] == 2) pair[middles++] = (lm_pair){list[i].back, 2 * i + 1};
    }
    lm_sort_pairs(pair, spare, middles, 1);
    for (size_t i = 0; i < middles; i++) {
        const size_t vertex = g->original + i, e = (size_t)pair[i].payload / 2;
        (pair[i].payload % 2 ? far : near)[e] = (uint32_t)vertex;
        g->order[vertex] = (int)vertex;
        g->joined[vertex] = i + 1 < middles && pair[i + 1].key == pair[i].key;
    }
}

/* ---- The graph ------------------------------------------------------------------------------- */

typedef struct connection {
    uint32_t a, b;
} connection;

/* Lists the links that an edge becomes. Returns their number, at most 3. */
static size_t links_of(const edge *e, uint8_t middle, uint32_t near, uint32_t far, connection *list)
{
    size_t count = 0;
    if (!middle) {
        list[count++] = (connection){e->tail, e->head};
        return count;
    }
    list[count++] = (connection){e->tail, near};
    if (middle == 2) list[count++] = (connection){near, far};
    list[count++] = (connection){middle == 2 ? far : near, e->head};
    return count;
}

static void fill_arcs(const lm_search_graph *g, const connection *list, size_t count)
{
    size_t sum = 0;
    for (size_t v = 0; v < g->vertices; v++) g->degree[v] = 0;
    for (size_t i = 0; i < count; i++) {
        g->degree[list[i].a]++;
        g->degree[list[i].b]++;
    }
    for (size_t v = 0; v < g->vertices; v++) {
        g->start[v] = sum;
        sum += (size_t)g->degree[v];
        g->degree[v] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        g->head[g->start[list[i].a] + (size_t)g->degree[list[i].a]++] = (int)list[i].b;
        g->head[g->start[list[i].b] + (size_t)g->degree[list[i].b]++] = (int)list[i].a;
    }
}

static void fill_cells(const lm_search_graph *g, const lm_cells *c)
{
    for (size_t i = 0; i < g->original; i++) {
        g->order[i] = (int)c->order[i];
        g->joined[i] = i + 1 < g->original && c->cell[c->order[i + 1]] == c->cell[c->order[i]];
    }
}

static leman_status new_arrays(leman_context *ctx, lm_search_graph *g)
{
    PASS_SCRATCH(ctx, g->start, g->vertices + 1);
    PASS_SCRATCH(ctx, g->degree, g->vertices + 1);
    PASS_SCRATCH(ctx, g->head, g->arcs + 1);
    PASS_SCRATCH(ctx, g->order, g->vertices + 1);
    PASS_SCRATCH(ctx, g->joined, g->vertices + 1);
    PASS_SCRATCH(ctx, g->orbit, g->vertices + 1);
    return LEMAN_OK;
}

leman_status lm_search_graph_new(leman_context *ctx, const lm_pair_keys *j, const lm_cells *c, lm_search_graph *out)
{
    const size_t edges = j->arcs / 2;
    lm_pair *pair, *spare;
    uint32_t *near, *far;
    uint8_t *middle;
    edge *list;
    connection *links;
    size_t count = 0;
    PASS_SCRATCH(ctx, list, edges + 1);
    PASS_SCRATCH(ctx, middle, edges + 1);
    PASS_SCRATCH(ctx, near, edges + 1);
    PASS_SCRATCH(ctx, far, edges + 1);
    PASS_SCRATCH(ctx, links, 3 * edges + 1);
    PASS_SCRATCH(ctx, pair, 2 * edges + 1);
    PASS_SCRATCH(ctx, spare, 2 * edges + 1);
    list_edges(j, c, list);
    sort_edges(list, edges, c, pair, spare);
    const size_t middles = count_middles(list, edges, pair, middle);
    *out = (lm_search_graph){.original = j->vertices, .vertices = j->vertices + middles, .arcs = 2 * (edges + middles)};
    PASS(new_arrays(ctx, out));
    number_middles(list, edges, middle, pair, spare, near, far, out);
    for (size_t i = 0; i < edges; i++) count += links_of(&list[i], middle[i], near[i], far[i], links + count);
    fill_arcs(out, links, count);
    fill_cells(out, c);
    return LEMAN_OK;
}
