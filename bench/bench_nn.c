/*
 * What an epoch of the networks is made of: the share of processor time inside BLAS, the rate there against the sgemm
 * of large matrices measured beside it, seconds by operation, and models against delta-2-LGNN.
 *
 *   bench_nn [DATA] [THREADS] [WIDTH] [BATCHES]
 *
 * The paper's ZINC models on batches of 25 graphs; without DATA, molecules of the generator. Times are processor time
 * of all threads, the best of a few repetitions: other processes then hardly matter.
 */
#include "bench.h"
#include "nn/cpu/cpu.h"
#include "nn/device.h"
#include "nn/encode/inputs.h"
#include "nn/executor.h"
#include "nn/model.h"
#include "nn/train/adam.h"
#include <omp.h>
#include <time.h>

enum { BATCH = 25, SIDE = 1024, TRIES = 3 };

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Floating point operations of one thread in one second of its time, in products of large matrices, while the other
 * threads do the same. */
static double product_rate(lm_backend *backend, int threads)
{
    float *a = malloc((size_t)threads * 3 * SIDE * SIDE * sizeof *a);
    double best = 0;
    if (!a) exit(1);
    for (size_t i = 0; i < (size_t)threads * 3 * SIDE * SIDE; i++) a[i] = (float)(i % 7) - 3;
    for (int r = 0; r < REPETITIONS; r++) {
        lm_cpu_measure(backend, true);
#pragma omp parallel num_threads(threads)
        {
            float *mine = a + (size_t)omp_get_thread_num() * 3 * SIDE * SIDE;
            lm_cpu_product(lm_cpu_of(backend), SIDE, SIDE, SIDE, (lm_matrix){mine, SIDE, false},
                           (lm_matrix){mine + SIDE * SIDE, SIDE, true}, false, mine + 2 * SIDE * SIDE, SIDE);
        }
        lm_cpu_meter meter = lm_cpu_measured(backend);
        if (meter.flops / meter.seconds > best) best = meter.flops / meter.seconds;
    }
    free(a);
    return best;
}

typedef struct setting {
    leman_context *ctx;
    const leman_dataset *data;
    size_t width, batches;
    double rate; /* of products */
    bool profile;
} setting;

/* One training run over the batches, again and again; returns processor seconds of the best. */
static double run_model(const setting *s, leman_network_kind kind, lm_mode mode)
{
    lm_model_options options = {.shape = leman_architecture_default(), .outputs = 1, .loss = LM_OP_L1};
    size_t graphs = leman_dataset_shape(s->data)->graphs, count = s->batches * BATCH;
    uint32_t *which = malloc(count * sizeof *which);
    double *target = calloc(graphs, sizeof *target), best = 1e9;
    lm_encoding *encoding = NULL;
    lm_inputs *inputs = NULL;
    lm_program *program = NULL;
    lm_backend *backend = NULL;
    lm_executor *net = NULL;
    lm_optimizer adam = {0};
    lm_executor_profile profile = {0};
    lm_cpu_meter meter = {0};
    lm_batch batch;
    if (!which || !target) exit(1);
    for (size_t i = 0; i < count; i++) which[i] = (uint32_t)(i % graphs);
    options.shape.kind = kind;
    options.shape.width = s->width;
    bench_check(s->ctx, lm_model_normalize(s->ctx, &options));
    lm_encoding_options encode = lm_model_encoding(&options);
    bench_check(s->ctx, lm_encoding_learn(s->ctx, s->data, which, count, &encode, &encoding));
    bench_check(s->ctx, lm_inputs_new(s->ctx, s->data, encoding, &inputs));
    inputs->target = target;
    inputs->targets = 1;
    bench_check(s->ctx, lm_model_build(s->ctx, &options, &encoding->widths, NULL, &program));
    bench_check(s->ctx, lm_backend_new(s->ctx, "cpu", 0, &backend));
    bench_check(s->ctx, lm_executor_new(s->ctx, program, backend, mode, &net));
    bench_check(s->ctx, lm_executor_initialize(net, 1));
    bench_check(s->ctx, lm_optimizer_new(backend, program->trainable, 0, 0, &adam));
    lm_batch_init(s->ctx, &batch);
    for (int r = 0; r < TRIES; r++) {
        lm_executor_profile now = {0};
        lm_cpu_measure(backend, true);
        lm_executor_set_profile(net, &now);
        double began = processor_seconds();
        for (size_t i = 0; i < s->batches; i++) {
            bench_check(s->ctx, lm_inputs_batch(inputs, which + i * BATCH, BATCH, &batch));
            lm_executor_clear_gradients(net);
            bench_check(s->ctx, lm_executor_forward(net, &batch, true, i));
            bench_check(s->ctx, lm_executor_backward(net));
            lm_optimizer_step(&adam, 1e-3, lm_executor_weights(net), lm_executor_gradients(net));
        }
        double took = processor_seconds() - began;
        if (took >= best) continue;
        best = took;
        meter = lm_cpu_measured(backend);
        profile = now;
    }
    lm_executor_size size = lm_executor_sizes(net);
    printf("%-7s %9zu %7zu %9.2f %9.0f%% %9.1f %8.0f%%\n", leman_network_kind_name(kind), size.parameters,
           (size.activation_bytes + size.workspace_bytes) >> 20, 1e3 * best / (double)s->batches,
           100 * meter.seconds / best, 1e-9 * meter.flops / meter.seconds, 100 * meter.flops / meter.seconds / s->rate);
    for (int i = 0; i < LM_OPERATIONS && s->profile; i++)
        if (profile.seconds[i][0] > 0)
            printf("    %-13s forward %8.2f ms  backward %8.2f ms (clock)\n", lm_operation_name((lm_operation)i),
                   1e3 * profile.seconds[i][0] / (double)s->batches, 1e3 * profile.seconds[i][1] / (double)s->batches);
    fflush(stdout);
    lm_batch_free(&batch);
    lm_optimizer_free(&adam);
    lm_executor_free(net);
    lm_backend_free(backend);
    lm_program_free(program);
    lm_inputs_free(inputs);
    lm_encoding_free(encoding);
    free(which);
    free(target);
    return best;
}

static leman_dataset *data_of(leman_context *ctx, const char *path)
{
    leman_dataset *data = NULL;
    leman_family_options options = leman_family_options_default();
    options.graphs = 200;
    options.vertices = 23;
    if (path && *path)
        bench_check(ctx, leman_dataset_read(ctx, path, NULL, NULL, &data));
    else
        bench_check(ctx, leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, &data));
    return data;
}

int main(int argc, char **argv)
{
    static const leman_network_kind KINDS[] = {LEMAN_NETWORK_KIND_LOCAL, LEMAN_NETWORK_KIND_WL,
                                               LEMAN_NETWORK_KIND_DELTA, LEMAN_NETWORK_KIND_LOCAL_PLUS,
                                               LEMAN_NETWORK_KIND_GINE};
    int threads = argc > 2 ? atoi(argv[2]) : 2;
    leman_context *ctx = bench_context(threads);
    lm_backend *backend = NULL;
    leman_dataset *data = data_of(ctx, argc > 1 ? argv[1] : NULL);
    setting s = {.ctx = ctx, .data = data, .profile = true};
    s.width = argc > 3 ? (size_t)atoi(argv[3]) : 0;
    s.batches = argc > 4 ? (size_t)atoi(argv[4]) : 2;
    bench_check(ctx, lm_backend_new(ctx, "cpu", 0, &backend));
    s.rate = product_rate(backend, threads);
    lm_backend_free(backend);
    const leman_shape *shape = leman_dataset_shape(data);
    printf("%s: %.1f vertices a graph; %d threads; sgemm of %d x %d: %.1f GFlop/s a thread\n", shape->name,
           (double)shape->vertices / (double)shape->graphs, threads, SIDE, SIDE, 1e-9 * s.rate);
    printf("model   parameters     MiB  ms/batch  in BLAS   GFlop/s   of sgemm\n");
    double seconds[sizeof KINDS / sizeof *KINDS];
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) seconds[i] = run_model(&s, KINDS[i], LM_TRAIN);
    s.profile = false;
    double again = run_model(&s, LEMAN_NETWORK_KIND_LOCAL, LM_RECOMPUTE);
    printf("against local:");
    for (size_t i = 1; i < sizeof KINDS / sizeof *KINDS; i++)
        printf("  %s %.2f", leman_network_kind_name(KINDS[i]), seconds[i] / seconds[0]);
    printf("  local, recomputed %.2f\n", again / seconds[0]);
    leman_dataset_free(data);
    leman_context_free(ctx);
    return 0;
}
