/* BFGS with projection onto a box. */
#include "learn/gaussian/maximize.h"
#include <math.h>
#include <string.h>

#define LONGEST 2.0      /* largest change of a parameter in one step */
#define RISE 1e-4        /* share of the predicted rise that a step must reach */
#define NEGLIGIBLE 1e-10 /* a rise by less than this share of the value ends the search */

enum { HALVINGS = 30 };

typedef struct search {
    size_t count;
    lm_bounds box;
    double *inverse; /* [count][count] approximates the inverse of minus the Hessian */
    double *x, *gradient, *direction, *next, *next_gradient, *change;
    bool *fixed;
    double value;
} search;

/* A parameter is fixed if it is at a bound and its derivative points out of the box. Returns the largest derivative of
 * the others. */
static double fix_bounds(search *s)
{
    double largest = 0;
    for (size_t i = 0; i < s->count; i++) {
        s->fixed[i] =
            (s->x[i] <= s->box.low[i] && s->gradient[i] < 0) || (s->x[i] >= s->box.high[i] && s->gradient[i] > 0);
        if (!s->fixed[i]) largest = fmax(largest, fabs(s->gradient[i]));
    }
    return largest;
}

static void reset_inverse(search *s)
{
    memset(s->inverse, 0, s->count * s->count * sizeof *s->inverse);
    for (size_t i = 0; i < s->count; i++) s->inverse[i * s->count + i] = 1;
}

/* Sets the direction to inverse * gradient over the free parameters, at most LONGEST long. Returns false if it does not
 * ascend. */
static bool find_direction(search *s)
{
    double longest = 0, ascent = 0;
    for (size_t i = 0; i < s->count; i++) {
        s->direction[i] = 0;
        for (size_t j = 0; j < s->count && !s->fixed[i]; j++)
            if (!s->fixed[j]) s->direction[i] += s->inverse[i * s->count + j] * s->gradient[j];
        longest = fmax(longest, fabs(s->direction[i]));
        ascent += s->direction[i] * s->gradient[i];
    }
    for (size_t i = 0; longest > LONGEST && i < s->count; i++) s->direction[i] *= LONGEST / longest;
    return ascent > 0;
}

/* Sets next to x + length * direction, clipped to the box. Returns the rise that the gradient predicts. */
static double step_to(search *s, double length)
{
    double rise = 0;
    for (size_t i = 0; i < s->count; i++) {
        s->next[i] = fmin(fmax(s->x[i] + length * s->direction[i], s->box.low[i]), s->box.high[i]);
        rise += s->gradient[i] * (s->next[i] - s->x[i]);
    }
    return rise;
}

/* The BFGS update with the change of x and of minus the gradient, if their product is positive. */
static void update_inverse(search *s, bool first)
{
    const size_t n = s->count;
    double *product = s->direction, curvature = 0, square = 0, quadratic = 0;
    for (size_t i = 0; i < n; i++) {
        s->change[i] = s->next[i] - s->x[i];
        s->gradient[i] -= s->next_gradient[i]; /* the change of minus the gradient */
        curvature += s->change[i] * s->gradient[i];
        square += s->gradient[i] * s->gradient[i];
    }
    if (!(curvature > 1e-12 * square)) return;
    for (size_t i = 0; first && i < n; i++) s->inverse[i * n + i] = curvature / square;
    for (size_t i = 0; i < n; i++) {
        product[i] = 0;
        for (size_t j = 0; j < n; j++) product[i] += s->inverse[i * n + j] * s->gradient[j];
        quadratic += product[i] * s->gradient[i];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            s->inverse[i * n + j] += (1 + quadratic / curvature) * s->change[i] * s->change[j] / curvature -
                                     (product[i] * s->change[j] + s->change[i] * product[j]) / curvature;
}

/* Finds the next point along the direction. *rose is false if no step raises the value. */
static leman_status search_line(search *s, lm_objective *objective, void *user, double *value, bool *rose)
{
    double length = 1;
    *rose = false;
    for (int i = 0; i < HALVINGS && !*rose; i++, length /= 2) {
        const double rise = step_to(s, length);
        PASS(objective(user, s->next, value, NULL));
        *rose = *value > s->value && *value >= s->value + RISE * rise;
    }
    return LEMAN_OK;
}

leman_status lm_maximize(leman_context *ctx, lm_objective *objective, void *user, lm_bounds box, double tolerance,
                         size_t steps, double *x, double *value)
{
    SCRATCH_SCOPE(ctx);
    const size_t n = box.count;
    search s = {.count = n, .box = box, .x = x};
    PASS_SCRATCH(ctx, s.inverse, n * n + 5 * n);
    PASS_SCRATCH(ctx, s.fixed, n);
    s.gradient = s.inverse + n * n;
    s.direction = s.gradient + n;
    s.next = s.direction + n;
    s.next_gradient = s.next + n;
    s.change = s.next_gradient + n;
    reset_inverse(&s);
    PASS(objective(user, x, &s.value, NULL));
    *value = s.value;
    if (!isfinite(s.value)) return LEMAN_OK;
    PASS(objective(user, x, value, s.gradient));
    bool fresh = true; /* the inverse is the identity */
    for (size_t step = 0; step < steps; step++) {
        bool rose = false;
        if (fix_bounds(&s) <= tolerance) break;
        if (!find_direction(&s)) reset_inverse(&s), fresh = true, (void)find_direction(&s);
        PASS(search_line(&s, objective, user, value, &rose));
        if (!rose && fresh) break;
        if (!rose) {
            reset_inverse(&s);
            fresh = true;
            continue;
        }
        const bool enough = *value - s.value <= NEGLIGIBLE * fabs(*value);
        PASS(objective(user, s.next, value, s.next_gradient));
        update_inverse(&s, fresh);
        fresh = false;
        memcpy(x, s.next, n * sizeof *x);
        memcpy(s.gradient, s.next_gradient, n * sizeof *x);
        s.value = *value;
        if (enough) break;
    }
    *value = s.value;
    return LEMAN_OK;
}
