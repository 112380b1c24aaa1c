/* What Linux and macOS do alike; system.h has the contracts. */
#include "base/system/system.h"
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

void *lm_system_reserve(size_t bytes)
{
    /* cppcheck-suppress invalidFunctionArg ; mmap() without a file */
    void *address = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    /* cppcheck-suppress memleak ; the caller has it */
    return address == MAP_FAILED ? NULL : address;
}

void lm_system_release(void *address, size_t bytes)
{
    if (address) (void)munmap(address, bytes);
}

bool lm_system_limits_memory(void)
{
    struct rlimit limit;
    return !getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY;
}

size_t lm_system_page(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

int lm_system_processors(void)
{
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

void lm_system_large_pages(void *pointer, size_t size)
{
#ifdef MADV_HUGEPAGE
    enum { LARGE_PAGE = 1 << 21 };
    uintptr_t first = ((uintptr_t)pointer + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    uintptr_t last = ((uintptr_t)pointer + size) / LARGE_PAGE * LARGE_PAGE;
    madvise((void *)first, last - first, MADV_HUGEPAGE);
#else
    (void)pointer, (void)size;
#endif
}

int lm_system_wait(int file, bool writing, int milliseconds)
{
    struct pollfd what = {.fd = file, .events = writing ? POLLOUT : POLLIN};
    return poll(&what, 1, milliseconds);
}

/* A whole region is mapped, of which the part with the right address gets the file. */
const void *lm_system_map(int file, size_t size, size_t block)
{
    const size_t more = size + block;
    char *all = lm_system_reserve(more);
    if (!all) return NULL;
    const size_t before = (block - (uintptr_t)all % block) % block;
    void *address = mmap(all + before, size, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0);
    const int error = errno;
    const size_t page = lm_system_page(), end = before + (size + page - 1) / page * page;
    if (address == MAP_FAILED || before) munmap(all, address == MAP_FAILED ? more : before);
    if (address != MAP_FAILED && end < more) munmap(all + end, more - end);
    errno = error;
    if (address == MAP_FAILED) return NULL;
#ifdef MADV_NOHUGEPAGE
    madvise(address, size, MADV_NOHUGEPAGE); /* otherwise the first access maps a large page */
#endif
    /* cppcheck-suppress memleak ; the caller has it */
    return address;
}

void lm_system_unmap(const void *address, size_t size)
{
    munmap((void *)(uintptr_t)address, size);
}

void lm_system_give_back(const void *address, size_t size)
{
    madvise((void *)(uintptr_t)address, size, MADV_DONTNEED);
}
