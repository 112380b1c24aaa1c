/* The published results of the kernels, to stand beside ours. Figures only; what they mean is in docs/reproduction.md.
 */
#ifndef LM_PUBLISHED_H
#define LM_PUBLISHED_H

#include <stdbool.h>
#include <stddef.h>

/* Rows and columns in the order of the published tables. */
typedef enum lm_paper_method {
    LM_PAPER_GR,
    LM_PAPER_SP,
    LM_PAPER_WL1,
    LM_PAPER_WLOA,
    LM_PAPER_WL2,
    LM_PAPER_WL3,
    LM_PAPER_DWL2,
    LM_PAPER_DWL3,
    LM_PAPER_LWL2,
    LM_PAPER_LWLP2,
    LM_PAPER_LWL3,
    LM_PAPER_LWLP3,
    LM_PAPER_METHODS
} lm_paper_method;

typedef enum lm_paper_set {
    LM_PAPER_ENZYMES,
    LM_PAPER_IMDB_BINARY,
    LM_PAPER_IMDB_MULTI,
    LM_PAPER_NCI1,
    LM_PAPER_NCI109,
    LM_PAPER_PTC_FM,
    LM_PAPER_PROTEINS,
    LM_PAPER_REDDIT_BINARY,
    LM_PAPER_SETS
} lm_paper_set;

typedef enum lm_paper_part {
    LM_PAPER_TEST,    /* test accuracy in percent, deviation over ten repetitions */
    LM_PAPER_TRAIN,   /* training accuracy in percent, of the methods and sets that have one */
    LM_PAPER_SECONDS, /* of a Gram matrix, five rounds, one core */
    LM_PAPER_RATIO    /* seconds over those of delta-2-LWL, as printed */
} lm_paper_part;

typedef enum lm_figure_kind {
    LM_FIGURE_NONE, /* not in the tables */
    LM_FIGURE_NUMBER,
    LM_FIGURE_BELOW,  /* less than value */
    LM_FIGURE_MEMORY, /* out of memory */
    LM_FIGURE_TIME    /* out of time: one day */
} lm_figure_kind;

typedef struct lm_figure {
    lm_figure_kind kind;
    bool misprint; /* what is printed can hardly be meant */
    bool spread_known;
    double value, spread;
} lm_figure;

lm_figure lm_published(lm_paper_part part, lm_paper_method method, lm_paper_set set);

/* "delta-2-LWL+" for scripts, "δ-2-LWL+" for pages, "LWLP2" as kernels are named. */
const char *lm_paper_method_name(lm_paper_method method);
const char *lm_paper_method_title(lm_paper_method method);
const char *lm_paper_method_kernel(lm_paper_method method);
const char *lm_paper_set_name(lm_paper_set set);

#endif
