/*
 * Properties of operations on every backend: the name, and which values the backward function reads. The derivative of
 * an activation is computed from the output (ReLU: y > 0; ELU: 1 or y + 1), so the backward function of a step with an
 * activation reads its output.
 */
#include "base/text.h"
#include "nn/backend.h"
#include <stdio.h>

/* A row of nn/operation_list.h. */
typedef struct operation {
    const char *name;
    unsigned inputs, outputs;
    size_t bias;
    unsigned rules;
} operation;

enum { NO_BIAS = LM_STEP_WEIGHTS };
#define ROW(NAME, name, inputs, outputs, bias, rules, cpu, cuda) [LM_OP_##NAME] = {#name, inputs, outputs, bias, rules},
static const operation OPERATIONS[LM_OPERATIONS] = {LM_OPERATION_LIST(ROW)};

const char *lm_operation_name(lm_operation op)
{
    return OPERATIONS[op].name;
}

bool lm_operation_has(lm_operation op, unsigned rule)
{
    return OPERATIONS[op].rules & rule;
}

size_t lm_operation_bias(lm_operation op)
{
    return OPERATIONS[op].bias;
}

bool lm_operation_reads_input(const lm_step *step, size_t i)
{
    bool epsilon = false;
    for (size_t w = 0; w < LM_STEP_WEIGHTS && lm_operation_has(step->operation, LM_RULE_EPSILON); w++)
        epsilon |= w != OPERATIONS[step->operation].bias && step->weight[w] != LM_NONE;
    return (i == 0 && epsilon) || (OPERATIONS[step->operation].inputs >> i & 1);
}

bool lm_operation_reads_output(const lm_step *step, size_t i)
{
    const bool activated = step->activation != LM_IDENTITY && !lm_operation_has(step->operation, LM_RULE_OWN_SIGN);
    return (i == 0 && activated) || (OPERATIONS[step->operation].outputs >> i & 1);
}

const char *lm_backend_budget_text(const lm_backend *backend, size_t left, char text[LM_BUDGET_TEXT])
{
    char has[LM_NUMBER_TEXT];
    if (backend->immediate) return lm_budget_text(backend->ctx, left, text);
    snprintf(text, LM_BUDGET_TEXT, "%s on %s", lm_bytes_text(left, has), backend->name);
    return text;
}

void lm_backend_free(lm_backend *backend)
{
    if (backend) backend->free(backend);
}
