/* leman info --devices: lists the CUDA devices of this machine. */
#include "cli/commands.h"
#include <stdio.h>

leman_status lm_devices_write(lm_work *work)
{
    leman_status st = LEMAN_OK;
    lm_json *json = &work->json;
    lm_table table = {.ctx = work->ctx, .align = "llrr"};
    lm_output *out;
    LM_PUT(json, json->object, KEY("cuda", leman_cuda_version()));
    json_t *list = lm_json_array(json, json->object, "devices");
    LM_TABLE_ROW(&table, "device", "name", "compute capability", "memory");
    for (size_t i = 0; i < leman_cuda_devices(); i++) {
        leman_cuda_device d;
        TRY(leman_cuda_device_describe(work->ctx, i, &d));
        const char *name = FORMAT("cuda:%zu", i), *capability = FORMAT("%d.%d", d.major, d.minor);
        LM_PUT(json, lm_json_object(json, list, NULL), KEY("device", name), KEY("name", d.name),
               KEY("compute_capability", capability), KEY("multiprocessors", d.multiprocessors),
               KEY("memory", d.memory));
        LM_TABLE_ROW(&table, name, d.name, capability, BYTES_TEXT(d.memory));
    }
    if (work->options->json) goto done;
    TRY(lm_work_results(work, &out));
    if (!leman_cuda_version())
        TRY(lm_write_text(out, "No CUDA devices: this build has no CUDA backend.\n"));
    else if (!leman_cuda_devices())
        TRY(lm_output_printf(out, "No CUDA device was found by CUDA %s.\n", leman_cuda_version()));
    else
        TRY(lm_table_write(&table, out));
done:
    return st;
}
