/*
 * Adding training graphs with variances and noise as they are. The covariance gets rows and columns, so the factor gets
 * rows: with the covariance k of a new graph with all graphs before it, the row is (L^-1 k, sqrt(prior + noise / weight -
 * |L^-1 k|^2)). O(n^2) for a graph.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "base/private.h"
#include "graph/dataset.h"
#include "kernel/features/features.h"
#include "learn/gaussian/gp.h"
#include "learn/model/fit.h"
#include "learn/protocol/classes.h"
#include "learn/protocol/graph_options.h"
#include <math.h>

/* ---- A copy ---------------------------------------------------------------------------------- */

static leman_status copy_reals(leman_context *ctx, const double *from, size_t count, size_t capacity, double **to)
{
    PASS_NEW(ctx, *to, capacity);
    memcpy(*to, from, count * sizeof *from);
    return LEMAN_OK;
}

/* Copies the model without features, origin, and with space for `n` coefficients. */
static leman_status copy_model(leman_context *ctx, const leman_model *from, size_t n, leman_model *to)
{
    to->shape = from->shape;
    to->gaussian = true;
    to->outputs = 1;
    PASS_NEW(ctx, to->kernel, from->shape.kernels);
    memcpy(to->kernel, from->kernel, from->shape.kernels * sizeof *to->kernel);
    PASS(lm_copy_text(ctx, from->data_name, strlen(from->data_name), &to->data_name));
    if (from->target_name) PASS(lm_copy_text(ctx, from->target_name, strlen(from->target_name), &to->target_name));
    PASS_NEW(ctx, to->bias, 1);
    PASS_NEW_ZERO(ctx, to->sigmoid, 1);
    PASS_NEW(ctx, to->coefficient, n);
    to->scale.columns = from->scale.columns;
    if (!from->scale.mean) return LEMAN_OK;
    PASS(copy_reals(ctx, from->scale.mean, from->scale.columns, from->scale.columns, &to->scale.mean));
    return copy_reals(ctx, from->scale.deviation, from->scale.columns, from->scale.columns, &to->scale.deviation);
}

/* ---- Features -------------------------------------------------------------------------------- */

/* Appends the rows of f, whose columns get the numbers place[], to `to`. */
static void append_rows(const leman_features *f, const uint32_t *place, leman_features *to)
{
    for (size_t i = 0; i < f->rows; i++, to->rows++) {
        to->start[to->rows] = to->entries;
        for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++, to->entries++) {
            to->column[to->entries] = place[f->column[e]];
            to->value[to->entries] = f->value[e];
        }
    }
    to->start[to->rows] = to->entries;
}

/* Writes the rows of a and then those of b over the columns of both, in order. */
static leman_status join_features(leman_context *ctx, const leman_features *a, const leman_features *b,
                                  leman_features *to)
{
    SCRATCH_SCOPE(ctx);
    uint32_t *place_a, *place_b;
    PASS_SCRATCH(ctx, place_a, a->columns);
    PASS_SCRATCH(ctx, place_b, b->columns);
    PASS_NEW(ctx, to->feature, a->columns + b->columns);
    PASS_NEW(ctx, to->start, a->rows + b->rows + 1);
    PASS_NEW(ctx, to->column, a->entries + b->entries);
    PASS_NEW(ctx, to->value, a->entries + b->entries);
    for (size_t i = 0, j = 0; i < a->columns || j < b->columns; to->columns++) {
        const bool first = i < a->columns && (j == b->columns || !lm_feature_before(b->feature[j], a->feature[i]));
        const bool second = j < b->columns && (i == a->columns || !lm_feature_before(a->feature[i], b->feature[j]));
        to->feature[to->columns] = first ? a->feature[i] : b->feature[j];
        if (first) place_a[i++] = (uint32_t)to->columns;
        if (second) place_b[j++] = (uint32_t)to->columns;
    }
    append_rows(a, place_a, to);
    append_rows(b, place_b, to);
    return LEMAN_OK;
}

/* ---- Extension ------------------------------------------------------------------------------- */

typedef struct extension {
    leman_context *ctx;
    const leman_gp *from;
    leman_gp *to;
    leman_dataset *known, *own;
    size_t *known_graph;
    const double *weight; /* of the graphs that are added, or NULL */
    size_t added;
} extension;

static void end_extension(extension *x)
{
    leman_dataset_free(x->own);
    leman_dataset_free(x->known);
    leman_gp_free(x->to);
}

/* Names and numbers of all training graphs. Those that are added count on from the graphs of the fit. */
static leman_status join_origins(extension *x, const leman_dataset *all)
{
    leman_context *ctx = x->ctx;
    const lm_support_origin *from = &x->from->model->origin;
    leman_model *model = x->to->model;
    lm_support_origin *to = &model->origin;
    const size_t n = lm_gp_size(x->from), before = x->from->model->shape.data_graphs;
    size_t bytes = n ? from->name_end[n - 1] : 0, length;
    for (size_t i = 0; i < x->added; i++) {
        leman_dataset_graph_name(all, x->known_graph ? x->known_graph[i] : i, &length);
        bytes += length;
    }
    PASS_NEW(ctx, to->graph, n + x->added);
    PASS_NEW(ctx, to->label, n + x->added);
    PASS_NEW(ctx, to->name_end, n + x->added);
    PASS_NEW(ctx, to->name, bytes);
    bytes = n ? from->name_end[n - 1] : 0;
    memcpy(to->graph, from->graph, n * sizeof *to->graph);
    memcpy(to->name_end, from->name_end, n * sizeof *to->name_end);
    if (bytes) memcpy(to->name, from->name, bytes);
    for (size_t i = 0; i < n + x->added; i++) to->label[i] = LEMAN_CLASS_MISSING;
    for (size_t i = 0; i < x->added; i++) {
        const size_t graph = x->known_graph ? x->known_graph[i] : i;
        const char *name = leman_dataset_graph_name(all, graph, &length);
        if (length) memcpy(to->name + bytes, name, length);
        to->name_end[n + i] = bytes += length;
        to->graph[n + i] = before + graph;
    }
    model->shape.data_graphs = before + all->graphs;
    return LEMAN_OK;
}

/* Joins the inverse weights of the graphs, if some have weights. */
static leman_status join_weights(extension *x, const char *name)
{
    const size_t n = lm_gp_size(x->from);
    double *spread;
    if (!x->weight && !x->from->spread) return LEMAN_OK;
    PASS_NEW(x->ctx, x->to->spread, n + x->added);
    spread = x->to->spread;
    for (size_t i = 0; i < n; i++) spread[i] = lm_spread_of(x->from->spread, i);
    for (size_t i = n; i < n + x->added; i++) spread[i] = 1;
    if (!x->weight) return LEMAN_OK;
    PASS(lm_graph_weights_read(x->ctx, name, x->weight, x->known_graph, x->added, spread + n));
    for (size_t i = n; i < n + x->added; i++) spread[i] = 1 / spread[i];
    return LEMAN_OK;
}

/* Sets everything but the factor: model, features, targets. */
static leman_status join(extension *x, const leman_dataset *all)
{
    leman_context *ctx = x->ctx;
    const leman_model *model = x->from->model;
    AUTO(lm_features_clear) leman_features f = {0};
    const size_t n = lm_gp_size(x->from), blocks = x->from->shape.blocks;
    PASS(lm_known_graphs(ctx, all, model->shape.target, &x->known_graph, &x->known));
    const leman_dataset *known = x->known ? x->known : all;
    PASS(lm_model_view(ctx, model, known, &x->own));
    x->added = known->graphs;
    PASS_NEW_ZERO(ctx, x->to, 1);
    PASS_NEW_ZERO(ctx, x->to->model, 1);
    PASS(copy_model(ctx, model, n + x->added, x->to->model));
    PASS(lm_gp_set_blocks(ctx, x->to));
    PASS(copy_reals(ctx, x->from->weight, blocks, blocks, &x->to->weight));
    PASS(copy_reals(ctx, x->from->target, n, n + x->added, &x->to->target));
    x->to->shape.noise = x->from->shape.noise;
    PASS(lm_targets_read(ctx, known, model->shape.target, x->to->target + n));
    PASS(join_weights(x, all->name));
    PASS(join_origins(x, all));
    PASS(lm_features_compact(ctx, x->own ? x->own : known, model->kernel, model->shape.kernels, false, NULL, NULL, &f));
    return join_features(ctx, &model->features, &f, &x->to->model->features);
}

/* Computes the rows of the factor that are new. */
static leman_status extend_factor(extension *x)
{
    leman_context *ctx = x->ctx;
    leman_gp *gp = x->to;
    const size_t n = lm_gp_size(x->from), all = n + x->added;
    double *kernel;
    lm_columns_of columns;
    PASS(lm_columns_list(ctx, gp, &columns));
    PASS_SCRATCH(ctx, kernel, lm_saturating_multiply(columns.blocks, all));
    const lm_gp_rows rows = {.features = gp->model->features, .self = columns.self};
    for (size_t i = 0; i < n; i++) memcpy(gp->factor + i * all, x->from->factor + i * n, (i + 1) * sizeof(double));
    for (size_t i = n; i < all; i++) {
        double *row = gp->factor + i * all;
        double pivot =
            lm_gp_covariance(gp, &columns, &rows, i, i, kernel, row) + gp->shape.noise * lm_spread_of(gp->spread, i);
        lm_cholesky_solve_lower(gp->factor, i, all, row);
        for (size_t j = 0; j < i; j++) pivot -= row[j] * row[j];
        if (!(pivot > 0))
            return lm_fail(ctx, LEMAN_ERROR_INPUT,
                           "the covariance is not positive definite with graph %zu of those that are added; more noise "
                           "helps",
                           i - n);
        row[i] = sqrt(pivot);
    }
    return LEMAN_OK;
}

leman_status leman_gp_extend(leman_context *ctx, const leman_gp *gp, const leman_dataset *data,
                             const double *sample_weight, leman_gp **out)
{
    REQUIRE(ctx, gp, data, out);
    SCRATCH_SCOPE(ctx);
    AUTO(end_extension) extension x = {.ctx = ctx, .from = gp, .weight = sample_weight};
    AUTO(lm_release_at) double *diagonal = NULL;
    size_t threads;
    PASS(join(&x, data));
    const size_t all = lm_gp_size(x.to);
    PASS_NEW(ctx, x.to->factor, lm_saturating_multiply(all, all));
    PASS(lm_products_reserve(ctx, 1, &threads));
    const leman_status st = extend_factor(&x);
    lm_products_release(threads);
    PASS(st);
    PASS(lm_gp_complete(ctx, x.to));
    PASS(lm_model_set_shape(ctx, x.to->model));
    return HAND_OVER(out, x.to);
}
