/*
 * The protocol for networks (Table 1 of the paper, its neural rows): repetitions of folds; in each fold a network for
 * every number of layers (outer) and every width (inner), a grid search over all their epochs: the epoch that validates
 * strictly better than all before it is the best so far, and the test score of the last such epoch is the fold's. A
 * repetition is the mean of its folds; means and population deviations over repetitions.
 *
 * Folds are independent: a thread pool runs them, one thread each. Every training has random starts of its own, known
 * by fold, layers and width alone, so the number of threads changes nothing. Time: folds * layers * widths trainings.
 */
#include "base/arguments.h"
#include "base/owned.h"
#include "base/serialize.h"
#include "base/thread_pool.h"
#include "learn/baseline.h"
#include "learn/compare.h"
#include "learn/journal.h"
#include "nn/train/fingerprint.h"
#include "nn/train/training.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { VERSION = 4, MAX_CHOICES = 1 << 10 };
static const char MAGIC[8] = LM_NETWORK_JOURNAL_MAGIC;
static const size_t LAYERS[] = {1, 2, 3, 4, 5}, WIDTHS[] = {32, 64, 128};

void leman_network_protocol_init(leman_network_protocol *protocol, size_t size)
{
    const leman_network_protocol defaults = {.repetitions = 10, .folds = 10};
    lm_options_init(protocol, size, &defaults, sizeof defaults);
}

/* What the workers share. */
typedef struct grid_search {
    leman_context *ctx;
    const leman_dataset *data;
    lm_training_options options;     /* layers and width are 0 */
    leman_network_protocol protocol; /* with its lists filled in */
    const leman_splits *splits;
    bool classes; /* or tasks */
    size_t tasks;
    leman_network_fold *fold; /* [folds of all repetitions] */
    double *test_score;       /* [the same] */
    double *task_auc;         /* [the same][tasks] */
    bool *done;               /* [the same] */
    uint64_t data_checksum, splits_checksum;
    size_t memory; /* bytes for one worker */
} grid_search;

/* ---- The journal ----------------------------------------------------------------------------- */

static leman_status serialize_fold(lm_serializer *serializer, const grid_search *c, size_t i)
{
    leman_status st = LEMAN_OK;
    leman_network_fold *fold = c->fold + i;
    TRY(lm_serialize_size(serializer, &fold->layers, MAX_CHOICES));
    TRY(lm_serialize_size(serializer, &fold->width, SIZE_MAX));
    TRY(lm_serialize_word(serializer, &fold->epoch));
    TRY(lm_serialize_real(serializer, &fold->validation));
    TRY(lm_serialize_real(serializer, &fold->test));
    TRY(lm_serialize_real(serializer, &fold->seconds));
    TRY(lm_serialize_real(serializer, c->test_score + i));
    for (size_t t = 0; t < c->tasks; t++) TRY(lm_serialize_real(serializer, c->task_auc + i * c->tasks + t));
done:
    return st;
}

/* A list that must be the same. */
static leman_status serialize_choices(lm_serializer *serializer, const size_t *list, size_t count, const char *name)
{
    leman_status st = LEMAN_OK;
    size_t found = count;
    TRY(lm_serialize_size(serializer, &found, MAX_CHOICES));
    for (size_t i = 0; found == count && i < count; i++) {
        size_t value = list[i];
        TRY(lm_serialize_size(serializer, &value, SIZE_MAX));
        if (value != list[i]) found = SIZE_MAX;
    }
    if (found != count) TRY(lm_serializer_fail(serializer, "was made with other %s", name));
done:
    return st;
}

static leman_status serialize_grid_search(lm_serializer *serializer, grid_search *c)
{
    leman_status st = LEMAN_OK;
    const leman_network_protocol *p = &c->protocol;
    const size_t folds = c->splits->repetitions * c->splits->folds;
    uint64_t splits = c->splits_checksum;
    const size_t expected = c->options.training.epochs;
    size_t epochs = expected, score = c->options.training.score;
    TRY(lm_fingerprint_serialize(serializer, c->ctx->settings.seed, c->data_checksum, &c->options));
    TRY(serialize_choices(serializer, p->layers, p->layers_count, "layers"));
    TRY(serialize_choices(serializer, p->widths, p->widths_count, "widths"));
    TRY(lm_serialize_size(serializer, &epochs, SIZE_MAX));
    if (epochs != expected)
        TRY(lm_serializer_fail(serializer, "was made with %zu epoch%s, expected %zu", epochs, lm_plural(epochs),
                               expected));
    TRY(lm_serialize_size(serializer, &score, LEMAN_SCORE_COUNT - 1));
    if (score != c->options.training.score)
        TRY(lm_serializer_fail(serializer, "was made with the score %s, expected %s",
                               leman_score_name((leman_score)score), leman_score_name(c->options.training.score)));
    TRY(serialize_choices(serializer, c->options.training.tasks, c->tasks, "tasks"));
    TRY(lm_serialize_word(serializer, &splits));
    if (splits != c->splits_checksum) TRY(lm_serializer_fail(serializer, "was made with other folds"));
    for (size_t i = 0; i < folds; i++) {
        TRY(lm_serialize_bool(serializer, c->done + i));
        if (c->done[i]) TRY(serialize_fold(serializer, c, i));
    }
done:
    return st;
}

/* With the context of the worker that calls it: the caller's is for the caller's thread. */
static leman_status write_journal(leman_context *ctx, grid_search *c)
{
    leman_status st = LEMAN_OK;
    lm_serializer serializer = {0};
    TRY(lm_serializer_begin(&serializer, ctx, c->protocol.journal));
    TRY(serialize_grid_search(&serializer, c));
    TRY(lm_serializer_save(&serializer, MAGIC, VERSION));
done:
    lm_serializer_close(&serializer);
    return st;
}

static leman_status read_journal(grid_search *c, size_t *resumed)
{
    leman_status st = LEMAN_OK;
    lm_serializer serializer = {0};
    TRY(lm_serializer_open(&serializer, c->ctx, c->protocol.journal, MAGIC, VERSION, "a journal of networks"));
    TRY(serialize_grid_search(&serializer, c));
    TRY(lm_serializer_end(&serializer));
    for (size_t i = 0; i < c->splits->repetitions * c->splits->folds; i++) *resumed += c->done[i];
done:
    return lm_serializer_finish(&serializer, st);
}

/* ---- One fold -------------------------------------------------------------------------------- */

/* Test and validation graphs as the splits have them; all others train. In the worker's scratch. */
static leman_status parts_of(leman_context *ctx, const leman_splits *splits, size_t fold, leman_parts *parts)
{
    leman_status st = LEMAN_OK;
    const uint64_t *start = splits->start + 2 * fold;
    const size_t tests = (size_t)(start[1] - start[0]), vals = (size_t)(start[2] - start[1]);
    size_t at = 0;
    bool *held;
    SCRATCH(ctx, held, splits->graphs);
    SCRATCH(ctx, parts->graph, splits->graphs);
    memset(held, 0, splits->graphs * sizeof *held);
    for (uint64_t i = start[0]; i < start[2]; i++) held[splits->graph[i]] = true;
    for (size_t g = 0; g < splits->graphs; g++)
        if (!held[g]) parts->graph[at++] = (uint32_t)g;
    parts->count[0] = at;
    parts->count[1] = vals;
    parts->count[2] = tests;
    memcpy(parts->graph + at, splits->graph + start[1], vals * sizeof *parts->graph);
    memcpy(parts->graph + at + vals, splits->graph + start[0], tests * sizeof *parts->graph);
done:
    return st;
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

/* One network of the grid: *fold becomes its best epoch if that validates better. */
static leman_status train_candidate(lm_worker *worker, const grid_search *c, size_t item, size_t choice,
                                    const leman_parts *parts, leman_network_fold *fold)
{
    leman_status st = LEMAN_OK;
    const leman_network_protocol *p = &c->protocol;
    leman_architecture architecture = c->options.architecture;
    leman_training training = c->options.training;
    leman_network *network = NULL;
    leman_history *history = NULL;
    epoch_counter counter = {.worker = worker};
    architecture.layers = p->layers[choice / p->widths_count];
    architecture.width = p->widths[choice % p->widths_count];
    training.run = item * p->layers_count * p->widths_count + choice;
    training.on_epoch = after_epoch;
    training.user = &counter;
    training.details = &c->options.details;
    TRY(leman_train(worker->ctx, c->data, parts, &architecture, &training, &network, &history));
    if (counter.stopped) TRY(LEMAN_ERROR_CANCELLED);
    const leman_epoch *best = history->epoch + history->best;
    const double validation = history->score[2 * history->best]; /* of classes in percent, of targets the error */
    const bool better = c->classes ? validation > fold->validation : validation < fold->validation;
    if (better || !fold->epoch) {
        fold->layers = architecture.layers;
        fold->width = architecture.width;
        fold->epoch = best->epoch;
        fold->validation = validation;
        fold->test = c->classes ? 100 - best->test_error : best->test_error;
        c->test_score[item] = history->score[2 * history->best + 1];
        for (size_t t = 0; t < c->tasks; t++)
            c->task_auc[item * c->tasks + t] = history->task_auc[(2 * history->best + 1) * c->tasks + t];
    }
    TRY(lm_worker_advance(worker, training.epochs - history->epochs)); /* epochs that were not needed */
done:
    leman_history_free(history);
    leman_network_free(network);
    return st;
}

static leman_status run_fold(lm_worker *worker, void *state, size_t item)
{
    leman_status st = LEMAN_OK;
    grid_search *c = state;
    const size_t choices = c->protocol.layers_count * c->protocol.widths_count;
    leman_network_fold fold = c->fold[item];
    leman_parts parts;
    if (c->done[item]) return lm_worker_advance(worker, choices * c->options.training.epochs);
    worker->ctx->settings.threads = worker->threads;
    worker->ctx->settings.memory = c->memory;
    const double began = lm_now();
    TRY(parts_of(worker->ctx, c->splits, item, &parts));
    for (size_t choice = 0; choice < choices; choice++) TRY(train_candidate(worker, c, item, choice, &parts, &fold));
    fold.seconds = lm_now() - began;
#pragma omp critical(lm_network_protocol_journal)
    {
        c->fold[item] = fold;
        c->done[item] = true;
        if (c->protocol.journal) st = write_journal(worker->ctx, c);
    }
done:
    return st;
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

/* The mean of the baselines of all folds, in the units of the scores. */
static leman_status compute_baseline(const grid_search *c, leman_network_evaluation *e)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = c->ctx;
    const leman_training *t = &c->options.training;
    const size_t columns = leman_dataset_shape(c->data)->columns->targets, folds = e->repetitions * e->folds;
    const size_t count = t->targets ? t->target_count : columns;
    lm_scale scale = {0};
    size_t *column;
    double sum = 0;
    if (c->tasks) return lm_baseline_of_tasks_in_splits(ctx, c->data, c->splits, t->tasks, c->tasks, &e->baseline);
    if (c->classes) return lm_baseline_of_splits(ctx, c->data, c->splits, LEMAN_NO_TARGET, &e->baseline);
    SCRATCH(ctx, column, count);
    for (size_t i = 0; i < count; i++) column[i] = t->targets ? t->targets[i] : i;
    for (size_t i = 0; i < folds; i++) {
        lm_arena_mark mark = lm_arena_now(&ctx->scratch);
        leman_parts p;
        double mean;
        TRY(parts_of(ctx, c->splits, i, &p));
        lm_scale_free(ctx, &scale);
        TRY(lm_scale_measure(ctx, leman_dataset_targets(c->data), columns, column, count, p.graph, p.count[0],
                             t->scale_targets, &scale));
        TRY(lm_baseline_of_targets(ctx, c->data, p.graph + p.count[0] + p.count[1], p.count[2], column, count,
                                   scale.applied ? scale.deviation : NULL, &mean));
        sum += mean;
        lm_arena_reset(&ctx->scratch, mark);
    }
    e->baseline = sum / (double)folds;
done:
    lm_scale_free(ctx, &scale);
    return st;
}

/* The baseline, and the interval of the mean. */
static leman_status compute_headline(const grid_search *c, leman_network_evaluation *e)
{
    leman_status st = LEMAN_OK;
    const size_t folds = e->repetitions * e->folds;
    double *test;
    SCRATCH(c->ctx, test, folds);
    for (size_t i = 0; i < folds; i++) test[i] = e->fold[i].test;
    lm_corrected_interval(c->splits, test, 0, c->classes ? 100 : INFINITY, &e->test_low, &e->test_high);
    TRY(compute_baseline(c, e));
done:
    return st;
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
    if (!o->training.epochs) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found 0 epochs, expected at least 1 for folds");
    if (!o->training.details) o->details.plateau_on_accuracy = o->details.best_must_improve = true; /* as published */
    const lm_learned learned = lm_learned_of(data, o);
    c->classes = learned != LM_LEARN_TARGETS;
    c->tasks = learned == LM_LEARN_TASKS ? o->training.task_count : 0;
    if (c->tasks > MAX_CHOICES)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found %zu tasks, expected at most %d", c->tasks, MAX_CHOICES);
    if (lm_score_resolve(ctx, !c->classes, &o->training.score)) return LEMAN_ERROR_ARGUMENT;
    if (!c->classes) o->details.plateau_on_accuracy = false;
    o->architecture.layers = o->architecture.width = 0; /* they are chosen */
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

/* The sizes of the largest network are logged, and must fit, before the first is trained. */
static leman_status measure_largest(const grid_search *c)
{
    leman_status st = LEMAN_OK;
    const leman_network_protocol *p = &c->protocol;
    leman_architecture a = c->options.architecture;
    leman_training training = c->options.training;
    leman_network *network = NULL;
    leman_history *history = NULL;
    leman_parts parts;
    a.layers = largest_of(p->layers, p->layers_count);
    a.width = largest_of(p->widths, p->widths_count);
    training.epochs = 0;
    training.on_epoch = NULL;
    training.details = &c->options.details;
    TRY(parts_of(c->ctx, c->splits, 0, &parts));
    TRY(leman_train(c->ctx, c->data, &parts, &a, &training, &network, &history));
    const uint64_t needed = lm_saturating_add(history->weight_bytes, history->activation_bytes);
    if (needed > c->memory)
        FAIL(c->ctx, LEMAN_ERROR_BUDGET,
             "%zu layer%s of width %zu need %.1f MiB, and each of %d threads has %.1f MiB of the memory budget; fewer "
             "threads, smaller batches or widths need less",
             a.layers, lm_plural(a.layers), a.width, (double)needed / 0x1p20, lm_thread_pool_workers(c->ctx),
             (double)c->memory / 0x1p20);
done:
    leman_history_free(history);
    leman_network_free(network);
    return st;
}

static leman_status run_grid_search(grid_search *c, size_t *resumed)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = c->ctx;
    const leman_network_protocol *p = &c->protocol;
    const size_t folds = c->splits->repetitions * c->splits->folds;
    uint64_t *cost;
    for (size_t i = 0; i < folds; i++) {
        c->fold[i] = (leman_network_fold){.repetition = (uint32_t)(i / c->splits->folds),
                                          .fold = (uint32_t)(i % c->splits->folds)};
        c->done[i] = false;
    }
    TRY(lm_output_check(ctx, p->journal));
    if (p->journal && p->resume && !access(p->journal, F_OK)) TRY(read_journal(c, resumed));
    SCRATCH(ctx, cost, folds);
    for (size_t i = 0; i < folds; i++) cost[i] = c->done[i] ? 0 : 1;
    c->memory = lm_budget(ctx) / (size_t)lm_thread_pool_workers(ctx);
    TRY(measure_largest(c));
    lm_progress_begin(ctx, folds * p->layers_count * p->widths_count * c->options.training.epochs,
                      "training in %zu fold%s", folds, lm_plural(folds));
    TRY(lm_thread_pool_run(ctx, cost, folds, 0, run_fold, c));
done:
    return st;
}

/* All folds of *e, whose splits are known. */
static leman_status evaluate(grid_search *c, leman_network_evaluation *e)
{
    leman_status st = LEMAN_OK;
    leman_context *ctx = c->ctx;
    c->data_checksum = leman_dataset_checksum(c->data);
    c->splits_checksum = leman_splits_checksum(c->splits);
    e->repetitions = c->splits->repetitions;
    e->folds = c->splits->folds;
    e->classes = c->classes;
    NEW(ctx, e->fold, e->repetitions * e->folds);
    SCRATCH(ctx, c->done, e->repetitions * e->folds);
    NEW(ctx, e->test_score, e->repetitions * e->folds);
    if (c->tasks) NEW(ctx, e->task_auc, e->repetitions * e->folds * c->tasks);
    e->selected_by = c->options.training.score;
    e->tasks = c->tasks;
    c->fold = e->fold;
    c->test_score = e->test_score;
    c->task_auc = e->task_auc;
    TRY(run_grid_search(c, &e->resumed));
    summarize(e);
    TRY(compute_headline(c, e));
done:
    return st;
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
    REQUIRE(ctx, data);
    REQUIRE(ctx, evaluation);
    mark = lm_arena_now(&ctx->scratch);
    TRY(lm_training_options_copy(ctx, architecture, training, &c.options));
    TRY(lm_options_copy(ctx, "leman_network_protocol", protocol, &c.protocol, sizeof c.protocol));
    TRY(check(ctx, data, &c));
    c.splits = c.protocol.splits;
    if (!c.splits) {
        TRY(leman_splits_draw(ctx, data, c.protocol.repetitions, c.protocol.folds, false, &drawn));
        c.splits = drawn;
    }
    OWNED(ctx, e);
    TRY(evaluate(&c, e));
    *evaluation = e;
done:
    if (st) leman_network_evaluation_free(e);
    leman_splits_free(drawn);
    if (ctx) lm_arena_reset(&ctx->scratch, mark);
    return st;
}

void leman_network_evaluation_free(leman_network_evaluation *evaluation)
{
    if (!evaluation) return;
    lm_owned_release(evaluation, evaluation->fold);
    lm_owned_release(evaluation, evaluation->test_score);
    lm_owned_release(evaluation, evaluation->task_auc);
    lm_owned_free(evaluation);
}
