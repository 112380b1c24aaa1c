/* leman predict: predictions of a model of leman fit, or of a network of leman train, for new graphs. */
#include "base/drop.h"
#include "cli/commands.h"
#include "cli/options/choices.h"
#include "cli/predict/predictions.h"
#include <math.h>
#include <string.h>

typedef struct predict_options {
    lm_common common;
    const char *model, *columns, *report;
    double coverage;
    lm_explain_options explain;
} predict_options;

static const double COVERAGE = 0.9; /* of intervals, by default */

#define FIELD(member) offsetof(predict_options, member)

static const lm_option ROWS[] = {
    LM_ROW("model", 0, LM_TEXT, FIELD(model), "FILE", HELP_PREDICT_MODEL),
    LM_DEVICE_ROW,
    LM_FILE_ROW(HELP_PREDICT_OUTPUT, LM_PREDICTION_ENDINGS, false),
    LM_ROW("columns", 0, LM_TEXT, FIELD(columns), "LIST", HELP_PREDICT_COLUMNS),
    LM_ROW("coverage", 0, LM_REAL, FIELD(coverage), "P", HELP_PREDICT_COVERAGE, .low = 0.01, .high = 0.999),
    LM_WRITTEN_ROW("report", FIELD(report), HELP_PREDICT_REPORT, LM_PAGE_ENDINGS),
    LM_WRITTEN_ROW("explain", FIELD(explain.file), HELP_PREDICT_EXPLAIN, LM_EXPLAIN_ENDINGS),
    LM_ROW("explain-graphs", 0, LM_RANGES, FIELD(explain.graphs), "LIST", HELP_PREDICT_EXPLAIN_GRAPHS,
           .needs = "explain"),
    LM_ROW("explain-class", 0, LM_TEXT, FIELD(explain.class_name), "CLASS", HELP_PREDICT_EXPLAIN_CLASS,
           .needs = "explain"),
    LM_ROW("explain-method", 0, LM_CHOICE, FIELD(explain.method), "METHOD", HELP_PREDICT_EXPLAIN_METHOD,
           .choices = LM_EXPLAIN_METHODS, .needs = "explain"),
    LM_ROW("training-data", 0, LM_TEXT, FIELD(explain.training), "FILE", HELP_PREDICT_TRAINING_DATA,
           .needs = "explain"),
    LM_FLAG_ROW("atom-numbers", FIELD(explain.atom_numbers), HELP_PREDICT_ATOM_NUMBERS, .needs = "explain"),
    LM_FLAG_ROW("transparent", FIELD(explain.transparent), HELP_PREDICT_TRANSPARENT, .needs = "explain"),
    {0},
};

/* ---- Models ---------------------------------------------------------------------------------- */

/* Reads DATA as the graphs of the model were read: directed or not, and with the options for molecules. class_name: the
 * column whose classes were learned, which DATA may have; NULL: none, or its name is not known. */
static leman_status read_data(lm_work *work, const char *model, uint64_t made, bool directed, const char *class_name,
                              leman_rows **rows, leman_dataset **data)
{
    const lm_common *options = work->options;
    lm_common reading = *options;
    reading.directed = directed;
    work->reading = made;
    work->made_of = model;
    work->class_name = class_name;
    work->rows = rows;
    work->options = &reading;
    leman_status st = lm_work_read(work, options->operand[0], NULL, data);
    work->options = options;
    work->rows = NULL; /* what is read from now on is not DATA */
    if (!st && work->row_columns && !*rows)
        return MISUSE(work->ctx, "option '--columns' has no effect here: %s is no file of molecules",
                      options->operand[0]);
    work->row_columns = NULL;
    return st;
}

/* Fails if --class was given to a model of several tasks. */
static leman_status refuse_class(const lm_work *work)
{
    if (!work->options->class_column) return LEMAN_OK;
    return MISUSE(work->ctx, "option '--class' has no effect here: the model has the names of its tasks");
}

/* Adds how near the graphs are to the training graphs, and intervals of values. */
static leman_status find_domain(leman_context *ctx, const leman_model *model, double coverage, lm_predictions *p)
{
    double *similarity, *domain, *low, *high;
    PASS_SCRATCH(ctx, similarity, p->graphs);
    PASS_SCRATCH(ctx, domain, p->graphs);
    PASS(leman_model_domain(ctx, model, p->data, similarity, domain));
    p->similarity = similarity;
    p->domain = domain;
    if (!leman_model_describe(model)->regression) return LEMAN_OK;
    PASS_SCRATCH(ctx, low, p->graphs);
    PASS_SCRATCH(ctx, high, p->graphs);
    PASS(leman_model_intervals(ctx, model, p->data, coverage, low, high));
    p->low = low;
    p->high = high;
    return LEMAN_OK;
}

/* Predicts for graphs or, if matrix is not NULL, for the rows of a feature file. */
static leman_status predict_one(leman_context *ctx, const leman_model *model, leman_feature_matrix *matrix,
                                double coverage, lm_predictions *p)
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
    if (!matrix) PASS(find_domain(ctx, model, coverage, p));
    p->target = &shape->target;
    p->column = &shape->target_name;
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

/* Predicts with the model of every task: of classes, the probability of the larger one; of targets, the value. The out-of-vocabulary share of a graph is its largest over all tasks. */
static leman_status predict_tasks(leman_context *ctx, leman_model *const *model, size_t count, lm_predictions *p)
{
    const bool values = leman_model_describe(model[0])->regression;
    const char **name;
    int64_t *label;
    size_t *target;
    double *output, *one, *share, *out_of_vocabulary, *similarity, *domain, *near, *inside;
    size_t cells;
    if (!lm_multiply(p->graphs, count, &cells)) cells = SIZE_MAX;
    PASS_SCRATCH(ctx, name, count);
    PASS_SCRATCH(ctx, label, 2 * count);
    PASS_SCRATCH(ctx, target, count);
    PASS_SCRATCH(ctx, output, cells);
    PASS_SCRATCH(ctx, one, 2 * p->graphs);
    PASS_SCRATCH(ctx, share, p->graphs);
    PASS_SCRATCH(ctx, out_of_vocabulary, p->graphs);
    PASS_SCRATCH(ctx, similarity, p->graphs);
    PASS_SCRATCH(ctx, domain, p->graphs);
    PASS_SCRATCH(ctx, near, p->graphs);
    PASS_SCRATCH(ctx, inside, p->graphs);
    for (size_t g = 0; g < p->graphs; g++) out_of_vocabulary[g] = 0, similarity[g] = domain[g] = 1;
    for (size_t i = 0; i < count; i++) {
        const leman_model_shape *shape = leman_model_describe(model[i]);
        name[i] = shape->target_name;
        target[i] = shape->target;
        if (!values) memcpy(label + 2 * i, shape->class_label, 2 * sizeof *label);
        PASS(leman_model_predict(ctx, model[i], p->data, NULL, values ? one : NULL, values ? NULL : one, share));
        PASS(leman_model_domain(ctx, model[i], p->data, near, inside));
        for (size_t g = 0; g < p->graphs; g++) {
            output[g * count + i] = values ? one[g] : one[2 * g + 1];
            out_of_vocabulary[g] = fmax(out_of_vocabulary[g], share[g]);
            similarity[g] = isnan(near[g]) ? NAN : fmin(similarity[g], near[g]);
            domain[g] = fmin(domain[g], inside[g]);
        }
    }
    p->task = values ? NULL : name;
    p->task_label = values ? NULL : label;
    p->target = values ? target : NULL;
    p->column = name;
    p->outputs = count;
    p->output = output;
    p->out_of_vocabulary = out_of_vocabulary;
    p->similarity = similarity;
    p->domain = domain;
    return LEMAN_OK;
}

/* Fails if --coverage was given to models that predict no value with an interval. */
static leman_status refuse_coverage(const lm_work *work, const predict_options *asked, bool values)
{
    if (!(asked->coverage > 0) || values) return LEMAN_OK;
    return MISUSE(work->ctx, "option '--coverage' has no effect here: only models of targets have intervals");
}

static leman_status predict_by_models(lm_work *work, const char *path, bool tasks, const predict_options *asked)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = work->ctx;
    leman_model *one = NULL, **several = NULL;
    leman_dataset *data = NULL;
    leman_feature_matrix *matrix = NULL;
    leman_rows *rows = NULL;
    size_t count = 1;
    if (tasks) TRY(refuse_class(work));
    TRY(tasks ? leman_models_read(ctx, path, &several, &count) : leman_model_read(ctx, path, &one));
    const lm_predictor by = {.model = tasks ? several : &one, .models = count};
    const leman_model_shape *shape = leman_model_describe(by.model[0]);
    const double coverage = asked->coverage > 0 ? asked->coverage : COVERAGE;
    const bool features = !tasks && lm_matrix_given(work->options);
    if (features && work->row_columns)
        TRY(MISUSE(ctx, "option '--columns' has no effect here: features have no columns of molecules"));
    TRY(refuse_coverage(work, asked, !tasks && !features && shape->regression));
    if (features)
        TRY(lm_matrix_read(work, &matrix));
    else
        TRY(read_data(work, path, shape->reading, shape->directed,
                      tasks || shape->regression ? NULL : shape->target_name, &rows, &data));
    lm_predictions p = {
        .by = &by, .report = asked->report, .data = matrix ? leman_feature_matrix_labels(matrix) : data, .rows = rows};
    p.graphs = leman_dataset_shape(p.data)->graphs;
    TRY(tasks ? predict_tasks(ctx, several, count, &p) : predict_one(ctx, one, matrix, coverage, &p));
    TRY(lm_predictions_write(work, &p));
    if (!matrix) TRY(lm_explanations_write(work, &asked->explain, &by, data, rows));
done:
    leman_dataset_free(data);
    leman_feature_matrix_free(matrix);
    leman_rows_free(rows);
    leman_model_free(one);
    leman_models_free(several, count);
    return st;
}

/* ---- Gaussian processes ---------------------------------------------------------------------- */

static leman_status predict_by_gp(lm_work *work, const char *path, const predict_options *asked)
{
    leman_context *ctx = work->ctx;
    AUTO(leman_gp_drop) leman_gp *gp = NULL;
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    AUTO(leman_rows_drop) leman_rows *rows = NULL;
    double *mean, *std, *out_of_vocabulary;
    if (asked->explain.file)
        return MISUSE(
            ctx, "option '--explain': %s is a Gaussian process, expected a support vector machine or a network", path);
    if (lm_matrix_given(work->options))
        return MISUSE(ctx, "%s: found a feature file, expected graphs, as the Gaussian process was fitted on",
                      work->options->operand[0]);
    PASS(leman_gp_read(ctx, path, &gp));
    const leman_model_shape *shape = leman_gp_describe(gp)->model;
    PASS(read_data(work, path, shape->reading, shape->directed, NULL, &rows, &data));
    const size_t graphs = leman_dataset_shape(data)->graphs;
    PASS_SCRATCH(ctx, mean, graphs);
    PASS_SCRATCH(ctx, std, graphs);
    PASS_SCRATCH(ctx, out_of_vocabulary, graphs);
    PASS(leman_gp_predict(ctx, gp, data, mean, std, out_of_vocabulary));
    const lm_predictor by = {.gp = gp};
    const lm_predictions p = {.by = &by,
                              .report = asked->report,
                              .data = data,
                              .rows = rows,
                              .graphs = graphs,
                              .target = &shape->target,
                              .column = &shape->target_name,
                              .single = true,
                              .outputs = 1,
                              .output = mean,
                              .std = std,
                              .out_of_vocabulary = out_of_vocabulary};
    return lm_predictions_write(work, &p);
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

static leman_status predict_by_network(lm_work *work, const char *path, const predict_options *asked)
{
    const lm_explain_options *explain = &asked->explain;
    leman_context *ctx = work->ctx;
    AUTO(leman_network_drop) leman_network *network = NULL;
    AUTO(leman_predictor_drop) leman_predictor *predictor = NULL;
    AUTO(leman_dataset_drop) leman_dataset *data = NULL, *rows = NULL;
    AUTO(leman_rows_drop) leman_rows *table = NULL;
    int64_t *label;
    double *output, *out_of_vocabulary;
    size_t cells;
    PASS(leman_network_read(ctx, path, &network));
    const leman_network_shape *shape = leman_network_describe(network);
    if (shape->task_name) PASS(refuse_class(work));
    if (shape->level && work->row_columns)
        return MISUSE(ctx, "option '--columns' has no effect here: the model predicts %s of graphs",
                      shape->level == LEMAN_LEVEL_EDGE ? "edges" : "vertices");
    PASS(read_data(work, path, shape->reading, shape->directed, NULL, &table, &data));
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
                              .report = asked->report,
                              .data = rows ? rows : data,
                              .rows = rows ? NULL : table,
                              .graphs = predicted,
                              .level = shape->level,
                              .from = data,
                              .label = label,
                              .class_label = shape->class_label,
                              .class_name = shape->class_name,
                              .task = shape->task_name,
                              .task_label = shape->task_label,
                              .target = shape->target,
                              .column = shape->target_name,
                              .outputs = shape->outputs,
                              .output = output,
                              .out_of_vocabulary = rows ? NULL : out_of_vocabulary};
    PASS(lm_predictions_write(work, &p));
    return lm_explanations_write(work, explain, &by, data, table);
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
    PASS(lm_explanations_check(work->ctx, &asked->explain));
    PASS(leman_file_kind_detect(work->ctx, path, &kind));
    const bool gp = kind == LEMAN_FILE_KIND_GAUSSIAN_PROCESS;
    if (asked->common.device && (kind == LEMAN_FILE_KIND_TASK_MODELS || kind == LEMAN_FILE_KIND_MODEL || gp))
        return MISUSE(work->ctx, "option '--device' has no effect here: the model is not a network");
    work->row_columns = asked->columns;
    const bool tasks = kind == LEMAN_FILE_KIND_TASK_MODELS;
    if (!tasks && !gp && kind != LEMAN_FILE_KIND_MODEL && kind != LEMAN_FILE_KIND_NETWORK)
        return lm_fail(
            work->ctx, LEMAN_ERROR_INPUT,
            "%s: found %s, expected a model of leman fit or a checkpoint of leman train (one network, not --folds)",
            path, kind == LEMAN_FILE_KIND_OTHER ? "something else" : leman_file_kind_name(kind));
    if (gp || kind == LEMAN_FILE_KIND_NETWORK) PASS(refuse_coverage(work, asked, false));
    if (gp) return predict_by_gp(work, path, asked);
    return kind == LEMAN_FILE_KIND_NETWORK ? predict_by_network(work, path, asked)
                                           : predict_by_models(work, path, tasks, asked);
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
