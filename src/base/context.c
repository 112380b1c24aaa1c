/* Contexts, messages, the memory budget and progress. */
#include "base/context.h"
#include "base/arguments.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include <errno.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
_Static_assert(sizeof PRECISIONS / sizeof *PRECISIONS == LEMAN_PRECISION_COUNT, "a name for every precision");
static const char *const DEVICES[] = {[LEMAN_DEVICE_CPU] = "cpu", [LEMAN_DEVICE_CUDA] = "cuda"};
_Static_assert(sizeof STATUS / sizeof *STATUS == LEMAN_STATUS_COUNT, "a name for every status");
_Static_assert(sizeof DEVICES / sizeof *DEVICES == LEMAN_DEVICE_COUNT, "a name for every device");

const char *leman_status_name(leman_status status)
{
    return lm_names_get(LM_NAMES("status", STATUS, ), (int)status);
}

const char *leman_device_name(leman_device device)
{
    return lm_names_get(LM_NAMES("device", DEVICES, ), (int)device);
}

const char *leman_precision_name(leman_precision precision)
{
    return lm_names_get(LM_NAMES("precision", PRECISIONS, ), (int)precision);
}

leman_status leman_precision_parse(leman_context *ctx, const char *name, leman_precision *precision)
{
    return PARSE_ENUM(ctx, LM_NAMES("precision", PRECISIONS, ), name, precision);
}

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

void leman_settings_init(leman_settings *settings, size_t size)
{
    const leman_settings defaults = {.seed = 1};
    lm_options_init(settings, size, &defaults, sizeof defaults);
}

void leman_communicator_init(leman_communicator *communicator, size_t size)
{
    const leman_communicator defaults = {.ranks = 1};
    lm_options_init(communicator, size, &defaults, sizeof defaults);
}

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

const char *leman_context_message(const leman_context *ctx)
{
    return ctx ? ctx->message : "";
}

int leman_context_errno(const leman_context *ctx)
{
    return ctx ? ctx->error : 0;
}

/* Formats one line of text: names from files may contain anything, but a message must be one sentence on one line. */
__attribute__((format(printf, 2, 0))) static void print_line(char line[LM_SENTENCE], const char *format,
                                                             va_list arguments)
{
    lm_vsnprintf(line, LM_SENTENCE, format, arguments);
    lm_text_clean(line, '?');
}

leman_status lm_fail(leman_context *ctx, leman_status status, const char *format, ...)
{
    char message[LM_SENTENCE]; /* the arguments may point into ctx->message */
    va_list arguments;
    va_start(arguments, format);
    print_line(message, format, arguments);
    va_end(arguments);
    if (!ctx) return status;
    strcpy(ctx->message, message);
    ctx->error = 0;
    return status;
}

leman_status lm_fail_errno(leman_context *ctx, int error, const char *format, ...)
{
    char message[LM_SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    print_line(message, format, arguments);
    va_end(arguments);
    lm_fail(ctx, LEMAN_ERROR_FILE, "%s: %s%s", message, strerror(error),
            error == EFBIG ? ": larger than the file system or the limit of this process allows" : "");
    ctx->error = error;
    return LEMAN_ERROR_FILE;
}

bool lm_names_file(const char *sentence, const char *path)
{
    char shown[LM_SENTENCE];
    snprintf(shown, sizeof shown, "%s", path);
    lm_text_clean(shown, '?');
    const size_t length = strlen(shown);
    const bool word = !strpbrk(shown, "./"); /* may be a word of the sentence itself */
    for (const char *at = sentence; length && (at = strstr(at, shown)); at++)
        if ((at == sentence || strchr(" '\"(", at[-1])) && (!word || strchr("/:'\",;)", at[length]))) return true;
    return false;
}

leman_status lm_fail_in(leman_context *ctx, leman_status st, const char *path, const char *name)
{
    char why[LM_SENTENCE];
    const char *rest = why;
    const size_t length = name ? strlen(name) : 0;
    if (!st || st == LEMAN_ERROR_CANCELLED || !ctx || !path || !*ctx->message) return st;
    if (lm_names_file(ctx->message, path)) return st;
    strcpy(why, ctx->message);
    if (length && !strncmp(why, name, length) && why[length] == ':')
        rest = why + length + 1 + strspn(why + length + 1, " ");
    const int error = ctx->error;
    lm_fail(ctx, st, "%s: %s", path, rest);
    ctx->error = error;
    return st;
}

void lm_context_for_worker(leman_context *ctx, leman_context *worker)
{
    *worker = *ctx;
    lm_arena_init(&worker->scratch, &ctx->allocator);
    worker->scratch.keeps = true;
    worker->settings.progress = NULL;
    worker->settings.log = NULL;
    worker->ranks = (lm_ranks){.communicator = {.ranks = 1}};
}

void lm_fail_as(leman_context *ctx, const leman_context *other)
{
    strcpy(ctx->message, other->message);
    ctx->error = other->error;
}

void lm_log(leman_context *ctx, const char *format, ...)
{
    if (!ctx->settings.log) return;
    char message[LM_SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    print_line(message, format, arguments);
    va_end(arguments);
    ctx->settings.log(ctx->settings.callback_user, message);
}

void *lm_scratch(leman_context *ctx, size_t count, size_t size)
{
    size_t bytes = 0;
    if (!lm_multiply(count, size, &bytes)) {
        lm_refuse_size(ctx, count, size);
        return NULL;
    }
    void *piece = lm_arena_alloc(&ctx->scratch, bytes);
    if (!piece) lm_refuse_bytes(ctx, bytes);
    return piece;
}

size_t lm_budget(const leman_context *ctx)
{
    const size_t budget = ctx->settings.memory;
    if (!budget) return lm_memory_free();
    const size_t left =
        ctx->budget ? lm_meter_left(ctx->meter) : budget; /* without a limit: a share of the free memory */
    return budget < left ? budget : left;
}

const char *lm_budget_text(const leman_context *ctx, uint64_t left, char text[LM_BUDGET_TEXT])
{
    char whole[LM_NUMBER_TEXT], part[LM_NUMBER_TEXT];
    uint64_t budget = ctx->budget ? ctx->budget : left;
    lm_bytes_text(budget, whole);
    if (left >= budget)
        strcpy(text, whole);
    else
        snprintf(text, LM_BUDGET_TEXT, "%s (%s of it left)", whole, lm_bytes_text(left, part));
    return text;
}

leman_status lm_refuse_bytes(leman_context *ctx, size_t bytes)
{
    char needed[LM_NUMBER_TEXT], budget[LM_BUDGET_TEXT];
    ctx->over_budget = ctx->meter && bytes > lm_meter_left(ctx->meter);
    if (!ctx->over_budget) {
        return lm_fail(ctx, LEMAN_ERROR_MEMORY, "out of memory: %zu byte%s could not be allocated", bytes,
                       lm_plural(bytes));
    }
    return lm_fail(ctx, LEMAN_ERROR_BUDGET, "%s needs at least %s more, the memory budget is %s",
                   *ctx->progress.task ? ctx->progress.task : "the work", lm_bytes_text(bytes, needed),
                   lm_budget_text(ctx, lm_budget(ctx), budget));
}

double lm_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void lm_progress_begin(leman_context *ctx, uint64_t total, const char *task, ...)
{
    va_list arguments;
    va_start(arguments, task);
    lm_vsnprintf(ctx->progress.task, sizeof ctx->progress.task, task, arguments);
    va_end(arguments);
    ctx->progress.done = 0;
    ctx->progress.total = total;
    ctx->progress.began = lm_now();
    if (ctx->progress.shown <= 0) ctx->progress.shown = ctx->progress.began; /* kept otherwise: tasks may be short */
}

void lm_progress_rename(leman_context *ctx, const char *task, ...)
{
    va_list arguments;
    va_start(arguments, task);
    lm_vsnprintf(ctx->progress.task, sizeof ctx->progress.task, task, arguments);
    va_end(arguments);
}

leman_status lm_progress_poll(leman_context *ctx)
{
    if (!ctx->settings.progress) return LEMAN_OK;
    ctx->progress.shown = lm_now();
    leman_progress shown = {ctx->progress.task, ctx->progress.done, ctx->progress.total,
                            ctx->progress.shown - ctx->progress.began};
    if (ctx->settings.progress(ctx->settings.callback_user, &shown)) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_CANCELLED, "%s was stopped", *ctx->progress.task ? ctx->progress.task : "the work");
}

leman_status lm_progress_step(leman_context *ctx, uint64_t done)
{
    ctx->progress.done = done;
    if (!ctx->settings.progress) return LEMAN_OK;
    bool last = ctx->progress.total && done == ctx->progress.total;
    return last || lm_now() - ctx->progress.shown >= 0.1 ? lm_progress_poll(ctx) : LEMAN_OK;
}
