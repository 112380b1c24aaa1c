/*
 * Batches of graphs: consecutive graphs of the task, as many as the device memory holds. One function, lay_out_batch(),
 * computes both the size of a batch before anything is allocated and the addresses of its arrays afterwards.
 */
#include "base/text.h"
#include "graph/dataset.h"
#include "refine/cuda/cuda_refine.h"
#include "refine/histogram.h"
#include <stdio.h>

enum { ALIGN = 256 };
static const uint64_t MOST = UINT32_MAX - 1; /* orbits, arcs and vertices of a batch: they are numbered by 32 bits */

leman_graph lm_gpu_graph_of(const lm_device_task *task, size_t g)
{
    return task->data ? leman_dataset_graph(task->data, lm_gpu_number_of(task, g)) : *task->graph;
}

static uint64_t rounded(uint64_t count, uint64_t by)
{
    return (count + by - 1) / by;
}

static lm_gpu_sizes sizes_of(const lm_device_task *task, size_t graph)
{
    const leman_graph g = lm_gpu_graph_of(task, graph);
    const unsigned k = task->coloring->k;
    const uint64_t lines = g.vertices ? lm_power(g.vertices, k - 1) : 0, tuples = lm_power(g.vertices, k);
    return (lm_gpu_sizes){.graphs = 1,
                          .vertices = g.vertices,
                          .arcs = g.arcs,
                          .tuples = tuples,
                          .orbits = lm_orbit_count(g.vertices, k),
                          .lines = lines,
                          .tiles = rounded(tuples, LM_GPU_TILE),
                          .line_tiles = rounded(lines, LM_GPU_THREADS)};
}

static lm_gpu_sizes sizes_sum(const lm_gpu_sizes *a, const lm_gpu_sizes *b)
{
    return (lm_gpu_sizes){a->graphs + b->graphs,
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

static void take_arcs(placement *c, const lm_gpu_sizes *l, lm_gpu_arcs *arcs)
{
    arcs->start = take(c, l->vertices + 1, sizeof *arcs->start);
    arcs->head = take(c, l->arcs, sizeof *arcs->head);
    arcs->label = take(c, l->arcs, sizeof *arcs->label);
}

static bool directed_of(const lm_device_task *task)
{
    return task->graphs && lm_gpu_graph_of(task, 0).directed;
}

/* The graphs themselves, which the host copies to the device as one block. */
static void take_graphs(placement *c, const lm_device_task *task, const lm_gpu_sizes *l, lm_gpu_batch *b)
{
    b->graph = take(c, l->graphs, sizeof *b->graph);
    b->label = take(c, l->vertices, sizeof *b->label);
    take_arcs(c, l, &b->out);
    b->in = b->out;
    if (directed_of(task)) take_arcs(c, l, &b->in);
}

uint64_t lm_gpu_classes_place(uint64_t count, bool expanded, void *base, lm_gpu_classes *classes)
{
    placement c = {base, 0};
    classes->color = take(&c, count, sizeof *classes->color);
    classes->orbits = take(&c, count, sizeof *classes->orbits);
    classes->orbit = take(&c, 2 * count, sizeof *classes->orbit);
    classes->graph = take(&c, count, sizeof *classes->graph);
    classes->every = expanded ? take(&c, LM_GPU_ORBIT * count, sizeof *classes->every) : NULL;
    return c.at;
}

/* Sets the arrays of a batch to memory at base, beginning with the graphs. Returns the bytes of all arrays. */
static uint64_t lay_out_batch(const lm_device_task *task, const lm_gpu_sizes *l, void *base, lm_gpu_batch *b)
{
    const unsigned sums = lm_round_sums(task->coloring, true);
    const uint64_t piece = l->orbits < LM_GPU_PIECE ? l->orbits : LM_GPU_PIECE;
    placement c = {base, 0};
    lm_gpu_classes classes;
    take_graphs(&c, task, l, b);
    b->colors = take(&c, l->tuples, sizeof *b->colors);
    b->next = take(&c, l->tuples, sizeof *b->next);
    b->counts = sums & LM_SUM_DECORATED ? take(&c, l->tuples, sizeof *b->counts) : NULL;
    b->line =
        sums & LM_SUM_LINE ? take(&c, lm_saturating_multiply(l->lines, task->coloring->k), sizeof *b->line) : NULL;
    for (int i = 0; i < 2; i++) {
        b->key[i] = take(&c, l->orbits, sizeof *b->key[i]);
        b->number[i] = take(&c, l->orbits, sizeof *b->number[i]);
    }
    b->totals = take(&c, 2, sizeof *b->totals);
    b->temporary_bytes = l->orbits <= MOST ? lm_gpu_sort_bytes(l->orbits) : 0;
    b->temporary = take(&c, b->temporary_bytes, 1);
    b->classes = take(&c, lm_gpu_classes_place(piece, task->expanded, NULL, &classes), 1);
    return c.at;
}

/* ---- The plan -------------------------------------------------------------------------------- */

static bool fits(const lm_gpu_sizes *l, uint64_t bytes, uint64_t budget)
{
    return bytes <= budget && l->orbits <= MOST && l->arcs <= MOST && l->vertices <= INT32_MAX && l->tiles <= INT32_MAX;
}

static leman_status refuse_graph(const lm_device *device, const lm_gpu_plan *p, size_t g, uint64_t bytes,
                                 uint64_t budget)
{
    const leman_graph graph = lm_gpu_graph_of(p->task, g);
    char needed[LM_NUMBER_TEXT], left[LM_NUMBER_TEXT], name[40] = "the graph";
    if (p->task->data)
        snprintf(name, sizeof name, "graph %zu", p->task->data->first_graph + lm_gpu_number_of(p->task, g));
    return lm_fail(device->ctx, LEMAN_ERROR_BUDGET,
                   "%s has %zu %s: k = %u needs %s, and CUDA device %d (%s) has %s of memory left", name,
                   graph.vertices, lm_plural_of(graph.vertices, "vertex", "vertices"), p->task->coloring->k,
                   lm_bytes_text(bytes, needed), device->number, device->name, lm_bytes_text(budget, left));
}

leman_status lm_gpu_plan_new(lm_device *device, const lm_device_task *task, lm_gpu_plan *plan)
{
    const uint64_t budget = lm_device_left(device);
    lm_gpu_plan p = {.task = task};
    lm_gpu_sizes sum = {0};
    lm_gpu_batch batch;
    PASS_SCRATCH(device->ctx, p.first, task->graphs + 1);
    p.first[0] = 0;
    p.bytes = (size_t)lay_out_batch(task, &sum, NULL, &batch);
    for (size_t g = 0; g < task->graphs; g++) {
        const lm_gpu_sizes own = sizes_of(task, g);
        lm_gpu_sizes with = sizes_sum(&sum, &own);
        uint64_t bytes = lay_out_batch(task, &with, NULL, &batch);
        if (!fits(&with, bytes, budget)) { /* the next batch begins with it */
            with = own;
            bytes = lay_out_batch(task, &with, NULL, &batch);
            if (!fits(&with, bytes, budget)) PASS(refuse_graph(device, &p, g, bytes, budget));
            p.first[++p.batches] = g;
        }
        sum = with;
        if (bytes > p.bytes) p.bytes = (size_t)bytes;
    }
    p.first[++p.batches] = task->graphs;
    *plan = p;
    return LEMAN_OK;
}

/* ---- Loading --------------------------------------------------------------------------------- */

/* Adds the arcs of a graph after those of the first `vertex` vertices. */
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

/* Adds graph g to the batch `b` on the host, whose sizes are those of the graphs added before. */
static leman_status add_graph(leman_context *ctx, const lm_device_task *task, size_t g, lm_gpu_batch *b)
{
    SCRATCH_SCOPE(ctx);
    const leman_graph graph = lm_gpu_graph_of(task, g);
    const lm_gpu_sizes own = sizes_of(task, g);
    const uint64_t vertex = b->all.vertices;
    lm_space s;
    PASS(lm_space_new(ctx, &graph, task->coloring, false, NULL, &s));
    b->entering |= s.entering;
    b->messages |= s.messages;
    b->graph[b->all.graphs] = (lm_gpu_graph){b->all, (uint32_t)s.n};
    for (size_t v = 0; v < s.n; v++) b->label[vertex + v] = s.label[v];
    add_batch_arcs(&s.out, s.n, vertex, &b->out);
    if (b->directed) add_batch_arcs(&s.in, s.n, vertex, &b->in);
    b->all = sizes_sum(&b->all, &own);
    return LEMAN_OK;
}

leman_status lm_gpu_batch_load(lm_device *device, const lm_gpu_plan *p, size_t i, void *memory, lm_gpu_batch *batch)
{
    leman_context *ctx = device->ctx;
    SCRATCH_SCOPE(ctx);
    const lm_device_task *task = p->task;
    lm_gpu_batch b = {.k = task->coloring->k, .seed = task->coloring->seed, .directed = directed_of(task)};
    lm_gpu_sizes all = {0};
    placement c = {0};
    uint64_t *host;
    for (size_t g = p->first[i]; g < p->first[i + 1]; g++) {
        const lm_gpu_sizes own = sizes_of(task, g);
        all = sizes_sum(&all, &own);
    }
    take_graphs(&c, task, &all, &b);
    PASS_SCRATCH(ctx, host, c.at / sizeof *host);
    c = (placement){(char *)host, 0};
    take_graphs(&c, task, &all, &b);
    b.out.start[0] = b.in.start[0] = 0;
    for (size_t g = p->first[i]; g < p->first[i + 1]; g++) PASS(add_graph(ctx, task, g, &b));
    (void)lay_out_batch(task, &all, memory, &b);
    lm_device_write(device, memory, host, c.at);
    lm_device_wait(device); /* before the arrays of the host go */
    PASS(device->status);
    *batch = b;
    return LEMAN_OK;
}
