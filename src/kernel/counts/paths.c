/*
 * The shortest-path kernel: how often (label of u, label of v, distance) occurs in a graph, over the ordered pairs
 * u != v with a path from u to v. In directed graphs paths follow the arcs.
 *
 * Edges of length 1: breadth-first search from up to 64 vertices of one label at a time. Bit i of a vertex's word says
 * that source i has reached the vertex, so that one operation on an arc serves all sources. Sources are taken in
 * breadth-first order, so those of one batch are near each other and reach most vertices in the same step. The new bits
 * of a step are counted by the label of the vertex. Time O(n (n + arcs) / 64) if sources reach vertices together, as
 * the leaves of one hub do, and O(n (n + arcs)) in the worst case. Memory O(n + features).
 *
 * Lengths from an edge attribute: Dijkstra's algorithm from every vertex with a binary heap, O(n (n + arcs) log n).
 * Adding a length and rounding is monotone, so the distance found is the smallest rounded sum over all paths, each
 * summed from its beginning. It does not depend on the order of the vertices.
 */
#include "kernel/counts/tally.h"
#include "refine/adjacency.h"
#include "refine/variant.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { BATCH = 64 };

/* The label and the class of every vertex. */
typedef struct labelling {
    uint32_t *source;      /* [n] the vertices, class by class */
    uint32_t *class;       /* [n] */
    uint64_t *class_label; /* [classes] hash */
    uint64_t *class_end;   /* [classes] end of the class in source */
    size_t classes;
} labelling;

static uint64_t path_key(uint64_t from, uint64_t to, double distance)
{
    uint64_t bits;
    memcpy(&bits, &distance, sizeof bits);
    return lm_mix(from * lm_multiplier_of(LM_SHORTEST_PATH, 0) + to * lm_multiplier_of(LM_SHORTEST_PATH, 1) +
                  lm_mix(bits + lm_multiplier_of(LM_SHORTEST_PATH, 2)));
}

/* ---- Classes of labels ----------------------------------------------------------------------- */

/* Lists the vertices in breadth-first order, component by component. */
static leman_status breadth_first(leman_context *ctx, const leman_graph *g, uint32_t *order)
{
    bool *found;
    size_t count = 0;
    PASS_SCRATCH_ZERO(ctx, found, g->vertices);
    for (size_t root = 0, next = 0; root < g->vertices; root++) {
        if (!found[root]) order[count++] = (uint32_t)root;
        found[root] = true;
        for (; next < count; next++)
            for (uint64_t e = g->start[order[next]]; e < g->start[order[next] + 1]; e++) {
                uint32_t w = g->head[e];
                if (!found[w]) order[count++] = w;
                found[w] = true;
            }
    }
    return LEMAN_OK;
}

static leman_status labelling_new(leman_context *ctx, const leman_graph *g, const leman_coloring *c, labelling *out)
{
    size_t n = g->vertices;
    labelling l = {0};
    lm_pair *pair, *spare;
    PASS_SCRATCH(ctx, l.source, n);
    PASS_SCRATCH(ctx, l.class, n);
    PASS_SCRATCH(ctx, l.class_label, n);
    PASS_SCRATCH(ctx, l.class_end, n);
    PASS_SCRATCH(ctx, pair, n);
    PASS_SCRATCH(ctx, spare, n);
    PASS(breadth_first(ctx, g, l.source));
    for (size_t i = 0; i < n; i++) pair[i] = (lm_pair){lm_label_hash(g, l.source[i], c), l.source[i]};
    lm_sort_pairs(pair, spare, n, 1); /* stable: vertices of a class keep their order */
    for (size_t i = 0; i < n; i++) {
        if (!i || pair[i].key != pair[i - 1].key) l.class_label[l.classes++] = pair[i].key;
        l.source[i] = (uint32_t)pair[i].payload;
        l.class[l.source[i]] = (uint32_t)(l.classes - 1);
        l.class_end[l.classes - 1] = i + 1;
    }
    *out = l;
    return LEMAN_OK;
}

/* ---- Edges of length 1 ----------------------------------------------------------------------- */

typedef struct search {
    const leman_graph *g;
    labelling l;
    uint64_t *seen;    /* [n] the sources that have reached v */
    uint64_t *now;     /* [n] the sources that have reached v in this step; 0 outside the front */
    uint64_t *next;    /* [n] the sources that reach v in the next step; all 0 between steps */
    uint32_t *front;   /* [n] the vertices that some source reached in this step */
    uint32_t *reached; /* [n] the vertices that some source reaches in the next step */
    size_t front_size;
    uint64_t *pairs; /* [classes] pairs of this step; all 0 between steps */
    uint32_t *met;   /* [classes] the classes with pairs */
    lm_tally *tally;
} search;

static leman_status search_new(leman_context *ctx, const leman_graph *g, const leman_coloring *c, lm_tally *tally,
                               search *s)
{
    size_t n = g->vertices;
    *s = (search){.g = g, .tally = tally};
    PASS(labelling_new(ctx, g, c, &s->l));
    PASS_SCRATCH(ctx, s->seen, n);
    PASS_SCRATCH_ZERO(ctx, s->now, n);
    PASS_SCRATCH_ZERO(ctx, s->next, n);
    PASS_SCRATCH(ctx, s->front, n);
    PASS_SCRATCH(ctx, s->reached, n);
    PASS_SCRATCH_ZERO(ctx, s->pairs, s->l.classes);
    PASS_SCRATCH(ctx, s->met, s->l.classes);
    return LEMAN_OK;
}

/* One step from all sources: the vertices that some source reaches for the first time become the front. */
static void step(search *s)
{
    const leman_graph *g = s->g;
    size_t reached = 0;
    for (size_t i = 0; i < s->front_size; i++) {
        uint32_t v = s->front[i];
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            uint32_t w = g->head[e];
            uint64_t fresh = s->now[v] & ~s->seen[w];
            if (!fresh) continue;
            if (!s->next[w]) s->reached[reached++] = w;
            s->next[w] |= fresh;
        }
    }
    for (size_t i = 0; i < s->front_size; i++) s->now[s->front[i]] = 0;
    for (size_t i = 0; i < reached; i++) s->seen[s->reached[i]] |= s->next[s->reached[i]];
    uint64_t *bits = s->now;
    uint32_t *list = s->front;
    s->now = s->next;
    s->next = bits;
    s->front = s->reached;
    s->reached = list;
    s->front_size = reached;
}

/* Adds the pairs that this step has reached to the tally, by the label of their second vertex. */
static leman_status count_pairs(leman_context *ctx, search *s, uint64_t from, size_t distance)
{
    size_t met = 0;
    for (size_t i = 0; i < s->front_size; i++) {
        uint32_t class = s->l.class[s->front[i]];
        if (!s->pairs[class]) s->met[met++] = class;
        s->pairs[class] += (uint64_t)__builtin_popcountll(s->now[s->front[i]]);
    }
    for (size_t i = 0; i < met; i++) {
        uint32_t class = s->met[i];
        PASS(lm_tally_add(ctx, s->tally, path_key(from, s->l.class_label[class], (double)distance), s->pairs[class]));
        s->pairs[class] = 0;
    }
    return LEMAN_OK;
}

static leman_status search_from(lm_worker *worker, search *s, const uint32_t *source, size_t sources, uint64_t label)
{
    memset(s->seen, 0, s->g->vertices * sizeof *s->seen);
    for (size_t i = 0; i < sources; i++) {
        s->front[i] = source[i];
        s->seen[source[i]] = s->now[source[i]] = UINT64_C(1) << i;
    }
    s->front_size = sources;
    for (size_t distance = 1; s->front_size; distance++) {
        if (lm_cancellation_poll(&worker->cancellation)) return LEMAN_ERROR_CANCELLED;
        step(s);
        PASS(count_pairs(worker->ctx, s, label, distance));
    }
    return LEMAN_OK;
}

static leman_status count_steps(lm_worker *worker, const leman_graph *g, const lm_counting *counting, lm_tally *tally)
{
    search s;
    size_t first = 0, size;
    PASS(search_new(worker->ctx, g, &counting->kernel->coloring, tally, &s));
    for (size_t i = 0; i < s.l.classes; i++)
        for (; first < s.l.class_end[i]; first += size) {
            size = s.l.class_end[i] - first < BATCH ? s.l.class_end[i] - first : BATCH;
            PASS(search_from(worker, &s, s.l.source + first, size, s.l.class_label[i]));
            PASS(lm_worker_advance(worker, size * (g->vertices + g->arcs)));
        }
    return LEMAN_OK;
}

/* ---- Lengths from an attribute --------------------------------------------------------------- */

/* A vertex and the length of a path to it; there may be a shorter path. */
typedef struct candidate {
    double distance;
    uint32_t vertex;
} candidate;

typedef struct dijkstra {
    const leman_graph *g;
    double *distance; /* [n] the smallest so far; infinite: no path */
    candidate *heap;  /* [arcs + 1] the nearest first; candidates that are longer than `distance` are skipped */
    size_t size;
} dijkstra;

static void push(dijkstra *d, candidate a)
{
    size_t at = d->size++;
    for (; at && d->heap[(at - 1) / 2].distance > a.distance; at = (at - 1) / 2) d->heap[at] = d->heap[(at - 1) / 2];
    d->heap[at] = a;
}

static candidate pop(dijkstra *d)
{
    candidate nearest = d->heap[0], last = d->heap[--d->size];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < d->size; at = child) {
        if (child + 1 < d->size && d->heap[child + 1].distance < d->heap[child].distance) child++;
        if (d->heap[child].distance >= last.distance) break;
        d->heap[at] = d->heap[child];
    }
    d->heap[at] = last;
    return nearest;
}

static double length_of(const leman_graph *g, uint64_t e)
{
    return g->edge_attribute[e * g->edge_attributes];
}

static void find_distances(dijkstra *d, uint32_t source)
{
    const leman_graph *g = d->g;
    for (size_t v = 0; v < g->vertices; v++) d->distance[v] = INFINITY;
    d->distance[source] = 0;
    push(d, (candidate){0, source});
    while (d->size) {
        candidate a = pop(d);
        if (a.distance > d->distance[a.vertex]) continue;
        for (uint64_t e = g->start[a.vertex]; e < g->start[a.vertex + 1]; e++) {
            double distance = a.distance + length_of(g, e);
            if (distance >= d->distance[g->head[e]]) continue;
            d->distance[g->head[e]] = distance;
            push(d, (candidate){distance, g->head[e]});
        }
    }
}

static leman_status count_lengths(lm_worker *worker, const leman_graph *g, const lm_counting *counting, lm_tally *tally)
{
    size_t n = g->vertices;
    uint64_t *label;
    dijkstra d = {.g = g};
    PASS_SCRATCH(worker->ctx, label, n);
    PASS_SCRATCH(worker->ctx, d.distance, n);
    PASS_SCRATCH(worker->ctx, d.heap, g->arcs + 1);
    for (size_t v = 0; v < n; v++) label[v] = lm_label_hash(g, v, &counting->kernel->coloring);
    for (size_t u = 0; u < n; u++) {
        find_distances(&d, (uint32_t)u);
        for (size_t v = 0; v < n; v++)
            if (v != u && d.distance[v] < INFINITY)
                PASS(lm_tally_add(worker->ctx, tally, path_key(label[u], label[v], d.distance[v]), 1));
        PASS(lm_worker_advance(worker, n + g->arcs));
    }
    return LEMAN_OK;
}

/* Checks, in the order of the graphs and before any work, that no sum of lengths can be wrong. */
static leman_status check_lengths(leman_context *ctx, const leman_dataset *data)
{
    if (!data->columns.edge_attributes)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s has no edge attributes, expected lengths in the first of them",
                       data->name);
    for (size_t i = 0; i < data->graphs; i++) {
        leman_graph g = leman_dataset_graph(data, i);
        for (uint64_t e = g.start[0]; e < g.start[g.vertices]; e++) {
            double length = length_of(&g, e);
            if (!(length >= 0) || length > DBL_MAX / (double)g.vertices)
                return lm_fail(ctx, LEMAN_ERROR_INPUT,
                               "graph %zu of %s: found an edge of length %g, expected a number from 0 up, and paths "
                               "of finite length",
                               data->first_graph + i, data->name, length);
        }
    }
    return LEMAN_OK;
}

/* ---- The kernel ------------------------------------------------------------------------------ */

static uint64_t cost(const leman_graph *g, const lm_counting *counting)
{
    (void)counting;
    return lm_saturating_multiply(g->vertices, g->vertices + g->arcs);
}

leman_status lm_triples_of_paths(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                 size_t first_graph, size_t block, lm_triples *triples)
{
    lm_counting counting = {"shortest paths", kernel->weighted ? count_lengths : count_steps, cost, kernel, NULL};
    leman_status st = kernel->weighted ? check_lengths(ctx, data) : LEMAN_OK;
    return st ? st : lm_triples_count(ctx, data, &counting, first_graph, block, triples);
}
