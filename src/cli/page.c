/* The page of --report, and command lines as text. */
#include "cli/page.h"
#include <string.h>

/* Returns true if a shell needs no quotes for this word. */
static bool is_plain(const char *word)
{
    static const char SAFE[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+@%-";
    return *word && word[strspn(word, SAFE)] == 0;
}

/* Appends a word, in single quotes if necessary, and returns the end. A single quote itself is put outside:
 * it's -> 'it'\''s'. */
static char *append_word(char *at, const char *word)
{
    if (is_plain(word)) return stpcpy(at, word);
    *at++ = '\'';
    for (; *word; word++) at = *word == '\'' ? stpcpy(at, "'\\''") : stpncpy(at, word, 1);
    return stpcpy(at, "'");
}

leman_status lm_command_line(const lm_work *work, char **out)
{
    leman_status st = LEMAN_OK;
    size_t size = sizeof "leman";
    for (int i = 0; i < work->count; i++) size += 4 * strlen(work->arguments[i]) + 3;
    SCRATCH(work->ctx, *out, size);
    char *at = stpcpy(*out, "leman");
    for (int i = 0; i < work->count; i++) at = append_word(stpcpy(at, " "), work->arguments[i]);
done:
    return st;
}

leman_status lm_page_write(lm_work *work, const char *path, const lm_request *request, const leman_method *methods,
                           size_t count)
{
    leman_status st = LEMAN_OK;
    char *line;
    if (!path) return LEMAN_OK;
    TRY(lm_command_line(work, &line));
    TRY(leman_report_write(work->ctx, request->data, methods, count, line, path));
    lm_work_log(work, "%s: wrote the report", path);
done:
    return st;
}
