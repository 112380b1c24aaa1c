/* Models in words and in JSON. */
#include "cli/models.h"
#include "cli/options/protocol.h"
#include <stdio.h>
#include <string.h>

static void data_json(lm_json *json, json_t *parent, const leman_model_shape *shape)
{
    json_t *object = lm_json_object(json, parent, "data");
    lm_json_text(json, object, "name", shape->data_name);
    lm_json_count(json, object, "graphs", shape->data_graphs);
    lm_json_hex(json, object, "checksum", shape->data_checksum);
    lm_json_bool(json, object, "directed", shape->directed);
    lm_json_count(json, object, "vertex_label_columns", shape->vertex_labels);
    lm_json_count(json, object, "edge_label_columns", shape->edge_labels);
}

void lm_model_json(lm_json *json, json_t *parent, const leman_model_shape *shape)
{
    json_t *object = lm_json_object(json, parent, "model");
    lm_json_text(json, object, "machine", leman_svm_name(shape->svm));
    json_t *kernels = lm_json_array(json, object, "kernels");
    for (size_t i = 0; i < shape->kernels; i++) lm_kernel_json(json, kernels, shape->kernel[i]);
    lm_json_count(json, object, "rounds", shape->rounds);
    lm_json_real(json, object, "C", shape->C);
    lm_json_bool(json, object, "regression", shape->regression);
    if (shape->regression) {
        lm_json_null(json, object, "cv_accuracy");
        lm_json_real(json, object, "cv_error", shape->score);
        lm_json_count(json, object, "target", shape->target);
    } else {
        lm_json_real(json, object, "cv_accuracy", shape->score);
        lm_json_null(json, object, "cv_error");
        lm_json_null(json, object, "target");
    }
    json_t *classes = lm_json_array(json, object, "classes");
    for (size_t c = 0; c < shape->classes; c++) lm_json_integer(json, classes, NULL, shape->class_label[c]);
    lm_json_count(json, object, "folds", shape->folds);
    lm_json_count(json, object, "seed", shape->seed);
    lm_json_bool(json, object, "apex", shape->apex);
    lm_json_count(json, object, "features", shape->features);
    lm_json_count(json, object, "supports", shape->supports);
    data_json(json, object, shape);
}

const char *lm_model_text(const leman_model_shape *shape, char *text, size_t size)
{
    char rounds[40] = "";
    bool colors = false;
    for (size_t i = 0; i < shape->kernels; i++) colors |= shape->kernel[i]->kind == LEMAN_KERNEL_KIND_COLORS;
    if (colors) snprintf(rounds, sizeof rounds, "%u round%s, ", shape->rounds, lm_plural(shape->rounds));
    snprintf(text, size, "a %s SVM, %sC = %g, for ", leman_svm_name(shape->svm), rounds, shape->C);
    size_t used = strlen(text);
    if (shape->regression)
        snprintf(text + used, size - used, "target %zu", shape->target);
    else
        snprintf(text + used, size - used, "%zu class%s", shape->classes, lm_plural_of(shape->classes, "", "es"));
    return text;
}
