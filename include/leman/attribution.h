/*
 * leman/attribution.h - what made a prediction: how every vertex and edge of a graph adds to a score.
 */
#ifndef LEMAN_ATTRIBUTION_H
#define LEMAN_ATTRIBUTION_H

#include "leman/model.h"
#include "leman/network.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Methods --------------------------------------------------------------------------------- */

typedef enum leman_attribution_method {
    LEMAN_ATTRIBUTION_METHOD_AUTO, /* by weights where the model has them, else by leaving out */
    /* Models that are linear in counts of colours, exact: a tuple brings the weight of its colour in every round. */
    LEMAN_ATTRIBUTION_METHOD_WEIGHTS,
    /* Any model: the score of the graph less its score without the vertex (and its edges), or without the edge. */
    LEMAN_ATTRIBUTION_METHOD_LEAVE_ONE_OUT
} leman_attribution_method;
#define LEMAN_ATTRIBUTION_METHOD_COUNT 3
/* "auto", "weights", "leave-one-out". */
LEMAN_API const char *leman_attribution_method_name(leman_attribution_method method);
LEMAN_API leman_status leman_attribution_method_parse(leman_context *ctx, const char *name,
                                                      leman_attribution_method *method);

/* ---- Attributions ---------------------------------------------------------------------------- */

/* A training graph that a kernel SVM compares new graphs with. */
typedef struct leman_support {
    size_t graph;        /* its number in the training data */
    int64_t class_label; /* its class; LEMAN_CLASS_MISSING in a regression */
    const char *name;    /* its name, or "" */
    double similarity;   /* the normalized kernel with the graph, in 0 .. 1 */
    double contribution; /* to the score: those of all support graphs and the bias add up to it */
    double share;        /* the absolute contribution, of those of all support graphs together */
} leman_support;

/* Of one graph and one output. */
typedef struct leman_attribution {
    size_t graph;                    /* its number in the data */
    leman_attribution_method method; /* not AUTO */
    size_t output;                   /* which class (its number in class_label), target or task is explained */
    const char *column; /* the name of what is predicted: of the target, the task, the column of classes; or "" */
    const char *name;   /* of the class that is explained, of a task the larger: its word or number; "": a value is */
    int64_t label;      /* the same class; LEMAN_CLASS_MISSING: a value is explained */
    double score;       /* that is explained: a decision value, the log odds of a network's class, or a value */
    double probability; /* of the class; NAN: a value is explained */
    size_t vertices, edges;
    const double *vertex; /* [vertices] */
    const double *edge;   /* [edges] */
    const uint32_t *end;  /* [edges][2] the ends of each: undirected edges once, else every arc */
    /* WEIGHTS: vertex[] and rest add up to the score, and so do edge[] and edge_rest. NAN otherwise. rest is the bias,
     * and what marked vertices bring; edge_rest also has what isolated vertices bring. */
    double rest, edge_rest;
    size_t supports;              /* of models with support graphs: those with the largest contributions */
    const leman_support *support; /* [supports] the largest absolute contribution first */
    size_t all_supports;          /* that the model has */
    double bias;                  /* of the score: contributions of all support graphs and it add up to the score */
} leman_attribution;
LEMAN_API void leman_attribution_free(leman_attribution *attribution);

/* The class that is predicted. */
#define LEMAN_CLASS_PREDICTED SIZE_MAX

/*
 * What the vertices and edges of a graph contribute to the score of a class, by its number in class_label, or to the
 * value of a regression, where the number does not matter. By WEIGHTS a tuple brings the weight of its colour in every
 * round, and each vertex of the tuple has an equal share. The contributions of all vertices and the rest (the bias, and
 * the share of an apex) add up to the score. The edges have all of it once more: where components of a tuple are
 * adjacent, these pairs share what the tuple brings; otherwise the share of each component is spread evenly over its
 * edges. WEIGHTS is LEMAN_ERROR_UNSUPPORTED for models that are not linear in counts of colours: assignment kernels,
 * shortest paths, graphlets. Of a model with support graphs, at most max_supports are listed. Time: WEIGHTS takes that
 * of the refinement and O(rounds n^k log features); leaving out takes a prediction for each vertex and edge. The
 * attribution belongs to the caller: leman_attribution_free().
 */
LEMAN_API leman_status leman_model_attribute(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                                             size_t graph, size_t class_number, leman_attribution_method method,
                                             size_t max_supports, leman_attribution **out);
/* The same for an output of a network, by leaving out: the log odds of a class (by its number) or of the larger class
 * of a task, or the value of a target. LEMAN_CLASS_PREDICTED for networks of classes only. ctx is the context of
 * leman_predictor_new(). */
LEMAN_API leman_status leman_predictor_attribute(leman_context *ctx, leman_predictor *predictor,
                                                 const leman_dataset *data, size_t graph, size_t output,
                                                 leman_attribution **out);

#ifdef __cplusplus
}
#endif
#endif
