/* --explain of leman predict: contributions of vertices and edges to the predictions, as JSON, a page or a picture. */
#ifndef LM_CLI_EXPLANATIONS_H
#define LM_CLI_EXPLANATIONS_H

#include "cli/work.h"

typedef struct lm_explain_options {
    const char *file;       /* NULL: explain nothing */
    lm_ranges graphs;       /* of DATA; empty: the first ones, up to the limit of the format */
    const char *class_name; /* instead of the predicted class */
    const char *method;     /* NULL: auto */
    const char *training;   /* data that the model was fitted on */
    bool atom_numbers, transparent;
} lm_explain_options;

extern const char *const LM_EXPLAIN_ENDINGS[], *const LM_EXPLAIN_METHODS[];

/* What made the predictions: models, one for each task, a network, or a Gaussian process. */
typedef struct lm_predictor {
    leman_predictor *running;  /* the network, loaded on its device */
    leman_model *const *model; /* [models] */
    size_t models;
    const leman_network *network;
    const leman_gp *gp;
} lm_predictor;

/* Fails if an option has no effect on this kind of file. Called before anything is computed. */
leman_status lm_explanations_check(leman_context *ctx, const lm_explain_options *options);
/* Explains the predictions for graphs of data and writes options->file. rows: of a file of molecules, whose SMILES pages
 * show; otherwise NULL. Does nothing if options->file is NULL. */
leman_status lm_explanations_write(lm_work *work, const lm_explain_options *options, const lm_predictor *predictor,
                                   const leman_dataset *data, const leman_rows *rows);

#endif
