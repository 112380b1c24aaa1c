/*
 * Little memory and failing devices. A limit either refuses a run before its first step or lets it end; a larger limit
 * never refuses what a smaller one allowed. On an emulated device, copies to the host that fail end the training with a
 * sentence, and the checkpoint stays the one of the last good epoch.
 */
#include "nn/train_fixture.h"

enum { GRAIN = 8 << 10 }; /* bytes: limits are counted in them */

/* ---- Limits ---------------------------------------------------------------------------------- */

/* What a run did. */
typedef struct seen {
    uint64_t steps; /* of its progress */
} seen;

static bool note_progress(void *user, const leman_progress *progress)
{
    seen *s = user;
    if (strstr(progress->task, "epoch") && progress->done > s->steps) s->steps = progress->done;
    return true;
}

/* A context in which networks may take `limit` bytes: of the device's memory, or beside what is read on the CPU. */
static leman_context *context_within(size_t limit, leman_precision precision, seen *s)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    const bool cpu = !strcmp(check_device(), "cpu");
    settings.threads = 1;
    settings.device = check_device();
    settings.precision = precision;
    settings.progress = note_progress;
    settings.callback_user = s;
    if (cpu)
        settings.memory = limit;
    else
        settings.device_memory = limit;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    return ctx;
}

static task batches(void)
{
    task o = narrow(LEMAN_NETWORK_KIND_GIN, LEMAN_PRESET_TU, 1, 96); /* values of a batch are several grains */
    o.t.classes = true;
    o.t.epochs = 2;
    o.t.batch_size = 5;
    return o;
}

/* Trains within the limit: true, or false where the run is refused before its first step. */
static bool trains(const leman_dataset *data, const leman_parts *parts, size_t limit, leman_precision precision)
{
    seen s = {0};
    leman_context *ctx = context_within(limit, precision, &s);
    const task o = batches();
    leman_network *network = NULL;
    const leman_status st = leman_train(ctx, data, parts, &o.a, &o.t, &network, NULL);
    if (st && st != LEMAN_ERROR_BUDGET) fail_msg("%zu bytes: %s", limit, leman_context_message(ctx));
    if (st && s.steps) fail_msg("%zu bytes, after %d steps: %s", limit, (int)s.steps, leman_context_message(ctx));
    leman_network_free(network);
    leman_context_free(ctx);
    return !st;
}

/* The smallest limit, in grains, within which the function succeeds: found by halving, where it is monotone. */
static size_t smallest(bool (*works)(void *user, size_t grains), void *user, size_t below, size_t enough)
{
    assert_true(works(user, enough));
    while (enough - below > 1) {
        const size_t middle = below + (enough - below) / 2;
        if (works(user, middle))
            enough = middle;
        else
            below = middle;
    }
    return enough;
}

/* It fails at all limits below the smallest, and succeeds at all above it. */
static void expect_monotone(bool (*works)(void *user, size_t grains), void *user, size_t enough)
{
    const size_t least = smallest(works, user, 0, enough);
    for (size_t step = 1; step < 1 << 11; step *= 4) {
        if (least > step && works(user, least - step)) fail_msg("%zu grains suffice, not %zu", least - step, least);
        if (!works(user, least + step)) fail_msg("%zu grains suffice, but not %zu", least, least + step);
        if (!works(user, least + step + step / 3)) fail_msg("%zu grains suffice, but not %zu", least, least + step);
    }
}

typedef struct training_case {
    fixture *f;
    leman_precision precision;
} training_case;

static bool trains_within(void *user, size_t grains)
{
    const training_case *c = user;
    return trains(c->f->data, c->f->parts, grains * GRAIN, c->precision);
}

static void test_training(void **state)
{
    (void)state;
    fixture f = fixture_new(1, 10);
    const bool cpu = !strcmp(check_device(), "cpu");
    for (int precision = 0; precision < (cpu ? 1 : LEMAN_PRECISION_COUNT); precision++)
        expect_monotone(trains_within, &(training_case){&f, (leman_precision)precision}, 1 << 15);
    fixture_free(&f);
}

typedef struct prediction_case {
    const leman_dataset *data;
    const leman_network *network;
} prediction_case;

static bool predicts_within(void *user, size_t grains)
{
    const prediction_case *c = user;
    seen s = {0};
    leman_context *ctx = context_within(grains * GRAIN, LEMAN_PRECISION_FP32, &s);
    double *output = calloc(leman_dataset_shape(c->data)->graphs * 2, sizeof *output);
    const leman_status st = leman_network_predict(ctx, c->network, c->data, 0, output);
    if (st && st != LEMAN_ERROR_BUDGET) fail_msg("%zu grains: %s", grains, leman_context_message(ctx));
    free(output);
    leman_context_free(ctx);
    return !st;
}

/* Batches of 64 graphs of very different sizes, which become larger, and weights that are as large as their values. */
static void test_predicting(void **state)
{
    (void)state;
    const bool cpu = !strcmp(check_device(), "cpu"); /* an emulated device is slow */
    fixture f = fixture_new(1, cpu ? 40 : 10);
    task o = cpu ? small() : narrow(LEMAN_NETWORK_KIND_GIN, LEMAN_PRESET_TU, 1, 8);
    leman_network *network = NULL;
    leman_dataset *other = molecules(f.ctx, cpu ? 60 : 10, cpu ? 24 : 12);
    o.t.classes = true;
    if (cpu) o.a.width = 96;
    o.t.epochs = 1;
    o.t.batch_size = 64;
    train(f.ctx, f.data, f.parts, &o, &network, NULL);
    expect_monotone(predicts_within, &(prediction_case){other, network}, 1 << 15);
    leman_network_free(network);
    leman_dataset_free(other);
    fixture_free(&f);
}

/* ---- Failing copies -------------------------------------------------------------------------- */

#ifdef TEST_EMULATED
extern size_t emulate_reads;

static void copy_file(const char *from, const char *to)
{
    char buffer[4096];
    size_t got;
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_non_null(in);
    assert_non_null(out);
    while ((got = fread(buffer, 1, sizeof buffer, in))) assert_int_equal(fwrite(buffer, 1, got, out), got);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

/* Resumes from the checkpoint to the end. */
static leman_status resume(fixture *f, task o, leman_network **network)
{
    o.t.epochs = 4;
    o.t.resume = true;
    return leman_train(f->ctx, f->data, f->parts, &o.a, &o.t, network, NULL);
}

/* A run resumes with the precision that it was begun with. */
static void test_other_precision(void **state)
{
    (void)state;
    fixture f = fixture_new(1, 10);
    task o = batches();
    leman_network *network = NULL;
    f.ctx->settings.precision = LEMAN_PRECISION_TF32;
    o.t.epochs = 1;
    o.t.checkpoint = f.path;
    train(f.ctx, f.data, f.parts, &o, &network, NULL);
    leman_network_free(network);
    network = NULL;
    for (int precision = 0; precision < LEMAN_PRECISION_COUNT; precision++) {
        f.ctx->settings.precision = (leman_precision)precision;
        const bool same = precision == LEMAN_PRECISION_TF32;
        assert_int_equal(resume(&f, o, &network), same ? LEMAN_OK : LEMAN_ERROR_INPUT);
        if (!same) assert_non_null(strstr(leman_context_message(f.ctx), "was trained in tf32, expected"));
        leman_network_free(network);
        network = NULL;
    }
    fixture_free(&f);
}

/* The n-th copy to the host and all after it fail, for every n. */
static void test_failing_reads(void **state)
{
    (void)state;
    for (int precision = 0; precision < 2; precision++) {
        fixture f = fixture_new(1, 10);
        task o = batches();
        leman_network *network = NULL;
        char first[600];
        size_t failures = 0;
        f.ctx->settings.precision = precision ? LEMAN_PRECISION_TF32 : LEMAN_PRECISION_FP32;
        o.t.epochs = 2;
        o.t.patience = 100;
        o.t.checkpoint = f.path;
        train(f.ctx, f.data, f.parts, &o, &network, NULL);
        leman_network_free(network);
        snprintf(first, sizeof first, "%s.first", f.path);
        copy_file(f.path, first);
        assert_int_equal(resume(&f, o, &network), LEMAN_OK);
        double *expected = predictions(f.ctx, network, f.data);
        leman_network_free(network);
        for (leman_status st = LEMAN_ERROR_DEVICE; st; failures++) {
            copy_file(first, f.path);
            network = NULL;
            emulate_reads = failures;
            st = resume(&f, o, &network);
            emulate_reads = SIZE_MAX;
            if (st) {
                assert_int_equal(st, LEMAN_ERROR_DEVICE);
                assert_non_null(strstr(leman_context_message(f.ctx), "copying"));
                assert_null(network);
                assert_int_equal(resume(&f, o, &network), LEMAN_OK); /* from what the failed run left */
            }
            double *found = predictions(f.ctx, network, f.data);
            same_reals(found, expected, 10 * leman_network_describe(network)->outputs);
            free(found);
            leman_network_free(network);
        }
        assert_true(failures > 8); /* sums, predictions, weights and moments of two epochs */
        free(expected);
        fixture_free(&f);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_training),
        cmocka_unit_test(test_predicting),
#ifdef TEST_EMULATED
        cmocka_unit_test(test_other_precision),
        cmocka_unit_test(test_failing_reads),
#endif
    };
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
