/* Molecules written as SMILES and SDF: compressed where the name says so, and every allocation may fail. */
#include "io/format.h"
#include "support/captured_output.h"
#include "support/support.h"
#include <stdio.h>

static const char *const SMILES[] = {"C[C@H](N)C(=O)[O-]", "c1cc[nH]c1.[Na+]", "[13CH3]C#N",
                                     "C1CC2CC1C2",         "[H][H]",           "O"};
enum { COUNT = sizeof SMILES / sizeof *SMILES };

static leman_dataset *molecules(leman_context *ctx)
{
    static const char *const NAMES[] = {"a", "b", "", "d", "e", "water"};
    leman_dataset *data = NULL;
    assert_int_equal(leman_dataset_from_smiles(ctx, SMILES, NAMES, COUNT, NULL, NULL, &data), LEMAN_OK);
    return data;
}

/* The same graphs come back, from a file that is smaller than its text, and twice the same bytes. */
static void compressed(void **unused)
{
    (void)unused;
    static const char *const NAMES[][2] = {{"m.smi.gz", "m.smi"},
                                           {"m.sdf.gz", "m.sdf"},
                                           {"m.csv.gz", "m.csv"},
                                           {"m.g6.gz", "m.g6"},
                                           {"m.leman.gz", "m.leman"}};
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    leman_dataset *data = molecules(ctx);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        leman_dataset *found[2] = {NULL, NULL};
        lm_bytes bytes[2] = {{0}};
        for (size_t j = 0; j < 2; j++) {
            const char *path = test_path(folder, NAMES[i][j]);
            assert_int_equal(leman_dataset_write(ctx, data, path, LEMAN_FORMAT_AUTO), LEMAN_OK);
            if (leman_dataset_read(ctx, path, NULL, NULL, found + j)) fail_msg("%s", leman_context_message(ctx));
            assert_int_equal(lm_bytes_open(ctx, path, 1 << 20, bytes + j), LEMAN_OK);
        }
        assert_true((unsigned char)bytes[0].data[0] == 0x1f && (unsigned char)bytes[0].data[1] == 0x8b);
        assert_true((unsigned char)bytes[1].data[0] != 0x1f);
        assert_true(leman_dataset_checksum(found[0]) == leman_dataset_checksum(found[1]));
        assert_string_equal(leman_dataset_shape(found[0])->name, leman_dataset_shape(found[1])->name);
        for (size_t j = 0; j < 2; j++) {
            leman_dataset_free(found[j]);
            lm_bytes_close(bytes + j);
        }
    }
    leman_format format = LEMAN_FORMAT_AUTO;
    assert_int_equal(leman_format_for_writing(ctx, "x.zip.gz", &format), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_format_for_writing(ctx, "x.gz", &format), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_format_for_writing(ctx, "x.sdf.GZ", &format), LEMAN_OK);
    assert_int_equal(format, LEMAN_FORMAT_SDF);
    leman_dataset_free(data);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static leman_status write_once(leman_context *ctx, void *state)
{
    const leman_format *format = state;
    leman_dataset *data = NULL;
    leman_status st = leman_dataset_from_smiles(ctx, SMILES, NULL, COUNT, NULL, NULL, &data);
    if (!st) st = leman_dataset_write(ctx, data, "/dev/null", *format);
    leman_dataset_free(data);
    return st;
}

static leman_status read_once(leman_context *ctx, void *state)
{
    (void)state;
    leman_dataset *data = NULL;
    leman_status st = leman_dataset_from_smiles(ctx, SMILES, NULL, COUNT, NULL, NULL, &data);
    leman_dataset_free(data);
    return st;
}

/* Conjugated double bonds of an SDF, whose marks come from coordinates: written as SMILES if *state is true. */
static leman_status write_drawn(leman_context *ctx, void *state)
{
    static const char BLOCK[] = "diene\n\n\n  6  5  0  0  0  0  0  0  0  0999 V2000\n"
                                "    0.0000    0.0000    0.0000 F   0  0\n    1.3000    0.7500    0.0000 C   0  0\n"
                                "    2.6000    0.0000    0.0000 C   0  0\n    3.9000    0.7500    0.0000 C   0  0\n"
                                "    5.2000    0.0000    0.0000 C   0  0\n    5.2000   -1.5000    0.0000 Cl  0  0\n"
                                "  1  2  1\n  2  3  2\n  3  4  1\n  4  5  2\n  5  6  1\nM  END\n$$$$\n";
    leman_read_options options = leman_read_options_default();
    leman_dataset *data = NULL;
    const bool *write = state;
    const char *folder = test_folder_new(), *path = test_path(folder, "m.smi");
    FILE *file = fopen(test_path(folder, "m.sdf"), "w");
    assert_non_null(file);
    fputs(BLOCK, file);
    fclose(file);
    options.stereo = LEMAN_STEREO_LABELS;
    leman_status st = leman_dataset_read(ctx, test_path(folder, "m.sdf"), &options, NULL, &data);
    if (!st && *write) st = leman_dataset_write(ctx, data, path, LEMAN_FORMAT_AUTO);
    if (!st && *write) {
        char text[64] = "";
        file = fopen(path, "r");
        assert_non_null(file);
        assert_non_null(fgets(text, sizeof text, file));
        fclose(file);
        assert_string_equal(text, "F/C=C/C=C\\Cl\tdiene\n");
    }
    leman_dataset_free(data);
    test_folder_remove(folder);
    return st;
}

static void allocations_may_fail(void **unused)
{
    (void)unused;
    bool drawn[] = {false, true};
    assert_true(test_fail_each_allocation(write_drawn, drawn + 1) > test_fail_each_allocation(write_drawn, drawn));
    const size_t reading = test_fail_each_allocation(read_once, NULL);
    leman_format formats[] = {LEMAN_FORMAT_SMILES, LEMAN_FORMAT_SDF};
    for (size_t i = 0; i < 2; i++) assert_true(test_fail_each_allocation(write_once, formats + i) > reading);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(compressed), cmocka_unit_test(allocations_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
