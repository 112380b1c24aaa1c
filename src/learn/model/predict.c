/*
 * Predictions of a model. Slices of new graphs are turned into compact features over the model's columns. Decisions are
 * then products with the weights, or sums of the kernel with every support graph, computed from lists of the support
 * graphs of each column. A feature without a column only adds to the length of its graph. The numbers of a graph are
 * added up in the order of its own columns, so they depend neither on other graphs nor on the number of threads.
 *
 * Time: refinement, and for support graphs one addition for every column and pair of graphs that share it.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "graph/dataset.h"
#include "kernel/features/feature_lists.h"
#include "kernel/features/feature_matrix.h"
#include "kernel/features/features.h"
#include "learn/model/model.h"
#include "learn/protocol/scores.h"
#include <math.h>
#include <omp.h>
#include <string.h>

/* Most tuples of a slice, over all rounds. */
static const uint64_t SLICE = UINT64_C(1) << 22;

/* What the caller asked for, and the data needed to compute it. */
typedef struct prediction {
    leman_context *ctx;
    const leman_model *model;
    const leman_dataset *data; /* as the kernels use it */
    lm_feature_lists lists;    /* of the support graphs */
    int64_t *label;
    double *score, *probability, *out_of_vocabulary;
    const double *factor;             /* [outputs] factor of each decision in class_score, or NULL */
    double *class_score, *similarity; /* [graphs]; [graphs][supports] normalised kernels; or NULL */
    double *nearness, *inside;        /* [graphs] similarity to the nearest training graphs, and lm_domain_inside() */
    double *deviation;                /* [graphs] of a regression, of lm_domain_similarities(); needs `score` */
} prediction;

/* ---- Decisions ------------------------------------------------------------------------------- */

static bool is_minima(const leman_model *model, size_t column)
{
    return model->shape.kernels && model->kernel[model->features.feature[column].kernel].assignment;
}

/* The features of one graph. */
typedef struct feature_row {
    const uint32_t *column;
    const double *value;
    size_t count;
    double self;
} feature_row;

static void decide_by_weights(const leman_model *model, feature_row r, double *decision)
{
    double length = sqrt(r.self);
    memset(decision, 0, model->outputs * sizeof *decision);
    for (size_t e = 0; e < r.count; e++) {
        const float *weight = model->weight + r.column[e] * model->outputs;
        for (size_t m = 0; m < model->outputs; m++) decision[m] += r.value[e] * (double)weight[m];
    }
    for (size_t m = 0; m < model->outputs; m++) decision[m] = model->bias[m] + (r.self > 0 ? decision[m] / length : 0);
}

/* kernel[supports] is workspace; it keeps the kernel of the graph with every support graph. */
static void decide_by_supports(const leman_model *model, const lm_feature_lists *l, feature_row r, double *kernel,
                               double *decision)
{
    size_t supports = model->features.rows;
    lm_feature_lists_sum(l, r.column, r.value, r.count, kernel);
    memcpy(decision, model->bias, model->outputs * sizeof *decision);
    for (size_t i = 0; i < supports; i++) {
        const double similarity = lm_normalized(model->kernel->normalization, kernel[i], r.self, l->self[i]);
        for (size_t m = 0; m < model->outputs; m++)
            decision[m] += model->coefficient[i * model->outputs + m] * similarity;
    }
}

/* Must follow decide_by_supports(), which leaves the kernels in kernel[]. */
static void write_similarity(const leman_model *model, const lm_feature_lists *l, feature_row r, const double *kernel,
                             double *similarity)
{
    for (size_t i = 0; i < model->features.rows; i++)
        similarity[i] = lm_normalized(model->kernel->normalization, kernel[i], r.self, l->self[i]);
}

/* Returns the part of k(G, G) that comes from features without a column in the model, divided by k(G, G). */
static double out_of_vocabulary_share(const leman_model *model, feature_row r)
{
    double known = 0;
    for (size_t e = 0; e < r.count; e++) known += is_minima(model, r.column[e]) ? r.value[e] : r.value[e] * r.value[e];
    return r.self > 0 ? fmax(0, 1 - known / r.self) : 0;
}

/* ---- Predictions ----------------------------------------------------------------------------- */

void lm_model_class_factors(const leman_model *model, size_t class_number, double *factor)
{
    const size_t classes = model->shape.classes;
    memset(factor, 0, model->outputs * sizeof *factor);
    if (model->shape.regression) {
        factor[0] = 1;
    } else if (model->multiclass == LM_ONE_VS_REST) {
        factor[classes > 2 ? class_number : 0] = classes > 2 || !class_number ? 1 : -1;
    } else {
        size_t at = 0;
        for (size_t a = 0; a < classes; a++)
            for (size_t b = a + 1; b < classes; b++, at++)
                if (a == class_number || b == class_number)
                    factor[at] = (a == class_number ? 1 : -1) / (double)(classes - 1);
    }
}

/* The mean of the decisions of `winner` against every other class, from the decisions of all pairs. */
static double mean_of_pairs(const double *decision, size_t classes, size_t winner)
{
    double sum = 0;
    size_t at = 0;
    for (size_t a = 0; a < classes; a++)
        for (size_t b = a + 1; b < classes; b++, at++) {
            if (a == winner) sum += decision[at];
            if (b == winner) sum -= decision[at];
        }
    return sum / (double)(classes - 1);
}

static leman_status predict_graph(const prediction *p, const double *decision, size_t graph)
{
    const leman_model *model = p->model;
    const size_t classes = model->shape.classes;
    const size_t winner = model->shape.regression ? 0 : lm_predict_class(model->multiclass, classes, decision);
    double score = decision[0];
    if (!model->shape.regression && model->multiclass == LM_ONE_VS_ONE)
        score = mean_of_pairs(decision, classes, winner);
    else if (!model->shape.regression)
        score = classes > 2 ? decision[winner] : winner ? -decision[0] : decision[0];
    if (p->label && !model->shape.regression) p->label[graph] = model->label[winner];
    if (p->score) p->score[graph] = score + 0.0; /* avoids -0 */
    if (p->class_score) p->class_score[graph] = 0;
    for (size_t m = 0; p->class_score && m < model->outputs; m++) p->class_score[graph] += p->factor[m] * decision[m];
    if (!p->probability || model->shape.regression) return LEMAN_OK;
    return lm_calibration_apply(p->ctx, model->multiclass, classes, model->sigmoid, decision,
                                p->probability + graph * classes);
}

/* Predicts for the rows of f, which are the graphs of the data from number `first` on. */
static leman_status predict_rows(const prediction *p, const leman_features *f, const double *self, size_t first)
{
    const leman_model *model = p->model;
    int threads = p->ctx->settings.threads;
    size_t supports = model->features.rows;
    double *decision, *kernel;
    PASS_SCRATCH(p->ctx, decision, f->rows * model->outputs);
    PASS_SCRATCH(p->ctx, kernel, supports * (size_t)threads);
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
    for (size_t i = 0; i < f->rows; i++) {
        feature_row r = {f->column + f->start[i], f->value + f->start[i], f->start[i + 1] - f->start[i], self[i]};
        double *own = kernel + supports * (size_t)omp_get_thread_num();
        if (model->weight)
            decide_by_weights(model, r, decision + i * model->outputs);
        else
            decide_by_supports(model, &p->lists, r, own, decision + i * model->outputs);
        if (p->similarity) write_similarity(model, &p->lists, r, own, p->similarity + (first + i) * supports);
        if (p->out_of_vocabulary) p->out_of_vocabulary[first + i] = out_of_vocabulary_share(model, r);
    }
    for (size_t i = 0; i < f->rows; i++) PASS(predict_graph(p, decision + i * model->outputs, first + i));
    return LEMAN_OK;
}

static leman_status predict_slice(const prediction *p, size_t first, size_t end)
{
    leman_context *ctx = p->ctx;
    SCRATCH_SCOPE(ctx);
    const leman_model *model = p->model;
    const leman_dataset part = lm_dataset_range(p->data, first, end);
    AUTO(lm_features_clear) leman_features f = {0};
    double *self;
    PASS_SCRATCH(ctx, self, end - first);
    PASS(lm_features_compact(ctx, &part, model->kernel, model->shape.kernels, false, &model->features, self, &f));
    return predict_rows(p, &f, self, first);
}

/* Completes predictions by the domain: probabilities are moved towards the shares of the classes. data NULL: the rows of
 * a feature file. p->out_of_vocabulary is known. */
static leman_status apply_domain(const prediction *p, const leman_dataset *data, size_t graphs)
{
    SCRATCH_SCOPE(p->ctx);
    const leman_model *model = p->model;
    double *nearness = p->nearness;
    if (!nearness) PASS_SCRATCH(p->ctx, nearness, graphs);
    if (data) PASS(lm_domain_similarities(p->ctx, model, data, p->score, nearness, p->deviation));
    for (size_t g = 0; g < graphs; g++) {
        if (!data) nearness[g] = NAN;
        const double inside = lm_domain_inside(&model->domain, nearness[g], 1 - p->out_of_vocabulary[g]);
        if (p->inside) p->inside[g] = inside;
        if (p->probability && !model->shape.regression)
            lm_domain_shrink(&model->domain, model->shape.classes, inside, p->probability + g * model->shape.classes);
    }
    return LEMAN_OK;
}

/* Whether something of the prediction depends on the domain; then p->out_of_vocabulary is set. */
static leman_status needs_domain(prediction *p, size_t graphs, bool *needed)
{
    *needed = p->nearness || p->inside || (p->probability && !p->model->shape.regression);
    if (*needed && !p->out_of_vocabulary) PASS_SCRATCH(p->ctx, p->out_of_vocabulary, graphs);
    return LEMAN_OK;
}

static leman_status predict(prediction *p, const leman_dataset *data)
{
    leman_context *ctx = p->ctx;
    const leman_model *model = p->model;
    bool domain;
    SCRATCH_SCOPE(ctx);
    AUTO(leman_dataset_drop) leman_dataset *own = NULL;
    PASS(lm_model_view(ctx, model, data, &own));
    p->data = own ? own : data;
    PASS(needs_domain(p, p->data->graphs, &domain));
    if (!model->weight)
        PASS(lm_feature_lists_make(ctx, &model->features, model->shape.kernels ? model->kernel : NULL, &p->lists));
    for (size_t first = 0, end; first < p->data->graphs; first = end) {
        end = lm_features_slice(p->data, model->kernel, model->shape.kernels, SLICE, first);
        PASS(predict_slice(p, first, end));
    }
    return domain ? apply_domain(p, p->data, p->data->graphs) : LEMAN_OK;
}

leman_status lm_model_class_scores(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                                   const double *factor, double *score, double *similarity)
{
    prediction p = {.ctx = ctx, .model = model, .factor = factor, .class_score = score, .similarity = similarity};
    return predict(&p, data);
}

leman_status leman_model_predict(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                                 int64_t *label, double *score, double *probability, double *out_of_vocabulary)
{
    REQUIRE(ctx, model, data);
    prediction p = {.ctx = ctx,
                    .model = model,
                    .label = label,
                    .score = score,
                    .probability = probability,
                    .out_of_vocabulary = out_of_vocabulary};
    return predict(&p, data);
}

/* ---- The domain ------------------------------------------------------------------------------ */

leman_status leman_model_domain(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                                double *similarity, double *domain)
{
    REQUIRE(ctx, model, data);
    prediction p = {.ctx = ctx, .model = model, .nearness = similarity, .inside = domain};
    return predict(&p, data);
}

leman_status leman_model_intervals(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                                   double coverage, double *low, double *high)
{
    REQUIRE(ctx, model, data, low, high);
    SCRATCH_SCOPE(ctx);
    const size_t graphs = data->graphs;
    double *score, *similarity, *deviation;
    if (!(coverage > 0 && coverage < 1))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "coverage: found %g, expected a number above 0 and below 1",
                       coverage);
    if (!model->shape.regression)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "found a model of classes, expected one of targets for intervals");
    PASS_SCRATCH(ctx, score, graphs);
    PASS_SCRATCH(ctx, similarity, graphs);
    PASS_SCRATCH(ctx, deviation, graphs);
    prediction p = {.ctx = ctx, .model = model, .score = score, .nearness = similarity, .deviation = deviation};
    PASS(predict(&p, data));
    for (size_t g = 0; g < graphs; g++) {
        const double half = lm_domain_half_width(&model->domain, similarity[g], deviation[g], coverage);
        low[g] = score[g] - half;
        high[g] = score[g] + half;
    }
    return LEMAN_OK;
}

/* ---- Feature files --------------------------------------------------------------------------- */

/* Writes place[columns of the matrix]: 1 + the model's column with the same name, or 0 if there is none. */
static leman_status place_columns(leman_context *ctx, const leman_model *model, const leman_feature_matrix *matrix,
                                  uint32_t *place)
{
    const size_t columns = matrix->store.map.columns, known = model->features.columns;
    const leman_feature *own = model->features.feature;
    AUTO(lm_release_at) leman_feature *name = NULL;
    PASS_NEW(ctx, name, columns);
    PASS(lm_column_map_names(&matrix->store.map, name));
    for (size_t c = 0, at = 0; c < columns; c++) {
        name[c].round *= LM_TRIPLE_LISTS; /* columns of one colour each */
        while (at < known && lm_feature_before(own[at], name[c])) at++;
        place[c] = at < known && !lm_feature_before(name[c], own[at]) ? (uint32_t)at + 1 : 0;
    }
    return LEMAN_OK;
}

/* Rewrites the rows of f over the columns of the model. self[] gets the squared lengths over all columns. */
static leman_status place_rows(leman_context *ctx, const leman_features *f, const uint32_t *place, leman_features *rows,
                               double *self)
{
    rows->rows = f->rows;
    PASS_NEW(ctx, rows->start, f->rows + 1);
    PASS_NEW(ctx, rows->column, f->entries);
    PASS_NEW(ctx, rows->value, f->entries);
    for (size_t i = 0; i < f->rows; i++) {
        rows->start[i] = rows->entries;
        self[i] = 0;
        for (uint64_t e = f->start[i]; e < f->start[i + 1]; e++) {
            self[i] += f->value[e] * f->value[e];
            if (!place[f->column[e]]) continue;
            rows->column[rows->entries] = place[f->column[e]] - 1;
            rows->value[rows->entries++] = f->value[e];
        }
    }
    rows->start[f->rows] = rows->entries;
    return LEMAN_OK;
}

static leman_status predict_stored_slice(const prediction *p, leman_feature_matrix *matrix, const uint32_t *place,
                                         size_t slice)
{
    leman_context *ctx = p->ctx;
    SCRATCH_SCOPE(ctx);
    AUTO(lm_features_clear) leman_features f = {0};
    AUTO(lm_features_clear) leman_features rows = {0};
    size_t first;
    double *self;
    PASS(lm_feature_store_load(ctx, &matrix->store, slice, &f, &first));
    PASS_SCRATCH(ctx, self, f.rows);
    PASS(place_rows(ctx, &f, place, &rows, self));
    return predict_rows(p, &rows, self, first);
}

leman_status leman_model_predict_matrix(leman_context *ctx, const leman_model *model, leman_feature_matrix *matrix,
                                        int64_t *label, double *score, double *probability, double *out_of_vocabulary)
{
    REQUIRE(ctx, model, matrix);
    const leman_feature_origin *origin = &matrix->origin;
    if (model->shape.kernels && !(origin->kernel_count && lm_features_expanded(&model->features)))
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found a feature file, expected graphs, as the model was fitted on",
                       matrix->labels->name);
    if (lm_kernels_checksum(model->kernel, model->shape.kernels) !=
        lm_kernels_checksum(origin->kernel, origin->kernel_count))
        return lm_fail(ctx, LEMAN_ERROR_INPUT,
                       "%s: found columns of other kernels, expected those that the model was fitted on",
                       matrix->labels->name);
    SCRATCH_SCOPE(ctx);
    prediction p = {.ctx = ctx,
                    .model = model,
                    .label = label,
                    .score = score,
                    .probability = probability,
                    .out_of_vocabulary = out_of_vocabulary};
    const size_t rows = matrix->labels->graphs;
    bool domain;
    AUTO(lm_release_at) uint32_t *place = NULL;
    PASS(needs_domain(&p, rows, &domain));
    PASS_NEW(ctx, place, matrix->store.map.columns);
    PASS(place_columns(ctx, model, matrix, place));
    for (size_t i = 0; i < matrix->store.slices; i++) PASS(predict_stored_slice(&p, matrix, place, i));
    return domain ? apply_domain(&p, NULL, rows) : LEMAN_OK;
}
