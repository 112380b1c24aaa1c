/* Sums by common neighbours are the sums over neighbours, taken one by one. */
#include "refine/common_neighbors.h"
#include "support/random_graphs.h"
#include "support/support.h"

enum { MOST = RANDOM_GRAPH_MAX };

static const random_graph_kind PLAIN = {0};

static void draw(uint64_t *state, const random_graph_kind *kind, size_t n, unsigned percent, random_graph *g)
{
    memset(g, 0, sizeof *g);
    g->n = n;
    for (size_t v = 0; v < n; v++)
        for (size_t u = 0; u < v; u++)
            if (test_random(state) % 100 < percent) random_graph_toggle(kind, g, u, v);
}

/* ---- Sums ------------------------------------------------------------------------------------ */

static void check_sums(const lm_space *s, const lm_common_neighbors *c, const uint64_t *colors)
{
    const size_t n = s->n;
    uint32_t counts[MOST];
    uint64_t sums[2][MOST];
    for (size_t u = 0; u < n; u++) {
        lm_common_neighbors_count(c, u, counts);
        for (size_t axis = 0; axis < 2; axis++)
            lm_common_neighbors_sums(c, u, axis, counts, colors + u * n, sums[axis]);
        for (size_t v = 0; v < n; v++) {
            uint64_t first = 0, last = 0;
            for (uint64_t e = s->out.start[u]; e < s->out.start[u + 1]; e++) first += colors[s->out.head[e] * n + v];
            for (uint64_t e = s->out.start[v]; e < s->out.start[v + 1]; e++) last += colors[u * n + s->out.head[e]];
            assert_true(sums[0][v] == first && sums[1][v] == last);
        }
    }
}

/* Graphs of every density, and of no vertices but one. */
static void test_sums(void **unused)
{
    (void)unused;
    static random_graph g;
    leman_context *ctx = test_context_new(1);
    const leman_coloring coloring = leman_coloring_default();
    uint64_t state = 5, *relation = malloc(MOST * MOST * sizeof *relation), *colors = malloc(MOST * MOST * 8);
    uint64_t *scratch = malloc(lm_common_neighbors_scratch(MOST) * sizeof *scratch);
    for (size_t n = 1; n <= MOST; n += n < 4 ? 1 : 11)
        for (unsigned percent = 0; percent <= 100; percent += 20) {
            lm_arena_mark mark = lm_arena_now(&ctx->scratch);
            lm_common_neighbors common;
            lm_space s;
            draw(&state, &PLAIN, n, percent, &g);
            leman_dataset *data = random_graph_dataset(ctx, &PLAIN, &g, 1);
            const leman_graph graph = leman_dataset_graph(data, 0);
            assert_int_equal(lm_space_new(ctx, &graph, &coloring, false, NULL, &s), LEMAN_OK);
            lm_types(&s, relation, colors, 1);
            assert_true(lm_common_neighbors_begin(&s, colors, scratch, &common));
            check_sums(&s, &common, colors);
            const size_t at = test_random(&state) % (n * n); /* a fourth colour */
            colors[at] ^= 1;
            assert_true(n == 1 || !lm_common_neighbors_begin(&s, colors, scratch, &common));
            leman_dataset_free(data);
            lm_arena_reset(&ctx->scratch, mark);
        }
    free(relation);
    free(colors);
    free(scratch);
    test_context_free(ctx);
}

/* Sets of any number of words; more than bytes can add up. */
static void test_counts(void **unused)
{
    (void)unused;
    enum { ROWS = 3, WORDS = 2 * 70 };
    uint64_t state = 7, bits[ROWS * WORDS];
    uint32_t counts[ROWS];
    for (int full = 0; full < 2; full++)
        for (size_t words = 2; words <= WORDS; words += 2) {
            for (size_t i = 0; i < ROWS * words; i++) bits[i] = full ? UINT64_MAX : test_random(&state);
            const lm_common_neighbors c = {.n = ROWS, .words = words, .bits = bits};
            lm_common_neighbors_count(&c, 1, counts);
            for (size_t v = 0; v < ROWS; v++) {
                uint32_t expected = 0;
                for (size_t i = 0; i < 64 * words; i++)
                    expected += (bits[words + i / 64] & bits[v * words + i / 64]) >> i % 64 & 1;
                assert_int_equal(counts[v], expected);
            }
        }
}

/* ---- Others ---------------------------------------------------------------------------------- */

/* Labels, loops and arcs make more colours, or are not seen by the formula. */
static void test_others(void **unused)
{
    (void)unused;
    static random_graph g;
    leman_context *ctx = test_context_new(1);
    const leman_coloring coloring = leman_coloring_default();
    uint64_t state = 9, relation[16 * 16], colors[16 * 16], scratch[16 * 3];
    assert_int_equal(lm_common_neighbors_scratch(16), 16 * 3);
    for (int way = 0; way < 5; way++) {
        const random_graph_kind kind = {.vertex_labels = way == 1 ? 2 : 0,
                                        .edge_labels = way == 2 ? 2 : 0,
                                        .vertex_columns = 1,
                                        .edge_columns = 1,
                                        .directed = way == 3,
                                        .loops = way == 4};
        lm_arena_mark mark = lm_arena_now(&ctx->scratch);
        lm_common_neighbors common;
        lm_space s;
        draw(&state, &kind, 16, 60, &g);
        if (way == 1) g.label[3][0] = 1;
        for (size_t v = 0; way == 2 && v < 16; v++) g.arc_label[3][v][0] = g.arc_label[v][3][0] = 1;
        for (size_t v = 0; way == 4 && v < 16; v++) g.arc[v][v] = true;
        leman_dataset *data = random_graph_dataset(ctx, &kind, &g, 1);
        const leman_graph graph = leman_dataset_graph(data, 0);
        assert_int_equal(lm_space_new(ctx, &graph, &coloring, false, NULL, &s), LEMAN_OK);
        lm_types(&s, relation, colors, 1);
        assert_true(lm_common_neighbors_begin(&s, colors, scratch, &common) == !way);
        leman_dataset_free(data);
        lm_arena_reset(&ctx->scratch, mark);
    }
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums), cmocka_unit_test(test_counts),
                                       cmocka_unit_test(test_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
