/*
 * Linear machines on explicit features: one refinement gives the features of all rounds; every number of rounds h has
 * its rows of length 1. Rows of all h are held while they fit half of the budget; those of further h are made by every
 * student for itself, which is little beside its training.
 */
#include "base/crew.h"
#include "learn/learner.h"
#include "learn/linear.h"
#include <linear.h>
#include <string.h>

struct lm_student {
    leman_context *ctx;
    lm_lesson lesson;
    const lm_rows *rows; /* the learner's, or: */
    lm_rows own;
    lm_linear machine;
};

struct lm_linear_state {
    lm_ladder ladder;
    lm_rows *rows; /* [most - least + 1] */
    bool *held;    /* [most - least + 1] */
};

/* ---- The rows -------------------------------------------------------------------------------- */

static void free_learner(leman_context *ctx, lm_learner *learner)
{
    struct lm_linear_state *state = learner->linear;
    size_t rungs = (size_t)learner->most_rounds - learner->least_rounds + 1;
    if (state) {
        for (size_t h = 0; state->rows && state->held && h < rungs; h++)
            if (state->held[h]) lm_rows_free(ctx, state->rows + h);
        lm_free(ctx, state->rows);
        lm_free(ctx, state->held);
        lm_ladder_free(ctx, &state->ladder);
    }
    lm_free(ctx, state);
    *learner = (lm_learner){0};
}

/* Bytes of all nodes; they stand one row behind the other. */
static size_t bytes_of(const lm_rows *rows)
{
    if (!rows->rows) return 0;
    const struct feature_node *end = rows->row[rows->rows - 1];
    while (end->index != -1) end++;
    return (size_t)(end + 1 - rows->node) * sizeof *end;
}

static leman_status hold_rows(leman_context *ctx, lm_learner *learner)
{
    leman_status st = LEMAN_OK;
    struct lm_linear_state *state = learner->linear;
    size_t rungs = (size_t)learner->most_rounds - learner->least_rounds + 1, held = 0, budget = lm_budget(ctx);
    NEW(ctx, state->rows, rungs);
    NEW(ctx, state->held, rungs);
    memset(state->held, 0, rungs * sizeof *state->held);
    for (size_t h = 0; h < rungs && held < budget / 2; h++) {
        TRY(lm_rows_make(ctx, &state->ladder, learner->least_rounds + (uint32_t)h, state->rows + h));
        state->held[h] = true;
        held += bytes_of(state->rows + h);
    }
    learner->share = (held < budget ? budget - held : 0) / (size_t)lm_crew_workers(ctx);
done:
    return st;
}

/* ---- Students -------------------------------------------------------------------------------- */

static void close_student(lm_student *student)
{
    leman_context *ctx = student->ctx;
    lm_linear_free(ctx, &student->machine);
    lm_rows_free(ctx, &student->own);
    lm_free(ctx, student);
}

static leman_status open_student(leman_context *ctx, const lm_learner *learner, uint32_t rounds,
                                 const lm_lesson *lesson, lm_student **out)
{
    leman_status st = LEMAN_OK;
    const struct lm_linear_state *state = learner->linear;
    size_t rung = rounds - learner->least_rounds;
    lm_student *student = NULL;
    NEW(ctx, student, 1);
    *student = (lm_student){.ctx = ctx, .lesson = *lesson, .rows = state->rows + rung};
    if (!state->held[rung]) {
        TRY(lm_rows_make(ctx, &state->ladder, rounds, &student->own));
        student->rows = &student->own;
    }
    *out = student;
done:
    if (st && student) close_student(student);
    return st;
}

/* Begins from the machine of the C before. */
static leman_status teach(lm_student *student, double C, const lm_watch *watch)
{
    leman_status st = LEMAN_OK;
    const lm_lesson *lesson = &student->lesson;
    const lm_linear *start = student->machine.weight ? &student->machine : NULL;
    lm_linear next = {0};
    if (lesson->target)
        TRY(lm_linear_regress(student->ctx, student->rows, lesson->item, lesson->target, lesson->count, LM_EPSILON, C,
                              start, &next));
    else
        TRY(lm_linear_train(student->ctx, student->rows, lesson->item, lesson->label, lesson->count, lesson->classes, C,
                            start, &next));
    lm_linear_free(student->ctx, &student->machine);
    student->machine = next;
    TRY(lm_watch_status(watch));
done:
    return st;
}

static leman_status ask(const lm_student *student, const uint32_t *item, size_t count, double *decision)
{
    lm_linear_decide(&student->machine, student->rows, item, count, decision);
    return LEMAN_OK;
}

static const lm_learner_calls CALLS = {LM_MACHINES_RESTS, open_student, teach, ask, close_student, free_learner};

leman_status lm_linear_learner_new(leman_context *ctx, const leman_dataset *data, const leman_kernel *kernels,
                                   size_t count, uint32_t least_rounds, uint32_t most_rounds, lm_learner *out)
{
    leman_status st = LEMAN_OK;
    lm_learner learner = {.calls = &CALLS,
                          .graphs = leman_dataset_shape(data).graphs,
                          .least_rounds = least_rounds,
                          .most_rounds = most_rounds};
    NEW(ctx, learner.linear, 1);
    memset(learner.linear, 0, sizeof *learner.linear);
    TRY(lm_ladder_take(ctx, data, kernels, count, most_rounds, &learner.linear->ladder));
    TRY(hold_rows(ctx, &learner));
    *out = learner;
done:
    if (st) free_learner(ctx, &learner);
    return st;
}

const lm_ladder *lm_linear_learner_ladder(const lm_learner *learner)
{
    return &learner->linear->ladder;
}
