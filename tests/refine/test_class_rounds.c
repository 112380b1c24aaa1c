/*
 * Rounds by classes, in graphs that are large enough for them. Two slow oracles: colour refinement by its definition,
 * with lists of neighbours and no hash, for the partition of every round; rounds over all vertices, which other tests
 * compare with the definition of the numbers, for the colours.
 */
#include "refine/refine.h"
#include "support/rounds.h"

enum { VERTICES = 4200, LONGEST = 90 };

/* ---- Graphs that take many rounds ------------------------------------------------------------ */

typedef struct shape {
    unsigned vertex_labels, edge_labels;
    bool directed, loops;
    unsigned pieces; /* different ones */
} shape;

static void add_edge(leman_builder *b, uint64_t *state, const shape *s, const uint32_t *place, size_t u, size_t v)
{
    const int64_t label = s->edge_labels ? (int64_t)(test_random(state) % 20 / (20 - s->edge_labels)) : 0;
    assert_int_equal(leman_builder_edge(b, place[u], place[v], &label, NULL), LEMAN_OK);
}

/* Joins vertices first .. first + n - 1: a path, a tree, a band of a grid, or a few random edges. */
static void add_piece(leman_builder *b, uint64_t *state, const shape *s, const uint32_t *place, size_t first, size_t n)
{
    const unsigned kind = (unsigned)(test_random(state) % 4);
    for (size_t i = 1; i < n; i++) {
        if (kind == 0) add_edge(b, state, s, place, first + i - 1, first + i);
        if (kind == 1) add_edge(b, state, s, place, first + test_random(state) % i, first + i);
        if (kind == 2 && i % 3) add_edge(b, state, s, place, first + i - 1, first + i);
        if (kind == 2 && i >= 3) add_edge(b, state, s, place, first + i - 3, first + i);
        if (kind == 3 && i % 2) add_edge(b, state, s, place, first + test_random(state) % n, first + i);
    }
}

static leman_dataset *make_graph(leman_context *ctx, uint64_t *state, const shape *s)
{
    leman_columns columns = {.vertex_labels = s->vertex_labels > 0, .edge_labels = s->edge_labels > 0};
    leman_policy policy = leman_policy_default();
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    const uint64_t begin = test_random(state);
    uint32_t place[VERTICES];
    policy.directed = s->directed;
    policy.self_loops = s->loops ? LEMAN_ACTION_KEEP : LEMAN_ACTION_REMOVE;
    assert_int_equal(leman_builder_new(ctx, "pieces", &columns, &builder), LEMAN_OK);
    assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
    for (uint32_t v = 0; v < VERTICES; v++) {
        const int64_t label = s->vertex_labels && test_random(state) % 50 == 0;
        const size_t other = test_random(state) % (v + UINT64_C(1));
        place[v] = v;
        place[v] = place[other];
        place[other] = v;
        assert_int_equal(leman_builder_vertex(builder, NULL, &label, NULL), LEMAN_OK);
    }
    for (size_t first = 0, n, piece = 0; first < VERTICES; first += n, piece++) {
        uint64_t own =
            begin + piece % s->pieces; /* pieces with one number are isomorphic, but for labels of vertices */
        n = 2 + test_random(&own) % (2 * LONGEST);
        if (n > VERTICES - first) n = VERTICES - first;
        add_piece(builder, &own, s, place, first, n);
    }
    assert_int_equal(leman_builder_finish(builder, &policy, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

static shape draw_shape(uint64_t *state)
{
    const uint64_t bits = test_random(state);
    return (shape){.vertex_labels = bits & 1,
                   .edge_labels = bits & 2 ? 2 : 0,
                   .directed = bits & 4,
                   .loops = bits & 8,
                   .pieces = bits & 16 ? 100 : 5};
}

/* ---- The definition -------------------------------------------------------------------------- */

/* What a vertex sees: its class, then the sorted (direction, label, class) of its arcs. */
typedef struct view {
    uint32_t vertex;
    size_t count;
    uint64_t *seen;
} view;

static int compare_words(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

static int compare_views(const void *x, const void *y)
{
    const view *a = x, *b = y;
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    for (size_t i = 0; i < a->count; i++)
        if (a->seen[i] != b->seen[i]) return a->seen[i] < b->seen[i] ? -1 : 1;
    return 0;
}

typedef struct definition {
    view view[VERTICES];
    uint64_t *words;
    uint32_t class[VERTICES];
    size_t classes;
} definition;

static void number_views(definition *d)
{
    qsort(d->view, VERTICES, sizeof *d->view, compare_views);
    d->classes = 0;
    for (size_t i = 0; i < VERTICES; i++) {
        d->classes += !i || compare_views(d->view + i - 1, d->view + i);
        d->class[d->view[i].vertex] = (uint32_t)d->classes;
    }
}

static uint64_t word(unsigned direction, const leman_graph *g, const leman_coloring *c, uint64_t e, uint64_t class)
{
    const uint64_t label = g->edge_labels && !c->ignore_edge_labels ? (uint64_t)g->edge_label[e] + 1 : 0;
    return (uint64_t)direction << 60 | label << 40 | class;
}

/* In round 0 a vertex sees its label and its own loop; `first` says so. */
static void next_round(definition *d, const leman_graph *g, const leman_coloring *c, bool first)
{
    size_t fill[VERTICES] = {0}, at = 0;
    for (uint32_t v = 0; v < VERTICES; v++)
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) fill[v]++, fill[g->head[e]]++;
    for (uint32_t v = 0; v < VERTICES; v++) {
        const uint64_t label = g->vertex_labels && !c->ignore_vertex_labels ? (uint64_t)g->vertex_label[v] : 0;
        d->view[v] = (view){.vertex = v, .count = 1, .seen = d->words + at};
        d->view[v].seen[0] = first ? label : d->class[v];
        at += fill[v] + 1;
    }
    for (uint32_t v = 0; v < VERTICES; v++)
        for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            view *tail = d->view + v, *head = d->view + g->head[e];
            if (first && g->head[e] == v) tail->seen[tail->count++] = word(1, g, c, e, 0);
            if (first) continue;
            tail->seen[tail->count++] = word(1, g, c, e, d->class[g->head[e]]);
            if (g->directed && c->in_arcs) head->seen[head->count++] = word(2, g, c, e, d->class[v]);
        }
    for (uint32_t v = 0; v < VERTICES; v++)
        qsort(d->view[v].seen + 1, d->view[v].count - 1, sizeof *d->view[v].seen, compare_words);
    number_views(d);
}

static void test_partitions(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    definition *d = malloc(sizeof *d);
    size_t long_ones = 0;
    assert_non_null(d);
    for (size_t i = 0, cases = test_cases(12); i < cases; i++) {
        uint64_t state = 400 + i;
        const shape s = draw_shape(&state);
        leman_dataset *data = make_graph(ctx, &state, &s);
        const leman_graph g = leman_dataset_graph(data, 0);
        leman_coloring c = test_variant(2, 1, LEMAN_STABLE);
        c.in_arcs = test_random(&state) % 2;
        c.ignore_edge_labels = test_random(&state) % 3 == 0;
        leman_census *census = test_census(ctx, data, &c);
        d->words = malloc((2 * g.arcs + VERTICES) * sizeof *d->words);
        assert_non_null(d->words);
        for (uint32_t r = 0; r < census->rounds; r++) {
            next_round(d, &g, &c, !r);
            assert_int_equal(census->round[r].colors, d->classes);
            assert_int_equal(census->round[r].pairs, d->classes);
        }
        next_round(d, &g, &c, false);
        assert_int_equal(census->round[census->rounds - 1].colors, d->classes);
        assert_int_equal(census->stable_round, census->rounds - 1);
        long_ones += census->rounds > LM_FIRST_CLASS_ROUND + 10;
        free(d->words);
        leman_census_free(census);
        leman_dataset_free(data);
    }
    assert_true(long_ones > 0);
    free(d);
    test_context_free(ctx);
}

/* ---- The colours ----------------------------------------------------------------------------- */

/* Compares every round of the histogram, and the colours of all vertices in some rounds, with rounds over all vertices.
 * Returns true if classes were used. */
static bool check_colors(leman_context *ctx, const leman_graph *g, const leman_coloring *asked, uint64_t *state)
{
    leman_coloring c;
    leman_histogram *h = test_histogram(ctx, g, asked);
    lm_refinement plain, own;
    const lm_demand demand = {"the graph", .graphs = 1, .by_classes = true, .budget = UINT64_MAX};
    assert_int_equal(lm_coloring_check(ctx, asked, &c), LEMAN_OK);
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    assert_int_equal(lm_refinement_open(ctx, g, &c, false, NULL, &plain), LEMAN_OK);
    assert_int_equal(lm_refinement_open(ctx, g, &c, true, &demand, &own), LEMAN_OK);
    for (uint32_t r = 0; r < h->rounds; r++) {
        if (r) assert_int_equal(lm_refinement_step(&plain), LEMAN_OK);
        if (r) assert_int_equal(lm_refinement_step(&own), LEMAN_OK);
        assert_int_equal(own.histogram.count, plain.histogram.count);
        assert_true(own.stable == plain.stable);
        for (size_t i = 0; i < own.histogram.count; i++)
            assert_int_equal(own.histogram.color[i], plain.colors[own.histogram.tuple[i]]);
        if (!test_counts_agree(h, r, plain.colors, VERTICES))
            fail_msg("%s: the histogram does not count the vertices", test_coloring_text(&c, r));
        if (test_random(state) % 8 && r + 1 < h->rounds) continue;
        uint64_t *colors = test_tuple_colors(ctx, g, asked, r);
        assert_memory_equal(colors, plain.colors, VERTICES * sizeof *colors);
        free(colors);
    }
    const bool by_classes = own.classes && own.classes->begun && own.round > LM_FIRST_CLASS_ROUND;
    lm_arena_reset(&ctx->scratch, mark);
    leman_histogram_free(h);
    return by_classes;
}

static void test_colors(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    size_t by_classes = 0;
    const size_t cases = test_cases(12);
    for (size_t i = 0; i < cases; i++) {
        uint64_t state = 900 + i;
        shape s = draw_shape(&state);
        if (i % 2 == 0) s.pieces = 5, s.vertex_labels = 0; /* few classes */
        leman_dataset *data = make_graph(ctx, &state, &s);
        const leman_graph g = leman_dataset_graph(data, 0);
        for (unsigned variant = 0; variant < TEST_VARIANTS; variant++) {
            leman_coloring c = test_variant(variant, 1, variant == 3 || i % 2 ? 12 : LEMAN_STABLE);
            c.in_arcs = test_random(&state) % 2;
            c.seed = test_random(&state) % 2;
            by_classes += check_colors(ctx, &g, &c, &state);
        }
        leman_dataset_free(data);
    }
    assert_true(by_classes > 0);
    test_context_free(ctx);
}

/* The hash is defined by the colours of the last round, as docs/color_definition.md says. */
static uint64_t slow_hash(leman_context *ctx, const leman_graph *g, const leman_coloring *c, uint32_t last)
{
    leman_histogram *h = NULL;
    leman_coloring until = *c;
    uint64_t sum = c->seed;
    until.rounds = last;
    h = test_histogram(ctx, g, &until);
    for (uint64_t i = h->start[last]; i < h->start[last + 1]; i++)
        sum += lm_mix(lm_mix(h->color[i].color) + h->color[i].count * lm_multiplier_of(LM_GRAPH_HASH, 0));
    leman_histogram_free(h);
    sum = lm_mix(sum + g->vertices * lm_multiplier_of(LM_GRAPH_HASH, 1));
    return lm_mix(sum + (2 * (uint64_t)last + g->directed) * lm_multiplier_of(LM_GRAPH_HASH, 2));
}

static void test_hashes(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(2);
    for (size_t i = 0, cases = test_cases(6); i < cases; i++) {
        uint64_t state = 70 + i;
        const shape s = draw_shape(&state);
        leman_dataset *data = make_graph(ctx, &state, &s);
        const leman_graph g = leman_dataset_graph(data, 0);
        leman_coloring c = test_variant(2, 1, LEMAN_STABLE);
        leman_graph_hash hash;
        c.in_arcs = g.directed;
        assert_int_equal(leman_graph_hashes(ctx, data, &c, &hash), LEMAN_OK);
        for (unsigned stream = 0; stream < 2; stream++) {
            c.seed = stream * LEMAN_HASH_SEED;
            assert_int_equal(hash.hash[stream], slow_hash(ctx, &g, &c, (uint32_t)hash.stable_round + 1));
        }
        leman_dataset_free(data);
    }
    test_context_free(ctx);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static leman_status count_colors(leman_context *ctx, void *state)
{
    leman_census *census = NULL;
    leman_coloring c = test_variant(2, 1, LEMAN_STABLE);
    const leman_status st = leman_census_compute(ctx, state, &c, true, &census);
    leman_census_free(census);
    return st;
}

static void test_each_allocation(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 3;
    leman_dataset *data = make_graph(ctx, &state, &(shape){.edge_labels = 2, .pieces = 9});
    assert_true(test_fail_each_allocation(count_colors, data) > 0);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Where classes do not fit, rounds over all vertices give the same numbers. */
static void test_budgets(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 5;
    leman_dataset *data = make_graph(ctx, &state, &(shape){.vertex_labels = 1, .pieces = 9});
    const leman_graph g = leman_dataset_graph(data, 0);
    leman_coloring c = test_variant(2, 1, LEMAN_STABLE), normal;
    assert_int_equal(lm_coloring_check(ctx, &c, &normal), LEMAN_OK);
    lm_demand demand = {"the graph", .graphs = 1, .by_classes = true, .budget = UINT64_MAX};
    lm_space_extent extent;
    assert_int_equal(lm_refinement_fits(ctx, &g, &normal, false, &demand, &extent), LEMAN_OK);
    assert_true(extent.by_classes);
    const uint64_t bytes = lm_refinement_bytes(&extent, &normal, false, 1);
    for (size_t i = 0; i < 2; i++) {
        lm_refinement r;
        demand.budget = i ? bytes : bytes - 1;
        SCRATCH_SCOPE(ctx);
        assert_int_equal(lm_refinement_open(ctx, &g, &normal, false, &demand, &r), LEMAN_OK);
        assert_true(i ? r.classes != NULL : !r.classes);
        while (!r.stable) assert_int_equal(lm_refinement_step(&r), LEMAN_OK);
        leman_histogram *h = test_histogram(ctx, &g, &c);
        assert_int_equal(r.round, h->rounds);
        assert_int_equal(r.histogram.pairs, h->start[h->rounds] - h->start[h->rounds - 1]);
        leman_histogram_free(h);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_partitions),      cmocka_unit_test(test_colors),  cmocka_unit_test(test_hashes),
        cmocka_unit_test(test_each_allocation), cmocka_unit_test(test_budgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
