/* Tasks of one fold and one number of rounds: computed separately, gathered, and selected from. */
#include "learn/protocol/round_tasks.h"
#include "learn/protocol/journal.h"
#include "learn/protocol/scores.h"
#include <math.h>
#include <string.h>

enum { FOLD_WORDS = sizeof(leman_fold) / sizeof(uint64_t), TRIAL_WORDS = sizeof(leman_trial) / sizeof(uint64_t) };
_Static_assert(sizeof(leman_fold) % sizeof(uint64_t) == 0 && sizeof(leman_trial) % sizeof(uint64_t) == 0, "in words");

leman_status lm_round_tasks_new(leman_context *ctx, const lm_run *run, const size_t *fold, size_t folds,
                                lm_round_tasks *out)
{
    leman_status st = LEMAN_OK;
    lm_round_tasks t = {.run = run, .fold = fold, .folds = folds};
    t.rounds = (size_t)run->factory->max_rounds - run->factory->min_rounds + 1;
    const size_t tasks = folds * t.rounds;
    NEW(ctx, t.result, tasks);
    NEW(ctx, t.trial, tasks);
    NEW_ZERO(ctx, t.done, tasks);
    NEW(ctx, t.start, tasks + 1);
    t.start[0] = 0;
    for (size_t i = 0; i < tasks; i++)
        t.start[i + 1] = t.start[i] + lm_split_test(run->splits, fold[i / t.rounds]).count;
    NEW(ctx, t.predicted, t.start[tasks]);
    for (size_t i = 0; i < t.start[tasks]; i++) t.predicted[i] = (double)NAN;
    *out = t;
done:
    if (st) lm_round_tasks_free(&t);
    return st;
}

void lm_round_tasks_free(lm_round_tasks *t)
{
    lm_release(t->result);
    lm_release(t->trial);
    lm_release(t->done);
    lm_release(t->start);
    lm_release(t->predicted);
    *t = (lm_round_tasks){0};
}

leman_status lm_round_tasks_do(lm_worker *worker, lm_round_tasks *t, size_t task)
{
    const size_t at = task / t->rounds, h = t->rounds - 1 - task % t->rounds, place = at * t->rounds + h;
    const uint32_t rounds = t->run->factory->min_rounds + (uint32_t)h;
    const lm_fold_result result = {t->result + place, t->trial + at * t->rounds, t->predicted + t->start[place]};
    PASS(lm_folds_run(worker, t->run, t->fold + at, 1, rounds, rounds, &result));
    t->done[place] = true;
    return LEMAN_OK;
}

/* ---- All ranks ------------------------------------------------------------------------------- */

static size_t words_of(const void *state, size_t place)
{
    const lm_round_tasks *t = state;
    return FOLD_WORDS + TRIAL_WORDS + t->start[place + 1] - t->start[place];
}

static void write_task(const void *state, size_t place, uint64_t *word)
{
    const lm_round_tasks *t = state;
    memcpy(word, t->result + place, sizeof *t->result);
    memcpy(word + FOLD_WORDS, t->trial + place, sizeof *t->trial);
    memcpy(word + FOLD_WORDS + TRIAL_WORDS, t->predicted + t->start[place],
           (t->start[place + 1] - t->start[place]) * sizeof *word);
}

static bool read_task(void *state, size_t place, const uint64_t *word)
{
    lm_round_tasks *t = state;
    memcpy(t->result + place, word, sizeof *t->result);
    memcpy(t->trial + place, word + FOLD_WORDS, sizeof *t->trial);
    memcpy(t->predicted + t->start[place], word + FOLD_WORDS + TRIAL_WORDS,
           (t->start[place + 1] - t->start[place]) * sizeof *word);
    return true;
}

/* Gathers the results of all ranks. Fails unless every task was done by a rank. */
static leman_status gather(leman_context *ctx, lm_round_tasks *t)
{
    const lm_records records = {t, t->folds * t->rounds, words_of, write_task, read_task};
    size_t found = 0;
    PASS(lm_records_send(ctx, &records, t->done, t->done));
    for (size_t i = 0; i < records.count; i++) found += t->done[i];
    if (found != records.count)
        return lm_fail(ctx, LEMAN_ERROR_INTERNAL, "found %zu task%s of all ranks, expected %zu", found,
                       lm_plural(found), records.count);
    return LEMAN_OK;
}

/* Selects the number of rounds with the best validation score; ties: the fewest rounds. */
static void select_rounds(const lm_round_tasks *t, size_t at, lm_fold_result to)
{
    const leman_fold *result = t->result + at * t->rounds;
    const bool lower = lm_score_is_error(t->run->score);
    size_t best = 0;
    double seconds = result[0].seconds;
    for (size_t h = 1; h < t->rounds; h++) {
        const double a = result[h].validation, b = result[best].validation;
        if (lower ? a < b : a > b) best = h;
        seconds += result[h].seconds;
    }
    const size_t place = at * t->rounds + best;
    *to.fold = result[best];
    to.fold->seconds = seconds;
    memcpy(to.trial, t->trial + at * t->rounds, t->rounds * sizeof *to.trial);
    memcpy(to.predicted, t->predicted + t->start[place],
           (t->start[place + 1] - t->start[place]) * sizeof *to.predicted);
}

leman_status lm_round_tasks_finish(leman_context *ctx, lm_round_tasks *t, const leman_evaluation *evaluation)
{
    PASS(gather(ctx, t));
    for (size_t i = 0; i < t->folds; i++) select_rounds(t, i, lm_evaluation_fold(evaluation, t->fold[i]));
    return LEMAN_OK;
}
