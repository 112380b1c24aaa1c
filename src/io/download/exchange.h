/* One request of a transfer and its reply, by libcurl; for transfer.c alone, which decides what comes next. */
#ifndef LM_EXCHANGE_H
#define LM_EXCHANGE_H

#include "base/context.h"
#include "io/download/curl.h"
#include "io/download/http.h"
#include "io/download/transfer.h"

typedef struct lm_exchange {
    leman_context *ctx;
    const lm_transfer *request;
    lm_curl libcurl; /* its functions */
    CURL *curl;
    const char *url;                   /* of this step, after redirections */
    char validator[LM_VALIDATOR_SIZE]; /* of the part that is continued */
    uint64_t offset;                   /* asked for; 0: the whole file */
    uint64_t position;                 /* where the next byte goes in the part */
    size_t ignored;                    /* bytes of a page that came instead of the file */
    double began, since;               /* the transfer; the time in which its speed is measured */
    uint64_t received, received_then;  /* bytes in all attempts; those before that time */
    bool slow;                         /* the transfer was given up because of its speed or its length */
    int file;
    bool begun;          /* the body is for us, and has begun */
    bool mismatch;       /* the reply does not continue our part */
    bool resumed;        /* in this or an earlier attempt */
    leman_status status; /* why a callback stopped the transfer */
    lm_reply reply;
    char error[CURL_ERROR_SIZE];
} lm_exchange;

/* ctx, request, libcurl and file = -1 are set by the caller, the rest is zero. */
leman_status lm_exchange_open(lm_exchange *x);
/*
 * Requests request->url, follows redirections, and writes what comes into the part. *result is libcurl's
 * result, x->reply the server's reply; x->begun and no x->mismatch: the body was ours. Fails only where another
 * attempt would not help: files, memory, size, a bad redirection, or because the caller cancelled.
 */
leman_status lm_exchange_perform(lm_exchange *x, CURLcode *result);
void lm_exchange_close(lm_exchange *x);

#endif
