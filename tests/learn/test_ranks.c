/*
 * The protocol and training on several ranks. Folds are handed out in any order, and every number is that of one
 * context; what a rank that was lost had finished is taken over. Ranks that train do what as many devices of one
 * process do, to the bit: both add up gradients in the order of the ranks.
 */
#include "support/ranks.h"
#include <stdio.h>
#include <unistd.h>

enum { GRAPHS = 60, FOLDS = 10, EPOCHS = 2 };

typedef struct task {
    leman_protocol protocol;
    leman_evaluation *evaluation;
    double loss[EPOCHS], error[EPOCHS];
} task;

static leman_status make_data(leman_context *ctx, leman_dataset **out)
{
    leman_family_options options = leman_family_options_default();
    options.graphs = GRAPHS;
    return leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, out);
}

static leman_status evaluate(leman_context *ctx, void *state)
{
    task *t = state;
    leman_dataset *data = NULL;
    leman_kernel kernel = leman_kernel_default();
    kernel.coloring.k = 1;
    leman_status st = make_data(ctx, &data);
    if (!st) st = leman_evaluate(ctx, data, &kernel, 1, &t->protocol, &t->evaluation);
    leman_dataset_free(data);
    return st;
}

/* As above; the numbers are copied, since contexts are gone when ranks have ended. */
typedef struct result {
    leman_fold fold[2 * FOLDS];
    leman_trial trial[2 * FOLDS * 3];
    double test_mean, test_low;
    size_t resumed;
} result;

typedef struct evaluated {
    task task;
    result result;
} evaluated;

static leman_status evaluate_and_copy(leman_context *ctx, void *state)
{
    evaluated *e = state;
    leman_status st = evaluate(ctx, &e->task);
    const leman_evaluation *found = e->task.evaluation;
    if (st) return st;
    memcpy(e->result.fold, found->fold, sizeof e->result.fold);
    memcpy(e->result.trial, found->trial, sizeof e->result.trial);
    for (size_t i = 0; i < 2 * FOLDS; i++) e->result.fold[i].seconds = 0;
    e->result.test_mean = found->test_mean;
    e->result.test_low = found->test_low;
    e->result.resumed = found->resumed;
    leman_evaluation_free(e->task.evaluation);
    return st;
}

static void run(test_ranks *how, leman_svm svm, const char *journal, evaluated *out)
{
    void *state[TEST_MAX_RANKS];
    for (size_t r = 0; r < how->ranks; r++) {
        out[r] = (evaluated){.task = {.protocol = leman_protocol_default()}};
        out[r].task.protocol.repetitions = 2;
        out[r].task.protocol.folds = FOLDS;
        out[r].task.protocol.max_rounds = 2;
        out[r].task.protocol.svm = svm;
        out[r].task.protocol.journal = journal;
        state[r] = out + r;
    }
    test_ranks_run(how, evaluate_and_copy, state);
}

static void assert_same(const evaluated *a, const evaluated *b)
{
    assert_memory_equal(a->result.fold, b->result.fold, sizeof a->result.fold);
    assert_memory_equal(a->result.trial, b->result.trial, sizeof a->result.trial);
    assert_true(a->result.test_mean == b->result.test_mean && a->result.test_low == b->result.test_low);
}

static void test_evaluate(void **unused)
{
    (void)unused;
    static evaluated one[1], many[TEST_MAX_RANKS];
    for (leman_svm svm = LEMAN_SVM_KERNEL; svm <= LEMAN_SVM_LINEAR; svm++) {
        test_ranks alone = {.ranks = 1};
        run(&alone, svm, NULL, one);
        assert_int_equal(alone.status[0], LEMAN_OK);
        for (size_t ranks = 2; ranks <= 4; ranks++) {
            test_ranks how = {.ranks = ranks, .plain = ranks == 3};
            run(&how, svm, NULL, many);
            for (size_t r = 0; r < ranks; r++) {
                assert_int_equal(how.status[r], LEMAN_OK);
                assert_same(many + r, one);
            }
        }
    }
}

enum { FEW = 3, TASKS = FEW * 3 };

/* Three folds on any number of ranks, of classes or of a target; predictions too. */
typedef struct few {
    leman_svm svm;
    bool regression;
    leman_fold fold[FEW];
    leman_trial trial[TASKS];
    double predicted[GRAPHS];
} few;

static leman_status evaluate_few(leman_context *ctx, void *state)
{
    few *f = state;
    task t = {.protocol = leman_protocol_default()};
    t.protocol.repetitions = 1;
    t.protocol.folds = FEW;
    t.protocol.max_rounds = 2;
    t.protocol.svm = f->svm;
    if (f->regression) t.protocol.target = 0;
    leman_status st = evaluate(ctx, &t);
    if (st) return st;
    memcpy(f->fold, t.evaluation->fold, sizeof f->fold);
    memcpy(f->trial, t.evaluation->trial, sizeof f->trial);
    memcpy(f->predicted, t.evaluation->predicted, sizeof f->predicted);
    for (size_t i = 0; i < FEW; i++) f->fold[i].seconds = 0;
    leman_evaluation_free(t.evaluation);
    return st;
}

/* Fewer folds than ranks: each number of rounds is a task, and every number is that of one process. */
static void test_few_folds(void **unused)
{
    (void)unused;
    static few one, many[TEST_MAX_RANKS];
    for (int way = 0; way < 4; way++) {
        const few empty = {.svm = way & 1 ? LEMAN_SVM_LINEAR : LEMAN_SVM_KERNEL, .regression = way & 2};
        void *state[TEST_MAX_RANKS] = {&one};
        one = empty;
        test_ranks_run(&(test_ranks){.ranks = 1}, evaluate_few, state);
        for (size_t ranks = 2; ranks <= 4; ranks++) {
            test_ranks how = {.ranks = ranks, .plain = ranks == 3};
            for (size_t r = 0; r < ranks; r++) {
                many[r] = empty;
                state[r] = many + r;
            }
            test_ranks_run(&how, evaluate_few, state);
            for (size_t r = 0; r < ranks; r++) {
                assert_int_equal(how.status[r], LEMAN_OK);
                assert_memory_equal(many[r].fold, one.fold, sizeof one.fold);
                assert_memory_equal(many[r].trial, one.trial, sizeof one.trial);
                assert_memory_equal(many[r].predicted, one.predicted, sizeof one.predicted);
            }
        }
    }
}

static size_t lines_of(const char *path)
{
    size_t lines = 0;
    FILE *f = fopen(path, "r");
    for (int c; f && (c = fgetc(f)) != EOF;) lines += c == '\n';
    if (f) fclose(f);
    return lines;
}

/* Memory runs out on rank 1 after it has finished some folds: all ranks end, its file stays; one process goes on from
 * what all had finished, to the same numbers. */
static void test_resume(void **unused)
{
    (void)unused;
    static evaluated one[1], many[TEST_MAX_RANKS];
    const char *folder = test_folder_new();
    char path[512], own[544];
    snprintf(path, sizeof path, "%s/run.journal", folder);
    snprintf(own, sizeof own, "%s.rank1", path);
    test_ranks alone = {.ranks = 1}, how = {.ranks = 2, .plain = true}; /* plain: each rank has half of the folds */
    run(&alone, LEMAN_SVM_KERNEL, NULL, one);
    run(&how, LEMAN_SVM_KERNEL, path, many);
    assert_int_equal(how.status[1], LEMAN_OK);
    assert_int_equal(lines_of(path), 1 + 2 * FOLDS);
    assert_int_not_equal(access(own, F_OK), 0);
    unlink(path);
    how.failing_rank = 1;
    how.failing_allocation = how.allocations[1] - how.allocations[1] / 8;
    run(&how, LEMAN_SVM_KERNEL, path, many);
    for (size_t r = 0; r < 2; r++) assert_int_equal(how.status[r], LEMAN_ERROR_MEMORY);
    const size_t finished = lines_of(own) - 1, kept = lines_of(path) - 1;
    assert_int_equal(kept, FOLDS);
    assert_true(finished > 0 && finished <= FOLDS);
    run(&alone, LEMAN_SVM_KERNEL, path, many);
    assert_int_equal(alone.status[0], LEMAN_OK);
    assert_int_equal(many->result.resumed, finished + kept);
    assert_same(many, one);
    assert_int_equal(lines_of(path), 1 + 2 * FOLDS);
    assert_int_not_equal(access(own, F_OK), 0);
    test_folder_remove(folder);
}

/* ---- Networks -------------------------------------------------------------------------------- */

static leman_status train(leman_context *ctx, void *state)
{
    task *t = state;
    leman_dataset *data = NULL;
    leman_parts *parts = NULL;
    leman_network *network = NULL;
    leman_history *history = NULL;
    leman_architecture architecture = leman_architecture_default();
    architecture.kind = LEMAN_NETWORK_KIND_LOCAL;
    architecture.k = 2;
    architecture.layers = 2;
    architecture.width = 8;
    leman_training training = leman_training_default(&architecture);
    training.epochs = EPOCHS;
    training.batch_size = 8;
    leman_status st = make_data(ctx, &data);
    if (!st) st = leman_parts_draw(ctx, GRAPHS, 0.2, 0.2, &parts);
    if (!st) st = leman_train(ctx, data, parts, &architecture, &training, &network, &history);
    for (size_t i = 0; !st && i < EPOCHS; i++) {
        t->loss[i] = history->epoch[i].train_loss;
        t->error[i] = history->epoch[i].val_error;
    }
    leman_history_free(history);
    leman_network_free(network);
    leman_parts_free(parts);
    leman_dataset_free(data);
    return st;
}

static void test_train(void **unused)
{
    (void)unused;
    static const char *const DEVICES[] = {"cpu,cpu", "cpu,cpu,cpu"};
    for (size_t ranks = 2; ranks <= 3; ranks++) {
        task threads = {0}, many[TEST_MAX_RANKS] = {{.evaluation = NULL}};
        void *state[TEST_MAX_RANKS];
        leman_settings settings = leman_settings_default();
        leman_context *ctx = NULL;
        settings.device = DEVICES[ranks - 2];
        settings.threads = 1;
        assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
        assert_int_equal(train(ctx, &threads), LEMAN_OK);
        leman_context_free(ctx);
        for (size_t r = 0; r < ranks; r++) state[r] = many + r;
        test_ranks_succeed(ranks, train, state);
        for (size_t r = 0; r < ranks; r++) {
            assert_memory_equal(many[r].loss, threads.loss, sizeof threads.loss);
            assert_memory_equal(many[r].error, threads.error, sizeof threads.error);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_evaluate),
        cmocka_unit_test(test_few_folds),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_train),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
