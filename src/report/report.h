/* Data that the parts of the report page share, and its sections in the order of the page. */
#ifndef LM_REPORT_H
#define LM_REPORT_H

#include "base/context.h"
#include "report/curves.h"
#include "report/page.h"

enum { LM_REPORT_NAME = 160, LM_REPORT_GRAPHS = 1000 /* the most graphs in the Gram matrix and the kernel PCA */ };

/* Groups of graphs with the same mark: the graphs of a class or, in a regression, of a third of the targets. */
typedef struct lm_groups {
    size_t count;
    char (*name)[LM_NUMBER_TEXT + 16]; /* [count] "class 1" */
    const uint32_t *number;            /* [graphs] the group of each graph */
    size_t *size;                      /* [count] number of graphs in each */
} lm_groups;

/* The arrays of a report are in the scratch arena until the page is written. */
typedef struct lm_report {
    leman_context *ctx;
    lm_output *out;
    const leman_dataset *data;  /* the graphs with a class or a target */
    const leman_dataset *whole; /* all graphs, as numbered by the splits */
    const size_t *number;       /* [graphs of data] their numbers in `whole`; NULL: data is the whole */
    const leman_shape *shape;
    leman_summary summary;
    const leman_method *method;   /* all methods; the number of a method is also that of its colour and mark */
    char (*name)[LM_REPORT_NAME]; /* of all methods */
    size_t methods;               /* all methods; in sections about kernels, the kernels */
    size_t *rank;                 /* [methods] the numbers of these methods, best first */
    lm_groups groups;             /* empty in the page about several tasks */
    const char *command;          /* may be NULL */
    bool regression;
    size_t target;     /* column of the target in a regression */
    const char *score; /* name of the score: "accuracy (%)" */
    uint32_t *sample;  /* [sampled] graphs in the Gram matrix and the kernel PCA, increasing */
    size_t sampled;
} lm_report;

/* Writes the name of a method, the sum of these kernels, as it is printed. */
void lm_report_method(const leman_kernel *kernels, size_t count, char text[LM_REPORT_NAME]);
/* Returns the number of rounds that was selected in most folds; the smallest one in a tie. */
uint32_t lm_report_rounds(const leman_evaluation *evaluation);

/* Returns the number, in `whole`, of a graph of the report's data. */
static inline size_t lm_report_number(const lm_report *report, size_t graph)
{
    return report->number ? report->number[graph] : graph;
}

/* If some graphs have no class (target: LEMAN_NO_TARGET) or no target, makes *known the data of the report, with the
 * numbers of its graphs in report->number; otherwise report->whole is its data. Sets report->shape. */
leman_status lm_report_known(lm_report *report, size_t target, leman_dataset **known);

size_t lm_report_folds(const leman_evaluation *evaluation); /* number of folds of all repetitions */
/* Returns how the splits were made, for readers: "by scaffold, ...". */
const char *lm_report_splits(const leman_splits *splits);

/* Writes a cell of a table: an accuracy with fixed decimals, or an error with significant digits; a dash if it is not
 * finite. */
void lm_report_cell(const lm_report *report, double score);
/* Adds a margin to a range of scores. Accuracies have 0 as lower limit and 101 as upper limit. */
void lm_report_widen(const lm_report *report, lm_axis *axis);

/* A row of a chart of scores: a method, a repetition or a task. */
typedef struct lm_score_row {
    const char *name;
    double mean, deviation, baseline; /* deviation: NAN: not drawn */
    unsigned style;                   /* of the mean */
    const double *fold;               /* the score in the first of `folds` elements of leman_fold */
    size_t folds;
} lm_score_row;
/* Opens a figure (see lm_figure_begin()) with the first row at the bottom. Title, description and x axis of the chart
 * are set by the caller. `baseline` is the name of the baselines in the legend; NULL: they are not drawn. */
leman_status lm_report_rows_chart(const lm_report *report, const char *heading, const char *baseline, lm_chart *chart,
                                  const lm_score_row *row, size_t count);

/* Sets the groups to the classes; all graphs of data must have a class. The arrays are allocated in scratch memory. */
leman_status lm_groups_of_classes(leman_context *ctx, const leman_dataset *data, lm_groups *groups);

/* A method without assignment kernels whose most discriminative colours are drawn. */
typedef struct lm_report_coloring {
    const leman_kernel *kernels; /* [count] */
    size_t count;
    uint32_t rounds;
    const char *name;
} lm_report_coloring;
/* Writes a paragraph of explanation, and a card for each discriminative colour. */
leman_status lm_report_colors(const lm_report *report, const lm_report_coloring *coloring);
/* Writes a paragraph, and a card for each feature of a model with a large effect on its score. The model must be linear in
 * counts of colours of graphs without marked vertices. */
leman_status lm_report_substructures(leman_context *ctx, lm_output *out, const leman_model *model,
                                     const leman_dataset *data);

/* Sets *out to the probabilities of an evaluation of two classes, in its first repetition, for graphs whose class is
 * known. truth[graphs of the splits]: 1 for the second class, 0 for the first, -1 for no class. In scratch memory. */
leman_status lm_report_judged(leman_context *ctx, const leman_evaluation *evaluation, const int8_t *truth,
                              lm_judged *out);

/* Write the sections, in the order of the page. */
void lm_report_head(const lm_report *report);
void lm_report_data(const lm_report *report);
leman_status lm_report_scores(const lm_report *report);
leman_status lm_report_comparison(const lm_report *report); /* if there are several methods */
leman_status lm_report_cost(const lm_report *report);       /* if there are several methods */
leman_status lm_report_overfitting(const lm_report *report);
void lm_report_confusion(const lm_report *report);
leman_status lm_report_predictions(const lm_report *report);
leman_status lm_report_curves(const lm_report *report); /* of two classes */
leman_status lm_report_similarity(const lm_report *report);
leman_status lm_report_discriminative(const lm_report *report);
leman_status lm_report_times(const lm_report *report);
void lm_report_reproduce(const lm_report *report);

#endif
