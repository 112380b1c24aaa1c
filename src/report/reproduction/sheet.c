/* Sections, tables and lists of a page, as Markdown or HTML: sheet.h. */
#include "report/reproduction/sheet.h"
#include "base/text.h"
#include "report/page.h"
#include <stdarg.h>
#include <stdio.h>

void lm_sheet_section_end(lm_sheet *s)
{
    if (s->section) lm_page(s->out, "</section>\n");
    s->section = false;
}

/* Begins a section. */
void lm_sheet_heading(lm_sheet *s, const char *text)
{
    lm_sheet_section_end(s);
    s->section = s->html;
    if (s->html)
        lm_page(s->out, "<section>\n<h2>%s</h2>\n", text);
    else
        lm_output_printf(s->out, "\n## %s\n", text);
}

/* text[LM_SHEET_TEXT] <- a formatted text. */
const char *lm_sheet_text(char *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    lm_vsnprintf(text, LM_SHEET_TEXT, format, arguments);
    va_end(arguments);
    return text;
}

void lm_sheet_paragraph(lm_sheet *s, const char *text)
{
    if (s->html)
        lm_page(s->out, "<p>%s</p>\n", text);
    else
        lm_output_printf(s->out, "\n%s\n", text);
}

/* A property of the run: a row of a table, or a line behind the last one. */
void lm_sheet_property(lm_sheet *s, const char *name, const char *text)
{
    if (s->html)
        lm_page_row(s->out, name, text);
    else
        lm_output_printf(s->out, "    %s: %s\n", name, text);
}

/* An item of a list, which the first one opens. */
void lm_sheet_item(lm_sheet *s, const char *mark, const char *text)
{
    if (s->html)
        lm_page(s->out, s->listing ? "<li>%s: %s.</li>\n" : "<ul class=\"notes\">\n<li>%s: %s.</li>\n", mark, text);
    else
        lm_output_printf(s->out, s->listing ? "- %s: %s.\n" : "\n- %s: %s.\n", mark, text);
    s->listing = true;
}

void lm_sheet_list_end(lm_sheet *s)
{
    if (s->listing && s->html) lm_page(s->out, "</ul>\n");
    s->listing = false;
}

void lm_sheet_table_begin(lm_sheet *s)
{
    s->head = true;
    if (s->html)
        lm_page(s->out, "<div class=\"table\"><table class=\"cells\">\n");
    else
        lm_output_printf(s->out, "\n");
}

/* name: of a class of rows. */
void lm_sheet_row_begin(lm_sheet *s, const char *name)
{
    s->cells = 0;
    if (s->html)
        lm_page(s->out, s->head ? "<thead><tr>" : "<tr class=\"%s\">", name);
    else
        lm_output_printf(s->out, "|");
}

/* The first two cells of a row say what it is; the others are numbers. */
void lm_sheet_cell(lm_sheet *s, const char *text)
{
    bool words = s->cells++ < 2;
    if (!s->html)
        lm_output_printf(s->out, " %s |", text);
    else if (s->head || words)
        lm_page(s->out, "<th scope=\"%s\">%s</th>", s->head ? "col" : "row", text);
    else
        lm_page(s->out, "<td>%s</td>", text);
}

void lm_sheet_row_end(lm_sheet *s)
{
    if (s->html) {
        lm_page(s->out, s->head ? "</tr></thead><tbody>\n" : "</tr>\n");
    } else {
        lm_output_printf(s->out, "\n");
        for (size_t i = 0; s->head && i < s->cells; i++) lm_output_printf(s->out, i < 2 ? "|---" : "|---:");
        if (s->head) lm_output_printf(s->out, "|\n");
    }
    s->head = false;
}

void lm_sheet_table_end(lm_sheet *s)
{
    if (s->html) lm_page(s->out, s->beside ? "</tbody></table></div>\n</div>\n" : "</tbody></table></div>\n");
    s->beside = false;
}
