/*
 * leman/gp.h - Gaussian-process regression on graph kernels: predictions with standard deviations.
 */
#ifndef LEMAN_GP_H
#define LEMAN_GP_H

#include "leman/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A Gaussian process. The value of a graph is y(G) = mean + f(G) + e, where the e are independent with variance `noise`,
 * and the f(G) have the covariance
 *
 *   sum over blocks b of weight[b] K_b(G, H).
 *
 * A block is one round of a kernel that has rounds, or a kernel without rounds; K_b is the kernel of the features of the
 * block alone, normalised as the kernel says (leman_normalization), so that K_b(G, G) = 1, or 0 if G has no such
 * feature. The members `weight` of kernels have no effect. A Gaussian process keeps the features of its training graphs,
 * not the graphs.
 */
typedef struct leman_gp leman_gp;

typedef struct leman_gp_options {
    size_t size;             /* leman_gp_options_init() sets it */
    uint32_t rounds;         /* of kernels that have rounds; default: 5 */
    size_t target;           /* the target column; default: 0 */
    const char *target_name; /* stored in the file: the name of what is predicted; NULL: name of the target column */
    const double *weight;    /* [weights], not negative: first values of the maximisation; NULL: equal weights */
    size_t weights;          /* the number of blocks */
    double noise;            /* above 0: its first value; 0: a tenth of the targets' variance */
    bool fixed;              /* keep the first values; otherwise weights and noise maximise the marginal likelihood */
    const double
        *sample_weight; /* [graphs] from 1e-100 to 1e100: the variance of the noise of a graph is noise divided by
                                  * its weight; NULL: 1 each. Those of graphs without a target are not read */
} leman_gp_options;

LEMAN_API void leman_gp_options_init(leman_gp_options *options, size_t size);
static inline leman_gp_options leman_gp_options_default(void)
{
    leman_gp_options options;
    leman_gp_options_init(&options, sizeof options);
    return options;
}

/*
 * Fits a Gaussian process to the targets of the graphs. Weights and noise maximise the marginal likelihood, locally, by a
 * quasi-Newton method on their logarithms; in units of the targets' variance weights lie in 1e-6 .. 1e4 and the noise
 * in 1e-5 .. 10. The mean is the one of largest likelihood. Graphs without a target take no part. Kernels without feature
 * vectors (leman_kernel_has_features() with `assignment` set aside) fail with LEMAN_ERROR_ARGUMENT. options may be NULL:
 * the default. Free with leman_gp_free(). Time for n graphs: a refinement, and about 50 times n^3 operations. Memory:
 * 16 + 4 blocks bytes times n^2, and the features; fails with LEMAN_ERROR_BUDGET before any work if that is too much.
 */
LEMAN_API leman_status leman_gp_fit(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                    size_t count, const leman_gp_options *options, leman_gp **out);

/* The properties of a Gaussian process. The struct and its pointers belong to the Gaussian process. */
typedef struct leman_gp_shape {
    const leman_model_shape
        *model; /* kernels, data and target. score: the leave-one-out root of the mean squared error;
                                       supports: the number of training graphs */
    size_t blocks;
    const uint32_t *block_kernel, *block_round; /* [blocks] the kernel of a block, and its round (0 without rounds) */
    const double *weight;                       /* [blocks] */
    double noise, mean;
    double log_likelihood; /* the logarithm of the marginal likelihood */
} leman_gp_shape;
/* Returns the properties of a Gaussian process; NULL for NULL. */
LEMAN_API const leman_gp_shape *leman_gp_describe(const leman_gp *gp);

/*
 * Predicts new values of graphs. Each array may be NULL.
 *   mean[graphs], std[graphs]    of the distribution of y(G) given the training graphs. std contains the noise:
 *                                std^2 - noise is the variance of f(G)
 *   out_of_vocabulary[graphs]    the share of the graph, in 0 .. 1, in features that no training graph has: the mean over
 *                                the blocks, weighted by `weight`
 * Fails with LEMAN_ERROR_INPUT if the data does not fit, as leman_model_predict() does. The prediction for a graph does
 * not depend on other graphs. Time: n^2 operations a graph. Memory: one slice of the graphs at a time.
 */
LEMAN_API leman_status leman_gp_predict(leman_context *ctx, const leman_gp *gp, const leman_dataset *data, double *mean,
                                        double *std, double *out_of_vocabulary);
/* Predicts every training graph from all others, with the weights, noise and mean as they are, into mean[supports] and
 * std[supports], in the order of the training graphs that have a target. target[supports] gets their targets. Each array
 * may be NULL. From the diagonal of one inverse: n^3 operations. */
LEMAN_API leman_status leman_gp_leave_one_out(leman_context *ctx, const leman_gp *gp, double *mean, double *std,
                                              double *target);
/* Computes the log marginal likelihood of the training graphs for other weights[blocks] and noise, which must not be
 * negative, with the mean of largest likelihood; -INFINITY if the matrix is not positive definite. gradient[blocks + 1],
 * which may be NULL, gets the derivatives by the weights and, last, by the noise. Memory as leman_gp_fit(). */
LEMAN_API leman_status leman_gp_likelihood(leman_context *ctx, const leman_gp *gp, const double *weight, double noise,
                                           double *value, double *gradient);
/* Adds the graphs of the data that have a target to the training graphs, with weights and noise as they are, and the
 * mean of largest likelihood. The result is a fit of all graphs with these weights and noise (`fixed`), up to rounding,
 * in n^2 operations for each graph instead of n^3: its factor is extended by rows. sample_weight[graphs] is as in
 * leman_gp_options; NULL: 1 each. model->score stays that of the fit. gp is not changed; free *out with leman_gp_free(). */
LEMAN_API leman_status leman_gp_extend(leman_context *ctx, const leman_gp *gp, const leman_dataset *data,
                                       const double *sample_weight, leman_gp **out);

/* Write and read the file of a Gaussian process (docs/gaussian_processes.md). The file appears whole or not at all.
 * Reading fails with LEMAN_ERROR_INPUT if the file is damaged, of another kind or of a newer version. */
LEMAN_API leman_status leman_gp_write(leman_context *ctx, const leman_gp *gp, const char *path);
LEMAN_API leman_status leman_gp_read(leman_context *ctx, const char *path, leman_gp **out);
LEMAN_API void leman_gp_free(leman_gp *gp);

#ifdef __cplusplus
}
#endif
#endif
