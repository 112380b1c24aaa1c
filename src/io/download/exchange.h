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
} lm_exchange;

/* ctx, request and file = -1 are set by the caller, the rest is zero. */
leman_status lm_exchange_open(lm_exchange *x);
/*
 * Asks for request->url, goes where redirections lead, and writes what comes into the part. *result is libcurl's word
 * on it, x->reply the server's; x->begun and no x->misfit: the body was ours. Fails only where the fault is not for
 * another attempt to mend: files, memory, size, a bad redirection, or because the caller said stop.
 */
leman_status lm_exchange_ask(lm_exchange *x, CURLcode *result);
void lm_exchange_close(lm_exchange *x);

#endif
