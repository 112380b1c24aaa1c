/*
 * Performs one request over HTTP(S).
 *
 * If an earlier call was interrupted, the request asks for the rest ("Range: bytes=N-", with If-Range for the content
 * that the part belongs to). The last byte of the part is requested again, so that the range is not empty even if the
 * part is complete. If the server answers 200, it sends the whole file, and the part starts over.
 *
 * Redirections are followed here and not in libcurl, because each address is checked (from https only to https).
 * Certificates are always verified.
 */
#ifdef LEMAN_CURL

#include "io/download/exchange.h"
#include "base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_REDIRECTIONS = 8,
    LARGEST_PAGE = 1 << 20, /* largest page with a redirection or an error */
};

/* ---- Callbacks ------------------------------------------------------------------------------- */

static leman_status file_error(const lm_exchange *x)
{
    return lm_fail_errno(x->ctx, errno, "%s: cannot be written", x->request->part);
}

static leman_status too_large(const lm_exchange *x)
{
    return lm_fail(x->ctx, LEMAN_ERROR_INPUT, "%s: larger than the limit of %llu byte%s", x->url,
                   (unsigned long long)x->request->max_bytes, lm_plural(x->request->max_bytes));
}

/* Starts the part over. The note is removed first and written last: while it exists, it describes the part. */
static leman_status start_over(lm_exchange *x)
{
    const char *validator = lm_reply_validator(&x->reply);
    x->position = 0;
    x->resumed = false;
    unlink(x->request->origin);
    if (ftruncate(x->file, 0)) return file_error(x);
    return *validator ? lm_origin_write(x->ctx, x->request->origin, x->request->url, validator) : LEMAN_OK;
}

/* The headers are complete: decides whether this reply starts the part, continues it, or does neither. */
static void begin_body(lm_exchange *x)
{
    uint64_t size = 0;
    bool sized = lm_reply_size(&x->reply, &size);
    x->begun = true;
    if (sized && size > x->request->max_bytes) {
        x->status = too_large(x);
    } else if (x->reply.code == 200) {
        x->status = start_over(x);
    } else {
        const char *now = lm_reply_validator(&x->reply);
        x->mismatch = !x->offset || !x->reply.has_range || x->reply.first != x->offset ||
                      (*now && strcmp(now, x->validator) != 0);
        x->position = x->offset;
        if (!x->mismatch) x->resumed = true;
    }
    lm_progress_begin(x->ctx, sized ? size : 0, "downloading %s", lm_path_base(x->request->url));
}

/* Aborts a transfer that is too slow or too long, even if the server sends a byte from time to time. */
static leman_status check_pace(lm_exchange *x)
{
    const lm_transfer *request = x->request;
    const double now = lm_now(), span = now - x->since;
    const unsigned long long got = x->received - x->received_then, slowest = request->min_speed;
    x->slow = true;
    if (request->time_limit > 0 && now - x->began > request->time_limit)
        return lm_fail(x->ctx, LEMAN_ERROR_NETWORK, "%s: found %llu byte%s after %.0f seconds, expected all within %g",
                       x->url, (unsigned long long)x->received, lm_plural(x->received), now - x->began,
                       request->time_limit);
    if (span >= (double)request->stall_seconds && (double)got < (double)slowest * span)
        return lm_fail(x->ctx, LEMAN_ERROR_NETWORK,
                       "%s: found %llu byte%s in %.0f seconds, expected at least %llu a second", x->url, got,
                       lm_plural(got), span, slowest);
    x->slow = false;
    if (span >= (double)request->stall_seconds) {
        x->since = now;
        x->received_then = x->received;
    }
    return LEMAN_OK;
}

static size_t on_header(char *line, size_t one, size_t length, void *user)
{
    (void)one;
    lm_reply_line(&((lm_exchange *)user)->reply, line, length);
    return length;
}

static size_t on_body(char *bytes, size_t one, size_t size, void *user)
{
    (void)one;
    lm_exchange *x = user;
    x->received += size;
    if (x->reply.code != 200 && x->reply.code != 206)
        return size > LARGEST_PAGE - x->ignored ? 0 : (x->ignored += size, size);
    if (!x->begun) begin_body(x);
    if (!x->status && size > x->request->max_bytes - x->position) x->status = too_large(x);
    for (size_t at = 0; at < size && !x->status && !x->mismatch;) {
        ssize_t put = pwrite(x->file, bytes + at, size - at, (off_t)x->position);
        if (put < 0 && errno != EINTR) x->status = file_error(x);
        if (put > 0) at += (size_t)put, x->position += (uint64_t)put;
    }
    return x->status || x->mismatch ? 0 : size;
}

static int on_progress(void *user, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up_now)
{
    (void)total, (void)now, (void)up_total, (void)up_now;
    lm_exchange *x = user;
    if (!x->status) x->status = lm_progress_step(x->ctx, x->position);
    if (!x->status) x->status = check_pace(x);
    return x->status != LEMAN_OK;
}

/* ---- One request ----------------------------------------------------------------------------- */

/* Opens the part and finds from its size and its note where to continue. */
static leman_status open_part(lm_exchange *x)
{
    leman_status st = LEMAN_OK;
    struct stat about;
    bool known = false;
    x->offset = x->position = x->ignored = 0;
    x->begun = x->mismatch = false;
    x->reply = (lm_reply){0};
    x->error[0] = 0;
    x->file = open(x->request->part, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (x->file < 0 || fstat(x->file, &about)) TRY(file_error(x));
    TRY(lm_origin_read(x->ctx, x->request->origin, x->request->url, &known, x->validator));
    if (known && about.st_size > 1) x->offset = (uint64_t)about.st_size - 1;
    if (x->offset >= x->request->max_bytes) x->offset = 0;
done:
    return st;
}

static leman_status close_part(lm_exchange *x)
{
    int file = x->file;
    x->file = -1;
    return file >= 0 && close(file) ? file_error(x) : LEMAN_OK;
}

/* Sets the options that all requests of a transfer share. */
leman_status lm_exchange_open(lm_exchange *x)
{
    const lm_transfer *request = x->request;
    CURL *curl = x->curl = x->libcurl.easy_init();
    x->began = x->since = lm_now();
    if (!curl) return lm_fail(x->ctx, LEMAN_ERROR_MEMORY, "out of memory: libcurl could not be started");
    bool bad = x->libcurl.easy_setopt(curl, CURLOPT_USERAGENT, "leman") ||
               x->libcurl.easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) ||
               x->libcurl.easy_setopt(curl, CURLOPT_ERRORBUFFER, x->error) ||
               x->libcurl.easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L) ||
               x->libcurl.easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L) ||
               x->libcurl.easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L) ||
               x->libcurl.easy_setopt(curl, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L) ||
               x->libcurl.easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, request->connect_seconds) ||
               x->libcurl.easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header) ||
               x->libcurl.easy_setopt(curl, CURLOPT_HEADERDATA, x) ||
               x->libcurl.easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body) ||
               x->libcurl.easy_setopt(curl, CURLOPT_WRITEDATA, x) ||
               x->libcurl.easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress) ||
               x->libcurl.easy_setopt(curl, CURLOPT_XFERINFODATA, x) ||
               x->libcurl.easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
#if LIBCURL_VERSION_NUM >= 0x075500
    bad = bad || x->libcurl.easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    bad = bad || x->libcurl.easy_setopt(curl, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    return bad ? lm_fail(x->ctx, LEMAN_ERROR_UNSUPPORTED, "libcurl %s lacks an option that is needed",
                         x->libcurl.version())
               : LEMAN_OK;
}

/* Performs one request for x->url; *result is libcurl's result. Fails only if a callback failed or memory is
 * exhausted. */
static leman_status perform_request(lm_exchange *x, CURLcode *result)
{
    leman_status st = LEMAN_OK;
    struct curl_slist *headers = NULL;
    char range[32], condition[LM_VALIDATOR_SIZE + 16];
    TRY(open_part(x));
    snprintf(range, sizeof range, "%llu-", (unsigned long long)x->offset);
    snprintf(condition, sizeof condition, "If-Range: %s", x->validator);
    if (x->offset) headers = x->libcurl.slist_append(NULL, condition);
    if ((x->offset && !headers) || x->libcurl.easy_setopt(x->curl, CURLOPT_URL, x->url) ||
        x->libcurl.easy_setopt(x->curl, CURLOPT_RANGE, x->offset ? range : NULL) ||
        x->libcurl.easy_setopt(x->curl, CURLOPT_HTTPHEADER, headers))
        FAIL(x->ctx, LEMAN_ERROR_MEMORY, "out of memory: libcurl could not take the request");
    *result = x->libcurl.easy_perform(x->curl);
    if (*result == CURLE_OK && !x->begun && x->reply.code == 200) begin_body(x); /* an empty file */
    TRY(x->status);
    if (*result == CURLE_OK && x->begun && !x->mismatch && ftruncate(x->file, (off_t)x->position)) TRY(file_error(x));
done:
    if (x->curl) x->libcurl.easy_setopt(x->curl, CURLOPT_HTTPHEADER, NULL);
    x->libcurl.slist_free_all(headers);
    leman_status closed = close_part(x);
    return st ? st : closed;
}

static bool redirects(long code)
{
    return code == 301 || code == 302 || code == 303 || code == 307 || code == 308;
}

/* Performs the request and follows redirections. */
leman_status lm_exchange_perform(lm_exchange *x, CURLcode *result)
{
    leman_status st = LEMAN_OK;
    x->url = x->request->url;
    for (int step = 0;; step++) {
        char *next = NULL, *copy = NULL;
        TRY(perform_request(x, result));
        if (!redirects(x->reply.code)) break;
        if (step == MAX_REDIRECTIONS)
            FAIL(x->ctx, LEMAN_ERROR_NETWORK, "%s: redirected more than %d times", x->request->url, MAX_REDIRECTIONS);
        x->libcurl.easy_getinfo(x->curl, CURLINFO_REDIRECT_URL, &next);
        if (!next)
            FAIL(x->ctx, LEMAN_ERROR_NETWORK, "%s: the server answered HTTP %ld without a place to go", x->url,
                 x->reply.code);
        TRY(lm_url_check(x->ctx, next, x->url));
        SCRATCH(x->ctx, copy, strlen(next) + 1);
        x->url = strcpy(copy, next);
    }
done:
    return st;
}

void lm_exchange_close(lm_exchange *x)
{
    if (x->curl) x->libcurl.easy_cleanup(x->curl);
    x->curl = NULL;
}

#else
typedef int lm_exchange_is_not_built; /* a C file needs at least one declaration */
#endif
