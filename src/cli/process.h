/* The process around a command: its three standard streams and its signals. */
#ifndef LM_PROCESS_H
#define LM_PROCESS_H

#include "leman.h"

/* A standard stream that the caller closed is opened the wrong way round, so that using it fails and no file that is
 * opened later takes its number. A closed pipe and a file that grows too large are failed writes, not a death. Ctrl-C
 * asks for an orderly end once and kills the second time. */
void lm_process_prepare(void);
/* Runs the program's work on a stack that is large enough, whatever the caller's limit of it is; threads have such
 * stacks too. Returns what the work returns. */
int lm_process_run(int (*work)(int count, char **arguments), int count, char **arguments);
enum { LM_LEAST_MEMORY = 16 << 20 }; /* of a budget: what the program itself takes, and a little to work with */
/* Prepares for a memory budget of so many bytes: what is freed goes back to the system the sooner the smaller it is.
 * Returns how much of it the program itself takes, with so many threads. */
size_t lm_process_budget(size_t budget, int threads);
/* Allocates from a heap with large pages, unless the settings have a small memory budget: those of 2 MiB are cleared
 * and mapped at once, touched or not. */
void lm_process_large_pages(leman_settings *settings);
/* Was an orderly end asked for? */
bool lm_process_interrupted(void);

#endif
