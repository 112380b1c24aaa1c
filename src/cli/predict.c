/* leman predict: predictions of a model of leman fit, or of a network of leman train, for new graphs. */
#include "cli/commands.h"
#include "cli/explain/explanations.h"
#include "cli/models.h"
#include "cli/options/choices.h"
#include "cli/options/matrix.h"
#include "cli/predictions.h"
#include "cli/task_models.h"
#include "cli/train/train.h"
#include <string.h>

typedef struct predict_options {
    lm_common common;
    const char *model;
    lm_explain_options explain;
} predict_options;

static const lm_option ROWS[] = {
    {.name = "model",
     .kind = LM_TEXT,
     .field = offsetof(predict_options, model),
     .value = "FILE",
     .help = "the model, from leman fit, or the checkpoint, from leman train"},
    LM_DEVICE_ROW,
    LM_FILE_ROW("write the predictions to FILE.csv, FILE.tsv or FILE.json instead of CSV to standard output",
                LM_PREDICTION_ENDINGS, false),
    LM_EXPLAIN_ROWS(offsetof(predict_options, explain)),
    {0},
};

/* ---- Models ---------------------------------------------------------------------------------- */

leman_status lm_predict_read(lm_work *work, bool directed, leman_dataset **data)
{
    const lm_common *options = work->options;
    lm_common reading = *options;
    reading.directed = directed;
    work->options = &reading;
    leman_status st = lm_work_read(work, options->operand[0], NULL, data);
    work->options = options;
    return st;
}

static void describe_svm(lm_json *json, json_t *parent, const void *shape)
{
    lm_model_json(json, parent, shape);
}

static leman_status predict_by_svm(lm_work *work, const char *path, const lm_explain_options *explain)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = work->ctx;
    leman_model *model = NULL;
    leman_dataset *read = NULL;
    leman_feature_matrix *matrix = NULL;
    int64_t *label = NULL;
    double *score = NULL, *probability = NULL, *out_of_vocabulary = NULL;
    size_t cells;
    TRY(leman_model_read(ctx, path, &model));
    const leman_model_shape *shape = leman_model_describe(model);
    if (lm_matrix_given(work->options))
        TRY(lm_matrix_read(work, &matrix));
    else
        TRY(lm_predict_read(work, shape->directed, &read));
    const leman_dataset *data = matrix ? leman_feature_matrix_labels(matrix) : read;
    const size_t graphs = leman_dataset_shape(data)->graphs;
    if (!lm_multiply(graphs, shape->classes, &cells)) cells = SIZE_MAX;
    NEW(ctx, label, graphs);
    NEW(ctx, score, graphs);
    NEW(ctx, out_of_vocabulary, graphs);
    NEW(ctx, probability, cells);
    TRY(matrix ? leman_model_predict_matrix(ctx, model, matrix, label, score, probability, out_of_vocabulary)
               : leman_model_predict(ctx, model, data, label, score, probability, out_of_vocabulary));
    lm_predictions p = {.data = data,
                        .graphs = graphs,
                        .target = &shape->target,
                        .single = shape->regression,
                        .outputs = shape->regression ? 1 : shape->classes,
                        .output = shape->regression ? score : probability,
                        .out_of_vocabulary = out_of_vocabulary,
                        .shape = shape,
                        .describe = describe_svm};
    if (!shape->regression) {
        p.label = label;
        p.class_label = shape->class_label;
        p.class_name = shape->class_name;
        p.score = score;
    }
    TRY(lm_predictions_write(work, &p));
    if (!matrix) TRY(lm_explanations_write(work, explain, &(lm_predictor){.model = &model, .models = 1}, data));
done:
    lm_free(ctx, label);
    lm_free(ctx, score);
    lm_free(ctx, probability);
    lm_free(ctx, out_of_vocabulary);
    leman_dataset_free(read);
    leman_feature_matrix_free(matrix);
    leman_model_free(model);
    return st;
}

/* ---- Networks -------------------------------------------------------------------------------- */

static size_t largest(const double *output, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (output[i] > output[best]) best = i;
    return best;
}

/* A network, and the AUC of its tasks. */
typedef struct described {
    const leman_network_shape *shape;
    double *auc; /* [outputs] of each task */
} described;

static void describe_network(lm_json *json, json_t *parent, const void *of)
{
    const described *network = of;
    lm_network_json(json, lm_json_object(json, parent, "model"), network->shape);
    if (!network->shape->task_name) return;
    json_t *list = lm_json_array(json, parent, "tasks");
    for (size_t t = 0; t < network->shape->outputs; t++) {
        json_t *task = lm_json_object(json, list, NULL);
        lm_json_text(json, task, "name", network->shape->task_name[t]);
        lm_json_real(json, task, "auc", network->auc[t]);
    }
}

/* Computes the most likely class of each graph, or the AUC of each task. */
static leman_status judge_network(leman_context *ctx, const leman_dataset *data, const described *network,
                                  const double *output, int64_t *label)
{
    leman_status st = LEMAN_OK;
    const leman_network_shape *shape = network->shape;
    for (size_t g = 0; shape->class_label && g < leman_dataset_shape(data)->graphs; g++)
        label[g] = shape->class_label[largest(output + g * shape->outputs, shape->outputs)];
    for (size_t t = 0; shape->task_name && t < shape->outputs; t++)
        TRY(lm_task_auc(ctx, data, shape->task_name[t], shape->task_label[2 * t + 1], output, shape->outputs, t,
                        network->auc + t));
done:
    return st;
}

static leman_status predict_by_network(lm_work *work, const char *path, const lm_explain_options *explain)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = work->ctx;
    leman_network *network = NULL;
    leman_predictor *predictor = NULL;
    leman_dataset *data = NULL;
    int64_t *label = NULL;
    double *output = NULL, *out_of_vocabulary = NULL;
    described about = {0};
    size_t cells;
    TRY(leman_network_read(ctx, path, &network));
    const leman_network_shape *shape = leman_network_describe(network);
    about.shape = shape;
    if (shape->task_name) TRY(lm_tasks_named(work));
    TRY(lm_predict_read(work, shape->directed, &data));
    const size_t graphs = leman_dataset_shape(data)->graphs;
    if (!lm_multiply(graphs, shape->outputs, &cells)) cells = SIZE_MAX;
    NEW(ctx, output, cells);
    NEW(ctx, label, graphs);
    NEW(ctx, out_of_vocabulary, graphs);
    NEW(ctx, about.auc, shape->outputs);
    TRY(leman_predictor_new(ctx, network, &predictor));
    TRY(leman_predictor_run(ctx, predictor, data, 0, output));
    TRY(leman_network_out_of_vocabulary(ctx, network, data, out_of_vocabulary));
    TRY(judge_network(ctx, data, &about, output, label));
    const lm_predictions p = {.data = data,
                              .graphs = graphs,
                              .label = label,
                              .class_label = shape->class_label,
                              .class_name = shape->class_name,
                              .task = shape->task_name,
                              .target = shape->target,
                              .outputs = shape->outputs,
                              .output = output,
                              .out_of_vocabulary = out_of_vocabulary,
                              .network = true,
                              .shape = &about,
                              .describe = describe_network};
    TRY(lm_predictions_write(work, &p));
    if (shape->task_name && !work->options->json) lm_task_auc_log(work, shape->task_name, about.auc, shape->outputs);
    TRY(lm_explanations_write(work, explain, &(lm_predictor){.network = network, .running = predictor}, data));
done:
    lm_free(ctx, about.auc);
    lm_free(ctx, label);
    lm_free(ctx, out_of_vocabulary);
    lm_free(ctx, output);
    leman_dataset_free(data);
    leman_predictor_free(predictor);
    leman_network_free(network);
    return st;
}

/* ---- The command ----------------------------------------------------------------------------- */

static leman_status predict_run(lm_work *work, const void *options)
{
    leman_status st = LEMAN_OK;
    const predict_options *asked = options;
    const char *path = asked->model;
    leman_file_kind kind;
    if (!path) FAIL(work->ctx, LEMAN_ERROR_ARGUMENT, "which model? Add --model FILE, from leman fit or leman train");
    if (asked->common.output && !strcmp(asked->common.output, "-") && asked->common.json)
        FAIL(work->ctx, LEMAN_ERROR_ARGUMENT, "the predictions and --json cannot both go to standard output");
    if (asked->common.directed)
        FAIL(work->ctx, LEMAN_ERROR_ARGUMENT,
             "option '--directed' has no effect here: the model says how arcs are read");
    if (!strcmp(path, "-")) FAIL(work->ctx, LEMAN_ERROR_ARGUMENT, "option '--model': found '-', expected a file");
    TRY(leman_file_kind_detect(work->ctx, path, &kind));
    if (asked->common.device && (kind == LEMAN_FILE_KIND_TASK_MODELS || kind == LEMAN_FILE_KIND_MODEL))
        FAIL(work->ctx, LEMAN_ERROR_ARGUMENT, "option '--device' has no effect here: the model is not a network");
    if (kind == LEMAN_FILE_KIND_TASK_MODELS) {
        TRY(lm_tasks_predict(work, path, &asked->explain));
        goto done;
    }
    if (kind != LEMAN_FILE_KIND_MODEL && kind != LEMAN_FILE_KIND_NETWORK)
        FAIL(work->ctx, LEMAN_ERROR_INPUT,
             "%s: found %s, expected a model of leman fit or a checkpoint of leman train (one network, not --folds)",
             path, kind == LEMAN_FILE_KIND_OTHER ? "something else" : leman_file_kind_name(kind));
    TRY((kind == LEMAN_FILE_KIND_MODEL ? predict_by_svm : predict_by_network)(work, path, &asked->explain));
done:
    return st;
}

const lm_command lm_command_predict = {
    .name = "predict",
    .summary = "predictions of a model for new graphs",
    .description =
        "Writes a line for each graph of DATA: its number (from 0), its name if the graphs have names, the predicted "
        "class, the score (the decision value of that class: larger is more confident, 1 is the margin), the "
        "calibrated probability of every class, and how much of the graph lies in colours that the model does not know "
        "(out_of_vocabulary, 0 to 1). A regression writes the value instead of class, score and probabilities.\n\n"
        "The model knows what it was fitted on: data that lacks its labels is refused, and graphs are read as "
        "directed if it was fitted so. Colours that it does not know count in the length of a graph and in nothing "
        "else. Where the model knows little of the graphs (mean out_of_vocabulary above 0.25, or above 0.5 in one), a "
        "sentence says so. "
        "If DATA has classes itself, the accuracy is printed, with what predicting the largest class would score.\n\n"
        "A network of leman train gives the class and the probability of every class, or every target that it was "
        "trained on, in the units of the data. A model or network of several tasks gives the probability of each. "
        "Labels and "
        "types that it was not trained on count as nothing, and "
        "are logged.\n\n"
        "--explain says what every atom (vertex) and bond (edge) adds to the score of the predicted class, or to the "
        "value. Models on colours are explained exactly: contributions of the atoms and the bias add up to the score, "
        "and those of the bonds once more. Elsewhere the score of the molecule is compared with its score without the "
        "atom or bond (leave-one-out; for networks of classes and tasks, the score is the log odds). Assignment "
        "kernels also name the support graphs that add most.\n\n"
        "For a model that was fitted on a feature file, DATA is a feature file with the same columns. A model of an "
        ".lmf "
        "file takes graphs, too.\n\n" LM_DATA_TEXT LM_REPORT_TEXT,
    .operand = {{"DATA", NULL}},
    .required = 1,
    .common = "model output json",
    .groups = {{"Model and predictions", ROWS}, {"Reading", LM_READING_CLASS_OPTIONS}, {"General", LM_GENERAL_OPTIONS}},
    .examples = {{"leman predict --model local.model test.zip -o predictions.csv", "a line for each graph"},
                 {"leman predict --model local.model test.zip --json", "the same as JSON, on standard output"},
                 {"leman predict --model local.model test.zip --explain atoms.html", "which atoms made the answer"}},
    .size = sizeof(predict_options),
    .run = predict_run,
};
