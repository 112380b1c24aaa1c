/*
 * The first rounds of all graphs before the later ones of some.
 *
 * Colours only split: a graph none of whose colours of a round is in another graph shares nothing in later rounds
 * either, which then add to the diagonal of a Gram matrix alone. So rounds 0 .. LM_EARLY_ROUNDS of all graphs are
 * merged first; of the rounds behind them every graph is asked for its part of the diagonal, for which they are
 * computed until nothing splits any more. Then the graphs that share a colour of round LM_EARLY_ROUNDS are coloured
 * once more, all rounds, and the later ones merged too.
 *
 * Where few graphs share a vertex after LM_EARLY_ROUNDS rounds of 1-WL, that tells even before round LM_EARLY_ROUNDS of
 * the tuples: the first rounds are one fewer, and most graphs are not coloured any further (early_vertices.h).
 *
 * That saves triples and rounds where few graphs share that much, and costs rounds where many do. A sample of the first
 * slice tells which, and whether the triples would take more memory than the graphs. Graphs are kept meanwhile: where
 * they outgrow their part of the memory the later rounds of those so far are made up for, and the rest is coloured in
 * one go.
 *
 * Memory: the graphs, and 8 bytes for each of them and each matrix.
 */
#ifndef LM_EARLY_ROUNDS_H
#define LM_EARLY_ROUNDS_H

#include "kernel/kernel.h"
#include "kernel/stream/shared_groups.h"

enum { LM_EARLY_ROUNDS = 2, LM_EARLY_LEAST = 4 /* rounds of kernels that it is for */ };

/* Zero-initialise; lm_early_end() at the end. */
typedef struct lm_early {
    leman_context *ctx;
    const leman_kernel *kernel; /* [kernels] */
    size_t kernels;
    const size_t *block;  /* [kernels + 1]: first one of each among those of all */
    bool each;            /* the one kernel has a matrix for every number of rounds */
    uint64_t max;         /* tuples of a slice */
    uint64_t limit, held; /* bytes of what is kept */
    leman_kernel *first;  /* [kernels]: with the rounds that are coloured first */
    bool asked;           /* the sample, once there was one */
    bool *early;          /* [kernels]: are these fewer? */
    uint32_t *exact;      /* [kernels]: the last of them then */
    lm_vector *sum;       /* [kernels] of uint64_t: lm_later_rounds.sum of the graphs so far */
    lm_vector slice;      /* of early_rounds.c: graphs that are kept */
    size_t graphs;        /* coloured in this way: 0 .. graphs - 1 */
    bool whole;           /* no more of them: there is no memory to keep them */
} lm_early;

/* Sections of the groups: those of the blocks, and the vertices of each kernel. */
static inline size_t lm_early_sections(const size_t *block, size_t kernels)
{
    return block[kernels] * LM_TRIPLE_LISTS + kernels;
}

/* Arrays in the context's scratch. Where `possible` is false all rounds are coloured at once. */
leman_status lm_early_begin(lm_early *early, bool possible);
void lm_early_end(lm_early *early);
/* Before the first graphs are coloured: looks at a sample, where there is memory to keep the slice. */
leman_status lm_early_choose(lm_early *early, const leman_dataset *slice);
/* Kernel i of graphs, which follow those so far, into triples of lm_kernel_blocks(early->first + i). */
leman_status lm_early_fill(lm_early *early, size_t i, const leman_dataset *data, bool branches,
                           lm_shared_groups *groups, lm_triples *triples);
/* All graphs of a slice are coloured, the first as graph `first`: keeps it. */
leman_status lm_early_keep(lm_early *early, leman_stream *stream, const leman_dataset *slice, size_t first,
                           lm_shared_groups *groups);
/* Graphs 0 .. of whose entries in a block nothing goes to the diagonal, as it has been added up before. */
size_t lm_early_counted(const lm_early *early, size_t block);
/* When the first rounds are merged: the later ones of graphs that need them, to be merged. Graphs are not kept any
 * longer. *more: there are some. */
leman_status lm_early_finish(lm_early *early, lm_shared_groups *groups, bool *more);
/* What later rounds add to the diagonals, self[slots][graphs] with the slot of each block. */
void lm_early_add_self(const lm_early *early, const size_t *slot, size_t graphs, uint64_t *self);

#endif
