/* Neighbourhood hashes and Hadamard codes against their formulas over labels, small hashes against words of so many bits,
 * and the order of vertices, graphs and threads. */
#include "support/features.h"
#include "support/graphs.h"
#include "support/random_graphs.h"

enum { GRAPHS = 6, MAX = 12, LABELS = 9, ROUNDS = 4 };

static const leman_kernel_kind KINDS[] = {LEMAN_KERNEL_KIND_NEIGHBORHOOD_HASH, LEMAN_KERNEL_KIND_COUNT_SENSITIVE_HASH,
                                          LEMAN_KERNEL_KIND_HADAMARD_CODE};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

static leman_kernel kernel_of(leman_kernel_kind kind, uint8_t radius)
{
    leman_kernel kernel = leman_kernel_default();
    kernel.kind = kind;
    kernel.radius = radius;
    return kernel;
}

/* ---- The oracle ------------------------------------------------------------------------------ */

/* A value as a formula over labels. Hashes: bit j of word[a] says whether the hash of label a, rotated by j, is in the
 * exclusive or; word[LABELS] is the exclusive or of all constants. Hadamard codes: word[a] is how often the row of label
 * a is in the sum. */
typedef struct formula {
    uint64_t word[LABELS + 1];
} formula;

static formula rotated(const formula *x, uint64_t by)
{
    formula y = *x;
    for (size_t i = 0; i <= LABELS && by % 64; i++) y.word[i] = x->word[i] << by % 64 | x->word[i] >> (64 - by % 64);
    return y;
}

static bool equal(const formula *x, const formula *y)
{
    return !memcmp(x, y, sizeof *x);
}

static formula next(const leman_graph *g, size_t v, leman_kernel_kind kind, const formula *now)
{
    formula value = kind == LEMAN_KERNEL_KIND_HADAMARD_CODE ? now[v] : rotated(now + v, 1);
    for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
        formula x = now[g->head[e]];
        uint64_t times = 0;
        bool first = true;
        for (uint64_t f = g->start[v]; f < g->start[v + 1]; f++) {
            times += equal(now + g->head[f], &x);
            first &= f >= e || !equal(now + g->head[f], &x);
        }
        if (kind == LEMAN_KERNEL_KIND_COUNT_SENSITIVE_HASH && !first) continue;
        if (kind == LEMAN_KERNEL_KIND_COUNT_SENSITIVE_HASH) {
            x.word[LABELS] ^= times;
            x = rotated(&x, times);
        }
        for (size_t i = 0; i <= LABELS; i++)
            if (kind == LEMAN_KERNEL_KIND_HADAMARD_CODE)
                value.word[i] += x.word[i];
            else
                value.word[i] ^= x.word[i];
    }
    return value;
}

/* The number of a vertex's label, whatever its columns. */
static size_t label_of(const leman_graph *g, size_t v, const leman_kernel *kernel)
{
    size_t number = 0;
    for (size_t i = 0; i < g->vertex_labels && !kernel->coloring.ignore_vertex_labels; i++)
        number = 3 * number + (size_t)(g->vertex_label[v * g->vertex_labels + i] + 1);
    return number;
}

static void add_values(const leman_graph *g, size_t number, const leman_kernel *kernel, test_features *features)
{
    formula now[MAX], later[MAX];
    memset(now, 0, sizeof now);
    for (size_t v = 0; v < g->vertices; v++) now[v].word[label_of(g, v, kernel)] = 1;
    for (unsigned round = 0; round <= kernel->radius; round++) {
        for (size_t v = 0; v < g->vertices && (round || kernel->kind == LEMAN_KERNEL_KIND_HADAMARD_CODE); v++) {
            test_feature feature = {.graph = number, .word = {round}};
            memcpy(feature.word + 1, now + v, sizeof *now);
            test_features_add(features, &feature);
        }
        for (size_t v = 0; v < g->vertices; v++) later[v] = next(g, v, kernel->kind, now);
        memcpy(now, later, sizeof now);
    }
}

static void test_formulas(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    uint64_t random = 1;
    for (size_t i = 0; i < test_cases(300); i++) {
        random_graph_kind kind = random_graph_kind_draw(&random);
        random_graph graph[GRAPHS];
        leman_kernel kernel = kernel_of(KINDS[i % KIND_COUNT], (uint8_t)(1 + test_random(&random) % ROUNDS));
        random_graph_draw_family(&random, &kind, test_random(&random) % (MAX + 1), i % 2, GRAPHS, graph);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, GRAPHS);
        kernel.coloring.ignore_vertex_labels = test_random(&random) % 4 == 0;
        test_features features = {0};
        size_t count;
        lm_pair *entry = test_entries(ctx, data, &kernel, &count);
        for (size_t g = 0; g < GRAPHS; g++) {
            leman_graph view = leman_dataset_graph(data, g);
            add_values(&view, g, &kernel, &features);
        }
        assert_true(test_features_match(&features, entry, count));
        test_features_free(&features);
        free(entry);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* ---- Hashes of few bits ---------------------------------------------------------------------- */

/* The path 1 - 2 - 2 - 1 with a vertex of label 9 at its end, and the path alone. */
static leman_dataset *two_paths(leman_context *ctx)
{
    static const int64_t LABEL[] = {1, 2, 2, 1, 9};
    leman_columns columns = {.vertex_labels = 1};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "paths", &columns, &builder), LEMAN_OK);
    for (size_t n = 5; n >= 4; n--) {
        assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < n; v++) assert_int_equal(leman_builder_vertex(builder, NULL, LABEL + v, NULL), LEMAN_OK);
        for (size_t v = 1; v < n; v++) assert_int_equal(leman_builder_edge(builder, v - 1, v, NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

/* Two bits, so that 2 rotated is 1, and 1 rotated is 2. Simple: an end has 2 ^ 2 = 0, an inner vertex 1 ^ 1 ^ 2 = 2.
 * Count-sensitive: an end has 2 ^ rot(2 ^ 1, 1) = 2 ^ 3 = 1; an inner vertex 1 ^ rot(1 ^ 1, 1) ^ rot(2 ^ 1, 1) = 2. Round 2
 * of the simple hash: an end has 0 ^ 2 = 2, an inner vertex 1 ^ 0 ^ 2 = 3. Label 9 has no value, and the hashes that it
 * reaches have none. */
static void test_few_bits(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = two_paths(ctx);
    for (int kind = 0; kind < 2; kind++) {
        leman_kernel kernel = kernel_of(KINDS[kind], 1);
        size_t count;
        kernel.bits = 2;
        lm_pair *entry = test_entries(ctx, data, &kernel, &count);
        assert_true(test_values_are(entry, count, 0, (uint64_t[]){1, 2}, 2)); /* 3 of 5 vertices have a hash */
        assert_true(test_values_are(entry, count, 1, (uint64_t[]){2, 2}, 2));
        double gram[4]; /* the same values under the same keys */
        kernel.assignment = true;
        assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, gram), LEMAN_OK);
        assert_true(gram[0] == 3 && gram[1] == 3 && gram[3] == 4);
        free(entry);
        kernel.radius = 2;
        entry = test_entries(ctx, data, &kernel, &count);
        size_t own;
        lm_pair *of = test_entries_of(entry, count, 0, &own); /* in round 2 the first two vertices have one */
        uint64_t all = 0;
        for (size_t i = 0; i < own; i++) all += of[i].payload;
        assert_int_equal(all, 3 + 2);
        free(of);
        free(entry);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Two bits: all of four labels under exclusive or and rotation, by hand over the same definition. */
static void test_collisions(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_columns columns = {.vertex_labels = 1};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    static const int64_t LABEL[2][2] = {{0, 3}, {3, 0}}; /* 0 ^ 3 and 3 ^ 0: four equal hashes */
    assert_int_equal(leman_builder_new(ctx, "edges", &columns, &builder), LEMAN_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < 2; v++)
            assert_int_equal(leman_builder_vertex(builder, NULL, LABEL[i] + v, NULL), LEMAN_OK);
        assert_int_equal(leman_builder_edge(builder, 0, 1, NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    leman_kernel kernel = kernel_of(LEMAN_KERNEL_KIND_NEIGHBORHOOD_HASH, 1);
    double gram[4];
    kernel.bits = 2;
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, gram), LEMAN_OK);
    for (size_t i = 0; i < 4; i++) assert_true(gram[i] == 4);
    kernel.bits = 0; /* rot(a, 1) ^ b is not rot(b, 1) ^ a */
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, gram), LEMAN_OK);
    for (size_t i = 0; i < 4; i++) assert_true(gram[i] == 2);
    kernel.bits = 33;
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, gram), LEMAN_ERROR_ARGUMENT);
    assert_non_null(strstr(leman_context_message(ctx), "bits"));
    kernel.bits = 0, kernel.radius = 0;
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, gram), LEMAN_ERROR_ARGUMENT);
    assert_non_null(strstr(leman_context_message(ctx), "radius"));
    kernel.bits = 2, kernel.radius = 1, kernel.binnings = 3; /* bins are no numbers of two bits */
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, gram), LEMAN_ERROR_ARGUMENT);
    assert_non_null(strstr(leman_context_message(ctx), "2 bits with binnings"));
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Words of so many bits are one label of a vertex. Hashes of 64 bits are of all its labels. */
static void test_two_columns(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_columns columns = {.vertex_labels = 2};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    static const int64_t PAIRS[2][2] = {{1, 0}, {1, 2}};
    assert_int_equal(leman_builder_new(ctx, "vertices", &columns, &builder), LEMAN_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
        assert_int_equal(leman_builder_vertex(builder, NULL, PAIRS[i], NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    leman_kernel kernel = kernel_of(LEMAN_KERNEL_KIND_NEIGHBORHOOD_HASH, 1);
    double gram[4];
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, gram), LEMAN_OK);
    assert_true(gram[0] == 1 && gram[1] == 0);
    kernel.bits = 8;
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, gram), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "vertices: found 2 columns of vertex labels"));
    kernel.coloring.ignore_vertex_labels = true;
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, gram), LEMAN_OK);
    assert_true(gram[0] == 1 && gram[1] == 1);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Orders, threads, failures --------------------------------------------------------------- */

static void test_orders_and_threads(void **state)
{
    (void)state;
    uint64_t random = 6;
    for (size_t i = 0; i < test_cases(50); i++) {
        leman_context *ctx = test_context_new(1);
        random_graph graph[GRAPHS];
        random_graph_kind kind = random_graph_kind_draw(&random);
        size_t place[RANDOM_GRAPH_MAX], count, other;
        leman_kernel kernel = kernel_of(KINDS[i % KIND_COUNT], 3);
        for (size_t g = 0; g < GRAPHS; g += 2) {
            random_graph_draw(&random, &kind, test_random(&random) % (MAX + 1), false, graph + g);
            random_graph_shuffle(&random, graph[g].n, place);
            random_graph_relabel(graph + g, place, graph + g + 1);
        }
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, GRAPHS);
        lm_pair *entry = test_entries(ctx, data, &kernel, &count);
        for (size_t g = 0; g < GRAPHS; g += 2) {
            size_t a, b;
            lm_pair *of = test_entries_of(entry, count, g, &a), *copy = test_entries_of(entry, count, g + 1, &b);
            assert_true(a == b && !memcmp(of, copy, a * sizeof *of));
            free(of);
            free(copy);
        }
        leman_context *crowd = test_context_new(3);
        lm_pair *again = test_entries(crowd, data, &kernel, &other);
        assert_true(count == other && !memcmp(entry, again, count * sizeof *entry));
        free(again);
        free(entry);
        leman_dataset_free(data);
        test_context_free(crowd);
        test_context_free(ctx);
    }
}

static leman_status compute(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    leman_kernel kernel = kernel_of(LEMAN_KERNEL_KIND_COUNT_SENSITIVE_HASH, 3);
    lm_triples triples = {0};
    TRY(lm_triples_new(ctx, 1, 1, &triples));
    TRY(lm_triples_of_hashes(ctx, state, &kernel, 0, 0, &triples));
done:
    lm_triples_free(&triples);
    return st;
}

static void test_failing_allocations(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 7;
    leman_dataset *data = test_random_graph(ctx, &random, 200, 5, 3, 0, false);
    assert_true(test_fail_each_allocation(compute, data) > 1);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_stopping(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_family_options options = leman_family_options_default();
    leman_kernel kernel = kernel_of(LEMAN_KERNEL_KIND_HADAMARD_CODE, 255);
    options.vertices = 300000;
    leman_dataset *data = test_made(ctx, LEMAN_FAMILY_CYCLE, &options);
    test_stops(data, &kernel);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas),           cmocka_unit_test(test_few_bits),
        cmocka_unit_test(test_two_columns),        cmocka_unit_test(test_collisions),
        cmocka_unit_test(test_orders_and_threads), cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_stopping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
