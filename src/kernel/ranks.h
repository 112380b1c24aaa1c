/*
 * Feature triples and Gram matrices over ranks. Each rank fills its triples with its own graphs (lm_triples.shared).
 * Then either every rank gets a part of the keys, with all graphs that have them, and adds up its part of a matrix; or
 * every rank gets all entries. Colours are the same everywhere, so there is no dictionary to exchange.
 */
#ifndef LM_KERNEL_RANKS_H
#define LM_KERNEL_RANKS_H

#include "kernel/gram.h"
#include "kernel/kernel.h"

/* The share of a budget that triples may take where they are exchanged: what is sent and received stands beside them.
 */
uint64_t lm_triples_rank_bytes(const leman_context *ctx, uint64_t bytes);
/* Instead of lm_triples_finish(): the slice of all ranks is that of the narrowest. Entries are those of the keys
 * of this rank afterwards, of the graphs of all. */
leman_status lm_triples_finish_ranks(leman_context *ctx, lm_triples *triples);
/* Before lm_triples_next(): what all ranks left out, so that they go on alike. */
leman_status lm_triples_agree(leman_context *ctx, lm_triples *triples);
/* As lm_kernel_fill(), for triples without a limit: each rank counts the features of its graphs, and every rank gets
 * all of them. */
leman_status lm_kernel_fill_ranks(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                  bool branches, size_t first_graph, lm_triples *triples);
/* The sums of all ranks, on all of them; before the matrix is closed. */
leman_status lm_gram_reduce(leman_context *ctx, lm_gram *gram);

#endif
