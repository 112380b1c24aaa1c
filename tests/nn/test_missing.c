/*
 * Training on targets and classes of which some are missing: as if the graphs without them were not there, and a
 * sentence where nothing is left.
 */
#include "nn/train_fixture.h"

enum { GRAPHS = 40, KNOWN = 22, MASKED = 8 };

/* All training graphs in one batch, of a network without batch norm and dropout: what a graph without a target adds is
 * only its place in the order of sums. */
static task plain(bool classes)
{
    task o = narrow(LEMAN_NETWORK_KIND_GIN, LEMAN_PRESET_ALCHEMY, 2, 8);
    o.t.classes = classes;
    o.t.epochs = 6;
    o.t.batch_size = GRAPHS;
    if (!classes) learn_targets(&o);
    return o;
}

/* Graphs KNOWN .. KNOWN + MASKED - 1 lose target and class. */
static void mask(leman_dataset *data)
{
    int64_t *class_label = (int64_t *)(uintptr_t)data->class_label;
    const size_t columns = data->columns.targets;
    for (size_t g = KNOWN; g < KNOWN + MASKED; g++) {
        targets_of(data)[g * columns] = lm_missing_target();
        class_label[g] = LEMAN_CLASS_MISSING;
    }
}

/* The graphs in their order, those that are masked as the last that train, or the first that validate. */
static leman_parts parts_of(uint32_t *graph, bool trained)
{
    for (uint32_t g = 0; g < GRAPHS; g++) graph[g] = g;
    return (leman_parts){{trained ? KNOWN + MASKED : KNOWN, trained ? 5 : MASKED + 5, 5}, graph};
}

static void expect_near(double a, double b, const char *what, size_t epoch)
{
    if (!(fabs(a - b) <= 2e-4 * (1 + fabs(b)))) fail_msg("%s of epoch %zu: %.9g, expected %.9g", what, epoch, a, b);
}

static void test_as_if_not_there(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, GRAPHS, 12);
    mask(data);
    for (int what = 0; what < 4; what++) { /* classes, with balanced weights; targets, squared */
        task o = plain(what < 2);
        leman_network *network[2] = {NULL};
        leman_history *history[2] = {NULL};
        uint32_t graph[GRAPHS];
        o.t.balanced_weights = what == 1;
        o.t.loss = what == 3 ? LEMAN_LOSS_L2 : LEMAN_LOSS_L1;
        for (int trained = 0; trained < 2; trained++) {
            const leman_parts parts = parts_of(graph, trained);
            train(ctx, data, &parts, &o, network + trained, history + trained);
        }
        assert_int_equal(history[0]->epochs, history[1]->epochs);
        for (size_t e = 0; e < history[0]->epochs; e++) {
            const leman_epoch *without = history[0]->epoch + e, *with = history[1]->epoch + e;
            assert_true(isfinite(with->train_loss) && with->train_loss > 0);
            expect_near(with->train_loss, without->train_loss, "loss", e);
            expect_near(with->val_loss, without->val_loss, "validation loss", e);
            expect_near(with->val_error, without->val_error, "validation error", e);
        }
        if (what >= 2) same_reals(history[0]->mean, history[1]->mean, 1);
        for (int i = 0; i < 2; i++) {
            leman_history_free(history[i]);
            leman_network_free(network[i]);
        }
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Balanced weights are those of the graphs that have a class. */
static void test_balanced(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, GRAPHS, 12);
    mask(data);
    uint32_t graph[GRAPHS];
    const leman_parts parts = parts_of(graph, true);
    double count[2] = {0}, weight[2];
    const int64_t first = leman_dataset_classes(data)[0];
    int64_t smaller = first;
    for (size_t g = 0; g < KNOWN; g++)
        if (leman_dataset_classes(data)[g] < smaller) smaller = leman_dataset_classes(data)[g];
    for (size_t g = 0; g < KNOWN; g++) count[leman_dataset_classes(data)[g] != smaller]++;
    for (size_t c = 0; c < 2; c++) weight[c] = (double)KNOWN / (2 * count[c]);
    task o = small();
    leman_network *network[2] = {NULL};
    leman_history *history[2] = {NULL};
    o.t.balanced_weights = true;
    train(ctx, data, &parts, &o, network, history);
    o.t.balanced_weights = false;
    o.t.class_weight = weight;
    o.t.class_weights = 2;
    train(ctx, data, &parts, &o, network + 1, history + 1);
    same_history(history[0], history[1]);
    for (int i = 0; i < 2; i++) {
        leman_history_free(history[i]);
        leman_network_free(network[i]);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Batches in which nothing is known do no harm: each graph is a batch of its own. */
static void test_single_graphs(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, GRAPHS, 12);
    mask(data);
    for (int classes = 0; classes < 2; classes++) {
        task o = plain(classes);
        leman_network *network = NULL;
        leman_history *history = NULL;
        uint32_t graph[GRAPHS];
        const leman_parts parts = parts_of(graph, true);
        o.t.batch_size = 1;
        train(ctx, data, &parts, &o, &network, &history);
        double *predicted = predictions(ctx, network, data);
        for (size_t i = 0; i < GRAPHS * leman_network_describe(network)->outputs; i++)
            assert_true(isfinite(predicted[i]));
        free(predicted);
        leman_history_free(history);
        leman_network_free(network);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void expect_refusal(leman_context *ctx, const leman_dataset *data, const leman_parts *parts, bool classes,
                           const char *sentence)
{
    leman_network *network = NULL;
    task o = plain(classes);
    leman_status st = leman_train(ctx, data, parts, &o.a, &o.t, &network, NULL);
    if (st != LEMAN_ERROR_INPUT || !strstr(leman_context_message(ctx), sentence))
        fail_msg("'%s': status %d, %s", sentence, st, leman_context_message(ctx));
}

static void test_refusals(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, GRAPHS, 12);
    mask(data);
    uint32_t graph[GRAPHS];
    for (uint32_t g = 0; g < GRAPHS; g++) graph[g] = (g + KNOWN) % GRAPHS;
    const leman_parts train_only = {{MASKED, 5, 0}, graph};
    expect_refusal(ctx, data, &train_only, false, "found no value of target 0");
    expect_refusal(ctx, data, &train_only, false, "in the training part, expected at least one");
    expect_refusal(ctx, data, &train_only, true, "found no graph with a class in the training part");
    for (uint32_t g = 0; g < GRAPHS; g++) graph[g] = g;
    const leman_parts val_only = {{KNOWN, MASKED, 0}, graph};
    expect_refusal(ctx, data, &val_only, false, "found no graph with a target in the validation part");
    expect_refusal(ctx, data, &val_only, true, "found no graph with a class in the validation part");
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_if_not_there),
        cmocka_unit_test(test_balanced),
        cmocka_unit_test(test_single_graphs),
        cmocka_unit_test(test_refusals),
    };
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
