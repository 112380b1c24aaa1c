/*
 * The grid of the protocol on precomputed matrices: every fold, every number of rounds, every C. It does the work of
 * one side of compare_sklearn.py, which writes the folder that it reads:
 *
 *   bench_svm FOLDER
 *
 *   FOLDER/job            numbers: graphs classes matrices folds, C's and their count before them, the class of each
 *                         graph; then for each fold how many graphs train and how many do not, and which
 *   FOLDER/0.npy ...      a matrix of 8-byte reals for each number of rounds
 *   FOLDER/predicted      is written: a byte, the class, for each fold, matrix, C and graph that does not train
 *
 * Prints the seconds of processor time of training and of deciding.
 */
#include "bench.h"
#include "svm/svm.h"
#include <time.h>

typedef struct job {
    size_t graphs, classes, matrices, folds, cs;
    double *c;
    uint32_t *label; /* [graphs] */
} job;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *memory(size_t count, size_t size)
{
    void *pointer = calloc(count ? count : 1, size);
    if (!pointer) exit(1);
    return pointer;
}

static FILE *open_in(const char *folder, const char *name, const char *mode)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, mode);
    if (file) return file;
    fprintf(stderr, "bench_svm: cannot open %s\n", path);
    exit(1);
}

static size_t read_number(FILE *file)
{
    size_t number = 0;
    if (fscanf(file, "%zu", &number) != 1) exit(1);
    return number;
}

static float *read_matrix(const char *folder, size_t number, size_t graphs)
{
    char name[32];
    unsigned char head[10];
    snprintf(name, sizeof name, "%zu.npy", number);
    FILE *file = open_in(folder, name, "rb");
    double *row = memory(graphs, sizeof *row);
    float *out = memory(graphs * graphs, sizeof *out);
    if (fread(head, 1, sizeof head, file) != sizeof head || fseek(file, head[8] + 256 * head[9], SEEK_CUR)) exit(1);
    for (size_t i = 0; i < graphs; i++) {
        if (fread(row, sizeof *row, graphs, file) != graphs) exit(1);
        for (size_t j = 0; j < graphs; j++) out[i * graphs + j] = (float)row[j];
    }
    fclose(file);
    free(row);
    return out;
}

static job read_head(FILE *file)
{
    job j = {.graphs = read_number(file), .classes = read_number(file), .matrices = read_number(file)};
    j.folds = read_number(file);
    j.cs = read_number(file);
    j.c = memory(j.cs, sizeof *j.c);
    j.label = memory(j.graphs, sizeof *j.label);
    for (size_t i = 0; i < j.cs; i++)
        if (fscanf(file, "%lf", &j.c[i]) != 1) exit(1);
    for (size_t i = 0; i < j.graphs; i++) j.label[i] = (uint32_t)read_number(file);
    return j;
}

/* One fold on one matrix: training[0] and deciding[0] grow by what it takes. */
static void run_fold(leman_context *ctx, const job *j, const float *gram, const uint32_t *item, size_t train,
                     size_t others, double *training, double *deciding, FILE *predicted)
{
    uint32_t *label = memory(train, sizeof *label);
    double *decision = memory(others * j->classes * j->classes, sizeof *decision), began = seconds();
    lm_svm *svm = NULL;
    for (size_t i = 0; i < train; i++) label[i] = j->label[item[i]];
    lm_svm_problem problem = {.gram = gram, .graphs = j->graphs, .set = {item, label, .count = train}};
    problem.set.classes = j->classes;
    bench_check(ctx, lm_svm_new(ctx, &problem, &svm));
    for (size_t c = 0; c < j->cs; c++) {
        bench_check(ctx, lm_svm_train(svm, j->c[c], NULL));
        double trained = seconds();
        bench_check(ctx, lm_svm_decide(svm, item + train, others, decision));
        double decided = seconds();
        *training += trained - began;
        *deciding += decided - trained;
        for (size_t i = 0; i < others; i++)
            putc((int)lm_svm_vote(decision + i * (j->classes * (j->classes - 1) / 2), j->classes), predicted);
        began = seconds();
    }
    lm_svm_free(svm);
    *training += seconds() - began;
    free(label);
    free(decision);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        puts("bench/compare_sklearn.py runs it beside scikit-learn");
        return 0;
    }
    leman_context *ctx = bench_context(1);
    ctx->scratch.keeps = true; /* as that of a worker */
    FILE *file = open_in(argv[1], "job", "r"), *predicted = open_in(argv[1], "predicted", "wb");
    job j = read_head(file);
    float **gram = memory(j.matrices, sizeof *gram);
    uint32_t *item = memory(j.graphs, sizeof *item);
    double training = 0, deciding = 0;
    for (size_t m = 0; m < j.matrices; m++) gram[m] = read_matrix(argv[1], m, j.graphs);
    for (size_t f = 0; f < j.folds; f++) {
        size_t train = read_number(file), others = read_number(file);
        for (size_t i = 0; i < train + others; i++) item[i] = (uint32_t)read_number(file);
        for (size_t m = 0; m < j.matrices; m++)
            run_fold(ctx, &j, gram[m], item, train, others, &training, &deciding, predicted);
    }
    printf("%.6f %.6f\n", training, deciding);
    fclose(file);
    fclose(predicted);
    for (size_t m = 0; m < j.matrices; m++) free(gram[m]);
    free(gram);
    free(item);
    free(j.c);
    free(j.label);
    leman_context_free(ctx);
    return 0;
}
