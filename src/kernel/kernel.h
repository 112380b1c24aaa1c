/* Kernels as feature triples (key, graph, value), and their sums as Gram matrices. */
#ifndef LM_KERNEL_H
#define LM_KERNEL_H

#include "graph/dataset.h"
#include "kernel/counts/triples.h"
#include <math.h>

enum {
    LM_KERNEL_MAX_ROUNDS = 4096, /* of a kernel's colouring */
    LM_KERNEL_MAX_STEPS = 4096,  /* of a walk */
    LM_KERNEL_MAX_DIMENSIONS = 64,
    LM_KERNEL_MAX_LEVELS = 16, /* of pyramids */
    LM_KERNEL_MIN_GRAPHLET = 3,
    LM_KERNEL_MAX_GRAPHLET = 5,
    LM_KERNEL_RADIUS = 3,   /* the default */
    LM_KERNEL_DISTANCE = 4, /* the default */
    LM_KERNEL_MAX_RADIUS = 255,
    LM_KERNEL_MAX_BITS = 32,
    LM_KERNEL_MAX_BINNINGS = 1000
};

/* Limits of weights. Between them, sums of kernels (counts up to about 10^40), their products for a normalised matrix
 * and their squares in a feature vector are all within the range of a double. */
#define LM_KERNEL_MIN_WEIGHT 1e-100
#define LM_KERNEL_MAX_WEIGHT 1e100

/* Adds the colours of rounds 0 .. H = coloring->rounds of every graph of the data to blocks 0 .. H. The graphs are
 * numbered from first_graph on. With branches, blocks 0 .. H-1 have the plain rounds, and block H + h has the decorated
 * round h that branches off the plain round h - 1, for h = 1 .. H. */
leman_status lm_triples_of_colors(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                  bool branches, size_t first_graph, lm_triples *triples);

/* Adds the features of the shortest-path kernel to one block: the key is a hash of (label u, label v, distance), the
 * value the number of ordered connected pairs u != v. Labels are ignored if the kernel says so. */
leman_status lm_triples_of_paths(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                 size_t first_graph, size_t block, lm_triples *triples);
/* Adds the features of the graphlet kernel to one block: the key is a hash of a labelled connected graph on
 * kernel->graphlet vertices, the value the number of induced subgraphs that are isomorphic to this graph. */
leman_status lm_triples_of_graphlets(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                     size_t first_graph, size_t block, lm_triples *triples);
/* lm_triples_of_graphlets() for 4 and 5 vertices, which ignores labels and directions. */
leman_status lm_triples_of_subgraphs(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                     size_t first_graph, size_t block, lm_triples *triples);

/* Adds the features of neighbourhood hashes or Hadamard codes to one block: the key is a hash of a round and a value, the
 * value the number of vertices with this value after this round. */
leman_status lm_triples_of_hashes(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                  size_t first_graph, size_t block, lm_triples *triples);

/* Adds the features of pairs of neighbourhoods to one block: the key is a hash of a radius, a distance and two balls, the
 * value the number of pairs, scaled so that the vector of each radius and distance has length 1 / LM_KERNEL_PAIR_UNIT. */
#define LM_KERNEL_PAIR_UNIT 0x1p-31
leman_status lm_triples_of_ball_pairs(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                      size_t first_graph, size_t block, lm_triples *triples);
/* Adds the features of trees to one block: the key is a hash of a tree, the value the number of vertices of breadth-first
 * DAGs that are the root of such a tree. */
leman_status lm_triples_of_trees(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                 size_t first_graph, size_t block, lm_triples *triples);
/* Returns true if the kernel has a radius: hashes, codes, pairs of neighbourhoods and trees. */
bool lm_kernel_has_radius(const leman_kernel *kernel);
/* Returns what a value 1 of the kernel's triples means: 1 for counts. */
double lm_kernel_unit(const leman_kernel *kernel);
/* Returns the factor of a sum of products, or of minima, of the kernel's values: the weight, times the unit of each
 * value. */
double lm_kernel_factor(const leman_kernel *kernel);
/* Adds the features of the pyramid match kernel to one block: the key is a hash of (label, dimension, level, cell), the
 * value the number of vertices there, times 2^(level - 1) from level 1 on. */
leman_status lm_triples_of_pyramids(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                    size_t first_graph, size_t block, lm_triples *triples);
/* Adds the features of the propagation kernel to blocks 0 .. H = kernel->coloring.rounds: the key is the hash of a vertex
 * after a round, the value the number of such vertices. `binning` is the number of the random binning. */
leman_status lm_triples_of_propagation(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel,
                                       uint32_t binning, size_t first_graph, lm_triples *triples);

/* The first step of public functions: copies kernels[count] of the caller, whose leman_kernel may be a shorter or
 * longer struct, to an array in the context's scratch and checks them. Their rounds may be LEMAN_STABLE. */
leman_status lm_kernels_copy(leman_context *ctx, const leman_kernel *kernels, size_t count, leman_kernel **copy);
/* Returns true for kernels that are computed pair by pair (kernel/pairs/). */
bool lm_kernel_is_of_pairs(const leman_kernel *kernel);
/* Fails with LEMAN_ERROR_ARGUMENT because a kernel of pairs has no `wanted`, "feature vectors" or "linear SVM". */
leman_status lm_pairs_refuse(leman_context *ctx, const leman_kernel *kernel, const char *wanted);
/* Fails with LEMAN_ERROR_ARGUMENT, because a linear SVM is asked for and lm_kernels_are_linear() is false. */
leman_status lm_linear_refuse(leman_context *ctx);
/* Fails with LEMAN_ERROR_ARGUMENT if the kernel has projections of the caller, which no file can keep. */
leman_status lm_projections_refuse(leman_context *ctx, const leman_kernel *kernel);
/* The second step of public functions: replaces LEMAN_STABLE by the first round after which no class of the data
 * splits. Computes a census for each such kernel. */
leman_status lm_kernels_resolve(leman_context *ctx, const leman_dataset *data, leman_kernel *kernels, size_t count);
/* Returns a checksum of all members: equal kernels have equal checksums. */
uint64_t lm_kernels_checksum(const leman_kernel *kernels, size_t count);
/* Sets *wanted to true if at least one of the kernels can be computed on a device. */
leman_status lm_kernels_want_device(leman_context *ctx, const leman_kernel *kernels, size_t count, bool *wanted);
/* Checks a kernel and writes it with its colouring in normal form. Fails for invalid values and combinations, and for
 * LEMAN_STABLE. */
leman_status lm_kernel_check(leman_context *ctx, const leman_kernel *asked, leman_kernel *normal);
/* Returns true if the last round of the kernel's colouring has its own rule, so that rounds 0 .. h are not a prefix of
 * rounds 0 .. H (local+ with # in the last round). */
bool lm_kernel_branches(const leman_kernel *kernel);
/* Returns true for the kinds whose features are counted after each of coloring.rounds rounds. */
static inline bool lm_kernel_has_rounds(const leman_kernel *kernel)
{
    return kernel->kind == LEMAN_KERNEL_KIND_COLORS || kernel->kind == LEMAN_KERNEL_KIND_PROPAGATION;
}
/* Returns true if evaluations and fits select the kernel's number of rounds. */
static inline bool lm_kernel_selects_rounds(const leman_kernel *kernel)
{
    return lm_kernel_has_rounds(kernel) && !kernel->fixed_rounds;
}
/* Returns true if the normalised kernel is the product of feature vectors, so that a linear SVM has its weights. */
static inline bool lm_kernel_is_linear(const leman_kernel *kernel)
{
    return !kernel->assignment && kernel->normalization == LEMAN_NORMALIZATION_COSINE && !kernel->fixed_rounds;
}
/* Returns lm_kernel_is_linear() of all kernels. */
static inline bool lm_kernels_are_linear(const leman_kernel *kernels, size_t count)
{
    size_t i = 0;
    while (i < count && lm_kernel_is_linear(kernels + i)) i++;
    return i == count;
}
/* Returns k(G, H) = value normalised, with k(G, G) and k(H, H); 0 if the divisor is 0. */
static inline double lm_normalized(leman_normalization by, double value, double self, double other)
{
    const double divisor = by == LEMAN_NORMALIZATION_TANIMOTO ? self + other - value : sqrt(self * other);
    return divisor > 0 ? value / divisor : 0;
}
/* Fails with LEMAN_ERROR_INPUT if the kernel needs atom labels that the data does not have. */
leman_status lm_kernel_check_atoms(leman_context *ctx, const leman_kernel *kernel, const leman_dataset *data);
/* Returns the number of blocks of the kernel's triples: H + 1 for a kernel of H rounds, 2 H + 1 with branches; 1 for
 * other kernels. */
size_t lm_kernel_blocks(const leman_kernel *kernel, bool branches);
/* Adds the features of every graph of the data to lm_kernel_blocks() blocks. Graphs are numbered from first_graph on.
 */
leman_status lm_kernel_fill(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernel, bool branches,
                            size_t first_graph, lm_triples *triples);

/* leman_gram_compute() within a memory limit, part of which may be held already; `out` is counted in addition. There
 * must be at least one kernel. */
leman_status lm_gram_compute(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                             const leman_kernel *kernels, size_t count, bool normalize, lm_memory_limit limit,
                             double *out);
/* A random sample of the tuples of each graph. */
typedef struct lm_sample {
    uint64_t tuples; /* drawn from each graph; graphs with at most so many tuples are used completely */
    uint64_t seed;
} lm_sample;
/* Returns the number of tuples that represent a graph: the number drawn, or all. */
uint64_t lm_sample_size(const lm_sample *sample, const leman_graph *graph, unsigned k);
/* lm_triples_of_colors() for the sampled tuples of every graph. The searches around these tuples hold up to `bytes` at
 * once. */
leman_status lm_triples_of_samples(leman_context *ctx, const leman_dataset *data, const leman_coloring *coloring,
                                   const lm_sample *sample, uint64_t bytes, size_t first_graph, lm_triples *triples);
/* Computes the sums of products of the counts of sampled colours into out[rows][columns], and the value of each row and
 * column graph with itself into row_self and column_self. */
leman_status lm_gram_of_samples(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                                const leman_kernel *kernel, const lm_sample *sample, lm_memory_limit limit, double *out,
                                double *row_self, double *column_self);

/* leman_gram_compute() within `budget` bytes: the result of lm_budget() before `out` was allocated. */
leman_status lm_gram_within(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                            const leman_kernel *kernels, size_t count, bool normalize, size_t budget, double *out);
/* leman_gram_save() with at most `rows` rows at a time; 0: as many as fit. */
leman_status lm_gram_tiles(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                           const leman_kernel *kernels, size_t count, bool normalize, size_t rows, const char *path);
/* leman_gram_rounds() within `budget` bytes, as lm_gram_within(), for a kernel in the form of lm_kernel_check(). */
leman_status lm_gram_rounds(leman_context *ctx, const leman_dataset *data, const leman_dataset *against,
                            const leman_kernel *normal, bool normalize, size_t budget, double *const *out);

#endif
