/*
 * Fetches a file over HTTP(S) by libcurl, with several attempts if a failure may be temporary.
 *
 * If an earlier attempt or call was interrupted, the request asks for the rest ("Range: bytes=N-", with If-Range for the
 * content that the part belongs to). The last byte of the part is requested again, so that the range is not empty even
 * if the part is complete. If the server answers 200, it sends the whole file, and the part starts over. A reply that
 * does not fit the part, or a 416, makes the next attempt start over.
 *
 * libcurl measures the speed and the time. Redirections are followed here and not in libcurl, because each address is
 * checked (from https only to https). Certificates are always verified.
 */
#include "io/download/transfer.h"
#include "base/context.h"
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

#include "base/ascii.h"
#include "base/file.h"
#include "base/system/system.h"
#include "io/download/cache.h"
#include "io/download/curl.h"
#include "io/download/http.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum {
    MAX_REDIRECTIONS = 8,
    LARGEST_PAGE = 1 << 20, /* largest page with a redirection or an error */
};

typedef struct transfer {
    leman_context *ctx;
    const lm_transfer *request;
    lm_curl libcurl; /* functions of libcurl */
    CURL *curl;
    const char *url;                   /* address of this request, after redirections */
    char validator[LM_VALIDATOR_SIZE]; /* validator of the part that is continued */
    uint64_t offset;                   /* position that was requested; 0: the whole file */
    uint64_t position;                 /* position of the next byte in the part */
    size_t ignored;                    /* bytes of a page that came instead of the file */
    double began;                      /* start of the transfer */
    int file;
    long code;           /* of the reply */
    bool begun;          /* the body of the file has begun */
    bool mismatch;       /* the reply does not continue our part */
    bool resumed;        /* the part was continued, in this or an earlier attempt */
    leman_status status; /* why a callback stopped the transfer */
    lm_reply reply;
    char error[CURL_ERROR_SIZE];
} transfer;

bool lm_transfer_available(void)
{
    return true;
}

/* ---- Callbacks ------------------------------------------------------------------------------- */

static leman_status file_error(const transfer *x)
{
    return lm_fail_errno(x->ctx, errno, "%s: cannot be written", x->request->part);
}

static leman_status too_large(const transfer *x)
{
    return lm_fail(x->ctx, LEMAN_ERROR_INPUT, "%s: larger than the limit of %llu byte%s", x->url,
                   (unsigned long long)x->request->max_bytes, lm_plural(x->request->max_bytes));
}

/* Starts the part over. The note is removed first and written last: while it exists, it describes the part. */
static leman_status start_over(transfer *x)
{
    const char *validator = lm_reply_validator(&x->reply);
    x->position = 0;
    x->resumed = false;
    unlink(x->request->origin);
    if (ftruncate(x->file, 0)) return file_error(x);
    return *validator ? lm_origin_write(x->ctx, x->request->origin, x->request->url, validator) : LEMAN_OK;
}

/* The headers are complete: decides whether this reply starts the part, continues it, or does neither. */
static void begin_body(transfer *x)
{
    const char *now = lm_reply_validator(&x->reply);
    char expected[48];
    curl_off_t length = -1;
    const uint64_t first = x->code == 206 ? x->offset : 0;
    x->libcurl.easy_getinfo(x->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    x->begun = true;
    x->position = first;
    if (length > 0 && (uint64_t)length > x->request->max_bytes - first) {
        x->status = too_large(x);
    } else if (x->code == 200) {
        x->status = start_over(x);
    } else {
        snprintf(expected, sizeof expected, "bytes %llu-", (unsigned long long)x->offset);
        x->mismatch = !x->offset || !lm_begins(x->reply.range, expected) || (*now && strcmp(now, x->validator) != 0);
        x->resumed |= !x->mismatch;
    }
    lm_progress_begin(x->ctx, length > 0 ? first + (uint64_t)length : 0, "downloading %s",
                      lm_path_base(x->request->url));
}

static size_t on_header(char *line, size_t one, size_t length, void *user)
{
    (void)one;
    lm_reply_line(&((transfer *)user)->reply, line, length);
    return length;
}

static size_t on_body(char *bytes, size_t one, size_t size, void *user)
{
    (void)one;
    transfer *x = user;
    x->libcurl.easy_getinfo(x->curl, CURLINFO_RESPONSE_CODE, &x->code);
    if (x->code != 200 && x->code != 206) return (x->ignored += size) > LARGEST_PAGE ? 0 : size;
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
    transfer *x = user;
    if (!x->status) x->status = lm_progress_step(x->ctx, x->position);
    return x->status != LEMAN_OK;
}

/* ---- One request ----------------------------------------------------------------------------- */

/* Sets the options that all requests of a transfer share. */
static leman_status open_transfer(transfer *x)
{
    const lm_transfer *request = x->request;
    CURL *curl = x->curl = x->libcurl.easy_init();
    if (!curl) return lm_fail(x->ctx, LEMAN_ERROR_MEMORY, "out of memory: libcurl could not be started");
#define SET(option, value) x->libcurl.easy_setopt(curl, CURLOPT_##option, value)
#if LIBCURL_VERSION_NUM >= 0x075500
    bool bad = SET(PROTOCOLS_STR, "http,https");
#else
    bool bad = SET(PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    bad = bad || SET(USERAGENT, "leman") || SET(NOSIGNAL, 1L) || SET(ERRORBUFFER, x->error) ||
          SET(SSL_VERIFYPEER, 1L) || SET(SSL_VERIFYHOST, 2L) || SET(FOLLOWLOCATION, 0L) ||
          SET(SUPPRESS_CONNECT_HEADERS, 1L) || SET(CONNECTTIMEOUT, request->connect_seconds) ||
          SET(LOW_SPEED_LIMIT, (long)(request->min_speed < INT32_MAX ? request->min_speed : INT32_MAX)) ||
          SET(LOW_SPEED_TIME, request->stall_seconds) || SET(HEADERFUNCTION, on_header) || SET(HEADERDATA, x) ||
          SET(WRITEFUNCTION, on_body) || SET(WRITEDATA, x) || SET(XFERINFOFUNCTION, on_progress) ||
          SET(XFERINFODATA, x) || SET(NOPROGRESS, 0L);
#undef SET
    return bad ? lm_fail(x->ctx, LEMAN_ERROR_UNSUPPORTED, "libcurl lacks an option that is needed") : LEMAN_OK;
}

/* Opens the part and finds from its size and its note where to continue. */
static leman_status open_part(transfer *x)
{
    struct stat about;
    bool known = false;
    x->offset = x->position = x->ignored = 0;
    x->begun = x->mismatch = false;
    x->error[0] = 0;
    x->file = open(x->request->part, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (x->file < 0 || fstat(x->file, &about)) PASS(file_error(x));
    PASS(lm_origin_read(x->ctx, x->request->origin, x->request->url, &known, x->validator));
    if (known && about.st_size > 1) x->offset = (uint64_t)about.st_size - 1;
    if (x->offset >= x->request->max_bytes) x->offset = 0;
    return LEMAN_OK;
}

/* Returns the milliseconds that are left of the time limit; 0: there is no limit. */
static long time_left(const transfer *x)
{
    const double left = (x->began + x->request->time_limit - lm_now()) * 1000;
    if (!(x->request->time_limit > 0) || left > INT32_MAX) return 0;
    return left > 1 ? (long)left : 1;
}

/* Performs one request for x->url; *result is libcurl's result. Fails only if a callback failed or memory is
 * exhausted. */
static leman_status perform_request(transfer *x, CURLcode *result)
{
    leman_status st = LEMAN_OK;
    char range[32], condition[LM_VALIDATOR_SIZE + 16];
    struct curl_slist header = {.data = condition};
    TRY(open_part(x));
    snprintf(range, sizeof range, "%llu-", (unsigned long long)x->offset);
    snprintf(condition, sizeof condition, "If-Range: %s", x->validator);
    if (x->libcurl.easy_setopt(x->curl, CURLOPT_URL, x->url) ||
        x->libcurl.easy_setopt(x->curl, CURLOPT_RANGE, x->offset ? range : NULL) ||
        x->libcurl.easy_setopt(x->curl, CURLOPT_HTTPHEADER, x->offset ? &header : NULL) ||
        x->libcurl.easy_setopt(x->curl, CURLOPT_TIMEOUT_MS, time_left(x)))
        FAIL(x->ctx, LEMAN_ERROR_MEMORY, "out of memory: libcurl could not take the request");
    *result = x->libcurl.easy_perform(x->curl);
    x->libcurl.easy_getinfo(x->curl, CURLINFO_RESPONSE_CODE, &x->code);
    if (*result == CURLE_OK && !x->begun && x->code == 200) begin_body(x); /* an empty file */
    TRY(x->status);
    if (*result == CURLE_OK && x->begun && !x->mismatch && ftruncate(x->file, (off_t)x->position)) TRY(file_error(x));
done:
    x->libcurl.easy_setopt(x->curl, CURLOPT_HTTPHEADER, NULL);
    if (x->file >= 0 && close(x->file) && !st) st = file_error(x);
    x->file = -1;
    return st;
}

static bool is_one_of(long code, const long *codes)
{
    while (*codes && *codes != code) codes++;
    return *codes;
}

/* Performs the request and follows redirections. Fails only if another attempt would not help: for files, memory, size,
 * a bad redirection, or because the caller cancelled. */
static leman_status follow(transfer *x, CURLcode *result)
{
    static const long REDIRECTIONS[] = {301, 302, 303, 307, 308, 0};
    x->url = x->request->url;
    for (int step = 0;; step++) {
        char *next = NULL, *copy = NULL;
        PASS(perform_request(x, result));
        if (!is_one_of(x->code, REDIRECTIONS)) break;
        if (step == MAX_REDIRECTIONS)
            return lm_fail(x->ctx, LEMAN_ERROR_NETWORK, "%s: redirected more than %d times", x->request->url,
                           MAX_REDIRECTIONS);
        x->libcurl.easy_getinfo(x->curl, CURLINFO_REDIRECT_URL, &next);
        if (!next)
            return lm_fail(x->ctx, LEMAN_ERROR_NETWORK, "%s: the server answered HTTP %ld without a place to go",
                           x->url, x->code);
        PASS(lm_url_check(x->ctx, next, x->url));
        PASS_SCRATCH(x->ctx, copy, strlen(next) + 1);
        x->url = strcpy(copy, next);
    }
    return LEMAN_OK;
}

/* ---- Attempts -------------------------------------------------------------------------------- */

static bool is_temporary(const transfer *x, CURLcode result)
{
    switch (result) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return true;
    case CURLE_OPERATION_TIMEDOUT: return !x->begun; /* a server that sends too slowly is not asked again */
    default: return false;
    }
}

/* Fails with the reason if the attempt was not successful, and sets *again if another attempt may be. */
static leman_status check_result(transfer *x, CURLcode result, bool *again)
{
    static const long TEMPORARY[] = {408, 429, 500, 502, 503, 504, 0};
    leman_context *ctx = x->ctx;
    const long code = x->code;
    bool refused = code && code != 200 && code != 206 && (result == CURLE_OK || result == CURLE_WRITE_ERROR);
    *again = true;
    if (x->mismatch || (refused && code == 416)) {
        unlink(x->request->origin); /* the next attempt requests the whole file */
        return lm_fail(ctx, LEMAN_ERROR_NETWORK, "%s: the server could not continue a partial download", x->url);
    }
    if (refused) {
        *again = is_one_of(code, TEMPORARY);
        return lm_fail(ctx, LEMAN_ERROR_NETWORK, "%s: the server answered HTTP %ld%s", x->url, code,
                       code == 404 ? " (not found): is the name spelled as the collection spells it?" : "");
    }
    *again = is_temporary(x, result);
    if (result != CURLE_OK)
        return lm_fail(ctx, LEMAN_ERROR_NETWORK, "%s: cannot be fetched: %s", x->url,
                       x->error[0] ? x->error : x->libcurl.easy_strerror(result));
    if (!x->begun)
        return lm_fail(ctx, LEMAN_ERROR_NETWORK, "%s: the server answered HTTP %ld and no file", x->url, code);
    return LEMAN_OK;
}

static leman_status wait_before(transfer *x, double seconds)
{
    lm_progress_begin(x->ctx, 0, "waiting for %s", x->url);
    for (double until = lm_now() + seconds; lm_now() < until;) PASS(lm_cache_wait(x->ctx));
    return LEMAN_OK;
}

/* Returns true if a later call can continue the part. */
static bool worth_keeping(const lm_transfer *request, long long *size)
{
    struct stat about;
    bool there = !stat(request->part, &about);
    *size = there ? (long long)about.st_size : 0;
    return *size > 1 && !access(request->origin, F_OK);
}

/* Fails with the message of the last attempt, adding the number of attempts and how many bytes the next call can
 * continue. */
static leman_status give_up(transfer *x, int attempts)
{
    long long size;
    const char *why = x->ctx->message;
    if (worth_keeping(x->request, &size))
        return lm_fail(x->ctx, LEMAN_ERROR_NETWORK,
                       "%s (%d attempt%s); %lld bytes are kept, the next download continues there", why, attempts,
                       lm_plural((uint64_t)attempts), size);
    if (attempts > 1) lm_fail(x->ctx, LEMAN_ERROR_NETWORK, "%s (%d attempts)", why, attempts);
    return LEMAN_ERROR_NETWORK;
}

/* ---- In the host program: signals ------------------------------------------------------------ */

/* If a server closes the connection while TLS writes to it, SIGPIPE is raised, which would end the caller's program.
 * The signal is blocked in this thread, and pipe_signal_release() discards one that arrived meanwhile. Returns false if
 * a SIGPIPE was already pending, which must not be discarded. */
static bool pipe_signal_hold(sigset_t *before)
{
    sigset_t pipe_only, waiting;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    bool quiet = !sigpending(&waiting) && !sigismember(&waiting, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_only, before);
    return quiet;
}

static void pipe_signal_release(const sigset_t *before, bool ours)
{
    if (ours) lm_system_discard(SIGPIPE);
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* ---- The call -------------------------------------------------------------------------------- */

leman_status lm_transfer_run(leman_context *ctx, const lm_transfer *request, bool *resumed)
{
    leman_status st = LEMAN_OK;
    sigset_t signals;
    bool quiet = pipe_signal_hold(&signals);
    SCRATCH_SCOPE(ctx);
    transfer x = {.ctx = ctx, .request = request, .file = -1, .began = lm_now()};
    double wait = request->wait;
    long long kept;
    bool again = false;
    TRY(lm_curl_load(ctx, &x.libcurl));
    TRY(open_transfer(&x));
    for (int attempt = 1;; attempt++, wait *= 2) {
        CURLcode result = CURLE_OK;
        lm_progress_begin(ctx, 0, "connecting to %s", request->url);
        TRY(follow(&x, &result));
        st = check_result(&x, result, &again);
        if (!st) break;
        if (!again || attempt >= request->attempts) TRY(give_up(&x, attempt));
        TRY(wait_before(&x, wait));
    }
    *resumed = x.resumed;
done:
    if (st && (st == LEMAN_ERROR_INPUT || !worth_keeping(request, &kept))) lm_transfer_discard(request);
    if (x.curl) x.libcurl.easy_cleanup(x.curl);
    lm_curl_unload(&x.libcurl);
    pipe_signal_release(&signals, quiet);
    return st;
}

#endif
