/*
 * Attributions of models and networks. They are exact if all kernels count colours; otherwise vertices and edges
 * are left out one by one. For models with support graphs, also the support graphs with the largest contributions
 *
 *   sum over outputs m of factor_m coefficient_mS k(G, S) / sqrt(k(G, G) k(S, S))
 */
#include "learn/attribution/attribution.h"
#include "base/arguments.h"
#include "base/context.h"
#include "base/drop.h"
#include "graph/dataset.h"
#include "kernel/features/features.h"
#include "nn/network.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const METHODS[] = {[LEMAN_ATTRIBUTION_METHOD_AUTO] = "auto",
                                      [LEMAN_ATTRIBUTION_METHOD_WEIGHTS] = "weights",
                                      [LEMAN_ATTRIBUTION_METHOD_LEAVE_ONE_OUT] = "leave-one-out"};

LM_ENUM(leman_attribution_method, method, "method of attribution", METHODS, , LEMAN_ATTRIBUTION_METHOD_COUNT)

/* ---- Memory ---------------------------------------------------------------------------------- */

#define WRITABLE(pointer) ((void *)(uintptr_t)(pointer))

void leman_attribution_free(leman_attribution *a)
{
    if (!a) return;
    for (size_t i = 0; a->support && i < a->supports; i++) lm_release(WRITABLE(a->support[i].name));
    RELEASE(WRITABLE(a->support), WRITABLE(a->column), WRITABLE(a->name), WRITABLE(a->vertex), WRITABLE(a->edge),
            WRITABLE(a->end), a);
}

static leman_status copy_text(leman_context *ctx, const char *text, size_t length, const char **out)
{
    char *copy = NULL;
    const leman_status st = lm_copy_text(ctx, text, length, &copy);
    if (!st) *out = copy;
    return st;
}

/* column: name of what is predicted, or NULL. word: name of the class; NULL or "" if the class has only a number. */
static leman_status set_names(leman_context *ctx, leman_attribution *a, const char *column, const char *word)
{
    char text[24] = "";
    if (a->label != LEMAN_CLASS_MISSING) snprintf(text, sizeof text, "%lld", (long long)a->label);
    if (!column) column = "";
    if (!word || !*word) word = text;
    PASS(copy_text(ctx, column, strlen(column), &a->column));
    return copy_text(ctx, word, strlen(word), &a->name);
}

/* Creates an attribution with arrays for the graph, which becomes the only graph of *one. *edges becomes a view of the
 * arrays. */
static leman_status begin(leman_context *ctx, const leman_dataset *data, size_t graph, leman_attribution **out,
                          lm_edge_sharing *edges, leman_dataset **one)
{
    leman_attribution *a = NULL;
    double *vertex, *edge;
    uint32_t *end;
    if (graph >= data->graphs)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "graph: found %zu, expected a number below %zu", graph, data->graphs);
    const leman_graph g = leman_dataset_graph(data, graph);
    PASS(leman_dataset_select(ctx, data, 1, &graph, one));
    PASS_NEW_ZERO(ctx, a, 1);
    *out = a;
    a->graph = graph;
    a->label = LEMAN_CLASS_MISSING;
    a->probability = a->rest = a->edge_rest = a->bias = a->similarity = a->domain = NAN;
    a->vertices = g.vertices;
    a->edges = lm_graph_edges(&g, NULL);
    PASS_NEW(ctx, vertex, a->vertices);
    a->vertex = vertex;
    PASS_NEW(ctx, edge, a->edges);
    a->edge = edge;
    PASS_NEW(ctx, end, 2 * a->edges);
    a->end = end;
    lm_graph_edges(&g, end);
    *edges = (lm_edge_sharing){.count = a->edges, .end = end, .edge = edge};
    return LEMAN_OK;
}

/* ---- Support graphs -------------------------------------------------------------------------- */

/* Sorts by decreasing absolute value; ties stay in the order of the training data. */
static int by_contribution(const void *a, const void *b)
{
    const leman_support *s = a, *t = b;
    const double x = fabs(s->contribution), y = fabs(t->contribution);
    if (x != y) return x > y ? -1 : 1;
    return s->graph < t->graph ? -1 : s->graph > t->graph;
}

/* Keeps the first `max` of all[supports], sorted by contribution. all[].graph is the row of the graph in the model. */
static leman_status keep_supports(leman_context *ctx, const leman_model *model, const leman_support *all, size_t max,
                                  leman_attribution *a)
{
    const lm_support_origin *o = &model->origin;
    const size_t count = a->all_supports < max ? a->all_supports : max;
    leman_support *kept;
    PASS_NEW(ctx, kept, count);
    a->support = kept;
    for (size_t i = 0; i < count; i++, a->supports++) {
        const size_t row = all[i].graph, from = row ? o->name_end[row - 1] : 0;
        kept[i] = all[i];
        kept[i].graph = o->graph[row];
        kept[i].class_label = o->label[row];
        PASS(copy_text(ctx, o->name + from, o->name_end[row] - from, &kept[i].name));
    }
    return LEMAN_OK;
}

static leman_status find_supports(leman_context *ctx, const leman_model *model, const leman_dataset *one,
                                  const double *factor, size_t max, leman_attribution *a)
{
    const size_t supports = model->features.rows, outputs = model->outputs;
    double *similarity, score, sum = 0;
    leman_support *all;
    PASS_SCRATCH(ctx, similarity, supports);
    PASS_SCRATCH(ctx, all, supports);
    PASS(lm_model_class_scores(ctx, model, one, factor, &score, similarity));
    for (size_t i = 0; i < supports; i++) {
        double coefficient = 0;
        for (size_t m = 0; m < outputs; m++) coefficient += factor[m] * model->coefficient[i * outputs + m];
        all[i] = (leman_support){.graph = i, .similarity = similarity[i], .contribution = coefficient * similarity[i]};
        sum += fabs(all[i].contribution);
    }
    for (size_t i = 0; i < supports; i++) all[i].share = sum > 0 ? fabs(all[i].contribution) / sum : 0;
    if (supports) qsort(all, supports, sizeof *all, by_contribution);
    a->all_supports = supports;
    return keep_supports(ctx, model, all, max, a);
}

/* ---- Models ---------------------------------------------------------------------------------- */

typedef struct model_scorer {
    const leman_model *model;
    const double *factor;
} model_scorer;

static leman_status score_by_model(leman_context *ctx, void *user, const leman_dataset *data, double *score)
{
    const model_scorer *s = user;
    return lm_model_class_scores(ctx, s->model, data, s->factor, score, NULL);
}

/* Chooses the class that is explained, and computes its probability. */
static leman_status choose_class(leman_context *ctx, const leman_model *model, const leman_dataset *one,
                                 size_t class_number, leman_attribution *a)
{
    int64_t label;
    double *probability;
    if (model->shape.regression) return set_names(ctx, a, model->target_name, NULL);
    PASS_SCRATCH(ctx, probability, model->shape.classes);
    PASS(leman_model_predict(ctx, model, one, &label, NULL, probability, NULL));
    for (size_t c = 0; class_number == LEMAN_CLASS_PREDICTED && c < model->shape.classes; c++)
        if (model->label[c] == label) class_number = c;
    a->output = class_number;
    a->label = model->label[class_number];
    a->probability = probability[class_number];
    return set_names(ctx, a, model->target_name, model->class_name ? model->class_name[class_number] : NULL);
}

/* `one` contains only the graph that is explained. */
static leman_status attribute(leman_context *ctx, const leman_model *model, const leman_dataset *one,
                              size_t class_number, size_t max_supports, leman_attribution *a, lm_edge_sharing *edges)
{
    SCRATCH_SCOPE(ctx);
    double *factor, *vertex = WRITABLE(a->vertex);
    PASS(choose_class(ctx, model, one, class_number, a));
    PASS(leman_model_domain(ctx, model, one, &a->similarity, &a->domain));
    PASS_SCRATCH(ctx, factor, model->outputs);
    lm_model_class_factors(model, a->output, factor);
    a->bias = 0;
    for (size_t m = 0; m < model->outputs; m++) a->bias += factor[m] * model->bias[m];
    if (a->method == LEMAN_ATTRIBUTION_METHOD_AUTO)
        a->method = lm_model_check_contributions(NULL, model) ? LEMAN_ATTRIBUTION_METHOD_LEAVE_ONE_OUT
                                                              : LEMAN_ATTRIBUTION_METHOD_WEIGHTS;
    if (a->method == LEMAN_ATTRIBUTION_METHOD_WEIGHTS) {
        PASS(lm_model_class_scores(ctx, model, one, factor, &a->score, NULL));
        lm_explained_score explained = {.factor = factor, .score = a->score, .bias = a->bias, .center = a->bias};
        a->centered = model->mean != NULL;
        if (a->centered) explained.center = 0;
        for (size_t m = 0; a->centered && m < model->outputs; m++) explained.center += factor[m] * model->mean[m];
        PASS(lm_model_contributions(ctx, model, one, &explained, vertex, &a->rest, edges));
        if (model->weight) a->bias = explained.center; /* support graphs add to the bias itself */
        a->edge_rest = edges->rest;
    } else {
        model_scorer scorer = {model, factor};
        PASS(lm_leave_one_out(ctx, one, 0, score_by_model, &scorer, &a->score, vertex, edges));
    }
    if (model->coefficient) PASS(find_supports(ctx, model, one, factor, max_supports, a));
    return LEMAN_OK;
}

leman_status leman_model_attribute(leman_context *ctx, const leman_model *model, const leman_dataset *data,
                                   size_t graph, size_t class_number, leman_attribution_method method,
                                   size_t max_supports, leman_attribution **out)
{
    AUTO(leman_attribution_drop) leman_attribution *a = NULL;
    AUTO(leman_dataset_drop) leman_dataset *one = NULL;
    lm_edge_sharing edges = {0};
    REQUIRE(ctx, model, data, out);
    if (!model->shape.regression && class_number != LEMAN_CLASS_PREDICTED && class_number >= model->shape.classes)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "class_number: found %zu, expected a number below %zu", class_number,
                       model->shape.classes);
    REQUIRE_ENUM(ctx, method, LEMAN_ATTRIBUTION_METHOD_COUNT - 1);
    if (method == LEMAN_ATTRIBUTION_METHOD_WEIGHTS) PASS(lm_model_check_contributions(ctx, model));
    PASS(begin(ctx, data, graph, &a, &edges, &one));
    a->method = method;
    PASS(attribute(ctx, model, one, class_number, max_supports, a, &edges));
    return HAND_OVER(out, a);
}

/* ---- Networks -------------------------------------------------------------------------------- */

typedef struct network_scorer {
    leman_predictor *predictor;
    size_t output;
    double probability; /* of the first graph */
} network_scorer;

/* Writes the log odds of a class, or of the larger class of a task; values of a regression are written unchanged. A
 * probability that rounds to 1 is replaced by the largest double below 1. */
static leman_status score_by_network(leman_context *ctx, void *user, const leman_dataset *data, double *score)
{
    SCRATCH_SCOPE(ctx);
    network_scorer *s = user;
    const leman_network_shape *shape = leman_network_describe(lm_predictor_network(s->predictor));
    const size_t graphs = leman_dataset_shape(data)->graphs, outputs = shape->outputs;
    static const double LEAST = 1e-16;
    double *output;
    size_t cells;
    if (!lm_multiply(graphs, outputs, &cells)) cells = SIZE_MAX;
    PASS_SCRATCH(ctx, output, cells);
    PASS(leman_predictor_run(ctx, s->predictor, data, 0, output));
    for (size_t g = 0; g < graphs; g++) {
        const double own = output[g * outputs + s->output];
        double others = shape->task_name ? 1 - own : 0;
        for (size_t i = 0; shape->class_label && i < outputs; i++)
            if (i != s->output) others += output[g * outputs + i];
        score[g] = shape->class_label || shape->task_name ? log(fmax(own, LEAST)) - log(fmax(others, LEAST)) : own;
        if (!g) s->probability = own;
    }
    return LEMAN_OK;
}

static leman_status choose_output(leman_context *ctx, leman_predictor *predictor, const leman_dataset *one,
                                  size_t output, leman_attribution *a)
{
    SCRATCH_SCOPE(ctx);
    const leman_network_shape *shape = leman_network_describe(lm_predictor_network(predictor));
    double *probability;
    if (shape->level)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "found predictions of the level %s, expected those of graphs",
                       leman_level_name(shape->level));
    if (output == LEMAN_CLASS_PREDICTED && shape->class_label) {
        PASS_SCRATCH(ctx, probability, shape->outputs);
        PASS(leman_predictor_run(ctx, predictor, one, 0, probability));
        output = 0;
        for (size_t i = 1; i < shape->outputs; i++)
            if (probability[i] > probability[output]) output = i;
    }
    if (output >= shape->outputs)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "output: found %zu, expected a number below %zu", output,
                       shape->outputs);
    a->output = output;
    if (shape->class_label) {
        a->label = shape->class_label[output];
        PASS(set_names(ctx, a, NULL, shape->class_name ? shape->class_name[output] : NULL));
    } else if (shape->task_name) {
        a->label = shape->task_label[2 * output + 1];
        PASS(set_names(ctx, a, shape->task_name[output], NULL));
    } else {
        size_t length; /* the network numbers its targets, the data may name them */
        const char *name = leman_dataset_target_name(one, shape->target[output], &length);
        PASS(copy_text(ctx, name, length, &a->column));
        PASS(copy_text(ctx, "", 0, &a->name));
    }
    return LEMAN_OK;
}

leman_status leman_predictor_attribute(leman_context *ctx, leman_predictor *predictor, const leman_dataset *data,
                                       size_t graph, size_t output, leman_attribution **out)
{
    AUTO(leman_attribution_drop) leman_attribution *a = NULL;
    AUTO(leman_dataset_drop) leman_dataset *one = NULL;
    lm_edge_sharing edges = {0};
    REQUIRE(ctx, predictor, data, out);
    PASS(begin(ctx, data, graph, &a, &edges, &one));
    PASS(choose_output(ctx, predictor, one, output, a));
    network_scorer scorer = {predictor, a->output, NAN};
    a->method = LEMAN_ATTRIBUTION_METHOD_LEAVE_ONE_OUT;
    PASS(lm_leave_one_out(ctx, one, 0, score_by_network, &scorer, &a->score, WRITABLE(a->vertex), &edges));
    if (a->label != LEMAN_CLASS_MISSING) a->probability = scorer.probability;
    return HAND_OVER(out, a);
}
