/* The style sheet of pages. */
#ifndef LM_PAGE_STYLE_H
#define LM_PAGE_STYLE_H

enum { LM_PAGE_COLORS = 8 }; /* classes c0 .. c7 of the style sheet, safe for every kind of colour vision */

/* Pieces of CSS, ended by NULL. */
extern const char *const LM_PAGE_STYLE[];

#endif
