/*
 * Files of Gaussian processes: the first byte says whether the fixed words, the size and the checksum are made right, the
 * rest is the file. A Gaussian process that is read predicts for graphs, or fails with a message.
 */
#include "learn/gaussian/gp.h"
#include "model.h"

static void fuzz_predict_gp(leman_context *ctx, const leman_gp *gp)
{
    leman_dataset *data = fuzz_two_graphs(ctx, leman_gp_describe(gp)->model);
    double mean[2], std[2], out_of_vocabulary[2];
    leman_status st = leman_gp_predict(ctx, gp, data, mean, std, out_of_vocabulary);
    fuzz_expect(!st || *leman_context_message(ctx));
    for (size_t i = 0; !st && i < 2; i++) fuzz_expect(out_of_vocabulary[i] >= 0 && out_of_vocabulary[i] <= 1);
    leman_dataset_free(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_gp *gp = NULL;
    if (!size) return 0;
    settings.threads = 1;
    settings.memory = 1 << 16;
    fuzz_expect(!leman_context_new(&settings, &ctx));
    char *file = malloc(size);
    fuzz_expect(file != NULL);
    memcpy(file, bytes + 1, size - 1);
    if (bytes[0] & 1) fuzz_fix_checksum(file, size - 1, LM_GP_MAGIC);
    leman_status st = lm_gp_parse(ctx, "fuzz", (lm_bytes){.data = file, .size = size - 1}, &gp);
    fuzz_expect(!st || (st != LEMAN_ERROR_INTERNAL && *leman_context_message(ctx)));
    if (!st) fuzz_predict_gp(ctx, gp);
    leman_gp_free(gp);
    free(file);
    leman_context_free(ctx);
    return 0;
}
