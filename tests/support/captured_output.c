/* A sink that keeps its bytes. */
#include "support/captured_output.h"

static int collect(void *user, const char *bytes, size_t size)
{
    test_captured_output *c = user;
    if (c->used + size >= c->capacity) {
        c->capacity = 2 * (c->used + size) + 1;
        c->text = realloc(c->text, c->capacity);
        assert_non_null(c->text);
    }
    memcpy(c->text + c->used, bytes, size);
    c->text[c->used += size] = 0;
    return 0;
}

leman_status test_captured_output_open(leman_context *ctx, test_captured_output *c, lm_output *out)
{
    c->used = 0;
    collect(c, "", 0);
    return lm_output_open_sink(ctx, "captured output", collect, c, out);
}

void test_captured_output_free(test_captured_output *c)
{
    free(c->text);
    *c = (test_captured_output){0};
}
