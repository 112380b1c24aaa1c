/* leman train --folds: chooses layers and width by validation in every fold of every repetition. */
#include "cli/networks.h"
#include "cli/train/train.h"
#include <math.h>

/* Returns the mean test score of the folds in which it is not NAN. */
static double mean_score(const leman_network_evaluation *e)
{
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < e->repetitions * e->folds; i++) {
        if (isnan(e->test_score[i])) continue;
        sum += e->test_score[i];
        known++;
    }
    return known ? sum / (double)known : NAN;
}

static leman_status write_json(lm_work *work, const lm_train_result *r, const char *path,
                               const leman_network_evaluation *e)
{
    leman_status st = LEMAN_OK;
    lm_json json = lm_json_new();
    const leman_architecture *a = &r->architecture;
    lm_output *out;
    lm_json_text(&json, json.object, "name", leman_dataset_shape(r->data)->name);
    lm_network_name_json(&json, json.object, a);
    lm_json_count(&json, json.object, "k", leman_architecture_k(a));
    lm_json_text(&json, json.object, "preset", leman_preset_name(a->preset));
    lm_json_text(&json, json.object, "score", e->classes ? "accuracy" : "mean absolute error");
    lm_json_real(&json, json.object, "test_mean", e->test_mean);
    lm_json_real(&json, json.object, "test_std", e->test_std);
    lm_json_real(&json, json.object, "test_std_folds", e->test_std_folds);
    lm_json_real(&json, json.object, "test_score_mean", mean_score(e));
    lm_json_real(&json, json.object, "test_low", e->test_low);
    lm_json_real(&json, json.object, "test_high", e->test_high);
    lm_json_real(&json, json.object, "baseline", e->baseline);
    lm_json_text(&json, json.object, "baseline_kind", e->classes ? "majority class" : "median");
    lm_json_count(&json, json.object, "repetitions", e->repetitions);
    lm_json_count(&json, json.object, "folds", e->folds);
    lm_json_count(&json, json.object, "seed", work->options->seed);
    lm_json_text(&json, json.object, "splits", path);
    lm_json_text(&json, json.object, "class_weights", r->class_weights);
    lm_json_text(&json, json.object, "selected_by", leman_score_name(e->selected_by));
    lm_train_folds_tasks_json(&json, json.object, r, e);
    lm_json_count(&json, json.object, "resumed", e->resumed);
    json_t *list = lm_json_array(&json, json.object, "choices");
    for (size_t i = 0; i < e->repetitions * e->folds; i++) {
        const leman_network_fold *fold = e->fold + i;
        json_t *object = lm_json_object(&json, list, NULL);
        lm_json_count(&json, object, "repetition", fold->repetition);
        lm_json_count(&json, object, "fold", fold->fold);
        lm_json_count(&json, object, "layers", fold->layers);
        lm_json_count(&json, object, "width", fold->width);
        lm_json_count(&json, object, "epoch", fold->epoch);
        lm_json_real(&json, object, "validation", fold->validation);
        lm_json_real(&json, object, "test", fold->test);
        lm_json_real(&json, object, "test_score", e->test_score[i]);
        lm_json_real(&json, object, "seconds", fold->seconds);
    }
    lm_json_real(&json, json.object, "seconds", r->seconds);
    TRY(lm_work_results(work, &out));
    TRY(lm_json_write(work->ctx, &json, out));
done:
    lm_json_free(&json);
    return st;
}

static leman_status write_text(lm_work *work, const lm_train_result *r, const leman_network_evaluation *e)
{
    leman_status st = LEMAN_OK;
    const char *unit = e->classes ? " %" : "";
    char text[LM_NUMBER_TEXT], name[64], interval[LM_BASELINE_TEXT], baseline[LM_BASELINE_TEXT];
    lm_output *out;
    leman_architecture_paper_name(&r->architecture, name, sizeof name);
    TRY(lm_work_results(work, &out));
    lm_output_printf(out, "%s on %s: %s %.4g%s, %zu repetition%s of %zu fold%s", name,
                     leman_dataset_shape(r->data)->name, e->classes ? "accuracy" : "error", e->test_mean, unit,
                     e->repetitions, lm_plural(e->repetitions), e->folds, lm_plural(e->folds));
    if (!isnan(e->test_std)) lm_output_printf(out, ", +- %.2g%s over repetitions", e->test_std, unit);
    if (!isnan(e->test_std_folds)) lm_output_printf(out, ", +- %.2g%s over folds", e->test_std_folds, unit);
    lm_interval_text(e->classes, e->test_low, e->test_high, interval);
    lm_output_printf(out, "; %s\n", lm_seconds_text(r->seconds, text));
    if (e->selected_by == LEMAN_SCORE_BALANCED || e->selected_by == LEMAN_SCORE_AUC)
        lm_output_printf(out, "selected by %s: test %s %%\n", leman_score_name(e->selected_by),
                         lm_score_text(mean_score(e), 1, text));
    lm_output_printf(out, "%s%s", interval, *interval ? "; " : "");
    lm_output_printf(out, "%s\n",
                     lm_baseline_text(e->classes, e->test_mean, e->baseline, e->test_low, e->test_high, baseline));
    TRY(lm_train_folds_tasks_table(work, r, e, out));
    TRY(lm_output_write(out, "", 0));
done:
    return st;
}

bool lm_train_by_folds(const lm_train_options *options)
{
    return options->folds || options->splits;
}

leman_status lm_train_folds(lm_work *work, const lm_train_options *o, lm_train_result *r)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = work->ctx;
    leman_network_protocol protocol = leman_network_protocol_default();
    leman_network_evaluation *evaluation = NULL;
    leman_splits *splits = NULL;
    size_t *layers = NULL, *widths = NULL;
    TRY(lm_ranges_list(ctx, "--layers", &o->layers, &layers, &protocol.layers_count));
    TRY(lm_ranges_list(ctx, "--width", &o->width, &widths, &protocol.widths_count));
    protocol.layers = layers;
    protocol.widths = widths;
    if (o->folds) protocol.folds = (size_t)o->folds;
    if (o->repetitions) protocol.repetitions = (size_t)o->repetitions;
    if (o->splits) {
        TRY(leman_splits_read(ctx, r->data, o->splits, &splits));
        TRY(lm_splits_check(ctx, o->splits, splits, o->repetitions, o->folds));
        protocol.splits = splits;
    } else if (o->scaffold) {
        TRY(lm_scaffold_splits(work, r->data, protocol.repetitions, protocol.folds, &splits));
        protocol.splits = splits;
    }
    protocol.journal = o->checkpoint;
    protocol.resume = o->resume;
    if (!o->plateau) r->details.plateau_on_accuracy = true; /* as published; so is the next line */
    r->details.best_must_improve = true;
    const double began = lm_now();
    TRY(leman_network_evaluate(ctx, r->data, &r->architecture, &r->training, &protocol, &evaluation));
    r->seconds = lm_now() - began;
    TRY(work->options->json ? write_json(work, r, o->splits, evaluation) : write_text(work, r, evaluation));
done:
    leman_network_evaluation_free(evaluation);
    leman_splits_free(splits);
    lm_free(ctx, layers);
    lm_free(ctx, widths);
    return st;
}
