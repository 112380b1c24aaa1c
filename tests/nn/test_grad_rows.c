/*
 * Operations on rows against their definitions, in double precision: look-up as a product with one-hot rows, batch norm
 * by its formulas, cells, dropout, losses, values side by side.
 */
#include "nn/check.h"
#include "nn/cpu/cpu.h"

static const lm_real *weight_at(const check_fixture *s, uint32_t weight)
{
    return s->n.weights + lm_program_weight(s->p, weight)->offset;
}

static const lm_real *gradient_at(const check_fixture *s, uint32_t weight)
{
    return s->n.gradients + lm_program_weight(s->p, weight)->offset;
}

/* Mean, a linear map to the targets, squares. */
static void finish_program(check_fixture *s, uint32_t x)
{
    uint32_t y = lm_program_pool(s->p, x, true);
    lm_linear last = lm_linear_new(s->p, "last", lm_program_value(s->p, y)->width, CHECK_TARGETS);
    lm_program_predict(s->p, lm_program_linear(s->p, y, last, LM_IDENTITY));
    lm_program_set_loss(s->p, LM_OP_SQUARE);
}

/* ---- Look-up and linear maps ----------------------------------------------------------------- */

/* A table of weights is the linear map on one-hot rows: the same output, the same gradient. */
static void one_hot_is_a_table(void **state)
{
    enum { WIDTH = 4 };
    lm_real *value[2], table[CHECK_TYPES * WIDTH] = {0}, gradient[CHECK_TYPES * WIDTH] = {0};
    (void)state;
    for (int dense = 0; dense < 2; dense++) {
        check_fixture s = check_fixture_new(2, false, 50, 3);
        size_t tuples = s.b.extent.rows[LM_TUPLES];
        lm_real *hot = calloc(tuples * CHECK_TYPES, sizeof *hot);
        lm_linear map = {.weight = 0, .bias = LM_NONE};
        uint32_t x;
        for (size_t t = 0; t < tuples; t++)
            if (s.b.tuple_type[t] != LM_NO_TYPE) hot[t * CHECK_TYPES + s.b.tuple_type[t]] = 1;
        if (dense) {
            x = lm_program_input(s.p, LM_FROM_TUPLE_ATTRIBUTES, CHECK_TYPES);
            map.weight = lm_map_new(s.p, "x", WIDTH, CHECK_TYPES, 1).weight;
            x = lm_program_linear(s.p, x, map, LM_IDENTITY);
            s.b.tuple_attributes = CHECK_TYPES; /* not in the block of the batch */
            s.b.tuple_attribute = hot;
        } else {
            map.weight = lm_table_new(s.p, "x", CHECK_TYPES, WIDTH);
            x = lm_program_embed(s.p, LM_INDEX_TUPLE_TYPE, 0, map.weight);
        }
        uint32_t z = check_neighbors(s.p, x, LM_LEAVING, 1, LM_NONE);
        finish_program(&s, lm_program_bias(s.p, z, LM_NONE, LM_ELU));
        check_fixture_run(&s, 7);
        lm_real *weights = s.n.weights + lm_program_weight(s.p, map.weight)->offset;
        for (size_t t = 0; t < CHECK_TYPES; t++)
            for (size_t i = 0; i < WIDTH; i++) {
                if (!dense) table[t * WIDTH + i] = weights[t * WIDTH + i];
                if (dense) weights[i * CHECK_TYPES + t] = table[t * WIDTH + i];
            }
        check_pass(&s.n, &s.b);
        value[dense] = check_value(&s.n, &s.b, x);
        for (size_t t = 0; t < CHECK_TYPES; t++)
            for (size_t i = 0; i < WIDTH; i++) {
                const lm_real *given = gradient_at(&s, map.weight);
                if (!dense) gradient[t * WIDTH + i] = given[t * WIDTH + i];
                if (dense)
                    check_close((double)given[i * CHECK_TYPES + t], (double)gradient[t * WIDTH + i], 1e-12, "dW");
            }
        if (dense) check_same(value[0], value[1], tuples * WIDTH, 1e-12, "one-hot");
        free(hot);
        check_fixture_free(&s);
    }
    free(value[0]);
    free(value[1]);
}

/* More rows than a chunk, several parts; Y = f(X W' + b) number by number. */
static void linear_by_definition(void **state)
{
    static const size_t MANY[] = {40, 30, 7, SIZE_MAX};
    enum { WIDTH = 5 };
    (void)state;
    leman_context *ctx = test_context_new(2);
    check_fixture s = {.ctx = ctx};
    check_batch(ctx, 2, MANY, 10, false, 5, &s.b);
    assert_int_equal(lm_program_new(ctx, 2, &s.p), LEMAN_OK);
    uint32_t x = lm_program_input(s.p, LM_FROM_TUPLE_ATTRIBUTES, CHECK_COLUMNS);
    lm_linear map = lm_linear_new(s.p, "map", CHECK_COLUMNS, WIDTH);
    uint32_t y = lm_program_linear(s.p, x, map, LM_ELU); /* of so many rows some would stand at ReLU's kink */
    finish_program(&s, y);
    check_fixture_run(&s, 9);
    check_differences(&s.n, &s.b, 5, "many rows");
    lm_real *given = check_value(&s.n, &s.b, y);
    for (size_t r = 0; r < s.b.extent.rows[LM_TUPLES]; r++)
        for (size_t o = 0; o < WIDTH; o++) {
            double sum = (double)weight_at(&s, map.bias)[o];
            for (size_t i = 0; i < CHECK_COLUMNS; i++)
                sum += (double)weight_at(&s, map.weight)[o * CHECK_COLUMNS + i] *
                       (double)s.b.tuple_attribute[r * CHECK_COLUMNS + i];
            check_close((double)given[r * WIDTH + o], sum > 0 ? sum : exp(sum) - 1, 1e-12, "linear");
        }
    free(given);
    check_fixture_free(&s);
}

/* Values side by side are what their parts are. */
static void joined_values(void **state)
{
    check_fixture s = check_fixture_new(1, false, 50, 3);
    uint32_t parts[3];
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        lm_program_enter(s.p, "%zu", i);
        parts[i] = lm_program_embed(s.p, LM_INDEX_VERTEX_TYPE, 0, lm_table_new(s.p, "x", CHECK_TYPES, i + 1));
        lm_program_leave(s.p);
    }
    uint32_t first = lm_program_join(s.p, parts, 2);
    uint32_t all = lm_program_join(s.p, (uint32_t[]){parts[2], first, parts[2]}, 3);
    uint32_t middle = lm_program_columns(s.p, all, 3, 3);
    check_fixture_run(&s, 6);
    lm_real *x[3], *whole = check_value(&s.n, &s.b, all), *cut = check_value(&s.n, &s.b, middle);
    for (size_t i = 0; i < 3; i++) x[i] = check_value(&s.n, &s.b, parts[i]);
    for (size_t r = 0; r < s.b.extent.rows[LM_VERTICES]; r++) {
        assert_memory_equal(whole + r * 9, x[2] + r * 3, 3 * sizeof(lm_real));
        assert_memory_equal(whole + r * 9 + 3, x[0] + r, sizeof(lm_real));
        assert_memory_equal(whole + r * 9 + 4, x[1] + r * 2, 2 * sizeof(lm_real));
        assert_memory_equal(whole + r * 9 + 6, x[2] + r * 3, 3 * sizeof(lm_real));
        assert_memory_equal(cut + r * 3, whole + r * 9 + 3, 3 * sizeof(lm_real));
    }
    for (size_t i = 0; i < 3; i++) free(x[i]);
    free(whole);
    free(cut);
    check_fixture_free(&s);
}

/* ---- Batch norm ------------------------------------------------------------------------------ */

/* Output, running mean and running variance by their formulas; then evaluation with the running values. */
static void norm_by_definition(void **state)
{
    static const size_t MANY[] = {30, 20, SIZE_MAX};
    (void)state;
    check_fixture s = {.ctx = test_context_new(2)};
    check_batch(s.ctx, 2, MANY, 10, false, 5, &s.b);
    assert_int_equal(lm_program_new(s.ctx, 2, &s.p), LEMAN_OK);
    uint32_t x = lm_program_input(s.p, LM_FROM_TUPLE_ATTRIBUTES, CHECK_COLUMNS);
    lm_norm norm = lm_norm_new(s.p, "norm", CHECK_COLUMNS);
    uint32_t y = lm_program_norm(s.p, x, norm, LM_IDENTITY);
    size_t rows = s.b.extent.rows[LM_TUPLES];
    for (size_t r = 0; r < rows; r++) s.b.tuple_attribute[r * CHECK_COLUMNS] += 1000; /* far from zero */
    check_fixture_run(&s, 8);
    lm_real *given = check_value(&s.n, &s.b, y), *now = malloc(s.n.numbers * sizeof *now);
    assert_int_equal(lm_executor_weights_read(s.n.executor, now), LEMAN_OK);
    for (size_t i = 0; i < CHECK_COLUMNS; i++) {
        double mean = 0, square = 0;
        for (size_t r = 0; r < rows; r++) mean += (double)s.b.tuple_attribute[r * CHECK_COLUMNS + i] / (double)rows;
        for (size_t r = 0; r < rows; r++) square += pow((double)s.b.tuple_attribute[r * CHECK_COLUMNS + i] - mean, 2);
        double scale = (double)weight_at(&s, norm.scale)[i], shift = (double)weight_at(&s, norm.shift)[i];
        for (size_t r = 0; r < rows; r++) {
            double z = ((double)s.b.tuple_attribute[r * CHECK_COLUMNS + i] - mean) / sqrt(square / (double)rows + 1e-5);
            check_close((double)given[r * CHECK_COLUMNS + i], scale * z + shift, 1e-9, "norm");
        }
        double running = 0.1 * mean, variance = 0.9 + 0.1 * square / (double)(rows - 1);
        check_close((double)now[lm_program_weight(s.p, norm.mean)->offset + i], running, 1e-9, "running mean");
        check_close((double)now[lm_program_weight(s.p, norm.variance)->offset + i], variance, 1e-9, "running variance");
    }
    assert_int_equal(lm_executor_forward(s.n.executor, &s.b, false, 0), LEMAN_OK);
    free(given);
    given = check_value(&s.n, &s.b, y);
    for (size_t r = 0; r < rows; r++)
        for (size_t i = 0; i < CHECK_COLUMNS; i++) {
            double mean = (double)now[lm_program_weight(s.p, norm.mean)->offset + i];
            double variance = (double)now[lm_program_weight(s.p, norm.variance)->offset + i];
            double z = ((double)s.b.tuple_attribute[r * CHECK_COLUMNS + i] - mean) / sqrt(variance + 1e-5);
            check_close((double)given[r * CHECK_COLUMNS + i],
                        (double)weight_at(&s, norm.scale)[i] * z + (double)weight_at(&s, norm.shift)[i], 1e-9, "eval");
        }
    free(given);
    free(now);
    check_fixture_free(&s);
}

/* A norm over labels is the norm over the arcs that carry them: output, gradients and running values. */
static void norm_of_labels_is_that_of_arcs(void **state)
{
    enum { WIDTH = 3 };
    lm_real *gradient[2], *now[2], *value[2];
    size_t numbers = 0, trainable = 0, vertices = 0;
    (void)state;
    for (int by_arc = 0; by_arc < 2; by_arc++) {
        check_fixture s = check_fixture_new(1, false, 50, 13);
        s.b.arc_label[2] = 0; /* all labels known: an unknown one would be a row of zeros among the arcs */
        s.b.label_count[0] += 1;
        uint32_t x = lm_program_embed(s.p, LM_INDEX_VERTEX_TYPE, 0, lm_table_new(s.p, "x", CHECK_TYPES, WIDTH));
        lm_index index = by_arc ? LM_INDEX_ARC_LABEL : LM_INDEX_LABEL;
        uint32_t e = lm_program_embed(s.p, index, 0, lm_table_new(s.p, "e", CHECK_LABELS, WIDTH));
        e = lm_program_norm(s.p, e, lm_norm_new(s.p, "norm", WIDTH), LM_RELU);
        uint32_t z = lm_program_messages(s.p, x, e, lm_sum_default(LM_LEAVING, 0, LM_NONE));
        finish_program(&s, z);
        check_fixture_run(&s, 4);
        now[by_arc] = malloc(s.n.numbers * sizeof(lm_real));
        assert_int_equal(lm_executor_weights_read(s.n.executor, now[by_arc]), LEMAN_OK);
        check_pass(&s.n, &s.b);
        value[by_arc] = check_value(&s.n, &s.b, z);
        gradient[by_arc] = malloc(s.n.trainable * sizeof(lm_real));
        memcpy(gradient[by_arc], s.n.gradients, s.n.trainable * sizeof(lm_real));
        numbers = s.n.numbers;
        trainable = s.n.trainable;
        vertices = s.b.extent.rows[LM_VERTICES];
        check_fixture_free(&s);
    }
    check_same(value[0], value[1], vertices * WIDTH, 1e-12, "values");
    check_same(gradient[0], gradient[1], trainable, 1e-9, "gradients");
    check_same(now[0], now[1], numbers, 1e-12, "running values");
    for (int i = 0; i < 2; i++) {
        free(gradient[i]);
        free(now[i]);
        free(value[i]);
    }
}

/* ---- Cells ----------------------------------------------------------------------------------- */

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

/* Row `row` of gate matrix times a vector, plus its bias. */
static double gate(const check_fixture *s, uint32_t matrix, uint32_t bias, size_t row, const lm_real *x, size_t width)
{
    double sum = (double)weight_at(s, bias)[row];
    for (size_t i = 0; i < width; i++) sum += (double)weight_at(s, matrix)[row * width + i] * (double)x[i];
    return sum;
}

static void cells_by_definition(void **state)
{
    enum { IN = 2, D = 3 };
    (void)state;
    for (int zero = 0; zero < 2; zero++) {
        check_fixture s = check_fixture_new(1, false, 50, 3);
        uint32_t x = lm_program_embed(s.p, LM_INDEX_VERTEX_TYPE, 0, lm_table_new(s.p, "x", CHECK_TYPES, IN));
        uint32_t h = lm_program_embed(s.p, LM_INDEX_VERTEX_TYPE, 0, lm_table_new(s.p, "h", CHECK_TYPES, D));
        uint32_t c = lm_program_embed(s.p, LM_INDEX_VERTEX_TYPE, 0, lm_table_new(s.p, "c", CHECK_TYPES, D)), old = c;
        lm_gates lstm = lm_lstm_new(s.p, "lstm", IN, D), gru = lm_gru_new(s.p, "gru", IN, D);
        uint32_t transposed = lm_program_lstm(s.p, x, h, &c, lstm), updated = lm_program_gru(s.p, x, h, gru);
        check_fixture_run(&s, 6);
        if (zero) {
            size_t first = lm_program_weight(s.p, lstm.input)->offset;
            memset(s.n.weights + first, 0, (s.n.trainable - first) * sizeof(lm_real));
            assert_int_equal(lm_executor_weights_write(s.n.executor, s.n.weights), LEMAN_OK);
            assert_int_equal(lm_executor_forward(s.n.executor, &s.b, true, 0), LEMAN_OK);
        }
        lm_real *vx = check_value(&s.n, &s.b, x), *vh = check_value(&s.n, &s.b, h), *vc = check_value(&s.n, &s.b, old);
        lm_real *new_h = check_value(&s.n, &s.b, transposed), *new_c = check_value(&s.n, &s.b, c);
        lm_real *next = check_value(&s.n, &s.b, updated);
        for (size_t r = 0; r < s.b.extent.rows[LM_VERTICES]; r++)
            for (size_t i = 0; i < D; i++) {
                double a[4], u[3], w[3], at = (double)vh[r * D + i];
                for (size_t k = 0; k < 4; k++)
                    a[k] = gate(&s, lstm.input, lstm.input_bias, k * D + i, vx + r * IN, IN) +
                           gate(&s, lstm.hidden, lstm.hidden_bias, k * D + i, vh + r * D, D);
                for (size_t k = 0; k < 3; k++) {
                    w[k] = gate(&s, gru.input, gru.input_bias, k * D + i, vx + r * IN, IN);
                    u[k] = gate(&s, gru.hidden, gru.hidden_bias, k * D + i, vh + r * D, D);
                }
                double cell = logistic(a[1]) * (double)vc[r * D + i] + logistic(a[0]) * tanh(a[2]);
                double fresh = tanh(w[2] + logistic(w[0] + u[0]) * u[2]), z = logistic(w[1] + u[1]);
                check_close((double)new_c[r * D + i], cell, 1e-12, "c");
                check_close((double)new_h[r * D + i], logistic(a[3]) * tanh(cell), 1e-12, "h");
                check_close((double)next[r * D + i], (1 - z) * fresh + z * at, 1e-12, "gru");
                if (zero) assert_true((double)next[r * D + i] == at / 2);
            }
        lm_real *all[] = {vx, vh, vc, new_h, new_c, next};
        for (size_t i = 0; i < 6; i++) free(all[i]);
        check_fixture_free(&s);
    }
}

/* With zero weights and a zero start, an LSTM stays at zero. */
static void lstm_of_zeros(void **state)
{
    check_fixture s = check_fixture_new(1, false, 50, 3);
    uint32_t x = lm_program_zeros(s.p, LM_GRAPHS, 4), h = lm_program_zeros(s.p, LM_GRAPHS, 2), c = h;
    uint32_t y = lm_program_lstm(s.p, x, h, &c, lm_lstm_new(s.p, "lstm", 4, 2));
    (void)state;
    check_fixture_run(&s, 6);
    memset(s.n.weights, 0, s.n.numbers * sizeof(lm_real));
    assert_int_equal(lm_executor_weights_write(s.n.executor, s.n.weights), LEMAN_OK);
    assert_int_equal(lm_executor_forward(s.n.executor, &s.b, true, 0), LEMAN_OK);
    lm_real *given = check_value(&s.n, &s.b, y);
    for (size_t i = 0; i < 2 * s.b.extent.rows[LM_GRAPHS]; i++) assert_true(given[i] == 0);
    free(given);
    check_fixture_free(&s);
}

/* ---- Dropout --------------------------------------------------------------------------------- */

static void dropout_drops_its_share(void **state)
{
    static const size_t MANY[] = {40, 40, SIZE_MAX};
    (void)state;
    check_fixture s = {.ctx = test_context_new(2)};
    check_batch(s.ctx, 2, MANY, 10, false, 5, &s.b);
    assert_int_equal(lm_program_new(s.ctx, 2, &s.p), LEMAN_OK);
    uint32_t x = lm_program_input(s.p, LM_FROM_TUPLE_ATTRIBUTES, CHECK_COLUMNS);
    uint32_t y = lm_program_dropout(s.p, x, 0.25), z = lm_program_dropout(s.p, x, 0.25);
    size_t count = s.b.extent.rows[LM_TUPLES] * CHECK_COLUMNS, dropped = 0, both = 0, again = 0;
    check_fixture_run(&s, 6);
    lm_real *first = check_value(&s.n, &s.b, y), *second = check_value(&s.n, &s.b, z);
    assert_int_equal(lm_executor_forward(s.n.executor, &s.b, true, 1), LEMAN_OK);
    lm_real *later = check_value(&s.n, &s.b, y);
    for (size_t i = 0; i < count; i++) {
        assert_true(first[i] == 0 || fabs((double)first[i] - (double)s.b.tuple_attribute[i] / 0.75) < 1e-12);
        dropped += first[i] == 0;
        both += first[i] == 0 && second[i] == 0;
        again += first[i] == 0 && later[i] == 0;
    }
    double n = (double)count, spread = 5 / sqrt(n); /* more than five deviations */
    check_close((double)dropped / n, 0.25, spread, "share");
    check_close((double)both / n, 0.0625, spread, "two steps are independent");
    check_close((double)again / n, 0.0625, spread, "two passes are independent");
    assert_int_equal(lm_executor_forward(s.n.executor, &s.b, false, 1), LEMAN_OK);
    free(later);
    later = check_value(&s.n, &s.b, y);
    assert_memory_equal(later, s.b.tuple_attribute, count * sizeof(lm_real));
    free(first);
    free(second);
    free(later);
    check_fixture_free(&s);
}

/* ---- Losses ---------------------------------------------------------------------------------- */

static void losses_by_definition(void **state)
{
    static const lm_operation LOSS[] = {LM_OP_L1, LM_OP_SQUARE, LM_OP_CROSS_ENTROPY};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        check_fixture s = check_fixture_new(1, false, 50, 3);
        size_t width = i == 2 ? CHECK_CLASSES : CHECK_TARGETS, graphs = s.b.extent.rows[LM_GRAPHS];
        uint32_t x = lm_program_embed(s.p, LM_INDEX_VERTEX_TYPE, 0, lm_table_new(s.p, "x", CHECK_TYPES, width));
        uint32_t y = lm_program_pool(s.p, x, true);
        lm_program_predict(s.p, y);
        lm_program_set_loss(s.p, LOSS[i]);
        check_fixture_run(&s, 6);
        double slow = 0, weight = 0;
        for (size_t g = 0; g < graphs; g++) weight += s.b.graph_weight[g];
        lm_real *given = check_value(&s.n, &s.b, y);
        const double loss = check_loss(&s.n, &s.b);
        for (size_t g = 0; g < graphs; g++) {
            double total = 0;
            for (size_t c = 0; c < width; c++) {
                double away = i < 2 ? (double)given[g * width + c] - (double)s.b.target[g * width + c] : 0;
                slow += (i ? away * away : fabs(away)) / (double)(graphs * width);
                total += exp((double)given[g * width + c]);
            }
            if (i == 2)
                slow -= s.b.graph_weight[g] / weight * log(exp((double)given[g * width + s.b.class_id[g]]) / total);
        }
        check_close(loss, slow, 1e-12, "loss");
        free(given);
        check_fixture_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_hot_is_a_table),
        cmocka_unit_test(linear_by_definition),
        cmocka_unit_test(joined_values),
        cmocka_unit_test(norm_by_definition),
        cmocka_unit_test(norm_of_labels_is_that_of_arcs),
        cmocka_unit_test(cells_by_definition),
        cmocka_unit_test(lstm_of_zeros),
        cmocka_unit_test(dropout_drops_its_share),
        cmocka_unit_test(losses_by_definition),
    };
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
