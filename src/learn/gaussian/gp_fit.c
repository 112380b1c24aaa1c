/*
 * Fitting a Gaussian process: features of the graphs that have a target, kernel matrices of all blocks, weights and noise
 * of largest marginal likelihood, and the factor for them. The likelihood is maximised over the logarithms of weights
 * and noise for targets of mean 0 and variance 1; the derivative by log w is w times that by w.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "base/private.h"
#include "graph/dataset.h"
#include "kernel/features/features.h"
#include "learn/gaussian/gp.h"
#include "learn/gaussian/maximize.h"
#include "learn/model/fit.h"
#include "learn/protocol/classes.h"
#include "learn/protocol/graph_options.h"
#include <math.h>

#define LEAST_WEIGHT 1e-6 /* in units of the variance of the targets */
#define LARGEST_WEIGHT 1e4
#define LEAST_NOISE 1e-5
#define LARGEST_NOISE 10.0
#define FIRST_NOISE 0.1
#define TOLERANCE 1e-4 /* of the derivatives of the likelihood by the logarithms */

enum { STEPS = 200 };

typedef struct fitting {
    leman_context *ctx;
    leman_gp_options options;
    leman_gp *gp;
    leman_dataset *known, *own; /* graphs that have a target, if not all have one; copy for the kernels, or NULL */
    size_t *known_graph;
    double mean, deviation; /* of the targets */
    lm_triangles kernels;
    lm_posterior posterior;  /* of the targets of mean 0 and variance 1 */
    double *weight, *target; /* of the posterior */
    size_t threads, evaluations;
} fitting;

static void end_fitting(fitting *f)
{
    if (f->kernels.block) lm_release(f->kernels.block[0]);
    lm_products_release(f->threads);
    leman_dataset_free(f->own);
    leman_dataset_free(f->known);
    leman_gp_free(f->gp);
}

/* ---- Data ------------------------------------------------------------------------------------ */

static leman_status read_targets(fitting *f, const leman_dataset *data)
{
    const size_t n = data->graphs;
    double sum = 0, square = 0;
    PASS_NEW(f->ctx, f->gp->target, n);
    PASS(lm_targets_read(f->ctx, data, f->options.target, f->gp->target));
    for (size_t g = 0; g < n; g++) sum += f->gp->target[g];
    f->mean = sum / (double)n;
    for (size_t g = 0; g < n; g++) square += (f->gp->target[g] - f->mean) * (f->gp->target[g] - f->mean);
    f->deviation = square > 0 ? sqrt(square / (double)n) : 1;
    PASS_SCRATCH(f->ctx, f->target, n);
    for (size_t g = 0; g < n; g++) f->target[g] = (f->gp->target[g] - f->mean) / f->deviation;
    return LEMAN_OK;
}

/* Takes the weights of the graphs that have a target. */
static leman_status read_weights(fitting *f, const leman_dataset *data)
{
    const double *given = f->options.sample_weight;
    if (!given) return LEMAN_OK;
    PASS_NEW(f->ctx, f->gp->spread, data->graphs);
    PASS(lm_graph_weights_read(f->ctx, f->gp->model->data_name, given, f->known_graph, data->graphs, f->gp->spread));
    for (size_t g = 0; g < data->graphs; g++) f->gp->spread[g] = 1 / f->gp->spread[g];
    return LEMAN_OK;
}

/* Makes the model with kernels, data and features, all but its coefficients. */
static leman_status prepare(fitting *f, const leman_dataset *all, const leman_kernel *kernels, size_t count)
{
    leman_context *ctx = f->ctx;
    if (all->graphs < 2)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %zu graph%s, expected at least two", all->name, all->graphs,
                       lm_plural(all->graphs));
    PASS_NEW_ZERO(ctx, f->gp, 1);
    PASS_NEW_ZERO(ctx, f->gp->model, 1);
    leman_model *model = f->gp->model;
    model->gaussian = true;
    PASS(lm_model_set_data(ctx, model, all));
    PASS(lm_known_graphs(ctx, all, f->options.target, &f->known_graph, &f->known));
    const leman_dataset *data = f->known ? f->known : all;
    model->shape.target = f->options.target;
    model->shape.regression = true;
    model->shape.selected_by = LEMAN_SCORE_RMSE;
    model->shape.svm = LEMAN_SVM_KERNEL;
    model->outputs = 1;
    PASS(lm_model_set_kernels(ctx, model, data, kernels, count, f->options.rounds, false));
    for (size_t i = 0; i < count; i++)
        if (lm_kernel_has_rounds(model->kernel + i) && model->kernel[i].coloring.rounds > model->shape.rounds)
            model->shape.rounds = model->kernel[i].coloring.rounds;
    if (lm_model_has_binnings(model)) {
        if (!data->columns.vertex_attributes)
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found no vertex attributes, expected those that a kernel bins",
                           data->name);
        PASS(lm_attribute_scale_new(ctx, data, &model->scale));
    }
    PASS(lm_model_view(ctx, model, data, &f->own));
    PASS(read_targets(f, data));
    PASS(read_weights(f, data));
    PASS(lm_model_set_names(ctx, model, data, f->options.target_name));
    PASS(lm_gp_set_blocks(ctx, f->gp));
    return LEMAN_OK;
}

/* Computes the features of the training graphs, and says which graphs they are. */
static leman_status add_features(fitting *f, const leman_dataset *all)
{
    leman_model *model = f->gp->model;
    const leman_dataset *data = f->own ? f->own : f->known ? f->known : all;
    PASS(lm_features_compact(f->ctx, data, model->kernel, model->shape.kernels, false, NULL, NULL, &model->features));
    PASS_NEW(f->ctx, model->origin.graph, data->graphs);
    for (size_t g = 0; g < data->graphs; g++) model->origin.graph[g] = g;
    return lm_model_set_origin(f->ctx, model, all, f->known_graph);
}

/* ---- Weights and noise ----------------------------------------------------------------------- */

static leman_status check_options(leman_context *ctx, const leman_gp_options *o, size_t blocks)
{
    if (o->weight && o->weights != blocks)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "weights: found %zu, expected %zu, one for every round", o->weights,
                       blocks);
    for (size_t b = 0; o->weight && b < blocks; b++)
        if (!(o->weight[b] >= 0 && isfinite(o->weight[b])))
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "weight: found %g, expected a number that is not negative",
                           o->weight[b]);
    if (!(o->noise >= 0 && isfinite(o->noise)))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "noise: found %g, expected a number that is not negative", o->noise);
    return LEMAN_OK;
}

/* Sets weights[blocks] and the noise to their first values, in units of the targets' variance. */
static void set_first(const fitting *f, double *value)
{
    const leman_gp_options *o = &f->options;
    const size_t blocks = f->gp->shape.blocks;
    const double unit = f->deviation * f->deviation;
    for (size_t b = 0; b < blocks; b++) value[b] = o->weight ? o->weight[b] / unit : 1 / (double)blocks;
    value[blocks] = o->noise > 0 ? o->noise / unit : FIRST_NOISE;
}

/* The likelihood, as lm_maximize() wants it, at the logarithms of weights and noise. */
static leman_status evaluate(void *user, const double *x, double *value, double *gradient)
{
    fitting *f = user;
    lm_posterior *p = &f->posterior;
    const size_t blocks = f->kernels.blocks;
    if (gradient) {
        PASS(lm_posterior_gradient(f->ctx, f->threads, &f->kernels, p, gradient, NULL));
        for (size_t b = 0; b < blocks; b++) gradient[b] *= f->weight[b];
        gradient[blocks] *= p->noise;
        return LEMAN_OK;
    }
    for (size_t b = 0; b < blocks; b++) f->weight[b] = exp(x[b]);
    p->noise = exp(x[blocks]);
    PASS(lm_posterior_compute(f->ctx, f->threads, &f->kernels, p));
    *value = p->likelihood;
    return lm_progress_step(f->ctx, ++f->evaluations < STEPS ? f->evaluations : STEPS);
}

static leman_status maximize(fitting *f, double *value)
{
    const size_t count = f->kernels.blocks + 1;
    double *low, likelihood;
    PASS_SCRATCH(f->ctx, low, 2 * count);
    double *high = low + count;
    for (size_t i = 0; i < count; i++) {
        const bool noise = i == count - 1;
        low[i] = log(noise ? LEAST_NOISE : LEAST_WEIGHT);
        high[i] = log(noise ? LARGEST_NOISE : LARGEST_WEIGHT);
        value[i] = fmin(fmax(log(value[i]), low[i]), high[i]);
    }
    lm_progress_begin(f->ctx, STEPS, "maximising the marginal likelihood of %zu graphs", f->posterior.n);
    PASS(lm_maximize(f->ctx, evaluate, f, (lm_bounds){low, high, count}, TOLERANCE, STEPS, value, &likelihood));
    for (size_t i = 0; i < count; i++) value[i] = exp(value[i]);
    return LEMAN_OK;
}

/* Sets weights and noise of the Gaussian process to value[blocks + 1], and computes the factor. */
static leman_status finish(fitting *f, const double *value)
{
    leman_context *ctx = f->ctx;
    leman_gp *gp = f->gp;
    leman_model *model = gp->model;
    lm_posterior *p = &f->posterior;
    const size_t blocks = f->kernels.blocks;
    const double unit = f->deviation * f->deviation;
    double *diagonal;
    for (size_t b = 0; b < blocks; b++) gp->weight[b] = value[b] * unit;
    p->noise = gp->shape.noise = value[blocks] * unit;
    p->weight = gp->weight;
    p->target = gp->target;
    PASS(lm_posterior_compute(ctx, f->threads, &f->kernels, p));
    if (!isfinite(p->likelihood))
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: the covariance of the graphs is not positive definite for these weights and noise; more "
                       "noise helps",
                       model->data_name);
    PASS_SCRATCH(ctx, diagonal, p->n);
    PASS(lm_posterior_gradient(ctx, f->threads, NULL, p, NULL, diagonal));
    gp->factor = p->factor;
    PASS(lm_gp_complete(ctx, gp));
    lm_gp_left_out(gp, diagonal, NULL, NULL, &model->shape.score);
    return LEMAN_OK;
}

static leman_status train(fitting *f)
{
    leman_context *ctx = f->ctx;
    leman_gp *gp = f->gp;
    leman_model *model = gp->model;
    const size_t n = lm_gp_size(gp), blocks = gp->shape.blocks;
    double *value;
    PASS_SCRATCH(ctx, value, blocks + 1);
    set_first(f, value);
    PASS_SCRATCH(ctx, f->weight, blocks);
    PASS_NEW(ctx, gp->weight, blocks);
    PASS_NEW(ctx, model->bias, 1);
    PASS_NEW_ZERO(ctx, model->sigmoid, 1);
    PASS_NEW(ctx, model->coefficient, n);
    PASS(lm_gp_kernels_new(ctx, gp, &f->kernels));
    PASS_NEW(ctx, gp->factor, lm_saturating_multiply(n, n));
    PASS(lm_products_reserve(ctx, (size_t)ctx->settings.threads, &f->threads));
    f->posterior = (lm_posterior){.n = n,
                                  .target = f->target,
                                  .weight = f->weight,
                                  .spread = gp->spread,
                                  .factor = gp->factor,
                                  .alpha = model->coefficient};
    if (!f->options.fixed) PASS(maximize(f, value));
    return finish(f, value);
}

leman_status leman_gp_fit(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                          const leman_gp_options *options, leman_gp **out)
{
    REQUIRE(ctx, data, out);
    SCRATCH_SCOPE(ctx);
    AUTO(end_fitting) fitting f = {.ctx = ctx, .options = leman_gp_options_default()};
    leman_kernel *copy;
    PASS(lm_options_copy(ctx, "leman_gp_options", options, &f.options, sizeof f.options));
    PASS(lm_kernels_copy(ctx, kernels, count, &copy));
    PASS(prepare(&f, data, copy, count));
    PASS(check_options(ctx, &f.options, f.gp->shape.blocks));
    PASS(lm_gp_check_memory(ctx, (f.known ? f.known : data)->graphs, f.gp->shape.blocks));
    PASS(add_features(&f, data));
    PASS(train(&f));
    PASS(lm_model_set_shape(ctx, f.gp->model));
    return HAND_OVER(out, f.gp);
}
