/* The CUDA devices of the machine; a build without CUDA has none. */
#include "base/arguments.h"

#ifdef LEMAN_CUDA

#include "base/cuda/device.h"
#include <cuda_runtime_api.h>
#include <string.h>

/* CUDART_VERSION is 13010 for CUDA 13.1. Versions below 10 are too old for the rest of the library. */
enum { MAJOR = CUDART_VERSION / 1000, MINOR = CUDART_VERSION % 1000 / 10 };
static const char VERSION[] = {'0' + MAJOR / 10, '0' + MAJOR % 10, '.', '0' + MINOR % 10, 0};

const char *leman_cuda_version(void)
{
    return VERSION;
}

size_t leman_cuda_devices(void)
{
    return (size_t)lm_device_count();
}

static leman_status describe(leman_context *ctx, size_t number, leman_cuda_device *out)
{
    leman_status st = LEMAN_OK;
    lm_device found;
    const size_t devices = leman_cuda_devices();
    if (number >= devices)
        FAIL(ctx, LEMAN_ERROR_UNSUPPORTED, "number: found %zu, expected a number below %zu, that of the CUDA devices",
             number, devices);
    TRY(lm_device_describe(ctx, (int)number, &found));
    *out = (leman_cuda_device){
        .major = found.major, .minor = found.minor, .multiprocessors = found.multiprocessors, .memory = found.memory};
    memcpy(out->name, found.name, sizeof out->name);
done:
    return st;
}

#else

const char *leman_cuda_version(void)
{
    return NULL;
}

size_t leman_cuda_devices(void)
{
    return 0;
}

static leman_status describe(leman_context *ctx, size_t number, leman_cuda_device *out)
{
    (void)out;
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "number: found %zu, expected none: this build has no CUDA backend",
                   number);
}

#endif

leman_status leman_cuda_device_describe(leman_context *ctx, size_t number, leman_cuda_device *device)
{
    leman_status st = LEMAN_OK;
    REQUIRE(ctx, device);
    TRY(describe(ctx, number, device));
done:
    return st;
}
