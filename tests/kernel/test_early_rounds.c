/* Gram matrices of streams whose graphs share little: later rounds of a few graphs give the bytes of all rounds of
 * all. */
#include "kernel/dense_graphs.h"
#include "kernel/features.h"
#include "kernel/stream/early_rounds.h"
#include "support/meter.h"
#include <unistd.h>

enum {
    GRAPHS = 192,
    VERTICES = 20,
    ROUNDS = 5,
    SLICE = 96000 /* bytes: some eighty graphs of these */
};

static char *write_graphs(leman_context *ctx, const char *folder, size_t count, size_t edgeless)
{
    return write_graphs_of(ctx, folder, VERTICES, count, edgeless);
}

/* ---- Which way ------------------------------------------------------------------------------- */

/* Does the first slice of the graphs ask for the first rounds first? */
static bool chosen(leman_context *ctx, const char *path, leman_kernel kernel)
{
    leman_stream *stream = open_in_slices(ctx, path, SLICE);
    const leman_dataset *slice;
    const size_t block[] = {0, lm_kernel_blocks(&kernel, false)};
    lm_early early = {.ctx = ctx, .kernel = &kernel, .kernels = 1, .block = block, .max = 1 << 20, .limit = 1 << 20};
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    assert_int_equal(leman_stream_next(stream, &slice), LEMAN_OK);
    assert_int_equal(lm_early_begin(&early, true), LEMAN_OK);
    assert_int_equal(lm_early_choose(&early, slice), LEMAN_OK);
    const bool result = early.early[0];
    assert_int_equal(early.first[0].rounds, result ? early.exact[0] : kernel.rounds);
    lm_early_end(&early);
    lm_arena_reset(&ctx->scratch, mark);
    leman_stream_free(stream);
    return result;
}

/* Graphs are kept as long as they stay within the limit. */
static void test_limit(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    char *path = write_graphs(ctx, folder, GRAPHS, 0);
    const leman_kernel kernel = kernel_of(2, ROUNDS);
    const size_t block[] = {0, ROUNDS + 1};
    for (int fits = 0; fits < 2; fits++) {
        leman_stream *stream = open_in_slices(ctx, path, SLICE);
        lm_early early = {.ctx = ctx, .kernel = &kernel, .kernels = 1, .block = block, .max = 1 << 20};
        lm_shared_groups groups = {0};
        const leman_dataset *slice;
        size_t bytes;
        lm_arena_mark mark = lm_arena_now(&ctx->scratch);
        assert_int_equal(leman_stream_next(stream, &slice), LEMAN_OK);
        assert_true(lm_dataset_block_size(slice, &bytes));
        early.limit = fits ? 2 * bytes : bytes;
        assert_int_equal(lm_shared_groups_open(ctx, NULL, 0, (ROUNDS + 1) * LM_TRIPLE_LISTS, &groups), LEMAN_OK);
        assert_int_equal(lm_early_begin(&early, true), LEMAN_OK);
        assert_int_equal(lm_early_choose(&early, slice), LEMAN_OK);
        assert_int_equal(lm_early_keep(&early, stream, slice, 0, &groups), LEMAN_OK);
        assert_true(early.whole == !fits);
        assert_int_equal(early.slice.count, fits);
        assert_int_equal(early.first[0].rounds, fits ? early.exact[0] : ROUNDS);
        lm_early_end(&early);
        lm_shared_groups_close(&groups);
        lm_arena_reset(&ctx->scratch, mark);
        leman_stream_free(stream);
    }
    free(path);
    test_context_free(ctx);
    test_folder_remove(folder);
}

static void test_choice(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    char *dense = write_graphs(ctx, folder, GRAPHS, 0);
    leman_dataset *data = molecules(ctx, 500);
    const char *sparse = test_path(folder, "molecules.leman");
    assert_int_equal(leman_dataset_write(ctx, data, sparse, LEMAN_FORMAT_BINARY), LEMAN_OK);
    for (unsigned k = 1; k <= 3; k++) {
        leman_kernel kernel;
        const leman_kernel asked = kernel_of(k, ROUNDS), few = kernel_of(k, 3);
        assert_int_equal(lm_kernel_check(ctx, &asked, &kernel), LEMAN_OK);
        assert_true(chosen(ctx, dense, kernel) == (k > 1)); /* vertices have fewer colours than arcs */
        assert_false(chosen(ctx, sparse, kernel));
        assert_int_equal(lm_kernel_check(ctx, &few, &kernel), LEMAN_OK);
        assert_false(chosen(ctx, dense, kernel));
    }
    free(dense);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* Graphs that are isomorphic to others in the slice share everything, though the sample may not have both. */
static void test_copies(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    char *text = malloc(GRAPHS * 64);
    size_t at = 0;
    for (size_t i = 0; i < GRAPHS; i++) at += write_graph(text + at, VERTICES, i / 2, i, false);
    char *path = as_binary(ctx, folder, text, at);
    leman_kernel kernel;
    const leman_kernel asked = kernel_of(2, ROUNDS);
    assert_int_equal(lm_kernel_check(ctx, &asked, &kernel), LEMAN_OK);
    assert_false(chosen(ctx, path, kernel));
    free(path);
    free(text);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* ---- The same bytes -------------------------------------------------------------------------- */

/* Kernels for which it is and others, in any order. */
static size_t kernels_of(int way, leman_kernel *kernels)
{
    kernels[0] = kernel_of((unsigned)way % 3 + 1, ROUNDS);
    kernels[1] = kernel_of(1, 2);
    kernels[2] = kernel_of(2, ROUNDS - 1);
    kernels[1].weight = 0.25;
    if (way == 1) kernels[0].algorithm = LEMAN_ALGORITHM_LOCAL_PLUS;
    if (way == 4) kernels[0].algorithm = LEMAN_ALGORITHM_FOLKLORE;
    if (way == 7) kernels[0].kind = LEMAN_KERNEL_KIND_SHORTEST_PATH;
    for (int i = 0; i < 3; i++) kernels[i].assignment = way & 2 && kernels[i].kind == LEMAN_KERNEL_KIND_COLORS;
    return way < 5 ? 1 : 3;
}

static void test_same_bytes(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *path = test_path(folder, "k.npy");
    leman_context *ctx = test_context_new(2);
    char *graphs = write_graphs(ctx, folder, GRAPHS, 0);
    const cut cuts[] = {{SLICE, 0}, {WHOLE, 83}, {SLICE, 166}};
    for (int way = 0; way < 16; way++) {
        leman_kernel kernels[3];
        const size_t count = kernels_of(way % 8, kernels);
        check_matrix(ctx, graphs, kernels, count, way & 8, cuts, sizeof cuts / sizeof *cuts, path);
    }
    free(graphs);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* A matrix for every number of rounds, with a rule of its own for the last and without. */
static void test_rounds(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(2);
    char *graphs = write_graphs(ctx, folder, GRAPHS, 0);
    for (int way = 0; way < 8; way++) {
        leman_kernel kernel = kernel_of(2, ROUNDS);
        kernel.algorithm = way & 1 ? LEMAN_ALGORITHM_LOCAL_PLUS : LEMAN_ALGORITHM_LOCAL;
        kernel.assignment = way & 4;
        check_matrices(ctx, graphs, &kernel, way & 2, (cut){SLICE, 50}, folder);
    }
    free(graphs);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* A budget in which some of the graphs can be kept, one in which none can, and one in which all can: the same bytes,
 * within the budget. */
static void test_budgets(void **unused)
{
    (void)unused;
    enum { SLICES = 64 << 20 /* what a slice of tuples takes */ };
    const char *folder = test_folder_new(), *path = test_path(folder, "k.npy");
    leman_context *ctx = test_context_new(1);
    char *graphs = write_graphs(ctx, folder, GRAPHS, 0);
    leman_kernel kernel = kernel_of(2, ROUNDS);
    contents expected = {0};
    size_t first, all;
    measure_slices(ctx, graphs, SLICE, &first, &all);
    assert_true(all > 2 * first);
    for (int way = 0; way < 3; way++) {
        const size_t left[] = {3 * all, (first + all) / 2, 0};
        test_meter meter;
        leman_context *tight = test_meter_context(&meter, (way < 2 ? SLICES : SLICES / 2) + 4 * left[way], 1);
        leman_stream *stream = open_in_slices(tight, graphs, SLICE);
        const uint64_t limit = lm_features_spill_memory(tight, lm_features_slice_max(tight, 1), 1);
        assert_true(way == 0 ? limit > 2 * all : way == 1 ? limit > first && limit < all : !limit);
        assert_int_equal(lm_gram_stream(tight, stream, NULL, &kernel, 1, true, 0, path), LEMAN_OK);
        leman_stream_free(stream);
        if (way) assert_same_file(path, expected);
        if (!way) expected = read_file(path);
        test_meter_free(&meter, tight);
    }
    free(graphs);
    free(expected.data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* Sums that do not fit 64 bits are refused, be they of rounds that are merged or of others. */
static void test_large_sums(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *path = test_path(folder, "k.npy");
    leman_context *ctx = test_context_new(1);
    char *graphs = write_graphs(ctx, folder, GRAPHS, 1700);
    leman_kernel kernel = kernel_of(3, ROUNDS);
    leman_stream *stream = open_in_slices(ctx, graphs, SLICE);
    assert_true(chosen(ctx, graphs, kernel));
    assert_int_equal(lm_gram_stream(ctx, stream, NULL, &kernel, 1, false, 0, path), LEMAN_ERROR_BUDGET);
    assert_non_null(strstr(leman_context_message(ctx), "graph 192"));
    assert_int_equal(access(path, F_OK), -1);
    free(graphs);
    leman_stream_free(stream);
    test_context_free(ctx);
    test_folder_remove(folder);
}

typedef struct attempt {
    char *graphs;
    const char *path;
} attempt;

static leman_status body(leman_context *ctx, void *state)
{
    const attempt *a = state;
    leman_stream *stream = NULL;
    leman_kernel kernel = kernel_of(2, LM_EARLY_LEAST);
    leman_status st = lm_stream_open(ctx, a->graphs, NULL, SLICE, &stream);
    if (!st) st = lm_gram_stream(ctx, stream, NULL, &kernel, 1, true, 0, a->path);
    leman_stream_free(stream);
    return st;
}

static void test_memory(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    attempt a = {write_graphs(ctx, folder, 100, 0), test_path(folder, "k.npy")};
    assert_true(chosen(ctx, a.graphs, kernel_of(2, LM_EARLY_LEAST)));
    assert_true(test_fail_each_allocation(body, &a) > 100);
    free(a.graphs);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* A caller that cancels when first asked: no file, nothing lost. */
static void test_cancelled(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    test_meter meter;
    leman_context *ctx = test_meter_context(&meter, 0, 2);
    attempt a = {write_graphs(ctx, folder, GRAPHS, 0), test_path(folder, "k.npy")};
    meter.says_stop = true;
    assert_int_equal(body(ctx, &a), LEMAN_ERROR_CANCELLED);
    assert_int_equal(access(a.path, F_OK), -1);
    free(a.graphs);
    test_meter_free(&meter, ctx);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choice),     cmocka_unit_test(test_limit),  cmocka_unit_test(test_copies),
        cmocka_unit_test(test_same_bytes), cmocka_unit_test(test_rounds), cmocka_unit_test(test_budgets),
        cmocka_unit_test(test_large_sums), cmocka_unit_test(test_memory), cmocka_unit_test(test_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
