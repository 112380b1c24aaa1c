/* Predictions of vertices and of edges: losses are means over the known targets of rows, gradients agree with finite
 * differences, both arcs of an undirected edge have one prediction, and a graph alone has the predictions that it has
 * in a batch. */
#include "nn/made.h"

typedef struct network {
    leman_network_kind kind;
    unsigned k;
    leman_level level;
    size_t components; /* of a sparse set; 0: all tuples */
} network;

static const network NETWORKS[] = {
    {LEMAN_NETWORK_KIND_LOCAL2, 2, LEMAN_LEVEL_VERTEX, 0},  {LEMAN_NETWORK_KIND_LOCAL2, 2, LEMAN_LEVEL_EDGE, 0},
    {LEMAN_NETWORK_KIND_FOLKLORE2, 2, LEMAN_LEVEL_EDGE, 0}, {LEMAN_NETWORK_KIND_SUBGRAPH, 2, LEMAN_LEVEL_VERTEX, 0},
    {LEMAN_NETWORK_KIND_MESSAGE, 1, LEMAN_LEVEL_VERTEX, 0}, {LEMAN_NETWORK_KIND_LOCAL, 2, LEMAN_LEVEL_VERTEX, 0},
    {LEMAN_NETWORK_KIND_LOCAL, 2, LEMAN_LEVEL_EDGE, 0},     {LEMAN_NETWORK_KIND_LOCAL, 3, LEMAN_LEVEL_VERTEX, 0},
    {LEMAN_NETWORK_KIND_GIN, 1, LEMAN_LEVEL_VERTEX, 0},     {LEMAN_NETWORK_KIND_GINE, 1, LEMAN_LEVEL_VERTEX, 0},
    {LEMAN_NETWORK_KIND_MPNN, 1, LEMAN_LEVEL_VERTEX, 0},    {LEMAN_NETWORK_KIND_PPGN, 2, LEMAN_LEVEL_EDGE, 0},
    {LEMAN_NETWORK_KIND_WL, 2, LEMAN_LEVEL_EDGE, 0},        {LEMAN_NETWORK_KIND_LOCAL, 2, LEMAN_LEVEL_EDGE, 1},
    {LEMAN_NETWORK_KIND_LOCAL2, 2, LEMAN_LEVEL_EDGE, 1},    {LEMAN_NETWORK_KIND_FOLKLORE2, 2, LEMAN_LEVEL_VERTEX, 1},
    {LEMAN_NETWORK_KIND_LOCAL, 3, LEMAN_LEVEL_VERTEX, 2}};
enum { NETWORKS_COUNT = sizeof NETWORKS / sizeof *NETWORKS };

typedef struct levels {
    leman_context *ctx;
    leman_dataset *data;
    lm_row_list rows;
    double *target; /* [rows of the data][MADE_TARGETS] a quarter of them missing */
    made m;
    char what[96];
} levels;

static void levels_new(const network *n, bool directed, lm_mode mode, levels *s)
{
    *s = (levels){.ctx = test_context_new(2)};
    uint64_t state = 11;
    s->data = made_graphs(s->ctx, &state, MADE_SIZES, 60, directed);
    leman_architecture shape = made_shape(n->kind, n->k, LEMAN_PRESET_ZINC);
    shape.components = n->components;
    const lm_model_options options = {.shape = shape, .level = n->level, .directed = directed};
    made_model(&s->m, s->ctx, s->data, options, MADE_GRAPHS, mode, 6);
    snprintf(s->what, sizeof s->what, "%s, %s, %s", made_text(&shape), leman_level_name(n->level),
             directed ? "directed" : "undirected");
    assert_int_equal(lm_row_list_new(s->ctx, s->data, n->level, &s->rows), LEMAN_OK);
    const size_t count = lm_level_rows(n->level, s->data) * MADE_TARGETS;
    s->target = malloc((count + 1) * sizeof *s->target);
    for (size_t i = 0; i < count; i++) {
        s->target[i] = check_real(&state);
        if (test_random(&state) % 4 == 0) s->target[i] = NAN;
    }
    s->m.inputs->rows = &s->rows;
    s->m.inputs->target = s->target;
    s->m.inputs->targets = MADE_TARGETS;
    made_batch(&s->m, s->m.which, MADE_GRAPHS);
}

static void levels_free(levels *s)
{
    made_free(&s->m);
    lm_row_list_free(&s->rows);
    leman_dataset_free(s->data);
    test_context_free(s->ctx);
    free(s->target);
}

static void test_gradients(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS_COUNT; i++)
        for (int directed = 0; directed < 2; directed++) {
            levels s;
            levels_new(NETWORKS + i, directed, LM_TRAIN, &s);
            check_differences(&s.m.run, &s.m.batch, 3, s.what);
            levels_free(&s);
        }
}

/* The loss by its definition, from the predictions of the rows. */
static void test_losses(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS_COUNT; i++) {
        levels s;
        levels_new(NETWORKS + i, false, LM_WHOLE, &s);
        const double loss = check_loss(&s.m.run, &s.m.batch);
        lm_real *found = made_value(&s.m, s.m.program->prediction);
        double sum = 0, known = 0;
        for (uint32_t r = 0; r < s.rows.start[MADE_GRAPHS]; r++)
            for (size_t t = 0; t < MADE_TARGETS; t++) {
                const double target = s.target[s.rows.row[r] * MADE_TARGETS + t];
                if (isnan(target)) continue;
                sum += fabs((double)found[r * MADE_TARGETS + t] - target);
                known++;
            }
        assert_true(known > 5);
        check_close(loss, sum / known, 1e-12, s.what);
        free(found);
        levels_free(&s);
    }
}

static void test_edges(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS_COUNT; i++) {
        if (NETWORKS[i].level != LEMAN_LEVEL_EDGE) continue;
        levels s;
        levels_new(NETWORKS + i, false, LM_WHOLE, &s);
        made_forward(&s.m, false);
        lm_real *found = made_value(&s.m, s.m.program->prediction);
        const lm_batch *b = &s.m.batch;
        for (size_t e = 0; e < b->extent.rows[LM_ARCS]; e++)
            for (size_t back = 0; back < b->extent.rows[LM_ARCS]; back++)
                if (b->tail[e] == b->head[back] && b->head[e] == b->tail[back])
                    check_same(found + e * MADE_TARGETS, found + back * MADE_TARGETS, MADE_TARGETS, 1e-12, s.what);
        free(found);
        levels_free(&s);
    }
}

static void test_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < NETWORKS_COUNT; i++) {
        levels s;
        levels_new(NETWORKS + i, true, LM_WHOLE, &s);
        made_forward(&s.m, false);
        lm_real *together = made_value(&s.m, s.m.program->prediction);
        for (uint32_t g = 0; g < MADE_GRAPHS; g++) {
            made_batch(&s.m, &g, 1);
            made_forward(&s.m, false);
            lm_real *alone = made_value(&s.m, s.m.program->prediction);
            check_same(together + s.rows.start[g] * MADE_TARGETS, alone,
                       (s.rows.start[g + 1] - s.rows.start[g]) * MADE_TARGETS, 1e-10, s.what);
            free(alone);
        }
        free(together);
        levels_free(&s);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    static const struct {
        network network;
        const char *words;
    } WRONG[] = {{{LEMAN_NETWORK_KIND_GNN12, 1, LEMAN_LEVEL_VERTEX, 0}, "a network on vertices or tuples"},
                 {{LEMAN_NETWORK_KIND_GIN, 1, LEMAN_LEVEL_EDGE, 0}, "a network on pairs"},
                 {{LEMAN_NETWORK_KIND_LOCAL, 3, LEMAN_LEVEL_EDGE, 0}, "a network on pairs"}};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        lm_model_options options = {.shape = made_shape(WRONG[i].network.kind, WRONG[i].network.k, LEMAN_PRESET_ZINC),
                                    .outputs = 1,
                                    .loss = LM_OP_L1,
                                    .level = WRONG[i].network.level};
        assert_int_equal(lm_model_normalize(ctx, &options), LEMAN_ERROR_ARGUMENT);
        assert_non_null(strstr(leman_context_message(ctx), WRONG[i].words));
    }
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradients), cmocka_unit_test(test_losses),   cmocka_unit_test(test_edges),
        cmocka_unit_test(test_alone),     cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
