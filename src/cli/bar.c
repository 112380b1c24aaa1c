/* The progress bar: "reading NCI1_A.txt  [######........]  41%  3 s left", redrawn in place on standard error. */
#include "cli/bar.h"
#include "base/context.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/process.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MIN_CELLS = 4, MAX_CELLS = 24 };
static const double PATIENCE = 0.3; /* seconds before the first bar */

lm_bar lm_bar_new(bool quiet)
{
    const char *terminal = getenv("TERM");
    bool moves = terminal && *terminal && strcmp(terminal, "dumb");
    return (lm_bar){.wanted = !quiet && moves && isatty(STDERR_FILENO)};
}

/* Writes what is done: a percentage and the time left if the total is known, otherwise a count. */
static void describe(const leman_progress *p, double part, char *text, size_t size)
{
    if (!p->total) {
        snprintf(text, size, "%s  %s", COUNT_TEXT(p->done), SECONDS_TEXT(p->seconds));
        return;
    }
    int used = lm_snprintf(text, size, "%3.0f%%", 100 * part);
    if (part > 0 && part < 1 && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "  %s left", SECONDS_TEXT(p->seconds * (1 - part) / part));
}

/* Writes "[####....] ", as wide as fits beside the words, or nothing if the total is not known. */
static void draw_cells(const leman_progress *p, double part, size_t space, char *text)
{
    const size_t cells = space < MIN_CELLS + 3 || !p->total ? 0 : space - 3 < MAX_CELLS ? space - 3 : MAX_CELLS;
    *text = 0;
    if (!cells) return;
    *text++ = '[';
    for (size_t i = 0; i < cells; i++) *text++ = (double)(i + 1) <= part * (double)cells ? '#' : '.';
    memcpy(text, "] ", sizeof "] ");
}

void lm_bar_part(lm_bar *bar, size_t at, size_t count)
{
    const double began = at ? bar->parts.began : lm_now();
    memset(&bar->parts, 0, sizeof bar->parts);
    bar->parts.count = count;
    bar->parts.at = at;
    bar->parts.began = began;
    bar->parts.rest = 1;
}

/*
 * Returns the fraction of the whole run that is done. The number of stages of a part (colouring, then training) is not
 * known, so each stage gets half of what is left of its part. The fraction therefore never decreases.
 */
static double share_of_run(lm_bar *bar, const leman_progress *p, double part)
{
    if (p->total != bar->parts.total || p->done < bar->parts.done) { /* a new stage */
        const double taken = bar->parts.total ? bar->parts.rest / 2 : 0;
        bar->parts.before += taken;
        bar->parts.rest -= taken;
    }
    bar->parts.total = p->total;
    bar->parts.done = p->done;
    const double own = bar->parts.before + (p->total ? part * bar->parts.rest / 2 : 0);
    return ((double)bar->parts.at + own) / (double)bar->parts.count;
}

void lm_bar_draw(lm_bar *bar, const leman_progress *given)
{
    leman_progress shown = *given, *progress = &shown;
    double part = given->done < given->total ? (double)given->done / (double)given->total : 1;
    char how_far[64], cells[MAX_CELLS + 4];
    if (bar->parts.count > 1) {
        part = share_of_run(bar, given, part);
        shown.seconds = lm_now() - bar->parts.began;
    }
    if (progress->total && progress->done >= progress->total) { /* a complete task has no bar */
        lm_bar_clear(bar);
        return;
    }
    if (!bar->wanted || progress->seconds < PATIENCE) return;
    describe(progress, part, how_far, sizeof how_far);
    const size_t width = lm_process_columns(), taken = strlen(how_far) + 3, words = strlen(progress->task);
    const size_t space = width > taken ? width - taken : 0;
    draw_cells(progress, part, space > words ? space - words : 0, cells);
    fprintf(stderr, "\r\033[K%.*s  %s%s", (int)space, progress->task, cells, how_far);
    fflush(stderr);
    bar->drawn = true;
}

void lm_bar_clear(lm_bar *bar)
{
    if (!bar->drawn) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    bar->drawn = false;
}
