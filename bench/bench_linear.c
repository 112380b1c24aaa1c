/*
 * Linear SVMs along the protocol's C's: one training part, 8 of 10 graphs, of generated molecules, for every number of
 * rounds.
 *
 *   bench_linear [GRAPHS [ROUNDS]]         without them 8,000 graphs, rounds 0 to 2
 *
 * Prints seconds of processor time, and what a quicker solver must not change: the accuracy on the graphs that do not
 * train and f(w) of linear_svm.h over its value at w = 0, by increasing C.
 */
#include "bench.h"
#include "svm/linear_svm.h"
#include "svm/newton.h"
#include <math.h>
#include <time.h>

static const double C[] = {0.001, 0.01, 0.1, 1, 10, 100, 1000};
enum { CS = sizeof C / sizeof *C };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double objective(const lm_linear_task *task, const lm_linear_svm *svm, double c)
{
    double norm = 0, loss = 0;
    for (size_t j = 0; j <= svm->columns; j++) norm += svm->weight[j] * svm->weight[j];
    for (size_t i = 0; i < task->set.count; i++) {
        double y = task->set.label[i] == 0 ? 1 : -1;
        double apart = fmax(0, 1 - y * lm_row_product(task->rows, task->set.item[i], svm->weight));
        loss += apart * apart;
    }
    return (norm / 2 + c * loss) / (c * (double)task->set.count);
}

/* What is measured: training parts 0 .. count-1, together. Part f is without the graphs f and f + 1 of every ten. */
typedef struct measure {
    double seconds, accuracy[CS], objective[CS]; /* accuracy and objective: of part 0 */
} measure;

static double accuracy(const lm_linear_svm *svm, const lm_rows *rows, const uint32_t *label)
{
    size_t correct = 0, all = 0;
    for (uint32_t i = 0; i < rows->rows; i += 10, all++) {
        double decision;
        lm_linear_svm_decide(svm, rows, &i, 1, &decision);
        correct += lm_linear_svm_class(2, &decision) == label[i];
    }
    return 100.0 * (double)correct / (double)all;
}

static measure train(leman_context *ctx, const lm_rows *rows, const uint32_t *label, size_t count)
{
    measure out = {0};
    lm_linear_trainer *trainer[LM_LANES] = {0};
    lm_linear_task task[LM_LANES];
    for (size_t f = 0; f < count; f++) {
        uint32_t *item = malloc(rows->rows * sizeof *item), *own = malloc(rows->rows * sizeof *own);
        size_t size = 0;
        if (!item || !own) exit(1);
        for (uint32_t i = 0; i < rows->rows; i++)
            if (i % 10 != f && i % 10 != f + 1) {
                own[size] = label[i];
                item[size++] = i;
            }
        task[f] = (lm_linear_task){.rows = rows, .set = {item, own, .count = size, .classes = 2}};
        bench_check(ctx, lm_linear_trainer_new(ctx, task + f, trainer + f));
    }
    for (size_t c = 0; c < CS; c++) {
        double began = seconds();
        bench_check(ctx, lm_linear_trainer_fit(ctx, trainer, count, C[c], NULL));
        out.seconds += seconds() - began;
        out.objective[c] = objective(task, lm_linear_trainer_svm(trainer[0]), C[c]);
        out.accuracy[c] = accuracy(lm_linear_trainer_svm(trainer[0]), rows, label);
    }
    for (size_t f = 0; f < count; f++) {
        lm_linear_trainer_free(trainer[f]);
        free((void *)task[f].set.item);
        free((void *)task[f].set.label);
    }
    return out;
}

static void bench(leman_context *ctx, const lm_round_features *features, const uint32_t *label, uint32_t rounds)
{
    lm_rows rows;
    bench_check(ctx, lm_rows_make(ctx, features, rounds, &rows));
    measure alone = train(ctx, &rows, label, 1), together = train(ctx, &rows, label, LM_LANES);
    printf("  %6u %9zu %9zu %9.3f %9.3f %5.2f ", rounds, rows.shared, rows.start[rows.rows], alone.seconds,
           together.seconds, LM_LANES * alone.seconds / together.seconds);
    if (memcmp(alone.objective, together.objective, sizeof alone.objective)) printf(" DIFFERENT");
    for (size_t c = 0; c < CS; c++) printf(" %6.2f", alone.accuracy[c]);
    for (size_t c = 0; c < CS; c++) printf(" %.6f", alone.objective[c]);
    printf("\n");
    fflush(stdout);
    lm_rows_free(&rows);
}

int main(int argc, char **argv)
{
    leman_context *ctx = bench_context(1);
    leman_dataset *data = NULL;
    leman_family_options options = leman_family_options_default();
    options.graphs = argc > 1 ? strtoul(argv[1], NULL, 10) : 8000;
    uint32_t first = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0, last = argc > 2 ? first : 2;
    leman_kernel kernel = leman_kernel_default();
    lm_round_features features;
    bench_check(ctx, leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, &data));
    size_t graphs = leman_dataset_shape(data)->graphs;
    uint32_t *label = malloc(graphs * sizeof *label);
    if (!label) return 1;
    for (size_t i = 0; i < graphs; i++) label[i] = leman_dataset_classes(data)[i] > 0;
    bench_check(ctx, leman_kernel_parse(ctx, "delta-2-LWL", &kernel));
    bench_check(ctx, lm_round_features_compute(ctx, data, &kernel, 1, last, &features));
    printf("molecules: %zu graphs, delta-2-LWL, training parts of %zu, alone and four together, C = 0.001 ... 1000\n",
           graphs, graphs * 8 / 10);
    printf("  %6s %9s %9s %9s %9s %5s  %-48s %s\n", "rounds", "columns", "nodes", "one", "four", "4*one/four",
           "test accuracy, %", "f(w) / f(0)");
    for (uint32_t h = first; h <= last; h++) bench(ctx, &features, label, h);
    lm_round_features_free(&features);
    leman_dataset_free(data);
    leman_context_free(ctx);
    free(label);
    return 0;
}
