/*
 * Entering arcs as a second relation. With every graph transposed (its arcs reversed) and the weights of the two
 * relations exchanged a model gives the same predictions: so what it does with entering arcs is what it does
 * with leaving ones, which test_grad_models.c holds against the definition. Then gradients against finite differences,
 * and that entering arcs are seen at all. (delta is not symmetric: its others are those that no arc leads to.)
 */
#include "nn/made.h"

static const double TOLERANCE = 1e-10;

/* The same graphs with every arc reversed. */
static leman_dataset *transposed(leman_context *ctx, const leman_dataset *data)
{
    const leman_columns columns = *leman_dataset_shape(data)->columns;
    leman_policy policy = leman_policy_default();
    leman_builder *builder = NULL;
    leman_dataset *out = NULL;
    policy.directed = true;
    assert_int_equal(leman_builder_new(ctx, "transposed", &columns, &builder), LEMAN_OK);
    for (size_t i = 0; i < MADE_GRAPHS; i++) {
        const leman_graph g = leman_dataset_graph(data, i);
        assert_int_equal(leman_builder_graph(builder, NULL, leman_dataset_classes(data) + i,
                                             leman_dataset_targets(data) + i * MADE_TARGETS),
                         LEMAN_OK);
        for (size_t v = 0; v < g.vertices; v++)
            assert_int_equal(leman_builder_vertex(builder, NULL, g.vertex_label + v, g.vertex_attribute + v * 5),
                             LEMAN_OK);
        for (size_t v = 0; v < g.vertices; v++)
            for (uint64_t a = g.start[v]; a < g.start[v + 1]; a++)
                assert_int_equal(leman_builder_edge(builder, g.head[a], v, g.edge_label + a, g.edge_attribute + a),
                                 LEMAN_OK);
    }
    assert_int_equal(leman_builder_finish(builder, &policy, NULL, &out), LEMAN_OK);
    leman_builder_free(builder);
    return out;
}

/* ---- Weights of the other relation ----------------------------------------------------------- */

static const lm_weight *named(const lm_program *p, const char *name)
{
    for (uint32_t i = 0; i < p->weights.count; i++)
        if (!strcmp(lm_program_weight(p, i)->name, name)) return lm_program_weight(p, i);
    return NULL;
}

/* The weight with `from` in its name replaced by `to`; NULL where there is no such weight. */
static const lm_weight *replaced(const lm_program *p, const char *name, const char *from, const char *to)
{
    const char *at = strstr(name, from);
    char other[256];
    if (!at) return NULL;
    snprintf(other, sizeof other, "%.*s%s%s", (int)(at - name), name, to, at + strlen(from));
    return named(p, other);
}

static const lm_weight *partner(const lm_program *p, const lm_weight *w)
{
    static const char *const WORDS[][2] = {{".local.", ".entering."},
                                           {"edge.maps", "entering.edge.maps"},
                                           {"1.epsilon", "1.entering.epsilon"},
                                           {"2.epsilon", "2.entering.epsilon"},
                                           {"1.linear1.table", "1.entering.linear1.table"}};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        for (size_t way = 0; way < 2; way++) {
            const lm_weight *other = replaced(p, w->name, WORDS[i][way], WORDS[i][!way]);
            if (other) return other;
        }
    return w;
}

static bool ends(const char *name, const char *end)
{
    return strlen(name) >= strlen(end) && !strcmp(name + strlen(name) - strlen(end), end);
}

/* The column of a weight that takes the place of column c once the relations are exchanged. */
static size_t column_of(const made *m, const lm_weight *w, size_t c)
{
    const leman_architecture *shape = &m->options.shape;
    const size_t d = shape->width, edges = 2; /* of PPGN without edge labels: is an edge, attribute */
    if (shape->kind == LEMAN_NETWORK_KIND_LOCAL || shape->kind == LEMAN_NETWORK_KIND_LOCAL_PLUS)
        return strncmp(w->name, "layer", 5) || !ends(w->name, "merge.linear1.weight") ? c : c / d % 2 ? c - d : c + d;
    if (shape->kind == LEMAN_NETWORK_KIND_PPGN) {
        const bool reads =
            !strncmp(w->name, "layer1.", 7) && (ends(w->name, "linear1.weight") || ends(w->name, "merge.weight"));
        if (!reads) return c;
        if (shape->preset != LEMAN_PRESET_QM9) return c == 0 ? 2 : c == 2 ? 0 : c; /* is an edge, same, is an edge */
        return c == 0 ? 1 + edges : c == 1 + edges ? 0 : c == 2 ? 2 + edges : c == 2 + edges ? 2 : c;
    }
    if (shape->kind == LEMAN_NETWORK_KIND_MPNN || strncmp(w->name, "layer", 5) || strstr(w->name, "edge") ||
        !ends(w->name, ".linear1.weight"))
        return c;
    return c < w->columns / 2 ? c + w->columns / 2 : c - w->columns / 2; /* GIN, GINE: both side by side */
}

static void exchange(const made *from, made *to)
{
    for (uint32_t i = 0; i < from->program->weights.count; i++) {
        const lm_weight *w = lm_program_weight(from->program, i), *other = partner(from->program, w);
        assert_true(other->rows == w->rows && other->columns == w->columns);
        for (size_t x = 0; x < w->rows * w->columns; x++)
            to->run.weights[other->offset + x / w->columns * w->columns + column_of(from, w, x % w->columns)] =
                from->run.weights[w->offset + x];
    }
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static leman_architecture both_ways(int kind, int preset)
{
    leman_architecture shape = made_shape((leman_network_kind)kind, 2, (leman_preset)preset);
    shape.in_arcs = shape.ignore_edge_labels = true; /* labels are numbered as they appear */
    return shape;
}

/* Returns how far predictions are from those of the graphs transposed with the same weights. */
static double compare(leman_architecture shape, uint64_t seed)
{
    leman_context *ctx = test_context_new(1);
    uint64_t state = 41;
    leman_dataset *data = made_graphs(ctx, &state, MADE_SIZES, 35, true), *reversed = transposed(ctx, data);
    made one, other;
    made_new(&one, ctx, data, shape, MADE_GRAPHS, LM_WHOLE, seed);
    made_new(&other, ctx, reversed, shape, MADE_GRAPHS, LM_WHOLE, 44);
    assert_int_equal(one.program->numbers, other.program->numbers);
    made_forward(&one, false);
    lm_real *first = made_predictions(&one);
    exchange(&one, &other);
    made_forward(&other, false);
    lm_real *second = made_predictions(&other);
    check_same(first, second, MADE_GRAPHS * one.options.outputs, TOLERANCE, made_text(&shape));
    memcpy(other.run.weights, one.run.weights, one.program->numbers * sizeof *one.run.weights);
    made_forward(&other, false);
    lm_real *third = made_predictions(&other);
    double away = 0; /* the relations are not the same */
    for (size_t i = 0; i < MADE_GRAPHS * one.options.outputs; i++)
        away = fmax(away, fabs((double)(first[i] - third[i])));
    free(first), free(second), free(third);
    made_free(&one);
    made_free(&other);
    leman_dataset_free(reversed);
    leman_dataset_free(data);
    test_context_free(ctx);
    return away;
}

/* Does it see which way arcs go? Some weights make a network of width 4 blind. */
static void compare_some(leman_architecture shape)
{
    double away = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) away = fmax(away, compare(shape, seed));
    if (!(away > 1e-6)) fail_msg("%s: does not see which way arcs go", made_text(&shape));
}

/* Neither are the reals of pairs, which are those of the arc from the first to the second. */
static bool is_symmetric(int kind, int preset)
{
    const bool tuples = kind == LEMAN_NETWORK_KIND_LOCAL || kind == LEMAN_NETWORK_KIND_LOCAL_PLUS;
    if (kind == LEMAN_NETWORK_KIND_WL || kind == LEMAN_NETWORK_KIND_DELTA || kind > LEMAN_NETWORK_KIND_PPGN)
        return false;
    return !tuples || preset != LEMAN_PRESET_QM9;
}

static void test_transposed(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < LEMAN_NETWORK_KIND_COUNT; kind++)
        for (int preset = LEMAN_PRESET_ZINC; preset <= LEMAN_PRESET_TU; preset++)
            if (is_symmetric(kind, preset)) compare_some(both_ways(kind, preset));
}

static void test_differences(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < LEMAN_NETWORK_KIND_COUNT; kind++) {
        if (kind >= LEMAN_NETWORK_KIND_GNN12 && kind <= LEMAN_NETWORK_KIND_GNN123) continue; /* sets refuse them */
        leman_context *ctx = test_context_new(1);
        uint64_t state = 23;
        leman_dataset *data = made_graphs(ctx, &state, MADE_SIZES, 35, true);
        made m;
        made_new(&m, ctx, data, both_ways(kind, kind % 2 ? LEMAN_PRESET_QM9 : LEMAN_PRESET_TU), MADE_GRAPHS, LM_TRAIN,
                 29);
        check_differences(&m.run, &m.batch, 1, made_text(&m.options.shape));
        made_free(&m);
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_transposed), cmocka_unit_test(test_differences)};
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests_name("in-arcs", tests, NULL, NULL);
}
