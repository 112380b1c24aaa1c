/*
 * Networks as a whole: the same digits for any number of threads and any way of keeping values, memory that is planned,
 * bounded and allocated once, failing allocations, initial weights, and programs that contradict themselves.
 */
#include "nn/check.h"

static const size_t LARGE[] = {23, 17, 30, 1, 0, 21, 2, SIZE_MAX};
static const size_t SMALL[] = {5, 9, SIZE_MAX};

/* Layers as the models have them: sums over both components, linear maps, norms; pooled layers joined. */
static lm_program *model_new(leman_context *ctx, unsigned k, size_t width, unsigned layers, leman_status *status)
{
    lm_program *p = NULL;
    uint32_t x = LM_NONE, pooled[8];
    if ((*status = lm_program_new(ctx, k, &p))) return NULL;
    for (unsigned t = 0; t < layers; t++) {
        uint32_t h[2];
        lm_program_segment(p);
        lm_program_enter(p, "layer%u", t);
        for (unsigned j = 0; j < 2; j++) {
            lm_program_enter(p, "position%u", j);
            lm_sum sum = lm_sum_default(j ? LM_LEAVING : LM_OTHERS, j % k, lm_epsilon_new(p, "epsilon"));
            if (!t) {
                lm_index index = k == 1 ? LM_INDEX_VERTEX_TYPE : LM_INDEX_TUPLE_TYPE;
                uint32_t table = lm_table_new(p, "first", CHECK_TYPES, width);
                x = lm_program_embed(p, index, 0, table);
                sum.bias = lm_bias_new(p, "first", CHECK_TYPES, width);
                sum.activation = LM_RELU;
            }
            h[j] = lm_program_sum(p, x, &sum);
            if (t) h[j] = lm_program_linear(p, h[j], lm_linear_new(p, "first", width, width), LM_RELU);
            h[j] = lm_program_linear(p, h[j], lm_linear_new(p, "second", width, width), LM_RELU);
            lm_program_leave(p);
        }
        uint32_t z =
            lm_program_linear(p, lm_program_join(p, h, 2), lm_linear_new(p, "merge", 2 * width, width), LM_RELU);
        z = lm_program_linear(p, z, lm_linear_new(p, "merged", width, width), LM_IDENTITY);
        x = lm_program_norm(p, z, lm_norm_new(p, "norm", width), LM_IDENTITY);
        pooled[t] = lm_program_pool(p, x, true);
        lm_program_leave(p);
    }
    uint32_t y = lm_program_join(p, pooled, layers);
    y = lm_program_dropout(p, lm_program_linear(p, y, lm_linear_new(p, "head", layers * width, width), LM_RELU), 0.5);
    lm_program_predict(p, lm_program_linear(p, y, lm_linear_new(p, "last", width, CHECK_TARGETS), LM_IDENTITY));
    lm_program_set_loss(p, LM_OP_L1);
    *status = lm_program_finish(p);
    return p;
}

static lm_program *model(leman_context *ctx, unsigned k, size_t width, unsigned layers)
{
    leman_status st;
    lm_program *p = model_new(ctx, k, width, layers, &st);
    if (st) fail_msg("%s", leman_context_message(ctx));
    return p;
}

/* What a training pass leaves: loss, gradients, running statistics, and predictions of an evaluation after it. */
typedef struct outcome {
    double loss;
    size_t numbers, trainable, predictions;
    lm_real *gradients, *weights, *prediction;
    lm_executor_size size;
} outcome;

static outcome pass(int threads, lm_mode mode, unsigned k, size_t width, const size_t *before, const size_t *sizes)
{
    leman_context *ctx = test_context_new(threads);
    lm_program *p = model(ctx, k, width, 3);
    lm_batch b;
    check_run n = check_run_new(ctx, p, mode, 5, false);
    if (before) {
        check_batch(ctx, k, before, 30, false, 3, &b);
        assert_int_equal(lm_executor_forward(n.executor, &b, false, 0), LEMAN_OK);
        lm_batch_free(&b);
    }
    check_batch(ctx, k, sizes, 20, false, 7, &b);
    outcome o = {.numbers = n.numbers, .trainable = n.trainable};
    o.predictions = b.extent.rows[LM_GRAPHS] * CHECK_TARGETS;
    o.gradients = calloc(o.numbers, sizeof(lm_real));
    o.weights = calloc(o.numbers, sizeof(lm_real));
    o.prediction = calloc(o.predictions, sizeof(lm_real));
    if (mode != LM_INFER) {
        o.loss = check_pass(&n, &b);
        memcpy(o.gradients, n.gradients, o.trainable * sizeof(lm_real));
    }
    assert_int_equal(lm_executor_weights_read(n.executor, o.weights), LEMAN_OK);
    assert_int_equal(lm_executor_weights_write(n.executor, n.weights),
                     LEMAN_OK); /* without what the pass did to running statistics */
    assert_int_equal(lm_executor_forward(n.executor, &b, false, 0), LEMAN_OK);
    assert_int_equal(lm_executor_value(n.executor, n.executor->program->prediction, o.prediction), LEMAN_OK);
    o.size = n.executor->size;
    check_run_free(&n);
    lm_program_free(p);
    lm_batch_free(&b);
    test_context_free(ctx);
    return o;
}

static void outcome_free(outcome *o)
{
    free(o->gradients);
    free(o->weights);
    free(o->prediction);
}

static void assert_same_outcome(const outcome *a, const outcome *b)
{
    assert_true(a->loss == b->loss);
    assert_memory_equal(a->gradients, b->gradients, a->trainable * sizeof(lm_real));
    assert_memory_equal(a->weights, b->weights, a->numbers * sizeof(lm_real));
    assert_memory_equal(a->prediction, b->prediction, a->predictions * sizeof(lm_real));
}

/* ---- The same digits ------------------------------------------------------------------------- */

static void threads_change_nothing(void **state)
{
    (void)state;
    for (unsigned k = 1; k <= 2; k++) {
        outcome one = pass(1, LM_TRAIN, k, 40, NULL, LARGE);
        assert_true(one.loss > 0);
        for (int threads = 2; threads <= 5; threads += 3) {
            outcome many = pass(threads, LM_TRAIN, k, 40, NULL, LARGE);
            assert_same_outcome(&one, &many);
            outcome_free(&many);
        }
        outcome_free(&one);
    }
}

/* Values that share memory, values that are computed again, a larger batch and a smaller one before. */
static void memory_changes_nothing(void **state)
{
    (void)state;
    outcome whole = pass(2, LM_WHOLE, 2, 12, NULL, LARGE), train = pass(2, LM_TRAIN, 2, 12, NULL, LARGE);
    outcome again = pass(2, LM_RECOMPUTE, 2, 12, NULL, LARGE), infer = pass(2, LM_INFER, 2, 12, NULL, LARGE);
    outcome less = pass(2, LM_LESS, 2, 12, NULL, LARGE), least = pass(2, LM_LEAST, 2, 12, NULL, LARGE);
    outcome grown = pass(2, LM_TRAIN, 2, 12, SMALL, LARGE), fresh = pass(2, LM_TRAIN, 2, 12, NULL, SMALL);
    outcome shrunk = pass(2, LM_TRAIN, 2, 12, LARGE, SMALL);
    assert_same_outcome(&whole, &train);
    assert_same_outcome(&whole, &again);
    assert_same_outcome(&whole, &less);
    assert_same_outcome(&whole, &least);
    assert_same_outcome(&whole, &grown);
    assert_same_outcome(&fresh, &shrunk);
    assert_memory_equal(infer.prediction, whole.prediction, whole.predictions * sizeof(lm_real));
    assert_true(train.size.activation_bytes < whole.size.activation_bytes);
    assert_true(again.size.activation_bytes < train.size.activation_bytes);
    assert_true(infer.size.activation_bytes < again.size.activation_bytes);
    assert_true(less.size.activation_bytes < train.size.activation_bytes);
    assert_true(least.size.activation_bytes < less.size.activation_bytes);
    outcome *all[] = {&whole, &train, &again, &less, &least, &infer, &grown, &fresh, &shrunk};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) outcome_free(all[i]);
}

/* Small batches keep all values, larger ones compute more and more of them again, and those that would still need more
 * keep all. */
static void large_batches_keep_less(void **state)
{
    leman_context *ctx = test_context_new(1);
    lm_program *p = model(ctx, 2, 12, 3);
    lm_backend *b = NULL;
    const size_t enough = (size_t)950 << 20;
    const lm_mode expected[] = {LM_TRAIN, LM_LESS, LM_LEAST, LM_TRAIN};
    size_t at = 0;
    (void)state;
    assert_int_equal(lm_backend_new(ctx, "cpu", 0, &b), LEMAN_OK);
    for (size_t n = 500; n < 5000; n += n / 50) {
        const lm_extent max = {{[LM_TUPLES] = n * n, [LM_VERTICES] = n, [LM_ARCS] = n, [LM_GRAPHS] = 1}};
        lm_executor_size size, all;
        lm_mode mode;
        assert_int_equal(lm_executor_choose(ctx, p, b, &max, enough, &mode), LEMAN_OK);
        assert_int_equal(lm_executor_measure(ctx, p, b, mode, &max, &size), LEMAN_OK);
        assert_int_equal(lm_executor_measure(ctx, p, b, LM_TRAIN, &max, &all), LEMAN_OK);
        if (mode != expected[at]) at++;
        assert_true(at < sizeof expected / sizeof *expected);
        assert_int_equal(mode, expected[at]);
        assert_true(at == 3 || size.activation_bytes <= enough);
        assert_true(!at || all.activation_bytes > enough);
    }
    assert_int_equal(at, 3);
    lm_backend_free(b);
    lm_program_free(p);
    test_context_free(ctx);
}

/* A norm whose values are computed again on the way back, in the middle of a segment. Its running values move once a
 * batch, however values are kept, and not at all for a batch without rows. */
static void running_values_move_once(void **state)
{
    enum { WIDTH = 4 };
    static const size_t EMPTY[] = {0, SIZE_MAX};
    lm_real *moved[2];
    size_t running = 0;
    (void)state;
    for (int again = 0; again < 2; again++) {
        leman_context *ctx = test_context_new(1);
        lm_program *p = NULL;
        lm_batch some, none;
        assert_int_equal(lm_program_new(ctx, 1, &p), LEMAN_OK);
        lm_program_segment(p);
        uint32_t x = lm_program_embed(p, LM_INDEX_VERTEX_TYPE, 0, lm_table_new(p, "x", CHECK_TYPES, WIDTH));
        x = lm_program_norm(p, x, lm_norm_new(p, "norm", WIDTH), LM_RELU);
        x = lm_program_linear(p, x, lm_linear_new(p, "first", WIDTH, WIDTH), LM_RELU);
        lm_program_segment(p);
        x = lm_program_pool(p, lm_program_linear(p, x, lm_linear_new(p, "second", WIDTH, WIDTH), LM_RELU), true);
        lm_program_predict(p, lm_program_linear(p, x, lm_linear_new(p, "last", WIDTH, CHECK_TARGETS), LM_IDENTITY));
        lm_program_set_loss(p, LM_OP_SQUARE);
        check_run n = check_run_new(ctx, p, again ? LM_RECOMPUTE : LM_TRAIN, 5, false);
        check_batch(ctx, 1, SMALL, 30, false, 7, &some);
        check_batch(ctx, 1, EMPTY, 30, false, 7, &none);
        running = n.numbers - n.trainable;
        assert_int_equal(running, 2 * WIDTH);
        check_pass(&n, &some);
        moved[again] = malloc(n.numbers * sizeof(lm_real));
        assert_int_equal(lm_executor_weights_read(n.executor, moved[again]), LEMAN_OK);
        for (size_t i = n.trainable; i < n.numbers; i++) assert_true(moved[again][i] != n.weights[i]);
        memcpy(n.weights, moved[again], n.numbers * sizeof(lm_real));
        check_pass(&n, &none); /* begins with n.weights */
        assert_int_equal(lm_executor_weights_read(n.executor, moved[again]), LEMAN_OK);
        assert_memory_equal(moved[again], n.weights, n.numbers * sizeof(lm_real));
        memmove(moved[again], moved[again] + n.trainable, running * sizeof(lm_real));
        check_run_free(&n);
        lm_program_free(p);
        lm_batch_free(&some);
        lm_batch_free(&none);
        test_context_free(ctx);
    }
    assert_memory_equal(moved[0], moved[1], running * sizeof(lm_real));
    free(moved[0]);
    free(moved[1]);
}

/* Gradients are added to what is there. */
static void gradients_add_up(void **state)
{
    leman_context *ctx = test_context_new(1);
    lm_program *p = model(ctx, 2, 4, 2);
    lm_batch b;
    (void)state;
    check_batch(ctx, 2, SMALL, 30, false, 7, &b);
    check_run n = check_run_new(ctx, p, LM_TRAIN, 5, false);
    check_pass(&n, &b);
    lm_real *twice = malloc(n.trainable * sizeof *twice);
    check_loss(&n, &b);
    assert_int_equal(lm_executor_backward(n.executor), LEMAN_OK);
    check_gradients(&n, twice);
    for (size_t i = 0; i < n.trainable; i++) check_close((double)twice[i], 2 * (double)n.gradients[i], 1e-6, "twice");
    /* Not a second time without a pass between. */
    assert_int_equal(lm_executor_backward(n.executor), LEMAN_ERROR_INTERNAL);
    free(twice);
    check_run_free(&n);
    lm_program_free(p);
    lm_batch_free(&b);
    test_context_free(ctx);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void the_budget_is_kept(void **state)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    lm_executor *executor = NULL;
    lm_executor_size size;
    lm_extent max = {{[LM_TUPLES] = 30000, [LM_VERTICES] = 1000, [LM_GRAPHS] = 25}};
    (void)state;
    settings.threads = 1;
    settings.memory = 4 << 20;
    settings.device = check_device();
    settings.device_memory = 36 << 20; /* 32 of them are for products */
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    lm_program *p = model(ctx, 2, 32, 3);
    lm_backend *backend = check_backend(ctx);
    assert_int_equal(lm_executor_new(ctx, p, backend, LM_TRAIN, &executor), LEMAN_OK);
    assert_int_equal(lm_executor_measure(ctx, p, backend, LM_TRAIN, &max, &size), LEMAN_OK);
    assert_true(size.activation_bytes > (size_t)30000 * 32 * sizeof(lm_real));
    assert_int_equal(size.parameters, p->trainable);
    assert_int_equal(lm_executor_reserve(executor, &max), LEMAN_ERROR_BUDGET);
    if (backend->immediate) assert_non_null(strstr(leman_context_message(ctx), "30000 tuples")); /* others pad */
    assert_null(strchr(leman_context_message(ctx), '\n'));
    max.rows[LM_TUPLES] = 100;
    assert_int_equal(lm_executor_reserve(executor, &max), LEMAN_OK);
    max.rows[LM_TUPLES] = SIZE_MAX / 8;
    assert_int_equal(lm_executor_reserve(executor, &max), LEMAN_ERROR_BUDGET);
    lm_executor_free(executor);
    lm_backend_free(backend);
    lm_program_free(p);
    leman_context_free(ctx);
}

static size_t allocations;

static void *counted(void *user, size_t size)
{
    (void)user;
    allocations++;
    return malloc(size);
}

static void *counted_again(void *user, void *pointer, size_t size)
{
    (void)user;
    allocations++;
    return realloc(pointer, size);
}

static void released(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

/* After the first batch, or after reserving for the largest, nothing is allocated. */
static void nothing_is_allocated_later(void **state)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    (void)state;
    settings.threads = 2;
    settings.allocate = counted;
    settings.reallocate = counted_again;
    settings.release = released;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    for (int mode = LM_INFER; mode <= LM_RECOMPUTE; mode++) {
        lm_program *p = model(ctx, 2, 8, 3);
        lm_batch large, small;
        check_batch(ctx, 2, LARGE, 30, false, 7, &large);
        check_batch(ctx, 2, SMALL, 30, false, 7, &small);
        check_run n = check_run_new(ctx, p, (lm_mode)mode, 5, false);
        lm_extent max = large.extent;
        for (size_t s = 0; s < LM_ROW_SPACES; s++)
            if (max.rows[s] < small.extent.rows[s]) max.rows[s] = small.extent.rows[s];
        assert_int_equal(lm_executor_reserve(n.executor, &max), LEMAN_OK);
        if (!n.backend->immediate) check_loss(&n, &large); /* a device meets its first batch */
        size_t before = allocations;
        for (size_t turn = 0; turn < 3; turn++) {
            const lm_batch *b = turn & 1 ? &small : &large;
            if (mode != LM_INFER)
                check_pass(&n, b);
            else
                check_loss(&n, b);
        }
        assert_int_equal(allocations, before);
        check_run_free(&n);
        lm_program_free(p);
        lm_batch_free(&large);
        lm_batch_free(&small);
    }
    leman_context_free(ctx);
}

/* A batch of one path of four vertices, its allocations allowed to fail. */
static leman_status path_batch(leman_context *ctx, lm_batch *b)
{
    lm_batch_init(ctx, b);
    b->k = 2;
    b->extent = (lm_extent){{[LM_TUPLES] = 16, [LM_VERTICES] = 4, [LM_ARCS] = 6, [LM_GRAPHS] = 1}};
    b->targets = CHECK_TARGETS;
    b->tuple_types = true;
    leman_status st = lm_batch_resize(b);
    if (st) return st;
    memcpy(b->start[LM_VERTICES], (uint32_t[]){0, 4}, 2 * sizeof(uint32_t));
    memcpy(b->leaving_start, (uint32_t[]){0, 1, 3, 5, 6}, 5 * sizeof(uint32_t));
    memcpy(b->head, (uint32_t[]){1, 0, 2, 1, 3, 2}, 6 * sizeof(uint32_t));
    for (uint32_t t = 0; t < 16; t++) b->tuple_type[t] = t % CHECK_TYPES;
    b->target[0] = b->target[1] = 1;
    lm_batch_link(b);
    return LEMAN_OK;
}

static leman_status training_step(leman_context *ctx, void *state)
{
    leman_status st = LEMAN_OK;
    lm_backend *backend = NULL;
    lm_executor *executor = NULL;
    lm_batch b;
    (void)state;
    lm_batch_init(ctx, &b);
    lm_program *p = model_new(ctx, 2, 6, 3, &st);
    if (st) goto done;
    TRY(lm_backend_new(ctx, check_device(), 0, &backend));
    TRY(lm_executor_new(ctx, p, backend, LM_RECOMPUTE, &executor));
    TRY(lm_executor_initialize(executor, 1));
    TRY(path_batch(ctx, &b));
    TRY(lm_executor_forward(executor, &b, true, 0));
    TRY(lm_executor_backward(executor));
done:
    lm_batch_free(&b);
    lm_executor_free(executor);
    lm_backend_free(backend);
    lm_program_free(p);
    return st;
}

static void allocations_may_fail(void **state)
{
    (void)state;
    assert_true(test_fail_each_allocation(training_step, NULL) > 50);
}

/* ---- Weights --------------------------------------------------------------------------------- */

static void initial_weights(void **state)
{
    leman_context *ctx = test_context_new(1);
    lm_program *p = model(ctx, 2, 16, 2), *q = NULL;
    (void)state;
    check_run a = check_run_new(ctx, p, LM_TRAIN, 5, false), b = check_run_new(ctx, p, LM_TRAIN, 6, false);
    for (uint32_t i = 0; i < p->weights.count; i++) {
        const lm_weight *w = lm_program_weight(p, i);
        double largest = 0, differs = 0;
        assert_true(w->trainable == (w->offset < p->trainable));
        for (size_t x = w->offset; x < w->offset + w->rows * w->columns; x++) {
            largest = fmax(largest, fabs((double)a.weights[x]));
            differs += a.weights[x] != b.weights[x];
            if (w->initial == LM_CONSTANT) assert_true((double)a.weights[x] == w->value);
        }
        if (w->initial == LM_CONSTANT) continue;
        assert_true(largest <= w->value * 1.000001 && largest > 0.5 * w->value);
        assert_true(differs > 0);
    }
    /* A weight more changes no other. */
    leman_status st;
    q = model_new(ctx, 2, 16, 3, &st);
    check_run c = check_run_new(ctx, q, LM_TRAIN, 5, false);
    for (uint32_t i = 0; i < p->weights.count; i++)
        for (uint32_t j = 0; j < q->weights.count; j++) {
            const lm_weight *w = lm_program_weight(p, i), *v = lm_program_weight(q, j);
            if (strcmp(w->name, v->name) || w->value != v->value || w->columns != v->columns) continue;
            assert_memory_equal(a.weights + w->offset, c.weights + v->offset, w->rows * w->columns * sizeof(lm_real));
        }
    check_run_free(&a);
    check_run_free(&b);
    check_run_free(&c);
    lm_program_free(p);
    lm_program_free(q);
    test_context_free(ctx);
}

/* 2 (F d + d) + d^2 ... counted by hand for two layers: the list holds what the equations name. */
static void numbers_are_counted(void **state)
{
    enum { D = 16, F = CHECK_TYPES };
    leman_context *ctx = test_context_new(1);
    lm_program *p = model(ctx, 2, D, 2);
    size_t square = D * D + D, merge = 2 * D * D + D + square + 2 * D;
    size_t first = 2 * (F * D + D + 1 + square) + merge, second = 2 * (1 + 2 * square) + merge;
    (void)state;
    assert_int_equal(p->trainable, first + second + (2 * D * D + D) + (D * CHECK_TARGETS + CHECK_TARGETS));
    assert_int_equal(p->numbers - p->trainable, 2 * 2 * D);
    assert_string_equal(lm_program_weight(p, 0)->name, "layer0.position0.epsilon");
    assert_string_equal(lm_program_weight(p, 1)->name, "layer0.position0.first.table");
    lm_program_free(p);
    test_context_free(ctx);
}

/* ---- Programs that contradict themselves ----------------------------------------------------- */

static void wrong_programs(void **state)
{
    leman_context *ctx = test_context_new(1);
    (void)state;
    for (int fault = 0; fault < 12; fault++) {
        lm_program *p = NULL;
        assert_int_equal(lm_program_new(ctx, 2, &p), LEMAN_OK);
        uint32_t x = lm_program_input(p, LM_FROM_TUPLE_ATTRIBUTES, 3),
                 v = lm_program_input(p, LM_FROM_VERTEX_ATTRIBUTES, 3);
        uint32_t y = lm_program_pool(p, x, true), c = y;
        switch (fault) {
        case 0: x = lm_program_linear(p, x, lm_linear_new(p, "a", 4, 3), LM_RELU); break;
        case 1: x = lm_program_join(p, (uint32_t[]){x, v}, 2); break;
        case 2: x = check_neighbors(p, x, LM_LEAVING, 2, LM_NONE); break;
        case 3: x = check_neighbors(p, y, LM_LEAVING, 0, LM_NONE); break;
        case 4: x = lm_program_norm(p, x, lm_norm_new(p, "a", 4), LM_RELU); break;
        case 5: x = lm_program_add(p, x, v, LM_IDENTITY); break;
        case 6: lm_program_predict(p, x); break;
        case 7: lm_program_set_loss(p, LM_OP_L1); break;
        case 8: x = lm_program_columns(p, x, 2, 2); break;
        case 9: x = lm_program_lstm(p, y, y, &c, lm_lstm_new(p, "a", 3, 4)); break;
        case 10: x = lm_program_messages(p, x, v, lm_sum_default(LM_LEAVING, 0, LM_NONE)); break;
        default: lm_epsilon_new(p, "a"), lm_epsilon_new(p, "a");
        }
        x = lm_program_linear(p, x, lm_linear_new(p, "later", 3, 3), LM_RELU); /* nothing happens any more */
        assert_int_equal(lm_program_finish(p), LEMAN_ERROR_INTERNAL);
        assert_true(strlen(leman_context_message(ctx)) > 0);
        lm_program_free(p);
    }
    test_context_free(ctx);
}

/* A batch that the program was not built for. */
static void wrong_batches(void **state)
{
    leman_context *ctx = test_context_new(1);
    lm_program *p = NULL;
    lm_batch b;
    (void)state;
    check_batch(ctx, 2, SMALL, 30, false, 7, &b);
    assert_int_equal(lm_program_new(ctx, 2, &p), LEMAN_OK);
    uint32_t x = lm_program_input(p, LM_FROM_TUPLE_ATTRIBUTES, CHECK_COLUMNS + 1);
    lm_program_predict(p, lm_program_pool(p, x, true));
    check_run n = check_run_new(ctx, p, LM_TRAIN, 5, false);
    assert_int_equal(lm_executor_forward(n.executor, &b, true, 0), LEMAN_ERROR_INTERNAL);
    b.tuple_attributes = CHECK_COLUMNS + 1;
    b.k = 3;
    assert_int_equal(lm_executor_forward(n.executor, &b, true, 0), LEMAN_ERROR_INTERNAL);
    assert_int_equal(lm_executor_backward(n.executor), LEMAN_ERROR_INTERNAL);
    check_run_free(&n);
    lm_program_free(p);
    lm_batch_free(&b);
    test_context_free(ctx);
}

/* Graphs without vertices, without edges, of one vertex: everything stays finite. */
static void degenerate_graphs(void **state)
{
    static const size_t SIZES[][4] = {{0, SIZE_MAX}, {0, 0, SIZE_MAX}, {1, SIZE_MAX}, {3, 0, 1, SIZE_MAX}};
    (void)state;
    for (unsigned k = 1; k <= 3; k++)
        for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
            leman_context *ctx = test_context_new(2);
            lm_program *p = model(ctx, k, 4, 2);
            lm_batch b;
            check_batch(ctx, k, SIZES[i], 0, false, 3, &b);
            check_run n = check_run_new(ctx, p, LM_TRAIN, 5, false);
            assert_true(isfinite(check_pass(&n, &b)));
            for (size_t x = 0; x < n.trainable; x++) assert_true(isfinite((double)n.gradients[x]));
            assert_int_equal(lm_executor_forward(n.executor, &b, false, 0), LEMAN_OK);
            check_run_free(&n);
            lm_program_free(p);
            lm_batch_free(&b);
            test_context_free(ctx);
        }
}

static bool stops(void *user, const leman_progress *progress)
{
    (void)user, (void)progress;
    return false;
}

/* The caller is asked between the steps of a batch, on the way there and on the way back. */
static void cancelled_in_a_batch(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    lm_program *p = model(ctx, 2, 4, 3);
    lm_batch b;
    check_run n = check_run_new(ctx, p, LM_TRAIN, 5, false);
    check_batch(ctx, 2, SMALL, 20, false, 7, &b);
    lm_progress_begin(ctx, 10, "training");
    for (int back = 0; back < 2 && n.backend->immediate; back++) { /* a device has the steps in its queue */
        ctx->settings.progress = NULL;
        if (back) assert_int_equal(lm_executor_forward(n.executor, &b, true, 0), LEMAN_OK);
        ctx->settings.progress = stops;
        ctx->progress.shown = -1e9; /* long ago */
        assert_int_equal(back ? lm_executor_backward(n.executor) : lm_executor_forward(n.executor, &b, true, 0),
                         LEMAN_ERROR_CANCELLED);
    }
    lm_batch_free(&b);
    check_run_free(&n);
    lm_program_free(p);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(memory_changes_nothing),
        cmocka_unit_test(large_batches_keep_less),
        cmocka_unit_test(running_values_move_once),
        cmocka_unit_test(gradients_add_up),
        cmocka_unit_test(the_budget_is_kept),
        cmocka_unit_test(nothing_is_allocated_later),
        cmocka_unit_test(allocations_may_fail),
        cmocka_unit_test(initial_weights),
        cmocka_unit_test(numbers_are_counted),
        cmocka_unit_test(degenerate_graphs),
        cmocka_unit_test(wrong_programs),
        cmocka_unit_test(wrong_batches),
        cmocka_unit_test(cancelled_in_a_batch),
    };
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
