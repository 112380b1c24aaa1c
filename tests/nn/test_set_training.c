/*
 * Set networks are trained, kept and used as the others are: they learn a dozen graphs by heart, resume from
 * checkpoints, predict the same from a file, in batches of any size and with labels that they never saw, and say before
 * they begin what they need.
 */
#include "nn/made.h"
#include "nn/train_fixture.h"

static const leman_network_kind KINDS[] = {LEMAN_NETWORK_KIND_GNN12, LEMAN_NETWORK_KIND_GNN13,
                                           LEMAN_NETWORK_KIND_GNN123};
enum { COUNT = sizeof KINDS / sizeof *KINDS };

/* The training error falls below a twentieth of the targets' mean distance from their mean. */
static void test_overfits(void **state)
{
    static const size_t SIZES[] = {5, 6, 7, 4, 8, 6, 5, 7, 4, 8, 6, 7, SIZE_MAX};
    enum { GRAPHS = sizeof SIZES / sizeof *SIZES - 1 };
    (void)state;
    for (size_t k = 0; k < COUNT; k++) {
        leman_context *ctx = test_context_new(1);
        uint64_t random = 3;
        leman_dataset *data = made_data(ctx, &random, SIZES, 40);
        const double *target = leman_dataset_targets(data);
        uint32_t graph[2 * GRAPHS];
        double mean = 0, spread = 0;
        for (uint32_t i = 0; i < 2 * GRAPHS; i++) graph[i] = i % GRAPHS;
        for (uint32_t i = 0; i < GRAPHS; i++) mean += target[2 * i] / (double)GRAPHS;
        for (uint32_t i = 0; i < GRAPHS; i++) spread += fabs(target[2 * i] - mean) / (double)GRAPHS;
        leman_parts *parts = NULL; /* trained and validated on the same */
        assert_int_equal(leman_parts_new(ctx, graph, GRAPHS, graph + GRAPHS, GRAPHS, NULL, 0, &parts), LEMAN_OK);
        task o = narrow(KINDS[k], LEMAN_PRESET_QM9, 2, 12);
        o.a.coordinates = 3;
        o.a.first_coordinate = 2;
        learn_targets(&o);
        leman_network *network = NULL;
        leman_history *history = NULL;
        o.t.epochs = 200;
        o.t.batch_size = 5;
        o.t.learning_rate = 5e-3;
        o.t.patience = 20;
        o.t.scale_targets = true;
        train(ctx, data, parts, &o, &network, &history);
        const double error = history->target_error[2 * history->best];
        if (!(error < 0.05 * spread))
            fail_msg("%s: MAE %g of %g after %zu epochs", leman_network_kind_name(KINDS[k]), error, spread,
                     history->epochs);
        leman_history_free(history);
        leman_network_free(network);
        leman_parts_free(parts);
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

static bool stop_after_two(void *user, const leman_history *history)
{
    (void)user;
    return history->epochs < 2;
}

/* Stopped and resumed against one run; the file's network; threads and batches of other sizes. */
static void test_checkpoints(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT; k++) {
        fixture s = fixture_new(2, 20);
        task o = narrow(KINDS[k], LEMAN_PRESET_TU, 2, 8);
        leman_network *whole = NULL, *part = NULL, *read = NULL;
        leman_history *a = NULL, *b = NULL;
        double alone[20 * 8];
        o.t.classes = true;
        o.t.epochs = 4;
        o.t.batch_size = 7;
        train(s.ctx, s.data, s.parts, &o, &whole, &a);
        o.t.checkpoint = s.path;
        o.t.on_epoch = stop_after_two;
        train(s.ctx, s.data, s.parts, &o, &part, NULL);
        leman_network_free(part);
        o.t.on_epoch = NULL;
        o.t.resume = true;
        train(s.ctx, s.data, s.parts, &o, &part, &b);
        assert_int_equal(b->resumed, 2);
        same_history(a, b);
        assert_int_equal(leman_network_read(s.ctx, s.path, &read), LEMAN_OK);
        const leman_network_shape *shape = leman_network_describe(read);
        assert_int_equal(shape->parameters, leman_network_describe(whole)->parameters);
        assert_true(shape->types && shape->types == leman_network_describe(whole)->types);
        double *x = predictions(s.ctx, whole, s.data), *y = predictions(s.ctx, read, s.data);
        same_reals(x, y, 20 * shape->outputs);
        assert_true(shape->outputs <= 8);
        assert_int_equal(leman_network_predict(s.ctx, read, s.data, 1, alone), LEMAN_OK);
        for (size_t i = 0; i < 20 * shape->outputs; i++) assert_true(fabs(alone[i] - x[i]) < 1e-4);
        assert_int_equal(leman_network_export(s.ctx, read, test_path(s.folder, "w.npz")), LEMAN_OK);
        free(x), free(y);
        leman_network_free(whole), leman_network_free(part), leman_network_free(read);
        leman_history_free(a), leman_history_free(b);
        fixture_free(&s);
    }
}

/* One molecule-like graph whose vertices all have this label. */
static leman_dataset *labelled(leman_context *ctx, const leman_dataset *like, int64_t label)
{
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    const leman_columns columns = *leman_dataset_shape(like)->columns;
    const leman_graph g = leman_dataset_graph(like, 0);
    assert_int_equal(leman_builder_new(ctx, "labelled", &columns, &builder), LEMAN_OK);
    assert_int_equal(leman_builder_graph(builder, NULL, leman_dataset_classes(like), leman_dataset_targets(like)),
                     LEMAN_OK);
    for (size_t v = 0; v < g.vertices; v++)
        assert_int_equal(leman_builder_vertex(builder, NULL, &label, NULL), LEMAN_OK);
    for (size_t v = 0; v < g.vertices; v++)
        for (uint64_t a = g.start[v]; a < g.start[v + 1]; a++)
            if (g.head[a] > v)
                assert_int_equal(
                    leman_builder_edge(builder, v, g.head[a], g.edge_labels ? g.edge_label + a : NULL, NULL), LEMAN_OK);
    assert_int_equal(leman_builder_finish(builder, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(builder);
    return data;
}

/* Sets of labels that the network never saw have no type: a share of them is told, and they predict something finite.
 */
static void test_out_of_vocabulary(void **state)
{
    (void)state;
    fixture s = fixture_new(1, 20);
    task o = narrow(LEMAN_NETWORK_KIND_GNN123, LEMAN_PRESET_ZINC, 2, 8);
    leman_network *network = NULL;
    double share = 0, output = 0;
    learn_targets(&o);
    o.t.epochs = 1;
    train(s.ctx, s.data, s.parts, &o, &network, NULL);
    leman_dataset *new_labels = labelled(s.ctx, s.data, 777);
    assert_int_equal(leman_network_out_of_vocabulary(s.ctx, network, new_labels, &share), LEMAN_OK);
    assert_true(share > 0.5); /* all sets, but arcs are known */
    assert_int_equal(leman_network_predict(s.ctx, network, new_labels, 0, &output), LEMAN_OK);
    assert_true(isfinite(output));
    leman_dataset_free(new_labels);
    leman_network_free(network);
    fixture_free(&s);
}

/* Values of sets are counted: a budget that holds the sets but no batch of them is refused by a sentence. */
static void test_budget(void **state)
{
    (void)state;
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_network *network = NULL;
    leman_parts *parts = NULL;
    settings.threads = 1;
    settings.memory = 24 << 20;
    settings.device = check_device();
    settings.device_memory = 72 << 20; /* 64 of them are for products: of training, and of validation in FP32 */
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    leman_dataset *data = molecules(ctx, 60, 40);
    assert_int_equal(leman_parts_draw(ctx, 60, 0.2, 0.2, &parts), LEMAN_OK);
    task o = narrow(LEMAN_NETWORK_KIND_GNN123, LEMAN_PRESET_ZINC, 3, 64);
    learn_targets(&o);
    o.t.batch_size = 36;
    assert_int_equal(leman_train(ctx, data, parts, &o.a, &o.t, &network, NULL), LEMAN_ERROR_BUDGET);
    assert_non_null(strstr(leman_context_message(ctx), "the largest batch"));
    assert_null(network);
    leman_parts_free(parts);
    leman_dataset_free(data);
    leman_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overfits),
        cmocka_unit_test(test_checkpoints),
        cmocka_unit_test(test_out_of_vocabulary),
        cmocka_unit_test(test_budget),
    };
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
