/*
 * Fitting a model: transform the graphs to what the kernels use, search rounds and C by cross-validation, fit once to
 * all graphs, and fit sigmoids to the decisions of the cross-validation (Platt). Time: folds + 1 fits for each h and C;
 * one refinement for linear SVMs, one for every h for kernel SVMs.
 */
#include "learn/model/fit.h"
#include "base/arguments.h"
#include "base/drop.h"
#include "graph/dataset.h"
#include "kernel/features/feature_matrix.h"
#include "kernel/features/features.h"
#include "kernel/kernel.h"
#include "kernel/required_inputs.h"
#include "learn/protocol/classes.h"
#include "learn/protocol/graph_options.h"
#include "learn/protocol/grid_search.h"
#include "learn/protocol/scores.h"
#include <math.h>
#include <string.h>

/* State of one fit. */
typedef struct fitting {
    leman_context *ctx;
    leman_fit_options options;
    const leman_dataset *all;  /* data as the caller gave it */
    const leman_dataset *data; /* data as the kernels use it */
    leman_dataset *own;        /* `data` if it is a copy, otherwise NULL */
    leman_dataset *known;      /* the graphs with a class or target; NULL if all have one */
    size_t *known_graph;       /* [graphs of known] their numbers in `all`; NULL: all graphs */
    lm_shared_features *shared;
    leman_feature_matrix *matrix; /* a feature file whose labels are in `data`; NULL: graphs */
    leman_model *model;
    lm_classes classes;
    double *target; /* [graphs] targets, minus their mean, divided by their deviation */
    double *weight; /* [graphs] NULL: 1 each */
    int8_t *bound;  /* [graphs] NULL: targets are values */
    double mean, deviation;
    leman_splits *splits;
    lm_estimator_factory *factory;
} fitting;

static void end_fitting(fitting *f)
{
    lm_estimator_factory_free(f->factory);
    leman_splits_free(f->splits);
    lm_classes_free(&f->classes);
    leman_dataset_free(f->own);
    leman_dataset_free(f->known);
    leman_model_free(f->model);
}

/* ---- Arguments ------------------------------------------------------------------------------- */

/* Stores the kernels, and chooses the SVM. */
static leman_status set_kernels(fitting *f, const leman_dataset *data, const leman_kernel *kernels, size_t count)
{
    leman_model *model = f->model;
    bool colors = false;
    PASS(lm_model_set_kernels(f->ctx, model, data, kernels, count, f->options.max_rounds, f->options.apex));
    for (size_t i = 0; i < count; i++) colors |= lm_kernel_selects_rounds(model->kernel + i);
    if (!colors) f->options.min_rounds = f->options.max_rounds = 0;
    model->shape.svm = f->options.svm;
    const bool linear = lm_kernels_are_linear(model->kernel, count);
    if (model->shape.svm == LEMAN_SVM_AUTO) model->shape.svm = linear ? LEMAN_SVM_LINEAR : LEMAN_SVM_KERNEL;
    return linear || model->shape.svm == LEMAN_SVM_KERNEL ? LEMAN_OK : lm_linear_refuse(f->ctx);
}

/* The counterpart of set_kernels() for a feature file, which has columns and may have their kernels. */
static leman_status set_matrix(fitting *f)
{
    if (f->options.svm == LEMAN_SVM_KERNEL)
        return lm_fail(f->ctx, LEMAN_ERROR_ARGUMENT, "found a kernel SVM, expected a linear one for a feature file");
    if (f->options.apex) return lm_fail(f->ctx, LEMAN_ERROR_ARGUMENT, "found apex, expected none for a feature file");
    if (f->options.target == LEMAN_NO_TARGET) PASS(lm_feature_matrix_classes(f->ctx, f->matrix));
    const leman_feature_origin *origin = &f->matrix->origin;
    leman_model *model = f->model;
    PASS_NEW(f->ctx, model->kernel, origin->kernel_count);
    model->shape.kernels = origin->kernel_count;
    for (size_t i = 0; i < model->shape.kernels; i++) model->kernel[i] = origin->kernel[i];
    model->shape.apex = origin->apex;
    model->shape.directed = origin->directed;
    model->shape.vertex_labels = origin->vertex_labels - (origin->apex && origin->vertex_labels); /* without the mark */
    model->shape.edge_labels = origin->edge_labels;
    f->options.min_rounds = f->options.max_rounds = 0;
    model->shape.svm = LEMAN_SVM_LINEAR;
    return LEMAN_OK;
}

/* Takes the weights and the bounds of the graphs that take part. */
static leman_status read_graph_options(fitting *f)
{
    const size_t graphs = f->data->graphs;
    const leman_fit_options *o = &f->options;
    if (o->weight) {
        PASS_SCRATCH(f->ctx, f->weight, graphs);
        PASS(lm_graph_weights_read(f->ctx, f->all->name, o->weight, f->known_graph, graphs, f->weight));
    }
    if (!o->censoring) return LEMAN_OK;
    if (o->target == LEMAN_NO_TARGET)
        return lm_fail(f->ctx, LEMAN_ERROR_ARGUMENT, "found censored targets, but classes are predicted, not targets");
    PASS_SCRATCH(f->ctx, f->bound, graphs);
    return lm_graph_bounds_read(f->ctx, f->all->name, o->censoring, f->known_graph, graphs, f->bound);
}

static leman_status read_targets(fitting *f)
{
    const size_t graphs = f->data->graphs;
    PASS_SCRATCH(f->ctx, f->target, graphs);
    PASS(lm_targets_read(f->ctx, f->data, f->options.target, f->target));
    lm_target_moments(&(lm_training_set){.target = f->target, .weight = f->weight, .count = graphs}, &f->mean,
                      &f->deviation);
    if (!(f->deviation > 0)) f->deviation = 1;
    for (size_t g = 0; g < graphs; g++) f->target[g] = (f->target[g] - f->mean) / f->deviation;
    f->model->shape.regression = true;
    return LEMAN_OK;
}

static leman_status read_classes(fitting *f)
{
    PASS(lm_classes_compute(f->ctx, f->data, &f->classes));
    if (f->classes.count < 2)
        return lm_fail(f->ctx, LEMAN_ERROR_INPUT, "%s: found graphs of one class only, expected at least two",
                       f->data->name);
    PASS_NEW(f->ctx, f->model->label, f->classes.count);
    memcpy(f->model->label, f->classes.label, f->classes.count * sizeof *f->classes.label);
    f->model->shape.classes = f->classes.count;
    return LEMAN_OK;
}

/* Stores in the model what its file records about the fit: data, seed, options. */
static leman_status set_origin(fitting *f, const leman_dataset *data)
{
    leman_model *model = f->model;
    PASS(lm_model_set_data(f->ctx, model, data));
    if (f->matrix) model->shape.data_checksum = f->matrix->checksum;
    if (f->matrix) model->shape.reading = f->matrix->origin.reading;
    model->shape.apex = f->options.apex;
    model->shape.folds = f->options.folds;
    model->shape.target = f->options.target;
    return LEMAN_OK;
}

/* Draws folds that keep groups together. Groups of the graphs that take part are renumbered. */
static leman_status draw_groups(fitting *f)
{
    const size_t all = f->all->graphs, graphs = f->data->graphs;
    uint32_t *number, *own, count = 0;
    PASS_SCRATCH_ZERO(f->ctx, number, all);
    PASS_SCRATCH(f->ctx, own, graphs);
    for (size_t g = 0; g < graphs; g++) {
        const size_t graph = f->known_graph ? f->known_graph[g] : g;
        const uint32_t group = f->options.group[graph];
        if (group >= all)
            return lm_fail(f->ctx, LEMAN_ERROR_ARGUMENT,
                           "group: found %u for graph %zu, expected a number below %zu, the number of graphs", group,
                           graph, all);
        if (!number[group]) number[group] = ++count;
        own[g] = number[group] - 1;
    }
    return leman_splits_draw_groups(f->ctx, f->data, own, 1, f->options.folds, &f->splits);
}

static leman_status prepare(fitting *f, const leman_dataset *data, const leman_kernel *kernels, size_t count)
{
    leman_fit_options *o = &f->options;
    bool regression = o->target != LEMAN_NO_TARGET;
    PASS(lm_grid_check(f->ctx, &o->C, &o->C_count, o->min_rounds, o->max_rounds));
    if (o->folds < 2) return lm_fail(f->ctx, LEMAN_ERROR_ARGUMENT, "folds: found %zu, expected at least 2", o->folds);
    if (data->graphs < 2)
        return lm_fail(f->ctx, LEMAN_ERROR_INPUT, "%s: found %zu graph%s, expected at least two", data->name,
                       data->graphs, lm_plural(data->graphs));
    PASS_NEW_ZERO(f->ctx, f->model, 1);
    PASS(set_origin(f, data));
    PASS(lm_known_graphs(f->ctx, data, o->target, &f->known_graph, &f->known));
    if (f->known) data = f->known;
    PASS(f->matrix ? set_matrix(f) : set_kernels(f, data, kernels, count));
    if (!f->matrix && lm_model_has_binnings(f->model)) {
        if (!data->columns.vertex_attributes)
            return lm_fail(f->ctx, LEMAN_ERROR_INPUT,
                           "%s: found no vertex attributes, expected those that a kernel bins", data->name);
        PASS(lm_attribute_scale_new(f->ctx, data, &f->model->scale));
    }
    if (!f->matrix) PASS(lm_model_view(f->ctx, f->model, data, &f->own));
    f->data = f->own ? f->own : data;
    PASS(lm_score_resolve(f->ctx, regression, &f->options.score));
    f->model->shape.selected_by = f->options.score;
    PASS(read_graph_options(f));
    PASS(regression ? read_targets(f) : read_classes(f));
    PASS(lm_model_set_names(f->ctx, f->model, data, f->options.target_name));
    PASS(lm_class_weights_check(f->ctx, f->options.class_weight, f->options.class_weights, &f->classes));
    return f->options.group ? draw_groups(f)
                            : leman_splits_draw(f->ctx, f->data, 1, f->options.folds, !regression, &f->splits);
}

/* ---- The model ------------------------------------------------------------------------------- */

/* Scales weights and bias from targets of deviation 1 back to the unit of the data. */
static void unscale(const fitting *f)
{
    leman_model *model = f->model;
    if (lm_score_is_error(model->shape.selected_by)) model->shape.score *= f->deviation;
    model->bias[0] = model->bias[0] * f->deviation + f->mean;
    model->mean[0] = model->mean[0] * f->deviation + f->mean;
    for (size_t c = 0; model->weight && c < model->features.columns; c++)
        model->weight[c] = (float)(model->weight[c] * f->deviation);
    for (size_t i = 0; model->coefficient && i < model->features.rows; i++) model->coefficient[i] *= f->deviation;
}

/* Keeps what tells later how near graphs are to these. */
static leman_status fit_domain(const fitting *f, const lm_training_set *all, const lm_grid_result *best)
{
    SCRATCH_SCOPE(f->ctx);
    leman_model *model = f->model;
    double *value = NULL; /* targets, then predictions, in the unit of the data */
    if (all->target) PASS_SCRATCH(f->ctx, value, 2 * all->count);
    for (size_t g = 0; value && g < all->count; g++) {
        value[g] = all->target[g] * f->deviation + f->mean;
        value[all->count + g] = best->decision[g * model->outputs] * f->deviation + f->mean;
    }
    const lm_validated validated = {f->splits,
                                    value ? NULL : f->classes.number,
                                    value,
                                    value ? value + all->count : NULL,
                                    model->shape.classes,
                                    all->weight,
                                    all->bound};
    return lm_domain_fit(f->ctx, model, f->matrix ? NULL : f->data, &validated, &model->domain);
}

/* Fits one SVM to all graphs, with the selected rounds and C. If the memory budget is exceeded, tries again after the
 * factory has freed what it can. */
static leman_status final_fit(fitting *f, const lm_training_set *all, const lm_grid_result *best)
{
    leman_status st;
    leman_model *model = f->model;
    model->shape.rounds = best->rounds;
    model->shape.C = best->C;
    model->shape.score = best->score;
    for (size_t i = 0; !f->matrix && i < model->shape.kernels; i++)
        if (!model->kernel[i].fixed_rounds) model->kernel[i].coloring.rounds = best->rounds;
    PASS_NEW(f->ctx, model->bias, model->outputs);
    PASS_NEW(f->ctx, model->mean, model->outputs);
    PASS_NEW_ZERO(f->ctx, model->sigmoid, model->outputs);
    do st = lm_final_fit(f->ctx, f->data, f->factory, all, model);
    while (lm_estimator_factory_shrink(f->ctx, st, f->factory));
    PASS(st);
    for (size_t i = 0; f->matrix && i < model->shape.kernels; i++)
        if (lm_kernel_has_rounds(model->kernel + i) && model->kernel[i].coloring.rounds > model->shape.rounds)
            model->shape.rounds = model->kernel[i].coloring.rounds;
    if (model->coefficient) PASS(lm_model_set_origin(f->ctx, model, f->all, f->known_graph));
    if (all->target)
        unscale(f);
    else
        PASS(lm_calibration_fit(f->ctx, model->multiclass, model->shape.classes, best->decision, all->label,
                                all->weight, all->count, model->sigmoid));
    return fit_domain(f, all, best);
}

/* Computes features of all graphs for fits that share them, if they take at most a quarter of the budget. */
static leman_status share(fitting *f)
{
    lm_shared_features *shared = f->shared;
    const size_t budget = lm_budget(f->ctx);
    AUTO(leman_dataset_drop) leman_dataset *own = NULL;
    if (shared->made || shared->refused) return LEMAN_OK;
    PASS(lm_model_view(f->ctx, f->model, f->all, &own));
    const leman_status st = lm_round_features_compute(f->ctx, own ? own : f->all, f->model->kernel,
                                                      f->model->shape.kernels, f->options.max_rounds, &shared->all);
    shared->made = st == LEMAN_OK && lm_round_features_bytes(&shared->all) <= budget / 4;
    shared->refused = !shared->made;
    if (shared->refused) lm_round_features_free(&shared->all);
    if (st != LEMAN_ERROR_BUDGET) return st;
    f->ctx->message[0] = 0; /* a fit of fewer graphs may succeed */
    return LEMAN_OK;
}

static leman_status make_factory(fitting *f)
{
    const leman_model *model = f->model;
    const leman_fit_options *o = &f->options;
    const size_t *known = f->known_graph, graphs = f->data->graphs;
    AUTO(leman_feature_matrix_drop) leman_feature_matrix *some = NULL;
    AUTO(lm_round_features_free) lm_round_features features = {0};
    if (f->shared && model->shape.svm == LEMAN_SVM_LINEAR) PASS(share(f));
    const bool shared = f->shared && f->shared->made;
    if (f->matrix && known) PASS(lm_feature_matrix_select(f->ctx, f->matrix, known, graphs, &some));
    if (f->matrix)
        PASS(lm_round_features_of_matrix(f->ctx, some ? some : f->matrix, &features));
    else if (shared)
        PASS(lm_round_features_select(f->ctx, &f->shared->all, known, graphs, &features));
    return lm_estimator_factory_new(f->ctx, model->shape.svm, f->data, model->kernel, model->shape.kernels,
                                    f->matrix || shared ? &features : NULL, o->min_rounds, o->max_rounds, &f->factory);
}

static leman_status train(fitting *f)
{
    leman_model *model = f->model;
    const leman_fit_options *o = &f->options;
    const size_t graphs = f->data->graphs;
    lm_grid_result best = {0};
    uint32_t *item;
    leman_status st;
    PASS_SCRATCH(f->ctx, item, graphs);
    for (uint32_t g = 0; g < graphs; g++) item[g] = g;
    PASS(make_factory(f));
    const lm_run run = {.factory = f->factory,
                        .C = o->C,
                        .C_count = o->C_count,
                        .splits = f->splits,
                        .all = {.item = item,
                                .label = f->classes.number,
                                .target = f->target,
                                .count = graphs,
                                .classes = model->shape.classes,
                                .class_weight = o->class_weight,
                                .balanced = o->balanced_weights,
                                .weight = f->weight,
                                .bound = f->bound},
                        .score = o->score};
    model->multiclass = f->factory->multiclass;
    model->outputs = lm_estimator_outputs(f->factory, model->shape.regression, model->shape.classes);
    PASS_SCRATCH(f->ctx, best.decision, lm_saturating_multiply(graphs, model->outputs));
    do st = lm_grid_search_run(f->ctx, &run, &best);
    while (lm_estimator_factory_shrink(f->ctx, st, f->factory));
    PASS(st);
    return final_fit(f, &run.all, &best);
}

/* Fits a model of graphs, or of a feature file if matrix is not NULL. */
static leman_status fit(leman_context *ctx, const leman_dataset *data, leman_feature_matrix *matrix,
                        const leman_kernel *kernels, size_t count, const leman_fit_options *options,
                        lm_shared_features *shared, leman_model **out)
{
    SCRATCH_SCOPE(ctx);
    AUTO(end_fitting) fitting f = {.ctx = ctx, .all = data, .matrix = matrix, .shared = shared};
    leman_kernel *copy = NULL;
    f.options = leman_fit_options_default();
    PASS(lm_options_copy(ctx, "leman_fit_options", options, &f.options, sizeof f.options));
    REQUIRE_ENUM(ctx, f.options.svm, LEMAN_SVM_LINEAR);
    REQUIRE_ENUM(ctx, f.options.score, LEMAN_SCORE_R2);
    if (!matrix) PASS(lm_kernels_copy(ctx, kernels, count, &copy));
    PASS(prepare(&f, data, copy, count));
    PASS(train(&f));
    PASS(lm_model_set_shape(ctx, f.model));
    return HAND_OVER(out, f.model);
}

leman_status lm_model_fit(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                          const leman_fit_options *options, lm_shared_features *shared, leman_model **out)
{
    return fit(ctx, data, NULL, kernels, count, options, shared, out);
}

void lm_shared_features_free(lm_shared_features *shared)
{
    lm_round_features_free(&shared->all);
    *shared = (lm_shared_features){0};
}

leman_status leman_model_fit(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                             const leman_fit_options *options, leman_model **out)
{
    REQUIRE(ctx, data, out);
    return lm_model_fit(ctx, data, kernels, count, options, NULL, out);
}

leman_status leman_model_fit_matrix(leman_context *ctx, leman_feature_matrix *matrix, const leman_fit_options *options,
                                    leman_model **out)
{
    REQUIRE(ctx, matrix, out);
    return fit(ctx, matrix->labels, matrix, NULL, 0, options, NULL, out);
}
