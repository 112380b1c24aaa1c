/* Predictions of any model for the graphs of a data set, and the function that writes them. */
#ifndef LM_CLI_PREDICTIONS_H
#define LM_CLI_PREDICTIONS_H

#include "cli/explain/explanations.h"

typedef struct lm_predictions {
    const leman_dataset *data; /* with a graph for each row of predictions */
    size_t graphs;
    const leman_rows *rows;    /* of the file of molecules; NULL: another file, or rows of another level */
    leman_level level;         /* what the rows are */
    const leman_dataset *from; /* level vertex or edge: the data whose vertices or arcs are the rows */

    const int64_t *label;          /* [graphs] predicted classes; NULL: values are predicted */
    const int64_t *class_label;    /* [outputs] the classes; NULL: tasks or values */
    const char *const *class_name; /* [outputs] names of classes, "" for a class without one; or NULL */
    const char *const *task;       /* [outputs] names of tasks, whose outputs are probabilities; or NULL */
    const int64_t *task_label;     /* [outputs][2] the two classes of each task; or NULL */
    const size_t *target;          /* [outputs] columns of the targets, if values are predicted */
    const char *const *column; /* names of the columns that were learned: one of classes, [outputs] of values; NULL, or
                                    * elements NULL or "": without a name */
    bool single;               /* a column or key "value" instead of a list of targets */

    size_t outputs;
    const double *output;            /* [graphs][outputs] probability of each class or task, or each value */
    const double *std;               /* [graphs] standard deviation of the value, or NULL */
    const double *score;             /* [graphs] decision value of the predicted class, or NULL */
    const double *out_of_vocabulary; /* [graphs] share of a graph that the model does not know, or NULL */
    const double *similarity;        /* [graphs] to the nearest training graphs, NAN: unknown; or NULL */
    const double *domain;            /* [graphs] how far a graph is inside the domain of the model; or NULL */
    const double *low, *high;        /* [graphs] the interval of a value; or NULL */

    const lm_predictor *by; /* what made the predictions */
    const char *report;     /* the file of --report; NULL: none */
} lm_predictions;

/* Returns the word of a class of the model, or NULL if the class has only a number. */
const char *lm_class_word(const lm_predictions *predictions, int64_t label);

/* Endings of prediction files: CSV, TSV, JSON. A file without an ending is CSV. */
extern const char *const LM_PREDICTION_ENDINGS[];

/* Writes the predictions to --output, in the format of its ending, or to standard output. With --json, a JSON object
 * goes to standard output; it contains the predictions unless they have a file. Logs the accuracy or error, or the
 * AUC of each task, if the data has the labels that are predicted (cli/predict/truths.h). */
leman_status lm_predictions_write(lm_work *work, const lm_predictions *predictions);

#endif
