/*
 * Rounds of all batches. The host only queues work, which the device does in order, until it reads a result: the number
 * of classes of a round, and the classes themselves, in pieces, so that the host never holds many.
 */
#include "refine/cuda/cuda_refine.h"
#include "graph/dataset.h"

_Static_assert(sizeof(lm_orbit) == 2 * sizeof(uint32_t), "colours and times, as the device writes them");
_Static_assert((int)LM_EVERY == LM_GPU_ORBIT, "all colours of a class");

/* One run over all batches: either rounds are counted, or their classes are visited. */
typedef struct run {
    lm_gpu *gpu;
    lm_gpu_batch batch;
    lm_gpu_classes classes;   /* on the device */
    size_t first;             /* first graph of the batch */
    leman_round_count *count; /* NULL: the classes are visited */
    lm_round_visitor *visit;
    void *state;
} run;

/* ---- Opening --------------------------------------------------------------------------------- */

leman_status lm_gpu_open(leman_context *ctx, int number, const lm_gpu_source *source, const leman_coloring *coloring,
                         bool expanded, lm_gpu *gpu)
{
    leman_status st = LEMAN_OK;
    *gpu = (lm_gpu){.memory = NULL};
    TRY(lm_device_open(ctx, number, ctx->settings.device_memory, &gpu->device));
    TRY(lm_gpu_plan_new(&gpu->device, source, coloring, expanded, &gpu->plan));
done:
    if (st) lm_gpu_close(gpu);
    return st;
}

void lm_gpu_close(lm_gpu *gpu)
{
    lm_device_unpin(&gpu->device, gpu->pinned);
    lm_device_release(&gpu->device, gpu->memory);
    gpu->memory = gpu->pinned = NULL;
    lm_device_close(&gpu->device);
}

uint64_t lm_gpu_host_bytes(const lm_gpu *gpu)
{
    enum { WORDS = 6 }; /* for each vertex and arc */
    const lm_gpu_source *source = &gpu->plan.source;
    lm_gpu_classes classes;
    uint64_t items = 0;
    for (size_t g = 0; g < source->graphs; g++) {
        const leman_graph graph = lm_gpu_graph_of(source, g);
        items += graph.vertices + graph.arcs + 1;
    }
    return lm_gpu_classes_place(gpu->plan.piece, gpu->plan.expanded, NULL, &classes) +
           WORDS * sizeof(uint64_t) * items + LM_REFINE_SCRATCH;
}

static leman_status pin_classes(lm_gpu *gpu)
{
    const lm_gpu_plan *p = &gpu->plan;
    const uint64_t bytes = lm_gpu_classes_place(p->piece, p->expanded, NULL, &gpu->classes);
    PASS(lm_device_pin(&gpu->device, (size_t)bytes, &gpu->pinned));
    (void)lm_gpu_classes_place(p->piece, p->expanded, gpu->pinned, &gpu->classes);
    return LEMAN_OK;
}

/* ---- Classes --------------------------------------------------------------------------------- */

static void read_classes(run *r, uint64_t count)
{
    const lm_gpu_classes *from = &r->classes, *to = &r->gpu->classes;
    lm_device *device = &r->gpu->device;
    lm_device_read(device, to->color, from->color, count * sizeof *to->color);
    lm_device_read(device, to->orbits, from->orbits, count * sizeof *to->orbits);
    lm_device_read(device, to->orbit, from->orbit, 2 * count * sizeof *to->orbit);
    lm_device_read(device, to->graph, from->graph, count * sizeof *to->graph);
    if (from->every) lm_device_read(device, to->every, from->every, LM_GPU_ORBIT * count * sizeof *to->every);
}

static leman_status visit_piece(run *r, uint32_t round, bool branch, uint64_t count)
{
    const lm_gpu_classes *c = &r->gpu->classes;
    lm_round_classes classes = {.round = round,
                                .branch = branch,
                                .k = r->batch.k,
                                .graphs = c->graph,
                                .count = count,
                                .color = c->color,
                                .orbits = c->orbits,
                                .orbit = (const lm_orbit *)(const void *)c->orbit,
                                .every = c->every};
    for (uint64_t i = 0; i < count; i++) {
        c->graph[i] = (uint32_t)lm_gpu_number_of(&r->gpu->plan.source, r->first + c->graph[i]);
        classes.pairs += classes.orbit[i].colors;
    }
    return r->visit(r->gpu->device.ctx, r->state, 0, &classes);
}

static leman_status finish_round(run *r, const uint64_t *colors, uint32_t round, bool branch)
{
    lm_device *device = &r->gpu->device;
    const uint64_t piece = r->gpu->plan.piece;
    int which;
    const uint64_t all = lm_gpu_count(device, &r->batch, colors, &which);
    PASS(device->status);
    if (r->count) {
        r->count[round] = lm_gpu_census(device, &r->batch, colors, which, all);
        return device->status;
    }
    for (uint64_t first = 0; first < all; first += piece) {
        const uint64_t count = all - first < piece ? all - first : piece;
        lm_gpu_describe(device, &r->batch, colors, which, first, count, all, &r->classes);
        read_classes(r, count);
        PASS(device->status);
        PASS(visit_piece(r, round, branch, count));
        PASS(lm_progress_step(device->ctx, device->ctx->progress.done));
    }
    return LEMAN_OK;
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

static void step(run *r, bool last)
{
    const lm_variant rule = lm_variant_round(&r->gpu->plan.coloring, last);
    uint64_t *swap = r->batch.colors;
    lm_gpu_round(&r->gpu->device, &r->batch, &rule);
    r->batch.colors = r->batch.next;
    r->batch.next = swap;
}

static leman_status run_batch(run *r, bool branches, uint64_t *done_before)
{
    lm_device *device = &r->gpu->device;
    const leman_coloring *c = &r->gpu->plan.coloring;
    const lm_variant last_rule = lm_variant_round(c, true);
    branches &= c->rounds > 0;
    lm_gpu_types(device, &r->batch);
    for (uint32_t round = 0, last = branches ? c->rounds - 1 : c->rounds;; round++) {
        PASS(finish_round(r, r->batch.colors, round, false));
        if (branches) { /* into the array of the next round, which is free until then */
            lm_gpu_round(device, &r->batch, &last_rule);
            PASS(finish_round(r, r->batch.next, round + 1, true));
        }
        PASS(lm_progress_step(device->ctx, *done_before += r->batch.tuples));
        if (round == last) break;
        step(r, round + 1 == c->rounds);
    }
    return LEMAN_OK;
}

static leman_status run_all(run *r, bool branches)
{
    lm_gpu *gpu = r->gpu;
    const lm_gpu_source *source = &gpu->plan.source;
    uint64_t done_before = 0, work = 0;
    for (size_t g = 0; g < source->graphs; g++)
        work += lm_power(lm_gpu_graph_of(source, g).vertices, gpu->plan.coloring.k);
    lm_progress_begin(gpu->device.ctx, lm_saturating_multiply(work, gpu->plan.coloring.rounds + UINT64_C(1)),
                      "colouring %s", source->data->name);
    PASS(lm_device_allocate(&gpu->device, gpu->plan.bytes, &gpu->memory));
    if (!r->count) PASS(pin_classes(gpu));
    for (size_t i = 0; i < gpu->plan.batches; i++) {
        PASS(lm_gpu_batch_load(&gpu->device, &gpu->plan, i, gpu->memory, &r->batch, &r->classes));
        r->first = gpu->plan.first[i];
        PASS(run_batch(r, branches, &done_before));
    }
    return LEMAN_OK;
}

leman_status lm_gpu_refine(lm_gpu *gpu, bool branches, lm_round_visitor *visit, void *state)
{
    run r = {.gpu = gpu, .visit = visit, .state = state};
    return run_all(&r, branches);
}

leman_status lm_gpu_count_rounds(lm_gpu *gpu, leman_round_count *count)
{
    run r = {.gpu = gpu, .count = count};
    return run_all(&r, false);
}

leman_status lm_gpu_tuples(lm_gpu *gpu, uint32_t round, uint64_t *colors)
{
    run r = {.gpu = gpu};
    PASS(lm_device_allocate(&gpu->device, gpu->plan.bytes, &gpu->memory));
    PASS(lm_gpu_batch_load(&gpu->device, &gpu->plan, 0, gpu->memory, &r.batch, &r.classes));
    lm_gpu_types(&gpu->device, &r.batch);
    lm_progress_begin(gpu->device.ctx, round, "colouring");
    for (uint32_t i = 1; i <= round; i++) {
        step(&r, i == gpu->plan.coloring.rounds);
        PASS(lm_progress_step(gpu->device.ctx, i));
    }
    lm_device_read(&gpu->device, colors, r.batch.colors, r.batch.tuples * sizeof *colors);
    return gpu->device.status;
}
