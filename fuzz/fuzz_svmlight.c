/* svmlight files, line by line: what reads has increasing indices and finite values that are not 0. */
#include "reader.h"

#include "io/array/svmlight.h"
#include <math.h>

static void check(const lm_svmlight_rows *rows)
{
    const uint64_t *end = rows->end.items;
    const uint32_t *index = rows->index.items;
    const double *value = rows->value.items;
    fuzz_expect(rows->label.count == rows->end.count && rows->index.count == rows->value.count);
    for (size_t i = 0; i < rows->end.count; i++) {
        const uint64_t first = i ? end[i - 1] : 0;
        fuzz_expect(first <= end[i] && end[i] <= rows->index.count);
        for (uint64_t e = first; e < end[i]; e++)
            fuzz_expect(isfinite(value[e]) && value[e] != 0 && (e == first || index[e - 1] < index[e]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    lm_svmlight_rows rows = {0};
    leman_status st = LEMAN_OK;
    if (!size) return 0;
    settings.threads = 1;
    fuzz_expect(!leman_context_new(&settings, &ctx));
    lm_text text = lm_text_of(ctx, "fuzz", (lm_bytes){.data = (const char *)bytes + 1, .size = size - 1});
    while (!st && text.at < text.end) st = lm_svmlight_line(&text, &rows);
    fuzz_expect(!st || (st == LEMAN_ERROR_INPUT && *leman_context_message(ctx)));
    if (!st) check(&rows);
    lm_svmlight_rows_free(&rows);
    leman_context_free(ctx);
    return 0;
}
