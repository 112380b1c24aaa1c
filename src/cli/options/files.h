/* The files that a command line names, looked at before anything is read or computed. */
#ifndef LM_CLI_FILES_H
#define LM_CLI_FILES_H

#include "cli/work.h"

/* Every file of the command line: operands, and options whose value is a FILE. What is written must be writable, and
 * be no other file of the same command line, however the two are spelled: a result never takes the place of another
 * result, and of what it was made from only with --force. Names end as the row of the option says; a result whose name
 * ends in .json is one of --json. */
leman_status lm_files_check(lm_work *work, const lm_command *command, lm_common *options);
/* One more file that the command writes, whose name it makes from one of those: compared with all of them. `name` is
 * what messages call it. */
leman_status lm_files_add(lm_work *work, const char *name, const char *path);
/* Does the name of a file end in one of these, as lm_option.endings? Streams and devices may have any name. `name` is
 * what messages call it. */
leman_status lm_ending_check(leman_context *ctx, const char *name, const char *path, const char *const *endings);
/* Does a sentence have one of them in it? */
bool lm_files_mentioned(const lm_work *work, const char *sentence);
void lm_files_free(lm_work *work);

#endif
