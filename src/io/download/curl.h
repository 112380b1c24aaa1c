/*
 * libcurl, loaded only for a download: with its dependencies it is thirty libraries, which take longer to load than
 * most commands run. Its functions are members of a table that belongs to the transfer.
 */
#ifndef LM_CURL_H
#define LM_CURL_H

#include "base/context.h"
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#undef curl_easy_setopt
#undef curl_easy_getinfo

typedef struct lm_curl {
    void *library;
    bool begun; /* global_init() was called, so global_cleanup() must be called */
    CURLcode (*global_init)(long flags);
    void (*global_cleanup)(void);
    CURL *(*easy_init)(void);
    CURLcode (*easy_setopt)(CURL *curl, CURLoption option, ...);
    CURLcode (*easy_perform)(CURL *curl);
    CURLcode (*easy_getinfo)(CURL *curl, CURLINFO info, ...);
    void (*easy_cleanup)(CURL *curl);
    const char *(*easy_strerror)(CURLcode code);
} lm_curl;

/* Loads and initialises libcurl; *curl must be zero. Fails with LEMAN_ERROR_UNSUPPORTED if there is no libcurl. The
 * dynamic loader loads the library once for the process and shares it with the host program if that uses a library of
 * the same name. */
leman_status lm_curl_load(leman_context *ctx, lm_curl *curl);
void lm_curl_unload(lm_curl *curl);

#endif
