/*
 * The corrected resampled t-test (Nadeau and Bengio, Inference for the generalization error, 2003). With d_1, ..., d_J
 * the differences of the test scores of two methods on the same J folds:
 *
 *   t = mean(d) / sqrt((1/J + tested / trained) var(d)),   J - 1 degrees of freedom
 *
 * var divides by J - 1. The plain t-test has 1/J alone, as if folds were independent. Their training parts overlap, so
 * the plain test finds differences where there are none. tested / trained is 1/9 for ten folds: the validation part
 * counts as trained, since a method is selected with it.
 *
 *   P(|T| > t) = I_x(n/2, 1/2),   x = n / (n + t^2)
 *
 * The same variance gives the 95 % interval of one method's mean, mean +- t sqrt((1/J + tested / trained) var), with
 * the t for which P(|T| > t) = 5 %.
 *
 * The incomplete beta function is evaluated by its continued fraction from the front (Lentz). The fraction is used on
 * the side of x = (a + 1) / (a + b + 2) where it converges within O(sqrt(max(a, b))) steps.
 */
#include "learn/protocol/compare.h"
#include "base/arguments.h"
#include "learn/protocol/evaluation.h"
#include "learn/protocol/scores.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

static double away_from_zero(double x)
{
    return fabs(x) < 1e-300 ? 1e-300 : x;
}

/* The fraction 1 / (1 + d1 / (1 + d2 / (1 + ...))) of I_x(a, b). */
static double beta_fraction(double a, double b, double x)
{
    double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), value = d;
    for (int i = 1; i < 100000; i++) {
        double m = i;
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / away_from_zero(1 + even * d);
        c = away_from_zero(1 + even / c);
        value *= c * d;
        d = 1 / away_from_zero(1 + odd * d);
        c = away_from_zero(1 + odd / c);
        value *= c * d;
        if (fabs(c * d - 1) < 4 * DBL_EPSILON) break;
    }
    return value;
}

double lm_incomplete_beta(double a, double b, double x)
{
    if (!(x > 0)) return 0;
    if (!(x < 1)) return 1;
    if (x > (a + 1) / (a + b + 2)) return 1 - lm_incomplete_beta(b, a, 1 - x);
    int sign;
    double log_front = lgamma_r(a + b, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) + a * log(x) + b * log1p(-x);
    return exp(log_front) * beta_fraction(a, b, x) / a;
}

double lm_t_two_sided(double t, double degrees_of_freedom)
{
    if (isinf(t)) return 0;
    return lm_incomplete_beta(degrees_of_freedom / 2, 0.5, degrees_of_freedom / (degrees_of_freedom + t * t));
}

double lm_t_quantile(double p, double degrees_of_freedom)
{
    double low = 0, high = 1;
    while (lm_t_two_sided(high, degrees_of_freedom) > p && high < 1e300) high *= 2;
    for (int i = 0; i < 200 && low < high; i++) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) break;
        if (lm_t_two_sided(middle, degrees_of_freedom) > p)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* ---- The test -------------------------------------------------------------------------------- */

/* The number of test graphs divided by that of training graphs, averaged over folds. */
static double overlap(const leman_splits *splits)
{
    double sum = 0;
    size_t folds = splits->repetitions * splits->folds;
    for (size_t i = 0; i < folds; i++) {
        size_t tests = lm_split_test(splits, i).count;
        sum += (double)tests / (double)(splits->graphs - tests);
    }
    return sum / (double)folds;
}

void lm_corrected_interval(const leman_splits *splits, const double *score, double min, double max, double *low,
                           double *high)
{
    const size_t folds = splits->repetitions * splits->folds;
    *low = *high = NAN;
    if (folds < 2) return;
    double n = (double)folds, mean = lm_mean(score, folds), deviation = lm_deviation(score, folds);
    double variance = deviation * deviation * n / (n - 1);
    double half = lm_t_quantile(0.05, n - 1) * sqrt((1 / n + overlap(splits)) * variance);
    *low = fmax(min, mean - half);
    *high = fmin(max, mean + half);
}

leman_status lm_compare(leman_context *ctx, const leman_evaluation *a, const leman_evaluation *b, leman_comparison *out)
{
    SCRATCH_SCOPE(ctx);
    size_t folds = lm_evaluation_folds(a);
    double *difference;
    if (a->splits_checksum != b->splits_checksum || a->data_checksum != b->data_checksum || a->classes != b->classes)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "found evaluations of different data or splits, expected the same for both");
    PASS_SCRATCH(ctx, difference, folds);
    for (size_t i = 0; i < folds; i++) difference[i] = a->fold[i].test - b->fold[i].test;
    leman_comparison c = {
        .difference = lm_mean(difference, folds), .t = NAN, .p = NAN, .degrees_of_freedom = folds - 1};
    double deviation = lm_deviation(difference, folds), n = (double)folds;
    double variance = deviation * deviation * n / (n - 1);
    if (folds > 1 && !(variance > 0)) {
        c.t = c.difference == 0 ? 0 : copysign(INFINITY, c.difference);
        c.p = c.difference == 0 ? 1 : 0;
    } else if (folds > 1) {
        c.t = c.difference / sqrt((1 / n + overlap(a->splits)) * variance);
        c.p = lm_t_two_sided(c.t, n - 1);
    }
    *out = c;
    return LEMAN_OK;
}

/* ---- Many tests ------------------------------------------------------------------------------ */

/* A p-value and its index before sorting. */
typedef struct ranked {
    double p;
    size_t place;
} ranked;

static int by_p(const void *a, const void *b)
{
    double x = ((const ranked *)a)->p, y = ((const ranked *)b)->p;
    if (isnan(x) || isnan(y)) return isnan(x) - isnan(y);
    return (x > y) - (x < y);
}

leman_status lm_holm(leman_context *ctx, const double *p, size_t count, double *adjusted)
{
    SCRATCH_SCOPE(ctx);
    ranked *order;
    double min = 0;
    PASS_SCRATCH(ctx, order, count);
    for (size_t i = 0; i < count; i++) order[i] = (ranked){p[i], i};
    if (count) qsort(order, count, sizeof *order, by_p);
    for (size_t i = 0; i < count; i++) {
        double corrected = order[i].p * (double)(count - i);
        min = corrected > min ? corrected : min;
        adjusted[order[i].place] = isnan(corrected) ? corrected : min < 1 ? min : 1;
    }
    return LEMAN_OK;
}

leman_status leman_compare_all(leman_context *ctx, const leman_evaluation *const *evaluations, size_t count,
                               leman_pair_comparison *comparisons)
{
    REQUIRE(ctx, evaluations, comparisons);
    SCRATCH_SCOPE(ctx);
    const size_t pairs = count ? count * (count - 1) / 2 : 0;
    size_t at = 0;
    leman_pair_comparison *pair;
    double *p;
    for (size_t i = 0; i < count; i++)
        if (!evaluations[i])
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "evaluations: found NULL in place %zu, expected an evaluation",
                           i);
    PASS_SCRATCH(ctx, pair, pairs);
    PASS_SCRATCH(ctx, p, pairs);
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++, at++) {
            pair[at] = (leman_pair_comparison){.first = a, .second = b};
            PASS(lm_compare(ctx, evaluations[a], evaluations[b], &pair[at].comparison));
            p[at] = pair[at].comparison.p;
        }
    PASS(lm_holm(ctx, p, pairs, p));
    for (size_t i = 0; i < pairs; i++) {
        pair[i].p_holm = p[i];
        comparisons[i] = pair[i];
    }
    return LEMAN_OK;
}
