#include "support/formats.h"
#include <stdio.h>

leman_status test_read_text(leman_context *ctx, test_reader *reader, const char *name, const char *text,
                            const leman_policy *policy, leman_cleaning *cleaning, leman_dataset **out)
{
    leman_read_options options = leman_read_options_default();
    options.max_bytes = UINT64_C(1) << 30;
    leman_policy standard = leman_policy_default();
    options.policy = policy ? policy : &standard;
    lm_bytes bytes = {.data = text, .size = strlen(text)};
    return reader(ctx, name, &bytes, &options, cleaning, out);
}

leman_dataset *test_text_read(leman_context *ctx, test_reader *reader, const char *text, const leman_policy *policy)
{
    leman_dataset *data = NULL;
    leman_status st = test_read_text(ctx, reader, "test", text, policy, NULL, &data);
    if (st) fail_msg("'%.60s' is not read: %s", text, leman_context_message(ctx));
    assert_int_equal(leman_dataset_check(ctx, data), LEMAN_OK);
    return data;
}

void test_text_fails(test_reader *reader, const char *name, const char *text, const char *sentence)
{
    leman_context *ctx = test_context_new(1);
    leman_dataset *data = NULL;
    leman_status st = test_read_text(ctx, reader, name, text, NULL, NULL, &data);
    if (st != LEMAN_ERROR_INPUT) fail_msg("'%.60s' gives status %d, expected an input error", text, (int)st);
    assert_null(data);
    assert_string_equal(leman_context_message(ctx), sentence);
    test_context_free(ctx);
}

typedef struct memory {
    char *text;
    size_t size;
} memory;

static int remember_bytes(void *user, const char *bytes, size_t size)
{
    memory *m = user;
    m->text = realloc(m->text, m->size + size + 1);
    assert_non_null(m->text);
    memcpy(m->text + m->size, bytes, size);
    m->text[m->size += size] = 0;
    return 0;
}

char *test_text_written(leman_context *ctx, test_writer *writer, const leman_dataset *data)
{
    lm_output out = {0};
    memory m = {.text = calloc(1, 1)};
    assert_int_equal(lm_output_open_sink(ctx, "memory", remember_bytes, &m, &out), LEMAN_OK);
    leman_status st = writer(ctx, data, &out);
    if (st) fail_msg("not written: %s", leman_context_message(ctx));
    assert_int_equal(lm_output_commit(&out), LEMAN_OK);
    return m.text;
}

bool test_has_arc(const leman_dataset *data, size_t graph, size_t u, size_t v)
{
    leman_graph g = leman_dataset_graph(data, graph);
    for (uint64_t e = g.start[u]; e < g.start[u + 1]; e++)
        if (g.head[e] == v) return true;
    return false;
}

static void remember_line(void *user, const char *message)
{
    test_log *log = user;
    size_t used = strlen(log->text);
    snprintf(log->text + used, sizeof log->text - used, "%s\n", message);
}

void test_log_new(test_log *log)
{
    leman_settings settings = leman_settings_default();
    *log = (test_log){0};
    settings.threads = 1;
    settings.log = remember_line;
    settings.callback_user = log;
    assert_int_equal(leman_context_new(&settings, &log->ctx), LEMAN_OK);
}

void test_log_free(test_log *log)
{
    leman_context_free(log->ctx);
}
