#include "io/format.h"

leman_status lm_edge_list_read(leman_context *ctx, const char *path, lm_bytes *bytes, const leman_read_options *options,
                               leman_report *report, leman_dataset **out)
{
    (void)path;
    (void)bytes;
    (void)options;
    (void)report;
    (void)out;
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "not written yet");
}

leman_status lm_edge_list_write(leman_context *ctx, const leman_dataset *data, lm_output *out)
{
    (void)data;
    (void)out;
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "not written yet");
}

bool lm_edge_list_is(lm_bytes bytes)
{
    (void)bytes;
    return false;
}
