/*
 * 2-sets and connected 3-sets against brute force: every subset is tried, connected where a search from one vertex
 * reaches the others, and neighbours are all pairs of sets that differ in one vertex of each, adjacent to one another.
 * Then their types, and batches of them.
 */
#include "nn/encode/inputs.h"
#include "nn/encode/sets.h"
#include "nn/made.h"

enum { MOST = 400 };

typedef struct slow_sets {
    uint32_t member[MOST][3];
    size_t sets, members;
    bool adjacent[16][16];
    size_t n;
} slow_sets;

static bool connected(const slow_sets *s, const uint32_t *set)
{
    bool seen[3] = {true, false, false};
    for (int turn = 0; turn < 3; turn++)
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < 3; j++) seen[j] = seen[j] || (seen[i] && s->adjacent[set[i]][set[j]]);
    return seen[1] && seen[2];
}

static slow_sets slow(const leman_graph *g, lm_set_kind kind)
{
    slow_sets s = {.n = g->vertices, .members = kind == LM_SETS_PAIRS ? 2 : 3};
    for (size_t v = 0; v < g->vertices; v++)
        for (uint64_t a = g->start[v]; a < g->start[v + 1]; a++)
            if (g->head[a] != v) s.adjacent[v][g->head[a]] = s.adjacent[g->head[a]][v] = true;
    for (uint32_t u = 0; u < s.n; u++)
        for (uint32_t v = u + 1; v < s.n; v++)
            for (uint32_t w = v + 1; w < (s.members == 2 ? v + 2 : s.n); w++) {
                const uint32_t set[3] = {u, v, w};
                if (s.members == 3 && !connected(&s, set)) continue;
                assert_true(s.sets < MOST);
                memcpy(s.member[s.sets++], set, sizeof set);
            }
    return s;
}

/* Does set a become b by one vertex that moves along an edge? */
static bool moves(const slow_sets *s, size_t a, size_t b)
{
    uint32_t left = 0, came = 0;
    size_t gone = 0, new = 0;
    for (size_t i = 0; i < s->members; i++) {
        bool in_b = false, in_a = false;
        for (size_t j = 0; j < s->members; j++) {
            in_b = in_b || s->member[b][j] == s->member[a][i];
            in_a = in_a || s->member[a][j] == s->member[b][i];
        }
        if (!in_b) left = s->member[a][i], gone++;
        if (!in_a) came = s->member[b][i], new ++;
    }
    return gone == 1 && new == 1 && s->adjacent[left][came];
}

static void compare(const leman_graph *g, lm_set_kind kind, const lm_sets *found, size_t graph)
{
    const slow_sets s = slow(g, kind);
    assert_int_equal(found->first[graph + 1] - found->first[graph], s.sets);
    const uint64_t first = found->first[graph], links = found->link[graph + 1] - found->link[graph];
    size_t all = 0;
    for (size_t a = 0; a < s.sets; a++) {
        const uint32_t *set = found->member + (first + a) * s.members;
        assert_memory_equal(set, s.member[a], s.members * sizeof *set);
        assert_int_equal(found->joined[first + a], s.adjacent[set[0]][set[s.members - 1]]);
        const uint32_t *to = found->neighbor + found->link[graph], begin = found->start[first + a];
        const uint32_t end = a + 1 < s.sets ? found->start[first + a + 1] : (uint32_t)links;
        for (size_t b = 0; b < s.sets; b++) {
            size_t times = 0;
            for (uint32_t i = begin; i < end; i++) times += to[i] == b;
            if (times != moves(&s, a, b))
                fail_msg("sets %zu and %zu of graph %zu are %zu neighbours", a, b, graph, times);
            all += times;
        }
    }
    assert_int_equal(all, links);
}

static void test_brute_force(void **state)
{
    static const size_t SIZES[] = {0, 1, 2, 3, 5, 8, 11, SIZE_MAX};
    (void)state;
    for (uint64_t seed = 0; seed < test_cases(12); seed++) {
        leman_context *ctx = test_context_new(1);
        uint64_t random = seed + 1;
        leman_dataset *data = made_graphs(ctx, &random, SIZES, 15 + 12 * (unsigned)(seed % 5), seed % 2);
        for (lm_set_kind kind = LM_SETS_PAIRS; kind <= LM_SETS_TRIPLES; kind++) {
            lm_sets sets = {0};
            assert_int_equal(lm_sets_compute(ctx, data, kind, &sets), LEMAN_OK);
            for (size_t i = 0; SIZES[i] != SIZE_MAX; i++) {
                const leman_graph g = leman_dataset_graph(data, i);
                compare(&g, kind, &sets, i);
            }
            lm_sets_free(&sets);
        }
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

/* Degrees of 2-sets are deg(u) + deg(v) - 2 A_uv, as the neighbours in a product of the graph with itself. */
static void test_degrees_of_pairs(void **state)
{
    static const size_t SIZES[] = {12, 9, SIZE_MAX};
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 3;
    leman_dataset *data = made_graphs(ctx, &random, SIZES, 40, false);
    lm_sets sets = {0};
    assert_int_equal(lm_sets_compute(ctx, data, LM_SETS_PAIRS, &sets), LEMAN_OK);
    const leman_graph g = leman_dataset_graph(data, 0);
    for (size_t s = 0; s + 1 < 66; s++) {
        const uint32_t u = sets.member[2 * s], v = sets.member[2 * s + 1];
        const uint64_t expected = g.start[u + 1] - g.start[u] + g.start[v + 1] - g.start[v] - 2 * sets.joined[s];
        assert_int_equal(sets.start[s + 1] - sets.start[s], expected);
    }
    lm_sets_free(&sets);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Sets of data in a batch of the graphs which[]. */
typedef struct batched {
    lm_encoding *encoding;
    lm_inputs *inputs;
    lm_batch batch;
} batched;

static batched batched_new(leman_context *ctx, const leman_dataset *data, lm_set_kind first, lm_set_kind second,
                           const uint32_t *which, size_t count)
{
    const lm_encoding_options options = {.k = 1, .parts = true, .edges = true, .sets = {first, second}};
    batched s = {0};
    assert_int_equal(lm_encoding_learn(ctx, data, NULL, 0, &options, &s.encoding), LEMAN_OK);
    assert_int_equal(lm_inputs_new(ctx, data, s.encoding, &s.inputs), LEMAN_OK);
    lm_batch_init(ctx, &s.batch);
    assert_int_equal(lm_inputs_batch(s.inputs, which, count, &s.batch), LEMAN_OK);
    return s;
}

static void batched_free(batched *s)
{
    lm_batch_free(&s->batch);
    lm_inputs_free(s->inputs);
    lm_encoding_free(s->encoding);
}

/* ---- Types ----------------------------------------------------------------------------------- */

/* The published numbers, 5^m [smallest and largest adjacent] + sorted labels to the base 5, tell the same sets apart.
 */
static void test_types(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 11;
    leman_dataset *data = made_data(ctx, &random, MADE_SIZES, 60);
    for (lm_set_kind first = LM_SETS_PAIRS; first <= LM_SETS_TRIPLES; first++) {
        const uint32_t all[] = {0, 1, 2, 3, 4};
        const lm_set_kind second = first == LM_SETS_PAIRS ? LM_SETS_TRIPLES : LM_SETS_NONE;
        batched m = batched_new(ctx, data, first, second, all, MADE_GRAPHS);
        for (size_t list = 0; list < LM_LISTS && m.encoding->options.sets[list]; list++) {
            const lm_listing *l = m.batch.listed + list;
            uint32_t type_of[2 * 125];
            size_t types = 0;
            memset(type_of, 0xff, sizeof type_of);
            for (size_t r = 0; r < m.batch.extent.rows[LM_LISTED + list]; r++) {
                uint64_t sorted[3] = {0};
                bool joined = false;
                const uint32_t *v = l->member + r * l->members;
                for (size_t i = 0; i < l->members; i++) {
                    size_t below = 0;
                    const int64_t *label = leman_dataset_graph(data, 0).vertex_label; /* the batch is the data */
                    for (size_t j = 0; j < l->members; j++)
                        below += label[v[j]] < label[v[i]] || (label[v[j]] == label[v[i]] && j < i);
                    sorted[below] = (uint64_t)label[v[i]];
                }
                for (uint32_t e = m.batch.leaving_start[v[0]]; e < m.batch.leaving_start[v[0] + 1]; e++)
                    joined = joined || m.batch.head[e] == v[l->members - 1];
                uint64_t key = 0;
                for (size_t i = 0; i < l->members; i++) key = key * 5 + sorted[i];
                key += joined ? l->members == 2 ? 25 : 125 : 0;
                if (type_of[key] == UINT32_MAX) type_of[key] = l->type[r], types++;
                assert_int_equal(type_of[key], l->type[r]);
            }
            assert_int_equal(types, m.encoding->widths.set_types[list]);
        }
        batched_free(&m);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Batches --------------------------------------------------------------------------------- */

/* Rows of a batch are those of its graphs, one after the other, each with its own vertices and neighbours. */
static void test_batches(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    uint64_t random = 5;
    leman_dataset *data = made_data(ctx, &random, MADE_SIZES, 50);
    const uint32_t which[] = {4, 1, 0, 3, 4};
    batched m = batched_new(ctx, data, LM_SETS_PAIRS, LM_SETS_TRIPLES, which, 5);
    const lm_batch *b = &m.batch;
    for (size_t list = 0; list < LM_LISTS; list++) {
        const lm_listing *l = b->listed + list;
        const lm_sets *s = m.inputs->sets + list;
        size_t row = 0, entry = 0;
        for (size_t i = 0; i < 5; i++) {
            const uint64_t first = s->first[which[i]], sets = s->first[which[i] + 1] - first;
            assert_int_equal(b->start[LM_LISTED + list][i], row);
            for (uint64_t r = 0; r < sets; r++) {
                for (size_t j = 0; j < l->members; j++)
                    assert_int_equal(l->member[(row + r) * l->members + j],
                                     b->start[LM_VERTICES][i] + s->member[(first + r) * l->members + j]);
                for (uint32_t e = l->start[row + r]; e < l->start[row + r + 1]; e++, entry++)
                    assert_int_equal(l->neighbor[e],
                                     row +
                                         s->neighbor[s->link[which[i]] + s->start[first + r] + e - l->start[row + r]]);
            }
            row += sets;
        }
        assert_int_equal(row, b->extent.rows[LM_LISTED + list]);
        assert_int_equal(entry, b->extent.rows[LM_LINKS + list]);
        size_t seen = 0;
        for (uint32_t v = 0; v < b->extent.rows[LM_VERTICES]; v++)
            for (uint32_t e = l->row_start[v]; e < l->row_start[v + 1]; e++, seen++) {
                bool has = false;
                for (size_t j = 0; j < l->members; j++) has = has || l->member[l->row[e] * l->members + j] == v;
                assert_true(has && (e == l->row_start[v] || l->row[e - 1] < l->row[e]));
            }
        assert_int_equal(seen, row * l->members);
    }
    batched_free(&m);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Budgets --------------------------------------------------------------------------------- */

/* A star has as many 3-sets as pairs of leaves: refused by a sentence before they are looked for. */
static void test_too_many(void **state)
{
    (void)state;
    const leman_columns columns = {0};
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    lm_sets sets = {0};
    enum { LEAVES = 3000 };
    settings.threads = 1;
    settings.memory = 16 << 20;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    assert_int_equal(leman_builder_new(ctx, "star", &columns, &builder), LEMAN_OK);
    assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
    for (size_t v = 0; v <= LEAVES; v++) assert_int_equal(leman_builder_vertex(builder, NULL, NULL, NULL), LEMAN_OK);
    for (size_t v = 1; v <= LEAVES; v++) assert_int_equal(leman_builder_edge(builder, 0, v, NULL, NULL), LEMAN_OK);
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    for (lm_set_kind kind = LM_SETS_PAIRS; kind <= LM_SETS_TRIPLES; kind++) {
        assert_int_equal(lm_sets_compute(ctx, data, kind, &sets), LEMAN_ERROR_BUDGET);
        /* 3001 * 3000 / 2 pairs of 8 bytes; 3000 * 2999 / 2 paths through the centre, of 16 */
        assert_non_null(strstr(leman_context_message(ctx),
                               kind == LM_SETS_PAIRS
                                   ? "a graph of 3001 vertices has 4501500 2-sets, which need 34.3 MiB"
                                   : "a graph of 3001 vertices has 4498500 paths of length two, which need 68.6 MiB"));
        assert_non_null(strstr(leman_context_message(ctx), "the memory budget is 16.0 MiB"));
        assert_null(sets.member);
    }
    leman_dataset_free(data);
    leman_context_free(ctx);
}

static leman_status find(leman_context *ctx, void *state)
{
    leman_dataset *data = NULL;
    lm_sets sets = {0};
    leman_status st = leman_dataset_generate(ctx, LEMAN_FAMILY_CYCLES, NULL, &data);
    if (!st) st = lm_sets_compute(ctx, data, *(lm_set_kind *)state, &sets);
    lm_sets_free(&sets);
    leman_dataset_free(data);
    return st;
}

static void test_failing_allocations(void **state)
{
    (void)state;
    for (lm_set_kind kind = LM_SETS_PAIRS; kind <= LM_SETS_TRIPLES; kind++)
        assert_true(test_fail_each_allocation(find, &kind) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brute_force), cmocka_unit_test(test_degrees_of_pairs),
        cmocka_unit_test(test_types),       cmocka_unit_test(test_batches),
        cmocka_unit_test(test_too_many),    cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
