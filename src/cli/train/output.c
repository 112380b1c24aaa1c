/* Writes the results of leman train: JSON, a summary as text, and the log of its epochs. */
#include "cli/models.h"
#include "cli/mpi/ranks.h"
#include "cli/train/train.h"
#include <math.h>
#include <string.h>

/* Returns the mean absolute error of target t in epoch e, in the unit of the data. part: 0 validation, 1 test. */
static double error_of(const leman_history *h, size_t e, size_t part, size_t t)
{
    return h->target_error[(2 * e + part) * h->targets + t];
}

/* ---- The headline ---------------------------------------------------------------------------- */

/* The score by which the best epoch is judged: that of the test part or, if that is empty or unlabelled, of the
 * validation part. Scores are accuracies in percent, or errors in the unit that is learned. */
typedef struct headline {
    bool classes, tasks, tested;       /* classes: classes or tasks */
    double score, baseline, low, high; /* interval of an accuracy; NAN for an error */
} headline;

static leman_status compute_headline(leman_context *ctx, const lm_train_result *r, headline *out)
{
    leman_status st = LEMAN_OK;
    const leman_history *h = r->history;
    const leman_epoch *best = h->epoch + h->best;
    const size_t part = r->parts->count[2] && !isnan(best->test_error) ? 2 : 1, count = r->parts->count[part];
    const uint32_t *graph = r->parts->graph + r->parts->count[0] + (part == 2 ? r->parts->count[1] : 0);
    size_t scored = 0;
    headline l = {.classes = !h->targets, .tasks = h->tasks, .tested = part == 2, .low = NAN, .high = NAN};
    l.score = l.tested ? best->test_error : best->val_error;
    if (l.classes) l.score = 100 - l.score;
    if (h->tasks) {
        l.baseline = lm_train_tasks_baseline(r, graph, count); /* no interval: labels of a graph are dependent */
    } else if (l.classes) {
        TRY(leman_baseline(ctx, r->data, graph, count, LEMAN_NO_TARGET, &l.baseline));
        const size_t known = lm_known_classes(r->data, graph, count);
        TRY(leman_wilson_interval(ctx, (uint64_t)llround(l.score / 100 * (double)known), known, &l.low, &l.high));
    }
    for (size_t t = 0; t < h->targets; t++) {
        double error;
        TRY(leman_baseline(ctx, r->data, graph, count, h->target[t], &error));
        if (isnan(error)) continue;
        l.baseline += r->training.scale_targets ? error / h->deviation[t] : error;
        scored++;
    }
    if (scored) l.baseline /= (double)scored;
    *out = l;
done:
    return st;
}

/* Adds the headline as errors, like the rest of this object. The baseline is the error of a constant prediction. */
static void headline_json(lm_json *json, json_t *object, const headline *l)
{
    lm_json_text(json, object, "baseline_part", l->tested ? "test" : "validation");
    lm_json_text(json, object, "baseline_kind", l->classes ? "majority class" : "median");
    lm_json_real(json, object, "baseline", l->classes ? 100 - l->baseline : l->baseline);
    lm_json_real(json, object, "error_low", 100 - l->high);
    lm_json_real(json, object, "error_high", 100 - l->low);
}

static void headline_text(lm_output *out, const headline *l)
{
    char number[LM_NUMBER_TEXT], interval[LM_BASELINE_TEXT], baseline[LM_BASELINE_TEXT];
    lm_interval_text(l->classes, l->low, l->high, interval);
    lm_baseline_text(l->classes, l->score, l->baseline, l->low, l->high, baseline);
    lm_output_printf(out, "%s %s %s%s%s%s%s; %s\n", l->tested ? "test" : "validation",
                     l->classes ? "accuracy" : "error",
                     lm_score_text(l->score, l->classes ? 1 : LM_SIGNIFICANT, number), l->classes ? " %" : "",
                     l->tasks ? " of all labels" : "", *interval ? ", " : "", interval, baseline);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void epoch_json(lm_json *json, json_t *object, const leman_epoch *e)
{
    lm_json_count(json, object, "epoch", e->epoch);
    lm_json_real(json, object, "train_loss", e->train_loss);
    lm_json_real(json, object, "val_error", e->val_error);
    lm_json_real(json, object, "test_error", e->test_error);
    lm_json_real(json, object, "lr", e->learning_rate);
    lm_json_real(json, object, "seconds", e->seconds);
    lm_json_real(json, object, "val_loss", e->val_loss);
}

/* Adds the score by which the best epoch is chosen, and the AUC of tasks. */
static void scores_json(lm_json *json, json_t *object, const leman_history *h, size_t e)
{
    static const char *const KEYS[2] = {"val_auc", "test_auc"};
    lm_json_real(json, object, "val_score", h->score[2 * e]);
    lm_json_real(json, object, "test_score", h->score[2 * e + 1]);
    for (size_t part = 0; h->tasks && part < 2; part++) {
        json_t *list = lm_json_array(json, object, KEYS[part]);
        for (size_t t = 0; t < h->tasks; t++)
            lm_json_real(json, list, NULL, h->task_auc[(2 * e + part) * h->tasks + t]);
    }
}

static void errors_json(lm_json *json, json_t *object, const leman_history *h, size_t e)
{
    static const char *const KEYS[2][3] = {{"val_mae", "val_standardised_mae", "val_log_mae"},
                                           {"test_mae", "test_standardised_mae", "test_log_mae"}};
    if (!h->targets) return;
    for (size_t part = 0; part < 2; part++) {
        double mean, log_mean;
        json_t *list = lm_json_array(json, object, KEYS[part][0]);
        for (size_t t = 0; t < h->targets; t++) lm_json_real(json, list, NULL, error_of(h, e, part, t));
        leman_history_standardized(h, e, part, &mean, &log_mean);
        lm_json_real(json, object, KEYS[part][1], mean);
        lm_json_real(json, object, KEYS[part][2], log_mean);
    }
}

void lm_history_json(lm_json *json, json_t *object, const leman_history *h)
{
    json_t *list = lm_json_array(json, object, "epochs");
    for (size_t e = 0; e < h->epochs; e++) {
        json_t *row = lm_json_object(json, list, NULL);
        epoch_json(json, row, h->epoch + e);
        scores_json(json, row, h, e);
        errors_json(json, row, h, e);
    }
    if (h->best == SIZE_MAX) {
        lm_json_null(json, object, "best");
    } else {
        json_t *best = lm_json_object(json, object, "best");
        epoch_json(json, best, h->epoch + h->best);
        scores_json(json, best, h, h->best);
        errors_json(json, best, h, h->best);
    }
    lm_json_text(json, object, "selected_by", leman_score_name(h->selected_by));
    list = lm_json_array(json, object, "targets");
    for (size_t t = 0; t < h->targets; t++) {
        json_t *row = lm_json_object(json, list, NULL);
        lm_json_count(json, row, "target", h->target[t]);
        lm_json_real(json, row, "mean", h->mean[t]);
        lm_json_real(json, row, "deviation", h->deviation[t]);
    }
    lm_json_bool(json, object, "converged", h->converged);
    lm_json_count(json, object, "resumed", h->resumed);
}

void lm_network_name_json(lm_json *json, json_t *object, const leman_architecture *architecture)
{
    char name[64];
    leman_architecture_paper_name(architecture, name, sizeof name);
    lm_json_text(json, object, "model", leman_network_kind_name(architecture->kind));
    lm_json_text(json, object, "method", name);
}

void lm_network_json(lm_json *json, json_t *object, const leman_network_shape *shape)
{
    lm_network_name_json(json, object, shape->architecture);
    lm_json_count(json, object, "k", shape->architecture->k);
    lm_json_text(json, object, "preset", leman_preset_name(shape->architecture->preset));
    lm_json_count(json, object, "layers", shape->architecture->layers);
    lm_json_count(json, object, "width", shape->architecture->width);
    lm_json_bool(json, object, "in_arcs", shape->architecture->in_arcs);
    lm_json_count(json, object, "parameters", shape->parameters);
    lm_json_text(json, object, "precision", leman_precision_name(shape->precision));
    lm_json_count(json, object, "types", shape->types);
    lm_json_text(json, object, "learns", shape->class_label ? "classes" : shape->task_label ? "tasks" : "targets");
    lm_json_count(json, object, "outputs", shape->outputs);
    json_t *names = lm_json_array(json, object, "class_names");
    for (size_t c = 0; shape->class_name && c < shape->outputs; c++)
        lm_json_text(json, names, NULL, shape->class_name[c]);
}

static leman_status write_json(lm_work *work, const lm_train_result *r)
{
    leman_status st = LEMAN_OK;
    lm_json json = lm_json_new();
    lm_output *out;
    lm_json_text(&json, json.object, "name", leman_dataset_shape(r->data)->name);
    lm_network_json(&json, json.object, leman_network_describe(r->network));
    lm_json_count(&json, json.object, "weight_bytes", r->history->weight_bytes);
    lm_json_count(&json, json.object, "activation_bytes", r->history->activation_bytes);
    lm_json_count(&json, json.object, "train", r->parts->count[0]);
    lm_json_count(&json, json.object, "val", r->parts->count[1]);
    lm_json_count(&json, json.object, "test", r->parts->count[2]);
    lm_json_count(&json, json.object, "batch", r->training.batch_size);
    lm_json_text(&json, json.object, "class_weights", r->class_weights);
    lm_json_count(&json, json.object, "seed", work->options->seed);
    lm_history_json(&json, json.object, r->history);
    lm_train_tasks_json(&json, json.object, r);
    if (r->runs) lm_train_runs_json(&json, json.object, r->runs);
    if (r->history->best != SIZE_MAX) {
        headline l;
        TRY(compute_headline(work->ctx, r, &l));
        headline_json(&json, json.object, &l);
    }
    lm_json_real(&json, json.object, "seconds", r->seconds);
    TRY(lm_ranks_json(work->ctx, &json));
    TRY(lm_work_results(work, &out));
    TRY(lm_json_write(work->ctx, &json, out));
done:
    lm_json_free(&json);
    return st;
}

/* ---- The log --------------------------------------------------------------------------------- */

leman_status lm_train_log(leman_context *ctx, const leman_history *history, const char *path)
{
    leman_status st = LEMAN_OK;
    lm_output out = {0};
    if (lm_path_ends(path, ".csv")) return leman_history_write(ctx, history, path);
    lm_json json = lm_json_new();
    TRY(lm_output_open(ctx, path, &out));
    lm_history_json(&json, json.object, history);
    TRY(lm_json_write(ctx, &json, &out));
    TRY(lm_output_commit(&out));
done:
    lm_json_free(&json);
    lm_output_abort(&out);
    return st;
}

/* ---- For people ------------------------------------------------------------------------------ */

/* Adds a cell, "-" for NAN. */
static void table_error(lm_table *table, double error)
{
    if (isnan(error))
        lm_table_cell(table, "-");
    else
        lm_table_cell(table, "%.4g", error);
}

static leman_status targets_table(lm_work *work, const leman_history *h, lm_output *out)
{
    lm_table table = {.ctx = work->ctx, .align = "rrrrr"};
    static const char *const HEAD[] = {"target", "deviation", "validation MAE", "test MAE", "over the deviation"};
    for (size_t i = 0; i < sizeof HEAD / sizeof *HEAD; i++) lm_table_cell(&table, "%s", HEAD[i]);
    for (size_t t = 0; t < h->targets; t++) {
        const double test = error_of(h, h->best, 1, t);
        lm_table_cell(&table, "%zu", h->target[t]);
        lm_table_cell(&table, "%.4g", h->deviation[t]);
        table_error(&table, error_of(h, h->best, 0, t));
        table_error(&table, test);
        table_error(&table, test / h->deviation[t]);
    }
    leman_status st = lm_table_write(&table, out);
    lm_table_free(&table);
    return st;
}

/* Writes the score by which the epoch was chosen, unless that is its error. */
static void selected_text(lm_output *out, const leman_history *h)
{
    const double *score = h->score + 2 * h->best;
    char text[2][LM_NUMBER_TEXT];
    if (h->selected_by != LEMAN_SCORE_BALANCED && h->selected_by != LEMAN_SCORE_AUC) return;
    lm_output_printf(out, "selected by %s: validation %s %%", leman_score_name(h->selected_by),
                     lm_score_text(score[0], 1, text[0]));
    if (!isnan(score[1])) lm_output_printf(out, ", test %s %%", lm_score_text(score[1], 1, text[1]));
    lm_output_printf(out, "\n");
}

static leman_status write_text(lm_work *work, const lm_train_result *r)
{
    leman_status st = LEMAN_OK;
    const leman_history *h = r->history;
    const leman_network_shape *shape = leman_network_describe(r->network);
    const char *unit = shape->class_label || shape->task_label ? " %" : "";
    char text[4][LM_NUMBER_TEXT], name[64];
    lm_output *out;
    TRY(lm_work_results(work, &out));
    leman_architecture_paper_name(shape->architecture, name, sizeof name);
    lm_output_printf(out, "%s, %zu layer%s of width %zu: %s parameter%s", name, shape->architecture->layers,
                     lm_plural(shape->architecture->layers), shape->architecture->width,
                     lm_count_text(shape->parameters, text[0]), lm_plural(shape->parameters));
    if (shape->types)
        lm_output_printf(out, ", %s type%s", lm_count_text(shape->types, text[1]), lm_plural(shape->types));
    lm_output_printf(out, "\n");
    if (!h->epochs)
        lm_output_printf(out, "weights, gradients and moments %s, the largest batch %s\n",
                         lm_bytes_text(h->weight_bytes, text[2]), lm_bytes_text(h->activation_bytes, text[3]));
    if (h->best != SIZE_MAX) {
        const leman_epoch *best = h->epoch + h->best;
        if (r->runs) lm_output_printf(out, "run %zu, the best in validation; ", h->run);
        lm_output_printf(out, "best of %zu epoch%s: %llu, validation error %.4g%s", h->epochs, lm_plural(h->epochs),
                         (unsigned long long)best->epoch, best->val_error, unit);
        if (!isnan(best->test_error)) lm_output_printf(out, ", test error %.4g%s", best->test_error, unit);
        lm_output_printf(out, "; %s\n", lm_seconds_text(r->seconds, text[0]));
        selected_text(out, h);
        headline l;
        TRY(compute_headline(work->ctx, r, &l));
        headline_text(out, &l);
        if (h->targets > 1) TRY(targets_table(work, h, out));
        if (h->tasks) TRY(lm_train_tasks_table(work, r, out));
        if (r->runs) lm_train_runs_text(out, r->runs);
    }
    TRY(lm_output_write(out, "", 0));
done:
    return st;
}

leman_status lm_train_write(lm_work *work, const lm_train_result *result)
{
    return work->options->json ? write_json(work, result) : write_text(work, result);
}
