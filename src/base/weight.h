/* Weights of samples: a sample of weight w counts as w samples. */
#ifndef LM_WEIGHT_H
#define LM_WEIGHT_H

#include <stddef.h>

/* Returns the weight of one of several samples; weight may be NULL, which means 1 each. */
static inline double lm_weight_of(const double *weight, size_t sample)
{
    return weight ? weight[sample] : 1;
}

#endif
