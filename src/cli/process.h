/* The process around a command: its three standard streams and its signals. */
#ifndef LM_PROCESS_H
#define LM_PROCESS_H

#include <stdbool.h>

/* A standard stream that the caller closed is opened the wrong way round, so that using it fails and no file that is
 * opened later takes its number. A closed pipe and a file that grows too large are failed writes, not a death. Ctrl-C
 * asks for an orderly end once and kills the second time. */
void lm_process_prepare(void);
/* Was an orderly end asked for? */
bool lm_process_interrupted(void);

#endif
