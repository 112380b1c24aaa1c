/*
 * Colours on the device of the test (LEMAN_TEST_DEVICE, or CUDA where the build has it) against those of the CPU, bit
 * for bit: of every tuple, and as censuses, Gram matrices and features of many graphs. The memory of the
 * device is made small as well: several batches, and graphs that do not fit. Where there is no device the test is
 * skipped and says so.
 */
#include "support/random_graphs.h"
#include "support/support.h"

static const char *device_name(void)
{
    const char *name = getenv("LEMAN_TEST_DEVICE");
    return name && *name ? name : "cuda";
}

static size_t device_memory; /* of the contexts that are made; 0: what is free */

static leman_context *context_on(const char *device)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    settings.threads = 1;
    settings.device = device;
    settings.device_memory = device_memory;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    return ctx;
}

static void expect(leman_context *ctx, leman_status st)
{
    if (st) fail_msg("%s", leman_context_message(ctx));
}

/* A CPU, a device, and a data set. */
typedef struct fixture {
    leman_context *cpu, *device;
    leman_dataset *data;
} fixture;

static void fixture_free(fixture *f)
{
    leman_dataset_free(f->data);
    leman_context_free(f->cpu);
    leman_context_free(f->device);
}

/* Graphs of every kind: `count` of at most n vertices, an empty one and one of a single vertex among them. */
static fixture fixture_new(uint64_t *state, size_t n, size_t count)
{
    fixture f = {context_on("cpu"), context_on(device_name()), NULL};
    random_graph_kind kind = random_graph_kind_draw(state);
    random_graph *graph = calloc(count, sizeof *graph);
    assert_non_null(graph);
    random_graph_draw_family(state, &kind, n, false, count, graph);
    if (count > 2) {
        graph[1].n = 0;
        random_graph_draw(state, &kind, 1, false, graph + 2);
    }
    f.data = random_graph_dataset(f.cpu, &kind, graph, count);
    free(graph);
    return f;
}

static const leman_algorithm ALGORITHMS[] = {LEMAN_ALGORITHM_WL, LEMAN_ALGORITHM_DELTA, LEMAN_ALGORITHM_LOCAL,
                                             LEMAN_ALGORITHM_LOCAL_PLUS, LEMAN_ALGORITHM_FOLKLORE};
enum { ALGORITHM_COUNT = sizeof ALGORITHMS / sizeof *ALGORITHMS };

/* Every algorithm, k = 1 to 3, the rest drawn. */
static leman_coloring coloring_of(uint64_t *state, size_t i)
{
    leman_coloring c = leman_coloring_default();
    c.algorithm = ALGORITHMS[i % ALGORITHM_COUNT];
    c.k = 1 + (unsigned)(i / ALGORITHM_COUNT % 3);
    c.rounds = 3;
    c.count_every_round = test_random(state) % 2;
    c.in_arcs = test_random(state) % 2;
    c.ignore_vertex_labels = test_random(state) % 4 == 0;
    c.ignore_edge_labels = test_random(state) % 4 == 0;
    c.seed = test_random(state) % 2 ? LEMAN_VERIFY_SEED : 0;
    return c;
}

/* ---- Tuples ---------------------------------------------------------------------------------- */

static void compare_tuples(const fixture *f, size_t graph, const leman_coloring *c)
{
    leman_graph g = leman_dataset_graph(f->data, graph);
    size_t tuples = 1;
    for (unsigned j = 0; j < c->k; j++) tuples *= g.vertices;
    uint64_t *a = malloc((tuples + 1) * sizeof *a), *b = malloc((tuples + 1) * sizeof *b);
    assert_true(a && b);
    for (uint32_t round = 0; round <= c->rounds; round++) {
        expect(f->cpu, leman_tuple_colors(f->cpu, &g, c, round, a));
        expect(f->device, leman_tuple_colors(f->device, &g, c, round, b));
        for (size_t t = 0; t < tuples; t++)
            if (a[t] != b[t])
                fail_msg("%s, k = %u, round %u, n = %zu: tuple %zu is %016lx, expected %016lx",
                         leman_algorithm_name(c->algorithm), c->k, round, g.vertices, t, b[t], a[t]);
    }
    free(a);
    free(b);
}

static void test_tuples(void **unused)
{
    (void)unused;
    uint64_t state = 11;
    for (size_t i = 0; i < test_cases(60); i++) {
        fixture f = fixture_new(&state, 1 + test_random(&state) % 16, 4);
        leman_coloring c = coloring_of(&state, i);
        for (size_t g = 0; g < 4; g++) compare_tuples(&f, g, &c);
        fixture_free(&f);
    }
}

/* More tuples than a block of threads takes, and a last block that is not full. */
static void test_large(void **unused)
{
    (void)unused;
    uint64_t state = 5;
    for (size_t i = 0; i < 3 * ALGORITHM_COUNT; i++) {
        fixture f = fixture_new(&state, 29, 1);
        leman_coloring c = coloring_of(&state, i);
        compare_tuples(&f, 0, &c);
        fixture_free(&f);
    }
    fixture f = {context_on("cpu"), context_on(device_name()), NULL};
    leman_coloring c = leman_coloring_default();
    c.k = 1;
    c.rounds = 2;
    f.data = test_random_graph(f.cpu, &state, 2600, 1, 2, 0, true);
    compare_tuples(&f, 0, &c);
    fixture_free(&f);
}

/* ---- Data sets ------------------------------------------------------------------------------- */

static void compare_census(const fixture *f, const leman_coloring *c)
{
    leman_census *a = NULL, *b = NULL;
    expect(f->cpu, leman_census_compute(f->cpu, f->data, c, false, &a));
    expect(f->device, leman_census_compute(f->device, f->data, c, true, &b));
    assert_int_equal(a->rounds, b->rounds);
    assert_int_equal(a->stable_round, b->stable_round);
    for (uint32_t r = 0; r < a->rounds; r++)
        if (a->round[r].colors != b->round[r].colors || a->round[r].pairs != b->round[r].pairs)
            fail_msg("%s, k = %u, round %u: %lu colours and %lu pairs, expected %lu and %lu",
                     leman_algorithm_name(c->algorithm), c->k, r, b->round[r].colors, b->round[r].pairs,
                     a->round[r].colors, a->round[r].pairs);
    leman_census_free(a);
    leman_census_free(b);
}

static void compare_features(const fixture *f, const leman_kernel *kernel)
{
    leman_features *a = NULL, *b = NULL;
    expect(f->cpu, leman_features_compute(f->cpu, f->data, kernel, 1, NULL, &a));
    expect(f->device, leman_features_compute(f->device, f->data, kernel, 1, NULL, &b));
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    assert_memory_equal(a->start, b->start, (a->rows + 1) * sizeof *a->start);
    assert_memory_equal(a->column, b->column, a->start[a->rows] * sizeof *a->column);
    assert_memory_equal(a->value, b->value, a->start[a->rows] * sizeof *a->value);
    leman_features_free(a);
    leman_features_free(b);
}

static void compare_grams(const fixture *f, const leman_kernel *kernel)
{
    const size_t graphs = leman_dataset_shape(f->data)->graphs, cells = graphs * graphs;
    double *a = calloc(cells * (kernel->coloring.rounds + 1), sizeof *a),
           *b = calloc(cells * (kernel->coloring.rounds + 1), sizeof *b);
    double *of_a[8], *of_b[8];
    assert_true(a && b && kernel->coloring.rounds < 8);
    for (size_t r = 0; r <= kernel->coloring.rounds; r++) of_a[r] = a + r * cells, of_b[r] = b + r * cells;
    expect(f->cpu, leman_gram_rounds(f->cpu, f->data, NULL, kernel, false, of_a));
    expect(f->device, leman_gram_rounds(f->device, f->data, NULL, kernel, false, of_b));
    assert_memory_equal(a, b, cells * (kernel->coloring.rounds + 1) * sizeof *a);
    free(a);
    free(b);
}

static void compare_all(uint64_t *state, size_t i, size_t n, size_t graphs)
{
    fixture f = fixture_new(state, n, graphs);
    leman_coloring c = coloring_of(state, i);
    leman_kernel kernel = leman_kernel_default();
    kernel.coloring = c;
    compare_census(&f, &c);
    compare_features(&f, &kernel);
    compare_grams(&f, &kernel);
    fixture_free(&f);
}

static void test_data_sets(void **unused)
{
    (void)unused;
    uint64_t state = 23;
    for (size_t i = 0; i < test_cases(45); i++) compare_all(&state, i, 2 + test_random(&state) % 9, 12);
}

static void test_no_graphs(void **unused)
{
    (void)unused;
    fixture f = {context_on("cpu"), context_on(device_name()), NULL};
    leman_coloring c = leman_coloring_default();
    const leman_columns columns = {0};
    leman_builder *builder = NULL;
    expect(f.cpu, leman_builder_new(f.cpu, "none", &columns, &builder));
    expect(f.cpu, leman_builder_finish(builder, NULL, NULL, &f.data));
    leman_builder_free(builder);
    compare_census(&f, &c);
    fixture_free(&f);
}

/* ---- Names and limits ------------------------------------------------------------------------ */

static void test_names(void **unused)
{
    (void)unused;
    uint64_t state = 3;
    leman_context *ctx = context_on("cpu");
    leman_dataset *data = test_random_graph(ctx, &state, 4, 50, 0, 0, false);
    leman_census *census = NULL;
    leman_context *bad = context_on("gpu"), *far = context_on("cuda:1023"), *any = context_on("auto");
    assert_int_equal(leman_census_compute(bad, data, NULL, false, &census), LEMAN_ERROR_ARGUMENT);
    assert_non_null(strstr(leman_context_message(bad), "'gpu'"));
    assert_int_not_equal(leman_census_compute(far, data, NULL, false, &census), LEMAN_OK);
    assert_null(census);
    expect(any, leman_census_compute(any, data, NULL, false, &census));
    leman_census_free(census);
    leman_context_free(bad);
    leman_context_free(far);
    leman_context_free(any);
    leman_dataset_free(data);
    leman_context_free(ctx);
}

static void test_k_refused(void **unused)
{
    (void)unused;
    uint64_t state = 3;
    leman_context *ctx = context_on(device_name());
    leman_dataset *data = test_random_graph(ctx, &state, 4, 50, 0, 0, false);
    leman_coloring c = leman_coloring_default();
    leman_census *census = NULL;
    c.k = 4;
    assert_int_equal(leman_census_compute(ctx, data, &c, false, &census), LEMAN_ERROR_UNSUPPORTED);
    assert_string_equal(leman_context_message(ctx), "k: found 4, expected 1 to 3 on a CUDA device");
    leman_dataset_free(data);
    leman_context_free(ctx);
}

/* So little that the graphs take several batches, and as much as the work space of a sort takes. */
#ifdef TEST_EMULATED
enum { MEMORY = 150 << 10 };
#else
enum { MEMORY = 1 << 20 };
#endif

static void test_batches(void **unused)
{
    (void)unused;
    uint64_t state = 31;
    device_memory = MEMORY;
    for (size_t i = 0; i < 3 * ALGORITHM_COUNT; i++) compare_all(&state, i, 10, 30);
    device_memory = 0;
}

static void test_too_large(void **unused)
{
    (void)unused;
    uint64_t state = 9;
    device_memory = 20 << 20;
    leman_context *ctx = context_on(device_name()), *any = context_on("auto");
    leman_dataset *data = test_random_graph(ctx, &state, 150, 3, 0, 0, false);
    leman_coloring c = leman_coloring_default();
    leman_census *census = NULL;
    c.k = 3;
    c.rounds = 10;
    assert_int_equal(leman_census_compute(ctx, data, &c, false, &census), LEMAN_ERROR_BUDGET);
    assert_non_null(strstr(leman_context_message(ctx), "graph 0 has 150 vertices: k = 3 needs "));
    expect(any, leman_census_compute(any, data, &c, false, &census)); /* the CPU does it */
    leman_census_free(census);
    device_memory = 0;
    leman_dataset_free(data);
    leman_context_free(ctx);
    leman_context_free(any);
}

#ifdef TEST_EMULATED

static leman_status census_body(leman_context *ctx, void *state)
{
    leman_census *census = NULL;
    leman_coloring c = leman_coloring_default();
    leman_status st = leman_census_compute(ctx, state, &c, false, &census);
    leman_census_free(census);
    return st;
}

static leman_status features_body(leman_context *ctx, void *state)
{
    leman_features *features = NULL;
    const leman_kernel kernel = leman_kernel_default();
    leman_status st = leman_features_compute(ctx, state, &kernel, 1, NULL, &features);
    leman_features_free(features);
    return st;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    uint64_t state = 2;
    leman_context *ctx = context_on("cpu");
    leman_dataset *data = test_random_graph(ctx, &state, 7, 50, 2, 2, true);
    assert_true(test_fail_each_allocation(census_body, data) > 0);
    assert_true(test_fail_each_allocation(features_body, data) > 0);
    leman_dataset_free(data);
    leman_context_free(ctx);
}

#endif

/* Is there such a device? */
static bool has_device(void)
{
    uint64_t state = 1;
    leman_context *ctx = context_on(device_name());
    leman_dataset *data = test_random_graph(ctx, &state, 3, 50, 0, 0, false);
    leman_census *census = NULL;
    const leman_status st = leman_census_compute(ctx, data, NULL, false, &census);
    if (st) print_message("skipped: %s\n", leman_context_message(ctx));
    leman_census_free(census);
    leman_dataset_free(data);
    leman_context_free(ctx);
    return !st;
}

int main(void)
{
    enum { SKIPPED = 77 };
    const struct CMUnitTest names[] = {cmocka_unit_test(test_names)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tuples),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_data_sets),
        cmocka_unit_test(test_no_graphs),
        cmocka_unit_test(test_k_refused),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_too_large),
#ifdef TEST_EMULATED
        cmocka_unit_test(test_failing_allocations),
#endif
    };
    const int failed = cmocka_run_group_tests(names, NULL, NULL);
    if (failed) return failed;
    return has_device() ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
}
