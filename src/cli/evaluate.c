/* leman evaluate: the accuracy of a kernel by repeated cross-validation. */
#include "base/drop.h"
#include "cli/commands.h"
#include "cli/mpi/ranks.h"
#include "cli/options/protocol.h"
#include "cli/tasks.h"
#include <math.h>
#include <stdio.h>

/* Returns how many folds chose this number of rounds. */
static size_t count_chosen(const leman_evaluation *e, size_t rounds)
{
    size_t chosen = 0;
    for (size_t i = 0; i < e->splits->repetitions * e->splits->folds; i++) chosen += e->fold[i].rounds == rounds;
    return chosen;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static leman_status json_choices(leman_context *ctx, lm_json *json, const leman_evaluation *e)
{
    json_t *list = lm_json_array(json, json->object, "choices");
    for (size_t i = 0; i < e->splits->repetitions * e->splits->folds; i++) {
        const leman_fold *fold = e->fold + i;
        json_t *object = lm_json_object(json, list, NULL);
        LM_PUT(json, object, MEMBER(fold, repetition), MEMBER(fold, fold),
               KEY_IF(e->has_rounds, "rounds", fold->rounds), MEMBER(fold, C), MEMBER(fold, test), MEMBER(fold, train),
               MEMBER(fold, validation), MEMBER(fold, balanced), MEMBER(fold, auc), MEMBER(fold, rmse),
               MEMBER(fold, r2), MEMBER(fold, seconds));
        PASS(lm_fold_json(ctx, json, object, e->splits, i, e->predicted, 1, e->class_label));
        json_t *probabilities = e->probability ? lm_json_array(json, object, "probabilities") : NULL;
        for (uint64_t k = e->splits->start[2 * i]; e->probability && k < e->splits->start[2 * i + 1]; k++)
            LM_PUT(json, probabilities, KEY(NULL, e->probability[k]));
    }
    return LEMAN_OK;
}

static void json_tables(lm_json *json, const leman_evaluation *e)
{
    LM_PUT_ROWS(json, json->object, "by_rounds", round, e->round, e->rounds,
                KEY_IF(e->has_rounds, "rounds", e->min_rounds + i), KEY("chosen", count_chosen(e, e->min_rounds + i)),
                MEMBER(round, validation), MEMBER(round, test), MEMBER(round, train));
    if (!e->classes) return;
    LM_PUT_EACH(json, json->object, "classes", e->classes, e->class_label[i]);
    json_t *confusion = lm_json_array(json, json->object, "confusion");
    for (size_t c = 0; c < e->classes; c++)
        LM_PUT_EACH(json, confusion, NULL, e->classes, e->confusion[c * e->classes + i]);
}

static leman_status fill_json(lm_work *work, const lm_request *request, const leman_evaluation *e)
{
    lm_json *json = &work->json;
    json_t *o = json->object;
    LM_PUT(json, o, KEY("name", leman_dataset_shape(request->data)->name));
    if (request->matrix) {
        LM_PUT(json, o, KEY("algorithm", "features"), KEY("method", "features"), KEY_NULL("k"));
        lm_json_array(json, o, "kernels");
    } else {
        lm_algorithm_json(json, o, request->kernels, request->count);
    }
    lm_scores_json(json, o, e);
    LM_PUT(json, o, KEY("machine", leman_svm_name(e->svm)));
    lm_request_json(json, o, request, e);
    json_tables(json, e);
    PASS(json_choices(work->ctx, json, e));
    return lm_ranks_json(work->ctx, json);
}

/* ---- For people ------------------------------------------------------------------------------ */

static void table_rounds(lm_table *table, const leman_evaluation *e)
{
    const int decimals = e->classes ? 1 : LM_SIGNIFICANT;
    LM_TABLE_ROW(table, "rounds", "chosen", "validation", "test", "train");
    for (size_t h = 0; h < e->rounds; h++) {
        const size_t number = e->min_rounds + h;
        LM_TABLE_ROW(table, FORMAT("%zu", number),
                     FORMAT("%zu of %zu", count_chosen(e, number), e->splits->repetitions * e->splits->folds),
                     SCORE_TEXT(e->round[h].validation, decimals), SCORE_TEXT(e->round[h].test, decimals),
                     SCORE_TEXT(e->round[h].train, decimals));
    }
}

static leman_status write_scores(const lm_request *request, const leman_evaluation *e, lm_output *out)
{
    const int decimals = e->classes ? 1 : LM_SIGNIFICANT;
    const char *indent = e->classes ? "                " : "             ";
    const char *of_repetitions =
        isnan(e->test_std) ? "" : FORMAT(" +- %s over repetitions,", SCORE_TEXT(e->test_std, decimals));
    const char *of_folds =
        isnan(e->test_std_folds) ? "" : FORMAT(" +- %s over folds", SCORE_TEXT(e->test_std_folds, decimals));
    const char *interval = INTERVAL_TEXT(e->classes, e->test_low, e->test_high);
    const char *baseline = BASELINE_TEXT(e->classes, e->test_mean, e->baseline, e->test_low, e->test_high);
    PASS(lm_output_printf(out, e->classes ? "Test accuracy   %s %%%s%s\n" : "Test error   %s%s%s (mean absolute)\n",
                          SCORE_TEXT(e->test_mean, decimals), of_repetitions, of_folds));
    PASS(lm_output_printf(out, "%s%s%s%s\n", indent, interval, *interval && *baseline ? "; " : "", baseline));
    PASS(lm_weights_write(request, e, indent, out));
    if (e->bounds)
        PASS(lm_output_printf(out, "%s%zu target%s; only predictions beyond %s are errors\n", indent, e->bounds,
                              e->bounds == 1 ? " is a bound" : "s are bounds", e->bounds == 1 ? "it" : "them"));
    if (!e->classes)
        return lm_output_printf(out, "%sroot of the mean square %s, R^2 %s; training error %s\n", indent,
                                SCORE_TEXT(e->rmse_mean, LM_SIGNIFICANT), SCORE_TEXT(e->r2_mean, 3),
                                SCORE_TEXT(e->train_mean, decimals));
    return lm_output_printf(out, "%sbalanced %s %%, area under the ROC curve %s%s; training accuracy %s %%\n", indent,
                            SCORE_TEXT(e->balanced_mean, 1), SCORE_TEXT(e->auc_mean, 1), isnan(e->auc_mean) ? "" : " %",
                            SCORE_TEXT(e->train_mean, decimals));
}

static leman_status write_table(lm_work *work, const lm_request *request, const leman_evaluation *e)
{
    lm_table table = {.ctx = work->ctx, .align = "rrrrr"};
    char text[256];
    lm_output *out;
    PASS(lm_work_results(work, &out));
    const leman_shape *shape = leman_dataset_shape(request->data);
    if (request->matrix)
        snprintf(text, sizeof text, "features of a file");
    else
        leman_kernels_paper_name(request->kernels, request->count, text, sizeof text);
    PASS(lm_output_printf(out, "%s: %s; %s SVM, %s, seed %llu\n\n", shape->name, text, leman_svm_name(e->svm),
                          FOLDS_TEXT(e->splits), (unsigned long long)e->seed));
    PASS(write_scores(request, e, out));
    if (e->rounds > 1) {
        PASS(lm_write_text(out, "\n"));
        table_rounds(&table, e);
        PASS(lm_table_write(&table, out));
    }
    return lm_output_printf(out, "\n%s for features, %s for training\n", SECONDS_TEXT(e->seconds_features),
                            SECONDS_TEXT(e->seconds_svm));
}

/* ---- The command ----------------------------------------------------------------------------- */

static leman_status evaluate_run(lm_work *work, const void *options)
{
    const lm_protocol_options *asked = options;
    leman_context *ctx = work->ctx;
    AUTO(lm_request_free) lm_request request = {0};
    AUTO(leman_evaluation_drop) leman_evaluation *evaluation = NULL;
    PASS(lm_kernels_single(ctx, &asked->kernels, "; leman compare takes several, and compares them"));
    work->several_classes = true;
    PASS(lm_tasks_check(work, asked));
    PASS(lm_request_read(work, asked, &request));
    if (lm_has_tasks(work)) return lm_tasks_evaluate(work, &request);
    lm_request_announce(work, &request, request.kernels, request.count);
    PASS(request.matrix
             ? leman_evaluate_matrix(ctx, request.matrix, &request.protocol, &evaluation)
             : leman_evaluate(ctx, request.data, request.kernels, request.count, &request.protocol, &evaluation));
    if (evaluation->resumed)
        lm_work_log(work, "%s: found %zu finished fold%s", asked->journal, evaluation->resumed,
                    lm_plural(evaluation->resumed));
    PASS((work->options->json ? fill_json : write_table)(work, &request, evaluation));
    leman_method method = {.kernels = request.kernels, .count = request.count, .evaluation = evaluation};
    return lm_page_write(work, asked->report, &request, &method, 1);
}

const lm_command lm_command_evaluate = {
    .name = "evaluate",
    .help = &LM_HELP_EVALUATE,
    LM_DATA_OPERAND,
    .ranks = true,
    .common = "algorithm repetitions target report json",
    .groups = {LM_KERNEL_GROUP, {"Protocol", LM_PROTOCOL_OPTIONS}, {"Result", LM_EVALUATION_RESULT}, LM_TAIL_GROUPS},
    .size = sizeof(lm_protocol_options),
    .run = evaluate_run,
};
