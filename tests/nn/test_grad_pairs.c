/*
 * Pair networks against the words of their definition (src/nn/pairs.c), on all pairs and on connected ones: lists of
 * messages between pairs, a row for every message, on the tape. Layers, predictions, losses and the gradients of all
 * weights, in double precision, in training and in prediction.
 */
#include "nn/explicit_compare.h"

enum { MOST = 4096 };

/* The pairs of a batch: row[g][u * n + v], or SIZE_MAX for a pair that does not exist. */
typedef struct pairs {
    explicit_net *e;
    size_t first[MADE_GRAPHS], rows, *row[MADE_GRAPHS];
} pairs;

static pairs pairs_new(explicit_net *e)
{
    pairs p = {.e = e};
    for (size_t i = 0; i < MADE_GRAPHS; i++) {
        const leman_graph g = leman_dataset_graph(e->m->data, e->m->which[i]);
        p.first[i] = p.rows;
        p.rows += explicit_rows(e->m, &g, &p.row[i]);
    }
    return p;
}

static void pairs_free(pairs *p)
{
    for (size_t i = 0; i < MADE_GRAPHS; i++) free(p->row[i]);
}

/* The row of (u, v), or of (v, u) if swapped. */
static size_t row_of(const pairs *p, size_t graph, size_t n, size_t u, size_t v, bool swapped)
{
    const size_t row = p->row[graph][swapped ? v * n + u : u * n + v];
    return row == SIZE_MAX ? SIZE_MAX : p->first[graph] + row;
}

/* ---- Input ----------------------------------------------------------------------------------- */

static size_t distance(const leman_graph *g, size_t u, size_t v, size_t most)
{
    bool reached[16] = {false}, next[16];
    reached[u] = true;
    for (size_t d = 0; d < most; d++) {
        if (reached[v]) return d;
        memcpy(next, reached, sizeof next);
        for (size_t a = 0; a < g->vertices; a++)
            for (size_t b = 0; reached[a] && b < g->vertices; b++) next[b] = next[b] || explicit_joined(g, a, b);
        memcpy(reached, next, sizeof reached);
    }
    return most;
}

static tape_node *plus(explicit_net *e, tape_node *x, tape_node *y)
{
    return x && y ? tape_add(&e->t, x, y) : x ? x : y;
}

static tape_node *input_of(const pairs *p)
{
    explicit_net *e = p->e;
    const lm_batch *b = &e->m->batch;
    const bool sparse = e->m->options.shape.components;
    size_t second[MOST], far[MOST], vertex = 0;
    for (size_t i = 0; i < MADE_GRAPHS; i++) {
        const leman_graph g = leman_dataset_graph(e->m->data, e->m->which[i]);
        for (size_t u = 0; u < g.vertices; u++)
            for (size_t v = 0; v < g.vertices; v++) {
                const size_t row = row_of(p, i, g.vertices, u, v, false);
                if (row != SIZE_MAX) second[row] = vertex + v, far[row] = distance(&g, u, v, 5);
            }
        vertex += g.vertices;
    }
    tape_node *labels = explicit_one_hot(e, b->vertex_type, b->extent.rows[LM_VERTICES], e->m->encoding->widths.types);
    tape_node *h = tape_gather(&e->t, tape_product(&e->t, labels, explicit_weight(e, "input.vertex", "table"), false),
                               second, p->rows);
    tape_node *distances = explicit_weight(e, "input.distance", "table");
    if (distances) h = tape_add(&e->t, h, tape_gather(&e->t, distances, far, p->rows));
    if (b->vertex_attributes) {
        tape_node *a = explicit_leaf(e, b->extent.rows[LM_VERTICES], b->vertex_attributes, b->vertex_attribute);
        tape_node *map = tape_product(&e->t, a, explicit_weight(e, "input.vertex", "weight"), true);
        map = tape_add(&e->t, map, explicit_weight(e, "input.vertex", "bias"));
        h = tape_add(&e->t, h, tape_gather(&e->t, map, second, p->rows));
    }
    const size_t reals = e->m->encoding->widths.tuple_reals;
    const lm_real *real = sparse ? b->listed[0].attribute : b->tuple_attribute;
    return reals ? tape_add(&e->t, h, explicit_linear(e, "input", "pair", explicit_leaf(e, p->rows, reals, real))) : h;
}

/* ---- Layers ---------------------------------------------------------------------------------- */

typedef struct messages {
    size_t from[MOST], to[MOST], arc[MOST], edge[MOST], count;
} messages;

/* For every pair x and every neighbour w of component `j` of x: x with w there sends to x, and `edge` is the pair of the
 * component and w, in the order of the folklore part. */
static void list_messages(const pairs *p, size_t j, bool entering, messages *l)
{
    const lm_batch *b = &p->e->m->batch;
    size_t vertex = 0;
    l->count = 0;
    for (size_t i = 0; i < MADE_GRAPHS; i++) {
        const leman_graph g = leman_dataset_graph(p->e->m->data, p->e->m->which[i]);
        const size_t n = g.vertices;
        for (uint32_t a = b->start[LM_ARCS][i]; a < b->start[LM_ARCS][i + 1]; a++) {
            const size_t tail = b->tail[a] - vertex, head = b->head[a] - vertex;
            const size_t own = entering ? head : tail, w = entering ? tail : head;
            for (size_t other = 0; other < n; other++) {
                const size_t to = row_of(p, i, n, own, other, j), from = row_of(p, i, n, w, other, j);
                if (to == SIZE_MAX || from == SIZE_MAX) continue;
                l->to[l->count] = to;
                l->from[l->count] = from;
                l->arc[l->count] = a;
                l->edge[l->count++] = row_of(p, i, n, own, w, j); /* (u, w) of folklore1, (w, v) of folklore2 */
            }
        }
        vertex += n;
    }
    assert_true(l->count < MOST);
}

/* The sum of ReLU(sent + E + C h) over the messages. */
static tape_node *sum_messages(const pairs *p, const char *scope, size_t j, bool entering, tape_node *sent,
                               tape_node *edges)
{
    static messages l;
    explicit_net *e = p->e;
    const lm_batch *b = &e->m->batch;
    const size_t arcs = b->extent.rows[LM_ARCS];
    char of[80];
    snprintf(of, sizeof of, "%s%s", scope, entering ? ".entering" : "");
    list_messages(p, j, entering, &l);
    tape_node *labels = explicit_weight(e, of, "labels.table"), *m = tape_gather(&e->t, sent, l.from, l.count);
    tape_node *of_arcs = NULL;
    if (labels)
        of_arcs =
            tape_product(&e->t, explicit_one_hot(e, b->arc_label, arcs, e->m->encoding->widths.labels), labels, false);
    if (b->arc_attributes)
        of_arcs = plus(e, of_arcs,
                       explicit_linear(e, of, "reals", explicit_leaf(e, arcs, b->arc_attributes, b->arc_attribute)));
    m = tape_add(&e->t, m, tape_gather(&e->t, of_arcs, l.arc, l.count));
    if (edges) m = tape_add(&e->t, m, tape_gather(&e->t, edges, l.edge, l.count));
    return tape_scatter(&e->t, tape_relu(&e->t, m), l.to, p->rows);
}

/* The sum over all pairs with another component `j`, or the pair of two equal vertices. */
static tape_node *sum_line(const pairs *p, size_t j, bool diagonal, tape_node *h)
{
    static messages l;
    explicit_net *e = p->e;
    l.count = 0;
    for (size_t i = 0; i < MADE_GRAPHS; i++) {
        const size_t n = leman_dataset_graph(e->m->data, e->m->which[i]).vertices;
        for (size_t own = 0; own < n; own++)
            for (size_t other = 0; other < n; other++)
                for (size_t w = 0; w < n; w++) {
                    const size_t to = row_of(p, i, n, own, other, j), from = row_of(p, i, n, w, other, j);
                    if (to == SIZE_MAX || from == SIZE_MAX || (diagonal && w != other)) continue;
                    l.to[l.count] = to;
                    l.from[l.count++] = from;
                }
    }
    assert_true(l.count < MOST);
    return tape_scatter(&e->t, tape_gather(&e->t, h, l.from, l.count), l.to, p->rows);
}

static tape_node *part_of(const pairs *p, size_t layer, size_t part, size_t local, tape_node *h)
{
    explicit_net *e = p->e;
    const size_t width = h->columns, j = part % 2;
    char scope[64], of[48];
    snprintf(of, sizeof of, "layer%zu", layer + 1);
    snprintf(scope, sizeof scope, "layer%zu.%s", layer + 1, leman_layer_part_name(part));
    tape_node *s, *edges = NULL, *sent = NULL;
    if (part < 2) sent = tape_columns(&e->t, explicit_linear(e, of, "message", h), local * width, width);
    if (part / 2 == 1) sent = explicit_linear(e, of, "moved", h), edges = explicit_linear(e, of, "edge", h);
    if (sent) {
        s = sum_messages(p, scope, j, false, sent, edges);
        if (e->m->options.shape.in_arcs) s = tape_add(&e->t, s, sum_messages(p, scope, j, true, sent, edges));
    } else {
        s = sum_line(p, j, part >= 6, h);
    }
    s = tape_add(&e->t, s, tape_add(&e->t, h, tape_times(&e->t, h, explicit_weight(e, scope, "epsilon"))));
    return tape_product(&e->t, s, explicit_weight(e, scope, "linear1.weight"), true);
}

static tape_node *second_half(explicit_net *e, const char *scope, tape_node *z)
{
    z = tape_relu(&e->t, explicit_norm(e, scope, "norm1", z));
    z = tape_product(&e->t, z, explicit_weight(e, scope, "linear2.weight"), true);
    return tape_relu(&e->t, explicit_norm(e, scope, "norm", z));
}

static tape_node *layer_of(const pairs *p, size_t layer, unsigned parts, tape_node *h)
{
    tape_node *mapped[LEMAN_LAYER_PARTS];
    size_t count = 0;
    char scope[48];
    for (size_t part = 0; part < LEMAN_LAYER_PARTS; part++)
        if (parts >> part & 1) mapped[count] = part_of(p, layer, part, part && parts & 1, h), count++;
    snprintf(scope, sizeof scope, "layer%zu", layer + 1);
    return second_half(p->e, scope, tape_join(&p->e->t, mapped, count));
}

/* x[u] = the second half of M_0 (sum over v of h[u,v]). */
static tape_node *vertices_of(const pairs *p, tape_node *h)
{
    explicit_net *e = p->e;
    size_t first[MOST], vertex = 0;
    for (size_t i = 0; i < MADE_GRAPHS; i++) {
        const size_t n = leman_dataset_graph(e->m->data, e->m->which[i]).vertices;
        for (size_t k = 0; k < n * n; k++)
            if (p->row[i][k] != SIZE_MAX) first[p->first[i] + p->row[i][k]] = vertex + k / n;
        vertex += n;
    }
    tape_node *x = tape_scatter(&e->t, h, first, vertex);
    x = tape_product(&e->t, x, explicit_weight(e, "readout", "linear1.weight"), true);
    return second_half(e, "readout", x);
}

static void run(explicit_net *e, made *m, unsigned parts, bool training)
{
    size_t size[MADE_MAX], *owner = explicit_owner(m, false, size);
    memset(e, 0, sizeof *e);
    e->m = m, e->training = training;
    pairs p = pairs_new(e);
    tape_node *h = input_of(&p);
    for (size_t layer = 0; layer < m->options.shape.layers; layer++)
        e->layer[layer] = h = layer_of(&p, layer, parts, h);
    tape_node *x = explicit_mean(e, vertices_of(&p, h), owner, size);
    e->prediction = explicit_linear(e, "head", "linear2", tape_relu(&e->t, explicit_linear(e, "head", "linear1", x)));
    tape_node *target = explicit_leaf(e, MADE_GRAPHS, m->batch.targets, m->batch.target);
    e->loss = tape_l1(&e->t, e->prediction, target->value);
    tape_walk_back(&e->t, e->loss);
    pairs_free(&p);
    free(owner);
}

/* ---- Comparison ------------------------------------------------------------------------------ */

static void compare(leman_architecture shape, unsigned parts, uint64_t seed, bool directed)
{
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = made_graphs(ctx, &seed, MADE_SIZES, directed ? 30 : 50, directed);
    made m;
    static explicit_net e;
    made_new(&m, ctx, data, shape, MADE_GRAPHS, LM_WHOLE, seed);
    const char *what = made_text(&m.options.shape);
    const double loss = check_pass(&m.run, &m.batch);
    run(&e, &m, parts, true);
    explicit_compare_values(&m, &e, what);
    explicit_same(e.loss->value, &(lm_real){(lm_real)loss}, 1, what, "loss");
    for (uint32_t i = 0; i < m.program->weights.count; i++) {
        const lm_weight *w = lm_program_weight(m.program, i);
        if (!w->trainable || !strcmp(w->name, "readout.epsilon")) continue; /* which no step uses */
        if (!e.weight[i]) fail_msg("%s: %s is not used", what, w->name);
        explicit_same(e.weight[i]->gradient, m.run.gradients + w->offset, w->rows * w->columns, what, w->name);
    }
    tape_free(&e.t);
    assert_int_equal(lm_executor_weights_read(m.run.executor, m.run.weights), LEMAN_OK);
    made_forward(&m, false);
    run(&e, &m, parts, false);
    explicit_compare_values(&m, &e, what);
    tape_free(&e.t);
    made_free(&m);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static const struct {
    leman_network_kind kind;
    unsigned own, parts;
} NETWORK[] = {{LEMAN_NETWORK_KIND_LOCAL2, 0, 1 | 2 | 16},
               {LEMAN_NETWORK_KIND_FOLKLORE2, 0, 4 | 8 | 16},
               {LEMAN_NETWORK_KIND_SUBGRAPH, 0, 2 | 32},
               {LEMAN_NETWORK_KIND_SSWL_PLUS, 0, 1 | 2 | 64},
               {LEMAN_NETWORK_KIND_LOCAL2, 2 | 4 | 32 | 128, 2 | 4 | 32 | 128}};
enum { NETWORKS = sizeof NETWORK / sizeof *NETWORK };

static void on_pairs(size_t components)
{
    for (size_t i = 0; i < NETWORKS; i++)
        for (int directed = 0; directed < 3; directed++) { /* the last time with entering arcs */
            leman_architecture shape = made_shape(NETWORK[i].kind, 2, LEMAN_PRESET_ZINC);
            shape.layer_parts = NETWORK[i].own;
            shape.components = components;
            shape.in_arcs = directed == 2;
            compare(shape, NETWORK[i].parts, 3 + i, directed);
        }
}

static void test_all_pairs(void **unused)
{
    (void)unused;
    on_pairs(0);
}

static void test_connected_pairs(void **unused)
{
    (void)unused;
    on_pairs(1);
}

/* Attributes of vertices and edges, and the reals of encodings of pairs, which are compared with their definition
 * elsewhere. */
static void test_reals(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < 4; i++) {
        leman_architecture shape = made_shape(NETWORK[i].kind, 2, LEMAN_PRESET_ZINC);
        shape.components = 1;
        shape.attributes = i % 2 ? LEMAN_ATTRIBUTE_USE_RAW : LEMAN_ATTRIBUTE_USE_STANDARDIZED;
        shape.encodings =
            i < 2 ? LEMAN_PAIR_ENCODING_DISTANCE | LEMAN_PAIR_ENCODING_WALK : LEMAN_PAIR_ENCODING_RESISTANCE;
        shape.walk = i < 2 ? 3 : 0;
        compare(shape, NETWORK[i].parts, 31 + i, i % 2);
    }
}

/* The reals of the pairs of a sparse set are those of the same pairs in the network on all pairs. */
static void test_rows(void **unused)
{
    (void)unused;
    for (int directed = 0; directed < 2; directed++) {
        leman_context *ctx = test_context_new(1);
        uint64_t state = 19;
        leman_dataset *data = made_graphs(ctx, &state, MADE_SIZES, 40, directed);
        leman_architecture shape = made_shape(LEMAN_NETWORK_KIND_LOCAL2, 2, LEMAN_PRESET_ZINC);
        shape.attributes = LEMAN_ATTRIBUTE_USE_RAW;
        shape.encodings = LEMAN_PAIR_ENCODING_DISTANCE | LEMAN_PAIR_ENCODING_WALK | LEMAN_PAIR_ENCODING_RESISTANCE;
        made all, sparse;
        made_new(&all, ctx, data, shape, MADE_GRAPHS, LM_INFER, 1);
        shape.components = 1;
        made_new(&sparse, ctx, data, shape, MADE_GRAPHS, LM_INFER, 1);
        const lm_listing *l = sparse.batch.listed;
        const size_t width = l->attributes;
        assert_int_equal(width, all.batch.tuple_attributes);
        size_t row = 0, *there;
        for (size_t i = 0; i < MADE_GRAPHS; i++) {
            const leman_graph g = leman_dataset_graph(data, i);
            explicit_rows(&sparse, &g, &there);
            for (size_t v = 0; v < g.vertices * g.vertices; v++) {
                const size_t from = all.batch.start[LM_TUPLES][i] + v;
                if (there[v] == SIZE_MAX) continue;
                assert_int_equal(l->type[row], all.batch.count[from]); /* distances */
                for (size_t c = 0; c < width; c++)
                    check_close((double)l->attribute[row * width + c],
                                (double)all.batch.tuple_attribute[from * width + c], 1e-12, "real");
                row++;
            }
            free(there);
        }
        assert_int_equal(row, sparse.batch.extent.rows[LM_LISTED]);
        made_free(&all);
        made_free(&sparse);
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_pairs), cmocka_unit_test(test_connected_pairs),
                                       cmocka_unit_test(test_reals), cmocka_unit_test(test_rows)};
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests_name("pair networks", tests, NULL, NULL);
}
