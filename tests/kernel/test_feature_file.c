/* Our own files of features: columns alone, and whole matrices. */
#include "kernel/feature_files.h"

#include "base/context.h"
#include "base/hash.h"
#include "kernel/features/feature_file.h"
#include "kernel/features/features.h"
#include <stdio.h>

enum { OPTIONS = sizeof(leman_feature_options) };

static contents copy_of(contents b)
{
    contents copy = {.data = malloc(b.size ? b.size : 1), .size = b.size}; /* so that reading past the end is noticed */
    memcpy(copy.data, b.data, b.size);
    return copy;
}

typedef leman_status parser(leman_context *ctx, const char *path, lm_bytes bytes, leman_features *features);

static void assert_bad(leman_context *ctx, parser *parse, contents b, const char *words)
{
    leman_features g = {.rows = 77};
    contents copy = copy_of(b);
    assert_int_equal(parse(ctx, "F", (lm_bytes){copy.data, copy.size, false}, &g), LEMAN_ERROR_INPUT);
    assert_int_equal(strncmp(leman_context_message(ctx), "F: ", 3), 0);
    if (!strstr(leman_context_message(ctx), words)) fail_msg("%s", leman_context_message(ctx));
    assert_int_equal(g.rows, 77);
    free(copy.data);
}

/* A word of the file becomes another one, and the checksum right again. */
static void put(contents *b, size_t at, uint64_t value)
{
    uint64_t version;
    memcpy(b->data + at, &value, 8);
    memcpy(&version, b->data + 8, 8);
    uint64_t sum = lm_checksum(b->data + 24, b->size - 24, version);
    memcpy(b->data + 16, &sum, 8);
}

static uint64_t word(contents b, size_t at)
{
    uint64_t value;
    memcpy(&value, b.data + at, 8);
    return value;
}

static void assert_same_columns(const leman_features *f, const leman_features *g)
{
    assert_int_equal(g->columns, f->columns);
    for (size_t c = 0; c < f->columns; c++) {
        assert_int_equal(g->feature[c].kernel, f->feature[c].kernel);
        assert_int_equal(g->feature[c].round, f->feature[c].round);
        assert_int_equal(g->feature[c].key, f->feature[c].key);
    }
    assert_string_equal(g->origin.kernels, f->origin.kernels);
    assert_int_equal(g->origin.apex, f->origin.apex);
    assert_int_equal(g->origin.directed, f->origin.directed);
    assert_int_equal(g->origin.vertex_labels, f->origin.vertex_labels);
    assert_int_equal(g->origin.edge_labels, f->origin.edge_labels);
}

/* Any cut, any one changed byte, and any one word that is all ones under a right checksum: refused, or sound. */
static void damage_everywhere(leman_context *ctx, parser *parse, contents b)
{
    for (size_t size = 0; size < b.size; size++) assert_bad(ctx, parse, (contents){b.data, size}, "");
    for (size_t i = 0; i < b.size; i++) {
        b.data[i] = (char)(b.data[i] ^ 0x10);
        assert_bad(ctx, parse, b, "");
        b.data[i] = (char)(b.data[i] ^ 0x10);
    }
    for (size_t at = 24; at < b.size; at += 8) {
        leman_features g;
        uint64_t was = word(b, at);
        put(&b, at, UINT64_MAX);
        contents copy = copy_of(b);
        leman_status st = parse(ctx, "F", (lm_bytes){copy.data, copy.size, false}, &g);
        assert_true(!st || st == LEMAN_ERROR_INPUT);
        if (!st) lm_features_clear(&g);
        free(copy.data);
        put(&b, at, was);
    }
}

/* ---- Columns --------------------------------------------------------------------------------- */

static void test_columns(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *path = test_path(folder, "columns");
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = molecules(ctx, 6);
    leman_kernel kernels[2];
    leman_features *f, *g;
    two_kernels(kernels);
    assert_int_equal(leman_features_compute(ctx, data, kernels, 2, NULL, &f), LEMAN_OK);
    assert_string_equal(f->origin.kernels, "local:2, 1 rounds + local:1, 2 rounds");
    assert_int_equal(leman_feature_columns_write(ctx, f, path), LEMAN_OK);
    assert_int_equal(leman_feature_columns_read(ctx, path, &g), LEMAN_OK);
    assert_int_equal(g->rows + g->entries, 0);
    assert_same_columns(f, g);
    assert_int_equal(f->blocks, 5);
    assert_int_equal(g->blocks, 5);
    for (size_t i = 0, first = 0; i < 5; first += f->block[i++].columns) { /* what columns say, said in short */
        const leman_feature_block *x = f->block + i, *y = g->block + i;
        assert_int_equal(x->first, first);
        assert_true(x->kernel == y->kernel && x->round == y->round && x->first == y->first && x->columns == y->columns);
        for (size_t c = first; c < first + x->columns; c++)
            assert_true(f->feature[c].kernel == x->kernel && f->feature[c].round == x->round);
    }
    leman_features_free(g);
    leman_features empty = {.feature = f->feature}; /* no columns are columns too, of no known kernels */
    assert_int_equal(leman_feature_columns_write(ctx, &empty, path), LEMAN_OK);
    assert_int_equal(leman_feature_columns_read(ctx, path, &g), LEMAN_OK);
    assert_int_equal(g->columns, 0);
    assert_null(g->origin.kernels);
    leman_features_free(g);
    leman_features unnamed = {.columns = 2};
    assert_int_equal(leman_feature_columns_write(ctx, &unnamed, path), LEMAN_ERROR_ARGUMENT);
    leman_features_free(f);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* Whatever changes what a column means is noticed; one difference at a time. */
static void test_other_kernels(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 2);
    leman_kernel kernels[2], other[2];
    leman_features *f, *g;
    two_kernels(kernels);
    assert_int_equal(leman_features_compute(ctx, data, kernels, 2, NULL, &f), LEMAN_OK);
    leman_feature_options options = {.size = OPTIONS, .columns = f};
    assert_int_equal(leman_features_compute(ctx, data, kernels, 1, &options, &g), LEMAN_ERROR_INPUT);
    for (int i = 0; i < 9; i++) {
        two_kernels(other);
        leman_kernel *c = &other[1];
        if (i == 0) c->coloring.rounds = 1;
        if (i == 1) c->coloring.k = 2;
        if (i == 2) c->coloring.algorithm = LEMAN_ALGORITHM_DELTA;
        if (i == 3) c->coloring.ignore_vertex_labels = true;
        if (i == 4) c->coloring.ignore_edge_labels = true;
        if (i == 5) c->coloring.in_arcs = true;
        if (i == 6) c->coloring.seed = 5;
        if (i == 7) other[1].kind = LEMAN_KERNEL_KIND_SHORTEST_PATH;
        if (i == 8) other[1].kind = LEMAN_KERNEL_KIND_GRAPHLET;
        assert_int_equal(leman_features_compute(ctx, data, other, 2, &options, &g), LEMAN_ERROR_INPUT);
        assert_non_null(strstr(leman_context_message(ctx),
                               "found columns of 'local:2, 1 rounds + local:1, 2 rounds', expected those of '"));
    }
    two_kernels(other);
    other[1].coloring.algorithm = LEMAN_ALGORITHM_WL; /* for k = 1 the same */
    other[1].weight = 3;                              /* weights do not matter to columns */
    assert_int_equal(leman_features_compute(ctx, data, other, 2, &options, &g), LEMAN_OK);
    assert_int_equal(g->out_of_vocabulary, 0);
    leman_features_free(g);
    leman_features_free(f);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Columns of kernels of a radius: read back they are the same, and another radius, distance or number of bits is noticed. */
static void test_kernels_of_a_radius(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 2);
    const char *folder = test_folder_new(), *path = test_path(folder, "columns");
    for (int kind = LEMAN_KERNEL_KIND_NEIGHBORHOOD_HASH; kind <= LEMAN_KERNEL_KIND_TREES; kind++) {
        leman_kernel kernel = leman_kernel_default();
        leman_features *f, *g, *h;
        const bool hashes =
            kind == LEMAN_KERNEL_KIND_NEIGHBORHOOD_HASH || kind == LEMAN_KERNEL_KIND_COUNT_SENSITIVE_HASH;
        kernel.kind = (leman_kernel_kind)kind;
        kernel.radius = 2, kernel.distance = 2;
        assert_int_equal(leman_features_compute(ctx, data, &kernel, 1, NULL, &f), LEMAN_OK);
        assert_int_equal(leman_feature_columns_write(ctx, f, path), LEMAN_OK);
        assert_int_equal(leman_feature_columns_read(ctx, path, &g), LEMAN_OK);
        assert_same_columns(f, g);
        assert_int_equal(g->origin.kernel->radius, 2);
        assert_int_equal(g->origin.kernel->distance, 2);
        leman_feature_options options = {.size = OPTIONS, .columns = g};
        assert_int_equal(leman_features_compute(ctx, data, &kernel, 1, &options, &h), LEMAN_OK);
        assert_int_equal(h->out_of_vocabulary, 0);
        assert_int_equal(h->entries, f->entries);
        assert_memory_equal(h->value, f->value, f->entries * sizeof *f->value);
        leman_features_free(h);
        for (int i = 0; i < 3; i++) {
            leman_kernel other = kernel;
            if (i == 0) other.radius = 1;
            if (i == 1) other.distance = 1;
            if (i == 2) other.bits = 3;
            const bool differs =
                i == 0 || (i == 1 && kind == LEMAN_KERNEL_KIND_NEIGHBORHOOD_PAIRS) || (i == 2 && hashes);
            leman_status st = leman_features_compute(ctx, data, &other, 1, &options, &h);
            assert_int_equal(st, differs ? LEMAN_ERROR_INPUT : LEMAN_OK);
            if (!st) leman_features_free(h);
        }
        leman_features_free(g);
        leman_features_free(f);
    }
    test_folder_remove(folder);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void assert_refused(leman_context *ctx, const leman_dataset *data, const leman_features *known, bool apex,
                           const char *words)
{
    leman_features *g;
    leman_kernel kernel = leman_kernel_default();
    leman_feature_options options = {.size = OPTIONS, .columns = known, .apex = apex};
    assert_int_equal(leman_features_compute(ctx, data, &kernel, 1, &options, &g), LEMAN_ERROR_INPUT);
    if (!strstr(leman_context_message(ctx), words)) fail_msg("%s", leman_context_message(ctx));
}

/* Data that looks different to the kernels is refused, as a model refuses it; what the kernels do not look at does not
 * matter. */
static void test_other_data(void **unused)
{
    (void)unused;
    uint64_t state = 3;
    leman_context *ctx = test_context_new(1);
    leman_kernel kernel = leman_kernel_default();
    leman_dataset *data = test_random_graph(ctx, &state, 7, 50, 2, 2, false), *marked, *marked_bare;
    leman_dataset *bare = test_random_graph(ctx, &state, 7, 50, 0, 2, false);
    leman_dataset *plain = test_random_graph(ctx, &state, 7, 50, 2, 0, false);
    leman_dataset *lonely = test_random_graph(ctx, &state, 7, 0, 2, 0, false);
    leman_dataset *arcs = test_random_graph(ctx, &state, 7, 50, 2, 2, true);
    leman_features *f, *g;
    assert_int_equal(leman_dataset_apex(ctx, data, &marked), LEMAN_OK);
    assert_int_equal(leman_dataset_apex(ctx, bare, &marked_bare), LEMAN_OK); /* one column of labels: the mark */
    assert_int_equal(leman_features_compute(ctx, data, &kernel, 1, NULL, &f), LEMAN_OK);
    assert_refused(ctx, bare, f, false, "found 0 columns of vertex labels, expected 1, as the columns");
    assert_refused(ctx, plain, f, false, "found 0 columns of edge labels, expected 1, as the columns");
    assert_refused(ctx, arcs, f, false, "found directed graphs, expected undirected ones, as the columns");
    assert_refused(ctx, marked, f, true, "found columns of graphs without an apex, expected those of graphs with one");
    assert_refused(ctx, marked_bare, f, true, "without an apex");
    leman_feature_options options = {.size = OPTIONS, .columns = f};
    assert_int_equal(leman_features_compute(ctx, lonely, &kernel, 1, &options, &g),
                     LEMAN_OK); /* no edge misses a label */
    leman_features_free(g);
    leman_features_free(f);
    options = (leman_feature_options){.size = OPTIONS, .apex = true};
    assert_int_equal(leman_features_compute(ctx, marked, &kernel, 1, &options, &f), LEMAN_OK);
    assert_refused(ctx, data, f, false, "found columns of graphs with an apex, expected those of graphs without one");
    assert_refused(ctx, marked_bare, f, true, "found 0 columns of vertex labels, expected 1");
    leman_features_free(f);
    kernel.coloring.ignore_vertex_labels = true;
    assert_int_equal(leman_features_compute(ctx, data, &kernel, 1, NULL, &f), LEMAN_OK);
    options = (leman_feature_options){.size = OPTIONS, .columns = f};
    assert_int_equal(leman_features_compute(ctx, bare, &kernel, 1, &options, &g), LEMAN_OK);
    leman_features_free(g);
    leman_features_free(f);
    leman_dataset *all[] = {data, bare, plain, lonely, arcs, marked, marked_bare};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) leman_dataset_free(all[i]);
    test_context_free(ctx);
}

/* Where the pieces of a file begin, by docs/kernels.md: arrays are a count and padded elements. */
static size_t behind(contents b, size_t at, size_t element)
{
    return at + 8 + (word(b, at) * element + 7) / 8 * 8;
}

/* Kernels have 14 words each, and five words about the data follow. */
static size_t columns_at(contents b)
{
    return 32 + 8 + word(b, 32) * 14 * 8 + 40;
}

static void test_damaged_columns(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *path = test_path(folder, "columns");
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 1);
    leman_kernel kernels[2];
    leman_features *f;
    leman_features g;
    parser *parse = lm_feature_columns_parse;
    two_kernels(kernels);
    assert_int_equal(leman_features_compute(ctx, data, kernels, 2, NULL, &f), LEMAN_OK);
    assert_int_equal(leman_feature_columns_write(ctx, f, path), LEMAN_OK);
    contents b = read_file(path);
    damage_everywhere(ctx, parse, b);
    size_t columns = columns_at(b), blocks = columns + 16, block = blocks + 8, key = block + 24;
    assert_int_equal(word(b, columns), f->columns);
    assert_int_equal(word(b, columns + 8), 1);
    assert_int_equal(word(b, blocks), 5);
    assert_int_equal(word(b, block + 16), f->block[0].columns);
    uint64_t first = word(b, key), second = word(b, key + 8);
    put(&b, key, second); /* a key twice */
    assert_bad(ctx, parse, b, "not in order");
    put(&b, key, first);
    put(&b, block, 1); /* blocks out of order */
    assert_bad(ctx, parse, b, "not in order");
    put(&b, block, 2);
    assert_bad(ctx, parse, b, "a kernel or round that it does not have");
    put(&b, block, 0);
    put(&b, columns, f->columns - 1);
    assert_bad(ctx, parse, b, "more columns than");
    put(&b, columns, f->columns);
    put(&b, blocks, 4);
    assert_bad(ctx, parse, b, "expected the");
    put(&b, blocks, 5);
    put(&b, columns + 8, 0); /* columns without names are none */
    assert_bad(ctx, parse, b, "folded");
    put(&b, columns + 8, 1);
    assert_int_equal(parse(ctx, "F", (lm_bytes){b.data, b.size, false}, &g), LEMAN_OK); /* all is well again */
    assert_same_columns(f, &g);
    lm_features_clear(&g);
    put(&b, 8, 3);
    assert_bad(ctx, parse, b, "found version 3 of the format, expected 2");
    free(b.data);
    leman_features_free(f);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* ---- Matrices -------------------------------------------------------------------------------- */

static void assert_same_matrix(const leman_features *f, const leman_features *g)
{
    assert_int_equal(g->rows, f->rows);
    assert_int_equal(g->columns, f->columns);
    assert_int_equal(g->entries, f->entries);
    assert_memory_equal(g->start, f->start, (f->rows + 1) * sizeof *f->start);
    assert_memory_equal(g->column, f->column, f->entries * sizeof *f->column);
    assert_memory_equal(g->value, f->value, f->entries * sizeof *f->value);
}

/* Named, fixed and folded columns; classes as the data has them. */
static void test_matrix(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *path = test_path(folder, "F.lmf");
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = molecules(ctx, 6);
    leman_kernel kernels[2];
    leman_features *f, *known, *g;
    two_kernels(kernels);
    assert_int_equal(leman_features_compute(ctx, data, kernels, 2, NULL, &known), LEMAN_OK);
    const leman_feature_options ways[] = {
        {.size = OPTIONS, .normalize = true}, {.size = OPTIONS, .columns = known}, {.size = OPTIONS, .hash_bits = 7}};
    for (size_t way = 0; way < 3; way++) {
        assert_int_equal(leman_features_compute(ctx, data, kernels, 2, ways + way, &f), LEMAN_OK);
        assert_int_equal(leman_features_write(ctx, f, data, path), LEMAN_OK);
        assert_int_equal(leman_features_read(ctx, path, &g), LEMAN_OK);
        assert_same_matrix(f, g);
        assert_string_equal(g->origin.kernels, f->origin.kernels);
        if (way == 0) assert_same_columns(f, g);
        assert_int_equal(g->feature != NULL, way == 0);
        const double *target = leman_dataset_targets(data);
        size_t targets = leman_dataset_shape(data)->columns->targets;
        assert_int_equal(g->target != NULL, target != NULL);
        for (size_t i = 0; target && i < f->rows; i++) assert_true(g->target[i] == target[i * targets]);
        assert_memory_equal(g->class_label, leman_dataset_classes(data), f->rows * sizeof *g->class_label);
        contents once = read_file(path); /* what was read is written as it was */
        assert_int_equal(leman_features_write(ctx, g, NULL, path), LEMAN_OK);
        contents again = read_file(path);
        assert_int_equal(once.size, again.size);
        assert_memory_equal(once.data, again.data, once.size);
        free(once.data);
        free(again.data);
        leman_features_free(g);
        leman_status st = leman_feature_columns_read(ctx, path, &g); /* a matrix in place of columns */
        assert_int_equal(st, way == 0 ? LEMAN_OK : LEMAN_ERROR_INPUT);
        if (!st) {
            assert_same_columns(f, g);
            assert_int_equal(g->rows, 0);
            leman_features_free(g);
        }
        leman_features_free(f);
    }
    leman_features_free(known);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* Three rows by hand: targets; nothing at all. */
static void test_small_matrices(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *path = test_path(folder, "F.lmf");
    leman_context *ctx = test_context_new(1);
    uint64_t start[] = {0, 2, 2, 3};
    uint32_t column[] = {0, 4, 2};
    double value[] = {1, -0.5, 3}, target[] = {0.25, 1e300, -3};
    leman_features *g;
    leman_features f = {.rows = 3, .columns = 5, .entries = 3, .start = start, .column = column, .value = value};
    f.target = target;
    assert_int_equal(leman_features_write(ctx, &f, NULL, path), LEMAN_OK);
    assert_int_equal(leman_features_read(ctx, path, &g), LEMAN_OK);
    assert_same_matrix(&f, g);
    assert_memory_equal(g->target, target, sizeof target);
    assert_null(g->class_label);
    assert_null(g->origin.kernels);
    assert_null(g->block);
    leman_features_free(g);
    f = (leman_features){.start = start};
    assert_int_equal(leman_features_write(ctx, &f, NULL, path), LEMAN_OK);
    assert_int_equal(leman_features_read(ctx, path, &g), LEMAN_OK);
    assert_int_equal(g->rows + g->columns + g->entries, 0);
    leman_features_free(g);
    test_context_free(ctx);
    test_folder_remove(folder);
}

static void test_damaged_matrix(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new(), *path = test_path(folder, "F.lmf");
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 2);
    leman_kernel kernel = leman_kernel_default();
    leman_features *f;
    leman_features g;
    parser *parse = lm_features_parse;
    kernel.coloring.k = 1;
    kernel.coloring.rounds = 0;
    assert_int_equal(leman_features_compute(ctx, data, &kernel, 1, NULL, &f), LEMAN_OK);
    assert_true(f->columns > 2 && f->start[1] > 1);
    assert_int_equal(leman_features_write(ctx, f, data, path), LEMAN_OK);
    contents b = read_file(path);
    damage_everywhere(ctx, parse, b);
    size_t columns = columns_at(b), start = behind(b, columns + 40, 8), column = behind(b, start, 8),
           value = behind(b, column, 4), classes = behind(b, value, 8);
    assert_int_equal(word(b, start), 3);
    assert_int_equal(word(b, column), f->entries);
    assert_int_equal(word(b, classes), 2);
    put(&b, start + 8, 1);
    assert_bad(ctx, parse, b, "do not hold its");
    put(&b, start + 8, 0);
    put(&b, start + 16, f->entries + 1);
    assert_bad(ctx, parse, b, "row 1 does not end");
    put(&b, start + 16, f->start[1]);
    uint64_t two = word(b, column + 8);
    put(&b, column + 8, two << 32 | two >> 32); /* the first two columns change places */
    assert_bad(ctx, parse, b, "expected increasing columns");
    put(&b, column + 8, UINT64_C(0xffffffff) << 32);
    assert_bad(ctx, parse, b, "row 1: found column 4294967296");
    put(&b, column + 8, two);
    uint64_t real = word(b, value + 8);
    put(&b, value + 8, UINT64_C(0x7ff0000000000000)); /* infinity */
    assert_bad(ctx, parse, b, "row 1: found inf");
    put(&b, value + 8, real);
    assert_int_equal(parse(ctx, "F", (lm_bytes){b.data, b.size, false}, &g), LEMAN_OK);
    lm_features_clear(&g);
    assert_bad(ctx, parse, (contents){"LEMANFC\nand more", 16}, "expected a file of features");
    free(b.data);
    leman_features_free(f);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

typedef struct attempt {
    const leman_features *features;
    leman_dataset *data;
    const char *columns, *matrix;
} attempt;

static leman_status body(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    const attempt *a = state;
    leman_features *read = NULL, *whole = NULL;
    TRY(leman_feature_columns_write(ctx, a->features, a->columns));
    TRY(leman_feature_columns_read(ctx, a->columns, &read));
    TRY(leman_features_write(ctx, a->features, a->data, a->matrix));
    TRY(leman_features_read(ctx, a->matrix, &whole));
done:
    leman_features_free(read);
    leman_features_free(whole);
    return st;
}

static void test_memory(void **unused)
{
    (void)unused;
    const char *folder = test_folder_new();
    leman_context *ctx = test_context_new(1);
    leman_features *f;
    leman_kernel kernels[2];
    attempt a = {NULL, molecules(ctx, 3), test_path(folder, "c"), test_path(folder, "F.lmf")};
    two_kernels(kernels);
    assert_int_equal(leman_features_compute(ctx, a.data, kernels, 2, NULL, &f), LEMAN_OK);
    a.features = f;
    assert_true(test_fail_each_allocation(body, &a) > 30);
    leman_features_free(f);
    leman_dataset_free(a.data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_other_kernels),
        cmocka_unit_test(test_other_data),
        cmocka_unit_test(test_damaged_columns),
        cmocka_unit_test(test_kernels_of_a_radius),
        cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_small_matrices),
        cmocka_unit_test(test_damaged_matrix),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
