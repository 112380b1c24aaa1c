/* leman info --devices: lists the CUDA devices of this machine. */
#include "cli/commands.h"
#include <stdio.h>

static void put_device(lm_json *json, json_t *list, size_t number, const leman_cuda_device *d)
{
    char text[64];
    json_t *device = lm_json_object(json, list, NULL);
    snprintf(text, sizeof text, "cuda:%zu", number);
    lm_json_text(json, device, "device", text);
    lm_json_text(json, device, "name", d->name);
    snprintf(text, sizeof text, "%d.%d", d->major, d->minor);
    lm_json_text(json, device, "compute_capability", text);
    lm_json_integer(json, device, "multiprocessors", d->multiprocessors);
    lm_json_count(json, device, "memory", d->memory);
}

static leman_status write_json(leman_context *ctx, lm_output *out)
{
    leman_status st = LEMAN_OK;
    lm_json json = lm_json_new();
    if (leman_cuda_version())
        lm_json_text(&json, json.object, "cuda", leman_cuda_version());
    else
        lm_json_null(&json, json.object, "cuda");
    json_t *list = lm_json_array(&json, json.object, "devices");
    for (size_t i = 0; i < leman_cuda_devices(); i++) {
        leman_cuda_device device;
        TRY(leman_cuda_device_describe(ctx, i, &device));
        put_device(&json, list, i, &device);
    }
    TRY(lm_json_write(ctx, &json, out));
done:
    lm_json_free(&json);
    return st;
}

static leman_status write_table(leman_context *ctx, lm_output *out)
{
    leman_status st = LEMAN_OK;
    lm_table table = {.ctx = ctx, .align = "llrr"};
    lm_table_cell(&table, "device");
    lm_table_cell(&table, "name");
    lm_table_cell(&table, "compute capability");
    lm_table_cell(&table, "memory");
    for (size_t i = 0; i < leman_cuda_devices(); i++) {
        leman_cuda_device device;
        char bytes[LM_NUMBER_TEXT];
        TRY(leman_cuda_device_describe(ctx, i, &device));
        lm_table_cell(&table, "cuda:%zu", i);
        lm_table_cell(&table, "%s", device.name);
        lm_table_cell(&table, "%d.%d", device.major, device.minor);
        lm_table_cell(&table, "%s", lm_bytes_text(device.memory, bytes));
    }
    TRY(lm_table_write(&table, out));
done:
    lm_table_free(&table);
    return st;
}

leman_status lm_devices_write(leman_context *ctx, bool as_json, lm_output *out)
{
    if (as_json) return write_json(ctx, out);
    if (!leman_cuda_version()) return lm_write_text(out, "No CUDA devices: this build has no CUDA backend.\n");
    if (!leman_cuda_devices())
        return lm_output_printf(out, "No CUDA device was found by CUDA %s.\n", leman_cuda_version());
    return write_table(ctx, out);
}
