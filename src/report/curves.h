/* Curves of probabilities against what is true: ROC, precision and recall, reliability; errors by similarity. */
#ifndef LM_CURVES_H
#define LM_CURVES_H

#include "base/context.h"
#include "report/figures.h"

/* Probabilities of the positive class for graphs whose class is known. */
typedef struct lm_judged {
    const double *probability; /* [count] */
    const bool *positive;      /* [count] */
    size_t count, positives;
} lm_judged;

enum { LM_CURVE_POINTS = 400 /* the most points of a curve */, LM_BINS = 10 /* of probabilities, equally wide */ };

/* A curve from one threshold to the next, and the area below it. */
typedef struct lm_curve {
    size_t count;
    double *x, *y; /* [count] in 0 .. 1; at most LM_CURVE_POINTS of the exact curve */
    double area;   /* of the exact curve; NAN if one of the two classes has no graph */
} lm_curve;
/* Computes the ROC curve: the share of the positive graphs (y) against the share of the others (x) with a probability
 * from a threshold on. Its area is the share of pairs in the right order; equal probabilities count half.
 * O(count log count). */
leman_status lm_curve_roc(leman_context *ctx, const lm_judged *judged, lm_curve *out);
/* Computes precision (y) against recall (x). The area is the average precision, the sum of precision times increase of
 * recall over all thresholds. O(count log count). */
leman_status lm_curve_precision(leman_context *ctx, const lm_judged *judged, lm_curve *out);

/* A bin of values: how many, the mean value, the mean of what was observed, and half of its 95 % interval. */
typedef struct lm_curve_bin {
    double value, observed, spread, low, high; /* low .. high: the bin */
    size_t count;
} lm_curve_bin;
/* Fills LM_BINS bins of probabilities, of width 1 / LM_BINS; `observed` is the share of positive graphs. Bins without
 * graphs have NAN. *brier becomes the mean squared difference of probability and truth, *error the mean over graphs of
 * |value - observed| of their bins. */
void lm_reliability(const lm_judged *judged, lm_curve_bin bin[LM_BINS], double *brier, double *error);
/* Fills at most `most` bins of about equal counts, of pairs (value, observed) sorted by value. Equal values are in one
 * bin. Returns the number of bins. O(count log count). */
size_t lm_bins_of_pairs(double (*pair)[2], size_t count, size_t most, lm_curve_bin *bin);

/* Pairs of a similarity to the training graphs and an error: absolute, or 100 for a wrong class and 0 for the right one. */
typedef struct lm_error_figure {
    double (*pair)[2]; /* [count] sorted by the function */
    size_t count;
    bool classes;
    unsigned style;
    const char *graphs, *among; /* what the graphs are; what follows "nearest training graphs" */
} lm_error_figure;
enum { LM_LEAST_ERRORS = 30 };
/* Writes a figure of mean errors by similarity, with a table. Writes nothing for fewer than LM_LEAST_ERRORS pairs. */
leman_status lm_figure_errors(leman_context *ctx, lm_output *out, const lm_error_figure *figure);

/* A method or a task with its probabilities. */
typedef struct lm_curve_row {
    const char *name;
    lm_judged judged;
    unsigned style;
} lm_curve_row;
/* Write figures with a curve for each row. `positive` is the name of the positive class. */
leman_status lm_figure_roc(leman_context *ctx, lm_output *out, const lm_curve_row *row, size_t rows);
leman_status lm_figure_precision(leman_context *ctx, lm_output *out, const lm_curve_row *row, size_t rows,
                                 const char *positive);
/* Writes a figure of the reliability of all rows, and the table of the first one. */
leman_status lm_figure_reliability(leman_context *ctx, lm_output *out, const lm_curve_row *row, size_t rows,
                                   const char *positive);

#endif
