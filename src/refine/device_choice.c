/* The choice between CPU and device; device_choice.h describes the rules. */
#include "refine/device_choice.h"
#include "graph/dataset.h"
#include "refine/device_names.h"

#ifdef LEMAN_CUDA

#include "refine/cuda/cuda_refine.h"

/* If all rounds together have fewer tuples, a device is not used: two cores take about a second for so many. */
static const uint64_t WORTH = UINT64_C(1) << 25;

static bool worth(const lm_device_task *task)
{
    uint64_t tuples = 0;
    for (size_t g = 0; g < task->graphs; g++)
        tuples = lm_saturating_add(tuples, lm_power(lm_gpu_graph_of(task, g).vertices, task->coloring->k));
    return lm_saturating_multiply(tuples, task->coloring->rounds + UINT64_C(1)) >= WORTH;
}

/* Can a device compute this colouring? */
static bool serves(const leman_coloring *c)
{
    return c->k <= LM_GPU_K && !c->components && lm_variant_of(c)->device;
}

/* Opens a device; *open is false if the CPU must do the work. */
static leman_status open_device(leman_context *ctx, const lm_device_task *task, lm_gpu *gpu, bool *open)
{
    const leman_coloring *c = task->coloring;
    lm_device_choice choice;
    *open = false;
    PASS(lm_device_name_parse(ctx, ctx->settings.device, &choice));
    const bool automatic = choice.kind == LM_DEVICE_AUTO;
    if (choice.kind == LM_DEVICE_CPU) return LEMAN_OK;
    if (automatic && (!serves(c) || !worth(task) || !lm_device_count())) return LEMAN_OK;
    if (!lm_variant_of(c)->device)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "found device cuda, expected cpu for %s",
                       leman_algorithm_name(c->algorithm));
    if (c->components)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED,
                       "found device cuda, expected cpu for tuples limited by components");
    if (c->k > LM_GPU_K)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "k: found %u, expected 1 to %d on a CUDA device", c->k, LM_GPU_K);
    const leman_status st = lm_gpu_open(ctx, choice.number, task, gpu);
    *open = !st;
    if (!st || !automatic || st == LEMAN_ERROR_MEMORY) return st;
    lm_log(ctx, "%s; the CPU is used instead", leman_context_message(ctx));
    return LEMAN_OK;
}

leman_status lm_device_refines(leman_context *ctx, const leman_coloring *c, bool *wanted)
{
    lm_device_choice choice;
    PASS(lm_device_name_parse(ctx, ctx->settings.device, &choice));
    *wanted = choice.kind == LM_DEVICE_CUDA || (choice.kind == LM_DEVICE_AUTO && serves(c) && lm_device_count() > 0);
    return LEMAN_OK;
}

static leman_status run_on(lm_gpu *gpu, const lm_device_task *t, bool *done)
{
    if (t->bytes) *t->bytes = lm_gpu_host_bytes(gpu);
    if (t->bytes) return LEMAN_OK;
    if (t->colors) return lm_gpu_tuples(gpu);
    if (!t->count) return lm_gpu_run(gpu);
    *done = gpu->plan.batches == 1;
    const double began = lm_now();
    const leman_status st = *done ? lm_gpu_run(gpu) : LEMAN_OK;
    *t->seconds = lm_now() - began;
    return st;
}

leman_status lm_device_run(leman_context *ctx, const lm_device_task *t, bool *done)
{
    SCRATCH_SCOPE(ctx);
    lm_device_task task = *t;
    lm_gpu gpu;
    if (!t->which) task.graphs = t->data ? t->data->graphs : 1;
    PASS(open_device(ctx, &task, &gpu, done));
    if (!*done) return LEMAN_OK;
    const leman_status st = run_on(&gpu, &task, done);
    lm_gpu_close(&gpu);
    return st;
}

#else

/* Sets *done to false. Fails if a device is requested by name. */
static leman_status none(leman_context *ctx, bool *done)
{
    lm_device_choice choice;
    *done = false;
    PASS(lm_device_name_parse(ctx, ctx->settings.device, &choice));
    if (choice.kind == LM_DEVICE_CUDA)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "found device cuda, expected cpu: this build has no CUDA backend");
    return LEMAN_OK;
}

leman_status lm_device_refines(leman_context *ctx, const leman_coloring *c, bool *wanted)
{
    (void)c;
    return none(ctx, wanted);
}

leman_status lm_device_run(leman_context *ctx, const lm_device_task *task, bool *done)
{
    (void)task;
    return none(ctx, done);
}

#endif
