/* Kernels as feature triples (key, graph, value), and their sums as Gram matrices. */
#ifndef LM_KERNEL_H
#define LM_KERNEL_H

#include "graph/dataset.h"
#include "kernel/triples.h"

enum {
    LM_KERNEL_MAX_ROUNDS = 4096, /* of a colouring under a kernel */
    LM_KERNEL_MIN_GRAPHLET = 3,
    LM_KERNEL_MAX_GRAPHLET = 5
};

/* Weights between which sums of kernels, which count up to some 10^40, their products for a normalised matrix and their
 * squares under a feature vector are all within the range of a double. */
#define LM_KERNEL_MIN_WEIGHT 1e-100
#define LM_KERNEL_MAX_WEIGHT 1e100

/* Rounds 0 .. H = coloring->rounds of every graph of the data into blocks 0 .. H, as graphs first_graph ..
 * With branches: blocks 0 .. H-1 are the plain rounds, and block H + h is the decorated round h that branches off the
 * plain round h - 1, for h = 1 .. H. */
leman_status lm_triples_of_colors(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                  bool branches, size_t first_graph, lm_triples *triples);

/* The shortest-path kernel: key of (label u, label v, distance), value the number of ordered connected pairs u != v;
 * all in one block. Labels are ignored as the kernel says. */
leman_status lm_triples_of_paths(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                 size_t first_graph, size_t block, lm_triples *triples);
/* The graphlet kernel: key of a labelled connected graph on kernel->graphlet vertices, value how many induced subgraphs
 * are isomorphic to it. */
leman_status lm_triples_of_graphlets(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                     size_t first_graph, size_t block, lm_triples *triples);
/* The same for 4 and 5 vertices, without labels and directions. */
leman_status lm_triples_of_subgraphs(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                     size_t first_graph, size_t block, lm_triples *triples);

/* What public functions do first: kernels[count] of the caller, who may know a shorter leman_kernel, as a checked array
 * of our own in the context's scratch. Their rounds may be LEMAN_STABLE. */
leman_status lm_kernels_copy(leman_context *ctx, const leman_kernel *kernels, size_t count, leman_kernel **copy);
/* What they do next: LEMAN_STABLE becomes the first round after which nothing splits in the data, by a census for each
 * such kernel. */
leman_status lm_kernels_resolve(leman_context *ctx, const leman_dataset *data, leman_kernel *kernels, size_t count);
/* Equal for kernels that are the same in all their members. */
uint64_t lm_kernels_checksum(const leman_kernel *kernels, size_t count);
/* Might a device colour the graphs of one of them? */
leman_status lm_kernels_want_device(leman_context *ctx, const leman_kernel *kernels, size_t count, bool *wanted);
/* Values that do not exist and wrong combinations refused, LEMAN_STABLE too; the kernel with its colouring in normal
 * form. */
leman_status lm_kernel_check(leman_context *ctx, const leman_kernel *asked, leman_kernel *normal);
/* Has the last round a rule of its own, so that the rounds 0 .. h are no prefix of the rounds 0 .. H? (local+ with # in
 * the last round) */
bool lm_kernel_branches(const leman_kernel *kernel);
/* How many blocks its triples have: a colouring one a round, other kernels one in all. */
size_t lm_kernel_blocks(const leman_kernel *kernel, bool branches);
/* The features of every graph of the data into so many blocks, as graphs first_graph .. */
leman_status lm_kernel_fill(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel, bool branches,
                            size_t first_graph, lm_triples *triples);

/* As leman_gram_compute(), with a budget of which something is held already; out counts as held on top of that. At
 * least one kernel. */
leman_status lm_gram_compute(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                             const leman_kernel *kernels, size_t count, bool normalize, lm_memory_limit limit,
                             double *out);
/* Random tuples of each graph. */
typedef struct lm_sample {
    uint64_t tuples; /* drawn of each graph; graphs that have no more are taken whole */
    uint64_t seed;
} lm_sample;
/* How many tuples stand for a graph: those that are drawn, or all. */
uint64_t lm_sample_size(const lm_sample *sample, const leman_graph *graph, unsigned k);
/* The colours of such tuples of every graph, rounds in blocks, as lm_triples_of_colors(). The searches around them take
 * up to `bytes` at once. */
leman_status lm_triples_of_samples(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                   const lm_sample *sample, uint64_t bytes, size_t first_graph, lm_triples *triples);
/* The sums of products of their counts into out[rows][columns], and for the graphs of rows and columns with
 * themselves. */
leman_status lm_gram_of_samples(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                                const leman_kernel *kernel, const lm_sample *sample, lm_memory_limit limit, double *out,
                                double *row_self, double *column_self);

/* As leman_gram_compute() and, for a kernel of lm_kernel_check(), leman_gram_rounds(), within what lm_budget() said
 * before out was allocated. */
leman_status lm_gram_within(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                            const leman_kernel *kernels, size_t count, bool normalize, size_t budget, double *out);
/* leman_gram_save() with at most so many rows at a time; 0: as many as fit. */
leman_status lm_gram_tiles(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                           const leman_kernel *kernels, size_t count, bool normalize, size_t rows, const char *path);
leman_status lm_gram_rounds(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                            const leman_kernel *normal, bool normalize, size_t budget, double *const *out);

#endif
