/* Checks of the files that a command line names, before anything is read or computed. */
#ifndef LM_CLI_FILES_H
#define LM_CLI_FILES_H

#include "cli/work.h"

/* Checks all files of the command line: operands, and options whose value is a FILE. A file that is written must be
 * writable, must end as the row of its option says, and must differ from every other file of the command line, however
 * the two are spelled. A result may replace one of the files it is made from only with --force. If the file of an
 * option with `results` ends in .json, options->json is set. */
leman_status lm_files_check(lm_work *work, const lm_command *command, lm_common *options);
/* Adds a file that the command writes and whose name it derives from another, and compares it with all files of the
 * command line. `name` is the option that messages mention. */
leman_status lm_files_add(lm_work *work, const char *name, const char *path);
/* Fails unless the path ends in one of `endings`, as described at lm_option.endings. Streams and devices may have any
 * name. `name` is the option that messages mention. */
leman_status lm_ending_check(leman_context *ctx, const char *name, const char *path, const char *const *endings);
/* Returns true if a sentence contains the path of one of the files. */
bool lm_files_mentioned(const lm_work *work, const char *sentence);

#endif
