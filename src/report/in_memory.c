/* An output whose bytes are kept in memory, as a leman_explanation. O(bytes). */
#include "report/in_memory.h"
#include "base/drop.h"

leman_status lm_explanation_new(leman_context *ctx, lm_writer *write, void *user, leman_explanation **out)
{
    AUTO(leman_explanation_drop) leman_explanation *written = NULL;
    AUTO(lm_vector_release) lm_vector bytes = {0};
    PASS_NEW_ZERO(ctx, written, 1);
    PASS(lm_output_in_memory(ctx, "an explanation", write, user, &bytes));
    PASS(lm_vector_append(ctx, &bytes, "", 1, 1));
    written->text = bytes.items;
    written->length = bytes.count - 1;
    bytes = (lm_vector){0};
    return HAND_OVER(out, written);
}

void leman_explanation_free(leman_explanation *explanation)
{
    if (!explanation) return;
    lm_release(explanation->text);
    lm_release(explanation);
}
