/* Creates, frees and describes Gaussian processes. */
#include "learn/gaussian/gp.h"
#include "base/arguments.h"
#include "base/private.h"
#include "kernel/features/features.h"
#include "kernel/kernel.h"
#include <math.h>

LM_OPTIONS(leman_gp_options, options, .rounds = 5)

void leman_gp_free(leman_gp *gp)
{
    if (!gp) return;
    leman_model_free(gp->model);
    RELEASE(gp->block_kernel, gp->block_round, gp->weight, gp->target, gp->spread, gp->factor, gp);
}

const leman_gp_shape *leman_gp_describe(const leman_gp *gp)
{
    return gp ? &gp->shape : NULL;
}

leman_status lm_gp_set_blocks(leman_context *ctx, leman_gp *gp)
{
    const leman_model *model = gp->model;
    size_t blocks = 0;
    for (size_t i = 0; i < model->shape.kernels; i++) blocks += lm_kernel_blocks(model->kernel + i, false);
    PASS_NEW(ctx, gp->block_kernel, blocks);
    PASS_NEW(ctx, gp->block_round, blocks);
    gp->shape.blocks = blocks;
    for (size_t i = 0, b = 0; i < model->shape.kernels; i++)
        for (uint32_t r = 0; r < lm_kernel_blocks(model->kernel + i, false); r++, b++) {
            gp->block_kernel[b] = (uint32_t)i;
            gp->block_round[b] = r;
        }
    return LEMAN_OK;
}

leman_status lm_gp_complete(leman_context *ctx, leman_gp *gp)
{
    SCRATCH_SCOPE(ctx);
    lm_posterior p = {.n = lm_gp_size(gp),
                      .target = gp->target,
                      .weight = gp->weight,
                      .noise = gp->shape.noise,
                      .factor = gp->factor,
                      .alpha = gp->model->coefficient};
    double *work;
    size_t threads;
    PASS_SCRATCH(ctx, work, p.n);
    PASS(lm_products_reserve(ctx, 1, &threads));
    lm_posterior_solve(&p, work);
    lm_products_release(threads);
    gp->alpha = p.alpha;
    gp->shape.mean = gp->model->bias[0] = p.mean;
    gp->shape.log_likelihood = p.likelihood;
    gp->shape.block_kernel = gp->block_kernel;
    gp->shape.block_round = gp->block_round;
    gp->shape.weight = gp->weight;
    gp->shape.model = &gp->model->shape;
    return LEMAN_OK;
}

void lm_gp_left_out(const leman_gp *gp, const double *diagonal, double *mean, double *std, double *error)
{
    const size_t n = lm_gp_size(gp);
    double square = 0, all = 0;
    for (size_t i = 0; i < n; i++) {
        const double residual = gp->alpha[i] / diagonal[i], weight = 1 / lm_spread_of(gp->spread, i);
        if (mean) mean[i] = gp->target[i] - residual;
        if (std) std[i] = 1 / sqrt(diagonal[i]);
        square += weight * residual * residual;
        all += weight;
    }
    if (error) *error = sqrt(square / all);
}

leman_status leman_gp_leave_one_out(leman_context *ctx, const leman_gp *gp, double *mean, double *std, double *target)
{
    REQUIRE(ctx, gp);
    SCRATCH_SCOPE(ctx);
    const size_t n = lm_gp_size(gp);
    const lm_posterior p = {.n = n, .factor = gp->factor, .alpha = gp->alpha};
    double *diagonal;
    size_t threads;
    for (size_t i = 0; target && i < n; i++) target[i] = gp->target[i];
    if (!mean && !std) return LEMAN_OK;
    PASS_SCRATCH(ctx, diagonal, n);
    PASS(lm_products_reserve(ctx, (size_t)ctx->settings.threads, &threads));
    const leman_status st = lm_posterior_gradient(ctx, threads, NULL, &p, NULL, diagonal);
    lm_products_release(threads);
    PASS(st);
    lm_gp_left_out(gp, diagonal, mean, std, NULL);
    return LEMAN_OK;
}

/* ---- Other weights --------------------------------------------------------------------------- */

static leman_status likelihood(leman_context *ctx, size_t threads, const lm_triangles *kernels, lm_posterior *p,
                               double *value, double *gradient)
{
    PASS(lm_posterior_compute(ctx, threads, kernels, p));
    if (gradient && isfinite(p->likelihood)) PASS(lm_posterior_gradient(ctx, threads, kernels, p, gradient, NULL));
    for (size_t b = 0; gradient && !isfinite(p->likelihood) && b <= kernels->blocks; b++) gradient[b] = NAN;
    *value = p->likelihood;
    return LEMAN_OK;
}

leman_status leman_gp_likelihood(leman_context *ctx, const leman_gp *gp, const double *weight, double noise,
                                 double *value, double *gradient)
{
    REQUIRE(ctx, gp, weight, value);
    SCRATCH_SCOPE(ctx);
    const size_t n = lm_gp_size(gp);
    AUTO(lm_release_at) double *factor = NULL;
    lm_triangles kernels = {0};
    lm_posterior p = {.n = n, .target = gp->target, .weight = weight, .spread = gp->spread, .noise = noise};
    size_t threads;
    for (size_t b = 0; b <= gp->shape.blocks; b++) {
        const double found = b < gp->shape.blocks ? weight[b] : noise;
        if (!(found >= 0 && isfinite(found)))
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: found %g, expected a number that is not negative",
                           b < gp->shape.blocks ? "weight" : "noise", found);
    }
    PASS(lm_gp_kernels_new(ctx, gp, &kernels));
    AUTO(lm_release_at) double *first = kernels.block[0];
    PASS_SCRATCH(ctx, p.alpha, n);
    PASS_NEW(ctx, factor, lm_saturating_multiply(n, n));
    p.factor = factor;
    PASS(lm_products_reserve(ctx, (size_t)ctx->settings.threads, &threads));
    const leman_status st = likelihood(ctx, threads, &kernels, &p, value, gradient);
    lm_products_release(threads);
    return st;
}
