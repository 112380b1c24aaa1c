/* Pictures of molecules: halos for numbers, their sign and strength, the legend, files of their own. */
#include "report/drawing/molecule_drawing.h"
#include "support/captured_output.h"
#include "support/support.h"
#include <math.h>

static size_t count(const char *text, const char *word)
{
    size_t found = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word)) found++;
    return found;
}

static leman_dataset *molecule(leman_context *ctx, const char *smiles)
{
    leman_dataset *data = NULL;
    assert_int_equal(leman_dataset_from_smiles(ctx, &smiles, NULL, 1, NULL, NULL, &data), LEMAN_OK);
    return data;
}

typedef struct picture {
    const char *smiles;
    const double *vertex, *edge;
    double scale;
    lm_molecule_drawing_options options;
} picture;

static char *draw(leman_context *ctx, const picture *p)
{
    test_captured_output captured = {0};
    lm_output out;
    leman_dataset *data = molecule(ctx, p->smiles);
    const leman_graph graph = leman_dataset_graph(data, 0);
    assert_int_equal(test_captured_output_open(ctx, &captured, &out), LEMAN_OK);
    assert_int_equal(lm_molecule_drawing_write(ctx, &out, &graph, p->vertex, p->edge, p->scale, &p->options), LEMAN_OK);
    assert_int_equal(lm_output_commit(&out), LEMAN_OK);
    leman_dataset_free(data);
    return captured.text;
}

/* A number above 0 is red, one below is blue, 0 and NaN have no halo; the largest has the full colour. */
static void test_values(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    char *text = draw(ctx, &(picture){.smiles = "CCOC", .vertex = (double[]){0.5, -1, 0, NAN}});
    assert_int_equal(count(text, "class=\"halo above\""), 1);
    assert_int_equal(count(text, "class=\"halo below\""), 1);
    assert_int_equal(count(text, "--v:100%\""), 1);
    assert_int_equal(count(text, "fill=\"#4393c3\""), 1); /* the full blue, for programs that cannot mix */
    assert_int_equal(count(text, ": -1</title>"), 1);
    assert_int_equal(count(text, "<title>C 0: +0.5</title>"), 1);
    assert_int_equal(count(text, "<style>"), 0);
    free(text);
    /* Arcs of the path: 0-1, 1-0, 1-2, 2-1, 2-3, 3-2; each edge once, by the arc of its smaller end. */
    text = draw(ctx, &(picture){.smiles = "CCOC", .edge = (double[]){1, 9, -1, 9, 0, 9}, .scale = 2});
    assert_int_equal(count(text, "class=\"band above\""), 1);
    assert_int_equal(count(text, "class=\"band below\""), 1);
    assert_int_equal(count(text, "--v:100%\""), 0);
    free(text);
    test_context_free(ctx);
}

/* Symbols as chemists write them: hydrogens with their number, charges, isotopes; carbon only where it must be. */
static void test_symbols(void **unused)
{
    (void)unused;
    static const struct {
        const char *smiles, *text[4];
        size_t count[4];
    } CASES[] = {
        {"NCCO", {">N<", ">H<", ">2<", ">C<"}, {1, 2, 1, 0}},
        {"[NH4+]", {">N<", ">4<", ">+<"}, {1, 1, 1}},
        {"[13CH4]", {">13<", ">C<", ">H<"}, {1, 1, 1}},
        {"C", {">C<", ">4<"}, {1, 1}},
        {"CC(=O)[O-]", {">O<", ">\u2212<", ">H<"}, {2, 1, 0}},
        {"[Ca+2].[Cl-].[Cl-]", {">Ca<", ">2+<", ">Cl<", ">\u2212<"}, {1, 1, 2, 2}},
        {"c1cc[nH]c1", {"edge aromatic", ">N<", ">H<"}, {5, 1, 1}},
        {"C=CC#N", {"class=\"edge\"", ">N<"}, {2 + 1 + 3, 1}},
    };
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char *text = draw(ctx, &(picture){.smiles = CASES[i].smiles});
        for (size_t k = 0; k < 4 && CASES[i].text[k]; k++)
            assert_int_equal(count(text, CASES[i].text[k]), CASES[i].count[k]);
        free(text);
    }
    test_context_free(ctx);
}

/* Values belong to the graph that is drawn, wherever it stands in its data set. */
static void test_later_graph(void **unused)
{
    (void)unused;
    static const char *const SMILES[] = {"CCCCCC", "CO"};
    static const double EDGE[] = {1, 1};
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    test_captured_output captured = {0};
    lm_output out;
    assert_int_equal(leman_dataset_from_smiles(ctx, SMILES, NULL, 2, NULL, NULL, &data), LEMAN_OK);
    const leman_graph graph = leman_dataset_graph(data, 1);
    assert_int_equal(test_captured_output_open(ctx, &captured, &out), LEMAN_OK);
    assert_int_equal(lm_molecule_drawing_write(ctx, &out, &graph, NULL, EDGE, 0, NULL), LEMAN_OK);
    assert_int_equal(lm_output_commit(&out), LEMAN_OK);
    assert_int_equal(count(captured.text, "class=\"band above\""), 1);
    test_captured_output_free(&captured);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_options(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const lm_molecule_drawing_options options = {
        .title = "a <b>", .unit = " kJ", .standalone = true, .legend = true, .width = 400, .height = 100};
    char *text = draw(ctx, &(picture){.smiles = "CO", .vertex = (double[]){1, 2}, .scale = 3, .options = options});
    assert_non_null(strstr(text, "viewBox=\"0 0 400 144\""));
    assert_non_null(strstr(text, "aria-label=\"a &lt;b&gt;\""));
    assert_int_equal(count(text, "xmlns="), 1);
    assert_int_equal(count(text, "<style>"), 1);
    assert_int_equal(count(text, "+2 kJ</title>"), 1);
    assert_int_equal(count(text, ">\u22123</text>") + count(text, ">0</text>") + count(text, ">+3</text>"), 3);
    free(text);
    test_context_free(ctx);
}

static leman_status take(leman_context *ctx, void *state)
{
    static const double VALUE[] = {1, 2, 3, 4, 5, 6};
    leman_status st;
    test_captured_output captured = {0};
    lm_output out = {0};
    if ((st = test_captured_output_open(ctx, &captured, &out))) goto done;
    if ((st = lm_molecule_drawing_write(ctx, &out, state, VALUE, NULL, 0, NULL))) goto done;
    st = lm_output_commit(&out);
done:
    lm_output_abort(&out);
    test_captured_output_free(&captured);
    return st;
}

static void test_allocations(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecule(ctx, "c1ccccc1");
    leman_graph graph = leman_dataset_graph(data, 0);
    assert_true(test_fail_each_allocation(take, &graph) > 0);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_symbols),
                                       cmocka_unit_test(test_later_graph), cmocka_unit_test(test_options),
                                       cmocka_unit_test(test_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
