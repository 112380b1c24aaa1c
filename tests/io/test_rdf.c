/* N-Triples and N-Quads: terms by the grammar of the W3C, what is refused with its line, statements as vertices, and that
 * what is written is read as the same graph. */
#include "support/formats.h"
#include <stdio.h>

#define P " <http://a/p> "

static lm_format_row const *const ROW = &lm_format_nquads;

static leman_dataset *read_text(leman_context *ctx, const char *text)
{
    return test_text_read(ctx, ROW->read, text, NULL);
}

/* Reads the text, and writes it. */
static void assert_written(const char *text, const char *expected)
{
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = read_text(ctx, text), *back;
    char *written = test_text_written(ctx, ROW->write, data);
    assert_string_equal(written, expected);
    back = read_text(ctx, written);
    assert_true(test_same_dataset(data, back));
    free(written);
    leman_dataset_free(back);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_terms(void **state)
{
    (void)state;
    static const struct {
        const char *object, *canonical;
    } TERMS[] = {
        {"<http://a/b>", "<http://a/b>"},
        {"<urn:x\\u00e9\\U0001F600>", "<urn:x\xc3\xa9\xf0\x9f\x98\x80>"},
        {"\"\"", "\"\""},
        {"\"a\\u0041\\t\\\"\\\\\\'\"", "\"aA\\t\\\"\\\\'\""},
        {"\"\t\\b\\f\\r\\n\\u0001\\u007F\"", "\"\\t\\b\\f\\r\\n\\u0001\\u007F\""},
        {"\"caf\xc3\xa9\"@FR-be", "\"caf\xc3\xa9\"@fr-be"},
        {"\"1\"^^<http://a/t>", "\"1\"^^<http://a/t>"},
        {"\"1\"^^<http://www.w3.org/2001/XMLSchema#string>", "\"1\""},
        {"_:x.y-z", "_:b0"},
        {"_:0.", "_:b0"}, /* the point ends the statement */
    };
    for (size_t i = 0; i < sizeof TERMS / sizeof *TERMS; i++) {
        char text[256], expected[256];
        const bool point = TERMS[i].object[strlen(TERMS[i].object) - 1] == '.';
        snprintf(text, sizeof text, "<http://a/s>" P "%s%s", TERMS[i].object, point ? "\n" : " .\n");
        snprintf(expected, sizeof expected, "<http://a/s>" P "%s .\n", TERMS[i].canonical);
        assert_written(text, expected);
    }
}

static void test_lines(void **state)
{
    (void)state;
    assert_written("", "");
    assert_written("# nothing\n\n \t# more", "");
    assert_written("\xef\xbb\xbf_:x" P "_:y.\r\n_:y" P "_:x . # again\r_:x" P "_:y _:g .",
                   "_:b0" P "_:b1 .\n_:b1" P "_:b0 .\n_:b0" P "_:b1 _:b2 .\n");
    assert_written("<http://a/s><http://a/p><http://a/o><http://a/g>.",
                   "<http://a/s>" P "<http://a/o> <http://a/g> .\n");
    assert_written("_:x" P "\"1\" .\n_:x" P "\"\\u0031\" .\n", "_:b0" P "\"1\" .\n"); /* a statement counts once */
    /* terms with several roles */
    assert_written("<http://a/p>" P "<http://a/p> <http://a/p> .", "<http://a/p>" P "<http://a/p> <http://a/p> .\n");
    assert_written("<http://a/p>" P "_:x _:x .\n_:x" P "_:x .", "<http://a/p>" P "_:b0 _:b0 .\n_:b0" P "_:b0 .\n");
}

static void test_graph(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = read_text(ctx, "_:x" P "<http://a/p> .\n_:x" P "_:x .\n");
    const leman_shape *shape = leman_dataset_shape(data);
    const leman_graph g = leman_dataset_graph(data, 0);
    size_t length;
    /* _:x, <http://a/p>, and two statements */
    assert_int_equal(shape->graphs, 1);
    assert_int_equal(g.vertices, 4);
    assert_int_equal(g.arcs, 5);
    assert_true(g.directed);
    static const int64_t LABELS[] = {0, -1, 1, 1};
    for (size_t v = 0; v < 4; v++) assert_true(LABELS[v] < 0 ? g.vertex_label[v] > 1 : g.vertex_label[v] == LABELS[v]);
    assert_string_equal(leman_dataset_vertex_name(data, 0, 1, &length), "<http://a/p>");
    leman_dataset_vertex_name(data, 0, 0, &length);
    assert_int_equal(length, 0);
    /* 0 -> 2 (subject), 0 -> 3 (subject), 2 -> 1 (predicate and object), 3 -> 0 (object), 3 -> 1 (predicate) */
    static const uint32_t HEADS[] = {2, 3, 1, 0, 1};
    static const int64_t ROLES[] = {1, 1, 6, 4, 2};
    for (size_t a = 0; a < 5; a++) assert_int_equal(g.head[a], HEADS[a]);
    for (size_t a = 0; a < 5; a++) assert_int_equal(g.edge_label[a], ROLES[a]);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_bad(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } BAD[] = {
        {"_:a" P "_:b .\n\"x\"" P "_:b .", "x.nt:2: found '\"x\"', expected a subject: <IRI> or _:label"},
        {"_:a _:p _:b .", "x.nt:1: found '_:p', expected a predicate: <IRI>"},
        {"_:a" P ".", "x.nt:1: found '.', expected an object: <IRI>, _:label or \"text\""},
        {"_:a" P "_:b", "x.nt:1: found the end of the file, expected '.' or the graph: <IRI> or _:label"},
        {"_:a" P "_:b \"g\" .", "x.nt:1: found '\"g\"', expected '.' or the graph: <IRI> or _:label"},
        {"_:a" P "_:b <urn:g> <urn:h> .", "x.nt:1: found '<urn:h>', expected '.' at the end of the statement"},
        {"_:a" P "_:b . _:c", "x.nt:1: found '_:c', expected the end of the line"},
        {"<a>" P "_:b .", "x.nt:1: found a relative IRI, expected one that begins with a scheme such as http:"},
        {"<urn:a b>" P "_:b .", "x.nt:1: found an IRI with a character that IRIs do not have"},
        {"<urn:a\\u0020b>" P "_:b .", "x.nt:1: found an IRI with a character that IRIs do not have"},
        {"<urn:a\\n>" P "_:b .", "x.nt:1: found a backslash that begins no escape of an IRI"},
        {"<urn:a", "x.nt:1: found an IRI without an end, expected '>'"},
        {"\xef\xbb\xbf<", "x.nt:1: found an IRI without an end, expected '>'"}, /* behind a byte order mark */
        {"_:" P "_:b .", "x.nt:1: found '_' without a label of a blank node, expected _: and letters or digits"},
        {"_:-x" P "_:b .", "x.nt:1: found '_' without a label of a blank node, expected _: and letters or digits"},
        {"_:a" P "\"x .", "x.nt:1: found a literal without an end, expected '\"'"},
        {"_:a" P "\"x\\", "x.nt:1: found a backslash that begins no escape of a literal"},
        {"_:a" P "\"\\x\" .", "x.nt:1: found a backslash that begins no escape of a literal"},
        {"_:a" P "\"\\u12g4\" .",
         "x.nt:1: found an escape with fewer than 4 hexadecimal digits, expected \\uXXXX or \\UXXXXXXXX"},
        {"_:a" P "\"\\U0011FFFF\" .", "x.nt:1: found an escape for 11FFFF, expected a character of Unicode"},
        {"_:a" P "\"\\uD800\" .", "x.nt:1: found an escape for D800, expected a character of Unicode"},
        {"_:a" P "\"x\"@ .", "x.nt:1: found a literal without a language behind '@', expected letters"},
        {"_:a" P "\"x\"@en- .", "x.nt:1: found a literal without a language behind '@', expected letters"},
        {"_:a" P "\"x\"@1 .", "x.nt:1: found a literal without a language behind '@', expected letters"},
        {"_:a" P "\"\xff\" .", "x.nt:1: found a term with bytes that are not printable UTF-8"},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) test_text_fails(ROW->read, "x.nt", BAD[i].text, BAD[i].words);
}

/* Graphs that are no statements are not written. */
static void test_refused(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 5;
    leman_dataset *data = test_random_graph(ctx, &random, 6, 50, 3, 3, true);
    const char *folder = test_folder_new();
    assert_int_equal(leman_dataset_write(ctx, data, test_path(folder, "x.nq"), LEMAN_FORMAT_AUTO), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "expected one graph of terms and statements"));
    leman_dataset_free(data);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static leman_status read_body(leman_context *ctx, void *state)
{
    leman_dataset *data = NULL;
    const leman_status st = test_read_text(ctx, ROW->read, "x.nt", state, NULL, NULL, &data);
    leman_dataset_free(data);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    char text[] = "_:a" P "\"x\"@en .\n<urn:a>" P "_:a <urn:g> .\n";
    assert_true(test_fail_each_allocation(read_body, text) > 5);
}

/* Found by the ending, or by the first line that is no comment. */
static void test_found(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
    } FILES[] = {{"a.nt", "_:a" P "_:b .\n"},
                 {"b.nq", "_:a" P "_:b .\n"},
                 {"c", "# x\n\n<urn:a> <urn:p> \"1\" .\n"},
                 {"d", "_:a" P "_:b .\n"}};
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    for (size_t i = 0; i < 4; i++) {
        leman_dataset *data = NULL;
        const char *path = test_file_text(folder, FILES[i].name, FILES[i].text);
        assert_int_equal(leman_dataset_read(ctx, path, NULL, NULL, &data), LEMAN_OK);
        assert_int_equal(leman_dataset_shape(data)->vertices, 4);
        leman_dataset_free(data);
    }
    test_folder_remove(folder);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms), cmocka_unit_test(test_lines),   cmocka_unit_test(test_graph),
        cmocka_unit_test(test_bad),   cmocka_unit_test(test_refused), cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
