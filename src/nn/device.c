/* Devices by name; device.h has the names. A build without CUDA knows them all, and says what it does not have. */
#include "nn/device.h"
#include "base/arguments.h"
#include <string.h>

enum { MAX_NUMBER = 1023 };

typedef enum kind { KIND_CPU, KIND_CUDA, KIND_AUTO } kind;

typedef struct choice {
    kind kind;
    size_t number; /* of a CUDA device */
} choice;

/* ---- Names ----------------------------------------------------------------------------------- */

/* "17" up to MAX_NUMBER, digits only. */
static bool read_number(const char *text, size_t *number)
{
    *number = 0;
    if (!*text) return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return false;
        *number = 10 * *number + (size_t)(*text - '0');
        if (*number > MAX_NUMBER) return false;
    }
    return true;
}

static leman_status read_name(leman_context *ctx, const char *name, choice *out)
{
    static const char CUDA[] = "cuda:";
    *out = (choice){KIND_CPU, 0};
    if (!name || !strcmp(name, "cpu")) return LEMAN_OK;
    out->kind = !strcmp(name, "auto") ? KIND_AUTO : KIND_CUDA;
    if (out->kind == KIND_AUTO || !strcmp(name, "cuda")) return LEMAN_OK;
    if (!strncmp(name, CUDA, strlen(CUDA)) && read_number(name + strlen(CUDA), &out->number)) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "device: found '%s', expected cpu, cuda, cuda:N (N from 0 to %d) or auto",
                   name, MAX_NUMBER);
}

/* ---- What is there --------------------------------------------------------------------------- */

#if defined LEMAN_CUDA && !defined LM_NN_DOUBLE

static size_t cuda_devices(void)
{
    return lm_cuda_devices();
}

static leman_status cuda_check(leman_context *ctx, size_t number)
{
    const size_t devices = cuda_devices();
    if (number < devices) return LEMAN_OK;
    if (!devices)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "found device cuda, expected cpu: there is no CUDA device");
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED,
                   "found device cuda:%zu, expected a number below %zu: there %s %zu CUDA "
                   "device%s",
                   number, devices, lm_plural_of(devices, "is", "are"), devices, lm_plural(devices));
}

static leman_status cuda_new(leman_context *ctx, size_t number, lm_backend **out)
{
    const leman_status st = cuda_check(ctx, number);
    return st ? st : lm_backend_cuda_new(ctx, number, out);
}

#else

static size_t cuda_devices(void)
{
    return 0;
}

static leman_status cuda_check(leman_context *ctx, size_t number)
{
    (void)number;
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "found device cuda, expected cpu: this build has no CUDA backend");
}

static leman_status cuda_new(leman_context *ctx, size_t number, lm_backend **out)
{
    (void)out;
    return cuda_check(ctx, number);
}

#endif

/* ---- Making ---------------------------------------------------------------------------------- */

leman_status lm_device_check(leman_context *ctx, const char *device)
{
    choice chosen;
    leman_status st = read_name(ctx, device, &chosen);
    return st || chosen.kind != KIND_CUDA ? st : cuda_check(ctx, chosen.number);
}

leman_status leman_device_check(leman_context *ctx, const char *device)
{
    leman_status st = LEMAN_OK;
    REQUIRE(ctx, device);
    TRY(lm_device_check(ctx, device));
done:
    return st;
}

/* A device that cannot be used (too old, for instance) is no reason to stop: the log says so. */
static leman_status any_new(leman_context *ctx, lm_backend **out)
{
    if (!cuda_devices()) return lm_backend_cpu_new(ctx, out);
    const leman_status st = cuda_new(ctx, 0, out);
    if (st != LEMAN_ERROR_UNSUPPORTED) return st;
    lm_log(ctx, "%s; the CPU is used instead", leman_context_message(ctx));
    return lm_backend_cpu_new(ctx, out);
}

leman_status lm_backend_new(leman_context *ctx, const char *device, lm_backend **out)
{
    choice chosen;
    leman_status st = read_name(ctx, device, &chosen);
    if (st) return st;
    switch (chosen.kind) {
    case KIND_CUDA: return cuda_new(ctx, chosen.number, out);
    case KIND_AUTO: return any_new(ctx, out);
    default: return lm_backend_cpu_new(ctx, out);
    }
}

const char *lm_device_wanted(const leman_context *ctx, leman_device device)
{
    choice chosen;
    const char *name = ctx->settings.device;
    if (device != LEMAN_DEVICE_CUDA) return name;
    return !read_name(NULL, name, &chosen) && chosen.kind == KIND_CUDA ? name : leman_device_name(device);
}
