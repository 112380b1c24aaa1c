/*
 * Writes the page about a training run: the network, its curves by epoch, its predictions against the labels, and how
 * to reproduce it. The page is one HTML file without scripts. Time: one pass over the test part.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "base/text.h"
#include "learn/protocol/baseline.h"
#include "nn/network.h"
#include "report/figures.h"
#include "report/page.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct training_page {
    leman_context *ctx;
    lm_output *out;
    const leman_shape *data;
    const leman_network_shape *network;
    const leman_network *with; /* how the network was trained, if known */
    const leman_history *history;
    const leman_runs *runs; /* all runs, of which `history` is the best; NULL: one run */
    const leman_parts *parts;
    const char *command; /* may be NULL */
    /* The graphs that are shown: the test part, or the validation part if there is no test part. */
    bool tested;
    const leman_dataset *shown;
    double *output;             /* [graphs shown][outputs] predictions of the network */
    double baseline, low, high; /* score of a constant prediction; interval of the accuracy (NAN for errors) */
    uint64_t seed, data_checksum;
} training_page;

/* ---- The network ----------------------------------------------------------------------------- */

/* Returns "test", or "validation" if there is no test part. */
static const char *part_name(const training_page *p)
{
    return p->tested ? "test" : "validation";
}

/* Returns how the best epoch was selected. */
static const char *selected_for(const leman_history *h)
{
    switch (h->selected_by) {
    case LEMAN_SCORE_AUC: return "largest area under the ROC curve";
    case LEMAN_SCORE_BALANCED: return "highest balanced accuracy";
    default: return "lowest error";
    }
}

/* Returns true if the network predicts classes or labels of tasks, so that errors are percentages. */
static bool in_percent(const training_page *p)
{
    return p->network->class_label || p->network->task_label;
}

/* Writes the headline for several runs; `name` is that of the network. */
static void runs_headline(const training_page *p, const char *name)
{
    const leman_runs *r = p->runs;
    const bool percent = in_percent(p);
    const double mean = p->tested ? r->test_mean : r->val_mean, deviation = p->tested ? r->test_std : r->val_std;
    const char *part = part_name(p);
    if (percent)
        lm_page(p->out, "Network %s: %.1f&#160;%% %s accuracy", name, mean, part);
    else
        lm_page(p->out, "Network %s: mean absolute %s error %.3g", name, part, mean);
    if (!isnan(deviation))
        lm_page(p->out, percent ? " &#177; %.1f over %zu runs" : " &#177; %.2g over %zu runs", deviation, r->runs);
    lm_page(p->out, " on %s", p->data->name);
}

static void headline(const training_page *p)
{
    const leman_epoch *best = p->history->epoch + p->history->best;
    const double error = p->tested ? best->test_error : best->val_error;
    char plain[LM_NUMBER_TEXT], kind[LM_NUMBER_TEXT];
    leman_architecture_paper_name(p->network->architecture, plain, sizeof plain);
    lm_page_method(plain, kind, sizeof kind);
    lm_page(p->out, "<header>\n<p class=\"kicker\">Leman &#183; training report</p>\n<h1>");
    if (p->runs)
        runs_headline(p, kind);
    else if (in_percent(p))
        lm_page(p->out, "Network %s: %.1f&#160;%% %s accuracy on %s", kind, 100 - error, part_name(p), p->data->name);
    else
        lm_page(p->out, "Network %s: mean absolute %s error %.3g on %s", kind, part_name(p), error, p->data->name);
    lm_page(p->out, "</h1>\n<p class=\"lead\">");
    if (p->runs && p->runs->runs > 1)
        lm_page(p->out, "The best of %zu runs in validation, run %zu: ", p->runs->runs, p->history->run);
    lm_page(p->out, "%zu %s graphs; weights of epoch %llu of %zu, ", p->parts->count[p->tested ? 2 : 1], part_name(p),
            (unsigned long long)best->epoch, p->history->epochs);
    lm_page(p->out, "the one with the %s on the %zu validation graphs.%s", selected_for(p->history), p->parts->count[1],
            in_percent(p) ? "" : " Errors are in the units of the training targets.");
    if (p->history->tasks) lm_page(p->out, " The accuracy is that of all labels of %zu tasks.", p->history->tasks);
    lm_page_baseline(p->out, in_percent(p), in_percent(p) ? 100 - error : error, p->baseline, p->low, p->high);
    lm_page(p->out, "</p>\n");
    lm_page(p->out, "<p class=\"note\">%s</p>\n</header>\n",
            p->history->converged
                ? "Training stopped when the learning rate reached its minimum."
                : "Training stopped after the last epoch, before the learning rate reached its minimum.");
}

static void network_properties(const training_page *p)
{
    lm_output *out = p->out;
    char text[LM_NUMBER_TEXT], printed[LM_NUMBER_TEXT], more[3 * LM_NUMBER_TEXT];
    double seconds = 0;
    for (size_t e = 0; e < p->history->epochs; e++) seconds += p->history->epoch[e].seconds;
    lm_page(out, "<section>\n<h2>Network</h2>\n<dl class=\"properties\">\n");
    lm_page_property(out, "data set", "", "%s", p->data->name);
    snprintf(more, sizeof more, "k = %u", p->network->architecture->k);
    leman_architecture_paper_name(p->network->architecture, text, sizeof text);
    lm_page_property(out, "model", more, "%s", lm_page_method(text, printed, sizeof printed));
    lm_page_property(out, "preset", "", "%s", leman_preset_name(p->network->architecture->preset));
    snprintf(more, sizeof more, "of width %zu", p->network->architecture->width);
    lm_page_property(out, "layers", more, "%zu", p->network->architecture->layers);
    lm_page_property(out, "parameters", "", "%s", lm_count_text(p->network->parameters, text));
    if (p->network->types) lm_page_property(out, "input types", "", "%s", lm_count_text(p->network->types, text));
    snprintf(more, sizeof more, "training, %zu validation, %zu test", p->parts->count[1], p->parts->count[2]);
    lm_page_property(out, "graphs", more, "%zu", p->parts->count[0]);
    lm_page_property(out, "weights, gradients, moments", "MiB", "%.1f", (double)p->history->weight_bytes / 0x1p20);
    lm_page_property(out, "largest batch", "MiB", "%.1f", (double)p->history->activation_bytes / 0x1p20);
    lm_page_property(out, "training time", "", "%s", lm_page_seconds(seconds, text));
    lm_page(out, "</dl>\n</section>\n");
}

/* ---- Curves ---------------------------------------------------------------------------------- */

/* Returns the line of a number of every epoch; `value` is that of the first. */
static lm_series epoch_line(const char *name, const leman_history *history, const double *value, unsigned style)
{
    lm_series line = lm_series_dots(name, history->epochs, NULL, value, style);
    line.dots = false, line.line = true, line.first = 1, line.step = sizeof *history->epoch;
    return line;
}

/* Writes a figure of the series by epoch, from 1 to `epochs`. The y axis does not go below 0. */
static void epoch_figure(lm_output *out, const char *heading, lm_chart chart, const lm_series *series, size_t count,
                         double epochs, const char *caption)
{
    chart.x = (lm_axis){.label = "epoch", .low = 1, .high = epochs, .whole = true};
    lm_chart_show(&chart, series, count);
    lm_axis_widen(&chart.y, chart.y.powers ? 0 : 0.05, 0, 0, INFINITY);
    lm_figure_begin(out, heading, &chart);
    lm_page(out, "<figcaption>%s</figcaption>\n</figure>\n", caption);
}

/* Writes when the learning rate decreases. */
static const char *rate_caption(const training_page *p, char *text, size_t size)
{
    const lm_training_options *options = &p->with->record.fingerprint.options;
    const leman_training *with = &options->training;
    const char *const rises = with->warm_up ? "Rises in the first epochs. " : "";
    if (with->schedule == LEMAN_SCHEDULE_CONSTANT)
        snprintf(text, size, "%s%s", rises, with->warm_up ? "Constant afterwards." : "Constant.");
    else if (with->schedule == LEMAN_SCHEDULE_COSINE)
        lm_snprintf(text, size, "%sFalls as a cosine towards %g.", rises, with->min_learning_rate);
    else if (!p->with->own)
        snprintf(text, size, "Halved when validation stops improving; training stops below 0.000001.");
    else if (with->patience >= with->epochs)
        snprintf(
            text, size,
            "Constant: it is halved after more than %zu epoch%s without a better validation, and %zu %s asked for.",
            with->patience, lm_plural(with->patience), with->epochs, lm_plural_of(with->epochs, "is", "are"));
    else
        snprintf(text, size,
                 "Halved after more than %zu epoch%s without a lower validation %s; training stops below 0.000001.",
                 with->patience, lm_plural(with->patience),
                 options->details.plateau_on_accuracy ? "accuracy, as published" : "error");
    return text;
}

static void training_curves(const training_page *p)
{
    const leman_history *h = p->history;
    const double n = (double)h->epochs;
    const bool classes = in_percent(p),
               apart = classes || p->network->loss == LEMAN_LOSS_L2; /* the loss differs from the error */
    char caption[96], rates[200];
    const lm_series loss = epoch_line("training loss", h, &h->epoch->train_loss, 1);
    lm_series test = epoch_line("test, where validation is the best so far", h, &h->epoch->test_error, 2);
    lm_series rate = epoch_line(NULL, h, &h->epoch->learning_rate, 3);
    test.line = false, test.dots = true;
    rate.steps = true;
    const lm_series errors[] = {epoch_line("validation", h, &h->epoch->val_error, 0), test, loss};
    const lm_series losses[] = {loss, epoch_line("validation loss", h, &h->epoch->val_loss, 0)};
    const lm_chart error_chart = lm_chart_new("Error by epoch", "Validation and test error of every epoch.", NULL,
                                              classes ? "error (%)" : "mean absolute error");
    const lm_chart loss_chart =
        lm_chart_new("Loss by epoch", "Loss of the training part and of the validation part.", NULL,
                     p->network->task_label ? "binary cross entropy"
                     : classes              ? "cross entropy"
                                            : "squared error");
    lm_chart rate_chart =
        lm_chart_new("Learning rate by epoch", rate_caption(p, rates, sizeof rates), NULL, "learning rate");
    rate_chart.y.powers = true;
    lm_page(p->out, "<section>\n<h2>Training curves</h2>\n<div class=\"pair\">\n");
    snprintf(caption, sizeof caption, "The epoch with the %s in validation is selected.", selected_for(p->history));
    epoch_figure(p->out, "Error", error_chart, errors, apart ? 2 : 3, n, caption);
    if (apart)
        epoch_figure(p->out, "Loss", loss_chart, losses, 2, n,
                     "Means over graphs: training, while the weights change; validation, after the epoch.");
    epoch_figure(p->out, "Learning rate", rate_chart, &rate, 1, n, rates);
    lm_page(p->out, "</div>\n</section>\n");
}

/* ---- Several runs ---------------------------------------------------------------------------- */

/* Writes a row: the best epoch of a run, and the duration of the run. */
static void run_row(const training_page *p, const leman_history *h)
{
    const leman_epoch *best = h->epoch + h->best;
    const bool percent = in_percent(p);
    const double val = percent ? 100 - best->val_error : best->val_error,
                 test = percent ? 100 - best->test_error : best->test_error;
    double seconds = 0;
    char time[LM_NUMBER_TEXT];
    for (size_t e = 0; e < h->epochs; e++) seconds += h->epoch[e].seconds;
    lm_page(p->out, "<tr><th scope=\"row\">%zu</th><td>%zu</td><td>%llu</td>", h->run, h->epochs,
            (unsigned long long)best->epoch);
    lm_page_cell(p->out, percent ? "%.2f" : "%.4g", val);
    lm_page_cell(p->out, percent ? "%.2f" : "%.4g", test);
    lm_page(p->out, "<td>%s</td></tr>\n", lm_page_seconds(seconds, time));
}

static void runs_table(const training_page *p)
{
    lm_page_table(p->out, in_percent(p) ? "run|epochs|best epoch|validation accuracy (%)|test accuracy (%)|time"
                                        : "run|epochs|best epoch|validation error|test error|time");
    for (size_t i = 0; i < p->runs->runs; i++) run_row(p, p->runs->history[i]);
    lm_page(p->out, "</tbody></table></div>\n");
}

/* Writes the section about several runs: a table, and the curves of all runs. */
static leman_status runs_section(const training_page *p)
{
    SCRATCH_SCOPE(p->ctx);
    const size_t runs = p->runs->runs;
    lm_series *errors, *losses;
    char(*name)[32];
    double longest = 1;
    PASS_SCRATCH(p->ctx, errors, runs);
    PASS_SCRATCH(p->ctx, losses, runs);
    PASS_SCRATCH(p->ctx, name, runs);
    for (size_t i = 0; i < runs; i++) {
        const leman_history *h = p->runs->history[i];
        snprintf(name[i], sizeof name[i], "run %zu", h->run);
        errors[i] = epoch_line(name[i], h, &h->epoch->val_error, (unsigned)i);
        losses[i] = epoch_line(name[i], h, &h->epoch->train_loss, (unsigned)i);
        longest = fmax(longest, (double)h->epochs);
    }
    const lm_chart error_chart =
        lm_chart_new("Validation error of all runs by epoch", "A line for each run.", NULL,
                     in_percent(p) ? "validation error (%)" : "mean absolute validation error");
    const lm_chart loss_chart =
        lm_chart_new("Training loss of all runs by epoch", "A line for each run.", NULL, "training loss");
    lm_page(p->out,
            "<section>\n<h2>Runs</h2>\n<p>%s The scores of a run are those of its best epoch in "
            "validation.</p>\n",
            runs > 1 ? "Independent random starts on the same parts." : "One random start.");
    runs_table(p);
    lm_page(p->out, "<div class=\"pair\">\n");
    epoch_figure(p->out, "Validation error", error_chart, errors, runs, longest, "All runs.");
    epoch_figure(p->out, "Training loss", loss_chart, losses, runs, longest, "All runs.");
    lm_page(p->out, "</div>\n</section>\n");
    return LEMAN_OK;
}

/* ---- Predictions ----------------------------------------------------------------------------- */

enum { MAX_TARGETS = 12 };

static leman_status target_figure(const training_page *p, size_t t)
{
    SCRATCH_SCOPE(p->ctx);
    const leman_shape *shape = leman_dataset_shape(p->shown);
    const double *labels = leman_dataset_targets(p->shown);
    double *x, *y, sum = 0;
    size_t known = 0;
    char title[128];
    size_t length;
    PASS_SCRATCH(p->ctx, x, shape->graphs);
    PASS_SCRATCH(p->ctx, y, shape->graphs);
    for (size_t g = 0; g < shape->graphs; g++) {
        x[known] = labels[g * shape->columns->targets + p->network->target[t]];
        if (isnan(x[known])) continue;
        y[known] = p->output[g * p->network->outputs + t];
        sum += fabs(x[known] - y[known]);
        known++;
    }
    if (!known) return LEMAN_OK;
    const char *name = leman_dataset_target_name(p->shown, p->network->target[t], &length);
    if (length)
        snprintf(title, sizeof title, "Target %zu, %.*s", p->network->target[t], (int)length, name);
    else
        snprintf(title, sizeof title, "Target %zu", p->network->target[t]);
    lm_figure_predictions(p->out, title, 340, x, y, known);
    lm_page(p->out,
            "<figcaption>Mean absolute error %.3g; standard deviation of the training targets %.3g.</figcaption>\n"
            "</figure>\n",
            sum / (double)known, p->history->deviation[t]);
    return LEMAN_OK;
}

static leman_status targets(const training_page *p)
{
    const size_t shown = p->network->outputs < MAX_TARGETS ? p->network->outputs : MAX_TARGETS;
    lm_page(p->out,
            "<section>\n<h2>Predicted against true targets</h2>\n<p>%zu %s graphs, in the units of the data.%s</p>\n",
            leman_dataset_shape(p->shown)->graphs, part_name(p),
            shown < p->network->outputs ? " The first targets only." : "");
    lm_page(p->out, "<div class=\"pair\">\n");
    for (size_t t = 0; t < shown; t++) PASS(target_figure(p, t));
    lm_page(p->out, "</div>\n</section>\n");
    return LEMAN_OK;
}

/* Counts counts[true][predicted] over the graphs that are shown. */
static void count_predictions(const training_page *p, uint64_t *counts)
{
    const size_t n = p->network->outputs, graphs = leman_dataset_shape(p->shown)->graphs;
    const int64_t *label = leman_dataset_classes(p->shown);
    memset(counts, 0, n * n * sizeof *counts);
    for (size_t g = 0; g < graphs; g++) {
        const double *output = p->output + g * n;
        size_t is = 0, predicted = 0;
        while (is < n && p->network->class_label[is] != label[g]) is++;
        for (size_t c = 1; c < n; c++)
            if (output[c] > output[predicted]) predicted = c;
        if (is < n) counts[is * n + predicted]++;
    }
}

/* Writes the confusion matrix. A class without a name in the data is called by its number. */
static leman_status classes(const training_page *p)
{
    const size_t n = p->network->outputs;
    const char *const *word = p->network->class_name;
    const char *name[LM_CONFUSION_CLASSES];
    char number[LM_CONFUSION_CLASSES][LM_NUMBER_TEXT];
    uint64_t counts[LM_CONFUSION_CLASSES * LM_CONFUSION_CLASSES];
    if (n > LM_CONFUSION_CLASSES) return LEMAN_OK;
    count_predictions(p, counts);
    for (size_t c = 0; c < n; c++) {
        snprintf(number[c], sizeof number[c], "class %" PRId64, p->network->class_label[c]);
        name[c] = word && *word[c] ? word[c] : number[c];
    }
    lm_page(p->out, "<section>\n<h2>Confusion matrix</h2>\n<p>Predictions for the %s graphs.</p>\n", part_name(p));
    lm_figure_confusion(p->out, n, name, counts, false);
    lm_page(p->out, "</section>\n");
    return LEMAN_OK;
}

/* Writes every task with its areas under the ROC curve in the best epoch. */
static leman_status tasks(const training_page *p)
{
    const leman_history *h = p->history;
    const double *auc = h->task_auc + 2 * h->best * h->tasks;
    const leman_shape *shape = leman_dataset_shape(p->shown);
    lm_page(p->out, "<section>\n<h2>Tasks</h2>\n<p>Area under the ROC curve in percent: 50 is chance.</p>\n");
    lm_page_table(p->out, p->tested ? "task|validation|test|test labels|positive"
                                    : "task|validation|test|validation labels|positive");
    for (size_t t = 0; t < h->tasks; t++) {
        size_t known = 0, positive = 0;
        for (size_t g = 0; g < shape->graphs; g++) {
            const double value = leman_dataset_targets(p->shown)[g * shape->columns->targets + h->task[t]];
            known += isnan(value) == 0;
            positive += value >= (double)p->network->task_label[2 * t + 1];
        }
        lm_page(p->out, "<tr><th scope=\"row\">%s</th>", p->network->task_name[t]);
        lm_page_cell(p->out, "%.1f", auc[t]);
        lm_page_cell(p->out, "%.1f", auc[h->tasks + t]);
        lm_page(p->out, "<td>%zu</td><td>%zu</td></tr>\n", known, positive);
    }
    lm_page(p->out, "</tbody></table></div>\n</section>\n");
    return LEMAN_OK;
}

/* ---- The page -------------------------------------------------------------------------------- */

static void reproduce(const training_page *p)
{
    lm_page_reproduce_begin(p->out, p->command);
    lm_page_row(p->out, "seed", "%" PRIu64, p->seed);
    lm_page_row(p->out, "checksum of the data", "%016" PRIx64, p->data_checksum);
    lm_page_reproduce_end(p->out,
                          "The same seed gives the same results on the same kind of hardware; running times depend "
                          "on the hardware.");
}

/* Selects the graphs that are shown, and computes their predictions. */
static leman_status predict(training_page *p, const leman_dataset *data, const leman_network *network,
                            leman_dataset **shown)
{
    const size_t part = p->tested ? 2 : 1, count = p->parts->count[part];
    const size_t first = p->parts->count[0] + (p->tested ? p->parts->count[1] : 0);
    size_t *which, numbers;
    PASS_SCRATCH(p->ctx, which, count);
    for (size_t i = 0; i < count; i++) which[i] = p->parts->graph[first + i];
    PASS(leman_dataset_select(p->ctx, data, count, which, shown));
    if (!lm_multiply(count, p->network->outputs, &numbers)) numbers = SIZE_MAX;
    PASS_SCRATCH(p->ctx, p->output, numbers);
    PASS(leman_network_predict(p->ctx, network, *shown, 0, p->output));
    p->shown = *shown;
    return LEMAN_OK;
}

/* Computes the baseline and the interval of the headline. */
static leman_status judge(training_page *p, const leman_dataset *data, const leman_network *network)
{
    const size_t part = p->tested ? 2 : 1, count = p->parts->count[part];
    const uint32_t *graph = p->parts->graph + p->parts->count[0] + (p->tested ? p->parts->count[1] : 0);
    const leman_epoch *best = p->history->epoch + p->history->best;
    p->low = p->high = NAN;
    if (p->network->task_label) {
        p->baseline = lm_baseline_of_tasks(data, graph, count, p->network->target, p->network->outputs);
        return LEMAN_OK; /* the labels of a graph are not independent: no interval */
    }
    if (!p->network->class_label)
        return lm_baseline_of_targets(p->ctx, data, graph, count, p->network->target, p->network->outputs,
                                      network->scale.applied ? network->scale.deviation : NULL, &p->baseline);
    const double accuracy = 100 - (p->tested ? best->test_error : best->val_error);
    PASS(leman_baseline(p->ctx, data, graph, count, LEMAN_NO_TARGET, &p->baseline));
    size_t known = 0;
    for (size_t i = 0; i < count; i++) known += leman_dataset_classes(data)[graph[i]] != LEMAN_CLASS_MISSING;
    return leman_wilson_interval(p->ctx, (uint64_t)llround(accuracy / 100 * (double)known), known, &p->low, &p->high);
}

static leman_status write_page(training_page page, const leman_dataset *data, const leman_network *network,
                               const char *path)
{
    training_page *p = &page;
    AUTO(leman_dataset_drop) leman_dataset *shown = NULL;
    AUTO(lm_output_abort) lm_output out = {0};
    PASS(predict(p, data, network, &shown));
    PASS(judge(p, data, network));
    PASS(lm_output_open(p->ctx, path, &out));
    p->out = &out;
    lm_page_begin(&out, p->data->name, "Training of a network: curves of its epochs, predictions against labels.");
    headline(p);
    network_properties(p);
    if (p->runs) PASS(runs_section(p));
    training_curves(p);
    PASS(p->network->class_label ? classes(p) : p->network->task_label ? tasks(p) : targets(p));
    reproduce(p);
    lm_page_end(&out);
    return lm_output_commit(&out);
}

/* Writes the page of one run, or of several runs, of which history is the best. The caller has checked both. */
static leman_status write_runs(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                               const leman_network *network, const leman_history *history, const leman_runs *runs,
                               const char *command, const char *path)
{
    REQUIRE(ctx, data, parts, network, path);
    SCRATCH_SCOPE(ctx);
    if (leman_network_describe(network)->level)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED, "%s: found predictions of the level %s, expected those of graphs",
                       path, leman_level_name(leman_network_describe(network)->level));
    if (history->best == SIZE_MAX)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: found no epoch, expected at least one", path);
    training_page page = {.ctx = ctx,
                          .data = leman_dataset_shape(data),
                          .network = leman_network_describe(network),
                          .with = network,
                          .history = history,
                          .runs = runs,
                          .parts = parts,
                          .command = command,
                          .tested = parts->count[2] && !isnan(history->epoch[history->best].test_error),
                          .seed = ctx->settings.seed,
                          .data_checksum = leman_dataset_checksum(data)};
    return write_page(page, data, network, path);
}

leman_status leman_training_page_write(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                                       const leman_network *network, const leman_history *history, const char *command,
                                       const char *path)
{
    REQUIRE(ctx, history);
    return write_runs(ctx, data, parts, network, history, NULL, command, path);
}

leman_status leman_runs_page_write(leman_context *ctx, const leman_dataset *data, const leman_parts *parts,
                                   const leman_network *network, const leman_runs *runs, const char *command,
                                   const char *path)
{
    REQUIRE(ctx, runs);
    return write_runs(ctx, data, parts, network, runs->history[runs->best], runs, command, path);
}
