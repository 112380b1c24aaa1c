/* An output whose bytes are kept in memory, as a leman_explanation. O(bytes). */
#include "report/in_memory.h"
#include "base/context.h"

leman_status lm_explanation_new(leman_context *ctx, lm_writer *write, void *user, leman_explanation **out)
{
    leman_status st = LEMAN_OK;
    leman_explanation *written = NULL;
    lm_vector bytes = {0};
    NEW_ZERO(ctx, written, 1);
    TRY(lm_output_in_memory(ctx, "an explanation", write, user, &bytes));
    TRY(lm_vector_append(ctx, &bytes, "", 1, 1));
    written->text = bytes.items;
    written->length = bytes.count - 1;
    *out = written;
done:
    if (st) {
        lm_release(written);
        lm_vector_release(&bytes);
    }
    return st;
}

void leman_explanation_free(leman_explanation *explanation)
{
    if (!explanation) return;
    lm_release(explanation->text);
    lm_release(explanation);
}
