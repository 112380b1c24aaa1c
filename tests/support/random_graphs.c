#include "support/random_graphs.h"
#include "support/support.h"

static bool chance(uint64_t *state, unsigned percent)
{
    return test_random(state) % 100 < percent;
}

random_graph_kind random_graph_kind_draw(uint64_t *state)
{
    random_graph_kind kind = {.directed = chance(state, 40)};
    kind.loops = chance(state, 30);
    if (chance(state, 50)) kind.vertex_labels = 2 + (unsigned)(test_random(state) % 2);
    if (chance(state, 50)) kind.edge_labels = 2 + (unsigned)(test_random(state) % 2);
    if (kind.vertex_labels) kind.vertex_columns = 1 + chance(state, 30);
    if (kind.edge_labels) kind.edge_columns = 1 + chance(state, 30);
    return kind;
}

/* Labels around zero, so that negative ones occur. */
static void draw_labels(uint64_t *state, unsigned values, int64_t *label)
{
    for (size_t i = 0; i < RANDOM_GRAPH_COLUMNS; i++)
        label[i] = values ? (int64_t)(test_random(state) % values) - 1 : 0;
}

static void set_arc(const random_graph_kind *kind, random_graph *g, size_t u, size_t v, bool there,
                    const int64_t *label)
{
    g->arc[u][v] = there;
    memcpy(g->arc_label[u][v], label, sizeof g->arc_label[u][v]);
    if (kind->directed) return;
    g->arc[v][u] = there;
    memcpy(g->arc_label[v][u], label, sizeof g->arc_label[v][u]);
}

/* The pattern: m vertices, each pair joined with some probability, or a path. An arc (a, a) means: complete inside. */
static void draw_pattern(uint64_t *state, const random_graph_kind *kind, size_t m, bool twins, random_graph *p)
{
    static const unsigned densities[] = {0, 15, 30, 50, 80, 100};
    unsigned density = densities[test_random(state) % 6], inside = twins ? 40 : 20;
    bool path = chance(state, 25);
    *p = (random_graph){.n = m};
    for (size_t a = 0; a < m; a++) {
        draw_labels(state, kind->vertex_labels, p->label[a]);
        for (size_t b = kind->directed ? 0 : a; b < m; b++) {
            int64_t label[RANDOM_GRAPH_COLUMNS];
            draw_labels(state, kind->edge_labels, label);
            set_arc(kind, p, a, b, a == b ? chance(state, inside) : path ? b == a + 1 : chance(state, density), label);
        }
    }
}

static void blow_up(const random_graph_kind *kind, const random_graph *p, const size_t *class, const bool *loop,
                    random_graph *g)
{
    for (size_t u = 0; u < g->n; u++) {
        memcpy(g->label[u], p->label[class[u]], sizeof g->label[u]);
        for (size_t v = 0; v < g->n; v++) {
            size_t a = class[u], b = class[v];
            bool there = u == v ? kind->loops && loop[a] : p->arc[a][b];
            g->arc[u][v] = there;
            memcpy(g->arc_label[u][v], p->arc_label[a][b], sizeof g->arc_label[u][v]);
        }
    }
}

void random_graph_draw(uint64_t *state, const random_graph_kind *kind, size_t n, bool twins, random_graph *out)
{
    random_graph pattern;
    size_t class[RANDOM_GRAPH_MAX];
    bool loop[RANDOM_GRAPH_MAX], blown = twins || chance(state, 40);
    assert_true(n <= RANDOM_GRAPH_MAX);
    size_t m = blown ? 1 + (size_t)(test_random(state) % (n / 3 + 2)) : n;
    *out = (random_graph){.n = n};
    draw_pattern(state, kind, m < RANDOM_GRAPH_MAX ? m : RANDOM_GRAPH_MAX, twins, &pattern);
    for (size_t u = 0; u < n; u++) class[u] = blown ? (size_t)(test_random(state) % pattern.n) : u;
    for (size_t a = 0; a < pattern.n; a++) loop[a] = chance(state, 40);
    blow_up(kind, &pattern, class, loop, out);
}

void random_graph_toggle(const random_graph_kind *kind, random_graph *g, size_t u, size_t v)
{
    if (u == v && !kind->loops) return;
    int64_t label[RANDOM_GRAPH_COLUMNS];
    memcpy(label, g->arc_label[u][v], sizeof label);
    set_arc(kind, g, u, v, !g->arc[u][v], label);
}

void random_graph_shuffle(uint64_t *state, size_t n, size_t *place)
{
    for (size_t i = 0; i < n; i++) {
        size_t j = (size_t)(test_random(state) % (i + 1));
        place[i] = place[j];
        place[j] = i;
    }
}

void random_graph_relabel(const random_graph *g, const size_t *place, random_graph *out)
{
    *out = (random_graph){.n = g->n};
    for (size_t u = 0; u < g->n; u++) {
        memcpy(out->label[place[u]], g->label[u], sizeof g->label[u]);
        for (size_t v = 0; v < g->n; v++) {
            out->arc[place[u]][place[v]] = g->arc[u][v];
            memcpy(out->arc_label[place[u]][place[v]], g->arc_label[u][v], sizeof g->arc_label[u][v]);
        }
    }
}

void random_graph_draw_family(uint64_t *state, const random_graph_kind *kind, size_t n, bool twins, size_t count,
                              random_graph *out)
{
    for (size_t i = 0; i < count; i++) {
        if (!i || chance(state, 40)) {
            random_graph_draw(state, kind, chance(state, 60) ? n : (size_t)(test_random(state) % (n + 1)), twins,
                              out + i);
            continue;
        }
        size_t place[RANDOM_GRAPH_MAX];
        random_graph_shuffle(state, out[i - 1].n, place);
        random_graph_relabel(out + i - 1, place, out + i);
        if (out[i].n && chance(state, 50)) {
            const size_t u = (size_t)(test_random(state) % out[i].n), v = (size_t)(test_random(state) % out[i].n);
            random_graph_toggle(kind, out + i, u, v);
        }
    }
}

leman_dataset *random_graph_dataset(leman_context *ctx, const random_graph_kind *kind, const random_graph *graph,
                                    size_t count)
{
    leman_columns columns = {.vertex_labels = kind->vertex_labels ? kind->vertex_columns : 0,
                             .edge_labels = kind->edge_labels ? kind->edge_columns : 0};
    leman_policy policy = leman_policy_default();
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    policy.directed = kind->directed;
    policy.self_loops = LEMAN_ACTION_KEEP;
    assert_int_equal(leman_builder_new(ctx, "random", &columns, &builder), LEMAN_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(leman_builder_graph(builder, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 0; v < graph[i].n; v++)
            assert_int_equal(leman_builder_vertex(builder, NULL, graph[i].label[v], NULL), LEMAN_OK);
        for (size_t u = 0; u < graph[i].n; u++)
            for (size_t v = kind->directed ? 0 : u; v < graph[i].n; v++)
                if (graph[i].arc[u][v])
                    assert_int_equal(leman_builder_edge(builder, u, v, graph[i].arc_label[u][v], NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, &policy, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}
