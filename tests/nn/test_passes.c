/*
 * Passes in the caller's memory: outputs are those of leman_network_predict(); gradients are the slopes of a weighted
 * sum of the outputs, measured by finite differences; running statistics move only in training, by a tenth of the way
 * to those of the batch. Passes of several batches do not disturb each other's results. On a device all numbers are
 * copies there.
 */
#include "leman/passes.h"
#include "nn/cuda/cuda.h"
#include "nn/network.h"
#include "nn/train_fixture.h"

#ifdef TEST_EMULATED /* slowly */
enum { GRAPHS = 6, MEASURED = 6 };
#else
enum { GRAPHS = 12, MEASURED = 1 }; /* graphs; a weight of so many is measured */
#endif

/* A network, a batch, and the weights of the network on the device. */
typedef struct passing {
    fixture s;
    lm_backend *backend; /* for the memory */
    leman_network *network;
    leman_batch *batch;
    size_t outputs, rows, weights, *count;
    bool *learned;
    float **host, **weight, **gradient; /* [weights]; the last two on the device, all in one block */
    float *block, *output, *factor;     /* on the device */
    float *factors;
} passing;

static float real(uint64_t *state)
{
    return (float)((double)(test_random(state) >> 11) * 0x1p-52 - 1);
}

static void read_floats(const passing *p, const float *from, size_t count, float *out)
{
    assert_int_equal(p->backend->read(p->backend, out, from, count * sizeof *out), LEMAN_OK);
}

static void write_floats(const passing *p, float *to, const float *from, size_t count)
{
    assert_int_equal(p->backend->write(p->backend, to, from, count * sizeof *from), LEMAN_OK);
}

/* Places weights, gradients, which begin with the same numbers, outputs and factors on the device. */
static void place(passing *p)
{
    void *block = NULL;
    size_t all = 2 * p->rows * p->outputs;
    for (size_t i = 0; i < p->weights; i++) all += 2 * p->count[i];
    assert_int_equal(p->backend->allocate(p->backend, all * sizeof(float), &block), LEMAN_OK);
    float *next = p->block = block;
    for (size_t i = 0; i < p->weights; i++) {
        p->weight[i] = next;
        p->gradient[i] = next + p->count[i];
        next += 2 * p->count[i];
        write_floats(p, p->weight[i], p->host[i], p->count[i]);
        write_floats(p, p->gradient[i], p->host[i], p->count[i]);
    }
    p->output = next;
    p->factor = next + p->rows * p->outputs;
    write_floats(p, p->factor, p->factors, p->rows * p->outputs);
}

static passing passing_new(leman_network_kind kind, size_t threads)
{
    passing p = {.s = fixture_new((int)threads, GRAPHS), .rows = GRAPHS};
    task o = narrow(kind, LEMAN_PRESET_ZINC, 2, 4);
    learn_targets(&o);
    o.t.epochs = 1;
    for (size_t g = 0; g < GRAPHS; g++) targets_of(p.s.data)[g] = (double)(g % 3);
    p.backend = check_backend(p.s.ctx);
    train(p.s.ctx, p.s.data, p.s.parts, &o, &p.network, NULL);
    assert_int_equal(leman_network_encode(p.s.ctx, p.network, p.s.data, &p.batch), LEMAN_OK);
    p.outputs = leman_network_describe(p.network)->outputs;
    size_t rows, columns;
    while (leman_network_weight_name(p.network, p.weights, NULL, NULL)) p.weights++;
    p.count = calloc(p.weights, sizeof *p.count);
    p.learned = calloc(p.weights, sizeof *p.learned);
    p.host = calloc(p.weights, sizeof *p.host);
    p.weight = calloc(p.weights, sizeof *p.weight);
    p.gradient = calloc(p.weights, sizeof *p.gradient);
    for (size_t i = 0; i < p.weights; i++) {
        const char *name = leman_network_weight_name(p.network, i, &rows, &columns);
        p.count[i] = rows * columns;
        p.learned[i] = lm_program_weight(p.network->program, (uint32_t)i)->trainable;
        p.host[i] = calloc(p.count[i] + 1, sizeof **p.host);
        assert_int_equal(leman_network_get_weight(p.s.ctx, p.network, name, p.host[i], rows, columns), LEMAN_OK);
    }
    uint64_t state = 11;
    p.factors = calloc(p.rows * p.outputs + 1, sizeof *p.factors);
    for (size_t i = 0; i < p.rows * p.outputs; i++) p.factors[i] = real(&state);
    place(&p);
    return p;
}

static void passing_free(passing *p)
{
    for (size_t i = 0; i < p->weights; i++) free(p->host[i]);
    p->backend->release(p->backend, p->block);
    free(p->count), free(p->learned), free(p->host), free(p->weight), free(p->gradient), free(p->factors);
    leman_batch_free(p->batch);
    leman_network_free(p->network);
    lm_backend_free(p->backend);
    fixture_free(&p->s);
}

static leman_passes_options options_for(const passing *p, bool backward, void **stream)
{
    leman_passes_options options = leman_passes_options_default();
    options.backward = backward;
    *stream = NULL;
    if (!strcmp(check_device(), "cpu")) return options;
    options.device = LEMAN_DEVICE_CUDA;
    options.device_number = lm_cuda_of(p->backend)->device.number;
    *stream = lm_cuda_of(p->backend)->device.stream;
    return options;
}

static leman_passes *passes_of(const passing *p, bool backward, void **stream)
{
    const leman_passes_options options = options_for(p, backward, stream);
    leman_passes *made = NULL;
    if (leman_passes_new(p->s.ctx, p->network, &options, &made)) fail_msg("%s", leman_context_message(p->s.ctx));
    return made;
}

static void forward(const passing *p, leman_passes *passes, bool training, void *stream)
{
    if (leman_passes_forward(p->s.ctx, passes, p->batch, p->weight, training, stream, p->output))
        fail_msg("%s", leman_context_message(p->s.ctx));
}

static void test_outputs(void **state)
{
    (void)state;
    void *stream;
    passing p = passing_new(LEMAN_NETWORK_KIND_LOCAL, 2);
    float found[GRAPHS];
    double *expected = predictions(p.s.ctx, p.network, p.s.data);
    assert_int_equal(p.outputs, 1);
    for (int backward = 0; backward < 2; backward++) {
        leman_passes *passes = passes_of(&p, backward, &stream);
        for (int again = 0; again < 4; again++) { /* recorded, and repeated */
            forward(&p, passes, false, stream);
            read_floats(&p, p.output, GRAPHS, found);
            for (size_t g = 0; g < GRAPHS; g++)
                if (!(fabs((double)found[g] - expected[g]) < 1e-5))
                    fail_msg("%g, expected %g", (double)found[g], expected[g]);
        }
        leman_passes_free(passes);
    }
    free(expected);
    passing_free(&p);
}

/* Returns the sum of the outputs, each with its factor, after weight i has moved by so many directions. */
static double moved_sum(passing *p, leman_passes *passes, size_t i, const float *direction, double by, void *stream)
{
    double sum = 0;
    float *numbers = calloc(p->count[i] + 1, sizeof *numbers), *found = calloc(p->rows * p->outputs, sizeof *found);
    for (size_t x = 0; x < p->count[i]; x++) numbers[x] = (float)((double)p->host[i][x] + by * (double)direction[x]);
    write_floats(p, p->weight[i], numbers, p->count[i]);
    forward(p, passes, true, stream);
    read_floats(p, p->output, p->rows * p->outputs, found);
    for (size_t x = 0; x < p->rows * p->outputs; x++) sum += (double)p->factors[x] * (double)found[x];
    write_floats(p, p->weight[i], p->host[i], p->count[i]);
    free(numbers), free(found);
    return sum;
}

static void check_gradients(leman_network_kind kind)
{
    const double step = 1e-3;
    void *stream;
    uint64_t random = 5;
    passing p = passing_new(kind, 1);
    leman_passes *passes = passes_of(&p, true, &stream);
    for (int again = 0; again < 3; again++) {
        forward(&p, passes, true, stream);
        if (leman_passes_backward(p.s.ctx, passes, p.factor, p.gradient, stream))
            fail_msg("%s", leman_context_message(p.s.ctx));
    }
    for (size_t i = 0; i < p.weights; i++) {
        float *direction = calloc(p.count[i] + 1, sizeof *direction), *slope = calloc(p.count[i] + 1, sizeof *slope);
        double expected = 0, length = 0;
        if (p.learned[i] && i % MEASURED == 0) {
            read_floats(&p, p.gradient[i], p.count[i], slope);
            for (size_t x = 0; x < p.count[i]; x++) {
                direction[x] = real(&random);
                expected += (double)slope[x] * (double)direction[x];
                length += (double)slope[x] * (double)slope[x];
            }
            const double up = moved_sum(&p, passes, i, direction, step, stream),
                         down = moved_sum(&p, passes, i, direction, -step, stream), found = (up - down) / (2 * step);
            if (!(fabs(found - expected) < 0.03 * sqrt(length) + 2e-3))
                fail_msg("%s: slope %g, gradient %g", leman_network_weight_name(p.network, i, NULL, NULL), found,
                         expected);
        }
        free(direction), free(slope);
    }
    leman_passes_free(passes);
    passing_free(&p);
}

static void test_gradients(void **state)
{
    (void)state;
    check_gradients(LEMAN_NETWORK_KIND_LOCAL);
#ifndef TEST_EMULATED
    check_gradients(LEMAN_NETWORK_KIND_DELTA);
#endif
}

/* Copies the caller's weights from the device. */
static void read_weights(const passing *p, float **to)
{
    for (size_t i = 0; i < p->weights; i++) {
        to[i] = calloc(p->count[i] + 1, sizeof *to[i]);
        read_floats(p, p->weight[i], p->count[i], to[i]);
    }
}

/* With one batch, the statistics after a pass are 0.9 s + 0.1 batch: the second pass moves them by 0.9 of what the
 * first one has moved them. Learned weights stay, and all weights stay in a pass without training. */
static void test_statistics(void **state)
{
    (void)state;
    void *stream;
    size_t moved = 0;
    passing p = passing_new(LEMAN_NETWORK_KIND_LOCAL, 1);
    leman_passes *passes = passes_of(&p, false, &stream);
    float **after = calloc(3 * p.weights, sizeof *after);
    for (size_t pass = 0; pass < 3; pass++) {
        forward(&p, passes, pass > 0, stream);
        read_weights(&p, after + pass * p.weights);
    }
    for (size_t i = 0; i < p.weights; i++) {
        const float *still = after[i], *once = after[p.weights + i], *twice = after[2 * p.weights + i];
        assert_memory_equal(still, p.host[i], p.count[i] * sizeof *still);
        for (size_t x = 0; x < p.count[i]; x++) {
            const double first = (double)once[x] - (double)still[x], second = (double)twice[x] - (double)once[x];
            if (!(fabs(second - 0.9 * first) < 1e-5 * (1 + fabs((double)once[x]))))
                fail_msg("%g after %g", second, first);
            moved += first < 0 || first > 0;
            assert_false(p.learned[i] && memcmp(once + x, still + x, sizeof *once));
        }
    }
    assert_true(moved > 8);
    for (size_t i = 0; i < 3 * p.weights; i++) free(after[i]);
    free(after);
    leman_passes_free(passes);
    passing_free(&p);
}

/* A gradient that is not wanted is not written; a second backward pass, or one without memory for it, is refused. */
static void test_order(void **state)
{
    (void)state;
    void *stream;
    passing p = passing_new(LEMAN_NETWORK_KIND_LOCAL, 1);
    leman_context *ctx = p.s.ctx;
    for (int backward = 0; backward < 2; backward++) {
        leman_passes *passes = passes_of(&p, backward, &stream);
        float **wanted = calloc(p.weights, sizeof *wanted);
        wanted[0] = p.gradient[0];
        assert_int_equal(leman_passes_backward(ctx, passes, p.factor, wanted, stream), LEMAN_ERROR_ARGUMENT);
        forward(&p, passes, false, stream);
        assert_int_equal(leman_passes_backward(ctx, passes, p.factor, wanted, stream), LEMAN_ERROR_ARGUMENT);
        forward(&p, passes, true, stream);
        const leman_status st = leman_passes_backward(ctx, passes, p.factor, wanted, stream);
        assert_int_equal(st, backward ? LEMAN_OK : LEMAN_ERROR_ARGUMENT);
        assert_int_equal(leman_passes_backward(ctx, passes, p.factor, wanted, stream), LEMAN_ERROR_ARGUMENT);
        for (size_t i = 1; i < p.weights; i++) {
            float *numbers = calloc(p.count[i] + 1, sizeof *numbers);
            read_floats(&p, p.gradient[i], p.count[i], numbers);
            assert_memory_equal(numbers, p.host[i], p.count[i] * sizeof *numbers);
            free(numbers);
        }
        free(wanted);
        leman_passes_free(passes);
    }
    passing_free(&p);
}

static leman_status compute(leman_context *ctx, void *state)
{
    passing *p = state;
    void *stream;
    const leman_passes_options options = options_for(p, true, &stream);
    leman_passes *passes = NULL;
    leman_status st = leman_passes_new(ctx, p->network, &options, &passes);
    if (!st) st = leman_passes_forward(ctx, passes, p->batch, p->weight, true, stream, p->output);
    if (!st) st = leman_passes_backward(ctx, passes, p->factor, p->gradient, stream);
    leman_passes_free(passes);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    passing p = passing_new(LEMAN_NETWORK_KIND_LOCAL, 1);
    assert_true(test_fail_each_allocation(compute, &p) > 3);
    passing_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_outputs), cmocka_unit_test(test_gradients),
                                       cmocka_unit_test(test_statistics), cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_allocations)};
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
