/*
 * The protocol for networks (Table 1 of the paper, its neural rows): repetitions of folds. In each fold a network is
 * trained for every number of layers (outer loop) and every width (inner loop). The grid search runs over all epochs of
 * these networks: an epoch is the best so far if it validates strictly better than all before it, and the test score of
 * the last such epoch is the score of the fold. The score of a repetition is the mean of its folds; means and
 * population deviations are taken over repetitions.
 *
 * Networks are independent. A thread pool trains them, one thread each, and a fold chooses among its networks when the
 * last of them is done. The random numbers of a training depend only on fold, layers and width, so the number of
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
#include "learn/protocol/splits.h"
#include "nn/train/fingerprint.h"
#include <math.h>
#include <string.h>

enum { MAX_CHOICES = 1 << 10 };
static const size_t LAYERS[] = {1, 2, 3, 4, 5}, WIDTHS[] = {32, 64, 128};

LM_OPTIONS_INIT(network_protocol, .repetitions = 10, .folds = 10)

/* The result of one network, or of the network that a fold chose. */
typedef struct result {
    leman_network_fold *fold;
    double *test_score;
    double *task_auc; /* [tasks] */
} result;

/* Results of several networks or folds. */
typedef struct results {
    leman_network_fold *fold; /* [count] */
    double *test_score;       /* [count] */
    double *task_auc;         /* [count][tasks] */
    bool *done;               /* [count] */
} results;

/* State that the workers share. */
typedef struct grid_search {
    leman_context *ctx;
    const leman_dataset *data;
    lm_training_options options;     /* layers and width are 0 */
    leman_network_protocol protocol; /* with default lists filled in */
    const leman_splits *splits;
    bool classes; /* classes or tasks, not targets */
    size_t tasks;
    results folds;    /* [folds of all repetitions] */
    results networks; /* [folds of all repetitions][choices] */
    size_t choices;   /* layers_count * widths_count */
    uint64_t data_checksum, splits_checksum;
    size_t memory;      /* bytes for each worker */
    lm_records records; /* the networks */
    lm_journal journal;
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

static result result_of(const grid_search *c, const results *all, size_t i)
{
    return (result){all->fold + i, all->test_score + i, c->tasks ? all->task_auc + i * c->tasks : NULL};
}

/* ---- The journal ----------------------------------------------------------------------------- */

/* A network as words: its best epoch, its scores, the seconds, the areas of its tasks. */
enum { NUMBERS = 4 };

static void numbers_of(const result *r, double *out[NUMBERS])
{
    double *all[NUMBERS] = {&r->fold->validation, &r->fold->test, &r->fold->seconds, r->test_score};
    memcpy(out, all, sizeof all);
}

static size_t words_of(const void *state, size_t item)
{
    (void)item;
    return 1 + NUMBERS + ((const grid_search *)state)->tasks;
}

static void write_network(const void *state, size_t item, uint64_t *word)
{
    const grid_search *c = state;
    const result r = result_of(c, &c->networks, item);
    double *number[NUMBERS];
    numbers_of(&r, number);
    *word++ = r.fold->epoch;
    for (int j = 0; j < NUMBERS; j++) memcpy(word++, number[j], sizeof *word);
    if (c->tasks) memcpy(word, r.task_auc, c->tasks * sizeof *word);
}

static bool read_network(void *state, size_t item, const uint64_t *word)
{
    grid_search *c = state;
    const result r = result_of(c, &c->networks, item);
    double *number[NUMBERS];
    if (word[0] > c->options.training.epochs) return false;
    *r.fold = (leman_network_fold){.layers = layers_of(c, item), .width = width_of(c, item), .epoch = word[0]};
    numbers_of(&r, number);
    for (int j = 0; j < NUMBERS; j++) memcpy(number[j], word + 1 + j, sizeof *word);
    if (c->tasks) memcpy(r.task_auc, word + 1 + NUMBERS, c->tasks * sizeof *word);
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
    if (!p->journal || lm_rank(ctx)) return LEMAN_OK;
    PASS_SCRATCH(ctx, head, 1);
    lm_journal_head_begin(head);
    lm_journal_head_add(head, "; networks; data set %016llx; splits %016llx; seed %llu",
                        (unsigned long long)c->data_checksum, (unsigned long long)c->splits_checksum,
                        (unsigned long long)ctx->settings.seed);
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
    if (t->class_weight)
        lm_journal_head_add(head, "; class weights %016llx",
                            (unsigned long long)lm_checksum(t->class_weight, t->class_weights * sizeof(double), 2));
    PASS(lm_journal_head_end(ctx, head));
    return lm_journal_open(ctx, p->journal, head->text, !p->resume, &c->records, c->networks.done, &c->journal);
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

/* Trains one network and writes the results of its best epoch to *found. */
static leman_status train_network(lm_worker *worker, const grid_search *c, size_t item, const leman_parts *parts,
                                  const result *found, size_t *epochs)
{
    const double began = lm_now();
    leman_architecture architecture = c->options.architecture;
    leman_training training = c->options.training;
    AUTO(leman_network_drop) leman_network *network = NULL;
    AUTO(leman_history_drop) leman_history *history = NULL;
    epoch_counter counter = {.worker = worker};
    architecture.layers = layers_of(c, item);
    architecture.width = width_of(c, item);
    training.run = item;
    training.on_epoch = after_epoch;
    training.user = &counter;
    training.details = &c->options.details;
    PASS(leman_train(worker->ctx, c->data, parts, &architecture, &training, &network, &history));
    if (counter.stopped) PASS(LEMAN_ERROR_CANCELLED);
    const leman_epoch *best = history->epoch + history->best;
    *found->fold = (leman_network_fold){
        .layers = architecture.layers,
        .width = architecture.width,
        .epoch = best->epoch,
        .validation = history->score[2 * history->best], /* percentage of classes, or error of targets */
        .test = c->classes ? 100 - best->test_error : best->test_error,
        .seconds = lm_now() - began,
    };
    *found->test_score = history->score[2 * history->best + 1];
    for (size_t t = 0; t < c->tasks; t++)
        found->task_auc[t] = history->task_auc[(2 * history->best + 1) * c->tasks + t];
    *epochs = history->epochs;
    return LEMAN_OK;
}

/* Chooses the network of a fold once all its networks are done: the first with the best validation score. */
static void choose_network(grid_search *c, size_t i)
{
    const result chosen = result_of(c, &c->folds, i);
    leman_network_fold *fold = chosen.fold;
    double seconds = 0;
    for (size_t k = i * c->choices; k < (i + 1) * c->choices; k++)
        if (!c->networks.done[k]) return;
    for (size_t k = i * c->choices; k < (i + 1) * c->choices; k++) {
        const result r = result_of(c, &c->networks, k);
        const double validation = r.fold->validation;
        seconds += r.fold->seconds;
        if (fold->epoch && !(c->classes ? validation > fold->validation : validation < fold->validation)) continue;
        *fold = *r.fold;
        *chosen.test_score = *r.test_score;
        for (size_t t = 0; t < c->tasks; t++) chosen.task_auc[t] = r.task_auc[t];
    }
    fold->seconds = seconds;
    fold->repetition = (uint32_t)(i / c->splits->folds);
    fold->fold = (uint32_t)(i % c->splits->folds);
    c->folds.done[i] = true;
}

static leman_status run_network(lm_worker *worker, void *state, size_t item)
{
    grid_search *c = state;
    const size_t fold = item / c->choices, limit = c->options.training.epochs;
    const result found = result_of(c, &c->networks, item);
    leman_parts parts;
    size_t epochs = 0;
    if (c->networks.done[item]) return lm_worker_advance(worker, limit);
    worker->ctx->settings.threads = worker->threads;
    worker->ctx->settings.memory = c->memory;
    PASS(parts_of(worker->ctx, c->splits, fold, &parts));
    PASS(train_network(worker, c, item, &parts, &found, &epochs));
    if (c->journal.open) PASS(lm_journal_add(worker->ctx, &c->journal, &c->records, item));
#pragma omp critical(lm_network_protocol)
    {
        c->networks.done[item] = true;
        choose_network(c, fold);
    }
    PASS(lm_worker_advance(worker, limit - epochs)); /* epochs that early stopping saved */
    return LEMAN_OK;
}

/* ---- All folds ------------------------------------------------------------------------------- */

static void summarize(leman_network_evaluation *e)
{
    double all = 0, squares = 0, mean = 0, mean_squares = 0;
    const double folds = (double)e->folds, repetitions = (double)e->repetitions;
    for (size_t r = 0; r < e->repetitions; r++) {
        double sum = 0;
        for (size_t f = 0; f < e->folds; f++) sum += e->fold[r * e->folds + f].test;
        mean += sum / folds / repetitions;
    }
    for (size_t r = 0; r < e->repetitions; r++) {
        double sum = 0;
        for (size_t f = 0; f < e->folds; f++) {
            const double off = e->fold[r * e->folds + f].test - mean;
            sum += e->fold[r * e->folds + f].test;
            squares += off * off;
            all++;
        }
        mean_squares += (sum / folds - mean) * (sum / folds - mean);
    }
    e->test_mean = mean;
    e->test_std = e->repetitions > 1 ? sqrt(mean_squares / repetitions) : NAN;
    e->test_std_folds = all > 1 ? sqrt(squares / all) : NAN;
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
    if (c->tasks) return lm_baseline_of_tasks_in_splits(ctx, c->data, c->splits, t->tasks, c->tasks, &e->baseline);
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

/* Computes the baseline and the interval of the mean. */
static leman_status compute_headline(const grid_search *c, leman_network_evaluation *e)
{
    const size_t folds = e->repetitions * e->folds;
    double *test;
    PASS_SCRATCH(c->ctx, test, folds);
    for (size_t i = 0; i < folds; i++) test[i] = e->fold[i].test;
    lm_corrected_interval(c->splits, test, 0, c->classes ? 100 : INFINITY, &e->test_low, &e->test_high);
    return compute_baseline(c, e);
}

/* Checks the protocol and fills in its defaults. */
static leman_status check(leman_context *ctx, const leman_dataset *data, grid_search *c)
{
    leman_network_protocol *p = &c->protocol;
    lm_training_options *o = &c->options;
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
    if (!o->training.details) o->details.plateau_on_accuracy = o->details.best_must_improve = true; /* as published */
    const lm_learned learned = lm_learned_of(data, o);
    c->classes = learned != LM_LEARN_TARGETS;
    c->tasks = learned == LM_LEARN_TASKS ? o->training.task_count : 0;
    if (c->tasks > MAX_CHOICES)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found %zu tasks, expected at most %d", c->tasks, MAX_CHOICES);
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

static leman_status run_grid_search(grid_search *c, size_t *resumed)
{
    leman_context *ctx = c->ctx;
    const size_t folds = c->splits->repetitions * c->splits->folds, networks = folds * c->choices;
    uint64_t *cost;
    for (size_t i = 0; i < folds; i++) {
        c->folds.fold[i] = (leman_network_fold){.repetition = (uint32_t)(i / c->splits->folds),
                                                .fold = (uint32_t)(i % c->splits->folds)};
        c->folds.done[i] = false;
    }
    for (size_t i = 0; i < networks; i++) c->networks.done[i] = false;
    c->records = (lm_records){c, networks, words_of, write_network, read_network};
    c->memory = lm_budget(ctx) / (size_t)lm_thread_pool_workers(ctx);
    PASS(measure_largest(c));
    PASS(open_journal(c)); /* last, since it may empty a file: nothing refuses the run any more */
    for (size_t i = 0; i < folds; i++) {
        choose_network(c, i);
        *resumed += c->folds.done[i];
    }
    PASS_SCRATCH(ctx, cost, networks);
    for (size_t i = 0; i < networks; i++) cost[i] = c->networks.done[i] ? 0 : layers_of(c, i) * width_of(c, i);
    lm_progress_begin(ctx, networks * c->options.training.epochs, "training in %zu fold%s", folds, lm_plural(folds));
    return lm_thread_pool_run(ctx, cost, networks, 0, run_network, c);
}

/* Runs all folds of *e, whose splits must be set. */
static leman_status evaluate(grid_search *c, leman_network_evaluation *e)
{
    leman_context *ctx = c->ctx;
    c->data_checksum = leman_dataset_checksum(c->data);
    c->splits_checksum = lm_splits_checksum(c->splits);
    e->repetitions = c->splits->repetitions;
    e->folds = c->splits->folds;
    e->classes = c->classes;
    PASS_NEW(ctx, e->fold, e->repetitions * e->folds);
    const size_t folds = e->repetitions * e->folds, networks = folds * c->choices;
    PASS_SCRATCH(ctx, c->folds.done, folds);
    PASS_SCRATCH(ctx, c->networks.done, networks);
    PASS_SCRATCH(ctx, c->networks.fold, networks);
    PASS_SCRATCH(ctx, c->networks.test_score, networks);
    if (c->tasks) PASS_SCRATCH(ctx, c->networks.task_auc, networks * c->tasks);
    PASS_NEW(ctx, e->test_score, e->repetitions * e->folds);
    if (c->tasks) PASS_NEW(ctx, e->task_auc, e->repetitions * e->folds * c->tasks);
    e->selected_by = c->options.training.score;
    e->tasks = c->tasks;
    c->folds.fold = e->fold;
    c->folds.test_score = e->test_score;
    c->folds.task_auc = e->task_auc;
    PASS(run_grid_search(c, &e->resumed));
    summarize(e);
    return compute_headline(c, e);
}

leman_status leman_network_evaluate(leman_context *ctx, const leman_dataset *data,
                                    const leman_architecture *architecture, const leman_training *training,
                                    const leman_network_protocol *protocol, leman_network_evaluation **evaluation)
{
    leman_status st = LEMAN_OK;
    grid_search c = {.ctx = ctx, .data = data, .protocol = leman_network_protocol_default()};
    lm_arena_mark mark = {0};
    leman_network_evaluation *e = NULL;
    leman_splits *drawn = NULL;
    REQUIRE(ctx, data, evaluation);
    mark = lm_arena_now(&ctx->scratch);
    TRY(lm_training_options_copy(ctx, architecture, training, &c.options));
    TRY(lm_options_copy(ctx, "leman_network_protocol", protocol, &c.protocol, sizeof c.protocol));
    TRY(check(ctx, data, &c));
    c.splits = c.protocol.splits;
    if (!c.splits) {
        TRY(leman_splits_draw(ctx, data, c.protocol.repetitions, c.protocol.folds, false, &drawn));
        c.splits = drawn;
    }
    NEW_ZERO(ctx, e, 1);
    TRY(evaluate(&c, e));
    *evaluation = e;
done:
    lm_journal_close(&c.journal);
    if (st) leman_network_evaluation_free(e);
    leman_splits_free(drawn);
    if (ctx) lm_arena_reset(&ctx->scratch, mark);
    return st;
}

void leman_network_evaluation_free(leman_network_evaluation *evaluation)
{
    if (!evaluation) return;
    lm_release(evaluation->fold);
    lm_release(evaluation->test_score);
    lm_release(evaluation->task_auc);
    lm_release(evaluation);
}
