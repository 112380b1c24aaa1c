/*
 * Losses in double precision, with missing targets, classes and labels: the loss against its formula over what is
 * known, its gradients against finite differences, and 0 where nothing is known.
 */
#include "nn/check.h"

static const size_t SIZES[] = {4, 1, 3, 2, 5, SIZE_MAX};
enum { GRAPHS = 5 };

static const lm_operation LOSSES[] = {LM_OP_L1, LM_OP_SQUARE, LM_OP_CROSS_ENTROPY, LM_OP_BINARY_CROSS_ENTROPY};

/* Which are missing: none, some, all. */
typedef enum missing { NONE, SOME, ALL } missing;

static size_t outputs_of(lm_operation loss)
{
    return loss == LM_OP_CROSS_ENTROPY ? CHECK_CLASSES : CHECK_TARGETS;
}

static bool is_known(missing which, size_t i)
{
    return which == NONE || (which == SOME && i % 3 != 1);
}

/* A batch of random graphs with labels of 0 and 1 for the binary cross entropy, and weights of their own where wanted.
 */
static void make_batch(leman_context *ctx, lm_operation loss, missing which, bool weighted, lm_batch *b)
{
    uint64_t state = 41;
    check_batch(ctx, 1, SIZES, 45, false, 17, b);
    for (size_t i = 0; i < GRAPHS * CHECK_TARGETS; i++) {
        if (loss == LM_OP_BINARY_CROSS_ENTROPY) b->target[i] = (lm_real)(test_random(&state) % 2);
        if (!is_known(which, i)) b->target[i] = (lm_real)NAN;
    }
    if (!weighted) b->target_weight = NULL;
    for (size_t g = 0; g < GRAPHS; g++) b->graph_weight[g] = !is_known(which, g) ? 0 : weighted ? 1 + (double)g : 1;
}

/* The loss by its definition. */
static double slow_loss(lm_operation loss, const lm_batch *b, const lm_real *output)
{
    double sum = 0, weights = 0;
    const size_t outputs = outputs_of(loss);
    for (size_t g = 0; g < GRAPHS; g++) {
        const lm_real *y = output + g * outputs;
        double total = 0;
        for (size_t i = 0; i < outputs; i++) total += exp((double)y[i]);
        if (loss == LM_OP_CROSS_ENTROPY) {
            sum -= b->graph_weight[g] * log(exp((double)y[b->class_id[g]]) / total);
            weights += b->graph_weight[g];
            continue;
        }
        for (size_t i = 0; i < outputs; i++) {
            const double t = (double)b->target[g * outputs + i], off = (double)y[i] - t,
                         p = 1 / (1 + exp(-(double)y[i])), w = b->target_weight ? b->target_weight[g * outputs + i] : 1;
            if (isnan(t)) continue;
            if (loss == LM_OP_BINARY_CROSS_ENTROPY) {
                sum -= w * (t > 0.5 ? log(p) : log(1 - p));
                weights += w;
            } else {
                sum += loss == LM_OP_L1 ? fabs(off) : off * off;
                weights++;
            }
        }
    }
    return weights > 0 ? sum / weights : 0;
}

static void check(lm_operation loss, missing which, bool weighted)
{
    leman_context *ctx = test_context_new(1);
    lm_program *p = NULL;
    lm_batch b;
    make_batch(ctx, loss, which, weighted, &b);
    assert_int_equal(lm_program_new(ctx, 1, &p), LEMAN_OK);
    uint32_t x = lm_program_input(p, LM_FROM_VERTEX_ATTRIBUTES, CHECK_COLUMNS);
    x = lm_program_linear(p, x, lm_linear_new(p, "first", CHECK_COLUMNS, 4), LM_ELU);
    x = lm_program_pool(p, x, false);
    lm_program_predict(p, lm_program_linear(p, x, lm_linear_new(p, "last", 4, outputs_of(loss)), LM_IDENTITY));
    lm_program_set_loss(p, loss);
    check_run n = check_run_new(ctx, p, LM_TRAIN, 3, true);
    const double found = check_pass(&n, &b);
    lm_real *output = calloc(GRAPHS * CHECK_CLASSES, sizeof *output);
    assert_int_equal(lm_executor_value(n.executor, n.executor->program->prediction, output), LEMAN_OK);
    check_close(found, slow_loss(loss, &b, output), 1e-12, lm_operation_name(loss));
    if (which == ALL) {
        assert_true(found >= 0 && found <= 0);
        for (size_t i = 0; i < n.trainable; i++) assert_true(n.gradients[i] >= 0 && n.gradients[i] <= 0);
    } else {
        check_differences(&n, &b, 20, lm_operation_name(loss));
    }
    free(output);
    check_run_free(&n);
    lm_program_free(p);
    lm_batch_free(&b);
    test_context_free(ctx);
}

static void test_losses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof LOSSES / sizeof *LOSSES; i++)
        for (missing which = NONE; which <= ALL; which++)
            for (int weighted = 0; weighted < 2; weighted++) check(LOSSES[i], which, weighted);
}

/* Logits whose exponentials overflow: the loss of a wrong one is its size, of a right one 0. */
static void test_large_logits(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    lm_program *p = NULL;
    lm_batch b;
    make_batch(ctx, LM_OP_BINARY_CROSS_ENTROPY, NONE, false, &b);
    for (size_t i = 0; i < GRAPHS * CHECK_TARGETS; i++) b.target[i] = (lm_real)(i % 2);
    assert_int_equal(lm_program_new(ctx, 1, &p), LEMAN_OK);
    uint32_t x = lm_program_pool(p, lm_program_input(p, LM_FROM_VERTEX_ATTRIBUTES, CHECK_COLUMNS), false);
    lm_program_predict(p, lm_program_linear(p, x, lm_linear_new(p, "last", CHECK_COLUMNS, CHECK_TARGETS), LM_IDENTITY));
    lm_program_set_loss(p, LM_OP_BINARY_CROSS_ENTROPY);
    check_run n = check_run_new(ctx, p, LM_TRAIN, 3, true);
    for (size_t i = 0; i < n.trainable; i++) n.weights[i] = 0;
    const lm_weight *bias = lm_program_weight(p, 1);
    assert_int_equal(bias->rows * bias->columns, CHECK_TARGETS);
    n.weights[bias->offset] = n.weights[bias->offset + 1] = 5000; /* the first task is always 0, the second 1 */
    check_close(check_pass(&n, &b), 2500, 1e-12, "all graphs positive");
    check_close((double)n.gradients[bias->offset], 0.5, 1e-12, "the wrong task");
    check_close((double)n.gradients[bias->offset + 1], 0, 1e-12, "the right task");
    n.weights[bias->offset] = n.weights[bias->offset + 1] = -5000;
    check_close(check_pass(&n, &b), 2500, 1e-12, "all graphs negative");
    check_close((double)n.gradients[bias->offset], 0, 1e-12, "the right task");
    check_close((double)n.gradients[bias->offset + 1], -0.5, 1e-12, "the wrong task");
    check_run_free(&n);
    lm_program_free(p);
    lm_batch_free(&b);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_losses), cmocka_unit_test(test_large_logits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
