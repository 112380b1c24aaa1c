/* What systems do differently, one file a system: linux.c and macos.c. Everything else is POSIX. */
#ifndef LM_SYSTEM_H
#define LM_SYSTEM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#ifdef __APPLE__
#include <xlocale.h> /* strtod_l() */
#endif

/* Fills `size` <= 256 bytes with random numbers of the system without waiting for them. Returns false if there are none
 * yet. */
bool lm_system_random(void *bytes, size_t size);

/* Returns the bytes of memory that this process can get without swapping, 1 GiB if the system does not say; 0: none is
 * left. */
size_t lm_system_free_memory(void);

/* Returns when the content of the file is on its device. Returns false, with errno, if that fails. */
bool lm_system_write_through(int file);

/* Discards a signal that is pending for this thread, which blocks it, if there is one. */
void lm_system_discard(int signal);

#endif
