/*
 * Checkpoints: training goes on from one as if it had never stopped, refuses those of other runs and damaged ones, and
 * writes none where no epoch was finite.
 */
#include "nn/train/run.h"
#include "nn/train_fixture.h"
#include <unistd.h>

static bool stop_after_two(void *user, const leman_history *history)
{
    (void)user;
    return history->epochs < 2;
}

/* The file says what the run was, for people. */
static void check_description(const fixture *s, const task *o, const leman_history *history)
{
    leman_network *read = NULL;
    assert_int_equal(leman_network_read(s->ctx, s->path, &read), LEMAN_OK);
    const leman_checkpoint *c = leman_network_describe(read)->checkpoint;
    assert_string_equal(c->data_name, leman_dataset_shape(s->data)->name);
    assert_memory_equal(c->count, s->parts->count, sizeof c->count);
    assert_true(c->data_checksum == leman_dataset_checksum(s->data));
    assert_int_equal(c->batch_size, o->t.batch_size);
    assert_int_equal(c->patience, o->t.patience);
    assert_true(c->learning_rate == o->t.learning_rate && c->weight_decay == o->t.weight_decay);
    assert_int_equal(c->epochs, history->epochs);
    assert_int_equal(c->best, history->best);
    for (size_t i = 0; i < c->epochs; i++) {
        assert_true(c->epoch[i].val_error == history->epoch[i].val_error);
        assert_true(c->score[2 * i] == history->score[2 * i]);
    }
    leman_network_free(read);
}

static leman_status read_network(leman_context *ctx, void *path)
{
    leman_network *read = NULL;
    const leman_status st = leman_network_read(ctx, path, &read);
    leman_network_free(read);
    return st;
}

/* Stopped after two epochs and resumed, against one run; then the network as it was read from the file. */
static void test_resumes(void **state)
{
    (void)state;
    for (int targets = 0; targets < 2; targets++) {
        fixture s = fixture_new(2, 30);
        task o = small(), stopped;
        leman_network *whole = NULL, *part = NULL, *resumed = NULL, *read = NULL;
        leman_history *a = NULL, *b = NULL, *c = NULL;
        if (targets) learn_targets(&o);
        o.t.scale_targets = targets;
        train(s.ctx, s.data, s.parts, &o, &whole, &a);
        o.t.checkpoint = s.path;
        o.t.resume = true; /* there is none yet */
        stopped = o;
        stopped.t.on_epoch = stop_after_two;
        train(s.ctx, s.data, s.parts, &stopped, &part, &b);
        assert_int_equal(b->epochs, 2);
        leman_history_free(b);
        b = NULL;
        train(s.ctx, s.data, s.parts, &o, &resumed, &b);
        assert_int_equal(b->resumed, 2);
        same_history(a, b);
        leman_network_free(part);
        part = NULL;
        train(s.ctx, s.data, s.parts, &o, &part, &c); /* nothing is left to do */
        assert_int_equal(c->resumed, 6);
        same_history(a, c);
        assert_int_equal(leman_network_read(s.ctx, s.path, &read), LEMAN_OK);
        double *x = predictions(s.ctx, whole, s.data), *y = predictions(s.ctx, resumed, s.data),
               *z = predictions(s.ctx, read, s.data);
        const size_t count = 30 * leman_network_describe(read)->outputs;
        same_reals(x, y, count);
        same_reals(x, z, count);
        assert_int_equal(leman_network_describe(read)->best.epoch, a->epoch[a->best].epoch);
        check_description(&s, &o, b);
        free(x), free(y), free(z);
        leman_network *networks[] = {whole, part, resumed, read};
        for (int i = 0; i < 4; i++) leman_network_free(networks[i]);
        leman_history_free(a);
        leman_history_free(b);
        leman_history_free(c);
        fixture_free(&s);
    }
}

/* Every schedule, with and without a warm-up, goes on from a checkpoint with the rates that it would have had. */
static void test_schedules(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2 * LEMAN_SCHEDULE_COUNT; kind++) {
        fixture s = fixture_new(1, 30);
        task o = small();
        leman_network *whole = NULL, *part = NULL, *resumed = NULL;
        leman_history *a = NULL, *b = NULL;
        o.t.schedule = (leman_schedule)(kind / 2);
        o.t.warm_up = kind % 2 ? 3 : 0;
        o.t.patience = 0;
        if (o.t.schedule == LEMAN_SCHEDULE_COSINE) o.t.min_learning_rate = 1e-4;
        train(s.ctx, s.data, s.parts, &o, &whole, &a);
        o.t.checkpoint = s.path;
        o.t.resume = true;
        task stopped = o;
        stopped.t.on_epoch = stop_after_two;
        train(s.ctx, s.data, s.parts, &stopped, &part, NULL);
        train(s.ctx, s.data, s.parts, &o, &resumed, &b);
        assert_int_equal(b->resumed, 2);
        same_history(a, b);
        const leman_checkpoint *c = leman_network_describe(resumed)->checkpoint;
        assert_int_equal(c->schedule, o.t.schedule);
        assert_int_equal(c->warm_up, o.t.warm_up);
        assert_int_equal(c->planned_epochs, 6);
        assert_true(c->min_learning_rate == o.t.min_learning_rate);
        if (o.t.schedule == LEMAN_SCHEDULE_COSINE) assert_true(c->next_learning_rate == 1e-4);
        leman_network *networks[] = {whole, part, resumed};
        for (int i = 0; i < 3; i++) leman_network_free(networks[i]);
        leman_history_free(a);
        leman_history_free(b);
        fixture_free(&s);
    }
}

static void expect_refusal(const fixture *s, const task *o, const char *words)
{
    leman_network *network = NULL;
    leman_status st = leman_train(s->ctx, s->data, s->parts, &o->a, &o->t, &network, NULL);
    if (st != LEMAN_ERROR_INPUT || !strstr(leman_context_message(s->ctx), words))
        fail_msg("'%s': status %d, %s", words, st, leman_context_message(s->ctx));
}

/* A run does not go on from another's checkpoint. */
static void test_other_runs(void **state)
{
    (void)state;
    fixture s = fixture_new(1, 30);
    task o = small(), other;
    leman_network *network = NULL;
    o.t.epochs = 2;
    o.t.checkpoint = s.path;
    train(s.ctx, s.data, s.parts, &o, &network, NULL);
    leman_network_free(network);
    o.t.resume = true;
    other = o;
    other.t.epochs = 1; /* the best may be the second */
    expect_refusal(&s, &other, "found 2 epochs, expected at most the 1 that is asked for");
    other = o;
    other.a.width = 9;
    expect_refusal(&s, &other, "width 8, expected 9");
    other = o;
    other.t.learning_rate *= 2;
    expect_refusal(&s, &other, "learning rate");
    other = o;
    other.t.batch_size = 8;
    expect_refusal(&s, &other, "batch 7, expected 8");
    other = o;
    other.t.balanced_weights = true;
    expect_refusal(&s, &other, "balanced class weights: no, expected yes");
    other = o;
    other.t.class_weight = (const double[]){1, 2};
    other.t.class_weights = 2;
    expect_refusal(&s, &other, "other class weights");
    other = o;
    other.t.schedule = LEMAN_SCHEDULE_CONSTANT;
    expect_refusal(&s, &other, "the schedule plateau, expected constant");
    other = o;
    other.t.warm_up = 1;
    expect_refusal(&s, &other, "warm-up epochs 0, expected 1");
    other = o;
    other.t.details = &(leman_paper_details){.size = sizeof(leman_paper_details), .plateau_on_accuracy = true};
    expect_refusal(&s, &other, "follows the accuracy: no, expected yes");
    uint32_t first = s.parts->graph[0];
    s.parts->graph[0] = s.parts->graph[1];
    s.parts->graph[1] = first;
    expect_refusal(&s, &o, "other parts");
    s.parts->graph[1] = s.parts->graph[0];
    s.parts->graph[0] = first;
    targets_of(s.data)[3] += 1;
    expect_refusal(&s, &o, "other data");
    fixture_free(&s);
}

/* A cosine over another number of epochs is another schedule. Class weights are in the file, and are compared. */
static void test_other_cosine(void **state)
{
    (void)state;
    fixture s = fixture_new(1, 30);
    static const double WEIGHT[] = {1, 2.5}, OTHER[] = {1, 2};
    task o = small(), other;
    leman_network *network = NULL, *read = NULL;
    o.t.epochs = 2;
    o.t.schedule = LEMAN_SCHEDULE_COSINE;
    o.t.class_weight = WEIGHT;
    o.t.class_weights = 2;
    o.t.checkpoint = s.path;
    train(s.ctx, s.data, s.parts, &o, &network, NULL);
    assert_int_equal(leman_network_read(s.ctx, s.path, &read), LEMAN_OK);
    const leman_checkpoint *c = leman_network_describe(read)->checkpoint;
    assert_int_equal(c->class_weight_count, 2);
    same_reals(c->class_weight, WEIGHT, 2);
    o.t.resume = true;
    other = o;
    other.t.epochs = 3;
    expect_refusal(&s, &other, "a cosine over 2 epochs, expected one over 3");
    other = o;
    other.t.min_learning_rate = 1e-5;
    expect_refusal(&s, &other, "least learning rate 0, expected");
    other = o;
    other.t.class_weight = OTHER;
    expect_refusal(&s, &other, "other class weights");
    leman_network_free(network);
    leman_network_free(read);
    fixture_free(&s);
}

/* Cut off or changed anywhere: refused with a message. */
static void test_damaged(void **state)
{
    (void)state;
    fixture s = fixture_new(1, 30);
    task o = small();
    leman_network *network = NULL;
    o.t.epochs = 1;
    o.t.checkpoint = s.path;
    train(s.ctx, s.data, s.parts, &o, &network, NULL);
    leman_network_free(network);
    network = NULL;
    FILE *file = fopen(s.path, "rb");
    static char bytes[1 << 20];
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(test_fail_each_allocation(read_network, (void *)(uintptr_t)s.path) > 1);
    assert_in_range(size, 1000, sizeof bytes - 1);
    bytes[8] = 3;
    assert_int_equal(leman_network_read(s.ctx, test_file_write(s.folder, "other", bytes, size), &network),
                     LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(s.ctx), "found version 3 of the format, expected 2"));
    bytes[8] = LM_CHECKPOINT_VERSION;
    for (size_t i = 0; i < 200; i++) {
        const char *bad = test_file_write(s.folder, "bad", bytes, size * i / 200);
        assert_int_equal(leman_network_read(s.ctx, bad, &network), LEMAN_ERROR_INPUT);
        assert_non_null(strstr(leman_context_message(s.ctx), "bad: found"));
        assert_int_equal(read_network(s.ctx, (void *)(uintptr_t)bad), LEMAN_ERROR_INPUT);
        const size_t at = size * i / 200;
        bytes[at] ^= 0x20;
        assert_int_equal(leman_network_read(s.ctx, test_file_write(s.folder, "bad", bytes, size), &network),
                         LEMAN_ERROR_INPUT);
        bytes[at] ^= 0x20;
    }
    assert_null(network);
    o.t.resume = true;
    test_file_write(s.folder, "net.lmn", bytes, size / 2);
    expect_refusal(&s, &o, "cut off");
    fixture_free(&s);
}

/* No epoch validates to a finite error: training fails, and leaves no checkpoint that could be read as a network. */
static void test_diverges(void **state)
{
    (void)state;
    fixture s = fixture_new(1, 20);
    task o = small();
    leman_network *network = NULL;
    double *target = targets_of(s.data);
    for (size_t i = 0; i < s.parts->count[1]; i++) target[s.parts->graph[s.parts->count[0] + i]] = 1e300;
    learn_targets(&o);
    o.t.scale_targets = false;
    o.t.checkpoint = s.path;
    assert_int_equal(leman_train(s.ctx, s.data, s.parts, &o.a, &o.t, &network, NULL), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(s.ctx), "finite validation error"));
    assert_null(network);
    assert_int_not_equal(access(s.path, F_OK), 0);
    fixture_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resumes),      cmocka_unit_test(test_schedules), cmocka_unit_test(test_other_runs),
        cmocka_unit_test(test_other_cosine), cmocka_unit_test(test_damaged),   cmocka_unit_test(test_diverges),
    };
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
