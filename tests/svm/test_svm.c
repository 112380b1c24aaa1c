/* Support vector machines: their optimality conditions, checked directly; LIBSVM on the same problems; and edge cases.
 */
#include "support/svm_problems.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const double CS[] = {1e-3, 0.1, 1, 10, 1000};
enum { CS_COUNT = sizeof CS / sizeof *CS };

/* The number of decisions for each graph. */
static size_t pairs_of(const lm_svm_problem *problem)
{
    return problem->set.target ? 1 : problem->set.classes * (problem->set.classes - 1) / 2;
}

static lm_svm *new_svm(leman_context *ctx, const lm_svm_problem *problem)
{
    lm_svm *svm = NULL;
    if (lm_svm_new(ctx, problem, &svm)) fail_msg("%s", leman_context_message(ctx));
    return svm;
}

/* What the rounding of a distance to single precision can do to a score. */
static double rounding(const test_svm_problem *made, double norm)
{
    double largest = 0;
    for (size_t i = 0; i < made->problem.graphs * made->problem.graphs; i++)
        if (fabsf(made->gram[i]) > (float)largest) largest = fabs((double)made->gram[i]);
    return 1e-7 * largest * norm;
}

/* All pairs are optimal within the tolerance, and report the objective that they have. Returns the sum of objectives.
 */
static double check_optimal(const test_svm_problem *made, const lm_svm *svm, double c, double tolerance, double *norms)
{
    double sum = 0;
    for (size_t pair = 0; pair < pairs_of(&made->problem); pair++) {
        double norm, objective, gap = test_svm_gap(made, svm, pair, c, &norm, &objective);
        double slack = rounding(made, norm);
        lm_svm_support state = lm_svm_support_of(svm, pair);
        if (gap > tolerance + slack) fail_msg("C = %g: gap %g, rounding %g", c, gap, slack);
        assert_true(state.gap <= tolerance);
        assert_true(fabs(state.objective - objective) <= 1e-4 * fabs(objective) + slack * norm);
        sum += objective;
        *norms += norm;
    }
    return sum;
}

/* ---- Against the definition and LIBSVM ------------------------------------------------------- */

/* Two points within `tolerance` of the optimality conditions differ in objective by no more than tolerance * |b - b'|.
 */
static void compare_objective(const test_svm_problem *made, double c, double ours, double norm)
{
#ifdef TEST_LIBSVM
    test_libsvm theirs = test_libsvm_train(made, c, 1e-3);
    double slack = 1e-3 * (norm + theirs.norm) + rounding(made, norm) * norm;
    if (fabs(ours - theirs.objective) > slack)
        fail_msg("C = %g: objective %.9g, LIBSVM has %.9g", c, ours, theirs.objective);
    test_libsvm_free(&theirs);
#else
    (void)made, (void)c, (void)ours, (void)norm;
#endif
}

static void walk_path(leman_context *ctx, test_svm_problem *made, bool against_libsvm)
{
    lm_svm *svm = new_svm(ctx, &made->problem);
    for (size_t i = 0; i < CS_COUNT; i++) {
        double norm = 0;
        assert_int_equal(lm_svm_train(svm, CS[i], NULL), LEMAN_OK);
        double objective = check_optimal(made, svm, CS[i], 1e-3, &norm);
        if (against_libsvm) compare_objective(made, CS[i], objective, norm);
    }
    lm_svm_free(svm);
}

static void test_optimal_for_every_c(void **unused)
{
    (void)unused;
    uint64_t random = 5;
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < test_cases(12); i++) {
        size_t count = 2 + test_random(&random) % 90;
        test_svm_problem made = test_svm_problem_new(&random, (test_kernel)(i % 2), count + 5, count, 2 + i % 3);
        if (made.problem.set.classes <= count) walk_path(ctx, &made, true);
        test_svm_problem_free(&made);
    }
    test_context_free(ctx);
}

/* Every sample has its own bounds, in classifications and regressions. */
static void test_optimal_with_weights(void **unused)
{
    (void)unused;
    uint64_t random = 15;
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < test_cases(12); i++) {
        size_t count = 4 + test_random(&random) % 150, classes = 1 + i % 4;
        test_svm_problem made = test_svm_problem_new(&random, (test_kernel)(i % 2), count + 5, count, classes);
        made.problem.set.weight = made.weight;
        if (classes == 1) made.problem.set.target = made.target;
        made.problem.epsilon = 0.1;
        walk_path(ctx, &made, false);
        test_svm_problem_free(&made);
    }
    test_context_free(ctx);
}

/* Targets that are bounds have one of the two variables. If all are lower bounds, a constant keeps them all. */
static void test_optimal_with_bounds(void **unused)
{
    (void)unused;
    uint64_t random = 16;
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < test_cases(12); i++) {
        size_t count = 3 + test_random(&random) % 150;
        test_svm_problem made = test_svm_problem_new(&random, (test_kernel)(i % 2), count + 5, count, 1);
        made.problem.set.target = made.target;
        made.problem.set.bound = made.bound;
        made.problem.epsilon = i % 4 == 3 ? 0 : 0.1;
        if (i % 3) made.problem.set.weight = made.weight;
        walk_path(ctx, &made, false);
        memset(made.bound, i % 2 ? 1 : -1, count);
        lm_svm *svm = new_svm(ctx, &made.problem);
        double decision[160];
        assert_int_equal(lm_svm_train(svm, 10, NULL), LEMAN_OK);
        assert_int_equal(lm_svm_decide(svm, made.item, count, decision), LEMAN_OK);
        for (size_t g = 0; g < count; g++) {
            assert_true(fabs(decision[g] - decision[0]) < 1e-9);
            assert_true((i % 2 ? 1 : -1) * (decision[g] - made.target[g]) > -made.problem.epsilon - 1e-6);
        }
        lm_svm_free(svm);
        test_svm_problem_free(&made);
    }
    test_context_free(ctx);
}

/* Large enough for compact rounds. */
static void test_optimal_when_large(void **unused)
{
    (void)unused;
    uint64_t random = 6;
    leman_context *ctx = test_context_new(1);
    test_svm_problem made = test_svm_problem_new(&random, TEST_GAUSSIAN, 700, 650, 2);
    walk_path(ctx, &made, true);
    test_svm_problem_free(&made);
    test_context_free(ctx);
}

/* Kernels that are not normalised, with values up to some hundreds. */
static void test_optimal_with_counts(void **unused)
{
    (void)unused;
    uint64_t random = 7;
    leman_context *ctx = test_context_new(1);
    test_svm_problem made = test_svm_problem_new(&random, TEST_COUNTS, 60, 50, 2);
    lm_svm *svm = new_svm(ctx, &made.problem);
    for (double c = 1e-4; c < 0.2; c *= 10) {
        double norm = 0;
        assert_int_equal(lm_svm_train(svm, c, NULL), LEMAN_OK);
        double objective = check_optimal(&made, svm, c, 1e-3, &norm);
        compare_objective(&made, c, objective, norm);
    }
    lm_svm_free(svm);
    test_svm_problem_free(&made);
    test_context_free(ctx);
}

/* With a narrow tolerance decision values are LIBSVM's, and so are the classes. */
static void test_decisions_of_libsvm(void **unused)
{
    (void)unused;
#ifndef TEST_LIBSVM
    test_skip("LIBSVM is not installed");
#else
    uint64_t random = 8;
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < test_cases(6); i++) {
        size_t classes = 2 + i % 4, pairs = classes * (classes - 1) / 2;
        test_svm_problem made = test_svm_problem_new(&random, (test_kernel)(i % 2), 120, 70, classes);
        made.problem.tolerance = 1e-5;
        lm_svm *svm = new_svm(ctx, &made.problem);
        double decision[50 * 10], c = CS[1 + i % 3];
        assert_int_equal(lm_svm_train(svm, c, NULL), LEMAN_OK);
        assert_int_equal(lm_svm_decide(svm, made.test, made.tests, decision), LEMAN_OK);
        test_libsvm theirs = test_libsvm_train(&made, c, 1e-6);
        for (size_t t = 0; t < made.tests; t++) {
            bool clear = true;
            for (size_t p = 0; p < pairs; p++) {
                assert_true(fabs(decision[t * pairs + p] - theirs.decision[t * pairs + p]) < 1e-3);
                clear = clear && fabs(decision[t * pairs + p]) > 1e-3;
            }
            if (clear) assert_int_equal(lm_svm_vote(decision + t * pairs, classes), theirs.predicted[t]);
        }
        test_libsvm_free(&theirs);
        lm_svm_free(svm);
        test_svm_problem_free(&made);
    }
    test_context_free(ctx);
#endif
}

/* Beginning from another C leads to the same optimum as beginning from nothing, up and down. */
static void test_warm_is_cold(void **unused)
{
    (void)unused;
    uint64_t random = 9;
    leman_context *ctx = test_context_new(1);
    test_svm_problem made = test_svm_problem_new(&random, TEST_GAUSSIAN, 90, 80, 3);
    lm_svm *warm = new_svm(ctx, &made.problem);
    for (size_t i = 0; i < 2 * CS_COUNT; i++) {
        double c = CS[i < CS_COUNT ? i : 2 * CS_COUNT - 1 - i], norm = 0;
        lm_svm *cold = new_svm(ctx, &made.problem);
        assert_int_equal(lm_svm_train(warm, c, NULL), LEMAN_OK);
        assert_int_equal(lm_svm_train(cold, c, NULL), LEMAN_OK);
        double a = check_optimal(&made, warm, c, 1e-3, &norm), b = check_optimal(&made, cold, c, 1e-3, &norm);
        assert_true(fabs(a - b) <= 1e-3 * norm);
        lm_svm_free(cold);
    }
    lm_svm_free(warm);
    test_svm_problem_free(&made);
    test_context_free(ctx);
}

/* Bit by bit the same, again, and without memory for the distances. */
static void test_memory_changes_nothing(void **unused)
{
    (void)unused;
    uint64_t random = 10;
    leman_context *ctx = test_context_new(1);
    for (size_t large = 0; large < 2; large++) {
        size_t count = large ? 450 : 60;
        test_svm_problem made = test_svm_problem_new(&random, TEST_GAUSSIAN, count + 10, count, 2 + !large);
        lm_svm *svm[3];
        for (int i = 0; i < 3; i++) {
            made.problem.memory = i == 2 ? 1 : 0;
            svm[i] = new_svm(ctx, &made.problem);
            for (size_t k = 1; k < 4; k++) assert_int_equal(lm_svm_train(svm[i], CS[k], NULL), LEMAN_OK);
        }
        double decision[3][30];
        for (int i = 0; i < 3; i++) {
            assert_int_equal(lm_svm_decide(svm[i], made.test, made.tests, decision[i]), LEMAN_OK);
            assert_memory_equal(decision[i], decision[0], made.tests * pairs_of(&made.problem) * sizeof **decision);
        }
        for (int i = 0; i < 3; i++) lm_svm_free(svm[i]);
        test_svm_problem_free(&made);
    }
    test_context_free(ctx);
}

/* Decision values follow from the support vectors. */
static void test_support_decides(void **unused)
{
    (void)unused;
    uint64_t random = 11;
    leman_context *ctx = test_context_new(1);
    for (size_t classes = 2; classes < 5; classes++) {
        test_svm_problem made = test_svm_problem_new(&random, TEST_GAUSSIAN, 60, 40, classes);
        lm_svm *svm = new_svm(ctx, &made.problem);
        double decision[20 * 6];
        assert_int_equal(lm_svm_train(svm, 5, NULL), LEMAN_OK);
        assert_int_equal(lm_svm_decide(svm, made.test, made.tests, decision), LEMAN_OK);
        uint32_t a = 0, b = 1;
        for (size_t pair = 0; pair < pairs_of(&made.problem); pair++, b++) {
            if (b == classes) b = ++a + 1;
            lm_svm_support support = lm_svm_support_of(svm, pair);
            assert_int_equal(support.first, a);
            assert_int_equal(support.second, b);
            for (size_t t = 0; t < made.tests; t++) {
                double sum = support.bias;
                for (size_t i = 0; i < support.count; i++)
                    sum += support.coefficient[i] * made.gram[made.test[t] * 60 + support.item[i]];
                assert_true(fabs(sum - decision[t * pairs_of(&made.problem) + pair]) < 1e-9);
            }
        }
        lm_svm_free(svm);
        test_svm_problem_free(&made);
    }
    test_context_free(ctx);
}

/* ---- Corners --------------------------------------------------------------------------------- */

/* Two graphs with k(x,x) = 1 and k(x,y) = k: both coefficients are min(C, 1 / (1 - k)). */
static void test_two_graphs(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    float gram[4] = {1, 0.5F, 0.5F, 1};
    uint32_t item[2] = {0, 1}, label[2] = {1, 0};
    lm_svm_problem problem = {.gram = gram, .graphs = 2, .set = {item, label, .count = 2, .classes = 2}};
    lm_svm *svm = new_svm(ctx, &problem);
    for (double c = 1e-10; c < 1e11; c *= 100) {
        double expected = fmin(c, 2), decision[2];
        assert_int_equal(lm_svm_train(svm, c, NULL), LEMAN_OK);
        lm_svm_support support = lm_svm_support_of(svm, 0);
        assert_int_equal(support.count, 2);
        assert_int_equal(support.item[0], 1); /* the first class first */
        assert_true(fabs(support.coefficient[0] - expected) <= 2e-3 * expected);
        assert_true(fabs(support.coefficient[1] + expected) <= 2e-3 * expected);
        assert_int_equal(lm_svm_decide(svm, item, 2, decision), LEMAN_OK);
        assert_true(fabs(decision[1] - 0.5 * expected) < 2e-3);
        assert_true(fabs(decision[0] + 0.5 * expected) < 2e-3);
    }
    lm_svm_free(svm);
    test_context_free(ctx);
}

/* Equal graphs of both classes: nothing can be separated, and training ends. */
static void test_equal_graphs(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    enum { N = 40 };
    for (int value = 0; value < 2; value++) { /* the kernel that is 0 throughout, or 1 */
        float gram[N * N];
        uint32_t item[N], label[N];
        double decision[N];
        for (uint32_t i = 0; i < N; i++) {
            item[i] = i;
            label[i] = i % 4 == 0;
            for (uint32_t j = 0; j < N; j++) gram[i * N + j] = (float)value;
        }
        lm_svm_problem problem = {.gram = gram, .graphs = N, .set = {item, label, .count = N, .classes = 2}};
        lm_svm *svm = new_svm(ctx, &problem);
        for (double c = 1e-3; c < 1e4; c *= 100) {
            assert_int_equal(lm_svm_train(svm, c, NULL), LEMAN_OK);
            assert_int_equal(lm_svm_decide(svm, item, N, decision), LEMAN_OK);
            for (int i = 0; i < N; i++) assert_true(fabs(decision[i] - 1) < 1e-3); /* most are of class 0 */
            assert_true(lm_svm_support_of(svm, 0).gap <= 1e-3);
        }
        lm_svm_free(svm);
    }
    test_context_free(ctx);
}

/* The same graph several times is as a graph with several times the C. */
static void test_repeated_items(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    float gram[4] = {1, 0.5F, 0.5F, 1};
    uint32_t item[6] = {0, 1, 0, 1, 0, 1}, label[6] = {0, 1, 0, 1, 0, 1};
    lm_svm_problem problem = {.gram = gram, .graphs = 2, .set = {item, label, .count = 6, .classes = 2}};
    lm_svm *svm = new_svm(ctx, &problem);
    double decision[2];
    assert_int_equal(lm_svm_train(svm, 0.25, NULL), LEMAN_OK);
    assert_int_equal(lm_svm_decide(svm, item, 2, decision), LEMAN_OK);
    assert_true(fabs(decision[0] - 0.5 * 0.75) < 1e-3 && fabs(decision[1] + 0.5 * 0.75) < 1e-3);
    lm_svm_free(svm);
    test_context_free(ctx);
}

/* Empty classes lose against all others; one class alone always wins; without graphs there is nothing to decide. */
static void test_empty_classes(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    float gram[9] = {1, 0.9F, 0.1F, 0.9F, 1, 0.1F, 0.1F, 0.1F, 1};
    uint32_t item[3] = {0, 1, 2}, label[3] = {1, 1, 3};
    lm_svm_problem problem = {.gram = gram, .graphs = 3, .set = {item, label, .count = 3, .classes = 5}};
    double decision[3 * 10];
    lm_svm *svm = new_svm(ctx, &problem);
    assert_int_equal(lm_svm_train(svm, 10, NULL), LEMAN_OK);
    assert_int_equal(lm_svm_decide(svm, item, 3, decision), LEMAN_OK);
    for (int i = 0; i < 3; i++) assert_int_equal(lm_svm_vote(decision + 10 * i, 5), label[i]);
    assert_true(decision[0] == -1 && decision[1] == 0 && decision[4] == 1); /* (0,1), (0,2), (1,2) */
    lm_svm_free(svm);

    problem.set.count = 1;
    for (problem.set.classes = 2; problem.set.classes < 4; problem.set.classes++) {
        svm = new_svm(ctx, &problem);
        assert_int_equal(lm_svm_train(svm, 1, NULL), LEMAN_OK);
        assert_int_equal(lm_svm_decide(svm, item, 3, decision), LEMAN_OK);
        for (size_t i = 0; i < 3; i++)
            assert_int_equal(lm_svm_vote(decision + i * pairs_of(&problem), problem.set.classes), 1);
        lm_svm_free(svm);
    }
    label[0] = 0;
    problem.set.classes = 1;
    svm = new_svm(ctx, &problem);
    assert_int_equal(lm_svm_train(svm, 1, NULL), LEMAN_OK);
    assert_int_equal(lm_svm_decide(svm, item, 3, decision), LEMAN_OK);
    assert_int_equal(lm_svm_vote(decision, 1), 0);
    lm_svm_free(svm);

    problem.set.count = 0;
    problem.set.classes = 2;
    svm = new_svm(ctx, &problem);
    assert_int_equal(lm_svm_train(svm, 1, NULL), LEMAN_OK);
    assert_int_equal(lm_svm_decide(svm, item, 1, decision), LEMAN_OK);
    assert_true(decision[0] == 0);
    lm_svm_free(svm);
    test_context_free(ctx);
}

/* A matrix that is no kernel (it has negative curvatures) still ends, in a point that cannot be improved by pairs. */
static void test_indefinite_matrix(void **unused)
{
    (void)unused;
    uint64_t random = 12;
    leman_context *ctx = test_context_new(1);
    test_svm_problem made = test_svm_problem_new(&random, TEST_GAUSSIAN, 50, 50, 2);
    for (size_t i = 0; i < 50; i++)
        for (size_t j = 0; j <= i; j++)
            made.gram[i * 50 + j] = made.gram[j * 50 + i] = (float)(test_random(&random) % 2001) / 1000 - 1;
    lm_svm *svm = new_svm(ctx, &made.problem);
    double norm = 0;
    assert_int_equal(lm_svm_train(svm, 1, NULL), LEMAN_OK);
    check_optimal(&made, svm, 1, 1e-3, &norm);
    lm_svm_free(svm);
    test_svm_problem_free(&made);
    test_context_free(ctx);
}

static void test_votes(void **unused)
{
    (void)unused;
    assert_int_equal(lm_svm_vote((double[]){1}, 2), 0);
    assert_int_equal(lm_svm_vote((double[]){0}, 2), 1); /* as LIBSVM */
    assert_int_equal(lm_svm_vote((double[]){-1, -1, -1}, 3), 2);
    assert_int_equal(lm_svm_vote((double[]){1, -1, 1}, 3), 0); /* one vote each: the first */
    assert_int_equal(lm_svm_vote((double[]){-1, 1, 1}, 3), 1);
}

/* ---- Regression ------------------------------------------------------------------------------ */

static void test_regression(void **unused)
{
    (void)unused;
    uint64_t random = 13;
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < test_cases(5); i++) {
        test_svm_problem made =
            test_svm_problem_new(&random, i % 2 ? TEST_LINEAR : TEST_GAUSSIAN, 90, i == 4 ? 1 : 60, 1);
        made.problem.set.target = made.target;
        made.problem.epsilon = 0.05 * (double)i;
        lm_svm *svm = new_svm(ctx, &made.problem);
        for (size_t k = 0; k < CS_COUNT - 1; k++) {
            double norm = 0, decision[89];
            assert_int_equal(lm_svm_train(svm, CS[k], NULL), LEMAN_OK);
            double objective = check_optimal(&made, svm, CS[k], 1e-3, &norm);
            assert_int_equal(lm_svm_decide(svm, made.test, made.tests, decision), LEMAN_OK);
            compare_objective(&made, CS[k], objective, norm);
#ifdef TEST_LIBSVM
            test_libsvm theirs = test_libsvm_train(&made, CS[k], 1e-3);
            for (size_t t = 0; t < made.tests; t++) assert_true(fabs(decision[t] - theirs.decision[t]) < 0.02);
            test_libsvm_free(&theirs);
#endif
        }
        lm_svm_free(svm);
        test_svm_problem_free(&made);
    }
    test_context_free(ctx);
}

/* Targets far from 0, and many: the bias takes what the coefficients need not. */
static void test_regression_far_away(void **unused)
{
    (void)unused;
    uint64_t random = 14;
    leman_context *ctx = test_context_new(1);
    test_svm_problem made = test_svm_problem_new(&random, TEST_GAUSSIAN, 320, 300, 1);
    made.problem.set.target = made.target;
    made.problem.epsilon = 0.1;
    double near[20], far[20];
    for (int i = 0; i < 2; i++) {
        lm_svm *svm = new_svm(ctx, &made.problem);
        assert_int_equal(lm_svm_train(svm, 10, NULL), LEMAN_OK);
        assert_int_equal(lm_svm_decide(svm, made.test, made.tests, i ? far : near), LEMAN_OK);
        lm_svm_free(svm);
        for (size_t k = 0; k < 300; k++) made.target[k] += 1e6;
    }
    for (size_t t = 0; t < made.tests; t++) assert_true(fabs(far[t] - near[t] - 1e6) < 0.02);
    test_svm_problem_free(&made);
    test_context_free(ctx);
}

/* ---- What goes wrong ------------------------------------------------------------------------- */

static void test_values_that_are_not_finite(void **unused)
{
    (void)unused;
    static const float BAD[] = {NAN, INFINITY, -INFINITY, FLT_MAX};
    uint64_t random = 16;
    leman_context *ctx = test_context_new(1);
    for (size_t i = 0; i < 8; i++) {
        test_svm_problem made = test_svm_problem_new(&random, TEST_GAUSSIAN, 20, 20, 2);
        size_t a = made.item[1], b = made.item[i / 4 ? 1 : 0];
        made.gram[a * 20 + b] = made.gram[b * 20 + a] = BAD[i % 4];
        lm_svm *svm = new_svm(ctx, &made.problem);
        leman_status st = lm_svm_train(svm, 1, NULL);
        if (i % 4 < 3) assert_int_equal(st, LEMAN_ERROR_INPUT); /* the last is finite: it only has to end */
        lm_svm_free(svm);
        test_svm_problem_free(&made);
    }
    test_context_free(ctx);
}

static leman_status train_all(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    const test_svm_problem *made = state;
    lm_svm *svm = NULL;
    double *decision = calloc(made->tests * 6, sizeof *decision);
    st = lm_svm_new(ctx, &made->problem, &svm);
    if (!st) st = lm_svm_train(svm, 1, NULL);
    if (!st) st = lm_svm_train(svm, 100, NULL);
    if (!st) st = lm_svm_decide(svm, made->test, made->tests, decision);
    lm_svm_free(svm);
    free(decision);
    return st;
}

static void test_failing_allocations(void **unused)
{
    (void)unused;
    uint64_t random = 17;
    for (size_t i = 0; i < 2; i++) {
        test_svm_problem made = test_svm_problem_new(&random, TEST_GAUSSIAN, i ? 470 : 40, i ? 450 : 30, i ? 2 : 4);
        assert_true(test_fail_each_allocation(train_all, &made) > 3);
        test_svm_problem_free(&made);
    }
}

static bool stop(void *user, const leman_progress *progress)
{
    (void)progress;
    return ++*(int *)user < 2;
}

/* The progress callback is called during a training, and stops it; the SVM can be trained afterwards. */
static void test_stopping(void **unused)
{
    (void)unused;
    uint64_t random = 18;
    int calls = 0;
    leman_context *ctx = NULL;
    leman_settings settings = leman_settings_default();
    settings.progress = stop;
    settings.callback_user = &calls;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    test_svm_problem made = test_svm_problem_new(&random, TEST_GAUSSIAN, 60, 60, 2);
    lm_svm *svm = new_svm(ctx, &made.problem);
    atomic_bool stopped = false;
    lm_cancellation cancellation = lm_cancellation_of(ctx, &stopped);
    double norm = 0;
    stopped = true;
    assert_int_equal(lm_svm_train(svm, 1, &cancellation), LEMAN_ERROR_CANCELLED);
    stopped = false;
    lm_progress_begin(ctx, 0, "training");
    leman_status st = LEMAN_OK;
    for (uint32_t i = 0; i < 1000000 && !st; i++) st = lm_svm_train(svm, i % 2 ? 1e-3 : 1e3, &cancellation);
    assert_int_equal(st, LEMAN_ERROR_CANCELLED);
    assert_true(stopped);
    assert_int_equal(lm_svm_train(svm, 10, NULL), LEMAN_OK);
    check_optimal(&made, svm, 10, 1e-3, &norm);
    lm_svm_free(svm);
    test_svm_problem_free(&made);
    leman_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_optimal_for_every_c),
        cmocka_unit_test(test_optimal_with_weights),
        cmocka_unit_test(test_optimal_with_bounds),
        cmocka_unit_test(test_optimal_when_large),
        cmocka_unit_test(test_optimal_with_counts),
        cmocka_unit_test(test_decisions_of_libsvm),
        cmocka_unit_test(test_warm_is_cold),
        cmocka_unit_test(test_memory_changes_nothing),
        cmocka_unit_test(test_support_decides),
        cmocka_unit_test(test_two_graphs),
        cmocka_unit_test(test_equal_graphs),
        cmocka_unit_test(test_repeated_items),
        cmocka_unit_test(test_empty_classes),
        cmocka_unit_test(test_indefinite_matrix),
        cmocka_unit_test(test_votes),
        cmocka_unit_test(test_regression),
        cmocka_unit_test(test_regression_far_away),
        cmocka_unit_test(test_values_that_are_not_finite),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_stopping),
    };
    return test_run(tests);
}
