/* Streams: slices of any size are the graphs that reading at once gives, with the same names, classes and targets. */
#include "io/stream/stream.h"
#include "support/formats.h"
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* All slices one behind the other, as a data set without labels. */
static leman_dataset *gather(leman_context *ctx, leman_stream *stream, size_t *slices)
{
    const leman_dataset *slice, *labels;
    leman_dataset *all;
    leman_builder *builder = NULL;
    leman_policy keep = leman_policy_default();
    assert_int_equal(leman_stream_labels(stream, &labels), LEMAN_ERROR_ARGUMENT); /* not yet */
    for (*slices = 0; !leman_stream_next(stream, &slice) && slice; ++*slices) {
        assert_int_equal(leman_dataset_check(ctx, slice), LEMAN_OK);
        leman_columns columns = *leman_dataset_shape(slice)->columns;
        columns.classes = columns.graph_names = false;
        columns.targets = 0;
        keep.directed = leman_dataset_shape(slice)->directed;
        keep.empty_graphs = LEMAN_ACTION_KEEP;
        if (!builder) assert_int_equal(leman_builder_new(ctx, "all", &columns, &builder), LEMAN_OK);
        for (size_t i = 0; i < leman_dataset_shape(slice)->graphs; i++) {
            leman_graph g = leman_dataset_graph(slice, i);
            assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
            for (size_t v = 0; v < g.vertices; v++)
                assert_int_equal(leman_builder_vertex(builder, NULL, g.vertex_label + v * g.vertex_labels,
                                                      g.vertex_attribute + v * g.vertex_attributes),
                                 LEMAN_OK);
            for (size_t v = 0; v < g.vertices; v++)
                for (uint64_t e = g.start[v]; e < g.start[v + 1]; e++)
                    assert_int_equal(leman_builder_edge(builder, v, g.head[e], g.edge_label + e * g.edge_labels,
                                                        g.edge_attribute + e * g.edge_attributes),
                                     LEMAN_OK);
        }
    }
    assert_int_equal(leman_builder_finish(builder, &keep, NULL, &all), LEMAN_OK);
    leman_builder_free(builder);
    return all;
}

static void assert_same_labels(const leman_dataset *a, const leman_dataset *b)
{
    const leman_shape *x = leman_dataset_shape(a), *y = leman_dataset_shape(b);
    assert_int_equal(x->graphs, y->graphs);
    assert_int_equal(x->directed, y->directed);
    assert_int_equal(x->columns->targets, y->columns->targets);
    assert_int_equal(!leman_dataset_classes(a), !leman_dataset_classes(b));
    for (size_t i = 0; i < x->graphs; i++) {
        size_t n, m;
        const char *name = leman_dataset_graph_name(a, i, &n), *other = leman_dataset_graph_name(b, i, &m);
        assert_int_equal(n, m);
        if (n) assert_memory_equal(name, other, n);
        if (leman_dataset_classes(a)) assert_int_equal(leman_dataset_classes(a)[i], leman_dataset_classes(b)[i]);
    }
    if (x->columns->targets)
        assert_memory_equal(leman_dataset_targets(a), leman_dataset_targets(b), 8 * x->graphs * x->columns->targets);
}

/* With slices of several sizes: how many slices the smallest gave. */
static size_t check(const char *path, const leman_read_options *options)
{
    leman_context *ctx = test_context_new(1);
    leman_dataset *whole, *bare, *all;
    leman_cleaning cleaning;
    size_t slices, most = 0;
    if (leman_dataset_read(ctx, path, options, &cleaning, &whole)) fail_msg("%s", leman_context_message(ctx));
    leman_columns keep = *leman_dataset_shape(whole)->columns;
    keep.classes = keep.graph_names = keep.vertex_names = false;
    keep.targets = 0;
    assert_int_equal(leman_dataset_keep(ctx, whole, &keep, &bare), LEMAN_OK);
    for (size_t limit = 64; limit < 1 << 20; limit *= 7) {
        leman_stream *stream;
        const leman_dataset *labels;
        if (lm_stream_open(ctx, path, options, limit, &stream)) fail_msg("%s", leman_context_message(ctx));
        all = gather(ctx, stream, &slices);
        if (!most) most = slices;
        assert_true(test_same_dataset(all, bare));
        assert_int_equal(leman_stream_labels(stream, &labels), LEMAN_OK);
        assert_same_labels(labels, whole);
        assert_memory_equal(leman_stream_cleaning(stream), &cleaning, sizeof cleaning);
        leman_dataset_free(all);
        leman_stream_free(stream);
    }
    leman_dataset_free(bare);
    leman_dataset_free(whole);
    test_context_free(ctx);
    return most;
}

static const char TABLE[] = "smiles,name,kind,weight,note\n"
                            "CCO,ethanol,alcohol,46.07,1\nC,methane,alkane,16.04,2\n"
                            "CC(=O)[O-],acetate,ion,,three\nc1ccccc1,benzene,ring,78.11,4\n"
                            "O,water,,18.02,5\nC1CC1,cyclopropane,ring,42.08,6\n\n"
                            "CCCCCCCC,octane,alkane,114.23,7\nN#N,nitrogen,,28.01,8\nCC,ethane,alkane,30.07,";

static void write_gzip(const char *path, const char *text)
{
    gzFile file = gzopen(path, "wb");
    assert_int_equal(gzwrite(file, text, (unsigned)strlen(text)), strlen(text));
    assert_int_equal(gzclose(file), Z_OK);
}

/* Columns that turn out to be words in the end, classes by name, graphs that the policy removes. */
static void smiles(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    const char *path = test_file_text(folder, "t.csv", TABLE);
    leman_read_options options = leman_read_options_default();
    leman_policy policy = leman_policy_default();
    options.policy = &policy;
    assert_true(check(path, NULL) > 4);
    for (int way = 0; way < 4; way++) {
        options.class_column = way & 1 ? "kind" : NULL;
        policy.isolated_vertices = policy.empty_graphs = way & 2 ? LEMAN_ACTION_REMOVE : LEMAN_ACTION_KEEP;
        assert_true(check(path, &options) > 3);
    }
    const char *packed = test_path(folder, "p.csv.gz");
    write_gzip(packed, TABLE);
    assert_true(check(packed, NULL) > 4);
    /* the second line tells if the first is a header, even where the first piece of the text does not reach to it */
    char text[2048] = "a_long_name_of_the_numbers,smiles,y\n";
    memcpy(text, "CNOCCCNOCCCCCCCCCCCCCCCCCC", 26);
    for (int i = 0; i < 40; i++) sprintf(text + strlen(text), "%d,CCOCC,%d\n", i, i % 7);
    check(test_file_text(folder, "n.csv", text), NULL);
    strcpy(text, "CCOCCCCCCCCCCCCCCCCCCCCCCCCC from_smiles_1\n");
    for (int i = 0; i < 40; i++) strcat(text, "CCOCC b\n");
    check(test_file_text(folder, "n.smi", text), NULL);
    /* rows of several lines, which a piece of the text may end within; lines in quotes are no comments */
    strcpy(text, "smiles,\"y\n\"\"of\"\"\n# all\",name\n");
    for (int i = 0; i < 24; i++)
        sprintf(text + strlen(text), "CCO%.*s,%d,\"a%s\n# b, \"\"%d\"\"\n\nc\"\n# more\n", i,
                "CCCCCCCCCCCCCCCCCCCCCCCC", i, i % 5 ? "" : "\r", i);
    check(test_file_text(folder, "q.csv", text), NULL);
    test_folder_remove(folder);
}

/* The progress of reading is a part of the whole input: it never falls from slice to slice, whatever was done between
 * two of them, and ends at the size of the file. */
static void check_progress(const char *path)
{
    leman_context *ctx = test_context_new(1);
    leman_stream *stream;
    const leman_dataset *slice;
    struct stat about;
    uint64_t before = 0;
    size_t slices = 0;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(lm_stream_open(ctx, path, NULL, 4000, &stream), LEMAN_OK);
    for (;; slices++) {
        lm_progress_begin(ctx, 7, "something else");
        assert_int_equal(leman_stream_next(stream, &slice), LEMAN_OK);
        assert_non_null(strstr(ctx->progress.task, "reading "));
        assert_int_equal(ctx->progress.total, about.st_size);
        assert_true(ctx->progress.done >= before && ctx->progress.done <= (uint64_t)about.st_size);
        before = ctx->progress.done;
        if (!slice) break;
    }
    assert_true(slices > 5);
    assert_true(before + 16 >= (uint64_t)about.st_size); /* the last bytes of gzip are a checksum */
    leman_stream_free(stream);
    test_context_free(ctx);
}

static void progress(void **state)
{
    (void)state;
    static char text[1 << 16];
    const char *folder = test_folder_new();
    strcpy(text, "smiles,y\n");
    for (int i = 0; i < 900; i++)
        sprintf(text + strlen(text), "CC%.*sO,%d\n", i * 13 % 30, "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCC", i * 7919 % 1000);
    check_progress(test_file_text(folder, "p.csv", text));
    const char *packed = test_path(folder, "q.csv.gz");
    write_gzip(packed, text);
    check_progress(packed);
    *text = 0;
    for (int i = 0; i < 900; i++) strcat(text, i % 3 ? "I?h]@eOWG\n" : "Dhc\n");
    check_progress(test_file_text(folder, "p.g6", text));
    test_folder_remove(folder);
}

/* A table behind comments, and with more of them between its lines: short ones, blank lines and one of 5,000 bytes. */
static const char *commented(const char *before)
{
    static char text[60000];
    char *to = text + sprintf(text, "%s", before);
    for (int i = 0; i < 300; i++) to += sprintf(to, i % 7 ? "# comment %d\r\n" : "  \t#\n\n", i);
    for (const char *line = TABLE; *line;) {
        const char *end = strchr(line, '\n') ? strchr(line, '\n') + 1 : line + strlen(line);
        memcpy(to, line, (size_t)(end - line));
        to += end - line;
        line = end;
        if (!*line) break;
        memset(to, '#', 5000);
        to += 5000;
        to += sprintf(to, "\n # C\n");
    }
    *to = 0;
    return text;
}

/* Slices of a file with comments are those of the file without any, and lines keep their numbers. */
static void comments(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    const char *bare = test_file_text(folder, "bare.csv", TABLE);
    leman_dataset *without, *with;
    assert_int_equal(leman_dataset_read(ctx, bare, NULL, NULL, &without), LEMAN_OK);
    for (int turn = 0; turn < 3; turn++) {
        const char *text = commented(turn ? "\xef\xbb\xbf" : "");
        const char *path = test_file_text(folder, turn == 1 ? "t.smi" : "t.csv", text);
        const char *packed = test_path(folder, turn == 1 ? "p.smi.gz" : "p.csv.gz");
        assert_true(check(path, NULL) > 4);
        write_gzip(packed, text);
        assert_true(check(packed, NULL) > 4);
        assert_int_equal(leman_dataset_read(ctx, path, NULL, NULL, &with), LEMAN_OK);
        assert_true(test_same_dataset(with, without));
        leman_dataset_free(with);
    }
    char edges[20000] = "", fault[20000] = "";
    for (int i = 0; i < 200; i++) strcat(edges, "# no edge\n"), strcat(fault, "# no SMILES\n");
    assert_int_equal(check(test_file_text(folder, "e.csv", strcat(edges, "a,b\n# more\nb,c\n")), NULL), 1);
    const char *wrong = test_file_text(folder, "w.smi", strcat(fault, "CC\n# here\nC(\n"));
    for (size_t limit = 64; limit < 1 << 20; limit *= 7) {
        leman_stream *stream = NULL;
        const leman_dataset *slice;
        leman_status st = lm_stream_open(ctx, wrong, NULL, limit, &stream);
        while (!st && !(st = leman_stream_next(stream, &slice)) && slice) {
        }
        assert_int_equal(st, LEMAN_ERROR_INPUT);
        if (!strstr(leman_context_message(ctx), "w.smi:203:")) fail_msg("%s", leman_context_message(ctx));
        leman_stream_free(stream);
    }
    leman_dataset_free(without);
    test_context_free(ctx);
    test_folder_remove(folder);
}

static void graph6(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    const char *path =
        test_file_text(folder, "a.g6", ">>graph6<<Bw\nA_\nA?\n@\nC~\nDhc\nI?h]@eOWG\nE?Bw\n:Fa@x^\nCr\n");
    leman_read_options options = leman_read_options_default();
    leman_policy policy = leman_policy_default();
    options.policy = &policy;
    assert_true(check(path, NULL) > 3);
    policy.isolated_vertices = policy.empty_graphs = LEMAN_ACTION_REMOVE;
    assert_true(check(path, &options) > 3);
    policy.directed = true;
    assert_true(check(path, &options) > 3);
    test_folder_remove(folder);
}

static void binary(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_dataset *data;
    leman_read_options options = leman_read_options_default();
    leman_policy policy = leman_policy_default();
    options.policy = &policy;
    options.class_column = "kind";
    const char *table = test_file_text(folder, "t.csv", TABLE), *path = test_path(folder, "t.leman");
    assert_int_equal(leman_dataset_read(ctx, table, &options, NULL, &data), LEMAN_OK);
    assert_int_equal(leman_dataset_write(ctx, data, path, LEMAN_FORMAT_AUTO), LEMAN_OK);
    leman_dataset_free(data);
    assert_true(check(path, NULL) > 4);
    options.class_column = NULL;
    policy.isolated_vertices = policy.empty_graphs = LEMAN_ACTION_REMOVE;
    assert_true(check(path, &options) > 3);
    policy.directed = true;
    assert_true(check(path, &options) > 3);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* Other formats are one slice, and so is what is small. */
static void whole(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    const char *edges =
        test_file_text(folder, "e.csv", "source,target,graph\n0,1,0\n1,2,0\n0,1,1\n0,1,2\n1,2,2\n2,0,2\n");
    assert_int_equal(check(edges, NULL), 1);
    test_folder_remove(folder);
}

static leman_status read_all(leman_context *ctx, const char *path, size_t limit)
{
    leman_stream *stream = NULL;
    const leman_dataset *slice;
    leman_status st = lm_stream_open(ctx, path, NULL, limit, &stream);
    while (!st && !(st = leman_stream_next(stream, &slice)) && slice) {
    }
    if (!st) st = leman_stream_labels(stream, &slice);
    leman_stream_free(stream);
    return st;
}

/* Reads everything with a policy that refuses isolated vertices and empty graphs. */
static void refuses(leman_context *ctx, const char *path, size_t limit, const char *expected)
{
    leman_read_options options = leman_read_options_default();
    leman_policy policy = leman_policy_default();
    leman_stream *stream = NULL;
    const leman_dataset *slice;
    size_t slices = 0;
    policy.isolated_vertices = policy.empty_graphs = LEMAN_ACTION_REFUSE;
    options.policy = &policy;
    leman_status st = lm_stream_open(ctx, path, &options, limit, &stream);
    while (!st && !(st = leman_stream_next(stream, &slice)) && slice) slices++;
    leman_stream_free(stream);
    assert_int_equal(st, LEMAN_ERROR_INPUT);
    assert_true(slices > 2);
    if (!strstr(leman_context_message(ctx), expected)) fail_msg("%s", leman_context_message(ctx));
}

/* A graph that is refused is named by its number in the input, and a graph that is left by its number among those that
 * are left, whichever slice it is in. */
static void numbers(void **state)
{
    (void)state;
    enum { BEFORE = 300 };
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_dataset *data;
    char text[8192] = "";
    for (int i = 0; i < BEFORE; i++) strcat(text, "CCOCC\n");
    strcat(text, "C.CC\nCC\n");
    const char *path = test_file_text(folder, "i.smi", text), *own = test_path(folder, "i.leman");
    refuses(ctx, path, 2000, "graph 300: vertex 0 is isolated, which the policy refuses");
    assert_int_equal(leman_dataset_read(ctx, path, NULL, NULL, &data), LEMAN_OK);
    assert_int_equal(leman_dataset_write(ctx, data, own, LEMAN_FORMAT_AUTO), LEMAN_OK);
    leman_dataset_free(data);
    refuses(ctx, own, 2000, "graph 300: vertex 0 is isolated, which the policy refuses");
    *text = 0;
    for (int i = 0; i < BEFORE; i++) strcat(text, "Bw\n");
    strcat(text, "A?\nBw\n");
    refuses(ctx, test_file_text(folder, "i.g6", text), 2000, "graph 300: vertex 1 is isolated"); /* as in its line */
    strcpy(text + strlen(text) - 6, "?\nBw\n");
    refuses(ctx, test_file_text(folder, "e.g6", text), 2000, "graph 300 has no vertices");

    leman_read_options options = leman_read_options_default(); /* every second one is removed */
    leman_policy policy = leman_policy_default();
    leman_stream *stream;
    const leman_dataset *slice;
    size_t next = 0;
    *text = 0;
    for (int i = 0; i < BEFORE; i++) strcat(text, "CCOCC\nC\n");
    policy.isolated_vertices = policy.empty_graphs = LEMAN_ACTION_REMOVE;
    options.policy = &policy;
    path = test_file_text(folder, "r.smi", text);
    assert_int_equal(lm_stream_open(ctx, path, &options, 2000, &stream), LEMAN_OK);
    while (!leman_stream_next(stream, &slice) && slice) {
        for (size_t g = 0; g < slice->graphs; g++) assert_int_equal(slice->first_graph + g, next + g);
        if (slice->graphs > 5) {
            const leman_dataset part = lm_dataset_range(slice, 2, 6), again = lm_dataset_range(&part, 1, 3);
            assert_int_equal(again.first_graph, next + 3);
            assert_int_equal(again.graphs, 2);
        }
        next += slice->graphs;
    }
    assert_int_equal(next, BEFORE);
    leman_stream_free(stream);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* Faults are told with their line in the file, whichever slice they are in; damage before there is any graph. */
static void faults(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    char text[4096] = "smiles\n";
    for (int i = 0; i < 300; i++) strcat(text, "CCOCC\n");
    strcat(text, "CC(\nCC\n");
    const char *path = test_file_text(folder, "b.csv", text);
    assert_int_equal(read_all(ctx, path, 2000), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "b.csv:302: "));
    text[strlen(text) - 7] = 0;
    path = test_path(folder, "b.csv.gz");
    write_gzip(path, text);
    assert_int_equal(read_all(ctx, path, 2000), LEMAN_OK);
    assert_int_equal(truncate(path, 40), 0);
    assert_int_equal(read_all(ctx, path, 2000), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "cut off"));

    leman_dataset *data;
    path = test_file_text(folder, "t.csv", TABLE);
    assert_int_equal(leman_dataset_read(ctx, path, NULL, NULL, &data), LEMAN_OK);
    path = test_path(folder, "t.leman");
    assert_int_equal(leman_dataset_write(ctx, data, path, LEMAN_FORMAT_AUTO), LEMAN_OK);
    leman_dataset_free(data);
    static char good[1 << 16];
    FILE *file = fopen(path, "rb");
    const size_t size = fread(good, 1, sizeof good, file);
    fclose(file);
    assert_true(size > 1000 && size < sizeof good);
    for (size_t at = 0; at < size; at += 17) { /* a byte that is another, anywhere */
        good[at] ^= 4;
        path = test_file_write(folder, "d.leman", good, size);
        assert_int_not_equal(read_all(ctx, path, 256), LEMAN_OK);
        good[at] ^= 4;
    }
    path = test_file_write(folder, "d.leman", good, size - 64);
    assert_int_equal(read_all(ctx, path, 256), LEMAN_ERROR_INPUT);
    test_context_free(ctx);
    test_folder_remove(folder);
}

static leman_status body(leman_context *ctx, void *path)
{
    return read_all(ctx, path, 256);
}

static void memory(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_dataset *data;
    const char *table = test_file_text(folder, "t.csv", TABLE), *own = test_path(folder, "t.leman");
    assert_int_equal(leman_dataset_read(ctx, table, NULL, NULL, &data), LEMAN_OK);
    assert_int_equal(leman_dataset_write(ctx, data, own, LEMAN_FORMAT_AUTO), LEMAN_OK);
    leman_dataset_free(data);
    const char *packed = test_path(folder, "p.csv.gz");
    write_gzip(packed, TABLE);
    const char *const paths[] = {table, own, packed};
    for (int i = 0; i < 3; i++) assert_true(test_fail_each_allocation(body, (void *)(uintptr_t)paths[i]) > 10);
    const char *six = test_file_text(folder, "a.g6", "Bw\nA_\nA?\n@\nC~\nDhc\nI?h]@eOWG\nE?Bw\nCr\nC~\nDhc\nCr\n");
    assert_true(test_fail_each_allocation(body, (void *)(uintptr_t)six) > 10);
    test_context_free(ctx);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smiles), cmocka_unit_test(progress), cmocka_unit_test(comments),
        cmocka_unit_test(graph6), cmocka_unit_test(binary),   cmocka_unit_test(whole),
        cmocka_unit_test(faults), cmocka_unit_test(numbers),  cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
