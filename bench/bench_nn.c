/*
 * What an epoch of the networks is made of: seconds by operation, and models against delta-2-LGNN.
 *
 *   bench_nn [DATA] [THREADS] [WIDTH] [BATCHES]
 *
 * The paper's ZINC models on batches of 25 graphs; without DATA, molecules of the generator. Times are processor time
 * of all threads, the best of a few repetitions: other processes then hardly matter.
 */
#include "bench.h"
#include "nn/backends.h"
#include "nn/encode/inputs.h"
#include "nn/executor.h"
#include "nn/model.h"
#include "profile.h"
#include <time.h>

enum { BATCH = 25, TRIES = 3 };

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct setting {
    leman_context *ctx;
    const leman_dataset *data;
    size_t width, batches;
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
    bench_check(s->ctx, lm_model_build(s->ctx, &options, &encoding->widths, &program));
    bench_check(s->ctx, lm_backend_new(s->ctx, "cpu", 0, &backend));
    bench_check(s->ctx, lm_executor_new(s->ctx, program, backend, mode, &net));
    bench_check(s->ctx, lm_executor_initialize(net, 1));
    const lm_adam rule = lm_adam_rule(0, 0);
    lm_batch_init(s->ctx, &batch);
    for (int r = 0; r < TRIES; r++) {
        if (s->profile) profile_begin(net);
        double began = processor_seconds();
        for (size_t i = 0; i < s->batches; i++) {
            bench_check(s->ctx, lm_inputs_batch(inputs, which + i * BATCH, BATCH, &batch));
            const lm_control control = {.tick = i, .t = i + 1, .rate = 1e-3, .weight = BATCH, .share = 1};
            bench_check(s->ctx, lm_executor_train(net, &batch, &control, &rule));
        }
        double took = processor_seconds() - began;
        if (took < best) best = took;
    }
    const lm_executor_size size = net->size;
    printf("%-7s %9zu %7zu %9.2f\n", leman_network_kind_name(kind), size.parameters,
           (size.activation_bytes + size.workspace_bytes) >> 20, 1e3 * best / (double)s->batches);
    if (s->profile) profile_print((double)s->batches);
    lm_batch_free(&batch);
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
    leman_dataset *data = data_of(ctx, argc > 1 ? argv[1] : NULL);
    setting s = {.ctx = ctx, .data = data, .profile = true};
    s.width = argc > 3 ? (size_t)atoi(argv[3]) : 0;
    s.batches = argc > 4 ? (size_t)atoi(argv[4]) : 2;
    const leman_shape *shape = leman_dataset_shape(data);
    printf("%s: %.1f vertices a graph; %d threads\n", shape->name, (double)shape->vertices / (double)shape->graphs,
           threads);
    printf("model   parameters     MiB  ms/batch\n");
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
