/*
 * Colours on a CUDA device, step by step: what each step of a round takes, and the bytes that it must move against the
 * rate of a plain copy on the same device.
 *
 *   bench_colors_cuda [-a NAME] DATA ...      TU folders or zips; NAME: a colouring, delta-3-LWL without it
 *
 * "bytes" are the floor: a round reads and writes every colour once, orbits read every colour and write key and number.
 */
#include "../bench.h"
#include "refine/cuda/cuda_refine.h"
#include <stdio.h>

static double copy_rate(lm_device *device)
{
    const size_t bytes = (size_t)1 << 30;
    void *a = NULL, *b = NULL;
    double best = 1e9;
    if (lm_device_allocate(device, bytes, &a) || lm_device_allocate(device, bytes, &b)) return 0;
    for (int i = 0; i < 10; i++) {
        lm_device_wait(device);
        const double began = lm_now();
        lm_device_copy(device, b, a, bytes);
        lm_device_wait(device);
        if (lm_now() - began < best) best = lm_now() - began;
    }
    lm_device_release(device, a);
    lm_device_release(device, b);
    return 2 * (double)bytes / best;
}

static double step_began;

static void row(lm_gpu *gpu, const char *name, uint32_t round, double bytes, double rate, double *sum)
{
    lm_device_wait(&gpu->device);
    const double seconds = lm_now() - step_began;
    *sum += seconds;
    printf("  %5u  %-12s %10.3f ms %10.1f GB/s %6.1f %% of a copy\n", round, name, 1e3 * seconds, bytes / seconds / 1e9,
           100 * bytes / seconds / rate);
    step_began = lm_now();
}

static double run_batch(leman_context *ctx, lm_gpu *gpu, size_t i, double rate)
{
    lm_gpu_batch b;
    double sum = 0;
    step_began = lm_now();
    bench_check(ctx, lm_gpu_batch_load(&gpu->device, &gpu->plan, i, gpu->memory, &b));
    row(gpu, "load", 0, 0, rate, &sum);
    lm_gpu_types(&gpu->device, &b);
    row(gpu, "types", 0, 8.0 * (double)b.all.tuples, rate, &sum);
    for (uint32_t round = 0; round <= gpu->plan.task->coloring->rounds; round++) {
        if (round) {
            const leman_coloring *c = gpu->plan.task->coloring;
            uint64_t *swap = b.colors;
            lm_gpu_round(&gpu->device, &b, lm_round_sums(c, round == c->rounds));
            b.colors = b.next;
            b.next = swap;
            row(gpu, "round", round, 16.0 * (double)b.all.tuples, rate, &sum);
        }
        int which;
        const uint64_t all = lm_gpu_count(&gpu->device, &b, b.colors, &which);
        row(gpu, "classes", round, 8.0 * (double)b.all.tuples + 12.0 * (double)b.all.orbits, rate, &sum);
        const leman_round_count count = lm_gpu_census(&gpu->device, &b, b.colors, which, all);
        row(gpu, "census", round, 8.0 * (double)all, rate, &sum);
        printf("         %llu classes, %llu colours, %llu pairs\n", (unsigned long long)all,
               (unsigned long long)count.colors, (unsigned long long)count.pairs);
    }
    bench_check(ctx, gpu->device.status);
    return sum;
}

static void bench(leman_context *ctx, const char *path, const leman_coloring *c)
{
    leman_dataset *data = NULL;
    lm_gpu gpu;
    double sum = 0;
    bench_check(ctx, leman_dataset_read(ctx, path, NULL, NULL, &data));
    const lm_device_task task = {.data = data, .graphs = leman_dataset_shape(data)->graphs, .coloring = c};
    bench_check(ctx, lm_gpu_open(ctx, 0, &task, &gpu));
    const double rate = copy_rate(&gpu.device);
    bench_check(ctx, lm_device_allocate(&gpu.device, gpu.plan.bytes, &gpu.memory));
    printf("%s, k = %u, %s on %s: %llu tuples, %.1f GB in %zu batches; a copy moves %.0f GB/s\n",
           leman_dataset_shape(data)->name, c->k, leman_algorithm_name(c->algorithm), gpu.device.name,
           (unsigned long long)leman_dataset_cost(data, c->k).tuples, (double)gpu.plan.bytes / 1e9, gpu.plan.batches,
           rate / 1e9);
    for (size_t i = 0; i < gpu.plan.batches; i++) sum += run_batch(ctx, &gpu, i, rate);
    printf("  all steps %.1f ms; floor of the rounds alone %.1f ms\n", 1e3 * sum,
           1e3 * 16 * c->rounds * (double)leman_dataset_cost(data, c->k).tuples / rate);
    lm_gpu_close(&gpu);
    leman_dataset_free(data);
}

int main(int argc, char **argv)
{
    leman_context *ctx = bench_context(1);
    leman_coloring c = leman_coloring_default(), normal;
    int first = 1;
    c.k = 3;
    if (argc > 2 && !strcmp(argv[1], "-a")) {
        bench_check(ctx, leman_coloring_parse(ctx, argv[2], &c));
        first = 3;
    }
    bench_check(ctx, lm_coloring_check(ctx, &c, &normal));
    for (int i = first; i < argc; i++) bench(ctx, argv[i], &normal);
    leman_context_free(ctx);
    return 0;
}
