/* Messages, the memory budget, allocation and progress. Capacities of growing arrays double, so that appending takes
 * amortised O(1). */
#include "base/context.h"
#include "base/strings.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

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

/* ---- Allocation ------------------------------------------------------------------------------ */

leman_status lm_refuse_size(leman_context *ctx, size_t count, size_t size)
{
    ctx->over_budget = false;
    return lm_fail(ctx, LEMAN_ERROR_MEMORY, "%zu element%s of %zu byte%s are more than this machine can address", count,
                   lm_plural(count), size, lm_plural(size));
}

void *lm_alloc(leman_context *ctx, size_t count, size_t size)
{
    size_t bytes;
    if (!lm_multiply(count, size, &bytes)) {
        lm_refuse_size(ctx, count, size);
        return NULL;
    }
    void *pointer = ctx->allocator.allocate(ctx->allocator.user, bytes ? bytes : 1);
    if (!pointer) lm_refuse_bytes(ctx, bytes);
    return pointer;
}

leman_status lm_copy_text(leman_context *ctx, const char *text, size_t length, char **out)
{
    char *copy;
    PASS_NEW(ctx, copy, length + 1);
    if (length) memcpy(copy, text, length);
    copy[length] = 0;
    *out = copy;
    return LEMAN_OK;
}

leman_status lm_vector_reserve(leman_context *ctx, lm_vector *vector, size_t more, size_t size)
{
    size_t wanted = 0, bytes;
    bool fits = lm_add(vector->count, more, &wanted);
    if (fits && wanted <= vector->capacity) return LEMAN_OK;
    size_t capacity = vector->capacity < 32 ? 64 : 2 * vector->capacity;
    if (capacity < wanted) capacity = wanted;
    if (!fits || !lm_multiply(capacity, size, &bytes))
        return lm_fail(ctx, LEMAN_ERROR_MEMORY, "an array grew past what this machine can address");
    if (ctx->meter && bytes > lm_meter_left(ctx->meter) / 2 && wanted + wanted / 8 > wanted &&
        wanted + wanted / 8 < capacity) {
        capacity = wanted + wanted / 8; /* no doubling if memory is scarce */
        bytes = capacity * size;
    }
    void *items = ctx->allocator.reallocate(ctx->allocator.user, vector->items, bytes);
    if (!items) return lm_refuse_bytes(ctx, bytes - vector->capacity * size);
    vector->items = items;
    vector->capacity = capacity;
    return LEMAN_OK;
}

leman_status lm_vector_append(leman_context *ctx, lm_vector *vector, const void *items, size_t count, size_t size)
{
    leman_status st = lm_vector_reserve(ctx, vector, count, size);
    if (st) return st;
    if (count) memcpy((char *)vector->items + vector->count * size, items, count * size);
    vector->count += count;
    return LEMAN_OK;
}

void lm_vector_release(lm_vector *vector)
{
    lm_release(vector->items);
    *vector = (lm_vector){0};
}

/* ---- Progress -------------------------------------------------------------------------------- */

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
