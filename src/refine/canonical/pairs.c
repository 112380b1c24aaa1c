/*
 * Ranks of vertices and keys of pairs, and their stable colouring.
 *
 * Rows of labels and attributes are ranked by a radix sort of each column, the last column first. So a rank depends on the
 * rows of its own graph only, and isomorphic graphs give corresponding rows the same rank.
 */
#include "refine/canonical/pairs.h"
#include "base/hash.h"
#include "base/sort.h"
#include "graph/equitable.h"

enum { LARGEST = 1 << 30 };

/* ---- Ranks of rows --------------------------------------------------------------------------- */

/* Rows of a number, integers and reals: first[i], then label[i][labels], then attribute[i][attributes]. */
typedef struct rows {
    size_t count, labels, attributes;
    const int64_t *label;
    const double *attribute;
} rows;

static uint64_t real_bits(double x)
{
    uint64_t bits;
    x += 0.0; /* -0 and 0 are the same number */
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t row_value(const rows *r, size_t row, size_t column)
{
    if (column < r->labels) return (uint64_t)r->label[row * r->labels + column];
    return real_bits(r->attribute[row * r->attributes + column - r->labels]);
}

static bool rows_differ(const rows *r, size_t a, size_t b)
{
    for (size_t c = 0; c < r->labels + r->attributes; c++)
        if (row_value(r, a, c) != row_value(r, b, c)) return true;
    return false;
}

/* Replaces rank[i] by the rank of (row i, rank[i]). Returns the number of ranks; 0 if there is no row. */
static size_t rank_rows(const rows *r, lm_pair *pair, lm_pair *spare, uint32_t *rank)
{
    for (size_t i = 0; i < r->count; i++) pair[i] = (lm_pair){rank[i], i};
    lm_sort_pairs(pair, spare, r->count, 1);
    for (size_t c = r->labels + r->attributes; c-- > 0;) {
        for (size_t i = 0; i < r->count; i++) pair[i].key = row_value(r, (size_t)pair[i].payload, c);
        lm_sort_pairs(pair, spare, r->count, 1);
    }
    size_t ranks = 0;
    for (size_t i = 0; i < r->count; i++) {
        const size_t row = (size_t)pair[i].payload, before = i ? (size_t)pair[i - 1].payload : 0;
        if (!i || rank[row] != rank[before] || rows_differ(r, row, before)) ranks++;
        pair[i].key = ranks - 1; /* ranks replace the old numbers when these are no longer compared */
    }
    for (size_t i = 0; i < r->count; i++) rank[pair[i].payload] = (uint32_t)pair[i].key;
    return ranks;
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

/* The arcs that enter each vertex, by their tails. */
typedef struct entering {
    uint64_t *start; /* [vertices + 1] */
    uint32_t *tail, *rank;
} entering;

static void fill_entering(const leman_graph *g, const uint32_t *rank, entering *in)
{
    for (size_t v = 0; v < g->vertices; v++)
        for (uint64_t a = g->start[v]; a < g->start[v + 1]; a++) in->start[g->head[a] + 1]++;
    for (size_t v = 0; v < g->vertices; v++) in->start[v + 1] += in->start[v];
    for (size_t v = 0; v < g->vertices; v++)
        for (uint64_t a = g->start[v]; a < g->start[v + 1]; a++) {
            const uint64_t place = in->start[g->head[a]]++;
            in->tail[place] = (uint32_t)v;
            in->rank[place] = rank[a - g->start[0]];
        }
    for (size_t v = g->vertices; v > 0; v--) in->start[v] = in->start[v - 1];
    in->start[0] = 0;
}

/* Merges the arcs that leave and enter each vertex. */
static void fill_joined(const leman_graph *g, const uint32_t *rank, const entering *in, lm_pair_keys *j)
{
    j->arcs = 0;
    for (size_t v = 0; v < g->vertices; v++) {
        uint64_t a = g->start[v], b = in->start[v];
        j->start[v] = j->arcs;
        while (a < g->start[v + 1] || b < in->start[v + 1]) {
            const uint32_t out_head = a < g->start[v + 1] ? g->head[a] : UINT32_MAX;
            const uint32_t in_tail = b < in->start[v + 1] ? in->tail[b] : UINT32_MAX;
            const uint32_t u = out_head < in_tail ? out_head : in_tail;
            uint64_t key = 0;
            if (out_head == u) key += (rank[a++ - g->start[0]] + UINT64_C(1)) * j->ranks;
            if (in_tail == u) key += in->rank[b++] + UINT64_C(1);
            if (u == v) continue; /* loops belong to the rank of the vertex */
            j->head[j->arcs] = u;
            j->key[j->arcs++] = (int64_t)key;
        }
    }
    j->start[g->vertices] = j->arcs;
}

/* Sets own[v] to the rank of the loop of v, from 1 on; 0 for no loop. */
static void fill_loops(const leman_graph *g, const uint32_t *rank, uint32_t *own)
{
    for (size_t v = 0; v < g->vertices; v++)
        for (uint64_t a = g->start[v]; a < g->start[v + 1]; a++)
            if (g->head[a] == v) own[v] = rank[a - g->start[0]] + 1;
}

leman_status lm_pair_keys_new(leman_context *ctx, const leman_graph *g, lm_pair_keys *out)
{
    const size_t n = g->vertices, m = g->arcs, larger = n > m ? n : m;
    const rows vertex = {n, g->vertex_labels, g->vertex_attributes, g->vertex_label, g->vertex_attribute};
    const uint64_t first = n ? g->start[0] : 0;
    const rows arc = {m, g->edge_labels, g->edge_attributes,
                      g->edge_label ? g->edge_label + first * g->edge_labels : NULL,
                      g->edge_attribute ? g->edge_attribute + first * g->edge_attributes : NULL};
    lm_pair *pair, *spare;
    uint32_t *rank;
    entering in;
    if (larger >= LARGEST)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "canonical labelling: found a graph of %zu %s and %zu %s, expected fewer than %d of each", n,
                       lm_plural_of(n, "vertex", "vertices"), m, lm_plural_of(m, "arc", "arcs"), LARGEST);
    PASS_SCRATCH_ZERO(ctx, out->own, n + 1);
    PASS_SCRATCH(ctx, out->start, n + 1);
    PASS_SCRATCH(ctx, out->head, 2 * m + 1);
    PASS_SCRATCH(ctx, out->key, 2 * m + 1);
    SCRATCH_SCOPE(ctx);
    PASS_SCRATCH(ctx, pair, larger + 1);
    PASS_SCRATCH(ctx, spare, larger + 1);
    PASS_SCRATCH_ZERO(ctx, rank, m + 1);
    PASS_SCRATCH_ZERO(ctx, in.start, n + 2);
    PASS_SCRATCH(ctx, in.tail, m + 1);
    PASS_SCRATCH(ctx, in.rank, m + 1);
    out->vertices = n;
    out->ranks = (m ? rank_rows(&arc, pair, spare, rank) : 0) + 1;
    fill_loops(g, rank, out->own);
    rank_rows(&vertex, pair, spare, out->own);
    fill_entering(g, rank, &in);
    fill_joined(g, rank, &in, out);
    return LEMAN_OK;
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* Numbers the classes of the partition: by the rank of their vertices, then by their names. */
static void number_cells(const lm_pair_keys *j, const lm_equitable *e, lm_pair *class, lm_pair *spare, lm_cells *out)
{
    size_t place = 0;
    for (size_t c = 0; c < e->classes; c++) class[c] = (lm_pair){e->name[c], c};
    lm_sort_pairs(class, spare, e->classes, 1);
    for (size_t c = 0; c < e->classes; c++) class[c].key = j->own[e->order[e->first[class[c].payload]]];
    lm_sort_pairs(class, spare, e->classes, 1);
    out->cells = 0;
    for (size_t c = 0; c < e->classes; c++) {
        const size_t now = (size_t) class[c].payload, before = c ? (size_t) class[c - 1].payload : 0;
        if (!c || class[c].key != class[c - 1].key || e->name[now] != e->name[before]) out->cells++;
        for (uint32_t i = e->first[now]; i < e->first[now] + e->count[now]; i++) {
            out->order[place++] = e->order[i];
            out->cell[e->order[i]] = (uint32_t)(out->cells - 1);
        }
    }
}

leman_status lm_cells_new(leman_context *ctx, const lm_pair_keys *j, lm_cells *out)
{
    const leman_graph view = {.vertices = j->vertices,
                              .arcs = j->arcs,
                              .start = j->start,
                              .head = j->head,
                              .edge_labels = 1,
                              .edge_label = j->key};
    lm_equitable e;
    lm_pair *class, *spare;
    uint64_t *color, hash;
    bool *kept;
    PASS_SCRATCH(ctx, out->cell, j->vertices + 1);
    PASS_SCRATCH(ctx, out->order, j->vertices + 1);
    SCRATCH_SCOPE(ctx);
    PASS(lm_equitable_new(ctx, j->vertices, j->arcs, &e));
    PASS_SCRATCH(ctx, color, j->vertices + 1);
    PASS_SCRATCH(ctx, kept, j->vertices + 1);
    PASS_SCRATCH(ctx, class, j->vertices + 1);
    PASS_SCRATCH(ctx, spare, j->vertices + 1);
    for (size_t v = 0; v < j->vertices; v++) color[v] = lm_mix(j->own[v] + UINT64_C(1));
    for (size_t v = 0; v < j->vertices; v++) kept[v] = true;
    PASS(lm_equitable_refine(&e, &view, kept, color, &hash));
    number_cells(j, &e, class, spare, out);
    return LEMAN_OK;
}
