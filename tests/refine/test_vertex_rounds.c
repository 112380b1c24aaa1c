/* What colours of vertices say about those of tuples, against the tuples; and what is counted by it. */
#include "graph/dataset.h"
#include "refine/vertex_rounds.h"
#include "support/meter.h"
#include "support/random_graphs.h"
#include "support/rounds.h"

enum { GRAPHS = 6, ROUNDS = 4, LARGE = 40 /* vertices of a graph that makes it worth while */ };

/* The colours of every graph in one round, one by one. */
typedef struct tuples {
    size_t count[GRAPHS];
    uint64_t *color[GRAPHS];
} tuples;

static tuples tuples_of(leman_context *ctx, const leman_dataset *data, const leman_coloring *c, uint32_t round)
{
    tuples t;
    for (size_t g = 0; g < GRAPHS; g++) {
        const leman_graph graph = leman_dataset_graph(data, g);
        t.count[g] = 1;
        for (unsigned i = 0; i < c->k; i++) t.count[g] *= graph.vertices;
        t.color[g] = test_tuple_colors(ctx, &graph, c, round);
    }
    return t;
}

static void tuples_free(tuples *t)
{
    for (size_t g = 0; g < GRAPHS; g++) free(t->color[g]);
}

/* How often a graph has a colour. */
static size_t times(const tuples *t, size_t graph, uint64_t color)
{
    size_t found = 0;
    for (size_t i = 0; i < t->count[graph]; i++) found += t->color[graph][i] == color;
    return found;
}

static bool others_have(const tuples *t, size_t graph, uint64_t color)
{
    for (size_t g = 0; g < GRAPHS; g++)
        if (g != graph && times(t, g, color)) return true;
    return false;
}

/* Graphs of at most so many vertices; large: but for the last one. */
static leman_dataset *draw(leman_context *ctx, uint64_t seed, size_t most, bool large, random_graph_kind *kind)
{
    random_graph graph[GRAPHS];
    uint64_t state = seed;
    *kind = random_graph_kind_draw(&state);
    random_graph_draw_family(&state, kind, most, seed % 3 == 0, GRAPHS, graph);
    if (large) random_graph_draw(&state, kind, LARGE, seed % 3 == 0, graph + GRAPHS - 1);
    return random_graph_dataset(ctx, kind, graph, GRAPHS);
}

static lm_vertex_rounds find(leman_context *ctx, const leman_dataset *data, const leman_coloring *c)
{
    lm_vertex_rounds known = {0};
    assert_int_equal(lm_vertex_rounds_find(ctx, data, c, &known), LEMAN_OK);
    return known;
}

static void forget(const lm_vertex_rounds *known)
{
    lm_release(known->single);
    lm_release(known->exclusive);
}

/* ---- Vertices -------------------------------------------------------------------------------- */

/* Behind round 0, where nothing is looked for, the rounds are those in which 1-WL says so first. */
static void test_rounds_of_vertices(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    size_t seen[2] = {0}, never[2] = {0}, cases = test_cases(60);
    for (size_t i = 0; i < cases; i++) {
        random_graph_kind kind;
        leman_dataset *data = draw(ctx, 50 + i, 14, true, &kind);
        leman_coloring c = test_variant(2, 2, ROUNDS), one = test_variant(2, 1, ROUNDS);
        c.ignore_edge_labels = one.ignore_edge_labels = true;
        const lm_vertex_rounds known = find(ctx, data, &c);
        for (uint32_t round = 1; round <= ROUNDS; round++) {
            tuples t = tuples_of(ctx, data, &one, round);
            for (size_t g = 0; g < GRAPHS; g++)
                for (size_t v = 0; v < t.count[g]; v++) {
                    const size_t at = data->graph_start[g] + v;
                    const bool single = times(&t, g, t.color[g][v]) == 1;
                    const bool exclusive = !others_have(&t, g, t.color[g][v]);
                    assert_int_equal(known.single[at] <= round, single);
                    assert_int_equal(known.exclusive[at] <= round, exclusive);
                    *(single ? seen : never) += 1;
                    *(exclusive ? seen + 1 : never + 1) += 1;
                }
            tuples_free(&t);
        }
        forget(&known);
        leman_dataset_free(data);
    }
    for (int i = 0; i < 2; i++) assert_true(seen[i] > 100 && never[i] > 100);
    test_context_free(ctx);
}

/* ---- Tuples ---------------------------------------------------------------------------------- */

/* What is said of the components of a tuple in this round. */
static void look_up(const lm_vertex_rounds *known, size_t first, size_t n, const leman_coloring *c, size_t tuple,
                    uint32_t round, bool *single, bool *exclusive)
{
    *single = true, *exclusive = false;
    for (unsigned i = 0; i < c->k; i++, tuple /= n) {
        *single &= known->single[first + tuple % n] <= round;
        *exclusive |= known->exclusive[first + tuple % n] <= round;
    }
}

static void check_tuples(const leman_dataset *data, const lm_vertex_rounds *known, const leman_coloring *c,
                         const tuples *t, uint32_t round, size_t seen[2])
{
    for (size_t g = 0; g < GRAPHS; g++)
        for (size_t i = 0; i < t->count[g]; i++) {
            bool single, exclusive;
            look_up(known, data->graph_start[g], leman_dataset_graph(data, g).vertices, c, i, round, &single,
                    &exclusive);
            if (single) assert_int_equal(times(t, g, t->color[g][i]), 1);
            if (exclusive) assert_false(others_have(t, g, t->color[g][i]));
            seen[0] += single, seen[1] += exclusive;
        }
}

/* Colours of the round, counted one by one. */
static void check_counts(const tuples *t, const leman_round_count *count)
{
    uint64_t pairs = 0, colors = 0;
    for (size_t g = 0; g < GRAPHS; g++)
        for (size_t i = 0; i < t->count[g]; i++) {
            bool before = false;
            for (size_t j = 0; j < i && !before; j++) before = t->color[g][j] == t->color[g][i];
            if (before) continue;
            pairs++;
            for (size_t h = 0; h < g && !before; h++) before = times(t, h, t->color[g][i]);
            colors += !before;
        }
    assert_int_equal(count->pairs, pairs);
    assert_int_equal(count->colors, colors);
}

/* Every variant: single vertices make tuples that differ, exclusive ones tuples of one graph; and the census, which
 * counts by that, agrees with counting tuple by tuple. */
static void test_tuples(void **unused)
{
    (void)unused;
    static const size_t most[] = {0, 0, 12, 6, 4}; /* vertices, by k */
    size_t seen[2] = {0}, cases = test_cases(36);
    for (size_t i = 0; i < cases; i++) {
        leman_context *ctx = test_context_new(1 + (int)(i % 2));
        const unsigned k = i % 6 == 5 ? 4 : 2 + (unsigned)(i % 2);
        random_graph_kind kind;
        leman_dataset *data = draw(ctx, 900 + i, most[k], k == 2, &kind);
        for (unsigned variant = 0; variant < TEST_VARIANTS; variant++) {
            leman_coloring c = test_variant(variant, k, ROUNDS);
            c.in_arcs = i % 4 == 1;
            const lm_vertex_rounds known = find(ctx, data, &c);
            leman_census *census = test_census(ctx, data, &c);
            for (uint32_t round = 0; round <= ROUNDS; round++) {
                tuples t = tuples_of(ctx, data, &c, round);
                if (known.single) check_tuples(data, &known, &c, &t, round, seen);
                check_counts(&t, census->round + round);
                tuples_free(&t);
            }
            leman_census_free(census);
            forget(&known);
        }
        leman_dataset_free(data);
        test_context_free(ctx);
    }
    assert_true(seen[0] > 27 * cases && seen[1] > 27 * cases);
}

/* Four cycles of 4 and one of 5 vertices: local neighbours do not tell pairs between the two from those the other way
 * round, # does, in a last round behind others that split nothing, while no other graph has a vertex of this label. */
static void test_last_rule(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const random_graph_kind kind = {.vertex_labels = GRAPHS, .vertex_columns = 1};
    const leman_coloring c = test_variant(3, 2, 2 * ROUNDS);
    random_graph graph[GRAPHS];
    memset(graph, 0, sizeof graph);
    for (size_t g = 0; g < GRAPHS; g++) {
        graph[g].n = 21;
        for (size_t v = 0; v < 21; v++) {
            graph[g].label[v][0] = (int64_t)g;
            random_graph_toggle(&kind, graph + g, v, v < 16 ? v / 4 * 4 + (v + 1) % 4 : 16 + (v - 15) % 5);
        }
    }
    leman_dataset *data = random_graph_dataset(ctx, &kind, graph, GRAPHS);
    leman_census *census = test_census(ctx, data, &c);
    for (uint32_t round = 0; round <= c.rounds; round++) {
        tuples t = tuples_of(ctx, data, &c, round);
        check_counts(&t, census->round + round);
        tuples_free(&t);
    }
    assert_int_equal(census->round[c.rounds - 2].pairs, census->round[c.rounds - 1].pairs);
    assert_true(census->round[c.rounds - 1].pairs < census->round[c.rounds].pairs);
    leman_census_free(census);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Where nothing is looked for ------------------------------------------------------------- */

static void test_not_known(void **unused)
{
    (void)unused;
    leman_context *plain = test_context_new(1);
    random_graph_kind kind;
    leman_dataset *data = draw(plain, 7, 12, true, &kind);
    leman_coloring c = test_variant(2, 1, ROUNDS);
    assert_null(find(plain, data, &c).single); /* vertices themselves */
    c = test_variant(2, 2, ROUNDS);
    leman_dataset *small = draw(plain, 7, 12, false, &kind);
    assert_null(find(plain, small, &c).single); /* too few pairs */
    leman_dataset_free(small);
    c = test_variant(2, 3, ROUNDS);
    c.components = 2;
    assert_null(find(plain, data, &c).single);
    c.components = 0;
    const lm_vertex_rounds known = find(plain, data, &c);
    assert_true(known.single && known.exclusive);
    forget(&known);
    test_meter meter;
    leman_context *ctx = test_meter_context(&meter, 100 * data->vertices, 1); /* four times 50 bytes each would do */
    assert_null(find(ctx, data, &c).exclusive);
    test_meter_free(&meter, ctx);
    leman_dataset_free(data);
    test_context_free(plain);
}

static leman_status find_again(leman_context *ctx, void *state)
{
    const leman_coloring c = test_variant(2, 2, ROUNDS);
    lm_vertex_rounds known = {0};
    const leman_status st = lm_vertex_rounds_find(ctx, state, &c, &known);
    forget(&known);
    return st;
}

static void test_allocations(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    random_graph_kind kind;
    leman_dataset *data = draw(ctx, 8, 12, true, &kind);
    assert_true(test_fail_each_allocation(find_again, data) >= 4);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds_of_vertices), cmocka_unit_test(test_tuples),      cmocka_unit_test(test_last_rule),
        cmocka_unit_test(test_not_known),          cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
