/*
 * leman/linear.h: what its functions must refuse; their results against the definition in double; failing allocations;
 * two threads give the bits of one.
 */
#include "support/refused.h"
#include <math.h>

typedef struct shape {
    size_t rows, inputs, outputs;
} shape;

/* Numbers in -1 .. 1 that are multiples of 1/64, so that floats hold their products. */
static float *numbers_new(size_t count, uint64_t *state)
{
    float *made = malloc((count + 1) * sizeof *made);
    assert_non_null(made);
    for (size_t i = 0; i < count; i++) {
        *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        made[i] = (float)((int)(*state >> 33) % 65) / 64;
    }
    return made;
}

typedef struct problem {
    shape s;
    float *x, *weight, *bias, *gradient, *y, *dx, *dweight, *dbias;
} problem;

static problem problem_new(shape s, uint64_t seed)
{
    problem p = {.s = s};
    p.x = numbers_new(s.rows * s.inputs, &seed);
    p.weight = numbers_new(s.outputs * s.inputs, &seed);
    p.bias = numbers_new(s.outputs, &seed);
    p.gradient = numbers_new(s.rows * s.outputs, &seed);
    p.y = numbers_new(s.rows * s.outputs, &seed);
    p.dx = numbers_new(s.rows * s.inputs, &seed);
    p.dweight = numbers_new(s.outputs * s.inputs, &seed);
    p.dbias = numbers_new(s.outputs, &seed);
    return p;
}

static void problem_free(problem *p)
{
    float *const all[] = {p->x, p->weight, p->bias, p->gradient, p->y, p->dx, p->dweight, p->dbias};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

static leman_linear_map map_of(const problem *p, bool biased, bool relu)
{
    leman_linear_map map = leman_linear_map_default();
    map.inputs = p->s.inputs;
    map.outputs = p->s.outputs;
    map.weight = p->weight;
    map.bias = biased ? p->bias : NULL;
    map.relu = relu;
    return map;
}

static void near(float found, double wanted, size_t terms)
{
    if (!(fabs((double)found - wanted) <= 1e-6 * (double)(terms + 1))) fail_msg("found %g, expected %g", found, wanted);
}

/* Y of the definition, and G. */
static double define_y(const problem *p, const leman_linear_map *map, size_t r, size_t o)
{
    double y = map->bias ? (double)map->bias[o] : 0;
    for (size_t i = 0; i < p->s.inputs; i++)
        y += (double)p->x[r * p->s.inputs + i] * (double)p->weight[o * p->s.inputs + i];
    return map->relu && y < 0 ? 0 : y;
}

static double define_g(const problem *p, const leman_linear_map *map, size_t r, size_t o)
{
    return map->relu && define_y(p, map, r, o) <= 0 ? 0 : (double)p->gradient[r * p->s.outputs + o];
}

static void compare(const problem *p, const leman_linear_map *map)
{
    const size_t rows = p->s.rows, inputs = p->s.inputs, outputs = p->s.outputs;
    double *g = malloc((rows * outputs + 1) * sizeof *g);
    for (size_t r = 0; r < rows; r++)
        for (size_t o = 0; o < outputs; o++) {
            near(p->y[r * outputs + o], define_y(p, map, r, o), inputs);
            g[r * outputs + o] = define_g(p, map, r, o);
        }
    for (size_t r = 0; r < rows; r++)
        for (size_t i = 0; i < inputs; i++) {
            double sum = 0;
            for (size_t o = 0; o < outputs; o++) sum += g[r * outputs + o] * (double)p->weight[o * inputs + i];
            near(p->dx[r * inputs + i], sum, outputs);
        }
    for (size_t o = 0; o < outputs; o++) {
        double bias = 0;
        for (size_t r = 0; r < rows; r++) bias += g[r * outputs + o];
        near(p->dbias[o], bias, rows);
        for (size_t i = 0; i < inputs; i++) {
            double sum = 0;
            for (size_t r = 0; r < rows; r++) sum += g[r * outputs + o] * (double)p->x[r * inputs + i];
            near(p->dweight[o * inputs + i], sum, rows);
        }
    }
    free(g);
}

static void test_definition(void **state)
{
    (void)state;
    static const shape SHAPES[] = {{0, 3, 2}, {1, 1, 1}, {255, 5, 7}, {256, 16, 8}, {513, 3, 9}, {3000, 4, 5}};
    for (size_t n = 0; n < sizeof SHAPES / sizeof *SHAPES; n++)
        for (int how = 0; how < 4; how++) {
            problem one = problem_new(SHAPES[n], n + 1), two = problem_new(SHAPES[n], n + 1);
            problem *const both[] = {&one, &two};
            for (int threads = 1; threads <= 2; threads++) {
                leman_context *ctx = test_context_new(threads);
                problem *p = both[threads - 1];
                const leman_linear_map map = map_of(p, how & 1, how & 2);
                assert_int_equal(leman_linear(ctx, &map, p->x, p->s.rows, p->y), LEMAN_OK);
                assert_int_equal(leman_linear_backward(ctx, &map, p->x, p->s.rows, map.relu ? p->y : NULL, p->gradient,
                                                       p->dx, p->dweight, p->dbias),
                                 LEMAN_OK);
                compare(p, &map);
                assert_int_equal(leman_linear_backward(ctx, &map, p->x, p->s.rows, p->y, p->gradient, NULL, NULL, NULL),
                                 LEMAN_OK);
                test_context_free(ctx);
            }
            assert_memory_equal(one.y, two.y, SHAPES[n].rows * SHAPES[n].outputs * sizeof *one.y);
            assert_memory_equal(one.dx, two.dx, SHAPES[n].rows * SHAPES[n].inputs * sizeof *one.dx);
            assert_memory_equal(one.dweight, two.dweight, SHAPES[n].inputs * SHAPES[n].outputs * sizeof *one.dweight);
            assert_memory_equal(one.dbias, two.dbias, SHAPES[n].outputs * sizeof *one.dbias);
            problem_free(&one);
            problem_free(&two);
        }
}

static leman_status go_back(leman_context *ctx, void *state)
{
    const problem *p = state;
    const leman_linear_map map = map_of(p, true, true);
    return leman_linear_backward(ctx, &map, p->x, p->s.rows, p->y, p->gradient, p->dx, p->dweight, p->dbias);
}

static void test_memory(void **state)
{
    (void)state;
    problem p = problem_new((shape){700, 3, 4}, 9);
    assert_true(test_fail_each_allocation(go_back, &p) > 0);
    problem_free(&p);
}

static void test_refused(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    problem p = problem_new((shape){2, 3, 4}, 3);
    leman_linear_map map = map_of(&p, true, true), bad = map;
    leman_linear_map_init(NULL, sizeof map);
    assert_int_equal(leman_linear_map_default().size, sizeof map);
    assert_refused_without(leman_linear(NULL, &map, p.x, 2, p.y));
    assert_refused(ctx, "map", leman_linear(ctx, NULL, p.x, 2, p.y));
    assert_refused(ctx, "x", leman_linear(ctx, &map, NULL, 2, p.y));
    assert_refused(ctx, "y", leman_linear(ctx, &map, p.x, 2, NULL));
    assert_refused_without(leman_linear_backward(NULL, &map, p.x, 2, p.y, p.gradient, p.dx, NULL, NULL));
    assert_refused(ctx, "map", leman_linear_backward(ctx, NULL, p.x, 2, p.y, p.gradient, p.dx, NULL, NULL));
    assert_refused(ctx, "x", leman_linear_backward(ctx, &map, NULL, 2, p.y, p.gradient, p.dx, NULL, NULL));
    assert_refused(ctx, "y", leman_linear_backward(ctx, &map, p.x, 2, NULL, p.gradient, p.dx, NULL, NULL));
    assert_refused(ctx, "gradient", leman_linear_backward(ctx, &map, p.x, 2, p.y, NULL, p.dx, NULL, NULL));
    assert_int_equal(leman_linear(ctx, &map, NULL, 0, NULL), LEMAN_OK); /* arrays of no rows */
    p.dbias[0] = 7;
    assert_int_equal(leman_linear_backward(ctx, &map, NULL, 0, NULL, NULL, NULL, p.dweight, p.dbias), LEMAN_OK);
    assert_true(p.dbias[0] == 0);
    bad.weight = NULL;
    assert_refused(ctx, "weight", leman_linear(ctx, &bad, p.x, 2, p.y));
    bad = map;
    bad.size = 0;
    assert_refused(ctx, "leman_linear_map", leman_linear(ctx, &bad, p.x, 2, p.y));
    bad = map;
    bad.inputs = 0;
    assert_refused(ctx, "inputs", leman_linear(ctx, &bad, p.x, 2, p.y));
    bad = map;
    bad.outputs = SIZE_MAX;
    assert_refused(ctx, "outputs", leman_linear(ctx, &bad, p.x, 2, p.y));
    problem_free(&p);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_definition), cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
