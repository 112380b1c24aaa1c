/* The progress bar: "reading NCI1_A.txt  [######........]  41%  3 s left", redrawn in place on standard error. */
#include "cli/bar.h"
#include "cli/output.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double PATIENCE = 0.3; /* seconds before the first bar */

lm_bar lm_bar_new(bool quiet)
{
    const char *terminal = getenv("TERM");
    bool moves = terminal && *terminal && strcmp(terminal, "dumb");
    return (lm_bar){.wanted = !quiet && moves && isatty(STDERR_FILENO)};
}

static size_t columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || !size.ws_col ? 80 : size.ws_col;
}

/* How far: the bar itself where the end is known, else a count. */
static void describe(const leman_progress *p, char *text, size_t size)
{
    enum { CELLS = 24 };
    char cells[CELLS + 1], time[LM_NUMBER_TEXT], count[LM_NUMBER_TEXT];
    if (!p->total) {
        snprintf(text, size, "%s  %s", lm_count_text(p->done, count), lm_seconds_text(p->seconds, time));
        return;
    }
    double part = p->done < p->total ? (double)p->done / (double)p->total : 1;
    for (int i = 0; i < CELLS; i++) cells[i] = (i + 1) <= part * CELLS ? '#' : '.';
    cells[CELLS] = 0;
    int used = snprintf(text, size, "[%s] %3.0f%%", cells, 100 * part);
    if (part > 0 && part < 1 && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "  %s left", lm_seconds_text(p->seconds * (1 - part) / part, time));
}

void lm_bar_draw(lm_bar *bar, const leman_progress *progress)
{
    char how_far[128];
    if (!bar->wanted || progress->seconds < PATIENCE) return;
    describe(progress, how_far, sizeof how_far);
    size_t width = columns(), taken = strlen(how_far) + 3;
    int room = width > taken ? (int)(width - taken) : 0;
    fprintf(stderr, "\r\033[K%.*s  %s", room, progress->task, how_far);
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
