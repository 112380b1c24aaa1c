/* leman/passes.h: every function with what it must refuse; a refused call writes nothing. */
#include "support/refused.h"

static leman_network *network_of(leman_context *ctx, const leman_dataset *data, leman_network_kind kind)
{
    leman_network *network = NULL;
    leman_parts *parts = NULL;
    leman_architecture architecture = leman_architecture_default();
    architecture.kind = kind;
    architecture.layers = 1;
    architecture.width = 2;
    leman_training training = leman_training_default(&architecture);
    training.epochs = 1;
    training.classes = true;
    assert_int_equal(leman_parts_draw(ctx, leman_dataset_shape(data)->graphs, 0.2, 0.2, &parts), LEMAN_OK);
    if (leman_train(ctx, data, parts, &architecture, &training, &network, NULL))
        fail_msg("%s", leman_context_message(ctx));
    leman_parts_free(parts);
    return network;
}

static void test_options(leman_context *ctx, const leman_network *network)
{
    leman_passes *const before = TEST_UNTOUCHED(leman_passes), *passes = before;
    leman_passes_options options = leman_passes_options_default(), bad;
    leman_passes_options_init(NULL, sizeof options);
    assert_true(options.size == sizeof options && options.device == LEMAN_DEVICE_CPU && !options.backward);
    assert_int_equal(options.precision, LEMAN_PRECISION_FP32);
    assert_refused_without(leman_passes_new(NULL, network, &options, &passes));
    assert_refused(ctx, "network", leman_passes_new(ctx, NULL, &options, &passes));
    assert_refused(ctx, "passes", leman_passes_new(ctx, network, &options, NULL));
    bad = options;
    bad.size = 0;
    assert_refused(ctx, "leman_passes_options", leman_passes_new(ctx, network, &bad, &passes));
    bad = options;
    bad.device = (leman_device)7;
    assert_refused(ctx, "device", leman_passes_new(ctx, network, &bad, &passes));
    bad = options;
    bad.device_number = -1;
    assert_refused(ctx, "device_number", leman_passes_new(ctx, network, &bad, &passes));
    bad = options;
    bad.precision = (leman_precision)7;
    assert_refused(ctx, "precision", leman_passes_new(ctx, network, &bad, &passes));
    bad.precision = LEMAN_PRECISION_BF16;
    assert_refused(ctx, "bf16", leman_passes_new(ctx, network, &bad, &passes));
    bad = options;
    bad.device = LEMAN_DEVICE_CUDA;
    bad.device_number = 1000; /* no build and no machine has this one */
    assert_int_equal(leman_passes_new(ctx, network, &bad, &passes), LEMAN_ERROR_UNSUPPORTED);
    assert_ptr_equal(passes, before);
    leman_passes_free(NULL);
}

static void test_refused(void **state)
{
    (void)state;
    enum { GRAPHS = 20, MOST = 64 };
    leman_context *ctx = test_context_new(1), *other = test_context_new(1);
    leman_dataset *data = NULL;
    leman_family_options family = leman_family_options_default();
    family.graphs = GRAPHS;
    family.vertices = 10;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &family, &data), LEMAN_OK);
    leman_network *network = network_of(ctx, data, LEMAN_NETWORK_KIND_LOCAL),
                  *gin = network_of(ctx, data, LEMAN_NETWORK_KIND_GIN);
    leman_batch *batch = NULL, *foreign = NULL;
    leman_passes *passes = NULL;
    test_options(ctx, network);
    assert_int_equal(leman_network_encode(ctx, network, data, &batch), LEMAN_OK);
    assert_int_equal(leman_network_encode(ctx, gin, data, &foreign), LEMAN_OK);
    assert_int_equal(leman_passes_new(ctx, network, NULL, &passes), LEMAN_OK);
    float numbers[4096] = {0}, output[GRAPHS * MOST], *weight[MOST], *missing[MOST];
    size_t count = 0, rows, columns;
    for (; leman_network_weight_name(network, count, &rows, &columns); count++) {
        assert_true(count < MOST && rows * columns <= 4096);
        missing[count] = weight[count] = numbers;
    }
    missing[count - 1] = NULL;
    for (size_t i = 0; i < GRAPHS * MOST; i++) output[i] = -1;
    assert_refused_without(leman_passes_forward(NULL, passes, batch, weight, false, NULL, output));
    assert_refused(ctx, "passes", leman_passes_forward(ctx, NULL, batch, weight, false, NULL, output));
    assert_refused(ctx, "batch", leman_passes_forward(ctx, passes, NULL, weight, false, NULL, output));
    assert_refused(ctx, "weight", leman_passes_forward(ctx, passes, batch, NULL, false, NULL, output));
    assert_refused(ctx, "output", leman_passes_forward(ctx, passes, batch, weight, false, NULL, NULL));
    assert_refused(ctx, "batch: found", leman_passes_forward(ctx, passes, foreign, weight, false, NULL, output));
    assert_refused(ctx, "weight[", leman_passes_forward(ctx, passes, batch, missing, false, NULL, output));
    assert_refused(other, "context", leman_passes_forward(other, passes, batch, weight, false, NULL, output));
    assert_refused_without(leman_passes_backward(NULL, passes, output, weight, NULL));
    assert_refused(ctx, "passes", leman_passes_backward(ctx, NULL, output, weight, NULL));
    assert_refused(ctx, "output_gradient", leman_passes_backward(ctx, passes, NULL, weight, NULL));
    assert_refused(ctx, "gradient", leman_passes_backward(ctx, passes, output, NULL, NULL));
    assert_refused(other, "context", leman_passes_backward(other, passes, output, weight, NULL));
    assert_refused(ctx, "forward pass", leman_passes_backward(ctx, passes, output, weight, NULL));
    for (size_t i = 0; i < GRAPHS * MOST; i++) assert_true(output[i] == -1);
    assert_int_equal(leman_passes_forward(ctx, passes, batch, weight, false, NULL, output), LEMAN_OK);
    assert_true(output[0] == 0 && numbers[0] == 0); /* all weights are 0 */
    leman_passes_free(passes);
    leman_batch_free(batch), leman_batch_free(foreign);
    leman_network_free(network), leman_network_free(gin);
    leman_dataset_free(data);
    test_context_free(ctx), test_context_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
