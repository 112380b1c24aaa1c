/*
 * The inner loop of the dense part of a Gram matrix: a tile of LM_DENSE_ROWS x LM_TABLE_BLOCK sums over columns of the
 * table. dense_loops.c has it once; it is compiled for every processor, and again for AVX2 (dense_loops_avx2.c). All
 * sums are integers below 2^24, so every version has the same bits.
 */
#ifndef LM_DENSE_LOOPS_H
#define LM_DENSE_LOOPS_H

#include "kernel/gram/gram.h"

enum { LM_DENSE_ROWS = 4 };

/* sum[a][b] += multiplicity * (sum over f < columns of combine(left[f][a], right[f][b])), modulo 2^64. combine is the
 * minimum if `minima`, otherwise the product. left[columns][LM_TABLE_BLOCK] begins at the first row of the tile,
 * right[columns][LM_TABLE_BLOCK] at a block. */
typedef void lm_dense_run(const float *left, const float *right, size_t columns, bool minima, uint64_t multiplicity,
                          uint64_t sum[LM_DENSE_ROWS][LM_TABLE_BLOCK]);

void lm_dense_run_plain(const float *left, const float *right, size_t columns, bool minima, uint64_t multiplicity,
                        uint64_t sum[LM_DENSE_ROWS][LM_TABLE_BLOCK]);
/* Only on x86-64. */
void lm_dense_run_avx2(const float *left, const float *right, size_t columns, bool minima, uint64_t multiplicity,
                       uint64_t sum[LM_DENSE_ROWS][LM_TABLE_BLOCK]);

/* Returns the fastest loop that this processor can run. */
lm_dense_run *lm_dense_run_best(void);

#endif
