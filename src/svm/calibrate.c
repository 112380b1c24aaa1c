/*
 * Sigmoids are fitted by maximum likelihood against smoothed labels: (n + 1) / (n + 2) for n positive graphs, and
 * 1 / (m + 2) for m negative ones (Platt 1999). Weights are scaled to mean 1; then a graph of weight w counts as w
 * graphs. The fit is Newton's method with halved steps, in the form that never
 * takes the logarithm of 0 (Lin, Lin and Weng, Machine Learning 68, 2007). Time: about ten steps, each with one pass
 * over the graphs.
 *
 * Probabilities r_ij of pairs are coupled by the p on the simplex that minimises
 * sum over i and j != i of (r_ji p_i - r_ij p_j)^2 (Wu, Lin and Weng, JMLR 5, 2004, their second approach). In the
 * optimum Qp is constant, with Q_ii = sum of r_ji^2 and Q_ij = -r_ij r_ji, so p is proportional to the solution of
 * (Q + ee')x = e, which a Cholesky decomposition finds in O(classes^3) per graph.
 */
#include "svm/calibrate.h"
#include "base/weight.h"
#include <math.h>

/* ---- One sigmoid ----------------------------------------------------------------------------- */

static const double MIN = 1e-7; /* probabilities of pairs stay this far from 0 and 1 */

double lm_platt_at(lm_platt sigmoid, double decision)
{
    double f = sigmoid.a * decision + sigmoid.b;
    return f >= 0 ? exp(-f) / (1 + exp(-f)) : 1 / (1 + exp(f));
}

/* The data of a fit. Decisions are divided by the largest one, so that a and b have the same order of magnitude. */
typedef struct sample {
    const double *decision;
    const bool *positive;
    const double *weight; /* NULL: 1 each */
    size_t count;
    double share;     /* factor on the weights */
    double scale;     /* of decisions */
    double high, low; /* smoothed labels */
} sample;

/* The negative log-likelihood, its gradient and its second derivatives with respect to a and b. */
typedef struct likelihood {
    double loss, a, b, aa, ab, bb;
} likelihood;

static likelihood measure(const sample *s, lm_platt at)
{
    likelihood sum = {0};
    for (size_t i = 0; i < s->count; i++) {
        double d = s->decision[i] / s->scale, label = s->positive[i] ? s->high : s->low;
        double weight = s->share * lm_weight_of(s->weight, i);
        double f = at.a * d + at.b, p = lm_platt_at(at, d), wrong = weight * (label - p), spread = weight * p * (1 - p);
        sum.loss += weight * ((f >= 0 ? label * f : (label - 1) * f) + log1p(exp(-fabs(f))));
        sum.a += d * wrong;
        sum.b += wrong;
        sum.aa += d * d * spread;
        sum.ab += d * spread;
        sum.bb += spread;
    }
    return sum;
}

/* Makes one step of Newton's method, halved until the loss falls enough. Returns false if it never does. */
static bool improve(const sample *s, lm_platt *at, likelihood *now)
{
    static const double RIDGE = 1e-12, SHARE = 1e-4, SHORTEST = 1e-10;
    double aa = now->aa + RIDGE, ab = now->ab, bb = now->bb + RIDGE, det = aa * bb - ab * ab;
    double a = -(bb * now->a - ab * now->b) / det, b = -(aa * now->b - ab * now->a) / det;
    double descent = now->a * a + now->b * b;
    for (double step = 1; step >= SHORTEST; step /= 2) {
        lm_platt there = {at->a + step * a, at->b + step * b};
        likelihood then = measure(s, there);
        if (!(then.loss < now->loss + SHARE * step * descent)) continue;
        *at = there;
        *now = then;
        return true;
    }
    return false;
}

leman_status lm_platt_fit(leman_context *ctx, const double *decision, const bool *positive, const double *weight,
                          size_t count, lm_platt *out)
{
    enum { MAX_STEPS = 100 };
    static const double FLAT = 1e-8;
    sample s = {.decision = decision, .positive = positive, .weight = weight, .count = count};
    double positives = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(decision[i])) return lm_fail(ctx, LEMAN_ERROR_INPUT, "a decision value is not a finite number");
        s.scale = fmax(s.scale, fabs(decision[i]));
        all += lm_weight_of(weight, i);
        if (positive[i]) positives += lm_weight_of(weight, i);
    }
    s.share = all > 0 ? (double)count / all : 1;
    positives *= s.share;
    double negatives = fmax(0, (double)count - positives);
    if (s.scale == 0) s.scale = 1;
    s.high = (positives + 1) / (positives + 2);
    s.low = 1 / (negatives + 2);
    lm_platt at = {0, log((negatives + 1) / (positives + 1))};
    likelihood now = measure(&s, at);
    double flat = FLAT * fmax(1, (double)count);
    for (int i = 0; i < MAX_STEPS && fmax(fabs(now.a), fabs(now.b)) > flat; i++)
        if (!improve(&s, &at, &now)) break;
    *out = (lm_platt){at.a / s.scale, at.b};
    return LEMAN_OK;
}

/* ---- All outputs ----------------------------------------------------------------------------- */

size_t lm_multiclass_outputs(lm_multiclass multiclass, size_t classes)
{
    if (multiclass == LM_ONE_VS_ONE) return classes ? classes * (classes - 1) / 2 : 0;
    return classes == 2 ? 1 : classes;
}

leman_status lm_calibration_fit(leman_context *ctx, lm_multiclass multiclass, size_t classes, const double *decision,
                                const uint32_t *label, const double *weight, size_t count, lm_platt *out)
{
    SCRATCH_SCOPE(ctx);
    size_t all = lm_multiclass_outputs(multiclass, classes), first = 0, second = 1;
    double *value, *own;
    bool *positive;
    PASS_SCRATCH(ctx, value, count);
    PASS_SCRATCH(ctx, own, count);
    PASS_SCRATCH(ctx, positive, count);
    for (size_t m = 0; m < all; m++) {
        size_t used = 0;
        for (size_t i = 0; i < count; i++) {
            if (multiclass == LM_ONE_VS_ONE && label[i] != first && label[i] != second) continue;
            positive[used] = label[i] == (multiclass == LM_ONE_VS_ONE ? first : m);
            own[used] = lm_weight_of(weight, i);
            value[used++] = decision[i * all + m];
        }
        PASS(lm_platt_fit(ctx, value, positive, own, used, &out[m]));
        if (++second == classes) second = ++first + 1;
    }
    return LEMAN_OK;
}

/* ---- Coupling -------------------------------------------------------------------------------- */

/* Solves (LL')x = e, where L replaces the lower triangle of a[n][n]. a must be positive definite. */
static void solve_ones(double *a, size_t n, double *x)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < j; k++)
            for (size_t i = j; i < n; i++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
        double root = sqrt(fmax(a[j * n + j], 1e-300));
        for (size_t i = j; i < n; i++) a[i * n + j] /= root;
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = 1;
        for (size_t k = 0; k < i; k++) x[i] -= a[i * n + k] * x[k];
        x[i] /= a[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++) x[i] -= a[k * n + i] * x[k];
        x[i] /= a[i * n + i];
    }
}

/* Scales the probabilities to sum 1; makes them equal if all are 0. */
static void normalize(double *probability, size_t classes)
{
    double sum = 0;
    for (size_t c = 0; c < classes; c++) {
        probability[c] = fmax(probability[c], 0);
        sum += probability[c];
    }
    for (size_t c = 0; c < classes; c++) probability[c] = sum > 0 ? probability[c] / sum : 1 / (double)classes;
}

/* Sets probability[classes] from the probabilities of pairs, sigmoid[m] of decision[m]. */
static leman_status couple(leman_context *ctx, const lm_platt *sigmoid, const double *decision, size_t classes,
                           double *probability)
{
    SCRATCH_SCOPE(ctx);
    size_t cells = SIZE_MAX, m = 0;
    double *q;
    lm_multiply(classes, classes, &cells);
    PASS_SCRATCH(ctx, q, cells);
    for (size_t i = 0; i < cells; i++) q[i] = 1; /* ee' */
    for (size_t a = 0; a < classes; a++)
        for (size_t b = a + 1; b < classes; b++, m++) {
            double r = fmin(fmax(lm_platt_at(sigmoid[m], decision[m]), MIN), 1 - MIN);
            q[a * classes + a] += (1 - r) * (1 - r);
            q[b * classes + b] += r * r;
            q[b * classes + a] -= r * (1 - r);
        }
    solve_ones(q, classes, probability);
    normalize(probability, classes);
    return LEMAN_OK;
}

leman_status lm_calibration_apply(leman_context *ctx, lm_multiclass multiclass, size_t classes, const lm_platt *sigmoid,
                                  const double *decision, double *probability)
{
    if (multiclass == LM_ONE_VS_ONE && classes > 2) return couple(ctx, sigmoid, decision, classes, probability);
    if (classes == 2) {
        probability[0] = lm_platt_at(sigmoid[0], decision[0]);
        probability[1] = 1 - probability[0];
        return LEMAN_OK;
    }
    for (size_t c = 0; c < classes; c++) probability[c] = classes > 1 ? lm_platt_at(sigmoid[c], decision[c]) : 1;
    normalize(probability, classes);
    return LEMAN_OK;
}
