/* An output whose bytes stay in memory, as a leman_explanation. O(bytes). */
#include "report/in_memory.h"
#include "base/owned.h"
#include <errno.h>

/* The sink of an output: its bytes, one after the other. */
typedef struct memory {
    leman_context *ctx;
    lm_vector bytes;
    leman_status st;
} memory;

static int append_bytes(void *user, const char *bytes, size_t size)
{
    memory *m = user;
    m->st = lm_vector_append(m->ctx, &m->bytes, bytes, size, 1);
    return m->st ? ENOMEM : 0;
}

static leman_status write_bytes(leman_context *ctx, lm_writer *write, void *user, memory *m)
{
    leman_status st = LEMAN_OK;
    lm_output out = {0};
    TRY(lm_output_open_sink(ctx, "an explanation", append_bytes, m, &out));
    TRY(write(ctx, user, &out));
    TRY(lm_output_commit(&out));
done:
    lm_output_abort(&out);
    return m->st ? m->st : st;
}

leman_status lm_explanation_new(leman_context *ctx, lm_writer *write, void *user, leman_explanation **out)
{
    leman_status st = LEMAN_OK;
    leman_explanation *written = NULL;
    memory m = {.ctx = ctx};
    OWNED(ctx, written);
    TRY(write_bytes(ctx, write, user, &m));
    TRY(lm_vector_append(ctx, &m.bytes, "", 1, 1));
    written->text = m.bytes.items;
    written->length = m.bytes.count - 1;
    *out = written;
done:
    if (st) {
        lm_owned_free(written);
        lm_vector_free(ctx, &m.bytes);
    }
    return st;
}

void leman_explanation_free(leman_explanation *explanation)
{
    if (!explanation) return;
    lm_owned_release(explanation, explanation->text);
    lm_owned_free(explanation);
}
