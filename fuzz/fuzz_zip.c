/*
 * The zip reader. Either the input is the zip, or (first byte odd) a valid zip is made whose members hold pieces of the
 * input, so that checksums are right, and then bytes of it are changed: each change is three bytes of input, a place
 * and a value.
 */
#include "base/context.h"
#include "io/archive/zip_write.h"
#include "io/format.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGES = 4, LIMIT = 1 << 20 };

typedef struct made_zip {
    leman_context *ctx;
    lm_vector bytes;
} made_zip;

static int collect(void *user, const char *bytes, size_t size)
{
    made_zip *made = user;
    return lm_vector_append(made->ctx, &made->bytes, bytes, size, 1) ? 1 : 0;
}

/* Members S/S_A.txt, ...: a piece of text each, cut at 0xff; names come from the table below, chosen by a byte. */
static leman_status make_zip(made_zip *made, const uint8_t *text, size_t size)
{
    static const char *const NAMES[] = {
        "S/S_A.txt",  "S/S_graph_indicator.txt", "S/S_node_labels.txt",     "S_A.txt",     "S/",
        "../S_A.txt", "__MACOSX/S_A.txt",        "S/S_edge_attributes.txt", "./S/S_A.txt", "T_graph_indicator.txt"};
    leman_status st = LEMAN_OK;
    lm_output out = {0}, *member;
    lm_zip zip = {.ctx = made->ctx};
    TRY(lm_output_open_sink(made->ctx, "made", collect, made, &out));
    lm_zip_begin(made->ctx, &out, &zip);
    for (size_t at = 0, i = 0; at < size; i++) {
        const uint8_t *cut = memchr(text + at, 0xff, size - at);
        size_t length = cut ? (size_t)(cut - text) - at : size - at;
        size_t name = i;
        if (i >= 2 && length) name = text[at] % (sizeof NAMES / sizeof *NAMES), at++, length--;
        TRY(lm_zip_member(&zip, NAMES[name % (sizeof NAMES / sizeof *NAMES)], &member));
        TRY(lm_output_write(member, text + at, length));
        TRY(lm_zip_member_end(&zip));
        at += length + 1;
    }
    TRY(lm_zip_end(&zip));
    TRY(lm_output_commit(&out));
done:
    lm_output_abort(&out);
    lm_zip_free(&zip);
    return st;
}

static void read_zip(leman_context *ctx, const void *bytes, size_t size)
{
    leman_read_options options = leman_read_options_default();
    const leman_policy policy = leman_policy_default();
    leman_dataset *data = NULL;
    lm_bytes input = {bytes, size, false};
    options.max_bytes = LIMIT;
    options.policy = &policy; /* leman_dataset_read() fills it in */
    if (!lm_format_tu_zip.read(ctx, "fuzz.zip", &input, &options, NULL, &data) && leman_dataset_check(ctx, data)) {
        fprintf(stderr, "%s\n", leman_context_message(ctx));
        abort();
    }
    leman_dataset_free(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    settings.threads = 1;
    settings.memory = (size_t)1 << 30;
    if (leman_context_new(&settings, &ctx)) return 0;
    made_zip made = {.ctx = ctx};
    if (size > 1 + 3 * CHANGES && bytes[0] & 1) {
        if (!make_zip(&made, bytes + 1 + 3 * CHANGES, size - 1 - 3 * CHANGES)) {
            unsigned char *zip = made.bytes.items;
            for (const uint8_t *change = bytes + 1; change < bytes + 1 + 3 * CHANGES; change += 3) {
                size_t place = change[0] | (size_t)change[1] << 8;
                if (change[2] && place < made.bytes.count) zip[made.bytes.count - 1 - place] ^= change[2];
            }
            read_zip(ctx, made.bytes.items, made.bytes.count);
        }
    } else if (size > 1) {
        read_zip(ctx, bytes + 1, size - 1);
    }
    lm_vector_release(&made.bytes);
    leman_context_free(ctx);
    return 0;
}
