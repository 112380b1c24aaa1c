#include "io/format.h"

leman_status lm_tu_zip_write(leman_context *ctx, const leman_dataset *data, lm_output *out)
{
    (void)data;
    (void)out;
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "not written yet");
}

leman_status lm_tu_write(leman_context *ctx, const leman_dataset *data, const char *path)
{
    (void)data;
    (void)path;
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "not written yet");
}
