/*
 * The protocol for networks (Table 1 of the paper, its neural rows): repetitions of folds. In each fold a network is
 * trained for every number of layers (outer loop) and every width (inner loop). The grid search runs over all epochs of
 * these networks: an epoch is the best so far if it validates strictly better than all before it, and the test score of
 * the last such epoch is the score of the fold. The score of a repetition is the mean of its folds; means and
 * population deviations are taken over repetitions.
 *
 * Networks are independent. A thread pool trains them, one thread each; then every fold chooses among its networks. The
 * random numbers of a training depend only on fold, layers and width, so the number of
 * threads changes no result. Time: folds * layers * widths trainings. The journal keeps every network that is done.
 */
#include "base/arguments.h"
#include "base/context.h"
#include "base/drop.h"
#include "base/hash.h"
#include "base/ranks/ranks.h"
#include "base/thread_pool.h"
#include "learn/protocol/baseline.h"
#include "learn/protocol/compare.h"
#include "learn/protocol/journal.h"
#include "learn/protocol/scores.h"
#include "learn/protocol/splits.h"
#include "nn/train/run.h"
#include <math.h>
#include <string.h>

enum { MAX_CHOICES = 1 << 10 };
static const size_t LAYERS[] = {1, 2, 3, 4, 5}, WIDTHS[] = {32, 64, 128};

LM_OPTIONS(leman_network_protocol, protocol, .repetitions = 10, .folds = 10)

/* The result of one network, as a record of the journal has it. The areas of its tasks, or the errors of its targets,
 * and its predictions for the test graphs follow. */
typedef struct network_result {
    uint64_t epoch; /* the best */
    double validation, test, seconds, test_score;
} network_result;
enum { RESULT_WORDS = sizeof(network_result) / sizeof(uint64_t) };

/* State that the workers share. */
typedef struct grid_search {
    leman_context *ctx;
    const leman_dataset *data;
    lm_training_options options;     /* layers and width are 0 */
    leman_network_protocol protocol; /* with default lists filled in */
    const leman_splits *splits;
    leman_network_evaluation *evaluation;
    bool classes; /* classes or tasks, not targets */
    size_t tasks;
    size_t choices;         /* layers_count * widths_count */
    network_result *result; /* [folds of all repetitions][choices] */
    double *each;           /* [folds of all repetitions][choices][numbers] areas of tasks, or errors [2][targets] */
    double *tested;         /* predictions of the test graphs [outputs]: folds, their networks, their graphs */
    size_t targets, outputs;
    size_t *first;      /* [folds of all repetitions + 1] test graphs of all folds before */
    bool *done;         /* [folds of all repetitions][choices] */
    size_t memory;      /* bytes for each worker */
    lm_records records; /* the networks */
    lm_journal *journal;
} grid_search;

/* The layers and the width of a network. */
static size_t layers_of(const grid_search *c, size_t item)
{
    return c->protocol.layers[item % c->choices / c->protocol.widths_count];
}

static size_t width_of(const grid_search *c, size_t item)
{
    return c->protocol.widths[item % c->choices % c->protocol.widths_count];
}

/* The numbers of a network for each task or target. */
static size_t numbers_of(const grid_search *c)
{
    return c->tasks + 2 * c->targets;
}

/* The predictions of a network for its test graphs, and how many numbers they are. */
static double *tested_of(const grid_search *c, size_t item, size_t *count)
{
    const size_t fold = item / c->choices, graphs = c->first[fold + 1] - c->first[fold];
    *count = graphs * c->outputs;
    return c->tested + (c->first[fold] * c->choices + item % c->choices * graphs) * c->outputs;
}

/* ---- The journal ----------------------------------------------------------------------------- */

static size_t words_of(const void *state, size_t item)
{
    size_t tested;
    (void)tested_of(state, item, &tested);
    return RESULT_WORDS + numbers_of(state) + tested;
}

static void write_network(const void *state, size_t item, uint64_t *word)
{
    const grid_search *c = state;
    const size_t numbers = numbers_of(c);
    size_t count;
    const double *tested = tested_of(c, item, &count);
    memcpy(word, c->result + item, sizeof *c->result);
    if (numbers) memcpy(word + RESULT_WORDS, c->each + item * numbers, numbers * sizeof *word);
    if (count) memcpy(word + RESULT_WORDS + numbers, tested, count * sizeof *word);
}

static bool read_network(void *state, size_t item, const uint64_t *word)
{
    const grid_search *c = state;
    const size_t numbers = numbers_of(c);
    size_t count;
    double *tested = tested_of(c, item, &count);
    if (word[0] > c->options.training.epochs) return false;
    memcpy(c->result + item, word, sizeof *c->result);
    if (numbers) memcpy(c->each + item * numbers, word + RESULT_WORDS, numbers * sizeof *word);
    if (count) memcpy(tested, word + RESULT_WORDS + numbers, count * sizeof *word);
    const size_t classes = c->evaluation->class_count;
    for (size_t i = 0; classes && i < count; i++)
        if (!(tested[i] >= 0 && tested[i] < (double)classes)) return false;
    return true;
}

static void add_choices(lm_journal_head *head, const char *name, const size_t *list, size_t count)
{
    lm_journal_head_add(head, "; %s", name);
    for (size_t i = 0; i < count; i++) lm_journal_head_add(head, "%c%zu", i ? ',' : ' ', list[i]);
}

/* Opens the journal of rank 0. Other ranks train every network and write nothing. */
static leman_status open_journal(grid_search *c)
{
    leman_context *ctx = c->ctx;
    const leman_network_protocol *p = &c->protocol;
    const leman_training *t = &c->options.training;
    lm_journal_head *head;
    size_t attributes[2];
    if (!p->journal || lm_rank(ctx)) return LEMAN_OK;
    PASS_SCRATCH(ctx, head, 1);
    lm_journal_head_begin(head, "; networks", leman_dataset_checksum(c->data), lm_splits_checksum(c->splits),
                          ctx->settings.seed);
    for (const lm_training_row *row = lm_training_rows; row < lm_training_rows + LM_TRAINING_ROWS; row++) {
        char text[32];
        if (row->words)
            lm_journal_head_add(head, "; %s %s", row->words,
                                lm_training_value_text(row, lm_training_value(&c->options, row), text, sizeof text));
    }
    add_choices(head, "layers", p->layers, p->layers_count);
    add_choices(head, "widths", p->widths, p->widths_count);
    if (c->tasks) add_choices(head, "tasks", t->tasks, c->tasks);
    if (t->targets) add_choices(head, "targets", t->targets, t->target_count);
    lm_journal_head_add(head, "; epochs %zu; score %s", t->epochs, leman_score_name(t->score));
    PASS(leman_architecture_columns(ctx, c->data, &c->options.architecture, &attributes[0], &attributes[1]));
    if ((attributes[0] || attributes[1]) && c->options.architecture.preset != LEMAN_PRESET_QM9)
        lm_journal_head_add(head, "; attributes %s", leman_attribute_use_name(c->options.architecture.attributes));
    char encodings[LM_ENCODINGS_TEXT];
    if (c->options.architecture.encodings &&
        leman_architecture_encodings(&c->options.architecture, encodings, sizeof encodings))
        lm_journal_head_add(head, "; encodings of pairs %s", encodings);
    if (c->options.architecture.components)
        lm_journal_head_add(head, "; tuples of at most %zu components", c->options.architecture.components);
    if (t->class_weight)
        lm_journal_head_add(head, "; class weights %016llx",
                            (unsigned long long)lm_checksum(t->class_weight, t->class_weights * sizeof(double), 2));
    PASS(lm_journal_head_end(ctx, head));
    return lm_journal_open(ctx, p->journal, head->text, !p->resume, &c->records, c->done, c->journal);
}

/* ---- One network of a fold ------------------------------------------------------------------- */

/* Lists the test and validation graphs of a fold, and all others as training graphs, in the worker's scratch memory. */
static leman_status parts_of(leman_context *ctx, const leman_splits *splits, size_t fold, leman_parts *parts)
{
    const lm_part test = lm_split_test(splits, fold), validation = lm_split_validation(splits, fold);
    PASS_SCRATCH(ctx, parts->graph, splits->graphs);
    parts->count[0] = lm_split_training(splits, fold, parts->graph);
    parts->count[1] = validation.count;
    parts->count[2] = test.count;
    memcpy(parts->graph + parts->count[0], validation.graph, validation.count * sizeof *parts->graph);
    memcpy(parts->graph + parts->count[0] + validation.count, test.graph, test.count * sizeof *parts->graph);
    return LEMAN_OK;
}

/* Advances the caller's progress after every epoch. */
typedef struct epoch_counter {
    lm_worker *worker;
    bool stopped;
} epoch_counter;

static bool after_epoch(void *user, const leman_history *history)
{
    (void)history;
    epoch_counter *counter = user;
    counter->stopped = lm_worker_advance(counter->worker, 1);
    return !counter->stopped;
}

/* Trains one network, unless the journal has it, and keeps the results of its best epoch. */
static leman_status run_network(lm_worker *worker, void *state, size_t item)
{
    const double began = lm_now();
    grid_search *c = state;
    leman_architecture architecture = c->options.architecture;
    leman_training training = c->options.training;
    AUTO(leman_network_drop) leman_network *network = NULL;
    AUTO(leman_history_drop) leman_history *history = NULL;
    epoch_counter counter = {.worker = worker};
    leman_parts parts;
    size_t count;
    if (c->done[item]) return lm_worker_advance(worker, training.epochs);
    worker->ctx->settings.threads = worker->threads;
    worker->ctx->settings.memory = c->memory;
    PASS(parts_of(worker->ctx, c->splits, item / c->choices, &parts));
    architecture.layers = layers_of(c, item);
    architecture.width = width_of(c, item);
    training.run = item;
    training.on_epoch = after_epoch;
    training.user = &counter;
    training.details = &c->options.details;
    PASS(lm_train(worker->ctx, c->data, &parts, &architecture, &training, tested_of(c, item, &count), &network,
                  &history));
    if (counter.stopped) return LEMAN_ERROR_CANCELLED;
    const leman_epoch *best = history->epoch + history->best;
    c->result[item] = (network_result){
        .epoch = best->epoch,
        .validation = history->score[2 * history->best], /* percentage of classes, or error of targets */
        .test = c->classes ? 100 - best->test_error : best->test_error,
        .seconds = lm_now() - began,
        .test_score = history->score[2 * history->best + 1],
    };
    for (size_t t = 0; t < c->tasks; t++)
        c->each[item * c->tasks + t] = history->task_auc[(2 * history->best + 1) * c->tasks + t];
    for (size_t t = 0; t < 2 * c->targets; t++)
        c->each[item * 2 * c->targets + t] = history->target_error[2 * history->best * c->targets + t];
    PASS(lm_journal_add(worker->ctx, c->journal, &c->records, item));
    return lm_worker_advance(worker, training.epochs - history->epochs); /* epochs that early stopping saved */
}

/* Chooses the network of a fold once all its networks are done: the first with the best validation score. Returns false
 * if a network is not done. */
static bool choose_network(grid_search *c, size_t i)
{
    leman_network_evaluation *e = c->evaluation;
    size_t best = i * c->choices;
    double seconds = 0;
    for (size_t k = i * c->choices; k < (i + 1) * c->choices; k++) {
        const double a = c->result[k].validation, b = c->result[best].validation;
        if (!c->done[k]) return false;
        seconds += c->result[k].seconds;
        if (!c->result[best].epoch || (c->classes ? a > b : a < b)) best = k;
    }
    e->fold[i] = (leman_network_fold){.repetition = (uint32_t)(i / e->folds),
                                      .fold = (uint32_t)(i % e->folds),
                                      .layers = layers_of(c, best),
                                      .width = width_of(c, best),
                                      .epoch = c->result[best].epoch,
                                      .validation = c->result[best].validation,
                                      .test = c->result[best].test,
                                      .seconds = seconds};
    e->test_score[i] = c->result[best].test_score;
    const size_t numbers = numbers_of(c);
    if (numbers)
        memcpy((c->tasks ? e->task_auc : e->target_error) + i * numbers, c->each + best * numbers,
               numbers * sizeof *c->each);
    size_t count;
    const double *tested = tested_of(c, best, &count);
    if (count) memcpy(e->predicted + c->splits->start[2 * i] * c->outputs, tested, count * sizeof *tested);
    return true;
}

/* ---- All folds ------------------------------------------------------------------------------- */

static double deviation_from(double mean, const double *value, size_t count)
{
    double squares = 0;
    for (size_t i = 0; i < count; i++) squares += (value[i] - mean) * (value[i] - mean);
    return count > 1 ? sqrt(squares / (double)count) : NAN;
}

/* Computes the mean baseline of all folds, in the unit of the scores. */
static leman_status compute_baseline(const grid_search *c, leman_network_evaluation *e)
{
    leman_context *ctx = c->ctx;
    const leman_training *t = &c->options.training;
    const size_t columns = leman_dataset_shape(c->data)->columns->targets, folds = e->repetitions * e->folds;
    const size_t count = t->targets ? t->target_count : columns;
    AUTO(lm_scale_free) lm_scale scale = {0};
    size_t *column;
    double sum = 0;
    if (c->tasks) {
        lm_part tested;
        PASS(lm_split_tested(ctx, c->splits, &tested));
        e->baseline = lm_baseline_of_tasks(c->data, tested.graph, tested.count, t->tasks, c->tasks);
        return LEMAN_OK;
    }
    if (c->classes) return lm_baseline_of_splits(ctx, c->data, c->splits, LEMAN_NO_TARGET, &e->baseline);
    PASS_SCRATCH(ctx, column, count);
    for (size_t i = 0; i < count; i++) column[i] = t->targets ? t->targets[i] : i;
    for (size_t i = 0; i < folds; i++) {
        lm_arena_mark mark = lm_arena_now(&ctx->scratch);
        leman_parts p;
        double mean;
        PASS(parts_of(ctx, c->splits, i, &p));
        lm_scale_free(&scale);
        PASS(lm_scale_measure(ctx, leman_dataset_targets(c->data), columns, column, count, p.graph, p.count[0],
                              t->scale_targets, &scale));
        PASS(lm_baseline_of_targets(ctx, c->data, p.graph + p.count[0] + p.count[1], p.count[2], column, count,
                                    scale.applied ? scale.deviation : NULL, &mean));
        sum += mean;
        lm_arena_reset(&ctx->scratch, mark);
    }
    e->baseline = sum / (double)folds;
    return LEMAN_OK;
}

/* Computes means, deviations, the interval of the mean and the baseline. */
static leman_status summarize(const grid_search *c, leman_network_evaluation *e)
{
    const size_t folds = e->repetitions * e->folds;
    double *test, *repetition;
    PASS_SCRATCH(c->ctx, test, folds);
    PASS_SCRATCH(c->ctx, repetition, e->repetitions);
    for (size_t i = 0; i < folds; i++) test[i] = e->fold[i].test;
    for (size_t r = 0; r < e->repetitions; r++) {
        repetition[r] = lm_mean(test + r * e->folds, e->folds);
        e->test_mean += repetition[r] / (double)e->repetitions;
    }
    e->test_std = deviation_from(e->test_mean, repetition, e->repetitions);
    e->test_std_folds = deviation_from(e->test_mean, test, folds);
    lm_corrected_interval(c->splits, test, 0, c->classes ? 100 : INFINITY, &e->test_low, &e->test_high);
    return compute_baseline(c, e);
}

/* Checks the protocol and fills in its defaults. */
static leman_status check(leman_context *ctx, const leman_dataset *data, grid_search *c)
{
    leman_network_protocol *p = &c->protocol;
    lm_training_options *o = &c->options;
    const size_t columns = leman_dataset_shape(data)->columns->targets;
    if (!p->layers) {
        p->layers = LAYERS;
        p->layers_count = sizeof LAYERS / sizeof *LAYERS;
    }
    if (!p->widths) {
        p->widths = WIDTHS;
        p->widths_count = sizeof WIDTHS / sizeof *WIDTHS;
    }
    if (!p->layers_count || p->layers_count > MAX_CHOICES || !p->widths_count || p->widths_count > MAX_CHOICES)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found %zu number%s of layers and %zu width%s, expected 1 to %d each",
                       p->layers_count, lm_plural(p->layers_count), p->widths_count, lm_plural(p->widths_count),
                       MAX_CHOICES);
    c->choices = p->layers_count * p->widths_count;
    if (!o->training.epochs) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found 0 epochs, expected at least 1 for folds");
    if (!o->training.details) { /* as published */
        o->details.plateau_on_accuracy = o->training.schedule == LEMAN_SCHEDULE_PLATEAU;
        o->details.best_must_improve = true;
    }
    PASS(lm_training_check(ctx, o));
    if (o->training.level)
        return lm_fail(ctx, LEMAN_ERROR_UNSUPPORTED,
                       "found folds and the level %s, expected parts or shares of the graphs",
                       leman_level_name(o->training.level));
    const lm_learned learned = lm_learned_of(data, o);
    c->classes = learned != LM_LEARN_TARGETS;
    c->tasks = learned == LM_LEARN_TASKS ? o->training.task_count : 0;
    if (c->tasks > MAX_CHOICES)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found %zu tasks, expected at most %d", c->tasks, MAX_CHOICES);
    c->targets = c->classes ? 0 : o->training.targets ? o->training.target_count : columns;
    c->outputs = c->targets + c->tasks + (learned == LM_LEARN_CLASSES);
    if (lm_score_resolve(ctx, !c->classes, &o->training.score)) return LEMAN_ERROR_ARGUMENT;
    if (!c->classes) o->details.plateau_on_accuracy = false;
    o->architecture.layers = o->architecture.width = 0; /* the grid search sets them */
    o->training.checkpoint = NULL;
    o->training.resume = false;
    o->training.run = 0;
    return LEMAN_OK;
}

static size_t largest_of(const size_t *list, size_t count)
{
    size_t max = 0;
    for (size_t i = 0; i < count; i++) max = list[i] > max ? list[i] : max;
    return max;
}

/* Logs the size of the largest network, and fails if it does not fit, before any network is trained. */
static leman_status measure_largest(const grid_search *c)
{
    const leman_network_protocol *p = &c->protocol;
    leman_architecture a = c->options.architecture;
    leman_training training = c->options.training;
    AUTO(leman_network_drop) leman_network *network = NULL;
    AUTO(leman_history_drop) leman_history *history = NULL;
    leman_parts parts;
    a.layers = largest_of(p->layers, p->layers_count);
    a.width = largest_of(p->widths, p->widths_count);
    training.epochs = 0;
    training.on_epoch = NULL;
    training.details = &c->options.details;
    PASS(parts_of(c->ctx, c->splits, 0, &parts));
    PASS(leman_train(c->ctx, c->data, &parts, &a, &training, &network, &history));
    const uint64_t needed = lm_saturating_add(history->weight_bytes, history->activation_bytes);
    if (needed > c->memory)
        return lm_fail(
            c->ctx, LEMAN_ERROR_BUDGET,
            "%zu layer%s of width %zu need %.1f MiB, and each of %d threads has %.1f MiB of the memory budget; fewer "
            "threads, smaller batches or widths need less",
            a.layers, lm_plural(a.layers), a.width, (double)needed / 0x1p20, lm_thread_pool_workers(c->ctx),
            (double)c->memory / 0x1p20);
    return LEMAN_OK;
}

/* Trains all networks that are not in the journal. */
static leman_status run_grid_search(grid_search *c, leman_network_evaluation *e)
{
    leman_context *ctx = c->ctx;
    const size_t folds = e->repetitions * e->folds, networks = folds * c->choices;
    uint64_t *cost;
    PASS_SCRATCH_ZERO(ctx, c->result, networks);
    PASS_SCRATCH(ctx, c->each, lm_saturating_multiply(networks, numbers_of(c)));
    PASS_SCRATCH(ctx, c->first, folds + 1);
    c->first[0] = 0;
    for (size_t i = 0; i < folds; i++) c->first[i + 1] = c->first[i] + lm_split_test(c->splits, i).count;
    PASS_SCRATCH(ctx, c->tested, lm_saturating_multiply(c->first[folds] * c->outputs, c->choices));
    PASS_SCRATCH_ZERO(ctx, c->done, networks);
    PASS_SCRATCH(ctx, cost, networks);
    c->records = (lm_records){c, networks, words_of, write_network, read_network};
    c->memory = lm_budget(ctx) / (size_t)lm_thread_pool_workers(ctx);
    PASS(measure_largest(c));
    PASS(open_journal(c)); /* last, since it may empty a file: nothing refuses the run any more */
    for (size_t i = 0; i < folds; i++) e->resumed += choose_network(c, i);
    for (size_t i = 0; i < networks; i++) cost[i] = c->done[i] ? 0 : layers_of(c, i) * width_of(c, i);
    lm_progress_begin(ctx, networks * c->options.training.epochs, "training in %zu fold%s", folds, lm_plural(folds));
    PASS(lm_thread_pool_run(ctx, cost, networks, 0, run_network, c));
    for (size_t i = 0; i < networks; i++) c->done[i] = true;
    for (size_t i = 0; i < folds; i++) choose_network(c, i);
    return LEMAN_OK;
}

/* Sets the labels of the classes. */
static leman_status list_classes(const grid_search *c, leman_network_evaluation *e)
{
    AUTO(lm_classes_free) lm_classes classes = {0};
    if (!c->classes || c->tasks) return LEMAN_OK;
    PASS(lm_classes_compute_known(c->ctx, c->data, &classes));
    e->class_label = classes.label;
    e->class_count = classes.count;
    classes.label = NULL;
    return LEMAN_OK;
}

/* Runs all folds of *e. */
static leman_status evaluate(grid_search *c, leman_network_evaluation *e)
{
    leman_context *ctx = c->ctx;
    const size_t folds = c->splits->repetitions * c->splits->folds;
    c->evaluation = e;
    e->repetitions = c->splits->repetitions;
    e->folds = c->splits->folds;
    e->classes = c->classes;
    e->selected_by = c->options.training.score;
    e->tasks = c->tasks;
    PASS_NEW(ctx, e->fold, folds);
    PASS_NEW(ctx, e->test_score, folds);
    if (c->tasks) PASS_NEW(ctx, e->task_auc, folds * c->tasks);
    if (c->targets) PASS_NEW(ctx, e->target_error, folds * 2 * c->targets);
    PASS(lm_splits_copy(ctx, c->splits, &e->splits));
    const size_t entries = (size_t)c->splits->start[2 * folds] * c->outputs;
    e->outputs = c->outputs;
    PASS(list_classes(c, e));
    PASS_NEW(ctx, e->predicted, entries);
    for (size_t i = 0; i < entries; i++) e->predicted[i] = NAN;
    PASS(run_grid_search(c, e));
    return summarize(c, e);
}

leman_status leman_network_evaluate(leman_context *ctx, const leman_dataset *data,
                                    const leman_architecture *architecture, const leman_training *training,
                                    const leman_network_protocol *protocol, leman_network_evaluation **evaluation)
{
    AUTO(leman_network_evaluation_drop) leman_network_evaluation *e = NULL;
    AUTO(leman_splits_drop) leman_splits *drawn = NULL;
    AUTO(lm_journal_close) lm_journal journal = {0};
    grid_search c = {.ctx = ctx, .data = data, .protocol = leman_network_protocol_default(), .journal = &journal};
    REQUIRE(ctx, data, evaluation);
    SCRATCH_SCOPE(ctx);
    PASS(lm_training_options_copy(ctx, architecture, training, &c.options));
    PASS(lm_options_copy(ctx, "leman_network_protocol", protocol, &c.protocol, sizeof c.protocol));
    PASS(check(ctx, data, &c));
    if (!c.protocol.splits) PASS(leman_splits_draw(ctx, data, c.protocol.repetitions, c.protocol.folds, false, &drawn));
    c.splits = drawn ? drawn : c.protocol.splits;
    PASS_NEW_ZERO(ctx, e, 1);
    PASS(evaluate(&c, e));
    return HAND_OVER(evaluation, e);
}

void leman_network_evaluation_free(leman_network_evaluation *evaluation)
{
    if (!evaluation) return;
    leman_splits_free(evaluation->splits);
    RELEASE(evaluation->fold, evaluation->test_score, evaluation->task_auc, evaluation->predicted,
            evaluation->target_error, evaluation->class_label, evaluation);
}
