/* SDF and MOL: molecules made by hand, random ones written by the test, data fields, everything that is refused. */
#include "io/molecule/sdf.h"
#include "support/formats.h"
#include "support/random_graphs.h"
#include <math.h>
#include <stdio.h>

#define ETHANOL                                                                                                        \
    "ethanol\n  by hand\n\n"                                                                                           \
    "  3  2  0  0  0  0            999 V2000\n"                                                                        \
    "    1.5000   -0.2500    0.0000 C   0  0\n"                                                                        \
    "    0.0000    0.1250    0.0000 C   0  0\n"                                                                        \
    "   -1.0000   12.0000 -123.4567 O   0  0\n"                                                                        \
    "  1  2  1  0\n"                                                                                                   \
    "  2  3  1  0\n"                                                                                                   \
    "M  END\n"
#define HYDROGEN_CYANIDE                                                                                               \
    "\n\n\n"                                                                                                           \
    "  3  2\n"                                                                                                         \
    "    0.0000    0.0000    0.0000 D\n"                                                                               \
    "    1.0000    0.0000    0.0000 C\n"                                                                               \
    "    2.0000    0.0000    0.0000 N\n"                                                                               \
    "  1  2  1\n"                                                                                                      \
    "  2  3  3\n"                                                                                                      \
    "M  END\n"

static leman_dataset *read_sdf(leman_context *ctx, const char *text)
{
    return test_text_read(ctx, lm_format_sdf.read, text, NULL);
}

static leman_dataset *read_as_written(leman_context *ctx, char *text)
{
    leman_dataset *data = NULL;
    leman_read_options options = leman_read_options_default();
    leman_policy policy = leman_policy_default();
    lm_bytes bytes = {.data = text, .size = strlen(text)};
    options.policy = &policy;
    options.aromatic = LEMAN_AROMATIC_AS_WRITTEN;
    if (lm_format_sdf.read(ctx, "test", &bytes, &options, NULL, &data)) fail_msg("%s", leman_context_message(ctx));
    return data;
}

static void molecules_by_hand(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = read_sdf(ctx, ETHANOL "$$$$\n" HYDROGEN_CYANIDE "$$$$\n\n");
    const leman_shape *shape = leman_dataset_shape(data);
    assert_int_equal(shape->graphs, 2);
    assert_int_equal(shape->edges, 4);
    assert_int_equal(shape->columns->targets, 0);
    static const int64_t ELEMENTS[][3] = {{6, 6, 8}, {2000001, 6, 7}}; /* D */
    static const double PLACE[] = {1.5, -0.25, 0, 0, 0.125, 0, -1, 12, -123.4567};
    for (size_t i = 0; i < 2; i++) {
        leman_graph g = leman_dataset_graph(data, i);
        assert_memory_equal(g.vertex_label, ELEMENTS[i], sizeof ELEMENTS[i]);
        assert_true(test_has_arc(data, i, 0, 1) && test_has_arc(data, i, 2, 1));
        assert_int_equal(g.edge_label[g.start[2]], i ? 3 : 1);
        if (!i) assert_memory_equal(g.vertex_attribute, PLACE, sizeof PLACE);
    }
    size_t length;
    assert_memory_equal(leman_dataset_graph_name(data, 0, &length), "ethanol", 7);
    assert_int_equal(length, 7);
    leman_dataset_graph_name(data, 1, &length);
    assert_int_equal(length, 0);
    leman_dataset_free(data);
    data = read_sdf(ctx, HYDROGEN_CYANIDE); /* a .mol: no $$$$; no title, no names */
    assert_false(leman_dataset_shape(data)->columns->graph_names);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void lines_may_end_in_any_way(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *text = ETHANOL "> <logP>\n-0.31\n\n$$$$\n";
    char crlf[2048] = "";
    size_t used = 0;
    for (const char *p = text; *p; p++) {
        if (*p == '\n') crlf[used++] = ' ', crlf[used++] = '\r';
        crlf[used++] = *p;
    }
    leman_dataset *a = read_sdf(ctx, text), *b = read_sdf(ctx, crlf);
    assert_true(test_same_dataset(a, b));
    assert_true(leman_dataset_targets(a)[0] == -0.31);
    leman_dataset_free(a);
    leman_dataset_free(b);
    test_context_free(ctx);
}

static void expect_target_name(const leman_dataset *data, size_t column, const char *expected)
{
    size_t length;
    const char *name = leman_dataset_target_name(data, column, &length);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(name, expected, length);
}

static void fields_that_are_numbers_become_targets(void **state)
{
    (void)state;
    test_log log;
    test_log_new(&log);
    leman_dataset *data =
        read_sdf(log.ctx, ETHANOL "> <a>\n1\n\n> <words>\nx\n\n>  <b>  (1)\n 2.5 \n\n> <late>\n$$$$\n" //
                 ETHANOL "> 25 <b>\n-3\n> <a>\n4e2\n\n> <late>\n1\n\n> <two lines>\n1\n2\n\n$$$$\n"    //
                 ETHANOL "> <b>\n0\n\n> <a>\n7\n\n> <late>\n1\n");
    const double targets[] = {1, 2.5, NAN, 400, -3, 1, 7, 0, 1};
    assert_int_equal(leman_dataset_shape(data)->columns->targets, 3);
    assert_memory_equal(leman_dataset_targets(data), targets, sizeof targets);
    expect_target_name(data, 0, "a");
    expect_target_name(data, 2, "late");
    assert_string_equal(log.text, "test: data fields that are targets, numbered from 0: 0 is a, 1 is b, 2 is late "
                                  "(missing in 1)\n"
                                  "test: data fields that hold words, of which one may be read as the class: words\n"
                                  "test: data fields left out, since they are empty, or have several lines or values: "
                                  "two lines\n");
    leman_dataset_free(data);
    log.text[0] = 0;
    data = read_sdf(log.ctx, ETHANOL "> <a>\n1\n\n> <a>\n1\n\n$$$$\n" ETHANOL "> <a>\n2\n\n> <c>\nnan\n\n");
    assert_int_equal(leman_dataset_shape(data)->columns->targets, 0); /* twice in one molecule, and no finite number */
    leman_dataset_free(data);
    test_log_free(&log);
}

/* Four molecules: `kind` is a word, nothing, a word, NA; `Kind` a number; `two` integers. */
#define CLASSES                                                                                                        \
    ETHANOL "> <kind>\nyes \n\n> <two>\n2\n\n$$$$\n" ETHANOL                                                           \
            "> <kind>\n\n> <Kind>\n1\n\n> <two>\n-1\n\n$$$$\n" ETHANOL                                                 \
            "> <kind>\nno\n\n> <note>\na\nb\n\n$$$$\n" ETHANOL "> <kind>\nN/A\n\n> <two>\n1\n\n$$$$\n"

static leman_status read_class(leman_context *ctx, const char *column, leman_dataset **out)
{
    const char *folder = test_folder_new(), *path = test_file_text(folder, "m.sdf", CLASSES);
    leman_read_options options = leman_read_options_default();
    options.class_column = column;
    leman_status st = leman_dataset_read(ctx, path, &options, NULL, out);
    test_folder_remove(folder);
    return st;
}

static void a_field_can_be_the_class(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const int64_t missing = LEMAN_CLASS_MISSING, words[] = {1, missing, 0, missing}, numbers[] = {2, -1, missing, 1};
    static const char *const NUMBERS[] = {"two", "TWO", "0"};
    leman_dataset *data = NULL;
    size_t length;
    assert_int_equal(read_class(ctx, "kind", &data), LEMAN_OK);
    assert_memory_equal(leman_dataset_classes(data), words, sizeof words);
    assert_memory_equal(leman_dataset_class_name(data, 0, &length), "no", 2);
    assert_memory_equal(leman_dataset_class_name(data, 1, &length), "yes", 3);
    assert_int_equal(leman_dataset_shape(data)->columns->targets, 2);
    leman_dataset_free(data);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(read_class(ctx, NUMBERS[i], &data), LEMAN_OK);
        assert_memory_equal(leman_dataset_classes(data), numbers, sizeof numbers);
        leman_dataset_free(data);
    }
    static const struct {
        const char *column, *words;
    } WRONG[] = {{"KIND", "2 data fields 'KIND' in several spellings"},
                 {"colour", "there is no data field 'colour', expected one of: kind, two, Kind, note"},
                 {"note", "data field 'note' with several lines"},
                 {"7", "there is no target '7'"}};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        data = NULL;
        assert_int_equal(read_class(ctx, WRONG[i].column, &data), LEMAN_ERROR_INPUT);
        if (!strstr(leman_context_message(ctx), WRONG[i].words)) fail_msg("%s", leman_context_message(ctx));
        assert_null(data);
    }
    test_context_free(ctx);
}

static leman_status read_class_body(leman_context *ctx, void *state)
{
    leman_dataset *data = NULL;
    leman_status st = read_class(ctx, state, &data);
    leman_dataset_free(data);
    return st;
}

static void properties_and_lists(void **state)
{
    (void)state;
    test_log log;
    test_log_new(&log);
    leman_dataset *data = read_sdf(log.ctx, "salt\n\n\n"
                                            "  3  1  1  0  0  0            999 V2000\n"
                                            "    0.0000    0.0000    0.0000 NA  0  3\n"
                                            "    1.0000    0.0000    0.0000 Cl  0  0\n"
                                            "    2.0000    0.0000    0.0000 R12 0  0\n"
                                            "  2  3  4\n"
                                            "  3 F    2   6   7\n"
                                            "A    3\nany text here\n"
                                            "V    1 value\n"
                                            "M  CHG  2   1   1   2  -1\n"
                                            "M  END\n");
    static const int64_t ELEMENTS[] = {1011, 51017, 0}; /* Na+ and Cl- */
    assert_memory_equal(leman_dataset_graph(data, 0).vertex_label, ELEMENTS, sizeof ELEMENTS);
    assert_string_equal(log.text, "test: atoms that are no elements (R, A, Q, X, *, ...) have label 0: 1\n"
                                  "test: 2 atoms with a charge, which have labels of their own\n");
    leman_dataset_free(data);
    test_log_free(&log);
}

static void atoms_as_chemists_write_them(void **state)
{
    (void)state;
    static const struct {
        int64_t label;
        const char *text;
    } CASES[] = {{6, "C"},       {1011, "Na+"},     {51017, "Cl-"},  {2020, "Ca2+"},
                 {52008, "O2-"}, {13000006, "13C"}, {2000001, "2H"}, {200006, "C\u00b7"},
                 {200119, NULL}, {0, NULL},         {-6, NULL},      {119, NULL}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[LM_NUMBER_TEXT];
        assert_int_equal(leman_atom_symbol(CASES[i].label, text, sizeof text) > 0, CASES[i].text != NULL);
        if (CASES[i].text) assert_string_equal(text, CASES[i].text);
    }
}

/* Seven atoms: N+ by the atom line, C radical by the atom line, 13C by mass difference, D, O, H, C. */
#define ATOMS                                                                                                          \
    "x\n\n\n  7  0\n"                                                                                                  \
    "    0.0000    0.0000    0.0000 N   0  3\n"                                                                        \
    "    1.0000    0.0000    0.0000 C   0  4\n"                                                                        \
    "    2.0000    0.0000    0.0000 C   1  0\n"                                                                        \
    "    3.0000    0.0000    0.0000 D\n"                                                                               \
    "    4.0000    0.0000    0.0000 O   0  6\n"                                                                        \
    "    5.0000    0.0000    0.0000 H\n"                                                                               \
    "    6.0000    0.0000    0.0000 C  -1\n"

static void expect_labels(const char *properties, unsigned labels, size_t columns, const int64_t *expected)
{
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    char text[2048];
    leman_dataset *data = NULL;
    leman_read_options options = leman_read_options_default();
    options.atom_labels = labels;
    snprintf(text, sizeof text, ATOMS "%sM  END\n", properties);
    if (leman_dataset_read(ctx, test_file_text(folder, "a.sdf", text), &options, NULL, &data))
        fail_msg("%s", leman_context_message(ctx));
    leman_graph g = leman_dataset_graph(data, 0);
    assert_int_equal(g.vertex_labels, columns);
    assert_memory_equal(g.vertex_label, expected, 7 * columns * sizeof *expected);
    leman_dataset_free(data);
    test_folder_remove(folder);
    test_context_free(ctx);
}

static void charges_isotopes_and_radicals(void **state)
{
    (void)state;
    const unsigned charge = LEMAN_ATOM_ELEMENT | LEMAN_ATOM_CHARGE, columns = LEMAN_ATOM_COLUMNS;
    static const int64_t ALL[] = {1007, 200006, 13000006, 2000001, 52008, 1, 11000006},
                         ELEMENTS[] = {7, 6, 6, 1, 8, 1, 6}, CHARGES[] = {1007, 6, 6, 1, 52008, 1, 6},
                         FOUR[] = {7, 1, 0, 0,  6, 0, 0, 2, 6, 0, 13, 0, 1,  0,
                                   2, 0, 8, -2, 0, 0, 1, 0, 0, 0, 6,  0, 11, 0},
                         TWO[] = {7, 1, 6, 0, 6, 0, 1, 0, 8, -2, 1, 0, 6, 0},
                         BY_LINES[] = {7, 100006, 13000006, 2000001, 8, 1, 11000006},
                         CHARGED[] = {7, 6, 6, 2000001, 8, 1001, 14051006};
    expect_labels("", 0, 1, ALL);
    expect_labels("", LEMAN_ATOM_ELEMENT, 1, ELEMENTS);
    expect_labels("", charge, 1, CHARGES);
    expect_labels("", columns, 4, FOUR);
    expect_labels("", charge | columns, 2, TWO);
    expect_labels("M  RAD  1   2   1\n", 0, 1, BY_LINES); /* charges of atom lines do not count any more */
    expect_labels("M  CHG  2   6   1   7  -1\nM  ISO  1   7  14\n", 0, 1, CHARGED);
}

static void elements(void **state)
{
    (void)state;
    static const struct {
        const char *symbol;
        int number;
    } CASES[] = {{"H", 1},   {"D", 1},  {"T", 1},   {"C", 6},   {"cl", 17},  {"BR", 35}, {"Fe", 26},
                 {"Sn", 50}, {"W", 74}, {"Pb", 82}, {"U", 92},  {"Og", 118}, {"*", 0},   {"R#", 0},
                 {"R7", 0},  {"Q", 0},  {"Zz", -1}, {"C1", -1}, {"R1x", -1}, {"?", -1}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        assert_int_equal(lm_element_number(CASES[i].symbol, strlen(CASES[i].symbol)), CASES[i].number);
}

/* Random labelled graphs written as molecules by the test come back as they were. */
static void random_molecules(void **state)
{
    (void)state;
    static const char *const SYMBOLS[] = {"C", "N", "O", "S", "Br", "Cl"};
    static const int64_t NUMBERS[] = {6, 7, 8, 16, 35, 17};
    leman_context *ctx = test_context_new(1);
    uint64_t random = 3;
    for (size_t round = 0; round < 500; round++) {
        static char text[1 << 17];
        size_t n = round % 60, used = 0;
        leman_dataset *data = test_random_graph(ctx, &random, n, 20, 6, 4, false);
        leman_graph g = leman_dataset_graph(data, 0);
        used += (size_t)sprintf(text + used, "m\n\n\n%3zu%3zu  0  0\n", n, g.arcs / 2);
        for (size_t v = 0; v < n; v++)
            used += (size_t)sprintf(text + used, "%10.4f%10.4f%10.4f %-3s 0\n", (double)v, -(double)v / 8, 99999.0,
                                    SYMBOLS[g.vertex_label[v]]);
        for (size_t v = 0; v < n; v++)
            for (uint64_t e = g.start[v]; e < g.start[v + 1]; e++)
                if (g.head[e] > v)
                    used +=
                        (size_t)sprintf(text + used, "%3zu%3u%3d\n", v + 1, g.head[e] + 1, (int)g.edge_label[e] + 1);
        sprintf(text + used, "M  END\n$$$$\n");
        leman_dataset *back = read_as_written(ctx, text);
        leman_graph h = leman_dataset_graph(back, 0);
        assert_int_equal(h.vertices, n);
        assert_int_equal(h.arcs, g.arcs);
        for (size_t v = 0; v < n; v++) {
            assert_int_equal(h.vertex_label[v], NUMBERS[g.vertex_label[v]]);
            assert_true(h.vertex_attribute[3 * v] == (double)v && h.vertex_attribute[3 * v + 2] == 99999);
        }
        for (size_t e = 0; e < g.arcs; e++) {
            assert_int_equal(h.head[e], g.head[e]);
            assert_int_equal(h.edge_label[e], g.edge_label[e] + 1);
        }
        leman_dataset_free(back);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

#define TOP "m\n\n\n"
#define ATOM "    0.0000    0.0000    0.0000 C\n"

static void refused_with_file_and_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *sentence;
    } CASES[] = {
        {"", "m.sdf:1: found the end of the file, expected a molecule"},
        {"\n \r\n", "m.sdf:3: found the end of the file, expected a molecule"},
        {"m\n\n", "m.sdf:3: found the end of the file, expected the header of a molecule"},
        {ATOMS "M  CHG  1   8   1\n", "m.sdf:12: found '8', expected an atom from 1 to 7"},
        {ATOMS "M  CHG  2   1   1\n", "m.sdf:12: found nothing in columns 18 to 21, expected an atom from 1 to 7"},
        {ATOMS "M  ISO  1   1  -1\n", "m.sdf:12: found '-1', expected a mass from 0 to 999"},
        {ATOMS "M  RAD  1   1   4\n", "m.sdf:12: found '4', expected a radical from 0 to 3"},
        {ATOMS "M  CHG x\n", "m.sdf:12: found 'x', expected a number of atoms"},
        {"x\n\n\n  1  0\n    0.0000    0.0000    0.0000 N   0  8\n",
         "m.sdf:5: found '8', expected a charge code from 0 to 7"},
        {"m\n\n\n", "m.sdf:4: found the end of the file, expected the counts of atoms and bonds"},
        {"\xff\n", "m.sdf:1: found bytes in the title that are no printable UTF-8 text"},
        {TOP "abc\n", "m.sdf:4: found 'abc', expected a number of atoms"},
        {TOP "\n", "m.sdf:4: found nothing in columns 1 to 3, expected a number of atoms"},
        {TOP "  1\n", "m.sdf:4: found nothing in columns 4 to 6, expected a number of bonds"},
        {TOP " -1  0\n", "m.sdf:4: found '-1', expected a number of atoms"},
        {TOP "1 2  0\n", "m.sdf:4: found '1', expected a number of atoms"},
        {TOP "  0  0  0     0  0            999 V3000\n", "m.sdf:5: found the end of the file, expected 'M  END'"},
        {TOP "  0  0  0     0  0            999 V9000\n", "m.sdf:4: found 'V9000', expected V2000 or V3000"},
        {TOP "  2  1\n" ATOM, "m.sdf:6: found the end of the file, expected atom 2 of 2"},
        {TOP "  2  1\n" ATOM "  1  2  1\n", "m.sdf:6: found '1', expected a coordinate"},
        {TOP "  1  0\n    0.0000    0.0000     \n",
         "m.sdf:5: found nothing in columns 21 to 30, expected a coordinate"},
        {TOP "  1  0\n    0.0000    0.00x0    0.0000 C\n", "m.sdf:5: found '0.00x0', expected a coordinate"},
        {TOP "  1  0\n    0.0000     1e999    0.0000 C\n", "m.sdf:5: found '1e999', expected a finite number"},
        {TOP "  1  0\n    0.0000    0.0000    0.0000\n",
         "m.sdf:5: found nothing in columns 32 to 34, expected an element symbol"},
        {TOP "  1  0\n    0.0000    0.0000    0.0000 Xy\n", "m.sdf:5: found 'Xy', expected an element symbol"},
        {TOP "  1  1\n" ATOM "M  END\n", "m.sdf:6: found 'M', expected an atom from 1 to 1"},
        {TOP "  2  1\n" ATOM ATOM "  1  3  1\n", "m.sdf:7: found '3', expected an atom from 1 to 2"},
        {TOP "  2  1\n" ATOM ATOM "  0  2  1\n", "m.sdf:7: found '0', expected an atom from 1 to 2"},
        {TOP "  2  1\n" ATOM ATOM "  1  2 11\n", "m.sdf:7: found '11', expected a bond type from 0 to 10"},
        {TOP "  2  1\n" ATOM ATOM "  1  2\n",
         "m.sdf:7: found nothing in columns 7 to 9, expected a bond type from 0 to 10"},
        {TOP "  2  1\n" ATOM ATOM "$$$$\n", "m.sdf:7: found '$$$$', expected bond 1 of 1"},
        {TOP "  2  1\n" ATOM ATOM "  1  2  1\n  1  2  1\nM  END\n",
         "m.sdf:8: found '1', expected a property line or 'M  END'"},
        {TOP "  1  0\n" ATOM, "m.sdf:6: found the end of the file, expected 'M  END'"},
        {TOP "  1  0\n" ATOM "$$$$\n", "m.sdf:6: found '$$$$', expected 'M  END'"},
        {TOP "  1  0\n" ATOM "M  END\nm\n", "m.sdf:7: found 'm', expected a data field, '> <NAME>', or '$$$$'"},
        {ETHANOL "$$$$\nnext\n", "m.sdf:13: found the end of the file, expected the header of a molecule"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        test_text_fails(lm_format_sdf.read, "m.sdf", CASES[i].text, CASES[i].sentence);
}

static void refusals_name_the_line(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_policy policy = leman_policy_default();
    leman_dataset *data = NULL;
    policy.self_loops = LEMAN_ACTION_REFUSE;
    assert_int_equal(test_read_text(ctx, lm_format_sdf.read, "m.sdf",
                                    ETHANOL "$$$$\n" TOP "  1  1\n" ATOM "  1  1  1\nM  END\n", &policy, NULL, &data),
                     LEMAN_ERROR_INPUT);
    assert_string_equal(leman_context_message(ctx), "m.sdf:17: edge (1, 1) is a self-loop, which the policy refuses");
    test_context_free(ctx);
}

static void files_are_recognised(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    static const char *const NAMES[] = {"a.sdf", "a.SD", "a.mol", "plain"};
    for (size_t i = 0; i < 4; i++) {
        leman_dataset *data = NULL;
        const char *path = test_file_text(folder, NAMES[i], ETHANOL);
        if (leman_dataset_read(ctx, path, NULL, NULL, &data)) fail_msg("%s", leman_context_message(ctx));
        assert_int_equal(leman_dataset_graph(data, 0).vertices, 3);
        leman_dataset *back = NULL;
        if (!i) {
            assert_int_equal(leman_dataset_write(ctx, data, path, LEMAN_FORMAT_AUTO), LEMAN_OK);
            assert_int_equal(leman_dataset_read(ctx, path, NULL, NULL, &back), LEMAN_OK);
            assert_true(test_same_dataset(data, back));
            leman_dataset_free(back);
        }
        leman_dataset_free(data);
    }
    test_folder_remove(folder);
    test_context_free(ctx);
}

static leman_status read_body(leman_context *ctx, void *state)
{
    leman_dataset *data = NULL;
    (void)state;
    leman_status st = test_read_text(ctx, lm_format_sdf.read, "a.sdf",
                                     ETHANOL "> <a>\n1\n\n> <b>\nx\n\n$$$$\n" ETHANOL "> <a>\n2\n", NULL, NULL, &data);
    leman_dataset_free(data);
    return st;
}

static void allocations_may_fail(void **state)
{
    (void)state;
    assert_true(test_fail_each_allocation(read_body, NULL) > 15);
    char kind[] = "kind", two[] = "two";
    assert_true(test_fail_each_allocation(read_class_body, kind) > 15);
    assert_true(test_fail_each_allocation(read_class_body, two) > 15);
}

/* A V3000 file may call its atoms by any numbers: here those of a path, in any order, each only once. */
static void v3000_numbers(void **unused)
{
    (void)unused;
    enum { PATH = 30000 };
    static const char HEAD[] = "m\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\n";
    leman_context *ctx = test_context_new(1);
    char *text = malloc(80 * (size_t)PATH), *at = text;
    size_t number[PATH];
    uint64_t state = 7;
    random_graph_shuffle(&state, PATH, number);
    at += sprintf(at, "%sM  V30 COUNTS %d %d 0 0 0\nM  V30 BEGIN ATOM\n", HEAD, PATH, PATH - 1);
    for (size_t i = 0; i < PATH; i++) at += sprintf(at, "M  V30 %zu C 0 0 0 0\n", 3 * number[i] + 1);
    at += sprintf(at, "M  V30 END ATOM\nM  V30 BEGIN BOND\n");
    for (size_t i = 0; i + 1 < PATH; i++)
        at += sprintf(at, "M  V30 %zu 1 %zu %zu\n", i + 1, 3 * number[i] + 1, 3 * number[i + 1] + 1);
    sprintf(at, "M  V30 END BOND\nM  V30 END CTAB\nM  END\n");
    leman_dataset *data = test_text_read(ctx, lm_format_sdf.read, text, NULL);
    for (size_t i = 0; i + 1 < PATH; i++) assert_true(test_has_arc(data, 0, i, i + 1));
    assert_int_equal(leman_dataset_shape(data)->edges, PATH - 1);
    leman_dataset_free(data);
    free(text);
    static const char *const TWICE[] = {"1", "7", "2"};
    char file[400], sentence[200];
    for (size_t i = 0; i < 3; i++) { /* of counted atoms, of others, of one that counting has given already */
        const char *first = i == 1 ? "7" : "1";
        snprintf(file, sizeof file,
                 "%sM  V30 COUNTS 3 0 0 0 0\nM  V30 BEGIN ATOM\nM  V30 %s C 0 0 0 0\nM  V30 2 C 0 0 0 0\n"
                 "M  V30 %s C 0 0 0 0\nM  V30 END ATOM\nM  V30 END CTAB\nM  END\n",
                 HEAD, first, TWICE[i]);
        snprintf(
            sentence, sizeof sentence,
            "m.sdf:10: found the atom number %s once more, expected a number that no other atom of the molecule has",
            TWICE[i]);
        test_text_fails(lm_format_sdf.read, "m.sdf", file, sentence);
    }
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(molecules_by_hand),
        cmocka_unit_test(atoms_as_chemists_write_them),
        cmocka_unit_test(lines_may_end_in_any_way),
        cmocka_unit_test(fields_that_are_numbers_become_targets),
        cmocka_unit_test(a_field_can_be_the_class),
        cmocka_unit_test(properties_and_lists),
        cmocka_unit_test(charges_isotopes_and_radicals),
        cmocka_unit_test(elements),
        cmocka_unit_test(random_molecules),
        cmocka_unit_test(refused_with_file_and_line),
        cmocka_unit_test(refusals_name_the_line),
        cmocka_unit_test(files_are_recognised),
        cmocka_unit_test(v3000_numbers),
        cmocka_unit_test(allocations_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
