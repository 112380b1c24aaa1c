/*
 * Batches of graphs: consecutive graphs of the data, as many as the device memory holds. One function, lay_out(),
 * computes both the size of a batch before anything is allocated and the addresses of its arrays afterwards.
 */
#include "base/text.h"
#include "graph/dataset.h"
#include "refine/cuda/colors.h"
#include "refine/histogram.h"
#include <stdio.h>

enum { PIECE = 1 << 17, ALIGN = 256 };
static const uint64_t MOST = UINT32_MAX - 1; /* orbits, arcs and vertices of a batch: they are numbered by 32 bits */

/* The sizes that graphs add to a batch. */
typedef struct load {
    uint64_t graphs, vertices, arcs, tuples, orbits, lines, tiles, line_tiles;
} load;

leman_graph lm_gpu_graph_of(const lm_gpu_source *source, size_t graph)
{
    return source->data ? leman_dataset_graph(source->data, lm_gpu_number_of(source, graph)) : *source->one;
}

static uint64_t rounded(uint64_t count, uint64_t by)
{
    return (count + by - 1) / by;
}

static load load_of(const leman_graph *g, unsigned k)
{
    const uint64_t lines = lm_power(g->vertices, k - 1), tuples = lm_power(g->vertices, k);
    const bool empty = !g->vertices;
    return (load){.graphs = 1,
                  .vertices = g->vertices,
                  .arcs = g->arcs,
                  .tuples = tuples,
                  .orbits = lm_orbit_count(g->vertices, k),
                  .lines = empty ? 0 : lines,
                  .tiles = rounded(tuples, LM_GPU_TILE),
                  .line_tiles = empty ? 0 : rounded(lines, LM_GPU_THREADS)};
}

static load load_sum(const load *a, const load *b)
{
    return (load){a->graphs + b->graphs,
                  a->vertices + b->vertices,
                  a->arcs + b->arcs,
                  lm_saturating_add(a->tuples, b->tuples),
                  lm_saturating_add(a->orbits, b->orbits),
                  lm_saturating_add(a->lines, b->lines),
                  lm_saturating_add(a->tiles, b->tiles),
                  lm_saturating_add(a->line_tiles, b->line_tiles)};
}

/* ---- Layout ---------------------------------------------------------------------------------- */

typedef struct placement {
    char *base; /* NULL: only the length is wanted */
    uint64_t at;
} placement;

static void *take(placement *c, uint64_t count, size_t size)
{
    void *here = c->base ? c->base + c->at : NULL;
    uint64_t bytes = lm_saturating_multiply(count, size);
    c->at = lm_saturating_add(c->at, lm_saturating_add(bytes, ALIGN - 1) / ALIGN * ALIGN);
    return here;
}

static void take_arcs(placement *c, const load *l, lm_gpu_arcs *arcs)
{
    arcs->start = take(c, l->vertices + 1, sizeof *arcs->start);
    arcs->head = take(c, l->arcs, sizeof *arcs->head);
    arcs->label = take(c, l->arcs, sizeof *arcs->label);
}

static bool directed_of(const lm_gpu_source *source)
{
    return source->graphs && lm_gpu_graph_of(source, 0).directed;
}

uint64_t lm_gpu_classes_place(uint64_t count, bool expanded, char *base, lm_gpu_classes *classes)
{
    placement c = {base, 0};
    classes->color = take(&c, count, sizeof *classes->color);
    classes->orbits = take(&c, count, sizeof *classes->orbits);
    classes->orbit = take(&c, 2 * count, sizeof *classes->orbit);
    classes->graph = take(&c, count, sizeof *classes->graph);
    classes->every = expanded ? take(&c, LM_GPU_ORBIT * count, sizeof *classes->every) : NULL;
    return c.at;
}

static uint64_t lay_out_batch(const lm_gpu_plan *p, const load *l, char *base, lm_gpu_batch *b, lm_gpu_classes *classes)
{
    const lm_variant last = lm_variant_round(&p->coloring, true);
    const uint64_t piece = l->orbits < PIECE ? l->orbits : PIECE;
    placement c = {base, 0};
    b->graph = take(&c, l->graphs, sizeof *b->graph);
    b->label = take(&c, l->vertices, sizeof *b->label);
    take_arcs(&c, l, &b->out);
    b->in = b->out;
    if (directed_of(&p->source)) take_arcs(&c, l, &b->in);
    b->colors = take(&c, l->tuples, sizeof *b->colors);
    b->next = take(&c, l->tuples, sizeof *b->next);
    b->counts = last.decorated ? take(&c, l->tuples, sizeof *b->counts) : NULL;
    b->line = last.line ? take(&c, lm_saturating_multiply(l->lines, p->coloring.k), sizeof *b->line) : NULL;
    for (int i = 0; i < 2; i++) {
        b->key[i] = take(&c, l->orbits, sizeof *b->key[i]);
        b->number[i] = take(&c, l->orbits, sizeof *b->number[i]);
    }
    b->totals = take(&c, 2, sizeof *b->totals);
    b->temporary_bytes = l->orbits <= MOST ? lm_gpu_sort_bytes(l->orbits) : 0;
    b->temporary = take(&c, b->temporary_bytes, 1);
    return c.at + lm_gpu_classes_place(piece, p->expanded, base ? base + c.at : NULL, classes);
}

static uint64_t batch_bytes(const lm_gpu_plan *p, const load *l)
{
    lm_gpu_batch b;
    lm_gpu_classes classes;
    return lay_out_batch(p, l, NULL, &b, &classes);
}

/* ---- The plan -------------------------------------------------------------------------------- */

static bool fits(const load *l, uint64_t bytes, uint64_t budget)
{
    return bytes <= budget && l->orbits <= MOST && l->arcs <= MOST && l->vertices <= INT32_MAX && l->tiles <= INT32_MAX;
}

static leman_status refuse_graph(const lm_device *device, const lm_gpu_plan *p, size_t g, uint64_t bytes,
                                 uint64_t budget)
{
    const leman_graph graph = lm_gpu_graph_of(&p->source, g);
    char needed[LM_NUMBER_TEXT], left[LM_NUMBER_TEXT], name[40] = "the graph";
    if (p->source.data)
        snprintf(name, sizeof name, "graph %zu", p->source.data->first_graph + lm_gpu_number_of(&p->source, g));
    return lm_fail(device->ctx, LEMAN_ERROR_BUDGET,
                   "%s has %zu %s: k = %u needs %s, and CUDA device %d (%s) has %s of memory left", name,
                   graph.vertices, lm_plural_of(graph.vertices, "vertex", "vertices"), p->coloring.k,
                   lm_bytes_text(bytes, needed), device->number, device->name, lm_bytes_text(budget, left));
}

leman_status lm_gpu_plan_new(lm_device *device, const lm_gpu_source *source, const leman_coloring *coloring,
                             bool expanded, lm_gpu_plan *plan)
{
    leman_status st = LEMAN_OK;
    const uint64_t budget = lm_device_left(device);
    lm_gpu_plan p = {.source = *source, .coloring = *coloring, .expanded = expanded, .piece = PIECE};
    load sum = {0};
    SCRATCH(device->ctx, p.first, source->graphs + 1);
    p.first[0] = 0;
    p.bytes = (size_t)batch_bytes(&p, &sum);
    for (size_t g = 0; g < source->graphs; g++) {
        const leman_graph graph = lm_gpu_graph_of(source, g);
        const load own = load_of(&graph, coloring->k);
        load with = load_sum(&sum, &own);
        uint64_t bytes = batch_bytes(&p, &with);
        if (!fits(&with, bytes, budget)) { /* the next batch begins with it */
            with = own;
            bytes = batch_bytes(&p, &with);
            if (!fits(&with, bytes, budget)) TRY(refuse_graph(device, &p, g, bytes, budget));
            p.first[++p.batches] = g;
        }
        sum = with;
        if (bytes > p.bytes) p.bytes = (size_t)bytes;
    }
    p.first[++p.batches] = source->graphs;
    *plan = p;
done:
    return st;
}

/* ---- Loading --------------------------------------------------------------------------------- */

/* The arrays of a batch on the host. */
typedef struct host {
    lm_gpu_graph *graph;
    uint64_t *label;
    lm_gpu_arcs out, in;
} host;

static leman_status new_arcs(leman_context *ctx, const load *l, lm_gpu_arcs *arcs)
{
    leman_status st = LEMAN_OK;
    SCRATCH(ctx, arcs->start, l->vertices + 1);
    SCRATCH(ctx, arcs->head, l->arcs);
    SCRATCH(ctx, arcs->label, l->arcs);
    arcs->start[0] = 0;
done:
    return st;
}

/* Behind the vertices that are there. */
static void add_batch_arcs(const lm_adjacency *from, size_t n, size_t vertex, lm_gpu_arcs *to)
{
    const uint32_t at = to->start[vertex];
    const uint64_t first = from->start[0];
    for (size_t v = 0; v < n; v++) to->start[vertex + v + 1] = at + (uint32_t)(from->start[v + 1] - first);
    for (uint64_t e = first; e < from->start[n]; e++) {
        to->head[at + e - first] = from->head[e];
        to->label[at + e - first] = from->label ? from->label[e] : 0; /* k = 1 without labels does not look at them */
    }
}

static leman_status add_graph(leman_context *ctx, const lm_gpu_plan *p, size_t g, load *at, host *h, lm_gpu_batch *b)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    const leman_graph graph = lm_gpu_graph_of(&p->source, g);
    const load own = load_of(&graph, p->coloring.k);
    lm_space s;
    TRY(lm_space_new(ctx, &graph, &p->coloring, false, NULL, &s));
    b->entering |= s.entering;
    b->messages |= s.messages;
    h->graph[at->graphs] = (lm_gpu_graph){.tuple = at->tuples,
                                          .orbit = at->orbits,
                                          .line = at->lines,
                                          .tile = at->tiles,
                                          .line_tile = at->line_tiles,
                                          .vertex = (uint32_t)at->vertices,
                                          .n = (uint32_t)s.n};
    for (size_t v = 0; v < s.n; v++) h->label[at->vertices + v] = s.label[v];
    add_batch_arcs(&s.out, s.n, at->vertices, &h->out);
    if (b->directed) add_batch_arcs(&s.in, s.n, at->vertices, &h->in);
    *at = load_sum(at, &own);
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

static void write_arcs(lm_device *device, const load *l, const lm_gpu_arcs *from, const lm_gpu_arcs *to)
{
    lm_device_write(device, to->start, from->start, (l->vertices + 1) * sizeof *to->start);
    lm_device_write(device, to->head, from->head, l->arcs * sizeof *to->head);
    lm_device_write(device, to->label, from->label, l->arcs * sizeof *to->label);
}

leman_status lm_gpu_batch_load(lm_device *device, const lm_gpu_plan *p, size_t i, void *memory, lm_gpu_batch *batch,
                               lm_gpu_classes *classes)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = device->ctx;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    lm_gpu_batch b = {.k = p->coloring.k, .seed = p->coloring.seed, .directed = directed_of(&p->source)};
    load all = {0}, at = {0};
    host h;
    for (size_t g = p->first[i]; g < p->first[i + 1]; g++) {
        const leman_graph graph = lm_gpu_graph_of(&p->source, g);
        const load own = load_of(&graph, b.k);
        all = load_sum(&all, &own);
    }
    SCRATCH(ctx, h.graph, all.graphs);
    SCRATCH(ctx, h.label, all.vertices);
    TRY(new_arcs(ctx, &all, &h.out));
    if (b.directed) TRY(new_arcs(ctx, &all, &h.in));
    for (size_t g = p->first[i]; g < p->first[i + 1]; g++) TRY(add_graph(ctx, p, g, &at, &h, &b));
    b.graphs = (uint32_t)all.graphs;
    b.vertices = all.vertices, b.tuples = all.tuples, b.orbits = all.orbits, b.lines = all.lines;
    b.tiles = all.tiles, b.line_tiles = all.line_tiles;
    lay_out_batch(p, &all, memory, &b, classes);
    lm_device_write(device, b.graph, h.graph, all.graphs * sizeof *b.graph);
    lm_device_write(device, b.label, h.label, all.vertices * sizeof *b.label);
    write_arcs(device, &all, &h.out, &b.out);
    if (b.directed) write_arcs(device, &all, &h.in, &b.in);
    lm_device_wait(device); /* before the arrays of the host go */
    TRY(device->status);
    *batch = b;
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
