/*
 * The plan of a network's memory. A run is a list of events: each step forward, then back, and with recomputation the
 * steps of a segment once more before its way back. Every value, and every gradient, is wanted from its first event to
 * its last; two that are never wanted at once may share memory. Only what a backward function reads is wanted for it.
 *
 * Placing is greedy: the largest first, at the lowest offset where nothing that lives at the same time is in the way.
 * O(values^2), once for the largest batch.
 */
#ifndef LM_PLAN_H
#define LM_PLAN_H

#include "nn/executor.h"

typedef enum lm_phase { LM_FORWARD, LM_AGAIN, LM_BACKWARD } lm_phase;

typedef struct lm_event {
    uint32_t step;
    lm_phase phase;
} lm_event;

/* Memory that is wanted from event `first` to event `last`, both included; first = SIZE_MAX: not at all. */
typedef struct lm_piece {
    size_t first, last;
    size_t offset; /* bytes */
} lm_piece;

typedef struct lm_plan {
    leman_context *ctx;
    const lm_program *program;
    lm_mode mode;
    lm_event *event;
    size_t events, forward; /* all, and those before the way back */
    /* [values] each, of roots: forward; computed again; gradients. A value that is not computed again has one place. */
    lm_piece *value, *again, *gradient;
} lm_plan;

/* The events and lifetimes of a finished program. */
leman_status lm_plan_new(leman_context *ctx, const lm_program *program, lm_mode mode, lm_plan *plan);
void lm_plan_free(lm_plan *plan);
/* Places all pieces for batches up to this extent; *bytes: their size together. LEMAN_ERROR_BUDGET where that is
 * more than can be addressed. */
leman_status lm_plan_place(lm_plan *plan, const lm_backend *backend, const lm_extent *max, size_t *bytes);
/* Where the numbers of a root are during a phase. */
const lm_piece *lm_plan_piece(const lm_plan *plan, uint32_t root, lm_phase phase);

#endif
