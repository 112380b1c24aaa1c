/*
 * Set networks in double precision against their definition, written slowly: a matrix for every arc, every pair and
 * every three vertices tried, neighbours of sets found by comparing all of them, one-hot types side by side with means.
 * Then gradients against finite differences, and what the networks must not see.
 */
#include "nn/made.h"

static const leman_network_kind KINDS[] = {LEMAN_NETWORK_KIND_GNN12, LEMAN_NETWORK_KIND_GNN13,
                                           LEMAN_NETWORK_KIND_GNN123};
enum { COUNT = sizeof KINDS / sizeof *KINDS, MOST_SETS = 64, WIDE = 64, HIDDEN = 128 };

/* ---- The definition -------------------------------------------------------------------------- */

/* A weight by its name. */
static const lm_real *weight(const made *m, const char *format, size_t number, const char *rest)
{
    char name[128];
    snprintf(name, sizeof name, format, number, rest);
    for (uint32_t i = 0; i < m->program->weights.count; i++)
        if (!strcmp(lm_program_weight(m->program, i)->name, name))
            return m->run.weights + lm_program_weight(m->program, i)->offset;
    fail_msg("there is no weight %s", name);
    return NULL;
}

static double elu(double x)
{
    return x > 0 ? x : expm1(x);
}

typedef double rows[MOST_SETS][WIDE];

/* to = W x + b; b may be NULL. */
static void map(const lm_real *w, const lm_real *b, size_t inputs, size_t outputs, const double *x, double *to)
{
    for (size_t o = 0; o < outputs; o++) {
        to[o] = b ? (double)b[o] : 0;
        for (size_t i = 0; i < inputs; i++) to[o] += (double)w[o * inputs + i] * x[i];
    }
}

/* Hidden numbers of an arc: from its reals, or the row of its label. */
static void hidden_of(const made *m, size_t layer, uint32_t arc, double *h)
{
    const lm_batch *b = &m->batch;
    const lm_real *bias = weight(m, "layer%zu.edge.linear1.bias%s", layer, "");
    if (b->arc_labels) {
        const lm_real *table = weight(m, "layer%zu.edge.linear1.table%s", layer, "");
        for (size_t k = 0; k < HIDDEN; k++)
            h[k] = fmax(0, (double)bias[k] + (double)table[b->arc_label[arc] * HIDDEN + k]);
        return;
    }
    double reals[WIDE];
    for (size_t c = 0; c < b->arc_attributes; c++) reals[c] = (double)b->arc_attribute[arc * b->arc_attributes + c];
    map(weight(m, "layer%zu.edge.linear1.weight%s", layer, ""), bias, b->arc_attributes, HIDDEN, reals, h);
    for (size_t k = 0; k < HIDDEN; k++) h[k] = fmax(0, h[k]);
}

/* x of the vertices of graph g after all layers; returns its width. */
static size_t vertices(const made *m, size_t g, rows x)
{
    const lm_batch *b = &m->batch;
    const size_t first = b->start[LM_VERTICES][g], n = b->start[LM_VERTICES][g + 1] - first;
    size_t inputs = b->vertex_attributes;
    for (size_t v = 0; v < n; v++)
        for (size_t c = 0; c < inputs; c++) x[v][c] = (double)b->vertex_attribute[(first + v) * inputs + c];
    for (size_t t = 1; t <= m->options.shape.layers; t++) {
        const size_t outputs = t > 1 ? m->options.shape.width : m->options.shape.width / 2;
        const lm_real *maps = weight(m, "layer%zu.edge.maps%s", t, "");
        static rows y;
        for (size_t v = 0; v < n; v++) {
            map(weight(m, "layer%zu.root.%s", t, "weight"), weight(m, "layer%zu.root.%s", t, "bias"), inputs, outputs,
                x[v], y[v]);
            for (uint32_t a = b->leaving_start[first + v]; a < b->leaving_start[first + v + 1]; a++) {
                double h[HIDDEN], theta[WIDE][WIDE];
                hidden_of(m, t, a, h);
                for (size_t i = 0; i < inputs; i++)
                    for (size_t o = 0; o < outputs; o++) {
                        theta[i][o] = (double)maps[o * inputs + i];
                        for (size_t k = 0; k < HIDDEN; k++)
                            theta[i][o] += h[k] * (double)maps[((k + 1) * outputs + o) * inputs + i];
                    }
                for (size_t i = 0; i < inputs; i++)
                    for (size_t o = 0; o < outputs; o++) y[v][o] += x[b->head[a] - first][i] * theta[i][o];
            }
        }
        for (size_t v = 0; v < n; v++)
            for (size_t o = 0; o < outputs; o++) x[v][o] = elu(y[v][o]);
        inputs = outputs;
    }
    return inputs;
}

/* The sets of a graph, found by trying. */
typedef struct found {
    size_t sets, members, v[MOST_SETS][3];
    bool adjacent[8][8];
} found;

static found sets_of(const made *m, size_t g, size_t members)
{
    const lm_batch *b = &m->batch;
    const size_t first = b->start[LM_VERTICES][g], n = b->start[LM_VERTICES][g + 1] - first;
    found f = {.members = members};
    for (size_t v = 0; v < n; v++)
        for (uint32_t a = b->leaving_start[first + v]; a < b->leaving_start[first + v + 1]; a++)
            f.adjacent[v][b->head[a] - first] = f.adjacent[b->head[a] - first][v] = true;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            for (size_t k = members == 3 ? j + 1 : 0; k < (members == 3 ? n : 1); k++) {
                const int edges = f.adjacent[i][j] + f.adjacent[i][k] + f.adjacent[j][k];
                if (members == 3 && edges < 2) continue;
                f.v[f.sets][0] = i, f.v[f.sets][1] = j, f.v[f.sets++][2] = k;
            }
    return f;
}

static bool are_neighbors(const found *f, size_t s, size_t t)
{
    size_t gone = 0, out = 0, in = 0;
    for (size_t i = 0; i < f->members; i++) {
        bool kept = false, old = false;
        for (size_t j = 0; j < f->members; j++) {
            kept |= f->v[t][j] == f->v[s][i];
            old |= f->v[s][j] == f->v[t][i];
        }
        if (!kept) out = f->v[s][i], gone++;
        if (!old) in = f->v[t][i];
    }
    return gone == 1 && f->adjacent[out][in];
}

/* The mean over the sets of list i of graph g into to[width]. */
static void mean_of_sets(const made *m, size_t g, size_t list, rows x, double *to)
{
    const size_t width = m->options.shape.width, members = m->batch.listed[list].members;
    const size_t types = m->encoding->widths.set_types[list], first = m->batch.start[LM_LISTED + list][g];
    const found f = sets_of(m, g, members);
    static double y[MOST_SETS][2 * WIDE], z[MOST_SETS][WIDE];
    assert_int_equal(f.sets, m->batch.start[LM_LISTED + list][g + 1] - first);
    for (size_t s = 0; s < f.sets; s++) {
        memset(y[s], 0, sizeof y[s]);
        for (size_t j = 0; j < members; j++)
            for (size_t c = 0; c < width; c++) y[s][c] += x[f.v[s][j]][c] / (double)members;
        y[s][width + m->batch.listed[list].type[first + s]] = 1;
    }
    for (size_t t = 1; t <= 2; t++) {
        char prefix[64];
        snprintf(prefix, sizeof prefix, "sets%zu.layer%zu", members, t);
        for (size_t s = 0; s < f.sets; s++) {
            size_t degree = 0;
            double sum[2 * WIDE] = {0};
            const size_t inputs = t > 1 ? width : width + types;
            for (size_t other = 0; other < f.sets; other++) {
                if (!are_neighbors(&f, s, other)) continue;
                degree++;
                for (size_t c = 0; c < inputs; c++) sum[c] += y[other][c];
            }
            for (size_t o = 0; o < width; o++) {
                char name[128];
                snprintf(name, sizeof name, "%s.own.bias", prefix);
                z[s][o] = (double)weight(m, name, 0, "")[o];
                for (size_t both = 0; both < 2; both++) { /* W on the mean, W_own on the set */
                    const double *in = both ? y[s] : sum, share = both || !degree ? 1 : 1 / (double)degree;
                    snprintf(name, sizeof name, "%s.%s.weight", prefix, both ? "own" : "neighbors");
                    const lm_real *w = weight(m, name, 0, "");
                    for (size_t c = 0; c < width; c++) z[s][o] += share * (double)w[o * width + c] * in[c];
                    if (t > 1) continue;
                    snprintf(name, sizeof name, "%s.%s.table", prefix, both ? "own" : "neighbors");
                    const lm_real *table = weight(m, name, 0, "");
                    for (size_t c = 0; c < types; c++) z[s][o] += share * (double)table[c * width + o] * in[width + c];
                }
            }
        }
        for (size_t s = 0; s < f.sets; s++)
            for (size_t o = 0; o < width; o++) y[s][o] = elu(z[s][o]);
    }
    for (size_t o = 0; o < width; o++) {
        to[o] = 0;
        for (size_t s = 0; s < f.sets; s++) to[o] += y[s][o] / (double)f.sets;
    }
}

static void predict(const made *m, size_t g, double *out)
{
    static rows x;
    const size_t n = m->batch.start[LM_VERTICES][g + 1] - m->batch.start[LM_VERTICES][g];
    const size_t width = vertices(m, g, x), outputs[] = {width, 32, m->options.outputs};
    double pooled[3 * WIDE] = {0}, next[3 * WIDE];
    size_t inputs = width;
    for (size_t v = 0; v < n; v++)
        for (size_t c = 0; c < width; c++) pooled[c] += x[v][c] / (double)n;
    for (size_t list = 0; list < LM_LISTS && m->batch.listed[list].members; list++, inputs += width)
        mean_of_sets(m, g, list, x, pooled + inputs);
    for (size_t t = 0; t < 3; t++) {
        map(weight(m, "head.linear%zu.%s", t + 1, "weight"), weight(m, "head.linear%zu.%s", t + 1, "bias"), inputs,
            outputs[t], pooled, next);
        for (size_t o = 0; o < outputs[t]; o++) pooled[o] = t < 2 ? elu(next[o]) : next[o];
        inputs = outputs[t];
    }
    memcpy(out, pooled, m->options.outputs * sizeof *out);
}

static leman_architecture shape_of(leman_network_kind kind, leman_preset preset)
{
    leman_architecture shape = made_shape(kind, 1, preset);
    shape.layers = 3;
    return shape;
}

static void test_definition(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT; k++)
        for (int preset = LEMAN_PRESET_ZINC; preset <= LEMAN_PRESET_TU; preset++)
            for (uint64_t seed = 1; seed < 4; seed++) {
                leman_context *ctx = test_context_new(1);
                uint64_t random = seed;
                leman_dataset *data = made_graphs(ctx, &random, MADE_SIZES, 30 + 15 * (unsigned)seed, seed == 3);
                made m;
                made_new(&m, ctx, data, shape_of(KINDS[k], (leman_preset)preset), MADE_GRAPHS, LM_INFER, seed);
                made_forward(&m, false);
                lm_real *given = made_predictions(&m);
                for (size_t g = 0; g < MADE_GRAPHS; g++) {
                    double expected[MADE_CLASSES];
                    predict(&m, g, expected);
                    for (size_t o = 0; o < m.options.outputs; o++)
                        check_close((double)given[g * m.options.outputs + o], expected[o], 1e-9,
                                    made_text(&m.options.shape));
                }
                free(given);
                made_free(&m);
                leman_dataset_free(data);
                test_context_free(ctx);
            }
}

/* ---- Gradients ------------------------------------------------------------------------------- */

static void test_differences(void **state)
{
    static const lm_mode MODES[] = {LM_WHOLE, LM_TRAIN, LM_RECOMPUTE};
    (void)state;
    for (size_t k = 0; k < COUNT; k++)
        for (size_t mode = 0; mode < 3; mode++) {
            leman_context *ctx = test_context_new(1);
            uint64_t random = 7;
            leman_dataset *data = made_data(ctx, &random, MADE_SIZES, 50);
            made m;
            made_new(&m, ctx, data, shape_of(KINDS[k], mode == 1 ? LEMAN_PRESET_ZINC : LEMAN_PRESET_QM9), MADE_GRAPHS,
                     MODES[mode], 11);
            for (size_t i = 0; i < m.run.numbers; i++) m.run.weights[i] *= (lm_real)0.3; /* ELU not in its tail */
            check_differences(&m.run, &m.batch, mode ? 3 : 20, made_text(&m.options.shape));
            made_free(&m);
            leman_dataset_free(data);
            test_context_free(ctx);
        }
}

/* ---- What must not matter -------------------------------------------------------------------- */

/* Vertices of each graph in the opposite order. */
static leman_dataset *reversed(leman_context *ctx, const leman_dataset *data)
{
    const leman_columns columns = *leman_dataset_shape(data)->columns;
    leman_builder *builder = NULL;
    leman_dataset *out = NULL;
    assert_int_equal(leman_builder_new(ctx, "reversed", &columns, &builder), LEMAN_OK);
    for (size_t i = 0; i < MADE_GRAPHS; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        assert_int_equal(leman_builder_graph(builder, NULL, leman_dataset_classes(data) + i,
                                             leman_dataset_targets(data) + i * MADE_TARGETS),
                         LEMAN_OK);
        for (size_t v = g.vertices; v-- > 0;)
            assert_int_equal(leman_builder_vertex(builder, NULL, g.vertex_label + v, g.vertex_attribute + 5 * v),
                             LEMAN_OK);
        for (size_t v = 0; v < g.vertices; v++)
            for (uint64_t a = g.start[v]; a < g.start[v + 1]; a++)
                if (g.head[a] > v)
                    assert_int_equal(leman_builder_edge(builder, g.vertices - 1 - v, g.vertices - 1 - g.head[a],
                                                        g.edge_label + a, g.edge_attribute + a),
                                     LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &out), LEMAN_OK);
    leman_builder_free(builder);
    return out;
}

/* Row of the set that has these vertices of the batch, in any order. */
static size_t row_of(const lm_listing *l, size_t rows_, const uint32_t *set)
{
    for (size_t r = 0; r < rows_; r++) {
        size_t same = 0;
        for (size_t i = 0; i < l->members; i++)
            for (size_t j = 0; j < l->members; j++) same += l->member[r * l->members + i] == set[j];
        if (same == l->members) return r;
    }
    fail_msg("a set is not there");
    return 0;
}

/* Types of 2-sets do not depend on the numbering. Reversing moves neither the smallest nor the largest vertex of a
 * 3-set out of the pair that its published type looks at: so these too are the same, and so are predictions. */
static void test_numbering(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT; k++) {
        leman_context *ctx = test_context_new(1);
        uint64_t random = 19;
        leman_dataset *data = made_data(ctx, &random, MADE_SIZES, 50), *other = reversed(ctx, data);
        lm_inputs *inputs = NULL;
        made m;
        made_new(&m, ctx, data, shape_of(KINDS[k], LEMAN_PRESET_QM9), MADE_GRAPHS, LM_INFER, 43);
        made_forward(&m, false);
        lm_real *one = made_predictions(&m);
        assert_int_equal(lm_inputs_new(ctx, other, m.encoding, &inputs), LEMAN_OK);
        assert_int_equal(lm_inputs_batch(inputs, m.which, MADE_GRAPHS, &m.batch), LEMAN_OK);
        made_forward(&m, false);
        lm_real *two = made_predictions(&m);
        check_same(one, two, MADE_GRAPHS * MADE_TARGETS, 1e-10, made_text(&m.options.shape));
        free(one), free(two);
        lm_inputs_free(inputs);
        made_free(&m);
        leman_dataset_free(data);
        leman_dataset_free(other);
        test_context_free(ctx);
    }
}

/* Any order: vertices of each graph of the batch rotated by one. The types of sets, of which those of 3-sets may
 * change, are carried over from the first batch; nothing else may matter. */
static leman_dataset *rotated(leman_context *ctx, const leman_dataset *data)
{
    const leman_columns columns = *leman_dataset_shape(data)->columns;
    leman_builder *builder = NULL;
    leman_dataset *out = NULL;
    assert_int_equal(leman_builder_new(ctx, "rotated", &columns, &builder), LEMAN_OK);
    for (size_t i = 0; i < MADE_GRAPHS; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        assert_int_equal(leman_builder_graph(builder, NULL, leman_dataset_classes(data) + i,
                                             leman_dataset_targets(data) + i * MADE_TARGETS),
                         LEMAN_OK);
        for (size_t p = 0; p < g.vertices; p++) { /* at place p stands vertex p + 1 */
            const size_t v = (p + 1) % g.vertices;
            assert_int_equal(leman_builder_vertex(builder, NULL, g.vertex_label + v, g.vertex_attribute + 5 * v),
                             LEMAN_OK);
        }
        for (size_t v = 0; v < g.vertices; v++)
            for (uint64_t a = g.start[v]; a < g.start[v + 1]; a++)
                if (g.head[a] > v)
                    assert_int_equal(leman_builder_edge(builder, (v + g.vertices - 1) % g.vertices,
                                                        (g.head[a] + g.vertices - 1) % g.vertices, g.edge_label + a,
                                                        g.edge_attribute + a),
                                     LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &out), LEMAN_OK);
    leman_builder_free(builder);
    return out;
}

static void test_rotation(void **state)
{
    (void)state;
    size_t changed = 0;
    for (size_t k = 0; k < COUNT; k++) {
        leman_context *ctx = test_context_new(1);
        uint64_t random = 23;
        leman_dataset *data = made_data(ctx, &random, MADE_SIZES, 60), *other = rotated(ctx, data);
        lm_inputs *inputs = NULL;
        lm_batch b;
        made m;
        lm_batch_init(ctx, &b);
        made_new(&m, ctx, data, shape_of(KINDS[k], LEMAN_PRESET_QM9), MADE_GRAPHS, LM_INFER, 43);
        made_forward(&m, false);
        lm_real *one = made_predictions(&m);
        assert_int_equal(lm_inputs_new(ctx, other, m.encoding, &inputs), LEMAN_OK);
        inputs->target = leman_dataset_targets(other), inputs->targets = MADE_TARGETS;
        assert_int_equal(lm_inputs_batch(inputs, m.which, MADE_GRAPHS, &b), LEMAN_OK);
        for (size_t list = 0; list < LM_LISTS && b.listed[list].members; list++) {
            const lm_listing *from = m.batch.listed + list, *to = b.listed + list;
            for (size_t g = 0; g < MADE_GRAPHS; g++)
                for (size_t r = b.start[LM_LISTED + list][g]; r < b.start[LM_LISTED + list][g + 1]; r++) {
                    const uint32_t first = b.start[LM_VERTICES][g], n = b.start[LM_VERTICES][g + 1] - first;
                    uint32_t set[3];
                    for (size_t j = 0; j < to->members; j++)
                        set[j] = first + (to->member[r * to->members + j] - first + 1) % n;
                    const uint32_t type = from->type[row_of(from, m.batch.extent.rows[LM_LISTED + list], set)];
                    if (to->members == 2) assert_int_equal(to->type[r], type);
                    changed += to->type[r] != type;
                    to->type[r] = type;
                }
        }
        assert_int_equal(lm_executor_forward(m.run.executor, &b, false, 1), LEMAN_OK);
        lm_real *two = made_predictions(&m);
        check_same(one, two, MADE_GRAPHS * MADE_TARGETS, 1e-10, made_text(&m.options.shape));
        free(one), free(two);
        lm_batch_free(&b);
        lm_inputs_free(inputs);
        made_free(&m);
        leman_dataset_free(data);
        leman_dataset_free(other);
        test_context_free(ctx);
    }
    assert_true(changed); /* the published types of 3-sets do depend on the numbering */
}

/* The other graphs of a batch. */
static void test_batches(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT; k++) {
        leman_context *ctx = test_context_new(1);
        uint64_t random = 29;
        leman_dataset *data = made_data(ctx, &random, MADE_SIZES, 50);
        made m;
        made_new(&m, ctx, data, shape_of(KINDS[k], LEMAN_PRESET_ALCHEMY), MADE_GRAPHS, LM_INFER, 43);
        made_forward(&m, false);
        lm_real *all = made_predictions(&m);
        for (uint32_t g = 0; g < MADE_GRAPHS; g++) {
            made_batch(&m, &g, 1);
            made_forward(&m, false);
            lm_real *alone = made_predictions(&m);
            check_same(alone, all + g * MADE_TARGETS, MADE_TARGETS, 1e-12, made_text(&m.options.shape));
            free(alone);
        }
        free(all);
        made_free(&m);
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition), cmocka_unit_test(test_differences), cmocka_unit_test(test_numbering),
        cmocka_unit_test(test_rotation),   cmocka_unit_test(test_batches),
    };
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
