/*
 * The memory plan of a network. A run is a list of events: each step forward, then each step backward. With
 * recomputation, the steps of a segment run once more before the backward steps of that segment. Every value and every
 * gradient is live from its first event to its last; two of them that are never live at the same event may share
 * memory. A value stays live for a backward function only if that function reads it.
 *
 * In LM_LESS and LM_LEAST a value that is cheap to compute is not kept: its steps run once more immediately before the
 * first backward function that reads it. What they read is kept, or computed again in the same way.
 *
 * Placement is greedy: largest first, each at the lowest offset that overlaps nothing live at the same time. Costs
 * O(values^2), once for the largest batch.
 */
#ifndef LM_PLAN_H
#define LM_PLAN_H

#include "nn/backend.h"

typedef enum lm_mode {
    LM_INFER,     /* forward pass only: values live until their last use */
    LM_TRAIN,     /* keeps what the backward pass reads */
    LM_LESS,      /* like LM_TRAIN, but outputs of norms on tuples are computed again from their inputs */
    LM_LEAST,     /* so are inputs of tuples, sums over neighbours, and the products that messages alone read */
    LM_RECOMPUTE, /* keeps only what crosses segments; the backward pass computes the rest again */
    LM_WHOLE      /* like LM_TRAIN, but no memory is shared, so every value can be read. For tests */
} lm_mode;

typedef enum lm_phase { LM_FORWARD, LM_AGAIN, LM_BACKWARD } lm_phase;

typedef struct lm_event {
    uint32_t step;
    lm_phase phase;
} lm_event;

/* Memory that is live from event `first` to event `last`, both included. first = SIZE_MAX: never live. */
typedef struct lm_piece {
    size_t first, last;
    size_t offset; /* bytes */
} lm_piece;

typedef struct lm_plan {
    leman_context *ctx;
    const lm_program *program;
    lm_mode mode;
    lm_event *event;
    size_t events, forward; /* number of all events, number of events before the backward pass */
    /* [values] each, used for roots: the forward value, the recomputed value, the gradient. A value that is not
     * recomputed has one place. */
    lm_piece *value, *again, *gradient;
} lm_plan;

/* Computes the events and lifetimes of a finished program. The caller frees the plan, even if the function fails. */
leman_status lm_plan_new(leman_context *ctx, const lm_program *program, lm_mode mode, lm_plan *plan);
void lm_plan_free(lm_plan *plan);
/* Places all pieces for batches up to the extent `max` and sets *bytes to their total size. Fails with
 * LEMAN_ERROR_BUDGET if the size cannot be addressed. */
leman_status lm_plan_place(lm_plan *plan, const lm_backend *backend, const lm_extent *max, size_t *bytes);
/* Returns the piece that holds the numbers of a root during a phase. */
const lm_piece *lm_plan_piece(const lm_plan *plan, uint32_t root, lm_phase phase);

#endif
