/*
 * One file over HTTP(S) by libcurl.
 *
 * Where an earlier call was cut off, the request asks for the rest ("Range: bytes=N-", with If-Range naming the content
 * that the first part belongs to). The last byte at hand is asked for again, so that the range exists even if the part
 * is complete. A server that answers 200 sends the whole file, and the part starts over; so it does after a 206 that
 * does not fit, or a 416.
 *
 * Redirections are followed here and not in libcurl, because each step decides anew what the next may be (from https
 * only to https). Certificates are always verified.
 */
#include "io/transfer.h"
#include "base/context.h"
#include "io/cache.h"
#include "io/http.h"
#include <unistd.h>

void lm_transfer_discard(const lm_transfer *request)
{
    unlink(request->origin);
    unlink(request->part);
}

#ifndef LEMAN_CURL

bool lm_transfer_available(void)
{
    return false;
}

leman_status lm_transfer_run(leman_context *ctx, const lm_transfer *request, bool *resumed)
{
    (void)resumed;
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "%s: cannot be fetched, this build has no libcurl", request->url);
}

#else

#include "base/file.h"
#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
    MOST_REDIRECTIONS = 8,
    SLOWEST = 64,           /* bytes per second that are not a stall */
    LARGEST_PAGE = 1 << 20, /* that may come with a redirection or a refusal */
};

/* One request and its reply, while libcurl calls back. */
typedef struct exchange {
    leman_context *ctx;
    const lm_transfer *request;
    CURL *curl;
    const char *url;                   /* of this step, after redirections */
    char validator[LM_VALIDATOR_SIZE]; /* of the part that is continued */
    uint64_t offset;                   /* asked for; 0: the whole file */
    uint64_t position;                 /* where the next byte goes in the part */
    size_t ignored;                    /* bytes of a page that came instead of the file */
    int file;
    bool begun;          /* the body is for us, and has begun */
    bool misfit;         /* the reply does not continue our part */
    bool resumed;        /* in this or an earlier attempt */
    leman_status status; /* why a callback stopped the transfer */
    lm_reply reply;
    char error[CURL_ERROR_SIZE];
} exchange;

bool lm_transfer_available(void)
{
    return true;
}

/* ---- Callbacks ----------------------------------------------------------------------------------------------- */

static leman_status file_error(const exchange *x)
{
    return lm_fail(x->ctx, LEMAN_ERROR_FILE, "%s: cannot be written: %s", x->request->part, strerror(errno));
}

static leman_status too_large(const exchange *x)
{
    return lm_fail(x->ctx, LEMAN_ERROR_INPUT, "%s: larger than the limit of %llu bytes", x->url,
                   (unsigned long long)x->request->max_bytes);
}

/* The note goes first and comes last: while it is there, the part belongs to it. */
static leman_status start_over(exchange *x)
{
    const char *validator = lm_reply_validator(&x->reply);
    x->position = 0;
    unlink(x->request->origin);
    if (ftruncate(x->file, 0)) return file_error(x);
    return *validator ? lm_origin_write(x->ctx, x->request->origin, x->request->url, validator) : LEMAN_OK;
}

/* The headers are complete: does this reply start the part, continue it, or neither? */
static void begin_body(exchange *x)
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
        x->misfit = !x->offset || !x->reply.has_range || x->reply.first != x->offset ||
                    (*now && strcmp(now, x->validator) != 0);
        x->position = x->offset;
        if (!x->misfit) x->resumed = true;
    }
    lm_progress_begin(x->ctx, sized ? size : 0, "downloading %s", lm_path_base(x->request->url));
}

static size_t on_header(char *line, size_t one, size_t length, void *user)
{
    (void)one;
    lm_reply_line(&((exchange *)user)->reply, line, length);
    return length;
}

static size_t on_body(char *bytes, size_t one, size_t size, void *user)
{
    (void)one;
    exchange *x = user;
    if (x->reply.code != 200 && x->reply.code != 206)
        return size > LARGEST_PAGE - x->ignored ? 0 : (x->ignored += size, size);
    if (!x->begun) begin_body(x);
    if (!x->status && size > x->request->max_bytes - x->position) x->status = too_large(x);
    for (size_t at = 0; at < size && !x->status && !x->misfit;) {
        ssize_t put = pwrite(x->file, bytes + at, size - at, (off_t)x->position);
        if (put < 0 && errno != EINTR) x->status = file_error(x);
        if (put > 0) at += (size_t)put, x->position += (uint64_t)put;
    }
    return x->status || x->misfit ? 0 : size;
}

static int on_progress(void *user, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up_now)
{
    (void)total, (void)now, (void)up_total, (void)up_now;
    exchange *x = user;
    if (!x->status) x->status = lm_progress_step(x->ctx, x->position);
    return x->status != LEMAN_OK;
}

/* ---- One request ---------------------------------------------------------------------------------------------- */

/* Opens the part, and finds from its size and its note where to go on. */
static leman_status open_part(exchange *x)
{
    leman_status st = LEMAN_OK;
    struct stat about;
    bool known = false;
    x->offset = x->position = x->ignored = 0;
    x->begun = x->misfit = false;
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

static leman_status close_part(exchange *x)
{
    int file = x->file;
    x->file = -1;
    return file >= 0 && close(file) ? file_error(x) : LEMAN_OK;
}

/* Everything that is the same for each request of a transfer. */
static leman_status set_up(exchange *x)
{
    const lm_transfer *request = x->request;
    CURL *curl = x->curl = curl_easy_init();
    if (!curl) return lm_fail(x->ctx, LEMAN_ERROR_MEMORY, "out of memory: libcurl could not be started");
    bool bad =
        curl_easy_setopt(curl, CURLOPT_USERAGENT, "leman") || curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) ||
        curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, x->error) || curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L) ||
        curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L) || curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L) ||
        curl_easy_setopt(curl, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L) ||
        curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, request->connect_seconds) ||
        curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, (long)SLOWEST) ||
        curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, request->stall_seconds) ||
        curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header) || curl_easy_setopt(curl, CURLOPT_HEADERDATA, x) ||
        curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body) || curl_easy_setopt(curl, CURLOPT_WRITEDATA, x) ||
        curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress) ||
        curl_easy_setopt(curl, CURLOPT_XFERINFODATA, x) || curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
#if LIBCURL_VERSION_NUM >= 0x075500
    bad = bad || curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    bad = bad || curl_easy_setopt(curl, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    return bad ? lm_fail(x->ctx, LEMAN_ERROR_UNSUPPORTED, "libcurl %s lacks an option that is needed", curl_version())
               : LEMAN_OK;
}

/* One request for x->url; *result is libcurl's. Fails only where a callback did. */
static leman_status ask(exchange *x, CURLcode *result)
{
    leman_status st = LEMAN_OK;
    struct curl_slist *headers = NULL;
    char range[32], condition[LM_VALIDATOR_SIZE + 16];
    TRY(open_part(x));
    snprintf(range, sizeof range, "%llu-", (unsigned long long)x->offset);
    snprintf(condition, sizeof condition, "If-Range: %s", x->validator);
    if (x->offset) headers = curl_slist_append(NULL, condition);
    if ((x->offset && !headers) || curl_easy_setopt(x->curl, CURLOPT_URL, x->url) ||
        curl_easy_setopt(x->curl, CURLOPT_RANGE, x->offset ? range : NULL) ||
        curl_easy_setopt(x->curl, CURLOPT_HTTPHEADER, headers))
        FAIL(x->ctx, LEMAN_ERROR_MEMORY, "out of memory: libcurl could not take the request");
    *result = curl_easy_perform(x->curl);
    if (*result == CURLE_OK && !x->begun && x->reply.code == 200) begin_body(x); /* an empty file */
    TRY(x->status);
    if (*result == CURLE_OK && x->begun && !x->misfit && ftruncate(x->file, (off_t)x->position)) TRY(file_error(x));
done:
    if (x->curl) curl_easy_setopt(x->curl, CURLOPT_HTTPHEADER, NULL);
    curl_slist_free_all(headers);
    leman_status closed = close_part(x);
    return st ? st : closed;
}

static bool redirects(long code)
{
    return code == 301 || code == 302 || code == 303 || code == 307 || code == 308;
}

/* Asks, and asks again where the replies send us. */
static leman_status ask_along(exchange *x, CURLcode *result)
{
    leman_status st = LEMAN_OK;
    x->url = x->request->url;
    for (int step = 0;; step++) {
        char *next = NULL, *copy = NULL;
        TRY(ask(x, result));
        if (!redirects(x->reply.code)) break;
        if (step == MOST_REDIRECTIONS)
            FAIL(x->ctx, LEMAN_ERROR_NETWORK, "%s: redirected more than %d times", x->request->url, MOST_REDIRECTIONS);
        curl_easy_getinfo(x->curl, CURLINFO_REDIRECT_URL, &next);
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

/* ---- Attempts ------------------------------------------------------------------------------------------------- */

static bool code_may_pass(long code)
{
    return code == 408 || code == 429 || code == 500 || code == 502 || code == 503 || code == 504;
}

static bool error_may_pass(CURLcode result)
{
    switch (result) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return true;
    default: return false;
    }
}

/* Says what went wrong, and whether another attempt may do better. */
static leman_status judge(exchange *x, CURLcode result, bool *again)
{
    leman_context *ctx = x->ctx;
    long code = x->reply.code;
    bool refused = code && code != 200 && code != 206 && (result == CURLE_OK || result == CURLE_WRITE_ERROR);
    *again = true;
    if (x->misfit || (refused && code == 416)) {
        unlink(x->request->origin); /* the next attempt asks for all of it */
        return lm_fail(ctx, LEMAN_ERROR_NETWORK, "%s: the server could not continue a partial download", x->url);
    }
    if (refused) {
        *again = code_may_pass(code);
        return lm_fail(ctx, LEMAN_ERROR_NETWORK, "%s: the server answered HTTP %ld%s", x->url, code,
                       code == 404 ? " (not found): is the name spelled as the collection spells it?" : "");
    }
    if (result != CURLE_OK) {
        *again = error_may_pass(result);
        return lm_fail(ctx, LEMAN_ERROR_NETWORK, "%s: cannot be fetched: %s", x->url,
                       x->error[0] ? x->error : curl_easy_strerror(result));
    }
    *again = false;
    if (!x->begun)
        return lm_fail(ctx, LEMAN_ERROR_NETWORK, "%s: the server answered HTTP %ld and no file", x->url, code);
    return LEMAN_OK;
}

static leman_status wait_before(exchange *x, double seconds)
{
    leman_status st = LEMAN_OK;
    lm_progress_begin(x->ctx, 0, "waiting for %s", x->url);
    for (double until = lm_now() + seconds; lm_now() < until;) TRY(lm_cache_nap(x->ctx));
done:
    return st;
}

/* Can a later call go on from what is there? */
static bool worth_keeping(const lm_transfer *request, long long *size)
{
    struct stat about;
    bool there = !stat(request->part, &about);
    *size = there ? (long long)about.st_size : 0;
    return *size > 1 && !access(request->origin, F_OK);
}

/* What the last attempt said, and what is at hand for the next call. */
static leman_status give_up(exchange *x)
{
    long long size;
    char why[sizeof x->ctx->message];
    strcpy(why, x->ctx->message);
    if (!worth_keeping(x->request, &size))
        return lm_fail(x->ctx, LEMAN_ERROR_NETWORK, "%s (%d attempts)", why, x->request->attempts);
    return lm_fail(x->ctx, LEMAN_ERROR_NETWORK,
                   "%s (%d attempts); %lld bytes are kept, the next download continues there", why,
                   x->request->attempts, size);
}

/*
 * libcurl counts its users itself, and safely since 7.84; before that two threads must not begin at once, which this
 * lock sees to as far as they are ours. A program that uses an older libcurl in other threads as well should call
 * curl_global_init() before it starts them.
 */
static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;

static bool library_begin(void)
{
    pthread_mutex_lock(&library_lock);
    bool ready = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    pthread_mutex_unlock(&library_lock);
    return ready;
}

static void library_end(void)
{
    pthread_mutex_lock(&library_lock);
    curl_global_cleanup();
    pthread_mutex_unlock(&library_lock);
}

leman_status lm_transfer_run(leman_context *ctx, const lm_transfer *request, bool *resumed)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    exchange x = {.ctx = ctx, .request = request, .file = -1};
    double wait = request->wait;
    long long kept;
    bool begun = library_begin(), again = false;
    if (!begun) FAIL(ctx, LEMAN_ERROR_MEMORY, "libcurl could not be started");
    TRY(set_up(&x));
    for (int attempt = 1;; attempt++, wait *= 2) {
        CURLcode result = CURLE_OK;
        lm_progress_begin(ctx, 0, "connecting to %s", request->url);
        TRY(ask_along(&x, &result));
        st = judge(&x, result, &again);
        if (!st || !again) break;
        if (attempt >= request->attempts) TRY(give_up(&x));
        TRY(wait_before(&x, wait));
    }
    if (!st) *resumed = x.resumed;
done:
    if (st && (st == LEMAN_ERROR_INPUT || !worth_keeping(request, &kept))) lm_transfer_discard(request);
    if (x.curl) curl_easy_cleanup(x.curl);
    if (begun) library_end();
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

#endif
