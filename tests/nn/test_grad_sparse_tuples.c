/*
 * Networks on sparse sets of tuples against the definition: tuples are enumerated one by one, those with too many
 * connected components do not exist, and neither do neighbours that are none of the set. Values of all layers, losses
 * and gradients; types and attributes against those of all tuples.
 */
#include "nn/explicit_compare.h"

enum { SETS = 3 };
static const struct {
    unsigned k, components;
} SET[SETS] = {{2, 1}, {3, 1}, {3, 2}};

static leman_architecture sparse_shape(size_t set, leman_preset preset)
{
    leman_architecture shape = made_shape(LEMAN_NETWORK_KIND_LOCAL, SET[set].k, preset);
    shape.components = SET[set].components;
    return shape;
}

/* Layers, predictions, losses and gradients, with labels of vertices and of edges, in directed graphs too. */
static void test_values(void **unused)
{
    (void)unused;
    for (size_t set = 0; set < SETS; set++)
        for (int preset = LEMAN_PRESET_ZINC; preset <= LEMAN_PRESET_TU; preset++)
            for (int directed = 0; directed < 2; directed++)
                explicit_compare_on((lm_model_options){.shape = sparse_shape(set, (leman_preset)preset)}, 11 + set,
                                    directed);
}

/* Entering arcs as a second relation. */
static void test_entering(void **unused)
{
    (void)unused;
    for (size_t set = 0; set < SETS; set++) {
        leman_architecture shape = sparse_shape(set, set ? LEMAN_PRESET_TU : LEMAN_PRESET_ZINC);
        shape.in_arcs = true;
        explicit_compare_on((lm_model_options){.shape = shape}, 17 + set, true);
    }
}

static void test_attributes(void **unused)
{
    (void)unused;
    for (size_t set = 0; set < SETS; set++)
        for (int i = 0; i < 4; i++) {
            leman_architecture shape = sparse_shape(set, i % 2 ? LEMAN_PRESET_ALCHEMY : LEMAN_PRESET_ZINC);
            shape.attributes = i % 2 ? LEMAN_ATTRIBUTE_USE_STANDARDIZED : LEMAN_ATTRIBUTE_USE_RAW;
            shape.ignore_vertex_labels = i / 2;
            explicit_compare_on((lm_model_options){.shape = shape}, 29 + (uint64_t)i, i == 3);
        }
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* The rows of a graph: their vertices, and the types and attributes that the network on all tuples reads. Two tuples have
 * one type exactly if they have one type there. */
static void compare_rows(const made *sparse, const made *dense, size_t g, uint32_t *renamed, size_t *row)
{
    const leman_graph graph = leman_dataset_graph(sparse->data, g);
    const lm_listing *l = sparse->batch.listed;
    const size_t n = graph.vertices, k = sparse->options.shape.k, tuples = lm_power(n, (unsigned)k);
    const size_t width = l->attributes, first = dense->batch.start[LM_TUPLES][g];
    size_t *there;
    assert_int_equal(sparse->batch.start[LM_LISTED][g], *row);
    explicit_rows(sparse, &graph, &there);
    for (size_t v = 0; v < tuples; v++) {
        if (there[v] == SIZE_MAX) continue;
        for (size_t j = k, rest = v; j-- > 0; rest /= n)
            assert_int_equal(l->member[*row * k + j], sparse->batch.start[LM_VERTICES][g] + rest % n);
        const uint32_t type = dense->batch.tuple_type[first + v];
        if (renamed[type] == LM_NO_TYPE) renamed[type] = l->type[*row];
        assert_int_equal(renamed[type], l->type[*row]);
        for (size_t c = 0; c < width; c++)
            check_close((double)l->attribute[*row * width + c],
                        (double)dense->batch.tuple_attribute[(first + v) * width + c], 1e-12, "attribute");
        ++*row;
    }
    free(there);
}

static void test_rows(void **unused)
{
    (void)unused;
    for (size_t set = 0; set < SETS; set++)
        for (int directed = 0; directed < 2; directed++)
            for (int preset = LEMAN_PRESET_ZINC; preset <= LEMAN_PRESET_QM9; preset += LEMAN_PRESET_QM9) {
                leman_context *ctx = test_context_new(2);
                uint64_t state = 3 + set;
                leman_dataset *data = made_graphs(ctx, &state, MADE_SIZES, 40, directed);
                leman_architecture shape = sparse_shape(set, (leman_preset)preset);
                shape.attributes = LEMAN_ATTRIBUTE_USE_RAW;
                made sparse, dense;
                made_new(&sparse, ctx, data, shape, MADE_GRAPHS, LM_INFER, 1);
                shape.components = 0;
                made_new(&dense, ctx, data, shape, MADE_GRAPHS, LM_INFER, 1);
                const size_t types = dense.encoding->widths.types, found = sparse.encoding->widths.types;
                uint32_t *renamed = malloc((types + 1) * sizeof *renamed);
                memset(renamed, 0xff, (types + 1) * sizeof *renamed);
                assert_int_equal(sparse.batch.listed[0].attributes, dense.batch.tuple_attributes);
                size_t row = 0, used = 0;
                for (size_t g = 0; g < MADE_GRAPHS; g++) compare_rows(&sparse, &dense, g, renamed, &row);
                assert_int_equal(row, sparse.batch.extent.rows[LM_LISTED]);
                for (size_t t = 0; t < types; t++) used += renamed[t] != LM_NO_TYPE;
                assert_int_equal(used, found); /* as many names as types: no two types have one name */
                bool named[4096] = {false};
                for (size_t t = 0; t < types; t++) {
                    if (renamed[t] == LM_NO_TYPE) continue;
                    assert_true(renamed[t] < found && !named[renamed[t]]);
                    named[renamed[t]] = true;
                }
                free(renamed);
                made_free(&sparse);
                made_free(&dense);
                leman_dataset_free(data);
                test_context_free(ctx);
            }
}

/* A vertex with a self-loop is no neighbour of itself, as for all other networks. */
static void test_loops(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    leman_policy policy = leman_policy_default();
    const leman_columns columns = {.targets = MADE_TARGETS};
    const double target[MADE_TARGETS] = {0};
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    policy.self_loops = LEMAN_ACTION_KEEP;
    assert_int_equal(leman_builder_new(ctx, "loops", &columns, &builder), LEMAN_OK);
    assert_int_equal(leman_builder_graph(builder, NULL, NULL, target), LEMAN_OK);
    for (int v = 0; v < 3; v++) assert_int_equal(leman_builder_vertex(builder, NULL, NULL, NULL), LEMAN_OK);
    const size_t ends[3][2] = {{0, 0}, {0, 1}, {1, 2}};
    for (int i = 0; i < 3; i++)
        assert_int_equal(leman_builder_edge(builder, ends[i][0], ends[i][1], NULL, NULL), LEMAN_OK);
    assert_int_equal(leman_builder_finish(builder, &policy, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    made m;
    made_new(&m, ctx, data, sparse_shape(0, LEMAN_PRESET_ZINC), 1, LM_INFER, 1);
    const lm_listing *l = m.batch.listed;
    assert_int_equal(m.batch.extent.rows[LM_LISTED], 7);        /* three vertices and four arcs */
    assert_int_equal(m.batch.extent.rows[LM_LINKS], 2 * 2 * 4); /* (v,v): a link for each arc; (u,v): w = v */
    for (size_t r = 0; r < 7; r++)
        for (size_t i = l->start[2 * r]; i < l->start[2 * r + 2]; i++) assert_int_not_equal(l->neighbor[i], r);
    made_free(&m);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- Refused --------------------------------------------------------------------------------- */

static void refused(leman_context *ctx, leman_architecture shape, leman_level level, const char *sentence)
{
    lm_model_options options = {.shape = shape, .level = level, .outputs = 1};
    assert_int_equal(lm_model_normalize(ctx, &options), LEMAN_ERROR_ARGUMENT);
    assert_non_null(strstr(leman_context_message(ctx), sentence));
}

static void test_refused(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const leman_network_kind others[] = {LEMAN_NETWORK_KIND_WL, LEMAN_NETWORK_KIND_DELTA, LEMAN_NETWORK_KIND_LOCAL_PLUS,
                                         LEMAN_NETWORK_KIND_GIN, LEMAN_NETWORK_KIND_PPGN};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        leman_architecture shape = made_shape(others[i], 2, LEMAN_PRESET_ZINC);
        shape.components = 1;
        refused(ctx, shape, LEMAN_LEVEL_GRAPH, "found tuples of at most 1 connected component for ");
    }
    refused(ctx, sparse_shape(1, LEMAN_PRESET_ZINC), LEMAN_LEVEL_EDGE, "expected a network on pairs");
    lm_model_options all = {.shape = sparse_shape(0, LEMAN_PRESET_ZINC), .outputs = 1};
    all.shape.components = 2; /* all pairs */
    assert_int_equal(lm_model_normalize(ctx, &all), LEMAN_OK);
    assert_int_equal(all.shape.components, 0);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values),     cmocka_unit_test(test_entering),
                                       cmocka_unit_test(test_attributes), cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_loops),      cmocka_unit_test(test_refused)};
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests_name("sparse tuples", tests, NULL, NULL);
}
