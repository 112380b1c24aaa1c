/* The page about training: what its files share. */
#ifndef LM_TRAINING_PAGE_H
#define LM_TRAINING_PAGE_H

#include "base/context.h"
#include "base/file.h"
#include "nn/network.h"
#include "report/chart.h"

typedef struct lm_training_page {
    leman_context *ctx;
    lm_output *out;
    const leman_shape *data;
    const leman_network_shape *network;
    const leman_network *with; /* how it was trained, where that is known */
    const leman_history *history;
    const leman_runs *runs; /* all of them, of which history is the best; NULL: one run */
    const leman_parts *parts;
    const char *command; /* or NULL */
    /* The graphs that are shown: the test part, or the validation part where there is none. */
    bool tested;
    const leman_dataset *shown;
    double *output;             /* [graphs shown][outputs] predictions of the network */
    double baseline, low, high; /* what a constant scores, the interval of the accuracy (NAN of an error) */
    uint64_t seed, data_checksum;
} lm_training_page;

/* "test", or "validation" where there is no test part. */
const char *lm_training_part(const lm_training_page *page);
/* Classes, or labels of tasks: errors are percentages. */
bool lm_training_in_percent(const lm_training_page *page);
/* A chart of some series against epochs; errors and losses are never below 0. */
void lm_training_figure(lm_output *out, const char *heading, lm_chart *chart, double epochs, const char *caption);

/* Of several runs (training_runs.c): the headline, and a section with a table and the curves of all. */
void lm_training_runs_head(const lm_training_page *page, const char *name);
leman_status lm_training_runs_section(const lm_training_page *page);

#endif
