/*
 * What the two ways to a batch on the device share (nn/cuda/batch.c copies one, nn/cuda/resident.c gathers one): its
 * layout, with padded sizes, and the block that holds it.
 */
#ifndef LM_CUDA_BATCH_H
#define LM_CUDA_BATCH_H

#include "nn/cuda/cuda.h"

/* Arrays beside those of the batch. */
typedef struct lm_cuda_extras {
    uint32_t *live, *graph_of[LM_GRAPH_SPACES], *line_start;
    lm_cuda_sorted sorted[LM_GRAPH_SPACES];
} lm_cuda_extras;

/* Pointers of the batch and of the extras to arrays at base; returns the bytes of all, on a boundary. */
size_t lm_cuda_lay_out(lm_batch *batch, lm_cuda_extras *extras, char *base);
/* Room for a batch of `bytes` on the device, and for `staged` bytes that are on their way to it, in one of two blocks;
 * nobody reads that one any more. */
leman_status lm_cuda_reserve(lm_cuda *cuda, unsigned turn, size_t staged, size_t bytes);
/* The first `staged` bytes of that block go to `to`, and the batch is the one whose arrays are there. */
leman_status lm_cuda_send(lm_cuda *cuda, unsigned turn, size_t staged, void *to, const lm_cuda_extras *there);

/* The types of rows that embeddings look up; NULL: none. */
const uint32_t *lm_cuda_types(const lm_batch *batch, int space);
static inline size_t lm_cuda_pieces(size_t rows)
{
    return (rows + LM_CUDA_PIECE - 1) / LM_CUDA_PIECE;
}
/* start[types + 1]: where the rows of each type begin, in the order of types. Cuts them into runs. */
void lm_cuda_cut_runs(const uint32_t *start, uint32_t types, const lm_cuda_sorted *to);
/* Numbers as bfloat16, one behind the other in the same place. */
void lm_cuda_round(lm_real *numbers, size_t count);
/* line_start[graphs + 1] from the starts of vertices. */
void lm_cuda_start_lines(const lm_batch *batch, uint32_t *line_start);

/* No batch up to this extent needs more bytes beside its arrays where its graphs are resident. */
size_t lm_cuda_resident_bytes(const lm_batch *largest);
leman_status lm_cuda_load_resident(lm_cuda *cuda, const lm_batch *batch, lm_batch *out);

#endif
