/* leman reproduce: what was asked, the cells that came out, and the forms in which they are shown. */
#ifndef LM_CLI_REPRODUCTION_H
#define LM_CLI_REPRODUCTION_H

#include "cli/work.h"
#include "learn/cells.h"

enum { LM_TABLE_KERNELS = 1, LM_TABLE_TIMES = 2, LM_TABLE_OVERFITTING = 4 }; /* bits */

typedef struct lm_reproduce_options {
    lm_common common;
    uint64_t tables, sets, methods; /* bits of the choices; 0: not given */
    uint64_t repetitions;
    double limit;
    const char *data, *resume;
    bool offline, finished;
} lm_reproduce_options;

typedef struct lm_reproduction {
    uint64_t tables, sets, methods; /* bits of lm_paper_set and lm_paper_method */
    uint64_t repetitions, seed;
    const char *command, *resume; /* the line that was typed; the file of finished cells, or NULL */
    bool finished;                /* nothing was computed */
    int threads;
    lm_cell cell[LM_MEASURES][LM_PAPER_METHODS][LM_PAPER_SETS];
    char missing[LM_PAPER_SETS][LM_CELL_NOTE]; /* why there is no data; "": there is, or nobody looked */
} lm_reproduction;

/* Does some table show this cell? */
bool lm_reproduction_shows(const lm_reproduction *r, lm_measure measure, lm_paper_method method, lm_paper_set set);

/* Fills the cells: from the file of --resume, and otherwise by computing them, set after set (reproduce_cells.c). */
leman_status lm_reproduction_fill(lm_work *work, const lm_reproduce_options *asked, lm_reproduction *r);

/* The page in Markdown or HTML (reproduce_page.c). */
leman_status lm_reproduction_page(const lm_reproduction *r, bool html, lm_output *out);
/* Its pictures (reproduce_figures.c): the headline, all cells at once, and the figures of TEST, TRAIN or SECONDS
 * in a <div> that stays open for what stands beside them. */
void lm_reproduction_head(const lm_reproduction *r, lm_output *out);
void lm_reproduction_overview(const lm_reproduction *r, lm_output *out);
void lm_reproduction_figures(const lm_reproduction *r, lm_paper_part part, lm_output *out);
/* One object with everything (reproduce_json.c). */
leman_status lm_reproduction_json(leman_context *ctx, const lm_reproduction *r, lm_output *out);

/* Ours less theirs, where both are numbers, else NAN. SECONDS and RATIO: theirs over ours, where theirs is no misprint.
 */
double lm_reproduction_difference(const lm_reproduction *r, lm_paper_part part, lm_paper_method method,
                                  lm_paper_set set);
/* Our figure for a part, NAN where there is none. */
double lm_reproduction_value(const lm_reproduction *r, lm_paper_part part, lm_paper_method method, lm_paper_set set);
/* The cell that it comes from. */
const lm_cell *lm_reproduction_cell(const lm_reproduction *r, lm_paper_part part, lm_paper_method method,
                                    lm_paper_set set);
/* The checksum of the data behind the cells of a set; 0: there are none. *several: they do not all have the same. */
uint64_t lm_reproduction_data(const lm_reproduction *r, lm_paper_set set, bool *several);
/* Why the published figures of a method are not those of the definition, in one sentence; NULL: they are. */
const char *lm_reproduction_remark(lm_paper_method method);

#endif
