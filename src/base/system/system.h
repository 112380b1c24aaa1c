/* What systems do differently: linux.c, macos.c, posix.c for what these two do alike, and windows.c. Everything else is POSIX, which
 * windows/posix.h gives to Windows. */
#ifndef LM_SYSTEM_H
#define LM_SYSTEM_H

#ifndef _WIN32
#include <signal.h>
#endif
#include <stdbool.h>
#include <stddef.h>

/* Between folders of a path; the variable that names the folder for temporary files, and that folder without it. */
#ifdef _WIN32
#define LM_SEPARATORS "/\\"
#define LM_TEMPORARY_VARIABLE "TEMP"
#define LM_TEMPORARY_FOLDER "C:/Windows/Temp"
#else
#define LM_SEPARATORS "/"
#define LM_TEMPORARY_VARIABLE "TMPDIR"
#define LM_TEMPORARY_FOLDER "/tmp"
#endif

/* Fills `size` <= 256 bytes with random numbers of the system without waiting for them. Returns false if there are none
 * yet. */
bool lm_system_random(void *bytes, size_t size);

/* Returns the bytes of memory that this process can get without swapping, 1 GiB if the system does not say; 0: none is
 * left. */
size_t lm_system_free_memory(void);

/* Reserves address space, without memory. Returns NULL if this process cannot get that much. */
void *lm_system_reserve(size_t bytes);
void lm_system_release(void *address, size_t bytes);

/* Returns true if the address space of this process has a limit of its own. */
bool lm_system_limits_memory(void);

size_t lm_system_page(void); /* its bytes */
/* The number of processors, and of those that this process may use. */
int lm_system_processors(void);
int lm_system_own_processors(void);

/* Asks for large pages under the whole ones among these bytes; nothing happens where there are none. */
void lm_system_large_pages(void *pointer, size_t size);

/* Waits until the descriptor can be read or written, or the time is over. Returns above 0 if it can, 0 after that time, and -1, with
 * errno, on failure. */
int lm_system_wait(int file, bool writing, int milliseconds);

/* Maps the bytes of a file for reading, at an address that is a multiple of `block`, a page or a power of 2 up to 64 KiB. Returns
 * NULL, with errno, on failure. lm_system_give_back() drops the pages that have been read: the next access reads them again. */
const void *lm_system_map(int file, size_t size, size_t block);
void lm_system_unmap(const void *address, size_t size);
void lm_system_give_back(const void *address, size_t size);

/* Returns when the content of the file is on its device. Returns false, with errno, if that fails. */
bool lm_system_write_through(int file);

#ifndef _WIN32
/* Discards a signal that is pending for this thread, which blocks it, if there is one. */
void lm_system_discard(int signal);
#endif

#endif
