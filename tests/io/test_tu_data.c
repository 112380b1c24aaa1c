/* The benchmark sets, where they are at hand, read as their published figures say. */
#include "io/download/cache.h"
#include "support/support.h"

typedef struct figures {
    const char *name;
    size_t graphs, vertices, edges;
    size_t classes;                    /* different ones; 0: none */
    size_t vertex_labels, edge_labels; /* different ones */
    size_t vertex_attributes, targets; /* columns */
    bool in_catalogue;
} figures;

static const figures PUBLISHED[] = {
    {"ENZYMES", 600, 19580, 37282, 6, 3, 0, 18, 0, true},
    {"IMDB-BINARY", 1000, 19773, 96531, 2, 0, 0, 0, 0, true},
    {"IMDB-MULTI", 1500, 19502, 98903, 3, 0, 0, 0, 0, true},
    {"NCI1", 4110, 122747, 132753, 2, 37, 0, 0, 0, true},
    {"NCI109", 4127, 122494, 132604, 2, 38, 0, 0, 0, true},
    {"PTC_FM", 349, 4925, 5055, 2, 18, 4, 0, 0, true},
    {"PROTEINS", 1113, 43471, 81044, 2, 3, 0, 1, 0, true},
    {"REDDIT-BINARY", 2000, 859254, 995508, 2, 0, 0, 0, 0, true},
    {"MUTAG", 188, 3371, 3721, 2, 7, 4, 0, 0, true},
    {"ZINC_10k", 12000, 277864, 298985, 0, 21, 3, 0, 1, false},
    {"QM9", 130831, 2359210, 2440360, 0, 5, 4, 0, 12, false},
    {"Tox21_AHR", 8169, 147772, 151094, 2, 49, 4, 0, 0, false},
    {"Mutagenicity", 4337, 131488, 133447, 2, 14, 3, 0, 0, true},
};
enum { SETS = sizeof PUBLISHED / sizeof *PUBLISHED };

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

static leman_dataset *read_set(leman_context *ctx, const char *path, leman_cleaning *report)
{
    leman_dataset *data = NULL;
    if (leman_dataset_read(ctx, path, NULL, report, &data)) fail_msg("%s", leman_context_message(ctx));
    return data;
}

/* As published; and the catalogue, where it knows the name, agrees, and takes it for no other set. */
static void published_figures_agree(void **state)
{
    const figures *f = *state;
    const char *path = test_set(f->name);
    leman_context *ctx = test_context_new(1);
    leman_cleaning report;
    leman_dataset *data = read_set(ctx, path, &report);
    expect_figures(data, &report, f);
    assert_int_equal(leman_dataset_check(ctx, data), LEMAN_OK);
    for (size_t i = 0; f->in_catalogue && i < SETS; i++)
        if (PUBLISHED[i].in_catalogue) {
            leman_status st = lm_catalogue_check(ctx, path, PUBLISHED[i].name, data);
            assert_int_equal(st, PUBLISHED + i == f ? LEMAN_OK : LEMAN_ERROR_INPUT);
        }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Out as a folder and a zip, and back: nothing is lost. */
static void real_sets_survive_writing(void **state)
{
    const char *path = test_set(*state), *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = read_set(ctx, path, NULL);
    for (int zip = 0; zip < 2; zip++) {
        const char *copy = test_path(folder, zip ? "copy.zip" : "copy");
        assert_int_equal(leman_dataset_write(ctx, data, copy, LEMAN_FORMAT_AUTO), LEMAN_OK);
        leman_dataset *back = read_set(ctx, copy, NULL);
        assert_true(test_same_dataset(data, back));
        leman_dataset_free(back);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

int main(void)
{
    static const char *const WRITTEN[] = {"ENZYMES", "PTC_FM", "ZINC_10k"};
    struct CMUnitTest tests[SETS + 3] = {0};
    for (size_t i = 0; i < SETS; i++)
        tests[i] = (struct CMUnitTest){PUBLISHED[i].name, published_figures_agree, NULL, NULL, (void *)(PUBLISHED + i)};
    for (size_t i = 0; i < 3; i++)
        tests[SETS + i] = (struct CMUnitTest){WRITTEN[i], real_sets_survive_writing, NULL, NULL, (void *)WRITTEN[i]};
    return test_run(tests);
}
