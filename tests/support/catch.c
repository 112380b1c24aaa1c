/* A sink that keeps its bytes. */
#include "support/catch.h"

static int collect(void *user, const char *bytes, size_t size)
{
    test_catch *c = user;
    if (c->used + size >= c->room) {
        c->room = 2 * (c->used + size) + 1;
        c->text = realloc(c->text, c->room);
        assert_non_null(c->text);
    }
    memcpy(c->text + c->used, bytes, size);
    c->text[c->used += size] = 0;
    return 0;
}

leman_status test_catch_open(leman_context *ctx, test_catch *c, lm_output *out)
{
    c->used = 0;
    collect(c, "", 0);
    return lm_output_open_sink(ctx, "a catch", collect, c, out);
}

void test_catch_free(test_catch *c)
{
    free(c->text);
    *c = (test_catch){0};
}
