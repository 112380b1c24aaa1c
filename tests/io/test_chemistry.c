/* Molecules that cannot exist: the sentences that name row, atom and molecule, the three actions, what the streams and
 * connection tables say, failing allocations. tests/python/test_chemistry.py compares with RDKit. */
#include "support/support.h"
#include <stdio.h>

/* Reads one SMILES under a policy; returns the status and fills *found. */
static leman_status read_one(leman_context *ctx, const char *smiles, leman_action action, leman_aromatic aromatic,
                             leman_cleaning *found)
{
    leman_dataset *data = NULL;
    leman_read_options options = leman_read_options_default();
    leman_policy policy = leman_policy_default();
    policy.valence = action;
    options.policy = &policy;
    options.aromatic = aromatic;
    options.cleaning = found;
    const leman_status st = leman_dataset_from_smiles(ctx, &smiles, NULL, 1, &options, NULL, &data);
    leman_dataset_free(data);
    return st;
}

static void sentences(void **state)
{
    (void)state;
    static const struct {
        const char *smiles, *sentence;
    } CASES[] = {
        {"CN(C)(C)(C)C",
         "SMILES:0: found valence 5 of atom 1 (N), counted from 0, in CN(C)(C)(C)C, expected at most 3"},
        {"[CH5]", "SMILES:0: found valence 5 of atom 0 (C), counted from 0, in [CH5], expected at most 4"},
        {"C[O+](C)(C)C",
         "SMILES:0: found valence 4 of atom 1 (O+), counted from 0, in C[O+](C)(C)C, expected at most 3"},
        {"[CaH][Al-2](F)(F)(F)(F)(F)F", "SMILES:0: found valence 7 of atom 1 (Al-2), counted from 0, in "
                                        "[CaH][Al-2](F)(F)(F)(F)(F)F, expected at most 5"},
        {"c1cccc1",
         "SMILES:0: found aromatic bonds in c1cccc1 that cannot be made single and double, expected a double "
         "bond for atom 2 (C), counted from 0"},
        {"Sn", "SMILES:0: found the aromatic atom 1 (N), counted from 0, outside rings in Sn, expected a ring, or [Sn] "
               "for the element"},
        {"C1CC[n+]C1", "SMILES:0: found aromatic bonds in C1CC[n+]C1 that cannot be made single and double, expected a "
                       "double bond for atom 3 (N+), counted from 0"},
        {"CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC[OH2]",
         "SMILES:0: found valence 3 of atom 69 (O), counted from 0, in "
         "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC..., expected at most 2"},
    };
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        for (int as_written = 0; as_written < 2; as_written++) {
            const leman_aromatic aromatic = as_written ? LEMAN_AROMATIC_AS_WRITTEN : LEMAN_AROMATIC_RDKIT;
            leman_cleaning found = {.impossible_molecules = 7};
            assert_int_equal(read_one(ctx, CASES[i].smiles, LEMAN_ACTION_REFUSE, aromatic, NULL), LEMAN_ERROR_INPUT);
            assert_string_equal(leman_context_message(ctx), CASES[i].sentence);
            assert_int_equal(read_one(ctx, CASES[i].smiles, LEMAN_ACTION_REPORT, aromatic, &found), LEMAN_OK);
            assert_int_equal(found.impossible_molecules, 1);
            assert_string_equal(found.first_impossible, CASES[i].sentence);
            assert_int_equal(read_one(ctx, CASES[i].smiles, LEMAN_ACTION_KEEP, aromatic, &found), LEMAN_OK);
            assert_int_equal(found.impossible_molecules, 0);
        }
    test_context_free(ctx);
}

/* What charges.c gives charges can exist, and so can what has a Kekulé structure. */
static void molecules_that_exist(void **state)
{
    (void)state;
    static const char *const SMILES[] = {
        "CN(=O)=O",   "CN=N#N",   "O=n1ccccc1",     "OCl(=O)(=O)=O", "FS(F)(F)(F)(F)F", "F[P-](F)(F)(F)(F)F",
        "[H][H-][H]", "Cn1cccc1", "O=c1ccs(=O)cc1", "[Na](C)C",      "[Fe+2]",          "C[Si-2](F)(F)(F)(F)F",
        "[H+]",       "C~C",      "*(C)(C)(C)(C)C"};
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof SMILES / sizeof *SMILES; i++)
        for (int as_written = 0; as_written < 2; as_written++)
            if (read_one(ctx, SMILES[i], LEMAN_ACTION_REFUSE,
                         as_written ? LEMAN_AROMATIC_AS_WRITTEN : LEMAN_AROMATIC_RDKIT, NULL))
                fail_msg("%s", leman_context_message(ctx));
    test_context_free(ctx);
}

static leman_cleaning read_file(leman_context *ctx, const char *path, leman_action action, bool skip, size_t graphs)
{
    leman_dataset *data = NULL;
    leman_read_options options = leman_read_options_default();
    leman_policy policy = leman_policy_default();
    leman_cleaning found = {0};
    policy.valence = action;
    options.policy = &policy;
    options.skip_unreadable = skip;
    assert_int_equal(leman_dataset_read(ctx, path, &options, &found, &data), LEMAN_OK);
    assert_int_equal(leman_dataset_shape(data)->graphs, graphs);
    leman_dataset_free(data);
    return found;
}

static void files(void **state)
{
    (void)state;
    static const char BLOCK[] = "%s\n\n\n  3  2  0  0  0  0  0  0  0  0999 V2000\n"
                                "    0.0000    0.0000    0.0000 O   0  0\n    1.0000    0.0000    0.0000 F   0  0\n"
                                "    2.0000    0.0000    0.0000 O   0  0\n  1  2  1  0\n  2  3  1  0\nM  END\n$$$$\n";
    char text[512];
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    const char *table = test_file_text(folder, "a.csv", "smiles,y\nCCO,1\n[CH5],2\nC=[Cl],3\n");
    leman_cleaning found = read_file(ctx, table, LEMAN_ACTION_REPORT, false, 3);
    assert_int_equal(found.impossible_molecules, 2);
    assert_string_equal(found.first_impossible,
                        "a.csv:3: found valence 5 of atom 0 (C), counted from 0, in [CH5], expected at most 4");
    assert_int_equal(read_file(ctx, table, LEMAN_ACTION_KEEP, false, 3).impossible_molecules, 0);
    assert_int_equal(read_file(ctx, table, LEMAN_ACTION_REFUSE, true, 1).impossible_molecules, 0);

    snprintf(text, sizeof text, BLOCK, "odd one");
    found = read_file(ctx, test_file_text(folder, "b.sdf", text), LEMAN_ACTION_REPORT, false, 1);
    assert_string_equal(found.first_impossible,
                        "b.sdf:1: found valence 2 of atom 2 (F) in odd one, expected at most 1");
    snprintf(text, sizeof text, BLOCK, "");
    found = read_file(ctx, test_file_text(folder, "c.sdf", text), LEMAN_ACTION_REPORT, false, 1);
    assert_string_equal(found.first_impossible, "c.sdf:1: found valence 2 of atom 2 (F) in OFO, expected at most 1");
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* A file that is read in slices counts the molecules of all of them. */
static void streams(void **state)
{
    (void)state;
    enum { LINES = 60000, EVERY = 7 };
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    char *text = malloc(LINES * 16), *at = text;
    size_t odd = 0, slices = 0;
    for (size_t i = 1; i <= LINES; i++) {
        odd += i % EVERY == 0;
        at += sprintf(at, i % EVERY ? "CCCCCCCCCC\n" : "CCCCCCC[CH5]\n");
    }
    const char *path = test_file_text(folder, "many.smi", text);
    leman_settings settings = leman_settings_default();
    settings.memory = 24 << 20;
    leman_context *small = NULL;
    assert_int_equal(leman_context_new(&settings, &small), LEMAN_OK);
    leman_stream *stream = NULL;
    const leman_dataset *slice = NULL;
    assert_int_equal(leman_stream_open(small, path, NULL, &stream), LEMAN_OK);
    for (;; slices++) {
        assert_int_equal(leman_stream_next(stream, &slice), LEMAN_OK);
        if (!slice) break;
    }
    assert_true(slices > 1);
    assert_int_equal(leman_stream_cleaning(stream)->impossible_molecules, odd);
    assert_non_null(strstr(leman_stream_cleaning(stream)->first_impossible, "many.smi:7: found valence 6 of atom 7"));
    leman_stream_free(stream);
    leman_context_free(small);
    free(text);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static leman_status read_once(leman_context *ctx, void *argument)
{
    static const char *const SMILES[] = {"c1cccc1", "CN(=O)=O", "CN(C)(C)(C)C", "Sn"};
    leman_dataset *data = NULL;
    leman_cleaning found;
    leman_read_options options = leman_read_options_default();
    options.cleaning = &found;
    options.aromatic = *(leman_aromatic *)argument;
    const leman_status st = leman_dataset_from_smiles(ctx, SMILES, NULL, 4, &options, NULL, &data);
    if (!st) assert_int_equal(found.impossible_molecules, 3);
    leman_dataset_free(data);
    return st;
}

static void allocations_may_fail(void **state)
{
    (void)state;
    leman_aromatic aromatic = LEMAN_AROMATIC_RDKIT;
    assert_true(test_fail_each_allocation(read_once, &aromatic) > 15);
    aromatic = LEMAN_AROMATIC_AS_WRITTEN;
    assert_true(test_fail_each_allocation(read_once, &aromatic) > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences), cmocka_unit_test(molecules_that_exist), cmocka_unit_test(files),
        cmocka_unit_test(streams),   cmocka_unit_test(allocations_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
