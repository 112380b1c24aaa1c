/*
 * A model: what an SVM on features needs to predict for new graphs. phi(G) are the compact features of its kernels
 * (kernel/features.h), |phi(G)|^2 = k(G, G) with all colours of G, also those that no training graph had.
 *
 *   weights     decision_m(G) = bias_m + sum over columns c of weight_mc phi_c(G) / |phi(G)|
 *   supports    decision_m(G) = bias_m + sum over support graphs S of coefficient_mS k(G, S) / sqrt(k(G, G) k(S, S))
 *
 * A kernel SVM on products has weights too, sum of coefficient_mS phi(S) / |phi(S)|; only sums of minima
 * need their support graphs.
 */
#ifndef LM_MODEL_H
#define LM_MODEL_H

#include "base/context.h"
#include "base/file.h"
#include "base/serialize.h"
#include "svm/calibrate.h"

/* Where support graphs come from. */
typedef struct lm_support_origin {
    uint64_t *graph, *name_end; /* [supports] their numbers in the training data; where their names end */
    int64_t *label;             /* [supports] their classes; LEMAN_CLASS_MISSING in a regression */
    char *name;                 /* all names, one behind the other */
} lm_support_origin;

struct leman_model {
    lm_allocator allocator;
    leman_svm svm;        /* LINEAR or KERNEL */
    leman_kernel *kernel; /* [kernels] in normal form, with the chosen rounds, ignoring labels that there were not */
    size_t kernels;
    uint32_t rounds;
    double C, score;
    leman_score selected_by; /* what score is */
    bool regression, apex, directed;
    size_t vertex_labels, edge_labels; /* columns that are looked at */
    char *data_name;
    size_t data_graphs, folds, target;
    uint64_t data_checksum, seed;
    size_t classes;    /* 0 in a regression */
    int64_t *label;    /* [classes] */
    char **class_name; /* [classes]; NULL: no class has a name */
    char *target_name; /* NULL: none */
    lm_multiclass multiclass;
    size_t outputs;                   /* decisions for each graph */
    double *bias;                     /* [outputs] */
    lm_platt *sigmoid;                /* [outputs]; not used in a regression */
    leman_features features;          /* the columns; its rows are the support graphs */
    float *weight;                    /* [columns][outputs]; NULL: supports */
    double *coefficient;              /* [supports][outputs]; NULL: weights */
    lm_support_origin origin;         /* of the support graphs */
    const leman_kernel **kernel_list; /* [kernels] into kernel, for the shape */
    leman_model_shape shape;          /* of all that, by lm_model_set_shape() */
};

leman_status lm_model_new(leman_context *ctx, leman_model **out);
/* What leman_model_describe() returns, once the model is complete. */
leman_status lm_model_set_shape(leman_context *ctx, leman_model *model);
/* Keeps the names that data has for the model's classes, and that of what is predicted; target_name NULL: as data names
 * the model's target. */
leman_status lm_model_set_names(leman_context *ctx, leman_model *model, const leman_dataset *data,
                                const char *target_name);
/* Completes the origin, which has the numbers of the support graphs among known[] of the data, or among all graphs. */
leman_status lm_model_set_origin(leman_context *ctx, leman_model *model, const leman_dataset *data,
                                 const size_t *known);
/* From bytes in memory; path is for messages. */
leman_status lm_model_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_model **out);
/* The same of several tasks: leman_models_free() them. */
leman_status lm_models_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_model ***out, size_t *count);
#define LM_MODEL_MAGIC "LEMANSV\n"
#define LM_TASK_MODELS_MAGIC "LEMANMT\n"
/* Writes or reads the body of a file. */
leman_status lm_model_serialize(lm_serializer *serializer, leman_model *model);

/* The score of a class is the sum of the decisions times factor[outputs]; that of the predicted class is what
 * leman_model_predict() calls its score. */
void lm_model_class_factors(const leman_model *model, size_t class_number, double *factor);
/* score[graphs], and similarity[graphs][supports] of models with support graphs, or NULL. */
leman_status lm_model_class_scores(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                                   const double *factor, double *score, double *similarity);

/* Graphs as the model's kernels look at them: *own is NULL, or a copy with the marked vertices in place of data.
 * LEMAN_ERROR_INPUT where something is missing. */
leman_status lm_model_view(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                           leman_dataset **own);

#endif
