/* Checks addresses, parses reply lines (RFC 9110), and reads and writes origin notes. Input is not trusted: what cannot
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

/* Reads the digits at *at and moves behind them; returns false if there are none or the number exceeds 64 bits. */
static bool number(const char **at, const char *end, uint64_t *value)
{
    const char *from = *at;
    uint64_t sum = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
        if (__builtin_mul_overflow(sum, 10, &sum) || __builtin_add_overflow(sum, (uint64_t)(**at - '0'), &sum))
            return false;
    *value = sum;
    return *at > from;
}

static void status_line(lm_reply *reply, const char *at, const char *end)
{
    uint64_t code;
    *reply = (lm_reply){0};
    while (at < end && *at != ' ') at++;
    while (at < end && *at == ' ') at++;
    if (number(&at, end, &code) && code < 1000) reply->code = (long)code;
}

/* Parses "bytes 100-199/1000", or "bytes 100-199/" and a star for an unknown total. */
static void content_range(lm_reply *reply, const char *at, const char *end)
{
    uint64_t first, last, total;
    if (end - at < 6 || !lm_begins(at, "bytes ")) return;
    at += 6;
    if (!number(&at, end, &first) || at == end || *at++ != '-' || !number(&at, end, &last) || last < first) return;
    reply->has_range = true;
    reply->first = first;
    if (at == end || *at++ != '/' || !number(&at, end, &total) || at != end || total <= last) return;
    reply->has_total = true;
    reply->total = total;
}

static void copy_validator(char *to, const char *at, const char *end)
{
    size_t length = (size_t)(end - at);
    *to = 0;
    if (length >= LM_VALIDATOR_SIZE || !printable(at, length)) return;
    memcpy(to, at, length);
    to[length] = 0;
}

void lm_reply_line(lm_reply *reply, const char *line, size_t length)
{
    const char *end = line + length, *colon = memchr(line, ':', length);
    while (end > line && strchr("\r\n\t ", end[-1])) end--;
    if (length >= 5 && lm_begins(line, "HTTP/")) {
        status_line(reply, line, end);
        return;
    }
    if (!colon || colon >= end) return;
    size_t name = (size_t)(colon - line);
    const char *value = colon + 1;
    while (value < end && (*value == ' ' || *value == '\t')) value++;
    if (name == 14 && lm_begins(line, "Content-Length"))
        reply->has_length = number(&value, end, &reply->length) && value == end;
    else if (name == 13 && lm_begins(line, "Content-Range"))
        content_range(reply, value, end);
    else if (name == 4 && lm_begins(line, "ETag"))
        copy_validator(reply->etag, value, end);
    else if (name == 13 && lm_begins(line, "Last-Modified"))
        copy_validator(reply->modified, value, end);
}

const char *lm_reply_validator(const lm_reply *reply)
{
    return reply->etag[0] == '"' ? reply->etag
                                 : reply->modified; /* a weak tag, W/"...", does not guarantee equal bytes */
}

bool lm_reply_size(const lm_reply *reply, uint64_t *size)
{
    bool whole = reply->code == 200 && reply->has_length;
    if (whole) *size = reply->length;
    if (reply->code == 206 && reply->has_total) *size = reply->total;
    return whole || (reply->code == 206 && reply->has_total);
}

/* ---- The note beside a partial file ---------------------------------------------------------- */

leman_status lm_origin_read(leman_context *ctx, const char *path, const char *url, bool *found,
                            char validator[LM_VALIDATOR_SIZE])
{
    lm_bytes bytes = {0};
    *found = false;
    leman_status st = lm_bytes_open(ctx, path, ORIGIN_LIMIT, &bytes);
    if (st) return st == LEMAN_ERROR_MEMORY || st == LEMAN_ERROR_BUDGET ? st : LEMAN_OK;
    size_t length = strlen(url);
    if (bytes.size > length && !memcmp(bytes.data, url, length) && bytes.data[length] == '\n') {
        const char *second = bytes.data + length + 1, *end = bytes.data + bytes.size;
        const char *stop = memchr(second, '\n', (size_t)(end - second));
        if (stop && stop + 1 == end) copy_validator(validator, second, stop);
        *found = stop && stop + 1 == end && *validator;
    }
    lm_bytes_close(ctx, &bytes);
    return LEMAN_OK;
}

leman_status lm_origin_write(leman_context *ctx, const char *path, const char *url, const char *validator)
{
    leman_status st = LEMAN_OK;
    lm_output out = {0};
    TRY(lm_output_open(ctx, path, &out));
    lm_output_write(&out, url, strlen(url));
    lm_output_write(&out, "\n", 1);
    lm_output_write(&out, validator, strlen(validator));
    lm_output_write(&out, "\n", 1);
    TRY(lm_output_commit(&out));
done:
    lm_output_abort(&out);
    return st;
}
