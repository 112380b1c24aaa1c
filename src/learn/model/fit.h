/* Fitting one of several models of the same graphs. Features that the fits have in common are computed once. The last
 * step is a fit on all graphs, with the chosen rounds and C. */
#ifndef LM_FIT_H
#define LM_FIT_H

#include "learn/model/model.h"
#include "learn/protocol/estimator.h"
#include "svm/round_features.h"

/* Features shared by fits of the same data with the same kernels and options. Only the classes, the targets and the
 * names may differ between the fits. Zero-initialise before use. */
typedef struct lm_shared_features {
    bool made, refused;    /* refused: the features take too much of the budget, so every fit computes its own */
    lm_round_features all; /* of all graphs */
} lm_shared_features;
void lm_shared_features_free(lm_shared_features *shared);

/* Like leman_model_fit(), with pointers that the caller has checked. shared may be NULL. The model has the same bits
 * with and without shared features. */
leman_status lm_model_fit(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                          const leman_fit_options *options, lm_shared_features *shared, leman_model **out);
/* Fits an SVM to all graphs and writes its bias, and its features with either weights or coefficients, into the model.
 * model->kernel must have its rounds; svm, rounds, C and outputs must be set. The factory must be of the kind
 * model->svm and cover these rounds. `all` lists all graphs in their order. */
leman_status lm_final_fit(leman_context *ctx, const leman_dataset *data, const lm_estimator_factory *factory,
                          const lm_training_set *all, leman_model *model);

/* Stores the name, the size, the checksum and the reading options of the data, and the seed of the context. */
leman_status lm_model_set_data(leman_context *ctx, leman_model *model, const leman_dataset *data);
/* Stores the kernels in normal form, with `rounds` rounds where they are not fixed. They are set to ignore labels that
 * the data does not have. Fails for kernels that have no features. */
leman_status lm_model_set_kernels(leman_context *ctx, leman_model *model, const leman_dataset *data,
                                  const leman_kernel *kernels, size_t count, uint32_t rounds, bool apex);
/* Selects the graphs that have a class or, unless target is LEMAN_NO_TARGET, a target. If some have none, *known is the
 * selection, to be freed by the caller, and *graph its numbers, in scratch; otherwise both are unchanged. Fails with
 * LEMAN_ERROR_INPUT if fewer than two have one. */
leman_status lm_known_graphs(leman_context *ctx, const leman_dataset *data, size_t target, size_t **graph,
                             leman_dataset **known);

#endif
