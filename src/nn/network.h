/*
 * A network: a program on a backend, with its weights and the memory for its values.
 *
 *   lm_program *p = ...;                                      built by a model, finished
 *   lm_network_new(ctx, p, backend, LM_TRAIN, &net);          weights and gradients: one allocation
 *   lm_network_initialize(net, seed);
 *   lm_network_reserve(net, &most);                           values: planned for the largest batch, within the budget
 *   for each batch:
 *       lm_network_clear_gradients(net);
 *       lm_network_forward(net, &batch, true, tick);
 *       lm_network_loss(net, &loss);
 *       lm_network_backward(net);                             gradients are added to what is there
 *       backend->adam(backend, &rule, p->trainable, ...);
 *
 * Weights that are learned stand first in the block (p->trainable numbers), running statistics behind them
 * (p->numbers in all), so that an optimiser sees one array.
 */
#ifndef LM_NETWORK_H
#define LM_NETWORK_H

#include "nn/backend.h"

typedef enum lm_mode {
    LM_INFER,     /* forward only: values live until their last use */
    LM_TRAIN,     /* what backward reads is kept */
    LM_RECOMPUTE, /* only what crosses segments is kept; the rest is computed again on the way back */
    LM_WHOLE      /* as LM_TRAIN, but no memory is shared: every value can be read. For tests */
} lm_mode;

typedef struct lm_network lm_network;

/* Bytes, before anything is run. */
typedef struct lm_network_size {
    size_t parameters;       /* numbers that are learned */
    size_t weight_bytes;     /* weights and their gradients */
    size_t activation_bytes; /* values and gradients of one batch */
    size_t workspace_bytes;
} lm_network_size;

/* Seconds of the clock by operation: forward, backward. */
typedef struct lm_network_profile {
    double seconds[LM_OPERATIONS][2];
} lm_network_profile;

/* The program and the backend stay the caller's and must outlive the network. */
leman_status lm_network_new(leman_context *ctx, const lm_program *program, lm_backend *backend, lm_mode mode,
                            lm_network **out);
void lm_network_free(lm_network *network);

/* Weights from the seed: each from a stream of its own, so that a new weight changes no other. */
leman_status lm_network_initialize(lm_network *network, uint64_t seed);

/* What a network and batches up to this extent would take: known before there is a network. */
leman_status lm_network_measure(leman_context *ctx, const lm_program *program, const lm_backend *backend, lm_mode mode,
                                const lm_extent *most, lm_network_size *size);
/* Memory for batches up to this extent. LEMAN_ERROR_BUDGET with a sentence that says what it needs and what is there.
 * forward() calls it where a batch is larger than all before. */
leman_status lm_network_reserve(lm_network *network, const lm_extent *most);

lm_network_size lm_network_sizes(const lm_network *network);

/* Runs the steps. The batch must stay as it is until backward() is done. tick counts passes of the run: together with
 * the seed it decides what dropout drops. Without targets or classes in the batch the loss is not computed. */
leman_status lm_network_forward(lm_network *network, const lm_batch *batch, bool training, uint64_t tick);
/* After a forward() in training. */
leman_status lm_network_backward(lm_network *network);
void lm_network_clear_gradients(lm_network *network);

leman_status lm_network_loss(lm_network *network, double *loss);
/* [graphs][targets or classes]. */
leman_status lm_network_predictions(lm_network *network, lm_real *out);
/* [rows][width] of a value that is kept, or of any in LM_WHOLE. */
leman_status lm_network_value(lm_network *network, uint32_t value, lm_real *out);

/* The whole block: weights [numbers], gradients [trainable]; in the memory of the backend. */
lm_real *lm_network_weights(lm_network *network);
lm_real *lm_network_gradients(lm_network *network);
/* To and from the host, [numbers]. */
void lm_network_weights_read(lm_network *network, lm_real *out);
void lm_network_weights_write(lm_network *network, const lm_real *weights);
void lm_network_gradients_read(lm_network *network, lm_real *out);

/* NULL: no profile. */
void lm_network_set_profile(lm_network *network, lm_network_profile *profile);

#endif
