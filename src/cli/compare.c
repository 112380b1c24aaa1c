/* leman compare: several kernels on the same splits, and which differences are significant. */
#include "cli/commands.h"
#include "cli/options/files.h"
#include "cli/options/protocol.h"
#include "cli/page.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct compare_options {
    lm_protocol_options protocol;
} compare_options;

typedef struct result {
    const lm_request *request;
    size_t methods, pairs;
    leman_method *method;          /* [methods] one for every -a: its kernels */
    leman_evaluation **evaluation; /* [methods] */
    leman_pair_comparison *pair;   /* [pairs] */
} result;

/* ---- Every method, every pair ---------------------------------------------------------------- */

/* Kernels of one -a are a method, their sum. */
static leman_status name_methods(leman_context *ctx, const lm_texts *names, result *r)
{
    leman_status st = LEMAN_OK;
    const char *const *name = names->text.items;
    const leman_kernel *next = r->request->kernels;
    r->methods = names->text.count;
    if (r->methods < 2)
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "found %zu method%s, expected at least two: -a 1-WL -a delta-2-LWL", r->methods,
             lm_plural(r->methods));
    NEW(ctx, r->method, r->methods);
    NEW(ctx, r->evaluation, r->methods);
    memset(r->evaluation, 0, r->methods * sizeof *r->evaluation);
    for (size_t i = 0; i < r->methods; i++) {
        r->method[i] = (leman_method){.kernels = next, .count = leman_kernels_count(name[i])};
        next += r->method[i].count;
    }
done:
    return st;
}

/* Each has a journal of its own: FILE.1, FILE.2, ... */
static leman_status evaluate_all(lm_work *work, result *r)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = work->ctx;
    leman_protocol protocol = r->request->protocol;
    const char *path = protocol.journal;
    size_t size = (path ? strlen(path) : 0) + 24;
    char *journal = NULL;
    NEW(ctx, journal, size);
    for (size_t i = 0; path && i < r->methods; i++) {
        snprintf(journal, size, "%s.%zu", path, i + 1);
        TRY(lm_files_add(work, "--resume", journal));
    }
    for (size_t i = 0; i < r->methods; i++) {
        leman_method *m = r->method + i;
        snprintf(journal, size, "%s.%zu", path ? path : "", i);
        if (path) protocol.journal = journal;
        TRY(leman_evaluate(ctx, r->request->data, m->kernels, m->count, &protocol, r->evaluation + i));
        m->evaluation = r->evaluation[i];
    }
done:
    lm_free(ctx, journal);
    return st;
}

/* ---- Output ---------------------------------------------------------------------------------- */

static void json_method(lm_json *json, json_t *object, const leman_method *method)
{
    const leman_evaluation *e = method->evaluation;
    lm_algorithm_json(json, object, method->kernels, method->count);
    lm_json_text(json, object, "machine", leman_svm_name(e->svm));
    lm_json_real(json, object, "test_mean", e->test_mean);
    lm_json_real(json, object, "test_std", e->test_std);
    lm_json_real(json, object, "test_std_folds", e->test_std_folds);
    lm_json_real(json, object, "train_mean", e->train_mean);
    lm_json_real(json, object, "balanced_mean", e->balanced_mean);
    lm_json_real(json, object, "auc_mean", e->auc_mean);
    lm_json_real(json, object, "rmse_mean", e->rmse_mean);
    lm_json_real(json, object, "r2_mean", e->r2_mean);
    lm_json_real(json, object, "seconds_features", e->seconds_features);
    lm_json_real(json, object, "seconds_svm", e->seconds_svm);
    json_t *tests = lm_json_array(json, object, "test");
    json_t *rounds = lm_json_array(json, object, "rounds"), *C = lm_json_array(json, object, "C");
    for (size_t i = 0; i < e->splits->repetitions * e->splits->folds; i++) {
        lm_json_real(json, tests, NULL, e->fold[i].test);
        lm_json_real(json, C, NULL, e->fold[i].C);
        if (e->has_rounds)
            lm_json_count(json, rounds, NULL, e->fold[i].rounds);
        else
            lm_json_null(json, rounds, NULL);
    }
}

static leman_status write_json(leman_context *ctx, const result *r, lm_output *out)
{
    lm_json json = lm_json_new();
    const leman_evaluation *e = r->evaluation[0];
    lm_json_text(&json, json.object, "name", leman_dataset_shape(r->request->data)->name);
    lm_request_json(&json, json.object, r->request, e);
    json_t *methods = lm_json_array(&json, json.object, "methods");
    for (size_t i = 0; i < r->methods; i++) json_method(&json, lm_json_object(&json, methods, NULL), r->method + i);
    json_t *pairs = lm_json_array(&json, json.object, "pairs");
    for (size_t i = 0; i < r->pairs; i++) {
        const leman_pair_comparison *p = r->pair + i;
        json_t *object = lm_json_object(&json, pairs, NULL);
        lm_json_count(&json, object, "first", p->first);
        lm_json_count(&json, object, "second", p->second);
        lm_json_real(&json, object, "difference", p->comparison.difference);
        lm_json_real(&json, object, "t", p->comparison.t);
        lm_json_count(&json, object, "degrees_of_freedom", p->comparison.degrees_of_freedom);
        lm_json_count(&json, object, "freedom", p->comparison.degrees_of_freedom); /* old name */
        lm_json_real(&json, object, "p", p->comparison.p);
        lm_json_real(&json, object, "p_holm", p->p_holm);
    }
    leman_status st = lm_json_write(ctx, &json, out);
    lm_json_free(&json);
    return st;
}

static void table_methods(lm_table *table, const result *r)
{
    static const char *const HEAD[] = {"", "method", "test", "repetitions", "folds", "train", "SVM"};
    for (size_t i = 0; i < sizeof HEAD / sizeof *HEAD; i++) lm_table_cell(table, "%s", HEAD[i]);
    for (size_t i = 0; i < r->methods; i++) {
        const leman_evaluation *e = r->evaluation[i];
        char text[128], number[LM_NUMBER_TEXT];
        int decimals = e->classes ? 2 : LM_SIGNIFICANT;
        lm_table_cell(table, "%zu", i);
        leman_kernels_paper_name(r->method[i].kernels, r->method[i].count, text, sizeof text);
        lm_table_cell(table, "%s", text);
        lm_table_cell(table, "%s", lm_score_text(e->test_mean, decimals, number));
        lm_table_cell(table, "+- %s", lm_score_text(e->test_std, decimals, number));
        lm_table_cell(table, "+- %s", lm_score_text(e->test_std_folds, decimals, number));
        lm_table_cell(table, "%s", lm_score_text(e->train_mean, decimals, number));
        lm_table_cell(table, "%s", leman_svm_name(e->svm));
    }
}

static void table_pairs(lm_table *table, const result *r)
{
    static const char *const HEAD[] = {"pair", "difference", "t", "p", "p (Holm)", ""};
    for (size_t i = 0; i < sizeof HEAD / sizeof *HEAD; i++) lm_table_cell(table, "%s", HEAD[i]);
    for (size_t i = 0; i < r->pairs; i++) {
        const leman_pair_comparison *p = r->pair + i;
        const leman_comparison *c = &p->comparison;
        char text[LM_NUMBER_TEXT];
        lm_table_cell(table, "%zu - %zu", p->first, p->second);
        lm_table_cell(table, "%s%s", c->difference > 0 ? "+" : "",
                      lm_score_text(c->difference, r->evaluation[0]->classes ? 2 : LM_SIGNIFICANT, text));
        lm_table_cell(table, "%s", lm_score_text(c->t, 2, text));
        lm_table_cell(table, "%s", lm_score_text(c->p, 3, text));
        lm_table_cell(table, "%s", lm_score_text(p->p_holm, 3, text));
        lm_table_cell(table, "%s", isnan(p->p_holm) ? "not tested" : p->p_holm < 0.05 ? "differ" : "not significant");
    }
}

static leman_status write_tables(leman_context *ctx, const result *r, lm_output *out)
{
    leman_status st = LEMAN_OK;
    lm_table methods = {.ctx = ctx, .align = "rlrrrrl"}, pairs = {.ctx = ctx, .align = "lrrrrl"};
    const leman_splits *splits = r->evaluation[0]->splits;
    TRY(lm_output_printf(out, "%s: %s, %zu repetition%s of %zu fold%s, seed %llu\n\n",
                         leman_dataset_shape(r->request->data)->name,
                         r->evaluation[0]->classes ? "test accuracy in percent" : "mean absolute test error",
                         splits->repetitions, lm_plural(splits->repetitions), splits->folds, lm_plural(splits->folds),
                         (unsigned long long)r->evaluation[0]->seed));
    table_methods(&methods, r);
    TRY(lm_table_write(&methods, out));
    TRY(lm_write_text(out, "\n"));
    table_pairs(&pairs, r);
    TRY(lm_table_write(&pairs, out));
    TRY(lm_write_text(
        out, splits->repetitions * splits->folds == 1
                 ? "\nOne fold allows no test: it takes at least two to see how much scores vary.\n"
                 : "\nCorrected resampled t-test, two-sided, on the same folds; the last p is corrected for the "
                   "number of pairs.\n"));
done:
    lm_table_free(&methods);
    lm_table_free(&pairs);
    return st;
}

/* ---- The command ----------------------------------------------------------------------------- */

static leman_status compare_run(lm_work *work, const void *options)
{
    leman_status st = LEMAN_OK;
    const compare_options *asked = options;
    leman_context *ctx = work->ctx;
    lm_request request = {0};
    result r = {.request = &request};
    lm_output *out;
    if (asked->protocol.kernels.weights)
        FAIL(ctx, LEMAN_ERROR_ARGUMENT,
             "found --weights, which compare does not take: each kernel of a sum (-a A+B) has weight 1");
    TRY(lm_request_read(work, &asked->protocol, &request));
    TRY(name_methods(ctx, &asked->protocol.kernels.algorithms, &r));
    TRY(evaluate_all(work, &r));
    r.pairs = r.methods * (r.methods - 1) / 2;
    NEW(ctx, r.pair, r.pairs);
    TRY(leman_compare_all(ctx, (const leman_evaluation *const *)r.evaluation, r.methods, r.pair));
    TRY(lm_work_results(work, &out));
    TRY(work->options->json ? write_json(ctx, &r, out) : write_tables(ctx, &r, out));
    TRY(lm_page_write(work, asked->protocol.report, &request, r.method, r.methods));
done:
    for (size_t i = 0; r.evaluation && i < r.methods; i++) leman_evaluation_free(r.evaluation[i]);
    lm_free(ctx, r.evaluation);
    lm_free(ctx, r.method);
    lm_free(ctx, r.pair);
    lm_request_free(ctx, &request);
    return st;
}

const lm_command lm_command_compare = {
    .name = "compare",
    .summary = "several kernels on the same splits, with a test of every difference",
    .description =
        "Evaluates every -a by itself, as leman evaluate does, on the same folds, and compares each pair of them by "
        "the "
        "corrected resampled t-test (Nadeau and Bengio): t = mean difference over the folds / sqrt((1/J + 1/9) "
        "variance) "
        "for J folds of a tenth each, with J - 1 degrees of freedom. p is the probability of such a difference, or a "
        "larger one, between methods that are equally good; with many pairs some p is small by chance, so the last "
        "column "
        "is corrected for their number (Holm). A method is what one -a says: a kernel, one with assignment (-a "
        "delta-2-LWL:assignment), or a sum (-a delta-2-LWL+SP, each with weight 1).\n\n" LM_DATA_TEXT LM_REPORT_TEXT
        "\n\nWith --json: methods (algorithm, method, k, test_mean, test_std and so on, and the test score of "
        "every fold) and pairs (first, second, difference, t, degrees_of_freedom, p, p_holm).",
    .operand = {{"DATA", NULL}},
    .required = 1,
    .groups = {{"Kernels", LM_KERNEL_OPTIONS},
               {"Protocol", LM_PROTOCOL_OPTIONS},
               {"Result", LM_EVALUATION_RESULT},
               {"Colourings", LM_COLORING_TAIL},
               {"Reading", LM_READING_OPTIONS},
               {"General", LM_GENERAL_OPTIONS}},
    .examples = {{"leman compare MUTAG.zip -a 1-WL -a WLOA -a delta-2-LWL", "which of three is better, if any"},
                 {"leman compare MUTAG.zip -a LWL2 -a LWL2:assignment -a LWL2+SP",
                  "the same colouring with minima, and with shortest paths added"},
                 {"leman compare MUTAG.zip -a 2-WL -a delta-2-LWL --repetitions 1 --json", "for scripts"}},
    .size = sizeof(compare_options),
    .prepare = lm_protocol_prepare,
    .run = compare_run,
};
