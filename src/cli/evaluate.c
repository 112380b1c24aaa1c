/* leman evaluate: the accuracy of a kernel by repeated cross-validation. */
#include "cli/commands.h"
#include "cli/mpi/ranks.h"
#include "cli/options/protocol.h"
#include "cli/page.h"
#include "cli/tasks.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct evaluate_options {
    lm_protocol_options protocol;
} evaluate_options;

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Replaces the description of a method if DATA is a feature file. */
static void json_matrix(lm_json *json, json_t *object)
{
    lm_json_text(json, object, "algorithm", "features");
    lm_json_text(json, object, "method", "features");
    lm_json_null(json, object, "k");
    lm_json_array(json, object, "kernels");
}

static void json_head(lm_json *json, const lm_request *request, const leman_evaluation *e)
{
    json_t *o = json->object;
    lm_json_text(json, o, "name", leman_dataset_shape(request->data)->name);
    if (request->matrix)
        json_matrix(json, o);
    else
        lm_algorithm_json(json, o, request->kernels, request->count);
    lm_scores_json(json, o, e);
    lm_json_text(json, o, "machine", leman_svm_name(e->svm));
    lm_request_json(json, o, request, e);
}

/* Adds the number of rounds, or null if the kernel has no rounds. */
static void json_rounds(lm_json *json, json_t *object, const leman_evaluation *e, size_t rounds)
{
    if (e->has_rounds)
        lm_json_count(json, object, "rounds", rounds);
    else
        lm_json_null(json, object, "rounds");
}

static leman_status json_part(leman_context *ctx, lm_json *json, json_t *object, const char *key,
                              const leman_splits *splits, size_t list)
{
    leman_status st = LEMAN_OK;
    char *text = NULL;
    uint64_t from = splits->start[list], to = splits->start[list + 1];
    TRY(lm_graphs_text(ctx, splits->graph + from, to - from, &text));
    lm_json_text(json, object, key, text);
done:
    lm_free(ctx, text);
    return st;
}

static leman_status json_choices(leman_context *ctx, lm_json *json, const leman_evaluation *e)
{
    leman_status st = LEMAN_OK;
    json_t *list = lm_json_array(json, json->object, "choices");
    for (size_t i = 0; i < e->splits->repetitions * e->splits->folds; i++) {
        const leman_fold *fold = e->fold + i;
        json_t *object = lm_json_object(json, list, NULL);
        lm_json_count(json, object, "repetition", fold->repetition);
        lm_json_count(json, object, "fold", fold->fold);
        json_rounds(json, object, e, fold->rounds);
        lm_json_real(json, object, "C", fold->C);
        lm_json_real(json, object, "test", fold->test);
        lm_json_real(json, object, "train", fold->train);
        lm_json_real(json, object, "validation", fold->validation);
        lm_json_real(json, object, "balanced", fold->balanced);
        lm_json_real(json, object, "auc", fold->auc);
        lm_json_real(json, object, "rmse", fold->rmse);
        lm_json_real(json, object, "r2", fold->r2);
        lm_json_real(json, object, "seconds", fold->seconds);
        TRY(json_part(ctx, json, object, "test_graphs", e->splits, 2 * i));
        TRY(json_part(ctx, json, object, "validation_graphs", e->splits, 2 * i + 1));
    }
done:
    return st;
}

static void json_tables(lm_json *json, const leman_evaluation *e)
{
    json_t *rounds = lm_json_array(json, json->object, "by_rounds");
    for (size_t h = 0; h < e->rounds; h++) {
        json_t *object = lm_json_object(json, rounds, NULL);
        size_t chosen = 0;
        for (size_t i = 0; i < e->splits->repetitions * e->splits->folds; i++)
            chosen += e->fold[i].rounds == e->min_rounds + h;
        json_rounds(json, object, e, e->min_rounds + h);
        lm_json_count(json, object, "chosen", chosen);
        lm_json_real(json, object, "validation", e->round[h].validation);
        lm_json_real(json, object, "test", e->round[h].test);
        lm_json_real(json, object, "train", e->round[h].train);
    }
    if (!e->classes) return;
    json_t *classes = lm_json_array(json, json->object, "classes");
    json_t *confusion = lm_json_array(json, json->object, "confusion");
    for (size_t c = 0; c < e->classes; c++) {
        lm_json_integer(json, classes, NULL, e->class_label[c]);
        json_t *row = lm_json_array(json, confusion, NULL);
        for (size_t d = 0; d < e->classes; d++) lm_json_count(json, row, NULL, e->confusion[c * e->classes + d]);
    }
}

static leman_status write_json(leman_context *ctx, const lm_request *request, const leman_evaluation *e, lm_output *out)
{
    leman_status st = LEMAN_OK;
    lm_json json = lm_json_new();
    json_head(&json, request, e);
    json_tables(&json, e);
    TRY(json_choices(ctx, &json, e));
    TRY(lm_ranks_json(ctx, &json));
    TRY(lm_json_write(ctx, &json, out));
done:
    lm_json_free(&json);
    return st;
}

/* ---- For people ------------------------------------------------------------------------------ */

static void table_rounds(lm_table *table, const leman_evaluation *e)
{
    lm_table_cell(table, "rounds");
    lm_table_cell(table, "chosen");
    lm_table_cell(table, "validation");
    lm_table_cell(table, "test");
    lm_table_cell(table, "train");
    int decimals = e->classes ? 1 : LM_SIGNIFICANT;
    for (size_t h = 0; h < e->rounds; h++) {
        size_t chosen = 0, folds = e->splits->repetitions * e->splits->folds;
        char text[LM_NUMBER_TEXT];
        for (size_t i = 0; i < folds; i++) chosen += e->fold[i].rounds == e->min_rounds + h;
        lm_table_cell(table, "%zu", e->min_rounds + h);
        lm_table_cell(table, "%zu of %zu", chosen, folds);
        lm_table_cell(table, "%s", lm_score_text(e->round[h].validation, decimals, text));
        lm_table_cell(table, "%s", lm_score_text(e->round[h].test, decimals, text));
        lm_table_cell(table, "%s", lm_score_text(e->round[h].train, decimals, text));
    }
}

/* Writes " +- 1.2 over repetitions, +- 7.0 over folds". */
static const char *deviations_text(const leman_evaluation *e, int decimals, char *text, size_t size)
{
    char number[LM_NUMBER_TEXT];
    size_t used = 0;
    *text = 0;
    if (!isnan(e->test_std))
        used = (size_t)snprintf(text, size, " +- %s over repetitions,", lm_score_text(e->test_std, decimals, number));
    if (!isnan(e->test_std_folds))
        snprintf(text + used, size - used, " +- %s over folds", lm_score_text(e->test_std_folds, decimals, number));
    return text;
}

static leman_status write_scores(const leman_evaluation *e, lm_output *out)
{
    leman_status st = LEMAN_OK;
    enum { ROOM = LM_NUMBER_TEXT };
    char mean[ROOM], spread[4 * ROOM], train[ROOM], other[ROOM], last[ROOM];
    char interval[LM_BASELINE_TEXT], baseline[LM_BASELINE_TEXT];
    int decimals = e->classes ? 1 : LM_SIGNIFICANT;
    const char *indent = e->classes ? "                " : "             ";
    lm_score_text(e->test_mean, decimals, mean);
    deviations_text(e, decimals, spread, sizeof spread);
    lm_score_text(e->train_mean, decimals, train);
    lm_interval_text(e->classes, e->test_low, e->test_high, interval);
    lm_baseline_text(e->classes, e->test_mean, e->baseline, e->test_low, e->test_high, baseline);
    TRY(lm_output_printf(out, e->classes ? "Test accuracy   %s %%%s\n" : "Test error   %s%s (mean absolute)\n", mean,
                         spread));
    TRY(lm_output_printf(out, "%s%s%s%s\n", indent, interval, *interval ? "; " : "", baseline));
    if (!e->classes)
        return lm_output_printf(out, "%sroot of the mean square %s, R^2 %s; training error %s\n", indent,
                                lm_score_text(e->rmse_mean, LM_SIGNIFICANT, other), lm_score_text(e->r2_mean, 3, last),
                                train);
    TRY(lm_output_printf(out, "%sbalanced %s %%, area under the ROC curve %s%s; training accuracy %s %%\n", indent,
                         lm_score_text(e->balanced_mean, 1, other), lm_score_text(e->auc_mean, 1, last),
                         isnan(e->auc_mean) ? "" : " %", train));
done:
    return st;
}

static leman_status write_table(leman_context *ctx, const lm_request *request, const leman_evaluation *e,
                                lm_output *out)
{
    leman_status st = LEMAN_OK;
    lm_table table = {.ctx = ctx, .align = "rrrrr"};
    char text[256], times[2][LM_NUMBER_TEXT];
    const leman_shape *shape = leman_dataset_shape(request->data);
    if (request->matrix)
        snprintf(text, sizeof text, "features of a file");
    else
        leman_kernels_paper_name(request->kernels, request->count, text, sizeof text);
    TRY(lm_output_printf(out, "%s: %s; %s SVM, %zu repetition%s of %zu fold%s, seed %llu\n\n", shape->name, text,
                         leman_svm_name(e->svm), e->splits->repetitions, lm_plural(e->splits->repetitions),
                         e->splits->folds, lm_plural(e->splits->folds), (unsigned long long)e->seed));
    TRY(write_scores(e, out));
    if (e->rounds > 1) {
        TRY(lm_write_text(out, "\n"));
        table_rounds(&table, e);
        TRY(lm_table_write(&table, out));
    }
    TRY(lm_output_printf(out, "\n%s for features, %s for training\n", lm_seconds_text(e->seconds_features, times[0]),
                         lm_seconds_text(e->seconds_svm, times[1])));
done:
    lm_table_free(&table);
    return st;
}

/* ---- The command ----------------------------------------------------------------------------- */

static leman_status evaluate_run(lm_work *work, const void *options)
{
    leman_status st = LEMAN_OK;
    const evaluate_options *asked = options;
    leman_context *ctx = work->ctx;
    lm_request request = {0};
    leman_evaluation *evaluation = NULL;
    lm_output *out;
    TRY(lm_kernels_single(ctx, &asked->protocol.kernels, "; leman compare takes several, and compares them"));
    work->several_classes = true;
    TRY(lm_tasks_check(work, &asked->protocol));
    TRY(lm_request_read(work, &asked->protocol, &request));
    if (lm_has_tasks(work)) {
        st = lm_tasks_evaluate(work, &request);
        goto done;
    }
    lm_request_announce(work, &request, request.kernels, request.count);
    TRY(request.matrix
            ? leman_evaluate_matrix(ctx, request.matrix, &request.protocol, &evaluation)
            : leman_evaluate(ctx, request.data, request.kernels, request.count, &request.protocol, &evaluation));
    if (evaluation->resumed)
        lm_work_log(work, "%s: found %zu finished fold%s", asked->protocol.journal, evaluation->resumed,
                    lm_plural(evaluation->resumed));
    TRY(lm_work_results(work, &out));
    TRY(work->options->json ? write_json(ctx, &request, evaluation, out) : write_table(ctx, &request, evaluation, out));
    leman_method method = {.kernels = request.kernels, .count = request.count, .evaluation = evaluation};
    TRY(lm_page_write(work, asked->protocol.report, &request, &method, 1));
done:
    leman_evaluation_free(evaluation);
    lm_request_free(ctx, &request);
    return st;
}

const lm_command lm_command_evaluate = {
    .name = "evaluate",
    .summary = "the accuracy of a kernel: repeated cross-validation, parameters by validation",
    .description =
        "Cuts the graphs of DATA into folds at random, several times. In every fold a tenth of the training part "
        "selects the number of rounds and C; the SVM that was selected is tested once, on the fold. " LM_KERNELS_TEXT
        "Gram matrices are normalised; rows of the linear SVM have length 1.\n\n"
        "The mean is over repetitions, and each repetition's figure is the mean of its folds; +- is the standard "
        "deviation over repetitions (of more than one) and over all folds. The 95 % interval of the mean is that of "
        "the corrected resampled t-test (Nadeau and Bengio) with folds - 1 degrees of freedom. Beside it stands what a "
        "constant prediction scores: the majority class, or the median of the targets. The same seed gives the same "
        "digits for any number of threads, interrupted or not.\n\n" LM_MATRIX_TEXT "\n\n" LM_DATA_TEXT LM_REPORT_TEXT
        "\n\nWith --json: algorithm, method, k, test_mean, test_std, test_std_folds, test_low, test_high, baseline, "
        "train_mean, balanced_mean, auc_mean, seconds_features, seconds_svm, repetitions, folds, seed, machine, every "
        "other choice that was made, checksums, by_rounds, confusion, and choices: rounds, C, scores and graphs of "
        "every fold.",
    .operand = {{"DATA", NULL}},
    .required = 1,
    .ranks = true,
    .common = "algorithm repetitions target report json",
    .groups = {{"Kernels", LM_KERNEL_OPTIONS},
               {"Protocol", LM_PROTOCOL_OPTIONS},
               {"Result", LM_EVALUATION_RESULT},
               {"Colourings", LM_COLORING_TAIL},
               {"Reading", LM_READING_CLASS_OPTIONS},
               {"General", LM_GENERAL_OPTIONS}},
    .examples = {{"leman evaluate MUTAG.zip -a delta-2-LWL", "ten times ten folds, 0 to 5 rounds"},
                 {"leman evaluate MUTAG.zip -a WLOA --repetitions 1 --resume wloa.journal",
                  "a long run that may be interrupted"},
                 {"leman evaluate MUTAG.zip -a delta-2-LWL+SP --json", "a sum of kernels, for scripts"}},
    .size = sizeof(evaluate_options),
    .run = evaluate_run,
};
