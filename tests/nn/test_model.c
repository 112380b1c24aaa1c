/* Models by the number of their weights (the figures are those of the authors' programs), their names, what is
 * refused, and failing allocations. No data is needed: a model is built from widths alone. */
#include "nn/encode/inputs.h"
#include "nn/model.h"
#include "support/support.h"

typedef struct counted {
    leman_network_kind kind;
    unsigned k;
    leman_preset preset;
    size_t layers, width, outputs;
    lm_widths widths;
    bool own_fourth;
    size_t parameters;
} counted;

static lm_program *build(leman_context *ctx, const counted *c)
{
    lm_model_options options = {
        .shape = {.kind = c->kind, .k = c->k, .preset = c->preset, .layers = c->layers, .width = c->width},
        .own_fourth_layer = c->own_fourth,
        .outputs = c->outputs,
        .loss = c->preset == LEMAN_PRESET_TU ? LM_OP_CROSS_ENTROPY : LM_OP_L1};
    lm_program *p = NULL;
    assert_int_equal(lm_model_normalize(ctx, &options), LEMAN_OK);
    if (lm_model_build(ctx, &options, &c->widths, &p)) fail_msg("%s", leman_context_message(ctx));
    return p;
}

static const counted PUBLISHED[] = {
    /* ZINC: 10k, 50k, all */
    {LEMAN_NETWORK_KIND_LOCAL, 2, LEMAN_PRESET_ZINC, 0, 0, 1, {.types = 445}, false, 2334217},
    {LEMAN_NETWORK_KIND_LOCAL, 2, LEMAN_PRESET_ZINC, 0, 0, 1, {.types = 492}, false, 2358281},
    {LEMAN_NETWORK_KIND_LOCAL, 2, LEMAN_PRESET_ZINC, 0, 0, 1, {.types = 652}, false, 2440201},
    {LEMAN_NETWORK_KIND_WL, 2, LEMAN_PRESET_ZINC, 0, 0, 1, {.types = 445}, false, 2334217},
    {LEMAN_NETWORK_KIND_DELTA, 2, LEMAN_PRESET_ZINC, 0, 0, 1, {.types = 445}, false, 4007953},
    {LEMAN_NETWORK_KIND_DELTA, 2, LEMAN_PRESET_ZINC, 0, 0, 1, {.types = 492}, false, 4056081},
    {LEMAN_NETWORK_KIND_DELTA, 2, LEMAN_PRESET_ZINC, 0, 0, 1, {.types = 652}, false, 4219921},
    {LEMAN_NETWORK_KIND_GINE, 1, LEMAN_PRESET_ZINC, 0, 0, 1, {.vertex_reals = 21, .labels = 21}, true, 1012335},
    {LEMAN_NETWORK_KIND_GINE, 1, LEMAN_PRESET_ZINC, 0, 0, 1, {.vertex_reals = 21, .labels = 21}, false, 809326},
    {LEMAN_NETWORK_KIND_GINE, 1, LEMAN_PRESET_ZINC, 0, 0, 1, {.vertex_reals = 28, .labels = 3}, true, 1000653},
    {LEMAN_NETWORK_KIND_GINE, 1, LEMAN_PRESET_ZINC, 0, 0, 1, {.vertex_reals = 28, .labels = 3}, false, 802252},
    /* Alchemy, and its timing at width 256 */
    {LEMAN_NETWORK_KIND_LOCAL, 2, LEMAN_PRESET_ALCHEMY, 0, 0, 12, {.types = 83}, false, 240088},
    {LEMAN_NETWORK_KIND_WL, 2, LEMAN_PRESET_ALCHEMY, 0, 0, 12, {.types = 83}, false, 240088},
    {LEMAN_NETWORK_KIND_LOCAL, 2, LEMAN_PRESET_ALCHEMY, 0, 256, 12, {.types = 83}, false, 3614488},
    {LEMAN_NETWORK_KIND_DELTA, 2, LEMAN_PRESET_ALCHEMY, 0, 0, 12, {.types = 83}, false, 394596},
    {LEMAN_NETWORK_KIND_DELTA, 2, LEMAN_PRESET_ALCHEMY, 0, 256, 12, {.types = 83}, false, 5903652},
    {LEMAN_NETWORK_KIND_GINE, 1, LEMAN_PRESET_ALCHEMY, 0, 0, 12, {.vertex_reals = 6, .labels = 4}, false, 123268},
    {LEMAN_NETWORK_KIND_LOCAL, 3, LEMAN_PRESET_ALCHEMY, 0, 10, 12, {.types = 163}, false, 13670},
    /* QM9, with five and with six edge features */
    {LEMAN_NETWORK_KIND_LOCAL,
     2,
     LEMAN_PRESET_QM9,
     0,
     0,
     12,
     {.types = 3, .vertex_reals = 13, .tuple_reals = 5},
     false,
     270040},
    {LEMAN_NETWORK_KIND_GINE, 1, LEMAN_PRESET_QM9, 0, 0, 12, {.vertex_reals = 13, .arc_reals = 6}, false, 131543},
    {LEMAN_NETWORK_KIND_GINE, 1, LEMAN_PRESET_QM9, 0, 0, 12, {.vertex_reals = 13, .arc_reals = 5}, false, 131210},
    {LEMAN_NETWORK_KIND_MPNN, 1, LEMAN_PRESET_QM9, 0, 0, 12, {.vertex_reals = 13, .arc_reals = 6}, false, 617996},
    {LEMAN_NETWORK_KIND_MPNN, 1, LEMAN_PRESET_QM9, 0, 0, 12, {.vertex_reals = 13, .arc_reals = 5}, false, 617868},
    {LEMAN_NETWORK_KIND_PPGN, 2, LEMAN_PRESET_QM9, 0, 0, 12, {.tuple_reals = 22}, false, 2976924},
    /* the same with 24 types of 2-sets and 38 of 3-sets */
    {LEMAN_NETWORK_KIND_GNN12,
     1,
     LEMAN_PRESET_QM9,
     0,
     0,
     12,
     {.vertex_reals = 13, .arc_reals = 6, .set_types = {24}},
     false,
     885964},
    {LEMAN_NETWORK_KIND_GNN12,
     1,
     LEMAN_PRESET_QM9,
     0,
     0,
     12,
     {.vertex_reals = 13, .arc_reals = 5, .set_types = {24}},
     false,
     885580},
    {LEMAN_NETWORK_KIND_GNN13,
     1,
     LEMAN_PRESET_QM9,
     0,
     0,
     12,
     {.vertex_reals = 13, .arc_reals = 6, .set_types = {38}},
     false,
     887756},
    {LEMAN_NETWORK_KIND_GNN13,
     1,
     LEMAN_PRESET_QM9,
     0,
     0,
     12,
     {.vertex_reals = 13, .arc_reals = 5, .set_types = {38}},
     false,
     887372},
    {LEMAN_NETWORK_KIND_GNN123,
     1,
     LEMAN_PRESET_QM9,
     0,
     0,
     12,
     {.vertex_reals = 13, .arc_reals = 6, .set_types = {24, 38}},
     false,
     911436},
    {LEMAN_NETWORK_KIND_GNN123,
     1,
     LEMAN_PRESET_QM9,
     0,
     0,
     12,
     {.vertex_reals = 13, .arc_reals = 5, .set_types = {24, 38}},
     false,
     911052},
    /* TU */
    {LEMAN_NETWORK_KIND_GIN0, 1, LEMAN_PRESET_TU, 5, 64, 6, {.types = 3}, false, 42886},
    {LEMAN_NETWORK_KIND_GIN, 1, LEMAN_PRESET_TU, 5, 64, 6, {.types = 3}, false, 42891},
    {LEMAN_NETWORK_KIND_GINE0, 1, LEMAN_PRESET_TU, 2, 64, 2, {.vertex_reals = 10, .labels = 3}, false, 22444},
    {LEMAN_NETWORK_KIND_GINE, 1, LEMAN_PRESET_TU, 2, 64, 2, {.vertex_reals = 10, .labels = 3}, false, 22446},
};

static void test_parameters(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof PUBLISHED / sizeof *PUBLISHED; i++) {
        lm_program *p = build(ctx, PUBLISHED + i);
        assert_int_equal(p->trainable, PUBLISHED[i].parameters);
        lm_program_free(p);
    }
    test_context_free(ctx);
}

/* local+ has beside the weights of local one table of counts for each layer and component: as wide as what is sent. */
static void test_parameters_of_counts(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const size_t layers = 3, width = 8;
    for (unsigned k = 2; k <= 3; k++) {
        const counted plain = {
            LEMAN_NETWORK_KIND_LOCAL, k, LEMAN_PRESET_ZINC, layers, width, 1, {.types = 30}, false, 0};
        counted plus = plain;
        plus.kind = LEMAN_NETWORK_KIND_LOCAL_PLUS;
        plus.widths.counts = layers * k;
        lm_program *p = build(ctx, &plain), *q = build(ctx, &plus);
        assert_int_equal(q->trainable - p->trainable, layers * k * LM_COUNT_BUCKETS * width);
        lm_program_free(p);
        lm_program_free(q);
    }
    test_context_free(ctx);
}

/* ---- Names and initial values ---------------------------------------------------------------- */

static const lm_weight *named(const lm_program *p, const char *name)
{
    for (uint32_t i = 0; i < p->weights.count; i++)
        if (!strcmp(lm_program_weight(p, i)->name, name)) return lm_program_weight(p, i);
    return NULL;
}

static void test_names(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    const counted delta = {LEMAN_NETWORK_KIND_DELTA, 2, LEMAN_PRESET_ZINC, 2, 8, 1, {.types = 25}, false, 0};
    const counted local = {LEMAN_NETWORK_KIND_LOCAL, 2, LEMAN_PRESET_ZINC, 2, 8, 1, {.types = 25}, false, 0};
    const counted parts = {LEMAN_NETWORK_KIND_WL,
                           2,
                           LEMAN_PRESET_QM9,
                           2,
                           8,
                           1,
                           {.types = 3, .vertex_reals = 2, .tuple_reals = 2},
                           false,
                           0};
    lm_program *p = build(ctx, &delta), *q = build(ctx, &local), *r = build(ctx, &parts);
    const lm_weight *first = named(p, "layer1.position2.global.linear1.table");
    const lm_weight *second = named(q, "layer2.position2.linear1.weight");
    assert_non_null(first);
    assert_true(first->rows == 25 && first->columns == 8 && first->value == 1 / 5.0); /* 1/sqrt(inputs) */
    assert_non_null(second);
    assert_true(second->rows == 8 && second->columns == 8 && second->value * second->value * 8 - 1 < 1e-12);
    assert_non_null(named(q, "layer1.position1.epsilon"));
    assert_non_null(named(q, "layer2.merge.norm.scale"));
    assert_non_null(named(q, "head.linear4.bias"));
    assert_non_null(named(r, "input.vertices.linear1.position2"));
    assert_non_null(named(r, "layer1.position1.linear1.weight"));
    lm_program_free(r);
    lm_program_free(p);
    lm_program_free(q);
    test_context_free(ctx);
}

static void test_words(void **unused)
{
    (void)unused;
    static const char *const kinds[] = {"gin0",  "gin",  "gine0", "gine",  "wl",    "local", "local+",
                                        "delta", "mpnn", "ppgn",  "gnn12", "gnn13", "gnn123"};
    static const char *const presets[] = {"zinc", "alchemy", "qm9", "tu"};
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        leman_architecture a = leman_architecture_default();
        assert_int_equal(leman_architecture_parse(ctx, kinds[i], &a), LEMAN_OK);
        assert_string_equal(leman_network_kind_name(a.kind), kinds[i]);
    }
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++) {
        leman_preset preset;
        assert_int_equal(leman_preset_parse(ctx, presets[i], &preset), LEMAN_OK);
        assert_string_equal(leman_preset_name(preset), presets[i]);
    }
    leman_preset preset;
    assert_int_equal(leman_preset_parse(ctx, "big", &preset), LEMAN_ERROR_ARGUMENT);
    test_context_free(ctx);
}

static void test_normal_form(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    lm_model_options o = {.shape = leman_architecture_default(), .outputs = 1, .loss = LM_OP_L1}, wrong;
    assert_int_equal(lm_model_normalize(ctx, &o), LEMAN_OK);
    assert_true(o.shape.layers == 4 && o.shape.width == 256 && o.shape.k == 2);
    o.shape.kind = LEMAN_NETWORK_KIND_GIN; /* has no tuples, whatever k is */
    assert_int_equal(lm_model_normalize(ctx, &o), LEMAN_OK);
    assert_int_equal(o.shape.k, 1);
    assert_int_equal(lm_model_encoding(&o).rounds, 0);
    o.shape.kind = LEMAN_NETWORK_KIND_LOCAL_PLUS;
    o.shape.k = 3;
    assert_int_equal(lm_model_encoding(&o).rounds, 4);
    for (unsigned k = 0; k < 6; k++) {
        wrong = o, wrong.shape.k = k;
        assert_int_equal(lm_model_normalize(ctx, &wrong), k == 2 || k == 3 ? LEMAN_OK : LEMAN_ERROR_ARGUMENT);
    }
    wrong = o, wrong.shape.layers = 65;
    assert_int_equal(lm_model_normalize(ctx, &wrong), LEMAN_ERROR_ARGUMENT);
    wrong = o, wrong.shape.width = 1 << 17;
    assert_int_equal(lm_model_normalize(ctx, &wrong), LEMAN_ERROR_ARGUMENT);
    wrong = o, wrong.outputs = 0;
    assert_int_equal(lm_model_normalize(ctx, &wrong), LEMAN_ERROR_ARGUMENT);
    wrong = o, wrong.shape.kind = (leman_network_kind)99;
    assert_int_equal(lm_model_normalize(ctx, &wrong), LEMAN_ERROR_ARGUMENT);
    test_context_free(ctx);
}

/* ---- Failing allocations --------------------------------------------------------------------- */

static leman_status build_and_fill(leman_context *ctx, void *state)
{
    leman_status st;
    const lm_model_options o = {.shape = *(const leman_architecture *)state, .outputs = 2, .loss = LM_OP_CROSS_ENTROPY};
    const lm_encoding_options encoding = lm_model_encoding(&o);
    const uint32_t which[] = {1, 0};
    leman_dataset *data = NULL;
    lm_encoding *e = NULL;
    lm_inputs *inputs = NULL;
    lm_program *p = NULL;
    lm_batch batch;
    lm_batch_init(ctx, &batch);
    st = leman_dataset_generate(ctx, LEMAN_FAMILY_CYCLES, NULL, &data);
    if (!st) st = lm_encoding_learn(ctx, data, NULL, 0, &encoding, &e);
    if (!st) st = lm_model_build(ctx, &o, &e->widths, &p);
    if (!st) st = lm_inputs_new(ctx, data, e, &inputs);
    if (!st) st = lm_inputs_batch(inputs, which, 2, &batch);
    lm_batch_free(&batch);
    lm_inputs_free(inputs);
    lm_program_free(p);
    lm_encoding_free(e);
    leman_dataset_free(data);
    return st;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    leman_architecture tuples = {
        .kind = LEMAN_NETWORK_KIND_LOCAL_PLUS, .k = 2, .preset = LEMAN_PRESET_ALCHEMY, .layers = 2, .width = 4};
    leman_architecture vertices = {
        .kind = LEMAN_NETWORK_KIND_GINE, .k = 1, .preset = LEMAN_PRESET_TU, .layers = 2, .width = 4};
    assert_true(test_fail_each_allocation(build_and_fill, &tuples) > 50);
    assert_true(test_fail_each_allocation(build_and_fill, &vertices) > 50);
    vertices.kind = LEMAN_NETWORK_KIND_MPNN;
    tuples.kind = LEMAN_NETWORK_KIND_PPGN;
    assert_true(test_fail_each_allocation(build_and_fill, &vertices) > 30);
    assert_true(test_fail_each_allocation(build_and_fill, &tuples) > 30);
    vertices.kind = LEMAN_NETWORK_KIND_GNN123;
    assert_true(test_fail_each_allocation(build_and_fill, &vertices) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters),  cmocka_unit_test(test_parameters_of_counts),
        cmocka_unit_test(test_names),       cmocka_unit_test(test_words),
        cmocka_unit_test(test_normal_form), cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
