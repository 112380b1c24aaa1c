/*
 * Files of columns: the first byte says whether the fixed words, the size and the checksum are made right, the rest is
 * the file. What reads is in order, and comes back the same from its writer.
 */
#include "base/hash.h"
#include "kernel/feature_file.h"
#include "kernel/features.h"
#include "reader.h"

static void make_right(char *bytes, size_t size)
{
    enum { CHECKED_FROM = 24 };
    uint64_t version = LM_COLUMNS_VERSION, body = size - LM_PACK_HEAD;
    if (size < LM_PACK_HEAD) return;
    memcpy(bytes, LM_COLUMNS_MAGIC, 8);
    memcpy(bytes + 8, &version, 8);
    memcpy(bytes + CHECKED_FROM, &body, 8);
    uint64_t sum = lm_checksum(bytes + CHECKED_FROM, size - CHECKED_FROM, version);
    memcpy(bytes + 16, &sum, 8);
}

static void write_again(leman_context *ctx, const leman_features *f)
{
    lm_bytes written = {0};
    lm_output out = {0};
    lm_column_map map = {0};
    leman_features back = {0};
    fuzz_expect(!lm_column_map_view(ctx, f, &map));
    fuzz_expect(!lm_output_open_sink(ctx, "fuzz", fuzz_collect, &written, &out));
    fuzz_expect(!lm_feature_columns_put(&out, &f->origin, &map) && !lm_output_commit(&out));
    fuzz_expect(!lm_feature_columns_parse(ctx, "fuzz", written, &back) && back.columns == f->columns);
    for (size_t i = 0; i < f->columns; i++)
        fuzz_expect(!lm_feature_before(f->feature[i], back.feature[i]) &&
                    !lm_feature_before(back.feature[i], f->feature[i]));
    leman_features_free(ctx, &back);
    lm_column_map_free(ctx, &map);
    free((void *)(uintptr_t)written.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_features f = {0};
    if (!size) return 0;
    settings.threads = 1;
    fuzz_expect(!leman_context_new(&settings, &ctx));
    char *file = malloc(size);
    fuzz_expect(file != NULL);
    memcpy(file, bytes + 1, size - 1);
    if (bytes[0] & 1) make_right(file, size - 1);
    leman_status st = lm_feature_columns_parse(ctx, "fuzz", (lm_bytes){.data = file, .size = size - 1}, &f);
    fuzz_expect(!st || (st == LEMAN_ERROR_INPUT && *leman_context_message(ctx)));
    for (size_t i = 1; !st && i < f.columns; i++) fuzz_expect(lm_feature_before(f.feature[i - 1], f.feature[i]));
    if (!st) write_again(ctx, &f);
    leman_features_free(ctx, &f);
    free(file);
    leman_context_free(ctx);
    return 0;
}
