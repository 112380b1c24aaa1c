/*
 * libcurl, loaded when something is downloaded: with all that it stands on it is thirty libraries, which take longer to
 * load than most commands run. Its functions are members of lm_libcurl, usable after lm_curl_load().
 */
#ifndef LM_CURL_H
#define LM_CURL_H

#include "base/context.h"
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#undef curl_easy_setopt
#undef curl_easy_getinfo

typedef struct lm_curl {
    CURLcode (*global_init)(long flags);
    void (*global_cleanup)(void);
    CURL *(*easy_init)(void);
    CURLcode (*easy_setopt)(CURL *curl, CURLoption option, ...);
    CURLcode (*easy_perform)(CURL *curl);
    CURLcode (*easy_getinfo)(CURL *curl, CURLINFO info, ...);
    void (*easy_cleanup)(CURL *curl);
    const char *(*easy_strerror)(CURLcode code);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
    void (*slist_free_all)(struct curl_slist *list);
    char *(*version)(void);
} lm_curl;

extern lm_curl lm_libcurl;

/* Once for all threads. LEMAN_ERROR_UNSUPPORTED where it is not there. */
leman_status lm_curl_load(leman_context *ctx);

#endif
