/*
 * A model: what an SVM on features needs to predict for new graphs. phi(G) is the vector of compact features of the
 * model's kernels (kernel/features/features.h). |phi(G)|^2 = k(G, G) counts all colours of G, also those that no training graph
 * has.
 *
 *   weights     decision_m(G) = bias_m + sum over columns c of weight_mc phi_c(G) / |phi(G)|
 *   supports    decision_m(G) = bias_m + sum over support graphs S of coefficient_mS k(G, S) / sqrt(k(G, G) k(S, S))
 *
 * A kernel SVM whose kernel is a product of features has weights too: the sum of coefficient_mS phi(S) / |phi(S)| over
 * S. Only kernels that are sums of minima need their support graphs.
 */
#ifndef LM_MODEL_H
#define LM_MODEL_H

#include "base/context.h"
#include "base/file.h"
#include "base/serialize.h"
#include "graph/dataset.h"
#include "learn/model/domain.h"
#include "svm/calibrate.h"

/* Which training graphs the support graphs are. */
typedef struct lm_support_origin {
    uint64_t *graph, *name_end; /* [supports] graph numbers in the training data; ends of names in `name` */
    int64_t *label;             /* [supports] class labels; LEMAN_CLASS_MISSING in a regression */
    char *name;                 /* all names, concatenated */
} lm_support_origin;

struct leman_model {
    leman_model_shape shape; /* sizes, options of the fit and the data; its pointers are set by lm_model_set_shape() */
    leman_kernel
        *kernel; /* [shape.kernels] in normal form, with the chosen rounds; ignore labels that the data lacked */
    char *data_name;
    int64_t *label;    /* [shape.classes] */
    char **class_name; /* [shape.classes]; NULL: no class has a name */
    char *target_name; /* NULL: none */
    lm_multiclass multiclass;
    size_t outputs;                   /* number of decisions for each graph */
    bool gaussian;                    /* the training graphs of a Gaussian process (learn/gaussian/gp.h) */
    double *bias;                     /* [outputs] */
    double *mean;                     /* [outputs] mean decision of the training graphs; NULL: unknown (old files) */
    lm_platt *sigmoid;                /* [outputs]; unused in a regression */
    leman_features features;          /* the columns; the rows are the support graphs */
    float *weight;                    /* [columns][outputs]; NULL: the model has support graphs */
    double *coefficient;              /* [supports][outputs]; NULL: the model has weights */
    lm_support_origin origin;         /* of the support graphs */
    lm_domain domain;                 /* what is kept of the training graphs, for probabilities and intervals */
    lm_attribute_scale scale;         /* of vertex attributes, if a kernel has binnings */
    const leman_kernel **kernel_list; /* [shape.kernels] pointers into kernel, for `shape` */
};

/* Completes model->shape, which leman_model_describe() returns. All other members must be complete. */
leman_status lm_model_set_shape(leman_context *ctx, leman_model *model);
/* Copies the names of the model's classes, and the name of what is predicted, into the model. If target_name is NULL,
 * the name of the target is the one in the data. */
leman_status lm_model_set_names(leman_context *ctx, leman_model *model, const leman_dataset *data,
                                const char *target_name);
/* Completes model->origin with labels and names. origin.graph[] must hold the numbers of the support graphs: indices
 * into known[], or numbers of graphs in data if known is NULL. */
leman_status lm_model_set_origin(leman_context *ctx, leman_model *model, const leman_dataset *data,
                                 const size_t *known);
/* Reads a model from bytes in memory, with the path only in messages, or from the file if bytes.data is NULL. */
leman_status lm_model_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_model **out);
/* Like lm_model_parse(), for a file with the models of several tasks. Free them with leman_models_free(). */
leman_status lm_models_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_model ***out, size_t *count);
#define LM_MODEL_VERSION 5 /* of all files with models */
#define LM_MODEL_MAGIC "LEMANSV\n"
#define LM_TASK_MODELS_MAGIC "LEMANMT\n"
/* Write and read the body of a model file. gaussian: of a Gaussian process, which has support graphs for every kernel. */
leman_status lm_model_save(lm_serializer *serializer, const leman_model *model);
leman_status lm_model_load(lm_serializer *serializer, bool gaussian, leman_model **out);

/* Writes factor[outputs] such that the score of the class is the sum over outputs of factor * decision. The score that
 * leman_model_predict() reports is that of the predicted class. */
void lm_model_class_factors(const leman_model *model, size_t class_number, double *factor);
/* Computes score[graphs], and similarity[graphs][supports] of a model with support graphs; similarity may be NULL. */
leman_status lm_model_class_scores(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                                   const double *factor, double *score, double *similarity);

/* Returns true if a kernel of the model uses vertex attributes, which the model standardises as those of its training
 * data. */
bool lm_model_has_binnings(const leman_model *model);
/* Checks that data has what the model's kernels need; otherwise fails with LEMAN_ERROR_INPUT. If the model uses marked
 * vertices (apex) or of attributes, *own becomes a copy of the data with them, to be used in its place; otherwise *own is unchanged. */
leman_status lm_model_view(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                           leman_dataset **own);

#endif
