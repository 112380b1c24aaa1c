/* A progress bar on a terminal, silence elsewhere. */
#ifndef LM_BAR_H
#define LM_BAR_H

#include "leman.h"

typedef struct lm_bar {
    bool wanted; /* standard error is a terminal that can move its cursor */
    bool drawn;  /* a bar stands on the current line */
    struct {     /* a run of several parts, counted as one; count is 0 where there is only one */
        size_t count, at;
        double began;         /* lm_now() at the first */
        uint64_t done, total; /* of the stage of this part that was drawn last */
        double before, rest;  /* shares of this part: what earlier stages took, what is left for this one and later */
    } parts;
} lm_bar;

lm_bar lm_bar_new(bool quiet);
/* One line: the task, how far it is, and about how long it will still take. Work that is soon done shows nothing, and
 * what is done neither. */
void lm_bar_draw(lm_bar *bar, const leman_progress *progress);
/* From here on it is part `at`, from 0, of `count`: all count the same, and share and time left are those of all. */
void lm_bar_part(lm_bar *bar, size_t at, size_t count);
/* Empties the line; before anything else is written to standard error, and at the end. */
void lm_bar_clear(lm_bar *bar);

#endif
