/*
 * Shared by the two ways of making a batch on the device: nn/cuda/batch.c copies it from the host, nn/cuda/resident.c
 * gathers it from resident graphs. The layout with padded sizes, and the block that holds the batch.
 */
#ifndef LM_CUDA_BATCH_H
#define LM_CUDA_BATCH_H

#include "nn/cuda/cuda.h"

/* Arrays in addition to those of the batch. */
typedef struct lm_cuda_extras {
    uint32_t *live, *graph_of[LM_GRAPH_SPACES], *line_start;
    lm_cuda_sorted sorted[LM_GRAPH_SPACES];
} lm_cuda_extras;

/* Sets the pointers of the batch and of the extras to arrays at base. Returns the bytes of all arrays, aligned. */
size_t lm_cuda_lay_out(lm_batch *batch, lm_cuda_extras *extras, char *base);
/* Reserves `bytes` on the device for a batch, and `staged` bytes in staging block `turn` (0 or 1). Waits until the
 * previous copy from that block is done. */
leman_status lm_cuda_reserve(lm_cuda *cuda, unsigned turn, size_t staged, size_t bytes);
/* Copies the first `staged` bytes of staging block `turn` to `to`. The extras of the backend become `there`. */
leman_status lm_cuda_send(lm_cuda *cuda, unsigned turn, size_t staged, void *to, const lm_cuda_extras *there);

/* Returns the types of the rows of a space, which embeddings look up; NULL: none. */
const uint32_t *lm_cuda_types(const lm_batch *batch, int space);
static inline size_t lm_cuda_pieces(size_t rows)
{
    return (rows + LM_CUDA_PIECE - 1) / LM_CUDA_PIECE;
}
/* Divides rows in the order of their types into runs. start[types + 1] are the first rows of each type. */
void lm_cuda_cut_runs(const uint32_t *start, uint32_t types, const lm_cuda_sorted *to);
/* Converts numbers to bfloat16 in place, stored contiguously. */
void lm_cuda_round(lm_real *numbers, size_t count);
/* Computes line_start[graphs + 1] from the starts of vertices. */
void lm_cuda_start_lines(const lm_batch *batch, uint32_t *line_start);

/* Returns an upper bound on the bytes that a batch of resident graphs up to this extent needs in addition to its
 * arrays. */
size_t lm_cuda_resident_bytes(const lm_batch *largest);
leman_status lm_cuda_load_resident(lm_cuda *cuda, const lm_batch *batch, lm_batch *out);

#endif
