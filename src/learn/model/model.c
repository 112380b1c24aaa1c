/* Creates, frees and describes models, and checks the data that they have to predict. */
#include "learn/model/model.h"
#include "base/arguments.h"
#include "base/drop.h"
#include "base/text.h"
#include "graph/dataset.h"
#include "io/reading.h"
#include "kernel/features/features.h"
#include <string.h>

LM_OPTIONS(leman_fit_options, options, .max_rounds = 5, .folds = 10, .target = LEMAN_NO_TARGET)

void leman_model_free(leman_model *model)
{
    if (!model) return;
    RELEASE(model->kernel, model->kernel_list, model->data_name, model->label, model->target_name);
    for (size_t c = 0; model->class_name && c < model->shape.classes; c++) lm_release(model->class_name[c]);
    RELEASE(model->class_name, model->bias, model->mean, model->sigmoid);
    lm_features_clear(&model->features);
    lm_domain_clear(&model->domain);
    RELEASE(model->weight, model->coefficient, model->origin.graph, model->origin.name_end, model->origin.label,
            model->origin.name, model->scale.mean, model->scale.deviation, model);
}

const leman_model_shape *leman_model_describe(const leman_model *model)
{
    return model ? &model->shape : NULL;
}

leman_status lm_model_set_shape(leman_context *ctx, leman_model *m)
{
    PASS_NEW(ctx, m->kernel_list, m->shape.kernels);
    for (size_t i = 0; i < m->shape.kernels; i++) m->kernel_list[i] = m->kernel + i;
    m->shape.kernel = m->kernel_list;
    m->shape.class_label = m->label;
    m->shape.data_name = m->data_name;
    m->shape.features = m->features.columns;
    m->shape.supports = m->weight ? 0 : m->features.rows;
    m->shape.target_name = m->target_name;
    m->shape.class_name = (const char *const *)m->class_name;
    return LEMAN_OK;
}

/* ---- Names ----------------------------------------------------------------------------------- */

leman_status lm_model_set_names(leman_context *ctx, leman_model *m, const leman_dataset *data, const char *target_name)
{
    size_t length = 0, named = 0;
    const char *name = target_name;
    if (name)
        length = strlen(name);
    else if (m->shape.regression)
        name = leman_dataset_target_name(data, m->shape.target, &length);
    if (length && !lm_text_printable(name, length))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "target_name: found a text that is not printable UTF-8");
    if (length) PASS(lm_copy_text(ctx, name, length, &m->target_name));
    for (size_t c = 0; c < m->shape.classes; c++) {
        leman_dataset_class_name(data, m->label[c], &length);
        named += length != 0;
    }
    if (!named) return LEMAN_OK;
    PASS_NEW_ZERO(ctx, m->class_name, m->shape.classes);
    for (size_t c = 0; c < m->shape.classes; c++) {
        name = leman_dataset_class_name(data, m->label[c], &length);
        PASS(lm_copy_text(ctx, name, length, m->class_name + c));
    }
    return LEMAN_OK;
}

leman_status lm_model_set_origin(leman_context *ctx, leman_model *m, const leman_dataset *data, const size_t *known)
{
    lm_support_origin *o = &m->origin;
    const size_t supports = m->features.rows;
    size_t length, bytes = 0;
    for (size_t i = 0; i < supports; i++) {
        if (known) o->graph[i] = known[o->graph[i]];
        leman_dataset_graph_name(data, o->graph[i], &length);
        bytes += length;
    }
    PASS_NEW(ctx, o->label, supports);
    PASS_NEW(ctx, o->name_end, supports);
    PASS_NEW(ctx, o->name, bytes);
    bytes = 0;
    for (size_t i = 0; i < supports; i++) {
        const char *name = leman_dataset_graph_name(data, o->graph[i], &length);
        if (length) memcpy(o->name + bytes, name, length);
        o->name_end[i] = bytes += length;
        o->label[i] = m->shape.regression ? LEMAN_CLASS_MISSING : data->class_label[o->graph[i]];
    }
    return LEMAN_OK;
}

/* ---- The data -------------------------------------------------------------------------------- */

static leman_status check_labels(leman_context *ctx, const char *name, const char *of, size_t found, size_t expected)
{
    if (!expected || found == expected) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_INPUT,
                   "%s: found %zu column%s of %s labels, expected %zu, as the model was fitted with", name, found,
                   lm_plural(found), of, expected);
}

bool lm_model_has_binnings(const leman_model *model)
{
    for (size_t i = 0; i < model->shape.kernels; i++)
        if (model->kernel[i].binnings) return true;
    return false;
}

static leman_status check_data(leman_context *ctx, const leman_model *model, const leman_dataset *data)
{
    if (!model->shape.kernels)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found graphs, expected a feature file, as the model was fitted on",
                       data->name);
    if (data->directed != model->shape.directed)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %s graphs, expected %s ones, as the model was fitted on",
                       data->name, data->directed ? "directed" : "undirected",
                       model->shape.directed ? "directed" : "undirected");
    PASS(lm_reading_check(ctx, data->name, data->reading, model->shape.reading, "as the model was fitted on"));
    PASS(check_labels(ctx, data->name, "vertex", data->columns.vertex_labels, model->shape.vertex_labels));
    if (data->arcs || model->shape.apex) /* apex vertices have edges, with as many labels as the data has columns */
        PASS(check_labels(ctx, data->name, "edge", data->columns.edge_labels, model->shape.edge_labels));
    for (size_t i = 0; i < model->shape.kernels; i++)
        if (model->kernel[i].weighted && !data->columns.edge_attributes)
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found no edge attributes, expected the lengths of edges",
                           data->name);
    if (lm_model_has_binnings(model) && !model->scale.columns)
        return lm_fail(
            ctx, LEMAN_ERROR_INPUT,
            "%s: found graphs, expected a feature file, as the model was fitted on: such files do not keep the "
            "means and deviations of attributes",
            data->name);
    return LEMAN_OK;
}

leman_status lm_model_view(leman_context *ctx, const leman_model *model, const leman_dataset *data, leman_dataset **own)
{
    AUTO(leman_dataset_drop) leman_dataset *bare = NULL;
    AUTO(leman_dataset_drop) leman_dataset *standard = NULL;
    PASS(check_data(ctx, model, data));
    if (lm_model_has_binnings(model)) {
        PASS(lm_attribute_scale_apply(ctx, &model->scale, "as the model was fitted with", data, &standard));
        if (!model->shape.apex) return HAND_OVER(own, standard);
        data = standard;
    }
    if (model->shape.apex) {
        leman_columns keep = data->columns;
        keep.vertex_labels = model->shape.vertex_labels; /* the mark is a label: unused labels have to be removed */
        PASS(leman_dataset_keep(ctx, data, &keep, &bare));
        PASS(leman_dataset_apex(ctx, bare, own));
    }
    return LEMAN_OK;
}
