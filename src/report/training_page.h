/* The page about a run of training: what its parts share. */
#ifndef LM_TRAINING_PAGE_H
#define LM_TRAINING_PAGE_H

#include "base/context.h"
#include "report/chart.h"
#include "report/page.h"

typedef struct lm_training_page {
    leman_context *ctx;
    lm_output *out;
    const leman_shape *data;
    leman_network_shape network;
    const leman_history *history;
    const leman_parts *parts;
    const char *command; /* or NULL */
    /* The graphs that are shown: the test part, or the validation part where there is none. */
    bool tested;
    const leman_dataset *shown;
    double *output; /* [graphs shown][outputs] as the network answers */
    uint64_t seed, data_checksum;
} lm_training_page;

/* Its figures, training_figures.c. */
leman_status lm_training_curves(const lm_training_page *page);
/* Predicted against true targets; or what is taken for what. */
leman_status lm_training_answers(const lm_training_page *page);

#endif
