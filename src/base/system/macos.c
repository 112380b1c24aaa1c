/* macOS; system.h has the contracts. Compiled for this system by scripts/other-systems, never run there by us. */
#include "base/system/system.h"
#include <fcntl.h>
#include <mach/mach.h>
#include <sys/random.h>
#include <unistd.h>

bool lm_system_random(void *bytes, size_t size)
{
    return !getentropy(bytes, size);
}

/* Free pages, and those whose content is a copy of a file or can be thrown away. */
size_t lm_system_free_memory(void)
{
    vm_statistics64_data_t found = {0};
    mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
    const mach_port_t host = mach_host_self();
    const bool known = host_statistics64(host, HOST_VM_INFO64, (host_info64_t)&found, &count) == KERN_SUCCESS;
    mach_port_deallocate(mach_task_self(), host);
    if (!known) return (size_t)1 << 30;
    return ((size_t)found.free_count + found.inactive_count + found.purgeable_count) * (size_t)vm_page_size;
}

int lm_system_own_processors(void)
{
    return lm_system_processors();
}

/* fsync() leaves the content in the cache of the disk; file systems that cannot do more than that refuse F_FULLFSYNC. */
bool lm_system_write_through(int file)
{
    return !fcntl(file, F_FULLFSYNC) || !fsync(file);
}

void lm_system_discard(int signal)
{
    sigset_t only, waiting;
    int taken;
    sigemptyset(&only);
    sigaddset(&only, signal);
    if (!sigpending(&waiting) && sigismember(&waiting, signal)) sigwait(&only, &taken);
}
