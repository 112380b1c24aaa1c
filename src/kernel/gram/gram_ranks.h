/*
 * Feature triples and Gram matrices over ranks. Each rank fills its triples with its own graphs (lm_triples.shared).
 * Then either each rank gets a part of the keys, with the entries of all graphs, and sums its part of a matrix; or
 * every rank gets all entries. Colours are equal on all ranks, so no dictionary is exchanged.
 */
#ifndef LM_KERNEL_RANKS_H
#define LM_KERNEL_RANKS_H

#include "kernel/gram/gram.h"
#include "kernel/kernel.h"

/* Returns the share of `bytes` that triples may take if they are exchanged: the send and receive buffers take the rest.
 */
uint64_t lm_triples_rank_bytes(const leman_context *ctx, uint64_t bytes);
/* Replaces lm_triples_finish(). All ranks use the narrowest slice of any rank. Afterwards the triples of a rank are the
 * entries of its keys, from the graphs of all ranks. */
leman_status lm_triples_finish_ranks(leman_context *ctx, lm_triples *triples);
/* To be called before lm_triples_next(): sums the left-out entries of all ranks, so that all choose the same slice. */
leman_status lm_triples_agree(leman_context *ctx, lm_triples *triples);
/* lm_kernel_fill() for triples without a limit: each rank computes the features of its graphs, then every rank gets all
 * of them. */
leman_status lm_kernel_fill_ranks(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                  bool branches, size_t first_graph, lm_triples *triples);
/* Sums the matrices of all ranks, on every rank. The matrix must not be closed. */
leman_status lm_gram_reduce(leman_context *ctx, lm_gram *gram);

#endif
