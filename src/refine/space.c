/* The vertices of a tuple space, and their adjacency. */
#include "refine/histogram.h"
#include "refine/items/items.h"
#include "refine/row_loops.h"
#include <string.h>

enum { NOT_KEPT = UINT32_MAX };

/* ---- Adjacency ------------------------------------------------------------------------------- */

/* Replaces the arcs by those among kept vertices, in the order of the space. A vertex of a closed class also gets an
 * arc to itself. The arcs are read from the graph and never become more: a closed twin has a neighbour that is not
 * kept. */
static leman_status arcs_kept(leman_context *ctx, const leman_graph *g, const leman_coloring *c, bool labelled,
                              lm_space *s)
{
    const uint64_t plain = lm_plain_arc_hash(c);
    uint32_t *place; /* number in the space of a vertex of the graph */
    PASS_SCRATCH(ctx, place, g->vertices);
    memset(place, 0xff, g->vertices * sizeof *place);
    for (size_t v = 0; v < s->n; v++) place[s->vertex[v]] = (uint32_t)v;
    uint64_t at = 0;
    for (size_t v = 0; v < s->n; v++) {
        s->out.start[v] = at;
        for (uint64_t e = g->start[s->vertex[v]]; e < g->start[s->vertex[v] + 1]; e++) {
            if (place[g->head[e]] == NOT_KEPT) continue;
            s->out.head[at] = place[g->head[e]];
            s->out.label[at++] = labelled ? lm_arc_hash(g, e, c) : plain;
        }
        if (s->closed[v]) {
            s->out.head[at] = (uint32_t)v;
            s->out.label[at++] = plain; /* closed twins exist only if all edges have one label */
        }
    }
    s->out.start[s->n] = at;
    if (!g->directed) return LEMAN_OK;
    lm_arcs_transpose(s->n, &s->out, &s->in);
    lm_arcs_transpose(s->n, &s->in, &s->out); /* heads in order */
    return LEMAN_OK;
}

/* Lists for every vertex its neighbours or its non-neighbours, whichever are fewer. O(n^2), small beside one round. */
static leman_status list_few(leman_context *ctx, lm_space *s)
{
    const size_t n = s->n;
    const lm_adjacency *arcs = &s->out;
    uint64_t *start, at = 0;
    bool *joined;
    PASS_SCRATCH(ctx, joined, n);
    PASS_SCRATCH(ctx, start, n + 1);
    for (size_t v = 0; v < n; v++) {
        const uint64_t degree = arcs->start[v + 1] - arcs->start[v];
        start[v] = at;
        at += degree > n / 2 ? n - degree : degree;
    }
    start[n] = at;
    PASS_SCRATCH(ctx, s->few, at);
    PASS_SCRATCH(ctx, s->rest, n);
    for (size_t v = 0; v < n; v++) {
        uint32_t *to = s->few + start[v];
        uint64_t e = arcs->start[v];
        const uint64_t end = arcs->start[v + 1];
        s->rest[v] = end - e > n / 2;
        if (!s->rest[v]) memcpy(to, arcs->head + e, (end - e) * sizeof *to);
        if (!s->rest[v]) continue;
        memset(joined, false, n * sizeof *joined); /* heads of closed twins are not sorted */
        for (; e < end; e++) joined[arcs->head[e]] = true;
        for (uint32_t w = 0; w < n; w++)
            if (!joined[w]) *to++ = w;
    }
    s->few_start = start;
    return LEMAN_OK;
}

/* The neighbours of every vertex as subsets of five vertices. O(n^2). */
static leman_status list_subsets(leman_context *ctx, lm_space *s)
{
    const size_t sets = lm_subset_count(s->n);
    uint8_t *subset;
    PASS_SCRATCH_ZERO(ctx, subset, s->n * sets);
    for (size_t v = 0; v < s->n; v++)
        for (uint64_t e = s->out.start[v]; e < s->out.start[v + 1]; e++)
            subset[v * sets + s->out.head[e] / LM_SUBSET_OF] |= (uint8_t)(1 << s->out.head[e] % LM_SUBSET_OF);
    s->subset = subset;
    return LEMAN_OK;
}

/* Dense graphs: uses subsets if they take fewer additions than the shorter lists; otherwise the shorter lists if more
 * than five eighths of all pairs are joined. */
static leman_status prepare_dense(leman_context *ctx, lm_space *s)
{
    const uint64_t *start = s->out.start, n = s->n;
    uint64_t shorter = 0;
    if (s->k < 2 || n < LM_DENSE_SMALLEST) return LEMAN_OK;
    for (size_t v = 0; v < n; v++) {
        const uint64_t degree = start[v + 1] - start[v];
        shorter += degree > n / 2 ? n - degree : degree;
    }
    if (n >= LM_SUBSET_SMALLEST && shorter > n * (n / LM_SUBSET_OF + 8)) /* 8 for the tables */
        PASS(list_subsets(ctx, s));
    else if (start[n] > n * n / 8 * 5)
        PASS(list_few(ctx, s));
    return LEMAN_OK;
}

/* ---- The order of vertices ------------------------------------------------------------------- */

/* Sorts the vertices by falling `single`. Vertices with equal rounds, such as twins, keep their order. */
static leman_status order_vertices(leman_context *ctx, const lm_vertex_rounds *known, lm_twins *t,
                                   lm_vertex_rounds *own)
{
    const lm_twins from = *t;
    uint32_t next[LM_NEVER + 2] = {0}, *place;
    PASS_SCRATCH(ctx, place, t->n);
    PASS_SCRATCH(ctx, t->vertex, t->n);
    PASS_SCRATCH(ctx, t->first, t->n);
    PASS_SCRATCH(ctx, t->size, t->n);
    PASS_SCRATCH(ctx, t->closed, t->n);
    PASS_SCRATCH(ctx, own->single, t->n);
    PASS_SCRATCH(ctx, own->exclusive, t->n);
    for (size_t v = 0; v < t->n; v++) next[LM_NEVER - known->single[from.vertex[v]] + 1]++;
    for (size_t i = 1; i <= LM_NEVER; i++) next[i] += next[i - 1];
    for (size_t v = 0; v < t->n; v++) place[v] = next[LM_NEVER - known->single[from.vertex[v]]]++;
    for (size_t v = 0; v < t->n; v++) {
        const uint32_t to = place[v];
        t->vertex[to] = from.vertex[v];
        t->first[to] = place[from.first[v]];
        t->size[to] = from.size[v];
        t->closed[to] = from.closed[v];
        own->single[to] = known->single[from.vertex[v]];
        own->exclusive[to] = known->exclusive[from.vertex[v]];
    }
    return LEMAN_OK;
}

/* ---- The space ------------------------------------------------------------------------------- */

static leman_status sizes(leman_context *ctx, bool sparse, lm_space *s)
{
    uint64_t tuples = lm_power(s->n, s->k);
    if (sparse) return LEMAN_OK; /* lm_space_restrict() */
    if (tuples > SIZE_MAX / 64 || lm_power(s->vertices, s->k) == UINT64_MAX ||
        lm_orbit_count(s->n, s->k) > LM_MAX_ORBITS)
        return lm_fail(ctx, LEMAN_ERROR_BUDGET, "a graph of %zu %s has more %u-tuples than can be counted", s->vertices,
                       lm_plural_of(s->vertices, "vertex", "vertices"), s->k);
    s->tuples = tuples;
    s->rows = s->n ? s->tuples / s->n : 0;
    for (size_t v = 0; v < s->n; v++) {
        uint64_t kept = 1;
        while (s->first[v] + kept < s->n && s->first[s->first[v] + kept] == s->first[v]) kept++;
        s->missing[v] = s->size[v] - kept;
        s->twins |= s->missing[v] > 0;
        if (s->missing[v] && s->first[v] == v) s->class_first[s->classes++] = (uint32_t)v;
        if (s->closed[v]) s->closed_vertex[s->closed_count++] = (uint32_t)v;
    }
    return LEMAN_OK;
}

/* A graph after twin reduction, before anything of size n^k is allocated. */
typedef struct outline {
    uint64_t *label;
    lm_adjacency out, in;
    bool labelled;
    lm_twins twins;
} outline;

static leman_status outline_of(leman_context *ctx, const leman_graph *g, const leman_coloring *c, bool reduce,
                               outline *o)
{
    o->labelled = lm_edges_labelled(g, c);
    PASS_SCRATCH(ctx, o->label, g->vertices);
    for (size_t v = 0; v < g->vertices; v++) o->label[v] = lm_vertex_hash(g, v, c);
    PASS(lm_arcs_of(ctx, g, c, &o->out));
    o->in = o->out;
    if (g->directed) PASS(lm_arcs_transposed(ctx, g->vertices, &o->out, &o->in));
    return lm_twins_find(ctx, g->vertices, o->label, &o->out, &o->in, !g->directed && !o->labelled,
                         reduce && lm_variant_of(c)->twins ? c->k : SIZE_MAX, c->k, &o->twins);
}

enum { LARGE = 1 << 16 };

/* Large undirected graphs with k = 1 and without edge labels: finding twins would cost more than a round, and the space
 * uses the arcs of the graph itself, which are most of the memory. */
static bool is_large(const leman_graph *g, const leman_coloring *c)
{
    return c->k == 1 && !lm_has_items(c) && g->vertices >= LARGE && !g->directed && !lm_edges_labelled(g, c);
}

/* Computes lm_vertex_hash() of all vertices: one hash and a search for loops, if vertex labels do not count. */
static void hash_vertices(const leman_graph *g, const leman_coloring *c, uint64_t *hash)
{
    const bool labelled = g->vertex_labels && !c->ignore_vertex_labels;
    const uint64_t plain = labelled ? 0 : lm_label_hash(g, 0, c);
    for (size_t v = 0; v < g->vertices; v++) {
        bool loop = labelled;
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) loop |= g->head[e] == v;
        hash[v] = loop ? lm_vertex_hash(g, v, c) : plain;
    }
}

static leman_status large_space(leman_context *ctx, const leman_graph *g, const leman_coloring *c, lm_space *out)
{
    const size_t n = g->vertices;
    lm_space s = {.k = 1, .n = n, .rows = 1, .tuples = n, .vertices = n, .seed = c->seed};
    s.out.start = (uint64_t *)(uintptr_t)g->start; /* only read */
    s.out.head = (uint32_t *)(uintptr_t)g->head;
    s.out.plain = lm_plain_arc_hash(c);
    s.in = s.out;
    PASS_SCRATCH(ctx, s.label, n);
    hash_vertices(g, c, s.label);
    *out = s;
    return LEMAN_OK;
}

/* Bytes of the lists of dense graphs. If more than five eighths of all pairs are joined, the shorter lists have at most
 * as many entries as there are unjoined pairs: n^2 minus the arcs, or three eighths of n^2 for kept vertices. */
static uint64_t dense_bytes(const leman_graph *g, uint64_t n, const leman_coloring *c)
{
    const uint64_t arcs = g->arcs, pairs = n * n;
    if (c->k < 2 || c->components || n < LM_DENSE_SMALLEST || arcs <= n * (n / LM_SUBSET_OF)) return 0;
    if (arcs <= pairs / 8 * 5) return n * lm_subset_count(n);
    return (n == g->vertices && arcs < pairs ? pairs - arcs : pairs / 8 * 3) * sizeof(uint32_t);
}

uint64_t lm_space_bytes(const leman_graph *g, size_t kept, const leman_coloring *c)
{
    enum { ARC = sizeof(uint32_t) + sizeof(uint64_t), START = sizeof(uint64_t) };
    enum { VERTEX = 144 }; /* including the scratch of lm_twins_find() and order_vertices() */
    if (is_large(g, c)) return g->vertices * sizeof(uint64_t);
    const uint64_t arcs = lm_saturating_add(lm_saturating_multiply(g->arcs, ARC), g->vertices * START);
    const uint64_t both = lm_saturating_multiply(arcs, g->directed ? 2 : 1);
    return lm_saturating_add(lm_saturating_add(both, g->vertices * VERTEX), dense_bytes(g, kept, c));
}

leman_status lm_kept_vertices(leman_context *ctx, const leman_graph *g, const leman_coloring *c, size_t *kept)
{
    outline o;
    *kept = g->vertices;
    if (is_large(g, c)) return LEMAN_OK;
    leman_status st = outline_of(ctx, g, c, true, &o);
    if (!st) *kept = o.twins.n;
    return st;
}

leman_status lm_space_new(leman_context *ctx, const leman_graph *g, const leman_coloring *asked, bool reduce,
                          const lm_vertex_rounds *known, lm_space *out)
{
    if (is_large(g, asked)) return large_space(ctx, g, asked, out);
    outline o;
    leman_coloring c = *asked;
    if (lm_has_items(asked)) c.k = 1, c.components = 0; /* the vertices, before lm_space_restrict() */
    /* Different sets of tuples give different colours. */
    if (c.components) c.seed = lm_mix(c.seed + lm_multiplier_of(LM_TUPLE_SET, c.components));
    lm_vertex_rounds own = {0};
    PASS(outline_of(ctx, g, &c, reduce && !c.components, &o));
    if (known && known->single) PASS(order_vertices(ctx, known, &o.twins, &own));
    lm_space s = {.k = c.k,
                  .n = o.twins.n,
                  .vertices = g->vertices,
                  .pairs = c.k == 2 && !c.components,
                  .entering = c.in_arcs && g->directed,
                  .messages = c.k == 1 && o.labelled,
                  .seed = c.seed,
                  .vertex = o.twins.vertex,
                  .first = o.twins.first,
                  .size = o.twins.size,
                  .closed = o.twins.closed,
                  .out = o.out,
                  .in = o.in,
                  .known = own};
    PASS_SCRATCH(ctx, s.label, s.n);
    PASS_SCRATCH(ctx, s.missing, s.n);
    PASS_SCRATCH(ctx, s.class_first, s.n);
    PASS_SCRATCH(ctx, s.closed_vertex, s.n);
    PASS(sizes(ctx, c.components > 0, &s));
    for (size_t v = 0; v < s.n; v++) s.label[v] = o.label[s.vertex[v]];
    if (s.n < g->vertices || own.single) PASS(arcs_kept(ctx, g, &c, o.labelled, &s));
    if (!c.components) PASS(prepare_dense(ctx, &s));
    *out = s;
    return LEMAN_OK;
}

/* ---- Sparse tuples --------------------------------------------------------------------------- */

static lm_sparse_graph sparse_graph(const lm_space *s, const leman_coloring *c, const lm_cancellation *cancellation)
{
    return (lm_sparse_graph){.n = s->n,
                             .out = &s->out,
                             .in = &s->in,
                             .k = c->k,
                             .components = (unsigned)c->components,
                             .entering = s->entering,
                             .rows = lm_variant_of(c)->sums & LM_SUM_VECTORS,
                             .cancellation = cancellation};
}

leman_status lm_space_measure(leman_context *ctx, const leman_graph *graph, const leman_coloring *c, uint64_t most,
                              const lm_cancellation *cancellation, lm_sparse_size *size)
{
    lm_space s;
    PASS(lm_space_new(ctx, graph, c, false, NULL, &s));
    const lm_sparse_graph g = sparse_graph(&s, c, cancellation);
    return lm_sparse_count(ctx, &g, most, size);
}

leman_status lm_space_restrict(leman_context *ctx, const leman_coloring *c, const lm_sparse_size *given, int threads,
                               const lm_cancellation *cancellation, lm_space *s)
{
    lm_sparse_size size;
    if (lm_has_items(c)) return lm_items_new(ctx, c, cancellation, s);
    if (!c->components) return LEMAN_OK;
    const lm_sparse_graph g = sparse_graph(s, c, cancellation);
    if (given)
        size = *given;
    else
        PASS(lm_sparse_count(ctx, &g, UINT64_MAX, &size));
    if (size.exceeded)
        return lm_fail(ctx, LEMAN_ERROR_BUDGET, "a graph of %zu %s has more %u-tuples than can be numbered",
                       s->vertices, lm_plural_of(s->vertices, "vertex", "vertices"), s->k);
    PASS(lm_sparse_new(ctx, &g, &size, threads, &s->sparse));
    s->tuples = size.tuples;
    s->rows = s->n ? lm_sparse_row_count(s->sparse) : 0;
    return LEMAN_OK;
}
