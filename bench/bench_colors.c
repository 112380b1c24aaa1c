/*
 * Colourings: every variant against `local`, two threads against one, and where the time goes against the memory floor.
 *
 *   bench_colors [DATA ...]         TU folders or zips; without them, 2,000 generated molecules
 *
 * With LEMAN_YARDSTICK set to a program that is called as PROGRAM DIR SET LABELS 0 VARIANT K ROUNDS and prints
 * "refine=SECONDS", folders are also timed with it, in the same run. Every figure is the best of several repetitions.
 */
#include "bench.h"

/* Seconds of refinement and histograms, the best of the repetitions. */
static double seconds_of(const leman_dataset *data, leman_coloring coloring, int threads)
{
    leman_context *ctx = bench_context(threads);
    double best = 1e9;
    coloring.ignore_edge_labels = true;
    for (int i = 0; i < REPETITIONS && (i < 2 || best < 5); i++) {
        leman_census *census = NULL;
        bench_check(ctx, leman_census_compute(ctx, data, &coloring, false, &census));
        if (census->seconds < best) best = census->seconds;
        leman_census_free(census);
    }
    leman_context_free(ctx);
    return best;
}

/* Seconds to write and read the two arrays of colours once a round, as a copy does: what memory alone would take. */
static double floor_of(const leman_dataset *data, unsigned k)
{
    enum { BYTES = 1 << 26 };
    char *from = malloc(BYTES), *to = malloc(BYTES);
    double best = 1e9;
    if (!from || !to) exit(1);
    memset(from, 1, BYTES);
    for (int i = 0; i < REPETITIONS; i++) {
        double began = lm_now();
        memcpy(to, from, BYTES);
        if (lm_now() - began < best) best = lm_now() - began;
        from[i] = to[i + 1];
    }
    free(from);
    free(to);
    return best / (double)BYTES * 8 * (double)leman_dataset_cost(data, k).tuples * (double)ROUNDS;
}

static void row(const char *path, const leman_dataset *data, const char *name, const char *other,
                leman_coloring coloring, double *local)
{
    double one = seconds_of(data, coloring, 1), two = seconds_of(data, coloring, 2);
    double slow = other ? bench_yardstick(path, data, other, coloring.k, NULL, "refine=") : 0;
    if (*local <= 0) *local = one;
    printf("  %-18s k=%u %9.4f %9.4f %8.2f %9.2f %9.1f", name, coloring.k, one, two, one / two, one / *local,
           one / floor_of(data, coloring.k));
    if (slow > 0) printf(" %10.4f %8.2f %8.2f", slow, slow / one, slow / two);
    printf("\n");
    fflush(stdout);
}

static void bench(const char *path, const leman_dataset *data)
{
    leman_coloring c = leman_coloring_default();
    double local = 0, local3 = 0;
    const leman_shape *shape = leman_dataset_shape(data);
    printf("%s: %zu graphs, %zu vertices; rounds 0 to %d, best of %d\n", shape->name, shape->graphs, shape->vertices,
           ROUNDS, REPETITIONS);
    printf("  %-18s     %9s %9s %8s %9s %9s %10s %8s %8s\n", "variant", "1 thread", "2 threads", "1/2", "to local",
           "to floor", "yardstick", "y/1", "y/2");
    row(path, data, "local", "local", c, &local);
    c.algorithm = LEMAN_ALGORITHM_WL;
    row(path, data, "wl", "wl", c, &local);
    c.algorithm = LEMAN_ALGORITHM_DELTA;
    row(path, data, "delta", "delta", c, &local);
    c.algorithm = LEMAN_ALGORITHM_LOCAL_PLUS;
    row(path, data, "local+ (# last)", "pluslast", c, &local);
    c.count_every_round = true;
    row(path, data, "local+ (# every)", "plus", c, &local);
    c = leman_coloring_default();
    c.k = 1;
    row(path, data, "colour refinement", NULL, c, &local);
    c.k = 3;
    if (leman_dataset_cost(data, 3).tuples < UINT64_C(60000000)) row(path, data, "local", "local", c, &local3);
}

int main(int argc, char **argv)
{
    leman_context *ctx = bench_context(1);
    leman_dataset *data = NULL;
    for (int i = 1; i < argc; i++) {
        bench_check(ctx, leman_dataset_read(ctx, argv[i], NULL, NULL, &data));
        bench(argv[i], data);
        leman_dataset_free(data);
    }
    if (argc < 2) {
        leman_family_options options = leman_family_options_default();
        options.graphs = 2000;
        bench_check(ctx, leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, &data));
        bench("", data);
        leman_dataset_free(data);
    }
    leman_context_free(ctx);
    return 0;
}
