/* Dense random graphs as files, for tests of Gram matrices of streams. */
#ifndef TEST_DENSE_GRAPHS_H
#define TEST_DENSE_GRAPHS_H

#include "base/context.h"
#include "graph/dataset.h"
#include "io/stream/stream.h"
#include "kernel/feature_files.h"
#include "kernel/kernel.h"
#include <unistd.h>

enum { DENSE_MOST = 48 /* vertices */, WHOLE = 1 << 30 };

static inline void assert_same_file(const char *path, contents expected)
{
    contents found = read_file(path);
    assert_int_equal(found.size, expected.size);
    assert_memory_equal(found.data, expected.data, found.size);
    free(found.data);
}

/* A line of graph6: a dense random graph under a random numbering of its vertices, the last two of which are twins
 * where asked. */
static inline size_t write_graph(char *line, size_t n, uint64_t seed, uint64_t numbering, bool twins)
{
    bool joined[DENSE_MOST][DENSE_MOST] = {0};
    size_t place[DENSE_MOST], bits = 0, at = 0;
    uint64_t state = seed * 977 + 1;
    for (size_t v = 1; v < n; v++)
        for (size_t u = 0; u < v; u++) joined[u][v] = joined[v][u] = test_random(&state) % 100 < 64;
    for (size_t u = 0; twins && u + 2 < n; u++) joined[u][n - 1] = joined[n - 1][u] = joined[u][n - 2];
    state = numbering * 31 + 7;
    for (size_t v = 0; v < n; v++) {
        const size_t other = test_random(&state) % (v + 1);
        place[v] = place[other];
        place[other] = v;
    }
    line[at++] = (char)(63 + n);
    for (size_t v = 1; v < n; v++)
        for (size_t u = 0; u < v; u++, bits++) {
            if (bits % 6 == 0) line[at++] = 63;
            if (joined[place[u]][place[v]]) line[at - 1] = (char)(line[at - 1] + (32 >> bits % 6));
        }
    line[at++] = '\n';
    return at;
}

/* Lines of graph6 as a file of our own, whose slices are cut where a test wants them. The path is to be freed. */
static inline char *as_binary(leman_context *ctx, const char *folder, const char *text, size_t size)
{
    leman_dataset *data;
    char *path = strdup(test_path(folder, "graphs.leman"));
    if (leman_dataset_read(ctx, test_file_write(folder, "graphs.g6", text, size), NULL, NULL, &data))
        fail_msg("%s", leman_context_message(ctx));
    assert_int_equal(leman_dataset_write(ctx, data, path, LEMAN_FORMAT_BINARY), LEMAN_OK);
    leman_dataset_free(data);
    return path;
}

/* Dense graphs, some of them with twins. A few are isomorphic to others, near and far; a few are so small that they
 * share all they have; one may have no edges and very many vertices. */
static inline char *write_graphs_of(leman_context *ctx, const char *folder, size_t vertices, size_t count,
                                    size_t edgeless)
{
    char *text = malloc(count * (vertices * vertices / 12 + 16) + edgeless * edgeless / 12 + 64);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const bool again = i == 7 || i == count / 2 + 3 || i == count - 1, small = i % 32 == 11;
        at += write_graph(text + at, small ? 2 + i / 32 : vertices - i % 3, again ? 3 : i, i, !again && i % 5 == 4);
    }
    if (edgeless) {
        const char head[] = {126, (char)(63 + (edgeless >> 12)), (char)(63 + (edgeless >> 6 & 63)),
                             (char)(63 + (edgeless & 63))};
        const size_t bytes = (edgeless * (edgeless - 1) / 2 + 5) / 6;
        memcpy(text + at, head, sizeof head);
        memset(text + at + sizeof head, 63, bytes);
        at += sizeof head + bytes;
        text[at++] = '\n';
    }
    char *path = as_binary(ctx, folder, text, at);
    free(text);
    return path;
}

static inline leman_kernel kernel_of(unsigned k, uint32_t rounds)
{
    leman_kernel kernel = leman_kernel_default();
    kernel.k = k;
    kernel.rounds = rounds;
    return kernel;
}

static inline leman_stream *open_in_slices(leman_context *ctx, const char *path, size_t limit)
{
    leman_stream *stream;
    if (lm_stream_open(ctx, path, NULL, limit, &stream)) fail_msg("%s", leman_context_message(ctx));
    assert_true(leman_stream_is_whole(stream) == (limit == WHOLE));
    return stream;
}

/* How a matrix is made: slices of the graphs, and rows at a time; 0: all. */
typedef struct cut {
    size_t slice, rows;
} cut;

/* In all these ways the stream's matrix has the bytes of the one of all graphs at once. */
static inline void check_matrix(leman_context *ctx, const char *graphs, const leman_kernel *kernels, size_t count,
                                bool normalize, const cut *cuts, size_t ways, const char *path)
{
    leman_dataset *data;
    assert_int_equal(leman_dataset_read(ctx, graphs, NULL, NULL, &data), LEMAN_OK);
    double *whole = malloc(data->graphs * data->graphs * sizeof *whole);
    assert_int_equal(leman_gram_compute(ctx, data, NULL, kernels, count, normalize, whole), LEMAN_OK);
    assert_int_equal(leman_matrix_write(ctx, whole, data->graphs, data->graphs, NULL, path), LEMAN_OK);
    contents expected = read_file(path);
    for (size_t i = 0; i < ways; i++) {
        leman_stream *stream = open_in_slices(ctx, graphs, cuts[i].slice);
        unlink(path);
        assert_int_equal(lm_gram_stream(ctx, stream, NULL, kernels, count, normalize, cuts[i].rows, path), LEMAN_OK);
        assert_same_file(path, expected);
        leman_stream_free(stream);
    }
    free(expected.data);
    free(whole);
    leman_dataset_free(data);
}

/* The same for a matrix for every number of rounds, up to 9. */
static inline void check_matrices(leman_context *ctx, const char *graphs, const leman_kernel *kernel, bool normalize,
                                  cut c, const char *folder)
{
    enum { MOST = 10 };
    const size_t rounds = kernel->rounds + 1;
    char *path[MOST];
    double *whole[MOST];
    leman_dataset *data;
    assert_true(rounds <= MOST);
    assert_int_equal(leman_dataset_read(ctx, graphs, NULL, NULL, &data), LEMAN_OK);
    for (size_t h = 0; h < rounds; h++) {
        path[h] = strdup(test_path(folder, (const char[]){(char)('0' + h), '.', 'n', 'p', 'y', 0}));
        whole[h] = malloc(data->graphs * data->graphs * sizeof **whole);
    }
    assert_int_equal(leman_gram_rounds(ctx, data, NULL, kernel, normalize, whole), LEMAN_OK);
    leman_stream *stream = open_in_slices(ctx, graphs, c.slice);
    assert_int_equal(
        lm_gram_rounds_stream(ctx, stream, NULL, kernel, normalize, c.rows, (const char *const *)(void *)path),
        LEMAN_OK);
    leman_stream_free(stream);
    for (size_t h = 0; h < rounds; h++) {
        contents written = read_file(path[h]);
        assert_int_equal(leman_matrix_write(ctx, whole[h], data->graphs, data->graphs, NULL, path[h]), LEMAN_OK);
        assert_same_file(path[h], written);
        unlink(path[h]);
        free(written.data);
        free(whole[h]);
        free(path[h]);
    }
    leman_dataset_free(data);
}

/* What the slices of the graphs take. */
static inline void measure_slices(leman_context *ctx, const char *path, size_t limit, size_t *first, size_t *all)
{
    leman_stream *stream = open_in_slices(ctx, path, limit);
    const leman_dataset *slice;
    *first = *all = 0;
    for (;;) {
        size_t bytes;
        assert_int_equal(leman_stream_next(stream, &slice), LEMAN_OK);
        if (!slice) break;
        assert_true(lm_dataset_block_size(slice, &bytes));
        if (!*all) *first = bytes;
        *all += bytes;
    }
    leman_stream_free(stream);
}

#endif
