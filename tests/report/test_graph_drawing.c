/* Graphs as SVG: what is a molecule and what is not, symbols, as many lines as a bond has, marks. */
#include "io/molecule/sdf.h"
#include "report/drawing/graph_drawing.h"
#include "support/captured_output.h"
#include "support/support.h"

/* Formaldehyde and friends: a path of atoms with these bond orders between them. */
static leman_dataset *chain(leman_context *ctx, const int64_t *atom, const int64_t *bond, size_t atoms)
{
    leman_columns columns = {.vertex_labels = 1, .edge_labels = 1};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "chain", &columns, &b), LEMAN_OK);
    assert_int_equal(leman_builder_graph(b, NULL, NULL, NULL), LEMAN_OK);
    for (size_t v = 0; v < atoms; v++) assert_int_equal(leman_builder_vertex(b, NULL, atom + v, NULL), LEMAN_OK);
    for (size_t v = 1; v < atoms; v++) assert_int_equal(leman_builder_edge(b, v - 1, v, bond + v - 1, NULL), LEMAN_OK);
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

static void test_molecules(void **unused)
{
    (void)unused;
    static const struct {
        int64_t atom[4], bond[3];
        bool is;
    } CASES[] = {
        {{6, 6, 8, 1}, {1, 1, 1}, true},  /* C-C-O-H */
        {{6, 7, 6, 17}, {2, 1, 1}, true}, /* C=N-C-Cl */
        {{6, 6, 6, 6}, {4, 4, 4}, true},  /* aromatic */
        {{8, 6, 7, 6}, {2, 4, 4}, true},  /* an aromatic ring with =O */
        {{6, 26, 6, 6}, {1, 1, 1}, true}, /* with a metal */
        {{0, 1, 2, 3}, {1, 1, 1}, false}, /* labels from 0, as TU sets number them */
        {{6, 9, 6, 6}, {1, 1, 1}, false}, /* fluorine between two carbons */
        {{6, 6, 6, 6}, {3, 2, 1}, false}, /* five bonds at a carbon */
        {{6, 6, 8, 6}, {1, 1, 0}, false}, /* a bond of order 0 */
        {{1, 1, 1, 1}, {1, 1, 1}, false}, /* hydrogen alone */
    };
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        leman_dataset *data = chain(ctx, CASES[i].atom, CASES[i].bond, 4);
        leman_graph graph = leman_dataset_graph(data, 0);
        assert_int_equal(leman_graph_is_molecule(&graph), CASES[i].is);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* Numbers and symbols are inverse to each other. */
static void test_symbols(void **unused)
{
    (void)unused;
    assert_null(lm_element_symbol(0));
    assert_null(lm_element_symbol(119));
    assert_null(lm_element_symbol(-6));
    assert_string_equal(lm_element_symbol(17), "Cl");
    for (int n = 1; n <= 118; n++)
        assert_int_equal(lm_element_number(lm_element_symbol(n), strlen(lm_element_symbol(n))), n);
}

static size_t count(const char *text, const char *word)
{
    size_t found = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word)) found++;
    return found;
}

static void test_drawing(void **unused)
{
    (void)unused;
    static const int64_t ATOM[] = {7, 6, 6, 8}, BOND[] = {3, 1, 2};
    static const uint32_t TUPLE[] = {0, 3, 0, 1};
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = chain(ctx, ATOM, BOND, 4);
    leman_graph graph = leman_dataset_graph(data, 0);
    lm_graph_drawing d;
    test_captured_output captured = {0};
    lm_output out;
    assert_int_equal(lm_graph_drawing_new(ctx, &graph, 300, 200, &d), LEMAN_OK);
    assert_true(d.molecule);
    for (size_t i = 0; i < 4; i++)
        assert_true(d.place[i].x >= 0 && d.place[i].x <= 300 && d.place[i].y >= 0 && d.place[i].y <= 200);
    d.mark[0] = LM_VERTEX_HIT;
    d.mark[3] = LM_VERTEX_RING;
    assert_int_equal(test_captured_output_open(ctx, &captured, &out), LEMAN_OK);
    lm_graph_draw_edges(&out, &d);
    lm_graph_draw_tuple(&out, &d, TUPLE, 2);
    lm_graph_draw_tuple(&out, &d, TUPLE + 2, 2);
    lm_graph_draw_vertices(&out, &d);
    assert_int_equal(lm_output_commit(&out), LEMAN_OK);
    const char *text = captured.text;
    assert_int_equal(count(text, "class=\"edge\""), 3 + 1 + 2);
    assert_int_equal(count(text, "class=\"tuple apart\""), 1);
    assert_int_equal(count(text, "class=\"tuple\""), 1);
    assert_int_equal(count(text, "<circle"), 2); /* atoms without a mark have none */
    assert_int_equal(count(text, "vertex hit"), 1);
    assert_int_equal(count(text, "vertex ring"), 1);
    assert_int_equal(count(text, ">C</text>"), 0); /* a corner */
    assert_int_equal(count(text, ">N</text>") + count(text, ">O</text>"), 2);
    assert_int_equal(count(text, ">H</text>"), 0); /* none of these two has hydrogens */
    test_captured_output_free(&captured);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_molecules), cmocka_unit_test(test_symbols),
                                       cmocka_unit_test(test_drawing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
