/* How near graphs are to the training graphs of a model, and what follows for probabilities and intervals. */
#ifndef LM_DOMAIN_H
#define LM_DOMAIN_H

#include "base/serialize.h"
#include "graph/dataset.h"

/* What a model keeps of its training graphs. */
typedef struct lm_domain {
    leman_features
        reference;    /* rows: reference graphs; columns: their colours; no rows: of a feature file or old file */
    double knot;      /* similarity from which a graph is inside; 0 without references */
    double *base;     /* [classes] share of each class among the training graphs, by weight; NULL in a regression */
    double *target;   /* regression: [references] their targets; NULL: unknown (files before version 5) */
    double spread[3]; /* regression: expected error of a graph like a reference, and how much it grows with the distance
                       * 1 - similarity and with the deviation */
    double *score;    /* regression: [scores] increasing quantiles of error / expected error */
    size_t scores;    /* 0: unknown */
} lm_domain;

/* The cross-validation that a model was calibrated by. */
typedef struct lm_validated {
    const leman_splits *splits;
    const uint32_t *class_number; /* [graphs], or NULL in a regression */
    const double *target, *value; /* regression: [graphs] targets and predictions */
    size_t classes;
    const double *weight; /* [graphs] for the shares of the classes; NULL: 1 each */
    const int8_t *bound;  /* [graphs] of the targets, as in lm_training_set: the errors of bounds are not known */
} lm_validated;

/* Makes the domain of a model whose kernels are complete. data NULL: the graphs of a feature file, of which no
 * reference can be kept. Time: a refinement by 1-WL, and the similarities of all graphs to at most 1000. */
leman_status lm_domain_fit(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                           const lm_validated *validated, lm_domain *domain);
void lm_domain_clear(lm_domain *domain);
leman_status lm_domain_serialize(lm_serializer *serializer, lm_domain *domain, size_t classes);

/* Writes similarity[graphs], in 0 .. 1, of graphs that lm_model_view() has prepared; NAN without references. value and
 * deviation may be NULL; otherwise deviation[graphs] gets how far the targets of the nearest references are from the
 * predictions value[graphs], NAN if they are unknown. */
leman_status lm_domain_similarities(leman_context *ctx, const leman_model *model, const leman_dataset *view,
                                    const double *value, double *similarity, double *deviation);
/* Returns how far a graph is inside, in 0 .. 1. known: the share of the graph in features that the model knows, which
 * decides if the similarity is NAN. */
double lm_domain_inside(const lm_domain *domain, double similarity, double known);
/* Returns half the width of the interval that has a target of a graph with the probability `coverage`; NAN if unknown. */
double lm_domain_half_width(const lm_domain *domain, double similarity, double deviation, double coverage);
/* Moves probability[classes] towards the shares of the classes: p becomes base + inside (p - base). */
void lm_domain_shrink(const lm_domain *domain, size_t classes, double inside, double *probability);

#endif
