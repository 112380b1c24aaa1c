/* leman train: its options, and what it writes. */
#ifndef LM_CLI_TRAIN_H
#define LM_CLI_TRAIN_H

#include "cli/options/protocol.h"
#include "cli/work.h"

/* A member for each number of a training. */
#define LM_NUMBER_MEMBER(member, kind, value, low, high, resumes, words, option, argument, text)                       \
    LM_NUMBER_MEMBER_##kind member;
#define LM_NUMBER_MEMBER_COUNT uint64_t
#define LM_NUMBER_MEMBER_REAL double

typedef struct lm_train_options {
    lm_common common;
    const char *model, *preset, *scale_targets, *plateau; /* NULL: not given */
    uint64_t k, ignore;                                   /* k UINT64_MAX: not given */
    lm_ranges layers, width, coordinates;
    lm_texts targets;
    struct {
        LEMAN_TRAINING_NUMBERS(LM_NUMBER_MEMBER)
    } number; /* read them only where lm_option_given() */
    bool classes, square, recompute, own_fourth, resume, in_arcs;
    const char *train, *val, *test, *parts;
    double val_share, test_share;
    const char *checkpoint, *log, *export, *report;
    uint64_t folds, repetitions, runs; /* 0: not given */
    const char *splits;
    bool scaffold;
    lm_imbalance_options imbalance;
} lm_train_options;

enum { LM_IGNORE_VERTEX_LABELS = 1, LM_IGNORE_EDGE_LABELS = 2, LM_IGNORE_ATTRIBUTES = 4 }; /* of --ignore */

/* One run: options, data and results. */
typedef struct lm_train_result {
    leman_dataset *data;
    leman_parts *parts;
    leman_architecture architecture;
    leman_training training;
    leman_paper_details details; /* of the training */
    size_t *targets;             /* columns of targets or tasks of the training; NULL: all */
    double *class_weight;        /* of the training, or NULL */
    const char *class_weights;   /* as asked for */
    leman_network *network;
    leman_history *history;
    leman_runs *runs; /* --runs: history is that of the best, and theirs; otherwise NULL */
    double seconds;
} lm_train_result;

/* The network and its k, from -a and -k (architecture.c). */
leman_status lm_train_model(leman_context *ctx, const lm_train_options *options, leman_architecture *architecture);
/* All of it, for the data; says which options it does not have. */
leman_status lm_train_architecture(lm_work *work, const lm_train_options *options, const leman_dataset *data,
                                   leman_architecture *architecture);
/* {model method} of an architecture. */
void lm_network_name_json(lm_json *json, json_t *object, const leman_architecture *architecture);
/* What a network is: model method k preset layers width parameters types learns outputs. */
void lm_network_json(lm_json *json, json_t *object, const leman_network_shape *shape);
/* Which graphs train, validate and test (parts.c). */
leman_status lm_train_parts(leman_context *ctx, const lm_train_options *options, lm_train_result *result);
/* --class A,B,C (tasks.c): the columns into the training. */
leman_status lm_train_tasks(lm_work *work, lm_train_result *result);
/* The percentage of labels of these graphs that the majority class of each task gets right. */
double lm_train_tasks_baseline(const lm_train_result *result, const uint32_t *graph, size_t count);
/* What was learned of each: "tasks" and means under parent, where there are any; a table. */
void lm_train_tasks_json(lm_json *json, json_t *parent, const lm_train_result *result);
leman_status lm_train_tasks_table(lm_work *work, const lm_train_result *result, lm_output *out);
/* The same of folds. */
void lm_train_folds_tasks_json(lm_json *json, json_t *parent, const lm_train_result *result,
                               const leman_network_evaluation *evaluation);
leman_status lm_train_folds_tasks_table(lm_work *work, const lm_train_result *result,
                                        const leman_network_evaluation *evaluation, lm_output *out);
/* The result as JSON or for people, to where results go. */
leman_status lm_train_write(lm_work *work, const lm_train_result *result);
/* The epochs so far into a file, by its ending .csv or .json. */
leman_status lm_train_log(leman_context *ctx, const leman_history *history, const char *path);

/* The epochs as JSON: epochs best selected_by targets converged resumed. */
void lm_history_json(lm_json *json, json_t *object, const leman_history *history);
/* --runs (runs.c): trains, and logs every run to a file of its own. What the runs have in common as JSON, and as text.
 */
leman_status lm_train_runs(lm_work *work, const lm_train_options *options, lm_train_result *result);
/* lm_train_log() into the file of the history's run. */
leman_status lm_train_run_log(leman_context *ctx, const leman_history *history, const char *path);
void lm_train_runs_json(lm_json *json, json_t *object, const leman_runs *runs);
void lm_train_runs_text(lm_output *out, const leman_runs *runs);

/* Folds instead of one split: --folds or --splits. */
bool lm_train_by_folds(const lm_train_options *options);
/* Those folds (folds.c): the result has data, architecture and training. */
leman_status lm_train_folds(lm_work *work, const lm_train_options *options, lm_train_result *result);

#endif
