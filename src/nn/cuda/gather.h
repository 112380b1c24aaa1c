/*
 * A batch from graphs that lie on the device: of every array the rows of its graphs, one behind the other, with what
 * stands in rows of padding. One launch for all arrays, one more for rows in the order of their types.
 */
#ifndef LM_GATHER_H
#define LM_GATHER_H

#include "nn/cuda/cuda.h"

/* One array. Its units are words, or halves of words where half. */
typedef struct lm_gathered {
    const void *from; /* NULL: the number of the graph for each of its rows */
    void *to;
    size_t from_plane, to_plane; /* units from one plane to the next */
    size_t end;                  /* units of a plane with padding */
    uint32_t space;              /* LM_SINGLE: the first `units` are copied as they are */
    uint32_t counted;            /* each * the first row of the graph there is added to its words; LM_SINGLE: nothing */
    uint32_t units;              /* of a row */
    uint32_t planes, each;
    uint32_t pad; /* what stands in units of padding */
    bool half;
} lm_gathered;

enum { LM_GATHERED = 52 }; /* at most: a kernel has 4 KB of arguments */

typedef struct lm_gather {
    uint32_t graphs, arrays;
    const uint32_t
        *from;          /* [LM_SUMMED_SPACES + 1][graphs] first rows of the graphs where they come from; last: graphs */
    const uint32_t *to; /* [LM_SUMMED_SPACES + 1][graphs + 1] and in the batch */
    lm_gathered array[LM_GATHERED];
} lm_gather;

void lm_cuda_gather_arrays(lm_cuda *cuda, const lm_gather *gather);

/* order[to[i] ..] = from[group[i] ..] + first[i], up to to[i + 1], for groups of rows that have one type. */
void lm_cuda_gather_groups(lm_cuda *cuda, uint32_t *order, const uint32_t *from, uint32_t groups, const uint32_t *to,
                           const uint32_t *group, const uint32_t *first, uint32_t rows);

#endif
