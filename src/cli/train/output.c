/* Writes the results of leman train: JSON, a summary as text, and the logs of its epochs. --runs: trains the same network
 * from several random starts on the same parts. */
#include "cli/models.h"
#include "cli/mpi/ranks.h"
#include "cli/options/files.h"
#include "cli/tasks.h"
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
    bool classes, tasks, tested; /* classes: classes or tasks */
    lm_judgement j;
} headline;

static leman_status compute_headline(leman_context *ctx, const lm_train_result *r, headline *out)
{
    const leman_history *h = r->history;
    const leman_epoch *best = h->epoch + h->best;
    const leman_parts *parts = r->training.level ? r->row_parts : r->parts;
    const size_t part = parts->count[2] && !isnan(best->test_error) ? 2 : 1, count = parts->count[part];
    const uint32_t *graph = parts->graph + parts->count[0] + (part == 2 ? parts->count[1] : 0);
    headline l = {.classes = !h->targets, .tasks = h->tasks, .tested = part == 2, .j = {.low = NAN, .high = NAN}};
    l.j.score = l.tested ? best->test_error : best->val_error;
    if (l.classes) l.j.score = 100 - l.j.score;
    if (h->tasks)
        l.j.baseline = lm_train_tasks_baseline(r, graph, count); /* no interval: labels of a graph are dependent */
    else
        PASS(lm_judge(ctx, r->training.level ? r->rows : r->data, graph, count, l.classes ? NULL : h->target,
                      h->targets, r->training.scale_targets ? h->deviation : NULL, &l.j));
    *out = l;
    return LEMAN_OK;
}

/* Adds the headline as errors, like the rest of this object. The baseline is the error of a constant prediction. */
static void headline_json(lm_json *json, json_t *object, const headline *l)
{
    LM_PUT(json, object, KEY("baseline_part", l->tested ? "test" : "validation"),
           KEY("baseline_kind", l->classes ? "majority class" : "median"),
           KEY("baseline", l->classes ? 100 - l->j.baseline : l->j.baseline), KEY("error_low", 100 - l->j.high),
           KEY("error_high", 100 - l->j.low));
}

static void headline_text(lm_output *out, const headline *l)
{
    const char *interval = INTERVAL_TEXT(l->classes, l->j.low, l->j.high);
    lm_output_printf(out, "%s %s %s%s%s%s%s; %s\n", l->tested ? "test" : "validation",
                     l->classes ? "accuracy" : "error", SCORE_TEXT(l->j.score, l->classes ? 1 : LM_SIGNIFICANT),
                     l->classes ? " %" : "", l->tasks ? " of all labels" : "", *interval ? ", " : "", interval,
                     BASELINE_TEXT(l->classes, l->j.score, l->j.baseline, l->j.low, l->j.high));
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void epoch_json(lm_json *json, json_t *object, const leman_epoch *e)
{
    LM_PUT(json, object, MEMBER(e, epoch), MEMBER(e, train_loss), MEMBER(e, val_error), MEMBER(e, test_error),
           KEY("lr", e->learning_rate), MEMBER(e, seconds), MEMBER(e, val_loss));
}

/* Adds the score by which the best epoch is chosen, and the AUC of tasks. */
static void scores_json(lm_json *json, json_t *object, const leman_history *h, size_t e)
{
    static const char *const KEYS[2] = {"val_auc", "test_auc"};
    LM_PUT(json, object, KEY("val_score", h->score[2 * e]), KEY("test_score", h->score[2 * e + 1]));
    for (size_t part = 0; h->tasks && part < 2; part++) {
        const double *auc = h->task_auc + (2 * e + part) * h->tasks;
        LM_PUT_EACH(json, object, KEYS[part], h->tasks, auc[i]);
    }
}

static void errors_json(lm_json *json, json_t *object, const leman_history *h, size_t e)
{
    static const char *const KEYS[2][3] = {{"val_mae", "val_standardised_mae", "val_log_mae"},
                                           {"test_mae", "test_standardised_mae", "test_log_mae"}};
    if (!h->targets) return;
    for (size_t part = 0; part < 2; part++) {
        double mean, log_mean;
        LM_PUT_EACH(json, object, KEYS[part][0], h->targets, error_of(h, e, part, i));
        leman_history_standardized(h, e, part, &mean, &log_mean);
        LM_PUT(json, object, KEY(KEYS[part][1], mean), KEY(KEYS[part][2], log_mean));
    }
}

static void put_epoch(lm_json *json, json_t *object, const leman_history *h, size_t e)
{
    epoch_json(json, object, h->epoch + e);
    scores_json(json, object, h, e);
    errors_json(json, object, h, e);
}

/* Adds the epochs to object: epochs best selected_by targets converged resumed. */
static void history_json(lm_json *json, json_t *object, const leman_history *h)
{
    json_t *list = lm_json_array(json, object, "epochs");
    for (size_t e = 0; e < h->epochs; e++) put_epoch(json, lm_json_object(json, list, NULL), h, e);
    if (h->best == SIZE_MAX)
        LM_PUT(json, object, KEY_NULL("best"));
    else
        put_epoch(json, lm_json_object(json, object, "best"), h, h->best);
    LM_PUT(json, object, KEY("selected_by", leman_score_name(h->selected_by)));
    LM_PUT_ROWS(json, object, "targets", target, h->target, h->targets, KEY("target", *target), KEY("mean", h->mean[i]),
                KEY("deviation", h->deviation[i]));
    LM_PUT(json, object, MEMBER(h, converged), MEMBER(h, resumed));
}

static void runs_json(lm_json *json, json_t *object, const leman_runs *r)
{
    LM_PUT(json, object, KEY("score", r->classes ? "accuracy" : "mean absolute error"), MEMBER(r, test_mean),
           MEMBER(r, test_std), MEMBER(r, val_mean), MEMBER(r, val_std), KEY("test_score_mean", r->score_mean),
           KEY("test_score_std", r->score_std), KEY("test_standardised_mae_mean", r->mae_mean),
           KEY("test_standardised_mae_std", r->mae_std), KEY("test_log_mae_mean", r->log_mae_mean),
           KEY("test_log_mae_std", r->log_mae_std), MEMBER(r->history[r->best], run), MEMBER(r, finished));
    json_t *list = lm_json_array(json, object, "runs");
    for (size_t i = 0; i < r->runs; i++) {
        const leman_history *h = r->history[i];
        double seconds = 0;
        json_t *row = lm_json_object(json, list, NULL);
        for (size_t e = 0; e < h->epochs; e++) seconds += h->epoch[e].seconds;
        LM_PUT(json, row, MEMBER(h, run));
        history_json(json, row, h);
        LM_PUT(json, row, KEY("seconds", seconds));
    }
}

void lm_network_name_json(lm_json *json, json_t *object, const leman_architecture *architecture)
{
    char name[96];
    leman_architecture_paper_name(architecture, name, sizeof name);
    LM_PUT(json, object, KEY("model", leman_network_kind_name(architecture->kind)), KEY("method", name));
}

void lm_network_json(lm_json *json, json_t *object, const leman_network_shape *shape)
{
    char encodings[64], tuples[32];
    const leman_coloring set = {.k = shape->architecture->k, .components = shape->architecture->components};
    lm_network_name_json(json, object, shape->architecture);
    LM_PUT(json, object, MEMBER(shape->architecture, k), KEY("preset", leman_preset_name(shape->architecture->preset)),
           MEMBER(shape->architecture, layers), MEMBER(shape->architecture, width),
           KEY("tuples", lm_tuples_text(&set, tuples, sizeof tuples)), MEMBER(shape->architecture, in_arcs),
           KEY("attributes", leman_attribute_use_name(shape->architecture->attributes)),
           KEY_TEXT("encodings", encodings,
                    leman_architecture_encodings(shape->architecture, encodings, sizeof encodings)),
           MEMBER(shape, vertex_attributes), MEMBER(shape, edge_attributes), MEMBER(shape, parameters),
           KEY("precision", leman_precision_name(shape->precision)), MEMBER(shape, types),
           KEY("learns", shape->class_label  ? "classes"
                         : shape->task_label ? "tasks"
                                             : "targets"),
           KEY("level", leman_level_name(shape->level)), MEMBER(shape, outputs));
    LM_PUT_EACH(json, object, "class_names", shape->class_name ? shape->outputs : 0, shape->class_name[i]);
}

static leman_status fill_json(lm_work *work, const lm_train_result *r)
{
    lm_json *json = &work->json;
    json_t *root = json->object;
    LM_PUT(json, root, KEY("name", leman_dataset_shape(r->data)->name));
    lm_network_json(json, root, leman_network_describe(r->network));
    LM_PUT(json, root, MEMBER(r->history, weight_bytes), MEMBER(r->history, activation_bytes),
           KEY("train", r->parts->count[0]), KEY("val", r->parts->count[1]), KEY("test", r->parts->count[2]),
           KEY("batch", r->training.batch_size), KEY_TEXT("chosen", r->chosen, strlen(r->chosen)),
           MEMBER(r, class_weights), MEMBER(work->options, seed));
    history_json(json, root, r->history);
    lm_train_tasks_json(json, root, r, NULL);
    if (r->runs) runs_json(json, root, r->runs);
    if (r->history->best != SIZE_MAX) {
        headline l;
        PASS(compute_headline(work->ctx, r, &l));
        headline_json(json, root, &l);
    }
    if (*work->stopped) LM_PUT(json, root, KEY("interrupted", (bool)true));
    LM_PUT(json, root, MEMBER(r, seconds));
    return lm_ranks_json(work->ctx, json);
}

/* ---- The log --------------------------------------------------------------------------------- */

leman_status lm_train_log(leman_context *ctx, const leman_history *history, const char *path)
{
    AUTO(lm_output_abort) lm_output out = {0};
    if (lm_path_ends(path, ".csv")) return leman_history_write(ctx, history, path);
    AUTO(lm_json_free) lm_json json = lm_json_new();
    PASS(lm_output_open(ctx, path, &out));
    history_json(&json, json.object, history);
    PASS(lm_json_write(ctx, &json, &out));
    return lm_output_commit(&out);
}

/* Makes the path of the file of a run. */
static leman_status own_path(leman_context *ctx, const char *path, size_t run, char **out)
{
    const size_t size = leman_runs_path(path, run, NULL, 0) + 1;
    PASS_SCRATCH(ctx, *out, size);
    leman_runs_path(path, run, *out, size);
    return LEMAN_OK;
}

/* Adds the files of all runs to the files of the command line, so that none of them overwrites another. */
static leman_status name_files(lm_work *work, const lm_train_options *o)
{
    const char *const path[] = {o->checkpoint, o->log}, *const option[] = {"--checkpoint", "--log"};
    char *own;
    for (size_t i = 0; i < (size_t)o->runs; i++)
        for (size_t j = 0; j < 2; j++) {
            if (!path[j]) continue;
            PASS(own_path(work->ctx, path[j], i, &own));
            PASS(lm_files_add(work, option[j], own));
        }
    return LEMAN_OK;
}

leman_status lm_train_run_log(leman_context *ctx, const leman_history *history, const char *path)
{
    char *own;
    PASS(own_path(ctx, path, history->run, &own));
    return lm_train_log(ctx, history, own);
}

leman_status lm_train_runs(lm_work *work, const lm_train_options *o, lm_train_result *r)
{
    leman_context *ctx = work->ctx;
    PASS(name_files(work, o));
    const leman_status st = leman_train_runs(ctx, r->data, r->parts, &r->architecture, &r->training, (size_t)o->runs,
                                             &r->network, &r->runs);
    if (r->runs) r->history = r->runs->history[r->runs->best];
    PASS(lm_train_kept(work, o, st, r));
    for (size_t i = 0; o->log && i < r->runs->runs; i++) PASS(lm_train_run_log(ctx, r->runs->history[i], o->log));
    return LEMAN_OK;
}

/* ---- For people ------------------------------------------------------------------------------ */

/* An error as text, "-" for NAN. */
#define ERROR_TEXT(error) isnan(error) ? "-" : FORMAT("%.4g", error)

static leman_status targets_table(lm_work *work, const lm_train_result *r, const leman_history *h, lm_output *out)
{
    char name[LM_COLUMN_NAME];
    lm_table table = {.ctx = work->ctx, .align = "rrrrr"};
    LM_TABLE_ROW(&table, "target", "deviation", "validation MAE", "test MAE", "over the deviation");
    for (size_t t = 0; t < h->targets; t++) {
        const double val = error_of(h, h->best, 0, t), test = error_of(h, h->best, 1, t);
        LM_TABLE_ROW(&table, lm_column_name(r->rows, h->target[t], name), FORMAT("%.4g", h->deviation[t]),
                     ERROR_TEXT(val), ERROR_TEXT(test), ERROR_TEXT(test / h->deviation[t]));
    }
    return lm_table_write(&table, out);
}

/* Writes the score by which the epoch was chosen, unless that is its error. */
static void selected_text(lm_output *out, const leman_history *h)
{
    const double *score = h->score + 2 * h->best;
    if (h->selected_by != LEMAN_SCORE_BALANCED && h->selected_by != LEMAN_SCORE_AUC) return;
    lm_output_printf(out, "selected by %s: validation %s %%", leman_score_name(h->selected_by),
                     SCORE_TEXT(score[0], 1));
    if (!isnan(score[1])) lm_output_printf(out, ", test %s %%", SCORE_TEXT(score[1], 1));
    lm_output_printf(out, "\n");
}

static void mean_text(lm_output *out, const leman_runs *r, const char *part, double mean, double deviation)
{
    const int digits = r->classes ? 1 : LM_SIGNIFICANT;
    lm_output_printf(out, "%s %s %s", part, r->classes ? "accuracy" : "error", SCORE_TEXT(mean, digits));
    if (!isnan(deviation)) lm_output_printf(out, " +- %s", SCORE_TEXT(deviation, digits));
    if (r->classes) lm_output_printf(out, " %%");
}

static void runs_text(lm_output *out, const leman_runs *r)
{
    lm_output_printf(out, "%zu run%s: ", r->runs, lm_plural(r->runs));
    mean_text(out, r, "validation", r->val_mean, r->val_std);
    if (!isnan(r->test_mean)) {
        lm_output_printf(out, ", ");
        mean_text(out, r, "test", r->test_mean, r->test_std);
    }
    if (r->finished) lm_output_printf(out, "; %zu finished before", r->finished);
    lm_output_printf(out, "\n");
}

static leman_status write_text(lm_work *work, const lm_train_result *r)
{
    const leman_history *h = r->history;
    const leman_network_shape *shape = leman_network_describe(r->network);
    const char *unit = shape->class_label || shape->task_label ? " %" : "";
    char name[96];
    lm_output *out;
    PASS(lm_work_results(work, &out));
    leman_architecture_paper_name(shape->architecture, name, sizeof name);
    lm_output_printf(out, "%s, %zu layer%s of width %zu: %s parameter%s", name, shape->architecture->layers,
                     lm_plural(shape->architecture->layers), shape->architecture->width, COUNT_TEXT(shape->parameters),
                     lm_plural(shape->parameters));
    if (shape->types) lm_output_printf(out, ", %s type%s", COUNT_TEXT(shape->types), lm_plural(shape->types));
    lm_output_printf(out, "\n");
    if (!h->epochs)
        lm_output_printf(out, "weights, gradients and moments %s, the largest batch %s\n", BYTES_TEXT(h->weight_bytes),
                         BYTES_TEXT(h->activation_bytes));
    if (h->best != SIZE_MAX) {
        const leman_epoch *best = h->epoch + h->best;
        if (r->runs) lm_output_printf(out, "run %zu, the best in validation; ", h->run);
        lm_output_printf(out, "best of %zu epoch%s: %llu, validation error %.4g%s", h->epochs, lm_plural(h->epochs),
                         (unsigned long long)best->epoch, best->val_error, unit);
        if (!isnan(best->test_error)) lm_output_printf(out, ", test error %.4g%s", best->test_error, unit);
        lm_output_printf(out, "; %s\n", SECONDS_TEXT(r->seconds));
        selected_text(out, h);
        headline l;
        PASS(compute_headline(work->ctx, r, &l));
        headline_text(out, &l);
        if (h->targets > 1) PASS(targets_table(work, r, h, out));
        PASS(lm_train_tasks_table(work, r, NULL, out));
        if (r->runs) runs_text(out, r->runs);
    }
    return lm_output_write(out, "", 0);
}

leman_status lm_train_write(lm_work *work, const lm_train_result *result)
{
    return (work->options->json ? fill_json : write_text)(work, result);
}
