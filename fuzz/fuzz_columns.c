/*
 * Files of columns: the first byte says whether the fixed words and the checksum are made right, the rest is the file,
 * read for the kernels that the seed was made with. What reads is in order.
 */
#include "base/hash.h"
#include "kernel/feature_columns.h"
#include "reader.h"

/* As docs/kernels.md has it. */
static void make_right(char *bytes, size_t size)
{
    enum { HEAD = 48, CHECKED_FROM = 24 };
    static const uint32_t WORDS[2] = {0x01020304, 1};
    if (size < HEAD) return;
    memcpy(bytes, "LEMANFC\n", 8);
    memcpy(bytes + 8, WORDS, sizeof WORDS);
    uint64_t sum = lm_checksum(bytes + CHECKED_FROM, size - CHECKED_FROM, WORDS[1]);
    memcpy(bytes + 16, &sum, sizeof sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_features f = {0};
    leman_kernel kernels[2] = {leman_kernel_default(), leman_kernel_default()};
    if (!size) return 0;
    kernels[0].coloring.rounds = kernels[1].coloring.rounds = 1;
    kernels[1].coloring.k = 1;
    settings.threads = 1;
    fuzz_expect(!leman_context_new(&settings, &ctx));
    char *file = malloc(size);
    fuzz_expect(file != NULL);
    memcpy(file, bytes + 1, size - 1);
    if (bytes[0] & 1) make_right(file, size - 1);
    leman_status st = lm_feature_columns_parse(ctx, "fuzz", (lm_bytes){.data = file, .size = size - 1}, kernels, 2, &f);
    fuzz_expect(!st || (st == LEMAN_ERROR_INPUT && *leman_context_message(ctx)));
    for (size_t i = 0; !st && i < f.columns; i++) {
        fuzz_expect(f.feature[i].kernel < 2 && f.feature[i].round < 2);
        fuzz_expect(!i || lm_feature_before(f.feature[i - 1], f.feature[i]));
    }
    leman_features_free(ctx, &f);
    free(file);
    leman_context_free(ctx);
    return 0;
}
