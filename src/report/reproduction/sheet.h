/* Pages that are written as Markdown and as HTML by the same calls: sections, paragraphs, tables, lists. */
#ifndef LM_SHEET_H
#define LM_SHEET_H

#include "base/file.h"

enum { LM_SHEET_TEXT = 1200 };

typedef struct lm_sheet {
    lm_output *out;
    bool html;
    bool head;    /* the row at hand is the first of its table */
    bool listing; /* a list is open */
    bool section; /* a section is open */
    bool beside;  /* the next table stands beside a chart */
    size_t cells;
} lm_sheet;

/* text[LM_SHEET_TEXT] <- a formatted text. */
__attribute__((format(printf, 2, 3))) const char *lm_sheet_text(char *text, const char *format, ...);
/* Begins a section, and ends the one before; ends it. */
void lm_sheet_heading(lm_sheet *s, const char *text);
void lm_sheet_section_end(lm_sheet *s);
void lm_sheet_paragraph(lm_sheet *s, const char *text);
/* A property of the run: a row of a table, or a line behind the last one. */
void lm_sheet_property(lm_sheet *s, const char *name, const char *text);
/* An item of a list, which the first one opens. */
void lm_sheet_item(lm_sheet *s, const char *mark, const char *text);
void lm_sheet_list_end(lm_sheet *s);
void lm_sheet_table_begin(lm_sheet *s);
/* name: of a class of rows. */
void lm_sheet_row_begin(lm_sheet *s, const char *name);
/* The first two cells of a row say what it is; the others are numbers. */
void lm_sheet_cell(lm_sheet *s, const char *text);
void lm_sheet_row_end(lm_sheet *s);
void lm_sheet_table_end(lm_sheet *s);

#endif
