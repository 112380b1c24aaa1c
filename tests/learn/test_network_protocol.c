/* The protocol for networks, against the grid search of its definition: every network of every fold trained by hand. */
#include "support/support.h"
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/resource.h>

static const size_t LAYERS[] = {1, 2}, WIDTHS[] = {4, 6, 8};

static leman_dataset *molecules(leman_context *ctx, size_t graphs)
{
    leman_dataset *data = NULL;
    leman_family_options options = leman_family_options_default();
    options.graphs = graphs;
    options.vertices = 12;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, &data), LEMAN_OK);
    return data;
}

/* What is evaluated, and how. */
typedef struct task {
    leman_architecture a;
    leman_training t;
    leman_network_protocol p;
} task;

static task small(bool classes)
{
    static const size_t TARGET[] = {0};
    task s = {.a = leman_architecture_default(), .p = leman_network_protocol_default()};
    s.a.kind = LEMAN_NETWORK_KIND_GIN;
    s.a.preset = LEMAN_PRESET_TU;
    s.t = leman_training_default(&s.a);
    s.t.classes = classes;
    s.t.targets = classes ? NULL : TARGET;
    s.t.target_count = !classes;
    s.t.epochs = 6;
    s.t.batch_size = 10;
    s.p.layers = LAYERS;
    s.p.layers_count = 2;
    s.p.widths = WIDTHS;
    s.p.widths_count = 3;
    s.p.repetitions = 2;
    s.p.folds = 3;
    return s;
}

static leman_status evaluate(leman_context *ctx, const leman_dataset *data, const task *s,
                             leman_network_evaluation **evaluation)
{
    return leman_network_evaluate(ctx, data, &s->a, &s->t, &s->p, evaluation);
}

/* All that is neither tested nor validated trains. */
static leman_parts *parts_of(leman_context *ctx, const leman_splits *splits, size_t fold)
{
    uint32_t graph[64];
    leman_parts *parts = NULL;
    size_t at = 0;
    const uint64_t *start = splits->start + 2 * fold;
    for (uint32_t g = 0; g < splits->graphs; g++) {
        bool held = false;
        for (uint64_t i = start[0]; i < start[2]; i++) held |= splits->graph[i] == g;
        if (!held) graph[at++] = g;
    }
    assert_int_equal(leman_parts_new(ctx, graph, at, splits->graph + start[1], (size_t)(start[2] - start[1]),
                                     splits->graph + start[0], (size_t)(start[1] - start[0]), &parts),
                     LEMAN_OK);
    return parts;
}

/* Epoch after epoch of network after network; a better validation is the new best. */
static leman_network_fold train_candidate(leman_context *ctx, const leman_dataset *data, const task *s,
                                          const leman_splits *splits, size_t fold)
{
    leman_network_fold found = {0};
    leman_parts *parts = parts_of(ctx, splits, fold);
    size_t number = 6 * fold;
    for (size_t l = 0; l < 2; l++)
        for (size_t w = 0; w < 3; w++, number++) {
            leman_architecture architecture = s->a;
            leman_training training = s->t;
            leman_paper_details details = leman_paper_details_default();
            leman_network *network = NULL;
            leman_history *history = NULL;
            architecture.layers = LAYERS[l];
            architecture.width = WIDTHS[w];
            training.run = number;
            training.details = &details;
            details.best_must_improve = true;
            details.plateau_on_accuracy = training.classes;
            assert_int_equal(leman_train(ctx, data, parts, &architecture, &training, &network, &history), LEMAN_OK);
            for (size_t e = 0; e < history->epochs; e++) {
                const double error = history->epoch[e].val_error;
                const double score = training.classes ? 100 - error : error;
                const bool better = training.classes ? score > found.validation : score < found.validation;
                if (found.epoch && !better) continue;
                const double test = history->epoch[e].test_error;
                found = (leman_network_fold){.layers = LAYERS[l],
                                             .width = WIDTHS[w],
                                             .epoch = e + 1,
                                             .validation = score,
                                             .test = training.classes ? 100 - test : test};
            }
            leman_history_free(history);
            leman_network_free(network);
        }
    leman_parts_free(parts);
    return found;
}

/* The score of a fold is that of its predictions for the test graphs. */
static void check_predictions(const leman_dataset *data, const leman_network_evaluation *e, size_t fold)
{
    const uint64_t *start = e->splits->start + 2 * fold;
    const double tested = (double)(start[1] - start[0]);
    const size_t columns = leman_dataset_shape(data)->columns->targets;
    double right = 0, error = 0;
    assert_int_equal(e->outputs, 1);
    for (uint64_t i = start[0]; i < start[1]; i++) {
        const uint32_t graph = e->splits->graph[i];
        if (e->classes)
            right += e->class_label[(size_t)e->predicted[i]] == leman_dataset_classes(data)[graph];
        else
            error += fabs(e->predicted[i] - leman_dataset_targets(data)[graph * columns]) / tested;
    }
    for (uint64_t i = start[1]; i < start[2]; i++) assert_true(isnan(e->predicted[i]));
    if (e->classes)
        assert_true(fabs(e->fold[fold].test - 100 * right / tested) < 1e-9 && !e->target_error && e->class_count > 1);
    else
        assert_true(fabs(e->target_error[2 * fold + 1] - error) < 1e-5 * (1 + error) && !e->class_label);
}

/* As an evaluation: errors in the units of the data, and the same predictions. */
static void check_scores(leman_context *ctx, const leman_dataset *data, const leman_network_evaluation *e)
{
    leman_evaluation *scores = NULL;
    assert_int_equal(
        leman_network_evaluation_scores(ctx, data, e->splits, e->classes ? LEMAN_NO_TARGET : 0, e, &scores), LEMAN_OK);
    uint64_t confused = 0;
    for (size_t i = 0; i < scores->classes * scores->classes; i++) confused += scores->confusion[i];
    assert_int_equal(confused, e->classes ? 60 : 0); /* 30 graphs in two repetitions */
    for (size_t i = 0; i < 6; i++)
        assert_true(scores->fold[i].test == (e->classes ? e->fold[i].test : e->target_error[2 * i + 1]));
    for (uint64_t i = 0; i < e->splits->start[12]; i++)
        assert_true(isnan(e->predicted[i]) ? isnan(scores->predicted[i]) : scores->predicted[i] == e->predicted[i]);
    leman_evaluation_free(scores);
}

static void test_grid_search(void **state)
{
    (void)state;
    for (int classes = 0; classes < 2; classes++) {
        leman_context *ctx = test_context_new(2);
        leman_dataset *data = molecules(ctx, 30);
        const task s = small(classes);
        leman_network_evaluation *e = NULL;
        leman_splits *splits = NULL;
        double sum = 0, squares = 0, means = 0;
        assert_int_equal(leman_splits_draw(ctx, data, 2, 3, false, &splits), LEMAN_OK);
        assert_int_equal(evaluate(ctx, data, &s, &e), LEMAN_OK);
        assert_true(e->repetitions == 2 && e->folds == 3 && e->classes == classes);
        for (size_t i = 0; i < 6; i++) {
            const leman_network_fold found = train_candidate(ctx, data, &s, splits, i);
            assert_true(e->fold[i].repetition == i / 3 && e->fold[i].fold == i % 3);
            assert_int_equal(e->fold[i].layers, found.layers);
            assert_int_equal(e->fold[i].width, found.width);
            assert_int_equal(e->fold[i].epoch, found.epoch);
            assert_true(e->fold[i].validation == found.validation && e->fold[i].test == found.test);
            sum += found.test / 6;
            check_predictions(data, e, i);
        }
        check_scores(ctx, data, e);
        for (size_t i = 0; i < 6; i++) squares += pow(e->fold[i].test - sum, 2) / 6;
        for (size_t r = 0; r < 2; r++)
            means += pow((e->fold[3 * r].test + e->fold[3 * r + 1].test + e->fold[3 * r + 2].test) / 3 - sum, 2) / 2;
        assert_true(fabs(e->test_mean - sum) < 1e-9 && fabs(e->test_std - sqrt(means)) < 1e-9);
        assert_true(fabs(e->test_std_folds - sqrt(squares)) < 1e-9);
        leman_splits_free(splits);
        leman_network_evaluation_free(e);
        leman_dataset_free(data);
        test_context_free(ctx);
    }
}

static void same(const leman_network_evaluation *a, const leman_network_evaluation *b)
{
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(a->fold[i].epoch, b->fold[i].epoch);
        assert_int_equal(a->fold[i].width, b->fold[i].width);
        assert_true(a->fold[i].test == b->fold[i].test && a->fold[i].validation == b->fold[i].validation);
    }
    assert_true(a->test_mean == b->test_mean);
    const size_t bytes = a->splits->start[12] * a->outputs * sizeof *a->predicted;
    assert_memory_equal(a->predicted, b->predicted, bytes);
}

static bool stop_later(void *user, const leman_progress *progress)
{
    (void)progress;
    return --*(int *)user > 0;
}

/* Threads change nothing; a run that is stopped goes on from its journal; another run does not. */
static void test_threads_and_journal(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    char path[512];
    leman_network_evaluation *e[3] = {NULL, NULL, NULL};
    task s = small(true);
    leman_context *ctx[2] = {test_context_new(1), test_context_new(3)};
    leman_dataset *data = molecules(ctx[0], 30);
    snprintf(path, sizeof path, "%s", test_path(folder, "folds"));
    for (int i = 0; i < 2; i++) assert_int_equal(evaluate(ctx[i], data, &s, &e[i]), LEMAN_OK);
    same(e[0], e[1]);

    leman_settings settings = leman_settings_default();
    leman_context *stopping = NULL;
    int left = 3;
    settings.threads = 1;
    settings.progress = stop_later;
    settings.callback_user = &left;
    s.p.journal = path;
    s.p.resume = true;
    assert_int_equal(leman_context_new(&settings, &stopping), LEMAN_OK);
    leman_status st = evaluate(stopping, data, &s, &e[2]); /* may be done before progress is reported */
    assert_true(st == LEMAN_ERROR_CANCELLED || st == LEMAN_OK);
    leman_network_evaluation_free(e[2]);
    e[2] = NULL;
    leman_context_free(stopping);
    assert_int_equal(evaluate(ctx[1], data, &s, &e[2]), LEMAN_OK);
    same(e[0], e[2]);
    leman_network_evaluation_free(e[2]);
    e[2] = NULL;
    assert_int_equal(evaluate(ctx[0], data, &s, &e[2]), LEMAN_OK);
    assert_int_equal(e[2]->resumed, 6); /* nothing was left to do */
    leman_file_kind kind = LEMAN_FILE_KIND_OTHER;
    assert_int_equal(leman_file_kind_detect(ctx[0], path, &kind), LEMAN_OK);
    assert_int_equal(kind, LEMAN_FILE_KIND_JOURNAL);
    same(e[0], e[2]);

    leman_network_evaluation *none = NULL;
    s.t.epochs = 7;
    assert_int_equal(evaluate(ctx[0], data, &s, &none), LEMAN_ERROR_INPUT);
    s = small(true);
    s.p.journal = path;
    s.p.resume = true;
    s.p.widths_count = 2;
    assert_int_equal(evaluate(ctx[0], data, &s, &none), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx[0]), "widths"));
    test_file_text(folder, "folds", "leman journal 1\n");
    assert_int_equal(evaluate(ctx[0], data, &s, &none), LEMAN_ERROR_INPUT);
    test_file_text(folder, "folds", "buy milk\n");
    s.p.resume = false;
    assert_int_equal(evaluate(ctx[0], data, &s, &none), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx[0]), "not a journal"));
    for (int i = 0; i < 3; i++) leman_network_evaluation_free(e[i]);
    leman_dataset_free(data);
    test_context_free(ctx[0]);
    test_context_free(ctx[1]);
    test_folder_remove(folder);
}

/* How often the callbacks were called, and from which threads. */
typedef struct callers {
    pthread_t caller;
    atomic_int progress, log, elsewhere;
    bool full; /* after the first message no file can grow */
} callers;

static bool count_progress(void *user, const leman_progress *progress)
{
    (void)progress;
    callers *c = user;
    atomic_fetch_add(&c->progress, 1);
    if (!pthread_equal(pthread_self(), c->caller)) atomic_fetch_add(&c->elsewhere, 1);
    return true;
}

static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void count_log(void *user, const char *message)
{
    (void)message;
    callers *c = user;
    if (!atomic_fetch_add(&c->log, 1) && c->full) limit_files(1);
    if (!pthread_equal(pthread_self(), c->caller)) atomic_fetch_add(&c->elsewhere, 1);
}

/* Three threads train and write the journal: callbacks stay on the caller's, and where the journal cannot be written
 * any more the caller gets the message and errno of the worker that failed. */
static void test_callbacks_and_failing_journal(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    char path[512];
    snprintf(path, sizeof path, "%s", test_path(folder, "folds"));
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit then fails with EFBIG */
    for (int fails = 0; fails < 2; fails++) {
        callers c = {.caller = pthread_self(), .full = fails};
        leman_settings settings = leman_settings_default();
        leman_context *ctx = NULL;
        leman_network_evaluation *e = NULL;
        task s = small(true);
        settings.threads = 3;
        settings.progress = count_progress;
        settings.log = count_log;
        settings.callback_user = &c;
        s.p.journal = path;
        assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
        leman_dataset *data = molecules(ctx, 30);
        leman_status st = evaluate(ctx, data, &s, &e);
        limit_files(RLIM_INFINITY);
        assert_int_equal(st, fails ? LEMAN_ERROR_FILE : LEMAN_OK);
        assert_int_equal(leman_context_errno(ctx), fails ? EFBIG : 0);
        if (fails) assert_non_null(strstr(leman_context_message(ctx), "folds: cannot be written"));
        assert_true(fails ? !e : atomic_load(&c.progress) > 0);
        assert_true(atomic_load(&c.log) > 0);
        assert_int_equal(atomic_load(&c.elsewhere), 0);
        leman_network_evaluation_free(e);
        leman_dataset_free(data);
        leman_context_free(ctx);
    }
    test_folder_remove(folder);
}

static leman_status one_fold(leman_context *ctx, void *state)
{
    task s = small(true);
    leman_network_evaluation *e = NULL;
    s.p.layers_count = s.p.widths_count = s.p.repetitions = 1;
    s.p.folds = 2;
    s.t.epochs = 1;
    s.p.journal = test_path(state, "folds");
    leman_dataset *data = NULL;
    leman_family_options options = leman_family_options_default();
    options.graphs = 6;
    leman_status st = leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &options, &data);
    if (!st) st = evaluate(ctx, data, &s, &e);
    leman_network_evaluation_free(e);
    leman_dataset_free(data);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    const char *folder = test_folder_new();
    assert_true(test_fail_each_allocation(one_fold, (void *)(uintptr_t)folder) > 50);
    test_folder_remove(folder);
}

/* Tasks with missing labels, chosen by the area under the ROC curve: every fold trained by hand; from the journal the
 * same; not from that of another score. */
static void test_tasks(void **state)
{
    (void)state;
    static const size_t COLUMN[] = {0};
    const char *folder = test_folder_new();
    char path[512];
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = molecules(ctx, 30);
    leman_network_evaluation *e[2] = {NULL}, *none = NULL;
    leman_splits *splits = NULL;
    double *target = (double *)(uintptr_t)leman_dataset_targets(data);
    for (size_t g = 0; g < 30; g++) target[g] = g % 7 == 3 ? NAN : (double)(leman_dataset_classes(data)[g] > 0);
    task s = small(false);
    s.t.targets = NULL;
    s.t.tasks = COLUMN;
    s.t.task_count = 1;
    s.t.score = LEMAN_SCORE_AUC;
    s.p.layers_count = s.p.widths_count = 1;
    snprintf(path, sizeof path, "%s", test_path(folder, "folds"));
    s.p.journal = path;
    s.p.resume = true;
    assert_int_equal(leman_splits_draw(ctx, data, 2, 3, false, &splits), LEMAN_OK);
    for (int i = 0; i < 2; i++) assert_int_equal(evaluate(ctx, data, &s, e + i), LEMAN_OK);
    assert_int_equal(e[1]->resumed, 6);
    same(e[0], e[1]);
    assert_true(e[0]->classes && e[0]->tasks == 1 && e[0]->selected_by == LEMAN_SCORE_AUC);
    for (size_t i = 0; i < 6; i++) {
        leman_parts *parts = parts_of(ctx, splits, i);
        leman_architecture a = s.a;
        leman_training t = s.t;
        leman_paper_details details = leman_paper_details_default();
        leman_network *network = NULL;
        leman_history *h = NULL;
        a.layers = 1;
        a.width = 4;
        t.run = i;
        t.details = &details;
        details.best_must_improve = details.plateau_on_accuracy = true;
        assert_int_equal(leman_train(ctx, data, parts, &a, &t, &network, &h), LEMAN_OK);
        const leman_network_fold *fold = e[1]->fold + i;
        const double auc = h->task_auc[2 * h->best + 1], error = h->epoch[h->best].test_error;
        assert_int_equal(fold->epoch, h->best + 1);
        assert_true(fold->validation >= h->score[2 * h->best] && fold->validation <= h->score[2 * h->best]);
        assert_true(fabs(fold->test - (100 - error)) < 1e-9);
        for (int j = 0; j < 2; j++) {
            const double found = e[j]->task_auc[i];
            assert_true(isnan(auc) ? isnan(found) : fabs(found - auc) < 1e-9);
            assert_true(fabs(e[j]->test_score[i] - (isnan(auc) ? 50 : auc)) < 1e-9);
        }
        leman_history_free(h);
        leman_network_free(network);
        leman_parts_free(parts);
    }
    s.t.score = LEMAN_SCORE_BALANCED;
    assert_int_equal(evaluate(ctx, data, &s, &none), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(ctx), "says 'score auc', this run is 'score balanced'"));
    leman_evaluation *scores = NULL;
    assert_int_equal(leman_network_evaluation_scores(ctx, data, splits, LEMAN_NO_TARGET, e[0], &scores),
                     LEMAN_ERROR_ARGUMENT);
    for (int i = 0; i < 2; i++) leman_network_evaluation_free(e[i]);
    leman_splits_free(splits);
    leman_dataset_free(data);
    test_context_free(ctx);
    test_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid_search), cmocka_unit_test(test_threads_and_journal),
        cmocka_unit_test(test_tasks),       cmocka_unit_test(test_callbacks_and_failing_journal),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
