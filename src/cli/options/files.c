/* Files of a command line: operands, and options whose value is a FILE; files.h. */
#include "cli/options/files.h"
#include "base/file.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct named {
    const char *name; /* "DATA", "--output" */
    const char *path;
    bool written;
} named;

enum { MAX_FILES = 16 };

static bool is_standard(const char *path)
{
    return !strcmp(path, "-");
}

/* All files, and how many. */
static size_t collect(const lm_command *command, const lm_common *options, named *file, char text[][32])
{
    size_t count = 0;
    for (size_t i = 0; i < options->operands; i++)
        if (!command->operand[i].choices && !command->in_place)
            file[count++] = (named){command->operand[i].name, options->operand[i], false};
    for (size_t g = 0; g < LM_GROUPS && command->groups[g].rows; g++)
        for (const lm_option *row = command->groups[g].rows; row->name && count < MAX_FILES; row++) {
            const char *path = NULL;
            if (row->kind != LM_TEXT || !row->value || strcmp(row->value, "FILE")) continue;
            memcpy(&path, (const char *)options + row->field, sizeof path);
            if (!path) continue;
            snprintf(text[count], sizeof *text, "--%s", row->name);
            file[count] = (named){text[count], path, row->written};
            count++;
        }
    return count;
}

static bool same_file(const char *a, const char *b)
{
    struct stat first, second;
    if (is_standard(a) || is_standard(b)) return false;
    if (!strcmp(a, b)) return true;
    return !stat(a, &first) && !stat(b, &second) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* Devices and pipes may be named twice. */
static bool is_device(const char *path)
{
    struct stat about;
    return !stat(path, &about) && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

static leman_status check_one(leman_context *ctx, const named *file)
{
    struct stat about;
    if (!file->written) return LEMAN_OK;
    if (is_standard(file->path) && strcmp(file->name, "--output"))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                       "option '%s': found -, expected a file: standard output is for the result", file->name);
    if (!stat(file->path, &about) && S_ISDIR(about.st_mode)) return LEMAN_OK; /* the command knows whether it may be */
    return lm_output_check(ctx, file->path);
}

leman_status lm_files_check(leman_context *ctx, const lm_command *command, const lm_common *options)
{
    leman_status st = LEMAN_OK;
    named file[LM_OPERANDS + MAX_FILES];
    char text[LM_OPERANDS + MAX_FILES][32];
    const size_t count = collect(command, options, file, text);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if ((file[i].written || file[j].written) && same_file(file[i].path, file[j].path) &&
                !is_device(file[i].path))
                FAIL(ctx, LEMAN_ERROR_ARGUMENT, "%s and %s: found '%s' for both, expected two files", file[j].name,
                     file[i].name, file[i].path);
    for (size_t i = 0; i < count; i++) TRY(check_one(ctx, file + i));
done:
    return st;
}
