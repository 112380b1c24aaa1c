/*
 * Networks on a CUDA device: seconds of a training epoch by model, precision and batch size, and where they go.
 *
 *   bench_cuda DATA [EPOCHS] [PROFILE: 0 or 1] [FIRST row of the table, from 0] [LAST; default: FIRST] [KEPT]
 *
 * DATA: ZINC_10k, of which the first 10,000 graphs train; the paper's models, width 256, four layers, and pair networks,
 * width 96, six layers. The clock runs
 * from the first batch of an epoch to the end of the device's work on the last; the least of EPOCHS (3) epochs after
 * one that is not counted, in which shapes are met and steps recorded. PROFILE 1: seconds by
 * operation, each waited for.
 * KEPT: all (default), less, least (src/nn/plan.h), or recompute, as with --recompute.
 */
#include "base/random.h"
#include "bench.h"
#include "nn/backends.h"
#include "nn/encode/inputs.h"
#include "nn/executor.h"
#include "nn/model.h"
#include "profile.h"

enum { GRAPHS = 10000 };

typedef struct row {
    leman_network_kind kind;
    leman_precision precision;
    size_t batch;
    double must, goal; /* seconds */
} row;

static const row ROWS[] = {
    {LEMAN_NETWORK_KIND_LOCAL, LEMAN_PRECISION_TF32, 128, 0.60, 0.40},
    {LEMAN_NETWORK_KIND_LOCAL, LEMAN_PRECISION_BF16, 128, 0.40, 0.25},
    {LEMAN_NETWORK_KIND_LOCAL, LEMAN_PRECISION_FP32, 128, 1.5, 1.3},
    {LEMAN_NETWORK_KIND_LOCAL, LEMAN_PRECISION_TF32, 25, 1.0, 0.55},
    {LEMAN_NETWORK_KIND_DELTA, LEMAN_PRECISION_TF32, 128, 1.2, 0.75},
    {LEMAN_NETWORK_KIND_WL, LEMAN_PRECISION_TF32, 128, 0.60, 0.40},
    {LEMAN_NETWORK_KIND_GINE, LEMAN_PRECISION_TF32, 128, 0.20, 0.15},
    {LEMAN_NETWORK_KIND_LOCAL2, LEMAN_PRECISION_TF32, 128, 0.60, 0.30},
    {LEMAN_NETWORK_KIND_LOCAL2, LEMAN_PRECISION_BF16, 128, 0.40, 0.20},
    {LEMAN_NETWORK_KIND_FOLKLORE2, LEMAN_PRECISION_TF32, 128, 0.70, 0.35},
    {LEMAN_NETWORK_KIND_FOLKLORE2, LEMAN_PRECISION_BF16, 128, 0.40, 0.20},
    {LEMAN_NETWORK_KIND_SSWL_PLUS, LEMAN_PRECISION_TF32, 128, 0.60, 0.30},
    {LEMAN_NETWORK_KIND_SSWL_PLUS, LEMAN_PRECISION_BF16, 128, 0.40, 0.20},
};

/* What trains. */
typedef struct training {
    leman_context *ctx;
    lm_encoding *encoding;
    lm_inputs *inputs;
    lm_program *program;
    lm_backend *backend;
    lm_executor *net;
    uint64_t steps;
    lm_batch batch;
    uint32_t *order;
    double *target;
    size_t graphs;
} training;

static training training_new(leman_context *ctx, const leman_dataset *data, const row *r, lm_mode mode)
{
    training t = {.ctx = ctx, .graphs = leman_dataset_shape(data)->graphs};
    lm_model_options options = {.shape = leman_architecture_default(), .outputs = 1, .loss = LM_OP_L1};
    if (t.graphs > GRAPHS) t.graphs = GRAPHS;
    t.order = malloc(t.graphs * sizeof *t.order);
    t.target = calloc(leman_dataset_shape(data)->graphs, sizeof *t.target);
    if (!t.order || !t.target) exit(1);
    for (size_t i = 0; i < t.graphs; i++) t.order[i] = (uint32_t)i;
    for (size_t i = 0; i < t.graphs; i++) t.target[i] = (double)(i % 7) - 3;
    options.shape.kind = r->kind;
    bench_check(ctx, lm_model_normalize(ctx, &options));
    lm_encoding_options encode = lm_model_encoding(&options);
    bench_check(ctx, lm_encoding_learn(ctx, data, t.order, t.graphs, &encode, &t.encoding));
    bench_check(ctx, lm_inputs_new(ctx, data, t.encoding, &t.inputs));
    t.inputs->target = t.target;
    t.inputs->targets = 1;
    bench_check(ctx, lm_model_build(ctx, &options, &t.encoding->widths, &t.program));
    ctx->settings.precision = r->precision;
    bench_check(ctx, lm_backend_new(ctx, "cuda", 0, &t.backend));
    bench_check(ctx, lm_executor_new(ctx, t.program, t.backend, mode, &t.net));
    bench_check(ctx, lm_executor_initialize(t.net, 1));
    lm_batch_init(ctx, &t.batch);
    return t;
}

static void training_free(training *t)
{
    lm_batch_free(&t->batch);
    lm_executor_free(t->net);
    lm_backend_free(t->backend);
    lm_program_free(t->program);
    lm_inputs_free(t->inputs);
    lm_encoding_free(t->encoding);
    free(t->order);
    free(t->target);
}

/* Seconds of an epoch; of those, on the host: making batches. */
static double epoch(training *t, size_t size, uint64_t number, double *making)
{
    const lm_adam rule = lm_adam_rule(0, 0);
    lm_random random = lm_random_stream(1, 2001, number);
    lm_totals totals;
    *making = 0;
    lm_random_permutation(&random, t->order, t->graphs);
    lm_executor_clear_totals(t->net);
    bench_check(t->ctx, lm_executor_totals(t->net, &totals));
    const double began = lm_now();
    for (size_t at = 0; at < t->graphs; at += size) {
        const size_t count = t->graphs - at < size ? t->graphs - at : size;
        const double now = lm_now();
        bench_check(t->ctx, lm_inputs_batch(t->inputs, t->order + at, count, &t->batch));
        *making += lm_now() - now;
        const lm_control control = {t->steps, t->steps + 1, 1e-3, (double)count, .share = 1};
        bench_check(t->ctx, lm_executor_train(t->net, &t->batch, &control, &rule));
        t->steps++;
    }
    bench_check(t->ctx, lm_executor_totals(t->net, &totals));
    return lm_now() - began;
}

static void measure(leman_context *ctx, const leman_dataset *data, const row *r, lm_mode mode, int epochs,
                    bool profiled)
{
    training t = training_new(ctx, data, r, mode);
    double best = 1e9, making = 0, least = 0;
    for (int e = 0; e <= epochs; e++) {
        const double took = epoch(&t, r->batch, (uint64_t)e, &making);
        if (!e || took >= best) continue;
        best = took;
        least = making;
    }
    const lm_executor_size size = t.net->size;
    printf("%-9s %-5s %5zu %9zu %8zu %10.3f %8.3f %7.2f %7.2f  %s\n", leman_network_kind_name(r->kind),
           leman_precision_name(r->precision), r->batch, size.parameters,
           (size.activation_bytes + size.workspace_bytes) >> 20, best, least, r->must, r->goal,
           best <= r->goal   ? "goal"
           : best <= r->must ? "must"
                             : "slow");
    fflush(stdout);
    if (profiled) {
        profile_begin(t.net);
        (void)epoch(&t, r->batch, 1, &making);
        profile_print(1);
    }
    training_free(&t);
}

int main(int argc, char **argv)
{
    leman_context *ctx = bench_context(1);
    leman_dataset *data = NULL;
    const int epochs = argc > 2 ? atoi(argv[2]) : 3;
    if (argc < 2 || leman_device_check(ctx, "cuda")) {
        printf("bench_cuda: %s\n", argc < 2 ? "expected a data set, ZINC_10k" : leman_context_message(ctx));
        leman_context_free(ctx);
        return argc < 2;
    }
    bench_check(ctx, leman_dataset_read(ctx, argv[1], NULL, NULL, &data));
    printf("%-9s %-5s %5s %9s %8s %10s %8s %7s %7s\n", "model", "", "batch", "weights", "MiB", "s/epoch", "batches",
           "must", "goal");
    const size_t rows = sizeof ROWS / sizeof *ROWS, first = argc > 4 ? strtoul(argv[4], NULL, 10) : 0;
    const size_t last = argc > 5 ? strtoul(argv[5], NULL, 10) : argc > 4 ? first : rows - 1;
    const char *kept = argc > 6 ? argv[6] : "all";
    const lm_mode mode = !strcmp(kept, "less")        ? LM_LESS
                         : !strcmp(kept, "least")     ? LM_LEAST
                         : !strcmp(kept, "recompute") ? LM_RECOMPUTE
                                                      : LM_TRAIN;
    for (size_t i = first; i < rows && i <= last; i++)
        measure(ctx, data, ROWS + i, mode, epochs, argc > 3 && atoi(argv[3]));
    leman_dataset_free(data);
    leman_context_free(ctx);
    return 0;
}
