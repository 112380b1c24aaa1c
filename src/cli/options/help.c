/*
 * leman help: writes the help of the program or of a command, the man page, the completion script and the version, all
 * from the tables of options.
 */
#include "base/ascii.h"
#include "cli/commands.h"
#include "cli/mpi/ranks.h"
#include <stdio.h>
#include <string.h>

const char LM_EXIT_TEXT[] = "Exit status: 0 success; 1 failure, with a message; 2 wrong command line.";
const lm_section LM_SECTIONS[] = {
    {"Data", LM_SECTION_DATA},
    {"Methods", LM_SECTION_METHODS},
    {"Numbers", LM_SECTION_NUMBERS},
    {"Environment", LM_SECTION_ENVIRONMENT},
    {NULL, NULL},
};

/* ---- Text for people ------------------------------------------------------------------------- */

/* Writes "  -t, --threads N", the left column of a row. An option whose name is one letter has no long form. */
static void option_text(const lm_option *row, char *text, size_t size)
{
    char letter[5] = "    ";
    bool both = row->letter && strlen(row->name) > 1;
    if (row->letter) snprintf(letter, sizeof letter, "-%c%s", row->letter, both ? ", " : "");
    char value[40] = "";
    if (row->value) snprintf(value, sizeof value, row->kind == LM_OPTIONAL ? " [%s]" : " %s", row->value);
    snprintf(text, size, "  %s%s%s%s", letter, strlen(row->name) > 1 ? "--" : "",
             strlen(row->name) > 1 ? row->name : "", value);
}

const char *lm_option_help(const lm_option *row, char *text, size_t size)
{
    char words[512];
    snprintf(text, size, "%s", row->help);
    if (!row->choices || row->kind == LM_TEXT || row->kind == LM_TEXTS) return text; /* choices are only suggestions */
    lm_choices_sentence(row->choices, row->kind == LM_SET ? "and" : "or", words, sizeof words);
    snprintf(text, size, "%s: %s", row->help, words);
    return text;
}

static void write_row(lm_output *out, const lm_option *row)
{
    enum { COLUMN = 26 };
    char left[80], help[1024];
    option_text(row, left, sizeof left);
    lm_write_text(out, left);
    bool own_line = strlen(left) + 2 > COLUMN;
    lm_output_printf(out, "%s%*s", own_line ? "\n" : "", own_line ? COLUMN : COLUMN - (int)strlen(left), "");
    lm_write_wrapped(out, lm_option_help(row, help, sizeof help), COLUMN, COLUMN);
}

/* Writes the examples `first` to `last`. */
static void write_examples(lm_output *out, const char *title, const lm_example *examples, size_t first, size_t last)
{
    if (first >= LM_EXAMPLES || !examples[first].line) return;
    lm_output_printf(out, "\n%s:\n", title);
    for (size_t i = first; i < last && examples[i].line; i++) {
        lm_output_printf(out, "  %s\n      ", examples[i].line);
        lm_write_wrapped(out, examples[i].what, 6, 6);
    }
}

static void write_program(lm_output *out)
{
    lm_write_text(out, "Usage: leman COMMAND [OPTION]... [OPERAND]...\n\n");
    lm_write_wrapped(out, LM_HELP_LEMAN.description, 0, 0);
    lm_write_text(out, "\nCommands:\n");
    for (const lm_command *const *command = lm_commands; *command; command++) {
        lm_output_printf(out, "  %-12s", (*command)->name);
        lm_write_wrapped(out, (*command)->help->summary, 14, 14);
    }
    write_examples(out, "Examples", LM_HELP_LEMAN.examples, 0, LM_EXAMPLES);
    lm_write_text(out, "\nOptions of every command:\n");
    for (const lm_option *row = LM_GENERAL_OPTIONS; row->name; row++) write_row(out, row);
    lm_write_text(out, "      --version           leman alone: show the version\n");
    for (const lm_section *section = LM_SECTIONS; section->title; section++) {
        lm_output_printf(out, "\n%s:\n  ", section->title);
        lm_write_wrapped(out, section->text, 2, 2);
    }
    lm_write_text(out, "\n");
    lm_write_wrapped(out, LM_EXIT_TEXT, 0, 0);
}

enum { FIRST_EXAMPLES = 2 }; /* shown before the options */

/* Writes the most used options. */
static void write_common(lm_output *out, const lm_command *command)
{
    if (!command->common) return;
    lm_write_text(out, "\nCommon options:\n");
    for (const char *at = command->common; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        const lm_option *row = lm_option_find(command, at, length);
        if (row) write_row(out, row);
        at += length;
    }
}

/* Writes the other options of a group, or nothing if there are none. */
static void write_group(lm_output *out, const lm_command *command, size_t group)
{
    bool any = false;
    for (const lm_option *row = command->groups[group].rows; row->name; row++) {
        if (lm_option_is_common(command, row)) continue;
        if (!any) lm_output_printf(out, "\n%s:\n", command->groups[group].title);
        any = true;
        write_row(out, row);
    }
}

static void write_command(lm_output *out, const lm_command *command)
{
    lm_output_printf(out, "Usage: leman %s [OPTION]...", command->name);
    for (size_t i = 0; i < LM_OPERANDS && command->operand[i].name; i++)
        lm_output_printf(out, i < command->required ? " %s" : " [%s]", command->operand[i].name);
    const char *rest = command->help->summary + 1; /* wrapping drops blanks at the beginning */
    const size_t blanks = strspn(rest, " ");
    lm_output_printf(out, "\n\n%c%.*s", lm_upper(rest[-1]), (int)blanks, rest);
    lm_write_wrapped(out, rest + blanks, 1 + blanks, 0);
    write_examples(out, "Examples", command->help->examples, 0, FIRST_EXAMPLES);
    write_common(out, command);
    lm_write_text(out, "\n");
    lm_write_wrapped(out, command->help->description, 0, 0);
    for (size_t i = 0; i < LM_GROUPS && command->groups[i].rows; i++) write_group(out, command, i);
    write_examples(out, "More examples", command->help->examples, FIRST_EXAMPLES, LM_EXAMPLES);
    lm_write_text(out, "\n");
    lm_write_wrapped(out, LM_EXIT_TEXT, 0, 0);
}

leman_status lm_help_write(lm_output *out, const lm_command *command)
{
    command ? write_command(out, command) : write_program(out);
    return lm_output_status(out);
}

/* ---- The command ----------------------------------------------------------------------------- */

typedef struct help_options {
    lm_common common;
    bool man, list, version;
    const char *completion;
} help_options;

#define FIELD(member) offsetof(help_options, member)

const char *const LM_SHELLS[] = {"bash", "zsh", "fish", NULL};
static const lm_option ROWS[] = {
    LM_FLAG_ROW("man", FIELD(man), HELP_HELP_MAN),
    LM_ROW("completion", 0, LM_CHOICE, FIELD(completion), "SHELL", HELP_HELP_COMPLETION, .choices = LM_SHELLS),
    LM_FLAG_ROW("list", FIELD(list), HELP_HELP_LIST),
    LM_FLAG_ROW("version", FIELD(version), HELP_HELP_VERSION),
    LM_OUTPUT_ROW(HELP_HELP_OUTPUT),
    LM_ROW("help", 'h', LM_FLAG, offsetof(lm_common, help), NULL, HELP_HELP_HELP),
    {0},
};

static leman_status help_run(lm_work *work, const void *options)
{
    const help_options *asked = options;
    const lm_command *command = NULL;
    char names[64];
    lm_output *out;
    if (asked->common.operands) PASS(lm_command_find(work->ctx, asked->common.operand[0], &command));
    PASS(lm_work_results(work, &out));
    if (asked->completion && !asked->version && !asked->list) return lm_completion_write(out, asked->completion);
    if (asked->version)
        lm_output_printf(out, "leman %s\nCUDA: %s\nMPI: %s\n", leman_version(),
                         leman_cuda_version() ? leman_cuda_version() : "not built in",
                         lm_process_ranks_names(names, sizeof names));
    for (size_t i = 0; asked->list && !asked->version && lm_commands[i]; i++)
        lm_output_printf(out, "%s\n", lm_commands[i]->name);
    if (asked->version || asked->list) return lm_output_status(out);
    return asked->man ? lm_man_write(out, command) : lm_help_write(out, command);
}

const lm_command lm_command_help = {
    .name = "help",
    .help = &LM_HELP_HELP,
    .operand = {{"COMMAND", NULL}},
    .words = true,
    .groups = {{"Options", ROWS}},
    .size = sizeof(help_options),
    .run = help_run,
};
