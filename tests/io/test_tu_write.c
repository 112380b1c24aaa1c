/* Writing TU: reading back gives the same data set, for every column and kind of graph; refusals leave nothing. */
#include "support/support.h"

#include "base/context.h"
#include "base/file.h"
#include "io/archive/zip_write.h"
#include <dirent.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void must(leman_context *ctx, leman_status st)
{
    if (st) fail_msg("%s", leman_context_message(ctx));
}

static size_t entries(const char *folder)
{
    size_t count = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (const struct dirent *e; (e = readdir(d));) count += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    closedir(d);
    return count;
}

static double random_real(uint64_t *random)
{
    static const double ODD[] = {0,
                                 -0.0,
                                 0.1,
                                 1.0 / 3,
                                 DBL_MAX,
                                 -DBL_MAX,
                                 DBL_MIN,
                                 4.9406564584124654e-324,
                                 1e21,
                                 123456,
                                 1e-300,
                                 2.5,
                                 9007199254740993.0,
                                 5e22};
    if (test_random(random) % 2) return ODD[test_random(random) % (sizeof ODD / sizeof *ODD)];
    uint64_t bits = test_random(random);
    double value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : 1;
}

static int64_t random_integer(uint64_t *random)
{
    return test_random(random) % 3 ? (int64_t)(test_random(random) % 5) - 2 : (int64_t)test_random(random);
}

/* A few graphs with up to three columns of each kind, the last not empty. */
static leman_dataset *random_dataset(leman_context *ctx, uint64_t *random, const leman_policy *policy, bool names)
{
    enum { COLUMNS = 3 };
    leman_columns c = {.vertex_labels = test_random(random) % COLUMNS,
                       .edge_labels = test_random(random) % COLUMNS,
                       .vertex_attributes = test_random(random) % COLUMNS,
                       .edge_attributes = test_random(random) % COLUMNS,
                       .targets = test_random(random) % COLUMNS,
                       .classes = test_random(random) % 2,
                       .graph_names = names,
                       .vertex_names = names};
    size_t graphs = test_random(random) % 6 + 1;
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    must(ctx, leman_builder_new(ctx, "random", &c, &builder));
    for (size_t g = 0; g < graphs; g++) {
        int64_t labels[COLUMNS];
        double reals[COLUMNS];
#define DRAW                                                                                                           \
    for (int i = 0; i < COLUMNS; i++) labels[i] = random_integer(random), reals[i] = random_real(random)
        DRAW;
        must(ctx, leman_builder_graph(builder, "g", labels, reals));
        size_t n = g + 1 == graphs ? 2 : test_random(random) % 6;
        for (size_t v = 0; v < n; v++) {
            DRAW;
            must(ctx, leman_builder_vertex(builder, "v", labels, reals));
        }
        for (size_t e = 0; e < 2 * n; e++) {
            DRAW;
            must(ctx, leman_builder_edge(builder, test_random(random) % n, test_random(random) % n, labels, reals));
        }
        if (g + 1 == graphs) must(ctx, leman_builder_edge(builder, 0, 1, labels, reals)); /* there is an arc */
    }
    must(ctx, leman_builder_finish(builder, policy, NULL, &data));
    leman_builder_free(builder);
    return data;
}

static void reading_back_gives_the_same(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    uint64_t random = 11;
    for (int round = 0; round < 60; round++) {
        leman_context *ctx = test_context_new(1);
        leman_read_options options = leman_read_options_default();
        leman_cleaning report;
        leman_policy policy = leman_policy_default();
        policy.directed = round % 2;
        policy.self_loops = LEMAN_ACTION_KEEP;
        options.policy = &policy;
        leman_dataset *data = random_dataset(ctx, &random, &policy, false);
        const char *const outputs[] = {"set.v1", "set.zip"};
        for (int i = 0; i < 2; i++) {
            char path[4096];
            strcpy(path, test_path(folder, outputs[i]));
            leman_dataset *back = NULL;
            must(ctx, leman_dataset_write(ctx, data, path, i ? LEMAN_FORMAT_AUTO : LEMAN_FORMAT_TU));
            must(ctx, leman_dataset_read(ctx, path, &options, &report, &back));
            assert_true(test_same_dataset(data, back));
            must(ctx, leman_dataset_check(ctx, back));
            assert_string_equal(leman_dataset_shape(back)->name, i ? "set" : "set.v1");
            assert_int_equal(report.repeated_edges + report.one_way_edges + report.moved_vertices, 0);
            leman_dataset_free(back);
            if (i) continue;
            char moved[4096];
            strcpy(moved, test_path(folder, "old"));
            snprintf(moved + strlen(moved), 16, "%d", round);
            assert_int_equal(rename(path, moved), 0);
        }
        leman_dataset_free(data);
        test_context_free(ctx);
    }
    test_folder_remove(folder);
}

static size_t file_bytes(const char *path, char *bytes, size_t size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t got = fread(bytes, 1, size, f);
    fclose(f);
    return got;
}

static void zips_depend_on_their_content_alone(void **state)
{
    (void)state;
    static char first[1 << 16], second[1 << 16];
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    uint64_t random = 4;
    leman_dataset *data = random_dataset(ctx, &random, NULL, false);
    char path[4096];
    strcpy(path, test_path(folder, "a.zip"));
    must(ctx, leman_dataset_write(ctx, data, path, LEMAN_FORMAT_AUTO));
    size_t size = file_bytes(path, first, sizeof first);
    setenv("TZ", "Asia/Tokyo", 1);
    must(ctx, leman_dataset_write(ctx, data, path, LEMAN_FORMAT_AUTO));
    unsetenv("TZ");
    assert_int_equal(file_bytes(path, second, sizeof second), size);
    assert_memory_equal(first, second, size);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* Names that would hide the set from our own reader, or be part of a path, are changed. */
static void any_output_name_reads_back(void **state)
{
    (void)state;
    static const char *const NAMES[] = {".hidden",  ".hidden.zip",    "__MACOSX", "__MACOSX.zip", "c:d.zip",
                                        "a\\b.zip", "a\377\376b.zip", "x\ny",     "..zip",        "\xe2\x82\xac.zip"};
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    uint64_t random = 4;
    leman_dataset *data = random_dataset(ctx, &random, NULL, false);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        char path[4096];
        leman_dataset *back = NULL;
        strcpy(path, test_path(folder, NAMES[i]));
        must(ctx, leman_dataset_write(ctx, data, path, LEMAN_FORMAT_AUTO));
        must(ctx, leman_dataset_read(ctx, path, NULL, NULL, &back));
        assert_true(test_same_dataset(data, back));
        leman_dataset_free(back);
    }
    char path[4096];
    memset(path, 0, sizeof path);
    strcpy(path, folder);
    strcat(path, "/");
    memset(path + strlen(path), 'n', 220); /* with the longest ending this is no name of a file any more */
    leman_dataset *back = NULL;
    must(ctx, leman_dataset_write(ctx, data, path, LEMAN_FORMAT_TU));
    must(ctx, leman_dataset_read(ctx, path, NULL, NULL, &back));
    leman_dataset_free(back);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static leman_dataset *build(leman_context *ctx, size_t graphs, size_t vertices, double target)
{
    leman_columns columns = {.targets = 1};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    must(ctx, leman_builder_new(ctx, "odd", &columns, &builder));
    for (size_t g = 0; g < graphs; g++) {
        must(ctx, leman_builder_graph(builder, NULL, NULL, &(double){1}));
        for (size_t v = 0; !g && v < vertices; v++) must(ctx, leman_builder_vertex(builder, NULL, NULL, NULL));
    }
    must(ctx, leman_builder_finish(builder, NULL, NULL, &data));
    leman_builder_free(builder);
    if (graphs) memcpy((void *)(uintptr_t)leman_dataset_targets(data), &target, sizeof target); /* behind its back */
    return data;
}

static void what_it_cannot_hold_is_refused(void **state)
{
    (void)state;
    const struct {
        size_t graphs, vertices;
        double target;
        const char *words;
    } CASES[] = {
        {0, 0, 0, "without graphs"}, {1, 0, 0, "graph 0"}, {3, 2, 0, "graph 2"}, {1, 1, INFINITY, "not finite"}};
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        leman_dataset *data = build(ctx, CASES[i].graphs, CASES[i].vertices, CASES[i].target);
        assert_int_equal(leman_dataset_write(ctx, data, test_path(folder, "out"), LEMAN_FORMAT_TU), LEMAN_ERROR_INPUT);
        assert_non_null(strstr(leman_context_message(ctx), CASES[i].words));
        assert_int_equal(leman_dataset_write(ctx, data, test_path(folder, "out.zip"), LEMAN_FORMAT_TU_ZIP),
                         LEMAN_ERROR_INPUT);
        assert_non_null(strstr(leman_context_message(ctx), CASES[i].words));
        leman_dataset_free(data);
    }
    assert_int_equal(entries(folder), 0);
    test_context_free(ctx);
    test_folder_remove(folder);
}

static void what_is_there_stays(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = build(ctx, 1, 2, 0);
    mkdir(test_path(folder, "there"), 0777);
    test_file_text(folder, "file", "precious");
    static const char *const PATHS[] = {"there", "there/", "file", "missing/out"};
    for (size_t i = 0; i < sizeof PATHS / sizeof *PATHS; i++)
        assert_int_equal(leman_dataset_write(ctx, data, test_path(folder, PATHS[i]), LEMAN_FORMAT_TU),
                         LEMAN_ERROR_FILE);
    assert_int_equal(leman_dataset_write(ctx, data, "-", LEMAN_FORMAT_TU), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_dataset_write(ctx, data, "/dev/full", LEMAN_FORMAT_TU_ZIP), LEMAN_ERROR_FILE);
    assert_int_equal(leman_dataset_write(ctx, data, test_path(folder, "there"), LEMAN_FORMAT_TU_ZIP), LEMAN_ERROR_FILE);
    assert_int_equal(entries(folder), 2);
    assert_int_equal(entries(test_path(folder, "there")), 0);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

static void remember(void *user, const char *message)
{
    strcat(strcat(user, message), "\n");
}

static void losses_are_logged(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    char logged[4096] = "";
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_policy policy = leman_policy_default();
    uint64_t random = 3;
    settings.log = remember;
    settings.callback_user = logged;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    policy.directed = true;
    leman_dataset *data = random_dataset(ctx, &random, &policy, true);
    must(ctx, leman_dataset_write(ctx, data, test_path(folder, "out"), LEMAN_FORMAT_TU));
    assert_non_null(strstr(logged, "names of graphs"));
    assert_non_null(strstr(logged, "names of vertices"));
    assert_non_null(strstr(logged, "directed"));
    leman_dataset_free(data);
    leman_context_free(ctx);
    test_folder_remove(folder);
}

/* ---- The zip itself -------------------------------------------------------------------------- */

static int swallow(void *user, const char *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)user += size;
    return 0;
}

/* Sizes past 32 bits are refused; the counters are set by hand, since 4 GiB of text would take a while. */
static void sizes_past_4_gib_are_refused(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    for (int place = 0; place < 3; place++) {
        lm_output out, *text;
        lm_zip zip;
        size_t swallowed = 0;
        must(ctx, lm_output_open_sink(ctx, "big.zip", swallow, &swallowed, &out));
        lm_zip_begin(ctx, &out, &zip);
        must(ctx, lm_zip_member(&zip, "a", &text));
        if (place == 0) zip.size = UINT32_MAX - 1;
        must(ctx, lm_output_write(text, "x", 1));
        leman_status st = lm_zip_member_end(&zip);
        if (place == 1) zip.at = UINT32_MAX, st = lm_zip_member(&zip, "b", &text);
        if (place == 2) zip.at = UINT32_MAX, st = lm_zip_end(&zip);
        assert_int_equal(st, LEMAN_ERROR_INPUT);
        assert_non_null(strstr(leman_context_message(ctx), "4 GiB"));
        lm_zip_free(&zip);
        lm_output_abort(&out);
    }
    test_context_free(ctx);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

typedef struct target {
    const leman_dataset *data;
    const char *folder;
    leman_format format;
    int written;
} target;

static leman_status write_body(leman_context *ctx, void *state)
{
    target *t = state;
    char path[4096];
    size_t before = entries(t->folder);
    snprintf(path, sizeof path, "%s/out%d", t->folder, t->written);
    leman_status st = leman_dataset_write(ctx, t->data, path, t->format);
    t->written += st == LEMAN_OK;
    assert_int_equal(entries(t->folder), before + (st == LEMAN_OK));
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    uint64_t random = 9;
    target t = {.data = random_dataset(ctx, &random, NULL, false), .folder = folder, .format = LEMAN_FORMAT_TU};
    assert_true(test_fail_each_allocation(write_body, &t) > 8);
    t.format = LEMAN_FORMAT_TU_ZIP;
    assert_true(test_fail_each_allocation(write_body, &t) > 8);
    leman_dataset_free((leman_dataset *)(uintptr_t)t.data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_back_gives_the_same),  cmocka_unit_test(zips_depend_on_their_content_alone),
        cmocka_unit_test(any_output_name_reads_back),   cmocka_unit_test(what_it_cannot_hold_is_refused),
        cmocka_unit_test(what_is_there_stays),          cmocka_unit_test(losses_are_logged),
        cmocka_unit_test(sizes_past_4_gib_are_refused), cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
