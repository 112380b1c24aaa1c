/*
 * Passes over the parts. The loss of an epoch is the mean over its graphs, whatever the size of the last batch: with a
 * learning rate of 0, and a model without dropout and batch norm, it is the mean of the losses of single graphs. On an
 * emulated device, steps whose recording breaks change nothing.
 */
#include "nn/on_device.h"
#include "nn/train/trainer.h"
#include <math.h>

enum { GRAPHS = 12, TRAINING = 10 };

static leman_dataset *molecules(leman_context *ctx)
{
    leman_dataset *data = NULL;
    leman_family_options options = leman_family_options_default();
    options.graphs = GRAPHS;
    options.vertices = 12;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, &data), LEMAN_OK);
    return data;
}

/* The loss of one graph by itself. */
static double loss_of(lm_trainer *t, uint32_t graph)
{
    lm_real loss = 0;
    assert_int_equal(lm_inputs_batch(t->inputs, &graph, 1, &t->batch), LEMAN_OK);
    assert_int_equal(lm_executor_forward(t->executor, &t->batch, false, 0), LEMAN_OK);
    assert_int_equal(lm_executor_value(t->executor, t->network->program->loss, &loss), LEMAN_OK);
    return (double)loss;
}

/* A trainer of a small network, whose network is set too; free both. */
static lm_trainer *trainer_new(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                               size_t batch_size, leman_network **network)
{
    static const size_t TARGET[] = {0};
    lm_training_options options = {.architecture = leman_architecture_default()};
    options.architecture.kind = LEMAN_NETWORK_KIND_GIN;
    options.architecture.preset = LEMAN_PRESET_ALCHEMY;
    options.architecture.layers = 1;
    options.architecture.width = 4;
    options.training = leman_training_default(&options.architecture);
    options.training.targets = TARGET;
    options.training.target_count = 1;
    static leman_training training; /* the trainer refers to it */
    training = leman_training_default(NULL);
    training.batch_size = batch_size;
    training.epochs = 1;
    lm_trainer *t = NULL;
    assert_int_equal(lm_network_begin(ctx, data, parts, &options, network), LEMAN_OK);
    const lm_trainer trainer = {
        .data = data, .parts = parts, .network = *network, .training = &training, .seed = 3, .device = check_device()};
    assert_int_equal(lm_trainer_new(ctx, &trainer, &t), LEMAN_OK);
    return t;
}

static leman_parts parts_of(uint32_t graph[GRAPHS])
{
    for (uint32_t i = 0; i < GRAPHS; i++) graph[i] = i;
    return (leman_parts){{TRAINING, 1, 1}, graph};
}

/* An epoch of 10 graphs in batches of this size. */
static void expect_mean(leman_context *ctx, const leman_dataset *data, size_t batch_size)
{
    uint32_t graph[GRAPHS];
    const leman_parts parts = parts_of(graph);
    leman_network *network = NULL;
    lm_trainer *t = trainer_new(ctx, data, &parts, batch_size, &network);
    double loss = NAN, sum = 0, of_batches = 0;
    assert_int_equal(lm_trainer_epoch(t, 1, 0, &loss), LEMAN_OK);

    const size_t batches = (TRAINING + batch_size - 1) / batch_size;
    for (size_t at = 0; at < TRAINING; at += batch_size) {
        const size_t end = at + batch_size < TRAINING ? at + batch_size : TRAINING;
        double batch = 0;
        for (size_t i = at; i < end; i++) batch += loss_of(t, t->order[i]);
        sum += batch;
        of_batches += batch / (double)(end - at);
    }
    const double expected = sum / (double)TRAINING, unweighted = of_batches / (double)batches;
    if (fabs(loss - expected) > 1e-5 * expected) fail_msg("%zu: found %.9g, expected %.9g", batch_size, loss, expected);
    if (TRAINING % batch_size) assert_true(fabs(unweighted - expected) > 1e-3 * expected); /* it could be seen */
    lm_trainer_free(t);
    leman_network_free(network);
}

static void test_loss(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx);
    for (size_t size = 1; size <= TRAINING; size++) expect_mean(ctx, data, size);
    leman_dataset_free(data);
    test_context_free(ctx);
}

#ifdef TEST_EMULATED
extern bool emulate_graphs, emulate_breaks;

enum { EPOCHS = 6 };

static void losses_of(leman_context *ctx, const leman_dataset *data, double loss[EPOCHS])
{
    uint32_t graph[GRAPHS];
    const leman_parts parts = parts_of(graph);
    leman_network *network = NULL;
    lm_trainer *t = trainer_new(ctx, data, &parts, 3, &network);
    for (uint64_t epoch = 1; epoch <= EPOCHS; epoch++)
        if (lm_trainer_epoch(t, epoch, 0.01, loss + epoch - 1)) fail_msg("%s", leman_context_message(ctx));
    lm_trainer_free(t);
    leman_network_free(network);
}

/* Steps whose recording breaks are launched, once. */
static void test_broken_recordings(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx);
    double launched[EPOCHS], broken[EPOCHS];
    losses_of(ctx, data, launched);
    emulate_graphs = emulate_breaks = true;
    losses_of(ctx, data, broken);
    emulate_graphs = emulate_breaks = false;
    assert_memory_equal(launched, broken, sizeof launched);
    assert_true(launched[EPOCHS - 1] < launched[0]); /* it learns */
    leman_dataset_free(data);
    test_context_free(ctx);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loss),
#ifdef TEST_EMULATED
        cmocka_unit_test(test_broken_recordings),
#endif
    };
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
