/* Names of devices. */
#include "base/device_name.h"
#include <string.h>

/* "17" below LM_DEVICE_NUMBERS, digits only. */
static bool read_number(const char *text, int *number)
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
    if (!strncmp(name, CUDA, strlen(CUDA)) && read_number(name + strlen(CUDA), &out->number)) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "device: found '%s', expected cpu, cuda, cuda:N (N from 0 to %d) or auto",
                   name, LM_DEVICE_NUMBERS - 1);
}
