/*
 * The final fit on all graphs, and what the model keeps of it. A linear SVM has a weight for every merged column; each
 * of the columns that were merged gets its share of it. A kernel SVM has coefficients of graphs. If the kernel is a
 * product of features, the coefficients are turned into weights, the sum of coefficient phi(S) / |phi(S)| over the
 * support graphs S, and no graph has to be kept. Columns whose weights are all 0 are dropped.
 */
#include "kernel/features/features.h"
#include "learn/model/fit.h"
#include <math.h>
#include <string.h>

/* ---- Weights --------------------------------------------------------------------------------- */

/* Appends a column to model->features and model->weight, which must have the capacity, unless all its weights are 0. */
static void add_column(leman_model *model, leman_feature feature, const float *weight)
{
    size_t at = model->features.columns;
    bool used = false;
    for (size_t m = 0; m < model->outputs; m++) used |= weight[m] != 0;
    if (!used) return;
    model->features.feature[at] = feature;
    memcpy(model->weight + at * model->outputs, weight, model->outputs * sizeof *weight);
    model->features.columns++;
}

/* Allocates memory for that number of columns, and no rows. */
static leman_status reserve_columns(leman_context *ctx, leman_model *model, size_t columns)
{
    PASS_NEW(ctx, model->features.feature, columns);
    PASS_NEW_ZERO(ctx, model->features.start, 1);
    PASS_NEW(ctx, model->weight, lm_saturating_multiply(columns, model->outputs));
    return LEMAN_OK;
}

/* ---- Linear SVMs ----------------------------------------------------------------------------- */

static leman_status keep_weights(leman_context *ctx, const lm_estimator *estimator, leman_model *model)
{
    const lm_round_features *features = &estimator->factory->features;
    const lm_rows *rows = estimator->rows;
    const double *solution = lm_linear_trainer_svm(estimator->trainer)->weight;
    size_t columns = features->features.columns, width = rows->columns + 1;
    float *weight;
    PASS(reserve_columns(ctx, model, columns));
    PASS_SCRATCH(ctx, weight, model->outputs);
    for (size_t c = 0; c < columns; c++) {
        leman_feature feature;
        if (!lm_round_features_has(features, c, model->shape.rounds, &feature)) continue;
        feature.round = feature.round * LM_TRIPLE_LISTS + features->features.feature[c].round % LM_TRIPLE_LISTS;
        for (size_t m = 0; m < model->outputs; m++)
            weight[m] = (float)(rows->share[c] * solution[m * width + rows->place[c] - 1]);
        add_column(model, feature, weight);
    }
    for (size_t m = 0; m < model->outputs; m++) model->bias[m] = solution[m * width + rows->columns];
    return LEMAN_OK;
}

/* ---- Kernel SVMs ----------------------------------------------------------------------------- */

/* Features of all training graphs, self[graphs] = k(G, G), and coefficient[graphs][outputs]. */
typedef struct supports {
    const leman_features *features;
    const double *self, *coefficient;
} supports;

static leman_status sum_weights(leman_context *ctx, const supports *s, leman_model *model)
{
    const leman_features *f = s->features;
    size_t outputs = model->outputs;
    AUTO(lm_release_at) double *sum = NULL;
    float *weight;
    PASS(reserve_columns(ctx, model, f->columns));
    PASS_SCRATCH(ctx, weight, outputs);
    PASS_NEW_ZERO(ctx, sum, f->columns * outputs);
    for (size_t g = 0; g < f->rows; g++)
        for (size_t m = 0; m < outputs; m++) {
            double share = s->coefficient[g * outputs + m] / sqrt(s->self[g]);
            if (s->coefficient[g * outputs + m] == 0) continue;
            for (uint64_t e = f->start[g]; e < f->start[g + 1]; e++)
                sum[f->column[e] * outputs + m] += share * f->value[e];
        }
    for (size_t c = 0; c < f->columns; c++) {
        for (size_t m = 0; m < outputs; m++) weight[m] = (float)sum[c * outputs + m];
        add_column(model, f->feature[c], weight);
    }
    return LEMAN_OK;
}

/* Keeps the rows of the graphs that have a coefficient, and the columns that occur in these rows. */
static leman_status keep_rows(leman_context *ctx, const supports *s, leman_model *model)
{
    const size_t graphs = s->features->rows, outputs = model->outputs;
    size_t *row, kept = 0;
    PASS_SCRATCH(ctx, row, graphs);
    PASS_NEW(ctx, model->coefficient, graphs * outputs);
    PASS_NEW(ctx, model->origin.graph, graphs);
    for (size_t g = 0; g < graphs; g++) {
        bool used = false;
        for (size_t m = 0; m < outputs; m++) used |= s->coefficient[g * outputs + m] != 0;
        if (!used) continue;
        memcpy(model->coefficient + kept * outputs, s->coefficient + g * outputs, outputs * sizeof *s->coefficient);
        model->origin.graph[kept] = row[kept] = g;
        kept++;
    }
    return lm_features_select(ctx, s->features, NULL, row, kept, &model->features);
}

static void spread_coefficients(const lm_svm *svm, size_t graphs, leman_model *model, double *coefficient)
{
    memset(coefficient, 0, graphs * model->outputs * sizeof *coefficient);
    for (size_t m = 0; m < model->outputs; m++) {
        lm_svm_support support = lm_svm_support_of(svm, m);
        model->bias[m] = support.bias;
        for (size_t i = 0; i < support.count; i++)
            coefficient[support.item[i] * model->outputs + m] += support.coefficient[i];
    }
}

static leman_status keep_supports(leman_context *ctx, const leman_dataset *data, size_t graphs, double *coefficient,
                                  leman_model *model)
{
    AUTO(lm_features_clear) leman_features features = {0};
    double *self;
    PASS_SCRATCH(ctx, self, graphs);
    PASS(lm_features_compact(ctx, data, model->kernel, model->shape.kernels, false, NULL, self, &features));
    const supports s = {&features, self, coefficient};
    return lm_kernels_are_linear(model->kernel, model->shape.kernels) ? sum_weights(ctx, &s, model)
                                                                      : keep_rows(ctx, &s, model);
}

/* ---- Both ------------------------------------------------------------------------------------ */

/* Computes the mean of the decisions for all training graphs, which explanations are centred on. */
static leman_status mean_decisions(leman_context *ctx, const lm_estimator *estimator, const lm_training_set *all,
                                   leman_model *model)
{
    enum { BLOCK = 1024 };
    SCRATCH_SCOPE(ctx);
    const size_t outputs = model->outputs;
    double *decision;
    PASS_SCRATCH(ctx, decision, BLOCK * outputs);
    for (size_t m = 0; m < outputs; m++) model->mean[m] = 0;
    for (size_t first = 0; first < all->count; first += BLOCK) {
        const size_t left = all->count - first, count = left < BLOCK ? left : BLOCK;
        PASS(lm_estimator_decide(estimator, all->item + first, count, decision));
        for (size_t i = 0; i < count * outputs; i++) model->mean[i % outputs] += decision[i] / (double)all->count;
    }
    return LEMAN_OK;
}

leman_status lm_final_fit(leman_context *ctx, const leman_dataset *data, const lm_estimator_factory *factory,
                          const lm_training_set *all, leman_model *model)
{
    SCRATCH_SCOPE(ctx);
    AUTO(lm_estimator_drop) lm_estimator *estimator = NULL;
    double *coefficient;
    lm_features_clear(&model->features); /* left by a fit that failed */
    RELEASE(model->weight, model->coefficient, model->origin.graph);
    model->weight = NULL, model->coefficient = NULL, model->origin.graph = NULL;
    PASS(lm_estimator_new(ctx, factory, model->shape.rounds, all, &estimator));
    PASS(lm_estimator_fit(&estimator, 1, model->shape.C, NULL));
    PASS(mean_decisions(ctx, estimator, all, model));
    if (model->shape.svm == LEMAN_SVM_LINEAR) return keep_weights(ctx, estimator, model);
    PASS_SCRATCH(ctx, coefficient, all->count * model->outputs);
    spread_coefficients(estimator->svm, all->count, model, coefficient);
    lm_estimator_free(estimator); /* its memory is needed for the features */
    estimator = NULL;
    return keep_supports(ctx, data, all->count, coefficient, model);
}
