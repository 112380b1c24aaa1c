/*
 * Training shared by ranks: P ranks with batches of B graphs give what one device gives with batches of P B, to
 * rounding. Losses and errors of the first epochs are compared closely: norms that looked at one rank alone, dropout
 * that began anew in every rank, or a mean of means where targets are missing would be percents away. Ranks on the CPU
 * run everywhere; on the device of the test several share one, so their sums go through the host; the emulation has
 * several devices and an NCCL.
 */
#include "base/ranks/rank_threads.h"
#include "nn/train/trainer.h"
#include "nn/train_fixture.h"

#ifdef TEST_EMULATED /* which takes its time */
enum { GRAPHS = 12, EPOCHS = 1, MOST_RANKS = 2 };
static const leman_network_kind KIND = LEMAN_NETWORK_KIND_GIN;
extern int emulate_devices, emulate_nccl_calls;
extern bool emulate_nccl;
#else
enum { GRAPHS = 26, EPOCHS = 4, MOST_RANKS = 4 };
static const leman_network_kind KIND = LEMAN_NETWORK_KIND_LOCAL;
#endif

/* "cpu,cpu,cpu"; of CUDA "cuda:0,cuda:0", or with `different` "cuda:0,cuda:1". */
static const char *list_of(size_t ranks, bool different)
{
    static char text[128];
    const bool cpu = !strcmp(check_device(), "cpu");
    size_t at = 0;
    for (size_t r = 0; r < ranks; r++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", r ? "," : "", cpu ? "cpu" : "cuda:");
        if (!cpu) at += (size_t)snprintf(text + at, sizeof text - at, "%zu", different ? r : 0);
    }
    return text;
}

/* ---- The threads ----------------------------------------------------------------------------- */

enum { NUMBERS = 37, MANY = 700 /* sums of many numbers are exchanged in slices */ };

typedef struct exchange {
    double sum[4][MANY], all[4][4];
    float floats[4][NUMBERS];
} exchange;

static leman_status exchange_all(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    exchange *e = state;
    const size_t rank = lm_rank(ctx);
    const double mine = 10.0 + (double)rank;
    lm_ranks_begin(ctx);
    for (size_t i = 0; i < MANY; i++) e->sum[rank][i] = (double)(i * (rank + 1));
    for (size_t i = 0; i < NUMBERS; i++)
        e->floats[rank][i] = rank ? 1.0f : 16777216.0f; /* 2^24: in the order of the ranks each 1 is lost */
    TRY(lm_ranks_sum(ctx, LM_FLOAT64, e->sum[rank], MANY));
    TRY(lm_ranks_sum(ctx, LM_FLOAT32, e->floats[rank], NUMBERS));
    TRY(lm_ranks_gather_equal(ctx, &mine, sizeof mine, e->all[rank]));
done:
    return lm_ranks_end(ctx, st);
}

static void test_threads(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    for (size_t ranks = 1; ranks <= 4; ranks++) {
        exchange e = {0};
        assert_int_equal(lm_rank_threads_run(ctx, ranks, exchange_all, &e), LEMAN_OK);
        for (size_t r = 0; r < ranks; r++) {
            for (size_t i = 0; i < MANY; i++) assert_true(e.sum[r][i] == (double)(i * ranks * (ranks + 1) / 2));
            for (size_t i = 0; i < NUMBERS; i++) assert_true(e.floats[r][i] == 16777216.0f);
            for (size_t i = 0; i < ranks; i++) assert_true(e.all[r][i] == 10.0 + (double)i);
        }
        assert_false(lm_has_ranks(ctx));
    }
    test_context_free(ctx);
}

/* Rank 1 fails where the others wait for it. Rank 0 stops because of that, which is not the failure of the work. */
static leman_status fail_in_one(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    double number = 1;
    const size_t rank = lm_rank(ctx);
    ++((size_t *)state)[rank];
    lm_ranks_begin(ctx);
    if (rank == 1) FAIL(ctx, LEMAN_ERROR_INPUT, "rank 1 found nothing, expected something");
    while (!rank && !lm_ranks_stopped(ctx)) continue;
    if (!rank) FAIL(ctx, LEMAN_ERROR_CANCELLED, "another rank failed");
    TRY(lm_ranks_sum(ctx, LM_FLOAT64, &number, 1));
done:
    return lm_ranks_end(ctx, st);
}

static void test_failures(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    size_t calls[3] = {0};
    for (size_t again = 1; again <= 2; again++) {
        assert_int_equal(lm_rank_threads_run(ctx, 3, fail_in_one, calls), LEMAN_ERROR_INPUT);
        assert_string_equal(leman_context_message(ctx), "rank 1 found nothing, expected something");
        for (int r = 0; r < 3; r++) assert_int_equal(calls[r], again);
    }
    test_context_free(ctx);
}

/* ---- Training -------------------------------------------------------------------------------- */

static leman_history *train_on(fixture *s, const char *device, size_t batch_size, const task *given)
{
    leman_network *network = NULL;
    leman_history *history = NULL;
    task o = *given;
    const char *before = s->ctx->settings.device;
    o.t.batch_size = batch_size;
    s->ctx->settings.device = device;
    train(s->ctx, s->data, s->parts, &o, &network, &history);
    s->ctx->settings.device = before;
    leman_network_free(network);
    return history;
}

static double apart(double a, double b)
{
    return isnan(a) && isnan(b) ? 0 : fabs(a - b) / fmax(1e-3, fmax(fabs(a), fabs(b)));
}

static void compare(fixture *s, const task *o, size_t ranks, size_t each, bool different)
{
    leman_history *one = train_on(s, check_device(), ranks * each, o);
    leman_history *shared = train_on(s, list_of(ranks, different), each, o);
    assert_int_equal(one->epochs, shared->epochs);
    for (size_t e = 0; e < one->epochs; e++) {
        const leman_epoch *a = one->epoch + e, *b = shared->epoch + e;
        const double close = e ? 5e-3 : 2e-4, later = 5e-3; /* Adam's first steps make much of little gradients */
        if (!(apart(a->train_loss, b->train_loss) < close && apart(a->val_loss, b->val_loss) < later &&
              (o->t.classes || apart(a->val_error, b->val_error) < later)))
            fail_msg("%s, %zu ranks, epoch %zu: losses %g and %g, validation %g and %g, errors %g and %g",
                     leman_network_kind_name(o->a.kind), ranks, e + 1, a->train_loss, b->train_loss, a->val_loss,
                     b->val_loss, a->val_error, b->val_error);
    }
    leman_history_free(one);
    leman_history_free(shared);
}

static task regression(leman_network_kind kind, leman_preset preset)
{
    task o = narrow(kind, preset, 2, 8);
    learn_targets(&o);
    o.t.epochs = EPOCHS;
    o.t.learning_rate = 1e-3;
    return o;
}

/* Dropout, norms, classes. */
static task with_dropout(void)
{
    task o = small();
    o.a.kind = KIND;
    o.t.epochs = EPOCHS;
    o.t.learning_rate = 1e-3;
    return o;
}

/* Every network; 16 graphs are trained, so the last batch may have fewer graphs than there are ranks. */
static void test_models(void **state)
{
    (void)state;
    fixture s = fixture_new(2, GRAPHS);
    task o = with_dropout();
    for (size_t ranks = 2; ranks <= MOST_RANKS; ranks++) compare(&s, &o, ranks, ranks == 3 ? 2 : 3, false);
    compare(&s, &o, 3, 5, false); /* one left */
#ifndef TEST_EMULATED
    for (int kind = 0; kind < LEMAN_NETWORK_KIND_COUNT; kind++) {
        o = regression((leman_network_kind)kind, LEMAN_PRESET_ZINC);
        compare(&s, &o, 2, 4, false);
    }
#endif
    o = regression(LEMAN_NETWORK_KIND_GINE, LEMAN_PRESET_ALCHEMY); /* Set2Set */
    o.t.recompute = true;
    compare(&s, &o, 2, 4, false);
    fixture_free(&s);
}

/* Ranks whose targets are missing count less. */
static void test_missing(void **state)
{
    (void)state;
    fixture s = fixture_new(2, GRAPHS);
    const task o = regression(KIND, LEMAN_PRESET_ZINC);
    const size_t columns = leman_dataset_shape(s.data)->columns->targets;
    for (size_t g = 0; g < GRAPHS; g += 5) targets_of(s.data)[g * columns] = NAN;
    compare(&s, &o, 2, 3, false);
    compare(&s, &o, MOST_RANKS, 1, false);
    fixture_free(&s);
}

/* A run of two ranks resumes as one of one rank with batches twice as large, and back. */
static void test_resuming(void **state)
{
    (void)state;
    fixture s = fixture_new(2, GRAPHS);
    task o = regression(KIND, LEMAN_PRESET_ZINC);
    o.t.epochs = 4;
    leman_history *whole = train_on(&s, list_of(2, false), 4, &o);
    o.t.checkpoint = s.path;
    o.t.epochs = 2;
    leman_history_free(train_on(&s, list_of(2, false), 4, &o));
    o.t.resume = true;
    o.t.epochs = 4;
    leman_history *resumed = train_on(&s, list_of(2, false), 4, &o);
    assert_int_equal(resumed->resumed, 2);
    same_history(whole, resumed);
    leman_history_free(resumed);
    o.t.epochs = 5;
    resumed = train_on(&s, check_device(), 8, &o);
    assert_int_equal(resumed->resumed, 4);
    leman_history_free(resumed);
    leman_history_free(whole);
    fixture_free(&s);
}

/* ---- One rank -------------------------------------------------------------------------------- */

/* Losses of epochs of full batches: recorded and repeated where the device does that. */
typedef struct lone {
    const lm_trainer *options;
    double loss[6];
} lone;

static leman_status train_lone(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    lone *l = state;
    lm_trainer *t = NULL;
    lm_ranks_begin(ctx);
    TRY(lm_trainer_new(ctx, l->options, &t));
    for (uint64_t e = 0; e < 6; e++) TRY(lm_trainer_epoch(t, e + 1, 1e-3, l->loss + e));
done:
    st = lm_ranks_end(ctx, st);
    lm_trainer_free(t);
    return st;
}

/* A group of one rank changes nothing: on a CUDA device with NCCL, this is how its calls are tried. */
static void test_one_rank(void **state)
{
    (void)state;
    fixture s = fixture_new(2, GRAPHS);
    task o = with_dropout();
    lm_training_options options = {.architecture = o.a, .training = o.t};
    leman_training training = leman_training_default(&o.a);
    training.batch_size = GRAPHS;
    training.epochs = 6;
    leman_network *network = NULL;
    assert_int_equal(lm_network_begin(s.ctx, s.data, s.parts, &options, &network), LEMAN_OK);
    const lm_trainer trainer = {.data = s.data,
                                .parts = s.parts,
                                .network = network,
                                .training = &training,
                                .seed = 5,
                                .device = check_device()};
    lone alone = {.options = &trainer}, ranked = alone;
    assert_int_equal(train_lone(s.ctx, &alone), LEMAN_OK);
    const leman_status st = lm_rank_threads_run(s.ctx, 1, train_lone, &ranked);
    if (st) fail_msg("%s", leman_context_message(s.ctx));
    for (int e = 0; e < 6; e++) assert_true(apart(alone.loss[e], ranked.loss[e]) < 1e-4);
    leman_network_free(network);
    fixture_free(&s);
}

/* ---- Ends ------------------------------------------------------------------------------------ */

static bool stop_soon(void *user, const leman_progress *progress)
{
    (void)progress;
    return ++*(int *)user < 3;
}

/* Refusals, interrupts and losses that are not finite end all ranks. */
static void test_ends(void **state)
{
    (void)state;
    fixture s = fixture_new(2, GRAPHS);
    task o = regression(KIND, LEMAN_PRESET_ZINC);
    leman_network *network = NULL;
    int steps = 0;
    const char *before = s.ctx->settings.device;
    s.ctx->settings.device = list_of(3, false);
    o.t.batch_size = 2;
    o.t.epochs = o.t.patience = 100000; /* it would not end by itself */
    s.ctx->settings.progress = stop_soon;
    s.ctx->settings.callback_user = &steps;
    const leman_status cancelled = leman_train(s.ctx, s.data, s.parts, &o.a, &o.t, &network, NULL);
    s.ctx->settings.progress = NULL;
    assert_int_equal(cancelled, LEMAN_ERROR_CANCELLED);
    for (size_t g = 0; g < GRAPHS; g++) targets_of(s.data)[g * leman_dataset_shape(s.data)->columns->targets] *= 1e300;
    o.t.loss = LEMAN_LOSS_L2;
    assert_int_equal(leman_train(s.ctx, s.data, s.parts, &o.a, &o.t, &network, NULL), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(s.ctx), "diverged"));
    s.ctx->settings.device = before;
    fixture_free(&s);
}

#ifdef TEST_EMULATED
/* Devices of their own: by NCCL where it is there, and the same without. */
static void test_nccl(void **state)
{
    (void)state;
    fixture s = fixture_new(2, GRAPHS);
    const task o = with_dropout();
    emulate_devices = 3;
    emulate_nccl_calls = 0;
    compare(&s, &o, 3, 3, true);
    assert_true(emulate_nccl_calls > 2);
    emulate_nccl = false;
    emulate_nccl_calls = 0;
    compare(&s, &o, 2, 3, true);
    assert_int_equal(emulate_nccl_calls, 0);
    emulate_nccl = true;
    emulate_devices = 1;
    fixture_free(&s);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),  cmocka_unit_test(test_failures), cmocka_unit_test(test_models),
        cmocka_unit_test(test_missing),  cmocka_unit_test(test_resuming), cmocka_unit_test(test_ends),
        cmocka_unit_test(test_one_rank),
#ifdef TEST_EMULATED
        cmocka_unit_test(test_nccl),
#endif
    };
    const int skipped = check_without_device();
    return skipped ? skipped : cmocka_run_group_tests(tests, NULL, NULL);
}
