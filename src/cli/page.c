/* The page of --report, and command lines as text. */
#include "cli/page.h"
#include <string.h>

/* ---- The command line ------------------------------------------------------------------------ */

/* Returns true if a shell needs no quotes for this word. */
static bool is_plain(const char *word)
{
    static const char SAFE[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+@%-";
    return *word && word[strspn(word, SAFE)] == 0;
}

/* Appends a word in single quotes if necessary. A single quote itself is put outside: it's -> 'it'\''s'. */
static leman_status append_word(leman_context *ctx, lm_vector *text, const char *word)
{
    leman_status st = LEMAN_OK;
    if (text->count) TRY(lm_vector_append(ctx, text, " ", 1, 1));
    if (is_plain(word)) {
        TRY(lm_vector_append(ctx, text, word, strlen(word), 1));
        return LEMAN_OK;
    }
    TRY(lm_vector_append(ctx, text, "'", 1, 1));
    for (; *word; word++)
        TRY(*word == '\'' ? lm_vector_append(ctx, text, "'\\''", 4, 1) : lm_vector_append(ctx, text, word, 1, 1));
    TRY(lm_vector_append(ctx, text, "'", 1, 1));
done:
    return st;
}

leman_status lm_command_line(const lm_work *work, char **out)
{
    leman_status st = LEMAN_OK;
    lm_vector text = {0};
    TRY(append_word(work->ctx, &text, "leman"));
    for (int i = 0; i < work->count; i++) TRY(append_word(work->ctx, &text, work->arguments[i]));
    TRY(lm_vector_append(work->ctx, &text, "", 1, 1));
    *out = text.items;
done:
    if (st) lm_vector_free(work->ctx, &text);
    return st;
}

/* ---- The page -------------------------------------------------------------------------------- */

leman_status lm_page_write(lm_work *work, const char *path, const lm_request *request, const leman_method *methods,
                           size_t count)
{
    leman_status st = LEMAN_OK;
    char *line = NULL;
    if (!path) return LEMAN_OK;
    TRY(lm_command_line(work, &line));
    TRY(leman_report_write(work->ctx, request->data, methods, count, line, path));
    lm_work_log(work, "%s: wrote the report", path);
done:
    lm_free(work->ctx, line);
    return st;
}

leman_status lm_page_write_tasks(lm_work *work, const lm_request *request, const size_t *columns, size_t tasks,
                                 leman_evaluation *const *evaluations)
{
    leman_status st = LEMAN_OK;
    const char *path = request->asked->report;
    char *line = NULL;
    if (!path) return LEMAN_OK;
    TRY(lm_command_line(work, &line));
    TRY(leman_tasks_report_write(work->ctx, request->data, request->kernels, request->count, columns, tasks,
                                 evaluations, line, path));
    lm_work_log(work, "%s: wrote the report", path);
done:
    lm_free(work->ctx, line);
    return st;
}
