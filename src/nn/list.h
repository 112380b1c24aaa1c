/* What the files that build programs share: the lists, to write to. */
#ifndef LM_LIST_H
#define LM_LIST_H

#include "nn/program.h"

static inline lm_value *lm_list_value(lm_program *p, uint32_t value)
{
    return (lm_value *)p->values.items + value;
}
static inline lm_weight *lm_list_weight(lm_program *p, uint32_t weight)
{
    return (lm_weight *)p->weights.items + weight;
}
static inline lm_step *lm_list_step(lm_program *p, size_t step)
{
    return (lm_step *)p->steps.items + step;
}

/* The first failure is kept: a sentence about a model that contradicts itself. */
void lm_program_refuse(lm_program *p, const char *sentence);
/* May building go on? Not after a failure; and a condition that does not hold is one. */
bool lm_program_holds(lm_program *p, bool condition, const char *sentence);
uint32_t lm_program_append_value(lm_program *p, lm_row_space space, size_t width, bool differentiable);
void lm_program_append_step(lm_program *p, const lm_step *step);
/* A step without values and weights. */
lm_step lm_step_empty(lm_operation operation);
/* Does anything that the step reads depend on a weight that is learned? */
bool lm_step_learns(const lm_program *p, const lm_step *step);

#endif
