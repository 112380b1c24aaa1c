/*
 * The gradient of the weights of a linear map, dW += G' X, against its definition in double precision: sizes that end
 * inside tiles, slices and parts of sums, strides, places that are on no boundary. What lies between rows is NaN, and
 * nothing is written beside dW or behind the workspace that the step asked for.
 */
#include "nn/check.h"

/* G [rows][m] and X [rows][n] begin so many numbers behind a boundary; their rows are `gap` numbers apart. */
typedef struct shape {
    size_t rows, m, n, offset, gap;
} shape;

static const shape SHAPES[] = {
    {1, 1, 1, 0, 0},      {7, 5, 3, 0, 0},      {16, 64, 64, 0, 0},   {17, 64, 64, 0, 64}, {64, 64, 64, 1, 0},
    {255, 72, 40, 0, 8},  {256, 33, 31, 0, 0},  {257, 64, 64, 0, 0},  {300, 65, 63, 0, 0}, {300, 64, 64, 3, 0},
    {300, 64, 64, 4, 2},  {1000, 64, 64, 0, 4}, {1000, 8, 8, 0, 0},   {700, 6, 132, 0, 0}, {500, 128, 128, 0, 0},
    {321, 9, 130, 0, 1},  {400, 192, 64, 0, 0}, {50, 256, 128, 0, 0}, {3, 256, 256, 0, 0}, {300, 200, 200, 0, 0},
    {9001, 20, 12, 0, 0},
};

enum { MARGIN = 16 };

static size_t stride_of(const shape *s, size_t width)
{
    return width + s->gap;
}

/* Numbers of 10 bits behind the point, whose products and sums are the same in every precision but BF16; or others. */
static float *matrix_new(const shape *s, size_t width, bool short_numbers, uint64_t *state)
{
    const size_t count = s->offset + s->rows * stride_of(s, width);
    float *data = malloc((count + 1) * sizeof *data);
    assert_non_null(data);
    for (size_t i = 0; i < count; i++) {
        const double number = check_real(state);
        const bool outside = i < s->offset || (i - s->offset) % stride_of(s, width) >= width;
        data[i] = outside ? NAN : (float)(short_numbers ? floor(number * 1024) / 1024 : number);
    }
    return data;
}

/* 10 bits behind the point, ties away from zero. */
static double rounded(float x)
{
    int exponent;
    const double mantissa = frexp((double)x, &exponent);
    return ldexp(round(ldexp(mantissa, 11)), exponent - 11);
}

/* What dW becomes: the double sum, and how far from it a sum of floats may be. */
static double expected(const shape *s, const float *g, const float *x, bool rounds, size_t row, size_t column,
                       double *size)
{
    double sum = 0;
    *size = 0;
    for (size_t r = 0; r < s->rows; r++) {
        const float left = g[s->offset + r * stride_of(s, s->m) + row];
        const float right = x[s->offset + r * stride_of(s, s->n) + column];
        const double product = rounds ? rounded(left) * rounded(right) : (double)left * (double)right;
        sum += product;
        *size += fabs(product);
    }
    return sum;
}

/* A program whose one step that matters is a linear map n -> m of vertices. */
static lm_program *program_new(leman_context *ctx, const shape *s)
{
    lm_program *p;
    assert_int_equal(lm_program_new(ctx, 1, &p), LEMAN_OK);
    const uint32_t x = lm_program_input(p, LM_FROM_VERTEX_ATTRIBUTES, s->n);
    const uint32_t y = lm_program_linear(p, x, lm_linear_new(p, "map", s->n, s->m), LM_IDENTITY);
    const lm_linear last = lm_linear_new(p, "last", s->m, 1);
    lm_program_predict(p, lm_program_linear(p, lm_program_pool(p, y, true), last, LM_IDENTITY));
    lm_program_set_loss(p, LM_OP_L1);
    if (lm_program_finish(p)) fail_msg("%s", leman_context_message(ctx));
    return p;
}

/* One after the other on the device, with a margin that must stay as it is. */
static void *with_margin(lm_backend *backend, const void *data, size_t bytes)
{
    char *both = malloc(bytes + MARGIN);
    assert_non_null(both);
    memset(both, 0x55, bytes + MARGIN);
    if (data) memcpy(both, data, bytes);
    void *copy = check_upload(backend, both, bytes + MARGIN);
    free(both);
    return copy;
}

static void check_margin(lm_backend *backend, const void *device, size_t bytes, const char *what)
{
    unsigned char margin[MARGIN];
    assert_int_equal(backend->read(backend, margin, (const char *)device + bytes, MARGIN), LEMAN_OK);
    for (size_t i = 0; i < MARGIN; i++)
        if (margin[i] != 0x55) fail_msg("written behind %s", what);
}

/* dW after the backward function of the step, from what it is before. */
static void go_back(leman_context *ctx, const shape *s, const float *g, const float *x, float *weights)
{
    lm_program *p = program_new(ctx, s);
    lm_backend *backend = check_backend(ctx);
    const lm_step *step = lm_program_step(p, 0);
    const lm_operation_entry *entry = backend->operations + step->operation;
    const size_t count = s->m * s->n * sizeof(float);
    float *left = check_upload(backend, g, (s->offset + s->rows * stride_of(s, s->m)) * sizeof *g);
    float *right = check_upload(backend, x, (s->offset + s->rows * stride_of(s, s->n)) * sizeof *x);
    float *to = with_margin(backend, weights, count);
    lm_frame f = {.program = p, .step = step, .training = true, .derived = true};
    assert_int_equal(step->operation, LM_OP_LINEAR);
    f.out[0] = f.out_gradient[0] = (lm_tensor){left + s->offset, s->rows, s->m, stride_of(s, s->m)};
    f.in[0] = (lm_tensor){right + s->offset, s->rows, s->n, stride_of(s, s->n)};
    f.weight_gradient[0] = to;
    const size_t bytes = entry->workspace(backend, &f);
    f.workspace = with_margin(backend, NULL, bytes);
    entry->backward(backend, &f);
    assert_int_equal(backend->read(backend, weights, to, count), LEMAN_OK);
    check_margin(backend, to, count, "the gradient");
    check_margin(backend, f.workspace, bytes, "the workspace");
    assert_int_equal(backend->status, LEMAN_OK);
    backend->release(backend, left);
    backend->release(backend, right);
    backend->release(backend, to);
    backend->release(backend, f.workspace);
    lm_backend_free(backend);
    lm_program_free(p);
}

static void compare(const shape *s, leman_precision precision, bool short_numbers, bool rounds, uint64_t seed)
{
    leman_context *ctx = test_context_new(2);
    ctx->settings.precision = precision;
    float *g = matrix_new(s, s->m, short_numbers, &seed), *x = matrix_new(s, s->n, short_numbers, &seed);
    float *weights = malloc(s->m * s->n * sizeof *weights), *before = malloc(s->m * s->n * sizeof *before);
    for (size_t i = 0; i < s->m * s->n; i++) before[i] = weights[i] = (float)check_real(&seed);
    go_back(ctx, s, g, x, weights);
    for (size_t i = 0; i < s->m * s->n; i++) {
        double size;
        const double want = (double)before[i] + expected(s, g, x, rounds, i / s->n, i % s->n, &size);
        if (!(fabs((double)weights[i] - want) <= 1e-5 * size + 1e-6))
            fail_msg("%zu rows, %zu x %zu: dW[%zu][%zu] is %g, not %g", s->rows, s->m, s->n, i / s->n, i % s->n,
                     (double)weights[i], want);
    }
    free(g);
    free(x);
    free(weights);
    free(before);
    test_context_free(ctx);
}

static void short_numbers_are_exact(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        compare(SHAPES + i, LEMAN_PRECISION_TF32, true, false, 3 + i);
        if (SHAPES[i].rows < 500) compare(SHAPES + i, LEMAN_PRECISION_FP32, true, false, 3 + i);
    }
}

/* The CPU has FP32 whatever is asked for. */
static void factors_are_rounded(void **state)
{
    (void)state;
    const bool cpu = !strcmp(check_device(), "cpu");
    static const shape ROUNDED[] = {{100, 36, 40, 0, 0}, {300, 64, 64, 0, 0}};
    for (size_t i = 0; i < 2; i++) {
        compare(ROUNDED + i, LEMAN_PRECISION_TF32, false, !cpu, 5);
        compare(ROUNDED + i, LEMAN_PRECISION_FP32, false, false, 5);
    }
}

/* A gradient that is no number is seen in its row of dW, and nowhere else. */
static void nan_stays(void **state)
{
    (void)state;
    const shape s = {300, 40, 36, 0, 0};
    enum { BAD = 13 };
    uint64_t seed = 9;
    leman_context *ctx = test_context_new(2);
    ctx->settings.precision = LEMAN_PRECISION_TF32;
    float *g = matrix_new(&s, s.m, true, &seed), *x = matrix_new(&s, s.n, true, &seed);
    float *weights = calloc(s.m * s.n, sizeof *weights);
    const uint32_t all_bits = 0x7fffffff; /* as CUDA makes them */
    memcpy(g + 205 * s.m + BAD, &all_bits, sizeof all_bits);
    go_back(ctx, &s, g, x, weights);
    for (size_t i = 0; i < s.m * s.n; i++) assert_int_equal(isnan((double)weights[i]) != 0, i / s.n == BAD);
    free(g);
    free(x);
    free(weights);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_numbers_are_exact),
        cmocka_unit_test(factors_are_rounded),
        cmocka_unit_test(nan_stays),
    };
    const int skipped = check_without_device();
    return skipped ? skipped : cmocka_run_group_tests(tests, NULL, NULL);
}
