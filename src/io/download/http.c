/* Checks addresses, keeps reply lines (RFC 9110), and reads and writes origin notes. Input is not trusted: what cannot
 * be parsed is ignored. */
#include "io/download/http.h"
#include "base/ascii.h"
#include "base/context.h"
#include "base/file.h"
#include <string.h>

enum { ORIGIN_LIMIT = 16384 };

/* ---- Addresses ------------------------------------------------------------------------------- */

static bool printable(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] < 0x20 || text[i] > 0x7e) return false;
    return true;
}

leman_status lm_url_check(leman_context *ctx, const char *url, const char *from)
{
    const char *host = lm_begins(url, "https://") ? url + 8 : lm_begins(url, "http://") ? url + 7 : NULL;
    const char *what = NULL;
    if (!printable(url, strlen(url)) || strchr(url, ' '))
        what = "an address without blanks and control characters";
    else if (!host || !*host)
        what = "an address that begins with http:// or https://";
    else if (memchr(host, '@', strcspn(host, "/?#")))
        what = "an address without a user name";
    else if (from && lm_begins(from, "https://") && !lm_begins(url, "https://"))
        what = "https, as it came from https";
    if (!what) return LEMAN_OK;
    if (from) return lm_fail(ctx, LEMAN_ERROR_NETWORK, "%s: redirected to '%s', expected %s", from, url, what);
    return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "url: found '%s', expected %s", url, what);
}

/* ---- Reply lines ----------------------------------------------------------------------------- */

static void copy_line(char *to, const char *at, const char *end)
{
    size_t length = (size_t)(end - at);
    *to = 0;
    if (length >= LM_VALIDATOR_SIZE || !printable(at, length)) return;
    memcpy(to, at, length);
    to[length] = 0;
}

void lm_reply_line(lm_reply *reply, const char *line, size_t length)
{
    const struct {
        const char *name;
        char *text;
    } KEPT[] = {{"ETag", reply->etag}, {"Last-Modified", reply->modified}, {"Content-Range", reply->range}};
    const char *end = line + length, *colon = memchr(line, ':', length);
    if (length >= 5 && lm_same_word(line, "HTTP/", 5)) *reply = (lm_reply){.etag = ""};
    while (end > line && strchr("\r\n\t ", end[-1])) end--;
    if (!colon || colon >= end) return;
    const char *value = colon + 1;
    while (value < end && (*value == ' ' || *value == '\t')) value++;
    for (size_t i = 0; i < sizeof KEPT / sizeof *KEPT; i++)
        if (lm_is_word(line, (size_t)(colon - line), KEPT[i].name)) copy_line(KEPT[i].text, value, end);
}

const char *lm_reply_validator(const lm_reply *reply)
{
    return reply->etag[0] == '"' ? reply->etag
                                 : reply->modified; /* a weak tag, W/"...", does not guarantee equal bytes */
}

/* ---- The note beside a partial file ---------------------------------------------------------- */

leman_status lm_origin_read(leman_context *ctx, const char *path, const char *url, bool *found,
                            char validator[LM_VALIDATOR_SIZE])
{
    AUTO(lm_bytes_close) lm_bytes bytes = {0};
    *found = false;
    leman_status st = lm_bytes_open(ctx, path, ORIGIN_LIMIT, &bytes);
    if (st) return st == LEMAN_ERROR_MEMORY || st == LEMAN_ERROR_BUDGET ? st : LEMAN_OK;
    size_t length = strlen(url);
    if (bytes.size > length && !memcmp(bytes.data, url, length) && bytes.data[length] == '\n') {
        const char *second = bytes.data + length + 1, *end = bytes.data + bytes.size;
        const char *stop = memchr(second, '\n', (size_t)(end - second));
        if (stop && stop + 1 == end) copy_line(validator, second, stop);
        *found = stop && stop + 1 == end && *validator;
    }
    return LEMAN_OK;
}

leman_status lm_origin_write(leman_context *ctx, const char *path, const char *url, const char *validator)
{
    AUTO(lm_output_abort) lm_output out = {0};
    PASS(lm_output_open(ctx, path, &out));
    PASS(lm_output_printf(&out, "%s\n%s\n", url, validator));
    return lm_output_commit(&out);
}
