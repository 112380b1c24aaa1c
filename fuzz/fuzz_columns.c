/* Files of columns, in the manner of features.h. What reads is in order, and comes back the same from its writer. */
#include "features.h"

static void check(leman_context *ctx, const leman_features *f)
{
    lm_bytes written = {0};
    lm_output out = {0};
    lm_column_map map = {0};
    leman_features back = {0};
    for (size_t i = 1; i < f->columns; i++) fuzz_expect(lm_feature_before(f->feature[i - 1], f->feature[i]));
    fuzz_expect(!lm_column_map_view(ctx, f, &map));
    fuzz_expect(!lm_output_open_sink(ctx, "fuzz", fuzz_collect, &written, &out));
    fuzz_expect(!lm_feature_columns_put(&out, &f->origin, &map) && !lm_output_commit(&out));
    fuzz_expect(!lm_feature_columns_parse(ctx, "fuzz", written, &back) && back.columns == f->columns);
    for (size_t i = 0; i < f->columns; i++)
        fuzz_expect(!lm_feature_before(f->feature[i], back.feature[i]) &&
                    !lm_feature_before(back.feature[i], f->feature[i]));
    lm_features_clear(&back);
    lm_column_map_free(&map);
    free((void *)(uintptr_t)written.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const fuzz_features kind = {LM_COLUMNS_MAGIC, LM_COLUMNS_VERSION, lm_feature_columns_parse, check};
    return fuzz_features_run(&kind, bytes, size);
}
