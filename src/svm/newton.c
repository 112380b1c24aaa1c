/* Newton's method on sparse rows. All sums run in the order of the rows: the same bits for every number of threads. */
#include "svm/newton.h"
#include <math.h>
#include <string.h>

#define MAX_STEPS 1000
#define MAX_CONJUGATE 1000
#define ACCURACY 0.2 /* of a step, as a share of the gradient, in the norm of the preconditioner */

/* A direction and H times it, side by side: the second pass over a row finds in the cache what the first one read. */
typedef struct product {
    double direction, image;
} product;

/* One solution in the making. */
typedef struct state {
    leman_context *ctx;
    lm_newton *n;
    double C;
    double *value;                           /* [count] w.x */
    double *gradient, *rest, *step, *scaled; /* [width]; scaled: the preconditioner's inverse times rest */
    double *step_value;                      /* [count] s.x */
    product *product;                        /* [width] */
    double limit;                            /* of |gradient| */
    double norm;                             /* |gradient| */
    const lm_cancellation *cancellation;
} state;

/* ---- Memory ---------------------------------------------------------------------------------- */

leman_status lm_newton_init(leman_context *ctx, const lm_rows *rows, const uint32_t *item, size_t count, double epsilon,
                            size_t block, lm_newton *out)
{
    leman_status st = LEMAN_OK;
    lm_newton n = {.rows = rows, .item = item, .count = count, .width = rows->columns + 1, .epsilon = epsilon};
    NEW(ctx, n.y, count);
    NEW(ctx, n.cost, count);
    NEW(ctx, n.active, count);
    NEW(ctx, n.weight, n.width);
    NEW(ctx, n.previous, n.width);
    memset(n.active, 0, count);
    memset(n.weight, 0, n.width * sizeof *n.weight);
    memset(n.previous, 0, n.width * sizeof *n.previous);
    TRY(lm_preconditioner_init(ctx, block < rows->columns ? block : rows->columns, rows->columns, &n.preconditioner));
    *out = n;
done:
    if (st) lm_newton_free(ctx, &n);
    return st;
}

void lm_newton_free(leman_context *ctx, lm_newton *n)
{
    lm_free(ctx, n->y);
    lm_free(ctx, n->cost);
    lm_free(ctx, n->active);
    lm_free(ctx, n->weight);
    lm_free(ctx, n->previous);
    lm_preconditioner_free(ctx, &n->preconditioner);
    *n = (lm_newton){0};
}

/* ---- Rows and vectors ------------------------------------------------------------------------ */

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += a[j] * b[j];
    return sum;
}

double lm_row_product(const lm_rows *rows, size_t row, const double *weight)
{
    const lm_node *x = rows->node + rows->start[row], *end = rows->node + rows->start[row + 1];
    double even = weight[rows->columns], odd = 0;
    for (; x + 1 < end; x += 2) {
        even += weight[x[0].column] * x[0].value;
        odd += weight[x[1].column] * x[1].value;
    }
    if (x < end) even += weight[x->column] * x->value;
    return even + odd;
}

/* vector += factor x */
static void add_row(const lm_rows *rows, size_t row, double factor, double *vector)
{
    const lm_node *end = rows->node + rows->start[row + 1];
    for (const lm_node *x = rows->node + rows->start[row]; x < end; x++) vector[x->column] += factor * x->value;
    vector[rows->columns] += factor;
}

static void multiply_rows(const lm_newton *n, const double *vector, double *out)
{
    for (size_t i = 0; i < n->count; i++) out[i] = lm_row_product(n->rows, n->item[i], vector);
}

static double residual(const lm_newton *n, size_t i, double value)
{
    double y = n->y[i], apart = value - y;
    if (n->epsilon < 0) return y * value < 1 ? apart : 0;
    return apart > n->epsilon ? apart - n->epsilon : apart < -n->epsilon ? apart + n->epsilon : 0;
}

/* image = direction + 2 C X' cost X direction, over the active rows; their inner product comes back. */
static double multiply_hessian(const state *s)
{
    const lm_newton *n = s->n;
    const lm_rows *rows = n->rows;
    product *p = s->product;
    for (size_t i = 0; i < n->count; i++) {
        if (!n->active[i]) continue;
        const lm_node *begin = rows->node + rows->start[n->item[i]], *end = rows->node + rows->start[n->item[i] + 1];
        const lm_node *x = begin;
        double even = p[rows->columns].direction, odd = 0;
        for (; x + 1 < end; x += 2) {
            even += p[x[0].column].direction * x[0].value;
            odd += p[x[1].column].direction * x[1].value;
        }
        if (x < end) even += p[x->column].direction * x->value;
        double factor = 2 * s->C * n->cost[i] * (even + odd);
        for (x = begin; x < end; x++) p[x->column].image += factor * x->value;
        p[rows->columns].image += factor;
    }
    double sum = 0;
    for (size_t j = 0; j < n->width; j++) sum += p[j].direction * p[j].image;
    return sum;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* The gradient at w; tells the preconditioner which rows are active there. */
static void find_gradient(state *s)
{
    lm_newton *n = s->n;
    memcpy(s->gradient, n->weight, n->width * sizeof *s->gradient);
    for (size_t i = 0; i < n->count; i++) {
        double apart = residual(n, i, s->value[i]);
        bool active = apart < 0 || apart > 0;
        if (active != n->active[i]) {
            const lm_rows *rows = n->rows;
            lm_preconditioner_add(&n->preconditioner, rows->node + rows->start[n->item[i]],
                                  rows->node + rows->start[n->item[i] + 1], active ? n->cost[i] : -n->cost[i]);
            n->active[i] = active;
        }
        if (active) add_row(n->rows, n->item[i], 2 * s->C * n->cost[i] * apart, s->gradient);
    }
    s->norm = sqrt(dot(n->width, s->gradient, s->gradient));
}

/* step = about -H^-1 gradient. It need not be better than what would end the search if f were quadratic. */
static leman_status find_step(state *s)
{
    leman_status st = LEMAN_OK;
    const lm_newton *n = s->n;
    size_t width = n->width;
    memset(s->step, 0, width * sizeof *s->step);
    for (size_t j = 0; j < width; j++) s->rest[j] = -s->gradient[j];
    lm_preconditioner_apply(&n->preconditioner, s->rest, s->scaled);
    for (size_t j = 0; j < width; j++) s->product[j].direction = s->scaled[j];
    double square = dot(width, s->rest, s->scaled), enough = ACCURACY * ACCURACY * square;
    for (int turn = 0; turn < MAX_CONJUGATE; turn++) {
        if (lm_cancellation_poll(s->cancellation)) TRY(LEMAN_ERROR_CANCELLED);
        for (size_t j = 0; j < width; j++) s->product[j].image = s->product[j].direction;
        double length = square / multiply_hessian(s), norm = 0;
        for (size_t j = 0; j < width; j++) {
            s->step[j] += length * s->product[j].direction;
            s->rest[j] -= length * s->product[j].image;
            norm += s->rest[j] * s->rest[j];
        }
        lm_preconditioner_apply(&n->preconditioner, s->rest, s->scaled);
        double next = dot(width, s->rest, s->scaled);
        if (!(next > enough) || norm <= s->limit * s->limit / 4) break;
        for (size_t j = 0; j < width; j++)
            s->product[j].direction = s->scaled[j] + next / square * s->product[j].direction;
        square = next;
    }
done:
    return st;
}

/* Goes along the step to the least value of f, which is convex and quadratic between the points where rows become
 * active or cease to be: Newton's method for one variable, between bounds. */
static void go_along_step(state *s)
{
    lm_newton *n = s->n;
    double derivative_0 = dot(n->width, n->weight, s->step), square = dot(n->width, s->step, s->step);
    double length = 1, low = 0, high = INFINITY;
    if (!(square > 0)) return;
    for (int turn = 0; turn < 100; turn++) {
        double derivative = derivative_0 + length * square, curvature = square;
        for (size_t i = 0; i < n->count; i++) {
            double apart = residual(n, i, s->value[i] + length * s->step_value[i]);
            double scaled = 2 * s->C * n->cost[i] * s->step_value[i];
            derivative += scaled * apart;
            curvature += apart < 0 || apart > 0 ? scaled * s->step_value[i] : 0;
        }
        *(derivative > 0 ? &high : &low) = length;
        double next = length - derivative / curvature;
        if (!(next > low && next < high)) next = isfinite(high) ? (low + high) / 2 : 2 * length;
        bool found = fabs(next - length) <= 1e-6 * length;
        length = next;
        if (found) break;
    }
    for (size_t j = 0; j < n->width; j++) n->weight[j] += length * s->step[j];
    for (size_t i = 0; i < n->count; i++) s->value[i] += length * s->step_value[i];
}

/* From the solution for a smaller C: along the change that led to it, then along w. */
static void extrapolate(state *s)
{
    lm_newton *n = s->n;
    for (size_t j = 0; j < n->width; j++) {
        s->step[j] = n->weight[j] - n->previous[j];
        n->previous[j] = n->weight[j];
    }
    multiply_rows(n, s->step, s->step_value);
    go_along_step(s);
    memcpy(s->step, n->weight, n->width * sizeof *s->step);
    memcpy(s->step_value, s->value, n->count * sizeof *s->step_value);
    go_along_step(s);
}

/* ---- The search ------------------------------------------------------------------------------ */

/* |gradient| at 0 is 2 C times something that does not depend on C. */
static void find_unit_norm(state *s)
{
    lm_newton *n = s->n;
    memset(s->gradient, 0, n->width * sizeof *s->gradient);
    for (size_t i = 0; i < n->count; i++) add_row(n->rows, n->item[i], 2 * n->cost[i] * residual(n, i, 0), s->gradient);
    n->unit_norm = sqrt(dot(n->width, s->gradient, s->gradient));
}

static leman_status check_finite(leman_context *ctx, const lm_newton *n, double norm)
{
    bool finite = isfinite(norm);
    for (size_t j = 0; j < n->width; j++) finite &= isfinite(n->weight[j]) != 0;
    if (finite) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_INTERNAL, "a linear SVM found no finite weights; a smaller C may help");
}

leman_status lm_newton_solve(leman_context *ctx, lm_newton *n, double C, const lm_cancellation *cancellation)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    state s = {.ctx = ctx, .n = n, .C = C, .cancellation = cancellation};
    bool first = n->unit_norm == 0;
    SCRATCH(ctx, s.value, n->count);
    SCRATCH(ctx, s.step_value, n->count);
    SCRATCH(ctx, s.gradient, n->width);
    SCRATCH(ctx, s.rest, n->width);
    SCRATCH(ctx, s.step, n->width);
    SCRATCH(ctx, s.scaled, n->width);
    SCRATCH(ctx, s.product, n->width);
    if (first) find_unit_norm(&s);
    s.limit = n->tolerance * C * n->unit_norm;
    multiply_rows(n, n->weight, s.value);
    if (!first) extrapolate(&s);
    find_gradient(&s);
    for (int turn = 0; turn < MAX_STEPS && s.norm > s.limit; turn++) {
        lm_preconditioner_factor(&n->preconditioner, C);
        TRY(find_step(&s));
        multiply_rows(n, s.step, s.step_value);
        go_along_step(&s);
        find_gradient(&s);
    }
    TRY(check_finite(ctx, n, s.norm));
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
