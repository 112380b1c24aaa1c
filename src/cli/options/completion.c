/*
 * Writes the bash script that completes command lines: commands, then options, then the values of the option before the
 * cursor (words, comma-separated words, files), then operands. Every option with a value and every command is one
 * branch of a case statement.
 */
#include "cli/commands.h"
#include <string.h>

static const char HEAD[] =
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

static leman_status write_words(lm_output *out, const char *const *words)
{
    leman_status st = LEMAN_OK;
    words = lm_choices_named(words);
    for (size_t i = 0; words[i]; i++) TRY(lm_output_printf(out, "%s%s", i ? " " : "", words[i]));
done:
    return st;
}

/* Writes the branch for the value of an option: "info:-t|info:--threads) ... ;;". */
static leman_status write_value(lm_output *out, const lm_command *command, const lm_option *row)
{
    leman_status st = LEMAN_OK;
    if (row->kind == LM_FLAG) goto done;
    TRY(lm_write_text(out, "    "));
    if (row->letter) TRY(lm_output_printf(out, "%s:-%c", command->name, row->letter));
    if (strlen(row->name) > 1)
        TRY(lm_output_printf(out, "%s%s:--%s", row->letter ? "|" : "", command->name, row->name));
    TRY(lm_write_text(out, ") "));
    if (row->choices) {
        TRY(lm_write_text(out, "_leman_words \""));
        TRY(write_words(out, row->choices));
        TRY(lm_write_text(out, "\""));
    } else if (row->suggestion) {
        TRY(lm_write_text(out, "_leman_words \""));
        for (size_t i = 0; row->suggestion(i); i++)
            TRY(lm_output_printf(out, "%s%s", i ? " " : "", row->suggestion(i)));
        TRY(lm_write_text(out, "\""));
    } else if (!strcmp(row->value, "FILE") || !strcmp(row->value, "FOLDER")) {
        TRY(lm_output_printf(out, "_leman_files -%c", strcmp(row->value, "FILE") ? 'd' : 'f'));
    } else {
        TRY(lm_write_text(out, ":")); /* a number: no suggestions */
    }
    TRY(lm_write_text(out, "; return ;;\n"));
done:
    return st;
}

/* Writes the branch of a command: its options after a dash, otherwise its operands. */
static leman_status write_command(lm_output *out, const lm_command *command)
{
    leman_status st = LEMAN_OK;
    const lm_option *row;
    TRY(lm_output_printf(out, "    %s)\n        if [[ $word == -* ]]; then\n            COMPREPLY=($(compgen -W \"",
                         command->name));
    for (lm_option_walk walk = {0}; (row = lm_option_next(command, &walk));) {
        if (row->letter) TRY(lm_output_printf(out, "-%c ", row->letter));
        if (strlen(row->name) > 1) TRY(lm_output_printf(out, "--%s ", row->name));
    }
    TRY(lm_write_text(out, "\" -- \"$word\"))\n        else\n            "));
    const lm_operand *operand = command->operand;
    if (command == &lm_command_help) {
        TRY(lm_write_text(out, "_leman_words \"$commands\""));
    } else if (operand->choices) {
        TRY(lm_write_text(out, "_leman_words \""));
        TRY(write_words(out, operand->choices));
        TRY(lm_write_text(out, "\""));
    } else {
        TRY(lm_write_text(out, operand->name ? "_leman_files -f" : ":"));
    }
    TRY(lm_write_text(out, "\n        fi\n        ;;\n"));
done:
    return st;
}

static leman_status write_bash(lm_output *out)
{
    leman_status st = LEMAN_OK;
    const lm_option *row;
    TRY(lm_write_text(out, HEAD));
    TRY(lm_write_text(out, "    local commands=\""));
    for (const lm_command *const *command = lm_commands; *command; command++)
        TRY(lm_output_printf(out, "%s%s", command == lm_commands ? "" : " ", (*command)->name));
    TRY(lm_write_text(out, "\"\n    if ((COMP_CWORD == 1)); then\n        COMPREPLY=($(compgen -W \"$commands --help "
                           "--version\" -- \"$word\"))\n        return\n    fi\n    case $command:$before in\n"));
    for (const lm_command *const *command = lm_commands; *command; command++)
        for (lm_option_walk walk = {0}; (row = lm_option_next(*command, &walk));) TRY(write_value(out, *command, row));
    TRY(lm_write_text(out, "    esac\n    case $command in\n"));
    for (const lm_command *const *command = lm_commands; *command; command++) TRY(write_command(out, *command));
    TRY(lm_write_text(out, "    esac\n}\ncomplete -F _leman leman\n"));
done:
    return st;
}

leman_status lm_completion_write(lm_output *out, const char *shell)
{
    if (!strcmp(shell, "zsh")) return lm_completion_zsh(out);
    return strcmp(shell, "fish") ? write_bash(out) : lm_completion_fish(out);
}
