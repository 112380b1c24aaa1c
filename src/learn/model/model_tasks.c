/*
 * Models of several tasks: one model for each given column of targets, of its two classes or its values, and all models in
 * one file. The file contains the bodies of the single models' files (learn/model/model_file.c), one after the other;
 * docs/models.md has the table.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "base/serialize.h"
#include "graph/dataset.h"
#include "learn/model/fit.h"
#include "learn/model/model.h"
#include "learn/protocol/scores.h"
#include <stdio.h>
#include <string.h>

enum { MAX_TASKS = 1 << 20, TASK_NAME = 1024 };

static const char MAGIC[8] = LM_TASK_MODELS_MAGIC, WHAT[] = "models of leman fit for several tasks";

/* ---- Fitting --------------------------------------------------------------------------------- */

/* Fits the model of one task; given->censoring has the bounds of this task. */
static leman_status fit_task(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                             const leman_fit_options *given, size_t column, lm_shared_features *shared,
                             leman_model **out)
{
    AUTO(leman_dataset_drop) leman_dataset *labelled = NULL;
    leman_fit_options options = *given;
    size_t length;
    char number[24], name[TASK_NAME], reason[LM_SENTENCE];
    const char *named = leman_dataset_target_name(data, column, &length);
    snprintf(number, sizeof number, "%zu", column);
    if (length >= sizeof name)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found a name of %zu bytes for target %zu, expected at most %zu",
                       data->name, length, column, sizeof name - 1);
    snprintf(name, sizeof name, "%.*s", length ? (int)length : (int)strlen(number), length ? named : number);
    options.target_name = name;
    if (given->regression)
        options.target = column;
    else
        PASS(leman_dataset_use_class(ctx, data, column, &labelled));
    const leman_status st = lm_model_fit(ctx, labelled ? labelled : data, kernels, count, &options, shared, out);
    memcpy(reason, ctx->message, sizeof reason);
    if (st) return lm_fail(ctx, st, "task %s: %s", name, reason);
    if (given->regression || (*out)->shape.classes == 2) return LEMAN_OK;
    return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %zu class%s in target %s, expected two in each of several tasks",
                   data->name, (*out)->shape.classes, lm_plural_of((*out)->shape.classes, "", "es"), name);
}

leman_status leman_model_fit_tasks(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                   size_t count, const leman_fit_options *given, const size_t *columns, size_t tasks,
                                   leman_model **out)
{
    leman_status st = LEMAN_OK;
    leman_fit_options options = leman_fit_options_default();
    leman_model **made;
    AUTO(lm_shared_features_free) lm_shared_features shared = {0};
    REQUIRE(ctx, data, columns, out);
    SCRATCH_SCOPE(ctx);
    if (!tasks) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "tasks: found 0, expected at least one");
    PASS(lm_options_copy(ctx, "leman_fit_options", given, &options, sizeof options));
    if (options.target != LEMAN_NO_TARGET)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found several tasks and a target, expected one of them");
    PASS_SCRATCH_ZERO(ctx, made, tasks);
    for (size_t t = 0; t < tasks && !st; t++) {
        st = fit_task(ctx, data, kernels, count, &options, columns[t], &shared, made + t);
        if (options.censoring) options.censoring += data->graphs;
    }
    if (!st) memcpy(out, made, tasks * sizeof *made);
    for (size_t t = 0; st && t < tasks; t++) leman_model_free(made[t]);
    return st;
}

/* ---- The file -------------------------------------------------------------------------------- */

/* Returns true if a model may be one of several: each has a name, and all predict two classes, or all a target. */
static bool is_task(const leman_model *model, bool regression)
{
    if (!model->target_name || model->shape.regression != regression) return false;
    return regression || model->shape.classes == 2;
}

leman_status leman_models_write(leman_context *ctx, leman_model *const *models, size_t count, const char *path)
{
    AUTO(lm_serializer_close) lm_serializer serializer = {0};
    REQUIRE(ctx, models, path);
    if (!count || count > MAX_TASKS)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "count: found %zu models, expected 1 to %d", count, MAX_TASKS);
    for (size_t i = 0; i < count; i++)
        if (!models[i] || !is_task(models[i], models[0]->shape.regression))
            return lm_fail(ctx, LEMAN_ERROR_ARGUMENT,
                           "models: expected models of two classes, or of targets, each with the name of its task");
    PASS(lm_serializer_begin(&serializer, ctx, path));
    PASS(lm_serialize_size(&serializer, &count, MAX_TASKS));
    for (size_t i = 0; i < count; i++) PASS(lm_model_save(&serializer, models[i]));
    return lm_serializer_save(&serializer, MAGIC, LM_MODEL_VERSION);
}

void leman_models_free(leman_model **models, size_t count)
{
    if (!models || !count) return;
    for (size_t i = 0; i < count; i++) leman_model_free(models[i]);
    lm_release(models);
}

static leman_status read_models(lm_serializer *serializer, leman_model ***out, size_t *count)
{
    leman_status st = LEMAN_OK;
    leman_model **models = NULL;
    size_t tasks = 0;
    TRY(lm_serialize_size(serializer, &tasks, MAX_TASKS));
    if (!tasks) TRY(lm_serializer_fail(serializer, "found no task, expected at least one"));
    NEW_ZERO(serializer->ctx, models, tasks);
    for (size_t i = 0; i < tasks; i++) {
        TRY(lm_model_load(serializer, false, models + i));
        if (!is_task(models[i], models[0]->shape.regression))
            TRY(lm_serializer_fail(serializer, "found a task without a name, or not of two classes or a target"));
    }
    TRY(lm_serializer_end(serializer));
    *out = models;
    *count = tasks;
done:
    if (st) leman_models_free(models, tasks);
    return st;
}

leman_status lm_models_parse(leman_context *ctx, const char *path, lm_bytes bytes, leman_model ***out, size_t *count)
{
    lm_serializer serializer = {0};
    leman_status st = bytes.data ? lm_serializer_parse(&serializer, ctx, path, bytes, MAGIC, LM_MODEL_VERSION, WHAT)
                                 : lm_serializer_open(&serializer, ctx, path, MAGIC, LM_MODEL_VERSION, WHAT);
    if (!st) st = read_models(&serializer, out, count);
    return lm_serializer_finish(&serializer, st);
}

leman_status leman_models_read(leman_context *ctx, const char *path, leman_model ***out, size_t *count)
{
    REQUIRE(ctx, path, out, count);
    return lm_models_parse(ctx, path, (lm_bytes){0}, out, count);
}

/* ---- Scores ---------------------------------------------------------------------------------- */

leman_status leman_auc(leman_context *ctx, const double *score, const bool *positive, size_t count, double *auc)
{
    REQUIRE(ctx, score, positive, auc);
    if (!count) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "count: found 0, expected at least one");
    return lm_binary_auc(ctx, positive, score, count, auc);
}
