/*
 * Batches of graphs that the backend has in its memory against those that the host makes: every array to the byte, with
 * what stands in rows of padding, and the gradients of a pass to the bit. Graphs come in any order and repeatedly; one
 * has a single vertex, one no edges. What a backend that keeps no graphs can show is the outline of such a batch.
 */
#include "nn/made.h"

static const uint32_t WHICH[] = {4, 0, 3, 3, 1};
enum { CHOSEN = sizeof WHICH / sizeof *WHICH };

/* Bytes of an array up to `rows` rows of its space. */
static size_t bytes_of(lm_backend *backend, const lm_batch *b, const lm_batch_array *a, size_t rows)
{
    const bool reals = a->kind == LM_ARRAY_REALS, starts = a->kind == LM_ARRAY_STARTS;
    const size_t element = reals ? backend->number_bytes(backend, a->rows) : a->element;
    if (a->kind == LM_ARRAY_OF_BATCH) return a->count(b) * element;
    return (rows * lm_batch_row_elements(b, a) * lm_batch_planes(b, a) + starts) * element;
}

static char *array_read(lm_backend *backend, const lm_batch *there, const lm_batch_array *a, size_t bytes)
{
    char *copy = malloc(bytes + 1);
    assert_int_equal(backend->read(backend, copy, lm_batch_array_of(there, a), bytes), LEMAN_OK);
    return copy;
}

/* The arrays on the device; those that nobody reads in rows of padding up to the live ones. */
static char **arrays_read(lm_backend *backend, const lm_batch *live, const lm_batch *there)
{
    char **copy = calloc(LM_BATCH_ARRAYS, sizeof *copy);
    for (size_t i = 0; i < LM_BATCH_ARRAYS; i++) {
        const lm_batch_array *a = lm_batch_arrays + i;
        const bool padded = a->kind != LM_ARRAY_NUMBERS && a->kind != LM_ARRAY_LEARNED;
        const lm_batch *of = padded ? there : live;
        if (!lm_batch_array_of(there, a)) continue;
        copy[i] = array_read(backend, there, a, bytes_of(backend, there, a, of->extent.rows[a->rows]));
    }
    return copy;
}

static void compare_batches(made *m, const lm_batch *host, const lm_batch *resident, const char *what)
{
    lm_backend *backend = m->run.backend;
    lm_batch copied, gathered;
    if (backend->load_batch(backend, host, &copied)) fail_msg("%s", leman_context_message(m->ctx));
    char **a = arrays_read(backend, host, &copied);
    if (backend->load_batch(backend, resident, &gathered)) fail_msg("%s", leman_context_message(m->ctx));
    char **b = arrays_read(backend, host, &gathered);
    assert_memory_equal(&copied.extent, &gathered.extent, sizeof copied.extent);
    for (size_t i = 0; i < LM_BATCH_ARRAYS; i++) {
        const lm_batch_array *array = lm_batch_arrays + i;
        const bool padded = array->kind != LM_ARRAY_NUMBERS && array->kind != LM_ARRAY_LEARNED;
        const lm_batch *of = padded ? &copied : host;
        assert_int_equal(!a[i], !b[i]);
        const size_t bytes = a[i] ? bytes_of(backend, &copied, array, of->extent.rows[array->rows]) : 0;
        for (size_t at = 0; at < bytes; at++)
            if (a[i][at] != b[i][at]) fail_msg("%s: array %zu differs at byte %zu of %zu", what, i, at, bytes);
        free(a[i]), free(b[i]);
    }
    free(a), free(b);
}

/* The gradients of a pass over the batch. */
static lm_real *gradients_of(made *m, const lm_batch *batch)
{
    lm_real *copy = malloc(m->run.trainable * sizeof *copy);
    (void)check_pass(&m->run, batch);
    memcpy(copy, m->run.gradients, m->run.trainable * sizeof *copy);
    return copy;
}

static void outline(made *m, const uint32_t *which, size_t count, lm_batch *out)
{
    lm_batch_init(m->ctx, out);
    assert_int_equal(lm_inputs_resident(m->inputs, which, count, out), LEMAN_OK);
    assert_memory_equal(&out->extent, &m->batch.extent, sizeof out->extent);
}

/* Every third type becomes unknown. */
static void forget_types(lm_batch *b)
{
    uint32_t *type[] = {b->tuple_type, b->vertex_type, b->arc_label, b->listed[0].type, b->listed[1].type};
    const lm_row_space space[] = {LM_TUPLES, LM_VERTICES, LM_ARCS, LM_LISTED, LM_LISTED + 1};
    for (size_t i = 0; i < sizeof type / sizeof *type; i++)
        for (size_t r = 0; type[i] && r < b->extent.rows[space[i]]; r += 3) type[i][r] = LM_NO_TYPE;
    lm_batch_link(b);
}

/* All graphs of the data on the device, two at a time. */
static void keep(made *m, bool unknown)
{
    lm_backend *backend = m->run.backend;
    lm_batch all;
    bool fits = false;
    made_batch(m, m->which, MADE_GRAPHS);
    outline(m, m->which, MADE_GRAPHS, &all);
    assert_int_equal(backend->reserve_resident(backend, &all, &fits), LEMAN_OK);
    assert_true(fits);
    const size_t step = unknown ? MADE_GRAPHS : 2;
    for (size_t at = 0; at < MADE_GRAPHS; at += step) {
        made_batch(m, m->which + at, MADE_GRAPHS - at < step ? MADE_GRAPHS - at : step);
        if (unknown) forget_types(&m->batch);
        assert_int_equal(backend->add_resident(backend, &m->batch, m->which + at), LEMAN_OK);
    }
    lm_batch_free(&all);
}

static void check_model(leman_network_kind kind, leman_preset preset, leman_precision precision)
{
    static const double WEIGHT[MADE_CLASSES] = {0.5, 2, 1};
    uint64_t random = 23;
    leman_settings settings = leman_settings_default();
    settings.threads = 1;
    settings.precision = precision;
    settings.device = check_device();
    leman_context *ctx = NULL;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    leman_dataset *data = made_data(ctx, &random, MADE_SIZES, 50);
    made m;
    made_new(&m, ctx, data, made_shape(kind, 2, preset), MADE_GRAPHS, LM_TRAIN, 7);
    const char *what = made_text(&m.options.shape);
    lm_batch resident;
    if (preset == LEMAN_PRESET_TU) m.inputs->class_weight = WEIGHT;
    if (m.run.backend->reserve_resident) {
        keep(&m, true);
        made_batch(&m, m.which, MADE_GRAPHS);
        forget_types(&m.batch);
        outline(&m, m.which, MADE_GRAPHS, &resident);
        compare_batches(&m, &m.batch, &resident, what);
        lm_batch_free(&resident);
        keep(&m, false);
    }
    made_batch(&m, WHICH, CHOSEN);
    outline(&m, WHICH, CHOSEN, &resident);
    if (m.run.backend->reserve_resident) {
        compare_batches(&m, &m.batch, &resident, what);
        lm_real *a = gradients_of(&m, &m.batch), *b = gradients_of(&m, &resident);
        assert_memory_equal(a, b, m.run.trainable * sizeof *a);
        free(a), free(b);
    }
    lm_batch_free(&resident);
    made_free(&m);
    leman_dataset_free(data);
    leman_context_free(ctx);
}

static void test_batches(void **state)
{
    (void)state;
    check_model(LEMAN_NETWORK_KIND_LOCAL, LEMAN_PRESET_ZINC, LEMAN_PRECISION_FP32);
    check_model(LEMAN_NETWORK_KIND_LOCAL_PLUS, LEMAN_PRESET_TU, LEMAN_PRECISION_FP32);
    check_model(LEMAN_NETWORK_KIND_LOCAL, LEMAN_PRESET_QM9, LEMAN_PRECISION_BF16);
    check_model(LEMAN_NETWORK_KIND_GINE, LEMAN_PRESET_ZINC, LEMAN_PRECISION_FP32);
    check_model(LEMAN_NETWORK_KIND_MPNN, LEMAN_PRESET_QM9, LEMAN_PRECISION_FP32);
    check_model(LEMAN_NETWORK_KIND_GNN123, LEMAN_PRESET_QM9, LEMAN_PRECISION_FP32);
}

/* Too little memory is said, and is no failure; a graph that was never given is one. */
static void test_refusals(void **state)
{
    (void)state;
    leman_settings settings = leman_settings_default();
    settings.device = check_device();
    settings.device_memory = 36 << 20; /* 32 of them are for products */
    uint64_t random = 23;
    leman_context *ctx = NULL;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    leman_dataset *data = made_data(ctx, &random, MADE_SIZES, 50);
    made m;
    lm_batch all;
    bool fits = true;
    made_new(&m, ctx, data, made_shape(LEMAN_NETWORK_KIND_LOCAL, 2, LEMAN_PRESET_ZINC), MADE_GRAPHS, LM_TRAIN, 7);
    outline(&m, m.which, MADE_GRAPHS, &all);
    lm_backend *backend = m.run.backend;
    if (backend->reserve_resident) {
        lm_batch there;
        assert_int_equal(backend->load_batch(backend, &all, &there), LEMAN_ERROR_INTERNAL);
        all.extent.rows[LM_TUPLES] = 10 << 20;
        assert_int_equal(backend->reserve_resident(backend, &all, &fits), LEMAN_OK);
        assert_false(fits);
    }
    lm_batch_free(&all);
    made_free(&m);
    leman_dataset_free(data);
    leman_context_free(ctx);
}

/* A backend that has room, and whose host has none after the first graphs. */
static size_t added, dropped;
static leman_status has_room(lm_backend *backend, const lm_batch *all, bool *fits)
{
    (void)backend;
    *fits = all->resident;
    return LEMAN_OK;
}
static leman_status add_once(lm_backend *backend, lm_batch *batch, const uint32_t *graph)
{
    assert_true(batch->head && graph);
    return added++ ? lm_fail(backend->ctx, LEMAN_ERROR_BUDGET, "no more") : LEMAN_OK;
}
static void drop(lm_backend *backend)
{
    (void)backend;
    dropped++;
}

/* Where the budget of the host ends, what is there is given back, and batches are made on the host. */
static void test_host_budget(void **state)
{
    (void)state;
    uint64_t random = 23;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = made_data(ctx, &random, MADE_SIZES, 50);
    lm_backend stub = {.ctx = ctx, .reserve_resident = has_room, .add_resident = add_once, .drop_resident = drop};
    made m;
    bool fits = true;
    made_new(&m, ctx, data, made_shape(LEMAN_NETWORK_KIND_LOCAL, 2, LEMAN_PRESET_ZINC), MADE_GRAPHS, LM_TRAIN, 7);
    assert_int_equal(lm_inputs_keep(m.inputs, m.which, MADE_GRAPHS, 2, &m.batch, &stub, &fits), LEMAN_OK);
    assert_false(fits);
    assert_int_equal(added, 2);
    assert_int_equal(dropped, 1);
    made_free(&m);
    leman_dataset_free(data);
    test_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_batches), cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_host_budget)};
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
