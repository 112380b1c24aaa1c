/* Tasks of one fold and one number of rounds: computed separately, gathered, and selected from. */
#include "learn/protocol/round_tasks.h"
#include "learn/protocol/fold_records.h"
#include "learn/protocol/scores.h"
#include <math.h>
#include <string.h>

leman_status lm_round_tasks_new(leman_context *ctx, const lm_run *run, const size_t *fold, size_t folds,
                                lm_round_tasks *t)
{
    *t = (lm_round_tasks){.run = run, .fold = fold, .folds = folds};
    t->rounds = lm_estimator_factory_rounds(run->factory);
    const size_t tasks = folds * t->rounds;
    PASS_SCRATCH(ctx, t->result, tasks);
    PASS_SCRATCH(ctx, t->trial, tasks);
    PASS_SCRATCH_ZERO(ctx, t->done, tasks);
    PASS_SCRATCH(ctx, t->start, tasks + 1);
    t->start[0] = 0;
    for (size_t i = 0; i < tasks; i++)
        t->start[i + 1] = t->start[i] + lm_split_test(run->splits, fold[i / t->rounds]).count;
    PASS_SCRATCH(ctx, t->predicted, t->start[tasks]);
    for (size_t i = 0; i < t->start[tasks]; i++) t->predicted[i] = (double)NAN;
    if (run->all.target || run->all.classes != 2) return LEMAN_OK;
    PASS_SCRATCH(ctx, t->begin, tasks + 1);
    t->begin[0] = 0;
    for (size_t i = 0; i < tasks; i++)
        t->begin[i + 1] = t->begin[i] + lm_fold_decisions(run->splits, fold[i / t->rounds], t->predicted);
    PASS_SCRATCH(ctx, t->decision, t->begin[tasks]);
    for (size_t i = 0; i < t->begin[tasks]; i++) t->decision[i] = (double)NAN;
    return LEMAN_OK;
}

static lm_fold_result result_of(const lm_round_tasks *t, size_t place)
{
    return (lm_fold_result){t->result + place, t->trial + place, t->predicted + t->start[place],
                            t->decision ? t->decision + t->begin[place] : NULL};
}

leman_status lm_round_tasks_do(lm_worker *worker, lm_round_tasks *t, size_t task)
{
    const size_t at = task / t->rounds, h = t->rounds - 1 - task % t->rounds, place = at * t->rounds + h;
    const uint32_t rounds = t->run->factory->min_rounds + (uint32_t)h;
    lm_fold_result result = result_of(t, place);
    result.trial = t->trial + at * t->rounds;
    PASS(lm_folds_run(worker, t->run, t->fold + at, 1, rounds, rounds, &result));
    t->done[place] = true;
    return LEMAN_OK;
}

/* ---- All ranks ------------------------------------------------------------------------------- */

static size_t tests_of(const lm_round_tasks *t, size_t place)
{
    return t->start[place + 1] - t->start[place];
}

static size_t decisions_of(const lm_round_tasks *t, size_t place)
{
    return t->decision ? t->begin[place + 1] - t->begin[place] : 0;
}

static size_t words_of(const void *state, size_t place)
{
    const lm_round_tasks *t = state;
    return lm_fold_words(1, tests_of(t, place), decisions_of(t, place));
}

static void write_task(const void *state, size_t place, uint64_t *word)
{
    lm_fold_write(result_of(state, place), 1, tests_of(state, place), decisions_of(state, place), word);
}

static bool read_task(void *state, size_t place, const uint64_t *word)
{
    const lm_round_tasks *t = state;
    const size_t fold = t->fold[place / t->rounds], folds = t->run->splits->folds;
    t->result[place] = (leman_fold){.repetition = (uint32_t)(fold / folds), .fold = (uint32_t)(fold % folds)};
    lm_fold_read(word, 1, tests_of(t, place), decisions_of(t, place), result_of(t, place));
    return true;
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
    *to.fold = result[best];
    to.fold->seconds = seconds;
    memcpy(to.trial, t->trial + at * t->rounds, t->rounds * sizeof *to.trial);
    best += at * t->rounds;
    memcpy(to.predicted, t->predicted + t->start[best], tests_of(t, best) * sizeof *to.predicted);
    if (to.decision) memcpy(to.decision, t->decision + t->begin[best], decisions_of(t, best) * sizeof *to.decision);
}

leman_status lm_round_tasks_finish(leman_context *ctx, lm_round_tasks *t, const leman_evaluation *evaluation)
{
    const lm_records records = {t, t->folds * t->rounds, words_of, write_task, read_task};
    size_t found = 0;
    PASS(lm_records_send(ctx, &records, t->done, t->done));
    for (size_t i = 0; i < records.count; i++) found += t->done[i];
    if (found != records.count)
        return lm_fail(ctx, LEMAN_ERROR_INTERNAL, "found %zu task%s of all ranks, expected %zu", found,
                       lm_plural(found), records.count);
    for (size_t i = 0; i < t->folds; i++) select_rounds(t, i, lm_evaluation_fold(evaluation, t->fold[i]));
    return LEMAN_OK;
}
