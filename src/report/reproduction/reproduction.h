/* The published tables computed again: options, cells, and the charts of the page. */
#ifndef LM_REPRODUCTION_H
#define LM_REPRODUCTION_H

#include "learn/cells.h"

enum { LM_CELL_QUANTITIES = 2 }; /* accuracies and seconds */

struct leman_reproduction {
    lm_allocator allocator;
    uint64_t tables, sets, methods; /* bits */
    uint64_t repetitions, seed;
    double time_limit;
    int threads;
    char *path;         /* the file of finished cells, or NULL */
    bool finished_only; /* nothing is computed */
    lm_cells finished;
    leman_cell cell[LM_CELL_QUANTITIES][LEMAN_PAPER_METHOD_COUNT][LEMAN_PAPER_SET_COUNT];
    char missing[LEMAN_PAPER_SET_COUNT][sizeof((leman_cell *)0)->note]; /* why there is no data; "": there is, or nobody
                                                                           looked */
};

/* Is a training accuracy published for the method? */
bool lm_reproduction_trained(leman_paper_method method);

/* The charts of the page (reproduction_charts.c): the headline, all cells at once, and those of TEST, TRAIN or SECONDS
 * in a <div> that stays open for what stands beside them. */
void lm_reproduction_head(const leman_reproduction *r, lm_output *out);
void lm_reproduction_overview(const leman_reproduction *r, lm_output *out);
void lm_reproduction_charts(const leman_reproduction *r, leman_paper_quantity quantity, lm_output *out);

#endif
