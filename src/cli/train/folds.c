/* leman train --folds: chooses layers and width by validation in every fold of every repetition. */
#include "base/drop.h"
#include "cli/networks.h"
#include "cli/tasks.h"
#include "cli/train/train.h"
#include <math.h>

static void fill_json(lm_work *work, const lm_train_result *r, const char *path, const leman_network_evaluation *e)
{
    lm_json *json = &work->json;
    const leman_architecture *a = &r->architecture;
    const size_t folds = e->repetitions * e->folds;
    LM_PUT(json, json->object, KEY("name", leman_dataset_shape(r->data)->name));
    lm_network_name_json(json, json->object, a);
    LM_PUT(json, json->object, KEY("k", leman_architecture_k(a)), KEY("preset", leman_preset_name(a->preset)),
           KEY("score", e->classes ? "accuracy" : "mean absolute error"), MEMBER(e, test_mean), MEMBER(e, test_std),
           MEMBER(e, test_std_folds), KEY("test_score_mean", lm_mean_known(e->test_score, folds, 1)),
           MEMBER(e, test_low), MEMBER(e, test_high), MEMBER(e, baseline),
           KEY("baseline_kind", e->classes ? "majority class" : "median"), MEMBER(e, repetitions), MEMBER(e, folds),
           MEMBER(work->options, seed), KEY("splits", path), MEMBER(r, class_weights),
           KEY("selected_by", leman_score_name(e->selected_by)));
    lm_train_tasks_json(json, json->object, r, e);
    LM_PUT(json, json->object, MEMBER(e, resumed));
    LM_PUT_ROWS(json, json->object, "choices", fold, e->fold, folds, MEMBER(fold, repetition), MEMBER(fold, fold),
                MEMBER(fold, layers), MEMBER(fold, width), MEMBER(fold, epoch), MEMBER(fold, validation),
                MEMBER(fold, test), KEY("test_score", e->test_score[i]), MEMBER(fold, seconds));
    LM_PUT(json, json->object, MEMBER(r, seconds));
}

static leman_status write_text(lm_work *work, const lm_train_result *r, const leman_network_evaluation *e)
{
    const char *unit = e->classes ? " %" : "";
    char name[96];
    lm_output *out;
    leman_architecture_paper_name(&r->architecture, name, sizeof name);
    PASS(lm_work_results(work, &out));
    lm_output_printf(out, "%s on %s: %s %.4g%s, %s", name, leman_dataset_shape(r->data)->name,
                     e->classes ? "accuracy" : "error", e->test_mean, unit, FOLDS_TEXT(e));
    if (!isnan(e->test_std)) lm_output_printf(out, ", +- %.2g%s over repetitions", e->test_std, unit);
    if (!isnan(e->test_std_folds)) lm_output_printf(out, ", +- %.2g%s over folds", e->test_std_folds, unit);
    lm_output_printf(out, "; %s\n", SECONDS_TEXT(r->seconds));
    if (e->selected_by == LEMAN_SCORE_BALANCED || e->selected_by == LEMAN_SCORE_AUC)
        lm_output_printf(out, "selected by %s: test %s %%\n", leman_score_name(e->selected_by),
                         SCORE_TEXT(lm_mean_known(e->test_score, e->repetitions * e->folds, 1), 1));
    const char *interval = INTERVAL_TEXT(e->classes, e->test_low, e->test_high);
    lm_output_printf(out, "%s%s%s\n", interval, *interval ? "; " : "",
                     BASELINE_TEXT(e->classes, e->test_mean, e->baseline, e->test_low, e->test_high));
    PASS(lm_train_tasks_table(work, r, e, out));
    return lm_output_write(out, "", 0);
}

bool lm_train_by_folds(const lm_train_options *options)
{
    return options->folds || options->splits;
}

leman_status lm_train_folds(lm_work *work, const lm_train_options *o, lm_train_result *r)
{
    leman_context *ctx = work->ctx;
    leman_network_protocol protocol = leman_network_protocol_default();
    AUTO(leman_network_evaluation_drop) leman_network_evaluation *evaluation = NULL;
    AUTO(leman_splits_drop) leman_splits *splits = NULL;
    size_t *layers = NULL, *widths = NULL;
    PASS(lm_ranges_list(ctx, "--layers", &o->layers, LM_NETWORK_CHOICES, &layers, &protocol.layers_count));
    PASS(lm_ranges_list(ctx, "--width", &o->width, LM_NETWORK_CHOICES, &widths, &protocol.widths_count));
    protocol.layers = layers;
    protocol.widths = widths;
    if (o->folds) protocol.folds = (size_t)o->folds;
    if (o->repetitions) protocol.repetitions = (size_t)o->repetitions;
    if (o->splits) {
        PASS(leman_splits_read(ctx, r->data, o->splits, &splits));
        PASS(lm_splits_check(ctx, o->splits, splits, o->repetitions, o->folds));
        protocol.splits = splits;
    } else if (o->scaffold) {
        PASS(lm_scaffold_splits(work, r->data, protocol.repetitions, protocol.folds, &splits));
        protocol.splits = splits;
    }
    protocol.journal = o->checkpoint;
    protocol.resume = o->resume;
    if (!o->plateau && r->training.schedule == LEMAN_SCHEDULE_PLATEAU)
        r->details.plateau_on_accuracy = true; /* as published; so is the next line */
    r->details.best_must_improve = true;
    const double began = lm_now();
    PASS(leman_network_evaluate(ctx, r->data, &r->architecture, &r->training, &protocol, &evaluation));
    r->seconds = lm_now() - began;
    if (!work->options->json) return write_text(work, r, evaluation);
    fill_json(work, r, o->splits, evaluation);
    return LEMAN_OK;
}
