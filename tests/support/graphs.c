#include "support/graphs.h"

leman_dataset *test_made(leman_context *ctx, leman_family family, const leman_family_options *options)
{
    leman_dataset *data = NULL;
    leman_status st = leman_dataset_generate(ctx, family, options, &data);
    if (st) fail_msg("%s", leman_context_message(ctx));
    assert_int_equal(leman_dataset_check(ctx, data), LEMAN_OK);
    return data;
}

void test_refused(leman_family family, const leman_family_options *options, const char *words)
{
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    leman_status st = leman_dataset_generate(ctx, family, options, &data);
    assert_true(st == LEMAN_ERROR_ARGUMENT || st == LEMAN_ERROR_BUDGET || st == LEMAN_ERROR_INPUT);
    assert_null(data);
    if (!strstr(leman_context_message(ctx), words)) fail_msg("'%s' lacks '%s'", leman_context_message(ctx), words);
    test_context_free(ctx);
}

size_t test_degree(const leman_graph *g, size_t v)
{
    return g->start[v + 1] - g->start[v];
}

bool test_joined(const leman_graph *g, size_t u, size_t v)
{
    for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++)
        if (g->head[e] == v) return true;
    return false;
}

size_t test_common_neighbours(const leman_graph *g, size_t u, size_t v)
{
    size_t count = 0;
    for (size_t w = 0; w < g->vertices; w++) count += test_joined(g, u, w) && test_joined(g, v, w);
    return count;
}

void test_assert_regular(const leman_graph *g, size_t wanted)
{
    for (size_t v = 0; v < g->vertices; v++) assert_int_equal(test_degree(g, v), wanted);
}

size_t test_reached(const leman_graph *g, size_t v)
{
    size_t count = 1, *queue = calloc(g->vertices, sizeof *queue);
    bool *seen = calloc(g->vertices, sizeof *seen);
    queue[0] = v;
    seen[v] = true;
    for (size_t i = 0; i < count; i++)
        for (size_t w = 0; w < g->vertices; w++)
            if (!seen[w] && test_joined(g, queue[i], w)) {
                seen[w] = true;
                queue[count++] = w;
            }
    free(queue);
    free(seen);
    return count;
}

void test_closed_walks(const leman_graph *g, size_t from, size_t max, double *walks)
{
    double *now = calloc(g->vertices, sizeof *now), *next = calloc(g->vertices, sizeof *next);
    now[from] = 1;
    for (size_t length = 1; length <= max; length++) {
        for (size_t v = 0; v < g->vertices; v++) {
            next[v] = 0;
            for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) next[v] += now[g->head[e]];
        }
        memcpy(now, next, g->vertices * sizeof *now);
        walks[length] = now[from];
    }
    free(now);
    free(next);
}

void test_assert_named(const leman_dataset *data, size_t graph, const char *name)
{
    size_t length;
    const char *found = leman_dataset_graph_name(data, graph, &length);
    assert_int_equal(length, strlen(name));
    assert_memory_equal(found, name, length);
}
