/*
 * Training of one SVM. Each round
 *   1. selects the working set: the active variables (not those whose score keeps them at their bound);
 *   2. makes steps within the working set (working_set.c): on a compact copy of its distances if it is small, otherwise
 *      on all distances;
 *   3. updates the scores of all variables with the moves, in double precision.
 * Rounds end when all scores agree. Time: two rows of variables for each step, and a row for each variable that moved
 * in a compact round. Memory: the distances, and at most half as much for the copy.
 *
 * Warm start: a training begins with the scaled solution of the previous C; for growing C most variables stay at their
 * bound. Steps round to single precision. The possible error is accumulated in `noise`, which scaling multiplies; when
 * it approaches the tolerance, the scores are computed again.
 */
#include "svm/smo.h"
#include <math.h>

static const double INNER = 0.9;     /* rounds end below the tolerance, so that rounding errors stay within it */
static const double CONTRACT = 0.05; /* a round reduces the gap to this share, then selects the working set again */
static const double COMPACT = 0.7;   /* a copy pays off below this share of all variables */
enum { SMALL = 64 };                 /* copies do not pay off below this number of variables */

typedef struct work {
    lm_smo *smo;
    lm_working_set set;
    uint32_t *chosen; /* [variables] variables of the working set */
    double high, low; /* highest score of a variable that may grow, lowest score of one that may fall */
} work;

static double upper(const lm_smo *smo, size_t v)
{
    return v < smo->positive ? smo->c * smo->factor[v] : 0;
}

static double lower(const lm_smo *smo, size_t v)
{
    return v < smo->positive ? 0 : -smo->c * smo->factor[v];
}

static bool may_grow(const lm_smo *smo, size_t v)
{
    return smo->b[v] < upper(smo, v);
}

static bool may_fall(const lm_smo *smo, size_t v)
{
    return smo->b[v] > lower(smo, v);
}

/* ---- Scores of all variables ----------------------------------------------------------------- */

/* Computes score[i] += sum over eight rows of by[r] row[r][i]. */
static void add_rows(double *restrict score, const float *const *row, const double *by, size_t count)
{
    const float *r0 = row[0], *r1 = row[1], *r2 = row[2], *r3 = row[3];
    const float *r4 = row[4], *r5 = row[5], *r6 = row[6], *r7 = row[7];
    double b0 = by[0], b1 = by[1], b2 = by[2], b3 = by[3], b4 = by[4], b5 = by[5], b6 = by[6], b7 = by[7];
    for (size_t i = 0; i < count; i++) {
        double first = (b0 * (double)r0[i] + b1 * (double)r1[i]) + (b2 * (double)r2[i] + b3 * (double)r3[i]);
        double second = (b4 * (double)r4[i] + b5 * (double)r5[i]) + (b6 * (double)r6[i] + b7 * (double)r7[i]);
        score[i] += first + second;
    }
}

/* Updates the scores after variable[i] moved by by[i]. O(count variables). */
static void move_scores(lm_smo *smo, const uint32_t *variable, const double *by, size_t count)
{
    for (size_t i = 0; i < count; i += LM_DISTANCES_AT_ONCE) {
        const float *row[LM_DISTANCES_AT_ONCE] = {0};
        double step[LM_DISTANCES_AT_ONCE];
        for (size_t r = 0; r < LM_DISTANCES_AT_ONCE; r++) {
            size_t at = i + r < count ? i + r : i; /* there may be fewer rows at the end */
            row[r] = lm_distances_at(&smo->distances, variable[at] % smo->distances.count, r);
            step[r] = i + r < count ? by[at] : 0;
        }
        add_rows(smo->score, row, step, smo->variables);
    }
}

/* Computes all scores from the coefficients. */
static void renew_scores(work *w)
{
    lm_smo *smo = w->smo;
    size_t count = 0;
    for (size_t v = 0; v < smo->variables; v++) {
        smo->score[v] = smo->z[v];
        if (smo->b[v] == 0) continue;
        w->chosen[count] = (uint32_t)v;
        w->set.b[count++] = smo->b[v];
    }
    move_scores(smo, w->chosen, w->set.b, count);
    smo->noise = 0;
}

static bool is_noisy(const lm_smo *smo, double tolerance)
{
    return 3 * sqrt(smo->noise) > (1 - INNER) * tolerance;
}

static void find_limits(work *w)
{
    const lm_smo *smo = w->smo;
    w->high = -INFINITY;
    w->low = INFINITY;
    for (size_t v = 0; v < smo->variables; v++) {
        if (may_grow(smo, v) && smo->score[v] > w->high) w->high = smo->score[v];
        if (may_fall(smo, v) && smo->score[v] < w->low) w->low = smo->score[v];
    }
}

/* ---- The working set ------------------------------------------------------------------------- */

/* Sets `chosen` to the variables that could move with another one at present. Returns their number. */
static size_t choose_active(work *w)
{
    const lm_smo *smo = w->smo;
    size_t count = 0;
    for (size_t v = 0; v < smo->variables; v++) {
        bool up = may_grow(smo, v) && smo->score[v] >= w->low, down = may_fall(smo, v) && smo->score[v] <= w->high;
        if (up || down) w->chosen[count++] = (uint32_t)v;
    }
    return count;
}

static leman_status choose_working_set(leman_context *ctx, work *w)
{
    lm_working_set *set = &w->set;
    size_t all = w->smo->variables;
    set->count = all > SMALL ? choose_active(w) : all;
    set->variable = (double)set->count < COMPACT * (double)all ? w->chosen : NULL;
    set->distance = NULL;
    if (set->variable && w->smo->distances.kept) {
        PASS_SCRATCH(ctx, set->distance, set->count * lm_distances_width(set->count)); /* fewer than the kept ones */
    } else if (!set->variable) {
        for (size_t v = 0; v < all; v++) w->chosen[v] = (uint32_t)v;
        set->count = all;
    }
    set->width = lm_distances_width(set->count);
    return LEMAN_OK;
}

/* Loads the scores relative to the middle, where single precision is most accurate. */
static void load_working_set(work *w)
{
    lm_smo *smo = w->smo;
    lm_working_set *set = &w->set;
    double middle = 0.5 * (w->high + w->low);
    set->noise = 0;
    for (size_t i = 0; i < set->count; i++) {
        size_t v = w->chosen[i];
        set->score[i] = (float)(smo->score[v] - middle);
        set->b[i] = smo->b[v];
        set->lower[i] = lower(smo, v);
        set->upper[i] = upper(smo, v);
        if (!set->distance) continue;
        lm_distances_pick(&smo->distances, v % smo->distances.count, w->chosen, set->count,
                          set->distance + i * set->width);
    }
}

/* Copies the scores back. If the working set is compact, the scores of the other variables are updated. */
static void unload_working_set(work *w)
{
    lm_smo *smo = w->smo;
    lm_working_set *set = &w->set;
    double middle = 0.5 * (w->high + w->low);
    size_t moved = 0;
    for (size_t i = 0; i < set->count; i++) {
        size_t v = w->chosen[i];
        double by = set->b[i] - smo->b[v];
        smo->b[v] = set->b[i];
        if (!set->variable) smo->score[v] = (double)set->score[i] + middle;
        if (by == 0) continue;
        w->chosen[moved] = (uint32_t)v;
        set->lower[moved++] = by;
    }
    if (set->variable)
        move_scores(smo, w->chosen, set->lower, moved);
    else
        smo->noise += set->noise;
}

/* ---- Training -------------------------------------------------------------------------------- */

static leman_status new_work(leman_context *ctx, lm_smo *smo, work *w)
{
    *w = (work){.smo = smo, .set = {.distances = &smo->distances}};
    PASS_SCRATCH(ctx, w->set.score, smo->distances.width);
    PASS_SCRATCH(ctx, w->set.up, smo->distances.width);
    PASS_SCRATCH(ctx, w->set.down, smo->distances.width);
    PASS_SCRATCH(ctx, w->set.b, smo->variables);
    PASS_SCRATCH(ctx, w->set.lower, smo->variables);
    PASS_SCRATCH(ctx, w->set.upper, smo->variables);
    PASS_SCRATCH(ctx, w->chosen, smo->variables);
    return LEMAN_OK;
}

/* Moves from the solution for another C along the ray through it, as long as the objective falls and the new bounds
 * allow. If it goes all the way, variables at the old bounds arrive at the new ones. */
static void warm_start(lm_smo *smo, double c)
{
    double linear = 0, quadratic = 0, by = smo->c > 0 ? c / smo->c : 1;
    for (size_t v = 0; v < smo->variables; v++) {
        linear += smo->z[v] * smo->b[v];
        quadratic += smo->b[v] * (smo->z[v] - smo->score[v]);
    }
    if (quadratic > 0 && linear > 0) by = fmin(by, linear / quadratic);
    for (size_t v = 0; v < smo->variables; v++) {
        double b = smo->b[v] * by;
        double bound = c * smo->factor[v];
        smo->b[v] = fabs(b) >= bound * (1 - 1e-12) ? copysign(bound, b) : b;
        smo->score[v] = smo->z[v] - by * (smo->z[v] - smo->score[v]);
    }
    smo->noise *= by * by;
    smo->c = c;
}

/* Returns the middle of a range; if nothing limits it on one side, its other end. */
static double middle(double min, double max)
{
    if (isinf(min) && isinf(max)) return 0;
    return isinf(min) ? max : isinf(max) ? min : 0.5 * (min + max);
}

/* Computes the bias, objective and gap. Free variables agree on the bias, up to the tolerance; if there are none, the
 * bias is in the middle of the range that the others allow. */
static void conclude(work *w)
{
    lm_smo *smo = w->smo;
    double sum = 0, min = -INFINITY, max = INFINITY, objective = 0, diagonal = 0;
    size_t unbound = 0;
    find_limits(w);
    for (size_t v = 0; v < smo->variables; v++) {
        objective -= 0.5 * smo->b[v] * (smo->z[v] + smo->score[v]);
        diagonal += smo->b[v] * smo->distances.half[v % smo->distances.count];
        if (may_grow(smo, v) && may_fall(smo, v)) {
            sum += smo->score[v];
            unbound++;
        } else if (may_grow(smo, v)) {
            min = fmax(min, smo->score[v]);
        } else if (may_fall(smo, v)) {
            max = fmin(max, smo->score[v]);
        }
    }
    smo->bias = (unbound ? sum / (double)unbound : middle(min, max)) - diagonal; /* Kb = diagonal - Db */
    smo->objective = objective;
    smo->gap = fmax(0, w->high - w->low);
}

/* Runs one round. */
static leman_status run_round(leman_context *ctx, work *w, double tolerance)
{
    SCRATCH_SCOPE(ctx);
    double aim = INNER * tolerance, gap = w->high - w->low;
    PASS(choose_working_set(ctx, w));
    load_working_set(w);
    if (w->smo->variables > SMALL) aim = fmax(aim, CONTRACT * gap);
    uint64_t limit = 1000 + 100000000 / w->set.width; /* a fraction of a second */
    w->smo->steps += lm_working_set_solve(&w->set, aim, limit);
    unload_working_set(w);
    return LEMAN_OK;
}

leman_status lm_smo_train(leman_context *ctx, lm_smo *smo, double c, double tolerance,
                          const lm_cancellation *cancellation)
{
    SCRATCH_SCOPE(ctx);
    uint64_t max = 100 * (uint64_t)smo->variables > 10000000 ? 100 * (uint64_t)smo->variables : 10000000;
    work w;
    PASS(new_work(ctx, smo, &w));
    warm_start(smo, c);
    smo->steps = 0;
    while (smo->steps < max) {
        find_limits(&w);
        bool agreed = !(w.high - w.low > tolerance);
        if (agreed && !is_noisy(smo, tolerance)) break;
        if (lm_cancellation_poll(cancellation)) return lm_fail(ctx, LEMAN_ERROR_CANCELLED, "training was stopped");
        uint64_t before = smo->steps;
        if (agreed)
            renew_scores(&w);
        else
            PASS(run_round(ctx, &w, tolerance));
        if (!agreed && smo->steps == before) break; /* some values are not finite */
    }
    conclude(&w);
    return LEMAN_OK;
}
