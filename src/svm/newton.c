/* Newton's method on sparse rows. All sums run in the order of the rows: the same bits for every number of threads. */
#include "svm/newton.h"
#include <math.h>
#include <string.h>

#define MAX_STEPS 1000
#define MAX_CONJUGATE 1000
#define FREQUENT 4096 /* columns that stand in the cache of a core all the time */
#define STALE 0.2     /* the share by which a row may differ from what the preconditioner knows of it */
#define ACCURACY                                                                                                       \
    0.2 /* of a step, as a share of the gradient, in the norm of the preconditioner; then again and again */

/* A direction and X' loss X times it, side by side: the second pass over a row finds in the cache what the first one
 * read. Rare columns, nearly all that there are, have little to sum up and get single precision: more of them fit. */
typedef struct product {
    double direction, image;
} product;
typedef struct rare_product {
    float direction, image;
} rare_product;

#if defined __GNUC__ || defined __clang__
#define PREFETCH(address) __builtin_prefetch(address, 1)
#else
#define PREFETCH(address) ((void)(address))
#endif

/* One solution in the making. */
typedef struct state {
    leman_context *ctx;
    lm_newton *n;
    double C;
    double *value;                           /* [count] w.x */
    double *gradient, *rest, *step, *scaled; /* [width]; scaled: the preconditioner's inverse times rest */
    double *error;                           /* [width] of model_error() */
    double *step_value;                      /* [count] s.x */
    double *direction_value;                 /* [count] direction.x of the active rows */
    product *product;                        /* [frequent columns] */
    rare_product *rare;                      /* [width - frequent columns] the bias last */
    double limit;                            /* of |gradient| */
    double norm;                             /* |gradient| */
    const lm_cancellation *cancellation;
} state;

/* The nodes of training row i in columns that other rows have too. Its own column is the last one. */
typedef struct row {
    const lm_node *begin, *end;
    double own; /* the value in a column of its own; 0: it has none */
} row;

static inline row row_of(const lm_newton *n, size_t i)
{
    const lm_rows *rows = n->rows;
    row r = {rows->node + rows->start[n->item[i]], rows->node + rows->start[n->item[i] + 1], 0};
    if (r.end > r.begin && r.end[-1].column >= rows->shared) r.own = (--r.end)->value;
    return r;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

leman_status lm_newton_init(leman_context *ctx, const lm_rows *rows, const uint32_t *item, size_t count, double epsilon,
                            size_t block, lm_newton *out)
{
    leman_status st = LEMAN_OK;
    lm_newton n = {.rows = rows, .item = item, .count = count, .width = rows->shared + 1, .epsilon = epsilon};
    NEW(ctx, n.y, count);
    NEW(ctx, n.cost, count);
    NEW(ctx, n.loss, count);
    NEW(ctx, n.own, count);
    NEW(ctx, n.known, count);
    NEW(ctx, n.active, count);
    NEW(ctx, n.weight, n.width);
    NEW(ctx, n.previous, n.width);
    memset(n.own, 0, count * sizeof *n.own);
    memset(n.known, 0, count * sizeof *n.known);
    memset(n.active, 0, count);
    memset(n.weight, 0, n.width * sizeof *n.weight);
    memset(n.previous, 0, n.width * sizeof *n.previous);
    n.frequent = rows->shared < FREQUENT ? rows->shared : FREQUENT;
    NEW(ctx, n.split, count);
    for (size_t i = 0; i < count; i++) {
        row r = row_of(&n, i);
        const lm_node *x = r.begin;
        while (x < r.end && x->column < n.frequent) x++;
        n.split[i] = (uint32_t)(x - r.begin);
    }
    TRY(lm_preconditioner_init(ctx, block < rows->shared ? block : rows->shared, rows->shared, &n.preconditioner));
    *out = n;
done:
    if (st) lm_newton_free(ctx, &n);
    return st;
}

void lm_newton_free(leman_context *ctx, lm_newton *n)
{
    lm_free(ctx, n->y);
    lm_free(ctx, n->cost);
    lm_free(ctx, n->loss);
    lm_free(ctx, n->own);
    lm_free(ctx, n->split);
    lm_free(ctx, n->known);
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
    return row_product(rows->node + rows->start[i], rows->node + rows->start[i + 1], weight, weight[rows->columns]);
}

/* Where the rare columns of training row i begin. */
static inline const lm_node *rare_of(const lm_newton *n, size_t i)
{
    return n->rows->node + n->rows->start[n->item[i]] + n->split[i];
}

/* vector += factor x */
static void add_row(const lm_newton *n, size_t i, double factor, double *vector)
{
    row r = row_of(n, i);
    for (const lm_node *x = r.begin; x < r.end; x++) vector[x->column] += factor * x->value;
    vector[n->width - 1] += factor;
}

static void multiply_rows(const lm_newton *n, const double *vector, double *out)
{
    for (size_t i = 0; i < n->count; i++) {
        row r = row_of(n, i);
        out[i] = row_product(r.begin, r.end, vector, vector[n->width - 1]);
    }
}

static double residual(const lm_newton *n, size_t i, double value)
{
    double y = n->y[i], apart = value - y;
    if (n->epsilon < 0) return y * value < 1 ? apart : 0;
    return apart > n->epsilon ? apart - n->epsilon : apart < -n->epsilon ? apart + n->epsilon : 0;
}

static inline void prefetch_row(const state *s, size_t i)
{
    const lm_node *end = row_of(s->n, i).end;
    const rare_product *rare = s->rare - s->n->frequent;
    for (const lm_node *x = rare_of(s->n, i); x < end; x++) PREFETCH(rare + x->column);
}

/* X direction of one row. */
static inline double multiply_row(const lm_node *x, const lm_node *middle, const lm_node *end, const product *p,
                                  const rare_product *rare)
{
    double a = 0, b = 0, c = 0, d = 0;
    for (; x + 1 < middle; x += 2) {
        a += p[x[0].column].direction * x[0].value;
        b += p[x[1].column].direction * x[1].value;
    }
    if (x < middle) a += p[x->column].direction * x->value;
    for (x = middle; x + 1 < end; x += 2) {
        c += (double)(rare[x[0].column].direction * x[0].value);
        d += (double)(rare[x[1].column].direction * x[1].value);
    }
    if (x < end) c += (double)(rare[x->column].direction * x->value);
    return (a + b) + (c + d);
}

/* image += factor x. No column is twice in a row, so two go at once. */
static inline void add_image(const lm_node *x, const lm_node *middle, const lm_node *end, double factor, product *p,
                             rare_product *rare)
{
    const float single = (float)factor;
    for (; x + 1 < middle; x += 2) {
        double a = p[x[0].column].image + factor * x[0].value, b = p[x[1].column].image + factor * x[1].value;
        p[x[0].column].image = a;
        p[x[1].column].image = b;
    }
    if (x < middle) p[x->column].image += factor * x->value;
    for (x = middle; x + 1 < end; x += 2) {
        float a = rare[x[0].column].image + single * x[0].value, b = rare[x[1].column].image + single * x[1].value;
        rare[x[0].column].image = a;
        rare[x[1].column].image = b;
    }
    if (x < end) rare[x->column].image += single * x->value;
}

/* image = X' loss X direction, over the active rows. */
static void multiply_hessian(const state *s)
{
    const lm_newton *n = s->n;
    rare_product *rare = s->rare - n->frequent, *bias = rare + n->width - 1;
    double sum = 0;
    for (size_t i = 0; i < n->count; i++) {
        if (i + 1 < n->count && n->active[i + 1]) prefetch_row(s, i + 1);
        if (!n->active[i]) continue;
        row r = row_of(n, i);
        const lm_node *middle = rare_of(n, i);
        s->direction_value[i] = (double)bias->direction + multiply_row(r.begin, middle, r.end, s->product, rare);
        double factor = n->loss[i] * s->direction_value[i];
        add_image(r.begin, middle, r.end, factor, s->product, rare);
        sum += factor;
    }
    bias->image = (float)sum;
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
        n->active[i] = active;
        double loss = active ? n->loss[i] : 0, change = loss - n->known[i];
        if (fabs(change) > STALE * fmax(loss, n->known[i])) {
            row r = row_of(n, i);
            lm_preconditioner_add(&n->preconditioner, r.begin, r.end, change);
            n->known[i] = loss;
        }
        if (active) add_row(n, i, 2 * s->C * n->loss[i] * apart, s->gradient);
    }
    s->norm = sqrt(dot(n->width, s->gradient, s->gradient));
}

/* direction = scaled + keep direction, and image = 0. */
static void set_direction(state *s, double keep)
{
    size_t frequent = s->n->frequent, width = s->n->width;
    for (size_t j = 0; j < frequent; j++) s->product[j] = (product){s->scaled[j] + keep * s->product[j].direction, 0};
    for (size_t j = frequent; j < width; j++) {
        rare_product *p = s->rare + (j - frequent);
        *p = (rare_product){(float)(s->scaled[j] + keep * (double)p->direction), 0};
    }
}

static inline product product_at(const state *s, size_t j)
{
    if (j < s->n->frequent) return s->product[j];
    rare_product rare = s->rare[j - s->n->frequent];
    return (product){(double)rare.direction, (double)rare.image};
}

/* direction . H direction */
static double curvature_of(const state *s)
{
    double square = 0, sum = 0;
    for (size_t j = 0; j < s->n->width; j++) {
        product p = product_at(s, j);
        square += p.direction * p.direction;
        sum += p.direction * p.image;
    }
    return square + 2 * s->C * sum;
}

/* Along the direction: step, rest and s.x of the active rows. Returns |rest|^2. */
static double advance(state *s, double length)
{
    const lm_newton *n = s->n;
    double norm = 0;
    for (size_t j = 0; j < n->width; j++) {
        product p = product_at(s, j);
        s->step[j] += length * p.direction;
        s->rest[j] -= length * (p.direction + 2 * s->C * p.image);
        norm += s->rest[j] * s->rest[j];
    }
    for (size_t i = 0; i < n->count; i++)
        if (n->active[i]) s->step_value[i] += length * s->direction_value[i];
    return norm;
}

/* s.x of the rows that are not active. */
static void finish_step(state *s)
{
    const lm_newton *n = s->n;
    for (size_t i = 0; i < n->count; i++) {
        if (n->active[i]) continue;
        row r = row_of(n, i);
        s->step_value[i] = row_product(r.begin, r.end, s->step, s->step[n->width - 1]);
    }
}

/* |gradient at w + s, less what the quadratic model says|^2: what the rows do that become active or cease to be. */
static double model_error(state *s)
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

/* step = about -H^-1 gradient. It need not be better than what would end the search if f were quadratic. */
static leman_status find_step(state *s)
{
    leman_status st = LEMAN_OK;
    const lm_newton *n = s->n;
    size_t width = n->width;
    memset(s->step, 0, width * sizeof *s->step);
    memset(s->step_value, 0, n->count * sizeof *s->step_value);
    memset(s->product, 0, n->frequent * sizeof *s->product);
    memset(s->rare, 0, (width - n->frequent) * sizeof *s->rare);
    for (size_t j = 0; j < width; j++) s->rest[j] = -s->gradient[j];
    lm_preconditioner_apply(&n->preconditioner, s->rest, s->scaled);
    set_direction(s, 0);
    double square = dot(width, s->rest, s->scaled), enough = ACCURACY * ACCURACY * square;
    for (int turn = 0; turn < MAX_CONJUGATE; turn++) {
        if (lm_cancellation_poll(s->cancellation)) TRY(LEMAN_ERROR_CANCELLED);
        multiply_hessian(s);
        double norm = advance(s, square / curvature_of(s));
        lm_preconditioner_apply(&n->preconditioner, s->rest, s->scaled);
        double next = dot(width, s->rest, s->scaled);
        if (norm <= s->limit * s->limit / 4) break;
        if (!(next > enough)) {
            finish_step(s);
            if (!(model_error(s) < norm)) goto done;
            enough *= ACCURACY * ACCURACY;
        }
        set_direction(s, next / square);
        square = next;
    }
    finish_step(s);
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
    double own = 0;
    memset(s->gradient, 0, n->width * sizeof *s->gradient);
    for (size_t i = 0; i < n->count; i++) {
        double factor = 2 * n->cost[i] * residual(n, i, 0), single = factor * row_of(n, i).own;
        add_row(n, i, factor, s->gradient);
        own += single * single;
    }
    n->unit_norm = sqrt(dot(n->width, s->gradient, s->gradient) + own);
}

/* What the residual of a row costs when the weight of its own column is the best one. */
static void set_loss(lm_newton *n, double C)
{
    for (size_t i = 0; i < n->count; i++) {
        double own = row_of(n, i).own;
        n->loss[i] = n->cost[i] / (1 + 2 * C * n->cost[i] * own * own);
    }
}

/* That weight u minimises u^2 / 2 + C cost residual(z + own u)^2, where z is w.x without it. */
static void set_own(const state *s)
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
        row r = row_of(n, i);
        if (r.own != 0) weight[r.end->column] = n->own[i];
    }
    weight[rows->columns] = n->weight[n->width - 1];
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
    SCRATCH(ctx, s.direction_value, n->count);
    SCRATCH(ctx, s.gradient, n->width);
    SCRATCH(ctx, s.rest, n->width);
    SCRATCH(ctx, s.step, n->width);
    SCRATCH(ctx, s.scaled, n->width);
    SCRATCH(ctx, s.error, n->width);
    SCRATCH(ctx, s.product, n->frequent);
    SCRATCH(ctx, s.rare, n->width - n->frequent);
    if (first) find_unit_norm(&s);
    s.limit = n->tolerance * C * n->unit_norm;
    set_loss(n, C);
    multiply_rows(n, n->weight, s.value);
    if (!first) extrapolate(&s);
    find_gradient(&s);
    for (int turn = 0; turn < MAX_STEPS && s.norm > s.limit; turn++) {
        lm_preconditioner_factor(&n->preconditioner, C);
        TRY(find_step(&s));
        go_along_step(&s);
        find_gradient(&s);
    }
    TRY(check_finite(ctx, n, s.norm));
    set_own(&s);
done:
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}
