/* A progress bar. It is shown on a terminal and nowhere else. */
#ifndef LM_BAR_H
#define LM_BAR_H

#include "leman.h"

typedef struct lm_bar {
    bool wanted; /* standard error is a terminal that can move its cursor */
    bool drawn;  /* the current line of the terminal shows a bar */
    struct {     /* a run of several parts with one common bar; count is 0 for a single part */
        size_t count, at;
        double began;         /* lm_now() at the start of the first part */
        uint64_t done, total; /* of the stage of this part that was drawn last */
        double before, rest;  /* fractions of this part: done by earlier stages, left for this and later stages */
    } parts;
} lm_bar;

lm_bar lm_bar_new(bool quiet);
/* Draws one line: the task, how much of it is done, and about how much time is left. Nothing is shown during the first
 * 0.3 seconds or when the task is complete. */
void lm_bar_draw(lm_bar *bar, const leman_progress *progress);
/* Starts part `at`, counted from 0, of `count`. All parts have the same share of the bar; percentage and time left are
 * those of all parts. */
void lm_bar_part(lm_bar *bar, size_t at, size_t count);
/* Erases the line. Call it at the end, and before anything else is written to standard error. */
void lm_bar_clear(lm_bar *bar);

#endif
