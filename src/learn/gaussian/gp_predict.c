/*
 * Predictions of a Gaussian process: mean + k'alpha, and the variance prior - |L^-1 k|^2 + noise. Graphs are refined slice
 * by slice. The equations of LM_CHOLESKY_ROWS graphs are solved together, which reads the factor once for all of them;
 * a batch that is not full has rows of zeros, so that every graph is computed in the same way.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "base/private.h"
#include "graph/dataset.h"
#include "kernel/features/features.h"
#include "learn/gaussian/gp.h"
#include <math.h>
#include <omp.h>

/* Most tuples of a slice, over all rounds. */
static const uint64_t SLICE = UINT64_C(1) << 22;

typedef struct prediction {
    leman_context *ctx;
    const leman_gp *gp;
    lm_columns_of columns;
    double *kernel, *batch; /* [threads][blocks][n]; [threads][LM_CHOLESKY_ROWS][n] */
    size_t threads;
    double *mean, *std, *out_of_vocabulary;
} prediction;

static double unknown_share(const leman_gp *gp, const lm_gp_rows *rows, size_t i)
{
    const size_t blocks = gp->shape.blocks;
    double share = 0, total = 0;
    for (size_t b = 0; b < blocks; b++) {
        const double self = rows->self[i * blocks + b];
        if (!(self > 0)) continue;
        total += gp->weight[b];
        share += gp->weight[b] * rows->unknown[i * blocks + b] / self;
    }
    return total > 0 ? fmin(share / total, 1) : 0;
}

/* Predicts for the rows first .. end - 1 of a slice, at most LM_CHOLESKY_ROWS; `at` is the graph of row `first`. */
static void predict_batch(const prediction *p, const lm_gp_rows *rows, size_t first, size_t end, size_t at)
{
    const leman_gp *gp = p->gp;
    const size_t n = lm_gp_size(gp), thread = (size_t)omp_get_thread_num();
    double *kernel = p->kernel + thread * gp->shape.blocks * n, *batch = p->batch + thread * LM_CHOLESKY_ROWS * n;
    double prior[LM_CHOLESKY_ROWS];
    memset(batch, 0, LM_CHOLESKY_ROWS * n * sizeof *batch);
    for (size_t i = first; i < end; i++) {
        double *row = batch + (i - first) * n, sum = 0;
        prior[i - first] = lm_gp_covariance(gp, &p->columns, rows, i, n, kernel, row);
        for (size_t j = 0; j < n; j++) sum += row[j] * gp->alpha[j];
        if (p->mean) p->mean[at + i - first] = gp->shape.mean + sum;
        if (p->out_of_vocabulary) p->out_of_vocabulary[at + i - first] = unknown_share(gp, rows, i);
    }
    if (!p->std) return;
    lm_cholesky_solve_rows(gp->factor, n, batch);
    for (size_t i = first; i < end; i++) {
        const double *row = batch + (i - first) * n;
        double square = 0;
        for (size_t j = 0; j < n; j++) square += row[j] * row[j];
        p->std[at + i - first] = sqrt(fmax(prior[i - first] - square, 0) + gp->shape.noise);
    }
}

static leman_status predict_slice(const prediction *p, const leman_dataset *data, size_t first, size_t end)
{
    leman_context *ctx = p->ctx;
    SCRATCH_SCOPE(ctx);
    const leman_dataset part = lm_dataset_range(data, first, end);
    const size_t count = end - first;
    AUTO(lm_gp_rows_free) lm_gp_rows rows = {0};
    PASS(lm_gp_rows_compute(ctx, p->gp, &part, &rows));
#pragma omp parallel for schedule(dynamic) num_threads((int)p->threads)
    for (size_t i = 0; i < count; i += LM_CHOLESKY_ROWS)
        predict_batch(p, &rows, i, i + LM_CHOLESKY_ROWS < count ? i + LM_CHOLESKY_ROWS : count, first + i);
    return LEMAN_OK;
}

static leman_status predict(prediction *p, const leman_dataset *given)
{
    leman_context *ctx = p->ctx;
    const leman_model *model = p->gp->model;
    const size_t n = lm_gp_size(p->gp);
    AUTO(leman_dataset_drop) leman_dataset *own = NULL;
    PASS(lm_model_view(ctx, model, given, &own));
    const leman_dataset *data = own ? own : given;
    PASS(lm_columns_list(ctx, p->gp, &p->columns));
    PASS_SCRATCH(ctx, p->kernel, lm_saturating_multiply(p->threads * p->gp->shape.blocks, n));
    PASS_SCRATCH(ctx, p->batch, lm_saturating_multiply(p->threads * LM_CHOLESKY_ROWS, n));
    for (size_t first = 0, end; first < data->graphs; first = end) {
        end = lm_features_slice(data, model->kernel, model->shape.kernels, SLICE, first);
        PASS(predict_slice(p, data, first, end));
    }
    return LEMAN_OK;
}

leman_status leman_gp_predict(leman_context *ctx, const leman_gp *gp, const leman_dataset *data, double *mean,
                              double *std, double *out_of_vocabulary)
{
    REQUIRE(ctx, gp, data);
    SCRATCH_SCOPE(ctx);
    prediction p = {.ctx = ctx, .gp = gp, .mean = mean, .std = std, .out_of_vocabulary = out_of_vocabulary};
    PASS(lm_products_reserve(ctx, (size_t)ctx->settings.threads, &p.threads));
    const leman_status st = predict(&p, data);
    lm_products_release(p.threads);
    return st;
}
