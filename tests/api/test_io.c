/* leman/io.h: every function with what it must refuse, and the names of formats. */
#include "support/refused.h"
#include <stdio.h>

static void test_formats(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_format format = LEMAN_FORMAT_SDF;
    for (int i = 0; i < LEMAN_FORMAT_COUNT; i++) {
        assert_int_equal(leman_format_parse(ctx, leman_format_name((leman_format)i), &format), LEMAN_OK);
        assert_int_equal(format, i);
    }
    assert_string_equal(leman_format_name((leman_format)LEMAN_FORMAT_COUNT), "unknown");
    assert_string_equal(leman_format_name((leman_format)-1), "unknown");
    assert_refused_without(leman_format_parse(NULL, "tu", &format));
    assert_refused(ctx, "name", leman_format_parse(ctx, NULL, &format));
    assert_refused(ctx, "format", leman_format_parse(ctx, "tu", NULL));
    assert_refused(ctx, "edge-list, sdf, pairs, smiles", leman_format_parse(ctx, "gml", &format));
    assert_false(leman_format_is_writable((leman_format)LEMAN_FORMAT_COUNT));
    assert_false(leman_format_is_writable((leman_format)-1));
    assert_string_equal(leman_format_ending(LEMAN_FORMAT_SDF, 0), ".sdf");
    assert_string_equal(leman_format_ending(LEMAN_FORMAT_SDF, 2), ".mol");
    assert_null(leman_format_ending(LEMAN_FORMAT_SDF, 3));
    assert_null(leman_format_ending(LEMAN_FORMAT_SDF, SIZE_MAX));
    assert_null(leman_format_ending(LEMAN_FORMAT_TU, 0));
    assert_null(leman_format_ending((leman_format)LEMAN_FORMAT_COUNT, 0));
    assert_null(leman_format_ending((leman_format)-1, 0));

    assert_int_equal(leman_format_for_writing(ctx, "a/b.G6", &format), LEMAN_OK);
    assert_int_equal(format, LEMAN_FORMAT_GRAPH6);
    assert_int_equal(leman_format_for_writing(ctx, "a.gml/b", &format), LEMAN_OK);
    assert_int_equal(format, LEMAN_FORMAT_TU);
    assert_refused_without(leman_format_for_writing(NULL, "x.g6", &format));
    assert_refused(ctx, "path", leman_format_for_writing(ctx, NULL, &format));
    assert_refused(ctx, "format", leman_format_for_writing(ctx, "x.g6", NULL));
    assert_refused(ctx, ".zip, .leman", leman_format_for_writing(ctx, "x.gml", &format));
    assert_refused(ctx, ".sdf", leman_format_for_writing(ctx, "x.gml", &format));
    assert_refused(ctx, "no ending", leman_format_for_writing(ctx, "-", &format));
    test_context_free(ctx);
}

static void test_molecules(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *const before = TEST_UNTOUCHED(leman_dataset), *out = before;
    leman_read_options options = leman_read_options_default();
    const char *smiles[] = {"CCO", "C(", NULL};
    bool refused[2] = {true, true};
    leman_hydrogens hydrogens;
    leman_aromatic aromatic;
    leman_stereo stereo;
    for (int i = 0; i < LEMAN_HYDROGENS_COUNT; i++) {
        assert_int_equal(leman_hydrogens_parse(ctx, leman_hydrogens_name((leman_hydrogens)i), &hydrogens), LEMAN_OK);
        assert_int_equal(hydrogens, i);
    }
    for (int i = 0; i < LEMAN_AROMATIC_COUNT; i++) {
        assert_int_equal(leman_aromatic_parse(ctx, leman_aromatic_name((leman_aromatic)i), &aromatic), LEMAN_OK);
        assert_int_equal(aromatic, i);
    }
    for (int i = 0; i < LEMAN_STEREO_COUNT; i++) {
        assert_int_equal(leman_stereo_parse(ctx, leman_stereo_name((leman_stereo)i), &stereo), LEMAN_OK);
        assert_int_equal(stereo, i);
    }
    assert_string_equal(leman_hydrogens_name((leman_hydrogens)-1), "unknown");
    assert_string_equal(leman_aromatic_name((leman_aromatic)LEMAN_AROMATIC_COUNT), "unknown");
    assert_refused_without(leman_hydrogens_parse(NULL, "labels", &hydrogens));
    assert_refused(ctx, "name", leman_hydrogens_parse(ctx, NULL, &hydrogens));
    assert_refused(ctx, "explicit, labels", leman_hydrogens_parse(ctx, "none", &hydrogens));
    assert_refused_without(leman_aromatic_parse(NULL, "kekule", &aromatic));
    assert_refused(ctx, "aromatic", leman_aromatic_parse(ctx, "kekule", NULL));
    assert_refused(ctx, "as-written, kekule", leman_aromatic_parse(ctx, "hueckel", &aromatic));
    assert_string_equal(leman_stereo_name((leman_stereo)LEMAN_STEREO_COUNT), "unknown");
    assert_refused_without(leman_stereo_parse(NULL, "labels", &stereo));
    assert_refused(ctx, "stereo", leman_stereo_parse(ctx, "labels", NULL));
    assert_refused(ctx, "none, labels", leman_stereo_parse(ctx, "cip", &stereo));

    assert_refused_without(leman_dataset_from_smiles(NULL, smiles, NULL, 1, NULL, NULL, &out));
    assert_refused(ctx, "smiles", leman_dataset_from_smiles(ctx, NULL, NULL, 1, NULL, NULL, &out));
    assert_refused(ctx, "out", leman_dataset_from_smiles(ctx, smiles, NULL, 1, NULL, NULL, NULL));
    options.size = SIZE_MAX;
    assert_refused(ctx, "leman_read_options", leman_dataset_from_smiles(ctx, smiles, NULL, 1, &options, NULL, &out));
    options = leman_read_options_default();
    options.skip_unreadable = true;
    assert_refused(ctx, "smiles[2] is NULL", leman_dataset_from_smiles(ctx, smiles, NULL, 3, &options, NULL, &out));
    assert_int_equal(leman_dataset_from_smiles(ctx, smiles, NULL, 2, NULL, NULL, &out), LEMAN_ERROR_INPUT);
    assert_string_equal(leman_context_message(ctx),
                        "SMILES:1: column 2: found '(', expected a ')' that closes this branch");
    assert_ptr_equal(out, before);
    assert_int_equal(leman_dataset_from_smiles(ctx, smiles, NULL, 2, &options, refused, &out), LEMAN_OK);
    assert_int_equal(leman_dataset_shape(out)->graphs, 1);
    assert_true(!refused[0] && refused[1]);
    leman_dataset_free(out);
    test_context_free(ctx);
}

static void test_reading(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *const before = TEST_UNTOUCHED(leman_dataset), *out = before;
    leman_read_options options = leman_read_options_default();
    leman_policy policy = leman_policy_default();
    const char *folder = test_folder_new(), *path = test_file_text(folder, "a.g6", "Bw\n");
    assert_refused_without(leman_dataset_read(NULL, path, NULL, NULL, &out));
    assert_refused(ctx, "path", leman_dataset_read(ctx, NULL, NULL, NULL, &out));
    assert_refused(ctx, "out", leman_dataset_read(ctx, path, NULL, NULL, NULL));
    options.format = (leman_format)LEMAN_FORMAT_COUNT;
    assert_refused(ctx, "format", leman_dataset_read(ctx, path, &options, NULL, &out));
    options = leman_read_options_default();
    options.atom_labels = 2 * LEMAN_ATOM_FCFP;
    assert_refused(ctx, "atom_labels", leman_dataset_read(ctx, path, &options, NULL, &out));
    options = leman_read_options_default();
    options.standardize = LEMAN_STANDARDIZE_ALL + 1;
    assert_refused(ctx, "standardize", leman_dataset_read(ctx, path, &options, NULL, &out));
    options = leman_read_options_default();
    options.atom_labels = LEMAN_ATOM_ECFP | LEMAN_ATOM_CHARGE;
    assert_refused(ctx, "atom_labels", leman_dataset_read(ctx, path, &options, NULL, &out));
    options = leman_read_options_default();
    options.hydrogens = (leman_hydrogens)LEMAN_HYDROGENS_COUNT;
    assert_refused(ctx, "hydrogens", leman_dataset_read(ctx, path, &options, NULL, &out));
    options = leman_read_options_default();
    options.aromatic = (leman_aromatic)LEMAN_AROMATIC_COUNT;
    assert_refused(ctx, "aromatic", leman_dataset_read(ctx, path, &options, NULL, &out));
    options = leman_read_options_default();
    options.stereo = (leman_stereo)LEMAN_STEREO_COUNT;
    assert_refused(ctx, "stereo", leman_dataset_read(ctx, path, &options, NULL, &out));
    assert_refused_without(leman_reading_apply(NULL, 1, &options, NULL));
    assert_refused(ctx, "options", leman_reading_apply(ctx, 1, NULL, &policy));
    assert_refused(ctx, "leman_dataset_reading", leman_reading_apply(ctx, 2, &options, &policy));
    assert_int_equal(leman_reading_text(2, NULL, 0), 0);
    assert_int_equal(leman_dataset_read(ctx, path, NULL, NULL, &out), LEMAN_OK);
    assert_refused_without(leman_dataset_set_reading(NULL, out, 1));
    assert_refused(ctx, "data", leman_dataset_set_reading(ctx, NULL, 1));
    assert_refused(ctx, "leman_dataset_reading", leman_dataset_set_reading(ctx, out, 2));
    assert_int_equal(leman_dataset_set_reading(ctx, out, leman_reading_of(NULL, true)), LEMAN_OK);
    assert_true(leman_dataset_reading(out) == leman_reading_of(NULL, true));
    leman_dataset_free(out);
    out = before;
    leman_rows *rows = NULL;
    options = leman_read_options_default();
    options.rows = &rows;
    policy.empty_graphs = LEMAN_ACTION_REMOVE;
    options.policy = &policy;
    assert_refused(ctx, "rows", leman_dataset_read(ctx, path, &options, NULL, &out));
    policy = leman_policy_default();
    assert_null(rows);
    assert_int_equal(leman_rows_count(NULL), 0);
    assert_true(leman_rows_get(NULL, 0).graph == SIZE_MAX);
    assert_null(leman_rows_column(NULL, 0, NULL));
    assert_string_equal(leman_rows_value(NULL, 0, 0), "");
    leman_rows_free(NULL);
    options = (leman_read_options){0};
    assert_int_equal(leman_reading_of(&options, true), 0);
    assert_refused(ctx, "leman_read_options", leman_dataset_read(ctx, path, &options, NULL, &out));
    options = leman_read_options_default();
    options.policy = &policy;
    policy.one_way_edges = LEMAN_ACTION_KEEP;
    assert_refused(ctx, "one-way-edges", leman_dataset_read(ctx, path, &options, NULL, &out));
    policy.size = SIZE_MAX;
    assert_refused(ctx, "leman_policy", leman_dataset_read(ctx, path, &options, NULL, &out));
    assert_ptr_equal(out, before);
    leman_read_options_init(NULL, sizeof options);
    assert_int_equal(leman_dataset_read(ctx, path, NULL, NULL, &out), LEMAN_OK);
    leman_dataset_free(out);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void test_streams(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_stream *stream = NULL, *none = NULL;
    const leman_dataset *slice = NULL;
    leman_read_options options = leman_read_options_default();
    const char *folder = test_folder_new(), *path = test_file_text(folder, "a.g6", "Bw\nA_\n");
    assert_refused_without(leman_stream_open(NULL, path, NULL, &stream));
    assert_refused(ctx, "path", leman_stream_open(ctx, NULL, NULL, &stream));
    assert_refused(ctx, "out", leman_stream_open(ctx, path, NULL, NULL));
    options.format = (leman_format)LEMAN_FORMAT_COUNT;
    assert_refused(ctx, "format", leman_stream_open(ctx, path, &options, &stream));
    assert_int_equal(leman_stream_open(ctx, test_path(folder, "none"), NULL, &stream), LEMAN_ERROR_FILE);
    assert_null(stream);
    assert_int_equal(leman_stream_open(ctx, path, NULL, &stream), LEMAN_OK);
    assert_int_equal(leman_stream_next(none, &slice), LEMAN_ERROR_ARGUMENT);
    assert_refused(ctx, "slice", leman_stream_next(stream, NULL));
    assert_int_equal(leman_stream_labels(none, &slice), LEMAN_ERROR_ARGUMENT);
    assert_refused(ctx, "labels", leman_stream_labels(stream, NULL));
    assert_refused(ctx, "still to come", leman_stream_labels(stream, &slice));
    assert_int_equal(leman_stream_next(stream, &slice), LEMAN_OK);
    assert_int_equal(leman_dataset_shape(slice)->graphs, 2);
    assert_int_equal(leman_stream_next(stream, &slice), LEMAN_OK);
    assert_null(slice);
    assert_int_equal(leman_stream_labels(stream, &slice), LEMAN_OK);
    assert_int_equal(leman_dataset_shape(slice)->graphs, 2);
    assert_int_equal(leman_stream_cleaning(stream)->empty_graphs, 0);
    assert_null(leman_stream_cleaning(none));
    leman_stream_free(stream);
    leman_stream_free(none);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void test_writing(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    const char *folder = test_folder_new(), *path = test_path(folder, "a.g6");
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_PETERSEN, NULL, &data), LEMAN_OK);
    assert_refused_without(leman_dataset_write(NULL, data, path, LEMAN_FORMAT_AUTO));
    assert_refused(ctx, "data", leman_dataset_write(ctx, NULL, path, LEMAN_FORMAT_AUTO));
    assert_refused(ctx, "path", leman_dataset_write(ctx, data, NULL, LEMAN_FORMAT_AUTO));
    assert_refused(ctx, "format", leman_dataset_write(ctx, data, path, (leman_format)99));
    for (int i = 1; i < LEMAN_FORMAT_COUNT; i++) /* the list of the sentence is that of the function */
        if (!leman_format_is_writable((leman_format)i)) {
            assert_refused(ctx, "tu, tu-zip, binary, graph6, sparse6, edge-list",
                           leman_dataset_write(ctx, data, path, (leman_format)i));
        } else {
            char name[32];
            snprintf(name, sizeof name, "written-%d", i);
            /* These graphs are no molecules, and they have no terms. */
            const bool others = i == LEMAN_FORMAT_SDF || i == LEMAN_FORMAT_SMILES || i == LEMAN_FORMAT_NQUADS;
            assert_int_equal(leman_dataset_write(ctx, data, test_path(folder, name), (leman_format)i),
                             others ? LEMAN_ERROR_INPUT : LEMAN_OK);
        }
    leman_dataset_free(data);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void test_downloading(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_download_options options = leman_download_options_default();
    char path[4096] = "untouched";
    options.offline = true;
    assert_refused_without(leman_dataset_download(NULL, "MUTAG", &options, path, sizeof path));
    assert_refused(ctx, "name", leman_dataset_download(ctx, NULL, &options, path, sizeof path));
    assert_refused(ctx, "path", leman_dataset_download(ctx, "MUTAG", &options, NULL, sizeof path));
    options.cache = "/nowhere";
    assert_refused(ctx, "0 bytes", leman_dataset_download(ctx, "MUTAG", &options, path, 0));
    options.time_limit = -1;
    assert_refused(ctx, "time limit", leman_dataset_download(ctx, "MUTAG", &options, path, sizeof path));
    options.time_limit = 0;
    options.refresh = true;
    assert_refused(ctx, "offline and refresh", leman_dataset_download(ctx, "MUTAG", &options, path, sizeof path));
    options.size = 1;
    assert_refused(ctx, "leman_download_options", leman_dataset_download(ctx, "MUTAG", &options, path, sizeof path));
    assert_string_equal(path, "untouched");
    leman_download_options_init(NULL, sizeof options);
    assert_int_equal(leman_dataset_known_graphs(NULL), 0);
    assert_int_equal(leman_dataset_known_graphs(""), 0);
    assert_int_equal(leman_dataset_known_graphs("mutag"), 0);
    assert_int_equal(leman_dataset_known_graphs("MUTAG"), 188); /* as published */
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats), cmocka_unit_test(test_molecules), cmocka_unit_test(test_reading),
        cmocka_unit_test(test_streams), cmocka_unit_test(test_writing),   cmocka_unit_test(test_downloading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
