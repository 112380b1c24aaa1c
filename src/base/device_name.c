/* Names of devices; device_name.h has the contracts. */
#include "base/device_name.h"
#include <stdio.h>
#include <string.h>

/* Reads a number below LM_DEVICE_NUMBERS that consists of digits only: "17". */
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
