/*
 * Learning-rate schedules: the rate of each epoch e = 1, 2, ..., E of a run with the learning rate r.
 *
 *   warm-up    in the first W epochs the rate is multiplied by e / (W + 1)
 *   plateau    the rate of plateau.h, which is halved when the validation value stops falling and may end the run; the
 *              rule does not see the epochs of the warm-up
 *   cosine     m + (r - m) (1 + cos(pi (e - W - 1) / (E - W))) / 2 after the warm-up, with the least rate m
 *   constant   r after the warm-up
 *
 * The rates of cosine and constant follow from the options and the number of the epoch alone. O(1).
 */
#ifndef LM_SCHEDULE_H
#define LM_SCHEDULE_H

#include "leman/network.h"
#include "nn/train/plateau.h"

typedef struct lm_schedule {
    leman_schedule kind;
    double rate, min_rate;    /* r and m */
    uint64_t warm_up, epochs; /* W and E */
    lm_plateau plateau;
} lm_schedule;

lm_schedule lm_schedule_new(const leman_training *training);
/* Returns the rate of an epoch, from 1. With the plateau rule this is the rate of the epoch after the last step. */
double lm_schedule_rate(const lm_schedule *schedule, uint64_t epoch);
/* Must be called once after each epoch with its validation value. */
void lm_schedule_step(lm_schedule *schedule, uint64_t epoch, double value);
/* Returns true if this epoch, which had the rate rate_used, is the last one whatever the number of epochs is. */
bool lm_schedule_ends(const lm_schedule *schedule, uint64_t epoch, double rate_used);

#endif
