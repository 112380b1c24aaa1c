/*
 * Kernel matrices of Gaussian processes, from the features of training graphs and of new graphs. A column of features
 * belongs to one block, so that one pass over the columns that two graphs share gives K_b for all blocks. Time: one
 * addition for every column and pair of graphs that share it, and `blocks` operations for every pair.
 */
#include "base/drop.h"
#include "base/strings.h"
#include "kernel/features/features.h"
#include "kernel/kernel.h"
#include "learn/gaussian/gp.h"
#include <math.h>
#include <omp.h>

/* Returns the first block of a kernel. */
static size_t first_block(const leman_model *model, size_t kernel)
{
    size_t block = 0;
    for (size_t i = 0; i < kernel; i++) block += lm_kernel_blocks(model->kernel + i, false);
    return block;
}

static size_t block_of(const leman_model *model, leman_feature feature)
{
    return first_block(model, feature.kernel) + feature.round / LM_TRIPLE_LISTS;
}

/* What an entry adds to the kernel of its graph with itself. */
static double squared(const leman_model *model, leman_feature feature, double value)
{
    return model->kernel[feature.kernel].assignment ? value : value * value;
}

leman_status lm_columns_list(leman_context *ctx, const leman_gp *gp, lm_columns_of *l)
{
    const leman_features *f = &gp->model->features;
    size_t *next;
    *l = (lm_columns_of){.blocks = gp->shape.blocks, .n = f->rows, .kernel = gp->model->kernel, .features = f};
    PASS_SCRATCH(ctx, l->block, f->columns);
    PASS_SCRATCH(ctx, l->minima, f->columns);
    PASS_SCRATCH_ZERO(ctx, l->start, f->columns + 2);
    PASS_SCRATCH(ctx, l->graph, f->entries);
    PASS_SCRATCH(ctx, l->value, f->entries);
    PASS_SCRATCH_ZERO(ctx, l->self, lm_saturating_multiply(f->rows, l->blocks));
    next = l->start + 1; /* shifted by one, so that filling the lists leaves start[] correct */
    for (size_t c = 0; c < f->columns; c++) {
        l->block[c] = (uint32_t)block_of(gp->model, f->feature[c]);
        l->minima[c] = l->kernel[f->feature[c].kernel].assignment;
    }
    for (size_t e = 0; e < f->entries; e++) next[f->column[e] + 1]++;
    for (size_t c = 0; c < f->columns; c++) next[c + 1] += next[c];
    for (size_t i = 0; i < f->rows; i++)
        for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++) {
            const size_t c = f->column[e], at = next[c]++;
            l->graph[at] = (uint32_t)i;
            l->value[at] = f->value[e];
            l->self[i * l->blocks + l->block[c]] += squared(gp->model, f->feature[c], f->value[e]);
        }
    return LEMAN_OK;
}

void lm_columns_multiply(const lm_columns_of *l, const uint32_t *column, const double *value, size_t entries, size_t n,
                         double *kernel)
{
    memset(kernel, 0, l->blocks * n * sizeof *kernel);
    for (size_t e = 0; e < entries; e++) {
        const size_t c = column[e], end = l->start[c + 1];
        double *sum = kernel + l->block[c] * n;
        const double x = value[e];
        if (l->minima[c])
            for (size_t i = l->start[c]; i < end && l->graph[i] < n; i++) sum[l->graph[i]] += fmin(x, l->value[i]);
        else
            for (size_t i = l->start[c]; i < end && l->graph[i] < n; i++) sum[l->graph[i]] += x * l->value[i];
    }
}

/* ---- Training graphs ------------------------------------------------------------------------- */

leman_status lm_gp_triangles(leman_context *ctx, const leman_gp *gp, const lm_triangles *t)
{
    SCRATCH_SCOPE(ctx);
    const leman_features *f = &gp->model->features;
    const leman_normalization by = gp->model->kernel->normalization;
    const int threads = ctx->settings.threads;
    lm_columns_of l;
    double *kernel;
    PASS(lm_columns_list(ctx, gp, &l));
    PASS_SCRATCH(ctx, kernel, lm_saturating_multiply(l.blocks, lm_saturating_multiply(t->n, (uint64_t)threads)));
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads)
    for (size_t i = 0; i < t->n; i++) {
        double *own = kernel + (size_t)omp_get_thread_num() * l.blocks * t->n;
        const double *self = l.self + i * l.blocks;
        lm_columns_multiply(&l, f->column + f->start[i], f->value + f->start[i], f->start[i + 1] - f->start[i], i + 1,
                            own);
        for (size_t b = 0; b < l.blocks; b++) {
            double *row = t->block[b] + i * (i + 1) / 2;
            for (size_t j = 0; j < i; j++)
                row[j] = lm_normalized(by, own[b * (i + 1) + j], self[b], l.self[j * l.blocks + b]);
            row[i] = self[b] > 0;
        }
    }
    return LEMAN_OK;
}

static uint64_t triangle_of(size_t n)
{
    return lm_saturating_multiply(n, n + 1) / 2;
}

leman_status lm_gp_check_memory(leman_context *ctx, size_t n, size_t blocks)
{
    const size_t left = lm_budget(ctx);
    char needed[LM_NUMBER_TEXT], has[LM_BUDGET_TEXT];
    const uint64_t triangles = lm_saturating_multiply(blocks * sizeof(double), triangle_of(n));
    const uint64_t bytes = lm_saturating_add(lm_posterior_bytes(n), triangles);
    if (bytes <= left) return LEMAN_OK;
    return lm_fail(
        ctx, LEMAN_ERROR_BUDGET,
        "a Gaussian process of %zu graph%s and %zu round%s needs %s, the memory budget is %s; fewer graphs or "
        "rounds need less",
        n, lm_plural(n), blocks, lm_plural(blocks), lm_bytes_text(bytes, needed), lm_budget_text(ctx, left, has));
}

leman_status lm_gp_kernels_new(leman_context *ctx, const leman_gp *gp, lm_triangles *t)
{
    const size_t n = lm_gp_size(gp), blocks = gp->shape.blocks, triangle = triangle_of(n);
    AUTO(lm_release_at) double *block = NULL;
    double **list;
    PASS(lm_gp_check_memory(ctx, n, blocks));
    PASS_SCRATCH(ctx, list, blocks);
    PASS_NEW(ctx, block, lm_saturating_multiply(blocks, triangle));
    for (size_t b = 0; b < blocks; b++) list[b] = block + b * triangle;
    const lm_triangles made = {.block = list, .blocks = blocks, .n = n};
    PASS(lm_gp_triangles(ctx, gp, &made));
    block = NULL;
    *t = made;
    return LEMAN_OK;
}

/* ---- New graphs ------------------------------------------------------------------------------ */

void lm_gp_rows_free(lm_gp_rows *rows)
{
    lm_features_clear(&rows->features);
}

/* Rewrites the entries of f, all of whose columns have names, over the columns of the training graphs. */
static leman_status place_entries(leman_context *ctx, const leman_gp *gp, const leman_features *f, lm_gp_rows *rows)
{
    const leman_features *known = &gp->model->features;
    const size_t blocks = gp->shape.blocks;
    leman_features *to = &rows->features;
    uint32_t *place; /* 1 + the column of the training graphs; 0: none */
    PASS_SCRATCH(ctx, place, f->columns);
    PASS_SCRATCH_ZERO(ctx, rows->self, lm_saturating_multiply(f->rows, blocks));
    PASS_SCRATCH_ZERO(ctx, rows->unknown, lm_saturating_multiply(f->rows, blocks));
    for (size_t c = 0, at = 0; c < f->columns; c++) {
        while (at < known->columns && lm_feature_before(known->feature[at], f->feature[c])) at++;
        const bool found = at < known->columns && !lm_feature_before(f->feature[c], known->feature[at]);
        place[c] = found ? (uint32_t)at + 1 : 0;
    }
    to->rows = f->rows;
    PASS_NEW(ctx, to->start, f->rows + 1);
    PASS_NEW(ctx, to->column, f->entries);
    PASS_NEW(ctx, to->value, f->entries);
    for (size_t i = 0; i < f->rows; i++) {
        to->start[i] = to->entries;
        for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++) {
            const leman_feature feature = f->feature[f->column[e]];
            const size_t at = i * blocks + block_of(gp->model, feature);
            const double own = squared(gp->model, feature, f->value[e]);
            rows->self[at] += own;
            if (!place[f->column[e]]) {
                rows->unknown[at] += own;
                continue;
            }
            to->column[to->entries] = place[f->column[e]] - 1;
            to->value[to->entries++] = f->value[e];
        }
    }
    to->start[f->rows] = to->entries;
    return LEMAN_OK;
}

leman_status lm_gp_rows_compute(leman_context *ctx, const leman_gp *gp, const leman_dataset *data, lm_gp_rows *rows)
{
    AUTO(lm_features_clear) leman_features f = {0};
    *rows = (lm_gp_rows){0};
    PASS(lm_features_compact(ctx, data, gp->model->kernel, gp->model->shape.kernels, false, NULL, NULL, &f));
    return place_entries(ctx, gp, &f, rows);
}

double lm_gp_covariance(const leman_gp *gp, const lm_columns_of *l, const lm_gp_rows *rows, size_t i, size_t n,
                        double *kernel, double *covariance)
{
    const leman_features *f = &rows->features;
    const leman_normalization by = gp->model->kernel->normalization;
    const double *self = rows->self + i * l->blocks;
    double prior = 0;
    lm_columns_multiply(l, f->column + f->start[i], f->value + f->start[i], f->start[i + 1] - f->start[i], n, kernel);
    memset(covariance, 0, n * sizeof *covariance);
    for (size_t b = 0; b < l->blocks; b++) {
        prior += self[b] > 0 ? gp->weight[b] : 0;
        for (size_t j = 0; j < n; j++)
            covariance[j] += gp->weight[b] * lm_normalized(by, kernel[b * n + j], self[b], l->self[j * l->blocks + b]);
    }
    return prior;
}
