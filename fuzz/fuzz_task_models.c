/*
 * Models of several tasks in one file: the first byte says whether the fixed words, the size and the checksum are made
 * right, the rest is the file. Every model that is read predicts for graphs, or fails with a message.
 */
#include "model.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_model **models = NULL;
    size_t count = 0;
    if (!size) return 0;
    settings.threads = 1;
    settings.memory = 1 << 16;
    fuzz_expect(!leman_context_new(&settings, &ctx));
    char *file = malloc(size);
    fuzz_expect(file != NULL);
    memcpy(file, bytes + 1, size - 1);
    if (bytes[0] & 1) fuzz_fix_checksum(file, size - 1, LM_TASK_MODELS_MAGIC);
    leman_status st = lm_models_parse(ctx, "fuzz", (lm_bytes){.data = file, .size = size - 1}, &models, &count);
    fuzz_expect(st ? st != LEMAN_ERROR_INTERNAL && *leman_context_message(ctx) : count > 0);
    for (size_t i = 0; i < count; i++) fuzz_predict(ctx, models[i]);
    leman_models_free(models, count);
    free(file);
    leman_context_free(ctx);
    return 0;
}
