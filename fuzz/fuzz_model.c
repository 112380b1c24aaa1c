/*
 * Model files: the first byte says whether the fixed words, the size and the checksum are made right, the rest is the
 * file. A model that is read predicts for graphs, or fails with a message.
 */
#include "model.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_model *model = NULL;
    if (!size) return 0;
    settings.threads = 1;
    settings.memory = 1 << 16;
    fuzz_expect(!leman_context_new(&settings, &ctx));
    char *file = malloc(size);
    fuzz_expect(file != NULL);
    memcpy(file, bytes + 1, size - 1);
    if (bytes[0] & 1) fuzz_fix_checksum(file, size - 1, LM_MODEL_MAGIC);
    leman_status st = lm_model_parse(ctx, "fuzz", (lm_bytes){.data = file, .size = size - 1}, &model);
    fuzz_expect(!st || (st == LEMAN_ERROR_INPUT && *leman_context_message(ctx)));
    if (!st) fuzz_predict(ctx, model);
    leman_model_free(model);
    free(file);
    leman_context_free(ctx);
    return 0;
}
