/* Attributions: the list of edges of a graph, the contributions of vertices and edges to a score, and scores of graphs
 * without one vertex or edge. */
#ifndef LM_ATTRIBUTION_H
#define LM_ATTRIBUTION_H

#include "learn/model/model.h"
#include "leman/attribution.h"

/* Lists the edges of a graph. An undirected edge is listed once, the smaller end first; a directed graph lists every
 * arc. Returns the number of edges and writes end[edges][2] if end is not NULL. */
size_t lm_graph_edges(const leman_graph *graph, uint32_t *end);

/* Input: the edges. Output: the contribution of each edge, and the part of the score that belongs to no edge. */
typedef struct lm_edge_sharing {
    size_t count;
    const uint32_t *end; /* [count][2] */
    double *edge, rest;  /* [count]; rest: one number */
} lm_edge_sharing;

/* The score that is explained. center: the mean score of the training graphs, or the bias if the mean is not known. */
typedef struct lm_explained_score {
    const double *factor; /* [outputs] of lm_model_class_factors() */
    double score, bias, center;
} lm_explained_score;

/* Computes the contributions of the vertices and edges of one graph to a score by LEMAN_ATTRIBUTION_METHOD_WEIGHTS.
 * *rest is the part of the score that belongs to no vertex, the centre and the part of an apex: vertex[vertices] and
 * *rest add up to the score, and so do edges->edge[] and edges->rest. The caller must have checked the arguments. */
leman_status lm_model_contributions(leman_context *ctx, const leman_model *model, const leman_dataset *one,
                                    const lm_explained_score *score, double *vertex, double *rest,
                                    lm_edge_sharing *edges);
/* Fails with LEMAN_ERROR_UNSUPPORTED unless lm_model_contributions() can explain the model: unless all kernels are
 * colourings. ctx may be NULL. */
leman_status lm_model_check_contributions(leman_context *ctx, const leman_model *model);
/* Like lm_model_check_contributions(), and the model must have weights of features. */
leman_status lm_model_check_weights(leman_context *ctx, const leman_model *model);

/* Computes score[graphs of data] with whatever is being explained, which `user` points to. */
typedef leman_status lm_scorer(leman_context *ctx, void *user, const leman_dataset *data, double *score);
/* Writes the score of one graph to *score. vertex[] and edges->edge[] get that score minus the score of the graph
 * without the vertex or edge. Time: one prediction for every vertex and edge. */
leman_status lm_leave_one_out(leman_context *ctx, const leman_dataset *data, size_t graph, lm_scorer *scorer,
                              void *user, double *score, double *vertex, lm_edge_sharing *edges);

#endif
