/*
 * Fetches a file over HTTP(S), with several attempts if a failure may be temporary. Each attempt (exchange.c) continues
 * the partial file of the previous one. A reply that does not fit this part, or a 416, makes the next attempt start
 * over.
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

#include "io/download/cache.h"
#include "io/download/exchange.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

bool lm_transfer_available(void)
{
    return true;
}

/* ---- Attempts -------------------------------------------------------------------------------- */

static bool is_temporary_code(long code)
{
    return code == 408 || code == 429 || code == 500 || code == 502 || code == 503 || code == 504;
}

static bool is_temporary_error(CURLcode result)
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

/* Fails with the reason if the attempt was not successful, and sets *again if another attempt may be. */
static leman_status check_result(lm_exchange *x, CURLcode result, bool *again)
{
    leman_context *ctx = x->ctx;
    long code = x->reply.code;
    bool refused = code && code != 200 && code != 206 && (result == CURLE_OK || result == CURLE_WRITE_ERROR);
    *again = true;
    if (x->mismatch || (refused && code == 416)) {
        unlink(x->request->origin); /* the next attempt requests the whole file */
        return lm_fail(ctx, LEMAN_ERROR_NETWORK, "%s: the server could not continue a partial download", x->url);
    }
    if (refused) {
        *again = is_temporary_code(code);
        return lm_fail(ctx, LEMAN_ERROR_NETWORK, "%s: the server answered HTTP %ld%s", x->url, code,
                       code == 404 ? " (not found): is the name spelled as the collection spells it?" : "");
    }
    if (result != CURLE_OK) {
        *again = is_temporary_error(result);
        return lm_fail(ctx, LEMAN_ERROR_NETWORK, "%s: cannot be fetched: %s", x->url,
                       x->error[0] ? x->error : x->libcurl.easy_strerror(result));
    }
    *again = false;
    if (!x->begun)
        return lm_fail(ctx, LEMAN_ERROR_NETWORK, "%s: the server answered HTTP %ld and no file", x->url, code);
    return LEMAN_OK;
}

static leman_status wait_before(lm_exchange *x, double seconds)
{
    leman_status st = LEMAN_OK;
    lm_progress_begin(x->ctx, 0, "waiting for %s", x->url);
    for (double until = lm_now() + seconds; lm_now() < until;) TRY(lm_cache_wait(x->ctx));
done:
    return st;
}

/* Returns true if a later call can continue the part. */
static bool worth_keeping(const lm_transfer *request, long long *size)
{
    struct stat about;
    bool there = !stat(request->part, &about);
    *size = there ? (long long)about.st_size : 0;
    return *size > 1 && !access(request->origin, F_OK);
}

/* Fails with the message of the last attempt, adding how many bytes the next call can continue. */
static leman_status give_up(lm_exchange *x, int attempts)
{
    long long size;
    char why[sizeof x->ctx->message];
    strcpy(why, x->ctx->message);
    if (!worth_keeping(x->request, &size))
        return lm_fail(x->ctx, LEMAN_ERROR_NETWORK, "%s (%d attempt%s)", why, attempts, lm_plural((uint64_t)attempts));
    return lm_fail(x->ctx, LEMAN_ERROR_NETWORK,
                   "%s (%d attempt%s); %lld bytes are kept, the next download continues there", why, attempts,
                   lm_plural((uint64_t)attempts), size);
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
    const struct timespec at_once = {0};
    sigset_t pipe_only;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    while (ours && sigtimedwait(&pipe_only, NULL, &at_once) < 0 && errno == EINTR) continue;
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* ---- The call -------------------------------------------------------------------------------- */

leman_status lm_transfer_run(leman_context *ctx, const lm_transfer *request, bool *resumed)
{
    leman_status st = LEMAN_OK;
    sigset_t signals;
    bool quiet = pipe_signal_hold(&signals);
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    lm_exchange x = {.ctx = ctx, .request = request, .file = -1};
    double wait = request->wait;
    long long kept;
    bool again = false;
    TRY(lm_curl_load(ctx, &x.libcurl));
    TRY(lm_exchange_open(&x));
    for (int attempt = 1;; attempt++, wait *= 2) {
        CURLcode result = CURLE_OK;
        lm_progress_begin(ctx, 0, "connecting to %s", request->url);
        st = lm_exchange_perform(&x, &result);
        if (st && x.slow) TRY(give_up(&x, attempt));
        TRY(st);
        st = check_result(&x, result, &again);
        if (!st || !again) break;
        if (attempt >= request->attempts) TRY(give_up(&x, attempt));
        TRY(wait_before(&x, wait));
    }
    if (!st) *resumed = x.resumed;
done:
    if (st && (st == LEMAN_ERROR_INPUT || !worth_keeping(request, &kept))) lm_transfer_discard(request);
    lm_exchange_close(&x);
    lm_curl_unload(&x.libcurl);
    pipe_signal_release(&signals, quiet);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

#endif
