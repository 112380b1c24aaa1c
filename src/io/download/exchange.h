/* One request of a transfer and its reply, by libcurl. Used only by transfer.c, which decides about further
 * attempts. */
#ifndef LM_EXCHANGE_H
#define LM_EXCHANGE_H

#include "base/context.h"
#include "io/download/curl.h"
#include "io/download/http.h"
#include "io/download/transfer.h"

typedef struct lm_exchange {
    leman_context *ctx;
    const lm_transfer *request;
    lm_curl libcurl; /* functions of libcurl */
    CURL *curl;
    const char *url;                   /* address of this request, after redirections */
    char validator[LM_VALIDATOR_SIZE]; /* validator of the part that is continued */
    uint64_t offset;                   /* position that was requested; 0: the whole file */
    uint64_t position;                 /* position of the next byte in the part */
    size_t ignored;                    /* bytes of a page that came instead of the file */
    double began, since;               /* start of the transfer; start of the interval in which its speed is measured */
    uint64_t received, received_then;  /* bytes in all attempts; bytes before this interval */
    bool slow;                         /* the transfer was aborted because it was too slow or too long */
    int file;
    bool begun;          /* the body of the file has begun */
    bool mismatch;       /* the reply does not continue our part */
    bool resumed;        /* the part was continued, in this or an earlier attempt */
    leman_status status; /* why a callback stopped the transfer */
    lm_reply reply;
    char error[CURL_ERROR_SIZE];
} lm_exchange;

/* Prepares libcurl. The caller sets ctx, request, libcurl and file = -1; all other members must be zero. */
leman_status lm_exchange_open(lm_exchange *x);
/*
 * Requests request->url, follows redirections, and writes the body to the part. *result is libcurl's result, x->reply
 * the server's reply. If x->begun and not x->mismatch, the body was that of the file. Fails only if another attempt
 * would not help: for files, memory, size, speed, a bad redirection, or because the caller cancelled.
 */
leman_status lm_exchange_perform(lm_exchange *x, CURLcode *result);
void lm_exchange_close(lm_exchange *x);

#endif
