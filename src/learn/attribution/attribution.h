/* Attributions: the edges of a graph as a list, the score shared among them, and graphs without one vertex or edge. */
#ifndef LM_ATTRIBUTION_H
#define LM_ATTRIBUTION_H

#include "learn/model.h"
#include "leman/attribution.h"

/* The edges of a graph: undirected ones once, the smaller end first; else every arc. Returns how many; end[edges][2] is
 * written where it is not NULL. */
size_t lm_graph_edges(const leman_graph *graph, uint32_t *end);

/* In: which edges there are. Out: what each contributes, and what none does. */
typedef struct lm_edge_sharing {
    size_t count;
    const uint32_t *end; /* [count][2] */
    double *edge, rest;  /* [count] */
} lm_edge_sharing;

/* The contributions of the vertices and edges of one graph to the score of a class by LEMAN_ATTRIBUTION_METHOD_WEIGHTS.
 * vertex[vertices] and *rest, what no vertex contributes, add up to the score, and so do the edges and their rest. The
 * caller has checked the arguments. */
leman_status lm_model_contributions(leman_context *ctx, const leman_model *model, const leman_dataset *one,
                                    size_t class_number, double *vertex, double *rest, lm_edge_sharing *edges);
/* Can it? The same with a sentence, LEMAN_ERROR_UNSUPPORTED. */
bool lm_model_has_contributions(const leman_model *model);
leman_status lm_model_check_contributions(leman_context *ctx, const leman_model *model);

/* score[graphs of data], of whatever is explained. */
typedef leman_status lm_scorer(leman_context *ctx, void *user, const leman_dataset *data, double *score);
/* The score of one graph into *score; into vertex[] and edge[], by how much it is larger than without each of them. */
leman_status lm_leave_one_out(leman_context *ctx, const leman_dataset *data, size_t graph, lm_scorer *scorer,
                              void *user, double *score, double *vertex, lm_edge_sharing *edges);

#endif
