/*
 * leman/evaluate.h - the evaluation protocol of the field, and comparisons.
 */
#ifndef LEMAN_EVALUATE_H
#define LEMAN_EVALUATE_H

#include "leman/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Splits ---------------------------------------------------------------------------------- */

/*
 * Which graphs are tested and which select the parameters, in every fold of every repetition; all others train. Lists
 * of fold f of repetition r, with i = r * folds + f, graphs increasing:
 *   test        graph[start[2 i]]     .. graph[start[2 i + 1] - 1]
 *   validation  graph[start[2 i + 1]] .. graph[start[2 i + 2] - 1]
 */
typedef struct leman_splits {
    size_t graphs; /* of the data set; graph numbers count from 0 here, from 1 in files */
    size_t repetitions, folds;
    bool stratified;
    uint64_t seed;   /* that drew them, or the validation parts that a file did not have */
    uint64_t *start; /* [2 repetitions folds + 1] */
    uint32_t *graph;
} leman_splits;

/* A shuffle of its own for every repetition, cut into folds of equal size (one more in the first ones); of the rest,
 * ceil(10 %) at random is the validation part. stratified: every class is spread evenly over folds and validation
 * parts, as far as its size allows. Seeded by the context. Free with leman_splits_free(). O(repetitions folds graphs).
 */
LEMAN_API leman_status leman_splits_draw(leman_context *ctx, const leman_dataset *data, size_t repetitions,
                                         size_t folds, bool stratified, leman_splits **out);
/* The same with whole groups in every part, group[graphs], numbers below the number of graphs: the largest groups
 * first, each to the smallest fold. LEMAN_ERROR_INPUT where there are fewer groups than folds. */
LEMAN_API leman_status leman_splits_draw_groups(leman_context *ctx, const leman_dataset *data, const uint32_t *group,
                                                size_t repetitions, size_t folds, leman_splits **out);
/* The caller's own, copied: start[2 repetitions folds + 1] and graph as above, for a data set of so many graphs. No
 * part is empty, some graph is left to train, and a graph is in one part of a fold and one test part of a repetition
 * at most; otherwise LEMAN_ERROR_ARGUMENT. */
LEMAN_API leman_status leman_splits_new(leman_context *ctx, size_t graphs, size_t repetitions, size_t folds,
                                        const uint64_t *start, const uint32_t *graph, leman_splits **out);
/* Files as docs/evaluation.md has them. Folds without a validation part get one as above. */
LEMAN_API leman_status leman_splits_read(leman_context *ctx, const leman_dataset *data, const char *path,
                                         leman_splits **out);
LEMAN_API leman_status leman_splits_write(leman_context *ctx, const leman_splits *splits, const char *path);
LEMAN_API void leman_splits_free(leman_splits *splits);

/* ---- Evaluation ------------------------------------------------------------------------------ */

typedef enum leman_svm {
    LEMAN_SVM_AUTO,   /* KERNEL up to LEMAN_KERNEL_GRAPHS graphs, and for assignment kernels; else LINEAR */
    LEMAN_SVM_KERNEL, /* support vector machine on the normalised Gram matrix */
    LEMAN_SVM_LINEAR  /* linear support vector machine on the features, every graph of length 1 */
} leman_svm;
#define LEMAN_SVM_COUNT 3
/* "auto", "kernel", "linear". */
LEMAN_API const char *leman_svm_name(leman_svm svm);
LEMAN_API leman_status leman_svm_parse(leman_context *ctx, const char *name, leman_svm *svm);

/* What rounds and C are selected by. */
typedef enum leman_score {
    LEMAN_SCORE_AUTO,     /* ACCURACY; MAE in a regression */
    LEMAN_SCORE_ACCURACY, /* percentage of graphs whose class was found */
    LEMAN_SCORE_BALANCED, /* balanced accuracy: the mean over the classes of the percentage that was found */
    LEMAN_SCORE_AUC,      /* area under the ROC curve, in percent; graphs of one class alone count as 50 */
    LEMAN_SCORE_MAE,      /* mean absolute error: the smaller the better, as the next */
    LEMAN_SCORE_RMSE,     /* root of the mean squared error */
    LEMAN_SCORE_R2        /* coefficient of determination; 0 where all targets are equal */
} leman_score;
#define LEMAN_SCORE_COUNT 7
/* "auto", "accuracy", "balanced", "auc", "mae", "rmse", "r2". */
LEMAN_API const char *leman_score_name(leman_score score);
LEMAN_API leman_status leman_score_parse(leman_context *ctx, const char *name, leman_score *score);

/* The values of C that are tried where none are given, increasing: 10^-3, 10^-2, ..., 10^3. count may be NULL. */
LEMAN_API const double *leman_default_C(size_t *count);

#define LEMAN_KERNEL_GRAPHS 10000
#define LEMAN_NO_TARGET SIZE_MAX

typedef struct leman_protocol {
    size_t size;                     /* leman_protocol_init() sets it */
    size_t repetitions, folds;       /* 10 and 10 */
    uint32_t min_rounds, max_rounds; /* 0 and 5: validation selects; kernels without rounds have none to select */
    const double *C;                 /* increasing, above 0; NULL: leman_default_C() */
    size_t C_count;
    leman_svm svm;
    bool stratified;
    bool retrain;               /* the selected SVM is trained again with the validation part */
    size_t target;              /* LEMAN_NO_TARGET: the classes; else a column of targets, by regression */
    const leman_splits *splits; /* instead of drawn ones; repetitions, folds and stratified are theirs then */
    const char *journal;        /* a file that keeps finished folds; an interrupted run goes on from it */
    const double *class_weight; /* [class_weights] above 0: a factor on C for every class, in the order of their labels;
                                   NULL: 1 each, or balanced */
    size_t class_weights;
    bool
        balanced_weights; /* the weight of a class is graphs / (classes * graphs of the class), in each training part */
    leman_score score;    /* that the validation part selects rounds and C by */
} leman_protocol;

LEMAN_API void leman_protocol_init(leman_protocol *protocol, size_t size);
static inline leman_protocol leman_protocol_default(void)
{
    leman_protocol protocol;
    leman_protocol_init(&protocol, sizeof protocol);
    return protocol;
}

/* One number of rounds in one fold, with the C that validation selects for it. Scores are percentages of graphs whose
 * class was found; in a regression, mean absolute errors; validation is the score of the protocol. */
typedef struct leman_trial {
    double C, validation, test, train;
} leman_trial;

typedef struct leman_fold {
    uint32_t repetition, fold; /* from 0 */
    uint32_t rounds;           /* selected; 0 where the kernel has none */
    double C;                  /* selected */
    double validation, test, train;
    double balanced; /* the mean over the classes of the test part of the percentage that was found */
    double auc;      /* area under the ROC curve, in percent; several classes: mean of one against the rest. NAN: the
                        test part has one class only */
    double rmse, r2; /* of a regression, else NAN */
    double seconds;  /* that the fold took */
} leman_fold;

/*
 * What came out. Means are over repetitions, each the mean of its folds; deviations are population deviations.
 */
typedef struct leman_evaluation {
    leman_svm svm;       /* that was used */
    bool has_rounds;     /* some kernel is a colouring */
    uint32_t min_rounds; /* trials are those of min_rounds .. min_rounds + rounds - 1 */
    size_t rounds, classes;
    size_t target;        /* in a regression: the column of targets */
    int64_t *class_label; /* [classes] as the data has them, increasing; NULL in a regression */
    leman_splits *splits; /* its own */
    leman_fold *fold;     /* [repetitions][folds] */
    leman_trial *trial;   /* [repetitions][folds][rounds] */
    leman_trial *round;   /* [rounds] the same, averaged over folds; C is the geometric mean */
    double *predicted; /* beside splits->graph: the number of the class found, or the value; NAN in validation parts */
    uint64_t *confusion;        /* [classes][classes] over all folds: rows are classes, columns predictions; NULL in a
                                   regression */
    double test_mean, test_std; /* over repetitions; the deviation of a single one is NAN */
    double test_std_folds;      /* over all folds; NAN of a single one */
    double train_mean, validation_mean, balanced_mean, auc_mean, rmse_mean, r2_mean;
    double seconds_features, seconds_svm; /* wall time */
    uint64_t data_checksum, splits_checksum, seed;
    size_t resumed;  /* folds that came from the journal */
    double baseline; /* leman_baseline() of the graphs that are tested */
    /* A 95 % interval of test_mean: the variance of the folds, corrected for training parts that overlap (Nadeau and
     * Bengio), and Student's t with folds - 1 degrees of freedom. NAN of a single fold. */
    double test_low, test_high;
    leman_score score; /* that rounds and C were selected by: `validation` is in it */
} leman_evaluation;

/*
 * The protocol of the field: in every fold, for every number of rounds h and every C, an SVM is trained on the training
 * part; the validation part selects h and C (ties: the fewest rounds, then the largest C), and the selected SVM is
 * tested once. Rounds of the kernels are the protocol's. protocol NULL: the default. Seeded by the context. Gram
 * matrices of all h are held at once, 4 bytes a pair of graphs; LEMAN_ERROR_BUDGET where they do not fit. Free with
 * leman_evaluation_free().
 */
LEMAN_API leman_status leman_evaluate(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                      size_t count, const leman_protocol *protocol, leman_evaluation **out);
/* The same for the rows of a feature file, scaled to length 1: a linear SVM, without rounds. The matrix is not changed,
 * but nobody else may use it meanwhile. */
LEMAN_API leman_status leman_evaluate_matrix(leman_context *ctx, leman_feature_matrix *matrix,
                                             const leman_protocol *protocol, leman_evaluation **out);
/* Several tasks, each a column of targets that holds the classes of the graphs (0 and 1, say), NaN where one is not
 * known: such graphs take no part in that task. out[tasks] gets an evaluation for each, to be freed one by one;
 * untouched on failure. Splits are the same for all, unless stratified ones are drawn: those are of the classes of each
 * task. Features are computed once, and protocol->journal is FILE.0, FILE.1, ... */
LEMAN_API leman_status leman_evaluate_tasks(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                            size_t count, const leman_protocol *protocol, const size_t *columns,
                                            size_t tasks, leman_evaluation **out);
LEMAN_API void leman_evaluation_free(leman_evaluation *evaluation);

/* ---- How good is good? ----------------------------------------------------------------------- */

/* The score of the best constant prediction for these graphs (numbers from 0), which a method has to beat. Classes
 * (target LEMAN_NO_TARGET): the percentage that has the most frequent one. A column of targets: the mean absolute error
 * of their median; graphs without a value (NAN) are left out. NAN of no graphs. O(count log count). */
LEMAN_API leman_status leman_baseline(leman_context *ctx, const leman_dataset *data, const uint32_t *graphs,
                                      size_t count, size_t target, double *score);

/* The 95 % interval of Wilson, in percent, of a share where `right` of `count` graphs of one test part were right. */
LEMAN_API leman_status leman_wilson_interval(leman_context *ctx, uint64_t right, uint64_t count, double *low,
                                             double *high);

/* ---- Comparisons ----------------------------------------------------------------------------- */

/* The corrected resampled t-test (Nadeau and Bengio) of two evaluations on the same splits: the mean difference of test
 * scores over its deviation, which accounts for training parts that overlap. */
typedef struct leman_comparison {
    double difference;         /* of the means, first less second */
    double t, p;               /* p: two-sided; 1 where all differences are 0; NAN of a single fold */
    size_t degrees_of_freedom; /* folds less one */
} leman_comparison;

/* One pair of several evaluations. */
typedef struct leman_pair_comparison {
    size_t first, second; /* places in the list */
    leman_comparison comparison;
    double p_holm; /* p after Holm's correction for the number of pairs */
} leman_pair_comparison;
/* All pairs of evaluations[count] on the same splits, (0,1), (0,2), ..., (1,2), ..., into
 * comparisons[count (count - 1) / 2]. */
LEMAN_API leman_status leman_compare_all(leman_context *ctx, const leman_evaluation *const *evaluations, size_t count,
                                         leman_pair_comparison *comparisons);

#ifdef __cplusplus
}
#endif
#endif
