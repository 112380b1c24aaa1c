/* Writes the scripts that complete command lines in zsh and fish, from the same tables as for bash, with help texts. */
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
    if (row->choices) return lm_choices_named(row->choices)[i];
    return row->suggestion ? row->suggestion(i) : NULL;
}

static leman_status write_offered(lm_output *out, const lm_option *row)
{
    leman_status st = LEMAN_OK;
    for (size_t i = 0; offered(row, i); i++) TRY(lm_output_printf(out, "%s%s", i ? " " : "", offered(row, i)));
done:
    return st;
}

static bool names_files(const lm_option *row)
{
    return row->value && (!strcmp(row->value, "FILE") || !strcmp(row->value, "FOLDER"));
}

/* ---- zsh ------------------------------------------------------------------------------------- */

static const char ZSH_HEAD[] = "#compdef leman\n"
                               "# zsh completion for leman; put it as _leman into a folder of $fpath\n"
                               "_leman_list() {\n"
                               "    # The last of comma-separated words: what stands before it is kept.\n"
                               "    compset -P '*,'\n"
                               "    compadd -q -S '' -- \"$@\"\n"
                               "}\n"
                               "_leman() {\n"
                               "    local -a commands\n";

/* Writes '-k+[help]:N:' and '--threads=[help]:N:'. A letter and a long name form one option. */
static leman_status write_zsh_row(lm_output *out, const lm_option *row)
{
    leman_status st = LEMAN_OK;
    char words[WORDS];
    const bool named = strlen(row->name) > 1, flag = row->kind == LM_FLAG;
    short_help(row->help, words);
    for (int form = 0; form < 2; form++) {
        if (form ? !named : !row->letter) continue;
        TRY(lm_write_text(out, "            '"));
        if (row->kind == LM_TEXTS || row->kind == LM_SET || row->kind == LM_RANGES) TRY(lm_write_text(out, "*"));
        TRY(form ? lm_output_printf(out, "--%s%s", row->name, flag ? "" : "=")
                 : lm_output_printf(out, "-%c%s", row->letter, flag ? "" : "+"));
        TRY(lm_output_printf(out, "[%s]", words));
        if (!flag) TRY(lm_output_printf(out, "%s%s:", row->kind == LM_OPTIONAL ? "::" : ":", row->value));
        if (!flag && names_files(row)) {
            TRY(lm_write_text(out, strcmp(row->value, "FILE") ? "_files -/" : "_files"));
        } else if (!flag && offered(row, 0)) {
            TRY(lm_write_text(out, "_leman_list "));
            TRY(write_offered(out, row));
        }
        TRY(lm_write_text(out, "' \\\n"));
    }
done:
    return st;
}

static leman_status write_zsh_command(lm_output *out, const lm_command *command)
{
    leman_status st = LEMAN_OK;
    const lm_option *row;
    TRY(lm_output_printf(out, "    %s)\n        _arguments -s -S : \\\n", command->name));
    for (lm_option_walk walk = {0}; (row = lm_option_next(command, &walk));) TRY(write_zsh_row(out, row));
    if (command == &lm_command_help) {
        TRY(lm_write_text(out, "            '*:COMMAND:_leman_list ${commands%%:*}'"));
    } else if (command->operand->choices) {
        TRY(lm_output_printf(out, "            '*:%s:_leman_list", command->operand->name));
        for (size_t i = 0; command->operand->choices[i]; i++)
            TRY(lm_output_printf(out, " %s", command->operand->choices[i]));
        TRY(lm_write_text(out, "'"));
    } else {
        TRY(lm_write_text(out, command->operand->name ? "            '*:DATA:_files'" : "            && return"));
    }
    TRY(lm_write_text(out, "\n        ;;\n"));
done:
    return st;
}

leman_status lm_completion_zsh(lm_output *out)
{
    leman_status st = LEMAN_OK;
    char words[WORDS];
    TRY(lm_write_text(out, ZSH_HEAD));
    TRY(lm_write_text(out, "    commands=(\n"));
    for (const lm_command *const *command = lm_commands; *command; command++)
        TRY(lm_output_printf(out, "        '%s:%s'\n", (*command)->name, short_help((*command)->summary, words)));
    TRY(lm_write_text(out, "    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n"
                           "    fi\n    local command=$words[2]\n    shift words\n    ((CURRENT--))\n"
                           "    case $command in\n"));
    for (const lm_command *const *command = lm_commands; *command; command++) TRY(write_zsh_command(out, *command));
    TRY(lm_write_text(out, "    esac\n}\ncompdef _leman leman\n"));
done:
    return st;
}

/* ---- fish ------------------------------------------------------------------------------------ */

static const char FISH_HEAD[] = "# fish completion for leman; put it as leman.fish into ~/.config/fish/completions\n"
                                "function __leman_list\n"
                                "    # The last of comma-separated words: what stands before it is kept.\n"
                                "    set -l before (string match -r '^(?:-[^=]*=)?(.*,)' -- (commandline -ct))[2]\n"
                                "    for word in $argv\n"
                                "        echo \"$before$word\"\n"
                                "    end\n"
                                "end\n"
                                "complete -c leman -n __fish_use_subcommand -f\n"
                                "complete -c leman -n __fish_use_subcommand -s h -l help -d 'show the help'\n"
                                "complete -c leman -n __fish_use_subcommand -l version -d 'show the version'\n";

static leman_status write_fish_row(lm_output *out, const lm_command *command, const lm_option *row)
{
    leman_status st = LEMAN_OK;
    char words[WORDS];
    TRY(lm_output_printf(out, "complete -c leman -n '__fish_seen_subcommand_from %s'", command->name));
    if (row->letter) TRY(lm_output_printf(out, " -s %c", row->letter));
    if (strlen(row->name) > 1) TRY(lm_output_printf(out, " -l %s", row->name));
    if (row->kind != LM_FLAG && row->kind != LM_OPTIONAL) TRY(lm_write_text(out, names_files(row) ? " -r -F" : " -x"));
    if (row->kind != LM_FLAG && offered(row, 0)) {
        TRY(lm_write_text(out, " -a '(__leman_list "));
        TRY(write_offered(out, row));
        TRY(lm_write_text(out, ")'"));
    }
    TRY(lm_output_printf(out, " -d '%s'\n", short_help(row->help, words)));
done:
    return st;
}

static leman_status write_fish_operand(lm_output *out, const lm_command *command)
{
    leman_status st = LEMAN_OK;
    const bool help = command == &lm_command_help;
    if (!help && command->operand->name && !command->operand->choices) return LEMAN_OK; /* a file: fish completes it */
    TRY(lm_output_printf(out, "complete -c leman -n '__fish_seen_subcommand_from %s' -f", command->name));
    if (help || command->operand->choices) TRY(lm_write_text(out, " -a '"));
    for (size_t i = 0; help && lm_commands[i]; i++)
        TRY(lm_output_printf(out, "%s%s", i ? " " : "", lm_commands[i]->name));
    for (size_t i = 0; command->operand->choices && command->operand->choices[i]; i++)
        TRY(lm_output_printf(out, "%s%s", i ? " " : "", command->operand->choices[i]));
    TRY(lm_write_text(out, help || command->operand->choices ? "'\n" : "\n"));
done:
    return st;
}

leman_status lm_completion_fish(lm_output *out)
{
    leman_status st = LEMAN_OK;
    const lm_option *row;
    char words[WORDS];
    TRY(lm_write_text(out, FISH_HEAD));
    for (const lm_command *const *command = lm_commands; *command; command++) {
        TRY(lm_output_printf(out, "complete -c leman -n __fish_use_subcommand -a %s -d '%s'\n", (*command)->name,
                             short_help((*command)->summary, words)));
        TRY(write_fish_operand(out, *command));
        for (lm_option_walk walk = {0}; (row = lm_option_next(*command, &walk));)
            TRY(write_fish_row(out, *command, row));
    }
done:
    return st;
}
