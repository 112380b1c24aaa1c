/* What colours of vertices say about those of tuples, against the tuples. */
#include "kernel/dense_graphs.h"
#include "kernel/features.h"
#include "kernel/stream/early_rounds.h"
#include "kernel/stream/early_vertices.h"
#include "support/meter.h"
#include "support/random_graphs.h"
#include <unistd.h>

enum { ROUNDS = 4, FAMILY = 8, GRAPHS = 128, VERTICES = 40, SLICE = 340000 /* bytes: not all of these */ };

/* ---- Classes --------------------------------------------------------------------------------- */

/* The entries of the vertices, sorted; free() them. */
static lm_pair *vertices_of(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel, uint32_t rounds,
                            const lm_later_rounds *later, bool *known, size_t *count)
{
    lm_triples triples;
    lm_pair *entry, *copy;
    assert_int_equal(lm_triples_new(ctx, data->graphs, 1, &triples), LEMAN_OK);
    assert_int_equal(lm_early_vertices(ctx, data, kernel, rounds, later, known, &triples), LEMAN_OK);
    assert_int_equal(lm_triples_sort(ctx, &triples, 0, 0, &entry, count), LEMAN_OK);
    copy = malloc((*count + 1) * sizeof *copy);
    if (*count) memcpy(copy, entry, *count * sizeof *copy);
    lm_free(ctx, entry);
    lm_triples_free(ctx, &triples);
    return copy;
}

static bool share_entry(const lm_pair *entry, size_t count, size_t a, size_t b)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; lm_pair_graph(entry[i]) == a && j < count; j++)
            if (lm_pair_graph(entry[j]) == b && entry[j].key == entry[i].key) return true;
    return false;
}

static bool share_color(const leman_histogram *a, const leman_histogram *b, uint32_t round)
{
    for (uint64_t i = a->start[round]; i < a->start[round + 1]; i++)
        for (uint64_t j = b->start[round]; j < b->start[round + 1]; j++)
            if (a->color[i].color == b->color[j].color) return true;
    return false;
}

static uint64_t self_of(const leman_histogram *h, uint32_t round, bool minima)
{
    uint64_t sum = 0;
    for (uint64_t i = h->start[round]; i < h->start[round + 1]; i++)
        sum += minima ? h->color[i].count : h->color[i].count * h->color[i].count;
    return sum;
}

/* How many graphs were known of those without twins and with them, and how many were not. */
typedef struct found {
    size_t differ, twins, others;
} found;

/* Graphs that share a tuple share a vertex; what is known is so. */
static void check_classes(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel, uint32_t rounds,
                          bool each, found *f)
{
    const leman_coloring coloring = leman_kernel_coloring(kernel);
    const size_t slots = each ? ROUNDS - rounds + 1 : 1;
    leman_histogram *h[FAMILY];
    uint64_t sum[FAMILY * ROUNDS] = {0};
    bool known[FAMILY];
    size_t count;
    const lm_later_rounds later = {rounds - 1, kernel->assignment, each, sum, NULL};
    lm_pair *entry = vertices_of(ctx, data, kernel, rounds, &later, known, &count);
    for (size_t g = 0; g < data->graphs; g++) {
        const leman_graph graph = leman_dataset_graph(data, g);
        size_t colors = 0;
        for (size_t i = 0; i < count; i++) colors += lm_pair_graph(entry[i]) == g;
        assert_int_equal(leman_histogram_compute(ctx, &graph, &coloring, h + g), LEMAN_OK);
        *(!known[g] ? &f->others : colors == graph.vertices ? &f->differ : &f->twins) += 1;
        for (uint32_t r = rounds; known[g] && r <= ROUNDS; r++)
            sum[g * slots + (each ? r - rounds : 0)] -= self_of(h[g], r, kernel->assignment);
        for (size_t i = 0; i < slots; i++) assert_int_equal(sum[g * slots + i], 0);
        for (size_t b = 0; b < g; b++)
            if (share_color(h[g], h[b], rounds)) assert_true(share_entry(entry, count, g, b));
    }
    for (size_t g = 0; g < data->graphs; g++) leman_histogram_free(h[g]);
    free(entry);
}

static void test_classes(void **unused)
{
    (void)unused;
    static random_graph graph[FAMILY];
    leman_context *ctx = test_context_new(2);
    uint64_t state = 20261117;
    found f[2] = {0};
    for (int way = 0; way < 400; way++) {
        const random_graph_kind kind = random_graph_kind_draw(&state);
        leman_kernel asked = kernel_of(way % 5 ? 2 : 3, ROUNDS), kernel;
        asked.algorithm = (leman_algorithm)(way % LEMAN_ALGORITHM_COUNT);
        asked.assignment = test_random(&state) % 4 == 0;
        asked.in_arcs = test_random(&state) % 2;
        asked.ignore_vertex_labels = test_random(&state) % 3 == 0;
        asked.ignore_edge_labels = test_random(&state) % 3 == 0;
        if (lm_kernel_check(ctx, &asked, &kernel) || lm_kernel_branches(&kernel)) continue;
        assert_true(lm_early_vertices_serve(&kernel));
        random_graph_draw_family(&state, &kind, asked.k == 2 ? 14 : 8, way % 2, FAMILY, graph);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, FAMILY);
        for (uint32_t rounds = 1; rounds <= ROUNDS; rounds++)
            check_classes(ctx, data, &kernel, rounds, test_random(&state) % 2, f + (asked.k == 3));
        leman_dataset_free(data);
    }
    assert_true(f[0].differ > 100 && f[0].twins > 100 && f[0].others > 100);
    assert_true(f[1].differ > 50 && !f[1].twins && f[1].others > 50);
    test_context_free(ctx);
}

/* Vertices have no tuples behind them, and of sparse tuples some are missing. */
static void test_serve(void **unused)
{
    (void)unused;
    leman_kernel kernel = kernel_of(2, ROUNDS);
    assert_true(lm_early_vertices_serve(&kernel));
    kernel.components = 1;
    assert_false(lm_early_vertices_serve(&kernel));
    kernel = kernel_of(1, ROUNDS);
    assert_false(lm_early_vertices_serve(&kernel));
    kernel = kernel_of(2, ROUNDS);
    kernel.kind = LEMAN_KERNEL_KIND_SHORTEST_PATH;
    assert_false(lm_early_vertices_serve(&kernel));
}

/* Twins whose squares do not fit are not known. */
static void test_large(void **unused)
{
    (void)unused;
    enum { FITS = 65535, LARGE };
    leman_context *ctx = test_context_new(1);
    const leman_kernel kernel = kernel_of(2, ROUNDS);
    for (size_t n = FITS; n <= LARGE; n++) {
        leman_builder *builder;
        leman_dataset *data;
        uint64_t sum[] = {0, 0, 0};
        bool known;
        size_t count;
        lm_later_rounds later = {1, false, true, sum, NULL};
        assert_int_equal(leman_builder_new(ctx, "edgeless", &(leman_columns){0}, &builder), LEMAN_OK);
        assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < n; v++) assert_int_equal(leman_builder_vertex(builder, NULL, NULL, NULL), LEMAN_OK);
        assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
        leman_builder_free(builder);
        free(vertices_of(ctx, data, &kernel, 2, &later, &known, &count));
        assert_int_equal(count, 1);
        assert_true(known == (n == FITS));
        for (int i = 0; i < 3; i++) assert_true(sum[i] == (known ? n * n + n * (n - 1) * n * (n - 1) : 0));
        later.each = false; /* the sum of three rounds does not fit */
        sum[0] = 0;
        free(vertices_of(ctx, data, &kernel, 2, &later, &known, &count));
        assert_true(sum[0] == (known ? UINT64_MAX : 0));
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* ---- Gram matrices --------------------------------------------------------------------------- */

/* Is round 2 of the tuples looked at? */
static uint32_t exact_rounds(leman_context *ctx, const char *path, leman_kernel kernel)
{
    leman_stream *stream = open_in_slices(ctx, path, SLICE);
    const leman_dataset *slice;
    const size_t block[] = {0, lm_kernel_blocks(&kernel, false)};
    lm_early early = {.ctx = ctx, .kernel = &kernel, .kernels = 1, .block = block, .max = 1 << 22, .limit = 1 << 22};
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    assert_int_equal(leman_stream_next(stream, &slice), LEMAN_OK);
    assert_int_equal(lm_early_begin(&early, true), LEMAN_OK);
    assert_int_equal(lm_early_choose(&early, slice), LEMAN_OK);
    const uint32_t exact = early.first[0].rounds;
    assert_true(exact == kernel.rounds ? !early.early[0] : early.early[0] && early.exact[0] == exact);
    lm_early_end(&early);
    lm_arena_reset(&ctx->scratch, mark);
    leman_stream_free(stream);
    return exact;
}

/* Large graphs hardly share vertices; small ones do. */
static void test_choice(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    char *large = write_graphs_of(ctx, folder, VERTICES, GRAPHS, 0);
    assert_int_equal(exact_rounds(ctx, large, kernel_of(2, ROUNDS)), LM_EARLY_ROUNDS - 1);
    free(large);
    char *small = write_graphs_of(ctx, folder, 14, 8 * GRAPHS, 0);
    assert_int_equal(exact_rounds(ctx, small, kernel_of(2, ROUNDS)), LM_EARLY_ROUNDS);
    free(small);
    test_context_free(ctx);
    test_folder_remove(folder);
}

static void test_same_bytes(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *path = test_path(folder, "k.npy");
    leman_context *ctx = test_context_new(2);
    char *graphs = write_graphs_of(ctx, folder, VERTICES, GRAPHS, 0);
    const cut cuts[] = {{WHOLE, 0}, {SLICE, 50}};
    for (int way = 0; way < 8; way++) {
        leman_kernel kernel[] = {kernel_of(2, ROUNDS), kernel_of(2, ROUNDS + 1), kernel_of(1, 2)};
        kernel[0].assignment = way & 1;
        kernel[0].algorithm = way & 2 ? LEMAN_ALGORITHM_DELTA : LEMAN_ALGORITHM_LOCAL;
        assert_int_equal(exact_rounds(ctx, graphs, kernel[0]), LM_EARLY_ROUNDS - 1);
        check_matrix(ctx, graphs, kernel, way & 4 ? 3 : 1, true, cuts, sizeof cuts / sizeof *cuts, path);
    }
    free(graphs);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* A matrix for every number of rounds. */
static void test_rounds(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    char *graphs = write_graphs_of(ctx, folder, VERTICES, GRAPHS, 0);
    const leman_kernel kernel = kernel_of(2, ROUNDS);
    check_matrices(ctx, graphs, &kernel, false, (cut){SLICE, 0}, folder);
    free(graphs);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static leman_status body(leman_context *ctx, void *state)
{
    char *const *path = state; /* of graphs, of the matrix */
    leman_stream *stream = NULL;
    const leman_kernel kernel = kernel_of(2, ROUNDS);
    leman_status st = lm_stream_open(ctx, path[0], NULL, SLICE, &stream);
    if (!st) st = lm_gram_stream(ctx, stream, NULL, &kernel, 1, true, 0, path[1]);
    leman_stream_free(stream);
    return st;
}

/* A budget in which all graphs can be kept, one in which some can: the same bytes. */
static void test_budgets(void **unused)
{
    (void)unused;
    enum { SLICES = 64 << 20 /* what a slice of tuples takes */ };
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    char *path[] = {write_graphs_of(ctx, folder, VERTICES, 2 * GRAPHS, 0), strdup(test_path(folder, "k.npy"))};
    contents expected = {0};
    size_t first, all;
    measure_slices(ctx, path[0], SLICE, &first, &all);
    assert_true(all > 2 * first);
    for (int way = 0; way < 2; way++) {
        test_meter meter;
        leman_context *tight = test_meter_context(&meter, SLICES + 4 * (way ? (first + all) / 2 : 3 * all), 1);
        const uint64_t limit = lm_features_spill_memory(tight, lm_features_slice_max(tight, 1), 1);
        assert_true(way ? limit > first && limit < all : limit > 2 * all);
        assert_int_equal(body(tight, path), LEMAN_OK);
        if (way) assert_same_file(path[1], expected);
        if (!way) expected = read_file(path[1]);
        test_meter_free(&meter, tight);
    }
    free(expected.data);
    free(path[0]);
    free(path[1]);
    test_context_free(ctx);
    test_folder_remove(folder);
}

static void test_memory(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    char *path[] = {write_graphs_of(ctx, folder, VERTICES, GRAPHS, 0), strdup(test_path(folder, "k.npy"))};
    assert_int_equal(exact_rounds(ctx, path[0], kernel_of(2, ROUNDS)), LM_EARLY_ROUNDS - 1);
    assert_true(test_fail_each_allocation(body, path) > 100);
    free(path[0]);
    free(path[1]);
    test_context_free(ctx);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes), cmocka_unit_test(test_serve),      cmocka_unit_test(test_large),
        cmocka_unit_test(test_choice),  cmocka_unit_test(test_same_bytes), cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_budgets), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
