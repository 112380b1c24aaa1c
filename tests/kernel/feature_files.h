/* What the tests of feature files share. */
#ifndef TEST_FEATURE_FILES_H
#define TEST_FEATURE_FILES_H

#include "support/graphs.h"
#include "support/support.h"
#include <stdio.h>

static inline leman_dataset *molecules(leman_context *ctx, size_t graphs)
{
    leman_family_options options = leman_family_options_default();
    options.graphs = graphs;
    options.vertices = 10;
    return test_made(ctx, LEMAN_FAMILY_MOLECULES, &options);
}

/* Two kernels, one round of one and two of the other. */
static inline void two_kernels(leman_kernel *kernels)
{
    kernels[0] = kernels[1] = leman_kernel_default();
    kernels[0].coloring.rounds = 1;
    kernels[1].coloring.k = 1;
    kernels[1].coloring.rounds = 2;
    kernels[1].weight = 0.25;
}

typedef struct contents {
    char *data;
    size_t size;
} contents;

static inline contents read_file(const char *path)
{
    contents b = {.data = malloc(1 << 24)};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    b.size = fread(b.data, 1, 1 << 24, file);
    assert_true(b.size < 1 << 24);
    fclose(file);
    return b;
}

#endif
