/* Files of graph numbers: the first byte is how many graphs there are, the rest the file. What reads is below that. */
#include "nn/train/run.h"
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    lm_vector list = {0};
    if (!size) return 0;
    settings.threads = 1;
    fuzz_expect(!leman_context_new(&settings, &ctx));
    const size_t graphs = (size_t)bytes[0] + 1;
    const lm_bytes file = {.data = (const char *)bytes + 1, .size = size - 1};
    leman_status st = lm_parts_parse(ctx, "fuzz", file, graphs, &list);
    fuzz_expect(st ? st == LEMAN_ERROR_INPUT && *leman_context_message(ctx) : list.count > 0);
    for (size_t i = 0; i < list.count; i++) fuzz_expect(((const uint32_t *)list.items)[i] < graphs);
    lm_vector_release(&list);
    leman_context_free(ctx);
    return 0;
}
