/* What the parts of the report page share: what is reported, and the sections in the order of the page. */
#ifndef LM_REPORT_H
#define LM_REPORT_H

#include "base/context.h"
#include "report/figures.h"
#include "report/page.h"

enum { LM_REPORT_NAME = 160, LM_REPORT_GRAPHS = 1000 /* in the Gram matrix and the kernel PCA, at most */ };

/* Graphs that are drawn alike: those of a class; in a regression, of a third of the targets. */
typedef struct lm_groups {
    size_t count;
    char (*name)[LM_NUMBER_TEXT + 16]; /* [count] "class 1" */
    const uint32_t *number;            /* [graphs] */
    size_t *size;                      /* [count] graphs in each */
} lm_groups;

/* Arrays of a report lie in the scratch arena until the page is written. */
typedef struct lm_report {
    leman_context *ctx;
    lm_output *out;
    const leman_dataset *data;  /* the graphs that take part: those with a class or a target */
    const leman_dataset *whole; /* all graphs, as splits number them */
    const size_t *number;       /* [graphs of data] their numbers there; NULL: all take part */
    const leman_shape *shape;
    leman_summary summary;
    const leman_method *method; /* [methods] */
    size_t methods;
    char (*name)[LM_REPORT_NAME]; /* [methods] */
    size_t *rank;                 /* [methods] the best first */
    lm_groups groups;             /* none in the page about several tasks */
    const char *command;          /* or NULL */
    bool regression;
    size_t target;     /* in a regression */
    const char *score; /* "accuracy (%)" */
    uint32_t *sample;  /* [sampled] the graphs of the Gram matrix and the kernel PCA, increasing */
    size_t sampled;
} lm_report;

/* The number of rounds chosen in most folds; among equals the fewest. */
uint32_t lm_report_rounds(const leman_evaluation *evaluation);

/* The number of a graph of the report's data among all graphs. */
static inline size_t lm_report_number(const lm_report *report, size_t graph)
{
    return report->number ? report->number[graph] : graph;
}

size_t lm_report_folds(const leman_evaluation *evaluation); /* of all repetitions */

/* A cell of a table: an accuracy, or an error with its significant digits; a dash for what is no number. */
void lm_report_cell(const lm_report *report, double score);
/* A margin around scores; accuracies stay between 0 and 100. */
void lm_report_widen(const lm_report *report, lm_axis *axis);

/* Groups by class, which all graphs of data have, in scratch. */
leman_status lm_groups_of_classes(leman_context *ctx, const leman_dataset *data, lm_groups *groups);

/* Colourings without assignment whose discriminative colours are drawn: on cards, under their explanation. */
typedef struct lm_report_coloring {
    const leman_kernel *kernels; /* [count] */
    size_t count;
    uint32_t rounds;
    const char *name;
} lm_report_coloring;
leman_status lm_report_colors(const lm_report *report, const lm_report_coloring *coloring);

/* The sections, in the order of the page. */
void lm_report_head(const lm_report *report);
void lm_report_data(const lm_report *report);
leman_status lm_report_scores(const lm_report *report);
leman_status lm_report_comparison(const lm_report *report); /* of several methods */
leman_status lm_report_cost(const lm_report *report);       /* the same */
leman_status lm_report_overfitting(const lm_report *report);
void lm_report_confusion(const lm_report *report);
leman_status lm_report_predictions(const lm_report *report);
leman_status lm_report_similarity(const lm_report *report);
leman_status lm_report_discriminative(const lm_report *report);
leman_status lm_report_times(const lm_report *report);
void lm_report_reproduce(const lm_report *report);

#endif
