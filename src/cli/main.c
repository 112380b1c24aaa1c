/*
 * leman: one program, one file per command. The first word chooses the command, its table of options reads the rest,
 * its function does the work. Exit status 0: done, 1: it failed, 2: the command line is wrong.
 */
#include "cli/commands.h"
#include "cli/options/choices.h"
#include "cli/options/files.h"
#include "cli/process.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DONE = 0, FAILED = 1, WRONG_USAGE = 2 };

static int complain(const lm_command *command, leman_status st, const leman_context *ctx)
{
    const char *message = leman_context_message(ctx);
    if (!*message) message = leman_status_name(st);
    if (lm_process_interrupted())
        fprintf(stderr, "leman: interrupted: %s\n", message);
    else if (leman_context_errno(ctx) != EPIPE) /* who reads our output (leman ... | head) has seen enough */
        fprintf(stderr, "leman: %s\n", message);
    if (st != LEMAN_ERROR_ARGUMENT) return FAILED;
    if (!command || command == &lm_command_help)
        fputs("Try 'leman --help'.\n", stderr);
    else
        fprintf(stderr, "Try 'leman %s --help'.\n", command->name);
    return WRONG_USAGE;
}

static leman_status run_help(lm_work *work, const lm_command *command)
{
    leman_status st = LEMAN_OK;
    lm_output *out;
    TRY(lm_work_results(work, &out));
    TRY(lm_help_write(out, command));
done:
    return st;
}

/* Two contexts: one to read the command line with, one with the settings that it asks for. */
static int run(const lm_command *command, int count, char **arguments)
{
    leman_status st = LEMAN_OK;
    lm_work reading = {0}, working = {0}, *current = &reading;
    lm_common *options = NULL;
    char **words = arguments;
    TRY(lm_work_open(&reading, NULL));
    if (!command) TRY(lm_command_find(reading.ctx, *arguments++, &command));
    if (!(options = lm_alloc(reading.ctx, command->size, 1))) TRY(lm_refusal(reading.ctx));
    TRY(lm_options_parse(reading.ctx, command, count, arguments, options));
    if (options->help) {
        TRY(run_help(&reading, command));
    } else {
        current = &working;
        TRY(lm_work_open(&working, options));
        working.arguments = words;
        working.count = count + (int)(arguments - words);
        TRY(lm_files_check(&working, command, options));
        TRY(command->run(&working, options));
    }
    TRY(lm_work_finish(current));
done:
    lm_bar_clear(&current->bar);
    if (st) lm_work_blame(current, st);
    int result = st ? complain(command, st, current->ctx) : DONE;
    lm_work_close(&working);
    if (options) lm_options_free(reading.ctx, command, options);
    if (reading.ctx) lm_free(reading.ctx, options);
    lm_work_close(&reading);
    return result;
}

static int show_usage(void)
{
    fputs("Usage: leman COMMAND [OPTION]... [OPERAND]...\n\n", stderr);
    for (size_t i = 0; lm_commands[i]; i++)
        fprintf(stderr, "  %-12s%s\n", lm_commands[i]->name, lm_commands[i]->summary);
    fputs("\nTry 'leman --help'.\n", stderr);
    return WRONG_USAGE;
}

int main(int count, char **arguments)
{
    lm_process_prepare();
    lm_choices_fill();
    if (count < 2) return show_usage();
    if (!strcmp(arguments[1], "--help") || !strcmp(arguments[1], "-h")) return run(&lm_command_help, 0, NULL);
    if (arguments[1][0] == '-') return run(&lm_command_help, count - 1, arguments + 1); /* --version */
    return run(NULL, count - 2, arguments + 1);
}
