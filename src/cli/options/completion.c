/*
 * Writes the scripts that complete command lines in bash, zsh and fish: commands, then options, then the values of the
 * option before the cursor (words, comma-separated words, files), then operands. zsh and fish also show help texts. The
 * scripts are the files of src/cli/completion/, in which %MARKS% stand for what is written for every command.
 */
#include "cli/commands.h"
#include <string.h>

enum { WORDS = 160 };

/* Writes the start of a help text, without characters that are special to shells. */
static const char *short_help(const char *help, char text[WORDS])
{
    size_t used = 0;
    for (; *help && used + 1 < WORDS && !strchr(":;(", *help); help++)
        if (!strchr("'\"[]\\$`", *help)) text[used++] = *help;
    while (used && text[used - 1] == ' ') used--;
    text[used] = 0;
    return text;
}

/* Returns the i-th word that the option offers, or NULL after the last. */
static const char *offered(const lm_option *row, size_t i)
{
    if (row->kind == LM_FLAG) return NULL;
    if (row->choices) return lm_choices_named(row->choices)[i];
    return row->suggestion ? row->suggestion(i) : NULL;
}

/* Writes the words that the option offers between `before` and `behind`. */
static void write_offered(lm_output *out, const char *before, const lm_option *row, const char *behind)
{
    lm_write_text(out, before);
    for (size_t i = 0; offered(row, i); i++) lm_output_printf(out, "%s%s", i ? " " : "", offered(row, i));
    lm_write_text(out, behind);
}

static bool names_folders(const lm_option *row)
{
    return row->value && !strcmp(row->value, "FOLDER");
}

static bool names_files(const lm_option *row)
{
    return row->value && (!strcmp(row->value, "FILE") || names_folders(row));
}

static bool has_long_name(const lm_option *row)
{
    return strlen(row->name) > 1;
}

static void write_name(lm_output *out, const lm_command *command)
{
    lm_output_printf(out, " %s", command->name);
}

/* If the operand is one of several words, not a file, writes them, each after a blank, between `before` and `behind`.
 * Otherwise writes `file`, or `none` if there is no operand. */
static void write_operand(lm_output *out, const lm_command *command, const char *before, const char *behind,
                          const char *file, const char *none)
{
    const bool help = command == &lm_command_help;
    if (!help && !command->operand->choices) {
        lm_write_text(out, command->operand->name ? file : none);
        return;
    }
    lm_write_text(out, before);
    for (size_t i = 0; help && lm_commands[i]; i++) write_name(out, lm_commands[i]);
    for (size_t i = 0; !help && command->operand->choices[i]; i++)
        lm_output_printf(out, " %s", command->operand->choices[i]);
    lm_write_text(out, behind);
}

/* ---- bash: every option with a value and every command is one branch of a case statement -------- */

/* Writes the branches for the values of options: "info:-t|info:--threads) ... ;;". */
static void write_bash_values(lm_output *out, const lm_command *command)
{
    const lm_option *row;
    for (lm_option_walk walk = {0}; (row = lm_option_next(command, &walk));) {
        if (row->kind == LM_FLAG) continue;
        lm_write_text(out, "    ");
        if (row->letter) lm_output_printf(out, "%s:-%c", command->name, row->letter);
        if (has_long_name(row)) lm_output_printf(out, "%s%s:--%s", row->letter ? "|" : "", command->name, row->name);
        if (offered(row, 0))
            write_offered(out, ") _leman_words \"", row, "\"; return ;;\n");
        else if (names_files(row))
            lm_output_printf(out, ") _leman_files -%c; return ;;\n", names_folders(row) ? 'd' : 'f');
        else
            lm_write_text(out, ") :; return ;;\n"); /* a number: no suggestions */
    }
}

/* Writes the branch of a command: its options after a dash, otherwise its operands. */
static void write_bash_command(lm_output *out, const lm_command *command)
{
    const lm_option *row;
    lm_output_printf(out, "    %s)\n        if [[ $word == -* ]]; then\n            COMPREPLY=($(compgen -W \"",
                     command->name);
    for (lm_option_walk walk = {0}; (row = lm_option_next(command, &walk));) {
        if (row->letter) lm_output_printf(out, "-%c ", row->letter);
        if (has_long_name(row)) lm_output_printf(out, "--%s ", row->name);
    }
    lm_write_text(out, "\" -- \"$word\"))\n        else\n            ");
    write_operand(out, command, "_leman_words \"", "\"", "_leman_files -f", ":");
    lm_write_text(out, "\n        fi\n        ;;\n");
}

/* ---- zsh ------------------------------------------------------------------------------------- */

static void write_zsh_name(lm_output *out, const lm_command *command)
{
    char words[WORDS];
    lm_output_printf(out, "        '%s:%s'\n", command->name, short_help(command->help->summary, words));
}

/* Writes '-k+[help]:N:' and '--threads=[help]:N:'. A letter and a long name form one option. */
static void write_zsh_row(lm_output *out, const lm_option *row)
{
    char words[WORDS];
    const bool flag = row->kind == LM_FLAG;
    const bool repeats = row->kind == LM_TEXTS || row->kind == LM_SET || row->kind == LM_RANGES;
    for (int form = 0; form < 2; form++) {
        if (form ? !has_long_name(row) : !row->letter) continue;
        lm_output_printf(out, "            '%s", repeats ? "*" : "");
        form ? lm_output_printf(out, "--%s%s", row->name, flag ? "" : "=")
             : lm_output_printf(out, "-%c%s", row->letter, flag ? "" : "+");
        lm_output_printf(out, "[%s]", short_help(row->help, words));
        if (!flag) lm_output_printf(out, "%s%s:", row->kind == LM_OPTIONAL ? "::" : ":", row->value);
        if (!flag && names_files(row))
            lm_write_text(out, names_folders(row) ? "_files -/" : "_files");
        else if (offered(row, 0))
            write_offered(out, "_leman_list ", row, "");
        lm_write_text(out, "' \\\n");
    }
}

static void write_zsh_command(lm_output *out, const lm_command *command)
{
    const lm_option *row;
    lm_output_printf(out, "    %s)\n        _arguments -s -S : \\\n", command->name);
    for (lm_option_walk walk = {0}; (row = lm_option_next(command, &walk));) write_zsh_row(out, row);
    write_operand(out, command,
                  FORMAT("            '*:%s:_leman_list", command->operand->name ? command->operand->name : ""), "'",
                  "            '*:DATA:_files'", "            && return");
    lm_write_text(out, "\n        ;;\n");
}

/* ---- fish ------------------------------------------------------------------------------------ */

static void write_fish_command(lm_output *out, const lm_command *command)
{
    char words[WORDS];
    const lm_option *row;
    const char *seen = FORMAT("complete -c leman -n '__fish_seen_subcommand_from %s'", command->name);
    lm_output_printf(out, "complete -c leman -n __fish_use_subcommand -a %s -d '%s'\n", command->name,
                     short_help(command->help->summary, words));
    write_operand(out, command, FORMAT("%s -f -a '", seen), "'\n", "", FORMAT("%s -f\n", seen));
    for (lm_option_walk walk = {0}; (row = lm_option_next(command, &walk));) {
        lm_write_text(out, seen);
        if (row->letter) lm_output_printf(out, " -s %c", row->letter);
        if (has_long_name(row)) lm_output_printf(out, " -l %s", row->name);
        if (row->kind != LM_FLAG && row->kind != LM_OPTIONAL) lm_write_text(out, names_files(row) ? " -r -F" : " -x");
        if (offered(row, 0)) write_offered(out, " -a '(__leman_list ", row, ")'");
        lm_output_printf(out, " -d '%s'\n", short_help(row->help, words));
    }
}

/* ---- The scripts ----------------------------------------------------------------------------- */

static const struct mark {
    const char *text;
    void (*write)(lm_output *out, const lm_command *command);
} MARKS[] = {{"%NAMES%", write_name},
             {"%BASH_VALUES%\n", write_bash_values},
             {"%BASH_COMMANDS%\n", write_bash_command},
             {"%ZSH_NAMES%\n", write_zsh_name},
             {"%ZSH_COMMANDS%\n", write_zsh_command},
             {"%FISH_COMMANDS%\n", write_fish_command}};

leman_status lm_completion_write(lm_output *out, const char *shell)
{
    const char *at = !strcmp(shell, "zsh")   ? LM_COMPLETION_ZSH
                     : strcmp(shell, "fish") ? LM_COMPLETION_BASH
                                             : LM_COMPLETION_FISH;
    while (*at) {
        const struct mark *mark = MARKS, *end = MARKS + sizeof MARKS / sizeof *MARKS;
        while (mark < end && strncmp(at, mark->text, strlen(mark->text)) != 0) mark++;
        for (size_t i = 0; mark < end && lm_commands[i]; i++) mark->write(out, lm_commands[i]);
        const size_t plain = mark < end ? 0 : 1 + strcspn(at + 1, "%");
        lm_output_write(out, at, plain);
        at += mark < end ? strlen(mark->text) : plain;
    }
    return lm_output_status(out);
}
