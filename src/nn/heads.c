/* Builders of the steps after the layers: pooling, recurrent cells, Set2Set, predictions and losses. */
#include "nn/list.h"

/* An additional output that only the backward function reads. It has no gradient. */
static uint32_t save_for_backward(lm_program *p, lm_row_space space, size_t width)
{
    return lm_program_append_value(p, space, width, false);
}

uint32_t lm_program_pool(lm_program *p, uint32_t x, bool mean)
{
    if (!lm_program_holds(p, p->status || lm_program_value(p, x)->space < LM_GRAPH_SPACES,
                          "only rows of graphs can be pooled"))
        return 0;
    lm_step step = lm_step_empty(LM_OP_POOL);
    step.input[0] = x;
    step.rate = mean;
    step.output[0] =
        lm_program_append_value(p, LM_GRAPHS, lm_program_value(p, x)->width, lm_program_value(p, x)->differentiable);
    lm_program_append_step(p, &step);
    return step.output[0];
}

uint32_t lm_program_pool_max(lm_program *p, uint32_t x)
{
    if (!lm_program_holds(p, p->status || (p->k == 2 && lm_program_value(p, x)->space == LM_TUPLES),
                          "only matrices have a diagonal"))
        return 0;
    lm_step step = lm_step_empty(LM_OP_POOL_MAX);
    step.input[0] = x;
    const lm_value *value = lm_program_value(p, x);
    step.output[0] = lm_program_append_value(p, LM_GRAPHS, 2 * value->width, value->differentiable);
    lm_program_append_step(p, &step);
    return step.output[0];
}

uint32_t lm_program_attend(lm_program *p, uint32_t x, uint32_t q)
{
    if (p->status) return 0;
    const lm_value *rows = lm_program_value(p, x), *query = lm_program_value(p, q);
    bool fits = rows->space < LM_GRAPH_SPACES && query->space == LM_GRAPHS && rows->width == query->width;
    if (!lm_program_holds(p, fits, "a query does not fit the rows that it asks")) return 0;
    lm_step step = lm_step_empty(LM_OP_ATTEND);
    lm_row_space space = rows->space;
    step.input[0] = x;
    step.input[1] = q;
    step.output[0] = lm_program_append_value(p, LM_GRAPHS, rows->width, lm_step_learns(p, &step));
    step.output[1] = save_for_backward(p, space, 1);
    lm_program_append_step(p, &step);
    return step.output[0];
}

/* ---- Recurrent cells ------------------------------------------------------------------------- */

static void set_gates(lm_step *step, lm_gates cell)
{
    step->weight[0] = cell.input;
    step->weight[1] = cell.hidden;
    step->weight[2] = cell.input_bias;
    step->weight[3] = cell.hidden_bias;
}

static bool cell_fits(const lm_program *p, uint32_t x, uint32_t h, lm_gates cell, size_t gates)
{
    const lm_weight *input = lm_program_weight(p, cell.input), *hidden = lm_program_weight(p, cell.hidden);
    size_t width = lm_program_value(p, h)->width;
    return input->columns == lm_program_value(p, x)->width && hidden->columns == width &&
           hidden->rows == gates * width && input->rows == gates * width &&
           lm_program_value(p, x)->space == lm_program_value(p, h)->space;
}

uint32_t lm_program_lstm(lm_program *p, uint32_t x, uint32_t h, uint32_t *c, lm_gates cell)
{
    if (p->status) return 0;
    bool fits = cell_fits(p, x, h, cell, 4) && lm_program_value(p, *c)->width == lm_program_value(p, h)->width;
    bool apart =
        !lm_program_value(p, *c)->differentiable || (*c != x && *c != h); /* the gradient of c is written first */
    if (!lm_program_holds(p, fits && apart, "an LSTM cell does not fit its input")) return 0;
    lm_row_space space = lm_program_value(p, h)->space;
    size_t width = lm_program_value(p, h)->width;
    lm_step step = lm_step_empty(LM_OP_LSTM);
    step.input[0] = x;
    step.input[1] = h;
    step.input[2] = *c;
    set_gates(&step, cell);
    step.output[0] = lm_program_append_value(p, space, width, true);
    step.output[1] = lm_program_append_value(p, space, width, true);
    step.output[2] = save_for_backward(p, space, 4 * width); /* i, f, g, o after their activations */
    lm_program_append_step(p, &step);
    *c = step.output[1];
    return step.output[0];
}

uint32_t lm_program_gru(lm_program *p, uint32_t x, uint32_t h, lm_gates cell)
{
    if (p->status) return 0;
    if (!lm_program_holds(p, cell_fits(p, x, h, cell, 3), "a GRU cell does not fit its input")) return 0;
    lm_row_space space = lm_program_value(p, h)->space;
    size_t width = lm_program_value(p, h)->width;
    lm_step step = lm_step_empty(LM_OP_GRU);
    step.input[0] = x;
    step.input[1] = h;
    set_gates(&step, cell);
    step.output[0] = lm_program_append_value(p, space, width, true);
    step.output[1] = save_for_backward(p, space, 4 * width); /* r, z, n, and U_n h + b'_n */
    lm_program_append_step(p, &step);
    return step.output[0];
}

/* q* = 0, h = c = 0; then, `turns` times: (h, c) = LSTM(q*, h, c), q* = [h, attention of h over the rows]. */
uint32_t lm_program_set2set(lm_program *p, uint32_t x, unsigned turns, lm_gates cell)
{
    if (p->status) return 0;
    size_t width = lm_program_value(p, x)->width;
    uint32_t query = lm_program_zeros(p, LM_GRAPHS, 2 * width), h = lm_program_columns(p, query, 0, width), c = h;
    for (unsigned t = 0; t < turns; t++) {
        h = lm_program_lstm(p, query, h, &c, cell);
        const uint32_t parts[] = {h, lm_program_attend(p, x, h)};
        query = lm_program_join(p, parts, 2);
    }
    return query;
}

/* ---- The end --------------------------------------------------------------------------------- */

void lm_program_keep(lm_program *p, uint32_t x)
{
    if (!p->status) lm_list_value(p, lm_list_value(p, x)->root)->kept = lm_list_value(p, x)->kept = true;
}

void lm_program_segment(lm_program *p)
{
    if (p->steps.count) p->segments++;
}

void lm_program_predict(lm_program *p, uint32_t x)
{
    if (!lm_program_holds(p, p->status || lm_program_value(p, x)->space == LM_GRAPHS,
                          "a prediction is not one of graphs"))
        return;
    p->prediction = x;
    lm_program_keep(p, x);
}

void lm_program_set_loss(lm_program *p, lm_operation loss)
{
    bool known = loss >= LM_OP_L1 && loss <= LM_OP_BINARY_CROSS_ENTROPY;
    if (!lm_program_holds(p, known && p->prediction != LM_NONE && p->loss == LM_NONE, "a loss without a prediction"))
        return;
    lm_step step = lm_step_empty(loss);
    step.input[0] = p->prediction;
    step.output[0] = lm_program_append_value(p, LM_SINGLE, 1, false);
    if (loss == LM_OP_CROSS_ENTROPY)
        step.output[1] = save_for_backward(p, LM_GRAPHS, lm_program_value(p, p->prediction)->width);
    lm_program_append_step(p, &step);
    p->loss = step.output[0];
    lm_program_keep(p, p->loss);
}
