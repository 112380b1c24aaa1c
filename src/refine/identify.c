/*
 * Bounds of the Weisfeiler-Leman dimension of a graph.
 *
 * Colour refinement identifies a graph with n vertices and no edge labels exactly if its stable partition satisfies the
 * conditions of Arvind, Koebler, Rattan, Verbitsky: On the power of color refinement (2015), which Kiefer, Schweitzer,
 * Selman: Graphs identified by logics with counting (2015) state as a condition on the flip of the graph:
 *
 *   A  each class X induces an empty graph, a complete graph, a matching, the complement of a matching, or a 5-cycle
 *   B  between two classes the edges form an empty or complete bipartite graph, disjoint stars with all centres in one
 *      class, or the bipartite complement of such stars
 *   C  join two classes if the edges between them are neither empty nor complete: every component is a tree, and sizes do
 *      not decrease on the way from a smallest class to any other
 *   D  at most one class of a component induces neither an empty nor a complete graph, and that one is a smallest class
 *
 * All vertices of a class have the same number of neighbours in each class, so one vertex of each class decides. A
 * graph that is directed or has several edge labels is known to be identified if all its vertices have different colours.
 *
 * 2-FWL identifies every graph of tree-width at most 2 (Kiefer, Neuen: The power of the Weisfeiler-Leman algorithm to
 * decompose graphs, 2019). (n-1)-FWL is as strong as n-WL, which identifies every graph of n vertices by an n-tuple in
 * round 0.
 */
#include "refine/identify.h"
#include "base/sort.h"
#include "refine/refine.h"
#include <string.h>

/* ---- The stable partition -------------------------------------------------------------------- */

/* The classes of the vertices after colour refinement, numbered from 0. */
typedef struct partition {
    size_t classes;
    uint32_t *class_of;       /* [vertices] */
    uint32_t *size, *example; /* [classes] number of vertices; one of them */
} partition;

static leman_status refine_vertices(leman_context *ctx, const leman_graph *graph, const leman_coloring *c,
                                    const char *name, lm_pair *pair)
{
    SCRATCH_SCOPE(ctx);
    lm_refinement r;
    const lm_demand demand = {name, .graphs = 1, .by_classes = true, .counted = true, .budget = lm_budget(ctx)};
    PASS(lm_refinement_open(ctx, graph, c, false, &demand, &r));
    while (!r.stable) {
        PASS(lm_refinement_step(&r));
        PASS(lm_progress_step(ctx, ctx->progress.done));
    }
    for (size_t v = 0; v < graph->vertices; v++) pair[v] = (lm_pair){lm_refinement_class(&r, v), v};
    return LEMAN_OK;
}

static leman_status make_partition(leman_context *ctx, const leman_graph *graph, const leman_coloring *c,
                                   const char *name, partition *p)
{
    const size_t n = graph->vertices;
    lm_pair *pair, *spare;
    PASS_SCRATCH(ctx, p->class_of, n);
    PASS_SCRATCH(ctx, p->size, n);
    PASS_SCRATCH(ctx, p->example, n);
    PASS_SCRATCH(ctx, pair, n);
    PASS_SCRATCH(ctx, spare, n);
    PASS(refine_vertices(ctx, graph, c, name, pair));
    lm_sort_pairs(pair, spare, n, 1);
    p->classes = 0;
    for (size_t i = 0; i < n; i++) {
        if (!i || pair[i].key != pair[i - 1].key) {
            p->example[p->classes] = (uint32_t)pair[i].payload;
            p->size[p->classes++] = 0;
        }
        p->class_of[pair[i].payload] = (uint32_t)p->classes - 1;
        p->size[p->classes - 1]++;
    }
    return LEMAN_OK;
}

/* ---- Colour refinement identifies the graph -------------------------------------------------- */

/* Which classes an example sees: degree[i] neighbours in class to[i], for i = start[X] .. start[X+1]-1. Self-loops are part
 * of the labels and not counted. */
typedef struct quotient {
    size_t *start;
    uint32_t *to, *degree;
} quotient;

static leman_status make_quotient(leman_context *ctx, const leman_graph *graph, const partition *p, quotient *q)
{
    uint32_t *place; /* [classes] 1 + place of a class in the current list; 0: not there */
    size_t arcs = 0, at = 0;
    for (size_t x = 0; x < p->classes; x++) arcs += graph->start[p->example[x] + 1] - graph->start[p->example[x]];
    PASS_SCRATCH(ctx, q->start, p->classes + 1);
    PASS_SCRATCH(ctx, q->to, arcs + 1);
    PASS_SCRATCH(ctx, q->degree, arcs + 1);
    PASS_SCRATCH_ZERO(ctx, place, p->classes);
    for (size_t x = 0; x < p->classes; x++) {
        const size_t v = p->example[x];
        q->start[x] = at;
        for (uint64_t e = graph->start[v]; e < graph->start[v + 1]; e++) {
            const uint32_t y = p->class_of[graph->head[e]];
            if (graph->head[e] == v) continue;
            if (!place[y]) {
                q->to[at] = y;
                q->degree[at++] = 0;
                place[y] = (uint32_t)at;
            }
            q->degree[place[y] - 1]++;
        }
        for (size_t i = q->start[x]; i < at; i++) place[q->to[i]] = 0;
    }
    q->start[p->classes] = at;
    return LEMAN_OK;
}

/* A class that induces neither an empty nor a complete graph. */
static bool is_mixed(size_t size, size_t degree)
{
    return degree && degree != size - 1;
}

static bool condition_a(size_t size, size_t degree)
{
    return !is_mixed(size, degree) || degree == 1 || degree == size - 2 || (size == 5 && degree == 2);
}

/* x vertices have `a` neighbours each among y, and so y have x a / y each among x. */
static bool condition_b(size_t x, size_t y, size_t a)
{
    const size_t b = x * a / y;
    return a == y || a == 1 || b == 1 || y - a == 1 || x - b == 1;
}

static bool conditions_a_b(const partition *p, const quotient *q, bool *mixed)
{
    for (size_t x = 0; x < p->classes; x++) {
        mixed[x] = false;
        for (size_t i = q->start[x]; i < q->start[x + 1]; i++) {
            const size_t size = p->size[x], y = q->to[i], degree = q->degree[i];
            if (y == x ? !condition_a(size, degree) : !condition_b(size, p->size[y], degree)) return false;
            if (y == x) mixed[x] = is_mixed(size, degree);
        }
    }
    return true;
}

/* Conditions C and D for the component of `root`, a smallest class of its component. Marks the classes in seen[]. */
static bool component_is_tree(const partition *p, const quotient *q, const bool *mixed, size_t root, bool *seen,
                              uint32_t *list)
{
    size_t count = 1, joins = 0, mixed_classes = 0;
    list[0] = (uint32_t)root;
    seen[root] = true;
    for (size_t i = 0; i < count; i++) {
        const size_t x = list[i];
        mixed_classes += mixed[x];
        if (mixed[x] && p->size[x] != p->size[root]) return false;
        for (size_t j = q->start[x]; j < q->start[x + 1]; j++) {
            const uint32_t y = q->to[j];
            if (y == x || q->degree[j] == p->size[y]) continue;
            joins++;
            if (seen[y]) continue;
            if (p->size[y] < p->size[x]) return false;
            seen[y] = true;
            list[count++] = y;
        }
    }
    return joins == 2 * (count - 1) && mixed_classes <= 1;
}

static leman_status conditions_c_d(leman_context *ctx, const partition *p, const quotient *q, const bool *mixed,
                                   bool *hold)
{
    lm_pair *pair, *spare;
    uint32_t *list;
    bool *seen;
    PASS_SCRATCH(ctx, pair, p->classes);
    PASS_SCRATCH(ctx, spare, p->classes);
    PASS_SCRATCH(ctx, list, p->classes);
    PASS_SCRATCH_ZERO(ctx, seen, p->classes);
    for (size_t x = 0; x < p->classes; x++) pair[x] = (lm_pair){p->size[x], x};
    lm_sort_pairs(pair, spare, p->classes, 1); /* the first class of a component is a smallest one */
    *hold = true;
    for (size_t i = 0; i < p->classes && *hold; i++)
        if (!seen[pair[i].payload]) *hold = component_is_tree(p, q, mixed, pair[i].payload, seen, list);
    return LEMAN_OK;
}

static leman_status identified_by_refinement(leman_context *ctx, const leman_graph *graph, const partition *p,
                                             bool *identified)
{
    quotient q;
    bool *mixed;
    PASS(make_quotient(ctx, graph, p, &q));
    PASS_SCRATCH(ctx, mixed, p->classes);
    *identified = false;
    return conditions_a_b(p, &q, mixed) ? conditions_c_d(ctx, p, &q, mixed, identified) : LEMAN_OK;
}

/* ---- Tree-width ------------------------------------------------------------------------------ */

/* An edge that a reduction adds, in the list of one of its ends. */
typedef struct added {
    uint32_t head, next; /* next: 1 + number of the next edge in the list; 0: none */
} added;

typedef struct reduction {
    const leman_graph *graph;
    uint32_t *degree; /* [vertices] neighbours that are left; UINT32_MAX: the vertex was removed */
    uint32_t *first;  /* [vertices] list of added edges */
    uint32_t *stack;  /* vertices of degree at most 2 */
    added *added;
    size_t stacked, count;
} reduction;

static bool joined(const reduction *r, size_t u, uint32_t v)
{
    uint64_t low = r->graph->start[u], high = r->graph->start[u + 1];
    for (uint32_t i = r->first[u]; i; i = r->added[i - 1].next)
        if (r->added[i - 1].head == v) return true;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (r->graph->head[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->graph->start[u + 1] && r->graph->head[low] == v;
}

/* Writes the neighbours of v that are left, which are at most two, and returns their number. */
static unsigned neighbours_left(const reduction *r, size_t v, uint32_t two[2])
{
    unsigned count = 0;
    for (uint64_t e = r->graph->start[v]; e < r->graph->start[v + 1]; e++) {
        const uint32_t u = r->graph->head[e];
        if (u != v && r->degree[u] != UINT32_MAX && count < 2) two[count++] = u;
    }
    for (uint32_t i = r->first[v]; i; i = r->added[i - 1].next)
        if (r->degree[r->added[i - 1].head] != UINT32_MAX && count < 2) two[count++] = r->added[i - 1].head;
    return count;
}

static void add_arc(reduction *r, uint32_t tail, uint32_t head)
{
    r->added[r->count++] = (added){head, r->first[tail]};
    r->first[tail] = (uint32_t)r->count;
}

static void remove_vertex(reduction *r, uint32_t v)
{
    uint32_t two[2];
    const unsigned count = neighbours_left(r, v, two);
    const bool joins = count == 2 && !joined(r, two[0], two[1]);
    r->degree[v] = UINT32_MAX;
    if (joins) {
        add_arc(r, two[0], two[1]);
        add_arc(r, two[1], two[0]);
    }
    for (unsigned i = 0; i < count && !joins; i++)
        if (--r->degree[two[i]] == 2) r->stack[r->stacked++] = two[i];
}

/* Tree-width is at most 2 exactly if the graph vanishes when vertices of degree at most 2 are removed one by one, the two
 * neighbours of a removed vertex joined to each other. */
static leman_status has_width_two(leman_context *ctx, const leman_graph *graph, bool *is)
{
    const size_t n = graph->vertices;
    reduction r = {.graph = graph};
    size_t removed = 0;
    PASS_SCRATCH(ctx, r.degree, n);
    PASS_SCRATCH_ZERO(ctx, r.first, n);
    PASS_SCRATCH(ctx, r.stack, n);
    PASS_SCRATCH(ctx, r.added, 2 * n);
    for (size_t v = 0; v < n; v++) {
        uint32_t degree = 0;
        for (uint64_t e = graph->start[v]; e < graph->start[v + 1]; e++) degree += graph->head[e] != v;
        r.degree[v] = degree;
        if (degree <= 2) r.stack[r.stacked++] = (uint32_t)v;
    }
    for (; r.stacked; removed++) {
        if (removed % 4096 == 0) PASS(lm_progress_step(ctx, ctx->progress.done));
        remove_vertex(&r, r.stack[--r.stacked]);
    }
    *is = removed == n;
    return LEMAN_OK;
}

/* ---- Bounds ---------------------------------------------------------------------------------- */

/* Returns true if the graph is undirected and all edge labels that the colouring uses are equal. */
static bool is_plain(const leman_graph *graph, const leman_coloring *c)
{
    const size_t columns = c->ignore_edge_labels ? 0 : graph->edge_labels;
    if (graph->directed || !graph->vertices) return !graph->directed;
    const uint64_t first = graph->start[0], end = graph->start[graph->vertices];
    for (uint64_t e = first; e < end && columns; e++)
        if (memcmp(graph->edge_label + e * columns, graph->edge_label + first * columns, columns * sizeof(int64_t)))
            return false;
    return true;
}

leman_status lm_dimension_bound(leman_context *ctx, const leman_graph *graph, const leman_coloring *c, const char *name,
                                lm_dimension_bounds *bounds)
{
    SCRATCH_SCOPE(ctx);
    partition p;
    bool identified, narrow = false;
    const bool plain = is_plain(graph, c);
    PASS(make_partition(ctx, graph, c, name, &p));
    identified = p.classes == graph->vertices;
    if (!identified && plain) PASS(identified_by_refinement(ctx, graph, &p, &identified));
    if (!identified && plain) PASS(has_width_two(ctx, graph, &narrow));
    *bounds = (lm_dimension_bounds){identified || !plain ? 1 : 2, identified ? 1
                                                                  : narrow || graph->vertices <= 3
                                                                      ? 2
                                                                      : (unsigned)graph->vertices - 1};
    return LEMAN_OK;
}
