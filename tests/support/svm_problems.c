#include "support/svm_problems.h"
#include <math.h>

/* ---- Problems -------------------------------------------------------------------------------- */

static double draw(uint64_t *random)
{
    return (double)(test_random(random) >> 11) * 0x1p-53;
}

static double product(test_kernel kernel, const double *a, const double *b)
{
    double dx = a[0] - b[0], dy = a[1] - b[1];
    if (kernel == TEST_GAUSSIAN) return exp(-8 * (dx * dx + dy * dy));
    if (kernel == TEST_LINEAR) return a[0] * b[0] + a[1] * b[1] + 0.5;
    double sum = 0;
    for (int i = 0; i < 8; i++)
        sum += floor(8 * fabs(sin(9 * a[0] + i * a[1]))) * floor(8 * fabs(sin(9 * b[0] + i * b[1])));
    return sum;
}

test_svm_problem test_svm_problem_new(uint64_t *random, test_kernel kernel, size_t graphs, size_t count, size_t classes)
{
    test_svm_problem made = {.tests = graphs - count};
    double(*point)[2] = calloc(graphs + 1, sizeof *point);
    uint32_t *order = calloc(graphs + 1, sizeof *order);
    made.gram = calloc(graphs * graphs + 1, sizeof *made.gram);
    made.item = calloc(count + 1, sizeof *made.item);
    made.label = calloc(count + 1, sizeof *made.label);
    made.target = calloc(count + 1, sizeof *made.target);
    made.weight = calloc(count + 1, sizeof *made.weight);
    made.bound = calloc(count + 1, sizeof *made.bound);
    made.test = calloc(made.tests + 1, sizeof *made.test);
    for (size_t i = 0; i < graphs; i++) {
        point[i][0] = draw(random);
        point[i][1] = draw(random);
        size_t j = test_random(random) % (i + 1);
        order[i] = order[j];
        order[j] = (uint32_t)i;
    }
    for (size_t i = 0; i < graphs; i++)
        for (size_t j = 0; j < graphs; j++) made.gram[i * graphs + j] = (float)product(kernel, point[i], point[j]);
    for (size_t i = 0; i < count; i++) {
        const double *at = point[made.item[i] = order[i]];
        bool wrong = test_random(random) % 8 == 0;
        made.label[i] = (uint32_t)(wrong ? test_random(random) % classes : (size_t)(at[0] * 0.999 * (double)classes));
        if (i < classes) made.label[i] = (uint32_t)i;
        made.target[i] = sin(6 * at[0]) + at[1] + 0.2 * draw(random);
        made.bound[i] = (int8_t)(i % 5 == 1 ? 1 : i % 5 == 3 ? -1 : 0);
        made.weight[i] =
            i % 4 ? pow(10, (double)(i % 7) - 4) : 1; /* draws nothing, so that problems stay as they were */
    }
    for (size_t i = 0; i < made.tests; i++) made.test[i] = order[count + i];
    made.problem =
        (lm_svm_problem){.gram = made.gram, .graphs = graphs, .set = {.item = made.item, .label = made.label}};
    made.problem.set.count = count;
    made.problem.set.classes = classes;
    free(point);
    free(order);
    return made;
}

void test_svm_problem_free(test_svm_problem *given)
{
    free(given->gram);
    free(given->item);
    free(given->label);
    free(given->target);
    free(given->weight);
    free(given->bound);
    free(given->test);
}

/* ---- Optimality ------------------------------------------------------------------------------ */

typedef struct limits {
    double high, low; /* highest score of a variable that may grow, lowest of one that may fall */
} limits;

static void update_limits(limits *l, double score, double b, double lower, double upper)
{
    assert_true(b >= lower && b <= upper);
    if (b < upper && score > l->high) l->high = score;
    if (b > lower && score < l->low) l->low = score;
}

double test_svm_gap(const test_svm_problem *given, const lm_svm *svm, size_t pair, double c, double *norm,
                    double *objective)
{
    const lm_svm_problem *p = &given->problem;
    lm_svm_support support = lm_svm_support_of(svm, pair);
    double *b = calloc(p->graphs + 1, sizeof *b), sum = 0;
    limits l = {-INFINITY, INFINITY};
    *norm = *objective = 0;
    for (size_t i = 0; i < support.count; i++) {
        b[support.item[i]] += support.coefficient[i];
        sum += support.coefficient[i];
        *norm += fabs(support.coefficient[i]);
    }
    assert_true(fabs(sum) <= 1e-9 * (*norm + 1e-30));
    for (size_t i = 0; i < p->set.count; i++) {
        uint32_t x = p->set.item[i];
        const double most = p->set.weight ? c * p->set.weight[i] : c;
        const int8_t bound = p->set.bound ? p->set.bound[i] : 0; /* what a bound allows costs nothing */
        if (!p->set.target && p->set.label[i] != support.first && p->set.label[i] != support.second) {
            assert_true(b[x] == 0);
            continue;
        }
        double f = 0;
        for (size_t j = 0; j < support.count; j++)
            f += support.coefficient[j] * p->gram[x * p->graphs + support.item[j]];
        if (p->set.target) { /* of the two variables at most one is not 0 */
            update_limits(&l, p->set.target[i] - p->epsilon - f, fmax(b[x], 0), 0, bound < 0 ? 0 : most);
            update_limits(&l, p->set.target[i] + p->epsilon - f, fmin(b[x], 0), bound > 0 ? 0 : -most, 0);
            *objective += b[x] * (0.5 * f - p->set.target[i]) + p->epsilon * fabs(b[x]);
        } else {
            bool first = p->set.label[i] == support.first;
            update_limits(&l, (first ? 1 : -1) - f, b[x], first ? 0 : -most, first ? most : 0);
            *objective += b[x] * (0.5 * f - (first ? 1 : -1));
        }
    }
    free(b);
    return l.high - l.low;
}

/* ---- LIBSVM ---------------------------------------------------------------------------------- */

#ifdef TEST_LIBSVM
#include <libsvm/svm.h>

static void discard_output(const char *text)
{
    (void)text;
}

/* A row of LIBSVM's precomputed kernel: a number from 1, then the values with the training graphs. */
static void fill_row(const lm_svm_problem *p, uint32_t graph, size_t number, struct svm_node *row)
{
    row[0] = (struct svm_node){0, (double)number};
    for (size_t j = 0; j < p->set.count; j++)
        row[j + 1] = (struct svm_node){(int)j + 1, p->gram[graph * p->graphs + p->set.item[j]]};
    row[p->set.count + 1].index = -1;
}

/* The objective of the pair of classes a < b from LIBSVM's coefficients: those of class a against b stand in row b - 1,
 * those of b against a in row a. */
static double pair_objective(const lm_svm_problem *p, const struct svm_model *model, int a, int b, double *norm)
{
    double *coefficient = calloc((size_t)model->l + 1, sizeof *coefficient), objective = 0;
    for (int i = 0; i < model->l; i++) {
        int class = p->set.target ? a : (int)p->set.label[model->sv_indices[i] - 1];
        coefficient[i] = class == a ? model->sv_coef[b - 1][i] : class == b ? model->sv_coef[a][i] : 0;
    }
    for (int i = 0; i < model->l; i++) {
        size_t at = (size_t)model->sv_indices[i] - 1;
        uint32_t x = p->set.item[at];
        double f = 0, z = p->set.target ? p->set.target[at] : p->set.label[at] == (uint32_t)a ? 1 : -1;
        for (int j = 0; j < model->l; j++)
            f += coefficient[j] * p->gram[x * p->graphs + p->set.item[model->sv_indices[j] - 1]];
        objective += coefficient[i] * (0.5 * f - z) + (p->set.target ? p->epsilon * fabs(coefficient[i]) : 0);
        *norm += fabs(coefficient[i]);
    }
    free(coefficient);
    return objective;
}

test_libsvm test_libsvm_train(const test_svm_problem *given, double c, double tolerance)
{
    const lm_svm_problem *p = &given->problem;
    size_t pairs = p->set.target ? 1 : p->set.classes * (p->set.classes - 1) / 2;
    struct svm_parameter parameter = {
        .svm_type = p->set.target ? EPSILON_SVR : C_SVC, .kernel_type = PRECOMPUTED, .C = c};
    parameter.eps = tolerance;
    parameter.cache_size = 100;
    parameter.shrinking = 1;
    parameter.p = p->epsilon;
    struct svm_problem problem = {.l = (int)p->set.count};
    problem.y = calloc(p->set.count, sizeof *problem.y);
    problem.x = calloc(p->set.count + 1, sizeof *problem.x);
    for (size_t i = 0; i <= p->set.count; i++) problem.x[i] = calloc(p->set.count + 2, sizeof **problem.x);
    for (size_t i = 0; i < p->set.count; i++) {
        problem.y[i] = p->set.target ? p->set.target[i] : p->set.label[i];
        fill_row(p, p->set.item[i], i + 1, problem.x[i]);
    }
    svm_set_print_string_function(discard_output);
    struct svm_model *model = svm_train(&problem, &parameter);
    test_libsvm made = {.decision = calloc(given->tests * pairs + 1, sizeof *made.decision),
                        .predicted = calloc(given->tests + 1, sizeof *made.predicted)};
    for (size_t i = 0; i < given->tests; i++) {
        fill_row(p, given->test[i], 0, problem.x[p->set.count]);
        made.predicted[i] = (uint32_t)svm_predict_values(model, problem.x[p->set.count], made.decision + i * pairs);
    }
    for (int a = 0; a < (p->set.target ? 1 : (int)p->set.classes); a++)
        for (int b = a + 1; b < (p->set.target ? 2 : (int)p->set.classes); b++)
            made.objective += pair_objective(p, model, a, b, &made.norm);
    svm_free_and_destroy_model(&model);
    for (size_t i = 0; i <= p->set.count; i++) free(problem.x[i]);
    free(problem.x);
    free(problem.y);
    return made;
}

void test_libsvm_free(test_libsvm *solution)
{
    free(solution->decision);
    free(solution->predicted);
}
#endif
