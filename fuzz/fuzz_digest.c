/* What is read beside a download: the recorded sum, a server's reply lines, and where it sends us. The
 * first byte says which. A sum that reads must print and read back as itself. */
#include "base/context.h"
#include "io/download/digest.h"
#include "io/download/http.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_record(leman_context *ctx, const char *text, size_t size)
{
    lm_digest digest, back;
    char line[sizeof digest.text + 8];
    if (lm_digest_parse(ctx, "X.zip.sha256", (lm_bytes){text, size, false}, "X.zip", &digest)) return;
    strcat(strcpy(line, digest.text), "  X.zip");
    if (lm_digest_parse(ctx, "X.zip.sha256", (lm_bytes){line, strlen(line), false}, "X.zip", &back)) abort();
    if (strcmp(digest.text, back.text)) abort();
}

static void fuzz_reply(const char *text, size_t size)
{
    lm_reply reply = {.etag = ""};
    for (const char *end = text + size; text < end;) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        size_t length = stop ? (size_t)(stop - text) + 1 : (size_t)(end - text);
        lm_reply_line(&reply, text, length);
        text += length;
    }
    for (const char *p = lm_reply_validator(&reply); *p; p++)
        if (*p < 0x20 || *p > 0x7e) abort(); /* it goes into a request of ours */
}

static void fuzz_url(leman_context *ctx, const char *text, size_t size)
{
    char *url = malloc(size + 1);
    if (!url) abort();
    memcpy(url, text, size);
    url[size] = 0;
    if (!lm_url_check(ctx, url, "https://a/") && strncasecmp(url, "https://", 8)) abort();
    free(url);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    leman_settings settings = leman_settings_default();
    leman_context *ctx = NULL;
    settings.threads = 1;
    if (!size || leman_context_new(&settings, &ctx)) return 0;
    char *text = malloc(size > 1 ? size - 1 : 1); /* an exact copy, so that reading past the end is caught */
    if (!text) abort();
    memcpy(text, data + 1, size - 1);
    if (data[0] % 3 == 0) fuzz_record(ctx, text, size - 1);
    if (data[0] % 3 == 1) fuzz_reply(text, size - 1);
    if (data[0] % 3 == 2) fuzz_url(ctx, text, size - 1);
    free(text);
    leman_context_free(ctx);
    return 0;
}
