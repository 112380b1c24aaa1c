/*
 * Every model, as the library runs it, against the explicit tuple graph: what each layer gives, predictions, loss, and
 * the gradient of every weight, in double precision, in training and in evaluation. Then its gradients against finite
 * differences, in every way of keeping values.
 */
#include "nn/explicit_compare.h"

static void compare(leman_architecture shape, uint64_t seed)
{
    explicit_compare_on((lm_model_options){.shape = shape}, seed, false);
}

static void test_vertices(void **unused)
{
    (void)unused;
    for (int kind = LEMAN_NETWORK_KIND_GIN0; kind <= LEMAN_NETWORK_KIND_GINE; kind++)
        for (int preset = LEMAN_PRESET_ZINC; preset <= LEMAN_PRESET_TU; preset++)
            for (uint64_t seed = 1; seed <= 3; seed++)
                compare(made_shape((leman_network_kind)kind, 1, (leman_preset)preset), seed);
}

static void test_tuples(void **unused)
{
    (void)unused;
    for (int kind = LEMAN_NETWORK_KIND_WL; kind <= LEMAN_NETWORK_KIND_DELTA; kind++)
        for (int preset = LEMAN_PRESET_ZINC; preset <= LEMAN_PRESET_TU; preset++)
            for (unsigned k = 2; k <= 3; k++)
                compare(made_shape((leman_network_kind)kind, k, (leman_preset)preset), 7 + k);
}

/* MPNN with a matrix for every arc, PPGN with products as sums over triples. */
static void test_own_layers(void **unused)
{
    (void)unused;
    for (int kind = LEMAN_NETWORK_KIND_MPNN; kind <= LEMAN_NETWORK_KIND_PPGN; kind++)
        for (int preset = LEMAN_PRESET_ZINC; preset <= LEMAN_PRESET_TU; preset++)
            for (int directed = 0; directed < 2; directed++)
                explicit_compare_on(
                    (lm_model_options){.shape = made_shape((leman_network_kind)kind, 2, (leman_preset)preset)}, 31,
                    directed);
}

/* GINE of ZINC: the fourth layer computes with the third's weights, or with its own. */
static void test_fourth_layer(void **unused)
{
    (void)unused;
    leman_architecture shape = made_shape(LEMAN_NETWORK_KIND_GINE, 1, LEMAN_PRESET_ZINC);
    shape.layers = 5;
    compare(shape, 3);
    explicit_compare_on((lm_model_options){.shape = shape, .own_fourth_layer = true}, 3, false);
}

/* Sums follow arcs from tail to head, gradients go back. */
static void test_directed(void **unused)
{
    (void)unused;
    for (int kind = LEMAN_NETWORK_KIND_GIN0; kind <= LEMAN_NETWORK_KIND_DELTA; kind++)
        for (int preset = LEMAN_PRESET_ZINC; preset <= LEMAN_PRESET_TU; preset++)
            explicit_compare_on(
                (lm_model_options){.shape = made_shape((leman_network_kind)kind, 2, (leman_preset)preset)}, 13, true);
}

/* No labels at all: vertices are known by their degrees. */
static void test_without_labels(void **unused)
{
    (void)unused;
    leman_architecture shape = made_shape(LEMAN_NETWORK_KIND_GIN, 1, LEMAN_PRESET_TU);
    shape.ignore_vertex_labels = shape.ignore_edge_labels = true;
    compare(shape, 5);
    shape.kind = LEMAN_NETWORK_KIND_GINE;
    compare(shape, 5);
    shape = made_shape(LEMAN_NETWORK_KIND_DELTA, 2, LEMAN_PRESET_TU);
    shape.ignore_vertex_labels = shape.ignore_edge_labels = true;
    compare(shape, 5);
}

/* Attributes beside labels, with and without labels, as they are and standardised, in graphs and in directed graphs. */
static void test_attributes(void **unused)
{
    (void)unused;
    static const leman_preset PRESETS[] = {LEMAN_PRESET_ZINC, LEMAN_PRESET_ALCHEMY, LEMAN_PRESET_TU};
    for (int kind = LEMAN_NETWORK_KIND_GIN0; kind <= LEMAN_NETWORK_KIND_PPGN; kind++)
        for (int i = 0; i < 12; i++) {
            leman_architecture shape = made_shape((leman_network_kind)kind, i % 4 == 3 ? 3 : 2, PRESETS[i % 3]);
            shape.attributes = i % 2 ? LEMAN_ATTRIBUTE_USE_STANDARDIZED : LEMAN_ATTRIBUTE_USE_RAW;
            shape.ignore_vertex_labels = i / 2 % 2;
            shape.ignore_edge_labels = i / 4 % 2;
            explicit_compare_on((lm_model_options){.shape = shape}, 41 + (uint64_t)i, i % 5 == 4);
        }
}

static void differences(leman_architecture shape, lm_mode mode)
{
    leman_context *ctx = test_context_new(1);
    uint64_t state = 23;
    leman_dataset *data = made_data(ctx, &state, MADE_SIZES, 50);
    made m;
    made_new(&m, ctx, data, shape, MADE_GRAPHS, mode, 29);
    check_differences(&m.run, &m.batch, 2, made_text(&m.options.shape));
    made_free(&m);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_differences(void **unused)
{
    (void)unused;
    differences(made_shape(LEMAN_NETWORK_KIND_LOCAL_PLUS, 2, LEMAN_PRESET_ZINC), LM_TRAIN);
    differences(made_shape(LEMAN_NETWORK_KIND_DELTA, 2, LEMAN_PRESET_ZINC), LM_RECOMPUTE);
    differences(made_shape(LEMAN_NETWORK_KIND_LOCAL, 3, LEMAN_PRESET_ALCHEMY), LM_TRAIN);
    differences(made_shape(LEMAN_NETWORK_KIND_WL, 2, LEMAN_PRESET_QM9), LM_RECOMPUTE);
    differences(made_shape(LEMAN_NETWORK_KIND_GINE, 1, LEMAN_PRESET_ZINC), LM_TRAIN);
    differences(made_shape(LEMAN_NETWORK_KIND_GINE, 1, LEMAN_PRESET_TU), LM_RECOMPUTE);
    differences(made_shape(LEMAN_NETWORK_KIND_GIN, 1, LEMAN_PRESET_TU), LM_TRAIN);
    differences(made_shape(LEMAN_NETWORK_KIND_MPNN, 1, LEMAN_PRESET_QM9), LM_TRAIN);
    differences(made_shape(LEMAN_NETWORK_KIND_MPNN, 1, LEMAN_PRESET_ZINC), LM_RECOMPUTE);
    differences(made_shape(LEMAN_NETWORK_KIND_PPGN, 2, LEMAN_PRESET_QM9), LM_TRAIN);
    differences(made_shape(LEMAN_NETWORK_KIND_PPGN, 2, LEMAN_PRESET_TU), LM_RECOMPUTE);
    leman_architecture shape = made_shape(LEMAN_NETWORK_KIND_LOCAL_PLUS, 2, LEMAN_PRESET_TU);
    shape.attributes = LEMAN_ATTRIBUTE_USE_STANDARDIZED;
    differences(shape, LM_RECOMPUTE);
    shape.kind = LEMAN_NETWORK_KIND_GINE;
    differences(shape, LM_TRAIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vertices),     cmocka_unit_test(test_tuples),
                                       cmocka_unit_test(test_directed),     cmocka_unit_test(test_own_layers),
                                       cmocka_unit_test(test_fourth_layer), cmocka_unit_test(test_without_labels),
                                       cmocka_unit_test(test_attributes),   cmocka_unit_test(test_differences)};
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests_name("models", tests, NULL, NULL);
}
