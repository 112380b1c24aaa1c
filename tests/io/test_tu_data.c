/* The benchmark sets, where they are at hand, read as their published figures say. */
#include "support/support.h"

#include <stdio.h>
#include <unistd.h>

typedef struct figures {
    const char *name;
    size_t graphs, vertices, edges;
    size_t classes;                    /* different ones; 0: none */
    size_t vertex_labels, edge_labels; /* different ones */
    size_t vertex_attributes, targets; /* columns */
} figures;

static const figures PUBLISHED[] = {
    {"ENZYMES", 600, 19580, 37282, 6, 3, 0, 18, 0},
    {"IMDB-BINARY", 1000, 19773, 96531, 2, 0, 0, 0, 0},
    {"IMDB-MULTI", 1500, 19502, 98903, 3, 0, 0, 0, 0},
    {"NCI1", 4110, 122747, 132753, 2, 37, 0, 0, 0},
    {"NCI109", 4127, 122494, 132604, 2, 38, 0, 0, 0},
    {"PTC_FM", 349, 4925, 5055, 2, 18, 4, 0, 0},
    {"PROTEINS", 1113, 43471, 81044, 2, 3, 0, 1, 0},
    {"REDDIT-BINARY", 2000, 859254, 995508, 2, 0, 0, 0, 0},
    {"MUTAG", 188, 3371, 3721, 2, 7, 4, 0, 0},
    {"ZINC_12k_sample", 12000, 278120, 299114, 0, 21, 4, 0, 4},
    {"ZINC_full_valtest", 29445, 680935, 732306, 0, 20, 4, 0, 0},
    {"QM9_20k", 20000, 361505, 373970, 0, 5, 4, 15, 13},
    {"Tox21_AHR", 8169, 147772, 151094, 2, 49, 4, 0, 0},
    {"Mutagenicity", 4337, 131488, 133447, 2, 14, 3, 0, 0},
};

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static size_t different(const int64_t *values, size_t count)
{
    int64_t *sorted = malloc((count ? count : 1) * sizeof *sorted);
    size_t result = 0;
    assert_non_null(sorted);
    if (values && count) {
        memcpy(sorted, values, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, by_value);
        for (size_t i = 0; i < count; i++) result += !i || sorted[i] != sorted[i - 1];
    }
    free(sorted);
    return result;
}

static void expect_figures(const leman_dataset *data, const leman_cleaning *report, const figures *f)
{
    const leman_shape *shape = leman_dataset_shape(data);
    leman_graph first = leman_dataset_graph(data, 0); /* labels of all graphs lie behind those of the first */
    const leman_cleaning clean = {.isolated_vertices = report->isolated_vertices};
    assert_string_equal(shape->name, f->name);
    assert_int_equal(shape->graphs, f->graphs);
    assert_int_equal(shape->vertices, f->vertices);
    assert_int_equal(shape->edges, f->edges);
    assert_int_equal(shape->arcs, 2 * f->edges);
    assert_int_equal(shape->columns->vertex_labels, f->vertex_labels > 0);
    assert_int_equal(shape->columns->edge_labels, f->edge_labels > 0);
    assert_int_equal(shape->columns->vertex_attributes, f->vertex_attributes);
    assert_int_equal(shape->columns->targets, f->targets);
    assert_int_equal(different(leman_dataset_classes(data), shape->graphs), f->classes);
    assert_int_equal(different(first.vertex_label, first.vertex_label ? shape->vertices : 0), f->vertex_labels);
    assert_int_equal(different(first.edge_label, first.edge_label ? shape->arcs : 0), f->edge_labels);
    assert_memory_equal(report, &clean, sizeof clean); /* every edge is there twice, once a way */
}

static void published_figures_agree(void **state)
{
    (void)state;
    if (!test_data()) {
        print_message("the benchmark sets are not here: not tested\n");
        skip();
    }
    for (size_t i = 0; i < sizeof PUBLISHED / sizeof *PUBLISHED; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.zip", PUBLISHED[i].name);
        const char *path = test_path(test_data(), name);
        leman_context *ctx = test_context_new(1);
        leman_dataset *data = NULL;
        leman_cleaning report;
        if (access(path, R_OK)) {
            print_message("%s is not here: not tested\n", path);
        } else {
            if (leman_dataset_read(ctx, path, NULL, &report, &data)) fail_msg("%s", leman_context_message(ctx));
            expect_figures(data, &report, PUBLISHED + i);
            assert_int_equal(leman_dataset_check(ctx, data), LEMAN_OK);
        }
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

/* Out as a folder and a zip, and back: nothing is lost. */
static void real_sets_survive_writing(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"ENZYMES.zip", "PTC_FM.zip", "QM9_20k.zip"};
    if (!test_data()) skip();
    const char *folder = test_folder_new();
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        leman_context *ctx = test_context_new(1);
        leman_dataset *data = NULL;
        char path[4096];
        if (access(test_path(test_data(), NAMES[i]), R_OK) == 0) {
            assert_int_equal(leman_dataset_read(ctx, test_path(test_data(), NAMES[i]), NULL, NULL, &data), LEMAN_OK);
            for (int zip = 0; zip < 2; zip++) {
                leman_dataset *back = NULL;
                snprintf(path, sizeof path, "%s/%zu%s", folder, i, zip ? ".zip" : "");
                assert_int_equal(leman_dataset_write(ctx, data, path, LEMAN_FORMAT_AUTO), LEMAN_OK);
                assert_int_equal(leman_dataset_read(ctx, path, NULL, NULL, &back), LEMAN_OK);
                assert_true(test_same_dataset(data, back));
                leman_dataset_free(back);
            }
        }
        leman_dataset_free(data);
        test_context_free(ctx);
    }
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(published_figures_agree),
                                       cmocka_unit_test(real_sets_survive_writing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
