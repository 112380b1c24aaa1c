/* Making contexts: the settings, the names of statuses, devices and precisions, and the allocator of the system. */
#include "base/arguments.h"
#include "base/thread_pool.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define LM_STRING(x) #x
#define LM_VERSION(major, minor, patch) LM_STRING(major) "." LM_STRING(minor) "." LM_STRING(patch)

const char *leman_version(void)
{
    return LM_VERSION(LEMAN_VERSION_MAJOR, LEMAN_VERSION_MINOR, LEMAN_VERSION_PATCH);
}

static const char *const STATUS[] = {
    [LEMAN_OK] = "done",
    [LEMAN_ERROR_MEMORY] = "out of memory",
    [LEMAN_ERROR_BUDGET] = "over the memory budget",
    [LEMAN_ERROR_ARGUMENT] = "wrong argument",
    [LEMAN_ERROR_INPUT] = "bad input",
    [LEMAN_ERROR_FILE] = "file error",
    [LEMAN_ERROR_NETWORK] = "network error",
    [LEMAN_ERROR_CANCELLED] = "cancelled",
    [LEMAN_ERROR_UNSUPPORTED] = "not in this build",
    [LEMAN_ERROR_INTERNAL] = "internal error",
    [LEMAN_ERROR_DEVICE] = "device error",
};
static const char *const PRECISIONS[] = {
    [LEMAN_PRECISION_TF32] = "tf32", [LEMAN_PRECISION_FP32] = "fp32", [LEMAN_PRECISION_BF16] = "bf16"};
static const char *const DEVICES[] = {[LEMAN_DEVICE_CPU] = "cpu", [LEMAN_DEVICE_CUDA] = "cuda"};

LM_ENUM_NAME(leman_status, status, "status", STATUS, , LEMAN_STATUS_COUNT)
LM_ENUM_NAME(leman_device, device, "device", DEVICES, , LEMAN_DEVICE_COUNT)
LM_ENUM(leman_precision, precision, "precision", PRECISIONS, , LEMAN_PRECISION_COUNT)

static void *system_allocate(void *user, size_t size)
{
    (void)user;
    void *pointer = malloc(size);
    if (pointer) lm_prefer_large_pages(pointer, size);
    return pointer;
}

static void *system_reallocate(void *user, void *pointer, size_t size)
{
    (void)user;
    return realloc(pointer, size);
}

static void system_release(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

LM_OPTIONS(leman_settings, settings, .seed = 1)
LM_OPTIONS(leman_communicator, communicator, .ranks = 1)

/* Returns true if the communicator can be used. */
static bool is_complete(const leman_communicator *c)
{
    const size_t most = SIZE_MAX / (LM_RANK_WORDS * sizeof(uint64_t)) / 2;
    return c->rank < c->ranks && c->ranks <= most && (c->ranks == 1 || (c->gather && c->exchange));
}

leman_traffic leman_context_traffic(const leman_context *ctx)
{
    return ctx ? ctx->ranks.traffic : (leman_traffic){0};
}

leman_status leman_context_new(const leman_settings *given, leman_context **out)
{
    leman_settings settings = leman_settings_default();
    lm_allocator allocator = {system_allocate, system_reallocate, system_release, NULL};
    if (!out || lm_options_copy(NULL, "leman_settings", given, &settings, sizeof settings)) return LEMAN_ERROR_ARGUMENT;
    bool hooks = settings.allocate && settings.reallocate && settings.release;
    if (!hooks && (settings.allocate || settings.reallocate || settings.release)) return LEMAN_ERROR_ARGUMENT;
    if (settings.threads < 0) return LEMAN_ERROR_ARGUMENT;
    leman_communicator communicator = leman_communicator_default();
    if (lm_options_copy(NULL, "leman_communicator", settings.communicator, &communicator, sizeof communicator) ||
        !is_complete(&communicator))
        return LEMAN_ERROR_ARGUMENT;
    if (hooks)
        allocator = (lm_allocator){settings.allocate, settings.reallocate, settings.release, settings.allocator_user};

    const size_t budget = settings.memory;
    if (budget) settings.memory = budget > settings.memory_held ? budget - settings.memory_held : 1;
    lm_meter *meter = lm_meter_new(&allocator, settings.memory);
    if (!meter) return LEMAN_ERROR_MEMORY;
    allocator = lm_meter_hooks(meter);
    const size_t device = settings.device ? strlen(settings.device) + 1 : 0; /* its copy follows the context */
    const size_t told = communicator.ranks > 1 ? communicator.ranks * LM_RANK_WORDS * sizeof(uint64_t) : 0;
    leman_context *ctx = allocator.allocate(allocator.user, sizeof *ctx + told + device);
    if (!ctx) {
        lm_meter_close(meter);
        return LEMAN_ERROR_MEMORY;
    }
    *ctx = (leman_context){.settings = settings, .allocator = allocator, .meter = meter, .budget = budget};
    ctx->settings.communicator = NULL;
    ctx->ranks.communicator = communicator;
    ctx->ranks.told = (uint64_t *)(ctx + 1);
    ctx->ranks.bytes = (size_t *)(void *)(ctx->ranks.told + LM_TOLD_WORDS * communicator.ranks);
    if (!ctx->settings.threads) ctx->settings.threads = omp_get_num_procs();
    const int wanted = ctx->settings.threads;
    ctx->settings.threads = lm_threads_allowed(wanted);
    if (settings.device) ctx->settings.device = memcpy((char *)(ctx + 1) + told, settings.device, device);
    ctx->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (ctx->c_locale == (locale_t)0) {
        allocator.release(allocator.user, ctx);
        lm_meter_close(meter);
        return LEMAN_ERROR_MEMORY;
    }
    lm_arena_init(&ctx->scratch, &allocator);
    if (ctx->settings.threads < settings.threads) /* fewer than the caller asked for */
        lm_log(ctx, "%d of %d threads are used: the system lets no more start", ctx->settings.threads, wanted);
    *out = ctx;
    return LEMAN_OK;
}

void leman_context_free(leman_context *ctx)
{
    if (!ctx) return;
    lm_allocator allocator = ctx->allocator;
    lm_meter *meter = ctx->meter;
    lm_arena_free(&ctx->scratch);
    freelocale(ctx->c_locale);
    allocator.release(allocator.user, ctx);
    lm_meter_close(meter);
}
