/*
 * Colours on a CUDA device: the same 64-bit colours as those of refine/, bit for bit, for k = 1, 2 and 3.
 *
 * A batch is many graphs side by side, as many as the memory of the device holds: their tuples lie in one array, their
 * orbits in another. A round is one launch over all tuples of the batch, from one array of colours into the other:
 *
 *   batch.c      which graphs make a batch, what it takes, its arrays on the device
 *   types.cu     round 0: relations of pairs, atomic types
 *   round.cu     line sums, the counts of local+, one round
 *   classes.cu   the smallest colour of every orbit, sorted; runs of one colour in one graph are the classes of a round
 *   sort.cu      sorting and selecting (CUB)
 *   refine.c     rounds of all batches, their classes back to the host
 *
 * A thread computes one tuple. The last component runs along the threads of a warp, so the rows of neighbours of the
 * components before it are read in whole cache lines, and all of them come out of the second-level cache but the
 * first time: per tuple and round 16 bytes of memory traffic where that cache holds the rows of the neighbours, and at
 * most 8 (2 + d) more where it does not (d: the mean degree).
 *
 * Twins are not merged here: they make no difference to any colour or count, and the device has room for all tuples.
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
    LM_GPU_K = 3,        /* the largest */
    LM_GPU_ORBIT = 6,    /* tuples of an orbit, at most */
    LM_GPU_TILE = 2048,  /* tuples of a block of threads */
    LM_GPU_THREADS = 256 /* of a block */
};

/* One graph of a batch: its size, and where its parts begin. */
typedef struct lm_gpu_graph {
    uint64_t tuple, orbit, line; /* in the arrays of the batch */
    uint64_t tile, line_tile;    /* blocks of the launches over tuples and over lines */
    uint32_t vertex, n;
} lm_gpu_graph;

/* Arcs by the vertex they leave (or enter), of all graphs; heads are vertices of their own graph. */
typedef struct lm_gpu_arcs {
    uint32_t *start; /* [vertices + 1] */
    uint32_t *head;
    uint64_t *label;
} lm_gpu_arcs;

/* A batch on the device; kernels get it by value. */
typedef struct lm_gpu_batch {
    unsigned k;
    uint32_t graphs;
    bool directed, entering, messages; /* as in lm_space */
    uint64_t seed;
    uint64_t vertices, tuples, orbits, lines, tiles, line_tiles;
    lm_gpu_graph *graph; /* [graphs] */
    uint64_t *label;     /* [vertices] */
    lm_gpu_arcs out, in; /* the same arrays in undirected graphs */
    uint64_t *colors, *next;
    uint32_t *counts;    /* [tuples] #_last; NULL without local+ */
    uint64_t *line;      /* [k][lines]; NULL without line sums */
    uint64_t *key[2];    /* [orbits] */
    uint32_t *number[2]; /* [orbits] */
    uint64_t *totals;    /* [2] */
    void *temporary;
    size_t temporary_bytes;
} lm_gpu_batch;

/* Classes of one round, on the device or on the host; lm_round_classes says what they are. */
typedef struct lm_gpu_classes {
    uint64_t *color, *orbits;
    uint32_t *orbit; /* [count][2] colours, times */
    uint32_t *graph; /* in the batch */
    uint64_t *every; /* [count][LM_GPU_ORBIT] the colours of each, increasing; NULL where nobody asked */
} lm_gpu_classes;

/* ---- Batches --------------------------------------------------------------------------------- */

/* Graphs: those of a data set, or one. */
typedef struct lm_gpu_source {
    const leman_dataset *data;
    const leman_graph *one;
    size_t graphs;
} lm_gpu_source;
leman_graph lm_gpu_graph_of(const lm_gpu_source *source, size_t graph);

/* Which graphs are coloured together, in the context's scratch; and the memory for it. */
typedef struct lm_gpu_plan {
    lm_gpu_source source;
    leman_coloring coloring; /* in its normal form */
    bool expanded;           /* all colours of a class are wanted */
    size_t *first;           /* [batches + 1] */
    size_t batches;
    size_t bytes; /* of the largest batch, on the device */
    size_t piece; /* classes that come back at once */
} lm_gpu_plan;
/* LEMAN_ERROR_BUDGET names the graph that is too large. */
leman_status lm_gpu_plan_new(lm_device *device, const lm_gpu_source *source, const leman_coloring *coloring,
                             bool expanded, lm_gpu_plan *plan);
/* Batch i of the plan in `memory`, plan->bytes of the device: sizes, arrays and graphs. `classes` has room for
 * plan->piece of them. */
leman_status lm_gpu_batch_load(lm_device *device, const lm_gpu_plan *plan, size_t i, void *memory, lm_gpu_batch *batch,
                               lm_gpu_classes *classes);

/* ---- Kernels --------------------------------------------------------------------------------- */

/* Round 0 into batch->colors. */
void lm_gpu_types(lm_device *device, const lm_gpu_batch *batch);
/* batch->colors -> batch->next. */
void lm_gpu_round(lm_device *device, const lm_gpu_batch *batch, const lm_variant *rule);

/* The classes of `colors`: how many; they stay in key[], number[] until the next call. *which: where. */
uint64_t lm_gpu_count(lm_device *device, const lm_gpu_batch *batch, const uint64_t *colors, int *which);
/* Classes first .. first + count - 1 of those, into arrays of the device. */
void lm_gpu_describe(lm_device *device, const lm_gpu_batch *batch, const uint64_t *colors, int which, uint64_t first,
                     uint64_t count, uint64_t all, const lm_gpu_classes *to);
/* How many colours all graphs show together, and how many (graph, colour) pairs. */
leman_round_count lm_gpu_census(lm_device *device, const lm_gpu_batch *batch, const uint64_t *colors, int which,
                                uint64_t all);

/* ---- Sorting --------------------------------------------------------------------------------- */

/* Bytes of work space for so many keys. */
size_t lm_gpu_sort_bytes(uint64_t count);
/* Keys in increasing order, equal ones in the order in which they were, with their numbers. Which of the two arrays
 * holds them then? */
int lm_gpu_sort(lm_device *device, const lm_gpu_batch *batch);
/* The places of the flags that are set, increasing; returns how many, and waits for it. */
uint64_t lm_gpu_select(lm_device *device, const lm_gpu_batch *batch, const uint8_t *flag, uint32_t *place);

#ifdef __cplusplus
}
#endif
#endif
