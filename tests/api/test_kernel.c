/*
 * leman/kernel.h: every function with what it must refuse, kernels with values that do not exist, kernels of an older
 * and of a newer layout, and rounds until stable.
 */
#include "support/refused.h"
#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { GRAPHS = 5, CELLS = GRAPHS * GRAPHS };

/* Trees with two labels. */
static leman_dataset *some_data(leman_context *ctx)
{
    uint64_t state = 5;
    leman_columns columns = {.vertex_labels = 1};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "trees", &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < GRAPHS; g++) {
        assert_int_equal(leman_builder_graph(b, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < 4 + g; v++) {
            int64_t label = (int64_t)(test_random(&state) % 2);
            assert_int_equal(leman_builder_vertex(b, NULL, &label, NULL), LEMAN_OK);
            if (v) assert_int_equal(leman_builder_edge(b, test_random(&state) % v, v, NULL, NULL), LEMAN_OK);
        }
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

/* ---- NULL ------------------------------------------------------------------------------------ */

static void test_names(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_kernel kernel = leman_kernel_default(), unset = {0};
    for (int i = 0; i < LEMAN_KERNEL_KIND_COUNT; i++)
        assert_string_not_equal(leman_kernel_kind_name((leman_kernel_kind)i), "unknown");
    assert_string_equal(leman_kernel_kind_name((leman_kernel_kind)99), "unknown");
    assert_string_equal(leman_kernel_kind_name((leman_kernel_kind)-1), "unknown");
    assert_string_equal(leman_normalization_name(LEMAN_NORMALIZATION_COSINE), "cosine");
    assert_string_equal(leman_normalization_name((leman_normalization)2), "unknown");

    assert_refused(ctx, "name", leman_kernel_parse(ctx, NULL, &kernel));
    assert_refused(ctx, "kernel", leman_kernel_parse(ctx, "sp", NULL));
    assert_refused(ctx, "size", leman_kernel_parse(ctx, "sp", &unset));
    assert_refused_without(leman_kernel_parse(NULL, "sp", &kernel));
    assert_refused(ctx, "text", leman_kernels_parse(ctx, NULL, &kernel, 1));
    assert_refused(ctx, "kernels", leman_kernels_parse(ctx, "sp", NULL, 1));
    assert_refused(ctx, "count", leman_kernels_parse(ctx, "sp+local", &kernel, 1));
    assert_refused(ctx, "count", leman_kernels_parse(ctx, "sp", &kernel, 0));
    assert_refused_without(leman_kernels_parse(NULL, "sp", &kernel, 1));
    assert_int_equal(kernel.kind, LEMAN_KERNEL_KIND_COLORS);

    char text[8] = "before";
    assert_int_equal(leman_kernels_count(NULL), 0);
    assert_int_equal(leman_kernels_paper_name(NULL, 3, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(leman_kernels_paper_name(&kernel, 1, NULL, 8), strlen("delta-2-LWL"));
    assert_string_equal(text, "");
    assert_string_equal(leman_kernel_name(NULL), "unknown");
    assert_false(leman_kernel_has_rounds(NULL));
    assert_true(leman_kernel_has_rounds(&kernel));
    kernel.kind = (leman_kernel_kind)99;
    assert_string_equal(leman_kernel_name(&kernel), "unknown");
    leman_kernel_init(&kernel, sizeof kernel);
    kernel.size = 1;
    assert_string_equal(leman_kernel_name(&kernel), "unknown");
    assert_non_null(leman_kernel_known_name(0));
    test_context_free(ctx);
}

static void test_structs(void **unused)
{
    (void)unused;
    leman_kernel kernel = leman_kernel_default();
    const leman_coloring usual = leman_coloring_default();
    assert_memory_equal(&kernel.coloring, &usual, sizeof usual);
    leman_kernel_init(NULL, sizeof kernel);
    leman_feature_options_init(NULL, sizeof(leman_feature_options));
    leman_kernel_init(&kernel, 0); /* no place for a size */
    assert_int_equal(kernel.size, sizeof kernel);
    leman_features_free(NULL);
}

static void test_matrices(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = some_data(ctx);
    leman_kernel kernel = leman_kernel_default();
    double cells[CELLS] = {77}, *out[6] = {cells, NULL};
    assert_refused(ctx, "data", leman_gram_compute(ctx, NULL, NULL, &kernel, 1, false, cells));
    assert_refused(ctx, "kernels", leman_gram_compute(ctx, data, NULL, NULL, 1, false, cells));
    assert_refused(ctx, "kernels", leman_gram_compute(ctx, data, NULL, &kernel, 0, false, cells));
    assert_refused(ctx, "out", leman_gram_compute(ctx, data, NULL, &kernel, 1, false, NULL));
    assert_refused_without(leman_gram_compute(NULL, data, NULL, &kernel, 1, false, cells));
    assert_refused(ctx, "data", leman_gram_diagonal(ctx, NULL, &kernel, 1, cells));
    assert_refused(ctx, "kernels", leman_gram_diagonal(ctx, data, NULL, 1, cells));
    assert_refused(ctx, "kernels", leman_gram_diagonal(ctx, data, &kernel, 0, cells));
    assert_refused(ctx, "out", leman_gram_diagonal(ctx, data, &kernel, 1, NULL));
    assert_refused_without(leman_gram_diagonal(NULL, data, &kernel, 1, cells));
    assert_refused(ctx, "data", leman_spectral_radius(ctx, NULL, false, cells));
    assert_refused(ctx, "radius", leman_spectral_radius(ctx, data, false, NULL));
    assert_refused_without(leman_spectral_radius(NULL, data, false, cells));
    assert_false(leman_kernel_has_features(NULL));
    const char *nowhere = "/nowhere/k.npy";
    assert_refused(ctx, "data", leman_gram_save(ctx, NULL, NULL, &kernel, 1, false, nowhere));
    assert_refused(ctx, "kernels", leman_gram_save(ctx, data, NULL, NULL, 1, false, nowhere));
    assert_refused(ctx, "kernels", leman_gram_save(ctx, data, NULL, &kernel, 0, false, nowhere));
    assert_refused(ctx, "path", leman_gram_save(ctx, data, NULL, &kernel, 1, false, NULL));
    assert_refused(ctx, "ending", leman_gram_save(ctx, data, NULL, &kernel, 1, false, "k.pdf"));
    assert_refused_without(leman_gram_save(NULL, data, NULL, &kernel, 1, false, nowhere));
    assert_int_equal(leman_gram_save(ctx, data, NULL, &kernel, 1, false, nowhere), LEMAN_ERROR_FILE);
    assert_refused(ctx, "data", leman_gram_rounds(ctx, NULL, NULL, &kernel, false, out));
    assert_refused(ctx, "kernel", leman_gram_rounds(ctx, data, NULL, NULL, false, out));
    assert_refused(ctx, "out", leman_gram_rounds(ctx, data, NULL, &kernel, false, NULL));
    assert_refused(ctx, "out[h]", leman_gram_rounds(ctx, data, NULL, &kernel, false, out));
    assert_refused_without(leman_gram_rounds(NULL, data, NULL, &kernel, false, out));
    kernel.coloring.rounds = LEMAN_STABLE;
    assert_refused(ctx, "LEMAN_STABLE", leman_gram_rounds(ctx, data, NULL, &kernel, false, out));
    kernel.kind = LEMAN_KERNEL_KIND_SHORTEST_PATH;
    assert_refused(ctx, "shortest_path", leman_gram_rounds(ctx, data, NULL, &kernel, false, out));
    assert_true(cells[0] == 77);

    leman_kernel_init(&kernel, sizeof kernel);
    assert_refused(ctx, "data", leman_gram_sample(ctx, NULL, NULL, &kernel, NULL, false, cells, NULL));
    assert_refused(ctx, "kernel", leman_gram_sample(ctx, data, NULL, NULL, NULL, false, cells, NULL));
    assert_refused(ctx, "out", leman_gram_sample(ctx, data, NULL, &kernel, NULL, false, NULL, NULL));
    assert_refused_without(leman_gram_sample(NULL, data, NULL, &kernel, NULL, false, cells, NULL));
    leman_sampling sampling = leman_sampling_default();
    sampling.tuples = 1;
    assert_refused(ctx, "found 1, expected 2",
                   leman_gram_sample(ctx, data, NULL, &kernel, &sampling, false, cells, NULL));
    sampling = leman_sampling_default();
    sampling.confidence = 1;
    assert_refused(ctx, "confidence", leman_gram_sample(ctx, data, NULL, &kernel, &sampling, false, cells, NULL));
    leman_sampling_init(NULL, sizeof sampling);
    leman_projections projections;
    leman_projections_init(NULL, sizeof projections);
    leman_projections_init(&projections, sizeof projections);
    assert_int_equal(projections.size, sizeof projections);
    assert_null(projections.direction);
    static const int64_t LABELS[2] = {1, 0};
    leman_kernel spread = leman_kernel_default();
    leman_evaluation *evaluation = NULL;
    leman_features *features = NULL;
    spread.kind = LEMAN_KERNEL_KIND_PROPAGATION;
    spread.coloring.rounds = 0;
    spread.projections = &projections;
    projections.label = LABELS, projections.columns = 2;
    assert_refused(ctx, "without direction", leman_gram_compute(ctx, data, NULL, &spread, 1, false, cells));
    projections.direction = cells;
    assert_refused(ctx, "without offset", leman_gram_compute(ctx, data, NULL, &spread, 1, false, cells));
    projections.offset = cells;
    assert_refused(ctx, "0 behind 1", leman_gram_compute(ctx, data, NULL, &spread, 1, false, cells));
    projections.columns = 1, projections.separate = true;
    assert_refused(ctx, "separate bins", leman_gram_compute(ctx, data, NULL, &spread, 1, false, cells));
    projections.separate = false, spread.coloring.ignore_vertex_labels = true;
    assert_refused(ctx, "ignored", leman_gram_compute(ctx, data, NULL, &spread, 1, false, cells));
    spread.coloring.ignore_vertex_labels = false; /* a file cannot keep the caller's numbers */
    assert_refused(ctx, "expected a seed", leman_evaluate(ctx, data, &spread, 1, NULL, &evaluation));
    assert_refused(ctx, "expected a seed", leman_features_compute(ctx, data, &spread, 1, NULL, &features));
    kernel.coloring.algorithm = LEMAN_ALGORITHM_DELTA;
    assert_int_equal(leman_gram_sample(ctx, data, NULL, &kernel, NULL, false, cells, NULL), LEMAN_ERROR_UNSUPPORTED);
    assert_non_null(strstr(leman_context_message(ctx), "found delta, expected 1-WL or delta-k-LWL"));
    leman_kernel_init(&kernel, sizeof kernel);
    kernel.coloring.rounds = LEMAN_STABLE;
    assert_refused(ctx, "LEMAN_STABLE", leman_gram_sample(ctx, data, NULL, &kernel, NULL, false, cells, NULL));
    assert_true(cells[0] == 77);

    assert_refused(ctx, "data", leman_kernels_resolve(ctx, NULL, &kernel, 1));
    assert_refused(ctx, "kernels", leman_kernels_resolve(ctx, data, NULL, 1));
    assert_refused(ctx, "kernels", leman_kernels_resolve(ctx, data, &kernel, 0));
    assert_refused_without(leman_kernels_resolve(NULL, data, &kernel, 1));

    assert_refused(ctx, "path", leman_matrix_check(ctx, NULL));
    assert_refused(ctx, "K.xyz", leman_matrix_check(ctx, "K.xyz"));
    assert_refused_without(leman_matrix_check(NULL, "K.npy"));
    assert_refused(ctx, "values", leman_matrix_write(ctx, NULL, 1, 1, NULL, "/nowhere/K.npy"));
    assert_refused(ctx, "path", leman_matrix_write(ctx, cells, 1, 1, NULL, NULL));
    assert_refused_without(leman_matrix_write(NULL, cells, 1, 1, NULL, "/nowhere/K.npy"));
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_features(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *path = test_path(folder, "f.lmf");
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = some_data(ctx);
    leman_kernel kernel = leman_kernel_default();
    leman_feature_options unset = {0};
    leman_features *const before = TEST_UNTOUCHED(leman_features), *out = before, *f;
    assert_refused(ctx, "data", leman_features_compute(ctx, NULL, &kernel, 1, NULL, &out));
    assert_refused(ctx, "kernels", leman_features_compute(ctx, data, NULL, 1, NULL, &out));
    assert_refused(ctx, "kernels", leman_features_compute(ctx, data, &kernel, 0, NULL, &out));
    assert_refused(ctx, "size", leman_features_compute(ctx, data, &kernel, 1, &unset, &out));
    assert_refused(ctx, "out", leman_features_compute(ctx, data, &kernel, 1, NULL, NULL));
    assert_refused_without(leman_features_compute(NULL, data, &kernel, 1, NULL, &out));
    assert_refused(ctx, "data", leman_features_save(ctx, NULL, &kernel, 1, NULL, path, &out));
    assert_refused(ctx, "kernels", leman_features_save(ctx, data, NULL, 1, NULL, path, &out));
    assert_refused(ctx, "kernels", leman_features_save(ctx, data, &kernel, 0, NULL, path, &out));
    assert_refused(ctx, "size", leman_features_save(ctx, data, &kernel, 1, &unset, path, &out));
    assert_refused(ctx, "path", leman_features_save(ctx, data, &kernel, 1, NULL, NULL, &out));
    assert_refused_without(leman_features_save(NULL, data, &kernel, 1, NULL, path, &out));
    leman_stream *stream;
    leman_kernel stable = kernel;
    leman_feature_options marked = leman_feature_options_default();
    stable.coloring.rounds = LEMAN_STABLE;
    marked.apex = true;
    assert_int_equal(leman_stream_open(ctx, test_file_text(folder, "a.g6", "Bw\n"), NULL, &stream), LEMAN_OK);
    assert_refused(ctx, "stream", leman_features_save_stream(ctx, NULL, &kernel, 1, NULL, NULL, path, &out));
    assert_refused(ctx, "kernels", leman_features_save_stream(ctx, stream, NULL, 1, NULL, NULL, path, &out));
    assert_refused(ctx, "kernels", leman_features_save_stream(ctx, stream, &kernel, 0, NULL, NULL, path, &out));
    assert_refused(ctx, "rounds", leman_features_save_stream(ctx, stream, &stable, 1, NULL, NULL, path, &out));
    assert_refused(ctx, "apex", leman_features_save_stream(ctx, stream, &kernel, 1, &marked, NULL, path, &out));
    assert_refused(ctx, "size", leman_features_save_stream(ctx, stream, &kernel, 1, &unset, NULL, path, &out));
    assert_refused(ctx, "path", leman_features_save_stream(ctx, stream, &kernel, 1, NULL, NULL, NULL, &out));
    assert_refused_without(leman_features_save_stream(NULL, stream, &kernel, 1, NULL, NULL, path, &out));
    leman_feature_matrix *rows = NULL;
    assert_refused(ctx, "path", leman_feature_matrix_read(ctx, NULL, &rows));
    assert_refused(ctx, "out", leman_feature_matrix_read(ctx, "f.svm", NULL));
    assert_refused(ctx, "ending", leman_feature_matrix_read(ctx, "f.npz", &rows));
    assert_refused_without(leman_feature_matrix_read(NULL, "f.svm", &rows));
    assert_int_equal(leman_feature_matrix_read(ctx, "/nowhere/f.svm", &rows), LEMAN_ERROR_FILE);
    assert_null(rows);
    assert_null(leman_feature_matrix_labels(NULL));
    assert_true(leman_feature_matrix_is("f.svm.gz") && !leman_feature_matrix_is("f.npz"));
    assert_false(leman_feature_matrix_is(NULL));
    leman_feature_matrix_free(NULL);
    leman_stream_free(stream);
    leman_feature_options folded = leman_feature_options_default();
    folded.hash_bits = 4;
    folded.column_table = "/nowhere/f.csv";
    assert_refused(ctx, "column_table", leman_features_save(ctx, data, &kernel, 1, &folded, path, &out));
    assert_int_not_equal(access(path, F_OK), 0);

    assert_int_equal(leman_features_compute(ctx, data, &kernel, 1, NULL, &f), LEMAN_OK);
    assert_refused(ctx, "features", leman_feature_columns_write(ctx, NULL, path));
    assert_refused(ctx, "path", leman_feature_columns_write(ctx, f, NULL));
    assert_refused_without(leman_feature_columns_write(NULL, f, path));
    assert_refused(ctx, "features", leman_features_write(ctx, NULL, data, path));
    assert_refused(ctx, "path", leman_features_write(ctx, f, data, NULL));
    assert_refused_without(leman_features_write(NULL, f, data, path));
    assert_refused(ctx, "path", leman_features_check(ctx, NULL));
    assert_refused_without(leman_features_check(NULL, path));
    assert_refused(ctx, "path", leman_feature_columns_read(ctx, NULL, &out));
    assert_refused(ctx, "features", leman_feature_columns_read(ctx, path, NULL));
    assert_refused_without(leman_feature_columns_read(NULL, path, &out));
    assert_refused(ctx, "path", leman_features_read(ctx, NULL, &out));
    assert_refused(ctx, "features", leman_features_read(ctx, path, NULL));
    assert_refused_without(leman_features_read(NULL, path, &out));
    assert_ptr_equal(out, before);
    assert_int_equal(leman_features_save(ctx, data, &kernel, 1, NULL, path, NULL), LEMAN_OK); /* sizes may be NULL */
    leman_features_free(f);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* ---- Kernels --------------------------------------------------------------------------------- */

/* One value that does not exist at a time, in the second of two kernels, through every function that takes kernels. */
static void test_wrong_kernels(void **unused)
{
    (void)unused;
    static const struct {
        const char *word;
        leman_kernel_kind kind;
        leman_algorithm algorithm;
        unsigned k, graphlet;
        uint32_t rounds;
        double weight;
    } WRONG[] = {
        {"kind", (leman_kernel_kind)99, LEMAN_ALGORITHM_LOCAL, 2, 3, 1, 1},
        {"kind", (leman_kernel_kind)-1, LEMAN_ALGORITHM_LOCAL, 2, 3, 1, 1},
        {"kind", (leman_kernel_kind)LEMAN_KERNEL_KIND_COUNT, LEMAN_ALGORITHM_LOCAL, 2, 3, 1, 1},
        {"algorithm", LEMAN_KERNEL_KIND_COLORS, (leman_algorithm)99, 2, 3, 1, 1},
        {"algorithm", LEMAN_KERNEL_KIND_COLORS, (leman_algorithm)-1, 2, 3, 1, 1},
        {"k: ", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_LOCAL, 0, 3, 1, 1},
        {"k: ", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_LOCAL, 1000, 3, 1, 1},
        {"rounds", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_LOCAL, 2, 3, 5000, 1},
        {"rounds", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_LOCAL, 2, 3, LEMAN_STABLE - 1, 1},
        {"size of graphlets", LEMAN_KERNEL_KIND_GRAPHLET, LEMAN_ALGORITHM_LOCAL, 2, 2, 1, 1},
        {"size of graphlets", LEMAN_KERNEL_KIND_GRAPHLET, LEMAN_ALGORITHM_LOCAL, 2, 6, 1, 1},
        {"weight", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_LOCAL, 2, 3, 1, 0},
        {"weight", LEMAN_KERNEL_KIND_SHORTEST_PATH, LEMAN_ALGORITHM_LOCAL, 2, 3, 1, -1},
        {"weight", LEMAN_KERNEL_KIND_GRAPHLET, LEMAN_ALGORITHM_LOCAL, 2, 3, 1, NAN},
        {"weight", LEMAN_KERNEL_KIND_COLORS, LEMAN_ALGORITHM_LOCAL, 2, 3, 1, INFINITY},
    };
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = some_data(ctx);
    leman_features *const before = TEST_UNTOUCHED(leman_features), *out = before;
    double cells[CELLS], *matrix[] = {cells};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        leman_kernel kernels[2] = {leman_kernel_default(), leman_kernel_default()}, *wrong = kernels + 1;
        wrong->kind = WRONG[i].kind;
        wrong->coloring.algorithm = WRONG[i].algorithm;
        wrong->coloring.k = WRONG[i].k;
        wrong->graphlet = WRONG[i].graphlet;
        wrong->coloring.rounds = WRONG[i].rounds;
        wrong->weight = WRONG[i].weight;
        const char *word = WRONG[i].word;
        assert_refused(ctx, word, leman_gram_compute(ctx, data, NULL, kernels, 2, false, cells));
        assert_refused(ctx, word, leman_gram_rounds(ctx, data, NULL, wrong, false, matrix));
        assert_refused(ctx, word, leman_features_compute(ctx, data, kernels, 2, NULL, &out));
        assert_refused(ctx, word, leman_features_save(ctx, data, kernels, 2, NULL, "/nowhere/f.svm", &out));
        assert_refused(ctx, word, leman_kernels_resolve(ctx, data, kernels, 2));
        assert_ptr_equal(out, before);
    }
    leman_kernel unset = {0};
    assert_refused(ctx, "size", leman_gram_compute(ctx, data, NULL, &unset, 1, false, cells));
    assert_refused(ctx, "size", leman_gram_rounds(ctx, data, NULL, &unset, false, matrix));
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* The kernels of a program that knows a shorter struct, and of one that knows a longer one. */
static void test_other_layouts(void **unused)
{
    (void)unused;
    enum { SHORT = offsetof(leman_kernel, coloring.components), LONG = sizeof(leman_kernel) + 24 };
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = some_data(ctx);
    leman_kernel usual[2] = {leman_kernel_default(), leman_kernel_default()};
    double expected[CELLS], found[CELLS];
    usual[0].coloring.rounds = LEMAN_STABLE;
    usual[1].coloring.k = 1;
    usual[1].weight = 0.5;
    assert_int_equal(leman_gram_compute(ctx, data, NULL, usual, 2, true, expected), LEMAN_OK);
    const size_t sizes[] = {SHORT, LONG};
    for (size_t s = 0; s < 2; s++) {
        size_t size = sizes[s];
        char *bytes = calloc(2, size); /* so that reading or writing behind them is noticed */
        for (size_t i = 0; i < 2; i++) {
            memcpy(bytes + i * size, usual + i, size < sizeof *usual ? size : sizeof *usual);
            memcpy(bytes + i * size, &size, sizeof size);
        }
        leman_kernel *theirs = (leman_kernel *)(void *)bytes;
        assert_int_equal(leman_gram_compute(ctx, data, NULL, theirs, 2, true, found), LEMAN_OK);
        assert_memory_equal(found, expected, sizeof expected);
        assert_int_equal(leman_kernels_resolve(ctx, data, theirs, 2), LEMAN_OK);
        assert_int_equal(leman_gram_compute(ctx, data, NULL, theirs, 2, true, found), LEMAN_OK);
        assert_memory_equal(found, expected, sizeof expected);
        assert_int_equal(leman_kernels_parse(ctx, "wl:3+sp", theirs, 2), LEMAN_OK);
        char text[32];
        leman_kernels_paper_name(theirs, 2, text, sizeof text);
        assert_string_equal(text, "3-WL + SP");
        assert_memory_equal(bytes + size, &size, sizeof size);
        if (size == LONG) {
            bytes[2 * size - 1] = 1; /* a member that this library does not know */
            assert_refused(ctx, "newer", leman_gram_compute(ctx, data, NULL, theirs, 2, true, found));
        }
        free(bytes);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Rounds until stable are as many as a census finds, in matrices and in features. */
static void test_stable(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = some_data(ctx);
    leman_kernel kernels[2] = {leman_kernel_default(), leman_kernel_default()}, fixed[2];
    kernels[0].coloring.rounds = kernels[1].coloring.rounds = LEMAN_STABLE;
    kernels[1].kind = LEMAN_KERNEL_KIND_SHORTEST_PATH; /* has no rounds, and keeps what it has */
    memcpy(fixed, kernels, sizeof fixed);
    leman_coloring coloring = kernels->coloring;
    leman_census *census;
    assert_int_equal(leman_census_compute(ctx, data, &coloring, false, &census), LEMAN_OK);
    fixed[0].coloring.rounds = (uint32_t)census->stable_round;
    assert_true(fixed[0].coloring.rounds > 0 && fixed[0].coloring.rounds < 100);
    double found[CELLS], expected[CELLS];
    assert_int_equal(leman_gram_compute(ctx, data, NULL, kernels, 2, false, found), LEMAN_OK);
    assert_int_equal(leman_gram_compute(ctx, data, NULL, fixed, 2, false, expected), LEMAN_OK);
    assert_memory_equal(found, expected, sizeof expected);
    leman_features *f, *g;
    assert_int_equal(leman_features_compute(ctx, data, kernels, 2, NULL, &f), LEMAN_OK);
    assert_int_equal(leman_features_compute(ctx, data, fixed, 2, NULL, &g), LEMAN_OK);
    assert_int_equal(f->entries, g->entries);
    assert_memory_equal(f->value, g->value, f->entries * sizeof *f->value);
    assert_string_equal(f->origin.kernels, g->origin.kernels);
    assert_int_equal(leman_kernels_resolve(ctx, data, kernels, 2), LEMAN_OK);
    assert_int_equal(kernels[0].coloring.rounds, fixed[0].coloring.rounds);
    assert_int_equal(kernels[1].coloring.rounds, LEMAN_STABLE);
    kernels[0].coloring.rounds = LEMAN_STABLE;
    kernels[0].coloring.algorithm = LEMAN_ALGORITHM_LOCAL_PLUS; /* # in the last round, and there is none */
    assert_refused(ctx, "stable", leman_gram_compute(ctx, data, NULL, kernels, 1, false, found));
    leman_features_free(f);
    leman_features_free(g);
    leman_census_free(census);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Memory and ownership -------------------------------------------------------------------- */

typedef struct attempt {
    leman_dataset *data;
    const char *path;
} attempt;

static leman_status compute_all(leman_context *ctx, void *state)
{
    const attempt *a = state;
    leman_kernel kernels[2] = {leman_kernel_default(), leman_kernel_default()};
    leman_features *features = NULL, *sizes = NULL;
    double cells[CELLS];
    kernels[0].coloring.rounds = kernels[1].coloring.rounds = LEMAN_STABLE;
    leman_status st = leman_gram_compute(ctx, a->data, NULL, kernels, 2, true, cells);
    if (!st) st = leman_features_compute(ctx, a->data, kernels, 2, NULL, &features);
    if (!st) st = leman_features_save(ctx, a->data, kernels, 2, NULL, a->path, &sizes);
    leman_features_free(features);
    leman_features_free(sizes);
    return st;
}

/* What was made for rounds until stable is given back wherever memory is short. */
static void test_memory(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    attempt a = {some_data(ctx), test_path(folder, "f.svm")};
    assert_true(test_fail_each_allocation(compute_all, &a) > 30);
    leman_dataset_free(a.data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),    cmocka_unit_test(test_structs),       cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_features), cmocka_unit_test(test_wrong_kernels), cmocka_unit_test(test_other_layouts),
        cmocka_unit_test(test_stable),   cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
