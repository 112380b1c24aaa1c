/*
 * Several runs on the same parts: each is the run of that number alone, means are those of their best epochs, runs that
 * have ended are not repeated and others go on, and every failing allocation is survived.
 */
#include "nn/train_fixture.h"
#include <unistd.h>

static leman_runs *run_all(fixture *s, const task *o, size_t runs, leman_network **network)
{
    leman_runs *out = NULL;
    leman_status st = leman_train_runs(s->ctx, s->data, s->parts, &o->a, &o->t, runs, network, &out);
    if (st) fail_msg("status %d: %s", st, leman_context_message(s->ctx));
    return out;
}

/* Run i is leman_train() with that number; the network is that of the run that validates best. */
static void test_are_single_runs(void **state)
{
    (void)state;
    fixture s = fixture_new(1, 40);
    task o = small();
    leman_network *best = NULL;
    o.t.run = 3;
    leman_runs *runs = run_all(&s, &o, 3, &best);
    double sum = 0, squares = 0, lowest = INFINITY;
    size_t first = 0;
    assert_int_equal(runs->runs, 3);
    assert_true(runs->classes);
    for (size_t i = 0; i < 3; i++) {
        leman_network *network = NULL;
        leman_history *history = NULL;
        o.t.run = 3 + i;
        train(s.ctx, s.data, s.parts, &o, &network, &history);
        assert_int_equal(runs->history[i]->run, 3 + i);
        same_history(runs->history[i], history);
        const leman_epoch *epoch = history->epoch + history->best;
        sum += 100 - epoch->test_error;
        squares += (100 - epoch->test_error) * (100 - epoch->test_error);
        if (epoch->val_error < lowest) {
            lowest = epoch->val_error;
            first = i;
        }
        if (i == runs->best) {
            double *mine = predictions(s.ctx, network, s.data), *theirs = predictions(s.ctx, best, s.data);
            same_reals(mine, theirs, 40);
            free(mine);
            free(theirs);
        }
        leman_history_free(history);
        leman_network_free(network);
    }
    assert_int_equal(runs->best, first);
    assert_float_equal(runs->test_mean, sum / 3, 1e-9);
    assert_float_equal(runs->test_std, sqrt(squares / 3 - sum / 3 * sum / 3), 1e-6);
    assert_true(isnan(runs->log_mae_mean)); /* of classes */
    leman_runs_free(runs);
    leman_network_free(best);
    fixture_free(&s);
}

/* Ends after so many epochs in all. */
typedef struct stopper {
    size_t epochs, limit;
} stopper;

static bool stop(void *user, const leman_history *history)
{
    stopper *s = user;
    (void)history;
    return ++s->epochs < s->limit;
}

static bool unless_stopped(void *user, const leman_progress *progress)
{
    const stopper *s = user;
    (void)progress;
    return s->epochs < s->limit;
}

/* A fixture whose progress callback ends all runs once the stopper has counted to its limit. */
static fixture stoppable(stopper *s)
{
    fixture f = {.folder = test_folder_new()};
    leman_settings settings = leman_settings_default();
    settings.threads = 1;
    settings.device = check_device();
    settings.progress = unless_stopped;
    settings.callback_user = s;
    assert_int_equal(leman_context_new(&settings, &f.ctx), LEMAN_OK);
    f.data = molecules(f.ctx, 40, 12);
    assert_int_equal(leman_parts_draw(f.ctx, 40, 0.2, 0.2, &f.parts), LEMAN_OK);
    snprintf(f.path, sizeof f.path, "%s", test_path(f.folder, "net.lmn"));
    return f;
}

static bool three_epochs(void *user, const leman_history *history)
{
    (void)user;
    return history->epochs < 3;
}

/* on_epoch ends its own run only. */
static void test_ends_one_run(void **state)
{
    (void)state;
    fixture s = fixture_new(1, 40);
    task o = small();
    leman_network *network = NULL;
    o.t.on_epoch = three_epochs;
    leman_runs *runs = run_all(&s, &o, 2, &network);
    assert_int_equal(runs->runs, 2);
    for (size_t i = 0; i < 2; i++) assert_int_equal(runs->history[i]->epochs, 3);
    leman_network_free(network);
    leman_runs_free(runs);
    fixture_free(&s);
}

/* Stopped in the second run: the first is not repeated, the second goes on, the third begins; as if nothing had been.
 */
static void test_resumes(void **state)
{
    (void)state;
    stopper count = {.limit = SIZE_MAX}, watched = count;
    fixture s = stoppable(&watched);
    task o = small();
    stopper early = {.limit = o.t.epochs + 2};
    leman_network *network[3] = {NULL, NULL, NULL};
    learn_targets(&o);
    o.a.preset = LEMAN_PRESET_ZINC;
    leman_runs *whole = run_all(&s, &o, 3, network);
    assert_false(whole->classes);
    o.t.checkpoint = s.path;
    o.t.on_epoch = stop;
    o.t.user = &early;
    o.t.user = &watched;
    watched = early;
    leman_runs *part = NULL;
    assert_int_equal(leman_train_runs(s.ctx, s.data, s.parts, &o.a, &o.t, 3, network + 1, &part),
                     LEMAN_ERROR_CANCELLED);
    watched = count;
    assert_non_null(network[1]);
    assert_int_equal(part->runs, 2);
    assert_int_equal(part->history[1]->epochs, 2);
    o.t.resume = true;
    o.t.user = &count;
    leman_runs *rest = run_all(&s, &o, 3, network + 2);
    assert_int_equal(count.epochs, o.t.epochs - 2 + o.t.epochs);
    assert_int_equal(rest->finished, 1);
    assert_int_equal(rest->best, whole->best);
    for (size_t i = 0; i < 3; i++) same_history(rest->history[i], whole->history[i]);
    same_reals(&rest->test_mean, &whole->test_mean, 1);
    same_reals(&rest->test_std, &whole->test_std, 1);
    same_reals(&rest->log_mae_mean, &whole->log_mae_mean, 1);
    leman_network *kept = NULL; /* the file of all is the checkpoint of the best */
    assert_int_equal(leman_network_read(s.ctx, s.path, &kept), LEMAN_OK);
    double *mine = predictions(s.ctx, kept, s.data), *theirs = predictions(s.ctx, network[0], s.data);
    same_reals(mine, theirs, 40);
    free(mine);
    free(theirs);
    leman_network_free(kept);
    for (int i = 0; i < 3; i++) leman_network_free(network[i]);
    leman_runs_free(whole);
    leman_runs_free(part);
    leman_runs_free(rest);
    fixture_free(&s);
}

static void test_paths(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {{"net.lmn", "net.run12.lmn"},
                                           {"a.b/net", "a.b/net.run12"},
                                           {"a/.net", "a/.net.run12"},
                                           {"net.tar.lmn", "net.tar.run12.lmn"}};
    char text[64], cut[4];
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        assert_int_equal(leman_runs_path(CASES[i][0], 12, text, sizeof text), strlen(CASES[i][1]));
        assert_string_equal(text, CASES[i][1]);
        assert_int_equal(leman_runs_path(CASES[i][0], 12, cut, sizeof cut), strlen(CASES[i][1]));
        assert_int_equal(strlen(cut), 3);
    }
    assert_int_equal(leman_runs_path("net.lmn", 12, NULL, 0), 13);
}

typedef struct tried {
    fixture *s;
    task o;
} tried;

static leman_status two_runs(leman_context *ctx, void *state)
{
    const tried *t = state;
    leman_network *network = NULL;
    leman_runs *runs = NULL;
    leman_status st = leman_train_runs(ctx, t->s->data, t->s->parts, &t->o.a, &t->o.t, 2, &network, &runs);
    leman_network_free(network);
    leman_runs_free(runs);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    fixture s = fixture_new(1, 10);
    tried t = {.s = &s, .o = narrow(LEMAN_NETWORK_KIND_GIN, LEMAN_PRESET_TU, 1, 2)};
    t.o.t.classes = true;
    t.o.t.epochs = 1;
    t.o.t.checkpoint = s.path;
    assert_true(test_fail_each_allocation(two_runs, &t) > 20);
    fixture_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_are_single_runs), cmocka_unit_test(test_resumes),
                                       cmocka_unit_test(test_ends_one_run), cmocka_unit_test(test_paths),
                                       cmocka_unit_test(test_allocations)};
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
