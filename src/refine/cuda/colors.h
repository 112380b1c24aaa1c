/*
 * Colours on a CUDA device: the same 64-bit colours as those of refine/, bit for bit, for k = 1, 2 and 3.
 *
 * A batch is a set of graphs that fit into the memory of the device together: their tuples lie in one array, their
 * orbits in another. A round is one launch over all tuples of the batch, from one array of colours into the other:
 *
 *   color_batch.c    which graphs form a batch, its memory, its arrays on the device
 *   cuda_types.cu    round 0: relations of pairs, atomic types
 *   cuda_round.cu    line sums, the counts of local+, one round
 *   cuda_classes.cu  the smallest colour of every orbit, sorted; runs of one colour in one graph are the classes
 *   sort.cu          sorting and selecting (CUB)
 *   cuda_refine.c    rounds of all batches; copies their classes to the host
 *
 * A thread computes one tuple. The last component varies along the threads of a warp, so the rows of neighbours of the
 * other components are read in whole cache lines, after the first time from the second-level cache. Memory traffic per
 * tuple and round is 16 bytes if that cache holds the rows of the neighbours, and at most 8 (2 + d) bytes more if it
 * does not (d: the mean degree).
 *
 * Twins are not reduced here: no colour or count depends on the reduction, and the device has memory for all tuples.
 */
#ifndef LM_GPU_COLORS_H
#define LM_GPU_COLORS_H

#include "leman.h"
#ifdef __cplusplus
extern "C" {
#endif
#include "base/cuda/device.h"
#include "refine/variant.h"

enum {
    LM_GPU_K = 3,          /* largest k */
    LM_GPU_ORBIT = 6,      /* tuples of an orbit, at most */
    LM_GPU_TILE = 2048,    /* tuples of a thread block */
    LM_GPU_THREADS = 256,  /* threads of a block */
    LM_GPU_PIECE = 1 << 17 /* classes that are copied to the host at once */
};

/* Numbers of things in some graphs. A tile is a block of the launch over tuples, a line tile one of the launch over
 * lines. */
typedef struct lm_gpu_sizes {
    uint64_t graphs, vertices, arcs, tuples, orbits, lines, tiles, line_tiles;
} lm_gpu_sizes;

/* One graph of a batch. `at` counts the graphs before it: its offsets in the arrays of the batch. */
typedef struct lm_gpu_graph {
    lm_gpu_sizes at;
    uint32_t n;
} lm_gpu_graph;

/* Arcs of all graphs, listed by tail (or by head). Heads are numbered within their own graph. */
typedef struct lm_gpu_arcs {
    uint32_t *start; /* [vertices + 1] */
    uint32_t *head;
    uint64_t *label;
} lm_gpu_arcs;

/* A batch on the device; kernels get it by value. */
typedef struct lm_gpu_batch {
    unsigned k;
    bool directed, entering, messages; /* as in lm_space */
    uint64_t seed;
    lm_gpu_sizes all;
    lm_gpu_graph *graph; /* [graphs] */
    uint64_t *label;     /* [vertices] */
    lm_gpu_arcs out, in; /* equal arrays if the graphs are undirected */
    uint64_t *colors, *next;
    uint32_t *counts;    /* [tuples] #_last; NULL without local+ */
    uint64_t *line;      /* [k][lines]; NULL without line sums */
    uint64_t *key[2];    /* [orbits] */
    uint32_t *number[2]; /* [orbits] */
    uint64_t *totals;    /* [2] */
    void *temporary;
    size_t temporary_bytes;
    void *classes; /* of LM_GPU_PIECE classes, or of all if there are fewer: lm_gpu_classes_place() */
} lm_gpu_batch;

/* Classes of one round, on the device or on the host. Members as in lm_round_classes. */
typedef struct lm_gpu_classes {
    uint64_t *color, *orbits;
    uint32_t *orbit; /* [count][2] colours, times */
    uint32_t *graph; /* number in the batch */
    uint64_t *every; /* [count][LM_GPU_ORBIT] all colours of each class, increasing; NULL if not requested */
} lm_gpu_classes;

/* Returns the bytes of the arrays of `count` classes. If base is not NULL, sets *classes to arrays there. */
uint64_t lm_gpu_classes_place(uint64_t count, bool expanded, void *base, lm_gpu_classes *classes);

/* ---- Kernels --------------------------------------------------------------------------------- */

/* Computes round 0 into batch->colors. */
void lm_gpu_types(lm_device *device, const lm_gpu_batch *batch);
/* Computes one round by the rule `sums`, a set of lm_color_sum: batch->colors -> batch->next. */
void lm_gpu_round(lm_device *device, const lm_gpu_batch *batch, unsigned sums);

/* Finds the classes of `colors` and returns their number. They stay in key[] and number[] until the next call; *which
 * is the index of the sorted arrays among the two. */
uint64_t lm_gpu_count(lm_device *device, const lm_gpu_batch *batch, const uint64_t *colors, int *which);
/* Writes classes first .. first + count - 1 of the `all` that lm_gpu_count() found to the device arrays *to. */
void lm_gpu_describe(lm_device *device, const lm_gpu_batch *batch, const uint64_t *colors, int which, uint64_t first,
                     uint64_t count, uint64_t all, const lm_gpu_classes *to);
/* Returns the number of colours of all graphs together, and of (graph, colour) pairs. Arguments as lm_gpu_describe().
 */
leman_round_count lm_gpu_census(lm_device *device, const lm_gpu_batch *batch, const uint64_t *colors, int which,
                                uint64_t all);

/* ---- Sorting --------------------------------------------------------------------------------- */

/* Returns the bytes of batch->temporary for `count` keys. */
size_t lm_gpu_sort_bytes(uint64_t count);
/* Sorts the keys of the batch with their numbers. The sort is stable. Returns which of the two arrays holds the result.
 */
int lm_gpu_sort(lm_device *device, const lm_gpu_batch *batch);
/* Writes the indices of the flags that are set to place[], increasing, waits for the device and returns their number.
 */
uint64_t lm_gpu_select(lm_device *device, const lm_gpu_batch *batch, const uint8_t *flag, uint32_t *place);

#ifdef __cplusplus
}
#endif
#endif
