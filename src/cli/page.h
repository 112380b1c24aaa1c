/* --report of the commands that evaluate: writes the page, and the command line shown on it. */
#ifndef LM_CLI_PAGE_H
#define LM_CLI_PAGE_H

#include "cli/options/protocol.h"

/* Writes a page about methods[count] on the data of the request. Does nothing if path is NULL. */
leman_status lm_page_write(lm_work *work, const char *path, const lm_request *request, const leman_method *methods,
                           size_t count);

/* Returns the command line as text, quoted for a shell if necessary: "leman evaluate 'my data.zip' -k 2". */
leman_status lm_command_line(const lm_work *work, char **out);

#endif
