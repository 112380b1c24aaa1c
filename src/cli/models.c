/* Models as text and JSON, and scores of predictions. */
#include "cli/models.h"
#include "base/text.h"
#include "cli/options/protocol.h"
#include <math.h>
#include <string.h>
#include <sys/stat.h>

static void data_json(lm_json *json, json_t *parent, const leman_model_shape *shape)
{
    json_t *object = lm_json_object(json, parent, "data");
    LM_PUT(json, object, KEY("name", shape->data_name), KEY("graphs", shape->data_graphs),
           KEY_HEX("checksum", shape->data_checksum), MEMBER(shape, directed),
           KEY("vertex_label_columns", shape->vertex_labels), KEY("edge_label_columns", shape->edge_labels));
}

void lm_reading_json(lm_json *json, json_t *parent, uint64_t reading)
{
    char text[256];
    leman_reading_text(reading, text, sizeof text);
    LM_PUT(json, parent, KEY_IF(reading != 0, "reading", (const char *)text),
           KEY("reading_assumed", (reading & LEMAN_READING_ASSUMED) != 0));
}

void lm_model_json(lm_json *json, json_t *parent, const leman_model_shape *shape)
{
    json_t *object = lm_json_object(json, parent, "model");
    LM_PUT(json, object, KEY("machine", leman_svm_name(shape->svm)));
    json_t *kernels = lm_json_array(json, object, "kernels");
    for (size_t i = 0; i < shape->kernels; i++) lm_kernel_json(json, kernels, shape->kernel[i]);
    LM_PUT(json, object, MEMBER(shape, rounds), MEMBER(shape, C), MEMBER(shape, regression),
           KEY("selected_by", leman_score_name(shape->selected_by)), KEY("cv_score", shape->score),
           KEY_IF(shape->selected_by == LEMAN_SCORE_ACCURACY, "cv_accuracy", shape->score),
           KEY_IF(shape->selected_by == LEMAN_SCORE_MAE, "cv_error", shape->score),
           KEY_IF(shape->regression, "target", shape->target));
    LM_PUT_EACH(json, object, "classes", shape->classes, shape->class_label[i]);
    LM_PUT_EACH(json, object, "class_names", shape->class_name ? shape->classes : 0, shape->class_name[i]);
    LM_PUT(json, object, MEMBER(shape, target_name), MEMBER(shape, folds), MEMBER(shape, seed), MEMBER(shape, apex),
           MEMBER(shape, features), MEMBER(shape, supports));
    lm_reading_json(json, object, shape->reading);
    data_json(json, object, shape);
}

void lm_gp_json(lm_json *json, json_t *parent, const leman_gp_shape *gp)
{
    const leman_model_shape *shape = gp->model;
    json_t *object = lm_json_object(json, parent, "model");
    LM_PUT(json, object, KEY("machine", "gaussian process"));
    json_t *kernels = lm_json_array(json, object, "kernels");
    for (size_t i = 0; i < shape->kernels; i++) lm_kernel_json(json, kernels, shape->kernel[i]);
    LM_PUT(json, object, MEMBER(shape, rounds));
    json_t *weights = lm_json_array(json, object, "weights");
    for (size_t b = 0; b < gp->blocks; b++)
        LM_PUT(json, lm_json_object(json, weights, NULL), KEY("kernel", gp->block_kernel[b]),
               KEY_IF(leman_kernel_has_rounds(shape->kernel[gp->block_kernel[b]]), "round", gp->block_round[b]),
               KEY("weight", gp->weight[b]));
    LM_PUT(json, object, MEMBER(gp, noise), MEMBER(gp, mean), MEMBER(gp, log_likelihood), KEY("loo_rmse", shape->score),
           MEMBER(shape, regression), MEMBER(shape, target), MEMBER(shape, target_name), MEMBER(shape, seed),
           MEMBER(shape, features), KEY("training_graphs", shape->supports));
    lm_reading_json(json, object, shape->reading);
    data_json(json, object, shape);
}

void lm_file_json(lm_json *json, json_t *parent, const char *key, const char *path)
{
    struct stat file;
    const bool there = strcmp(path, "-") && !stat(path, &file);
    LM_PUT(json, parent, KEY(key, path), KEY_IF(there, "bytes", (uint64_t)file.st_size));
}

bool lm_model_has_rounds(const leman_model_shape *shape)
{
    for (size_t i = 0; i < shape->kernels; i++)
        if (leman_kernel_has_rounds(shape->kernel[i])) return true;
    return false;
}

const char *lm_model_text(const leman_model_shape *shape, char *text, size_t size)
{
    const char *rounds =
        lm_model_has_rounds(shape) ? FORMAT("%u round%s, ", shape->rounds, lm_plural(shape->rounds)) : "";
    const char *learned =
        shape->regression
            ? shape->target_name ? FORMAT("target '%s'", shape->target_name) : FORMAT("target %zu", shape->target)
            : FORMAT("%zu class%s", shape->classes, lm_plural_of(shape->classes, "", "es"));
    lm_snprintf(text, size, "a %s SVM, %sC = %g, for %s", leman_svm_name(shape->svm), rounds, shape->C, learned);
    return text;
}

leman_status lm_judge(leman_context *ctx, const leman_dataset *data, const uint32_t *graph, size_t graphs,
                      const size_t *target, size_t targets, const double *unit, lm_judgement *j)
{
    size_t known = 0;
    j->low = j->high = NAN;
    j->baseline = 0;
    if (!target) {
        for (size_t i = 0; i < graphs; i++) known += leman_dataset_classes(data)[graph[i]] != LEMAN_CLASS_MISSING;
        PASS(leman_baseline(ctx, data, graph, graphs, LEMAN_NO_TARGET, &j->baseline));
        return leman_wilson_interval(ctx, (uint64_t)llround(j->score / 100 * (double)known), known, &j->low, &j->high);
    }
    for (size_t t = 0; t < targets; t++) {
        double error;
        PASS(leman_baseline(ctx, data, graph, graphs, target[t], &error));
        if (isnan(error)) continue;
        j->baseline += unit ? error / unit[t] : error;
        known++;
    }
    if (known) j->baseline /= (double)known;
    return LEMAN_OK;
}

leman_status lm_judge_all(leman_context *ctx, const leman_dataset *data, const size_t *target, size_t targets,
                          lm_judgement *j)
{
    const size_t graphs = leman_dataset_shape(data)->graphs;
    uint32_t *all;
    j->baseline = j->low = j->high = NAN;
    if (isnan(j->score)) return LEMAN_OK;
    PASS_SCRATCH(ctx, all, graphs);
    for (size_t g = 0; g < graphs; g++) all[g] = (uint32_t)g;
    return lm_judge(ctx, data, all, graphs, target, targets, NULL, j);
}

void lm_judgement_json(lm_json *json, json_t *object, bool classes, const lm_judgement *j)
{
    LM_PUT(json, object, KEY(classes ? "accuracy" : "error", j->score),
           KEY(classes ? "accuracy_low" : "error_low", j->low), KEY(classes ? "accuracy_high" : "error_high", j->high),
           MEMBER(j, baseline), KEY("baseline_kind", classes ? "majority class" : "median"));
}

void lm_judgement_log(lm_work *work, const char *counted, bool classes, const lm_judgement *j)
{
    if (isnan(j->score)) return;
    const char *interval = INTERVAL_TEXT(classes, j->low, j->high);
    lm_work_log(work, "%s; %s %s%s by the %s in the data%s%s; %s", counted,
                classes ? "accuracy" : "mean absolute error", SCORE_TEXT(j->score, classes ? 1 : LM_SIGNIFICANT),
                classes ? " %" : "", classes ? "classes" : "targets", *interval ? ", " : "", interval,
                BASELINE_TEXT(classes, j->score, j->baseline, j->low, j->high));
}
