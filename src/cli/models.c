/* Models as text and JSON, and scores of predictions. */
#include "cli/models.h"
#include "base/text.h"
#include "cli/options/protocol.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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
    lm_json_text(json, object, "selected_by", leman_score_name(shape->selected_by));
    lm_json_real(json, object, "cv_score", shape->score);
    if (shape->selected_by == LEMAN_SCORE_ACCURACY)
        lm_json_real(json, object, "cv_accuracy", shape->score);
    else
        lm_json_null(json, object, "cv_accuracy");
    if (shape->selected_by == LEMAN_SCORE_MAE)
        lm_json_real(json, object, "cv_error", shape->score);
    else
        lm_json_null(json, object, "cv_error");
    if (shape->regression)
        lm_json_count(json, object, "target", shape->target);
    else
        lm_json_null(json, object, "target");
    json_t *classes = lm_json_array(json, object, "classes");
    for (size_t c = 0; c < shape->classes; c++) lm_json_integer(json, classes, NULL, shape->class_label[c]);
    json_t *names = lm_json_array(json, object, "class_names");
    for (size_t c = 0; shape->class_name && c < shape->classes; c++)
        lm_json_text(json, names, NULL, shape->class_name[c]);
    lm_json_text(json, object, "target_name", shape->target_name);
    lm_json_count(json, object, "folds", shape->folds);
    lm_json_count(json, object, "seed", shape->seed);
    lm_json_bool(json, object, "apex", shape->apex);
    lm_json_count(json, object, "features", shape->features);
    lm_json_count(json, object, "supports", shape->supports);
    data_json(json, object, shape);
}

void lm_model_file_json(lm_json *json, json_t *parent, const char *path)
{
    struct stat file;
    lm_json_text(json, parent, "output", path);
    if (strcmp(path, "-") && !stat(path, &file))
        lm_json_count(json, parent, "bytes", (uint64_t)file.st_size);
    else
        lm_json_null(json, parent, "bytes");
}

const char *lm_model_text(const leman_model_shape *shape, char *text, size_t size)
{
    char rounds[40] = "";
    bool colors = false;
    for (size_t i = 0; i < shape->kernels; i++) colors |= shape->kernel[i]->kind == LEMAN_KERNEL_KIND_COLORS;
    if (colors) snprintf(rounds, sizeof rounds, "%u round%s, ", shape->rounds, lm_plural(shape->rounds));
    lm_snprintf(text, size, "a %s SVM, %sC = %g, for ", leman_svm_name(shape->svm), rounds, shape->C);
    size_t used = strlen(text);
    if (shape->regression)
        snprintf(text + used, size - used, "target %zu", shape->target);
    else
        snprintf(text + used, size - used, "%zu class%s", shape->classes, lm_plural_of(shape->classes, "", "es"));
    return text;
}

size_t lm_known_classes(const leman_dataset *data, const uint32_t *graph, size_t count)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++) known += leman_dataset_classes(data)[graph[i]] != LEMAN_CLASS_MISSING;
    return known;
}

leman_status lm_judge(leman_context *ctx, const leman_dataset *data, const size_t *target, size_t count,
                      lm_judgement *j)
{
    leman_status st = LEMAN_OK;
    const size_t graphs = leman_dataset_shape(data)->graphs;
    uint32_t *all = NULL;
    size_t known = 0;
    j->baseline = j->low = j->high = NAN;
    if (isnan(j->score)) goto done;
    NEW(ctx, all, graphs);
    for (size_t g = 0; g < graphs; g++) all[g] = (uint32_t)g;
    if (!target) {
        TRY(leman_baseline(ctx, data, all, graphs, LEMAN_NO_TARGET, &j->baseline));
        known = lm_known_classes(data, all, graphs);
        TRY(leman_wilson_interval(ctx, (uint64_t)llround(j->score / 100 * (double)known), known, &j->low, &j->high));
        goto done;
    }
    j->baseline = 0;
    for (size_t t = 0; t < count; t++) {
        double error;
        TRY(leman_baseline(ctx, data, all, graphs, target[t], &error));
        if (isnan(error)) continue;
        j->baseline += error;
        known++;
    }
    j->baseline /= (double)known; /* known > 0, since there is a score */
done:
    lm_free(ctx, all);
    return st;
}

void lm_judgement_json(lm_json *json, json_t *object, bool classes, const lm_judgement *j)
{
    lm_json_real(json, object, classes ? "accuracy" : "error", j->score);
    lm_json_real(json, object, classes ? "accuracy_low" : "error_low", j->low);
    lm_json_real(json, object, classes ? "accuracy_high" : "error_high", j->high);
    lm_json_real(json, object, "baseline", j->baseline);
    lm_json_text(json, object, "baseline_kind", classes ? "majority class" : "median");
}

void lm_judgement_log(lm_work *work, size_t graphs, bool classes, const lm_judgement *j)
{
    char count[LM_NUMBER_TEXT], score[LM_NUMBER_TEXT], interval[LM_BASELINE_TEXT], baseline[LM_BASELINE_TEXT];
    if (isnan(j->score)) return;
    lm_interval_text(classes, j->low, j->high, interval);
    lm_work_log(work, "%s graph%s; %s %s%s by the %s in the data%s%s; %s", lm_count_text(graphs, count),
                lm_plural(graphs), classes ? "accuracy" : "mean absolute error",
                lm_score_text(j->score, classes ? 1 : LM_SIGNIFICANT, score), classes ? " %" : "",
                classes ? "classes" : "targets", *interval ? ", " : "", interval,
                lm_baseline_text(classes, j->score, j->baseline, j->low, j->high, baseline));
}
