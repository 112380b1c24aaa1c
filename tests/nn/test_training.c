/*
 * Training as a whole: it learns what is there and not what is not there, gives the same bits again, keeps to its
 * budget, and survives every failing allocation.
 */
#include "nn/made.h"
#include "nn/train_fixture.h"

static double best_test(const leman_history *history)
{
    return history->epoch[history->best].test_error;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The mean distance of the graphs' targets from their median: the error of the best constant. */
static double spread(const double *target, const uint32_t *graph, size_t count)
{
    double *sorted = malloc(count * sizeof *sorted), sum = 0;
    for (size_t i = 0; i < count; i++) sorted[i] = target[graph[i]];
    qsort(sorted, count, sizeof *sorted, by_size);
    for (size_t i = 0; i < count; i++) sum += fabs(sorted[i] - sorted[count / 2]);
    free(sorted);
    return sum / (double)count;
}

/* ---- Learning -------------------------------------------------------------------------------- */

/* Overfitting fifty molecules: the training error falls below a twentieth of the targets' own spread. */
static void test_overfits(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 50, 12);
    uint32_t graph[100];
    for (uint32_t i = 0; i < 100; i++) graph[i] = i % 50;
    leman_parts *parts = NULL; /* trained and validated on the same */
    assert_int_equal(leman_parts_new(ctx, graph, 50, graph + 50, 50, NULL, 0, &parts), LEMAN_OK);
    task o = narrow(LEMAN_NETWORK_KIND_LOCAL, LEMAN_PRESET_ZINC, 2, 16);
    leman_network *network = NULL;
    leman_history *history = NULL;
    o.t.epochs = 300;
    o.t.batch_size = 50;
    o.t.learning_rate = 1e-2;
    o.t.patience = 20;
    o.t.scale_targets = true;
    train(ctx, data, parts, &o, &network, &history);
    const double error = history->target_error[2 * history->best], all = spread(leman_dataset_targets(data), graph, 50);
    if (!(error < 0.05 * all)) fail_msg("MAE %g of %g after %zu epochs", error, all, history->epochs);
    assert_true(history->epoch[history->epochs - 1].train_loss < 0.2 * history->epoch[0].train_loss);
    leman_history_free(history);
    leman_network_free(network);
    leman_parts_free(parts);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* The same of fifty small graphs with random reals and random targets: each is known by its reals. */
static void overfit_reals(leman_network_kind kind, double rate)
{
    leman_context *ctx = test_context_new(1);
    size_t sizes[51] = {0};
    uint32_t graph[100];
    uint64_t random = 3;
    leman_parts *parts = NULL;
    leman_network *network = NULL;
    leman_history *history = NULL;
    for (uint32_t i = 0; i < 100; i++) graph[i] = i % 50;
    for (size_t i = 0; i < 50; i++) sizes[i] = 3 + i % 3;
    sizes[50] = SIZE_MAX;
    leman_dataset *data = made_graphs(ctx, &random, sizes, 50, false);
    task o = narrow(kind, LEMAN_PRESET_QM9, 2, 16);
    o.a.coordinates = 3, o.a.first_coordinate = 2;
    learn_targets(&o);
    o.t.epochs = 300;
    o.t.batch_size = 10;
    o.t.learning_rate = rate;
    o.t.patience = 20;
    assert_int_equal(leman_parts_new(ctx, graph, 50, graph + 50, 50, NULL, 0, &parts), LEMAN_OK);
    train(ctx, data, parts, &o, &network, &history);
    const double error = history->target_error[2 * history->best];
    if (!(error < 0.05 * 0.5)) /* targets are uniform in -1 .. 1 */
        fail_msg("%s: MAE %g after %zu epochs", leman_network_kind_name(kind), error, history->epochs);
    leman_history_free(history);
    leman_network_free(network);
    leman_parts_free(parts);
    leman_dataset_free(data);
    test_context_free(ctx);
}

static void test_overfits_reals(void **state)
{
    (void)state;
    overfit_reals(LEMAN_NETWORK_KIND_MPNN, 5e-3);
    overfit_reals(LEMAN_NETWORK_KIND_PPGN, 2e-3);
}

/* Shuffled targets cannot be learned: on test graphs no better than the median. */
static void test_shuffled_targets(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = molecules(ctx, 300, 12);
    leman_parts *parts = NULL;
    task o = narrow(LEMAN_NETWORK_KIND_GIN, LEMAN_PRESET_ZINC, 2, 16);
    leman_network *network = NULL;
    leman_history *history = NULL;
    uint64_t random = 7;
    double *target = targets_of(data);
    for (size_t i = 300; i > 1; i--) {
        size_t j = test_random(&random) % i;
        double other = target[i - 1];
        target[i - 1] = target[j];
        target[j] = other;
    }
    o.t.epochs = 30;
    assert_int_equal(leman_parts_draw(ctx, 300, 0.25, 0.25, &parts), LEMAN_OK);
    train(ctx, data, parts, &o, &network, &history);
    const double all = spread(leman_dataset_targets(data), parts->graph + 225, 75);
    assert_true(best_test(history) > 0.8 * all);
    leman_history_free(history);
    leman_network_free(network);
    leman_parts_free(parts);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* The class of molecules is a closed walk of length five: three layers on pairs see it, no vertex network does. */
static void test_rings(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 300, 12);
    leman_parts *parts = NULL;
    assert_int_equal(leman_parts_draw(ctx, 300, 0.2, 0.3, &parts), LEMAN_OK);
    for (int pairs = 0; pairs < 2; pairs++) {
        task o = narrow(pairs ? LEMAN_NETWORK_KIND_LOCAL : LEMAN_NETWORK_KIND_GIN, LEMAN_PRESET_TU, 3, 16);
        leman_network *network = NULL;
        leman_history *history = NULL;
        o.t.classes = true;
        o.t.epochs = 30;
        o.t.patience = 4;
        o.t.batch_size = 20;
        train(ctx, data, parts, &o, &network, &history);
        if (pairs ? best_test(history) > 5 : best_test(history) < 40)
            fail_msg("%s: %g %% are wrong", pairs ? "local" : "gin", best_test(history));
        leman_history_free(history);
        leman_network_free(network);
    }
    leman_parts_free(parts);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* ---- The same again -------------------------------------------------------------------------- */

/* Runs of different contexts with the same seed: history and predictions agree to the bit. */
static void compare_runs(const task *a, const task *b, int threads_a, int threads_b)
{
    const task *o[2] = {a, b};
    const int threads[2] = {threads_a, threads_b};
    leman_history *history[2] = {NULL, NULL};
    double *output[2];
    size_t outputs = 0;
    fixture s[2];
    for (int i = 0; i < 2; i++) {
        leman_network *network = NULL;
        s[i] = fixture_new(threads[i], 30);
        train(s[i].ctx, s[i].data, s[i].parts, o[i], &network, &history[i]);
        output[i] = predictions(s[i].ctx, network, s[i].data);
        outputs = leman_network_describe(network)->outputs;
        leman_network_free(network);
    }
    same_history(history[0], history[1]);
    same_reals(output[0], output[1], 30 * outputs);
    for (int i = 0; i < 2; i++) {
        leman_history_free(history[i]);
        free(output[i]);
        fixture_free(s + i);
    }
}

static void test_reproducible(void **state)
{
    (void)state;
    task classes = small(), targets = small();
    learn_targets(&targets);
    targets.t.max_gradient_norm = 0.5;
    targets.t.weight_decay = 1e-3;
    compare_runs(&classes, &classes, 2, 2);
    compare_runs(&targets, &targets, 1, 1);
    task again = classes;
    again.t.recompute = true;
    compare_runs(&classes, &again, 1, 1); /* the same numbers, computed twice */
}

static void test_threads(void **state)
{
    (void)state;
    task o = small();
    compare_runs(&o, &o, 1, 2);
    compare_runs(&o, &o, 1, 3);
}

/* ---- Limits ---------------------------------------------------------------------------------- */

static leman_status train_with(leman_context *ctx, const task *o)
{
    leman_dataset *data = molecules(ctx, 20, 12);
    leman_parts *parts = NULL;
    leman_network *network = NULL;
    assert_int_equal(leman_parts_draw(ctx, 20, 0.2, 0.2, &parts), LEMAN_OK);
    leman_status st = leman_train(ctx, data, parts, &o->a, &o->t, &network, NULL);
    leman_network_free(network);
    leman_parts_free(parts);
    leman_dataset_free(data);
    return st;
}

static void test_refusals(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    static const size_t NO_SUCH[] = {1};
    task o = small();
    o.t.epochs = 1;
    o.t.device = LEMAN_DEVICE_CUDA; /* refused where there is none, whatever the context says */
    assert_int_equal(train_with(ctx, &o), leman_device_check(ctx, "cuda"));
    o = small();
    o.t.batch_size = 0;
    assert_int_equal(train_with(ctx, &o), LEMAN_ERROR_ARGUMENT);
    o = small();
    o.t.learning_rate = NAN;
    assert_int_equal(train_with(ctx, &o), LEMAN_ERROR_ARGUMENT);
    o = small();
    o.t.warm_up = o.t.epochs;
    assert_int_equal(train_with(ctx, &o), LEMAN_ERROR_ARGUMENT);
    o = small();
    o.t.min_learning_rate = 1e-6; /* the plateau rule has none */
    assert_int_equal(train_with(ctx, &o), LEMAN_ERROR_ARGUMENT);
    o.t.schedule = LEMAN_SCHEDULE_COSINE;
    o.t.min_learning_rate = 2 * o.t.learning_rate;
    assert_int_equal(train_with(ctx, &o), LEMAN_ERROR_ARGUMENT);
    o = small();
    o.t.schedule = LEMAN_SCHEDULE_CONSTANT;
    o.t.details = &(leman_paper_details){.size = sizeof(leman_paper_details), .plateau_on_accuracy = true};
    assert_int_equal(train_with(ctx, &o), LEMAN_ERROR_ARGUMENT);
    o = small();
    o.t.schedule = (leman_schedule)LEMAN_SCHEDULE_COUNT;
    assert_int_equal(train_with(ctx, &o), LEMAN_ERROR_ARGUMENT);
    o = small();
    o.t.classes = false;
    o.t.targets = NO_SUCH;
    o.t.target_count = 1;
    assert_int_equal(train_with(ctx, &o), LEMAN_ERROR_INPUT);
    test_context_free(ctx);
}

/* A network that was only built predicts nothing. */
static void test_untrained(void **state)
{
    (void)state;
    fixture s = fixture_new(1, 8);
    task o = small();
    leman_network *network = NULL;
    double output[64];
    o.t.epochs = 0;
    assert_int_equal(leman_train(s.ctx, s.data, s.parts, &o.a, &o.t, &network, NULL), LEMAN_OK);
    assert_int_equal(leman_network_predict(s.ctx, network, s.data, 0, output), LEMAN_ERROR_INPUT);
    assert_int_equal(leman_network_export(s.ctx, network, test_path(s.folder, "w.npz")), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(s.ctx), "not trained"));
    leman_network_free(network);
    fixture_free(&s);
}

/* An allocator that counts; the count after each epoch, the largest request. */
typedef struct counter {
    size_t calls, after[41], largest;
} counter;

static void count(counter *c, size_t size)
{
    c->calls++;
    if (size > c->largest) c->largest = size;
}

static void *count_allocate(void *user, size_t size)
{
    count(user, size);
    return malloc(size);
}

static void *count_reallocate(void *user, void *pointer, size_t size)
{
    count(user, size);
    return realloc(pointer, size);
}

static void count_release(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

static leman_settings counting(counter *c)
{
    leman_settings settings = leman_settings_default();
    settings.allocate = count_allocate;
    settings.reallocate = count_reallocate;
    settings.release = count_release;
    settings.allocator_user = c;
    settings.threads = 1;
    return settings;
}

static void test_budget(void **state)
{
    (void)state;
    counter c = {0};
    leman_settings settings = counting(&c);
    leman_context *ctx = NULL;
    task o = small();
    o.a.width = 4096; /* hundreds of MiB of weights */
    settings.memory = 1 << 20;
    settings.device = check_device();
    settings.device_memory = 72 << 20; /* 64 of them are for products: of training, and of validation in FP32 */
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    assert_int_equal(train_with(ctx, &o), LEMAN_ERROR_BUDGET);
    assert_non_null(strstr(leman_context_message(ctx), "recomputing"));
    o.t.epochs = 0; /* only measured */
    assert_int_equal(train_with(ctx, &o), LEMAN_OK);
    assert_true(c.largest < 1 << 20);
    leman_context_free(ctx);
}

/* With no patience and a rate near the end, the rate falls below 1e-6 and the run converges before its last epoch. */
static void test_converges(void **state)
{
    (void)state;
    fixture s = fixture_new(1, 20);
    task o = small();
    leman_network *network = NULL;
    leman_history *history = NULL;
    o.t.epochs = 100;
    o.t.patience = 0;
    o.t.learning_rate = 3e-6;
    train(s.ctx, s.data, s.parts, &o, &network, &history);
    assert_true(history->converged && history->epochs < 100);
    assert_true(history->epoch[history->epochs - 1].learning_rate < 1e-6 &&
                history->epoch[history->epochs - 2].learning_rate >= 1e-6);
    for (size_t i = 0; i < history->epochs; i++) { /* tested exactly where validation was as good as ever */
        bool good = true;
        for (size_t j = 0; j < i; j++) good &= history->epoch[i].val_error <= history->epoch[j].val_error;
        assert_int_equal(good, !isnan(history->epoch[i].test_error));
        if (good) assert_true(history->best >= i);
    }
    leman_history_free(history);
    leman_network_free(network);
    fixture_free(&s);
}

typedef struct stopper {
    int left;
} stopper;

static bool stop_soon(void *user, const leman_progress *progress)
{
    stopper *s = user;
    (void)progress;
    return s->left-- > 0;
}

static void test_cancels(void **state)
{
    (void)state;
    stopper s = {0};
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    task o = small();
    settings.progress = stop_soon;
    settings.callback_user = &s;
    settings.threads = 1;
    o.t.epochs = 100000;
    o.t.patience = 100000; /* it would not end by itself */
    settings.device = check_device();
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    leman_dataset *data = NULL;
    leman_parts *parts = NULL;
    leman_network *network = NULL;
    s.left = 1000000;
    data = molecules(ctx, 20, 12);
    assert_int_equal(leman_parts_draw(ctx, 20, 0.2, 0.2, &parts), LEMAN_OK);
    s.left = 3;
    assert_int_equal(leman_train(ctx, data, parts, &o.a, &o.t, &network, NULL), LEMAN_ERROR_CANCELLED);
    assert_null(network);
    leman_parts_free(parts);
    leman_dataset_free(data);
    leman_context_free(ctx);
}

static bool note_calls(void *user, const leman_history *history)
{
    counter *c = user;
    c->after[history->epochs] = c->calls;
    return true;
}

/* Once the largest batch has been seen only the list of epochs grows. */
static void test_epochs_allocate_nothing(void **state)
{
    (void)state;
    counter c = {0};
    leman_settings settings = counting(&c);
    leman_context *ctx = NULL;
    task o = small();
    leman_parts *parts = NULL;
    leman_network *network = NULL;
    o.t.epochs = 40;
    o.t.patience = 40;
    o.t.on_epoch = note_calls;
    o.t.user = &c;
    settings.device = check_device();
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    leman_dataset *data = molecules(ctx, 30, 12);
    assert_int_equal(leman_parts_draw(ctx, 30, 0.2, 0.2, &parts), LEMAN_OK);
    train(ctx, data, parts, &o, &network, NULL);
    assert_true(c.after[40] - c.after[20] <= 4);
    leman_network_free(network);
    leman_parts_free(parts);
    leman_dataset_free(data);
    leman_context_free(ctx);
}

static leman_status everything(leman_context *ctx, void *state)
{
    const fixture *s = state;
    task o = small();
    leman_network *network = NULL, *read = NULL;
    leman_history *history = NULL;
    double output[2 * 8];
    learn_targets(&o);
    o.t.epochs = 1;
    o.t.checkpoint = s->path;
    leman_status st = leman_train(ctx, s->data, s->parts, &o.a, &o.t, &network, &history);
    o.t.resume = true;
    leman_network_free(network);
    leman_history_free(history);
    history = NULL;
    network = NULL;
    if (!st) st = leman_train(ctx, s->data, s->parts, &o.a, &o.t, &network, &history);
    if (!st) st = leman_network_read(ctx, s->path, &read);
    if (!st) st = leman_network_predict(ctx, read, s->data, 0, output);
    if (!st) st = leman_network_export(ctx, read, test_path(s->folder, "w.npz"));
    leman_network_free(network);
    leman_network_free(read);
    leman_history_free(history);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    fixture s = fixture_new(1, 8);
    assert_true(test_fail_each_allocation(everything, &s) > 50);
    fixture_free(&s);
}

/* ---- The validation loss --------------------------------------------------------------------- */

/* The loss of graphs from predictions in the units of the data: cross entropy, or the mean of |e| or e^2 over targets
 * in the units that are learned. */
static double slow_loss(const leman_dataset *data, const leman_parts *parts, const leman_network_shape *shape,
                        const leman_history *h, const double *class_weight, const double *predicted)
{
    const size_t columns = leman_dataset_shape(data)->columns->targets, outputs = shape->outputs;
    double sum = 0, weight = 0;
    for (size_t i = 0; i < parts->count[1]; i++) {
        const size_t g = parts->graph[parts->count[0] + i];
        for (size_t t = 0; t < outputs; t++) {
            const double p = predicted[g * outputs + t];
            if (shape->class_label) {
                const double w = class_weight ? class_weight[t] : 1;
                if (shape->class_label[t] != leman_dataset_classes(data)[g]) continue;
                sum -= w * log(p);
                weight += w;
            } else {
                const double e = (p - leman_dataset_targets(data)[g * columns + shape->target[t]]) / h->deviation[t];
                sum += (shape->loss == LEMAN_LOSS_L2 ? e * e : fabs(e)) / (double)outputs;
            }
        }
    }
    return sum / (shape->class_label ? weight : (double)parts->count[1]);
}

/* That of the best epoch, from the predictions of its network; twelve graphs in batches of seven and five. */
static void test_validation_loss(void **state)
{
    (void)state;
    static const double WEIGHTS[] = {5, 0.5};
    fixture s = fixture_new(1, 60);
    for (int what = 0; what < 4; what++) { /* classes, absolute errors, squared errors, classes with weights */
        task o = small();
        leman_network *network = NULL;
        leman_history *history = NULL;
        if (what == 1 || what == 2) learn_targets(&o);
        if (what == 3) o.t.class_weight = WEIGHTS;
        o.t.class_weights = 2;
        o.t.loss = what == 2 ? LEMAN_LOSS_L2 : LEMAN_LOSS_L1;
        train(s.ctx, s.data, s.parts, &o, &network, &history);
        double *predicted = predictions(s.ctx, network, s.data);
        const leman_network_shape *shape = leman_network_describe(network);
        const double expected = slow_loss(s.data, s.parts, shape, history, o.t.class_weight, predicted);
        const double found = history->epoch[history->best].val_loss;
        if (!(fabs(found - expected) < 1e-4 * (1 + expected))) fail_msg("%d: %g, expected %g", what, found, expected);
        assert_true(shape->best.val_loss >= found && shape->best.val_loss <= found);
        free(predicted);
        leman_history_free(history);
        leman_network_free(network);
    }
    fixture_free(&s);
}

/* Balanced weights are the list by their formula: the same history to the bit, and another than without weights. Wrong
 * weights are refused. */
static void test_class_weights(void **state)
{
    (void)state;
    fixture s = fixture_new(1, 40);
    task o = small();
    leman_network *network[3] = {NULL}, *none = NULL;
    leman_history *history[3] = {NULL};
    double count[2] = {0}, weight[3] = {0};
    int64_t smaller = INT64_MAX;
    for (size_t g = 0; g < 40; g++)
        if (leman_dataset_classes(s.data)[g] < smaller) smaller = leman_dataset_classes(s.data)[g];
    for (size_t i = 0; i < s.parts->count[0]; i++) count[leman_dataset_classes(s.data)[s.parts->graph[i]] != smaller]++;
    for (size_t c = 0; c < 2; c++) weight[c] = (count[0] + count[1]) / (2 * count[c]);
    assert_true(weight[0] < weight[1] || weight[0] > weight[1]);
    train(s.ctx, s.data, s.parts, &o, network, history);
    o.t.balanced_weights = true;
    train(s.ctx, s.data, s.parts, &o, network + 1, history + 1);
    o.t.balanced_weights = false;
    o.t.class_weight = weight;
    o.t.class_weights = 2;
    train(s.ctx, s.data, s.parts, &o, network + 2, history + 2);
    same_history(history[1], history[2]);
    assert_true(fabs(history[0]->epoch[0].train_loss - history[1]->epoch[0].train_loss) > 1e-9);
    for (size_t i = 0; i < 3; i++) {
        leman_history_free(history[i]);
        leman_network_free(network[i]);
    }
    o.t.class_weights = 3;
    assert_int_equal(leman_train(s.ctx, s.data, s.parts, &o.a, &o.t, &none, NULL), LEMAN_ERROR_ARGUMENT);
    o.t.class_weights = 2;
    weight[1] = 0;
    assert_int_equal(leman_train(s.ctx, s.data, s.parts, &o.a, &o.t, &none, NULL), LEMAN_ERROR_ARGUMENT);
    weight[1] = 1;
    learn_targets(&o);
    assert_int_equal(leman_train(s.ctx, s.data, s.parts, &o.a, &o.t, &none, NULL), LEMAN_ERROR_ARGUMENT);
    fixture_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overfits_reals),   cmocka_unit_test(test_overfits),
        cmocka_unit_test(test_shuffled_targets), cmocka_unit_test(test_rings),
        cmocka_unit_test(test_reproducible),     cmocka_unit_test(test_threads),
        cmocka_unit_test(test_refusals),         cmocka_unit_test(test_untrained),
        cmocka_unit_test(test_budget),           cmocka_unit_test(test_converges),
        cmocka_unit_test(test_validation_loss),  cmocka_unit_test(test_class_weights),
        cmocka_unit_test(test_cancels),          cmocka_unit_test(test_epochs_allocate_nothing),
        cmocka_unit_test(test_allocations),
    };
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
