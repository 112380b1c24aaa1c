/*
 * Writes the scripts that complete command lines in bash, zsh and fish: commands, then options, then the values of the
 * option before the cursor (words, comma-separated words, files), then operands. zsh and fish also show help texts.
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
static leman_status write_offered(lm_output *out, const char *before, const lm_option *row, const char *behind)
{
    PASS(lm_write_text(out, before));
    for (size_t i = 0; offered(row, i); i++) PASS(lm_output_printf(out, "%s%s", i ? " " : "", offered(row, i)));
    return lm_write_text(out, behind);
}

static bool names_files(const lm_option *row)
{
    return row->value && (!strcmp(row->value, "FILE") || !strcmp(row->value, "FOLDER"));
}

/* Returns true if the operand is one of several words, not a file. */
static bool has_words(const lm_command *command)
{
    return command == &lm_command_help || command->operand->choices;
}

/* Writes the words that the operand may be, each after a blank. */
static leman_status write_operands(lm_output *out, const lm_command *command)
{
    const bool help = command == &lm_command_help;
    for (size_t i = 0; help ? lm_commands[i] != NULL : command->operand->choices[i] != NULL; i++)
        PASS(lm_output_printf(out, " %s", help ? lm_commands[i]->name : command->operand->choices[i]));
    return LEMAN_OK;
}

/* ---- bash: every option with a value and every command is one branch of a case statement -------- */

static const char BASH_HEAD[] =
    "# bash completion for leman; load it with: source <(leman help --completion bash)\n"
    "_leman_words()\n"
    "{\n"
    "    # The last of comma-separated words: what stands before it is kept.\n"
    "    local before=\n"
    "    [[ $word == *,* ]] && before=${word%,*},\n"
    "    COMPREPLY=($(compgen -P \"$before\" -W \"$1\" -- \"${word##*,}\"))\n"
    "}\n"
    "_leman_files()\n"
    "{\n"
    "    compopt -o filenames 2>/dev/null || true\n"
    "    local IFS=$'\\n'\n"
    "    COMPREPLY=($(compgen \"$1\" -- \"$word\"))\n"
    "}\n"
    "_leman()\n"
    "{\n"
    "    # bash cuts words at =; they are joined again, and what bash has of them is removed from the completions.\n"
    "    local i=$COMP_CWORD word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} before\n"
    "    while ((i > 1)) && [[ $word == =* || ${COMP_WORDS[i - 1]} == \"=\" ]]; do\n"
    "        word=${COMP_WORDS[--i]}$word\n"
    "    done\n"
    "    before=${COMP_WORDS[i - 1]}\n"
    "    [[ $word == --*=* ]] && before=${word%%=*} word=${word#*=}\n"
    "    COMPREPLY=()\n"
    "    _leman_complete\n"
    "    ((i < COMP_CWORD)) && [[ $word == *=* ]] && COMPREPLY=(\"${COMPREPLY[@]#\"${word%=*}=\"}\")\n"
    "    return 0\n"
    "}\n"
    "_leman_complete()\n"
    "{\n";

/* Writes the branch for the value of an option: "info:-t|info:--threads) ... ;;". */
static leman_status write_bash_row(lm_output *out, const lm_command *command, const lm_option *row)
{
    if (row->kind == LM_FLAG) return LEMAN_OK;
    PASS(lm_write_text(out, "    "));
    if (row->letter) PASS(lm_output_printf(out, "%s:-%c", command->name, row->letter));
    if (strlen(row->name) > 1)
        PASS(lm_output_printf(out, "%s%s:--%s", row->letter ? "|" : "", command->name, row->name));
    PASS(lm_write_text(out, ") "));
    if (offered(row, 0))
        PASS(write_offered(out, "_leman_words \"", row, "\""));
    else if (names_files(row))
        PASS(lm_output_printf(out, "_leman_files -%c", strcmp(row->value, "FILE") ? 'd' : 'f'));
    else
        PASS(lm_write_text(out, ":")); /* a number: no suggestions */
    return lm_write_text(out, "; return ;;\n");
}

/* Writes the branch of a command: its options after a dash, otherwise its operands. */
static leman_status write_bash_command(lm_output *out, const lm_command *command)
{
    const lm_option *row;
    PASS(lm_output_printf(out, "    %s)\n        if [[ $word == -* ]]; then\n            COMPREPLY=($(compgen -W \"",
                          command->name));
    for (lm_option_walk walk = {0}; (row = lm_option_next(command, &walk));) {
        if (row->letter) PASS(lm_output_printf(out, "-%c ", row->letter));
        if (strlen(row->name) > 1) PASS(lm_output_printf(out, "--%s ", row->name));
    }
    PASS(lm_write_text(out, "\" -- \"$word\"))\n        else\n            "));
    if (has_words(command)) {
        PASS(lm_write_text(out, "_leman_words \""));
        PASS(write_operands(out, command));
        PASS(lm_write_text(out, "\""));
    } else {
        PASS(lm_write_text(out, command->operand->name ? "_leman_files -f" : ":"));
    }
    return lm_write_text(out, "\n        fi\n        ;;\n");
}

static leman_status write_bash(lm_output *out)
{
    const lm_option *row;
    PASS(lm_write_text(out, BASH_HEAD));
    PASS(lm_write_text(out, "    if ((COMP_CWORD == 1)); then\n        COMPREPLY=($(compgen -W \"--help --version"));
    PASS(write_operands(out, &lm_command_help));
    PASS(lm_write_text(out, "\" -- \"$word\"))\n        return\n    fi\n    case $command:$before in\n"));
    for (const lm_command *const *command = lm_commands; *command; command++)
        for (lm_option_walk walk = {0}; (row = lm_option_next(*command, &walk));)
            PASS(write_bash_row(out, *command, row));
    PASS(lm_write_text(out, "    esac\n    case $command in\n"));
    for (const lm_command *const *command = lm_commands; *command; command++) PASS(write_bash_command(out, *command));
    return lm_write_text(out, "    esac\n}\ncomplete -F _leman leman\n");
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
    char words[WORDS];
    const bool named = strlen(row->name) > 1, flag = row->kind == LM_FLAG;
    short_help(row->help, words);
    for (int form = 0; form < 2; form++) {
        if (form ? !named : !row->letter) continue;
        PASS(lm_write_text(out, "            '"));
        if (row->kind == LM_TEXTS || row->kind == LM_SET || row->kind == LM_RANGES) PASS(lm_write_text(out, "*"));
        PASS(form ? lm_output_printf(out, "--%s%s", row->name, flag ? "" : "=")
                  : lm_output_printf(out, "-%c%s", row->letter, flag ? "" : "+"));
        PASS(lm_output_printf(out, "[%s]", words));
        if (!flag) PASS(lm_output_printf(out, "%s%s:", row->kind == LM_OPTIONAL ? "::" : ":", row->value));
        if (!flag && names_files(row)) {
            PASS(lm_write_text(out, strcmp(row->value, "FILE") ? "_files -/" : "_files"));
        } else if (offered(row, 0)) {
            PASS(write_offered(out, "_leman_list ", row, ""));
        }
        PASS(lm_write_text(out, "' \\\n"));
    }
    return LEMAN_OK;
}

static leman_status write_zsh_command(lm_output *out, const lm_command *command)
{
    const lm_option *row;
    PASS(lm_output_printf(out, "    %s)\n        _arguments -s -S : \\\n", command->name));
    for (lm_option_walk walk = {0}; (row = lm_option_next(command, &walk));) PASS(write_zsh_row(out, row));
    if (has_words(command)) {
        PASS(lm_output_printf(out, "            '*:%s:_leman_list", command->operand->name));
        PASS(write_operands(out, command));
        PASS(lm_write_text(out, "'"));
    } else {
        PASS(lm_write_text(out, command->operand->name ? "            '*:DATA:_files'" : "            && return"));
    }
    return lm_write_text(out, "\n        ;;\n");
}

static leman_status write_zsh(lm_output *out)
{
    char words[WORDS];
    PASS(lm_write_text(out, ZSH_HEAD));
    PASS(lm_write_text(out, "    commands=(\n"));
    for (const lm_command *const *command = lm_commands; *command; command++)
        PASS(lm_output_printf(out, "        '%s:%s'\n", (*command)->name, short_help((*command)->summary, words)));
    PASS(lm_write_text(out, "    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n"
                            "    fi\n    local command=$words[2]\n    shift words\n    ((CURRENT--))\n"
                            "    case $command in\n"));
    for (const lm_command *const *command = lm_commands; *command; command++) PASS(write_zsh_command(out, *command));
    return lm_write_text(out, "    esac\n}\ncompdef _leman leman\n");
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
    char words[WORDS];
    PASS(lm_output_printf(out, "complete -c leman -n '__fish_seen_subcommand_from %s'", command->name));
    if (row->letter) PASS(lm_output_printf(out, " -s %c", row->letter));
    if (strlen(row->name) > 1) PASS(lm_output_printf(out, " -l %s", row->name));
    if (row->kind != LM_FLAG && row->kind != LM_OPTIONAL) PASS(lm_write_text(out, names_files(row) ? " -r -F" : " -x"));
    if (offered(row, 0)) PASS(write_offered(out, " -a '(__leman_list ", row, ")'"));
    return lm_output_printf(out, " -d '%s'\n", short_help(row->help, words));
}

static leman_status write_fish_operand(lm_output *out, const lm_command *command)
{
    if (!has_words(command) && command->operand->name) return LEMAN_OK; /* a file: fish completes it */
    PASS(lm_output_printf(out, "complete -c leman -n '__fish_seen_subcommand_from %s' -f%s", command->name,
                          has_words(command) ? " -a '" : ""));
    if (has_words(command)) PASS(write_operands(out, command));
    return lm_write_text(out, has_words(command) ? "'\n" : "\n");
}

static leman_status write_fish(lm_output *out)
{
    const lm_option *row;
    char words[WORDS];
    PASS(lm_write_text(out, FISH_HEAD));
    for (const lm_command *const *command = lm_commands; *command; command++) {
        PASS(lm_output_printf(out, "complete -c leman -n __fish_use_subcommand -a %s -d '%s'\n", (*command)->name,
                              short_help((*command)->summary, words)));
        PASS(write_fish_operand(out, *command));
        for (lm_option_walk walk = {0}; (row = lm_option_next(*command, &walk));)
            PASS(write_fish_row(out, *command, row));
    }
    return LEMAN_OK;
}

leman_status lm_completion_write(lm_output *out, const char *shell)
{
    if (!strcmp(shell, "zsh")) return write_zsh(out);
    return strcmp(shell, "fish") ? write_bash(out) : write_fish(out);
}
