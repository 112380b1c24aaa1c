/*
 * The executor: a program on a backend, with its weights and the memory for its values.
 *
 *   lm_program *p = ...;                               built by a model, finished
 *   lm_executor_new(ctx, p, backend, LM_TRAIN, &e);    weights and gradients: one allocation
 *   lm_executor_initialize(e, seed);
 *   lm_executor_reserve(e, &max);                      values: planned for the largest batch, within the budget
 *   for each batch:
 *       lm_executor_train(e, &batch, &control, &rule, first, second);
 *   lm_executor_totals(e, &totals);                    the sum of losses
 *
 * or, to see what happens in between: lm_executor_clear_gradients(), lm_executor_forward(), lm_executor_loss(),
 * lm_executor_backward(), where gradients are added to what is there.
 *
 * Weights that are learned stand first in the block (p->trainable numbers), running statistics behind them
 * (p->numbers in all), so that an optimiser sees one array.
 */
#ifndef LM_EXECUTOR_H
#define LM_EXECUTOR_H

#include "nn/backend.h"

typedef enum lm_mode {
    LM_INFER,     /* forward only: values live until their last use */
    LM_TRAIN,     /* what backward reads is kept */
    LM_RECOMPUTE, /* only what crosses segments is kept; the rest is computed again on the way back */
    LM_WHOLE      /* as LM_TRAIN, but no memory is shared: every value can be read. For tests */
} lm_mode;

typedef struct lm_executor lm_executor;

/* Bytes, before anything is run. */
typedef struct lm_executor_size {
    size_t parameters;       /* numbers that are learned */
    size_t weight_bytes;     /* weights, their gradients, copies of weights */
    size_t activation_bytes; /* values and gradients of one batch */
    size_t workspace_bytes;
} lm_executor_size;

/* Seconds of the clock by operation: forward, backward. */
typedef struct lm_executor_profile {
    double seconds[LM_OPERATIONS][2];
} lm_executor_profile;

/* The program and the backend stay the caller's and must outlive the executor. */
leman_status lm_executor_new(leman_context *ctx, const lm_program *program, lm_backend *backend, lm_mode mode,
                             lm_executor **out);
void lm_executor_free(lm_executor *executor);

/* Weights from the seed: each from a stream of its own, so that a new weight changes no other. */
leman_status lm_executor_initialize(lm_executor *executor, uint64_t seed);
/* The same numbers into host[program->numbers]. */
void lm_weights_initialize(const lm_program *program, uint64_t seed, lm_real *host);

/* What an executor and batches up to this extent would take: known before there is one. */
leman_status lm_executor_measure(leman_context *ctx, const lm_program *program, const lm_backend *backend, lm_mode mode,
                                 const lm_extent *max, lm_executor_size *size);
/* Memory for batches up to this extent. LEMAN_ERROR_BUDGET with what it needs and what the budget is.
 * forward() calls it where a batch is larger than all before. */
leman_status lm_executor_reserve(lm_executor *executor, const lm_extent *max);

/* The memory for values is given back; the next batch reserves what it needs. */
void lm_executor_release_values(lm_executor *executor);

lm_executor_size lm_executor_sizes(const lm_executor *executor);

/* Runs the steps. The batch must stay as it is until backward() is done. tick counts passes of the run: together with
 * the seed it decides what dropout drops. Without targets or classes in the batch the loss is not computed. */
leman_status lm_executor_forward(lm_executor *executor, const lm_batch *batch, bool training, uint64_t tick);
/* After a forward() in training. */
leman_status lm_executor_backward(lm_executor *executor);
void lm_executor_clear_gradients(lm_executor *executor);

/* One step of training: forward, the loss added to the totals, backward, a step of Adam with the two moments
 * [trainable]. Nothing is read back, and a backend that can repeat steps records them. */
leman_status lm_executor_train(lm_executor *executor, const lm_batch *batch, const lm_control *control,
                               const lm_adam *rule, lm_real *first, lm_real *second);
/* A pass without training: as forward(); the loss is added to the totals, and the predictions are kept from row `at` of
 * those that were reserved. */
leman_status lm_executor_measure_batch(lm_executor *executor, const lm_batch *batch, double weight, size_t at);
/* Predictions of so many graphs can be kept, and read: [count][outputs]. */
leman_status lm_executor_keep_predictions(lm_executor *executor, size_t graphs);
leman_status lm_executor_kept_predictions(lm_executor *executor, size_t count, lm_real *out);
/* What was added up since they were cleared, which sets predictions that are kept to 0 as well. */
void lm_executor_clear_totals(lm_executor *executor);
leman_status lm_executor_totals(lm_executor *executor, lm_totals *totals);

leman_status lm_executor_loss(lm_executor *executor, double *loss);
/* [graphs][targets or classes]. */
leman_status lm_executor_predictions(lm_executor *executor, lm_real *out);
/* [rows][width] of a value that is kept, or of any in LM_WHOLE. */
leman_status lm_executor_value(lm_executor *executor, uint32_t value, lm_real *out);

/* The whole block: weights [numbers], gradients [trainable]; in the memory of the backend. */
lm_real *lm_executor_weights(lm_executor *executor);
lm_real *lm_executor_gradients(lm_executor *executor);
/* To and from the host, [numbers]. */
LM_CHECKED leman_status lm_executor_weights_read(lm_executor *executor, lm_real *out);
LM_CHECKED leman_status lm_executor_weights_write(lm_executor *executor, const lm_real *weights);
LM_CHECKED leman_status lm_executor_gradients_read(lm_executor *executor, lm_real *out);

/* NULL: no profile. */
void lm_executor_set_profile(lm_executor *executor, lm_executor_profile *profile);

#endif
