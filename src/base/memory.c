/* Pages of the system: large pages, and giving freed pages back. context.c allocates. */
#include "base/memory.h"
#include "base/system/system.h"
#include <pthread.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void lm_prefer_large_pages(void *pointer, size_t size)
{
    enum { WORTH = 1 << 23 };
    if (size >= WORTH) lm_system_large_pages(pointer, size);
}

void lm_trim_memory(void)
{
#ifdef __GLIBC__
    /* If another allocator (of a sanitizer, jemalloc) has replaced that of the C library, the first call of
     * malloc_trim() initialises it, which two threads must not do at the same time. */
    static pthread_mutex_t trim_lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&trim_lock);
    malloc_trim(0);
    pthread_mutex_unlock(&trim_lock);
#endif
}
