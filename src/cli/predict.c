/* leman predict: predictions of a model, as CSV or JSON. */
#include "cli/commands.h"
#include "cli/models.h"
#include <string.h>

typedef struct predict_options {
    lm_common common;
    const char *model;
} predict_options;

static const lm_option ROWS[] = {
    {.name = "model",
     .kind = LM_TEXT,
     .field = offsetof(predict_options, model),
     .value = "FILE",
     .help = "the model, from leman fit, or the checkpoint, from leman train"},
    {0},
};

/* The predictions for all graphs. */
typedef struct predictions {
    leman_dataset *data;
    const leman_model_shape *shape;
    size_t graphs;
    int64_t *label;
    double *score, *probability, *out_of_vocabulary;
    double correct; /* percent, or the mean absolute error; below 0: the data has no labels */
} predictions;

/* ---- What all kinds of models share ---------------------------------------------------------- */

leman_status lm_predict_data_read(lm_work *work, bool directed, leman_dataset **data)
{
    const lm_common *options = work->options;
    lm_common reading = *options;
    reading.directed = directed;
    work->options = &reading;
    leman_status st = lm_work_read(work, options->operand[0], NULL, data);
    work->options = options;
    return st;
}

void lm_prediction_row(lm_output *out, const leman_dataset *data, size_t graph)
{
    size_t length;
    const char *name = leman_dataset_graph_name(data, graph, &length);
    lm_output_integer(out, (int64_t)graph);
    if (!leman_dataset_shape(data)->columns->graph_names) return;
    lm_output_write(out, ",", 1);
    lm_output_csv_field(out, name, length, false);
}

void lm_prediction_json(lm_work *work, lm_json *json, json_t *object, const leman_dataset *data, size_t graph)
{
    size_t length;
    const char *name = leman_dataset_graph_name(data, graph, &length);
    char *text = length ? lm_alloc(work->ctx, length + 1, 1) : NULL;
    lm_json_count(json, object, "graph", graph);
    if (text) {
        memcpy(text, name, length);
        text[length] = 0;
    }
    lm_json_text(json, object, "name", text);
    lm_free(work->ctx, text);
}

/* ---- CSV and JSON ---------------------------------------------------------------------------- */

static leman_status write_csv(lm_work *work, const predictions *a)
{
    leman_status st = LEMAN_OK;
    lm_output *out;
    const leman_model_shape *s = a->shape;
    bool names = leman_dataset_shape(a->data)->columns->graph_names;
    TRY(lm_work_results(work, &out));
    lm_output_printf(out, "graph%s%s", names ? ",name" : "", s->regression ? ",value" : ",class,score");
    for (size_t c = 0; c < s->classes; c++) lm_output_printf(out, ",probability_%lld", (long long)s->class_label[c]);
    lm_output_printf(out, ",out_of_vocabulary\n");
    for (size_t g = 0; g < a->graphs; g++) {
        lm_prediction_row(out, a->data, g);
        if (!s->regression) {
            lm_output_write(out, ",", 1);
            lm_output_integer(out, a->label[g]);
        }
        lm_output_write(out, ",", 1);
        lm_output_real(out, a->score[g]);
        for (size_t c = 0; c < s->classes; c++) {
            lm_output_write(out, ",", 1);
            lm_output_real(out, a->probability[g * s->classes + c]);
        }
        lm_output_write(out, ",", 1);
        lm_output_real(out, a->out_of_vocabulary[g]);
        TRY(lm_output_write(out, "\n", 1));
    }
done:
    return st;
}

static void predictions_json(lm_work *work, lm_json *json, const predictions *a)
{
    json_t *list = lm_json_array(json, json->object, "predictions");
    const leman_model_shape *s = a->shape;
    for (size_t g = 0; g < a->graphs; g++) {
        json_t *object = lm_json_object(json, list, NULL);
        lm_prediction_json(work, json, object, a->data, g);
        if (s->regression) {
            lm_json_real(json, object, "value", a->score[g]);
        } else {
            lm_json_integer(json, object, "class", a->label[g]);
            lm_json_real(json, object, "score", a->score[g]);
            json_t *row = lm_json_array(json, object, "probabilities");
            for (size_t c = 0; c < s->classes; c++) lm_json_real(json, row, NULL, a->probability[g * s->classes + c]);
        }
        lm_json_real(json, object, "out_of_vocabulary", a->out_of_vocabulary[g]);
        lm_json_real(json, object, "unseen", a->out_of_vocabulary[g]); /* old name */
    }
}

/* With --json and no file to write, the predictions are in the object. */
static leman_status write_json(lm_work *work, const predictions *a)
{
    leman_status st = LEMAN_OK;
    lm_json json = lm_json_new();
    const char *path = work->options->output;
    const char *key = a->shape->regression ? "error" : "accuracy";
    lm_json_text(&json, json.object, "output", path);
    lm_json_count(&json, json.object, "graphs", a->graphs);
    if (a->correct >= 0)
        lm_json_real(&json, json.object, key, a->correct);
    else
        lm_json_null(&json, json.object, key);
    lm_model_json(&json, json.object, a->shape);
    if (!path) predictions_json(work, &json, a);
    if (path) TRY(lm_work_finish(work)); /* the CSV */
    TRY(lm_output_open(work->ctx, "-", &work->out));
    TRY(lm_json_write(work->ctx, &json, &work->out));
done:
    lm_json_free(&json);
    return st;
}

/* ---- Predictions ----------------------------------------------------------------------------- */

/* How well it did, where the data has labels. */
static double correct(const predictions *a)
{
    size_t targets = leman_dataset_shape(a->data)->columns->targets, target = a->shape->target;
    const int64_t *label = leman_dataset_classes(a->data);
    const double *value = leman_dataset_targets(a->data);
    double sum = 0;
    if (!a->graphs || (a->shape->regression ? target >= targets : !label)) return -1;
    for (size_t g = 0; g < a->graphs; g++) {
        double error = a->shape->regression ? a->score[g] - value[g * targets + target] : 0;
        sum += a->shape->regression ? (error < 0 ? -error : error) : 100.0 * (a->label[g] == label[g]);
    }
    return sum / (double)a->graphs;
}

static leman_status predict(lm_work *work, const leman_model *model, predictions *a)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = work->ctx;
    size_t cells;
    a->shape = leman_model_describe(model);
    TRY(lm_predict_data_read(work, a->shape->directed, &a->data));
    a->graphs = leman_dataset_shape(a->data)->graphs;
    if (!lm_multiply(a->graphs, a->shape->classes, &cells)) cells = SIZE_MAX;
    NEW(ctx, a->label, a->graphs);
    NEW(ctx, a->score, a->graphs);
    NEW(ctx, a->out_of_vocabulary, a->graphs);
    NEW(ctx, a->probability, cells);
    TRY(leman_model_predict(ctx, model, a->data, a->label, a->score, a->probability, a->out_of_vocabulary));
    a->correct = correct(a);
done:
    return st;
}

static leman_status predict_by_svm(lm_work *work, const char *path)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = work->ctx;
    leman_model *model = NULL;
    predictions a = {0};
    char text[LM_NUMBER_TEXT], score[LM_NUMBER_TEXT];
    const char *output = work->options->output;
    TRY(leman_model_read(ctx, path, &model));
    TRY(predict(work, model, &a));
    if (output || !work->options->json) TRY(write_csv(work, &a));
    if (work->options->json)
        TRY(write_json(work, &a));
    else if (a.correct >= 0)
        lm_work_log(work, "%s graphs; %s %s%s by the %s in the data", lm_count_text(a.graphs, text),
                    a.shape->regression ? "mean absolute error" : "accuracy",
                    lm_score_text(a.correct, a.shape->regression ? LM_SIGNIFICANT : 1, score),
                    a.shape->regression ? "" : " %", a.shape->regression ? "targets" : "classes");
done:
    lm_free(ctx, a.label);
    lm_free(ctx, a.score);
    lm_free(ctx, a.probability);
    lm_free(ctx, a.out_of_vocabulary);
    leman_dataset_free(a.data);
    leman_model_free(model);
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
    if (!strcmp(path, "-")) FAIL(work->ctx, LEMAN_ERROR_ARGUMENT, "option '--model': found '-', expected a file");
    TRY(leman_file_kind_detect(work->ctx, path, &kind));
    if (kind != LEMAN_FILE_KIND_MODEL && kind != LEMAN_FILE_KIND_NETWORK)
        FAIL(work->ctx, LEMAN_ERROR_INPUT,
             "%s: found %s, expected a model of leman fit or a checkpoint of leman train (one network, not --folds)",
             path, kind == LEMAN_FILE_KIND_OTHER ? "something else" : leman_file_kind_name(kind));
    TRY((kind == LEMAN_FILE_KIND_MODEL ? predict_by_svm : lm_predict_by_network)(work, path));
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
        "else. If DATA has classes itself, the accuracy is printed.\n\n"
        "A network of leman train gives the class and the probability of every class, or every target that it was "
        "trained on, in the units of the data. Labels and types that it was not trained on count as nothing, and "
        "are logged.\n\n" LM_DATA_TEXT LM_REPORT_TEXT,
    .operand = {{"DATA", NULL}},
    .required = 1,
    .groups = {{"Model", ROWS},
               {"Results", LM_RESULT_OPTIONS},
               {"Reading", LM_READING_OPTIONS},
               {"General", LM_GENERAL_OPTIONS}},
    .examples = {{"leman predict --model local.model test.zip -o predictions.csv", "a line for each graph"},
                 {"leman predict --model local.model test.zip --json", "the same as JSON, on standard output"}},
    .size = sizeof(predict_options),
    .run = predict_run,
};
