/* What the page and the picture of attributions share. */
#ifndef LM_REPORT_ATTRIBUTION_H
#define LM_REPORT_ATTRIBUTION_H

#include "base/context.h"
#include "report/drawing/molecule_drawing.h"
#include "report/page.h"

/* Attributions of graphs of the data, checked. */
typedef struct lm_attributions {
    leman_context *ctx;
    const leman_dataset *data;
    const leman_attribution *const *item; /* [count] */
    size_t count;
    double scale; /* of all pictures: nine of ten have their largest number within it */
} lm_attributions;

/* LEMAN_ERROR_ARGUMENT where there are none, or one is of another graph. */
leman_status lm_attributions_check(leman_context *ctx, const leman_dataset *data,
                                   const leman_attribution *const *attributions, size_t count, lm_attributions *out);

/* What pictures show of a vertex or an edge. Where contributions and the rest add up to the score, the rest is spread
 * evenly, so that what is shown adds up to it: the bias of an SVM on vectors of length 1 balances what all graphs have,
 * which would have one colour everywhere. */
double lm_attribution_vertex(const leman_attribution *a, size_t vertex);
double lm_attribution_edge(const leman_attribution *a, size_t edge);

enum { LM_ATTRIBUTION_TEXT = 200 };
/* The name of the graph, or "graph 7". */
const char *lm_attribution_graph(const lm_attributions *all, size_t i, char text[LM_ATTRIBUTION_TEXT]);
/* "class active, probability 0.83, score +1.2"; "logP 2.1". */
const char *lm_attribution_prediction(const leman_attribution *a, char text[LM_ATTRIBUTION_TEXT]);

/* Is the graph small enough to be drawn? */
bool lm_attribution_drawable(const leman_attribution *a);
/* One picture. */
leman_status lm_attribution_picture(const lm_attributions *all, size_t i, lm_output *out,
                                    const lm_molecule_drawing_options *options);

#endif
