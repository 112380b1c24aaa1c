/*
 * leman/model.h - support vector machines as models: fit, save, predict.
 */
#ifndef LEMAN_MODEL_H
#define LEMAN_MODEL_H

#include "leman/evaluate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Models ---------------------------------------------------------------------------------- */

/* A support vector machine with all data that predictions for new graphs need; it contains no training graphs. */
typedef struct leman_model leman_model;

typedef struct leman_fit_options {
    size_t size;                     /* leman_fit_options_init() sets it */
    uint32_t min_rounds, max_rounds; /* default: 0 and 5 */
    const double *C;                 /* increasing, above 0; NULL: leman_default_C() */
    size_t C_count;
    size_t folds;               /* of the cross-validation that selects rounds and C and calibrates; default: 10 */
    leman_svm svm;              /* AUTO: LINEAR; KERNEL for assignment kernels, which have no features */
    bool apex;                  /* add a marked vertex to every graph, see leman_dataset_apex() */
    size_t target;              /* LEMAN_NO_TARGET: the classes; otherwise a target column, by regression */
    const double *class_weight; /* [class_weights] a factor on C for every class, as in leman_protocol */
    size_t class_weights;
    bool balanced_weights;
    leman_score score;       /* that selects rounds and C */
    const char *target_name; /* stored in the model: the name of what is predicted; NULL: name of the target column */
    const uint32_t *group;   /* [graphs] graphs with the same number, such as a scaffold, share a fold; NULL: none */
    const double *weight;    /* [graphs] from 1e-100 to 1e100, a factor on C for every graph, which counts as so many
                              * graphs in scores and probabilities (docs/models.md); NULL: 1 each. Those of graphs
                              * without a class or target are not read */
    const int8_t *censoring; /* [graphs] of a regression. 1: the target is a lower bound of the value (">10"), -1: an
                              * upper bound, 0: the value; only predictions beyond a bound are errors, also in scores.
                              * NULL: 0 each. At least one must be a value. Those of graphs without a target are not
                              * read */
    bool regression;         /* leman_model_fit_tasks(): the tasks are targets, by regression, instead of classes */
} leman_fit_options;

LEMAN_API void leman_fit_options_init(leman_fit_options *options, size_t size);
static inline leman_fit_options leman_fit_options_default(void)
{
    leman_fit_options options;
    leman_fit_options_init(&options, sizeof options);
    return options;
}

/*
 * Fits a model to the sum of `count` kernels. The score over all folds selects rounds and C (ties: fewest rounds, then
 * largest C); then the SVM is trained on all graphs. Probabilities are calibrated with the decisions of SVMs that were
 * not trained on the graph. The rounds come from the options, not from the kernels. The context's seed draws the folds;
 * classes are spread evenly over them. Groups are not divided, and the largest are assigned first; fewer groups than
 * folds fail with LEMAN_ERROR_INPUT. Graphs without a class or target take no part. options may be NULL: the default.
 * Free with leman_model_free(). Time: folds + 1 trainings for every number of rounds and every C.
 */
LEMAN_API leman_status leman_model_fit(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                       size_t count, const leman_fit_options *options, leman_model **out);
/* Fits, as leman_model_fit() does, a linear SVM to the rows of a feature file. Each row is scaled to length 1. The
 * rounds of the options are not used; LEMAN_SVM_KERNEL and apex fail with LEMAN_ERROR_ARGUMENT. Rows without a label
 * take no part. If the file has the kernels of its columns (.lmf), the model keeps these kernels and can also predict
 * for graphs. The matrix is not changed, but must not be used by another thread during the call. */
LEMAN_API leman_status leman_model_fit_matrix(leman_context *ctx, leman_feature_matrix *matrix,
                                              const leman_fit_options *options, leman_model **out);
/* Write and read the file of a model (docs/models.md). The file appears whole or not at all. Reading fails with
 * LEMAN_ERROR_INPUT if the file is damaged, of another kind or of a newer version. */
LEMAN_API leman_status leman_model_write(leman_context *ctx, const leman_model *model, const char *path);
LEMAN_API leman_status leman_model_read(leman_context *ctx, const char *path, leman_model **out);
LEMAN_API void leman_model_free(leman_model *model);

/* The properties of a model and of its training. The struct and its pointers belong to the model. */
typedef struct leman_model_shape {
    leman_svm svm;
    const leman_kernel *const *kernel; /* [kernels] pointers to kernels with the selected rounds */
    size_t kernels;                    /* 0: fitted to a feature file without kernels */
    uint32_t rounds;                   /* selected; 0 if no kernel is a colouring */
    double C;                          /* selected */
    double score;                      /* of the cross-validation, measured by selected_by */
    bool regression, apex;
    bool directed;                     /* whether new graphs must be directed */
    size_t vertex_labels, edge_labels; /* label columns that new graphs must have; 0: labels are not used */
    size_t classes;
    const int64_t *class_label; /* [classes] increasing */
    const char *data_name;      /* of the training data */
    size_t data_graphs, folds, target;
    uint64_t data_checksum, seed;
    size_t features; /* that have a weight or occur in a support graph */
    size_t supports; /* support graphs, whose features assignment kernels keep; otherwise 0 */
    leman_score selected_by;
    const char *target_name;       /* of what is predicted; NULL if it has no name */
    const char *const *class_name; /* [classes] words of the data, "" for classes that are numbers; NULL if all are */
    uint64_t reading;              /* leman_dataset_reading() of the training data, with which new graphs are read */
} leman_model_shape;
/* Returns the properties of a model; NULL for NULL. */
LEMAN_API const leman_model_shape *leman_model_describe(const leman_model *model);

/*
 * Predicts the classes or values of graphs. Each array may be NULL.
 *   label[graphs]                 the predicted class; not written in a regression
 *   score[graphs]                 the decision value of the predicted class: against the rest, or the mean of the
 *                                 decisions against each other class; larger is more certain, 1 is the margin. In a
 *                                 regression, the predicted value
 *   probability[graphs][classes]  in the order of class_label; each row sums to 1; moved towards the shares of the
 *                                 classes in the training data for graphs outside the domain (leman_model_domain())
 *   out_of_vocabulary[graphs]     the share of the graph, in 0 .. 1, in features that the model does not know
 * Fails with LEMAN_ERROR_INPUT if the data lacks columns that the model uses, or has molecules that were read with other
 * options than those of the training data. The prediction for a graph does not
 * depend on other graphs. Memory: one slice of the graphs at a time.
 */
LEMAN_API leman_status leman_model_predict(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                                           int64_t *label, double *score, double *probability,
                                           double *out_of_vocabulary);

/*
 * Computes how near graphs are to the training graphs of a model. Each array may be NULL.
 *   similarity[graphs]  the mean similarity, in 0 .. 1, to the five nearest of at most 1000 training graphs: the sum of
 *                       minima over the sum of maxima of the counts of 1-WL colours in rounds 0 to 2; NAN if the model
 *                       was fitted to a feature file or comes from an older file
 *   domain[graphs]      how far the graph is inside the domain, in 0 .. 1: the similarity divided by the 30 % quantile of
 *                       the training graphs' own, to those of other folds, at most 1; without similarities twice the
 *                       share of the graph in features that the model knows, at most 1. A probability is base + domain
 *                       * (calibrated probability - base), where base is the share of the class in the training data.
 * Fails as leman_model_predict() does.
 */
LEMAN_API leman_status leman_model_domain(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                                          double *similarity, double *domain);
/* Below this domain, pages and messages call a graph outside the domain of a model. */
#define LEMAN_OUTSIDE_DOMAIN 0.5
/* Computes intervals low[graphs] .. high[graphs] that contain the target with the probability `coverage`, above 0 and
 * below 1, if graphs come from the distribution of the training graphs: predictions with margins from the errors of the
 * cross-validation, wider for graphs of a smaller similarity, and the farther the prediction is from the targets of the
 * most similar training graphs. NAN for models of older files. Fails with
 * LEMAN_ERROR_UNSUPPORTED for models of classes, and as leman_model_predict() does. */
LEMAN_API leman_status leman_model_intervals(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                                             double coverage, double *low, double *high);

/* Predicts, as leman_model_predict() does, for the rows of a feature file. Fails with LEMAN_ERROR_INPUT unless the model
 * was fitted to a feature file with the same kernels, or, if the file has no kernels, to a feature file without
 * kernels. leman_model_predict() refuses a model without kernels in the same way. */
LEMAN_API leman_status leman_model_predict_matrix(leman_context *ctx, const leman_model *model,
                                                  leman_feature_matrix *matrix, int64_t *label, double *score,
                                                  double *probability, double *out_of_vocabulary);

/* ---- Several tasks --------------------------------------------------------------------------- */

/* Fits a model for each task: task t predicts target column columns[t], as the class (leman_dataset_use_class()) or, if
 * options->regression is true, as the target, and its model is that of leman_model_fit(); graphs without a value are left
 * out. options->censoring has the bounds of all tasks, [tasks][graphs]. The target_name of a model is the name of its
 * column, or its number. Fails with LEMAN_ERROR_INPUT if a column of classes does not have exactly two, and with
 * LEMAN_ERROR_ARGUMENT if options has a target. out[tasks] is written only if all tasks were fitted; free each model
 * with leman_model_free(). Time: the sum of the single fits. */
LEMAN_API leman_status leman_model_fit_tasks(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                             size_t count, const leman_fit_options *options, const size_t *columns,
                                             size_t tasks, leman_model **out);
/* Writes one file, as leman_model_write() does, of models with a target_name: all of two classes, or of targets. */
LEMAN_API leman_status leman_models_write(leman_context *ctx, leman_model *const *models, size_t count,
                                          const char *path);
/* Reads a file of leman_models_write(). *out has *count models, at least one; free with leman_models_free(). */
LEMAN_API leman_status leman_models_read(leman_context *ctx, const char *path, leman_model ***out, size_t *count);
/* Frees the models and the array of leman_models_read(). */
LEMAN_API void leman_models_free(leman_model **models, size_t count);

/* Computes the area under the ROC curve: the percentage of pairs of a positive and a negative in which the positive has
 * the larger score; equal scores count half. NAN if there is no positive or no negative. O(count log count). */
LEMAN_API leman_status leman_auc(leman_context *ctx, const double *score, const bool *positive, size_t count,
                                 double *auc);

/* ---- Kinds of files -------------------------------------------------------------------------- */

/* The kind of a file, by its first bytes. */
typedef enum leman_file_kind {
    LEMAN_FILE_KIND_OTHER,           /* none of the following; also text formats of data sets */
    LEMAN_FILE_KIND_DATASET,         /* LEMAN_FORMAT_BINARY of leman_dataset_write() */
    LEMAN_FILE_KIND_FEATURES,        /* leman_features_write() of an .lmf file */
    LEMAN_FILE_KIND_FEATURE_COLUMNS, /* leman_feature_columns_write() */
    LEMAN_FILE_KIND_MODEL,           /* leman_model_write() */
    LEMAN_FILE_KIND_NETWORK,         /* the checkpoint of leman_train() */
    LEMAN_FILE_KIND_JOURNAL,         /* the journal of leman_evaluate() or leman_network_evaluate() */
    LEMAN_FILE_KIND_TASK_MODELS,     /* leman_models_write() */
    LEMAN_FILE_KIND_GAUSSIAN_PROCESS /* leman_gp_write() */
} leman_file_kind;
#define LEMAN_FILE_KIND_COUNT 9
/* Names: "other", "dataset", "features", "feature columns", "model", "network", "journal", "task models", "gaussian
 * process". */
LEMAN_API const char *leman_file_kind_name(leman_file_kind kind);
/* Finds the kind of a file by its first bytes, without checking the rest. Pipes and devices, which can be read only
 * once, are not opened; their kind is LEMAN_FILE_KIND_OTHER. */
LEMAN_API leman_status leman_file_kind_detect(leman_context *ctx, const char *path, leman_file_kind *kind);

#ifdef __cplusplus
}
#endif
#endif
