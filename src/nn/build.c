/*
 * The builders of steps. Each checks the shapes of its arguments, creates the values that the step writes, and appends
 * the step. A model that contradicts itself is a bug of the library: LEMAN_ERROR_INTERNAL, stored until
 * lm_program_finish().
 */
#include "nn/list.h"

static bool weight_is(const lm_program *p, uint32_t weight, size_t rows, size_t columns)
{
    const lm_weight *w = weight == LM_NONE ? NULL : lm_program_weight(p, weight);
    return !w || (w->rows == rows && w->columns == columns);
}

/* Appends the step and its first output, of this width. The output is differentiable if an input is or a weight is
 * learned. */
static uint32_t append(lm_program *p, lm_step *step, lm_row_space space, size_t width)
{
    step->output[0] = lm_program_append_value(p, space, width, !p->status && lm_step_learns(p, step));
    lm_program_append_step(p, step);
    return step->output[0];
}

/* ---- Values without steps -------------------------------------------------------------------- */

uint32_t lm_program_input(lm_program *p, lm_source source, size_t width)
{
    static const lm_row_space SPACE[] = {[LM_FROM_VERTEX_ATTRIBUTES] = LM_VERTICES,
                                         [LM_FROM_ARC_ATTRIBUTES] = LM_ARCS,
                                         [LM_FROM_TUPLE_ATTRIBUTES] = LM_TUPLES};
    if (!lm_program_holds(p, source >= LM_FROM_VERTEX_ATTRIBUTES, "an input comes from no attributes")) return 0;
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
    if (p->status) return 0;
    lm_value part = *lm_program_value(p, x);
    if (!lm_program_holds(p, width <= part.width && first <= part.width - width,
                          "columns of a value that is not so wide"))
        return 0;
    uint32_t y = lm_program_append_value(p, part.space, width, part.differentiable);
    if (p->status) return 0;
    part.width = width;
    part.column += first;
    part.kept = false;
    *lm_list_value(p, y) = part;
    return y;
}

/* Copies a part that cannot become a column itself (a column of another value, or a value of the batch). Returns a
 * value that can. */
static uint32_t own_column(lm_program *p, uint32_t x)
{
    const lm_value *value = lm_program_value(p, x);
    if (value->root == x && value->source == LM_FROM_STEP) return x;
    lm_step step = lm_step_empty(LM_OP_ADD);
    step.input[0] = x;
    return append(p, &step, value->space, value->width);
}

uint32_t lm_program_join(lm_program *p, const uint32_t *parts, size_t count)
{
    size_t width = 0;
    bool differentiable = false;
    if (p->status) return 0;
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
        if (p->status) return 0;
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
    if (!lm_program_holds(p, !listed || column < LM_LISTS, "a look-up in a space that is not there")) return 0;
    lm_step step = lm_step_empty(LM_OP_EMBED);
    step.index = index;
    step.position = column;
    step.weight[0] = table;
    return append(p, &step, SPACE[index] + (lm_row_space)(listed ? column : 0), lm_program_weight(p, table)->columns);
}

uint32_t lm_program_linear(lm_program *p, uint32_t x, lm_linear layer, lm_activation activation)
{
    if (p->status) return 0;
    lm_step step = lm_step_empty(LM_OP_LINEAR);
    size_t width = lm_program_weight(p, layer.weight)->rows;
    bool fits = weight_is(p, layer.weight, width, lm_program_value(p, x)->width) && weight_is(p, layer.bias, 1, width);
    if (!lm_program_holds(p, fits, "a linear map does not fit its input")) return 0;
    step.input[0] = x;
    step.weight[0] = layer.weight;
    step.weight[1] = layer.bias;
    step.activation = activation;
    return append(p, &step, lm_program_value(p, x)->space, width);
}

uint32_t lm_program_bias(lm_program *p, uint32_t x, uint32_t bias, lm_activation activation)
{
    if (p->status) return 0;
    lm_step step = lm_step_empty(LM_OP_ADD);
    if (!lm_program_holds(p, weight_is(p, bias, 1, lm_program_value(p, x)->width),
                          "a bias is not as wide as its value"))
        return 0;
    step.input[0] = x;
    step.weight[0] = bias;
    step.activation = activation;
    return append(p, &step, lm_program_value(p, x)->space, lm_program_value(p, x)->width);
}

uint32_t lm_program_norm(lm_program *p, uint32_t x, lm_norm norm, lm_activation activation)
{
    if (p->status) return 0;
    lm_step step = lm_step_empty(LM_OP_NORM);
    size_t width = lm_program_value(p, x)->width;
    if (!lm_program_holds(p, weight_is(p, norm.scale, 1, width), "a norm is not as wide as its value")) return 0;
    step.input[0] = x;
    step.weight[0] = norm.scale;
    step.weight[1] = norm.shift;
    step.weight[2] = norm.mean;
    step.weight[3] = norm.variance;
    step.activation = activation;
    step.output[1] = lm_program_append_value(p, LM_SINGLE, LM_NORM_KEPT * width, false);
    return p->status ? 0 : append(p, &step, lm_program_value(p, x)->space, width);
}

uint32_t lm_program_add(lm_program *p, uint32_t x, uint32_t y, lm_activation activation)
{
    if (p->status) return 0;
    lm_step step = lm_step_empty(LM_OP_ADD);
    bool alike = lm_program_value(p, x)->space == lm_program_value(p, y)->space &&
                 lm_program_value(p, x)->width == lm_program_value(p, y)->width;
    if (!lm_program_holds(p, alike, "two values that are added have different shapes")) return 0;
    step.input[0] = x;
    step.input[1] = y;
    step.activation = activation;
    return append(p, &step, lm_program_value(p, x)->space, lm_program_value(p, x)->width);
}

uint32_t lm_program_dropout(lm_program *p, uint32_t x, double rate)
{
    if (!lm_program_holds(p, rate >= 0 && rate < 1, "dropout drops a share outside 0 .. 1")) return 0;
    lm_step step = lm_step_empty(LM_OP_DROPOUT);
    step.input[0] = x;
    step.rate = rate;
    return append(p, &step, lm_program_value(p, x)->space, lm_program_value(p, x)->width);
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

uint32_t lm_program_sum(lm_program *p, uint32_t x, const lm_sum *sum)
{
    if (p->status) return 0;
    const lm_value *value = lm_program_value(p, x),
                   *sent = sum->sent == LM_NONE ? value : lm_program_value(p, sum->sent);
    lm_step step = lm_step_empty(LM_OP_NEIGHBORS);
    size_t components = value->space == LM_TUPLES ? p->k : value->space == LM_VERTICES ? 1 : 0;
    bool fits = sum->position < components && weight_is(p, sum->epsilon, 1, 1) &&
                weight_is(p, sum->bias, 1, value->width) && sent->space == value->space && sent->width == value->width;
    if (!lm_program_holds(p, fits, "a sum over neighbours does not fit its value")) return 0;
    step.input[0] = x;
    step.input[1] = sum->sent;
    step.weight[0] = sum->epsilon;
    step.weight[1] = sum->bias;
    step.neighborhood = sum->neighborhood;
    step.position = sum->position;
    step.activation = sum->activation;
    return append(p, &step, value->space, value->width);
}

uint32_t lm_program_neighbors(lm_program *p, uint32_t x, lm_neighborhood neighborhood, size_t position,
                              uint32_t epsilon)
{
    lm_sum sum = lm_sum_default(neighborhood, position, epsilon);
    return lm_program_sum(p, x, &sum);
}

void lm_program_pair_sums(lm_program *p, uint32_t x, lm_neighborhood neighborhood, const uint32_t epsilon[2],
                          uint32_t out[2])
{
    out[0] = out[1] = 0;
    if (p->status) return;
    const lm_value value = *lm_program_value(p, x);
    lm_step step = lm_step_empty(LM_OP_PAIR_SUMS);
    const bool fits =
        value.space == LM_TUPLES && p->k == 2 && weight_is(p, epsilon[0], 1, 1) && weight_is(p, epsilon[1], 1, 1);
    if (!lm_program_holds(p, fits, "sums over the neighbours of pairs do not fit their value")) return;
    step.input[0] = x;
    step.weight[0] = epsilon[0];
    step.weight[1] = epsilon[1];
    step.neighborhood = neighborhood;
    for (size_t j = 0; j < 2; j++)
        out[j] = step.output[j] =
            lm_program_append_value(p, value.space, value.width, !p->status && lm_step_learns(p, &step));
    lm_program_append_step(p, &step);
}

uint32_t lm_program_listed(lm_program *p, lm_row_space space, const lm_listed_sum *sum)
{
    if (p->status) return 0;
    const lm_value *sent = lm_program_value(p, sum->sent),
                   *own = sum->own == LM_NONE ? NULL : lm_program_value(p, sum->own);
    lm_step step = lm_step_empty(LM_OP_LISTED);
    bool fits = lm_is_listed(space) && (sent->space == space || sent->space == LM_VERTICES) &&
                (!own || (own->space == space && own->width == sent->width)) && weight_is(p, sum->epsilon, 1, 1) &&
                weight_is(p, sum->bias, 1, sent->width) && (own || sum->epsilon == LM_NONE);
    if (!lm_program_holds(p, fits, "a sum over lists does not fit its value")) return 0;
    step.input[0] = sum->own;
    step.input[1] = sum->sent;
    step.weight[0] = sum->epsilon;
    step.weight[1] = sum->bias;
    step.position = sum->list;
    step.rate = sum->mean;
    step.activation = sum->activation;
    return append(p, &step, space, sent->width);
}

uint32_t lm_program_messages(lm_program *p, uint32_t x, uint32_t edges, lm_neighborhood neighborhood, uint32_t epsilon)
{
    if (p->status) return 0;
    const lm_value *value = lm_program_value(p, x), *edge = lm_program_value(p, edges);
    lm_step step = lm_step_empty(LM_OP_MESSAGES);
    bool fits = value->space == LM_VERTICES && (edge->space == LM_LABELS || edge->space == LM_ARCS) &&
                edge->width == value->width && weight_is(p, epsilon, 1, 1) && neighborhood <= LM_ENTERING;
    if (!lm_program_holds(p, fits, "messages do not fit their edges")) return 0;
    step.input[0] = x;
    step.input[1] = edges;
    step.weight[0] = epsilon;
    step.neighborhood = neighborhood;
    return append(p, &step, LM_VERTICES, value->width);
}

uint32_t lm_program_nnconv(lm_program *p, uint32_t y, uint32_t h, lm_neighborhood neighborhood, bool mean)
{
    if (p->status) return 0;
    const lm_value *value = lm_program_value(p, y), *hidden = lm_program_value(p, h);
    lm_step step = lm_step_empty(LM_OP_NNCONV);
    bool fits = value->space == LM_VERTICES && hidden->space == LM_ARCS && value->width % (hidden->width + 1) == 0 &&
                neighborhood <= LM_ENTERING;
    if (!lm_program_holds(p, fits, "maps of arcs do not fit what vertices send")) return 0;
    step.input[0] = y;
    step.input[1] = h;
    step.neighborhood = neighborhood;
    step.rate = mean;
    return append(p, &step, LM_VERTICES, value->width / (hidden->width + 1));
}

uint32_t lm_program_matmul(lm_program *p, uint32_t left, uint32_t right)
{
    if (p->status) return 0;
    const lm_value *a = lm_program_value(p, left), *b = lm_program_value(p, right);
    lm_step step = lm_step_empty(LM_OP_MATMUL);
    bool fits = p->k == 2 && a->space == LM_TUPLES && b->space == LM_TUPLES && a->width == b->width;
    if (!lm_program_holds(p, fits, "two values that are multiplied are not matrices of one width")) return 0;
    step.input[0] = left;
    step.input[1] = right;
    return append(p, &step, LM_TUPLES, a->width);
}

uint32_t lm_program_spread(lm_program *p, const uint32_t *parts, size_t count, uint32_t bias, lm_activation activation)
{
    if (!lm_program_holds(p, count && count == p->k && count <= LM_STEP_VALUES,
                          "a tuple has as many parts as components"))
        return 0;
    lm_step step = lm_step_empty(LM_OP_SPREAD);
    size_t width = lm_program_value(p, parts[0])->width;
    for (size_t i = 0; i < count; i++) {
        const lm_value *part = lm_program_value(p, parts[i]);
        bool fits = part->space == LM_VERTICES && part->width == width && weight_is(p, bias, 1, width);
        if (!lm_program_holds(p, fits, "the parts of a tuple do not match")) return 0;
        step.input[i] = parts[i];
    }
    step.weight[0] = bias;
    step.activation = activation;
    return append(p, &step, p->k == 1 ? LM_VERTICES : LM_TUPLES, width);
}
