/*
 * The program leman. Every command has its own file. The first word selects the command, its table of options parses
 * the rest, and its function does the work. Exit status 0: success, 1: failure, 2: wrong command line.
 */
#include "base/ranks/ranks.h"
#include "cli/commands.h"
#include "cli/mpi/ranks.h"
#include "cli/options/choices.h"
#include "cli/options/files.h"
#include "cli/process.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { DONE = 0, FAILED = 1, WRONG_USAGE = 2 };

/* Prints the message if this rank has to report, and returns the exit status. */
static int complain(const lm_command *command, leman_status st, const leman_context *ctx, bool reports)
{
    const char *message = leman_context_message(ctx);
    if (!*message) message = leman_status_name(st);
    if (!reports) return st == LEMAN_ERROR_ARGUMENT ? WRONG_USAGE : FAILED;
    if (lm_process_interrupted())
        fprintf(stderr, "leman: interrupted: %s\n", message);
    else if (leman_context_errno(ctx) != EPIPE) /* otherwise our reader (leman ... | head) has left */
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
    lm_output *out;
    PASS(lm_work_results(work, &out));
    return lm_help_write(out, command);
}

/* Runs a command with two contexts: one to parse the command line, one with the settings that it asks for. */
static int run(const lm_process_ranks *ranks, const lm_command *command, int count, char **arguments)
{
    leman_status st = LEMAN_OK;
    const size_t rank = ranks->communicator.rank;
    bool alone = false;
    lm_work reading = {0}, working = {0}, *current = &reading;
    lm_common *options = NULL;
    char **words = arguments;
    TRY(lm_work_open(&reading, NULL, NULL));
    if (!command) TRY(lm_command_find(reading.ctx, *arguments++, &command));
    if (!(options = lm_alloc(reading.ctx, command->size, 1))) TRY(lm_refusal(reading.ctx));
    TRY(lm_options_parse(reading.ctx, command, count, arguments, options));
    TRY(lm_process_ranks_compare(reading.ctx, ranks, lm_options_checksum(command, options)));
    if (options->help && !rank) {
        TRY(run_help(&reading, command));
    } else if (!options->help && (command->ranks || !rank)) {
        current = &working;
        TRY(lm_work_open(&working, options, command->ranks ? ranks : NULL));
        working.arguments = words;
        working.count = count + (int)(arguments - words);
        lm_ranks_begin(working.ctx);
        TRY(lm_ranks_end(working.ctx, lm_files_check(&working, command, options)));
        TRY(command->run(&working, options));
        if (options->json) TRY(lm_work_json(&working));
    }
    TRY(lm_work_finish(current));
    if (*current->stopped) TRY(lm_fail(current->ctx, LEMAN_ERROR_CANCELLED, "%s", current->stopped));
done:
    lm_bar_clear(&current->bar);
    if (st) lm_work_blame(current, st);
    const bool reports = lm_process_ranks_finish(ranks, st != LEMAN_OK, &alone);
    int result = st ? complain(command, st, current->ctx, reports) : DONE;
    lm_work_close(&working);
    if (options) lm_options_free(command, options);
    if (reading.ctx) lm_release(options);
    lm_work_close(&reading);
    lm_process_ranks_end(ranks, alone, result);
    return result;
}

static void show_usage(void)
{
    fputs("Usage: leman COMMAND [OPTION]... [OPERAND]...\n\n", stderr);
    for (size_t i = 0; lm_commands[i]; i++)
        fprintf(stderr, "  %-12s%s\n", lm_commands[i]->name, lm_commands[i]->help->summary);
    fputs("\nTry 'leman --help'.\n", stderr);
}

static int run_command_line(int count, char **arguments)
{
    lm_choices_fill();
    lm_process_ranks ranks;
    if (!lm_process_ranks_join(&ranks)) return FAILED;
    if (count < 2) {
        bool alone;
        if (lm_process_ranks_finish(&ranks, true, &alone)) show_usage();
        lm_process_ranks_end(&ranks, alone, WRONG_USAGE);
        return WRONG_USAGE;
    }
    if (!strcmp(arguments[1], "--help") || !strcmp(arguments[1], "-h")) return run(&ranks, &lm_command_help, 0, NULL);
    if (arguments[1][0] == '-') return run(&ranks, &lm_command_help, count - 1, arguments + 1); /* --version */
    return run(&ranks, NULL, count - 2, arguments + 1);
}

int main(int count, char **arguments)
{
    lm_process_prepare();
    return lm_process_run(run_command_line, count, arguments);
}
