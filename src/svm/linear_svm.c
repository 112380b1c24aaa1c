/* Linear SVMs: one problem of newton.h for every output. Several problems are solved together. */
#include "svm/linear_svm.h"
#include "base/drop.h"
#include "base/text.h"
#include "svm/calibrate.h"
#include "svm/newton.h"
#include <math.h>
#include <string.h>

#define BLOCK 512         /* columns in which the preconditioner is exact, if there are few outputs */
#define BLOCK_NUMBERS 4e6 /* numbers in the blocks of all outputs together */

struct lm_linear_trainer {
    lm_newton *newton; /* [outputs] */
    bool *constant;    /* [outputs] all rows are on one side, so there is nothing to separate */
    lm_linear_svm svm;
};

/* ---- Creation -------------------------------------------------------------------------------- */

static size_t block_of(size_t outputs)
{
    return (size_t)fmax(1, fmin(BLOCK, sqrt(BLOCK_NUMBERS / (double)(outputs ? outputs : 1))));
}

/* Bytes for each problem that is solved at the same time: eight vectors and a few words per row. */
static uint64_t working_bytes(uint64_t width, uint64_t count)
{
    return lm_saturating_add(lm_saturating_multiply(width, 8 * sizeof(double)), lm_saturating_multiply(count, 48));
}

/* In addition for each output: six vectors of weights, two blocks, and six words per row. */
uint64_t lm_linear_svm_bytes(size_t columns, size_t count, size_t outputs, size_t together)
{
    uint64_t width = columns + 1, block = block_of(outputs) + 1;
    if (block > width) block = width;
    uint64_t one = lm_saturating_multiply(width, 6 * sizeof(double)) + 2 * block * block * sizeof(double) +
                   lm_saturating_multiply(count, 48);
    return lm_saturating_add(lm_saturating_multiply(one, outputs * together),
                             lm_saturating_multiply(working_bytes(width, count), together));
}

static leman_status check_memory(leman_context *ctx, const lm_linear_task *task, size_t outputs)
{
    uint64_t bytes = lm_linear_svm_bytes(task->rows->columns, task->set.count, outputs, 1);
    if (bytes <= lm_budget(ctx)) return LEMAN_OK;
    char required[LM_NUMBER_TEXT], has[LM_BUDGET_TEXT];
    return lm_fail(ctx, LEMAN_ERROR_BUDGET,
                   "a linear SVM of %zu feature%s needs %s, the memory budget is %s; fewer rounds or a smaller k "
                   "need less",
                   task->rows->columns, lm_plural(task->rows->columns), lm_bytes_text(bytes, required),
                   lm_budget_text(ctx, lm_budget(ctx), has));
}

/* Sets the labels of output m of a classification: class m against the others. */
static void set_labels(const lm_training_set *set, size_t m, lm_newton *newton, bool *constant)
{
    size_t above = 0, rarer;
    for (size_t i = 0; i < set->count; i++) {
        bool own = set->label[i] == m;
        above += own;
        newton->y[i] = own ? 1 : -1;
        newton->cost[i] = lm_weight_of(set->class_weight, set->label[i]) * lm_weight_of(set->weight, i);
    }
    rarer = above < set->count - above ? above : set->count - above;
    newton->tolerance = 0.01 * (double)rarer / (double)set->count;
    *constant = !rarer;
    if (!rarer) newton->weight[newton->width - 1] = above ? 1 : -1;
}

static void set_targets(const lm_training_set *set, lm_newton *newton)
{
    memcpy(newton->y, set->target, set->count * sizeof *newton->y);
    for (size_t i = 0; i < set->count; i++) newton->cost[i] = lm_weight_of(set->weight, i);
    newton->bound = set->bound;
    newton->tolerance = 0.0001;
}

LM_DROP(lm_linear_trainer)

leman_status lm_linear_trainer_new(leman_context *ctx, const lm_linear_task *task, lm_linear_trainer **out)
{
    AUTO(lm_linear_trainer_drop) lm_linear_trainer *t = NULL;
    const lm_training_set *set = &task->set;
    const size_t outputs = set->target ? 1 : lm_multiclass_outputs(LM_ONE_VS_REST, set->classes);
    const size_t columns = task->rows->columns;
    PASS(check_memory(ctx, task, outputs));
    PASS_NEW(ctx, t, 1);
    *t = (lm_linear_trainer){.svm = {outputs, columns, NULL}};
    PASS_NEW_ZERO(ctx, t->newton, outputs);
    PASS_NEW_ZERO(ctx, t->constant, outputs);
    PASS_NEW(ctx, t->svm.weight, outputs * (columns + 1));
    for (size_t m = 0; m < outputs; m++) {
        PASS(lm_newton_init(ctx, task->rows, set->item, set->count, set->target ? task->epsilon : LM_CLASSIFICATION,
                            block_of(outputs), t->newton + m));
        if (set->target)
            set_targets(set, t->newton + m);
        else
            set_labels(set, m, t->newton + m, t->constant + m);
    }
    return HAND_OVER(out, t);
}

void lm_linear_trainer_free(lm_linear_trainer *t)
{
    if (!t) return;
    for (size_t m = 0; t->newton && m < t->svm.outputs; m++) lm_newton_free(t->newton + m);
    RELEASE(t->newton, t->constant, t->svm.weight, t);
}

/* ---- Training and decisions ------------------------------------------------------------------ */

/* Solves problems together, or in two halves if that takes more memory than this thread may use. */
static leman_status solve(leman_context *ctx, lm_newton *const *problem, size_t count, double C,
                          const lm_cancellation *cancellation)
{
    const uint64_t bytes = count * working_bytes(problem[0]->width, problem[0]->rows->rows);
    leman_status st = LEMAN_ERROR_BUDGET;
    if (count == 1 || bytes <= lm_budget(ctx)) st = lm_newton_solve(ctx, problem, count, C, cancellation);
    if (st != LEMAN_ERROR_BUDGET || count == 1) return st;
    ctx->message[0] = 0;
    PASS(solve(ctx, problem, count / 2, C, cancellation));
    return solve(ctx, problem + count / 2, count - count / 2, C, cancellation);
}

leman_status lm_linear_trainer_fit(leman_context *ctx, lm_linear_trainer *const *trainer, size_t count, double C,
                                   const lm_cancellation *cancellation)
{
    lm_newton *problem[LM_LANES];
    size_t held = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t m = 0; m < trainer[i]->svm.outputs; m++) {
            if (trainer[i]->constant[m]) continue;
            problem[held++] = trainer[i]->newton + m;
            if (held < LM_LANES) continue;
            PASS(solve(ctx, problem, held, C, cancellation));
            held = 0;
        }
    if (held) PASS(solve(ctx, problem, held, C, cancellation));
    for (size_t i = 0; i < count; i++) {
        lm_linear_svm *svm = &trainer[i]->svm;
        for (size_t m = 0; m < svm->outputs; m++)
            lm_newton_weights(trainer[i]->newton + m, svm->weight + m * (svm->columns + 1));
    }
    return LEMAN_OK;
}

const lm_linear_svm *lm_linear_trainer_svm(const lm_linear_trainer *t)
{
    return &t->svm;
}

void lm_linear_svm_decide(const lm_linear_svm *svm, const lm_rows *rows, const uint32_t *item, size_t count,
                          double *decision)
{
    size_t width = svm->columns + 1;
    for (size_t i = 0; i < count; i++)
        for (size_t m = 0; m < svm->outputs; m++)
            decision[i * svm->outputs + m] = lm_row_product(rows, item[i], svm->weight + m * width);
}

uint32_t lm_linear_svm_class(size_t classes, const double *decision)
{
    size_t best = 0;
    if (classes == 2) return !(decision[0] > 0);
    for (size_t c = 1; c < classes; c++)
        if (decision[c] > decision[best]) best = c;
    return (uint32_t)best;
}
