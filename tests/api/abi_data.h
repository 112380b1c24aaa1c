/* What tests/api/abi_program.c calls the library with: a context, and graphs of two classes. */
#ifndef ABI_DATA_H
#define ABI_DATA_H

#include <leman.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static leman_context *ctx;

static void expect(leman_status st)
{
    if (!st) return;
    fprintf(stderr, "%s\n", leman_context_message(ctx));
    exit(1);
}

/* Paths of 3 to 5 vertices are class 1, cycles of as many class 2: twelve of each. */
static leman_dataset *paths_and_cycles(void)
{
    leman_columns columns = {.classes = 1};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    expect(leman_builder_new(ctx, "paths and cycles", &columns, &b));
    for (size_t i = 0; i < 24; i++) {
        const size_t vertices = 3 + i % 3;
        const int64_t label = i % 2 ? 2 : 1;
        expect(leman_builder_graph(b, NULL, &label, NULL));
        for (size_t v = 0; v < vertices; v++) expect(leman_builder_vertex(b, NULL, NULL, NULL));
        for (size_t v = 1; v < vertices; v++) expect(leman_builder_edge(b, v - 1, v, NULL, NULL));
        if (label == 2) expect(leman_builder_edge(b, vertices - 1, 0, NULL, NULL));
    }
    expect(leman_builder_finish(b, NULL, NULL, &data));
    leman_builder_free(b);
    return data;
}

#endif
