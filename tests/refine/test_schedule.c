/* Classes as visitors see them, in rounds and branches, against the histograms of single graphs. */
#include "base/context.h"
#include "refine/refine.h"
#include "support/meter.h"
#include "support/random_graphs.h"
#include "support/rounds.h"

enum { GRAPHS = 4, VERTICES = 11, ROUNDS = 3 };

typedef struct given {
    const leman_dataset *data;
    const leman_coloring *coloring;
    size_t visits;
} given;

/* Every colour of the visit is one of the histogram, as often, and there are no others. */
static leman_status check(leman_context *ctx, void *state, int worker, const lm_round_classes *r)
{
    given *g = state;
    leman_coloring c = *g->coloring;
    const leman_graph graph = leman_dataset_graph(g->data, r->graph);
    size_t seen = 0;
    (void)worker;
    if (r->branch) c.rounds = r->round; /* its rule is that of a last round */
    leman_histogram *h = test_histogram(ctx, &graph, &c);
    for (size_t i = 0; i < r->count; i++) {
        const uint64_t *color;
        const size_t colors = lm_class_colors(r, i, &color);
        seen += colors;
        for (size_t j = 0; j < colors; j++) {
            uint64_t at = h->start[r->round];
            while (at < h->start[r->round + 1] && h->color[at].color != color[j]) at++;
            assert_true(at < h->start[r->round + 1]);
            assert_int_equal(h->color[at].count, r->orbits[i] * r->orbit[i].times);
        }
    }
    assert_int_equal(seen, h->start[r->round + 1] - h->start[r->round]);
    assert_int_equal(seen, r->pairs);
    g->visits++;
    leman_histogram_free(h);
    return LEMAN_OK;
}

static void test_visits(void **unused)
{
    (void)unused;
    random_graph graph[GRAPHS];
    const size_t cases = test_cases(12);
    for (size_t i = 0; i < cases; i++) {
        leman_context *ctx = test_context_new(1);
        uint64_t state = 300 + i;
        const random_graph_kind kind = random_graph_kind_draw(&state);
        for (size_t g = 0; g < GRAPHS; g++) random_graph_draw(&state, &kind, VERTICES, i % 3 == 0, graph + g);
        leman_dataset *data = random_graph_dataset(ctx, &kind, graph, GRAPHS);
        for (unsigned variant = 0; variant < TEST_VARIANTS; variant++) {
            const leman_coloring c = test_variant(variant, 2 + (unsigned)(i % 2), ROUNDS);
            const bool branches = c.algorithm == LEMAN_ALGORITHM_LOCAL_PLUS && !c.count_every_round;
            given g = {data, &c, 0};
            assert_int_equal(lm_refine_all(ctx, data, &c, branches, true, false, NULL, check, &g), LEMAN_OK);
            assert_int_equal(g.visits, GRAPHS * (branches ? 2 * ROUNDS : ROUNDS + 1));
        }
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

/* Paths of 20, 30, ... vertices, each larger than the one before. */
static leman_dataset *growing_paths(leman_context *ctx, size_t graphs)
{
    leman_builder *builder;
    leman_dataset *data;
    assert_int_equal(leman_builder_new(ctx, "paths", &(leman_columns){0}, &builder), LEMAN_OK);
    for (size_t g = 0; g < graphs; g++) {
        const size_t vertices = 20 + 10 * g;
        assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < vertices; v++) {
            assert_int_equal(leman_builder_vertex(builder, NULL, NULL, NULL), LEMAN_OK);
            if (v) assert_int_equal(leman_builder_edge(builder, v - 1, v, NULL, NULL), LEMAN_OK);
        }
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

static leman_status look_away(leman_context *ctx, void *state, int worker, const lm_round_classes *r)
{
    (void)ctx, (void)state, (void)worker, (void)r;
    return LEMAN_OK;
}

/* A worker takes its scratch once, for its largest graph, however many smaller ones come before it. */
static void test_scratch_is_taken_once(void **unused)
{
    (void)unused;
    for (int threads = 1; threads <= 2; threads++) {
        test_meter m;
        leman_context *ctx = test_meter_context(&m, (size_t)1 << 30, threads);
        leman_dataset *data = growing_paths(ctx, 6);
        leman_coloring c = leman_coloring_default();
        c.algorithm = LEMAN_ALGORITHM_LOCAL;
        c.k = 3;
        c.rounds = 1;
        m.large = 0;
        assert_int_equal(lm_refine_all(ctx, data, &c, false, false, false, NULL, look_away, NULL), LEMAN_OK);
        assert_in_range(m.large, 1, threads);
        leman_dataset_free(data);
        test_meter_free(&m, ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_visits), cmocka_unit_test(test_scratch_is_taken_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
