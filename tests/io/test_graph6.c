/* graph6, digraph6, sparse6: strings of the format's description, an encoder and a decoder that follow the definition
 * bit by bit, round trips, and everything that is refused. */
#include "support/formats.h"
#include <stdio.h>

enum { SPARSE = 1, DIRECTED = 2 };

/* ---- The definition, slowly: bits as a string of '0' and '1' --------------------------------- */

static char *bits_new(size_t size)
{
    char *bits = calloc(size + 64, 1);
    assert_non_null(bits);
    return bits;
}

static void push(char *bits, size_t *count, uint64_t value, unsigned width)
{
    while (width--) bits[(*count)++] = value >> width & 1 ? '1' : '0';
}

static char *packed(const char *prefix, const char *bits)
{
    size_t count = strlen(bits), at = strlen(prefix);
    char *line = calloc(at + count / 6 + 2, 1);
    assert_non_null(line);
    strcpy(line, prefix);
    for (size_t i = 0; i < count; i += 6) {
        char group[7] = "";
        memcpy(group, bits + i, 6);
        line[at++] = (char)(63 + strtol(group, NULL, 2));
    }
    return line;
}

static void push_size(char *bits, size_t *count, uint64_t n)
{
    if (n > 62) push(bits, count, 63, 6);
    if (n > 258047) push(bits, count, 63, 6);
    push(bits, count, n, n <= 62 ? 6 : n <= 258047 ? 18 : 36);
}

static char *slow_graph6(const leman_dataset *data, bool directed)
{
    size_t n = leman_dataset_graph(data, 0).vertices, count = 0;
    char *bits = bits_new(n * n + 64);
    push_size(bits, &count, n);
    for (size_t v = 0; v < n; v++)
        for (size_t u = 0; u < (directed ? n : v); u++) push(bits, &count, test_has_arc(data, 0, v, u), 1);
    while (count % 6) push(bits, &count, 0, 1);
    char *line = packed(directed ? "&" : "", bits);
    free(bits);
    return line;
}

/* Edges that the pairs of a sparse6 line say, as counts in an n x n table. */
static void slow_sparse6(const char *line, size_t n, unsigned *times)
{
    size_t skip = n <= 62 ? 2 : n <= 258047 ? 5 : 9, length = strlen(line), count = 0, v = 0;
    unsigned k = 0;
    while (n > 1 && (n - 1) >> k) k++;
    char *bits = bits_new(6 * length);
    for (size_t i = skip; i < length; i++) push(bits, &count, (uint64_t)(unsigned char)line[i] - 63, 6);
    for (size_t i = 0; i + k + 1 <= count; i += k + 1) {
        char digits[40] = "";
        memcpy(digits, bits + i + 1, k);
        size_t x = k ? strtoul(digits, NULL, 2) : 0;
        if (bits[i] == '1') v++;
        if (x > v)
            v = x;
        else if (v < n)
            times[x * n + v]++;
    }
    free(bits);
}

/* ---- Known strings --------------------------------------------------------------------------- */

typedef struct known {
    const char *line;
    size_t n;
    int kind;
    const char *edges; /* "0-1 1-2" */
} known;

static const known KNOWN[] = {
    {"?", 0, 0, ""},
    {"@", 1, 0, ""},
    {"A?", 2, 0, ""},
    {"A_", 2, 0, "0-1"},
    {"Bw", 3, 0, "0-1 0-2 1-2"},
    {"C~", 4, 0, "0-1 0-2 0-3 1-2 1-3 2-3"},
    {"D~{", 5, 0, "0-1 0-2 0-3 0-4 1-2 1-3 1-4 2-3 2-4 3-4"},
    {"DQc", 5, 0, "0-2 0-4 1-3 3-4"}, /* the example of the description */
    {"EhEG", 6, 0, "0-1 1-2 2-3 3-4 4-5 0-5"},
    {"EwCW", 6, 0, "0-1 0-2 1-2 3-4 3-5 4-5"},
    {":Fa@x^", 7, SPARSE, "0-1 0-2 1-2 5-6"},    /* the example of the description */
    {"&DI?AO?", 5, DIRECTED, "0-2 0-4 3-1 3-4"}, /* the example of the description */
    {":?", 0, SPARSE, ""},
    {":@", 1, SPARSE, ""},
    {":@^", 1, SPARSE, "0-0"},
    {":A", 2, SPARSE, ""},
    {":An", 2, SPARSE, "0-1"},
};

static size_t count_edges(const char *edges)
{
    size_t count = 0;
    for (const char *p = edges; (p = strchr(p, '-')); p++) count++;
    return count;
}

static leman_policy policy_of(int kind)
{
    leman_policy policy = leman_policy_default();
    policy.directed = kind == DIRECTED;
    policy.self_loops = LEMAN_ACTION_KEEP;
    return policy;
}

static test_writer *writer_of(int kind)
{
    return kind == SPARSE ? lm_format_sparse6.write : lm_format_graph6.write;
}

static void known_strings(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        leman_policy policy = policy_of(KNOWN[i].kind);
        leman_dataset *data = test_text_read(ctx, lm_format_graph6.read, KNOWN[i].line, &policy);
        const leman_shape *shape = leman_dataset_shape(data);
        assert_int_equal(shape->graphs, 1);
        assert_int_equal(shape->vertices, KNOWN[i].n);
        assert_int_equal(shape->edges, count_edges(KNOWN[i].edges));
        for (const char *p = KNOWN[i].edges; *p; p += strcspn(p, " "), p += *p == ' ')
            assert_true(test_has_arc(data, 0, (size_t)(p[0] - '0'), (size_t)(p[2] - '0')));
        char *line = test_text_written(ctx, writer_of(KNOWN[i].kind), data);
        line[strcspn(line, "\n")] = 0;
        assert_string_equal(line, KNOWN[i].line);
        free(line);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* N(30), N(12345) and N(460175067) of the description; the last is more vertices than the limit allows. */
static void sizes_of_the_description(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_text_read(ctx, lm_format_graph6.read, ":]\n:~B?x\n", NULL);
    assert_int_equal(leman_dataset_graph(data, 0).vertices, 30);
    assert_int_equal(leman_dataset_graph(data, 1).vertices, 12345);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_text_fails(
        lm_format_graph6.read, "a.s6", ":~~?ZZZZZ\n",
        "a.s6:1: found 460175067 vertices up to here, more than the limit on bytes has room for (22369621)");
}

/* ---- Round trips and the slow twins ---------------------------------------------------------- */

static leman_dataset *reread(leman_context *ctx, const char *text, int kind)
{
    leman_policy policy = policy_of(kind);
    policy.repeated_edges = policy.one_way_edges = LEMAN_ACTION_REFUSE; /* what we write is clean */
    return test_text_read(ctx, lm_format_graph6.read, text, &policy);
}

static void compare_with_definition(leman_context *ctx, const leman_dataset *data, int kind)
{
    char *written = test_text_written(ctx, writer_of(kind), data);
    leman_dataset *back = reread(ctx, written, kind);
    assert_true(test_same_dataset(data, back));
    leman_dataset_free(back);
    written[strcspn(written, "\n")] = 0;
    size_t n = leman_dataset_graph(data, 0).vertices;
    if (kind == SPARSE) {
        unsigned *times = calloc(n * n + 1, sizeof *times);
        assert_non_null(times);
        slow_sparse6(written, n, times);
        for (size_t u = 0; u < n; u++)
            for (size_t v = u; v < n; v++) assert_int_equal(times[u * n + v], test_has_arc(data, 0, u, v));
        free(times);
    } else {
        char *slow = slow_graph6(data, kind == DIRECTED);
        assert_string_equal(written, slow);
        free(slow);
    }
    free(written);
}

static void random_graphs(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    static const unsigned PERCENT[] = {0, 3, 20, 60, 100};
    uint64_t random = 6;
    for (size_t round = 0; round < 3000; round++) {
        size_t n = round % 40;
        int kind = (int)(test_random(&random) % 3);
        leman_dataset *data =
            test_random_graph(ctx, &random, n, PERCENT[test_random(&random) % 5], 0, 0, kind == DIRECTED);
        compare_with_definition(ctx, data, kind);
        leman_dataset_free(data);
    }
    static const size_t BOUNDARIES[] = {61, 62, 63, 64, 65, 127, 128, 129};
    for (size_t i = 0; i < 8; i++)
        for (int kind = 0; kind < 3; kind++) {
            leman_dataset *data = test_random_graph(ctx, &random, BOUNDARIES[i], 10, 0, 0, kind == DIRECTED);
            compare_with_definition(ctx, data, kind);
            leman_dataset_free(data);
        }
    test_context_free(ctx);
}

/* A graph of n vertices with the edges (pairs[2i], pairs[2i+1]), loops kept. */
static leman_dataset *graph_of(leman_context *ctx, size_t n, const size_t *pairs, size_t count, bool directed)
{
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    leman_policy policy = policy_of(directed ? DIRECTED : 0);
    assert_int_equal(leman_builder_new(ctx, "made", &(leman_columns){0}, &builder), LEMAN_OK);
    assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
    for (size_t v = 0; v < n; v++) assert_int_equal(leman_builder_vertex(builder, NULL, NULL, NULL), LEMAN_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(leman_builder_edge(builder, pairs[2 * i], pairs[2 * i + 1], NULL, NULL), LEMAN_OK);
    assert_int_equal(leman_builder_finish(builder, &policy, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

/* All graphs with loops on up to 4 vertices, and random ones on the powers of two, where the filling is delicate. */
static void sparse6_with_loops(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 66;
    for (size_t n = 1; n <= 33; n++) {
        size_t cells = n * (n + 1) / 2, rounds = n <= 4 ? (size_t)1 << cells : 200;
        for (size_t round = 0; round < rounds; round++) {
            size_t pairs[2 * 33 * 17], count = 0, cell = 0;
            for (size_t v = 0; v < n; v++)
                for (size_t u = 0; u <= v; u++, cell++)
                    if (n <= 4 ? (round >> cell & 1) != 0 : test_random(&random) % (2 * n) == 0)
                        pairs[2 * count] = u, pairs[2 * count++ + 1] = v;
            leman_dataset *data = graph_of(ctx, n, pairs, count, false);
            compare_with_definition(ctx, data, SPARSE);
            leman_dataset_free(data);
        }
    }
    test_context_free(ctx);
}

static void size_boundaries(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    static const struct {
        size_t n;
        const char *begin;
    } CASES[] = {{62, ":}"}, {63, ":~??~"}, {258047, ":~}~~"}, {258048, ":~~???~??"}};
    for (size_t i = 0; i < 4; i++) {
        size_t n = CASES[i].n, pairs[] = {0, 1, 0, n - 1, n - 2, n - 1, n - 1, n - 1, n / 2, n / 3};
        leman_dataset *data = graph_of(ctx, n, pairs, 5, false);
        char *written = test_text_written(ctx, lm_format_sparse6.write, data);
        assert_memory_equal(written, CASES[i].begin, strlen(CASES[i].begin));
        leman_dataset *back = reread(ctx, written, SPARSE);
        assert_true(test_same_dataset(data, back));
        leman_dataset_free(back);
        leman_dataset_free(data);
        free(written);
    }
    test_context_free(ctx);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static void lines_of_all_kinds(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_text_read(
        ctx, lm_format_graph6.read, ">>graph6<<Bw\r\n:Fa@x^\r\n>>sparse6<<\nA_\n>>digraph6<<&DI?AO?\n\n \r\n", NULL);
    static const size_t VERTICES[] = {3, 7, 2, 5};
    assert_int_equal(leman_dataset_shape(data)->graphs, 4);
    for (size_t i = 0; i < 4; i++) assert_int_equal(leman_dataset_graph(data, i).vertices, VERTICES[i]);
    assert_true(test_has_arc(data, 3, 1, 3)); /* the way back, added by the policy */
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void repeats_and_loops_go_to_the_policy(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_cleaning report;
    leman_dataset *data = NULL;
    /* n = 4, k = 2: 1 00, 0 00, 0 01, filled with 111: the edge 0-1 twice and a loop at 1. */
    assert_int_equal(test_read_text(ctx, lm_format_graph6.read, "a", ":C_N\n", NULL, &report, &data), LEMAN_OK);
    assert_int_equal(report.repeated_edges, 1);
    assert_int_equal(report.self_loops, 1);
    assert_int_equal(report.one_way_edges, 0);
    assert_int_equal(leman_dataset_shape(data)->edges, 1);
    leman_dataset_free(data);
    data = NULL;
    /* A digraph6 arc without its way back is what the policy calls one-way; a graph6 edge never is. */
    assert_int_equal(test_read_text(ctx, lm_format_graph6.read, "a", "&DI?AO?\nDQc\n", NULL, &report, &data), LEMAN_OK);
    assert_int_equal(report.one_way_edges, 4);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void refusals_name_the_line(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_policy policy = leman_policy_default();
    leman_dataset *data = NULL;
    policy.repeated_edges = LEMAN_ACTION_REFUSE;
    assert_int_equal(test_read_text(ctx, lm_format_graph6.read, "a.s6", "Bw\n:C_N\n", &policy, NULL, &data),
                     LEMAN_ERROR_INPUT);
    assert_string_equal(leman_context_message(ctx), "a.s6:2: edge (1, 2) is repeated, which the policy refuses");
    test_context_free(ctx);
}

static void empty_data_sets(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    for (int kind = 0; kind < 2; kind++) {
        leman_dataset *data = test_text_read(ctx, lm_format_graph6.read, ">>graph6<<\n", NULL);
        assert_int_equal(leman_dataset_shape(data)->graphs, 0);
        char *written = test_text_written(ctx, writer_of(kind), data);
        assert_string_equal(written, kind == SPARSE ? ">>sparse6<<\n" : ">>graph6<<\n");
        free(written);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

static void refused_with_file_and_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *sentence;
    } CASES[] = {
        {"", "g.g6:1: found the end of the file, expected a graph6 or sparse6 graph"},
        {"\n\n", "g.g6:3: found the end of the file, expected a graph6 or sparse6 graph"},
        {"Bw\n\nBw\n", "g.g6:2: found an empty line, expected a graph"},
        {"Bw\nB w\n", "g.g6:2: found byte 0x20, expected only characters from '?' to '~' in a graph"},
        {"1,2\n", "g.g6:1: found '1', expected only characters from '?' to '~' in a graph"},
        {"B\x7f\n", "g.g6:1: found byte 0x7f, expected only characters from '?' to '~' in a graph"},
        {"B\xff\n", "g.g6:1: found byte 0xff, expected only characters from '?' to '~' in a graph"},
        {"B\n", "g.g6:1: found 0 characters behind the number of vertices 3, expected 1"},
        {"Bww\n", "g.g6:1: found 2 characters behind the number of vertices 3, expected 1"},
        {"A_\nBx\n", "g.g6:2: found ones in the bits that fill the last character up, expected zeros"},
        {"~\n", "g.g6:1: the line ends inside its number of vertices"},
        {"~??", "g.g6:1: the line ends inside its number of vertices"},
        {"~~?????", "g.g6:1: the line ends inside its number of vertices"},
        {":\n", "g.g6:1: the line ends inside its number of vertices"},
        {"&\n", "g.g6:1: the line ends inside its number of vertices"},
        {"~}~~??\n", "g.g6:1: found 2 characters behind the number of vertices 258047, expected 5548999681"},
        {"~~~~~~~~\n", "g.g6:1: found a graph of 68719476735 vertices, expected at most 2147483647"},
        {":~~~~~~~~\n", "g.g6:1: found a graph of 68719476735 vertices, expected at most 2147483647"},
        {":~~A?????\n", "g.g6:1: found a graph of 2147483648 vertices, expected at most 2147483647"},
        {"Bw\n;Fa@x^\n", "g.g6:2: found ';', an incremental sparse6 graph, which is not read; write it as sparse6"},
        {":?~\n", "g.g6:1: found edges in a graph without vertices"},
        {":D~~\n", "g.g6:1: found an edge to vertex 8, expected one of 5 vertices"},
        {":Fa@x\n:Fa@w\n", "g.g6:2: found zeros in the bits that fill the last character up, expected ones"},
        {":~??~a\n", "g.g6:1: the line ends inside an edge"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        test_text_fails(lm_format_graph6.read, "g.g6", CASES[i].text, CASES[i].sentence);
}

static void too_large_for_the_budget(void **state)
{
    (void)state;
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_dataset *data = NULL;
    settings.memory = 1 << 20;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    assert_int_equal(test_read_text(ctx, lm_format_graph6.read, "a.s6", ":@\n:~Z??", NULL, NULL, &data),
                     LEMAN_ERROR_BUDGET);
    assert_string_equal(leman_context_message(ctx),
                        "a.s6:2: 110593 vertices up to here need more than the memory budget");
    leman_context_free(ctx);
}

/* Writes data and expects the sentence and no file. */
static void write_fails(leman_context *ctx, leman_dataset *data, const char *name, const char *sentence)
{
    const char *folder = test_folder_new(), *path = test_path(folder, name);
    assert_int_equal(leman_dataset_write(ctx, data, path, LEMAN_FORMAT_AUTO), LEMAN_ERROR_INPUT);
    assert_string_equal(leman_context_message(ctx), sentence);
    FILE *file = fopen(path, "r");
    assert_null(file);
    test_folder_remove(folder);
}

static void what_cannot_be_written(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *loop = graph_of(ctx, 3, (size_t[]){0, 1, 2, 2}, 2, false);
    leman_dataset *directed = graph_of(ctx, 3, (size_t[]){0, 1, 2, 2}, 2, true);
    write_fails(
        ctx, loop, "a.g6",
        "made: graph 0 has a self-loop at vertex 2, which graph6 cannot hold; write sparse6 or remove the loops");
    write_fails(ctx, directed, "a.s6",
                "made: sparse6 cannot hold directed graphs; write graph6 (digraph6 lines), an edge list, TU or binary");
    compare_with_definition(ctx, loop, SPARSE);
    compare_with_definition(ctx, directed, DIRECTED);
    leman_dataset_free(loop);
    leman_dataset_free(directed);
    test_context_free(ctx);
}

static void what_is_dropped_is_logged(void **state)
{
    (void)state;
    test_log log;
    uint64_t random = 1;
    test_log_new(&log);
    leman_dataset *data = test_random_graph(log.ctx, &random, 5, 50, 3, 2, false);
    free(test_text_written(log.ctx, lm_format_graph6.write, data));
    assert_string_equal(log.text, "random: graph6 cannot hold vertex labels, edge labels; dropped\n");
    leman_dataset_free(data);
    test_log_free(&log);
}

/* Files are known by marks, ending, and shape: graph6 in a .txt, or without any ending. */
static void files_are_recognised(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
    } CASES[] = {{"a.g6", "Bw\n"}, {"a.s6", ":Bd\n"},           {"a.txt", "Bw\r\nBw\n"}, {"plain", "Bw"},
                 {"plain", ":Bd"}, {"a.csv", ">>graph6<<Bw\n"}, {"plain", "&B??\n"},     {"plain", "~??~~~~~\n"}};
    leman_context *ctx = test_context_new(1);
    const char *folder = test_folder_new();
    for (size_t i = 0; i < 7; i++) {
        leman_dataset *data = NULL;
        const char *path = test_file_text(folder, CASES[i].name, CASES[i].text);
        if (leman_dataset_read(ctx, path, NULL, NULL, &data)) fail_msg("%s", leman_context_message(ctx));
        assert_int_equal(leman_dataset_graph(data, 0).vertices, 3);
        leman_dataset_free(data);
    }
    test_read_fails(test_file_text(folder, CASES[7].name, CASES[7].text), "plain format");
    /* Lines that are SMILES as well are asked about, unless the name, the caller or a line says what they are. */
    test_read_fails(test_file_text(folder, "plain", "CC\nCO\n"), "SMILES or graph6");
    test_read_fails(test_file_text(folder, "a.txt", "CC"), "SMILES or graph6");
    static const char *const SURE[][2] = {{"b.g6", "CC\nCO\n"}, {"b.smi", "CC\nCO\n"}, {"b.txt", "CC\nC?\n"}};
    for (size_t i = 0; i < 3; i++) {
        leman_dataset *data = NULL;
        const char *path = test_file_text(folder, SURE[i][0], SURE[i][1]);
        if (leman_dataset_read(ctx, path, NULL, NULL, &data)) fail_msg("%s", leman_context_message(ctx));
        assert_int_equal(leman_dataset_graph(data, 1).vertices, i == 1 ? 2 : 4);
        leman_dataset_free(data);
    }
    test_folder_remove(folder);
    test_context_free(ctx);
}

static leman_status read_and_write(leman_context *ctx, void *state)
{
    const char *folder = state;
    leman_dataset *data = NULL;
    leman_status st = LEMAN_OK;
    TRY(test_read_text(ctx, lm_format_graph6.read, "a", ">>graph6<<DQc\n:Fa@x^\n&DI?AO?\n", NULL, NULL, &data));
    TRY(leman_dataset_write(ctx, data, test_path(folder, "a.g6"), LEMAN_FORMAT_AUTO));
    TRY(leman_dataset_write(ctx, data, test_path(folder, "a.s6"), LEMAN_FORMAT_AUTO));
done:
    leman_dataset_free(data);
    return st;
}

static void allocations_may_fail(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    assert_true(test_fail_each_allocation(read_and_write, (void *)(uintptr_t)folder) > 10);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_strings),
        cmocka_unit_test(sizes_of_the_description),
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(sparse6_with_loops),
        cmocka_unit_test(size_boundaries),
        cmocka_unit_test(lines_of_all_kinds),
        cmocka_unit_test(repeats_and_loops_go_to_the_policy),
        cmocka_unit_test(refusals_name_the_line),
        cmocka_unit_test(empty_data_sets),
        cmocka_unit_test(refused_with_file_and_line),
        cmocka_unit_test(too_large_for_the_budget),
        cmocka_unit_test(what_cannot_be_written),
        cmocka_unit_test(what_is_dropped_is_logged),
        cmocka_unit_test(files_are_recognised),
        cmocka_unit_test(allocations_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
