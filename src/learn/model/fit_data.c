/* What fits of support vector machines and of Gaussian processes take from their data: the graphs that have a class or
 * target, the kernels that fit the labels, and what a file records about the data. */
#include "graph/dataset.h"
#include "kernel/kernel.h"
#include "kernel/required_inputs.h"
#include "learn/model/fit.h"
#include "learn/protocol/classes.h"
#include <math.h>
#include <string.h>

leman_status lm_model_set_data(leman_context *ctx, leman_model *model, const leman_dataset *data)
{
    size_t length = strlen(data->name) + 1;
    PASS_NEW(ctx, model->data_name, length);
    memcpy(model->data_name, data->name, length);
    model->shape.data_graphs = data->graphs;
    model->shape.data_checksum = leman_dataset_checksum(data);
    model->shape.directed = data->directed;
    model->shape.reading = data->reading;
    model->shape.seed = ctx->settings.seed;
    return LEMAN_OK;
}

leman_status lm_model_set_kernels(leman_context *ctx, leman_model *model, const leman_dataset *data,
                                  const leman_kernel *kernels, size_t count, uint32_t rounds, bool apex)
{
    PASS_NEW(ctx, model->kernel, count);
    model->shape.kernels = count;
    for (size_t i = 0; i < count; i++) {
        leman_kernel *kernel = model->kernel + i;
        *kernel = kernels[i];
        if (!kernel->fixed_rounds) kernel->coloring.rounds = rounds;
        PASS(lm_kernel_check(ctx, kernel, kernel));
        if (lm_kernel_is_of_pairs(kernel)) return lm_pairs_refuse(ctx, kernel, "model that predicts");
        PASS(lm_projections_refuse(ctx, kernel));
        if (apex && kernel->coloring.ignore_vertex_labels != kernels[0].coloring.ignore_vertex_labels)
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "with an apex, either all kernels look at vertex labels or none");
    }
    lm_required_inputs required = lm_kernels_required_inputs(model->kernel, count, data);
    model->shape.vertex_labels = required.vertex_labels;
    model->shape.edge_labels = required.edge_labels;
    for (size_t i = 0; i < count; i++) {
        leman_kernel *c = model->kernel + i;
        c->coloring.ignore_vertex_labels = !apex && (c->coloring.ignore_vertex_labels || !model->shape.vertex_labels);
        c->coloring.ignore_edge_labels = c->coloring.ignore_edge_labels || !model->shape.edge_labels;
    }
    return LEMAN_OK;
}

leman_status lm_known_graphs(leman_context *ctx, const leman_dataset *data, size_t target, size_t **graph,
                             leman_dataset **known)
{
    size_t columns = data->columns.targets, count = 0, *list;
    bool regression = target != LEMAN_NO_TARGET;
    const char *what = regression ? "target" : "class";
    if (regression ? target >= columns : !data->class_label) return LEMAN_OK; /* reported by a later check */
    PASS_SCRATCH(ctx, list, data->graphs);
    for (size_t g = 0; g < data->graphs; g++)
        if (regression ? !isnan(data->target[g * columns + target]) : data->class_label[g] != LEMAN_CLASS_MISSING)
            list[count++] = g;
    if (count == data->graphs) return LEMAN_OK;
    if (count < 2)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %zu graph%s with a %s, expected at least two", data->name,
                       count, lm_plural(count), what);
    lm_log_missing(ctx, data, data->graphs - count, what);
    PASS(leman_dataset_select(ctx, data, count, list, known));
    *graph = list;
    return LEMAN_OK;
}
