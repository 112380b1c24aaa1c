/* Files of splits: what is accepted is sound, and comes back the same when it is written. */
#include "learn/protocol/splits.h"
#include "reader.h"

enum { GRAPHS = 12 };

static leman_dataset *graphs_new(leman_context *ctx)
{
    leman_builder *builder = NULL;
    leman_dataset *data = NULL;
    leman_columns columns = {0};
    fuzz_expect(!leman_builder_new(ctx, "fuzz", &columns, &builder));
    for (int i = 0; i < GRAPHS; i++) fuzz_expect(!leman_builder_graph(builder, NULL, NULL, NULL));
    fuzz_expect(!leman_builder_finish(builder, NULL, NULL, &data));
    leman_builder_free(builder);
    return data;
}

/* Parts of a fold do not meet, and some graph is left to train. */
static void check(const leman_splits *splits)
{
    for (size_t i = 0; i < splits->repetitions * splits->folds; i++) {
        bool seen[GRAPHS] = {false};
        uint32_t training[GRAPHS];
        lm_part part[2] = {lm_split_test(splits, i), lm_split_validation(splits, i)};
        for (int p = 0; p < 2; p++)
            for (size_t j = 0; j < part[p].count; j++) {
                fuzz_expect(part[p].graph[j] < GRAPHS && !seen[part[p].graph[j]]);
                seen[part[p].graph[j]] = true;
            }
        fuzz_expect(part[0].count && part[1].count && lm_split_training(splits, i, training));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    leman_splits *splits = NULL, *back = NULL;
    lm_bytes written = {0};
    if (!size) return 0; /* the first byte is not looked at */
    settings.threads = 1;
    fuzz_expect(!leman_context_new(&settings, &ctx));
    leman_dataset *data = graphs_new(ctx);
    leman_status st =
        lm_splits_parse(ctx, data, "fuzz", (lm_bytes){.data = (const char *)bytes + 1, .size = size - 1}, &splits);
    fuzz_expect(st ? *leman_context_message(ctx) != 0 && st == LEMAN_ERROR_INPUT : splits->folds > 0);
    if (!st) {
        lm_output out = {0};
        check(splits);
        fuzz_expect(!lm_output_open_sink(ctx, "fuzz", fuzz_collect, &written, &out));
        fuzz_expect(!lm_splits_print(splits, &out) && !lm_output_commit(&out));
        fuzz_expect(!lm_splits_parse(ctx, data, "fuzz", written, &back));
        fuzz_expect(lm_splits_checksum(splits) == lm_splits_checksum(back));
    }
    free((void *)(uintptr_t)written.data);
    leman_splits_free(splits);
    leman_splits_free(back);
    leman_dataset_free(data);
    leman_context_free(ctx);
    return 0;
}
