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
            assert_int_equal(
                lm_refine(ctx, data, &c, &(lm_refine_options){.branches = branches, .expanded = true}, check, &g),
                LEMAN_OK);
            assert_int_equal(g.visits, GRAPHS * (branches ? 2 * ROUNDS : ROUNDS + 1));
        }
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_visits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
