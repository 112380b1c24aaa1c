/* --sample-weights and --censored: options about single graphs, which are taken from columns of DATA. */
#ifndef LM_CLI_GRAPH_OPTIONS_H
#define LM_CLI_GRAPH_OPTIONS_H

#include "cli/options/kernels.h"

typedef struct lm_graph_options {
    const char *sample_weights; /* a column; NULL: none */
    bool censored;
} lm_graph_options;

/* Prepares the next lm_work_read(): bounds are read, and, for messages about weights, *rows. */
void lm_graph_options_before(lm_work *work, const lm_graph_options *options, leman_rows **rows);
/* Sets *weight, [graphs] in scratch, to the column of --sample-weights, or to NULL. target[targets] are the columns that
 * are learned, none for classes. Graphs for which nothing is learned need no weight. rows may be NULL. */
leman_status lm_graph_weights(lm_work *work, const lm_graph_options *options, const leman_dataset *data,
                              const leman_rows *rows, const size_t *target, size_t targets, const double **weight);
/* With --censored, sets *bound, [targets][graphs] in scratch, to the bounds that the reader found; NULL: there are none, which
 * is logged. */
leman_status lm_graph_bounds(lm_work *work, const lm_graph_options *options, const leman_dataset *data,
                             const size_t *target, size_t targets, const int8_t **bound);

#endif
