/* Windows; system.h has the contracts. Tried in wine by scripts/other-systems, never on Windows by us. */
#include "base/system/system.h"
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <ntsecapi.h> /* RtlGenRandom(), after <windows.h> */

bool lm_system_random(void *bytes, size_t size)
{
    return RtlGenRandom(bytes, (ULONG)size);
}

size_t lm_system_free_memory(void)
{
    MEMORYSTATUSEX found = {.dwLength = sizeof found};
    if (!GlobalMemoryStatusEx(&found)) return (size_t)1 << 30;
    return (size_t)(found.ullAvailPhys < found.ullAvailPageFile ? found.ullAvailPhys : found.ullAvailPageFile);
}

void *lm_system_reserve(size_t bytes)
{
    return VirtualAlloc(NULL, bytes, MEM_RESERVE, PAGE_NOACCESS);
}

void lm_system_release(void *address, size_t bytes)
{
    (void)bytes;
    if (address) VirtualFree(address, 0, MEM_RELEASE);
}

bool lm_system_limits_memory(void)
{
    return false;
}

size_t lm_system_page(void)
{
    SYSTEM_INFO found;
    GetSystemInfo(&found);
    return found.dwPageSize;
}

int lm_system_processors(void)
{
    SYSTEM_INFO found;
    GetSystemInfo(&found);
    return (int)found.dwNumberOfProcessors;
}

int lm_system_own_processors(void)
{
    DWORD_PTR own = 0, all;
    const bool known = GetProcessAffinityMask(GetCurrentProcess(), &own, &all) && own; /* not of several groups of 64 */
    return known ? __builtin_popcountll(own) : lm_system_processors();
}

void lm_system_large_pages(void *pointer, size_t size)
{
    (void)pointer, (void)size;
}

/* Pipes are asked every few milliseconds whether there is something to read; everything else is ready. */
int lm_system_wait(int file, bool writing, int milliseconds)
{
    enum { MOMENT = 5 };
    const HANDLE handle = (HANDLE)_get_osfhandle(file);
    if (writing || GetFileType(handle) != FILE_TYPE_PIPE) return 1;
    for (int waited = 0; waited < milliseconds; waited += MOMENT) {
        DWORD bytes = 0;
        if (!PeekNamedPipe(handle, NULL, 0, NULL, &bytes, NULL) || bytes) return 1; /* its end can be read, too */
        Sleep(MOMENT);
    }
    return 0;
}

bool lm_system_write_through(int file)
{
    return !_commit(file);
}

/* Views of files begin at multiples of 64 KiB. */
const void *lm_system_map(int file, size_t size, size_t block)
{
    (void)block;
    const HANDLE mapping = CreateFileMappingW((HANDLE)_get_osfhandle(file), NULL, PAGE_READONLY, 0, 0, NULL);
    const void *address = mapping ? MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, size) : NULL;
    if (!address) (void)lm_posix_fail();
    const int error = errno;
    if (mapping) CloseHandle(mapping);
    errno = error;
    return address;
}

void lm_system_unmap(const void *address, size_t size)
{
    (void)size;
    UnmapViewOfFile(address);
}

/* Pages that are unlocked without being locked leave the working set. */
void lm_system_give_back(const void *address, size_t size)
{
    VirtualUnlock((void *)(uintptr_t)address, size);
}
