/* Models of several tasks: fitted one by one, written to one file, and their predictions in one table. */
#include "cli/task_models.h"
#include "cli/models.h"
#include "cli/predictions.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Fitting --------------------------------------------------------------------------------- */

static void report(lm_work *work, leman_model *const *models, size_t count, double seconds)
{
    const char *path = work->options->output;
    lm_json *json = &work->json;
    char text[160];
    lm_file_json(json, json->object, "output", path);
    json_t *list = lm_json_array(json, json->object, "tasks");
    for (size_t t = 0; t < count; t++) {
        const leman_model_shape *shape = leman_model_describe(models[t]);
        json_t *task = lm_json_object(json, list, NULL);
        LM_PUT(json, task, KEY("name", shape->target_name));
        lm_model_json(json, task, shape);
        if (!work->options->json)
            lm_work_log(work, "%s: task %s: %s; cross-validated %s %s %%", path, shape->target_name,
                        lm_model_text(shape, text, sizeof text), leman_score_name(shape->selected_by),
                        SCORE_TEXT(shape->score, 1));
    }
    LM_PUT(json, json->object, KEY("seconds", seconds));
}

leman_status lm_tasks_fit(lm_work *work, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                          const leman_fit_options *fit)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = work->ctx;
    size_t *column = NULL, tasks = 0;
    leman_model **models = NULL;
    double began = lm_now();
    SCRATCH(ctx, column, leman_dataset_shape(data)->columns->targets);
    TRY(leman_dataset_target_list(ctx, data, work->options->class_column, column, &tasks));
    SCRATCH(ctx, models, tasks);
    memset(models, 0, tasks * sizeof *models);
    TRY(leman_model_fit_tasks(ctx, data, kernels, count, fit, column, tasks, models));
    TRY(leman_models_write(ctx, models, tasks, work->options->output));
    report(work, models, tasks, lm_now() - began);
done:
    for (size_t t = 0; models && t < tasks; t++) leman_model_free(models[t]);
    return st;
}

/* ---- Predicting ------------------------------------------------------------------------------ */

typedef struct tasks {
    leman_model **model; /* [count] */
    size_t count;
    const char **name;                       /* [count] */
    double *auc;                             /* [count] NAN if DATA lacks the column or has only one class of it */
    double *probability;                     /* [graphs][count] */
    double *one, *share, *out_of_vocabulary; /* [graphs][2], [graphs], [graphs] */
} tasks;

/* Returns the column of the data with this name; a column without a name is found by its number. SIZE_MAX: none. */
static size_t column_of(const leman_dataset *data, const char *name)
{
    for (size_t c = 0; c < leman_dataset_shape(data)->columns->targets; c++) {
        size_t length;
        char number[24];
        const char *found = leman_dataset_target_name(data, c, &length);
        snprintf(number, sizeof number, "%zu", c);
        if (length ? strlen(name) == length && !memcmp(found, name, length) : !strcmp(name, number)) return c;
    }
    return SIZE_MAX;
}

leman_status lm_task_auc(leman_context *ctx, const leman_dataset *data, const char *name, int64_t positive_label,
                         const double *probability, size_t width, size_t task, double *auc)
{
    leman_status st = LEMAN_OK;
    const size_t graphs = leman_dataset_shape(data)->graphs, columns = leman_dataset_shape(data)->columns->targets,
                 column = column_of(data, name);
    size_t count = 0;
    double *score = NULL;
    bool *positive = NULL;
    *auc = NAN;
    if (column == SIZE_MAX) goto done;
    SCRATCH(ctx, score, graphs);
    SCRATCH(ctx, positive, graphs);
    for (size_t g = 0; g < graphs; g++) {
        const double value = leman_dataset_targets(data)[g * columns + column];
        if (isnan(value)) continue;
        score[count] = probability[g * width + task];
        positive[count++] = value == (double)positive_label;
    }
    if (count) TRY(leman_auc(ctx, score, positive, count, auc));
done:
    return st;
}

void lm_task_auc_log(lm_work *work, const char *const *name, const double *auc, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isnan(auc[i]))
            lm_work_log(work, "task %s: AUC %s %% by the targets in the data", name[i], SCORE_TEXT(auc[i], 1));
}

static void describe(lm_json *json, json_t *parent, const void *shape)
{
    const tasks *t = shape;
    json_t *list = lm_json_array(json, parent, "tasks");
    for (size_t i = 0; i < t->count; i++) {
        json_t *task = lm_json_object(json, list, NULL);
        LM_PUT(json, task, KEY("name", t->name[i]), KEY("auc", t->auc[i]));
        lm_model_json(json, task, leman_model_describe(t->model[i]));
    }
}

/* Predicts with every model. The out-of-vocabulary share of a graph is its largest over all tasks. */
static leman_status predict_all(leman_context *ctx, const leman_dataset *data, const tasks *t)
{
    leman_status st = LEMAN_OK;
    const size_t graphs = leman_dataset_shape(data)->graphs;
    for (size_t g = 0; g < graphs; g++) t->out_of_vocabulary[g] = 0;
    for (size_t i = 0; i < t->count; i++) {
        t->name[i] = leman_model_describe(t->model[i])->target_name;
        TRY(leman_model_predict(ctx, t->model[i], data, NULL, NULL, t->one, t->share));
        for (size_t g = 0; g < graphs; g++) {
            t->probability[g * t->count + i] = t->one[2 * g + 1];
            t->out_of_vocabulary[g] = fmax(t->out_of_vocabulary[g], t->share[g]);
        }
        TRY(lm_task_auc(ctx, data, t->name[i], leman_model_describe(t->model[i])->class_label[1], t->probability,
                        t->count, i, t->auc + i));
    }
done:
    return st;
}

leman_status lm_tasks_named(const lm_work *work)
{
    if (!work->options->class_column) return LEMAN_OK;
    return lm_fail(work->ctx, LEMAN_ERROR_ARGUMENT,
                   "option '--class' has no effect here: the model has the names of its tasks");
}

leman_status lm_tasks_predict(lm_work *work, const char *path, const lm_explain_options *explain)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = work->ctx;
    leman_dataset *data = NULL;
    tasks t = {0};
    size_t cells;
    TRY(lm_tasks_named(work));
    TRY(leman_models_read(ctx, path, &t.model, &t.count));
    TRY(lm_predict_read(work, leman_model_describe(t.model[0])->directed, &data));
    const size_t graphs = leman_dataset_shape(data)->graphs;
    if (!lm_multiply(graphs, t.count, &cells)) cells = SIZE_MAX;
    SCRATCH(ctx, t.name, t.count);
    SCRATCH(ctx, t.auc, t.count);
    SCRATCH(ctx, t.probability, cells);
    SCRATCH(ctx, t.one, 2 * graphs);
    SCRATCH(ctx, t.share, graphs);
    SCRATCH(ctx, t.out_of_vocabulary, graphs);
    TRY(predict_all(ctx, data, &t));
    const lm_predictions p = {.data = data,
                              .graphs = graphs,
                              .task = t.name,
                              .outputs = t.count,
                              .output = t.probability,
                              .out_of_vocabulary = t.out_of_vocabulary,
                              .shape = &t,
                              .describe = describe};
    TRY(lm_predictions_write(work, &p));
    if (!work->options->json) lm_task_auc_log(work, t.name, t.auc, t.count);
    TRY(lm_explanations_write(work, explain, &(lm_predictor){.model = t.model, .models = t.count}, data));
done:
    leman_dataset_free(data);
    leman_models_free(t.model, t.count);
    return st;
}
