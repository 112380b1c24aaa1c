/* Write access to the lists of a program, for the files that build programs. */
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

/* Records a failure, unless there already is one. The sentence says how the model contradicts itself. */
void lm_program_refuse(lm_program *p, const char *sentence);
/* Returns true if building may continue: no builder has failed and the condition holds. A condition that does not hold
 * is recorded as a failure with this sentence. */
bool lm_program_holds(lm_program *p, bool condition, const char *sentence);
uint32_t lm_program_append_value(lm_program *p, lm_row_space space, size_t width, bool differentiable);
void lm_program_append_step(lm_program *p, const lm_step *step);
/* A step that reads the values x and y and two weights, each of which may be LM_NONE. It has no outputs. */
lm_step lm_step_new(lm_operation operation, uint32_t x, uint32_t y, uint32_t first_weight, uint32_t second_weight);
/* Returns true if building may continue: no builder has failed, and the values and weights of the step fit each other.
 * Otherwise a failure is recorded whose sentence names the operation. */
bool lm_step_fits(lm_program *p, const lm_step *step, bool fits);
/* Appends the step and its first output, a value of this space and width, if the step fits. Returns the number of the
 * output. The output is differentiable if a value or weight that the step reads is. */
uint32_t lm_step_append(lm_program *p, lm_step *step, bool fits, lm_row_space space, size_t width);
/* Returns true if at least one value or weight that the step reads is learned or depends on a learned weight. */
bool lm_step_learns(const lm_program *p, const lm_step *step);

#endif
