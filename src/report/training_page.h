/* Data that the files of the training page share. */
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
    const leman_network *with; /* how the network was trained, if known */
    const leman_history *history;
    const leman_runs *runs; /* all runs, of which `history` is the best; NULL: one run */
    const leman_parts *parts;
    const char *command; /* may be NULL */
    /* The graphs that are shown: the test part, or the validation part if there is no test part. */
    bool tested;
    const leman_dataset *shown;
    double *output;             /* [graphs shown][outputs] predictions of the network */
    double baseline, low, high; /* score of a constant prediction; interval of the accuracy (NAN for errors) */
    uint64_t seed, data_checksum;
} lm_training_page;

/* Returns "test", or "validation" if there is no test part. */
const char *lm_training_part(const lm_training_page *page);
/* Returns true if the network predicts classes or labels of tasks, so that errors are percentages. */
bool lm_training_in_percent(const lm_training_page *page);
/* Returns the line of a number of every epoch of a history; `value` is that of the first epoch. */
lm_series lm_training_line(const char *name, const leman_history *history, const double *value, unsigned style);
/* Writes a figure of the series by epoch, from 1 to `epochs`. The y axis does not go below 0. */
void lm_training_figure(lm_output *out, const char *heading, lm_chart chart, const lm_series *series, size_t count,
                        double epochs, const char *caption);

/* Writes the headline for several runs (training_runs.c); `name` is that of the network. */
void lm_training_runs_head(const lm_training_page *page, const char *name);
/* Writes the section about several runs: a table, and the curves of all runs. */
leman_status lm_training_runs_section(const lm_training_page *page);

#endif
