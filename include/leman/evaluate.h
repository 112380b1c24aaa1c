/*
 * leman/evaluate.h - evaluation of kernels by cross-validation with support vector machines, and comparisons.
 */
#ifndef LEMAN_EVALUATE_H
#define LEMAN_EVALUATE_H

#include "leman/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Splits ---------------------------------------------------------------------------------- */

/*
 * The test part and the validation part, which selects parameters, of every fold of every repetition; all other graphs
 * train. The parts of fold f of repetition r, with i = r * folds + f, graphs increasing:
 *   test        graph[start[2 i]]     .. graph[start[2 i + 1] - 1]
 *   validation  graph[start[2 i + 1]] .. graph[start[2 i + 2] - 1]
 */
/* How splits were made. */
typedef enum leman_split_kind {
    LEMAN_SPLIT_KIND_GIVEN, /* by the caller, or read from a file */
    LEMAN_SPLIT_KIND_RANDOM,
    LEMAN_SPLIT_KIND_STRATIFIED,
    LEMAN_SPLIT_KIND_GROUPS /* groups, such as molecules with the same scaffold, stay together */
} leman_split_kind;

typedef struct leman_splits {
    size_t graphs; /* of the data set; graph numbers count from 0, also in files */
    size_t repetitions, folds;
    bool stratified;
    uint64_t seed;   /* of the draw; for splits from a file, of the validation parts that the file lacks */
    uint64_t *start; /* [2 repetitions folds + 1] */
    uint32_t *graph;
    leman_split_kind kind;
} leman_splits;

/* Draws splits: every repetition shuffles the graphs and cuts them into folds of equal size (the first ones may have
 * one more); of the other graphs, ceil(10 %) at random are the validation part. With stratified, every class is spread
 * evenly over folds and validation parts as far as its size allows. The context's seed determines the draw. Free with
 * leman_splits_free(). O(repetitions folds graphs). */
LEMAN_API leman_status leman_splits_draw(leman_context *ctx, const leman_dataset *data, size_t repetitions,
                                         size_t folds, bool stratified, leman_splits **out);
/* Like leman_splits_draw(), but keeps the graphs of a group in one part. group[graphs] are numbers below the number of
 * graphs. The largest groups come first, each in the smallest fold. Fewer groups than folds are LEMAN_ERROR_INPUT. */
LEMAN_API leman_status leman_splits_draw_groups(leman_context *ctx, const leman_dataset *data, const uint32_t *group,
                                                size_t repetitions, size_t folds, leman_splits **out);
/* Makes splits of a data set of `graphs` graphs from start[2 repetitions folds + 1] and graph as in leman_splits; both
 * are copied. Fails with LEMAN_ERROR_ARGUMENT if a part is empty, if no graph is left to train, or if a graph is in
 * both parts of a fold or in two test parts of a repetition. */
LEMAN_API leman_status leman_splits_new(leman_context *ctx, size_t graphs, size_t repetitions, size_t folds,
                                        const uint64_t *start, const uint32_t *graph, leman_splits **out);
/* Read and write splits (docs/evaluation.md): the text that leman_splits_write() writes, or JSON, a list of
 * {"test": [...], "model_selection": [{"train": [...], "validation": [...]}]} (Errica et al.) or one
 * {"train": [...], "valid": [...], "test": [...]} (OGB). Folds without a validation part get one as in
 * leman_splits_draw(). Fails with LEMAN_ERROR_INPUT and the line of the first fault. */
LEMAN_API leman_status leman_splits_read(leman_context *ctx, const leman_dataset *data, const char *path,
                                         leman_splits **out);
LEMAN_API leman_status leman_splits_write(leman_context *ctx, const leman_splits *splits, const char *path);
LEMAN_API void leman_splits_free(leman_splits *splits);

/* ---- Evaluation ------------------------------------------------------------------------------ */

typedef enum leman_svm {
    LEMAN_SVM_AUTO,   /* KERNEL up to LEMAN_KERNEL_GRAPHS graphs and for assignment kernels, otherwise LINEAR */
    LEMAN_SVM_KERNEL, /* support vector machine on the normalised Gram matrix */
    LEMAN_SVM_LINEAR  /* linear support vector machine on the features, scaled to length 1 */
} leman_svm;
#define LEMAN_SVM_COUNT 3
/* Names: "auto", "kernel", "linear". */
LEMAN_API const char *leman_svm_name(leman_svm svm);
LEMAN_API leman_status leman_svm_parse(leman_context *ctx, const char *name, leman_svm *svm);

/* The score that selects rounds and C. */
typedef enum leman_score {
    LEMAN_SCORE_AUTO,     /* ACCURACY; MAE in a regression */
    LEMAN_SCORE_ACCURACY, /* percentage of graphs that are classified correctly */
    LEMAN_SCORE_BALANCED, /* balanced accuracy: the mean over the classes of the percentage classified correctly */
    LEMAN_SCORE_AUC,      /* area under the ROC curve, in percent; 50 if all graphs have one class */
    LEMAN_SCORE_MAE,      /* mean absolute error; smaller is better */
    LEMAN_SCORE_RMSE,     /* root of the mean squared error; smaller is better */
    LEMAN_SCORE_R2        /* coefficient of determination; 0 if all targets are equal */
} leman_score;
#define LEMAN_SCORE_COUNT 7
/* Names: "auto", "accuracy", "balanced", "auc", "mae", "rmse", "r2". */
LEMAN_API const char *leman_score_name(leman_score score);
LEMAN_API leman_status leman_score_parse(leman_context *ctx, const char *name, leman_score *score);

/* Returns the default values of C: 10^-3, 10^-2, ..., 10^3. Their number goes to *count, which may be NULL. */
LEMAN_API const double *leman_default_C(size_t *count);

#define LEMAN_KERNEL_GRAPHS 10000
#define LEMAN_NO_TARGET SIZE_MAX

typedef struct leman_protocol {
    size_t size;                     /* leman_protocol_init() sets it */
    size_t repetitions, folds;       /* default: 10 and 10 */
    uint32_t min_rounds, max_rounds; /* default: 0 and 5; validation selects from these; not used without rounds */
    const double *C;                 /* increasing, above 0; NULL: leman_default_C() */
    size_t C_count;
    leman_svm svm;
    bool stratified;
    bool retrain;               /* train the selected SVM again on the training and validation parts */
    size_t target;              /* LEMAN_NO_TARGET: the classes; otherwise a target column, by regression */
    const leman_splits *splits; /* instead of drawing; repetitions, folds and stratified are not used then */
    const char *journal;        /* a file that keeps finished folds; an interrupted run continues from it */
    const double *class_weight; /* [class_weights] above 0: a factor on C for every class, in the order of their labels;
                                   NULL: 1 each, or balanced */
    size_t class_weights;
    bool
        balanced_weights; /* the weight of a class is graphs / (classes * graphs of the class), in each training part */
    leman_score score;    /* by which the validation part selects rounds and C */
    const double *weight; /* [graphs] a factor on C for every graph, as in leman_fit_options; NULL: 1 each */
    bool weighted_scores; /* a graph also counts as `weight` graphs in all scores, those of the test parts included */
    const int8_t *censoring; /* [graphs] bounds of targets, as in leman_fit_options, also in all scores; NULL: none */
} leman_protocol;

LEMAN_API void leman_protocol_init(leman_protocol *protocol, size_t size);
static inline leman_protocol leman_protocol_default(void)
{
    leman_protocol protocol;
    leman_protocol_init(&protocol, sizeof protocol);
    return protocol;
}

/* One number of rounds in one fold, with the C that validation selects for it. test and train are percentages of graphs
 * classified correctly, in a regression mean absolute errors; validation is the score of the protocol. */
typedef struct leman_trial {
    double C, validation, test, train;
} leman_trial;

typedef struct leman_fold {
    uint32_t repetition, fold; /* from 0 */
    uint32_t rounds;           /* selected; 0 if the kernel has no rounds */
    double C;                  /* selected */
    double validation, test, train;
    double balanced; /* the mean over the classes of the test part of the percentage classified correctly */
    double auc;      /* area under the ROC curve, in percent; several classes: mean of one against the rest. NAN if the
                        test part has only one class */
    double rmse, r2; /* of a regression, otherwise NAN */
    double seconds;  /* of the fold */
} leman_fold;

/* The result of an evaluation. Means are over repetitions, each the mean of its folds; deviations are population
 * deviations. */
typedef struct leman_evaluation {
    leman_svm svm;       /* KERNEL or LINEAR */
    bool has_rounds;     /* at least one kernel is a colouring */
    uint32_t min_rounds; /* trials are for min_rounds .. min_rounds + rounds - 1 */
    size_t rounds, classes;
    size_t target;        /* in a regression: the target column */
    int64_t *class_label; /* [classes] labels of the data, increasing; NULL in a regression */
    leman_splits *splits; /* belongs to the evaluation */
    leman_fold *fold;     /* [repetitions][folds] */
    leman_trial *trial;   /* [repetitions][folds][rounds] */
    leman_trial *round;   /* [rounds] means of the trials over folds; C is the geometric mean */
    double *predicted; /* parallel to splits->graph: index of the predicted class, or value; NAN in validation parts */
    uint64_t *confusion;        /* [classes][classes] over all folds: rows are classes, columns predictions; NULL in a
                                   regression */
    double test_mean, test_std; /* over repetitions; the deviation is NAN for one repetition */
    double test_std_folds;      /* over all folds; NAN for one fold */
    double train_mean, validation_mean, balanced_mean, auc_mean, rmse_mean, r2_mean;
    double seconds_features, seconds_svm; /* wall time */
    uint64_t data_checksum, splits_checksum, seed;
    size_t resumed;  /* folds that came from the journal */
    double baseline; /* leman_baseline() of the tested graphs; NAN with weighted scores or bounds */
    /* A 95 % interval of test_mean: the variance of the folds, corrected for training parts that overlap (Nadeau and
     * Bengio), and Student's t with folds - 1 degrees of freedom. NAN for one fold. */
    double test_low, test_high;
    leman_score score; /* the score that selected rounds and C; `validation` is measured by it */
    /* Two classes: parallel to splits->graph, also in validation parts, the decision of the selected SVM, above 0 for the
     * class with the larger label, and, in test parts, the probability of this class: a sigmoid (Platt) of the decision,
     * fitted to the decisions about the test parts of the other folds of the repetition, or, if there is one fold, about
     * its validation part. NAN where `predicted` is. Otherwise, and for networks, NULL. */
    double *decision;
    double *probability;
    bool weighted_scores; /* scores count every graph by its weight */
    size_t bounds;        /* targets that are bounds; only predictions beyond them are errors */
} leman_evaluation;

/*
 * Evaluates the sum of `count` kernels by cross-validation. In every fold, an SVM is trained on the training part for
 * every number of rounds h and every C. The validation part selects h and C (ties: fewest rounds, then largest C), and
 * the selected SVM is tested once. The rounds come from the protocol, not from the kernels. protocol may be NULL: the
 * default. If protocol->splits is NULL, the context's seed determines the splits. A kernel SVM needs 4 graphs^2 bytes
 * for the Gram matrix of each h, all held at once, and 8 graphs^2 bytes while they are computed. The function fails
 * with LEMAN_ERROR_BUDGET if these bytes exceed the memory budget. Free with leman_evaluation_free().
 */
LEMAN_API leman_status leman_evaluate(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                      size_t count, const leman_protocol *protocol, leman_evaluation **out);
/* Evaluates, as leman_evaluate() does, a linear SVM on the rows of a feature file. Each row is scaled to length 1. The
 * rounds of the protocol are not used. The matrix is not changed, but must not be used by another thread during the
 * call. */
LEMAN_API leman_status leman_evaluate_matrix(leman_context *ctx, leman_feature_matrix *matrix,
                                             const leman_protocol *protocol, leman_evaluation **out);
/* Evaluates several tasks, as leman_evaluate() does. Task t predicts target column columns[t], whose values are classes
 * (for example 0 and 1); graphs whose value is NaN are ignored in this task. out[tasks] gets an evaluation for each
 * task; free each with leman_evaluation_free(). On failure out[] is not changed. All tasks have the same splits, unless
 * splits are drawn with protocol->stratified: these depend on the classes of the task. Features are computed once. The
 * journals are protocol->journal with .0, .1, ... appended. protocol->target must be LEMAN_NO_TARGET. */
LEMAN_API leman_status leman_evaluate_tasks(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                            size_t count, const leman_protocol *protocol, const size_t *columns,
                                            size_t tasks, leman_evaluation **out);
LEMAN_API void leman_evaluation_free(leman_evaluation *evaluation);

/* ---- Baseline and interval ------------------------------------------------------------------- */

/* Computes the score of the best constant prediction for graphs[count] (numbers from 0). For classes (target
 * LEMAN_NO_TARGET) it is the percentage of the most frequent class. For a target column it is the mean absolute error
 * of the median; graphs without a value (NAN) are left out. NAN if there are no graphs. O(count log count). */
LEMAN_API leman_status leman_baseline(leman_context *ctx, const leman_dataset *data, const uint32_t *graphs,
                                      size_t count, size_t target, double *score);

/* Computes the 95 % interval of Wilson, in percent, of the share right / count; right <= count and count >= 1. */
LEMAN_API leman_status leman_wilson_interval(leman_context *ctx, uint64_t right, uint64_t count, double *low,
                                             double *high);

/* ---- Comparisons ----------------------------------------------------------------------------- */

/* The corrected resampled t-test (Nadeau and Bengio) of two evaluations on the same splits: the mean difference of test
 * scores, divided by its standard deviation corrected for training parts that overlap. */
typedef struct leman_comparison {
    double difference;         /* of the means, first minus second */
    double t, p;               /* p: two-sided; 1 if all differences are 0; NAN for one fold */
    size_t degrees_of_freedom; /* folds - 1 */
} leman_comparison;

/* The comparison of two of several evaluations. */
typedef struct leman_pair_comparison {
    size_t first, second; /* indices into the evaluations */
    leman_comparison comparison;
    double p_holm; /* p after Holm's correction for the number of pairs */
} leman_pair_comparison;
/* Computes the t-test of leman_comparison for all pairs of evaluations[count], (0,1), (0,2), ..., (1,2), ..., into
 * comparisons[count (count - 1) / 2]. Evaluations of different data or splits fail with LEMAN_ERROR_ARGUMENT. */
LEMAN_API leman_status leman_compare_all(leman_context *ctx, const leman_evaluation *const *evaluations, size_t count,
                                         leman_pair_comparison *comparisons);

#ifdef __cplusplus
}
#endif
#endif
