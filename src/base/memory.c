/* Pages of the system: large pages, and giving freed pages back. context.c allocates. */
#include "base/memory.h"
#include <pthread.h>
#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void lm_prefer_large_pages(void *pointer, size_t size)
{
    enum { LARGE_PAGE = 1 << 21, WORTH = 4 * LARGE_PAGE };
    if (size < WORTH) return;
#ifdef MADV_HUGEPAGE
    uintptr_t first = ((uintptr_t)pointer + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    uintptr_t last = ((uintptr_t)pointer + size) / LARGE_PAGE * LARGE_PAGE;
    madvise((void *)first, last - first, MADV_HUGEPAGE);
#else
    (void)pointer;
#endif
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
