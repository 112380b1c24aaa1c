/* Linear SVMs against a slow Newton method on dense copies of the rows. */
#include "support/linear_fit.h"
#include "support/support.h"

#include <math.h>

enum { GRAPHS = 24, ROUNDS = 2, MAX_COLUMNS = 400 };

typedef struct problem_at_hand {
    leman_dataset *data;
    lm_round_features features;
    lm_rows rows;
    size_t width;
    uint32_t item[GRAPHS], label[GRAPHS];
    double x[GRAPHS][MAX_COLUMNS]; /* with the bias */
    double weight[GRAPHS];         /* 1 each, until a test changes them; likewise bounds */
    int8_t bound[GRAPHS];
} problem_at_hand;

static problem_at_hand *problem_new(leman_context *ctx, uint64_t *state, uint32_t classes)
{
    problem_at_hand *p = calloc(1, sizeof *p);
    leman_family_options options = leman_family_options_default();
    leman_kernel kernel = leman_kernel_default();
    options.graphs = GRAPHS;
    options.vertices = 6;
    options.probability = 0.4;
    options.seed = test_random(state);
    kernel.coloring.k = 1;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_RANDOM, &options, &p->data), LEMAN_OK);
    assert_int_equal(lm_round_features_compute(ctx, p->data, &kernel, 1, ROUNDS, &p->features), LEMAN_OK);
    assert_int_equal(lm_rows_make(ctx, &p->features, ROUNDS, &p->rows), LEMAN_OK);
    p->width = p->rows.columns + 1;
    assert_true(p->width <= MAX_COLUMNS);
    for (uint32_t i = 0; i < GRAPHS; i++) {
        p->item[i] = i;
        p->weight[i] = 1;
        p->label[i] = i < classes ? i : (uint32_t)(test_random(state) % classes);
        for (size_t e = p->rows.start[i]; e < p->rows.start[i + 1]; e++)
            p->x[i][p->rows.node[e].column] = p->rows.node[e].value;
        p->x[i][p->width - 1] = 1;
    }
    return p;
}

/* Gives every row its own weight, and makes two of three targets bounds. */
static void weigh(problem_at_hand *p)
{
    for (size_t i = 0; i < GRAPHS; i++) {
        p->weight[i] = pow(4, (double)(i % 5) - 2);
        p->bound[i] = (int8_t)((int)(i % 3) - 1);
    }
}

static void problem_free(problem_at_hand *p)
{
    lm_rows_free(&p->rows);
    lm_round_features_free(&p->features);
    leman_dataset_free(p->data);
    free(p);
}

/* The objective, and the square of its gradient's length. */
static double objective(const problem_at_hand *p, uint32_t positive, double C, const double *w, double *squared_norm)
{
    double f = 0, gradient[MAX_COLUMNS];
    memcpy(gradient, w, p->width * sizeof *w);
    for (size_t j = 0; j < p->width; j++) f += w[j] * w[j] / 2;
    for (size_t i = 0; i < GRAPHS; i++) {
        double sum = 0, y = p->label[i] == positive ? 1 : -1;
        for (size_t j = 0; j < p->width; j++) sum += w[j] * p->x[i][j];
        double short_of = fmax(0, 1 - y * sum);
        const double cost = C * p->weight[i];
        f += cost * short_of * short_of;
        for (size_t j = 0; j < p->width; j++) gradient[j] -= 2 * cost * y * short_of * p->x[i][j];
    }
    *squared_norm = 0;
    for (size_t j = 0; j < p->width; j++) *squared_norm += gradient[j] * gradient[j];
    return f;
}

/* Solves the dense system a x = b, which is symmetric and positive, by elimination. */
static void solve(size_t n, double *a, double *b)
{
    for (size_t k = 0; k < n; k++)
        for (size_t i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            if (factor == 0) continue;
            for (size_t j = k; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
            b[i] -= factor * b[k];
        }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++) b[k] -= a[k * n + j] * b[j];
        b[k] /= a[k * n + k];
    }
}

/* Newton's method with halved steps: the least value of the objective. */
static double newton(const problem_at_hand *p, uint32_t positive, double C)
{
    size_t n = p->width;
    double *w = calloc(n, sizeof *w), *next = malloc(n * sizeof *next), *step = malloc(n * sizeof *step);
    double *hessian = malloc(n * n * sizeof *hessian), squared_norm, f = objective(p, positive, C, w, &squared_norm),
           before = INFINITY;
    for (int turn = 0; turn < 50 && before - f > 1e-14 * f; turn++) {
        memset(hessian, 0, n * n * sizeof *hessian);
        for (size_t j = 0; j < n; j++) {
            hessian[j * n + j] = 1;
            step[j] = -w[j];
        }
        for (size_t i = 0; i < GRAPHS; i++) {
            double sum = 0, y = p->label[i] == positive ? 1 : -1;
            for (size_t j = 0; j < n; j++) sum += w[j] * p->x[i][j];
            const double cost = C * p->weight[i];
            if (1 - y * sum <= 0) continue;
            for (size_t j = 0; j < n; j++) {
                step[j] += 2 * cost * y * (1 - y * sum) * p->x[i][j];
                for (size_t k = 0; k < n; k++) hessian[j * n + k] += 2 * cost * p->x[i][j] * p->x[i][k];
            }
        }
        solve(n, hessian, step);
        before = f;
        for (double t = 1; t > 1e-6; t /= 2) {
            for (size_t j = 0; j < n; j++) next[j] = w[j] + t * step[j];
            double there = objective(p, positive, C, next, &squared_norm);
            if (there >= f) continue;
            f = there;
            memcpy(w, next, n * sizeof *w);
            break;
        }
    }
    free(w), free(next), free(step), free(hessian);
    return f;
}

static lm_linear_task task_of(const problem_at_hand *p, size_t classes)
{
    return (lm_linear_task){
        &p->rows, {p->item, p->label, .count = GRAPHS, .classes = classes, .weight = p->weight}, .epsilon = 0.1};
}

static lm_linear_svm train_all(leman_context *ctx, const problem_at_hand *p, size_t classes, double C)
{
    lm_linear_svm svm;
    lm_linear_task task = task_of(p, classes);
    if (test_linear_svm_fit(ctx, &task, C, &svm)) fail_msg("%s", leman_context_message(ctx));
    return svm;
}

/* The search stops when the gradient is a hundredth of that at 0, times the share of the rarer side. The objective is
 * at least as convex as 1/2 |w|^2, so it is at most half the squared gradient above the least. Warm or cold. */
static void assert_min(const problem_at_hand *p, uint32_t m, double C, const double *w)
{
    static const double zero[MAX_COLUMNS];
    double squared_norm, norm_at_zero, share = 0, min = newton(p, m, C), found = objective(p, m, C, w, &squared_norm);
    objective(p, m, C, zero, &norm_at_zero);
    for (size_t i = 0; i < GRAPHS; i++) share += (double)(p->label[i] == m) / (double)GRAPHS;
    assert_true(sqrt(squared_norm) <= 0.01 * fmin(share, 1 - share) * sqrt(norm_at_zero) * (1 + 1e-9));
    assert_true(found >= min * (1 - 1e-9) && found <= (min + squared_norm / 2) * (1 + 1e-9));
}

static void the_objective_is_least(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 3;
    for (size_t test = 0; test < test_cases(6); test++) {
        size_t classes = 2 + test % 3;
        problem_at_hand *p = problem_new(ctx, &state, (uint32_t)classes);
        lm_linear_task task = task_of(p, classes);
        lm_linear_trainer *warm;
        if (test >= 3) weigh(p);
        assert_int_equal(lm_linear_trainer_new(ctx, &task, &warm), LEMAN_OK);
        for (double C = 0.01; C < 200; C *= 10) {
            lm_linear_svm cold = train_all(ctx, p, classes, C);
            assert_int_equal(lm_linear_trainer_fit(ctx, &warm, 1, C, NULL), LEMAN_OK);
            assert_int_equal(cold.outputs, classes == 2 ? 1 : classes);
            for (uint32_t m = 0; m < cold.outputs; m++) {
                assert_min(p, m, C, cold.weight + m * p->width);
                assert_min(p, m, C, lm_linear_trainer_svm(warm)->weight + m * p->width);
            }
            test_linear_svm_free(&cold);
        }
        lm_linear_trainer_free(warm);
        problem_free(p);
    }
    test_context_free(ctx);
}

/* The gradient of 1/2 |w|^2 + C sum max(0, |y - w.x| - epsilon)^2 is nearly 0, and as this is at least as convex as
 * 1/2 |w|^2, w is no further from the optimum than the gradient is long. */
static double norm_of_regression(const problem_at_hand *p, const double *y, double epsilon, double C, const double *w)
{
    double gradient[MAX_COLUMNS], squared_norm = 0;
    memcpy(gradient, w, p->width * sizeof *w);
    for (size_t i = 0; i < GRAPHS; i++) {
        double off = -y[i];
        for (size_t j = 0; j < p->width; j++) off += w[j] * p->x[i][j];
        double beyond = off > epsilon ? off - epsilon : off < -epsilon ? off + epsilon : 0;
        if (beyond * p->bound[i] > 0) continue; /* beyond a lower bound, or below an upper one */
        for (size_t j = 0; j < p->width; j++) gradient[j] += 2 * C * p->weight[i] * beyond * p->x[i][j];
    }
    for (size_t j = 0; j < p->width; j++) squared_norm += gradient[j] * gradient[j];
    return sqrt(squared_norm);
}

static void regressions_are_least(void **unused)
{
    (void)unused;
    static const double zero[MAX_COLUMNS];
    leman_context *ctx = test_context_new(1);
    uint64_t state = 31;
    for (size_t test = 0; test < test_cases(5); test++) {
        problem_at_hand *p = problem_new(ctx, &state, 2);
        lm_linear_task task = task_of(p, 0);
        lm_linear_trainer *warm;
        lm_linear_svm cold;
        double y[GRAPHS], decision[GRAPHS];
        if (test % 2) weigh(p);
        for (size_t i = 0; i < GRAPHS; i++) y[i] = (double)(test_random(&state) % 1000) / 250 - 2;
        task.set.target = y;
        task.set.bound = p->bound;
        assert_int_equal(lm_linear_trainer_new(ctx, &task, &warm), LEMAN_OK);
        for (double C = 0.01; C < 200; C *= 10) {
            double most = 1e-4 * norm_of_regression(p, y, 0.1, C, zero) * (1 + 1e-9);
            assert_int_equal(test_linear_svm_fit(ctx, &task, C, &cold), LEMAN_OK);
            assert_int_equal(lm_linear_trainer_fit(ctx, &warm, 1, C, NULL), LEMAN_OK);
            assert_true(norm_of_regression(p, y, 0.1, C, cold.weight) <= most);
            assert_true(norm_of_regression(p, y, 0.1, C, lm_linear_trainer_svm(warm)->weight) <= most);
            lm_linear_svm_decide(&cold, &p->rows, p->item, GRAPHS, decision);
            test_linear_svm_free(&cold);
        }
        for (size_t i = 0; i < GRAPHS; i++) assert_true(isfinite(decision[i]));
        lm_linear_trainer_free(warm);
        problem_free(p);
    }
    test_context_free(ctx);
}

#ifdef TEST_LIBLINEAR
#include <linear.h>

static void print_nothing(const char *text)
{
    (void)text;
}

/* LIBLINEAR, which goes on to a millionth of the gradient, finds the same weights: f is at least as convex as
 * 1/2 |w|^2, so no solution is further from the optimum than its gradient is long. */
static void liblinear_finds_the_same(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 77;
    set_print_string_function(print_nothing);
    for (size_t test = 0; test < test_cases(6); test++) {
        problem_at_hand *p = problem_new(ctx, &state, 2);
        struct feature_node nodes[GRAPHS][MAX_COLUMNS + 2], *rows[GRAPHS];
        double y[GRAPHS];
        for (size_t i = 0; i < GRAPHS; i++) {
            int at = 0;
            for (size_t j = 0; j < p->width; j++)
                if (p->x[i][j] != 0) nodes[i][at++] = (struct feature_node){(int)j + 1, p->x[i][j]};
            nodes[i][at].index = -1;
            rows[i] = nodes[i];
            y[i] = p->label[i] == 0 ? 1 : -1;
        }
        for (double C = 0.01; C < 200; C *= 10) {
            struct problem problem = {.l = GRAPHS, .n = (int)p->width, .y = y, .x = rows, .bias = 1};
            struct parameter parameter = {.solver_type = L2R_L2LOSS_SVC, .eps = 1e-6, .C = C};
            struct model *model = train(&problem, &parameter);
            lm_linear_svm svm = train_all(ctx, p, 2, C);
            double sign = model->label[0] < 0 ? -1 : 1, apart = 0, ours, theirs, w[MAX_COLUMNS];
            for (size_t j = 0; j < p->width; j++) {
                w[j] = sign * model->w[j];
                apart += pow(svm.weight[j] - w[j], 2);
            }
            objective(p, 0, C, svm.weight, &ours);
            objective(p, 0, C, w, &theirs);
            assert_true(theirs < ours + 1e-6);
            assert_true(sqrt(apart) <= (sqrt(ours) + sqrt(theirs)) * (1 + 1e-9));
            free_and_destroy_model(&model);
            test_linear_svm_free(&svm);
        }
        problem_free(p);
    }
    test_context_free(ctx);
}
#endif

/* Decisions are products with the dense rows, and with the features themselves by shares. */
static void decisions_are_products(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 9;
    for (size_t classes = 2; classes < 5; classes++) {
        problem_at_hand *p = problem_new(ctx, &state, (uint32_t)classes);
        const leman_features *f = &p->features.features;
        lm_linear_svm svm = train_all(ctx, p, classes, 1);
        double decision[GRAPHS * 5];
        lm_linear_svm_decide(&svm, &p->rows, p->item, GRAPHS, decision);
        for (size_t i = 0; i < GRAPHS; i++)
            for (size_t m = 0; m < svm.outputs; m++) {
                const double *w = svm.weight + m * p->width;
                double dense = 0, sparse = 0, square = 0, found = decision[i * svm.outputs + m];
                for (size_t j = 0; j < p->width; j++) dense += w[j] * p->x[i][j];
                for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++) {
                    size_t c = f->column[e];
                    sparse += f->value[e] * p->rows.share[c] * w[p->rows.place[c] - 1];
                    square += f->value[e] * f->value[e];
                }
                assert_true(fabs(found - dense) < 1e-12);
                assert_true(fabs(found - (sparse / sqrt(square) + w[p->rows.columns])) < 1e-5);
            }
        test_linear_svm_free(&svm);
        problem_free(p);
    }
    test_context_free(ctx);
}

/* An output of many is the SVM of its class against the others; an absent class is never chosen. */
static void one_against_the_rest(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 17;
    problem_at_hand *p = problem_new(ctx, &state, 3);
    uint32_t rest[GRAPHS], last[1] = {GRAPHS - 1};
    lm_linear_svm four = train_all(ctx, p, 4, 1), two;
    for (uint32_t m = 0; m < 3; m++) {
        for (size_t i = 0; i < GRAPHS; i++) rest[i] = p->label[i] != m;
        lm_linear_task task = task_of(p, 2);
        task.set.label = rest;
        assert_int_equal(test_linear_svm_fit(ctx, &task, 1, &two), LEMAN_OK);
        assert_memory_equal(two.weight, four.weight + m * p->width, p->width * sizeof *two.weight);
        test_linear_svm_free(&two);
    }
    double decision[4];
    lm_linear_svm_decide(&four, &p->rows, last, 1, decision);
    assert_true(decision[3] == -1);
    test_linear_svm_free(&four);
    memset(rest, 0, sizeof rest); /* all of one class */
    for (size_t classes = 1; classes < 4; classes++) {
        lm_linear_task task = task_of(p, classes);
        task.set.label = rest;
        assert_int_equal(test_linear_svm_fit(ctx, &task, 1, &two), LEMAN_OK);
        lm_linear_svm_decide(&two, &p->rows, last, 1, decision);
        assert_int_equal(lm_linear_svm_class(classes, decision), 0);
        assert_true(decision[0] == 1);
        test_linear_svm_free(&two);
    }
    problem_free(p);
    test_context_free(ctx);
}

/* Trainers that are fitted together get the bits that they get alone, along C:
 * training sets that differ, more of them than are solved in one pass, one with all of one class. */
static void together_as_alone(void **unused)
{
    (void)unused;
    enum { SETS = 6 };
    leman_context *ctx = test_context_new(1);
    uint64_t state = 41;
    for (size_t test = 0; test < test_cases(4); test++) {
        size_t classes = 2 + test % 2;
        problem_at_hand *p = problem_new(ctx, &state, (uint32_t)classes);
        uint32_t item[SETS][GRAPHS], label[SETS][GRAPHS];
        lm_linear_trainer *alone[SETS], *together[SETS];
        for (uint32_t s = 0; s < SETS; s++) {
            lm_linear_task task = task_of(p, classes);
            task.set.count = 0;
            for (uint32_t i = 0; i < GRAPHS; i++)
                if (i % SETS != s) {
                    item[s][task.set.count] = i;
                    label[s][task.set.count++] = s == 2 ? 0 : p->label[i];
                }
            task.set.item = item[s];
            task.set.label = label[s];
            assert_int_equal(lm_linear_trainer_new(ctx, &task, alone + s), LEMAN_OK);
            assert_int_equal(lm_linear_trainer_new(ctx, &task, together + s), LEMAN_OK);
        }
        for (double C = 0.01; C < 200; C *= 10) {
            assert_int_equal(lm_linear_trainer_fit(ctx, together, SETS, C, NULL), LEMAN_OK);
            for (size_t s = 0; s < SETS; s++) {
                assert_int_equal(lm_linear_trainer_fit(ctx, alone + s, 1, C, NULL), LEMAN_OK);
                const lm_linear_svm *a = lm_linear_trainer_svm(alone[s]), *b = lm_linear_trainer_svm(together[s]);
                assert_memory_equal(a->weight, b->weight, a->outputs * p->width * sizeof *a->weight);
            }
        }
        for (size_t s = 0; s < SETS; s++) {
            lm_linear_trainer_free(alone[s]);
            lm_linear_trainer_free(together[s]);
        }
        problem_free(p);
    }
    test_context_free(ctx);
}

static void the_largest_wins(void **unused)
{
    (void)unused;
    assert_int_equal(lm_linear_svm_class(2, (double[]){0.1}), 0);
    assert_int_equal(lm_linear_svm_class(2, (double[]){0}), 1);
    assert_int_equal(lm_linear_svm_class(3, (double[]){-1, 2, 2}), 1);
}

static leman_status train_once(leman_context *ctx, void *state)
{
    const problem_at_hand *p = state;
    lm_linear_svm svm = {0};
    lm_linear_task task = task_of(p, 3);
    leman_status st = test_linear_svm_fit(ctx, &task, 1, &svm);
    test_linear_svm_free(&svm);
    return st;
}

static void test_allocations(void **unused)
{
    (void)unused;
    leman_context *ctx = test_context_new(1);
    uint64_t state = 23;
    problem_at_hand *p = problem_new(ctx, &state, 3);
    assert_true(test_fail_each_allocation(train_once, p) > 0);
    problem_free(p);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_objective_is_least),   cmocka_unit_test(regressions_are_least),
#ifdef TEST_LIBLINEAR
        cmocka_unit_test(liblinear_finds_the_same),
#endif
        cmocka_unit_test(decisions_are_products),   cmocka_unit_test(one_against_the_rest),
        cmocka_unit_test(together_as_alone),        cmocka_unit_test(the_largest_wins),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
