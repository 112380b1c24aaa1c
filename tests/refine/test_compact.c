/*
 * Compact triples against arrays of all colours: leman_histogram_compute() has an array of n^3 colours, and is itself
 * checked against plain counting in test_twins.c. Compact ones must give the same colours with the same counts, in any
 * graph, with any number of threads, in one pass or in many. Then: a budget that only they fit into, what the refusals
 * say, a caller who cancels, and every allocation failing in turn.
 */
#include "graph/dataset.h"
#include "refine/experimental/compact/compact.h"
#include "support/meter.h"
#include "support/random_graphs.h"
#include "support/rounds.h"
#include <stdatomic.h>

enum { LOCAL = 2, MOST_ROUNDS = 4, PLENTY = 1 << 28 };

/* ---- What is visited ------------------------------------------------------------------------- */

typedef struct visited {
    leman_color *color[MOST_ROUNDS + 1];
    size_t count[MOST_ROUNDS + 1], visits[MOST_ROUNDS + 1];
    uint64_t pairs[MOST_ROUNDS + 1];
} visited;

static leman_status collect(leman_context *ctx, void *state, int worker, const lm_round_classes *r)
{
    (void)ctx;
    visited *v = state;
    assert_int_equal(worker, 1);
    assert_int_equal(r->graph, 7);
    assert_null(r->graphs);
    v->visits[r->round]++;
    v->pairs[r->round] += r->pairs;
    for (size_t i = 0; i < r->count; i++) {
        const uint64_t *found;
        const size_t colors = lm_class_colors(r, i, &found);
        assert_int_equal(colors, r->orbit[i].colors);
        assert_int_equal(found[0], r->color[i]);
        v->color[r->round] = realloc(v->color[r->round], (v->count[r->round] + colors) * sizeof **v->color);
        assert_non_null(v->color[r->round]);
        for (size_t j = 0; j < colors; j++) {
            assert_true(!j || found[j - 1] < found[j]);
            v->color[r->round][v->count[r->round]++] =
                (leman_color){.color = found[j], .count = r->orbits[i] * r->orbit[i].times};
        }
    }
    return LEMAN_OK;
}

static int by_color(const void *x, const void *y)
{
    const leman_color *a = x, *b = y;
    return a->color < b->color ? -1 : a->color > b->color;
}

static void visited_free(visited *v)
{
    for (size_t r = 0; r <= MOST_ROUNDS; r++) free(v->color[r]);
}

static leman_status refine(leman_context *ctx, const leman_graph *graph, const leman_coloring *c, int threads,
                           uint64_t bytes, visited *v)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    atomic_bool stop = false;
    lm_worker worker = {.ctx = ctx, .number = 1, .threads = threads, .cancellation = lm_cancellation_of(NULL, &stop)};
    const lm_space_extent extent = {.granted = bytes};
    const lm_engine_task task = {.graph = *graph,
                                 .number = 7,
                                 .coloring = *c,
                                 .expanded = true,
                                 .extent = &extent,
                                 .visit = collect,
                                 .state = v};
    lm_compact compact = {0};
    TRY(lm_compact_begin(&worker, &task, &compact));
    while (compact.round <= c->rounds) TRY(lm_compact_round(&worker, &compact));
done:
    lm_compact_free(&compact);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

static void compare(const leman_histogram *h, const leman_coloring *c, visited *v)
{
    for (uint32_t r = 0; r <= c->rounds; r++) {
        const size_t count = (size_t)(h->start[r + 1] - h->start[r]);
        assert_int_equal(v->count[r], count);
        assert_int_equal(v->pairs[r], count);
        if (count) qsort(v->color[r], count, sizeof **v->color, by_color);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(v->color[r][i].color, h->color[h->start[r] + i].color);
            assert_int_equal(v->color[r][i].count, h->color[h->start[r] + i].count);
        }
    }
}

static leman_dataset *large_graph(leman_context *ctx, size_t n)
{
    uint64_t state = 3;
    return test_random_graph(ctx, &state, n, 4, 0, 0, false);
}

/* ---- The same counts ------------------------------------------------------------------------- */

/* With plenty of memory, and with the least that does, in which the last round takes more visits. Were there any? */
static bool check(leman_context *ctx, const leman_graph *graph, const leman_coloring *c)
{
    leman_histogram *h = test_histogram(ctx, graph, c);
    visited plenty = {0};
    size_t visits;
    for (int threads = 1; threads <= 2; threads++) {
        visited v = {0};
        assert_int_equal(refine(ctx, graph, c, threads, PLENTY, &v), LEMAN_OK);
        compare(h, c, &v);
        plenty = v;
        visited_free(&v);
    }
    for (uint64_t bytes = 1 << 16;; bytes += graph->vertices < 60 ? bytes / 8 : 1 << 15) {
        visited v = {0};
        const leman_status st = refine(ctx, graph, c, 2, bytes, &v);
        if (!st) compare(h, c, &v);
        visits = v.visits[c->rounds];
        visited_free(&v);
        if (!st) break;
        assert_int_equal(st, LEMAN_ERROR_BUDGET);
        assert_non_null(strstr(leman_context_message(ctx), "memory budget"));
        const char *fit = strrchr(leman_context_message(ctx), ';');
        if (!fit) continue;
        leman_coloring fewer = *c;
        visited again = {0};
        fewer.rounds = (uint32_t)strtoul(fit + 1, NULL, 10);
        assert_true(fewer.rounds < c->rounds);
        assert_int_equal(refine(ctx, graph, &fewer, 2, bytes, &again), LEMAN_OK);
        visited_free(&again);
    }
    leman_histogram_free(h);
    return visits > plenty.visits[c->rounds];
}

static void check_random(size_t vertices, bool twins, size_t cases, uint64_t seed)
{
    leman_context *ctx = test_context_new(1);
    random_graph *graph = malloc(sizeof *graph);
    assert_non_null(graph);
    cases = test_cases(cases);
    for (size_t i = 0; i < cases; i++) {
        uint64_t state = seed + i;
        random_graph_kind kind = random_graph_kind_draw(&state);
        random_graph_draw(&state, &kind, 1 + test_random(&state) % vertices, twins, graph);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, 1);
        const leman_graph view = leman_dataset_graph(data, 0);
        leman_coloring c = test_variant(LOCAL, 3, (uint32_t)(test_random(&state) % MOST_ROUNDS));
        c.in_arcs = test_random(&state) % 2;
        c.ignore_edge_labels = test_random(&state) % 4 == 0;
        c.ignore_vertex_labels = test_random(&state) % 4 == 0;
        check(ctx, &view, &c);
        leman_dataset_free(data);
    }
    free(graph);
    test_context_free(ctx);
}

static void test_small_graphs(void **unused)
{
    (void)unused;
    check_random(4, true, 150, 100);
    check_random(12, true, 100, 1000);
    check_random(12, false, 50, 2000);
}

static void test_larger_graphs(void **unused)
{
    (void)unused;
    check_random(RANDOM_GRAPH_MAX, true, 6, 3000);
    check_random(RANDOM_GRAPH_MAX, false, 8, 4000);
}

/* With little memory the last round is taken in parts, and no class is in two of them. */
static void test_many_passes(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = large_graph(ctx, 140);
    const leman_graph graph = leman_dataset_graph(data, 0);
    const leman_coloring c = test_variant(LOCAL, 3, 1);
    assert_true(check(ctx, &graph, &c));
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_no_vertices(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_columns columns = {0};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "empty", &columns, &builder), LEMAN_OK);
    assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    const leman_graph graph = leman_dataset_graph(data, 0);
    const leman_coloring c = test_variant(LOCAL, 3, 2);
    check(ctx, &graph, &c);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Within a budget ------------------------------------------------------------------------- */

/* Graphs of which the largest fits into the budget compactly only: censuses and Gram matrices are the same. */
static leman_dataset *some_graphs(leman_context *ctx)
{
    static random_graph graph[3];
    const random_graph_kind kind = {.vertex_labels = 2, .vertex_columns = 1};
    uint64_t state = 17;
    random_graph_draw(&state, &kind, RANDOM_GRAPH_MAX, true, graph);
    random_graph_draw(&state, &kind, 9, true, graph + 1);
    random_graph_draw(&state, &kind, RANDOM_GRAPH_MAX, false, graph + 2);
    return random_graph_dataset(ctx, &kind, graph, 3);
}

static void test_census_within_a_budget(void **unused)
{
    (void)unused;
    enum { N = 110 };
    for (uint32_t rounds = 0; rounds <= 2; rounds++)
        for (int threads = 1; threads <= 2; threads++) {
            leman_coloring c = test_variant(LOCAL, 3, rounds);
            test_meter m;
            leman_context *free_one = test_context_new(threads);
            leman_context *tight = test_meter_context(&m, (size_t)20 << 20, threads);
            leman_dataset *data = large_graph(tight, N);
            const leman_graph graph = leman_dataset_graph(data, 0);
            leman_census *a = test_census(free_one, data, &c), *b = test_census(tight, data, &c);
            leman_histogram *h = NULL;
            assert_true(test_same_census(a, b));
            assert_true(m.peak < (size_t)20 << 20);
            assert_int_equal(leman_histogram_compute(tight, &graph, &c, &h), LEMAN_ERROR_BUDGET); /* needs its array */
            leman_census_free(a);
            leman_census_free(b);
            leman_dataset_free(data);
            test_meter_free(&m, tight);
            test_context_free(free_one);
        }
}

static void test_gram_within_a_budget(void **unused)
{
    (void)unused;
    for (int threads = 1; threads <= 2; threads++) {
        test_meter m;
        leman_context *ctx = test_context_new(threads), *tight = test_meter_context(&m, (size_t)9 << 18, threads);
        leman_dataset *data = some_graphs(tight);
        leman_kernel kernel = leman_kernel_default();
        double a[9], b[9];
        kernel.kind = LEMAN_KERNEL_KIND_COLORS;
        kernel.coloring.algorithm = LEMAN_ALGORITHM_LOCAL;
        kernel.coloring.k = 3;
        kernel.coloring.rounds = 1;
        assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, a), LEMAN_OK);
        if (leman_gram_compute(tight, data, NULL, &kernel, 1, false, b)) fail_msg("%s", leman_context_message(tight));
        assert_memory_equal(a, b, sizeof a);
        leman_dataset_free(data);
        test_meter_free(&m, tight);
        test_context_free(ctx);
    }
}

/* Where arrays fit, compact triples are for graphs that have few different ones: neither dense ones, nor many labels.
 */
static void test_quick(void **unused)
{
    (void)unused;
    static const struct {
        unsigned percent, labels;
        uint32_t rounds;
        bool quick;
    } cases[] = {{1, 0, 1, true}, {1, 3, 1, true}, {1, 0, 2, false}, {30, 0, 1, false}, {1, 200, 1, false}};
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t state = 11;
        leman_dataset *data = test_random_graph(ctx, &state, 200, cases[i].percent, cases[i].labels, 0, false);
        const leman_graph graph = leman_dataset_graph(data, 0);
        const leman_coloring c = test_variant(LOCAL, 3, cases[i].rounds);
        lm_arena_mark mark = lm_arena_now(&ctx->scratch);
        bool quick = !cases[i].quick;
        assert_int_equal(lm_compact_is_quick(ctx, &graph, &c, &quick), LEMAN_OK);
        assert_int_equal(quick, cases[i].quick);
        lm_arena_reset(&ctx->scratch, mark);
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* The sentence names the least that would do, and graphs of as many vertices as it says are coloured. */
static void test_promise(void **unused)
{
    (void)unused;
    leman_coloring c = test_variant(LOCAL, 3, 1);
    test_meter m;
    leman_context *ctx = test_meter_context(&m, (size_t)8 << 20, 1);
    leman_dataset *data = large_graph(ctx, 400);
    leman_census *census = NULL;
    assert_int_equal(leman_census_compute(ctx, data, &c, false, &census), LEMAN_ERROR_BUDGET);
    const char *most = strstr(leman_context_message(ctx), "up to ");
    assert_non_null(most);
    const size_t n = strtoul(most + 6, NULL, 10);
    assert_true(n > 60 && n < 400); /* arrays of colours would be of 69 vertices */
    leman_dataset_free(data);
    data = large_graph(ctx, n);
    const leman_status st = leman_census_compute(ctx, data, &c, false, &census);
    if (st) { /* so many vertices, but with more different triples than fit: a sentence of its own */
        assert_int_equal(st, LEMAN_ERROR_BUDGET);
        assert_non_null(strstr(leman_context_message(ctx), "different triples in round"));
    }
    leman_census_free(census);
    leman_dataset_free(data);
    test_meter_free(&m, ctx);
}

/* ---- Failures -------------------------------------------------------------------------------- */

static leman_status census_body(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    const leman_dataset *data = state;
    leman_census *census = NULL;
    visited v = {0};
    const leman_graph graph = leman_dataset_graph(data, 0);
    const leman_coloring c = test_variant(LOCAL, 3, 2);
    TRY(refine(ctx, &graph, &c, 1, PLENTY, &v));
done:
    visited_free(&v);
    leman_census_free(census);
    return st;
}

static void test_every_allocation_fails(void **unused)
{
    (void)unused;
    leman_context *maker = test_context_new(1);
    leman_dataset *data = some_graphs(maker);
    assert_true(test_fail_each_allocation(census_body, data) > 10);
    leman_dataset_free(data);
    test_context_free(maker);
}

static void test_stopped(void **unused)
{
    (void)unused;
    for (int threads = 1; threads <= 2; threads++) {
        test_meter m;
        leman_context *ctx = test_meter_context(&m, (size_t)100 << 20, threads);
        leman_dataset *data = large_graph(ctx, 260);
        leman_coloring c = test_variant(LOCAL, 3, 2);
        leman_census *census = NULL;
        m.says_stop = true;
        assert_int_equal(leman_census_compute(ctx, data, &c, false, &census), LEMAN_ERROR_CANCELLED);
        leman_dataset_free(data);
        test_meter_free(&m, ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_graphs),
        cmocka_unit_test(test_larger_graphs),
        cmocka_unit_test(test_many_passes),
        cmocka_unit_test(test_no_vertices),
        cmocka_unit_test(test_census_within_a_budget),
        cmocka_unit_test(test_gram_within_a_budget),
        cmocka_unit_test(test_quick),
        cmocka_unit_test(test_promise),
        cmocka_unit_test(test_every_allocation_fails),
        cmocka_unit_test(test_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
