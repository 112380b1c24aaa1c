/* Linux; system.h has the contracts. */
#include "base/system/system.h"
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

bool lm_system_random(void *bytes, size_t size)
{
    return getrandom(bytes, size, GRND_NONBLOCK) == (ssize_t)size;
}

/* Returns the number in the first line of a small file that matches the format, or 0 if there is none. */
static size_t number_in(const char *path, const char *format)
{
    size_t number = 0;
    FILE *f = fopen(path, "re");
    if (!f) return 0;
    char line[128];
    while (!number && fgets(line, sizeof line, f))
        if (sscanf(line, format, &number) != 1) number = 0;
    fclose(f);
    return number;
}

/* Returns the free memory of the container, SIZE_MAX if the container has no limit. Memory of its processes counts as
 * used, pages of files do not. */
static size_t free_in_container(void)
{
    static const char LIMIT[] = "/sys/fs/cgroup/memory.max", NOW[] = "/sys/fs/cgroup/memory.current";
    size_t limit = number_in(LIMIT, "%zu"), now = number_in(NOW, "%zu");
    if (!limit || !now) return SIZE_MAX;
    size_t files = number_in("/sys/fs/cgroup/memory.stat", "file %zu");
    if (files > now) files = now;
    return limit > now - files ? limit - (now - files) : 0;
}

/* MemAvailable is the memory that the kernel can provide without swapping. Kernels without it count free pages. */
size_t lm_system_free_memory(void)
{
    size_t free = number_in("/proc/meminfo", "MemAvailable: %zu kB") * 1024, inside = free_in_container();
    if (!free) {
        long pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);
        free = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : (size_t)1 << 30;
    }
    return free < inside ? free : inside;
}

int lm_system_own_processors(void)
{
    cpu_set_t own;
    return sched_getaffinity(0, sizeof own, &own) ? lm_system_processors() : CPU_COUNT(&own);
}

bool lm_system_write_through(int file)
{
    return !fdatasync(file);
}

void lm_system_discard(int signal)
{
    const struct timespec at_once = {0};
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, signal);
    while (sigtimedwait(&only, NULL, &at_once) < 0 && errno == EINTR) continue;
}
