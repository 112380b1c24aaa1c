/*
 * What holds for an operation on every backend: its name, and which of its values its backward function reads. The
 * derivative of an activation is found from the output (ReLU: y > 0; ELU: 1 or y + 1), so a step with an activation
 * reads its output.
 */
#include "base/text.h"
#include "nn/backend.h"
#include <stdio.h>

/* Bit i: input i, output i. */
typedef struct operation {
    const char *name;
    unsigned inputs, outputs;
} operation;

#define ROW(NAME, name, inputs, outputs, cpu, cuda) [LM_OP_##NAME] = {#name, inputs, outputs},
static const operation OPERATIONS[LM_OPERATIONS] = {LM_OPERATION_LIST(ROW)};

const char *lm_operation_name(lm_operation op)
{
    return OPERATIONS[op].name;
}

bool lm_operation_reads_input(const lm_step *step, size_t i)
{
    /* The derivative by epsilon is the gradient times X. */
    if (step->operation == LM_OP_NEIGHBORS || step->operation == LM_OP_LISTED)
        return i == 0 && step->weight[0] != LM_NONE;
    if (step->operation == LM_OP_PAIR_SUMS) return i == 0 && (step->weight[0] != LM_NONE || step->weight[1] != LM_NONE);
    return OPERATIONS[step->operation].inputs >> i & 1;
}

bool lm_operation_reads_output(const lm_step *step, size_t i)
{
    /* A norm finds its own sign again from its input. */
    bool activated = step->activation != LM_IDENTITY && step->operation != LM_OP_NORM;
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
