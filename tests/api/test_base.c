/*
 * leman/base.h: every function with what it must refuse, the names of enum values, the errno of a failure, and which
 * thread each callback comes from.
 */
#include "support/refused.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

/* ---- Arguments ------------------------------------------------------------------------------- */

static void test_context(void **state)
{
    (void)state;
    leman_settings settings = leman_settings_default();
    leman_context *const before = TEST_UNTOUCHED(leman_context), *ctx = before;
    assert_refused_without(leman_context_new(NULL, NULL));
    assert_refused_without(leman_context_new(&settings, NULL));
    settings.size = 0;
    assert_refused_without(leman_context_new(&settings, &ctx));
    settings = leman_settings_default();
    settings.threads = -1;
    assert_refused_without(leman_context_new(&settings, &ctx));
    assert_ptr_equal(ctx, before);
    assert_int_equal(leman_context_new(NULL, &ctx), LEMAN_OK); /* the default */
    assert_string_equal(leman_context_message(ctx), "");
    assert_int_equal(leman_context_errno(ctx), 0);
    leman_context_free(ctx);
    leman_context_free(NULL);
    leman_settings_init(NULL, sizeof settings);
    assert_string_equal(leman_context_message(NULL), "");
    assert_int_equal(leman_context_errno(NULL), 0);
    assert_non_null(strchr(leman_version(), '.'));
}

static leman_status never(void *state, const void *mine, const size_t *bytes, void *all)
{
    (void)state, (void)mine, (void)bytes, (void)all;
    return LEMAN_ERROR_NETWORK;
}

static leman_status never_exchange(void *state, const void *send, const size_t *send_bytes, void *receive,
                                   const size_t *receive_bytes)
{
    (void)state, (void)send, (void)send_bytes, (void)receive, (void)receive_bytes;
    return LEMAN_ERROR_NETWORK;
}

/* Communicators that cannot work are refused; a rank that cannot reach the others says so. */
static void test_communicator(void **state)
{
    (void)state;
    leman_communicator c = leman_communicator_default();
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_dataset *data = NULL;
    settings.communicator = &c;
    c.ranks = 0;
    assert_refused_without(leman_context_new(&settings, &ctx));
    c.ranks = c.rank = 1;
    assert_refused_without(leman_context_new(&settings, &ctx));
    c.rank = 0;
    c.ranks = 2;
    assert_refused_without(leman_context_new(&settings, &ctx));
    c.gather = never;
    assert_refused_without(leman_context_new(&settings, &ctx));
    c.exchange = never_exchange;
    c.size = 0;
    assert_refused_without(leman_context_new(&settings, &ctx));
    c.size = sizeof c;
    assert_null(ctx);
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    assert_int_equal(leman_context_traffic(ctx).calls, 0);
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_CSL, NULL, &data), LEMAN_OK);
    const leman_kernel kernel = leman_kernel_default();
    double *cells = calloc(leman_dataset_shape(data)->graphs, leman_dataset_shape(data)->graphs * sizeof *cells);
    assert_non_null(cells);
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, false, cells), LEMAN_ERROR_NETWORK);
    assert_non_null(strstr(leman_context_message(ctx), "rank 0 of 2"));
    assert_true(leman_context_traffic(ctx).calls > 0);
    assert_int_equal(leman_context_traffic(NULL).calls, 0);
    leman_communicator_init(NULL, sizeof c);
    free(cells);
    leman_dataset_free(data);
    leman_context_free(ctx);
}

static void test_names(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_cuda_device found;
    for (int i = 0; i < LEMAN_STATUS_COUNT; i++) assert_string_not_equal(leman_status_name((leman_status)i), "unknown");
    leman_precision precision = LEMAN_PRECISION_BF16;
    for (int i = 0; i < LEMAN_PRECISION_COUNT; i++) {
        assert_int_equal(leman_precision_parse(ctx, leman_precision_name((leman_precision)i), &precision), LEMAN_OK);
        assert_int_equal(precision, i);
    }
    assert_string_equal(leman_precision_name((leman_precision)LEMAN_PRECISION_COUNT), "unknown");
    assert_refused_without(leman_precision_parse(NULL, "fp32", &precision));
    assert_refused(ctx, "name", leman_precision_parse(ctx, NULL, &precision));
    assert_refused(ctx, "precision", leman_precision_parse(ctx, "fp32", NULL));
    assert_refused(ctx, "tf32, fp32, bf16", leman_precision_parse(ctx, "fp64", &precision));
    assert_string_equal(leman_device_name(LEMAN_DEVICE_CPU), "cpu");
    assert_string_equal(leman_device_name(LEMAN_DEVICE_CUDA), "cuda");
    assert_string_equal(leman_status_name((leman_status)LEMAN_STATUS_COUNT), "unknown");
    assert_string_equal(leman_status_name((leman_status)-1), "unknown");
    assert_string_equal(leman_device_name((leman_device)LEMAN_DEVICE_COUNT), "unknown");

    assert_refused_without(leman_cuda_device_describe(NULL, 0, &found));
    assert_refused(ctx, "device", leman_cuda_device_describe(ctx, 0, NULL));
    assert_int_equal(leman_cuda_device_describe(ctx, leman_cuda_devices(), &found), LEMAN_ERROR_UNSUPPORTED);
    for (size_t i = 0; i < leman_cuda_devices(); i++) {
        assert_int_equal(leman_cuda_device_describe(ctx, i, &found), LEMAN_OK);
        assert_true(*found.name && found.memory && leman_cuda_version());
    }
    assert_int_equal(leman_precision_parse(ctx, "half", &precision), LEMAN_ERROR_ARGUMENT);
    assert_string_equal(leman_context_message(ctx), "precision: found 'half', expected one of: tf32, fp32, bf16");
    assert_int_equal(precision, LEMAN_PRECISION_COUNT - 1); /* of the last that was right */
    test_context_free(ctx);
}

/* ---- The errno of a failure ------------------------------------------------------------------ */

static void test_errno(void **state)
{
    (void)state;
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    leman_precision precision;
    const char *folder = test_folder_new();
    char path[256];
    snprintf(path, sizeof path, "%s/missing.g6", folder);
    assert_int_equal(leman_dataset_read(ctx, path, NULL, NULL, &data), LEMAN_ERROR_FILE);
    assert_int_equal(leman_context_errno(ctx), ENOENT);
    assert_non_null(strstr(leman_context_message(ctx), strerror(ENOENT)));
    assert_int_equal(leman_precision_parse(ctx, "half", &precision),
                     LEMAN_ERROR_ARGUMENT); /* nothing of the system's */
    assert_int_equal(leman_context_errno(ctx), 0);

    snprintf(path, sizeof path, "%s/missing/out.g6", folder);
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_PATH, NULL, &data), LEMAN_OK);
    assert_int_equal(leman_dataset_write(ctx, data, path, LEMAN_FORMAT_AUTO), LEMAN_ERROR_FILE);
    assert_int_equal(leman_context_errno(ctx), ENOENT);
    leman_dataset_free(data);
    test_folder_remove(folder);
    test_context_free(ctx);
}

/* ---- Threads of callbacks -------------------------------------------------------------------- */

/* Who was called where: by the thread that calls the library, and by others. */
typedef struct callers {
    pthread_t caller;
    atomic_size_t hooks_here, hooks_elsewhere;
    atomic_size_t progress_here, progress_elsewhere, log_here, log_elsewhere;
} callers;

static void count(callers *c, atomic_size_t *here, atomic_size_t *elsewhere)
{
    atomic_fetch_add(pthread_equal(pthread_self(), c->caller) ? here : elsewhere, 1);
}

static void *allocate(void *user, size_t size)
{
    callers *c = user;
    count(c, &c->hooks_here, &c->hooks_elsewhere);
    return malloc(size);
}

static void *reallocate(void *user, void *pointer, size_t size)
{
    callers *c = user;
    count(c, &c->hooks_here, &c->hooks_elsewhere);
    return realloc(pointer, size);
}

static void release(void *user, void *pointer)
{
    callers *c = user;
    count(c, &c->hooks_here, &c->hooks_elsewhere);
    free(pointer);
}

static bool on_progress(void *user, const leman_progress *progress)
{
    callers *c = user;
    (void)progress;
    count(c, &c->progress_here, &c->progress_elsewhere);
    return true;
}

static void on_log(void *user, const char *message)
{
    callers *c = user;
    (void)message;
    count(c, &c->log_here, &c->log_elsewhere);
}

/* Long enough that workers allocate and that progress is reported; writing logs what the format cannot hold. */
static void work(leman_context *ctx)
{
    leman_dataset *data = NULL;
    leman_family_options family = leman_family_options_default();
    leman_kernel kernel = leman_kernel_default();
    const char *folder = test_folder_new();
    char path[256];
    enum { GRAPHS = 60 };
    double *gram = malloc(sizeof *gram * GRAPHS * GRAPHS);
    family.graphs = GRAPHS;
    family.vertices = 40;
    kernel.coloring.k = 2;
    assert_int_equal(leman_dataset_generate(ctx, LEMAN_FAMILY_MOLECULES, &family, &data), LEMAN_OK);
    assert_int_equal(leman_gram_compute(ctx, data, NULL, &kernel, 1, true, gram), LEMAN_OK);
    snprintf(path, sizeof path, "%s/out.g6", folder);
    assert_int_equal(leman_dataset_write(ctx, data, path, LEMAN_FORMAT_AUTO), LEMAN_OK);
    leman_dataset_free(data);
    test_folder_remove(folder);
    free(gram);
}

static void test_threads_of_callbacks(void **state)
{
    (void)state;
    callers c = {.caller = pthread_self()};
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    settings.threads = 4;
    settings.allocate = allocate;
    settings.reallocate = reallocate;
    settings.release = release;
    settings.progress = on_progress;
    settings.log = on_log;
    settings.allocator_user = settings.callback_user = &c;
    assert_int_equal(leman_context_new(&settings, &ctx), LEMAN_OK);
    work(ctx);
    leman_context_free(ctx);
    assert_true(c.hooks_here && c.hooks_elsewhere);
    assert_true(c.progress_here && c.log_here);
    assert_int_equal(c.progress_elsewhere, 0);
    assert_int_equal(c.log_elsewhere, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_context), cmocka_unit_test(test_communicator),         cmocka_unit_test(test_names),
        cmocka_unit_test(test_errno),   cmocka_unit_test(test_threads_of_callbacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
