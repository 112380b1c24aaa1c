/*
 * Sums over lists of rows against their definition in double: empty lists, long lists, lists of other rows, repeated
 * rows, weights, both types of numbers, widths that end inside 16 bytes, several threads. On a device, its arrays are
 * copies.
 */
#include "nn/check.h"
#include "nn/cuda/cuda.h"

typedef struct shape {
    size_t rows, others, width, longest;
    bool own, weighted;
} shape;

static const shape SHAPES[] = {
    {1, 1, 1, 3, true, false},     {7, 7, 5, 4, true, true},       {40, 3, 8, 6, false, false},
    {3, 500, 4, 900, false, true}, {600, 600, 64, 5, true, false}, {1500, 1500, 6, 3, true, true},
    {300, 70, 33, 9, false, true}, {20, 20, 2, 0, true, false},    {9, 9, 130, 7, true, true}};

/* The lists of a shape, x, weights and epsilon, as doubles that floats can hold. */
typedef struct problem {
    shape s;
    int64_t *start, *other;
    double *x, *weight, epsilon;
} problem;

static double *reals_new(size_t count, uint64_t *state)
{
    double *reals = malloc((count + 1) * sizeof *reals);
    assert_non_null(reals);
    for (size_t i = 0; i < count; i++) reals[i] = floor(check_real(state) * 1024) / 1024;
    return reals;
}

static problem problem_new(shape s, uint64_t *state)
{
    problem p = {.s = s, .epsilon = 0.375};
    p.start = calloc(s.rows + 1, sizeof *p.start);
    p.other = calloc(s.rows * (s.longest + 1), sizeof *p.other);
    for (size_t r = 0; r < s.rows; r++) {
        const size_t length = r % 3 ? (size_t)(fabs(check_real(state)) * (double)(s.longest + 1)) % (s.longest + 1) : 0;
        p.start[r + 1] = p.start[r] + (int64_t)(r == 2 ? s.longest : length);
        for (int64_t i = p.start[r]; i < p.start[r + 1]; i++)
            p.other[i] = (int64_t)(fabs(check_real(state)) * 7919) % (int64_t)s.others;
    }
    p.x = reals_new(s.others * s.width, state);
    p.weight = reals_new((size_t)p.start[s.rows], state);
    return p;
}

static void problem_free(problem *p)
{
    free(p->start);
    free(p->other);
    free(p->x);
    free(p->weight);
}

static void define(const problem *p, double *y)
{
    const shape *s = &p->s;
    for (size_t r = 0; r < s->rows; r++)
        for (size_t c = 0; c < s->width; c++) {
            double sum = s->own ? (1 + p->epsilon) * p->x[r * s->width + c] : 0;
            for (int64_t i = p->start[r]; i < p->start[r + 1]; i++)
                sum += (s->weighted ? p->weight[i] : 1) * p->x[(size_t)p->other[i] * s->width + c];
            y[r * s->width + c] = sum;
        }
}

/* Copies numbers to the device, as floats or as doubles; `host` may be NULL. */
static void *put(lm_backend *backend, const double *host, size_t count, leman_number number)
{
    const size_t bytes = number == LEMAN_NUMBER_FLOAT32 ? sizeof(float) : sizeof(double);
    void *made = calloc(count + 1, bytes);
    for (size_t i = 0; host && i < count; i++) {
        if (number == LEMAN_NUMBER_FLOAT32)
            ((float *)made)[i] = (float)host[i];
        else
            ((double *)made)[i] = host[i];
    }
    void *copy = check_upload(backend, made, (count + 1) * bytes);
    free(made);
    return copy;
}

static void check_sum(leman_context *ctx, lm_backend *backend, const problem *p, leman_number number)
{
    const shape *s = &p->s;
    const size_t entries = (size_t)p->start[s->rows], count = s->rows * s->width;
    const size_t bytes = number == LEMAN_NUMBER_FLOAT32 ? sizeof(float) : sizeof(double);
    leman_row_lists lists = leman_row_lists_default();
    void *start = check_upload(backend, p->start, (s->rows + 1) * sizeof *p->start);
    void *other = check_upload(backend, p->other, (entries + 1) * sizeof *p->other);
    void *x = put(backend, p->x, s->others * s->width, number), *y = put(backend, NULL, count, number);
    void *weight = put(backend, p->weight, entries, number), *epsilon = put(backend, &p->epsilon, 1, number);
    lists.rows = s->rows;
    lists.others = s->others;
    lists.start = start;
    lists.other = other;
    lists.weight = s->weighted ? weight : NULL;
    if (strcmp(check_device(), "cpu") != 0) {
        lists.device = LEMAN_DEVICE_CUDA;
        lists.device_number = lm_cuda_of(backend)->device.number;
        lists.stream = lm_cuda_of(backend)->device.stream;
    }
    if (leman_neighbor_sum(ctx, &lists, number, x, s->width, s->own ? epsilon : NULL, y))
        fail_msg("%s", leman_context_message(ctx));
    double *wanted = malloc((count + 1) * sizeof *wanted);
    void *found = malloc((count + 1) * bytes);
    define(p, wanted);
    assert_int_equal(backend->read(backend, found, y, count * bytes), LEMAN_OK);
    for (size_t i = 0; i < count; i++) {
        const double number_found = number == LEMAN_NUMBER_FLOAT32 ? (double)((float *)found)[i] : ((double *)found)[i];
        const double tolerance = (number == LEMAN_NUMBER_FLOAT32 ? 2e-5 : 1e-12) * (double)(s->longest + 1);
        if (!(fabs(number_found - wanted[i]) <= tolerance))
            fail_msg("%zu rows, width %zu, number %zu: found %g, expected %g", s->rows, s->width, i, number_found,
                     wanted[i]);
    }
    void *const blocks[] = {start, other, x, y, weight, epsilon};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) backend->release(backend, blocks[i]);
    free(wanted);
    free(found);
}

static void test_sums(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (int threads = 1; threads <= 3; threads += 2) {
        leman_context *ctx = test_context_new(threads);
        lm_backend *backend = check_backend(ctx);
        for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
            problem p = problem_new(SHAPES[i], &random);
            for (int number = 0; number < LEMAN_NUMBER_COUNT; number++)
                check_sum(ctx, backend, &p, (leman_number)number);
            problem_free(&p);
        }
        lm_backend_free(backend);
        test_context_free(ctx);
    }
}

#ifdef TEST_EMULATED
extern int emulate_devices, emulate_device;

/* The device that was current before a sum is current after it. */
static void test_current_device(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    lm_backend *backend = check_backend(ctx);
    const int64_t start[] = {0, 1}, other[] = {0};
    const double five = 5;
    void *x = put(backend, &five, 1, LEMAN_NUMBER_FLOAT64), *y = put(backend, NULL, 1, LEMAN_NUMBER_FLOAT64);
    double found = 0;
    leman_row_lists lists = leman_row_lists_default();
    lists.rows = lists.others = 1;
    lists.start = check_upload(backend, start, sizeof start);
    lists.other = check_upload(backend, other, sizeof other);
    lists.device = LEMAN_DEVICE_CUDA;
    lists.device_number = 1;
    lists.stream = lm_cuda_of(backend)->device.stream;
    emulate_devices = 3;
    emulate_device = 2;
    assert_int_equal(leman_neighbor_sum(ctx, &lists, LEMAN_NUMBER_FLOAT64, x, 1, NULL, y), LEMAN_OK);
    assert_int_equal(emulate_device, 2);
    assert_int_equal(backend->read(backend, &found, y, sizeof found), LEMAN_OK);
    assert_true(found == 5);
    emulate_device = 0;
    emulate_devices = 1;
    void *const blocks[] = {x, y, (void *)(uintptr_t)lists.start, (void *)(uintptr_t)lists.other};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) backend->release(backend, blocks[i]);
    lm_backend_free(backend);
    test_context_free(ctx);
}
#endif

/* <S x, z> = <x, S' z> for all x and z, and entries lead back to their lists. */
static void test_transposed(void **state)
{
    (void)state;
    uint64_t random = 5;
    leman_context *ctx = test_context_new(1);
    for (size_t n = 0; n < sizeof SHAPES / sizeof *SHAPES; n++) {
        problem p = problem_new(SHAPES[n], &random);
        const shape *s = &p.s;
        const size_t entries = (size_t)p.start[s->rows];
        int64_t *start = calloc(s->others + 1, sizeof *start), *other = calloc(entries + 1, sizeof *other);
        int64_t *entry = calloc(entries + 1, sizeof *entry);
        leman_row_lists lists = leman_row_lists_default();
        lists.rows = s->rows;
        lists.others = s->others;
        lists.start = p.start;
        lists.other = p.other;
        assert_int_equal(leman_row_lists_transpose(ctx, &lists, start, other, entry), LEMAN_OK);
        assert_int_equal(start[s->others], entries);
        for (size_t t = 0; t < s->others; t++)
            for (int64_t i = start[t]; i < start[t + 1]; i++) {
                assert_int_equal(p.other[entry[i]], t);
                assert_true(p.start[other[i]] <= entry[i] && entry[i] < p.start[other[i] + 1]);
                assert_true(i == start[t] || entry[i] > entry[i - 1]);
            }
        assert_int_equal(leman_row_lists_transpose(ctx, &lists, start, other, NULL), LEMAN_OK);
        free(start);
        free(other);
        free(entry);
        problem_free(&p);
    }
    test_context_free(ctx);
}

int main(void)
{
    const int without = check_without_device();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_transposed),
#ifdef TEST_EMULATED
        cmocka_unit_test(test_current_device),
#endif
    };
    return without ? without : cmocka_run_group_tests(tests, NULL, NULL);
}
