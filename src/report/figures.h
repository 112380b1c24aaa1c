/* What the figures of several pages have in common: axes that cover their data, a chart under its heading, predicted
 * against true values, confusion matrices. */
#ifndef LM_FIGURES_H
#define LM_FIGURES_H

#include "report/chart.h"

/* An axis that covers nothing yet. */
lm_axis lm_axis_empty(const char *label);
/* The axes of a chart that cover nothing yet get the range of all its series. */
void lm_chart_cover(lm_chart *chart);
/* The larger range for both axes, so that the diagonal is where they are equal. */
void lm_chart_square(lm_chart *chart);
/* A margin at both ends: a share of the range, at least `least`, and not beyond floor and ceiling; logarithmic: the
 * factor 1 + share. */
void lm_axis_widen(lm_axis *axis, double share, double least, double floor, double ceiling);

/* Opens a <figure>: heading (or NULL), chart, legend. The caller closes it behind its caption. */
void lm_figure_begin(lm_output *out, const char *heading, const lm_chart *chart);
/* The same with a dot at (target, predicted) for each graph, and the diagonal. */
void lm_figure_predictions(lm_output *out, const char *heading, double height, const double *target,
                           const double *predicted, size_t count);

enum { LM_CONFUSION_CLASSES = 12 }; /* in a table, at most */
/* A <figure> of counts[classes][classes], rows the true classes, columns the predicted ones; name(user, c) is a class.
 * percent: of the row. */
typedef const char *lm_class_name(const void *user, size_t c);
void lm_figure_confusion(lm_output *out, size_t classes, lm_class_name *name, const void *user, const uint64_t *counts,
                         bool percent);

#endif
