/*
 * Rounds one after the other, folds side by side, every fold along increasing C so that each training begins where the
 * last one ended. Memory: the rows or the Gram matrix of one h, and the decisions for every C.
 */
#include "learn/choose.h"
#include "base/crew.h"
#include "learn/linear.h"
#include "learn/splits.h"
#include "learn/svm.h"
#include <math.h>
#include <string.h>

/* All trainings with one number of rounds. */
typedef struct trials {
    const lm_choosing *q;
    size_t graphs, outputs;
    const lm_rows *rows;
    const float *gram;
    double *decision; /* [C_count][graphs][outputs] */
} trials;

/* The training and the test part of a fold. */
typedef struct parts {
    uint32_t *item, *label;
    double *target;
    size_t count;
    lm_part test;
    double *decision; /* [test.count][outputs] */
} parts;

/* ---- One fold --------------------------------------------------------------------------------------------------- */

static leman_status part(leman_context *ctx, const trials *t, size_t fold, parts *p)
{
    leman_status st = LEMAN_OK;
    bool *tested;
    p->test = lm_split_test(t->q->splits, fold);
    p->count = 0;
    SCRATCH(ctx, tested, t->graphs);
    SCRATCH(ctx, p->item, t->graphs);
    SCRATCH(ctx, p->label, t->graphs);
    SCRATCH(ctx, p->target, t->graphs);
    SCRATCH(ctx, p->decision, p->test.count * t->outputs);
    memset(tested, 0, t->graphs * sizeof *tested);
    for (size_t i = 0; i < p->test.count; i++) tested[p->test.graph[i]] = true;
    for (uint32_t g = 0; g < t->graphs; g++) {
        if (tested[g]) continue;
        p->item[p->count] = g;
        if (t->q->target)
            p->target[p->count] = t->q->target[g];
        else
            p->label[p->count] = t->q->label[g];
        p->count++;
    }
done:
    return st;
}

static void keep_decisions(const trials *t, const parts *p, size_t c)
{
    for (size_t i = 0; i < p->test.count; i++)
        memcpy(t->decision + (c * t->graphs + p->test.graph[i]) * t->outputs, p->decision + i * t->outputs,
               t->outputs * sizeof *p->decision);
}

static leman_status linear_fold(lm_worker *worker, const trials *t, const parts *p)
{
    leman_status st = LEMAN_OK;
    lm_linear machine = {0}, next = {0};
    const lm_choosing *q = t->q;
    for (size_t c = 0; c < q->C_count; c++) {
        const lm_linear *start = c ? &machine : NULL;
        if (q->target)
            TRY(lm_linear_regress(worker->ctx, t->rows, p->item, p->target, p->count, LM_EPSILON, q->C[c], start,
                                  &next));
        else
            TRY(lm_linear_train(worker->ctx, t->rows, p->item, p->label, p->count, q->classes, q->C[c], start, &next));
        lm_linear_free(worker->ctx, &machine);
        machine = next;
        lm_linear_decide(&machine, t->rows, p->test.graph, p->test.count, p->decision);
        keep_decisions(t, p, c);
        TRY(lm_worker_advance(worker, 1));
    }
done:
    lm_linear_free(worker->ctx, &machine);
    return st;
}

static leman_status kernel_fold(lm_worker *worker, const trials *t, const parts *p)
{
    leman_status st = LEMAN_OK;
    lm_svm *svm = NULL;
    const lm_choosing *q = t->q;
    lm_svm_problem problem = {.gram = t->gram,
                              .graphs = t->graphs,
                              .item = p->item,
                              .label = p->label,
                              .target = q->target ? p->target : NULL,
                              .count = p->count,
                              .classes = q->classes,
                              .epsilon = LM_EPSILON};
    TRY(lm_svm_new(worker->ctx, &problem, &svm));
    for (size_t c = 0; c < q->C_count; c++) {
        TRY(lm_svm_train(svm, q->C[c], &worker->watch));
        TRY(lm_svm_decide(svm, p->test.graph, p->test.count, p->decision));
        keep_decisions(t, p, c);
        TRY(lm_worker_advance(worker, 1));
    }
done:
    lm_svm_free(svm);
    return st;
}

static leman_status try_fold(lm_worker *worker, void *state, size_t fold)
{
    leman_status st = LEMAN_OK;
    const trials *t = state;
    parts p;
    TRY(part(worker->ctx, t, fold, &p));
    TRY(t->q->ladder ? linear_fold(worker, t, &p) : kernel_fold(worker, t, &p));
done:
    return st;
}

/* ---- Scores ------------------------------------------------------------------------------------------------------ */

static double score(const trials *t, const double *decision)
{
    double sum = 0;
    const lm_choosing *q = t->q;
    for (size_t g = 0; g < t->graphs; g++) {
        const double *own = decision + g * t->outputs;
        if (q->target)
            sum += fabs(own[0] - q->target[g]);
        else
            sum += (q->ladder ? lm_linear_class(q->classes, own) : lm_svm_vote(own, q->classes)) == q->label[g];
    }
    return sum / (double)t->graphs * (q->target ? 1 : 100);
}

/* Takes over what is better than the best so far; rounds and C increase. */
static void compare(const trials *t, uint32_t h, bool first, lm_choice *best)
{
    for (size_t c = 0; c < t->q->C_count; c++) {
        const double *decision = t->decision + c * t->graphs * t->outputs;
        double found = score(t, decision);
        bool better = t->q->target ? found < best->score : found > best->score;
        if (!(first && !c) && !better && !(found == best->score && best->rounds == h)) continue;
        best->rounds = h;
        best->C = t->q->C[c];
        best->score = found;
        memcpy(best->decision, decision, t->graphs * t->outputs * sizeof *decision);
    }
}

/* ---- All rounds -------------------------------------------------------------------------------------------------- */

leman_status lm_choosing_gram(leman_context *ctx, const lm_choosing *q, uint32_t h, float **out)
{
    leman_status st = LEMAN_OK;
    size_t graphs = leman_dataset_shape(q->data).graphs, cells = 0, bytes;
    leman_kernel *of_h = NULL;
    double *matrix = NULL;
    float *gram = NULL;
    if (!lm_multiply(graphs, graphs, &cells) || !lm_multiply(cells, sizeof *matrix + sizeof *gram, &bytes) ||
        bytes > lm_budget(ctx))
        FAIL(ctx, LEMAN_ERROR_BUDGET,
             "a kernel machine for %zu graphs needs 12 bytes for every pair, more than the memory budget of %zu MB; a "
             "linear machine grows with the graphs, not with their square",
             graphs, lm_budget(ctx) >> 20);
    NEW(ctx, of_h, q->kernels);
    for (size_t i = 0; i < q->kernels; i++) {
        of_h[i] = q->kernel[i];
        of_h[i].coloring.rounds = h;
    }
    NEW(ctx, matrix, cells);
    TRY(leman_gram_take(ctx, q->data, NULL, of_h, q->kernels, true, matrix));
    NEW(ctx, gram, cells);
    for (size_t i = 0; i < cells; i++) gram[i] = (float)matrix[i];
    *out = gram;
done:
    lm_free(ctx, matrix);
    lm_free(ctx, of_h);
    return st;
}

static leman_status try_rounds(leman_context *ctx, trials *t, uint32_t h)
{
    leman_status st = LEMAN_OK;
    lm_arena_mark mark = lm_arena_now(&ctx->scratch);
    size_t folds = t->q->splits->folds;
    uint64_t *cost;
    lm_rows rows = {0};
    float *gram = NULL;
    SCRATCH(ctx, cost, folds);
    for (size_t i = 0; i < folds; i++) cost[i] = 1;
    if (t->q->ladder)
        TRY(lm_rows_make(ctx, t->q->ladder, h, &rows));
    else
        TRY(lm_choosing_gram(ctx, t->q, h, &gram));
    t->rows = &rows;
    t->gram = gram;
    lm_progress_begin(ctx, folds * t->q->C_count, "training with %u of %u rounds", h, t->q->most_rounds);
    TRY(lm_crew_run(ctx, cost, folds, 0, try_fold, t));
done:
    t->rows = NULL;
    t->gram = NULL;
    lm_rows_free(ctx, &rows);
    lm_free(ctx, gram);
    lm_arena_reset(&ctx->scratch, mark);
    return st;
}

leman_status lm_choose(leman_context *ctx, const lm_choosing *q, lm_choice *out)
{
    leman_status st = LEMAN_OK;
    trials t = {.q = q, .graphs = leman_dataset_shape(q->data).graphs, .outputs = lm_choosing_outputs(q)};
    lm_choice best = {0};
    size_t cells, all, bytes;
    if (!lm_multiply(t.graphs, t.outputs, &cells) || !lm_multiply(cells, q->C_count, &all) ||
        !lm_multiply(all, sizeof(double), &bytes) || bytes > lm_budget(ctx))
        FAIL(ctx, LEMAN_ERROR_BUDGET, "the decisions of %zu machines about %zu graphs do not fit the memory budget",
             t.outputs, t.graphs);
    NEW(ctx, t.decision, all);
    NEW(ctx, best.decision, cells);
    for (uint32_t h = q->least_rounds; h <= q->most_rounds; h++) {
        TRY(try_rounds(ctx, &t, h));
        compare(&t, h, h == q->least_rounds, &best);
    }
    *out = best;
done:
    lm_free(ctx, t.decision);
    if (st) lm_free(ctx, best.decision);
    return st;
}
