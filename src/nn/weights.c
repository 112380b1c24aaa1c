/* The weights of a program: their names, sizes and initial values. */
#include "nn/list.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static uint32_t append(lm_program *p, const char *name, const char *part, lm_weight weight)
{
    uint32_t number = (uint32_t)p->weights.count;
    char full[sizeof p->scope + 128];
    if (p->status) return 0;
    int length = snprintf(full, sizeof full, "%s%s%s%s", p->scope, name, *part ? "." : "", part);
    if (length < 0 || (size_t)length >= sizeof full) {
        lm_program_refuse(p, "the name of a weight is too long");
        return 0;
    }
    weight.name = lm_alloc(p->ctx, (size_t)length + 1, 1);
    p->status = weight.name ? lm_vector_append(p->ctx, &p->weights, &weight, 1, sizeof weight) : lm_refusal(p->ctx);
    if (p->status) {
        lm_release(weight.name);
        return 0;
    }
    memcpy(weight.name, full, (size_t)length + 1);
    return number;
}

/* The bound of the uniform initial numbers of a weight with so many inputs. */
static double bound(size_t inputs)
{
    return inputs ? 1 / sqrt((double)inputs) : 0;
}

static lm_weight uniform(size_t rows, size_t columns, double value)
{
    return (lm_weight){.rows = rows, .columns = columns, .initial = LM_UNIFORM, .value = value, .trainable = true};
}

static lm_weight constant(size_t columns, double value, bool trainable)
{
    return (lm_weight){.rows = 1, .columns = columns, .initial = LM_CONSTANT, .value = value, .trainable = trainable};
}

lm_linear lm_map_new(lm_program *p, const char *name, size_t outputs, size_t columns, size_t inputs)
{
    return (lm_linear){append(p, name, "", uniform(outputs, columns, bound(inputs))), LM_NONE};
}

lm_linear lm_linear_new(lm_program *p, const char *name, size_t inputs, size_t outputs)
{
    lm_linear linear;
    linear.weight = append(p, name, "weight", uniform(outputs, inputs, bound(inputs)));
    linear.bias = append(p, name, "bias", uniform(1, outputs, bound(inputs)));
    return linear;
}

uint32_t lm_table_new(lm_program *p, const char *name, size_t types, size_t width)
{
    return append(p, name, "table", uniform(types, width, bound(types)));
}

uint32_t lm_embedding_new(lm_program *p, const char *name, size_t types, size_t width)
{
    const lm_weight w = {.rows = types, .columns = width, .initial = LM_NORMAL, .value = 1, .trainable = true};
    return append(p, name, "table", w);
}

uint32_t lm_bias_new(lm_program *p, const char *name, size_t inputs, size_t width)
{
    return append(p, name, "bias", uniform(1, width, bound(inputs)));
}

uint32_t lm_epsilon_new(lm_program *p, const char *name)
{
    return append(p, name, "", constant(1, 0, true));
}

lm_norm lm_norm_new(lm_program *p, const char *name, size_t width)
{
    lm_norm norm;
    norm.scale = append(p, name, "scale", constant(width, 1, true));
    norm.shift = append(p, name, "shift", constant(width, 0, true));
    norm.mean = append(p, name, "mean", constant(width, 0, false));
    norm.variance = append(p, name, "variance", constant(width, 1, false));
    return norm;
}

static lm_gates gates_new(lm_program *p, const char *name, size_t inputs, size_t width, size_t gates)
{
    lm_gates cell;
    cell.input = append(p, name, "input", uniform(gates * width, inputs, bound(width)));
    cell.hidden = append(p, name, "hidden", uniform(gates * width, width, bound(width)));
    cell.input_bias = append(p, name, "input_bias", uniform(1, gates * width, bound(width)));
    cell.hidden_bias = append(p, name, "hidden_bias", uniform(1, gates * width, bound(width)));
    return cell;
}

lm_gates lm_lstm_new(lm_program *p, const char *name, size_t inputs, size_t width)
{
    return gates_new(p, name, inputs, width, 4);
}

lm_gates lm_gru_new(lm_program *p, const char *name, size_t inputs, size_t width)
{
    return gates_new(p, name, inputs, width, 3);
}
