/* Creates, frees and describes models, and checks the data that they have to predict. */
#include "learn/model/model.h"
#include "base/arguments.h"
#include "base/text.h"
#include "graph/dataset.h"
#include "kernel/features/features.h"
#include <string.h>

void leman_fit_options_init(leman_fit_options *options, size_t size)
{
    const leman_fit_options defaults = {.max_rounds = 5, .folds = 10, .target = LEMAN_NO_TARGET};
    lm_options_init(options, size, &defaults, sizeof defaults);
}

leman_status lm_model_new(leman_context *ctx, leman_model **out)
{
    leman_model *model;
    PASS_NEW(ctx, model, 1);
    *model = (leman_model){.allocator = ctx->allocator};
    *out = model;
    return LEMAN_OK;
}

void leman_model_free(leman_model *model)
{
    if (!model) return;
    leman_context owner = {.allocator = model->allocator};
    lm_free(&owner, model->kernel);
    lm_free(&owner, model->kernel_list);
    lm_free(&owner, model->data_name);
    lm_free(&owner, model->label);
    lm_free(&owner, model->target_name);
    for (size_t c = 0; model->class_name && c < model->classes; c++) lm_free(&owner, model->class_name[c]);
    lm_free(&owner, model->class_name);
    lm_free(&owner, model->bias);
    lm_free(&owner, model->sigmoid);
    lm_features_clear(&owner, &model->features);
    lm_free(&owner, model->weight);
    lm_free(&owner, model->coefficient);
    lm_free(&owner, model->origin.graph);
    lm_free(&owner, model->origin.name_end);
    lm_free(&owner, model->origin.label);
    lm_free(&owner, model->origin.name);
    lm_free(&owner, model);
}

const leman_model_shape *leman_model_describe(const leman_model *model)
{
    return model ? &model->shape : NULL;
}

leman_status lm_model_set_shape(leman_context *ctx, leman_model *m)
{
    PASS_NEW(ctx, m->kernel_list, m->kernels);
    for (size_t i = 0; i < m->kernels; i++) m->kernel_list[i] = m->kernel + i;
    m->shape = (leman_model_shape){.svm = m->svm,
                                   .kernel = m->kernel_list,
                                   .kernels = m->kernels,
                                   .rounds = m->rounds,
                                   .C = m->C,
                                   .score = m->score,
                                   .regression = m->regression,
                                   .apex = m->apex,
                                   .directed = m->directed,
                                   .vertex_labels = m->vertex_labels,
                                   .edge_labels = m->edge_labels,
                                   .classes = m->classes,
                                   .class_label = m->label,
                                   .data_name = m->data_name,
                                   .data_graphs = m->data_graphs,
                                   .folds = m->folds,
                                   .target = m->target,
                                   .data_checksum = m->data_checksum,
                                   .seed = m->seed,
                                   .features = m->features.columns,
                                   .supports = m->weight ? 0 : m->features.rows,
                                   .selected_by = m->selected_by,
                                   .target_name = m->target_name,
                                   .class_name = (const char *const *)m->class_name};
    return LEMAN_OK;
}

/* ---- Names ----------------------------------------------------------------------------------- */

leman_status lm_model_set_names(leman_context *ctx, leman_model *m, const leman_dataset *data, const char *target_name)
{
    size_t length = 0, named = 0;
    const char *name = target_name;
    if (name)
        length = strlen(name);
    else if (m->regression)
        name = leman_dataset_target_name(data, m->target, &length);
    if (length && !lm_text_printable(name, length))
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "target_name: found a text that is not printable UTF-8");
    if (length) PASS(lm_copy_text(ctx, name, length, &m->target_name));
    for (size_t c = 0; c < m->classes; c++) {
        leman_dataset_class_name(data, m->label[c], &length);
        named += length != 0;
    }
    if (!named) return LEMAN_OK;
    PASS_NEW_ZERO(ctx, m->class_name, m->classes);
    for (size_t c = 0; c < m->classes; c++) {
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
        o->label[i] = m->regression ? LEMAN_CLASS_MISSING : data->class_label[o->graph[i]];
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

static leman_status check_data(leman_context *ctx, const leman_model *model, const leman_dataset *data)
{
    if (!model->kernels)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found graphs, expected a feature file, as the model was fitted on",
                       data->name);
    if (data->directed != model->directed)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %s graphs, expected %s ones, as the model was fitted on",
                       data->name, data->directed ? "directed" : "undirected",
                       model->directed ? "directed" : "undirected");
    PASS(check_labels(ctx, data->name, "vertex", data->columns.vertex_labels, model->vertex_labels));
    if (data->arcs || model->apex) /* apex vertices have edges, with as many labels as the data has columns */
        PASS(check_labels(ctx, data->name, "edge", data->columns.edge_labels, model->edge_labels));
    for (size_t i = 0; i < model->kernels; i++)
        if (model->kernel[i].weighted && !data->columns.edge_attributes)
            return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found no edge attributes, expected the lengths of edges",
                           data->name);
    return LEMAN_OK;
}

leman_status lm_model_view(leman_context *ctx, const leman_model *model, const leman_dataset *data, leman_dataset **own)
{
    leman_status st = LEMAN_OK;
    leman_dataset *bare = NULL;
    TRY(check_data(ctx, model, data));
    if (model->apex) {
        leman_columns keep = data->columns;
        keep.vertex_labels = model->vertex_labels; /* the mark is a label: unused labels have to be removed */
        TRY(leman_dataset_keep(ctx, data, &keep, &bare));
        TRY(leman_dataset_apex(ctx, bare, own));
    }
done:
    leman_dataset_free(bare);
    return st;
}
