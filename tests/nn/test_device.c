/* Devices by name: which names there are, what a build without them says, and that a backend has every operation. */
#include "nn/backends.h"
#include "nn/on_device.h"
#include "refine/device_names.h"
#include <stdio.h>

/* ---- Names ----------------------------------------------------------------------------------- */

static const char *made_for(leman_context *ctx, const char *device)
{
    lm_backend *backend = NULL;
    if (lm_backend_new(ctx, device, 0, &backend)) return NULL;
    static char name[256];
    snprintf(name, sizeof name, "%s", backend->name);
    lm_backend_free(backend);
    return name;
}

static void test_names(void **state)
{
    (void)state;
    static const char *const WRONG[] = {"",        "gpu",      "CPU",     "cpu:0",
                                        "cuda:",   "cuda:x",   "cuda:1x", "cuda:-1",
                                        "cuda: 1", "cuda1",    "auto:0",  "cuda:99999999999999999999",
                                        " cpu",    "cuda:1024"};
    leman_context *ctx = test_context_new(1);
    assert_string_equal(made_for(ctx, "cpu"), "cpu");
    assert_string_equal(made_for(ctx, NULL), "cpu");
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        lm_backend *backend = NULL;
        assert_int_equal(lm_backend_new(ctx, WRONG[i], 0, &backend), LEMAN_ERROR_ARGUMENT);
        assert_null(backend);
        assert_non_null(strstr(leman_context_message(ctx), "expected cpu, cuda, cuda:N"));
        assert_int_equal(leman_device_check(ctx, WRONG[i]), LEMAN_ERROR_ARGUMENT);
    }
    assert_int_equal(leman_device_check(ctx, "cpu"), LEMAN_OK);
    assert_int_equal(leman_device_check(ctx, "auto"), LEMAN_OK);
    test_context_free(ctx);
}

/* A list: each name in it is one, training has a rank for each, and what works on one device takes the first. */
static void test_lists(void **state)
{
    (void)state;
    static const char *const WRONG[] = {",", "cpu,", ",cpu", "cpu,gpu", "cpu, cpu", "cuda:0,1", "cpu;cpu"};
    leman_context *ctx = test_context_new(1);
    char many[4 * 65 + 1] = "";
    lm_device_list list;
    for (int i = 0; i < 65; i++) strcat(many, i ? ",cpu" : "cpu");
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++)
        assert_int_equal(leman_device_check(ctx, WRONG[i]), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_device_check(ctx, many), LEMAN_ERROR_ARGUMENT);
    assert_int_equal(leman_device_check(ctx, "cpu,auto,cpu"), LEMAN_OK);
    assert_int_equal(lm_device_ranks("cpu,auto,cpu"), 3);
    assert_int_equal(lm_device_ranks(NULL), 1);
    assert_string_equal(made_for(ctx, "cpu,cpu"), "cpu");
    assert_int_equal(lm_device_list_parse(ctx, "cuda:7,cuda:3", &list), LEMAN_OK);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.device[1].number, 3);
    test_context_free(ctx);
}

/* LEMAN_TEST_DEVICE that is empty names no device. */
static void test_unnamed(void **state)
{
    (void)state;
    const char *given = getenv("LEMAN_TEST_DEVICE");
    char *before = given ? strdup(given) : NULL;
    setenv("LEMAN_TEST_DEVICE", "", 1);
    leman_context *ctx = test_context_new(1);
    assert_string_equal(made_for(ctx, ctx->settings.device), "cpu");
    test_context_free(ctx);
    if (before) setenv("LEMAN_TEST_DEVICE", before, 1);
    if (!before) unsetenv("LEMAN_TEST_DEVICE");
    free(before);
}

/* What is refused is refused in the same words by both, and "auto" never is. */
static void test_cuda(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    lm_backend *backend = NULL;
    const leman_status there = leman_device_check(ctx, "cuda");
    if (there) {
        assert_int_equal(there, LEMAN_ERROR_UNSUPPORTED);
        assert_non_null(strstr(leman_context_message(ctx), "CUDA"));
        assert_int_equal(lm_backend_new(ctx, "cuda", 0, &backend), LEMAN_ERROR_UNSUPPORTED);
        assert_int_equal(lm_backend_new(ctx, "cuda:1", 0, &backend), LEMAN_ERROR_UNSUPPORTED);
        assert_null(backend);
    }
    assert_int_equal(leman_device_check(ctx, "cuda:1023"), LEMAN_ERROR_UNSUPPORTED);
    assert_non_null(strstr(made_for(ctx, "auto"), there ? "cpu" : "CUDA device 0"));
    test_context_free(ctx);
}

/* The context says where; a call that wants CUDA gets it whatever the context says, and keeps its number. */
static void test_wanted(void **state)
{
    (void)state;
    static const struct {
        const char *of_context, *cpu, *cuda;
    } ROWS[] = {{NULL, NULL, "cuda"}, {"cpu", "cpu", "cuda"}, {"auto", "auto", "cuda"}, {"cuda:2", "cuda:2", "cuda:2"}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        char text[16] = "";
        leman_settings settings = leman_settings_default();
        leman_context *ctx = NULL;
        if (ROWS[i].of_context) settings.device = strcpy(text, ROWS[i].of_context);
        assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
        memset(text, 'x', sizeof text - 1); /* the context has a copy */
        const char *cpu = lm_device_wanted(ctx, LEMAN_DEVICE_CPU);
        assert_true(cpu == ROWS[i].cpu || !strcmp(cpu, ROWS[i].cpu));
        assert_string_equal(lm_device_wanted(ctx, LEMAN_DEVICE_CUDA), ROWS[i].cuda);
        leman_context_free(ctx);
    }
}

/* ---- Backends -------------------------------------------------------------------------------- */

/* Every operation has both ways, and every function is there. */
static void test_nothing_is_missing(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    lm_backend *b = check_backend(ctx);
    for (int op = 0; op < LM_OPERATIONS; op++) {
        if (!b->operations[op].forward) fail_msg("%s: no forward function", lm_operation_name((lm_operation)op));
        if (!b->operations[op].backward) fail_msg("%s: no backward function", lm_operation_name((lm_operation)op));
    }
    assert_true(b->name && *b->name && b->ctx == ctx && !b->status);
    assert_true(b->allocate && b->release && b->write && b->read && b->copy && b->clear && b->load_batch);
    assert_true(b->budget && b->number_bytes && b->control && b->add_loss && b->adam && b->free);
    lm_backend_free(b);
    test_context_free(ctx);
}

/* What was written is read, a part of it too; cleared bytes are 0; NULL is released like any other. */
static void test_memory(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    lm_backend *b = check_backend(ctx);
    unsigned char out[100], back[100];
    for (int i = 0; i < 100; i++) out[i] = (unsigned char)(i + 1);
    unsigned char *there = check_upload(b, out, sizeof out);
    b->clear(b, there + 10, 20);
    assert_int_equal(b->write(b, there + 90, out, 10), LEMAN_OK);
    assert_int_equal(b->read(b, back, there, sizeof back), LEMAN_OK);
    for (int i = 0; i < 100; i++) assert_int_equal(back[i], i >= 10 && i < 30 ? 0 : i >= 90 ? out[i - 90] : out[i]);
    assert_int_equal(b->read(b, back, there + 50, 1), LEMAN_OK);
    assert_int_equal(back[0], out[50]);
    b->release(b, there);
    b->release(b, NULL);
    lm_backend_free(b);
    test_context_free(ctx);
}

/* Two backends on one device keep to one limit of its memory together. */
static void test_shared_limit(void **state)
{
    (void)state;
    enum { LIMIT = 160 << 20, TAKEN = 40 << 20 }; /* each takes 32 MiB for products */
    leman_context *ctx = test_context_new(1);
    ctx->settings.device_memory = LIMIT;
    lm_backend *one = check_backend(ctx), *other = NULL;
    void *block = NULL;
    assert_int_equal(one->allocate(one, TAKEN, &block), LEMAN_OK);
    assert_int_equal(lm_backend_new_exact(ctx, check_device(), 0, one, &other), LEMAN_OK);
    if (!one->immediate) assert_true(other->budget(other) < LIMIT - TAKEN);
    assert_int_equal(ctx->settings.device_memory, LIMIT);
    one->release(one, block);
    lm_backend_free(other);
    lm_backend_free(one);
    test_context_free(ctx);
}

/* ---- Recorded steps -------------------------------------------------------------------------- */

#ifdef TEST_EMULATED
extern bool emulate_graphs;
#endif

/* A batch of 64 graphs as large as the molecules of QM9: n = 18 +- 3 vertices, their pairs with four neighbours each,
 * connected triples, and few links of those. */
static lm_extent molecules(uint64_t *random)
{
    lm_extent sum = {{0}};
    for (int g = 0; g < 64; g++) {
        size_t n = 0;
        for (int i = 0; i < 10; i++) n += test_random(random) % 5; /* 20 +- 4.5 */
        n = 18 + n * 2 / 3 - 13;
        const size_t rings = test_random(random) % 4, degrees = n + test_random(random) % n;
        const size_t rows[LM_SUMMED_SPACES] = {[LM_VERTICES] = n,
                                               [LM_ARCS] = 2 * (n - 1 + rings),
                                               [LM_LISTED] = n * (n - 1) / 2,
                                               [LM_LISTED + 1] = n - 2 + degrees / 2 + 2 * rings,
                                               [LM_LINKS] = (2 * n - 2) * (n - 1 + rings) - 2 * n,
                                               [LM_LINKS + 1] = rings * (test_random(random) % 13)};
        for (int space = 0; space < LM_SUMMED_SPACES; space++) sum.rows[space] += rows[space];
    }
    sum.rows[LM_GRAPHS] = 64;
    sum.rows[LM_SINGLE] = 1;
    return sum;
}

/* Padded rows are at most half as many again, those of pairs 1/32; more rows never become less, and padded ones stay as
 * they are. So what is measured for the largest batch is enough for all. */
static void test_padding(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    lm_backend *b = check_backend(ctx);
    lm_extent last = {{0}};
    for (size_t rows = 0; b->pad && rows < 3000000; rows += 1 + rows / 50) {
        lm_extent padded, again;
        for (int space = 0; space < LM_ROW_SPACES; space++) padded.rows[space] = rows;
        b->pad(b, &padded);
        again = padded;
        b->pad(b, &again);
        assert_memory_equal(&again, &padded, sizeof padded);
        for (int space = 0; space < LM_ROW_SPACES; space++) {
            const size_t more = padded.rows[space] - rows;
            const bool many = rows >= 8192 && (space == LM_TUPLES || lm_is_listed((lm_row_space)space));
            assert_true(padded.rows[space] >= rows && padded.rows[space] >= last.rows[space]);
            assert_true(more < 16 || more <= rows / (many ? 32 : space >= LM_LINKS && space < LM_LABELS ? 2 : 8));
        }
        last = padded;
    }
    lm_backend_free(b);
    test_context_free(ctx);
}

/* Steps on random batches: in three epochs nearly all are repeated. */
static void test_repeated(void **state)
{
    (void)state;
    enum { STEPS = 3 * 1700 };
    leman_context *ctx = test_context_new(1);
    lm_backend *b = check_backend(ctx);
    uint64_t random = 3;
    size_t repeated = 0;
#ifdef TEST_EMULATED
    emulate_graphs = true;
#endif
    for (int s = 0; b->replay && s < STEPS; s++) {
        lm_extent extent = molecules(&random);
        b->pad(b, &extent);
        if (b->replay(b, &extent, LM_RECORDED_STEP))
            repeated++;
        else
            b->recorded(b);
    }
    if (b->replay && repeated < STEPS * 96 / 100) fail_msg("%zu of %d steps are repeated", repeated, STEPS);
    assert_int_equal(b->status, LEMAN_OK);
    lm_backend_free(b);
    test_context_free(ctx);
}

/* Extents beyond those that are recorded are launched, and allocating memory forgets all. */
static void test_records(void **state)
{
    (void)state;
    enum { EXTENTS = 300, RECORDED = 256 };
    leman_context *ctx = test_context_new(1);
    lm_backend *b = check_backend(ctx);
    void *block = NULL;
#ifdef TEST_EMULATED
    emulate_graphs = true;
#endif
    for (int epoch = 0; b->replay && epoch < 6; epoch++) {
        for (size_t i = 0; i < EXTENTS; i++) {
            const lm_extent extent = {{[LM_VERTICES] = 16 * i, [LM_GRAPHS] = 64, [LM_SINGLE] = 1}};
            const bool repeated = b->replay(b, &extent, i % 2 ? LM_RECORDED_FORWARD : LM_RECORDED_STEP);
            assert_true(repeated == (i < RECORDED && (epoch == 2 || epoch == 5)));
            if (!repeated) b->recorded(b);
        }
        if (epoch == 2) assert_int_equal(b->allocate(b, 16, &block), LEMAN_OK);
    }
    b->release(b, block);
    lm_backend_free(b);
    test_context_free(ctx);
}

static leman_status make(leman_context *ctx, void *state)
{
    (void)state;
    lm_backend *backend = NULL;
    leman_status st = lm_backend_new(ctx, check_device(), 0, &backend);
    lm_backend_free(backend);
    return st;
}

static void test_allocations(void **state)
{
    (void)state;
    assert_true(test_fail_each_allocation(make, NULL) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),   cmocka_unit_test(test_lists),        cmocka_unit_test(test_unnamed),
        cmocka_unit_test(test_cuda),    cmocka_unit_test(test_wanted),       cmocka_unit_test(test_nothing_is_missing),
        cmocka_unit_test(test_memory),  cmocka_unit_test(test_shared_limit), cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_padding), cmocka_unit_test(test_repeated),     cmocka_unit_test(test_records),
    };
    const int missing = check_without_device();
    return missing ? missing : cmocka_run_group_tests(tests, NULL, NULL);
}
