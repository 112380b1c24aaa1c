/* Backends by the names of their devices; backends.h has the names. A build without CUDA accepts all names and says
 * which device it lacks. */
#include "nn/backends.h"
#include "base/arguments.h"
#include "nn/row_sum.h"
#include "refine/device_names.h"

#if defined LEMAN_CUDA && !defined LM_NN_DOUBLE
enum { HAS_CUDA = true };
#else
enum { HAS_CUDA = false };
#define lm_cuda_devices() ((size_t)0)
#endif

#define NO_DEVICE "there is no CUDA device with a driver for CUDA %s or later"

static leman_status cuda_check(leman_context *ctx, size_t number)
{
    const size_t devices = lm_cuda_devices();
    if (number < devices) return LEMAN_OK;
    if (!HAS_CUDA)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "found device cuda, expected cpu: this build has no CUDA backend");
    if (!devices)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "found device cuda, expected cpu: " NO_DEVICE,
                       leman_cuda_version());
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED,
                   "found device cuda:%zu, expected a number below %zu: there %s %zu CUDA "
                   "device%s",
                   number, devices, lm_plural_of(devices, "is", "are"), devices, lm_plural(devices));
}

static leman_status cuda_new(leman_context *ctx, size_t number, lm_backend **out)
{
    leman_status st = cuda_check(ctx, number);
#if defined LEMAN_CUDA && !defined LM_NN_DOUBLE
    if (!st) st = lm_backend_cuda_new(ctx, number, out);
#else
    (void)out;
#endif
    return st;
}

leman_status lm_row_sum_cuda(leman_context *ctx, const lm_row_sum *sum)
{
    if (sum->lists.device_number < 0)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "device_number: found %d, expected a number from 0 on",
                       sum->lists.device_number);
    PASS(cuda_check(ctx, (size_t)sum->lists.device_number));
#if defined LEMAN_CUDA && !defined LM_NN_DOUBLE
    return lm_cuda_row_sum(ctx, sum);
#else
    return LEMAN_ERROR_UNSUPPORTED; /* not reached: cuda_check() finds no device */
#endif
}

leman_status lm_device_check(leman_context *ctx, const char *device)
{
    lm_device_list list;
    leman_status st = lm_device_list_parse(ctx, device, &list);
    for (size_t i = 0; !st && i < list.count; i++)
        if (list.device[i].kind == LM_DEVICE_CUDA) st = cuda_check(ctx, (size_t)list.device[i].number);
    return st;
}

leman_status leman_device_check(leman_context *ctx, const char *device)
{
    REQUIRE(ctx, device);
    return lm_device_check(ctx, device);
}

/* In a build with the CUDA backend, logs why the first CUDA device cannot be used (there is none, or it is too old), and uses the CPU. */
static leman_status any_new(leman_context *ctx, lm_backend **out)
{
    if (lm_cuda_devices()) {
        const leman_status st = cuda_new(ctx, 0, out);
        if (st != LEMAN_ERROR_UNSUPPORTED && st != LEMAN_ERROR_DEVICE) return st;
        lm_log(ctx, "%s; the CPU is used instead", leman_context_message(ctx));
    } else if (HAS_CUDA) {
        lm_log(ctx, NO_DEVICE "; the CPU is used instead", leman_cuda_version());
    }
    return lm_backend_cpu_new(ctx, out);
}

leman_status lm_backend_new(leman_context *ctx, const char *device, size_t rank, lm_backend **out)
{
    lm_device_list list;
    const leman_status st = lm_device_list_parse(ctx, device, &list);
    if (st) return st;
    const lm_device_choice chosen = list.device[rank % list.count];
    switch (chosen.kind) {
    case LM_DEVICE_CUDA: return cuda_new(ctx, (size_t)chosen.number, out);
    case LM_DEVICE_AUTO: return any_new(ctx, out);
    default: return lm_backend_cpu_new(ctx, out);
    }
}

leman_status lm_backend_new_exact(leman_context *ctx, const char *device, size_t rank, lm_backend *beside,
                                  lm_backend **out)
{
    const leman_precision precision = ctx->settings.precision;
    const size_t memory = ctx->settings.device_memory, left = beside ? beside->budget(beside) : memory;
    ctx->settings.precision = LEMAN_PRECISION_FP32;
    if (memory) ctx->settings.device_memory = left ? left : 1; /* without a limit, the limit is the free memory */
    const leman_status st = lm_backend_new(ctx, device, rank, out);
    ctx->settings.device_memory = memory;
    ctx->settings.precision = precision;
    if (!st && beside && beside->share) beside->share(*out, beside);
    return st;
}

size_t lm_device_ranks(const char *device)
{
    lm_device_list list;
    return lm_device_list_parse(NULL, device, &list) ? 1 : list.count;
}

const char *lm_device_wanted(const leman_context *ctx, leman_device device)
{
    lm_device_list list;
    const char *name = ctx->settings.device;
    if (device != LEMAN_DEVICE_CUDA) return name;
    const bool cuda = !lm_device_list_parse(NULL, name, &list) && list.device->kind == LM_DEVICE_CUDA;
    return cuda ? name : leman_device_name(device);
}
