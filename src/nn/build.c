/*
 * The builders of steps. Each checks the shapes of its arguments, creates the values that the step writes, and appends
 * the step. A model that contradicts itself is a bug of the library: LEMAN_ERROR_INTERNAL, stored until
 * lm_program_finish().
 */
#include "nn/list.h"
#include <stdio.h>

static bool weight_is(const lm_program *p, uint32_t weight, size_t rows, size_t columns)
{
    const lm_weight *w = weight == LM_NONE ? NULL : lm_program_weight(p, weight);
    return !w || (w->rows == rows && w->columns == columns);
}

lm_step lm_step_new(lm_operation operation, uint32_t x, uint32_t y, uint32_t first_weight, uint32_t second_weight)
{
    lm_step step = {.operation = operation, .reader = LM_NONE};
    for (size_t i = 0; i < LM_STEP_VALUES; i++) step.input[i] = step.output[i] = LM_NONE;
    for (size_t i = 0; i < LM_STEP_WEIGHTS; i++) step.weight[i] = LM_NONE;
    step.input[0] = x;
    step.input[1] = y;
    step.weight[0] = first_weight;
    step.weight[1] = second_weight;
    return step;
}

bool lm_step_fits(lm_program *p, const lm_step *step, bool fits)
{
    char sentence[128];
    snprintf(sentence, sizeof sentence, "the values or weights of an operation '%s' do not fit each other",
             lm_operation_name(step->operation));
    return lm_program_holds(p, fits, sentence);
}

uint32_t lm_step_append(lm_program *p, lm_step *step, bool fits, lm_row_space space, size_t width)
{
    if (!lm_step_fits(p, step, fits)) return 0;
    step->output[0] = lm_program_append_value(p, space, width, lm_step_learns(p, step));
    lm_program_append_step(p, step);
    return step->output[0];
}

/* ---- Values without steps -------------------------------------------------------------------- */

uint32_t lm_program_input(lm_program *p, lm_source source, size_t width)
{
    static const lm_row_space SPACE[] = {[LM_FROM_VERTEX_ATTRIBUTES] = LM_VERTICES,
                                         [LM_FROM_ARC_ATTRIBUTES] = LM_ARCS,
                                         [LM_FROM_TUPLE_ATTRIBUTES] = LM_TUPLES,
                                         [LM_FROM_LISTED_ATTRIBUTES] = LM_LISTED};
    lm_program_holds(p, source >= LM_FROM_VERTEX_ATTRIBUTES, "an input comes from no attributes");
    uint32_t x = lm_program_append_value(p, SPACE[source], width, false);
    if (!p->status) lm_list_value(p, x)->source = source;
    return x;
}

uint32_t lm_program_zeros(lm_program *p, lm_row_space space, size_t width)
{
    uint32_t x = lm_program_append_value(p, space, width, false);
    if (!p->status) lm_list_value(p, x)->source = LM_FROM_ZEROS;
    return x;
}

uint32_t lm_program_columns(lm_program *p, uint32_t x, size_t first, size_t width)
{
    lm_value part = *lm_program_value(p, x);
    lm_program_holds(p, width <= part.width && first <= part.width - width, "columns of a value that is not so wide");
    uint32_t y = lm_program_append_value(p, part.space, width, part.differentiable);
    part.width = width;
    part.column += first;
    part.kept = false;
    if (!p->status) *lm_list_value(p, y) = part;
    return y;
}

/* Copies a part that cannot become a column itself (a column of another value, or a value of the batch). Returns a
 * value that can. */
static uint32_t own_column(lm_program *p, uint32_t x)
{
    const lm_value *value = lm_program_value(p, x);
    if (p->status || (value->root == x && value->source == LM_FROM_STEP)) return x;
    return lm_program_bias(p, x, LM_NONE, LM_IDENTITY);
}

uint32_t lm_program_join(lm_program *p, const uint32_t *parts, size_t count)
{
    size_t width = 0;
    bool differentiable = false;
    for (size_t i = 0; i < count; i++) {
        width += lm_program_value(p, parts[i])->width;
        differentiable = differentiable || lm_program_value(p, parts[i])->differentiable;
        if (!lm_program_holds(p, lm_program_value(p, parts[i])->space == lm_program_value(p, parts[0])->space,
                              "rows side by side do not match"))
            return 0;
    }
    if (count == 1) return parts[0];
    uint32_t whole = lm_program_append_value(p, lm_program_value(p, parts[0])->space, width, differentiable);
    size_t column = 0;
    for (size_t i = 0; i < count && !p->status; i++) {
        uint32_t part = own_column(p, parts[i]);
        size_t part_width = lm_program_value(p, part)->width;
        for (uint32_t v = 0; v < p->values.count; v++) { /* the part, and the values that are columns of it */
            lm_value *value = lm_list_value(p, v);
            if (value->root != part) continue;
            value->root = whole;
            value->column += column;
        }
        column += part_width;
    }
    return whole;
}

/* ---- Row by row ------------------------------------------------------------------------------ */

uint32_t lm_program_embed(lm_program *p, lm_index index, size_t column, uint32_t table)
{
    static const lm_row_space SPACE[] = {
        [LM_INDEX_TUPLE_TYPE] = LM_TUPLES, [LM_INDEX_COUNT] = LM_TUPLES, [LM_INDEX_VERTEX_TYPE] = LM_VERTICES,
        [LM_INDEX_ARC_LABEL] = LM_ARCS,    [LM_INDEX_LABEL] = LM_LABELS, [LM_INDEX_LISTED_TYPE] = LM_LISTED};
    const bool listed = index == LM_INDEX_LISTED_TYPE;
    lm_step step = lm_step_new(LM_OP_EMBED, LM_NONE, LM_NONE, table, LM_NONE);
    step.index = index;
    step.position = column;
    return lm_step_append(p, &step, !listed || column < LM_LISTS, SPACE[index] + (lm_row_space)(listed ? column : 0),
                          lm_program_weight(p, table)->columns);
}

uint32_t lm_program_linear(lm_program *p, uint32_t x, lm_linear layer, lm_activation activation)
{
    const lm_value *in = lm_program_value(p, x);
    const size_t width = lm_program_weight(p, layer.weight)->rows;
    lm_step step = lm_step_new(LM_OP_LINEAR, x, LM_NONE, layer.weight, layer.bias);
    step.activation = activation;
    const bool fits = weight_is(p, layer.weight, width, in->width) && weight_is(p, layer.bias, 1, width);
    return lm_step_append(p, &step, fits, in->space, width);
}

uint32_t lm_program_apply(lm_program *p, lm_operation operation, uint32_t x, uint32_t y, uint32_t bias,
                          lm_activation activation)
{
    const lm_value *a = lm_program_value(p, x), *b = y == LM_NONE ? a : lm_program_value(p, y);
    lm_step step = lm_step_new(operation, x, y, bias, LM_NONE);
    step.activation = activation;
    const bool fits = a->space == b->space && a->width == b->width && weight_is(p, bias, 1, a->width);
    return lm_step_append(p, &step, fits, a->space, a->width);
}

uint32_t lm_program_norm(lm_program *p, uint32_t x, lm_norm norm, lm_activation activation)
{
    const lm_value in = *lm_program_value(p, x);
    lm_step step = lm_step_new(LM_OP_NORM, x, LM_NONE, norm.scale, norm.shift);
    step.weight[2] = norm.mean;
    step.weight[3] = norm.variance;
    step.activation = activation;
    if (!lm_step_fits(p, &step, weight_is(p, norm.scale, 1, in.width))) return 0;
    step.output[1] = lm_program_append_value(p, LM_SINGLE, LM_NORM_KEPT * in.width, false);
    return lm_step_append(p, &step, true, in.space, in.width);
}

uint32_t lm_program_dropout(lm_program *p, uint32_t x, double rate)
{
    const lm_value *in = lm_program_value(p, x);
    lm_step step = lm_step_new(LM_OP_DROPOUT, x, LM_NONE, LM_NONE, LM_NONE);
    step.rate = rate;
    return lm_step_append(p, &step, rate >= 0 && rate < 1, in->space, in->width);
}

/* ---- Between rows ---------------------------------------------------------------------------- */

lm_sum lm_sum_default(lm_neighborhood neighborhood, size_t position, uint32_t epsilon)
{
    return (lm_sum){.neighborhood = neighborhood,
                    .position = position,
                    .epsilon = epsilon,
                    .sent = LM_NONE,
                    .bias = LM_NONE,
                    .activation = LM_IDENTITY};
}

/* Returns the number of components of the rows of a value; 0 if the rows are no tuples. */
static size_t components(const lm_program *p, const lm_value *value)
{
    return value->space == LM_TUPLES ? p->k : value->space == LM_VERTICES ? 1 : 0;
}

uint32_t lm_program_sum(lm_program *p, uint32_t x, const lm_sum *sum)
{
    const lm_value *value = lm_program_value(p, x),
                   *sent = sum->sent == LM_NONE ? value : lm_program_value(p, sum->sent);
    lm_step step = lm_step_new(LM_OP_NEIGHBORS, x, sum->sent, sum->epsilon, sum->bias);
    step.neighborhood = sum->neighborhood;
    step.position = sum->position;
    step.activation = sum->activation;
    const bool fits = sum->position < components(p, value) && weight_is(p, sum->epsilon, 1, 1) &&
                      weight_is(p, sum->bias, 1, value->width) && sent->space == value->space &&
                      sent->width == value->width && (sum->neighborhood != LM_OPPOSITE || components(p, value) == 2);
    return lm_step_append(p, &step, fits, value->space, value->width);
}

void lm_program_pair_sums(lm_program *p, uint32_t x, lm_neighborhood neighborhood, const uint32_t epsilon[2],
                          uint32_t out[2])
{
    out[0] = out[1] = 0;
    const lm_value value = *lm_program_value(p, x);
    lm_step step = lm_step_new(LM_OP_PAIR_SUMS, x, LM_NONE, epsilon[0], epsilon[1]);
    step.neighborhood = neighborhood;
    if (!lm_step_fits(p, &step,
                      value.space == LM_TUPLES && p->k == 2 && neighborhood <= LM_ALL &&
                          weight_is(p, epsilon[0], 1, 1) && weight_is(p, epsilon[1], 1, 1)))
        return;
    for (size_t j = 0; j < 2; j++)
        out[j] = step.output[j] =
            lm_program_append_value(p, value.space, value.width, !p->status && lm_step_learns(p, &step));
    lm_program_append_step(p, &step);
}

uint32_t lm_program_listed(lm_program *p, lm_row_space space, const lm_listed_sum *sum)
{
    const lm_value *sent = lm_program_value(p, sum->sent),
                   *own = sum->own == LM_NONE ? NULL : lm_program_value(p, sum->own);
    lm_step step = lm_step_new(LM_OP_LISTED, sum->own, sum->sent, sum->epsilon, sum->bias);
    step.position = sum->list;
    step.rate = sum->mean;
    step.activation = sum->activation;
    const bool between = lm_is_listed(space) ? sent->space == space || sent->space == LM_VERTICES
                                             : (space == LM_VERTICES || space == LM_ARCS) && lm_is_listed(sent->space);
    const bool fits = between && (!own || (own->space == space && own->width == sent->width)) &&
                      weight_is(p, sum->epsilon, 1, 1) && weight_is(p, sum->bias, 1, sent->width) &&
                      (own || sum->epsilon == LM_NONE);
    return lm_step_append(p, &step, fits, space, sent->width);
}

uint32_t lm_program_messages(lm_program *p, uint32_t x, uint32_t edges, lm_sum sum)
{
    const lm_value *value = lm_program_value(p, x), *edge = lm_program_value(p, edges),
                   *sent = sum.sent == LM_NONE ? value : lm_program_value(p, sum.sent);
    lm_step step = lm_step_new(LM_OP_MESSAGES, x, edges, sum.epsilon, LM_NONE);
    step.input[2] = sum.sent;
    step.neighborhood = sum.neighborhood;
    step.position = sum.position;
    const bool fits = sum.position < components(p, value) && (edge->space == LM_LABELS || edge->space == LM_ARCS) &&
                      edge->width == value->width && sent->space == value->space && sent->width == value->width &&
                      weight_is(p, sum.epsilon, 1, 1) && sum.neighborhood <= LM_ENTERING;
    return lm_step_append(p, &step, fits, value->space, value->width);
}

uint32_t lm_program_linked(lm_program *p, lm_row_space space, const lm_linked_sum *sum)
{
    const lm_value *own = lm_program_value(p, sum->own), *sent = lm_program_value(p, sum->sent),
                   *edge = lm_program_value(p, sum->edges);
    lm_step step = lm_step_new(LM_OP_LINKED, sum->own, sum->edges, sum->epsilon, LM_NONE);
    step.input[2] = sum->sent;
    step.position = sum->list;
    const bool fits = lm_is_listed(space) && own->space == space && sent->space == space && edge->space == LM_ARCS &&
                      own->width == sent->width && edge->width == sent->width && weight_is(p, sum->epsilon, 1, 1);
    return lm_step_append(p, &step, fits, space, sent->width);
}

uint32_t lm_program_gather(lm_program *p, uint32_t x, bool swapped)
{
    const lm_value *value = lm_program_value(p, x);
    const lm_listed_sum row = {.own = LM_NONE, .sent = x, .list = swapped, .epsilon = LM_NONE, .bias = LM_NONE};
    if (lm_is_listed(value->space)) return lm_program_listed(p, LM_ARCS, &row);
    lm_step step = lm_step_new(LM_OP_GATHER, x, LM_NONE, LM_NONE, LM_NONE);
    step.position = swapped;
    return lm_step_append(p, &step, value->space == LM_TUPLES && p->k == 2, LM_ARCS, value->width);
}

uint32_t lm_program_collect(lm_program *p, uint32_t x, size_t position)
{
    const lm_value *value = lm_program_value(p, x);
    const lm_listed_sum rows = {.own = LM_NONE, .sent = x, .list = position, .epsilon = LM_NONE, .bias = LM_NONE};
    if (lm_is_listed(value->space)) return lm_program_listed(p, LM_VERTICES, &rows);
    lm_step step = lm_step_new(LM_OP_COLLECT, x, LM_NONE, LM_NONE, LM_NONE);
    step.position = position;
    return lm_step_append(p, &step, value->space == LM_TUPLES && position < p->k, LM_VERTICES, value->width);
}

uint32_t lm_program_nnconv(lm_program *p, uint32_t y, uint32_t h, lm_neighborhood neighborhood, bool mean)
{
    const lm_value *value = lm_program_value(p, y), *hidden = lm_program_value(p, h);
    lm_step step = lm_step_new(LM_OP_NNCONV, y, h, LM_NONE, LM_NONE);
    step.neighborhood = neighborhood;
    step.rate = mean;
    const bool fits = value->space == LM_VERTICES && hidden->space == LM_ARCS &&
                      value->width % (hidden->width + 1) == 0 && neighborhood <= LM_ENTERING;
    return lm_step_append(p, &step, fits, LM_VERTICES, value->width / (hidden->width + 1));
}

uint32_t lm_program_matmul(lm_program *p, uint32_t left, uint32_t right)
{
    lm_program_holds(p, p->k == 2 && lm_program_value(p, left)->space == LM_TUPLES, "a product of other than pairs");
    return lm_program_apply(p, LM_OP_MATMUL, left, right, LM_NONE, LM_IDENTITY);
}

uint32_t lm_program_spread(lm_program *p, const uint32_t *parts, size_t count, uint32_t bias, lm_activation activation)
{
    lm_step step = lm_step_new(LM_OP_SPREAD, LM_NONE, LM_NONE, bias, LM_NONE);
    size_t width = 0;
    bool fits = count && count == p->k && count <= LM_STEP_VALUES;
    for (size_t i = 0; fits && i < count; i++) {
        if (parts[i] == LM_NONE) continue;
        const lm_value *part = lm_program_value(p, parts[i]);
        fits = part->space == LM_VERTICES && (!width || part->width == width);
        width = part->width;
        step.input[i] = parts[i];
    }
    step.activation = activation;
    fits = fits && width && weight_is(p, bias, 1, width);
    return lm_step_append(p, &step, fits, p->k == 1 ? LM_VERTICES : LM_TUPLES, width);
}
