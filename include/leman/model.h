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

/* A support vector machine with everything that it needs to classify new graphs, and no training graphs. */
typedef struct leman_model leman_model;

typedef struct leman_fit_options {
    size_t size;                     /* leman_fit_options_init() sets it */
    uint32_t min_rounds, max_rounds; /* 0 and 5 */
    const double *C;                 /* increasing, above 0; NULL: leman_default_C() */
    size_t C_count;
    size_t folds;               /* 10: of the cross-validation that selects rounds and C, and calibrates */
    leman_svm svm;              /* AUTO: LINEAR; KERNEL for assignment kernels, which have no features */
    bool apex;                  /* add a marked vertex to every graph, see leman_dataset_apex() */
    size_t target;              /* LEMAN_NO_TARGET: the classes; else a column of targets, by regression */
    const double *class_weight; /* [class_weights] a factor on C for every class, as in leman_protocol */
    size_t class_weights;
    bool balanced_weights;
    leman_score score;       /* that rounds and C are selected by */
    const char *target_name; /* of what is predicted, for the model to keep; NULL: the name of the column of targets */
    const uint32_t *group;   /* [graphs] graphs of one number, such as a scaffold, are in one fold; NULL: no groups */
} leman_fit_options;

LEMAN_API void leman_fit_options_init(leman_fit_options *options, size_t size);
static inline leman_fit_options leman_fit_options_default(void)
{
    leman_fit_options options;
    leman_fit_options_init(&options, sizeof options);
    return options;
}

/*
 * Selects rounds and C by the score over all folds (ties: the fewest rounds, then the largest C), trains on all graphs,
 * and calibrates probabilities with the decisions of SVMs that were not trained on the graph. Rounds of the kernels are
 * the options'. Classes are spread evenly over the folds, which the context's seed draws; groups go there whole, the
 * largest first, and fewer of them than folds are LEMAN_ERROR_INPUT. options NULL: the default.
 * Free with leman_model_free(). Time: folds + 1 trainings for every number of rounds and C.
 */
LEMAN_API leman_status leman_model_fit(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                       size_t count, const leman_fit_options *options, leman_model **out);
/* The same for the rows of a feature file, scaled to length 1: a linear SVM, without rounds. Rows without a label take
 * no part. The matrix is not changed, but nobody else may use it meanwhile. */
LEMAN_API leman_status leman_model_fit_matrix(leman_context *ctx, leman_feature_matrix *matrix,
                                              const leman_fit_options *options, leman_model **out);
/* docs/models.md has the file. It appears whole or not at all; a damaged one, or one of another kind or a newer
 * version, is LEMAN_ERROR_INPUT. */
LEMAN_API leman_status leman_model_write(leman_context *ctx, const leman_model *model, const char *path);
LEMAN_API leman_status leman_model_read(leman_context *ctx, const char *path, leman_model **out);
LEMAN_API void leman_model_free(leman_model *model);

/* What a model is, and how it was made. It and its pointers lie in the model. */
typedef struct leman_model_shape {
    leman_svm svm;
    const leman_kernel *const *kernel; /* [kernels] pointers, each to one with the selected rounds */
    size_t kernels;                    /* 0: fitted on a feature file */
    uint32_t rounds;                   /* selected; 0 where no kernel is a colouring */
    double C;                          /* selected */
    double score;                      /* of the cross-validation, in selected_by */
    bool regression, apex;
    bool directed;                     /* new graphs must be so, or not */
    size_t vertex_labels, edge_labels; /* columns that new graphs must have; 0: none are looked at */
    size_t classes;
    const int64_t *class_label; /* [classes] increasing */
    const char *data_name;      /* what it was fitted on */
    size_t data_graphs, folds, target;
    uint64_t data_checksum, seed;
    size_t features; /* that have a weight, or stand in a support graph */
    size_t supports; /* graphs whose features are kept: of assignment kernels; otherwise 0 */
    leman_score selected_by;
    const char *target_name;       /* of what is predicted; NULL where it has no name */
    const char *const *class_name; /* [classes] the words of the data, "" for a class that is no word; NULL: none is */
} leman_model_shape;
LEMAN_API const leman_model_shape *leman_model_describe(const leman_model *model);

/*
 * Classifies graphs; each array may be NULL.
 *   label[graphs]                 the predicted class; not written in a regression
 *   score[graphs]                 its decision value: against the rest, or the mean of those against each other
 *                                 class; larger is surer, 1 is the margin. In a regression, the predicted value
 *   probability[graphs][classes]  in the order of class_label; each row sums to 1
 *   out_of_vocabulary[graphs]     the share of the graph, in 0 .. 1, that lies in features the model does not know
 * Data without the columns that the model looks at is LEMAN_ERROR_INPUT. The prediction for a graph depends on it
 * alone. Memory: a slice of the graphs at a time.
 */
LEMAN_API leman_status leman_model_predict(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                                           int64_t *label, double *score, double *probability,
                                           double *out_of_vocabulary);

/* The same for the rows of a feature file, by a model of leman_model_fit_matrix(); graphs are rows, and columns are
 * known by their indices. A model that was fitted on graphs is LEMAN_ERROR_INPUT here, one of a feature file above. */
LEMAN_API leman_status leman_model_predict_matrix(leman_context *ctx, const leman_model *model,
                                                  leman_feature_matrix *matrix, int64_t *label, double *score,
                                                  double *probability, double *out_of_vocabulary);

/* ---- Several tasks --------------------------------------------------------------------------- */

/* A model for each of some columns of targets as the class (leman_dataset_use_class()), each as leman_model_fit() fits
 * it to that column alone, graphs without a value left out. target_name of each is that of its column, or its number.
 * A column without exactly two classes is LEMAN_ERROR_INPUT; options with a target are LEMAN_ERROR_ARGUMENT. out[tasks]
 * is written where all were fitted; free each with leman_model_free(). Time: that of the single fits. */
LEMAN_API leman_status leman_model_fit_tasks(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                             size_t count, const leman_fit_options *options, const size_t *columns,
                                             size_t tasks, leman_model **out);
/* One file of several models, each of two classes and with a target_name; otherwise as those of one. */
LEMAN_API leman_status leman_models_write(leman_context *ctx, leman_model *const *models, size_t count,
                                          const char *path);
/* *out is an array of *count models, at least one, for leman_models_free(). */
LEMAN_API leman_status leman_models_read(leman_context *ctx, const char *path, leman_model ***out, size_t *count);
/* Of leman_models_read(): the models and the array. */
LEMAN_API void leman_models_free(leman_model **models, size_t count);

/* The area under the ROC curve, in percent: of the pairs of a positive and a negative, those in which the positive has
 * the larger score, equal scores counted half. NAN where one of the two is missing. O(count log count). */
LEMAN_API leman_status leman_auc(leman_context *ctx, const double *score, const bool *positive, size_t count,
                                 double *auc);

/* ---- Kinds of files -------------------------------------------------------------------------- */

/* The kind of a file, by its first bytes. */
typedef enum leman_file_kind {
    LEMAN_FILE_KIND_OTHER,           /* none of these: also text formats of data sets */
    LEMAN_FILE_KIND_DATASET,         /* our own binary form, see leman_dataset_write() */
    LEMAN_FILE_KIND_FEATURES,        /* leman_features_write() of an .lmf file */
    LEMAN_FILE_KIND_FEATURE_COLUMNS, /* leman_feature_columns_write() */
    LEMAN_FILE_KIND_MODEL,           /* leman_model_write() */
    LEMAN_FILE_KIND_NETWORK,         /* the checkpoint of leman_train() */
    LEMAN_FILE_KIND_NETWORK_JOURNAL, /* the journal of leman_network_evaluate() */
    LEMAN_FILE_KIND_TASK_MODELS      /* leman_models_write() */
} leman_file_kind;
#define LEMAN_FILE_KIND_COUNT 8
/* "other", "dataset", "features", "feature columns", "model", "network", "network journal", "task models". */
LEMAN_API const char *leman_file_kind_name(leman_file_kind kind);
/* Looks at the beginning only; whether the rest is sound is for the reader of its kind. Pipes and devices, which can be
 * read once, are left alone: "other". */
LEMAN_API leman_status leman_file_kind_detect(leman_context *ctx, const char *path, leman_file_kind *kind);

#ifdef __cplusplus
}
#endif
#endif
