/* Builders of the steps after the layers: pooling, recurrent cells, Set2Set, predictions and losses. */
#include "nn/list.h"

/* An additional output that only the backward function reads. It has no gradient. */
static uint32_t save_for_backward(lm_program *p, lm_row_space space, size_t width)
{
    return lm_program_append_value(p, space, width, false);
}

uint32_t lm_program_pool(lm_program *p, uint32_t x, bool mean)
{
    const lm_value *value = lm_program_value(p, x);
    lm_step step = lm_step_new(LM_OP_POOL, x, LM_NONE, LM_NONE, LM_NONE);
    step.rate = mean;
    return lm_step_append(p, &step, value->space < LM_GRAPH_SPACES, LM_GRAPHS, value->width);
}

uint32_t lm_program_pool_max(lm_program *p, uint32_t x)
{
    const lm_value *value = lm_program_value(p, x);
    lm_step step = lm_step_new(LM_OP_POOL_MAX, x, LM_NONE, LM_NONE, LM_NONE);
    return lm_step_append(p, &step, p->k == 2 && value->space == LM_TUPLES, LM_GRAPHS, 2 * value->width);
}

uint32_t lm_program_attend(lm_program *p, uint32_t x, uint32_t q)
{
    const lm_value rows = *lm_program_value(p, x), *query = lm_program_value(p, q);
    lm_step step = lm_step_new(LM_OP_ATTEND, x, q, LM_NONE, LM_NONE);
    const bool fits = rows.space < LM_GRAPH_SPACES && query->space == LM_GRAPHS && rows.width == query->width;
    if (!lm_step_fits(p, &step, fits)) return 0;
    step.output[0] = lm_program_append_value(p, LM_GRAPHS, rows.width, lm_step_learns(p, &step));
    step.output[1] = save_for_backward(p, rows.space, 1);
    lm_program_append_step(p, &step);
    return step.output[0];
}

/* ---- Recurrent cells ------------------------------------------------------------------------- */

/* Appends one step of a cell with so many gates. *c is the state of an LSTM, which has one more; NULL: a GRU. */
static uint32_t append_cell(lm_program *p, lm_operation operation, size_t gates, uint32_t x, uint32_t h, uint32_t *c,
                            lm_gates cell)
{
    const lm_weight *input = lm_program_weight(p, cell.input), *hidden = lm_program_weight(p, cell.hidden);
    const lm_value *in = lm_program_value(p, x), state = *lm_program_value(p, h);
    const size_t width = state.width;
    lm_step step = lm_step_new(operation, x, h, cell.input, cell.hidden);
    bool fits = input->columns == in->width && hidden->columns == width && hidden->rows == gates * width &&
                input->rows == gates * width && in->space == state.space;
    if (c) { /* the gradient of c is written first */
        const lm_value *own = lm_program_value(p, *c);
        fits = fits && own->width == width && (!own->differentiable || (*c != x && *c != h));
        step.input[2] = *c;
    }
    step.weight[2] = cell.input_bias;
    step.weight[3] = cell.hidden_bias;
    if (!lm_step_fits(p, &step, fits)) return 0;
    step.output[0] = lm_program_append_value(p, state.space, width, true);
    if (c) *c = step.output[1] = lm_program_append_value(p, state.space, width, true);
    /* LSTM: i, f, g, o after their activations. GRU: r, z, n, and U_n h + b'_n */
    step.output[c ? 2 : 1] = save_for_backward(p, state.space, 4 * width);
    lm_program_append_step(p, &step);
    return step.output[0];
}

uint32_t lm_program_lstm(lm_program *p, uint32_t x, uint32_t h, uint32_t *c, lm_gates cell)
{
    return append_cell(p, LM_OP_LSTM, 4, x, h, c, cell);
}

uint32_t lm_program_gru(lm_program *p, uint32_t x, uint32_t h, lm_gates cell)
{
    return append_cell(p, LM_OP_GRU, 3, x, h, NULL, cell);
}

/* q* = 0, h = c = 0; then, `turns` times: (h, c) = LSTM(q*, h, c), q* = [h, attention of h over the rows]. */
uint32_t lm_program_set2set(lm_program *p, uint32_t x, unsigned turns, lm_gates cell)
{
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
    const lm_row_space space = lm_program_value(p, x)->space;
    const bool fits = space == LM_GRAPHS || space == LM_VERTICES || space == LM_ARCS;
    if (!lm_program_holds(p, fits, "a prediction is not one of graphs, vertices or arcs")) return;
    p->prediction = x;
    lm_program_keep(p, x);
}

void lm_program_set_loss(lm_program *p, lm_operation loss)
{
    const bool known = lm_operation_has(loss, LM_RULE_LOSS);
    if (!lm_program_holds(p, known && p->prediction != LM_NONE && p->loss == LM_NONE, "a loss without a prediction"))
        return;
    lm_step step = lm_step_new(loss, p->prediction, LM_NONE, LM_NONE, LM_NONE);
    step.output[0] = lm_program_append_value(p, LM_SINGLE, 1, false);
    if (lm_operation_reads_output(&step, 1))
        step.output[1] =
            save_for_backward(p, lm_program_value(p, p->prediction)->space, lm_program_value(p, p->prediction)->width);
    lm_program_append_step(p, &step);
    p->loss = step.output[0];
    lm_program_keep(p, p->loss);
}
