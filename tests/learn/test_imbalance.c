/* Class weights, scores that select, and graphs without a class: each against the same thing done slowly. */
#include "learn/protocol/classes.h"
#include "learn/protocol/estimator.h"
#include "learn/protocol/scores.h"
#include "support/linear_fit.h"
#include "support/training_data.h"
#include "svm/svm.h"
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { GRAPHS = 60, TIMES = 3, ROUNDS = 2 };

/* One graph in five is of class 7, without a pattern. */
static int64_t rare(size_t graph)
{
    uint64_t random = graph * 2 + 1;
    for (int i = 0; i < 10; i++) test_random(&random);
    return (test_random(&random) >> 20) % 5 == 0 ? 7 : 3;
}

/* The same, and one in six is missing. */
static int64_t rare_or_missing(size_t graph)
{
    return graph % 6 == 2 ? LEMAN_CLASS_MISSING : rare(graph);
}

/* ---- Weights --------------------------------------------------------------------------------- */

/* All graphs, those of class 1 `times` times. */
typedef struct repeated {
    uint32_t item[TIMES * GRAPHS], label[TIMES * GRAPHS];
    size_t count;
} repeated;

static repeated repeat(const leman_dataset *data, int times)
{
    repeated r = {0};
    for (uint32_t g = 0; g < GRAPHS; g++) {
        uint32_t label = leman_dataset_classes(data)[g] == 7;
        for (int t = 0; t < (label ? times : 1); t++, r.count++) {
            r.item[r.count] = g;
            r.label[r.count] = label;
        }
    }
    return r;
}

/* A weight of three is three copies of the graph: the kernel SVM. */
static void weights_are_copies(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, GRAPHS, 4, rare);
    leman_kernel kernel = leman_kernel_default();
    static double gram[GRAPHS][GRAPHS];
    static float cells[GRAPHS * GRAPHS];
    kernel.coloring.k = 1;
    kernel.coloring.rounds = ROUNDS;
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, true, gram[0]), LEMAN_OK);
    for (size_t i = 0; i < GRAPHS; i++)
        for (size_t j = 0; j < GRAPHS; j++) cells[i * GRAPHS + j] = (float)gram[i][j];
    repeated once = repeat(data, 1), often = repeat(data, TIMES);
    lm_svm_problem problem = {.gram = cells, .graphs = GRAPHS, .set.classes = 2, .tolerance = 1e-5};
    lm_svm *svm[3];
    double decision[3][GRAPHS], apart = 0;
    for (int i = 0; i < 3; i++) { /* weights, copies, neither */
        const repeated *r = i == 1 ? &often : &once;
        problem.set.item = r->item;
        problem.set.label = r->label;
        problem.set.count = r->count;
        problem.set.class_weight = i ? NULL : (double[]){1, TIMES};
        assert_int_equal(lm_svm_new(ctx, &problem, svm + i), LEMAN_OK);
    }
    for (double C = 0.1; C < 20; C *= 10) {
        for (int i = 0; i < 3; i++) {
            assert_int_equal(lm_svm_train(svm[i], C, NULL), LEMAN_OK);
            assert_int_equal(lm_svm_decide(svm[i], once.item, GRAPHS, decision[i]), LEMAN_OK);
        }
        for (size_t g = 0; g < GRAPHS; g++) {
            assert_true(fabs(decision[0][g] - decision[1][g]) < 1e-3);
            apart = fmax(apart, fabs(decision[0][g] - decision[2][g]));
        }
    }
    assert_true(apart > 0.1); /* weights do something */
    for (int i = 0; i < 3; i++) lm_svm_free(svm[i]);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* 1/2 |w|^2 + C sum over the repeated rows of max(0, 1 - y w.x)^2, y = 1 for class 0. */
static double linear_objective(const lm_rows *rows, const repeated *r, double C, const lm_linear_svm *svm)
{
    double decision, f = 0;
    for (size_t j = 0; j <= svm->columns; j++) f += svm->weight[j] * svm->weight[j] / 2;
    for (size_t i = 0; i < r->count; i++) {
        lm_linear_svm_decide(svm, rows, r->item + i, 1, &decision);
        f += C * pow(fmax(0, 1 - (r->label[i] ? -1 : 1) * decision), 2);
    }
    return f;
}

/* And the linear one: it minimises the objective of the copies. */
static void linear_weights_are_copies(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = test_families(ctx, GRAPHS, 4, rare);
    leman_kernel kernel = leman_kernel_default();
    lm_round_features features;
    lm_rows rows;
    kernel.coloring.k = 1;
    assert_int_equal(lm_round_features_compute(ctx, data, &kernel, 1, ROUNDS, &features), LEMAN_OK);
    assert_int_equal(lm_rows_make(ctx, &features, ROUNDS, &rows), LEMAN_OK);
    repeated once = repeat(data, 1), often = repeat(data, TIMES);
    for (double C = 0.1; C < 5; C *= 10) { /* beyond, the accuracy of the search shows */
        lm_linear_svm svm[3];
        double f[3], weight[] = {1, TIMES};
        for (int i = 0; i < 3; i++) {
            const repeated *r = i == 1 ? &often : &once;
            lm_linear_task task = {&rows, {r->item, r->label, .count = r->count, .classes = 2}, .epsilon = 0};
            task.set.class_weight = i ? NULL : weight;
            assert_int_equal(test_linear_svm_fit(ctx, &task, C, svm + i), LEMAN_OK);
            f[i] = linear_objective(&rows, &often, C, svm + i);
            test_linear_svm_free(svm + i);
        }
        assert_true(fabs(f[0] - f[1]) < 2e-3 * f[1]);
        assert_true(f[2] > f[1] * 1.01);
    }
    lm_rows_free(&rows);
    lm_round_features_free(&features);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* As scikit-learn has it: n / (classes * n_c), over the classes that there are. */
static void balanced_weights(void **state)
{
    (void)state;
    uint32_t label[] = {0, 0, 0, 2, 2, 0};
    double weight[3], given[] = {4, 5, 6};
    lm_training_set set = {.label = label, .count = 6, .classes = 3};
    assert_false(lm_training_set_weights(&set, weight));
    set.balanced = true;
    assert_true(lm_training_set_weights(&set, weight));
    assert_true(weight[0] == 6 / (2 * 4.0) && weight[1] == 1 && weight[2] == 6 / (2 * 2.0));
    set.class_weight = given;
    assert_true(lm_training_set_weights(&set, weight));
    assert_memory_equal(weight, given, sizeof given);
}

/* ---- Selection ------------------------------------------------------------------------------- */

static leman_evaluation *evaluate(leman_context *ctx, const leman_dataset *data, const leman_protocol *protocol)
{
    leman_kernel kernel = leman_kernel_default();
    leman_evaluation *e = NULL;
    kernel.coloring.k = 1;
    if (leman_evaluate(ctx, data, &kernel, 1, protocol, &e)) fail_msg("%s", leman_context_message(ctx));
    return e;
}

static leman_protocol small(void)
{
    leman_protocol protocol = leman_protocol_default();
    protocol.repetitions = 2;
    protocol.folds = 3;
    protocol.max_rounds = ROUNDS;
    protocol.stratified = true;
    return protocol;
}

/* Every number of rounds and C alone says its validation score; all together, the best of them must be selected, the
 * fewest rounds and the largest C among equals. */
static void the_best_is_selected(void **state)
{
    (void)state;
    enum { CS = 3, FOLDS = 6 };
    static const double C[CS] = {0.1, 10, 1000};
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = test_families(ctx, GRAPHS, 4, rare);
    for (int score = LEMAN_SCORE_ACCURACY; score <= LEMAN_SCORE_R2; score++) {
        bool regression = score >= LEMAN_SCORE_MAE, lower = score == LEMAN_SCORE_MAE || score == LEMAN_SCORE_RMSE;
        leman_protocol protocol = small();
        leman_fold best[FOLDS] = {{0}};
        protocol.score = (leman_score)score;
        protocol.balanced_weights = !regression;
        if (regression) protocol.target = 0;
        if (regression) protocol.stratified = false;
        for (uint32_t h = 0; h <= ROUNDS; h++)
            for (int c = 0; c < CS; c++) {
                leman_protocol one = protocol;
                one.min_rounds = one.max_rounds = h;
                one.C = C + c;
                one.C_count = 1;
                leman_evaluation *e = evaluate(ctx, data, &one);
                for (int f = 0; f < FOLDS; f++) {
                    double a = e->fold[f].validation, b = best[f].validation;
                    bool first = h == 0 && c == 0, better = lower ? a < b : a > b;
                    if (first || better || (a == b && h == best[f].rounds)) best[f] = e->fold[f];
                }
                leman_evaluation_free(e);
            }
        protocol.C = C;
        protocol.C_count = CS;
        leman_evaluation *e = evaluate(ctx, data, &protocol);
        assert_int_equal(e->score, score);
        for (int f = 0; f < FOLDS; f++) {
            assert_true(fabs(e->fold[f].validation - best[f].validation) <= 1e-2 * fabs(best[f].validation) + 1e-9);
            if (score != LEMAN_SCORE_ACCURACY && score != LEMAN_SCORE_BALANCED && score != LEMAN_SCORE_AUC) continue;
            assert_int_equal(e->fold[f].rounds, best[f].rounds);
            assert_true(e->fold[f].C == best[f].C);
        }
        leman_evaluation_free(e);
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* Scores against counting: pairs in the right order, shares of classes. */
static void scores_by_counting(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    leman_context *ctx = test_context_new(1);
    uint64_t random = 5;
    const lm_training_set equal = {.target = (double[]){1, 1}, .count = 2};
    for (int test = 0; test < 20; test++) {
        uint32_t label[COUNT];
        const lm_training_set set = {.label = label, .count = COUNT, .classes = 2};
        double decision[COUNT], found, pairs = 0, right = 0, hit[2] = {0}, all[2] = {0};
        for (int i = 0; i < COUNT; i++) {
            label[i] = i > 1 ? test_random(&random) % 3 == 0 : (uint32_t)i;
            decision[i] = (double)(test_random(&random) % 9) - 4; /* positive: class 0 */
            all[label[i]]++;
            hit[label[i]] += (decision[i] > 0 ? 0u : 1u) == label[i];
        }
        for (int i = 0; i < COUNT; i++)
            for (int j = 0; j < COUNT; j++) {
                if (label[i] != 0 || label[j] != 1) continue;
                pairs++;
                right += decision[i] > decision[j] ? 1 : decision[i] == decision[j] ? 0.5 : 0;
            }
        const double expected[] = {[LEMAN_SCORE_ACCURACY] = 100 * (hit[0] + hit[1]) / (double)COUNT,
                                   [LEMAN_SCORE_BALANCED] = 50 * (hit[0] / all[0] + hit[1] / all[1]),
                                   [LEMAN_SCORE_AUC] = 100 * right / pairs};
        for (int score = LEMAN_SCORE_ACCURACY; score <= LEMAN_SCORE_AUC; score++) {
            assert_int_equal(lm_score_decisions(ctx, (leman_score)score, LM_ONE_VS_REST, &set, decision, &found),
                             LEMAN_OK);
            assert_true(fabs(found - expected[score]) < 1e-9);
        }
        memset(label, 0, sizeof label);
        assert_int_equal(lm_score_decisions(ctx, LEMAN_SCORE_AUC, LM_ONE_VS_REST, &set, decision, &found), LEMAN_OK);
        assert_true(found == 50);
    }
    assert_true(lm_score_values(LEMAN_SCORE_R2, &equal, (double[]){1, 2}) == 0);
    test_context_free(ctx);
}

static void scores_fit_what_is_predicted(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_score score = LEMAN_SCORE_AUTO;
    assert_int_equal(lm_score_resolve(ctx, false, &score), LEMAN_OK);
    assert_int_equal(score, LEMAN_SCORE_ACCURACY);
    assert_int_equal(lm_score_resolve(ctx, true, &score), LEMAN_ERROR_ARGUMENT);
    assert_non_null(strstr(leman_context_message(ctx), "found accuracy, expected mae, rmse or r2"));
    score = LEMAN_SCORE_AUTO;
    assert_int_equal(lm_score_resolve(ctx, true, &score), LEMAN_OK);
    assert_int_equal(score, LEMAN_SCORE_MAE);
    test_context_free(ctx);
}

/* ---- Missing classes ------------------------------------------------------------------------- */

/* Graphs without a class take no part: the same folds of the others alone give the same figures. */
static void missing_classes_take_no_part(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = test_families(ctx, GRAPHS, 4, rare_or_missing), *known = NULL;
    size_t which[GRAPHS], count = 0;
    uint32_t place[GRAPHS];
    for (size_t g = 0; g < GRAPHS; g++) {
        if (rare_or_missing(g) == LEMAN_CLASS_MISSING) continue;
        place[g] = (uint32_t)count;
        which[count++] = g;
    }
    assert_int_equal(leman_dataset_select(ctx, data, count, which, &known), LEMAN_OK);
    leman_protocol protocol = small();
    protocol.score = LEMAN_SCORE_BALANCED;
    leman_evaluation *all = evaluate(ctx, data, &protocol), *some;
    const leman_splits *s = all->splits;
    size_t lists = 2 * s->repetitions * s->folds, at = 0;
    uint64_t *start = calloc(lists + 1, sizeof *start);
    uint32_t *graph = calloc(s->start[lists], sizeof *graph);
    for (size_t l = 0; l < lists; l++) {
        for (uint64_t i = s->start[l]; i < s->start[l + 1]; i++)
            if (rare_or_missing(s->graph[i]) != LEMAN_CLASS_MISSING) graph[at++] = place[s->graph[i]];
        start[l + 1] = at;
    }
    leman_splits *mapped = NULL;
    assert_int_equal(leman_splits_new(ctx, count, s->repetitions, s->folds, start, graph, &mapped), LEMAN_OK);
    protocol.splits = mapped;
    some = evaluate(ctx, known, &protocol);
    assert_int_equal(all->classes, 2);
    for (size_t f = 0; f < lists / 2; f++) {
        assert_int_equal(all->fold[f].rounds, some->fold[f].rounds);
        assert_true(all->fold[f].C == some->fold[f].C && all->fold[f].test == some->fold[f].test);
        assert_true(all->fold[f].balanced == some->fold[f].balanced);
        assert_true(all->fold[f].validation == some->fold[f].validation);
    }
    assert_true(all->test_mean == some->test_mean && all->auc_mean == some->auc_mean);
    assert_memory_equal(all->confusion, some->confusion, 4 * sizeof *all->confusion);
    for (uint64_t i = 0; i < s->start[lists]; i++)
        if (rare_or_missing(s->graph[i]) == LEMAN_CLASS_MISSING) assert_true(isnan(all->predicted[i]));
    leman_evaluation_free(all), leman_evaluation_free(some), leman_splits_free(mapped);
    free(start), free(graph);
    leman_dataset_free(data), leman_dataset_free(known);
    test_context_free(ctx);
}

/* The same graphs with three columns of targets: 0 or 1, some missing. */
static leman_dataset *with_tasks(leman_context *ctx)
{
    leman_columns columns = {.targets = 3};
    leman_builder *b = NULL;
    leman_dataset *data = NULL;
    assert_int_equal(leman_builder_new(ctx, "tasks", &columns, &b), LEMAN_OK);
    for (size_t g = 0; g < GRAPHS; g++) {
        double target[] = {g % 3 == 0, g % 7 == 2 ? NAN : g % 3 == 1, g % 5 == 1 ? NAN : rare(g) == 7};
        size_t n = 5 + g % 4;
        assert_int_equal(leman_builder_graph(b, NULL, NULL, target), LEMAN_OK);
        for (size_t v = 0; v < n; v++) leman_builder_vertex(b, NULL, NULL, NULL);
        for (size_t v = 1; v < n; v++) leman_builder_edge(b, g % 3 == 0 ? 0 : v - 1, v, NULL, NULL);
        if (g % 3 == 1) leman_builder_edge(b, 0, n - 1, NULL, NULL);
    }
    assert_int_equal(leman_builder_finish(b, NULL, NULL, &data), LEMAN_OK);
    leman_builder_free(b);
    return data;
}

/* A task is what its column alone gives as the class, bit for bit, for both SVMs, on plain and stratified folds. */
static void tasks_are_single_evaluations(void **state)
{
    (void)state;
    enum { TASKS = 3 };
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = with_tasks(ctx);
    leman_kernel kernel = leman_kernel_default();
    const size_t columns[TASKS] = {2, 0, 1};
    kernel.coloring.k = 1;
    for (int way = 0; way < 4; way++) {
        leman_protocol protocol = small();
        leman_evaluation *together[TASKS] = {0};
        protocol.stratified = way >= 2;
        protocol.svm = way % 2 ? LEMAN_SVM_LINEAR : LEMAN_SVM_KERNEL;
        protocol.score = LEMAN_SCORE_AUC;
        protocol.balanced_weights = true;
        if (leman_evaluate_tasks(ctx, data, &kernel, 1, &protocol, columns, TASKS, together))
            fail_msg("%s", leman_context_message(ctx));
        for (int t = 0; t < TASKS; t++) {
            leman_dataset *labelled = NULL;
            assert_int_equal(leman_dataset_use_class(ctx, data, columns[t], &labelled), LEMAN_OK);
            leman_evaluation *alone = evaluate(ctx, labelled, &protocol);
            size_t folds = alone->splits->repetitions * alone->splits->folds;
            assert_true(alone->splits_checksum == together[t]->splits_checksum);
            for (size_t f = 0; f < folds; f++) {
                assert_int_equal(alone->fold[f].rounds, together[t]->fold[f].rounds);
                assert_true(alone->fold[f].C == together[t]->fold[f].C);
                assert_true(alone->fold[f].test == together[t]->fold[f].test);
            }
            assert_memory_equal(&alone->auc_mean, &together[t]->auc_mean, sizeof alone->auc_mean);
            leman_evaluation_free(alone), leman_evaluation_free(together[t]);
            leman_dataset_free(labelled);
        }
    }
    leman_dataset_free(data);
    test_context_free(ctx);
}

static leman_status tasks_once(leman_context *ctx, void *state)
{
    leman_kernel kernel = leman_kernel_default();
    leman_protocol protocol = small();
    leman_evaluation *e[2] = {0};
    kernel.coloring.k = 1;
    protocol.stratified = false;
    protocol.repetitions = 1;
    protocol.max_rounds = 1;
    leman_status st = leman_evaluate_tasks(ctx, state, &kernel, 1, &protocol, (size_t[]){0, 1}, 2, e);
    if (st) assert_true(!e[0] && !e[1]);
    for (int t = 0; t < 2; t++) leman_evaluation_free(e[t]);
    return st;
}

static void failing_allocations(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = with_tasks(ctx);
    assert_true(test_fail_each_allocation(tasks_once, data) > 0);
    leman_dataset_free(data);
    test_context_free(ctx);
}

/* And so it is when a model is fitted. */
static void models_leave_missing_classes_out(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(2);
    leman_dataset *data = test_families(ctx, GRAPHS, 4, rare_or_missing), *known = NULL;
    leman_kernel kernel = leman_kernel_default();
    leman_fit_options options = leman_fit_options_default();
    leman_model *model[2] = {0};
    double score[2][GRAPHS];
    size_t which[GRAPHS], count = 0;
    char path[] = "/tmp/leman-imbalance-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (size_t g = 0; g < GRAPHS; g++)
        if (rare_or_missing(g) != LEMAN_CLASS_MISSING) which[count++] = g;
    assert_int_equal(leman_dataset_select(ctx, data, count, which, &known), LEMAN_OK);
    options.folds = 3;
    options.max_rounds = 1;
    options.score = LEMAN_SCORE_AUC;
    options.balanced_weights = true;
    kernel.coloring.k = 1;
    for (int i = 0; i < 2; i++) {
        if (leman_model_fit(ctx, i ? known : data, &kernel, 1, &options, model + i))
            fail_msg("%s", leman_context_message(ctx));
        assert_int_equal(leman_model_describe(model[i])->selected_by, LEMAN_SCORE_AUC);
        leman_model *back = NULL; /* its file says so, too */
        assert_int_equal(leman_model_write(ctx, model[i], path), LEMAN_OK);
        assert_int_equal(leman_model_read(ctx, path, &back), LEMAN_OK);
        assert_int_equal(leman_model_describe(back)->selected_by, LEMAN_SCORE_AUC);
        leman_model_free(back);
        assert_int_equal(leman_model_predict(ctx, model[i], data, NULL, score[i], NULL, NULL), LEMAN_OK);
    }
    assert_memory_equal(score[0], score[1], sizeof score[0]);
    for (int i = 0; i < 2; i++) leman_model_free(model[i]);
    unlink(path);
    leman_dataset_free(data), leman_dataset_free(known);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_copies),
        cmocka_unit_test(linear_weights_are_copies),
        cmocka_unit_test(balanced_weights),
        cmocka_unit_test(the_best_is_selected),
        cmocka_unit_test(scores_by_counting),
        cmocka_unit_test(scores_fit_what_is_predicted),
        cmocka_unit_test(missing_classes_take_no_part),
        cmocka_unit_test(tasks_are_single_evaluations),
        cmocka_unit_test(failing_allocations),
        cmocka_unit_test(models_leave_missing_classes_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
