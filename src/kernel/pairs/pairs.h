/*
 * Kernels of pairs: kernels that have no feature vectors of counts. Every graph is prepared once (eigenvalues, numbers
 * of walks, ...), and a function of two prepared graphs returns the kernel. Threads and ranks share the pairs in tiles.
 * Each pair is computed by one thread, so the number of threads never changes a result.
 */
#ifndef LM_PAIRS_H
#define LM_PAIRS_H

#include "base/thread_pool.h"
#include "kernel/gram/gram.h"
#include "kernel/kernel.h"

/* A prepared graph. */
typedef struct lm_prepared {
    leman_graph graph; /* a view into the data set */
    void *value;       /* lm_pair_kernel.bytes() bytes, aligned for doubles and words */
} lm_prepared;

typedef struct lm_pair_kernel lm_pair_kernel;

/* One Gram matrix of pairs. */
typedef struct lm_pair_work {
    const leman_dataset *data, *against; /* against: NULL for a square matrix */
    const leman_kernel *kernel;          /* in normal form */
    bool selves; /* kernels of graphs with themselves are needed, although the matrix is not square */
    const lm_pair_kernel *method;
    size_t terms;          /* of a series; begin() may set it */
    size_t *diameter;      /* [count] of paths; begin() may set it, in the scratch of the context */
    lm_prepared *prepared; /* [graphs of data, then graphs of against] */
    size_t count;
} lm_pair_work;

struct lm_pair_kernel {
    const char *what; /* "random walks", for the progress */
    /* Checks the data sets before any work, and sets members of the work that all graphs share. */
    leman_status (*begin)(leman_context *ctx, lm_pair_work *work);
    /* bytes() returns what prepare() writes for graph number `item`, prepare_scratch() the scratch that it uses,
     * pair_scratch() the scratch that compare() uses; all in bytes. */
    uint64_t (*bytes)(const lm_pair_work *work, const leman_graph *graph, size_t item);
    uint64_t (*prepare_scratch)(const lm_pair_work *work, const leman_graph *graph, size_t item);
    uint64_t (*pair_scratch)(const lm_pair_work *work, const leman_graph *a, const leman_graph *b);
    leman_status (*prepare)(lm_worker *worker, const lm_pair_work *work, lm_prepared *prepared);
    /* Called once when all graphs are prepared. May be NULL. */
    leman_status (*check)(leman_context *ctx, const lm_pair_work *work);
    /* Computes the kernel of two prepared graphs. */
    leman_status (*compare)(lm_worker *worker, const lm_pair_work *work, const lm_prepared *a, const lm_prepared *b,
                            double *value);
};

/* Returns the method of a kernel of pairs; NULL for a kernel that has features. `directed`: of the data. */
const lm_pair_kernel *lm_pair_kernel_of(const leman_kernel *kernel, bool directed);
/* Fills the sums of a matrix, whose `reals` must be set. With ranks, a rank fills its tiles, and the other sums are 0.
 * Fails with LEMAN_ERROR_BUDGET before any work if the prepared graphs, and the scratch of as many workers as fit,
 * exceed the limit. Time: prepare() for every graph, compare() for every pair. */
leman_status lm_gram_of_pairs(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                              const leman_kernel *kernel, bool selves, lm_memory_limit limit, lm_gram *gram);

/* The methods. */
extern const lm_pair_kernel LM_WALK_SPECTRA, LM_WALK_COUNTS, LM_LABELED_WALKS, LM_GRAPH_HOPPER;
/* begin() of kernels of walks: checks the weights of edges. */
leman_status lm_walks_begin(leman_context *ctx, lm_pair_work *work);
/* Fails with LEMAN_ERROR_ARGUMENT if lambda times the largest product of spectral radii that the matrix needs is 1 or
 * more, so that a geometric sum over walks has no finite value. Prepared graphs begin with their spectral radius, a
 * double. */
leman_status lm_walks_check(leman_context *ctx, const lm_pair_work *work);

#endif
