/* Names of devices (device_names.h has the contracts), and the CUDA devices of the machine; a build without CUDA has
 * none. */
#include "refine/device_names.h"
#include "base/arguments.h"
#include <stdio.h>
#include <string.h>

/* Reads a number below LM_DEVICE_NUMBERS that consists of digits only: "17". */
static bool read_device_number(const char *text, int *number)
{
    *number = 0;
    if (!*text) return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return false;
        *number = 10 * *number + (*text - '0');
        if (*number >= LM_DEVICE_NUMBERS) return false;
    }
    return true;
}

leman_status lm_device_name_parse(leman_context *ctx, const char *name, lm_device_choice *out)
{
    static const char CUDA[] = "cuda:";
    *out = (lm_device_choice){LM_DEVICE_CPU, 0};
    if (!name || !strcmp(name, "cpu")) return LEMAN_OK;
    out->kind = !strcmp(name, "auto") ? LM_DEVICE_AUTO : LM_DEVICE_CUDA;
    if (out->kind == LM_DEVICE_AUTO || !strcmp(name, "cuda")) return LEMAN_OK;
    if (!strncmp(name, CUDA, strlen(CUDA)) && read_device_number(name + strlen(CUDA), &out->number)) return LEMAN_OK;
    if (strchr(name, ','))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "device: found '%.200s', expected one: only training works on several", name);
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "device: found '%s', expected cpu, cuda, cuda:N (N from 0 to %d) or auto",
                   name, LM_DEVICE_NUMBERS - 1);
}

leman_status lm_device_list_parse(leman_context *ctx, const char *names, lm_device_list *out)
{
    const char *at = names ? names : "cpu";
    char name[32];
    leman_status st = LEMAN_OK;
    if (!strchr(at, ',')) {
        out->count = 1;
        return lm_device_name_parse(ctx, at, out->device);
    }
    for (out->count = 0; at && !st; out->count++) {
        const char *comma = strchr(at, ',');
        const size_t length = comma ? (size_t)(comma - at) : strlen(at);
        if (out->count == LM_DEVICES)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "device: found more than %d, expected at most that", LM_DEVICES);
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
        st = lm_device_name_parse(ctx, name, out->device + out->count);
        at = comma ? comma + 1 : NULL;
    }
    return st;
}

/* ---- The devices of the machine -------------------------------------------------------------- */

#ifdef LEMAN_CUDA
#include "base/cuda/device.h"
#include <cuda_runtime_api.h>
/* CUDART_VERSION is 13010 for CUDA 13.1. Versions below 10 are too old for the rest of the library. */
enum { MAJOR = CUDART_VERSION / 1000, MINOR = CUDART_VERSION % 1000 / 10 };
static const char VERSION[] = {'0' + MAJOR / 10, '0' + MAJOR % 10, '.', '0' + MINOR % 10, 0};
#define DEVICES ((size_t)lm_device_count())
#else
#define VERSION NULL
#define DEVICES 0
#endif

const char *leman_cuda_version(void)
{
    return VERSION;
}

size_t leman_cuda_devices(void)
{
    return DEVICES;
}

leman_status leman_cuda_device_describe(leman_context *ctx, size_t number, leman_cuda_device *device)
{
    REQUIRE(ctx, device);
#ifdef LEMAN_CUDA
    lm_device found;
    const size_t devices = leman_cuda_devices();
    if (number >= devices)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED,
                       "number: found %zu, expected a number below %zu, that of the CUDA devices", number, devices);
    PASS(lm_device_describe(ctx, (int)number, &found));
    *device = (leman_cuda_device){
        .major = found.major, .minor = found.minor, .multiprocessors = found.multiprocessors, .memory = found.memory};
    memcpy(device->name, found.name, sizeof device->name);
    return LEMAN_OK;
#else
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "number: found %zu, expected none: this build has no CUDA backend",
                   number);
#endif
}
