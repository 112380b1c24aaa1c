/* A progress bar on a terminal, silence elsewhere. */
#ifndef LM_BAR_H
#define LM_BAR_H

#include "leman.h"

typedef struct lm_bar {
    bool wanted; /* standard error is a terminal that can move its cursor */
    bool drawn;  /* a bar stands on the current line */
} lm_bar;

lm_bar lm_bar_new(bool quiet);
/* One line: the task, how far it is, and about how long it will still take. Work that is soon done shows nothing, and
 * what is done neither. */
void lm_bar_draw(lm_bar *bar, const leman_progress *progress);
/* Empties the line; before anything else is written to standard error, and at the end. */
void lm_bar_clear(lm_bar *bar);

#endif
