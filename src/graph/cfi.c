/*
 * The pair G, H of Cai, Fuerer and Immerman on a base graph K, as in the paper's appendix ("Proof of Proposition 1"),
 * where K is the complete graph with vertices 0 .. k. With E(v) the d(v) edges of K at v:
 *
 *   vertices   (v, S)    for each v and each even S within E(v)      H: odd S at v = 0
 *              e^0, e^1  for each edge e of K
 *   edges      e^0 - e^1
 *              (v, S) - e^1  for e in S;   (v, S) - e^0  for e in E(v) without S
 *
 * Each graph has sum 2^(d(v)-1) + 2m vertices and m + sum d(v) 2^(d(v)-1) edges, with m the edges of K and the sums over
 * the vertices of K. If K is connected, a twist at another vertex than 0 gives a graph isomorphic to H, and a second
 * twist gives G. k-FWL does not distinguish the two graphs if k is less than the tree-width of K. For the complete graph
 * k-WL, which is as strong as (k-1)-FWL, does not distinguish them; its local variants do.
 *
 * Vertices are numbered cloud by cloud, the vertices (v, S) of v by S, then e^0, e^1 edge by edge. S is represented by its
 * lowest d(v)-1 bits; the last bit follows from the parity. The edges of K are numbered by their larger vertex, then by
 * their smaller one: 01, 02, 12, 03, 13, 23, ...
 */
#include "base/text.h"
#include "graph/families.h"

/* ---- Sizes ----------------------------------------------------------------------------------- */

/* The sizes of one graph of the pair; UINT64_MAX stands for anything larger. */
typedef struct pair_size {
    uint64_t vertices, edges;
} pair_size;

/* Adds `count` vertices (v, S) of degree `degree`, with the edges that lead to them. */
static void add_cloud(pair_size *size, uint64_t degree, uint64_t count)
{
    const uint64_t sets = degree > 63 ? UINT64_MAX : UINT64_C(1) << (degree - 1);
    const uint64_t all = lm_saturating_multiply(sets, count);
    size->vertices = lm_saturating_add(size->vertices, all);
    size->edges = lm_saturating_add(size->edges, lm_saturating_multiply(all, degree));
}

/* Fails if a graph cannot be a base. The sentence names the graph by its number. */
static leman_status check_base(leman_context *ctx, const leman_graph *g, size_t number)
{
    SCRATCH_SCOPE(ctx);
    uint32_t *reached;
    bool *seen;
    size_t count = 1;
    if (g->vertices < 3)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "cfi: base graph %zu has %zu %s, expected at least 3", number,
                       g->vertices, lm_plural_of(g->vertices, "vertex", "vertices"));
    for (size_t v = 0; v < g->vertices; v++) {
        const size_t degree = (size_t)(g->start[v + 1] - g->start[v]);
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++)
            if (g->head[e] == v)
                return lm_fail(ctx, LEMAN_ERROR_INPUT,
                               "cfi: base graph %zu has a self-loop at vertex %zu, expected none", number, v);
        if (degree < 2)
            return lm_fail(ctx, LEMAN_ERROR_INPUT,
                           "cfi: vertex %zu of base graph %zu has degree %zu, expected at least 2", v, number, degree);
    }
    PASS_SCRATCH(ctx, reached, g->vertices);
    PASS_SCRATCH_ZERO(ctx, seen, g->vertices);
    reached[0] = 0;
    seen[0] = true;
    for (size_t i = 0; i < count; i++)
        for (uint64_t e = g->start[reached[i]]; e < g->start[reached[i] + 1]; e++)
            if (!seen[g->head[e]]) {
                seen[g->head[e]] = true;
                reached[count++] = g->head[e];
            }
    if (count < g->vertices)
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "cfi: base graph %zu is not connected: %zu of its %zu vertices are reached "
                       "from vertex 0",
                       number, count, g->vertices);
    return LEMAN_OK;
}

/* The plan for the caller's base graphs, each of which gives a pair. */
static leman_status plan_bases(leman_context *ctx, const leman_dataset *base, lm_family_plan *plan)
{
    const leman_shape *shape = leman_dataset_shape(base);
    if (shape->directed)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "cfi: the base graphs are directed, expected undirected graphs");
    if (!shape->graphs) return lm_fail(ctx, LEMAN_ERROR_INPUT, "cfi: found no base graph, expected at least one");
    plan->members = 2 * shape->graphs;
    plan->classes = 2;
    plan->vertices = plan->edges = plan->all_vertices = plan->all_edges = 0;
    for (size_t i = 0; i < shape->graphs; i++) {
        const leman_graph g = leman_dataset_graph(base, i);
        PASS(check_base(ctx, &g, i));
        pair_size size = {g.arcs, g.arcs / 2};
        for (size_t v = 0; v < g.vertices; v++) add_cloud(&size, g.start[v + 1] - g.start[v], 1);
        if (size.vertices > plan->vertices) plan->vertices = size.vertices;
        if (size.edges > plan->edges) plan->edges = size.edges;
        plan->all_vertices = lm_saturating_add(plan->all_vertices, lm_saturating_multiply(2, size.vertices));
        plan->all_edges = lm_saturating_add(plan->all_edges, lm_saturating_multiply(2, size.edges));
    }
    return LEMAN_OK;
}

leman_status lm_cfi_plan(leman_context *ctx, const leman_family_options *o, lm_family_plan *plan)
{
    const uint64_t k = o->k, arcs = (k + 1) * k;
    if (o->base) return plan_bases(ctx, o->base, plan);
    if (!k) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "cfi: found k = 0, expected at least 1");
    pair_size size = {arcs, arcs / 2};
    add_cloud(&size, k, k + 1);
    plan->members = 2;
    plan->vertices = size.vertices;
    plan->edges = size.edges;
    return LEMAN_OK;
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

/* Sets *base to the complete graph with k+1 vertices, in scratch. */
static leman_status complete_base(leman_context *ctx, size_t k, leman_graph *base)
{
    uint64_t *start;
    uint32_t *head;
    PASS_SCRATCH(ctx, start, k + 2);
    PASS_SCRATCH(ctx, head, k * (k + 1));
    for (size_t v = 0; v < k + 2; v++) start[v] = v * k;
    for (size_t v = 0; v <= k; v++)
        for (size_t i = 0; i < k; i++) head[v * k + i] = (uint32_t)(i < v ? i : i + 1);
    *base = (leman_graph){.vertices = k + 1, .arcs = k * (k + 1), .start = start, .head = head};
    return LEMAN_OK;
}

/* Writes the number of the edge of every arc, counted from the first arc of the graph, to edge[arcs]. Heads of one vertex increase, so the arcs that lead from u to
 * larger vertices are reached in their order. */
static leman_status number_edges(leman_context *ctx, const leman_graph *base, size_t *edge)
{
    uint64_t *next; /* [vertices] the first arc that has no number yet */
    const uint64_t first = base->start[0];
    size_t count = 0;
    PASS_SCRATCH(ctx, next, base->vertices);
    for (size_t v = 0; v < base->vertices; v++) next[v] = base->start[v];
    for (size_t v = 0; v < base->vertices; v++)
        while (next[v] < base->start[v + 1] && base->head[next[v]] < v) {
            edge[next[base->head[next[v]]]++ - first] = count;
            edge[next[v]++ - first] = count++;
        }
    return LEMAN_OK;
}

/* A base graph with a longer name is named by its number. */
enum { LONGEST_NAME = 64 };

/* Names the graph "G_3", or "H_prism" after the base graph "prism". */
static leman_status begin_graph(lm_family_builder *builder, size_t vertices, bool twisted)
{
    const leman_dataset *base = builder->options->base;
    size_t length = 0;
    const char *name = base ? leman_dataset_graph_name(base, builder->member / 2, &length) : "";
    const char which = twisted ? 'H' : 'G';
    if (length && length <= LONGEST_NAME)
        return lm_family_graph(builder, vertices, "%c_%.*s", which, (int)length, name);
    return lm_family_graph(builder, vertices, "%c_%zu", which, base ? builder->member / 2 : builder->options->k);
}

leman_status lm_cfi_draw(lm_family_builder *builder)
{
    leman_context *ctx = builder->ctx;
    const bool twisted = builder->member % 2;
    leman_graph base;
    size_t *edge, clouds = 0, at = 0;
    if (builder->options->base)
        base = leman_dataset_graph(builder->options->base, builder->member / 2);
    else
        PASS(complete_base(ctx, builder->options->k, &base));
    PASS_SCRATCH(ctx, edge, base.arcs);
    PASS(number_edges(ctx, &base, edge));
    for (size_t v = 0; v < base.vertices; v++) clouds += (size_t)1 << (base.start[v + 1] - base.start[v] - 1);
    PASS(begin_graph(builder, clouds + base.arcs, twisted)); /* e^b is vertex clouds + 2 e + b */
    for (size_t e = 0; e < base.arcs / 2; e++) PASS(lm_family_edge(builder, clouds + 2 * e, clouds + 2 * e + 1));
    for (size_t v = 0; v < base.vertices; v++) {
        const size_t degree = base.start[v + 1] - base.start[v], cloud = (size_t)1 << (degree - 1);
        for (size_t low = 0; low < cloud; low++, at++) {
            const bool odd = twisted && v == 0, last = (__builtin_popcountll(low) & 1) != odd;
            const size_t set = low | (size_t)last << (degree - 1);
            for (size_t i = 0; i < degree; i++) /* the i-th edge at v leads to its i-th neighbour */
                PASS(
                    lm_family_edge(builder, at, clouds + 2 * edge[base.start[v] - base.start[0] + i] + (set >> i & 1)));
        }
    }
    return LEMAN_OK;
}
