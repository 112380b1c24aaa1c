/* What commands that evaluate share: the options of the protocol, and what comes out of it. */
#ifndef LM_CLI_PROTOCOL_H
#define LM_CLI_PROTOCOL_H

#include "cli/options/kernels.h"

/* --score and --class-weights. */
typedef struct lm_imbalance_options {
    const char *score, *class_weights;
} lm_imbalance_options;
#define LM_IMBALANCE_ROWS(at)                                                                                          \
    {.name = "score",                                                                                                  \
     .kind = LM_CHOICE,                                                                                                \
     .field = (at) + offsetof(lm_imbalance_options, score),                                                            \
     .value = "NAME",                                                                                                  \
     .choices = lm_choices_scores,                                                                                     \
     .help = "select rounds and C by this (default: accuracy; mae for a target)"},                                     \
    {                                                                                                                  \
        .name = "class-weights", .kind = LM_TEXT, .field = (at) + offsetof(lm_imbalance_options, class_weights),       \
        .value = "WHICH",                                                                                              \
        .help =                                                                                                        \
            "a factor on C for each class: balanced (graphs / (classes * graphs of the class)), none (the default), "  \
            "or numbers above 0 with commas, in the order of the classes"                                              \
    }
/* What a command does with it: *weight is for lm_free(). */
leman_status lm_imbalance_read(leman_context *ctx, const lm_imbalance_options *asked, leman_score *score,
                               double **weight, size_t *count, bool *balanced);

/* What the struct of such a command begins with. */
typedef struct lm_protocol_options {
    lm_kernel_options kernels;   /* its rounds are a range */
    uint64_t repetitions, folds; /* 0: not given */
    const char *grid, *svm, *splits, *parts, *write_splits, *journal, *report;
    const char *target; /* a column, NULL: classes */
    bool stratified, scaffold, retrain;
    lm_imbalance_options imbalance;
} lm_protocol_options;

/* -k, -r, --repetitions and so on; what else a colouring takes is LM_COLORING_TAIL. */
extern const lm_option LM_PROTOCOL_OPTIONS[];
#define LM_COLORING_TAIL (LM_COLORING_OPTIONS + 3)
/* --report and -o. */
extern const lm_option LM_EVALUATION_RESULT[];

/* What was asked for, as it was typed and as the library takes it. Zero-initialise; lm_request_free() at the end. */
typedef struct lm_request {
    const lm_protocol_options *asked;
    leman_protocol protocol;
    leman_kernel *kernels; /* [count] one for every -a */
    size_t count;
    leman_dataset *data;
    leman_feature_matrix *matrix; /* a feature file, of which data has the labels; NULL: graphs */
    leman_splits *splits;
    double *grid, *class_weight;
} lm_request;

/* (*group)[graphs], for lm_free(): the scaffold of each molecule, logged how many there are. */
leman_status lm_scaffold_groups(lm_work *work, const leman_dataset *data, uint32_t **group);
/* Folds that keep molecules of one scaffold together. */
leman_status lm_scaffold_splits(lm_work *work, const leman_dataset *data, size_t repetitions, size_t folds,
                                leman_splits **out);
/* Parses, reads DATA and --splits. */
leman_status lm_request_read(lm_work *work, const lm_protocol_options *asked, lm_request *request);
/* Before kernels are evaluated: how long the kernel SVM may take, and what is quicker, where that is minutes. */
void lm_request_announce(lm_work *work, const lm_request *request, const leman_kernel *kernels, size_t count);
/* Means, deviations, interval, baseline and times of one evaluation. */
void lm_scores_json(lm_json *json, json_t *parent, const leman_evaluation *evaluation);
/* Every choice but the kernels, what was measured, and checksums, for an evaluation of the request. */
void lm_request_json(lm_json *json, json_t *parent, const lm_request *request, const leman_evaluation *evaluation);
void lm_request_free(leman_context *ctx, lm_request *request);

/* --repetitions and --folds (0: not given) must agree with the file of splits. */
leman_status lm_splits_check(leman_context *ctx, const char *path, const leman_splits *splits, uint64_t repetitions,
                             uint64_t folds);

/* "0-5", or "3" for just that; NULL: what is there stays. */
leman_status lm_rounds_read(leman_context *ctx, const char *text, uint32_t *min, uint32_t *max);
/* "0.1,1,10", increasing: lm_free() *grid. NULL: none. */
leman_status lm_grid_read(leman_context *ctx, const char *text, double **grid, size_t *count);
/* A graph list as --graphs of convert takes it: "1-3,7"; lm_free() it. */
leman_status lm_graphs_text(leman_context *ctx, const uint32_t *graph, size_t count, char **out);

#endif
