/* The process of a command: its standard streams, signals, stack and memory. system/posix.c is for Linux and macOS, system/windows.c for
 * Windows. */
#ifndef LM_PROCESS_H
#define LM_PROCESS_H

#include "leman.h"

/* Prepares streams and signals. A standard stream that the caller closed is opened on /dev/null in the wrong direction,
 * so that using it fails and no later file gets its descriptor. Writes to a closed pipe or beyond the size limit of a
 * file fail instead of killing the process. The first Ctrl-C asks the command to stop; the second kills the process. */
void lm_process_prepare(void);
/* Runs `work` with a stack that is large enough, even if the caller's stack limit is too small; threads get such stacks
 * too. Returns what `work` returns. */
int lm_process_run(int (*work)(int count, char **arguments), int count, char **arguments);
enum { LM_LEAST_MEMORY = 16 << 20 }; /* smallest budget: the program itself and a little memory to work with */
/* Configures the allocator for a memory budget in bytes: the smaller the budget, the sooner freed memory is returned to
 * the system. Returns how much of the budget the program itself takes with that number of threads. */
size_t lm_process_budget(size_t budget, int threads);
/* Makes the settings allocate from a heap with large pages, unless their memory budget is small: a page of 2 MiB is
 * cleared and mapped as a whole, even if only a part of it is used. */
void lm_process_large_pages(leman_settings *settings);
/* Returns the columns of the terminal on standard error; 80 if they are not known. */
size_t lm_process_columns(void);
/* Returns true if the command was asked to stop. */
bool lm_process_interrupted(void);

#endif
