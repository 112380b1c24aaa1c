/*
 * The plateau rule: the learning rate falls when the validation value has stopped falling.
 *
 *   better:  value < best * (1 - 1e-4);   otherwise the epoch is a bad one
 *   more than `patience` bad epochs in a row:  rate = max(rate * factor, min), and the count begins again
 *
 * A change of 1e-8 or less is not made. A run ends with the first epoch whose own rate lies below 1e-6. A constant
 * value is better once and bad ever after: with patience 5 and rate 1e-3 there are 1 + 10 * 6 epochs at ten falling
 * rates, and the run ends with epoch 62. Comparisons are in double, whatever the type of the networks' numbers is.
 */
#ifndef LM_PLATEAU_H
#define LM_PLATEAU_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lm_plateau {
    double rate, factor, min;
    double best; /* the best value so far */
    uint64_t patience, bad;
} lm_plateau;

/* Creates the rule with factor 0.5, min 1e-7 and no value so far. */
lm_plateau lm_plateau_new(double rate, uint64_t patience);
/* Must be called once after each epoch with its validation value. NAN is never better. */
void lm_plateau_step(lm_plateau *plateau, double value);
/* Returns true if an epoch at this rate is the last one. */
bool lm_plateau_ends(double rate_used);

#endif
