/*
 * How fast TU text becomes a data set, one thread: bench_read [FOLDER|ZIP ...]. Without an argument it writes a random
 * data set to a temporary folder and zip and reads those.
 */
#include "base/context.h"
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REPEATS = 5, GRAPHS = 2000, VERTICES = 400, EDGES = 500 };

static uint64_t total_bytes;

static int add_size(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)path;
    (void)where;
    if (kind == FTW_F) total_bytes += (uint64_t)about->st_size;
    return 0;
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

static void check(leman_context *ctx, leman_status st)
{
    if (st == LEMAN_OK) return;
    fprintf(stderr, "%s\n", leman_context_message(ctx));
    exit(1);
}

/* The best of a few runs: other processes slow some of them down. */
static void measure(leman_context *ctx, const char *path)
{
    double best = 1e30;
    size_t graphs = 0, vertices = 0, arcs = 0;
    total_bytes = 0;
    nftw(path, add_size, 16, FTW_PHYS);
    for (int i = 0; i < REPEATS; i++) {
        leman_dataset *data = NULL;
        double began = lm_now();
        check(ctx, leman_dataset_read(ctx, path, NULL, NULL, &data));
        double seconds = lm_now() - began;
        if (seconds < best) best = seconds;
        const leman_shape *shape = leman_dataset_shape(data);
        graphs = shape->graphs, vertices = shape->vertices, arcs = shape->arcs;
        leman_dataset_free(data);
    }
    printf("%-40s %8.4f s %8.1f MB/s  %zu graphs, %zu vertices, %zu arcs\n", path, best,
           (double)total_bytes / best * 1e-6, graphs, vertices, arcs);
}

static leman_dataset *random_dataset(leman_context *ctx)
{
    leman_columns columns = {.vertex_labels = 1, .vertex_attributes = 2, .classes = true};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    uint64_t state = 1;
    check(ctx, leman_builder_new(ctx, "random", &columns, &builder));
    for (int g = 0; g < GRAPHS; g++) {
        int64_t label = g % 2;
        check(ctx, leman_builder_graph(builder, NULL, &label, NULL));
        for (int v = 0; v < VERTICES; v++) {
            label = v % 7;
            double attributes[] = {0.25 * v, 1.0 / (1 + v)};
            check(ctx, leman_builder_vertex(builder, NULL, &label, attributes));
        }
        for (int e = 0; e < EDGES; e++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            check(ctx, leman_builder_edge(builder, state >> 33 & 255, state >> 45 & 255, NULL, NULL));
        }
    }
    check(ctx, leman_builder_finish(builder, NULL, NULL, &data));
    leman_builder_free(builder);
    return data;
}

static void measure_random(leman_context *ctx)
{
    char base[] = "/tmp/leman-bench-XXXXXX", path[64];
    leman_dataset *data = random_dataset(ctx);
    if (!mkdtemp(base)) {
        perror(base);
        exit(1);
    }
    for (int zip = 0; zip < 2; zip++) {
        snprintf(path, sizeof path, "%s/random%s", base, zip ? ".zip" : "");
        double began = lm_now();
        check(ctx, leman_dataset_write(ctx, data, path, LEMAN_FORMAT_AUTO));
        printf("%-40s %8.4f s to write\n", path, lm_now() - began);
        measure(ctx, path);
    }
    nftw(base, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    leman_dataset_free(data);
}

int main(int count, char **arguments)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    settings.threads = 1;
    if (leman_context_new(&settings, &ctx)) return 1;
    for (int i = 1; i < count; i++) measure(ctx, arguments[i]);
    if (count < 2) measure_random(ctx);
    leman_context_free(ctx);
    return 0;
}
