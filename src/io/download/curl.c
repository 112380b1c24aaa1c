/* libcurl by dlopen(); curl.h. */
#ifdef LEMAN_CURL

#include "io/download/curl.h"
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

lm_curl lm_libcurl;

static const char *const FILES[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.4.dylib", "libcurl.so"};

#define FUNCTION(name)                                                                                                 \
    {                                                                                                                  \
        "curl_" #name, offsetof(lm_curl, name)                                                                         \
    }
static const struct {
    const char *name;
    size_t member;
} FUNCTIONS[] = {FUNCTION(global_init),  FUNCTION(global_cleanup), FUNCTION(easy_init),    FUNCTION(easy_setopt),
                 FUNCTION(easy_perform), FUNCTION(easy_getinfo),   FUNCTION(easy_cleanup), FUNCTION(easy_strerror),
                 FUNCTION(slist_append), FUNCTION(slist_free_all), FUNCTION(version)};

/* All functions of one library, or none. */
static bool take(void *library, lm_curl *out)
{
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        void *found = dlsym(library, FUNCTIONS[i].name);
        if (!found) return false;
        memcpy((char *)out + FUNCTIONS[i].member, &found, sizeof found);
    }
    return true;
}

leman_status lm_curl_load(leman_context *ctx)
{
    static bool loaded;
    bool there;
#pragma omp critical(lm_curl_load)
    {
        for (size_t i = 0; !loaded && i < sizeof FILES / sizeof *FILES; i++) {
            void *library = dlopen(FILES[i], RTLD_NOW | RTLD_LOCAL); /* stays: what it starts is not for us to end */
            loaded = library && take(library, &lm_libcurl);
        }
        there = loaded;
    }
    if (there) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "nothing can be fetched: found no library %s, expected libcurl",
                   *FILES);
}

#endif
