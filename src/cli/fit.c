/* leman fit: fits a support vector machine or a Gaussian process to all graphs, and writes it to a file. */
#include "base/drop.h"
#include "cli/commands.h"
#include "cli/graph_options.h"
#include "cli/models.h"
#include "cli/options/choices.h"
#include "cli/options/protocol.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct fit_options {
    lm_kernel_options kernels;
    const char *svm, *C;
    uint64_t folds;
    const char *target;
    lm_imbalance_options imbalance;
    lm_graph_options graphs;
    bool scaffold, gp;
} fit_options;

#define FIELD(member) offsetof(fit_options, member)

static const lm_option ROWS[] = {
    LM_K_ROW,
    LM_ROW("rounds", 'r', LM_TEXT, offsetof(lm_coloring_options, rounds), "RANGE", HELP_FIT_ROUNDS),
    LM_ROW("svm", 0, LM_CHOICE, FIELD(svm), "KIND", HELP_FIT_SVM, .choices = lm_choices_svms),
    LM_C_ROW(FIELD(C), HELP_FIT_C),
    LM_FOLDS_ROW(FIELD(folds), HELP_FIT_FOLDS),
    LM_TARGET_ROW(FIELD(target), HELP_FIT_TARGET),
    LM_FLAG_ROW("gp", FIELD(gp), HELP_FIT_GP, .needs = "target",
                .without = "svm C folds class score class-weights censored scaffold apex"),
    LM_IMBALANCE_ROWS(FIELD(imbalance)),
    LM_ROW("sample-weights", 0, LM_TEXT, FIELD(graphs.sample_weights), "COLUMN", HELP_FIT_SAMPLE_WEIGHTS),
    LM_FLAG_ROW("censored", FIELD(graphs.censored), HELP_FIT_CENSORED, .needs = "target"),
    LM_FLAG_ROW("scaffold", FIELD(scaffold), HELP_FIT_SCAFFOLD),
    LM_FILE_ROW(HELP_FIT_OUTPUT, LM_OWN_ENDINGS, false),
    {0},
};

/* ---- From the command line to the library ---------------------------------------------------- */

/* Makes the kernels, without rounds, which are selected later. */
static leman_status read_kernels(leman_context *ctx, const fit_options *asked, leman_kernel **kernels, size_t *count)
{
    lm_kernel_options plain = asked->kernels;
    leman_coloring seen = leman_coloring_default();
    plain.coloring.rounds = NULL;
    PASS(lm_coloring_read(ctx, &plain.coloring, &seen));
    PASS(lm_kernels_single(ctx, &plain, ""));
    PASS(lm_kernels_parse(ctx, &plain, kernels, count));
    if (asked->kernels.coloring.rounds) lm_rounds_remark(ctx, *kernels, *count);
    for (size_t i = 0; i < *count; i++) (*kernels)[i].coloring.ignore_vertex_labels = seen.ignore_vertex_labels;
    return LEMAN_OK;
}

static leman_status check_output(leman_context *ctx, const lm_common *common)
{
    if (!common->output) return MISUSE(ctx, "where does the model go? Add -o MODEL");
    if (strcmp(common->output, "-") || !common->json) return LEMAN_OK;
    return MISUSE(ctx, "the model and --json cannot both go to standard output");
}

static leman_status read_options(leman_context *ctx, const fit_options *asked, leman_fit_options *fit)
{
    const lm_common *common = &asked->kernels.coloring.common;
    double *C = NULL, *weight = NULL;
    *fit = leman_fit_options_default();
    PASS(lm_class_or_target(ctx, common, asked->target != NULL));
    PASS(check_output(ctx, common));
    PASS(lm_rounds_read(ctx, asked->kernels.coloring.rounds, &fit->min_rounds, &fit->max_rounds));
    PASS(lm_grid_read(ctx, asked->C, &C, &fit->C_count));
    fit->C = C;
    fit->apex = asked->kernels.coloring.apex;
    fit->target_name = common->class_column;
    if (asked->svm) PASS(leman_svm_parse(ctx, asked->svm, &fit->svm));
    PASS(lm_imbalance_read(ctx, &asked->imbalance, &fit->score, &weight, &fit->class_weights, &fit->balanced_weights));
    fit->class_weight = weight;
    return LEMAN_OK;
}

/* Sets the name of what is learned to that of the column, which --class may say by its number. */
static leman_status set_name(lm_work *work, const leman_dataset *data, leman_fit_options *fit)
{
    const char *given = work->options->class_column;
    size_t length, column;
    char *name;
    if (!given || leman_dataset_target_named(data, given) != SIZE_MAX || lm_has_tasks(work)) return LEMAN_OK;
    if (strspn(given, "0123456789") < strlen(given) || leman_dataset_class_name(data, 0, &length)[0]) return LEMAN_OK;
    PASS(leman_dataset_target_find(work->ctx, data, given, &column));
    const char *own = leman_dataset_target_name(data, column, &length);
    PASS_SCRATCH(work->ctx, name, length + 1);
    memcpy(name, own, length);
    name[length] = 0;
    if (length) fit->target_name = name;
    return LEMAN_OK;
}

/* Returns true if a graph has the class or target that is fitted. Of several tasks, all graphs have. */
static bool is_known(const leman_dataset *data, const leman_fit_options *fit, size_t graph)
{
    const size_t columns = leman_dataset_shape(data)->columns->targets;
    const int64_t *class_label = leman_dataset_classes(data);
    if (fit->target < columns) return !isnan(leman_dataset_targets(data)[graph * columns + fit->target]);
    return !class_label || class_label[graph] != LEMAN_CLASS_MISSING;
}

/* If there are fewer labelled graphs than folds, makes each of them a fold, unless --folds is given. */
static void set_folds(const fit_options *asked, const leman_dataset *data, leman_fit_options *fit)
{
    size_t graphs = 0;
    for (size_t g = 0; g < leman_dataset_shape(data)->graphs; g++) graphs += is_known(data, fit, g);
    if (graphs > 1 && graphs < fit->folds) fit->folds = graphs;
    if (asked->folds) fit->folds = asked->folds;
}

/* Finds the columns of --target or of several tasks of --class; none for classes. */
static leman_status find_columns(lm_work *work, const fit_options *asked, const leman_dataset *data, size_t **column,
                                 size_t *count)
{
    const char *text = asked->target ? asked->target : lm_has_tasks(work) ? work->options->class_column : NULL;
    *count = 0;
    if (!text) return LEMAN_OK;
    PASS_SCRATCH(work->ctx, *column, leman_dataset_shape(data)->columns->targets + 1);
    **column = leman_dataset_target_named(data, text); /* a name may have commas */
    if (asked->target && **column != SIZE_MAX) *count = 1;
    return *count ? LEMAN_OK : leman_dataset_target_list(work->ctx, data, text, *column, count);
}

/* ---- The command ----------------------------------------------------------------------------- */

static const char *score_words(leman_score score)
{
    switch (score) {
    case LEMAN_SCORE_BALANCED: return "balanced accuracy";
    case LEMAN_SCORE_AUC: return "area under the ROC curve";
    case LEMAN_SCORE_MAE: return "error";
    case LEMAN_SCORE_RMSE: return "root of the mean squared error";
    case LEMAN_SCORE_R2: return "R^2";
    default: return "accuracy";
    }
}

/* Adds what the options of the fit say about single graphs. */
static void options_json(lm_json *json, const fit_options *asked, const leman_fit_options *fit, size_t values)
{
    size_t bounds = 0;
    for (size_t i = 0; fit->censoring && i < values; i++) bounds += fit->censoring[i] != 0;
    if (fit->weight) LM_PUT(json, json->object, KEY("sample_weights", asked->graphs.sample_weights));
    if (asked->graphs.censored) LM_PUT(json, json->object, KEY("bounds", bounds));
}

static leman_status report(lm_work *work, const leman_dataset *data, const leman_fit_options *fit,
                           const leman_model *model, double seconds)
{
    const leman_model_shape *shape = leman_model_describe(model);
    const char *path = work->options->output;
    struct stat file = {0};
    char text[160];
    const bool classes = !shape->regression;
    lm_judgement j = {.score = shape->score, .low = NAN, .high = NAN, .baseline = NAN};
    lm_json *json = &work->json;
    const bool usual = !fit->weight && !fit->censoring && /* lm_judge() needs it */
                       shape->selected_by == (classes ? LEMAN_SCORE_ACCURACY : LEMAN_SCORE_MAE);
    if (usual) PASS(lm_judge_all(work->ctx, data, classes ? NULL : &shape->target, 1, &j));
    const char *interval = INTERVAL_TEXT(classes, j.low, j.high); /* "" unless judged, as is the baseline */
    const char *baseline = BASELINE_TEXT(classes, j.score, j.baseline, j.low, j.high);
    lm_file_json(json, json->object, "output", path);
    lm_model_json(json, json->object, shape);
    LM_PUT(json, json->object, KEY("cv_low", j.low), KEY("cv_high", j.high), MEMBER(&j, baseline),
           KEY("baseline_kind", classes ? "majority class" : "median"), KEY("seconds", seconds));
    const bool there = strcmp(path, "-") && !stat(path, &file);
    if (!work->options->json)
        lm_work_log(work, "%s: %s; cross-validated %s%s %s%s%s%s%s%s; %s", path,
                    lm_model_text(shape, text, sizeof text), fit->weight ? "weighted " : "",
                    score_words(shape->selected_by), SCORE_TEXT(shape->score, classes ? 1 : LM_SIGNIFICANT),
                    classes ? " %" : "", *interval ? ", " : "", interval, usual ? "; " : "", baseline,
                    there ? BYTES_TEXT((uint64_t)file.st_size) : "written");
    return LEMAN_OK;
}

static void report_tasks(lm_work *work, leman_model *const *models, size_t count, bool weighted, double seconds)
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
            lm_work_log(
                work, "%s: task %s: %s; cross-validated %s%s %s%s", path, shape->target_name,
                lm_model_text(shape, text, sizeof text), weighted ? "weighted " : "", score_words(shape->selected_by),
                SCORE_TEXT(shape->score, shape->regression ? LM_SIGNIFICANT : 1), shape->regression ? "" : " %");
    }
    LM_PUT(json, json->object, KEY("seconds", seconds));
}

/* Fits a model for every task, column[tasks], and writes all models to --output. */
static leman_status fit_tasks(lm_work *work, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                              const leman_fit_options *fit, const size_t *column, size_t tasks)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = work->ctx;
    leman_model **models = NULL;
    const double began = lm_now();
    SCRATCH_ZERO(ctx, models, tasks);
    TRY(leman_model_fit_tasks(ctx, data, kernels, count, fit, column, tasks, models));
    TRY(leman_models_write(ctx, models, tasks, work->options->output));
    report_tasks(work, models, tasks, fit->weight != NULL, lm_now() - began);
done:
    for (size_t t = 0; models && t < tasks; t++) leman_model_free(models[t]);
    return st;
}

/* Reads DATA, with its rows if messages need their lines. */
static leman_status read_data(lm_work *work, const fit_options *asked, leman_rows **rows, leman_dataset **data)
{
    lm_graph_options_before(work, &asked->graphs, rows);
    const leman_status st = lm_work_read(work, work->options->operand[0], NULL, data);
    work->rows = NULL;
    return st;
}

/* Fits a Gaussian process. */
static leman_status fit_gp(lm_work *work, const fit_options *asked)
{
    leman_context *ctx = work->ctx;
    const char *path = work->options->output;
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    AUTO(leman_gp_drop) leman_gp *gp = NULL;
    AUTO(leman_rows_drop) leman_rows *rows = NULL;
    leman_gp_options fit = leman_gp_options_default();
    leman_kernel *kernels = NULL;
    uint32_t first = 0;
    size_t count = 0;
    struct stat file = {0};
    if (lm_matrix_given(work->options))
        return MISUSE(ctx, "option '--gp': %s is a feature file, expected graphs", work->options->operand[0]);
    PASS(check_output(ctx, work->options));
    PASS(lm_rounds_read(ctx, asked->kernels.coloring.rounds, &first, &fit.rounds));
    if (first && first != fit.rounds)
        return MISUSE(ctx,
                      "option '--rounds': found %u-%u, expected one number with --gp, which gives every round from 0 "
                      "on a weight",
                      first, fit.rounds);
    PASS(read_kernels(ctx, asked, &kernels, &count));
    if (asked->kernels.weights) return MISUSE(ctx, "option '--weights' has no effect with --gp, which finds weights");
    lm_kernels_remark(work, &asked->kernels);
    PASS(lm_kernels_atoms(work, kernels, count));
    PASS(read_data(work, asked, &rows, &data));
    lm_attributes_remark(work, &asked->kernels, data);
    PASS(leman_dataset_target_find(ctx, data, asked->target, &fit.target));
    PASS(lm_graph_weights(work, &asked->graphs, data, rows, &fit.target, 1, &fit.sample_weight));
    const double began = lm_now();
    PASS(leman_gp_fit(ctx, data, kernels, count, &fit, &gp));
    PASS(leman_gp_write(ctx, gp, path));
    const leman_gp_shape *shape = leman_gp_describe(gp);
    lm_file_json(&work->json, work->json.object, "output", path);
    lm_gp_json(&work->json, work->json.object, shape);
    LM_PUT(&work->json, work->json.object, KEY_IF(fit.sample_weight, "sample_weights", asked->graphs.sample_weights),
           KEY("seconds", lm_now() - began));
    const bool there = strcmp(path, "-") && !stat(path, &file);
    if (!work->options->json)
        lm_work_log(
            work,
            "%s: a Gaussian process of %s graph%s, noise %.4g; leave-one-out %sroot of the mean squared error %s; "
            "log marginal likelihood %.6g; %s",
            path, COUNT_TEXT(shape->model->supports), lm_plural(shape->model->supports), shape->noise,
            fit.sample_weight ? "weighted " : "", SCORE_TEXT(shape->model->score, LM_SIGNIFICANT),
            shape->log_likelihood, there ? BYTES_TEXT((uint64_t)file.st_size) : "written");
    return LEMAN_OK;
}

static leman_status fit_run(lm_work *work, const void *options)
{
    const fit_options *asked = options;
    leman_context *ctx = work->ctx;
    const bool from_matrix = lm_matrix_given(work->options);
    AUTO(leman_dataset_drop) leman_dataset *data = NULL;
    AUTO(leman_rows_drop) leman_rows *rows = NULL;
    AUTO(leman_feature_matrix_drop) leman_feature_matrix *matrix = NULL;
    leman_kernel *kernels = NULL;
    AUTO(leman_model_drop) leman_model *model = NULL;
    leman_fit_options fit;
    uint32_t *group = NULL;
    size_t count = 0, *column = NULL, tasks;
    if (asked->gp) return fit_gp(work, asked);
    work->several_classes = !from_matrix;
    if (!from_matrix) lm_kernels_remark(work, &asked->kernels);
    PASS(read_options(ctx, asked, &fit));
    if (from_matrix && asked->graphs.censored)
        return MISUSE(ctx, "option '--censored': %s is a feature file, expected molecules", work->options->operand[0]);
    if (from_matrix) {
        PASS(lm_matrix_read(work, &matrix));
    } else {
        PASS(read_kernels(ctx, asked, &kernels, &count));
        if (asked->kernels.weights && count == 1)
            return MISUSE(ctx, "option '--weights' has no effect on a single kernel, whose features are scaled");
        PASS(lm_kernels_atoms(work, kernels, count));
        PASS(read_data(work, asked, &rows, &data));
        lm_attributes_remark(work, &asked->kernels, data);
    }
    const leman_dataset *labels = matrix ? leman_feature_matrix_labels(matrix) : data;
    PASS(find_columns(work, asked, labels, &column, &tasks));
    fit.regression = asked->target && tasks > 1;
    if (asked->target && tasks == 1) fit.target = *column;
    if (fit.regression && matrix)
        return MISUSE(ctx, "option '--target': found '%s', expected one column, since %s is a feature file",
                      asked->target, work->options->operand[0]);
    PASS(set_name(work, labels, &fit));
    set_folds(asked, labels, &fit);
    PASS(lm_graph_weights(work, &asked->graphs, labels, rows, column, tasks, &fit.weight));
    PASS(lm_graph_bounds(work, &asked->graphs, labels, column, tasks, &fit.censoring));
    options_json(&work->json, asked, &fit, tasks * leman_dataset_shape(labels)->graphs);
    if (asked->scaffold && data) PASS(lm_scaffold_groups(work, data, &group));
    fit.group = group;
    if (fit.regression || lm_has_tasks(work)) return fit_tasks(work, data, kernels, count, &fit, column, tasks);
    const double began = lm_now();
    PASS(matrix ? leman_model_fit_matrix(ctx, matrix, &fit, &model)
                : leman_model_fit(ctx, data, kernels, count, &fit, &model));
    PASS(leman_model_write(ctx, model, work->options->output));
    return report(work, labels, &fit, model, lm_now() - began);
}

const lm_command lm_command_fit = {
    .name = "fit",
    .help = &LM_HELP_FIT,
    LM_DATA_OPERAND,
    .common = "algorithm rounds target svm output",
    .groups = {LM_KERNEL_GROUP, {"SVM", ROWS}, LM_TAIL_GROUPS},
    .size = sizeof(fit_options),
    .run = fit_run,
};
