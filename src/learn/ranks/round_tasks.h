/*
 * Folds whose numbers of rounds are tasks of their own, for ranks that would have nothing to do while others train in
 * the last folds. A task is one fold with one number of rounds and all C: every fit begins from the solution of the C
 * before, so these cannot be parted without other digits. When all tasks are done, each rank gets the results of all
 * and selects the rounds by the rule of fold.c, to the same bits.
 *
 * Memory: predictions of the test part for each task of these folds, of which there are fewer than workers.
 */
#ifndef LM_ROUND_TASKS_H
#define LM_ROUND_TASKS_H

#include "learn/evaluation.h"

/* Zero-initialise; lm_round_tasks_free() at the end. */
typedef struct lm_round_tasks {
    const lm_run *run;
    const size_t *fold;   /* [folds] their numbers */
    size_t folds, rounds; /* tasks: folds * rounds */
    leman_fold *result;   /* [folds][rounds] */
    leman_trial *trial;   /* [folds][rounds] */
    double *predicted;    /* those of task t from start[t] on */
    size_t *start;        /* [tasks + 1] */
    bool *done;           /* [tasks] by this rank */
} lm_round_tasks;

leman_status lm_round_tasks_new(leman_context *ctx, const lm_run *run, const size_t *fold, size_t folds,
                                lm_round_tasks *tasks);
void lm_round_tasks_free(leman_context *ctx, lm_round_tasks *tasks);
/* The most rounds, which take longest, come first. */
leman_status lm_round_tasks_do(lm_worker *worker, lm_round_tasks *tasks, size_t task);
/* Every rank gets the tasks of all, and selects the rounds of each fold. */
leman_status lm_round_tasks_finish(leman_context *ctx, lm_round_tasks *tasks, const leman_evaluation *evaluation);

#endif
