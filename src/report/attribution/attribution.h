/* Functions that the page and the picture of attributions share. */
#ifndef LM_REPORT_ATTRIBUTION_H
#define LM_REPORT_ATTRIBUTION_H

#include "base/context.h"
#include "report/drawing/molecule_drawing.h"
#include "report/page.h"

/* Attributions of graphs of `data`, checked by lm_attributions_check(). */
typedef struct lm_attributions {
    leman_context *ctx;
    const leman_dataset *data;
    const leman_attribution *const *item; /* [count] */
    size_t count;
    double scale; /* common scale of all pictures: 90 % of them have their largest absolute value within it */
} lm_attributions;

/* Fails with LEMAN_ERROR_ARGUMENT if there are no attributions, or one does not fit a graph of the data. */
leman_status lm_attributions_check(leman_context *ctx, const leman_dataset *data,
                                   const leman_attribution *const *attributions, size_t count, lm_attributions *out);

/* Return the value that pictures show for a vertex or an edge. If the contributions and a rest add up to the score, the
 * rest is spread evenly over the vertices (or edges), so that the values shown add up to the score. Without this, the
 * bias of an SVM on vectors of length 1, which balances what all graphs have in common, would give all vertices one
 * colour. */
double lm_attribution_vertex(const leman_attribution *a, size_t vertex);
double lm_attribution_edge(const leman_attribution *a, size_t edge);

enum { LM_ATTRIBUTION_TEXT = 200 };
/* Writes the name of the graph, or "graph 7". Returns text. */
const char *lm_attribution_graph(const lm_attributions *all, size_t i, char text[LM_ATTRIBUTION_TEXT]);
/* Writes the prediction: "class active, probability 0.83, score +1.2", or "logP: 2.1". Returns text. */
const char *lm_attribution_prediction(const leman_attribution *a, char text[LM_ATTRIBUTION_TEXT]);

/* Returns true if the graph is not empty and small enough to be drawn. */
bool lm_attribution_drawable(const leman_attribution *a);
/* Writes the picture of attribution i. */
leman_status lm_attribution_picture(const lm_attributions *all, size_t i, lm_output *out,
                                    const lm_molecule_drawing_options *options);

#endif
