/*
 * A communicator: ranks 0 .. ranks-1 that work together, as in MPI and NCCL. All ranks call the same functions in the
 * same order; each call returns when every rank has made it. Sums are computed in the order of the ranks, so all ranks
 * get the same bits, and so do two runs.
 *
 * A rank that fails calls give_up(). The other ranks, which would otherwise wait for ever, then return
 * LEMAN_ERROR_CANCELLED from the call that they wait in, and from every later call.
 */
#ifndef LM_COMMUNICATOR_H
#define LM_COMMUNICATOR_H

#include "base/ranks/ranks.h"

typedef struct lm_communicator lm_communicator;
struct lm_communicator {
    size_t rank, ranks;
    /* Replaces data[count] of every rank by the sum over all ranks. */
    leman_status (*sum)(lm_communicator *communicator, lm_number_kind kind, void *data, size_t count);
    /* Sets all[ranks][bytes] to the bytes that each rank passed. */
    leman_status (*gather)(lm_communicator *communicator, const void *mine, size_t bytes, void *all);
    void (*give_up)(lm_communicator *communicator);
    bool (*given_up)(lm_communicator *communicator);
};

/* The ranks of a context as a communicator. */
typedef struct lm_context_communicator {
    lm_communicator base; /* first */
    leman_context *ctx;
} lm_context_communicator;
lm_context_communicator lm_communicator_of(leman_context *ctx);

#endif
