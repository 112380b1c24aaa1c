/* Fitting one of several models of the same graphs: what the fits have in common is computed once. */
#ifndef LM_FIT_H
#define LM_FIT_H

#include "learn/model.h"
#include "svm/round_features.h"

/* Zero-initialise; for fits of the same data (but for classes) with the same kernels and options (but for names). */
typedef struct lm_shared_features {
    bool made, refused;    /* refused: they take too much of the budget, and every fit computes its own */
    lm_round_features all; /* of all graphs */
} lm_shared_features;
void lm_shared_features_free(leman_context *ctx, lm_shared_features *shared);

/* leman_model_fit() with checked pointers. shared NULL: alone. The model is the same, bit for bit. */
leman_status lm_model_fit(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                          const leman_fit_options *options, lm_shared_features *shared, leman_model **out);

#endif
