/* leman/color.h: every function with what it must refuse, the names of algorithms, and who frees what. */
#include "support/refused.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct fixture {
    leman_context *ctx;
    leman_dataset *data; /* two graphs */
    leman_graph graph;
} fixture;

static fixture fixture_new(void)
{
    fixture f = {.ctx = test_context_new(1)};
    assert_int_equal(leman_dataset_generate(f.ctx, LEMAN_FAMILY_CYCLES, NULL, &f.data), LEMAN_OK);
    f.graph = leman_dataset_graph(f.data, 0);
    return f;
}

static void fixture_free(fixture *f)
{
    leman_dataset_free(f->data);
    test_context_free(f->ctx);
}

/* Colourings that nothing computes, and what the sentence names. */
static const struct {
    const char *word;
    leman_coloring coloring;
} WRONG[] = {
    {"algorithm", {.size = sizeof(leman_coloring), .algorithm = (leman_algorithm)LEMAN_ALGORITHM_COUNT, .k = 2}},
    {"algorithm", {.size = sizeof(leman_coloring), .algorithm = (leman_algorithm)-1, .k = 2}},
    {"k:", {.size = sizeof(leman_coloring), .algorithm = LEMAN_ALGORITHM_LOCAL}},
    {"k:", {.size = sizeof(leman_coloring), .algorithm = LEMAN_ALGORITHM_LOCAL, .k = 33}},
    {"rounds", {.size = sizeof(leman_coloring), .k = 2, .rounds = LEMAN_STABLE - 1}},
    {"k:", {.size = sizeof(leman_coloring), .algorithm = LEMAN_ALGORITHM_SSWL, .k = 3}},
    {"k:", {.size = sizeof(leman_coloring), .algorithm = LEMAN_ALGORITHM_SET_WL, .k = 7}},
    {"components", {.size = sizeof(leman_coloring), .algorithm = LEMAN_ALGORITHM_SSWL, .k = 2, .components = 1}},
    {"distance", {.size = sizeof(leman_coloring), .algorithm = LEMAN_ALGORITHM_DRFWL, .k = 2, .distance = 256}},
    {"last round",
     {.size = sizeof(leman_coloring), .algorithm = LEMAN_ALGORITHM_LOCAL_PLUS, .k = 2, .rounds = LEMAN_STABLE}},
    {"leman_coloring", {.size = 0, .k = 2}},
    {"leman_coloring", {.size = SIZE_MAX, .k = 2}},
};
enum { WRONG_COUNT = sizeof WRONG / sizeof *WRONG };

/* ---- Names ----------------------------------------------------------------------------------- */

static void test_names(void **state)
{
    (void)state;
    for (int i = 0; i < LEMAN_ALGORITHM_COUNT; i++) {
        const char *name = leman_algorithm_name((leman_algorithm)i);
        assert_string_equal(leman_coloring_known_name((size_t)i), name);
        const bool chosen = strstr(leman_algorithm_paper_name((leman_algorithm)i), "k-");
        assert_int_equal(leman_algorithm_k((leman_algorithm)i) == 0, chosen);
    }
    assert_string_equal(leman_algorithm_paper_name(LEMAN_ALGORITHM_LOCAL_PLUS), "delta-k-LWL+");
    for (int i = -1; i <= LEMAN_ALGORITHM_COUNT; i += LEMAN_ALGORITHM_COUNT + 1) {
        assert_string_equal(leman_algorithm_name((leman_algorithm)i), "unknown");
        assert_string_equal(leman_algorithm_paper_name((leman_algorithm)i), "unknown");
        assert_int_equal(leman_algorithm_k((leman_algorithm)i), 0);
    }
}

/* Every name that is known is understood; those that have a digit set k. */
static void test_colorings_by_name(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    size_t count = 0;
    for (const char *name; (name = leman_coloring_known_name(count)); count++) {
        leman_coloring c = leman_coloring_default();
        const char *digit = strpbrk(name, "123");
        c.k = 7;
        assert_int_equal(leman_coloring_parse(ctx, name, &c), LEMAN_OK);
        const unsigned only = leman_algorithm_k(c.algorithm);
        assert_int_equal(c.k, only ? only : digit ? (unsigned)(*digit - '0') : 7);
    }
    assert_true(count > LEMAN_ALGORITHM_COUNT);
    assert_null(leman_coloring_known_name(SIZE_MAX));
    leman_coloring c = leman_coloring_default(), before = c;
    assert_refused_without(leman_coloring_parse(NULL, "wl", &c));
    assert_refused(ctx, "name", leman_coloring_parse(ctx, NULL, &c));
    assert_refused(ctx, "coloring", leman_coloring_parse(ctx, "wl", NULL));
    assert_refused(ctx, "ds-nm, 1-WL", leman_coloring_parse(ctx, "gin", &c));
    assert_memory_equal(&c, &before, sizeof c);
    c.size = before.size = 0;
    assert_refused(ctx, "leman_coloring", leman_coloring_parse(ctx, "LWL3", &c));
    assert_memory_equal(&c, &before, sizeof c);
    leman_coloring_init(NULL, sizeof c);
    test_context_free(ctx);
}

static void test_text(void **state)
{
    (void)state;
    char text[64], small[6];
    leman_coloring c = leman_coloring_default();
    assert_string_equal(leman_coloring_text(NULL, text, sizeof text), "delta-2-LWL, rounds 0 to 5");
    c.algorithm = LEMAN_ALGORITHM_LOCAL_PLUS;
    c.rounds = 0;
    assert_string_equal(leman_coloring_text(&c, text, sizeof text), "delta-2-LWL+, round 0, # in the last round");
    c.algorithm = (leman_algorithm)99;
    c.rounds = LEMAN_STABLE;
    assert_string_equal(leman_coloring_text(&c, text, sizeof text), "unknown, until stable");
    assert_string_equal(leman_coloring_text(&c, small, sizeof small), "unkno");
    c.size = 0;
    assert_string_equal(leman_coloring_text(&c, text, sizeof text), "");
    assert_null(leman_coloring_text(&c, NULL, 10));
    assert_int_equal(leman_coloring_paper_name(&c, text, sizeof text), 0); /* of a struct without size */
    assert_string_equal(text, "");
    assert_int_equal(leman_coloring_paper_name(NULL, text, sizeof text), strlen("delta-2-LWL"));
    assert_string_equal(text, "delta-2-LWL");
    assert_int_equal(leman_coloring_paper_name(NULL, NULL, 7), strlen("delta-2-LWL"));
    assert_int_equal(leman_coloring_paper_name(NULL, small, sizeof small), strlen("delta-2-LWL"));
    assert_string_equal(small, "delta");
    assert_null(leman_coloring_text(&c, text, 0));
}

/* ---- Colours --------------------------------------------------------------------------------- */

static void test_census(void **state)
{
    (void)state;
    fixture f = fixture_new();
    leman_census *const before = TEST_UNTOUCHED(leman_census), *out = before;
    assert_refused_without(leman_census_compute(NULL, f.data, NULL, false, &out));
    assert_refused(f.ctx, "data", leman_census_compute(f.ctx, NULL, NULL, false, &out));
    assert_refused(f.ctx, "census", leman_census_compute(f.ctx, f.data, NULL, false, NULL));
    for (size_t i = 0; i < WRONG_COUNT; i++)
        assert_refused(f.ctx, WRONG[i].word, leman_census_compute(f.ctx, f.data, &WRONG[i].coloring, true, &out));
    assert_ptr_equal(out, before);
    assert_int_equal(leman_census_compute(f.ctx, f.data, NULL, true, &out), LEMAN_OK);
    assert_int_equal(out->rounds, 6); /* the default: rounds 0 to 5 */
    leman_census_free(out);
    leman_census_free(NULL);
    fixture_free(&f);
}

static void test_histogram(void **state)
{
    (void)state;
    fixture f = fixture_new();
    leman_histogram *const before = TEST_UNTOUCHED(leman_histogram), *out = before;
    assert_refused_without(leman_histogram_compute(NULL, &f.graph, NULL, &out));
    assert_refused(f.ctx, "graph", leman_histogram_compute(f.ctx, NULL, NULL, &out));
    assert_refused(f.ctx, "histogram", leman_histogram_compute(f.ctx, &f.graph, NULL, NULL));
    for (size_t i = 0; i < WRONG_COUNT; i++)
        assert_refused(f.ctx, WRONG[i].word, leman_histogram_compute(f.ctx, &f.graph, &WRONG[i].coloring, &out));
    assert_ptr_equal(out, before);
    assert_int_equal(leman_histogram_compute(f.ctx, &f.graph, NULL, &out), LEMAN_OK);
    assert_int_equal(out->rounds, 6);
    leman_histogram_free(out);
    leman_histogram_free(NULL);
    fixture_free(&f);
}

static void test_tuple_lists(void **state)
{
    (void)state;
    fixture f = fixture_new();
    leman_tuples *const before = TEST_UNTOUCHED(leman_tuples), *out = before;
    assert_refused_without(leman_tuples_compute(NULL, f.data, NULL, 0, 0, &out));
    assert_refused(f.ctx, "data", leman_tuples_compute(f.ctx, NULL, NULL, 0, 0, &out));
    assert_refused(f.ctx, "tuples", leman_tuples_compute(f.ctx, f.data, NULL, 0, 0, NULL));
    assert_refused(f.ctx, "round", leman_tuples_compute(f.ctx, f.data, NULL, LEMAN_STABLE, 0, &out));
    assert_refused(f.ctx, "wanted", leman_tuples_compute(f.ctx, f.data, NULL, 0, 4, &out));
    for (size_t i = 0; i < WRONG_COUNT; i++)
        assert_refused(f.ctx, WRONG[i].word, leman_tuples_compute(f.ctx, f.data, &WRONG[i].coloring, 0, 0, &out));
    assert_ptr_equal(out, before);
    assert_int_equal(leman_tuples_compute(f.ctx, f.data, NULL, 0, LEMAN_TUPLES_LINKS, &out), LEMAN_OK);
    leman_tuples_free(out);
    leman_tuples_free(NULL);
    fixture_free(&f);
}

static void test_tuples(void **state)
{
    (void)state;
    fixture f = fixture_new();
    uint64_t colors[36] = {[35] = 99};
    const char *folder = test_folder_new(), *path = test_path(folder, "colors.npy");
    assert_refused_without(leman_tuple_colors(NULL, &f.graph, NULL, 0, colors));
    assert_refused(f.ctx, "graph", leman_tuple_colors(f.ctx, NULL, NULL, 0, colors));
    assert_refused(f.ctx, "colors", leman_tuple_colors(f.ctx, &f.graph, NULL, 0, NULL));
    assert_refused(f.ctx, "round", leman_tuple_colors(f.ctx, &f.graph, NULL, LEMAN_STABLE, colors));
    assert_refused_without(leman_tuple_colors_write(NULL, &f.graph, NULL, 0, path));
    assert_refused(f.ctx, "graph", leman_tuple_colors_write(f.ctx, NULL, NULL, 0, path));
    assert_refused(f.ctx, "path", leman_tuple_colors_write(f.ctx, &f.graph, NULL, 0, NULL));
    assert_refused(f.ctx, "round", leman_tuple_colors_write(f.ctx, &f.graph, NULL, LEMAN_STABLE, path));
    for (size_t i = 0; i < WRONG_COUNT; i++) {
        assert_refused(f.ctx, WRONG[i].word, leman_tuple_colors(f.ctx, &f.graph, &WRONG[i].coloring, 0, colors));
        assert_refused(f.ctx, WRONG[i].word, leman_tuple_colors_write(f.ctx, &f.graph, &WRONG[i].coloring, 0, path));
    }
    assert_true(colors[35] == 99);
    test_folder_remove(folder);
    fixture_free(&f);
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

static void test_distinguish(void **state)
{
    (void)state;
    fixture f = fixture_new();
    leman_difference d = {.round = 99};
    size_t one = 0;
    leman_dataset *odd = NULL;
    assert_int_equal(leman_dataset_select(f.ctx, f.data, 1, &one, &odd), LEMAN_OK);
    assert_refused_without(leman_distinguish(NULL, &f.graph, &f.graph, NULL, false, &d));
    assert_refused(f.ctx, "a,", leman_distinguish(f.ctx, NULL, &f.graph, NULL, false, &d));
    assert_refused(f.ctx, "b,", leman_distinguish(f.ctx, &f.graph, NULL, NULL, false, &d));
    assert_refused(f.ctx, "difference", leman_distinguish(f.ctx, &f.graph, &f.graph, NULL, false, NULL));
    assert_refused_without(leman_distinguish_pairs(NULL, f.data, NULL, false, &d));
    assert_refused(f.ctx, "data", leman_distinguish_pairs(f.ctx, NULL, NULL, false, &d));
    assert_refused(f.ctx, "difference", leman_distinguish_pairs(f.ctx, f.data, NULL, false, NULL));
    assert_refused_for_data(f.ctx, "pairs", leman_distinguish_pairs(f.ctx, odd, NULL, false, &d));
    for (size_t i = 0; i < WRONG_COUNT; i++) {
        const leman_coloring *c = &WRONG[i].coloring;
        assert_refused(f.ctx, WRONG[i].word, leman_distinguish(f.ctx, &f.graph, &f.graph, c, false, &d));
        assert_refused(f.ctx, WRONG[i].word, leman_distinguish_pairs(f.ctx, f.data, c, true, &d));
    }
    assert_int_equal(d.round, 99);
    assert_int_equal(leman_distinguish_pairs(f.ctx, f.data, NULL, false, &d), LEMAN_OK);
    assert_true(d.distinguished);
    leman_dataset_free(odd);
    fixture_free(&f);
}

static void test_dimension(void **state)
{
    (void)state;
    fixture f = fixture_new();
    leman_dimension d = {.tried = 99};
    leman_graph_dimension g[2] = {{.tried = 99}};
    leman_graph_hash hash[2] = {{.stable_round = 99}};
    size_t one = 0;
    leman_dataset *odd = NULL;
    assert_int_equal(leman_dataset_select(f.ctx, f.data, 1, &one, &odd), LEMAN_OK);
    assert_refused_without(leman_graph_hashes(NULL, f.data, NULL, hash));
    assert_refused(f.ctx, "data", leman_graph_hashes(f.ctx, NULL, NULL, hash));
    assert_refused(f.ctx, "hash", leman_graph_hashes(f.ctx, f.data, NULL, NULL));
    char text[LEMAN_GRAPH_HASH_TEXT] = "?";
    assert_int_equal(leman_graph_hash_text(NULL, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_refused_without(leman_pair_dimension(NULL, &f.graph, &f.graph, NULL, 2, &d));
    assert_refused(f.ctx, "a,", leman_pair_dimension(f.ctx, NULL, &f.graph, NULL, 2, &d));
    assert_refused(f.ctx, "b,", leman_pair_dimension(f.ctx, &f.graph, NULL, NULL, 2, &d));
    assert_refused(f.ctx, "dimension", leman_pair_dimension(f.ctx, &f.graph, &f.graph, NULL, 2, NULL));
    assert_refused(f.ctx, "max_k", leman_pair_dimension(f.ctx, &f.graph, &f.graph, NULL, 0, &d));
    assert_refused(f.ctx, "max_k", leman_pair_dimension(f.ctx, &f.graph, &f.graph, NULL, 33, &d));
    assert_refused_without(leman_pair_dimensions(NULL, f.data, NULL, 2, &d));
    assert_refused(f.ctx, "data", leman_pair_dimensions(f.ctx, NULL, NULL, 2, &d));
    assert_refused(f.ctx, "dimension", leman_pair_dimensions(f.ctx, f.data, NULL, 2, NULL));
    assert_refused(f.ctx, "max_k", leman_pair_dimensions(f.ctx, f.data, NULL, 0, &d));
    assert_refused_for_data(f.ctx, "pairs", leman_pair_dimensions(f.ctx, odd, NULL, 2, &d));
    assert_refused_without(leman_graph_dimensions(NULL, f.data, NULL, 2, g, NULL));
    assert_refused(f.ctx, "data", leman_graph_dimensions(f.ctx, NULL, NULL, 2, g, NULL));
    assert_refused(f.ctx, "dimension", leman_graph_dimensions(f.ctx, f.data, NULL, 2, NULL, NULL));
    assert_refused(f.ctx, "max_k", leman_graph_dimensions(f.ctx, f.data, NULL, 40, g, NULL));
    for (size_t i = 0; i < WRONG_COUNT; i++) {
        const leman_coloring *c = &WRONG[i].coloring;
        assert_refused(f.ctx, WRONG[i].word, leman_graph_hashes(f.ctx, f.data, c, hash));
        assert_refused(f.ctx, WRONG[i].word, leman_pair_dimensions(f.ctx, f.data, c, 2, &d));
        assert_refused(f.ctx, WRONG[i].word, leman_graph_dimensions(f.ctx, f.data, c, 2, g, NULL));
    }
    assert_int_equal(d.tried, 99);
    assert_int_equal(g[0].tried, 99);
    assert_int_equal(hash[0].stable_round, 99);
    assert_int_equal(leman_pair_dimensions(f.ctx, f.data, NULL, 2, &d), LEMAN_OK);
    assert_int_equal(d.folklore, 2);
    assert_int_equal(leman_graph_dimensions(f.ctx, f.data, NULL, 2, g, NULL), LEMAN_OK);
    assert_int_equal(g[0].at_most, 2);
    leman_dataset_free(odd);
    fixture_free(&f);
}

static void test_unique(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    char *path = strdup(test_path(folder, "x.g6")), *out = strdup(test_path(folder, "y.g6"));
    leman_unique found = {.graphs = 99};
    leman_cleaning cleaning;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("Bw\nBW\nBw\n", file);
    fclose(file);
    leman_unique_options options;
    leman_unique_options_init(&options, sizeof options);
    assert_int_equal(options.digits, -1);
    assert_refused_without(leman_unique_write(NULL, path, NULL, NULL, out, NULL, &found));
    assert_refused(ctx, "path", leman_unique_write(ctx, NULL, NULL, NULL, out, NULL, &found));
    assert_refused(ctx, "out", leman_unique_write(ctx, path, NULL, NULL, NULL, NULL, &found));
    assert_refused(ctx, "found", leman_unique_write(ctx, path, NULL, NULL, out, NULL, NULL));
    options.format = (leman_format)99;
    assert_refused(ctx, "format", leman_unique_write(ctx, path, NULL, &options, out, NULL, &found));
    options.format = LEMAN_FORMAT_AUTO;
    options.digits = 16;
    assert_refused(ctx, "digits", leman_unique_write(ctx, path, NULL, &options, out, NULL, &found));
    options.digits = -1;
    for (size_t i = 0; i < WRONG_COUNT; i++) {
        options.coloring = &WRONG[i].coloring;
        assert_refused(ctx, WRONG[i].word, leman_unique_write(ctx, path, NULL, &options, out, NULL, &found));
    }
    options.exact = true;
    assert_refused(ctx, "exact", leman_unique_write(ctx, path, NULL, &options, out, NULL, &found));
    options.size = 1;
    assert_refused(ctx, "leman_unique_options", leman_unique_write(ctx, path, NULL, &options, out, NULL, &found));
    assert_int_equal(found.graphs, 99);
    assert_int_equal(leman_unique_write(ctx, path, NULL, NULL, out, &cleaning, &found), LEMAN_OK);
    assert_int_equal(found.graphs, 3);
    assert_int_equal(found.classes, 2);
    assert_int_equal(found.largest, 2);
    free(path);
    free(out);
    test_folder_remove(folder);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unique),      cmocka_unit_test(test_names),  cmocka_unit_test(test_colorings_by_name),
        cmocka_unit_test(test_text),        cmocka_unit_test(test_census), cmocka_unit_test(test_histogram),
        cmocka_unit_test(test_tuple_lists), cmocka_unit_test(test_tuples), cmocka_unit_test(test_distinguish),
        cmocka_unit_test(test_dimension),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
