/* Molecules: plausible, twins that colour refinement cannot tell apart and that differ, a target that can be recomputed
 * from the graph. */
#include "graph/families.h"
#include "support/graphs.h"
#include <math.h>

enum { COUNT = 400 };

typedef struct twins {
    leman_context *ctx;
    leman_dataset *data, *other; /* the same molecules, each with the other core */
} twins;

static twins twins_new(size_t graphs, size_t vertices, uint64_t seed)
{
    twins t = {.ctx = test_context_new(1)};
    leman_family_options o = leman_family_options_default();
    o.graphs = graphs;
    o.vertices = vertices;
    o.seed = seed;
    t.data = test_made(t.ctx, LEMAN_FAMILY_MOLECULES, &o);
    assert_int_equal(lm_family_generate(t.ctx, LEMAN_FAMILY_MOLECULES, &o, true, &t.other), LEMAN_OK);
    assert_int_equal(leman_dataset_check(t.ctx, t.other), LEMAN_OK);
    return t;
}

static void twins_free(twins *t)
{
    leman_dataset_free(t->data);
    leman_dataset_free(t->other);
    test_context_free(t->ctx);
}

/* ---- Chemistry ------------------------------------------------------------------------------- */

static int64_t valence(int64_t element)
{
    switch (element) {
    case 6: return 4;
    case 7: return 3;
    case 8: return 2;
    case 9: return 1;
    case 16: return 2;
    case 17: return 1;
    }
    fail_msg("atomic number %d", (int)element);
    return 0;
}

static void test_molecules_are_plausible(void **state)
{
    (void)state;
    enum { MANY = 4000 };
    twins t = twins_new(MANY, 0, 1);
    size_t element[18] = {0}, order[4] = {0}, sizes[64] = {0}, different = 0;
    for (size_t i = 0; i < MANY; i++) {
        leman_graph g = leman_dataset_graph(t.data, i);
        assert_in_range(g.vertices, 12, 28);
        assert_int_equal(test_reached(&g, 0), g.vertices);
        sizes[g.vertices]++;
        for (size_t v = 0; v < g.vertices; v++) {
            int64_t used = 0, multiple = 0;
            for (uint64_t e = g.start[v]; e < g.start[v + 1]; e++) {
                assert_in_range(g.edge_label[e], 1, 3);
                used += g.edge_label[e];
                multiple += g.edge_label[e] > 1;
                order[g.edge_label[e]]++;
                assert_true(g.vertex_label[v] == 6 || g.vertex_label[g.head[e]] == 6); /* one end is carbon */
            }
            assert_true(used <= valence(g.vertex_label[v]) && multiple <= 1);
            element[g.vertex_label[v]]++;
        }
    }
    for (size_t i = 0; i < 64; i++) different += sizes[i] > 0;
    assert_true(different >= 10);
    for (int i = 1; i <= 3; i++) assert_true(order[i] > 0);
    for (int i = 0; i < 18; i++) assert_int_equal(element[i] > 0, i == 6 || i == 7 || i == 8 || i == 9 || i >= 16);
    twins_free(&t);
}

static void test_size_follows_the_option(void **state)
{
    (void)state;
    static const size_t SIZES[] = {10, 11, 13, 40, 200, 1000};
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        twins t = twins_new(20, SIZES[i], 7);
        for (size_t j = 0; j < 20; j++) {
            leman_graph g = leman_dataset_graph(t.data, j);
            size_t min = SIZES[i] * 3 / 5 - 1;
            assert_in_range(g.vertices, min < 10 ? 10 : min, SIZES[i] * 7 / 5);
            assert_int_equal(test_reached(&g, 0), g.vertices);
        }
        twins_free(&t);
    }
    leman_family_options o = leman_family_options_default();
    o.vertices = 9;
    test_refused(LEMAN_FAMILY_MOLECULES, &o, "9 vertices, expected at least 10");
}

/* ---- Colour refinement, by its definition ---------------------------------------------------- */

enum { MAX = 128 }; /* vertices of two graphs together */

typedef struct signature {
    size_t color, count;
    struct {
        int64_t label;
        size_t color;
    } neighbour[16]; /* sorted */
} signature;

static signature signature_of(const leman_graph *g, size_t v, const size_t *color)
{
    signature s = {.color = color[v]};
    for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
        size_t i = s.count++, c = color[g->head[e]];
        int64_t label = g->edge_label[e];
        for (; i > 0 && (s.neighbour[i - 1].label > label ||
                         (s.neighbour[i - 1].label == label && s.neighbour[i - 1].color > c));
             i--)
            s.neighbour[i] = s.neighbour[i - 1];
        s.neighbour[i].label = label;
        s.neighbour[i].color = c;
    }
    return s;
}

static bool same_signature(const signature *a, const signature *b)
{
    bool same = a->color == b->color && a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++)
        same = a->neighbour[i].label == b->neighbour[i].label && a->neighbour[i].color == b->neighbour[i].color;
    return same;
}

/* One round over the disjoint union of g and h: a colour is the smallest vertex with the same signature. Returns the
 * number of colours. */
static size_t refine(const leman_graph *g, const leman_graph *h, size_t *color)
{
    static signature all[MAX];
    size_t colors = 0, total = g->vertices + h->vertices;
    for (size_t v = 0; v < total; v++)
        all[v] = v < g->vertices ? signature_of(g, v, color) : signature_of(h, v - g->vertices, color + g->vertices);
    for (size_t v = 0; v < total; v++) {
        color[v] = 0;
        while (!same_signature(&all[v], &all[color[v]])) color[v]++;
        colors += color[v] == v;
    }
    return colors;
}

/* Equal histograms of the stable colours? */
static bool equivalent(const leman_graph *g, const leman_graph *h)
{
    size_t color[MAX], before = 0, colors = 1, total = g->vertices + h->vertices;
    assert_true(total <= MAX);
    for (size_t v = 0; v < total; v++)
        color[v] = (size_t)(v < g->vertices ? g->vertex_label[v] : h->vertex_label[v - g->vertices]);
    while (colors > before) {
        before = colors;
        colors = refine(g, h, color);
    }
    for (size_t c = 0; c < total; c++) {
        long balance = 0;
        for (size_t v = 0; v < total; v++) balance += color[v] != c ? 0 : v < g->vertices ? 1 : -1;
        if (balance) return false;
    }
    return true;
}

static void test_twins_are_equivalent(void **state)
{
    (void)state;
    static const size_t SIZES[] = {0, 10, 13, 30, 44};
    for (size_t s = 0; s < sizeof SIZES / sizeof *SIZES; s++) {
        twins t = twins_new(COUNT, SIZES[s], s);
        size_t distinguished = 0;
        for (size_t i = 0; i < COUNT; i++) {
            leman_graph g = leman_dataset_graph(t.data, i), h = leman_dataset_graph(t.other, i);
            leman_graph next = leman_dataset_graph(t.data, (i + 1) % COUNT);
            assert_int_equal(leman_dataset_classes(t.data)[i] + leman_dataset_classes(t.other)[i], 1);
            assert_true(equivalent(&g, &h));
            distinguished += !equivalent(&g, &next);
        }
        assert_true(distinguished > COUNT / 2); /* the oracle does distinguish molecules */
        twins_free(&t);
    }
}

/* Small molecules meet: there are many pairs that colour refinement takes for the same and whose classes differ, about
 * as many as those whose classes agree. */
static void test_class_is_independent_of_colours(void **state)
{
    (void)state;
    twins t = twins_new(COUNT, 11, 3);
    const int64_t *classes = leman_dataset_classes(t.data);
    size_t agree = 0, differ = 0;
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < i; j++) {
            leman_graph g = leman_dataset_graph(t.data, i), h = leman_dataset_graph(t.data, j);
            if (g.vertices != h.vertices || g.arcs != h.arcs || !equivalent(&g, &h)) continue;
            agree += classes[i] == classes[j];
            differ += classes[i] != classes[j];
        }
    assert_true(agree > 30 && differ > 30);
    assert_true(agree < 2 * differ && differ < 2 * agree);
    twins_free(&t);
}

static void test_classes_are_balanced(void **state)
{
    (void)state;
    twins t = twins_new(10000, 12, 1);
    const int64_t *classes = leman_dataset_classes(t.data);
    int64_t ones = 0, changes = 0;
    for (size_t i = 0; i < 10000; i++) {
        assert_in_range(classes[i], 0, 1);
        ones += classes[i];
        changes += i && classes[i] != classes[i - 1];
    }
    assert_in_range(ones, 4750, 5250); /* five deviations */
    assert_in_range(changes, 4750, 5250);
    twins_free(&t);
}

/* ---- Cycles ---------------------------------------------------------------------------------- */

enum { LONGEST = 6 };

typedef struct search {
    const leman_graph *g;
    size_t length, path[LONGEST];
    size_t cycles;
    double weighted; /* sum of 1 + h/4, h heteroatoms in the cycle */
} search;

/* Paths from the smallest vertex of the cycle; each cycle is found in its two directions. */
static void extend(search *s, size_t count)
{
    size_t last = s->path[count - 1];
    if (count == s->length || count == LONGEST) {
        size_t heteroatoms = 0;
        for (size_t i = 0; i < count; i++) heteroatoms += s->g->vertex_label[s->path[i]] != 6;
        s->cycles += test_joined(s->g, last, s->path[0]);
        if (test_joined(s->g, last, s->path[0])) s->weighted += 1 + 0.25 * (double)heteroatoms;
        return;
    }
    for (uint64_t e = s->g->start[last]; e < s->g->start[last + 1]; e++) {
        size_t v = s->g->head[e];
        bool fresh = v > s->path[0];
        for (size_t i = 0; i < count; i++) fresh &= s->path[i] != v;
        s->path[count] = v;
        if (fresh) extend(s, count + 1);
    }
}

static size_t cycles_of(const leman_graph *g, size_t length, double *weighted)
{
    search s = {.g = g, .length = length};
    for (s.path[0] = 0; s.path[0] < g->vertices; s.path[0]++) extend(&s, 1);
    *weighted = s.weighted / 2;
    return s.cycles / 2;
}

/* Linked: two cycles of five more; fused: two of six more. And what local 2-WL sees: closed walks of length five. */
static void test_twins_are_not_isomorphic(void **state)
{
    (void)state;
    twins t = twins_new(COUNT, 0, 5);
    for (size_t i = 0; i < COUNT; i++) {
        bool fused = leman_dataset_classes(t.data)[i];
        leman_graph linked_graph = leman_dataset_graph(fused ? t.other : t.data, i);
        leman_graph fused_graph = leman_dataset_graph(fused ? t.data : t.other, i);
        double ignored, walks[6], difference = 0;
        assert_int_equal(cycles_of(&linked_graph, 5, &ignored), cycles_of(&fused_graph, 5, &ignored) + 2);
        assert_int_equal(cycles_of(&linked_graph, 6, &ignored) + 2, cycles_of(&fused_graph, 6, &ignored));
        for (size_t v = 0; v < linked_graph.vertices; v++) {
            test_closed_walks(&linked_graph, v, 5, walks);
            difference += walks[5];
            test_closed_walks(&fused_graph, v, 5, walks);
            difference -= walks[5];
        }
        assert_true(difference == 20);
    }
    twins_free(&t);
}

/* ---- Target ---------------------------------------------------------------------------------- */

/* The formula of docs/generators.md, from the graph alone. */
static double target_of(const leman_graph *g)
{
    static const double ATOM[18] = {[6] = 0.2, [7] = -0.7, [8] = -0.6, [9] = 0.3, [16] = 0.25, [17] = 0.5};
    static const double BOND[4] = {0, 0, -0.15, -0.3};
    double sum = 0, weighted;
    for (size_t v = 0; v < g->vertices; v++) sum += ATOM[g->vertex_label[v]];
    for (uint64_t e = g->start[0]; e < g->start[g->vertices]; e++) sum += BOND[g->edge_label[e]] / 2;
    cycles_of(g, 3, &weighted);
    sum += 0.6 * weighted;
    cycles_of(g, 5, &weighted);
    sum += 0.4 * weighted;
    cycles_of(g, 6, &weighted);
    return sum - 0.2 * weighted;
}

/* Twins differ in it by 0.6 (2 + h/4), h heteroatoms in the rings of the core: no regression on the colours of colour
 * refinement gets below half of that. */
static void test_target(void **state)
{
    (void)state;
    twins t = twins_new(COUNT, 0, 11);
    for (size_t i = 0; i < COUNT; i++) {
        leman_graph g = leman_dataset_graph(t.data, i), h = leman_dataset_graph(t.other, i);
        double a = leman_dataset_targets(t.data)[i], b = leman_dataset_targets(t.other)[i], heteroatoms = 0;
        assert_true(fabs(a - target_of(&g)) < 1e-9);
        assert_true(fabs(b - target_of(&h)) < 1e-9);
        for (size_t v = 0; v < 10; v++) heteroatoms += g.vertex_label[v] != 6;
        assert_true(fabs(fabs(a - b) - 0.6 * (2 + heteroatoms / 4)) < 1e-9);
    }
    twins_free(&t);
}

static void test_default_is_small(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_made(ctx, LEMAN_FAMILY_MOLECULES, NULL);
    const leman_shape *shape = leman_dataset_shape(data);
    assert_int_equal(shape->graphs, 200);
    assert_int_equal(shape->columns->vertex_labels, 1);
    assert_int_equal(shape->columns->edge_labels, 1);
    assert_int_equal(shape->columns->targets, 1);
    assert_true(shape->columns->classes);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_molecules_are_plausible),
        cmocka_unit_test(test_size_follows_the_option),
        cmocka_unit_test(test_twins_are_equivalent),
        cmocka_unit_test(test_class_is_independent_of_colours),
        cmocka_unit_test(test_classes_are_balanced),
        cmocka_unit_test(test_twins_are_not_isomorphic),
        cmocka_unit_test(test_target),
        cmocka_unit_test(test_default_is_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
