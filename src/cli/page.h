/* --report of the commands that evaluate: the page and the command line that is written on it. */
#ifndef LM_CLI_PAGE_H
#define LM_CLI_PAGE_H

#include "cli/options/protocol.h"

/* A page about methods[count] on the data of the request. path NULL: nothing to write. */
leman_status lm_page_write(lm_work *work, const char *path, const lm_request *request, const leman_method *methods,
                           size_t count);

/* A page about several tasks: columns[tasks] and what leman_evaluate_tasks() gave. */
leman_status lm_page_write_tasks(lm_work *work, const lm_request *request, const size_t *columns, size_t tasks,
                                 leman_evaluation *const *evaluations);

/* The command line as text, quoted for a shell where it must be: "leman evaluate 'my data.zip' -k 2";
 * lm_free() it. */
leman_status lm_command_line(const lm_work *work, char **out);

#endif
