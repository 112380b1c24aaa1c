/*
 * Whole models on the device of the test against the CPU: every architecture and preset is trained on small molecules
 * on both, in FP32, one batch an epoch, and the losses and errors of all epochs are compared: closely at the first,
 * where they are those of the same weights, and within a few percent after 50 steps, through which rounding has grown.
 * Then a checkpoint of one predicts on the other, and a run that was begun on one is resumed on the other.
 */
#include "nn/train_fixture.h"
#include <string.h>

enum { STEPS = 50, FEW = 10 };

typedef struct run {
    leman_context *ctx;
    leman_dataset *data;
    leman_parts *parts;
    leman_network *network;
    leman_history *history;
} run;

static run run_on(const char *device, const task *o)
{
    run r = {.ctx = test_context_new(2)};
    leman_family_options counts = leman_family_options_default();
    counts.graphs = 24;
    counts.vertices = 12;
    counts.level = o->t.level;
    if (o->t.level)
        assert_int_equal(leman_dataset_generate(r.ctx, LEMAN_FAMILY_COUNTS, &counts, &r.data), LEMAN_OK);
    else
        r.data = molecules(r.ctx, 24, 12);
    assert_int_equal(leman_parts_draw(r.ctx, 24, 0.25, 0.25, &r.parts), LEMAN_OK);
    const char *before = r.ctx->settings.device;
    r.ctx->settings.device = device;
    train(r.ctx, r.data, r.parts, o, &r.network, &r.history);
    r.ctx->settings.device = before;
    return r;
}

static void run_free(run *r)
{
    leman_history_free(r->history);
    leman_network_free(r->network);
    leman_parts_free(r->parts);
    leman_dataset_free(r->data);
    test_context_free(r->ctx);
}

static double apart(double a, double b)
{
    return fabs(a - b) / fmax(1e-3, fmax(fabs(a), fabs(b)));
}

static void compare_task(leman_network_kind kind, unsigned k, leman_preset preset, leman_level level, size_t steps,
                         unsigned encodings)
{
    task o = narrow(kind, preset, 2, 8);
    o.a.k = k;
    o.a.encodings = encodings;
    o.t.level = level;
    if (level) /* of all columns, of numbers of very different size */
        o.t.scale_targets = true;
    else
        learn_targets(&o);
    o.t.epochs = steps;
    o.t.batch_size = 24;
    run cpu = run_on("cpu", &o), there = run_on(check_device(), &o);
    assert_int_equal(cpu.history->epochs, there.history->epochs);
    for (size_t e = 0; e < cpu.history->epochs; e++) {
        const leman_epoch *a = cpu.history->epoch + e, *b = there.history->epoch + e;
        const double tolerance = e < 2 ? 2e-4 : 0.05;
        if (!(apart(a->train_loss, b->train_loss) < tolerance && apart(a->val_error, b->val_error) < tolerance))
            fail_msg("%s of k %u with %s, epoch %zu: losses %g and %g, errors %g and %g", leman_network_kind_name(kind),
                     k, leman_preset_name(preset), e + 1, a->train_loss, b->train_loss, a->val_error, b->val_error);
    }
    run_free(&cpu);
    run_free(&there);
}

static void compare(leman_network_kind kind, unsigned k, leman_preset preset, size_t steps)
{
    compare_task(kind, k, preset, LEMAN_LEVEL_GRAPH, steps, 0);
}

static void test_levels(void **state)
{
    (void)state;
    compare_task(LEMAN_NETWORK_KIND_LOCAL2, 2, LEMAN_PRESET_ZINC, LEMAN_LEVEL_VERTEX, FEW, 0);
    compare_task(LEMAN_NETWORK_KIND_FOLKLORE2, 2, LEMAN_PRESET_ZINC, LEMAN_LEVEL_EDGE, FEW, 0);
    compare_task(LEMAN_NETWORK_KIND_GINE, 1, LEMAN_PRESET_ZINC, LEMAN_LEVEL_VERTEX, FEW, 0);
    compare_task(LEMAN_NETWORK_KIND_LOCAL, 2, LEMAN_PRESET_ZINC, LEMAN_LEVEL_EDGE, FEW, 0);
}

static void test_models(void **state)
{
    (void)state;
    for (int kind = 0; kind < LEMAN_NETWORK_KIND_COUNT; kind++)
        compare((leman_network_kind)kind, 2, LEMAN_PRESET_ZINC, STEPS);
    compare(LEMAN_NETWORK_KIND_LOCAL, 3, LEMAN_PRESET_ZINC, STEPS);
    compare_task(LEMAN_NETWORK_KIND_FOLKLORE2, 2, LEMAN_PRESET_ZINC, LEMAN_LEVEL_GRAPH, FEW,
                 LEMAN_PAIR_ENCODING_DISTANCE | LEMAN_PAIR_ENCODING_WALK | LEMAN_PAIR_ENCODING_RESISTANCE);
    compare_task(LEMAN_NETWORK_KIND_LOCAL2, 2, LEMAN_PRESET_ZINC, LEMAN_LEVEL_GRAPH, FEW,
                 LEMAN_PAIR_ENCODING_WALK); /* no distances */
    compare_task(LEMAN_NETWORK_KIND_LOCAL2, 2, LEMAN_PRESET_ZINC, LEMAN_LEVEL_GRAPH, FEW, LEMAN_PAIR_ENCODING_NONE);
    compare(LEMAN_NETWORK_KIND_LOCAL, 2, LEMAN_PRESET_ALCHEMY, STEPS); /* Set2Set */
    compare(LEMAN_NETWORK_KIND_GIN, 2, LEMAN_PRESET_TU, FEW); /* dropout, norms inside, a higher learning rate */
}

/* Weights of one device give the other's predictions; a run goes on elsewhere. */
static void test_checkpoints_move(void **state)
{
    (void)state;
    fixture s = fixture_new(2, 24);
    task o = narrow(LEMAN_NETWORK_KIND_LOCAL, LEMAN_PRESET_ZINC, 2, 8);
    const char *devices[2] = {"cpu", check_device()}, *before = s.ctx->settings.device;
    double output[2][24];
    leman_network *network = NULL;
    leman_history *history = NULL;
    learn_targets(&o);
    o.t.epochs = 2;
    o.t.checkpoint = s.path;
    for (int i = 0; i < 2; i++) { /* begun on the CPU, resumed on the device */
        s.ctx->settings.device = devices[i];
        o.t.resume = i;
        o.t.epochs = 2 + 2 * (size_t)i;
        train(s.ctx, s.data, s.parts, &o, &network, &history);
        assert_int_equal(history->resumed, 2 * (size_t)i);
        leman_history_free(history);
        leman_network_free(network);
    }
    assert_int_equal(leman_network_read(s.ctx, s.path, &network), LEMAN_OK);
    for (int i = 0; i < 2; i++) {
        s.ctx->settings.device = devices[i];
        assert_int_equal(leman_network_predict(s.ctx, network, s.data, 0, output[i]), LEMAN_OK);
    }
    for (size_t g = 0; g < 24; g++) assert_true(apart(output[0][g], output[1][g]) < 1e-4);
    leman_network_free(network);
    s.ctx->settings.device = before;
    fixture_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models), cmocka_unit_test(test_levels),
                                       cmocka_unit_test(test_checkpoints_move)};
    const int skipped = check_without_device();
    return skipped ? skipped : cmocka_run_group_tests(tests, NULL, NULL);
}
