/*
 * Binary SVMs for all pairs of classes, or one SVM for regression, over the solver of smo.c.
 *
 * Why not LIBSVM: on dense precomputed matrices it computes kernel rows value by value through a function pointer,
 * again for every C, moves the columns of all cached rows when it shrinks, and selects its pairs in loops that no
 * compiler vectorises. Leman only needs one problem and one kind of rows. Its solver gathers rows once for all C's,
 * starts each C from the previous solution, and takes 1/6 to 1/7 of the time (bench/RESULTS.md). It solves LIBSVM's
 * problem to LIBSVM's tolerance, and tests compare the two.
 *
 * Training graphs are sorted by class, so that the graphs of a pair are two runs. A decision gathers the kernel values
 * of the graph with the training graphs once, and takes two dot products per pair. A single SVM needs no gathering: its
 * coefficients are spread over all graphs. Time: count + (classes - 1) count multiplications per graph.
 */
#include "svm/svm.h"
#include "base/drop.h"
#include "svm/smo.h"
#include <math.h>
#include <string.h>

static const double TOLERANCE = 1e-3;

/* The SVM of one pair of classes, or of a regression. */
typedef struct binary_svm {
    uint32_t first, second; /* classes */
    lm_smo smo;             /* not used if a class is empty */
    uint32_t *item;         /* [samples] graphs of both classes */
    uint32_t *support;      /* [samples] graphs with a coefficient, support_count of them */
    double *coefficient;    /* [samples] their coefficients */
    size_t support_count;
    double bias;
} binary_svm;

struct lm_svm {
    leman_context *ctx;
    lm_svm_problem problem;
    size_t count, classes, pairs; /* for regression: one class, one pair */
    bool regression;
    uint32_t *item;       /* [count] the training graphs, sorted by class */
    double *factor;       /* [count] the factor on C of each of them */
    size_t *start;        /* [classes + 1] first item of each class */
    binary_svm *binary;   /* [pairs] */
    size_t binaries_made; /* number of elements of binary that must be cleared */
    uint32_t *graph_memory;
    double *value_memory;
    double *spread; /* [graphs] the coefficients of a single SVM; NULL if there are several */
};

/* ---- The problem ----------------------------------------------------------------------------- */

/* Sets item and factor, sorted by class and in the order of the problem within each class, and start. */
static leman_status sort_by_class(lm_svm *svm)
{
    const lm_training_set *set = &svm->problem.set;
    PASS_NEW(svm->ctx, svm->item, svm->count);
    PASS_NEW(svm->ctx, svm->factor, svm->count);
    PASS_NEW_ZERO(svm->ctx, svm->start, svm->classes + 1);
    for (size_t i = 0; i < svm->count; i++) svm->start[svm->regression ? 0 : set->label[i]]++;
    for (size_t c = 0, at = 0; c <= svm->classes; c++) { /* sizes become ends, and starts by filling backwards */
        at += svm->start[c];
        svm->start[c] = at;
    }
    for (size_t i = svm->count; i-- > 0;) {
        const size_t class = svm->regression ? 0 : set->label[i], at = --svm->start[class];
        svm->item[at] = set->item[i];
        svm->factor[at] = lm_weight_of(set->weight, i);
        if (!svm->regression) svm->factor[at] *= lm_weight_of(set->class_weight, class);
    }
    return LEMAN_OK;
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

static size_t size_of_class(const lm_svm *svm, size_t class)
{
    return svm->start[class + 1] - svm->start[class];
}

/* Returns true if a class is empty, so that there is nothing to train. */
static bool is_constant(const lm_svm *svm, const binary_svm *m)
{
    return m->smo.variables == 0 || (!svm->regression && (m->smo.positive == 0 || m->smo.positive == m->smo.variables));
}

static void begin_binary(const lm_svm *svm, binary_svm *m)
{
    const lm_svm_problem *problem = &svm->problem;
    lm_smo *smo = &m->smo;
    size_t samples = smo->variables / (svm->regression ? 2 : 1), first = svm->regression ? samples : smo->positive;
    for (size_t v = 0; v < smo->variables; v++) {
        bool positive = v < smo->positive;
        size_t at = v < first ? svm->start[m->first] + v : svm->start[m->second] + v - first;
        if (v < samples) m->item[v] = svm->item[at];
        smo->factor[v] = svm->factor[at];
        if (problem->set.bound && problem->set.bound[v % samples] == (positive ? -1 : 1)) smo->factor[v] = 0;
        smo->z[v] = positive ? 1 : -1;
        if (svm->regression) smo->z[v] = problem->set.target[v % samples] + (positive ? -1 : 1) * problem->epsilon;
        smo->score[v] = smo->z[v];
        smo->b[v] = 0;
    }
}

/* Makes the SVM of each pair; all take their arrays from common memory. */
static leman_status new_binaries(lm_svm *svm)
{
    const lm_svm_problem *problem = &svm->problem;
    size_t copies = svm->regression ? 2 : 1, left = problem->memory ? problem->memory : lm_budget(svm->ctx) / 8,
           samples;
    if (!lm_multiply(svm->regression ? 1 : svm->classes - 1, svm->count, &samples) || samples > SIZE_MAX / 16)
        return lm_fail(svm->ctx, LEMAN_ERROR_ARGUMENT, "%zu class%s are too many", svm->classes,
                       lm_plural_of(svm->classes, "", "es"));
    PASS_NEW(svm->ctx, svm->binary, svm->pairs);
    PASS_NEW(svm->ctx, svm->graph_memory, 2 * samples);
    PASS_NEW(svm->ctx, svm->value_memory, (1 + 4 * copies) * samples);
    uint32_t *graphs = svm->graph_memory;
    double *values = svm->value_memory;
    for (uint32_t a = 0; a < svm->classes; a++)
        for (uint32_t b = svm->regression ? 0 : a + 1; b < svm->classes; b++) {
            size_t first = size_of_class(svm, a), n = svm->regression ? first : first + size_of_class(svm, b);
            binary_svm *m = &svm->binary[svm->binaries_made];
            *m = (binary_svm){.first = a, .second = b, .item = graphs, .support = graphs + n, .coefficient = values};
            m->smo = (lm_smo){.variables = copies * n, .positive = first};
            m->smo.z = values + n;
            m->smo.b = m->smo.z + copies * n;
            m->smo.score = m->smo.b + copies * n;
            m->smo.factor = m->smo.score + copies * n;
            graphs += 2 * n;
            values += (1 + 4 * copies) * n;
            begin_binary(svm, m);
            svm->binaries_made++;
            if (!is_constant(svm, m))
                PASS(lm_distances_init(svm->ctx, svm->problem.gram, svm->problem.graphs, m->item, n, copies, &left,
                                       &m->smo.distances));
        }
    return LEMAN_OK;
}

LM_DROP(lm_svm)

leman_status lm_svm_new(leman_context *ctx, const lm_svm_problem *problem, lm_svm **out)
{
    AUTO(lm_svm_drop) lm_svm *svm = NULL;
    if (problem->graphs > UINT32_MAX || problem->set.count > UINT32_MAX / 16)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%zu graph%s are too many for a Gram matrix", problem->set.count,
                       lm_plural(problem->set.count));
    PASS_NEW(ctx, svm, 1);
    *svm = (lm_svm){.ctx = ctx, .problem = *problem, .count = problem->set.count, .regression = problem->set.target};
    svm->classes = svm->regression ? 1 : problem->set.classes;
    svm->pairs = svm->regression ? 1 : svm->classes * (svm->classes - 1) / 2;
    if (!(problem->tolerance > 0)) svm->problem.tolerance = TOLERANCE;
    PASS(sort_by_class(svm));
    PASS(new_binaries(svm));
    if (svm->pairs == 1) PASS_NEW(ctx, svm->spread, svm->problem.graphs);
    return HAND_OVER(out, svm);
}

void lm_svm_free(lm_svm *svm)
{
    if (!svm) return;
    for (size_t p = 0; p < svm->binaries_made; p++) lm_distances_clear(&svm->binary[p].smo.distances);
    RELEASE(svm->item, svm->factor, svm->start, svm->binary, svm->graph_memory, svm->value_memory, svm->spread, svm);
}

/* ---- Training -------------------------------------------------------------------------------- */

/* Returns the coefficient of a sample. Regression has two variables for it, one of which is 0 in the optimum. */
static double coefficient(const binary_svm *m, size_t sample)
{
    double sum = 0;
    for (size_t v = sample; v < m->smo.variables; v += m->smo.distances.count) sum += m->smo.b[v];
    return sum;
}

static void collect_support(const lm_svm *svm, binary_svm *m)
{
    m->support_count = 0;
    if (is_constant(svm, m)) {
        m->bias = m->smo.variables == 0 ? 0 : m->smo.positive ? 1 : -1;
        return;
    }
    m->bias = m->smo.bias;
    for (size_t i = 0; i < m->smo.distances.count; i++) {
        double b = coefficient(m, i);
        if (b == 0) continue;
        m->support[m->support_count] = m->item[i];
        m->coefficient[m->support_count++] = b;
    }
}

leman_status lm_svm_train(lm_svm *svm, double c, const lm_cancellation *cancellation)
{
    for (size_t p = 0; p < svm->pairs; p++) {
        binary_svm *m = &svm->binary[p];
        if (!is_constant(svm, m)) PASS(lm_smo_train(svm->ctx, &m->smo, c, svm->problem.tolerance, cancellation));
        collect_support(svm, m);
        if (!isfinite(m->smo.objective) || !isfinite(m->bias))
            return lm_fail(svm->ctx, LEMAN_ERROR_INPUT, "the Gram matrix holds values that are not finite numbers");
    }
    if (svm->spread) {
        const binary_svm *m = &svm->binary[0];
        memset(svm->spread, 0, svm->problem.graphs * sizeof *svm->spread);
        for (size_t i = 0; i < m->support_count; i++) svm->spread[m->support[i]] += m->coefficient[i];
    }
    return LEMAN_OK;
}

/* ---- Decisions ------------------------------------------------------------------------------- */

static double dot(const double *coefficients, const float *kernel, size_t count)
{
    enum { LANES = 8 };
    double sum[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (size_t l = 0; l < LANES; l++) sum[l] += coefficients[i + l] * (double)kernel[i + l];
    for (; i < count; i++) sum[0] += coefficients[i] * (double)kernel[i];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/* Decides for all pairs. kernel[count] holds the graph's values with the training graphs, sorted by class. */
static void decide_pairs(const lm_svm *svm, const float *kernel, double *decision)
{
    for (size_t p = 0; p < svm->pairs; p++) {
        const binary_svm *m = &svm->binary[p];
        size_t first = m->smo.positive, second = m->smo.variables - first;
        decision[p] = m->bias;
        if (is_constant(svm, m)) continue;
        decision[p] += dot(m->smo.b, kernel + svm->start[m->first], first);
        decision[p] += dot(m->smo.b + first, kernel + svm->start[m->second], second);
    }
}

leman_status lm_svm_decide(const lm_svm *svm, const uint32_t *item, size_t count, double *decision)
{
    SCRATCH_SCOPE(svm->ctx);
    float *kernel;
    PASS_SCRATCH(svm->ctx, kernel, svm->count);
    for (size_t i = 0; i < count; i++) {
        const float *row = svm->problem.gram + item[i] * svm->problem.graphs;
        if (svm->spread) {
            decision[i] = svm->binary[0].bias + dot(svm->spread, row, svm->problem.graphs);
        } else {
            for (size_t j = 0; j < svm->count; j++) kernel[j] = row[svm->item[j]];
            decide_pairs(svm, kernel, decision + i * svm->pairs);
        }
    }
    return LEMAN_OK;
}

lm_svm_support lm_svm_support_of(const lm_svm *svm, size_t pair)
{
    const binary_svm *m = &svm->binary[pair];
    return (lm_svm_support){.first = m->first,
                            .second = m->second,
                            .count = m->support_count,
                            .item = m->support,
                            .coefficient = m->coefficient,
                            .bias = m->bias,
                            .objective = m->smo.objective,
                            .gap = m->smo.gap};
}

uint32_t lm_svm_vote(const double *decision, size_t classes)
{
    uint32_t best = 0;
    size_t max = 0;
    for (uint32_t c = 0; c < classes; c++) {
        size_t votes = 0, pair = 0;
        for (uint32_t a = 0; a < classes; a++)
            for (uint32_t b = a + 1; b < classes; b++, pair++) votes += c == (decision[pair] > 0 ? a : b);
        if (votes > max) {
            max = votes;
            best = c;
        }
    }
    return best;
}
