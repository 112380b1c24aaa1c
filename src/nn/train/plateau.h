/*
 * The plateau rule: the learning rate falls when the validation value has stopped falling.
 *
 *   better:  value < best * (1 - 1e-4);   otherwise the epoch is a bad one
 *   more than `patience` bad epochs in a row:  rate = max(rate * factor, min), and the count begins again
 *
 * A change of 1e-8 or less is not made. A run ends with the first epoch whose own rate lies below 1e-6. A constant
 * value is better once and bad ever after: patience 5 from 1e-3 makes 1 + 10 * 6 epochs at ten falling rates and ends
 * with the 62nd. Comparisons are in double, whatever the networks count in.
 */
#ifndef LM_PLATEAU_H
#define LM_PLATEAU_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lm_plateau {
    double rate, factor, min;
    double best; /* of the values so far */
    uint64_t patience, bad;
} lm_plateau;

/* Factor 0.5, min 1e-7, no value so far. */
lm_plateau lm_plateau_new(double rate, uint64_t patience);
/* Once an epoch, with its validation value. What is not a number is never better. */
void lm_plateau_step(lm_plateau *plateau, double value);
/* Was an epoch at this rate the last? */
bool lm_plateau_ends(double rate_used);

#endif
