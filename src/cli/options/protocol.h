/* Options of the evaluation protocol, shared by the commands that evaluate, and the request made from them. */
#ifndef LM_CLI_PROTOCOL_H
#define LM_CLI_PROTOCOL_H

#include "cli/graph_options.h"

/* --score and --class-weights. */
typedef struct lm_imbalance_options {
    const char *score, *class_weights;
} lm_imbalance_options;
#define LM_IMBALANCE_ROWS(at)                                                                                          \
    LM_ROW("score", 0, LM_CHOICE, (at) + offsetof(lm_imbalance_options, score), "NAME", HELP_PROTOCOL_SCORE,           \
           .choices = lm_choices_scores),                                                                              \
        LM_ROW("class-weights", 0, LM_TEXT, (at) + offsetof(lm_imbalance_options, class_weights), "WHICH",             \
               HELP_PROTOCOL_CLASS_WEIGHTS)
/* Reads these options. *score is unchanged if none was given. *weight and *count are set if weights are
 * listed. */
leman_status lm_imbalance_read(leman_context *ctx, const lm_imbalance_options *asked, leman_score *score,
                               double **weight, size_t *count, bool *balanced);

/* The first member of the option struct of a command that evaluates. */
typedef struct lm_protocol_options {
    lm_kernel_options kernels;   /* --rounds is a range */
    uint64_t repetitions, folds; /* 0: not given */
    const char *grid, *svm, *splits, *parts, *write_splits, *journal, *report;
    const char *target; /* column of targets; NULL: classes */
    bool stratified, scaffold, retrain, weighted_scores;
    lm_imbalance_options imbalance;
    lm_graph_options graphs;
} lm_protocol_options;

/* -k, -r, --repetitions and so on. LM_COLORING_TAIL is the remaining rows of a colouring. */
extern const lm_option LM_PROTOCOL_OPTIONS[];
#define LM_COLORING_TAIL (LM_COLORING_OPTIONS + 3)
#define LM_TAIL_GROUPS {"Colourings", LM_COLORING_TAIL}, LM_LAST_GROUPS
/* --report and -o. */
extern const lm_option LM_EVALUATION_RESULT[];

/* What the command line asks for, as typed and as the library needs it. Zero-initialise before use, and call
 * lm_request_free() at the end. */
typedef struct lm_request {
    const lm_protocol_options *asked;
    leman_protocol protocol;
    leman_kernel *kernels; /* [count] kernels of all -a */
    size_t count;
    leman_dataset *data;
    leman_feature_matrix *matrix; /* a feature file, whose labels are `data`; NULL: graphs */
    leman_splits *splits;
    double *grid, *class_weight;
} lm_request;

/* Computes the scaffold number of each molecule, (*group)[graphs], and logs the number of scaffolds. */
leman_status lm_scaffold_groups(lm_work *work, const leman_dataset *data, uint32_t **group);
/* Draws folds that keep molecules with the same scaffold together. */
leman_status lm_scaffold_splits(lm_work *work, const leman_dataset *data, size_t repetitions, size_t folds,
                                leman_splits **out);
/* Parses the options, reads DATA, and reads or draws the splits. */
leman_status lm_request_read(lm_work *work, const lm_protocol_options *asked, lm_request *request);
/* If the kernel SVMs of these kernels may take minutes, logs how long, and which options are faster. */
void lm_request_announce(lm_work *work, const lm_request *request, const leman_kernel *kernels, size_t count);
/* Adds means, deviations, interval, baseline and times of one evaluation to parent. */
void lm_scores_json(lm_json *json, json_t *parent, const leman_evaluation *evaluation);
/* With --sample-weights, writes a line that says whether scores are weighted. */
leman_status lm_weights_write(const lm_request *request, const leman_evaluation *evaluation, const char *indent,
                              lm_output *out);
/* Adds the parts of a fold to parent, "test_graphs" and "validation_graphs", and "predictions", a list for the test
 * graphs. predicted is parallel to splits->graph and has `outputs` numbers for each graph; with class_label they are
 * indices into class_label. */
leman_status lm_fold_json(leman_context *ctx, lm_json *json, json_t *parent, const leman_splits *splits, size_t fold,
                          const double *predicted, size_t outputs, const int64_t *class_label);
/* Adds all options except the kernels, what was measured, and checksums to parent. */
void lm_request_json(lm_json *json, json_t *parent, const lm_request *request, const leman_evaluation *evaluation);
void lm_request_free(lm_request *request);

/* "10 repetitions of 10 folds", of splits or of an evaluation. */
#define FOLDS_TEXT(of)                                                                                                 \
    FORMAT("%zu repetition%s of %zu fold%s", (of)->repetitions, lm_plural((of)->repetitions), (of)->folds,             \
           lm_plural((of)->folds))
/* Fails if --repetitions or --folds (0: not given) differ from the numbers in the file of splits. */
leman_status lm_splits_check(leman_context *ctx, const char *path, const leman_splits *splits, uint64_t repetitions,
                             uint64_t folds);

/* Parses --parts, sizes of training, validation and test part in the order of the data: "train=220011,test=5000,val=24445". Writes the first graph and the number of graphs of train, val and test. Fails unless the parts are
 * all graphs. train and val are required, and test too if `tested`. */
leman_status lm_parts_sizes(leman_context *ctx, const char *text, bool tested, size_t graphs, size_t first[3],
                            size_t count[3]);
/* Parses a range "0-5" or a number "3". If text is NULL, *min and *max are unchanged. */
leman_status lm_rounds_read(leman_context *ctx, const char *text, uint32_t *min, uint32_t *max);
/* Parses increasing numbers "0.1,1,10". If text is NULL, nothing is changed. */
leman_status lm_grid_read(leman_context *ctx, const char *text, double **grid, size_t *count);
/* Writes a page about methods[count] on the data of the request. Does nothing if path is NULL. */
leman_status lm_page_write(lm_work *work, const char *path, const lm_request *request, const leman_method *methods,
                           size_t count);

#endif
