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
} lm_explain_options;

/* The rows of these options, for a struct that has an lm_explain_options at offset `at`. */
#define LM_EXPLAIN_ROWS(at)                                                                                            \
    {.name = "explain",                                                                                                \
     .kind = LM_TEXT,                                                                                                  \
     .field = (at) + offsetof(lm_explain_options, file),                                                               \
     .value = "FILE",                                                                                                  \
     .written = true,                                                                                                  \
     .endings = LM_EXPLAIN_ENDINGS,                                                                                    \
     .help = "also write the contribution of every atom and bond to the score: a page, FILE.html, pictures, "          \
             "FILE.svg, or FILE.json"},                                                                                \
        {.name = "explain-graphs",                                                                                     \
         .kind = LM_RANGES,                                                                                            \
         .field = (at) + offsetof(lm_explain_options, graphs),                                                         \
         .value = "LIST",                                                                                              \
         .needs = "explain",                                                                                           \
         .help = "explain these graphs, counted from 0: 0-9,20 (default: all; of a page the first 100, of pictures "   \
                 "the first 12)"},                                                                                     \
        {.name = "explain-class",                                                                                      \
         .kind = LM_TEXT,                                                                                              \
         .field = (at) + offsetof(lm_explain_options, class_name),                                                     \
         .value = "CLASS",                                                                                             \
         .needs = "explain",                                                                                           \
         .help = "explain the score of this class (default: the predicted one; for tasks, the larger label)"},         \
        {.name = "explain-method",                                                                                     \
         .kind = LM_CHOICE,                                                                                            \
         .field = (at) + offsetof(lm_explain_options, method),                                                         \
         .value = "METHOD",                                                                                            \
         .choices = LM_EXPLAIN_METHODS,                                                                                \
         .needs = "explain",                                                                                           \
         .help = "weights: exact, from the weights of the colours; leave-one-out: how much the score drops without "   \
                 "the atom or bond; auto (the default): weights if the model has them"},                               \
    {                                                                                                                  \
        .name = "training-data", .kind = LM_TEXT, .field = (at) + offsetof(lm_explain_options, training),              \
        .value = "FILE", .needs = "explain",                                                                           \
        .help = "what the model was fitted on: the page then draws the support graphs of assignment kernels"           \
    }
extern const char *const LM_EXPLAIN_ENDINGS[], *const LM_EXPLAIN_METHODS[];

/* What made the predictions: models, one for each task, or a network. */
typedef struct lm_predictor {
    leman_predictor *running;  /* the network, loaded on its device */
    leman_model *const *model; /* [models] */
    size_t models;
    const leman_network *network;
} lm_predictor;

/* Explains the predictions for graphs of data and writes options->file. Does nothing if options->file is NULL. */
leman_status lm_explanations_write(lm_work *work, const lm_explain_options *options, const lm_predictor *predictor,
                                   const leman_dataset *data);

#endif
