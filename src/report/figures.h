/* Figures that several pages share: axes that cover their data, a chart with its heading, predicted against true
 * values, confusion matrices. */
#ifndef LM_FIGURES_H
#define LM_FIGURES_H

#include "report/chart.h"

/* Gives both axes the union of their ranges, so that the diagonal is y = x. */
void lm_chart_square(lm_chart *chart);
/* Widens the range at both ends by a margin: `share` of the range, at least `least`, but not beyond floor and ceiling.
 * A logarithmic axis is widened by the factor 1 + share. */
void lm_axis_widen(lm_axis *axis, double share, double least, double floor, double ceiling);

/* Opens a <figure> with heading (or NULL), chart and legend. The caller writes the caption and closes the figure. */
void lm_figure_begin(lm_output *out, const char *heading, const lm_chart *chart);
/* Like lm_figure_begin(), for a chart with a dot at (target, predicted) for each graph, and the diagonal. */
void lm_figure_predictions(lm_output *out, const char *heading, double height, const double *target,
                           const double *predicted, size_t count);

enum { LM_CONFUSION_CLASSES = 12 }; /* the most classes in a table */
/* Writes a <figure> of counts[classes][classes]; rows are true classes, columns predicted ones. percent: show
 * percentages of the row. */
void lm_figure_confusion(lm_output *out, size_t classes, const char *const *name, const uint64_t *counts, bool percent);

#endif
