/*
 * Assembles a batch from graphs that are resident on the device: of every array the rows of the batch's graphs, one
 * after the other, followed by the content of padding rows. One launch handles all arrays, a second one the order of
 * rows by type.
 */
#ifndef LM_GATHER_H
#define LM_GATHER_H

#include "nn/cuda/cuda.h"

/* One array. Its units are 32-bit words, or 16-bit halves if `half`. */
typedef struct lm_gathered {
    const void *from; /* NULL: every row receives the number of its graph */
    void *to;
    size_t from_plane, to_plane; /* units from one plane to the next */
    size_t end;                  /* units of a plane, padding included */
    uint32_t space;              /* LM_SINGLE: the first `units` are copied unchanged */
    uint32_t counted;            /* `each` * the graph's first row in this space is added; LM_SINGLE: nothing */
    uint32_t units;              /* in a row */
    uint32_t planes, each;
    uint32_t pad; /* content of padding units */
    bool half;
} lm_gathered;

enum { LM_GATHERED = 52 }; /* maximum: a kernel has 4 KB of arguments */

typedef struct lm_gather {
    uint32_t graphs, arrays;
    const uint32_t *from; /* [LM_SUMMED_SPACES + 1][graphs] first rows in the resident arrays; last: graphs */
    const uint32_t *to;   /* [LM_SUMMED_SPACES + 1][graphs + 1] first rows in the batch */
    lm_gathered array[LM_GATHERED];
} lm_gather;

void lm_cuda_gather_arrays(lm_cuda *cuda, const lm_gather *gather);

/* order[to[i] + j] = from[group[i] + j] + first[i] for to[i] + j < to[i + 1], for groups i of rows of one type. */
void lm_cuda_gather_groups(lm_cuda *cuda, uint32_t *order, const uint32_t *from, uint32_t groups, const uint32_t *to,
                           const uint32_t *group, const uint32_t *first, uint32_t rows);

#endif
