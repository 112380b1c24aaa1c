/*
 * Kernels end to end: read the data, colour it, compute the normalised Gram matrix, write it as .npy.
 *
 *   bench_kernels [DATA ...]         TU folders or zips; without them, 2,000 generated molecules
 *
 * With LEMAN_YARDSTICK (see bench_colors) folders are also timed with it, its matrix included, in the same run. The
 * floor of a Gram matrix is a sort of its (graph, colour) pairs and one addition for every pair of graphs that share
 * one.
 */
#include "bench.h"

static const char *const KERNELS[] = {"local:2", "wl:2", "delta:2", "wl:1", "wloa", "sp", "graphlet"};
static const char *const OTHERS[] = {"local", "wl", "delta", NULL, NULL, NULL, NULL};

/* Seconds from the file to the matrix on disk; the parts of it into part[3]: reading, the matrix, writing. */
static double end_to_end(const char *path, leman_kernel kernel, int threads, const char *output, double part[3])
{
    double best = 1e9;
    for (int i = 0; i < REPETITIONS && (i < 2 || best < 5); i++) {
        leman_context *ctx = bench_context(threads);
        leman_dataset *data = NULL;
        double began = lm_now();
        bench_check(ctx, leman_dataset_read(ctx, path, NULL, NULL, &data));
        double read = lm_now();
        size_t graphs = leman_dataset_shape(data)->graphs;
        double *matrix = malloc(graphs * graphs * sizeof *matrix);
        if (!matrix) exit(1);
        bench_check(ctx, leman_gram_compute(ctx, data, NULL, &kernel, 1, true, matrix));
        double computed = lm_now();
        bench_check(ctx, leman_matrix_write(ctx, matrix, graphs, graphs, NULL, output));
        double written = lm_now();
        if (written - began < best) {
            best = written - began;
            part[0] = read - began;
            part[1] = computed - read;
            part[2] = written - computed;
        }
        free(matrix);
        leman_dataset_free(data);
        leman_context_free(ctx);
    }
    return best;
}

static void bench(const char *path, const char *output)
{
    leman_context *ctx = bench_context(1);
    leman_dataset *data = NULL;
    bench_check(ctx, leman_dataset_read(ctx, path, NULL, NULL, &data));
    const leman_shape *shape = leman_dataset_shape(data);
    printf("%s: %zu graphs, rounds 0 to %d, seconds, best of %d\n", shape->name, shape->graphs, ROUNDS, REPETITIONS);
    printf("  %-10s %9s %9s %8s %8s %8s %8s %10s %8s %8s\n", "kernel", "1 thread", "2 threads", "1/2", "read", "matrix",
           "write", "yardstick", "y/1", "y/2");
    for (size_t i = 0; i < sizeof KERNELS / sizeof *KERNELS; i++) {
        leman_kernel kernel = leman_kernel_default();
        double part[3], rest[3];
        bench_check(ctx, leman_kernel_parse(ctx, KERNELS[i], &kernel));
        kernel.coloring.ignore_edge_labels = true;
        kernel.coloring.rounds = ROUNDS;
        double one = end_to_end(path, kernel, 1, output, part), two = end_to_end(path, kernel, 2, output, rest);
        double slow = OTHERS[i] ? bench_yardstick(path, data, OTHERS[i], 2, output, NULL) : 0;
        printf("  %-10s %9.4f %9.4f %8.2f %8.4f %8.4f %8.4f", KERNELS[i], one, two, one / two, part[0], part[1],
               part[2]);
        if (slow > 0) printf(" %10.4f %8.2f %8.2f", slow, slow / one, slow / two);
        printf("\n");
        fflush(stdout);
    }
    leman_dataset_free(data);
    leman_context_free(ctx);
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/leman-bench-XXXXXX", output[64], molecules[64];
    if (!mkdtemp(folder)) return 1;
    snprintf(output, sizeof output, "%s/k.npy", folder);
    snprintf(molecules, sizeof molecules, "%s/molecules.zip", folder);
    for (int i = 1; i < argc; i++) bench(argv[i], output);
    if (argc < 2) {
        leman_context *ctx = bench_context(1);
        leman_dataset *data = NULL;
        leman_family_options options = leman_family_options_default();
        options.graphs = 2000;
        bench_check(ctx, leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, &data));
        bench_check(ctx, leman_dataset_write(ctx, data, molecules, LEMAN_FORMAT_AUTO));
        leman_dataset_free(data);
        leman_context_free(ctx);
        bench(molecules, output);
    }
    remove(output);
    remove(molecules);
    remove(folder);
    return 0;
}
