/*
 * The executor runs a program on a backend. It owns the weights, the moments of Adam and the memory of the values.
 * Files other than executor.c only read its members.
 *
 *   lm_program *p = ...;                               built by a model, finished
 *   lm_executor_new(ctx, p, backend, LM_TRAIN, &e);    weights, gradients, moments: one allocation
 *   lm_executor_initialize(e, seed);
 *   lm_executor_reserve(e, &max);                      values: planned for the largest batch, within the budget
 *   for each batch:
 *       lm_executor_train(e, &batch, &control, &rule);
 *   lm_executor_totals(e, &totals);                    the sum of losses
 *
 * The parts of a training step can also be called one by one: lm_executor_clear_gradients(), lm_executor_forward(),
 * lm_executor_backward(). The last adds to the gradients.
 *
 * In the block of weights the learned weights come first (p->trainable numbers), followed by the running statistics
 * (p->numbers in all), so that an optimiser sees one array.
 */
#ifndef LM_EXECUTOR_H
#define LM_EXECUTOR_H

#include "nn/plan.h"

/* Memory of an executor, known before anything runs. */
typedef struct lm_executor_size {
    size_t parameters;       /* count of learned numbers */
    size_t weight_bytes;     /* weights, gradients, moments, the backend's copies of weights */
    size_t activation_bytes; /* values and gradients of the largest batch */
    size_t workspace_bytes;
} lm_executor_size;

typedef struct lm_executor {
    leman_context *ctx;
    const lm_program *program;
    lm_backend *backend;
    lm_mode mode;
    lm_plan plan;
    lm_real *weights;                    /* [numbers] */
    lm_real *gradients, *first, *second; /* [trainable] with the moments of Adam; NULL: inference only */
    lm_real *copies;                     /* of weights, made by the backend */
    char *values;                        /* the memory of the plan's pieces */
    void *workspace;
    lm_totals *totals;
    lm_real *kept; /* [kept_rows][outputs] predictions */
    size_t kept_rows;
    lm_extent max; /* the extent that the memory suffices for */
    lm_executor_size size;
    lm_batch batch;          /* in the memory of the backend, padded */
    lm_extent live;          /* its rows without padding */
    bool ready, loss, again; /* there is a batch; it has a loss; the backward pass can run */
    uint64_t seed;
} lm_executor;

/* Creates an executor. The program and the backend are not owned; they must outlive the executor. */
leman_status lm_executor_new(leman_context *ctx, const lm_program *program, lm_backend *backend, lm_mode mode,
                             lm_executor **out);
void lm_executor_free(lm_executor *executor);
LM_DROP(lm_executor)

/* Sets the initial weights. Every weight has its own random stream, so adding a weight does not change the others. */
leman_status lm_executor_initialize(lm_executor *executor, uint64_t seed);
/* Writes the weights of lm_executor_initialize() to host[program->numbers]. */
void lm_weights_initialize(const lm_program *program, uint64_t seed, lm_real *host);

/* Computes the memory of an executor for batches up to the extent `max`, without creating one. */
leman_status lm_executor_measure(leman_context *ctx, const lm_program *program, const lm_backend *backend, lm_mode mode,
                                 const lm_extent *max, lm_executor_size *size);
/* Sets *mode to the mode for training batches up to the extent `max`: the first of LM_TRAIN, LM_LESS and LM_LEAST whose
 * values take at most `enough` bytes; LM_TRAIN if none does, since it is the quickest. */
leman_status lm_executor_choose(leman_context *ctx, const lm_program *program, const lm_backend *backend,
                                const lm_extent *max, size_t enough, lm_mode *mode);
/* Allocates the memory for batches up to the extent `max`. Fails with LEMAN_ERROR_BUDGET and a message that has the
 * size and the budget. lm_executor_forward() calls it if a batch is larger than all before. */
leman_status lm_executor_reserve(lm_executor *executor, const lm_extent *max);

/* Frees the memory of the values. The next batch reserves memory again. */
void lm_executor_release_values(lm_executor *executor);

/* Runs the steps on a batch. The batch must not change until backward() is done. `tick` is the number of the pass in
 * the run; the seed and the tick determine what dropout drops. The loss is computed only if the batch has targets or
 * classes. */
leman_status lm_executor_forward(lm_executor *executor, const lm_batch *batch, bool training, uint64_t tick);
/* Runs the backward pass and adds to the gradients. The last call must be a forward() in training. */
leman_status lm_executor_backward(lm_executor *executor);
void lm_executor_clear_gradients(lm_executor *executor);

/* One training step: forward pass, adding the loss to the totals, backward pass, one step of Adam. Nothing is read
 * back. A backend that can record steps records and replays them. */
leman_status lm_executor_train(lm_executor *executor, const lm_batch *batch, const lm_control *control,
                               const lm_adam *rule);
/* Passes with a loss of the caller, whose matrices are in the memory of the backend. The first function runs a forward
 * pass and writes prediction[rows][outputs]. The second runs the backward pass of the last forward pass in training, from
 * the gradient of a loss by that prediction, and sets the gradients of all weights. Nothing is read back; a backend that
 * can record steps records both passes. */
leman_status lm_executor_pass_forward(lm_executor *executor, const lm_batch *batch, bool training, lm_real *prediction);
leman_status lm_executor_pass_backward(lm_executor *executor, const lm_real *gradient);
/* Runs a forward pass without training, adds the loss to the totals, and stores the predictions from row `at` on of the
 * buffer that lm_executor_keep_predictions() reserved. */
leman_status lm_executor_measure_batch(lm_executor *executor, const lm_batch *batch, double weight, size_t at);
/* The first function reserves a buffer for so many rows of predictions; the second reads its first rows,
 * [count][outputs]. */
leman_status lm_executor_keep_predictions(lm_executor *executor, size_t rows);
leman_status lm_executor_kept_predictions(lm_executor *executor, size_t count, lm_real *out);
/* The totals over all batches since they were cleared. Clearing also sets the stored predictions to 0. */
void lm_executor_clear_totals(lm_executor *executor);
leman_status lm_executor_totals(lm_executor *executor, lm_totals *totals);

/* Reads [rows][width] of a value of the last batch, for example of program->prediction. The value must be kept, or the
 * mode LM_WHOLE. */
leman_status lm_executor_value(lm_executor *executor, uint32_t value, lm_real *out);

/* Copies the weights, [numbers], to and from the host. */
LM_CHECKED leman_status lm_executor_weights_read(lm_executor *executor, lm_real *out);
LM_CHECKED leman_status lm_executor_weights_write(lm_executor *executor, const lm_real *weights);

#endif
