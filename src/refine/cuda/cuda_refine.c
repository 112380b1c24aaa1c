/*
 * Rounds of all batches. The host only queues work, which the device does in order, until it reads a result: the number
 * of classes of a round, and the classes themselves, in pieces, so that the host never holds many.
 */
#include "refine/cuda/cuda_refine.h"
#include "graph/dataset.h"

_Static_assert(sizeof(lm_orbit) == 2 * sizeof(uint32_t), "colours and times, as the device writes them");
_Static_assert((int)LM_EVERY == LM_GPU_ORBIT, "all colours of a class");

/* A run over all batches. */
typedef struct run {
    lm_gpu *gpu;
    const lm_device_task *task;
    lm_gpu_batch batch;
    size_t first; /* first graph of the batch */
} run;

/* ---- Opening --------------------------------------------------------------------------------- */

leman_status lm_gpu_open(leman_context *ctx, int number, const lm_device_task *task, lm_gpu *gpu)
{
    leman_status st = LEMAN_OK;
    *gpu = (lm_gpu){.memory = NULL};
    TRY(lm_device_open(ctx, number, ctx->settings.device_memory, &gpu->device));
    TRY(lm_gpu_plan_new(&gpu->device, task, &gpu->plan));
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

static uint64_t classes_bytes(const lm_gpu *gpu)
{
    lm_gpu_classes classes;
    return lm_gpu_classes_place(LM_GPU_PIECE, gpu->plan.task->expanded, NULL, &classes);
}

uint64_t lm_gpu_host_bytes(const lm_gpu *gpu)
{
    enum { WORDS = 6 }; /* for each vertex and arc, and twice for each graph */
    const lm_device_task *task = gpu->plan.task;
    uint64_t items = 0;
    for (size_t g = 0; g < task->graphs; g++) {
        const leman_graph graph = lm_gpu_graph_of(task, g);
        items += graph.vertices + graph.arcs + 2;
    }
    return classes_bytes(gpu) + WORDS * sizeof(uint64_t) * items + LM_REFINE_SCRATCH;
}

/* ---- Classes --------------------------------------------------------------------------------- */

/* Visits the classes that the device has written, after copying them to the host. */
static leman_status visit_piece(run *r, uint32_t round, bool branch, uint64_t count)
{
    lm_device *device = &r->gpu->device;
    lm_gpu_classes c;
    const uint64_t bytes = lm_gpu_classes_place(count, r->task->expanded, r->gpu->pinned, &c);
    lm_device_read(device, r->gpu->pinned, r->batch.classes, (size_t)bytes);
    PASS(device->status);
    lm_round_classes classes = {.round = round,
                                .branch = branch,
                                .k = r->batch.k,
                                .graphs = c.graph,
                                .count = count,
                                .color = c.color,
                                .orbits = c.orbits,
                                .orbit = (const lm_orbit *)(const void *)c.orbit,
                                .every = c.every};
    for (uint64_t i = 0; i < count; i++) {
        c.graph[i] = (uint32_t)lm_gpu_number_of(r->task, r->first + c.graph[i]);
        classes.pairs += classes.orbit[i].colors;
    }
    return r->task->visit(device->ctx, r->task->state, 0, &classes);
}

static leman_status finish_round(run *r, const uint64_t *colors, uint32_t round, bool branch)
{
    lm_device *device = &r->gpu->device;
    lm_gpu_classes to;
    int which;
    const uint64_t all = lm_gpu_count(device, &r->batch, colors, &which);
    PASS(device->status);
    if (r->task->count) {
        r->task->count[round] = lm_gpu_census(device, &r->batch, colors, which, all);
        return device->status;
    }
    for (uint64_t first = 0; first < all; first += LM_GPU_PIECE) {
        const uint64_t count = all - first < LM_GPU_PIECE ? all - first : LM_GPU_PIECE;
        (void)lm_gpu_classes_place(count, r->task->expanded, r->batch.classes, &to);
        lm_gpu_describe(device, &r->batch, colors, which, first, count, all, &to);
        PASS(visit_piece(r, round, branch, count));
        PASS(lm_progress_step(device->ctx, device->ctx->progress.done));
    }
    return LEMAN_OK;
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

static void step(run *r, bool last)
{
    uint64_t *swap = r->batch.colors;
    lm_gpu_round(&r->gpu->device, &r->batch, lm_round_sums(r->task->coloring, last));
    r->batch.colors = r->batch.next;
    r->batch.next = swap;
}

static leman_status run_batch(run *r, uint64_t *done_before)
{
    lm_device *device = &r->gpu->device;
    const leman_coloring *c = r->task->coloring;
    const bool branches = r->task->branches && c->rounds > 0;
    lm_gpu_types(device, &r->batch);
    for (uint32_t round = 0, last = branches ? c->rounds - 1 : c->rounds;; round++) {
        PASS(finish_round(r, r->batch.colors, round, false));
        if (branches) { /* into the array of the next round, which is free until then */
            lm_gpu_round(device, &r->batch, lm_round_sums(c, true));
            PASS(finish_round(r, r->batch.next, round + 1, true));
        }
        PASS(lm_progress_step(device->ctx, *done_before += r->batch.all.tuples));
        if (round == last) break;
        step(r, round + 1 == c->rounds);
    }
    return LEMAN_OK;
}

leman_status lm_gpu_run(lm_gpu *gpu)
{
    lm_device *device = &gpu->device;
    const lm_device_task *task = gpu->plan.task;
    run r = {.gpu = gpu, .task = task};
    uint64_t done_before = 0, work = 0;
    for (size_t g = 0; g < task->graphs; g++) work += lm_power(lm_gpu_graph_of(task, g).vertices, task->coloring->k);
    lm_progress_begin(device->ctx, lm_saturating_multiply(work, task->coloring->rounds + UINT64_C(1)), "colouring %s",
                      task->data->name);
    PASS(lm_device_allocate(device, gpu->plan.bytes, &gpu->memory));
    if (!task->count) PASS(lm_device_pin(device, (size_t)classes_bytes(gpu), &gpu->pinned));
    for (size_t i = 0; i < gpu->plan.batches; i++) {
        PASS(lm_gpu_batch_load(device, &gpu->plan, i, gpu->memory, &r.batch));
        r.first = gpu->plan.first[i];
        PASS(run_batch(&r, &done_before));
    }
    return LEMAN_OK;
}

leman_status lm_gpu_tuples(lm_gpu *gpu)
{
    lm_device *device = &gpu->device;
    const lm_device_task *task = gpu->plan.task;
    run r = {.gpu = gpu, .task = task};
    PASS(lm_device_allocate(device, gpu->plan.bytes, &gpu->memory));
    PASS(lm_gpu_batch_load(device, &gpu->plan, 0, gpu->memory, &r.batch));
    lm_gpu_types(device, &r.batch);
    lm_progress_begin(device->ctx, task->round, "colouring");
    for (uint32_t i = 1; i <= task->round; i++) {
        step(&r, i == task->coloring->rounds);
        PASS(lm_progress_step(device->ctx, i));
    }
    lm_device_read(device, task->colors, r.batch.colors, r.batch.all.tuples * sizeof *task->colors);
    return device->status;
}
