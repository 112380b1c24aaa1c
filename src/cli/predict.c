/* leman predict: predictions of a model of leman fit, or of a network of leman train, for new graphs. */
#include "base/drop.h"
#include "cli/commands.h"
#include "cli/options/choices.h"
#include "cli/predictions.h"
#include <math.h>
#include <string.h>

typedef struct predict_options {
    lm_common common;
    const char *model;
    lm_explain_options explain;
} predict_options;

#define FIELD(member) offsetof(predict_options, member)

static const lm_option ROWS[] = {
    LM_ROW("model", 0, LM_TEXT, FIELD(model), "FILE", HELP_PREDICT_MODEL),
    LM_DEVICE_ROW,
    LM_FILE_ROW(HELP_PREDICT_OUTPUT, LM_PREDICTION_ENDINGS, false),
    LM_WRITTEN_ROW("explain", FIELD(explain.file), HELP_PREDICT_EXPLAIN, LM_EXPLAIN_ENDINGS),
    LM_ROW("explain-graphs", 0, LM_RANGES, FIELD(explain.graphs), "LIST", HELP_PREDICT_EXPLAIN_GRAPHS,
           .needs = "explain"),
    LM_ROW("explain-class", 0, LM_TEXT, FIELD(explain.class_name), "CLASS", HELP_PREDICT_EXPLAIN_CLASS,
           .needs = "explain"),
    LM_ROW("explain-method", 0, LM_CHOICE, FIELD(explain.method), "METHOD", HELP_PREDICT_EXPLAIN_METHOD,
           .choices = LM_EXPLAIN_METHODS, .needs = "explain"),
    LM_ROW("training-data", 0, LM_TEXT, FIELD(explain.training), "FILE", HELP_PREDICT_TRAINING_DATA,
           .needs = "explain"),
    {0},
};

/* ---- Models ---------------------------------------------------------------------------------- */

/* Reads DATA, directed or not, as the model requires. */
static leman_status read_data(lm_work *work, bool directed, leman_dataset **data)
{
    const lm_common *options = work->options;
    lm_common reading = *options;
    reading.directed = directed;
    work->options = &reading;
    leman_status st = lm_work_read(work, options->operand[0], NULL, data);
    work->options = options;
    return st;
}

/* Fails if --class was given to a model of several tasks. */
static leman_status refuse_class(const lm_work *work)
{
    if (!work->options->class_column) return LEMAN_OK;
    return MISUSE(work->ctx, "option '--class' has no effect here: the model has the names of its tasks");
}

/* Predicts for graphs or, if matrix is not NULL, for the rows of a feature file. */
static leman_status predict_one(leman_context *ctx, const leman_model *model, leman_feature_matrix *matrix,
                                lm_predictions *p)
{
    const leman_model_shape *shape = leman_model_describe(model);
    int64_t *label;
    double *score, *probability, *out_of_vocabulary;
    size_t cells;
    if (!lm_multiply(p->graphs, shape->classes, &cells)) cells = SIZE_MAX;
    PASS_SCRATCH(ctx, label, p->graphs);
    PASS_SCRATCH(ctx, score, p->graphs);
    PASS_SCRATCH(ctx, out_of_vocabulary, p->graphs);
    PASS_SCRATCH(ctx, probability, cells);
    PASS(matrix ? leman_model_predict_matrix(ctx, model, matrix, label, score, probability, out_of_vocabulary)
                : leman_model_predict(ctx, model, p->data, label, score, probability, out_of_vocabulary));
    p->target = &shape->target;
    p->single = shape->regression;
    p->outputs = shape->regression ? 1 : shape->classes;
    p->output = shape->regression ? score : probability;
    p->out_of_vocabulary = out_of_vocabulary;
    if (shape->regression) return LEMAN_OK;
    p->label = label;
    p->class_label = shape->class_label;
    p->class_name = shape->class_name;
    p->score = score;
    return LEMAN_OK;
}

/* Predicts with the model of every task. The out-of-vocabulary share of a graph is its largest over all tasks. */
static leman_status predict_tasks(leman_context *ctx, leman_model *const *model, size_t count, lm_predictions *p)
{
    const char **name;
    int64_t *label;
    double *probability, *one, *share, *out_of_vocabulary;
    size_t cells;
    if (!lm_multiply(p->graphs, count, &cells)) cells = SIZE_MAX;
    PASS_SCRATCH(ctx, name, count);
    PASS_SCRATCH(ctx, label, 2 * count);
    PASS_SCRATCH(ctx, probability, cells);
    PASS_SCRATCH(ctx, one, 2 * p->graphs);
    PASS_SCRATCH(ctx, share, p->graphs);
    PASS_SCRATCH(ctx, out_of_vocabulary, p->graphs);
    for (size_t g = 0; g < p->graphs; g++) out_of_vocabulary[g] = 0;
    for (size_t i = 0; i < count; i++) {
        const leman_model_shape *shape = leman_model_describe(model[i]);
        name[i] = shape->target_name;
        memcpy(label + 2 * i, shape->class_label, 2 * sizeof *label);
        PASS(leman_model_predict(ctx, model[i], p->data, NULL, NULL, one, share));
        for (size_t g = 0; g < p->graphs; g++) {
            probability[g * count + i] = one[2 * g + 1];
            out_of_vocabulary[g] = fmax(out_of_vocabulary[g], share[g]);
        }
    }
    p->task = name;
    p->task_label = label;
    p->outputs = count;
    p->output = probability;
    p->out_of_vocabulary = out_of_vocabulary;
    return LEMAN_OK;
}

static leman_status predict_by_models(lm_work *work, const char *path, bool tasks, const lm_explain_options *explain)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = work->ctx;
    leman_model *one = NULL, **several = NULL;
    leman_dataset *data = NULL;
    leman_feature_matrix *matrix = NULL;
    size_t count = 1;
    if (tasks) TRY(refuse_class(work));
    TRY(tasks ? leman_models_read(ctx, path, &several, &count) : leman_model_read(ctx, path, &one));
    const lm_predictor by = {.model = tasks ? several : &one, .models = count};
    if (!tasks && lm_matrix_given(work->options))
        TRY(lm_matrix_read(work, &matrix));
    else
        TRY(read_data(work, leman_model_describe(by.model[0])->directed, &data));
    lm_predictions p = {.by = &by, .data = matrix ? leman_feature_matrix_labels(matrix) : data};
    p.graphs = leman_dataset_shape(p.data)->graphs;
    TRY(tasks ? predict_tasks(ctx, several, count, &p) : predict_one(ctx, one, matrix, &p));
    TRY(lm_predictions_write(work, &p));
    if (!matrix) TRY(lm_explanations_write(work, explain, &by, data));
done:
    leman_dataset_free(data);
    leman_feature_matrix_free(matrix);
    leman_model_free(one);
    leman_models_free(several, count);
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

/* Makes the data set of the vertices or arcs. Without the columns that the network learned, it has no targets. */
static leman_status read_rows(leman_context *ctx, const leman_dataset *data, const leman_network_shape *shape,
                              leman_dataset **rows)
{
    const leman_columns *columns = leman_dataset_shape(data)->columns, none = {0};
    AUTO(leman_dataset_drop) leman_dataset *made = NULL;
    const bool edges = shape->level == LEMAN_LEVEL_EDGE;
    const size_t found = edges ? columns->edge_attributes : columns->vertex_attributes;
    PASS(leman_dataset_rows(ctx, data, shape->level, &made));
    if (found == (edges ? shape->edge_attributes : shape->vertex_attributes))
        return leman_dataset_keep(ctx, made, &none, rows);
    return HAND_OVER(rows, made);
}

static leman_status predict_by_network(lm_work *work, const char *path, const lm_explain_options *explain)
{
    leman_context *ctx = work->ctx;
    AUTO(leman_network_drop) leman_network *network = NULL;
    AUTO(leman_predictor_drop) leman_predictor *predictor = NULL;
    AUTO(leman_dataset_drop) leman_dataset *data = NULL, *rows = NULL;
    int64_t *label;
    double *output, *out_of_vocabulary;
    size_t cells;
    PASS(leman_network_read(ctx, path, &network));
    const leman_network_shape *shape = leman_network_describe(network);
    if (shape->task_name) PASS(refuse_class(work));
    PASS(read_data(work, shape->directed, &data));
    if (shape->level && explain->file)
        return MISUSE(ctx, "option '--explain': the model predicts %s of graphs, expected one that predicts graphs",
                      shape->level == LEMAN_LEVEL_EDGE ? "edges" : "vertices");
    const size_t graphs = leman_dataset_shape(data)->graphs, predicted = leman_network_rows(network, data);
    if (!lm_multiply(predicted, shape->outputs, &cells)) cells = SIZE_MAX;
    PASS_SCRATCH(ctx, output, cells);
    PASS_SCRATCH(ctx, label, graphs);
    if (shape->level) PASS(read_rows(ctx, data, shape, &rows));
    PASS_SCRATCH(ctx, out_of_vocabulary, graphs);
    PASS(leman_predictor_new(ctx, network, &predictor));
    PASS(leman_predictor_run(ctx, predictor, data, 0, output));
    PASS(leman_network_out_of_vocabulary(ctx, network, data, out_of_vocabulary));
    for (size_t g = 0; shape->class_label && g < graphs; g++)
        label[g] = shape->class_label[largest(output + g * shape->outputs, shape->outputs)];
    const lm_predictor by = {.network = network, .running = predictor};
    const lm_predictions p = {.by = &by,
                              .data = rows ? rows : data,
                              .graphs = predicted,
                              .level = shape->level,
                              .from = data,
                              .label = label,
                              .class_label = shape->class_label,
                              .class_name = shape->class_name,
                              .task = shape->task_name,
                              .task_label = shape->task_label,
                              .target = shape->target,
                              .outputs = shape->outputs,
                              .output = output,
                              .out_of_vocabulary = rows ? NULL : out_of_vocabulary};
    PASS(lm_predictions_write(work, &p));
    return lm_explanations_write(work, explain, &by, data);
}

/* ---- The command ----------------------------------------------------------------------------- */

static leman_status predict_run(lm_work *work, const void *options)
{
    const predict_options *asked = options;
    const char *path = asked->model;
    leman_file_kind kind;
    if (!path) return MISUSE(work->ctx, "which model? Add --model FILE, from leman fit or leman train");
    if (asked->common.output && !strcmp(asked->common.output, "-") && asked->common.json)
        return MISUSE(work->ctx, "the predictions and --json cannot both go to standard output");
    if (asked->common.directed)
        return MISUSE(work->ctx, "option '--directed' has no effect here: the model says how arcs are read");
    if (!strcmp(path, "-")) return MISUSE(work->ctx, "option '--model': found '-', expected a file");
    PASS(leman_file_kind_detect(work->ctx, path, &kind));
    if (asked->common.device && (kind == LEMAN_FILE_KIND_TASK_MODELS || kind == LEMAN_FILE_KIND_MODEL))
        return MISUSE(work->ctx, "option '--device' has no effect here: the model is not a network");
    const bool tasks = kind == LEMAN_FILE_KIND_TASK_MODELS;
    if (!tasks && kind != LEMAN_FILE_KIND_MODEL && kind != LEMAN_FILE_KIND_NETWORK)
        return lm_fail(
            work->ctx, LEMAN_ERROR_INPUT,
            "%s: found %s, expected a model of leman fit or a checkpoint of leman train (one network, not --folds)",
            path, kind == LEMAN_FILE_KIND_OTHER ? "something else" : leman_file_kind_name(kind));
    return kind == LEMAN_FILE_KIND_NETWORK ? predict_by_network(work, path, &asked->explain)
                                           : predict_by_models(work, path, tasks, &asked->explain);
}

const lm_command lm_command_predict = {
    .name = "predict",
    .help = &LM_HELP_PREDICT,
    LM_DATA_OPERAND,
    .common = "model output json",
    .groups = {{"Model and predictions", ROWS}, LM_LAST_GROUPS},
    .size = sizeof(predict_options),
    .run = predict_run,
};
