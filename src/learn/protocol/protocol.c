/*
 * The evaluation protocol of the field: repeated cross-validation in which a validation part selects the number of
 * rounds and C.
 *
 *   1. the arguments are checked, and the splits are drawn or copied
 *   2. features of all graphs for every number of rounds, once: Gram matrices, or rows of a linear SVM
 *   3. every fold, over threads: fold.c
 *   4. means and deviations: evaluation.c
 *
 * Folds are independent, and each is computed by one thread of one rank, so the numbers of threads and ranks never
 * change a result. If fewer folds are left than all ranks have threads, these last folds are divided into tasks
 * (round_tasks.h). Linear SVMs of several folds are fitted together, with the same bits, so that they share
 * passes over the rows. Folds that are in the journal are not computed again.
 */
#include "base/arguments.h"
#include "base/drop.h"
#include "base/hash.h"
#include "base/ranks/ranks.h"
#include "base/thread_pool.h"
#include "graph/same_work.h"
#include "kernel/features/feature_matrix.h"
#include "kernel/kernel.h"
#include "learn/protocol/baseline.h"
#include "learn/protocol/evaluation.h"
#include "learn/protocol/fold_records.h"
#include "learn/protocol/graph_options.h"
#include "learn/protocol/round_tasks.h"
#include "learn/protocol/scores.h"
#include "learn/protocol/splits.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const double *leman_default_C(size_t *count)
{
    static const double C[] = {1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3};
    if (count) *count = sizeof C / sizeof *C;
    return C;
}

LM_OPTIONS(leman_protocol, protocol, .repetitions = 10, .folds = 10, .max_rounds = 5, .target = LEMAN_NO_TARGET)

static const char *const SVMS[] = {
    [LEMAN_SVM_AUTO] = "auto", [LEMAN_SVM_KERNEL] = "kernel", [LEMAN_SVM_LINEAR] = "linear"};

LM_ENUM(leman_svm, svm, "SVM", SVMS, , LEMAN_SVM_COUNT)

/* ---- Arguments ------------------------------------------------------------------------------- */

/* Reads the class or target of every graph. Missing ones stay marked as missing. */
static leman_status read_labels(leman_context *ctx, const leman_dataset *data, size_t target, lm_classes *classes,
                                double **values)
{
    const size_t graphs = leman_dataset_shape(data)->graphs;
    size_t missing = 0;
    if (target != LEMAN_NO_TARGET) {
        PASS_SCRATCH(ctx, *values, graphs);
        PASS(lm_targets_read(ctx, data, target, *values));
        for (size_t i = 0; i < graphs; i++) missing += isnan((*values)[i]) != 0;
        lm_log_missing(ctx, data, missing, "target");
        return LEMAN_OK;
    }
    PASS(lm_classes_compute_known(ctx, data, classes));
    if (classes->count < 2)
        return lm_fail(ctx, LEMAN_ERROR_INPUT, "%s: found %zu class%s, expected at least two",
                       leman_dataset_shape(data)->name, classes->count, lm_plural_of(classes->count, "", "es"));
    lm_log_missing(ctx, data, classes->missing, "class");
    return LEMAN_OK;
}

static leman_status make_splits(leman_context *ctx, const leman_dataset *data, const leman_protocol *protocol,
                                leman_splits **out)
{
    const leman_shape *shape = leman_dataset_shape(data);
    if (!protocol->splits)
        return leman_splits_draw(ctx, data, protocol->repetitions, protocol->folds, protocol->stratified, out);
    if (protocol->splits->graphs != shape->graphs)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "%s: found splits of %zu graph%s, expected %zu", shape->name,
                       protocol->splits->graphs, lm_plural(protocol->splits->graphs), shape->graphs);
    return lm_splits_copy(ctx, protocol->splits, out);
}

/* Determines the kind of SVM and the range of rounds to select from. */
static leman_status resolve(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                            const leman_protocol *protocol, leman_evaluation *e)
{
    const bool linear = lm_kernels_are_linear(kernels, count);
    const leman_kernel *pairs = NULL;
    size_t graphs = leman_dataset_shape(data)->graphs;
    for (size_t i = 0; i < count; i++) {
        PASS(lm_projections_refuse(ctx, kernels + i));
        pairs = lm_kernel_is_of_pairs(kernels + i) ? kernels + i : pairs;
        e->has_rounds |= lm_kernel_selects_rounds(kernels + i);
    }
    e->min_rounds = e->has_rounds ? protocol->min_rounds : 0;
    e->rounds = e->has_rounds ? (size_t)protocol->max_rounds - protocol->min_rounds + 1 : 1;
    e->svm = protocol->svm;
    if (protocol->target != LEMAN_NO_TARGET) e->target = protocol->target;
    if (protocol->svm == LEMAN_SVM_AUTO)
        e->svm = count && (!linear || pairs || graphs <= LEMAN_KERNEL_GRAPHS) ? LEMAN_SVM_KERNEL : LEMAN_SVM_LINEAR;
    if (!count && e->svm != LEMAN_SVM_LINEAR)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found a kernel SVM, expected a linear one for a feature file");
    if (e->svm == LEMAN_SVM_LINEAR && pairs) return lm_pairs_refuse(ctx, pairs, "linear SVM");
    return e->svm == LEMAN_SVM_LINEAR && !linear ? lm_linear_refuse(ctx) : LEMAN_OK;
}

/* Reads the weights and bounds of the graphs that have a class or target into all->weight and all->bound. */
static leman_status read_graph_options(leman_context *ctx, const leman_dataset *data, const leman_protocol *protocol,
                                       lm_training_set *all, leman_evaluation *e)
{
    const char *name = leman_dataset_shape(data)->name;
    size_t *known, count = 0;
    double *weight, *own;
    int8_t *bound, *kept;
    PASS_SCRATCH(ctx, known, all->count);
    for (size_t g = 0; g < all->count; g++)
        if (all->target ? !isnan(all->target[g]) : all->label[g] < all->classes) known[count++] = g;
    e->weighted_scores = protocol->weight && protocol->weighted_scores;
    if (protocol->weight) {
        PASS_SCRATCH(ctx, own, count);
        PASS_SCRATCH(ctx, weight, all->count);
        PASS(lm_graph_weights_read(ctx, name, protocol->weight, known, count, own));
        for (size_t g = 0; g < all->count; g++) weight[g] = 1;
        for (size_t i = 0; i < count; i++) weight[known[i]] = own[i];
        all->weight = weight;
    }
    if (!protocol->censoring) return LEMAN_OK;
    if (!all->target)
        return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found censored targets, but classes are predicted, not targets");
    PASS_SCRATCH(ctx, kept, count);
    PASS_SCRATCH_ZERO(ctx, bound, all->count);
    PASS(lm_graph_bounds_read(ctx, name, protocol->censoring, known, count, kept));
    for (size_t i = 0; i < count; i++) {
        bound[known[i]] = kept[i];
        e->bounds += kept[i] != 0;
    }
    all->bound = bound;
    return LEMAN_OK;
}

/* ---- The run --------------------------------------------------------------------------------- */

typedef struct evaluation_run {
    lm_run run;
    leman_evaluation *evaluation;
    lm_records records; /* the folds of the evaluation */
    lm_journal *journal;
    bool *done;            /* [folds] found in the journal */
    bool *mine;            /* [folds] computed by this rank */
    size_t *todo;          /* [left] folds that are not in the journal */
    size_t left, together; /* together: number of folds that a thread fits together */
    size_t whole;          /* the first `whole` of the folds left are not divided */
    size_t groups;         /* of `together` folds each */
    const size_t *taken;   /* tasks of this rank; NULL: there is one rank, which does all of them */
    lm_round_tasks cut;    /* the other folds left, divided into tasks */
} evaluation_run;

/* Keeps a fold that this rank has computed. */
static leman_status finish_fold(leman_context *ctx, evaluation_run *s, size_t fold)
{
    PASS(lm_journal_add(ctx, s->journal, &s->records, fold));
    s->mine[fold] = true;
    return LEMAN_OK;
}

/* Does one task. Tasks below `groups` are groups of folds; the others are folds with one number of rounds. */
static leman_status run_task(lm_worker *worker, void *user, size_t item)
{
    evaluation_run *s = user;
    const lm_estimator_factory *factory = s->run.factory;
    const size_t task = s->taken ? s->taken[item] : item;
    worker->ctx->settings.memory = factory->memory ? factory->memory : 1;
    if (task >= s->groups) return lm_round_tasks_do(worker, &s->cut, task - s->groups);
    const size_t begin = task * s->together, rest = s->whole - begin, *fold = s->todo + begin;
    const size_t count = rest < s->together ? rest : s->together;
    lm_fold_result result[LM_TOGETHER];
    for (size_t i = 0; i < count; i++) result[i] = lm_evaluation_fold(s->evaluation, fold[i]);
    PASS(lm_folds_run(worker, &s->run, fold, count, factory->min_rounds, factory->max_rounds, result));
    for (size_t i = 0; i < count; i++) PASS(finish_fold(worker->ctx, s, fold[i]));
    return LEMAN_OK;
}

/* Distributes tasks to the ranks on demand. A rank takes as many at a time as it has threads. */
static leman_status tasks_of_ranks(leman_context *ctx, evaluation_run *s)
{
    const size_t workers = (size_t)lm_thread_pool_workers(ctx), all = s->groups + s->cut.folds * s->cut.rounds;
    lm_rank_tasks tasks;
    size_t *taken, task = 0;
    PASS_SCRATCH(ctx, taken, workers);
    PASS(lm_rank_tasks_begin(ctx, &tasks));
    s->taken = taken;
    while (task < all) {
        size_t count = 0;
        for (; count < workers; count++) {
            PASS(lm_rank_tasks_next(ctx, &tasks, &task));
            if (task >= all) break;
            taken[count] = task;
        }
        PASS(lm_thread_pool_run(ctx, NULL, count, 0, run_task, s));
        ctx->ranks.traffic.work += count;
    }
    return LEMAN_OK;
}

/* Divides the last folds, which are too few to occupy all threads of all ranks, into tasks by their numbers of rounds.
 * Nothing is divided if there is one number of rounds, or if folds are retrained. */
static leman_status cut_folds(leman_context *ctx, evaluation_run *s)
{
    uint64_t workers = (uint64_t)lm_thread_pool_workers(ctx);
    PASS(lm_ranks_min(ctx, &workers));
    const size_t together = (size_t)workers * lm_rank_count(ctx);
    s->whole = s->left;
    if (!lm_has_ranks(ctx) || s->run.retrain || s->evaluation->rounds == 1) return LEMAN_OK;
    s->whole -= s->left % together;
    return lm_round_tasks_new(ctx, &s->run, s->todo + s->whole, s->left - s->whole, &s->cut);
}

/* Computes all folds that are left. */
static leman_status train_folds(leman_context *ctx, evaluation_run *s)
{
    const lm_run *run = &s->run;
    const size_t outputs = lm_estimator_outputs(run->factory, run->all.target, run->all.classes);
    PASS(cut_folds(ctx, s));
    uint64_t together = lm_estimators_together(run->factory, outputs, s->whole ? s->whole : 1,
                                               (size_t)lm_thread_pool_workers(ctx) * lm_rank_count(ctx));
    PASS(lm_ranks_min(ctx, &together));
    s->together = (size_t)together;
    s->groups = (s->whole + s->together - 1) / s->together;
    lm_progress_begin(ctx, s->left * s->evaluation->rounds * run->C_count, "training in %zu fold%s", s->left,
                      lm_plural(s->left));
    return lm_has_ranks(ctx)
               ? tasks_of_ranks(ctx, s)
               : lm_thread_pool_run(ctx, NULL, s->groups, run->factory->alone ? s->groups : 0, run_task, s);
}

/* Computes all folds. If memory is too short for several folds at a time, the remaining folds are computed one by one.
 * Folds that were divided count as folds of rank 0. */
static leman_status all_folds(leman_context *ctx, lm_estimator_factory *factory, evaluation_run *s)
{
    leman_status st = train_folds(ctx, s);
    if (lm_estimator_factory_shrink(ctx, st, factory)) {
        size_t left = 0;
        for (size_t i = 0; i < s->left; i++)
            if (!s->mine[s->todo[i]]) s->todo[left++] = s->todo[i];
        s->left = left;
        st = train_folds(ctx, s);
    }
    PASS(st);
    if (s->cut.folds) PASS(lm_round_tasks_finish(ctx, &s->cut, s->evaluation));
    for (size_t i = 0; i < s->cut.folds && !lm_rank(ctx); i++) PASS(finish_fold(ctx, s, s->cut.fold[i]));
    return lm_journal_share(ctx, &s->records, s->mine, s->journal);
}

/* Fails unless all ranks evaluate the same kernels on the same folds with the same options. Then opens the journal. */
static leman_status open_journal(leman_context *ctx, const leman_kernel *kernels, size_t count,
                                 const leman_protocol *protocol, evaluation_run *s)
{
    lm_journal_head *head;
    const size_t folds = lm_evaluation_folds(s->evaluation);
    PASS_SCRATCH_ZERO(ctx, s->done, folds);
    PASS_SCRATCH_ZERO(ctx, s->mine, folds);
    PASS_SCRATCH(ctx, head, 1);
    s->records = lm_fold_records(s->evaluation);
    lm_evaluation_head(kernels, count, &s->run, protocol, s->evaluation, head);
    const uint64_t sum = lm_kernels_checksum(kernels, count) + (protocol->journal != NULL);
    PASS(lm_ranks_same(ctx, "other options or folds", lm_checksum(head->text, strlen(head->text), sum)));
    if (!protocol->journal) return LEMAN_OK;
    PASS(lm_journal_head_end(ctx, head));
    return lm_journal_open_ranks(ctx, protocol->journal, head->text, &s->records, s->done, s->journal);
}

/* Runs the folds. *factory is created if it is NULL. */
static leman_status run_folds(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                              lm_estimator_factory **factory, evaluation_run *s)
{
    leman_evaluation *e = s->evaluation;
    size_t folds = lm_evaluation_folds(e);
    uint32_t max = e->min_rounds + (uint32_t)e->rounds - 1;
    PASS_SCRATCH(ctx, s->todo, folds);
    for (size_t i = 0; i < folds; i++)
        if (!s->done[i]) s->todo[s->left++] = i;
    e->resumed = folds - s->left;
    if (!s->left) return LEMAN_OK;
    double began = lm_now();
    if (!*factory) PASS(lm_estimator_factory_new(ctx, e->svm, data, kernels, count, NULL, e->min_rounds, max, factory));
    e->seconds_features = lm_now() - began;
    s->run.factory = *factory;
    PASS(all_folds(ctx, *factory, s));
    e->seconds_svm = lm_now() - began - e->seconds_features;
    return LEMAN_OK;
}

/* kernels and protocol must be checked copies. *factory is NULL or belongs to the same kernels and graphs. If count is
 * 0 the data is a feature file with the given checksum. */
static leman_status evaluate(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                             const leman_protocol *protocol, uint64_t checksum, lm_estimator_factory **factory,
                             leman_evaluation *e)
{
    SCRATCH_SCOPE(ctx);
    AUTO(lm_classes_free) lm_classes classes = {0};
    AUTO(lm_journal_close) lm_journal journal = {0};
    double *values = NULL;
    lm_run run = {.C = protocol->C, .C_count = protocol->C_count, .retrain = protocol->retrain};
    PASS(lm_grid_check(ctx, &run.C, &run.C_count, protocol->min_rounds, protocol->max_rounds));
    PASS(resolve(ctx, data, kernels, count, protocol, e));
    PASS(read_labels(ctx, data, protocol->target, &classes, &values));
    e->score = protocol->score;
    PASS(lm_score_resolve(ctx, values != NULL, &e->score));
    PASS(lm_class_weights_check(ctx, protocol->class_weight, protocol->class_weights, &classes));
    PASS(make_splits(ctx, data, protocol, &e->splits));
    PASS(lm_evaluation_allocate(ctx, &classes, e));
    e->seed = ctx->settings.seed;
    e->data_checksum = checksum;
    e->splits_checksum = lm_splits_checksum(e->splits);
    run.splits = e->splits;
    run.score = e->score;
    run.all = (lm_training_set){.label = classes.number,
                                .target = values,
                                .count = e->splits->graphs,
                                .classes = classes.count,
                                .class_weight = protocol->class_weight,
                                .balanced = protocol->balanced_weights};
    PASS(read_graph_options(ctx, data, protocol, &run.all, e));
    run.plain_scores = run.all.weight && !e->weighted_scores;
    evaluation_run s = {.run = run, .evaluation = e, .journal = &journal};
    PASS(open_journal(ctx, kernels, count, protocol, &s));
    PASS(run_folds(ctx, data, kernels, count, factory, &s));
    PASS(lm_evaluation_summarize(ctx, &classes, e));
    e->baseline = NAN;
    if (e->weighted_scores || e->bounds) return LEMAN_OK; /* a constant would have to be judged in the same way */
    return lm_baseline_of_splits(ctx, data, e->splits, protocol->target, &e->baseline);
}

/* Evaluates one task: the data with a column of targets as its classes, and a separate journal. */
static leman_status evaluate_task(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                  size_t count, const leman_protocol *given, size_t column, size_t task,
                                  lm_estimator_factory **factory, leman_evaluation *e)
{
    SCRATCH_SCOPE(ctx);
    leman_protocol protocol = *given;
    AUTO(leman_dataset_drop) leman_dataset *labelled = NULL;
    size_t size = (given->journal ? strlen(given->journal) : 0) + 24;
    char *journal;
    PASS_SCRATCH(ctx, journal, size);
    snprintf(journal, size, "%s.%zu", given->journal ? given->journal : "", task);
    if (given->journal) protocol.journal = journal;
    PASS(leman_dataset_use_class(ctx, data, column, &labelled));
    return evaluate(ctx, labelled, kernels, count, &protocol, leman_dataset_checksum(labelled), factory, e);
}

/* Evaluates every task, or, if columns is NULL, the class or target of the protocol. The graphs are those of data, or
 * the rows of a matrix, whose labels are in data. */
static leman_status evaluate_all(leman_context *ctx, const leman_dataset *data, leman_feature_matrix *matrix,
                                 const leman_kernel *kernels, size_t count, const leman_protocol *given,
                                 const size_t *columns, size_t tasks, leman_evaluation **out)
{
    leman_status st = LEMAN_OK;
    SCRATCH_SCOPE(ctx);
    leman_protocol protocol = leman_protocol_default();
    leman_kernel *copy = NULL;
    leman_evaluation **e = NULL;
    lm_estimator_factory *factory = NULL;
    AUTO(lm_round_features_free) lm_round_features features = {0};
    lm_ranks_begin(ctx);
    TRY(lm_options_copy(ctx, "leman_protocol", given, &protocol, sizeof protocol));
    TRY(lm_require_enum(ctx, __func__, "protocol.svm", (int)protocol.svm, LEMAN_SVM_LINEAR));
    TRY(lm_require_enum(ctx, __func__, "protocol.score", (int)protocol.score, LEMAN_SCORE_R2));
    if (columns && protocol.target != LEMAN_NO_TARGET)
        FAIL(ctx, LEMAN_ERROR_ARGUMENT, "found several tasks and a target, expected one of them");
    if (matrix && protocol.target == LEMAN_NO_TARGET) TRY(lm_feature_matrix_classes(ctx, matrix));
    if (!matrix) TRY(lm_kernels_copy(ctx, kernels, count, &copy));
    TRY(lm_ranks_same_work(ctx, lm_checksum(columns, columns ? tasks * sizeof *columns : 0, tasks), data, NULL));
    const uint64_t checksum = matrix ? matrix->checksum : columns ? 0 : leman_dataset_checksum(data);
    if (matrix) {
        TRY(lm_ranks_same(ctx, "other data", checksum));
        TRY(lm_round_features_of_matrix(ctx, matrix, &features));
        TRY(lm_estimator_factory_new(ctx, LEMAN_SVM_LINEAR, data, NULL, 0, &features, 0, 0, &factory));
    }
    SCRATCH_ZERO(ctx, e, tasks);
    for (size_t t = 0; t < tasks; t++) {
        NEW_ZERO(ctx, e[t], 1);
        TRY(columns ? evaluate_task(ctx, data, copy, count, &protocol, columns[t], t, &factory, e[t])
                    : evaluate(ctx, data, copy, count, &protocol, checksum, &factory, e[t]));
    }
done:
    st = lm_ranks_end(ctx, st);
    if (!st) memcpy(out, e, tasks * sizeof *e);
    lm_estimator_factory_free(factory);
    for (size_t t = 0; st && e && t < tasks; t++) leman_evaluation_free(e[t]);
    return st;
}

leman_status leman_evaluate(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels, size_t count,
                            const leman_protocol *protocol, leman_evaluation **out)
{
    REQUIRE(ctx, data, out);
    return evaluate_all(ctx, data, NULL, kernels, count, protocol, NULL, 1, out);
}

leman_status leman_evaluate_tasks(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                  size_t count, const leman_protocol *protocol, const size_t *columns, size_t tasks,
                                  leman_evaluation **out)
{
    REQUIRE(ctx, data, columns, out);
    if (!tasks) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "tasks: found 0, expected at least one");
    return evaluate_all(ctx, data, NULL, kernels, count, protocol, columns, tasks, out);
}

leman_status leman_evaluate_matrix(leman_context *ctx, leman_feature_matrix *matrix, const leman_protocol *protocol,
                                   leman_evaluation **out)
{
    REQUIRE(ctx, matrix, out);
    return evaluate_all(ctx, matrix->labels, matrix, NULL, 0, protocol, NULL, 1, out);
}
