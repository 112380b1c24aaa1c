/* Newton's method on sparse rows. All sums are computed in the order of the rows, so the result has the same bits for
 * every number of threads. */
#include "svm/newton.h"
#include "svm/training_set.h"
#include <math.h>
#include <string.h>

#define MAX_STEPS 1000
#define MAX_CONJUGATE 1000
#define STALE 0.2 /* a row is updated in the preconditioner if its loss differs by more than this share */
#define ACCURACY                                                                                                       \
    0.2 /* accuracy of a step, as a share of the gradient, in the norm of the preconditioner; applied repeatedly */

/* One search: lane `lane` of the products. */
typedef struct newton_search {
    lm_newton *n;
    lm_products *products;
    size_t lane;
    uint32_t *place; /* [count] indices of its rows in the products */
    double C;
    double *value;                           /* [count] w.x */
    double *gradient, *rest, *step, *scaled; /* [width]; scaled: the inverse of the preconditioner times rest */
    double *error;                           /* [width] for model_error() */
    double *step_value;                      /* [count] s.x */
    double limit;                            /* upper bound of |gradient| at the end */
    double norm;                             /* |gradient| */
    double square, enough;                   /* rest.scaled, and the value below which the model error is checked */
    double keep;                             /* factor of the old direction in the next one */
    int steps, turns;                        /* steps so far; turns of conjugate gradients in this step */
    bool running;
} newton_search;

/* The nodes of training row i in columns that other rows have, too. A column that only this row has is its last one. */
typedef struct training_row {
    const lm_node *begin, *end;
    double own; /* the value in a column that only this row has; 0: there is none */
} training_row;

static inline training_row row_of(const lm_newton *n, size_t i)
{
    const lm_rows *rows = n->rows;
    training_row r = {0};
    r.begin = lm_rows_nodes(rows, n->item[i], &r.end);
    if (r.end > r.begin && r.end[-1].column >= rows->shared) r.own = (--r.end)->value;
    return r;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

leman_status lm_newton_init(leman_context *ctx, const lm_rows *rows, const uint32_t *item, size_t count, double epsilon,
                            size_t block, lm_newton *n)
{
    *n = (lm_newton){.rows = rows, .item = item, .count = count, .width = rows->shared + 1, .epsilon = epsilon};
    PASS_NEW_ZERO(ctx, n->y, 5 * count + 2 * n->width);
    PASS_NEW_ZERO(ctx, n->active, count);
    n->cost = n->y + count;
    n->loss = n->cost + count;
    n->own = n->loss + count;
    n->known = n->own + count;
    n->weight = n->known + count;
    n->previous = n->weight + n->width;
    return lm_preconditioner_init(ctx, block < rows->shared ? block : rows->shared, rows->shared, &n->preconditioner);
}

void lm_newton_free(lm_newton *n)
{
    lm_release(n->y); /* the first of the arrays of doubles */
    lm_release(n->active);
    lm_preconditioner_free(&n->preconditioner);
    *n = (lm_newton){0};
}

/* ---- Rows and vectors ------------------------------------------------------------------------ */

static double dot(size_t n, const double *a, const double *b)
{
    double sum[4] = {0};
    size_t j = 0;
    for (; j + 3 < n; j += 4)
        for (size_t l = 0; l < 4; l++) sum[l] += a[j + l] * b[j + l];
    for (; j < n; j++) sum[0] += a[j] * b[j];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static inline double row_product(const lm_node *x, const lm_node *end, const double *weight, double bias)
{
    double even = bias, odd = 0;
    for (; x + 1 < end; x += 2) {
        even += weight[x[0].column] * x[0].value;
        odd += weight[x[1].column] * x[1].value;
    }
    if (x < end) even += weight[x->column] * x->value;
    return even + odd;
}

double lm_row_product(const lm_rows *rows, size_t i, const double *weight)
{
    const lm_node *end, *begin = lm_rows_nodes(rows, i, &end);
    return row_product(begin, end, weight, weight[rows->columns]);
}

/* vector += factor x */
static void add_row(const lm_newton *n, size_t i, double factor, double *vector)
{
    training_row r = row_of(n, i);
    for (const lm_node *x = r.begin; x < r.end; x++) vector[x->column] += factor * x->value;
    vector[n->width - 1] += factor;
}

static void multiply_rows(const lm_newton *n, const double *vector, double *out)
{
    for (size_t i = 0; i < n->count; i++) {
        training_row r = row_of(n, i);
        out[i] = row_product(r.begin, r.end, vector, vector[n->width - 1]);
    }
}

static double residual(const lm_newton *n, size_t i, double value)
{
    double y = n->y[i], apart = value - y;
    if (n->epsilon < 0) return y * value < 1 ? apart : 0;
    if (n->bound) apart = lm_error_beyond(value, y, n->bound[i]);
    return apart > n->epsilon ? apart - n->epsilon : apart < -n->epsilon ? apart + n->epsilon : 0;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Computes the gradient at w, and updates the rows that are active there in the preconditioner. */
static void find_gradient(newton_search *s)
{
    lm_newton *n = s->n;
    memcpy(s->gradient, n->weight, n->width * sizeof *s->gradient);
    for (size_t i = 0; i < n->count; i++) {
        double apart = residual(n, i, s->value[i]);
        bool active = apart < 0 || apart > 0;
        double loss = active ? n->loss[i] : 0, change = loss - n->known[i];
        n->active[i] = active;
        s->products->loss[s->place[i] * s->products->lanes + s->lane] = loss;
        if (fabs(change) > STALE * fmax(loss, n->known[i])) {
            training_row r = row_of(n, i);
            lm_preconditioner_add(&n->preconditioner, r.begin, r.end, change);
            n->known[i] = loss;
        }
        if (active) add_row(n, i, 2 * s->C * n->loss[i] * apart, s->gradient);
    }
    s->norm = sqrt(dot(n->width, s->gradient, s->gradient));
}

/* Computes s.x of the rows that are not active. */
static void finish_step(newton_search *s)
{
    const lm_newton *n = s->n;
    for (size_t i = 0; i < n->count; i++) {
        if (n->active[i]) continue;
        training_row r = row_of(n, i);
        s->step_value[i] = row_product(r.begin, r.end, s->step, s->step[n->width - 1]);
    }
}

/* Returns |gradient at w + s minus that of the quadratic model|^2: the effect of rows that become active or
 * inactive. */
static double model_error(newton_search *s)
{
    const lm_newton *n = s->n;
    memset(s->error, 0, n->width * sizeof *s->error);
    for (size_t i = 0; i < n->count; i++) {
        double value = s->value[i] + s->step_value[i];
        double model = n->active[i] ? residual(n, i, s->value[i]) + s->step_value[i] : 0;
        double apart = residual(n, i, value) - model;
        if (fabs(apart) > 1e-12 * fabs(value)) add_row(n, i, 2 * s->C * n->loss[i] * apart, s->error);
    }
    return dot(n->width, s->error, s->error);
}

/* Begins the conjugate gradients: step will approximate -H^-1 gradient. */
static void begin_step(newton_search *s)
{
    lm_newton *n = s->n;
    lm_preconditioner_factor(&n->preconditioner, s->C);
    memset(s->step, 0, n->width * sizeof *s->step);
    memset(s->step_value, 0, n->count * sizeof *s->step_value);
    for (size_t j = 0; j < n->width; j++) s->rest[j] = -s->gradient[j];
    lm_preconditioner_apply(&n->preconditioner, s->rest, s->scaled);
    s->square = dot(n->width, s->rest, s->scaled);
    s->enough = ACCURACY * ACCURACY * s->square;
    s->keep = 0;
    s->turns = 0;
}

/* After a turn along the direction, which left norm = |rest|^2: returns true if the step is accurate enough. It need
 * not be more accurate than what would end the search if f were quadratic. Otherwise computes the next direction. */
static bool is_step_found(newton_search *s, double length, double norm)
{
    const lm_newton *n = s->n;
    const double *value = s->products->value + s->lane;
    for (size_t i = 0; i < n->count; i++)
        if (n->active[i]) s->step_value[i] += length * value[s->place[i] * s->products->lanes];
    if (norm <= s->limit * s->limit / 4 || ++s->turns == MAX_CONJUGATE) {
        finish_step(s);
        return true;
    }
    lm_preconditioner_apply(&n->preconditioner, s->rest, s->scaled);
    double next = dot(n->width, s->rest, s->scaled);
    if (!(next > s->enough)) {
        finish_step(s);
        if (!(model_error(s) < norm)) return true;
        s->enough *= ACCURACY * ACCURACY;
    }
    s->keep = next / s->square;
    s->square = next;
    return false;
}

/* Moves w to the minimum of f along the step. f is convex, and quadratic between the points where rows become active or
 * inactive: Newton's method for one variable, with bounds. */
static void go_along_step(newton_search *s)
{
    lm_newton *n = s->n;
    double derivative_0 = dot(n->width, n->weight, s->step), square = dot(n->width, s->step, s->step);
    double length = 1, low = 0, high = INFINITY;
    if (!(square > 0)) return;
    for (int turn = 0; turn < 100; turn++) {
        double derivative = derivative_0 + length * square, curvature = square;
        for (size_t i = 0; i < n->count; i++) {
            double apart = residual(n, i, s->value[i] + length * s->step_value[i]);
            double scaled = 2 * s->C * n->loss[i] * s->step_value[i];
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

/* Starts from the solution for a smaller C: line searches along the change that led to it, then along w. */
static void extrapolate(newton_search *s)
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

/* |gradient| at w = 0 is C times a number that does not depend on C. */
static void find_unit_norm(newton_search *s)
{
    lm_newton *n = s->n;
    double own = 0;
    memset(s->gradient, 0, n->width * sizeof *s->gradient);
    for (size_t i = 0; i < n->count; i++) {
        double factor = 2 * n->cost[i] * residual(n, i, 0), single = factor * row_of(n, i).own;
        add_row(n, i, factor, s->gradient);
        own += single * single;
    }
    n->unit_norm = sqrt(dot(n->width, s->gradient, s->gradient) + own);
}

/* Sets the loss of each row: the factor of its squared residual if the weight of its own column is optimal. */
static void set_loss(lm_newton *n, double C)
{
    for (size_t i = 0; i < n->count; i++) {
        double own = row_of(n, i).own;
        n->loss[i] = n->cost[i] / (1 + 2 * C * n->cost[i] * own * own);
    }
}

/* Sets the weight u of each row's own column, which minimises u^2 / 2 + C cost residual(z + own u)^2, where z is w.x
 * without that column. */
static void set_own(const newton_search *s)
{
    lm_newton *n = s->n;
    for (size_t i = 0; i < n->count; i++)
        n->own[i] = -2 * s->C * n->loss[i] * row_of(n, i).own * residual(n, i, s->value[i]);
}

void lm_newton_weights(const lm_newton *n, double *weight)
{
    const lm_rows *rows = n->rows;
    memcpy(weight, n->weight, rows->shared * sizeof *weight);
    memset(weight + rows->shared, 0, (rows->columns - rows->shared) * sizeof *weight);
    for (size_t i = 0; i < n->count; i++) {
        training_row r = row_of(n, i);
        if (r.own != 0) weight[r.end->column] = n->own[i];
    }
    weight[rows->columns] = n->weight[n->width - 1];
}

static leman_status check_finite(leman_context *ctx, const lm_newton *n, double norm)
{
    bool finite = isfinite(norm);
    for (size_t j = 0; j < n->width; j++) finite &= isfinite(n->weight[j]) != 0;
    if (finite) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_INPUT, "a linear SVM found no finite weights; a smaller C may help");
}

static leman_status make_state(leman_context *ctx, size_t count, size_t width, newton_search *s)
{
    PASS_SCRATCH(ctx, s->place, count);
    PASS_SCRATCH(ctx, s->value, 2 * count + 5 * width);
    s->step_value = s->value + count;
    s->gradient = s->step_value + count;
    s->rest = s->gradient + width;
    s->step = s->rest + width;
    s->scaled = s->step + width;
    s->error = s->scaled + width;
    return LEMAN_OK;
}

/* At w, whose gradient is known: begins the next step, or ends the search. */
static void begin_step_or_end(newton_search *s)
{
    lm_products *p = s->products;
    s->running = s->norm > s->limit && s->steps++ < MAX_STEPS;
    if (s->running)
        begin_step(s);
    else
        for (size_t i = 0; i < p->count; i++) p->loss[i * p->lanes + s->lane] = 0;
    s->keep = 0;
}

static void begin(newton_search *s)
{
    lm_newton *n = s->n;
    bool first = n->unit_norm == 0;
    if (first) find_unit_norm(s);
    s->limit = n->tolerance * s->C * n->unit_norm;
    set_loss(n, s->C);
    multiply_rows(n, n->weight, s->value);
    if (!first) extrapolate(s);
    find_gradient(s);
    begin_step_or_end(s);
}

/* One turn of the conjugate gradient method for all searches that run. */
static void turn(lm_products *p, newton_search *s, double C)
{
    double *scaled[LM_LANES], *step[LM_LANES], *rest[LM_LANES];
    double keep[LM_LANES], length[LM_LANES], norm[LM_LANES];
    for (size_t l = 0; l < p->lanes; l++) {
        scaled[l] = s[l].scaled;
        step[l] = s[l].step;
        rest[l] = s[l].rest;
        keep[l] = s[l].keep;
    }
    lm_products_set_directions(p, scaled, keep);
    lm_products_multiply(p);
    for (size_t l = 0; l < p->lanes; l++)
        length[l] = s[l].running ? s[l].square / (p->square[l] + 2 * C * p->curvature[l]) : 0;
    lm_products_advance(p, 2 * C, length, step, rest, norm);
    for (size_t l = 0; l < p->lanes; l++) {
        if (!s[l].running || !is_step_found(s + l, length[l], norm[l])) continue;
        go_along_step(s + l);
        find_gradient(s + l);
        begin_step_or_end(s + l);
    }
}

leman_status lm_newton_solve(leman_context *ctx, lm_newton *const *problem, size_t count, double C,
                             const lm_cancellation *cancellation)
{
    SCRATCH_SCOPE(ctx);
    const lm_rows *rows = problem[0]->rows;
    const uint32_t *item[LM_LANES];
    uint32_t *place[LM_LANES];
    size_t size[LM_LANES];
    lm_products products;
    newton_search s[LM_LANES] = {0};
    for (size_t l = 0; l < count; l++) {
        s[l] = (newton_search){.n = problem[l], .products = &products, .lane = l, .C = C};
        PASS(make_state(ctx, problem[l]->count, problem[l]->width, s + l));
        item[l] = problem[l]->item;
        size[l] = problem[l]->count;
        place[l] = s[l].place;
    }
    PASS(lm_products_init(ctx, rows, item, size, count, place, &products));
    for (size_t l = count; l < products.lanes; l++) { /* a lane without a problem */
        PASS(make_state(ctx, 0, problem[0]->width, s + l));
        memset(s[l].value, 0, 5 * problem[0]->width * sizeof *s->value);
    }
    for (size_t l = 0; l < count; l++) begin(s + l);
    _Static_assert(LM_LANES == 4, "the condition below names every lane");
    while (s[0].running || s[1].running || s[2].running || s[3].running) {
        if (lm_cancellation_poll(cancellation)) PASS(LEMAN_ERROR_CANCELLED);
        turn(&products, s, C);
    }
    for (size_t l = 0; l < count; l++) {
        PASS(check_finite(ctx, problem[l], s[l].norm));
        set_own(s + l);
    }
    return LEMAN_OK;
}
