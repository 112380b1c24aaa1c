/*
 * leman/attribution.h - explanations of predictions: the contribution of every vertex and edge of a graph to a score.
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
    LEMAN_ATTRIBUTION_METHOD_AUTO, /* WEIGHTS if the model allows it, otherwise LEAVE_ONE_OUT */
    /* Exact, for models that are linear in counts of colours: a tuple contributes the marginal effects of its colours. */
    LEMAN_ATTRIBUTION_METHOD_WEIGHTS,
    /* Any model: the score of the graph minus its score without the vertex (and its edges), or without the edge. */
    LEMAN_ATTRIBUTION_METHOD_LEAVE_ONE_OUT
} leman_attribution_method;
#define LEMAN_ATTRIBUTION_METHOD_COUNT 3
/* Names: "auto", "weights", "leave-one-out". */
LEMAN_API const char *leman_attribution_method_name(leman_attribution_method method);
LEMAN_API leman_status leman_attribution_method_parse(leman_context *ctx, const char *name,
                                                      leman_attribution_method *method);

/* ---- Attributions ---------------------------------------------------------------------------- */

/* A training graph that a kernel SVM compares new graphs with. */
typedef struct leman_support {
    size_t graph;        /* its number in the training data */
    int64_t class_label; /* its class; LEMAN_CLASS_MISSING in a regression */
    const char *name;    /* its name, or "" */
    double similarity;   /* the normalised kernel of both graphs, in 0 .. 1 */
    double contribution; /* to the score; the contributions of all support graphs and the bias add up to the score */
    double share;        /* |contribution| divided by the sum of |contribution| over all support graphs */
} leman_support;

/* The attribution of one output for one graph. */
typedef struct leman_attribution {
    size_t graph;                    /* its number in the data */
    leman_attribution_method method; /* not AUTO */
    size_t output;                   /* index of the explained class (in class_label), target or task */
    const char *column;              /* name of the predicted target, task or column of classes, or "" */
    const char *name;   /* the explained class (of a task: the larger), word or number; "" if a value is explained */
    int64_t label;      /* the explained class; LEMAN_CLASS_MISSING if a value is explained */
    double score;       /* a decision value, the log odds of a class of a network, or a value */
    double probability; /* of the class; NAN if a value is explained */
    size_t vertices, edges;
    const double *vertex; /* [vertices] contributions */
    const double *edge;   /* [edges] contributions */
    const uint32_t *end;  /* [edges][2] the two vertices; undirected edges once, otherwise every arc */
    /* WEIGHTS: the sum of vertex[] and rest is the score; so is the sum of edge[] and edge_rest. rest is the bias and
     * the contribution of marked vertices (apex); edge_rest also has that of isolated vertices. Otherwise NAN. */
    double rest, edge_rest;
    size_t supports;              /* models with support graphs: number of support graphs that are listed */
    const leman_support *support; /* [supports] the largest absolute contributions, decreasing */
    size_t all_supports;          /* number of support graphs of the model */
    double bias;                  /* of the score, see contribution in leman_support and centered */
    /* WEIGHTS: features are centred on their means over the training graphs, so that the bias (with support graphs: rest)
     * is the mean score of the training graphs. False for models of older files, which do not have the mean. */
    bool centered;
    double similarity, domain; /* of the graph, by leman_model_domain(); NAN for networks */
} leman_attribution;
LEMAN_API void leman_attribution_free(leman_attribution *attribution);

/* A class_number or output that means the predicted class. */
#define LEMAN_CLASS_PREDICTED SIZE_MAX

/*
 * Computes the contributions of the vertices and edges of a graph to the score of a class (class_number is an index
 * into class_label) or to the value of a regression. With WEIGHTS a tuple contributes the marginal effect of its colour in
 * round r, the derivative of the score by the count of the colour. The vertices that the colour depends on share
 * it in the proportion of 2^-d: those at distance d <= r (1-WL, delta-k-LWL), or its own. All effects add up to 0; the score less
 * the mean score of the training graphs is spread evenly over the vertices. The vertices and the rest (the mean score, and
 * the share of an apex) add up to the score. Edges do so too: those between these vertices share by the smaller share; without one, the vertices spread theirs evenly.
 * Models of minima of counts (assignment kernels) have the derivative from below; there the effects do not add up to 0, and the score less the mean score
 * and all effects is spread. WEIGHTS fails with LEMAN_ERROR_UNSUPPORTED for models of other kernels (shortest paths, graphlets). At most max_supports
 * support graphs are listed. Time: WEIGHTS takes the refinement, O(rounds n^k log features) and the features of all support graphs; LEAVE_ONE_OUT takes a prediction
 * for each vertex and edge. Free with leman_attribution_free().
 */
LEMAN_API leman_status leman_model_attribute(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                                             size_t graph, size_t class_number, leman_attribution_method method,
                                             size_t max_supports, leman_attribution **out);
/* Computes, with LEAVE_ONE_OUT, the contributions to an output of a network: the log odds of a class (by its index) or
 * of the larger class of a task, or the value of a target. LEMAN_CLASS_PREDICTED is allowed only for networks of
 * classes. ctx must be the context of leman_predictor_new(). */
LEMAN_API leman_status leman_predictor_attribute(leman_context *ctx, leman_predictor *predictor,
                                                 const leman_dataset *data, size_t graph, size_t output,
                                                 leman_attribution **out);

#ifdef __cplusplus
}
#endif
#endif
