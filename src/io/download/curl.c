/* Loads libcurl with dlopen(); see curl.h. */
#ifdef LEMAN_CURL

#include "io/download/curl.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static const char *const FILES[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.4.dylib", "libcurl.so"};

#define FUNCTION(name)                                                                                                 \
    {                                                                                                                  \
        "curl_" #name, offsetof(lm_curl, name)                                                                         \
    }
static const struct {
    const char *name;
    size_t member;
} FUNCTIONS[] = {FUNCTION(global_init),  FUNCTION(global_cleanup), FUNCTION(easy_init),    FUNCTION(easy_setopt),
                 FUNCTION(easy_perform), FUNCTION(easy_getinfo),   FUNCTION(easy_cleanup), FUNCTION(easy_strerror)};

/* Loads all functions from one library; returns false if one is missing. */
static bool load_functions(void *library, lm_curl *out)
{
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        void *found = dlsym(library, FUNCTIONS[i].name);
        if (!found) return false;
        memcpy((char *)out + FUNCTIONS[i].member, &found, sizeof found);
    }
    return true;
}

/*
 * libcurl has one global state in the process and counts calls of global_init and global_cleanup. If the host program
 * has initialised libcurl before, our calls only change the count. The count is thread-safe since libcurl 7.84; for
 * older versions this lock serialises our own threads. A program that uses libcurl in other threads while we download
 * must call curl_global_init() before it starts them, as libcurl requires of programs with threads. Otherwise our
 * cleanup could shut libcurl down during a transfer of that program.
 */
static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;

static bool begin_libcurl(lm_curl *curl)
{
    pthread_mutex_lock(&count_lock);
    curl->begun = curl->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    pthread_mutex_unlock(&count_lock);
    return curl->begun;
}

leman_status lm_curl_load(leman_context *ctx, lm_curl *curl)
{
    bool found = false;
    for (size_t i = 0; !found && i < sizeof FILES / sizeof *FILES; i++) {
        lm_curl_unload(curl);
        /* The library stays in memory: the libraries it depends on do not support being unloaded. */
        curl->library = dlopen(FILES[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        found = curl->library && load_functions(curl->library, curl);
    }
    if (found && begin_libcurl(curl)) return LEMAN_OK;
    lm_curl_unload(curl);
    if (found) return lm_fail(ctx, LEMAN_ERROR_MEMORY, "libcurl could not be started");
    return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "nothing can be fetched: found no library %s, expected libcurl",
                   *FILES);
}

void lm_curl_unload(lm_curl *curl)
{
    if (curl->begun) {
        pthread_mutex_lock(&count_lock);
        curl->global_cleanup();
        pthread_mutex_unlock(&count_lock);
    }
    if (curl->library) dlclose(curl->library);
    *curl = (lm_curl){0};
}

#endif
