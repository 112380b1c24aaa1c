/* Features that several ranks write: slices are dealt out, each rank writes the text of its own, and the bytes are
 * those of one. */
#include "base/ranks/ranks.h"
#include "kernel/features/features.h"
#include "kernel/features/saving.h"
#include "support/ranks.h"
#include <stdio.h>
#include <unistd.h>

enum { GRAPHS = 70 };

/* What every rank does. */
typedef struct task {
    const char *name; /* of the file; others get their names from it */
    const char *folder;
    size_t ranks; /* for the names */
    leman_feature_options options;
    uint64_t max; /* tuples of a slice; 0: nothing is saved */
    leman_features sizes;
} task;

static void path_of(const task *t, const char *what, char *path)
{
    snprintf(path, 512, "%s/%zu%s%s", t->folder, t->ranks, what, t->name);
}

static leman_status save(leman_context *ctx, void *state)
{
    task *t = state;
    leman_dataset *data = NULL;
    leman_features sizes = {0};
    leman_kernel kernels[2] = {leman_kernel_default(), leman_kernel_default()};
    leman_family_options options = leman_family_options_default();
    char path[512], keep[512], table[512];
    options.graphs = GRAPHS;
    kernels[0].coloring.rounds = 2;
    kernels[1].kind = LEMAN_KERNEL_KIND_SHORTEST_PATH;
    path_of(t, "F", path);
    path_of(t, "K", keep);
    path_of(t, "T", table);
    leman_feature_options asked = t->options;
    if (!asked.hash_bits) asked.keep = keep;
    if (!asked.hash_bits) asked.column_table = table;
    leman_status st = leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, &data);
    if (!st && t->max) {
        const lm_saving saving = {
            .ctx = ctx, .data = data, .normal = kernels, .count = 2, .options = &asked, .max = t->max, .path = path};
        lm_ranks_begin(ctx); /* as leman_features_save() does */
        st = lm_ranks_end(ctx, lm_saving_run(&saving, &sizes));
    }
    t->sizes = sizes;
    lm_features_clear(&sizes);
    leman_dataset_free(data);
    return st;
}

static void run(const task *t, test_ranks *how, task *given)
{
    void *state[TEST_MAX_RANKS];
    for (size_t r = 0; r < how->ranks; r++) {
        given[r] = *t;
        given[r].ranks = how->ranks;
        state[r] = given + r;
    }
    char keep[512];
    path_of(given, "K", keep);
    unlink(keep); /* it must be new */
    test_ranks_run(how, save, state);
}

static char *text_of(const task *t, const char *what, size_t *size)
{
    char path[512], *text = malloc(1 << 22);
    path_of(t, what, path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    *size = fread(text, 1, 1 << 22, file);
    assert_true(*size > 0 && *size < 1 << 22);
    fclose(file);
    return text;
}

static void assert_same(const task *a, const task *b, const char *what)
{
    size_t size[2];
    char *one = text_of(a, what, size), *many = text_of(b, what, size + 1);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(one, many, size[0]);
    free(one);
    free(many);
}

/* New columns and folded ones, rows of length 1, slices of one graph and more, with MPI-IO and without. */
static void test_same_bytes(void **unused)
{
    (void)unused;
    static const char *const NAMES[] = {".svm", ".mtx", ".svm.gz", ".npz"};
    const char *folder = test_folder_new();
    for (size_t i = 0; i < 16; i++) {
        task t = {.name = NAMES[i % 4], .folder = folder, .options = leman_feature_options_default()};
        task one[1], given[TEST_MAX_RANKS];
        test_ranks alone = {.ranks = 1};
        t.options.normalize = i & 8;
        t.options.hash_bits = i & 4 ? 6 : 0;
        t.max = UINT64_C(1) << 40;
        run(&t, &alone, one);
        assert_int_equal(alone.status[0], LEMAN_OK);
        for (size_t ranks = 2; ranks <= 4; ranks++) {
            test_ranks how = {.ranks = ranks, .plain = ranks == 3};
            t.max = ranks == 4 ? 1 : 5000 * ranks;
            run(&t, &how, given);
            for (size_t r = 0; r < ranks; r++) {
                assert_int_equal(how.status[r], LEMAN_OK);
                assert_int_equal(given[r].sizes.rows, one->sizes.rows);
                assert_int_equal(given[r].sizes.columns, one->sizes.columns);
                assert_int_equal(given[r].sizes.entries, one->sizes.entries);
                assert_true(i % 4 > 1 || how.traffic[r].work > GRAPHS / ranks / 2); /* graphs of each, of text */
            }
            assert_same(one, given, "F");
            if (!t.options.hash_bits) assert_same(one, given, "K");
            if (!t.options.hash_bits) assert_same(one, given, "T");
        }
    }
    test_folder_remove(folder);
}

/* More ranks than slices: some have nothing to write. */
static void test_few_slices(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    task t = {.name = ".svm", .folder = folder, .options = leman_feature_options_default(), .max = UINT64_C(1) << 40};
    task one[1], given[TEST_MAX_RANKS];
    test_ranks alone = {.ranks = 1}, how = {.ranks = 4};
    run(&t, &alone, one);
    run(&t, &how, given);
    for (size_t r = 0; r < 4; r++) assert_int_equal(how.status[r], LEMAN_OK);
    assert_same(one, given, "F");
    assert_same(one, given, "K");
    test_folder_remove(folder);
}

/* Memory runs out on one rank: all end with its failure, and there is no file. */
static void test_allocations(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    task t = {.name = ".svm", .folder = folder, .options = leman_feature_options_default(), .max = 20000};
    task none = t, given[TEST_MAX_RANKS];
    test_ranks before = {.ranks = 2}; /* allocations of context and data are each rank's own */
    size_t failed = 0;
    char path[512];
    none.max = 0;
    run(&none, &before, given);
    path_of(given, "F", path);
    for (size_t n = before.allocations[1] + 1;; n += 1 + failed++ / 4) {
        test_ranks how = {.ranks = 2, .failing_rank = 1, .failing_allocation = n};
        run(&t, &how, given);
        if (how.allocations[1] < n) break;
        for (size_t r = 0; r < 2; r++) assert_int_equal(how.status[r], LEMAN_ERROR_MEMORY);
        assert_int_not_equal(access(path, F_OK), 0);
    }
    assert_true(failed > 10);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_few_slices),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
