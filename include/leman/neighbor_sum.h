/*
 * leman/neighbor_sum.h - sums over lists of rows of a matrix, in the caller's memory: the operation of networks on
 * vertices and tuples, for programs that have tensors of their own (torch.ops.leman.neighbor_sum calls it).
 */
#ifndef LEMAN_NEIGHBOR_SUM_H
#define LEMAN_NEIGHBOR_SUM_H

#include "leman/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The type of the numbers of a matrix. */
typedef enum leman_number { LEMAN_NUMBER_FLOAT32, LEMAN_NUMBER_FLOAT64 } leman_number;
#define LEMAN_NUMBER_COUNT 2

/* A list of rows for each row, in CSR form: row r has other[start[r]] up to other[start[r + 1] - 1]. All arrays are in
 * the memory of the device. */
typedef struct leman_row_lists {
    size_t size;          /* leman_row_lists_init() sets it */
    size_t rows, others;  /* number of lists; the numbers in lists are below `others` */
    const int64_t *start; /* [rows + 1] from 0 on, not decreasing */
    const int64_t *other; /* [start[rows]]; may be NULL if all lists are empty */
    const void *weight;   /* [start[rows]] the factor of each term, of the type of the matrix; NULL: 1 */
    leman_device device;
    int device_number; /* of CUDA devices, from 0 */
    void *stream;      /* CUDA: the cudaStream_t in which the sum is queued; NULL: the default stream */
} leman_row_lists;

/* Sets no lists, on the CPU. */
LEMAN_API void leman_row_lists_init(leman_row_lists *lists, size_t size);
static inline leman_row_lists leman_row_lists_default(void)
{
    leman_row_lists lists;
    leman_row_lists_init(&lists, sizeof lists);
    return lists;
}

/*
 * Computes y[rows][width] from x[others][width], both of type `number`:
 *
 *   y[r] = (1 + *epsilon) x[r] + sum of weight[i] x[other[i]] over start[r] <= i < start[r + 1]
 *
 * The first term is left out if epsilon is NULL; otherwise rows and others must be equal. y must not overlap the
 * arrays that are read. The terms of a row are added in the order of its list, so neither the number of threads nor
 * the device's schedule changes the result. The derivative by x is the same sum over the transposed lists.
 *
 * CPU: the context's threads compute. Lists that decrease, or that have a row that x does not have, fail with
 * LEMAN_ERROR_INPUT before y is written. CUDA: the call returns when the sum is queued, and does not read the lists,
 * so the caller must have checked them. Fails with LEMAN_ERROR_UNSUPPORTED if the build or the machine does not have
 * the device. O((rows + start[rows]) width).
 */
LEMAN_API leman_status leman_neighbor_sum(leman_context *ctx, const leman_row_lists *lists, leman_number number,
                                          const void *x, size_t width, const void *epsilon, void *y);
/* Computes the transposed lists on the CPU: start[others + 1] and other[lists->start[rows]], in which the list of each
 * row has, in increasing order, the rows whose lists have it. entry[lists->start[rows]], which may be NULL, receives
 * the place in lists->other of each, by which a caller reorders weights. Lists must be on the CPU, and fail as in
 * leman_neighbor_sum(). O(rows + others + start[rows]). */
LEMAN_API leman_status leman_row_lists_transpose(leman_context *ctx, const leman_row_lists *lists, int64_t *start,
                                                 int64_t *other, int64_t *entry);

#ifdef __cplusplus
}
#endif
#endif
