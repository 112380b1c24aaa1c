/* Writes man pages in roff, leman(1) and leman-COMMAND(1), from the same tables as the help. */
#include "base/ascii.h"
#include "cli/commands.h"
#include <string.h>

/* Returns the escape of a character that is special to roff, or NULL. */
static const char *escaped(char character, bool line_begins)
{
    switch (character) {
    case '-': return "\\-";
    case '\\': return "\\e";
    case '~': return "\\(ti";
    case '^': return "\\(ha";
    case '\'': return "\\(aq";
    case '.': return line_begins ? "\\&." : NULL;
    default: return NULL;
    }
}

/* Writes text as roff: dashes stay dashes, no line becomes a control line, and an empty line starts a paragraph. */
static leman_status write_roff(lm_output *out, const char *text)
{
    bool line_begins = true;
    for (; *text; text++) {
        if (!strncmp(text, "\n\n", 2)) {
            PASS(lm_write_text(out, "\n.PP\n"));
            text++;
            line_begins = true;
            continue;
        }
        const char *escape = escaped(*text, line_begins);
        PASS(escape ? lm_write_text(out, escape) : lm_output_write(out, text, 1));
        line_begins = *text == '\n';
    }
    return LEMAN_OK;
}

static leman_status write_line(lm_output *out, const char *before, const char *text, const char *behind)
{
    PASS(lm_write_text(out, before));
    PASS(write_roff(out, text));
    return lm_write_text(out, behind);
}

static leman_status write_row(lm_output *out, const lm_option *row)
{
    const char letter[] = {row->letter, 0};
    char help[1024];
    bool named = strlen(row->name) > 1;
    PASS(lm_write_text(out, ".TP\n"));
    if (row->letter) PASS(write_line(out, "\\fB\\-", letter, named ? "\\fR, " : "\\fR"));
    if (named) PASS(write_line(out, "\\fB\\-\\-", row->name, "\\fR"));
    bool optional = row->kind == LM_OPTIONAL;
    if (row->value) PASS(write_line(out, optional ? " [\\fI" : " \\fI", row->value, optional ? "\\fR]" : "\\fR"));
    return write_line(out, "\n", lm_option_help(row, help, sizeof help), ".\n");
}

static leman_status write_upper(lm_output *out, const char *text)
{
    for (; *text; text++) PASS(lm_output_printf(out, "%c", lm_upper(*text)));
    return LEMAN_OK;
}

static leman_status write_head(lm_output *out, const char *name, const char *summary)
{
    PASS(lm_write_text(out, ".TH LEMAN"));
    if (*name) PASS(lm_write_text(out, "\\-"));
    PASS(write_upper(out, name));
    PASS(lm_output_printf(out, " 1 \"\" \"leman %s\" \"User commands\"\n.SH NAME\nleman%s%s \\- ", leman_version(),
                          *name ? "\\-" : "", name));
    return write_line(out, "", summary, "\n.SH SYNOPSIS\n");
}

static leman_status write_examples(lm_output *out, const lm_example *examples)
{
    PASS(lm_write_text(out, ".SH EXAMPLES\n"));
    for (size_t i = 0; i < LM_EXAMPLES && examples[i].line; i++) {
        PASS(write_line(out, ".TP\n\\fB", examples[i].line, "\\fR\n"));
        PASS(write_line(out, "", examples[i].what, ".\n"));
    }
    return write_line(out, ".SH EXIT STATUS\n", strchr(LM_EXIT_TEXT, ' ') + strlen(" status: "), "\n");
}

static leman_status write_command(lm_output *out, const lm_command *command)
{
    PASS(write_head(out, command->name, command->summary));
    PASS(lm_output_printf(out, "\\fBleman %s\\fR [\\fIOPTION\\fR]...", command->name));
    for (size_t i = 0; i < LM_OPERANDS && command->operand[i].name; i++)
        PASS(lm_output_printf(out, i < command->required ? " \\fI%s\\fR" : " [\\fI%s\\fR]", command->operand[i].name));
    PASS(write_line(out, "\n.SH DESCRIPTION\n", command->description, "\n.SH OPTIONS\n"));
    for (size_t i = 0; i < LM_GROUPS && command->groups[i].rows; i++) {
        PASS(lm_output_printf(out, ".SS %s\n", command->groups[i].title));
        for (const lm_option *row = command->groups[i].rows; row->name; row++) PASS(write_row(out, row));
    }
    PASS(write_examples(out, command->examples));
    return lm_write_text(out, ".SH SEE ALSO\n.BR leman (1)\n");
}

static leman_status write_program(lm_output *out)
{
    PASS(write_head(out, "", "sparse higher-order Weisfeiler-Leman on data sets of graphs"));
    PASS(lm_write_text(out, "\\fBleman\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIOPERAND\\fR]...\n"));
    PASS(write_line(out, ".SH DESCRIPTION\n", LM_HELP_ABOUT, "\n.SH COMMANDS\n"));
    for (const lm_command *const *command = lm_commands; *command; command++) {
        PASS(lm_output_printf(out, ".TP\n\\fB%s\\fR\n", (*command)->name));
        PASS(write_line(out, "", (*command)->summary, ".\n"));
    }
    PASS(lm_write_text(out, ".SH OPTIONS OF EVERY COMMAND\n"));
    for (const lm_option *row = LM_GENERAL_OPTIONS; row->name; row++) PASS(write_row(out, row));
    for (const lm_section *section = LM_SECTIONS; section->title; section++) {
        PASS(lm_write_text(out, ".SH "));
        PASS(write_upper(out, section->title));
        PASS(write_line(out, "\n", section->text, "\n"));
    }
    PASS(write_examples(out, LM_EXAMPLES_OF_ALL));
    PASS(lm_write_text(out, ".SH SEE ALSO\n"));
    for (const lm_command *const *command = lm_commands; *command; command++)
        PASS(lm_output_printf(out, ".BR leman\\-%s (1)%s\n", (*command)->name, command[1] ? "," : ""));
    return LEMAN_OK;
}

leman_status lm_man_write(lm_output *out, const lm_command *command)
{
    return command ? write_command(out, command) : write_program(out);
}
