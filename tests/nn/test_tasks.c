/*
 * Networks for several tasks of two classes each, with missing labels: losses, errors, areas under the ROC curve and
 * the choice of the epoch, all computed again from the predictions; checkpoints; what is refused.
 */
#include "nn/train/run.h"
#include "nn/train_fixture.h"
#include <string.h>

enum { GRAPHS = 48, TASKS = 3, COLUMNS = 4 };
#define ROUNDING 1e-5 /* of a probability that was computed in float */

/* Paths, stars and cycles. Targets: is it a star (-1 or 1), is it a cycle (missing in every fifth), size above 6, size.
 * Classes: words. */
static leman_dataset *shapes(leman_context *ctx)
{
    static const char *const NAMES[COLUMNS] = {"star", "cycle", "", "size"};
    static const char *const WORDS[] = {"path", "star", "cycle"};
    const leman_policy policy = leman_policy_default();
    const leman_columns columns = {.targets = COLUMNS, .classes = true};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "shapes", &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < GRAPHS; g++) {
        const size_t kind = g % 3, size = 4 + g * 7 % 5;
        const int64_t class_label = (int64_t)kind;
        const double target[COLUMNS] = {kind == 1 ? 1 : -1, g % 5 == 2 ? NAN : (double)(kind == 2), size > 6,
                                        (double)size};
        assert_int_equal(leman_builder_graph(b, NULL, &class_label, target), LEMAN_OK);
        for (size_t v = 0; v < size; v++) assert_int_equal(leman_builder_vertex(b, NULL, NULL, NULL), LEMAN_OK);
        for (size_t v = 1; v < size; v++)
            assert_int_equal(leman_builder_edge(b, kind == 1 ? 0 : v - 1, v, NULL, NULL), LEMAN_OK);
        if (kind == 2) assert_int_equal(leman_builder_edge(b, 0, size - 1, NULL, NULL), LEMAN_OK);
    }
    assert_int_equal(leman_builder_target_names(b, NAMES), LEMAN_OK);
    for (int64_t c = 0; c < 3; c++) assert_int_equal(leman_builder_class_name(b, c, WORDS[c]), LEMAN_OK);
    assert_int_equal(leman_builder_finish(b, &policy, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

typedef struct tasks {
    leman_context *ctx;
    leman_dataset *data;
    leman_parts *parts;
    const char *folder;
    char path[512];
} tasks;

static tasks tasks_new(void)
{
    tasks s = {.ctx = test_context_new(1), .folder = test_folder_new()};
    s.data = shapes(s.ctx);
    assert_int_equal(leman_parts_draw(s.ctx, GRAPHS, 0.3, 0.3, &s.parts), LEMAN_OK);
    snprintf(s.path, sizeof s.path, "%s", test_path(s.folder, "net.lmn"));
    return s;
}

static void tasks_free(tasks *s)
{
    test_folder_remove(s->folder);
    leman_parts_free(s->parts);
    leman_dataset_free(s->data);
    test_context_free(s->ctx);
}

static task learn_tasks(void)
{
    static const size_t COLUMN[TASKS] = {0, 1, 2};
    task o = narrow(LEMAN_NETWORK_KIND_GIN, LEMAN_PRESET_TU, 2, 8);
    o.t.tasks = COLUMN;
    o.t.task_count = TASKS;
    o.t.epochs = 12;
    o.t.batch_size = 7;
    return o;
}

/* ---- Computed again -------------------------------------------------------------------------- */

/* The label of a graph: 0, 1, or -1 where it is missing. */
static int label_of(const leman_dataset *data, size_t graph, size_t t)
{
    const double value = leman_dataset_targets(data)[graph * COLUMNS + t];
    return isnan(value) ? -1 : value > 0;
}

/* n / (2 n_c) over the training part, by definition. */
static double balanced(const tasks *s, size_t t, int label)
{
    double all = 0, own = 0;
    for (size_t i = 0; i < s->parts->count[0]; i++) {
        const int found = label_of(s->data, s->parts->graph[i], t);
        all += found >= 0;
        own += found == label;
    }
    return all / (2 * own);
}

/* The share of pairs in the right order, in percent: the least and the most that it can be. Equal graphs have equal
 * predictions up to rounding, which depends on the processor and on the graphs beside them, so that either of the two
 * may be larger. */
static void slow_auc(const tasks *s, const double *predicted, size_t first, size_t count, size_t t, double range[2])
{
    double won[2] = {0}, pairs = 0;
    for (size_t i = first; i < first + count; i++)
        for (size_t j = first; j < first + count; j++) {
            const uint32_t a = s->parts->graph[i], b = s->parts->graph[j];
            if (label_of(s->data, a, t) != 1 || label_of(s->data, b, t) != 0) continue;
            const double x = predicted[a * TASKS + t], y = predicted[b * TASKS + t];
            won[0] += x > y + ROUNDING;
            won[1] += x > y - ROUNDING;
            pairs++;
        }
    for (int i = 0; i < 2; i++) range[i] = 100 * won[i] / pairs;
    assert_true(range[1] - range[0] < 50); /* most pairs differ by more than rounding */
}

static void expect_near(double found, double expected, const char *what)
{
    if (!(fabs(found - expected) <= 1e-4 * (1 + fabs(expected))))
        fail_msg("%s: %.9g, expected %.9g", what, found, expected);
}

/* The best epoch against the predictions of its network. */
static void expect_best(const tasks *s, const leman_network *network, const leman_history *h, const leman_training *o)
{
    const leman_epoch *best = h->epoch + h->best;
    double *predicted = predictions(s->ctx, network, s->data);
    size_t first = s->parts->count[0];
    for (size_t part = 0; part < 2; part++) {
        const size_t count = s->parts->count[1 + part];
        double loss = 0, weights = 0, wrong = 0, known = 0, area = 0;
        for (size_t t = 0; t < TASKS; t++) {
            const double auc = h->task_auc[(2 * h->best + part) * TASKS + t];
            double range[2];
            slow_auc(s, predicted, first, count, t, range);
            if (!(auc >= range[0] - 1e-9 && auc <= range[1] + 1e-9))
                fail_msg("area: %.9g, expected %.9g to %.9g", auc, range[0], range[1]);
            area += auc / (double)TASKS;
            for (size_t i = first; i < first + count; i++) {
                const double p = predicted[s->parts->graph[i] * TASKS + t];
                const int label = label_of(s->data, s->parts->graph[i], t);
                if (label < 0) continue;
                const double weight = o->balanced_weights ? balanced(s, t, label)
                                      : o->class_weight   ? o->class_weight[label]
                                                          : 1;
                assert_true(p > 0 && p < 1);
                loss -= weight * log(label ? p : 1 - p);
                weights += weight;
                wrong += (p > 0.5) != label;
                known++;
            }
        }
        if (!part) expect_near(best->val_loss, loss / weights, "loss");
        expect_near(part ? best->test_error : best->val_error, 100 * wrong / known, "error");
        if (h->selected_by == LEMAN_SCORE_AUC) expect_near(h->score[2 * h->best + part], area, "score");
        if (h->selected_by == LEMAN_SCORE_ACCURACY)
            expect_near(h->score[2 * h->best + part], 100 - 100 * wrong / known, "score");
        first += count;
    }
    free(predicted);
}

static void test_learns(void **state)
{
    (void)state;
    tasks s = tasks_new();
    for (int what = 0; what < 4; what++) {
        task o = learn_tasks();
        leman_network *network = NULL;
        leman_history *h = NULL;
        o.t.balanced_weights = what & 1;
        o.t.score = what & 2 ? LEMAN_SCORE_AUC : LEMAN_SCORE_AUTO;
        train(s.ctx, s.data, s.parts, &o, &network, &h);
        const leman_network_shape *shape = leman_network_describe(network);
        assert_int_equal(shape->outputs, TASKS);
        assert_null(shape->class_label);
        assert_string_equal(shape->task_name[0], "star");
        assert_string_equal(shape->task_name[2], "2"); /* a column without a name */
        assert_int_equal(shape->task_label[0], -1);
        assert_int_equal(shape->task_label[1], 1);
        assert_int_equal(shape->task_label[2], 0);
        assert_int_equal(h->targets, 0);
        assert_int_equal(h->tasks, TASKS);
        assert_int_equal(h->task[1], 1);
        assert_int_equal(h->selected_by, what & 2 ? LEMAN_SCORE_AUC : LEMAN_SCORE_ACCURACY);
        expect_best(&s, network, h, &o.t);
        for (size_t e = 0; e < h->epochs; e++) { /* the last of the best */
            const double own = h->score[2 * e], most = h->score[2 * h->best];
            assert_true(e > h->best ? own < most : own <= most);
        }
        leman_history_free(h);
        leman_network_free(network);
    }
    tasks_free(&s);
}

/* Weights by numbers: the first for the smaller class of every task, the second for the larger. */
static void test_weights(void **state)
{
    (void)state;
    static const double HEAVY[] = {1, 50}, THREE[] = {1, 1, 1};
    tasks s = tasks_new();
    task o = learn_tasks();
    leman_network *network = NULL, *none = NULL;
    leman_history *h = NULL;
    o.t.class_weight = HEAVY;
    o.t.class_weights = 2;
    train(s.ctx, s.data, s.parts, &o, &network, &h);
    expect_best(&s, network, h, &o.t);
    leman_history_free(h);
    leman_network_free(network);
    o.t.class_weight = THREE;
    o.t.class_weights = 3;
    assert_int_equal(leman_train(s.ctx, s.data, s.parts, &o.a, &o.t, &none, NULL), LEMAN_ERROR_ARGUMENT);
    assert_non_null(strstr(leman_context_message(s.ctx), "expected 2, one for each class of a task"));
    tasks_free(&s);
}

/* One class from several by balanced accuracy and by the area: against the predictions. */
static void test_score_of_classes(void **state)
{
    (void)state;
    tasks s = tasks_new();
    for (leman_score score = LEMAN_SCORE_BALANCED; score <= LEMAN_SCORE_AUC; score++) {
        task o = narrow(LEMAN_NETWORK_KIND_GIN, LEMAN_PRESET_TU, 1, 4);
        leman_network *network = NULL;
        leman_history *h = NULL;
        o.t.classes = true;
        o.t.epochs = 8;
        o.t.batch_size = 5;
        o.t.score = score;
        train(s.ctx, s.data, s.parts, &o, &network, &h);
        double *predicted = predictions(s.ctx, network, s.data), sum = 0, present = 0;
        const uint32_t *graph = s.parts->graph + s.parts->count[0];
        for (int64_t c = 0; c < 3; c++) {
            double own = 0, right = 0, won = 0, pairs = 0;
            for (size_t i = 0; i < s.parts->count[1]; i++) {
                const double *p = predicted + 3 * graph[i];
                if (leman_dataset_classes(s.data)[graph[i]] != c) continue;
                own++;
                right += p[c] >= p[0] && p[c] >= p[1] && p[c] >= p[2];
                for (size_t j = 0; j < s.parts->count[1]; j++) {
                    const double other = predicted[3 * graph[j] + c];
                    if (leman_dataset_classes(s.data)[graph[j]] == c) continue;
                    won += p[c] > other ? 1 : p[c] < other ? 0 : 0.5;
                    pairs++;
                }
            }
            if (!(own > 0)) continue;
            sum += score == LEMAN_SCORE_AUC ? won / pairs : right / own;
            present++;
        }
        expect_near(h->score[2 * h->best], 100 * sum / present, leman_score_name(score));
        for (size_t e = 0; e < h->epochs; e++) assert_true(h->score[2 * e] <= h->score[2 * h->best]);
        assert_string_equal(leman_network_describe(network)->class_name[2], "cycle");
        free(predicted);
        leman_history_free(h);
        leman_network_free(network);
    }
    tasks_free(&s);
}

/* ---- Checkpoints ----------------------------------------------------------------------------- */

static bool stop_after_two(void *user, const leman_history *history)
{
    (void)user;
    return history->epochs < 2;
}

static void test_resumes(void **state)
{
    (void)state;
    tasks s = tasks_new();
    task o = learn_tasks();
    leman_network *network[4] = {NULL}, *none = NULL;
    leman_history *h[3] = {NULL};
    o.t.score = LEMAN_SCORE_BALANCED;
    train(s.ctx, s.data, s.parts, &o, network, h);
    o.t.checkpoint = s.path;
    o.t.on_epoch = stop_after_two;
    train(s.ctx, s.data, s.parts, &o, network + 1, h + 1);
    o.t.on_epoch = NULL;
    o.t.resume = true;
    train(s.ctx, s.data, s.parts, &o, network + 2, h + 2);
    assert_int_equal(h[2]->resumed, 2);
    same_history(h[0], h[2]);
    same_reals(h[0]->score, h[2]->score, 2 * h[0]->epochs);
    same_reals(h[0]->task_auc, h[2]->task_auc, 2 * TASKS * h[0]->epochs);
    assert_int_equal(leman_network_read(s.ctx, s.path, network + 3), LEMAN_OK);
    const leman_network_shape *read = leman_network_describe(network[3]);
    assert_string_equal(read->task_name[1], "cycle");
    assert_int_equal(read->task_label[0], -1);
    assert_int_equal(read->selected_by, LEMAN_SCORE_BALANCED);
    double *x = predictions(s.ctx, network[0], s.data), *y = predictions(s.ctx, network[3], s.data);
    same_reals(x, y, GRAPHS * TASKS);
    free(x), free(y);
    o.t.score = LEMAN_SCORE_AUC;
    assert_int_equal(leman_train(s.ctx, s.data, s.parts, &o.a, &o.t, &none, NULL), LEMAN_ERROR_INPUT);
    assert_non_null(strstr(leman_context_message(s.ctx), "was trained with the score balanced, expected auc"));
    o.t.score = LEMAN_SCORE_AUTO;
    o.t.targets = o.t.tasks;
    o.t.target_count = TASKS;
    o.t.tasks = NULL;
    assert_int_equal(leman_train(s.ctx, s.data, s.parts, &o.a, &o.t, &none, NULL), LEMAN_ERROR_INPUT);
    for (int i = 0; i < 4; i++) leman_network_free(network[i]);
    for (int i = 0; i < 3; i++) leman_history_free(h[i]);
    tasks_free(&s);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void refused(const tasks *s, const task *o, leman_status status, const char *words)
{
    leman_network *network = NULL;
    leman_status st = leman_train(s->ctx, s->data, s->parts, &o->a, &o->t, &network, NULL);
    if (st != status || !strstr(leman_context_message(s->ctx), words))
        fail_msg("'%s': status %d, %s", words, st, leman_context_message(s->ctx));
}

static void test_refusals(void **state)
{
    (void)state;
    static const size_t SIZE[] = {0, 3}, BEYOND[] = {9};
    tasks s = tasks_new();
    task o = learn_tasks();
    o.t.classes = true;
    refused(&s, &o, LEMAN_ERROR_ARGUMENT, "several tasks and classes");
    o = learn_tasks();
    o.t.targets = SIZE;
    refused(&s, &o, LEMAN_ERROR_ARGUMENT, "several tasks and targets");
    o = learn_tasks();
    o.t.score = LEMAN_SCORE_R2;
    refused(&s, &o, LEMAN_ERROR_ARGUMENT, "found r2, expected accuracy, balanced or auc");
    o.t.tasks = NULL;
    o.t.targets = SIZE;
    o.t.target_count = 1;
    refused(&s, &o, LEMAN_ERROR_ARGUMENT, "found r2, expected mae");
    o = learn_tasks();
    o.t.tasks = SIZE;
    o.t.task_count = 2;
    refused(&s, &o, LEMAN_ERROR_INPUT, "found more than 2 classes in target size, expected two");
    o.t.tasks = BEYOND;
    o.t.task_count = 1;
    refused(&s, &o, LEMAN_ERROR_INPUT, "expected a column from 0 to 3");
    o = learn_tasks();
    for (size_t g = 0; g < GRAPHS; g++) targets_of(s.data)[g * COLUMNS + 1] = 1;
    refused(&s, &o, LEMAN_ERROR_INPUT, "found 1 class in target cycle");
    targets_of(s.data)[4 * COLUMNS + 1] = 0.5;
    refused(&s, &o, LEMAN_ERROR_INPUT, "expected an integer");
    tasks_free(&s);
}

/* Labels of graphs that are missing altogether: as if the graphs were not there. */
static void test_as_if_not_there(void **state)
{
    (void)state;
    enum { KNOWN = 30, MASKED = 8 };
    tasks s = tasks_new();
    uint32_t graph[GRAPHS];
    leman_network *network[2] = {NULL};
    leman_history *h[2] = {NULL};
    task o = learn_tasks();
    o.a.preset = LEMAN_PRESET_ALCHEMY; /* without dropout */
    o.t.batch_size = GRAPHS;
    o.t.epochs = 5;
    o.t.balanced_weights = true;
    for (uint32_t g = 0; g < GRAPHS; g++) graph[g] = g;
    for (size_t g = KNOWN; g < KNOWN + MASKED; g++)
        for (size_t t = 0; t < TASKS; t++) targets_of(s.data)[g * COLUMNS + t] = lm_missing_target();
    for (int trained = 0; trained < 2; trained++) {
        const leman_parts parts = {{trained ? KNOWN + MASKED : KNOWN, trained ? 6 : MASKED + 6, 4}, graph};
        train(s.ctx, s.data, &parts, &o, network + trained, h + trained);
    }
    for (size_t e = 0; e < h[0]->epochs; e++) {
        expect_near(h[1]->epoch[e].train_loss, h[0]->epoch[e].train_loss, "loss");
        expect_near(h[1]->epoch[e].val_loss, h[0]->epoch[e].val_loss, "validation loss");
    }
    for (int i = 0; i < 2; i++) {
        leman_history_free(h[i]);
        leman_network_free(network[i]);
    }
    tasks_free(&s);
}

/* ---- Allocations ----------------------------------------------------------------------------- */

static leman_status everything(leman_context *ctx, void *user)
{
    leman_status st = LEMAN_OK;
    const tasks *s = user;
    task o = learn_tasks();
    leman_network *network = NULL, *read = NULL;
    leman_history *history = NULL;
    double output[GRAPHS * TASKS];
    o.t.epochs = 1;
    o.t.score = LEMAN_SCORE_AUC;
    o.t.balanced_weights = true;
    o.t.checkpoint = s->path;
    TRY(leman_train(ctx, s->data, s->parts, &o.a, &o.t, &network, &history));
    TRY(leman_network_read(ctx, s->path, &read));
    TRY(leman_network_predict(ctx, read, s->data, 0, output));
done:
    leman_history_free(history);
    leman_network_free(network);
    leman_network_free(read);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    tasks s = tasks_new();
    assert_true(test_fail_each_allocation(everything, &s) > 50);
    tasks_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_learns),           cmocka_unit_test(test_weights),
        cmocka_unit_test(test_score_of_classes), cmocka_unit_test(test_resumes),
        cmocka_unit_test(test_as_if_not_there),  cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_allocations),
    };
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
