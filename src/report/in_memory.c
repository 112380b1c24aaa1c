/* An output whose bytes are kept in memory, as a leman_explanation. O(bytes). */
#include "report/in_memory.h"
#include "base/owned.h"

leman_status lm_explanation_new(leman_context *ctx, lm_writer *write, void *user, leman_explanation **out)
{
    leman_status st = LEMAN_OK;
    leman_explanation *written = NULL;
    lm_vector bytes = {0};
    OWNED(ctx, written);
    TRY(lm_output_in_memory(ctx, "an explanation", write, user, &bytes));
    TRY(lm_vector_append(ctx, &bytes, "", 1, 1));
    written->text = bytes.items;
    written->length = bytes.count - 1;
    *out = written;
done:
    if (st) {
        lm_owned_free(written);
        lm_vector_free(ctx, &bytes);
    }
    return st;
}

void leman_explanation_free(leman_explanation *explanation)
{
    if (!explanation) return;
    lm_owned_release(explanation, explanation->text);
    lm_owned_free(explanation);
}
