/* Predictions of any model for the graphs of a data set: one struct, one writer. */
#ifndef LM_CLI_PREDICTIONS_H
#define LM_CLI_PREDICTIONS_H

#include "cli/work.h"

typedef struct lm_predictions {
    const leman_dataset *data;
    size_t graphs;

    const int64_t *label;          /* [graphs] the predicted classes; NULL: values are predicted */
    const int64_t *class_label;    /* [outputs] the classes; NULL: values are predicted */
    const char *const *class_name; /* [outputs] "" for a class that is no word; NULL: none is */
    const char *const *task;       /* [outputs] else: which tasks, each with its probability; NULL: targets */
    const size_t *target;          /* [outputs] else: which targets */
    bool single;                   /* a column and a key "value" instead of a list of targets */

    size_t outputs;
    const double *output;            /* [graphs][outputs]: the probability of each class, or each value */
    const double *score;             /* [graphs] the decision value of the predicted class, or NULL */
    const double *out_of_vocabulary; /* [graphs] the share of a graph that the model does not know, or NULL */

    bool network; /* out of vocabulary are labels and types of tuples, not features */

    const void *shape; /* of the model */
    void (*describe)(lm_json *json, json_t *parent, const void *shape);
} lm_predictions;

/* Endings of files of predictions: CSV, TSV, JSON; CSV without an ending. */
extern const char *const LM_PREDICTION_ENDINGS[];

/* To --output, by its ending, or to standard output; with --json the rest goes to standard output, and the predictions
 * too where they have no file. The log has accuracy or error where the data has what was predicted. */
leman_status lm_predictions_write(lm_work *work, const lm_predictions *predictions);

#endif
