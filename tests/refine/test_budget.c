/*
 * The cost is known beforehand: what does not fit is refused in one sentence before anything large is allocated,
 * what the sentence promises is true, and what is not refused stays near the budget. Then: a caller who cancels, and
 * every allocation failing in turn.
 */
#include "support/meter.h"
#include "support/random_graphs.h"
#include "support/rounds.h"
#include <stdio.h>

/* ---- Graphs of any size ---------------------------------------------------------------------- */

/* Vertex v > 0 is joined to parent(v): a path, or a star. */
static size_t before(size_t v)
{
    return v - 1;
}

static size_t hub(size_t v)
{
    (void)v;
    return 0;
}

static leman_dataset *tree(leman_context *ctx, const size_t *vertices, size_t graphs, size_t (*parent)(size_t))
{
    leman_columns columns = {0};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "trees", &columns, &builder), LEMAN_OK);
    for (size_t g = 0; g < graphs; g++) {
        assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < vertices[g]; v++)
            assert_int_equal(leman_builder_vertex(builder, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 1; v < vertices[g]; v++)
            assert_int_equal(leman_builder_edge(builder, parent(v), v, NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

/* ---- What a refusal says --------------------------------------------------------------------- */

enum { CALLS = 5 };

/* Every call that colours something, on graph g of the data. The colours of tuples go to a place that must stay
 * untouched where the call fails. */
static leman_status call(leman_context *ctx, unsigned which, const leman_dataset *data, size_t g,
                         const leman_coloring *c)
{
    leman_graph graph = leman_dataset_graph(data, g);
    leman_status st = LEMAN_OK;
    leman_census *census = NULL;
    leman_histogram *histogram = NULL;
    leman_difference difference;
    size_t tuples = 1;
    for (unsigned i = 0; i < c->k; i++) tuples *= graph.vertices;
    if (which == 0) {
        if (!(st = leman_census_compute(ctx, data, c, false, &census))) leman_census_free(census);
    } else if (which == 1) {
        if (!(st = leman_histogram_compute(ctx, &graph, c, &histogram))) leman_histogram_free(histogram);
    } else if (which == 2) {
        uint64_t *colors = malloc((tuples < 1 << 24 ? tuples : 1) * sizeof *colors); /* more are refused */
        st = leman_tuple_colors(ctx, &graph, c, 1, colors);
        free(colors);
    } else {
        st = leman_distinguish(ctx, &graph, &graph, c, which == 4, &difference);
    }
    return st;
}

static void expect_words(leman_context *ctx, const char *const *words)
{
    const char *message = leman_context_message(ctx);
    assert_null(strchr(message, '\n'));
    for (; *words; words++)
        if (!strstr(message, *words)) fail_msg("'%s' does not say '%s'", message, *words);
}

/* A million vertices on a path: triples cannot fit, and the answer takes no memory to speak of. */
static void test_too_large_is_one_sentence(void **unused)
{
    (void)unused;
    static const size_t sizes[] = {3, 1000000};
    static const char *const words[] = {"1000000 vertices", "k = 3",           "needs", "budget is 512 MiB",
                                        "would fit",        "graphs of up to", NULL};
    static const char *const names[CALLS] = {"graph 1 has", "the graph has", "the graph has", "the first graph has",
                                             "the union of both graphs has 2000000 vertices"};
    test_meter m;
    leman_context *ctx = test_meter_context(&m, (size_t)512 << 20, 2);
    leman_dataset *data = tree(ctx, sizes, 2, before);
    leman_coloring c = test_variant(2, 3, 2);
    size_t held = m.live;
    for (unsigned which = 0; which < CALLS; which++) {
        m.peak = m.live;
        assert_int_equal(call(ctx, which, data, 1, &c), LEMAN_ERROR_BUDGET);
        if (which < 4) expect_words(ctx, words);
        if (!strstr(leman_context_message(ctx), names[which])) fail_msg("%s", leman_context_message(ctx));
        assert_true(m.peak < held + ((size_t)300 << 20)); /* a few words a vertex: looking for twins */
    }
    leman_dataset_free(data);
    test_meter_free(&m, ctx);
}

/* A star of a million vertices is four vertices up to twins. */
static void test_large_star(void **unused)
{
    (void)unused;
    static const size_t sizes[] = {1000000};
    test_meter m;
    leman_context *ctx = test_meter_context(&m, (size_t)512 << 20, 2);
    leman_dataset *data = tree(ctx, sizes, 1, hub);
    leman_graph graph = leman_dataset_graph(data, 0);
    uint64_t leaves = sizes[0] - 1;
    for (unsigned k = 1; k <= 3; k++) {
        leman_coloring c = test_variant(2, k, 2);
        leman_histogram *h = test_histogram(ctx, &graph, &c);
        uint64_t tuples = 1, distinct = leaves, seen = 0;
        for (unsigned i = 0; i < k; i++) tuples *= sizes[0];
        for (unsigned i = 1; i < k; i++)
            distinct *= leaves - i; /* tuples of different leaves have a colour of their own */
        for (uint32_t r = 0; r < h->rounds; r++) {
            uint64_t sum = 0;
            for (uint64_t i = h->start[r]; i < h->start[r + 1]; i++) {
                sum += h->color[i].count;
                seen += h->color[i].count == distinct;
            }
            assert_int_equal(sum, tuples);
        }
        assert_true(seen >= h->rounds - (k == 1)); /* k = 1, round 0: hub and leaves are alike */
        leman_histogram_free(h);
    }
    leman_dataset_free(data);
    test_meter_free(&m, ctx);
}

/* More tuples than 64 bits count, even where twins would leave few of them. */
static void test_uncountable(void **unused)
{
    (void)unused;
    static const size_t sizes[] = {100000};
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = tree(ctx, sizes, 1, hub);
    leman_graph graph = leman_dataset_graph(data, 0);
    leman_coloring c = test_variant(2, 4, 1);
    leman_histogram *h = NULL;
    leman_status st = leman_histogram_compute(ctx, &graph, &c, &h);
    assert_int_equal(st, LEMAN_ERROR_BUDGET);
    c.k = 32;
    assert_int_equal(leman_histogram_compute(ctx, &graph, &c, &h), LEMAN_ERROR_BUDGET);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* The two numbers behind "k = ... would fit, or graphs of up to ... vertices". */
static void read_promise(const char *message, unsigned *k, size_t *vertices)
{
    const char *at = strrchr(message, ';');
    *k = 0;
    assert_non_null(at);
    const char *fits = strstr(at, "k = "), *max = strstr(at, "up to ");
    if (fits) *k = (unsigned)strtoul(fits + 4, NULL, 10);
    assert_non_null(max);
    *vertices = strtoul(max + 6, NULL, 10);
}

/* What the sentence promises is done, and no more could have been promised. */
static void check_promise(size_t memory, unsigned variant, unsigned k)
{
    size_t sizes[] = {2000, 0, 0};
    test_meter m;
    unsigned fits;
    leman_context *ctx = test_meter_context(&m, memory, 1);
    leman_dataset *data = tree(ctx, sizes, 1, before);
    leman_coloring c = test_variant(variant, k, 1);
    leman_graph graph = leman_dataset_graph(data, 0);
    leman_histogram *h = NULL;
    assert_int_equal(leman_histogram_compute(ctx, &graph, &c, &h), LEMAN_ERROR_BUDGET);
    read_promise(leman_context_message(ctx), &fits, sizes + 1);
    if (fits) {
        c.k = fits;
        h = test_histogram(ctx, &graph, &c);
        leman_histogram_free(h);
        c.k = k;
    } else { /* not even k = 1 */
        c.k = 1;
        assert_int_equal(leman_histogram_compute(ctx, &graph, &c, &h), LEMAN_ERROR_BUDGET);
        c.k = k;
    }
    leman_dataset_free(data);
    sizes[2] = sizes[1] + 1;
    data = tree(ctx, sizes + 1, 2, before);
    graph = leman_dataset_graph(data, 0);
    h = test_histogram(ctx, &graph, &c);
    leman_histogram_free(h);
    graph = leman_dataset_graph(data, 1);
    assert_int_equal(leman_histogram_compute(ctx, &graph, &c, &h), LEMAN_ERROR_BUDGET);
    leman_dataset_free(data);
    test_meter_free(&m, ctx);
}

static void test_promises_are_true(void **unused)
{
    (void)unused;
    for (unsigned variant = 0; variant < TEST_VARIANTS; variant++) {
        check_promise((size_t)1 << 20, variant, 2);
        check_promise((size_t)3 << 19, variant, 3);
        check_promise((size_t)4 << 10, variant, 2); /* nothing fits */
    }
}

/* ---- What is not refused stays near the budget ----------------------------------------------- */

static size_t smallest_budget(const leman_dataset *data, unsigned which, const leman_coloring *c, int threads)
{
    size_t low = 0, high = (size_t)1 << 30;
    while (high - low > 4096) {
        test_meter m;
        size_t middle = low + (high - low) / 2;
        leman_context *ctx = test_meter_context(&m, middle, threads);
        leman_status st = call(ctx, which, data, 0, c);
        if (st)
            low = middle;
        else
            high = middle;
        test_meter_free(&m, ctx);
    }
    return high;
}

/* Vertices, arcs and twins take a few words each, and results themselves are not work arrays. All tuples of this graph
 * differ in the end, which is the worst case. */
static void test_peak_is_near_the_budget(void **unused)
{
    (void)unused;
    enum { N = 200 };
    uint64_t state = 5;
    leman_context *maker = test_context_new(1);
    leman_dataset *data = test_random_graph(maker, &state, N, 10, 0, 0, false);
    for (unsigned variant = 0; variant < TEST_VARIANTS; variant++)
        for (unsigned which = 1; which < CALLS; which++) {
            leman_coloring c = test_variant(variant, 2, variant == 4 ? 1 : 3);
            size_t budget = smallest_budget(data, which, &c, 1);
            test_meter m;
            leman_context *ctx = test_meter_context(&m, budget, 1);
            assert_int_equal(call(ctx, which, data, 0, &c), LEMAN_OK);
            size_t result = 16 * N * N,
                   results = which == 1 ? 2 * (c.rounds + 1) * result : 0; /* they grow by doubling */
            if (m.peak > budget + budget / 8 + results + ((size_t)1 << 19))
                fail_msg("%s, call %u: %zu bytes at once, the budget is %zu", test_coloring_text(&c, 1), which, m.peak,
                         budget);
            test_meter_free(&m, ctx);
        }
    leman_dataset_free(data);
    test_context_free(maker);
}

/* Sparse tuples are counted before they are stored: a path of 100,000 vertices has few that are connected, and the
 * sentence says how many, or that there are more than fit. */
static void test_sparse_tuples_are_counted(void **unused)
{
    (void)unused;
    static const size_t sizes[] = {100000};
    static const char *const exact[] = {"100000 vertices", "299,998 2-tuples of at most 1 component", "they need",
                                        NULL};
    static const char *const more[] = {"100000 vertices", "more than", "2-tuples of at most 2 components", NULL};
    leman_coloring c = test_variant(2, 2, 2);
    test_meter m;
    leman_context *ctx = test_meter_context(&m, (size_t)20 << 20, 2);
    leman_dataset *data = tree(ctx, sizes, 1, before);
    size_t held = m.live;
    for (c.components = 1; c.components <= 2; c.components++)
        for (unsigned which = 0; which < CALLS; which++) {
            m.peak = m.live;
            assert_int_equal(call(ctx, which, data, 0, &c), LEMAN_ERROR_BUDGET);
            if (which < 3) expect_words(ctx, c.components == 1 ? exact : more);
            assert_true(m.peak < held + ((size_t)20 << 20) + ((size_t)8 << 20));
        }
    leman_dataset_free(data);
    test_meter_free(&m, ctx);
}

/* The same bound for sparse tuples as for dense ones below. */
static void test_sparse_peak_is_near_the_budget(void **unused)
{
    (void)unused;
    enum { N = 600 };
    leman_context *maker = test_context_new(1);
    uint64_t state = 5;
    leman_dataset *data = test_random_graph(maker, &state, N, 2, 0, 0, false);
    const size_t arcs = leman_dataset_graph(data, 0).arcs;
    for (unsigned variant = 0; variant < TEST_VARIANTS; variant++)
        for (unsigned which = 0; which < CALLS; which++) {
            leman_coloring c = test_variant(variant, 2, 3);
            c.components = 1;
            if (which == 2) continue; /* all n^2 are written */
            size_t budget = smallest_budget(data, which, &c, 1);
            test_meter m;
            leman_context *ctx = test_meter_context(&m, budget, 1);
            assert_int_equal(call(ctx, which, data, 0, &c), LEMAN_OK);
            size_t result = 16 * (N + arcs), results = which == 1 ? 2 * (c.rounds + 1) * result : 0;
            if (m.peak > budget + budget / 8 + results + 40 * (N + arcs) + ((size_t)1 << 19))
                fail_msg("%s, call %u: %zu bytes at once, the budget is %zu", test_coloring_text(&c, 1), which, m.peak,
                         budget);
            test_meter_free(&m, ctx);
        }
    leman_dataset_free(data);
    test_context_free(maker);
}

/* ---- Dense graphs ---------------------------------------------------------------------------- */

/* `graphs` graphs of n vertices with so many of 100 edges, blown up from n / twins vertices. */
static leman_dataset *dense(leman_context *ctx, size_t graphs, size_t n, size_t twins, unsigned percent, bool directed)
{
    leman_columns columns = {0};
    leman_policy policy = leman_policy_default();
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    const size_t base = n / twins;
    uint64_t state = 7;
    bool *joined = malloc(base * base);
    assert_non_null(joined);
    policy.directed = directed;
    assert_int_equal(leman_builder_new(ctx, "dense", &columns, &builder), LEMAN_OK);
    for (size_t g = 0; g < graphs; g++) {
        for (size_t i = 0; i < base * base; i++) joined[i] = test_random(&state) % 100 < percent;
        assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < n; v++) assert_int_equal(leman_builder_vertex(builder, NULL, NULL, NULL), LEMAN_OK);
        for (size_t u = 0; u < n; u++)
            for (size_t v = directed ? 0 : u + 1; v < n; v++) {
                const size_t a = u % base, b = v % base;
                if (u != v && joined[directed || a < b ? a * base + b : b * base + a])
                    assert_int_equal(leman_builder_edge(builder, u, v, NULL, NULL), LEMAN_OK);
            }
    }
    assert_int_equal(leman_builder_finish(builder, &policy, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    free(joined);
    return data;
}

/* The smallest budget, up to some kilobytes, that no graph is refused for before the work begins. */
static size_t smallest_planned(const leman_dataset *data, unsigned which, const leman_coloring *c)
{
    size_t low = 0, high = (size_t)1 << 27;
    while (high - low > 1 << 14) {
        test_meter m;
        size_t middle = low + (high - low) / 2;
        leman_context *ctx = test_meter_context(&m, middle, 1);
        leman_status st = call(ctx, which, data, 0, c);
        if (st) assert_int_equal(st, LEMAN_ERROR_BUDGET);
        if (st && strstr(leman_context_message(ctx), " vertices")) /* not the sentence of the allocation that failed */
            low = middle;
        else
            high = middle;
        test_meter_free(&m, ctx);
    }
    return high;
}

/* Their arcs take a third of what their pairs do: what is begun ends, within the budget, and nothing is refused that
 * would have fitted. */
static void check_dense(const leman_dataset *data, unsigned which)
{
    enum { APART = 1 << 18 /* bytes that nobody plans; and lists of colours have a sixteenth of the budget */ };
    const leman_coloring c = test_variant(2, 2, 1);
    const size_t budget = smallest_planned(data, which, &c);
    test_meter m;
    leman_context *ctx = test_meter_context(&m, budget, 1);
    leman_status st = call(ctx, which, data, 0, &c);
    if (st) fail_msg("call %u, %zu bytes: %s", which, budget, leman_context_message(ctx));
    if (m.peak > budget + APART || m.peak + budget / 12 < budget)
        fail_msg("call %u: %zu bytes at once, %zu were planned", which, m.peak, budget);
    test_meter_free(&m, ctx);
}

static void test_arcs_are_counted(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    static const struct {
        size_t graphs, vertices, twins;
        unsigned percent;
        bool directed;
    } kinds[] = {{1, 700, 1, 95, false},  {3, 700, 1, 95, false}, {3, 700, 1, 50, false},
                 {3, 1200, 4, 50, false}, {1, 700, 1, 95, true},  {3, 700, 1, 50, true}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        leman_dataset *data =
            dense(ctx, kinds[i].graphs, kinds[i].vertices, kinds[i].twins, kinds[i].percent, kinds[i].directed);
        check_dense(data, 0);
        if (kinds[i].graphs == 1) { /* histograms are results, which grow, and unions are counted amply */
            check_dense(data, 2);
            check_dense(data, 3);
        }
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* ---- Stop ------------------------------------------------------------------------------------ */

/* Enough graphs that the caller is asked before the end: the answer is no, and nothing is left behind. */
static void test_stop(void **unused)
{
    (void)unused;
    enum { GRAPHS = 3000 };
    size_t *sizes = malloc(GRAPHS * sizeof *sizes);
    assert_non_null(sizes);
    for (size_t g = 0; g < GRAPHS; g++) sizes[g] = 60 + g % 40;
    for (int threads = 1; threads <= 3; threads++) {
        test_meter m;
        leman_context *ctx = test_meter_context(&m, (size_t)1 << 30, threads);
        leman_dataset *data = tree(ctx, sizes, GRAPHS, before);
        size_t held = m.live;
        leman_coloring c = test_variant(5, 2, 40);
        leman_census *census = NULL;
        m.says_stop = true;
        assert_int_equal(leman_census_compute(ctx, data, &c, false, &census), LEMAN_ERROR_CANCELLED);
        assert_null(census);
        assert_non_null(strstr(leman_context_message(ctx), "stopped"));
        assert_true(m.live < held + ((size_t)1 << 22)); /* scratch that the context keeps */
        leman_dataset_free(data);
        test_meter_free(&m, ctx);
    }
    free(sizes);
}

/* ---- Every allocation fails in turn ---------------------------------------------------------- */

typedef struct attempt {
    unsigned which;
    leman_coloring coloring;
    const leman_dataset *data;
} attempt;

static leman_status try_call(leman_context *ctx, void *state)
{
    const attempt *a = state;
    return call(ctx, a->which, a->data, 0, &a->coloring);
}

static leman_status try_verify(leman_context *ctx, void *state)
{
    const attempt *a = state;
    leman_census *census = NULL;
    leman_status st = leman_census_compute(ctx, a->data, &a->coloring, true, &census);
    if (!st) leman_census_free(census);
    return st;
}

static leman_status try_apex(leman_context *ctx, void *state)
{
    leman_dataset *out = NULL;
    leman_status st = leman_dataset_apex(ctx, ((attempt *)state)->data, &out);
    leman_dataset_free(out);
    return st;
}

static void test_each_allocation(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 3;
    random_graph_kind kinds[] = {{.vertex_labels = 2, .vertex_columns = 1, .edge_labels = 2, .edge_columns = 1},
                                 {.directed = true, .loops = true}};
    random_graph *graph = malloc(3 * sizeof *graph);
    assert_non_null(graph);
    for (size_t i = 0; i < 2; i++) {
        random_graph_draw_family(&random, kinds + i, 14, i == 0, 3, graph);
        leman_dataset *data = random_graph_dataset(ctx, kinds + i, graph, 3);
        attempt a = {.data = data};
        for (unsigned variant = 0; variant < TEST_VARIANTS; variant++)
            for (unsigned k = 1; k <= 3; k++)
                for (a.which = 0; a.which < CALLS; a.which++) {
                    a.coloring = test_variant(variant, k, 2);
                    a.coloring.in_arcs = true;
                    assert_true(test_fail_each_allocation(try_call, &a) > 0);
                    a.coloring.components = k - 1;
                    if (k > 1 && variant % 2 == i) assert_true(test_fail_each_allocation(try_call, &a) > 0);
                }
        a.coloring = test_variant(5, 2, LEMAN_STABLE);
        assert_true(test_fail_each_allocation(try_verify, &a) > 0);
        assert_true(test_fail_each_allocation(try_apex, &a) > 0);
        leman_dataset_free(data);
    }
    free(graph);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_too_large_is_one_sentence),
        cmocka_unit_test(test_large_star),
        cmocka_unit_test(test_uncountable),
        cmocka_unit_test(test_promises_are_true),
        cmocka_unit_test(test_peak_is_near_the_budget),
        cmocka_unit_test(test_sparse_tuples_are_counted),
        cmocka_unit_test(test_sparse_peak_is_near_the_budget),
        cmocka_unit_test(test_arcs_are_counted),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_each_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
