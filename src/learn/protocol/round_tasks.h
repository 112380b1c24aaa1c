/*
 * Folds divided into one task for each number of rounds. Used for the last folds of a run, so that no rank is idle
 * while others train. A task is one fold with one number of rounds and all values of C. The values of C stay in one
 * task because every fit starts from the solution of the previous C; separate fits would give other digits. When all
 * tasks are done, each rank receives all results and selects the rounds by the rule of fold.c, with the same bits as a
 * fold that was not divided.
 *
 * Memory: the predictions of the test part for each task. There are fewer such folds than workers.
 */
#ifndef LM_ROUND_TASKS_H
#define LM_ROUND_TASKS_H

#include "learn/protocol/evaluation.h"

/* Zero-initialise before use. The arrays are in the scratch memory of the context. */
typedef struct lm_round_tasks {
    const lm_run *run;
    const size_t *fold;   /* [folds] numbers of the folds */
    size_t folds, rounds; /* there are folds * rounds tasks */
    leman_fold *result;   /* [folds][rounds] */
    leman_trial *trial;   /* [folds][rounds] */
    double *predicted;    /* predictions of task t begin at start[t] */
    double *decision;     /* decisions of task t begin at begin[t]; NULL: not two classes */
    size_t *start;        /* [tasks + 1] */
    size_t *begin;        /* [tasks + 1] */
    bool *done;           /* [tasks] true if this rank did the task */
} lm_round_tasks;

leman_status lm_round_tasks_new(leman_context *ctx, const lm_run *run, const size_t *fold, size_t folds,
                                lm_round_tasks *tasks);
/* Does one task, a number below folds * rounds. The tasks of a fold are numbered by decreasing rounds, so that the
 * longest come first. */
leman_status lm_round_tasks_do(lm_worker *worker, lm_round_tasks *tasks, size_t task);
/* Sends the results of all tasks to every rank, selects the rounds of each fold, and writes the folds into the
 * evaluation. Every rank must call it. */
leman_status lm_round_tasks_finish(leman_context *ctx, lm_round_tasks *tasks, const leman_evaluation *evaluation);

#endif
