/*
 * The lists of a program, and what is computed once they are complete: the place of each weight in the block, and which
 * step writes a gradient first. The gradient of a value that several steps read is the sum of their gradients: in the
 * backward pass the last reader comes first and writes, the others add.
 */
#include "base/text.h"
#include "nn/list.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const lm_value lm_no_value;
const lm_weight lm_no_weight;

leman_status lm_program_new(leman_context *ctx, unsigned k, lm_program **out)
{
    lm_program *p;
    if (k < 1) return lm_fail(ctx, LEMAN_ERROR_ARGUMENT, "found tuples of size 0, expected 1 or more");
    PASS_NEW(ctx, p, 1);
    *p = (lm_program){.ctx = ctx, .k = k, .prediction = LM_NONE, .loss = LM_NONE};
    *out = p;
    return LEMAN_OK;
}

void lm_program_free(lm_program *p)
{
    if (!p) return;
    for (size_t i = 0; i < p->weights.count; i++) lm_release(lm_list_weight(p, (uint32_t)i)->name);
    lm_vector_release(&p->values);
    lm_vector_release(&p->weights);
    lm_vector_release(&p->steps);
    lm_release(p);
}

/* ---- Names ----------------------------------------------------------------------------------- */

void lm_program_enter(lm_program *p, const char *format, ...)
{
    size_t used = strlen(p->scope), space = sizeof p->scope - used - 1; /* a dot follows the name */
    va_list arguments;
    va_start(arguments, format);
    int length = lm_vsnprintf(p->scope + used, space, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= space) {
        p->scope[used] = 0;
        lm_program_refuse(p, "the names of a network's parts are nested too deeply");
        return;
    }
    strcat(p->scope, ".");
}

void lm_program_leave(lm_program *p)
{
    size_t length = strlen(p->scope);
    if (length) length--; /* the dot of the scope that ends here */
    while (length && p->scope[length - 1] != '.') length--;
    p->scope[length] = 0;
}

void lm_program_refuse(lm_program *p, const char *sentence)
{
    if (!p->status) p->status = lm_fail(p->ctx, LEMAN_ERROR_INTERNAL, "%s", sentence);
}

bool lm_program_holds(lm_program *p, bool condition, const char *sentence)
{
    if (!p->status && !condition) lm_program_refuse(p, sentence);
    return !p->status;
}

/* ---- Adding to the lists --------------------------------------------------------------------- */

uint32_t lm_program_append_value(lm_program *p, lm_row_space space, size_t width, bool differentiable)
{
    uint32_t number = (uint32_t)p->values.count;
    if (p->status) return 0;
    lm_value value = {
        .space = space, .width = width, .root = number, .source = LM_FROM_STEP, .differentiable = differentiable};
    p->status = lm_vector_append(p->ctx, &p->values, &value, 1, sizeof value);
    return p->status ? 0 : number;
}

void lm_program_append_step(lm_program *p, const lm_step *step)
{
    if (p->status) return;
    lm_step placed = *step;
    placed.segment = p->segments;
    p->status = lm_vector_append(p->ctx, &p->steps, &placed, 1, sizeof placed);
}

bool lm_step_learns(const lm_program *p, const lm_step *step)
{
    for (size_t i = 0; i < LM_STEP_VALUES; i++)
        if (step->input[i] != LM_NONE && lm_program_value(p, step->input[i])->differentiable) return true;
    for (size_t i = 0; i < LM_STEP_WEIGHTS; i++)
        if (step->weight[i] != LM_NONE && lm_program_weight(p, step->weight[i])->trainable) return true;
    return false;
}

/* ---- Finishing ------------------------------------------------------------------------------- */

/* Order of the weights in the block: multiples of 64 numbers first, then multiples of 4, then the others. So matrices
 * begin on a boundary that suits the products of a device. */
static int group_of(const lm_weight *w)
{
    const size_t numbers = w->rows * w->columns; /* an overflow does not matter here */
    return numbers % 64 == 0 ? 0 : numbers % 4 == 0 ? 1 : 2;
}

/* Places the learned weights first, then the running statistics. */
static leman_status place_weights(lm_program *p)
{
    enum { GROUPS = 3 };
    size_t used = 0;
    for (int turn = 0; turn < 2 * GROUPS; turn++) {
        const bool trained = turn < GROUPS;
        for (uint32_t i = 0; i < p->weights.count; i++) {
            lm_weight *w = lm_list_weight(p, i);
            size_t numbers;
            if (w->trainable != trained || group_of(w) != turn % GROUPS) continue;
            w->offset = used;
            if (!lm_multiply(w->rows, w->columns, &numbers) || !lm_add(used, numbers, &used) ||
                used > SIZE_MAX / sizeof(double))
                return lm_fail(p->ctx, LEMAN_ERROR_BUDGET, "%s: its %zu x %zu number%s are more than can be addressed",
                               w->name, w->rows, w->columns, lm_plural(w->columns));
        }
        if (trained) p->trainable = used;
    }
    p->numbers = used;
    return LEMAN_OK;
}

static leman_status check_names(const lm_program *p)
{
    for (uint32_t i = 0; i < p->weights.count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (!strcmp(lm_program_weight(p, i)->name, lm_program_weight(p, j)->name))
                return lm_fail(p->ctx, LEMAN_ERROR_INTERNAL, "two weights are called %s",
                               lm_program_weight(p, i)->name);
    return LEMAN_OK;
}

/* Returns input i of a step if it has a gradient and is (some columns of) the root, otherwise NULL. */
static const lm_value *gradient_of_input(const lm_program *p, size_t step, size_t i, uint32_t root)
{
    uint32_t number = lm_program_step(p, step)->input[i];
    const lm_value *value = number == LM_NONE ? NULL : lm_program_value(p, number);
    return value && value->differentiable && value->root == root ? value : NULL;
}

/*
 * Decides which steps write the gradient of a root and which add to it. The backward pass visits steps from last to
 * first, and the inputs of a step from first to last. If the readers partition the columns of the root, such that every
 * reader reads exactly one part, then the first reader of each part writes and the others add. Otherwise the gradient is
 * cleared and all readers add.
 */
static void order_gradient(lm_program *p, uint32_t root)
{
    size_t covered = 0;
    bool divided = true;
    for (size_t s = p->steps.count; s-- > 0;)
        for (size_t i = 0; i < LM_STEP_VALUES; i++) {
            const lm_value *x = gradient_of_input(p, s, i, root);
            bool written = false;
            for (size_t t = s; x && t < p->steps.count; t++)
                for (size_t j = 0; j < (t == s ? i : LM_STEP_VALUES); j++) {
                    const lm_value *y = gradient_of_input(p, t, j, root);
                    if (!y) continue;
                    const bool same = x->column == y->column && x->width == y->width;
                    written = written || same;
                    divided =
                        divided && (same || x->column + x->width <= y->column || y->column + y->width <= x->column);
                }
            if (written) lm_list_step(p, s)->add |= 1u << i;
            if (x && !written) covered += x->width;
        }
    if (divided && covered == lm_program_value(p, root)->width) return;
    lm_list_value(p, root)->cleared = true;
    for (size_t s = 0; s < p->steps.count; s++)
        for (size_t i = 0; i < LM_STEP_VALUES; i++)
            if (gradient_of_input(p, s, i, root)) lm_list_step(p, s)->add |= 1u << i;
}

static uint32_t root_of(const lm_program *p, uint32_t v)
{
    return v == LM_NONE ? LM_NONE : lm_program_value(p, v)->root;
}

/* Returns the step that reads a whole root, if nothing else reads the root; otherwise LM_NONE. */
static uint32_t only_reader(const lm_program *p, uint32_t root)
{
    uint32_t reader = LM_NONE;
    if (lm_program_value(p, root)->kept || root_of(p, root) != root) return LM_NONE;
    for (uint32_t s = 0; s < p->steps.count; s++)
        for (size_t i = 0; i < LM_STEP_VALUES; i++) {
            const uint32_t input = lm_program_step(p, s)->input[i];
            if (root_of(p, input) != root) continue;
            if (reader != LM_NONE || input != root) return LM_NONE;
            reader = s;
        }
    return reader;
}

/* Marks every bias whose output only a norm reads. The norm subtracts such a bias with the mean, so its gradient is 0.
 * If it were computed, it would be a sum of rounding errors, which Adam, dividing by its size, would turn into full
 * steps. */
static void find_idle(lm_program *p)
{
    for (size_t s = 0; s < p->steps.count; s++) {
        lm_step *step = lm_list_step(p, s);
        const size_t bias = lm_operation_bias(step->operation);
        if (bias == LM_STEP_WEIGHTS || step->weight[bias] == LM_NONE || step->activation != LM_IDENTITY) continue;
        const uint32_t reader = only_reader(p, step->output[0]);
        if (reader != LM_NONE && lm_program_step(p, reader)->operation == LM_OP_NORM) step->idle |= 1u << bias;
    }
}

/* Sets the reader of all steps that make a root, under these conditions: all of them have ReLU and can leave their
 * derivative to another step, there are at most LM_STEP_VALUES of them, and the only step that reads the root can apply
 * derivatives. */
static void find_readers(lm_program *p)
{
    for (uint32_t v = 0; v < p->values.count; v++) {
        const uint32_t reader = only_reader(p, v);
        size_t makers = 0, fit = 0;
        if (reader == LM_NONE || !lm_operation_has(lm_program_step(p, reader)->operation, LM_RULE_TAKES_DERIVATIVE))
            continue;
        for (size_t s = 0; s < p->steps.count; s++)
            for (size_t i = 0; i < LM_STEP_VALUES; i++) {
                const lm_step *step = lm_program_step(p, s);
                if (root_of(p, step->output[i]) != v) continue;
                makers++;
                fit += i == 0 && step->activation == LM_RELU &&
                       lm_operation_has(step->operation, LM_RULE_LEAVES_DERIVATIVE);
            }
        if (!makers || makers != fit || makers > LM_STEP_VALUES) continue;
        for (size_t s = 0; s < p->steps.count; s++)
            if (root_of(p, lm_program_step(p, s)->output[0]) == v) lm_list_step(p, s)->reader = reader;
    }
}

leman_status lm_program_finish(lm_program *p)
{
    if (!p->status) p->status = check_names(p);
    if (!p->status) p->status = place_weights(p);
    PASS(p->status);
    for (uint32_t v = 0; v < p->values.count; v++)
        if (lm_program_value(p, v)->root == v && lm_program_value(p, v)->differentiable) order_gradient(p, v);
    find_idle(p);
    find_readers(p);
    p->finished = true;
    p->ctx = NULL;
    return LEMAN_OK;
}
