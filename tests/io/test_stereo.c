/* Stereochemistry as labels: isomers of SDF by their wedges and coordinates, which equal those of SMILES, what is not
 * known, molecules too large, the code of how they were read, failing allocations. tests/python/test_stereo.py has more
 * SMILES, and compares with RDKit. */
#include "support/formats.h"
#include <stdio.h>
#include <string.h>

static leman_read_options labels(void)
{
    leman_read_options options = leman_read_options_default();
    options.stereo = LEMAN_STEREO_LABELS;
    return options;
}

/* Writes the labels of the atoms and double bonds of the only graph, in the order of the file, "-R--" or "Z", to text. */
static void write_letters(const leman_dataset *data, char *text)
{
    const leman_graph g = leman_dataset_graph(data, 0);
    for (size_t v = 0; v < g.vertices; v++) *text++ = "-RS"[g.vertex_label[v] / INT64_C(200000000000)];
    for (uint32_t v = 0; v < g.vertices; v++)
        for (uint64_t e = g.start[v]; e < g.start[v + 1]; e++)
            if (g.head[e] > v && g.edge_label[e] > 100) *text++ = "-ZE"[g.edge_label[e] / 100];
    *text = 0;
}

static void smiles_is(leman_context *ctx, const char *smiles, const char *expected)
{
    leman_dataset *data = NULL;
    char found[64];
    const leman_read_options options = labels();
    if (leman_dataset_from_smiles(ctx, &smiles, NULL, 1, &options, NULL, &data))
        fail_msg("%s: %s", smiles, leman_context_message(ctx));
    write_letters(data, found);
    leman_dataset_free(data);
    if (strcmp(found, expected)) fail_msg("%s: found %s, expected %s", smiles, found, expected);
}

static void smiles(void **state)
{
    leman_context *ctx = test_context_new(1);
    (void)state;
    smiles_is(ctx, "N[C@@H](C)C(=O)O", "-S----"); /* L-alanine */
    smiles_is(ctx, "N[C@H](C)C(=O)O", "-R----");
    smiles_is(ctx, "N[C@TH2H](C)C(=O)O", "-S----");
    smiles_is(ctx, "[C@H]1(F)CO1", "S---");
    smiles_is(ctx, "C1[C@@H](F)O1", "-R--");
    smiles_is(ctx, "OC(=O)/C=C\\C(=O)O", "--------Z"); /* maleic acid */
    smiles_is(ctx, "OC(=O)/C=C/C(=O)O", "--------E");  /* fumaric acid */
    smiles_is(ctx, "F/C(\\Cl)=C/F", "-----");          /* both below: a contradiction */
    smiles_is(ctx, "C[C@@](C)(F)Cl", "-----");
    smiles_is(ctx, "C[C@SP1](N)(F)Cl", "-----");
    smiles_is(ctx, "C[N@](F)Cl", "----"); /* its lone pair changes its side */
    smiles_is(ctx, "C1=C/CCCC/1", "------");
    test_context_free(ctx);
}

/* ---- SDF ------------------------------------------------------------------------------------- */

static void sdf_is(leman_context *ctx, const char *table, const char *expected)
{
    static const char *const PATH = "m.sdf";
    leman_dataset *data = NULL;
    leman_policy policy = leman_policy_default();
    leman_read_options options = labels();
    char found[64];
    lm_bytes bytes = {.data = (char *)(uintptr_t)table, .size = strlen(table)};
    options.policy = &policy;
    if (lm_format_sdf.read(ctx, PATH, &bytes, &options, NULL, &data)) fail_msg("%s", leman_context_message(ctx));
    write_letters(data, found);
    leman_dataset_free(data);
    if (strcmp(found, expected)) fail_msg("found %s, expected %s in\n%s", found, expected, table);
}

/* CHFClBr with three neighbours, the first of them behind a wedge; bond is the end of its line, z the height of F. */
static void halothane(char *text, size_t size, const char *z, const char *bond)
{
    snprintf(text, size,
             "\n\n\n  4  3  0  0  0  0            999 V2000\n"
             "    0.0000    0.0000    0.0000 C   0  0\n"
             "    0.0000    1.0000    %s F   0  0\n"
             "    0.9000   -0.5000    0.0000 Cl  0  0\n"
             "   -0.9000   -0.5000    0.0000 Br  0  0\n"
             "  1  2  1%s\n  1  3  1  0\n  1  4  1  0\nM  END\n",
             z, bond);
}

static void wedges(void **state)
{
    leman_context *ctx = test_context_new(1);
    char text[1024];
    (void)state;
    /* F towards us, hydrogen away: Br, Cl, F are anticlockwise for us, so that it is S */
    halothane(text, sizeof text, "0.0000", "  1");
    sdf_is(ctx, text, "S---");
    halothane(text, sizeof text, "0.0000", "  6");
    sdf_is(ctx, text, "R---");
    halothane(text, sizeof text, "0.0000", "  4"); /* wavy */
    sdf_is(ctx, text, "----");
    halothane(text, sizeof text, "0.0000", "  0");
    sdf_is(ctx, text, "----");
    halothane(text, sizeof text, "0.4000", "  0"); /* in space */
    sdf_is(ctx, text, "S---");
    sdf_is(ctx,
           "\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS 4 3 0 0 0\n"
           "M  V30 BEGIN ATOM\nM  V30 1 C 0 0 0 0\nM  V30 2 F 0 1 0 0\nM  V30 3 Cl 0.9 -0.5 0 0\n"
           "M  V30 4 Br -0.9 -0.5 0 0\nM  V30 END ATOM\nM  V30 BEGIN BOND\nM  V30 1 1 1 2 CFG=3\nM  V30 2 1 1 3\n"
           "M  V30 3 1 1 4\nM  V30 END BOND\nM  V30 END CTAB\nM  END\n",
           "R---");
    test_context_free(ctx);
}

static void double_bonds(void **state)
{
    static const struct {
        const char *y, *bond, *expected;
    } CASES[] = {{" 1.0000", "  0", "----Z"},
                 {"-1.0000", "  0", "----E"},
                 {"-1.0000", "  3", "----"}, /* crossed */
                 {" 0.0000", "  0", "----"}};
    leman_context *ctx = test_context_new(1);
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "\n\n\n  4  3  0  0  0  0            999 V2000\n"
                 "    0.0000    0.0000    0.0000 C   0  0\n    1.0000    0.0000    0.0000 C   0  0\n"
                 "   -0.5000    1.0000    0.0000 F   0  0\n    1.5000   %s    0.0000 F   0  0\n"
                 "  1  2  2%s\n  1  3  1  0\n  2  4  1  0\nM  END\n",
                 CASES[i].y, CASES[i].bond);
        sdf_is(ctx, text, CASES[i].expected);
    }
    test_context_free(ctx);
}

/* ---- The rest -------------------------------------------------------------------------------- */

/* A chain of rings that all depend on each other is left without these labels, and this is said. */
static void too_much_work(void **state)
{
    enum { RINGS = 60 };
    static const char RING[] = "[C@H]1CC[C@@H](CC1)";
    char text[sizeof RING * RINGS + 8] = "C";
    test_log log;
    leman_dataset *data = NULL;
    const char *all = text;
    const leman_read_options options = labels();
    (void)state;
    for (int i = 0; i < RINGS; i++) strcat(text, RING);
    strcat(text, "C");
    test_log_new(&log);
    assert_int_equal(leman_dataset_from_smiles(log.ctx, &all, NULL, 1, &options, NULL, &data), LEMAN_OK);
    assert_non_null(strstr(log.text, "too large and symmetric for all labels of stereochemistry to be found: 1"));
    leman_dataset_free(data);
    test_log_free(&log);
}

static void codes(void **state)
{
    leman_context *ctx = test_context_new(1);
    leman_read_options options = labels(), read = leman_read_options_default();
    leman_stereo stereo;
    char text[256];
    (void)state;
    const uint64_t code = leman_reading_of(&options, true), plain = leman_reading_of(NULL, true);
    leman_reading_text(code, text, sizeof text);
    assert_string_equal(text, "--aromatic rdkit --hydrogens implicit --atom-labels element,charge,isotope,radical "
                              "--stereo labels");
    assert_int_equal(leman_reading_apply(ctx, code, &read, NULL), LEMAN_OK);
    assert_int_equal(read.stereo, LEMAN_STEREO_LABELS);
    assert_int_equal(leman_reading_of(&read, true), code);
    assert_int_equal(leman_reading_apply(ctx, plain, &read, NULL), LEMAN_OK);
    assert_int_equal(read.stereo, LEMAN_STEREO_NONE);
    assert_int_equal(leman_stereo_parse(ctx, "labels", &stereo), LEMAN_OK);
    assert_int_equal(stereo, LEMAN_STEREO_LABELS);
    assert_int_equal(leman_stereo_parse(ctx, "RS", &stereo), LEMAN_ERROR_ARGUMENT);
    assert_string_equal(leman_stereo_name(LEMAN_STEREO_NONE), "none");
    options.stereo = (leman_stereo)7;
    leman_dataset *data = NULL;
    const char *one = "C";
    assert_int_equal(leman_dataset_from_smiles(ctx, &one, NULL, 1, &options, NULL, &data), LEMAN_ERROR_ARGUMENT);
    test_context_free(ctx);
}

static leman_status read_once(leman_context *ctx, void *argument)
{
    static const char *const SMILES[] = {"[H][C@](F)(Cl)Br", "C[C@H]1CC[C@@H](C)CC1", "F/C=C/[C@H](C)O"};
    leman_dataset *data = NULL;
    const leman_read_options options = labels();
    (void)argument;
    const leman_status st = leman_dataset_from_smiles(ctx, SMILES, NULL, 3, &options, NULL, &data);
    leman_dataset_free(data);
    return st;
}

static void allocations_may_fail(void **state)
{
    (void)state;
    assert_true(test_fail_each_allocation(read_once, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(smiles),       cmocka_unit_test(wedges),
                                       cmocka_unit_test(double_bonds), cmocka_unit_test(too_much_work),
                                       cmocka_unit_test(codes),        cmocka_unit_test(allocations_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
