/* How graphs were read: codes of options, what they keep, and files that have or do not have them. */
#include "io/reading.h"
#include "support/formats.h"
#include <stdio.h>
#include <stdlib.h>

static leman_dataset *molecules(leman_context *ctx, leman_aromatic aromatic)
{
    const char *folder = test_folder_new();
    const char *path =
        test_file_text(folder, "SMILES.csv", "smiles,y\nC1=CC=CC=C1,0\nCCO,1\nc1ccncc1,0\nCCN,1\nCc1ccccc1,0\nCCC,1\n");
    leman_dataset *data = NULL;
    leman_read_options options = leman_read_options_default();
    options.aromatic = aromatic;
    options.class_column = "y";
    assert_int_equal(leman_dataset_read(ctx, path, &options, NULL, &data), LEMAN_OK);
    test_folder_remove(folder);
    return data;
}

/* The code of every choice gives that choice back, and no other code is one. */
static void codes(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_policy policy = leman_policy_default();
    for (int hydrogens = 0; hydrogens < LEMAN_HYDROGENS_COUNT; hydrogens++)
        for (int aromatic = 0; aromatic < LEMAN_AROMATIC_COUNT; aromatic++)
            for (unsigned labels = 0; labels < 128 * (LEMAN_STANDARDIZE_ALL + 1); labels++) {
                leman_read_options options = leman_read_options_default(), back = options;
                options.hydrogens = (leman_hydrogens)hydrogens;
                options.aromatic = (leman_aromatic)aromatic;
                options.atom_labels = labels % 128;
                options.standardize = labels / 128;
                const uint64_t reading = leman_reading_of(&options, true);
                assert_true(reading & LEMAN_READING_MOLECULES && lm_reading_is_valid(reading));
                assert_int_equal(leman_reading_apply(ctx, reading, &back, NULL), LEMAN_OK);
                assert_true(back.hydrogens == options.hydrogens && back.aromatic == options.aromatic);
                assert_int_equal(back.standardize, options.standardize);
                assert_int_equal(leman_reading_of(&back, true), reading);
            }
    static const uint64_t WRONG[] = {2, 8, UINT64_C(1) << 40 | 1, 0x401, 3, UINT64_C(1) << 63};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        leman_read_options options = leman_read_options_default();
        assert_false(lm_reading_is_valid(WRONG[i]));
        assert_int_equal(leman_reading_apply(ctx, WRONG[i], &options, &policy), LEMAN_ERROR_ARGUMENT);
    }
    leman_context_free(ctx);
}

static void texts_and_policies(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    char text[200], little[8];
    leman_policy policy = leman_policy_default(), back = policy;
    leman_read_options options = leman_read_options_default();
    assert_int_equal(leman_reading_text(leman_reading_of(NULL, false), text, sizeof text), 0);
    leman_reading_text(leman_reading_of(NULL, true), text, sizeof text);
    assert_string_equal(text, "--aromatic rdkit --hydrogens implicit --atom-labels element,charge,isotope,radical");
    assert_int_equal(leman_reading_text(leman_reading_of(NULL, true), little, sizeof little), strlen(text));
    assert_string_equal(little, "--aroma");
    assert_int_equal(leman_policy_parse(ctx, "self-loops=keep,isolated-vertices=remove", &policy), LEMAN_OK);
    options.policy = &policy;
    leman_reading_text(leman_reading_of(&options, false), text, sizeof text);
    assert_string_equal(text, "--policy self-loops=keep,isolated-vertices=remove");
    assert_int_equal(leman_reading_apply(ctx, leman_reading_of(&options, false), &options, &back), LEMAN_OK);
    assert_true(back.self_loops == LEMAN_ACTION_KEEP && back.isolated_vertices == LEMAN_ACTION_REMOVE &&
                back.one_way_edges == LEMAN_ACTION_REPAIR);
    leman_context_free(ctx);
}

/* Selections, copies with other columns and binary files keep the code; graphs made in memory have none. */
static void data_sets_keep_it(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_path(folder, "m.leman");
    leman_dataset *data = molecules(ctx, LEMAN_AROMATIC_MDL), *other = NULL;
    const uint64_t reading = leman_dataset_reading(data);
    const size_t which[] = {1, 0};
    const leman_columns keep = {.vertex_labels = 1};
    assert_true(reading != 0);
    assert_int_equal(leman_dataset_select(ctx, data, 2, which, &other), LEMAN_OK);
    assert_int_equal(leman_dataset_reading(other), reading);
    leman_dataset_free(other);
    assert_int_equal(leman_dataset_keep(ctx, data, &keep, &other), LEMAN_OK);
    assert_int_equal(leman_dataset_reading(other), reading);
    leman_dataset_free(other);
    assert_int_equal(leman_dataset_apex(ctx, data, &other), LEMAN_OK);
    assert_int_equal(leman_dataset_reading(other), reading);
    leman_dataset_free(other);
    assert_int_equal(leman_dataset_write(ctx, data, path, LEMAN_FORMAT_AUTO), LEMAN_OK);
    assert_int_equal(leman_dataset_read(ctx, path, NULL, NULL, &other), LEMAN_OK);
    assert_int_equal(leman_dataset_reading(other), reading);
    leman_dataset_free(other);
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_CSL, NULL, &other), LEMAN_OK);
    assert_int_equal(leman_dataset_reading(other), 0);
    assert_int_equal(leman_dataset_reading(NULL), 0);
    leman_dataset_free(other);
    leman_dataset_free(data);
    test_folder_remove(folder);
    leman_context_free(ctx);
}

static leman_model *fitted(leman_context *ctx, const leman_dataset *data)
{
    leman_model *model = NULL;
    leman_kernel kernel = leman_kernel_default();
    leman_fit_options options = leman_fit_options_default();
    options.folds = 2;
    options.max_rounds = 1;
    assert_int_equal(leman_kernel_parse(ctx, "1-WL", &kernel), LEMAN_OK);
    if (leman_model_fit(ctx, data, &kernel, 1, &options, &model)) fail_msg("%s", leman_context_message(ctx));
    return model;
}

/* Removes the code and the last `more` bytes, which later versions added, from a file of ours and writes it as one of version 1. */
static void make_old(leman_context *ctx, const char *path, uint64_t reading, size_t more, const char *old)
{
    static char bytes[1 << 16];
    lm_serializer serializer = {0};
    FILE *file = fopen(path, "rb");
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    size_t at = LM_SERIALIZE_HEAD;
    while (at + 8 <= size && memcmp(bytes + at, &reading, 8)) at += 8; /* the machine is little-endian */
    assert_true(at + 8 + more <= size);
    assert_int_equal(lm_serializer_begin(&serializer, ctx, old), LEMAN_OK);
    assert_int_equal(lm_vector_append(ctx, &serializer.written, bytes + LM_SERIALIZE_HEAD, at - LM_SERIALIZE_HEAD, 1),
                     LEMAN_OK);
    assert_int_equal(lm_vector_append(ctx, &serializer.written, bytes + at + 8, size - at - 8 - more, 1), LEMAN_OK);
    assert_int_equal(lm_serializer_save(&serializer, bytes, 1), LEMAN_OK);
    lm_serializer_close(&serializer);
}

/* A model keeps the code, refuses molecules that were read in another way, and is read from a file that does not have
 * it. */
static void models_keep_it(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new(), *path = test_path(folder, "m.lm"), *old = test_path(folder, "old.lm");
    leman_dataset *data = molecules(ctx, LEMAN_AROMATIC_RDKIT), *other = molecules(ctx, LEMAN_AROMATIC_KEKULE);
    leman_model *model = fitted(ctx, data), *back = NULL;
    int64_t label[6];
    assert_int_equal(leman_model_describe(model)->reading, leman_dataset_reading(data));
    assert_int_equal(leman_model_write(ctx, model, path), LEMAN_OK);
    assert_int_equal(leman_model_read(ctx, path, &back), LEMAN_OK);
    assert_int_equal(leman_model_describe(back)->reading, leman_dataset_reading(data));
    assert_int_equal(leman_model_predict(ctx, back, data, label, NULL, NULL, NULL), LEMAN_OK);
    assert_int_equal(leman_model_predict(ctx, back, other, label, NULL, NULL, NULL), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx),
                           "SMILES: found molecules read with --aromatic kekule --hydrogens implicit --atom-labels "
                           "element,charge,isotope,radical, expected --aromatic rdkit"));
    leman_model_free(back);
    /* What later versions added stands at the end, and a file that is longer or shorter than it should be is refused. */
    size_t more = 0;
    for (leman_status st = LEMAN_ERROR_INPUT; st; more += 8) {
        if (more > 4096) fail_msg("%s", leman_context_message(ctx));
        make_old(ctx, path, leman_dataset_reading(data), more, old);
        st = leman_model_read(ctx, old, &back);
    }
    const uint64_t assumed = leman_model_describe(back)->reading;
    leman_read_options options = leman_read_options_default();
    assert_true(assumed & LEMAN_READING_ASSUMED && lm_reading_is_valid(assumed));
    assert_int_equal(leman_reading_apply(ctx, assumed, &options, NULL), LEMAN_OK);
    assert_true(options.aromatic == LEMAN_AROMATIC_AS_WRITTEN && options.hydrogens == LEMAN_HYDROGENS_AS_WRITTEN);
    assert_int_equal(leman_model_predict(ctx, back, other, label, NULL, NULL, NULL), LEMAN_OK);
    leman_model_free(back);
    leman_model_free(model);
    leman_dataset_free(data);
    leman_dataset_free(other);
    test_folder_remove(folder);
    leman_context_free(ctx);
}

/* Columns of features keep it, too. */
static void features_keep_it(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, LEMAN_AROMATIC_RDKIT), *other = molecules(ctx, LEMAN_AROMATIC_KEKULE);
    leman_kernel kernel = leman_kernel_default();
    leman_features *columns = NULL, *found = NULL;
    leman_feature_options options = leman_feature_options_default();
    assert_int_equal(leman_kernel_parse(ctx, "1-WL", &kernel), LEMAN_OK);
    assert_int_equal(leman_features_compute(ctx, data, &kernel, 1, &options, &columns), LEMAN_OK);
    assert_int_equal(columns->origin.reading, leman_dataset_reading(data));
    options.columns = columns;
    assert_int_equal(leman_features_compute(ctx, other, &kernel, 1, &options, &found), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "found molecules read with --aromatic rdkit"));
    leman_features_free(columns);
    leman_dataset_free(data);
    leman_dataset_free(other);
    leman_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes),          cmocka_unit_test(texts_and_policies), cmocka_unit_test(data_sets_keep_it),
        cmocka_unit_test(models_keep_it), cmocka_unit_test(features_keep_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
