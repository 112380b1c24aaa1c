/* leman train: its options, and the functions that write its results. */
#ifndef LM_CLI_TRAIN_H
#define LM_CLI_TRAIN_H

#include "cli/networks.h"
#include "cli/options/protocol.h"
#include "cli/work.h"

/* Declares a member for each numeric option of a training. */
#define LM_NUMBER_MEMBER(member, kind, value, low, high, resumes, words, option, argument, text)                       \
    LM_NUMBER_MEMBER_##kind member;
#define LM_NUMBER_MEMBER_COUNT uint64_t
#define LM_NUMBER_MEMBER_REAL double

typedef struct lm_train_options {
    lm_common common;
    const char *model, *preset, *scale_targets, *plateau, *schedule, *attributes, *encode, *level; /* NULL: not given */
    const char *tuples;                                                                            /* NULL: not given */
    uint64_t k, ignore;                                                                            /* k 0: not given */
    lm_ranges layers, width, coordinates;
    lm_texts targets;
    struct {
        LEMAN_TRAINING_NUMBERS(LM_NUMBER_MEMBER)
    } number; /* valid only if lm_option_given() */
    bool classes, square, recompute, own_fourth, resume, in_arcs;
    const char *train, *val, *test, *parts;
    double val_share, test_share;
    const char *checkpoint, *log, *export, *report;
    uint64_t folds, repetitions, runs; /* 0: not given */
    const char *splits;
    bool scaffold;
    lm_imbalance_options imbalance;
} lm_train_options;

/* Options, data and results of one run of the command. */
typedef struct lm_train_result {
    leman_dataset *data;
    leman_parts *parts;
    leman_dataset *rows; /* what is predicted: graphs, vertices or arcs, with the values that are learned as targets */
    leman_parts *row_parts; /* of rows */
    leman_architecture architecture;
    leman_training training;
    leman_paper_details details; /* for training.details */
    leman_level level;           /* of what is learned */
    lm_learned_columns learned;  /* attributes that are learned */
    size_t *targets;             /* columns of targets or tasks, for training; NULL: all */
    size_t target_count;         /* of `targets` */
    double *class_weight;        /* for training, or NULL */
    const char *class_weights;   /* text of --class-weights */
    leman_network *network;
    leman_history *history;
    leman_runs *runs; /* --runs: all runs, which own `history`, that of the best; otherwise NULL */
    double seconds;
    char chosen[512]; /* why a network was chosen; empty if -a names it */
} lm_train_result;

/* Adds {model method} of an architecture to object. */
void lm_network_name_json(lm_json *json, json_t *object, const leman_architecture *architecture);
/* Adds the description of a network to object: model method k preset layers width parameters types learns outputs. */
void lm_network_json(lm_json *json, json_t *object, const leman_network_shape *shape);
/* Returns true if the command line leaves the network open: the program chooses one for targets. */
bool lm_train_chooses(const lm_train_options *options, const lm_train_result *result);
/* Sets the kind of result->architecture, and the training to that of `set` for this kind, to the best network that is
 * affordable; sets result->chosen (choose.c). The result must have data and parts. */
typedef leman_status lm_train_set(lm_work *work, const lm_train_options *options, lm_train_result *result);
leman_status lm_train_choose(lm_work *work, const lm_train_options *options, lm_train_set *set,
                             lm_train_result *result);
/* Reads the columns of --class A,B,C into result->training (tasks.c). */
leman_status lm_train_tasks(lm_work *work, lm_train_result *result);
/* Returns the percentage of the labels of the graphs graph[count] that predicting the majority class of each task gets
 * right. */
double lm_train_tasks_baseline(const lm_train_result *result, const uint32_t *graph, size_t count);
/* Write the results of each task, in the best epoch or, if `folds` is not NULL, over all folds: "tasks" and means under
 * parent, or a table. They write nothing if there are no tasks. */
void lm_train_tasks_json(lm_json *json, json_t *parent, const lm_train_result *result,
                         const leman_network_evaluation *folds);
leman_status lm_train_tasks_table(lm_work *work, const lm_train_result *result, const leman_network_evaluation *folds,
                                  lm_output *out);
/* Writes the result as JSON or text to the output for results. */
leman_status lm_train_write(lm_work *work, const lm_train_result *result);
/* Writes the epochs so far to a file, as CSV or JSON by the ending .csv or .json. */
leman_status lm_train_log(leman_context *ctx, const leman_history *history, const char *path);

/* Takes the status of a training. One that was interrupted after an epoch, perhaps the last, has a network, the best so far: returns LEMAN_OK, so
 * that the results are written, and the program fails afterwards (lm_work_stopped()). With several ranks it fails now. */
leman_status lm_train_kept(lm_work *work, const lm_train_options *options, leman_status st,
                           const lm_train_result *result);

/* --runs: trains all runs, and logs each to its own file. */
leman_status lm_train_runs(lm_work *work, const lm_train_options *options, lm_train_result *result);
/* Calls lm_train_log() with the file of the history's run. */
leman_status lm_train_run_log(leman_context *ctx, const leman_history *history, const char *path);

/* Returns true if folds were asked for, by --folds or --splits, instead of one split. */
bool lm_train_by_folds(const lm_train_options *options);
/* Trains in all folds and writes the result (folds.c). result must have data, architecture and training. */
leman_status lm_train_folds(lm_work *work, const lm_train_options *options, lm_train_result *result);

#endif
