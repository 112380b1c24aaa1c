/* The files that a command line names, looked at before anything is read or computed. */
#ifndef LM_CLI_FILES_H
#define LM_CLI_FILES_H

#include "cli/options/options.h"

/* What is written must be writable, and be no other file of the same command line: a result never takes the place of
 * what it was made from, nor of another result. */
leman_status lm_files_check(leman_context *ctx, const lm_command *command, const lm_common *options);

#endif
